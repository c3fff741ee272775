"""A house sunk into the ground: its openings show its rooms, not the ground that passes through them (rendering.md
12.5, the punch)."""

from __future__ import annotations

from pathlib import Path

import numpy as np

from engine.build.demo.crossing import build_crossing
from engine.build.demo.materials import MATERIALS
from engine.build.textures import texture
from engine.build.world import WorldBuilder
from engine.render.gl.renderer import GlRenderer
from engine.render.scene import Scene
from engine.visibility.flood import Visibility
from engine.visibility.frame import FrameDriver, FrameOptions
from engine.visibility.world_view import WorldView
from engine.world.cells.landdefs import get_outside_cell_id
from engine.world.loader import open_world
from tests.render.gl.conftest import Targets
from tests.render.gl.demo.test_demo import BOTH_MODES, inner, inside
from tests.render.gl.helpers.demo_pictures import HEIGHT, WIDTH, Mask, Picture, camera_at, far_apart

BLOCK = 0xC95BFFFF
FLOOR = 19.0
EYE = (109.0, 74.0, 21.5)


def seen(folder: Path, ground: float, targets: Targets, exact: bool) -> tuple[Picture, Mask]:
    """The crossing's door from the south and the pixels of its opening, with the ground at a given height."""
    builder = WorldBuilder(textures=texture, height_step=0.5)
    builder.define(*MATERIALS)
    build_crossing(builder.landblock(BLOCK >> 16, height=ground), (109.0, 82.0, FLOOR))
    builder.build().write(folder)
    with open_world(folder) as world:
        root_id = get_outside_cell_id(BLOCK, EYE)
        world.graph.load_landblock(BLOCK)
        camera = camera_at(root_id, EYE, 0.0)
        frame = FrameDriver(WorldView(world), Visibility(world.graph)).frame_events(
            camera, root_id, FrameOptions(exact)
        )
        target, scene = targets(WIDTH, HEIGHT), Scene(world)
        renderer = GlRenderer(scene)
        renderer.draw(frame, target.framebuffer)
        picture: Picture = target.pixels()[:, :, :3].copy()
        renderer.close()
        scene.close()
        return picture, inner(inside(frame.look_ins[-1].cells[0].views))


@BOTH_MODES
def test_ground_above_a_floor_does_not_hide_the_room_in_an_opening(
    exact: bool, tmp_path: Path, targets: Targets
) -> None:
    low, opening = seen(tmp_path / "low", FLOOR - 0.5, targets, exact)
    high, same = seen(tmp_path / "high", FLOOR + 1.0, targets, exact)
    assert (opening == same).all()
    assert opening.sum() > 2000
    rows = np.flatnonzero(opening.any(axis=1))
    foot = opening.copy()
    foot[: (rows[0] + rows[-1]) // 2] = False  # the half that shows the floor, and no landscape behind the house
    assert far_apart(low, high)[foot].mean() < 0.02
    assert far_apart(low, high)[~opening].mean() > 0.005, "around the opening the ground is higher"
