"""Reads the command line and starts the part that it names. Parts are imported on demand."""

from __future__ import annotations

import argparse
import importlib
import importlib.util
import os
import signal
import sys
from contextlib import suppress
from dataclasses import dataclass
from typing import TextIO

from cellar_door.output import OutputError, guarded_output, write_everything
from cellar_door.own_packages import HOME, WINDOW_PACKAGE, serve
from editor.process.ending import FIRST_CODE, EndedError, active, leave, watched
from editor.process.engine_errors import engine_errors
from editor.process.plain_text import visible
from engine.render.gl.platform import settle_gl_platform

ERROR = 2
"""The exit code for input that the engine refuses; argparse uses the same."""
BROKEN_PIPE = 141
"""The shell's exit code for a program whose reader closed the pipe."""

NUMBER_STARTS = tuple("0123456789.")


@dataclass(frozen=True)
class Command:
    """A subcommand: its module has `add_arguments(parser)` and `run(arguments) -> exit code`."""

    name: str
    summary: str
    module: str
    is_in_checkouts: bool = False
    """Whether no wheel has it. A package of the same name may be anybody's."""

    def is_there(self) -> bool:
        if self.is_in_checkouts:
            return HOME.joinpath(*self.module.split(".")).with_suffix(".py").is_file()
        try:
            return importlib.util.find_spec(self.module) is not None
        except ModuleNotFoundError:
            return False


COMMANDS = (
    Command("inspect", "print a landblock, cell, model, setup or texture of a world", "editor.commands.inspect"),
    Command("conform", "run a golden scene and compare the answers", "editor.commands.conform"),
    Command("visible", "list the cells that an eye sees, and the result of every portal", "editor.commands.visible"),
    Command("doors", "list the doors of a world, or say who may pass one, and why", "editor.commands.doors"),
    Command("walk", "run a script of controls through a world, a line for every tick", "editor.commands.walk"),
    Command("replay", "replay a recorded run and compare every tick", "editor.commands.replay"),
    Command(
        "compare",
        "run the same controls by two rule sets, bodies or worlds, and say where they part",
        "editor.commands.compare",
    ),
    Command("why", "say since when a value of a run is what it is, and by what", "editor.commands.why"),
    Command("walks", "run kept walks again, and say which of them now go otherwise", "editor.commands.walks"),
    Command("replay-capture", "replay captured moves and compare the results", "editor.commands.replay_capture"),
    Command("reproduce", "pack a recording or capture with what it needs of its world", "editor.commands.reproduce"),
    Command("follow", "replay a capture while a client writes it, and tell what differs", "editor.commands.follow"),
    Command("look", "draw a picture of a world from an eye, without a window", "editor.commands.look"),
    Command("export", "write an edited world as data files of the client", "editor.commands.export"),
    Command("diff", "list the records in which two worlds differ, field by field", "editor.commands.diff"),
    Command("survey", "check and search the landblocks of a world, and report what is found", "editor.commands.survey"),
    Command("stabs", "list the stab lists that are not what can be seen, and write new ones", "editor.commands.stabs"),
    Command("run", "run a Python script that can import cellar_door", "editor.commands.run"),
    Command("associate", "have the system open the program's files with it", "editor.commands.associate.command"),
    Command("docs-screenshots", "take the pictures of the documents again", "docs.take_pictures", True),
    Command("bench", "measure one area and print the figures", "benchmarks.run", True),
)
WINDOW = Command("", "open a world in the workbench", "ui.window.start")


def program() -> str:
    """The name that the program was started by: run_editor.py in a checkout, cellar-door when installed."""
    name = os.path.basename(sys.argv[0])
    return "cellar-door" if name == "__main__.py" else name


def main(arguments: list[str] | None = None) -> int:
    """Run the command line; returns the exit code."""
    words = sys.argv[1:] if arguments is None else arguments
    with watched() as watch:
        code = _run_guarded(words)
        if watch is not None and watch.number:
            leave(code)
    return code


def _run_guarded(words: list[str]) -> int:
    """Run a command and turn every way it can end into an exit code."""
    write_everything()
    output = sys.stdout
    try:
        settle_gl_platform()
        with guarded_output():
            return _dispatch(words)
    except BrokenPipeError:
        _drop(output)
        return BROKEN_PIPE
    except OutputError as error:
        _drop(output)
        return _refuse(error)
    except EndedError as error:
        return _ended(error.number)
    except KeyboardInterrupt:
        return _ended(signal.SIGINT)
    except engine_errors() as error:
        return _refuse(error)


def _ended(number: int) -> int:
    watch = active()
    if watch is not None and watch.number:
        watch.tell()
    elif number == signal.SIGINT:
        with suppress(OSError):  # the terminal may be gone
            print("Cellar Door: interrupted", file=sys.stderr)
    return FIRST_CODE + number


