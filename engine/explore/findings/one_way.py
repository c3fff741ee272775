"""Places that one comes to and not back from."""

from __future__ import annotations

import math
from collections.abc import Container, Iterator
from typing import Final

import numpy as np

from engine.explore.findings.never_reached_graph import Graph, Group
from engine.explore.findings.proof import Proofs
from engine.explore.findings.stuck import Flags, Numbers
from engine.explore.findings.stuck_trials import FLIGHT, ways_to_jump, ways_to_walk
from engine.explore.findings.trial import Keys
from engine.explore.forms.settings import Settings
from engine.findings.finding import Check, Family, Found
from engine.findings.registry import register
from engine.sim.tick.controls import Controls
from engine.world.cells.ids import cell_text, landblock_id
from engine.world.faults import Severity

LEAST: Final = 0.5
"""Square metres."""

MOST_TRIED: Final = 6
"""Places of a part from which keys are tried that lead out."""

MOST_ENTRIES: Final = 12
"""Moves into a part that are tried again."""

ONE_WAY: Final = register(
    Check(
        "reach.one-way",
        "One comes in and not back",
        Family.EXPLORE,
        Severity.INFO,
        "A way leads from where people are into a part of the landblock, of any size, from which no way leads back: a "
        "drop without stairs, a chute, a room behind a wall that lets bodies through from one side. Leaving the "
        "landblock, and doors, count as ways back. The recording walks in. A portal or a recall may be the way out "
        "that is meant; a baseline takes those away.",
    )
)


def find_one_way(enabled: Container[str], graph: Graph, proofs: Proofs) -> Iterator[Found]:
    """The parts of a finished search that ways lead into and not out of."""
    if ONE_WAY.id not in enabled or graph.main < 0:
        return
    returns = graph.to_main()
    reached = graph.from_main()
    for group in graph.groups(graph.is_floor & reached & ~returns):
        if group.area >= LEAST and not _leads_back(graph, group, returns, proofs):
            yield _proved(graph, group, reached & returns, proofs)


def _leads_back(graph: Graph, group: Group, returns: Flags, proofs: Proofs) -> bool:
    """Whether a key leads out that the search did not press: it jumps from one place of each square alone."""
    step = max(len(group.states) // MOST_TRIED, 1)
    headings = proofs.search.columns.heading
    starts = [proofs.start_at(state, headings[state]) for state in group.states[::step][:MOST_TRIED].tolist()]
    for ways in (ways_to_walk, ways_to_jump):
        for keys in ways():
            for start in starts:
                end = proofs.trial.end_of(start, keys)
                if end is not None and end.on_walkable and graph.is_near(returns, end.cell_id, end.origin):
                    return True
    return False


def _proved(graph: Graph, group: Group, outside: Flags, proofs: Proofs) -> Found:
    """With the keys that lead in from one of the places that one returns to; some of the moves there are pressed again,
    for a search does not keep the keys of those that ended where it had been."""
    found = Found(
        ONE_WAY.id,
        landblock_id(group.cell),
        cell=group.cell,
        place=(group.cell, group.point),
        sentence=f"One comes to {group.area:.1f} m² in {cell_text(group.cell)}, and not back",
        figures=(("floor, m²", round(group.area, 2)),),
    )
    inside = np.zeros(graph.count, dtype=np.bool_)
    inside[group.states] = True
    crossing = outside[graph.ways.sources] & inside[graph.ways.targets]
    for source, jumped in _some(graph.ways.sources[crossing], graph.ways.jumps[crossing]):
        start = proofs.start_at(source, proofs.search.columns.heading[source])
        for keys in _moves(proofs.search.settings) if jumped else ways_to_walk():
            for count, stand in enumerate(proofs.trial.run(start, keys)):
                if stand.on_walkable and not stand.is_lost and graph.is_near(inside, stand.cell_id, stand.origin):
                    return proofs.found(found, start, keys[:count])
    return found


def _moves(settings: Settings) -> Iterator[Keys]:
    """The jumps of a search from where it stands, in the directions and by the keys that it has."""
    speeds = [run for run, wanted in ((True, settings.run), (False, settings.walk)) if wanted]
    for charge in settings.charges:
        held = [Controls(jump=True)] * max(1, round(charge * 30.0))
        for run in speeds:
            for number in range(settings.headings):
                look = math.remainder(number * 360.0 / settings.headings, 360.0)
                on = Controls(forward=1.0, run=run)
                yield (*held, Controls(forward=1.0, run=run, look=look), *[on] * FLIGHT)


def _some(sources: Numbers, jumps: Flags) -> list[tuple[int, bool]]:
    """A few of the moves, walks first."""
    pairs = dict.fromkeys(zip(sources.tolist(), jumps.tolist(), strict=True))
    return sorted(pairs, key=lambda pair: (pair[1], pair[0]))[:MOST_ENTRIES]
