"""An edited world as server data: which rows are written, how, and what is left out."""

from __future__ import annotations

from pathlib import Path

import pytest

from editor.authoring.catalogue import duplicate
from editor.document.world_diff import editable_state
from editor.export.server_data import NO_CLASS, OF_WEENIE, plan_server_export
from editor.export.write_server_data import write_server_data
from engine.files.cancelling import cancellable
from engine.geometry.frame import Frame
from engine.geometry.quat import from_heading
from engine.geometry.vec import r24
from engine.sim.edits.doors import LockDoor, OpenDoor
from engine.sim.edits.entities import AddEntity, RemoveEntity, SetScale, SetState, spec_text
from engine.sim.errors import SimError
from engine.sim.tick.simulation import Simulation
from engine.world.entity_spec import EntitySpec
from engine.world.faults import WorldError
from engine.world.server import rows
from engine.world.server.model import Instance
from engine.world.server.sources import open_server_data
from tests.editor.export.server_exports import (
    CREATURE,
    DOOR,
    NOW,
    THEN,
    differing,
    file_of,
    furnish,
    moved,
    opened,
    plan_of,
    source_text,
    written,
)
from tests.editor.export.small_exports import cottage
from tests.systems import needs_permissions
from tests.world.server.furnished import Place
from tests.world.server.worlds import database

FREE = 0x80000001


@pytest.fixture
def place(tmp_path: Path) -> Place:
    place = Place(cottage().build(), tmp_path / "server")
    furnish(place)
    return place


@pytest.fixture
def sim(place: Place) -> Simulation:
    return opened(place)


def read_again(place: Place, out: Path) -> dict[int, Instance]:
    """The instances of an export by the last digits of their ids."""
    return {each.guid & 0xFFF: each for each in open_server_data(out).block(place.block_id).instances}


def links_again(place: Place, out: Path) -> list[tuple[int, int]]:
    return [(each.parent & 0xFFF, each.child & 0xFFF) for each in open_server_data(out).block(place.block_id).links]


def test_a_moved_door_is_its_line_and_its_comment(place: Place, sim: Simulation, tmp_path: Path) -> None:
    plan = plan_of(sim, [moved(sim, place.guid(0))])
    done = written(plan, tmp_path / "out")
    assert [path.name for path in done.files] == [file_of(place).name]
    after = done.files[0].read_text(encoding="utf-8")
    (row, changed), (comment, place_after) = differing(source_text(place), after)
    x = place.door.frame.origin[0]
    assert changed == row.replace(f" {x:g},", f" {x + 0.25:g},", 1).replace(THEN, NOW)
    assert place_after == comment.replace(f"[{r24(x):.6f} ", f"[{r24(float(f'{x + 0.25:g}')):.6f} ")
    (listed,) = plan.rows
    assert {each.field: (each.before, each.after) for each in listed.fields} == {
        "origin_X": (r24(x), pytest.approx(x + 0.25)),
        "last_Modified": (THEN, NOW),
    }
    assert not plan.left_out


def test_nothing_changed_is_nothing_to_write(place: Place, sim: Simulation, tmp_path: Path) -> None:
    plan = plan_of(sim, [moved(sim, place.guid(0), (0.0, 0.0, 0.0))])
    assert plan.is_empty
    with pytest.raises(SimError, match="nothing to export"):
        written(plan, tmp_path / "out")
    assert not (tmp_path / "out").exists()


def test_a_removed_door_takes_its_links_along_and_frees_the_lever(
    place: Place, sim: Simulation, tmp_path: Path
) -> None:
    plan = plan_of(sim, [RemoveEntity(place.guid(0))])
    written(plan, tmp_path / "out")
    there = read_again(place, tmp_path / "out")
    assert sorted(there) == [3, 5, 7]
    assert not there[3].is_link_child
    assert links_again(place, tmp_path / "out") == []
    assert [(row.table, row.change) for row in plan.rows] == [
        (rows.INSTANCE, "removed"),
        (rows.INSTANCE, "changed"),
        (rows.LINK, "removed"),
    ]


def test_a_copied_lever_keeps_its_class_and_opens_the_same_door(place: Place, sim: Simulation, tmp_path: Path) -> None:
    plan = plan_of(sim, duplicate(sim, place.guid(3), FREE))
    written(plan, tmp_path / "out")
    copy = read_again(place, tmp_path / "out")[8]
    assert (copy.guid, copy.wcid, copy.is_link_child) == (place.guid(8), 286, True)
    assert links_again(place, tmp_path / "out") == [(0, 3), (0, 8)]
    assert not plan.left_out
    text = (tmp_path / "out" / file_of(place).name).read_text(encoding="utf-8")
    assert f"     , (0x{place.guid(0):08X}, 0x{place.guid(8):08X}, '{NOW}') /* Lever (286) */;\n" in text


