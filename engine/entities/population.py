"""Everybody and everything solid that is not a cell: entities, static things, the player, and their registration
(physics.md 8; ARCHITECTURE.md, promise 3).

All come through `shapes_from_setup` and `register_multi_part`. Entities are gone through in the order of their ids.
"""

from __future__ import annotations

from engine.entities.barriers import Barriers
from engine.entities.bodies import EntityBody, PlayerBody
from engine.entities.body_state import visit_registration
from engine.entities.door import RESET_INTERVAL, Door
from engine.entities.entity import Entity
from engine.entities.human import human_setup, motions_of
from engine.entities.motion_interp import Skills
from engine.entities.motion_table import MotionPerformer, moves_by_itself
from engine.entities.player import Player
from engine.entities.specs import (
    CREATURE,
    DOOR,
    PLAYER,
    flags_of,
    number,
    pack_spec,
    table_of,
    truth,
    unpack_spec,
    wholes,
)
from engine.entities.state_io import StateIO
from engine.entities.statics import Statics, is_registered_in
from engine.geometry.frame import Frame
from engine.geometry.vec import ZERO, Vec3, r24, r24v
from engine.physics.body import Body
from engine.physics.errors import PhysicsError
from engine.physics.flags import GRAVITY, MISSILE, STATIC, TS_ACTIVE, assigned_state, mover_bits
from engine.physics.objects.ethereal import forget_slides
from engine.physics.objects.shadows import Registration, ShadowRegistry
from engine.physics.place import Place
from engine.physics.rules import RuleSet
from engine.physics.set_position import adjust_position, reenter
from engine.world.cells.cell import EnvCell, ObjCell
from engine.world.cells.ids import WHOLE_BLOCK, cell_in_range, cell_text, landblock_id
from engine.world.cells.landdefs import adjust_to_outside
from engine.world.cells.motion import MotionTable
from engine.world.cells.objects import Setup
from engine.world.entity_limits import LEAST_SCALE, MAX_SCALE, PLAYER_ID, flaw_of, shown_name
from engine.world.entity_spec import EntitySpec
from engine.world.faults import ENTITY, MODEL, Fault
from engine.world.graph.graph import CellGraph
from engine.world.world import World


