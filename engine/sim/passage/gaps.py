"""The widest body that gets by a closed door: beside its leaf, and over it by a jump.

Everything is walked by ticks with keys, so that the same keys walk it again: `Walk` keeps where the body was after
each tick.
"""

from __future__ import annotations

from collections.abc import Generator, Iterator, Sequence
from dataclasses import dataclass
from enum import Enum
from typing import Final

from engine.geometry.sphere import Sphere
from engine.geometry.vec import Vec3, lerp
from engine.physics.body import Body
from engine.sim.edits.player import SetPlayerNumber
from engine.sim.passage.doorway import Doorway
from engine.sim.passage.travellers import Who, put_before
from engine.sim.passage.trial import DoorState, Trials
from engine.sim.tick.controls import Controls
from engine.sim.tick.simulation import Simulation
from engine.world.cells.ids import is_land_cell

THINNEST: Final = 0.1
WIDEST: Final = 2.0
PRECISION: Final = 0.005
"""Metres of radius: the first and the last one that is tried, and what the bisection leaves between the two."""

PLAY: Final = 0.004
"""Metres between the body and the edge of the leaf that it walks along."""

BEFORE: Final = 0.3
"""Metres between the body and the leaf before a walk."""

MOST_WALKED: Final = 60
MOST_JUMPED: Final = 110
"""Ticks of one walk, and of one jump with the time to charge it."""

STUCK: Final = 6
"""Ticks without progress after which nothing more will come."""

THIN: Final = 0.2
"""Metres: the radius of the body that finds out where the open door leads."""

ALIKE: Final = 0.5
"""Metres by which it may be farther from the leaf where it enters a cell than a walk that begins or ends there."""

RUN_UPS: Final = (0.15, 0.7, 1.5, 2.5, 4.0)
"""Metres between the body and the leaf where jumps take off."""

CHARGES: Final = (30, 15)
"""Ticks for which the key is held: a full jump, and half of one, for a low lintel."""


DEEPEST: Final = 1.0
"""Metres below the leaf at which a body is on another storey."""


class Way(Enum):
    """How a body may get by; the values are words for it."""

    BESIDE = "beside the closed leaf"
    OVER = "over it by a jump"


@dataclass(frozen=True)
class Walk:
    """One way by the door, tick by tick."""

    radius: float
    spheres: tuple[Sphere, ...]
    track: tuple[tuple[int, Vec3], ...]
    """Cell and origin at the start and after each tick."""
    keys: tuple[Controls, ...]
    """What was held in each tick."""
    attempt: _Attempt


@dataclass(frozen=True)
class Lane:
    """A line through a doorway, in the door's space: along the leaf at `x`, beginning and ending with the whole body
    beyond the depths `low` and `high`."""

    x: float
    low: float
    high: float


@dataclass(frozen=True)
class Gap:
    """The widest body that gets by in one way; `walk` is None when the thinnest does not."""

    way: Way
    walk: Walk | None
    walks: int
    """The number of walks that were tried."""

    @property
    def is_open(self) -> bool:
        """The widest body that is tried gets by."""
        return self.walk is not None and self.walk.radius >= WIDEST


@dataclass(frozen=True)
class _Attempt:
    x: float
    clearance: float
    charge: int
    from_behind: bool
    low: float = 0.0
    high: float = 0.0
    """The depths behind and before the leaf that it leads beyond, where those are more than the leaf's own."""


def walk_steps(
    trials: Trials, way: Way, radius: float, lanes: Sequence[Lane] = ()
) -> Generator[None, None, Walk | None]:
    """Whether a body of that radius gets by along an edge of a leaf or a lane, with a pause after each tick."""
    sides = yield from _sides_steps(trials)
    _, doorway = trials.begin_again(DoorState.LOCKED)
    attempts = list(_attempts(doorway, way, radius))
    if way is Way.BESIDE:
        attempts += [_Attempt(at.x, BEFORE, 0, behind, at.low, at.high) for at in lanes for behind in (False, True)]
    for attempt in attempts:
        walk = yield from _walk(trials, way, radius, attempt)
        if walk is not None and sides.lead_along(doorway, walk):
            return walk
    return None


