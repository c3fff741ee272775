"""How much of the picture its numbers cover."""

from __future__ import annotations

from pathlib import Path

import pytest
from PySide6.QtCore import QRect, QSettings
from pytestqt.qtbot import QtBot

from tests.gui.view3d.view_hands import view_of, viewer_of
from ui.view3d.hud import lay_out_hud

pytestmark = pytest.mark.gui


def test_the_numbers_leave_most_of_a_small_picture_free(qtbot: QtBot, settings: QSettings, house: Path) -> None:
    with view_of(qtbot, settings, house) as window:
        qtbot.waitUntil(lambda: window.viewing.last is not None)
        assert window.viewing.last is not None
        frame = window.viewing.last.frame
        tools = QRect(12, 12, 37, 200)
        counts = []
        for width, height in ((250, 160), (350, 300), (350, 600), (1200, 800)):
            hud = lay_out_hud(QRect(0, 0, width, height), viewer_of(window), frame, 3.2, tools)
            assert hud.ground.height() <= height * 0.25 + hud.line
            assert hud.ground.right() <= width
            assert hud.rows[0][0].name == "player"
            counts.append(len([entry for row in hud.rows for entry in row]))
        assert counts[0] < counts[2] == counts[3]
