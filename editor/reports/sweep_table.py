"""The tree of a sweep as rows for a spreadsheet: one for each step, with its depth and all numbers as they are."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Final

from engine.geometry.vec import Vec3
from engine.sim.trace.tree import NO_POLYGON, SweepState, TraceNode
from engine.world.cells.ids import cell_text

TITLES: Final = (
    *("depth", "kind", "step", "result", "reason", "cell", "object", "part", "polygon"),
    *("normal x", "normal y", "normal z", "before x", "before y", "before z", "after x", "after y", "after z"),
)


def as_tsv(nodes: Iterable[TraceNode]) -> str:
    """Titles and rows as tab-separated text."""
    lines = ["\t".join(TITLES)]
    lines += ["\t".join(_row(node, depth)) for top in nodes for node, depth in _walk(top, 0)]
    return "\n".join(lines)


def _walk(node: TraceNode, depth: int) -> Iterator[tuple[TraceNode, int]]:
    yield node, depth
    for child in node.children:
        yield from _walk(child, depth + 1)


def _row(node: TraceNode, depth: int) -> list[str]:
    ids = [_id(node.cell_id), _id(node.object_id), _id(node.gfxobj_id)]
    polygon = "" if node.polygon_id == NO_POLYGON else str(node.polygon_id)
    words = [str(depth), node.kind, node.title, node.answer, node.detail]
    return [*words, *ids, polygon, *_vec(node.normal), *_vec(_where(node.before)), *_vec(_where(node.after))]


def _where(state: SweepState | None) -> Vec3 | None:
    return None if state is None else state.accepted


def _vec(v: Vec3 | None) -> list[str]:
    return ["", "", ""] if v is None else [repr(part) for part in v]


def _id(value: int) -> str:
    return "" if not value else cell_text(value) if value <= 0xFFFFFFFF else f"0x{value:X}"
