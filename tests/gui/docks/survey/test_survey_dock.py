"""The Survey dock: searched by a process of its own, findings that lead somewhere, and what edits make of them."""

from __future__ import annotations

import os
import re
from pathlib import Path

import pytest
from PySide6.QtCore import QPoint, Qt
from PySide6.QtWidgets import QCheckBox
from pytestqt.qtbot import QtBot

from editor.models.survey.results import SurveyResult
from editor.models.survey.settings import Start, SurveySettings
from editor.models.survey.watch import Stage
from engine.sim.edits.doors import OpenDoor
from tests.gui.docks.live_hands import click_row, raise_dock
from tests.gui.docks.survey.survey_hands import (
    HALL,
    PIT,
    PIT_FOUND,
    STUDY,
    button,
    open_world,
    pit_world,
    press,
    search,
    wait_done,
)
from tests.systems import KILL
from ui.docks.problems import ProblemsView
from ui.docks.why.why_dock import WhyPanel
from ui.window.main_window import MainWindow

pytestmark = pytest.mark.gui


def the_pit(window: MainWindow) -> str:
    """The key of the finding about the pit."""
    return next(found.key for found in window.survey.found if found.check == PIT_FOUND)


def test_before_a_start_the_dock_says_what_start_does(qtbot: QtBot, window: MainWindow, pit: Path) -> None:
    panel = open_world(qtbot, window, pit)
    assert panel.empty.isVisible()
    assert panel.empty.text().startswith("Start lets a body walk")
    assert button(panel, "start").isEnabled()
    assert not button(panel, "stop").isEnabled()
    assert button(panel, "go-on").toolTip() == "Nothing was searched yet."


def test_a_search_finds_the_pit_and_lists_it(qtbot: QtBot, window: MainWindow, pit: Path) -> None:
    panel = open_world(qtbot, window, pit)
    search(qtbot, panel)
    key = the_pit(window)
    assert panel.found.table.text(key, 1) == "0x00070102"
    assert panel.headline.text().startswith("✓ 0x0007FFFF: everything that can be reached was searched")
    assert re.fullmatch(r"[\d,]+ places · 3 cells · \d+\u00a0s", panel.figures.text())
    problems = window.docks.panel(ProblemsView)
    assert isinstance(problems, ProblemsView)
    assert [found.key for found in problems.model.found] == [found.key for found in window.survey.found]


def test_a_row_selects_its_cell_and_show_plays_a_ghost(qtbot: QtBot, window: MainWindow, pit: Path) -> None:
    panel = open_world(qtbot, window, pit)
    search(qtbot, panel)
    click_row(qtbot, panel.found, the_pit(window))
    selection = window.session.selection
    assert selection is not None
    assert selection.key == PIT
    assert window.viewing.reach.marked is not None
    press(qtbot, panel, "show")
    walk = window.viewing.ghost.walk
    assert walk is not None
    assert walk.track[-1][0] == PIT


def test_take_me_there_leads_the_player_into_the_pit(qtbot: QtBot, window: MainWindow, pit: Path) -> None:
    panel = open_world(qtbot, window, pit)
    search(qtbot, panel)
    before = window.document.sim.player.place_cell()
    click_row(qtbot, panel.found, the_pit(window))
    with qtbot.waitSignal(window.survey_actions.player.ended) as ended:
        press(qtbot, panel, "take")
    assert ended.args is not None
    assert ended.args[1], ended.args[0]
    assert window.document.sim.player.place_cell() == PIT != before
    assert not window.clock.is_running
    window.document.undo()
    assert window.document.sim.player.place_cell() == before


def test_a_cell_of_the_reach_map_takes_the_player_there(qtbot: QtBot, window: MainWindow, pit: Path) -> None:
    panel = open_world(qtbot, window, pit)
    search(qtbot, panel)
    panel.pages.setCurrentIndex(1)
    assert panel.cells.table.row_of(HALL) >= 0
    assert "jump" in panel.cells.table.text(PIT, 2)
    click_row(qtbot, panel.cells, PIT)
    with qtbot.waitSignal(window.survey_actions.player.ended) as ended:
        press(qtbot, panel, "take-cell")
    assert ended.args is not None
    assert ended.args[1], ended.args[0]
    assert window.document.sim.player.place_cell() == PIT


