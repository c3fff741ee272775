"""Identifies the world of a recorded run by digests of everything that moves bodies and stops them.

What is hashed are the values that stand in records, single-precision numbers as their four bytes. Of scenery, which no
record places, it is what chooses it and what its scene says of it: nothing that was computed of sines and powers.
Pictures, names and everything else that a sweep never asks for are left out, so a repainted world is still the same.
The digests are of the source's content as it is loaded afresh; edits made during the run are part of the recording.

Digests without `RECORDS` at their beginning are of an earlier form, in which the computed places of scenery were
hashed. They are still compared; where they differ only scenery may have been computed otherwise, nobody can tell.
"""

from __future__ import annotations

import hashlib
import struct
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Final

from engine.entities.human import human_setup, motions_of_players
from engine.entities.specs import DOOR, table_of
from engine.geometry.bsp import PhysicsInner, PhysicsLeaf, PhysicsTree
from engine.geometry.cell_bsp import CellInner, CellNode
from engine.geometry.frame import Frame
from engine.geometry.polygon import Polygon
from engine.world.cells.cell import Building, CellStruct, EnvCell, ObjCell
from engine.world.cells.ids import cell_text
from engine.world.cells.motion import Motion
from engine.world.cells.objects import GfxObj, Setup
from engine.world.landblock import Landblock
from engine.world.scenery import PlacedScenery
from engine.world.world import World

ENTITIES: Final = "entities"
PLAYER: Final = "player"
"""The parts of a world besides its landblocks: its entities, and the body and motions of players."""

DIGEST_SIZE: Final = 16
NOTHING: Final = "nothing"
"""Stands for a landblock that the world does not have."""

RECORDS: Final = "records:"
"""Begins the digests over what records hold."""


@dataclass(frozen=True)
class Compared:
    """The parts of a world that are others than those noted, and landblocks of which it cannot be told."""

    differing: list[str]
    untold: list[str]


def world_identity(world: World, landblocks: Iterable[int]) -> dict[str, str]:
    """A digest for each of these landblocks, for the entities that the world starts with, and for players' bodies."""
    blocks = sorted(landblocks)
    digests = _Digests(world, of_records=True)
    return {cell_text(block_id): digests.landblock(block_id) for block_id in blocks} | digests.people(blocks)


def differing_parts(world: World, identity: dict[str, str]) -> list[str]:
    """Return the parts of the world that have changed: ids of landblocks, "entities", "player"."""
    return compare_world(world, identity).differing


def compare_world(world: World, identity: dict[str, str]) -> Compared:
    """Compare each part with what was noted of it."""
    known = KnownParts(world)
    for _ in known.steps(identity):
        pass
    return known.compared(identity)


class KnownParts:
    """The digests of one world's parts, in every form that was asked for; each is computed once."""

    def __init__(self, world: World) -> None:
        self._world = world
        self._blocks: dict[tuple[str, bool], str] = {}
        self._people: dict[tuple[tuple[int, ...], bool], dict[str, str]] = {}

    def steps(self, identity: dict[str, str]) -> Iterator[None]:
        """Compute what a comparison needs, a landblock each."""
        for name in _landblocks(identity):
            self._block(name, is_of_records(identity[name]))
            yield

    def now(self, identity: dict[str, str]) -> dict[str, str]:
        """The digests of now of the parts that are named, each in the form in which it was noted."""
        found = {name: self._block(name, is_of_records(identity[name])) for name in _landblocks(identity)}
        blocks = tuple(sorted(int(name, 16) for name in found))
        for name in (ENTITIES, PLAYER):
            if name in identity:
                found[name] = self._of_people(blocks, is_of_records(identity[name]))[name]
        return {name: found[name] for name in identity}

    def compared(self, identity: dict[str, str]) -> Compared:
        now = self.now(identity)
        others = [name for name, digest in identity.items() if now[name] != digest]
        untold = [name for name in others if self._is_untold(name, identity[name])]
        return Compared([name for name in others if name not in untold], untold)

    def _is_untold(self, name: str, noted: str) -> bool:
        if name in (ENTITIES, PLAYER) or is_of_records(noted) or noted == NOTHING:
            return False
        block = self._world.source.load_landblock(int(name, 16))
        return block is not None and bool(block.scenery)

    def _block(self, name: str, of_records: bool) -> str:
        key = (name, of_records)
        if key not in self._blocks:
            self._blocks[key] = _Digests(self._world, of_records).landblock(int(name, 16))
        return self._blocks[key]

    def _of_people(self, blocks: tuple[int, ...], of_records: bool) -> dict[str, str]:
        # Without entities that come landblock by landblock, they are the same for all recordings.
        key = (blocks if self._world.source.by_block is not None else (), of_records)
        if key not in self._people:
            self._people[key] = _Digests(self._world, of_records).people(blocks)
        return self._people[key]


