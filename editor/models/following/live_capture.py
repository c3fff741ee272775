"""A capture that is followed, or was: its last moves and those that differ as rows, under both rule sets, and the sweep
of each replayed again."""

from __future__ import annotations

import time
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Final

from editor.models.live_table import ACCEPTED, DIM, FAULT, Column, Row, Value
from editor.process.plain_text import counted
from editor.session.following import Following
from editor.session.session import Kind, Selection
from engine.geometry.vec import Vec3
from engine.physics.rules import ACE, RETAIL
from engine.sim.captures.live.follower import SETS, Follower, fields_of
from engine.sim.captures.live.kept import Mark
from engine.sim.trace.tree import TraceNode, vec_text
from engine.world.cells.ids import cell_text, landblock_id

COLUMNS: Final = (
    Column("Tick", mono=True, right=True, sample="999,999"),
    Column("Retail", tip="Replayed by the rules of the client", sample="■ differs"),
    Column("ACE", tip="Replayed by the rules of the server", sample="■ differs"),
    Column("Cell", mono=True, sample="0x00000000"),
    Column("Difference"),
)
LISTED: Final = 200
"""The last moves that are listed while they come, and as many of those that differ."""
LISTED_AFTERWARDS: Final = 5_000
HELD: Final = "▸"
"""Before the condition that paused the following at a move."""
PATIENCE: Final = 0.01
"""Seconds that a refresh waits for the worker."""


class LiveCapture:
    """What `Following` has brought so far. Rows are keyed by the records' numbers."""

    columns: tuple[Column, ...] = COLUMNS

    def __init__(self, following: Following) -> None:
        self.following = following
        self.name = following.path.name
        self.path = following.path
        self.source = following.source
        self._rows: list[Row] = []
        self._different: list[int] = []
        self._summary = f"{self.name}: opening the world that it is followed in …"
        self._status = f"Following {self.name}: opening its world …"

    def close(self) -> None:
        self.following.close()

    @property
    def is_live(self) -> bool:
        return self.following.is_on

    @property
    def differing(self) -> list[int]:
        """The numbers of the kept moves that come out differently under either rule set."""
        with self._follower() as follower:
            if follower is not None:
                self._different = _differing(follower)
        return self._different

    @property
    def count(self) -> int:
        """Moves so far."""
        follower = self.following.follower
        return 0 if follower is None else follower.kept.end

    def rows(self, *, all_of_them: bool) -> list[Row]:
        """The last moves, and the last that differ; while landblocks come in, those of the last time."""
        most = LISTED if self.is_live else LISTED_AFTERWARDS
        with self._follower() as follower:
            if follower is None:
                return self._rows
            shown = dict.fromkeys(_differing(follower)[-most:])
            if all_of_them:
                kept = follower.kept
                shown.update(dict.fromkeys(range(max(kept.first, kept.end - most), kept.end)))
            held = self.following.held
            shown.update(dict.fromkeys(number for number in held if number >= follower.kept.first))
            mark, player = follower.kept.mark, follower.player
            self._rows = [_row(number, mark(number), player, held.get(number, "")) for number in sorted(shown)]
        return self._rows

    @contextmanager
    def _follower(self) -> Iterator[Follower | None]:
        """The follower, unless it is busy for longer than the window may wait, or not there yet."""
        lock = self.following.lock
        if not lock.acquire(timeout=PATIENCE):
            yield None
            return
        try:
            yield self.following.follower
        finally:
            lock.release()

    def summary(self) -> str:
        """How it stands, for the dock."""
        with self._follower() as follower:
            if follower is None:
                reason = self.following.reason
                return f"{self.name} cannot be followed: {reason}" if reason else self._summary
            parts = [counted(follower.kept.end, "record")]
            if follower.sessions > 1:
                parts[0] += f" of {follower.sessions:,} sessions"
            parts.append(_differ(follower))
            if follower.of_others:
                parts.append(f"{follower.of_others:,} of other bodies")
            if follower.not_replayed:
                parts.append(f"{follower.not_replayed:,} not replayed")
            if follower.fault_count:
                parts.append(f"■ {counted(follower.fault_count, 'line')} without a record that can be replayed")
            if follower.kept.first:
                parts.append(f"the first {follower.kept.first:,} are no longer kept")
            state = self._state(follower)
            told = f"\n{follower.told[-1]}" if follower.told else ""
        self._summary = f"{self.name}: {state}. {'; '.join(parts)}.{told}"
        return self._summary

    def _state(self, follower: Follower) -> str:
        if not self.is_live:
            return "no longer followed"
        if self.following.paused_at is not None:
            return f"paused at {self.following.why_paused or 'a difference'}; Go On follows on from there"
        if follower.problem:
            return f"waiting: the file {follower.problem}"
        return "following"

    def status(self) -> str:
        """One line for the status bar: what is followed, how many records, how many differ, how old the last one is."""
        following = self.following
        with self._follower() as follower:
            if follower is None:
                return self._status
            if follower.problem and not follower.kept.end:
                return f"Following {self.name}: it {follower.problem}"
            verb = "Paused" if following.paused_at is not None else "Following"
            age = _age(time.monotonic() - following.news.latest_at) if follower.kept.end else "none yet"
            counts = f"{counted(follower.kept.end, 'record')} · {_differ(follower)}"
        why = f" at {following.why_paused}" if following.why_paused else ""
        self._status = f"{verb} {self.name}{why} · {counts} · last {age}"
        return self._status

    def text_of(self, number: int) -> str:
        """One move in full."""
        with self.following.lock:
            follower = self.following.follower
            if follower is None or not follower.kept.first <= number < follower.kept.end:
                return ""
            record, frame, replays = follower.again(number)
        given = record.input
        lines = [
            f"tick {record.tick}, line {record.where.rpartition(':')[2]}, body {cell_text(given.moving_entity_id)}",
            f"cell {cell_text(given.cell_id)}, in the frame of {cell_text(landblock_id(frame.anchor))}",
            f"from {vec_text(given.current)}",
            f"to   {vec_text(given.target)}",
            f"recorded {vec_text(record.result.position)} in {cell_text(record.result.cell_id)}",
        ]
        for name, replay in zip(SETS, replays, strict=False):
            lines.append(f"{name:8} {vec_text(replay.position)} in {cell_text(replay.result.cell_id)}")
        for name, replay in zip(SETS, replays, strict=False):
            lines += ["", f"{name}: {'as recorded' if replay.agrees else 'differs'}"]
            for difference in replay.differences:
                lines += [difference.field, f"  recorded {difference.recorded}", f"  ours     {difference.ours}"]
        return "\n".join(lines if replays else [*lines, "", "It cannot be replayed in this world."])

    def take_apart(self, number: int) -> list[TraceNode]:
        """Replay one move with a full trace, by the rules under which it differs."""
        with self.following.lock:
            follower = self.following.follower
            if follower is None or not follower.kept.first <= number < follower.kept.end:
                return []
            return follower.trace(number, _rules_of(follower.kept.mark(number)))

    def title_of(self, number: int) -> str:
        """The heading of a move's sweep."""
        with self.following.lock:
            follower = self.following.follower
            if follower is None or not follower.kept.first <= number < follower.kept.end:
                return self.name
            mark = follower.kept.mark(number)
        differs = mark.retail or mark.ace
        verdict = "■ differs from the recording" if differs else "✓ as recorded"
        return f"{self.name}, tick {mark.tick:,}, by the rules of {_rules_of(mark)}: {verdict}"

    def start_of(self, number: int) -> tuple[int, Vec3, float]:
        """The start of a move: cell, feet in its landblock, heading."""
        with self.following.lock:
            assert self.following.follower is not None
            return self.following.follower.start_of(number)


