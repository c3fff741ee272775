"""Why This Value?, in the menus of the rows of other docks: since when it is as it is, and by what."""

from __future__ import annotations

from collections.abc import Callable, Hashable
from functools import partial
from typing import Final

from PySide6.QtCore import QEvent, QObject, Qt, Slot
from PySide6.QtGui import QAction, QHelpEvent
from PySide6.QtWidgets import QMenu, QToolTip

from editor.document.document import Document
from editor.models.why import ValueAsked
from editor.models.why_chain.fields import Field
from editor.process.plain_text import action_text, plain_lines
from engine.sim.tick.simulation import Simulation
from engine.sim.why.answer import AskableValue
from engine.sim.why.values import askable
from ui.commands.registry import OF_A_ROW, allow
from ui.docks.context import DockLinks
from ui.docks.table import LiveView

KEY: Final = "Shift+Y"
WORDS: Final = "Why This Value?"
TIP: Final = "Since when is it so, and by what? Why answers, link by link through earlier ticks"
HINT: Final = f"Since when, and by what? Right click, or {KEY} on the row"
NO_VALUE: Final = "This does not last from tick to tick; Sweep explains the last one."

COMMON: Final = frozenset(
    {
        *("cell", "origin", "origin.x", "origin.y", "origin.z", "heading", "velocity", "contact", "on_walkable"),
        *("contact_plane", "sliding_normal", "state", "keys", "lost"),
        *("is_open", "passable", "locked", "busy_until", "reset_at", "held"),
    }
)
"""The values that are asked about most, which a menu has first."""

Fields = Callable[[Simulation, Hashable, int], Field | None]
"""The value in a column of the row of a key."""


class WhyMenu(QObject):
    """Entries of a table's rows: for the value of the current field, and for each value that it is made of."""

    def __init__(self, view: LiveView, document: Document, links: DockLinks, fields: Fields) -> None:
        super().__init__(view)
        self._view, self._document, self._links, self._fields = view, document, links, fields
        self.action = QAction(WORDS, view)
        self.action.setObjectName(f"{view.objectName()}-why-value")
        self.action.setShortcut(KEY)
        self.action.setShortcutContext(Qt.ShortcutContext.WidgetShortcut)
        self.action.setProperty(OF_A_ROW, True)
        self.action.triggered.connect(self._ask)
        self.menu = QMenu("Why One of Its Values?", view)
        self.menu.setObjectName(f"{view.objectName()}-why-values")
        self.menu.aboutToShow.connect(self._fill)
        self.menu.menuAction().setProperty(OF_A_ROW, True)
        view.addActions([self.action, self.menu.menuAction()])
        view.key_changed.connect(self._allow)
        view.selectionModel().currentColumnChanged.connect(self._allow)
        view.viewport().installEventFilter(self)
        self._allow()

    @property
    def _field(self) -> Field | None:
        return self._field_at(self._view.key, self._view.currentIndex().column())

    def _field_at(self, key: Hashable, column: int) -> Field | None:
        sim = self._document.simulation
        return None if sim is None or key is None else self._fields(sim, key, column)

    @Slot()
    def _allow(self) -> None:
        field = self._field
        allow(self.action, "" if field is not None else NO_VALUE, TIP)
        self.menu.menuAction().setEnabled(field is not None)

    @Slot()
    def _ask(self) -> None:
        field = self._field
        if field is not None:
            self._links.ask_value(ValueAsked(field.entity_id, field.path))

    @Slot()
    def _fill(self) -> None:
        """The values of the field, or all of its entity where the field is but one of them."""
        empty(self.menu)
        field, sim = self._field, self._document.simulation
        if field is not None and sim is not None:
            fill(self.menu, sim, field.entity_id, self._links.ask_value, only=field.parts)

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """Tell of it in the tooltips of values that have no other one."""
        view = self._view
        if not isinstance(event, QHelpEvent) or event.type() != QEvent.Type.ToolTip:
            return False
        index = view.indexAt(event.pos())
        key = view.table.rows[index.row()].key if index.isValid() else None
        if self._field_at(key, index.column()) is None:
            return False
        value = view.table.rows[index.row()].values[index.column()]
        tip = value.tip or view.table.columns[index.column()].tip
        is_cut = view.sizeHintForIndex(index).width() > view.visualRect(index).width()
        if tip or is_cut:
            return False
        QToolTip.showText(event.globalPos(), HINT, view.viewport())
        return True


def empty(menu: QMenu) -> None:
    """Clear a menu that is filled again, with the menus in it, which Qt would keep."""
    for action in menu.actions():
        inside = action.menu()
        if isinstance(inside, QMenu):
            inside.deleteLater()
    menu.clear()


def fill(
    menu: QMenu,
    sim: Simulation,
    entity_id: int,
    ask: Callable[[ValueAsked], None],
    *,
    only: tuple[str, ...] = (),
) -> None:
    """Add an entry for each value of an entity, or for some of them, as it is now; rarer ones in another menu."""
    values = askable(sim, entity_id)
    if only:
        _add(menu, [value for value in values if value.path in only], entity_id, ask)
        return
    _add(menu, [value for value in values if value.path in COMMON], entity_id, ask)
    menu.addSeparator()
    _add(menu.addMenu("Other Values"), [value for value in values if value.path not in COMMON], entity_id, ask)


def _add(menu: QMenu, values: list[AskableValue], entity_id: int, ask: Callable[[ValueAsked], None]) -> None:
    for value in values:
        text = f"{value.title[:1].upper()}{value.title[1:]}  {value.value}".rstrip()
        asked = ValueAsked(entity_id, value.path)
        entry = menu.addAction(action_text(text), partial(ask, asked))
        entry.setToolTip(plain_lines(TIP))
