"""The window's open document in the words of the library: what the console and user scripts get as `document`.

Edits and ticks go through the document, so edits are undo steps, and everything is recorded.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Mapping, Sequence
from contextlib import ExitStack

from editor.document.document import READ_ONLY, Document
from editor.scripting.answers import tick_answer
from editor.scripting.comparing import Comparison, compare
from editor.scripting.errors import RefusedError, reported
from editor.scripting.keys import Keys, controls_of
from editor.scripting.places import one_cell
from editor.scripting.recordings import Recording
from editor.scripting.rules import Rules
from editor.scripting.stage import Stage
from editor.scripting.things import Door
from editor.scripting.values import Cell, Entity, Id, Tick, Trace
from editor.scripting.worlds import World
from editor.session.server_choice import place_of
from editor.session.session import Kind, Selection
from engine.entities.specs import DOOR
from engine.sim.conditions.reading import condition_of
from engine.sim.conditions.watch import ConditionWatch
from engine.sim.edits.edit import Edit
from engine.sim.tick.simulation import QUANTUM, Simulation
from engine.world.cells.ids import landblock_id
from engine.world.names import Named, NameKey

NOTHING_OPEN = "open a world first"


class OpenDocument(Stage):
    """The document of the window: its player, doors, cells and entities, its time and its past.

        document.doors["Front Door"].open()
        document.tick("W", 30)
        document.select("Front Door")

    What a line or a script edits is one undo step. If it raises an exception or is stopped, the document and its
    recording are as they were before.
    """

    def __init__(self, document: Document, check: Callable[[], object] = lambda: None) -> None:
        self._document = document
        self._check = check  # between ticks, whether the code that runs them was stopped
        self._world: World | None = None

    def __repr__(self) -> str:
        if self._document.simulation is None:
            return "OpenDocument(nothing is open)"
        return f"OpenDocument({self.source!r}, tick {self.tick_number})"

    def _forget_world(self) -> None:
        """Let go of a world that the window has closed."""
        if self._world is not None:
            self._world.close()
            self._world = None

    @property
    def engine(self) -> Simulation:
        if self._document.simulation is None:
            raise RefusedError(NOTHING_OPEN)
        return self._document.simulation

    @property
    def source(self) -> str:
        return self._document.session.source

    @property
    def world(self) -> World:
        """The open world as it was opened, for simulations and comparisons of your own; they change nothing here."""
        if self._world is None:
            session, sim = self._document.session, self.engine
            standing = Simulation(sim.world.loaded, player_id=sim.player.id)
            stack = ExitStack()
            stack.callback(standing.close)
            self._world = World(
                stack, standing, self.source, session.scene, session.landblock_id, session.server, steps=()
            )
        return self._world

    # --- editing

    def _make(self, title: str, edits: Sequence[Edit]) -> None:
        document = self._document
        self._check()
        if document.why_not_edit:
            raise RefusedError(document.why_not_edit)
        with reported():
            document.apply(title, *edits)

    @property
    def steps(self) -> tuple[str, ...]:
        """The titles of the steps that Undo would undo, the last one at the end."""
        return tuple(step.name for step in self._document.done_steps())

    def undo(self) -> None:
        """Undo the last step; what this line or script has edited so far is one."""
        self._editable()
        self._document.undo()

    def redo(self) -> None:
        """Redo the step that was undone last."""
        self._editable()
        self._document.redo()

    def rename(self, which: int | str, name: str) -> None:
        """Name a cell, by its id or its name; an empty name takes it away."""
        self._editable()
        with reported():
            key = NameKey(Named.CELL, one_cell(self.engine.world, which))
        self._document.rename(f"Rename {key.text}", {key: name})

    def _editable(self) -> None:
        if self._document.why_not_edit:
            raise RefusedError(self._document.why_not_edit)

    # --- time

    @property
    def tick_number(self) -> int:
        """The number of the next tick."""
        return self.engine.tick_number

    @property
    def seconds(self) -> float:
        """Simulated time so far."""
        return self.engine.seconds

    @property
    def last(self) -> Tick | None:
        """The tick that is shown: the last one that ran."""
        report = self.engine.last_report
        return None if report is None else tick_answer(self.engine, report)

    @property
    def is_in_past(self) -> bool:
        """Whether a recorded tick is shown, which cannot be edited: `go_to_present` leaves it."""
        return self._document.in_past

    def tick(self, keys: Keys = "", count: int = 1, *, look: float = 0.0, use: int | str | None = None) -> Tick | None:
        """Run ticks of 1/30 s with keys held: letters of the 3D view (`"W"`, `"WD"`) or words (`"forward run"`).

        `look` are degrees that the mouse turns him in the first one, clockwise; `use` is the door that he uses in it.
        In the past the recorded ticks run. Returns the last one.
        """
        document, sim = self._document, self.engine
        if not document.player_is_somewhere and not sim.player.steered.is_lost:
            raise RefusedError("the player is in no cell yet; place(...) puts him into one")
        with reported():
            first = controls_of(keys, look=look, use=0 if use is None else int(self.id_of(use)))
            others = controls_of(keys)
        for number in range(count):
            self._check()
            with reported():
                document.tick_many(1, first if number == 0 else others)
        return self.last

    def until(self, condition: str, keys: Keys = "", *, seconds: float = 60.0) -> Tick | None:
        """Run until a condition of Stop When holds, with keys held; None when it never does.

        The tick says in `because` what made it hold.
        """
        found: list[str] = []

        def hear(tick: int, because: list[str]) -> None:
            found[:] = because

        if self.is_in_past:
            raise RefusedError(READ_ONLY)
        with reported():
            watch = ConditionWatch(self.engine, [condition_of(condition, "until")], hear)
        try:
            for _ in range(round(seconds / QUANTUM)):
                self.tick(keys)
                report = self.engine.last_report
                if found and found[0] and report is not None:
                    return tick_answer(self.engine, report, found[0])
        finally:
            watch.close()
        return None

    def go_to(self, tick: int) -> None:
        """Show the world as it was before a tick."""
        history = self._document.history
        if history is None:
            raise RefusedError(NOTHING_OPEN)
        if not history.first <= tick <= history.end:
            raise RefusedError(f"the recording goes from tick {history.first:,} to {history.end:,}, not to {tick:,}")
        if tick != history.now and not self._document.go_to(tick):
            raise RefusedError(f"tick {tick:,} cannot be replayed")

    def go_to_present(self) -> None:
        """Leave the past."""
        if self._document.history is not None:
            self.go_to(self._document.history.end)

    # --- what was recorded

    @property
    def recording(self) -> Recording:
        """Everything since the world was opened; it does not grow with the document."""
        history, sim = self._document.history, self.engine
        if history is None:
            raise RefusedError(NOTHING_OPEN)
        recording, landblocks = history.kept()
        with reported():
            recording.know_world(sim.world, landblocks)
        recording.server = place_of(self._document.session.server)
        return Recording(recording, "", self.world)

    def trace(self, tick: int | None = None) -> Trace:
        """The player's sweeps of a tick, the one that is shown unless given."""
        return self.recording.trace(self.tick_number - 1 if tick is None else tick)

    def find(self, condition: str) -> list[int]:
        """The recorded ticks for which a condition of Stop When holds."""
        return self.recording.find(condition)

    def compare(self, *, rules: Rules | None = None, body: Mapping[str, float] | None = None) -> Comparison:
        """Where the recording parts from one by other rules, or in another body, and why."""
        return compare(self.recording, rules=rules, body=body)

    def save_recording(self, path: str | os.PathLike[str]) -> None:
        """Save the recording to a .cdrec file."""
        self.recording.save(path)

    # --- selecting

    @property
    def selection(self) -> Cell | Door | Entity | Id | None:
        """What is selected: a cell, a door, an entity, the id of something else, or None."""
        chosen = self._document.session.selection
        if chosen is None:
            return None
        if chosen.kind is Kind.CELL:
            return self.cell(chosen.key)
        if chosen.kind is Kind.ENTITY:
            thing = self.entities[chosen.key]
            return self.doors[chosen.key] if thing.kind == DOOR else thing
        return Id(chosen.key)

    def select(
        self,
        which: int | str | Entity | Door | None = None,
        *,
        cell: int | str | Cell | None = None,
        landblock: int | None = None,
    ) -> None:
        """Select an entity or a door, a cell or a landblock, by its id or its name; nothing without any."""
        session = self._document.session
        if landblock is not None:
            block_id = landblock_id(landblock)
            if block_id not in self.landblocks:
                raise RefusedError(f"there is no landblock {Id(block_id)}")
            session.select(Selection(Kind.LANDBLOCK, block_id, block_id))
        elif cell is not None:
            cell_id = self.cell(cell.id if isinstance(cell, Cell) else cell).id
            session.select(Selection(Kind.CELL, landblock_id(cell_id), int(cell_id)))
        elif which is not None:
            thing = self.entities[which.id if isinstance(which, Entity | Door) else which]
            session.select(Selection(Kind.ENTITY, landblock_id(thing.cell), int(thing.id)))
        else:
            session.select(None)
