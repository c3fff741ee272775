"""Finds out what this machine can draw with, in other processes: a missing library or a bad driver ends only those.

`python -m cellar_door.graphics` prints the OpenGL version of the display.
"""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

from cellar_door.libraries import missing_window_library
from cellar_door.own_packages import WINDOW_PACKAGE, serve
from editor.process.own_parts import part_command

ROOT = Path(__file__).resolve().parent.parent


def has_display() -> bool:
    """Whether windows can open on a screen."""
    return sys.platform in ("win32", "darwin") or bool(os.environ.get("DISPLAY") or os.environ.get("WAYLAND_DISPLAY"))


def gl_version() -> str:
    """The OpenGL version of the display, or why there is none."""
    if not has_display():
        return "no display"
    missing = missing_window_library()
    if missing is not None:
        return f"not available, {missing} is missing"
    environment = dict(os.environ, PYTHONPATH=str(ROOT))
    command = part_command("cellar_door.graphics")
    try:
        result = subprocess.run(
            command, env=environment, capture_output=True, encoding="utf-8", errors="replace", check=False, timeout=20
        )
    except subprocess.TimeoutExpired:
        return "not available, the display does not answer"
    if result.returncode != 0:
        said = result.stderr.strip().splitlines()
        return f"not available, {said[-1] if said else 'the display cannot be opened'}"
    return result.stdout.strip()


def print_gl_version() -> int:
    """Run this in a separate process: Qt's platform plugin may abort it."""
    from PySide6.QtGui import QOffscreenSurface, QOpenGLContext

    serve(WINDOW_PACKAGE)
    from ui.window.application import create_application

    application = create_application(["graphics"])
    surface = QOffscreenSurface()
    surface.create()
    context = QOpenGLContext()
    if not context.create() or not context.makeCurrent(surface):
        print("the display offers no OpenGL 3.3", file=sys.stderr)
        return 1
    gl_version_name = 0x1F02  # GL_VERSION, OpenGL 3.3 specification 6.1.5
    print(context.functions().glGetString(gl_version_name))
    context.doneCurrent()
    application.quit()
    return 0


if __name__ == "__main__":
    sys.exit(print_gl_version())
