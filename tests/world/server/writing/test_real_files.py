"""The landblocks of a real server: written from what was read of them, and changed in one row."""

from __future__ import annotations

from pathlib import Path
from typing import Final

import pytest

from engine.files.kinds import SERVER_SQL
from engine.files.reading import read_text
from engine.world.server.model import Place
from engine.world.server.sources import open_server_data
from engine.world.server.sql_file import parse_sql
from engine.world.server.writing.block_file import BlockFile
from engine.world.server.writing.layout import InstanceRow, LinkRow, landblock_text, teleloc_text
from tests.shared import SHARED, needs_shared

WORLD: Final = SHARED / "fixtures" / "ace-world"
FILES: Final = sorted(WORLD.glob("landblocks/*.sql"))

pytestmark = needs_shared


def names() -> dict[int, str]:
    data = open_server_data(WORLD)
    wcids = {int(path.name.split(" ")[0]) for path in WORLD.glob("weenies/*.sql")}
    return {wcid: weenie.name for wcid in wcids if (weenie := data.weenie(wcid)) is not None}


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.stem)
def test_a_file_written_anew_from_its_rows_is_the_same_file(path: Path) -> None:
    """Nothing is copied but the rows' meaning: ids, numbers, truth values and times."""
    original = path.read_bytes()
    held = BlockFile(original.decode(), path.name)
    content = parse_sql(original.decode(), path.name)
    known = names()
    classes = {each.guid: each.wcid for each in content.instances}
    rows = [
        InstanceRow(each.guid, each.wcid, each.place, each.is_link_child, held.modified(each.guid), known[each.wcid])
        for each in content.instances
    ]
    links = [
        LinkRow(each.parent, each.child, held.modified(each.parent), known[classes[each.child]], classes[each.child])
        for each in content.links
    ]
    assert landblock_text(int(path.stem, 16), rows, links).encode() == original


@pytest.mark.parametrize("path", sorted(WORLD.rglob("*.sql")), ids=lambda path: path.stem)
def test_an_unchanged_file_stays_as_it_is(path: Path) -> None:
    text = read_text(path, SERVER_SQL)
    assert BlockFile(text, path.name).text().encode() == path.read_bytes()


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.stem)
def test_a_moved_thing_is_one_line_and_its_comment(path: Path) -> None:
    text = read_text(path, SERVER_SQL)
    for each in parse_sql(text, path.name).instances:
        file = BlockFile(text, path.name)
        x, y, z = each.place.origin
        moved = Place(each.place.cell_id, (x + 0.25, y, z), each.place.rotation)
        file.move(each.guid, moved)
        before, after = text.splitlines(), file.text().splitlines()
        assert len(before) == len(after)
        differing = [(one, other) for one, other in zip(before, after, strict=True) if one != other]
        (row, changed), (place, comment) = differing
        assert [one == other for one, other in zip(row.split(", "), changed.split(", "), strict=True)].count(False) == 1
        assert place.startswith("/* @teleloc ")
        read = next(one for one in parse_sql(file.text(), "").instances if one.guid == each.guid)
        assert read.place.origin == pytest.approx(moved.origin, rel=5.1e-6)
        assert comment == teleloc_text(read.place.cell_id, (*read.place.origin, *read.place.rotation))


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.stem)
def test_each_thing_can_go_and_comes_back_as_it_was(path: Path) -> None:
    """Without a thing and its links the others stand as they did, and the layout is the tools' own."""
    text = read_text(path, SERVER_SQL)
    content = parse_sql(text, path.name)
    for gone in content.instances:
        file = BlockFile(text, path.name)
        file.remove(gone.guid)
        for link in content.links:
            if gone.guid in (link.parent, link.child):
                file.remove_link(link.parent, link.child)
        left = file.text()
        again = parse_sql(left, path.name)
        assert not again.faults
        assert [each.guid for each in again.instances] == [each.guid for each in content.instances if each is not gone]
        assert [(each.parent, each.child) for each in again.links] == [
            (each.parent, each.child) for each in content.links if gone.guid not in (each.parent, each.child)
        ]
        assert "\n\n\n" not in left
        assert left.endswith("\n")
        assert not left.endswith("\n\n")
        assert f"0x{gone.guid:08X}" not in left
