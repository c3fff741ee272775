"""A landblock searched by walking, and all that is found by it.

for found in check_by_walking(make_world, block_id, Settings(), enabled): ...
"""

from __future__ import annotations

from collections.abc import Callable, Container, Iterator
from contextlib import contextmanager
from typing import Final

from engine.explore.findings.escapes import (
    INTO_SOLID,
    LOST,
    OUT_OF_CELLS,
    OVER_WALL,
    THROUGH_DOOR,
    UNDER,
    UNDER_TERRAIN,
    WITHOUT_PORTAL,
    Escape,
)
from engine.explore.findings.membership import OUTSIDE_ITS_CELL, SEES_NOTHING, MembershipRules
from engine.explore.findings.never_reached import CELL, FLOOR, JUMP, find_never_reached
from engine.explore.findings.never_reached_graph import Graph
from engine.explore.findings.one_way import ONE_WAY, find_one_way
from engine.explore.findings.over_walls import find_over_walls
from engine.explore.findings.proof import Proofs, Way
from engine.explore.findings.stuck_search import find_stuck, ways_of
from engine.explore.findings.suspects import Suspects
from engine.explore.findings.trial import Keys, Stand
from engine.explore.forms.seeds import seeds_of
from engine.explore.forms.settings import Settings, Standing
from engine.explore.search import Search
from engine.files.cancelling import check_cancelled
from engine.findings.finding import Check, Found
from engine.geometry.vec import distance
from engine.sim.tick.controls import Controls
from engine.sim.tick.simulation import Simulation
from engine.world.cells.ids import FIRST_ENV_CELL, cell_text, landblock_id, low_of
from engine.world.cells.position import into_block
from engine.world.world import World

ESCAPES: Final = (UNDER_TERRAIN, OUT_OF_CELLS, WITHOUT_PORTAL, THROUGH_DOOR, INTO_SOLID, LOST)

NEAR: Final = 6.0
"""Metres within which findings of one kind are one."""

STILL: Final = 30
"""Ticks without a key after which it must still be so."""

MOST_OF_A_KIND: Final = 40
MOST_CANDIDATES: Final = 1_500
AT_ONCE: Final = 500
"""States that a search goes on from between two looks at whether it is cancelled."""

MakeWorld = Callable[[], World]


def watched(search: Search) -> Suspects:
    """Have the search watched from now on; before it begins."""
    suspects = Suspects(search)
    search.listener = suspects
    return suspects


def check_by_walking(
    make_world: MakeWorld, block_id: int, settings: Settings, enabled: Container[str]
) -> Iterator[Found]:
    """Search the landblock from everywhere in it, and yield all that is found. The world is the caller's."""
    with searched(make_world(), block_id, settings) as (search, suspects):
        yield from findings_of(search, suspects, block_id, enabled)


@contextmanager
def searched(world: World, block_id: int, settings: Settings) -> Iterator[tuple[Search, Suspects]]:
    """A landblock searched to the end, while one looks at it."""
    sim = Simulation(world)
    try:
        search = Search(sim, seeds_of(sim, block_id), settings)
        suspects = watched(search)
        while search.expand(AT_ONCE):
            check_cancelled()
        yield search, suspects
    finally:
        sim.close()


def findings_of(
    search: Search, suspects: Suspects, block_id: int, enabled: Container[str], source: str = ""
) -> Iterator[Found]:
    """All that a finished search tells of a landblock; what is in its neighbours is theirs to tell."""
    proofs = Proofs(search, source)
    try:
        for found in _all_of(search, suspects, proofs, enabled):
            if found.block == landblock_id(block_id):
                yield found
    finally:
        proofs.close()


def _all_of(search: Search, suspects: Suspects, proofs: Proofs, enabled: Container[str]) -> Iterator[Found]:
    yield from find_escapes(search, suspects, proofs, enabled)
    yield from find_lost_membership(search, proofs, enabled)
    ways = ways_of(search, suspects)
    yield from find_stuck(search, ways, proofs, enabled)
    if search.queue_length:
        return  # where no way leads, a search that ended early cannot say
    if OVER_WALL.id in enabled:
        yield from find_over_walls(search, ways, proofs)
    if any(check.id in enabled for check in (CELL, FLOOR, JUMP, ONE_WAY)):
        graph = Graph(search, ways)
        yield from find_never_reached(search, enabled, graph)
        yield from find_one_way(enabled, graph, proofs)


# --- escapes


