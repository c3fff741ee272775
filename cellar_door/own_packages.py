"""Finds `engine`, `editor` and `ui` where they belong to this program.

A wheel puts one name on Python's path, `cellar_door`, and has the others inside it; in a checkout they lie beside it.
From either place they are imported by the same names, so that scripts, recordings and the compiled core fit both. They
are found here before any path is searched: a package of somebody else's with such a name neither takes their place nor
is hidden before `cellar_door` is imported. `cellar_door.engine` is another name for `engine`, for type checkers, which
see only what is on the path.
"""

from __future__ import annotations

import sys
from collections.abc import Sequence
from importlib import import_module
from importlib.abc import Loader
from importlib.machinery import ModuleSpec, PathFinder
from pathlib import Path
from types import ModuleType
from typing import Final

PACKAGE: Final = "cellar_door"
INSIDE: Final = Path(__file__).resolve().parent
HOME: Final = INSIDE if (INSIDE / "engine").is_dir() else INSIDE.parent
"""The folder that holds the packages, `resources` and `docs`."""
LIBRARY: Final = ("engine", "editor")
"""What `import cellar_door` brings."""
WINDOW_PACKAGE: Final = "ui"
"""Only the window's: a script may have a `ui.py` of its own."""


class OwnPackages:
    """Serves the packages by name, and the same modules once more by their names below `cellar_door`."""

    def __init__(self) -> None:
        self.names: set[str] = set()

    def find_spec(
        self, name: str, path: Sequence[str] | None = None, target: ModuleType | None = None
    ) -> ModuleSpec | None:
        if name in self.names:
            return PathFinder.find_spec(name, [str(HOME)])
        package, _, own = name.partition(".")
        if package == PACKAGE and own.partition(".")[0] in (*LIBRARY, WINDOW_PACKAGE):
            return ModuleSpec(name, _SecondName(own))
        return None


class _SecondName(Loader):
    """Puts a module that has a name already in the place of a new one."""

    def __init__(self, own: str) -> None:
        self._own = own

    def create_module(self, spec: ModuleSpec) -> ModuleType | None:
        return None

    def exec_module(self, module: ModuleType) -> None:
        if self._own.partition(".")[0] == WINDOW_PACKAGE:
            serve(WINDOW_PACKAGE)
        sys.modules[module.__name__] = import_module(self._own)


_FINDER: Final = OwnPackages()


def serve(*names: str) -> None:
    """From now on these packages are ours. An ImportError where somebody else's is loaded already."""
    if getattr(sys, "frozen", False):  # a program without a Python has its own finder, and nobody else's packages
        return
    for name in names:
        loaded = sys.modules.get(name)
        if loaded is not None and not _is_ours(loaded, name):
            where = getattr(loaded, "__file__", None) or "elsewhere"
            raise ImportError(
                f"cellar_door has a package {name!r}, and another module of this name is loaded already, from {where}: "
                "import cellar_door before it, or give it another name",
                name=name,
            )
    if _FINDER not in sys.meta_path:
        sys.meta_path.insert(0, _FINDER)
    _FINDER.names.update(names)


def _is_ours(module: ModuleType, name: str) -> bool:
    file = getattr(module, "__file__", None)
    return file is not None and Path(file).resolve().parent == HOME / name
