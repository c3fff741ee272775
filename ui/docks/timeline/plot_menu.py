"""Plot, in the menu of a row: adds a number of the player, a door or an entity to the Timeline, or takes it out."""

from __future__ import annotations

from collections.abc import Callable, Hashable

from PySide6.QtCore import QObject, Slot
from PySide6.QtGui import QAction
from PySide6.QtWidgets import QMenu

from editor.document.document import Document
from editor.models.timeline.plots import (
    DOOR_QUANTITIES,
    ENTITY_QUANTITIES,
    PLAYER_QUANTITIES,
    Plots,
    Quantity,
    plot_id,
)
from editor.process.plain_text import action_text
from engine.entities.door import Door
from ui.commands.registry import OF_A_ROW
from ui.docks.table import LiveView

NO_NUMBER = "This row has no number to plot"

Choices = Callable[[Hashable], tuple[int | None, list[Quantity]]]
"""The subject of a row, None for the player, and the quantities to plot."""


class PlotMenu(QObject):
    """A submenu of a table row with an entry for each number; plotted ones are checked."""

    def __init__(self, view: LiveView, plots: Plots, choices: Choices) -> None:
        super().__init__(view)
        self.view = view
        self.plots = plots
        self._choices = choices
        self.menu = QMenu("Plot", view)
        self.menu.setObjectName(f"{view.objectName()}-plot")
        self.menu.aboutToShow.connect(self._fill)
        action = self.menu.menuAction()
        action.setProperty(OF_A_ROW, True)
        view.addAction(action)
        view.key_changed.connect(self._allow)
        self._allow()

    @Slot()
    def _allow(self) -> None:
        key = self.view.key
        can = key is not None and bool(self._choices(key)[1])
        self.menu.menuAction().setEnabled(can)
        self.menu.menuAction().setToolTip("" if can else NO_NUMBER)

    @Slot()
    def _fill(self) -> None:
        self.menu.clear()
        key = self.view.key
        if key is None:
            return
        subject, quantities = self._choices(key)
        for quantity in quantities:
            plot = plot_id(subject, quantity)
            unit = f" ({quantity.unit})" if quantity.unit else ""
            entry = QAction(action_text(f"{quantity.title.capitalize()}{unit}"), self.menu)
            entry.setCheckable(True)
            entry.setChecked(plot in self.plots.plots)
            entry.triggered.connect(lambda checked=False, plot=plot: self.plots.toggle(plot))
            self.menu.addAction(entry)


def player_choices(key: Hashable) -> tuple[int | None, list[Quantity]]:
    """The numbers of a row of the Player dock."""
    return None, PLAYER_QUANTITIES.get(str(key), [])


def entity_choices(document: Document) -> Choices:
    """The numbers of the entity, or of the door, in a row."""

    def choices(key: Hashable) -> tuple[int | None, list[Quantity]]:
        sim = document.simulation
        found = sim.population.find(key) if sim is not None and isinstance(key, int) else None
        if found is None or sim is None:
            return None, []
        if found is sim.player:
            return None, [quantity for group in PLAYER_QUANTITIES.values() for quantity in group]
        return found.id, list(DOOR_QUANTITIES if isinstance(found, Door) else ENTITY_QUANTITIES)

    return choices
