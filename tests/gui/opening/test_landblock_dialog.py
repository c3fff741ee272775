"""Data folders of many landblocks: choosing on the map, searching, and a window that stays responsive."""

from __future__ import annotations

from pathlib import Path

import pytest
from PySide6.QtCore import QPoint, QPointF, Qt
from PySide6.QtGui import QGuiApplication, QImage, QWheelEvent
from PySide6.QtWidgets import QApplication, QFileDialog, QMenu
from pytestqt.qtbot import QtBot

from editor.models.outline import LISTED
from editor.places.standing import in_cell
from editor.session.session import Kind, Selection
from engine.world.cells.ids import cell_text
from tests.gui.opening.opening_hands import OPENING_MS, drop, picker
from tests.many_landblocks import huts, write_many
from ui.docks.world import WorldPanel
from ui.map.block_map_view import BlockMapView
from ui.map.landblock_chooser import MORE
from ui.window.main_window import MainWindow

pytestmark = [pytest.mark.gui, pytest.mark.locale]

COLUMNS, ROWS, EVERY = 170, 40, 7
HUT = 0xA320FFFF
"""The landblock with a hut; its id exceeds a signal's `int`."""
PLAIN = 0xA321FFFF


@pytest.fixture(scope="module")
def many(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return write_many(tmp_path_factory.mktemp("many landblocks"), COLUMNS, ROWS, EVERY)


@pytest.fixture
def asked(qtbot: QtBot, window: MainWindow, many: Path) -> MainWindow:
    """The window while it asks for a landblock."""
    with qtbot.waitSignal(window.session.asked, timeout=OPENING_MS):
        assert drop(window, many)
    return window


@pytest.fixture
def entered(qtbot: QtBot, asked: MainWindow) -> MainWindow:
    """The window in a hut's landblock."""
    qtbot.keyClicks(picker(asked).search, "A320")
    with qtbot.waitSignal(asked.session.faults_changed, timeout=OPENING_MS):
        qtbot.keyClick(picker(asked).search, Qt.Key.Key_Return)
    asked.activateWindow()
    qtbot.waitUntil(asked.isActiveWindow)
    return asked


def middle_of(view: BlockMapView, block_id: int) -> QPoint:
    return view.rect_of(block_id).center().toPoint()


def test_huts_are_where_the_tests_expect_them() -> None:
    assert HUT in huts(COLUMNS, ROWS, EVERY)
    assert PLAIN not in huts(COLUMNS, ROWS, EVERY)


def test_a_folder_of_many_landblocks_asks_for_one_on_a_map(asked: MainWindow) -> None:
    dialog = picker(asked)
    assert "6,800 landblocks" in dialog.word.text()
    assert len(dialog.map.index) == COLUMNS * ROWS
    assert not dialog.open_button.isEnabled()
    assert dialog.lists.tabText(0) == f"With Rooms ({len(huts(COLUMNS, ROWS, EVERY)):,})"
    image = dialog.map.grab().toImage()
    hut, plain = (image.pixelColor(middle_of(dialog.map, block_id)) for block_id in (HUT, PLAIN))
    assert hut.saturation() > plain.saturation() + 60


def test_the_ground_is_drawn_once_read_and_kept_for_the_next_time(qtbot: QtBot, entered: MainWindow) -> None:
    entered.opening.ask_for_landblock()
    dialog = picker(entered)
    qtbot.waitUntil(lambda: dialog.index.drawn is not None, timeout=OPENING_MS)
    dialog.reject()
    entered.opening.ask_for_landblock()
    assert not picker(entered)._reading.is_done


def test_hovering_shows_the_id_and_the_contents(qtbot: QtBot, asked: MainWindow) -> None:
    dialog = picker(asked)
    qtbot.mouseMove(dialog.map.viewport(), QPoint(1, 1))
    qtbot.mouseMove(dialog.map.viewport(), middle_of(dialog.map, HUT))
    qtbot.waitUntil(lambda: dialog.word.text().startswith("0xA320"))
    assert "land, 4 rooms" in dialog.word.text()


def test_a_click_chooses_and_a_double_click_opens(qtbot: QtBot, asked: MainWindow) -> None:
    dialog = picker(asked)
    at = middle_of(dialog.map, HUT)
    qtbot.mouseClick(dialog.map.viewport(), Qt.MouseButton.LeftButton, pos=at)
    assert dialog.place == HUT
    assert dialog.open_button.isEnabled()
    with qtbot.waitSignal(asked.session.faults_changed, timeout=OPENING_MS):
        qtbot.mouseDClick(dialog.map.viewport(), Qt.MouseButton.LeftButton, pos=at)
    assert asked.session.landblock_id == HUT
    assert cell_text(HUT) in asked.centre.blocks.currentText()


def test_a_searched_place_is_where_the_player_stands(qtbot: QtBot, asked: MainWindow, entered: MainWindow) -> None:
    sim = entered.document.sim
    place = in_cell(sim, 0xA3200101)
    x, y, z = place.origin
    entered.opening.ask_for_landblock()
    dialog = picker(entered)
    qtbot.keyClicks(dialog.search, f"0xA3200101 [{x:.3f} {y:.3f} {z:.3f}] 1 0 0 0")
    qtbot.keyClick(dialog.search, Qt.Key.Key_Return)
    assert sim.player.place_cell() == 0xA3200101
    assert sim.player.soles() == pytest.approx(place.origin, abs=0.002)


def test_a_searched_cell_opens_selected_with_the_player_in_it(qtbot: QtBot, asked: MainWindow) -> None:
    dialog = picker(asked)
    qtbot.keyClicks(dialog.search, "0xA3200101")
    assert dialog.map.chosen == HUT
    with qtbot.waitSignal(asked.session.faults_changed, timeout=OPENING_MS):
        qtbot.keyClick(dialog.search, Qt.Key.Key_Return)
    assert asked.session.selection == Selection(Kind.CELL, HUT, 0xA3200101)
    assert asked.document.sim.player.steered.place.cell_id == 0xA3200101


def test_typing_narrows_the_list_and_the_arrows_choose_in_it(qtbot: QtBot, asked: MainWindow) -> None:
    dialog = picker(asked)
    qtbot.keyClicks(dialog.search, "0xA3")
    rows = dialog.with_rooms.model()
    assert {rows.index(row, 0).data()[:4] for row in range(rows.rowCount())} == {"0xA3"}
    qtbot.keyClick(dialog.search, Qt.Key.Key_Down)
    qtbot.keyClick(dialog.with_rooms, Qt.Key.Key_Down)
    assert cell_text(dialog.place)[:6] == rows.index(1, 0).data()
    with qtbot.waitSignal(asked.session.faults_changed, timeout=OPENING_MS):
        qtbot.keyClick(dialog.with_rooms, Qt.Key.Key_Return)
    assert asked.session.landblock_id == dialog.place


def test_an_invalid_or_absent_id_is_reported(qtbot: QtBot, asked: MainWindow) -> None:
    dialog = picker(asked)
    qtbot.keyClicks(dialog.search, "study")
    assert "names no landblock" in dialog.word.text()
    assert not dialog.open_button.isEnabled()
    dialog.search.clear()
    qtbot.keyClicks(dialog.search, "F0F0")
    assert "no landblock 0xF0F0 here" in dialog.word.text()


def test_the_wheel_zooms_at_the_mouse_and_dragging_pans_without_choosing(qtbot: QtBot, asked: MainWindow) -> None:
    view = picker(asked).map
    at = view.rect_of(HUT).center()
    before = view.pixels_per_unit()
    none, no_scroll = Qt.KeyboardModifier.NoModifier, Qt.ScrollPhase.NoScrollPhase
    turn = QWheelEvent(
        at, view.mapToGlobal(at), QPoint(), QPoint(0, 480), Qt.MouseButton.NoButton, none, no_scroll, False
    )
    QApplication.sendEvent(view.viewport(), turn)
    assert view.pixels_per_unit() > 2.0 * before
    assert view.block_at(at) == HUT
    qtbot.mousePress(view.viewport(), Qt.MouseButton.LeftButton, pos=at.toPoint())
    qtbot.mouseMove(view.viewport(), at.toPoint() + QPoint(40, 30))
    qtbot.mouseRelease(view.viewport(), Qt.MouseButton.LeftButton, pos=at.toPoint() + QPoint(40, 30))
    assert view.block_at(at + QPointF(40.0, 30.0)) == HUT
    assert view.chosen == 0


def test_the_keyboard_reaches_every_landblock_on_the_map(qtbot: QtBot, asked: MainWindow) -> None:
    dialog = picker(asked)
    dialog._choose(HUT, show=True)
    dialog.map.setFocus()
    qtbot.keyClick(dialog.map, Qt.Key.Key_Up)
    assert dialog.place == PLAIN
    qtbot.keyClick(dialog.map, Qt.Key.Key_Left)
    assert dialog.place == PLAIN - 0x01000000
    with qtbot.waitSignal(asked.session.faults_changed, timeout=OPENING_MS):
        qtbot.keyClick(dialog.map, Qt.Key.Key_Return)
    assert asked.session.landblock_id == PLAIN - 0x01000000


def test_copying_the_list_takes_the_selected_row_or_all_rows(qtbot: QtBot, asked: MainWindow) -> None:
    dialog = picker(asked)
    dialog.with_rooms.setFocus()
    qtbot.keyClick(dialog.with_rooms, Qt.Key.Key_C, Qt.KeyboardModifier.ControlModifier)
    titles, *rows = (line.split("\t") for line in QGuiApplication.clipboard().text().splitlines())
    assert titles == ["Landblock", "Has", "Where"]
    assert len(rows) == len(huts(COLUMNS, ROWS, EVERY))
    dialog.with_rooms.selectRow(1)
    qtbot.keyClick(dialog.with_rooms, Qt.Key.Key_C, Qt.KeyboardModifier.ControlModifier)
    assert QGuiApplication.clipboard().text().splitlines()[1:] == ["\t".join(rows[1])]
    assert cell_text(dialog.place)[:6] == rows[1][0]


def test_the_map_is_saved_as_painted_or_the_failure_is_reported(
    qtbot: QtBot, asked: MainWindow, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    dialog = picker(asked)
    qtbot.mouseClick(dialog.map.viewport(), Qt.MouseButton.RightButton, pos=QPoint(20, 20))
    menu = QApplication.activePopupWidget()
    assert isinstance(menu, QMenu)
    (save,) = menu.actions()
    menu.close()
    names = iter([str(tmp_path / "map"), str(tmp_path / "no" / "map")])
    monkeypatch.setattr(QFileDialog, "getSaveFileName", lambda *args: (next(names), ""))
    save.trigger()
    assert QImage(str(tmp_path / "map.png")).size() == dialog.map.size() * dialog.devicePixelRatioF()
    assert dialog.word.text() == f"Saved {tmp_path / 'map.png'}"
    save.trigger()
    assert "cannot be written" in dialog.word.text()


def test_closing_the_dialog_keeps_the_open_world(qtbot: QtBot, opened: MainWindow, many: Path) -> None:
    world = opened.session.world
    with qtbot.waitSignal(opened.session.asked, timeout=OPENING_MS):
        assert drop(opened, many)
    qtbot.keyClick(picker(opened), Qt.Key.Key_Escape)
    assert opened.session.world is world
    assert opened.opening.dialog is None


def test_the_tree_and_the_box_list_visited_landblocks_and_lead_to_the_rest(qtbot: QtBot, entered: MainWindow) -> None:
    assert len(entered.session.index) > LISTED
    model = entered.docks.panel(WorldPanel).model
    texts = [model.item(row, 0).text() for row in range(model.rowCount())]
    assert texts == [cell_text(HUT), "6,800 landblocks in all"]
    assert [entered.centre.blocks.itemText(row) for row in range(entered.centre.blocks.count())] == [
        cell_text(HUT),
        MORE,
    ]
    entered.centre.blocks.setFocus()
    qtbot.keyClick(entered.centre.blocks, Qt.Key.Key_Down)
    dialog = picker(entered)
    assert entered.centre.blocks.currentText() == cell_text(HUT)
    qtbot.keyClicks(dialog.search, cell_text(PLAIN))
    qtbot.keyClick(dialog.search, Qt.Key.Key_Return)
    assert entered.session.landblock_id == PLAIN
    texts = [model.item(row, 0).text() for row in range(model.rowCount())]
    assert texts[:2] == [cell_text(HUT), cell_text(PLAIN)]
    assert entered.centre.blocks.currentText() == cell_text(PLAIN)


def test_landblocks_opened_before_are_offered_again(qtbot: QtBot, entered: MainWindow, many: Path) -> None:
    entered.navigation.go_to(cell_text(PLAIN))
    with qtbot.waitSignal(entered.session.asked, timeout=OPENING_MS):
        assert drop(entered, many)
    dialog = picker(entered)
    assert dialog.recent.model().rowCount() == 2
    assert dialog.place == PLAIN
    with qtbot.waitSignal(entered.session.faults_changed, timeout=OPENING_MS):
        qtbot.keyClick(dialog, Qt.Key.Key_Return)
    assert entered.session.landblock_id == PLAIN


def test_ctrl_l_opens_the_map_and_marks_the_landblock_in_view(qtbot: QtBot, entered: MainWindow) -> None:
    qtbot.keyClick(entered, Qt.Key.Key_L, Qt.KeyboardModifier.ControlModifier)
    dialog = picker(entered)
    assert dialog.map.here == HUT
    qtbot.keyClicks(dialog.search, "A3200100")
    qtbot.keyClick(dialog.search, Qt.Key.Key_Return)
    assert entered.session.selection == Selection(Kind.CELL, HUT, 0xA3200100)


def test_reload_returns_to_the_landblock_in_view_without_asking(qtbot: QtBot, entered: MainWindow) -> None:
    world = entered.session.world
    with qtbot.waitSignal(entered.session.faults_changed, timeout=OPENING_MS):
        entered.opening.reload_action.trigger()
    assert entered.session.world is not world
    assert entered.session.landblock_id == HUT
    assert entered.opening.dialog is None


def test_a_world_of_one_landblock_says_why_there_is_no_map(opened: MainWindow) -> None:
    assert not opened.opening.block_action.isEnabled()
    assert "only one landblock" in opened.opening.block_action.toolTip()
