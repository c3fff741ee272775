"""The folder of user scripts: names from docstrings, reasons for what cannot run, and nothing is run by looking."""

from __future__ import annotations

import os
import sys
from pathlib import Path

import pytest

from editor.scripting.user_scripts import MOST, ScriptFolder, file_name_of, is_of_a_world, new_script
from engine.files.kinds import USER_SCRIPT


def test_scripts_are_named_after_their_docstring_or_their_file(tmp_path: Path) -> None:
    (tmp_path / "a.py").write_text('# -*- coding: utf-8 -*-\n\n"""Widen all doors.\n\nMore."""\n')
    (tmp_path / "lock_all-doors.py").write_text("import os\n'''no docstring'''\n")
    (tmp_path / "bom.py").write_bytes(b"\xef\xbb\xbf'Zoom'\n")
    (tmp_path / "_helper.py").write_text("'Hidden'")
    (tmp_path / ".x.py").write_text("'Hidden'")
    (tmp_path / "notes.txt").write_text("'Hidden'")
    assert [script.title for script in ScriptFolder(tmp_path).scripts()] == [
        "Lock all doors",
        "Widen all doors",
        "Zoom",
    ]


def test_looking_runs_nothing(tmp_path: Path) -> None:
    mark = tmp_path / "mark"
    (tmp_path / "evil.py").write_text(f"open({str(mark)!r}, 'w').write('ran')\n")
    (tmp_path / "f.py").write_text('f"""{open(' + repr(str(mark)) + ', \'w\')}"""\n')
    assert len(ScriptFolder(tmp_path).scripts()) == 2
    assert not mark.exists()


@pytest.mark.skipif(sys.platform == "win32", reason="links and pipes as on Unix")
def test_what_is_no_script_is_listed_with_the_reason(tmp_path: Path) -> None:
    (tmp_path / "binary.py").write_bytes(b"\xff\xfe\x00")
    (tmp_path / "folder.py").mkdir()
    os.symlink("loop.py", tmp_path / "loop.py")
    os.mkfifo(tmp_path / "pipe.py")
    with (tmp_path / "large.py").open("wb") as stream:
        stream.truncate(USER_SCRIPT.most + 1)
    (tmp_path / "null.py").write_bytes(b"a = 1\0")
    os.symlink("/nowhere", tmp_path / "gone.py")
    found = {script.path.name: script.problem for script in ScriptFolder(tmp_path).scripts()}
    assert all(found.values()), found
    assert "UTF-8" in found["binary.py"]
    assert "folder" in found["folder.py"]
    assert "pipe" in found["pipe.py"]
    assert "larger" in found["large.py"]


def test_a_script_with_broken_python_is_offered_and_fails_when_run(tmp_path: Path) -> None:
    for name, text in (("a", '"""Named"""\ndef ('), ("b", "'''open"), ("c", "\t\n  x\n y"), ("d", "(" * 10_000)):
        (tmp_path / f"{name}.py").write_text(text)
    assert [script.title for script in ScriptFolder(tmp_path).scripts()] == ["B", "C", "D", "Named"]


def test_a_changed_file_is_read_again(tmp_path: Path) -> None:
    folder, file = ScriptFolder(tmp_path), tmp_path / "a.py"
    file.write_text("'One'")
    assert [script.title for script in folder.scripts()] == ["One"]
    file.write_text("'Another'")
    assert [script.title for script in folder.scripts()] == ["Another"]
    file.unlink()
    assert folder.scripts() == []


def test_a_missing_folder_has_no_scripts_and_a_bad_one_says_why(tmp_path: Path) -> None:
    assert ScriptFolder(tmp_path / "none").scripts() == []
    file = tmp_path / "file"
    file.write_text("")
    folder = ScriptFolder(file)
    assert folder.scripts() == []
    assert "cannot be read" in folder.problem


def test_of_very_many_scripts_the_first_are_listed(tmp_path: Path) -> None:
    for number in range(MOST + 5):
        (tmp_path / f"s{number:04}.py").write_text("")
    folder = ScriptFolder(tmp_path)
    assert len(folder.scripts()) == MOST
    assert folder.left_out == 5


def test_names_cannot_steer_the_menu(tmp_path: Path) -> None:
    (tmp_path / "a.py").write_text('"""<img src=x>\\u202eevil' + "x" * 1000 + '"""')
    title = ScriptFolder(tmp_path).scripts()[0].title
    assert "\u202e" not in title
    assert len(title) < 200


def test_a_new_script_never_replaces_another(tmp_path: Path) -> None:
    first = new_script(tmp_path / "scripts", 'Say "hi"\\')
    second = new_script(tmp_path / "scripts", 'Say "hi"\\')
    assert (first.name, second.name) == ("say_hi.py", "say_hi_2.py")
    compile(first.read_text(), "x", "exec")
    assert [script.title for script in ScriptFolder(tmp_path / "scripts").scripts()] == ["Say hi", "Say hi"]
    assert file_name_of("../ü") == "script.py"


def test_a_folder_of_what_is_open_is_not_the_users_own(tmp_path: Path) -> None:
    world, scripts = tmp_path / "world", tmp_path / "scripts"
    (world / "sub").mkdir(parents=True)
    scripts.mkdir()
    project = scripts / "a.cellardoor"
    project.write_text("")
    assert is_of_a_world(world, [world])
    assert is_of_a_world(world / "sub", [world])
    assert is_of_a_world(scripts, [project])
    assert not is_of_a_world(scripts, [world, scripts / "demo"])
