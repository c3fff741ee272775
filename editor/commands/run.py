"""`run SCRIPT`: runs a Python script that can `import cellar_door`, with the environment of this program."""

from __future__ import annotations

import argparse
import os
import runpy
import sys
import traceback
from pathlib import Path
from typing import Final

from engine.world.faults import WorldError

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
    parser.add_argument("script", metavar="SCRIPT", help="a Python file")
    parser.add_argument("words", metavar="...", nargs=argparse.REMAINDER, help="what the script gets in sys.argv")


def run(arguments: argparse.Namespace) -> int:
    script: str = arguments.script
    if not os.path.isfile(script):
        raise WorldError("cannot be run: it is not a file", script)
    sys.argv = [script, *arguments.words]
    here = str(Path(__file__).resolve().parents[2])
    sys.path[:] = [str(Path(script).resolve().parent), *(path for path in sys.path if path != here), here]
    try:
        runpy.run_path(script, run_name="__main__")
    except SystemExit as end:
        return _code(end.code)
    except (KeyboardInterrupt, BrokenPipeError):
        raise
    except Exception as error:  # noqa: BLE001 - whatever a script raises is told as Python tells it
        _tell(error, script)
        return FAILED
    return 0


def _code(code: object) -> int:
    if code is None or isinstance(code, int):
        return code or 0
    print(code, file=sys.stderr)
    return FAILED


def _tell(error: Exception, script: str) -> None:
    """Print the traceback from the script on."""
    frames = error.__traceback__
    first = frames
    while first is not None and os.path.abspath(first.tb_frame.f_code.co_filename) != os.path.abspath(script):
        first = first.tb_next
    traceback.print_exception(type(error), error, first or frames)
