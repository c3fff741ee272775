"""The second run beside the present one: led along the document's recording, live and afterwards, in short slices.

Both sides run in simulations of their own, in the window's thread: loaded landblocks are shared, and nothing of them is
thread-safe. So the present stays as it is, whichever tick it shows. A tick that has just run is compared at once, as
long as there are not many to compare; the rest follows between the events of the window.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Final

import numpy as np
from numpy.typing import NDArray
from PySide6.QtCore import QObject, QTimer, Signal, Slot

from editor.document.document import NOTHING_OPEN, Document
from editor.document.history import History
from editor.models.compare.columns import SecondColumns
from editor.models.timeline.columns import Envelope, Stretches
from engine.physics.rules import RuleSet, rule_set
from engine.sim.compare.answers import TickDifference
from engine.sim.compare.comparison import Parting
from engine.sim.compare.kept import KeptComparison
from engine.sim.compare.sides import Change, Side, arrival_of, begun, body_changes, rule_changes
from engine.sim.edits.edit import Edit
from engine.sim.edits.player import FacePlayer, PutPlayerBack, SetPlayerNumber, Teleport
from engine.sim.edits.rules import SetRule, SetRuleSet
from engine.sim.edits.world import OpenLandblock, SetTimeOfDay
from engine.sim.errors import SimError
from engine.sim.playback import ENGINE_ERRORS, check_world
from engine.sim.recording import Recording, Sample
from engine.sim.recording_file import load_recording
from engine.sim.tick.simulation import Simulation
from engine.world.world import World

SLICE_S: Final = 0.006
PAUSE_MS: Final = 10
"""Of 16 ms, a frame, comparing takes six."""

AT_ONCE: Final = 4
"""Ticks that are compared as soon as they were run: docks then never lag behind."""


NOTHING_EDITED: Final = "Nothing in the world was edited."

NO_EDITS_OF_WORLD: Final = (
    *(Teleport, PutPlayerBack, FacePlayer, SetPlayerNumber),
    *(SetRule, SetRuleSet, OpenLandblock, SetTimeOfDay),
)
"""Edits of a run that leave the world as it is."""


class CompareWatch(QObject):
    """The comparison of the open document's run with another one."""

    changed = Signal()
    """The comparison began or ended, more ticks are compared, or fewer, or more is known about them."""
    shown_changed = Signal()
    """Docks show the other side now."""

    def __init__(self, document: Document, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self.document = document
        self.title = ""
        """What is compared with, such as "ACE rules"."""
        self.names = ("", "")
        """Short names of both sides."""
        self.problem = ""
        """Why it could not go on; "" when it can."""
        self.columns = SecondColumns()
        self.revision = 0
        """Changes whenever something about the comparison does."""
        self.longest_slice = 0.0
        """Seconds; what the window had to wait at most."""
        self._kept: KeptComparison | None = None
        self._history: History | None = None
        self._branches = 0
        self._shows_second = False
        self._timer = QTimer(self)
        self._timer.setSingleShot(True)
        self._timer.timeout.connect(self._take_slice)
        document.started.connect(self._on_started)
        document.travelled.connect(self._on_travelled)
        document.changed.connect(self._on_changed)

    # --- asking

    @property
    def is_on(self) -> bool:
        """There is a second run."""
        return self._kept is not None

    @property
    def is_working(self) -> bool:
        return self._timer.isActive()

    @property
    def kept(self) -> KeptComparison | None:
        """The comparison itself; None when there is none."""
        return self._kept

    @property
    def compared(self) -> int:
        """Ticks compared so far, from the recording's first one on."""
        return 0 if self._kept is None else len(self._kept)

    @property
    def first(self) -> Parting | None:
        """The first tick after which anything differs. Its index counts from the recording's first tick."""
        return None if self._kept is None else self._kept.comparison.first

    @property
    def seen(self) -> Parting | None:
        """The first tick in which somebody is elsewhere or does something else."""
        return None if self._kept is None else self._kept.comparison.seen

    @property
    def first_tick(self) -> int:
        """The number of the first tick of the recording."""
        return 0 if self._history is None else self._history.first

    @property
    def distance(self) -> Envelope:
        """Metres between both bodies, for each tick compared. The numbers of all columns count from the first tick."""
        return self.columns.distance

    @property
    def height(self) -> Envelope:
        """Of the second body, like the columns below."""
        return self.columns.height

    @property
    def speed(self) -> Envelope:
        return self.columns.speed

    @property
    def heading(self) -> Envelope:
        return self.columns.heading

    @property
    def cells(self) -> Stretches:
        return self.columns.cells

    @property
    def differs(self) -> NDArray[np.bool_]:
        """Whether anything differs after a tick."""
        return self.columns.differs

    def sample_at(self, tick: int) -> Sample | None:
        """The second body after that tick has run, as the recording has it of the first; None where not compared."""
        index = tick - self.first_tick
        return self._kept.samples[1][index] if self._kept is not None and 0 <= index < len(self._kept) else None

    def difference_at(self, tick: int) -> TickDifference | None:
        """What differs after that tick has run; None where not compared. Its index counts from the first tick."""
        index = tick - self.first_tick
        return self._kept.difference(index) if self._kept is not None and 0 <= index < len(self._kept) else None

    def second_at(self, tick: int) -> Simulation | None:
        """The second run before a tick, where the document stands when its history is at that tick; None where not
        compared. It is to be read only, and before the next call."""
        if self._kept is None:
            return None
        try:
            return self._kept.second_before(tick - self.first_tick)
        except (SimError, *ENGINE_ERRORS) as error:
            self._fail(error)
            return None

    @property
    def shows_second(self) -> bool:
        """Docks show the second side."""
        return self._shows_second

    @shows_second.setter
    def shows_second(self, on: bool) -> None:
        on = on and self.is_on
        if on != self._shows_second:
            self._shows_second = on
            self.shown_changed.emit()

    # --- what to compare with

    def compare_rules(self, after: RuleSet, title: str) -> bool:
        """The same keys by these rules; False when that is not possible (`problem` says why)."""

        def sides(world: World, recording: Recording) -> tuple[Side, Side]:
            sim = begun(Side("", world, recording))
            before = sim.rules.copy()
            sim.close()
            changes = rule_changes(before, after)
            names = _rule_names(before, after, changes)
            return Side(names[0], world, recording), Side(names[1], world, recording, changes)

        return self._begin(title, sides)

    def compare_body(self, numbers: Sequence[tuple[str, float]]) -> bool:
        """The same keys with another body."""
        title = ", ".join(f"{name} {value:g}" for name, value in numbers)
        return self._begin(
            title,
            lambda world, recording: (
                Side("as walked", world, recording),
                Side(title, world, recording, body_changes(numbers)),
            ),
        )

    def compare_before_edits(self) -> bool:
        """The same keys in the world as it was before its edits: those of the undo stack and of the recording."""

        def sides(world: World, recording: Recording) -> tuple[Side, Side]:
            arrival = None
            if self._began_edited():
                sim = begun(Side("", world, recording))
                arrival = arrival_of(sim)
                sim.close()
            elif not any(is_of_world(edit) for edits in recording.edits.values() for edit in edits):
                raise SimError(NOTHING_EDITED)
            second = Side("without", world, recording, arrival=arrival, leaves_out=_is_left_out)
            return Side("with edits", world, recording), second

        return self._begin("World before the edits", sides)

    def _began_edited(self) -> bool:
        """The world had been edited before the recording began: by a project's steps."""
        project = self.document.session.project
        return project is not None and any(step.edits for step in project.steps)

    def compare_recording(self, path: Path) -> bool:
        """The keys and edits of another recording of this world."""

        def sides(world: World, recording: Recording) -> tuple[Side, Side]:
            other = load_recording(path)
            check_world(world, other)
            return Side("this run", world, recording), Side(path.name, world, other)

        return self._begin(f"Recording {path.name}", sides)

    @Slot()
    def stop(self) -> None:
        """Compare with nothing."""
        was_on = self.is_on
        self._close()
        self.title, self.names, self.problem = "", ("", ""), ""
        self.shows_second = False
        if was_on:
            self._tell()

    def _begin(self, title: str, sides: Callable[[World, Recording], tuple[Side, Side]]) -> bool:
        self._close()
        world, history = self.document.world, self.document.history
        self.title, self.problem, self.names = title, "", ("", "")
        if world is None or history is None:
            self.problem = NOTHING_OPEN
            return False
        try:
            one, two = sides(world.loaded, history.recording)
            self._kept = KeptComparison(one, two)
            self.names = (one.name, two.name)
            self._history, self._branches = history, history.branches
        except (SimError, *ENGINE_ERRORS) as error:
            self.problem = str(error)
            self.shows_second = False
        self._tell()
        self._wake()
        return self.is_on

    def _close(self) -> None:
        self._timer.stop()
        if self._kept is not None:
            self._kept.close()
        self._kept = self._history = None
        self.columns = SecondColumns()

    # --- what happens

    @Slot()
    def _on_started(self) -> None:
        """Another world: the runs of the last one are gone with it."""
        if self.document.history is not self._history:
            self.stop()

    @Slot()
    def _on_travelled(self) -> None:
        """If time continues from the past, the later ticks are gone."""
        history, kept = self.document.history, self._kept
        if history is None or kept is None or history.branches == self._branches:
            return
        self._branches = history.branches
        try:
            kept.cut(len(history.recording))
        except (SimError, *ENGINE_ERRORS) as error:
            self._fail(error)
            return
        self.columns.cut(len(kept))
        self.problem = ""
        self._tell()

    @Slot()
    def _on_changed(self) -> None:
        if self._kept is not None and 0 < self._lag(self._kept) <= AT_ONCE:
            self._take_slice()
        else:
            self._wake()

    def _tell(self) -> None:
        self.revision += 1
        self.changed.emit()

    # --- working

    def _lag(self, kept: KeptComparison) -> int:
        """The ticks that are left to compare."""
        return min(len(side.recording) for side in kept.comparison.sides) - len(kept)

    def _wake(self) -> None:
        """Go on if there is anything to compare; cheap, for it is asked after every tick."""
        kept = self._kept
        if kept is not None and not self.problem and not self._timer.isActive() and self._lag(kept) > 0:
            self._timer.start(PAUSE_MS)

    @Slot()
    def _take_slice(self) -> None:
        kept, began = self._kept, time.perf_counter()
        if kept is None or self.problem:
            return
        before = len(kept)
        try:
            while time.perf_counter() - began < SLICE_S and kept.step() is not None:
                pass
            self.problem = kept.comparison.ended
        except (SimError, *ENGINE_ERRORS) as error:
            self.problem = str(error)
        self.columns.read(kept)
        self.longest_slice = max(self.longest_slice, time.perf_counter() - began)
        if len(kept) != before or self.problem:
            self._tell()
        self._wake()

    def _fail(self, error: Exception) -> None:
        self.problem = str(error)
        self._timer.stop()
        self._tell()


def is_of_world(edit: Edit) -> bool:
    """Whether an edit changes the world, and not only the player, the rules or the light."""
    return not isinstance(edit, NO_EDITS_OF_WORLD)


def _is_left_out(tick: int, number: int, edit: Edit) -> bool:
    return is_of_world(edit)


def _rule_names(before: RuleSet, after: RuleSet, changes: Sequence[Change]) -> tuple[str, str]:
    """The names of the sets; where they are none, those of the forms of a single rule, or plain ones."""
    first, second = _set_name(before), _set_name(after)
    if first and second:
        return first, second
    if len(changes) == 1:
        return before.form(changes[0].title), after.form(changes[0].title)
    return first or "as walked", second or "other rules"


def _set_name(rules: RuleSet) -> str:
    return next((name for name in ("retail", "ace") if not rule_changes(rule_set(name), rules)), "")
