"""Overlay shapes are drawn where their descriptions put them."""

from __future__ import annotations

import numpy as np
import pytest

from engine.geometry.box import Box
from engine.geometry.frame import Frame
from engine.geometry.quat import from_heading
from engine.render.overlays.geometry import OverlayGeometry
from engine.render.overlays.sketch import Sketch, across, ring

BLOCK = 0xC95BFFFF
RED = (255, 0, 0, 255)
BLUE = (0, 0, 255, 128)


def test_lines_of_one_width_are_one_batch_and_keep_their_colours() -> None:
    sketch = Sketch(BLOCK)
    sketch.line((0.0, 0.0, 0.0), (1.0, 0.0, 0.0), RED)
    sketch.line((0.0, 0.0, 0.0), (0.0, 2.0, 0.0), BLUE)
    sketch.line((0.0, 0.0, 0.0), (0.0, 0.0, 3.0), RED, width=2.0)
    thin, thick = sketch.geometry().lines
    assert (len(thin), thin.width, len(thick), thick.width) == (2, 1.0, 1, 2.0)
    assert thin.colours.tolist() == [list(RED), list(BLUE)]
    assert thin.points[1].tolist() == [[0.0, 0.0, 0.0], [0.0, 2.0, 0.0]]
    assert thin.block_id == BLOCK


def test_a_loop_ends_where_it_began() -> None:
    sketch = Sketch(BLOCK)
    sketch.loop([(0.0, 0.0, 0.0), (1.0, 0.0, 0.0), (1.0, 1.0, 0.0)], RED)
    points = sketch.geometry().lines[0].points
    assert points[-1, 1].tolist() == points[0, 0].tolist()
    assert len(points) == 3


def test_a_filled_polygon_covers_its_area() -> None:
    sketch = Sketch(BLOCK)
    sketch.fill([(0.0, 0.0, 0.0), (4.0, 0.0, 0.0), (4.0, 3.0, 0.0), (0.0, 3.0, 0.0)], BLUE)
    points = sketch.geometry().triangles[0].points
    doubled = np.cross(points[:, 1] - points[:, 0], points[:, 2] - points[:, 0])
    assert np.abs(doubled[:, 2]).sum() / 2.0 == pytest.approx(12.0)


def test_dashes_leave_gaps_and_keep_both_ends() -> None:
    sketch = Sketch(BLOCK)
    sketch.dashes((0.0, 0.0, 0.0), (1.0, 0.0, 0.0), RED, 0.1)
    points = sketch.geometry().lines[0].points
    assert points[0, 0].tolist() == [0.0, 0.0, 0.0]
    assert points[-1, 1].tolist() == [1.0, 0.0, 0.0]
    drawn = float((points[:, 1, 0] - points[:, 0, 0]).sum())
    assert 0.4 < drawn < 0.6


def test_a_ring_lies_in_its_plane_at_its_radius() -> None:
    normal = (0.6, 0.0, 0.8)
    points = np.array(ring((1.0, 2.0, 3.0), normal, 0.48)) - (1.0, 2.0, 3.0)
    assert np.allclose(points @ normal, 0.0)
    assert np.allclose(np.linalg.norm(points, axis=1), 0.48)


def test_the_cross_direction_of_an_upright_one_is_level() -> None:
    assert across((0.0, 0.0, 5.0)) == (1.0, 0.0, 0.0)


def test_a_box_turns_with_its_frame() -> None:
    sketch = Sketch(BLOCK)
    frame = Frame((10.0, 0.0, 0.0), from_heading(90.0))
    sketch.box(Box((0.0, 0.0, 0.0), (1.0, 2.0, 3.0)), frame, RED)
    points = sketch.geometry().lines[0].points.reshape(-1, 3)
    assert len(points) == 24
    assert np.allclose(points.min(axis=0), (10.0, -1.0, 0.0))
    assert np.allclose(points.max(axis=0), (12.0, 0.0, 3.0))


def test_overlays_can_be_combined() -> None:
    whole = OverlayGeometry()
    assert OverlayGeometry().is_empty
    sketch = Sketch(BLOCK)
    sketch.sphere((0.0, 0.0, 0.0), 1.0, RED)
    sketch.cylinder((0.0, 0.0, 0.0), 0.5, 2.0, RED)
    sketch.arrow((0.0, 0.0, 0.0), (0.0, 0.0, 1.0), RED)
    sketch.label("0101", (0.0, 0.0, 0.0), RED)
    whole.add(sketch.geometry())
    whole.add(sketch.geometry())
    assert not whole.is_empty
    assert len(whole.labels) == 2
    assert len(whole.lines) == 2
