"""Timeline: the session's past as curves over its ticks to scrub over, and a list of events to jump to."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from PySide6.QtCore import QPoint, QSettings, Qt, QTimer, Signal, Slot
from PySide6.QtGui import QAction, QResizeEvent
from PySide6.QtWidgets import QComboBox, QLabel, QMenu, QSplitter, QStackedWidget, QToolButton, QWidget

from editor.document.clock import Clock
from editor.document.document import Document
from editor.models.conditions.finds import ConditionFinds
from editor.models.live_table import LiveTable
from editor.models.timeline.events import COLUMNS, GOES_ON, KINDS, EventLog, TimelineEvent, event_rows
from editor.models.timeline.lanes import COSTS, Lane, LaneKind, added_lanes, found_lanes, lane_text, standard_lanes
from editor.models.timeline.notices import why_of
from editor.models.timeline.plots import Plots
from editor.models.timeline.second_lanes import parting_tick, with_second
from editor.models.timeline.tick_log import TickLog
from editor.models.why import ValueAsked
from editor.models.why_chain.fields import event_field, lane_field
from editor.process.plain_text import action_text, plain, plain_lines
from engine.sim.tick.report import TickReport
from ui.docks.panel import LivePanel
from ui.docks.parts import action, allow, bar, button, column, dim_label
from ui.docks.table import OF_A_ROW, LiveView
from ui.docks.timeline.kept_choices import HIDDEN_KEY, PLOTS_KEY, kept_list
from ui.docks.timeline.preload import Preload
from ui.docks.why_menu import TIP as WHY_TIP
from ui.theme.theme import DARK, Colours

if TYPE_CHECKING:
    from editor.models.compare.watch import CompareWatch
    from ui.docks.timeline.plot import TimelinePlot

EMPTY: Final = "Let time pass: every tick is recorded, and what happened in it is listed here."
NOTHING_YET: Final = "No events of this kind yet: cell changes, stops, slides, doors, jumps and edits are listed here."
NOTHING: Final = "Let time pass: cell, height, speed, contact and keys of the player are drawn here, to scrub over."
NO_EVENT: Final = "Select an event first."
NO_SWEEP: Final = "This was not decided by a sweep of the player."
NO_CURVES: Final = "There are no ticks yet."
NARROW: Final = 560
LOW: Final = 200
"""Pixels of the dock under which the events have no room beside the plot, and none below it."""
SHARES: Final = (620, 300)
"""How plot and events share the room at first."""
GROWN_MS: Final = 100
PRELOAD_MS: Final = 1500
"""After the dock was first seen pyqtgraph is loaded; the window's start comes first."""