class Population:
    """The entities, static things and the player. `bodies` holds the bodies of those that can move, by id."""

    world: World
    graph: CellGraph
    rules: RuleSet
    registry: ShadowRegistry
    bodies: dict[int, Body]
    entities: dict[int, Entity]
    ordered: list[Entity]
    doors: list[Door]
    movers: list[Entity]
    player: Player
    statics: Statics
    barriers: Barriers
    faults: list[Fault]

    def __init__(self, world: World, rules: RuleSet, player_id: int = PLAYER_ID, player_name: str = "player") -> None:
        self.world = world
        self.graph = world.graph
        self.rules = rules
        self.registry = ShadowRegistry(self.graph, rules)
        self.bodies = {}
        self.entities = {}
        self.ordered = []
        self.doors = []
        self.movers = []
        self.statics = Statics(world, self.registry)
        self.faults = []
        self.barriers = Barriers(self.entities)
        human = human_setup(world)
        motions = motions_of(world, human)
        body = PlayerBody(player_id, self.graph, rules, self.registry, self.bodies, Skills(), motions)
        body.restrictions = self.barriers
        self.player = Player(body, player_name, human)
        self.bodies[player_id] = body

    # --- asking

    def entity(self, entity_id: int) -> Entity:
        found = self.find(entity_id)
        if found is None:
            raise PhysicsError(f"there is no entity {cell_text(entity_id)}")
        return found

    def find(self, entity_id: int) -> Entity | None:
        if entity_id == self.player.id:
            return self.player
        return self.entities.get(entity_id)

    def door(self, entity_id: int) -> Door:
        entity = self.entity(entity_id)
        if not isinstance(entity, Door):
            raise PhysicsError(f"{cell_text(entity_id)} is a {entity.kind} and no door")
        return entity

    def state_of(self, object_id: int) -> int:
        """The PhysicsState of an entity, or of a static thing."""
        return self.registry.entity(object_id).obj.state

    # --- coming and going

    def add(self, spec: EntitySpec) -> Entity | None:
        """Put an entity into the world by its specification; without its model, returns None and adds a fault."""
        if spec.guid == self.player.id or spec.guid in self.entities or spec.guid in self.statics.things:
            raise PhysicsError(f"there is an entity {cell_text(spec.guid)} already")
        flaw = flaw_of(spec)
        if flaw:
            raise PhysicsError(f"{shown_name(spec)} {flaw}")
        entity = self._add(spec)
        self._order()
        return entity

    def add_all(self, specs: list[EntitySpec]) -> None:
        """Put the entities of a landblock into the world in the order of their ids; those that fail become faults."""
        if not specs:
            return
        for spec in sorted(specs, key=_id_of):
            if spec.guid == self.player.id or spec.guid in self.entities:
                whose = "the player's" if spec.guid == self.player.id else "another one's"
                self._complain(spec.guid, ENTITY, f"{spec.name} is left out: its id is {whose}")
            else:
                self._add(spec)
        self._order()

    def _add(self, spec: EntitySpec) -> Entity | None:
        entity = self._make(spec)
        if entity is None:
            return None
        self._settle(entity, spec)
        body = entity.body
        if body is not None:
            self._put_body(entity, body, spec.state)
        self._register(entity, entity.cell_id, entity.frame, spec.state)
        return entity

    def add_made(self, entity: Entity, state: int, table: MotionTable | None) -> EntityBody:
        """Put an entity with a body into the world that no specification describes: for trials, whose state nobody
        saves. Restoring a state drops it."""
        self.entities[entity.id] = entity
        body = self._give_body(entity, table)
        self._put_body(entity, body, state)
        self._register(entity, entity.cell_id, entity.frame, state)
        self._order()
        return body

    def remove(self, entity_id: int) -> None:
        """Take an entity, or a static thing, out of the world."""
        if entity_id in self.statics.things:
            self.statics.remove(entity_id)
        elif entity_id in self.entities:
            self._drop(self.entities[entity_id])
            self._order()
        else:
            raise PhysicsError(f"there is no entity {cell_text(entity_id)} to remove")
        self.forget_slides()

    def _drop(self, entity: Entity) -> None:
        self.registry.deregister(entity.id)
        body = entity.body
        if body is not None:
            body.leave_cell()
            del self.bodies[entity.id]
        del self.entities[entity.id]

    def _settle(self, entity: Entity, spec: EntitySpec) -> None:
        """Correct the land cell of an entity that only names its landblock."""
        self.entities[entity.id] = entity
        if spec.cell_id & 0xFFFF == WHOLE_BLOCK:
            ok, cell_id, origin = adjust_to_outside(spec.cell_id, spec.frame.origin)
            if ok:
                entity.cell_id = cell_id
                entity.frame = Frame(r24v(origin), spec.frame.rotation)

    def _find_cell(self, entity: Entity, body: EntityBody) -> ObjCell | None:
        """Find the cell of a new entity from the cell that it names, as `adjust_position` does (7.4); a room
        without a cell tree cannot say. An entity outside of all cells is in none, and a fault reports it."""
        cell = self.graph.get_visible(entity.cell_id)
        where = cell_text(entity.cell_id)
        if cell is None:
            self._complain(entity.id, ENTITY, f"{entity.name} stands in {where}, which is not there")
            return None
        if not body.spheres or (isinstance(cell, EnvCell) and cell.cell_tree is None):
            return cell
        place = body.place.copy()
        x, y, z = body.spheres[0].center
        foot = (x * body.scale, y * body.scale, z * body.scale)
        if cell.point_in_cell(place.local_to_global(foot)):
            return cell
        found = adjust_position(self.graph, place, foot, True)
        if found is None:
            self._complain(entity.id, ENTITY, f"{entity.name} stands beyond {where}, where no cell is")
            return None
        entity.cell_id = place.cell_id
        entity.frame = place.frame()
        body.place = place
        return found

    def _put_body(self, entity: Entity, body: EntityBody, state: int) -> None:
        """Place a body by its specification, without a sweep; it falls and settles with the ticks."""
        body.place = Place(entity.cell_id, entity.frame.origin, Frame(ZERO, entity.frame.rotation))
        body.state = state
        cell = self._find_cell(entity, body)
        if cell is not None:
            body.change_cell(cell)
        body.transient = TS_ACTIVE if state & (GRAVITY | MISSILE) else 0
        body.calc_acceleration()

    def _order(self) -> None:
        """Rebuild the lists by id after an entity came or went."""
        self.ordered = [self.entities[entity_id] for entity_id in sorted(self.entities)]
        self.doors = [entity for entity in self.ordered if isinstance(entity, Door)]
        self.movers = [entity for entity in self.ordered if entity.body is not None]

    def _complain(self, where: int, what: str, reason: str) -> None:
        self.faults.append(Fault(where, what, reason))

    # --- making entities

    def _make(self, spec: EntitySpec) -> Entity | None:
        setup = self.world.setup(spec.setup_id)
        if setup is None:
            reason = f"{spec.name}: model {cell_text(spec.setup_id)} is missing or unreadable"
            self._complain(spec.guid, MODEL, reason)
            return None
        entity: Entity
        flags = flags_of(spec)
        if spec.kind == DOOR:
            entity = self._make_door(spec, setup, flags)
        else:
            entity = Entity(spec.guid, spec.name, spec.kind, setup, spec.scale, flags, spec.cell_id, spec.frame)
            if spec.kind in (CREATURE, PLAYER) or (spec.state & (GRAVITY | MISSILE) and not spec.state & STATIC):
                table_id = table_of(spec, setup)
                self._give_body(entity, self.world.motion_table(table_id) if table_id != 0 else None)
        entity.opens_doors = truth(spec.extra.get("opens_doors"))
        entity.lets_everybody_in = spec.extra.get("guests") == "all"
        entity.guests = wholes(spec.extra.get("guests"))
        entity.activates = wholes(spec.extra.get("activates"))
        entity.spec = pack_spec(spec)
        return entity

    def _make_door(self, spec: EntitySpec, setup: Setup, flags: int) -> Door:
        table_id = table_of(spec, setup)
        table = self.world.motion_table(table_id) if table_id != 0 else None
        if table is None and table_id != 0:
            self._complain(spec.guid, MODEL, f"{spec.name}: motion table {cell_text(table_id)} cannot be had")
        door = Door(
            spec.guid,
            spec.name,
            setup,
            spec.scale,
            flags,
            spec.cell_id,
            spec.frame,
            self.registry,
            self.bodies,
            table,
        )
        door.set_defaults(
            truth(spec.extra.get("open")),
            truth(spec.extra.get("locked")),
            truth(spec.extra.get("only_opens")),
            number(spec.extra.get("reset_interval"), RESET_INTERVAL),
        )
        door.set_returns(
            truth(spec.extra.get("default_open", door.is_open)), truth(spec.extra.get("default_locked", door.locked))
        )
        return door

    def _give_body(self, entity: Entity, table: MotionTable | None) -> EntityBody:
        body = EntityBody(entity.id, self.graph, self.rules, self.registry, self.bodies)
        body.spheres = entity.body_spheres()
        _scale_body(entity, body)
        body.free_heading = entity.setup.allow_free_heading
        body.info_flags = mover_bits(entity.flags)
        body.restrictions = self.barriers
        if table is not None and moves_by_itself(table):
            body.performer = MotionPerformer(table)
            body.has_movement = True
        entity.body = body
        self.bodies[entity.id] = body
        return body

    def _register(self, entity: Entity, cell_id: int, frame: Frame, state: int) -> None:
        self.registry.register_multi_part(
            entity.id, cell_id, frame, entity.shapes(), state, entity.flags, entity.sorting_sphere()
        )

    def register_again(self, entity: Entity) -> None:
        """Register a resized entity with its new shapes where it stands."""
        state = self.state_of(entity.id)
        self._register(entity, entity.place_cell(), entity.place_frame(), state)
        self._hide_lost(entity)

    def _hide_lost(self, entity: Entity) -> None:
        """Take a lost body out of its cells, so that no other body meets it."""
        body = entity.body
        if body is not None and body.held is not None:
            self.registry.take_out(entity.id)

    def register_player(self) -> None:
        """Register the player, once he is somewhere."""
        player = self.player
        self._register(player, player.place_cell(), player.place_frame(), player.steered.state)

    def find_all_cells_again(self) -> None:
        """Find the cells of everything registered again, in a fixed order, after a rule about cells was flipped."""
        registry = self.registry
        self.statics.find_all_cells_again()
        for entity in self._registered():
            entry = registry.entity(entity.id)
            if entry.cell_ids:
                registry.update_position(entity.id, entry.cell_id, entry.frame)

    # --- changes

    def move(self, entity_id: int, cell_id: int, origin: Vec3, rotation: Frame) -> None:
        """Put an entity or a static thing somewhere else, without a sweep. A body that can fall is awake afterwards."""
        if not cell_in_range(cell_id & 0xFFFF):
            raise PhysicsError(f"{cell_text(cell_id)} is not a place")
        frame = Frame(r24v(origin), rotation.rotation)
        if entity_id in self.statics.things:
            self.forget_slides()
            self.statics.move(entity_id, cell_id, frame)
            return
        entity = self.entity(entity_id)
        body = entity.body
        if body is None:
            entity.cell_id = cell_id
            entity.frame = frame
        else:
            cell = self.graph.get_visible(cell_id)
            if cell is None:
                raise PhysicsError(f"there is no cell {cell_text(cell_id)} to put {entity.name} into")
            body.place = Place(cell_id, frame.origin, Frame(ZERO, frame.rotation))
            body.change_cell(cell)
            body.transient = TS_ACTIVE if body.state & (GRAVITY | MISSILE) or body.has_movement else 0
            body.calc_acceleration()
        self.forget_slides()
        self.registry.update_position(entity_id, cell_id, frame)

    def set_state(self, entity_id: int, state: int) -> None:
        """Set PhysicsState bits, in all cells at once; a body that can fall now wakes up.

        A server's SetState does not test for bodies inside a thing that becomes solid (physics.md #31).
        """
        state = assigned_state(self.state_of(entity_id), state)
        if entity_id in self.statics.things:
            self.forget_slides()
            self.statics.set_state(entity_id, state)
            return
        self.registry.update_physics_state(entity_id, state)
        self.forget_slides()
        body = self.entity(entity_id).body
        if body is not None:
            body.state = state
            body.calc_acceleration()
            if state & (GRAVITY | MISSILE) or body.has_movement:
                body.transient |= TS_ACTIVE

    def set_scale(self, entity_id: int, scale: float) -> None:
        """Resize an entity, with new shapes where it stands."""
        if entity_id == self.player.id:
            raise PhysicsError("the player has no scale: radius and height set the size")
        if entity_id in self.statics.things:
            raise PhysicsError("a static thing has no scale of its own in any record")
        entity = self.entity(entity_id)
        if not LEAST_SCALE <= scale <= MAX_SCALE:
            raise PhysicsError(f"{scale} is not a scale for {entity.name}; it is {LEAST_SCALE:g} to {MAX_SCALE:g}")
        spec = unpack_spec(entity.spec)
        spec.scale = scale
        entity.spec = pack_spec(spec)
        entity.scale = scale
        body = entity.body
        if body is not None:
            _scale_body(entity, body)
            if body.state & (GRAVITY | MISSILE) or body.has_movement:
                body.transient |= TS_ACTIVE
        self.forget_slides()
        self.register_again(entity)

    def restore_static(self, thing_id: int) -> None:
        """Restore a static thing that was removed."""
        self.statics.restore(thing_id)
        self.forget_slides()

    def find_cells_again(self, cell_id: int) -> None:
        """Find the cells again of everything that reaches into a landblock whose rooms lead elsewhere now."""
        self.statics.find_cells_again(cell_id)
        for entity in self._registered():
            entry = self.registry.entity(entity.id)
            if is_registered_in(entry, cell_id):
                self.registry.update_position(entity.id, entry.cell_id, entry.frame)
                self._hide_lost(entity)

    def cells_changed(self, cell_ids: list[int]) -> None:
        """Follow cells that were added, replaced or removed: bodies in one are in the new one, or in none. A lost body
        waits for `reenter`."""
        changed = set(cell_ids)
        moved: list[int] = []
        for body in self.bodies.values():
            held = body.cell
            if body.place.cell_id in changed or (held is not None and held.id in changed):
                moved.append(body.id)
        moved.sort()
        for body_id in moved:
            self._follow_cell(self.bodies[body_id])
        for cell_id in cell_ids:
            added = self.graph.peek(cell_id)
            if added is not None:
                self.registry.cell_added(added)

    def _follow_cell(self, body: Body) -> None:
        held = body.cell
        if held is not None and self.graph.peek(held.id) is not held:
            body.cell = None
        cell = self.graph.peek(body.place.cell_id)
        if body.cell is None and body.held is None and cell is not None:
            body.cell = cell
            if body.id not in cell.object_list:
                cell.object_list.append(body.id)

    def reenter(self, block_id: int) -> None:
        """Let lost bodies in a landblock, except the player, search for a cell: its cells are loaded now, or
        are others (physics.md #8)."""
        lost = [body.id for body in self.bodies.values() if body.is_lost]
        for body_id in sorted(lost):
            body = self.bodies[body_id]
            if body_id != self.player.id and landblock_id(body.place.cell_id) == block_id:
                reenter(body)

    def forget_slides(self) -> None:
        """Let bodies test again what they slid along, because an obstacle may be gone."""
        forget_slides(self.bodies)

    # --- state

    def visit(self, io: StateIO) -> None:
        """Visit everything that changes, in a fixed order. Reading also makes and removes entities."""
        if io.reading:
            for entity in self._registered():
                self.registry.take_out(entity.id)
        io.section("player")
        self.player.visit(io)
        self._visit_registration(io, self.player)
        wanted = self._visit_specs(io)
        for entity in wanted:
            if not io.hashing:
                io.section(f"0x{entity.id:08X} {entity.name}")
            entity.visit(io)
            self._visit_registration(io, entity)
        io.section("statics")
        self.statics.visit(io)
        self._visit_cells(io)

    def visit_player(self, io: StateIO) -> None:
        """Visit the player alone. When read, his registration keeps its place among the others, in no cell yet."""
        self.player.visit(io)
        entry = self.registry.entities.get(self.player.id)
        if io.flag("registered", entry is not None) and entry is not None:
            if io.reading:
                self.registry.take_out(self.player.id)
            visit_registration(io, entry)
            if io.reading:
                self.registry.make_rows(self.player.id)

    def keep_first(self, count: int) -> None:
        """Drop all entities after the first `count`."""
        while len(self.entities) > count:
            entity_id, entity = self.entities.popitem()
            self.entities[entity_id] = entity
            self._drop(entity)
        self._order()

    def anybody_lost(self) -> bool:
        """Whether some body has left all cells."""
        return any(body.is_lost for body in self.bodies.values())

    def _registered(self) -> list[Entity]:
        """The player and all entities that the registry knows."""
        found: list[Entity] = [self.player, *self.ordered]
        return [entity for entity in found if entity.id in self.registry.entities]

    def _visit_specs(self, io: StateIO) -> list[Entity]:
        """Visit the list of entities. Reading drops those that are not in it and makes those that are missing."""
        io.section("entities")
        count = io.count("count", len(self.ordered))
        if not io.reading:
            for entity in self.ordered:
                io.blob("spec", entity.spec)
            return self.ordered
        wanted: list[Entity] = []
        specs = [io.blob("spec", b"") for _ in range(count)]
        seen: set[int] = set()
        for entity in self.ordered:
            if entity.spec not in specs:
                self._drop(entity)
        for packed in specs:
            spec = unpack_spec(packed)
            if spec.guid == self.player.id or spec.guid in seen:
                raise PhysicsError(f"the saved state has two of the id {cell_text(spec.guid)}")
            seen.add(spec.guid)
            there = self.entities.get(spec.guid)
            made = self._make(spec) if there is None else there
            if made is None:
                raise PhysicsError(f"the saved state has {spec.name}, whose model this world lacks")
            self.entities[made.id] = made
            wanted.append(made)
        self._order()
        return wanted

    def _visit_registration(self, io: StateIO, entity: Entity) -> None:
        there = io.flag("registered", entity.id in self.registry.entities)
        if not there:
            if io.reading:
                self.registry.deregister(entity.id)
            return
        if not io.reading:
            visit_registration(io, self.registry.entity(entity.id))
            return
        entry: Registration = self.registry.register_unplaced(
            entity.id, entity.shapes(), entity.sorting_sphere(), False
        )
        visit_registration(io, entry)
        self.registry.make_rows(entity.id)

    def _visit_cells(self, io: StateIO) -> None:
        """The order of the objects in every cell that one of them has moved into or out of."""
        io.section("cells")
        if not io.reading:
            ids: set[int] = set()
            for entity in self._registered():
                ids.update(self.registry.entity(entity.id).cell_ids)
            io.count("count", len(ids))
            for cell_id in sorted(ids):
                io.integer("cell", cell_id)
                io.integers("objects", self.registry.objects_in(cell_id))
            return
        for _ in range(io.count("count", 0)):
            cell_id = io.integer("cell", 0)
            self.registry.set_objects_in(cell_id, io.integers("objects", []))


def _id_of(spec: EntitySpec) -> int:
    return spec.guid


def _scale_body(entity: Entity, body: EntityBody) -> None:
    body.scale = r24(entity.scale)
    body.step_up_height = r24(entity.setup.step_up_height * body.scale)
    body.step_down_height = r24(entity.setup.step_down_height * body.scale)
