"""View > Antialiasing in the real window: the choice, the picture at rest, and what is not supported."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from PySide6.QtCore import QSettings
from pytestqt.qtbot import QtBot

from engine.build.demo import ensure_demo
from tests.gui.view3d.view_hands import redraw, rest, view_of, viewport_of
from ui.view3d import gl_canvas
from ui.window.main_window import MainWindow

pytestmark = pytest.mark.gui


@pytest.fixture
def view(qtbot: QtBot, settings: QSettings) -> Iterator[MainWindow]:
    with view_of(qtbot, settings, ensure_demo()) as shown:
        yield shown


def choose(window: MainWindow, name: str) -> None:
    action = window.commands.find(f"antialiasing-{name}")
    assert action is not None
    action.trigger()
    assert action.isChecked()


def test_a_moving_picture_is_quick_and_one_at_rest_is_smooth(
    qtbot: QtBot, view: MainWindow, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(gl_canvas, "LONGEST_SMOOTHING", 100.0)  # however busy the machine is
    viewport = viewport_of(view)
    rest(qtbot, view)
    assert viewport.samples == 1
    qtbot.waitUntil(lambda: viewport.samples == 4)
    drawn = viewport.drawn
    qtbot.wait(500)
    assert viewport.drawn == drawn, "a picture at rest is drawn again once"
    redraw(qtbot, view)
    assert viewport.samples == 1
    viewport.grab_picture()
    assert viewport.samples == 4, "saved pictures are smooth"


def test_the_choice_is_kept_and_what_is_unsupported_is_logged(
    qtbot: QtBot, view: MainWindow, settings: QSettings
) -> None:
    viewport = viewport_of(view)
    choose(view, "off")
    redraw(qtbot, view)
    qtbot.wait(500)
    assert viewport.samples == 1
    choose(view, "eight")
    redraw(qtbot, view)
    assert viewport.samples == 4
    qtbot.waitUntil(lambda: any("Antialiasing 8x is not supported" in entry.text for entry in view.log.entries))
    assert settings.value("antialiasing") == "EIGHT"
    other = view.commands.find("antialiasing-auto")
    assert other is not None
    assert not other.isChecked()


def test_a_picture_that_would_take_long_is_not_smoothed(
    qtbot: QtBot, view: MainWindow, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(gl_canvas, "LONGEST_SMOOTHING", 0.0)
    redraw(qtbot, view)
    qtbot.wait(500)
    assert viewport_of(view).samples == 1
