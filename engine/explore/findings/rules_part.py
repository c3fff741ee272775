"""Places and keys where two rule sets end otherwise, and by which rule.

    for found in check_rules(make_world, block_id, Settings(), enabled): ...

The landblock is searched by the rules of the settings; pieces of the ways found are run again by the other set.
"""

from __future__ import annotations

from collections.abc import Container, Iterator
from typing import Final

from engine.explore.findings.explore import MakeWorld, searched
from engine.explore.findings.proof import Proofs, Way
from engine.explore.findings.shorten import shortened
from engine.explore.findings.stuck_search import one_of_each_square
from engine.explore.findings.trial import Keys, Stand, Start, Trial
from engine.explore.forms.settings import Settings
from engine.explore.search import Search
from engine.files.cancelling import check_cancelled
from engine.findings.finding import Check, Family, Found
from engine.findings.registry import register
from engine.geometry.vec import distance
from engine.physics.rules import ACE, RETAIL, rule_set
from engine.sim.compare.causes import CHANGES, RULES, cause_of, differing_rules
from engine.sim.compare.comparison import Comparison
from engine.sim.compare.sides import Side, rule_changes, set_forms
from engine.sim.errors import SimError
from engine.sim.tick.controls import Controls
from engine.sim.tick.simulation import Simulation
from engine.world.cells.ids import cell_text, landblock_id
from engine.world.cells.position import into_block
from engine.world.faults import Severity

END_APART: Final = register(
    Check(
        "rules.end-apart",
        "Retail and ACE end otherwise",
        Family.RULES,
        Severity.INFO,
        "The same keys from the same place end more than 0.5 m apart by the client's rules and by the server's, or one "
        "of them ends in no cell. A server that moves bodies by itself sends its players back there, and creatures go "
        "where players can not. The rules that do it are named: flipped from the tick at which the runs part, they "
        "alone make the one end as the other.",
    )
)

FARTHEST: Final = 0.5
"""Metres between the two ends."""

PIECE: Final = 36
"""Ticks of a piece of a way that is compared."""

AFTERWARDS: Final = 20
"""Ticks without keys at its end, for those who still fall."""

NEAR: Final = 3.0
"""Metres within which findings by the same rules are one."""

MOST_TICKS: Final = 400_000
MOST_FOUND: Final = 60
MOST_ALIKE: Final = 3
"""Ways that end near each other of which the rules are asked for."""

MOST_SHORTENED: Final = 60
"""Trials in which keys are made shorter."""

PUSHES: Final = 8
PUSHED: Final = 30
"""Directions in which a body is held against what stops it, and ticks."""

LOST_APART: Final = 1_000.0
"""Metres that stand for the distance to somebody whom no cell holds."""


def check_rules(make_world: MakeWorld, block_id: int, settings: Settings, enabled: Container[str]) -> Iterator[Found]:
    """Search the landblock from everywhere in it, and compare the ways there."""
    if END_APART.id not in enabled:
        return
    with searched(make_world(), block_id, settings) as (search, _):
        yield from find_parting_rules(search, block_id)


def find_parting_rules(search: Search, block_id: int, source: str = "") -> Iterator[Found]:
    """The findings of a finished search in a landblock."""
    pair = _Pair(search, source)
    try:
        told: list[tuple[tuple[str, ...], Stand]] = []
        suspected: list[Stand] = []
        for way in (*_pieces(search, pair.proofs), *_pushes(search, pair.proofs)):
            check_cancelled()
            if pair.ticks > MOST_TICKS or len(told) >= MOST_FOUND:
                return
            apart, end = pair.ends(way.start, way.keys)
            if apart <= FARTHEST or end is None or landblock_id(end.home) != landblock_id(block_id):
                continue
            if sum(_is_near(end, other) for other in suspected) >= MOST_ALIKE:
                continue
            suspected.append(end)
            found = pair.found(way)
            if found is None:
                continue
            rules, place = found
            if any(rules == known and _is_near(end, other) for known, other in told):
                continue
            told.append((rules, end))
            yield place
    finally:
        pair.close()


def _is_near(one: Stand, other: Stand) -> bool:
    return distance(into_block(other.home, one.home, one.origin), other.origin) <= NEAR


