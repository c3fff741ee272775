"""The edits of a simulation: every change from outside between two ticks (design.md, "How an edit flows")."""

from __future__ import annotations

from typing import Final

from engine.entities.door import NEVER, Door
from engine.entities.events import EntityEvent
from engine.entities.footing import let_fall
from engine.entities.specs import unpack_spec
from engine.entities.state_io import StateReader, StateWriter
from engine.geometry.frame import Frame
from engine.geometry.quat import from_heading
from engine.geometry.vec import ZERO, Vec3, r24v
from engine.physics.errors import PhysicsError
from engine.physics.place import Place
from engine.physics.rules import CELL_RULES, RULE_NAMES, rule_set
from engine.physics.set_position import (
    SP_NAMES,
    SP_OK,
    SP_PLACEMENT,
    SP_SLIDE,
    relabel_arrival,
    set_position,
)
from engine.sim.tick.edit import EDITS, Edit, fits
from engine.sim.tick.state import SimulationState, snapshot_tick
from engine.sim.tick.surroundings import Mark
from engine.world.cells.ids import cell_text, landblock_id

_STATE_BITS: Final = 0xFFFFFFFF


class Edits(SimulationState):
    """A simulation that can be changed. Every edit tells the listeners after it was made; `EDITS` names them all."""

    def apply_edit(self, edit: Edit) -> None:
        """Make a change that was kept as a value."""
        if edit.name not in EDITS:
            raise PhysicsError(f"there is no change {edit.name!r}; there are {', '.join(EDITS)}")
        kinds = EDITS[edit.name]
        if len(edit.args) != len(kinds) or not all(map(fits, kinds, edit.args)):
            raise PhysicsError(f"{edit.name} has the wrong arguments: {edit.args!r:.80}")
        getattr(self, edit.name)(*edit.args)

    def _use(self, entity_id: int, by: int, events: list[EntityEvent]) -> None:
        door = self.population.find(entity_id)
        if not isinstance(door, Door):
            return
        behind = False
        user = self.population.find(by)
        if user is not None:
            behind = door.is_behind(user.place_cell(), user.origin())
        door.use(self.tick_number, by, behind, events)

    def teleport(self, cell_id: int, x: float, y: float, z: float, heading: float) -> None:
        """Put the player there, or on the nearest free spot; his soles are at z, so his origin is 5 mm above it.

        Refused where there is no room.

        A landblock's own id, 0xXXYYFFFF, means the land cell under the place.
        """
        _check_finite((x, y, z), heading)
        body = self.player.steered
        place = Place(cell_id, r24v((x, y, z + self.player.sunk())), Frame(ZERO, from_heading(heading)))
        relabel_arrival(body, place)
        self._arrive(place)
        self._made("teleport", cell_id, x, y, z, heading)

    def put_player_back(self) -> None:
        """Put the player, whom no cell holds, to where one held him last, or next to it. Refused when he is not lost,
        and where there is no room for him any more."""
        held = self.player.steered.held
        if held is None:
            raise PhysicsError("the player has not left the cells: there is nowhere to put him back from")
        self._arrive(held.copy())
        self._made("put_player_back")

    def _arrive(self, place: Place) -> None:
        """The player appears at a place, at rest. Where that can not be, nothing has changed."""
        before = _BeforeArrival(self)
        body = self.player.steered
        arrival = self.graph.get_visible(place.cell_id)
        if arrival is not None:
            self.surroundings.come_near(arrival.id, arrival.seen_outside)
        body.velocity = ZERO
        body.charging = False
        answer = set_position(body, place, SP_PLACEMENT | SP_SLIDE)
        cell = body.cell
        if answer != SP_OK or cell is None:
            before.put_back(self)
            why = SP_NAMES[answer] if answer != SP_OK else "no cell holds that place"
            raise PhysicsError(f"nobody can be put at {place.origin} in {cell_text(place.cell_id)}: {why}")
        self.population.register_player()
        self._enter(cell.id, cell.seen_outside)

    def open_landblock(self, block_id: int) -> None:
        """Let a landblock come in that the player is not near to, with its static things and its entities."""
        if self.world.landblock(block_id) is None:
            raise PhysicsError(f"there is no landblock {cell_text(landblock_id(block_id))}")
        if not self.surroundings.has(block_id):
            self.surroundings.join(block_id)
            self._made("open_landblock", landblock_id(block_id))

    def bring(self, entity_id: int) -> None:
        """Whoever is edited has to be alive: his landblock comes in. That is an edit of its own, so a recording has it
        also when the one that asked for it is refused."""
        if self.population.find(entity_id) is None:
            spec = self.world.entity_spec(entity_id)
            if spec is not None and not self.surroundings.has(spec.cell_id):
                self.open_landblock(spec.cell_id)

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
        self.bring(entity_id)
        body = self.population.entity(entity_id).body
        if body is None:
            raise PhysicsError(f"{cell_text(entity_id)} can not move")
        _check_finite((x, y, z), 0.0)
        body.set_velocity(r24v((x, y, z)))
        self._made("set_velocity", entity_id, x, y, z)

    def set_state(self, entity_id: int, state: int) -> None:
        """Give an entity, a static thing or the player new PhysicsState bits, as the server's SetState does (9.3)."""
        self.bring(entity_id)
        state &= _STATE_BITS
        self.population.set_state(entity_id, state)
        let_fall(self.population.bodies)
        self._made("set_state", entity_id, state)

    def set_state_bits(self, entity_id: int, bits: int, on: bool) -> None:
        """Switch some of the bits on or off."""
        self.bring(entity_id)
        bits &= _STATE_BITS
        state = self.population.state_of(entity_id)
        self.population.set_state(entity_id, state | bits if on else state & ~bits)
        let_fall(self.population.bodies)
        self._made("set_state_bits", entity_id, bits, on)

    def move_entity(self, entity_id: int, cell_id: int, x: float, y: float, z: float, heading: float) -> None:
        """Put an entity or a static thing upright somewhere else, through walls if need be."""
        self.bring(entity_id)
        _check_finite((x, y, z), heading)
        self.population.move(entity_id, cell_id, (x, y, z), Frame(ZERO, from_heading(heading)))
        let_fall(self.population.bodies)
        self._made("move_entity", entity_id, cell_id, x, y, z, heading)

    def place_entity(
        self, entity_id: int, cell_id: int, x: float, y: float, z: float, qw: float, qx: float, qy: float, qz: float
    ) -> None:
        """`move_entity` with any rotation, and the player too: for what leans, and to put things where they were."""
        self.bring(entity_id)
        frame = Frame((x, y, z), (qw, qx, qy, qz))
        if not frame.is_valid():
            raise PhysicsError(f"{frame!r} is no place and no direction")
        self.population.move(entity_id, cell_id, frame.origin, frame)
        here = self.player.steered.cell
        if entity_id == self.player.id and here is not None:
            self._enter(here.id, here.seen_outside)
        let_fall(self.population.bodies)
        self._made("place_entity", entity_id, cell_id, x, y, z, qw, qx, qy, qz)

    def add_entity(self, spec: str) -> None:
        """Put a new entity into the world; `spec` as `spec_text` writes it."""
        wanted = unpack_spec(spec.encode())
        listed = self.world.entity_spec(wanted.guid)
        if listed is not None and not self.surroundings.has(listed.cell_id):
            raise PhysicsError(f"there is an entity {cell_text(wanted.guid)} already, in a landblock that is not open")
        made = self.population.add(wanted)
        if made is None:
            fault = self.population.faults.pop()
            raise PhysicsError(fault.reason)
        self._put_watchers()
        self._made("add_entity", spec)

    def remove_entity(self, entity_id: int) -> None:
        """Take an entity or a static thing out of the world."""
        self.bring(entity_id)
        self.population.remove(entity_id)
        let_fall(self.population.bodies)
        self._made("remove_entity", entity_id)

    def restore_static(self, thing_id: int) -> None:
        """Put a static thing that was taken out back to where its record has it."""
        self.population.restore_static(thing_id)
        self._made("restore_static", thing_id)

    def set_scale(self, entity_id: int, scale: float) -> None:
        """Make an entity larger or smaller: what is drawn, what others collide with, and what it sweeps with itself."""
        self.bring(entity_id)
        self.population.set_scale(entity_id, scale + 0.0)
        let_fall(self.population.bodies)
        self._made("set_scale", entity_id, scale)

    def use(self, entity_id: int, by: int) -> None:
        """Somebody uses a door; 0 is nobody in particular, who stands in front of it."""
        self.bring(entity_id)
        self.population.door(entity_id)
        self._use(entity_id, by, self._events)
        self._made("use", entity_id, by)

    def open_door(self, entity_id: int) -> None:
        """Open a door for good, locked or not: no timer brings it back."""
        self.bring(entity_id)
        self.population.door(entity_id).open(self.tick_number, 0, self._events)
        self._made("open_door", entity_id)

    def close_door(self, entity_id: int) -> None:
        self.bring(entity_id)
        self.population.door(entity_id).close(self.tick_number, 0, self._events)
        self._made("close_door", entity_id)

    def lock_door(self, entity_id: int, locked: bool) -> None:
        self.bring(entity_id)
        self.population.door(entity_id).set_locked(locked, self.tick_number, 0, self._events)
        self._made("lock_door", entity_id, locked)

    def set_reset_interval(self, entity_id: int, seconds: float) -> None:
        """How long a door stays as it was used before it goes back; a countdown that runs already is left alone."""
        self.bring(entity_id)
        self.population.door(entity_id).set_reset_interval(seconds)
        self._made("set_reset_interval", entity_id, seconds)

    def set_door_timer(self, entity_id: int, tick: int) -> None:
        """The tick in which a door goes back to its default; -1 for never."""
        self.bring(entity_id)
        self.population.door(entity_id).reset_at = max(tick, NEVER)
        self._made("set_door_timer", entity_id, tick)

    def replace_cell(self, cell: bytes, environment: bytes) -> None:
        """Put an edited room in the place of the one with its id: an EnvCell record and, unless its shape is one of the
        world's, an Environment record (empty otherwise). What is registered nearby finds its cells anew when the room
        leads elsewhere now."""
        room_id = self.rooms.replace(cell, environment)
        self.population.reenter(landblock_id(room_id))
        let_fall(self.population.bodies)
        self._made("replace_cell", cell, environment)

    def set_rule(self, rule: str, form: str) -> None:
        """Flip one of the rules; the next tick goes by it."""
        cells_by = self._cell_rules()
        self.rules.set_form(rule, form)
        self._follow_cell_rules(cells_by)
        self._made("set_rule", rule, form)

    def set_rules(self, name: str) -> None:
        """Go by a whole rule set, retail or ace."""
        wanted = rule_set(name)
        cells_by = self._cell_rules()
        for rule in RULE_NAMES:
            self.rules.set_form(rule, wanted.form(rule))
        self._follow_cell_rules(cells_by)
        self._made("set_rules", name)

    def _cell_rules(self) -> list[str]:
        return [self.rules.form(rule) for rule in CELL_RULES]

    def _follow_cell_rules(self, before: list[str]) -> None:
        if self._cell_rules() != before:
            self.population.find_all_cells_again()

    def set_time_of_day(self, time: float) -> None:
        """Another light: `time` in [0, 1), noon is a half."""
        if not 0.0 <= time < 1.0:
            raise PhysicsError(f"{time} is no time of day; midnight is 0, noon 0.5, and 1 is the next midnight")
        self.time_of_day = time + 0.0
        self._made("set_time_of_day", time)

    def put_back(self, snapshot: bytes, waiting: int) -> None:
        """Take back edits made since the last tick, bit by bit: the state before them (a snapshot of this tick), and
        what waits for the next report but for its first `waiting` events. An edit itself, so that recordings have it.
        """
        if snapshot_tick(snapshot) != self.tick_number:
            raise PhysicsError("time has passed since this state; only what was edited after the last tick comes back")
        if not 0 <= waiting <= len(self._events):
            raise PhysicsError(f"{len(self._events)} events wait for the next report, not {waiting}")
        self.put_state_back(snapshot)
        del self._events[waiting:]
        self._made("put_back", snapshot, waiting)


class _BeforeArrival:
    """What an arrival can change: the player, and what comes in with him; all of the state, when there is somebody whom
    no cell holds, who looks for one in what comes in."""

    whole: bytes
    player: bytes
    mark: Mark
    cells: dict[int, list[int]]
    """Who is in the player's cells, in their order."""

    def __init__(self, sim: Edits) -> None:
        population = sim.population
        self.whole = sim.snapshot() if population.anybody_lost() else b""
        writer = StateWriter()
        population.visit_player(writer)
        self.player = writer.packed()
        self.mark = sim.surroundings.mark()
        registry = population.registry
        self.cells = {cell_id: registry.objects_in(cell_id) for cell_id in registry.cells_of(population.player.id)}

    def put_back(self, sim: Edits) -> None:
        if self.whole:
            sim.put_state_back(self.whole)
            return
        population = sim.population
        population.visit_player(StateReader(self.player))
        sim.surroundings.go_back(self.mark)
        for cell_id in self.cells:
            population.registry.set_objects_in(cell_id, self.cells[cell_id])


def _check_finite(v: Vec3, angle: float) -> None:
    for value in (v[0], v[1], v[2], angle):
        if value - value != 0.0:
            raise PhysicsError(f"{value} is no place and no direction")
