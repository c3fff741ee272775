"""The one place that makes the QApplication: what has to be set before it exists is set here and nowhere else."""

from __future__ import annotations

import os
import sys
from collections.abc import Sequence
from contextlib import suppress
from typing import Final

from PySide6.QtCore import QCoreApplication, QLocale, Qt
from PySide6.QtGui import QGuiApplication, QIcon, QSurfaceFormat
from PySide6.QtWidgets import QApplication

from editor.pictures.program_icon import DRAWING
from editor.session.memory import Collector
from engine.render.gl.platform import settle_gl_platform

TURN_S: Final = 0.0001
"""How long a thread keeps the interpreter while another one waits for it. Each call into Qt gives it up for a moment;
with Python's own 5 ms painting the window takes four times as long while a world is opened beside it."""

DIALOGS: Final = "CELLAR_DOOR_DIALOGS"
"""The environment variable that chooses Qt's own dialogs for files: `qt`. The system's are the default."""
QT_DIALOGS: Final = "qt"
DESKTOP_FILE: Final = "cellar-door"
"""The name of our .desktop file: by it Linux desktops gather windows under one icon."""
APP_ID: Final = "CellarDoor.CellarDoor"
"""The same for Windows' taskbar."""


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
    # At 125 % a pixel of the window is 1.25 of the screen, not 1: the default, which systems' environments may change.
    QGuiApplication.setHighDpiScaleFactorRoundingPolicy(Qt.HighDpiScaleFactorRoundingPolicy.PassThrough)
    QCoreApplication.setAttribute(
        Qt.ApplicationAttribute.AA_DontUseNativeDialogs, os.environ.get(DIALOGS, "").lower() == QT_DIALOGS
    )
    _join_the_taskbar()
    application = kind(list(arguments))
    application.setApplicationName("Cellar Door")
    application.setOrganizationName("Cellar Door")
    QGuiApplication.setDesktopFileName(DESKTOP_FILE)
    application.setWindowIcon(QIcon(str(DRAWING)))  # drawn when it is wanted, in the size of then
    Collector(application)
    return application


def _join_the_taskbar() -> None:
    """Let Windows gather our windows under one button of their own; else they stand under Python's."""
    if sys.platform == "win32":
        import ctypes

        with suppress(OSError, AttributeError):  # before Windows 7
            ctypes.windll.shell32.SetCurrentProcessExplicitAppUserModelID(APP_ID)