def find_escapes(search: Search, suspects: Suspects, proofs: Proofs, enabled: Container[str]) -> Iterator[Found]:
    """The escapes of a finished search, soonest first."""
    if not any(check.id in enabled for check in ESCAPES):
        return
    told: list[Escape] = []
    for parent, keys in _candidates(search, suspects, proofs):
        check_cancelled()
        for way, escape in proofs.escapes(parent, keys):
            if escape.check not in enabled or any(_is_same(escape, other) for other in told):
                continue
            if _is_late(proofs, way, escape):
                continue
            told.append(escape)
            if sum(other.check == escape.check for other in told) <= MOST_OF_A_KIND:
                yield proofs.shortened_escape(way, escape)


def _candidates(search: Search, suspects: Suspects, proofs: Proofs) -> list[tuple[int, Keys]]:
    """States and keys after them that may show an escape: what was noted during the search, and states that are under
    the ground or in something solid while those before them were not."""
    columns = search.columns
    found = [(each.since, each.parent, each.keys) for each in suspects.found]
    rules = proofs.rules
    bad: set[int] = set()
    for state, (cell_id, z, standing) in enumerate(zip(columns.cell, columns.z, columns.standing, strict=True)):
        if standing == Standing.LOST or rules.is_clear(cell_id, z):
            continue
        stand = proofs.stand_of(state)
        if rules.depth_under_ground(stand) > UNDER or rules.solid_around(stand):
            bad.add(state)
            parent = columns.parent[state]
            if parent >= 0 and parent not in bad:
                found.append((columns.since[state], state, ()))
    found.sort(key=lambda each: each[:2])
    return [(state, keys) for _, state, keys in found[:MOST_CANDIDATES]]


def _is_late(proofs: Proofs, way: Way, escape: Escape) -> bool:
    """Whether the body was in a cell that did not hold it any more, and is in the right one as soon as cells are looked
    for again, as the client does in every frame: so it goes with who steps from stairs over the edge of a hatch."""
    if escape.check not in (OUT_OF_CELLS.id, LOST.id) or proofs.rules.holds(escape.before):
        return False
    last = proofs.trial.end_of(way.start, (*way.keys, *[Controls()] * STILL))
    return last is not None and not last.is_lost and low_of(last.cell_id) >= FIRST_ENV_CELL


def _is_same(one: Escape, other: Escape) -> bool:
    if one.kind != other.kind:
        return False
    at = into_block(other.before.home, one.before.home, one.before.origin)
    return distance(at, other.before.origin) <= NEAR


# --- lost membership


def find_lost_membership(search: Search, proofs: Proofs, enabled: Container[str]) -> Iterator[Found]:
    """Places where a body's cell does not hold it, and where it sees nothing."""
    rules = MembershipRules(proofs.trial.sim)
    for check, judge, words in (
        (OUTSIDE_ITS_CELL, rules.is_outside_its_cell, "a body is outside of its cell"),
        (SEES_NOTHING, rules.sees_nothing, "a body sees nothing"),
    ):
        if check.id in enabled:
            yield from _where(search, proofs, check, judge, words)


def _where(search: Search, proofs: Proofs, check: Check, judge: Callable[[Stand], bool], words: str) -> Iterator[Found]:
    columns = search.columns
    told: list[Stand] = []
    states = [
        state
        for state in range(search.count)
        if columns.cell[state] & 0xFFFF >= FIRST_ENV_CELL  # land contains whatever is over or under it
        and columns.standing[state] != Standing.LOST
        and judge(proofs.stand_of(state))
    ]
    for state in sorted(states, key=lambda each: columns.since[each]):
        stand = proofs.stand_of(state)
        near = (other for other in told if other.cell_id == stand.cell_id)
        if len(told) >= MOST_OF_A_KIND or any(distance(other.origin, stand.origin) <= NEAR for other in near):
            continue
        found = _proved(proofs, state, check, judge, f"In {cell_text(stand.cell_id)} {words}")
        if found is not None:
            told.append(stand)
            yield found


def _proved(proofs: Proofs, state: int, check: Check, judge: Callable[[Stand], bool], words: str) -> Found | None:
    def shows(stands: list[Stand]) -> int:
        return next((tick for tick, stand in enumerate(stands) if tick and judge(stand)), -1)

    for way in proofs.ways(state):
        short = proofs.shown(way, shows)
        if short is None:
            continue
        last = proofs.trial.end_of(way.start, (*short.keys, *[Controls()] * STILL))
        if last is None or not judge(last):
            return None  # of a tick alone
        found = Found(check.id, landblock_id(last.home), last.cell_id, place=last.place, sentence=words)
        return proofs.found(found, way.start, short.keys, short)
    return None
