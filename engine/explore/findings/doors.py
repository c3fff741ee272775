"""Doors that can be passed closed or locked: who gets by, how, and the smallest change that stops him.

Everything is tried in a simulation of its own, with the trials and walks of `engine.sim.passage`.
"""

from __future__ import annotations

from collections.abc import Container, Iterator
from dataclasses import replace
from typing import Final

from engine.entities.door import Door
from engine.explore.findings.doors_fix import doorway_lanes, openings_near, smallest_fix
from engine.findings.finding import Check, Family, FixForm, Found
from engine.findings.registry import register
from engine.sim.edits.entities import SetScale
from engine.sim.edits.world import OpenLandblock
from engine.sim.passage.answer import Answer, Outcome
from engine.sim.passage.gaps import THINNEST, Gap, Walk, Way, begin_walk, gap_steps, walk_steps
from engine.sim.passage.travellers import Who
from engine.sim.passage.trial import DoorState, Question, Side, Trials, run_through
from engine.sim.recording import Recorder
from engine.sim.recording_file import recording_bytes
from engine.sim.tick.simulation import Simulation
from engine.world.cells.ids import landblock_id
from engine.world.faults import Severity

LETS_THROUGH: Final = register(
    Check(
        "doors.lets-through",
        "Closed door lets bodies through",
        Family.DOORS,
        Severity.ERROR,
        "A body that should be stopped walks straight through the closed door: its ETHEREAL bit "
        "is set, it has no tree to collide with, its HAS_PHYSICS_BSP bit is missing, or no cell on the way lists it. "
        "Told by trials: the player, creatures and a missile walk to the door from both sides, and what the sweeps "
        "asked says which bit or rule decided.",
    )
)
BESIDE: Final = register(
    Check(
        "doors.way-beside",
        "Player gets by beside a closed door",
        Family.DOORS,
        Severity.ERROR,
        "The player's body fits between the closed leaf and the edge of the doorway, or walks around the leaf. Told by "
        "walking it along each edge of each leaf and along lanes across the doorway, from both sides; the way has to "
        "lead through the cells that one walks through the open door. The recording walks by. The fix is the smallest "
        "move or scale of the door after which none of these walks gets by.",
    )
)
OVER: Final = register(
    Check(
        "doors.way-over",
        "Player jumps over a closed door",
        Family.DOORS,
        Severity.WARNING,
        "The player's body clears the closed leaf by a jump with a run-up. Told by jumping at the middle of the door "
        "from several distances, with a full and a half charge, from both sides. The recording jumps. The fix is the "
        "smallest scale of the door over which no such jump leads.",
    )
)
NARROW: Final = register(
    Check(
        "doors.narrow-gap",
        "Smaller bodies get by a closed door",
        Family.DOORS,
        Severity.INFO,
        "The closed leaf leaves room for bodies that are thinner than the player: small creatures, pets and missiles. "
        "The widest that gets by is found by bisection of its radius. Often it is meant so, as with gates; a baseline "
        "takes those away.",
    )
)

SLIT: Final = register(
    Check(
        "doors.narrower-than-doorway",
        "Closed door is narrower than its doorway",
        Family.DOORS,
        Severity.INFO,
        "The closed leaves cover less of the width of their doorway than they could: 2 cm or more stay open, and "
        "nobody gets by. Eyes and the centres of spells look through. The door may be one of another set, or its scale "
        "a little off. The fix is the scale that fills the doorway.",
    )
)

LEAST_SLIT: Final = 0.02
LEAF_PLAY: Final = 0.01
"""Metres of a doorway that are told to stay open, and that a leaf which fills it leaves for its hinges."""

STOPPED_BY_CLOSED: Final = (Who.PLAYER, Who.CREATURE, Who.MISSILE)
"""Whom a closed door has to stop: the bit of an ethereal body lets it through every door, and openers open it."""

ELSEWHERE: Final = frozenset({"shape", "no shadow entry"})
"""Answers by which the leaf is solid, and not in the way: then there is a way by it that says more."""

_CHECKS: Final = {Way.BESIDE: BESIDE, Way.OVER: OVER}


def check_doors(sim: Simulation, block_id: int, enabled: Container[str]) -> Iterator[Found]:
    """The findings on the doors of a landblock, in the order of their ids; `sim` stays as it is but for the landblock,
    which joins it."""
    block_id = landblock_id(block_id)
    if sim.world.landblock(block_id) is None:
        return
    sim.apply_edit(OpenLandblock(block_id))
    doors = [door for door in sim.population.doors if landblock_id(door.place_cell()) == block_id]
    trials: Trials | None = None
    try:
        for door in sorted(doors, key=lambda door: door.id):
            if trials is None:
                trials = Trials(sim, door.id)
            else:
                trials.ask_about(sim, door.id)
            yield from _check_door(sim, trials, door, enabled)
    finally:
        if trials is not None:
            trials.close()


