"""A landblock searched by walking, and all that is found by it.

    for found in check_by_walking(make_simulation, block_id, Settings(), enabled): ...
"""

from __future__ import annotations

from collections.abc import Callable, Container, Iterator
from typing import Final

import numpy as np

from engine.explore.findings.escapes import (
    INTO_SOLID,
    LOST,
    OUT_OF_CELLS,
    THROUGH_DOOR,
    UNDER,
    UNDER_TERRAIN,
    WITHOUT_PORTAL,
    Escape,
)
from engine.explore.findings.proof import Proofs, Way
from engine.explore.findings.suspects import Suspect, Suspects
from engine.explore.forms.settings import Standing
from engine.explore.search import Search
from engine.findings.finding import Found
from engine.geometry.vec import distance
from engine.world.cells.ids import FIRST_ENV_CELL
from engine.world.cells.position import into_block

ESCAPES: Final = (UNDER_TERRAIN.id, OUT_OF_CELLS.id, WITHOUT_PORTAL.id, THROUGH_DOOR.id, INTO_SOLID.id, LOST.id)

NEAR: Final = 6.0
"""Metres within which escapes of one kind are one."""

MOST_OF_A_KIND: Final = 40


def find_escapes(search: Search, suspects: Suspects, proofs: Proofs, enabled: Container[str]) -> Iterator[Found]:
    """The escapes of a finished search, soonest first."""
    wanted = [check for check in ESCAPES if check in enabled]
    if not wanted:
        return
    told: list[Escape] = []
    counts: dict[str, int] = {}
    for parent, keys in _candidates(search, suspects, proofs, wanted):
        for way, escape in proofs.escapes(parent, keys):
            if escape.check not in enabled or any(_is_same(escape, other) for other in told):
                continue
            counts[escape.check] = counts.get(escape.check, 0) + 1
            if counts[escape.check] <= MOST_OF_A_KIND:
                told.append(escape)
                yield proofs.shortened_escape(way, escape)