def begin_walk(trials: Trials, walk: Walk) -> None:
    """Put the body where a walk begins, so that its keys walk it again."""
    _, doorway = trials.begin_again(DoorState.LOCKED)
    _put(trials, doorway, walk.radius, walk.attempt)


def gap_steps(trials: Trials, way: Way) -> Generator[None, None, Gap]:
    """Bisect over the radius, with a pause after each tick. A radius fits when any lane lets it by."""
    count = 0
    sides = yield from _sides_steps(trials)

    def fits(radius: float) -> Generator[None, None, Walk | None]:
        nonlocal count
        _, doorway = trials.begin_again(DoorState.LOCKED)
        for attempt in _attempts(doorway, way, radius):
            count += 1
            walk = yield from _walk(trials, way, radius, attempt)
            if walk is not None and sides.lead_along(doorway, walk):
                return walk
        return None

    best = yield from fits(WIDEST)
    if best is not None:
        return Gap(way, best, count)
    best = yield from fits(THINNEST)
    low, high = THINNEST, WIDEST
    while best is not None and high - low > PRECISION:
        middle = 0.5 * (low + high)
        found = yield from fits(middle)
        if found is None:
            high = middle
        else:
            low, best = middle, found
    return Gap(way, best, count)


class _Sides:
    """The cells on the way of a thin body through the open door, on each side of it. A way around the house is no way
    by its door: it begins or ends in other cells."""

    def __init__(self) -> None:
        self._seen: dict[bool, list[tuple[float, int]]] = {False: [], True: []}
        """By whether it is behind: metres from the leaf, and the cell, 0 for the land."""

    def add(self, doorway: Doorway, cell_id: int, origin: Vec3) -> None:
        is_behind, away = _side_of(doorway, cell_id, origin)
        if away > 0.0:
            self._seen[is_behind].append((away, _room(cell_id)))

    def lead_along(self, doorway: Doorway, walk: Walk) -> bool:
        """Whether a walk begins and ends on the way. A side of which nothing is known is not asked."""
        for cell_id, origin in (walk.track[0], walk.track[-1]):
            is_behind, away = _side_of(doorway, cell_id, origin)
            near = {room for far, room in self._seen[is_behind] if far <= away + ALIKE}
            if near and _room(cell_id) not in near:
                return False
        return True


def _side_of(doorway: Doorway, cell_id: int, origin: Vec3) -> tuple[bool, float]:
    """Whether a point is behind the leaf, and how many metres away from it."""
    y = doorway.local_of(cell_id, origin)[1]
    return (True, doorway.low[1] - y) if y < doorway.low[1] else (False, y - doorway.high[1])


def _room(cell_id: int) -> int:
    return 0 if is_land_cell(cell_id) else cell_id


def _sides_steps(trials: Trials) -> Generator[None, None, _Sides]:
    """Walk a thin body through the open door, both ways, as far as the longest walk begins or ends from it."""
    sides = _Sides()
    for behind in (False, True):
        _, doorway = trials.begin_again(DoorState.OPEN)
        sim = trials.sim
        radius = min(THIN, sim.player.radius)
        _resize(sim, radius)
        start = doorway.start(doorway.middle, radius, from_behind=behind, clearance=BEFORE)
        body = put_before(sim, Who.PLAYER, doorway.cell_id, start, doorway.heading(from_behind=behind), 0.0)
        yield
        for _ in range(MOST_WALKED):
            if body is None or body.cell is None:
                break
            sides.add(doorway, body.place.cell_id, body.place.origin)
            sim.tick(Controls(forward=1.0))
            yield
    return sides


def _attempts(doorway: Doorway, way: Way, radius: float) -> Iterator[_Attempt]:
    for from_behind in (False, True):
        if way is Way.BESIDE:
            for x in _lanes(doorway, radius):
                yield _Attempt(x, BEFORE, 0, from_behind)
        else:
            for charge in CHARGES:
                for clearance in RUN_UPS:
                    yield _Attempt(doorway.middle, clearance, charge, from_behind)