def _check_door(sim: Simulation, trials: Trials, door: Door, enabled: Container[str]) -> Iterator[Found]:
    passed = _lets_through(trials, door)
    if passed is not None and passed[1].decided_by not in ELSEWHERE:
        if LETS_THROUGH.id in enabled:
            yield passed[0]
        return  # ways around it say nothing more
    open_ways = [way for way in Way if _walk_by(trials, way, THINNEST) is not None]
    ways = {way: _way_by(sim, trials, door, way) for way in open_ways}
    yield from (found for found in ways.values() if found is not None and found.check in enabled)
    if passed is not None and LETS_THROUGH.id in enabled and not any(ways.values()):
        yield passed[0]
    for way, found in ways.items():
        if found is None and NARROW.id in enabled:
            gap = run_through(gap_steps(trials, way))
            if gap.walk is not None and gap.walk.radius < sim.player.radius:
                yield _narrow(door, gap)
                return
    if SLIT.id in enabled and not any(ways.values()):
        yield from _slit(trials, door)


def _walk_by(trials: Trials, way: Way, radius: float) -> Walk | None:
    """A way of a body of that radius by the locked door."""
    _, doorway = trials.begin_again(DoorState.LOCKED)
    return run_through(walk_steps(trials, way, radius, doorway_lanes(trials.sim, doorway, radius)))


def _lets_through(trials: Trials, door: Door) -> tuple[Found, Answer] | None:
    """Who comes through although the door is closed, and why."""
    state = DoorState.CLOSED if door.is_open else DoorState.NOW
    for who in STOPPED_BY_CLOSED:
        for side in Side:
            answer = run_through(trials.steps(Question(state, who, side)))
            if answer.outcome is Outcome.PASSES:
                sentence = f"{door.name}, closed, lets a {who.value.lower()} through {side.value}: "
                return _found(LETS_THROUGH, door, sentence + answer.reason), answer
    return None


def _way_by(sim: Simulation, trials: Trials, door: Door, way: Way) -> Found | None:
    """A way of the player's own body by the closed door."""
    walk = _walk_by(trials, way, sim.player.radius)
    if walk is None:
        return None
    fix = smallest_fix(sim, trials, door, way)
    told = "" if fix is None else f" {fix.name} closes it."
    return _found(
        _CHECKS[way], door, f"The player gets by {door.name}, {way.value}.{told}", walk, fix=fix, trials=trials
    )


def _slit(trials: Trials, door: Door) -> Iterator[Found]:
    """What the closed leaves leave open of the doorway that they stand in."""
    _, doorway = trials.begin_again(DoorState.LOCKED)
    for opening in openings_near(trials.sim, doorway)[:1]:
        left, right = opening.low[0], opening.high[0]
        covered = sum(max(min(high, right) - max(low, left), 0.0) for low, high in doorway.leaves)
        free = right - left - covered
        if covered > 0.0 and free >= LEAST_SLIT:
            scale = door.scale * (right - left - LEAF_PLAY) / covered
            fix = FixForm.of(f"Scale {door.name} to {scale:.3f}", [SetScale(door.id, scale)])
            sentence = f"{door.name}, closed, leaves {100.0 * free:.0f} cm of its doorway open"
            yield replace(_found(SLIT, door, sentence, fix=fix), figures=(("gap, m", free),))


def _narrow(door: Door, gap: Gap) -> Found:
    assert gap.walk is not None
    radius = gap.walk.radius
    least = "" if radius > THINNEST else ", and perhaps thinner ones"
    return _found(
        NARROW, door, f"Bodies up to {radius:.2f} m of radius get by {door.name}, {gap.way.value}{least}.", gap.walk
    )


def _found(
    check: Check,
    door: Door,
    sentence: str,
    walk: Walk | None = None,
    *,
    fix: FixForm | None = None,
    trials: Trials | None = None,
) -> Found:
    return Found(
        check.id,
        landblock_id(door.place_cell()),
        cell=door.place_cell(),
        entity=door.id,
        place=(door.place_cell(), door.place_frame().origin),
        sentence=sentence,
        figures=() if walk is None else (("radius, m", walk.radius),),
        path=() if walk is None else walk.track,
        recording=b"" if walk is None or trials is None else recording_of(trials, walk),
        fix=fix,
    )


def recording_of(trials: Trials, walk: Walk) -> bytes:
    """The walk again, recorded in a simulation whose landblocks come and go as everywhere else."""
    begin_walk(trials, walk)
    asked = trials.sim
    sim = Simulation(asked.world, asked.rules, asked.player.id, asked.player.name)
    try:
        sim.restore(asked.snapshot())
        with Recorder(sim) as recorder:
            for keys in walk.keys:
                sim.tick(keys)
        return recording_bytes(recorder.recording)
    finally:
        sim.close()
