"""Server data from folders and databases: one interface, the same answers, and a sentence for what is none."""

from __future__ import annotations

import sqlite3
from pathlib import Path

import pytest

from engine.files.cancelling import cancellable
from engine.files.kinds import SERVER_SQL
from engine.world.faults import Severity, WorldError
from engine.world.server import rows
from engine.world.server.folder import FolderData
from engine.world.server.sources import open_server_data
from tests.shared import SHARED
from tests.world.server.worlds import database, destination_sql, instance_sql, link_sql, weenie_sql, write

BLOCK = 0xC95BFFFF
DOOR, LEVER = 0x7C95B000, 0x7C95B001
CELL = 0xC95B0104

DOOR_SQL = weenie_sql(412, 19, "Door", int={93: 8}, bool={2: False, 35: True}, float={11: 300}, d_i_d={1: 0x02000010})
ENCOUNTER_SQL = "INSERT INTO `encounter` (`landblock`, `weenie_Class_Id`, `cell_X`, `cell_Y`) VALUES (0xC95B, 7, 1, 2);"

FIXTURE = SHARED / "fixtures" / "ace-world"
needs_fixture = pytest.mark.skipif(not FIXTURE.is_dir(), reason=f"the server data of {FIXTURE} is not there")


def folder(path: Path) -> Path:
    content = (instance_sql(DOOR, 412, CELL), instance_sql(LEVER, 286, CELL, is_link_child=True))
    write(path / "landblocks" / "C95B.sql", *content, link_sql(DOOR, LEVER))
    write(path / "weenies" / "Door" / "00412 Door.sql", DOOR_SQL, destination_sql(412, CELL))
    write(path / "weenies" / "286.sql", weenie_sql(286, 26, "Lever"))
    write(path / "encounters" / "C95B.sql", ENCOUNTER_SQL)
    return path


def database_of_the_same(path: Path) -> Path:
    place = (CELL, 1.0, 2.0, 3.0, 1.0, 0.0, 0.0, 0.0)
    content: dict[str, list[tuple[object, ...]]] = {
        rows.INSTANCE: [(DOOR, 412, *place, 0), (LEVER, 286, *place, 1)],
        rows.LINK: [(DOOR, LEVER)],
        rows.WEENIE: [(412, "weenie-412", 19), (286, "weenie-286", 26)],
        rows.STRING: [(412, 1, "Door"), (286, 1, "Lever")],
        rows.INT: [(412, 93, 8)],
        rows.BOOL: [(412, 2, 0), (412, 35, 1)],
        rows.FLOAT: [(412, 11, 300)],
        rows.DID: [(412, 1, 0x02000010)],
        rows.POSITION: [(412, 2, CELL, 10, 20, 30, 1, 0, 0, 0)],
        rows.ENCOUNTER: [(0xC95B, 7, 1, 2)],
    }
    return database(path, content)


OTHER_BLOCK, OTHER_CELL = 0xC95CFFFF, 0xC95C0001
STRAY = 0x7C95B009


@pytest.mark.parametrize("written", ["0xC95C0001", "3378249729"])
def test_an_instance_of_another_landblock_stands_where_its_cell_says(tmp_path: Path, written: str) -> None:
    root = folder(tmp_path / "world")
    stray = instance_sql(STRAY, 412, OTHER_CELL).replace("0xC95C0001", written)
    write(root / "landblocks" / "C95B.sql", instance_sql(DOOR, 412, CELL), stray)
    data = FolderData.open(root)
    assert data.landblocks() == [BLOCK, OTHER_BLOCK]
    (there,) = data.block(OTHER_BLOCK).instances
    assert (there.guid, there.source) == (STRAY, "landblocks/C95B.sql: line 5")
    own = data.block(BLOCK)
    assert [instance.guid for instance in own.instances] == [DOOR]
    (fault,) = own.faults
    assert fault.severity is Severity.WARNING
    assert "0x7C95B009 is in 0xC95C0001, another landblock; it stands there" in fault.reason
    write(root / "landblocks" / "C95C.sql", instance_sql(0x7C95C000, 412, OTHER_CELL))
    guids = [instance.guid for instance in FolderData.open(root).block(OTHER_BLOCK).instances]
    assert guids == [0x7C95C000, STRAY]


