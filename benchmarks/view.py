"""`bench view`, its part on floods: PView from 200 eyes in the demo dungeon and 200 in the inn, and how its time grows
with the cells that are seen (engine/visibility).

The eyes are anywhere in any room, looking any way. Every flood has a camera of its own, as in frames that follow a
moving eye; the openings of the cells are in the cache, as they are after the first frame.
"""

from __future__ import annotations

import gc
import random
import time
from dataclasses import dataclass
from statistics import median

from benchmarks import picture
from benchmarks.figures import Figure
from engine.build.demo import SPOTS, ensure_demo
from engine.geometry.vec import Vec3
from engine.visibility.camera import Camera, focal_of_screen, looking
from engine.visibility.flood import Visibility
from engine.world.cells.cell import EnvCell
from engine.world.loader import open_world
from engine.world.world import World

EYES = 200
REPEATS = {"compiled": 9, "python": 3}
SIZE = (1280.0, 800.0)

MEDIAN_LIMIT, P95_LIMIT = 0.5, 2.0
"""Milliseconds on the compiled core; the interpreted one has no promise."""

BANDS = ((1, 4), (5, 9), (10, 19), (20, 256))
"""Visible cells, for the figures of growth."""


@dataclass
class Flood:
    """One eye: how many cells it sees, and the milliseconds that finding out takes."""

    cells: int
    clips: int
    milliseconds: float


def figures(core: str) -> list[Figure]:
    core = "python" if core == "python" else "compiled"
    with open_world(ensure_demo()) as world:
        dungeon = _floods(world, _rooms_around(world, SPOTS["dungeon_start"].cell_id), core)
        inn = _floods(world, _rooms_around(world, SPOTS["inn_common_room"].cell_id), core)
    floods = [*_times("dungeon", dungeon, core), *_times("inn", inn, core), *_growth([*dungeon, *inn])]
    return [*floods, *picture.figures(core)]


def _times(name: str, floods: list[Flood], core: str) -> list[Figure]:
    times = sorted(flood.milliseconds for flood in floods)
    promised = core == "compiled"
    return [
        Figure(f"flood in the {name}, median", median(times), "ms", *_both(MEDIAN_LIMIT if promised else None)),
        Figure(
            f"flood in the {name}, 95th percentile",
            times[len(times) * 95 // 100],
            "ms",
            *_both(P95_LIMIT if promised else None),
        ),
        Figure(f"flood in the {name}, longest", times[-1], "ms"),
        Figure(f"cells seen in the {name}, median", median(flood.cells for flood in floods), ""),
        Figure(f"cells seen in the {name}, most", max(flood.cells for flood in floods), ""),
    ]


def _both(limit: float | None) -> tuple[float | None, float | None]:
    """The goal and the limit, which are one."""
    return (limit, limit)


def _growth(floods: list[Flood]) -> list[Figure]:
    """The time of a flood for so many visible cells, and for each of them."""
    found = []
    for low, high in BANDS:
        times = [flood.milliseconds for flood in floods if low <= flood.cells <= high]
        if times:
            name = f"{low} to {high} cells" if high < BANDS[-1][1] else f"{low} cells and more"
            found.append(Figure(f"flood of {name}, median of {len(times)}", median(times), "ms"))
    cells, clips = sum(flood.cells for flood in floods), sum(flood.clips for flood in floods)
    taken = sum(flood.milliseconds for flood in floods)
    return [
        *found,
        Figure("a visible cell", taken / cells * 1000.0, "us"),
        Figure("a clip, with all that comes of it", taken / clips * 1000.0, "us"),
    ]


def _rooms_around(world: World, start_id: int) -> list[EnvCell]:
    """The rooms that portals join to one."""
    found: dict[int, EnvCell] = {}
    waiting = [start_id]
    while waiting:
        cell = world.graph.get_visible(waiting.pop())
        if isinstance(cell, EnvCell) and cell.id not in found:
            found[cell.id] = cell
            waiting.extend(portal.other_cell_id for portal in cell.portals)
    return [found[cell_id] for cell_id in sorted(found)]


def _floods(world: World, rooms: list[EnvCell], core: str) -> list[Flood]:
    chance = random.Random(5)
    visibility = Visibility(world.graph)
    eyes = [_eye(chance.choice(rooms), chance) for _ in range(EYES)]
    for cell_id, eye, heading, pitch in eyes:
        visibility.flood_interior(cell_id, _camera(cell_id, eye, heading, pitch))
    gc.collect()
    gc.disable()  # a flood leaves no cycles behind; what the collector does with a world's objects is no part of it
    try:
        return [_measured(visibility, *eye, REPEATS[core]) for eye in eyes]
    finally:
        gc.enable()
        visibility.close()


def _measured(visibility: Visibility, cell_id: int, eye: Vec3, heading: float, pitch: float, repeats: int) -> Flood:
    times = []
    for _ in range(repeats):
        camera = _camera(cell_id, eye, heading, pitch)
        start = time.perf_counter()
        result = visibility.flood_interior(cell_id, camera)
        times.append((time.perf_counter() - start) * 1000.0)
    return Flood(len(result.cells), result.clips, median(times))


def _camera(cell_id: int, eye: Vec3, heading: float, pitch: float) -> Camera:
    return looking(cell_id, eye, heading, pitch, *SIZE, focal_of_screen(*SIZE))


def _eye(cell: EnvCell, chance: random.Random) -> tuple[int, Vec3, float, float]:
    corners = [cell.frame.local_to_global(vertex) for vertex in cell.structure.vertices]
    low, high = ([pick(corner[axis] for corner in corners) for axis in range(3)] for pick in (min, max))
    while True:
        x, y, z = (chance.uniform(low[axis], high[axis]) for axis in range(3))
        if cell.point_in_cell((x, y, z)):
            return cell.id, (x, y, z), chance.uniform(0.0, 360.0), chance.uniform(-30.0, 30.0)
