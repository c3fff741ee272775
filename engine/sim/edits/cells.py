"""The edit of a room: another record in the place of the one it has (dat-format.md 2.4)."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from engine.dat.records import EnvCell as EnvCellRecord
from engine.dat.records.catalogue import read_record
from engine.entities.footing import let_fall
from engine.physics.errors import PhysicsError
from engine.sim.edits.edit import Edit
from engine.world.cells.cell import EnvCell
from engine.world.cells.ids import cell_text, landblock_id
from engine.world.loader.edited import EDITED, cell_record_bytes, record_of_cell

if TYPE_CHECKING:
    from engine.sim.tick.simulation import Simulation


@dataclass(frozen=True)
class ReplaceCell(Edit):
    """Replace the room of the same id with an edited one.

    `cell` is an EnvCell record and `environment` an Environment record, or empty when the room's shape is one of the
    world's. What is registered nearby finds its cells anew when the room leads elsewhere now.
    """

    cell: bytes
    environment: bytes

    @property
    def cell_id(self) -> int:
        return int.from_bytes(self.cell[:4], "little")

    def apply(self, sim: Simulation) -> None:
        room_id = sim.rooms.replace(self.cell, self.environment)
        sim.population.reenter(landblock_id(room_id))
        let_fall(sim.population.bodies)

    def inverse(self, sim: Simulation) -> list[Edit]:
        cell_id = self.cell_id
        if not isinstance(sim.graph.get_visible(cell_id), EnvCell):
            raise PhysicsError(f"there is no room {cell_text(cell_id)} to replace")
        kept = sim.rooms.records_of(cell_id)
        if kept is not None:
            return [ReplaceCell(kept[0], kept[1])]
        return [ReplaceCell(cell_record_bytes(current_record(sim, cell_id)), b"")]


def current_record(sim: Simulation, cell_id: int) -> EnvCellRecord:
    """A copy of a room's record: as it was edited last, else as it was loaded.

    The room alone does not know all of it, like the cell that a portal names which leads outdoors by its flag.
    """
    kept, loaded = sim.rooms.records_of(cell_id), sim.world.record(cell_id)
    if kept is not None:
        return read_record(EnvCellRecord, kept[0], file=EDITED, record_id=cell_id)
    if isinstance(loaded, EnvCellRecord):
        return read_record(EnvCellRecord, cell_record_bytes(loaded), file=EDITED, record_id=cell_id)
    room = sim.graph.get_visible(cell_id)
    if not isinstance(room, EnvCell):
        raise PhysicsError(f"{cell_text(cell_id)} is not a room")
    return record_of_cell(sim.world.source, room)
