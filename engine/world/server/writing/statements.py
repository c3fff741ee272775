"""INSERT statements with their places in a text: what belongs to each row, and what to cut for it to go."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator
from dataclasses import dataclass
from typing import Final

from engine.world.server import rows as tables
from engine.world.server.sql import Row, behind_blanks, inserts

Cut = tuple[int, int, str]
"""From a place to a place, with what comes there instead."""

_COMMENT: Final = re.compile(r"/\*.*?\*/|(?:--(?=[ \t\r\n]|\Z)|#)[^\n]*", re.DOTALL)
_REST_OF_LINE: Final = re.compile(r"[ \t\r]*(?:\n|\Z)")
_BLANKS: Final = " \t\r\n\f\v"


@dataclass(slots=True)
class Statement:
    """An INSERT statement, whole, from its first letter to behind its semicolon."""

    table: str
    columns: list[str]
    rows: list[Row]
    start: int
    end: int


def statements_of(text: str, file: str) -> Iterator[Statement]:
    """The statements about instances and links; raises a WorldError for a text that cannot be read whole."""
    made: Statement | None = None
    for insert in inserts(text, file, tables.BLOCK_TABLES):
        if made is not None and made.start == insert.start:
            made.rows.extend(insert.rows)
            made.end = insert.end
            continue
        if made is not None:
            yield made
        made = Statement(insert.table, insert.columns, list(insert.rows), insert.start, insert.end)
    if made is not None:
        yield made


def comments_between(text: str, start: int, end: int) -> Iterator[tuple[int, int]]:
    """The comments between two places that have nothing but blanks, comments, commas and semicolons between them."""
    at = start
    while at < end:
        comment = _COMMENT.match(text, at)
        if comment is None:
            at += 1
        else:
            yield comment.span()
            at = comment.end()


def comments_behind(text: str, row: Row) -> list[tuple[int, int]]:
    """The comments from a row to whatever comes next."""
    at = row.end
    while True:
        at = behind_blanks(text, at)
        if text[at : at + 1] not in (",", ";"):
            return list(comments_between(text, row.end, at))
        at += 1


def line_end(text: str, at: int) -> int:
    """The place behind the end of this line if nothing more is in it, otherwise `at`."""
    rest = _REST_OF_LINE.match(text, at)
    return at if rest is None else rest.end()


def unit_end(text: str, statement: Statement, own: Collection[tuple[int, int]]) -> int:
    """The place behind a statement, the comments in its last line and its `own`, and the end of that line."""
    end = statement.end
    for begin, until in comments_behind(text, statement.rows[-1]):
        is_near = "\n" not in text[end:begin]
        if begin >= end and (is_near or (begin, until) in own):
            end = until
    return line_end(text, end)


def cut_statement(text: str, statement: Statement, end: int) -> Cut:
    """Cut a statement up to `end`, with the empty line before it."""
    start = statement.start
    line = text.rfind("\n", 0, start) + 1
    if text[line:start].strip(_BLANKS) or not (end == len(text) or text[end - 1] == "\n"):
        return start, end, ""
    before = text.rfind("\n", 0, max(line - 1, 0)) + 1
    if line > 0 and not text[before:line].strip(_BLANKS):
        line = before
    return line, end, ""


def terminator(text: str, statement: Statement) -> int:
    """Where the rows have ended: at the semicolon, or at ON DUPLICATE KEY UPDATE."""
    return behind_blanks(text, statement.rows[-1].end)


def cuts_of_rows(text: str, statement: Statement, gone: Collection[int]) -> Iterator[Cut]:
    """Cut the rows of a statement that begin where one is `gone`, with their commas and comments; one row stays."""
    last = max(index for index, row in enumerate(statement.rows) if row.start not in gone)
    for index, row in enumerate(statement.rows[:last]):
        if row.start in gone:
            yield row.start, statement.rows[index + 1].start, ""
    if last == len(statement.rows) - 1:
        return
    gap, following = statement.rows[last].end, statement.rows[last + 1]
    comma = behind_blanks(text, gap)
    end = terminator(text, statement)
    if text[comma + 1 : following.start].strip(_BLANKS):  # a comment behind the comma is the kept row's
        yield comma, comma + 1, ""
        yield following.start, end, ""
    else:
        before = len(text[:comma].rstrip(_BLANKS))
        line_comment = _ends_in_line_comment(text, gap, before)
        yield (comma if line_comment else before), end, ""


def _ends_in_line_comment(text: str, start: int, end: int) -> bool:
    """Whether a semicolon right at `end` would be part of a comment."""
    return any(until == end and not text.startswith("/*", begin) for begin, until in comments_between(text, start, end))
