"""Checks of a landblock beyond the loader's: statics outside their rooms, unreachable rooms, doors that leave gaps, and
stab lists that lack visible cells (dat-format.md 2.4, 2.5; physics.md 9.1).

Stab lists are compared with the search that also computes them (`engine.build.stab`). It follows every chain of portals
instead of sampling eyes, so it misses nothing and always gives the same answer. It takes seconds for hundreds of rooms
and therefore runs in the background.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Final

from editor.authoring.cell_edits import set_stab_list
from editor.authoring.door_fit import gap_of
from editor.session.session import Kind, Selection
from editor.validation.fixes import Fix, fixes_of
from engine.sim.edits.edit import Edit
from engine.sim.tick.simulation import Simulation
from engine.world.cells.cell import EnvCell
from engine.world.cells.ids import block_of, cell_text
from engine.world.cells.position import into_block
from engine.world.faults import CELL, ENTITY, STAB_LIST, Fault, Severity
from engine.world.landblock import Landblock

OVER_THE_FLOOR: Final = 0.1
"""Metres above its origin at which a static is tested against its room; floors are boundaries."""


@dataclass
class Findings:
    """Faults with their places and fixes."""

    faults: list[Fault] = field(default_factory=list)
    places: dict[Fault, Selection] = field(default_factory=dict)
    fixes: dict[Fault, Fix] = field(default_factory=dict)

    def add(self, fault: Fault, place: Selection | None = None, fix: Fix | None = None) -> None:
        self.faults.append(fault)
        if place is not None:
            self.places[fault] = place
        if fix is not None:
            self.fixes[fault] = fix


def check_block(sim: Simulation, block: Landblock, seen: Mapping[int, Sequence[int]] | None) -> Findings:
    """All faults that these checks find; `seen` are the cells visible from each room, or None while unknown."""
    found = Findings()
    _check_reach(sim, block, found)
    _check_entities(sim, block, found)
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


def _check_entities(sim: Simulation, block: Landblock, found: Findings) -> None:
    cells = block.env_cells
    doors = {door.id: door for door in sim.population.doors}
    for entity in sim.population.ordered:
        cell_id = entity.place_cell()
        if block_of(cell_id) != block_of(block.id):
            continue
        place = Selection(Kind.ENTITY, block.id, entity.id)
        cell = sim.graph.peek(cell_id)
        x, y, z = into_block(block.id, cell_id, entity.origin())
        if cell is None:
            reason = f"{entity.name} is in {cell_text(cell_id)}, which does not exist"
            found.add(Fault(entity.id, ENTITY, reason), place)
        elif cell.is_interior and not any(room.point_in_cell((x, y, z + OVER_THE_FLOOR)) for room in cells):
            reason = f"{entity.name} is listed in {cell_text(cell_id)}, but its place is not in any room"
            found.add(Fault(entity.id, ENTITY, reason, Severity.WARNING), place)
        door = doors.get(entity.id)
        gap = None if door is None else gap_of(door, block)
        if gap is not None:
            found.add(Fault(entity.id, ENTITY, f"{entity.name} {gap}", Severity.WARNING), place)


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
