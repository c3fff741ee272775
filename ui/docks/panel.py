"""The base of every dock on the running world: a view of the document, refreshed on changes while visible."""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from typing import ClassVar, Protocol

from PySide6.QtCore import Signal, Slot
from PySide6.QtGui import QAction, QHideEvent, QShowEvent
from PySide6.QtWidgets import QBoxLayout, QMenu, QWidget

from editor.document.document import Document
from editor.models.live_table import LiveTable, Row
from editor.process.plain_text import action_text, plain_lines
from editor.session.session import Selection
from engine.sim.tick.simulation import Simulation
from ui.commands.registry import CommandSet
from ui.docks.place_menu import RowPlaces
from ui.docks.second_strip import SecondStrip
from ui.docks.table import LiveView
from ui.theme.theme import Colours


class ModelPictures(Protocol):
    """Pictures of models for the entries of menus."""

    def show_on(self, action: QAction, model_id: int) -> None:
        """Give an entry the picture of its model, now or when it is ready."""


class LivePanel(QWidget):
    """Selects and frames things, and follows the selection of the rest of the window."""

    about = ""
    """What's This: two or three sentences on what the dock answers and how it is used."""

    chosen = Signal(object)
    framed = Signal(object)
    rename_wanted = Signal(object)
    """The key of a cell, portal or model that is to be named."""

    reads_second: ClassVar[bool] = False
    """It shows the second of two runs when that is chosen."""

    pace: ClassVar[float] = 0.15
    """Seconds between two refreshes while time runs."""

    def __init__(self, document: Document, name: str, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.document = document
        self.commands = CommandSet(self, prepare=self._prepare)
        self.views: list[LiveView] = []
        self.model_pictures: ModelPictures | None = None
        """Draws the models of catalogues; None where there is no OpenGL."""
        self.setObjectName(name)
        self.setWhatsThis(plain_lines(self.about))
        self._told_at = 0.0
        self._showed: dict[LiveTable, bool] = {}
        """Whether a table shows the second run."""
        self._strip: SecondStrip | None = None
        document.session.hover_changed.connect(self._on_hover)
        document.changed.connect(self._on_told)
        document.session.selection_changed.connect(self._on_selection)

    def add_view(self, view: LiveView, *, leads: bool = False) -> LiveView:
        """Its choices are the panel's, and it wears the panel's colours.

        `leads`: its rows lead to other things; a click only marks one, a double click or Enter goes there.
        """
        self.views.append(view)
        places = RowPlaces(view, self.document, lambda: view.selection)
        view.key_changed.connect(places.show_row)
        view.hover.hovered.connect(self.document.session.set_hover)
        if leads:
            view.frame_action.setText("Go There")
            view.framed.connect(self.chosen)
            view.acted.connect(lambda key: self.chosen.emit(view.selection))
        else:
            view.chosen.connect(self.chosen)
            view.framed.connect(self.framed)
        return view

    def add_model(self, menu: QMenu, text: str, model_id: int, slot: Callable[[], object]) -> None:
        """An entry of a catalogue, with the picture of its model."""
        entry = QAction(action_text(text), menu)
        entry.triggered.connect(lambda checked=False: slot())
        if self.model_pictures is not None:
            self.model_pictures.show_on(entry, model_id)
        menu.addAction(entry)

    def show_rows(self, model: LiveTable, rows_of: Callable[[Simulation], Sequence[Row]]) -> None:
        """Show the rows of the run that is shown; of two, what differs in the other one is marked."""
        document, second = self.document, self.document.shows_second
        sim = document.seen
        if second and sim is None:
            return  # not compared that far: what was shown stays, and the strip tells of it
        model.show([] if sim is None else rows_of(sim), mark=self._showed.get(model, second) == second)
        self._showed[model] = second
        other = None if sim is None else document.unseen
        if other is None or document.beside is None:
            model.compare(None)
        else:
            model.compare(rows_of(other), document.beside.names[0 if second else 1])

    def _show_strip(self) -> None:
        """Tell that the second of two runs is shown, over everything else."""
        document, box = self.document, self.layout()
        if self._strip is None and document.shows_second and self.reads_second and isinstance(box, QBoxLayout):
            self._strip = SecondStrip(document, self)
            box.insertWidget(0, self._strip)
        if self._strip is not None:
            self._strip.refresh()

    def refresh(self) -> None:
        """Read everything again that the dock shows."""
        raise NotImplementedError

    def follow(self, selection: Selection | None) -> None:
        """Show the selection, which was made here or elsewhere."""

    def _prepare(self) -> None:
        """The palette asks for the commands, also while the dock is behind another one."""
        self.refresh()
        self.follow(self.document.session.selection)

    def set_colours(self, colours: Colours) -> None:
        for view in self.views:
            view.set_colours(colours)

    @Slot()
    def _on_told(self) -> None:
        """While running, refresh at most every `pace` seconds; the next tick or the pause shows what was left out."""
        now = time.monotonic()
        if not self.document.flowing or now - self._told_at >= self.pace:
            self._told_at = now
            self._on_changed()

    @Slot()
    def _on_changed(self) -> None:
        if is_seen(self):
            self._show_strip()
            self.refresh()

    @Slot()
    def _on_selection(self) -> None:
        if is_seen(self):
            self.follow(self.document.session.selection)

    @Slot()
    def _on_hover(self) -> None:
        """Highlight what the mouse is over, here or elsewhere."""
        if is_seen(self):
            self._show_hover()

    def _show_hover(self) -> None:
        for view in self.views:
            view.hover.show(self.document.session.hover)

    def showEvent(self, event: QShowEvent) -> None:
        super().showEvent(event)
        self.turn(True)

    def hideEvent(self, event: QHideEvent) -> None:
        super().hideEvent(event)
        self.turn(False)

    @Slot(bool)
    def turn(self, seen: bool) -> None:
        """Its tab came to the front, or another one did."""
        if seen:
            self._show_strip()
            self.refresh()
            self.follow(self.document.session.selection)
            self._show_hover()


def is_seen(widget: QWidget) -> bool:
    """Whether any part is on screen: to Qt a dock behind another tab is visible too."""
    return widget.isVisible() and not widget.visibleRegion().isEmpty()
