"""The command palette, used by keys alone."""

from __future__ import annotations

import pytest
from PySide6.QtCore import QSettings, Qt
from PySide6.QtWidgets import QApplication, QPushButton
from pytestqt.qtbot import QtBot
from shiboken6 import delete

from editor.session.session import Kind, Selection
from ui.docks.cell.cell_dock import CellPanel
from ui.docks.panel import is_seen
from ui.docks.player.player_dock import PlayerPanel
from ui.docks.sweep.sweep_dock import SweepPanel
from ui.docks.timeline.timeline_dock import TimelinePanel
from ui.theme.theme_state import Theme
from ui.window.main_window import MainWindow

pytestmark = [pytest.mark.gui, pytest.mark.locale]

BLOCK = 0x0007FFFF
STUDY = 0x00070101


def ask(qtbot: QtBot, window: MainWindow, text: str) -> list[str]:
    """Press Ctrl+P and type letters; the titles offered."""
    qtbot.keyClick(QApplication.focusWidget() or window, Qt.Key.Key_P, Qt.KeyboardModifier.ControlModifier)
    sheet = window.palette_sheet
    assert sheet.isVisible()
    assert QApplication.focusWidget() is sheet.field
    qtbot.keyClicks(sheet.field, text)
    return [found.entry.title for found in sheet.lines.found]


def press(qtbot: QtBot, window: MainWindow, key: Qt.Key) -> None:
    qtbot.keyClick(window.palette_sheet.field, key)


def test_a_few_letters_find_a_command_and_enter_runs_it(qtbot: QtBot, opened: MainWindow) -> None:
    assert ask(qtbot, opened, "light")[0] == "Light Theme"
    press(qtbot, opened, Qt.Key.Key_Return)
    assert opened.colours.window == "#f2f3f5"
    assert not opened.palette_sheet.isVisible()
    opened.theme.choose(Theme.DARK)


def test_escape_closes_the_palette_and_restores_the_focus(qtbot: QtBot, opened: MainWindow) -> None:
    opened.map.setFocus()
    ask(qtbot, opened, "door")
    press(qtbot, opened, Qt.Key.Key_Escape)
    assert not opened.palette_sheet.isVisible()
    assert QApplication.focusWidget() is opened.map
    assert opened.session.selection is not None


def test_what_had_the_focus_may_be_gone_when_the_palette_closes(qtbot: QtBot, opened: MainWindow) -> None:
    button = QPushButton("Yes", opened)
    button.show()
    button.setFocus()
    ask(qtbot, opened, "door")
    delete(button)
    press(qtbot, opened, Qt.Key.Key_Escape)
    assert not opened.palette_sheet.isVisible()


def test_an_id_leads_to_its_cell(qtbot: QtBot, opened: MainWindow) -> None:
    assert ask(qtbot, opened, "0x00070101")[:2] == ["0x00070101", "Stand in 0x00070101"]
    press(qtbot, opened, Qt.Key.Key_Return)
    assert opened.session.selection == Selection(Kind.CELL, BLOCK, STUDY)


def test_an_id_in_another_landblock_is_offered_too(qtbot: QtBot, opened: MainWindow) -> None:
    assert ask(qtbot, opened, "0x12340100") == ["Go to 0x12340100"]
    press(qtbot, opened, Qt.Key.Key_Return)
    assert "0x12340100" in opened.status.currentMessage()


def test_a_dock_behind_a_tab_comes_to_the_front_with_the_focus(qtbot: QtBot, opened: MainWindow) -> None:
    assert ask(qtbot, opened, "show sweep")[0] == "Show Sweep"
    press(qtbot, opened, Qt.Key.Key_Return)
    qtbot.waitUntil(lambda: is_seen(opened.docks.panel(SweepPanel)))
    focus = QApplication.focusWidget()
    assert focus is not None
    assert opened.docks.panel(SweepPanel).isAncestorOf(focus)


def test_a_disabled_command_gives_its_reason_and_keeps_the_palette_open(qtbot: QtBot, opened: MainWindow) -> None:
    ask(qtbot, opened, "undo")
    found = opened.palette_sheet.lines.found[0].entry
    assert (found.title, found.why_not) == ("Undo", "There is nothing to undo.")
    press(qtbot, opened, Qt.Key.Key_Return)
    assert opened.palette_sheet.isVisible()
    assert "There is nothing to undo." in opened.status.currentMessage()


