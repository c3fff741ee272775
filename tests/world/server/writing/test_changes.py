"""What becomes of the things of a server's landblocks, as files: ids, links, and which files change at all."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from engine.geometry.vec import Vec3
from engine.world.faults import WorldError
from engine.world.server.model import Place
from engine.world.server.sources import open_server_data
from engine.world.server.writing.changes import ChangedFile, ServerChanges
from engine.world.server.writing.layout import InstanceRow, LinkRow, landblock_text
from engine.world.server.writing.read_back import ReadBack
from tests.shared import SHARED, needs_shared
from tests.world.server.worlds import weenie_sql, write

HERE, THERE, EMPTY = 0xC95B, 0xCA5B, 0x1234
UPRIGHT = (1.0, 0.0, 0.0, 0.0)
THEN, NOW = "2021-11-29 06:19:28", "2024-05-26 19:09:10"
ORIGIN: Vec3 = (1.0, 2.0, 3.0)


def guid(block: int, number: int) -> int:
    return 0x70000000 | block << 12 | number


def cell(block: int) -> int:
    return block << 16 | 0x100


def row(block: int, number: int, *, is_child: bool = False) -> InstanceRow:
    return InstanceRow(guid(block, number), 412, Place(cell(block), ORIGIN, UPRIGHT), is_child, THEN, "Door")


def link(block: int, parent: int, child: int) -> LinkRow:
    return LinkRow(guid(block, parent), guid(block, child), THEN, "Door", 412)


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """0, 1 and 2 are the parents of 3, 3 and 4."""
    links = [link(HERE, 0, 3), link(HERE, 1, 3), link(HERE, 2, 4)]
    instances = [row(HERE, number, is_child=number in (3, 4)) for number in range(6)]
    write(tmp_path / "base" / "landblocks" / "C95B.sql", landblock_text(HERE, instances, links))
    write(tmp_path / "base" / "landblocks" / "CA5B.sql", landblock_text(THERE, [row(THERE, 0), row(THERE, 7)], []))
    write(tmp_path / "base" / "weenies" / "412.sql", weenie_sql(412, 19, "Door"))
    return tmp_path


def changes_of(folder: Path) -> ServerChanges:
    return ServerChanges(open_server_data(folder), NOW)


def after(folder: Path, files: list[ChangedFile]) -> ReadBack:
    for file in files:
        write(folder / "patches" / "landblocks" / file.name, file.after)
    return ReadBack(open_server_data(folder), [])


def children(data: ReadBack, block: int) -> dict[int, bool]:
    return {each.guid & 0xFFF: each.is_link_child for each in data.block(block << 16 | 0xFFFF).instances}


def pairs(data: ReadBack, block: int) -> list[tuple[int, int]]:
    return [(each.parent, each.child) for each in data.block(block << 16 | 0xFFFF).links]


def test_only_changed_files_are_made(folder: Path) -> None:
    changes = changes_of(folder)
    assert changes.move(guid(HERE, 0), HERE, (cell(HERE), (1.5, 2.0, 3.0)), None)
    assert not changes.move(guid(THERE, 0), THERE, (cell(THERE), (1.0, 2.0, 3.0000001)), UPRIGHT)
    (file,) = changes.files()
    assert (file.name, file.block_id) == ("C95B.sql", HERE << 16 | 0xFFFF)
    assert file.before == (folder / "base" / "landblocks" / "C95B.sql").read_text(encoding="utf-8")
    assert [each.field for each in file.rows[0].fields] == ["origin_X", "last_Modified"]


def test_only_the_last_parent_frees_its_children(folder: Path) -> None:
    changes = changes_of(folder)
    for number in (0, 2):
        changes.remove(guid(HERE, number), HERE)
    data = after(folder, changes.files())
    assert children(data, HERE) == {1: False, 3: True, 4: False, 5: False}
    assert pairs(data, HERE) == [(guid(HERE, 1), guid(HERE, 3))]


def test_a_removed_parent_and_child_need_no_further_rows(folder: Path) -> None:
    changes = changes_of(folder)
    for number in (2, 4):
        changes.remove(guid(HERE, number), HERE)
    (file,) = changes.files()
    assert [(row.table, row.change) for row in file.rows] == [
        ("landblock_instance", "removed"),
        ("landblock_instance", "removed"),
        ("landblock_instance_link", "removed"),
    ]


def test_every_new_id_is_the_next_one_of_its_landblock(folder: Path) -> None:
    changes = ServerChanges(open_server_data(folder), NOW, used=[guid(THERE, 9)])
    changes.move(guid(HERE, 5), HERE, (cell(THERE), ORIGIN), None)
    for key in (0x80000002, 0x80000001):
        changes.add(key, 412, Place(cell(THERE), ORIGIN, UPRIGHT))
    changes.add(0x80000003, 412, Place(cell(EMPTY), ORIGIN, UPRIGHT), [guid(HERE, 0)])
    files = changes.files()
    assert changes.new_ids == {
        guid(HERE, 5): guid(THERE, 10),
        0x80000001: guid(THERE, 11),
        0x80000002: guid(THERE, 12),
        0x80000003: guid(EMPTY, 0),
    }
    assert [file.name for file in files] == ["1234.sql", "C95B.sql", "CA5B.sql"]
    assert [file.before is None for file in files] == [True, False, False]
    data = after(folder, files)
    assert children(data, EMPTY) == {0: False}, "links do not lead to other landblocks"
    assert sorted(children(data, THERE)) == [0, 7, 10, 11, 12]


def test_a_copy_activates_what_is_new_or_moved_too(folder: Path) -> None:
    changes = changes_of(folder)
    changes.move(guid(HERE, 5), HERE, (cell(THERE), ORIGIN), None)
    changes.add(1, 412, Place(cell(THERE), ORIGIN, UPRIGHT), [guid(HERE, 5), guid(THERE, 0), 2])
    changes.add(2, 412, Place(cell(THERE), ORIGIN, UPRIGHT))
    data = after(folder, changes.files())
    moved, copy, other = (changes.new_ids[key] for key in (guid(HERE, 5), 1, 2))
    assert sorted(pairs(data, THERE)) == sorted([(guid(THERE, 0), copy), (moved, copy), (other, copy)])
    assert children(data, THERE)[copy & 0xFFF]


def test_a_row_in_another_landblocks_file_is_changed_there(folder: Path) -> None:
    """Its cell is in one landblock, its id and its file are another's."""
    path = folder / "base" / "landblocks" / "C95B.sql"
    text = path.read_text(encoding="utf-8")
    stray = text.replace(
        f"0x{guid(HERE, 5):08X},   412, 0x{cell(HERE):08X}", f"0x{guid(HERE, 5):08X},   412, 0xCA5B0100"
    )
    write(path, stray)
    changes = changes_of(folder)
    assert changes.move(guid(HERE, 5), THERE, (cell(THERE), (9.0, 2.0, 3.0)), None)
    (file,) = changes.files()
    assert file.name == "C95B.sql"
    here = ReadBack(open_server_data(folder), [file]).block(THERE << 16 | 0xFFFF)
    assert {each.guid: each.place.origin[0] for each in here.instances}[guid(HERE, 5)] == 9.0


