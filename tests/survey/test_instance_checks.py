"""Entities in the wrong place, links to nothing, doors that leave gaps: found by id, with fixes that remove them."""

from __future__ import annotations

from dataclasses import replace

import pytest

from engine.build import WorldBuilder, rect
from engine.build.built import BuiltWorld
from engine.build.models import Model, Part
from engine.build.shapes.furniture import crate
from engine.dat.records import LandBlockInfo
from engine.findings.finding import Found
from engine.findings.registry import CHECKS
from engine.geometry.frame import Frame
from engine.geometry.vec import Vec3
from engine.sim.tick.simulation import Simulation
from engine.survey.checks.instances import (
    ACTIVATES,
    GAP,
    IN_WALL,
    LEADS,
    LOCKED,
    MAKES,
    MISSING_CELL,
    NO_ROOM,
    WRONG_CELL,
)
from engine.survey.run import check_landblock
from engine.world.entity_spec import EntitySpec
from tests.sim.helpers.small_worlds import built, house, two_rooms
from tests.survey.planting import kinds, record, survey

HALL, STUDY = 0x00070100, 0x00070101
BLOCK = 0x0007FFFF
IN_HOUSE = 0xC95B0025
"""The land cell that the house stands on."""


def crates(*places: tuple[float, float]) -> WorldBuilder:
    world = WorldBuilder()
    hall = world.room("hall", rect(0, 0, 6, 4))
    study = world.room("study", rect(6.2, 0, 4, 4))
    world.doorway(hall, study, width=1.3)
    for number, at in enumerate(places):
        world.entity(f"crate {number}", "chest", Model("crate", (Part(crate(0.8)),)), hall, at, state=8)
    return world


def with_crate(cell_id: int, x: float, y: float, z: float = 0.0, kind: str = "chest", **extra: object) -> BuiltWorld:
    world = crates((3.0, 2.0)).build()
    spec: EntitySpec = replace(
        world.entities[0],
        cell_id=cell_id,
        frame=Frame((x, y, z)),
        kind=kind,
        extra={**world.entities[0].extra, **extra},
    )
    return replace(world, entities=(spec,))


def on_land(cell_id: int, origin: Vec3 = (30.0, 50.0, 20.0), kind: str = "chest") -> BuiltWorld:
    world = built(house)
    model = record(world, LandBlockInfo, 0xC95BFFFE).objects[0].model_id
    thing = EntitySpec(0x70007201, "Thing", kind, model, cell_id, Frame(origin), 8)
    return replace(world, entities=(thing,))


PLANTED = {
    MISSING_CELL.id: (lambda: with_crate(0x00070177, 2.0, 2.0), lambda: with_crate(HALL, 2.0, 2.0)),
    WRONG_CELL.id: (lambda: with_crate(STUDY, 2.0, 2.0), lambda: with_crate(STUDY, 8.0, 2.0)),
    NO_ROOM.id: (lambda: with_crate(HALL, -50.0, 2.0), lambda: with_crate(HALL, 1.0, 2.0)),
    IN_WALL.id: (lambda: with_crate(HALL, 0.05, 2.0), lambda: with_crate(HALL, 0.4, 2.0)),
    ACTIVATES.id: (
        lambda: with_crate(HALL, 3.0, 2.0, kind="switch", activates=[0x12345678]),
        lambda: with_crate(HALL, 3.0, 2.0, kind="switch", activates=[]),
    ),
    LEADS.id: (
        lambda: with_crate(HALL, 3.0, 2.0, kind="portal", destination={"cell": "0x00070199"}),
        lambda: with_crate(HALL, 3.0, 2.0, kind="portal", destination={"cell": f"0x{STUDY:08X}"}),
    ),
    MAKES.id: (
        lambda: with_crate(HALL, 3.0, 2.0, generates=["Drudge", "weenie 4711"]),
        lambda: with_crate(HALL, 3.0, 2.0, generates=["Drudge"]),
    ),
}


