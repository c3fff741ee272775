"""Rooms that edits have replaced, and their restoring."""

from __future__ import annotations

from engine.entities.population import Population
from engine.entities.state_io import StateIO
from engine.physics.errors import PhysicsError
from engine.world.cells.cell import EnvCell, ObjCell
from engine.world.cells.ids import cell_text
from engine.world.loader.edited import cell_of_records
from engine.world.world import World


class EditedRooms:
    """The records of the edited rooms by cell id, and the loaded rooms that they stand for."""

    world: World
    population: Population
    _records: dict[int, list[bytes]]
    _loaded: dict[int, ObjCell]

    def __init__(self, world: World, population: Population) -> None:
        self.world = world
        self.population = population
        self._records = {}
        self._loaded = {}

    def replace(self, cell: bytes, environment: bytes) -> int:
        """Replace the room with the id of a record by one made of that record; returns the id.

        What else is registered in its landblock finds its cells anew where that depends on what was edited.
        """
        room = cell_of_records(self.world.source, cell, environment)
        old = self._replace(room, cell, environment)
        if _leads_elsewhere(old, room):
            self.population.find_cells_again(room.id)
        return room.id

    def _replace(self, room: EnvCell, cell: bytes, environment: bytes) -> ObjCell:
        """Replace a room; returns the one before."""
        old = self.world.graph.get_visible(room.id)
        if old is None:
            raise PhysicsError(f"there is no cell {cell_text(room.id)} to replace")
        self._loaded.setdefault(room.id, old)
        self._records[room.id] = [cell, environment]
        self._put(room, old)
        return old

    def all_records(self) -> dict[int, tuple[bytes, bytes]]:
        """The records of all edited rooms, by cell id."""
        return {cell_id: (self._records[cell_id][0], self._records[cell_id][1]) for cell_id in sorted(self._records)}

    def records_of(self, cell_id: int) -> tuple[bytes, bytes] | None:
        """The records of an edited room; None for one as it was loaded."""
        records = self._records.get(cell_id)
        return None if records is None else (records[0], records[1])

    def _put(self, room: ObjCell, old: ObjCell) -> None:
        """The room's own things go with it."""
        statics = self.population.statics
        for thing in old.static_objects:
            if thing.id in statics.things:
                statics.remove(thing.id)
        self.world.graph.replace_cell(room)
        statics.add_cell(room)

    def put_back_all(self) -> None:
        """The loaded rooms as they were."""
        for cell_id in sorted(self._records):
            self._put_back(cell_id)
        self._records = {}

    def _put_back(self, cell_id: int) -> None:
        now = self.world.graph.peek(cell_id)
        if now is not None:
            self._put(self._loaded[cell_id], now)

    def visit(self, io: StateIO) -> None:
        io.section("rooms")
        count = io.count("edited", len(self._records))
        if not io.reading:
            for cell_id in sorted(self._records):
                cell, environment = self._records[cell_id]
                io.blob("cell", cell)
                io.blob("environment", environment)
            return
        wanted = [[io.blob("cell", b""), io.blob("environment", b"")] for _ in range(count)]
        for cell_id in sorted(self._records):
            if self._records[cell_id] not in wanted:
                self._put_back(cell_id)
                del self._records[cell_id]
        there = list(self._records.values())
        for cell, environment in wanted:
            if [cell, environment] not in there:  # its things are registered again from the saved state
                self._replace(cell_of_records(self.world.source, cell, environment), cell, environment)


def _leads_elsewhere(old: ObjCell, room: EnvCell) -> bool:
    """Whether other cells may be reached through a room than before it was edited, or it may be elsewhere itself."""
    if not isinstance(old, EnvCell) or old.structure is not room.structure or old.stab_list != room.stab_list:
        return True
    if old.frame.origin != room.frame.origin or old.frame.rotation != room.frame.rotation:
        return True
    if len(old.portals) != len(room.portals):
        return True
    for index in range(len(old.portals)):
        before = old.portals[index]
        after = room.portals[index]
        if before.flags != after.flags or before.polygon_id != after.polygon_id:
            return True
        if before.other_cell_id != after.other_cell_id or before.other_portal_id != after.other_portal_id:
            return True
    return False
