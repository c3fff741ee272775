"""Finds commands and things by a few letters: the matches, their scores and their order.

Every typed word has to match. A word scores most at the beginning of the title, then at the beginning of one of its
words, then inside, then as initials of its words, then as letters in this order anywhere.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from editor.models.text_search import lowered

BEGINNING: Final = 100.0
WORD: Final = 80.0
INSIDE: Final = 55.0
INITIALS: Final = 45.0
SCATTERED: Final = 20.0
ELSEWHERE: Final = 0.4
"""The factor for a word that is found only in the command's menu path."""

LENGTH: Final = 0.2
"""The cost of every letter of a title: of two matches the shorter one is meant."""

RECENT: Final = 12.0
"""The bonus for the last used entry, less for each one used since."""

DISABLED: Final = 15.0
"""The cost of a command that is disabled."""

BREAKS: Final = " ·›/-–_:.("


@dataclass(frozen=True, slots=True)
class PaletteEntry:
    """One line of the palette."""

    key: str
    """The key under which its use is remembered."""
    title: str
    where: str = ""
    keys: str = ""
    why_not: str = ""
    thing: bool = False
    """A cell or an entity: offered only when something is typed."""


@dataclass(frozen=True, slots=True)
class Match:
    """A match, and the positions of the matched letters in its title."""

    entry: PaletteEntry
    score: float
    marks: tuple[int, ...] = ()


def rank(entries: Sequence[PaletteEntry], query: str, recent: Sequence[str] = (), most: int = 200) -> list[Match]:
    """The matches, best first; without a query the recent entries first and the rest in their order."""
    words = lowered(query).split()
    if not words:
        return _unasked(entries, recent)[:most]
    found = []
    for entry in entries:
        fit = _fit(words, entry)
        if fit is None:
            continue
        score, marks = fit
        if entry.key in recent:
            score += max(RECENT - recent.index(entry.key), 1.0)
        if entry.why_not:
            score -= DISABLED
        found.append(Match(entry, score, marks))
    return sorted(found, key=lambda each: -each.score)[:most]


def _unasked(entries: Sequence[PaletteEntry], recent: Sequence[str]) -> list[Match]:
    known = {entry.key: entry for entry in entries}
    first = [known[key] for key in recent if key in known]
    rest = [entry for entry in entries if entry not in first and not entry.thing]
    return [Match(entry, 0.0) for entry in [*first, *rest]]


def _fit(words: Sequence[str], entry: PaletteEntry) -> tuple[float, tuple[int, ...]] | None:
    """The score of all words together, and their positions in the title."""
    title, where = lowered(entry.title), lowered(entry.where)
    total = -LENGTH * len(title)
    marks: set[int] = set()
    for word in words:
        inside = place_word(word, title)
        if inside is not None:
            total += inside[0]
            marks |= set(inside[1])
            continue
        outside = place_word(word, where)
        if outside is None or outside[0] < INITIALS:
            return None
        total += ELSEWHERE * outside[0]
    return total, tuple(sorted(marks))


def place_word(word: str, text: str) -> tuple[float, tuple[int, ...]] | None:
    """The best match of a word in a text: its score and the positions of its letters; None without a match."""
    if text.startswith(word):
        return BEGINNING, tuple(range(len(word)))
    starts = [i for i in range(len(text)) if i == 0 or text[i - 1] in BREAKS]
    at = next((i for i in starts if text.startswith(word, i)), -1)
    if at >= 0:
        return WORD, tuple(range(at, at + len(word)))
    at = text.find(word)
    if at >= 0:
        return INSIDE, tuple(range(at, at + len(word)))
    initials = _in_order(word, text, starts)
    if initials is not None:
        return INITIALS, initials
    letters = _in_order(word, text, range(len(text)))
    if letters is None or len(word) < 2:
        return None
    spread = letters[-1] - letters[0] + 1 - len(word)
    return (SCATTERED - spread, letters) if spread < SCATTERED else None


def _in_order(word: str, text: str, places: Sequence[int]) -> tuple[int, ...] | None:
    """The letters of a word, in order, at some of the positions."""
    taken: list[int] = []
    waiting = iter(places)
    for letter in word:
        at = next((place for place in waiting if text[place] == letter), None)
        if at is None:
            return None
        taken.append(at)
    return tuple(taken)


def remember(recent: Sequence[str], key: str, most: int = 12) -> list[str]:
    """The keys used last, the newest first."""
    return [key, *(other for other in recent if other != key)][:most]
