"""Log by clicks: what is done and refused is listed, searched and copied; an exception in a slot ends nothing."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from PySide6.QtCore import Qt, QTimer
from PySide6.QtGui import QGuiApplication
from pytestqt.qtbot import QtBot

from editor.models.python_log import PythonEars
from tests.gui.docks.live_hands import click_button, click_row, raise_dock
from ui.docks.doors import DoorsPanel
from ui.docks.log import LogPanel
from ui.docks.problems import ProblemsView
from ui.window.main_window import MainWindow

pytestmark = [pytest.mark.gui, pytest.mark.locale]

KIND, WHAT = 2, 4


@pytest.fixture
def log(qtbot: QtBot, opened: MainWindow) -> LogPanel:
    """Log in front, and the door between hall and study has been opened and undone, in the past too."""
    live = opened
    raise_dock(qtbot, live.docks.dock(DoorsPanel))
    raise_dock(qtbot, live.docks.dock(LogPanel))
    click_row(qtbot, live.docks.panel(DoorsPanel).view, live.document.sim.population.doors[0].id)
    click_button(qtbot, live.docks.panel(DoorsPanel), "door-hold-button")
    live.document.undo()
    qtbot.waitUntil(lambda: len(texts(live.docks.panel(LogPanel))) >= 3)
    return live.docks.panel(LogPanel)


def texts(panel: LogPanel) -> list[str]:
    return [row.values[WHAT].text for row in panel.model.rows]


def test_the_log_lists_openings_edits_and_undos_in_order(log: LogPanel) -> None:
    assert texts(log)[-2:] == ["Hold hall-study door Open", "Undid: Hold hall-study door Open"]
    assert any(text.startswith("Opened ") for text in texts(log))


def test_rows_are_searched_copied_and_cleared(qtbot: QtBot, log: LogPanel) -> None:
    log.view.setFocus()
    keys = Qt.KeyboardModifier.ControlModifier | Qt.KeyboardModifier.ShiftModifier
    qtbot.keyClick(log.view, Qt.Key.Key_F, keys)
    assert log.words.hasFocus()
    qtbot.keyClicks(log.words, "undid")
    assert texts(log) == ["Undid: Hold hall-study door Open"]
    click_button(qtbot, log, "log-copy-button")
    lines = QGuiApplication.clipboard().text().splitlines()
    assert lines[0].split("\t") == ["Time", "Tick", "Kind", "×", "What"]
    assert lines[1].endswith("\tsaid\t1\tUndid: Hold hall-study door Open")
    click_button(qtbot, log, "log-clear-button")
    assert texts(log) == []
    assert not log.clear_action.isEnabled()


@pytest.fixture
def ears(opened: MainWindow) -> Iterator[PythonEars]:
    made = PythonEars(opened)
    made.listen()
    opened.messages.listen(made, opened.problem_reports.action)
    yield made
    made.close()


@pytest.mark.qt_no_exception_capture
def test_an_exception_in_a_slot_is_reported_and_the_session_continues(
    qtbot: QtBot, opened: MainWindow, log: LogPanel, ears: PythonEars
) -> None:
    def stumble() -> None:
        raise ZeroDivisionError("of a lever by its arm")

    QTimer.singleShot(0, stumble)
    qtbot.waitUntil(opened.banner.isVisible)
    sentence = opened.banner.label.text()
    assert "ZeroDivisionError: of a lever by its arm" in sentence
    qtbot.waitUntil(lambda: texts(log)[-1].startswith("Something went wrong"))
    log.view.scrollToBottom()
    click_row(qtbot, log.view, log.model.rows[-1].key)
    assert log.details.isVisible()
    assert "Traceback" in log.details.toPlainText()
    tick = opened.document.sim.tick_number
    qtbot.keyClick(opened, ".")
    assert opened.document.sim.tick_number == tick + 1


def test_an_unread_warning_marks_the_dock_until_it_is_seen(qtbot: QtBot, opened: MainWindow, log: LogPanel) -> None:
    dock = opened.docks.of(log)
    raise_dock(qtbot, opened.docks.dock(ProblemsView))
    opened.banner.warn("■ The lamp went out", "at night")
    qtbot.waitUntil(lambda: dock.windowTitle() == "Log (■ 1)")
    raise_dock(qtbot, dock)
    assert dock.windowTitle() == "Log"
    assert texts(log)[-1] == "The lamp went out  …"


def test_a_source_that_fails_to_open_is_logged(qtbot: QtBot, opened: MainWindow, log: LogPanel) -> None:
    opened.open("/nowhere/at/all")
    qtbot.waitUntil(lambda: log.model.rows[-1].values[KIND].text == "■ error")
    assert "cannot be opened" in texts(log)[-1]
    assert any(text == "Opening /nowhere/at/all" for text in texts(log))
