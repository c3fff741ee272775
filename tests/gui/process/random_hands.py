"""`python -m tests.gui.process.random_hands SEED SECONDS LOG`: random clicks, keys, drags and commands.

A process of its own, since it may crash or hang; LOG has its actions up to then, the newest last. It reports a fault
and exits with 1 if anything raised, if Qt or OpenGL complained, or if an event took too long.
"""

from __future__ import annotations

import faulthandler
import os
import random
import sys
import threading
import time
import traceback
from collections.abc import Callable, Sequence
from pathlib import Path
from types import TracebackType
from typing import TextIO

from PySide6.QtCore import (
    QMessageLogContext,
    QObject,
    QPoint,
    QPointF,
    QSettings,
    Qt,
    QTimer,
    QtMsgType,
    QUrl,
    Slot,
    qInstallMessageHandler,
)
from PySide6.QtGui import QAction, QDesktopServices, QWheelEvent
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QDockWidget, QFileDialog, QMenu, QTabBar, QWidget

from editor.session import background
from editor.session.sources import DEMO
from engine.build import WorldBuilder, rect
from ui.window.application import create_application
from ui.window.main_window import MainWindow
from ui.window.start import destroy, make_window

HANG_SECONDS = 20.0
PAUSES_MS = (0, 0, 0, 1, 5, 40)
OPENING_EVERY = 400
"""Actions until another world, or the same again, is opened: remaining references to the old one then show."""
DEEPEST = 6
"""Nested event loops beyond which only Escape is pressed."""

LEFT, RIGHT, MIDDLE = Qt.MouseButton.LeftButton, Qt.MouseButton.RightButton, Qt.MouseButton.MiddleButton
NONE, SHIFT = Qt.KeyboardModifier.NoModifier, Qt.KeyboardModifier.ShiftModifier
CONTROL, ALT = Qt.KeyboardModifier.ControlModifier, Qt.KeyboardModifier.AltModifier
BUTTONS = (LEFT, LEFT, LEFT, LEFT, RIGHT, MIDDLE)
MODIFIERS = (NONE, NONE, NONE, NONE, SHIFT, CONTROL, CONTROL | SHIFT, ALT)
TEXTS = ("0xC95B0101", "0x7C95B001", "door", "1.5", "-3", "99999999", "", "nonsense", "0xZZ", "1e400", "Front Door")
KEYS = (
    *(Qt.Key(code) for code in range(Qt.Key.Key_A, Qt.Key.Key_Z + 1)),
    *(Qt.Key(code) for code in range(Qt.Key.Key_0, Qt.Key.Key_9 + 1)),
    *(Qt.Key(code) for code in range(Qt.Key.Key_F1, Qt.Key.Key_F12 + 1)),
    *(Qt.Key.Key_Left, Qt.Key.Key_Right, Qt.Key.Key_Up, Qt.Key.Key_Down, Qt.Key.Key_Home, Qt.Key.Key_End) * 2,
    *(Qt.Key.Key_PageUp, Qt.Key.Key_PageDown, Qt.Key.Key_Delete, Qt.Key.Key_Backspace, Qt.Key.Key_Insert),
    *(Qt.Key.Key_Return, Qt.Key.Key_Space, Qt.Key.Key_Tab, Qt.Key.Key_Escape, Qt.Key.Key_Period, Qt.Key.Key_Comma) * 3,
    *(Qt.Key.Key_Plus, Qt.Key.Key_Minus, Qt.Key.Key_Menu),
)
FORBIDDEN = ((Qt.Key.Key_Q, CONTROL), (Qt.Key.Key_Q, CONTROL | SHIFT), (Qt.Key.Key_F4, ALT))
"""Keys that quit the program; the command of this name does, too."""
QUIT = "Quit"
HARMLESS = (
    "This plugin does not support",  # unsupported on a display without a window manager
    "propagateSizeHints",
    "QXcbConnection: XCB error",
    "QWindow::setWindowState",
    "not accepted by receiving widget",  # a key or a move reached a widget disabled meanwhile
)


