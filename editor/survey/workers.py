"""What gives landblocks out: the processes of this machine, or a cluster (`editor.survey.cluster`)."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from typing import Final, Protocol

from editor.survey.task import BlockDone, Item, PartDone, Work

MOST_DEATHS: Final = 3
"""A landblock with which so many workers ended is given up, and its sentence says so."""

Told = Callable[[str], None]
"""Hears, in sentences, of what happens to workers."""


class Workers(Protocol):
    """Does landblocks, in any order, each once."""

    def run(self, work: Work, batches: Iterable[tuple[Item, ...]]) -> Iterator[BlockDone]: ...

    def close(self) -> None: ...


def not_done(work: Work, item: Item, why: str) -> BlockDone:
    """The answer for a landblock that no worker comes through."""
    return BlockDone(item.block, tuple(PartDone(name, "", problem=f"{name}: {why}") for name in work.parts))
