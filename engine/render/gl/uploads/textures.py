"""Pictures of surfaces in texture arrays, one array for each size, so that a room is drawn in a few calls (14.7).

Mipmaps are made here and not by OpenGL: one new picture does not touch its neighbours, and they are the same on every
machine.
"""

from __future__ import annotations

from typing import Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from engine.render.gl import api

Pixels = NDArray[np.uint8]

FIRST_LAYERS: Final = 4
"""Room in a new array; it doubles as needed."""
MOST_LAYERS: Final = 256
"""The minimum that OpenGL 3.3 guarantees; more pictures of one size start another array."""

WHITE: Final[Pixels] = np.full((4, 4, 4), 255, np.uint8)
"""The picture of plain colours."""


class Detail(NamedTuple):
    """A picture that walls are drawn again with: the number of its array, its layer, and its repeats."""

    array: int
    layer: int
    tiling: float


class PictureArray:
    """Pictures of one size with one or four channels. Turn `mipmaps` off for pictures that are read by texel."""

    def __init__(self, width: int, height: int, channels: int = 4, mipmaps: bool = True) -> None:
        self.width = width
        self.height = height
        self.texture = 0
        self.sent_layers = 0
        """The number of pictures ever sent, for tests and figures."""
        self._form = (api.RGBA8, api.RGBA) if channels == 4 else (api.R8, api.RED)
        self._levels = level_count(width, height) if mipmaps else 1
        self._layers: list[Pixels | None] = []
        self._free: list[int] = []
        self._new: list[int] = []
        self._capacity = 0

    @property
    def is_full(self) -> bool:
        return not self._free and len(self._layers) >= MOST_LAYERS

    @property
    def is_sent(self) -> bool:
        """Nothing has changed since the last upload."""
        return not self._new and self.texture != 0

    def add(self, pixels: Pixels) -> int:
        """The layer that a picture gets; it is sent at the next `upload`."""
        if self._free:
            layer = self._free.pop()
            self._layers[layer] = pixels
        else:
            layer = len(self._layers)
            self._layers.append(pixels)
        self._new.append(layer)
        return layer

    def remove(self, layer: int) -> None:
        self._layers[layer] = None
        self._free.append(layer)

    def upload(self) -> None:
        """Send the pictures that are new, or all of them into a new array when they have outgrown it."""
        if self.is_sent:
            return
        with api.doing(f"sending pictures of {self.width} x {self.height}"):
            api.active_texture(api.TEXTURE0)
            if not self.texture or len(self._layers) > self._capacity:
                self._allocate()
                self._new = list(range(len(self._layers)))
            api.bind_texture(api.TEXTURE_2D_ARRAY, self.texture)
            api.pixel_store(api.UNPACK_ALIGNMENT, 1)
            for layer in self._new:
                self._send(layer)
        self._new.clear()

    def _allocate(self) -> None:
        """A texture with room for all layers; the old one is dropped."""
        if self.texture:
            api.drop(api.delete_textures, self.texture)
        self.texture = api.make(api.gen_textures)
        self._capacity = max(FIRST_LAYERS, 1 << (len(self._layers) - 1).bit_length())
        target = api.TEXTURE_2D_ARRAY
        api.bind_texture(target, self.texture)
        inside, outside = self._form
        width, height = self.width, self.height
        for level in range(self._levels):
            api.tex_image_3d(target, level, inside, width, height, self._capacity, 0, outside, api.UNSIGNED_BYTE, None)
            width, height = max(1, width // 2), max(1, height // 2)
        api.tex_parameter(target, api.TEXTURE_MAX_LEVEL, self._levels - 1)

    def _send(self, layer: int) -> None:
        pixels = self._layers[layer]
        if pixels is None:
            return
        self.sent_layers += 1
        for level, picture in enumerate(mip_levels(pixels, self._levels)):
            height, width = picture.shape[:2]
            api.tex_sub_image_3d(
                api.TEXTURE_2D_ARRAY,
                level,
                0,
                0,
                layer,
                width,
                height,
                1,
                self._form[1],
                api.UNSIGNED_BYTE,
                np.ascontiguousarray(picture),
            )

    def invalidate(self) -> None:
        """The context is gone, and the texture with it."""
        self.texture = 0

    def close(self) -> None:
        if self.texture:
            with api.doing("giving pictures back"):
                api.drop(api.delete_textures, self.texture)
        self.invalidate()


class Pictures:
    """All pictures of surfaces, counted by who uses them: a place is (array, layer)."""

    def __init__(self) -> None:
        self.arrays: list[PictureArray] = []
        self._by_size: dict[tuple[int, int], list[int]] = {}
        self._places: dict[int, tuple[int, int]] = {}
        self._users: dict[int, int] = {}
        self._kept: dict[int, Pixels] = {}

    def acquire(self, pixels: Pixels | None) -> tuple[int, int]:
        """The place of a picture, and one more user of it; None stands for plain white."""
        picture = WHITE if pixels is None else pixels
        key = id(picture)
        place = self._places.get(key)
        if place is None:
            place = self._add(picture)
            self._places[key] = place
            self._kept[key] = picture  # as long as it is here, nothing else can have its id
            self._users[key] = 0
        self._users[key] += 1
        return place

    def release(self, pixels: Pixels | None) -> None:
        """One user less; the last one's layer can serve another picture."""
        key = id(WHITE if pixels is None else pixels)
        self._users[key] -= 1
        if not self._users[key]:
            array, layer = self._places.pop(key)
            self.arrays[array].remove(layer)
            del self._users[key], self._kept[key]

    def _add(self, picture: Pixels) -> tuple[int, int]:
        height, width = picture.shape[:2]
        numbers = self._by_size.setdefault((width, height), [])
        for number in numbers:
            if not self.arrays[number].is_full:
                return number, self.arrays[number].add(picture)
        numbers.append(len(self.arrays))
        self.arrays.append(PictureArray(width, height))
        return numbers[-1], self.arrays[-1].add(picture)

    @property
    def is_sent(self) -> bool:
        return all(array.is_sent for array in self.arrays)

    def upload(self) -> None:
        for array in self.arrays:
            array.upload()

    def invalidate(self) -> None:
        for array in self.arrays:
            array.invalidate()

    def close(self) -> None:
        for array in self.arrays:
            array.close()


class Samplers:
    """The sampling of pictures: trilinear, repeating or clamped (17.4). The ground's masks are smooth; one level is
    enough."""

    def __init__(self) -> None:
        with api.doing("making samplers"):
            self.clamped = self._make(api.CLAMP_TO_EDGE, api.LINEAR_MIPMAP_LINEAR)
            self.repeating = self._make(api.REPEAT, api.LINEAR_MIPMAP_LINEAR)
            self.masks = self._make(api.CLAMP_TO_EDGE, api.LINEAR_MIPMAP_NEAREST)

    @staticmethod
    def _make(wrap: int, smaller: int) -> int:
        sampler = api.make(api.gen_samplers)
        api.sampler_parameter(sampler, api.TEXTURE_MIN_FILTER, smaller)
        api.sampler_parameter(sampler, api.TEXTURE_MAG_FILTER, api.LINEAR)
        api.sampler_parameter(sampler, api.TEXTURE_WRAP_S, wrap)
        api.sampler_parameter(sampler, api.TEXTURE_WRAP_T, wrap)
        return sampler

    def close(self) -> None:
        with api.doing("giving samplers back"):
            for sampler in (self.clamped, self.repeating, self.masks):
                api.drop(api.delete_samplers, sampler)


def level_count(width: int, height: int) -> int:
    """The number of mipmaps down to a single texel."""
    return max(width, height).bit_length()


def mip_levels(pixels: Pixels, count: int) -> list[Pixels]:
    """The picture and its halves, each texel the mean of the four that it stands for."""
    levels = [pixels]
    while len(levels) < count:
        levels.append(_halved(levels[-1]))
    return levels


def _halved(pixels: Pixels) -> Pixels:
    """An odd row or column at the end is left out, as the sizes of mipmaps are rounded down."""
    wide = pixels.astype(np.uint16)
    height, width = wide.shape[:2]
    if height > 1:
        even = height // 2 * 2
        wide = wide[0:even:2] + wide[1:even:2]
    else:
        wide = wide + wide
    if width > 1:
        even = width // 2 * 2
        wide = wide[:, 0:even:2] + wide[:, 1:even:2]
    else:
        wide = wide + wide
    halved: Pixels = ((wide + 2) >> 2).astype(np.uint8)
    return halved