def test_why_plays_it_and_asks_since_when_the_cell_is_so(qtbot: QtBot, window: MainWindow, pit: Path) -> None:
    panel = open_world(qtbot, window, pit)
    search(qtbot, panel)
    click_row(qtbot, panel.found, the_pit(window))
    with qtbot.waitSignal(window.survey_actions.player.ended) as ended:
        press(qtbot, panel, "why")
    assert ended.args is not None
    assert ended.args[1], ended.args[0]
    why = window.docks.panel(WhyPanel)
    assert isinstance(why, WhyPanel)
    assert "cell" in why.question.text().lower()
    assert window.document.sim.player.place_cell() == PIT


def test_in_the_past_nothing_is_started_and_nobody_led(qtbot: QtBot, window: MainWindow, pit: Path) -> None:
    panel = open_world(qtbot, window, pit)
    search(qtbot, panel)
    window.document.tick_many(5)
    problems = window.docks.panel(ProblemsView)
    assert isinstance(problems, ProblemsView)
    problems.table.selectRow(0)
    assert problems.take_action.isEnabled()
    window.document.go_to(2)
    assert "past" in problems.take_action.toolTip()
    click_row(qtbot, panel.found, the_pit(window))
    assert button(panel, "show").isEnabled()
    for name in ("start", "take", "why"):
        assert not button(panel, name).isEnabled()
        assert "past" in button(panel, name).toolTip()


def test_stop_keeps_what_is_known_and_go_on_ends_it(qtbot: QtBot, window: MainWindow, pit: Path) -> None:
    panel = open_world(qtbot, window, pit)
    press(qtbot, panel, "start")
    result = window.survey.result
    assert result is not None
    qtbot.waitUntil(lambda: result.count > 0)
    if not window.survey.is_running:
        pytest.skip("this machine searched it before Stop could be pressed")
    panel.refresh()
    press(qtbot, panel, "stop")
    assert window.survey.stage is Stage.STOPPED
    count = result.count
    panel.refresh()
    press(qtbot, panel, "go-on")
    wait_done(qtbot, panel)
    assert result.count >= count
    assert result.is_checked


def test_go_on_begins_again_after_a_world_could_not_be_opened(qtbot: QtBot, window: MainWindow, tmp_path: Path) -> None:
    panel = open_world(qtbot, window, pit_world(tmp_path / "here"))
    (tmp_path / "here").rename(tmp_path / "away")
    press(qtbot, panel, "start")
    qtbot.waitUntil(lambda: window.survey.stage is Stage.DEAD)
    assert "cannot be searched" in window.survey.text
    assert not window.survey.has_worker
    (tmp_path / "away").rename(tmp_path / "here")
    panel.refresh()
    press(qtbot, panel, "go-on")
    wait_done(qtbot, panel)
    assert the_pit(window)


def test_the_buttons_follow_hands_that_are_quick(qtbot: QtBot, window: MainWindow, pit: Path) -> None:
    panel = open_world(qtbot, window, pit)
    for name in ("start", "stop", "go-on", "stop", "go-on"):
        press(qtbot, panel, name)
    assert not button(panel, "go-on").isEnabled()


def test_go_on_searches_the_landblock_that_it_was_stopped_in(qtbot: QtBot, window: MainWindow, pit: Path) -> None:
    """Not the one in view, where nothing was searched."""
    panel = open_world(qtbot, window, pit)
    other = 0x0008FFFF
    window.survey.result = SurveyResult(other, SurveySettings(), ())
    window.survey.stage = Stage.STOPPED
    panel.refresh()
    press(qtbot, panel, "go-on")
    assert window.survey.result is not None
    assert window.survey.result.block_id == other


def test_a_killed_process_is_told_and_start_begins_again(qtbot: QtBot, window: MainWindow, pit: Path) -> None:
    panel = open_world(qtbot, window, pit)
    press(qtbot, panel, "start")
    worker = window.survey.worker
    assert worker is not None
    qtbot.waitUntil(lambda: worker.process_id > 0)
    os.kill(worker.process_id, KILL)
    qtbot.waitUntil(lambda: window.survey.stage is Stage.DEAD)
    assert "killed" in window.banner.text
    panel.refresh()
    assert "gone" in panel.headline.text()
    search(qtbot, panel)
    assert the_pit(window)


