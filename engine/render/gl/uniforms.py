"""The uniforms that all programs of a frame share (`view.glsl`): the eye and the fog, and the light of each pass. One
small buffer, sent once a frame; binding its part selects the light of a pass."""

from __future__ import annotations

from collections.abc import Sequence
from enum import IntEnum
from typing import Final

import numpy as np
from numpy.typing import NDArray

from engine.geometry.vec import Vec3
from engine.render.draws import Daylight, LightSource
from engine.render.gl import api
from engine.render.gl.programs import LIGHT_POINT, VIEW_POINT
from engine.render.gl.uploads.tables import halves, world_point
from engine.render.light import OBJECT_REACH, interior_ambient, object_ambient, terrain_ambient
from engine.visibility.camera import ZFAR, ZNEAR, Camera

VIEW_FLOATS: Final = 32
LIGHT_FLOATS: Final = 80
MOVING_LAMPS: Final = 8
FLOAT_BYTES: Final = 4
DARK: Final[Vec3] = (0.0, 0.0, 0.0)


class Lit(IntEnum):
    """The lights of draws (20.4)."""

    GROUND = 0
    OUTDOORS = 1
    """Building shells, things outdoors and the sky: the sun, no lamps."""
    INDOORS = 2
    """Rooms and the things in them: lamps, no sun."""
    LATE = 3
    """Parts of things in rooms that waited in the alpha lists: these are flushed with the sun on and the lamps off."""
    LATE_WALLS = 4
    """The same for the walls of rooms, whose vertices keep their baked light."""
    BRIGHT = 5
    """Everything as bright as its texture: for looking at shapes."""


def clip_matrix(camera: Camera) -> NDArray[np.float32]:
    """The matrix from positions relative to the eye to clip space (2.2), column by column as OpenGL has it."""
    forward, right, up = (np.array(axis) for axis in (camera.forward, camera.right, camera.up))
    matrix = np.zeros((4, 4))
    matrix[0, :3] = right * (2.0 * camera.focal / camera.width)
    matrix[1, :3] = up * (2.0 * camera.focal / camera.height)
    matrix[2, :3] = forward * ((ZFAR + ZNEAR) / (ZFAR - ZNEAR))
    matrix[2, 3] = -2.0 * ZFAR * ZNEAR / (ZFAR - ZNEAR)
    matrix[3, :3] = forward
    columns: NDArray[np.float32] = matrix.T.astype(np.float32)
    return columns


class Uniforms:
    """The buffer."""

    def __init__(self) -> None:
        self.buffer = 0
        self.lamps_move = False
        """Bind the moving lamps that light the current draw."""
        self._step = 0
        self._moving = 0

    def send(
        self,
        camera: Camera,
        daylight: Daylight,
        sees_outside: bool,
        brightness: float,
        lamps: Sequence[LightSource] = (),
        landscape: Daylight | None = None,
    ) -> None:
        """Send the uniforms of a frame. `sees_outside` belongs to the player's cell and decides about ambient light and
        fog of all rooms; `brightness` is added to the ambient light; `lamps` are those that move. `landscape` is the
        light that the landscape had last, whose sun shines on deferred draws; None means the current light."""
        with api.doing("sending the view"):
            if not self.buffer:
                self.buffer = api.make(api.gen_buffers)
                # A part has to begin where a driver can bind it.
                step = api.integer(api.UNIFORM_BUFFER_OFFSET_ALIGNMENT)
                self._step = -(-max(VIEW_FLOATS, LIGHT_FLOATS) * FLOAT_BYTES // step) * step
            width = self._step // FLOAT_BYTES
            values = np.zeros((1 + len(Lit), width), np.float32)
            values[0, :VIEW_FLOATS] = view_block(camera, daylight, sees_outside)
            for lit in Lit:
                values[1 + lit, :LIGHT_FLOATS] = light_block(lit, daylight, sees_outside, brightness, landscape)
            moving = lamp_floats(lamps, camera)
            self._moving = len(moving)
            values[1 + Lit.INDOORS, 13] = len(moving)
            values[1 + Lit.INDOORS, 16 : 16 + 4 * len(moving)] = moving[:, :4].reshape(-1)
            values[1 + Lit.INDOORS, 48 : 48 + 4 * len(moving)] = moving[:, 4:].reshape(-1)
            api.bind_buffer(api.UNIFORM_BUFFER, self.buffer)
            api.buffer_data(api.UNIFORM_BUFFER, values.nbytes, values, api.STREAM_DRAW)
            self._bind(VIEW_POINT, 0, VIEW_FLOATS)

    def light(self, lit: Lit) -> None:
        """Light what comes now like this."""
        self.lamps_move = lit is Lit.INDOORS and self._moving > 0
        self._bind(LIGHT_POINT, 1 + lit, LIGHT_FLOATS)

    def _bind(self, point: int, part: int, floats: int) -> None:
        size = floats * FLOAT_BYTES
        api.bind_buffer_range(api.UNIFORM_BUFFER, point, self.buffer, part * self._step, size)

    def invalidate(self) -> None:
        self.buffer = 0

    def close(self) -> None:
        if self.buffer:
            with api.doing("giving the view back"):
                api.drop(api.delete_buffers, self.buffer)
        self.buffer = 0


def view_block(camera: Camera, daylight: Daylight, sees_outside: bool) -> NDArray[np.float32]:
    block = np.zeros(VIEW_FLOATS, np.float32)
    block[:16] = clip_matrix(camera).reshape(-1)
    high, low = halves(world_point(camera.block_id, camera.eye))
    block[16:19] = high
    block[20:23] = low
    block[24] = 1.0
    if daylight.fog is not None and sees_outside:
        start, end = daylight.fog
        block[24:26] = end / (end - start), 1.0 / (end - start)
    block[28:31] = daylight.fog_colour
    return block


def light_block(
    lit: Lit, daylight: Daylight, sees_outside: bool, brightness: float, landscape: Daylight | None = None
) -> NDArray[np.float32]:
    sun, sun_colour, lamps = DARK, DARK, 0.0
    if lit is Lit.BRIGHT:
        ambient: Vec3 = (1.0, 1.0, 1.0)
    elif lit is Lit.INDOORS:
        ambient, lamps = interior_ambient(daylight, sees_outside), 1.0
    elif lit in (Lit.LATE, Lit.LATE_WALLS):
        ambient, lamps = interior_ambient(daylight, sees_outside), float(lit is Lit.LATE_WALLS)
        sun, sun_colour = (landscape or daylight).sun, (landscape or daylight).sun_colour
    else:
        ambient = terrain_ambient(daylight) if lit is Lit.GROUND else object_ambient(daylight)
        sun, sun_colour = daylight.sun, daylight.sun_colour
    block = np.zeros(LIGHT_FLOATS, np.float32)
    block[0:3] = [channel + brightness for channel in ambient]
    block[4:7] = sun
    block[8:11] = sun_colour
    block[12] = lamps
    return block


def lamp_floats(lamps: Sequence[LightSource], camera: Camera) -> NDArray[np.float32]:
    """(n, 8): place relative to the eye, reach, colour times intensity; of the first lamps, which are the player's
    nearest."""
    rows: list[tuple[float, ...]] = []
    for lamp in lamps:
        ex, ey, ez = camera.eye_in(lamp.block_id)
        x, y, z = lamp.position
        red, green, blue = (channel * lamp.intensity for channel in lamp.colour)
        rows.append((x - ex, y - ey, z - ez, OBJECT_REACH * lamp.falloff, red, green, blue, 0.0))
    return np.array(rows[:MOVING_LAMPS], np.float32).reshape(-1, 8)
