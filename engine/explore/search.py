"""The search: the player's body is put into a remembered state and led on by keys, tick by tick, as
`Simulation.tick` does it, until it is somewhere else (docs/exploring.md)."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import TYPE_CHECKING, Final

from engine.entities.bodies import PlayerBody
from engine.explore.columns import Columns
from engine.explore.listening import SearchListener
from engine.explore.preparing import (
    AS_THEY_ARE,
    OPEN,
    USED,
    hold_everything,
    is_outdoors,
    join_surroundings,
    set_numbers,
)
from engine.explore.saved_body import SavedBody, put_back, saved
from engine.geometry.constants import MIN_QUANTUM
from engine.geometry.vec import ZERO, Vec3
from engine.physics.errors import PhysicsError
from engine.physics.flags import TS_CONTACT, TS_ON_WALKABLE
from engine.sim.edits.player import Teleport
from engine.sim.tick.controls import Controls
from engine.sim.tick.simulation import Simulation
from engine.world.cells.ids import FIRST_ENV_CELL, landblock_id
from engine.world.cells.position import into_block

if TYPE_CHECKING:
    from engine.explore.forms.settings import Seed, Settings

QUANTUM: Final = MIN_QUANTUM

HOW_SEED: Final = 0
HOW_WALK: Final = 1
HOW_FALL: Final = 2
HOW_JUMP: Final = 3
"""`How` of the forms."""

FLOOR: Final = 0
STEEP: Final = 1
AIR: Final = 2
LOST: Final = 3
BEYOND: Final = 4
"""`Standing` of the forms."""

STAND: Final = 0
WALK: Final = 1
RUN: Final = 2
FIRST_JUMP: Final = 3
"""Numbers of moves; each charge has three from `FIRST_JUMP` on: straight up, at a walk, at a run."""

MOST_WALK_TICKS: Final = 24
IDLE_TICKS: Final = 5
"""Ticks without progress after which a walk ends: animations may not move the body for as many."""
WEDGED_TICKS: Final = 15
SETTLE_TICKS: Final = 90
LONG_FALL_TICKS: Final = 4
"""Ticks off the ground that are a fall, not a bump."""

HINDRANCE_GRID: Final = 1.0
EDGE: Final = 0.05
"""Metres off the plane it stood on by which a step up or down is one."""

LEVELS: Final = 4
HALF: Final = 1 << 14
HALF_Z: Final = 1 << 12
LANDBLOCK: Final = 192.0


class Search:
    """Searches landblocks from seeds, in a simulation that is made for it and taken over.

        search = Search(Simulation(world), seeds_of(world, block_id), Settings())
        while search.expand(1000): ...
        search.controls_to(search.nearest(cell_id, point))

    The same simulation, seeds and settings give the same states in the same order, however the work is sliced.
    """

    sim: Simulation
    settings: Settings
    seeds: list[Seed]
    columns: Columns
    start: bytes
    refused: list[tuple[int, str]]
    sweeps: int
    ticks: int
    listener: SearchListener | None
    cell_before: int
    origin_before: Vec3
    is_full: bool

    def __init__(self, sim: Simulation, seeds: Sequence[Seed], settings: Settings) -> None:
        self.sim = sim
        self.settings = settings
        self.seeds = list(seeds)
        self.columns = Columns()
        self.refused = []
        self.sweeps = 0
        self.ticks = 0
        self.listener = None
        self.cell_before = 0
        self.origin_before = ZERO
        self.is_full = False
        self._body: PlayerBody = sim.player.steered
        self._take_settings(settings)
        self._prepare()
        self.start = sim.snapshot()
        self._start_body = saved(self._body)
        self._cells: dict[int, int] = {}
        self._cell_ids: list[int] = []
        self._within: list[int] = []
        self._cell_id = 0
        self._cell_index = 0
        self._visited: dict[int, int] = {}
        self._seed_of: dict[int, int] = {}
        self._waiting: dict[int, SavedBody] = {}
        self._queues: list[dict[int, list[int]]] = [{} for _ in range(LEVELS)]
        self._cursors: list[int] = [0 for _ in range(LEVELS)]
        self._lengths: list[int] = [0 for _ in range(LEVELS)]
        self._jump_queue: list[int] = []
        self._next_jump = 0
        self._idle_origins: dict[int, list[int]] = {}
        self._origin_taken: set[int] = set()
        self._jump_bodies: dict[int, SavedBody] = {}
        self._hindered: set[int] = set()
        self._next_seed = 0
        self._edges: list[int] = []
        self._edge_start: dict[int, int] = {}
        self._edge_count: dict[int, int] = {}
        self._parent = -1
        self._move = STAND
        self._move_ticks = 0
        self._move_look = 0.0
        self._move_charge = 0
        self._was_hindered = False
        self._air_ticks = 0

    def _take_settings(self, settings: Settings) -> None:
        self._doors_as = (
            USED if settings.doors.name == "USED" else OPEN if settings.doors.name == "OPEN" else AS_THEY_ARE
        )
        self._headings = [number * 360.0 / settings.headings for number in range(settings.headings)]
        self._grid: float = settings.grid
        self._storey: float = settings.storey
        self._jump_grid: float = settings.jump_grid
        self._jump_reach: float = settings.jump_reach
        self._fall_ticks: int = settings.fall_ticks
        self._most_states: int = settings.most_states
        self._border: float = settings.border
        self._jumps: bool = settings.jumps
        self._speeds: list[int] = ([RUN] if settings.run else []) + ([WALK] if settings.walk else [])
        self._charges = sorted({max(1, round(charge * 30.0)) for charge in settings.charges})

    def _prepare(self) -> None:
        sim = self.sim
        settings = self.settings
        for rule, form in settings.rules:
            sim.rules.set_form(rule, form)
        if settings.bounds:
            blocks = sorted({landblock_id(block_id) for block_id in settings.bounds})
        else:
            blocks = sorted({landblock_id(seed.cell_id) for seed in self.seeds})
        self._blocks: list[int] = blocks
        self._outdoors = is_outdoors(sim, blocks, [seed.cell_id for seed in self.seeds])
        join_surroundings(sim, blocks, self._outdoors)
        numbers: list[tuple[str, float]] = [] if settings.body is None else list(settings.body.numbers)
        set_numbers(sim, numbers)
        hold_everything(sim, self._doors_as)

    # --- asking

    @property
    def count(self) -> int:
        """The number of states."""
        return len(self.columns.cell)

    @property
    def queue_length(self) -> int:
        """States, seeds and places of jumps that wait."""
        waiting = len(self.seeds) - self._next_seed + len(self._jump_queue) - self._next_jump
        for length in self._lengths:
            waiting += length
        return waiting

    @property
    def is_finished(self) -> bool:
        return self.is_full or self.queue_length == 0

    @property
    def blocks(self) -> list[int]:
        """The landblocks that are searched."""
        return self._blocks.copy()

    def seed_of(self, state: int) -> int:
        """The number of the seed that a state came from."""
        parents = self.columns.parent
        while parents[state] >= 0:
            state = parents[state]
        return self._seed_of[state]

    def chain_of(self, state: int) -> list[int]:
        """The states on the way from the seed to a state, both with it."""
        chain = [state]
        parents = self.columns.parent
        while parents[state] >= 0:
            state = parents[state]
            chain.append(state)
        chain.reverse()
        return chain

    def controls_to(self, state: int) -> list[Controls]:
        """The keys of every tick from the seed to a state."""
        columns = self.columns
        keys: list[Controls] = []
        for each in self.chain_of(state):
            self._add_keys(keys, columns.move[each], columns.look[each], columns.ticks[each])
        return keys

    def way_here(self) -> list[Controls]:
        """The keys from the seed to where the body is now, in the middle of a move."""
        keys = [] if self._parent < 0 else self.controls_to(self._parent)
        self._add_keys(keys, self._move, self._move_look, self._move_ticks)
        return keys

    @property
    def parent_now(self) -> int:
        """The state that the move of the moment began in; -1 while a seed settles."""
        return self._parent

    @property
    def seed_now(self) -> int:
        """The seed of the move of the moment."""
        return self._next_seed - 1 if self._parent < 0 else self.seed_of(self._parent)

    def ends_of(self, state: int) -> list[int]:
        """The states in which the moves from an expanded state ended, each once, itself too; none of one that was not
        expanded."""
        start = self._edge_start.get(state, -1)
        return [] if start < 0 else self._edges[start : start + self._edge_count[state]]

    def is_expanded(self, state: int) -> bool:
        return state in self._edge_start

    def nearest(self, cell_id: int, point: Vec3) -> int:
        """The state whose soles' place is the nearest to a point of a cell's landblock; those in the cell come first.
        -1 when there is none."""
        columns = self.columns
        best = -1
        least = 0.0
        best_inside = False
        for state in range(len(columns.cell)):
            inside = columns.cell[state] == cell_id
            if best_inside and not inside:
                continue
            x, y, z = into_block(cell_id, columns.cell[state], (columns.x[state], columns.y[state], columns.z[state]))
            dx, dy, dz = x - point[0], y - point[1], z - point[2]
            distance = dx * dx + dy * dy + dz * dz
            if best < 0 or distance < least or (inside and not best_inside):
                best, least, best_inside = state, distance, inside
        return best

    # --- searching

    def expand(self, states: int) -> int:
        """Go on from at most so many states; returns from how many. 0: the search is finished."""
        done = 0
        while done < states and not self.is_full:
            if self._next_seed < len(self.seeds):
                self._sow(self._next_seed)
            else:
                state = self._next()
                if state >= 0:
                    self._expand(state)
                elif self._next_jump < len(self._jump_queue):
                    origin = self._jump_queue[self._next_jump]
                    self._next_jump += 1
                    self._jump_from(origin)
                else:
                    break
            done += 1
            if len(self.columns.cell) >= self._most_states:
                self.is_full = True
        return done

    def _next(self) -> int:
        """The next state of the lowest level that has one: soonest first."""
        for level in range(LEVELS):
            if self._lengths[level] == 0:
                continue
            queue = self._queues[level]
            at = self._cursors[level]
            while at not in queue:
                at += 1
            self._cursors[level] = at
            states = queue[at]
            state = states.pop()
            if not states:
                del queue[at]
            self._lengths[level] -= 1
            return state
        return -1

    def _push(self, state: int, since: int, level: int) -> None:
        queue = self._queues[level]
        states = queue.get(since)
        if states is None:
            queue[since] = [state]
        else:
            states.append(state)
        if self._lengths[level] == 0 or since < self._cursors[level]:
            self._cursors[level] = since
        self._lengths[level] += 1

    def _sow(self, number: int) -> None:
        """Put the body at a seed and let it settle."""
        self._next_seed = number + 1
        seed = self.seeds[number]
        body = self._body
        put_back(body, self._start_body)
        x, y, z = seed.origin
        try:
            self.sim.apply_edit(Teleport(seed.cell_id, x, y, z, seed.heading))
        except PhysicsError as error:
            self.refused.append((number, str(error)))
            return
        self.sim.population.registry.deregister(body.id)
        self._begin(-1, STAND, 0.0)
        for _ in range(SETTLE_TICKS):
            self._tick(0.0, 0.0, False, False)
            if self._standing() == FLOOR or body.cell is None:
                break
        state = self._arrive(HOW_SEED)
        if state >= 0 and state == len(self.columns.cell) - 1:
            self._seed_of[state] = number

    def _expand(self, state: int) -> None:
        start = self._waiting.pop(state)
        ends: list[int] = []
        heading = self.columns.heading[state]
        hindered = False
        count = len(self._headings)
        first = self._speeds[0]
        for number in range(0, count, 2):
            hindered = self._walk(state, start, first, self._headings[number] - heading, ends) or hindered
        if hindered:
            for number in range(1, count, 2):
                self._walk(state, start, first, self._headings[number] - heading, ends)
            for speed in self._speeds[1:]:
                for each in self._headings:
                    self._walk(state, start, speed, each - heading, ends)
            self._hinder(start)
        self._edge_start[state] = len(self._edges)
        self._edge_count[state] = len(ends)
        self._edges.extend(ends)
        if self._jumps:
            self._keep_for_jumps(state, start, hindered)
        if self.listener is not None:
            self.listener.expanded(self, state)

    def _walk(self, parent: int, start: SavedBody, move: int, look: float, ends: list[int]) -> bool:
        """Walk in one direction into another place. Returns whether something was in the way."""
        body = self._body
        put_back(body, start)
        self._begin(parent, move, _turn(look))
        key = self._key(FLOOR)
        top = start.origin[2]
        idle = 0
        run = move == RUN
        while self._move_ticks < MOST_WALK_TICKS:
            at = body.place.origin
            self._tick(self._move_look if self._move_ticks == 0 else 0.0, 1.0, run, False)
            standing = self._standing()
            if standing != FLOOR:
                self._was_hindered = True
                self._fly(1.0, run)
                break
            if body.place.origin == at:
                idle += 1
                if idle >= IDLE_TICKS or (self._was_hindered and idle >= 2):
                    break
            else:
                idle = 0
                if self._key(FLOOR) != key:
                    break
        how = HOW_WALK
        if self._air_ticks > 0:
            drop = top - body.place.origin[2]
            if self._air_ticks > LONG_FALL_TICKS or drop > body.step_up_height:
                how = HOW_FALL
        end = self._arrive(how)
        if end not in ends:
            ends.append(end)
        return self._was_hindered

    def _fly(self, forward: float, run: bool) -> None:
        """Lead the body on until it stands again, or for as long as falls are followed."""
        body = self._body
        wedged = 0
        ticks = 0
        while ticks < self._fall_ticks:
            if self._standing() == FLOOR or body.cell is None:
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

    def _keep_for_jumps(self, state: int, start: SavedBody, hindered: bool) -> None:
        """A jump starts from one place of each square of its grid that something is near to."""
        x, y, _ = start.origin
        grid = self._jump_grid * 0.5 if hindered else self._jump_grid
        square = self._pack(start.cell_id, math.floor(x / grid), math.floor(y / grid), 1 if hindered else 0)
        if square in self._origin_taken:
            return
        self._origin_taken.add(square)
        self._jump_bodies[state] = start
        if hindered or self._is_near_hindrance(start):
            self._jump_queue.append(state)
            return
        column = self._column(start.cell_id, x, y, 0, 0)
        waiting = self._idle_origins.get(column)
        if waiting is None:
            self._idle_origins[column] = [state]
        else:
            waiting.append(state)

    def _pack(self, cell_id: int, x: int, y: int, more: int) -> int:
        return (((self._index(cell_id) << 15 | (x + HALF) & 0x7FFF) << 15) | (y + HALF) & 0x7FFF) << 1 | more

    def _column(self, cell_id: int, x: float, y: float, dx: int, dy: int) -> int:
        ix = math.floor(x / HINDRANCE_GRID) + dx + HALF
        iy = math.floor(y / HINDRANCE_GRID) + dy + HALF
        return ((cell_id >> 16) << 30) | (ix & 0x7FFF) << 15 | (iy & 0x7FFF)

    def _is_near_hindrance(self, start: SavedBody) -> bool:
        reach = math.floor(self._jump_reach / HINDRANCE_GRID)
        x, y, _ = start.origin
        for dx in range(-reach, reach + 1):
            for dy in range(-reach, reach + 1):
                if self._column(start.cell_id, x, y, dx, dy) in self._hindered:
                    return True
        return False

    def _hinder(self, start: SavedBody) -> None:
        """Something is in the way here: jumps from around it may lead elsewhere."""
        x, y, _ = start.origin
        here = self._column(start.cell_id, x, y, 0, 0)
        if here in self._hindered:
            return
        self._hindered.add(here)
        if not self._idle_origins:
            return
        reach = math.floor(self._jump_reach / HINDRANCE_GRID)
        for dx in range(-reach, reach + 1):
            for dy in range(-reach, reach + 1):
                waiting = self._idle_origins.pop(self._column(start.cell_id, x, y, dx, dy), None)
                if waiting is not None:
                    self._jump_queue.extend(waiting)

    def _jump_from(self, state: int) -> None:
        """Charge once, then jump in every direction from there."""
        start = self._jump_bodies.pop(state)
        body = self._body
        heading = self.columns.heading[state]
        charged = start
        held = 0
        for number in range(len(self._charges)):
            ticks = self._charges[number]
            put_back(body, charged)
            self._begin(state, FIRST_JUMP + number * 3, 0.0)
            self._move_ticks = held
            while held < ticks:
                self._tick(0.0, 0.0, False, True)
                held += 1
            if not body.charging or self._standing() != FLOOR:
                return
            charged = saved(body)
            self._leap(state, charged, number, STAND, 0.0, held)
            turned = body.place.turn.heading() - heading
            for speed in self._speeds:
                for each in self._headings:
                    self._leap(state, charged, number, speed, each - heading - turned, held)

    def _leap(self, parent: int, charged: SavedBody, number: int, speed: int, look: float, held: int) -> None:
        put_back(self._body, charged)
        self._begin(parent, FIRST_JUMP + number * 3 + speed, _turn(look))
        self._move_ticks = held
        forward = 0.0 if speed == STAND else 1.0
        self._tick(self._move_look, forward, speed == RUN, False)
        if self._standing() != FLOOR:
            self._fly(forward, speed == RUN)
        self._arrive(HOW_JUMP)

    # --- a tick, and where it led

    def _begin(self, parent: int, move: int, look: float) -> None:
        self._parent = parent
        self._move = move
        self._move_look = look
        self._move_ticks = 0
        self._was_hindered = False
        self._air_ticks = 0

    def _tick(self, look: float, forward: float, run: bool, jump: bool) -> None:
        """The player's part of `Simulation.tick`. Nothing else changes in a search."""
        body = self._body
        place = body.place
        self.cell_before = place.cell_id
        self.origin_before = place.origin
        plane = body.contact_plane
        if look != 0.0:
            body.look(look)
        body.steer(forward, 0.0, 0.0, run, jump, QUANTUM)
        ok = body.step(QUANTUM)
        self.ticks += 1
        self._move_ticks += 1
        tr = body.last_transition
        if tr is not None:
            self.sweeps += 1
            ci = tr.ci
            if not ok or ci.collision_normal_valid or ci.sliding_normal_valid:
                self._was_hindered = True
            elif not self._was_hindered and place.cell_id == self.cell_before:
                n = plane.normal
                x, y, z = place.origin
                bx, by, bz = self.origin_before
                off = n[0] * (x - bx) + n[1] * (y - by) + n[2] * (z - bz)
                if off > EDGE or off < -EDGE:
                    self._was_hindered = True
        if self.listener is not None:
            self.listener.ticked(self, body, ok)

    def _standing(self) -> int:
        body = self._body
        transient = body.transient
        if body.cell is None:
            return LOST
        if transient & TS_CONTACT:
            return FLOOR if transient & TS_ON_WALKABLE else STEEP
        return AIR

    def _index(self, cell_id: int) -> int:
        if cell_id == self._cell_id:
            return self._cell_index
        index = self._cells.get(cell_id, -1)
        if index < 0:
            index = len(self._cell_ids)
            self._cells[cell_id] = index
            self._cell_ids.append(cell_id)
        self._cell_id = cell_id
        self._cell_index = index
        return index

    def _key(self, standing: int) -> int:
        """The bin that the body is in."""
        place = self._body.place
        x, y, z = place.origin
        grid = self._grid
        key = self._index(place.cell_id) << 15 | (math.floor(x / grid) + HALF) & 0x7FFF
        key = key << 15 | (math.floor(y / grid) + HALF) & 0x7FFF
        return (key << 13 | (math.floor(z / self._storey) + HALF_Z) & 0x1FFF) << 3 | standing

    def _is_beyond(self) -> bool:
        """Whether the body has left what is searched."""
        place = self._body.place
        cell_id = place.cell_id
        if landblock_id(cell_id) in self._blocks:
            return cell_id & 0xFFFF < FIRST_ENV_CELL and not self._outdoors
        if not self._outdoors:
            return True
        for block_id in self._blocks:
            x, y, _ = into_block(block_id, cell_id, place.origin)
            low, high = -self._border, LANDBLOCK + self._border
            if low <= x <= high and low <= y <= high:
                return False
        return True

    def _arrive(self, how: int) -> int:
        """The state that the body is in now: a new one, or who was there before."""
        body = self._body
        standing = self._standing()
        if standing != LOST and self._is_beyond():
            standing = BEYOND
        key = self._key(standing)
        known = self._visited.get(key, -1)
        if known >= 0:
            if self.listener is not None:
                self.listener.arrived(self, known, False)
            return known
        columns = self.columns
        state = len(columns.cell)
        self._visited[key] = state
        place = body.place
        x, y, z = place.origin
        parent = self._parent
        since = self._move_ticks
        needs = how
        if parent >= 0:
            since += columns.since[parent]
            needs = max(how, columns.needs[parent])
        columns.cell.append(place.cell_id)
        columns.x.append(x)
        columns.y.append(y)
        columns.z.append(z)
        columns.heading.append(place.turn.heading())
        columns.look.append(self._move_look)
        columns.standing.append(standing)
        columns.how.append(how)
        columns.needs.append(needs)
        columns.move.append(self._move)
        columns.ticks.append(self._move_ticks)
        columns.since.append(since)
        columns.parent.append(parent)
        columns.doors.append(0)
        if standing == FLOOR:
            self._waiting[state] = saved(body)
            self._push(state, since, needs)
        if self.listener is not None:
            self.listener.arrived(self, state, True)
        return state

    # --- keys

    def _add_keys(self, keys: list[Controls], move: int, look: float, ticks: int) -> None:
        """The keys of a move, tick by tick."""
        if move < FIRST_JUMP:
            forward = 0.0 if move == STAND else 1.0
            held = 0
            speed = move
        else:
            held = self._charges[(move - FIRST_JUMP) // 3]
            speed = (move - FIRST_JUMP) % 3
            forward = 0.0 if speed == STAND else 1.0
        charge = Controls(jump=True)
        first = Controls(forward=forward, run=speed == RUN, look=look)
        on = Controls(forward=forward, run=speed == RUN)
        keys.extend([charge if number < held else first if number == held else on for number in range(ticks)])


def _turn(degrees: float) -> float:
    """The same turn by at most half a circle."""
    degrees = math.fmod(degrees, 360.0)
    if degrees > 180.0:
        return degrees - 360.0
    if degrees < -180.0:
        return degrees + 360.0
    return degrees
