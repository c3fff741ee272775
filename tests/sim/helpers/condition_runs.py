"""Recordings with something of everything in them, and what conditions mean, told again without the evaluator.

The oracle runs a recording from its start, looks at the simulation itself before and after each tick and answers each
primitive by its own plain rule; the search must find the same ticks.
"""

from __future__ import annotations

import math
import random
from collections.abc import Callable
from dataclasses import dataclass
from functools import cache

import hypothesis.strategies as st

from engine.build import WorldBuilder, rect
from engine.build.models import Ball, Model
from engine.entities.door import Door
from engine.physics.flags import TS_CONTACT, TS_ON_WALKABLE, TS_WATER_CONTACT
from engine.physics.rules import ACE, RETAIL
from engine.sim.conditions.primitives import PRIMITIVES
from engine.sim.conditions.words import And, Condition, Leaf, Named, Not, Numbered, Or, Slot, Surface, Value
from engine.sim.edits.doors import LockDoor, OpenDoor
from engine.sim.edits.edit import Edit
from engine.sim.edits.entities import SetVelocity
from engine.sim.edits.placing import PlaceEntity
from engine.sim.edits.player import FacePlayer, Teleport
from engine.sim.edits.rules import SetRule, SetRuleSet
from engine.sim.playback import Playback
from engine.sim.recording import Recorder, Recording
from engine.sim.tick.controls import Controls
from engine.sim.tick.report import TickReport
from engine.sim.tick.simulation import Simulation
from engine.world.names import NameKey
from tests.sim.helpers.small_worlds import FALLS, built, house, standing, two_rooms, with_cellar, with_people

TICKS = 220


@dataclass(frozen=True)
class Player:
    cell: int
    at: tuple[float, float, float]
    """On the map of all landblocks."""
    velocity: tuple[float, float, float]
    contact: bool
    walkable: bool
    water: bool


@dataclass(frozen=True)
class Tick:
    """What the oracle knows of one tick."""

    before: Player
    after: Player
    doors_before: dict[int, tuple[bool, bool, bool, bool]]
    doors_after: dict[int, tuple[bool, bool, bool, bool]]
    report: TickReport
    disagree: bool


@dataclass(frozen=True)
class Run:
    name: str
    recording: Recording
    make: Callable[[], Simulation]
    ticks: dict[int, Tick]
    sim: Simulation

    def truth(self, condition: Condition) -> list[int]:
        """The ticks for which the condition holds, by brute force."""
        return [number for number, tick in self.ticks.items() if truth(condition, tick, self.sim)]


# --- the runs


def _keys(rng: random.Random, use: int) -> Controls:
    forward, side = rng.choice((1.0, 1.0, 1.0, -1.0, 0.0)), rng.choice((0.0, 0.0, 0.0, 1.0, -1.0))
    turn = rng.choice((0.0, 0.0, rng.uniform(-1.0, 1.0)))
    return Controls(forward, side, turn, rng.random() < 0.7, rng.random() < 0.2, use if rng.random() < 0.04 else 0)


def _recorded(
    name: str, make: Callable[[], Simulation], seed: int, edits: Callable[[Simulation], dict[int, list[Edit]]]
) -> Run:
    sim, rng = make(), random.Random(seed)
    planned, keys = edits(sim), Controls()
    use = sim.population.doors[0].id if sim.population.doors else 0
    recorder = Recorder(sim, name)
    for tick in range(TICKS):
        for edit in planned.get(tick, ()):
            sim.apply_edit(edit)
        if tick % 7 == 0:
            keys = _keys(rng, 0)
        sim.tick(_keys(rng, use) if rng.random() < 0.1 else keys)
    recording = recorder.stop()
    return Run(name, recording, make, _ticks(make(), make(), recording), sim)


def _to_the_door() -> Simulation:
    sim = standing(built(two_rooms), "hall", (3.0, 2.0), 90.0)
    cell = sim.player.steered.place.cell_id
    sim.world.names.apply(sim.world.names.changes({NameKey.cell(cell): "Great Hall"}))
    return sim


def _door_edits(sim: Simulation) -> dict[int, list[Edit]]:
    door, hall = sim.population.doors[0].id, sim.graph.current_id
    return {
        40: [OpenDoor(door)],
        41: [FacePlayer(90.0)],
        90: [Teleport(hall, 3.0, 1.0, 0.0, 45.0)],
        120: [SetRule("edge_slide_order", "ace"), LockDoor(door, True)],
        160: [SetRuleSet("ace"), Teleport(hall, 4.5, 2.0, 0.0, 90.0)],
    }


def _among_people() -> Simulation:
    return standing(built(_people), "hall", (4.0, 17.0), 0.0)


def _people() -> WorldBuilder:
    return with_people(4, FALLS)


