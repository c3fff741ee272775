"""Screen points and outlines as the tests write them."""

from __future__ import annotations

from collections.abc import Sequence

from engine.visibility.view import ScreenPoint, ViewPoly

Outline = Sequence[Sequence[float]]


def at(point: ScreenPoint) -> tuple[float, float]:
    """A screen point from a pixel."""
    return point.x / point.w, point.y / point.w


def on_screen(outline: Outline, w: float = 1.0) -> list[ScreenPoint]:
    """The screen points at the corners of an outline in pixels."""
    return [ScreenPoint(x * w, y * w, 0.0, w) for x, y in outline]


def corners(view: ViewPoly) -> list[tuple[float, float]]:
    return list(zip(view.xs, view.ys, strict=True))


def same_outline(found: Outline, expected: Outline, slack: float = 0.01) -> bool:
    """Whether two outlines have the same corners within `slack` pixels, starting anywhere (24.1)."""
    n = len(expected)
    if len(found) != n:
        return False
    return any(
        all(
            abs(found[(start + k) % n][0] - expected[k][0]) <= slack
            and abs(found[(start + k) % n][1] - expected[k][1]) <= slack
            for k in range(n)
        )
        for start in range(n)
    )
