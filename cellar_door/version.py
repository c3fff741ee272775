"""The text of `--version`: everything that a bug report should begin with."""

from __future__ import annotations

import platform
import sys

from PySide6.QtCore import qVersion

import engine
from cellar_door.graphics import gl_version


def version_report() -> str:
    return "\n".join(
        [
            f"Cellar Door {engine.__version__}",
            f"Python {platform.python_version()} ({sys.executable})",
            f"Qt {qVersion()}",
            f"core {engine.active_core()}",
            f"OpenGL {gl_version()}",
        ]
    )
