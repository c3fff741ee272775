"""Stop when: a condition is written, time stops at it, and it is found in the past, kept and forgotten."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from PySide6.QtCore import QSettings, Qt
from PySide6.QtWidgets import QToolButton
from pytestqt.qtbot import QtBot

from editor.models.conditions.kept import Entry
from editor.models.timeline.events import CELLS, STOPS
from engine.sim.conditions.reading import Misread, read_condition
from engine.sim.tick.controls import Controls
from engine.sim.tick.report import TickReport
from tests.gui.docks.timeline_hands import place
from tests.gui.stories.demo import demo_at
from tests.gui.view3d.view_hands import viewport_of
from ui.docks.timeline.stop_when import StopWhenDialog
from ui.docks.timeline.timeline_dock import TimelinePanel
from ui.window.main_window import MainWindow

pytestmark = [pytest.mark.gui, pytest.mark.locale]


@pytest.fixture
def demo(qtbot: QtBot, settings: QSettings) -> Iterator[MainWindow]:
    with demo_at(qtbot, settings, "cottage_inside_front_door") as window:
        yield window


def asked(qtbot: QtBot, window: MainWindow) -> StopWhenDialog:
    """By the button of the toolbar."""
    button = window.time_bar.button_of(window.stop_when.ask_action)
    assert isinstance(button, QToolButton)
    qtbot.mouseClick(button, Qt.MouseButton.LeftButton)
    dialog = window.stop_when.dialog
    assert dialog is not None
    qtbot.waitUntil(dialog.isActiveWindow, timeout=10_000)
    return dialog


def write(qtbot: QtBot, dialog: StopWhenDialog, text: str) -> None:
    qtbot.keyClicks(dialog.line, text)
    if dialog.line.popup.isVisible():
        qtbot.keyClick(dialog.line.popup, Qt.Key.Key_Escape)
    qtbot.keyClick(dialog.line, Qt.Key.Key_Return)


def button_of(dialog: StopWhenDialog, name: str) -> QToolButton:
    found = dialog.findChild(QToolButton, name)
    assert isinstance(found, QToolButton)
    return found


def rows(dialog: StopWhenDialog) -> list[tuple[bool | None, str, str]]:
    return [(row.checked, row.values[0].text, row.values[1].text) for row in dialog.model.rows]


def run_until_it_stops(qtbot: QtBot, window: MainWindow) -> TickReport:
    """Walk the player forward until time stops by itself."""
    window.activateWindow()
    qtbot.waitUntil(window.isActiveWindow, timeout=10_000)
    picture = viewport_of(window)
    picture.setFocus()
    qtbot.keyClick(picture, Qt.Key.Key_Tab)
    qtbot.keyPress(picture, Qt.Key.Key_W)
    qtbot.waitUntil(lambda: not window.clock.is_running, timeout=20_000)
    qtbot.keyRelease(picture, Qt.Key.Key_W)
    report = window.document.sim.last_report
    assert report is not None
    return report


def searched(qtbot: QtBot, window: MainWindow) -> list[int]:
    qtbot.waitUntil(lambda: not window.finds.is_working, timeout=20_000)
    return window.finds.ticks(window.conditions.chosen)


def test_time_stops_when_the_front_door_blocks(qtbot: QtBot, demo: MainWindow) -> None:
    dialog = asked(qtbot, demo)
    write(qtbot, dialog, "blocked by front door")
    assert dialog.line.text() == ""
    assert [row[:2] for row in rows(dialog)] == [(True, "blocked by front door")]
    report = run_until_it_stops(qtbot, demo)
    assert report.contacts is not None
    assert report.contacts.stopped_by
    assert demo.status.currentMessage() == f"Stopped after tick {report.tick:,}: blocked by front door"
    assert searched(qtbot, demo) == [report.tick]


def test_names_and_words_are_completed(qtbot: QtBot, demo: MainWindow) -> None:
    dialog = asked(qtbot, demo)
    line = dialog.line
    qtbot.keyClicks(line, "blo")
    assert line.popup.isVisible()
    qtbot.keyClick(line.popup, Qt.Key.Key_Down)
    qtbot.keyClick(line.popup, Qt.Key.Key_Down)
    qtbot.keyClick(line.popup, Qt.Key.Key_Return)
    assert line.text() == "blocked by "
    qtbot.keyClicks(line.popup, "fro")
    qtbot.keyClick(line.popup, Qt.Key.Key_Tab)
    assert line.text() == "blocked by Front Door "
    qtbot.keyClick(line.popup, Qt.Key.Key_Escape)
    qtbot.keyClick(line, Qt.Key.Key_Return)
    assert [row[:2] for row in rows(dialog)] == [(True, "blocked by Front Door")]


def test_a_mistake_is_told_and_keeps_the_line(qtbot: QtBot, demo: MainWindow) -> None:
    dialog = asked(qtbot, demo)
    write(qtbot, dialog, "blokced by walls")
    assert dialog.line.text() == "blokced by walls"
    assert dialog.word.text().startswith("At character 1, “blokced” does not fit; what fits is “blocked”")
    assert dialog.word.property("fault")
    assert rows(dialog) == []


def test_a_misspelt_name_is_told_with_the_one_that_was_meant(qtbot: QtBot, demo: MainWindow) -> None:
    dialog = asked(qtbot, demo)
    write(qtbot, dialog, "blocked by Frnt Door")
    assert dialog.line.text() == "blocked by Frnt Door"
    assert dialog.word.text() == "Nothing here is called “Frnt Door”; did you mean “Front Door”?"
    assert dialog.word.property("fault")
    assert rows(dialog) == []


def test_a_name_that_a_project_brings_is_kept_with_a_remark(qtbot: QtBot, demo: MainWindow) -> None:
    dialog = asked(qtbot, demo)
    write(qtbot, dialog, "cell changes")
    brought = read_condition("blocked by Frnt Door or indoors")
    assert not isinstance(brought, Misread)
    demo.conditions.entries.append(Entry("blocked by Frnt Door or indoors", brought))
    demo.conditions.changed.emit()
    remarks = [row[2].partition(" · ")[0] for row in rows(dialog)]
    assert remarks == ["0 of 0 ticks", "Nothing here is called “Frnt Door”; did you mean “Front Door”?"]


def walked(qtbot: QtBot, window: MainWindow) -> StopWhenDialog:
    """Through the door and on: 300 ticks, with two conditions that stop nothing."""
    dialog = asked(qtbot, window)
    write(qtbot, dialog, "cell changes or blocked")
    (row,) = dialog.model.rows
    dialog.model.setData(dialog.model.index(0, 0), Qt.CheckState.Unchecked, Qt.ItemDataRole.CheckStateRole)
    assert not window.conditions.stopping
    door = next(door for door in window.document.sim.population.doors if door.name == "Front Door")
    window.document.tick_many(40, Controls(forward=1.0, run=True))
    window.document.tick(Controls(use=door.id))
    window.document.tick_many(259, Controls(forward=1.0, run=True))
    assert row.key == dialog.model.rows[0].key
    return dialog


def test_what_is_recorded_is_searched_and_marked(qtbot: QtBot, demo: MainWindow) -> None:
    dialog = walked(qtbot, demo)
    found = searched(qtbot, demo)
    blocked = [tick for event in demo.events.chosen(STOPS) for tick in event.ticks]
    cells = [event.tick for event in demo.events.chosen(CELLS)]
    assert found == sorted({*blocked, *cells})
    assert len(blocked) > 10
    assert len(cells) > 1
    qtbot.waitUntil(lambda: rows(dialog)[0][2] == f"{len(found)} of 300 ticks", timeout=10_000)

    timeline = demo.docks.panel(TimelinePanel)
    assert timeline.plot.legend.values()["conditions"] == f"{len(found)} of 300 ticks"
    qtbot.mouseClick(button_of(dialog, "condition-before-button"), Qt.MouseButton.LeftButton)
    assert demo.document.history is not None
    assert demo.document.history.now == found[-1] + 1
    qtbot.keyClick(dialog.line, Qt.Key.Key_F8, Qt.KeyboardModifier.ShiftModifier)
    assert demo.document.history.now == found[-2] + 1
    qtbot.keyClick(dialog.line, Qt.Key.Key_F8)
    assert demo.document.history.now == found[-1] + 1
    port = timeline.plot.view.viewport()
    qtbot.mouseClick(port, Qt.MouseButton.LeftButton, pos=place(timeline.plot, cells[0] + 0.5, "conditions"))
    assert demo.document.history.now == cells[0] + 1


def test_time_stops_while_the_past_is_played(qtbot: QtBot, demo: MainWindow) -> None:
    dialog = walked(qtbot, demo)
    found = searched(qtbot, demo)
    write(qtbot, dialog, "cell changes or blocked")  # kept already: it stops time again
    assert [row[:2] for row in rows(dialog)] == [(True, "cell changes or blocked")]
    history = demo.document.history
    assert history is not None
    demo.document.go_to(history.first)
    stops = []
    for _ in range(3):
        demo.clock.run()
        qtbot.waitUntil(lambda: not demo.clock.is_running, timeout=20_000)
        stops.append(history.now - 1)
    assert stops == found[:3]
    demo.document.go_to(history.first)
    demo.clock.step(10)
    assert history.now - 1 == found[0], "steps end there too"


def test_what_was_found_goes_with_the_past(qtbot: QtBot, demo: MainWindow) -> None:
    walked(qtbot, demo)
    found = searched(qtbot, demo)
    demo.document.go_to(found[3])
    demo.document.continue_here()
    assert searched(qtbot, demo) == found[:3]
    demo.document.tick_many(5, Controls(forward=1.0, run=True))
    again = searched(qtbot, demo)
    assert again[:3] == found[:3]
    chosen = demo.conditions.chosen
    assert chosen is not None
    assert demo.finds.searched(chosen) == (found[3] + 5, found[3] + 5)


def test_conditions_are_kept_in_the_project(qtbot: QtBot, demo: MainWindow, tmp_path: Path) -> None:
    dialog = asked(qtbot, demo)
    for text in ("blocked by Front Door", "speed over 8 and not indoors"):
        write(qtbot, dialog, text)
    dialog.model.setData(dialog.model.index(1, 0), Qt.CheckState.Unchecked, Qt.ItemDataRole.CheckStateRole)
    kept = [(True, "blocked by Front Door"), (False, "speed over 8 m/s and not indoors")]
    assert [row[:2] for row in rows(dialog)] == kept
    file = tmp_path / "kept.cellardoor"
    demo.projects.keeper.save(file)
    qtbot.mouseClick(button_of(dialog, "condition-remove-button"), Qt.MouseButton.LeftButton)
    assert len(rows(dialog)) == 1
    with qtbot.waitSignal(demo.document.started, timeout=60_000):
        demo.open(str(file))
    assert [row[:2] for row in rows(dialog)] == kept
