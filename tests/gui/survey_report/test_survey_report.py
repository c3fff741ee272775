"""World > Survey Report…: a report on the map and as rows, with real clicks and keys."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path

import pytest
from PySide6.QtCore import QPoint, QPointF, Qt
from PySide6.QtGui import QGuiApplication
from PySide6.QtGui import Qt as GuiQt
from PySide6.QtWidgets import QFileDialog, QPlainTextEdit, QToolButton
from pytestqt.qtbot import QtBot

from editor.authoring.cell_edits import set_stab_list
from editor.models.survey_report.findings import DIFFERS, EDITED, NOT_HERE, NOW, SENTENCE, SEVERITY, WHERE
from editor.session.session import Kind, Selection
from editor.survey.content import Contents
from editor.survey.report_form import BlockReport, Report, write_report
from engine.findings.finding import FixForm, Found
from engine.sim.recording import Recording
from engine.sim.recording_file import recording_bytes
from engine.sim.tick.controls import Controls
from tests.editor.survey.reports.samples import CHECKS, hostile, sample
from ui.theme.theme import DARK, LIGHT
from ui.window.actions import survey_report
from ui.window.actions.survey_report_dialog import SurveyReportDialog
from ui.window.main_window import MainWindow

pytestmark = pytest.mark.gui

HOUSE, HALL, STUDY, BETWEEN = 0x0007FFFF, 0x00070100, 0x00070101, 0x00070103
FAR = 0xA9B4FFFF


def house_report(source: str) -> Report:
    found = (
        Found("portals.apart", HOUSE, HALL, portal=0, sentence="the hall's doorway is apart"),
        Found("stuck.pit", HOUSE, STUDY, place=(STUDY, (8.0, 2.0, 0.5)), sentence="a pit in the study"),
        Found("doors.gap", FAR, sentence="a gap far away"),
    )
    rows = (BlockReport(HOUSE, 1.0, ("check",)), BlockReport(FAR, 1.0, ("check",), ("explore was stopped",)))
    return replace(Report.of(source, (), rows, found), checks=CHECKS)


def shown(qtbot: QtBot, window: MainWindow, path: Path) -> SurveyReportDialog:
    window.survey_report.open(path)
    qtbot.waitUntil(lambda: window.survey_report.dialog is not None and window.survey_report.dialog.isVisible())
    dialog = window.survey_report.dialog
    assert dialog is not None
    return dialog


@pytest.fixture
def dialog(qtbot: QtBot, opened: MainWindow, tmp_path: Path) -> SurveyReportDialog:
    """The report of the house, which is open."""
    write_report(tmp_path / "report.json", house_report(opened.session.source))
    return shown(qtbot, opened, tmp_path / "report.json")


def column(dialog: SurveyReportDialog, column: int) -> list[str]:
    return [str(dialog.model.index(row, column).data()) for row in range(dialog.model.rowCount())]


def click_row(qtbot: QtBot, dialog: SurveyReportDialog, row: int, *, twice: bool = False) -> None:
    where = dialog.table.visualRect(dialog.model.index(row, SENTENCE)).center()
    qtbot.mouseClick(dialog.table.viewport(), Qt.MouseButton.LeftButton, pos=where)
    if twice:
        qtbot.mouseDClick(dialog.table.viewport(), Qt.MouseButton.LeftButton, pos=where)


def click_block(qtbot: QtBot, dialog: SurveyReportDialog, block_id: int) -> None:
    at: QPointF = dialog.map.rect_of(block_id).center()
    qtbot.mouseClick(dialog.map.viewport(), Qt.MouseButton.LeftButton, pos=QPoint(int(at.x()), int(at.y())))


def press(qtbot: QtBot, dialog: SurveyReportDialog, name: str) -> None:
    button = dialog.findChild(QToolButton, f"{name}-button")
    assert button is not None
    qtbot.mouseClick(button, Qt.MouseButton.LeftButton)


def test_a_report_is_chosen_in_the_menu_and_shown(qtbot: QtBot, opened: MainWindow, tmp_path: Path) -> None:
    path = tmp_path / "report.json"
    write_report(path, house_report(opened.session.source))
    entry = next(action for action in opened.menus["World"].actions() if action.objectName() == "survey-report")
    entry.trigger()
    files = opened.findChild(QFileDialog, "survey-report-file")
    assert files is not None
    files.selectFile(str(path))
    files.fileSelected.emit(str(path))
    files.close()
    qtbot.waitUntil(lambda: opened.survey_report.dialog is not None)
    dialog = opened.survey_report.dialog
    assert dialog is not None
    assert column(dialog, SEVERITY) == ["■ error", "▲ warning", "● info"]
    assert column(dialog, WHERE) == ["0x00070100", "0x00070101", "0xA9B4"]
    assert "2 landblocks, 3 findings (1 error, 1 warning, 1 info)" in dialog.line.text()


def test_a_double_click_goes_to_the_place(qtbot: QtBot, opened: MainWindow, dialog: SurveyReportDialog) -> None:
    click_row(qtbot, dialog, 1, twice=True)
    assert opened.session.selection == Selection(Kind.CELL, HOUSE, STUDY)
    qtbot.keyClick(dialog.table, Qt.Key.Key_Up)
    qtbot.keyClick(dialog.table, Qt.Key.Key_Return)
    assert opened.session.selection == Selection(Kind.CELL, HOUSE, HALL)
    assert "the hall's doorway is apart" in dialog.details.toPlainText()
    assert CHECKS["portals.apart"].about in dialog.details.toPlainText()


def test_the_place_is_marked_where_the_picture_can_show_it(
    qtbot: QtBot, opened: MainWindow, dialog: SurveyReportDialog
) -> None:
    click_row(qtbot, dialog, 1, twice=True)
    reach, viewer = opened.viewing.reach, opened.viewing.viewer
    assert viewer is not None
    camera = viewer.rig.camera(320, 200)
    assert reach.overlay(camera).lines
    reach.mark(Found("stuck.pit", HOUSE, place=(STUDY, (1e308, 0.0, 0.0)), eye=(STUDY, (0.0, 0.0, 0.0))))
    assert not reach.overlay(camera).lines


def test_a_landblock_of_the_map_shows_its_findings_alone(qtbot: QtBot, dialog: SurveyReportDialog) -> None:
    click_block(qtbot, dialog, FAR)
    assert column(dialog, SENTENCE) == ["a gap far away"]
    assert "1 finding of 3 in 0xA9B4" in dialog.count.text()
    click_block(qtbot, dialog, FAR)
    assert len(column(dialog, SENTENCE)) == 3
    click_block(qtbot, dialog, HOUSE)
    assert len(column(dialog, SENTENCE)) == 2
    press(qtbot, dialog, "report-all")
    assert len(column(dialog, SENTENCE)) == 3


def test_filters_and_search_narrow_rows_and_map(qtbot: QtBot, dialog: SurveyReportDialog) -> None:
    qtbot.keyClicks(dialog.search, "PIT in")
    qtbot.waitUntil(lambda: column(dialog, SENTENCE) == ["a pit in the study"])
    assert dialog.model.by_block.keys() == {HOUSE >> 16}
    dialog.search.clear()
    qtbot.waitUntil(lambda: dialog.model.rowCount() == 3)
    qtbot.keyClicks(dialog.severity, "Info")
    assert column(dialog, SENTENCE) == ["a gap far away"]
    qtbot.keyClicks(dialog.check, "Pit")
    assert column(dialog, SENTENCE) == []
    press(qtbot, dialog, "report-all")
    assert dialog.severity.currentIndex() == dialog.check.currentIndex() == 0


def test_a_header_sorts(qtbot: QtBot, dialog: SurveyReportDialog) -> None:
    header = dialog.table.horizontalHeader()
    at = QPoint(header.sectionViewportPosition(WHERE) + 5, header.height() // 2)
    qtbot.mouseClick(header.viewport(), Qt.MouseButton.LeftButton, pos=at)
    first = column(dialog, WHERE)
    qtbot.mouseClick(header.viewport(), Qt.MouseButton.LeftButton, pos=at)
    assert sorted(first) in (first, first[::-1])
    assert column(dialog, WHERE) == first[::-1]


def test_edited_landblocks_and_those_of_other_worlds_are_told(
    qtbot: QtBot, opened: MainWindow, dialog: SurveyReportDialog
) -> None:
    assert column(dialog, NOW) == ["", "", NOT_HERE]
    assert "1 landblock is not in the open world." in dialog.line.text()
    opened.document.edit("Empty Stab List", *set_stab_list(opened.document.sim, HALL, [BETWEEN]))
    qtbot.waitUntil(lambda: column(dialog, NOW) == [EDITED, EDITED, NOT_HERE])
    assert "1 landblock is edited now." in dialog.line.text()
    click_row(qtbot, dialog, 0)
    assert "edited since" in dialog.details.toPlainText()
    opened.document.undo()
    qtbot.waitUntil(lambda: column(dialog, NOW) == ["", "", NOT_HERE])


def test_landblocks_of_other_content_are_told(qtbot: QtBot, opened: MainWindow, tmp_path: Path) -> None:
    world = opened.session.world
    assert world is not None
    report = house_report(opened.session.source)
    for content, state in ((Contents(world).of(HOUSE).hex(), ""), ("00" * 12, DIFFERS)):
        rows = (BlockReport(HOUSE, 1.0, content=content), BlockReport(FAR))
        write_report(tmp_path / "report.json", replace(report, blocks=rows))
        dialog = shown(qtbot, opened, tmp_path / "report.json")
        qtbot.waitUntil(lambda: not opened.survey_report.state.is_comparing)
        qtbot.waitUntil(lambda: column(dialog, NOW) == [state, state, NOT_HERE])  # noqa: B023  # asked at once
    assert "1 landblock is of other content than was surveyed." in dialog.line.text()


def test_what_is_not_in_this_world_is_refused_in_a_sentence(
    qtbot: QtBot, opened: MainWindow, dialog: SurveyReportDialog
) -> None:
    click_row(qtbot, dialog, 2, twice=True)
    assert "There is no landblock 0xA9B4 in the open world." in opened.banner.text


def test_places_far_away_are_no_trouble(qtbot: QtBot, opened: MainWindow, tmp_path: Path) -> None:
    points = [(STUDY, (far, -far, far)) for far in (1e5, 1e30, 1e300)]
    places = [*points, (0xFFFFFFFF, (1.0, 1.0, 1.0)), (FAR, (1.0, 1.0, 1.0)), (0, (0.0, 0.0, 0.0))]
    found = [Found("a.b", HOUSE, STUDY, polygon=n, place=place) for n, place in enumerate(places)]
    write_report(tmp_path / "report.json", Report.of("x", (), (), found))
    opened.centre.show_page(0)
    dialog = shown(qtbot, opened, tmp_path / "report.json")
    for row in range(len(places)):
        click_row(qtbot, dialog, row, twice=True)
        assert opened.session.selection == Selection(Kind.CELL, HOUSE, STUDY)
        press(qtbot, dialog, "report-stand")
        opened.viewing.changed.emit()
        opened.repaint()
    opened.centre.show_page(1)


def test_the_player_is_put_at_a_place(qtbot: QtBot, opened: MainWindow, dialog: SurveyReportDialog) -> None:
    click_row(qtbot, dialog, 0)
    assert not dialog.stand_action.isEnabled()
    click_row(qtbot, dialog, 1)
    press(qtbot, dialog, "report-stand")
    assert opened.document.sim.player.place_cell() == STUDY
    opened.document.undo()


def test_a_recording_is_saved_and_opened(
    qtbot: QtBot, opened: MainWindow, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    opened.document.tick(Controls())
    history = opened.document.history
    assert history is not None
    recording: Recording = history.recording
    found = Found("stuck.pit", HOUSE, HALL, sentence="a pit", recording=recording_bytes(recording))
    write_report(tmp_path / "report.json", Report.of(opened.session.source, (), (), [found]))
    dialog = shown(qtbot, opened, tmp_path / "report.json")
    target = tmp_path / "finding.cdrec"
    monkeypatch.setattr(QFileDialog, "getSaveFileName", lambda *about: (str(target), ""))
    click_row(qtbot, dialog, 0)
    with qtbot.waitSignal(opened.opening.recording_opened, timeout=20_000):
        press(qtbot, dialog, "report-play")
    assert target.read_bytes() == found.recording
    assert opened.session.run is not None


def test_a_recording_is_walked_in_the_picture(qtbot: QtBot, opened: MainWindow, tmp_path: Path) -> None:
    for _ in range(5):
        opened.document.tick(Controls(forward=1.0))
    history = opened.document.history
    assert history is not None
    found = Found("stuck.pit", HOUSE, HALL, sentence="a pit", recording=recording_bytes(history.recording))
    write_report(tmp_path / "report.json", Report.of(opened.session.source, (), (), [found]))
    dialog = shown(qtbot, opened, tmp_path / "report.json")
    click_row(qtbot, dialog, 0)
    press(qtbot, dialog, "report-show")
    assert opened.viewing.ghost.walk is not None


def test_a_fix_is_made_as_an_edit_that_can_be_undone(qtbot: QtBot, opened: MainWindow, tmp_path: Path) -> None:
    fix = FixForm.of("Empty the Stab List", set_stab_list(opened.document.sim, HALL, [BETWEEN]))
    found = [Found("a.b", HOUSE, HALL, fix=fix), Found("a.b", HOUSE, STUDY)]
    write_report(tmp_path / "report.json", Report.of(opened.session.source, (), (), found))
    dialog = shown(qtbot, opened, tmp_path / "report.json")
    click_row(qtbot, dialog, 1)
    assert not dialog.fix_action.isEnabled()
    click_row(qtbot, dialog, 0)
    press(qtbot, dialog, "report-fix")
    assert opened.document.stack.undo_text() == "Empty the Stab List"
    qtbot.waitUntil(lambda: column(dialog, NOW) == [EDITED, EDITED])
    opened.document.undo()


def test_a_recording_is_not_saved_over_the_report(
    qtbot: QtBot, opened: MainWindow, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "report.json"
    write_report(path, Report.of("x", (), (), [Found("stuck.pit", HOUSE, HALL, recording=b"abc")]))
    dialog, before = shown(qtbot, opened, path), path.read_bytes()
    monkeypatch.setattr(QFileDialog, "getSaveFileName", lambda *about: (str(path), ""))
    click_row(qtbot, dialog, 0)
    press(qtbot, dialog, "report-play")
    assert path.read_bytes() == before
    assert "cannot be saved" in opened.banner.text
    press(qtbot, dialog, "report-show")
    assert "cannot be shown" in opened.banner.text


BROKEN = {
    "cut.json": b'{"cellar_door_survey": 1, "source": "de',
    "other.json": b'{"cells": []}',
    "types.json": b'{"cellar_door_survey": 1, "source": 5, "version": "1"}',
    "found.json": b'{"cellar_door_survey": 1, "source": "a", "version": "1", "found": [{"check": 1, "block": "x"}]}',
    "deep.json": b"[" * 100_000,
    "empty.json": b"",
    "binary.json": bytes(range(256)) * 10,
}


@pytest.mark.parametrize("name", BROKEN)
def test_a_broken_report_is_one_sentence(qtbot: QtBot, opened: MainWindow, tmp_path: Path, name: str) -> None:
    (tmp_path / name).write_bytes(BROKEN[name])
    opened.survey_report.open(tmp_path / name)
    qtbot.waitUntil(lambda: "cannot be opened" in opened.banner.text)
    assert opened.banner.text.count("\n") == 0
    assert opened.survey_report.dialog is None


def test_a_hostile_report_shows_as_text(qtbot: QtBot, opened: MainWindow, tmp_path: Path) -> None:
    report = hostile()
    form = report.to_json()
    found = form["found"]
    assert isinstance(found, list)
    found[0]["figures"] = []
    (tmp_path / "hostile.json").write_text(json.dumps(form))
    dialog = shown(qtbot, opened, tmp_path / "hostile.json")
    click_row(qtbot, dialog, 0)
    text = dialog.findChild(QPlainTextEdit, "survey-report-details")
    assert text is not None
    assert "<script>alert(1)" in text.toPlainText()
    assert "\u202e" not in text.toPlainText()
    tip = str(dialog.model.index(0, SENTENCE).data(Qt.ItemDataRole.ToolTipRole))
    assert not GuiQt.mightBeRichText(tip)


def test_rows_are_copied(qtbot: QtBot, dialog: SurveyReportDialog) -> None:
    click_row(qtbot, dialog, 1)
    dialog.copy_action.trigger()
    assert QGuiApplication.clipboard().text().split("\t")[2:4] == ["0x00070101", "a pit in the study"]


def test_the_report_follows_the_theme(opened: MainWindow, dialog: SurveyReportDialog) -> None:
    before = dialog.map.colours
    opened.theme.changed.emit(LIGHT if before == DARK else DARK)
    assert dialog.map.colours != before
    opened.theme.changed.emit(before)


def test_without_a_world_the_report_is_shown_and_says_so(qtbot: QtBot, window: MainWindow, tmp_path: Path) -> None:
    write_report(tmp_path / "report.json", sample(300))
    dialog = shown(qtbot, window, tmp_path / "report.json")
    assert survey_report.NOTHING_OPEN in dialog.line.text()
    click_row(qtbot, dialog, 0, twice=True)
    assert survey_report.NOTHING_OPEN in window.banner.text
