"""Small pieces that several docks are made of."""

from __future__ import annotations

import re
from collections.abc import Callable, Hashable
from typing import Final

from PySide6.QtCore import QEvent, Qt, Signal, Slot
from PySide6.QtGui import QAction, QKeyEvent, QKeySequence, QMouseEvent, QValidator, QWheelEvent
from PySide6.QtWidgets import (
    QAbstractSpinBox,
    QDoubleSpinBox,
    QLabel,
    QLineEdit,
    QSpinBox,
    QTabWidget,
    QToolButton,
    QToolTip,
    QVBoxLayout,
    QWidget,
)
from shiboken6 import Shiboken

from editor.document.document import Document
from editor.document.gesture import Gesture
from editor.models.entities import not_open
from editor.process.plain_text import plain
from engine.sim.tick.simulation import Simulation
from ui.commands.registry import CommandError, CommandSet
from ui.commands.registry import allow as allow
from ui.theme.theme import BETWEEN, EDGE, GROUP, mono_font
from ui.widgets.flow_layout import Flow

_NUMBER: Final = re.compile(r"[+-]?(?:[0-9]+\.?[0-9]*|\.[0-9]+)(?:[eE][+-]?[0-9]{1,2})?")
_COUNT: Final = re.compile(r"[+-]?[0-9]+")

OPEN_ONE = "Open Landblock… (Ctrl+L) opens one of them; so does going there"


def action(parent: QWidget, text: str, slot: Callable[[], object], keys: str = "", name: str = "") -> QAction:
    """A command of the dock that `parent` is in, under the id `name`; its key works while the focus is in `parent`."""
    return commands_around(parent).add(name, text, slot, keys, owner=parent)


def commands_around(widget: QWidget) -> CommandSet:
    """The commands of the dock that a widget is in."""
    above: QWidget | None = widget
    while above is not None:
        found = getattr(above, "commands", None)
        if isinstance(found, CommandSet):
            return found
        above = above.parentWidget()
    raise CommandError(f"{widget.objectName() or type(widget).__name__} is in no part that has commands")


def button(made: QAction, parent: QWidget, word: str = "") -> QToolButton:
    """A text button for an action; `word` is enough where its place says what it is about."""
    if word:
        made.setIconText(plain(word))
    shown = QToolButton(parent)
    shown.setDefaultAction(made)
    shown.setObjectName(f"{made.objectName()}-button")
    return shown


def bar(*widgets: QWidget) -> Flow:
    """Widgets in a row, left to right, and in the next where the dock is narrow."""
    row = Flow()
    row.setContentsMargins(EDGE, GROUP, EDGE, GROUP)
    for widget in widgets:
        row.addWidget(widget)
    return row


def tabs(parent: QWidget, name: str) -> QTabWidget:
    """Pages of one dock, without a frame of their own."""
    made = QTabWidget(parent)
    made.setObjectName(name)
    made.setDocumentMode(True)
    made.tabBar().setDrawBase(False)
    made.tabBar().setExpanding(False)
    made.tabBar().setUsesScrollButtons(True)
    return made


def column(parent: QWidget) -> QVBoxLayout:
    """The layout of a dock: no margins, its tables reach the edges."""
    box = QVBoxLayout(parent)
    box.setContentsMargins(0, 0, 0, 0)
    box.setSpacing(0)
    return box


def dim_label(text: str, parent: QWidget, buddy: QWidget | None = None) -> QLabel:
    label = QLabel(plain(text), parent)
    label.setProperty("dim", True)
    if buddy is not None:
        label.setBuddy(buddy)
        if not buddy.accessibleName():
            buddy.setAccessibleName(plain(text))
    return label


