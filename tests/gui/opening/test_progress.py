"""The progress strip of long work, and the banner with its details folded."""

from __future__ import annotations

from collections.abc import Iterator
from threading import Event

import pytest
from PySide6.QtCore import Qt
from PySide6.QtGui import QAction, QGuiApplication
from pytestqt.qtbot import QtBot

from editor.session import background
from ui.widgets.progress_strip import PARTS, ProgressStrip
from ui.window.main_window import MainWindow

pytestmark = pytest.mark.gui


class Waiting(background.Job):
    """Waits at half its work until continued or cancelled."""

    def __init__(self) -> None:
        super().__init__()
        self.go_on = Event()

    def work(self) -> None:
        self.progress(0.5, "Waiting for the tide")
        while not self.go_on.wait(0.01):
            self.check()


@pytest.fixture
def job() -> Iterator[Waiting]:
    made = Waiting()
    yield made
    made.cancel()


def follow(qtbot: QtBot, strip: ProgressStrip, job: Waiting) -> None:
    strip.follow(job, "Beginning")
    background.start(job)
    qtbot.waitUntil(lambda: strip.isVisible() and strip.label.text() == "Waiting for the tide")


def test_long_work_shows_its_progress_until_it_is_over(qtbot: QtBot, window: MainWindow, job: Waiting) -> None:
    strip = window.centre.progress
    follow(qtbot, strip, job)
    assert strip.bar.value() == PARTS // 2
    assert strip.label.text() == "Waiting for the tide"
    job.go_on.set()
    qtbot.waitUntil(lambda: not strip.isVisible())
    assert not strip.cancel_action.isEnabled()


def test_a_click_on_cancel_ends_the_work_and_the_strip(qtbot: QtBot, window: MainWindow, job: Waiting) -> None:
    strip = window.centre.progress
    follow(qtbot, strip, job)
    qtbot.mouseClick(strip.button, Qt.MouseButton.LeftButton)
    assert not strip.isVisible()
    qtbot.waitUntil(lambda: job.is_done)


@pytest.mark.parametrize("where", ["view", "strip"])
def test_escape_cancels_the_work_in_progress(qtbot: QtBot, window: MainWindow, job: Waiting, where: str) -> None:
    strip = window.centre.progress
    follow(qtbot, strip, job)
    assert window.session.selection is None
    qtbot.keyClick(window.viewport if where == "view" else strip.button, Qt.Key.Key_Escape)
    assert not strip.isVisible()
    qtbot.waitUntil(lambda: job.is_done)


def test_of_two_jobs_the_later_shows_first_and_then_the_other(qtbot: QtBot, window: MainWindow, job: Waiting) -> None:
    strip = window.centre.progress
    follow(qtbot, strip, job)
    other = Waiting()
    strip.follow(other, "Another")
    assert strip.label.text() == "Another"
    qtbot.mouseClick(strip.button, Qt.MouseButton.LeftButton)
    assert strip.label.text() == "Waiting for the tide"
    assert strip.isVisible()


def test_a_warning_folds_its_details_and_copies_both(qtbot: QtBot, window: MainWindow) -> None:
    banner = window.banner
    banner.warn("■ the tide cannot be opened: it is out", "offset 0x10\nbeach")
    assert not banner.details.isVisible()
    qtbot.mouseClick(banner.fold, Qt.MouseButton.LeftButton)
    assert banner.details.isVisible()
    assert "offset 0x10" in banner.details.toPlainText()
    qtbot.mouseClick(banner.copy, Qt.MouseButton.LeftButton)
    assert QGuiApplication.clipboard().text() == "the tide cannot be opened: it is out\noffset 0x10\nbeach"
    banner.warn("■ without details")
    assert not banner.fold.isVisible()
    assert not banner.details.isVisible()


def test_a_warning_offers_its_remedy_as_a_button(qtbot: QtBot, window: MainWindow) -> None:
    done: list[bool] = []
    action = QAction("Wait for It", window)
    action.triggered.connect(lambda: done.append(True))
    window.banner.warn("■ it is out", offer=action)
    qtbot.mouseClick(window.banner.offered, Qt.MouseButton.LeftButton)
    assert done == [True]
    window.banner.say("in again")
    assert not window.banner.offered.isVisible()
