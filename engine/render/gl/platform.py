"""Makes all that draws in this process use one way to OpenGL; it has to be called before Qt or OpenGL is loaded."""

from __future__ import annotations

import os
import sys
from collections.abc import MutableMapping


def settle_gl_platform(environment: MutableMapping[str, str] = os.environ) -> None:
    """On Linux EGL, for Qt's X11 windows too: it alone can draw without a display, and PyOpenGL takes only one.

    Left to themselves PyOpenGL goes by the session's kind and Qt by the display's, and two different ones crash.
    """
    if sys.platform == "linux":
        environment["QT_XCB_GL_INTEGRATION"] = "xcb_egl"
        environment["PYOPENGL_PLATFORM"] = "egl"
