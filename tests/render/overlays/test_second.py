"""The second of two runs in the picture: its body, both ways, and how far apart they are."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine.geometry.vec import Vec3
from engine.render.overlays.geometry import OverlayGeometry
from engine.render.overlays.palette import CURRENT, SECOND
from engine.render.overlays.second import SecondBody, distance_text, second_overlay
from engine.sim.recording import Sample
from engine.visibility.camera import Camera, focal_of_screen, looking
from engine.world.graph.graph import NO_CELL

ROOM = 0xC95B0101
NEXT_BLOCK = 0xCA5B0001
BODY = SecondBody("ace", 0.48, 1.83, 0.2)


def sample(x: float, y: float = 50.0, cell: int = ROOM) -> Sample:
    return Sample(cell, (x, y, 20.0), (0.0, 0.0, 0.0), 90.0, 0)


def eye(at: Vec3 = (50.0, 40.0, 22.0)) -> Camera:
    return looking(ROOM, at, 0.0, 0.0, 800.0, 600.0, focal_of_screen(800.0, 600.0))


def drawn(first: list[Sample], second: list[Sample], camera: Camera | None = None) -> OverlayGeometry:
    return second_overlay(BODY, first, second, camera or eye())


def colours(found: OverlayGeometry) -> set[tuple[int, ...]]:
    return {tuple(colour[:3]) for lines in found.lines for colour in lines.colours.tolist()}


def test_a_body_apart_is_a_figure_with_its_name_and_distance() -> None:
    found = drawn([sample(50.0)], [sample(51.5)])
    assert [label.text for label in found.labels] == ["◇ ace, 1.500 m"]
    assert found.labels[0].colour == SECOND
    (figure,) = found.triangles
    low, high = figure.points.reshape(-1, 3).min(axis=0), figure.points.reshape(-1, 3).max(axis=0)
    assert (low[0] + high[0]) / 2.0 == pytest.approx(51.5, abs=0.3)
    assert low[2] == pytest.approx(20.0 - BODY.sunk, abs=0.02)
    shades = figure.colours[:, :3] / np.array(SECOND[:3])
    assert np.ptp(shades, axis=1).max() < 0.05, "shaded, of one hue"


def test_a_line_joins_both_bodies() -> None:
    found = drawn([sample(50.0)], [sample(51.5)])
    points = np.concatenate([lines.points.reshape(-1, 3) for lines in found.lines])
    assert points[:, 0].min() == pytest.approx(50.0)
    assert points[:, 0].max() == pytest.approx(51.5)


def test_both_ways_are_in_the_colours_of_their_runs() -> None:
    first = [sample(50.0, 48.0 + step * 0.1) for step in range(20)]
    second = [sample(50.0 + step * 0.05, 48.0 + step * 0.1) for step in range(20)]
    assert colours(drawn(first, second)) == {CURRENT[:3], SECOND[:3]}


def test_in_the_same_place_there_is_only_a_small_sign() -> None:
    found = drawn([sample(50.0)], [sample(50.0001)])
    assert found.labels == []
    assert found.triangles == []
    points = np.concatenate([lines.points.reshape(-1, 3) for lines in found.lines])
    assert np.ptp(points, axis=0).max() < 0.25
    assert points[:, 2].min() > 20.0 + BODY.height, "over the head"


def test_a_body_in_the_next_landblock_is_where_it_is() -> None:
    here, there = sample(191.0), sample(1.0, cell=NEXT_BLOCK)
    assert drawn([here], [there]).labels[0].text == "◇ ace, 2.000 m"


def test_a_lost_body_is_named_where_it_was_lost() -> None:
    found = drawn([sample(50.0), sample(50.0)], [sample(51.0), sample(51.1, cell=NO_CELL)])
    assert [label.text for label in found.labels] == ["◇ ace: ■ lost"]
    assert found.triangles == []


def test_a_body_at_the_eye_is_an_outline() -> None:
    found = drawn([sample(50.0)], [sample(50.3)], eye((50.3, 49.8, 21.0)))
    assert found.triangles == []
    assert found.lines


def test_a_body_that_was_put_elsewhere_leaves_no_line_across_the_world() -> None:
    found = drawn([sample(50.0), sample(50.0)], [sample(150.0), sample(50.5)])
    lengths = [np.linalg.norm(lines.points[:, 1] - lines.points[:, 0], axis=1).max() for lines in found.lines]
    assert max(lengths) < 5.0


@given(st.lists(st.tuples(st.floats(0.0, 192.0), st.sampled_from([ROOM, NEXT_BLOCK, NO_CELL])), max_size=6))
def test_whatever_the_second_run_does_it_can_be_drawn(steps: list[tuple[float, int]]) -> None:
    second = [sample(x, cell=cell) for x, cell in steps]
    found = drawn([sample(50.0)] * len(second), second)
    assert all(np.isfinite(lines.points).all() for lines in found.lines)


@pytest.mark.parametrize(
    ("metres", "text"), [(0.00025, "0.25 mm"), (0.2666667, "0.267 m"), (12.5, "12.500 m"), (4321.0, "4,321 m")]
)
def test_distances_are_told_as_precisely_as_they_need(metres: float, text: str) -> None:
    assert distance_text(metres) == text