def test_a_door_that_leaves_its_landblock_gets_an_id_there(place: Place, sim: Simulation, tmp_path: Path) -> None:
    other = place.block_id + 0x01000000 & 0xFFFF0000
    plan = plan_of(sim, [moved(sim, place.guid(7), (10.0, 0.0, 0.0), other | 1)])
    done = written(plan, tmp_path / "out")
    assert sorted(path.name for path in done.files) == sorted([file_of(place).name, f"{other >> 16:04X}.sql"])
    assert sorted(read_again(place, tmp_path / "out")) == [0, 3, 5]
    (there,) = open_server_data(tmp_path / "out").block(other | 0xFFFF).instances
    assert (there.guid, there.wcid) == (0x70000000 | other >> 4, CREATURE)
    text = (tmp_path / "out" / f"{other >> 16:04X}.sql").read_text(encoding="utf-8")
    assert text.startswith(f"DELETE FROM `landblock_instance` WHERE `landblock` = 0x{other >> 16:04X};\n\nINSERT ")


def test_a_door_taken_along_with_its_lever_keeps_the_link(place: Place, sim: Simulation, tmp_path: Path) -> None:
    other = place.block_id + 0x01000000 & 0xFFFF0000
    edits = [moved(sim, place.guid(number), (10.0, 0.0, 0.0), other | 1) for number in (0, 3)]
    written(plan_of(sim, edits), tmp_path / "out")
    block = open_server_data(tmp_path / "out").block(other | 0xFFFF)
    first = 0x70000000 | other >> 4
    assert [(each.guid, each.wcid, each.is_link_child) for each in block.instances] == [
        (first, DOOR, False),
        (first + 1, 286, True),
    ]
    assert [(each.parent, each.child) for each in block.links] == [(first, first + 1)]
    assert links_again(place, tmp_path / "out") == []


def test_a_lever_taken_away_is_still_linked_by_its_new_id(place: Place, sim: Simulation, tmp_path: Path) -> None:
    other = place.block_id + 0x01000000 & 0xFFFF0000
    written(plan_of(sim, [moved(sim, place.guid(3), (10.0, 0.0, 0.0), other | 1)]), tmp_path / "out")
    links = open_server_data(tmp_path / "out").block(place.block_id).links
    assert [(each.parent, each.child) for each in links] == [(place.guid(0), 0x70000000 | other >> 4)]


def test_outdoors_the_cell_is_still_left_to_the_server(place: Place, sim: Simulation, tmp_path: Path) -> None:
    written(plan_of(sim, [moved(sim, place.guid(7))]), tmp_path / "out")
    rat = read_again(place, tmp_path / "out")[7]
    assert rat.place.cell_id & 0xFFFF == 0
    assert rat.place.origin[0] == 30.25


def test_properties_of_weenies_are_left_out_with_the_reason(place: Place, sim: Simulation) -> None:
    state = sim.population.state_of(place.guid(5))
    edits = [
        LockDoor(place.guid(0), True),
        SetScale(place.guid(7), 2.0),
        SetState(place.guid(5), state | 0x10),
        OpenDoor(place.guid(5)),
    ]
    plan = plan_of(sim, edits)
    assert plan.is_empty
    assert {(left.id & 0xFFF, left.reason) for left in plan.left_out} == {
        (0, OF_WEENIE),
        (5, OF_WEENIE),
        (7, OF_WEENIE),
    }
    said = " ".join(left.what for left in plan.left_out)
    for what in ("was locked", "has another scale, 2", "has other PhysicsState bits", "stands open"):
        assert what in said


def test_a_thing_without_a_class_is_left_out_until_one_is_chosen(place: Place, sim: Simulation, tmp_path: Path) -> None:
    frame = Frame((1.5, 2.0, 0.0), from_heading(45.0))
    spec = EntitySpec(FREE, "Crate", "object", place.door.setup_id, place.door.cell_id, frame, 0x408)
    start = editable_state(sim)
    sim.apply_edit(AddEntity(spec_text(spec)))
    plan = plan_server_export(sim, start, {FREE}, NOW)
    assert [(left.id, left.reason) for left in plan.left_out] == [(FREE, NO_CLASS)]
    assert plan.without_class == {FREE}
    (left,) = plan_server_export(sim, start, {FREE}, NOW, {FREE: 99}).left_out
    assert left.reason == "there is no weenie 99; choose another one"
    plan = plan_server_export(sim, start, {FREE}, NOW, {FREE: CREATURE})
    assert not plan.without_class
    written(plan, tmp_path / "out")
    assert read_again(place, tmp_path / "out")[8].wcid == CREATURE
    turned = read_again(place, tmp_path / "out")[8].place.rotation
    assert turned == pytest.approx(frame.rotation, abs=1e-6)


