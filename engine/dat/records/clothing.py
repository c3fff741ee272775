"""ClothingTable: what a piece of clothing, or a creature's own look, changes in a Setup (dat-format.md 3.15)."""

from __future__ import annotations

from dataclasses import dataclass

from engine.dat.codec.base import Size
from engine.dat.codec.lists import Map, list32
from engine.dat.codec.numbers import DID, U16, U32, Vector
from engine.dat.codec.record import Record
from engine.dat.records.base import DatRecord


@dataclass(slots=True)
class TextureChange:
    """A SurfaceTexture of a part that another one takes the place of."""

    old_texture: int
    new_texture: int


@dataclass(slots=True)
class PartChange:
    """The mesh that a part of the Setup gets, and the textures that are exchanged on it."""

    part: int
    model_id: int
    textures: list[TextureChange]


@dataclass(slots=True)
class ClothingBase:
    """What changes in one Setup."""

    parts: list[PartChange]


@dataclass(slots=True)
class SubPalette:
    """Ranges of the palette, each a first colour and a number of colours, that a shade of a palette set replaces."""

    ranges: list[tuple[int, int]]
    palette_set: int


@dataclass(slots=True)
class PaletteTemplate:
    """One way to dye the clothing, and the icon of it (0: that of the item)."""

    icon: int
    palettes: list[SubPalette]


@dataclass(slots=True)
class ClothingTable(DatRecord):
    """The changes by Setup, and the ways to dye by number. `*_buckets` are the sizes of the client's hash tables."""

    id: int
    base_buckets: int
    bases: dict[int, ClothingBase]
    template_buckets: int
    templates: dict[int, PaletteTemplate]


TEXTURE_CHANGE = Record(TextureChange, [("old_texture", DID), ("new_texture", DID)])

PART_CHANGE = Record(PartChange, [("part", U32), ("model_id", DID), ("textures", list32(TEXTURE_CHANGE))])

SUB_PALETTE = Record(SubPalette, [("ranges", list32(Vector("I", 2))), ("palette_set", DID)])

CLOTHING_TABLE = Record(
    ClothingTable,
    [
        ("id", DID),
        ("#bases", U16),
        ("base_buckets", U16),
        ("bases", Map(Size("bases"), DID, Record(ClothingBase, [("parts", list32(PART_CHANGE))]))),
        ("#templates", U16),
        ("template_buckets", U16),
        (
            "templates",
            Map(Size("templates"), U32, Record(PaletteTemplate, [("icon", DID), ("palettes", list32(SUB_PALETTE))])),
        ),
    ],
)
