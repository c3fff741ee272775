"""The checks of a landblock: the demo's village, and halls of 375 to 1,500 rooms with their things, in seconds and
megabytes; by how much the time of twice the rooms is more than twice."""

from __future__ import annotations

import json
import math
import subprocess
import sys
import time
from pathlib import Path
from typing import Final

from benchmarks.figures import Figure
from editor.process.memory import peak_megabytes
from editor.session.sources import DEMO, open_source
from engine.build import WorldBuilder, rect
from engine.build.built import BuiltWorld
from engine.build.shapes.furniture import crate
from engine.findings.registry import CHECKS
from engine.sim.tick.simulation import Simulation
from engine.survey.run import check_landblock
from engine.world.world import World

VILLAGE: Final = 0xC95BFFFF
BLOCK: Final = 0x0007FFFF
PITCH: Final = 6.0
ROOMS: Final = (375, 750, 1500)
"""Rooms of the landblocks whose growth is measured; half of them are rooms, half doorways."""
THINGS: Final = 4 / 3
"""Static things for each room: 2,000 for 1,500 rooms."""
ROOT: Final = Path(__file__).resolve().parents[2]


def figures(core: str) -> list[Figure]:
    with open_source(DEMO) as world:
        village = _seconds(world, VILLAGE, 5)
    found = [Figure("checks of the village (55 rooms)", village * 1000.0, "ms", 150.0, 300.0)]
    times: list[float] = []
    megabytes = 0.0
    for rooms in ROOMS:
        done = subprocess.run(
            [sys.executable, "-m", "benchmarks.survey.checks", str(rooms)],
            cwd=ROOT,
            capture_output=True,
            text=True,
            check=True,
        )
        seconds, megabytes = json.loads(done.stdout.splitlines()[-1])
        times.append(seconds)
        goal = (5.0, 10.0) if rooms == ROOMS[-1] else (None, None)
        found.append(Figure(f"checks of {rooms} rooms and {things_of(rooms)} things", seconds, "s", *goal))
    found.append(Figure("memory with the largest of them", megabytes, "MB", 300.0, 600.0))
    more = math.log(ROOMS[-1]) / math.log(ROOMS[0]) * ROOMS[-1] / ROOMS[0]
    found.append(Figure("their growth, in n log n", times[-1] / times[0] / more, "x", 1.0, 1.5))
    return found


def _seconds(world: World, block_id: int, repeats: int) -> float:
    """The shortest of a few runs, in seconds of the processor: what else runs meanwhile does not count."""
    world.landblock(block_id)
    times = []
    for _ in range(repeats):
        sim = Simulation(world.fork())
        start = time.process_time()
        list(check_landblock(sim, block_id, CHECKS))
        times.append(time.process_time() - start)
    return min(times)


def things_of(rooms: int) -> int:
    return round(rooms * THINGS)


def halls(rooms: int) -> BuiltWorld:
    """Rooms in rows, each with a doorway to the one east of it, the rows joined at their western ends; and crates."""
    world = WorldBuilder()
    count = (rooms + 1) // 2
    columns = max(round(math.sqrt(count)), 1)
    made = []
    left = things_of(rooms)
    for number in range(count):
        row, column = divmod(number, columns)
        room = world.room(f"room {number}", rect(PITCH * column, PITCH * row, PITCH - 0.2, PITCH - 0.2))
        made.append(room)
        if column:
            world.doorway(made[-2], room, (PITCH * column - 0.1, PITCH * row + 2.5), width=1.2)
        elif row:
            world.doorway(made[number - columns], room, (2.5, PITCH * row - 0.1), width=1.2)
        share = math.ceil(left / (count - number))
        for index in range(share):
            room.put(crate(0.4), (PITCH * column + 0.6 + index % 4 * 0.9, PITCH * row + 0.6 + index // 4 * 0.9))
        left -= share
    return world.build()


def main() -> None:
    """One size in a process of its own: its memory counts from what opening the world left."""
    built = halls(int(sys.argv[1]))
    with built.load() as world:
        del built
        seconds = _seconds(world, BLOCK, 3)
    print(json.dumps([seconds, peak_megabytes()]))


if __name__ == "__main__":
    main()
