"""The program without a Python does what it does with one: every command, from a folder that knows no checkout."""

from __future__ import annotations

import json
import subprocess
from pathlib import Path

import pytest
from PySide6.QtGui import QImage

import engine
from cellar_door.main import COMMANDS
from cellar_door.virtual_display import NoDisplayError, virtual_display
from release.appdir import build_appdir
from release.icons import write_icons
from tests.release.frozen_program import WIN_PYTHON, Program, program_for_linux, program_for_windows
from tests.sim.test_conform import Folder

pytestmark = pytest.mark.slow

NAMES = [command.name for command in COMMANDS if not command.module.startswith(("docs.", "benchmarks."))]
SCRIPT = """\
import csv, statistics, sys
import cellar_door
with cellar_door.open_world('demo') as world:
    print(world.simulation().tick('W').number, sys.argv[1:])
"""


@pytest.fixture(scope="module", params=["linux", "windows under Wine"])
def program(request: pytest.FixtureRequest) -> Program:
    return program_for_linux() if request.param == "linux" else program_for_windows()


def colours_in(picture: Path, left: float, top: float, right: float, bottom: float) -> int:
    """Different colours in a part of a picture, of which the borders are shares of its size."""
    image = QImage(str(picture))
    assert not image.isNull()
    across = range(round(left * image.width()), round(right * image.width()), 3)
    down = range(round(top * image.height()), round(bottom * image.height()), 3)
    return len({image.pixel(x, y) for x in across for y in down})


def test_it_says_what_it_is_and_lists_every_command(program: Program, tmp_path: Path) -> None:
    done = program.run(tmp_path, "--version")
    assert done.returncode == 0, done.stderr
    lines = done.stdout.splitlines()
    assert lines[0] == f"Cellar Door {engine.__version__}"
    compiled = any((program.folder / "_internal" / "engine" / "_compiled").glob("*/*/stamp.json"))
    assert f"core {'compiled' if compiled else 'python'}" in lines
    done = program.run(tmp_path, "--help")
    listed = [line.split()[0] for line in done.stdout.splitlines() if line.startswith("  ") and line.split()]
    assert [word for word in listed if word in (*NAMES, "bench", "docs-screenshots")] == NAMES


@pytest.mark.parametrize("command", NAMES)
def test_each_command_is_there(program: Program, tmp_path: Path, command: str) -> None:
    done = program.run(tmp_path, command, "--help")
    assert done.returncode == 0, done.stderr
    assert command in done.stdout.splitlines()[0]


def test_the_demo_is_printed_seen_and_drawn(program: Program, tmp_path: Path) -> None:
    done = program.run(tmp_path, "inspect", "demo")
    assert done.returncode == 0, done.stderr
    assert "0xC95B" in done.stdout
    done = program.run(tmp_path, "visible", "demo", "--cell", "0x00070102", "--eye", "22,-15,1.5", "--json")
    assert json.loads(done.stdout)
    done = program.draw(tmp_path, "look", "demo", "--screenshot", "eye.png")
    assert done.returncode == 0, done.stderr
    assert colours_in(tmp_path / "eye.png", 0, 0, 1, 1) > 200


def test_a_walk_is_recorded_captured_and_made_again(program: Program, tmp_path: Path) -> None:
    (tmp_path / "walk.txt").write_text("forward 1s\nleft 0.5s\n", encoding="utf-8")
    walk = ("walk", "demo", "--start", "great_hall", "--script", "walk.txt")
    done = program.run(tmp_path, *walk, "--record", "walk.cdrec", "--capture", "walk.jsonl")
    assert (done.returncode, len(done.stdout.splitlines())) == (0, 45), done.stderr
    assert program.run(tmp_path, "replay", "walk.cdrec").returncode == 0
    done = program.run(tmp_path, "replay-capture", "demo", "walk.jsonl", "--frame", "0x0007FFFF", "--json")
    assert done.returncode == 0, done.stderr
    assert json.loads(done.stdout)
    done = program.run(tmp_path, "compare", "walk.cdrec", "--rules", "ace")
    assert done.returncode in (0, 1), done.stderr


def test_worker_processes_check_the_demo(program: Program, tmp_path: Path) -> None:
    done = program.run(tmp_path, "survey", "demo", "--workers", "2", "--do", "check")
    assert done.returncode == 0, done.stderr
    assert "landblocks: nothing is wrong" in done.stdout


def test_a_cluster_is_refused_in_a_sentence(program: Program, tmp_path: Path) -> None:
    done = program.run(tmp_path, "survey", "demo", "--scheduler", "tcp://127.0.0.1:9")
    assert done.returncode == 2
    assert "this program comes without Dask" in done.stderr


def test_scripts_find_our_library_and_that_of_python(program: Program, tmp_path: Path) -> None:
    (tmp_path / "script.py").write_text(SCRIPT, encoding="utf-8")
    done = program.run(tmp_path, "run", "script.py", "a", "--b")
    assert (done.returncode, done.stdout.strip()) == (0, "0 ['a', '--b']"), done.stderr


def test_a_scene_is_compared_with_its_answers(program: Program, tmp_path: Path) -> None:
    folder = Folder(tmp_path)
    done = program.run(tmp_path, "conform", folder.scene.name, "--golden", folder.golden.name, "--mode", "whole")
    assert done.returncode == 0, done.stderr


