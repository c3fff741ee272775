"""Making findings: the words that sentences share."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Final

from engine.findings.finding import Check, FixForm, Found, Place
from engine.geometry.vec import Vec3
from engine.world.cells.cell import EnvCell
from engine.world.cells.ids import cell_text

_MOST_NAMED: Final = 4


def in_cell(
    check: Check,
    block: int,
    cell: EnvCell,
    point: Vec3,
    sentence: str,
    figures: Sequence[tuple[str, float]] = (),
    *,
    portal: int = -1,
    polygon: int = -1,
    path: Iterable[Vec3] = (),
    fix: FixForm | None = None,
) -> Found:
    """A finding in a room, at a point of its landblock. `path` are the points of the line or outline that shows it."""
    place: Place = (cell.id, point)
    return Found(
        check.id,
        block,
        cell.id,
        portal=portal,
        polygon=polygon,
        place=place,
        sentence=sentence,
        figures=tuple(figures),
        path=tuple((cell.id, each) for each in path),
        fix=fix,
    )


def outline(corners: Sequence[Vec3]) -> list[Vec3]:
    """The closed line around some corners."""
    return [*corners, corners[0]] if corners else []


def shared_by(rooms: Sequence[EnvCell]) -> str:
    """That more rooms have the same structure, for the end of a sentence; empty for one room."""
    return f" (so in {len(rooms) - 1} more of this shape)" if len(rooms) > 1 else ""


def named(ids: Sequence[int]) -> str:
    """The first of some ids, and how many more there are."""
    more = f" and {len(ids) - _MOST_NAMED} more" if len(ids) > _MOST_NAMED else ""
    return ", ".join(map(cell_text, ids[:_MOST_NAMED])) + more


def metres(value: float) -> str:
    return f"{value:.3f} m" if value < 0.1 else f"{value:.2f} m"
