"""Cell ids: their parts, which of them name a place, and the one form in which people read and write them.

A cell id is 32 bits, 0xXXYYCCCC: landblock column (east), landblock row (north), cell. Spec: physics.md 1.3.
"""

from __future__ import annotations

from typing import Final

from engine.world.faults import WorldError

FIRST_LAND_CELL: Final = 0x0001
LAST_LAND_CELL: Final = 0x0040
FIRST_ENV_CELL: Final = 0x0100
LAST_ENV_CELL: Final = 0xFFFD
BLOCK_INFO: Final = 0xFFFE
"""Low half of the landblock's info record: never a place."""
WHOLE_BLOCK: Final = 0xFFFF
"""Low half of the landblock as a whole; as a position it means "work out the land cell"."""

HEX_DIGITS: Final = "0123456789abcdefABCDEF"


def cell_text(cell_id: int) -> str:
    """The form in which every id is shown: 0xC95B0104."""
    return f"0x{cell_id:08X}"


def block_text(cell_id: int) -> str:
    """The landblock of a cell id by its four digits: 0xC95B."""
    return f"0x{(cell_id >> 16) & 0xFFFF:04X}"


def parse_cell_id(text: str) -> int:
    """Read "0xC95B0104", any case, blanks around it allowed; the id must name a place."""
    cell_id = parse_id(text)
    if not cell_in_range(low_of(cell_id)):
        raise WorldError(
            f"{cell_text(cell_id)} is not a cell: the last four digits must be 0001 to 0040 (land cell), "
            "0100 to FFFD (room) or FFFF (the landblock)"
        )
    return cell_id


def parse_id(text: str) -> int:
    """Read any 32-bit id in its full form of eight digits, 0x0D000123."""
    stripped = text.strip()
    digits = stripped[2:]
    if stripped[:2] not in ("0x", "0X") or not digits or any(digit not in HEX_DIGITS for digit in digits):
        raise WorldError(f"{text!r} is not an id: write it as 0xA9B40143")
    if len(digits) != 8:
        raise WorldError(f"{text!r} has {len(digits)} digits; an id has eight, as 0xA9B40143")
    return int(digits, 16)


def low_of(cell_id: int) -> int:
    """The cell within its landblock: the low 16 bits."""
    return cell_id & 0xFFFF


def block_of(cell_id: int) -> int:
    """The landblock's 16 bits, XXYY."""
    return cell_id >> 16


def block_x(cell_id: int) -> int:
    """The landblock's column, counted eastwards."""
    return (cell_id >> 24) & 0xFF


def block_y(cell_id: int) -> int:
    """The landblock's row, counted northwards."""
    return (cell_id >> 16) & 0xFF


def in_block_of(cell_id: int, low: int) -> int:
    """The id of another cell, given by its low half, in the landblock of `cell_id`."""
    return (cell_id & 0xFFFF0000) | low


def landblock_id(cell_id: int) -> int:
    """The id of the landblock as a whole, 0xXXYYFFFF."""
    return cell_id | WHOLE_BLOCK


def landblock_info_id(cell_id: int) -> int:
    """The id of the landblock's info record, 0xXXYYFFFE."""
    return (cell_id & 0xFFFF0000) | BLOCK_INFO


def cell_in_range(low: int) -> bool:
    """Whether the low half names a place: a land cell, a room, or the landblock as a whole."""
    return low == WHOLE_BLOCK or FIRST_LAND_CELL <= low <= LAST_LAND_CELL or FIRST_ENV_CELL <= low <= LAST_ENV_CELL


def is_interior(cell_id: int) -> bool:
    """The client's test by the low half alone: it also holds for 0xFFFE and 0xFFFF, which name no room."""
    return (cell_id & 0xFFFF) >= FIRST_ENV_CELL


def is_land_cell(cell_id: int) -> bool:
    """Whether the id names one of the landblock's 8 x 8 land cells."""
    return FIRST_LAND_CELL <= (cell_id & 0xFFFF) <= LAST_LAND_CELL


def is_env_cell(cell_id: int) -> bool:
    """Whether the id names a room."""
    return FIRST_ENV_CELL <= (cell_id & 0xFFFF) <= LAST_ENV_CELL


def land_cell_low(cx: int, cy: int) -> int:
    """Low half of the land cell in column cx and row cy of its landblock, 0..7 each."""
    return 1 + 8 * cx + cy


def land_cell_column(cell_id: int) -> int:
    """Column 0..7 of a land cell in its landblock."""
    return ((cell_id & 0xFFFF) - 1) >> 3


def land_cell_row(cell_id: int) -> int:
    """Row 0..7 of a land cell in its landblock."""
    return ((cell_id & 0xFFFF) - 1) & 7
