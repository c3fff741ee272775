"""Textures drawn by code: the same bytes every time, repeating without a seam, in the client's pixel formats.

    world = WorldBuilder(textures=texture)
    world.define(*MATERIALS)

`texture` returns a picture by its name; `ground_name` is the name of a terrain type's. Each format is the one that the
client's artists would choose: DXT1 for walls, DXT5 and palettes with a hole for leaves, A8R8G8B8 where colour and alpha
both matter, small formats where the difference is invisible (dat-format.md 3.7.2, rendering.md 17).
"""

from engine.build.textures.catalogue import PICTURES, CatalogueTexture, ground_name, texture

__all__ = ["PICTURES", "CatalogueTexture", "ground_name", "texture"]
