"""The window from the user's side: clicks and keys on the real widgets."""

from __future__ import annotations

from pathlib import Path

import pytest
from PySide6.QtCore import QMimeData, QPoint, QPointF, QSettings, Qt, QUrl
from PySide6.QtGui import QColor, QDragEnterEvent, QDropEvent, QGuiApplication, QImage
from PySide6.QtWidgets import QApplication
from pytestqt.qtbot import QtBot

from editor.session.session import Kind, Selection, Session
from ui.docks.details import DetailsView
from ui.docks.problems import ProblemsView
from ui.docks.world import WorldPanel
from ui.theme import theme_state
from ui.theme.theme import DARK, LIGHT
from ui.theme.theme_state import Theme
from ui.window.main_window import MainWindow

pytestmark = pytest.mark.gui

BLOCK = 0x0007FFFF
HALL, STUDY = 0x00070100, 0x00070101


def centre_of(window: MainWindow, cell_id: int) -> QPoint:
    """The middle of a room, on the map's viewport."""
    item = window.map._cell_items[cell_id]
    return window.map.mapFromScene(item.sceneBoundingRect().center())


def click_cell(qtbot: QtBot, window: MainWindow, cell_id: int) -> None:
    qtbot.mouseClick(window.map.viewport(), Qt.MouseButton.LeftButton, pos=centre_of(window, cell_id))


def tree_texts(window: MainWindow) -> list[str]:
    """Every row of the tree that passes the search."""
    model = window.docks.panel(WorldPanel).tree.model()
    found: list[str] = []
    waiting = [model.index(row, 0) for row in range(model.rowCount())]
    while waiting:
        index = waiting.pop(0)
        found.append(str(index.data()))
        waiting += [model.index(row, 0, index) for row in range(model.rowCount(index))]
    return found


def detail(window: MainWindow, name: str) -> str:
    """The value beside a name at the top of the details, once they are visible."""
    window.docks.bring(window.docks.dock(DetailsView))
    view = window.docks.panel(DetailsView)
    rows = [view.topLevelItem(row) for row in range(view.topLevelItemCount())]
    return next(row.text(1) for row in rows if row is not None and row.text(0) == name)


def test_an_opened_world_fills_the_tree_the_map_and_the_status(opened: MainWindow) -> None:
    texts = tree_texts(opened)
    assert "0x0007FFFF" in texts
    assert {f"0x{cell_id:08X}" for cell_id in (HALL, STUDY)} <= set(texts)
    assert HALL in opened.map._cell_items
    assert "0x0007FFFF" in opened.status.block.text()
    assert "data folder" in opened.status.source.text()
    assert opened.session.selection == Selection(Kind.LANDBLOCK, BLOCK, BLOCK)


def test_a_click_on_a_room_selects_it_in_the_tree_and_shows_its_details(qtbot: QtBot, opened: MainWindow) -> None:
    click_cell(qtbot, opened, STUDY)
    assert opened.session.selection == Selection(Kind.CELL, BLOCK, STUDY)
    assert opened.docks.panel(WorldPanel).tree.currentIndex().data() == f"0x{STUDY:08X}"
    assert detail(opened, "id") == f"0x{STUDY:08X}"
    assert f"0x{STUDY:08X}" in opened.status.selection.text()


def test_a_room_chosen_in_the_tree_is_outlined_on_the_map_with_its_stab_list(qtbot: QtBot, opened: MainWindow) -> None:
    qtbot.keyClicks(opened.docks.panel(WorldPanel).search, f"{STUDY:08X}")
    tree = opened.docks.panel(WorldPanel).tree
    index = next(
        i for i in tree.model().match(tree.model().index(0, 0), 0, f"0x{STUDY:08X}", 1, Qt.MatchFlag.MatchRecursive)
    )
    qtbot.mouseClick(tree.viewport(), Qt.MouseButton.LeftButton, pos=tree.visualRect(index).center())
    assert opened.session.selection == Selection(Kind.CELL, BLOCK, STUDY)
    chosen = opened.map._cell_items[STUDY].pen()
    assert chosen.color() == QColor(opened.colours.selected)
    assert chosen.widthF() > 2
    assert opened.map._cell_items[HALL].pen().color() == QColor(opened.colours.stab)


def test_the_search_keeps_only_matching_rows(qtbot: QtBot, opened: MainWindow) -> None:
    qtbot.keyClicks(opened.docks.panel(WorldPanel).search, "00070101")
    texts = tree_texts(opened)
    assert f"0x{STUDY:08X}" in texts
    assert f"0x{HALL:08X}" not in texts


def test_a_storey_hides_the_rooms_above_it_from_clicks(qtbot: QtBot, opened: MainWindow) -> None:
    assert opened.map_panel.storeys.count() == 3
    qtbot.keyClick(opened.map_panel.storeys, Qt.Key.Key_Down)
    assert opened.map_panel.storeys.currentText() == "z 0.00"
    click_cell(qtbot, opened, HALL)
    assert opened.session.selection == Selection(Kind.CELL, BLOCK, HALL)


