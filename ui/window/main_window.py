"""The window: the 3D view and the map in the middle, the docks around them, menus, toolbar and status line."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Final

from PySide6.QtCore import QSettings, Qt, QTimer, Slot
from PySide6.QtGui import QCloseEvent, QDragEnterEvent, QDropEvent, QKeyEvent, QPixmap, QResizeEvent
from PySide6.QtWidgets import QApplication, QLineEdit, QMainWindow

import engine
from editor.document.clock import Clock
from editor.document.document import Document
from editor.document.moving_player import move_player_to_text
from editor.document.selection_tracking import SelectionWatch
from editor.models.compare.second_run import SecondRun
from editor.models.compare.watch import CompareWatch
from editor.models.conditions.finds import ConditionFinds
from editor.models.conditions.kept import KeptConditions
from editor.models.conditions.stops import ConditionStops
from editor.models.details import title_of
from editor.models.landblock_changes import LandblockChanges
from editor.models.log import Log
from editor.models.survey.watch import SurveyWatch
from editor.models.timeline.events import EventLog
from editor.models.timeline.notices import Notices
from editor.models.timeline.plots import Plots
from editor.models.walks.kept import KeptWalks
from editor.models.walks.watch import WalkWatch
from editor.process.plain_text import counted, plain, plain_lines
from editor.session.session import Kind, Selection, Session
from editor.session.sources import DEMO
from editor.validation.problem_watch import ProblemWatch
from editor.view3d.view import View3D
from engine.world.cells.ids import landblock_id
from ui.commands.command_palette import Palette
from ui.commands.menus import Menus
from ui.commands.registry import CommandRegistry, CommandSet
from ui.context import WindowContext
from ui.docks.context import DockContext, DockLinks
from ui.docks.timeline.kept_choices import PLOTS_KEY, kept_list
from ui.docks.timeline.stop_when import StopWhen
from ui.docks.timeline.timeline_dock import TimelinePanel
from ui.docks.world import WorldPanel
from ui.map.reach_layer import ReachLayer
from ui.opening.known_worlds import NamedSources
from ui.opening.open_actions import OpenActions
from ui.opening.recent_menu import RecentMenu
from ui.opening.server_actions import ServerActions
from ui.theme.icons import recolour, set_icon
from ui.theme.theme import Colours, apply_theme
from ui.theme.theme_state import ThemeState
from ui.view3d.notices import NoticeStrip
from ui.widgets.paths import dropped_paths
from ui.widgets.screenshots import ask_for_name, write_png
from ui.window.actions.comparing import CompareActions
from ui.window.actions.data_files import DataFilesActions
from ui.window.actions.exports import ExportActions
from ui.window.actions.following import FollowActions
from ui.window.actions.kept_walks import KeptWalkActions
from ui.window.actions.names import NameActions
from ui.window.actions.problem_reports import ProblemReports
from ui.window.actions.reproductions import ReproductionActions
from ui.window.actions.scripts import ScriptActions
from ui.window.actions.server_data import ServerDataExport
from ui.window.actions.survey import SurveyActions
from ui.window.actions.survey_report import SurveyReportActions
from ui.window.capture_view import CaptureView
from ui.window.central_area import Centre
from ui.window.dock_layout import Docks
from ui.window.dock_table import DOCKS, DockSpec
from ui.window.hints import Hints
from ui.window.map_updates import MapUpdates
from ui.window.messages import Messages
from ui.window.navigation import Navigator
from ui.window.palette_things import PaletteThings
from ui.window.place_commands import add_place_commands
from ui.window.project_actions import Projects
from ui.window.status_line import WARNING, StatusLine
from ui.window.time_bar import TimeBar
from ui.window.window_commands import add_file_commands, add_help_commands, add_view_commands

SMALLEST_SIZE: Final = (1024, 640)


class MainWindow(QMainWindow):
    """Puts the parts together. Each of them is given what it uses; none of them knows the window."""

    def __init__(self, session: Session, settings: QSettings, docks: Sequence[DockSpec] = DOCKS) -> None:
        super().__init__()
        self.session = session
        self.settings = settings
        self.setMinimumSize(*SMALLEST_SIZE)
        self.setAcceptDrops(True)
        self.setDockOptions(QMainWindow.DockOption.AllowTabbedDocks | QMainWindow.DockOption.AnimatedDocks)
        self.theme = ThemeState(settings, self)
        self.commands = CommandRegistry(self)
        self.own_commands = CommandSet(self, everywhere=True)
        self._make_document()
        self._make_middle()
        self._make_docks(docks)
        self._make_actions()
        self._connect()
        self.docks.arranger.restore(settings)
        recolour(self, self.colours)
        self.centre.take_focus()  # walking is the first thing that is done

    # --- making

    def _make_document(self) -> None:
        self.document = Document(self.session, self)
        self.selected = SelectionWatch(self.document, self)
        self.clock = Clock(self.document, self)
        self.compare = CompareWatch(self.document, self)
        self.second_run = SecondRun(self.document, self.compare, self)
        self.watch = ProblemWatch(self.document, self)
        self.log = Log(self.document, self)
        self.changes = LandblockChanges(self.document, self)
        self.events = EventLog(self.document, self)
        self.conditions = KeptConditions(self.document, self)
        self.stops = ConditionStops(self.conditions, self.clock, self)
        self.finds = ConditionFinds(self.conditions, self)
        self.walks = WalkWatch(KeptWalks(self.document, self), self)
        self.survey = SurveyWatch(self.document, self)
        self.plots = Plots(self.document, kept_list(self.settings, PLOTS_KEY), self)
        self.navigation = Navigator(self.session, self)

    def _make_middle(self) -> None:
        self.status = StatusLine(self.colours, self)
        self.setStatusBar(self.status)
        self.status.core.setText(plain(f"core {engine.active_core()}"))
        self.viewing = View3D(self.document, self.clock, self)
        self.viewing.second.look_at(self.compare)
        self.viewing.reach.look_at(self.survey)
        self.centre = Centre(self.viewing, self.settings, self.colours, self.own_commands, self)
        self.viewport = self.centre.viewport
        self.map_panel = self.centre.map_panel
        self.map = self.map_panel.map
        self.banner = self.centre.banner
        self.setCentralWidget(self.centre)
        self.messages = Messages(self.document, self.clock, self.log, self.status, self.banner)
        self.map_updates = MapUpdates(self.document, self.changes, self.map_panel)
        self.reach_layer = ReachLayer(self.map, self.survey)

    def _make_docks(self, table: Sequence[DockSpec]) -> None:
        self.time_bar = TimeBar(self.document, self.clock, self)
        self.addToolBar(self.time_bar)
        self.docks = Docks(self, self.centre, self.commands, self.theme)
        self.links = DockLinks(self)
        context = DockContext(
            self.session,
            self.document,
            self.clock,
            self.log,
            self.watch,
            self.changes,
            self.viewing,
            self.viewport,
            self.navigation,
            self.links,
            self.events,
            self.plots,
            self.finds,
            self.compare,
            self.walks,
            self.survey,
            self.settings,
        )
        self.docks.fill(context, table)
        self.docks.set_colours(self.colours)

    def _make_actions(self) -> None:
        context = self._context = WindowContext(
            self,
            self.session,
            self.document,
            self.settings,
            self.theme,
            self.messages,
            self.banner,
            self.centre.progress,
            self.navigation,
            self.own_commands,
        )
        recent = RecentMenu(self.settings, self.banner, self)
        self.projects = Projects(context, recent)
        self.projects.keeper.eye = self.viewing.eye
        self.projects.keeper.conditions = self.conditions.forms
        self.projects.keeper.keep_walks(self.walks.kept.forms, self.walks.kept.edited)
        self.projects.keeper.keep_survey(self.survey.kept, self.survey.edited)
        self.opening = OpenActions(context, recent, self.projects)
        self.projects.follow_openings()
        self.opening.accept_drops(self.docks)
        self.server_data = ServerActions(context, self.opening)
        self.named_sources = NamedSources(self.session, self.settings, self)
        self.captures = CaptureView(context, self.docks)
        self.following = FollowActions(
            context, self.docks, self.viewing, self.status, self._open_files, self.conditions
        )
        self.exports = ExportActions(context, self._open_files)
        self.data_files = DataFilesActions(context, self._open_files)
        self.reproductions = ReproductionActions(context, self.captures, self._open_files)
        self.server_export = ServerDataExport(context, self._open_files)
        self.names = NameActions(context, self.links, self._open_files)
        self.scripts = ScriptActions(context, self.docks, self._open_files)
        self.kept_walks = KeptWalkActions(context, self.links, self.captures, self.walks, self._open_files)
        self.survey_actions = SurveyActions(
            context, self.clock, self.links, self.docks, self.viewing, self.survey, self.compare
        )
        self.survey_actions.offer_in(self.viewport, self.map)
        self.survey_report = SurveyReportActions(
            context, self.links, self.viewing, self.changes, self.open, self._open_files
        )
        self.stop_when = StopWhen(context, self.clock, self.conditions, self.finds)
        self.time_bar.stop_with(self.stop_when.ask_action)
        self.comparing = CompareActions(context, self.docks, self.captures, self.compare)
        self.time_bar.compare_with(self.comparing.rule_set_actions)
        self.centre.add_above(self.projects.strip)
        self.hints = Hints(context, self.clock, self.centre)
        self.centre.add_below(self.hints)
        things = self.palette_things = PaletteThings(context, self.opening.ask_for_landblock)
        self.palette_sheet = Palette(self.commands, things, self.settings, self.theme, self.centre)
        add_view_commands(context, self.docks, self.palette_sheet, self.reset_layout, self.ask_for_id)
        add_place_commands(context)
        add_file_commands(context, self.ask_for_picture, self.ask_for_window, self.close)
        self.problem_reports = ProblemReports(context, self.log)
        add_help_commands(context, self.commands, self.docks, self.viewport)
        self.commands.mount(self.own_commands, "Window")
        self.commands.mount(self.time_bar.commands, "Time")
        if self.viewport is not None:
            self.notices = NoticeStrip(self.viewport, Notices(self.events, self), self.own_commands, self.settings)
            self.notices.why_asked.connect(self.links.explain)
            self.notices.refused.connect(self.messages.say)
            self.commands.mount(self.viewport.tools.commands, "3D View")
        self.menus = Menus(self.menuBar(), self.commands)
        self.scripts.fill(self.menus["Scripts"])
        set_icon(self.opening.file_action, "open", self.colours)
        self.time_bar.lead(self.opening.file_action, self.projects.save_action)
        self.time_bar.follow_with(self.centre.view_bar.camera)

    def _connect(self) -> None:
        session = self.session
        session.opened.connect(self._on_opened)
        session.landblock_changed.connect(self._on_landblock)
        session.selection_changed.connect(self._on_selection)
        for show in (self._on_selection, self._on_landblock, self.centre.blocks.show_names):
            self.document.named.connect(show)
        self.document.started.connect(self._on_started)
        self.changes.rooms_changed.connect(session.faults_changed)
        self.viewing.hinted.connect(self.status.showMessage)
        self.navigation.frame_wanted.connect(self.centre.frame_selection)
        self.navigation.refused.connect(self.messages.say)
        self.navigation.place_wanted.connect(lambda text: move_player_to_text(self.document, text))
        self.document.player_placed.connect(self.centre.show_player)
        self.centre.blocks.chosen.connect(self._on_block_chosen)
        self.centre.blocks.more_wanted.connect(self.opening.ask_for_landblock)
        self.projects.open_wanted.connect(self.opening.open)
        self.opening.recording_opened.connect(self._on_recording)
        self.palette_sheet.asked.connect(self.hints.on_palette)
        self.palette_sheet.refused.connect(self.messages.warn)
        self.theme.changed.connect(self._on_theme)

    def _open_files(self) -> list[Path]:
        """The files of the project, of the capture and of watched walks: nothing is exported over them."""
        own = self.projects.keeper.path
        return [*([] if own is None else [own]), *self.captures.files, *self.walks.kept.files]

    # --- opening

    def open(self, source: str) -> None:
        """Open whatever a path leads to."""
        self.opening.open(source)

    @Slot()
    def _on_opened(self) -> None:
        world = self.session.world
        if world is None:
            return
        self.centre.blocks.show_world(self.session.index, world.names)
        self.status.source.setText(plain(f"{world.source.kind} · {world.name}"))
        self.status.source.setToolTip(plain_lines(str(world.path or "")))

    @Slot()
    def _on_started(self) -> None:
        """The keys go to the picture, for walking is the first thing that is done. The demo begins with its front door
        selected, unless a place in it was asked for."""
        self._focus_picture()
        sim = self.document.simulation
        if sim is None or self.session.source != DEMO or self.session.place:
            return
        front = next((door for door in sim.population.doors if door.name == "Front Door"), None)
        if front is not None:
            chosen = Selection(Kind.ENTITY, landblock_id(front.place_cell()), front.id)
            QTimer.singleShot(0, self, lambda: self.session.select(chosen))

    def _focus_picture(self) -> None:
        """Give the keys to the picture, unless somebody is writing into a field or a dialog is open."""
        focus = QApplication.focusWidget()
        is_writing = isinstance(focus, QLineEdit) and focus.text() != ""
        if self.session.world is not None and not is_writing and QApplication.activeModalWidget() is None:
            self.centre.take_focus()

    @Slot()
    def _on_recording(self) -> None:
        """A recording begins at its first tick, with the camera behind the player, and is scrubbed in the Timeline. One
        that does not come out as recorded shows the last tick that did."""
        run, history = self.session.run, self.document.history
        if run is not None and run.divergence is None and history is not None and self.document.go_to(history.first):
            self.viewing.camera.stand_behind_player()
            self.viewing.changed.emit()
        self.docks.bring(self.docks.dock(TimelinePanel), focus=False)

    def dragEnterEvent(self, event: QDragEnterEvent) -> None:
        if dropped_paths(event.mimeData()):
            event.acceptProposedAction()

    def dropEvent(self, event: QDropEvent) -> None:
        if self.opening.drop(event.mimeData()):
            event.acceptProposedAction()

    # --- showing

    @Slot()
    def _on_landblock(self) -> None:
        world, block_id = self.session.world, self.session.landblock_id
        block = None if world is None or block_id is None else world.landblock(block_id)
        if world is None or block is None:
            self.status.block.setText("")
            return
        self.centre.blocks.show_block(block.id)
        self.status.block.setText(plain(f"{world.names.cell(block.id)} · {counted(len(block.env_cells), 'cell')}"))

    @Slot(object)
    def _on_block_chosen(self, block_id: int) -> None:
        self.session.select(Selection(Kind.LANDBLOCK, block_id, block_id))

    @Slot()
    def _on_selection(self) -> None:
        world, selection = self.session.world, self.session.selection
        title = "" if world is None or selection is None else title_of(world, selection, self.session.simulation)
        self.status.selection.setText(plain(title))

    @Slot()
    def ask_for_id(self) -> None:
        """The search field takes ids too: one place to type, not two."""
        self.docks.bring(self.docks.dock(WorldPanel))
        self.docks.panel(WorldPanel).focus_search()

    # --- looks

    @property
    def colours(self) -> Colours:
        """The colours of the theme."""
        return self.theme.colours

    @Slot(object)
    def _on_theme(self, colours: Colours) -> None:
        application = QApplication.instance()
        if isinstance(application, QApplication):
            apply_theme(application, colours)
        self.centre.set_colours(colours)
        self.docks.set_colours(colours)
        self.time_bar.set_colours(colours)
        self.status.set_colours(colours)
        self.hints.set_colours(colours)
        self.stop_when.set_colours(colours)
        recolour(self, colours)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Cancel background work on an Esc that no widget used."""
        progress = self.centre.progress
        if event.key() == Qt.Key.Key_Escape and progress.job is not None:
            progress.cancel()
        else:
            super().keyPressEvent(event)

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self.docks.arranger.follow()

    @Slot()
    def reset_layout(self) -> None:
        """Lay docks and toolbar out as at the first start."""
        self.docks.arranger.reset()
        self.time_bar.show()

    def closeEvent(self, event: QCloseEvent) -> None:
        self.docks.arranger.save(self.settings)
        if not self.projects.may_leave(self.close):
            event.ignore()
            return
        self.projects.close()
        self.following.stop()
        self.survey.close()
        super().closeEvent(event)

    # --- pictures

    @Slot()
    def ask_for_picture(self) -> None:
        """Save the 3D view or the map as it is."""
        name = ask_for_name(self, "the Picture", "picture.png")
        if name:
            self.save_picture(self.centre.stack.grab(), name)

    @Slot()
    def ask_for_window(self) -> None:
        """Save all of the window as it is."""
        name = ask_for_name(self, "the Window", "window.png")
        if name:
            self.save_picture(self.grab(), name)

    def save_picture(self, picture: QPixmap, name: str) -> bool:
        """Write a picture as a PNG; False when that failed, which the banner explains."""
        problem = write_png(picture, name, self.session.sources)
        if problem:
            self.banner.warn(f"{WARNING} {problem}")
        else:
            self.messages.say(f"Saved {name}")
        return not problem
