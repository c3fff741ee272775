"""OpenGL draws the same picture in a window as offscreen."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest
from numpy.typing import NDArray
from PySide6.QtCore import QSize
from PySide6.QtGui import QImage
from PySide6.QtWidgets import QDockWidget, QMainWindow
from pytestqt.qtbot import QtBot

from editor.pictures.onlooker import EyePoint, Onlooker, middle_of
from editor.session.sources import open_source
from editor.session.spawn import simulation_of
from engine.render.gl.renderer import DrawOptions, GlRenderer
from engine.visibility.frame import FrameResult
from ui.view3d.gl_canvas import GlCanvas

ROOT = Path(__file__).resolve().parents[3]
SIZE = (240, 150)

pytestmark = pytest.mark.gui


class Window(GlCanvas):
    """Shows one frame."""

    def __init__(self, onlooker: Onlooker, frame: FrameResult) -> None:
        super().__init__()
        self.setMinimumSize(QSize(*SIZE))
        self.setMaximumSize(QSize(*SIZE))
        self.renderer = GlRenderer(onlooker.scene)
        self.drawn = 0
        self._frame = frame

    def paint_gl(self, framebuffer: int) -> None:
        self.renderer.draw(self._frame, framebuffer, DrawOptions(sees_outside=True))
        self.drawn += 1

    def picture(self) -> NDArray[np.uint8]:
        return pixels(self.grab_picture())


def pixels(image: QImage) -> NDArray[np.uint8]:
    shown = image.convertToFormat(QImage.Format.Format_RGBX8888)
    return np.array(shown.constBits(), np.uint8).reshape(shown.height(), shown.width(), 4)[:, :, :3]


def test_a_window_matches_an_offscreen_picture_wherever_it_is_docked(qtbot: QtBot, tmp_path: Path) -> None:
    target = tmp_path / "crossing.png"
    cell_id = 0xC95B012A
    words = ["--cell", f"0x{cell_id:08X}", "--size", "{}x{}".format(*SIZE), "--mode", "exact"]
    command = [sys.executable, "-W", "ignore", "-m", "cellar_door", "look", "demo", *words, "--screenshot", str(target)]
    subprocess.run(command, cwd=ROOT, check=True, capture_output=True)
    with open_source("demo") as world:
        sim = simulation_of(world, "demo", None)
        view = EyePoint(cell_id, middle_of(world, cell_id), 0.0, 0.0)
        onlooker = Onlooker(world, sim)
        window = Window(onlooker, onlooker.frame(view, view.camera(*SIZE), exact=True))
        main, dock = QMainWindow(), QDockWidget()
        dock.setWidget(window)
        main.setCentralWidget(dock)
        qtbot.addWidget(main)
        with qtbot.waitExposed(main):
            main.show()
        wanted = pixels(QImage(str(target)))
        assert (window.picture() == wanted).all()
        other = QMainWindow()
        qtbot.addWidget(other)
        other.setCentralWidget(window)
        with qtbot.waitExposed(other):
            other.show()
        assert (window.picture() == wanted).all()
        assert window.make_current()
        window.renderer.close()
        onlooker.scene.close()
        sim.close()
