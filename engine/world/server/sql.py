"""Reads the SQL in which servers' worlds are kept: the INSERT statements of the tables that are asked for.

Other statements, and the rows of other tables, are skipped as wholes. Values stay as they are written, and every row
knows the characters that it was read from, so that a changed row can be written into an otherwise unchanged file.

    DELETE FROM `landblock_instance` WHERE `landblock` = 0xC95B;
    INSERT INTO `weenie` (`class_Id`, `class_Name`) VALUES (412, 'a door') /* Door */, (413, 'it\\'s another');

MySQL's texts ('it\\'s', 'it''s'), names in backquotes, and its three kinds of comments are understood. Anything that
would make a row mean something else than it seems to, such as too few values, is an error with its line.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator
from dataclasses import dataclass
from typing import Final

from engine.files.cancelling import check_cancelled
from engine.world.faults import WorldError

MAX_COLUMNS: Final = 64
MAX_ROWS: Final = 200_000
"""In one file; the largest known landblock has a few thousand."""
PIECE: Final = 1000
"""Rows that are given on at once, so that a file of short ones does not fill the memory."""

_TEXT: Final = r"""'[^'\\]*(?:(?:\\.|'')[^'\\]*)*'|"[^"\\]*(?:(?:\\.|"")[^"\\]*)*\""""
_NUMBER: Final = r"0[xX][0-9A-Fa-f]+|[+-]?(?:[0-9]+(?:\.[0-9]*)?|\.[0-9]+)(?:[eE][+-]?[0-9]+)?"
_VALUE: Final = rf"{_TEXT}|{_NUMBER}|@?[A-Za-z_][A-Za-z0-9_]*"

_values: Final = re.compile(_VALUE, re.DOTALL)
_value: Final = re.compile(rf"(?:{_VALUE})(?![0-9A-Za-z_.@])", re.DOTALL)
_row: Final = re.compile(
    rf"\([ \t\r\n]*(?:{_VALUE})[ \t\r\n]*(?:,[ \t\r\n]*(?:{_VALUE})[ \t\r\n]*){{0,{MAX_COLUMNS - 1}}}\)", re.DOTALL
)
"""A row without comments in it. Two values never stand beside each other without a comma, so this can match in one way
only."""
LAST_OF_BLANKS: Final = "/"
"""Blanks and the signs that begin comments come before all letters and digits."""
_columns: Final = re.compile(r"[ \n]*\((?:[ \n]*`[A-Za-z0-9_]{1,64}`[ \n]*,)*[ \n]*`[A-Za-z0-9_]{1,64}`[ \n]*\)")
MAX_KNOWN: Final = 200
_known: Final[dict[str, list[str]]] = {}
"""The columns of statements before, by how they are written: most are the same."""
_blank: Final = re.compile(r"[ \t\r\n\f\v]*")
_line_comment: Final = re.compile(r"(?:--(?=[ \t\r\n]|\Z)|#)[^\n]*")
_word: Final = re.compile(r"[A-Za-z_][A-Za-z0-9_]*")
_name: Final = re.compile(r"`([^`\n]{1,64})`|([A-Za-z_][A-Za-z0-9_$]{0,63})")
_plain: Final = re.compile(r"[^;'\"`#/\-]+")
_text: Final = re.compile(_TEXT, re.DOTALL)
_ESCAPE: Final = re.compile(r"\\(.)|''|\"\"", re.DOTALL)
_DECIMAL: Final = re.compile(r"[+-]?[0-9]+")
_ESCAPES: Final = {"n": "\n", "t": "\t", "r": "\r", "0": "\0", "b": "\b", "Z": "\x1a"}


@dataclass(slots=True)
class Row:
    """One row: its values as they are written, its line, and the characters from its bracket to its bracket."""

    values: list[str]
    line: int
    start: int
    end: int


@dataclass(slots=True)
class Insert:
    """An INSERT statement, or a piece of a long one: the columns as they are named, without quotes."""

    table: str
    columns: list[str]
    rows: list[Row]
    line: int
    start: int
    """The place of its first letter, the same in all pieces of a statement."""
    end: int
    """The place behind its semicolon, or behind the comma of a piece after which it goes on."""


def inserts(text: str, file: str, tables: Collection[str]) -> Iterator[Insert]:
    """The INSERT statements for these tables (names in small letters), in the order of the file.

    Raises a WorldError with the line for a text that is no SQL of this kind.
    """
    return _Reader(text, file, tables).statements()


def value_spans(text: str, row: Row) -> list[tuple[int, int]]:
    """Where the values of a row are in the text that it was read from."""
    return _Reader(text, "", (), row.start).value_spans()


def behind_blanks(text: str, at: int) -> int:
    """The place behind blanks and comments."""
    return _Reader(text, "", (), at).behind_blanks()


class _Reader:
    def __init__(self, text: str, file: str, tables: Collection[str], at: int = 0) -> None:
        self._text = text
        self._file = file
        self._tables = tables
        self._at = at
        self._line = 1
        self._counted = 0
        """The place up to which `_line` has counted."""
        self._rows = 0

    def statements(self) -> Iterator[Insert]:
        text = self._text
        while True:
            check_cancelled()
            self._skip_blank()
            if self._at >= len(text):
                return
            if text[self._at] == ";":
                self._at += 1
                continue
            word = _word.match(text, self._at)
            if word is None:
                raise self._error(f"holds {_shown(text, self._at)} where a statement should begin")
            if word[0].upper() in ("INSERT", "REPLACE"):
                yield from self._insert(word.end())
            else:
                self._skip_statement()

    def _insert(self, at: int) -> Iterator[Insert]:
        start, line = self._at, self._line_at(self._at)
        self._at = at
        word = self._word()
        if word == "IGNORE":
            word = self._word()
        if word != "INTO":
            raise self._error("has an INSERT without INTO")
        table = self._name("a table").lower()
        if table not in self._tables:
            self._skip_statement()
            return
        columns = self._columns()
        if self._word() not in ("VALUES", "VALUE"):
            raise self._error(f"has an INSERT into {table} without VALUES")
        rows: list[Row] = []
        while True:
            rows.append(self._one_row(table, len(columns)))
            self._skip_blank()
            sign = self._text[self._at : self._at + 1]
            if sign == ",":
                self._at += 1
                if len(rows) == PIECE:
                    yield Insert(table, columns, rows, line, start, self._at)
                    rows = []
            elif sign == ";":
                self._at += 1
                yield Insert(table, columns, rows, line, start, self._at)
                return
            elif self._is_word("ON"):  # ON DUPLICATE KEY UPDATE: the same rows
                self._skip_statement()
                yield Insert(table, columns, rows, line, start, self._at)
                return
            else:
                found = f"{_shown(self._text, self._at)} stands" if sign else "the file ends"
                raise self._error(f"{found} where an INSERT into {table} should go on or end")

    def _columns(self) -> list[str]:
        plain = _columns.match(self._text, self._at)
        if plain is not None:
            known = _known.get(plain[0])
            if known is not None:
                self._at = plain.end()
                return known
        columns = self._new_columns()
        if plain is not None and len(_known) < MAX_KNOWN:
            _known[plain[0]] = columns
        return columns

    def _new_columns(self) -> list[str]:
        self._skip_blank()
        self._sign("(", "the columns of an INSERT")
        columns: list[str] = []
        while True:
            columns.append(self._name("a column"))
            if len(columns) > MAX_COLUMNS:
                raise self._error(f"has more than {MAX_COLUMNS} columns")
            self._skip_blank()
            if self._text[self._at : self._at + 1] == ")":
                self._at += 1
                break
            self._sign(",", "the next column")
        names = [column.lower() for column in columns]
        if len(set(names)) < len(names):
            raise self._error("names a column twice")
        return columns

    def _one_row(self, table: str, count: int) -> Row:
        self._skip_blank()
        start, text = self._at, self._text
        found = _row.match(text, start)
        if found is not None:
            values = _values.findall(text, start, found.end())
            self._at = found.end()
        else:
            values = [text[begin:end] for begin, end in self.value_spans()]
        line = self._line_at(start)
        if len(values) != count:
            raise self._error(f"has a row of {table} with {len(values)} values for {count} columns", line)
        self._rows += 1
        if self._rows > MAX_ROWS:
            raise self._error(f"has more than {MAX_ROWS:,} rows", line)
        if not self._rows & 0x3FF:
            check_cancelled()
        return Row(values, line, start, self._at)

    def value_spans(self) -> list[tuple[int, int]]:
        """Read a row with comments in it; returns where its values are."""
        self._sign("(", "a row")
        values: list[tuple[int, int]] = []
        while True:
            self._skip_blank()
            value = _value.match(self._text, self._at)
            if value is None:
                raise self._no_value()
            if len(values) == MAX_COLUMNS:
                raise self._error(f"has a row of more than {MAX_COLUMNS} values")
            values.append(value.span())
            self._at = value.end()
            self._skip_blank()
            if self._text[self._at : self._at + 1] == ")":
                self._at += 1
                return values
            self._sign(",", "the next value")

    def _no_value(self) -> WorldError:
        sign = self._text[self._at : self._at + 1]
        if sign in ("'", '"') and _text.match(self._text, self._at) is None:
            return self._error("has a text that does not end")
        return self._error(f"holds {_shown(self._text, self._at)} where a value should be")

    # --- pieces

    def _word(self) -> str:
        self._skip_blank()
        word = _word.match(self._text, self._at)
        if word is None:
            return ""
        self._at = word.end()
        return word[0].upper()

    def _is_word(self, word: str) -> bool:
        found = _word.match(self._text, self._at)
        return found is not None and found[0].upper() == word

    def _name(self, what: str) -> str:
        """A name; of one with the database before a dot, the last part."""
        while True:
            self._skip_blank()
            name = _name.match(self._text, self._at)
            if name is None:
                raise self._error(f"holds {_shown(self._text, self._at)} where the name of {what} should be")
            self._at = name.end()
            self._skip_blank()
            if self._text[self._at : self._at + 1] != ".":
                return name[1] or name[2]
            self._at += 1

    def _sign(self, sign: str, what: str) -> None:
        if self._text[self._at : self._at + 1] != sign:
            raise self._error(f"holds {_shown(self._text, self._at)} where {what} should follow with {sign!r}")
        self._at += 1

    def behind_blanks(self) -> int:
        self._skip_blank()
        return self._at

    def _skip_blank(self) -> None:
        """Skip blanks and comments. A comment in a comment is none, as in MySQL."""
        text = self._text
        while text[self._at : self._at + 1] <= LAST_OF_BLANKS:
            blank = _blank.match(text, self._at)
            if blank is not None:
                self._at = blank.end()
            if text.startswith("/*", self._at):
                end = text.find("*/", self._at + 2)
                if end < 0:
                    raise self._error("has a comment that does not end")
                self._at = end + 2
                continue
            comment = _line_comment.match(text, self._at)
            if comment is None:
                return
            self._at = comment.end()

    def _skip_statement(self) -> None:
        """Skip to behind the semicolon that ends the statement; one in a text or comment does not."""
        text = self._text
        while self._at < len(text):
            plain = _plain.match(text, self._at)
            if plain is not None:
                self._at = plain.end()
                continue
            sign = text[self._at]
            if sign == ";":
                self._at += 1
                return
            if sign in ("'", '"'):
                quoted = _text.match(text, self._at)
                if quoted is None:
                    raise self._error("has a text that does not end")
                self._at = quoted.end()
            elif sign == "`":
                end = text.find("`", self._at + 1)
                if end < 0:
                    raise self._error("has a name that does not end")
                self._at = end + 1
            else:
                before = self._at
                self._skip_blank()
                if self._at == before:  # a sign of its own: a minus, a division
                    self._at += 1

    def _line_at(self, at: int) -> int:
        if at >= self._counted:
            self._line += self._text.count("\n", self._counted, at)
            self._counted = at
            return self._line
        return self._line - self._text.count("\n", at, self._counted)

    def _error(self, reason: str, line: int = 0) -> WorldError:
        return WorldError(reason, self._file, f"line {line or self._line_at(self._at)}")


def _shown(text: str, at: int) -> str:
    """The next few characters, for a sentence."""
    return repr(text[at : at + 20]) if at < len(text) else "nothing more"


# --- what values mean


class ValueProblem(ValueError):  # noqa: N818  # never leaves this package: it becomes a fault with file and line
    """A value that does not mean what its column wants; a clause that follows the column's name."""


def whole_value(written: str) -> int:
    """A whole number, in decimal or hexadecimal digits; false is 0 and true is 1."""
    if written[:1].isalpha():
        return int(truth_value(written))
    is_hexadecimal = written[:2] in ("0x", "0X")
    if len(written) <= 20 and (is_hexadecimal or _DECIMAL.fullmatch(written)):
        return int(written, 16 if is_hexadecimal else 10)
    raise ValueProblem(f"is {written[:40]}, no whole number")


def real_value(written: str) -> float:
    """A number."""
    problem = ValueProblem(f"is {written[:40]}, no number")
    if written[:1] in ("'", '"') or len(written) > 400:
        raise problem
    try:
        return float(int(written, 16)) if written[:2] in ("0x", "0X") else float(written)
    except (ValueError, OverflowError) as error:
        raise problem from error


def truth_value(written: str) -> bool:
    """True or False, or a bit as a number."""
    word = written.upper()
    if word in ("TRUE", "1", "0X1", "0X01"):
        return True
    if word in ("FALSE", "0", "0X0", "0X00"):
        return False
    raise ValueProblem(f"is {written[:40]}, neither True nor False")


def text_value(written: str) -> str:
    """A text without its quotes, with what its escapes stand for; anything else as it is written."""
    if written[:1] not in ("'", '"'):
        return written
    inner = written[1:-1]
    quote = written[0]
    if "\\" not in inner and quote not in inner:
        return inner
    return _ESCAPE.sub(lambda found: _unescaped(found, quote), inner)


def _unescaped(found: re.Match[str], quote: str) -> str:
    sign = found[1]
    if sign is None:
        return quote if found[0][0] == quote else found[0]
    return _ESCAPES.get(sign, str(sign))


def is_null(written: str) -> bool:
    return written.upper() == "NULL"
