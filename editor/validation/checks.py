"""Checks of a landblock beyond the loader's: statics outside their rooms, unreachable rooms, doors that leave gaps, and
stab lists that lack visible cells (dat-format.md 2.4, 2.5; physics.md 9.1).

Stab lists are compared with the search that also computes them (`engine.build.stab`). It follows every chain of portals
instead of sampling eyes, so it misses nothing and always gives the same answer. It takes seconds for hundreds of rooms
and therefore runs in the background.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

from editor.authoring.cell_edits import set_stab_list
from editor.validation.entity_checks import check_entities
from editor.validation.findings import Findings as Findings
from editor.validation.fixes import Fix, fixes_of
from engine.sim.edits.edit import Edit
from engine.sim.tick.simulation import Simulation
from engine.world.cells.cell import EnvCell
from engine.world.cells.ids import cell_text
from engine.world.faults import CELL, STAB_LIST, Fault, Severity
from engine.world.landblock import Landblock


def check_block(sim: Simulation, block: Landblock, seen: Mapping[int, Sequence[int]] | None) -> Findings:
    """All faults that these checks find; `seen` are the cells visible from each room, or None while unknown."""
    found = Findings()
    _check_reach(sim, block, found)
    check_entities(sim, block, found)
    if seen is not None:
        _check_stab_lists(sim, block, seen, found)
    found.fixes |= fixes_of(sim, block)
    return found


def _check_reach(sim: Simulation, block: Landblock, found: Findings) -> None:
    """Rooms that cannot be reached: from outdoors, if there are entries, else from the largest group of rooms."""
    cells = {cell.id: cell for cell in block.env_cells}
    entries = {cell.id for cell in cells.values() if cell.has_exit()}
    entries |= {portal.other_cell_id for building in block.buildings for portal in building.portals}
    groups = _groups(cells)
    if not entries & cells.keys() and groups:
        largest = sorted(groups, key=lambda group: -len(group))[0]
        entries = set(largest)
    reached = _reached(entries & cells.keys(), cells)
    for group in groups:
        if any(_leads_into_the_unknown(cells[cell_id], cells) for cell_id in group):
            continue  # in a partial dump a path may lead through a room that it lacks
        lost = [cell_id for cell_id in group if cell_id not in reached]
        if lost:
            more = f", nor to {len(lost) - 1} more behind it" if len(lost) > 1 else ""
            reason = f"no chain of portals leads here{more}: nothing can walk in"
            found.add(Fault(lost[0], CELL, reason, Severity.WARNING))


def _leads_into_the_unknown(cell: EnvCell, cells: Mapping[int, EnvCell]) -> bool:
    return any(not portal.leads_outside and portal.other_cell_id not in cells for portal in cell.portals)


def _reached(starts: set[int], cells: Mapping[int, EnvCell]) -> set[int]:
    reached, waiting = set(starts), sorted(starts)
    while waiting:
        for portal in cells[waiting.pop()].portals:
            if portal.other_cell_id in cells and portal.other_cell_id not in reached:
                reached.add(portal.other_cell_id)
                waiting.append(portal.other_cell_id)
    return reached


def _groups(cells: Mapping[int, EnvCell]) -> list[list[int]]:
    """Groups of rooms connected by portals in either direction, each in ascending order."""
    joined: dict[int, set[int]] = {cell_id: set() for cell_id in cells}
    for cell in cells.values():
        for portal in cell.portals:
            if portal.other_cell_id in joined:
                joined[cell.id].add(portal.other_cell_id)
                joined[portal.other_cell_id].add(cell.id)
    groups: list[list[int]] = []
    known: set[int] = set()
    for start in cells:
        if start not in known:
            group, waiting = {start}, [start]
            while waiting:
                more = joined[waiting.pop()] - group
                group |= more
                waiting += sorted(more)
            known |= group
            groups.append(sorted(group))
    return groups


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
