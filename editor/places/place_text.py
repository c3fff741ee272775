"""Places as players exchange them: read from any of their forms, and written in the client's own.

    0xA9B40170 [84.102898 131.542007 66.000000] -0.707107 0.000000 0.000000 -0.707107      what /loc answers
    @teleloc 0xA9B40170 84.1, 131.5, 66                                                    what a server is told
    42.1N, 33.6E                                                                           what the map shows

The first two may stand in the middle of a sentence. The three numbers are the origin in the cell's landblock, the four
a quaternion, w first; one number instead of the four is a compass heading, as our own scripts have it.
"""

from __future__ import annotations

import math
import re
from dataclasses import dataclass
from typing import Final

from editor.process.plain_text import LONGEST_TITLE, plain
from engine.geometry.constants import BLOCK_LENGTH, LAND_LENGTH
from engine.geometry.frame import Frame
from engine.geometry.quat import Quat, from_heading, normalize, quat_length
from engine.geometry.vec import ZERO, Vec3
from engine.world.cells.ids import block_x, block_y, cell_text, is_land_cell, land_cell_low, parse_cell_id
from engine.world.cells.landdefs import MAP_LENGTH
from engine.world.faults import WorldError

DEGREE: Final = 240.0
"""Metres in one degree of the map's coordinates: a tenth is a land cell of 24 m."""

MIDDLE: Final = 101.95
"""Degrees from the map's south-west corner to 0N 0E, which is the middle of land cell 1019 of 2040: the middle of every
land cell has whole tenths, as the community's tools and servers count them. The reference is silent."""

FORMS: Final = "write 0xA9B40170 [84.1 131.5 66.0], or map coordinates such as 42.1N 33.6E"
NUMBERS: Final = (3, 4, 7)
"""How many may follow the cell: the origin alone, with a heading, with a quaternion."""
LENGTH_OF_TURN: Final = (0.99, 1.01)
"""What six decimals can make of a quaternion's length of 1, and more."""

LONGEST: Final = 4096
"""Characters of a text that are looked at: a clipboard may hold a whole book."""

_ID: Final = re.compile(r"\b(?:0[xX][0-9a-zA-Z]+|[0-9a-fA-F]{8})(?!\w)")
_NUMBER: Final = re.compile(r"[+-]?(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d+)?")
_BETWEEN: Final = re.compile(r"[\s,;\[\](){}]+")
_AROUND: Final = " \t\r\n\"'`<>.,;()"
_ORIGIN: Final = re.compile(r"[\s,;:]*[\[({]([^\[({})\]]*)[\])}]")
"""What stands in brackets right after the id."""
_DEGREES: Final = r"(\d{1,3}(?:[.,]\d+)?)\s*(?:°\s*)?"
_NORTH: Final = r"([nNsS])"
_EAST: Final = r"([eEwW])"
_THEN: Final = r"(?:[\s,;/]|(?<=\s)[-–](?=\s))*"
_ALONE: Final = r"(?<![\w.\-])(?<!\d,)"
_ON_MAP: Final = tuple(
    re.compile(rf"{_ALONE}{first}{_THEN}{second}(?!\w)")
    for first, second in (
        (_DEGREES + _NORTH, _DEGREES + _EAST),
        (_DEGREES + _EAST, _DEGREES + _NORTH),
        (rf"{_NORTH}\s*{_DEGREES}", rf"{_EAST}\s*{_DEGREES}"),
        (rf"{_EAST}\s*{_DEGREES}", rf"{_NORTH}\s*{_DEGREES}"),
    )
)
_NO_NUMBERS: Final = ("nan", "inf", "infinity")
_MINUS: Final = str.maketrans("\N{MINUS SIGN}", "-")


@dataclass(frozen=True)
class WrittenPlace:
    """A place as it was written: the origin of whoever stands there, in the landblock of the cell.

    `z` is None for a place on the map, which is on the ground; `rotation` is None where none was written.
    """

    cell_id: int
    x: float
    y: float
    z: float | None = None
    rotation: Quat | None = None

    @property
    def heading(self) -> float | None:
        return None if self.rotation is None else Frame(ZERO, normalize(self.rotation)).heading()

    @property
    def text(self) -> str:
        """The place in the client's form, or by its coordinates on the map."""
        if self.z is None:
            return map_text(self.cell_id, self.x, self.y)
        return _written(self.cell_id, (self.x, self.y, self.z), self.rotation)

    @property
    def short(self) -> str:
        """The same without the direction, for a line that has more to say."""
        return self.text if self.z is None else _written(self.cell_id, (self.x, self.y, self.z), None)


def place_text(cell_id: int, frame: Frame) -> str:
    """A place as the client writes it, with its direction."""
    return _written(cell_id, frame.origin, frame.rotation)


def _written(cell_id: int, origin: Vec3, rotation: Quat | None) -> str:
    turn = "" if rotation is None else f" {' '.join(map(_decimal, rotation))}"
    return f"{cell_text(cell_id)} [{' '.join(map(_decimal, origin))}]{turn}"


def _decimal(value: float) -> str:
    text = f"{value:.6f}"
    return "0.000000" if text == "-0.000000" else text


def map_text(cell_id: int, x: float, y: float) -> str:
    """The map's coordinates of a point of a landblock, those of its land cell: 42.1N 33.6E."""
    tenth, corner = DEGREE / 10.0, MIDDLE - 0.05
    east = math.floor((block_x(cell_id) * BLOCK_LENGTH + x) / tenth) / 10.0 - corner
    north = math.floor((block_y(cell_id) * BLOCK_LENGTH + y) / tenth) / 10.0 - corner
    return f"{_degrees(north, 'N', 'S')} {_degrees(east, 'E', 'W')}"


