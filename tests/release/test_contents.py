"""What comes along: all modules of ours, Python's library for scripts, and of Qt no more than the window needs."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

from cellar_door.main import COMMANDS
from editor.process.own_parts import PARTS
from release.contents import ROOT, STRIPPED, is_needed, own_files, own_modules, reached, standard_library

ELSEWHERE = ("docs.", "benchmarks.")


def test_the_modules_of_all_commands_and_parts_come_along() -> None:
    modules = set(own_modules())
    commands = [command.module for command in COMMANDS if not command.module.startswith(ELSEWHERE)]
    assert modules.issuperset([*commands, *PARTS])


def test_what_the_sources_read_beside_them_comes_along() -> None:
    files = {file.as_posix() for file in own_files()}
    assert files >= {"resources/demo/dungeon.txt", "resources/window.qss", "resources/program/cellar-door.svg"}
    assert files >= {"docs/scripting.md", "LICENSE", "engine/__init__.py", "ui/window/main_window.py"}
    assert not any("__pycache__" in file or file.endswith((".pyc", ".so")) for file in files)
    assert all((ROOT / file).is_file() for file in files)


def test_scripts_find_the_library_of_python_and_none_of_it_is_under_the_gpl() -> None:
    modules = set(standard_library())
    assert modules >= {
        "csv",
        "statistics",
        "sqlite3",
        "concurrent.futures.thread",
        "xml.etree.ElementTree",
        "json.tool",
    }
    assert not {"readline", "_gdbm", "tkinter", "test", "this"} & modules
    assert modules <= {name for name in modules if name.partition(".")[0] in sys.stdlib_module_names}


@pytest.mark.parametrize(
    "name",
    [
        "PySide6/Qt/lib/libQt6Core.so.6",
        "PySide6/Qt/plugins/platforms/libqxcb.so",
        "PySide6/plugins/platforms/qwindows.dll",
        "PySide6\\Qt6Gui.dll",
        "PySide6/QtWidgets.abi3.so",
        "libQt6Svg.so.6",
        "libxcb-cursor.so.0",
        "numpy/_core/_multiarray_umath.cpython-311-x86_64-linux-gnu.so",
    ],
)
def test_what_the_window_needs_stays(name: str) -> None:
    assert is_needed(name)


@pytest.mark.parametrize(
    "name",
    [
        "PySide6/Qt/lib/libQt6Network.so.6",
        "PySide6/Qt/translations/qt_de.qm",
        "PySide6/Qt/plugins/platformthemes/libqgtk3.so",
        "PySide6/plugins/tls/qschannelbackend.dll",
        "PySide6\\opengl32sw.dll",
        "libQt6Qml.so.6",
        "libstdc++.so.6",
        "libX11.so.6",
        "icuuc.dll",
        "api-ms-win-crt-math-l1-1-0.dll",
    ],
)
def test_what_it_does_not_need_and_what_drivers_share_is_left_out(name: str) -> None:
    assert not is_needed(name)


def test_only_libraries_that_something_leads_to_are_reached() -> None:
    imports = {"program": ["a", "b"], "a": ["c"], "b": ["a"], "d": ["e"]}
    assert reached(["program"], lambda name: imports.get(name, [])) == {"a", "b", "c"}


def test_only_libraries_with_tables_for_debuggers_are_stripped() -> None:
    assert STRIPPED.search("libpython3.11.so.1.0")
    assert STRIPPED.search("python3.11/lib-dynload/_ssl.cpython-311-x86_64-linux-gnu.so")
    assert not STRIPPED.search("numpy.libs/libscipy_openblas64_-32a4b2a6.so")
    assert not STRIPPED.search("PySide6/Qt/lib/libQt6Core.so.6")


def test_every_licence_that_the_notice_names_is_in_the_folder() -> None:
    folder = Path(ROOT, "release", "licences")
    assert {file.name for file in folder.iterdir()} == {"LGPL-2.1.txt", "LGPL-3.txt", "GPL-3.txt"}
    assert "GNU LESSER GENERAL PUBLIC LICENSE" in (folder / "LGPL-3.txt").read_text(encoding="utf-8")
