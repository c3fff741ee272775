"""Random recorded runs with all their states, and ticks of them run again without what is said to have decided."""

from __future__ import annotations

import ast
import random
from collections.abc import Sequence

from engine.build.demo import SPOTS, ensure_demo
from engine.entities.specs import DOOR
from engine.geometry.errors import GeometryError
from engine.geometry.frame import Frame
from engine.physics.errors import PhysicsError
from engine.physics.flags import ETHEREAL, TS_ACTIVE, TS_CONTACT, TS_ON_WALKABLE, TS_SLIDING, TS_WATER_CONTACT
from engine.physics.rules import RULE_NAMES
from engine.sim.edits.doors import CloseDoor, LockDoor, OpenDoor, SetDoorTimer, SetResetInterval, UseDoor
from engine.sim.edits.edit import Edit
from engine.sim.edits.entities import (
    AddEntity,
    MoveEntity,
    RemoveEntity,
    SetScale,
    SetState,
    SetVelocity,
    spec_text,
)
from engine.sim.edits.player import FacePlayer, SetPlayerNumber, Teleport
from engine.sim.edits.rules import SetRule, SetRuleSet
from engine.sim.edits.world import RestoreSnapshot, SetTimeOfDay
from engine.sim.playback import Playback
from engine.sim.recording import Recorder, Recording
from engine.sim.tick.controls import Controls
from engine.sim.tick.simulation import Simulation
from engine.sim.trace.recorder import TraceRecorder
from engine.sim.trace.tree import TraceNode
from engine.sim.why.answer import Asked
from engine.world.entity_spec import EntitySpec
from engine.world.faults import WorldError
from engine.world.loader import open_world
from engine.world.world import World
from tests.sim.helpers.rival_runs import ADDED, things_of_village, village

REFUSED = (PhysicsError, WorldError, GeometryError)
EDIT_CHANCE = 0.04
DOOR_FIELDS = {"is_open": "open"}
BITS = {"contact": TS_CONTACT, "on_walkable": TS_ON_WALKABLE, "sliding": TS_SLIDING, "in_water": TS_WATER_CONTACT}
AXES = {"x": 0, "y": 1, "z": 2}

State = dict[str, str]


class WhyRun:
    """A recorded run in a world, and every value of its state before and after each tick."""

    def __init__(self, world: World, recording: Recording) -> None:
        self.world = world
        self.recording = recording
        self.sim = Simulation(world, player_id=recording.player_id)
        self.names: dict[int, str] = {self.sim.player.id: "player", 0: "simulation"}
        self.states: list[State] = []
        playback = Playback(self.sim, recording)
        playback.start()
        self.states.append(self._state())
        while playback.tick < recording.end:
            playback.step()
            self.states.append(self._state())

    def close(self) -> None:
        self.sim.close()
        self.world.close()

    def _state(self) -> State:
        for entity in self.sim.population.ordered:
            self.names[entity.id] = f"0x{entity.id:08X} {entity.name}"
        return numbered(self.sim.named_state())

    def value(self, entity: int, path: str, tick: int) -> str | None:
        """A value after a tick, as the whole state has it; None where the entity is not there."""
        return value_in(self.states[tick - self.recording.first_tick + 1], self.names[entity], path)

    def last_change(self, asked: Asked) -> int | None:
        """By comparing all ticks with one another."""
        for tick in range(asked.tick, self.recording.first_tick - 1, -1):
            if self.value(asked.entity, asked.path, tick) != self.value(asked.entity, asked.path, tick - 1):
                return tick
        return None

    # --- again, without something

    def value_again(
        self,
        asked: Asked,
        tick: int,
        controls: Controls | None = None,
        edits: Sequence[Edit] | None = None,
        rule: str = "",
    ) -> str | None:
        """The value after a tick that is run again with other keys or the other form of a rule, or with other edits,
        when these have been made."""
        sim = self.sim
        Playback(sim, self.recording).seek(tick)
        for edit in self.recording.edits.get(tick, []) if edits is None else edits:
            try:
                sim.apply_edit(edit)
            except REFUSED:
                continue  # it needs one that was taken away
        if edits is not None:
            return value_in(numbered(sim.named_state()), self.names[asked.entity], asked.path)
        sim.restore(sim.snapshot())
        if rule:
            sim.rules.set_form(rule, "ace" if sim.rules.form(rule) == "retail" else "retail")
        sim.tick(self.recording.controls[tick - self.recording.first_tick] if controls is None else controls)
        return value_in(numbered(sim.named_state()), self.names[asked.entity], asked.path)

    def sweeps(self, tick: int, entity: int) -> list[TraceNode]:
        """The traces of an entity's sweeps in a tick."""
        playback, recorder = Playback(self.sim, self.recording), TraceRecorder()
        playback.seek(tick)
        self.sim.watch(entity, recorder)
        playback.step()
        self.sim.unwatch(entity, recorder)
        return recorder.sweeps


