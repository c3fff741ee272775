"""Cells and their contents (physics.md 6.2, 6.3, 6.11)."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from engine.geometry.box import Box
from engine.geometry.cell_bsp import ENTIRELY, OUTSIDE, PARTIALLY, CellInner, CellLeaf, CellNode
from engine.geometry.frame import Frame
from engine.geometry.plane import Plane
from engine.geometry.quat import from_heading
from engine.geometry.sphere import Sphere
from engine.geometry.vec import Vec3
from engine.world.cells.cell import SEEN_OUTSIDE, CellStruct, EnvCell, LandCell, ObjCell
from engine.world.cells.objects import ShadowObject
from engine.world.cells.portals import LEADS_OUTSIDE, NO_PORTAL, CellPortal
from engine.world.cells.portals import OUTSIDE as OUTDOORS
from engine.world.cells.terrain import ENTIRELY_WATER, NOT_WATER, Terrain

LINEAR = [2.0 * index for index in range(256)]


def block_tree(size: float) -> CellNode:
    """A cube with its south-west bottom corner at the origin."""
    node: CellNode = CellLeaf(0)
    for axis in range(3):
        for sign in (1.0, -1.0):
            normal = [0.0, 0.0, 0.0]
            normal[axis] = sign
            node = CellInner(Plane((normal[0], normal[1], normal[2]), 0.0 if sign > 0.0 else size), node, None)
    return node


def structure(tree: CellNode | None) -> CellStruct:
    return CellStruct(0x0D000001, 0, [], {}, [], {}, None, tree, None, None)


def room(frame: Frame | None = None, tree: CellNode | None = None, flags: int = 0) -> EnvCell:
    return EnvCell(0xC95B0104, frame or Frame(), structure(tree or block_tree(6.0)), [exit_portal()], [], flags, [])


def exit_portal() -> CellPortal:
    return CellPortal(LEADS_OUTSIDE, 1, None, OUTDOORS, NO_PORTAL)


def ground(words: int = 0) -> Terrain:
    return Terrain(0xC95BFFFF, [5] * 81, [words] * 81, LINEAR)


def test_a_room_tests_points_in_its_own_frame() -> None:
    turned = room(Frame((100.0, 50.0, 10.0), from_heading(180.0)))
    assert turned.point_in_cell((97.0, 47.0, 12.0))
    assert not turned.point_in_cell((103.0, 53.0, 12.0))


def test_a_room_without_portals_is_empty_unless_its_source_omits_them() -> None:
    cell = EnvCell(0xC95B0104, Frame(), structure(block_tree(6.0)), [], [], 0, [])
    assert not cell.point_in_cell((3.0, 3.0, 3.0))
    assert cell.point_in_tree((3.0, 3.0, 3.0))
    assert not cell.point_in_tree((9.0, 3.0, 3.0))
    assert cell.sphere_intersects_cell(Sphere((3.0, 3.0, 3.0), 1.0)) == ENTIRELY
    cell.portals_left_out = True
    assert cell.point_in_cell((3.0, 3.0, 3.0))


def test_a_room_without_a_cell_tree_contains_nothing() -> None:
    cell = EnvCell(0xC95B0104, Frame(), structure(None), [exit_portal()], [], 0, [])
    assert not cell.point_in_tree((1.0, 1.0, 1.0))
    assert not cell.point_in_cell((1.0, 1.0, 1.0))
    assert cell.sphere_intersects_cell(Sphere((1.0, 1.0, 1.0), 1.0)) == OUTSIDE
    assert not cell.box_intersects_cell(Box((0.0, 0.0, 0.0), (1.0, 1.0, 1.0)))


def test_spheres_and_boxes_are_tested_in_the_cells_own_frame() -> None:
    cell = room(Frame((100.0, 0.0, 0.0)))
    assert cell.sphere_intersects_cell(Sphere((3.0, 3.0, 3.0), 1.0)) == ENTIRELY
    assert cell.sphere_intersects_cell(Sphere((0.0, 3.0, 3.0), 1.0)) == PARTIALLY
    assert cell.sphere_intersects_cell(Sphere((-2.0, 3.0, 3.0), 1.0)) == OUTSIDE
    assert cell.box_intersects_cell(Box((5.0, 5.0, 5.0), (7.0, 7.0, 7.0)))
    assert not cell.box_intersects_cell(Box((6.5, 5.0, 5.0), (7.0, 7.0, 7.0)))


@given(st.tuples(*[st.floats(-8.0, 14.0)] * 3), st.floats(0.0, 360.0))
def test_a_turned_room_tests_a_point_in_local_space(p: Vec3, heading: float) -> None:
    frame = Frame((12.0, -7.0, 3.0), from_heading(heading))
    cell = room(frame)
    inside = all(-0.0001 <= c <= 6.0001 for c in p)
    border = any(min(abs(c), abs(c - 6.0)) < 0.001 for c in p)
    assert border or cell.point_in_cell(frame.local_to_global(p)) == inside


def test_cells_of_one_structure_share_it_and_have_their_own_frames() -> None:
    shared = structure(block_tree(6.0))
    a = EnvCell(0xC95B0104, Frame(), shared, [exit_portal()], [], 0, [])
    b = EnvCell(0xC95B0105, Frame((6.0, 0.0, 0.0)), shared, [exit_portal()], [], 0, [])
    assert a.structure is b.structure
    assert a.cell_tree is b.cell_tree
    assert b.point_in_cell((9.0, 3.0, 3.0))
    assert not a.point_in_cell((9.0, 3.0, 3.0))


def test_the_flag_states_whether_the_cell_sees_outside() -> None:
    assert room(flags=SEEN_OUTSIDE).seen_outside
    assert not room().seen_outside


def test_a_stab_list_keeps_its_order_and_is_fast_to_search() -> None:
    cell = room()
    cell.set_stab_list([0xC95B0107, 0xC95B0101])
    assert cell.stab_list == [0xC95B0107, 0xC95B0101]
    assert cell.stab_set == {0xC95B0101, 0xC95B0107}


def test_a_room_has_an_exit_when_one_portal_leads_outdoors() -> None:
    cell = room()
    cell.portals = [CellPortal(1, 0, None, 0xC95B0105, 0)]
    assert not cell.has_exit()
    cell.portals.append(CellPortal(5, 1, None, OUTDOORS, 0))
    assert cell.has_exit()


def test_a_land_cell_contains_a_column_of_any_height() -> None:
    cell = LandCell(0xC95B000A, ground())  # column 1, row 1
    for z in (-1000.0, 10.0, 1000.0):
        assert cell.point_in_cell((30.0, 40.0, z))
    assert not cell.point_in_cell((50.0, 40.0, 10.0))


def test_a_land_cell_has_its_two_triangles_and_water() -> None:
    cell = LandCell(0xC95B000A, ground())
    assert len(cell.polygons) == 2
    assert cell.find_terrain_poly((30.0, 40.0, 0.0)) in cell.polygons
    assert cell.water_type == NOT_WATER
    assert cell.water_depth((30.0, 40.0, 10.0)) == 0.0
    sea = LandCell(0xC95B000A, ground(0x10 << 2))
    assert sea.water_type == ENTIRELY_WATER
    assert sea.water_depth((30.0, 40.0, 10.0)) == 0.9


def test_land_is_outdoors_and_has_no_trees() -> None:
    cell = LandCell(0xC95B000A, ground())
    assert not cell.is_interior
    assert cell.seen_outside
    assert cell.building is None
    assert cell.physics_tree is None
    assert cell.sphere_intersects_cell(Sphere((30.0, 40.0, 0.0), 1.0)) == OUTSIDE
    assert not cell.box_intersects_cell(Box((0.0, 0.0, 0.0), (1.0, 1.0, 1.0)))


def test_a_plain_cell_contains_nothing() -> None:
    assert not ObjCell(0xC95B0104, Frame(), True).point_in_cell((0.0, 0.0, 0.0))


def test_a_cell_holds_shadow_objects_in_order_of_arrival() -> None:
    cell = room()
    rows = [ShadowObject(number) for number in (3, 1, 2)]
    cell.shadow_objects.extend(rows)
    assert [row.object_id for row in cell.shadow_objects] == [3, 1, 2]


def test_cells_show_their_id() -> None:
    assert repr(room()) == "EnvCell(0xC95B0104)"
    assert repr(LandCell(0xC95B000A, ground())) == "LandCell(0xC95B000A)"
    assert repr(structure(None)) == "CellStruct(0x0D000001/0)"
