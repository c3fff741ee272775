"""How a surface is drawn: its picture or colour, blending, alpha test and light (rendering.md 17)."""

from __future__ import annotations

import colorsys
import math
from dataclasses import dataclass, replace
from enum import Enum
from typing import Final

import numpy as np
from numpy.typing import NDArray

from engine.dat.records.textures import (
    ADDITIVE,
    ALPHA,
    BASE_CLIPMAP,
    BASE_IMAGE,
    INVERSE_ALPHA,
    TRANSLUCENT,
    PixelFormat,
)
from engine.world.cells.ids import cell_text
from engine.world.faults import SURFACE, Fault
from engine.world.source import SurfaceImage
from engine.world.world import World

Pixels = NDArray[np.uint8]
Colour = tuple[float, float, float, float]
"""Red, green, blue, alpha in 0..1."""

PALETTISED_REFERENCE: Final = 100.0 / 255.0
PLAIN_REFERENCE: Final = 200.0 / 255.0
"""The alpha test's threshold on a clip map (17.5)."""

PALETTISED: Final = (PixelFormat.P8.name, PixelFormat.INDEX16.name)
LEAST_TRANSLUCENCY: Final = 0.0002
"""Above this a surface is translucent, whether its type says so or not (rendering.md C7)."""

ALPHA_ONLY: Final = (PixelFormat.A8.name, PixelFormat.LSCAPE_ALPHA.name)

NO_SURFACE_ID: Final = 0
"""`Material.surface_id` of flat colours and of the placeholder of a slot that names no surface."""

CHECKS: Final = 8
GOLDEN_TURN: Final = 0.6180339887498949
"""The step on the colour circle between the flat colours of consecutive shapes: any few of them are far apart."""


class SubsetKind(Enum):
    """The list of 13.4 that a subset goes into."""

    OPAQUE = "opaque"
    CLIP = "clip"
    BLENDED = "blended"


class Factor(Enum):
    """A factor of the blend equation."""

    ZERO = "zero"
    ONE = "one"
    SRC_ALPHA = "src alpha"
    ONE_MINUS_SRC_ALPHA = "one minus src alpha"


Blend = tuple[Factor, Factor]
"""The blend factors of source and destination."""

OFF: Final[Blend] = (Factor.ONE, Factor.ZERO)
ALPHA_BLEND: Final[Blend] = (Factor.SRC_ALPHA, Factor.ONE_MINUS_SRC_ALPHA)
ALPHA_ADD: Final[Blend] = (Factor.SRC_ALPHA, Factor.ONE)
INVERSE_BLEND: Final[Blend] = (Factor.ONE_MINUS_SRC_ALPHA, Factor.SRC_ALPHA)
INVERSE_ADD: Final[Blend] = (Factor.ONE_MINUS_SRC_ALPHA, Factor.ONE)
ADD: Final[Blend] = (Factor.ONE, Factor.ONE)
CLIP_BLEND: Final[Blend] = (Factor.ONE, Factor.ONE_MINUS_SRC_ALPHA)


@dataclass(frozen=True, eq=False)
class Material:
    """A surface as it is drawn: colour = texture · `colour` · clamp(`luminosity` + lighting), with alpha `alpha` times
    the texture's. No draw uses the surface's diffuse (rendering.md C4).

    `kind` is the list that it waits in, `blend` what the client sets then: a CLIP material that writes depth is rightly
    drawn with the alpha test (`alpha_ref`, discard below) and no blending; one that does not is blended. `pixels` are
    RGBA rows from the top, None for a plain colour. `drawn_in_cells`: rooms and buildings leave out what has neither
    image nor clip map (16.3).
    """

    surface_id: int
    type_flags: int
    kind: SubsetKind
    blend: Blend
    alpha_ref: float | None
    depth_write: bool
    luminosity: float
    alpha: float
    foggy: bool
    drawn_in_cells: bool
    pixels: Pixels | None
    colour: Colour
    is_placeholder: bool = False


@dataclass(frozen=True, slots=True)
class State:
    """The row of the table of 17.5 that a surface's type bits select."""

    kind: SubsetKind
    blend: Blend
    alpha_ref: float | None
    depth_write: bool


def state_of(type_flags: int, palettised: bool) -> State:
    """Evaluated in the client's order: alpha, inverse alpha, additive; then clip map; then translucency. A surface that
    blends by the first three waits with the blended even if it is clip-mapped, and a clip-mapped one waits with the
    others of that kind even if it is translucent (rendering.md C9)."""
    kind, blend, alpha_ref, depth_write = SubsetKind.OPAQUE, OFF, None, True
    additive = bool(type_flags & ADDITIVE)
    if type_flags & ALPHA:
        blend = ALPHA_ADD if additive else ALPHA_BLEND
    elif type_flags & INVERSE_ALPHA:
        blend = INVERSE_ADD if additive else INVERSE_BLEND
    elif additive:
        blend = ADD
    blended = blend != OFF
    if blended:
        kind, depth_write = SubsetKind.BLENDED, False
    elif type_flags & BASE_CLIPMAP:
        kind = SubsetKind.CLIP
    elif type_flags & TRANSLUCENT:
        kind = SubsetKind.BLENDED
    if type_flags & BASE_CLIPMAP:
        if not blended:
            blend = CLIP_BLEND
        depth_write = True
        alpha_ref = PALETTISED_REFERENCE if palettised else PLAIN_REFERENCE
    if type_flags & TRANSLUCENT:
        if not blended or type_flags & BASE_CLIPMAP:
            blend = ALPHA_BLEND
        alpha_ref, depth_write = None, False
    return State(kind, blend, alpha_ref, depth_write)


