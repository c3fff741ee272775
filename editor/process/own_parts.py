"""How to start a part of this program in a process of its own.

In a program without a Python (`release/`), `sys.executable` is the program itself and knows no `-m`: it takes the name
of a part behind `PART`, which is for itself alone (`cellar_door/frozen.py`).
"""

from __future__ import annotations

import importlib.util
import sys
from typing import Final

PART: Final = "--part"
PARTS: Final = ("cellar_door.graphics", "cellar_door.load_library", "editor.models.survey.worker")
"""The modules that are started so; a frozen program starts no others."""


def is_frozen() -> bool:
    """Whether this is a program without a Python."""
    return bool(getattr(sys, "frozen", False))


def part_command(module: str) -> list[str]:
    """The words that run a module of `PARTS` as another process; what the module takes may follow."""
    if module not in PARTS:
        raise ValueError(f"{module} is no part that can be started: {', '.join(PARTS)}")
    if is_frozen():
        return [sys.executable, PART, module]
    return [sys.executable, "-m", module]


def bare_command(module: str) -> list[str]:
    """The same for a module that needs nothing but Python's library: without a frozen program's need it starts alone,
    in half the time."""
    spec = importlib.util.find_spec(module)
    if is_frozen() or spec is None or spec.origin is None:
        return part_command(module)
    return [sys.executable, "-I", "-S", spec.origin]
