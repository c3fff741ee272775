"""The selected thing in full, live: names on the left, values on the right, lists folded, ids as links."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Final

from PySide6.QtCore import QPoint, Qt, QTimer, Signal, Slot
from PySide6.QtGui import QColor, QGuiApplication, QKeySequence, QPainter, QPaintEvent, QShowEvent
from PySide6.QtWidgets import QAbstractItemView, QHeaderView, QMenu, QTreeWidget, QTreeWidgetItem, QWidget

from editor.document.document import Document
from editor.models.details import details, model_details
from editor.models.inspector import Fact, Link, each, facts_of, owner_of_portals
from editor.models.live_table import CHANGED_ROLE, DIFFERS, DIFFERS_ROLE, MONO_ROLE, NOT_THERE, TONE_ROLE
from editor.models.naming import key_of
from editor.models.why import ValueAsked
from editor.models.why_chain.fields import Field, details_field
from editor.process.plain_text import action_text, plain, plain_lines, visible, visible_fields
from editor.reports.inspection_text import layout
from editor.session.session import Kind
from engine.sim.tick.simulation import Simulation
from engine.world.names import NameKey
from ui.commands.registry import OF_A_ROW, CommandSet, allow
from ui.docks.panel import is_seen
from ui.docks.table import MarkingDelegate
from ui.docks.why_menu import KEY as WHY_KEY
from ui.docks.why_menu import NO_VALUE as WHY_NOT
from ui.docks.why_menu import TIP as WHY_TIP
from ui.docks.why_menu import WORDS as WHY_WORDS
from ui.theme.theme import EDGE, Colours

ABOUT: Final = (
    "Everything known about the selection, live; values that have just changed are tinted. A double click on "
    "a coloured id goes there; Ctrl+C copies rows with numbers at full precision."
)
NOTHING_SELECTED: Final = "Select a cell, a building or an entity to read everything about it here."
NO_MODEL: Final = "The selection is already shown; double-click a model's id to go to the model."
INDENT: Final = 12
"""Pixels; what is saved here is there for values."""
WAIT_MS: Final = 200
"""Delay after a change before the details are read again."""

FACT_ROLE: Final = int(Qt.ItemDataRole.UserRole) + 20

Path = tuple[str, ...]
RUN: Final[Path] = ("◇ run",)
"""The row that says that the second run is shown."""


class DetailsView(QTreeWidget):
    """A tree of facts that follows the selection and the running world."""

    id_activated = Signal(str)
    portal_activated = Signal(object)
    """The `PortalRef` of a portal's row."""
    value_asked = Signal(object)
    """A `ValueAsked`: since when the value of a row is as it is, and by what."""
    rename_wanted = Signal(object)
    """The key of a cell, portal or model that is to be named."""

    def __init__(self, document: Document, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._document, self._session = document, document.session
        self.commands = CommandSet(self)
        self._data: dict[str, Any] = {}
        self._facts: list[Fact] = []
        self._items: dict[Path, QTreeWidgetItem] = {}
        self._subject: object = None
        self._models: list[int] = []
        """The models that were followed from the selection, the shown one last."""
        self._delegate = MarkingDelegate(self)
        self.setItemDelegate(self._delegate)
        self.setObjectName("details")
        self.setWhatsThis(ABOUT)
        self.setAccessibleName("Details of the selection")
        self.setColumnCount(2)
        self.setHeaderHidden(True)
        self.setUniformRowHeights(True)
        self.setIndentation(INDENT)
        self.setAlternatingRowColors(True)
        self.setSelectionMode(QAbstractItemView.SelectionMode.ExtendedSelection)
        self.header().setSectionResizeMode(0, QHeaderView.ResizeMode.ResizeToContents)
        self.header().setStretchLastSection(True)
        self.setContextMenuPolicy(Qt.ContextMenuPolicy.CustomContextMenu)
        self.customContextMenuRequested.connect(self._show_menu)
        self.itemActivated.connect(self._activate)
        self._make_actions()
        self._timer = QTimer(self)
        self._timer.setSingleShot(True)
        self._timer.setInterval(WAIT_MS)
        self._timer.timeout.connect(self.refresh)
        document.changed.connect(self._soon)
        self._session.selection_changed.connect(self._on_selection)

    def _make_actions(self) -> None:
        add = self.commands.add
        self._go = add("details-go", "Go There", self.go)
        self._go.setProperty(OF_A_ROW, True)
        self._back = add("details-back", "Back to the Selection", self.back, "Alt+Left")
        self._show_actions()
        self._why = add("details-why-value", WHY_WORDS, self.ask_why, WHY_KEY)
        self._why.setProperty(OF_A_ROW, True)
        self.currentItemChanged.connect(self._show_why)
        self._copy = add("details-copy", "Copy", self.copy_rows, QKeySequence.StandardKey.Copy)
        self._copy.setShortcutContext(Qt.ShortcutContext.WidgetShortcut)
        self._copy_value = add("details-copy-value", "Copy Value", self.copy_value)
        self._copy_value.setProperty(OF_A_ROW, True)
        self._copy_table = add("details-copy-table", "Copy All as Table", self.copy_table)
        self._copy_all = add("details-copy-all", "Copy All as Text", self.copy_all)
        self._rename = add("details-rename", "Rename…", self.rename)
        self._rename.setProperty(OF_A_ROW, True)
        self._unfold = add("details-expand", "Expand All", self.expandAll)
        self._fold = add("details-collapse", "Collapse All", self.collapseAll)

    # --- reading

    @Slot()
    def _soon(self) -> None:
        if not self._timer.isActive():
            self._timer.start()

    @Slot()
    def _on_selection(self) -> None:
        self._models = []
        self.refresh()

    @Slot()
    def refresh(self) -> None:
        """Show the selected thing as it is now, unless nobody can see it."""
        if is_seen(self):
            self._read()

    @Slot(bool)
    def turn(self, seen: bool) -> None:
        """The tab of the dock came to the front, or another one did."""
        if seen:
            self._read()

    def showEvent(self, event: QShowEvent) -> None:
        super().showEvent(event)
        self._read()

    def _read(self) -> None:
        """Of two runs the one that is shown, with marks at what differs in the other."""
        document, beside = self._document, self._document.beside
        second = document.shows_second and document.seen is not None
        subject: object = (self._session.selection, second, *self._models)
        self._data = self._data_of(document.seen)
        facts, other = self._facts_of(self._data), document.unseen
        others = None if other is None else self._facts_of(self._data_of(other))
        if second and facts and beside is not None:
            facts.insert(0, Fact(RUN[0], f"{beside.names[1]}: the second run, read-only"))
        self.set_facts(facts, same=subject == self._subject)
        self._mark(others, "" if beside is None else beside.names[0 if second else 1])
        self._subject = subject
        self._show_actions()

    def _data_of(self, sim: Simulation | None) -> dict[str, Any]:
        world = self._session.world if sim is None else sim.world
        selection = self._session.selection
        if world is None or selection is None:
            return {}
        return model_details(world, self._models[-1]) if self._models else details(world, selection, sim)

    def _facts_of(self, data: dict[str, Any]) -> list[Fact]:
        selection = self._session.selection
        if selection is None or not data:
            return []
        names = self._document.names
        return facts_of(data, names) if self._models else facts_of(data, names, owner_of_portals(selection))

    def _mark(self, others: list[Fact] | None, name: str) -> None:
        """Mark the values that differ from those of the other run; None unmarks all."""
        theirs = None if others is None else {path: fact.copied for path, fact in each(others)}
        for path, fact in each(self._facts):
            item = self._items[path]
            other = None if theirs is None or path == RUN else theirs.get(path, NOT_THERE)
            differs = other is not None and other != fact.copied
            if differs or item.data(1, DIFFERS_ROLE):
                item.setData(1, DIFFERS_ROLE, differs)
                item.setToolTip(1, plain_lines(f"{DIFFERS} {name}: {other}" if differs else _tip(fact)))

    def _show_actions(self) -> None:
        allow(self._back, "" if self._models else NO_MODEL, "Show the selected thing again")

    # --- showing

    def set_facts(self, facts: list[Fact], *, same: bool) -> None:
        """Show the rows. Of the `same` subject, rows that differ are marked; folds and the scroll bar stay."""
        old = {path: fact.copied for path, fact in each(self._facts)}
        new = dict(each(facts))
        self._facts = facts
        if not same or list(new) != list(self._items):
            self._build(same=same)
        for path, fact in new.items():
            changed = same and path in old and old[path] != fact.copied
            self._write(self._items[path], fact, changed=changed)

    def _build(self, *, same: bool) -> None:
        open_rows = {path: item.isExpanded() for path, item in self._items.items()} if same else {}
        at = self.verticalScrollBar().value() if same else 0
        self.clear()
        self._items = {}
        self._add(self.invisibleRootItem(), self._facts, (), open_rows)
        self.verticalScrollBar().setValue(at)

    def _add(self, parent: QTreeWidgetItem, facts: Sequence[Fact], above: Path, open_rows: dict[Path, bool]) -> None:
        for fact in facts:
            path = (*above, fact.name)
            item = QTreeWidgetItem(parent)
            item.setText(0, plain(fact.name))
            item.setData(0, TONE_ROLE, "dim")
            item.setData(1, MONO_ROLE, True)
            self._items[path] = item
            self._add(item, fact.facts, path, open_rows)
            item.setExpanded(open_rows.get(path, fact.is_open))

    def _write(self, item: QTreeWidgetItem, fact: Fact, *, changed: bool) -> None:
        was = item.data(0, FACT_ROLE)
        if item.data(1, CHANGED_ROLE) != changed:
            item.setData(1, CHANGED_ROLE, changed)
        if isinstance(was, Fact) and (was.text, was.link) == (fact.text, fact.link) and was.copied == fact.copied:
            return
        item.setData(0, FACT_ROLE, fact)
        item.setText(1, plain(fact.text))
        item.setToolTip(1, plain_lines(_tip(fact)))
        item.setData(1, TONE_ROLE, "" if fact.link is None else "accent")

    def paintEvent(self, event: QPaintEvent) -> None:
        super().paintEvent(event)
        if not self._facts:
            painter = QPainter(self.viewport())
            painter.setPen(QColor(self._delegate.colours.dim))
            box = self.viewport().rect().adjusted(EDGE, EDGE, -EDGE, -EDGE)
            flags = Qt.AlignmentFlag.AlignCenter | Qt.TextFlag.TextWordWrap
            painter.drawText(box, int(flags), NOTHING_SELECTED)
            painter.end()

    def set_colours(self, colours: Colours) -> None:
        self._delegate.colours = colours
        self.viewport().update()

    # --- links

    def _fact(self) -> Fact | None:
        item = self.currentItem()
        found = None if item is None else item.data(0, FACT_ROLE)
        return found if isinstance(found, Fact) else None

    @Slot(QTreeWidgetItem, int)
    def _activate(self, item: QTreeWidgetItem, column: int) -> None:
        """Enter or a double click on a row with a link follows it."""
        found = item.data(0, FACT_ROLE)
        if isinstance(found, Fact) and found.link is not None:
            self.follow_link(found.link)

    @Slot()
    def go(self) -> None:
        fact = self._fact()
        if fact is not None and fact.link is not None:
            self.follow_link(fact.link)

    def follow_link(self, link: Link) -> None:
        """Go to a cell, landblock or entity, mark a portal, or show a model here."""
        if link.portal is not None:
            self.portal_activated.emit(link.portal)
        elif link.model_id:
            self._models.append(link.model_id)
            self._read()
        else:
            self.id_activated.emit(link.text)

    @Slot()
    def back(self) -> None:
        """From a model to what led to it."""
        if self._models:
            self._models.pop()
            self._read()

    @Slot()
    def rename(self) -> None:
        """Ask for a name of the current row's portal or model, else of the selection."""
        fact, sim = self._fact(), self._session.simulation
        link = None if fact is None else fact.link
        key = None if sim is None else key_of(sim, self._session.selection)
        if link is not None and link.portal is not None and link.portal.owner == self._session.selection:
            key = NameKey.portal(link.portal.owner.key, link.portal.index)
        elif link is not None and link.model_id:
            key = NameKey.model(link.model_id)
        if key is not None:
            self.rename_wanted.emit(key)

    # --- since when

    @property
    def _field(self) -> Field | None:
        """What the current row shows, as a value that can be asked about."""
        item, sim, selection = self.currentItem(), self._session.simulation, self._session.selection
        if item is None or sim is None or selection is None or selection.kind is not Kind.ENTITY or self._models:
            return None
        path = next(path for path, known in self._items.items() if known is item)
        return details_field(sim, selection.key, path)

    @Slot()
    def _show_why(self) -> None:
        allow(self._why, "" if self._field is not None else WHY_NOT, WHY_TIP)

    @Slot()
    def ask_why(self) -> None:
        """Ask since when the value of the current row is as it is, and by what."""
        field = self._field
        if field is not None:
            self.value_asked.emit(ValueAsked(field.entity_id, field.path))

    # --- copying

    def text_of_all(self) -> str:
        """The text as the command line prints it."""
        return "\n".join(visible(line) for line in layout(self._data))

    @Slot()
    def copy_rows(self) -> None:
        """The selected rows, or all of them, as tab-separated text, numbers at full precision."""
        every = list(self._items.values())
        rows = [item for item in every if item.isSelected()] or every  # Qt tells the selected ones in no order
        self._copy_items(rows)

    @Slot()
    def copy_table(self) -> None:
        """All rows, folded ones too."""
        self._copy_items(list(self._items.values()))

    def _copy_items(self, rows: Sequence[QTreeWidgetItem]) -> None:
        facts = [item.data(0, FACT_ROLE) for item in rows]
        lines = [f"{visible(fact.name)}\t{visible_fields(fact.copied)}" for fact in facts if isinstance(fact, Fact)]
        QGuiApplication.clipboard().setText("\n".join(lines))

    @Slot()
    def copy_value(self) -> None:
        """The value of the current row alone, at full precision."""
        fact = self._fact()
        if fact is not None:
            QGuiApplication.clipboard().setText(visible_fields(fact.copied))

    @Slot()
    def copy_all(self) -> None:
        """Copy everything as the command line prints it."""
        QGuiApplication.clipboard().setText(self.text_of_all())

    @Slot(QPoint)
    def _show_menu(self, point: QPoint) -> None:
        menu = self.menu()
        menu.exec(self.viewport().mapToGlobal(point))

    def menu(self) -> QMenu:
        """What can be done with the current row."""
        fact, menu = self._fact(), QMenu(self)
        if fact is not None and fact.link is not None:
            self._go.setText(action_text(f"Go to {fact.link.text}"))
            menu.addAction(self._go)
        if self._models:
            menu.addAction(self._back)
        menu.addAction(self._rename)
        self._show_why()
        menu.addAction(self._why)
        menu.addSeparator()
        menu.addActions([self._copy_value, self._copy, self._copy_table, self._copy_all])
        menu.addSeparator()
        menu.addActions([self._unfold, self._fold])
        return menu


def _tip(fact: Fact) -> str:
    return f"{fact.text}\n{fact.tip}" if fact.tip else fact.text