def test_arrow_keys_choose_another_line(qtbot: QtBot, opened: MainWindow) -> None:
    titles = ask(qtbot, opened, "theme")
    assert set(titles[:2]) == {"✓ Dark Theme", "Light Theme"}
    press(qtbot, opened, Qt.Key.Key_Down)
    assert opened.palette_sheet.view.currentIndex().row() == 1
    press(qtbot, opened, Qt.Key.Key_Up)
    press(qtbot, opened, Qt.Key.Key_Up)
    assert opened.palette_sheet.view.currentIndex().row() == len(titles) - 1


def test_the_last_used_command_comes_first_even_after_a_restart(
    qtbot: QtBot, opened: MainWindow, settings: QSettings
) -> None:
    ask(qtbot, opened, "frame every")
    press(qtbot, opened, Qt.Key.Key_Return)
    assert ask(qtbot, opened, "")[0] == "Frame Everything"
    press(qtbot, opened, Qt.Key.Key_Escape)
    again = QSettings(settings.fileName(), QSettings.Format.IniFormat)
    settings.sync()
    assert again.value("palette-recent") is not None


def test_an_empty_result_is_explained_in_words(qtbot: QtBot, opened: MainWindow) -> None:
    assert ask(qtbot, opened, "qqqq") == []
    assert opened.palette_sheet.nothing.isVisible()
    press(qtbot, opened, Qt.Key.Key_Return)
    assert opened.palette_sheet.isVisible()


def test_a_click_on_a_line_runs_the_command(qtbot: QtBot, opened: MainWindow) -> None:
    ask(qtbot, opened, "show timeline")
    view = opened.palette_sheet.view
    qtbot.mouseClick(view.viewport(), Qt.MouseButton.LeftButton, pos=view.visualRect(view.currentIndex()).center())
    qtbot.waitUntil(lambda: is_seen(opened.docks.panel(TimelinePanel)))


def test_every_command_is_offered_once_and_disabled_ones_give_a_reason(opened: MainWindow) -> None:
    commands = opened.commands.commands()
    titles = [(command.where, command.title) for command in commands]
    twice = sorted({title for title in titles if titles.count(title) > 1})
    assert twice == []
    for wanted in ("Open…", "Undo", "Run", "Reset Layout", "Lock", "Step n", "Fit", "What's This?"):
        assert any(command.title.startswith(wanted) for command in commands), wanted
    mute = [command.title for command in commands if command.why_not == "This cannot be done now."]
    assert mute == []


@pytest.mark.parametrize(
    ("typed", "wanted"),
    [
        ("rules", "All as ace"),
        ("number of sub-steps", "✓ Number of sub-steps"),
        ("time of day", "06:00 Dawn"),
        ("noon", "12:00 Noon"),
        ("jump", "Hold Jump"),
        ("follow player", "Follow Player"),
        ("portal sides", "Close Portal Sides"),
        ("overlays none", "None"),
    ],
)
def test_commands_of_docks_and_bars_are_found_by_name(
    qtbot: QtBot, opened: MainWindow, typed: str, wanted: str
) -> None:
    assert wanted in ask(qtbot, opened, typed)


def test_the_palette_holds_and_releases_a_key_of_the_pad(qtbot: QtBot, opened: MainWindow) -> None:
    for title, held in (("Hold Forward", 1.0), ("✓ Hold Forward", 0.0)):
        assert ask(qtbot, opened, "hold forward")[0] == title
        press(qtbot, opened, Qt.Key.Key_Return)
        assert opened.clock.keys.forward == held
        assert opened.docks.panel(PlayerPanel).pad.buttons["forward"].isChecked() == bool(held)


def test_the_palette_makes_the_selection_follow_the_player_s_cell(qtbot: QtBot, opened: MainWindow) -> None:
    ask(qtbot, opened, "follow player")
    press(qtbot, opened, Qt.Key.Key_Return)
    assert opened.docks.panel(CellPanel).follow_player.isChecked()
    qtbot.mouseClick(opened.docks.panel(CellPanel).follow_player, Qt.MouseButton.LeftButton)
    assert not opened.docks.panel(CellPanel).follow_action.isChecked()
