"""The headline of the Sweep dock: what decided where the player is after a tick."""

from __future__ import annotations

from typing import Final

from editor.document.document import Document
from editor.models.lost_wording import lost_sentence
from editor.models.sweep.watch import SweepWatch
from editor.models.why import WhyAbout
from editor.reports.sweep_headline import outcome_text, steps_text
from editor.reports.sweep_outcome import (
    Verdict,
    ground_row,
    outcome_of,
    pick_of,
    steps_of,
)
from engine.sim.trace import tree as nodes
from engine.sim.trace.tree import TraceNode

ASKED: Final = {
    WhyAbout.BLOCKED: Verdict.BLOCKED,
    WhyAbout.SLID: Verdict.SLID,
    WhyAbout.PUSHED: Verdict.PUSHED_OUT,
}

NO_TICK: Final = "There is no sweep to look at: step once, or pause."
NOT_BLOCKED: Final = "Nothing blocked the player in this tick."
NOT_CHANGED: Final = "The player stayed in his cell in this tick."


def deciding(sweeps: list[TraceNode], about: WhyAbout) -> TraceNode | None:
    """The row that decided; the first sub-step where none stands out, None without a sweep."""
    found: TraceNode | None = None
    if about is WhyAbout.CELL_CHANGED:
        found = cell_row(sweeps)
    elif about in (WhyAbout.FELL, WhyAbout.LANDED):
        found = ground_row(sweeps)
    elif about is WhyAbout.LOST:
        found = outcome_of(sweeps).row
    else:
        found = outcome_of(sweeps, ASKED[about]).row
    return found or next(iter([*steps_of(sweeps), *sweeps]), None)


def blocking_row(sweeps: list[TraceNode]) -> TraceNode | None:
    """What the player ran into, whether it stopped him or he slid along it; None when nothing did."""
    outcome = outcome_of(sweeps)
    return outcome.row if outcome.verdict in (Verdict.BLOCKED, Verdict.SLID, Verdict.REFUSED, Verdict.LOST) else None


def cell_row(sweeps: list[TraceNode]) -> TraceNode | None:
    """The search that gave the player another cell, with the cell that it picked; None when he stayed in his."""
    changes = outcome_of(sweeps).changes
    if not changes:
        return None
    search = pick_of(changes[0])
    picked = [node for node in search.children if node.kind == nodes.CANDIDATE and node.cell_id == search.cell_id]
    return next(iter(picked), search)


def why_not_blocked(sweeps: list[TraceNode]) -> str:
    """Why there is nothing that blocked; empty when there is."""
    return "" if blocking_row(sweeps) is not None else NOT_BLOCKED if sweeps else NO_TICK


def why_not_changed(sweeps: list[TraceNode]) -> str:
    """Why there is no change of cell; empty when there is one."""
    return "" if cell_row(sweeps) is not None else NOT_CHANGED if sweeps else NO_TICK


def summary(document: Document, watch: SweepWatch) -> str:
    """The tick of the tree, and what decided in it."""
    sim = document.simulation
    if sim is None or (watch.tick < 0 and not watch.title):
        return ""
    title = watch.title or f"Tick {watch.tick:,}"
    lost = "" if watch.title else lost_sentence(sim)
    if not watch.sweeps:
        return f"{title}: no sweep; {lost or 'the player was at rest'}"
    report = None if watch.title else sim.last_report
    contacts = report.contacts if report is not None and report.tick == watch.tick else None
    return f"{title}{steps_text(watch.sweeps)}: {outcome_text(sim, watch.sweeps, contacts)}"
