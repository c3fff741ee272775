"""The window: the 3D view and the map in the middle, everything that is said about them around it."""

from __future__ import annotations

from typing import Final

from PySide6.QtCore import QSettings, Qt, Slot
from PySide6.QtGui import (
    QCloseEvent,
    QDragEnterEvent,
    QDropEvent,
    QKeyEvent,
    QPixmap,
    QResizeEvent,
)
from PySide6.QtWidgets import (
    QApplication,
    QDockWidget,
    QMainWindow,
    QWidget,
)

import engine
from editor.maps.landblock_plan import Plan, make_plan
from editor.models.details import details, title_of
from editor.models.entities import specs_now
from editor.models.outline import OutlineModel
from editor.models.problems import ProblemsModel
from editor.process.plain_text import plain, plain_lines
from editor.session.session import Kind, Selection, Session
from editor.view3d.view import View3D
from engine.world.cells.cell import EnvCell
from engine.world.cells.ids import cell_text, is_env_cell, landblock_id, low_of, parse_id
from engine.world.faults import WorldError
from engine.world.landblock import Landblock
from engine.world.world import World
from ui.commands.command_palette import Palette
from ui.commands.menus import Menus
from ui.docks.details import DetailsView
from ui.docks.panel import is_seen
from ui.docks.problems import ProblemsView
from ui.docks.world import WorldView
from ui.opening.known_worlds import NamedSources
from ui.opening.open_actions import Opening, dropped_paths
from ui.theme.icons import recolour
from ui.theme.theme import DARK, LIGHT, Colours, apply_theme
from ui.window.central_area import Centre
from ui.window.dock_layout import Layout
from ui.window.export_actions import Keeping
from ui.window.hints import Hints
from ui.window.project_actions import Projects
from ui.window.screenshots import ask_for_name, write_png
from ui.window.simulation_docks import Live
from ui.window.status_line import StatusLine

SMALLEST_SIZE: Final = (1024, 640)
MESSAGE_MS: Final = 8000


