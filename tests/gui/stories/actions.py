"""What a user does in a story, counted: each click, double-click, key and text pasted or typed is one action."""

from __future__ import annotations

from PySide6.QtCore import QPoint, Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QWidget

LEFT = Qt.MouseButton.LeftButton
NO_MODIFIER = Qt.KeyboardModifier.NoModifier


class Actions:
    """Sends events to the real window and counts them; a story asserts `count` at its end."""

    def __init__(self) -> None:
        self.count = 0

    def click(self, widget: QWidget, at: QPoint | None = None, button: Qt.MouseButton = LEFT) -> None:
        self.count += 1
        QTest.mouseClick(widget, button, NO_MODIFIER, _centre(widget) if at is None else at)

    def double_click(self, widget: QWidget, at: QPoint | None = None) -> None:
        """As a mouse makes it: press, release, double-click, release."""
        self.count += 1
        place = _centre(widget) if at is None else at
        QTest.mouseClick(widget, LEFT, NO_MODIFIER, place)
        QTest.mouseDClick(widget, LEFT, NO_MODIFIER, place)

    def press(self, widget: QWidget, key: Qt.Key, modifiers: Qt.KeyboardModifier = NO_MODIFIER) -> None:
        self.count += 1
        QTest.keyClick(widget, key, modifiers)

    def type(self, widget: QWidget, text: str) -> None:
        """A text typed or pasted is one action, however long."""
        self.count += 1
        QTest.keyClicks(widget, text)


def _centre(widget: QWidget) -> QPoint:
    return widget.rect().center()