class TimelinePanel(LivePanel):
    """The plot, and beside it the list of events."""

    pace = 0.1
    why_asked = Signal(object)
    """A `Why`, for Sweep."""
    value_asked = Signal(object)
    """A `ValueAsked`, for Why."""

    about = (
        "The session's past. Press and drag over the curves to show any tick again, or jump to cell changes, "
        "stops, slides, doors and edits. The wheel zooms, dragging with the right button pans. The past is read-only "
        "until Continue Here, which forgets what came after."
    )

    def __init__(
        self,
        document: Document,
        clock: Clock,
        events: EventLog,
        plots: Plots,
        finds: ConditionFinds,
        settings: QSettings,
        parent: QWidget | None = None,
    ) -> None:
        super().__init__(document, "timeline-panel", parent)
        self.clock = clock
        self.settings = settings
        self.log = TickLog()
        self.events = events
        self.plots = plots
        self.plots.changed.connect(self._on_plots)
        self.finds = finds
        finds.kept.changed.connect(self._show_lanes)
        finds.changed.connect(self._on_found)
        self.hidden = set(kept_list(settings, HIDDEN_KEY, COSTS))
        self._plot: TimelinePlot | None = None
        self._colours = DARK
        self._frame_cost = float("nan")
        self._shown_now = -1
        self.second: CompareWatch | None = None
        """The run that this one is compared with."""
        self._second_columns: tuple[object, ...] = ()
        self._listed: tuple[object, ...] = ()
        self._rest = QTimer(self)
        """Reads on while a long recording has not been read to its end."""
        self._rest.setSingleShot(True)
        self._rest.timeout.connect(self._on_changed)
        self._grown = QTimer(self)
        """Draws what the second run has grown by, while a recording is compared."""
        self._grown.setSingleShot(True)
        self._grown.timeout.connect(self._on_changed)
        self._preload = Preload(PRELOAD_MS, self)
        self.model = LiveTable(COLUMNS, self)
        self.view = LiveView(self.model, "events", "Events", EMPTY, self)
        self.views.append(self.view)
        self.view.elide_last()
        self.view.acted.connect(self._on_row)
        self.view.selectionModel().currentChanged.connect(self._show_why)
        self.view.doubleClicked.connect(lambda index: self._on_row(self.view.key))
        self._make_actions()
        self._make_kinds()
        self._make_lane_menu()
        self._lay_out()
        document.ticked.connect(self._on_tick)
        document.started.connect(self._on_started)
        document.travelled.connect(self._on_travelled)
        self._show_lanes()

    # --- making

    def _make_actions(self) -> None:
        self.before_action = action(self, "◀ Previous", self.jump_before, "Ctrl+Left", "timeline-before")
        self.after_action = action(self, "Next ▶", self.jump_after, "Ctrl+Right", "timeline-after")
        self.go_action = action(self, "Go to This Tick", lambda: self._on_row(self.view.key), name="timeline-go")
        self.go_action.setProperty(OF_A_ROW, True)
        self.view.addAction(self.go_action)
        self.why_action = action(self, "Why Did This Happen?", self.ask_why, name="timeline-why")
        self.why_action.setProperty(OF_A_ROW, True)
        self.view.addAction(self.why_action)
        self.causes_action = action(self, "Trace Back Its Causes", self.ask_causes, "Shift+Y", "timeline-causes")
        self.causes_action.setProperty(OF_A_ROW, True)
        self.view.addAction(self.causes_action)
        self.fit_action = action(self, "Fit Timeline", self.fit, name="timeline-fit")
        self.fit_action.setIconText("Fit")
        self.follow_action = self.commands.add("timeline-follow", "Follow Present", is_checkable=True)
        self.follow_action.setIconText("Follow")
        self.follow_action.setChecked(True)
        self.follow_action.setToolTip("Keep the present in view while time runs")
        self.follow_action.toggled.connect(self._on_follow)
        self.save_action = action(self, "Save Curves…", self.ask_to_save, name="timeline-save")
        self.save_action.setToolTip("Save the curves as PNG or SVG, or the ticks as a CSV table")

    def _make_kinds(self) -> None:
        self.kinds = QComboBox(self)
        self.kinds.setObjectName("timeline-kinds")
        self.kinds.setAccessibleName("What to jump to")
        self.kinds.addItem("Everything", "")
        for kind in KINDS:
            self.kinds.addItem(kind, kind)
        self.kinds.currentIndexChanged.connect(self.refresh)

    def _make_lane_menu(self) -> None:
        self.lanes_button = QToolButton(self)
        self.lanes_button.setText("Lanes")
        self.lanes_button.setObjectName("timeline-lanes-button")
        self.lanes_button.setToolTip("Choose the lanes; Plot in the menu of a row of another dock adds curves")
        self.lanes_button.setPopupMode(QToolButton.ToolButtonPopupMode.InstantPopup)
        self.lanes_menu = QMenu(self.lanes_button)
        self.lanes_menu.aboutToShow.connect(lambda: self._fill_lane_menu(self.lanes_menu))
        self.lanes_button.setMenu(self.lanes_menu)

    def _lay_out(self) -> None:
        self.empty_label = QLabel(plain(NOTHING), self)
        self.empty_label.setObjectName("timeline-empty")
        self.empty_label.setProperty("dim", True)
        self.empty_label.setWordWrap(True)
        self.empty_label.setAlignment(Qt.AlignmentFlag.AlignCenter)
        self.stack = QStackedWidget(self)
        self.stack.setMinimumWidth(280)
        self.stack.addWidget(self.empty_label)
        splitter = self.splitter = QSplitter(Qt.Orientation.Horizontal, self)
        splitter.addWidget(self.stack)
        splitter.addWidget(self.view)
        splitter.setSizes(list(SHARES))
        splitter.setStretchFactor(0, 3)
        splitter.setStretchFactor(1, 1)
        splitter.setChildrenCollapsible(False)
        jumps = (button(self.before_action, self), button(self.after_action, self))
        looks = (self.lanes_button, button(self.fit_action, self), button(self.follow_action, self))
        box = column(self)
        box.addLayout(bar(dim_label("Jump to", self, self.kinds), self.kinds, *jumps, *looks))
        box.addWidget(splitter, 1)

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Where it is narrow the events are below the plot."""
        super().resizeEvent(event)
        below = self.width() < NARROW and self.height() >= LOW
        orientation = Qt.Orientation.Vertical if below else Qt.Orientation.Horizontal
        if orientation != self.splitter.orientation():
            self.splitter.setOrientation(orientation)
            self.splitter.setSizes(list(SHARES))

    @property
    def plot(self) -> TimelinePlot:
        """The plot, which is made when there is something to draw."""
        if self._plot is None:
            from ui.docks.timeline.plot import TimelinePlot

            made = TimelinePlot(self.log, self.events, self)
            made.set_colours(self._colours)
            made.scrubbed.connect(self.go_to)
            made.event_clicked.connect(self._on_mark)
            made.menu_wanted.connect(self._show_menu)
            made.follow_changed.connect(self.follow_action.setChecked)
            made.set_follows(self.follow_action.isChecked())
            self._plot = made
            self.stack.addWidget(made)
            made.set_lanes(self.shown_lanes)
            self.document.named.connect(made.show_names)
        return self._plot

    def set_colours(self, colours: Colours) -> None:
        super().set_colours(colours)
        self._colours = colours
        if self._plot is not None:
            self._plot.set_colours(colours)

    def compare_with(self, watch: CompareWatch) -> None:
        """Show the second run of a comparison beside this one."""
        self.second = watch
        watch.changed.connect(self._on_second)

    @Slot()
    def _on_second(self) -> None:
        """Its lanes come and go with it; what it has grown by is drawn with the next refresh, which comes by itself
        while time runs."""
        watch = self.second
        columns: tuple[object, ...] = ()
        if watch is not None and watch.is_on:
            columns = (watch.distance, watch.height, watch.speed, watch.heading, watch.cells)
        if [*map(id, columns)] != [*map(id, self._second_columns)]:
            self._second_columns = columns
            self._show_lanes()
            self._on_changed()
        elif not self.document.flowing and not self._grown.isActive():
            self._grown.start(GROWN_MS)

    def _show_names(self, plot: TimelinePlot) -> None:
        watch = self.second
        is_on = watch is not None and watch.is_on
        plot.names = watch.names if watch is not None and is_on else ("", "")
        plot.parting = parting_tick(watch, self.log.first)

    # --- lanes

    @property
    def lanes(self) -> list[Lane]:
        """All that can be shown: curves that the user has added come after the speed."""
        standard = standard_lanes(self.log)
        at = next(place for place, lane in enumerate(standard) if lane.id == "speed") + 1
        of_events = next(place for place, lane in enumerate(standard) if lane.kind is LaneKind.EVENTS) + 1
        above = [*standard[:of_events], *found_lanes(self.finds), *standard[of_events:at]]
        lanes = [*above, *added_lanes(self.plots), *standard[at:]]
        return lanes if self.second is None else with_second(lanes, self.second)

    @property
    def shown_lanes(self) -> list[Lane]:
        return [lane for lane in self.lanes if lane.id not in self.hidden]

    def _show_lanes(self) -> None:
        if self._plot is not None:
            self._plot.set_lanes(self.shown_lanes)

    def toggle_lane(self, lane: Lane) -> None:
        """Show a lane or hide it; an added curve is removed."""
        if lane.removable:
            self.plots.remove(lane.id)
            return
        self.hidden ^= {lane.id}
        self.settings.setValue(HIDDEN_KEY, sorted(self.hidden))
        self._show_lanes()
        if lane.id not in self.hidden:
            self.plot.show_lane(lane.id)

    def _fill_lane_menu(self, menu: QMenu) -> None:
        menu.clear()
        for lane in self.lanes:
            unit = f" ({lane.unit})" if lane.unit else ""
            title = "cost of a " * (lane.id in COSTS) + lane.title
            entry = QAction(action_text(f"{title[:1].upper()}{title[1:]}{unit}"), menu)
            entry.setCheckable(True)
            entry.setChecked(lane.id not in self.hidden)
            entry.triggered.connect(lambda checked=False, lane=lane: self.toggle_lane(lane))
            menu.addAction(entry)

    @Slot(QPoint, object)
    def _show_menu(self, place: QPoint, lane: Lane | None) -> None:
        menu = self.menu_for(lane)
        menu.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        menu.popup(place)

    def menu_for(self, lane: Lane | None) -> QMenu:
        """What can be done with a lane, and with the plot."""
        menu = QMenu(self)
        menu.setObjectName("timeline-menu")
        if lane is not None:
            word = "Remove" if lane.removable else "Hide"
            menu.addAction(action_text(f"{word} {lane.title}"), lambda: self.toggle_lane(lane))
        self._add_why(menu, lane)
        lanes = menu.addMenu("Lanes")
        self._fill_lane_menu(lanes)
        menu.addSeparator()
        menu.addActions([self.fit_action, self.follow_action])
        menu.addSeparator()
        menu.addAction("Stop When…", self.finds.kept.asked.emit)
        menu.addAction(self.save_action)
        return menu

    def _add_why(self, menu: QMenu, lane: Lane | None) -> None:
        """The question since when a lane's value under the mouse is so, and by what."""
        sim, tick = self.document.simulation, self.plot.cursor_tick
        field = None if lane is None or sim is None or not len(self.log) else lane_field(sim, lane)
        if lane is None or field is None:
            return
        value = lane_text(lane, self.log, self.events, tick)
        asked = ValueAsked(field.entity_id, field.path, tick)
        title = lane.title.partition(",")[0]
        text = f"Why Is {title[:1].upper()}{title[1:]} {value} After Tick {tick:,}?"
        menu.addAction(action_text(text), lambda: self.value_asked.emit(asked)).setToolTip(plain_lines(WHY_TIP))

    # --- what happens

    @Slot(object)
    def _on_tick(self, report: TickReport) -> None:
        self.log.note(report, self.document.tick_cost, self._frame_cost)

    @Slot(float)
    def note_frame(self, milliseconds: float) -> None:
        """A picture was drawn; the ticks until the next one have its cost."""
        self._frame_cost = milliseconds

    @Slot()
    def _on_started(self) -> None:
        history = self.document.history
        self.log.begin(None if history is None else history.recording)
        run = self.document.session.run
        for report in [] if run is None else run.reports:
            self.log.note(report, float("nan"), float("nan"))
        self._frame_cost = float("nan")
        self._show_lanes()
        if self._plot is not None:
            self._plot.fit()

    @Slot()
    def _on_travelled(self) -> None:
        history = self.document.history
        if history is not None and not history.in_past:
            self.log.cut(history.end)

    @Slot()
    def _on_plots(self) -> None:
        self.settings.setValue(PLOTS_KEY, self.plots.chosen)
        self._show_lanes()

    @Slot()
    def _on_found(self) -> None:
        if self._plot is not None and self.isVisible():
            self._plot.redraw()

    @Slot(bool)
    def _on_follow(self, follows: bool) -> None:
        if self._plot is not None:
            self._plot.set_follows(follows)

    # --- what is shown

    @property
    def kind(self) -> str:
        return str(self.kinds.currentData() or "")

    @property
    def _shown_tick(self) -> int:
        """The tick that was taken last; its events are those that have just happened."""
        history = self.document.history
        return -1 if history is None else history.now - 1

    @Slot()
    def refresh(self) -> None:
        history = self.document.history
        if history is not None and not self.log.read(history):
            self._rest.start()
        if len(self.log):
            self._refresh_plot(0 if history is None else history.now)
        elif self._plot is None:
            self._preload.start()
        if not len(self.log):
            self.stack.setCurrentWidget(self.empty_label)
        self._refresh_list()
        before = self.events.before(self._shown_tick, self.kind)
        after = self.events.after(self._shown_tick, self.kind)
        what = self.kind.lower() or "events"
        allow(self.before_action, "" if before else f"There are no earlier {what}.", "Go to the previous event")
        allow(self.after_action, "" if after else f"There are no later {what}.", "Go to the next event")
        allow(self.fit_action, "" if len(self.log) else NO_CURVES, "Show the whole session: 0")

    def _refresh_plot(self, now: int) -> None:
        plot = self.plot
        self.stack.setCurrentWidget(plot)
        plot.now = now
        self._show_names(plot)
        plot.refresh()
        if now == self.log.end:
            plot.follow_present()
        if now != self._shown_now and not self.document.flowing:
            plot.show_tick(now)
        self._shown_now = now

    def _refresh_list(self) -> None:
        self.view.empty = NOTHING_YET if len(self.log) else EMPTY
        latest = self.events.latest
        # How long an event went on is shown once it has ended: thousands of rows are not made anew ten times a second.
        goes_on = self.document.flowing and latest is not None and latest.last > self._shown_tick - GOES_ON
        went_on = None if latest is None or goes_on else (latest.tick, latest.count)
        listed = (self.events.changes, self.kind, went_on)
        if listed != self._listed:
            self._listed = listed
            self.model.show(event_rows(self.events.chosen(self.kind)), mark=False)
        self.view.viewport().update()
        self._show_why()

    @Slot()
    def fit(self) -> None:
        if self._plot is not None:
            self._plot.fit()

    # --- going there

    @Slot(int)
    def go_to(self, tick: int) -> None:
        self.clock.pause()
        self.document.go_to(tick)

    def jump_before(self) -> None:
        found = self.events.before(self._shown_tick, self.kind)
        if found is not None:
            self.go_to(found.tick + 1)

    def jump_after(self) -> None:
        found = self.events.after(self._shown_tick, self.kind)
        if found is not None:
            self.go_to(found.tick + 1)

    @Slot(object)
    def _on_mark(self, event: TimelineEvent) -> None:
        """Show the tick of a mark, and its row in the list."""
        self.go_to(event.tick + 1)
        row = next(
            (row.key for row in self.model.rows if isinstance(row.key, tuple) and row.key[0] == event.tick), None
        )
        self.view.follow(row)

    @Slot(object)
    def _on_row(self, key: object) -> None:
        """Show the tick of an event: the one that has just been taken."""
        if isinstance(key, tuple):
            self.go_to(int(key[0]) + 1)

    @property
    def _chosen_event(self) -> TimelineEvent | None:
        """The event of the selected row."""
        key, listed = self.view.key, self.events.chosen(self.kind)
        number = int(key[1]) if isinstance(key, tuple) else -1
        return listed[number] if 0 <= number < len(listed) else None

    @Slot()
    def ask_why(self) -> None:
        """Ask Sweep about the event of the selected row."""
        event = self._chosen_event
        why = None if event is None else why_of(event)
        if why is not None:
            self.why_asked.emit(why)

    @Slot()
    def ask_causes(self) -> None:
        """Ask Why about what the event of the selected row changed."""
        event, sim = self._chosen_event, self.document.simulation
        if event is not None and event.about is not None and sim is not None:
            field = event_field(sim, event.about)
            self.value_asked.emit(ValueAsked(field.entity_id, field.path, event.tick))

    @Slot()
    def _show_why(self) -> None:
        event = self._chosen_event
        why_not = NO_EVENT if event is None else NO_SWEEP if event.about is None else ""
        allow(self.why_action, why_not, "Show in Sweep what decided")
        allow(self.causes_action, why_not, "Show in Why what led to it, through earlier ticks")

    # --- files

    def ask_to_save(self) -> None:
        from ui.docks.timeline.export import ask_for_file

        name = ask_for_file(self)
        if name:
            self.save(name)

    def save(self, name: str) -> bool:
        """The curves as a PNG or an SVG, or the ticks as a CSV table."""
        from ui.docks.timeline.export import save_plot

        return save_plot(self.plot, self.shown_lanes, self.plots, name, self.document, self.second)
