"""The demo world with some of its records changed: what defects are planted in.

Records are copied when they are first asked for, and laid over those of the demo's files when the world is opened. So a
planted world costs as much as the landblocks that are then loaded from it.
"""

from __future__ import annotations

import copy
from collections.abc import Callable, Iterator
from functools import cache
from typing import TypeVar

from engine.build.demo import ensure_demo
from engine.build.records.bsp import physics_record
from engine.dat.database import DatDatabase
from engine.dat.datafolder import DatFolder
from engine.dat.records import (
    BspNode,
    CellStruct,
    DatPolygon,
    DatRecord,
    EnvCell,
    Environment,
    GfxObj,
    KeyedStruct,
    LandBlock,
    LandBlockInfo,
    Vertex,
)
from engine.dat.records.catalogue import read_record, write_record
from engine.entities.specs import pack_spec
from engine.geometry.compile.physics import compile_physics
from engine.geometry.frame import Frame
from engine.geometry.polygon import Polygon
from engine.geometry.vec import Vec3, r24v
from engine.sim.data_files.overlaid import OverlaidRecords
from engine.world.entity_spec import EntitySpec
from engine.world.loader.dat_source import DatSource
from engine.world.loader.entities_file import FILE_NAME, read_entities
from engine.world.world import World

VILLAGE = 0xC95BFFFF
DUNGEON = 0x0007FFFF
FIRST_ROOM = 0x100

OWN_ENVIRONMENT = 0x0D00F000
"""The first id of what a draft adds."""

NO_UVS = 0x14

RecordT = TypeVar("RecordT", bound=DatRecord)


@cache
def demo_folder() -> DatFolder:
    return DatFolder(ensure_demo())


@cache
def _demo_entities() -> list[EntitySpec]:
    return read_entities(ensure_demo() / FILE_NAME)[0]


class Draft:
    """Changes of the demo world, for one opened world."""

    def __init__(self) -> None:
        self._portal: dict[int, DatRecord] = {}
        self._cell: dict[int, DatRecord] = {}
        self._gone: set[int] = set()
        self.entities = copy.deepcopy(_demo_entities())

    # --- records to change

    def room(self, cell_id: int) -> EnvCell:
        return self._changed(self._cell, EnvCell, cell_id, demo_folder().cell.read)

    def rooms(self, block_id: int) -> list[EnvCell]:
        """All rooms of a landblock, as they are now; to be looked at only."""
        first = block_id & 0xFFFF0000 | FIRST_ROOM
        return [self.seen_room(cell_id) for cell_id in demo_folder().cell.ids(first, block_id - 3)]

    def seen_room(self, cell_id: int) -> EnvCell:
        """A room to be looked at only."""
        changed = self._cell.get(cell_id)
        if isinstance(changed, EnvCell):
            return changed
        return read_record(EnvCell, demo_folder().cell.read(cell_id), file="demo", record_id=cell_id)

    def info(self, block_id: int) -> LandBlockInfo:
        return self._changed(self._cell, LandBlockInfo, block_id - 1, demo_folder().cell.read)

    def land(self, block_id: int) -> LandBlock:
        return self._changed(self._cell, LandBlock, block_id, demo_folder().cell.read)

    def remove_cell_record(self, record_id: int) -> None:
        self._gone.add(record_id)

    def structure(self, cell_id: int) -> CellStruct:
        """The shape of a room, which from now on is its own: other rooms of the same shape stay as they are."""
        room = self.room(cell_id)
        environment_id = OWN_ENVIRONMENT + (cell_id & 0xFFF)
        own = self._portal.get(environment_id)
        if not isinstance(own, Environment):
            own = Environment(environment_id, [KeyedStruct(0, copy.deepcopy(self.seen_structure(room)))])
            self._portal[environment_id] = own
            room.environment, room.structure = environment_id & 0xFFFF, 0
        return own.structures[0].structure

    def seen_structure(self, room: EnvCell) -> CellStruct:
        """The shape of a room, to be looked at only."""
        environment_id = 0x0D000000 | room.environment
        own = self._portal.get(environment_id)
        structures = own.structures if isinstance(own, Environment) else _environment(environment_id).structures
        return next(keyed.structure for keyed in structures if keyed.key == room.structure)

    def entity(self, name: str) -> EntitySpec:
        return next(spec for spec in self.entities if spec.name == name)

    def _changed(
        self, records: dict[int, DatRecord], kind: type[RecordT], record_id: int, read: Callable[[int], bytes]
    ) -> RecordT:
        found = records.get(record_id)
        if found is None:
            found = records[record_id] = read_record(kind, read(record_id), file="demo", record_id=record_id)
        assert isinstance(found, kind)
        return found

    # --- the world

    def changes(self) -> tuple[dict[int, bytes], dict[int, bytes | None], list[bytes]]:
        """The records of the two databases that are not as in the demo world, None for those that are gone, and the
        entities."""
        folder = demo_folder()
        cell = _changed_bytes(self._cell, folder.cell)
        entities = [pack_spec(spec) for spec in self.entities]
        return _changed_bytes(self._portal, folder.portal), {**cell, **dict.fromkeys(self._gone)}, entities

    def open(self) -> World:
        folder = demo_folder()
        portal, cell, _ = self.changes()
        source = DatSource("planted", OverlaidRecords(folder.portal, portal), OverlaidRecords(folder.cell, cell))
        source.entities = self.entities
        return World(source)


