"""Where a program without a Python begins (`release/`): the command line, or one of its own parts in a process of it.

Such a program brings libraries along, and names their folder in the environment. Other programs that it starts, such
as a browser, must not find them there.
"""

from __future__ import annotations

import ctypes
import io
import multiprocessing
import os
import runpy
import sys
from collections.abc import MutableMapping
from typing import Final

from editor.process.own_parts import PART, PARTS

LIBRARIES: Final = ("LD_LIBRARY_PATH",)
START_AFRESH: Final = "PYINSTALLER_RESET_ENVIRONMENT"
"""Tells the start of our own parts that they are programs of their own, which set up their libraries again."""
WRONG: Final = 2
ASKED: Final = frozenset(("-h", "--help", "--version"))
"""Words whose answer is text. After anything else, what was printed matters when it went wrong."""
LONGEST_BOX: Final = 2_000
"""Letters of a box, the last ones: a screen has to hold them."""


def main() -> int:
    """Run what the words of the command line ask for; returns the exit code."""
    multiprocessing.freeze_support()  # the worker processes of a survey end here
    forget_own_libraries(os.environ)
    if sys.argv[1:2] == [PART]:
        return run_part(sys.argv[2:])
    if sys.platform == "win32" and sys.stderr is None:
        return _without_a_terminal()
    return _command_line()


def forget_own_libraries(environment: MutableMapping[str, str]) -> None:
    """Give other programs the libraries that they had before ours were named."""
    for name in LIBRARIES:
        before = environment.pop(f"{name}_ORIG", None)
        if before is not None:
            environment[name] = before
        else:
            environment.pop(name, None)
    environment[START_AFRESH] = "1"


def run_part(words: list[str]) -> int:
    """Run a module of `PARTS` as `python -m` runs it."""
    module, *rest = words or [""]
    if module not in PARTS:
        print(f"Cellar Door: {PART} {module} is for the program itself", file=sys.stderr)
        return WRONG
    sys.argv = [sys.argv[0], *rest]
    runpy.run_module(module, run_name="__main__", alter_sys=True)
    return 0


def _command_line() -> int:
    from cellar_door.main import main as start

    return start(sys.argv[1:])


def _without_a_terminal() -> int:
    """Windows' program for the desktop has no output: what it refuses to do, it says in a box."""
    said = io.StringIO()
    sys.stdout = sys.stderr = said
    try:
        code = _command_line()
    except SystemExit as end:  # of the reader of the words
        code = end.code if isinstance(end.code, int) else WRONG
    text = said.getvalue().strip()
    if text and (code != 0 or not ASKED.isdisjoint(sys.argv[1:])):
        _show(text[-LONGEST_BOX:])
    return code


def _show(text: str) -> None:
    if sys.platform == "win32":
        ctypes.windll.user32.MessageBoxW(None, text, "Cellar Door", 0)
