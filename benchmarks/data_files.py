"""`bench data`, its part on exports: a world of 805,003 cell records is edited, exported, opened and compared.

Each step runs in a process of its own, whose peak of memory is its own too.
"""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any, Final

from benchmarks.figures import Figure
from benchmarks.synthetic_cells import make_cell_database
from editor.authoring.cell_edits import set_stab_list
from editor.document.world_diff import editable_state
from editor.export.data_files import plan_export
from editor.export.world_differences import compared_world, world_differences
from editor.export.write_data_files import write_data_files
from editor.process.memory import peak_megabytes
from engine.build.demo import ensure_demo
from engine.dat.ids import DatKind
from engine.sim.edits.world import OpenLandblock
from engine.sim.tick.simulation import Simulation
from engine.world.cells.ids import landblock_id
from engine.world.loader import open_world

RECORDS: Final = 805_002
"""Beside the iteration record: as many as the retail file has."""
ROOM: Final = 0x7F7F0100
ROOT: Final = Path(__file__).resolve().parent.parent


def figures(core: str) -> list[Figure]:
    count = f"{(RECORDS + 1) // 1000}k records"
    with tempfile.TemporaryDirectory() as scratch:
        source, out = Path(scratch) / "source", Path(scratch) / "out"
        source.mkdir()
        shutil.copy(ensure_demo() / DatKind.PORTAL.file_name, source)
        make_cell_database(source / DatKind.CELL.file_name, RECORDS)
        export = measured_apart("benchmarks.data_files", "export", source, out)
        compare = measured_apart("benchmarks.data_files", "diff", source, out)
    return [
        Figure(f"list the changes, {count}", export["plan"] * 1e3, "ms", 200.0, 500.0),
        Figure(f"export and read back, {count}", export["seconds"], "s", 30.0, 90.0),
        Figure(f"export, processor time, {count}", export["cpu"], "s", 15.0, 30.0),
        Figure(f"export, memory growth, {count}", export["growth"], "MB", 150.0, 200.0),
        Figure(f"diff of two folders, {count}", compare["seconds"], "s", 15.0, 45.0),
        Figure(f"diff, processor time, {count}", compare["cpu"], "s", 6.0, 15.0),
        Figure(f"diff, memory growth, {count}", compare["growth"], "MB", 50.0, 100.0),
    ]


def measured_apart(module: str, step: str, source: Path, out: Path) -> dict[str, float]:
    """The figures of one step of a module, in a process of its own."""
    words = [sys.executable, "-m", module, step, str(source), str(out)]
    done = subprocess.run(words, cwd=ROOT, env=os.environ, capture_output=True, text=True, check=True)
    found: dict[str, float] = json.loads(done.stdout.splitlines()[-1])
    return found


def _unheard(fraction: float, sentence: str) -> None:
    """Progress that nobody follows."""


def timed(work: Callable[[], Any]) -> dict[str, float]:
    before, start, began = peak_megabytes(), time.perf_counter(), time.process_time()
    work()
    return {
        "seconds": time.perf_counter() - start,
        "cpu": time.process_time() - began,
        "growth": peak_megabytes() - before,
    }


def export(source: Path, out: Path, room: int = ROOM, *, loose: bool = False) -> dict[str, float]:
    """Export a world in which one room sees another one than before."""
    with open_world(source) as world:
        sim = Simulation(world)
        sim.apply_edit(OpenLandblock(landblock_id(room)))
        start = editable_state(sim)
        for edit in set_stab_list(sim, room, [room + 1]):
            sim.apply_edit(edit)
        began = time.perf_counter()
        plan = plan_export(sim, start, ())
        planned = time.perf_counter() - began
        found = timed(lambda: write_data_files(plan, out, [], _unheard, loose=loose))
        sim.close()
    return {**found, "plan": planned}


def diff(source: Path, out: Path) -> dict[str, float]:
    differing: list[object] = []
    with compared_world(str(source), "") as before, compared_world(str(out), "") as after:
        found = timed(lambda: differing.extend(world_differences(before, after)))
    assert len(differing) == 1
    return found


def worker(step: str, source: str, out: str) -> None:
    """Run one step in this process and print its figures as a line of JSON."""
    steps = {"export": export, "diff": diff}
    print(json.dumps(steps[step](Path(source), Path(out))))


if __name__ == "__main__":
    worker(*sys.argv[1:4])