@cache
def _environment(environment_id: int) -> Environment:
    return read_record(Environment, demo_folder().portal.read(environment_id), file="demo", record_id=environment_id)


def _changed_bytes(records: dict[int, DatRecord], database: DatDatabase) -> dict[int, bytes]:
    written = {record_id: write_record(record) for record_id, record in records.items()}
    return {key: data for key, data in written.items() if key not in database or database.read(key) != data}


# --- shapes


def points_of(shape: CellStruct | GfxObj, polygon: DatPolygon) -> list[Vec3]:
    """The corners of a polygon in its shape's own space."""
    places = {vertex.key: vertex.position for vertex in shape.vertices}
    return [places[key] for key in polygon.vertex_ids]


def frame_of(room: EnvCell) -> Frame:
    return Frame(room.frame.origin, room.frame.rotation)


def add_solid(shape: CellStruct | GfxObj, points: list[Vec3]) -> DatPolygon:
    """Add a polygon that collides and is not drawn; counter-clockwise seen from where it stops bodies."""
    first = 1 + max((vertex.key for vertex in shape.vertices), default=-1)
    keys = list(range(first, first + len(points)))
    shape.vertices += [Vertex(key, r24v(p), (0.0, 0.0, 1.0), []) for key, p in zip(keys, points, strict=True)]
    key = 1 + max((polygon.key for polygon in shape.physics_polygons), default=-1)
    made = DatPolygon(key, NO_UVS, 0, -1, -1, keys)
    shape.physics_polygons.append(made)
    return made


def own_corners(shape: CellStruct | GfxObj, polygon: DatPolygon) -> list[Vertex]:
    """Give a polygon vertices that no other polygon shares; returns them, to be moved."""
    places = {vertex.key: vertex for vertex in shape.vertices}
    made: list[Vertex] = []
    for key in polygon.vertex_ids:
        vertex = copy.deepcopy(places[key])
        vertex.key = 1 + max(other.key for other in shape.vertices)
        shape.vertices.append(vertex)
        made.append(vertex)
    polygon.vertex_ids = [vertex.key for vertex in made]
    return made


def compile_again(shape: CellStruct, openings: list[list[Vec3]]) -> None:
    """Make the physics tree of a room's shape from its polygons."""
    solid = [Polygon(polygon.key, points_of(shape, polygon)) for polygon in shape.physics_polygons]
    ways = [Polygon(number, points) for number, points in enumerate(openings)]
    shape.physics_bsp = physics_record(compile_physics(solid, openings=ways, room=True).root)


def openings_of(room: EnvCell, shape: CellStruct) -> list[list[Vec3]]:
    """The corners of a room's portals, by portal."""
    polygons = {polygon.key: polygon for polygon in shape.polygons}
    return [points_of(shape, polygons[portal.polygon_id]) for portal in room.portals]


def nodes_of(tree: BspNode | None) -> Iterator[BspNode]:
    """A tree's nodes, parents first."""
    if tree is not None:
        yield tree
        yield from nodes_of(tree.pos)
        yield from nodes_of(tree.neg)


def take_from_tree(tree: BspNode, key: int) -> None:
    """Let a tree forget a polygon, which stays in the list beside it."""
    for node in nodes_of(tree):
        node.polygon_ids = [other for other in node.polygon_ids if other != key]


def take_away(shape: CellStruct | GfxObj, key: int) -> None:
    """Remove a polygon that collides from the list and from the tree."""
    assert shape.physics_bsp is not None
    take_from_tree(shape.physics_bsp, key)
    shape.physics_polygons = [polygon for polygon in shape.physics_polygons if polygon.key != key]
