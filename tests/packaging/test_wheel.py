"""The wheel, built of the source distribution: what is in it, and every command of the installed program, from a folder
that knows nothing of the checkout."""

from __future__ import annotations

import json
import shutil
import subprocess
import sys
import tarfile
import zipfile
from collections.abc import Iterator
from pathlib import Path

import pytest

import engine
from tests.editor.scripting.test_recipes import scripts
from tests.packaging.clean_install import ROOT, Installation, install, install_alone, packages_of, uninstall
from tests.sim.test_conform import Folder

pytestmark = pytest.mark.slow

PNG = b"\x89PNG\r\n\x1a\n"
COMMANDS = ["inspect", "conform", "visible", "doors", "walk", "replay", "compare", "why", "walks"]
COMMANDS += ["replay-capture", "reproduce", "follow", "look", "export", "diff", "survey", "stabs", "run"]


@pytest.fixture(scope="module")
def installed() -> Iterator[Installation]:
    """In the checkout's folder for what is built: on the same disk the packages cost no room."""
    place = ROOT / "build" / "tests" / "installed"
    shutil.rmtree(place, ignore_errors=True)
    try:
        yield install(place)
    finally:
        shutil.rmtree(place, ignore_errors=True)


def test_the_version_and_the_help_come_without_the_checkout(installed: Installation, tmp_path: Path) -> None:
    done = installed.run(tmp_path, "--version")
    assert (done.returncode, done.stderr) == (0, "")
    lines = done.stdout.splitlines()
    assert lines[0] == f"Cellar Door {engine.__version__}"
    assert f"core {installed.core}" in lines
    done = installed.run(tmp_path, "--help")
    assert (done.returncode, done.stderr) == (0, "")
    assert done.stdout.startswith("usage: cellar-door ")
    listed = [line.split()[0] for line in done.stdout.splitlines() if line.startswith("  ") and line.split()]
    assert [word for word in listed if word in (*COMMANDS, "bench", "docs-screenshots")] == COMMANDS


@pytest.mark.parametrize("command", COMMANDS)
def test_each_command_tells_what_it_takes(installed: Installation, tmp_path: Path, command: str) -> None:
    done = installed.run(tmp_path, command, "--help")
    assert (done.returncode, done.stderr) == (0, "")
    assert done.stdout.startswith(f"usage: cellar-door {command} ")


def test_the_benchmarks_which_stay_in_the_checkout_are_no_traceback(installed: Installation, tmp_path: Path) -> None:
    assert installed.run(tmp_path, "bench", "--help").returncode == 0
    assert "Traceback" not in installed.run(tmp_path, "bench", "physics").stderr


def test_the_demo_is_printed_seen_and_drawn(installed: Installation, tmp_path: Path) -> None:
    done = installed.run(tmp_path, "inspect", "demo")
    assert (done.returncode, done.stderr) == (0, "")
    assert "0xC95B" in done.stdout
    done = installed.run(tmp_path, "visible", "demo", "--cell", "0x00070102", "--eye", "22,-15,1.5", "--json")
    assert (done.returncode, done.stderr) == (0, "")
    assert json.loads(done.stdout)
    done = installed.run(tmp_path, "look", "demo", "--screenshot", "eye.png")
    assert (done.returncode, done.stderr) == (0, "")
    assert (tmp_path / "eye.png").read_bytes()[:8] == PNG


def test_a_walk_is_recorded_captured_and_made_again(installed: Installation, tmp_path: Path) -> None:
    (tmp_path / "walk.txt").write_text("forward 1s\nleft 0.5s\n", encoding="utf-8")
    walk = (
        "walk",
        "demo",
        "--start",
        "great_hall",
        "--script",
        "walk.txt",
        "--record",
        "walk.cdr",
        "--capture",
        "walk.jsonl",
    )
    done = installed.run(tmp_path, *walk)
    assert (done.returncode, len(done.stdout.splitlines())) == (0, 45)
    assert "Traceback" not in done.stderr
    done = installed.run(tmp_path, "replay", "walk.cdr")
    assert (done.returncode, done.stderr) == (0, "")
    done = installed.run(tmp_path, "replay-capture", "demo", "walk.jsonl", "--frame", "0x0007FFFF", "--json")
    assert (done.returncode, done.stderr) == (0, "")
    assert json.loads(done.stdout)


def test_scripts_import_the_library_and_type_checkers_believe_it(installed: Installation, tmp_path: Path) -> None:
    code = (
        "import cellar_door\nwith cellar_door.open_world('demo') as world: print(world.simulation().tick('W').number)\n"
    )
    (tmp_path / "script.py").write_text(code, encoding="utf-8")
    done = installed.run(tmp_path, "run", "script.py")
    assert (done.returncode, done.stdout, done.stderr) == (0, "0\n", "")
    with zipfile.ZipFile(installed.wheel) as wheel:
        typed = {name for name in wheel.namelist() if name.endswith("/py.typed")}
    assert {f"cellar_door/{part}py.typed" for part in ("", "editor/", "engine/")} <= typed


