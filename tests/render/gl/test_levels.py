"""Pictures with levels of detail (rendering.md M4)."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from engine.build import Material, Mesh, WorldBuilder, rect
from engine.build.shapes.solids import box
from engine.dat.records.mesh import Degrade
from engine.render.draws import AS_AUTHORED
from engine.render.gl.renderer import DrawOptions, GlRenderer
from engine.render.scene import Scene
from engine.visibility.flood import Visibility
from engine.visibility.frame import FrameDriver, FrameOptions
from engine.visibility.world_view import WorldView
from tests.render.gl.conftest import Targets
from tests.render.gl.demo.test_demo import BOTH_MODES
from tests.render.gl.helpers.demo_pictures import camera_at
from tests.render.test_levels import with_levels

SIZE = 64
DETAILED = DrawOptions(levels_of_detail=True)
Picture = NDArray[np.uint8]


class Corridor:
    """130 m long. At its south end a red crate changes to a green one from 20 m beyond the first 50, and to nothing
    from 60 m. Another green one stands behind all eyes."""

    def __init__(self, targets: Targets, exact: bool) -> None:
        builder = WorldBuilder()
        builder.define(Material("red paint", (255, 0, 0), luminosity=1.0))
        builder.define(Material("green paint", (0, 255, 0), luminosity=1.0))
        room = builder.room("corridor", rect(0.0, 0.0, 6.0, 140.0))
        room.put(Mesh.of("red", box(-2.5, -1.0, 0.0, 5.0, 2.0, 2.9, "red paint")), (3.0, 5.0))
        room.put(Mesh.of("green", box(-2.5, -1.0, 0.0, 5.0, 2.0, 2.9, "green paint")), (3.0, 138.0))
        levels = [Degrade(number, AS_AUTHORED, 0.0, ideal, ideal) for number, ideal in ((1, 20.0), (2, 60.0), (0, 0.0))]
        self.world = with_levels(builder, levels).load()
        self.root_id = self.world.landblock_ids()[0] & 0xFFFF0000 | 0x100
        self.world.graph.load_landblock(self.root_id)
        self.scene = Scene(self.world)
        self.renderer = GlRenderer(self.scene)
        self.frames = FrameDriver(WorldView(self.world), Visibility(self.world.graph))
        self.target = targets(SIZE, SIZE)
        self.exact = exact

    def picture(self, away: float, options: DrawOptions) -> Picture:
        camera = camera_at(self.root_id, (3.0, 5.0 + away, 1.5), 180.0, 0.0, SIZE, SIZE)
        frame = self.frames.frame_events(camera, self.root_id, FrameOptions(self.exact))
        self.renderer.draw(frame, self.target.framebuffer, options)
        shown: Picture = self.target.pixels()[:, :, :3].copy()
        return shown

    def middle(self, away: float, options: DrawOptions) -> str:
        red, green, blue = self.picture(away, options)[SIZE // 2, SIZE // 2].tolist()
        return "red" if red > 2 * max(green, blue) else "green" if green > 2 * max(red, blue) else "wall"

    def close(self) -> None:
        self.renderer.close()
        self.scene.close()


@BOTH_MODES
def test_a_distant_thing_is_drawn_at_the_level_for_its_distance(exact: bool, targets: Targets) -> None:
    corridor = Corridor(targets, exact)
    ways = [30.0, 65.0, 75.0, 105.0, 115.0, 75.0, 30.0]
    assert [corridor.middle(away, DETAILED) for away in ways] == [
        "red",
        "red",
        "green",
        "green",
        "wall",
        "green",
        "red",
    ]
    corridor.close()


def test_without_the_option_everything_is_drawn_at_its_first_level(targets: Targets) -> None:
    corridor = Corridor(targets, False)
    before = corridor.picture(75.0, DrawOptions())
    assert corridor.middle(115.0, DrawOptions()) == "red"
    assert corridor.middle(75.0, DETAILED) == "green"
    assert (corridor.picture(75.0, DrawOptions()) == before).all()
    corridor.close()
