"""Floors and rooms that nobody can come to, though a body can stand there, and rooms that only a jump leads to.

A search starts from every floor, so that a floor has places of its own. Nobody comes to those that no way leads to from
where people are: outdoors, or in a dungeon the largest part that one walks about in.
"""

from __future__ import annotations

from collections.abc import Container, Iterator
from typing import Final

from engine.explore.findings.never_reached_graph import Graph, Group
from engine.findings.finding import Check, Family, Found
from engine.findings.registry import register
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


def find_never_reached(enabled: Container[str], graph: Graph) -> Iterator[Found]:
    """What of a finished search no way leads to."""
    if not any(check.id in enabled for check in (CELL, FLOOR, JUMP)):
        return
    if graph.main < 0:
        return
    reached = graph.from_main()
    for group in graph.groups(graph.is_floor & ~reached):
        whole = graph.whole_cells(group)
        if whole and CELL.id in enabled:
            yield _cell_found(graph, group, whole)
        elif not whole and FLOOR.id in enabled and group.area >= LEAST and graph.is_room(group):
            sentence = f"Nobody can come to {group.area:.1f} m² of the floor in {cell_text(group.cell)}"
            yield _found(FLOOR, group, group.cell, sentence)
    if JUMP.id in enabled:
        walked = graph.from_main(jumps=False)
        for group in graph.groups(graph.is_floor & reached & ~walked):
            for cell_id in graph.whole_cells(group):
                part = graph.part_in(group, cell_id)
                yield _found(JUMP, part, cell_id, f"Only a jump leads into {cell_text(cell_id)}")


def _cell_found(graph: Graph, group: Group, whole: list[int]) -> Found:
    first = whole[0]
    more = f" and {len(whole) - 1} more behind it" if len(whole) > 1 else ""
    sentence = f"Nobody can come to {cell_text(first)}{more}, where a body can stand"
    return _found(CELL, graph.part_in(group, first), first, sentence)


def _found(check: Check, group: Group, cell_id: int, sentence: str) -> Found:
    return Found(
        check.id,
        landblock_id(cell_id),
        cell=cell_id,
        place=(cell_id, group.point),
        sentence=sentence,
        figures=(("floor, m²", round(group.area, 2)),),
    )
