"""Console by keys: typed Python edits the running world as undo steps, completes, remembers, fails and is stopped."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from PySide6.QtCore import QMimeData, QSettings, Qt, QTimer
from PySide6.QtGui import QGuiApplication
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QToolTip
from pytestqt.qtbot import QtBot

from editor.session.session import Session
from tests.gui.docks.live_hands import raise_dock
from tests.gui.view3d.view_hands import view_of, viewport_of
from ui.docks.console.console_dock import ConsolePanel
from ui.docks.console.output import HINT, MOST_LINES
from ui.theme.theme import LIGHT
from ui.theme.theme_state import Theme
from ui.window.main_window import MainWindow

pytestmark = pytest.mark.gui

ROOT = Path(__file__).resolve().parents[3]
CTRL = Qt.KeyboardModifier.ControlModifier
DOOR = "hall-study door"


@pytest.fixture
def console(qtbot: QtBot, opened: MainWindow) -> Iterator[ConsolePanel]:
    raise_dock(qtbot, opened.docks.dock(ConsolePanel))
    opened.docks.bring(opened.docks.dock(ConsolePanel))
    panel = opened.docks.panel(ConsolePanel)
    qtbot.waitUntil(lambda: QApplication.focusWidget() is panel.input)
    yield panel
    if panel._made is not None:
        panel._made.forget_world()


def press(key: Qt.Key, modifiers: Qt.KeyboardModifier = Qt.KeyboardModifier.NoModifier) -> None:
    """Press a key where the focus is, as the system would: shortcuts come first."""
    QTest.keyClick(QApplication.focusWindow(), key, modifiers)


def write(text: str) -> None:
    for sign in text:
        QTest.keyClick(QApplication.focusWindow(), ord(sign))


def enter(text: str) -> None:
    write(text)
    press(Qt.Key.Key_Return)


def shown(panel: ConsolePanel) -> str:
    return panel.output.toPlainText()


def after(milliseconds: int, act: Callable[[], object]) -> None:
    """Do something while code runs: what the window hears then."""
    QTimer.singleShot(milliseconds, act)


def test_a_typed_line_opens_a_door_and_undo_closes_it(opened: MainWindow, console: ConsolePanel) -> None:
    before = opened.document.sim.state_hash()
    enter(f'document.doors["{DOOR}"].open()')
    assert opened.document.sim.population.doors[0].is_open
    assert opened.document.stack.undo_text() == f"Open {DOOR}"
    assert shown(console) == f'>>> document.doors["{DOOR}"].open()\n'
    press(Qt.Key.Key_Z, CTRL)
    assert opened.document.sim.state_hash() == before


def test_undo_takes_back_typing_first(opened: MainWindow, console: ConsolePanel) -> None:
    enter("document.face(45)")
    write("docu")
    press(Qt.Key.Key_Z, CTRL)
    assert opened.document.stack.index() == 1
    while console.input.document().isUndoAvailable():
        press(Qt.Key.Key_Z, CTRL)
    press(Qt.Key.Key_Z, CTRL)
    assert opened.document.stack.index() == 0


def test_an_empty_console_says_what_can_be_done(console: ConsolePanel) -> None:
    assert console.output.placeholderText() == HINT
    assert len(HINT.splitlines()) == 2
    assert not console.clear_action.isEnabled()


def test_tab_completes_attributes_and_names_of_doors(console: ConsolePanel) -> None:
    write("docu")
    press(Qt.Key.Key_Tab)
    write(".pla")
    press(Qt.Key.Key_Tab)
    assert console.input.toPlainText() == "document.pla"  # place, place_before and player begin so
    assert console.input.popup.isVisible()
    press(Qt.Key.Key_Escape)
    console.input.put("")
    write("document.doors['ha")
    press(Qt.Key.Key_Tab)
    assert console.input.toPlainText() == f"document.doors['{DOOR}']"
    write(".op")
    press(Qt.Key.Key_Tab)
    assert console.input.toPlainText() == f"document.doors['{DOOR}'].open"


def test_the_list_of_completions_is_chosen_from_by_keys(console: ConsolePanel) -> None:
    write("document.")
    press(Qt.Key.Key_Space, CTRL)
    assert console.input.popup.isVisible()
    write("rec")
    press(Qt.Key.Key_Return)
    assert console.input.toPlainText() == "document.recording"
    assert not console.input.popup.isVisible()
    write(" + document.s")
    press(Qt.Key.Key_Tab)
    press(Qt.Key.Key_Escape)
    assert console.input.toPlainText() == "document.recording + document.s"


def test_a_bracket_shows_how_a_method_is_called(qtbot: QtBot, console: ConsolePanel) -> None:
    write("document.tick(")
    assert "count: 'int' = 1" in QToolTip.text()
    assert "Run ticks of 1/30 s" in QToolTip.text()


def test_up_brings_back_lines_that_begin_so_also_after_a_restart(
    qtbot: QtBot, console: ConsolePanel, settings: QSettings
) -> None:
    for line in ("a = 1", "b = 2", "a = 3"):
        enter(line)
    write("a")
    press(Qt.Key.Key_Up)
    assert console.input.toPlainText() == "a = 3"
    press(Qt.Key.Key_Up)
    assert console.input.toPlainText() == "a = 1"
    press(Qt.Key.Key_Down)
    press(Qt.Key.Key_Down)
    assert console.input.toPlainText() == "a"
    again = MainWindow(Session(), settings)
    qtbot.addWidget(again)
    assert again.docks.panel(ConsolePanel).input.history.entries == ["a = 1", "b = 2", "a = 3"]
    again.close()


def test_blocks_ask_for_more_lines_and_an_empty_one_runs_them(console: ConsolePanel) -> None:
    enter("for i in range(2):")
    assert console.input.toPlainText() == "for i in range(2):\n    "
    assert console.prompt.text() == ">>>\n..."
    enter("print(i * 21)")
    press(Qt.Key.Key_Return)
    assert shown(console) == ">>> for i in range(2):\n...     print(i * 21)\n0\n21\n"
    assert console.input.toPlainText() == ""


def test_pasted_lines_of_another_console_lose_its_prompts(console: ConsolePanel) -> None:
    QGuiApplication.clipboard().setText(">>> for i in (1, 2):\n...     print(i)\n...\n")
    press(Qt.Key.Key_V, CTRL)
    assert console.input.toPlainText() == "for i in (1, 2):\n    print(i)"
    press(Qt.Key.Key_Return, CTRL)
    assert shown(console).endswith("\n1\n2\n")
    rich = QMimeData()
    rich.setHtml("<b>x</b>")
    rich.setText("y = '<b>x</b>'")
    QGuiApplication.clipboard().setMimeData(rich)
    press(Qt.Key.Key_V, CTRL)
    assert console.input.toPlainText() == "y = '<b>x</b>'"


def test_an_error_leaves_the_state_as_it_was(opened: MainWindow, console: ConsolePanel) -> None:
    before, history = opened.document.sim.state_hash(), opened.document.history
    assert history is not None
    enter("document.face(45); document.tick('W', 20); 1 / 0")
    assert "ZeroDivisionError" in shown(console)
    assert "as it was before" in shown(console)
    assert opened.document.sim.state_hash() == before
    assert history.end == history.first
    assert not opened.document.stack.can_undo()


def test_letters_that_walk_and_keys_of_the_window_are_typed(qtbot: QtBot, settings: QSettings, house: Path) -> None:
    with view_of(qtbot, settings, house) as window:
        panel = window.docks.panel(ConsolePanel)
        window.docks.bring(window.docks.dock(ConsolePanel))
        qtbot.waitUntil(lambda: QApplication.focusWidget() is panel.input)
        before = window.document.sim.tick_number
        QTest.keyPress(QApplication.focusWindow(), Qt.Key.Key_W)
        QTest.keyRelease(QApplication.focusWindow(), Qt.Key.Key_W)
        write("asd .,zcqe")
        assert panel.input.toPlainText() == "wasd .,zcqe"
        assert window.clock.keys.forward == 0.0
        assert window.document.sim.tick_number == before
        assert not window.clock.is_running
        assert QApplication.focusWidget() is not viewport_of(window)


def test_esc_stops_an_endless_loop_and_restores_the_document(opened: MainWindow, console: ConsolePanel) -> None:
    before = opened.document.sim.state_hash()
    write("while True: document.tick('W'); print(1)")
    press(Qt.Key.Key_Return)
    after(600, lambda: press(Qt.Key.Key_Escape))
    press(Qt.Key.Key_Return)
    assert "Stopped in line 1." in shown(console)
    assert opened.document.sim.state_hash() == before
    assert console.output.blockCount() <= MOST_LINES
    enter("1 + 1")
    assert shown(console).endswith("2\n")


def test_a_long_run_shows_stop_and_nothing_else_of_the_window_can_be_used(
    qtbot: QtBot, opened: MainWindow, console: ConsolePanel
) -> None:
    enter("document.face(45)")
    seen: list[bool] = []
    enter("while True: pass")
    after(1300, lambda: press(Qt.Key.Key_Z, CTRL))
    after(1400, lambda: QTest.mouseClick(opened.map, Qt.MouseButton.LeftButton))
    after(1450, lambda: write("x"))
    after(1600, lambda: seen.append(console.running.isVisible() and opened.isVisible()))
    after(1700, lambda: QTest.mouseClick(console.stop_button, Qt.MouseButton.LeftButton))
    press(Qt.Key.Key_Return)
    assert seen == [True], shown(console)
    assert opened.document.stack.index() == 1
    assert console.input.toPlainText() == ""
    assert not console.running.isVisible()


def test_closing_the_window_stops_the_code_first(opened: MainWindow, console: ConsolePanel) -> None:
    enter("while True: pass")
    after(400, lambda: opened.close())
    press(Qt.Key.Key_Return)
    assert "Stopped" in shown(console)
    assert opened.isVisible()


def test_ctrl_c_copies_a_selection_and_else_clears_what_was_typed(console: ConsolePanel) -> None:
    write("abc")
    press(Qt.Key.Key_A, CTRL)
    press(Qt.Key.Key_C, CTRL)
    assert QGuiApplication.clipboard().text() == "abc"
    press(Qt.Key.Key_End)
    press(Qt.Key.Key_C, CTRL)
    assert console.input.toPlainText() == ""


def test_output_is_plain_text_whatever_is_printed(console: ConsolePanel) -> None:
    enter("print('<b>bold</b> \\u202e \\x1b[31m')")
    assert "<b>bold</b> \\u202e \\u001b[31m" in shown(console)


def test_the_text_follows_the_theme(opened: MainWindow, console: ConsolePanel) -> None:
    enter("1 / 0")
    opened.theme.choose(Theme.LIGHT)
    colours = set()
    block = console.output.document().firstBlock()
    while block.isValid():
        pieces = block.begin()
        while not pieces.atEnd():
            colours.add(pieces.fragment().charFormat().foreground().color().name())
            pieces += 1
        block = block.next()
    assert colours == {LIGHT.accent, LIGHT.fault}
    opened.theme.choose(Theme.DARK)


def test_clear_empties_the_output_and_keeps_variables(qtbot: QtBot, console: ConsolePanel) -> None:
    enter("a = 5")
    qtbot.mouseClick(console.findChild(type(console.stop_button), "console-clear-button"), Qt.MouseButton.LeftButton)
    assert shown(console) == ""
    enter("a")
    assert shown(console) == ">>> a\n5\n"


def test_another_world_answers_to_the_same_name(
    qtbot: QtBot, opened: MainWindow, console: ConsolePanel, house: Path
) -> None:
    enter("document.tick('W', 3).number")
    enter("w = document.world")
    with qtbot.waitSignal(opened.session.faults_changed, timeout=20_000):
        opened.open(str(house))
    console.input.setFocus()
    enter("document.tick_number")
    assert shown(console).endswith("0\n")
    enter("w.player")
    assert "ClosedError" in shown(console)


def test_starting_the_window_loads_nothing_of_the_console() -> None:
    """Python's own parts are loaded by others too; the interpreter and the library are not."""
    code = (
        "import sys\nfrom PySide6.QtCore import QSettings\nfrom editor.session.session import Session\n"
        "from ui.window.application import create_application\nfrom ui.window.main_window import MainWindow\n"
        "a = create_application(['t'])\ns = QSettings('/nowhere/x.ini', QSettings.Format.IniFormat)\n"
        "w = MainWindow(Session(), s)\nw.show()\na.processEvents()\n"
        "print([n for n in sys.modules if n.startswith('editor.scripting') or n in ('codeop', 'pydoc', 'rlcompleter')])"
    )
    done = subprocess.run([sys.executable, "-c", code], cwd=ROOT, capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]"