class Hands(QObject):
    """Performs one random action after another, even while a menu or a dialog runs its own event loop."""

    def __init__(self, window: MainWindow, seed: int, seconds: float, log: TextIO, sources: Sequence[str]) -> None:
        super().__init__()
        self.window = window
        self.chance = random.Random(seed)
        self.until = time.monotonic() + seconds
        self.done = 0
        self.faults: list[str] = []
        self.sources = sources
        self._log = log
        self._depth = 0
        self._timer = QTimer(self)
        self._timer.setSingleShot(True)
        self._timer.timeout.connect(self._act)
        self._doings: tuple[tuple[int, Callable[[], None]], ...] = (
            (30, self._click),
            (22, self._press),
            (8, self._command),
            (8, self._drag),
            (6, self._wheel),
            (6, self._type),
            (5, self._hover),
            (4, self._tab),
            (3, self._dock),
            (1, self._resize),
        )

    def begin(self) -> None:
        self._timer.start(0)

    def complain(self, what: str) -> None:
        self.faults.append(what)
        self.note(f"■ {what}")

    def note(self, words: str) -> None:
        self._log.write(words + "\n")
        self._log.flush()

    @Slot()
    def _act(self) -> None:
        faulthandler.dump_traceback_later(HANG_SECONDS, exit=True)
        if self.faults or time.monotonic() > self.until:
            self._end()
            return
        self._timer.start(self.chance.choice(PAUSES_MS))
        self._depth += 1
        self.done += 1
        try:
            if self._depth > DEEPEST:
                self._send_escape()
            elif self.done % OPENING_EVERY == 0:
                self._open()
            else:
                weights = [weight for weight, _ in self._doings]
                self.chance.choices([doing for _, doing in self._doings], weights)[0]()
        except Exception:  # noqa: BLE001  # exceptions of event handlers that Qt passes on
            self.complain(traceback.format_exc())
        finally:
            self._depth -= 1
        viewport = self.window.viewport
        if viewport is not None and viewport.error:
            self.complain(f"the 3D view says: {viewport.error}")
        if not self.window.isVisible():
            self.window.show()

    def _end(self) -> None:
        while (popup := QApplication.activePopupWidget()) is not None:
            popup.close()
        if self._depth or QApplication.activeModalWidget() is not None:
            self._send_escape()
            self._timer.start(1)
            return
        QApplication.exit(0)

    # --- targets

    def _widget(self) -> QWidget | None:
        """Any widget that the mouse could reach now."""
        top = QApplication.activePopupWidget() or QApplication.activeModalWidget()
        if top is None:
            tops = [widget for widget in QApplication.topLevelWidgets() if widget.isVisible()]
            top = self.chance.choice([*[self.window] * 4, *tops])
        near = [top, *(child for child in top.findChildren(QWidget) if child.isVisible() and child.width() > 2)]
        return self.chance.choice(near)

    def _place(self, widget: QWidget) -> QPoint:
        return QPoint(self.chance.randrange(max(widget.width(), 1)), self.chance.randrange(max(widget.height(), 1)))

    # --- actions

    def _click(self) -> None:
        widget = self._widget()
        if widget is None:
            return
        button, keys, at = self.chance.choice(BUTTONS), self.chance.choice(MODIFIERS), self._place(widget)
        if isinstance(widget, QMenu) and _leads_out(widget.actionAt(at)):
            return
        twice = self.chance.random() < 0.15
        self.note(f"{'double ' if twice else ''}click {_name(widget)} {at.toTuple()} {button.name} {keys}")
        (QTest.mouseDClick if twice else QTest.mouseClick)(widget, button, keys, at)

    def _press(self) -> None:
        key, keys = self.chance.choice(KEYS), self.chance.choice(MODIFIERS)
        target = QApplication.activePopupWidget() or QApplication.focusWidget() or self.window
        menu_open = isinstance(target, QMenu)
        if (key, keys) in FORBIDDEN or (menu_open and key in (Qt.Key.Key_Q, Qt.Key.Key_Return, Qt.Key.Key_Space)):
            return
        self.note(f"key {key.name} {keys} to {_name(target)}")
        if self.chance.random() < 0.2:
            QTest.keyPress(target, key, keys)  # held until released at random, or for ever
        else:
            QTest.keyClick(target, key, keys)

    def _send_escape(self) -> None:
        target = QApplication.activePopupWidget() or QApplication.activeModalWidget() or self.window
        QTest.keyClick(target, Qt.Key.Key_Escape)

    def _command(self) -> None:
        commands = [
            c.action for c in self.window.commands.commands() if c.action.isEnabled() and not _leads_out(c.action)
        ]
        action = self.chance.choice(commands)
        self.note(f"command {action.text()}")
        action.trigger()

    def _drag(self) -> None:
        widget = self._widget()
        if widget is None:
            return
        button, keys = self.chance.choice(BUTTONS), self.chance.choice(MODIFIERS)
        start, end = self._place(widget), self._place(widget)
        self.note(f"drag {_name(widget)} {start.toTuple()} to {end.toTuple()} {button.name} {keys}")
        QTest.mousePress(widget, button, keys, start)
        for part in range(1, 5):
            QTest.mouseMove(widget, start + (end - start) * part / 4)
        QTest.mouseRelease(widget, button, keys, end)

    def _wheel(self) -> None:
        widget = self._widget()
        if widget is None:
            return
        at, turned = QPointF(self._place(widget)), self.chance.choice((-360, -120, 120, 360))
        self.note(f"wheel {_name(widget)} {at.toTuple()} {turned}")
        rest = (QPoint(), QPoint(0, turned), Qt.MouseButton.NoButton, self.chance.choice(MODIFIERS))
        event = QWheelEvent(at, widget.mapToGlobal(at), *rest, Qt.ScrollPhase.NoScrollPhase, False)
        QApplication.sendEvent(widget, event)

    def _type(self) -> None:
        text, enters = self.chance.choice(TEXTS), self.chance.random() < 0.5
        target = _typed_into()
        if target is not None:
            self.note(f"type {text!r} to {_name(target)}")
        for letter in text:
            target = _typed_into()  # looked up per letter: the last one may have closed the focused widget
            if target is not None:
                QTest.keyClicks(target, letter)
        target = _typed_into()
        if enters and target is not None:
            QTest.keyClick(target, Qt.Key.Key_Return)

    def _hover(self) -> None:
        widget = self._widget()
        if widget is not None:
            at = self._place(widget)
            self.note(f"hover {_name(widget)} {at.toTuple()}")
            QTest.mouseMove(widget, at)

    def _tab(self) -> None:
        bars = [bar for bar in self.window.findChildren(QTabBar) if bar.isVisible() and bar.count()]
        if bars:
            bar = self.chance.choice(bars)
            number = self.chance.randrange(bar.count())
            self.note(f"tab {number} of {_name(bar)}")
            bar.setCurrentIndex(number)

    def _dock(self) -> None:
        dock = self.chance.choice(self.window.findChildren(QDockWidget))
        what = self.chance.choice(("float", "dock", "hide", "show", "show", "dock"))
        self.note(f"{what} {_name(dock)}")
        if what in ("float", "dock"):
            dock.setFloating(what == "float")
        else:
            dock.setVisible(what == "show")

    def _resize(self) -> None:
        width, height = self.chance.randrange(900, 1900), self.chance.randrange(600, 1190)
        self.note(f"resize to {width} x {height}")
        self.window.resize(width, height)

    def _open(self) -> None:
        source = self.chance.choice(self.sources)
        self.note(f"open {source}")
        self.window.open(source)