def _degrees(value: float, ahead: str, back: str) -> str:
    text = f"{abs(value):.1f}"
    return text + (ahead if value >= 0.0 or text == "0.0" else back)


def seems_place(text: str) -> bool:
    """Whether a text is meant as a place, though perhaps not written as one: an id with more behind it, or coordinates
    of the map."""
    begin = text[:LONGEST]
    return _has_more_than_id(begin) or any(form.search(begin) for form in _ON_MAP)


def _has_more_than_id(text: str) -> bool:
    found = _ID.search(text)
    return found is not None and bool(text[found.end() :].strip(_AROUND))


def read_place(text: str) -> WrittenPlace:
    """The place that a text says; a WorldError with one sentence when it says none."""
    stripped = text[:LONGEST].translate(_MINUS).strip(_AROUND)
    if _has_more_than_id(stripped):
        return _read_full(stripped)
    for form in _ON_MAP:
        found = form.search(stripped)
        if found is not None:
            first, second = _degrees_of(found[1], found[2]), _degrees_of(found[3], found[4])
            is_north_first = (found[1] + found[2])[0 if found[1].isalpha() else -1] in "nNsS"
            north, east = (first, second) if is_north_first else (second, first)
            return _on_map(found[0], north, east)
    raise WorldError(f"{_short(text)} is not a place: {FORMS}")


def _read_full(text: str) -> WrittenPlace:
    found = _ID.search(text)
    assert found is not None  # checked by the caller
    digits = found[0] if found[0][:2] in ("0x", "0X") else f"0x{found[0]}"
    cell_id = parse_cell_id(digits)
    after = text[found.end() :]
    for form in _ON_MAP:  # some tools write both
        after = form.sub(" ", after)
    origin = _ORIGIN.match(after)
    numbers = [] if origin is None else _origin(text, origin[1])
    more, behind = _leading_numbers(after.lstrip(" :") if origin is None else after[origin.end() :])
    numbers += more
    if behind and (not numbers or _is_garbled(behind)):
        raise WorldError(f"{_short(behind)} is not a number: {FORMS}")
    if len(numbers) not in NUMBERS:
        count = len(numbers)
        raise WorldError(f"{_short(text)} has {count} numbers after its cell; a place has three, or seven with a turn")
    x, y, z = numbers[:3]
    return WrittenPlace(cell_id, x, y, z, _turn(numbers[3:]))


def _origin(text: str, inside: str) -> list[float]:
    """The three numbers between brackets. A decimal comma would make more of them."""
    numbers = [_number(word) for word in _BETWEEN.split(inside) if word]
    if len(numbers) != 3:
        raise WorldError(f"{_short(text)} has {len(numbers)} numbers between its brackets; a place has three")
    return numbers


def _leading_numbers(text: str) -> tuple[list[float], str]:
    """The numbers with which a text begins, and the first word that is none."""
    numbers: list[float] = []
    for word in _BETWEEN.split(text):
        if word and _NUMBER.fullmatch(word) is None:
            return numbers, word
        if word:
            numbers.append(_number(word))
    return numbers, ""


def _is_garbled(word: str) -> bool:
    """Whether a word behind a place was meant as one of its numbers; the rest of a sentence or of a log is not."""
    return word.lower().lstrip("+-") in _NO_NUMBERS or (":" not in word and any(map(str.isdigit, word)))


def _turn(numbers: list[float]) -> Quat | None:
    if not numbers:
        return None
    if len(numbers) == 1:
        return from_heading(numbers[0])
    w, x, y, z = numbers
    turn = (w, x, y, z)
    low, high = LENGTH_OF_TURN
    if not low <= quat_length(turn) <= high:
        raise WorldError(f"{w:g} {x:g} {y:g} {z:g} is not a direction: the length of a quaternion is 1")
    return turn


def _number(word: str) -> float:
    if _NUMBER.fullmatch(word) is None:
        raise WorldError(f"{_short(word)} is not a number: {FORMS}")
    value = float(word)
    if not -MAP_LENGTH < value < MAP_LENGTH:
        raise WorldError(f"{_short(word)} is farther away than the map is wide, {MAP_LENGTH:,.0f} m")
    return value


def _degrees_of(first: str, second: str) -> float:
    """The signed value of degrees with the letter before or behind."""
    number, letter = (second, first) if first.isalpha() else (first, second)
    value = float(number.replace(",", "."))
    return -value if letter in "sSwW" else value


def _on_map(text: str, north: float, east: float) -> WrittenPlace:
    lengths = [round((value + MIDDLE) * DEGREE, 3) for value in (east, north)]
    if not all(0.0 <= length < LAND_LENGTH * DEGREE / 10.0 for length in lengths):
        raise WorldError(f"{text} is not on the map, which ends at 102.0N, 102.0E, 101.9S and 101.9W")
    (column, x), (row, y) = (divmod(length, BLOCK_LENGTH) for length in lengths)
    low = land_cell_low(math.floor(x * 10.0 / DEGREE), math.floor(y * 10.0 / DEGREE))
    cell_id = int(column) << 24 | int(row) << 16 | low
    assert is_land_cell(cell_id)
    return WrittenPlace(cell_id, x, y)


def _short(text: str) -> str:
    return f"“{plain(text.strip(), LONGEST_TITLE)}”"
