"""Record ids: how they are shown and which kind of record an id names (dat-format.md 1, 1.10)."""

from __future__ import annotations

from bisect import bisect_right
from enum import Enum
from typing import Final

ITERATION_ID: Final = 0xFFFF0001
"""The record every database has: its version number (1.8)."""

MAX_ID: Final = 0xFFFFFFFF


def did_text(record_id: int) -> str:
    """The one way an id is shown: 0x0D000123."""
    return f"0x{record_id:08X}"


class DatKind(Enum):
    """The four databases of the client, by the file's usual name."""

    PORTAL = "client_portal.dat"
    CELL = "client_cell_1.dat"
    LOCAL = "client_local_English.dat"
    HIGHRES = "client_highres.dat"

    @property
    def file_name(self) -> str:
        return self.value


class RecordType(Enum):
    """The kind of a record; the value is its display name."""

    GFX_OBJ = "GfxObj"
    SETUP = "Setup"
    ANIMATION = "Animation"
    PALETTE = "Palette"
    SURFACE_TEXTURE = "SurfaceTexture"
    RENDER_SURFACE = "RenderSurface"
    SURFACE = "Surface"
    MOTION_TABLE = "MotionTable"
    WAVE = "Wave"
    ENVIRONMENT = "Environment"
    GAME_TABLE = "game table"
    PALETTE_SET = "PaletteSet"
    CLOTHING_TABLE = "ClothingTable"
    DEGRADE_INFO = "GfxObjDegradeInfo"
    SCENE = "Scene"
    REGION = "Region"
    KEYMAP_OR_MATERIAL = "keymap or material type"
    SOUND_TABLE = "SoundTable"
    UI_OR_STRINGS = "UI layout or strings"
    ENUM_MAPPER = "EnumMapper"
    STRING_TABLE = "StringTable"
    DID_MAPPER = "DidMapper"
    MAPPER = "mapper"
    COMBAT_TABLE = "CombatTable"
    LANGUAGE_STRING = "LanguageString"
    PARTICLE_EMITTER = "ParticleEmitter"
    PHYSICS_SCRIPT = "PhysicsScript"
    PHYSICS_SCRIPT_TABLE = "PhysicsScriptTable"
    PROPERTIES = "properties or font"
    LAND_BLOCK = "LandBlock"
    LAND_BLOCK_INFO = "LandBlockInfo"
    ENV_CELL = "EnvCell"
    ITERATION = "iteration"
    UNKNOWN = "unknown"


_PORTAL_RANGES: Final[list[tuple[int, int, RecordType]]] = [
    (0x01000000, 0x0100FFFF, RecordType.GFX_OBJ),
    (0x02000000, 0x0200FFFF, RecordType.SETUP),
    (0x03000000, 0x0300FFFF, RecordType.ANIMATION),
    (0x04000000, 0x0400FFFF, RecordType.PALETTE),
    (0x05000000, 0x05FFFFFF, RecordType.SURFACE_TEXTURE),
    (0x06000000, 0x07FFFFFF, RecordType.RENDER_SURFACE),
    (0x08000000, 0x0800FFFF, RecordType.SURFACE),
    (0x09000000, 0x0900FFFF, RecordType.MOTION_TABLE),
    (0x0A000000, 0x0A00FFFF, RecordType.WAVE),
    (0x0D000000, 0x0D00FFFF, RecordType.ENVIRONMENT),
    (0x0E000000, 0x0E0000FF, RecordType.GAME_TABLE),
    (0x0E010000, 0x0E02FFFF, RecordType.GAME_TABLE),
    (0x0F000000, 0x0F00FFFF, RecordType.PALETTE_SET),
    (0x10000000, 0x1000FFFF, RecordType.CLOTHING_TABLE),
    (0x11000000, 0x1100FFFF, RecordType.DEGRADE_INFO),
    (0x12000000, 0x1200FFFF, RecordType.SCENE),
    (0x13000000, 0x13000000, RecordType.REGION),
    (0x14000000, 0x19FFFFFF, RecordType.KEYMAP_OR_MATERIAL),
    (0x20000000, 0x2000FFFF, RecordType.SOUND_TABLE),
    (0x21000000, 0x21FFFFFF, RecordType.UI_OR_STRINGS),
    (0x22000000, 0x22FFFFFF, RecordType.ENUM_MAPPER),
    (0x23000000, 0x23FFFFFF, RecordType.STRING_TABLE),
    (0x24000000, 0x24FFFFFF, RecordType.UI_OR_STRINGS),
    (0x25000000, 0x25FFFFFF, RecordType.DID_MAPPER),
    (0x26000000, 0x27FFFFFF, RecordType.MAPPER),
    (0x30000000, 0x3000FFFF, RecordType.COMBAT_TABLE),
    (0x31000000, 0x3100FFFF, RecordType.LANGUAGE_STRING),
    (0x32000000, 0x3200FFFF, RecordType.PARTICLE_EMITTER),
    (0x33000000, 0x3300FFFF, RecordType.PHYSICS_SCRIPT),
    (0x34000000, 0x3400FFFF, RecordType.PHYSICS_SCRIPT_TABLE),
    (0x39000000, 0x39FFFFFF, RecordType.PROPERTIES),
    (0x40000000, 0x40FFFFFF, RecordType.PROPERTIES),
    (0x41000000, 0x41FFFFFF, RecordType.UI_OR_STRINGS),
    (0x78000000, 0x7FFFFFFF, RecordType.PROPERTIES),
    (ITERATION_ID, ITERATION_ID, RecordType.ITERATION),
]
"""The table of 1.10, in ascending order."""

_PORTAL_STARTS: Final = [low for low, _, _ in _PORTAL_RANGES]


def id_type(record_id: int, kind: DatKind = DatKind.PORTAL) -> RecordType:
    """The type of record an id names in a database of this kind (the same number means different things in each)."""
    if record_id == ITERATION_ID:
        return RecordType.ITERATION
    if kind is DatKind.CELL:
        return _cell_type(record_id & 0xFFFF)
    index = bisect_right(_PORTAL_STARTS, record_id) - 1
    if index >= 0:
        _, high, record_type = _PORTAL_RANGES[index]
        if record_id <= high:
            return record_type
    return RecordType.UNKNOWN


def _cell_type(low: int) -> RecordType:
    if low == 0xFFFF:
        return RecordType.LAND_BLOCK
    if low == 0xFFFE:
        return RecordType.LAND_BLOCK_INFO
    return RecordType.ENV_CELL if low >= 0x0100 else RecordType.UNKNOWN


def type_ranges(record_type: RecordType, kind: DatKind = DatKind.PORTAL) -> list[tuple[int, int]]:
    """The id ranges, first and last id, outside of which no record of the type can be; ascending.

    In a cell database the types alternate within each landblock, so there the range is everything.
    """
    if kind is DatKind.CELL or record_type is RecordType.UNKNOWN:
        return [(0, MAX_ID)]
    return [(low, high) for low, high, found in _PORTAL_RANGES if found is record_type]
