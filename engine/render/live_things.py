"""Live things: doors, creatures, chests and the player, followed from frame to frame (rendering.md 13.1, 18.4).

The simulation decides their positions, cells and poses; a door's leaf is drawn where it is at the moment of the
picture, between two ticks. In a landblock that is only looked at, because there is no simulation or it has not loaded
it, entities are as their specifications say.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field

from engine.entities.commands import NON_COMBAT, OFF, ON
from engine.entities.door import Door
from engine.entities.entity import Entity
from engine.entities.motion_player import MotionPlayer
from engine.geometry.frame import Frame
from engine.physics.flags import HIDDEN, NODRAW
from engine.render.draws import LightSource, Owner, PartDraw
from engine.render.figure import figure_part, has_no_mesh
from engine.render.membership import cells_of_sphere
from engine.render.particles import EmitterHost
from engine.render.parts import PlacedObject, Shapes, part_draws, resting_pose
from engine.render.shells import LampOwner, lamps_of
from engine.render.static_things import PartIndex, Versions
from engine.sim.tick.simulation import Simulation
from engine.world.cells.cell import EnvCell
from engine.world.cells.ids import WHOLE_BLOCK, is_interior
from engine.world.cells.landdefs import adjust_to_outside
from engine.world.cells.objects import Setup
from engine.world.cells.position import into_block
from engine.world.entity_spec import EntitySpec
from engine.world.graph.graph import NO_CELL
from engine.world.world import World

INVISIBLE = HIDDEN | NODRAW


@dataclass
class _Known:
    """An entity as it was drawn last."""

    setup: Setup
    scale: float
    place: tuple[int, Frame] | None = None
    pose: Sequence[Frame] = ()
    cells: tuple[int, ...] = ()
    state: int = 0
    alpha: float = 1.0
    parts: list[PartDraw] = field(default_factory=list)
    lamps: tuple[LightSource, ...] = ()
    swings: bool = False
    """Its motion takes it out of what physics has registered of it, as a door's leaf."""