def numbered(state: list[tuple[str, str]]) -> State:
    """By path; repeated ones have a number. A zero has no sign."""
    values: State = {}
    count: dict[str, int] = {}
    for path, text in state:
        count[path] = number = count.get(path, 0) + 1
        plain = text.replace("-0.0,", "0.0,").replace("-0.0)", "0.0)")
        values[path if number == 1 else f"{path}[{number - 1}]"] = "0.0" if plain == "-0.0" else plain
    return values


def value_in(state: State, section: str, path: str) -> str | None:
    """A value that can be asked about, out of the whole state: those with names of their own are worked out."""
    name, _, axis = path.partition(".")
    if axis in AXES:
        whole = value_in(state, section, name)
        return None if whole is None else repr(ast.literal_eval(whole)[AXES[axis]])
    if f"{section}.cell" not in state and section != "simulation":
        return None
    if path in BITS:
        return str(_has(state, section, "transient", BITS[path]))
    if path == "cell" and state.get(f"{section}.in_cell") == "no":
        return "0"
    if path in ("contact_plane", "contact_plane_cell") and not _has(state, section, "transient", TS_CONTACT):
        return "none"
    if path == "sliding_normal" and not _has(state, section, "transient", TS_SLIDING):
        return "none"
    if path == "soles":
        (x, y, z), foot = (ast.literal_eval(state[f"{section}.{part}"]) for part in ("origin", "sphere"))
        return repr((x, y, z - max(0.0, float(state[f"{section}.sphere[1]"]) - foot[2])))
    if path == "active":
        return str(_has(state, section, "transient", TS_ACTIVE))
    if path == "lost":
        return str(state[f"{section}.in_cell"] == "no" and state[f"{section}.held"] == "yes")
    if path == "passable":
        return str(_has(state, section, "state", ETHEREAL))
    if path == "heading":
        rotation = ast.literal_eval(state[f"{section}.rotation"])
        return repr(Frame((0.0, 0.0, 0.0), rotation).heading())
    return state.get(f"{section}.{DOOR_FIELDS.get(path, path)}")


def _has(state: State, section: str, name: str, bit: int) -> bool:
    return (int(state[f"{section}.{name}"]) & bit) != 0


# --- random runs


def village_run(seed: int, ticks: int) -> WhyRun:
    """A house with a door, people and crates: keys at random, and edits of everything."""
    world = village().load()
    return WhyRun(world, _record(world, seed, ticks, _Village(random.Random(seed))))


def demo_run(seed: int, ticks: int) -> WhyRun:
    """The demo world: a walk from one of its places, with the doors around it."""
    world = open_world(ensure_demo())
    return WhyRun(world, _record(world, seed, ticks, _Demo(random.Random(seed), world)))


