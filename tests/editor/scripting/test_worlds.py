"""Worlds: what is in them, edits that count for later runs, exports, projects, problems, views, closing."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

import pytest

import cellar_door
from editor.validation.checks import check_block
from engine.build.demo import SPOTS
from engine.sim.edits.doors import LockDoor
from engine.sim.edits.entities import AddEntity, spec_text
from engine.world.loader.entities_file import FILE_NAME, write_entities
from engine.world.server import model
from tests.editor.export.small_exports import BLOCK, cottage
from tests.editor.scripting.conftest import HALL, START, STUDY
from tests.sim.helpers.small_worlds import built, two_rooms
from tests.visibility.helpers.small_scenes import two_rooms as portal_scene
from tests.world.loader.scenes import two_rooms as scene_of_two_rooms
from tests.world.server.furnished import Place


def test_the_rooms_are_told_with_their_portals_and_stab_lists(world: cellar_door.World) -> None:
    assert world.landblocks == (0x0007FFFF,)
    cells = list(world.cells())
    assert [cell.id for cell in cells[:2]] == [HALL, STUDY]
    engine = world.engine.graph.get_visible(HALL)
    assert engine is not None
    assert list(cells[0].stab_list) == engine.stab_list
    assert {portal.to for cell in cells for portal in cell.portals} <= {cell.id for cell in cells}
    assert all(len(portal.corners) >= 3 for cell in cells for portal in cell.portals)
    assert world.cell(HALL) == cells[0] == world.cell(str(cells[0].id))
    assert f"{cells[0].id}" == "0x00070100" == repr(cells[0].id)
    assert f"{cells[0].id:x}" == "70100"


def test_cells_and_places_are_found_by_name() -> None:
    with cellar_door.open_world("demo", landblock=0xC95BFFFF) as world:
        cellar = world.cell("Cellar")
        assert world.names[cellar.id] == "Cellar"
        with world.simulation("Cellar") as run:
            assert run.player.cell == cellar.id
        spot = SPOTS["great_hall"]
        with world.simulation("great_hall") as run:
            assert run.player.cell == spot.cell_id
        assert len(list(world.cells(0xC95B0001, land=True))) == len(list(world.cells(0xC95B0001))) + 64


def test_entities_and_doors_are_found_by_name_and_id(world: cellar_door.World) -> None:
    door = world.doors["door"]
    assert [each.id for each in world.doors] == [door.id]
    assert world.doors[door.id].name == "door"
    assert door.id in world.doors
    assert "window" not in world.doors
    entity = world.entities["door"]
    assert (entity.kind, entity.is_here, entity.cell) == ("door", False, door.cell)
    with world.simulation(START) as run:
        assert run.entities["door"].is_here
        assert len(run.entities) == 1
    with pytest.raises(cellar_door.RefusedError, match="0 entities 'window'"):
        world.doors["window"]


def test_a_doors_state_is_its_worlds(world: cellar_door.World) -> None:
    door = world.doors["door"]
    assert (door.is_open, door.is_locked, door.is_moving) == (False, False, False)
    with world.simulation(START) as run:
        mine = run.doors["door"]
        mine.use()
        run.tick()
        assert (mine.is_open, mine.is_moving) == (True, True)
        mine.close()
        mine.lock()
        mine.set_closes_after(3.0)
        run.walk("wait 3s")
        assert (mine.is_open, mine.is_locked, mine.closes_after) == (False, True, 3.0)
        assert run.steps == ("Use door", "Close door", "Lock door", "Set Reset Interval of door")
        mine.unlock()
        assert not mine.is_locked
    assert not door.is_open


def test_who_may_pass_a_door_is_tried_beside_the_world(world: cellar_door.World) -> None:
    before = world.engine.state_hash()
    found = [each for each in world.doors["door"].passages() if each.who == "Player" and each.state == "locked"]
    assert [(each.side, each.passes) for each in found] == [("from the front", False), ("from behind", True)]
    assert world.engine.state_hash() == before


def test_edits_of_a_world_count_for_the_runs_after_them(world: cellar_door.World) -> None:
    earlier = world.simulation(START)
    world.edit("lock_door", door_id="door", locked=True)
    world.edit([LockDoor(world.id_of("door"), False), LockDoor(world.id_of("door"), True)], "Back and forth")
    later = world.simulation(START, rules="ace")
    assert (earlier.doors["door"].is_locked, later.doors["door"].is_locked) == (False, True)
    assert set(later.rules.values()) == {"ace"}
    assert world.steps == ("LockDoor", "Back and forth") == later.steps
    later.walk("forward 1s")
    assert later.recording.check() == ""


def test_a_step_that_is_refused_changes_nothing(world: cellar_door.World) -> None:
    world.doors["door"].close()  # its landblock comes in
    before, steps = world.engine.state_hash(), world.steps
    refused: list[Callable[[], None]] = [
        lambda: world.edit("lock_door", door_id="window", locked=True),
        lambda: world.edit("lock_door", door_id="door"),
        lambda: world.edit("lock", door_id="door", locked=True),
        lambda: world.edit("lock_door", door_id="door", locked="yes"),
        lambda: world.edit([LockDoor(world.id_of("door"), True), LockDoor(1, True)]),
        lambda: world.set_body(radius=0.3, wings=2.0),
        lambda: world.set_rules("ace", no_such_rule="ace"),
        lambda: world.set_stab_list(HALL, [0x12340100]),
    ]
    for edit in refused:
        with pytest.raises(cellar_door.RefusedError):
            edit()
        assert world.engine.state_hash() == before
    assert world.steps == steps


def test_a_project_is_saved_and_opened_with_its_edits(folder: Path, tmp_path: Path) -> None:
    with cellar_door.open_world(folder) as world:
        world.doors["door"].lock()
        world.set_stab_list(HALL, [HALL])
        world.save_project(tmp_path / "a.cellardoor")
    with pytest.raises(cellar_door.OpenError, match="does not lie with it"):
        cellar_door.open_world(tmp_path / "a.cellardoor")
    with cellar_door.open_world(tmp_path / "a.cellardoor", world=folder) as again:
        assert again.steps == ("Lock door", "Set Stab List of 0x00070100")
        assert again.doors["door"].is_locked
        assert again.cell(HALL).stab_list == (HALL,)
        with again.simulation(START) as run:
            assert run.doors["door"].is_locked
            assert run.cell(HALL).stab_list == (HALL,)


def test_server_data_stands_in_a_world_its_projects_and_recordings(tmp_path: Path) -> None:
    place = Place(built(two_rooms), tmp_path / "server")
    place.made.write(tmp_path / "world")
    write_entities(tmp_path / "world" / FILE_NAME, [])
    place.weenie(412, model.DOOR, "Server Door", int={93: 8}, float={11: 2})
    place.instances(place.here(0, 412))
    with cellar_door.open_world(tmp_path / "world") as plain:
        assert "Server Door" not in plain.doors
    with cellar_door.open_world(tmp_path / "world", server_data=tmp_path / "server") as world:
        assert [(door.id, door.name) for door in world.doors] == [(place.guid(0), "Server Door")]
        world.doors[place.guid(0)].lock()
        world.save_project(tmp_path / "a.cellardoor")
    with cellar_door.open_world(tmp_path / "a.cellardoor") as again, again.simulation(START) as run:
        assert run.doors["Server Door"].is_locked
        run.walk("forward 1s")
        run.save(tmp_path / "a.cdrec")
    with cellar_door.open_recording(tmp_path / "a.cdrec") as recording:
        assert recording.find("blocked by Server Door")
        assert recording.check() == ""


def test_a_password_in_a_url_is_seen_by_nobody(tmp_path: Path) -> None:
    with pytest.raises(cellar_door.OpenError) as refused:
        cellar_door.open_world("demo", server_data="mysql://me:secret@127.0.0.1:1/world")
    assert "secret" not in str(refused.value)


def test_a_run_is_saved_as_a_project_where_it_stands(folder: Path, tmp_path: Path) -> None:
    with cellar_door.open_world(folder) as world, world.simulation(START) as run:
        run.doors["door"].open()
        run.walk("forward 1s")
        stands = run.player.cell
        run.save_project(tmp_path / "a.cellardoor")
    with cellar_door.open_world(tmp_path / "a.cellardoor", world=folder) as again:
        assert (again.player.cell, again.doors["door"].is_open) == (stands, True)


def test_exports_hold_the_edits_and_say_what_they_cannot(tmp_path: Path) -> None:
    house = built(cottage).write(tmp_path / "house")
    with cellar_door.open_world(house) as world:
        room = next(iter(world.cells(BLOCK)))
        world.set_stab_list(room.id, [])
        world.doors["door"].lock()
        exported = world.export(tmp_path / "out")
        assert exported.records == (room.id,)
        assert any("door" in left for left in exported.left_out)
        with cellar_door.open_world(tmp_path / "out") as other:
            assert other.cell(room.id).stab_list == ()
            assert [each.what.partition(" (")[0] for each in world.diff(other)] == ["door"]
            with cellar_door.open_world(house) as plain:
                (record,) = plain.diff(other)
                assert (record.what, record.change) == (f"EnvCell {room.id}", "changed")
                assert plain.diff(plain) == []
        loose = world.export(tmp_path / "loose", loose=True)
        assert [Path(file).name for file in loose.files] == [f"{room.id}.bin"]
        with pytest.raises(cellar_door.RefusedError, match="folder of the open world"):
            world.export(house)


def test_without_an_edit_there_is_nothing_to_export(world: cellar_door.World, tmp_path: Path) -> None:
    with pytest.raises(cellar_door.RefusedError, match="nothing to export"):
        world.export(tmp_path / "out")


def test_problems_are_those_of_the_checks_and_fixes_mend_them(world: cellar_door.World) -> None:
    assert world.check() == []
    world.set_stab_list(HALL, [])
    (problem,) = world.check()
    block = world.engine.world.landblock(HALL)
    assert block is not None
    seen = {int(cell): list(map(int, others)) for cell, others in world.visible_cells(HALL).items()}
    (fault,) = check_block(world.engine, block, seen).faults
    assert (problem.cell, problem.what, problem.reason) == (fault.where, fault.what, fault.reason)
    assert str(problem) == str(fault)
    world.fix(problem)
    assert world.check() == []
    assert world.steps[-1] == problem.fix
    with pytest.raises(cellar_door.RefusedError, match="no fix"):
        world.fix(problem)


def test_entities_that_a_run_has_added_are_checked_too(world: cellar_door.World) -> None:
    spec = world.engine.world.entities[0]
    with world.simulation(START) as run:
        run.edit(AddEntity(spec_text(type(spec)(0x70007999, "stray", "chest", spec.setup_id, HALL, spec.frame, 0))))
        assert {problem.cell for problem in run.check()} <= {0x70007999, HALL, STUDY, 0x0007FFFF}
        assert "stray" in run.entities
    assert "stray" not in world.entities


def test_a_view_lists_the_rooms_that_the_command_lists(
    world: cellar_door.World, folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    from cellar_door.main import main

    view = world.visible((4.0, 2.0, 1.6), cell=HALL, heading=90)
    assert main(["visible", str(folder), "--cell", "0x00070100", "--eye", "4,2,1.6", "--heading", "90", "--json"]) == 0
    told = json.loads(capsys.readouterr().out)
    assert [str(cell) for cell in view.cells] == told["draw"]
    assert [(str(each.cell), each.index, each.status) for each in view.portals] == [
        (each["cell"], each["index"], each["status"]) for each in told["portals"]
    ]


def test_what_a_stab_list_hides_is_told_when_it_is_ignored(world: cellar_door.World) -> None:
    world.set_stab_list(HALL, [])
    plain = world.visible((4.0, 2.0, 1.6), cell=HALL, heading=90)
    whole = world.visible((4.0, 2.0, 1.6), cell=HALL, heading=90, ignore_stab_list=True)
    assert plain.cells == (HALL,)
    assert STUDY in whole.not_in_stab_list


def test_the_players_eye_is_the_one_unless_another_is_given(world: cellar_door.World) -> None:
    with pytest.raises(cellar_door.RefusedError, match="the player is nowhere"):
        world.visible()
    with world.simulation(START) as run:
        assert run.visible().root == HALL
        assert run.visible(cellar_door.Place(STUDY, (8.0, 2.0, 1.6), 270.0)).root == STUDY


def test_a_picture_is_drawn_and_changes_nothing(world: cellar_door.World, tmp_path: Path) -> None:
    from PySide6.QtGui import QImage

    with world.simulation(START) as run:
        before = run.engine.state_hash()
        run.picture(tmp_path / "a.png", size=(200, 120), overlays=["portals"])
        run.picture(tmp_path / "b.png", eye=(1.0, 1.0, 1.6), cell=HALL, look_at=(6.0, 2.0, 1.0), size=(200, 120))
        assert run.engine.state_hash() == before
    images = [QImage(str(tmp_path / name)) for name in ("a.png", "b.png")]
    assert {(image.width(), image.height()) for image in images} == {(200, 120)}
    assert images[0] != images[1]


@pytest.mark.parametrize(
    ("name", "words"),
    [("a.txt", {}), ("a.png", {"size": (0, 10)}), ("a.png", {"pitch": 95.0}), ("a.png", {"overlays": ["stars"]})],
)
def test_a_picture_that_cannot_be_drawn_is_refused(
    world: cellar_door.World, tmp_path: Path, name: str, words: dict[str, object]
) -> None:
    with pytest.raises(cellar_door.RefusedError):
        world.picture(tmp_path / name, cell=HALL, **words)  # type: ignore[arg-type]  # each a keyword of it
    assert list(tmp_path.iterdir()) == []


def test_scenes_are_chosen_by_name(tmp_path: Path) -> None:
    file = tmp_path / "scene.json"
    file.write_text(json.dumps(scene_of_two_rooms()), encoding="utf-8")
    with cellar_door.open_world(file) as world:
        assert list(world.cells())
    several = tmp_path / "rooms.json"
    several.write_text(json.dumps({"scenes": {"one": portal_scene(), "two": portal_scene()}}), encoding="utf-8")
    with pytest.raises(cellar_door.OpenError, match="'one', 'two'"):
        cellar_door.open_world(several)
    with cellar_door.open_world(several, scene="two") as world:
        view = world.visible((5.0, 5.0, 1.5), cell="A")
        assert view.cells == (world.cell("A").id, world.cell("B").id)


def test_what_is_closed_says_so_and_closing_again_does_nothing(folder: Path) -> None:
    world = cellar_door.open_world(folder)
    run = world.simulation(START)
    door = run.doors["door"]
    world.close()
    world.close()
    run.close()
    for ask in (lambda: world.landblocks, world.simulation, run.tick, lambda: run.player, door.open):
        with pytest.raises(cellar_door.ClosedError):
            ask()
    assert repr(world).endswith("closed)")


@pytest.mark.parametrize("source", ["nowhere", "empty", "text"])
def test_what_is_no_world_is_refused_with_its_file(tmp_path: Path, source: str) -> None:
    (tmp_path / "empty").mkdir()
    (tmp_path / "text").write_text("what?", encoding="utf-8")
    with pytest.raises(cellar_door.OpenError) as refused:
        cellar_door.open_world(tmp_path / source)
    assert str(tmp_path / source) in str(refused.value)
    assert isinstance(refused.value, cellar_door.Error)
    assert refused.value.reason


def test_a_landblock_that_there_is_not_is_refused(folder: Path) -> None:
    with pytest.raises(cellar_door.OpenError, match="no landblock 0xA9B4FFFF"):
        cellar_door.open_world(folder, landblock=0xA9B4FFFF)
    with cellar_door.open_world(folder) as world:
        for ask in (
            lambda: list(world.cells(0xA9B40000)),
            lambda: world.cell(0xA9B40101),
            lambda: world.check(0xA9B40000),
        ):
            with pytest.raises(cellar_door.RefusedError):
                ask()


def test_a_room_of_two_worlds_is_the_same(folder: Path) -> None:
    again = built(two_rooms)
    with cellar_door.open_world(folder) as one, cellar_door.open_world(again.write(folder.parent / "again")) as two:
        assert list(one.cells()) == list(two.cells())
        assert one.diff(two) == []
