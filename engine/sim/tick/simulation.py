"""The simulation of one world: edits between ticks, and `tick`, the only thing that moves time (design.md, promises 2
and 4; spec/physics.md 7, 9, 11).

Same start, same controls, same edits: the same bits, on either core. One world carries one simulation at a time, for
what is solid is registered in the world's cells; `close` takes it out again.
"""

from __future__ import annotations

import hashlib
from typing import Final

from engine.entities.bodies import EntityBody
from engine.entities.door import NEVER, TICKS_PER_SECOND, Door
from engine.entities.entity import Entity
from engine.entities.events import EntityEvent
from engine.entities.player import PLAYER_ID, Player
from engine.entities.population import Population
from engine.entities.specs import pack_spec, unpack_spec
from engine.entities.state_io import StateIO, StateNamer, StateReader, StateWriter
from engine.geometry.constants import MIN_QUANTUM
from engine.geometry.frame import Frame
from engine.geometry.quat import from_heading
from engine.geometry.vec import ZERO, Vec3, length, r24v
from engine.physics.errors import PhysicsError
from engine.physics.flags import TS_ACTIVE
from engine.physics.place import Place
from engine.physics.rules import ACE, RETAIL, RULE_NAMES, RuleSet, rule_set
from engine.physics.set_position import (
    SP_NAMES,
    SP_OK,
    SP_PLACEMENT,
    SP_SLIDE,
    relabel_arrival,
    set_position,
)
from engine.physics.trace import SweepObserver
from engine.sim.observers import together
from engine.sim.tick.controls import Controls
from engine.sim.tick.edit import EDITS, Edit, EditArgument, EditListener, fits
from engine.sim.tick.report import TickListener, TickReport
from engine.sim.tick.rooms import EditedRooms
from engine.sim.tick.surroundings import Surroundings
from engine.world.cells.ids import cell_text
from engine.world.cells.position import into_block
from engine.world.entity_spec import EntitySpec
from engine.world.graph.graph import CURRENT, REMOVED, REPLACED, CellGraph, GraphChange
from engine.world.world import World

QUANTUM: Final = MIN_QUANTUM
"""A tick, 1/30 s."""

ASLEEP_BEYOND: Final = 96.0
"""Metres from the player at which bodies are not moved (11.1)."""

_STATE_BITS: Final = 0xFFFFFFFF

_STATE_MAGIC: Final = 0x43445354
_STATE_VERSION: Final = 2

STANDING_STILL: Final = Controls()


