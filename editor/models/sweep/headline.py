"""What decided the player's sweeps, in one line."""

from __future__ import annotations

from typing import Final

from editor.document.document import Document
from editor.models.live_table import FAULT
from editor.models.lost_wording import lost_sentence
from editor.models.player import name_of
from editor.models.sweep.steps import tone_of
from editor.models.sweep.watch import SweepWatch
from editor.process.plain_text import counted
from engine.sim.tick.simulation import Simulation
from engine.sim.trace.recorder import NO_CELL, REFUSED
from engine.sim.trace.tree import (
    CELL,
    MEMBERSHIP,
    OBJECT,
    POLYGON,
    ROW,
    STEP,
    TraceNode,
    vec_text,
)
from engine.world.cells.ids import cell_text

FINE: Final = "OK"


def culprit(sweeps: list[TraceNode]) -> tuple[TraceNode, ...]:
    """The path to the first polygon that blocked the player: cell, object, part and polygon; empty when none did."""
    for sweep in sweeps:
        found = _culprit(sweep, ())
        if found:
            return found
    return ()


def _culprit(node: TraceNode, way: tuple[TraceNode, ...]) -> tuple[TraceNode, ...]:
    if node.answer == FINE:
        return ()
    here = (*way, node) if node.kind in (CELL, OBJECT, ROW, POLYGON) else way
    if node.kind == POLYGON:
        return here
    for child in node.children:
        found = _culprit(child, here)
        if found:
            return found
    return ()


def culprit_text(sim: Simulation, sweeps: list[TraceNode]) -> str:
    """The same in one line."""
    way = culprit(sweeps)
    if not way:
        return ""
    polygon = way[-1]
    parts = [f"polygon {polygon.polygon_id}" if polygon.polygon_id >= 0 else polygon.title]
    row = next((node for node in way if node.kind == ROW and node.gfxobj_id), None)
    thing = next((node for node in way if node.kind == OBJECT), None)
    cell = next((node for node in way if node.kind == CELL), None)
    if row is not None:
        parts.append(f"of part 0x{row.gfxobj_id:08X}")
    if thing is not None:
        parts.append(f"of {name_of(sim, thing.object_id)}")
    elif cell is not None:
        parts.append(f"of the walls of {cell_text(cell.cell_id)}")
    normal = f", N{vec_text(polygon.normal)}" if polygon.normal is not None else ""
    return f"{' '.join(parts)}{normal}: {polygon.answer}"


def summary(document: Document, watch: SweepWatch) -> str:
    """The subject of the tree, and the polygon that blocked the player."""
    sim = document.simulation
    if sim is None or (watch.tick < 0 and not watch.title):
        return ""
    title = watch.title or f"Tick {watch.tick:,}"
    steps = [node for sweep in watch.sweeps for node in sweep.children if node.kind == STEP]
    lost = "" if watch.title else lost_sentence(sim)
    if not watch.sweeps:
        return f"{title}: no sweep; {lost or 'nothing was wished and nothing pulled'}"
    return f"{title}: {counted(len(steps), 'sub-step')}, {_outcome(sim, watch.sweeps, steps)}"


def _outcome(sim: Simulation, sweeps: list[TraceNode], steps: list[TraceNode]) -> str:
    hit = culprit_text(sim, sweeps)
    if hit:
        return f"■ {hit}"
    if sweeps[-1].answer.startswith(NO_CELL):
        outside = [node for node in sweeps[-1].walk() if node.kind == MEMBERSHIP]
        what = "lost: it ends in" if sim.rules.no_cell_commit else "refused: it leads into"
        return f"■ {what} no cell{f' ({outside[-1].title})' if outside else ''}"
    if steps and sweeps[-1].answer == REFUSED:
        return f"■ refused: {steps[-1].answer}"
    if steps and tone_of(steps[-1]) == FAULT:
        return f"■ {steps[-1].answer}{f': {steps[-1].detail}' if steps[-1].detail else ''}"
    return "✓ nothing in the way"
