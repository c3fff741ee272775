"""What a program without a Python holds: our modules as files, Python's library, and of Qt what the window needs.

Our modules are files as in a checkout, and not in PyInstaller's archive: by their bytes the compiled core and the demo
world are found, scripts read them, and what goes wrong is told with its lines.
"""

from __future__ import annotations

import importlib.util
import pkgutil
import re
import subprocess
import sys
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path, PurePosixPath
from typing import Final

ROOT: Final = Path(__file__).resolve().parent.parent
OWN: Final = ("cellar_door", "editor", "engine", "ui")
COMPILED: Final = "engine/_compiled"
"""Where `engine/_core.py` searches for a core that came along."""

DOCUMENTS: Final = (".md", ".txt", ".json")
"""Of docs/; the pictures are for reading on the web, and are four fifths of it."""

LEFT_OUT: Final = frozenset(
    (
        "antigravity",
        "distutils",
        "ensurepip",
        "idlelib",
        "lib2to3",
        "pydoc_data",
        "test",
        "this",
        "tkinter",
        "turtle",
        "turtledemo",
        "venv",
        "_tkinter",
        "_gdbm",
        "nis",
        "ossaudiodev",
        "readline",
    )
)
"""Python's modules that need Tk or an installation of Python, only demonstrate, or bring along libraries under the GPL
(readline, gdbm)."""

FOREIGN: Final = ("pymysql", "OpenGL.platform", "OpenGL.arrays")
"""Packages of which modules are imported by names that are made up at run time, or only when they are wanted."""

FOREIGN_LEFT_OUT: Final = (
    "IPython",
    "OpenGL.GLUT",
    "OpenGL.Tk",
    "PyInstaller",
    "coverage",
    "dask",
    "distributed",
    "hypothesis",
    "matplotlib",
    "mypy",
    "mypyc",
    "pandas",
    "pytest",
    "scipy",
    "setuptools",
    "tkinter",
)
"""Packages that others import where they find them: those of the checks, and Dask with two dozen behind it."""

QT_MODULES: Final = ("Core", "DBus", "Gui", "OpenGL", "OpenGLWidgets", "Svg", "Test", "Widgets")
"""Of Qt, by the name behind `Qt`: those that we and pyqtgraph import."""
QT_LIBRARIES: Final = (
    *QT_MODULES,
    "XcbQpa",
    "EglFSDeviceIntegration",
    "WaylandClient",
    "WaylandEglClientHwIntegration",
)
QT_PLUGINS: Final = (
    "egldeviceintegrations",
    "generic",
    "networkinformation",
    "platforminputcontexts/libqtvirtualkeyboard",
    "platformthemes/libqgtk3",
    "platforms/libqeglfs",
    "platforms/libqlinuxfb",
    "platforms/libqminimal",
    "platforms/libqvnc",
    "platforms/libqvkkhrdisplay",
    "platforms/qdirect2d",
    "platforms/qminimal",
    "qmltooling",
    "sqldrivers",
    "tls",
    "imageformats/libqpdf",
    "imageformats/qpdf",
)
"""Beginnings of names below Qt's plugins that are left out: for devices without windows, for the network, or,
as GTK's theme, with half a desktop behind them."""


LIBRARIES_OF_THE_SYSTEM: Final = re.compile(
    r"lib(stdc\+\+|gcc_s|X11|X11-xcb|Xau|Xdmcp|Xext|xcb|xcb-glx|xcb-shm|xcb-sync|xcb-xfixes|xcb-randr|drm|gbm|wayland-\w+"
    r"|fontconfig|freetype|expat|z|zstd|uuid|com_err|harfbuzz|systemd|selinux|mount|blkid)\.so"
)
"""Libraries that graphics drivers load too. An older copy of ours would break a newer driver; every desktop has
them, and AppImage's list of excluded libraries names most of them."""
LIBRARIES_OF_WINDOWS: Final = re.compile(r"(icuuc|ucrtbase|api-ms-win-[\w-]+)\.dll", re.I)
"""Libraries that every Windows 10 has; where the program is built by Wine's Windows, those are stand-ins."""
STRIPPED: Final = re.compile(r"(^|/)(libpython[^/]*|lib-dynload/[^/]*|OpenGL_accelerate/[^/]*)\.so")
"""Libraries with tables for debuggers, 30 MB of them, that no tool has changed after they were linked."""


