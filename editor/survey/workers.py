"""What gives landblocks out: the processes of this machine, or a cluster (`editor.survey.cluster`)."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import replace
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


def not_done(work: Work, item: Item, why: str, before: BlockDone | None = None) -> BlockDone:
    """The answer for a landblock that no worker comes through; `before` has the parts that were done."""
    so_far = before or BlockDone(item.block)
    had = {*so_far.unchanged, *(part.part for part in so_far.parts)}
    at, *rest = [name for name in work.parts if name not in had]
    problems = [f"{at}: {why}", *(f"{name}: not begun, as {at} was given up" for name in rest)]
    failed = tuple(PartDone(name, "", problem=each) for name, each in zip([at, *rest], problems, strict=True))
    return replace(so_far, parts=so_far.parts + failed)
