"""Measures the speed of this machine in three plain figures, so that timings of two machines compare by ratio.

The programs are those of `goldens/calibrate`, run in the same minutes as the figures they stand beside. Without them
(no shared folder, or no C compiler) only the loop of the interpreter is measured, with the same definition.
"""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
import tempfile
import time
from pathlib import Path

SHARED = Path(os.environ.get("CELLAR_DOOR_SHARED", Path(__file__).resolve().parents[2] / "shared"))
REPEATS = 3
LOOP_STEPS = 2_000_000


def python_loop_ns() -> float:
    """Nanoseconds for one `x = x * a + b` in the interpreter, the median of a few runs."""

    def loop(steps: int) -> float:
        x, a, b = 1.5, 0.999999, 1e-6
        for _ in range(steps):
            x = x * a + b
        return x

    loop(LOOP_STEPS // 10)
    times = []
    for _ in range(REPEATS):
        start = time.process_time()
        loop(LOOP_STEPS)
        times.append((time.process_time() - start) / LOOP_STEPS * 1e9)
    return sorted(times)[REPEATS // 2]


def compiled_kernels(folder: Path) -> dict[str, float]:
    """`fma_ns` and `ptr_ns` of calib.c; empty when it or a compiler is missing."""
    source = folder / "calib.c"
    compiler = shutil.which("cc") or shutil.which("gcc") or shutil.which("clang")
    if compiler is None or not source.is_file():
        return {}
    with tempfile.TemporaryDirectory() as scratch:
        program = Path(scratch) / "calib"
        subprocess.run(
            [compiler, "-O2", "-std=c11", "-ffp-contract=off", "-o", str(program), str(source)],
            check=True,
            capture_output=True,
        )
        start, used = time.perf_counter(), _used_by_children()
        done = subprocess.run([str(program), str(REPEATS)], check=True, capture_output=True, text=True)
        share = min(1.0, (_used_by_children() - used) / (time.perf_counter() - start))
    answer = json.loads(done.stdout)
    return {"fma_ns": answer["fma_ns"] * share, "ptr_ns": answer["ptr_ns"] * share}


if sys.platform == "win32":

    def _used_by_children() -> float:
        """Windows does not say: all of the time, as on a machine that does nothing else."""
        return time.perf_counter()

else:
    import resource

    def _used_by_children() -> float:
        """Seconds of processor time of the processes that were started and have ended."""
        usage = resource.getrusage(resource.RUSAGE_CHILDREN)
        return usage.ru_utime + usage.ru_stime


def calibrate() -> dict[str, float]:
    figures = {f"py{sys.version_info.major}{sys.version_info.minor}_ns": round(python_loop_ns(), 3)}
    figures.update(compiled_kernels(SHARED / "goldens" / "calibrate"))
    return figures
