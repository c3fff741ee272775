"""Floors and rooms that nobody can come to, though a body can stand there, and rooms that only a jump leads to.

A search starts from every floor, so that a floor has places of its own. Nobody comes to those that no way leads to from
where people are: outdoors, or in a dungeon the largest part that one walks about in.
"""

from __future__ import annotations

from collections.abc import Container, Iterator
from typing import Final

from engine.explore.findings.never_reached_floors import SAMPLE, standing_places
from engine.explore.findings.never_reached_graph import Graph, Group
from engine.explore.search import Search
from engine.findings.finding import Check, Family, Found
from engine.findings.registry import register
from engine.geometry.vec import Vec3
from engine.world.cells.ids import cell_text, landblock_id
from engine.world.faults import Severity

LEAST: Final = 0.5
"""Square metres of a floor below which nobody misses it."""

CELL: Final = register(
    Check(
        "reach.cell-never",
        "Nobody can come to a room",
        Family.EXPLORE,
        Severity.WARNING,
        "A body can stand and walk in the room, and no way leads to it from where people are: outdoors, beyond the "
        "landblock's border, or in a dungeon the largest part that is connected. Doors count as passable, locked or "
        "not. What blocks the way is a wall, a thing in a doorway, a step that is too high, or a portal that leads "
        "nowhere. Rooms that only a recall or a portal of the server leads to are found as well.",
    )
)
FLOOR: Final = register(
    Check(
        "reach.floor-never",
        "Nobody can come to a floor",
        Family.EXPLORE,
        Severity.INFO,
        "A body could stand on half a square metre of floor or more, in a room that is entered otherwise, and neither "
        "walking, falling nor jumping leads to it: the top of a wall, a ledge, what is behind furniture. Often it is "
        "meant so; a baseline takes those away.",
    )
)
JUMP: Final = register(
    Check(
        "reach.by-jump-only",
        "Only a jump leads into a room",
        Family.EXPLORE,
        Severity.INFO,
        "Every way into the room from where people are has a jump in it: a step is higher than the 0.6 m of a step up, "
        "or stairs end short of the floor. Players manage; creatures, pets and those who carry much do not come in.",
    )
)


def find_never_reached(search: Search, enabled: Container[str], graph: Graph) -> Iterator[Found]:
    """What of a finished search no way leads to."""
    if not any(check.id in enabled for check in (CELL, FLOOR, JUMP)):
        return
    if graph.main < 0:
        return
    reached = graph.from_main()
    for group in graph.groups(graph.is_floor & ~reached):
        whole = graph.whole_cells(group)
        if whole and CELL.id in enabled:
            yield _cells_found(CELL, graph, group, whole, "Nobody can come to")
        elif not whole and FLOOR.id in enabled and group.area >= LEAST and graph.is_room(group):
            yield _found(FLOOR, group.cell, group.point, group.area, _of_floor(group.area, group.cell))
    if FLOOR.id in enabled:
        for spots in standing_places(search, graph):
            area = len(spots) * SAMPLE**2
            if area >= LEAST:
                cell_id, point = spots[len(spots) // 2]
                yield _found(FLOOR, cell_id, point, area, _of_floor(area, cell_id))
    if JUMP.id in enabled:
        walked = graph.from_main(jumps=False)
        for group in graph.groups(graph.is_floor & reached & ~walked):
            whole = graph.whole_cells(group)
            if whole:
                entered = graph.cells_entered(group, walked)
                whole.sort(key=lambda cell_id: (cell_id not in entered, cell_id))
                yield _cells_found(JUMP, graph, group, whole, "Only a jump leads into")


def _cells_found(check: Check, graph: Graph, group: Group, whole: list[int], what: str) -> Found:
    """Of rooms that are connected, told once, in the first."""
    first = whole[0]
    more = f" and {len(whole) - 1} more behind it" if len(whole) > 1 else ""
    part = graph.part_in(group, first)
    return _found(check, first, part.point, group.area, f"{what} {cell_text(first)}{more}")


def _of_floor(area: float, cell_id: int) -> str:
    return f"Nobody can come to {area:.1f} m² of the floor in {cell_text(cell_id)}"


def _found(check: Check, cell_id: int, point: Vec3, area: float, sentence: str) -> Found:
    figures = (("floor, m²", round(area, 2)),)
    return Found(check.id, landblock_id(cell_id), cell_id, place=(cell_id, point), sentence=sentence, figures=figures)
