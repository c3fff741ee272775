"""All checks of one landblock (docs/reference/checks)."""

from __future__ import annotations

from collections.abc import Callable, Container, Iterator
from typing import Final

from engine.findings.finding import Found
from engine.sim.tick.simulation import Simulation
from engine.survey.checks.portals import BENT, INSIDE, SIDES, check_portals
from engine.survey.checks.rooms import GAP, NEIGHBOURS, OVERLAP, UNHELD, check_rooms
from engine.survey.checks.trees import FOREIGN, MISPLACED, MISSING, check_trees
from engine.survey.view import Shapes, View

ViewCheck = Callable[[View], Iterator[Found]]

VIEW_CHECKS: Final[tuple[tuple[ViewCheck, tuple[str, ...]], ...]] = (
    (check_portals, (SIDES.id, BENT.id, INSIDE.id)),
    (check_rooms, (OVERLAP.id, NEIGHBOURS.id, GAP.id, UNHELD.id)),
    (check_trees, (MISSING.id, MISPLACED.id, FOREIGN.id)),
)
"""The checks that need a landblock's view alone, with the ids of what they find: any thread may run them."""


def check_landblock(
    sim: Simulation, block_id: int, enabled: Container[str], shapes: Shapes | None = None
) -> Iterator[Found]:
    """The findings of one landblock, by the checks whose ids are enabled. `shapes` keeps what is known of
    structures and models for the next landblock."""
    view = View.of(sim, block_id, shapes)
    if view is None:
        return
    yield from check_view(view, enabled)


def check_view(view: View, enabled: Container[str]) -> Iterator[Found]:
    """The findings of the checks that need no simulation."""
    for check, ids in VIEW_CHECKS:
        if any(each in enabled for each in ids):
            for found in check(view):
                if found.check in enabled:
                    yield found
    view.shapes.trim()
