"""A kept walk that an edit breaks: Problems says so, Compare names the edit, and undo or a new truth settles it."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from PySide6.QtCore import QSettings, Qt
from PySide6.QtWidgets import QPlainTextEdit, QToolButton
from pytestqt.qtbot import QtBot

from editor.session.session import Kind, Selection, Session
from editor.session.sources import DEMO
from engine.build.demo import SPOTS
from engine.entities.door import Door
from engine.sim.edits.player import Teleport
from engine.sim.tick.controls import Controls
from engine.world.cells.ids import landblock_id
from tests.gui.docks.live_hands import raise_dock
from tests.gui.stories.actions import Actions
from ui.docks.problems import ProblemsView
from ui.window.main_window import MainWindow

pytestmark = pytest.mark.gui


@pytest.fixture
def demo(qtbot: QtBot, settings: QSettings) -> Iterator[MainWindow]:
    settings.setValue("centre", "3d")
    shown = MainWindow(Session(), settings)
    qtbot.addWidget(shown)
    with qtbot.waitActive(shown):
        shown.show()
        shown.activateWindow()
    with qtbot.waitSignal(shown.session.faults_changed, timeout=60_000):
        shown.open(DEMO)
    spot = SPOTS["cottage_outside_front_door"]
    shown.document.edit("Stand There", Teleport(spot.cell_id, *spot.origin, spot.heading))
    yield shown
    shown.document.stack.set_clean()
    shown.close()


def front_door(window: MainWindow) -> Door:
    return next(door for door in window.document.sim.population.doors if door.name == "Front Door")


def walk_in(window: MainWindow) -> None:
    """Use the front door and run through it."""
    window.document.tick(Controls(use=front_door(window).id))
    window.document.tick_many(60, Controls(forward=1.0, run=True))


def keep(qtbot: QtBot, window: MainWindow, name: str, actions: Actions | None = None) -> None:
    hands = actions or Actions()
    window.kept_walks.keep_action.trigger()
    hands.count += 1
    dialog = window.kept_walks.asking
    assert dialog is not None
    qtbot.waitUntil(dialog.isVisible)
    field = dialog.focusWidget()
    assert field is not None
    hands.type(field, name)
    hands.press(field, Qt.Key.Key_Return)
    qtbot.waitUntil(lambda: any(entry.name == name for entry in window.walks.kept.entries), timeout=60_000)
    settled(qtbot, window)


def settled(qtbot: QtBot, window: MainWindow) -> None:
    qtbot.waitUntil(lambda: not window.walks.is_working, timeout=60_000)


def problems(window: MainWindow) -> ProblemsView:
    return window.docks.panel(ProblemsView)


def walk_rows(window: MainWindow) -> list[str]:
    model = problems(window).model
    return [str(model.index(row, 4).data()) for row in range(len(model.walks))]


def click(window: MainWindow, name: str, actions: Actions) -> None:
    found = problems(window).findChild(QToolButton, name)
    assert isinstance(found, QToolButton)
    assert found.isVisible()
    assert found.isEnabled(), found.toolTip()
    actions.click(found)


def lock(window: MainWindow, actions: Actions) -> None:
    """In Doors, as a user does."""
    door = front_door(window)
    window.session.select(Selection(Kind.ENTITY, landblock_id(door.place_cell()), door.id))
    from engine.sim.edits.doors import LockDoor

    window.document.edit("Lock Front Door", LockDoor(door.id, True))
    actions.count += 1


def test_an_edit_that_breaks_a_kept_walk_is_told_compared_and_undone(qtbot: QtBot, demo: MainWindow) -> None:
    walk_in(demo)
    keep(qtbot, demo, "into the cottage")
    raise_dock(qtbot, demo.docks.dock(ProblemsView))
    assert walk_rows(demo) == []
    assert problems(demo).walks_line.text() == "1 walk goes as before"
    assert problems(demo).nothing.isVisible()

    actions = Actions()
    lock(demo, actions)
    qtbot.waitUntil(lambda: bool(walk_rows(demo)), timeout=60_000)
    (row,) = walk_rows(demo)
    assert row.startswith("Walk ‘into the cottage’ goes otherwise from tick ")
    assert "position" in row
    assert problems(demo).walks_line.text() == "1 walk goes otherwise"
    assert demo.docks.dock(ProblemsView).windowTitle() == "Problems (1)"

    table = problems(demo).table
    actions.click(table.viewport(), table.visualRect(problems(demo).model.index(0, 2)).center())
    selection = demo.session.selection
    assert selection is not None
    assert selection.kind in (Kind.CELL, Kind.LANDBLOCK)
    click(demo, "walk-compare-button", actions)
    dialog = demo.kept_walks.comparison
    assert dialog is not None
    qtbot.waitUntil(lambda: dialog.comparison.is_done, timeout=60_000)
    text = dialog.findChild(QPlainTextEdit)
    assert text is not None
    assert "as kept and now part in tick " in text.toPlainText()
    assert "This change does it: Lock Front Door." in text.toPlainText()
    assert dialog.comparison.longest_slice < 0.5
    dialog.close()

    click(demo, "walk-undo-button", actions)
    qtbot.waitUntil(lambda: not walk_rows(demo), timeout=60_000)
    assert problems(demo).walks_line.text() == "1 walk goes as before"
    assert demo.docks.dock(ProblemsView).windowTitle() == "Problems"
    assert actions.count == 4


def test_what_a_walk_does_now_can_be_its_new_truth(qtbot: QtBot, demo: MainWindow, tmp_path: Path) -> None:
    walk_in(demo)
    keep(qtbot, demo, "into the cottage")
    actions = Actions()
    lock(demo, actions)
    raise_dock(qtbot, demo.docks.dock(ProblemsView))
    qtbot.waitUntil(lambda: bool(walk_rows(demo)), timeout=60_000)
    table = problems(demo).table
    actions.click(table.viewport(), table.visualRect(problems(demo).model.index(0, 2)).center())
    click(demo, "walk-accept-button", actions)
    qtbot.waitUntil(lambda: not walk_rows(demo), timeout=60_000)
    settled(qtbot, demo)
    assert problems(demo).walks_line.text() == "1 walk goes as before"
    demo.document.undo()
    qtbot.waitUntil(lambda: bool(walk_rows(demo)), timeout=60_000)
    demo.document.redo()
    qtbot.waitUntil(lambda: not walk_rows(demo), timeout=60_000)

    file = tmp_path / "kept.cellardoor"
    assert demo.projects.keeper.is_dirty
    demo.projects.keeper.save(file)
    assert not demo.projects.keeper.is_dirty
    with qtbot.waitSignal(demo.document.started, timeout=60_000):
        demo.open(str(file))
    assert [entry.name for entry in demo.walks.kept.entries] == ["into the cottage"]
    settled(qtbot, demo)
    assert walk_rows(demo) == []
    demo.document.undo()
    qtbot.waitUntil(lambda: bool(walk_rows(demo)), timeout=60_000)
    assert demo.walks.longest_slice < 0.5