class _Village:
    """Makes up the keys and edits of a run in the village."""

    def __init__(self, rng: random.Random) -> None:
        self.rng = rng
        self.doors = [things_of_village().door]

    def begin(self) -> Edit:
        return Teleport(*things_of_village().places[0], self.rng.choice([0.0, 90.0, 270.0]))

    def place(self) -> tuple[int, float, float, float]:
        return self.rng.choice(things_of_village().places[:5])

    def somebody(self) -> int:
        return self.rng.choice(things_of_village().entities)

    def edit(self, player: int) -> Edit:
        rng, door = self.rng, self.rng.choice(self.doors)
        body = rng.choice([player, player, self.somebody()])
        speed = (rng.uniform(-6.0, 6.0), rng.uniform(-6.0, 6.0), rng.choice([0.0, 0.0, 4.0]))
        added = EntitySpec(
            ADDED, "added", "creature", things_of_village().model, self.place()[0], Frame(self.place()[1:]), 0x408
        )
        return rng.choice(
            (
                lambda: UseDoor(door, rng.choice([0, self.somebody()])),
                lambda: UseDoor(door, 0),
                lambda: OpenDoor(door),
                lambda: CloseDoor(door),
                lambda: LockDoor(door, rng.random() < 0.5),
                lambda: SetResetInterval(door, rng.choice([0.5, 1.0, 2.0])),
                lambda: SetDoorTimer(door, rng.randrange(0, 300)),
                lambda: SetState(door, rng.choice([0x10008, 0x1000C])),
                lambda: Teleport(*self.place(), rng.uniform(0.0, 359.0)),
                lambda: FacePlayer(rng.uniform(0.0, 359.0)),
                lambda: SetVelocity(body, *speed),
                lambda: SetPlayerNumber(rng.choice(["run_skill", "jump_skill", "step_up"]), rng.choice([0.3, 150.0])),
                lambda: SetRule(rng.choice(RULE_NAMES), rng.choice(["retail", "ace"])),
                lambda: SetRuleSet(rng.choice(["retail", "ace"])),
                lambda: SetTimeOfDay(rng.random()),
                lambda: MoveEntity(self.somebody(), *self.place(), 90.0),
                lambda: SetScale(self.somebody(), rng.choice([0.5, 1.0, 1.5])),
                lambda: AddEntity(spec_text(added)),
                lambda: RemoveEntity(ADDED),
            )
        )()

    def keys(self) -> Controls:
        rng = self.rng
        return Controls(
            rng.choice((-1.0, 0.0, 1.0, 1.0, 1.0)),
            rng.choice((-1.0, 0.0, 0.0, 0.0, 1.0)),
            rng.choice((-1.0, 0.0, 0.0, 0.5, 1.0)),
            rng.random() < 0.6,
            rng.random() < 0.15,
            rng.choice(self.doors) if rng.random() < 0.15 else 0,
            rng.choice((0.0, 0.0, 0.0, -3.0)),
        )


class _Demo(_Village):
    def __init__(self, rng: random.Random, world: World) -> None:
        super().__init__(rng)
        self.doors = [spec.guid for spec in world.entities if spec.kind == DOOR]
        self.spots = list(SPOTS.values())

    def begin(self) -> Edit:
        spot = self.rng.choice(self.spots)
        return Teleport(spot.cell_id, *spot.origin, spot.heading)

    def edit(self, player: int) -> Edit:
        rng = self.rng
        made = self.begin() if rng.random() < 0.3 else super().edit(player)
        return made if isinstance(made, _OF_DEMO) else UseDoor(rng.choice(self.doors), 0)


_OF_DEMO = (
    UseDoor,
    OpenDoor,
    CloseDoor,
    LockDoor,
    SetResetInterval,
    SetState,
    Teleport,
    FacePlayer,
    SetPlayerNumber,
    SetRule,
    SetRuleSet,
)


def _record(world: World, seed: int, ticks: int, whims: _Village) -> Recording:
    rng = whims.rng
    sim = Simulation(world)
    for edit in (whims.begin(),):
        sim.apply_edit(edit)
    keys = Controls()
    with Recorder(sim, "") as recorder:
        for tick in range(ticks):
            before, waiting = sim.snapshot(), sim.waiting
            while rng.random() < EDIT_CHANCE:
                try:
                    sim.apply_edit(whims.edit(sim.player.id))
                    if rng.random() < 0.1:
                        sim.apply_edit(RestoreSnapshot(before, waiting))
                except REFUSED:
                    continue
            if tick % 8 == 0:
                keys = whims.keys()
            sim.tick(keys)
    sim.close()
    return recorder.recording