@pytest.mark.parametrize("kind", ["folder", "database"])
def test_every_source_gives_the_same(kind: str, tmp_path: Path) -> None:
    path = folder(tmp_path / "world") if kind == "folder" else database_of_the_same(tmp_path / "world.db")
    data = open_server_data(path)
    assert data.landblocks() == [BLOCK]
    content = data.block(BLOCK)
    assert [(each.guid, each.wcid, each.is_link_child) for each in content.instances] == [
        (DOOR, 412, False),
        (LEVER, 286, True),
    ]
    assert content.instances[0].place.origin == (1.0, 2.0, 3.0)
    assert [(link.parent, link.child) for link in content.links] == [(DOOR, LEVER)]
    door = data.weenie(412)
    assert door is not None
    assert (door.name, door.type, door.ints, door.bools) == ("Door", 19, {93: 8}, {2: False, 35: True})
    assert (door.floats, door.dids, door.positions[2].cell_id) == ({11: 300.0}, {1: 0x02000010}, CELL)
    assert data.weenie(412) is door
    assert data.weenie(99) is None
    assert [(each.wcid, each.cell_x, each.cell_y) for each in data.encounters(BLOCK)] == [(7, 1, 2)]
    assert data.encounters(0x0001FFFF) == []
    assert data.block(0x0001FFFF).instances == []
    assert (data.faults, content.faults) == ([], [])
    data.close()


def test_weenies_read_at_once_are_those_read_one_by_one(tmp_path: Path) -> None:
    path = database_of_the_same(tmp_path / "world.db")
    first, second = open_server_data(path), open_server_data(path)
    first.prepare({412, 286, 99})
    assert [first.weenie(wcid) for wcid in (412, 286, 99)] == [second.weenie(wcid) for wcid in (412, 286, 99)]


def test_a_patch_replaces_the_file_of_the_base(tmp_path: Path) -> None:
    base, patches = tmp_path / "Base" / "Database" / "3-Core", tmp_path / "Patches" / "Database"
    write(base / "6" / "SQL" / "C95B.sql", instance_sql(DOOR, 412, CELL), instance_sql(LEVER, 412, CELL))
    write(base / "9" / "SQL" / "00412 Door.sql", weenie_sql(412, 19, "Old Door"))
    write(base / "9" / "SQL" / "00413 Door.sql", weenie_sql(413, 19, "Other Door"))
    write(patches / "6" / "C95B.sql", instance_sql(DOOR, 412, CELL))
    write(patches / "9" / "00412 New Door.sql", weenie_sql(412, 19, "New Door"))
    write(base / "2" / "SQL" / "00001 Spell.sql", "INSERT INTO `spell` (`id`) VALUES (1);")
    data = open_server_data(tmp_path)
    assert [each.guid for each in data.block(BLOCK).instances] == [DOOR]
    found = [data.weenie(412), data.weenie(413), data.weenie(1)]
    assert [weenie and weenie.name for weenie in found] == ["New Door", "Other Door", None]
    assert data.faults == []


def test_two_files_of_one_thing_are_noted(tmp_path: Path) -> None:
    write(tmp_path / "a" / "00412 Door.sql", weenie_sql(412, 19, "First"))
    write(tmp_path / "b" / "00412 Door.sql", weenie_sql(412, 19, "Second"))
    data = open_server_data(tmp_path)
    (fault,) = data.faults
    assert (fault.severity, "b/00412 Door.sql" in fault.reason) == (Severity.INFO, True)
    weenie = data.weenie(412)
    assert weenie is not None
    assert weenie.name == "Second"