def _landblocks(identity: dict[str, str]) -> list[str]:
    return [name for name in identity if name not in (ENTITIES, PLAYER)]


def is_of_records(digest: str) -> bool:
    """Whether a digest has the form of now. That nothing was there is the same in both."""
    return digest.startswith(RECORDS)


class _Digests:
    """Digests of one world. Shapes and models are shared, so each is gone through once."""

    def __init__(self, world: World, of_records: bool) -> None:
        self.world = world
        self._of_records = of_records
        self._models: dict[int, bytes] = {}
        self._meshes: dict[int, bytes] = {}
        self._tables: dict[int, bytes] = {}
        self._structures: dict[tuple[int, int], bytes] = {}

    def people(self, blocks: Iterable[int]) -> dict[str, str]:
        """The digests of the entities and of players' bodies, where a run came near to these landblocks."""
        return {ENTITIES: self.entities(sorted(blocks)), PLAYER: self.player()}

    def _hash(self) -> _Hash:
        return _RecordHash() if self._of_records else _Hash()

    def landblock(self, block_id: int) -> str:
        block = self.world.source.load_landblock(block_id)
        if block is None:
            return NOTHING
        out = self._hash()
        out.integers(block.id, block.num_cells)
        if block.terrain is not None:
            out.integers(*block.terrain.words)
            out.reals(*block.terrain.z)
        for building in block.buildings:
            self._building(out, building)
        for cell in block.cells:
            self._cell(out, cell)
        self._things(out, block)
        return out.text()

    def entities(self, blocks: Iterable[int]) -> str:
        """The listed entities of the whole world, and what a server lets stand in these landblocks."""
        out = self._hash()
        by_block = self.world.source.by_block
        made = [] if by_block is None else [spec for block_id in blocks for spec in by_block.of_block(block_id)]
        listed = {spec.guid for spec in self.world.entities}
        specs = [*self.world.entities, *(spec for spec in made if spec.guid not in listed)]
        for spec in sorted(specs, key=lambda spec: spec.guid):
            out.integers(spec.guid, spec.setup_id, spec.cell_id, spec.state)
            out.texts(spec.name, spec.kind, repr(sorted(spec.extra.items())))
            out.reals(spec.scale)
            out.frame(spec.frame)
            out.data(self._model(spec.setup_id))
            setup = self.world.setup(spec.setup_id)
            if setup is not None and spec.kind == DOOR:
                out.data(self._motions(table_of(spec, setup)))
            elif setup is not None:
                self._own_motion(out, table_of(spec, setup))
        return out.text()

    def _own_motion(self, out: _Hash, table_id: int) -> None:
        """Hash the motion of an entity in its default state."""
        table = self.world.motion_table(table_id) if table_id != 0 else None
        cycle = None if table is None else table.cycle(table.default_style, table.default_substate(table.default_style))
        if cycle is not None:
            out.motion(cycle)

    def player(self) -> str:
        """The spheres that players sweep with and what moves them (physics.md #2, #4)."""
        setup = human_setup(self.world)
        if setup is None:
            return NOTHING
        out = self._hash()
        out.data(self._setup(setup))
        table = self.world.motion_table(setup.default_motion_table)
        if table is not None:
            for motion in motions_of_players(table):
                out.motion(motion)
        return out.text()

    def _building(self, out: _Hash, building: Building) -> None:
        out.integers(building.cell_id, building.model_id)
        out.frame(building.frame)
        out.data(self._mesh(building.shell))
        for portal in building.portals:
            out.integers(portal.flags, portal.other_cell_id, portal.other_portal_id, *portal.stab_list)

    def _cell(self, out: _Hash, cell: ObjCell) -> None:
        out.integers(cell.id, cell.water_type, cell.restriction_object, int(cell.seen_outside), *cell.stab_list)
        out.frame(cell.frame)
        if isinstance(cell, EnvCell):
            out.integers(cell.flags)
            out.data(self._structure(cell.structure))
            for portal in cell.portals:
                out.integers(portal.flags, portal.polygon_id, portal.other_cell_id, portal.other_portal_id)
                if portal.polygon is not None:
                    out.polygon(portal.polygon)

    def _things(self, out: _Hash, block: Landblock) -> None:
        for thing in [*block.statics, *(thing for cell in block.cells for thing in cell.static_objects)]:
            out.integers(thing.id, thing.model_id)
            out.frame(thing.frame)
            out.reals(thing.scale)
            out.data(self._model(thing.model_id))
        for plant in block.scenery:
            out.integers(plant.model_id)
            if self._of_records:
                self._chosen(out, plant)
            else:
                out.frame(plant.frame)
                out.reals(plant.scale)
            out.data(self._model(plant.model_id))

    def _chosen(self, out: _Hash, plant: PlacedScenery) -> None:
        """Where on the land a plant was chosen to stand, and what its scene's record says of its kind."""
        out.integers(plant.scene_id, plant.index, plant.vertex)
        kinds = self.world.source.scene_objects(plant.scene_id) or ()
        if plant.index < len(kinds):
            kind = kinds[plant.index]
            out.integers(int(kind.align))
            out.reals(*kind.base_origin, *kind.base_rotation, kind.displace_x, kind.displace_y)
            out.reals(kind.min_scale, kind.max_scale, kind.max_rotation)

    def _structure(self, structure: CellStruct) -> bytes:
        key = (structure.environment_id, structure.index)
        if key not in self._structures:
            out = self._hash()
            out.tree(structure.physics_tree)
            out.cell_tree(structure.cell_tree)
            self._structures[key] = out.digest()
        return self._structures[key]

    def _mesh(self, mesh: GfxObj | None) -> bytes:
        if mesh is None:
            return b""
        if mesh.id not in self._meshes:
            out = self._hash()
            out.tree(mesh.physics_tree)
            out.reals(*mesh.box.minimum, *mesh.box.maximum)
            if mesh.bounding_sphere is not None:
                out.reals(*mesh.bounding_sphere.center, mesh.bounding_sphere.radius)
            if mesh.drawn_flat:
                out.texts("flat")
            self._meshes[mesh.id] = out.digest()
        return self._meshes[mesh.id]

    def _model(self, model_id: int) -> bytes:
        if model_id not in self._models:
            setup = self.world.setup(model_id)
            self._models[model_id] = b"" if setup is None else self._setup(setup)
        return self._models[model_id]

    def _motions(self, table_id: int) -> bytes:
        """Hash the time that a door takes to open, and the frames of its open leaves."""
        if table_id not in self._tables:
            out = self._hash()
            table = self.world.motion_table(table_id) if table_id != 0 else None
            if table is not None:
                out.integers(table.id, *(part for item in sorted(table.style_defaults.items()) for part in item))
                for key in sorted(table.cycles):
                    out.integers(key)
                    out.motion(table.cycles[key])
                for key in sorted(table.links):
                    for command in sorted(table.links[key]):
                        out.integers(key, command)
                        out.motion(table.links[key][command])
            self._tables[table_id] = out.digest()
        return self._tables[table_id]

    def _setup(self, setup: Setup) -> bytes:
        out = self._hash()
        out.integers(setup.id, setup.default_motion_table, int(setup.allow_free_heading))
        out.reals(setup.height, setup.radius, setup.step_up_height, setup.step_down_height)
        for sphere in [*setup.spheres, setup.sorting_sphere]:
            out.reals(*sphere.center, sphere.radius)
        for cyl in setup.cyl_spheres:
            out.reals(*cyl.low_point, cyl.radius, cyl.height)
        for part in setup.parts:
            out.integers(part.gfxobj_id, part.parent)
            out.reals(*part.scale)
            out.data(self._mesh(part.gfxobj))
        for key in sorted(setup.placements):
            out.integers(key)
            for frame in setup.placements[key]:
                out.frame(frame)
        return out.digest()


