"""Edited worlds exported as data files: opened again they are the edited world, and every other record is untouched."""

from __future__ import annotations

import json
import math
from collections.abc import Callable, Iterator
from functools import cache, partial
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from editor.authoring.cell_edits import current_record, link_portal, set_cell_frame, set_stab_list
from editor.authoring.static_edits import add_static, move_static, rehome_static, remove_static
from engine.build.built import BuiltWorld
from engine.build.demo import ensure_demo
from engine.dat.check import check
from engine.dat.database import DatDatabase
from engine.dat.ids import DatKind
from engine.dat.records import Environment
from engine.dat.records.catalogue import read_record, write_record
from engine.geometry.frame import Frame
from engine.geometry.quat import from_heading
from engine.sim.data_files.standing import differing, standing
from engine.sim.edits.cells import ReplaceCell
from engine.sim.edits.doors import LockDoor
from engine.sim.edits.edit import Edit
from engine.sim.edits.entities import MoveEntity, RemoveEntity, SetStateBits
from engine.sim.edits.placing import PlaceEntity
from engine.sim.edits.player import Teleport
from engine.sim.errors import SimError
from engine.sim.playback import verify
from engine.sim.recording import Recorder
from engine.sim.tick.controls import Controls
from engine.sim.tick.simulation import Simulation
from engine.world.cells.cell import EnvCell
from engine.world.cells.objects import static_object_id
from engine.world.loader import open_world
from tests.editor.export.small_exports import BLOCK, close, cottage, opened, plan_of, written
from tests.world.loader.scenes import two_rooms

INFO = 0xC95BFFFE
BEYOND = 0xCA5BFFFF
HALL, STUDY, ENTRANCE, DOORWAY = 0xC95B0100, 0xC95B0101, 0xC95B0102, 0xC95B0103
ROOMS = (HALL, STUDY, ENTRANCE, DOORWAY)
BLOCKS = (BLOCK, BEYOND)


@cache
def built() -> BuiltWorld:
    return cottage().build()


