"""Small worlds searched by walking: what is wrong with them is found and shown by a recording, and nothing else."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

import pytest

from engine.build import Mesh, WorldBuilder, rect
from engine.build.built import BuiltWorld
from engine.build.doors import door_model
from engine.build.entities import DOOR_CLOSED
from engine.build.shapes.solids import box
from engine.explore.findings.escapes import OUT_OF_CELLS, OVER_WALL, THROUGH_DOOR, WITHOUT_PORTAL
from engine.explore.findings.explore import check_by_walking
from engine.explore.findings.stuck import JUMP_ONLY, NO_WAY, PIT
from engine.explore.forms.settings import Settings
from engine.findings.finding import Found
from engine.findings.registry import CHECKS
from engine.sim.playback import verify
from engine.sim.recording_file import parse_recording
from engine.sim.tick.simulation import Simulation
from engine.world.world import World
from tests.explore.findings.holes import faces, side_by_side, without
from tests.sim.helpers.small_worlds import built, open_rooms, slope, two_rooms, with_cellar

pytestmark = pytest.mark.unwatched

DUNGEON = 0x0007FFFF
QUICK = Settings(headings=8, charges=(1.0,), jump_grid=2.0)
SHORT_JUMPS = Settings(headings=8, charges=(0.3,), jump_grid=0.5)


OURS = frozenset(check for check in CHECKS if check.startswith(("escape.", "stuck.", "membership.")))


def findings(world: World, settings: Settings = QUICK) -> list[Found]:
    return list(check_by_walking(lambda: world, DUNGEON, settings, OURS))


def kinds(found: list[Found]) -> set[str]:
    return {each.check for each in found}


def check_recordings(world: World, found: list[Found]) -> None:
    """Each is run again to the same end, and its line is where the body was."""
    for each in found:
        recording = parse_recording(each.recording, each.check)
        sim = Simulation(world, player_id=recording.player_id)
        assert verify(sim, recording) is None
        ends = [recording.samples[number].origin for number in range(len(recording))]
        assert each.path[-1][1] in ends
        sim.close()


def pit(depth: float) -> WorldBuilder:
    """A room with a hole of 2 by 2 m in its floor."""
    world = WorldBuilder()
    room = world.room("room", rect(0, 0, 6, 6), height=4.0)
    hole = world.room("hole", rect(2, 2, 2, 2), floor=-depth, height=depth)
    world.hatch(room, hole, rect(2, 2, 2, 2))
    return world


def narrow_pit(depth: float) -> WorldBuilder:
    world = WorldBuilder()
    room = world.room("room", rect(0, 0, 6, 6), height=4.0)
    hole = world.room("hole", rect(2, 2, 1.15, 1.15), floor=-depth, height=depth)
    world.hatch(room, hole, rect(2, 2, 1.15, 1.15))
    return world


@pytest.mark.parametrize("make", [open_rooms, two_rooms, slope, with_cellar, side_by_side])
def test_nothing_is_found_in_sound_rooms(make: Callable[[], WorldBuilder]) -> None:
    assert findings(built(make).load()) == []


def test_a_missing_wall_is_an_escape_with_its_shortest_keys() -> None:
    world = built(open_rooms)
    hall = world.cell_id("hall")
    loaded = without(world.load(), hall, faces((1.0, 0.0, 0.0)))
    found = findings(loaded)
    assert kinds(found) == {OUT_OF_CELLS.id}
    assert {each.cell for each in found} == {hall}
    assert all(dict(each.figures)["keys held, s"] <= 0.4 for each in found)
    check_recordings(loaded, found)


def test_a_missing_floor_is_an_escape() -> None:
    world = built(open_rooms)
    study = world.cell_id("study")
    loaded = without(world.load(), study, faces((0.0, 0.0, 1.0)))
    found = findings(loaded)
    assert OUT_OF_CELLS.id in kinds(found)
    check_recordings(loaded, found)


def test_a_deep_hole_is_a_pit() -> None:
    loaded = pit(6.0).build().load()
    found = findings(loaded, SHORT_JUMPS)
    assert kinds(found) == {PIT.id}
    assert 0.5 < dict(found[0].figures)["area, m²"] < 4.0
    check_recordings(loaded, found)


def test_a_hole_that_one_jumps_out_of_is_told_apart() -> None:
    loaded = pit(1.2).build().load()
    found = findings(loaded)
    assert kinds(found) == {JUMP_ONLY.id}
    check_recordings(loaded, found)


def test_a_hole_that_one_steps_out_of_is_nothing() -> None:
    assert findings(pit(0.5).build().load()) == []


def test_a_hole_as_wide_as_a_body_lets_no_key_lead_away() -> None:
    loaded = narrow_pit(6.0).build().load()
    found = findings(loaded, SHORT_JUMPS)
    assert kinds(found) == {NO_WAY.id}
    check_recordings(loaded, found)


def yard(height: float, *, locked: bool) -> BuiltWorld:
    """A hall that a wall with a gate divides."""
    world = WorldBuilder()
    hall = world.room("hall", rect(0, 0, 10, 6), height=8.0)
    for at, long in ((0.0, 2.35), (3.65, 2.35)):
        hall.put(Mesh.of(f"wall {at:g} {height:g}", box(-0.1, 0.0, 0.0, 0.2, long, height, "stone")), (5, at))
    gate = door_model(1.3, 2.1)
    world.entity("gate", "door", gate, hall, (5, 3), 90.0, state=DOOR_CLOSED, locked=locked)
    return world.build()


def test_a_jump_over_the_wall_of_a_locked_gate_is_told() -> None:
    world = yard(1.0, locked=True).load()
    found = findings(world)
    assert kinds(found) == {OVER_WALL.id}
    assert found[0].entity
    check_recordings(world, found)


@pytest.mark.parametrize(("height", "locked"), [(1.0, False), (5.0, True), (0.4, True)])
def test_other_walls_are_none_that_must_not_be_jumped(height: float, *, locked: bool) -> None:
    assert findings(yard(height, locked=locked).load()) == []


def test_a_way_beside_the_leaf_of_a_closed_door_is_told() -> None:
    """A doorway of 2.6 m with a leaf of 1.3 m in it."""
    world = WorldBuilder()
    hall = world.room("hall", rect(0, 0, 5, 4))
    study = world.room("study", rect(5.2, 0, 4, 4))
    world.doorway(hall, study, width=2.6)
    world.entity("narrow", "door", door_model(1.3, 2.1), hall, (4.99, 1.4), 90.0, state=DOOR_CLOSED)
    loaded = world.build().load()
    found = findings(loaded)
    assert kinds(found) == {THROUGH_DOOR.id}
    assert len(found) == 1
    assert dict(found[0].figures)["beside the leaf, m"] > 0.2
    check_recordings(loaded, found)


def test_a_wall_missing_from_both_sides_leads_into_the_next_room() -> None:
    world = built(side_by_side)
    loaded = world.load()
    for room, normal in (("west", (-1.0, 0.0, 0.0)), ("east", (1.0, 0.0, 0.0))):
        without(loaded, world.cell_id(room), faces(normal))
    found = findings(loaded)
    assert kinds(found) & {WITHOUT_PORTAL.id, OUT_OF_CELLS.id}
    check_recordings(loaded, found)


def test_only_what_is_switched_on_is_found() -> None:
    world = built(open_rooms)
    loaded = without(world.load(), world.cell_id("hall"), faces((1.0, 0.0, 0.0)))
    assert list(check_by_walking(lambda: loaded, DUNGEON, QUICK, frozenset({PIT.id}))) == []


def test_two_runs_find_the_same() -> None:
    world = built(open_rooms)
    loaded = without(world.load(), world.cell_id("hall"), faces((1.0, 0.0, 0.0)))
    assert findings(loaded) == findings(loaded)


def test_a_search_that_ended_early_does_not_say_where_no_way_leads() -> None:
    world = yard(1.0, locked=True).load()
    early = replace(QUICK, most_states=40)
    assert not list(check_by_walking(lambda: world, DUNGEON, early, frozenset(CHECKS)))
