"""How overlays show rooms: bodies, trees, walls and stab lists."""

from __future__ import annotations

import numpy as np
import pytest

from engine.build import WorldBuilder, rect
from engine.geometry.box import Box
from engine.geometry.plane import Plane
from engine.geometry.polygon import Polygon
from engine.geometry.vec import Vec3
from engine.render.overlays import rooms
from engine.render.overlays.geometry import OverlayGeometry
from engine.render.overlays.hulls import box_planes, cell_center, cell_faces, clip, faces, plane_in_box
from engine.render.overlays.palette import ACCEPTED, EXIT_PORTAL, FAULT, SELECTED, STAB, VISIBLE
from engine.world.cells.cell import EnvCell
from engine.world.world import World
from tests.render.overlays.two_rooms import HALL, STUDY


def room(world: World, cell_id: int) -> EnvCell:
    cell = world.graph.get_visible(cell_id)
    assert isinstance(cell, EnvCell)
    return cell


def colours_of(geometry: OverlayGeometry) -> set[tuple[int, ...]]:
    return {tuple(row) for lines in geometry.lines for row in lines.colours.tolist()}


def all_points(geometry: OverlayGeometry) -> np.ndarray:
    return np.concatenate([lines.points.reshape(-1, 3) for lines in geometry.lines])


def test_a_plane_is_drawn_as_far_as_the_box_reaches() -> None:
    box = Box((0.0, 0.0, 0.0), (4.0, 2.0, 3.0))
    corners = np.array(plane_in_box(Plane((1.0, 0.0, 0.0), -1.0), box))
    assert np.allclose(corners[:, 0], 1.0)
    assert np.allclose(corners.min(axis=0), (1.0, 0.0, 0.0))
    assert np.allclose(corners.max(axis=0), (1.0, 2.0, 3.0))
    assert plane_in_box(Plane((1.0, 0.0, 0.0), -5.0), box) == []


def test_the_drawn_piece_of_a_plane_faces_along_its_normal() -> None:
    box = Box((0.0, 0.0, 0.0), (4.0, 2.0, 3.0))
    plane = Plane((0.6, 0.0, 0.8), -2.0)
    assert Polygon(0, plane_in_box(plane, box)).normal == pytest.approx(plane.normal)


def test_clipping_keeps_the_part_in_front() -> None:
    square: list[Vec3] = [(0.0, 0.0, 0.0), (2.0, 0.0, 0.0), (2.0, 2.0, 0.0), (0.0, 2.0, 0.0)]
    half = clip(square, Plane((1.0, 0.0, 0.0), -0.5))
    assert min(x for x, _, _ in half) == pytest.approx(0.5)
    assert len(half) == 4
    assert clip(square, Plane((1.0, 0.0, 0.0), -3.0)) == []


def test_the_body_of_a_box_has_six_faces() -> None:
    box = Box((0.0, 0.0, 0.0), (4.0, 2.0, 3.0))
    found = faces(box_planes(box), Box((-1.0, -1.0, -1.0), (5.0, 3.0, 4.0)))
    assert len(found) == 6
    assert {len(corners) for corners in found} == {4}


def test_the_body_of_a_room_is_its_inside(world: World) -> None:
    points = np.array([corner for corners in cell_faces(room(world, HALL)) for corner in corners])
    assert np.allclose(points.min(axis=0), (0.0, 0.0, 0.0), atol=0.02)
    assert np.allclose(points.max(axis=0), (6.0, 4.0, 2.8), atol=0.02)
    assert cell_center(room(world, HALL)) == pytest.approx((3.0, 2.0, 1.4), abs=0.02)


def test_outlines_distinguish_selected_visible_and_listed_cells(world: World) -> None:
    cells = [room(world, HALL), room(world, STUDY), room(world, 0x00070102)]
    shown = rooms.cell_outlines(HALL | 0xFFFF, cells, frozenset({HALL}), frozenset({STUDY}), 0x00070102)
    widths = {tuple(lines.colours[0].tolist()): lines.width for lines in shown.lines}
    assert widths[SELECTED] > widths[VISIBLE] > widths[STAB]


def test_an_outline_has_each_edge_once(world: World) -> None:
    shown = rooms.cell_outlines(HALL | 0xFFFF, [room(world, HALL)], frozenset(), frozenset(), 0)
    ends = [tuple(sorted(map(tuple, np.round(ends, 3).tolist()))) for ends in shown.lines[0].points]
    assert len(ends) == len(set(ends)) == 12


def test_the_planes_of_a_tree_are_green_around_an_eye_inside(world: World) -> None:
    shown = rooms.tree_planes(room(world, HALL), (3.0, 2.0, 1.5))
    assert colours_of(shown) == {ACCEPTED}
    assert {label.text for label in shown.labels} == {f"✓ plane {n}" for n in range(6)}


def test_a_plane_with_the_eye_behind_it_is_red_and_labelled(world: World) -> None:
    shown = rooms.tree_planes(room(world, HALL), (-0.5, 2.0, 1.5))
    assert len([label for label in shown.labels if label.text.startswith("■")]) == 1
    assert FAULT in colours_of(shown)


def test_visible_solid_walls_are_green_and_a_doorway_is_neither(world: World) -> None:
    shown = rooms.solid_against_drawn(HALL | 0xFFFF, [room(world, HALL)])
    assert shown.labels == []
    assert len(colours_of(shown)) == 1


def test_comparing_a_rooms_walls_separates_solid_only_and_drawn_only() -> None:
    wall = [(0.0, 0.0, 0.0), (2.0, 0.0, 0.0), (2.0, 0.0, 2.0), (0.0, 0.0, 2.0)]
    away = [(x, y + 1.0, z) for x, y, z in wall]
    builder = WorldBuilder()
    builder.room("hall", rect(0, 0, 6, 4))
    struct = room(builder.build().load(), HALL).structure
    struct.polygons = {0: Polygon(0, wall)}
    struct.physics_polygons = {7: Polygon(7, away)}
    compared = rooms.compare(struct, frozenset())
    assert [polygon.id for polygon in compared.solid_only] == [7]
    assert [polygon.id for polygon in compared.drawn_only] == [0]
    assert compared.both == ()


def test_the_reach_of_a_stab_list_separates_seen_listed_and_unlisted(world: World) -> None:
    root = room(world, HALL)
    outsider = room(world, STUDY)
    root_only = EnvCell(root.id, root.frame, root.structure, root.portals, [0x00070102], root.flags, root.surfaces)
    cells = [root_only, outsider, room(world, 0x00070102)]
    shown = rooms.stab_reach(root.id | 0xFFFF, root_only.stab_set, cells, frozenset({HALL, STUDY}), root.id)
    words = {label.text[:4]: label.text[5:] for label in shown.labels}
    assert words == {"0100": "root", "0101": "■ not in the list", "0102": "listed"}
    assert colours_of(shown) == {VISIBLE, FAULT, STAB}
    assert EXIT_PORTAL not in colours_of(shown)