def _lanes(doorway: Doorway, radius: float) -> Iterator[float]:
    """Along every edge of every leaf; between two leaves also in the middle."""
    away = radius + PLAY
    leaves = doorway.leaves
    for number, (low, high) in enumerate(leaves):
        yield low - away
        yield high + away
        if number + 1 < len(leaves):
            yield 0.5 * (high + leaves[number + 1][0])


def _walk(trials: Trials, way: Way, radius: float, attempt: _Attempt) -> Generator[None, None, Walk | None]:
    """Try one; None when the body does not come by."""
    _, doorway = trials.begin_again(DoorState.LOCKED)
    sim, behind = trials.sim, attempt.from_behind
    body = _put(trials, doorway, radius, attempt)
    yield
    if body is None:
        return None
    keys: list[Controls] = []
    low, high = min(doorway.low[1], attempt.low), max(doorway.high[1], attempt.high)
    track = [(body.place.cell_id, body.place.origin)]
    here, idle, is_over = doorway.local(body), 0, False
    for tick in range(MOST_WALKED if way is Way.BESIDE else MOST_JUMPED):
        charging = tick < attempt.charge
        keys.append(Controls(jump=True) if charging else Controls(forward=1.0, run=way is Way.OVER))
        sim.tick(keys[-1])
        yield
        if body.cell is None:
            return None
        track.append((body.place.cell_id, body.place.origin))
        before, here = here, doorway.local(body)
        if here[2] < doorway.low[2] - DEEPEST:
            return None  # it fell where no floor leads to the door
        if _is_across(doorway, before, here):
            is_over = _is_over(doorway, before, here)
        is_clear = here[1] > high + radius if behind else here[1] < low - radius
        if is_clear and is_over == (way is Way.OVER):
            spheres = tuple(sphere.copy() for sphere in body.spheres)
            return Walk(radius, spheres, tuple(track), tuple(keys), attempt)
        moved = abs(here[1] - before[1])
        idle = 0 if charging or moved > PLAY else idle + 1
        if idle >= STUCK:
            return None
    return None


def _put(trials: Trials, doorway: Doorway, radius: float, attempt: _Attempt) -> Body | None:
    """The player, of that radius, before the leaf; None where there is no room for him."""
    _resize(trials.sim, radius)
    behind = attempt.from_behind
    beyond = doorway.low[1] - attempt.low if behind else attempt.high - doorway.high[1]
    clearance = attempt.clearance + max(beyond, 0.0)
    start = doorway.start(attempt.x, radius, from_behind=behind, clearance=clearance)
    return put_before(trials.sim, Who.PLAYER, doorway.cell_id, start, doorway.heading(from_behind=behind), 0.0)


def _resize(sim: Simulation, radius: float) -> None:
    """Give the player that radius. A thinner body than he steps less far down, in proportion: the search for ground
    would lead a small foot right through the floor (5.8)."""
    share = min(radius / sim.player.radius, 1.0)
    sim.apply_edit(SetPlayerNumber("step_down", sim.player.number("step_down") * share))
    sim.apply_edit(SetPlayerNumber("radius", radius))


def _is_over(doorway: Doorway, before: Vec3, after: Vec3) -> bool:
    """Whether a step in the door's space that crosses the middle of the leaf is above it, and not beside."""
    middle = 0.5 * (doorway.low[1] + doorway.high[1])
    x, _, z = lerp(before, after, (middle - before[1]) / (after[1] - before[1]))
    above = 0.5 * (doorway.low[2] + doorway.high[2])
    return z > above and any(low <= x <= high for low, high in doorway.leaves)


def _is_across(doorway: Doorway, before: Vec3, after: Vec3) -> bool:
    """Whether a step crosses the middle of the leaf."""
    middle = 0.5 * (doorway.low[1] + doorway.high[1])
    return (before[1] < middle) != (after[1] < middle)
