"""Where windows are when there is no screen: in memory, or on an Xvfb of our own, which alone has real keys and mice.

Xvfb chooses a free display number itself and reports it when it is ready, so two of them never collide.
"""

from __future__ import annotations

import contextlib
import json
import os
import shutil
import subprocess
import tempfile
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Final

from cellar_door.libraries import missing_window_library

SCREEN = "1920x1200x24"  # 24 bits: with 16, OpenGL has no 8-bit colours
MEMORY: Final = "offscreen"
"""Qt's name for the platform without a screen."""
DISPLAYS: Final = ("DISPLAY", "WAYLAND_DISPLAY", "XDG_SESSION_TYPE", "QT_QPA_PLATFORM")


class NoDisplayError(Exception):
    """No display can be created; the message has the reason."""


@contextlib.contextmanager
def virtual_display() -> Iterator[str]:
    """Run an Xvfb for the duration of the block; yields the value for DISPLAY."""
    program = shutil.which("Xvfb")
    if program is None:
        raise NoDisplayError("there is no display, and Xvfb, which could stand in for one, is not installed")
    reading, writing = os.pipe()
    command = [program, "-displayfd", str(writing), "-screen", "0", SCREEN, "-nolisten", "tcp", "-noreset"]
    quiet = subprocess.DEVNULL
    # In a session of its own: Ctrl-C in the terminal is for us, and a window whose display goes aborts.
    server = subprocess.Popen(command, pass_fds=[writing], stdin=quiet, stderr=quiet, start_new_session=True)
    os.close(writing)
    try:
        with os.fdopen(reading) as answer:
            number = answer.readline().strip()
        if not number:
            raise NoDisplayError("there is no display, and Xvfb, which could stand in for one, does not start")
        yield f":{number}"
    finally:
        server.terminate()
        server.wait()


@contextlib.contextmanager
def place_for_pictures() -> Iterator[None]:
    """Give this process's windows a place within the block, without a screen: Qt draws them into memory, and the 3D
    view creates its own OpenGL context (`ui.view3d.gl_canvas`). Call it before Qt's application exists."""
    with tempfile.TemporaryDirectory(prefix="cellar-door-") as folder:
        _take_over(memory_environment(Path(folder)))
        yield


@contextlib.contextmanager
def place_for_tests() -> Iterator[dict[str, str]]:
    """The environment for a process whose windows stay off the screen: an Xvfb's, or memory's where there is none."""
    with contextlib.ExitStack() as stack:
        if missing_window_library() is None:
            with contextlib.suppress(NoDisplayError):
                yield display_environment(stack.enter_context(virtual_display()))
                return
        folder = stack.enter_context(tempfile.TemporaryDirectory(prefix="cellar-door-"))
        yield memory_environment(Path(folder))


def memory_environment(folder: Path) -> dict[str, str]:
    """This process's environment with Qt drawing windows into memory, on a screen of the size of the Xvfb's. The folder
    must stay."""
    width, height, _ = map(int, SCREEN.split("x"))
    shape = {"x": 0, "y": 0, "width": width, "height": height}
    density = {"logicalDpi": 96, "logicalBaseDpi": 96, "dpr": 1}
    file = folder / "screen.json"
    file.write_text(json.dumps({"screens": [{"name": "memory", **shape, **density}]}), encoding="utf-8")
    return {**_without_display(), "QT_QPA_PLATFORM": f"{MEMORY}:configfile={file}"}


def display_environment(display: str) -> dict[str, str]:
    """This process's environment with the given X display and no other."""
    return {**_without_display(), "DISPLAY": display, "QT_QPA_PLATFORM": "xcb"}


def in_memory(environment: Mapping[str, str]) -> bool:
    """Whether Qt draws windows into memory in this environment."""
    return environment.get("QT_QPA_PLATFORM", "").startswith(MEMORY)


def _without_display() -> dict[str, str]:
    return {name: value for name, value in os.environ.items() if name not in DISPLAYS}


def _take_over(environment: Mapping[str, str]) -> None:
    for name in DISPLAYS:
        os.environ.pop(name, None)
    os.environ.update(environment)
