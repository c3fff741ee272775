"""Draws a few meshes directly with the brush, for an eye in the corner of the world that looks north."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from engine.geometry.frame import Frame
from engine.geometry.vec import Vec3
from engine.render.draws import Daylight, LightSource
from engine.render.gl import api
from engine.render.gl.brush import Brush
from engine.render.gl.offscreen import OffscreenTarget
from engine.render.gl.screen import Screen
from engine.render.gl.uniforms import Lit, Uniforms
from engine.render.gl.uploads.tables import WORLD, place_row
from engine.render.gl.uploads.things import Thing, Things
from engine.render.materials import Material, SubsetKind
from engine.render.mesh import Mesh
from engine.visibility.camera import Camera, looking

WIDTH, HEIGHT = 64, 48

EVEN = Daylight(0.5, (0.0, 0.0, 0.0), (1.0, 1.0, 1.0), 1.0, (1.0, 1.0, 1.0), None, (0.0, 0.0, 0.0))
"""Full light from everywhere, no fog."""


def camera() -> Camera:
    return looking(WORLD, (0.0, 0.0, 0.0), 0.0, 0.0, float(WIDTH), float(HEIGHT), HEIGHT / 2.0)


class Easel:
    def __init__(self, target: OffscreenTarget) -> None:
        self.target = target
        self.things = Things()
        self.uniforms = Uniforms()
        self.brush = Brush(self.things, self.uniforms)
        self.screen = Screen()

    def begin(
        self,
        daylight: Daylight = EVEN,
        clear: Vec3 = (0.0, 0.0, 0.0),
        sees_outside: bool = True,
        lamps: Sequence[LightSource] = (),
        landscape: Daylight | None = None,
    ) -> None:
        api.bind_framebuffer(api.FRAMEBUFFER, self.target.framebuffer)
        api.viewport(0, 0, self.target.width, self.target.height)
        api.enable(api.DEPTH_TEST)
        api.enable(api.CULL_FACE)
        api.depth_func(api.LESS)
        api.depth_mask(api.TRUE)
        api.stencil_mask(0xFF)
        api.clear_color(*clear, 1.0)
        api.clear_depth(1.0)
        api.clear(api.COLOR_BUFFER_BIT | api.DEPTH_BUFFER_BIT | api.STENCIL_BUFFER_BIT)
        api.stencil_mask(0)
        self.screen.begin(camera())
        self.uniforms.send(camera(), daylight, sees_outside, 0.0, lamps, landscape)
        self.uniforms.light(Lit.OUTDOORS)
        self.brush.bind()

    def add(
        self,
        mesh: Mesh,
        material: Material | Sequence[Material],
        at: Vec3 = (0.0, 0.0, 0.0),
        alpha: float = 1.0,
        light: NDArray[np.float32] | None = None,
    ) -> Thing:
        materials = [material] if isinstance(material, Material) else material
        return self.things.add(mesh, materials, place_row(WORLD, Frame(at), alpha), light=light)

    def paint(self, *things: Thing) -> None:
        """Opaque ones, then clip-mapped ones, then blended ones in their given order."""
        solid = [thing for thing in things if thing.faded is None]
        self.brush.any_order(SubsetKind.OPAQUE, [each for thing in solid for each in thing.opaque])
        self.brush.any_order(SubsetKind.CLIP, [each for thing in solid for each in thing.clip])
        self.brush.in_order(
            [each for thing in things for each in (thing.blended if thing.faded is None else thing.faded)]
        )

    def middle(self) -> tuple[int, int, int]:
        """The colour at the centre of the picture."""
        red, green, blue, opacity = (int(value) for value in self.target.pixels()[HEIGHT // 2, WIDTH // 2])
        assert opacity == 255
        return red, green, blue

    def close(self) -> None:
        for kept in (self.things, self.brush, self.uniforms, self.screen):
            kept.close()
