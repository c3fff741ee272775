"""Pages of long lists: which rows of a list a reader asked for, and how to ask for the others."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from typing import Any, Final, TypeVar

RowT = TypeVar("RowT")

PAGE_ROWS: Final = 20
"""Rows of each list in an overview for people: with its counts it fits on a screen or two."""


class Page(list[Any]):
    """Rows of a list that has `total` of them; the first row here is number `first`, counted from 1."""

    def __init__(self, rows: Iterable[Any], first: int, total: int) -> None:
        super().__init__(rows)
        self.first = first
        self.total = total

    def is_part(self) -> bool:
        return len(self) < self.total

    def span(self) -> str:
        """Which rows of how many, for the heading of the list."""
        if not self.is_part():
            return str(self.total)
        return f"{self.first} to {self.first + len(self) - 1} of {self.total}" if self else f"none of {self.total}"


@dataclass(frozen=True)
class Listing:
    """What a reader wants of the lists: `rows` of each from number `first`, 0 for all; only those with `find` in them,
    whatever its case."""

    first: int = 1
    rows: int = 0
    find: str = ""

    def of(self, items: Sequence[RowT], text: Callable[[RowT], str]) -> tuple[list[RowT], int]:
        """The items of the page, and how many there are that match."""
        wanted = self.find.casefold()
        found = [item for item in items if wanted in text(item).casefold()] if wanted else list(items)
        start = self.first - 1
        return found[start : start + self.rows if self.rows else None], len(found)

    def page(self, rows: Sequence[RowT], text: Callable[[RowT], str]) -> Page:
        shown, total = self.of(rows, text)
        return Page(shown, self.first, total)

    def more(self, pages: Iterable[Page]) -> str:
        """How to see the rows that are left out; empty when none is."""
        longest = max((page.total for page in pages if page.is_part()), default=0)
        if not longest:
            return ""
        rest = f"--from {self.first + self.rows} for the next rows, " if self.first + self.rows <= longest else ""
        return f"{rest}--rows 0 for all, --find TEXT for those with a text in them"