def _crowd_edits(sim: Simulation) -> dict[int, list[Edit]]:
    hall = sim.graph.current_id
    out = PlaceEntity(sim.player.id, hall, 60.0, 20.0, 0.0, 1.0, 0.0, 0.0, 0.0)
    runner = min(entity.id for entity in sim.population.ordered if entity.name == "person 0")
    return {
        0: [Teleport(hall, 4.0, 21.2, 0.0, 180.0)],
        **{tick: [SetVelocity(runner, 0.0, 3.0, 0.0)] for tick in range(1, 30)},
        50: [Teleport(hall, 6.0, 18.5, 0.0, 0.0)],
        80: [Teleport(hall, 20.0, 20.0, 6.0, 0.0)],
        130: [out],
        150: [Teleport(hall, 4.0, 18.0, 0.0, 0.0)],
        180: [SetRuleSet("ace")],
    }


def _over_the_cellar() -> Simulation:
    return standing(built(with_cellar), "room", (1.7, 1.0), 0.0)


def _cellar_edits(sim: Simulation) -> dict[int, list[Edit]]:
    room = sim.graph.current_id
    return {60: [Teleport(room, 1.7, 6.8, 0.0, 180.0)], 140: [Teleport(room, 3.0, 4.0, 0.0, 270.0)]}


def _at_the_house() -> Simulation:
    return standing(built(house), "room", (108.0, 106.0, 20.0), 180.0)


def _house_edits(sim: Simulation) -> dict[int, list[Edit]]:
    room = sim.graph.current_id
    return {100: [Teleport(room, 108.0, 107.0, 20.0, 180.0)], 150: [SetRuleSet("ace")]}


def _over_a_boulder() -> Simulation:
    return standing(built(_boulder), "hall", (5.0, 5.0, 3.0), 0.0)


def _boulder() -> WorldBuilder:
    """What stands on a round thing stands in water, for the client."""
    world = WorldBuilder()
    hall = world.room("hall", rect(0, 0, 10, 10), height=6.0)
    hall.put(Model("boulder", balls=(Ball((0.0, 0.0, 0.2), 1.2),), height=1.4, radius=1.2), (5, 5))
    return world


def _boulder_edits(sim: Simulation) -> dict[int, list[Edit]]:
    hall = sim.graph.current_id
    again = Teleport(hall, 5.0, 5.3, 3.0, 90.0)
    return {60: [again], 120: [again], 150: [SetRuleSet("ace")]}


@cache
def runs() -> tuple[Run, ...]:
    return (
        _recorded("door", _to_the_door, 1, _door_edits),
        _recorded("people", _among_people, 2, _crowd_edits),
        _recorded("cellar", _over_the_cellar, 3, _cellar_edits),
        _recorded("house", _at_the_house, 4, _house_edits),
        _recorded("boulder", _over_a_boulder, 5, _boulder_edits),
    )


# --- the oracle


def _player(sim: Simulation) -> Player:
    body = sim.player.steered
    block, (x, y, z) = body.place.cell_id >> 16, body.place.origin
    bits = body.transient
    return Player(
        0 if body.cell is None else body.cell.id,
        ((block >> 8) * 192.0 + x, (block & 0xFF) * 192.0 + y, z),
        body.velocity,
        bool(bits & TS_CONTACT),
        bool(bits & TS_ON_WALKABLE),
        bool(bits & TS_WATER_CONTACT),
    )


def _doors(sim: Simulation) -> dict[int, tuple[bool, bool, bool, bool]]:
    found = [entity for entity in sim.population.ordered if isinstance(entity, Door)]
    return {door.id: (door.is_open, door.locked, sim.tick_number < door.busy_until, door.held) for door in found}


def _ticks(sim: Simulation, trial: Simulation, recording: Recording) -> dict[int, Tick]:
    """Every tick, run from the start; `trial` runs each of them again under both rule sets."""
    sim.name_causes()
    playback = Playback(sim, recording)
    playback.start()
    found = {}
    for tick in range(recording.first_tick, recording.end):
        doors = _doors(sim)
        for edit in recording.edits.get(tick, ()):
            sim.apply_edit(edit)
        before, snapshot = _player(sim), sim.snapshot()
        controls = recording.controls[tick - recording.first_tick]
        report = sim.tick(controls)
        ends = []
        for rules in (RETAIL, ACE):
            trial.restore(snapshot)
            trial.apply_edit(SetRuleSet(rules))
            trial.tick(controls)
            end = _player(trial)
            ends.append((end.cell, trial.player.steered.place.origin, end.velocity, end.contact, end.walkable))
        found[tick] = Tick(before, _player(sim), doors, _doors(sim), report, ends[0] != ends[1])
    return found


