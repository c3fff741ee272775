"""Our answers beside a golden's (spec/physics.md 13.11): 1e-4 m on positions and planes, the rest exactly."""

from __future__ import annotations

from collections import Counter
from typing import Any, Final

Json = dict[str, Any]

TOLERANCE: Final = 1e-4
MEASURED_FIELDS: Final = ("pos", "contact_plane", "collision_normal", "sliding_normal", "velocity")
STATE_VECTORS: Final = ("cp", "sn")
WHOLE_MOVE_FIELDS: Final = ("shadow_cells",)
"""What isolated ticks cannot reproduce: the array of a mover with parts is not in the file."""


def differing_fields(answer: Json, golden: Json, isolated: bool) -> list[str]:
    """The fields in which one tick's answer differs, in the golden's words; absent means not valid."""
    fields = sorted(set(answer) | set(golden))
    return [
        field
        for field in fields
        if not (isolated and field in WHOLE_MOVE_FIELDS) and _differs(field, answer.get(field), golden.get(field))
    ]


def _differs(field: str, ours: Any, golden: Any) -> bool:
    if ours is None or golden is None:
        return ours is not golden
    if field in MEASURED_FIELDS:
        return not _close(ours, golden)
    if field == "state":
        if ours["ts"] != golden["ts"] or ours["cp_cell"] != golden["cp_cell"]:
            return True
        return not all(_close(ours[name], golden[name]) for name in STATE_VECTORS)
    return bool(ours != golden)


def _close(ours: list[float], golden: list[float]) -> bool:
    # Written so that a not-a-number differs from everything.
    return len(ours) == len(golden) and all(abs(a - b) <= TOLERANCE for a, b in zip(ours, golden, strict=True))


class Comparison:
    """Ticks and moves that matched and differed, counted by field, with the first differences told in words."""

    def __init__(self) -> None:
        self.matched_ticks = 0
        self.skipped_ticks = 0
        self.differing_ticks = 0
        self.differing_moves = 0
        self.moves = 0
        self.fields: Counter[str] = Counter()
        self.first: list[str] = []

    def add_move(self, name: str, answers: list[Json], golden: list[Json], isolated: bool, upto: int | None) -> None:
        """`upto`: the tick from which a fragile move is not compared (whole moves only)."""
        self.moves += 1
        differed = False
        for index, (ours, theirs) in enumerate(zip(answers, golden, strict=True)):
            if upto is not None and not isolated and index >= upto:
                self.skipped_ticks += len(golden) - index
                break
            fields = differing_fields(ours, theirs, isolated)
            if not fields:
                self.matched_ticks += 1
                continue
            differed = True
            self.differing_ticks += 1
            self.fields.update(fields)
            if len(self.first) < 10:
                shown = ", ".join(f"{field} {ours.get(field)} for {theirs.get(field)}" for field in fields)
                self.first.append(f"{name} tick {index}: {shown}")
        self.differing_moves += differed