def test_files_of_one_folder_are_told_apart_by_what_they_hold(tmp_path: Path) -> None:
    write(tmp_path / "0412.sql", DOOR_SQL)
    write(tmp_path / "C95B.sql", instance_sql(DOOR, 412, CELL))
    write(tmp_path / "my house.sql", instance_sql(0x70001000, 412, 0x00010100))
    write(tmp_path / "a lever.sql", weenie_sql(286, 26, "Lever"))
    data = open_server_data(tmp_path)
    assert data.landblocks() == [0x0001FFFF, BLOCK]
    assert data.block(0x0001FFFF).instances[0].guid == 0x70001000
    assert [data.weenie(wcid) is not None for wcid in (412, 286, 0x412)] == [True, True, False]


def test_a_wrong_row_is_a_fault_with_its_line_and_the_others_load(tmp_path: Path) -> None:
    broken = instance_sql(0x7C95B002, 412, CELL).replace("0x7C95B002", "'door'")
    write(tmp_path / "landblocks" / "C95B.sql", instance_sql(DOOR, 412, CELL), broken, instance_sql(LEVER, 286, CELL))
    content = open_server_data(tmp_path).block(BLOCK)
    assert [each.guid for each in content.instances] == [DOOR, LEVER]
    (fault,) = content.faults
    assert fault.reason == (
        "landblocks/C95B.sql: line 5: in a row of landblock_instance its guid is 'door', no whole number; left out"
    )


def test_an_instance_of_another_landblock_is_a_fault(tmp_path: Path) -> None:
    write(tmp_path / "landblocks" / "C95B.sql", instance_sql(DOOR, 412, 0x00010100))
    content = open_server_data(tmp_path).block(BLOCK)
    assert content.instances == []
    assert "C95B.sql: line 2: 0x7C95B000 is in 0x00010100, another landblock" in content.faults[0].reason


def test_what_stands_before_a_broken_place_is_used(tmp_path: Path) -> None:
    write(tmp_path / "landblocks" / "C95B.sql", instance_sql(DOOR, 412, CELL), "INSERT INTO landblock_instance (")
    content = open_server_data(tmp_path).block(BLOCK)
    assert [each.guid for each in content.instances] == [DOOR]
    assert "nothing behind it is used" in content.faults[0].reason


def test_a_file_that_is_too_large_or_no_text_is_a_fault(tmp_path: Path) -> None:
    large = write(tmp_path / "landblocks" / "0001.sql", instance_sql(DOOR, 412, CELL))
    with large.open("ab") as file:
        file.truncate(SERVER_SQL.most + 1)
    write(tmp_path / "landblocks" / "0002.sql", instance_sql(DOOR, 412, CELL)).write_bytes(
        b"INSERT INTO weenie\xff\xfe"
    )
    data = open_server_data(tmp_path)
    assert "larger than the 8 MB" in data.block(0x0001FFFF).faults[0].reason
    assert "weenies" in data.counts()


def refused(path: Path) -> str:
    with pytest.raises(WorldError) as error:
        open_server_data(path)
    return str(error.value)


def test_what_is_no_server_data_says_so(tmp_path: Path) -> None:
    assert "no such file" in refused(tmp_path / "nothing")
    (tmp_path / "empty").mkdir()
    assert "it has no SQL files" in refused(tmp_path / "empty")
    write(tmp_path / "spells" / "a.sql", "INSERT INTO spell (a) VALUES (1);")
    assert "none of its 1 SQL files" in refused(tmp_path / "spells")
    assert "is no server data, which is a folder" in refused(write(tmp_path / "a.txt", "hello"))