class LivingThings:
    """The entities of a world, by id."""

    def __init__(
        self, world: World, sim: Simulation | None, shapes: Shapes, index: PartIndex, versions: Versions
    ) -> None:
        self._world = world
        self._sim = sim
        self._shapes = shapes
        self._index = index
        self._versions = versions
        self._known: dict[int, _Known] = {}
        self._shown: dict[int, list[int]] = {}
        """The visited landblocks, with their entities in the world's list."""
        self._joined = -1
        self._rooms_changed = False
        self.player_alpha = 1.0

    def follow(self, ahead: float) -> None:
        """Bring all of them to where they are `ahead` seconds after the last tick."""
        sim = self._sim
        if sim is None:
            return
        if sim.surroundings.changes != self._joined:
            self._joined = sim.surroundings.changes
            for block_id in self._shown:
                self._follow_block(block_id)
        people: list[Entity] = [sim.population.player, *sim.population.ordered]
        there = {entity.id for entity in people}
        there.update(*self._shown.values())
        for entity_id in [key for key in self._known if key not in there]:
            self._forget(entity_id)
        for entity in people:
            self._follow(entity, sim, ahead)
        self._rooms_changed = False

    def look_again(self) -> None:
        """Rooms are others now: what reaches through their openings may reach elsewhere."""
        self._rooms_changed = True

    def _follow(self, entity: Entity, sim: Simulation, ahead: float) -> None:
        known = self._known.get(entity.id)
        if known is None or known.setup is not entity.setup or known.scale != entity.scale:
            self._forget(entity.id)
            known = _Known(entity.setup, entity.scale, swings=isinstance(entity, Door))
            self._known[entity.id] = known
        entry = sim.population.registry.entities.get(entity.id)
        body = entity.body
        home = NO_CELL if body is not None and body.is_lost else entity.place_cell()
        if home == NO_CELL:  # not in the world yet, or out of all cells: nobody sees it (physics.md #8)
            self._put(entity.id, known, [])
            if known.place is not None:
                known.place = None
                self._versions.next_of_things()
            return
        frame = entity.place_frame()
        pose = entity.pose(sim.seconds + ahead)
        state = 0 if entry is None else entry.obj.state & INVISIBLE | int(entry.suspended)
        is_player = entity.id == sim.population.player.id
        alpha = self.player_alpha if is_player else 1.0
        cells = () if entry is None else tuple(entry.cell_ids)
        if not (
            known.place is not None
            and known.place[0] == home
            and _same(known.place[1], frame)
            and len(known.pose) == len(pose)
            and all(map(_same, known.pose, pose))
            and known.state == state
            and known.alpha == alpha
        ):
            known.place, known.pose, known.state, known.alpha = (home, frame), pose, state, alpha
            owner = Owner.PLAYER if is_player else Owner.ENTITY
            self._make(entity.id, known, PlacedObject(entity.id, entity.setup, frame, entity.scale, owner, home, pose))
            self._list(known, cells)
        elif cells != known.cells or (known.swings and self._rooms_changed):
            self._list(known, cells)

    def _make(self, entity_id: int, known: _Known, thing: PlacedObject) -> None:
        parts = part_draws(thing, self._shapes, self._versions.next_of_things())
        if not parts and has_no_mesh(thing.setup):
            figure = figure_part(thing, self._shapes, self._versions.last)
            parts = [] if figure is None else [figure]
        for part in parts:
            part.hidden = known.state != 0
            part.alpha *= known.alpha
            part.cells = known.cells
        self._put(entity_id, known, parts)
        lit = not known.state
        owner = LampOwner(entity_id, thing.setup, thing.frame, thing.scale, thing.home, known.cells, True)
        known.lamps = tuple(lamps_of(owner)) if lit else ()

    def _put(self, entity_id: int, known: _Known, parts: list[PartDraw]) -> None:
        kept = {part.key for part in parts}
        for part in known.parts:
            if part.key not in kept:
                self._index.remove(part.key)
        for part in parts:
            self._index.put(part)
        known.parts = parts

    def _list(self, known: _Known, cells: tuple[int, ...]) -> None:
        """Physics decides the cells of an entity; for one without a shape, which physics leaves out, its spheres do. A
        swinging leaf is also in the rooms that it has swung into, and on the land when it is out there."""
        known.cells = cells
        if cells and not known.swings:
            for part in known.parts:
                self._index.move(part, cells)
            return
        reached = [self._reached(part) for part in known.parts]
        # A handle, wholly in the next room, crosses no opening itself: it goes where its leaf does.
        found = {cell_id: None for some in reached for cell_id in some if cell_id not in cells}
        rooms = tuple(cell_id for cell_id in found if is_interior(cell_id))
        land = tuple(cell_id for cell_id in found if not is_interior(cell_id))
        for part, own in zip(known.parts, reached, strict=True):
            # It is not on the land before an opening while it is inside: punching the opening would erase it.
            outside = () if self._is_in_one(part, (*cells, *rooms)) else land
            self._index.move(part, (*cells, *rooms, *outside) if cells else own)

    def _reached(self, part: PartDraw) -> tuple[int, ...]:
        return cells_of_sphere(self._world.graph, part.home, part.sphere.center, part.sphere.radius).cells

    def _is_in_one(self, part: PartDraw, cell_ids: Iterable[int]) -> bool:
        """The middle of a part is in one of these rooms."""
        rooms = [self._world.graph.peek(cell_id) for cell_id in cell_ids if is_interior(cell_id)]
        return any(
            isinstance(room, EnvCell) and room.point_in_cell(into_block(room.id, part.home, part.sphere.center))
            for room in rooms
        )

    def _forget(self, entity_id: int) -> None:
        known = self._known.pop(entity_id, None)
        if known is not None:
            self._versions.next_of_things()
            for part in known.parts:
                self._index.remove(part.key)

    def lamps(self) -> list[LightSource]:
        """All lamps that move with a live thing."""
        return [lamp for entity_id in sorted(self._known) for lamp in self._known[entity_id].lamps]

    def places(self) -> list[EmitterHost]:
        """The origins of the live things that start a script, and with it perhaps an emitter."""
        found: list[EmitterHost] = []
        for entity_id in sorted(self._known):
            known = self._known[entity_id]
            if known.setup.default_script and known.place is not None and not known.state:
                home, frame = known.place
                found.append(EmitterHost(entity_id, known.setup, frame, known.scale, known.pose, home, home))
        return found

    # --- who does not live

    def show_block(self, block_id: int) -> None:
        """A landblock is to be drawn from now on."""
        self._shown.setdefault(block_id, [])
        self._follow_block(block_id)

    def drop_block(self, block_id: int) -> None:
        for entity_id in self._shown.pop(block_id, []):
            self._forget(entity_id)

    def _follow_block(self, block_id: int) -> None:
        """Its entities stand where they start for as long as they do not live."""
        lives = self._sim is not None and self._sim.surroundings.has(block_id)
        listed = [] if lives else self._world.entities_of(block_id)
        if len(listed) != len(self._shown[block_id]):
            for entity_id in self._shown[block_id]:
                self._forget(entity_id)
            self._shown[block_id] = [spec.guid for spec in listed]
            self._place_specs(listed)

    def _place_specs(self, specs: Iterable[EntitySpec]) -> None:
        """Put entities where they start."""
        for spec in specs:
            setup = self._world.setup(spec.setup_id)
            if setup is None:
                continue
            home, frame = spec.cell_id, spec.frame
            if home & WHOLE_BLOCK == WHOLE_BLOCK:
                ok, under, origin = adjust_to_outside(home, frame.origin)
                home, frame = (under, frame.with_origin(origin)) if ok else (home, frame)
            known = _Known(setup, spec.scale, (home, frame), self._start_pose(spec, setup), (), spec.state & INVISIBLE)
            self._known[spec.guid] = known
            placed = PlacedObject(spec.guid, setup, frame, spec.scale, Owner.ENTITY, home, known.pose)
            self._make(spec.guid, known, placed)
            self._list(known, ())

    def _start_pose(self, spec: EntitySpec, setup: Setup) -> list[Frame]:
        """A door's is the last frame of the state that it starts in (18.4)."""
        pose = resting_pose(setup)
        given = spec.extra.get("motion_table")
        table_id = given if isinstance(given, int) else setup.default_motion_table
        table = self._world.motion_table(table_id) if spec.kind == "door" and table_id else None
        if table is not None:
            moved = MotionPlayer(table, NON_COMBAT).rest_pose(ON if spec.extra.get("open") is True else OFF) or []
            pose[: len(moved)] = moved[: len(pose)]
        return pose


def _same(a: Frame, b: Frame) -> bool:
    return a is b or (a.origin == b.origin and a.rotation == b.rotation)
