"""A small built world, and server data with things for it."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from engine.build.built import BuiltWorld
from engine.world.entity_spec import EntitySpec
from engine.world.server.attach import attach_server_data
from engine.world.server.entities import ServerEntities, Wanted
from engine.world.world import World
from tests.world.server.worlds import Numbers, instance_sql, weenie_sql, write


@dataclass
class Place:
    """A built world with a door, whose model server data can name; its own list of entities is empty."""

    made: BuiltWorld
    folder: Path

    @property
    def door(self) -> EntitySpec:
        return self.made.entity("door")

    @property
    def block_id(self) -> int:
        return self.door.cell_id | 0xFFFF

    def guid(self, number: int) -> int:
        return 0x70000000 | (self.block_id >> 16) << 12 | number

    def weenie(self, wcid: int, kind: int, name: str, text: str = "", **properties: dict[int, object]) -> None:
        models: dict[int, object] = {1: self.door.setup_id, **properties.pop("d_i_d", {})}
        write(self.folder / "weenies" / f"{wcid}.sql", weenie_sql(wcid, kind, name, d_i_d=models, **properties), text)

    def instances(self, *texts: str) -> None:
        write(self.folder / "landblocks" / f"{self.block_id >> 16:04X}.sql", *texts)

    def here(self, number: int, wcid: int, low: int | None = None, origin: Numbers = (), rotation: Numbers = ()) -> str:
        cell_id = self.door.cell_id if low is None else self.block_id & 0xFFFF0000 | low
        frame = self.door.frame
        return instance_sql(self.guid(number), wcid, cell_id, origin or frame.origin, rotation or frame.rotation)

    def load(self, wanted: Wanted | None = None) -> tuple[World, ServerEntities]:
        world = self.made.load()
        world.source.entities = []
        return world, attach_server_data(world, self.folder, wanted)

    def only(self) -> EntitySpec:
        world, _ = self.load()
        (found,) = world.entities_of(self.block_id)
        return found