@pytest.fixture(scope="module")
def source(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return built().write(tmp_path_factory.mktemp("source"))


@pytest.fixture
def sim(source: Path) -> Iterator[Simulation]:
    made = opened(source, BLOCKS)
    yield made
    close(made)


def records(folder: Path, kind: DatKind = DatKind.CELL) -> dict[int, tuple[bytes, int, int, int]]:
    """Bytes, flags, version and date by id."""
    with DatDatabase.open(folder / kind.file_name) as database:
        return {
            entry.record_id: (database.read_stored(entry), entry.flags, entry.version, entry.date)
            for entry in database.entries()
        }


def holds(folder: Path, sim: Simulation) -> list[str]:
    """What an export does not have as the simulation has it."""
    again = opened(folder, sorted(sim.surroundings.joined))
    try:
        return differing(standing(sim, BLOCKS), standing(again, BLOCKS))
    finally:
        close(again)


Make = Callable[[Simulation], list[Edit]]

NUMBERS = st.floats(100.0, 116.0, width=32)
HEADINGS = st.floats(0.0, 359.0)


def frames() -> st.SearchStrategy[Frame]:
    return st.builds(lambda x, y, turn: Frame((x, y, 20.0), from_heading(turn)), NUMBERS, NUMBERS, HEADINGS)


def land_thing(block: int, index: int) -> int:
    return static_object_id(block & 0xFFFF0000 | 0xFFFE, index)


def _see(room: int, seen: list[int], sim: Simulation) -> list[Edit]:
    return set_stab_list(sim, room, seen)


def _shift(room: int, frame: Frame, sim: Simulation) -> list[Edit]:
    return set_cell_frame(sim, room, frame)


def _link(room: int, to: int, both: bool, sim: Simulation) -> list[Edit]:
    return link_portal(sim, room, 0, to, 0, both)


def _move(frame: Frame, sim: Simulation) -> list[Edit]:
    return move_static(sim, HALL, 0, frame) if has_things(sim, HALL) else []


def _rehome(frame: Frame, sim: Simulation) -> list[Edit]:
    return rehome_static(sim, HALL, 0, STUDY, frame) if has_things(sim, HALL) else []


def _remove(sim: Simulation) -> list[Edit]:
    return remove_static(sim, HALL, 0) if has_things(sim, HALL) else []


def _add(room: int, frame: Frame, sim: Simulation) -> list[Edit]:
    block = sim.world.landblock(BEYOND)
    assert block is not None
    return add_static(sim, room, block.statics[0].model_id, frame)


def _place(thing: int, home: int, frame: Frame, sim: Simulation) -> list[Edit]:
    """An edit of the registry, which no record of the simulation has."""
    there = thing in sim.population.statics.things
    return [PlaceEntity(thing, home, *frame.origin, *frame.rotation)] if there else []


def _take(thing: int, sim: Simulation) -> list[Edit]:
    return [RemoveEntity(thing)] if thing in sim.population.statics.things else []


def has_things(sim: Simulation, room: int) -> bool:
    cell = sim.graph.get_visible(room)
    return cell is not None and bool(cell.static_objects)


IN_ROOMS = st.sampled_from((HALL, STUDY))
THINGS = st.sampled_from((land_thing(BLOCK, 0), land_thing(BLOCK, 1), land_thing(BEYOND, 0), static_object_id(HALL, 0)))
HOMES = st.sampled_from((BLOCK, BEYOND, HALL, STUDY, 0xC95B0021))


def made(make: Callable[..., list[Edit]], *values: st.SearchStrategy[Any]) -> st.SearchStrategy[Make]:
    return st.builds(partial, st.just(make), *values)


EDITS = st.one_of(
    made(_see, IN_ROOMS, st.lists(st.sampled_from(ROOMS))),
    made(_shift, IN_ROOMS, frames()),
    made(_link, IN_ROOMS, st.sampled_from(ROOMS), st.booleans()),
    made(_move, frames()),
    made(_rehome, frames()),
    made(_remove),
    made(_add, IN_ROOMS, frames()),
    made(_place, THINGS, HOMES, frames()),
    made(_take, THINGS),
)


@given(makes=st.lists(EDITS, min_size=1, max_size=8), loose=st.booleans())
@settings(max_examples=60, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
def test_an_export_opens_as_the_edited_world(
    tmp_path_factory: pytest.TempPathFactory, source: Path, makes: list[Make], loose: bool
) -> None:
    sim = opened(source, BLOCKS)
    for make in makes:
        for edit in make(sim):
            sim.apply_edit(edit)
    plan = plan_of(sim)
    try:
        if plan.is_empty:
            with pytest.raises(SimError, match="nothing to export"):
                written(plan, tmp_path_factory.mktemp("out"))
            return
        out = tmp_path_factory.mktemp("out")
        if loose:
            files = written(plan, out, loose=True).files
            assert {path.name: path.read_bytes() for path in files} == {
                f"0x{record_id:08X}.bin": data for record_id, data in plan.changes.cell.items()
            }
            return
        written(plan, out)
        assert holds(out, sim) == []
        before, after = records(source), records(out)
        assert before.keys() == after.keys()
        changed = {record_id for record_id in before if before[record_id] != after[record_id]}
        assert changed == set(plan.changes.cell)
        assert (out / DatKind.PORTAL.file_name).read_bytes() == (source / DatKind.PORTAL.file_name).read_bytes()
        with DatDatabase.open(out / DatKind.CELL.file_name) as database:
            assert not list(check(database))
        again = opened(out, BLOCKS)
        assert plan_of(again).is_empty
        close(again)
    finally:
        close(sim)


def walked(sim: Simulation, seconds: float = 4.0) -> list[tuple[int, tuple[float, float, float]]]:
    found = []
    for tick in range(round(seconds * 30)):
        report = sim.tick(Controls(forward=1.0, turn=math.copysign(0.3, math.sin(tick / 10.0))))
        body = sim.player.steered
        found.append((body.place.cell_id, body.place.origin))
        assert report.tick >= 0
    return found


def edited(sim: Simulation) -> None:
    """The crates of the hall moved into the way, one of the study taken out."""
    for make in (
        lambda: move_static(sim, HALL, 0, Frame((106.0, 107.0, 20.0), from_heading(30.0))),
        lambda: remove_static(sim, STUDY, 0),
        lambda: [PlaceEntity(land_thing(BLOCK, 0), BLOCK, 100.0, 99.0, 20.0, 1.0, 0.0, 0.0, 0.0)],
    ):
        for edit in make():
            sim.apply_edit(edit)


def test_a_recording_replays_on_the_export_with_the_same_hashes(tmp_path: Path, sim: Simulation) -> None:
    edited(sim)
    plan = plan_of(sim)
    sim.apply_edit(Teleport(HALL, 106.0, 105.5, 20.01, 0.0))
    with Recorder(sim) as recorder:
        walked(sim)
    recording = recorder.recording
    written(plan, tmp_path / "out")
    again = Simulation(open_world(tmp_path / "out"))
    assert verify(again, recording) is None
    assert again.state_hash() == sim.state_hash()
    close(again)


def test_a_player_walks_in_the_export_as_in_the_edited_world(tmp_path: Path, sim: Simulation) -> None:
    edited(sim)
    written(plan_of(sim), tmp_path / "out")
    again = opened(tmp_path / "out", BLOCKS)
    paths = []
    for each in (sim, again):
        each.apply_edit(Teleport(HALL, 106.0, 105.5, 20.01, 0.0))
        paths.append(walked(each))
    assert paths[0] == paths[1]
    close(again)


def test_what_no_record_can_hold_is_listed_with_the_reason(sim: Simulation) -> None:
    door = sim.world.entities[0]
    crate = land_thing(BLOCK, 1)
    edits = [
        LockDoor(door.guid, True),
        MoveEntity(door.guid, HALL, 106.0, 106.0, 20.0, 90.0),
        SetStateBits(crate, 4, True),
    ]
    plan = plan_of(sim, edits)
    assert plan.is_empty
    told = {left.id: f"{left.what}: {left.reason}" for left in plan.left_out}
    assert "door" in told[door.guid]
    assert "no record places one" in told[door.guid]
    assert "PhysicsState" in told[crate]
    assert len(told) == 2


def test_a_thing_moved_where_no_record_could_place_it_stays_where_it_was(tmp_path: Path, sim: Simulation) -> None:
    crate = land_thing(BLOCK, 0)
    away = PlaceEntity(crate, 0x1234FFFF, 90.0, 90.0, 20.0, 1.0, 0.0, 0.0, 0.0)
    plan = plan_of(sim, [away, *set_stab_list(sim, HALL, [])])
    assert list(plan.changes.cell) == [HALL]
    (left,) = plan.left_out
    assert (left.id, left.what) == (crate, "static thing 0 of 0xC95BFFFE")
    assert "no LandBlockInfo record" in left.reason
    written(plan, tmp_path / "out")
    again = opened(tmp_path / "out")
    assert crate in again.population.statics.things
    close(again)


def test_moved_and_felled_scenery_is_listed_and_stays(tmp_path: Path) -> None:
    sim = opened(ensure_demo())
    plants = [each for each in sim.population.statics.things if each >> 16 & 0xFFFF == BLOCK & 0xFFFF][:2]
    moved = PlaceEntity(plants[0], BLOCK, 90.0, 90.0, 20.0, 1.0, 0.0, 0.0, 0.0)
    plan = plan_of(sim, [moved, RemoveEntity(plants[1]), *set_stab_list(sim, HALL, [])])
    assert [left.id for left in plan.left_out] == plants
    assert all("scenery" in left.what and "no record places it" in left.reason for left in plan.left_out)
    written(plan, tmp_path / "out")
    again = opened(tmp_path / "out")
    assert set(plants) <= set(again.population.statics.things)
    close(again)
    close(sim)


def test_a_closed_door_that_only_time_has_moved_is_not_listed(sim: Simulation) -> None:
    walked(sim, 1.0)
    assert plan_of(sim).left_out == ()


def test_a_room_edited_far_from_the_player_is_exported(tmp_path: Path, source: Path) -> None:
    """Its landblock has not come in, so nothing is known of its static things but what the files have."""
    sim = opened(source, ())
    plan = plan_of(sim, set_stab_list(sim, HALL, [STUDY]))
    assert list(plan.changes.cell) == [HALL]
    written(plan, tmp_path / "out")
    again = opened(tmp_path / "out", ())
    room = again.graph.get_visible(HALL)
    assert room is not None
    assert room.stab_list == [STUDY]
    close(again)
    close(sim)


def test_a_room_with_a_shape_of_its_own_takes_an_environment_along(tmp_path: Path, sim: Simulation) -> None:
    """The environment's id is taken by the world's own, so it gets another; other rooms keep theirs."""
    record = current_record(sim, HALL)
    taken = 0x0D000000 | record.environment
    with DatDatabase.open(opened_portal(sim)) as portal:
        shapes = read_record(Environment, portal.read(taken), file="portal", record_id=taken)
    for keyed in shapes.structures:
        for vertex in keyed.structure.vertices:
            x, y, z = vertex.position
            vertex.position = (x, y, z * 2.0)
    edit = ReplaceCell(write_record(record), write_record(shapes))
    plan = plan_of(sim, [edit])
    assert [hex(each) for each in plan.changes.portal] == ["0xd00ffff"]
    written(plan, tmp_path / "out")
    assert holds(tmp_path / "out", sim) == []
    again = opened(tmp_path / "out")
    room = again.graph.get_visible(HALL)
    assert isinstance(room, EnvCell)
    assert room.structure.environment_id == 0x0D00FFFF
    assert plan_of(again).is_empty
    close(again)


def opened_portal(sim: Simulation) -> Path:
    assert sim.world.path is not None
    return sim.world.path / DatKind.PORTAL.file_name


def test_a_world_without_data_files_says_so(tmp_path: Path) -> None:
    path = tmp_path / "scene.json"
    path.write_text(json.dumps(two_rooms()), encoding="utf-8")
    with open_world(path) as world, pytest.raises(SimError, match="only a data folder has records"):
        plan_of(Simulation(world))
