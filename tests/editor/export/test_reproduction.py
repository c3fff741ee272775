"""Reproductions of runs and captures in every kind of world: the same hashes without the original files."""

from __future__ import annotations

import json
import shutil
import signal
import subprocess
import sys
from collections.abc import Sequence
from io import StringIO
from pathlib import Path

import pytest

from editor.document.history import History
from editor.export.reproduction import WorldPlace, plan_reproduction, write_reproduction
from editor.export.reproduction_jobs import RecordedHere
from editor.session.background import CancelledError
from editor.session.server_choice import ServerChoice
from editor.session.sources import DEMO, open_source
from editor.session.spawn import simulation_of
from engine.build import WorldBuilder
from engine.build.shapes.furniture import crate
from engine.entities.specs import pack_spec
from engine.files.cancelling import cancellable
from engine.render.scene import Scene
from engine.sim.captures.writer import CaptureWriter
from engine.sim.edits.cells import ReplaceCell
from engine.sim.edits.doors import LockDoor, UseDoor
from engine.sim.edits.edit import Edit
from engine.sim.edits.player import Teleport
from engine.sim.errors import SimError
from engine.sim.playback import Playback
from engine.sim.recording_file import parse_recording
from engine.sim.reproduction.moves import CapturedMoves, RecordedMoves
from engine.sim.tick.simulation import Simulation
from engine.sim.world_identity import world_identity
from engine.world.cells.cell import EnvCell
from engine.world.cells.ids import cell_text
from engine.world.faults import WorldError
from engine.world.loader import Placement, open_world
from engine.world.loader.dat_source import DatSource
from engine.world.loader.edited import cell_record_bytes, record_of_cell
from engine.world.loader.entities_file import FILE_NAME, write_entities
from engine.world.loader.reproduction.form import parse_reproduction
from engine.world.server import model
from engine.world.world import World
from tests.conformance.test_captures import SHELL
from tests.editor.export.small_exports import cottage
from tests.editor.export.small_reproductions import FORWARD, RUN, check_same, planned, quiet, recorded, saved
from tests.shared import SHARED, needs_shared
from tests.sim.helpers.small_worlds import built, two_rooms
from tests.systems import needs_signals
from tests.world.loader.scenes import two_rooms as scene_of_two_rooms
from tests.world.server.furnished import Place

FAR = 0x1010FFFF
"""The landblock that nobody comes near to."""


def cottage_and_far() -> WorldBuilder:
    world = cottage()
    for block in (0xCB5B, 0xCC5B):
        world.landblock(block).put(crate(), (20, 90))
    world.landblock(FAR >> 16).put(crate(), (20, 90))
    return world


def doors(sim: Simulation) -> Sequence[Edit]:
    first, *others = [door.id for door in sim.population.doors]
    return [UseDoor(first, sim.player.id), *(LockDoor(door, True) for door in others[:1])]


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    built(cottage_and_far).write(tmp_path / "world")
    return tmp_path / "world"


def test_the_demo_with_edits_and_doors_gives_the_same_hashes(tmp_path: Path) -> None:
    moves = recorded(DEMO, 60, doors)
    path = saved(planned(moves, DEMO), tmp_path / "demo.cdrepro")
    with open_source(str(path)) as world:
        check_same(world, moves.recording)
        for block_id in world.landblock_ids():
            with open_source(DEMO) as original:
                same = world_identity(original, [block_id])[cell_text(block_id)]
            assert world_identity(world, [block_id])[cell_text(block_id)] == same


def test_a_data_folder_may_be_gone(folder: Path, tmp_path: Path) -> None:
    moves = recorded(str(folder), 60, doors)
    path = saved(planned(moves, str(folder)), tmp_path / "walk.cdrepro")
    with open_world(folder) as original:
        assert FAR in original.landblock_ids()
        source = original.source
        assert isinstance(source, DatSource)
        held = {name: {id_: file.raw(id_) for id_ in file.ids()} for name, file in source.databases().items()}
    shutil.rmtree(folder)
    packed = parse_reproduction(path.read_bytes(), "x")
    assert all(held[name][id_] == data for (name, id_), data in {**packed.records, **packed.textures}.items())
    with open_source(str(path)) as world:
        check_same(world, moves.recording)
        assert FAR not in world.landblock_ids()
        assert world.landblock(FAR) is None
        assert [f"{fault}" for fault in world.source.faults if "goes on beyond them" in fault.reason]


