"""The things in the loaded landblocks that do not move by themselves: statics of rooms and land, scenery, and the
objects of a building beside its shell (rendering.md 13.1, 18.2).

A simulation may still move such a thing, remove it or replace its room; then only its own parts are rebuilt.
"""

from __future__ import annotations

from dataclasses import dataclass, field

from engine.geometry.frame import Frame
from engine.physics.flags import HIDDEN, NODRAW
from engine.physics.objects.shadows import seed_cell
from engine.render.draws import LightSource, Owner, PartDraw
from engine.render.membership import cells_of_sphere
from engine.render.particles import EmitterHost
from engine.render.parts import PlacedObject, Shapes, part_draws, resting_pose
from engine.render.shells import LampOwner, lamps_of
from engine.sim.tick.simulation import Simulation
from engine.world.cells.cell import Building, EnvCell
from engine.world.cells.ids import FIRST_LAND_CELL, LAST_LAND_CELL, in_block_of, is_land_cell, landblock_id
from engine.world.cells.objects import Setup, StaticObject, static_object_id
from engine.world.landblock import Landblock
from engine.world.world import World


class Versions:
    """Numbers that only grow: what has a new one has changed."""

    def __init__(self) -> None:
        self.last = 0
        self.of_things = 0
        """The last one that a thing was given; walls and ground have others."""

    def next(self) -> int:
        self.last += 1
        return self.last

    def next_of_things(self) -> int:
        """A static or live thing, or one that was removed."""
        self.of_things = self.next()
        return self.of_things


class PartIndex:
    """The parts listed in each cell, and all parts by key."""

    def __init__(self) -> None:
        self._by_cell: dict[int, dict[tuple[int, int], PartDraw]] = {}
        self._lists: dict[int, list[PartDraw]] = {}
        self._lands: dict[int, dict[int, list[PartDraw]]] = {}
        self.by_key: dict[tuple[int, int], PartDraw] = {}

    def put(self, part: PartDraw) -> None:
        """A part, in the place of the one with its key."""
        old = self.by_key.get(part.key)
        if old is not None:
            self._leave(old)
        self.by_key[part.key] = part
        self._enter(part)

    def remove(self, key: tuple[int, int]) -> None:
        part = self.by_key.pop(key, None)
        if part is not None:
            self._leave(part)

    def move(self, part: PartDraw, cells: tuple[int, ...]) -> None:
        """The same part in other cells."""
        if cells != part.cells:
            self._leave(part)
            part.cells = cells
            self._enter(part)

    def of_object(self, object_id: int) -> list[PartDraw]:
        """The parts of one object in their order."""
        return [self.by_key[key] for key in sorted(key for key in self.by_key if key[0] == object_id)]

    def in_cell(self, cell_id: int) -> list[PartDraw]:
        """In the order of their keys. The list is kept until something in the cell changes, and not to be changed."""
        known = self._lists.get(cell_id)
        if known is None:
            listed = self._by_cell.get(cell_id, {})
            known = self._lists[cell_id] = [listed[key] for key in sorted(listed)]
        return known

    def on_land(self, block_id: int) -> dict[int, list[PartDraw]]:
        """The lists of a landblock's land cells, by id, without empty ones. The caller must not change it."""
        known = self._lands.get(block_id)
        if known is None:
            cells = [in_block_of(block_id, low) for low in range(FIRST_LAND_CELL, LAST_LAND_CELL + 1)]
            known = {cell_id: self.in_cell(cell_id) for cell_id in cells if cell_id in self._by_cell}
            self._lands[block_id] = known
        return known

    def _forget_lists(self, cell_id: int) -> None:
        self._lists.pop(cell_id, None)
        if is_land_cell(cell_id):
            self._lands.pop(landblock_id(cell_id), None)

    def _enter(self, part: PartDraw) -> None:
        for cell_id in part.cells:
            self._by_cell.setdefault(cell_id, {})[part.key] = part
            self._forget_lists(cell_id)

    def _leave(self, part: PartDraw) -> None:
        for cell_id in part.cells:
            self._forget_lists(cell_id)
            listed = self._by_cell.get(cell_id)
            if listed is not None:
                listed.pop(part.key, None)
                if not listed:
                    del self._by_cell[cell_id]


@dataclass
class _Thing:
    """A static thing as its record has it, and its current draws."""

    object_id: int
    setup: Setup
    frame: Frame
    scale: float
    owner: Owner
    home: int
    first_part: int = 0
    now: tuple[Frame, int, int] | None = None
    """Frame, cell and state by which the parts were made; None: it is gone."""
    parts: list[PartDraw] = field(default_factory=list)
    missing: tuple[int, ...] = ()


