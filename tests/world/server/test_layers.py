"""Server data in several places: the later place counts, landblock by landblock and weenie by weenie."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from engine.world.faults import WorldError
from engine.world.server import rows
from engine.world.server.layers import LayeredData, open_layers
from engine.world.server.place import MAX_PATHS, ServerPlace, read_server_place, without_password
from engine.world.server.writing.changes import ServerChanges
from tests.world.server.test_sources import BLOCK, CELL, DOOR, database_of_the_same, folder
from tests.world.server.worlds import database, instance_sql, weenie_sql, write

OTHER_BLOCK = 0xC95CFFFF
NEW = 0x7C95B007
RAT = 0x7C95C000


def patches(path: Path) -> Path:
    """A folder that moves the door, renames its kind, and has a landblock of its own."""
    write(path / "landblocks" / "C95B.sql", instance_sql(NEW, 412, CELL))
    write(path / "landblocks" / "C95C.sql", instance_sql(RAT, 7, 0xC95C0001))
    write(path / "weenies" / "00412.sql", weenie_sql(412, 19, "Gate"))
    write(path / "weenies" / "00007.sql", weenie_sql(7, 10, "Rat"))
    write(path / "encounters" / "C95B.sql", "DELETE FROM `encounter` WHERE `landblock` = 0xC95B;")
    return path


def database_of_patches(path: Path) -> Path:
    place = (1.0, 2.0, 3.0, 1.0, 0.0, 0.0, 0.0, 0)
    return database(
        path,
        {
            rows.INSTANCE: [(NEW, 412, CELL, *place), (RAT, 7, 0xC95C0001, *place)],
            rows.WEENIE: [(412, "weenie-412", 19), (7, "weenie-7", 10)],
            rows.STRING: [(412, 1, "Gate"), (7, 1, "Rat")],
        },
    )


@pytest.mark.parametrize("base", [folder, database_of_the_same])
@pytest.mark.parametrize("top", [patches, database_of_patches])
def test_the_later_place_replaces_a_landblock_and_a_weenie_whole(
    tmp_path: Path, base: Callable[[Path], Path], top: Callable[[Path], Path]
) -> None:
    data = open_layers([base(tmp_path / "base"), top(tmp_path / "new")])
    assert data.landblocks() == [BLOCK, OTHER_BLOCK]
    block = data.block(BLOCK)
    assert [instance.guid for instance in block.instances] == [NEW]
    assert block.links == []
    assert block.instances[0].source.startswith("new: ")
    assert block.instances[0].source.count("new: ") == 1
    data.prepare([412, 286, 7, 99])
    names = [weenie and weenie.name for weenie in map(data.weenie, (412, 286, 7, 99))]
    assert names == ["Gate", "Lever", "Rat", None]
    gate = data.weenie(412)
    assert gate is not None
    assert gate.ints == {}, "nothing of the weenie below is left"
    assert data.weenie(412) is gate
    assert data.counts()["landblocks"] == 2
    assert data.counts()["weenies in base"] == 2
    data.close()


def test_the_files_are_those_of_the_place_that_counts(tmp_path: Path) -> None:
    base, new = folder(tmp_path / "base"), patches(tmp_path / "new")
    data = open_layers([base, new])
    assert data.block_file(BLOCK) == new / "landblocks" / "C95B.sql"
    assert data.block_file(0x0101FFFF) is None
    assert data.weenie_file(7) == new / "weenies" / "00007.sql"
    assert (data.weenie_file(286) or new).is_relative_to(base)
    assert data.weenies() == [7, 286, 412]
    assert data.encounter_blocks() == [BLOCK]


def test_a_thing_of_a_patched_landblock_is_moved_in_the_patch(tmp_path: Path) -> None:
    data = open_layers([folder(tmp_path / "base"), patches(tmp_path / "new")])
    changes = ServerChanges(data, "2024-01-02 03:04:05")
    changes.move(NEW, BLOCK >> 16, (CELL, (5.0, 6.0, 7.0)), None)
    (changed,) = changes.files()
    assert changed.name == "C95B.sql"
    before = (tmp_path / "new" / "landblocks" / "C95B.sql").read_text()
    assert len(set(changed.after.splitlines()) - set(before.splitlines())) == 1


def test_the_base_counts_where_the_patches_say_nothing(tmp_path: Path) -> None:
    top = tmp_path / "new"
    write(top / "7.sql", weenie_sql(7, 10, "Rat"))
    data = open_layers([folder(tmp_path / "base"), top])
    assert data.block(BLOCK).instances[0].guid == DOOR
    assert len(data.encounters(BLOCK)) == 1
    assert data.block(OTHER_BLOCK).instances == []
    assert data.encounters(OTHER_BLOCK) == []


def test_a_patch_that_deletes_all_encounters_leaves_none(tmp_path: Path) -> None:
    data = open_layers([folder(tmp_path / "base"), patches(tmp_path / "new")])
    assert data.has_encounters(BLOCK)
    assert data.encounters(BLOCK) == []


def test_a_stray_counts_as_long_as_its_file_does(tmp_path: Path) -> None:
    base, top = folder(tmp_path / "base"), tmp_path / "new"
    write(base / "landblocks" / "C95B.sql", instance_sql(DOOR, 412, CELL), instance_sql(NEW, 412, 0xC95C0001))
    write(base / "landblocks" / "C95C.sql", instance_sql(RAT, 286, 0xC95C0001))
    write(top / "weenies" / "7.sql", weenie_sql(7, 10, "Rat"))
    data = open_layers([base, top])
    assert [instance.guid for instance in data.block(OTHER_BLOCK).instances] == [RAT, NEW]
    write(top / "landblocks" / "C95B.sql", instance_sql(DOOR, 412, CELL), instance_sql(NEW + 1, 412, 0xC95C0001))
    data = open_layers([base, top])
    block = data.block(OTHER_BLOCK)
    assert [instance.guid for instance in block.instances] == [RAT, NEW + 1], "the base's own things stay"
    assert [instance.source.partition(":")[0] for instance in block.instances] == ["base", "new"]


def test_a_single_file_is_a_place_of_its_own(tmp_path: Path) -> None:
    file = write(tmp_path / "patch" / "C95B.sql", instance_sql(NEW, 412, CELL))
    write(tmp_path / "patch" / "C95C.sql", instance_sql(RAT, 7, 0xC95C0001))
    data = open_layers([folder(tmp_path / "base"), file])
    assert data.landblocks() == [BLOCK]
    assert data.block(BLOCK).instances[0].source == "C95B.sql: line 2"
    with pytest.raises(WorldError, match="no landblock, weenie or encounter"):
        open_layers([write(tmp_path / "other.sql", "INSERT INTO `spell` (`id`) VALUES (1);")])


def test_faults_say_in_which_place_they_are(tmp_path: Path) -> None:
    base, top = folder(tmp_path / "one" / "world"), patches(tmp_path / "two" / "world")
    write(top / "landblocks" / "C95B.sql", instance_sql(NEW, 412, CELL), "INSERT INTO `landblock_instance` broken")
    data = open_layers([base, top])
    assert isinstance(data, LayeredData)
    (fault,) = data.block(BLOCK).faults
    assert fault.reason.startswith("world (2): landblocks/C95B.sql: line")


def test_a_place_that_is_none_names_itself_and_closes_the_others(tmp_path: Path) -> None:
    base = database_of_the_same(tmp_path / "base.db")
    with pytest.raises(WorldError, match="nowhere: there is no such file"):
        open_layers([base, tmp_path / "nowhere"])
    with pytest.raises(WorldError, match="at most 16 places"):
        open_layers([base] * (MAX_PATHS + 1))


def test_one_place_is_what_it_is(tmp_path: Path) -> None:
    assert not isinstance(open_layers([folder(tmp_path / "world")]), LayeredData)


# --- as files say it


def test_a_place_survives_being_written() -> None:
    place = ServerPlace(("/base", "../new.db"), ("hooks",))
    assert read_server_place(place.form()) == place
    assert read_server_place(None) is None


@pytest.mark.parametrize(
    "form",
    [
        [],
        "path",
        {},
        {"paths": "x", "also": []},
        {"paths": [1], "also": []},
        {"paths": [""], "also": []},
        {"paths": ["a\0b"], "also": []},
        {"paths": ["\ud800"], "also": []},
        {"paths": ["x" * 5000], "also": []},
        {"paths": ["x"] * 17, "also": []},
        {"paths": ["x"], "also": [None]},
        {"paths": ["x"]},
    ],
)
def test_anything_else_is_refused(form: object) -> None:
    with pytest.raises(ValueError, match="server data"):
        read_server_place(form)


def test_no_password_is_written() -> None:
    assert without_password("mysql://ace:secret@host:3306/world") == "mysql://ace@host:3306/world"
    assert without_password("mysql://host/world") == "mysql://host/world"
    assert "secret" not in without_password("mysql://[ace:secret@host/world")
    assert without_password("/a:b@c") == "/a:b@c"
