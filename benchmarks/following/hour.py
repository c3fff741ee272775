"""`bench follow`: following a live capture. An hour of records as fast as possible, without a window; then some minutes
in the window, while a second process writes 30 records a second (`benchmarks.following.window`).
"""

from __future__ import annotations

import gc
import io
import json
import os
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from typing import Any, Final

from benchmarks.figures import Figure
from cellar_door.virtual_display import display_environment, virtual_display
from engine.build.demo import SPOTS, ensure_demo
from engine.sim.captures.live.follower import Follower
from engine.sim.captures.writer import CaptureWriter
from engine.sim.edits.player import Teleport
from engine.sim.tick.controls import Controls
from engine.sim.tick.simulation import Simulation
from engine.world.loader import open_world

ROOT = Path(__file__).resolve().parents[2]
PER_SECOND: Final = 30
RECORDS = {"compiled": 108_000, "python": 3_000}
"""An hour's worth, and what the interpreted core can do in a minute."""
GROWTH_FROM: Final = 0.8
"""The part of the run after which memory must not grow any more: what is kept of the records is full by then."""
LATENCY_LIMIT: Final = 100.0
GROWTH_LIMIT: Final = 8.0
WALKS = ("cottage_outside_front_door", "cottage_parlour", "inn_common_room")


def figures(core: str) -> list[Figure]:
    core = "python" if core == "python" else "compiled"
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "session.jsonl"
        path.write_bytes(session())
        return [*_hour(path, RECORDS[core]), *_window(path)]


def session() -> bytes:
    """The lines of a walk through the demo, about 20 seconds."""
    stream = io.StringIO()
    with open_world(ensure_demo()) as world:
        for name in WALKS:
            sim, spot = Simulation(world), SPOTS[name]
            sim.apply_edit(Teleport(spot.cell_id, *spot.origin, spot.heading))
            writer = CaptureWriter(stream, sim.player.steered)
            sim.watch(sim.player.id, writer)
            for tick in range(200):
                sim.tick(Controls(forward=1.0, turn=float(tick // 40 % 3 - 1), run=True))
            sim.close()
    return stream.getvalue().encode()


def _hour(session_path: Path, count: int) -> list[Figure]:
    """Records appended in pieces, as a client does, and followed as fast as possible."""
    lines = session_path.read_bytes().splitlines(keepends=True)
    path = session_path.with_name("hour.jsonl")
    worst = done = 0.0
    sizes: list[tuple[int, float]] = []
    with open_world(ensure_demo()) as world, path.open("ab", buffering=0) as client:
        follower = Follower(path, world)
        for start in range(0, count, PER_SECOND):
            client.write(b"".join(lines[(start + each) % len(lines)] for each in range(PER_SECOND)))
            while follower.kept.end < start + PER_SECOND:
                began = time.process_time()
                follower.turn()
                spent = time.process_time() - began
                worst, done = max(worst, spent), done + spent
            if start % 3000 == 0:
                gc.collect()
                sizes.append((start, _resident()))
        gc.collect()
        sizes.append((count, _resident()))
        kept = len(follower.kept)
        packed = sum(map(len, follower.kept.packed())) / 2**20
        follower.close()
    settled = next(size for at, size in sizes if at >= count * GROWTH_FROM)
    name = f"{count:,} records"
    return [
        Figure("a record under both rule sets", done / count * 1e3, "ms"),
        Figure("share of a core at 30 records a second, without a window", done / count * PER_SECOND * 100.0, "%"),
        Figure(f"longest turn in {name}", worst * 1e3, "ms"),
        Figure(f"memory after {name}, above that at their start", sizes[-1][1] - sizes[0][1], "MB"),
        Figure(f"growth in the last fifth of {name}", sizes[-1][1] - settled, "MB", GROWTH_LIMIT, GROWTH_LIMIT),
        Figure(f"records kept after {name}", float(kept), ""),
        Figure("their packed text", packed, "MB"),
    ]


def _resident() -> float:
    """MB of this process in memory."""
    text = Path("/proc/self/status").read_text(encoding="ascii")
    return float(text.partition("VmRSS:")[2].split()[0]) / 1024.0


def _window(session_path: Path) -> list[Figure]:
    with virtual_display() as display, tempfile.TemporaryDirectory() as home:
        environment = {**os.environ, **display_environment(display), "XDG_CONFIG_HOME": home}
        words = [sys.executable, "-m", "benchmarks.following.window", str(session_path)]
        done = subprocess.run(words, cwd=ROOT, env=environment, stdout=subprocess.PIPE, text=True, check=True)
        told: list[dict[str, Any]] = json.loads(done.stdout.splitlines()[-1])
        return [Figure(**fields) for fields in told]
