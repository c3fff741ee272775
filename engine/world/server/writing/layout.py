"""The layout in which servers' tools write landblocks.

    DELETE FROM `landblock_instance` WHERE `landblock` = 0xC95B;

    INSERT INTO `landblock_instance` (`guid`, `weenie_Class_Id`, …, `is_Link_Child`, `last_Modified`)
    VALUES (0x7C95B000,   412, 0xC95B0100, 84.1029, 131.542, 66, 1, 0, 0, 0, False, '2024-05-26 19:09:10'); /* Door */
    /* @teleloc 0xC95B0100 [84.102898 131.542007 66.000000] 1.000000 0.000000 0.000000 0.000000 */

Numbers have six digits that count and at most six after the point, no exponent, and no minus before nothing; the
comment repeats them as 32-bit floats. The links of a parent follow it.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from decimal import Decimal
from typing import Final

from engine.geometry.vec import r24
from engine.world.server import rows
from engine.world.server.model import Place

MODIFIED: Final = "last_Modified"
INSTANCE_COLUMNS: Final = (*rows.COLUMNS[rows.INSTANCE], MODIFIED)
LINK_COLUMNS: Final = (*rows.COLUMNS[rows.LINK], MODIFIED)
WIDTH: Final = 5
"""Numbers of weenies, and True, are written as wide as False."""

_UNSHOWN: Final = re.compile(r"[\x00-\x1f\x7f-\x9f\u2028\u2029\ud800-\udfff]+")


@dataclass(frozen=True, slots=True)
class InstanceRow:
    """A row of landblock_instance. Without a time there is no column for it; `name` is for the comment."""

    guid: int
    wcid: int
    place: Place
    is_link_child: bool
    modified: str = ""
    name: str = ""


@dataclass(frozen=True, slots=True)
class LinkRow:
    """A row of landblock_instance_link, with name and number of the child's weenie for the comment."""

    parent: int
    child: int
    modified: str = ""
    name: str = ""
    wcid: int = 0


# --- values


def id_text(number: int) -> str:
    return f"0x{number:08X}"


def number_text(value: float) -> str:
    """A coordinate or a part of a rotation."""
    text = f"{Decimal(f'{r24(value):.6g}'):.6f}".rstrip("0").rstrip(".")
    return "0" if text == "-0" else text


def place_texts(place: Place) -> list[str]:
    """The cell, the point and the rotation, in the order of `rows.PLACE_COLUMNS`."""
    return [id_text(place.cell_id), *map(number_text, (*place.origin, *place.rotation))]


def teleloc_text(cell: int, numbers: Sequence[float]) -> str:
    """The comment with a place as a server's command takes it; `numbers` as the row has them."""
    x, y, z, *turn = (f"{r24(number):.6f}" for number in numbers)
    return f"/* @teleloc {id_text(cell)} [{x} {y} {z}] {' '.join(turn)} */"


def teleloc_of(place: Place) -> str:
    """The comment beside a place as `place_texts` writes it."""
    return teleloc_text(place.cell_id, [float(text) for text in place_texts(place)[1:]])


def truth_text(value: bool) -> str:
    return f"{value!s:>{WIDTH}}"


def quoted(text: str) -> str:
    """A text as a value, whatever is in it."""
    escaped = text.replace("\\", "\\\\").replace("'", "''").replace("\0", "\\0")
    return f"'{escaped}'"


def comment_text(text: str) -> str:
    """A text within a comment of one line: nothing in it can end that, nor begin what MySQL would carry out."""
    return f"/* {_UNSHOWN.sub(' ', text).replace('*/', '* /')} */"


# --- statements


def _head(table: str, columns: Iterable[str]) -> str:
    return f"INSERT INTO `{table}` ({', '.join(f'`{column}`' for column in columns)})"


def instance_text(row: InstanceRow) -> str:
    """The statement of an instance with its comments, as whole lines."""
    values = [id_text(row.guid), f"{row.wcid:{WIDTH}}", *place_texts(row.place), truth_text(row.is_link_child)]
    columns = INSTANCE_COLUMNS if row.modified else INSTANCE_COLUMNS[:-1]
    if row.modified:
        values.append(quoted(row.modified))
    name = f" {comment_text(row.name)}" if row.name else ""
    head = _head(rows.INSTANCE, columns)
    return f"{head}\nVALUES ({', '.join(values)});{name}\n{teleloc_of(row.place)}\n"


def link_values(row: LinkRow, *, has_time: bool) -> str:
    """The values of a link in their brackets, and its comment."""
    values = [id_text(row.parent), id_text(row.child)]
    if has_time:
        values.append(quoted(row.modified))
    comment = comment_text(f"{row.name} ({row.wcid})") if row.name else ""
    return f"({', '.join(values)}) {comment}".rstrip()


def links_text(links: Sequence[LinkRow]) -> str:
    """The statement of a parent's links, as whole lines."""
    has_time = all(row.modified for row in links)
    columns = LINK_COLUMNS if has_time else LINK_COLUMNS[:-1]
    values = "\n     , ".join(link_values(row, has_time=has_time) for row in links)
    return f"{_head(rows.LINK, columns)}\nVALUES {values};\n"


def delete_text(block: int) -> str:
    return f"DELETE FROM `{rows.INSTANCE}` WHERE `landblock` = 0x{block:04X};\n"


def unit_text(row: InstanceRow, links: Sequence[LinkRow]) -> str:
    """An instance and its links."""
    return f"{instance_text(row)}\n{links_text(links)}" if links else instance_text(row)


def landblock_text(block: int, instances: Sequence[InstanceRow], links: Iterable[LinkRow]) -> str:
    """The file of a landblock, by its four digits. Links from elsewhere come last."""
    by_parent = links_by_parent(links)
    units = [unit_text(row, by_parent.pop(row.guid, [])) for row in instances]
    return "\n".join([delete_text(block), *units, *map(links_text, by_parent.values())])


def links_by_parent(links: Iterable[LinkRow]) -> dict[int, list[LinkRow]]:
    found: dict[int, list[LinkRow]] = {}
    for link in links:
        found.setdefault(link.parent, []).append(link)
    return found
