"""A built world: the bytes of all its records, and its way to files and to a loaded world."""

from __future__ import annotations

import shutil
import tempfile
import weakref
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from engine.build.errors import BuildError
from engine.dat.ids import DatKind
from engine.dat.writer import write_database
from engine.world.entity_spec import EntitySpec
from engine.world.loader import open_world
from engine.world.loader.entities_file import FILE_NAME, write_entities
from engine.world.world import World


@dataclass(frozen=True)
class BuiltWorld:
    """Records by id for both databases, entities, and the ids of cells by the names of the description."""

    portal: Mapping[int, bytes]
    cell: Mapping[int, bytes]
    entities: tuple[EntitySpec, ...]
    cells: Mapping[str, int]

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
        """Write the world as a data folder; the same world gives the same bytes."""
        target = Path(folder)
        target.mkdir(parents=True, exist_ok=True)
        write_database(target / DatKind.PORTAL.file_name, DatKind.PORTAL, sorted(self.portal.items()))
        write_database(target / DatKind.CELL.file_name, DatKind.CELL, sorted(self.cell.items()))
        write_entities(target / FILE_NAME, self.entities)
        return target

    def load(self) -> World:
        """The world as the reader gives it, from files in a temporary folder that goes when the world does."""
        folder = tempfile.mkdtemp(prefix="cellar-door-world-")
        world = open_world(str(self.write(folder)))
        weakref.finalize(world, shutil.rmtree, folder, ignore_errors=True)
        return world
