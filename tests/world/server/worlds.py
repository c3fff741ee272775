"""Small pieces of server data, written for the tests."""

from __future__ import annotations

import sqlite3
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Final

from engine.world.server import rows

INSTANCE_COLUMNS: Final = ", ".join(f"`{name}`" for name in rows.COLUMNS[rows.INSTANCE])

Numbers = Sequence[float]


def instance_sql(
    guid: int,
    wcid: int,
    cell_id: int,
    origin: Numbers = (1.0, 2.0, 3.0),
    rotation: Numbers = (1.0, 0.0, 0.0, 0.0),
    is_link_child: bool = False,
) -> str:
    """One instance as a server's tools write it."""
    numbers = ", ".join(f"{part:g}" for part in (*origin, *rotation))
    values = f"0x{guid:08X}, {wcid:5}, 0x{cell_id:08X}, {numbers}, {is_link_child!s:>5}"
    return f"INSERT INTO `landblock_instance` ({INSTANCE_COLUMNS})\nVALUES ({values}); /* a thing */\n"


def link_sql(parent: int, child: int) -> str:
    values = f"0x{parent:08X}, 0x{child:08X}, '2024-01-01 00:00:00'"
    return (
        f"INSERT INTO `landblock_instance_link` (`parent_GUID`, `child_GUID`, `last_Modified`)\nVALUES ({values}) "
        "/* a child */;\n"
    )


def weenie_sql(wcid: int, kind: int, name: str, **properties: Mapping[int, object]) -> str:
    """A weenie with properties by the end of their table's name: int, bool, float, string, d_i_d, i_i_d."""
    lines = [
        f"DELETE FROM `weenie` WHERE `class_Id` = {wcid};",
        "INSERT INTO `weenie` (`class_Id`, `class_Name`, `type`, `last_Modified`)",
        f"VALUES ({wcid}, 'weenie-{wcid}', {kind}, '2024-01-01 00:00:00') /* a kind */;",
    ]
    texts = {1: name, **properties.pop("string", {})}
    for table, values in {"string": texts, **properties}.items():
        listed = "\n     , ".join(f"({wcid}, {kind:3}, {_written(value)}) /* it */" for kind, value in values.items())
        lines.append(f"INSERT INTO `weenie_properties_{table}` (`object_Id`, `type`, `value`)\nVALUES {listed};")
    return "\n".join(lines) + "\n"


def destination_sql(wcid: int, cell_id: int, origin: Numbers = (10.0, 20.0, 30.0)) -> str:
    columns = ", ".join(f"`{name}`" for name in rows.COLUMNS[rows.POSITION])
    x, y, z = origin
    values = f"{wcid}, 2, 0x{cell_id:08X}, {x:g}, {y:g}, {z:g}, 1, 0, 0, 0"
    return f"INSERT INTO `weenie_properties_position` ({columns}) VALUES ({values}) /* Destination */;\n"


def _written(value: object) -> str:
    if isinstance(value, str):
        return "'" + value.replace("\\", "\\\\").replace("'", "''") + "'"
    return str(value)


def write(path: Path, *texts: str) -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text("\n".join(texts), encoding="utf-8")
    return path


def database(path: Path, content: Mapping[str, Sequence[Sequence[object]]]) -> Path:
    """An SQLite database with rows in the order of `rows.COLUMNS`; every table is there."""
    connection = sqlite3.connect(path)
    for table, columns in rows.COLUMNS.items():
        connection.execute(f'CREATE TABLE "{table}" ({", ".join(columns)})')
        marks = ", ".join("?" * len(columns))
        connection.executemany(f'INSERT INTO "{table}" VALUES ({marks})', content.get(table, []))
    connection.commit()
    connection.close()
    return path
