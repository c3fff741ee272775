"""The state of a simulation between two ticks: what it is made of, packed and put back bit by bit, and who is told of
what happens to it (ARCHITECTURE.md, promises 2 and 4)."""

from __future__ import annotations

import hashlib
from typing import Final

from engine.entities.door import TICKS_PER_SECOND
from engine.entities.events import EntityEvent
from engine.entities.player import Player
from engine.entities.population import Population
from engine.entities.state_io import OLDEST_STATE_VERSION, STATE_VERSION, StateIO, StateNamer, StateReader, StateWriter
from engine.geometry.frame import Frame
from engine.physics.errors import PhysicsError
from engine.physics.rules import ACE, RETAIL, RULE_NAMES, RuleSet
from engine.physics.sweep.trace import SweepObserver
from engine.sim.edits.edit import Edit, EditListener
from engine.sim.observers import together
from engine.sim.tick.report import TickListener, TickReport
from engine.sim.tick.rooms import EditedRooms
from engine.sim.tick.surroundings import Surroundings
from engine.world.cells.ids import cell_text
from engine.world.entity_limits import PLAYER_ID
from engine.world.graph.graph import CURRENT, REMOVED, REPLACED, CellGraph, GraphChange
from engine.world.world import World

_STATE_MAGIC: Final = 0x43445354
_RULES_OF_3: Final = 36
"""The first so many rules are in states of version 3; the others were as `ace` has them then."""

NOON: Final = 0.5


class SimulationState:
    """What a simulation is made of."""

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
    """Those of edits, which the next tick reports."""
    _told_faults: int
    _listeners: list[EditListener]
    _tick_listeners: list[TickListener]
    _watchers: dict[int, list[SweepObserver]]

    def __init__(
        self, world: World, rules: RuleSet | None = None, player_id: int = PLAYER_ID, player_name: str = "player"
    ) -> None:
        """A player who is nowhere yet, and nobody else: entities come with their landblocks.

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
        self._watchers = {}
        self.graph.observe(self._graph_changed)

    def close(self) -> None:
        """End the simulation: it loads nothing more, tells nobody, and leaves no reference cycles."""
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
        """Where an entity's parts are to be drawn, `ahead` seconds after the last tick."""
        return self.population.entity(entity_id).pose(self.seconds + ahead)

    # --- who listens

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
        """Let `observer` follow the sweeps of the player or of another body from now on, with whoever else does.

        Looking changes nothing: the state has no observers in it.
        """
        if self.population.entity(entity_id).body is None:
            raise PhysicsError(f"{cell_text(entity_id)} can not move, so there is nothing to follow")
        watchers = self._watchers.setdefault(entity_id, [])
        if observer not in watchers:
            watchers.append(observer)
        self.attach_watchers()

    def unwatch(self, entity_id: int, observer: SweepObserver) -> None:
        watchers = self._watchers.get(entity_id, [])
        if observer in watchers:
            watchers.remove(observer)
        self.attach_watchers()

    def attach_watchers(self) -> None:
        """Let the bodies that there are now have their observers; edits and restoring make new ones."""
        for body_id in self.population.bodies:
            self.population.bodies[body_id].observer = together(self._watchers.get(body_id, []))

    # --- the world changes underneath

    def enter_cell(self, cell_id: int, seen_outside: bool) -> None:
        """The player is in another cell: the one current cell follows, and what is around it joins in."""
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

    def _visit(self, io: StateIO) -> None:
        io.section("simulation")
        magic = io.integer("magic", _STATE_MAGIC)
        io.version = io.integer("version", io.version)
        _check_form(magic, io.version)
        self.tick_number = io.integer("tick", self.tick_number)
        self.time_of_day = io.real("time_of_day", self.time_of_day)
        stored = len(RULE_NAMES) if io.version >= 4 else _RULES_OF_3
        for number, rule in enumerate(RULE_NAMES):
            retail = number < stored and io.flag(rule, self.rules.form(rule) == RETAIL)
            if io.reading:
                self.rules.set_form(rule, RETAIL if retail else ACE)
        self.surroundings.visit(io)
        self.rooms.visit(io)
        self.population.visit(io)
        io.section("simulation")
        current = io.integer("current_cell", self.graph.current_id)
        if io.reading:
            self.graph.set_current(current)

    def snapshot(self, version: int = STATE_VERSION) -> bytes:
        """The whole changing state between two ticks, packed. It goes with the world that it was taken in.

        In the form of an older version it is what that one knew of.
        """
        writer = StateWriter()
        writer.version = version
        self._visit(writer)
        return writer.packed()

    def restore(self, snapshot: bytes) -> None:
        """Be as the simulation was when the snapshot was taken; events that wait for the next report are dropped."""
        self.put_state_back(snapshot)
        self.pending_events = []
        self.last_report = None

    @property
    def waiting(self) -> int:
        """How many events of edits wait for the next report."""
        return len(self.pending_events)

    def put_state_back(self, snapshot: bytes) -> None:
        reader = StateReader(snapshot)
        self._visit(reader)
        reader.check_end()
        self.attach_watchers()

    def state_hash(self, version: int = STATE_VERSION) -> bytes:
        """16 bytes that differ when any of the state does, the same on either core and in any process; of an older
        version's form what was in the state then."""
        writer = StateWriter(True)
        writer.version = version
        self._visit(writer)
        return hashlib.blake2b(writer.packed(), digest_size=16).digest()

    def named_state(self) -> list[tuple[str, str]]:
        """The whole state as names and values, to say what differs between two."""
        namer = StateNamer()
        self._visit(namer)
        return namer.values


def snapshot_version(snapshot: bytes) -> int:
    """The version of its form; a PhysicsError for one that this program does not read."""
    reader = StateReader(snapshot)
    magic = reader.integer("magic", 0)
    version = reader.integer("version", 0)
    _check_form(magic, version)
    return version


def _check_form(magic: int, version: int) -> None:
    if magic == _STATE_MAGIC and version > STATE_VERSION:
        raise PhysicsError(f"the state is of version {version} of the simulation; this program knows {STATE_VERSION}")
    if magic != _STATE_MAGIC or version < OLDEST_STATE_VERSION:
        raise PhysicsError("this is no saved state of this version of the simulation")


def snapshot_tick(snapshot: bytes) -> int:
    """The tick that comes next in a snapshot."""
    reader = StateReader(snapshot)
    reader.integer("magic", 0)
    reader.integer("version", 0)
    return reader.integer("tick", 0)