class NotOpenLabel(QLabel):
    """Below a table of what is open: how many more the world's list has. Counted when a landblock has come in."""

    def __init__(self, name: str, kind: str, parent: QWidget) -> None:
        super().__init__(parent)
        self.setObjectName(name)
        self.setProperty("dim", True)
        self.setTextFormat(Qt.TextFormat.PlainText)
        self.setContentsMargins(BETWEEN, GROUP // 2, BETWEEN, GROUP // 2)
        self.hide()
        self._kind = kind
        self._told: tuple[int, int] | None = None
        self._gives_way = False

    def follow(self, sim: Simulation | None) -> None:
        told = None if sim is None else (id(sim), sim.surroundings.changes)
        if told != self._told:
            self._told = told
            text = "" if sim is None else not_open(sim, self._kind)
            self.setText(plain(text))
            self.setToolTip(OPEN_ONE if text else "")
            self.setVisible(bool(text) and not self._gives_way)

    def give_way(self, gives_way: bool) -> None:
        """Leave its place to the table while that has few rows."""
        self._gives_way = gives_way
        self.setVisible(bool(self.text()) and not gives_way)


def _is_for_document(event: QEvent, line: QLineEdit) -> bool:
    """Whether a key would undo or redo in a line in which nothing is being typed: it means the document then."""
    if event.type() != QEvent.Type.ShortcutOverride or not isinstance(event, QKeyEvent) or line.isModified():
        return False
    return event.matches(QKeySequence.StandardKey.Undo) or event.matches(QKeySequence.StandardKey.Redo)


class IdField(QLineEdit):
    """An id to type. Ctrl+Z takes back what is being typed, or else the last edit of the document."""

    def __init__(self, parent: QWidget, name: str, width: int = 0) -> None:
        super().__init__(parent)
        self.setObjectName(name)
        self.setFont(mono_font())
        if width:
            self.setFixedWidth(width)

    def event(self, event: QEvent) -> bool:
        if _is_for_document(event, self):
            event.ignore()
            return False
        return super().event(event)


def _bare(text: str, prefix: str, suffix: str) -> str:
    """What was typed, without what the box shows around it, and with a minus that keyboards have."""
    return text.strip().removeprefix(prefix).removesuffix(suffix.rstrip()).strip().replace("\u2212", "-")


def _refuse(box: QAbstractSpinBox, typed: str, wanted: str) -> None:
    """Say why Enter has brought the number before it back."""
    if typed and box.isVisible():
        sentence = f"‘{typed}’ is not {wanted}: the value before it stays."
        QToolTip.showText(box.mapToGlobal(box.rect().bottomLeft()), plain(sentence), box)


class CountBox(QSpinBox):
    """A whole number. What is none stays as it was typed, until Enter brings the number before it back and says so.

    Qt would drop what it does not understand: 60,5 would be read as 605, and 1e3 as 13.
    """

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._before: int | None = None
        """The number before the typing began; each digit counts at once."""
        self.lineEdit().textEdited.connect(self._begin)
        self.editingFinished.connect(self._end)

    @Slot()
    def _begin(self) -> None:
        self._before = self.value() if self._before is None else self._before

    @Slot()
    def _end(self) -> None:
        self._before = None

    def validate(self, text: str, at: int) -> tuple[QValidator.State, str, int]:
        if self.specialValueText() and text == self.specialValueText():
            return super().validate(text, at)
        bare = _bare(text, self.prefix(), self.suffix())
        is_count = _COUNT.fullmatch(bare) is not None and self.minimum() <= int(bare) <= self.maximum()
        return QValidator.State.Acceptable if is_count else QValidator.State.Intermediate, text, at

    def fixup(self, text: str) -> str:
        wanted = f"a whole number from {self.minimum():,} to {self.maximum():,}"
        _refuse(self, _bare(text, self.prefix(), self.suffix()), wanted)
        return text if self._before is None else f"{self.prefix()}{self.textFromValue(self._before)}{self.suffix()}"


class NumberBox(QDoubleSpinBox):
    """The wheel turns it only while it has the focus: who scrolls past it edits nothing. Ctrl+Z as in `IdField`.

    A comma is the decimal point and becomes one as it is typed or pasted; decimals that the box does not show are
    rounded. Everything else that is no number, such as one with a comma and a point or three of them, stays as it was
    typed, until Enter brings the number before it back and says so.
    """

    pressed = Signal()
    released = Signal()
    """The mouse, on its arrows."""

    def __init__(self, parent: QWidget) -> None:
        super().__init__(parent)
        self.about: Hashable = None
        """The thing that the number describes."""
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.editingFinished.connect(self._settle)

    @Slot()
    def _settle(self) -> None:
        """What was typed counts now; a window that goes takes the keys from a line that has gone already."""
        line = self.lineEdit()
        if Shiboken.isValid(line):
            line.setModified(False)

    def validate(self, text: str, at: int) -> tuple[QValidator.State, str, int]:
        if self.specialValueText() and text == self.specialValueText():
            return super().validate(text, at)
        points = text.replace(",", ".")
        number = self._number_in(points)
        if number is None:
            is_one = points.count(".") < 2
            return QValidator.State.Intermediate, points if is_one else text, at
        is_within = self.minimum() <= round(number, self.decimals()) <= self.maximum()
        return QValidator.State.Acceptable if is_within else QValidator.State.Intermediate, points, at

    def valueFromText(self, text: str) -> float:
        number = self._number_in(text.replace(",", "."))
        return super().valueFromText(text) if number is None else round(number, self.decimals())

    def _number_in(self, text: str) -> float | None:
        bare = _bare(text, self.prefix(), self.suffix())
        form = _NUMBER if self.decimals() else _COUNT
        return float(bare) if form.fullmatch(bare) is not None else None

    def fixup(self, text: str) -> str:
        kind = "one number" if self.decimals() else "a whole number"
        wanted = f"{kind} from {self.minimum():,.10g} to {self.maximum():,.10g}"
        _refuse(self, _bare(text, self.prefix(), self.suffix()), wanted)
        return text

    def event(self, event: QEvent) -> bool:
        if _is_for_document(event, self.lineEdit()):
            event.ignore()
            return False
        return super().event(event)

    def wheelEvent(self, event: QWheelEvent) -> None:
        if self.hasFocus():
            super().wheelEvent(event)
        else:
            event.ignore()

    def mousePressEvent(self, event: QMouseEvent) -> None:
        self.pressed.emit()
        super().mousePressEvent(event)

    def mouseReleaseEvent(self, event: QMouseEvent) -> None:
        super().mouseReleaseEvent(event)
        self.released.emit()


def number_box(parent: QWidget, name: str, low: float, high: float, places: int = 3, step: float = 0.1) -> NumberBox:
    """A number to type; it counts on Enter or when the focus leaves, not while it is typed."""
    box = NumberBox(parent)
    box.setObjectName(name)
    box.setRange(low, high)
    box.setDecimals(places)
    box.setSingleStep(step)
    box.setKeyboardTracking(False)
    box.setFont(mono_font())
    return box


def gesture(box: NumberBox, document: Document) -> Gesture:
    """What is one step of the edits that a box makes: it is held or turned in one go, or typed."""
    made = Gesture(document, box.objectName(), box)
    box.pressed.connect(made.hold)
    box.released.connect(made.let_go)
    box.editingFinished.connect(made.end)
    box.lineEdit().textEdited.connect(made.end)
    return made


def put(box: NumberBox, value: float, about: Hashable = None) -> None:
    """Show a value without that counting as typed; what is being typed is left alone while it is about the same."""
    if about != box.about or not (box.hasFocus() and box.lineEdit().isModified()):
        box.about = about
        box.blockSignals(True)
        box.setValue(value)
        box.blockSignals(False)
