"""Reads conditions: any text is a condition, or one sentence with the place and what would fit there.

    condition := all {"or" all}
    all       := one {"and" one}
    one       := "not" one | "(" condition ")" | a primitive (`engine/sim/conditions/primitives.py`)

Names need no quotes unless they hold a bracket, a quote or a word of the grammar. What would have fitted is kept while
reading, so that a sentence and the completion of a line come from the grammar itself.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass
from difflib import SequenceMatcher
from typing import Final

from engine.sim.conditions.primitives import PRIMITIVES
from engine.sim.conditions.words import (
    AND,
    DECIMALS,
    DEEPEST,
    LARGEST_NUMBER,
    LONGEST,
    NOT,
    OR,
    And,
    Condition,
    Item,
    Leaf,
    Named,
    Not,
    Numbered,
    Or,
    Primitive,
    Slot,
    Surface,
    Value,
    is_id,
)
from engine.sim.errors import SimError

SHOWN: Final = 6
"""Fits that a sentence lists."""
SHOWN_WORD: Final = 30

_TOKEN: Final = re.compile(r'\s*(?:(?P<quoted>"(?:[^"\\]|\\.)*")|(?P<mark>[()"])|(?P<word>[^\s()"]+))', re.DOTALL)
_NUMBER: Final = re.compile(rf"(-?[0-9]{{1,7}}(?:\.[0-9]{{1,{DECIMALS}}})?)(m|m/s)?", re.IGNORECASE)
_ESCAPED: Final = re.compile(r"\\(.)", re.DOTALL)
SURFACES: Final = {surface.value: surface for surface in Surface}


@dataclass(frozen=True)
class Misread:
    """Why a text is no condition. `at` is where, counted from 0."""

    at: int
    sentence: str


@dataclass(frozen=True)
class Fit:
    """What would fit from a place on: words, or what a slot takes."""

    begins: int
    """The token from which on it is or would be written."""
    failed: int
    """The first token that does not fit it, or after the last one for what may go on."""
    what: str | Slot


@dataclass(frozen=True)
class Token:
    text: str
    """Without quotes."""
    at: int
    end: int
    is_quoted: bool = False
    is_mark: bool = False

    @property
    def word(self) -> str:
        """For comparison with the words of the grammar; a quoted one is none of them."""
        return "" if self.is_quoted else self.text.lower()


class _MisreadError(Exception):
    """Reading ends with this sentence."""

    def __init__(self, at: int, sentence: str) -> None:
        super().__init__(sentence)
        self.misread = Misread(at, sentence)


def read_condition(text: str) -> Condition | Misread:
    """The condition, or why it is none; never anything else."""
    try:
        return _Reader(text).whole()
    except _MisreadError as refused:
        return refused.misread


def condition_of(text: str, option: str) -> Condition:
    """The condition of an option of a command; a SimError with the sentence for any other text."""
    found = read_condition(text)
    if isinstance(found, Misread):
        raise SimError(f"{option}: {found.sentence}")
    return found


def fits_in(text: str) -> tuple[list[Fit], list[Token]]:
    """What would go on from the end of a text, or stand in place of its last words; and its words."""
    try:
        reader = _Reader(text)
    except _MisreadError:
        return [], []
    with suppress(_MisreadError):
        reader.whole()
    least = len(reader.tokens) - (0 if not reader.tokens or text[-1:].isspace() else 1)
    return [fit for fit in reader.fits if fit.failed >= least], reader.tokens


class _Reader:
    def __init__(self, text: str) -> None:
        if len(text) > LONGEST:
            raise _MisreadError(LONGEST, f"A condition has at most {LONGEST} characters, not {len(text):,}.")
        self.text = text
        self.tokens = _tokens(text)
        self.at = 0
        self.deep = 0
        self.fits: list[Fit] = []

    def whole(self) -> Condition:
        found = self._any()
        if self.at < len(self.tokens):
            raise self._unfit()
        return found

    # --- the grammar

    def _any(self) -> Condition:
        return self._joined(OR, self._all, Or)

    def _all(self) -> Condition:
        return self._joined(AND, self._one, And)

    def _joined(self, word: str, part: Callable[[], Condition], kind: type[And] | type[Or]) -> Condition:
        parts = [part()]
        while self._take(word):
            parts.append(part())
        return parts[0] if len(parts) == 1 else kind(tuple(parts))

    def _one(self) -> Condition:
        self.deep += 1
        if self.deep > DEEPEST:
            at = self._place()
            raise _MisreadError(at, f"At character {at + 1}, more than {DEEPEST} brackets and nots are in each other.")
        found = self._inside()
        self.deep -= 1
        return found

    def _inside(self) -> Condition:
        if self._take(NOT):
            return Not(self._one())
        if self._take("("):
            found = self._any()
            if not self._take(")"):
                raise self._unfit()
            return found
        return self._leaf()

    def _leaf(self) -> Leaf:
        """The primitive that goes furthest."""
        begin, best, end = self.at, None, self.at
        for primitive in PRIMITIVES:
            self.at = begin
            values = self._form(primitive)
            if values is not None and self.at > end:
                best, end = Leaf(primitive, tuple(values)), self.at
        self.at = end
        if best is None:
            raise self._unfit()
        return best

    def _form(self, primitive: Primitive) -> list[Value] | None:
        values: list[Value] = []
        for number, item in enumerate(primitive.items):
            if isinstance(item, Slot):
                value = self._number() if item is Slot.NUMBER else self._thing(item, primitive.items[number + 1 :])
                if value is None:
                    return None
                values.append(value)
            elif isinstance(item, str):
                if not self._words(item):
                    return None
            else:
                self._words(" ".join(item))
        return values

    def _words(self, words: str) -> bool:
        begin = self.at
        for word in words.split():
            if self.at >= len(self.tokens) or self.tokens[self.at].word != word:
                self.fits.append(Fit(begin, self.at, words))
                self.at = begin
                return False
            self.at += 1
        return True

    def _take(self, word: str) -> bool:
        if self.at < len(self.tokens) and self.tokens[self.at].word == word:
            self.at += 1
            return True
        self.fits.append(Fit(self.at, self.at, word))
        return False

    def _number(self) -> float | None:
        found = _NUMBER.fullmatch(self.tokens[self.at].word) if self.at < len(self.tokens) else None
        if found is None or abs(float(found[1])) > LARGEST_NUMBER:
            self.fits.append(Fit(self.at, self.at, Slot.NUMBER))
            return None
        self.at += 1
        return float(found[1]) + 0.0

    def _thing(self, slot: Slot, after: tuple[Item, ...]) -> Value | None:
        """A name goes on until a word that may follow it."""
        begin = self.at
        ends = {AND, OR, *([after[0].split()[0]] if after and isinstance(after[0], str) else [])}
        words: list[str] = []
        while self.at < len(self.tokens):
            token = self.tokens[self.at]
            if token.is_mark or token.word in ends or (words and token.is_quoted):
                break
            words.append(token.text)
            self.at += 1
            if token.is_quoted:
                break
        self.fits.append(Fit(begin, self.at, slot))
        if self.at > begin + 1 or (self.at > begin and not self.text[-1:].isspace()):
            self.fits.extend(Fit(self.at - 1, self.at - 1, word) for word in (AND, OR) if self.at == len(self.tokens))
        if not words:
            return None
        if self.tokens[begin].is_quoted:
            return Named(words[0])
        name = " ".join(words)
        if is_id(name):
            return Numbered(int(name, 16))
        return SURFACES[name.lower()] if slot is Slot.THING and name.lower() in SURFACES else Named(name)

    # --- what is wrong

    def _place(self) -> int:
        return self.tokens[self.at].at if self.at < len(self.tokens) else len(self.text)

    def _unfit(self) -> _MisreadError:
        """The furthest word that was tried, and what would have fitted there."""
        failed = max((fit.failed for fit in self.fits), default=self.at)
        self.at = failed
        at, fits = self._place(), [fit for fit in self.fits if fit.failed == failed]
        if not self.tokens:
            return _MisreadError(0, f"The condition is empty; what fits is {_listed(fits, '')}.")
        if failed >= len(self.tokens):
            return _MisreadError(at, f"The condition ends too early; after character {at} fits {_listed(fits, '')}.")
        word = self.tokens[failed].text
        shown = word if len(word) <= SHOWN_WORD else f"{word[:SHOWN_WORD]}…"
        return _MisreadError(at, f"At character {at + 1}, “{shown}” does not fit; what fits is {_listed(fits, shown)}.")


def _listed(fits: list[Fit], instead: str) -> str:
    """What would fit, the most like what is there first."""
    found = []
    for fit in fits:
        words = fit.what.value if isinstance(fit.what, Slot) else f"“{_rest(fit.what, fit.failed - fit.begins)}”"
        if words not in found:
            found.append(words)
    if instead:
        found.sort(key=lambda words: -SequenceMatcher(None, instead.lower(), words.strip("“”")).ratio())
    if len(found) > SHOWN:
        return f"{', '.join(found[:SHOWN])} and {len(found) - SHOWN} more"
    return " or ".join(found)


def _rest(words: str, count: int) -> str:
    return " ".join(words.split()[count:])


def _tokens(text: str) -> list[Token]:
    found, at = [], 0
    while at < len(text):
        match = _TOKEN.match(text, at)
        if match is None:
            break  # blanks at the end
        begin, at = match.start(match.lastgroup or 0), match.end()
        if match.lastgroup == "quoted":
            found.append(Token(_ESCAPED.sub(r"\1", match["quoted"][1:-1]), begin, at, is_quoted=True))
        elif match["mark"] == '"':
            raise _MisreadError(begin, f"The name that begins at character {begin + 1} has no closing quote.")
        else:
            found.append(Token(match[0].strip(), begin, at, is_mark=match.lastgroup == "mark"))
    return found
