"""Completion in the console: names, attributes, keys of dictionaries such as names of doors, and signatures.

Only names, attributes and constant keys are looked up to complete what is typed; nothing is called.
"""

from __future__ import annotations

import ast
import builtins
import inspect
import keyword
import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from itertools import islice
from typing import Final

from editor.scripting.things import Things

MOST: Final = 500
MOST_THINGS: Final = 5_000
"""Doors, entities or keys whose names are looked at."""
LONGEST_LINE: Final = 10_000
_WORD: Final = re.compile(r"[^\W\d]\w*$|$")
_KEY: Final = re.compile(r"""\[\s*(?P<key>(?P<quote>["'])[^"'\\\n]*)$""")
_PAIRS: Final = {")": "(", "]": "[", "}": "{"}


@dataclass(frozen=True)
class Completions:
    """What could stand there: `words` replace the text from `start` on."""

    start: int
    words: tuple[str, ...] = ()

    @property
    def common(self) -> str:
        """The beginning that all words share."""
        first, last = min(self.words, default=""), max(self.words, default="")
        same = next((i for i, (one, other) in enumerate(zip(first, last, strict=False)) if one != other), len(first))
        return first[:same]


def completions(text: str, namespace: Mapping[str, object]) -> Completions:
    """The completions of the last word of what was typed so far."""
    text = text[-LONGEST_LINE:] if len(text) <= LONGEST_LINE else ""
    key = _KEY.search(text)
    if key is not None and (owner := expression_before(text[: key.start()])):
        return Completions(key.start("key"), _keys_of(owner, key["key"], key["quote"], namespace))
    found = _WORD.search(text)
    assert found is not None
    word, before = found[0], text[: found.start()]
    if before.rstrip().endswith("."):
        owner = expression_before(before.rstrip()[:-1])
        return Completions(found.start(), _attributes_of(owner, word, namespace) if owner else ())
    if not word or _is_in_text(before):
        return Completions(len(text))
    names = [*namespace, *dir(builtins), *keyword.kwlist, *_parameters(before, namespace)]
    return Completions(found.start(), _chosen(names, word))


def signature(text: str, namespace: Mapping[str, object]) -> str:
    """How the function is called whose arguments are being typed, with the first line of its docstring; "" for none."""
    called = _called(text)
    if not called:
        return ""
    function = _value(called, namespace)
    if not callable(function):
        return ""
    try:
        parameters = str(inspect.signature(function))
    except (ValueError, TypeError):
        parameters = "(…)"
    about = (inspect.getdoc(function) or "").partition("\n")[0]
    return f"{called}{parameters}" + (f"\n{about}" if about else "")


def expression_before(text: str) -> str:
    """The chain of names, attributes and subscripts that a text ends with."""
    at = len(text)
    while at > 0:
        last = text[at - 1]
        if last in "])}":
            at = _opening(text, at - 1)
            if at < 0:
                return ""
        elif last.isalnum() or last in "_.":
            at -= 1
        else:
            break
    return text[at:].strip()


def _opening(text: str, closing: int) -> int:
    """The place of the bracket that one at `closing` closes; -1 for none. Brackets in strings do not count."""
    depth, quote = 0, ""
    for at in range(closing, -1, -1):
        sign = text[at]
        if quote:
            quote = "" if sign == quote else quote
        elif sign in "\"'":
            quote = sign
        elif sign in _PAIRS:
            depth += 1
        elif sign in _PAIRS.values():
            depth -= 1
            if not depth:
                return at
    return -1


def _called(text: str) -> str:
    """The expression before the innermost bracket that is still open, if it is one of a call."""
    open_at: list[int] = []
    quote = ""
    for at, sign in enumerate(text[-LONGEST_LINE:]):
        if quote:
            quote = "" if sign == quote else quote
        elif sign in "\"'":
            quote = sign
        elif sign in "([{":
            open_at.append(at)
        elif sign in _PAIRS and open_at:
            open_at.pop()
    if not open_at or text[-LONGEST_LINE:][open_at[-1]] != "(":
        return ""
    return expression_before(text[-LONGEST_LINE:][: open_at[-1]])


def _is_in_text(before: str) -> bool:
    """Whether a string is open at the end."""
    quote = ""
    for sign in before.rpartition("\n")[2]:
        if quote:
            quote = "" if sign == quote else quote
        elif sign in "\"'":
            quote = sign
        elif sign == "#":
            return True
    return bool(quote)


def _value(expression: str, namespace: Mapping[str, object]) -> object | None:
    """What a chain of names, attributes and constant subscripts leads to; None when it leads nowhere."""
    try:
        return _reached(ast.parse(expression, mode="eval").body, namespace)
    except Exception:  # noqa: BLE001 - a property or a mapping of whoever wrote it may raise anything
        return None


def _reached(node: ast.expr, namespace: Mapping[str, object]) -> object:
    if isinstance(node, ast.Name):
        return namespace[node.id] if node.id in namespace else getattr(builtins, node.id)
    if isinstance(node, ast.Attribute):
        return getattr(_reached(node.value, namespace), node.attr)
    if isinstance(node, ast.Subscript):
        return _reached(node.value, namespace)[_reached(node.slice, namespace)]  # type: ignore[index]
    if isinstance(node, ast.Constant):
        return node.value
    if isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.USub) and isinstance(node.operand, ast.Constant):
        return -node.operand.value  # type: ignore[operator]
    raise LookupError("something that would have to run")


def _attributes_of(owner: str, word: str, namespace: Mapping[str, object]) -> tuple[str, ...]:
    value = _value(owner, namespace)
    try:
        return () if value is None else _chosen(dir(value), word)
    except Exception:  # noqa: BLE001 - a `__dir__` of whoever wrote it
        return ()


def _keys_of(owner: str, begun: str, quote: str, namespace: Mapping[str, object]) -> tuple[str, ...]:
    """The keys as they are written after the bracket, with their quotes."""
    value = _value(owner, namespace)
    try:
        if isinstance(value, Things):
            keys = [thing.name for thing in islice(value, MOST_THINGS)]
        elif isinstance(value, Mapping):
            keys = [key for key in islice(value, MOST_THINGS) if isinstance(key, str)]
        else:
            return ()
    except Exception:  # noqa: BLE001 - a mapping of whoever wrote it
        return ()
    found = [f"{_quoted(key, quote)}]" for key in keys if key.lower().startswith(begun[1:].lower())]
    return tuple(dict.fromkeys(found))[:MOST]


def _quoted(key: str, quote: str) -> str:
    """The key as Python reads it, in these quotes where it can be."""
    return f"{quote}{key}{quote}" if key.isprintable() and quote not in key and "\\" not in key else repr(key)


def _parameters(before: str, namespace: Mapping[str, object]) -> list[str]:
    """The names of arguments of the function that is called there."""
    called = _called(before)
    function = _value(called, namespace) if called else None
    try:
        return [f"{name}=" for name in inspect.signature(function).parameters] if callable(function) else []
    except (ValueError, TypeError):
        return []


def _chosen(names: Iterable[str], word: str) -> tuple[str, ...]:
    """Names that begin like this, without private ones unless those are meant; else those that do so in any case."""
    public = [name for name in dict.fromkeys(names) if word.startswith("_") or not name.startswith("_")]
    found = [name for name in public if name.startswith(word)]
    found = found or [name for name in public if name.lower().startswith(word.lower())]
    return tuple(sorted(found, key=str.lower))[:MOST]
