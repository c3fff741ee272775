"""What a survey's findings and reached places offer in the window: Show, Take Me There, Why and Fix, in the dock and in
the menus of the picture, the map and Problems."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from PySide6.QtCore import QObject, Slot
from PySide6.QtWidgets import QMenu

from editor.document.clock import Clock
from editor.models.compare.watch import CompareWatch
from editor.models.survey.rows import selection_of, title_of_check
from editor.models.survey.watch import SurveyWatch, Way
from editor.models.why import ValueAsked
from editor.process.plain_text import action_text, plain_lines
from editor.session.session import Kind, Selection
from editor.view3d.view import View3D
from engine.findings.errors import FindingError
from engine.findings.finding import Family, Found
from engine.findings.registry import CHECKS
from engine.geometry.vec import Vec3
from engine.physics.rules import RETAIL, RULE_NAMES
from engine.sim.errors import SimError
from ui.context import WindowContext
from ui.docks.context import DockLinks
from ui.map.landblock_map import MapView
from ui.view3d.viewport import Viewport
from ui.widgets.banner import SIGN
from ui.window.dock_layout import Docks

if TYPE_CHECKING:
    from editor.models.survey.playing import KeyPlayer

TAKE: Final = "Take Me There"
TAKES: Final = "Leads the player there by the keys that the survey found; undo returns him"
NO_SURVEY: Final = "Start a survey of this landblock first: the dock Survey has it."
NOBODY: Final = "The survey did not come there."


class SurveyActions(QObject):
    """Answers the docks' links. What plays recordings is made when it is first needed."""

    def __init__(
        self,
        context: WindowContext,
        clock: Clock,
        links: DockLinks,
        docks: Docks,
        viewing: View3D,
        watch: SurveyWatch,
        compare: CompareWatch,
    ) -> None:
        super().__init__(context.window)
        self._context = context
        self._clock = clock
        self._links = links
        self._docks = docks
        self._viewing = viewing
        self._compare = compare
        self.document = context.document
        self.watch = watch
        self._player: KeyPlayer | None = None
        self._explained: Found | None = None
        links.finding_shown.connect(self.show)
        links.finding_explained.connect(self.explain)
        links.finding_fixed.connect(self.fix)
        links.taken_there.connect(self.take)
        watch.said.connect(context.messages.say)
        watch.failed.connect(self._warn)

    @property
    def player(self) -> KeyPlayer:
        """Plays recordings in the world."""
        if self._player is None:
            from editor.models.survey.playing import KeyPlayer

            self._player = KeyPlayer(self.document, self._clock, self)
            self._player.ended.connect(self._on_ended)
        return self._player

    # --- findings

    @Slot(object)
    def show(self, found: Found) -> None:
        """Let a ghost walk a finding's recording in the picture."""
        from editor.models.survey.playing import walk_of

        sim = self.document.simulation
        if sim is None or not found.recording:
            return
        try:
            walk = walk_of(sim, found.recording)
        except SimError as error:
            self._warn(f"{title_of_check(found.check)} cannot be shown: {error.reason}")
            return
        self._context.session.select(selection_of(found))
        self._viewing.reach.mark(found)
        self._viewing.show_walk(walk)

    @Slot(object)
    def explain(self, found: Found) -> None:
        """Play a finding's recording in the world and ask since when the player is where it ends; for a difference
        between rule sets, let the other one run beside it."""
        if found.recording:
            self._explained = found
            if not self._play(found.recording, None, f"Why {title_of_check(found.check)}", at_once=True):
                self._explained = None

    @Slot(object)
    def fix(self, found: Found) -> None:
        """Make the fix of a finding as an edit that can be undone."""
        if found.fix is None:
            return
        try:
            edits = found.fix.edits()
        except FindingError as error:
            self._warn(f"{found.fix.name}: {error}")
            return
        self.document.edit(found.fix.name, *edits)

    # --- going there

    @Slot(object)
    def take(self, target: Found | int | tuple[int, Vec3]) -> None:
        """Lead the player along a finding's recording, to the place of a cell that is reached first, or to a place."""
        if isinstance(target, Found):
            self._play(target.recording, None, f"{TAKE}: {title_of_check(target.check)}")
            return
        cell_id, point = target if isinstance(target, tuple) else (target, None)
        self._context.messages.say("Looking for the walk there …")

        def taken(way: Way | None, reason: str) -> None:
            if way is None:
                self._warn(f"{TAKE}: {reason}")
            else:
                name = self.document.names.cell(cell_id)
                self._play(way.recording, way, f"{TAKE}: {name}")

        self.watch.recording_to(cell_id, point, taken)

    def _play(self, data: bytes, way: Way | None, title: str, *, at_once: bool = False) -> bool:
        from editor.models.survey.playing import read_walk, terms_of

        result, sim = self.watch.result, self.document.simulation
        if result is None or sim is None:
            return False
        if self.document.why_not_edit:
            self._warn(f"{title}: {self.document.why_not_edit}")
            return False
        try:
            recording = read_walk(data)
            edits = terms_of(sim, recording, result.settings, way)
        except SimError as error:
            self._warn(f"{title}: {error.reason}")
            return False
        return self.player.play(recording, edits, title, at_once=at_once)

    @Slot(str, bool)
    def _on_ended(self, sentence: str, arrived: bool) -> None:
        explained, self._explained = self._explained, None
        if not arrived:
            self._warn(sentence)
            return
        self._context.messages.say(sentence)
        if explained is None:
            return
        check = CHECKS.get(explained.check)
        if check is not None and check.family is Family.RULES:
            rules = self.document.sim.rules
            other = "ace" if all(rules.form(rule) == RETAIL for rule in RULE_NAMES) else "retail"
            if self._compare.compare_rule_set(other):
                self._links.dock_wanted.emit("compare")
            return
        self._links.ask_value(ValueAsked(self.document.sim.player.id, "cell"))

    # --- menus

    def offer_in(self, viewport: Viewport | None, plan: MapView) -> None:
        """Offer Take Me There where a place is under the mouse."""
        if viewport is not None:
            viewport.menu_opening.connect(self._add_to_picture)
        plan.menu_opening.connect(self._add_to_map)

    @Slot(object, object, object)
    def _add_to_picture(self, menu: QMenu, cell_id: int, point: Vec3) -> None:
        self._add(menu, cell_id, point)

    @Slot(object, object)
    def _add_to_map(self, menu: QMenu, selection: Selection | None) -> None:
        if selection is not None and selection.kind is Kind.CELL:
            self._add(menu, selection.key, None)

    def _add(self, menu: QMenu, cell_id: int, point: Vec3 | None) -> None:
        result = self.watch.result
        if result is None:
            return
        why_not = self.document.why_not_edit or ("" if cell_id in result.cells() else NOBODY)
        menu.addSeparator()
        made = menu.addAction(action_text(TAKE))
        made.setEnabled(not why_not)
        made.setToolTip(plain_lines(why_not or TAKES))
        made.triggered.connect(lambda checked=False: self.take(cell_id if point is None else (cell_id, point)))

    @Slot(str)
    def _warn(self, sentence: str) -> None:
        self._context.banner.warn(f"{SIGN}{sentence}")
