"""Entries of context menus that put the player at a thing, and copy the place of it."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

from PySide6.QtCore import QObject, Slot
from PySide6.QtGui import QAction, QGuiApplication
from PySide6.QtWidgets import QAbstractItemView, QMenu

from editor.document.document import Document
from editor.document.moving_player import move_player
from editor.models.place_choices import COPY_PLACE, PlaceChoice, choices_at, text_of_place
from editor.process.plain_text import action_text
from editor.session.session import Selection
from ui.commands.registry import OF_A_ROW, allow

STANDS = "Moves the player there; undo returns him"
COPIES = "Copy the place as players write it, for this program or a server"
NO_PLACE = "This has no place."
SLOTS = 2
"""The most ways in which he can be put at one thing."""


def add_places(menu: QMenu, document: Document, selection: Selection | None) -> None:
    """Add the entries for a thing to a menu that is made for it."""
    sim = document.simulation
    if sim is None or selection is None:
        return
    for choice in choices_at(sim, selection):
        entry = menu.addAction(action_text(choice.title), partial(take, document, choice))
        allow(entry, document.why_not_edit, STANDS)
    menu.addAction(COPY_PLACE, lambda: copy_place(document, selection)).setToolTip(COPIES)


def take(document: Document, choice: PlaceChoice) -> None:
    move_player(document, choice.step, choice.find)


def copy_place(document: Document, selection: Selection) -> None:
    """Put the place of a thing on the clipboard, and say so."""
    world = document.world
    text = "" if world is None else text_of_place(world, document.simulation, selection)
    if not text:
        document.refused.emit(f"{COPY_PLACE}: {NO_PLACE}")
        return
    QGuiApplication.clipboard().setText(text)
    document.said.emit(f"Copied {text}")


class RowPlaces(QObject):
    """The same entries in the context menu of a list, for the thing in its current row."""

    def __init__(self, view: QAbstractItemView, document: Document, selected: Callable[[], Selection | None]) -> None:
        super().__init__(view)
        self._document = document
        self._selected = selected
        self._choices: list[PlaceChoice] = []
        self._stand = [self._entry(view, "", partial(self._take, number)) for number in range(SLOTS)]
        self._copy = self._entry(view, COPY_PLACE, self._copy_place)
        self._copy.setToolTip(COPIES)

    def _entry(self, view: QAbstractItemView, title: str, slot: Callable[[], None]) -> QAction:
        made = QAction(title, view)
        made.setProperty(OF_A_ROW, True)
        made.setVisible(False)
        made.triggered.connect(lambda checked=False: slot())
        view.addAction(made)
        return made

    @Slot()
    def show_row(self) -> None:
        """Another row is the current one, or it stands for something else."""
        sim, selection = self._document.simulation, self._selected()
        self._choices = [] if sim is None or selection is None else choices_at(sim, selection)
        for number, entry in enumerate(self._stand):
            entry.setVisible(number < len(self._choices))
            if number < len(self._choices):
                entry.setText(action_text(self._choices[number].title))
                allow(entry, self._document.why_not_edit, STANDS)
        self._copy.setVisible(selection is not None and sim is not None)

    def _take(self, number: int) -> None:
        if number < len(self._choices):
            take(self._document, self._choices[number])

    def _copy_place(self) -> None:
        selection = self._selected()
        if selection is not None:
            copy_place(self._document, selection)
