"""The places of a finished search that bodies do not get away from: suspected by its ways, proved by pressing keys."""

from __future__ import annotations

import math
from collections.abc import Container, Iterator
from dataclasses import replace
from typing import Final

import numpy as np

from engine.explore.findings.proof import Proofs, Way
from engine.explore.findings.stuck import (
    FALLS,
    HANGS,
    JUMP_ONLY,
    LARGEST_PIT,
    LARGEST_STEP_PIT,
    NO_WAY,
    PIT,
    SHAKES,
    SLIDES,
    Numbers,
    Trap,
    Ways,
    traps,
)
from engine.explore.findings.stuck_trials import (
    MOST_PRESSED,
    flips,
    is_away_from,
    leads_away,
    ways_to_jump,
    ways_to_walk,
)
from engine.explore.findings.suspects import Suspects
from engine.explore.findings.trial import Keys, Stand
from engine.explore.forms.settings import Standing
from engine.explore.search import Search
from engine.files.cancelling import check_cancelled
from engine.findings.finding import Found
from engine.geometry.vec import distance
from engine.sim.tick.controls import Controls
from engine.world.cells.ids import cell_text, landblock_id
from engine.world.cells.position import into_block

TEN_SECONDS: Final = 300
AT_REST: Final = 60
"""Ticks at the end of a run by which one sees whether a body has come to rest."""

MOVED: Final = 0.05
"""Metres in that time."""

SQUARE: Final = 2.0
"""Metres of the squares in each of which one place is looked at."""

MOST_PLACES: Final = 300
MOST_TRAPS: Final = 60
"""How many suspicions of each kind are looked into."""

PUSHED: Final = 40
PUSHES: Final = 8
"""Ticks for which a body is held against what stops it, and directions in which it is."""

NO_PIT: Final = frozenset({"door", "portal", "switch", "lever", "pressure plate"})
"""Kinds of entities that may be meant as the way out."""

NEAR: Final = 6.0
"""Metres within which traps of one kind are one."""

IN_REACH: Final = 3.0


def find_stuck(search: Search, ways: Ways, proofs: Proofs, enabled: Container[str]) -> Iterator[Found]:
    """Every place from which a body does not come away."""
    if any(check.id in enabled for check in (HANGS, SLIDES, FALLS)):
        for found in _unsettled(search, proofs):
            if found.check in enabled:
                yield found
    if any(check.id in enabled for check in (NO_WAY, PIT, JUMP_ONLY)):
        for found in _traps(search, ways, proofs):
            if found.check in enabled:
                yield found
    if SHAKES.id in enabled:
        yield from _shaking(search, proofs)


# --- those who never stood again


def _unsettled(search: Search, proofs: Proofs) -> Iterator[Found]:
    """Bodies that the search left in the air or on what is too steep."""
    standing = np.array(search.columns.standing, dtype=np.uint8)
    unsettled = np.nonzero((standing == int(Standing.AIR)) | (standing == int(Standing.STEEP)))[0]
    told: set[tuple[str, int]] = set()
    for state in one_of_each_square(search, unsettled.tolist()):
        check_cancelled()
        if (HANGS.id, search.columns.cell[state]) in told:
            continue
        for way in proofs.ways(state):
            idle: Keys = [Controls()] * (TEN_SECONDS + AT_REST)
            stands = list(proofs.trial.run(way.start, (*way.keys, *idle)))
            if len(stands) > len(way.keys) and not is_away_from(stands[len(way.keys)], proofs.stand_of(state)):
                found = _at_the_end(proofs, way, stands)
                if found is not None and (found.check, found.cell) not in told:
                    told.add((found.check, found.cell))
                    yield found
                break


def _at_the_end(proofs: Proofs, way: Way, stands: list[Stand]) -> Found | None:
    last, before = stands[-1], stands[-min(AT_REST, len(stands))]
    if last.is_lost or last.on_walkable:
        return None
    moved = distance(into_block(before.home, last.home, last.origin), before.origin)
    figures = (("moved in its last 2 s, m", moved),)
    arrived = stands[len(way.keys)]
    found = Found("", landblock_id(arrived.home), arrived.cell_id, place=arrived.place, figures=figures)
    if moved > MOVED:
        if any(stand.in_contact for stand in stands[-AT_REST:]):
            sentence = f"In {cell_text(last.home)} a body slides without end"
            return proofs.found(replace(found, check=SLIDES.id, sentence=sentence), way.start, way.keys)
        sentence = f"From {cell_text(arrived.home)} a body falls without end"
        return proofs.found(replace(found, check=FALLS.id, sentence=sentence), way.start, way.keys)
    if _any_key_leads_away(proofs, way, last):
        return None
    sentence = f"In {cell_text(last.home)} a body hangs without standing, and no key leads away"
    found = replace(found, check=HANGS.id, cell=last.cell_id, place=last.place, sentence=sentence)
    return proofs.found(found, way.start, way.keys)


def _any_key_leads_away(proofs: Proofs, way: Way, at: Stand) -> bool:
    def has_left(stand: Stand) -> bool:
        return is_away_from(stand, at)

    rest = (*way.keys, *[Controls()] * AT_REST)
    return any(leads_away(proofs.trial, [way.start], rest, ways(), has_left) for ways in (ways_to_walk, ways_to_jump))


# --- traps


def ways_of(search: Search, suspects: Suspects) -> Ways:
    """All moves of a search, walks and jumps."""
    sources: list[int] = []
    targets: list[int] = []
    for state in range(search.count):
        ends = [end for end in search.ends_of(state) if end >= 0]
        sources.extend([state] * len(ends))
        targets.extend(ends)
    jumps = np.zeros(len(sources) + len(suspects.jumped_from), dtype=np.bool_)
    jumps[len(sources) :] = True
    return Ways(
        search.count,
        np.array(sources + suspects.jumped_from.tolist(), dtype=np.int64),
        np.array(targets + suspects.jumped_to.tolist(), dtype=np.int64),
        jumps,
    )


