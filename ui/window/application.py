"""The one place that makes the QApplication: what has to be set before it exists is set here and nowhere else."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from typing import Final

from PySide6.QtCore import QLocale
from PySide6.QtGui import QIcon, QSurfaceFormat
from PySide6.QtWidgets import QApplication

from editor.pictures.program_icon import DRAWING
from editor.session.memory import Collector
from engine.render.gl.platform import settle_gl_platform

TURN_S: Final = 0.0001
"""How long a thread keeps the interpreter while another one waits for it. Each call into Qt gives it up for a moment;
with Python's own 5 ms painting the window takes four times as long while a world is opened beside it."""


def default_format() -> QSurfaceFormat:
    """OpenGL 3.3 core with a stencil for the view regions of portals; no multisampling, it is slow without a GPU."""
    surface = QSurfaceFormat()
    surface.setVersion(3, 3)
    surface.setProfile(QSurfaceFormat.OpenGLContextProfile.CoreProfile)
    surface.setDepthBufferSize(24)
    surface.setStencilBufferSize(8)
    return surface


def create_application(arguments: Sequence[str], kind: type[QApplication] = QApplication) -> QApplication:
    """The application object; `kind` lets tests bring their own class. Call it before anything imports OpenGL."""
    settle_gl_platform()
    sys.setswitchinterval(TURN_S)
    QSurfaceFormat.setDefaultFormat(default_format())
    QLocale.setDefault(QLocale.c())  # numbers are typed as they are shown, in every country: with a decimal point
    application = kind(list(arguments))
    application.setApplicationName("Cellar Door")
    application.setOrganizationName("Cellar Door")
    application.setDesktopFileName("cellar-door")  # Wayland takes the icon of that entry
    application.setWindowIcon(QIcon(str(DRAWING)))  # drawn when it is wanted, in the size of then
    Collector(application)
    return application
