"""The search: puts the player's body into a remembered state and leads it by keys, tick by tick as `Simulation.tick`
does, until it is somewhere else (docs/exploring.md)."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Final

from engine.entities.activation import step_on_plates
from engine.entities.bodies import PlayerBody
from engine.explore.bins import Bins
from engine.explore.codes import (
    BEYOND,
    FLOOR,
    HOW_FALL,
    HOW_JUMP,
    HOW_SEED,
    HOW_WALK,
    LEVELS,
    LOST,
    standing_of,
    turn_of,
)
from engine.explore.door_states import TICKS, DoorStates
from engine.explore.found_states import FoundStates
from engine.explore.jump_places import JumpPlaces
from engine.explore.keys import RUN, STAND, WALK, Moves
from engine.explore.listening import SearchListener
from engine.explore.preparing import AS_THEY_ARE, OPEN, USED, prepare
from engine.explore.queue import LevelQueue
from engine.explore.saved_body import SavedBody, put_back, saved
from engine.geometry.constants import MIN_QUANTUM
from engine.geometry.vec import ZERO, distance
from engine.physics.errors import PhysicsError
from engine.sim.edits.player import Teleport
from engine.sim.tick.controls import Controls
from engine.sim.tick.simulation import STANDING_STILL, Simulation
from engine.world.cells.ids import landblock_id
from engine.world.cells.position import into_block

if TYPE_CHECKING:
    from engine.explore.forms.settings import Seed, Settings

MOST_WALK_TICKS: Final = 24
IDLE_TICKS: Final = 5
"""Ticks without progress after which a walk ends: animations may not move the body for as many."""
WEDGED_TICKS: Final = 15
SETTLE_TICKS: Final = 90
LONG_FALL_TICKS: Final = 4
"""More ticks off the ground are a fall, not a bump."""

ASTRAY: Final = 0.6
"""Metres from a seed at which a body may come to be: further on, there may be a wall between."""
EDGE: Final = 0.05
"""Metres off the plane that it stood on by which a body has gone over an edge or a step."""
USE_SQUARE: Final = 0.5
"""Metres of the squares from each of which a door is used once."""


class Search(FoundStates):
    """Searches landblocks from seeds, in a simulation that is made for it and taken over.

        search = Search(Simulation(world), seeds, Settings())
        while search.expand(1000): ...
        search.controls_to(search.nearest(cell_id, point))

    The same simulation, seeds and settings give the same states in the same order, however the work is sliced.
    `start` is the snapshot that walks begin with. `refused` are the seeds, by number, that no body fits at, and why.
    """

    sim: Simulation
    seeds: list[Seed]
    start: bytes
    refused: list[tuple[int, str]]
    listener: SearchListener | None
    is_full: bool
    """The most states have been found: there is more."""

    def __init__(self, sim: Simulation, seeds: Sequence[Seed], settings: Settings) -> None:
        super().__init__()
        self.sim = sim
        self.settings = settings
        self.seeds = list(seeds)
        self.refused = []
        self.sweeps = 0
        self.ticks = 0
        self.listener = None
        self.cell_before = 0
        self.origin_before = ZERO
        self.is_full = False
        self._body: PlayerBody = sim.player.steered
        self._headings: list[float] = [number * 360.0 / settings.headings for number in range(settings.headings)]
        self._speeds: list[int] = ([RUN] if settings.run else []) + ([WALK] if settings.walk else [])
        self._fall_ticks: int = settings.fall_ticks
        self._most_states: int = settings.most_states
        self._jumps: bool = settings.jumps
        doors_as = {"USED": USED, "OPEN": OPEN}.get(settings.doors.name, AS_THEY_ARE)
        blocks = sorted({landblock_id(each) for each in settings.bounds or [seed.cell_id for seed in self.seeds]})
        numbers: list[tuple[str, float]] = [] if settings.body is None else list(settings.body.numbers)
        outdoors = prepare(sim, blocks, [seed.cell_id for seed in self.seeds], settings.rules, numbers, doors_as)
        self.start = sim.snapshot()
        self._start_body = saved(self._body)
        self._before = self._start_body
        self._doors: DoorStates | None = DoorStates(sim) if doors_as == USED else None
        charges = sorted({max(1, round(charge * 30.0)) for charge in settings.charges})
        self.moves = Moves(charges, [] if self._doors is None else self._doors.things)
        self._bins = Bins(
            sim.graph, settings.grid, settings.storey, settings.border, blocks, outdoors, sorted(settings.known)
        )
        self._visited: dict[int, int] = {}
        self._waiting: dict[int, SavedBody] = {}
        self._queue = LevelQueue(LEVELS)
        self._places = JumpPlaces(self._bins, settings.jump_grid, settings.jump_reach)
        self._next_seed = 0
        self._used_from: set[int] = set()
        self._parent = -1
        self._move = STAND
        self._look = 0.0
        self._led = 0
        self._waited = 0
        self._hindered = False
        self._air_ticks = 0
        self._doors_move = False
        self._touched: list[int] = []

    # --- asking

    @property
    def queue_length(self) -> int:
        """States, seeds and places of jumps that wait."""
        return len(self.seeds) - self._next_seed + self._queue.length + self._places.length

    @property
    def is_finished(self) -> bool:
        return self.is_full or self.queue_length == 0

    @property
    def blocks(self) -> list[int]:
        """The landblocks that are searched."""
        return self._bins.blocks.copy()

    def way_here(self) -> list[Controls]:
        """The keys from the seed to where the body is now, in the middle of a move."""
        keys = [] if self._parent < 0 else self.controls_to(self._parent)
        return keys + self.moves.keys(self._move, self._look, self._led + self._waited, self._waited)

    @property
    def parent_now(self) -> int:
        """The state that the move of the moment began in; -1 while a seed settles."""
        return self._parent

    @property
    def seed_now(self) -> int:
        """The seed of the move of the moment."""
        return self._next_seed - 1 if self._parent < 0 else self.seed_of(self._parent)

    def waiting_body(self, state: int) -> SavedBody | None:
        """The whole body in a state that waits to be expanded; None of any other."""
        return self._waiting.get(state)

    # --- searching

    def expand(self, states: int) -> int:
        """Expand at most so many states; return how many. 0: the search is finished."""
        done = 0
        while done < states and not self.is_full:
            if self._next_seed < len(self.seeds):
                self._sow(self._next_seed)
            elif self._queue.length > 0:
                self._expand(self._queue.next())
            elif self._places.length > 0:
                self._jump_from(self._places.next())
            else:
                break
            done += 1
            self.is_full = self.count >= self._most_states
        return done

    def _sow(self, number: int) -> None:
        """Put the body at a seed and let it settle."""
        self._next_seed = number + 1
        seed = self.seeds[number]
        body = self._body
        if self._doors is not None:
            self._doors.put(0)
        put_back(body, self._start_body)
        x, y, z = seed.origin
        try:
            self.sim.apply_edit(Teleport(seed.cell_id, x, y, z, seed.heading))
        except PhysicsError as error:
            self.refused.append((number, str(error)))
            return
        away = distance(into_block(seed.cell_id, body.place.cell_id, body.place.origin), seed.origin)
        if away > ASTRAY:
            self.refused.append((number, f"the nearest free spot is {away:.2f} m away"))
            return
        self.sim.population.registry.deregister(body.id)
        self._begin(-1, STAND, 0.0)
        for _ in range(SETTLE_TICKS):
            self._tick(0.0, 0.0, False, False)
            if standing_of(self._body) == FLOOR or body.cell is None or self._doors_move:
                break
        count = self.count
        state = self._arrive(HOW_SEED)
        if state == count:
            self._seed_of[state] = number

    def _expand(self, state: int) -> None:
        start = self._waiting.pop(state)
        self._stand_doors(state)
        self._touched = []
        ends: list[int] = []
        heading: float = self.columns.heading[state]
        here = self._bins.bin(start.cell_id, start.origin)
        met = 0
        count = len(self._headings)
        first = self._speeds[0]
        for number in range(0, count, 2):
            if self._walk(state, start, here, first, self._headings[number] - heading, ends):
                met |= 1 << number
        if met != 0:
            for number in range(1, count, 2):
                if self._walk(state, start, here, first, self._headings[number] - heading, ends):
                    met |= 1 << number
            for speed in self._speeds[1:]:
                for each in self._headings:
                    self._walk(state, start, here, speed, each - heading, ends)
        if self._touched:
            self._use_touched(state, start, ends)
        columns = self.columns
        columns.ends_start[state] = len(self._ends)
        columns.ends_count[state] = len(ends)
        self._ends.extend(ends)
        if self._jumps:
            doors = self._doors
            self._places.offer(state, start, met, 0 if doors is None else doors.remote[columns.doors[state]])
        if self.listener is not None:
            self.listener.expanded(self, state)

    def _walk(self, parent: int, start: SavedBody, here: int, move: int, look: float, ends: list[int]) -> bool:
        """Walk in one direction into another bin. Returns whether something was in the way."""
        body = self._body
        self._stand_doors(parent)
        put_back(body, start)
        self._before = start
        self._begin(parent, move, turn_of(look))
        idle = 0
        run = move == RUN
        while self._led < MOST_WALK_TICKS:
            at = body.place.origin
            self._tick(self._look if self._led == 0 else 0.0, 1.0, run, False)
            if self._doors_move:
                break
            if standing_of(body) != FLOOR:
                self._hindered = True
                self._fly(1.0, run)
                break
            place = body.place
            if place.origin == at:
                idle += 1
                if idle >= IDLE_TICKS or (self._hindered and idle >= 2):
                    break
            else:
                idle = 0
                if self._bins.bin(place.cell_id, place.origin) != here:
                    break
        drop = start.origin[2] - body.place.origin[2]
        fell = self._air_ticks > LONG_FALL_TICKS or (self._air_ticks > 0 and drop > body.step_up_height)
        end = self._arrive(HOW_FALL if fell else HOW_WALK)
        if end >= 0 and end not in ends:
            ends.append(end)
        return self._hindered

    def _fly(self, forward: float, run: bool) -> None:
        """Lead the body on until it stands again, or for as long as falls are followed."""
        body = self._body
        wedged = 0
        ticks = 0
        while ticks < self._fall_ticks:
            if self._doors_move or body.cell is None or standing_of(body) == FLOOR:
                return
            at = body.place.origin
            self._tick(0.0, forward, run, False)
            ticks += 1
            self._air_ticks += 1
            if body.place.origin == at:
                wedged += 1
                if wedged >= WEDGED_TICKS:
                    return
            else:
                wedged = 0

    # --- jumps

    def _jump_from(self, state: int) -> None:
        """Charge once, then jump in every direction from there."""
        start = self._places.take(state)
        self._stand_doors(state)
        body = self._body
        charged = start
        held = 0
        ends: list[int] = []
        headings = self._places.headings(state, start, self._headings)
        for number in range(len(self.moves.charges)):
            put_back(body, charged)
            self._begin(state, self.moves.jump(number, STAND), 0.0)
            self._led = held
            while held < self.moves.charges[number]:
                self._tick(0.0, 0.0, False, True)
                held += 1
                if self._doors_move or standing_of(body) != FLOOR:
                    return
            if not body.charging:
                return
            charged = saved(body)
            heading = body.place.turn.heading()
            self._leap(state, charged, number, STAND, 0.0, ends)
            for speed in self._speeds:
                for each in headings:
                    self._leap(state, charged, number, speed, each - heading, ends)
        columns = self.columns
        columns.jumps_start[state] = len(self._ends)
        columns.jumps_count[state] = len(ends)
        self._ends.extend(ends)

    def _leap(self, parent: int, charged: SavedBody, number: int, speed: int, look: float, ends: list[int]) -> None:
        self._stand_doors(parent)
        put_back(self._body, charged)
        self._before = charged
        self._begin(parent, self.moves.jump(number, speed), turn_of(look))
        self._led = self.moves.charges[number]
        forward = 0.0 if speed == STAND else 1.0
        self._tick(self._look, forward, speed == RUN, False)
        self._fly(forward, speed == RUN)
        end = self._arrive(HOW_JUMP)
        if end >= 0 and end not in ends:
            ends.append(end)

    # --- a tick, and where it led

    def _begin(self, parent: int, move: int, look: float) -> None:
        self._parent = parent
        self._move = move
        self._look = look
        self._led = 0
        self._waited = 0
        self._hindered = False
        self._air_ticks = 0
        if self._doors_move and self._doors is not None:
            self._doors.put(self._doors.now)
        self._doors_move = False

    def _tick(self, look: float, forward: float, run: bool, jump: bool) -> None:
        """The player's part of `Simulation.tick`. Nothing else changes in a search, unless he steps on a plate."""
        body = self._body
        place = body.place
        cell_before = place.cell_id
        before = place.origin
        plane = body.contact_plane
        if look != 0.0:
            body.look(look)
        body.steer(forward, 0.0, 0.0, run, jump, MIN_QUANTUM)
        ok = body.step(MIN_QUANTUM)
        self.ticks += 1
        self._led += 1
        tr = body.last_transition
        if tr is not None:
            self.sweeps += 1
            ci = tr.ci
            if not ok or ci.collision_normal_valid or ci.sliding_normal_valid:
                self._hindered = True
            elif not self._hindered and place.cell_id == cell_before:
                nx, ny, nz = plane.normal
                x, y, z = place.origin
                off = nx * (x - before[0]) + ny * (y - before[1]) + nz * (z - before[2])
                if off > EDGE or off < -EDGE:
                    self._hindered = True
            if self._doors is not None and ci.collide_objects:
                self._touch(self._doors, ci.collide_objects)
        if self.listener is not None:
            self.cell_before = cell_before
            self.origin_before = before
            self.listener.ticked(self, body, ok)

    def _arrive(self, how: int) -> int:
        """The number of the state that the body is in now: a new one, or the first of its bin."""
        if self._doors_move and self._doors is not None:
            self._wait(self._doors, 0)
        place = self._body.place
        standing = standing_of(self._body)
        if standing != LOST and self._bins.is_beyond(place.cell_id, place.origin):
            standing = BEYOND
        key = self._bins.bin(place.cell_id, place.origin) << 3 | standing
        if self._doors is not None:
            remote = self._doors.remote[self._doors.now]
            if remote > 0:
                key |= remote << 64
        state = self._visited.get(key, -1)
        is_new = state < 0
        if is_new:
            state = self._add(how, standing)
            self._visited[key] = state
        if self.listener is not None:
            self.listener.arrived(self, state, is_new)
        return state

    def _add(self, how: int, standing: int) -> int:
        """A new state."""
        columns = self.columns
        place = self._body.place
        state = len(columns.cell)
        parent = self._parent
        ticks = self._led + self._waited
        since = ticks
        needs = how
        if parent >= 0:
            since += columns.since[parent]
            needs = max(how, columns.needs[parent])
        columns.add(place.cell_id, place.origin, place.turn.heading(), standing)
        columns.add_move(parent, self._move, self._look, ticks, self._waited)
        columns.how.append(how)
        columns.needs.append(needs)
        columns.since.append(since)
        columns.doors.append(0 if self._doors is None else self._doors.now)
        if standing == FLOOR:
            self._waiting[state] = saved(self._body, self._before)
            self._queue.push(state, since, needs)
        return state

    # --- doors that are used

    def _stand_doors(self, state: int) -> None:
        """The doors as they are in a state."""
        doors = self._doors
        if doors is not None:
            number: int = self.columns.doors[state]
            if doors.now != number:
                doors.put(number)

    def _touch(self, doors: DoorStates, touched: list[int]) -> None:
        """Step on plates, and remember what can be used."""
        sim = self.sim
        for thing in touched:
            if thing in doors.plates:
                step_on_plates(sim.population, touched, sim.tick_number, [])
                if doors.has_changed():
                    sim.tick_number += 1
                    self._doors_move = True
                break
        for thing in touched:
            if doors.is_usable(thing) and thing not in self._touched:
                self._touched.append(thing)

    def _use_touched(self, state: int, start: SavedBody, ends: list[int]) -> None:
        """Use every closed door and every switch that the walks from a state have touched."""
        doors = self._doors
        if doors is None:
            return
        square = self._bins.square(start.cell_id, start.origin, USE_SQUARE)
        number: int = self.columns.doors[state]
        for thing in sorted(self._touched):
            index = doors.things.index(thing)
            key = (number << 16 | index) << 64 | square
            if key in self._used_from or doors.is_open(thing, number):
                continue
            self._used_from.add(key)
            doors.put(number)
            put_back(self._body, start)
            self._begin(state, self.moves.first_use + index, 0.0)
            self._wait(doors, thing)
            if doors.now != number and standing_of(self._body) == FLOOR:
                end = self._add(HOW_WALK, FLOOR)  # in its parent's bin, but the door is open
                ends.append(end)
                if self.listener is not None:
                    self.listener.arrived(self, end, True)
        doors.put(number)

    def _wait(self, doors: DoorStates, used: int) -> None:
        """Use something if asked to, and stand without keys until the doors are at rest: whole ticks of the
        simulation, with the player in it."""
        sim = self.sim
        body = self._body
        sim.population.register_player()
        self._doors_move = False
        for number in range(TICKS):
            place = body.place
            self.cell_before = place.cell_id
            self.origin_before = place.origin
            report = sim.tick(Controls(use=used) if used != 0 and number == 0 else STANDING_STILL)
            self.ticks += 1
            if used != 0 and number == 0:
                self._led += 1
            else:
                self._waited += 1
            if self.listener is not None:
                self.listener.ticked(self, body, report.ok)
            if not doors.is_busy() and (standing_of(self._body) == FLOOR or body.cell is None):
                break
        sim.population.registry.deregister(body.id)
        doors.settle(used)
