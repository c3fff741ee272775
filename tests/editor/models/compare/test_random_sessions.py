"""Random sessions with a second run beside them: at their end it is what a comparison of the recording finds."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from engine.physics.rules import AGREED_RULES, RULE_NAMES
from tests.editor.models.compare.test_watch import Desk, headless, kept_of
from tests.sim.compare.arena import _edit, _keys

TWO_FORMS = [rule for rule in RULE_NAMES if rule not in AGREED_RULES]
STEPS = 40


class Hands(Desk):
    """Somebody who does whatever comes to mind."""

    def __init__(self, seed: int) -> None:
        super().__init__(seed)
        self.actions: list[Callable[[], object]] = [
            *(self.run, self.run, self.edit, self.document.undo, self.document.redo),
            *(self.go, self.document.continue_here, self.choose, self.choose, self.look, self.settle),
        ]

    def run(self) -> None:
        assert self.document.history is not None
        self.document.go_to(self.document.history.end)
        for _ in range(self.rng.randrange(1, 25)):
            self.document.tick(_keys(self.rng))

    def edit(self) -> None:
        self.document.edit("edit", _edit(self.rng, self.document.sim))

    def any_tick(self) -> int:
        assert self.document.history is not None
        return self.rng.randint(self.document.history.first, self.document.history.end)

    def go(self) -> None:
        self.document.go_to(self.any_tick())

    def look(self) -> None:
        self.watch.second_at(self.any_tick())

    def choose(self) -> None:
        watch = self.watch
        self.rng.choice(
            [
                lambda: watch.compare_rule_set("ace"),
                lambda: watch.compare_rule(self.rng.choice(TWO_FORMS)),
                lambda: watch.compare_body([("radius", self.rng.uniform(0.2, 0.6))]),
                watch.compare_before_edits,
            ]
        )()

    def settle(self) -> None:
        """What the timer does between events."""
        while self.watch.is_working:
            self.watch._timer.stop()
            self.watch._take_slice()


@pytest.mark.usefixtures("qapp")
@pytest.mark.parametrize("seed", range(12))
def test_a_session_ends_with_what_its_recording_gives(seed: int) -> None:
    hands = Hands(seed)
    watch = hands.watch
    for _ in range(STEPS):
        hands.rng.choice(hands.actions)()
        assert watch.problem == "" or not watch.is_on
    hands.settle()
    kept = watch.kept
    if kept is None:
        return
    ticks, comparison = headless(*kept.comparison.sides)
    assert kept_of(watch) == ticks
    assert (watch.first and watch.first.tick) == (comparison.first and comparison.first.tick)
    assert (watch.seen and watch.seen.tick) == (comparison.seen and comparison.seen.tick)
    assert kept.comparison.totals == comparison.totals
    assert kept.comparison.gaps.spans == comparison.gaps.spans
    assert len(watch.columns) == len(ticks)