def test_two_changed_files_of_one_name_are_refused(folder: Path) -> None:
    for block in (EMPTY, EMPTY + 1):
        write(folder / f"{block:04X}" / "landblocks" / "town.sql", landblock_text(block, [row(block, 0)], []))
    changes = changes_of(folder)
    for block in (EMPTY, EMPTY + 1):
        changes.remove(guid(block, 0), block)
    with pytest.raises(WorldError, match=r"town\.sql: is the name of two files"):
        changes.files()


def test_what_is_not_there_is_refused(folder: Path) -> None:
    with pytest.raises(WorldError, match=r"C95B\.sql: has no 0x7C95B00B any more; reload the world first"):
        changes_of(folder).remove(guid(HERE, 11), HERE)


def test_a_landblock_without_free_ids_is_a_sentence(folder: Path) -> None:
    changes = ServerChanges(open_server_data(folder), NOW, used=range(guid(EMPTY, 0), guid(EMPTY, 0) + 0x1000))
    changes.add(1, 412, Place(cell(EMPTY), ORIGIN, UPRIGHT))
    with pytest.raises(WorldError, match="has 4,096 things in landblock 0x1234"):
        changes.files()


STEPS = st.lists(
    st.tuples(st.sampled_from(["move", "cross", "remove", "add"]), st.integers(0, 5), st.integers(0, 6)), max_size=10
)


@given(STEPS)
@settings(max_examples=120, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
def test_any_changes_read_back(
    tmp_path_factory: pytest.TempPathFactory, folder: Path, steps: list[tuple[str, int, int]]
) -> None:
    data = open_server_data(folder)
    changes = ServerChanges(data, NOW)
    stands = {guid(HERE, number): (HERE, 1.0) for number in range(6)}
    stands |= {guid(THERE, number): (THERE, 1.0) for number in (0, 7)}
    touched: set[int] = set()
    for key, (what, number, other) in enumerate(steps, 1):
        thing = guid(HERE, number)
        if what == "add":
            changes.add(key, 412, Place(cell(THERE), (9.0, 2.0, 3.0), UPRIGHT), [guid(THERE, 0), guid(HERE, other)])
            stands[key] = (THERE, 9.0)
        elif thing not in touched:
            touched.add(thing)
            if what == "remove":
                changes.remove(thing, HERE)
                del stands[thing]
            else:
                block, x = (HERE if what == "move" else THERE), 1.0 + other
                changes.move(thing, HERE, (cell(block), (x, 2.0, 3.0)), None)
                stands[thing] = (block, x)
    files = changes.files()
    assert all(file.flaw(file.after) == "" for file in files)
    out = tmp_path_factory.mktemp("out")
    for name in ("C95B.sql", "CA5B.sql"):
        write(out / name, (folder / "base" / "landblocks" / name).read_text(encoding="utf-8"))
    for file in files:
        write(out / file.name, file.after)
    again = open_server_data(out)
    found = {
        each.guid: (block, each.place.origin[0])
        for block in (HERE, THERE)
        for each in again.block(block << 16 | 0xFFFF).instances
    }
    assert found == {changes.new_ids.get(thing, thing): place for thing, place in stands.items()}
    for block in (HERE, THERE):
        content = again.block(block << 16 | 0xFFFF)
        assert not content.faults
        there = [end for each in content.links for end in (each.parent, each.child)]
        assert set(there) <= set(found), "no link leads to what is gone"


@needs_shared
def test_a_real_door_goes_to_another_real_landblock() -> None:
    changes = ServerChanges(open_server_data(SHARED / "fixtures" / "ace-world"), NOW)
    changes.move(0x700D7005, 0x00D7, (0x01F60101, (97.0, -169.0, -24.0)), None)
    dungeon, other = changes.files()
    assert (dungeon.name, other.name) == ("00D7.sql", "01F6.sql")
    new = changes.new_ids[0x700D7005]
    assert new >> 12 == 0x701F6
    assert f"VALUES (0x{new:08X}, 0x700D7007, '{NOW}') /* Prison Door (72672) */;\n" in other.after
    assert other.before is not None
    assert other.after.startswith(other.before)
    assert dungeon.before is not None
    assert set(dungeon.after.splitlines()) < set(dungeon.before.splitlines())
