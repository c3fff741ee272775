"""Subjects of the overlay tests: the ids of the rooms in `conftest.world`, and views of them."""

from __future__ import annotations

from engine.visibility.view import ViewPoly, ViewVertex

HALL, STUDY, DOORWAY = 0x00070100, 0x00070101, 0x00070102


def square(left: float, top: float, size: float) -> ViewPoly:
    corners = ((left, top + size), (left + size, top + size), (left + size, top), (left, top))
    return ViewPoly([ViewVertex(x, y) for x, y in corners])
