"""The Compare dock by real clicks: choosing, the pages, going to ticks, the sides, and what cannot be compared."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest
from PySide6.QtCore import Qt, QTimer
from PySide6.QtWidgets import QApplication, QFileDialog, QMenu, QTabBar, QToolButton
from pytestqt.qtbot import QtBot

from editor.models.compare.ways import NOTHING_EDITED, SAME_RULES
from engine.sim.edits.doors import OpenDoor
from engine.sim.edits.player import Teleport
from engine.sim.recording_file import save_recording
from engine.sim.tick.controls import Controls
from ui.commands.registry import without_mnemonic
from ui.docks.compare.compare_dock import EMPTY, ComparePanel
from ui.docks.panel import is_seen
from ui.docks.table import LiveView
from ui.window.actions.compare_body import BodyDialog
from ui.window.main_window import MainWindow

pytestmark = pytest.mark.gui

LEFT = Qt.MouseButton.LeftButton
RUN = Controls(forward=1.0, run=True)


@pytest.fixture
def walked(qtbot: QtBot, opened: MainWindow) -> MainWindow:
    """The house, with the player run against its closed door for 60 ticks."""
    stand_in_hall(opened)
    opened.document.tick_many(60, RUN)
    return opened


def stand_in_hall(window: MainWindow) -> None:
    block = window.document.sim.world.landblock(window.document.sim.world.landblock_ids()[0])
    assert block is not None
    window.document.edit("Stand There", Teleport(block.env_cells[0].id, 3.0, 2.0, 0.0, 90.0))


def panel_of(window: MainWindow) -> ComparePanel:
    return window.docks.panel(ComparePanel)


def choose(qtbot: QtBot, window: MainWindow, *titles: str) -> ComparePanel:
    """By the button of the dock; a menu has an event loop of its own."""
    panel = panel_of(window)
    window.docks.bring(window.docks.dock(ComparePanel))
    qtbot.waitUntil(lambda: is_seen(panel))
    QTimer.singleShot(0, clicks(qtbot, list(titles)))
    qtbot.mouseClick(panel.choose, LEFT)
    qtbot.waitUntil(lambda: not window.compare.is_working, timeout=60_000)
    return panel


def clicks(qtbot: QtBot, titles: list[str]) -> Callable[[], None]:
    def click() -> None:
        menu = QApplication.activePopupWidget()
        assert isinstance(menu, QMenu)
        entry = next(action for action in menu.actions() if without_mnemonic(action.text()) == titles[0])
        if len(titles) > 1:
            QTimer.singleShot(500, clicks(qtbot, titles[1:]))
        qtbot.mouseClick(menu, LEFT, pos=menu.actionGeometry(entry).center())

    return click


def page(qtbot: QtBot, panel: ComparePanel, number: int) -> None:
    bar: QTabBar = panel.pages.tabBar()
    qtbot.mouseClick(bar, LEFT, pos=bar.tabRect(number).center())
    assert panel.pages.currentIndex() == number


def click_row(qtbot: QtBot, view: LiveView, row: int) -> None:
    qtbot.mouseClick(view.viewport(), LEFT, pos=view.visualRect(view.table.index(row, 0)).center())


def test_the_empty_dock_says_what_fills_it(qtbot: QtBot, opened: MainWindow) -> None:
    panel = panel_of(opened)
    opened.docks.bring(opened.docks.dock(ComparePanel))
    qtbot.waitUntil(lambda: is_seen(panel))
    assert panel.stack.currentWidget() is panel.empty
    assert panel.empty.text() == EMPTY
    assert not any(side.isVisible() for side in panel.sides)


def test_another_body_parts_and_every_page_leads_to_ticks(qtbot: QtBot, walked: MainWindow) -> None:
    panel = panel_of(walked)

    def answer() -> None:
        dialog = walked.findChild(BodyDialog)
        assert isinstance(dialog, BodyDialog)
        assert not dialog.ok.isEnabled()
        dialog.boxes["run_skill"].setValue(0.0)
        assert dialog.ok.isEnabled()
        qtbot.mouseClick(dialog.ok, LEFT)

    command = walked.commands.find("compare-body")
    assert command is not None
    command.trigger()
    qtbot.waitUntil(lambda: walked.findChild(BodyDialog) is not None)
    answer()
    qtbot.waitUntil(lambda: walked.compare.is_on and not walked.compare.is_working, timeout=60_000)
    qtbot.waitUntil(lambda: is_seen(panel))
    assert walked.compare.title == "run_skill 0"
    assert panel.parting.head.text() == "This change does it: run_skill 0."
    first = walked.compare.seen
    assert first is not None
    qtbot.mouseClick(panel.parting.go, LEFT)
    history = walked.document.history
    assert history is not None
    assert history.now == walked.compare.first_tick + first.index + 1
    assert walked.document.in_past

    page(qtbot, panel, 1)
    assert all(side.tree.currentIndex().isValid() for side in panel.sweeps.sides)
    titles = [str(side.tree.currentIndex().siblingAtColumn(0).data()) for side in panel.sweeps.sides]
    assert all(title.startswith("≠ ") for title in titles)
    page(qtbot, panel, 2)
    (row,) = panel.gaps.table.rows
    click_row(qtbot, panel.gaps, 0)
    assert history.now == int(str(row.key)) + 1
    page(qtbot, panel, 3)
    qtbot.waitUntil(lambda: walked.compare.judged == walked.compare.compared, timeout=60_000)
    assert panel.server_word.text().startswith("A server that goes by ace ")


def test_the_side_that_docks_show_is_a_choice_of_two(qtbot: QtBot, walked: MainWindow) -> None:
    panel = choose(qtbot, walked, "Compare with ACE rules")
    first, second = panel.sides
    assert [side.text() for side in panel.sides] == ["retail", "ace"]
    assert first.isChecked()
    qtbot.mouseClick(second, LEFT)
    assert walked.compare.shows_second
    assert second.isChecked()
    assert not first.isChecked()
    qtbot.mouseClick(first, LEFT)
    assert not walked.compare.shows_second


def test_a_single_rule_is_chosen_in_the_dock(qtbot: QtBot, walked: MainWindow) -> None:
    panel = choose(qtbot, walked, "Single Rule", "Order of the objects in a cell (shadow_order)")
    assert walked.compare.title == "shadow_order: ACE"
    assert walked.compare.names == ("retail", "ace")
    assert panel.choose.text() == "Compare With shadow_order: ACE"
    checked = walked.commands.find("compare-rule-shadow_order")
    assert checked is not None
    assert checked.isChecked()
    choose(qtbot, walked, "Stop Comparing")
    assert not walked.compare.is_on
    assert not checked.isChecked()
    assert panel.stack.currentWidget() is panel.empty


def test_what_is_not_possible_now_says_why(qtbot: QtBot, walked: MainWindow) -> None:
    walked.commands.prepare()
    reasons = {name: walked.commands.find(f"compare-{name}") for name in ("rules-retail", "before-edits", "off")}
    tips = {name: "" if action is None else action.toolTip() for name, action in reasons.items()}
    assert tips["rules-retail"] == SAME_RULES
    assert tips["before-edits"] == NOTHING_EDITED
    assert not any(action is None or action.isEnabled() for action in reasons.values())
    door = walked.document.sim.population.doors[0]
    walked.document.edit("Open Door", OpenDoor(door.id))
    walked.document.tick_many(60, RUN)
    panel = choose(qtbot, walked, "Compare with the World before the Edits")
    assert walked.compare.seen is not None
    assert panel.parting.head.text() == f"This change does it: open door: {door.name}, before tick 60."


def test_the_edits_of_a_project_are_left_out_too(qtbot: QtBot, edited: MainWindow, tmp_path: Path) -> None:
    """The door is locked by the project, before the first tick."""
    door = edited.document.sim.population.doors[0]
    file = tmp_path / "locked.cellardoor"
    edited.projects.keeper.save(file)
    with qtbot.waitSignal(edited.document.started, timeout=60_000):
        edited.open(str(file))
    stand_in_hall(edited)
    edited.document.tick_many(30, Controls(forward=1.0, run=True))
    edited.document.tick(Controls(use=door.id))
    edited.document.tick_many(60, RUN)
    panel = choose(qtbot, edited, "Compare with the World before the Edits")
    assert edited.compare.seen is not None, edited.compare.problem
    assert edited.compare.seen.index == 30
    assert panel.parting.head.text() == "This change does it: what was edited before the first tick."


def test_another_recording_is_chosen_and_a_bad_one_is_refused(qtbot: QtBot, walked: MainWindow, tmp_path: Path) -> None:
    assert walked.document.history is not None
    good, bad = tmp_path / "run.cdrec", tmp_path / "bad.cdrec"
    save_recording(walked.document.history.kept()[0], good)
    bad.write_bytes(b"\0" * 64)
    walked.comparing.ask_for_recording()
    dialog = walked.findChild(QFileDialog, "compare-dialog")
    assert isinstance(dialog, QFileDialog)
    dialog.fileSelected.emit(str(good))
    dialog.close()
    qtbot.waitUntil(lambda: walked.compare.is_on and not walked.compare.is_working, timeout=60_000)
    panel = panel_of(walked)
    assert panel.headline.text() == "Nothing differs in 60 ticks of this run and run.cdrec."
    walked.comparing.compare_recording(bad)
    assert not walked.compare.is_on
    assert "bad.cdrec" in walked.status.currentMessage()
    assert panel.headline.text().startswith("Recording bad.cdrec cannot be compared: ")


def test_a_world_that_is_opened_ends_the_comparison(qtbot: QtBot, walked: MainWindow, house: Path) -> None:
    choose(qtbot, walked, "Compare with ACE rules")
    with qtbot.waitSignal(walked.document.started, timeout=60_000):
        walked.open(str(house))
    panel = panel_of(walked)
    assert not walked.compare.is_on
    assert panel.stack.currentWidget() is panel.empty
    assert panel.headline.text() == ""
    assert isinstance(panel.choose, QToolButton)