class Simulation:
    """A world in time.

        sim = Simulation(world)
        sim.teleport(0xC95B0104, 96.0, 96.0, 0.0, 90.0)
        report = sim.tick(Controls(forward=1.0, run=True))

    `tick_number` counts the ticks that have run; what is edited now is seen by the tick of that number.
    """

    world: World
    graph: CellGraph
    rules: RuleSet
    population: Population
    player: Player
    surroundings: Surroundings
    rooms: EditedRooms
    tick_number: int
    last_report: TickReport | None
    _events: list[EntityEvent]
    _told_faults: int
    _listeners: list[EditListener]
    _tick_listeners: list[TickListener]
    _watchers: dict[int, list[SweepObserver]]

    def __init__(
        self, world: World, rules: RuleSet | None = None, player_id: int = PLAYER_ID, player_name: str = "player"
    ) -> None:
        """The entities of the world where they start, and a player who is nowhere yet. The rules are a copy."""
        self.world = world
        self.graph = world.graph
        self.rules = RuleSet() if rules is None else rules.copy()
        self.population = Population(world, self.rules, player_id, player_name)
        self.player = self.population.player
        self.surroundings = Surroundings(world, self.population)
        self.rooms = EditedRooms(world, self.population)
        self.tick_number = 0
        self.last_report = None
        self._events = []
        self._told_faults = 0
        self._listeners = []
        self._tick_listeners = []
        self._watchers = {}
        self.graph.observe(self._graph_changed)
        specs: list[EntitySpec] = list(world.entities)
        specs.sort(key=_by_landblock_and_id)
        for spec in specs:
            self.surroundings.join(spec.cell_id)
            self.population.add(spec)

    def close(self) -> None:
        """Take everything out of the world again; the simulation is over."""
        self.graph.unobserve(self._graph_changed)
        self.rooms.put_back_all()
        for object_id in list(self.population.registry.entities):
            self.population.registry.deregister(object_id)
        for body_id in sorted(self.population.bodies):
            self.population.bodies[body_id].leave_cell()

    # --- asking

    @property
    def seconds(self) -> float:
        """Simulated time so far."""
        return float(self.tick_number) / TICKS_PER_SECOND

    def pose(self, entity_id: int, ahead: float = 0.0) -> list[Frame]:
        """Where an entity's parts are to be drawn, `ahead` seconds after the last tick."""
        return self.population.entity(entity_id).pose(self.seconds + ahead)

    # --- time

    def tick(self, controls: Controls = STANDING_STILL) -> TickReport:
        """Run 1/30 s: doors, the player, the cell that he is in, then everybody else."""
        now = self.tick_number
        report = TickReport(now)
        report.events = self._events
        self._events = []
        for door in self.population.doors:
            door.step(now, report.events)
        if controls.use != 0:
            self._use(controls.use, self.player.id, report.events)
        self._move_player(controls, report)
        for entity in self.population.movers:
            body = entity.body
            if body is not None and body.transient & TS_ACTIVE:
                self._move_other(entity, body, report)
        self._add_faults(report)
        self.tick_number = now + 1
        self.last_report = report
        if self._tick_listeners:
            for listener in self._tick_listeners.copy():
                listener(controls, report)
        return report

    def _move_player(self, controls: Controls, report: TickReport) -> None:
        body = self.player.steered
        report.begin(body)
        _, was_on_walkable = body.contact_bits()
        report.jumped = body.steer(
            controls.forward, controls.side_step, controls.turn, controls.run, controls.jump, QUANTUM
        )
        ok = body.step(QUANTUM)
        report.finish(body, was_on_walkable, ok)
        if body.cell is not None and body.cell.id != self.graph.current_id:
            self._enter(body.cell.id, body.cell.seen_outside)

    def _enter(self, cell_id: int, seen_outside: bool) -> None:
        """The player is in another cell: the one current cell follows, and what is around it joins in."""
        self.graph.set_current(cell_id)
        self.surroundings.come_near(cell_id, seen_outside)

    def _move_other(self, entity: Entity, body: EntityBody, report: TickReport) -> None:
        if self._distance_to_player(body) > ASLEEP_BEYOND:
            return
        cell_id = body.place.cell_id
        origin = body.place.origin
        turn = body.place.turn
        body.step(QUANTUM)
        place = body.place
        if place.origin != origin or place.turn is not turn or place.cell_id != cell_id:
            report.moved.append(entity.id)
        tr = body.last_transition
        if entity.opens_doors and tr is not None:
            for object_id in tr.ci.collide_objects:
                door = self.population.find(object_id)
                if isinstance(door, Door) and not door.is_open and not door.is_busy(report.tick):
                    self._use(object_id, entity.id, report.events)

    def _distance_to_player(self, body: EntityBody) -> float:
        here = self.player.steered.place
        x, y, z = into_block(here.cell_id, body.place.cell_id, body.place.origin)
        return length((x - here.origin[0], y - here.origin[1], z - here.origin[2]))

    def _add_faults(self, report: TickReport) -> None:
        faults = self.population.faults
        for index in range(self._told_faults, len(faults)):
            report.faults.append(str(faults[index]))
        self._told_faults = len(faults)
        if self.player.steered.cell is None:
            report.faults.append("the player is in no cell")

    def _use(self, entity_id: int, by: int, events: list[EntityEvent]) -> None:
        door = self.population.find(entity_id)
        if not isinstance(door, Door):
            return
        behind = False
        user = self.population.find(by)
        if user is not None:
            behind = door.is_behind(user.place_cell(), user.origin())
        door.use(self.tick_number, by, behind, events)

    def watch(self, entity_id: int, observer: SweepObserver) -> None:
        """Let `observer` follow the sweeps of the player or of another body from now on, with whoever else does.

        Looking changes nothing: the state has no observers in it.
        """
        if self.population.entity(entity_id).body is None:
            raise PhysicsError(f"{cell_text(entity_id)} can not move, so there is nothing to follow")
        watchers = self._watchers.setdefault(entity_id, [])
        if observer not in watchers:
            watchers.append(observer)
        self._put_watchers()

    def unwatch(self, entity_id: int, observer: SweepObserver) -> None:
        watchers = self._watchers.get(entity_id, [])
        if observer in watchers:
            watchers.remove(observer)
        self._put_watchers()

    def _put_watchers(self) -> None:
        """On the bodies that there are now; edits and restoring make new ones."""
        for body_id in self.population.bodies:
            self.population.bodies[body_id].observer = together(self._watchers.get(body_id, []))

    # --- edits

    def apply_edit(self, edit: Edit) -> None:
        """Make a change that was kept as a value."""
        if edit.name not in EDITS:
            raise PhysicsError(f"there is no change {edit.name!r}; there are {', '.join(EDITS)}")
        kinds = EDITS[edit.name]
        if len(edit.args) != len(kinds) or not all(map(fits, kinds, edit.args)):
            raise PhysicsError(f"{edit.name} has the wrong arguments: {edit.args!r:.80}")
        getattr(self, edit.name)(*edit.args)

    def listen(self, listener: EditListener) -> None:
        """Tell `listener` of every edit from now on, after it was made."""
        self._listeners.append(listener)

    def unlisten(self, listener: EditListener) -> None:
        if listener in self._listeners:
            self._listeners.remove(listener)

    def listen_to_ticks(self, listener: TickListener) -> None:
        """Tell `listener` of every tick from now on, after it has run."""
        self._tick_listeners.append(listener)

    def unlisten_to_ticks(self, listener: TickListener) -> None:
        if listener in self._tick_listeners:
            self._tick_listeners.remove(listener)

    def _made(self, name: str, *args: EditArgument) -> None:
        if self._listeners:
            edit = Edit(name, args)
            for listener in self._listeners.copy():
                listener(self.tick_number, edit)

    def teleport(self, cell_id: int, x: float, y: float, z: float, heading: float) -> None:
        """Put the player there, or on the nearest free spot; his feet are at z. Refused where there is no room.

        A landblock's own id, 0xXXYYFFFF, means the land cell under the place.
        """
        _check_finite((x, y, z), heading)
        body = self.player.steered
        place = Place(cell_id, r24v((x, y, z)), Frame(ZERO, from_heading(heading)))
        relabel_arrival(body, place)
        before = self.snapshot()
        arrival = self.graph.get_visible(place.cell_id)
        if arrival is not None:
            self.surroundings.come_near(arrival.id, arrival.seen_outside)
        body.velocity = ZERO
        body.charging = False
        answer = set_position(body, place, SP_PLACEMENT | SP_SLIDE)
        if answer != SP_OK or body.cell is None:
            self._put_back(before)
            raise PhysicsError(f"nobody can be put at {(x, y, z)} in {cell_text(cell_id)}: {SP_NAMES[answer]}")
        self.population.register_player()
        self._enter(body.cell.id, body.cell.seen_outside)
        self._made("teleport", cell_id, x, y, z, heading)

    def face(self, heading: float) -> None:
        """Turn the player to a compass heading at once."""
        _check_finite(ZERO, heading)
        self.player.steered.place.turn = Frame(ZERO, from_heading(heading))
        self._made("face", heading)

    def set_player(self, name: str, value: float) -> None:
        """Change one of the numbers the player moves by: see `player_names`."""
        self.player.set_number(name, value)
        if self.player.id in self.population.registry.entities:
            if name in ("radius", "height"):
                self.population.register_again(self.player)
            self.population.registry.update_pwd_flags(self.player.id, self.player.flags)
        self._made("set_player", name, value)

    def set_velocity(self, entity_id: int, x: float, y: float, z: float) -> None:
        """Push a body: the player or any entity that can move."""
        body = self.population.entity(entity_id).body
        if body is None:
            raise PhysicsError(f"{cell_text(entity_id)} can not move")
        _check_finite((x, y, z), 0.0)
        body.set_velocity(r24v((x, y, z)))
        self._made("set_velocity", entity_id, x, y, z)

    def set_state(self, entity_id: int, state: int) -> None:
        """Give an entity, a static thing or the player new PhysicsState bits, as the server's SetState does (9.3)."""
        state &= _STATE_BITS
        self.population.set_state(entity_id, state)
        self._made("set_state", entity_id, state)

    def set_state_bits(self, entity_id: int, bits: int, on: bool) -> None:
        """Switch some of the bits on or off."""
        bits &= _STATE_BITS
        state = self.population.state_of(entity_id)
        self.population.set_state(entity_id, state | bits if on else state & ~bits)
        self._made("set_state_bits", entity_id, bits, on)

    def move_entity(self, entity_id: int, cell_id: int, x: float, y: float, z: float, heading: float) -> None:
        """Put an entity or a static thing upright somewhere else, through walls if need be."""
        _check_finite((x, y, z), heading)
        self.population.move(entity_id, cell_id, (x, y, z), Frame(ZERO, from_heading(heading)))
        self._made("move_entity", entity_id, cell_id, x, y, z, heading)

    def place_entity(
        self, entity_id: int, cell_id: int, x: float, y: float, z: float, qw: float, qx: float, qy: float, qz: float
    ) -> None:
        """`move_entity` with any rotation, and the player too: for what leans, and to put things where they were."""
        frame = Frame((x, y, z), (qw, qx, qy, qz))
        if not frame.is_valid():
            raise PhysicsError(f"{frame!r} is no place and no direction")
        self.population.move(entity_id, cell_id, frame.origin, frame)
        here = self.player.steered.cell
        if entity_id == self.player.id and here is not None:
            self._enter(here.id, here.seen_outside)
        self._made("place_entity", entity_id, cell_id, x, y, z, qw, qx, qy, qz)

    def add_entity(self, spec: str) -> None:
        """Put a new entity into the world; `spec` as `spec_text` writes it."""
        made = self.population.add(unpack_spec(spec.encode()))
        if made is None:
            fault = self.population.faults.pop()
            raise PhysicsError(fault.reason)
        self._put_watchers()
        self._made("add_entity", spec)

    def remove_entity(self, entity_id: int) -> None:
        """Take an entity or a static thing out of the world."""
        self.population.remove(entity_id)
        self._made("remove_entity", entity_id)

    def use(self, entity_id: int, by: int) -> None:
        """Somebody uses a door; 0 is nobody in particular, who stands in front of it."""
        self.population.door(entity_id)
        self._use(entity_id, by, self._events)
        self._made("use", entity_id, by)

    def open_door(self, entity_id: int) -> None:
        """Open a door for good, locked or not: no timer brings it back."""
        self.population.door(entity_id).open(self.tick_number, 0, self._events)
        self._made("open_door", entity_id)

    def close_door(self, entity_id: int) -> None:
        self.population.door(entity_id).close(self.tick_number, 0, self._events)
        self._made("close_door", entity_id)

    def lock_door(self, entity_id: int, locked: bool) -> None:
        self.population.door(entity_id).set_locked(locked, self.tick_number, 0, self._events)
        self._made("lock_door", entity_id, locked)

    def set_reset_interval(self, entity_id: int, seconds: float) -> None:
        """How long a door stays as it was used before it goes back; a countdown that runs already is left alone."""
        self.population.door(entity_id).set_reset_interval(seconds)
        self._made("set_reset_interval", entity_id, seconds)

    def set_door_timer(self, entity_id: int, tick: int) -> None:
        """The tick in which a door goes back to its default; -1 for never."""
        self.population.door(entity_id).reset_at = max(tick, NEVER)
        self._made("set_door_timer", entity_id, tick)

    def replace_cell(self, cell: bytes, environment: bytes) -> None:
        """Put an edited room in the place of the one with its id: an EnvCell record and, unless its shape is one of the
        world's, an Environment record (empty otherwise)."""
        self.rooms.replace(cell, environment)
        self._made("replace_cell", cell, environment)

    def set_rule(self, rule: str, form: str) -> None:
        """Flip one of the 36 rules; the next tick goes by it."""
        shapes = self.rules.placement_frame_fallback
        self.rules.set_form(rule, form)
        self._refresh_shapes(shapes)
        self._made("set_rule", rule, form)

    def set_rules(self, name: str) -> None:
        """Go by a whole rule set, retail or ace."""
        wanted = rule_set(name)
        shapes = self.rules.placement_frame_fallback
        for rule in RULE_NAMES:
            self.rules.set_form(rule, wanted.form(rule))
        self._refresh_shapes(shapes)
        self._made("set_rules", name)

    def _refresh_shapes(self, before: bool) -> None:
        if self.rules.placement_frame_fallback != before:
            self.population.register_all_again()

    # --- the world changes underneath

    def _graph_changed(self, change: GraphChange) -> None:
        """Bodies hold their cell: let them follow a cell that was replaced, removed or put back."""
        if change.kind == CURRENT:
            return
        for cell_id in change.cell_ids:
            self.population.cell_changed(cell_id, self.graph.peek(cell_id))
        if change.kind in (REPLACED, REMOVED):
            self.population.forget_slides()

    # --- state

    def _visit(self, io: StateIO) -> None:
        io.section("simulation")
        if io.integer("magic", _STATE_MAGIC) != _STATE_MAGIC or io.integer("version", _STATE_VERSION) != _STATE_VERSION:
            raise PhysicsError("this is no saved state of this version of the simulation")
        self.tick_number = io.integer("tick", self.tick_number)
        for rule in RULE_NAMES:
            retail = io.flag(rule, self.rules.form(rule) == RETAIL)
            if io.reading:
                self.rules.set_form(rule, RETAIL if retail else ACE)
        self.surroundings.visit(io)
        self.rooms.visit(io)
        self.population.visit(io)
        io.section("simulation")
        current = io.integer("current_cell", self.graph.current_id)
        if io.reading:
            self.graph.set_current(current)

    def snapshot(self) -> bytes:
        """The whole changing state between two ticks, packed. It goes with the world that it was taken in."""
        writer = StateWriter()
        self._visit(writer)
        return writer.packed()

    def restore(self, snapshot: bytes) -> None:
        """Be as the simulation was when the snapshot was taken; events that wait for the next report are dropped."""
        self._put_back(snapshot)
        self._events = []
        self.last_report = None

    def put_back(self, snapshot: bytes, waiting: int) -> None:
        """Take back edits made since the last tick, bit by bit: the state before them (a snapshot of this tick), and
        what waits for the next report but for its first `waiting` events. An edit itself, so that recordings have it.
        """
        if snapshot_tick(snapshot) != self.tick_number:
            raise PhysicsError("time has passed since this state; only what was edited after the last tick comes back")
        if not 0 <= waiting <= len(self._events):
            raise PhysicsError(f"{len(self._events)} events wait for the next report, not {waiting}")
        self._put_back(snapshot)
        del self._events[waiting:]
        self._made("put_back", snapshot, waiting)

    @property
    def waiting(self) -> int:
        """How many events of edits wait for the next report."""
        return len(self._events)

    def _put_back(self, snapshot: bytes) -> None:
        reader = StateReader(snapshot)
        self._visit(reader)
        reader.check_end()
        self._put_watchers()

    def state_hash(self) -> bytes:
        """16 bytes that differ when any of the state does, the same on either core and in any process."""
        writer = StateWriter(True)
        self._visit(writer)
        return hashlib.blake2b(writer.packed(), digest_size=16).digest()

    def named_state(self) -> list[tuple[str, str]]:
        """The whole state as names and values, to say what differs between two."""
        namer = StateNamer()
        self._visit(namer)
        return namer.values


def spec_text(spec: EntitySpec) -> str:
    """An entity's specification as `add_entity` takes it."""
    return pack_spec(spec).decode()


def snapshot_tick(snapshot: bytes) -> int:
    """The tick that comes next in a snapshot."""
    reader = StateReader(snapshot)
    reader.integer("magic", 0)
    reader.integer("version", 0)
    return reader.integer("tick", 0)


def _by_landblock_and_id(spec: EntitySpec) -> tuple[int, int]:
    return (spec.cell_id >> 16, spec.guid)


def _check_finite(v: Vec3, angle: float) -> None:
    for value in (v[0], v[1], v[2], angle):
        if value - value != 0.0:
            raise PhysicsError(f"{value} is no place and no direction")
