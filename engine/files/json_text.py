"""Parses untrusted JSON in bounded memory.

Three bytes can become a list of 56, so the number of objects, lists, strings and values that a text can produce is
counted before anything is built. A text that would take too much memory for its size is refused.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from typing import Any, Final

from engine.files.cancelling import check_cancelled
from engine.files.errors import FileError
from engine.files.kinds import MB

SMALL: Final = 5 * MB
"""Up to this size a text may take SMALL_COST, beyond it GROWTH times its size."""
SMALL_COST: Final = 240 * MB
GROWTH: Final = 9
"""The share of the twelvefold that opening a file may take, for its text and parsed values; a world's `entities.json`
as this program writes it needs 6, a list of points 7."""

# Bytes of CPython 3.10 to 3.14 on 64 bits, with what the allocator adds; an entry counts the place in its list as well.
_OBJECT: Final = 200
_LIST: Final = 72
_VALUE: Final = 40
_TEXT: Final = 56
_NAME: Final = 130
"""A name that is found nowhere else, and its place in an object with many."""
MANY_NAMES: Final = 10_000
_MEMBER: Final = re.compile(rb'"((?:[^"\\]|\\.){0,200})"\s*:', re.DOTALL)
_WIDEST: Final = (b"\xf0", b"\xf1", b"\xf2", b"\xf3", b"\xf4")
"""The first bytes of a four-byte character in UTF-8; one of them makes every character of the string take four."""


Parser = Callable[[str], Any] | None


def json_value(text: bytes, file: str, parse_int: Parser = None, parse_constant: Parser = None) -> object:
    """Parse a text; raise FileError when it is not JSON or would take too much memory."""
    check_cost(text, file)
    check_cancelled()
    try:
        return json.loads(text, parse_int=parse_int, parse_constant=parse_constant)
    except json.JSONDecodeError as error:
        raise FileError(f"is no JSON: {error.msg} at line {error.lineno}, column {error.colno}", file) from error
    except RecursionError as error:
        raise FileError("is nested too deeply", file) from error
    except ValueError as error:  # bytes that are not UTF-8, numbers of thousands of digits
        raise FileError(f"is no JSON: {error}", file) from error


def check_cost(text: bytes, file: str) -> None:
    """Refuse what would take too much memory for its size."""
    size = len(text)
    allowed = SMALL_COST if size < SMALL else GROWTH * size
    cost = cost_of(text)
    if cost + text.count(b":") * _NAME > allowed and _has_many_names(text):
        cost += text.count(b":") * _NAME
    if cost > allowed:
        memory = f"{cost // MB:,} MB of memory; at most {allowed // MB:,} MB are given to it"
        reason = f"has {size:,} bytes of JSON with so many values that they would take {memory}"
        raise FileError(reason, file)


def cost_of(text: bytes) -> int:
    """Bytes of memory that the text and its values take at most, by the signs in it, if the names of members are few:
    each is kept once."""
    members = text.count(b":")
    texts = max(text.count(b'"') // 2 - members, 0)
    made = text.count(b"{") * _OBJECT + text.count(b"[") * _LIST + text.count(b",") * _VALUE + texts * _TEXT
    return made + members * _VALUE // 2 + len(text) * (1 + _width(text))


def _has_many_names(text: bytes) -> bool:
    names: set[bytes] = set()
    for name in _MEMBER.finditer(text):
        names.add(name[1])
        if len(names) > MANY_NAMES:
            return True
    return False


def _width(text: bytes) -> int:
    """Bytes that each character takes once one of them is wide; 2 or 4 with any beyond Latin-1."""
    if text.isascii():
        return 1
    return 4 if any(lead in text for lead in _WIDEST) else 2
