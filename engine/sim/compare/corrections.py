"""How a server that goes by the ace rules would take the moves of a run: which it would refuse, which correct.

The reference says nothing of what a server checks. What is asked here is defined in plain terms: for every tick, the
server stands where the client stood, does the same by its own rules, and its answer is compared. It refuses the move
when it stays where it was, or refuses the sweep, and the client moved. It corrects it when it ends in another cell, or
further from the client's place than the 0.2 mm within which the client takes two places for one.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final

from engine.files.cancelling import check_cancelled
from engine.geometry.constants import EPSILON
from engine.geometry.vec import length
from engine.physics.rules import ACE, AGREED_RULES, RULE_NAMES
from engine.sim.compare.answers import body_distance, comparable_state
from engine.sim.compare.sides import Follower, Side
from engine.sim.errors import SimError
from engine.sim.recording import sample_of
from engine.sim.tick.report import TickReport

REFUSES: Final = "refuses"
CORRECTS: Final = "corrects"

_FORMS: Final = {rule: ACE for rule in RULE_NAMES if rule not in AGREED_RULES}


@dataclass(frozen=True, slots=True)
class Correction:
    """A tick whose move a server would refuse or correct, and by how many metres."""

    index: int
    verdict: str
    distance: float


def corrections(side: Side) -> Iterator[Correction]:
    """The moves of a side that a server would not take as they are, in the order of ticks."""
    server = Server(side)
    try:
        while not server.is_at_end:
            check_cancelled()
            found = server.step()
            if found is not None:
                yield found
    finally:
        server.close()


class Server:
    """Judges the moves of a side tick by tick. The recording may grow meanwhile."""

    def __init__(self, side: Side) -> None:
        self.client = Follower(side)
        try:
            self._own = Follower(side)
        except SimError:
            self.client.close()
            raise
        self.client.start()
        self._own.start()
        self._own.force(_FORMS)

    def close(self) -> None:
        self.client.close()
        self._own.close()

    @property
    def is_at_end(self) -> bool:
        return self.client.is_at_end

    def go_to(self, index: int, snapshot: bytes) -> None:
        """Go on from a tick of the side, before which it was as this snapshot."""
        self.client.go_to(index, snapshot)
        self._stand(snapshot)

    def _stand(self, snapshot: bytes) -> None:
        self._own.go_to(self.client.index, snapshot)
        self._own.force(_FORMS)

    def step(self) -> Correction | None:
        """Judge the next move; None when the server takes it as it is."""
        client, own = self.client, self._own
        mine, theirs = client.step(), own.step()
        found = _judged(client.index - 1, mine, theirs)
        if comparable_state(client.sim) != comparable_state(own.sim):
            self._stand(client.sim.snapshot())
        return found


def _judged(index: int, mine: TickReport, theirs: TickReport) -> Correction | None:
    apart = body_distance(sample_of(mine), sample_of(theirs))
    if length(mine.made) > EPSILON and mine.ok and (not theirs.ok or length(theirs.made) <= EPSILON):
        return Correction(index, REFUSES, apart)
    if apart > EPSILON or mine.cell != theirs.cell or mine.lost != theirs.lost:
        return Correction(index, CORRECTS, apart)
    return None
