"""Where the free camera of a project stood when it was saved: it opens with the same view."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Final

from engine.geometry.vec import Vec3

FARTHEST: Final = 100_000.0
"""Metres from the landblock's corner: twice across the whole map."""


@dataclass(frozen=True)
class Eye:
    """`at` is in the landblock of the cell; heading and pitch in degrees."""

    cell_id: int
    at: Vec3
    heading: float
    pitch: float


def eye_form(eye: Eye) -> list[object]:
    """What the project's file has."""
    return [f"0x{eye.cell_id:08X}", *eye.at, eye.heading, eye.pitch]


def read_eye(value: object) -> Eye | None:
    """The eye in a project's file; None for anything else, which is no reason to refuse the edits beside it."""
    if not isinstance(value, list) or len(value) != 6 or not isinstance(value[0], str):
        return None
    try:
        cell_id = int(value[0], 16)
        x, y, z, heading, pitch = (float(part) for part in value[1:] if isinstance(part, int | float))
    except (ValueError, OverflowError):
        return None
    numbers = (x, y, z, heading, pitch)
    if not 0 < cell_id <= 0xFFFFFFFF or not all(math.isfinite(part) and abs(part) <= FARTHEST for part in numbers):
        return None
    return Eye(cell_id, (x, y, z), heading % 360.0, min(max(pitch, -89.0), 89.0))
