"""`bench view`, its part on dollhouses: all cells of the demo's village and of its dungeon, drawn without PView at
1280 x 800 in each drawing, framed as in the window."""

from __future__ import annotations

import gc
import time
from dataclasses import replace
from typing import TYPE_CHECKING

from benchmarks.figures import Figure
from editor.view3d.framing import sight_of
from engine.geometry.vec import scale, sub
from engine.render.dollhouse.edges import bounds_of, points_of
from engine.render.dollhouse.look import Dollhouse, Drawing
from engine.render.gl import api
from engine.render.viewer.rig import direction
from engine.visibility.camera import Camera, focal_of_screen, looking

if TYPE_CHECKING:
    from benchmarks.picture import Pictures

BLOCKS = {"village": 0xC95BFFFF, "dungeon": 0x0007FFFF}
SIZE = (1280.0, 800.0)
HEADING, PITCH = 30.0, -52.0
FRAMES = 40
FRAME_LIMIT = 33.0
"""Milliseconds."""


def figures(pictures: Pictures, promised: bool) -> list[Figure]:
    limit = FRAME_LIMIT if promised else None
    found = []
    for name, block_id in BLOCKS.items():
        house = _house(pictures, block_id)
        camera = _camera(pictures, house)
        for drawing in Drawing:
            first, best = _times(pictures, replace(house, drawing=drawing), camera)
            words = f"dollhouse of the {name}, {drawing.value}"
            found += [
                Figure(f"{words}: first frame", first, "ms"),
                Figure(f"{words}: frame", best, "ms", limit, limit),
            ]
        middle = _middle(pictures, house)
        found.append(
            Figure(f"dollhouse of the {name}, solid: a moved plane", _cut(pictures, house, camera, middle), "ms")
        )
    return found


def _house(pictures: Pictures, block_id: int) -> Dollhouse:
    pictures.world.graph.load_landblock(block_id)
    block = pictures.world.landblock(block_id)
    assert block is not None
    rooms = tuple(room.id for room in block.env_cells)
    return Dollhouse(block.id, rooms, tuple(block.buildings), has_land=not block.is_dungeon, roofs=False)


def _camera(pictures: Pictures, house: Dollhouse) -> Camera:
    scene = pictures.scene
    shells = [scene.shell(cell_id) for cell_id in house.rooms]
    shells += [scene.building_shell(building, house.block_id) for building in house.buildings]
    points = points_of(shell for shell in shells if shell is not None)
    focal = focal_of_screen(*SIZE)
    level = looking(house.block_id, (0.0, 0.0, 0.0), HEADING, PITCH, *SIZE, focal)
    sight = sight_of(points, HEADING, PITCH, level)
    eye = sub(sight.target, scale(direction(HEADING, PITCH), sight.away))
    return looking(house.block_id, eye, HEADING, PITCH, *SIZE, focal)


def _middle(pictures: Pictures, house: Dollhouse) -> float:
    shells = [pictures.scene.shell(cell_id) for cell_id in house.rooms]
    bounds = bounds_of(points_of(shell for shell in shells if shell is not None))
    assert bounds is not None
    return (bounds[0][2] + bounds[1][2]) / 2.0


def _times(pictures: Pictures, house: Dollhouse, camera: Camera) -> tuple[float, float]:
    """Milliseconds of the first frame, and of the quickest one after it."""
    first = _draw(pictures, house, camera)
    gc.collect()
    gc.disable()  # a window would collect while it waits for the next frame
    try:
        return first, min(_draw(pictures, house, camera) for _ in range(FRAMES))
    finally:
        gc.enable()


def _cut(pictures: Pictures, house: Dollhouse, camera: Camera, middle: float) -> float:
    """The same with the plane at another height in every frame, as while it is dragged."""
    return min(_draw(pictures, replace(house, high=middle + number * 0.02), camera) for number in range(FRAMES))


def _draw(pictures: Pictures, house: Dollhouse, camera: Camera) -> float:
    start = time.perf_counter()
    pictures.scene.update()
    pictures.renderer.draw_dollhouse(house, camera, pictures.target.framebuffer)
    api.finish()
    return (time.perf_counter() - start) * 1000.0
