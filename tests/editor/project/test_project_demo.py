"""A long session in the demo world with every kind of edit, saved and opened again."""

from __future__ import annotations

import random
from collections.abc import Callable
from pathlib import Path

import pytest

from editor.authoring.catalogue import add_like, catalogue, duplicate, free_guid
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
from engine.sim.edits.doors import LockDoor, SetResetInterval, UseDoor
from engine.sim.edits.edit import Edit
from engine.sim.edits.entities import MoveEntity, RemoveEntity, SetScale, SetStateBits, SetVelocity
from engine.sim.edits.player import SetPlayerNumber, Teleport
from engine.sim.edits.rules import SetRule, SetRuleSet
from engine.sim.edits.world import SetTimeOfDay
from engine.sim.tick.controls import Controls
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
    return [add_like(sim, dice.choice(catalogue(sim)), cell, (x, y, z), dice.uniform(0.0, 360.0))]


MAKERS: dict[str, Make] = {
    "use": lambda sim, dice: [UseDoor(dice.choice(sim.population.doors).id, dice.choice([0, sim.player.id]))],
    "lock": lambda sim, dice: [LockDoor(dice.choice(sim.population.doors).id, dice.random() < 0.5)],
    "interval": lambda sim, dice: [SetResetInterval(dice.choice(sim.population.doors).id, 2.0)],
    "state": lambda sim, dice: [SetStateBits(an_entity(sim, dice), 0x4, dice.random() < 0.5)],
    "push": lambda sim, dice: [SetVelocity(an_entity(sim, dice), 1.0, 2.0, 5.0)],
    "move": lambda sim, dice: [MoveEntity(an_entity(sim, dice), *somewhere(dice), dice.uniform(0, 360))],
    "scale": lambda sim, dice: [SetScale(an_entity(sim, dice), dice.choice([0.5, 1.0, 1.5]))],
    "remove": lambda sim, dice: [RemoveEntity(an_entity(sim, dice))],
    "add": adding,
    "double": lambda sim, dice: duplicate(sim, an_entity(sim, dice), free_guid(sim)),
    "static": lambda sim, dice: [MoveEntity(a_static(sim, dice), *somewhere(dice), dice.uniform(0, 360))],
    "clear": lambda sim, dice: [RemoveEntity(a_static(sim, dice))],
    "bits": lambda sim, dice: [SetStateBits(a_static(sim, dice), 0x4, dice.random() < 0.5)],
    "stab": lambda sim, dice: set_stab_list(sim, a_room(sim, dice), []),
    "flags": lambda sim, dice: set_portal_flags(sim, a_room(sim, dice), 0, dice.choice([0, 1, 2])),
    "outside": lambda sim, dice: set_seen_outside(sim, a_room(sim, dice), dice.random() < 0.5),
    "teleport": lambda sim, dice: [Teleport(*somewhere(dice), dice.uniform(0, 360))],
    "number": lambda sim, dice: [SetPlayerNumber(dice.choice(player_names()), 1.0)],
    "rule": lambda sim, dice: [SetRule(dice.choice(RULE_NAMES), dice.choice(["retail", "ace"]))],
    "rules": lambda sim, dice: [SetRuleSet(dice.choice(["retail", "ace"]))],
    "time": lambda sim, dice: [SetTimeOfDay(dice.random())],
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
    assert again.stack.count() == len(document.done_steps())
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