def test_the_edge_is_told_when_a_walk_goes_on_towards_it(folder: Path, tmp_path: Path) -> None:
    path = saved(planned(recorded(str(folder), 10), str(folder)), tmp_path / "walk.cdrepro")
    said: dict[str, list[str]] = {}
    for source in (str(folder), str(path)):
        with open_source(source) as world:
            sim = simulation_of(world, source, 0xC95BFFFF)
            sim.apply_edit(Teleport(0xC95B003C, 188.0, 84.0, 25.0, 90.0))
            said[source] = [fault for _ in range(120) for fault in sim.tick(RUN).faults]
            assert sim.player.steered.place.cell_id >> 16 == 0xCA5B
            sim.close()
    assert said == {
        str(folder): [],
        str(path): [f"{fault}" for fault in said[str(path)] if "0xCB5B" in fault and "not the original world" in fault],
    }
    assert len(said[str(path)]) == 1


def test_what_a_server_let_stand_there_is_packed_to_the_last_bit(tmp_path: Path) -> None:
    place = Place(built(two_rooms), tmp_path / "server")
    place.made.write(tmp_path / "world")
    write_entities(tmp_path / "world" / FILE_NAME, [])
    place.weenie(412, model.DOOR, "Server Door", int={93: 8}, float={11: 300})
    place.weenie(7, model.SWITCH, "Lever")
    place.instances(place.here(0, 412), place.here(1, 7, rotation=(0.6, 0.0, 0.0, 0.8)))
    server = ServerChoice((str(place.folder),))
    source = str(tmp_path / "world")
    moves = recorded(source, 60, doors, server=server)
    with open_source(source, None, server) as world:
        specs = [pack_spec(spec) for spec in world.entities_of(place.block_id)]
    path = saved(planned(moves, source, server=server), tmp_path / "x.cdrepro")
    shutil.rmtree(tmp_path / "world")
    shutil.rmtree(place.folder)
    with open_source(str(path)) as world:
        check_same(world, moves.recording)
        assert [pack_spec(spec) for spec in world.entities_of(place.block_id)] == specs
        assert len(specs) == 2
        by_block = world.source.by_block
        assert by_block is not None
        assert by_block.source_of(place.guid(0)).startswith(f"{place.block_id >> 16:04X}.sql: line")
    assert str(tmp_path).encode() not in path.read_bytes()


def test_edits_from_before_the_first_tick_and_after_the_last_one_are_in_it(folder: Path, tmp_path: Path) -> None:
    """As in the window: a project's edits are made before anything is recorded, unsaved ones after."""
    source = str(folder)
    with open_source(source) as world:
        sim = simulation_of(world, source, 0xC95BFFFF)
        room = sim.graph.get_visible(0xC95B0100)
        assert isinstance(room, EnvCell)
        record = record_of_cell(world.source, room)
        record.visible_cells = []
        sim.apply_edit(ReplaceCell(cell_record_bytes(record), b""))
        history = History(sim, source)
        for _ in range(20):
            history.tick(FORWARD)
        sim.apply_edit(LockDoor(sim.population.doors[0].id, True))
        state = sim.state_hash()
        recording, landblocks = history.kept()
        sim.close()
    moves = RecordedHere(recording, frozenset(landblocks)).moves
    path = saved(plan_reproduction(moves, WorldPlace((source,)), quiet), tmp_path / "x.cdrepro")
    shutil.rmtree(folder)
    packed = parse_recording(parse_reproduction(path.read_bytes(), "x").moves, "x")
    assert packed.source == ""
    with open_source(str(path)) as world:
        check_same(world, packed)
        sim = Simulation(world, player_id=packed.player_id)
        Playback(sim, packed).seek(packed.end)
        assert sim.state_hash() == state
        edited = sim.graph.get_visible(0xC95B0100)
        assert isinstance(edited, EnvCell)
        assert edited.stab_list == []
        sim.close()


