"""`bench view`, its part on a flight: over a world with a cottage and trees on every landblock, which arrive in the
picture while one flies (engine/render/viewer/arrivals).

A turn is a frame with the work that is done after it. The processor time of the window's thread counts; the rasteriser
has threads of its own.
"""

from __future__ import annotations

import gc
import random
import time
from collections.abc import Callable
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Final

from benchmarks.figures import Figure
from engine.build.demo.cottage import build_cottage
from engine.build.demo.materials import MATERIALS, dress_region
from engine.build.demo.outdoors import BASE, COTTAGE, COTTAGE_HEADING
from engine.build.demo.plants import bush, conifer, oak_tree
from engine.build.demo.sky import sky
from engine.build.textures import texture
from engine.build.world import WorldBuilder
from engine.geometry.constants import BLOCK_LENGTH
from engine.render.gl import api
from engine.render.gl.offscreen import OffscreenTarget
from engine.render.gl.renderer import GlRenderer
from engine.render.scene import Scene
from engine.render.viewer.viewer import Viewer
from engine.sim.tick.simulation import Simulation
from engine.world.cells.ids import in_block_of, land_cell_low
from engine.world.loader import open_world
from engine.world.world import World

COLUMNS: Final = 6
ROWS: Final = 3
FIRST: Final = 0x50
TREES: Final = 60
STEP: Final = 6.0
"""Metres between two frames, a fast flight."""
NORTH: Final = 90.0
HEIGHT: Final = 10.0
"""Metres above the ground that the eye flies."""
SLICE: Final = 0.006
"""Seconds of work after a frame, as in the window."""
TURN_LIMIT: Final = 66.0
"""Milliseconds: two frames."""


def write_world(folder: Path) -> None:
    """Three rows of landblocks like the village's."""
    world = WorldBuilder(textures=texture, height_step=0.5)
    world.define(*MATERIALS)
    dress_region(world.region)
    world.region.sky = sky()
    chance = random.Random(3)
    trees = (oak_tree(8.0), conifer(9.0), bush())
    for column in range(COLUMNS):
        for row in range(ROWS):
            land = world.landblock((FIRST + column) << 8 | (FIRST + row), height=BASE)
            build_cottage(land, COTTAGE, COTTAGE_HEADING)
            for number in range(TREES):
                at = (chance.uniform(2.0, 190.0), chance.uniform(2.0, 90.0))
                land.put(trees[number % len(trees)], at, chance.uniform(0.0, 360.0))
    world.build().write(folder)
    (folder / "entities.json").unlink()  # with its doors every landblock would be loaded from the start


def figures(target: OffscreenTarget, promised: bool) -> list[Figure]:
    with TemporaryDirectory() as folder:
        write_world(Path(folder))
        with open_world(folder) as world:
            turns = sorted(_fly(world, target))
    limit = TURN_LIMIT if promised else None
    return [
        Figure("flight over landblocks: turn, median", turns[len(turns) // 2], "ms"),
        Figure("flight over landblocks: longest turn", turns[-1], "ms", limit, limit),
    ]


def _until(end: float) -> Callable[[], bool]:
    return lambda: time.thread_time() >= end


def _fly(world: World, target: OffscreenTarget) -> list[float]:
    """Milliseconds of each turn after the first picture of all that was around the eye."""
    sim = Simulation(world)
    scene, viewer = Scene(sim.world, sim), Viewer(sim.world, patient=True)
    renderer = GlRenderer(scene)
    arrivals = viewer.arrivals
    assert arrivals is not None
    arrivals.drawer = renderer

    def frame(x: float) -> None:
        column, east = divmod(x, BLOCK_LENGTH)
        block_id = (FIRST + int(column)) << 24 | (FIRST + 1) << 16
        cell_id = in_block_of(block_id, land_cell_low(int(east // 24.0), int(NORTH // 24.0)))
        viewer.free.place(cell_id, (east, NORTH, BASE + HEIGHT), 90.0)
        scene.update()
        renderer.draw(viewer.frame(float(target.width), float(target.height)), target.framebuffer)

    frame(0.0)
    arrivals.work(lambda: False)
    frame(0.0)
    api.finish()
    gc.collect()
    gc.freeze()  # as the window does
    turns = []
    for number in range(int((COLUMNS - 1) * BLOCK_LENGTH / STEP)):
        busy = time.thread_time()
        frame(number * STEP)
        arrivals.work(_until(time.thread_time() + SLICE))
        turns.append((time.thread_time() - busy) * 1000.0)
        api.finish()
    gc.unfreeze()
    renderer.close()
    viewer.close()
    scene.close()
    sim.close()
    return turns
