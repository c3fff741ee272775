"""`bench data --world-size SIDE`: what can be done with a world of the client's size (`benchmarks.world_size.world`).

Each step runs in a process of its own; beside its time stands the most memory that it had.
"""

from __future__ import annotations

import argparse
import contextlib
import io
import json
import os
import shutil
import subprocess
import sys
import time
from pathlib import Path
from typing import Final, NamedTuple

from benchmarks import data_files
from benchmarks.figures import Figure
from benchmarks.world_size.world import ensure_world
from cellar_door.virtual_display import display_environment, virtual_display
from editor.commands import inspect
from editor.process.memory import peak_megabytes
from engine.world.cells.ids import FIRST_ENV_CELL, cell_text, in_block_of, landblock_id
from engine.world.loader import open_world

ROOT: Final = Path(__file__).resolve().parents[2]
WORLDS: Final = ROOT / "build" / "worlds"
"""Where the worlds are kept from run to run; they can be deleted at any time."""
WINDOW: Final = "benchmarks.world_size.window"

Found = dict[str, float]


class Bounds(NamedTuple):
    """The unit of a figure, and the figures up to which it is good and no defect."""

    unit: str
    goal: float | None = None
    limit: float | None = None


SECONDS: Final = Bounds("s")
MEMORY: Final = "peak of memory"


def figures(side: int) -> list[Figure]:
    """Make the world, or use the one that is there, and go through all steps."""
    world, seconds = ensure_world(WORLDS, side)
    found = [] if seconds is None else [Figure("making the world", seconds, "s", 30.0, 60.0)]
    found.append(Figure("size of the world", sum(path.stat().st_size for path in world.iterdir()) / 2**20, "MB"))
    out = WORLDS / f".out-{world.name}"
    shutil.rmtree(out, ignore_errors=True)
    try:
        for step, bounds in STEPS.items():
            for name, value in step_apart(step, world, out).items():
                found.append(Figure(f"{step}: {name}", value, *bounds.get(name, SECONDS)))
    finally:
        shutil.rmtree(out, ignore_errors=True)
    return found


def step_apart(step: str, world: Path, out: Path) -> Found:
    """The figures of one step, in a process of its own; those of the window on a display of its own."""
    words = [sys.executable, "-m", WINDOW if step == "window" else __name__, step, str(world), str(out)]
    with contextlib.ExitStack() as stack:
        environment = dict(os.environ)
        if step == "window":
            environment |= display_environment(stack.enter_context(virtual_display()))
        done = subprocess.run(words, cwd=ROOT, env=environment, stdout=subprocess.PIPE, text=True, check=True)
    found: Found = json.loads(done.stdout.splitlines()[-1])
    return found


# --- the steps


def index(world: Path, out: Path) -> Found:
    """Open the folder, and know which landblocks there are and which have rooms."""
    start = time.perf_counter()
    with open_world(world) as opened:
        first = time.perf_counter() - start
        found = opened.source.block_index()
        indexed = time.perf_counter() - start - first
        assert len(found) == len(opened.landblock_ids())
    return {"open the folder": first, "list all landblocks": indexed}


def overview(world: Path, out: Path) -> Found:
    """`inspect WORLD`."""
    return {"first page": _inspected(str(world))}


def one(world: Path, out: Path) -> Found:
    """`inspect WORLD ID` of a landblock and of a room."""
    room = a_room(world)
    block, cell = cell_text(landblock_id(room)), cell_text(room)
    return {"a landblock": _inspected(str(world), block), "a room": _inspected(str(world), cell)}


def check(world: Path, out: Path) -> Found:
    """`inspect WORLD --check`: all landblocks, rooms and models."""
    worked = time.process_time()
    passed = _inspected(str(world), "--check")
    return {"everything": passed, "everything, at work": time.process_time() - worked}


def export(world: Path, out: Path) -> Found:
    """One room sees another than before; both databases are written whole, read back and compared."""
    found = data_files.export(world, out, a_room(world))
    return {"list the changes": found["plan"], "whole files": found["seconds"], "whole files, at work": found["cpu"]}


def diff(world: Path, out: Path) -> Found:
    """The world against its export."""
    found = data_files.diff(world, out)
    return {"both folders": found["seconds"], "both folders, at work": found["cpu"]}


def loose(world: Path, out: Path) -> Found:
    """The same edit as loose records."""
    return {"changed records": data_files.export(world, out / "loose", a_room(world), loose=True)["seconds"]}


def a_room(world: Path) -> int:
    """The first room of a landblock in the middle of those that have some."""
    with open_world(world) as opened:
        with_rooms = opened.source.block_index().with_rooms
    return in_block_of(with_rooms[len(with_rooms) // 2], FIRST_ENV_CELL)


def _inspected(*words: str) -> float:
    """The seconds that `inspect` takes; what it prints is dropped."""
    parser = argparse.ArgumentParser()
    inspect.add_arguments(parser)
    start = time.perf_counter()
    with contextlib.redirect_stdout(io.StringIO()) as printed:
        inspect.run(parser.parse_args(words))
    assert printed.getvalue()
    return time.perf_counter() - start


STEPS: Final[dict[str, dict[str, Bounds]]] = {
    "index": {"list all landblocks": Bounds("s", 1.0, 2.0), MEMORY: Bounds("MB", 150.0, 250.0)},
    "window": {
        "picker, first map": Bounds("s", 1.0, 3.0),
        "picker, ground of all landblocks": Bounds("s", 5.0, 15.0),
        "picker, longest zoom step, at work": Bounds("ms", 33.0, 66.0),
        "picker, longest pan step, at work": Bounds("ms", 33.0, 66.0),
        "picker, longest digit of a search, at work": Bounds("ms", 50.0, 100.0),
        "landblock to first picture": Bounds("s", 1.0, 3.0),
        "longest stall with the picker": Bounds("ms"),
        "longest stall with the picker, at work": Bounds("ms", 100.0, 100.0),
        "longest stall with the landblock": Bounds("ms"),
        "longest stall with the landblock, at work": Bounds("ms", 100.0, 100.0),
        MEMORY: Bounds("MB", 450.0, 600.0),
    },
    "overview": {"first page": Bounds("s", 2.0, 5.0), MEMORY: Bounds("MB", 150.0, 250.0)},
    "one": {
        "a landblock": Bounds("s", 0.5, 1.5),
        "a room": Bounds("s", 0.5, 1.5),
        MEMORY: Bounds("MB", 150.0, 250.0),
    },
    "check": {"everything, at work": Bounds("s", 150.0, 300.0), MEMORY: Bounds("MB", 150.0, 250.0)},
    "export": {
        "list the changes": Bounds("s", 0.2, 0.5),
        "whole files": Bounds("s", 30.0, 90.0),
        "whole files, at work": Bounds("s", 15.0, 30.0),
        MEMORY: Bounds("MB", 200.0, 300.0),
    },
    "diff": {
        "both folders": Bounds("s", 15.0, 45.0),
        "both folders, at work": Bounds("s", 6.0, 15.0),
        MEMORY: Bounds("MB", 150.0, 250.0),
    },
    "loose": {"changed records": Bounds("s", 2.0, 5.0), MEMORY: Bounds("MB", 200.0, 300.0)},
}
"""In their order, with what is promised: `diff` compares with what `export` has written. The rest is in seconds."""


def worker(step: str, world: str, out: str) -> None:
    """Take one step in this process and print its figures as a line of JSON."""
    done: Found = globals()[step](Path(world), Path(out))
    print(json.dumps({**done, MEMORY: peak_megabytes()}))


if __name__ == "__main__":
    worker(*sys.argv[1:4])