def test_a_scene_is_packed_with_its_file(tmp_path: Path) -> None:
    scene = tmp_path / "scene.json"
    scene.write_text(json.dumps(scene_of_two_rooms()), encoding="utf-8")
    moves = recorded(str(scene))
    path = saved(planned(moves, str(scene)), tmp_path / "x.cdrepro")
    packed = parse_reproduction(path.read_bytes(), "x")
    assert packed.files == [("scene.json", scene.read_bytes())]
    scene.unlink()
    with open_source(str(path)) as world:
        check_same(world, moves.recording)


def test_one_of_several_portal_scenes_is_packed_by_its_name(tmp_path: Path) -> None:
    room = {"portals": [], "box": [0, 0, 0, 4, 4, 3], "stab": []}
    file = tmp_path / "scenes.json"
    file.write_text(json.dumps({"scenes": {"a": {"A": room}, "b": {"B": room, "C": room}}}), encoding="utf-8")
    moves = recorded(str(file), 5, scene="b")
    path = saved(planned(moves, str(file), "b"), tmp_path / "x.cdrepro")
    file.unlink()
    with open_source(str(path)) as world:
        assert len(world.landblock(world.landblock_ids()[0]).env_cells) == 2  # type: ignore[union-attr]  # it is there
        check_same(world, moves.recording)


def test_a_reproduction_makes_another_one(folder: Path, tmp_path: Path) -> None:
    moves = recorded(str(folder), 30, doors)
    first = saved(planned(moves, str(folder)), tmp_path / "first.cdrepro")
    on = recorded(str(first), 30, doors)
    second = saved(planned(on, str(first)), tmp_path / "second.cdrepro")
    first.unlink()
    with open_source(str(second)) as world:
        check_same(world, on.recording)


def test_one_without_textures_makes_others_in_the_same_colours(folder: Path, tmp_path: Path) -> None:
    first = saved(planned(recorded(str(folder), 10), str(folder)), tmp_path / "first.cdrepro", textures=False)
    plan = planned(recorded(str(first), 10), str(first))
    assert plan.textures_size == 0
    second = saved(plan, tmp_path / "second.cdrepro")
    heads = [parse_reproduction(path.read_bytes(), "x") for path in (first, second)]
    assert heads[0].colours == heads[1].colours != {}
    assert [head.head.textures for head in heads] == [False, False]


def test_the_same_content_makes_the_same_bytes(folder: Path, tmp_path: Path) -> None:
    moves = recorded(str(folder), 20)
    one = saved(planned(moves, str(folder)), tmp_path / "one.cdrepro", note="a note")
    two = saved(planned(moves, str(folder)), tmp_path / "two.cdrepro", note="a note")
    assert one.read_bytes() == two.read_bytes()


def drawn(source: str) -> tuple[int, list[str]]:
    """How much is drawn of the landblocks of a walk, and what is wrong with it."""
    with open_source(source) as world:
        sim = Simulation(world)
        scene = Scene(world, sim)
        parts = 0
        for block_id in (0xC95BFFFF, 0xC95CFFFF):
            sim.surroundings.join(block_id)
            block = sim.world.landblock(block_id)
            assert block is not None
            for cell in block.env_cells:
                parts += scene.shell(cell.id) is not None
                parts += len(scene.parts_in(cell.id))
            parts += sum(map(len, scene.parts_on_land(block.id).values()))
            parts += sum(scene.building_shell(building, block.id) is not None for building in block.buildings)
            assert scene.terrain(block.id) is not None
        parts += len(scene.sky().objects) + len(scene.particles())
        faults = [str(fault) for fault in scene.faults()]
        scene.close()
        sim.close()
        return parts, faults


