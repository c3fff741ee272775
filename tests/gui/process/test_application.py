"""The settings that must precede the application object."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from engine.render.gl.platform import settle_gl_platform
from ui.window.application import default_format

ROOT = Path(__file__).resolve().parents[3]

# Run in another process: a process can have only one application object, and this one may have it already.
MAKE_CONTEXT = """
from PySide6.QtGui import QOffscreenSurface, QOpenGLContext
from ui.window.application import create_application

application = create_application(["test"])
surface, context = QOffscreenSurface(), QOpenGLContext()
surface.create()
made = context.create() and context.makeCurrent(surface)
found = context.format()
print(made, found.majorVersion() >= 3, found.stencilBufferSize(), found.depthBufferSize() >= 24, found.profile().name)
print(application.applicationName())
"""


@pytest.mark.gui
@pytest.mark.display
def test_the_application_brings_an_opengl_core_context_with_a_stencil() -> None:
    result = subprocess.run([sys.executable, "-c", MAKE_CONTEXT], cwd=ROOT, capture_output=True, text=True, check=True)
    assert result.stdout.splitlines() == ["True True 8 True CoreProfile", "Cellar Door"]


def test_the_format_asks_for_no_multisampling() -> None:
    assert default_format().samples() == -1


@pytest.mark.parametrize("sign", [{"WAYLAND_DISPLAY": "wayland-0"}, {"XDG_SESSION_TYPE": "wayland"}, {"DISPLAY": ":0"}])
def test_on_linux_qt_and_pyopengl_both_take_egl(sign: dict[str, str]) -> None:
    environment = dict(sign)
    settle_gl_platform(environment)
    assert environment == {**sign, "QT_XCB_GL_INTEGRATION": "xcb_egl", "PYOPENGL_PLATFORM": "egl"}


@pytest.mark.skipif(sys.platform != "linux", reason="only Linux has two ways to OpenGL")
def test_qt_and_pyopengl_both_take_the_other_way_that_is_chosen() -> None:
    environment = {"CELLAR_DOOR_OPENGL": "glx"}
    settle_gl_platform(environment)
    assert environment == {
        "CELLAR_DOOR_OPENGL": "glx",
        "QT_XCB_GL_INTEGRATION": "xcb_glx",
        "PYOPENGL_PLATFORM": "glx",
    }
