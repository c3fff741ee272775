"""Who may pass a door, as text: for the command line, and for copying."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Final

from editor.reports.inspection_text import table
from engine.sim.passage.answer import Answer
from engine.sim.passage.gaps import THINNEST, WIDEST, Gap, Way
from engine.sim.passage.travellers import Who
from engine.sim.passage.trial import DoorState, Question, Side

TITLES: Final = {
    DoorState.NOW: "As It Is Now",
    DoorState.CLOSED: "Closed",
    DoorState.OPEN: "Open",
    DoorState.LOCKED: "Locked",
}


def answer_text(answer: Answer) -> str:
    """The word and what decided, for a field: "is stopped (lock)"."""
    return f"{answer.outcome.value} ({answer.decided_by})"


def passage_lines(answers: Mapping[Question, Answer], gaps: Sequence[Gap], player_radius: float) -> Iterator[str]:
    """A table for each state of the door, with the reasons below it, then the gaps."""
    for state in DoorState:
        yield f"{TITLES[state].lower()}"
        yield from (f"  {line}" for line in table(_rows(answers, state)))
        yield from (f"  {reason}" for reason in _reasons(answers, state))
    for gap in gaps:
        yield gap_sentence(gap, player_radius)


def _rows(answers: Mapping[Question, Answer], state: DoorState) -> list[dict[str, object]]:
    return [
        {"who": who.value, **{side.value: answer_text(answers[Question(state, who, side)]) for side in Side}}
        for who in Who
    ]


def _reasons(answers: Mapping[Question, Answer], state: DoorState) -> list[str]:
    """Each reason once, in the order of the table."""
    found = (answers[Question(state, who, side)] for who in Who for side in Side)
    return list(dict.fromkeys(f"{answer.decided_by}: {answer.reason}" for answer in found))


def gap_sentence(gap: Gap, player_radius: float) -> str:
    """The widest body that gets by in one way."""
    way = "Beside the closed leaf" if gap.way is Way.BESIDE else "Over it by a jump"
    if gap.walk is None:
        return f"{way}: nobody gets by, not even with a radius of {THINNEST:g} m."
    if gap.is_open:
        return f"{way}: everybody gets by, up to the radius of {WIDEST:g} m that is tried."
    does = "fits too" if gap.walk.radius >= player_radius else "is too wide"
    return f"{way}: a radius of up to {gap.walk.radius:.3f} m gets by; the player, of {player_radius:.3f} m, {does}."
