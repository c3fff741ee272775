"""How much else the machine has to do: what a bound of seconds is multiplied by."""

from __future__ import annotations

import time

LEAST = 0.05
"""Seconds of work that it is measured by."""


def how_loaded() -> float:
    """1.0 on a machine of our own; 3.0 where each second of work takes three."""
    begun, worked = time.monotonic(), time.process_time()
    while time.process_time() - worked < LEAST:
        pass
    return max((time.monotonic() - begun) / (time.process_time() - worked), 1.0)
