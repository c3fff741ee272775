"""The things that landblocks and rooms bring along: placed objects, scenery, furniture (physics.md 8.3, 8.5).

They have no network state: HAS_PHYSICS_BSP is derived from their parts. They hardly ever change, so their packed form
is kept until they do.
"""

from __future__ import annotations

import hashlib

from engine.entities.body_state import visit_registration
from engine.entities.state_io import StateIO, StateReader, StateWriter
from engine.geometry.frame import Frame
from engine.geometry.sphere import Sphere
from engine.geometry.vec import ZERO
from engine.physics.errors import PhysicsError
from engine.physics.flags import HAS_PHYSICS_BSP, STATIC
from engine.physics.objects.shadows import Registration, ShadowRegistry
from engine.physics.objects.shapes import PlacedShapes, occupancy_sphere, shapes_from_setup
from engine.world.cells.cell import EnvCell, ObjCell
from engine.world.cells.ids import cell_text, landblock_id
from engine.world.cells.objects import Setup, StaticObject
from engine.world.entity_limits import WORD
from engine.world.landblock import Landblock
from engine.world.world import World


class StaticThing:
    """A static thing of a landblock or cell that collides. Simulations share those that are where their records
    place them, with their shapes there; `placed` is None for one that a saved state brought back."""

    id: int
    model_id: int
    scale: float
    placed: PlacedShapes | None

    def __init__(self, object_id: int, model_id: int, scale: float, placed: PlacedShapes | None = None) -> None:
        self.id = object_id
        self.model_id = model_id
        self.scale = scale
        self.placed = placed