def truth(condition: Condition, tick: Tick, sim: Simulation) -> bool:
    if isinstance(condition, Not):
        return not truth(condition.part, tick, sim)
    if isinstance(condition, And):
        return all(truth(part, tick, sim) for part in condition.parts)
    if isinstance(condition, Or):
        return any(truth(part, tick, sim) for part in condition.parts)
    return _TRUTHS[condition.primitive.id](tick, *condition.values, sim=sim)


def _dz(tick: Tick) -> float:
    return tick.after.at[2] - tick.before.at[2]


def _way(tick: Tick) -> float:
    return math.dist(tick.before.at, tick.after.at)


def _is(sim: Simulation, object_id: int, value: Value) -> bool:
    if isinstance(value, Numbered):
        return object_id == value.id
    entities = {entity.id: entity.name for entity in sim.population.ordered}
    return isinstance(value, Named) and entities.get(object_id, "\0").lower() == value.name.lower()


def _is_cell(sim: Simulation, cell: int, value: Value) -> bool:
    if cell == 0:
        return False
    names = {key.id: name for key, name in sim.world.names}
    if isinstance(value, Named):
        return names.get(cell, "\0").lower() == value.name.lower()
    return isinstance(value, Numbered) and cell == value.id


def _stop(tick: Tick) -> str:
    """Whether the Timeline lists a stop or a slide."""
    report, contacts = tick.report, tick.report.contacts
    if contacts is None or not report.swept or math.dist(report.wanted, report.made) <= 0.0002:
        return ""
    if not (contacts.stopped_by or contacts.slid_along or contacts.held or contacts.steep):
        return ""
    return "stop" if contacts.stopped_by or math.dist((0.0, 0.0, 0.0), report.made) <= 0.0002 else "slide"


def _by(tick: Tick, value: Value, sim: Simulation) -> bool:
    contacts = tick.report.contacts
    assert contacts is not None
    causes = contacts.stopped_by or contacts.slid_along
    if not causes:
        causes = contacts.held_by if contacts.held else [contacts.steep] if contacts.steep else []
    for cause in causes:
        kind = ("walls", "land", "buildings", "")[cause.what]
        if isinstance(value, Surface):
            if kind == value.value:
                return True
        elif (not kind and _is(sim, cause.object_id, value)) or (kind and _is_cell(sim, cause.cell_id, value)):
            return True
    return False


def _pushers(tick: Tick) -> list[int]:
    contacts = tick.report.contacts
    return [] if contacts is None else contacts.run_into_by


def _lifted(tick: Tick) -> bool:
    return tick.report.contacts is not None and tick.report.contacts.pushed > 0.01


def _pushed_by(tick: Tick, value: Value, sim: Simulation) -> bool:
    contacts = tick.report.contacts
    ground = contacts.pushed_by if contacts is not None and _lifted(tick) else None
    if ground is not None:
        surface = ("walls", "land", "buildings", "")[ground.what]
        if isinstance(value, Surface) and value.value == surface:
            return True
        if surface and _is_cell(sim, ground.cell_id, value) if not isinstance(value, Surface) else False:
            return True
        if not surface and _is(sim, ground.object_id, value):
            return True
    return any(_is(sim, each, value) for each in _pushers(tick))


def _doors_where(tick: Tick, value: Value | None, sim: Simulation) -> list[tuple[tuple[bool, ...], tuple[bool, ...]]]:
    return [
        (tick.doors_before.get(door, after), after)
        for door, after in tick.doors_after.items()
        if value is None or _is(sim, door, value)
    ]


