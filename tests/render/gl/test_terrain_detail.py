"""Pictures with fewer squares of ground far away (rendering.md M2)."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from engine.build import Material, Mesh, WorldBuilder
from engine.build.shapes.solids import box
from engine.render.gl.renderer import GlRenderer
from engine.render.scene import Scene
from engine.visibility.camera import looking
from engine.visibility.flood import Visibility
from engine.visibility.frame import FrameDriver, FrameOptions
from engine.visibility.world_view import WorldView
from tests.render.gl.conftest import Targets

ROOT = 0xC95B0024
SIZE = 128
Picture = NDArray[np.uint8]


def peak(x: float, y: float) -> float:
    """Flat except for one vertex, which neither 4 x 4 squares nor larger ones have."""
    return 180.0 if (round(x / 24.0), round(y / 24.0)) == (5, 5) else 20.0


class Plain:
    """A plain with a red crate on the next landblock to the north, and a green one on the second, which has a peak."""

    def __init__(self, targets: Targets) -> None:
        builder = WorldBuilder()
        builder.define(Material("red paint", (255, 0, 0), luminosity=1.0))
        builder.define(Material("green paint", (0, 255, 0), luminosity=1.0))
        for row, paint in ((0x5B, ""), (0x5C, "red paint"), (0x5D, "green paint")):
            land = builder.landblock(0xC900 | row, height=20.0)
            if paint:
                across = 40.0 if row == 0x5C else 150.0
                land.put(Mesh.of(paint, box(-8.0, -8.0, 0.0, 16.0, 16.0, 30.0, paint)), (across, 30.0))
        assert land.ground is not None
        land.ground.shape(peak)
        self.world = builder.build().load()
        for block_id in self.world.landblock_ids():
            self.world.graph.load_landblock(block_id)
        self.scene = Scene(self.world)
        self.renderer = GlRenderer(self.scene)
        self.frames = FrameDriver(WorldView(self.world), Visibility(self.world.graph))
        self.target = targets(SIZE, SIZE)

    def picture(self, options: FrameOptions) -> Picture:
        camera = looking(ROOT, (100.0, 80.0, 60.0), 0.0, 0.0, SIZE, SIZE, SIZE / 2.0)
        self.renderer.draw(self.frames.frame_events(camera, ROOT, options), self.target.framebuffer)
        shown: Picture = self.target.pixels()[:, :, :3].copy()
        return shown

    def close(self) -> None:
        self.renderer.close()
        self.scene.close()


def painted(picture: Picture, channel: int) -> int:
    """Pixels in which one channel is far above the others."""
    others = np.delete(picture.astype(np.int16), channel, axis=2).max(axis=2)
    return int((picture[:, :, channel] > 100 + others).sum())


def above_horizon(picture: Picture) -> int:
    """Pixels in the upper half that show something other than the sky, which is plain."""
    upper = picture[: SIZE // 2 - 2].astype(np.int16)
    return int((np.abs(upper - upper[0, 0]).max(axis=2) > 8).sum())


def test_distant_land_loses_its_things_and_peaks_and_regains_them(targets: Targets) -> None:
    plain = Plain(targets)
    whole = plain.picture(FrameOptions())
    assert painted(whole, 0) > 20
    assert painted(whole, 1) > 10
    simple = plain.picture(FrameOptions(load_point=ROOT))
    assert painted(simple, 0) == painted(whole, 0), "the next landblock is as it was"
    assert painted(simple, 1) == 0
    assert above_horizon(whole) > 20
    assert above_horizon(simple) == 0
    assert (plain.picture(FrameOptions()) == whole).all()
    plain.close()
