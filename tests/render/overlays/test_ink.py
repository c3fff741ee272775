"""The pen for shapes on the screen: strokes of the requested width, soft edges, and drawing order."""

from __future__ import annotations

import numpy as np
import pytest

from engine.render.overlays.geometry import ScreenMesh
from engine.render.overlays.ink import Ink

RED, BLUE = (255, 0, 0, 200), (0, 0, 255, 255)
LINE = np.array([(10.0, 20.0), (110.0, 20.0)])
SQUARE = np.array([(0.0, 0.0), (40.0, 0.0), (40.0, 40.0), (0.0, 40.0)])


def opacity_at(mesh: ScreenMesh, x: float, y: float) -> float:
    """The colour of the last triangle that covers a pixel."""
    found = 0.0
    for corners, colours in zip(mesh.points, mesh.colours, strict=True):
        a, b, c = corners
        area = np.linalg.det(np.array([b - a, c - a]))
        if abs(area) < 1e-12:
            continue
        u, v = np.linalg.solve(np.array([b - a, c - a]).T, np.array((x, y)) - a)
        if u >= -1e-9 and v >= -1e-9 and u + v <= 1.0 + 1e-9:
            found = float(np.array([1.0 - u - v, u, v]) @ colours[:, 3])
    return found


@pytest.mark.parametrize("width", [2.0, 3.0, 6.5])
def test_a_stroke_has_the_requested_width_and_soft_edges(width: float) -> None:
    ink = Ink()
    ink.stroke(LINE, (RED, width))
    mesh = ink.mesh()
    assert opacity_at(mesh, 60.0, 20.0) == 200.0
    assert opacity_at(mesh, 60.0, 20.0 + width / 2.0) == pytest.approx(100.0)
    assert opacity_at(mesh, 60.0, 20.0 + width / 2.0 + 0.6) == 0.0


def test_a_closed_stroke_keeps_its_width_around_a_corner() -> None:
    ink = Ink()
    ink.stroke(SQUARE, (RED, 4.0), closed=True)
    mesh = ink.mesh()
    for x, y in ((40.0, 20.0), (20.0, 40.0), (0.0, 20.0), (20.0, 0.0), (41.0, 41.0)):
        assert opacity_at(mesh, x, y) == 200.0
    assert opacity_at(mesh, 20.0, 20.0) == 0.0


def test_a_fading_stroke_has_the_remaining_opacity_at_each_point() -> None:
    ink = Ink()
    ink.stroke(LINE, (RED, 4.0), fade=np.array([1.0, 0.0]))
    assert opacity_at(ink.mesh(), 60.0, 20.0) == pytest.approx(100.0)


@pytest.mark.parametrize("order", [1, -1])
def test_a_polygon_of_either_winding_is_opaque_inside_and_fades_outside(order: int) -> None:
    ink = Ink()
    ink.polygon(SQUARE[::order], RED)
    mesh = ink.mesh()
    assert opacity_at(mesh, 39.5, 20.0) == 200.0
    assert opacity_at(mesh, 40.5, 20.0) == pytest.approx(100.0)
    assert opacity_at(mesh, 41.5, 20.0) == 0.0


def test_layers_and_shapes_are_drawn_in_order() -> None:
    ink = Ink()
    ink.stroke(LINE, (RED, 6.0), (BLUE, 2.0))
    mesh = ink.mesh()
    assert mesh.colours[0, 0, :3].tolist() == list(RED[:3])
    assert mesh.colours[-1, 0, :3].tolist() == list(BLUE[:3])
    assert opacity_at(mesh, 60.0, 20.0) == 255.0


def test_an_idle_pen_and_strokes_of_one_point_make_no_triangles() -> None:
    ink = Ink()
    ink.stroke(LINE[:1], (RED, 3.0))
    ink.polygon(SQUARE[:2], RED)
    assert len(ink.mesh()) == 0
