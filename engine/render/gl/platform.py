"""Makes all that draws in this process use one way to OpenGL; it has to be called before Qt or OpenGL is loaded."""

from __future__ import annotations

import os
import sys
from collections.abc import Mapping, MutableMapping
from typing import Final

from engine.render.errors import RenderError

CHOICE: Final = "CELLAR_DOOR_OPENGL"
"""The environment's name for the way on Linux, where there are two; elsewhere it says nothing."""
EGL: Final = "egl"
"""Draws without a display too, and for Qt's X11 windows."""
GLX: Final = "glx"
"""The X server's own, for a driver whose EGL is broken; it needs a display."""
PYOPENGL: Final = "PYOPENGL_PLATFORM"


def settle_gl_platform(environment: MutableMapping[str, str] = os.environ) -> None:
    """On Linux EGL, unless GLX is chosen, for both Qt and PyOpenGL, which takes only one.

    Left to themselves PyOpenGL goes by the session's kind and Qt by the display's, and two different ones crash.
    """
    if sys.platform != "linux":
        return
    way = environment.get(CHOICE, EGL)
    if way not in (EGL, GLX):
        raise RenderError(f"{CHOICE} is {way!r}; it can be {EGL} or {GLX}")
    environment["QT_XCB_GL_INTEGRATION"] = f"xcb_{way}"
    environment[PYOPENGL] = way


def uses_egl(environment: Mapping[str, str] = os.environ) -> bool:
    """Whether OpenGL was settled to come by EGL."""
    return environment.get(PYOPENGL) == EGL
