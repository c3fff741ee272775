"""Parts of floors that no place of a search is on, though a body can stand there: behind furniture, on ledges, between
walls. A search begins in the middle of each floor alone, so it does not come to all of them by itself."""

from __future__ import annotations

import math
from collections.abc import Iterator
from typing import Final

import numpy as np

from engine.explore.findings.never_reached_graph import Graph
from engine.explore.forms.seeds import floors_of
from engine.explore.search import Search
from engine.files.cancelling import check_cancelled
from engine.geometry.elementary import distance_between, hypot
from engine.geometry.vec import Vec3
from engine.physics.errors import PhysicsError
from engine.sim.edits.player import Teleport
from engine.sim.tick.simulation import Simulation
from engine.world.cells.cell import EnvCell

SAMPLE: Final = 0.5
"""Metres between the points of a floor that are looked at."""

NEAR: Final = 0.6
"""Metres from a place of the search, on the same storey, at which a point counts as reached."""

AWAY: Final = 0.15
"""Metres by which a body may be put elsewhere than it should stand."""

Spot = tuple[int, Vec3]


def standing_places(search: Search, graph: Graph) -> list[list[Spot]]:
    """The free places that the search has not been to, in groups of neighbours."""
    sim = Simulation(search.sim.world.loaded, player_id=search.sim.player.id, player_name=search.sim.player.name)
    try:
        sim.restore(search.start)
        return _grouped([spot for spot in _unvisited(search, graph) if _is_free(sim, *spot)])
    finally:
        sim.close()


def _unvisited(search: Search, graph: Graph) -> Iterator[Spot]:
    soles = graph.points - (0.0, 0.0, search.sim.player.sunk())
    blocks = graph.cells >> 16
    squares: dict[tuple[int, int, int], list[Vec3]] = {}
    for block, (x, y, z) in zip(blocks.tolist(), soles.tolist(), strict=True):
        squares.setdefault((block, math.floor(x), math.floor(y)), []).append((x, y, z))
    for block_id in search.blocks:
        for floor in floors_of(search.sim, block_id):
            check_cancelled()
            cell = search.sim.graph.get_visible(floor.cell_id)
            if isinstance(cell, EnvCell):
                for x, y, z in _samples(cell, floor.polygon):
                    near = (
                        place
                        for dx in (-1, 0, 1)
                        for dy in (-1, 0, 1)
                        for place in squares.get((floor.cell_id >> 16, math.floor(x) + dx, math.floor(y) + dy), ())
                    )
                    if not any(hypot(p[0] - x, p[1] - y) <= NEAR and abs(p[2] - z) <= NEAR for p in near):
                        yield floor.cell_id, (x, y, z)


def _samples(cell: EnvCell, number: int) -> Iterator[Vec3]:
    """Points of a floor, on the lines of a grid that all floors share."""
    polygon = cell.structure.physics_polygons[number]
    corners = [cell.frame.local_to_global(corner) for corner in polygon.vertices]
    nx, ny, nz = cell.frame.local_to_global_vec(polygon.normal)
    x0, y0, z0 = corners[0]
    lows = [math.ceil(min(corner[axis] for corner in corners) / SAMPLE) for axis in (0, 1)]
    highs = [math.floor(max(corner[axis] for corner in corners) / SAMPLE) for axis in (0, 1)]
    for column in range(lows[0], highs[0] + 1):
        for row in range(lows[1], highs[1] + 1):
            x, y = column * SAMPLE, row * SAMPLE
            if _is_within(corners, x, y):
                yield (x, y, z0 - (nx * (x - x0) + ny * (y - y0)) / nz)


def _is_within(corners: list[Vec3], x: float, y: float) -> bool:
    """Seen from above, where the corners of a floor go round counter-clockwise."""
    turned = zip(corners, [*corners[1:], corners[0]], strict=True)
    return all((b[0] - a[0]) * (y - a[1]) - (b[1] - a[1]) * (x - a[0]) >= 0.0 for a, b in turned)


def _is_free(sim: Simulation, cell_id: int, spot: Vec3) -> bool:
    """Whether a body stands there, or close by."""
    try:
        sim.apply_edit(Teleport(cell_id, *spot, 0.0))
    except PhysicsError:
        return False
    body = sim.player.steered
    return body.place.cell_id == cell_id and distance_between(sim.player.soles(), spot) <= AWAY


def _grouped(spots: list[Spot]) -> list[list[Spot]]:
    """Neighbours on one storey, in the order of their first places."""
    left = dict.fromkeys(range(len(spots)))
    points = np.array([spot[1] for spot in spots]) if spots else np.zeros((0, 3))
    groups: list[list[Spot]] = []
    while left:
        waiting = [next(iter(left))]
        del left[waiting[0]]
        group: list[int] = []
        while waiting:
            number = waiting.pop()
            group.append(number)
            away = np.abs(points - points[number])
            near = (away[:, 0] <= SAMPLE * 1.01) & (away[:, 1] <= SAMPLE * 1.01) & (away[:, 2] <= NEAR)
            for other in np.nonzero(near)[0].tolist():
                if other in left and spots[other][0] >> 16 == spots[number][0] >> 16:
                    del left[other]
                    waiting.append(other)
        groups.append([spots[number] for number in sorted(group)])
    return groups