def _typed_into() -> QWidget | None:
    """The widget with the focus; none for menus, in which letters choose."""
    target = QApplication.activePopupWidget() or QApplication.focusWidget()
    return None if isinstance(target, QMenu) else target


def _leads_out(action: QAction | None) -> bool:
    return action is not None and action.text().replace("&", "").startswith(QUIT)


def _name(widget: QWidget) -> str:
    """The names of the widget and of its parents, where they have any."""
    above, words = widget.parentWidget(), widget.objectName()
    while above is not None and not words:
        words, above = above.objectName() and f"in {above.objectName()}", above.parentWidget()
    return f"{type(widget).__name__} {words}"


# --- faults


def listen(complain: Callable[[str], None]) -> None:
    """Report exceptions anywhere, and every warning of Qt."""

    def raised(kind: type[BaseException], error: BaseException, trace: TracebackType | None) -> None:
        complain("".join(traceback.format_exception(kind, error, trace)))

    def said(kind: QtMsgType, context: QMessageLogContext, message: str) -> None:
        bad = kind not in (QtMsgType.QtDebugMsg, QtMsgType.QtInfoMsg)
        if bad and not any(known in message for known in HARMLESS):
            complain(f"Qt says: {message}\n{''.join(traceback.format_stack(limit=12))}")

    sys.excepthook = raised
    sys.unraisablehook = lambda what: complain(f"{what.err_msg or 'ignored'}: {what.exc_value!r} in {what.object!r}")
    threading.excepthook = lambda what: complain(f"in a thread: {what.exc_value!r}")
    qInstallMessageHandler(said)