def test_it_is_drawn_like_the_original_and_without_textures_in_plain_colours(tmp_path: Path) -> None:
    plan = planned(recorded(DEMO, 10), DEMO)
    whole = saved(plan, tmp_path / "whole.cdrepro")
    bare = saved(plan, tmp_path / "bare.cdrepro", textures=False)
    assert whole.stat().st_size - bare.stat().st_size == pytest.approx(plan.textures_size, abs=500)
    original = drawn(DEMO)
    assert drawn(str(whole)) == original
    assert drawn(str(bare)) == original
    with open_source(str(bare)) as world:
        assert [fault for fault in world.source.faults if "textures were left out" in fault.reason]
        surfaces = {surface for block_id in world.landblock_ids() for surface in _surfaces(world.landblock(block_id))}
        images = [world.surface_image(surface) for surface in surfaces]
        assert {image.pixels.shape for image in images if image is not None and image.pixels is not None} == {(1, 1, 4)}
    assert not any(b"0x05" in line for line in bare.read_bytes().splitlines()[:20])


def _surfaces(block: object) -> set[int]:
    return {surface for cell in getattr(block, "env_cells", []) for surface in cell.surfaces}


# --- captures


def test_a_capture_comes_with_its_cells(tmp_path: Path) -> None:
    built(two_rooms).write(tmp_path / "world")
    source = str(tmp_path / "world")
    stream = StringIO()
    with open_source(source) as world:
        sim = simulation_of(world, source, world.landblock_ids()[0])
        sim.watch(sim.player.id, CaptureWriter(stream, sim.player.steered))
        for _ in range(30):
            sim.tick(FORWARD)
        sim.close()
    data = stream.getvalue().encode()
    moves = CapturedMoves(data, "moves.jsonl")
    path = saved(planned(moves, source), tmp_path / "x.cdrepro")
    assert parse_reproduction(path.read_bytes(), "x").moves == data
    with open_source(source) as original:
        expected = moves.replay(original, quiet).results
    shutil.rmtree(tmp_path / "world")
    with open_source(str(path)) as world:
        assert moves.replay(world, quiet).results == expected


@needs_shared
@pytest.mark.conformance
@pytest.mark.parametrize(
    ("capture", "dumps", "ground", "placements"),
    [
        ("issue98/live-capture.jsonl", ("issue98",), None, ()),
        ("issue98/live-capture.jsonl", ("issue98", "cellar-ascent"), -1000.0, (SHELL,)),
        ("cellar-lip/wedge-records.jsonl", ("cellar-lip",), -1000.0, ()),
        ("cellar-ascent/doorway-threshold-capture.jsonl", ("flap-doorway", "cellar-lip"), 94.0, ()),
    ],
)
def test_real_captures_differ_as_before(
    capture: str, dumps: tuple[str, ...], ground: float | None, placements: tuple[Placement, ...], tmp_path: Path
) -> None:
    fixtures = SHARED / "fixtures"
    file = fixtures / capture
    folders = tuple(str(fixtures / name) for name in dumps)
    moves = CapturedMoves(file.read_bytes(), str(file))
    place = WorldPlace(folders, ground=ground, placements=placements)

    def original() -> World:
        return open_world(folders, placements=placements, ground=ground)

    path = saved(plan_reproduction(lambda world: moves, place, quiet, open_place=original), tmp_path / "x.cdrepro")
    with open_source(str(path)) as world, original() as same:
        results = moves.replay(world, quiet).results
        assert results == moves.replay(same, quiet).results
        assert len(results) == 2 * len(moves.records)


# --- what is refused


def test_moves_of_another_world_are_refused(folder: Path, tmp_path: Path) -> None:
    moves = recorded(str(folder), 5)
    built(two_rooms).write(tmp_path / "other")
    with pytest.raises(SimError, match="no longer the world of the recording"):
        planned(moves, str(tmp_path / "other"))


def test_a_recording_that_does_not_repeat_is_refused(folder: Path) -> None:
    moves = recorded(str(folder), 5)
    moves.recording.hashes[-1] ^= 1
    with pytest.raises(SimError, match="does not give the same again"):
        planned(moves, str(folder))


