"""PView: what the frame in view was made of, and why a cell is drawn or not."""

from __future__ import annotations

import time
from html import escape
from typing import Final

from PySide6.QtCore import Qt, QTimer, Signal, Slot
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import (
    QHBoxLayout,
    QLabel,
    QSizePolicy,
    QSplitter,
    QWidget,
)

from editor.document.document import Document
from editor.models.graph.cell_graph import PortalRef
from editor.models.live_table import LiveTable, Row, named_rows
from editor.models.pview.explanation import Reason, why, why_building
from editor.models.pview.frame_rows import (
    DRAW_COLUMNS,
    PORTAL_COLUMNS,
    Considered,
    cell_of_static,
    cell_selection,
    considered,
    draw_rows,
    figures,
    portal_rows,
    selection_of,
    summary,
)
from editor.models.pview.screen import ScreenPicture, screen_picture
from editor.process.plain_text import plain, plain_lines, visible
from editor.session.session import ENGINE_ERRORS, Kind, Selection
from editor.view3d.view import View3D
from engine.visibility.frame import FrameResult
from engine.world.cells.ids import is_env_cell
from ui.docks.panel import LivePanel, is_seen
from ui.docks.parts import action, allow, button, column, dim_label, tabs
from ui.docks.pview.filter import FilterButton
from ui.docks.pview.screen import MiniScreen
from ui.docks.table import LiveView
from ui.theme.theme import BETWEEN, DARK, EDGE, GROUP, Colours
from ui.widgets.screenshots import ask_for_name, save_png

EMPTY: Final = "Open a world: the rooms of the picture are listed here, the nearest first."
NO_ROOMS: Final = "No room is drawn: the eye is outdoors and looks into no building."
NO_PORTALS: Final = "No portal that was considered matches the filter."
ASK: Final = "Select a cell to learn why it is drawn, or why not."
NOT_DRAWN: Final = "Select a cell that is drawn."
NO_ROW: Final = "Select a room of the draw list first."
NO_PORTAL_ROW: Final = "Select a portal of the list first."
NO_REASON: Final = "No portal decided the answer."

CELLS_TAB, PORTALS_TAB = 0, 1

TALL: Final = 280
"""Pixels from which on there is room for more than the sentence."""
MORE: Final = 3
"""Lines of it; the tooltip has all."""

OFTEN_MS: Final = 250
"""Between two readings while the camera moves."""
SHARE: Final = 40.0
"""Times what a reading took is the least between two: where there are hundreds of rooms they come less often."""
REST_MS: Final = 60
"""Without another frame after which the camera has come to rest."""

UNSEEN_SIZE: Final = (1280.0, 800.0)
"""Size of the computed frame while the 3D view is hidden."""


