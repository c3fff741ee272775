"""Safe fixes of what the geometric checks find: those after which nothing else can look or collide otherwise."""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

from engine.dat.records import EnvCell as EnvCellRecord
from engine.dat.records import Stab
from engine.findings.finding import FixForm, Found
from engine.geometry.vec import Vec3, distance
from engine.sim.data_files.cell_edits import changed
from engine.sim.tick.simulation import Simulation
from engine.survey.checks.statics import ELSEWHERE, SAME_PLACE, TWICE, holder_of
from engine.world.cells.cell import EnvCell
from engine.world.cells.ids import cell_text


def remedy(sim: Simulation, found: Found) -> FixForm | None:
    """The fix of a finding, for the world as it is now; None where more than one would do, or none."""
    make = _REMEDIES.get(found.check)
    cell = None if make is None else sim.graph.peek(found.cell)
    if make is None or not isinstance(cell, EnvCell) or found.place is None:
        return None
    return make(sim, cell, found.place[1])


def _numbers_at(cell: EnvCell, point: Vec3) -> list[int]:
    return [
        number
        for number, static in enumerate(cell.static_objects)
        if distance(static.frame.origin, point) <= SAME_PLACE
    ]


def _take_out(sim: Simulation, cell: EnvCell, point: Vec3) -> FixForm | None:
    """The later of two things in one place; the fix of one that the room and another record have is not certain."""
    numbers = _numbers_at(cell, point)
    if len(numbers) < 2:
        return None
    name = f"Remove Static {numbers[-1]} of {cell_text(cell.id)}"

    def change(record: EnvCellRecord) -> None:
        del record.objects[numbers[-1]]

    return FixForm.of(name, changed(sim, cell.id, change))


def _hand_over(sim: Simulation, cell: EnvCell, point: Vec3) -> FixForm | None:
    """The thing is listed in the room that holds it, where it stands."""
    numbers = _numbers_at(cell, point)
    block = sim.world.landblock(cell.id)
    if len(numbers) != 1 or block is None:
        return None
    static = cell.static_objects[numbers[0]]
    holder = holder_of(sim.world.source, block.env_cells, static)
    if holder is None:
        return None
    taken: list[Stab] = []
    edits = changed(sim, cell.id, lambda record: taken.append(record.objects.pop(numbers[0])))
    edits += changed(sim, holder.id, lambda record: record.objects.extend(taken))
    return FixForm.of(f"List Static {numbers[0]} of {cell_text(cell.id)} in {cell_text(holder.id)}", edits)


_REMEDIES: Final[dict[str, Callable[[Simulation, EnvCell, Vec3], FixForm | None]]] = {
    TWICE.id: _take_out,
    ELSEWHERE.id: _hand_over,
}
