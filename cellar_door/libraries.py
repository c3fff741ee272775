"""Finds the system library that Qt lacks, before Qt starts: its X11 plugin aborts the process over a missing one.

`python -m cellar_door.libraries` prints the name, or nothing.
"""

from __future__ import annotations

import importlib
import importlib.util
import subprocess
from pathlib import Path

from editor.process.own_parts import bare_command

LOAD_LIBRARY = "cellar_door.load_library"


def missing_drawing_library() -> str | None:
    """The first library that Qt's painting lacks."""
    try:
        importlib.import_module("PySide6.QtGui")
    except ImportError as error:
        return _library_named(str(error))
    return None


def missing_window_library() -> str | None:
    """The first library that Qt's X11 windows lack, found in a separate process."""
    package = importlib.util.find_spec("PySide6")
    if package is None or not package.submodule_search_locations:
        return "PySide6"
    plugin = Path(package.submodule_search_locations[0], "Qt", "plugins", "platforms", "libqxcb.so")
    if not plugin.is_file():  # Qt for other systems has other plugins
        return None
    result = subprocess.run(
        [*bare_command(LOAD_LIBRARY), str(plugin)], capture_output=True, encoding="utf-8", errors="replace", check=False
    )
    return _library_named(result.stderr) if result.returncode else None


def _library_named(error: str) -> str:
    """The loader's message is `libxcb-cursor.so.0: cannot open shared object file: ...`."""
    return error.strip().split(":")[0]


def missing_library() -> str | None:
    """The first library that Qt lacks here. Without a display there are no X11 windows."""
    from cellar_door.graphics import has_display  # it uses this module

    return missing_drawing_library() or (missing_window_library() if has_display() else None)


if __name__ == "__main__":
    print(missing_library() or "")