class PViewPanel(LivePanel):
    """The small screen on the left, the draw list and the portals on the right, and the answer over them."""

    about = (
        "How the frame of the 3D view was made: the rooms in drawing order, the polygons of the screen through which "
        "each is seen, and every portal with its result. Select a cell anywhere to learn here why it is drawn or not; "
        "select a portal to see it on the small screen and in the 3D view."
    )
    portal_chosen = Signal(object)
    """A portal was chosen here (`PortalRef`)."""

    def __init__(self, document: Document, parent: QWidget | None = None) -> None:
        super().__init__(document, "pview-panel", parent)
        self._colours = DARK
        self.viewing: View3D | None = None
        self.reason: Reason | None = None
        self._picture: QWidget | None = None
        self._frame: FrameResult | None = None
        self._portals: list[Considered] = []
        self._last = 0.0
        self._pause = OFTEN_MS / 1000.0
        self._timer = QTimer(self)
        self._timer.setSingleShot(True)
        self._timer.setInterval(REST_MS)
        self._timer.timeout.connect(self._on_rest)
        self._make_parts()
        self._lay_out()
        self._connect()
        self.filter.setVisible(False)
        self._show_row_actions()

    def _make_parts(self) -> None:
        self.why = QLabel(ASK, self)
        self.why.setObjectName("pview-why")
        self.why.setWordWrap(True)
        self.why.setTextFormat(Qt.TextFormat.RichText)
        self.why.setTextInteractionFlags(Qt.TextInteractionFlag.TextSelectableByMouse)
        self.why.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Preferred)
        self.small = MiniScreen(DARK, self)
        self.cells = LiveView(LiveTable(DRAW_COLUMNS, self), "pview-cells", "The draw list", EMPTY, self)
        self.portals = LiveView(
            LiveTable(PORTAL_COLUMNS, self), "pview-portals", "Every portal that was considered", NO_PORTALS, self
        )
        self.add_view(self.cells)
        self.views.append(self.portals)
        self.filter = FilterButton(self)
        self.filter.chosen.connect(self._on_filter)
        self.summary = dim_label("", self)
        self.summary.setObjectName("pview-summary")
        self.summary.setTextInteractionFlags(Qt.TextInteractionFlag.TextSelectableByMouse)
        self.decided_action = action(self, "Go to Deciding Portal", self.choose_decided, "Ctrl+Return", "pview-decided")
        self.decided_action.setIconText("Deciding Portal")
        self.pin_action = action(self, "Pin the Root to This Cell", self.pin_root, name="pview-pin")
        self.behind_action = action(self, "Select the Cell Behind", self.select_behind, name="pview-behind")
        self.cells.addAction(self.pin_action)
        self.portals.addAction(self.behind_action)
        self.fit_action = action(self, "Fit Small Screen", self.small.fit, name="pview-fit")
        self.fit_action.setToolTip("Show the whole screen  (0)")
        self.save_action = action(self, "Save Small Screen…", self.ask_to_save, name="pview-save")
        self.save_action.setToolTip("Save the view polygons as a PNG in the picture's size")
        self.zoom_action = action(self, "Zoom to Selected Cell", self.small.zoom_to_selected, name="pview-zoom")
        self.small.addActions([self.zoom_action, self.fit_action, self.save_action])

    def _lay_out(self) -> None:
        self.tabs = tabs(self, "pview-tabs")
        self.tabs.addTab(self.cells, "Draw list")
        self.tabs.addTab(self.portals, "Portals")
        self.tabs.setCornerWidget(self.filter)
        right = QWidget(self)
        stack = column(right)
        top = QHBoxLayout()
        top.setContentsMargins(EDGE, GROUP, EDGE, GROUP)
        top.setSpacing(BETWEEN)
        top.addWidget(self.why, 1)
        top.addWidget(button(self.decided_action, right))
        stack.addLayout(top)
        stack.addWidget(self.tabs, 1)
        self.summary.setContentsMargins(EDGE, 2, EDGE, GROUP)
        self.splitter = QSplitter(Qt.Orientation.Horizontal, self)
        self.splitter.addWidget(self.small)
        self.splitter.addWidget(right)
        self.splitter.setSizes([240, 620])
        self.splitter.setStretchFactor(0, 1)
        self.splitter.setStretchFactor(1, 3)
        self.splitter.setChildrenCollapsible(False)
        whole = column(self)
        whole.addWidget(self.splitter, 1)
        whole.addWidget(self.summary)

    def _connect(self) -> None:
        session = self.document.session
        self.small.chosen.connect(self.chosen)
        self.small.framed.connect(self.framed)
        self.small.hovered.connect(session.set_hover)
        self.portals.chosen.connect(self._on_portal)
        self.portals.framed.connect(self.framed)
        self.portals.acted.connect(self.select_behind)
        self.cells.acted.connect(self._on_acted)
        for view in (self.cells, self.portals):
            view.key_changed.connect(self._show_row_actions)
        self.tabs.currentChanged.connect(self._show_lists)
        self.portals.hover.hovered.connect(session.set_hover)

    def look_through(self, viewing: View3D, shown: QWidget | None) -> None:
        """Show the frames of the 3D view; while it is hidden, what its camera would see."""
        self.viewing = viewing
        self._picture = shown
        # Queued: it is told while the picture is painted, and what is shown here may move the picture.
        viewing.seen.connect(self._on_seen, Qt.ConnectionType.QueuedConnection)

    # --- when

    @Slot()
    def _on_changed(self) -> None:
        """Ticks and edits are seen when the picture is; without one they are looked for here."""
        if is_seen(self) and not self._has_picture:
            self._soon()

    @Slot()
    def _on_seen(self) -> None:
        if is_seen(self):
            self._soon()

    def _soon(self) -> None:
        """A few times a second while frames come, and at once when no more come."""
        if time.monotonic() - self._last >= self._pause:
            self.refresh()
        else:
            self._timer.start()

    @Slot()
    def _on_rest(self) -> None:
        if is_seen(self):
            self.refresh()

    @property
    def _has_picture(self) -> bool:
        return self._picture is not None and self._picture.isVisible()

    def _frame_now(self) -> FrameResult | None:
        viewing = self.viewing
        if viewing is None or viewing.viewer is None or self.document.simulation is None:
            return None
        if self._has_picture:
            return None if viewing.last is None else viewing.last.frame
        try:
            return viewing.viewer.frame(*UNSEEN_SIZE, viewing.exact)
        except ENGINE_ERRORS:  # the 3D view reports it when it is shown
            return None

    # --- showing

    @property
    def frame(self) -> FrameResult | None:
        """The frame that is shown."""
        return self._frame

    @Slot()
    def refresh(self) -> None:
        started = time.monotonic()
        self._timer.stop()
        self._frame = frame = self._frame_now()
        self._portals = [] if frame is None else considered(frame)
        viewer = None if self.viewing is None else self.viewing.viewer
        self.summary.setText(plain("" if frame is None else self._named(summary(frame, viewer))))
        self.summary.setToolTip(plain_lines("" if frame is None else figures(frame)))
        self._show_lists()
        self._show_screen()
        self._show_why()
        self._last = time.monotonic()
        self._pause = max(OFTEN_MS / 1000.0, SHARE * (self._last - started))

    @Slot()
    def _show_lists(self) -> None:
        """The list that is in front, and how long both are."""
        frame, world, sim = self._frame, self.document.world, self.document.simulation
        self.filter.offer(self._selected_cell, self.document.names)
        self.filter.setVisible(self.tabs.currentIndex() == PORTALS_TAB)
        wanted = self.filter.wanted
        listed = [portal for portal in self._portals if wanted.lets_through(portal)]
        drawn = 0 if frame is None else sum(len(flood.cells) for flood in frame.floods())
        of = f"{len(listed)} of {len(self._portals)}" if len(listed) < len(self._portals) else str(len(listed))
        self.tabs.setTabText(CELLS_TAB, plain(f"Draw list {drawn}" if frame is not None else "Draw list"))
        self.tabs.setTabText(PORTALS_TAB, plain(f"Portals {of}" if frame is not None else "Portals"))
        if self.tabs.currentIndex() == PORTALS_TAB:
            rows = [] if frame is None else portal_rows(frame, listed, world)
            self.portals.table.show(self._named_rows(rows), mark=False)
        else:
            current = 0 if sim is None else sim.graph.current_id
            self.cells.empty = EMPTY if frame is None else frame.message or NO_ROOMS
            self.cells.table.show(self._named_rows([] if frame is None else draw_rows(frame, current)), mark=False)
        self._follow_rows()

    @Slot()
    def _on_filter(self) -> None:
        """Chosen by its name while the draw list is in front it brings the portals there."""
        self.tabs.setCurrentIndex(PORTALS_TAB)
        self._show_lists()

    @Slot()
    def _show_screen(self) -> None:
        frame, sim = self._frame, self.document.simulation
        if frame is None or sim is None:
            self.small.show_picture(ScreenPicture(0.0, 0.0), 0)
        else:
            self.small.names = self.document.names
            self.small.show_picture(screen_picture(frame, self._current_portal, sim.graph), sim.graph.current_id)

    @property
    def _current_portal(self) -> Considered | None:
        """The portal that is marked, here and in the 3D view; what is seen twice is the one that was chosen here."""
        picked = None if self.viewing is None else self.viewing.picked
        found = [] if picked is None else [portal for portal in self._portals if portal.matches(picked)]
        key = self.portals.key
        return next((portal for portal in found if portal.key == key), found[0] if found else None)

    @property
    def _selected_cell(self) -> int:
        """The selected cell, or the one that the selected thing is in; 0 without one."""
        selection, sim = self.document.session.selection, self.document.simulation
        if selection is None or sim is None:
            return 0
        if selection.kind is Kind.CELL:
            return selection.key
        if selection.kind is Kind.STATIC:
            return cell_of_static(selection.key)
        entity = sim.population.find(selection.key) if selection.kind is Kind.ENTITY else None
        return 0 if entity is None else entity.place_cell()

    def _reason(self) -> Reason | None:
        """The reason for the selected cell or building."""
        frame, world, selection = self._frame, self.document.world, self.document.session.selection
        if frame is None or world is None or selection is None:
            return None
        if selection.kind is Kind.BUILDING:
            block = world.landblock(selection.landblock)
            there = block is not None and selection.key < len(block.buildings)
            return why_building(self._portals, block.buildings[selection.key]) if block is not None and there else None
        cell_id = self._selected_cell
        return why(world, frame, cell_id, self._portals) if cell_id else None

    def _named(self, text: str) -> str:
        """With the names of cells beside their ids."""
        world = self.document.world
        return text if world is None else world.names.in_text(text)

    def _named_rows(self, rows: list[Row]) -> list[Row]:
        world = self.document.world
        return rows if world is None else named_rows(rows, world.names)

    def _show_why(self) -> None:
        self.reason = reason = self._reason()
        if reason is None:
            self.why.setText(ASK)
            self.why.setToolTip("")
        else:
            sign, colour = ("✓", self._colours.visible) if reason.drawn else ("■", self._colours.adjusted)
            text = f'<span style="color:{colour}">{sign}</span> {escape(visible(self._named(reason.sentence)))}'
            if self.height() >= TALL:
                text += "".join(
                    f'<br><span style="color:{self._colours.dim}">{escape(visible(self._named(line)))}</span>'
                    for line in reason.more[:MORE]
                )
            self.why.setText(text)
            self.why.setToolTip(plain_lines(self._named("\n".join(reason.more))))
        cell_id = self._selected_cell
        drawn = reason is not None and reason.drawn and bool(cell_id)
        allow(self.zoom_action, "" if drawn else NOT_DRAWN, "Zoom to its view polygons")
        portal = None if reason is None else reason.portal
        allow(self.decided_action, "" if portal else NO_REASON, "Show the portal that decided")

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._show_why()

    def set_colours(self, colours: Colours) -> None:
        super().set_colours(colours)
        self._colours = colours
        self.small.colours = colours
        self.small.viewport().update()
        self._show_why()

    # --- choosing

    def follow(self, selection: Selection | None) -> None:
        self.small.set_selection(selection)
        self._show_lists()
        self._show_screen()
        self._show_why()

    def _follow_rows(self) -> None:
        """Mark the rows of the selected cell and of the portal that is marked in the 3D view."""
        selection, portal = self.document.session.selection, self._current_portal
        if self.tabs.currentIndex() == PORTALS_TAB:
            self.portals.follow(None if portal is None else portal.key)
        else:
            current = self.cells.key
            keys = [row.key for row in self.cells.table.rows if row.selection == selection]
            self.cells.follow(current if current in keys else keys[0] if keys else None)

    @Slot(object)
    def _on_portal(self, selection: Selection) -> None:
        key = self.portals.key
        self.choose_portal(next((portal for portal in self._portals if portal.key == key), None))

    def choose_portal(self, portal: Considered | None) -> None:
        """Select a portal, for the whole window."""
        if portal is None or self.viewing is None:
            return
        self.viewing.choose(portal.hit())
        self._tell_portal(portal)
        self._show_screen()

    def _tell_portal(self, portal: Considered) -> None:
        owner = selection_of(portal, self.document.world)
        if owner is not None:
            self.portal_chosen.emit(PortalRef(owner, portal.index))

    def choose_decided(self) -> None:
        """Mark the portal that decided whether the selected cell is drawn; that cell stays the selected one."""
        portal = None if self.reason is None else self.reason.portal
        if portal is None or self.viewing is None:
            return
        self.tabs.setCurrentIndex(PORTALS_TAB)
        self.filter.clear()
        self.viewing.mark(portal.hit())
        self._tell_portal(portal)
        self._show_lists()
        self._show_screen()

    def pin_root(self) -> None:
        """Let all frames begin at the current cell of the draw list, wherever the eye is."""
        key = self.cells.key
        if self.viewing is not None and isinstance(key, tuple):
            self.viewing.pin(int(key[1]))

    @Slot()
    def _on_acted(self) -> None:
        """Enter on a room frames it."""
        if self.cells.selection is not None:
            self.framed.emit(self.cells.selection)

    @Slot()
    def select_behind(self) -> None:
        """Select the room that the current portal leads to."""
        portal = self._current_portal
        if portal is not None and is_env_cell(portal.other_id):
            self.chosen.emit(cell_selection(portal.other_id))

    @Slot()
    def _show_row_actions(self) -> None:
        allow(self.pin_action, "" if self.cells.key else NO_ROW, "Every frame begins here, wherever the eye is")
        portal = self._current_portal
        why = NO_PORTAL_ROW if portal is None else "" if is_env_cell(portal.other_id) else "The portal leads outdoors."
        allow(self.behind_action, why, "Select the room that the portal leads to")

    def _show_hover(self) -> None:
        super()._show_hover()
        self.small.set_hover(self.document.session.hover)

    # --- pictures

    def ask_to_save(self) -> None:
        name = ask_for_name(self, "the Small Screen", "views.png")
        if name:
            self.save(name)

    def save(self, name: str) -> bool:
        """The view polygons as a PNG."""
        return save_png(self.small.image(), name, self.document)
