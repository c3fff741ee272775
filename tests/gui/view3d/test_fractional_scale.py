"""At 125 and 150 %, where a pixel of the window is no whole number of the screen's: sharp, and clicks hit."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest
from PySide6.QtCore import QSettings, QSizeF
from pytestqt.qtbot import QtBot

from engine.build.demo import ensure_demo
from tests.gui.view3d.view_hands import redraw, view_of, viewport_of
from tests.loaded import HUNG

pytestmark = pytest.mark.gui

HERE = Path(__file__).resolve().parent
FACTOR = os.environ.get("QT_SCALE_FACTOR", "")
CLICKS = (
    "all_pixels or hovering_a_handle or dragging_an_arrow or taken_back or empty_doorway or right_click_on_a_door "
    "or click_on_a or shift_click or hovering_marks or double_click"
)


@pytest.mark.skipif(FACTOR not in ("1.25", "1.5"), reason="runs in the process that the last test here starts")
def test_the_picture_has_all_pixels_of_the_screen(qtbot: QtBot, settings: QSettings) -> None:
    with view_of(qtbot, settings, ensure_demo()) as view:
        viewport = viewport_of(view)
        redraw(qtbot, view)
        assert viewport.devicePixelRatioF() == float(FACTOR)
        size = (QSizeF(viewport.size()) * float(FACTOR)).toSize()
        assert {(target.width, target.height) for target in viewport._targets.values()} == {size.toTuple()}
        assert viewport.grab_picture().size() == size


@pytest.mark.skipif(bool(FACTOR), reason="that is this test")
@pytest.mark.parametrize("factor", ["1.25", "1.5"])
def test_real_clicks_hit_what_is_under_them(factor: str) -> None:
    files = [str(HERE / name) for name in (Path(__file__).name, "test_tools.py", "test_viewport.py")]
    command = [sys.executable, "-m", "pytest", "-q", "-p", "no:xvfb", "-k", CLICKS, *files]
    environment = {**os.environ, "QT_SCALE_FACTOR": factor}
    done = subprocess.run(command, env=environment, capture_output=True, text=True, check=False, timeout=HUNG)
    assert done.returncode == 0, done.stdout
    assert "..........." in done.stdout, done.stdout
