"""Chooses what pictures are drawn with where there is no window: EGL on Linux, and Qt's OpenGL elsewhere."""

from __future__ import annotations

import os
import sys
import threading
from typing import Final

from PySide6.QtGui import QGuiApplication, QOffscreenSurface, QOpenGLContext, QSurfaceFormat

from engine.render.errors import RenderError
from engine.render.gl.offscreen import EglContext, OffscreenContext
from engine.render.gl.platform import CHOICE, GLX, uses_egl

NEEDED: Final = (3, 3)
MEMORY: Final = "offscreen"
"""Qt's platform that draws windows into memory. It has OpenGL nowhere but beside an X display."""
PLATFORMS: Final = {"win32": "windows", "darwin": "cocoa"}
X_DISPLAY: Final = f"xcb;{MEMORY}"
"""Qt takes the first that it can start. With `xcb` alone a display that does not answer would abort the process."""


def offscreen_context() -> OffscreenContext:
    """EGL draws without a display, so it comes first; Qt's OpenGL needs one where there can be none."""
    if not uses_egl():
        return QtContext()
    try:
        return EglContext()
    except RenderError as error:
        if not os.environ.get("DISPLAY"):
            raise
        try:
            return QtContext()
        except RenderError:
            raise RenderError(f"{error} ({CHOICE}={GLX} may help)") from error


def application_for(platforms: str) -> QGuiApplication:
    """Qt's application as it is, or a new one on the first of these platforms that works."""
    application = QGuiApplication.instance()
    if isinstance(application, QGuiApplication):
        return application
    return QGuiApplication(["look", "-platform", platforms])


class QtContext(OffscreenContext):
    """A context of Qt's on a surface that nobody sees."""

    def __init__(self) -> None:
        if threading.current_thread() is not threading.main_thread():
            raise RenderError("without EGL a picture can be drawn in the program's main thread alone")
        if sys.platform == "linux" and not os.environ.get("DISPLAY"):
            raise RenderError("without EGL a picture needs a display, and there is none (DISPLAY is not set)")
        application_for(PLATFORMS.get(sys.platform, X_DISPLAY))
        if QGuiApplication.platformName() == MEMORY:
            if sys.platform == "linux":
                raise RenderError("without EGL a picture needs a display, and none could be opened")
            raise RenderError("Qt draws into memory here, where it has no OpenGL for a picture")
        self._context = QOpenGLContext()
        self._context.setFormat(_wanted())
        self._surface = QOffscreenSurface()
        if self._context.create():
            self._surface.setFormat(self._context.format())
            self._surface.create()
        self.make_current()
        found = self._context.format().version()
        if found < NEEDED:
            self.close()
            raise RenderError(f"this display offers OpenGL {_dotted(found)}, and a picture needs {_dotted(NEEDED)}")

    def make_current(self) -> None:
        if not self._context.makeCurrent(self._surface):
            raise RenderError(f"this display offers no OpenGL {_dotted(NEEDED)}")

    def close(self) -> None:
        self._context.doneCurrent()
        self._surface.destroy()


def _wanted() -> QSurfaceFormat:
    """Framebuffers of their own hold depth and stencil."""
    wanted = QSurfaceFormat()
    wanted.setVersion(*NEEDED)
    wanted.setProfile(QSurfaceFormat.OpenGLContextProfile.CoreProfile)
    return wanted


def _dotted(version: tuple[int, ...]) -> str:
    return ".".join(map(str, version))
