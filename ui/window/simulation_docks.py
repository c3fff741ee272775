"""The live part of the window: document, clock, their docks and toolbar, put into a main window."""

from __future__ import annotations

from dataclasses import dataclass, field
from itertools import pairwise
from typing import TYPE_CHECKING, Final

from PySide6.QtCore import QObject, Qt, QTimer, Slot
from PySide6.QtWidgets import QAbstractButton, QDockWidget, QPushButton

from editor.document.clock import Clock
from editor.document.document import Document
from editor.document.selection_tracking import SelectionWatch
from editor.document.step_application import REFUSALS
from editor.maps.landblock_plan import make_plan
from editor.models.door_wording import event_text
from editor.models.entities import specs_now
from editor.models.log import Log
from editor.models.lost_wording import PUT_BACK, is_lost
from editor.models.python_log import PythonEars
from editor.process.plain_text import plain
from editor.session.session import Kind, Selection
from editor.session.sources import DEMO
from editor.validation.fixes import Fix
from editor.validation.problem_watch import ProblemWatch
from engine.geometry.quat import Quat
from engine.geometry.vec import Vec3
from engine.sim.edits.edit import Edit
from engine.sim.tick.report import TickReport
from engine.sim.tick.simulation import Simulation
from engine.world.cells.cell import EnvCell
from engine.world.cells.ids import block_of, landblock_id
from engine.world.entity_spec import EntitySpec
from engine.world.landblock import Landblock
from engine.world.world import World
from ui.docks.capture import CapturePanel
from ui.docks.cell.cell_dock import CellPanel
from ui.docks.doors import DoorsPanel
from ui.docks.entities import EntitiesPanel
from ui.docks.graph.graph_dock import CellGraphPanel
from ui.docks.log import LogPanel
from ui.docks.panel import LivePanel
from ui.docks.player.player_dock import PlayerPanel
from ui.docks.pview.pview_dock import PViewPanel
from ui.docks.sweep import SweepPanel
from ui.docks.time_bar import TimeBar
from ui.docks.timeline.timeline_dock import TimelinePanel
from ui.theme.theme import Colours

if TYPE_CHECKING:
    from ui.window.main_window import MainWindow

MESSAGE_MS: Final = 6000
DETAILS_MS: Final = 200
"""How long the details wait for the next tick before they read everything again."""


@dataclass(frozen=True)
class _Shown:
    """What tree and map are made of. Rooms are compared by identity: an edited one is another object."""

    world: World
    block: Landblock
    rooms: list[EnvCell]
    places: list[tuple[int, int, Vec3, Quat]]
    entities: list[EntitySpec] = field(compare=False)


def _look(sim: Simulation, block: Landblock) -> _Shown:
    here = specs_now(sim, block.id)
    places = [(spec.guid, spec.cell_id, spec.frame.origin, spec.frame.rotation) for spec in here]
    return _Shown(sim.world, block, block.env_cells, places, here)


