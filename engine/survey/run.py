"""All checks of one landblock (docs/reference/checks)."""

from __future__ import annotations

from collections.abc import Callable, Container, Iterator
from dataclasses import replace
from typing import Final

from engine.findings.finding import Found
from engine.sim.tick.simulation import Simulation
from engine.survey.checks.buildings import (
    HEIGHTS,
    NO_ENTRY,
    OUTSIDE,
    OVER_CELL,
    PARTS,
    ROOM_OVER,
    WORDS,
    check_borders,
    check_buildings,
)
from engine.survey.checks.floors import BARE, DRAWN, check_floors
from engine.survey.checks.instances import INSTANCE_CHECKS, check_instances
from engine.survey.checks.loaded import LOADED, UNREACHED, check_loaded, check_reach
from engine.survey.checks.portals import BENT, INSIDE, SIDES, check_portals
from engine.survey.checks.rooms import GAP, NEIGHBOURS, OVERLAP, UNHELD, check_rooms
from engine.survey.checks.statics import ELSEWHERE, TWICE, check_statics
from engine.survey.checks.trees import MISPLACED, MISSING, check_trees
from engine.survey.remedies import remedy
from engine.survey.view import Shapes, View
from engine.world.landblock import Landblock

ViewCheck = Callable[[View], Iterator[Found]]
SimCheck = Callable[[Simulation, Landblock], Iterator[Found]]

VIEW_CHECKS: Final[tuple[tuple[ViewCheck, tuple[str, ...]], ...]] = (
    (check_portals, (SIDES.id, BENT.id, INSIDE.id)),
    (check_rooms, (OVERLAP.id, NEIGHBOURS.id, GAP.id, UNHELD.id)),
    (check_trees, (MISSING.id, MISPLACED.id)),
    (check_floors, (DRAWN.id, BARE.id)),
    (check_buildings, (PARTS.id, NO_ENTRY.id, OVER_CELL.id)),
    (check_borders, (HEIGHTS.id, WORDS.id, OUTSIDE.id, ROOM_OVER.id)),
    (check_reach, (UNREACHED.id,)),
    (check_statics, (ELSEWHERE.id, TWICE.id)),
)
"""The checks that need a landblock's view alone, with the ids of what they find: any thread may run them."""


SIM_CHECKS: Final[tuple[tuple[SimCheck, tuple[str, ...]], ...]] = (
    (check_loaded, tuple(check.id for check in LOADED.values())),
    (check_instances, tuple(check.id for check in INSTANCE_CHECKS)),
)
"""The checks that need the simulation: what stands in it, and the records that its edits changed."""


IDS: Final = frozenset(each for _, ids in (*VIEW_CHECKS, *SIM_CHECKS) for each in ids)
"""What a check of a landblock can find, of whatever family."""


def check_landblock(
    sim: Simulation, block_id: int, enabled: Container[str], shapes: Shapes | None = None
) -> Iterator[Found]:
    """The findings of one landblock, by the checks whose ids are enabled. The landblock joins the simulation, so that
    its entities live. `shapes` keeps what is known of structures and models for the next landblock."""
    block = sim.world.landblock(block_id)
    if block is None:
        return
    for check, ids in SIM_CHECKS:
        if any(each in enabled for each in ids):
            sim.surroundings.join(block.id)
            yield from (found for found in check(sim, block) if found.check in enabled)
    for each in check_view(View(block, sim.world, shapes), enabled):
        fix = remedy(sim, each)
        yield each if fix is None else replace(each, fix=fix)


def check_view(view: View, enabled: Container[str]) -> Iterator[Found]:
    """The findings of the checks that need no simulation."""
    for check, ids in VIEW_CHECKS:
        if any(each in enabled for each in ids):
            yield from (found for found in check(view) if found.check in enabled)
    view.shapes.trim()
