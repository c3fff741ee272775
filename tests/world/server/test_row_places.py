"""Finding rows of tables that have no index."""

from __future__ import annotations

import sqlite3
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine.files.databases import Database
from engine.files.kinds import SERVER_DATABASE
from engine.world.server import rows
from engine.world.server.database import DatabaseData
from engine.world.server.model import Weenie
from engine.world.server.row_places import RowPlaces
from engine.world.server.sources import open_server_data
from tests.world.server.test_sources import BLOCK, DOOR, LEVER, database_of_the_same
from tests.world.server.worlds import database

NUMBERS = st.integers(0, 2**32 - 1) | st.integers(0, 20)


@given(st.lists(st.tuples(NUMBERS, st.integers(-(2**63), 2**63 - 1)), max_size=60), st.lists(NUMBERS, max_size=20))
def test_all_rows_with_the_values_are_found(pairs: list[tuple[int, int]], wanted: list[int]) -> None:
    found = RowPlaces(pairs).of(wanted)
    assert sorted(found) == sorted(place for value, place in pairs if value in wanted)


def test_indexes_and_keys_are_recognised(tmp_path: Path) -> None:
    path = tmp_path / "a.db"
    with sqlite3.connect(path) as connection:
        connection.execute("CREATE TABLE bare (a, b)")
        connection.execute("CREATE TABLE keyed (A INTEGER PRIMARY KEY, b)")
        connection.execute("CREATE TABLE pair (a, b, PRIMARY KEY (a, b)) WITHOUT ROWID")
        connection.execute("CREATE TABLE indexed (a, b)")
        connection.execute("CREATE INDEX one ON indexed (b, a)")
        connection.execute("CREATE TABLE partly (a, b)")
        connection.execute("CREATE INDEX two ON partly (a) WHERE b > 1")
    connection.close()
    opened = Database(path, SERVER_DATABASE)
    found = {(t, c) for t in ("bare", "keyed", "pair", "indexed", "partly") for c in "ab" if opened.has_index(t, c)}
    assert found == {("keyed", "a"), ("pair", "a"), ("indexed", "b")}
    opened.close()


def weenies(path: Path) -> list[Weenie | None]:
    data = open_server_data(path)
    content = data.block(BLOCK)
    assert [each.guid for each in content.instances] == [DOOR, LEVER]
    assert [(each.wcid, each.cell_x) for each in data.encounters(BLOCK)] == [(7, 1)]
    found = [data.weenie(wcid) for wcid in (412, 286, 99)]
    assert (data.faults, content.faults) == ([], [])
    data.close()
    return found


@pytest.mark.parametrize("form", ["indexed", "without row ids", "with a column rowid"])
def test_a_database_with_and_without_indexes_gives_the_same(form: str, tmp_path: Path) -> None:
    path = database_of_the_same(tmp_path / "world.db")
    bare = weenies(path)
    with sqlite3.connect(path) as connection:
        for table, columns in rows.COLUMNS.items():
            if form == "indexed":
                connection.execute(f'CREATE INDEX "by_{table}" ON "{table}" ({columns[0]})')
                continue
            listed = ", ".join(columns)
            more, end = (", rowid", "") if form == "with a column rowid" else ("", "WITHOUT ROWID")
            key = f"PRIMARY KEY ({columns[1]}, {columns[0]})"
            connection.execute(f'ALTER TABLE "{table}" RENAME TO old')
            connection.execute(f'CREATE TABLE "{table}" ({listed}{more}, {key}) {end}')
            connection.execute(f'INSERT INTO "{table}" ({listed}) SELECT {listed} FROM old')
            connection.execute("DROP TABLE old")
    connection.close()
    assert weenies(path) == bare


def test_rows_of_wrong_types_are_no_weenies_but_no_harm(tmp_path: Path) -> None:
    content: dict[str, list[tuple[object, ...]]] = {
        rows.WEENIE: [(412, "door", 19), ("412", "text", 19), (None, "none", 1), (b"412", "bytes", 1)],
        rows.INT: [(412, 93, 8), (412, "many", 8), (412, None, 8), ("412", 93, 9), (412, 5, 5)],
    }
    data = open_server_data(database(tmp_path / "world.db", content))
    assert isinstance(data, DatabaseData)
    door = data.weenie(412)
    assert door is not None
    assert (door.class_name, door.ints) == ("door", {93: 8})
    assert ["its type is" in fault.reason for fault in data.faults] == [True, True]
    data.close()
