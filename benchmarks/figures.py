"""One measured number, and the report of a run."""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass


@dataclass(frozen=True)
class Figure:
    """`value` in `unit`; good up to `goal`, a defect above `limit`. Both None: nothing was promised."""

    name: str
    value: float
    unit: str
    goal: float | None = None
    limit: float | None = None

    @property
    def verdict(self) -> str:
        if self.limit is not None and self.value > self.limit:
            return "over the limit"
        if self.goal is not None and self.value > self.goal:
            return "over the goal"
        return "" if self.goal is None else "ok"


def best_of(repeats: int, work: Callable[[], object]) -> float:
    """The shortest of a few runs in seconds: what disturbs a run only ever makes it longer."""
    shortest = float("inf")
    for _ in range(repeats):
        start = time.perf_counter()
        work()
        shortest = min(shortest, time.perf_counter() - start)
    return shortest
