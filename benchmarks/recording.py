"""`bench physics`, its part on recordings: what recording a tick costs, how long a recording is in memory and on disk,
and how long it takes to be at any of its ticks (engine/sim/recording.py).

The run is one through the whole demo world: keys at random, and every ten seconds another spot and a door that is used.
"""

from __future__ import annotations

import itertools
import random
import tempfile
import time
from pathlib import Path
from statistics import median

from benchmarks.figures import Figure
from engine.build.demo import SPOTS, ensure_demo
from engine.entities.specs import DOOR
from engine.sim.edits.doors import UseDoor
from engine.sim.edits.player import Teleport
from engine.sim.playback import Playback
from engine.sim.recording import Recorder, Recording
from engine.sim.recording_file import load_recording, save_recording
from engine.sim.tick.controls import Controls
from engine.sim.tick.simulation import Simulation
from engine.world.loader import open_world

TICKS = {"compiled": 100_000, "python": 3_000}
SEEKS = 300
SEEK_LIMIT = 50.0
TICKS_AT_A_SPOT = 300
TICKS_OF_A_KEY = 15


def figures(core: str) -> list[Figure]:
    core = "python" if core == "python" else "compiled"
    count = TICKS[core]
    with open_world(ensure_demo()) as world:
        sim = Simulation(world)
        alone = run_about(sim, count)
        sim.close()
        sim = Simulation(world)
        go(sim, "inn_common_room")
        with Recorder(sim, "demo") as recorder:
            watched = run_about(sim, count)
        recording = recorder.recording
        seeks = _seeks(Playback(sim, recording), recording)
        sim.close()
    name = f"{count:,} ticks"
    limit = SEEK_LIMIT if core == "compiled" else None
    return [
        Figure("what recording adds to a tick", (watched - alone) / count * 1e6, "us"),
        Figure(f"seek in {name}, median", median(seeks), "ms", limit, limit),
        Figure(f"seek in {name}, longest", max(seeks), "ms", limit, limit),
        Figure(f"snapshots of {name}", recording.keyframes.size / 2**20, "MB"),
        *_file(recording, name),
    ]


def go(sim: Simulation, name: str) -> None:
    spot = SPOTS[name]
    sim.apply_edit(Teleport(spot.cell_id, *spot.origin, spot.heading))


def run_about(sim: Simulation, count: int) -> float:
    """Run about the whole world for so many ticks; returns the seconds."""
    rng = random.Random(1)
    doors = [spec.guid for spec in sim.world.entities if spec.kind == DOOR]
    spots = itertools.cycle(SPOTS)
    keys = Controls()
    began = time.perf_counter()
    for tick in range(count):
        if tick % TICKS_AT_A_SPOT == 0:
            go(sim, next(spots))
            sim.apply_edit(UseDoor(rng.choice(doors), 0))
        if tick % TICKS_OF_A_KEY == 0:
            keys = Controls(
                rng.choice((-1.0, 0.0, 1.0, 1.0)),
                rng.choice((-1.0, 0.0, 0.0, 1.0)),
                rng.choice((-1.0, 0.0, 1.0)),
                rng.random() < 0.7,
                rng.random() < 0.1,
            )
        sim.tick(keys)
    return time.perf_counter() - began


def _seeks(playback: Playback, recording: Recording) -> list[float]:
    """Milliseconds to ticks at random, and to those that are the farthest from their snapshots."""
    rng = random.Random(2)
    frames = recording.keyframes.ticks
    farthest = [after - 1 for after in rng.sample(frames[1:], min(len(frames) - 1, SEEKS // 3))]
    taken = []
    for tick in [*farthest, *(rng.randrange(recording.first_tick, recording.end) for _ in range(SEEKS))]:
        began = time.perf_counter()
        playback.seek(tick)
        taken.append((time.perf_counter() - began) * 1e3)
    return taken


def _file(recording: Recording, name: str) -> list[Figure]:
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "run.cdrec"
        began = time.perf_counter()
        save_recording(recording, path)
        saved = time.perf_counter() - began
        size = path.stat().st_size
        began = time.perf_counter()
        load_recording(path)
        loaded = time.perf_counter() - began
    return [
        Figure(f"file of {name}", size / 2**20, "MB"),
        Figure(f"saving {name}", saved * 1e3, "ms"),
        Figure(f"loading {name}", loaded * 1e3, "ms"),
    ]
