"""The memory of a process that only calculates: how much it has taken, and how often Python looks for cycles in it."""

from __future__ import annotations

import gc
import sys
from pathlib import Path
from typing import Final

SELDOM: Final = (50_000, 20, 10)
"""Python's own are 700, 10 and 10, with which a survey spends a third of its time looking through worlds."""


def collect_seldom() -> None:
    """Leave out all that is there now, and look at the rest seldom: neither worlds nor searches hold cycles."""
    gc.unfreeze()
    gc.collect()
    gc.freeze()
    gc.set_threshold(*SELDOM)


def peak_megabytes() -> float:
    """The most memory that was resident in this process so far; 0 where the system does not say.

    Not `ru_maxrss` where there is another way: on Linux it begins with what the parent had when it started us.
    """
    status = Path("/proc/self/status")
    if status.exists():
        for line in status.read_text(encoding="ascii", errors="replace").splitlines():
            if line.startswith("VmHWM:"):
                return int(line.split()[1]) / 1024
    if sys.platform == "win32":
        return 0.0
    import resource

    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    return peak / (2**20 if sys.platform == "darwin" else 2**10)