def squares_of(search: Search) -> Numbers:
    """For every state the number of the square of floor that it is on."""
    grid, columns = search.settings.grid, search.columns
    x = np.floor(np.array(columns.x) / grid).astype(np.int64)
    y = np.floor(np.array(columns.y) / grid).astype(np.int64)
    block = np.array(columns.cell, dtype=np.int64) >> 16
    numbers: Numbers = (block << 32) + ((x & 0xFFFF) << 16) + (y & 0xFFFF)
    return numbers


def _traps(search: Search, ways: Ways, proofs: Proofs) -> Iterator[Found]:
    is_end = np.array([not search.is_expanded(state) for state in range(search.count)], dtype=np.bool_)
    square = search.settings.grid * search.settings.grid
    suspected = traps(ways, is_end, squares_of(search), LARGEST_PIT / square, LARGEST_STEP_PIT / square)
    told: list[tuple[str, Stand]] = []
    for trap in suspected[:MOST_TRAPS]:
        check_cancelled()
        found = None if _has_way_out(search, trap) else _trap(search, proofs, trap)
        if found is None:
            continue
        stand = proofs.stand_of(trap.entry[1])
        if any(check == found.check and not is_away_from(stand, other, NEAR) for check, other in told):
            continue
        told.append((found.check, stand))
        yield found


def _has_way_out(search: Search, trap: Trap) -> bool:
    """Whether something is in reach that may be meant as the way out."""
    columns = search.columns
    for entity in search.sim.population.ordered:
        if entity.kind not in NO_PIT:
            continue
        home, origin = entity.place_cell(), entity.place_frame().origin
        for state in trap.states:
            at = into_block(home, columns.cell[state], (columns.x[state], columns.y[state], columns.z[state]))
            if distance(at, origin) <= IN_REACH:
                return True
    return False


def _trap(search: Search, proofs: Proofs, trap: Trap) -> Found | None:
    """Pressed from several places of it: who comes to another place that the search knows has left it."""
    step = max(len(trap.states) // MOST_PRESSED, 1)
    states = trap.states[::step][:MOST_PRESSED]
    starts = [proofs.start_at(state, search.columns.heading[state]) for state in states]
    stands = [proofs.stand_of(state) for state in trap.states]
    reach = max(2.0 * search.settings.grid, 0.5)

    def has_left(stand: Stand) -> bool:
        return all(is_away_from(stand, other, reach) for other in stands)

    if leads_away(proofs.trial, starts, (), ways_to_walk(), has_left):
        return None
    if not trap.jump_leads_out and leads_away(proofs.trial, starts, (), ways_to_jump(), has_left):
        if len(trap.states) * (search.settings.grid * search.settings.grid) > LARGEST_STEP_PIT:
            return None
        trap = replace(trap, jump_leads_out=True)
    return _found_trap(search, proofs, trap)


def _found_trap(search: Search, proofs: Proofs, trap: Trap) -> Found | None:
    _, state = trap.entry
    stand = proofs.stand_of(state)
    area = len(np.unique(squares_of(search)[list(trap.states)])) * (search.settings.grid * search.settings.grid)
    where = cell_text(stand.home)
    if trap.jump_leads_out:
        check, sentence = JUMP_ONLY.id, f"In {where} a body gets to {area:.2f} m² that only a jump leads out of"
    elif area <= 4.0 * (search.settings.grid * search.settings.grid):
        check, sentence = NO_WAY.id, f"In {where} a body gets to a place from which no key leads away"
    else:
        check, sentence = PIT.id, f"In {where} a body gets to {area:.2f} m² that nothing leads out of"
    found = Found(
        check, landblock_id(stand.home), stand.home, place=stand.place, sentence=sentence, figures=(("area, m²", area),)
    )
    for way in proofs.ways(state):
        end = proofs.trial.end_of(way.start, way.keys)
        if end is not None and not is_away_from(end, stand):
            return proofs.found(found, way.start, way.keys)
    return None


# --- shaking


def _shaking(search: Search, proofs: Proofs) -> Iterator[Found]:
    """Bodies pressed against what stops them."""
    stopped = [state for state in range(search.count) if state in search.ends_of(state)]
    for state in one_of_each_square(search, stopped):
        check_cancelled()
        found = _shakes(search, proofs, state)
        if found is not None:
            yield found


def _shakes(search: Search, proofs: Proofs, state: int) -> Found | None:
    for number in range(PUSHES):
        start = proofs.start_at(state, number * 360.0 / PUSHES)
        keys = [Controls(forward=1.0)] * PUSHED
        stands = list(proofs.trial.run(start, keys))
        apart = flips(stands)
        if apart > 0.0:
            last = stands[-1]
            sentence = f"In {cell_text(last.home)} a body shakes by {100.0 * apart:.1f} cm as long as a key is held"
            found = Found(
                SHAKES.id,
                landblock_id(last.home),
                last.cell_id,
                place=last.place,
                sentence=sentence,
                figures=(("between the two places, m", apart),),
            )
            return proofs.found(found, start, keys)
    return None


def one_of_each_square(search: Search, states: list[int]) -> list[int]:
    """The soonest state of each square of a cell, soonest first."""
    columns = search.columns
    found: dict[tuple[int, int, int], int] = {}
    for state in sorted(states, key=lambda each: columns.since[each]):
        at = columns.cell[state], math.floor(columns.x[state] / SQUARE), math.floor(columns.y[state] / SQUARE)
        found.setdefault(at, state)
    return list(found.values())[:MOST_PLACES]
