"""All docks of the window. One entry here gives a dock its menus, its palette command, its place and its help."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Final

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QWidget

from editor.models.why_chain.fields import door_field, entity_field, player_field
from ui.docks.capture import CapturePanel
from ui.docks.cell.cell_dock import CellPanel
from ui.docks.compare.compare_dock import ComparePanel
from ui.docks.console.console_dock import ConsolePanel
from ui.docks.context import DockContext
from ui.docks.details import DetailsView
from ui.docks.doors import DoorsPanel
from ui.docks.entities import EntitiesPanel
from ui.docks.graph.graph_dock import CellGraphPanel
from ui.docks.log import LogPanel
from ui.docks.panel import LivePanel
from ui.docks.player.player_dock import PlayerPanel
from ui.docks.problems import ProblemsView
from ui.docks.pview.pview_dock import PViewPanel
from ui.docks.survey.survey_dock import SurveyPanel
from ui.docks.sweep.sweep_dock import SweepPanel
from ui.docks.timeline.plot_menu import PlotMenu, entity_choices, player_choices
from ui.docks.timeline.timeline_dock import TimelinePanel
from ui.docks.why.why_dock import WhyPanel
from ui.docks.why_menu import WhyMenu
from ui.docks.world import WorldPanel
from ui.view3d.viewport import Viewport

Factory = Callable[[DockContext, QWidget], QWidget]
LEFT: Final = Qt.DockWidgetArea.LeftDockWidgetArea
RIGHT: Final = Qt.DockWidgetArea.RightDockWidgetArea
BOTTOM: Final = Qt.DockWidgetArea.BottomDockWidgetArea


@dataclass(frozen=True)
class DockSpec:
    """One dock. Docks of one `group` share a place in their area as tabs, in the order of the table."""

    id: str
    title: str
    factory: Factory
    area: Qt.DockWidgetArea
    group: str
    page: str
    """Its page in docs/docks."""
    is_first: bool = False
    """It is in front of its group at the first start."""

    @property
    def object_name(self) -> str:
        """The name by which Qt finds the dock in a saved layout."""
        return f"dock-{self.title.lower()}"


def _draw_models(made: LivePanel, context: DockContext) -> None:
    """Catalogues show their models, drawn by the 3D view."""
    if isinstance(context.picture, Viewport):
        made.model_pictures = context.picture.thumbnails


def _world(context: DockContext, parent: QWidget) -> QWidget:
    made = WorldPanel(context.document, context.changes, parent)
    made.framed.connect(context.navigation.frame_selection)
    made.rename_wanted.connect(context.links.rename_wanted)
    made.id_activated.connect(context.navigation.go_to)
    return made


def _details(context: DockContext, parent: QWidget) -> QWidget:
    made = DetailsView(context.document, parent)
    made.id_activated.connect(context.navigation.go_to)
    made.portal_activated.connect(context.links.show_portal)
    made.value_asked.connect(context.links.ask_value)
    made.rename_wanted.connect(context.links.rename_wanted)
    return made


def _problems(context: DockContext, parent: QWidget) -> QWidget:
    made = ProblemsView(context.document, context.problems, context.walks, context.survey, parent)
    made.framed.connect(context.navigation.frame_selection)
    made.walk_compared.connect(context.links.walk_compared)
    made.walks_wanted.connect(context.links.walks_wanted)
    made.finding_shown.connect(context.links.finding_shown)
    made.taken_there.connect(context.links.taken_there)
    return made


def _graph(context: DockContext, parent: QWidget) -> QWidget:
    made = CellGraphPanel(context.document, parent)
    made.show_reach(context.survey)
    made.look_through(context.viewing, context.picture)
    context.links.portal_chosen.connect(made.show_portal)
    made.rename_wanted.connect(context.links.rename_wanted)
    return made


def _cell(context: DockContext, parent: QWidget) -> QWidget:
    made = CellPanel(context.document, parent)
    _draw_models(made, context)
    made.look_through(context.viewing, context.picture)
    context.links.portal_chosen.connect(made.show_portal)
    made.rename_wanted.connect(context.links.rename_wanted)
    return made


def _pview(context: DockContext, parent: QWidget) -> QWidget:
    made = PViewPanel(context.document, parent)
    made.look_through(context.viewing, context.picture)
    made.portal_chosen.connect(context.links.portal_chosen)
    return made


def _sweep(context: DockContext, parent: QWidget) -> QWidget:
    made = SweepPanel(context.document, context.clock, parent)
    made.compare_with(context.compare)
    made.step_chosen.connect(context.viewing.show_substep)
    made.step_framed.connect(context.viewing.frame_substep)
    context.links.move_chosen.connect(made.lend)
    context.links.why_asked.connect(made.explain)
    context.links.trace_wanted.connect(made.show_row)
    context.links.trace_shown.connect(made.follow_row)
    return made


def _capture(context: DockContext, parent: QWidget) -> QWidget:
    made = CapturePanel(context.document, parent)
    made.lent.connect(context.links.move_chosen)
    return made


def _doors(context: DockContext, parent: QWidget) -> QWidget:
    made = DoorsPanel(context.document, parent)
    made.walk_wanted.connect(context.viewing.show_walk)
    made.asked.connect(lambda: context.links.dock_wanted.emit("doors"))
    context.viewing.door_asked.connect(made.explain)
    _draw_models(made, context)
    PlotMenu(made.view, context.plots, entity_choices(context.document))
    WhyMenu(made.view, context.document, context.links, door_field)
    return made


def _entities(context: DockContext, parent: QWidget) -> QWidget:
    made = EntitiesPanel(context.document, parent)
    made.door_asked.connect(context.viewing.door_asked)
    made.place_wanted.connect(context.navigation.go_to)
    _draw_models(made, context)
    PlotMenu(made.view, context.plots, entity_choices(context.document))
    WhyMenu(made.view, context.document, context.links, entity_field)
    WhyMenu(made.bit_view, context.document, context.links, made.bit_field)
    return made


def _player(context: DockContext, parent: QWidget) -> QWidget:
    made = PlayerPanel(context.document, context.clock, context.events, parent)
    PlotMenu(made.view, context.plots, player_choices)
    WhyMenu(made.view, context.document, context.links, player_field)
    return made


def _timeline(context: DockContext, parent: QWidget) -> QWidget:
    finds = context.finds
    made = TimelinePanel(
        context.document, context.clock, context.events, context.plots, finds, context.settings, parent
    )
    made.compare_with(context.compare)
    made.why_asked.connect(context.links.explain)
    made.value_asked.connect(context.links.ask_value)
    if isinstance(context.picture, Viewport):
        context.picture.painted.connect(made.note_frame)
    return made


def _compare(context: DockContext, parent: QWidget) -> QWidget:
    return ComparePanel(context.document, context.clock, context.compare, parent)


def _why(context: DockContext, parent: QWidget) -> QWidget:
    made = WhyPanel(context.document, context.clock, parent)
    made.link_shown.connect(context.viewing.show_cause)
    made.link_framed.connect(context.viewing.frame_cause)
    made.trace_wanted.connect(context.links.show_trace)
    made.trace_shown.connect(context.links.trace_shown)
    context.links.value_asked.connect(made.ask)
    return made


def _survey(context: DockContext, parent: QWidget) -> QWidget:
    made = SurveyPanel(context.document, context.survey, parent)
    links = context.links
    made.show_wanted.connect(links.finding_shown)
    made.take_wanted.connect(links.taken_there)
    made.why_wanted.connect(links.finding_explained)
    made.fix_wanted.connect(links.finding_fixed)
    made.marked.connect(context.viewing.reach.mark)
    return made


def _log(context: DockContext, parent: QWidget) -> QWidget:
    return LogPanel(context.document, context.log, parent)


def _console(context: DockContext, parent: QWidget) -> QWidget:
    return ConsolePanel(context.document, context.settings, parent)


DOCKS: Final[Sequence[DockSpec]] = (
    DockSpec("graph", "Cell Graph", _graph, LEFT, "cells", "cell-graph.md", is_first=True),
    DockSpec("world", "World", _world, LEFT, "cells", "world.md"),
    DockSpec("doors", "Doors", _doors, LEFT, "things", "doors.md", is_first=True),
    DockSpec("entities", "Entities", _entities, LEFT, "things", "entities.md"),
    DockSpec("capture", "Capture", _capture, LEFT, "things", "capture.md"),
    DockSpec("survey", "Survey", _survey, LEFT, "things", "survey.md"),
    DockSpec("cell", "Cell", _cell, RIGHT, "selection", "cell.md", is_first=True),
    DockSpec("player", "Player", _player, RIGHT, "selection", "player.md"),
    DockSpec("details", "Details", _details, RIGHT, "selection", "details.md"),
    DockSpec("sweep", "Sweep", _sweep, RIGHT, "selection", "sweep.md"),
    DockSpec("compare", "Compare", _compare, RIGHT, "selection", "compare.md"),
    DockSpec("why", "Why", _why, RIGHT, "selection", "why.md"),
    DockSpec("timeline", "Timeline", _timeline, BOTTOM, "time", "timeline.md", is_first=True),
    DockSpec("pview", "PView", _pview, BOTTOM, "time", "pview.md"),
    DockSpec("problems", "Problems", _problems, BOTTOM, "time", "problems.md"),
    DockSpec("log", "Log", _log, BOTTOM, "time", "log.md"),
    DockSpec("console", "Console", _console, BOTTOM, "time", "console.md"),
)
"""In an area the groups are below each other in the order of the table."""

GROUP_HEIGHTS: Final = {"cells": 4.0, "things": 5.0}
"""How the height of an area is shared by the groups in it at the first start."""
