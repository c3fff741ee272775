"""The simulation of one world: edits between ticks, and `tick`, the only thing that moves time (physics.md 7, 9, 11;
ARCHITECTURE.md, promises 2 and 4).

Same start, same controls, same edits: the same bits, on either core. Any number of simulations share one loaded world;
what a run changes is in the fork of it that each simulation makes (`sim.world`).
"""

from __future__ import annotations

from typing import Final

from engine.entities.activation import step_on_plates, use
from engine.entities.bodies import EntityBody
from engine.entities.door import TICKS_PER_SECOND, Door
from engine.entities.entity import Entity
from engine.entities.events import FOUND, LOST, CellEvent, EntityEvent
from engine.entities.player import Player
from engine.entities.population import Population
from engine.entities.state_io import STATE_VERSION
from engine.geometry.constants import MIN_QUANTUM
from engine.geometry.frame import Frame
from engine.geometry.vec import length
from engine.physics.errors import PhysicsError
from engine.physics.flags import FROZEN, STATIC, TS_ACTIVE
from engine.physics.place import Place
from engine.physics.rules import RuleSet
from engine.physics.set_position import reenter
from engine.physics.sweep.trace import SweepObserver
from engine.sim.edits.edit import Edit, EditListener
from engine.sim.edits.world import OpenLandblock
from engine.sim.tick.contact_watch import ContactWatch
from engine.sim.tick.controls import Controls
from engine.sim.tick.report import TickListener, TickReport
from engine.sim.tick.rooms import EditedRooms
from engine.sim.tick.state import hash_of_state, named_values, packed_state, restore_state
from engine.sim.tick.surroundings import Surroundings
from engine.sim.tick.watchers import Watchers
from engine.world.cells.ids import cell_text
from engine.world.cells.position import into_block
from engine.world.entity_limits import PLAYER_ID
from engine.world.graph.graph import CURRENT, NO_CELL, REMOVED, REPLACED, CellGraph, GraphChange
from engine.world.world import World

QUANTUM: Final = MIN_QUANTUM
"""A tick, 1/30 s."""

ASLEEP_BEYOND: Final = 96.0
"""Metres from the player at which bodies are not moved (11.1)."""

STANDING_STILL: Final = Controls()

NOON: Final = 0.5


