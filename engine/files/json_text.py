"""Parses untrusted JSON in bounded memory.

Three bytes can become a list of 56 bytes, so the parser counts the objects, lists, strings and values that a text can
produce before it builds any. It refuses a text that would take too much memory for its size.
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
"""The limit in bytes for small texts; larger ones may take GROWTH times their size."""
SMALL_COST: Final = 240 * MB
GROWTH: Final = 9
"""The share that text and parsed values may take of the twelvefold allowed for opening a file; a world's
`entities.json` as this program writes it needs 6, a list of points 7."""

# Bytes in 64-bit CPython 3.10 to 3.14, including the allocator's overhead; an entry includes its place in the list.
_OBJECT: Final = 200
_LIST: Final = 72
_VALUE: Final = 40
_TEXT: Final = 56
_NAME: Final = 130
"""Bytes of a name that occurs only once, and of its place in an object with many."""
MANY_NAMES: Final = 10_000
_MEMBER: Final = re.compile(rb'"((?:[^"\\]|\\.){0,200})"\s*:', re.DOTALL)
_WIDEST: Final = (b"\xf0", b"\xf1", b"\xf2", b"\xf3", b"\xf4")
"""The first bytes of four-byte characters in UTF-8; one such character widens all characters of its string to four
bytes."""


Parser = Callable[[str], Any] | None


def json_value(text: bytes, file: str, parse_int: Parser = None, parse_constant: Parser = None) -> object:
    """Parse a text; raise FileError when it is not JSON or would take too much memory."""
    check_cost(text, file)
    check_cancelled()
    try:
        return json.loads(text, parse_int=parse_int, parse_constant=parse_constant)
    except json.JSONDecodeError as error:
        what = error.msg.removesuffix(" at")
        raise FileError(f"is not JSON: {what} at line {error.lineno}, column {error.colno}", file) from error
    except RecursionError as error:
        raise FileError("is nested too deeply", file) from error
    except ValueError as error:  # bytes that are not UTF-8, numbers of thousands of digits
        raise FileError(f"is not JSON: {error}", file) from error


def check_cost(text: bytes, file: str) -> None:
    """Raise FileError if the text would take too much memory for its size."""
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
    """An upper limit for the memory, in bytes, of the text and its values, estimated from the characters in it. It
    assumes few distinct member names: each is stored once."""
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
    """Bytes per character: 1 for ASCII, 4 with any character beyond the basic plane, otherwise 2."""
    if text.isascii():
        return 1
    return 4 if any(lead in text for lead in _WIDEST) else 2
