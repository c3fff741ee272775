"""A long session in the demo world, with everything that can be edited, kept and opened again."""

from __future__ import annotations

import random
from collections.abc import Callable
from pathlib import Path

import pytest

from editor.authoring.catalogue import add_like, catalogue, duplicate
from editor.authoring.cell_edits import set_portal_flags, set_seen_outside, set_stab_list
from editor.document.document import Document
from editor.project.open_project import ProjectKeeper
from editor.session.background import Job
from editor.session.loading import Arrival, Request, arrive
from editor.session.session import Session
from editor.session.sources import DEMO
from engine.build.demo import SPOTS
from engine.entities.player import player_names
from engine.physics.rules import RULE_NAMES
from engine.sim.tick.controls import Controls
from engine.sim.tick.edit import Edit
from engine.sim.tick.simulation import Simulation
from tests.editor.project.project_worlds import differences

Make = Callable[[Simulation, random.Random], list[Edit]]


def opened(source: str) -> tuple[Document, ProjectKeeper]:
    document = Document(Session())
    keeper = ProjectKeeper(document)
    arrival = arrive(Request(source, ask=False), Job())
    assert isinstance(arrival, Arrival)
    document.session._take(arrival)
    return document, keeper


def somewhere(dice: random.Random) -> tuple[int, float, float, float]:
    spot = dice.choice(list(SPOTS.values()))
    x, y, z = spot.origin
    return spot.cell_id, x + dice.uniform(-0.5, 0.5), y + dice.uniform(-0.5, 0.5), z


def an_entity(sim: Simulation, dice: random.Random) -> int:
    return dice.choice(sim.population.ordered).id


def a_static(sim: Simulation, dice: random.Random) -> int:
    return dice.choice(list(sim.population.statics.things))


def a_room(sim: Simulation, dice: random.Random) -> int:
    blocks = [sim.world.landblock(block_id) for block_id in sim.surroundings.joined]
    return dice.choice([room.id for block in blocks if block is not None for room in block.env_cells])


def adding(sim: Simulation, dice: random.Random) -> list[Edit]:
    cell, x, y, z = somewhere(dice)
    return [add_like(sim, dice.choice(catalogue(sim)), cell, (x, y, z), dice.uniform(0.0, 360.0))[2]]


MAKERS: dict[str, Make] = {
    "use": lambda sim, dice: [Edit("use", (dice.choice(sim.population.doors).id, dice.choice([0, sim.player.id])))],
    "lock": lambda sim, dice: [Edit("lock_door", (dice.choice(sim.population.doors).id, dice.random() < 0.5))],
    "interval": lambda sim, dice: [Edit("set_reset_interval", (dice.choice(sim.population.doors).id, 2.0))],
    "state": lambda sim, dice: [Edit("set_state_bits", (an_entity(sim, dice), 0x4, dice.random() < 0.5))],
    "push": lambda sim, dice: [Edit("set_velocity", (an_entity(sim, dice), 1.0, 2.0, 5.0))],
    "move": lambda sim, dice: [Edit("move_entity", (an_entity(sim, dice), *somewhere(dice), dice.uniform(0, 360)))],
    "scale": lambda sim, dice: [Edit("set_scale", (an_entity(sim, dice), dice.choice([0.5, 1.0, 1.5])))],
    "remove": lambda sim, dice: [Edit("remove_entity", (an_entity(sim, dice),))],
    "add": adding,
    "double": lambda sim, dice: duplicate(sim, an_entity(sim, dice))[2],
    "static": lambda sim, dice: [Edit("move_entity", (a_static(sim, dice), *somewhere(dice), dice.uniform(0, 360)))],
    "clear": lambda sim, dice: [Edit("remove_entity", (a_static(sim, dice),))],
    "bits": lambda sim, dice: [Edit("set_state_bits", (a_static(sim, dice), 0x4, dice.random() < 0.5))],
    "stab": lambda sim, dice: set_stab_list(sim, a_room(sim, dice), []),
    "flags": lambda sim, dice: set_portal_flags(sim, a_room(sim, dice), 0, dice.choice([0, 1, 2])),
    "outside": lambda sim, dice: set_seen_outside(sim, a_room(sim, dice), dice.random() < 0.5),
    "teleport": lambda sim, dice: [Edit("teleport", (*somewhere(dice), dice.uniform(0, 360)))],
    "number": lambda sim, dice: [Edit("set_player", (dice.choice(player_names()), 1.0))],
    "rule": lambda sim, dice: [Edit("set_rule", (dice.choice(RULE_NAMES), dice.choice(["retail", "ace"])))],
    "rules": lambda sim, dice: [Edit("set_rules", (dice.choice(["retail", "ace"]),))],
    "time": lambda sim, dice: [Edit("set_time_of_day", (dice.random(),))],
}


def live(document: Document, dice: random.Random, steps: int) -> None:
    """Edits of all kinds, undone now and then, with walks in between."""
    for _ in range(steps):
        name = dice.choice(list(MAKERS))
        if document.sim.population.doors:
            document.edit(name, *MAKERS[name](document.sim, dice))
        if dice.random() < 0.2:
            document.undo()
        if dice.random() < 0.4:
            keys = Controls(forward=dice.choice([0.0, 1.0]), turn=dice.choice([0.0, 1.0]), run=dice.random() < 0.5)
            document.tick_many(dice.choice([1, 10, 40]), keys)


def check(seed: int, steps: int, folder: Path) -> None:
    document, keeper = opened(DEMO)
    live(document, random.Random(seed), steps)
    keeper.save(folder / f"{seed}.cellardoor")
    again, second = opened(str(folder / f"{seed}.cellardoor"))
    assert again.session.project is not None
    assert again.session.project.sentence == ""
    assert differences(document.sim, again.sim) == []
    assert again.stack.count() == min(len(document.made_steps()), again.stack.undoLimit())
    live(again, random.Random(seed + 1), steps // 2)
    second.save(folder / "second.cellardoor")
    third, _ = opened(str(folder / "second.cellardoor"))
    assert differences(again.sim, third.sim) == []


def test_a_session_in_the_demo_world_comes_back(tmp_path: Path) -> None:
    check(1, 40, tmp_path)


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(2, 6))
def test_long_sessions_in_the_demo_world_come_back(tmp_path: Path, seed: int) -> None:
    check(seed, 200, tmp_path)