class Simulation:
    """A world in time.

        sim = Simulation(world)
        sim.apply_edit(Teleport(0xC95B0104, 96.0, 96.0, 0.0, 90.0))
        report = sim.tick(Controls(forward=1.0, run=True))

    `tick_number` counts the ticks that have run; what is edited now is seen by the tick of that number.
    """

    world: World
    """The simulation's own fork of the world it was made with. Its cells hold what stands in them."""
    graph: CellGraph
    rules: RuleSet
    population: Population
    player: Player
    surroundings: Surroundings
    rooms: EditedRooms
    tick_number: int
    time_of_day: float
    """In [0, 1), noon is a half. Time does not move it; it says how the world is lit, and nothing else goes by it."""
    last_report: TickReport | None
    pending_events: list[EntityEvent]
    """The events of edits, which the next tick reports."""
    _told_faults: int
    _listeners: list[EditListener]
    _tick_listeners: list[TickListener]
    watchers: Watchers
    _contacts: ContactWatch | None

    def __init__(
        self, world: World, rules: RuleSet | None = None, player_id: int = PLAYER_ID, player_name: str = "player"
    ) -> None:
        """Begin with a player who is nowhere; entities come with their landblocks.

        The simulation forks the world and copies the rules, so `world` may carry any number of simulations.
        """
        self.world = world.fork()
        self.graph = self.world.graph
        self.rules = RuleSet() if rules is None else rules.copy()
        self.population = Population(self.world, self.rules, player_id, player_name)
        self.player = self.population.player
        self.surroundings = Surroundings(self.world, self.population)
        self.rooms = EditedRooms(self.world, self.population)
        self.tick_number = 0
        self.time_of_day = NOON
        self.last_report = None
        self.pending_events = []
        self._told_faults = 0
        self._listeners = []
        self._tick_listeners = []
        self.watchers = Watchers(self.population.bodies)
        self._contacts = None
        self.graph.observe(self._graph_changed)

    def close(self) -> None:
        """End the simulation: it stops loading, drops its listeners and leaves no reference cycles."""
        self.graph.unobserve(self._graph_changed)
        self.world.close()
        self._listeners.clear()
        self._tick_listeners.clear()
        self.surroundings.listeners.clear()
        self.player.steered.interp.let_go()
        self.population.bodies.clear()
        self.population.entities.clear()

    # --- asking

    @property
    def seconds(self) -> float:
        """Simulated time so far."""
        return float(self.tick_number) / TICKS_PER_SECOND

    def pose(self, entity_id: int, ahead: float = 0.0) -> list[Frame]:
        """Return the frames at which an entity's parts are drawn, `ahead` seconds after the last tick."""
        return self.population.entity(entity_id).pose(self.seconds + ahead)

    # --- edits

    def apply_edit(self, edit: Edit) -> None:
        """Apply an edit and notify the listeners; a refused edit changes nothing."""
        if edit.is_in_effect(self):
            return
        edit.apply(self)
        if self._listeners:
            self._notify(edit.normalized())

    def bring(self, entity_id: int) -> None:
        """Load the landblock of an entity that is about to be edited.

        That is an edit of its own, so a recording has it also when the edit that asked for it is refused.
        """
        if self.population.find(entity_id) is None:
            spec = self.world.entity_spec(entity_id)
            if spec is not None:
                self.apply_edit(OpenLandblock(spec.cell_id))

    def use_door(self, door_id: int, user_id: int, events: list[EntityEvent]) -> None:
        """Let an entity use a door, or a switch that opens one; nothing happens when there is no such thing."""
        use(self.population, door_id, user_id, self.tick_number, events)

    # --- listeners

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

    def _notify(self, edit: Edit) -> None:
        for listener in self._listeners.copy():
            listener(self.tick_number, edit)

    def watch(self, entity_id: int, observer: SweepObserver) -> None:
        """Let `observer` follow the sweeps of the player or of another body from now on, beside its other observers.

        Looking changes nothing: the state has no observers in it.
        """
        if self.population.entity(entity_id).body is None:
            raise PhysicsError(f"{cell_text(entity_id)} cannot move, so there is nothing to follow")
        self.watchers.add(entity_id, observer)

    def unwatch(self, entity_id: int, observer: SweepObserver) -> None:
        self.watchers.remove(entity_id, observer)

    def name_causes(self, on: bool = True) -> None:
        """Let every report from now on have the causes of what became of the player (`TickReport.contacts`).

        The state and the moves stay the same; a tick takes a little longer.
        """
        if on == (self._contacts is not None):
            return
        if self._contacts is not None:
            self.unwatch(self.player.id, self._contacts)
            self._contacts = None
            return
        self._contacts = ContactWatch()
        self.watch(self.player.id, self._contacts)

    # --- changes of the world

    def enter_cell(self, cell_id: int, seen_outside: bool) -> None:
        """Follow the player into a cell: it becomes the current one, and the landblocks around it join."""
        self.graph.set_current(cell_id)
        self.surroundings.come_near(cell_id, seen_outside)

    def _graph_changed(self, change: GraphChange) -> None:
        """Bodies hold their cell: let them follow a cell that was replaced, removed or put back."""
        if change.kind == CURRENT:
            return
        self.population.cells_changed(change.cell_ids)
        if change.kind in (REPLACED, REMOVED):
            self.population.forget_slides()

    # --- state

    def snapshot(self, version: int = STATE_VERSION) -> bytes:
        """The whole changing state between two ticks, packed. It goes with the world that it was taken in.

        In the form of an older version it is what that one knew of.
        """
        return packed_state(self, version)

    def restore(self, snapshot: bytes) -> None:
        """Be as the simulation was when the snapshot was taken; events that wait for the next report are dropped."""
        self.put_state_back(snapshot)
        self.pending_events = []
        self.last_report = None

    @property
    def waiting(self) -> int:
        """The number of events that wait for the next report."""
        return len(self.pending_events)

    def put_state_back(self, snapshot: bytes) -> None:
        restore_state(self, snapshot)
        self.watchers.attach()

    def state_hash(self, version: int = STATE_VERSION) -> bytes:
        """16 bytes that differ when any of the state does, the same on either core and in any process; of an older
        version's form what was in the state then."""
        return hash_of_state(self, version)

    def named_state(self) -> list[tuple[str, str]]:
        """The whole state as names and values, to say what differs between two."""
        return named_values(self)

    # --- a tick

    def tick(self, controls: Controls = STANDING_STILL) -> TickReport:
        """Run 1/30 s: doors, the player, the cell that he is in, then everybody else."""
        now = self.tick_number
        report = TickReport(now)
        report.events = self.pending_events
        self.pending_events = []
        for door in self.population.doors:
            door.step(now, report.events)
        if controls.use != 0:
            self.use_door(controls.use, self.player.id, report.events)
        self._move_player(controls, report)
        if self._contacts is not None:
            report.contacts = self._contacts.take()
        for entity in self.population.movers:
            body = entity.body
            if body is not None and self._is_stepped(body):
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
        was_lost = body.held is not None
        before = body.place.copy()
        if was_lost and self.rules.no_cell_commit:
            reenter(body)  # the client does so in every frame that it draws, so between two ticks (physics.md #8)
        _, was_on_walkable = body.contact_bits()
        if controls.look != 0.0:
            body.look(controls.look)
        report.jumped = body.steer(
            controls.forward, controls.side_step, controls.turn, controls.run, controls.jump, QUANTUM
        )
        ok = body.step(QUANTUM)
        report.finish(body, was_on_walkable, ok)
        tr = body.last_transition
        if tr is not None:
            step_on_plates(self.population, tr.ci.collide_objects, self.tick_number, report.events)
        if report.lost != was_lost:
            self._tell_of_cells(body, before, report)
        if body.cell is not None and body.cell.id != self.graph.current_id:
            self.enter_cell(body.cell.id, body.cell.seen_outside)
        elif report.lost:
            self.graph.set_current(NO_CELL)

    def _is_stepped(self, body: EntityBody) -> bool:
        """Near the player every update wakes whoever sleeps; that restarts the body's clock, so that update steps
        nothing, and one at rest is stepped at each second one (11.1; physics.md #39)."""
        if body.cell is None or body.state & FROZEN or self._distance_to_player(body) > ASLEEP_BEYOND:
            body.transient &= ~TS_ACTIVE
            return False
        if body.transient & TS_ACTIVE:
            return True
        if not body.state & STATIC:
            body.transient |= TS_ACTIVE
        return False

    def _move_other(self, entity: Entity, body: EntityBody, report: TickReport) -> None:
        cell_id = body.place.cell_id
        origin = body.place.origin
        turn = body.place.turn
        before = body.place.copy()
        body.step(QUANTUM)
        place = body.place
        if body.held is not None:
            self._tell_of_cells(body, before, report)
        if place.origin != origin or place.turn is not turn or place.cell_id != cell_id:
            report.moved.append(entity.id)
        tr = body.last_transition
        if report.contacts is not None and tr is not None and self.player.id in tr.ci.collide_objects:
            report.contacts.run_into_by.append(entity.id)
        if entity.opens_doors and tr is not None:
            for object_id in tr.ci.collide_objects:
                door = self.population.find(object_id)
                if isinstance(door, Door) and not door.is_open and not door.is_busy(report.tick):
                    self.use_door(object_id, entity.id, report.events)

    def _tell_of_cells(self, body: EntityBody, before: Place, report: TickReport) -> None:
        what = LOST if body.held is not None else FOUND
        report.events.append(CellEvent(report.tick, body.id, what, body.place, before))

    def _distance_to_player(self, body: EntityBody) -> float:
        here = self.player.steered.place
        x, y, z = into_block(here.cell_id, body.place.cell_id, body.place.origin)
        return length((x - here.origin[0], y - here.origin[1], z - here.origin[2]))

    def _add_faults(self, report: TickReport) -> None:
        faults = self.population.faults
        for index in range(self._told_faults, len(faults)):
            report.faults.append(str(faults[index]))
        self._told_faults = len(faults)
        body = self.player.steered
        if body.held is not None:
            report.faults.append("the player has left all cells: none holds the centre")
        elif body.cell is None:
            report.faults.append("the player is in no cell")
