"""The index of a folder of server data: it says what the files say, follows their changes, and survives damage."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from editor.session.server_index import KEPT, bring_up_to_date
from engine.world.server.folder import FolderData
from engine.world.server.index import ServerIndex, index_bytes, index_name, parse_index
from engine.world.server.model import Weenie
from tests.world.server.test_sources import FIXTURE, folder, needs_fixture
from tests.world.server.worlds import instance_sql, weenie_sql, write


@pytest.fixture
def root(tmp_path: Path) -> Path:
    return folder(tmp_path / "world")


def indexed(root: Path, index: ServerIndex | None = None) -> tuple[ServerIndex, int]:
    made = ServerIndex(root) if index is None else index
    return made, made.update(FolderData.open(root).files)


def forbid_reading(monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(*given: object) -> None:
        raise AssertionError("a file was read")

    monkeypatch.setattr("engine.world.server.index.read_sql_file", refuse)


def test_weenies_come_from_the_index_as_from_their_files(root: Path) -> None:
    index, changed = indexed(root)
    assert changed == 4
    read = FolderData.open(root)
    known: list[Weenie | None] = [index.weenie(read.files, wcid) for wcid in (412, 286)]
    assert known == [read.weenie(412), read.weenie(286)]
    assert index.weenie(read.files, 99) is None
    assert index.totals(read.files) == {"instances": 2, "weenies placed": 2, "encounters": 1}


def test_what_has_not_changed_is_not_read_again(root: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    index, _ = indexed(root)
    again = parse_index(index_bytes(index), root)
    assert again.entries == index.entries
    forbid_reading(monkeypatch)
    assert indexed(root, again)[1] == 0


def test_changed_new_and_removed_files_are_noticed(root: Path) -> None:
    index, _ = indexed(root)
    door, lever = root / "weenies" / "Door" / "00412 Door.sql", root / "weenies" / "286.sql"
    text = door.read_text(encoding="utf-8").replace("'Door'", "'Gate'")
    door.write_text(text, encoding="utf-8")
    status = door.stat()
    os.utime(door, ns=(status.st_atime_ns, status.st_mtime_ns + 1))
    lever.unlink()
    write(root / "weenies" / "7.sql", weenie_sql(7, 10, "Rat"))
    assert indexed(root, index)[1] == 3
    files = FolderData.open(root).files
    names = [weenie and weenie.name for weenie in (index.weenie(files, wcid) for wcid in (412, 286, 7))]
    assert names == ["Gate", None, "Rat"]


def test_a_file_with_faults_is_always_read_itself(root: Path) -> None:
    write(root / "weenies" / "7.sql", weenie_sql(7, 10, "Rat", int={93: "none"}))
    index, _ = indexed(root)
    data = FolderData.open(root)
    index.install(data)
    rat = data.weenie(7)
    assert rat is not None
    assert index.weenie(data.files, 7) is None
    assert "7.sql: line" in data.faults[0].reason


def test_damaged_files_are_told_once_the_index_is_made(root: Path) -> None:
    write(root / "landblocks" / "0001.sql", instance_sql(0x70001000, 412, 0x00010100), "INSERT INTO `weenie` broken(")
    write(root / "landblocks" / "0002.sql", "INSERT INTO `landblock_instance` broken(")
    data = FolderData.open(root)
    index, _ = indexed(root)
    index.install(data)
    (fault,) = data.all_faults()
    assert fault.where == 0x0002FFFF
    assert fault.reason.startswith("landblocks/0002.sql: line 1")
    assert data.block(0x0002FFFF).faults == [fault], "opening its landblock tells the very same"
    index.install(data)
    assert data.all_faults() == [fault]


def test_a_damaged_index_counts_as_none(root: Path) -> None:
    whole = index_bytes(indexed(root)[0])
    for at in range(0, len(whole), 7):
        for damaged in (whole[:at], whole[:at] + b"\xff" + whole[at + 1 :], whole[:at] + b"\n" + whole[at:]):
            assert parse_index(damaged, root).entries == {}
    assert parse_index(whole, root / "elsewhere").entries == {}


def test_the_index_is_kept_in_the_cache(root: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    cache = tmp_path / "cache"
    said: list[str] = []
    bring_up_to_date(FolderData.open(root), cache, lambda fraction, sentence: said.append(sentence))
    assert said == ["Indexing the server data: 0 of 4 files"]
    (file,) = cache.iterdir()
    assert file.name == index_name(root)
    forbid_reading(monkeypatch)
    data = FolderData.open(root)
    bring_up_to_date(data, cache)
    assert data.counts()["instances"] == 2
    door = data.weenie(412)
    assert door is not None
    assert door.source == "weenies/Door/00412 Door.sql: line 3"
    monkeypatch.undo()
    file.write_bytes(b"damaged")
    bring_up_to_date(FolderData.open(root), cache)
    assert len(parse_index(file.read_bytes(), root).entries) == 4


def test_the_indexes_of_a_few_folders_are_kept(tmp_path: Path) -> None:
    cache = tmp_path / "cache"
    roots = [folder(tmp_path / f"world {number}") for number in range(KEPT + 2)]
    for number, root in enumerate(roots):
        bring_up_to_date(FolderData.open(root), cache)
        os.utime(cache / index_name(root), ns=(number, number))
    assert {file.name for file in cache.iterdir()} == {index_name(root) for root in roots[-KEPT:]}


def test_a_cache_that_cannot_be_written_is_done_without(root: Path, tmp_path: Path) -> None:
    blocked = write(tmp_path / "file", "in the way")
    data = FolderData.open(root)
    bring_up_to_date(data, blocked / "cache")
    assert data.known is not None


def test_an_index_stopped_halfway_is_not_written(root: Path, tmp_path: Path) -> None:
    class StoppedError(Exception):
        pass

    def told(fraction: float, sentence: str) -> None:
        raise StoppedError

    with pytest.raises(StoppedError):
        bring_up_to_date(FolderData.open(root), tmp_path / "cache", told)
    assert not (tmp_path / "cache").exists()


def test_an_instance_file_of_many_things_is_counted(root: Path) -> None:
    write(root / "landblocks" / "0001.sql", *(instance_sql(0x70001000 + n, n % 3, 0x00010100) for n in range(30)))
    index, _ = indexed(root)
    totals = index.totals(FolderData.open(root).files)
    assert (totals["instances"], totals["weenies placed"]) == (32, 5)


@needs_fixture
def test_a_real_towns_weenies_are_the_same_from_the_index() -> None:
    data = FolderData.open(FIXTURE)
    index = ServerIndex(FIXTURE)
    assert index.update(data.files) == 169
    again = parse_index(index_bytes(index), FIXTURE)
    for wcid in data.files.weenies:
        assert again.weenie(data.files, wcid) == data.weenie(wcid)