@pytest.mark.parametrize("check", PLANTED)
def test_a_planted_fault_is_found(check: str) -> None:
    (found,) = [each for each in survey(PLANTED[check][0]()) if each.check == check]
    assert found.entity
    assert found.place is not None
    assert found.sentence.startswith("crate 0 ")


@pytest.mark.parametrize("check", PLANTED)
def test_the_sound_twin_has_none(check: str) -> None:
    assert check not in kinds(survey(PLANTED[check][1]()))


def narrow_door() -> BuiltWorld:
    """A door of four fifths of its doorway."""
    world = built(two_rooms)
    return replace(world, entities=(replace(world.entities[0], scale=0.8),))


def test_a_door_that_does_not_fill_its_doorway_is_found() -> None:
    (found,) = survey(narrow_door(), [GAP.id])
    assert "of its doorway open" in found.sentence
    assert survey(built(two_rooms), [GAP.id]) == []


def test_a_thing_listed_on_another_land_cell_is_found_with_its_fix() -> None:
    (found,) = survey(on_land(0xC95B0001), [WRONG_CELL.id])
    assert found.fix is not None
    assert found.fix.name == "List Thing in 0xC95B000B"
    assert survey(on_land(0xC95B000B), [WRONG_CELL.id]) == []


def test_a_thing_in_a_room_that_is_listed_on_land_is_found_with_its_fix() -> None:
    (found,) = survey(on_land(IN_HOUSE, (108.0, 108.0, 20.0)), [WRONG_CELL.id])
    assert found.fix is not None
    assert found.fix.name == "List Thing in 0xC95B0100"
    assert survey(on_land(IN_HOUSE, (108.0, 108.0, 30.0)), [WRONG_CELL.id]) == []


def test_a_door_on_land_may_stand_in_its_doorway() -> None:
    assert survey(on_land(IN_HOUSE, (108.0, 104.1, 20.0), "door"), [WRONG_CELL.id]) == []


@pytest.mark.parametrize("check", [MISSING_CELL.id, WRONG_CELL.id, IN_WALL.id])
def test_a_fix_removes_its_finding_and_makes_no_other(check: str) -> None:
    sim = Simulation(PLANTED[check][0]().load())
    (found,) = check_landblock(sim, BLOCK, CHECKS)
    again = Found.from_json(found.to_json())
    assert again.fix is not None
    for edit in again.fix.edits():
        sim.apply_edit(edit)
    assert list(check_landblock(sim, BLOCK, CHECKS)) == []


def locked_door(**extra: object) -> BuiltWorld:
    world = built(two_rooms)
    door = world.entities[0]
    return replace(world, entities=(replace(door, extra={**door.extra, "wcid": 412, "locked": True, **extra}),))


def test_a_locked_door_that_nothing_unlocks_is_found() -> None:
    (found,) = survey(locked_door(), [LOCKED.id])
    assert "only from behind" in found.sentence


@pytest.mark.parametrize("extra", [{"lock_code": "brass"}, {"resist_lockpick": 50}, {"locked": False}])
def test_a_door_with_a_key_a_lockpick_or_no_lock_is_not(extra: dict[str, object]) -> None:
    assert survey(locked_door(**extra), [LOCKED.id]) == []


def test_a_door_that_a_lever_opens_is_not() -> None:
    world = locked_door()
    lever = replace(world.entities[0], guid=0x70007202, kind="switch", extra={"activates": [world.entities[0].guid]})
    assert survey(replace(world, entities=(*world.entities, lever)), [LOCKED.id]) == []


def test_an_entity_whose_model_is_missing_is_found() -> None:
    world = crates((3.0, 2.0)).build()
    (found,) = survey(replace(world, entities=(replace(world.entities[0], setup_id=0x02000ABC),)))
    assert found.check == "loaded.entity"
    assert found.entity == world.entities[0].guid
    assert "0x02000ABC is missing" in found.sentence
