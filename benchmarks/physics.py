"""`bench physics`: a transition in each golden scene beside the measured server's, seven cells at once, a tick in the
demo inn, and what a million ticks leave behind.

A golden tick is measured as `timings-calibrated.json` was: the ticks of the moves without actions, each from the
golden's state before it and without the commit, the median of 600 repeats after 300 warm-ups (fewer where Python is
interpreted and nothing warms up); then median and 95th percentile over the ticks of a scene. The ratio to that file is
taken after calibration: both machines ran the same two kernels of compiled code in the same minutes, and the mean of
their ratios says how fast this machine is. What bounds a transition is in docs/performance.md.
"""

from __future__ import annotations

import gc
import json
import math
import sys
import time
from collections.abc import Iterator
from pathlib import Path
from statistics import median
from typing import Any

from benchmarks import many_simulations
from benchmarks.calibration import SHARED, calibrate
from benchmarks.figures import Figure
from engine.build.demo import SPOTS, Spot, ensure_demo
from engine.entities.specs import pack_spec
from engine.geometry.frame import Frame
from engine.geometry.quat import from_heading
from engine.geometry.vec import Vec3, r24v
from engine.physics.body import Body
from engine.physics.place import Place
from engine.physics.rules import rule_set
from engine.sim.edits.entities import AddEntity, SetVelocity
from engine.sim.edits.player import Teleport
from engine.sim.golden.form import read_golden
from engine.sim.golden.scene_run import GoldenScene, MoveRun
from engine.sim.tick.controls import Controls
from engine.sim.tick.simulation import Simulation
from engine.world.entity_spec import EntitySpec
from engine.world.loader import open_world

GOLDENS = SHARED / "goldens"
TIMINGS = GOLDENS / "timings-calibrated.json"

PUBLISHED_SET = "first"
"""Of the two sets in the timings, the one whose scenes are there."""

WARM_UPS = {"compiled": 300, "python": 1}
REPEATS = {"compiled": 600, "python": 5}
MANY_TICKS = {"compiled": 1_000_000, "python": 20_000}

ACE_GOAL, ACE_LIMIT = 0.5, 1.0
"""Times the measured server's figure."""
SEVEN_CELLS = 18.0
"""Microseconds that the measured server needs for a plain step of 0.1 m with seven cells at once (issue 3, figures)."""
SEVEN_CELLS_INTERPRETED = 4000.0
INN_TICK = 300.0
CREATURES = 40
FIRST_CREATURE = 0x7C000000
LEFT_BEHIND = 500.0
"""Memory blocks that a million ticks may leave: lists that grew to their size, nothing that grows with the ticks."""


def figures(core: str) -> list[Figure]:
    core = "python" if core == "python" else "compiled"
    slowness = _slowness(calibrate())
    measured = list(_scenes(core)) if TIMINGS.is_file() else []
    slowness = (slowness + _slowness(calibrate())) / 2.0
    found = _scene_figures(measured, slowness, core)
    with open_world(ensure_demo()) as world:
        sim = Simulation(world)
        found += _seven_cells(sim, slowness, core)
        found += _inn(sim, core)
        sim.close()
    return [*found, *many_simulations.figures(core), *_many_ticks(core)]


def _slowness(ours: dict[str, float]) -> float:
    """The time of this machine divided by that of the reference timings' machine; 1 where it is unknown."""
    if not TIMINGS.is_file():
        return 1.0
    theirs: dict[str, float] = json.loads(TIMINGS.read_text(encoding="utf-8"))["calibration"]
    if "fma_ns" in ours:
        return math.sqrt(ours["fma_ns"] / theirs["c_fma_step_ns"] * ours["ptr_ns"] / theirs["c_pointer_step_ns"])
    return ours.get("py311_ns", theirs["python_loop_iteration_ns"]) / theirs["python_loop_iteration_ns"]


def _beside_ace(name: str, ours: float, theirs: float, slowness: float, core: str) -> Iterator[Figure]:
    """The figure itself and how it stands to the server's, which is promised for the compiled core."""
    yield Figure(name, ours, "us")
    goal, limit = (ACE_GOAL, ACE_LIMIT) if core == "compiled" else (None, None)
    yield Figure(f"{name}, times ACE's {theirs:g}", ours / (theirs * slowness), "x", goal, limit)


# --- golden scenes


def _scenes(core: str) -> Iterator[tuple[dict[str, Any], list[float]]]:
    """The measured server's entry and our microseconds per tick, for every golden scene that is there."""
    for entry in json.loads(TIMINGS.read_text(encoding="utf-8"))["scenes"]:
        scene_file = GOLDENS / "scenes" / f"{entry['scene']}.json"
        if entry["set"] == PUBLISHED_SET and scene_file.is_file():
            yield entry, _scene(scene_file, GOLDENS / "golden" / scene_file.name, core)


def _scene(scene_file: Path, golden_file: Path, core: str) -> list[float]:
    scene = GoldenScene.open(scene_file, rule_set("ace"))
    golden = read_golden(golden_file, scene.landblock >> 16)
    times: list[float] = []
    for number, move in enumerate(scene.moves):
        if move.actions:
            continue
        run = MoveRun(scene, move)
        for index, offset in enumerate(move.offsets):
            run.index = index
            if index > 0:
                run.resume(golden.resumes[number][index - 1])
            if offset is not None and any(abs(part) > 0.0002 for part in offset):
                times.append(_transition(run.body, run.target(offset), core))
    return times


def _transition(body: Body, target: Place, core: str) -> float:
    """Microseconds of one sweep, without its commit: the body stays as it was."""
    begin, clock = body.begin_transition, time.perf_counter_ns
    for _ in range(WARM_UPS[core]):
        begin(target).find_valid_position()
    taken = []
    for _ in range(REPEATS[core]):
        start = clock()
        begin(target).find_valid_position()
        taken.append(clock() - start)
    return median(taken) / 1e3


