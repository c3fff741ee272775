"""How overlays show the eye of a frozen frame and the reach of its views."""

from __future__ import annotations

import numpy as np

from engine.render.overlays import outside
from engine.render.overlays.geometry import OverlayGeometry
from engine.visibility.camera import Camera, looking
from engine.visibility.flood import Visibility
from engine.visibility.records import FloodResult
from engine.world.world import World
from tests.render.overlays.two_rooms import HALL, STUDY


def eye() -> Camera:
    return looking(HALL, (3.0, 2.0, 1.5), 90.0, 0.0, 400.0, 300.0, 200.0)


def seen(world: World) -> FloodResult:
    world.graph.get_visible(HALL)
    return Visibility(world.graph).flood_interior(HALL, eye())


def ends(shown: OverlayGeometry) -> set[tuple[float, float, float]]:
    """All ends of lines except the eye."""
    points = np.concatenate([lines.points.reshape(-1, 3) for lines in shown.lines]).round(6)
    return {tuple(point) for point in points.tolist()} - {eye().eye}


def test_the_edges_of_the_screen_run_out_from_the_eye() -> None:
    shown = outside.eye_of_frame(eye())
    assert [label.text for label in shown.labels] == ["the frozen eye"]
    corners = {(0.0, 0.0), (400.0, 0.0), (400.0, 300.0), (0.0, 300.0)}
    far = [point for point in ends(shown) if point[0] > 3.0 + outside.FAR - 0.1]
    places = [eye().project(point) for point in far]
    assert {(round(p.x / p.w, 3) + 0.0, round(p.y / p.w, 3) + 0.0) for p in places} == corners


def test_a_pyramid_stands_on_every_view_and_ends_where_its_cell_does(world: World) -> None:
    flood = seen(world)
    shown = outside.view_pyramids([flood], eye(), STUDY)
    assert [label.text for label in shown.labels] == ["0101"]
    visible = flood.by_id[STUDY]
    wanted = {(round(x, 2), round(y, 2)) for view in visible.views for x, y in zip(view.xs, view.ys, strict=True)}
    places = [eye().project(point) for point in ends(shown)]
    assert {(round(p.x / p.w, 2), round(p.y / p.w, 2)) for p in places} == wanted
    assert {round(point[0], 3) for point in ends(shown)} == {10.2}


def test_all_cells_have_a_pyramid_unless_a_visible_one_is_selected(world: World) -> None:
    flood = seen(world)
    shown = outside.view_pyramids([flood], eye(), 0)
    assert len(shown.labels) == len(flood.cells) > 2