def own_modules(root: Path = ROOT) -> list[str]:
    """The names of all our modules: what they import has to come along."""
    found = []
    for top in OWN:
        for file in sorted((root / top).rglob("*.py")):
            parts = file.relative_to(root).with_suffix("").parts
            found.append(".".join(parts[:-1] if parts[-1] == "__init__" else parts))
    return found


def own_files(root: Path = ROOT) -> Iterator[Path]:
    """Our files that come along, relative to the root: modules, resources, documents, licence."""
    for top in (*OWN, "resources"):
        for file in sorted((root / top).rglob("*")):
            if file.is_file() and not {"__pycache__", "_compiled"} & set(file.parts):
                yield file.relative_to(root)
    for file in sorted((root / "docs").rglob("*")):
        if file.suffix in DOCUMENTS:
            yield file.relative_to(root)
    yield from (Path(name) for name in ("CHANGELOG.md", "LICENSE", "README.md"))


def standard_library() -> list[str]:
    """The modules of Python's library, without its tests: scripts may import what we do not. None is imported here."""
    found = []
    for name in sorted(sys.stdlib_module_names - LEFT_OUT):
        try:
            spec = importlib.util.find_spec(name)
        except ValueError:  # of a module that is running already
            continue
        if spec is not None:  # others are of another system, or not built into this Python
            found += [name, *_submodules(f"{name}.", spec.submodule_search_locations or ())]
    return found


def _submodules(prefix: str, path: Iterable[str]) -> list[str]:
    found = []
    for folder in path:
        for module in pkgutil.iter_modules([folder]):
            if module.name in ("test", "tests", "idle_test", "__main__"):
                continue
            found.append(prefix + module.name)
            if module.ispkg:
                found += _submodules(f"{prefix}{module.name}.", [str(Path(folder, module.name))])
    return found


def is_needed(name: str) -> bool:
    """Whether a file of the build, by its name in the folder, belongs into it."""
    path = PurePosixPath(name.replace("\\", "/"))
    if LIBRARIES_OF_THE_SYSTEM.match(path.name) or LIBRARIES_OF_WINDOWS.fullmatch(path.name):
        return False
    if "PySide6" not in path.parts:
        return not re.match(r"libQt6|Qt6", path.name) or _is_needed_of_qt(path.name)
    below = "/".join(path.parts)
    if "/translations/" in below or "/qml/" in below:
        return False
    plugin = below.partition("/plugins/")[2]
    if plugin:
        return not plugin.startswith(QT_PLUGINS)
    return _is_needed_of_qt(path.name)


def _is_needed_of_qt(name: str) -> bool:
    found = re.match(r"(?:lib)?Qt6?([A-Z][A-Za-z]+)", name)
    if found is None:
        return name != "opengl32sw.dll"  # Mesa for Windows without a driver: 20 MB, which the window does not ask for
    return found[1] in QT_LIBRARIES


def reached(starts: Iterable[str], imports: Callable[[str], Iterable[str]]) -> set[str]:
    """The names of all libraries that some files lead to, by what each imports."""
    found: set[str] = set()
    waiting = list(starts)
    while waiting:
        for name in imports(waiting.pop()):
            if name not in found:
                found.add(name)
                waiting.append(name)
    return found


def direct_imports(library: str) -> list[str]:
    """The names of the libraries that one of Linux asks for itself, by binutils, which PyInstaller needs as well."""
    said = subprocess.run(["objdump", "-p", library], capture_output=True, encoding="utf-8", check=True).stdout
    return re.findall(r"^\s+NEEDED\s+(\S+)$", said, re.M)


def is_own(module: str) -> bool:
    return module.partition(".")[0] in OWN
