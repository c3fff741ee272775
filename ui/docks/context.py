"""What a dock is made of: the services of the window that docks may use, none of which is the window."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Protocol, runtime_checkable

from PySide6.QtCore import QObject, QSettings, Signal, SignalInstance
from PySide6.QtWidgets import QWidget

from editor.document.clock import Clock
from editor.document.document import Document
from editor.models.compare.watch import CompareWatch
from editor.models.conditions.finds import ConditionFinds
from editor.models.landblock_changes import LandblockChanges
from editor.models.log import Log
from editor.models.survey.watch import SurveyWatch
from editor.models.timeline.events import EventLog
from editor.models.timeline.plots import Plots
from editor.models.walks.watch import WalkWatch
from editor.models.why import ValueAsked, Why
from editor.session.session import Session
from editor.validation.problem_watch import ProblemWatch
from editor.view3d.view import View3D
from ui.commands.registry import CommandSet
from ui.theme.theme import Colours


class Navigation(Protocol):
    """Brings things into view, in the 3D view or on the map."""

    def frame_selection(self) -> None:
        """Bring the selection into view."""

    def go_to(self, text: str) -> None:
        """Select the cell, landblock or entity of an id and bring it into view."""


class DockLinks(QObject):
    """Signals between docks, none of which knows another."""

    portal_chosen = Signal(object)
    """A portal whose both sides are to be shown."""
    move_chosen = Signal(str, object)
    """A title and the sweeps of a captured move, to be inspected."""
    dock_wanted = Signal(str)
    """The id of a dock that is to come to the front."""
    why_asked = Signal(object)
    """A `Why`; Sweep answers it."""
    value_asked = Signal(object)
    """A `ValueAsked`; Why answers it."""
    trace_wanted = Signal(int, object)
    """A tick, and the way to a row of its trace, which Sweep shows."""
    trace_shown = Signal(int, object)
    """The same; Sweep shows it if it is on the screen."""

    walk_compared = Signal(object)
    """A kept walk is to be compared with how it goes now."""
    walks_wanted = Signal()
    """The list of kept walks is wanted on the screen."""

    rename_wanted = Signal(object)
    """The key of a cell, portal or model that is to be named."""

    finding_shown = Signal(object)
    """A finding of a survey whose recording is to be played in the picture."""
    finding_explained = Signal(object)
    """A finding whose last tick is to be explained."""
    finding_fixed = Signal(object)
    """A finding whose fix is to be made."""
    taken_there = Signal(object)
    """A finding, the id of a cell, or a cell and a point of it, to lead the player to."""

    def show_portal(self, portal: object) -> None:
        """Mark a portal in Cell, which comes to the front, and in the graph."""
        self.dock_wanted.emit("cell")
        self.portal_chosen.emit(portal)

    def explain(self, why: Why) -> None:
        """Bring Sweep to the front, in the tick that the question is about, with the row that decided selected."""
        self.dock_wanted.emit("sweep")
        self.why_asked.emit(why)

    def ask_value(self, asked: ValueAsked) -> None:
        """Bring Why to the front, with the answer since when a value is as it is, and by what."""
        self.dock_wanted.emit("why")
        self.value_asked.emit(asked)

    def show_trace(self, tick: int, row: tuple[int, ...]) -> None:
        """Bring Sweep to the front, in a tick, with a row of its trace selected."""
        self.dock_wanted.emit("sweep")
        self.trace_wanted.emit(tick, row)


@dataclass(frozen=True)
class DockContext:
    """The services that the factories of the docks choose from."""

    session: Session
    document: Document
    clock: Clock
    log: Log
    problems: ProblemWatch
    changes: LandblockChanges
    viewing: View3D
    picture: QWidget | None
    """The widget of the 3D view; None where there is no OpenGL."""
    navigation: Navigation
    links: DockLinks
    events: EventLog
    """What has happened, with its causes."""
    plots: Plots
    """The curves that the user added to the Timeline."""
    finds: ConditionFinds
    """The ticks of the past for which the chosen condition holds."""
    compare: CompareWatch
    """The second run beside the present one."""
    walks: WalkWatch
    """The kept walks, and which of them go otherwise."""
    survey: SurveyWatch
    """The search of the landblock in view, and what it has found."""
    settings: QSettings


@runtime_checkable
class HasCommands(Protocol):
    """A dock that brings commands along."""

    commands: CommandSet


@runtime_checkable
class HasColours(Protocol):
    """A dock that draws in the colours of the theme."""

    def set_colours(self, colours: Colours) -> None:
        """Draw in these colours from now on."""


@runtime_checkable
class HasBadge(Protocol):
    """A dock that shows a number or a sign beside its title."""

    badge_changed: SignalInstance