def test_nothing_is_written_unless_the_packed_world_gives_the_same(folder: Path, tmp_path: Path) -> None:
    plan = planned(recorded(str(folder), 20), str(folder))
    plan.content.records.pop(next(key for key in plan.content.records if key[0] == "cell"))
    path = tmp_path / "x.cdrepro"
    with pytest.raises(SimError, match=r"no longer the world|does not give the same"):
        saved(plan, path)
    assert list(tmp_path.glob("*x.cdrepro*")) == []


def test_it_is_never_written_over_what_was_read(folder: Path, tmp_path: Path) -> None:
    plan = planned(recorded(str(folder), 5), str(folder))
    path = saved(plan, tmp_path / "x.cdrepro")
    before = path.read_bytes()
    for read in ([str(path)], [tmp_path / "." / "x.cdrepro"]):
        with pytest.raises(WorldError, match="is one of the files that are read"):
            write_reproduction(plan, path, read, quiet)
    assert path.read_bytes() == before


def test_cancelling_leaves_nothing(folder: Path, tmp_path: Path) -> None:
    plan = planned(recorded(str(folder), 40), str(folder))
    asked = 0

    def check() -> None:
        nonlocal asked
        asked += 1
        if asked > 5:
            raise CancelledError

    with cancellable(check), pytest.raises(CancelledError):
        write_reproduction(plan, tmp_path / "x.cdrepro", [], quiet)
    assert not (tmp_path / "x.cdrepro").exists()


KILLED = """
import os, signal, sys, threading, time
from pathlib import Path
from tests.editor.export.small_reproductions import planned, recorded, quiet
from editor.export.reproduction import write_reproduction
folder, path, count = sys.argv[1], Path(sys.argv[2]), int(sys.argv[3])
plan = planned(recorded(folder, 5), folder)
left = count
def watch(frame, event, argument):
    global left
    left -= 1
    if left == 0:
        os.kill(os.getpid(), signal.SIGKILL)
    return watch
from engine.dat import atomic
whole = atomic.write_whole
import editor.export.reproduction as made
def traced(*given, **named):
    sys.settrace(watch)
    try:
        return whole(*given, **named)
    finally:
        sys.settrace(None)
made.write_whole = traced
write_reproduction(plan, path, [], quiet)
print("written", left)
"""


@needs_signals
@pytest.mark.slow
@pytest.mark.parametrize("count", [1, 5, 10, 15, 20, 25, 30, 40, 60, 80])
def test_a_kill_leaves_the_old_file_or_the_whole_new_one(folder: Path, tmp_path: Path, count: int) -> None:
    path = tmp_path / "x.cdrepro"
    plan = planned(recorded(str(folder), 5), str(folder))
    new = saved(plan, tmp_path / "new.cdrepro").read_bytes()
    path.write_bytes(b"old")
    command = [sys.executable, "-c", KILLED, str(folder), str(path), str(count)]
    root = Path(__file__).resolve().parents[3]
    done = subprocess.run(command, cwd=root, capture_output=True, check=False, timeout=300)
    assert done.returncode == -signal.SIGKILL or (count > 20 and b"written" in done.stdout), done.stderr
    assert path.read_bytes() in (b"old", new)


def test_the_recording_in_it_is_the_one_that_was_given(folder: Path, tmp_path: Path) -> None:
    moves = recorded(str(folder), 5)
    path = saved(planned(moves, str(folder)), tmp_path / "x.cdrepro", note="line one\nline two\x00\u202e")
    packed = parse_reproduction(path.read_bytes(), "x")
    assert packed.moves == moves.data
    assert isinstance(moves, RecordedMoves)
    assert parse_recording(packed.moves, "x").hashes == moves.recording.hashes
    text = path.read_bytes().partition(b"\n---")[0].decode()
    assert "note        line one\n            line two\n" in text
    assert "\x00" not in text
    assert "\u202e" not in text