class _Hash:
    """Bytes on their way into one digest; every list comes with its length."""

    def __init__(self) -> None:
        self._hash = hashlib.blake2b(digest_size=DIGEST_SIZE)

    def digest(self) -> bytes:
        return self._hash.digest()

    def text(self) -> str:
        return self._hash.hexdigest()

    def integers(self, *values: int) -> None:
        self._hash.update(struct.pack(f"<I{len(values)}q", len(values), *values))

    def reals(self, *values: float) -> None:
        self._hash.update(struct.pack(f"<I{len(values)}d", len(values), *values))

    def texts(self, *values: str) -> None:
        for value in values:
            self.data(value.encode())

    def data(self, value: bytes) -> None:
        self._hash.update(struct.pack("<I", len(value)) + value)

    def frame(self, frame: Frame) -> None:
        self.reals(*frame.origin, *frame.rotation)

    def polygon(self, polygon: Polygon) -> None:
        self.integers(polygon.id, polygon.sides_type)
        self.reals(*(part for corner in polygon.vertices for part in corner))

    def motion(self, motion: Motion) -> None:
        self.integers(motion.bitfield)
        self.reals(*motion.velocity, *motion.omega)
        for stretch in motion.stretches:
            self.integers(stretch.animation.id, stretch.low, stretch.high)
            self.reals(stretch.framerate)
            for frame in stretch.animation.position_frames:
                self.frame(frame)
            for frames in stretch.animation.frames[stretch.low : stretch.high + 1]:
                for frame in frames:
                    self.frame(frame)

    def tree(self, tree: PhysicsTree | None) -> None:
        if tree is None:
            return
        for polygon in tree.polygons:
            self.polygon(polygon)
        for node in tree.nodes():
            self.reals(*node.sphere.center, node.sphere.radius)
            if isinstance(node, PhysicsInner):
                self.reals(*node.plane.normal, node.plane.d)
                self.integers(int(node.pos is not None), int(node.neg is not None))
            elif isinstance(node, PhysicsLeaf):
                self.integers(node.index, int(node.solid), *(polygon.id for polygon in node.polygons))

    def cell_tree(self, node: CellNode | None) -> None:
        """Its queries walk the positive children alone."""
        while isinstance(node, CellInner):
            self.reals(*node.plane.normal, node.plane.d)
            node = node.pos
        self.integers(int(node is not None))


class _RecordHash(_Hash):
    """Numbers as records have them: in four bytes where they are singles, as those of data files are."""

    def text(self) -> str:
        return RECORDS + super().text()

    def reals(self, *values: float) -> None:
        try:
            packed = struct.pack(f"<{len(values)}f", *values)
        except OverflowError:  # more than a single can hold
            packed = b""
        if packed and struct.unpack(f"<{len(values)}f", packed) == values:
            self.data(packed)
        else:
            super().reals(*values)
