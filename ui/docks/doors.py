"""Doors: what each one is doing, and everything that can be done with it."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial

from PySide6.QtCore import QEvent, Qt, QTimer, Signal, Slot
from PySide6.QtGui import QHideEvent, QResizeEvent, QShowEvent
from PySide6.QtWidgets import QMenu, QSplitter, QToolButton, QWidget

from editor.authoring.catalogue import Pattern, catalogue
from editor.document.adding import add_ahead
from editor.document.document import Document
from editor.models import doors
from editor.models.doors import COLUMNS, door_rows, why_not_use
from editor.models.doors_ahead import door_ahead
from editor.models.live_table import LiveTable
from editor.process.plain_text import plain_lines
from editor.session.session import Kind, Selection
from engine.entities.door import MAX_RESET_INTERVAL, Door
from engine.entities.specs import DOOR
from engine.sim.edits.doors import SetResetInterval
from engine.sim.passage.trial import DoorState
from ui.docks.door_passage import DoorPassage
from ui.docks.panel import LivePanel, is_seen
from ui.docks.parts import NotOpenLabel, action, allow, bar, button, column, dim_label, number_box, put
from ui.docks.table import ROW_HEIGHT, LiveView

EMPTY = "No door is in the landblocks that are loaded. Open a world that has some, or add one in front of the player."
CHOOSE = "Select a door first."
CHOOSE_OR_FACE = "Select a door, or let the player face one."
ASKS = "From either side, as it is now, closed, open and locked, with the bit or rule that decides"
SHARES = (200, 220)
"""Pixels of the list and of the answers, at the first start."""
LEAST_ROWS = 3
"""Of the list, its header among them, however low the dock is."""
INTERVAL = "Seconds after its last use until the door returns to its default state"


class DoorsView(LiveView):
    """Shows as many columns as fit whole, at least the first two, and more where the dock is wider. Names have the
    rest of the width."""

    _widths: Sequence[int] = ()

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._fit()

    def changeEvent(self, event: QEvent) -> None:
        """Another theme has other fonts."""
        super().changeEvent(event)
        if event.type() in (QEvent.Type.StyleChange, QEvent.Type.FontChange) and self._widths:
            self._on_reset()

    def _on_reset(self) -> None:
        self.horizontalHeader().setStretchLastSection(False)
        for place in range(len(self.table.columns)):
            self.setColumnHidden(place, False)  # a hidden one has no width
        super()._on_reset()
        self._widths = [self.columnWidth(place) for place in range(len(self.table.columns))]
        self._fit()

    def _fit(self) -> None:
        left, fits = self.viewport().width(), True
        for place, width in enumerate(self._widths):
            fits = fits and (place < 2 or width <= left)
            self.setColumnHidden(place, not fits)
            left -= width if fits else 0
        if self._widths:
            self.setColumnWidth(0, self._widths[0] + max(left, 0))


class DoorsList(QWidget):
    """The table, with the line about doors that are not open below it where there is room for both."""

    def __init__(self, view: QWidget, not_open: NotOpenLabel, parent: QWidget) -> None:
        super().__init__(parent)
        self._not_open = not_open
        box = column(self)
        box.addWidget(view, 1)
        box.addWidget(not_open)
        self.setMinimumHeight(LEAST_ROWS * ROW_HEIGHT)

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._not_open.give_way(self.height() < LEAST_ROWS * ROW_HEIGHT + self._not_open.sizeHint().height())


class DoorsPanel(LivePanel):
    """A table of doors with their actions over it."""

    reads_second = True
    about = (
        "Every door of the loaded landblocks: whether it is open, lets bodies through or is locked, and when it "
        "resets. Enter uses the selected one as the player would; the buttons hold it open, lock it or make it "
        "ethereal, and Add puts a new one in front of the player. Below: who may pass the selected door from either "
        "side, tested by the engine itself, and which bit or rule decides."
    )

    walk_wanted = Signal(object)
    """A walk by a door that is to be shown in the picture; None ends it."""
    asked = Signal()
    """Who may pass is asked: bring the dock to the front."""

    def __init__(self, document: Document, parent: QWidget | None = None) -> None:
        super().__init__(document, "doors-panel", parent)
        self.model = LiveTable(COLUMNS, self)
        self.view = self.add_view(DoorsView(self.model, "doors", "The doors of the world", EMPTY, self))
        self.not_open = NotOpenLabel("doors-not-open", DOOR, self)
        self.use_action = action(self, "Open", self.use, name="door-use")
        self.hold_action = action(self, "Hold Open", self.hold, "H", "door-hold")
        self.lock_action = action(self, "Lock", self.lock, "L", "door-lock")
        self.ethereal_action = action(self, "Ethereal", self.ethereal, "E", "door-ethereal")
        self.who_action = action(self, "Who May Pass This Door?", self.ask_who, "?", "door-who-may-pass")
        self.passage = DoorPassage(document, self)
        self.passage.walk_wanted.connect(self.walk_wanted)
        self.views.append(self.passage.view)  # for its colours alone: its rows select nothing
        self.interval = number_box(self, "door-interval", 0.0, MAX_RESET_INTERVAL, 1, 5.0)
        self.interval.setSuffix(" s")
        self.interval.editingFinished.connect(self._on_interval)
        self.add_button = QToolButton(self)
        self.add_button.setText("Add Door")
        self.add_button.setObjectName("door-add-button")
        self.add_button.setPopupMode(QToolButton.ToolButtonPopupMode.InstantPopup)
        self.add_menu = QMenu(self.add_button)
        self.add_menu.aboutToShow.connect(self._fill_menu)
        self.add_button.setMenu(self.add_menu)
        self.commands.add_menu("door-add", self.add_menu, "Add Door")
        actions = (self.use_action, self.hold_action, self.lock_action, self.ethereal_action)
        box = column(self)
        reset = dim_label("Resets after", self, self.interval)
        box.addLayout(bar(*(button(each, self) for each in actions)))
        box.addLayout(bar(reset, self.interval, self.add_button))
        splitter = QSplitter(Qt.Orientation.Vertical, self)
        splitter.addWidget(DoorsList(self.view, self.not_open, self))
        splitter.addWidget(self.passage)
        splitter.setSizes(list(SHARES))
        splitter.setStretchFactor(0, 1)
        splitter.setStretchFactor(1, 1)
        splitter.setChildrenCollapsible(False)
        box.addWidget(splitter, 1)
        self.view.addActions([*actions, self.who_action])
        self.view.acted.connect(self._on_enter)
        self.view.key_changed.connect(self._on_row)
        self.refresh()

    # --- showing

    def refresh(self) -> None:
        sim = self.document.seen
        self.show_rows(self.model, door_rows)
        self.not_open.follow(sim)
        self._on_row()

    def follow(self, selection: Selection | None) -> None:
        self.view.follow(selection.key if selection is not None and selection.kind is Kind.ENTITY else None)

    @property
    def door(self) -> Door | None:
        """The door of the current row."""
        sim, key = self.document.seen, self.view.key
        found = None if sim is None or not isinstance(key, int) else sim.population.find(key)
        return found if isinstance(found, Door) else None

    def showEvent(self, event: QShowEvent) -> None:
        """Asked once more when it is laid out: to `is_seen` it is not on the screen yet."""
        super().showEvent(event)
        QTimer.singleShot(0, self, self._on_row)

    def hideEvent(self, event: QHideEvent) -> None:
        """Nobody looks: nothing is tried."""
        super().hideEvent(event)
        self.passage.ask(None)

    # --- who may pass

    def ask_who(self) -> None:
        """Answer for the selected door, or else the one before the player."""
        door, sim = self.door, self.document.seen
        if door is None and sim is not None:
            door = door_ahead(sim)
        if door is not None:
            self.explain(door.id)

    @Slot(int)
    def explain(self, door_id: int) -> None:
        """Answer for that door, with the dock in front."""
        self.asked.emit()
        self.refresh()
        self.view.follow(door_id)
        selection = self.view.selection
        if selection is not None:
            self.chosen.emit(selection)
        self.passage.show_state(DoorState.NOW)
        self.passage.view.setFocus(Qt.FocusReason.OtherFocusReason)

    @Slot()
    def _on_row(self) -> None:
        door, sim = self.door, self.document.seen
        self.passage.ask(door if is_seen(self) else None)
        before = None if sim is None else door_ahead(sim)
        allow(self.who_action, "" if door is not None or before is not None else CHOOSE_OR_FACE, ASKS)
        why_not = self.document.why_not_edit
        self.interval.setEnabled(door is not None and not why_not)
        self.interval.setToolTip(plain_lines(why_not or INTERVAL))
        self.add_button.setEnabled(self.document.player_is_somewhere and not why_not)
        self.add_button.setToolTip(
            plain_lines(why_not or "Add a door of a kind that this world has, in front of the player")
        )
        if door is None or sim is None:
            for each in (self.use_action, self.hold_action, self.lock_action, self.ethereal_action):
                allow(each, why_not or CHOOSE, "")
            return
        self.use_action.setText("Close" if door.is_open else "Open")
        self.hold_action.setText("Force Close" if door.is_open else "Hold Open")
        self.lock_action.setText("Unlock" if door.locked else "Lock")
        passable = doors.is_passable(sim, door)
        self.ethereal_action.setText("Make Solid" if passable else "Make Ethereal")
        allow(self.use_action, why_not or why_not_use(sim, door), doors.what_use_does(sim, door))
        allow(
            self.hold_action, why_not, "Open it and keep it open, or close it, even if it is locked; it does not reset"
        )
        allow(self.lock_action, why_not, "A locked door opens only from behind")
        allow(
            self.ethereal_action, why_not, "Switch the bit that lets bodies through, whether the door is open or closed"
        )
        put(self.interval, door.reset_interval, door.id)

    # --- edits

    def use(self) -> None:
        door, sim = self.door, self.document.seen
        if door is not None and sim is not None:
            self.document.edit(doors.use_name(door), doors.use_door(sim, door))

    def hold(self) -> None:
        door = self.door
        if door is not None:
            self.document.edit(doors.hold_name(door), doors.hold_door(door))

    def lock(self) -> None:
        door = self.door
        if door is not None:
            self.document.edit(doors.lock_name(door), doors.lock_door(door))

    def ethereal(self) -> None:
        door, sim = self.door, self.document.seen
        if door is not None and sim is not None:
            self.document.edit(doors.ethereal_name(sim, door), doors.ethereal_door(sim, door))

    @Slot(object)
    def _on_enter(self, key: object) -> None:
        if self.use_action.isEnabled():
            self.use()
        else:
            self.document.refused.emit(self.use_action.toolTip())

    @Slot()
    def _on_interval(self) -> None:
        seconds = self.interval.value()
        door = self.door
        if door is not None and seconds != round(door.reset_interval, 1):
            name = f"Reset {door.name} after {seconds:g} s"
            self.document.edit(name, SetResetInterval(door.id, seconds))

    # --- new doors

    @Slot()
    def _fill_menu(self) -> None:
        self.add_menu.clear()
        sim = self.document.seen
        patterns = [] if sim is None else [pattern for pattern in catalogue(sim) if pattern.is_door]
        self.add_menu.addSection("Add a door in front of the player, like")
        for pattern in patterns:
            self.add_model(self.add_menu, pattern.title, pattern.spec.setup_id, partial(self.add, pattern))
        if not patterns:
            self.add_menu.addAction("This world has no model of a door").setEnabled(False)

    def add(self, pattern: Pattern) -> None:
        """Put one before the player's feet and select it."""
        added = add_ahead(self.document, pattern)
        if added is not None:
            self.chosen.emit(added)
