"""`associate [--remove]`: has the system open projects, recordings and reproductions with this program."""

from __future__ import annotations

import argparse
import os
import sys
from pathlib import Path
from typing import Final

from editor.commands.associate import freedesktop
from editor.commands.associate.kinds import OWN_KINDS
from editor.pictures.program_icon import drawing, ico
from editor.process.own_parts import is_frozen
from editor.process.plain_text import print_lines
from engine.build.demo.cache import default_cache
from engine.dat.atomic import write_whole
from engine.world.faults import WorldError

NOTE: Final = """\
Only the settings of the user who runs this are written: on Windows HKEY_CURRENT_USER in the registry, on Linux the
folder of data, ~/.local/share. On macOS the system finds the kinds of files in the program's bundle itself.

exit code: 0, or 2 when it cannot be done.
"""
APPIMAGE: Final = "APPIMAGE"
"""Where the file is that an AppImage was started as; the program in it is elsewhere at each start."""
ICON: Final = "cellar-door.ico"
CHECKOUT: Final = Path(__file__).resolve().parents[3] / "run_editor.py"
"""Starts the program where it is not installed."""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.formatter_class = argparse.RawDescriptionHelpFormatter
    parser.epilog = NOTE
    parser.add_argument("--remove", action="store_true", help="take it back")


def run(arguments: argparse.Namespace) -> int:
    remove: bool = arguments.remove
    try:
        if sys.platform == "win32":
            done = _in_registry(remove)
        else:
            done = _freedesktop(remove)
    except OSError as error:
        raise WorldError(f"the files cannot be given to this program: {error.strerror or error}") from error
    kinds = ", ".join(kind.suffix for kind in OWN_KINDS)
    if remove:
        what = f"This program opens {kinds} no longer:" if done else f"This program did not open {kinds}."
    else:
        what = f"This program opens {kinds}:"
    print_lines([what, *(f"  {name}" for name in done)])
    return 0


if sys.platform == "win32":
    from editor.commands.associate import registry

    def _in_registry(remove: bool) -> list[str]:
        if remove:
            return registry.remove()
        command = window_command()
        if is_frozen():
            return registry.add(command, f"{command[0]},0")
        icon = default_cache() / ICON
        icon.parent.mkdir(parents=True, exist_ok=True)
        write_whole(icon, ico())
        return registry.add(command, str(icon))


def _freedesktop(remove: bool) -> list[str]:
    if sys.platform == "darwin":
        raise WorldError("on macOS the program's bundle says itself which files it opens; there is nothing to do")
    folder = freedesktop.data_folder()
    return freedesktop.remove(folder) if remove else freedesktop.add(window_command(), drawing(), folder)


def window_command() -> list[str]:
    """The words that open the window without a terminal, whatever the program was started as."""
    if os.environ.get(APPIMAGE):
        return [os.environ[APPIMAGE]]
    program = Path(sys.executable)
    if is_frozen():
        windowed = program.with_name(f"cellar-door-window{program.suffix}")
        return [str(windowed if windowed.is_file() else program)]
    if sys.platform == "win32" and program.with_name("pythonw.exe").is_file():
        program = program.with_name("pythonw.exe")  # the Python without a terminal
    if CHECKOUT.is_file():
        return [str(program), str(CHECKOUT)]
    beside = program.with_name("cellar-door")
    return [str(beside)] if beside.is_file() else [str(program), "-m", "cellar_door"]