def _refuse(error: Exception) -> int:
    print(visible(f"Cellar Door: {error}"), file=sys.stderr)
    return ERROR


def _drop(output: TextIO | None) -> None:
    """Discard unwritten output, or Python complains again at exit."""
    if output is not None:
        os.dup2(os.open(os.devnull, os.O_WRONLY), output.fileno())


def _dispatch(words: list[str]) -> int:
    commands = [command for command in COMMANDS if command.is_there()]
    for command in commands:
        if words[:1] == [command.name]:
            return _run(command, words[1:])
    parser = _window_parser(commands)
    options = parser.parse_args(words)
    if options.version:
        from cellar_door.version import version_report

        print(version_report())
        return 0
    serve(WINDOW_PACKAGE)
    if not WINDOW.is_there():
        parser.print_help(sys.stderr)
        return ERROR
    return _run_window(options)


def _run(command: Command, words: list[str]) -> int:
    module = importlib.import_module(command.module)
    parser = argparse.ArgumentParser(prog=f"{program()} {command.name}", description=command.summary)
    module.add_arguments(parser)
    if getattr(module, "REST_IS_THE_SCRIPTS", False):
        return int(module.run(parser.parse_args(words)))
    return int(module.run(parser.parse_intermixed_args(_points_joined(words))))


def _points_joined(words: list[str]) -> list[str]:
    """Turn `--eye -3,2,1` into `--eye=-3,2,1`: argparse takes a point that begins with a minus for an option."""
    joined: list[str] = []
    for word in words:
        if (
            joined
            and joined[-1][:2] == "--"
            and "=" not in joined[-1]
            and word[:1] == "-"
            and word[1:2] in NUMBER_STARTS
        ):
            joined[-1] += f"={word}"
        else:
            joined.append(word)
    return joined


def _window_parser(commands: list[Command]) -> argparse.ArgumentParser:
    from editor.process.server_arguments import add_server_arguments

    listed = "".join(f"\n  {command.name:18}{command.summary}" for command in commands)
    parser = argparse.ArgumentParser(
        prog=program(),
        description="Open a world in the workbench.",
        epilog=f"other commands:{listed}\n\n{program()} COMMAND --help tells more." if commands else None,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument(
        "source",
        nargs="?",
        help="demo, a folder with the client's .dat files or with dumps, a scene, a recording, a capture, a project",
    )
    begin = parser.add_mutually_exclusive_group()
    begin.add_argument("--landblock", metavar="ID", help="open this landblock: 0xA9B4")
    begin.add_argument("--cell", metavar="ID", help="put the player into this cell: 0xA9B40143")
    begin.add_argument(
        "--place", metavar="TEXT", help="put the player at this place: '0xA9B40170 [84.1 131.5 66.0]' or '42.1N 33.6E'"
    )
    parser.add_argument("--scene", metavar="NAME", help="which scene of a file of several")
    parser.add_argument("--world", metavar="SOURCE", help="where the world of a recording, a capture or a project is")
    add_server_arguments(parser)
    parser.add_argument("--follow", metavar="FILE", help="follow this capture while a client writes it")
    parser.add_argument("--screenshot", metavar="FILE", help="save a picture of the window and exit")
    parser.add_argument("--version", action="store_true", help="print the versions of the program and its libraries")
    return parser


def _run_window(options: argparse.Namespace) -> int:
    """Open the window. It needs a display, except to take a picture."""
    from cellar_door.graphics import has_display
    from cellar_door.libraries import missing_drawing_library, missing_window_library
    from cellar_door.virtual_display import place_for_pictures

    if not has_display() and options.source is None and options.screenshot is None:
        from cellar_door.no_display import tell_the_story

        return tell_the_story(_open_window, options)
    in_memory = options.screenshot is not None and not has_display()
    missing = missing_drawing_library() if in_memory else missing_window_library()
    if missing is not None:
        print(f"Cellar Door: the window needs {missing}, which this system lacks.", file=sys.stderr)
        return ERROR
    if has_display():
        return _open_window(options)
    if options.screenshot is None:
        print("Cellar Door: there is no display to open the window on (DISPLAY is not set).", file=sys.stderr)
        return ERROR
    with place_for_pictures():
        return _open_window(options)


def _open_window(options: argparse.Namespace) -> int:
    from editor.process.interrupt import interrupts_held
    from engine.world.loader.base import collector_paused

    with interrupts_held(), collector_paused():  # modules stay: examining them again and again takes 50 ms
        module = importlib.import_module(WINDOW.module)
    return int(module.run(options))
