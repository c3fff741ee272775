"""A walk along a closed door and over the edge of a hatch, on which contact is lost because of that door."""

from __future__ import annotations

from typing import Final

from editor.document.document import Document
from engine.build import WorldBuilder, rect
from engine.physics.flags import EDGE_SLIDE
from engine.sim.edits.entities import SetStateBits
from engine.sim.edits.player import Teleport
from engine.sim.tick.controls import Controls

HALL: Final = 0x00070100
MOST_TICKS: Final = 60
WALK: Final = Controls(forward=1.0)


def door_by_a_hatch() -> WorldBuilder:
    """A hall over a cellar, with a door in its eastern wall and a hatch that begins beside it."""
    world = WorldBuilder()
    hall = world.room("hall", rect(0, 0, 6, 6), height=3.0)
    study = world.room("study", rect(6.2, 0, 4, 6), height=3.0)
    cellar = world.room("cellar", rect(0, 0, 6, 6), floor=-3.0, height=2.8)
    world.door(hall, study, width=1.3, name="Front Door")
    world.hatch(hall, cellar, rect(4.4, 2.75, 1.6, 1.8))
    return world


def slide_over_the_edge(document: Document) -> tuple[int, int]:
    """Use the door twice, so that it closes, and walk against it aslant until the floor ends: the tick in which it was
    used last, and the one in which contact was lost. Without EDGE_SLIDE a body falls where it would slide back."""
    sim = document.sim
    assert document.edit("Stand Before the Door", Teleport(HALL, 5.0, 2.1, 0.0, 45.0))
    assert document.edit("Let Him Fall", SetStateBits(sim.player.id, EDGE_SLIDE, False))
    document.tick_many(5)
    (door,) = sim.population.doors
    document.tick(Controls(use=door.id))
    document.tick_many(60)
    used = document.tick(Controls(use=door.id)).tick
    document.tick_many(60)
    for _ in range(MOST_TICKS):
        lost = document.tick(WALK).tick
        if not sim.player.steered.contact_bits()[0]:
            return used, lost
    raise AssertionError("the player did not fall")
