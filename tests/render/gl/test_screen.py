"""Marks, punches and seals (rendering.md 14.3, 14.4)."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
import pytest

from engine.render.gl import api
from engine.render.gl.screen import FAR_PUNCH, LAST_MARK, NO_MARK, UNCOVERED, grown
from engine.visibility.camera import ZFAR, ZNEAR
from engine.visibility.records import OPEN, PortalPiece
from engine.visibility.view import ScreenPoint, ViewPoly, ViewVertex
from tests.render.gl.conftest import Targets
from tests.render.gl.helpers.easel import HEIGHT, WIDTH, Easel
from tests.render.gl.helpers.meshes import mesh_of, painted, wall_at

BOX = (16.0, 12.0, 48.0, 36.0)
"""Left, top, right, bottom, in pixels."""


@pytest.fixture
def easel(targets: Targets) -> Iterator[Easel]:
    made = Easel(targets(WIDTH, HEIGHT))
    made.begin()
    yield made
    made.close()


def view(left: float, top: float, right: float, bottom: float) -> ViewPoly:
    corners = ((left, bottom), (right, bottom), (right, top), (left, top))
    return ViewPoly([ViewVertex(x, y) for x, y in corners])


def piece(distance: float, left: float, top: float, right: float, bottom: float) -> PortalPiece:
    """An opening that stands upright at a distance."""
    clip_z = (ZFAR + ZNEAR) / (ZFAR - ZNEAR) * distance - 2.0 * ZFAR * ZNEAR / (ZFAR - ZNEAR)
    corners = ((left, bottom), (right, bottom), (right, top), (left, top))
    points = [ScreenPoint(x * distance, y * distance, clip_z, distance) for x, y in corners]
    return PortalPiece(0, points, None, OPEN)


def depth_at(distance: float) -> float:
    """The depth buffer's value for a wall at a distance."""
    clip_z = (ZFAR + ZNEAR) / (ZFAR - ZNEAR) * distance - 2.0 * ZFAR * ZNEAR / (ZFAR - ZNEAR)
    return (clip_z / distance + 1.0) / 2.0


def test_a_mark_covers_its_views_and_a_pixel_around_them(easel: Easel) -> None:
    mark = easel.screen.mark([view(*BOX), view(50.0, 2.0, 60.0, 8.0)])
    marked = easel.target.stencil() == mark
    wanted = np.zeros((HEIGHT, WIDTH), np.bool_)
    wanted[11:37, 15:49] = True
    wanted[1:9, 49:61] = True
    assert (marked == wanted).all()
    assert easel.middle() == (0, 0, 0)
    assert (easel.target.depth() == 1.0).all()


def test_geometry_confined_to_a_mark_draws_only_there(easel: Easel) -> None:
    wall = easel.add(mesh_of([wall_at(10.0)]), painted(255, 255, 255))
    mark = easel.screen.mark([view(*BOX)])
    easel.screen.mark([view(0.0, 0.0, 8.0, 8.0)])
    easel.screen.confine(mark)
    easel.paint(wall)
    easel.screen.confine(NO_MARK)
    shown = easel.target.pixels()[:, :, 0] > 0
    assert shown.sum() == 34 * 26
    assert shown[11:37, 15:49].all()


def test_after_the_last_mark_the_stencil_starts_over(easel: Easel) -> None:
    """An old value never passes for a new one."""
    for number in range(LAST_MARK):
        assert easel.screen.mark([view(*BOX)]) == number + 1
    assert easel.screen.mark([view(0.0, 0.0, 8.0, 8.0)]) == 1
    assert set(np.unique(easel.target.stencil())) == {0, 1}
    assert (easel.target.stencil() == 1).sum() == 81


