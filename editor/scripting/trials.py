"""Who may pass a door, tried out."""

from __future__ import annotations

from typing import TYPE_CHECKING

from editor.scripting.beside import beside
from editor.scripting.values import Passage
from engine.sim.passage.answer import Outcome
from engine.sim.passage.trial import Trials, all_questions, run_through

if TYPE_CHECKING:
    from editor.scripting.stage import Stage


def passages_of(stage: Stage, door_id: int) -> list[Passage]:
    """The stage itself stays as it is."""
    with beside(stage) as sim:
        sim.bring(door_id)
        trials = Trials(sim, door_id)
        try:
            answers = [(question, run_through(trials.steps(question))) for question in all_questions()]
        finally:
            trials.close()
    return [
        Passage(
            question.state.name.lower(),
            question.who.value,
            question.side.value,
            answer.outcome.value,
            answer.outcome in (Outcome.PASSES, Outcome.OPENS),
            answer.decided_by,
            answer.reason,
        )
        for question, answer in answers
    ]