def test_a_database_that_is_no_world_says_so(tmp_path: Path) -> None:
    path = tmp_path / "other.db"
    with sqlite3.connect(path) as connection:
        connection.execute("CREATE TABLE landblock_instance (guid, obj_Cell_Id)")
    connection.close()
    assert "it has no table weenie" in refused(path)
    with sqlite3.connect(path) as connection:
        connection.execute("CREATE TABLE weenie (class_Id, class_Name, type)")
    connection.close()
    assert "without the column weenie_Class_Id" in refused(path)
    path.write_bytes(b"SQLite format 3\0" + bytes(5000))
    assert "cannot be read" in refused(path) or "no table" in refused(path)


def test_a_view_that_never_ends_is_no_table(tmp_path: Path) -> None:
    path = database_of_the_same(tmp_path / "world.db")
    endless = "WITH RECURSIVE n(x) AS (SELECT 1 UNION ALL SELECT x + 1 FROM n)"
    with sqlite3.connect(path) as connection:
        connection.execute("DROP TABLE weenie")
        connection.execute(f"CREATE VIEW weenie AS {endless} SELECT x AS class_Id, x AS class_Name, 1 AS type FROM n")
    connection.close()
    assert "it has no table weenie" in refused(path)


def test_strange_values_in_a_database_are_faults(tmp_path: Path) -> None:
    place = (CELL, 1.0, 2.0, 3.0, 1.0, 0.0, 0.0, 0.0)
    instances = [
        (DOOR, 412, *place, 0),
        (DOOR + 1, "many", *place, 0),
        (DOOR + 2, 412, CELL, float("inf"), 2.0, 3.0, 1.0, 0.0, 0.0, 0.0, 0),
        (DOOR + 3, 412, CELL, b"\0" * 100_000, 2.0, 3.0, 1.0, 0.0, 0.0, 0.0, 0),
        (None, 412, *place, 0),
    ]
    names = [(412, "weenie", 19)]
    texts = [(412, 1, "A" * 5_000_000)]
    path = database(tmp_path / "w.db", {rows.INSTANCE: instances, rows.WEENIE: names, rows.STRING: texts})
    data = open_server_data(path)
    content = data.block(BLOCK)
    assert [each.guid for each in content.instances] == [DOOR]
    assert len(content.faults) == 3
    assert "1 rows of landblock_instance have no id or no cell" in data.faults[0].reason
    weenie = data.weenie(412)
    assert weenie is not None
    assert weenie.name == "A" * 1000


def test_a_damaged_database_is_a_sentence(tmp_path: Path) -> None:
    path = database_of_the_same(tmp_path / "world.db")
    whole = path.read_bytes()
    for at in range(16, len(whole), 997):
        path.write_bytes(whole[:at] + b"\xff" * 64 + whole[at + 64 :])
        try:
            data = open_server_data(path)
        except WorldError as error:
            assert str(path) in str(error)  # noqa: PT017
            continue
        data.block(BLOCK)
        data.weenie(412)
        data.encounters(BLOCK)
        data.close()


def test_opening_can_be_cancelled(tmp_path: Path) -> None:
    class StoppedError(Exception):
        pass

    def check() -> None:
        raise StoppedError

    for path in (folder(tmp_path / "world"), database_of_the_same(tmp_path / "world.db")):
        with pytest.raises(StoppedError), cancellable(check):
            open_server_data(path)


@needs_fixture
def test_a_real_town_and_dungeons_read_without_a_fault() -> None:
    data = open_server_data(FIXTURE)
    assert isinstance(data, FolderData)
    assert [f"{block >> 16:04X}" for block in data.landblocks()] == ["00D7", "01F6", "482E", "A9B4"]
    blocks = {block >> 16: data.block(block) for block in data.landblocks()}
    assert [fault for block in blocks.values() for fault in block.faults] == []
    assert len(blocks[0xA9B4].instances) == 106
    kinds = [data.weenie(instance.wcid) for instance in blocks[0xA9B4].instances]
    assert sum(weenie is not None and weenie.type == 19 for weenie in kinds) == 24
    assert None not in kinds
    assert sum(each.place.rotation == (0, 0, 0, 0) for each in blocks[0x482E].instances) == 6
    assert data.faults == []
