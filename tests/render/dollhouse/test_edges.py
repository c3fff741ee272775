"""The lines of a dollhouse against the edges of the cells' own polygons."""

from __future__ import annotations

from math import inf

import numpy as np
import pytest
from numpy.typing import NDArray

from engine.render.dollhouse.edges import DollhouseEdges, bounds_of, clipped, plane_meets, points_of
from engine.render.dollhouse.look import Dollhouse, Drawing, Seen
from engine.render.overlays.palette import CURRENT, VISIBLE
from engine.render.scene import Scene
from engine.world.cells.cell import EnvCell
from engine.world.world import World
from tests.render.dollhouse.conftest import BLOCK

Ends = frozenset[tuple[float, ...]]


def ends_of(points: NDArray[np.float64]) -> list[Ends]:
    return [frozenset(tuple(round(float(axis), 2) + 0.0 for axis in end) for end in segment) for segment in points]


def rooms_of(world: World) -> tuple[EnvCell, ...]:
    block = world.landblock(BLOCK)
    assert block is not None
    return tuple(block.env_cells)


def edges_of_polygons(rooms: tuple[EnvCell, ...]) -> set[Ends]:
    """Of all drawn polygons, one edge after the other."""
    found = set()
    for room in rooms:
        for key, polygon in room.structure.polygons.items():
            if key not in room.structure.portal_ids:
                corners = [room.frame.local_to_global(corner) for corner in polygon.vertices]
                for a, b in zip(corners, [*corners[1:], corners[0]], strict=True):
                    found.add(ends_of(np.array([[a, b]]))[0])
    return found


def wireframe(world: World, **changes: object) -> Dollhouse:
    """Of the rooms alone: in X-rays no edges of things are drawn."""
    ids = tuple(room.id for room in rooms_of(world))
    return Dollhouse(BLOCK, ids, drawing=Drawing.XRAY, **changes)  # type: ignore[arg-type]  # its own fields


def drawn(scene: Scene, house: Dollhouse) -> list[Ends]:
    return [ends for lines in DollhouseEdges(scene).lines(house) for ends in ends_of(lines.points)]


def test_a_wireframe_has_every_edge_of_every_polygon_once(world: World, scene: Scene) -> None:
    found = drawn(scene, wireframe(world))
    assert len(found) == len(set(found))
    assert set(found) == edges_of_polygons(rooms_of(world))


def test_without_roofs_no_edge_is_of_ceilings_alone(world: World, scene: Scene) -> None:
    found = set(drawn(scene, wireframe(world, roofs=False)))
    kept = set()
    for room in rooms_of(world):
        for key, polygon in room.structure.polygons.items():
            if key not in room.structure.portal_ids and polygon.normal[2] > -0.9:
                corners = [room.frame.local_to_global(corner) for corner in polygon.vertices]
                for a, b in zip(corners, [*corners[1:], corners[0]], strict=True):
                    kept.add(ends_of(np.array([[a, b]]))[0])
    assert found == kept
    assert found < edges_of_polygons(rooms_of(world))


def test_no_line_is_above_the_cut_and_walls_are_outlined_in_it(world: World, scene: Scene) -> None:
    lines = DollhouseEdges(scene).lines(wireframe(world, high=1.5))
    heights = np.concatenate([batch.points[:, :, 2].reshape(-1) for batch in lines])
    assert heights.max() == pytest.approx(1.5)
    widest = max(lines, key=lambda batch: batch.width)
    assert np.allclose(widest.points[:, :, 2], 1.5)
    xs = widest.points[:, :, 0]
    assert (xs.min(), xs.max()) == pytest.approx((0.0, 10.2), abs=0.11)


def test_an_edge_of_two_rooms_has_the_colour_of_the_one_that_is_seen_more(world: World, scene: Scene) -> None:
    rooms = rooms_of(world)
    seen = {rooms[0].id: Seen.CURRENT, rooms[1].id: Seen.VISIBLE}
    lines = DollhouseEdges(scene).lines(wireframe(world, seen=seen))
    by_colour: dict[tuple[int, ...], int] = {}
    for batch in lines:
        colour = tuple(int(part) for part in batch.colours[0][:3])
        by_colour[colour] = by_colour.get(colour, 0) + len(batch)
    assert by_colour[CURRENT[:3]] == len(edges_of_polygons(rooms[:1]))
    assert VISIBLE[:3] in by_colour


def test_lines_are_made_anew_only_when_something_changes(world: World, scene: Scene) -> None:
    edges = DollhouseEdges(scene)
    first = edges.lines(wireframe(world))
    assert edges.lines(wireframe(world)) is first
    assert edges.lines(wireframe(world, high=2.0)) is not first


def test_segments_are_clipped_between_two_heights() -> None:
    up = np.array([[[0.0, 0.0, 0.0], [0.0, 0.0, 4.0]], [[1.0, 0.0, 5.0], [1.0, 0.0, 6.0]]])
    assert clipped(up, 1.0, 3.0).tolist() == [[[0.0, 0.0, 1.0], [0.0, 0.0, 3.0]]]
    assert clipped(up, -inf, inf).tolist() == up.tolist()
    down = up[:1, ::-1]
    assert clipped(down, 1.0, 3.0).tolist() == [[[0.0, 0.0, 3.0], [0.0, 0.0, 1.0]]]


def test_a_plane_meets_a_triangle_in_a_segment() -> None:
    triangle = np.array([[[0.0, 0.0, 0.0], [2.0, 0.0, 0.0], [0.0, 0.0, 2.0]]])
    met = plane_meets(triangle, 1.0)
    assert sorted(met[0].tolist()) == [[0.0, 0.0, 1.0], [1.0, 0.0, 1.0]]
    assert len(plane_meets(triangle, 3.0)) == 0


def test_the_bounds_are_those_of_all_corners(world: World, scene: Scene) -> None:
    rooms = rooms_of(world)
    corners = np.array([room.frame.local_to_global(c) for room in rooms for c in room.structure.vertices])
    found = bounds_of(points_of(shell for room in rooms if (shell := scene.shell(room.id)) is not None))
    assert found is not None
    assert np.allclose(found, [corners.min(axis=0), corners.max(axis=0)], atol=1e-4)