def _differing(follower: Follower) -> list[int]:
    return [number for number in follower.differing_numbers if number >= follower.kept.first]


def _rules_of(mark: Mark) -> str:
    return ACE if mark.ace and not mark.retail else RETAIL


def _row(number: int, mark: Mark, player: int, held: str) -> Row:
    fields = dict.fromkeys([*fields_of(mark.retail or 0), *fields_of(mark.ace or 0)])
    text = ", ".join(fields)
    if mark.mover != player:
        text = f"{text} (body {cell_text(mark.mover)})".lstrip()
    if held:
        text = f"{HELD} {held}; {text}".rstrip("; ")
    values = (
        Value(f"{mark.tick:,}", str(mark.tick)),
        _verdict(mark.retail),
        _verdict(mark.ace),
        Value(cell_text(mark.cell_id)),
        Value(text or "–", text, "" if fields or held else DIM),
    )
    return Row(number, values, Selection(Kind.CELL, landblock_id(mark.cell_id), mark.cell_id))


def _verdict(bits: int | None) -> Value:
    if bits is None:
        return Value("– none", "not replayed", DIM, "This move cannot be replayed in this world")
    return Value("■ differs", "differs", FAULT) if bits else Value("✓ agrees", "agrees", ACCEPTED)


def _differ(follower: Follower) -> str:
    retail, ace = (follower.differing[name] for name in SETS)
    if not retail and not ace:
        return "✓ none differs"
    return f"■ {retail:,} differ{'s' if retail == 1 else ''} (retail), {ace:,} (ACE)"


def _age(seconds: float) -> str:
    if seconds < 10.0:
        return f"{max(seconds, 0.0):.1f} s ago"
    if seconds < 120.0:
        return f"{seconds:.0f} s ago"
    return f"{seconds / 60.0:.0f} min ago"