def test_nothing_draws_over_a_cover(easel: Easel) -> None:
    left = mesh_of([[(-30.0, 10.0, -30.0), (0.0, 10.0, -30.0), (0.0, 10.0, 30.0), (-30.0, 10.0, 30.0)]])
    easel.screen.confine(NO_MARK, covering=True)
    easel.paint(easel.add(left, painted(255, 0, 0)))
    easel.screen.confine(NO_MARK)
    easel.screen.clear_depth(UNCOVERED)
    easel.screen.confine(UNCOVERED)
    easel.paint(easel.add(mesh_of([wall_at(5.0)]), painted(0, 255, 0)))
    easel.screen.confine(NO_MARK)
    shown = easel.target.pixels()
    assert (shown[:, : WIDTH // 2, 0] == 255).all()
    assert (shown[:, WIDTH // 2 :, 1] == 255).all()


def test_a_punch_clears_the_depth_before_the_opening_but_not_the_colour(easel: Easel) -> None:
    easel.paint(easel.add(mesh_of([wall_at(2.0)]), painted(0, 0, 255)))
    easel.screen.punch([piece(5.0, *BOX)])
    depth = easel.target.depth()
    assert easel.middle() == (0, 0, 255)
    assert depth[HEIGHT // 2, WIDTH // 2] == pytest.approx(FAR_PUNCH, abs=2e-7)
    assert (depth > 0.9999).sum() == 32 * 24
    easel.paint(easel.add(mesh_of([wall_at(50.0)]), painted(255, 0, 0)))
    assert easel.middle() == (255, 0, 0)


def test_a_seal_hides_what_is_beyond_the_opening_not_what_is_before_it(easel: Easel) -> None:
    easel.screen.seal([piece(5.0, *BOX)])
    assert easel.target.depth()[HEIGHT // 2, WIDTH // 2] == pytest.approx(depth_at(5.0), abs=1e-6)
    easel.paint(easel.add(mesh_of([wall_at(6.0)]), painted(255, 0, 0)))
    assert easel.middle() == (0, 0, 0)
    easel.paint(easel.add(mesh_of([wall_at(4.0)]), painted(0, 255, 0)))
    assert easel.middle() == (0, 255, 0)


def test_the_near_plane_does_not_clip_a_seal(easel: Easel) -> None:
    easel.screen.seal([piece(ZNEAR / 2.0, *BOX)])
    assert easel.target.depth()[HEIGHT // 2, WIDTH // 2] == 0.0
    assert not api.is_enabled(api.DEPTH_CLAMP)


def test_a_seal_between_rooms_keeps_things_before_it_and_in_its_plane(easel: Easel) -> None:
    """Like a door's leaf, with the colour of what is behind it."""
    easel.paint(easel.add(mesh_of([wall_at(8.0)]), painted(0, 0, 255)))
    easel.screen.seal_between([piece(5.0, *BOX)])
    assert easel.middle() == (0, 0, 255)
    easel.paint(easel.add(mesh_of([wall_at(6.0)]), painted(255, 0, 0)))
    assert easel.middle() == (0, 0, 255)
    easel.paint(easel.add(mesh_of([wall_at(5.0)]), painted(0, 255, 0)))
    assert easel.middle() == (0, 255, 0)
    before = easel.target.depth()[HEIGHT // 2, WIDTH // 2]
    easel.screen.seal_between([piece(7.0, *BOX)])
    assert easel.target.depth()[HEIGHT // 2, WIDTH // 2] == before


def test_a_polygon_grows_along_the_normals_of_its_edges() -> None:
    square = view(*BOX)
    assert grown(square.xs, square.ys, 1.0) == [(15.0, 37.0), (49.0, 37.0), (49.0, 11.0), (15.0, 11.0)]


def test_a_sharp_corner_does_not_grow_into_a_needle() -> None:
    xs, ys = [0.0, 100.0, 100.0], [0.0, 1.0, 0.0]
    away = [np.hypot(x - a, y - b) for (x, y), a, b in zip(grown(xs, ys, 1.0), xs, ys, strict=True)]
    assert max(away) < 20.0


def test_a_plain_sky_fills_only_pixels_where_nothing_was_drawn(easel: Easel) -> None:
    left = mesh_of([[(-30.0, 10.0, -30.0), (0.0, 10.0, -30.0), (0.0, 10.0, 30.0), (-30.0, 10.0, 30.0)]])
    easel.paint(easel.add(left, painted(255, 0, 0)))
    api.depth_func(api.LEQUAL)  # as for all that stands at the far end of depth
    easel.screen.fill_everything((0.0, 0.0, 1.0))
    shown = easel.target.pixels()
    assert (shown[:, : WIDTH // 2, 0] == 255).all()
    assert (shown[:, WIDTH // 2 :, 2] == 255).all()
