"""Check for OpenGL 3.3 before any widget that needs it is created."""

from __future__ import annotations

import sys
from typing import Final

from PySide6.QtGui import QOffscreenSurface, QOpenGLContext

from engine.render.errors import RenderError
from engine.render.gl.offscreen import EglContext
from ui.view3d.gl_canvas import is_bare

NEEDED: Final = (3, 3)
MESA: Final = ", or Mesa's software renderer (libgl1 and libegl1)" if sys.platform.startswith("linux") else ""
REMEDY: Final = f"Install a graphics driver{MESA}."


def missing_gl() -> str:
    """A sentence saying why the 3D view is unavailable; empty if it works."""
    if is_bare():
        return _missing_bare_gl()
    surface = QOffscreenSurface()
    surface.create()
    context = QOpenGLContext()
    if not context.create() or not context.makeCurrent(surface):
        return (
            f"This display offers no OpenGL {NEEDED[0]}.{NEEDED[1]}, so there is no 3D view; "
            f"the map and everything else work. {REMEDY}"
        )
    found = (context.format().majorVersion(), context.format().minorVersion())
    context.doneCurrent()
    if found < NEEDED:
        return (
            f"This display offers OpenGL {found[0]}.{found[1]}, the 3D view needs {NEEDED[0]}.{NEEDED[1]}; "
            "the map and everything else work."
        )
    return ""


def _missing_bare_gl() -> str:
    try:
        EglContext().close()
    except RenderError as error:
        return f"There is no 3D view, because {error}; the map and everything else work. {REMEDY}"
    return ""
