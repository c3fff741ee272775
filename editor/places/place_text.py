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

_ID: Final = re.compile(r"\b(?:0[xX][0-9a-zA-Z]+|[0-9a-fA-F]{8})(?!\w)")
_NUMBER: Final = re.compile(r"[+-]?(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d+)?")
_BETWEEN: Final = re.compile(r"[\s,;\[\]()]+")
_AROUND: Final = " \t\r\n\"'`<>.,;()"
_DEGREES: Final = r"(\d{1,3}(?:[.,]\d+)?)\s*"
_ON_MAP: Final = (
    re.compile(rf"(?<![\w.]){_DEGREES}([nNsS])[\s,;/]*{_DEGREES}([eEwW])(?!\w)"),
    re.compile(rf"(?<![\w.]){_DEGREES}([eEwW])[\s,;/]*{_DEGREES}([nNsS])(?!\w)"),
)


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
    """The map's coordinates of a point of a landblock: 42.1N 33.6E."""
    east = (block_x(cell_id) * BLOCK_LENGTH + x) / DEGREE - MIDDLE
    north = (block_y(cell_id) * BLOCK_LENGTH + y) / DEGREE - MIDDLE
    return f"{_degrees(north, 'N', 'S')} {_degrees(east, 'E', 'W')}"


def _degrees(value: float, ahead: str, back: str) -> str:
    text = f"{abs(value):.1f}"
    return text + (ahead if value >= 0.0 or text == "0.0" else back)


def seems_place(text: str) -> bool:
    """Whether a text is meant as a place, though perhaps not written as one: an id with more behind it, or coordinates
    of the map."""
    return _has_more_than_id(text) or any(form.search(text) for form in _ON_MAP)


def _has_more_than_id(text: str) -> bool:
    found = _ID.search(text)
    return found is not None and bool(text[found.end() :].strip(_AROUND))


def read_place(text: str) -> WrittenPlace:
    """The place that a text says; a WorldError with one sentence when it says none."""
    stripped = text.strip(_AROUND)
    if _has_more_than_id(stripped):
        return _read_full(stripped)
    for form in _ON_MAP:
        found = form.search(stripped)
        if found is not None:
            ahead, sign, aside, side = found.groups()
            if sign in "eEwW":
                ahead, sign, aside, side = aside, side, ahead, sign
            return _on_map(found[0], _signed(ahead, sign in "sS"), _signed(aside, side in "wW"))
    raise WorldError(f"{_short(text)} is not a place: {FORMS}")


def _read_full(text: str) -> WrittenPlace:
    found = _ID.search(text)
    assert found is not None  # checked by the caller
    digits = found[0] if found[0][:2] in ("0x", "0X") else f"0x{found[0]}"
    cell_id = parse_cell_id(digits)
    after = text[found.end() :]
    for form in _ON_MAP:  # some tools write both
        after = form.sub(" ", after)
    words = [word for word in _BETWEEN.split(after) if word]
    numbers = [_number(word) for word in words]
    if len(numbers) not in NUMBERS:
        count = len(numbers)
        raise WorldError(f"{_short(text)} has {count} numbers after its cell; a place has three, or seven with a turn")
    x, y, z = numbers[:3]
    return WrittenPlace(cell_id, x, y, z, _turn(numbers[3:]))


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


def _signed(text: str, is_negative: bool) -> float:
    value = float(text.replace(",", "."))
    return -value if is_negative else value


def _on_map(text: str, north: float, east: float) -> WrittenPlace:
    lengths = [round((value + MIDDLE) * DEGREE, 3) for value in (east, north)]
    if not all(0.0 <= length < LAND_LENGTH * DEGREE / 10.0 for length in lengths):
        raise WorldError(f"{text} is not on the map, which ends at 102.0 in every direction")
    (column, x), (row, y) = (divmod(length, BLOCK_LENGTH) for length in lengths)
    low = land_cell_low(math.floor(x * 10.0 / DEGREE), math.floor(y * 10.0 / DEGREE))
    cell_id = int(column) << 24 | int(row) << 16 | low
    assert is_land_cell(cell_id)
    return WrittenPlace(cell_id, x, y)


def _short(text: str) -> str:
    return f"“{plain(text.strip(), LONGEST_TITLE)}”"
