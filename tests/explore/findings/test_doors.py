"""Doors that can be passed closed: who gets by, the recording that shows it, and the smallest change against it."""

from __future__ import annotations

from pathlib import Path

import pytest

from engine.build import WorldBuilder, rect
from engine.explore.findings.doors import BESIDE, LETS_THROUGH, NARROW, OVER, SLIT, check_doors
from engine.findings.finding import Found
from engine.physics.flags import ETHEREAL
from engine.sim.edits.entities import MoveEntity, SetScale, SetState, SetStateBits
from engine.sim.playback import verify
from engine.sim.recording_file import load_recording
from engine.sim.tick.simulation import Simulation
from tests.sim.helpers.small_worlds import built, open_all, simulate, two_rooms

pytestmark = pytest.mark.unwatched

DUNGEON = 0x0007FFFF
ALL = frozenset(check.id for check in (LETS_THROUGH, BESIDE, OVER, NARROW, SLIT))
SOLID_STATIC = 0x8


def found_in(sim: Simulation) -> list[Found]:
    return list(check_doors(sim, DUNGEON, ALL))


def moved(across: float, ahead: float = 0.0) -> Simulation:
    """The closed door of two rooms, moved along its wall and out of it."""
    sim = open_all(simulate(built(two_rooms)))
    door = sim.population.doors[0]
    x, y, z = door.frame.origin
    sim.apply_edit(MoveEntity(door.id, door.cell_id, x + ahead, y + across, z, door.frame.heading()))
    return sim


def gate() -> Simulation:
    """A door in the middle of a high hall, 0.6 m high, between two walls that leave it room."""
    world = WorldBuilder()
    hall = world.room("hall", rect(0, 0, 10, 10), height=12.0)
    study = world.room("study", rect(10.2, 0, 10, 10), height=12.0)
    world.door(hall, study, width=3.0, height=8.0, name="door")
    sim = open_all(simulate(world.build()))
    door = sim.population.doors[0]
    sim.apply_edit(SetScale(door.id, 0.15))
    return sim


def test_nothing_is_found_on_a_door_that_fills_its_doorway() -> None:
    assert found_in(open_all(simulate(built(two_rooms)))) == []


@pytest.mark.parametrize(("across", "ahead"), [(1.0, 0.0), (-1.1, 0.0), (2.5, 0.0), (1.2, 1.4)])
def test_a_door_that_was_moved_aside_is_walked_around(across: float, ahead: float) -> None:
    (found,) = found_in(moved(across, ahead))
    assert found.check == BESIDE.id
    assert found.fix is not None


@pytest.mark.parametrize(("across", "ahead"), [(1.0, 0.0), (-1.1, 0.0), (2.5, 0.0), (1.2, 1.4)])
def test_the_fix_closes_the_way(across: float, ahead: float) -> None:
    sim = moved(across, ahead)
    (found,) = found_in(sim)
    assert found.fix is not None
    for edit in found.fix.edits():
        sim.apply_edit(edit)
    assert BESIDE.id not in {each.check for each in found_in(sim)}


def test_the_smallest_move_leaves_less_room_than_the_player_needs() -> None:
    """The leaf of 1.29 m leaves 1.005 m free; the player is 0.96 m wide."""
    (found,) = found_in(moved(1.0))
    assert found.fix is not None
    assert 0.02 <= float(found.fix.name.split(" by ")[1].split()[0]) <= 0.06


def test_the_recording_walks_by_and_replays_to_the_same_bits(tmp_path: Path) -> None:
    sim = moved(1.0)
    (found,) = found_in(sim)
    path = tmp_path / "walk.cdrec"
    path.write_bytes(found.recording)
    recording = load_recording(path)
    assert verify(Simulation(sim.world), recording) is None
    ends = [recording.samples[number].origin[0] for number in (0, len(recording) - 1)]
    assert min(ends) < 6.0 < 6.2 < max(ends)


@pytest.mark.parametrize("bits", [SOLID_STATIC, 0x10008 | ETHEREAL])
def test_a_door_that_does_not_block_lets_the_player_through(bits: int) -> None:
    sim = open_all(simulate(built(two_rooms)))
    sim.apply_edit(SetState(sim.population.doors[0].id, bits))
    assert [each.check for each in found_in(sim)] == [LETS_THROUGH.id]


def test_a_door_that_is_open_now_is_tried_closed() -> None:
    sim = open_all(simulate(built(two_rooms)))
    door = sim.population.doors[0]
    sim.apply_edit(SetStateBits(door.id, ETHEREAL, True))
    door.is_open = True
    assert found_in(sim) == []


def test_a_small_gap_is_for_smaller_bodies_alone() -> None:
    (found,) = found_in(moved(0.5))
    assert found.check == NARROW.id
    assert dict(found.figures)["radius, m"] == pytest.approx(0.25, abs=0.01)


def test_a_leaf_3_cm_too_narrow_is_told_and_scaled() -> None:
    sim = open_all(simulate(built(two_rooms)))
    sim.apply_edit(SetScale(sim.population.doors[0].id, 1.26 / 1.29))
    (found,) = found_in(sim)
    assert found.check == SLIT.id
    assert dict(found.figures)["gap, m"] == pytest.approx(0.04, abs=0.001)
    assert found.fix is not None
    for edit in found.fix.edits():
        sim.apply_edit(edit)
    assert found_in(sim) == []


def test_a_low_door_is_jumped_over_until_it_is_scaled() -> None:
    sim = gate()
    found = {each.check: each for each in found_in(sim)}
    fix = found[OVER.id].fix
    assert fix is not None
    for edit in fix.edits():
        sim.apply_edit(edit)
    assert OVER.id not in {each.check for each in found_in(sim)}


def test_looking_changes_nothing() -> None:
    sim = moved(1.0)
    before = sim.state_hash()
    found_in(sim)
    assert sim.state_hash() == before


def test_only_what_is_switched_on_is_reported() -> None:
    assert list(check_doors(moved(1.0), DUNGEON, frozenset({OVER.id}))) == []
    assert list(check_doors(moved(1.0), 0x1234FFFF, ALL)) == []