def test_a_scene_is_compared_with_its_answers(installed: Installation, tmp_path: Path) -> None:
    folder = Folder(tmp_path)
    done = installed.run(tmp_path, "conform", folder.scene.name, "--golden", folder.golden.name, "--mode", "whole")
    assert (done.returncode, done.stderr) == (0, "")


def test_the_window_leaves_its_picture(installed: Installation, tmp_path: Path) -> None:
    done = installed.run(tmp_path, "demo", "--screenshot", "window.png", QT_QPA_PLATFORM="")
    assert (done.returncode, done.stderr) == (0, "")
    assert (tmp_path / "window.png").read_bytes()[:8] == PNG


def modules_of(package: str) -> set[str]:
    """The modules of a package of the checkout."""
    return {file.relative_to(ROOT).as_posix() for file in (ROOT / package).rglob("*.py")}


def test_the_wheel_puts_one_package_on_the_path_with_all_in_it(installed: Installation) -> None:
    with zipfile.ZipFile(installed.wheel) as wheel:
        names = wheel.namelist()
    assert {name.split("/")[0].partition("-")[0] for name in names} == {"cellar_door"}
    inside = {name.removeprefix("cellar_door/") for name in names if name.startswith("cellar_door/")}
    expected = {name for package in ("engine", "editor", "ui") for name in modules_of(package)}
    expected |= {name.removeprefix("cellar_door/") for name in modules_of("cellar_door")}
    assert {name for name in inside if name.endswith(".py")} == expected
    for folder, pattern in (("resources", "*"), ("docs", "*.md"), ("docs", "*.png")):
        there = {file.relative_to(ROOT).as_posix() for file in (ROOT / folder).rglob(pattern) if file.is_file()}
        assert there <= inside, pattern
    kinds = {".py", ".pyi", ".md", ".png", ".so", ".json"}
    others = {name for name in inside if Path(name).suffix not in kinds and not name.startswith("resources/")}
    assert others == {"engine/py.typed", "editor/py.typed", "ui/py.typed", "py.typed"}


def test_the_source_distribution_has_what_builds_and_nothing_else(installed: Installation) -> None:
    with tarfile.open(installed.archive) as archive:
        names = {name.partition("/")[2] for name in archive.getnames()}
    tops = {name.partition("/")[0] for name in names if "/" in name}
    assert tops == {"bootstrap", "cellar_door", "cellar_door.egg-info", "docs", "editor", "engine", "resources", "ui"}
    assert {name for name in names if "__pycache__" in name or name.endswith((".pyc", ".so"))} == set()
    assert modules_of("engine") | modules_of("bootstrap") <= names


def test_each_remaining_command_does_its_work(installed: Installation, tmp_path: Path) -> None:
    def succeeds(*words: str) -> str:
        done = installed.run(tmp_path, *words)
        assert done.returncode == 0, done.stderr
        assert "Traceback" not in done.stderr
        return done.stdout

    (tmp_path / "walk.txt").write_text("forward 1s\nleft 0.5s\n", encoding="utf-8")
    assert "Front Door" in succeeds("doors", "demo")
    succeeds("walk", "demo", "--start", "great_hall", "--script", "walk.txt", "--record", "walk.cdrec")
    succeeds("walk", "demo", "--start", "great_hall", "--script", "walk.txt", "--capture", "walk.jsonl")
    assert "45 ticks" in succeeds("compare", "walk.cdrec", "--rules", "ace")
    assert "0x00070102" in succeeds("why", "walk.cdrec", "--of", "player.cell")
    succeeds("reproduce", "walk.cdrec", "--out", "walk.cdrepro")
    assert "45 ticks agree" in succeeds("replay", "walk.cdrepro")
    assert succeeds("follow", "walk.jsonl", "--world", "demo", "--idle", "0.1")
    assert "nothing differs" in succeeds("diff", "demo", "demo")
    assert "landblocks" in succeeds("survey", "demo", "--workers", "2", "--out", "survey", "--html", "survey.html")
    assert (tmp_path / "survey.html").stat().st_size > 1000
    assert "no stab list" in succeeds("stabs", "demo")
    (tmp_path / "walks").mkdir()
    (tmp_path / "walk.cdrec").rename(tmp_path / "walks" / "walk.cdrec")
    assert installed.run(tmp_path, "walks", "walks", "--world", "demo").stdout


def test_edits_are_exported(installed: Installation, tmp_path: Path) -> None:
    code = """
import cellar_door
with cellar_door.open_world("demo") as world:
    world.set_stab_list("Cellar", [])
    world.save_project("edited.cellardoor")
"""
    (tmp_path / "edit.py").write_text(code, encoding="utf-8")
    done = installed.run_python(tmp_path, "edit.py")
    assert (done.returncode, done.stderr) == (0, "")
    done = installed.run(tmp_path, "export", "demo", "--project", "edited.cellardoor", "--out", "exported")
    assert (done.returncode, "Traceback" in done.stderr) == (0, False), done.stderr
    done = installed.run(tmp_path, "diff", "demo", "exported")
    assert (done.returncode, "visible_cells" in done.stdout) == (1, True), done.stdout


