"""Places that one comes to and not back from."""

from __future__ import annotations

from collections.abc import Container, Iterator
from typing import Final

import numpy as np

from engine.explore.findings.never_reached_graph import Graph, Group
from engine.explore.results.recordings import recording_to
from engine.explore.search import Search
from engine.findings.finding import Check, Family, Found
from engine.findings.registry import register
from engine.sim.errors import SimError
from engine.sim.recording_file import recording_bytes
from engine.world.cells.ids import cell_text, landblock_id
from engine.world.faults import Severity

LEAST: Final = 0.5
"""Square metres."""

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


def find_one_way(search: Search, enabled: Container[str], graph: Graph) -> Iterator[Found]:
    """The parts of a finished search that ways lead into and not out of."""
    if ONE_WAY.id not in enabled:
        return
    if graph.main < 0:
        return
    for group in graph.groups(graph.is_floor & graph.from_main() & ~graph.to_main()):
        if group.area >= LEAST:
            yield _found(search, graph, group)


def _found(search: Search, graph: Graph, group: Group) -> Found:
    """With the soonest walk that enters it from the main part; none where every one of the search began in it."""
    parents = np.array(search.columns.parent, dtype=np.int64)[group.states]
    inside = np.isin(parents, group.states)
    entries = group.states[(parents >= 0) & ~inside]
    recording, place = b"", group.point
    if len(entries):
        since = np.array(search.columns.since, dtype=np.int64)[entries]
        entry = int(entries[since.argmin()])
        try:
            recording = recording_bytes(recording_to(search, entry))
        except SimError:
            recording = b""  # the finding stands without it
        x, y, z = graph.points[entry].tolist()
        place = (x, y, z - search.sim.player.sunk())
    sentence = f"One comes to {group.area:.1f} m² in {cell_text(group.cell)}, and not back"
    return Found(
        ONE_WAY.id,
        landblock_id(group.cell),
        cell=group.cell,
        place=(group.cell, place),
        sentence=sentence,
        figures=(("floor, m²", round(group.area, 2)),),
        recording=recording,
    )