def test_escape_clears_the_selection_and_the_details_explain_themselves(qtbot: QtBot, opened: MainWindow) -> None:
    click_cell(qtbot, opened, HALL)
    opened.map.setFocus()
    qtbot.keyClick(opened.map, Qt.Key.Key_Escape)
    assert opened.session.selection is None
    assert opened.docks.panel(DetailsView).topLevelItemCount() == 0


def test_hovering_marks_what_a_click_would_select(qtbot: QtBot, opened: MainWindow) -> None:
    qtbot.mouseMove(opened.map.viewport(), QPoint(2, 2))
    qtbot.mouseMove(opened.map.viewport(), centre_of(opened, STUDY))
    qtbot.waitUntil(lambda: opened.session.hover == Selection(Kind.CELL, BLOCK, STUDY))


def test_f_frames_the_selection_and_home_everything(qtbot: QtBot, opened: MainWindow) -> None:
    whole = opened.map.pixels_per_metre()
    click_cell(qtbot, opened, STUDY)
    opened.map.setFocus()
    qtbot.keyClick(opened.map, Qt.Key.Key_F)
    assert opened.map.pixels_per_metre() > whole * 1.2
    qtbot.keyClick(opened.map, Qt.Key.Key_Home)
    assert opened.map.pixels_per_metre() == pytest.approx(whole, rel=0.01)


def test_dragging_with_the_right_button_pans_the_map(qtbot: QtBot, opened: MainWindow) -> None:
    view = opened.map.viewport()
    before = centre_of(opened, HALL)
    qtbot.mousePress(view, Qt.MouseButton.RightButton, pos=QPoint(200, 200))
    qtbot.mouseMove(view, QPoint(260, 230))
    qtbot.mouseRelease(view, Qt.MouseButton.RightButton, pos=QPoint(260, 230))
    moved = centre_of(opened, HALL) - before
    assert abs(moved.x() - 60) <= 2
    assert abs(moved.y() - 30) <= 2


def test_a_folder_without_data_is_refused_and_the_open_world_stays(
    qtbot: QtBot, opened: MainWindow, tmp_path: Path
) -> None:
    with qtbot.waitSignal(opened.session.open_failed, timeout=20_000):
        opened.open(str(tmp_path))
    assert opened.banner.isVisible()
    assert tmp_path.name in opened.banner.label.text()
    assert HALL in opened.map._cell_items
    assert opened.session.world is not None