def test_from_a_database_a_landblock_becomes_a_file(place: Place, tmp_path: Path) -> None:
    content: dict[str, list[list[object]]] = {
        rows.INSTANCE: [
            [place.guid(number), wcid, place.door.cell_id, *place.door.frame.origin, *place.door.frame.rotation, child]
            for number, wcid, child in ((0, DOOR, 0), (3, 286, 1))
        ],
        rows.LINK: [[place.guid(0), place.guid(3)]],
        rows.WEENIE: [[DOOR, "door", 19], [286, "lever", 26]],
        rows.STRING: [[DOOR, 1, "Do*/or"], [286, 1, "Lever"]],
        rows.DID: [[wcid, 1, place.door.setup_id] for wcid in (DOOR, 286)],
    }
    place.folder = database(tmp_path / "world.db", content)
    sim = opened(place)
    plan = plan_of(sim, [moved(sim, place.guid(0))])
    written(plan, tmp_path / "out", place.folder)
    there = read_again(place, tmp_path / "out")
    assert there[0].place.origin[0] == pytest.approx(place.door.frame.origin[0] + 0.25, rel=5.1e-6)
    assert there[3].is_link_child
    assert links_again(place, tmp_path / "out") == [(0, 3)]
    assert [row.change for row in plan.rows] == ["changed"]
    assert "/* Do* /or */" in (tmp_path / "out" / file_of(place).name).read_text(encoding="utf-8")


# --- what keeps it from being written


def test_files_that_were_read_are_never_written(place: Place, sim: Simulation) -> None:
    plan = plan_of(sim, [moved(sim, place.guid(0))])
    before = file_of(place).read_bytes()
    with pytest.raises(WorldError, match="is one of the files that are read"):
        written(plan, file_of(place).parent, place.folder)
    assert file_of(place).read_bytes() == before


def test_a_file_that_has_changed_meanwhile_is_refused(place: Place, sim: Simulation) -> None:
    edit = moved(sim, place.guid(0))
    file_of(place).write_text(source_text(place).replace(f"0x{place.guid(0):08X}, ", "0x70000001, "), encoding="utf-8")
    with pytest.raises(WorldError, match="reload the world first"):
        plan_of(sim, [edit])


def test_a_thing_that_somebody_else_has_moved_meanwhile_is_not_moved_back(place: Place, sim: Simulation) -> None:
    edit = moved(sim, place.guid(0))
    x = f"{place.door.frame.origin[0]:g}"
    file_of(place).write_text(source_text(place).replace(f" {x}, ", " 7.125, ", 1), encoding="utf-8")
    with pytest.raises(WorldError, match="was changed there since it was read; reload the world first"):
        plan_of(sim, [edit])


def test_a_file_that_is_spoilt_meanwhile_is_refused_with_its_line(place: Place, sim: Simulation) -> None:
    edit = moved(sim, place.guid(0))
    file_of(place).write_text(source_text(place) + "INSERT INTO landblock_instance (guid) VALUES (1", encoding="utf-8")
    with pytest.raises(WorldError, match=r"\.sql: line 21: "):
        plan_of(sim, [edit])


def test_what_is_not_text_is_refused(place: Place, sim: Simulation) -> None:
    edit = moved(sim, place.guid(0))
    file_of(place).write_bytes(b"\xff" + file_of(place).read_bytes())
    with pytest.raises(WorldError, match="is not text"):
        plan_of(sim, [edit])


class StopError(Exception):
    """The export was cancelled."""


def test_a_cancelled_export_leaves_nothing(place: Place, sim: Simulation, tmp_path: Path) -> None:
    plan = plan_of(sim, [moved(sim, place.guid(0))])

    def stop() -> None:
        raise StopError

    with pytest.raises(StopError), cancellable(stop):
        written(plan, tmp_path / "out")
    assert not (tmp_path / "out").exists()


@needs_permissions
def test_a_folder_without_permission_is_a_sentence(place: Place, sim: Simulation, tmp_path: Path) -> None:
    out = tmp_path / "out"
    out.mkdir(mode=0o500)
    with pytest.raises(WorldError, match="does not allow new files"):
        written(plan_of(sim, [moved(sim, place.guid(0))]), out)


def test_an_older_export_is_replaced_whole_or_not_at_all(place: Place, sim: Simulation, tmp_path: Path) -> None:
    first = plan_of(sim, [moved(sim, place.guid(0))])
    (path,) = written(first, tmp_path / "out").files
    before = path.read_bytes()
    other = place.block_id + 0x01000000 & 0xFFFF0000
    second = plan_of(sim, [moved(sim, place.guid(7), (10.0, 0.0, 0.0), other | 1)])
    (tmp_path / "out" / f"{other >> 16:04X}.sql").mkdir()
    with pytest.raises(WorldError, match="it is a folder"):
        write_server_data(second, tmp_path / "out", [], lambda fraction, sentence: None)
    assert path.read_bytes() == before
    assert [each.name for each in path.parent.iterdir() if each.name.startswith(".")] == []
