"""Rooms and floors that nobody comes to, rooms that only a jump leads into, and places of no return."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from engine.build import Mesh, WorldBuilder, rect
from engine.build.shapes.solids import box
from engine.explore.findings.explore import check_by_walking
from engine.explore.findings.never_reached import CELL, FLOOR, JUMP
from engine.explore.findings.one_way import ONE_WAY
from engine.explore.forms.settings import Settings
from engine.findings.finding import Found
from engine.sim.playback import verify
from engine.sim.recording_file import parse_recording
from engine.sim.tick.simulation import Simulation
from engine.world.world import World

pytestmark = pytest.mark.unwatched

DUNGEON = 0x0007FFFF
ALL = frozenset(check.id for check in (CELL, FLOOR, JUMP, ONE_WAY))
QUICK = Settings(headings=8, grid=0.5)


def found_in(world: World) -> list[Found]:
    return list(check_by_walking(lambda: world, DUNGEON, QUICK, ALL))


def two_rooms(height: float = 0.0, *, door: bool = False, locked: bool = False) -> WorldBuilder:
    """A hall, and a study whose floor is so much higher, with a doorway between them."""
    made = WorldBuilder()
    hall = made.room("hall", rect(0, 0, 8, 6), height=6.0)
    study = made.room("study", rect(8.2, 0, 4, 4), floor=height, height=3.0)
    if door:
        made.door(hall, study, width=1.3, locked=locked)
    else:
        made.doorway(hall, study, (8.1, 2.0, height), width=1.3)
    return made


def with_cellar(*, stairs: bool) -> WorldBuilder:
    """A room over a cellar with a hatch that one falls through; a heap of steps leads back, or nothing does."""
    made = WorldBuilder()
    room = made.room("room", rect(0, 0, 8, 8), height=3.0)
    cellar = made.room("cellar", rect(0, 0, 6, 6), floor=-4.0, height=3.8)
    made.hatch(room, cellar, rect(2, 1, 2, 4))
    if stairs:
        blocks = [box(2.0, 1.0 + 0.5 * step, 0.0, 2.0, 0.5, 0.5 * (step + 1), "stone") for step in range(7)]
        cellar.put(Mesh.of("heap", [face for block in blocks for face in block]), (0.0, 0.0, -4.0))
    return made


def found_of(made: WorldBuilder) -> Iterator[Found]:
    with made.build().load() as world:
        yield from found_in(world)


@pytest.mark.parametrize("door", [False, True])
def test_nothing_is_told_of_rooms_that_one_walks_into(door: bool) -> None:
    assert list(found_of(two_rooms(door=door))) == []


def test_a_locked_door_is_no_reason() -> None:
    assert list(found_of(two_rooms(door=True, locked=True))) == []


def test_a_room_that_is_too_high_for_a_jump_is_never_reached_but_left() -> None:
    (found,) = found_of(two_rooms(2.9))
    assert (found.check, found.cell & 0xFFFF) == (CELL.id, 0x101)
    assert dict(found.figures)["floor, m²"] > 4.0


def test_a_room_one_jumps_into_is_told_as_that() -> None:
    (found,) = found_of(two_rooms(1.2))
    assert (found.check, found.cell & 0xFFFF) == (JUMP.id, 0x101)


def test_a_cellar_without_stairs_is_one_of_no_return() -> None:
    with with_cellar(stairs=False).build().load() as world:
        (found,) = (each for each in found_in(world) if each.check == ONE_WAY.id)
        recording = parse_recording(found.recording, "walk")
        sim = Simulation(world)
        assert verify(sim, recording) is None
        assert sim.player.soles()[2] < -3.0
        sim.close()


def test_a_cellar_with_steps_is_none() -> None:
    assert ONE_WAY.id not in {found.check for found in found_of(with_cellar(stairs=True))}


def test_a_floor_behind_a_wall_in_its_room_is_told() -> None:
    made = WorldBuilder()
    room = made.room("room", rect(0, 0, 10, 6), height=3.0)
    room.build_in(box(2.0, 0.0, 0.0, 0.4, 6.0, 3.0, "stone"))
    (found,) = found_of(made)
    assert found.check == FLOOR.id
    assert dict(found.figures)["floor, m²"] == pytest.approx(2.0 * 6.0, rel=0.5)
    assert found.place is not None
    assert found.place[1][0] < 2.0
