"""A built world: the bytes of all its records, and its way to files and to a loaded world."""

from __future__ import annotations

import shutil
import tempfile
import weakref
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path

from engine.build.errors import BuildError
from engine.dat.ids import DatKind
from engine.dat.writer import write_database
from engine.world.entity_spec import EntitySpec
from engine.world.loader import open_world
from engine.world.loader.entities_file import FILE_NAME, write_entities
from engine.world.names import NameKey
from engine.world.world import World


@dataclass(frozen=True)
class BuiltWorld:
    """The records by id for both databases, entities, and the ids of cells by the names of the description.

    `closed` are the names of the rooms without an opening. No point is inside such a room: a room without a portal
    contains no point (physics.md #33).
    """

    portal: Mapping[int, bytes]
    cell: Mapping[int, bytes]
    entities: tuple[EntitySpec, ...]
    cells: Mapping[str, int]
    closed: tuple[str, ...] = ()
    described: Mapping[NameKey, str] = field(default_factory=dict)
    """What the description calls each room and each model."""

    def cell_id(self, name: str) -> int:
        """The id of a room or doorway by its name; "interior/room" where several interiors have a room of that name."""
        found = self.cells.get(name)
        if found is None:
            raise BuildError(f"cell {name!r}", "the world has no cell of that name, or more than one")
        return found

    def entity(self, name: str) -> EntitySpec:
        """The entity of a name."""
        found = [entity for entity in self.entities if entity.name == name]
        if len(found) != 1:
            raise BuildError(f"entity {name!r}", f"the world has {len(found)} of that name")
        return found[0]

    def write(self, folder: Path | str) -> Path:
        """Write the world as a data folder; the same world gives the same bytes. Refused while a room is closed."""
        if self.closed:
            reason = "has no opening: for the client such a room contains no point, so no body can stand in it"
            raise BuildError(f"room {self.closed[0]!r}", reason)
        return self._write(folder)

    def _write(self, folder: Path | str) -> Path:
        target = Path(folder)
        target.mkdir(parents=True, exist_ok=True)
        write_database(target / DatKind.PORTAL.file_name, DatKind.PORTAL, sorted(self.portal.items()))
        write_database(target / DatKind.CELL.file_name, DatKind.CELL, sorted(self.cell.items()))
        write_entities(target / FILE_NAME, self.entities)
        return target

    def load(self) -> World:
        """The world as the reader gives it, from files in a temporary folder that goes when the world does.

        A closed room counts as having a portal here, as one in a case of the specification does: single rooms are what
        much is tried out in.
        """
        folder = tempfile.mkdtemp(prefix="cellar-door-world-")
        world = open_world(str(self._write(folder)))
        world.source.leaves_portals_out = bool(self.closed)
        weakref.finalize(world, shutil.rmtree, folder, ignore_errors=True)
        return world