def test_a_damaged_database_is_refused_in_a_sentence(
    qtbot: QtBot, window: MainWindow, house: Path, tmp_path: Path
) -> None:
    for file in house.iterdir():
        data = file.read_bytes()
        (tmp_path / file.name).write_bytes(data[: len(data) // 3] if file.name == "client_portal.dat" else data)
    with qtbot.waitSignal(window.session.open_failed, timeout=20_000):
        window.open(str(tmp_path))
    assert "client_portal.dat" in window.banner.label.text()


def test_a_dropped_folder_is_opened(qtbot: QtBot, window: MainWindow, house: Path) -> None:
    mime = QMimeData()
    mime.setUrls([QUrl.fromLocalFile(str(house))])
    copy, left, none = Qt.DropAction.CopyAction, Qt.MouseButton.LeftButton, Qt.KeyboardModifier.NoModifier
    enter = QDragEnterEvent(QPoint(5, 5), copy, mime, left, none)
    QApplication.sendEvent(window, enter)
    assert enter.isAccepted()
    with qtbot.waitSignal(window.session.opened, timeout=20_000):
        QApplication.sendEvent(window, QDropEvent(QPointF(5, 5), copy, mime, left, none))
    assert window.session.source == str(house)


def test_an_id_in_the_details_leads_to_its_cell(qtbot: QtBot, opened: MainWindow) -> None:
    opened.navigation.go_to(f"0x{STUDY:08X}")
    assert opened.session.selection == Selection(Kind.CELL, BLOCK, STUDY)
    opened.navigation.go_to("0x12340100")
    assert "0x12340100" in opened.statusBar().currentMessage()
    opened.navigation.go_to("study")
    assert "not an id" in opened.statusBar().currentMessage()


def test_copied_details_carry_numbers_at_full_precision(qtbot: QtBot, opened: MainWindow) -> None:
    click_cell(qtbot, opened, STUDY)
    opened.docks.bring(opened.docks.dock(DetailsView))
    view = opened.docks.panel(DetailsView)
    view.clearSelection()
    view.setFocus()
    qtbot.keyClick(view, Qt.Key.Key_C, Qt.KeyboardModifier.ControlModifier)
    assert f"0x{STUDY:08X}" in QGuiApplication.clipboard().text()


def test_the_light_theme_reaches_the_map_and_is_remembered(
    qtbot: QtBot, opened: MainWindow, settings: QSettings
) -> None:
    light = opened.commands.find("theme-light")
    assert light is not None
    light.trigger()
    image: QImage = opened.map.grab().toImage()
    assert image.pixelColor(3, 3).lightness() > 200
    assert settings.value("theme") == "light"
    again = MainWindow(Session(), settings)
    qtbot.addWidget(again)
    assert again.colours == LIGHT
    drawn = again.time_bar.ten_action.icon()
    shades = {drawn.pixmap(16).toImage().pixelColor(x, 8).lightness() for x in range(16)}
    assert min(shades) < 80
    opened.theme.choose(Theme.DARK)


def test_the_systems_theme_is_followed_while_the_program_runs(
    opened: MainWindow, settings: QSettings, monkeypatch: pytest.MonkeyPatch
) -> None:
    """No desktop is here that could say what its theme is: the answer is the test's, the rest is real."""
    hints = QGuiApplication.styleHints()
    answer = [Qt.ColorScheme.Light]
    monkeypatch.setattr(theme_state, "system_scheme", lambda: answer[0])

    def say(scheme: Qt.ColorScheme) -> None:
        answer[0] = scheme
        hints.colorSchemeChanged.emit(scheme)

    say(Qt.ColorScheme.Light)
    assert opened.colours == DARK, "dark was chosen, or nothing"
    system = opened.commands.find("theme-system")
    assert system is not None
    system.trigger()
    assert (opened.colours, settings.value("theme")) == (LIGHT, "system")
    assert opened.map.grab().toImage().pixelColor(3, 3).lightness() > 200
    say(Qt.ColorScheme.Dark)
    assert opened.colours == DARK
    assert opened.map.grab().toImage().pixelColor(3, 3).lightness() < 80
    say(Qt.ColorScheme.Unknown)
    assert opened.colours == DARK, "a system that does not say"
    opened.theme.choose(Theme.DARK)
    say(Qt.ColorScheme.Light)
    assert opened.colours == DARK


def test_a_warning_on_show_follows_a_change_of_theme(qtbot: QtBot, opened: MainWindow) -> None:
    opened.banner.warn("■ Something went wrong.")
    opened.theme.choose(Theme.LIGHT)
    assert opened.banner.label.palette().windowText().color() == QColor(LIGHT.fault)
    opened.banner.say("Something is going on.")
    opened.theme.choose(Theme.DARK)
    assert opened.banner.label.palette().windowText().color() == QColor(DARK.text)


def test_the_map_without_a_world_explains_how_to_fill_it(qtbot: QtBot, window: MainWindow, house: Path) -> None:
    bare, size = QColor(DARK.sheet), window.map.size()
    image = window.map.grab().toImage()
    row = [image.pixelColor(x, y) for x in range(0, size.width(), 2) for y in range(0, size.height(), 2)]
    assert any(shade != bare for shade in row)
    with qtbot.waitSignal(window.session.faults_changed, timeout=20_000):
        window.open(str(house))
    corner = window.map.grab().toImage().pixelColor(3, 3)
    assert corner == bare


def test_the_layout_of_the_docks_is_remembered_and_can_be_reset(
    qtbot: QtBot, window: MainWindow, settings: QSettings
) -> None:
    window.docks.dock(ProblemsView).hide()
    window.close()
    again = MainWindow(Session(), settings)
    qtbot.addWidget(again)
    with qtbot.waitExposed(again):
        again.show()
    assert not again.docks.dock(ProblemsView).isVisible()
    again.reset_layout()
    assert again.docks.dock(ProblemsView).isVisible()


def test_an_opened_source_is_offered_again(opened: MainWindow, house: Path) -> None:
    offered = [action.toolTip() for action in opened.opening.recent_menu.actions()]
    assert offered[0] == str(house)


def test_a_world_without_problems_says_so(opened: MainWindow) -> None:
    assert opened.docks.dock(ProblemsView).windowTitle() == "Problems"
    assert opened.docks.panel(ProblemsView).currentWidget() is opened.docks.panel(ProblemsView).empty


def test_a_smaller_window_clips_neither_the_choosers_nor_the_rows_of_cells(qtbot: QtBot, opened: MainWindow) -> None:
    opened.resize(1280, 800)
    qtbot.waitUntil(lambda: opened.width() == 1280)
    for chooser in (opened.centre.blocks, opened.map_panel.storeys):
        assert chooser.width() >= chooser.sizeHint().width()
    tree = opened.docks.panel(WorldPanel).tree
    assert tree.sizeHintForColumn(0) + tree.sizeHintForColumn(1) <= tree.viewport().width()
    assert opened.map_panel.legend.height() >= opened.map_panel.legend.heightForWidth(opened.map_panel.legend.width())