_TRUTHS: dict[str, Callable[..., bool]] = {
    "cell_changes": lambda t, sim: t.before.cell != t.after.cell,
    "cell_changes_without_portal": lambda t, sim: t.before.cell != t.after.cell and t.report.contacts.portal == -1,
    "in_cell": lambda t, v, sim: _is_cell(sim, t.after.cell, v),
    "enters_cell": lambda t, v, sim: _is_cell(sim, t.after.cell, v) and not _is_cell(sim, t.before.cell, v),
    "leaves_cell": lambda t, v, sim: _is_cell(sim, t.before.cell, v) and not _is_cell(sim, t.after.cell, v),
    "in_any_cell": lambda t, sim: t.after.cell != 0,
    "indoors": lambda t, sim: t.after.cell & 0xFFFF >= 0x100,
    "outdoors": lambda t, sim: 0 < t.after.cell & 0xFFFF <= 64,
    "moved_more": lambda t, v, sim: _way(t) > v,
    "moved_less": lambda t, v, sim: _way(t) < v,
    "z_falls": lambda t, v, sim: _dz(t) < -v,
    "z_rises": lambda t, v, sim: _dz(t) > v,
    "z_over": lambda t, v, sim: t.after.at[2] > v,
    "z_under": lambda t, v, sim: t.after.at[2] < v,
    "speed_over": lambda t, v, sim: _way(t) * 30.0 > v,
    "speed_under": lambda t, v, sim: _way(t) * 30.0 < v,
    "in_contact": lambda t, sim: t.after.contact,
    "contact_lost": lambda t, sim: t.before.contact > t.after.contact,
    "contact_gained": lambda t, sim: t.before.contact < t.after.contact,
    "on_ground": lambda t, sim: t.after.walkable,
    "lands": lambda t, sim: t.before.walkable < t.after.walkable,
    "leaves_ground": lambda t, sim: t.before.walkable > t.after.walkable,
    "in_water": lambda t, sim: t.after.water,
    "jumps": lambda t, sim: t.report.jumped,
    "blocked": lambda t, sim: _stop(t) == "stop",
    "blocked_by": lambda t, v, sim: _stop(t) == "stop" and _by(t, v, sim),
    "slides": lambda t, sim: _stop(t) == "slide",
    "slides_along": lambda t, v, sim: _stop(t) == "slide" and _by(t, v, sim),
    "touches": lambda t, v, sim: any(_is(sim, each, v) for each in t.report.collided_objects),
    "pushed": lambda t, sim: _lifted(t) or bool(_pushers(t)),
    "pushed_by": lambda t, v, sim: _pushed_by(t, v, sim),
    "refused": lambda t, sim: not t.report.ok,
    "door_opens": lambda t, v, sim: any(was[0] < now[0] for was, now in _doors_where(t, v, sim)),
    "door_closes": lambda t, v, sim: any(was[0] > now[0] for was, now in _doors_where(t, v, sim)),
    "door_changes": lambda t, v, sim: any(was != now for was, now in _doors_where(t, v, sim)),
    "any_door_opens": lambda t, sim: any(was[0] < now[0] for was, now in _doors_where(t, None, sim)),
    "any_door_closes": lambda t, sim: any(was[0] > now[0] for was, now in _doors_where(t, None, sim)),
    "any_door_changes": lambda t, sim: any(was != now for was, now in _doors_where(t, None, sim)),
    "door_is_open": lambda t, v, sim: any(now[0] for _, now in _doors_where(t, v, sim)),
    "door_is_closed": lambda t, v, sim: any(not now[0] for _, now in _doors_where(t, v, sim)),
    "door_is_locked": lambda t, v, sim: any(now[1] for _, now in _doors_where(t, v, sim)),
    "door_is_moving": lambda t, v, sim: any(now[2] for _, now in _doors_where(t, v, sim)),
    "thing_moves": lambda t, v, sim: any(_is(sim, each, v) for each in t.report.moved),
    "fault": lambda t, sim: len(t.report.faults) > 0,
    "rules_disagree": lambda t, sim: t.disagree,
}


# --- random conditions

NAMES = ("door", "DOOR", "person 0", "person 1", "Great Hall", "nobody", "Salt and Pepper", 'a "b" (c)', "0x1", "walls")


def values_of_runs() -> list[int]:
    found = {cell for run in runs() for cell in run.recording.samples.integers[::2] if cell}
    return sorted(found | {entity.id for run in runs() for entity in run.sim.population.ordered} | {0xDEADBEEF})


def numbers() -> st.SearchStrategy[float]:
    usual = st.sampled_from((0.0, 0.01, 0.05, 0.1, 0.13, 0.5, 1.0, 3.0, 4.0, 8.0, 20.0))
    return usual | st.integers(-(10**6), 10**6).map(lambda whole: whole / 1000.0)


def _values(slot: Slot) -> st.SearchStrategy[Value]:
    if slot is Slot.NUMBER:
        return numbers()
    named = st.sampled_from(NAMES).map(Named) | st.sampled_from(values_of_runs()).map(Numbered)
    return named | st.sampled_from(tuple(Surface)) if slot is Slot.THING else named


@st.composite
def leaves(draw: st.DrawFn, names: st.SearchStrategy[str] | None = None) -> Leaf:
    primitive = draw(st.sampled_from(PRIMITIVES))
    slots = [item for item in primitive.items if isinstance(item, Slot)]
    values = [draw(_values(slot)) for slot in slots]
    if names is not None:
        values = [Named(draw(names)) if isinstance(value, Named) else value for value in values]
    return Leaf(primitive, tuple(values))


def conditions(names: st.SearchStrategy[str] | None = None) -> st.SearchStrategy[Condition]:
    def joined(parts: st.SearchStrategy[Condition]) -> st.SearchStrategy[Condition]:
        some = st.lists(parts, min_size=2, max_size=3).map(tuple)
        return parts.map(Not) | some.map(And) | some.map(Or)

    return st.recursive(leaves(names), joined, max_leaves=5)