def _pieces(search: Search, proofs: Proofs) -> Iterator[Way]:
    """The ways of a search, each move of them once, from places to stand on."""
    columns = search.columns
    covered = bytearray(search.count)
    for last in sorted(range(search.count), key=lambda state: -columns.since[state]):
        state = last
        while not covered[state] and columns.parent[state] >= 0 and columns.since[last] - columns.since[state] < PIECE:
            covered[state] = 1
            state = columns.parent[state]
        if state != last:
            way = proofs.way_between(state, last)
            if way is not None:
                yield way


def _pushes(search: Search, proofs: Proofs) -> Iterator[Way]:
    """Against what stops a body, where no way goes on."""
    stopped = [state for state in range(search.count) if state in search.ends_of(state)]
    for state in one_of_each_square(search, stopped):
        for number in range(PUSHES):
            yield Way(proofs.start_at(state, number * 360.0 / PUSHES), (Controls(forward=1.0),) * PUSHED)


class _Pair:
    """The same keys by the rules of the search, and by the other set."""

    def __init__(self, search: Search, source: str) -> None:
        self.proofs = Proofs(search, source)
        sim = self.proofs.trial.sim
        self._mine = sim.rules.copy()
        theirs = rule_set(ACE)
        self._other = theirs if differing_rules(self._mine, theirs) else rule_set(RETAIL)
        other = Simulation(search.sim.world.loaded, player_id=sim.player.id, player_name=sim.player.name)
        other.restore(search.start)
        set_forms(other, {rule: self._other.form(rule) for rule in differing_rules(self._mine, self._other)})
        self._trial = Trial(other, source)

    def close(self) -> None:
        self._trial.close()
        self.proofs.close()

    @property
    def ticks(self) -> int:
        return self.proofs.trial.ticks

    def ends(self, start: Start, keys: Keys) -> tuple[float, Stand | None]:
        """How far apart the two runs end, and where the first does."""
        keys = (*keys, *[Controls()] * AFTERWARDS)
        one, two = self.proofs.trial.end_of(start, keys), self._trial.end_of(start, keys)
        if one is None or two is None:
            return 0.0, one
        if one.is_lost != two.is_lost:
            return LOST_APART, one
        return distance(into_block(one.home, two.home, two.origin), one.origin), one

    def found(self, way: Way) -> tuple[tuple[str, ...], Found] | None:
        """The rules that make a run end elsewhere, and the finding with its keys made short; None when its recording
        does not part by rules."""

        def holds(keys: Keys) -> int:
            return len(keys) if self.ends(way.start, keys)[0] > FARTHEST else -1

        short = shortened(way.keys, holds, MOST_SHORTENED)
        if short is None:
            return None
        apart, end = self.ends(way.start, short.keys)
        rules = self._rules(Way(way.start, (*short.keys, *[Controls()] * AFTERWARDS)))
        if not rules or end is None:
            return None
        one = self._mine.form(rules[0])
        other = RETAIL if one == ACE else ACE
        how = "one of the two ends in no cell" if apart >= LOST_APART else f"the two end {apart:.2f} m apart"
        begin = next(iter(self.proofs.trial.run(way.start, ())), end)
        found = Found(
            END_APART.id,
            landblock_id(begin.home),
            begin.cell_id,
            place=begin.place,
            sentence=f"From {cell_text(begin.home)} by {one} and by {other} {how}: {', '.join(rules)}",
            figures=(("between the ends, m", min(apart, LOST_APART)),),
        )
        return rules, self.proofs.found(found, way.start, short.keys, short)

    def _rules(self, way: Way) -> tuple[str, ...]:
        """The rules by which the runs part where it is first seen, or at all."""
        recording = self.proofs.trial.recorded(way.start, way.keys)
        world = self.proofs.trial.sim.world.loaded
        other = Side("other", world, recording, rule_changes(self._mine, self._other))
        try:
            with Comparison(Side("searched", world, recording), other) as comparison:
                comparison.run()
                parting = comparison.seen or comparison.first
                cause = None if parting is None else cause_of(comparison, parting)
        except SimError:
            return ()
        return cause.names if cause is not None and cause.kind in (RULES, CHANGES) else ()
