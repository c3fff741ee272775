"""Surfaces, their textures and images as records, each once (dat-format.md 3.6, 3.7)."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from engine.build.errors import BuildError
from engine.build.materials import Colour, Material, TextureImage, TextureProvider
from engine.build.records.numbering import PortalRecords
from engine.dat.records import Palette, RenderSurface, Surface, SurfaceTexture
from engine.dat.records.textures import (
    ADDITIVE,
    ALPHA,
    BASE_CLIPMAP,
    BASE_IMAGE,
    BASE_SOLID,
    LUMINOUS,
    TRANSLUCENT,
    PixelFormat,
)

PORTAL_SURFACE: Final = 0x08000000
"""The solid surface of polygons that are never drawn (dat-format.md 7.2)."""

TEXTURE_2D: Final = 2
IMAGE_CATEGORY: Final = 6
FLAT_SIZE: Final = 4
"""Edge of the image that stands for a flat colour."""


class MaterialRecords:
    """Makes Surface, SurfaceTexture, RenderSurface and Palette records as they are first asked for."""

    def __init__(
        self, records: PortalRecords, materials: Mapping[str, Material], textures: TextureProvider | None
    ) -> None:
        self._records = records
        self._materials = materials
        self._textures = textures
        self._surfaces: dict[str, int] = {}
        self._images: dict[str | Colour, int] = {}
        records.put(PORTAL_SURFACE, Surface(type_flags=BASE_SOLID, color=0xFFFFFFFF, diffuse=1.0))

    def material(self, name: str) -> Material:
        """The material of a name; a BuildError lists the known ones."""
        found = self._materials.get(name)
        if found is None:
            raise BuildError(f"material {name!r}", f"is not defined; there are {', '.join(sorted(self._materials))}")
        return found

    def surface(self, name: str) -> int:
        """The Surface id of a material."""
        known = self._surfaces.get(name)
        if known is not None:
            return known
        material = self.material(name)
        flags = BASE_CLIPMAP if material.cutout else BASE_IMAGE
        flags |= TRANSLUCENT if material.translucency > 0.0 else 0
        flags |= LUMINOUS if material.luminosity > 0.0 else 0
        flags |= ADDITIVE if material.additive else 0
        flags |= ALPHA if material.blended else 0
        record_id = self._records.next_id(0x08000000)
        self._records.put(
            record_id,
            Surface(
                type_flags=flags,
                texture_id=self.texture(material.texture, material.colour),
                palette_id=0,
                translucency=material.translucency,
                luminosity=material.luminosity,
                diffuse=material.diffuse,
            ),
        )
        self._surfaces[name] = record_id
        return record_id

    def texture(self, name: str | None, colour: Colour) -> int:
        """The SurfaceTexture id of a texture, or of the flat colour when there is no such picture."""
        image = None if name is None or self._textures is None else self._textures(name)
        if image is None or name is None:
            return self._texture_of(colour, flat_image(colour))
        return self._texture_of(name, image)

    def mask(self, name: str | None, made: TextureImage, label: str) -> int:
        """The SurfaceTexture id of a blending mask by the provider's name, or of the one made here."""
        image = None if name is None or self._textures is None else self._textures(name)
        return self._texture_of(name or label, image or made)

    def _texture_of(self, key: str | Colour, image: TextureImage) -> int:
        known = self._images.get(key)
        if known is not None:
            return known
        palette_id: int | None = None
        if image.palette is not None:
            palette_id = self._records.next_id(0x04000000)
            self._records.put(palette_id, Palette(palette_id, list(image.palette)))
        image_id = self._records.next_id(0x06000000)
        self._records.put(
            image_id,
            RenderSurface(image_id, IMAGE_CATEGORY, image.width, image.height, image.format, image.data, palette_id),
        )
        texture_id = self._records.next_id(0x05000000)
        self._records.put(texture_id, SurfaceTexture(texture_id, 0, TEXTURE_2D, [image_id]))
        self._images[key] = texture_id
        return texture_id


def flat_image(colour: Colour) -> TextureImage:
    """A tiny picture of one colour."""
    red, green, blue = colour
    return TextureImage(FLAT_SIZE, FLAT_SIZE, PixelFormat.R8G8B8, bytes((blue, green, red)) * FLAT_SIZE * FLAT_SIZE)
