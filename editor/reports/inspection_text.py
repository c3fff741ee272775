"""Lays out the data of `inspection` for reading: aligned columns, vectors with three decimals, tables for lists of
dicts."""

from __future__ import annotations

import textwrap
from collections.abc import Iterator, Sequence
from typing import Any, Final

from editor.process.plain_text import visible
from editor.reports.paging import Page

WIDTH: Final = 110
INDENT: Final = "  "
NOTHING: Final = "-"


def layout(data: dict[str, Any]) -> Iterator[str]:
    """The lines of a dict: first its single values, then a block for each table, list of lines or dict in it."""
    simple = {key: value for key, value in data.items() if not is_block(value)}
    width = max((len(key) for key in simple), default=0)
    for key, value in simple.items():
        prefix = f"{key:<{width}}  "
        yield from _wrapped(prefix, value_text(value))
    for key, value in data.items():
        if not is_block(value):
            continue
        yield f"{key}{_count_text(value)}"
        yield from (INDENT + line for line in _block(value))


def _count_text(value: object) -> str:
    if isinstance(value, Page):
        return f" ({value.span()})"
    return f" ({len(value)})" if isinstance(value, list) else ""


def is_block(value: object) -> bool:
    if isinstance(value, dict):
        return any(is_block(inner) for inner in value.values()) or len(dict_text(value)) > WIDTH // 2
    return isinstance(value, list) and bool(value) and (_is_table(value) or _is_lines(value) or _has_lists(value))


def _is_table(value: Sequence[object]) -> bool:
    return all(isinstance(row, dict) for row in value)


def _is_lines(value: Sequence[object]) -> bool:
    return all(isinstance(row, str) and " " in row for row in value)


def _has_lists(value: Sequence[object]) -> bool:
    return any(isinstance(row, list | dict) for row in value)


def _block(value: Any) -> Iterator[str]:
    if isinstance(value, dict):
        yield from layout(value)
    elif not _is_table(value):
        yield from (value_text(row) for row in value)
    elif any(is_block(cell) for row in value for cell in row.values()):
        for index, row in enumerate(value):
            yield f"{index}:"
            yield from (INDENT + line for line in layout(row))
    else:
        yield from table(value)


def table(rows: Sequence[dict[str, Any]]) -> Iterator[str]:
    """A line of headings and one for each row; numbers are right-aligned."""
    headings = list(dict.fromkeys(key for row in rows for key in row))
    columns = [[value_text(row.get(heading)) for row in rows] for heading in headings]
    right = [all(_is_number(row.get(heading)) for row in rows) for heading in headings]
    widths = [max(len(text) for text in (heading, *column)) for heading, column in zip(headings, columns, strict=True)]
    for texts in (headings, *zip(*columns, strict=True)):
        cells = [f"{t:>{w}}" if r else f"{t:<{w}}" for t, w, r in zip(texts, widths, right, strict=True)]
        yield INDENT.join(cells).rstrip()


def _is_number(value: object) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool)


def value_text(value: object) -> str:
    """A value on one line."""
    if value is None or value == []:
        return NOTHING
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, float):
        return number_text(value)
    if isinstance(value, dict):
        return dict_text(value)
    if isinstance(value, list):
        texts = [value_text(part) for part in value]
        vector = all(isinstance(part, float) for part in value)
        return f"({', '.join(texts)})" if vector else ", ".join(texts)
    return visible(str(value))


def number_text(value: float) -> str:
    """Three decimals, without negative zeros."""
    text = f"{value:.3f}"
    return "0.000" if text == "-0.000" else text


def dict_text(value: dict[str, Any]) -> str:
    return ", ".join(f"{key} {value_text(part)}" for key, part in value.items()) or NOTHING


def _wrapped(prefix: str, text: str) -> Iterator[str]:
    first, *more = textwrap.wrap(text, max(WIDTH - len(prefix), 40), break_on_hyphens=False) or [NOTHING]
    yield prefix + first
    yield from (" " * len(prefix) + line for line in more)
