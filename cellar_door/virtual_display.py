"""A display without a screen: one Xvfb of our own, for the tests and for pictures taken on a machine without a display.

Xvfb chooses a free display number itself and tells it when it is ready, so two of them never meet.
"""

from __future__ import annotations

import contextlib
import os
import shutil
import subprocess
from collections.abc import Iterator

SCREEN = "1920x1200x24"  # 24 bits: with 16, OpenGL has no 8-bit colours


class NoDisplayError(Exception):
    """No display can be made; the text says why."""


@contextlib.contextmanager
def virtual_display() -> Iterator[str]:
    """Run an Xvfb as long as the block runs; yields the name for DISPLAY."""
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


def display_environment(display: str) -> dict[str, str]:
    """This process's environment with the given X display and no other."""
    wayland = ("WAYLAND_DISPLAY", "XDG_SESSION_TYPE", "QT_QPA_PLATFORM")
    environment = {name: value for name, value in os.environ.items() if name not in wayland}
    return {**environment, "DISPLAY": display, "QT_QPA_PLATFORM": "xcb"}
