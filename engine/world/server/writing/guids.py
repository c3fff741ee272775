"""Ids for new instances: 0x7LLLLnnn, where LLLL are the digits of the landblock and nnn counts its things."""

from __future__ import annotations

from collections.abc import Collection
from typing import Final

from engine.world.faults import WorldError

FIRST: Final = 0x70000000
MOST: Final = 0x1000
"""Ids that a landblock has."""


def first_guid(block: int) -> int:
    """The first id of a landblock, by its four digits."""
    return FIRST | (block & 0xFFFF) << 12


def next_guid(block: int, used: Collection[int]) -> int:
    """The id behind the last one that is used, or the first free one when that was the last there is.

    `used` are those of instances and of both ends of links, whatever landblock they say that they are in. Raises a
    WorldError when none is free.
    """
    first = first_guid(block)
    last = max((guid for guid in used if first <= guid < first + MOST), default=first - 1)
    if last + 1 < first + MOST:
        return last + 1
    taken = set(used)
    free = next((guid for guid in range(first, first + MOST) if guid not in taken), None)
    if free is None:
        raise WorldError(f"has {MOST:,} things in landblock 0x{block & 0xFFFF:04X}, the most that there are ids for")
    return free