class StandingThings:
    """The static things of the landblocks that were added, by id."""

    def __init__(
        self, world: World, sim: Simulation | None, shapes: Shapes, index: PartIndex, versions: Versions
    ) -> None:
        self._world = world
        self._sim = sim
        self._shapes = shapes
        self._index = index
        self._versions = versions
        self._things: dict[int, _Thing] = {}
        self._by_block: dict[int, dict[int, None]] = {}
        self._blocks: dict[int, Landblock] = {}
        self._ways: dict[int, tuple[object, ...]] = {}
        self._lamps: dict[int, dict[int, tuple[LightSource, ...]]] = {}
        self._lamps_of_block: dict[int, tuple[LightSource, ...]] = {}
        self.lamp_version = 0
        """Goes up with every change to any lamps."""
        self._followed = -1

    # --- landblocks and rooms

    def add_block(self, block: Landblock) -> None:
        """All that a landblock's records place."""
        self._blocks[block.id] = block
        self._by_block[block.id] = {}
        self._lamps[block.id] = {}
        for thing in block.statics:
            self._add(thing, Owner.LAND, block.id)
        for number, plant in enumerate(block.scenery):
            grown = StaticObject(static_object_id(block.id, number), plant.model_id, plant.frame, plant.scale)
            self._add(grown, Owner.SCENERY, block.id)
        for building in block.buildings:
            self._add_annexes(building)
        for cell in block.env_cells:
            self._add_room(cell)
        self.look_again(block.id)

    def drop_block(self, block_id: int) -> None:
        self._blocks.pop(block_id, None)
        for object_id in list(self._by_block.pop(block_id, {})):
            self._drop(self._things.pop(object_id))
        self._lamps.pop(block_id, None)
        self.lamp_version += 1
        self._lamps_of_block.pop(block_id, None)

    def has_block(self, block_id: int) -> bool:
        return block_id in self._blocks

    def block(self, block_id: int) -> Landblock | None:
        """The landblock as it was added; another one may be loaded by now."""
        return self._blocks.get(block_id)

    def replace_room(self, block_id: int, cell_id: int, cell: EnvCell | None) -> None:
        """A room was added, replaced or removed: rebuild its own things, and list again those that may reach into it
        unless its portals are as before."""
        own, before = self._by_block[block_id], self._ways.pop(cell_id, None)
        for object_id in [key for key in own if self._things[key].home == cell_id]:
            del own[object_id]
            self._drop(self._things.pop(object_id))
            self._lamps[block_id].pop(object_id, None)
        self.lamp_version += 1
        self._lamps_of_block.pop(block_id, None)
        if cell is not None:
            self._add_room(cell)
        if before is None or before != self._ways.get(cell_id):
            for object_id in own:
                self._list(self._things[object_id])

    def blocks(self) -> list[int]:
        return sorted(self._blocks)

    def look_again(self, block_id: int) -> None:
        """A landblock has been loaded: things of others that reach into it could not look into its houses before."""
        for thing in self._things.values():
            if block_id in thing.missing:
                self._list(thing)

    def _add_room(self, cell: EnvCell) -> None:
        self._ways[cell.id] = _ways_of(cell)
        for thing in cell.static_objects:
            self._add(thing, Owner.CELL, cell.id)

    def _add_annexes(self, building: Building) -> None:
        """Part 0 of a building is its shell; hardly any has more (18.1)."""
        setup = self._world.setup(building.model_id)
        if setup is not None and len(setup.parts) > 1:
            self._put(_Thing(building.id, setup, building.frame, 1.0, Owner.BUILDING, building.cell_id, 1))

    def _add(self, thing: StaticObject, owner: Owner, home: int) -> None:
        setup = self._world.setup(thing.model_id)
        if setup is not None and thing.id not in self._things:
            self._put(_Thing(thing.id, setup, thing.frame, thing.scale, owner, home))

    def _put(self, thing: _Thing) -> None:
        self._things[thing.object_id] = thing
        self._by_block.setdefault(landblock_id(thing.home), {})[thing.object_id] = None
        self._make(thing)

    # --- what the simulation did to them

    def is_behind(self) -> bool:
        """Whether the simulation has changed static things since `follow`."""
        return self._sim is not None and self._sim.population.statics.changes != self._followed

    def follow(self) -> None:
        """Bring what the simulation has moved, hidden or taken away up to date."""
        if self._sim is not None:
            self._followed = self._sim.population.statics.changes
        for thing in self._things.values():
            if self._state(thing) != thing.now:
                self._make(thing)

    def _state(self, thing: _Thing) -> tuple[Frame, int, int] | None:
        """Frame, cell and state bits as they are now; None when it was taken out of the world."""
        sim = self._sim
        known = None if sim is None else sim.population.registry.entities.get(thing.object_id)
        if known is not None:
            return (known.frame, known.cell_id, known.obj.state & (HIDDEN | NODRAW))
        if sim is not None and sim.surroundings.has(thing.home) and _collides(thing.setup):
            return None if thing.owner is not Owner.BUILDING else (thing.frame, thing.home, 0)
        return (thing.frame, thing.home, 0)

    # --- parts

    def _make(self, thing: _Thing) -> None:
        self._drop(thing)
        thing.now = self._state(thing)
        if thing.now is None:
            self._shine(thing)
            return
        frame, home, state = thing.now
        standing = PlacedObject(
            thing.object_id, thing.setup, frame, thing.scale, thing.owner, home, resting_pose(thing.setup)
        )
        made = part_draws(standing, self._shapes, self._versions.next_of_things())
        thing.parts = [part for part in made if part.part >= thing.first_part]
        for part in thing.parts:
            part.hidden = state != 0
        self._list(thing)
        for part in thing.parts:
            self._index.put(part)
        self._shine(thing)

    def _list(self, thing: _Thing) -> None:
        """Find its cells: all its parts are listed in all of them (rendering.md M6). For a thing known to
        physics they are those of physics, found by cylinders or by the boxes of the parts; for one without
        collision, those that the spheres of its parts reach."""
        missing: set[int] = set()
        known = None if self._sim is None else self._sim.population.registry.entities.get(thing.object_id)
        cells = tuple(() if known is None else known.cell_ids)
        if not cells:
            reached: dict[int, None] = {}
            for part in thing.parts:
                found = cells_of_sphere(self._world.graph, part.home, part.sphere.center, part.sphere.radius)
                missing.update(found.missing)
                reached.update(dict.fromkeys(found.cells))
            cells = tuple(reached)
        for part in thing.parts:
            if part.key in self._index.by_key:
                self._index.move(part, cells)
            else:
                part.cells = cells
        thing.missing = tuple(sorted(missing))

    def _drop(self, thing: _Thing) -> None:
        for part in thing.parts:
            self._index.remove(part.key)
        thing.parts = []

    def places(self) -> list[EmitterHost]:
        """The origins of the things that start a script, and with it perhaps an emitter."""
        found: list[EmitterHost] = []
        for thing in self._things.values():
            if thing.setup.default_script and thing.now is not None and not thing.now[2]:
                frame, home, _ = thing.now
                cell_id = seed_cell(home, frame.origin)
                pose = resting_pose(thing.setup)
                found.append(EmitterHost(thing.object_id, thing.setup, frame, thing.scale, pose, home, cell_id))
        return found

    # --- lamps

    def _shine(self, thing: _Thing) -> None:
        """The lamps of things in rooms are baked into shells; outdoors none shines (20.4)."""
        if thing.owner is not Owner.CELL:
            return
        lamps: tuple[LightSource, ...] = ()
        if thing.now is not None and not thing.now[2]:
            frame, home, _ = thing.now
            owner = LampOwner(thing.object_id, thing.setup, frame, thing.scale, home, (home,), False)
            lamps = tuple(lamps_of(owner))
        block_id = landblock_id(thing.home)
        self._lamps[block_id][thing.object_id] = lamps
        self.lamp_version += 1
        self._lamps_of_block.pop(block_id, None)

    def lamps(self, block_id: int) -> tuple[LightSource, ...]:
        """The static lamps of a landblock's rooms, in the order of their objects."""
        block_id = landblock_id(block_id)
        known = self._lamps_of_block.get(block_id)
        if known is None:
            of_block = self._lamps.get(block_id, {})
            known = tuple(lamp for object_id in sorted(of_block) for lamp in of_block[object_id])
            self._lamps_of_block[block_id] = known
        return known


def _ways_of(cell: EnvCell) -> tuple[object, ...]:
    """All of a room that decides who reaches into it, and through it into others."""
    portals = tuple((portal.other_cell_id, portal.polygon_id) for portal in cell.portals)
    return (cell.frame.origin, cell.frame.rotation, id(cell.structure), portals)


def _collides(setup: Setup) -> bool:
    """Whether physics registers such a thing; it leaves out things without a shape (physics.md 8.3)."""
    if any(cylinder.radius > 0.0 for cylinder in setup.cyl_spheres):
        return True
    if not setup.cyl_spheres and any(sphere.radius > 0.0 for sphere in setup.spheres):
        return True
    return setup.has_physics_bsp()