class Statics:
    """The static things that are registered, by id and in the order of their registration."""

    world: World
    registry: ShadowRegistry
    things: dict[int, StaticThing]
    changes: int
    """Grows with every change to any of them, so that observers need not compare each."""
    packed: bytes
    """The packed state of all things, empty after a change, and its digest."""
    digest: bytes

    def __init__(self, world: World, registry: ShadowRegistry) -> None:
        self.world = world
        self.registry = registry
        self.things = {}
        self.changes = 0
        self.packed = b""
        self.digest = b""

    def add_landblock(self, block: Landblock) -> None:
        """Register the things of a landblock: those of its record, its scenery, and those of its rooms."""
        for thing in block.statics:
            self._add(thing, block.id)
        for plant in block.grown:
            self._add(plant, block.id)
        for cell in block.env_cells:
            self.add_cell(cell)
        self._changed()

    def add_cell(self, cell: ObjCell) -> None:
        """Register the static things of a room."""
        for thing in cell.static_objects:
            self._add(thing, cell.id)
        self._changed()

    def _add(self, thing: StaticObject, cell_id: int) -> None:
        setup = self.world.setup(thing.model_id)
        if setup is None or thing.id in self.things:
            return  # the loader has a fault for a missing model
        solid = thing.solid
        placed = solid.placed if isinstance(solid, StaticThing) else None
        if not isinstance(solid, StaticThing) or placed is None or placed.cell_id != cell_id:
            placed = PlacedShapes(thing.id, shapes_from_setup(setup, thing.scale), cell_id, thing.frame)
            solid = StaticThing(thing.id, thing.model_id, thing.scale, placed)
            thing.solid = solid
        if placed.shapes:  # a thing without shapes does not collide
            self.things[thing.id] = solid
            self.registry.register_static(thing.id, placed, _state(setup), occupancy_sphere(setup))

    def find_cells_again(self, block_id: int) -> None:
        """Find the cells again of things that reach into a landblock, in their order: its rooms have changed."""
        for thing_id in list(self.things):
            entry = self.registry.entity(thing_id)
            if is_registered_in(entry, block_id):
                self.things[thing_id] = self.things.pop(thing_id)
                self.registry.update_position(thing_id, entry.cell_id, entry.frame)
        self._changed()

    def find_all_cells_again(self) -> None:
        """Find the cells again of all things that are in any, in their order."""
        for thing_id in list(self.things):
            entry = self.registry.entity(thing_id)
            if entry.cell_ids:
                self.registry.update_position(thing_id, entry.cell_id, entry.frame)
        self._changed()

    def recorded(self, thing_id: int) -> StaticObject | None:
        """Return a static thing as recorded, even if it was removed or moved; None when no record has it."""
        owner_id = thing_id >> 16 & WORD
        block = self.world.landblock(owner_id)
        room = self.registry.graph.get_visible(owner_id)
        things = [] if block is None else block.statics
        if room is not None:
            things = room.static_objects
        for thing in things:
            if thing.id == thing_id:
                return thing
        index = thing_id & 0xFFFF
        if block is not None and owner_id == block.id and index < len(block.grown):
            return block.grown[index]
        return None

    def restore(self, thing_id: int) -> None:
        """Restore a removed thing as recorded."""
        thing = None if thing_id in self.things else self.recorded(thing_id)
        if thing is not None:
            self._add(thing, self.home_of(thing_id))
        if thing is None or thing_id not in self.things:
            owner = cell_text(thing_id >> 16 & WORD)
            raise PhysicsError(f"{owner} has no solid static thing {thing_id & 0xFFFF} that was taken out")
        self._changed()

    def home_of(self, thing_id: int) -> int:
        """Return the room, or else the landblock, whose record has a static thing."""
        owner_id = thing_id >> 16 & WORD
        return owner_id if isinstance(self.registry.graph.get_visible(owner_id), EnvCell) else landblock_id(owner_id)

    def remove(self, thing_id: int) -> None:
        del self.things[thing_id]
        self.registry.deregister(thing_id)
        self._changed()

    def move(self, thing_id: int, cell_id: int, frame: Frame) -> None:
        """Move a thing, and put it at the end of the order of registration."""
        thing = self.things.pop(thing_id)
        self.things[thing_id] = thing
        self.registry.update_position(thing_id, cell_id, frame)
        self._changed()

    def keep_first(self, count: int, packed: bytes, digest: bytes) -> None:
        """Drop all things after the first `count`; `packed` and `digest` are those of the things that stay."""
        while len(self.things) > count:
            thing_id, _ = self.things.popitem()
            self.registry.deregister(thing_id)
        self.changes += 1
        self.packed = packed
        self.digest = digest

    def set_state(self, thing_id: int, state: int) -> None:
        self.registry.update_physics_state(thing_id, state)
        self._changed()

    # --- state

    def visit(self, io: StateIO) -> None:
        """Visit all of them as one packed value, or as its digest for a hash."""
        if not self.packed:
            self._pack()
        if io.hashing:
            io.blob("digest", self.digest)
            return
        packed = io.blob("packed", self.packed)
        if io.reading and packed != self.packed:
            self._restore(packed)

    def _changed(self) -> None:
        self.changes += 1
        self.packed = b""

    def _pack(self) -> None:
        writer = StateWriter()
        writer.count("statics", len(self.things))
        for thing in self.things.values():
            writer.integer("id", thing.id)
            writer.integer("model", thing.model_id)
            writer.real("scale", thing.scale)
            visit_registration(writer, self.registry.entity(thing.id))
        self.packed = writer.packed()
        self.digest = hashlib.blake2b(self.packed, digest_size=32).digest()

    def _restore(self, packed: bytes) -> None:
        for thing_id in list(self.things):
            self.registry.deregister(thing_id)
        self.things = {}
        reader = StateReader(packed)
        for _ in range(reader.count("statics", 0)):
            thing = StaticThing(reader.integer("id", 0), reader.integer("model", 0), reader.real("scale", 0.0))
            setup = self.world.setup(thing.model_id)
            shapes = [] if setup is None else shapes_from_setup(setup, thing.scale)
            sorting = Sphere(ZERO, 0.0) if setup is None else occupancy_sphere(setup)
            self.things[thing.id] = thing
            entry = self.registry.register_unplaced(thing.id, shapes, sorting, True)
            visit_registration(reader, entry)
            self.registry.put_back(thing.id)
        reader.check_end()
        self._changed()


def is_registered_in(entry: Registration, block_id: int) -> bool:
    """Whether a thing stands in a landblock, or reaches into one of its cells."""
    return any(cell_id >> 16 == block_id >> 16 for cell_id in [entry.cell_id, *entry.cell_ids])


def _state(setup: Setup) -> int:
    return STATIC | HAS_PHYSICS_BSP if setup.has_physics_bsp() else STATIC
