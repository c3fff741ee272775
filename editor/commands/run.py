"""`run SCRIPT`: runs a Python script that can `import cellar_door`, with the environment of this program."""

from __future__ import annotations

import argparse
import os
import sys
import traceback
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from types import ModuleType
from typing import Final

from editor.commands.walk import read_script
from editor.process.output_error import OutputError

REST_IS_THE_SCRIPTS: Final = True
"""What follows the script are its own words, options too."""
FAILED: Final = 1
"""Python's own exit code for a script that ends with an exception."""
NOTE: Final = """\
The script is run as `python SCRIPT ...` would run it, and finds the library `cellar_door` (docs/scripting.md). It is a
program like any other, and may do all that you may.

exit code: the script's own, 1 when it ends with an exception.
"""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.formatter_class = argparse.RawDescriptionHelpFormatter
    parser.epilog = NOTE
    parser.add_argument("script", metavar="SCRIPT", help="a Python file, - for standard input")
    parser.add_argument("words", metavar="...", nargs=argparse.REMAINDER, help="what the script gets in sys.argv")


def run(arguments: argparse.Namespace) -> int:
    script: str = arguments.script
    text = read_script(script)
    with _as_main(script, arguments.words, _program()) as module:
        try:
            exec(compile(text, script, "exec"), module.__dict__)
        except SystemExit as end:
            return _code(end.code)
        except (BrokenPipeError, OutputError):
            raise
        except Exception as error:  # noqa: BLE001 - whatever a script raises is told as Python tells it
            _tell(error, script)
            return FAILED
    return 0


def _program() -> str:
    """The folder from which `cellar_door` is imported: it holds this package, or holds the package that this is in."""
    above = Path(__file__).resolve().parents[2]
    return str(above if (above / "cellar_door").is_dir() else above.parent)


@contextmanager
def _as_main(script: str, words: list[str], program: str) -> Iterator[ModuleType]:
    """The module that the script runs in, with what Python gives to a program."""
    before = sys.argv, sys.path, sys.modules["__main__"]
    module = ModuleType("__main__")
    module.__file__ = script
    beside = os.path.dirname(os.path.abspath(script))
    sys.argv, sys.modules["__main__"] = [script, *words], module
    sys.path = [beside, *(path for path in sys.path if path != program), program]
    try:
        yield module
    finally:
        sys.argv, sys.path, sys.modules["__main__"] = before


def _code(code: object) -> int:
    if code is None or isinstance(code, int):
        return code or 0
    print(code, file=sys.stderr)
    return FAILED


def _tell(error: Exception, script: str) -> None:
    """Print the traceback from the script on."""
    first = error.__traceback__
    while first is not None and first.tb_frame.f_code.co_filename != script:
        first = first.tb_next
    traceback.print_exception(type(error), error, first)
