"""A folder of databases: found under any spelling, with a clear message for missing or misplaced files."""

from __future__ import annotations

import os
import sys
from pathlib import Path

import pytest

from engine.dat import DatError
from engine.dat.database import DatDatabase
from engine.dat.datafolder import DatFolder
from engine.dat.ids import DatKind
from engine.dat.writer import write_database

PORTAL, CELL = "client_portal.dat", "client_cell_1.dat"
HIGHRES, LOCAL = "client_highres.dat", "client_local_English.dat"


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    found = tmp_path / "ac"
    found.mkdir()
    write_database(found / PORTAL, DatKind.PORTAL, [(0x0D000001, b"room"), (0x06000001, b"small image")])
    write_database(found / CELL, DatKind.CELL, [(0xC95BFFFF, b"land")])
    return found


def refused(path: Path) -> DatError:
    with pytest.raises(DatError) as caught:
        DatFolder(path)
    return caught.value


def test_portal_and_cell_are_enough(folder: Path) -> None:
    with DatFolder(folder) as data:
        assert (data.portal.kind, data.cell.kind) == (DatKind.PORTAL, DatKind.CELL)
        assert (data.highres, data.local, data.problems) == (None, None, [])
        assert data.path == folder
        assert data.portal_record(0x0D000001) == b"room"
        assert data.cell_record(0xC95BFFFF) == b"land"


@pytest.mark.parametrize("name", [PORTAL, CELL])
def test_opening_one_of_the_files_opens_its_folder(folder: Path, name: str) -> None:
    with DatFolder(folder / name) as data:
        assert data.path == folder


def test_names_are_found_in_any_case(folder: Path) -> None:
    (folder / PORTAL).rename(folder / "Client_Portal.DAT")
    (folder / CELL).rename(folder / "CLIENT_CELL_1.dat")
    with DatFolder(folder) as data:
        assert os.path.samefile(data.portal.file, folder / "Client_Portal.DAT")
        assert data.cell_record(0xC95BFFFF) == b"land"


def test_the_usual_spelling_wins_over_another(folder: Path) -> None:
    write_database(folder / "CLIENT_PORTAL.DAT", DatKind.PORTAL, [])
    with DatFolder(folder) as data:
        assert data.portal.file == os.fspath(folder / PORTAL)


def test_a_portal_record_may_come_from_the_high_resolution_file(folder: Path) -> None:
    write_database(folder / HIGHRES, DatKind.HIGHRES, [(0x06000001, b"other"), (0x06000002, b"large image")])
    write_database(folder / LOCAL, DatKind.LOCAL, [(0x31000001, b"words")])
    with DatFolder(folder) as data:
        assert data.portal_record(0x06000001) == b"small image"
        assert data.portal_record(0x06000002) == b"large image"
        assert data.portal_holder(0x06000002) is data.highres
        assert data.portal_holder(0x06000003) is None
        assert data.local is not None
        assert data.local.read(0x31000001) == b"words"


def test_a_missing_record_is_reported_with_its_file(folder: Path) -> None:
    with DatFolder(folder) as data:
        with pytest.raises(DatError, match="record 0x0D000002: there is no such record") as caught:
            data.portal_record(0x0D000002)
        assert caught.value.file == os.fspath(folder / PORTAL)
        with pytest.raises(DatError, match=r"client_cell_1\.dat, record 0x0007FFFF"):
            data.cell_record(0x0007FFFF)


def test_a_missing_file_is_reported_with_the_files_found(folder: Path) -> None:
    (folder / CELL).unlink()
    (folder / "acclient.exe").touch()
    error = refused(folder)
    assert error.file == os.fspath(folder)
    assert error.reason == "client_cell_1.dat is missing; the folder holds client_portal.dat, acclient.exe"


def test_both_missing_files_are_named(tmp_path: Path) -> None:
    (tmp_path / "portal.dat").touch()
    for number in range(12):
        (tmp_path / f"a{number:02}.txt").touch()
    assert refused(tmp_path).reason == (
        "client_portal.dat and client_cell_1.dat are missing; the folder holds "
        "portal.dat, a00.txt, a01.txt, a02.txt, a03.txt, a04.txt, a05.txt, a06.txt and 5 more"
    )


def test_an_empty_folder_holds_nothing(tmp_path: Path) -> None:
    assert refused(tmp_path).reason == "client_portal.dat and client_cell_1.dat are missing; the folder holds nothing"


def test_a_missing_folder_is_reported(tmp_path: Path) -> None:
    assert str(refused(tmp_path / "ac")) == f"{tmp_path / 'ac'}: there is no such folder"


@pytest.mark.parametrize("name", ["x" * 300, "x\0", "client_portal.dat/x"])
def test_an_impossible_folder_name_is_an_error(folder: Path, name: str) -> None:
    assert refused(folder / name).file == os.fspath(folder / name)


def test_opening_any_file_opens_its_folder(tmp_path: Path) -> None:
    (tmp_path / "readme.txt").touch()
    assert refused(tmp_path / "readme.txt").reason.endswith("are missing; the folder holds readme.txt")


@pytest.mark.skipif(sys.platform == "win32", reason="Windows has no such permissions")
def test_a_folder_without_permission_is_an_error(folder: Path) -> None:
    folder.chmod(0)
    mighty = os.geteuid() == 0
    if mighty:
        os.seteuid(65534)  # nobody: the superuser may read everything
    try:
        assert "Permission denied" in refused(folder).reason
    finally:
        if mighty:
            os.seteuid(0)


@pytest.mark.parametrize(
    ("name", "kind", "reason"),
    [
        (CELL, DatKind.PORTAL, "this is a portal database (data set 1) under the name of a cell database (data set 2)"),
        (PORTAL, DatKind.CELL, "this is a cell database (data set 2) under the name of a portal database (data set 1)"),
        (
            PORTAL,
            DatKind.LOCAL,
            "this is a local (language) database (data set 3) under the name of a portal database (data set 1)",
        ),
        (
            PORTAL,
            DatKind.HIGHRES,
            "this is a high resolution database (data set 1) under the name of a portal database (data set 1)",
        ),
    ],
)
def test_a_database_under_the_wrong_name_is_reported(folder: Path, name: str, kind: DatKind, reason: str) -> None:
    write_database(folder / name, kind, [])
    error = refused(folder)
    assert (error.file, error.field, error.offset) == (os.fspath(folder / name), "data set", 0x14C)
    assert error.reason == reason


def test_a_damaged_database_is_an_error(folder: Path) -> None:
    (folder / CELL).write_bytes(b"")
    assert refused(folder).reason == "the file is empty"


def test_a_damaged_optional_database_is_a_problem_and_the_rest_opens(folder: Path) -> None:
    (folder / HIGHRES).write_bytes(b"short")
    write_database(folder / LOCAL, DatKind.CELL, [])
    with DatFolder(folder) as data:
        assert (data.highres, data.local) == (None, None)
        assert [(Path(problem.file).name, problem.field) for problem in data.problems] == [
            (HIGHRES, "header"),
            (LOCAL, "data set"),
        ]
        assert data.portal_record(0x0D000001) == b"room"


def test_a_closed_folder_has_closed_all_its_databases(folder: Path) -> None:
    write_database(folder / HIGHRES, DatKind.HIGHRES, [])
    data = DatFolder(folder)
    data.close()
    databases: list[DatDatabase | None] = [data.portal, data.cell, data.highres]
    for database in databases:
        assert database is not None
        with pytest.raises(DatError, match="the database has been closed"):
            database.read(0x0D000001)
