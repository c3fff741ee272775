"""Lets docks know of the second run of a comparison: which run they show, and when there is anything new to mark."""

from __future__ import annotations

from PySide6.QtCore import QObject, Slot

from editor.document.document import Document
from editor.models.compare.watch import CompareWatch


class SecondRun(QObject):
    """Joins a comparison to the document that docks read."""

    def __init__(self, document: Document, watch: CompareWatch, parent: QObject) -> None:
        super().__init__(parent)
        self._document = document
        self._watch = watch
        self._told: object = None
        document.beside = watch
        watch.shown_changed.connect(document.changed)
        watch.changed.connect(self._on_changed)

    @Slot()
    def _on_changed(self) -> None:
        """A long recording is compared in many slices; docks need to know of the one that reaches what they show."""
        watch, history = self._watch, self._document.history
        reached = history is not None and watch.compared >= history.now - history.first
        told = (watch.is_on, watch.title, reached)
        if told != self._told:
            self._told = told
            self._document.changed.emit()
