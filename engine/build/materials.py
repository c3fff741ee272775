"""The materials of surfaces: flat colours by default, textures from a provider, finishes of rooms.

A flat colour becomes a tiny image, not a solid-colour surface: the client does not draw solid-colour surfaces in cells
and buildings (rendering.md 16.3).
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

Colour = tuple[int, int, int]


@dataclass(frozen=True)
class TextureImage:
    """A picture ready for a RenderSurface record (dat-format.md 3.7.2).

    `data` is in the pixel format `format`, rows from the top; `palette` has the 0xAARRGGBB colours of palettised ones.
    """

    width: int
    height: int
    format: int
    data: bytes
    palette: tuple[int, ...] | None = None


TextureProvider = Callable[[str], "TextureImage | None"]
"""Gives the picture of a texture by its name, or None when it has no such picture."""


@dataclass(frozen=True)
class Material:
    """One Surface record.

    texture     name to request from the provider; None: the flat colour
    metres      edge of the square that one repeat of the texture covers
    cutout      a clipmap: transparent where the image says so
    translucency, luminosity, diffuse    as in the Surface record
    additive    adds its light to the background (flames)
    blended     the image's alpha lets the background shine through (clouds, smoke)
    two_sided   its faces are seen from both sides (leaves, fences, panes)
    """

    name: str
    colour: Colour = (160, 160, 160)
    texture: str | None = None
    metres: float = 2.0
    cutout: bool = False
    translucency: float = 0.0
    luminosity: float = 0.0
    diffuse: float = 1.0
    additive: bool = False
    blended: bool = False
    two_sided: bool = False


@dataclass(frozen=True)
class Finish:
    """The materials of a room. `walls` is one name, or one for each edge of the plan."""

    walls: str | Sequence[str] = "plaster"
    floor: str = "plank"
    ceiling: str = "beam"

    def wall(self, edge: int) -> str:
        """The material of the wall over edge number `edge` of the plan."""
        if isinstance(self.walls, str):
            return self.walls
        return self.walls[edge % len(self.walls)]


PLAIN = Finish()

DEFAULT_MATERIALS: tuple[Material, ...] = (
    Material("plaster", (214, 204, 184)),
    Material("plank", (140, 100, 62)),
    Material("beam", (96, 66, 42)),
    Material("brick", (150, 78, 60)),
    Material("flagstone", (122, 120, 114)),
    Material("stone", (136, 134, 128)),
    Material("wood", (122, 84, 50)),
    Material("iron", (72, 74, 80)),
    Material("thatch", (168, 140, 78)),
    Material("grass", (86, 124, 60)),
    Material("leaves", (62, 104, 48), two_sided=True),
    Material("bark", (84, 64, 46)),
    Material("cloth", (140, 44, 48)),
    Material("skin", (206, 160, 128)),
    Material("soot", (44, 40, 38)),
    Material("fire", (255, 170, 60), luminosity=1.0, additive=True, two_sided=True),
    Material("glass", (160, 190, 200), translucency=0.6, two_sided=True),
    Material("water", (60, 96, 124), translucency=0.3),
    Material("sky", (132, 170, 214), luminosity=1.0),
)
"""Names that every world knows, as flat colours; `WorldBuilder.material` replaces them."""
