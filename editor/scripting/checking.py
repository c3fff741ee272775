"""What is wrong with a world, as Problems lists it, and the fixes."""

from __future__ import annotations

from typing import TYPE_CHECKING

from editor.scripting.beside import beside
from editor.scripting.errors import RefusedError, reported
from editor.scripting.values import Id, Problem
from editor.validation.checks import check_block
from editor.validation.geometry_watch import ENABLED
from engine.sim.edits.edit import Edit
from engine.sim.tick.simulation import Simulation
from engine.survey.fixes import Fix
from engine.survey.run import check_view
from engine.survey.stabs.question import computed_stab_lists
from engine.survey.view import View
from engine.world.cells.ids import cell_text, landblock_id
from engine.world.faults import Fault

if TYPE_CHECKING:
    from editor.scripting.stage import Stage

Found = dict[Problem, Fix | None]


def problems_of(stage: Stage, landblock: int | None) -> list[Problem]:
    with reported(), beside(stage) as sim:
        return list(_found(sim, landblock))


def fix_edits(stage: Stage, problem: Problem) -> list[Edit]:
    """The edits of a problem's fix; refused where the problem is not there any more, or has none."""
    with reported(), beside(stage) as sim:
        fix = _found(sim, problem.cell).get(problem) if problem.cell and problem.fix else None
        if fix is None:
            raise RefusedError(f"there is no fix for {problem}", cell=problem.cell)
        return fix.edits()


def _found(sim: Simulation, landblock: int | None) -> Found:
    """The problems of a simulation whose landblocks may come in for it."""
    world = sim.world
    found: Found = {}
    if landblock is None:
        for fault in (*world.source.container_faults(), *world.source.faults, *world.entity_index.faults):
            found.setdefault(_problem(fault, None), None)
    for block_id in world.landblock_ids() if landblock is None else [landblock_id(landblock)]:
        block = world.landblock(block_id)
        if block is None:
            raise RefusedError(f"there is no landblock {cell_text(block_id)}", cell=block_id)
        sim.surroundings.join(block_id)
        geometry = check_view(View(block, world), ENABLED)
        checked = check_block(sim, block, computed_stab_lists(world, block_id), geometry)
        for fault in (*world.landblock_faults(block_id), *checked.faults):
            fix = checked.fixes.get(fault)
            found.setdefault(_problem(fault, fix), fix)
    if landblock is None:
        for fault in (*world.source.model_faults(), *world.source.shape_faults()):
            found.setdefault(_problem(fault, None), None)
    return found


def _problem(fault: Fault, fix: Fix | None) -> Problem:
    index = None if fault.index < 0 else fault.index
    name = "" if fix is None else fix.name
    return Problem(Id(fault.where), fault.what, fault.reason, fault.severity.name.lower(), index, name)
