"""Draws one model by itself, for catalogues: its resting parts in an even light, seen from before and above."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Final

from engine.geometry.frame import Frame
from engine.geometry.vec import Vec3
from engine.render.draws import AS_AUTHORED, Daylight, Owner, PartDraw
from engine.render.gl.brush import Brush
from engine.render.gl.uniforms import Lit, Uniforms
from engine.render.gl.uploads.tables import place_row
from engine.render.gl.uploads.things import Thing, Things
from engine.render.materials import SubsetKind
from engine.render.parts import PlacedObject, Shapes, facing_frame, part_draws, resting_pose
from engine.visibility.camera import Camera, looking
from engine.world.cells.objects import Setup

HOME: Final = 0x0000FFFF
"""Where the model is put: any landblock serves, since eye and model are in the same one."""
HEADING: Final = 215.0
PITCH: Final = -22.0
"""The eye's direction in degrees: models have their front at +y."""
FOCAL: Final = 1.2
"""The focal length in widths of the picture: 45 degrees."""
MARGIN: Final = 1.04
STUDIO: Final = Daylight(0.5, (-0.15, 0.6, 0.65), (1.0, 1.0, 1.0), 0.75, (1.0, 1.0, 1.0), None, (0.0, 0.0, 0.0))
"""A light from before, the left and above, so that faces of one colour are told apart; the same at every hour."""
NEAREST: Final = 0.3
"""Metres from the eye to the middle, beyond the near plane."""


def model_parts(setup: Setup, shapes: Shapes) -> list[PartDraw]:
    """The parts of a model at rest, at the origin."""
    return part_draws(PlacedObject(0, setup, Frame(), 1.0, Owner.LAND, HOME, resting_pose(setup)), shapes, 0)


def model_camera(parts: Sequence[PartDraw], size: int) -> Camera:
    """A camera that has the whole model in a square picture."""
    lows = [min(part.sphere.center[axis] - part.sphere.radius for part in parts) for axis in range(3)]
    highs = [max(part.sphere.center[axis] + part.sphere.radius for part in parts) for axis in range(3)]
    x, y, z = ((low + high) / 2.0 for low, high in zip(lows, highs, strict=True))
    radius = max(math.dist((x, y, z), part.sphere.center) + part.sphere.radius for part in parts)
    away = max(radius * MARGIN / math.sin(math.atan(0.5 / FOCAL)), NEAREST)
    aim = looking(HOME, (0.0, 0.0, 0.0), HEADING, PITCH, size, size, size * FOCAL)
    fx, fy, fz = aim.forward
    eye: Vec3 = (x - fx * away, y - fy * away, z - fz * away)
    return looking(HOME, eye, HEADING, PITCH, size, size, size * FOCAL)


class ModelDrawer:
    """Draws parts into the framebuffer of a begun frame; their uploads are given back at once."""

    def __init__(self, things: Things, brush: Brush, uniforms: Uniforms) -> None:
        self._things = things
        self._brush = brush
        self._uniforms = uniforms

    def draw(self, parts: Sequence[PartDraw], camera: Camera) -> None:
        self._uniforms.send(camera, STUDIO, True, 0.0)
        self._uniforms.light(Lit.OUTDOORS)
        near_first = sorted(parts, key=lambda part: math.dist(part.sphere.center, camera.eye))
        uploaded = [self._upload(part, camera) for part in near_first]
        try:
            self._brush.any_order(SubsetKind.OPAQUE, [each for thing in uploaded for each in thing.opaque])
            clip = [each for thing in uploaded for each in thing.clip]
            self._brush.any_order(SubsetKind.CLIP, [each for each in clip if not each.is_blended])
            for thing in reversed(uploaded):
                self._brush.in_order([*[each for each in thing.clip if each.is_blended], *thing.blended])
        finally:
            for thing in uploaded:
                self._things.remove(thing)

    def _upload(self, part: PartDraw, camera: Camera) -> Thing:
        turns = part.billboard != AS_AUTHORED
        frame = facing_frame(part.frame, part.billboard, camera.eye) if turns else part.frame
        return self._things.add(part.mesh, part.materials, place_row(HOME, frame), part.scale)
