"""The filter of PView's portals: one button with a menu, by result and by cell."""

from __future__ import annotations

from typing import Final

from PySide6.QtCore import Signal
from PySide6.QtGui import QAction, QActionGroup
from PySide6.QtWidgets import QMenu, QToolButton, QWidget

from editor.models.pview.frame_rows import PortalFilter, PortalResult
from editor.process.plain_text import action_text, plain
from engine.world.names import Names
from ui.docks.parts import action

ALL_RESULTS: Final = "All results"


class FilterButton(QToolButton):
    """Its entries are actions of the `panel`, so that they are found by name too. A cell that the filter was made for
    stays while others are selected."""

    chosen = Signal()

    def __init__(self, panel: QWidget) -> None:
        super().__init__(panel)
        self._cell_id = 0
        self.setObjectName("pview-filter")
        self.setAccessibleName("Portals to show")
        self.setToolTip("Filter the portals by result and by cell")
        self.setPopupMode(QToolButton.ToolButtonPopupMode.InstantPopup)
        menu = QMenu(self)
        menu.setObjectName("pview-filter-menu")
        self._fates = QActionGroup(self)
        self._by_result: dict[PortalResult | None, QAction] = {}
        for result in (None, *PortalResult):
            text = ALL_RESULTS if result is None else result.value.capitalize()
            made = action(panel, f"Portals: {text}", self._on_chosen, name=f"pview-result-{text.lower()}")
            made.setIconText(plain(text))
            made.setCheckable(True)
            made.setData(result)
            self._fates.addAction(made)
            self._by_result[result] = made
        self._by_result[None].setChecked(True)
        self.only_action = action(panel, "", self._on_chosen, name="pview-only")
        self.only_action.setCheckable(True)
        self.only_action.setToolTip(
            "Show only the portals of this cell and those into it, even after another cell is selected."
        )
        menu.addActions(list(self._by_result.values()))
        menu.addSeparator()
        menu.addAction(self.only_action)
        self.setMenu(menu)
        self.offer(0, Names())

    @property
    def wanted(self) -> PortalFilter:
        """The filter that is chosen."""
        chosen = self._fates.checkedAction()
        result = None if chosen is None else chosen.data()
        return PortalFilter(result, self._cell_id if self.only_action.isChecked() else 0)

    def offer(self, cell_id: int, names: Names) -> None:
        """Offer the selected cell as a filter, and show the filter on the button."""
        if not self.only_action.isChecked():
            self._cell_id = cell_id
        only = f"Only {names.cell(self._cell_id)}" if self._cell_id else "Only the Selected Cell"
        self.only_action.setText(action_text(only))
        self.only_action.setEnabled(bool(self._cell_id))
        wanted = self.wanted
        text = ALL_RESULTS if wanted.result is None else wanted.result.value.capitalize()
        self.setText(plain(f"{text}, {names.cell(wanted.cell_id)}" if wanted.cell_id else text))

    def clear(self) -> None:
        self._by_result[None].setChecked(True)
        self.only_action.setChecked(False)

    def _on_chosen(self) -> None:
        self.chosen.emit()
