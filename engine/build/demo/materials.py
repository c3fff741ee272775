"""The materials of the demo world: the textures of `engine.build.textures`, and the look of its ground."""

from __future__ import annotations

from dataclasses import replace
from typing import Final

from engine.build.materials import Material
from engine.build.region import DEFAULT_GROUND, ROAD, BlendMask, GroundType, RegionPlan
from engine.build.textures import ground_name


def _of(name: str, metres: float, texture: str | None = None, **more: bool | float) -> Material:
    """A material that shows the texture of its own name, one repeat over so many metres."""
    return replace(Material(name, texture=texture or name, metres=metres), **more)  # type: ignore[arg-type]  # by name


MATERIALS: Final[tuple[Material, ...]] = (
    _of("plaster", 3.0),
    _of("limewash", 2.0),
    _of("half timber", 3.0),
    _of("brick", 1.6),
    _of("soot", 1.0),
    _of("flagstone", 2.4),
    _of("cobble", 2.0),
    _of("stone", 2.5),
    _of("ashlar", 3.0),
    _of("damp ashlar", 2.0),
    _of("vault", 3.0),
    _of("slabs", 2.0),
    _of("plank", 1.6),
    _of("wood", 0.9, "oak"),
    _of("oak", 0.9),
    _of("timber", 1.2),
    _of("beam", 3.0),
    _of("panel", 1.0),
    _of("door", 2.5),
    _of("iron", 0.5),
    _of("barrel", 0.9),
    _of("crate", 0.8),
    _of("shingle", 2.2),
    _of("thatch", 2.4),
    _of("bark", 1.2),
    _of("leaves", 2.0, cutout=True, two_sided=True),
    _of("needles", 2.0, cutout=True, two_sided=True),
    _of("tuft", 1.0, cutout=True, two_sided=True),
    _of("rug", 1.0),
    _of("glass", 1.0, blended=True, two_sided=True),
    _of("fire", 0.6, luminosity=1.0, additive=True, two_sided=True),
    _of("smoke", 1.0, blended=True, two_sided=True),
    _of("books", 1.0),
    _of("inn sign", 1.0),
    _of("ale board", 1.0),
    _of("linen", 1.0),
    _of("quilt", 1.2),
    _of("straw", 1.0),
    _of("cloth", 0.8, "red cloth"),
    _of("blue cloth", 0.8),
    _of("brown cloth", 0.8),
    Material("skin", (214, 166, 132)),
    Material("lamp", (255, 214, 140), luminosity=1.0),
    _of("water", 1.5),
    _of("grass", 6.0, ground_name(1)),
    _of("sky", 1.0, luminosity=1.0),
    _of("sky clouds", 2600.0, "clouds", luminosity=1.0, blended=True),
    _of("twilight", 1.0, luminosity=1.0, blended=True),
    _of("low sun", 1.0, luminosity=1.0, blended=True),
    _of("sun", 1.0, luminosity=1.0, additive=True),
    _of("moon", 1.0, luminosity=1.0, additive=True),
    Material("star", (220, 228, 255), luminosity=1.0, additive=True),
)
"""Every material of the demo world; those of the default names replace the flat colours."""

TILING: Final = 4
"""Repeats of the ground's textures along a land cell: one every 6 m."""


def dress_region(region: RegionPlan) -> None:
    """Give the ground its textures and its blending masks."""
    region.ground = {
        kind: GroundType(ground.name, ground.colour, ground_name(kind), 8 if kind == ROAD else TILING)
        for kind, ground in DEFAULT_GROUND.items()
    }
    region.corner_masks = (BlendMask(8, "corner mask"), BlendMask(8, "corner mask 2"))
    region.side_masks = (BlendMask(9, "side mask"), BlendMask(9, "side mask 2"))
    region.road_masks = (
        BlendMask(8, "road corner mask"),
        BlendMask(9, "road side mask"),
        BlendMask(10, "road across mask"),
    )
