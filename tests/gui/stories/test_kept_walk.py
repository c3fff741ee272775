"""A kept walk that an edit breaks: Problems says so, Compare names the edit, and undo or a new truth settles it."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from PySide6.QtCore import QSettings, Qt
from PySide6.QtWidgets import QInputDialog, QLineEdit, QMenu, QPlainTextEdit, QToolButton, QWidget
from pytestqt.qtbot import QtBot

from editor.export.recordings import recording_of
from editor.session.session import Kind
from engine.entities.door import Door
from engine.sim.recording_file import save_recording
from engine.sim.tick.controls import Controls
from tests.gui.docks.live_hands import raise_dock
from tests.gui.stories.actions import Actions
from tests.gui.stories.demo import demo_at
from ui.docks.doors import DoorsPanel
from ui.docks.problems import ProblemsView
from ui.window.main_window import MainWindow

pytestmark = pytest.mark.gui


@pytest.fixture
def demo(qtbot: QtBot, settings: QSettings, tmp_path: Path) -> Iterator[MainWindow]:
    with demo_at(qtbot, settings, "cottage_outside_front_door") as window:
        yield window
        if window.document.simulation is not None:
            window.projects.keeper.save(tmp_path / "closed.cellardoor")


def front_door(window: MainWindow) -> Door:
    return next(door for door in window.document.sim.population.doors if door.name == "Front Door")


def walk_in(window: MainWindow) -> None:
    """Use the front door and run through it."""
    window.document.tick(Controls(use=front_door(window).id))
    window.document.tick_many(60, Controls(forward=1.0, run=True))


def keep(qtbot: QtBot, window: MainWindow, name: str, actions: Actions | None = None) -> None:
    hands = actions or Actions()
    choose(window, "Keep This Walk…", hands)
    dialog = window.kept_walks.asking
    assert dialog is not None
    qtbot.waitUntil(dialog.isVisible)
    field = dialog.focusWidget()
    assert field is not None
    hands.type(field, name)
    hands.press(field, Qt.Key.Key_Return)
    qtbot.waitUntil(lambda: any(entry.name == name for entry in window.walks.kept.entries), timeout=60_000)
    settled(qtbot, window)


def choose(window: MainWindow, entry: str, actions: Actions) -> None:
    """A command of File > Kept Walks, by a click on it."""
    above = next(each for each in window.menus["File"].actions() if each.text().replace("&", "") == "Kept Walks")
    menu = above.menu()
    assert isinstance(menu, QMenu)
    menu.popup(window.mapToGlobal(window.rect().center()))
    found = next(each for each in menu.actions() if each.text().replace("&", "") == entry)
    assert found.isEnabled(), found.toolTip()
    actions.click(menu, menu.actionGeometry(found).center())
    menu.hide()


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


def lock(qtbot: QtBot, window: MainWindow, actions: Actions) -> None:
    """In Doors: a click on the door, and another one on Lock."""
    panel = window.docks.panel(DoorsPanel)
    raise_dock(qtbot, window.docks.dock(DoorsPanel))
    row = next(row for row in range(panel.model.rowCount()) if panel.model.index(row, 0).data() == "Front Door")
    actions.click(panel.view.viewport(), panel.view.visualRect(panel.model.index(row, 0)).center())
    made = panel.findChild(QToolButton, "door-lock-button")
    assert isinstance(made, QToolButton)
    actions.click(made)
    assert front_door(window).locked


def test_an_edit_that_breaks_a_kept_walk_is_told_compared_and_undone(qtbot: QtBot, demo: MainWindow) -> None:
    walk_in(demo)
    keep(qtbot, demo, "into the cottage")
    raise_dock(qtbot, demo.docks.dock(ProblemsView))
    assert walk_rows(demo) == []
    assert problems(demo).walks_line.text() == "1 walk goes as before"
    assert problems(demo).nothing.isVisible()

    actions = Actions()
    lock(qtbot, demo, actions)
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
    assert actions.count == 5


def test_what_a_walk_does_now_can_be_its_new_truth(qtbot: QtBot, demo: MainWindow, tmp_path: Path) -> None:
    walk_in(demo)
    keep(qtbot, demo, "into the cottage")
    actions = Actions()
    lock(qtbot, demo, actions)
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
    assert demo.isWindowModified()
    demo.projects.keeper.save(file)
    qtbot.waitUntil(lambda: not demo.isWindowModified())
    with qtbot.waitSignal(demo.document.started, timeout=60_000):
        demo.open(str(file))
    assert [entry.name for entry in demo.walks.kept.entries] == ["into the cottage"]
    settled(qtbot, demo)
    assert walk_rows(demo) == []
    demo.document.undo()
    qtbot.waitUntil(lambda: bool(walk_rows(demo)), timeout=60_000)
    assert demo.walks.longest_slice < 0.5


def test_the_list_renames_runs_and_forgets(qtbot: QtBot, demo: MainWindow) -> None:
    walk_in(demo)
    keep(qtbot, demo, "into the cottage")
    actions = Actions()
    raise_dock(qtbot, demo.docks.dock(ProblemsView))
    click(demo, "problems-walks-button", actions)
    dialog = demo.kept_walks.dialog
    assert dialog is not None
    qtbot.waitUntil(dialog.isActiveWindow)

    def values() -> list[list[str]]:
        return [[value.text for value in row.values] for row in dialog.model.rows]

    assert values() == [["into the cottage", "✓ as before", "goes as before in 61 ticks"]]
    view = dialog.view
    actions.click(view.viewport(), view.visualRect(dialog.model.index(0, 0)).center())
    named(qtbot, demo, lambda: qtbot.keyClick(view, Qt.Key.Key_F2), "in")
    assert values()[0][0] == "in"
    named(qtbot, demo, lambda: button_of(dialog, "walks-rename-button").click(), "   ")
    assert values()[0][0] == "in"
    assert "A walk needs a name." in demo.banner.label.text()
    ran = demo.walks.ticks_run
    actions.click(button_of(dialog, "walks-run-button"))
    settled(qtbot, demo)
    assert demo.walks.ticks_run == ran + 61
    assert not button_of(dialog, "walks-compare-button").isEnabled()
    qtbot.keyClick(view, Qt.Key.Key_Delete)
    assert values() == []
    assert not problems(demo).walks_bar.isVisible()
    dialog.close()


def button_of(dialog: QWidget, name: str) -> QToolButton:
    found = dialog.findChild(QToolButton, name)
    assert isinstance(found, QToolButton)
    return found


def named(qtbot: QtBot, window: MainWindow, ask: Callable[[], object], name: str) -> None:
    ask()
    question = window.kept_walks.asking
    assert isinstance(question, QInputDialog)
    field = question.findChild(QLineEdit)
    assert field is not None
    field.selectAll()
    qtbot.keyClicks(field, name)
    qtbot.keyClick(field, Qt.Key.Key_Return)
    qtbot.waitUntil(lambda: window.kept_walks.asking is None)


def test_a_folder_of_walks_is_watched(qtbot: QtBot, demo: MainWindow, tmp_path: Path) -> None:
    walk_in(demo)
    folder = tmp_path / "kept"
    folder.mkdir()
    recording, landblocks = recording_of(demo.document)
    recording.know_world(demo.document.sim.world, landblocks)
    save_recording(recording, folder / "in.cdrec")
    (folder / "broken.cdrec").write_bytes(b"CDRECORD")
    demo.kept_walks.watch_folder(folder)
    qtbot.waitUntil(lambda: len(demo.walks.kept.entries) == 2, timeout=60_000)
    settled(qtbot, demo)
    assert walk_rows(demo) == ["Walk ‘broken.cdrec’ cannot be read: is not a recording"]
    assert demo.walks.text == "1 walk goes as before, 1 otherwise"
    assert not demo.projects.keeper._other_walks, "its walks are no part of the project"
    actions = Actions()
    lock(qtbot, demo, actions)
    qtbot.waitUntil(lambda: len(walk_rows(demo)) == 2, timeout=60_000)
    before = (folder / "in.cdrec").read_bytes()
    entry = next(each for each in demo.walks.kept.entries if each.name == "in.cdrec")
    demo.walks.accept(entry)
    qtbot.waitUntil(lambda: len(walk_rows(demo)) == 1, timeout=60_000)
    assert (folder / "in.cdrec").read_bytes() != before
    choose(demo, "Stop Watching the Folder", actions)
    assert demo.walks.kept.entries == []
