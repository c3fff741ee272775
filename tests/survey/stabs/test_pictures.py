"""The checks of the picture: each planted fault is found with an eye that shows it, and the sound world has none."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from copy import deepcopy
from functools import cache

import pytest

from editor.pictures.onlooker import EyePoint, Onlooker
from editor.session.sources import DEMO, open_source
from engine.build import OUTDOORS, WorldBuilder, rect, walls
from engine.build.built import BuiltWorld
from engine.dat.records import CellStruct, Environment, KeyedStruct
from engine.dat.records.catalogue import write_record
from engine.findings.finding import Found
from engine.render.overlays.geometry import OverlayGeometry
from engine.sim.data_files.cell_edits import changed, current_record, set_portal_flags
from engine.sim.edits.cells import ReplaceCell
from engine.sim.tick.simulation import Simulation
from engine.survey.stabs.render import BEHIND, CHECKS, LEAK, NEVER, SURFACE, TREE, check_pictures
from engine.world.cells.cell import EnvCell
from engine.world.cells.portals import SIDE
from engine.world.loader.edited import cell_record_bytes

ALL = frozenset(check.id for check in CHECKS)
BLOCK = 0xC95BFFFF
HALL, STUDY = 0xC95B0100, 0xC95B0101
WIDTH, HEIGHT = 320, 200


@cache
def house() -> BuiltWorld:
    """Two rooms with a doorway between them and one to the outdoors."""
    world = WorldBuilder()
    land = world.landblock(0xC95B)
    inside = land.building("house", (108, 108), shell=walls(rect(-5, -4, 12, 8), 0, 3.2, "brick"))
    hall = inside.room("hall", rect(-4.7, -3.7, 5.5, 7.4), height=2.8)
    study = inside.room("study", rect(1.0, -3.7, 5.7, 7.4), height=2.8)
    inside.doorway(hall, OUTDOORS, (-2, -4), width=1.4, height=2.2)
    inside.doorway(hall, study, width=1.3)
    return world.build()


@pytest.fixture
def sim() -> Iterator[Simulation]:
    world = house().load()
    made = Simulation(world)
    assert made.world.landblock(BLOCK) is not None
    yield made
    made.close()
    world.close()


def found_in(sim: Simulation, block_id: int = BLOCK) -> list[Found]:
    return list(check_pictures(sim, block_id, ALL))


def room_of(sim: Simulation, cell_id: int) -> EnvCell:
    room = sim.graph.peek(cell_id)
    assert isinstance(room, EnvCell)
    return room


def reshape(sim: Simulation, cell_id: int, change: Callable[[CellStruct], None]) -> None:
    """Give a room a changed shape of its own."""
    room = room_of(sim, cell_id)
    structure = room.structure.record
    assert isinstance(structure, CellStruct)
    structure = deepcopy(structure)
    change(structure)
    record = current_record(sim, cell_id)
    shapes = Environment(0x0D000000 | record.environment, [KeyedStruct(record.structure, structure)])
    sim.apply_edit(ReplaceCell(cell_record_bytes(record), write_record(shapes)))


def walls_with_surface(structure: CellStruct) -> list[int]:
    """The polygons of a shape that are drawn and no openings."""
    return [
        each.key for each in structure.polygons if each.pos_surface >= 0 and each.key not in structure.portal_polygons
    ]


def brightness(sim: Simulation, found: Found) -> int:
    """Of the pixel in the middle of what the finding's eye sees."""
    assert found.eye is not None
    figures = dict(found.figures)
    view = EyePoint(*found.eye, figures["heading, degrees"], figures["pitch, degrees"])
    onlooker = Onlooker(sim.world, sim)
    frame = onlooker.frame(view, view.camera(WIDTH, HEIGHT), exact=False)
    picture = onlooker.picture(frame, OverlayGeometry(), first_person=True)
    return int(picture[HEIGHT // 2, WIDTH // 2, :3].sum())


def test_the_demo_world_has_no_finding() -> None:
    with open_source(DEMO) as world:
        sim = Simulation(world)
        assert [each.sentence for block_id in world.landblock_ids() for each in found_in(sim, block_id)] == []
        sim.close()


def test_a_sound_house_has_no_finding(sim: Simulation) -> None:
    assert found_in(sim) == []


def test_each_missing_wall_is_seen_as_background_by_its_eye(sim: Simulation) -> None:
    structure = room_of(sim, STUDY).structure.record
    assert isinstance(structure, CellStruct)
    for key in walls_with_surface(structure)[:6]:
        made = Simulation(sim.world.loaded)
        made.world.landblock(BLOCK)

        def leave_out(structure: CellStruct, key: int = key) -> None:
            structure.polygons = [each for each in structure.polygons if each.key != key]

        reshape(made, STUDY, leave_out)
        leaks = [each for each in found_in(made) if each.check == LEAK.id]
        assert STUDY in {each.cell for each in leaks}
        made.close()


def test_the_picture_is_black_where_the_eye_sees_the_background(sim: Simulation) -> None:
    structure = room_of(sim, STUDY).structure.record
    assert isinstance(structure, CellStruct)
    key = walls_with_surface(structure)[0]

    def leave_out(structure: CellStruct) -> None:
        structure.polygons = [each for each in structure.polygons if each.key != key]

    reshape(sim, STUDY, leave_out)
    leak = next(each for each in found_in(sim) if each.check == LEAK.id)
    assert brightness(sim, leak) == 0
    whole = Simulation(sim.world.loaded)
    whole.world.landblock(BLOCK)
    assert brightness(whole, leak) > 0
    whole.close()


def test_a_wall_that_faces_the_wrong_way_is_a_hole(sim: Simulation) -> None:
    def turn(structure: CellStruct) -> None:
        wall = next(each for each in structure.polygons if each.key == walls_with_surface(structure)[0])
        wall.vertex_ids.reverse()

    reshape(sim, STUDY, turn)
    assert LEAK.id in {each.check for each in found_in(sim)}


def test_a_portal_open_on_the_wrong_side_is_found_and_mended(sim: Simulation) -> None:
    for index in range(len(room_of(sim, HALL).portals)):
        for edit in set_portal_flags(sim, HALL, index, room_of(sim, HALL).portals[index].flags ^ SIDE):
            sim.apply_edit(edit)
    found = [each for each in found_in(sim) if each.check == BEHIND.id]
    assert [(each.cell, each.portal) for each in found] == [(HALL, 0), (HALL, 1)]
    for each in found:
        assert each.fix is not None
        for edit in each.fix.edits():
            sim.apply_edit(edit)
    assert found_in(sim) == []


def test_a_wall_without_a_surface_is_found_with_an_eye_on_it(sim: Simulation) -> None:
    def forget(record: object) -> None:
        record.surfaces = record.surfaces[:1]  # type: ignore[attr-defined]  # an EnvCell record

    for edit in changed(sim, STUDY, forget):
        sim.apply_edit(edit)
    found = [each for each in found_in(sim) if each.check == SURFACE.id]
    assert found
    assert {each.cell for each in found} == {STUDY}
    assert all("of a list of 1" in each.sentence and each.eye is not None for each in found)


def test_a_surface_that_the_data_lack_is_found(sim: Simulation) -> None:
    def rename(record: object) -> None:
        record.surfaces[0] = 0x7777  # type: ignore[attr-defined]  # an EnvCell record

    for edit in changed(sim, STUDY, rename):
        sim.apply_edit(edit)
    found = [each for each in found_in(sim) if each.check == SURFACE.id]
    assert found
    assert "0x08007777" in found[0].sentence


def test_a_wall_that_the_drawing_tree_leaves_out_is_found(sim: Simulation) -> None:
    left_out: list[int] = []

    def leave_out(structure: CellStruct) -> None:
        walls = walls_with_surface(structure)
        waiting = [structure.drawing_bsp]
        while waiting:
            node = waiting.pop()
            if node is None or node.tag == "LEAF":
                continue
            left_out.extend(set(node.polygon_ids) & set(walls[:1]))
            node.polygon_ids = [key for key in node.polygon_ids if key not in walls[:1]]
            waiting += [node.pos, node.neg]

    reshape(sim, STUDY, leave_out)
    found = [each for each in found_in(sim) if each.check == TREE.id]
    assert [(each.cell, each.polygon) for each in found] == [(STUDY, left_out[0])]


def test_a_room_without_a_drawing_tree_is_never_drawn(sim: Simulation) -> None:
    def cut(structure: CellStruct) -> None:
        structure.drawing_bsp, structure.has_drawing_bsp = None, 0

    reshape(sim, STUDY, cut)
    assert [each.cell for each in found_in(sim) if each.check == NEVER.id] == [STUDY]


def test_a_room_that_nothing_leads_into_is_never_drawn(sim: Simulation) -> None:
    def lead_not_there(record: object) -> None:
        portals = record.portals  # type: ignore[attr-defined]  # an EnvCell record
        record.portals = [each for each in portals if each.other_cell_id != STUDY & 0xFFFF]  # type: ignore[attr-defined]

    def close(record: object) -> None:
        record.portals = []  # type: ignore[attr-defined]  # the same

    for edit in changed(sim, STUDY, close):
        sim.apply_edit(edit)
    assert NEVER.id not in {each.check for each in found_in(sim)}  # another room's portal still leads there
    block = sim.world.landblock(BLOCK)
    assert block is not None
    for room in block.env_cells:
        if room.id != STUDY:
            for edit in changed(sim, room.id, lead_not_there):
                sim.apply_edit(edit)
    assert [each.cell for each in found_in(sim) if each.check == NEVER.id] == [STUDY]


def test_findings_travel_as_json_and_switched_off_checks_are_silent(sim: Simulation) -> None:
    def cut(structure: CellStruct) -> None:
        structure.drawing_bsp, structure.has_drawing_bsp = None, 0

    reshape(sim, STUDY, cut)
    found = found_in(sim)
    assert [Found.from_json(each.to_json()) for each in found] == found
    assert list(check_pictures(sim, BLOCK, ALL - {NEVER.id})) == []
    assert list(check_pictures(sim, BLOCK, set())) == []
    assert found_in(sim, 0x7777FFFF) == []
