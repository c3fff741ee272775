"""Rows that shaders look things up in: where a thing stands (`Places`), and how its surface is drawn (`Surfaces`).

Each is a buffer texture, so that things of different places and surfaces can be drawn in one call.
"""

from __future__ import annotations

from typing import Final

import numpy as np
from numpy.typing import NDArray

from engine.geometry.frame import Frame
from engine.geometry.vec import Vec3
from engine.render.gl import api
from engine.render.gl.uploads.buffers import Mirror, Space
from engine.render.gl.uploads.textures import Pictures
from engine.render.materials import Blend, Material, SubsetKind
from engine.world.cells.landdefs import block_offset

WORLD: Final = 0
"""The landblock whose corner is the world's: positions in all landblocks are relative to it."""

PLACE_FLOATS: Final = 20
ALPHA_AT: Final = 15
LAMPS_AT: Final = 16
"""The columns of a place that hold the thing's alpha, and a bit for each moving lamp that lights it."""
ALL_LAMPS: Final = 255

SURFACE_FLOATS: Final = 12


class Table:
    """A buffer texture with rows of texels of four floats."""

    def __init__(self, what: str, floats: int) -> None:
        self.floats = floats
        self.texture = 0
        self._mirror = Mirror(what, api.TEXTURE_BUFFER, np.dtype((np.float32, floats)), 256)
        self._space = Space()

    @property
    def rows(self) -> NDArray[np.float32]:
        return self._mirror.array

    @property
    def sent_bytes(self) -> int:
        return self._mirror.sent_bytes

    def take(self) -> int:
        """A new row."""
        row = self._space.take(1)
        self._mirror.reserve(row + 1)
        return row

    def give(self, row: int) -> None:
        self._space.give(row, 1)

    def write(self, row: int, values: NDArray[np.float32]) -> None:
        if not np.array_equal(self._mirror.array[row], values):
            self._mirror.array[row] = values
            self._mirror.touch(row, row + 1)

    @property
    def is_sent(self) -> bool:
        return self._mirror.is_sent

    def bind(self, unit: int) -> None:
        """Send what changed and make the table the texture of a unit."""
        renewed = self._mirror.upload()
        with api.doing(f"binding {self._mirror.what}"):
            api.active_texture(api.TEXTURE0 + unit)
            if not self.texture:
                self.texture = api.make(api.gen_textures)
                renewed = True
            api.bind_texture(api.TEXTURE_BUFFER, self.texture)
            if renewed:
                api.tex_buffer(api.TEXTURE_BUFFER, api.RGBA32F, self._mirror.buffer)

    def invalidate(self) -> None:
        self.texture = 0
        self._mirror.invalidate()

    def close(self) -> None:
        if self.texture:
            with api.doing(f"giving back {self._mirror.what}"):
                api.drop(api.delete_textures, self.texture)
        self._mirror.close()
        self.texture = 0


def world_point(block_id: int, point: Vec3) -> Vec3:
    """A point of a landblock, told from the corner of the world."""
    dx, dy, _ = block_offset(WORLD, block_id)
    return (point[0] + dx, point[1] + dy, point[2])


def place_row(block_id: int, frame: Frame, alpha: float = 1.0) -> NDArray[np.float32]:
    """The texels of a thing that stands at a frame of a landblock (`place.glsl`)."""
    row = np.zeros(PLACE_FLOATS, np.float32)
    columns = [frame.local_to_global_vec(axis) for axis in ((1.0, 0.0, 0.0), (0.0, 1.0, 0.0), (0.0, 0.0, 1.0))]
    place = world_point(block_id, frame.origin)
    for axis in range(3):
        row[4 * axis : 4 * axis + 3] = [column[axis] for column in columns]
    high, low = halves(place)
    row[3:12:4] = high
    row[12:15] = low
    row[ALPHA_AT] = alpha
    row[LAMPS_AT] = ALL_LAMPS
    return row


def halves(place: Vec3) -> tuple[NDArray[np.float32], NDArray[np.float32]]:
    """A point in single precision, and what that left out."""
    whole = np.array(place, np.float64)
    high = whole.astype(np.float32)
    return high, (whole - high).astype(np.float32)


class Pass:
    """The state that subsets drawn in one call share: list of 13.4, blending, pictures, sampler. `tested`: it blends,
    but is also cut out and writes depth."""

    __slots__ = ("array", "blend", "kind", "tested", "wraps")

    def __init__(self, kind: SubsetKind, blend: Blend | None, array: int, wraps: bool, tested: bool) -> None:
        self.kind = kind
        self.blend = blend
        self.array = array
        self.wraps = wraps
        self.tested = tested


class Surfaces:
    """The rows of materials, counted by who uses them, with the pictures that they show."""

    def __init__(self, pictures: Pictures) -> None:
        self.table = Table("the surfaces", SURFACE_FLOATS)
        self._pictures = pictures
        self._rows: dict[int, tuple[Material, int, int]] = {}
        self._users: dict[int, int] = {}
        self._passes: dict[tuple[SubsetKind, Blend | None, int, bool, bool], Pass] = {}

    def acquire(self, material: Material) -> tuple[int, int]:
        """A material's row and the number of the array with its picture, and one more user of both."""
        key = id(material)
        known = self._rows.get(key)
        if known is None:
            array, layer = self._pictures.acquire(material.pixels)
            row = self.table.take()
            self.table.write(row, surface_row(material, layer))
            known = self._rows[key] = (material, row, array)
            self._users[key] = 0
        self._users[key] += 1
        return known[1], known[2]

    def release(self, material: Material) -> None:
        key = id(material)
        self._users[key] -= 1
        if not self._users[key]:
            self._pictures.release(material.pixels)
            self.table.give(self._rows.pop(key)[1])
            del self._users[key]

    def pass_of(self, kind: SubsetKind, blend: Blend | None, array: int, wraps: bool, tested: bool = False) -> Pass:
        """The one object for these, so that equal passes are the same one."""
        key = (kind, blend, array, wraps, tested)
        found = self._passes.get(key)
        if found is None:
            found = self._passes[key] = Pass(*key)
        return found


def surface_row(material: Material, layer: int) -> NDArray[np.float32]:
    """The texels of a material (`thing.vert`)."""
    reference = 0.0 if material.alpha_ref is None else material.alpha_ref
    red, green, blue, _ = material.colour
    foggy = 1.0 if material.foggy else 0.0
    return np.array(
        [layer, material.luminosity, 0.0, material.alpha, red, green, blue, foggy, reference, 0, 0, 0],
        np.float32,
    )
