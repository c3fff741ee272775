"""Checks of a landblock beyond the loader's, as the window has them: the survey's (`engine.survey`), and stab lists
that lack visible cells (dat-format.md 2.4, 2.5).

Stab lists are compared with the search that also computes them (`engine.build.stab`). It follows every chain of portals
instead of sampling eyes, so it misses nothing and always gives the same answer. It takes seconds for hundreds of rooms
and therefore runs in the background.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence

from editor.authoring.cell_edits import set_stab_list
from editor.session.session import Kind, Selection
from editor.validation.findings import Findings as Findings
from engine.findings.finding import Found
from engine.findings.registry import CHECKS
from engine.sim.edits.edit import Edit
from engine.sim.tick.simulation import Simulation
from engine.survey.checks.instances import check_entity, check_instances
from engine.survey.checks.loaded import unreached
from engine.survey.fixes import Fix, fixes_of
from engine.survey.remedies import remedy
from engine.world.cells.ids import cell_text
from engine.world.faults import CELL, ENTITY, STAB_LIST, Fault, Severity
from engine.world.landblock import Landblock


def check_block(
    sim: Simulation,
    block: Landblock,
    seen: Mapping[int, Sequence[int]] | None,
    geometry: Iterable[Found] | None = None,
) -> Findings:
    """All faults that these checks find; `seen` are the cells visible from each room, or None while unknown, `geometry`
    what the geometric checks have found."""
    found = Findings()
    rooms = {cell.id: cell for cell in block.env_cells}
    for first, more in unreached(rooms, block.buildings):
        behind = f", nor to {more} more behind it" if more else ""
        reason = f"no chain of portals leads here{behind}: nothing can walk in"
        found.add(Fault(first, CELL, reason, Severity.WARNING))
    for each in check_instances(sim, block):
        place = Selection(Kind.ENTITY, block.id, each.entity)
        fault = Fault(each.entity, ENTITY, each.sentence, CHECKS[each.check].severity)
        found.add(fault, place, None if each.fix is None else Fix(each.fix.name, _edits_now(sim, block, each)))
    for each in geometry or ():
        fix = remedy(sim, each)
        found.add(_fault_of(each), None, None if fix is None else Fix(fix.name, fix.edits))
    if seen is not None:
        _check_stab_lists(sim, block, seen, found)
    found.fixes |= fixes_of(sim, block)
    return found


def _fault_of(found: Found) -> Fault:
    """A finding as a row among the faults: its id is what is at fault."""
    index = found.portal if found.portal >= 0 else found.polygon
    return Fault(found.cell or found.block, found.check, found.sentence, CHECKS[found.check].severity, index)


def _edits_now(sim: Simulation, block: Landblock, found: Found) -> Callable[[], list[Edit]]:
    """The edits of a finding's fix as they are when they are asked for: the entity may have moved since."""

    def edits() -> list[Edit]:
        entity = sim.population.find(found.entity)
        rooms = {cell.id: cell for cell in block.env_cells}
        for each in () if entity is None else check_entity(sim, block, rooms, entity):
            if each.check == found.check and each.fix is not None:
                return each.fix.edits()
        return []

    return edits


def _check_stab_lists(sim: Simulation, block: Landblock, seen: Mapping[int, Sequence[int]], found: Findings) -> None:
    for cell in block.env_cells:
        missing = [other for other in seen.get(cell.id, ()) if other not in cell.stab_set]
        if missing:
            named = ", ".join(cell_text(other) for other in missing[:4])
            more = f" and {len(missing) - 4} more" if len(missing) > 4 else ""
            reason = f"lacks {named}{more}, which can be seen from here: it will not be drawn"
            name = f"Set Stab List of {cell_text(cell.id)} to Visible Cells"
            found.add(
                Fault(cell.id, STAB_LIST, reason, Severity.WARNING),
                None,
                Fix(name, _stab_edits(sim, cell.id, list(seen[cell.id]))),
            )


def _stab_edits(sim: Simulation, cell_id: int, seen: list[int]) -> Callable[[], list[Edit]]:
    return lambda: set_stab_list(sim, cell_id, seen)
