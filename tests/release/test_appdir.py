"""The folder of an AppImage starts the program from wherever it is called, with its words."""

from __future__ import annotations

import os
import subprocess
import sys
import xml.etree.ElementTree as ET
from pathlib import Path

import pytest

from release.appdir import build_appdir, write_appimage
from release.errors import ReleaseError
from release.icons import write_icons

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="AppImages are for Linux")
MOMENT = 1_700_000_000


@pytest.fixture
def appdir(tmp_path: Path) -> Path:
    """Around a program that prints its words."""
    program = tmp_path / "built" / "cellar-door"
    program.mkdir(parents=True)
    (program / "cellar-door").write_text('#!/bin/sh\nprintf "%s|" "$@"\n', encoding="utf-8")
    (program / "cellar-door").chmod(0o755)
    (program / "link").symlink_to("cellar-door")
    write_icons(tmp_path / "icons")
    target = tmp_path / "a folder" / "AppDir"
    build_appdir(program, tmp_path / "icons", target, "1.2.3", MOMENT)
    return target


def test_it_starts_from_another_folder_and_by_a_link(appdir: Path, tmp_path: Path) -> None:
    elsewhere = tmp_path / "elsewhere"
    elsewhere.mkdir()
    (elsewhere / "start").symlink_to(appdir / "AppRun")
    for start in (appdir / "AppRun", elsewhere / "start"):
        done = subprocess.run([start, "a b", "--c"], cwd=elsewhere, capture_output=True, encoding="utf-8", check=True)
        assert done.stdout == "a b|--c|"


def test_it_has_what_appimages_have_at_their_root(appdir: Path) -> None:
    assert {path.name for path in appdir.iterdir()} == {
        "AppRun",
        "cellar-door.desktop",
        "cellar-door.png",
        ".DirIcon",
        "usr",
    }
    assert (appdir / ".DirIcon").read_bytes() == (appdir / "cellar-door.png").read_bytes()
    assert (appdir / "usr/lib/cellar-door/link").is_symlink()
    about = ET.parse(appdir / "usr/share/metainfo/cellar-door.appdata.xml").getroot()
    release = about.find("releases/release")
    assert release is not None
    assert release.attrib == {"version": "1.2.3", "date": "2023-11-14"}


def test_without_the_program_for_it_there_is_no_appimage(
    appdir: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PATH", str(tmp_path))
    assert not write_appimage(appdir, tmp_path / "x.AppImage", "x86_64", MOMENT)


def tool(folder: Path, text: str, monkeypatch: pytest.MonkeyPatch) -> None:
    (folder / "appimagetool").write_text(text, encoding="utf-8")
    (folder / "appimagetool").chmod(0o755)
    monkeypatch.setenv("PATH", f"{folder}{os.pathsep}{os.environ['PATH']}")


def test_the_program_for_it_gets_the_folder_and_the_machine(
    appdir: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    tool(tmp_path, '#!/bin/sh\necho "$ARCH $SOURCE_DATE_EPOCH $2" > "$3"\n', monkeypatch)
    image = tmp_path / "x.AppImage"
    assert write_appimage(appdir, image, "x86_64", MOMENT)
    assert image.read_text(encoding="utf-8") == f"x86_64 {MOMENT} {appdir}\n"


def test_its_failure_is_a_sentence(appdir: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    tool(tmp_path, "#!/bin/sh\necho no room >&2\nexit 1\n", monkeypatch)
    with pytest.raises(ReleaseError, match="appimagetool has failed: no room"):
        write_appimage(appdir, tmp_path / "x.AppImage", "x86_64", MOMENT)