def material_of(image: SurfaceImage) -> Material:
    """The material of a surface as its source gives it; without picture and colour the placeholder's picture."""
    flags = image.type_flags
    translucency = min(max(_number(image.translucency), 0.0), 1.0)
    if translucency > LEAST_TRANSLUCENCY:
        flags |= TRANSLUCENT
    state = state_of(flags, image.format_name in PALETTISED)
    textured = bool(flags & (BASE_IMAGE | BASE_CLIPMAP))
    pixels, colour, lost = None, (1.0, 1.0, 1.0, 1.0), False
    alpha = 1.0 - translucency if flags & TRANSLUCENT or not textured else 1.0
    if image.pixels is not None:
        pixels = _glowing(image.pixels) if flags & ADDITIVE and image.format_name in ALPHA_ONLY else image.pixels
    elif image.color is not None and not textured:
        colour = argb(image.color)
    else:
        pixels, lost = checker(), True
    return Material(
        image.surface_id,
        flags,
        state.kind,
        state.blend,
        state.alpha_ref,
        state.depth_write,
        _number(image.luminosity),
        alpha,
        not flags & ADDITIVE,
        textured,
        pixels,
        colour,
        lost,
    )


def _number(value: float) -> float:
    """The value of a record, unless it is no number."""
    return value if math.isfinite(value) else 0.0


def _glowing(pixels: Pixels) -> Pixels:
    """An image of alpha alone is its own colour on an additive surface (17.3)."""
    glow: Pixels = np.array(pixels)
    glow[:, :, :3] = pixels[:, :, 3:]
    return glow


def argb(color: int) -> Colour:
    """A packed colour 0xAARRGGBB; its alpha is not used, a surface has its translucency for that (17.2)."""
    return ((color >> 16 & 0xFF) / 255.0, (color >> 8 & 0xFF) / 255.0, (color & 0xFF) / 255.0, 1.0)


def checker() -> Pixels:
    """The stand-in for a missing picture, which cannot be mistaken for content."""
    rows, columns = np.indices((CHECKS, CHECKS))
    odd = (rows + columns) % 2 == 1
    pixels = np.empty((CHECKS, CHECKS, 4), np.uint8)
    pixels[:] = (24, 24, 24, 255)
    pixels[odd] = (255, 0, 220, 255)
    return pixels


def placeholder(surface_id: int) -> Material:
    """For a surface that is not there at all."""
    return Material(
        surface_id, BASE_IMAGE, SubsetKind.OPAQUE, OFF, None, True, 1.0, 1.0, True, True, checker(), (1.0,) * 4, True
    )


def flat_colour(number: int) -> Colour:
    """A colour for a shape without surfaces, by a number of it (a cell's or model's id): calm, and its own."""
    hue = (number * GOLDEN_TURN) % 1.0
    red, green, blue = colorsys.hsv_to_rgb(hue, 0.35, 0.85)
    return (red, green, blue, 1.0)


def flat_material(number: int) -> Material:
    """One colour whatever the light, for the walls of scenes and dumps."""
    kind, colour = SubsetKind.OPAQUE, flat_colour(number)
    return Material(NO_SURFACE_ID, 0, kind, OFF, None, True, 1.0, 1.0, True, True, None, colour)


def of_walls(material: Material) -> Material:
    """The same on the walls of a room: what shines there is the light that was baked into their vertices, and that has
    alpha 255, so that of a translucent picture its own alpha alone counts (rendering.md C4)."""
    if material.is_placeholder or material.surface_id == NO_SURFACE_ID:
        return material
    alpha = material.alpha if material.pixels is None else 1.0
    if material.luminosity == 0.0 and alpha == material.alpha:
        return material
    return replace(material, luminosity=0.0, alpha=alpha)


class Materials:
    """The materials of a world, each made when it is first asked for and then kept."""

    def __init__(self, world: World) -> None:
        self._world = world
        self.missing = placeholder(NO_SURFACE_ID)
        """For a subset whose surface is not in the list that it should be in."""
        self._made: dict[int, Material] = {}
        self._walls: dict[int, Material] = {}
        self._flat: dict[int, Material] = {}
        self.faults: list[Fault] = []

    def of(self, surface_id: int) -> Material:
        """The material of a surface; a missing one gets a stand-in and a fault."""
        known = self._made.get(surface_id)
        if known is None:
            known = self._make(surface_id)
            self._made[surface_id] = known
        return known

    def of_walls(self, surface_id: int) -> Material:
        """The material of a surface on the walls of a room."""
        known = self._walls.get(surface_id)
        if known is None:
            known = self._walls[surface_id] = of_walls(self.of(surface_id))
        return known

    def _make(self, surface_id: int) -> Material:
        image = self._world.surface_image(surface_id)
        if image is None:
            self.faults.append(Fault(surface_id, SURFACE, "is missing or unreadable; drawn as a checker"))
            return placeholder(surface_id)
        made = material_of(image)
        if made.is_placeholder:
            reason = f"its picture {cell_text(image.texture_id)} cannot be had; drawn as a checker"
            self.faults.append(Fault(surface_id, SURFACE, reason))
        return made

    def flat(self, number: int) -> Material:
        """The flat colour of a shape without surfaces."""
        known = self._flat.get(number)
        if known is None:
            known = flat_material(number)
            self._flat[number] = known
        return known

    def forget(self, surface_id: int) -> None:
        """Make it afresh when it is asked for again: an edit changed it."""
        self._made.pop(surface_id, None)
        self._walls.pop(surface_id, None)
