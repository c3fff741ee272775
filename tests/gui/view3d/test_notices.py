"""The strip over the picture that says what has just happened to the player."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from PySide6.QtCore import QSettings
from pytestqt.qtbot import QtBot

from engine.sim.edits.player import Teleport
from tests.gui.view3d.view_hands import redraw, view_of, viewport_of
from ui.view3d.notices import CLEAR, NOTHING_YET, SETTING
from ui.window.main_window import MainWindow

pytestmark = pytest.mark.gui

HALL = 0x00070100


@pytest.fixture
def window(qtbot: QtBot, settings: QSettings, house: Path) -> Iterator[MainWindow]:
    with view_of(qtbot, settings, house) as shown:
        yield shown


def run_into_the_wall(qtbot: QtBot, window: MainWindow, heading: float = 270.0) -> None:
    window.document.edit("Stand There", Teleport(HALL, 1.5, 2.0, 0.0, heading))
    window.clock.keys.forward = 1.0
    window.clock.step(40)
    qtbot.waitUntil(lambda: not window.clock.is_stepping, timeout=20_000)
    window.clock.keys.forward = 0.0
    redraw(qtbot, window)


@pytest.mark.parametrize("size", [(1024, 700), (1280, 800)])
def test_it_covers_neither_tools_nor_figures_nor_its_subject(
    qtbot: QtBot, window: MainWindow, size: tuple[int, int]
) -> None:
    window.resize(*size)
    strip, viewport = window.notices, viewport_of(window)
    viewport.viewing.camera.toggle_player()
    for heading in (270.0, 0.0, 180.0, 225.0):
        run_into_the_wall(qtbot, window, heading)
        qtbot.waitUntil(strip.isVisible)
        strip.place()
        assert viewport.rect().contains(strip.geometry())
        assert not strip.geometry().intersects(viewport.tools.shelf.geometry())
        assert not strip.geometry().intersects(viewport.words.figures.toAlignedRect())
        around = strip.geometry().adjusted(-CLEAR, -CLEAR, CLEAR, CLEAR)
        assert strip.spots()
        assert not any(around.contains(spot) for spot in strip.spots())
        for label, button in strip.lines:
            if label.isVisible():
                assert strip.rect().contains(label.geometry())
                assert strip.rect().contains(button.geometry())
                assert label.height() >= label.heightForWidth(label.width())


def test_it_makes_way_for_what_it_is_about(qtbot: QtBot, window: MainWindow, monkeypatch: pytest.MonkeyPatch) -> None:
    run_into_the_wall(qtbot, window)
    strip = window.notices
    strip.place()
    before = strip.geometry()
    monkeypatch.setattr(type(strip), "spots", lambda self: [before.center()])
    strip.place()
    assert not strip.geometry().contains(before.center())


def test_repeats_are_counted_on_one_line(qtbot: QtBot, window: MainWindow) -> None:
    run_into_the_wall(qtbot, window)
    strip = window.notices
    window.notices.notices.look()
    shown = [label.text() for label, _ in strip.lines if label.isVisible()]
    assert len(shown) == 1
    event = window.events.last_hindrance(1000)
    assert event is not None
    assert event.count > 5
    assert shown[0] == f"■ {event.text}  ×{event.count}"


def test_it_can_be_switched_off_for_good(qtbot: QtBot, window: MainWindow, settings: QSettings) -> None:
    window.own_commands["event-notices"].trigger()
    assert settings.value(SETTING, True, type=bool) is False
    run_into_the_wall(qtbot, window)
    assert window.events.events
    assert not window.notices.isVisible()
    window.own_commands["event-notices"].trigger()
    assert window.notices.isVisible()


def test_the_command_says_when_there_is_nothing_to_explain(qtbot: QtBot, window: MainWindow) -> None:
    window.own_commands["why-did-that-happen"].trigger()
    assert window.status.currentMessage() == NOTHING_YET