def test_an_edit_makes_its_cells_stale_and_only_those_are_searched_again(
    qtbot: QtBot, window: MainWindow, pit: Path
) -> None:
    panel = open_world(qtbot, window, pit)
    search(qtbot, panel)
    result = window.survey.result
    assert result is not None
    first = result.parts[0].columns.count
    door = next(iter(window.document.sim.population.doors))
    window.document.edit("Open the Door", OpenDoor(door.id))
    qtbot.waitUntil(lambda: bool(result.stale))
    assert {HALL, STUDY} <= result.stale
    assert PIT not in result.stale
    window.document.undo()
    qtbot.waitUntil(lambda: not result.stale)
    window.document.redo()
    qtbot.waitUntil(lambda: bool(result.stale))
    panel.refresh()
    press(qtbot, panel, "go-on")
    wait_done(qtbot, panel)
    assert len(result.parts) == 2
    assert 0 < result.parts[1].columns.count < first
    assert PIT in result.parts[1].known
    assert not result.stale
    assert result.cells()[PIT].count == result.parts[0].columns.by_cell[PIT].count


def test_settings_are_clicked_and_count_from_the_next_start(qtbot: QtBot, window: MainWindow, pit: Path) -> None:
    panel = open_world(qtbot, window, pit)
    panel.pages.setCurrentIndex(2)
    page = panel.settings_page
    assert page is not None
    jumps = page.findChild(QCheckBox, "survey-jumps")
    assert jumps is not None
    assert jumps.isChecked()
    page.ensureWidgetVisible(jumps)
    qtbot.mouseClick(jumps, Qt.MouseButton.LeftButton, pos=jumps.rect().center() * 0.2)
    assert not window.survey.settings.jumps
    search(qtbot, panel)
    result = window.survey.result
    assert result is not None
    assert not result.settings.jumps
    assert all(reach.how != 3 for reach in result.cells().values())


def test_a_kind_of_finding_can_be_left_out(qtbot: QtBot, window: MainWindow, pit: Path) -> None:
    panel = open_world(qtbot, window, pit)
    panel.pages.setCurrentIndex(2)
    page = panel.settings_page
    assert page is not None
    qtbot.waitUntil(lambda: PIT_FOUND in page.checks)
    box = page.checks[PIT_FOUND]
    assert box.text() == "A pit without a way out"
    qtbot.waitUntil(box.isVisible)
    page.ensureWidgetVisible(box)
    qtbot.mouseClick(box, Qt.MouseButton.LeftButton, pos=QPoint(8, box.height() // 2))
    assert window.survey.settings.left_out == (PIT_FOUND,)
    search(qtbot, panel)
    assert PIT_FOUND not in {found.check for found in window.survey.found}


def test_nothing_to_begin_at_is_refused_with_the_reason(qtbot: QtBot, window: MainWindow, pit: Path) -> None:
    panel = open_world(qtbot, window, pit)
    panel.pages.setCurrentIndex(2)
    page = panel.settings_page
    assert page is not None
    for check in page.starts.values():
        if check.isChecked():
            check.click()
    panel.refresh()
    assert button(panel, "start").toolTip() == "Choose at least one kind of place to begin at."
    assert not button(panel, "start").isEnabled()


def test_without_any_place_to_begin_at_it_says_so(qtbot: QtBot, window: MainWindow, pit: Path) -> None:
    panel = open_world(qtbot, window, pit)
    window.survey.set_settings(SurveySettings(starts=(Start.SPOTS.value,)))  # nothing stands in this world
    search(qtbot, panel)
    assert panel.headline.text() == "0x0007FFFF: there is no place to begin at. Settings has more kinds of them."
    assert not panel.figures.isVisible()


def test_results_stay_with_the_project(qtbot: QtBot, window: MainWindow, pit: Path, tmp_path: Path) -> None:
    panel = open_world(qtbot, window, pit)
    search(qtbot, panel)
    kept = window.survey.result
    assert kept is not None
    door = next(iter(window.document.sim.population.doors))
    window.document.edit("Open the Door", OpenDoor(door.id))
    qtbot.waitUntil(lambda: bool(kept.stale))
    path = tmp_path / "pit.cellardoor"
    window.projects.keeper.save(path)
    with qtbot.waitSignal(window.session.faults_changed, timeout=60_000):
        window.open(str(path))
    again = window.survey.result
    assert again is not None
    assert again is not kept
    qtbot.waitUntil(lambda: bool(again.stale))
    assert again.stale == kept.stale
    assert again.cells() == kept.cells()
    assert [found.to_json() for found in again.found] == [found.to_json() for found in kept.found]
    raise_dock(qtbot, window.docks.dock(type(panel)))
    panel.refresh()
    press(qtbot, panel, "go-on")
    wait_done(qtbot, panel)
    assert len(again.parts) == 2
