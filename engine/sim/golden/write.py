"""Writing answers in a golden's own form: the same keys, a tick a line, numbers as the shortest single precision."""

from __future__ import annotations

import json
import math
from collections.abc import Iterable
from typing import Any, Final

from engine.geometry.vec import r24

Json = dict[str, Any]

FIELDS: Final = (
    "i", "ok", "pos", "cell", "block", "contact", "on_walkable", "sliding", "water_contact", "contact_plane",
    "contact_cell", "collision_normal", "sliding_normal", "objects", "env_collision", "stationary", "cells", "rejected",
    "state", "shadow_cells", "velocity",
)  # fmt: skip
"""The fields of a tick in the goldens' order."""


def golden_text(scene: str, moves: Iterable[tuple[str, str, list[Json]]], queries: Iterable[Any]) -> str:
    """The file for moves given as (name, mode, ticks) and the queries' answers, all in the scene's order."""
    told = [_move_text(name, mode, ticks) for name, mode, ticks in moves]
    asked = [told_value(answer) for answer in queries]
    return f'{{"scene":{told_value(scene)},"moves":[{_lines(told)}],\n"queries":[{_lines(asked)}]}}\n'


def _move_text(name: str, mode: str, ticks: list[Json]) -> str:
    lines = _lines([told_value({field: tick[field] for field in FIELDS if field in tick}) for tick in ticks])
    return f'{{"name":{told_value(name)},"mode":{told_value(mode)},"ticks":[{lines}]}}'


def _lines(texts: list[str]) -> str:
    return "\n" + ",\n".join(texts) + "\n" if texts else ""


def told_value(value: Any) -> str:
    """Write one value of a golden in the form of the file."""
    return json.dumps(_plain(value), separators=(",", ":"))


def _plain(value: Any) -> Any:
    if isinstance(value, dict):
        return {name: _plain(entry) for name, entry in value.items()}
    if isinstance(value, list | tuple):
        return [_plain(entry) for entry in value]
    return shortest_single(value) if isinstance(value, float) else value


def shortest_single(value: float) -> float | int:
    """The number of fewest digits that is the same in single precision; a whole one without a fraction."""
    single = r24(value)
    if not math.isfinite(single):
        return single
    for digits in range(6, 10):
        short = float(f"{single:.{digits}g}")
        if r24(short) == single:
            single = short
            break
    return int(single) if single.is_integer() and abs(single) < 1e15 else single
