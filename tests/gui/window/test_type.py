"""The window uses the bundled fonts, whatever the system has."""

from __future__ import annotations

import pytest
from PySide6.QtCore import QSettings
from PySide6.QtGui import QFontDatabase, QFontInfo
from PySide6.QtWidgets import QApplication, QWidget
from pytestqt.qtbot import QtBot

from ui.theme.theme import FALLBACK_MONO, FALLBACK_SANS
from ui.window.start import make_window

pytestmark = pytest.mark.gui


def test_every_text_of_a_started_window_uses_a_bundled_font(
    qtbot: QtBot, qapp: QApplication, settings: QSettings
) -> None:
    qapp.setStyleSheet("")
    qapp.setFont(QFontDatabase.systemFont(QFontDatabase.SystemFont.GeneralFont))  # as before the start
    window = make_window(qapp, settings)
    qtbot.addWidget(window)
    window.show()
    faces = {QFontInfo(widget.font()).family() for widget in [window, *window.findChildren(QWidget)]}
    assert faces == {FALLBACK_SANS, FALLBACK_MONO}
