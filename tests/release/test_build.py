"""A release is everything that this system makes, with the sums of it and the notes."""

from __future__ import annotations

import hashlib
import sys
import tarfile
import zipfile
from pathlib import Path

import pytest

import engine
from release import build
from release.command import main
from release.icons import write_icons

VERSION = engine.__version__


def program_of_two_files(out: Path, work: Path) -> Path:
    """In place of PyInstaller's work, which has tests of its own."""
    folder = out / "cellar-door"
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "cellar-door").write_text("#!/bin/sh\n", encoding="utf-8")
    (folder / "LICENSE").write_text("MIT\n", encoding="utf-8")
    write_icons(work / "icons")
    return folder


@pytest.mark.slow
def test_a_release_holds_packages_program_sums_and_notes(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(build, "build_program", program_of_two_files)
    monkeypatch.setenv("PATH", "/usr/bin:/bin")  # without appimagetool
    out = tmp_path / "out"
    lines = list(build.build_release(out, tmp_path / "work", untagged=True))
    made = {line.removeprefix("made ") for line in lines if line.startswith("made ")}
    assert made == {file.name for file in out.iterdir()}
    lines_of_sums = (out / "SHA256SUMS").read_text(encoding="utf-8").splitlines()
    sums = {name: digest for digest, name in (line.split("  ") for line in lines_of_sums)}
    assert set(sums) == made - {"SHA256SUMS", "RELEASE-NOTES.md"}
    assert all(hashlib.sha256((out / name).read_bytes()).hexdigest() == digest for name, digest in sums.items())
    with tarfile.open(out / f"cellar_door-{VERSION}.tar.gz") as sources:
        names = sources.getnames()
    assert f"cellar_door-{VERSION}/engine/__init__.py" in names
    (wheel,) = out.glob("*.whl")
    with zipfile.ZipFile(wheel) as archive:
        assert "cellar_door/resources/program/cellar-door.svg" in archive.namelist()
    (program,) = [name for name in sums if name.startswith(f"cellar-door-{VERSION}-")]
    assert program.endswith(".zip" if sys.platform == "win32" else ".tar.xz")
    assert any("left out the AppImage" in line for line in lines) == (sys.platform == "linux")
    assert "each is made on its own system" in lines[-1]


def test_a_release_that_cannot_be_made_is_one_sentence(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(engine, "__version__", "99.0")
    assert main(["build", "--out", str(tmp_path), "--untagged"]) == 2
    assert capsys.readouterr().err == "Cellar Door: CHANGELOG.md has no section for 99.0\n"
    assert not any(tmp_path.iterdir())


def test_the_notes_are_printed(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["notes"]) == 0
    assert capsys.readouterr().out.startswith(f"# Cellar Door {VERSION}\n")
    assert main(["notes", "99.0"]) == 2
