"""The table of who may pass a door, for one state of the door, and the sentences under it."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from editor.models.live_table import ACCEPTED, ADJUSTED, DIM, FAULT, Column, Row, Value
from engine.sim.passage.answer import Answer, Outcome
from engine.sim.passage.travellers import Who
from engine.sim.passage.trial import DoorState, Question, Side

COLUMNS: Final = (
    Column("Who", sample="Creature, opens doors"),
    Column("From Front", sample="no ETHEREAL"),
    Column("From Behind", sample="no ETHEREAL"),
)

NAMES: Final = {
    Who.PLAYER: "Player",
    Who.PLAYER_KILLER: "Player killer",
    Who.OPENER: "Creature, opens doors",
    Who.CREATURE: "Creature, does not",
    Who.MISSILE: "Missile",
    Who.ETHEREAL: "Ethereal body",
}
"""Short enough for the narrowest dock."""

WORDS: Final = {
    Outcome.PASSES: ("✓ passes", ACCEPTED),
    Outcome.OPENS: ("↷ opens it", ADJUSTED),
    Outcome.STOPPED: ("■ stopped", FAULT),
    Outcome.NO_PLACE: ("– no room", DIM),
}
PENDING: Final = "…"


def rows_of(answers: Mapping[Question, Answer], state: DoorState) -> list[Row]:
    return [
        Row(who, (Value(NAMES[who]), *(_value(answers.get(Question(state, who, side))) for side in Side)))
        for who in Who
    ]


def _value(answer: Answer | None) -> Value:
    if answer is None:
        return Value(PENDING, "not tested yet", DIM)
    word, tone = WORDS[answer.outcome]
    return Value(f"{word}\n{answer.decided_by}", f"{answer.outcome.value} ({answer.decided_by})", tone, answer.reason)


def reason_text(answers: Mapping[Question, Answer], state: DoorState, who: Who) -> str:
    """What decides for one row: a sentence for each side, or one for both."""
    found = [(side, answers.get(Question(state, who, side))) for side in Side]
    said = [(side, answer) for side, answer in found if answer is not None]
    if len({answer.reason for _, answer in said}) == 1 and len(said) == len(found):
        return f"From both sides: {said[0][1].reason}"
    return "\n".join(f"{side.value[0].upper()}{side.value[1:]}: {answer.reason}" for side, answer in said)
