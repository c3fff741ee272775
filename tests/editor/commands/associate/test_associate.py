"""`associate` tells the system which files are ours, and takes it back; the user's other settings stay."""

from __future__ import annotations

import os
import re
import shlex
import shutil
import subprocess
import sys
import uuid
import xml.etree.ElementTree as ET
from pathlib import Path

import pytest

from cellar_door.main import main
from editor.commands.associate import freedesktop
from editor.commands.associate.command import window_command
from editor.commands.associate.kinds import OWN_KINDS
from editor.session.sources import FILES_OF_WORLDS

SPACE = "{http://www.freedesktop.org/standards/shared-mime-info}"
on_linux = pytest.mark.skipif(sys.platform != "linux", reason="the desktops that read these files are Linux'")


def test_the_kinds_are_those_that_can_be_opened_but_for_captures() -> None:
    assert {f"*{kind.suffix}" for kind in OWN_KINDS} == {each.pattern for each in FILES_OF_WORLDS} - {"*.jsonl"}


def entry_of(text: str) -> dict[str, str]:
    head, *lines = text.splitlines()
    assert head == "[Desktop Entry]"
    return dict(line.split("=", 1) for line in lines)


def test_the_entry_for_desktops_names_all_kinds_and_passes_a_file() -> None:
    entry = entry_of(freedesktop.desktop_entry(["/opt/cellar-door"]))
    assert entry["Exec"] == '"/opt/cellar-door" %f'
    assert entry["MimeType"].split(";") == [*(kind.mime for kind in OWN_KINDS), ""]
    assert entry["Terminal"] == "false"


@pytest.mark.parametrize("word", ["/a b/c", '/a"b', "/a$b", "/a\\b", "/a`b", "/a%b"])
def test_any_path_of_the_program_is_a_word_of_the_entry(word: str) -> None:
    value = freedesktop.quoted(word).replace("\\\\", "\\")  # as a desktop reads a value of the file
    assert value[0] == value[-1] == '"'
    assert re.sub(r"\\(.)", r"\1", value[1:-1]).replace("%%", "%") == word


def test_the_description_of_kinds_is_in_the_form_of_desktops() -> None:
    root = ET.fromstring(freedesktop.mime_description())
    found = {
        each.get("type"): each.find(f"{SPACE}glob").get("pattern")  # type: ignore[union-attr]  # a missing one fails
        for each in root.iter(f"{SPACE}mime-type")
    }
    assert found == {kind.mime: f"*{kind.suffix}" for kind in OWN_KINDS}


@on_linux
def test_a_user_has_three_files_more_and_then_none(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path))
    other = tmp_path / "applications" / "other.desktop"
    other.parent.mkdir()
    other.write_text("[Desktop Entry]\n", encoding="utf-8")
    assert main(["associate"]) == 0
    made = capsys.readouterr().out.splitlines()[1:]
    assert [Path(line.strip()).is_file() for line in made] == [True, True, True]
    text = (tmp_path / freedesktop.ENTRY_FILE).read_text(encoding="utf-8")
    assert shlex.split(entry_of(text)["Exec"]) == [*window_command(), "%f"]
    assert main(["associate", "--remove"]) == 0
    assert [Path(line.strip()).exists() for line in made] == [False, False, False]
    assert other.exists()
    capsys.readouterr()
    assert main(["associate", "--remove"]) == 0
    assert capsys.readouterr().out.startswith("This program did not open ")


@on_linux
@pytest.mark.skipif(
    shutil.which("update-mime-database") is None or shutil.which("gio") is None,
    reason="the desktop's own tools (shared-mime-info, gio) are not installed",
)
def test_the_desktop_knows_our_files_by_what_was_written(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path))
    assert main(["associate"]) == 0
    for kind in OWN_KINDS:
        file = tmp_path / f"x{kind.suffix}"
        file.write_bytes(b"something")
        words = ["gio", "info", "--attributes=standard::content-type", str(file)]
        said = subprocess.run(words, capture_output=True, encoding="utf-8", check=True).stdout
        assert re.search(rf"standard::content-type: {re.escape(kind.mime)}$", said, re.M)


@on_linux
def test_a_folder_that_cannot_be_written_is_one_sentence(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "file").write_bytes(b"")
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path / "file"))
    assert main(["associate"]) == 2
    assert len(capsys.readouterr().err.splitlines()) == 1


def test_an_appimage_is_opened_by_its_own_file(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("APPIMAGE", "/home/x/Cellar Door.AppImage")
    assert window_command() == ["/home/x/Cellar Door.AppImage"]


def test_in_a_checkout_files_are_opened_by_its_start(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("APPIMAGE", raising=False)
    program, script = window_command()
    assert os.path.isfile(program)
    assert Path(script).name == "run_editor.py"


if sys.platform == "win32":
    import winreg

    from editor.commands.associate import registry

    def test_the_registry_has_our_kinds_and_then_not_and_others_keep_theirs() -> None:
        classes = f"Software\\Cellar Door tests\\{uuid.uuid4().hex}"
        here = winreg.HKEY_CURRENT_USER
        first, second, third = OWN_KINDS
        winreg.SetValue(here, f"{classes}\\{second.suffix}", winreg.REG_SZ, "Other.Program")
        assert len(registry.add(["C:\\a folder\\cellar-door.exe"], "C:\\x.ico,0", classes)) == 3
        assert winreg.QueryValue(here, f"{classes}\\{first.suffix}") == first.prog_id
        assert winreg.QueryValue(here, f"{classes}\\{second.suffix}") == "Other.Program"
        command = winreg.QueryValue(here, f"{classes}\\{first.prog_id}\\shell\\open\\command")
        assert command == '"C:\\a folder\\cellar-door.exe" "%1"'
        with winreg.OpenKey(here, f"{classes}\\{third.suffix}\\OpenWithProgids") as key:
            assert winreg.EnumValue(key, 0)[0] == third.prog_id
        assert len(registry.remove(classes)) == 3
        assert registry.remove(classes) == []
        with winreg.OpenKey(here, classes) as key:
            assert winreg.QueryInfoKey(key)[0] == 1
        assert winreg.QueryValue(here, f"{classes}\\{second.suffix}") == "Other.Program"
        for name in (f"{classes}\\{second.suffix}", classes):
            winreg.DeleteKey(here, name)