class Live(QObject):
    """Puts its parts into the window and keeps the window's older views in step with edits."""

    def __init__(self, window: MainWindow) -> None:
        super().__init__(window)
        self.window = window
        self.document = Document(window.session, self)
        self.selected = SelectionWatch(self.document, self)
        self.clock = Clock(self.document, self)
        self.watch = ProblemWatch(self.document, self)
        self.doors = DoorsPanel(self.document, window)
        self.entities = EntitiesPanel(self.document, window)
        self.player = PlayerPanel(self.document, self.clock, window)
        self.cell = CellPanel(self.document, window)
        self.graph = CellGraphPanel(self.document, window)
        self.capture = CapturePanel(self.document, window)
        self.sweep = SweepPanel(self.document, self.clock, window)
        self.timeline = TimelinePanel(self.document, self.clock, window)
        self.pview = PViewPanel(self.document, window)
        self.log = Log(self.document, self)
        self.log_panel = LogPanel(self.document, self.log, window)
        self.panels: tuple[LivePanel, ...] = (
            self.doors,
            self.entities,
            self.player,
            self.cell,
            self.sweep,
            self.timeline,
            self.graph,
            self.pview,
            self.log_panel,
            self.capture,
        )
        self.docks: dict[LivePanel, QDockWidget] = {}
        self.time_bar = TimeBar(self.document, self.clock, window)
        self._edited = False
        self._shown: _Shown | None = None
        self._details_timer = QTimer(self)
        self._details_timer.setSingleShot(True)
        self._details_timer.setInterval(DETAILS_MS)
        self._details_timer.timeout.connect(window.refresh_details)
        for panel in self.panels:
            self._tame_focus(panel)
            panel.chosen.connect(window.session.select)
            panel.framed.connect(self._on_framed)
        self._connect()

    def add_docks(self) -> None:
        """Doors and Entities on the left, Player and Cell on the right."""
        window = self.window
        left, right = Qt.DockWidgetArea.LeftDockWidgetArea, Qt.DockWidgetArea.RightDockWidgetArea
        bottom = Qt.DockWidgetArea.BottomDockWidgetArea
        self.docks = {
            self.doors: window.add_dock("Doors", self.doors, left),
            self.entities: window.add_dock("Entities", self.entities, left),
            self.player: window.add_dock("Player", self.player, right),
            self.cell: window.add_dock("Cell", self.cell, right),
            self.sweep: window.add_dock("Sweep", self.sweep, bottom),
            self.timeline: window.add_dock("Timeline", self.timeline, bottom),
            self.pview: window.add_dock("PView", self.pview, bottom),
            self.log_panel: window.add_dock("Log", self.log_panel, bottom),
            self.graph: window.add_dock("Cell Graph", self.graph, left),
            self.capture: window.add_dock("Capture", self.capture, right),
        }
        window.addToolBar(self.time_bar)

    def arrange(self) -> None:
        """The first layout: tabs where two docks share a place, the more useful one on top."""
        window = self.window
        window.splitDockWidget(self.docks[self.graph], self.docks[self.doors], Qt.Orientation.Vertical)
        tabs = (
            (self.docks[self.graph], window.world_dock),
            (self.docks[self.doors], self.docks[self.entities]),
            (self.docks[self.cell], self.docks[self.player], window.details_dock, self.docks[self.capture]),
            (
                self.docks[self.timeline],
                self.docks[self.sweep],
                self.docks[self.pview],
                window.problems_dock,
                self.docks[self.log_panel],
            ),
        )
        for first, *others in tabs:
            for before, dock in pairwise([first, *others]):
                window.tabifyDockWidget(before, dock)
            first.raise_()
        window.resizeDocks([self.docks[self.graph], self.docks[self.doors]], [500, 400], Qt.Orientation.Vertical)

    @staticmethod
    def _tame_focus(panel: LivePanel) -> None:
        """Check boxes and push buttons take the focus by Tab alone, so that a click leaves Space to the clock."""
        for child in panel.findChildren(QAbstractButton):
            if not child.isCheckable() or isinstance(child, QPushButton):
                continue
            child.setFocusPolicy(Qt.FocusPolicy.TabFocus)
        for button in panel.findChildren(QPushButton):
            button.setFocusPolicy(Qt.FocusPolicy.TabFocus)

    def _connect(self) -> None:
        document = self.document
        document.edited.connect(self._on_edited)
        document.ticked.connect(self._on_ticked)
        document.changed.connect(self._on_changed)
        document.started.connect(self._on_started)
        document.travelled.connect(self._on_travelled)
        document.said.connect(self._say)
        document.refused.connect(self._warn)
        self.watch.changed.connect(self.window.show_faults)
        self.capture.lent.connect(self.sweep.lend)
        self.pview.portal_chosen.connect(self.cell.show_portal)
        self.pview.portal_chosen.connect(self.graph.show_portal)
        self.log_panel.unread_changed.connect(self._on_unread)
        self.clock.rate_changed.connect(self._on_rate)
        self.clock.running_changed.connect(self._on_rate)
        self.window.session.landblock_changed.connect(self._on_landblock)

    def set_colours(self, colours: Colours) -> None:
        self.time_bar.set_colours(colours)
        for panel in self.panels:
            panel.set_colours(colours)

    # --- what is said

    @Slot(str)
    def _say(self, text: str) -> None:
        self.window.status.showMessage(text, MESSAGE_MS)

    @Slot(str)
    def _warn(self, text: str) -> None:
        self.window.status.showMessage(f"■ {text}", MESSAGE_MS)

    @Slot(int)
    def _on_unread(self, count: int) -> None:
        """Who does not look at the log is told that there is trouble in it."""
        dock = self.docks.get(self.log_panel)
        title = f"Log (■ {count})" if count else "Log"
        if dock is not None and dock.windowTitle() != title:
            dock.setWindowTitle(title)

    def hear(self, ears: PythonEars) -> None:
        """Show what Python has to say: in the log, and what nobody caught in the banner too, which tells the log."""
        ears.raised.connect(self._on_raised, Qt.ConnectionType.QueuedConnection)
        ears.warned.connect(self.log.on_warning, Qt.ConnectionType.QueuedConnection)

    @Slot(str, str)
    def _on_raised(self, sentence: str, details: str) -> None:
        self.window.banner.warn(f"■ {sentence}", details)

    @Slot()
    def _on_rate(self) -> None:
        rate, label = self.clock.rate, self.window.status.rate
        if not self.clock.is_running:
            label.setText("paused" if self.document.simulation is not None else "")
        else:
            label.setText(plain(f"{rate:.0f} ticks/s" if rate else "running"))

    # --- what happens

    @Slot()
    def _on_started(self) -> None:
        """The demo begins with its front door selected."""
        self._on_rate()
        sim = self.document.simulation
        if sim is None or self.window.session.source != DEMO:
            return
        front = next((door for door in sim.population.doors if door.name == "Front Door"), None)
        if front is not None:
            chosen = Selection(Kind.ENTITY, landblock_id(front.place_cell()), front.id)
            QTimer.singleShot(0, self, lambda: self.window.session.select(chosen))

    @Slot(object)
    def mend(self, fix: Fix) -> None:
        """Make a fix as an edit that can be undone."""
        try:
            edits = fix.edits()
        except REFUSALS as error:
            self._warn(f"{fix.name}: {error}")
        else:
            self.document.edit(fix.name, *edits)

    @Slot(object)
    def _on_framed(self, selection: Selection) -> None:
        self.window.session.select(selection)
        self.window.frame_selection()

    @Slot(object)
    def _on_edited(self, edit: Edit) -> None:
        self._edited = True

    @Slot()
    def _on_travelled(self) -> None:
        self._edited = True

    @Slot(object)
    def _on_ticked(self, report: TickReport) -> None:
        events = [event_text(self.document.sim, event) for event in report.events]
        if report.lost:
            self._warn(
                f"{events[0] if events else 'The player is lost: no cell holds his centre'}. {PUT_BACK} returns him"
            )
        elif report.faults:
            self._warn(report.faults[0])
        elif events:
            self._say(", ".join(events))

    @Slot()
    def _on_changed(self) -> None:
        if self._edited:
            self._edited = False
            self._edit_reaches_views()
        self._show_player()
        if not self._details_timer.isActive():
            self._details_timer.start()

    def _edit_reaches_views(self) -> None:
        """Tree, map and problems of the landblock in view, as it is now, if what they show is different."""
        window = self.window
        window.forget_plans()
        before, now = self._shown, self._look()
        if now is None or now == before:
            return
        self._shown = now
        if before is None or now.rooms != before.rooms:
            window.session.faults_changed.emit()
        window.outline.update_landblock(now.block, now.entities)
        before_plan = window.map.plan_of(now.block.id)
        window.map.update_plan(lambda: make_plan(now.world, now.block, now.entities, before_plan))

    def _look(self) -> _Shown | None:
        sim, block_id = self.document.simulation, self.window.session.landblock_id
        block = None if sim is None or block_id is None else sim.world.landblock(block_id)
        return None if sim is None or block is None else _look(sim, block)

    @Slot()
    def _on_landblock(self) -> None:
        """Another landblock is in view; its rows may be from before an edit."""
        self._shown = self._look()
        if self._shown is not None:
            self.window.outline.update_landblock(self._shown.block, self._shown.entities)
        self._show_player()

    @Slot()
    def _show_player(self) -> None:
        sim, block_id = self.document.simulation, self.window.session.landblock_id
        place = None if sim is None else sim.player.steered.place
        if place is None or block_id is None or block_of(place.cell_id) != block_of(block_id):
            self.window.map.set_player(None)
            return
        at = (place.origin[0], place.origin[1], place.turn.heading())
        self.window.map.set_player(at, lost=is_lost(sim))
