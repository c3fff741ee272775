"""Panes of glass one behind the other: the farther ones are drawn first, whatever their order in the list (rendering.md
13.2, 13.4)."""

from __future__ import annotations

from itertools import permutations
from pathlib import Path

import pytest

from engine.build import Material, Mesh, WorldBuilder, rect
from engine.build.shapes.faces import Face
from engine.build.shapes.solids import passable
from engine.geometry.vec import Vec3
from engine.render.gl.renderer import GlRenderer
from engine.render.scene import Scene
from engine.visibility.flood import Visibility
from engine.visibility.frame import FrameDriver, FrameOptions
from engine.visibility.world_view import WorldView
from engine.world.cells.landdefs import get_outside_cell_id
from engine.world.loader import open_world
from tests.render.gl.conftest import Targets
from tests.render.gl.demo.test_demo import BOTH_MODES
from tests.render.gl.helpers.demo_pictures import camera_at

BLOCK = 0xC95BFFFF
SIZE = 64
PANES = {"red glass": 3.0, "green glass": 4.0, "blue glass": 5.0}
"""Metres north of the eye."""


def pane(material: str) -> Mesh:
    """A square metre, visible from the south."""
    corners = ((-2.0, 0.0, 0.0), (2.0, 0.0, 0.0), (2.0, 0.0, 3.0), (-2.0, 0.0, 3.0))
    return Mesh.of(material, passable([Face(corners, material, fit=True)]))


def middle_of(folder: Path, order: tuple[str, ...], indoors: bool, targets: Targets, exact: bool) -> tuple[int, ...]:
    world = WorldBuilder()
    for colour, name in enumerate(PANES):
        shade = tuple(255 if channel == colour else 0 for channel in range(3))
        world.define(Material(name, (shade[0], shade[1], shade[2]), translucency=0.5, luminosity=1.0))
    land = world.landblock(BLOCK >> 16, height=20.0)
    room = None
    if indoors:
        house = land.interior("house", (90.0, 80.0, 0.0))
        room = house.room("hall", rect(-4.0, -1.0, 8.0, 9.0))
        house.doorway(room, house.room("closet", rect(-4.0, -3.2, 8.0, 2.0)))  # behind the eye
    for name in order:
        if room is not None:
            room.put(pane(name), (0.0, PANES[name]))
        else:
            land.put(pane(name), (90.0, 80.0 + PANES[name]))
    world.build().write(folder)
    with open_world(folder) as opened:
        opened.graph.load_landblock(BLOCK)
        eye: Vec3 = (90.0, 80.0, 1.5 if indoors else 21.5)
        root_id = BLOCK & 0xFFFF0000 | 0x100 if indoors else get_outside_cell_id(BLOCK, eye)
        frames = FrameDriver(WorldView(opened), Visibility(opened.graph))
        frame = frames.frame_events(camera_at(root_id, eye, 0.0, 0.0, SIZE, SIZE), root_id, FrameOptions(exact))
        target, scene = targets(SIZE, SIZE), Scene(opened)
        renderer = GlRenderer(scene)
        renderer.draw(frame, target.framebuffer)
        red, green, blue, _ = (int(value) for value in target.pixels()[SIZE // 2, SIZE // 2])
        renderer.close()
        scene.close()
    return red, green, blue


@BOTH_MODES
@pytest.mark.parametrize("indoors", [True, False], ids=["in a room", "on land"])
def test_the_nearest_pane_counts_most(indoors: bool, exact: bool, tmp_path: Path, targets: Targets) -> None:
    seen = {
        middle_of(tmp_path / str(number), order, indoors, targets, exact)
        for number, order in enumerate(permutations(PANES))
    }
    assert len(seen) == 1
    red, green, blue = seen.pop()
    assert red > green > blue


@BOTH_MODES
def test_a_thing_in_the_plane_of_a_wall_does_not_show(exact: bool, tmp_path: Path, targets: Targets) -> None:
    """Walls are drawn before things, and the first of several coplanar faces stays (rendering.md M1)."""
    seen = []
    for number, away in enumerate((None, 6.0, 5.9)):
        builder = WorldBuilder()
        builder.define(Material("green paint", (0, 255, 0), luminosity=1.0))
        hall = builder.room("hall", rect(0.0, 0.0, 6.0, 6.0))
        builder.doorway(hall, builder.room("study", rect(6.2, 0.0, 6.0, 6.0)))
        if away is not None:
            hall.put(pane("green paint"), (3.0, away))
        built = builder.build()
        root_id = built.cell_id("hall")
        built.write(tmp_path / str(number))
        with open_world(tmp_path / str(number)) as opened:
            opened.graph.load_landblock(root_id)
            frames = FrameDriver(WorldView(opened), Visibility(opened.graph))
            camera = camera_at(root_id, (3.0, 1.0, 1.5), 0.0, 0.0, SIZE, SIZE)
            target, scene = targets(SIZE, SIZE), Scene(opened)
            renderer = GlRenderer(scene)
            renderer.draw(frames.frame_events(camera, root_id, FrameOptions(exact)), target.framebuffer)
            seen.append(target.pixels()[SIZE // 2, SIZE // 2].tolist())
            renderer.close()
            scene.close()
    assert seen[1] == seen[0] != seen[2]
