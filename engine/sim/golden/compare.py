"""Our answers beside a golden's (physics.md 13.11): 1e-4 m on positions and planes, the rest exactly."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final

from engine.sim.golden.write import told_value

Json = Mapping[str, Any]

TOLERANCE: Final = 1e-4
MEASURED_FIELDS: Final = ("pos", "contact_plane", "collision_normal", "sliding_normal", "velocity")
STATE_VECTORS: Final = ("cp", "sn")
WHOLE_MOVE_FIELDS: Final = ("shadow_cells",)
"""Fields that isolated ticks cannot reproduce: the array of a mover with parts is not in the file."""

MATCHED: Final = "matched"
DIFFERING: Final = "differing"
SKIPPED: Final = "skipped"

SHOWN_DIFFERENCES: Final = 10


def differing_fields(answer: Json, golden: Json, isolated: bool) -> list[str]:
    """The fields in which one tick's answer differs, in the golden's words; absent means not valid."""
    return [
        field
        for field in sorted(set(answer) | set(golden))
        if not (isolated and field in WHOLE_MOVE_FIELDS) and _differs(field, answer.get(field), golden.get(field))
    ]


def _differs(field: str, ours: Any, golden: Any) -> bool:
    if ours is None or golden is None:
        return ours is not golden
    if field in MEASURED_FIELDS:
        return not _close(ours, golden)
    if field == "state":
        return not (
            isinstance(golden, dict)
            and set(ours) == set(golden)
            and all(
                _close(ours[name], golden[name]) if name in STATE_VECTORS else same(ours[name], golden[name])
                for name in ours
            )
        )
    return not same(ours, golden)


def same(ours: Any, golden: Any) -> bool:
    """Equal, and true is not 1."""
    return isinstance(ours, bool) == isinstance(golden, bool) and bool(ours == golden)


def _close(ours: Any, golden: Any) -> bool:
    # Written so that a not-a-number differs from everything.
    return (
        isinstance(golden, list)
        and len(ours) == len(golden)
        and all(_is_number(b) and abs(a - b) <= TOLERANCE for a, b in zip(ours, golden, strict=True))
    )


def _is_number(value: Any) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool)


def same_query_answer(ours: Any, golden: Any) -> bool:
    """Numbers with a fraction, alone or in lists, to the tolerance; everything else exactly."""
    if isinstance(ours, dict):
        return (
            isinstance(golden, dict)
            and set(ours) == set(golden)
            and all(same_query_answer(value, golden[name]) for name, value in ours.items())
        )
    if isinstance(ours, list) and any(isinstance(entry, float) for entry in ours):
        return _close(ours, golden)
    if isinstance(ours, float):
        return _is_number(golden) and abs(ours - golden) <= TOLERANCE
    return same(ours, golden)


def _told(value: Any) -> str:
    return "nothing" if value is None else told_value(value)


@dataclass(slots=True)
class Tally:
    """Counts of matches, differences and values not compared."""

    matched: int = 0
    differing: int = 0
    skipped: int = 0

    def add(self, outcome: str, times: int = 1) -> None:
        if outcome == MATCHED:
            self.matched += times
        elif outcome == DIFFERING:
            self.differing += times
        else:
            self.skipped += times


class Comparison:
    """Ticks, moves and queries that matched and differed, counted by field, and the first differences in words."""

    def __init__(self) -> None:
        self.ticks = Tally()
        self.moves = Tally()
        self.queries: dict[str, Tally] = {}
        self.fields: dict[str, Tally] = {}
        self.first: list[str] = []

    @property
    def is_clean(self) -> bool:
        """Nothing that was compared differs."""
        return self.ticks.differing == 0 and all(tally.differing == 0 for tally in self.queries.values())

    def add_move(
        self, name: str, answers: Sequence[Json], golden: Sequence[Json], isolated: bool, upto: int | None = None
    ) -> None:
        """`upto`: the tick from which a fragile move is not compared (whole moves only)."""
        before = self.ticks.differing
        end = len(golden) if upto is None or isolated else min(upto, len(golden))
        for index, (ours, theirs) in enumerate(zip(answers, golden, strict=True)):
            if index < end:
                self._add_tick(name, index, ours, theirs, isolated)
            else:
                self.ticks.add(SKIPPED)
                for field in sorted(set(ours) | set(theirs)):
                    self._field(field).add(SKIPPED)
        self.moves.add(DIFFERING if self.ticks.differing > before else MATCHED)

    def _add_tick(self, name: str, index: int, ours: Json, theirs: Json, isolated: bool) -> None:
        differing = differing_fields(ours, theirs, isolated)
        for field in sorted(set(ours) | set(theirs)):
            if isolated and field in WHOLE_MOVE_FIELDS:
                self._field(field).add(SKIPPED)
            else:
                self._field(field).add(DIFFERING if field in differing else MATCHED)
        self.ticks.add(DIFFERING if differing else MATCHED)
        if differing:
            shown = ", ".join(f"{field} {_told(ours.get(field))} for {_told(theirs.get(field))}" for field in differing)
            self._tell(f"{name} tick {index}: {shown}")

    def add_query(self, index: int, op: str, ours: Any, theirs: Any) -> None:
        is_same = same_query_answer(ours, theirs)
        self.queries.setdefault(op, Tally()).add(MATCHED if is_same else DIFFERING)
        if not is_same:
            self._tell(f"query {index}, {op}: {_told(ours)} for {_told(theirs)}")

    def _field(self, name: str) -> Tally:
        return self.fields.setdefault(name, Tally())

    def _tell(self, difference: str) -> None:
        if len(self.first) < SHOWN_DIFFERENCES:
            self.first.append(difference)