def replace_dialogs(folder: Path, chance: random.Random) -> None:
    """Make the system's own dialogs answer at once: with nothing, or with a file of the test."""

    def answer(*words: object, **named: object) -> tuple[str, str]:
        return (str(folder / chance.choice(("one", "two"))) if chance.random() < 0.5 else "", "")

    for name in ("getOpenFileName", "getSaveFileName"):
        setattr(QFileDialog, name, staticmethod(answer))
    QFileDialog.getExistingDirectory = staticmethod(lambda *words, **named: answer()[0])  # type: ignore[method-assign]
    QFileDialog.open = QFileDialog.exec = lambda *words: 0  # type: ignore[assignment, method-assign]
    QDesktopServices.openUrl = staticmethod(lambda url: isinstance(url, QUrl))  # type: ignore[method-assign]


def small_house(folder: Path) -> str:
    world = WorldBuilder()
    hall, study = world.room("hall", rect(0, 0, 6, 4)), world.room("study", rect(6.2, 0, 4, 4))
    world.door(hall, study)
    world.build().write(folder)
    return str(folder)


def main(seed: int, seconds: float, log_file: Path) -> int:
    faulthandler.enable()
    folder = log_file.parent
    os.chdir(folder)
    house = folder / "house"
    house.mkdir()
    application = create_application(["random"])
    application.setQuitOnLastWindowClosed(False)
    window = make_window(application, QSettings(str(folder / "settings.ini"), QSettings.Format.IniFormat))
    with open(log_file, "w", encoding="utf-8") as log:
        hands = Hands(window, seed, seconds, log, (DEMO, DEMO, small_house(house), str(folder / "absent")))
        listen(hands.complain)
        replace_dialogs(folder, hands.chance)
        window.show()
        window.session.faults_changed.connect(hands.begin, Qt.ConnectionType.SingleShotConnection)
        window.open(DEMO)
        application.exec()
        faulthandler.cancel_dump_traceback_later()
        window.close()
        background.finish(HANG_SECONDS)
        destroy(window)
        qInstallMessageHandler(None)
        for fault in hands.faults[:3]:
            print(fault, file=sys.stderr)
        print(f"{hands.done} doings with seed {seed}")
    return 1 if hands.faults else 0


if __name__ == "__main__":
    sys.exit(main(int(sys.argv[1]), float(sys.argv[2]), Path(sys.argv[3])))
