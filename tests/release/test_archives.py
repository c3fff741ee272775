"""Archives have the same bytes whenever and wherever they are packed."""

from __future__ import annotations

import hashlib
import os
import sys
import tarfile
import zipfile
from pathlib import Path

import pytest

from release.archives import write_sums, write_tar, write_zip

MOMENT = 1_700_000_000


def folder_of(place: Path, *, stamp: int) -> Path:
    folder = place / "cellar-door"
    (folder / "inner").mkdir(parents=True)
    for name, text in (("b.txt", "two"), ("a.txt", "one"), ("inner/c.exe", "three")):
        (folder / name).write_text(text, encoding="utf-8")
        os.utime(folder / name, (stamp, stamp))
    (folder / "inner" / "c.exe").chmod(0o755)
    return folder


def test_a_zip_of_the_same_files_has_the_same_bytes(tmp_path: Path) -> None:
    zips = []
    for number, stamp in enumerate((1_000_000_000, 1_600_000_000)):
        target = tmp_path / f"{number}.zip"
        write_zip(folder_of(tmp_path / str(number), stamp=stamp), target, MOMENT)
        zips.append(target.read_bytes())
    assert zips[0] == zips[1]
    with zipfile.ZipFile(tmp_path / "0.zip") as archive:
        names = ["cellar-door/a.txt", "cellar-door/b.txt", "cellar-door/inner/c.exe"]
        assert archive.namelist() == names
        assert archive.read(names[0]) == b"one"
        assert {entry.date_time for entry in archive.infolist()} == {(2023, 11, 14, 22, 13, 20)}
        assert archive.infolist()[2].external_attr >> 16 & 0o111


def test_a_zip_takes_no_time_before_1980(tmp_path: Path) -> None:
    write_zip(folder_of(tmp_path / "early", stamp=MOMENT), tmp_path / "early.zip", 0)
    with zipfile.ZipFile(tmp_path / "early.zip") as archive:
        assert archive.infolist()[0].date_time[0] == 1980


@pytest.mark.skipif(sys.platform == "win32", reason="Windows packs zips, and makes links for administrators only")
def test_a_tar_keeps_links_and_permissions_and_nothing_of_the_machine(tmp_path: Path) -> None:
    tars = []
    for number, stamp in enumerate((1_000_000_000, 1_600_000_000)):
        folder = folder_of(tmp_path / str(number), stamp=stamp)
        (folder / "link").symlink_to("a.txt")
        if number:
            os.link(folder / "a.txt", tmp_path / "elsewhere")
        else:
            os.link(folder / "a.txt", folder / "same")
            (folder / "same").unlink()
        target = tmp_path / f"{number}.tar.xz"
        write_tar(folder, target, MOMENT)
        tars.append(target.read_bytes())
    assert tars[0] == tars[1]
    with tarfile.open(tmp_path / "0.tar.xz") as archive:
        members = {member.name: member for member in archive}
    assert members["cellar-door/link"].linkname == "a.txt"
    assert members["cellar-door/inner/c.exe"].mode == 0o755
    assert members["cellar-door/a.txt"].mode == 0o644
    assert {(member.mtime, member.uid, member.uname) for member in members.values()} == {(MOMENT, 0, "")}


@pytest.mark.skipif(sys.platform == "win32", reason="only tar files know second names")
def test_a_file_with_two_names_is_packed_twice(tmp_path: Path) -> None:
    folder = folder_of(tmp_path / "twice", stamp=MOMENT)
    os.link(folder / "a.txt", folder / "z.txt")
    write_tar(folder, tmp_path / "twice.tar.xz", MOMENT)
    with tarfile.open(tmp_path / "twice.tar.xz") as archive:
        second = archive.extractfile("cellar-door/z.txt")
        assert second is not None
        assert second.read() == b"one"


def test_the_checksums_are_those_of_the_files(tmp_path: Path) -> None:
    files = [tmp_path / "b.zip", tmp_path / "a.zip"]
    for file in files:
        file.write_bytes(file.name.encode())
    lines = write_sums(tmp_path, files).read_text(encoding="utf-8").splitlines()
    assert lines == [f"{hashlib.sha256(name.encode()).hexdigest()}  {name}" for name in ("a.zip", "b.zip")]