class MainWindow(QMainWindow):
    """Everything that is on the screen; the session holds what it is about."""

    def __init__(self, session: Session, settings: QSettings) -> None:
        super().__init__()
        self.session = session
        self.settings = settings
        self.colours = theme_of(settings)
        self.outline = OutlineModel(self)
        self.problems = ProblemsModel(self)
        self._plans: dict[int, Plan] = {}
        self.setMinimumSize(*SMALLEST_SIZE)
        self.setAcceptDrops(True)
        self.setDockOptions(QMainWindow.DockOption.AllowTabbedDocks | QMainWindow.DockOption.AnimatedDocks)
        self._make_status()
        self._make_centre()
        self._make_docks()
        self.opening = Opening(self)
        self.named_sources = NamedSources(self)
        self.projects = Projects(self)
        self.centre.add_above(self.projects.strip)
        self.keeping = Keeping(self)
        self.palette_sheet = Palette(self)
        self.hints = Hints(self)
        self.centre.add_below(self.hints)
        self.menus = Menus(self)
        self._connect()
        self.places.restore(settings)
        recolour(self, self.colours)
        self.centre.take_focus()  # walking is the first thing that is done

    # --- making

    def _make_centre(self) -> None:
        self.live = Live(self)
        self.viewing = View3D(self.live.document, self.live.clock, self)
        self.centre = Centre(self.viewing, self.settings, self.colours, self)
        self.panel = self.centre.map_panel
        self.map = self.panel.map
        self.viewport = self.centre.viewport
        self.storeys = self.panel.storeys
        self.blocks = self.centre.blocks
        self.banner = self.centre.banner
        self.setCentralWidget(self.centre)

    def _make_docks(self) -> None:
        self.places = Layout(self)
        self.world_view = WorldView(self.outline, self)
        self.details_view = DetailsView(self.colours, self)
        self.problems_view = ProblemsView(self.problems, self)
        self.world_dock = self.add_dock("World", self.world_view, Qt.DockWidgetArea.LeftDockWidgetArea)
        self.details_dock = self.add_dock("Details", self.details_view, Qt.DockWidgetArea.RightDockWidgetArea)
        self.problems_dock = self.add_dock("Problems", self.problems_view, Qt.DockWidgetArea.BottomDockWidgetArea)
        self.details_dock.visibilityChanged.connect(self._on_details_shown)
        self.live.add_docks()
        self.live.set_colours(self.colours)
        self.world_view.set_colours(self.colours)
        self.problems_view.set_colours(self.colours)
        self.places.first()

    def add_dock(self, title: str, widget: QWidget, area: Qt.DockWidgetArea) -> QDockWidget:
        """A dock whose place and visibility are remembered; `area` is where it is at first."""
        return self.places.add(title, widget, area)

    @property
    def docks(self) -> list[QDockWidget]:
        return self.places.docks

    def _make_status(self) -> None:
        self.status = StatusLine(self.colours, self)
        self.setStatusBar(self.status)
        self.status.core.setText(plain(f"core {engine.active_core()}"))

    def _connect(self) -> None:
        session = self.session
        session.opened.connect(self._on_opened)
        session.landblock_changed.connect(self._on_landblock)
        session.selection_changed.connect(self._on_selection)
        session.hover_changed.connect(self._on_hover)
        session.faults_changed.connect(self.show_faults)
        self.map.chosen.connect(session.select)
        self.map.hovered.connect(session.set_hover)
        for rows in (self.world_view.hover, self.problems_view.hover):
            rows.hovered.connect(session.set_hover)
        self.world_view.chosen.connect(session.select)
        self.world_view.framed.connect(self.frame_selection)
        self.viewing.hinted.connect(self._on_hint)
        self.live.graph.look_through(self.viewing, self.centre.viewport)
        self.live.pview.look_through(self.viewing, self.centre.viewport)
        self.live.sweep.step_chosen.connect(self.viewing.show_substep)
        self.live.sweep.step_framed.connect(self.viewing.frame_substep)
        self.banner.warned.connect(self.live.log.on_error)
        self.problems_view.chosen.connect(self._on_problem)
        self.problems_view.jumped.connect(self._jump)
        self.problems_view.fix_wanted.connect(self.live.mend)
        self.details_view.id_activated.connect(self.go_to)
        self.blocks.chosen.connect(self._on_block_chosen)
        self.blocks.more_wanted.connect(self.opening.ask_for_landblock)

    # --- opening

    def open(self, source: str) -> None:
        self.opening.open(source)

    @Slot()
    def _on_opened(self) -> None:
        world = self.session.world
        if world is None:
            return
        self._plans = {}
        self.outline.set_world(world, self.session.index)
        self.world_view.world_changed()
        self.blocks.show_world(self.session.index)
        self.status.source.setText(plain(f"{world.source.kind} · {world.name}"))
        self.status.source.setToolTip(plain_lines(str(world.path or "")))

    def dragEnterEvent(self, event: QDragEnterEvent) -> None:  # noqa: N802  # Qt's name
        if dropped_paths(event.mimeData()):
            event.acceptProposedAction()

    def dropEvent(self, event: QDropEvent) -> None:  # noqa: N802  # Qt's name
        if self.opening.drop(event.mimeData()):
            event.acceptProposedAction()

    # --- what is shown

    @Slot()
    def _on_landblock(self) -> None:
        world = self.session.world
        block_id = self.session.landblock_id
        block = None if world is None or block_id is None else world.landblock(block_id)
        if world is None or block is None:
            self.panel.forget_plan()
            self.status.block.setText("")
            return
        sim = self.session.simulation
        here = None if sim is None else specs_now(sim, block.id)
        self.outline.show_landblock(block, here)
        mine = Selection(Kind.LANDBLOCK, block.id, block.id)
        self.world_view.unfold(mine)
        self.blocks.show_block(block.id)
        self.panel.show_plan_of(lambda: self._plan_of(world, block))
        self.status.block.setText(f"{cell_text(block.id)} · {len(block.env_cells)} cells")

    def _plan_of(self, world: World, block: Landblock) -> Plan:
        plan = self._plans.get(block.id)
        if plan is None:
            sim = self.session.simulation
            here = None if sim is None else specs_now(sim, block.id)
            plan = self._plans[block.id] = make_plan(world, block, here)
        return plan

    def forget_plans(self) -> None:
        """An edit may have reached any landblock; their plans are made anew when they are looked at."""
        self._plans = {}

    def frame_selection(self) -> None:
        """Bring what is selected into view, in the 3D view or on the map."""
        self.centre.frame_selection()

    @Slot(str)
    def _on_hint(self, text: str) -> None:
        """What lies under the mouse; what was said before it is over then."""
        self.status.showMessage(text)

    @Slot(bool)
    def _on_details_shown(self, seen: bool) -> None:
        if seen:
            self._fill_details()

    @Slot()
    def refresh_details(self) -> None:
        """The selected thing as it is now."""
        if is_seen(self.details_view):
            self._fill_details()

    def _fill_details(self) -> None:
        world, selection = self.session.world, self.session.selection
        if world is not None and selection is not None:
            self.details_view.set_data(details(world, selection, self.session.simulation))

    @Slot(object)
    def _on_block_chosen(self, block_id: int) -> None:
        self.session.select(Selection(Kind.LANDBLOCK, block_id, block_id))

    @Slot()
    def _on_selection(self) -> None:
        world = self.session.world
        selection = self.session.selection
        self.map.set_selection(selection, self._stab_list())
        self.world_view.follow(selection)
        if world is None or selection is None:
            self.details_view.set_data({})
            self.status.selection.setText("")
            return
        self.refresh_details()
        self.status.selection.setText(plain(title_of(world, selection, self.session.simulation)))

    def _stab_list(self) -> frozenset[int]:
        world = self.session.world
        selection = self.session.selection
        if world is None or selection is None or selection.kind is not Kind.CELL:
            return frozenset()
        cell = world.graph.get_visible(selection.key)
        return frozenset(cell.stab_list) if isinstance(cell, EnvCell) else frozenset()

    @Slot()
    def _on_hover(self) -> None:
        hover = self.session.hover
        self.map.set_hover(hover)
        self.world_view.hover.show(hover)
        self.problems_view.hover.show(hover)

    @Slot()
    def show_faults(self) -> None:
        world = self.session.world
        faults = [] if world is None else world.faults()
        watch = self.live.watch
        self.problems.set_faults(faults, self.session.index.known, watch.findings)
        self.problems_view.set_searching(watch.is_searching)
        count = len(self.problems.faults)
        self.problems_dock.setWindowTitle(f"Problems ({count})" if count else "Problems")

    def jump(self, selection: Selection) -> None:
        """Select something and bring it into view."""
        self.session.select(selection)
        self.frame_selection()

    def bring(self, dock: QDockWidget, *, focus: bool = True) -> None:
        """Show a dock on top of its tabs."""
        self.places.bring(dock, focus=focus)

    @Slot(object)
    def _on_problem(self, selection: Selection | None) -> None:
        if selection is None:
            self.status.showMessage("This belongs to a shared record and has no place on the map.", MESSAGE_MS)
        else:
            self.session.select(selection)

    @Slot(object)
    def _jump(self, selection: Selection | None) -> None:
        self._on_problem(selection)
        if selection is not None:
            self.frame_selection()

    @Slot(str)
    def go_to(self, text: str) -> None:
        """Select the cell, landblock or entity of an id and frame it."""
        world = self.session.world
        try:
            wanted = parse_id(text)
        except WorldError as error:
            self.status.showMessage(str(error), MESSAGE_MS)
            return
        if world is None:
            return
        block_id = landblock_id(wanted)
        sim = self.session.simulation
        for entity in [] if sim is None else sim.population.ordered:
            if entity.id == wanted:
                self.session.select(Selection(Kind.ENTITY, landblock_id(entity.place_cell()), wanted))
                self.frame_selection()
                return
        if block_id in self.session.index:
            if is_env_cell(low_of(wanted)) and world.graph.get_visible(wanted) is not None:
                self.session.select(Selection(Kind.CELL, block_id, wanted))
            else:
                self.session.select(Selection(Kind.LANDBLOCK, block_id, block_id))
            self.frame_selection()
            return
        self.status.showMessage(f"There is no cell, landblock or entity {text} in this world.", MESSAGE_MS)

    @Slot()
    def ask_for_id(self) -> None:
        """The search field takes ids too: one place to type, not two."""
        self.bring(self.world_dock)
        self.world_view.search.setFocus()
        self.world_view.search.selectAll()

    # --- looks

    def set_theme(self, light: bool) -> None:
        self.colours = LIGHT if light else DARK
        self.settings.setValue("theme", "light" if light else "dark")
        application = QApplication.instance()
        if isinstance(application, QApplication):
            apply_theme(application, self.colours)
        self.centre.set_colours(self.colours)
        self.details_view.set_colours(self.colours)
        self.world_view.set_colours(self.colours)
        self.live.set_colours(self.colours)
        self.problems_view.set_colours(self.colours)
        self.status.set_colours(self.colours)
        self.hints.set_colours(self.colours)
        recolour(self, self.colours)

    def keyPressEvent(self, event: QKeyEvent) -> None:  # noqa: N802  # Qt's name
        """Esc that nobody in the window had a use for cancels the work in progress."""
        progress = self.centre.progress
        if event.key() == Qt.Key.Key_Escape and progress.job is not None:
            progress.cancel()
        else:
            super().keyPressEvent(event)

    def resizeEvent(self, event: QResizeEvent) -> None:  # noqa: N802  # Qt's name
        super().resizeEvent(event)
        self.places.give_corner()

    @Slot()
    def reset_layout(self) -> None:
        self.places.reset()

    def closeEvent(self, event: QCloseEvent) -> None:  # noqa: N802  # Qt's name
        self.places.save(self.settings)
        if not self.projects.may_leave(self.close):
            event.ignore()
            return
        self.projects.close()
        super().closeEvent(event)

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
        problem = write_png(picture, name, self.session.sources)
        if problem:
            self.banner.warn(f"■ {problem}")
        else:
            self.status.showMessage(f"Saved {name}", MESSAGE_MS)
        return not problem


def theme_of(settings: QSettings) -> Colours:
    return LIGHT if settings.value("theme") == "light" else DARK
