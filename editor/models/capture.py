"""An opened capture: its moves as rows, and the trace of each move replayed in its world."""

from __future__ import annotations

from pathlib import Path
from typing import Final, Protocol

from editor.models.live_table import ACCEPTED, DIM, FAULT, Column, Row, Value
from editor.process.plain_text import counted
from editor.session.loading import CaptureArrival
from editor.session.session import Kind, Selection
from engine.geometry.frame import Frame
from engine.geometry.vec import ZERO, Vec3
from engine.sim.captures.replay import Replay, replay_record
from engine.sim.trace.recorder import TraceRecorder
from engine.sim.trace.tree import TraceNode, vec_text
from engine.world.cells.ids import cell_text, landblock_id

COLUMNS: Final = (
    Column("Tick", mono=True, right=True, sample="999,999"),
    Column("Result", sample="■ differs"),
    Column("Cell", mono=True, sample="0x00000000"),
    Column("Difference"),
)


class Moves(Protocol):
    """What the dock shows: an opened capture, or one that is followed."""

    columns: tuple[Column, ...]
    path: Path
    source: str

    def close(self) -> None: ...

    @property
    def differing(self) -> list[int]:
        """The numbers of the moves that come out differently from the recording."""

    def rows(self, *, all_of_them: bool) -> list[Row]: ...

    def summary(self) -> str: ...

    def text_of(self, number: int) -> str:
        """One move in full."""

    def take_apart(self, number: int) -> list[TraceNode]:
        """The sweep of one move, with a full trace."""

    def title_of(self, number: int) -> str:
        """The heading of a move's sweep."""

    def start_of(self, number: int) -> tuple[int, Vec3, float]:
        """The start of a move: cell, feet in its landblock, heading."""


class Capture:
    """The moves of a file; closed when another file is opened."""

    columns: tuple[Column, ...] = COLUMNS

    def __init__(self, arrival: CaptureArrival) -> None:
        self.name = arrival.request.name
        self.path = Path(arrival.request.source)
        self.source = arrival.source
        self.replays = arrival.replays
        self.sim = arrival.sim
        self.anchor = arrival.anchor
        self.is_closed = False

    def close(self) -> None:
        self.is_closed = True
        self.sim.close()
        self.sim.world.loaded.close()

    @property
    def differing(self) -> list[int]:
        """The numbers of the moves that come out differently from the recording."""
        return [number for number, replay in enumerate(self.replays) if not replay.agrees]

    def rows(self, *, all_of_them: bool) -> list[Row]:
        shown = range(len(self.replays)) if all_of_them else self.differing
        return [self._row(number, self.replays[number]) for number in shown]

    def _row(self, number: int, replay: Replay) -> Row:
        record = replay.record
        cell_id = record.input.cell_id
        verdict = Value("✓ agrees", "agrees", ACCEPTED) if replay.agrees else Value("■ differs", "differs", FAULT)
        fields = ", ".join(difference.field for difference in replay.differences)
        values = (
            Value(f"{record.tick:,}", str(record.tick)),
            verdict,
            Value(cell_text(cell_id)),
            Value(fields or "–", fields, "" if fields else DIM),
        )
        return Row(number, values, Selection(Kind.CELL, landblock_id(cell_id), cell_id))

    def summary(self) -> str:
        count, wrong = len(self.replays), len(self.differing)
        moves = counted(count, "move")
        if not wrong:
            return f"{self.name}: ✓ {moves}, replayed as recorded"
        verb = "comes" if wrong == 1 else "come"
        return f"{self.name}: ■ {wrong:,} of {moves} {verb} out differently"

    def text_of(self, number: int) -> str:
        """One move in full."""
        replay = self.replays[number]
        given = replay.record.input
        lines = [
            f"tick {replay.record.tick}, move {number + 1} of {len(self.replays)}",
            f"cell {cell_text(given.cell_id)}",
            f"from {vec_text(given.current)}",
            f"to   {vec_text(given.target)}",
            f"recorded {vec_text(replay.record.result.position)} in {cell_text(replay.record.result.cell_id)}",
            f"ours     {vec_text(replay.position)} in {cell_text(replay.result.cell_id)}",
            "",
        ]
        for difference in replay.differences:
            lines += [difference.field, f"  recorded {difference.recorded}", f"  ours     {difference.ours}"]
        return "\n".join(lines if replay.differences else [*lines, "everything agrees"])

    def take_apart(self, number: int) -> list[TraceNode]:
        """Replay one move with a full trace."""
        recorder = TraceRecorder()
        replay = self.replays[number]
        replay_record(self.sim.graph, self.sim.rules, replay.record, replay.frame, recorder)
        return recorder.sweeps

    def title_of(self, number: int) -> str:
        """The heading of a move's sweep."""
        replay = self.replays[number]
        verdict = "✓ as recorded" if replay.agrees else "■ differs from the recording"
        return f"{self.name}, tick {replay.record.tick:,}: {verdict}"

    def start_of(self, number: int) -> tuple[int, Vec3, float]:
        """The start of a move: cell, feet in its landblock, heading."""
        replay = self.replays[number]
        record = replay.record
        cell_id = record.input.cell_id
        heading = 0.0 if record.before is None else Frame(ZERO, record.before.orientation).heading()
        return cell_id, replay.frame.into(cell_id, record.input.current), heading