def _scene_figures(measured: list[tuple[dict[str, Any], list[float]]], slowness: float, core: str) -> list[Figure]:
    found: list[Figure] = []
    for entry, times in measured:
        name = f"transition in {entry['scene']}"
        theirs = entry["all"]
        found += _beside_ace(f"{name}, median", median(times), theirs["median"], slowness, core)
        found += _beside_ace(f"{name}, p95", _p95(times), theirs["p95"], slowness, core)
    return found


def _p95(times: list[float]) -> float:
    return sorted(times)[math.ceil(0.95 * len(times)) - 1]


# --- the demo world


def _seven_cells(sim: Simulation, slowness: float, core: str) -> list[Figure]:
    """A step of 0.1 m across the middle of the crossing: at both its ends the body is in seven rooms."""
    _put(sim, SPOTS["crossing"])
    body = sim.player.steered
    x, y, z = body.place.origin
    body.place.origin = r24v((x - 0.03, y - 0.04, z))
    target = body.place.copy()
    target.origin = r24v((x + 0.03, y + 0.04, z))
    tr = body.begin_transition(target)
    tr.find_valid_position()
    cells = tr.ca.listed()
    if len(cells) < 7 or tr.ci.collision_normal_valid:
        raise RuntimeError(f"the demo world's crossing is no plain floor of seven cells: {cells}")
    taken = median([_transition(body, target, core) for _ in range(20)])
    name = "plain step in seven cells"
    if core == "python":
        return [Figure(name, taken, "us", SEVEN_CELLS_INTERPRETED, SEVEN_CELLS_INTERPRETED)]
    return list(_beside_ace(name, taken, SEVEN_CELLS, slowness, core))


def _put(sim: Simulation, spot: Spot) -> None:
    sim.apply_edit(Teleport(spot.cell_id, *spot.origin, spot.heading))


def _inn(sim: Simulation, core: str) -> list[Figure]:
    """A tick of the whole simulation in the inn's common room, the player running in circles among creatures."""
    spot = SPOTS["inn_common_room"]
    person = next(spec for spec in sim.world.entities if spec.kind == "creature")
    for number, place in enumerate(_round_places(spot)):
        creature = EntitySpec(
            FIRST_CREATURE + number, f"guest {number}", "creature", person.setup_id, spot.cell_id, place, person.state
        )
        sim.apply_edit(AddEntity(pack_spec(creature).decode()))
    _put(sim, spot)
    name = f"tick in the inn with {CREATURES} creatures"
    limit = INN_TICK if core == "compiled" else None
    found = []
    for shove, told in ((0.0, name), (1.0, f"{name}, all of them shoved about")):
        times = _ticks(sim, 600 if core == "compiled" else 60, shove)
        found.append(Figure(f"{told}, median", median(times), "us", limit, limit))
        found.append(Figure(f"{told}, p95", _p95(times), "us", limit, limit))
    return found


def _ticks(sim: Simulation, count: int, shove: float) -> list[float]:
    """Microseconds of the processor for each tick, which other jobs on it do not lengthen.

    Before it every creature is given a velocity of `shove` m/s, another way each time.
    """
    circling = Controls(forward=1.0, turn=1.0, run=True)
    times = []
    for tick in range(count):
        for number in range(CREATURES if shove > 0.0 else 0):
            angle = 0.1 * tick + number
            sim.apply_edit(SetVelocity(FIRST_CREATURE + number, shove * math.sin(angle), shove * math.cos(angle), 0.0))
        start = time.thread_time_ns()
        sim.tick(circling)
        times.append((time.thread_time_ns() - start) / 1e3)
    return times


def _round_places(spot: Spot) -> list[Frame]:
    """Forty places on rings round a spot."""
    places = []
    for number in range(CREATURES):
        angle = 2.0 * math.pi * number / CREATURES
        radius = 1.6 + 0.7 * (number % 3)
        x, y, z = spot.origin
        at: Vec3 = (x + radius * math.sin(angle), y + radius * math.cos(angle), z)
        places.append(Frame(r24v(at), from_heading(math.degrees(angle))))
    return places


# --- memory


def _many_ticks(core: str) -> list[Figure]:
    """The memory that a player's ticks about the inn leave in use: blocks, and megabytes of the process."""
    with open_world(ensure_demo()) as world:
        sim = Simulation(world)
        _put(sim, SPOTS["inn_common_room"])
        _wander(sim, 2_000)
        gc.collect()
        blocks, size = sys.getallocatedblocks(), _resident()
        count = MANY_TICKS[core]
        _wander(sim, count)
        gc.collect()
        left = sys.getallocatedblocks() - blocks
        grown = (_resident() - size) / 2**20
        sim.close()
    name = f"{count:,} ticks"
    return [
        Figure(f"blocks left behind by {name}", float(left), "", LEFT_BEHIND, LEFT_BEHIND),
        Figure(f"growth of the process in {name}", grown, "MB", 1.0, 2.0),
    ]


def _wander(sim: Simulation, ticks: int) -> None:
    """Ticks of the simulation: running on, against whatever stands there, turning, and now and then a jump."""
    for tick in range(ticks):
        turn = float((tick // 70) % 3 - 1)
        sim.tick(Controls(forward=1.0, turn=turn, run=True, jump=tick % 200 < 10))


def _resident() -> int:
    """Bytes of the process in memory; 0 where the system does not say."""
    try:
        pages = int(Path("/proc/self/statm").read_text(encoding="ascii").split()[1])
    except OSError:
        return 0
    return pages * 4096
