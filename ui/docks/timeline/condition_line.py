"""A line in which a condition is written, with completion: the words that fit next, and the names of the world."""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

from PySide6.QtCore import QEvent, QStringListModel, Qt, Slot
from PySide6.QtGui import QKeyEvent
from PySide6.QtWidgets import QCompleter, QLineEdit, QListView, QWidget

from editor.process.plain_text import plain
from engine.sim.conditions.completion import Completion, Vocabulary, completions
from engine.sim.conditions.words import LONGEST

SHOWN: Final = 12
"""Rows of the list of completions."""


class ConditionLine(QLineEdit):
    """`vocabulary` is asked for the names whenever there is something to complete."""

    def __init__(self, vocabulary: Callable[[], Vocabulary], parent: QWidget) -> None:
        super().__init__(parent)
        self._vocabulary = vocabulary
        self._offered: dict[str, Completion] = {}
        self.setObjectName("condition-line")
        self.setAccessibleName("Condition")
        self.setMaxLength(LONGEST)
        self.setPlaceholderText("blocked by Front Door and not indoors")
        self._words = QStringListModel(self)
        self.offers = QCompleter(self._words, self)
        self.offers.setWidget(self)
        self.offers.setCompletionMode(QCompleter.CompletionMode.UnfilteredPopupCompletion)
        self.offers.setMaxVisibleItems(SHOWN)
        self.popup = QListView(self)
        self.popup.setObjectName("condition-offers")
        self.popup.setEditTriggers(QListView.EditTrigger.NoEditTriggers)
        self.offers.setPopup(self.popup)
        self.offers.activated.connect(self._take)
        self.textEdited.connect(self.offer)

    @property
    def is_choosing(self) -> bool:
        """A completion is picked out in the list: Enter takes that."""
        return self.popup.isVisible() and self.popup.currentIndex().isValid()

    @Slot()
    def offer(self) -> None:
        """Show what would fit where the cursor is."""
        before = self.text()[: self.cursorPosition()]
        self._offered = {plain(found.text): found for found in completions(before, self._vocabulary())}
        self._words.setStringList(list(self._offered))
        if not self._offered:
            self.popup.hide()
            return
        self.offers.complete()
        self.popup.setCurrentIndex(self._words.index(-1, 0))

    @Slot(str)
    def _take(self, shown: str) -> None:
        found = self._offered.get(shown)
        if found is None:
            return
        rest = self.text()[self.cursorPosition() :]
        self.setSelection(found.at, self.cursorPosition() - found.at)
        self.insert(plain(found.text) + ("" if found.text == "(" or rest.startswith(" ") else " "))
        self.offer()

    def event(self, event: QEvent) -> bool:
        """Down opens the list where it is closed, Tab takes its first row."""
        if isinstance(event, QKeyEvent) and event.type() == QEvent.Type.KeyPress:
            popup = self.popup
            if event.key() == Qt.Key.Key_Down and not popup.isVisible():
                self.offer()
                return True
            if event.key() == Qt.Key.Key_Tab and popup.isVisible() and self._offered:
                chosen = popup.currentIndex()
                self._take(str(chosen.data()) if chosen.isValid() else next(iter(self._offered)))
                return True
        return super().event(event)