def test_a_package_of_somebody_elses_with_such_a_name_stays_beside(installed: Installation, tmp_path: Path) -> None:
    """On the path before everything else, as a folder of PYTHONPATH or beside a script is."""
    for name in ("engine", "editor", "ui", "resources", "docs", "benchmarks"):
        (tmp_path / "theirs" / name).mkdir(parents=True)
        (tmp_path / "theirs" / name / "__init__.py").write_text("THEIRS = True\n", encoding="utf-8")
    theirs = str(tmp_path / "theirs")
    done = installed.run(tmp_path, "--version", PYTHONPATH=theirs)
    assert (done.returncode, done.stderr) == (0, "")
    done = installed.run(tmp_path, "survey", "demo", "--workers", "2", PYTHONPATH=theirs)
    assert (done.returncode, "Traceback" in done.stderr) == (0, False), done.stderr
    done = installed.run(tmp_path, "demo", "--screenshot", "window.png", QT_QPA_PLATFORM="", PYTHONPATH=theirs)
    assert (done.returncode, done.stderr) == (0, "")
    code = "import engine, ui, editor; print(engine.THEIRS, ui.THEIRS, editor.THEIRS)"
    assert installed.run_python(tmp_path, "-c", code, PYTHONPATH=theirs).stdout == "True True True\n"
    done = installed.run_python(tmp_path, "-c", "import engine, cellar_door", PYTHONPATH=theirs)
    assert "cellar_door has a package 'engine', and another module of this name is loaded already" in done.stderr


@pytest.mark.parametrize("way", ["run", "python"])
def test_a_script_has_a_ui_of_its_own(installed: Installation, tmp_path: Path, way: str) -> None:
    (tmp_path / "ui.py").write_text("NAME = 'mine'\n", encoding="utf-8")
    code = "import cellar_door, ui\nwith cellar_door.open_world('demo') as world: print(ui.NAME, world.name)\n"
    (tmp_path / "script.py").write_text(code, encoding="utf-8")
    done = installed.run(tmp_path, "run", "script.py") if way == "run" else installed.run_python(tmp_path, "script.py")
    assert (done.returncode, done.stdout, done.stderr) == (0, "mine demo\n", "")


def test_a_module_has_two_names_and_is_one(installed: Installation, tmp_path: Path) -> None:
    code = """
from cellar_door.engine.geometry import vec as first
from cellar_door.ui.window.help_windows import documentation
import engine.geometry.vec as second
print(first is second, second.__spec__.name, documentation("survey.md"), sep="|")
"""
    done = installed.run_python(tmp_path, "-c", code)
    assert done.stderr == ""
    one, name, page = done.stdout.strip().split("|")
    assert (one, name) == ("True", "engine.geometry.vec")
    assert Path(page).is_file()
    assert "site-packages" in page


def test_the_windows_search_starts_its_process(installed: Installation, tmp_path: Path) -> None:
    """As `editor/models/survey/process.py` starts it; without a task it ends at once."""
    place = packages_of(installed.python) / "cellar_door"
    done = installed.run_python(place, "-m", "editor.models.survey.worker")
    assert (done.returncode, done.stderr) == (0, "")


def test_strict_type_checks_of_the_recipes_pass(installed: Installation, tmp_path: Path) -> None:
    for number, text in enumerate(scripts().values()):
        (tmp_path / f"recipe_{number}.py").write_text(text, encoding="utf-8")
    code = "import cellar_door\nfrom cellar_door.engine.build import rect\nreveal_type(cellar_door.open_world)\n"
    (tmp_path / "asks.py").write_text(code + "reveal_type(rect)\nrect('wide')\n", encoding="utf-8")
    cache = ROOT / ".mypy_cache" / "installed"
    words = ["--strict", "--config-file=", "--python-executable", str(installed.python), "--cache-dir", str(cache)]
    command = [sys.executable, "-m", "mypy", *words, "."]
    done = subprocess.run(command, cwd=tmp_path, capture_output=True, encoding="utf-8", check=False)
    lines = done.stdout.splitlines()
    assert [line.partition(":")[0] for line in lines[:-1]] == ["asks.py"] * 4, done.stdout
    assert "scripting.worlds.World" in lines[0]
    assert "def (x: float" in lines[1]


def test_uninstalling_leaves_nothing(installed: Installation, tmp_path: Path) -> None:
    python = install_alone(installed.wheel, tmp_path / "environment")
    program = python.with_name("cellar-door")
    assert installed.start(program, tmp_path, "--help").returncode == 0
    uninstall(python)
    left = [path for path in (tmp_path / "environment").rglob("*") if "cellar" in path.name.lower()]
    assert (left, program.exists()) == ([], False)