def test_the_window_leaves_its_picture_of_a_recording(program: Program, tmp_path: Path) -> None:
    (tmp_path / "walk.txt").write_text("forward 1s\n", encoding="utf-8")
    walk = ("walk", "demo", "--start", "cottage_outside_front_door", "--script", "walk.txt")
    assert program.run(tmp_path, *walk, "--record", "walk.cdrec").returncode == 0
    done = program.draw(tmp_path, "walk.cdrec", "--screenshot", "window.png")
    assert done.returncode == 0, done.stderr
    assert colours_in(tmp_path / "window.png", 0.35, 0.25, 0.6, 0.6) > 100


def test_the_licences_of_all_that_comes_along_are_with_it(program: Program) -> None:
    licences = program.folder / "licences"
    assert {"LGPL-3.txt", "GPL-3.txt", "Python.txt", "README.txt"} <= {file.name for file in licences.iterdir()}
    assert (program.folder / "LICENSE").is_file()
    assert all(any(folder.iterdir()) for folder in licences.iterdir() if folder.is_dir())


def test_the_worker_of_the_windows_survey_answers(tmp_path: Path) -> None:
    program = program_for_linux()
    words = [*program.start, "--part", "editor.models.survey.worker"]
    done = subprocess.run(words, cwd=tmp_path, input=b"", capture_output=True, check=False)
    assert (done.returncode, done.stderr) == (0, b"")


def test_it_finds_opengl_and_other_programs_find_their_own_libraries(tmp_path: Path) -> None:
    program = program_for_linux()
    (tmp_path / "look.py").write_text(
        "import subprocess\nprint(subprocess.run('echo [$LD_LIBRARY_PATH]', shell=True, capture_output=True).stdout)\n",
        encoding="utf-8",
    )
    assert program.run(tmp_path, "run", "look.py", LD_LIBRARY_PATH="/theirs").stdout.strip() == "b'[/theirs]\\n'"
    assert program.run(tmp_path, "run", "look.py").stdout.strip() == "b'[]\\n'"
    try:
        with virtual_display() as display:
            done = program.run(tmp_path, "--part", "cellar_door.graphics", DISPLAY=display, QT_QPA_PLATFORM="xcb")
    except NoDisplayError as error:
        pytest.skip(str(error))
    assert done.returncode == 0, done.stderr
    assert float(done.stdout.split()[0]) >= 3.3


def test_an_appdir_around_it_walks_and_is_opened_with_its_files(tmp_path: Path) -> None:
    program = program_for_linux()
    write_icons(tmp_path / "icons")
    build_appdir(program.folder, tmp_path / "icons", tmp_path / "AppDir", engine.__version__, 1_700_000_000)
    around = Program(program.folder, [str(tmp_path / "AppDir" / "AppRun")], program.environment)
    elsewhere = tmp_path / "elsewhere"
    elsewhere.mkdir()
    done = around.run(elsewhere, "walks", "--help")
    assert done.returncode == 0, done.stderr
    image = str(tmp_path / "Cellar Door.AppImage")
    done = around.run(elsewhere, "associate", XDG_DATA_HOME=str(tmp_path / "data"), APPIMAGE=image)
    assert done.returncode == 0, done.stderr
    entry = (tmp_path / "data" / "applications" / "cellar-door.desktop").read_text(encoding="utf-8")
    assert f'Exec="{image}" %f\n' in entry


def test_windows_shows_version_and_icon_of_both_programs(tmp_path: Path) -> None:
    program = program_for_windows()
    words = ["-c", READ_VERSION, "cellar-door.exe", "cellar-door-window.exe"]
    done = subprocess.run([str(WIN_PYTHON), *words], cwd=program.folder, capture_output=True, check=True)
    subsystems = {"cellar-door.exe": 3, "cellar-door-window.exe": 2}
    for line in done.stdout.decode().splitlines():
        name, subsystem, version, icons = line.split()
        assert int(subsystem) == subsystems.pop(name)
        assert version == engine.__version__
        assert int(icons) > 0
    assert not subsystems


READ_VERSION = """\
import sys, pefile
for name in sys.argv[1:]:
    file = pefile.PE(name)
    table = next(each for each in file.FileInfo[0] if each.Key == b'StringFileInfo').StringTable[0].entries
    icons = [each for each in file.DIRECTORY_ENTRY_RESOURCE.entries if each.id == pefile.RESOURCE_TYPE['RT_GROUP_ICON']]
    print(name, file.OPTIONAL_HEADER.Subsystem, table[b'ProductVersion'].decode(), len(icons))
"""


def test_on_windows_the_registry_opens_our_files_without_a_terminal(tmp_path: Path) -> None:
    program = program_for_windows()
    assert program.run(tmp_path, "associate").returncode == 0
    read = "import winreg; print(winreg.QueryValue(winreg.HKEY_CURRENT_USER, sys.argv[1]))"
    words = ["-c", f"import sys; {read}", "Software\\Classes\\CellarDoor.Recording\\shell\\open\\command"]
    done = subprocess.run([str(WIN_PYTHON), *words], cwd=tmp_path, capture_output=True, encoding="utf-8", check=True)
    try:
        assert done.stdout.strip().endswith('cellar-door-window.exe "%1"')
    finally:
        assert program.run(tmp_path, "associate", "--remove").returncode == 0
    assert subprocess.run([str(WIN_PYTHON), *words], cwd=tmp_path, capture_output=True, check=False).returncode != 0
