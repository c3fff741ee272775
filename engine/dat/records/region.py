"""Region: the height table, terrain types and textures, scenery, and the calendar (dat-format.md 3.12).

The sky is in `engine.dat.records.sky`.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from engine.dat.codec.base import Bits
from engine.dat.codec.choices import Constant, When
from engine.dat.codec.lists import Fixed, ids32, list32
from engine.dat.codec.loose import TEXT
from engine.dat.codec.numbers import COLOR, DID, F32, F64, FLAGS32, I32, U32
from engine.dat.codec.record import Record
from engine.dat.records.base import DatRecord
from engine.dat.records.sky import SKY, Sky

PART_SOUND: Final = 0x001
PART_SCENES: Final = 0x002
PART_TERRAIN: Final = 0x004
PART_SKY: Final = 0x010
PART_MISC: Final = 0x200
"""The parts mask. The terrain is there whatever its bit says."""


@dataclass(slots=True)
class TimeOfDay:
    """A part of the day; `start` is 0..1."""

    start: float
    is_night: int
    name: str


@dataclass(slots=True)
class Season:
    """A part of the year."""

    start_day: int
    name: str


@dataclass(slots=True)
class GameTime:
    """The calendar."""

    zero_time_of_year: float
    zero_year: int
    day_length: float
    days_per_year: int
    year_name: str
    times_of_day: list[TimeOfDay]
    days_of_week: list[str]
    seasons: list[Season]


@dataclass(slots=True)
class AmbientSound:
    """A sound that may be heard."""

    sound_type: int
    volume: float
    base_chance: float
    min_rate: float
    max_rate: float


@dataclass(slots=True)
class SoundDescription:
    """The sounds of a kind of place."""

    sound_table_id: int
    sounds: list[AmbientSound]


@dataclass(slots=True)
class SceneType:
    """The scenes among which a vertex of the terrain chooses."""

    sound_index: int
    scenes: list[int]


@dataclass(slots=True)
class TerrainType:
    """A kind of terrain; entry k of `scene_types` serves scenery index k of the terrain word."""

    name: str
    color: int
    scene_types: list[int]


@dataclass(slots=True)
class AlphaMap:
    """A blend mask for the corners that `code` names (5.5)."""

    code: int
    texture_id: int


@dataclass(slots=True)
class TerrainDescription:
    """The texture of a terrain type; type 32 is the road."""

    terrain_type: int
    texture_id: int
    tiling: int
    max_brightness: int
    min_brightness: int
    max_saturation: int
    min_saturation: int
    max_hue: int
    min_hue: int
    detail_tiling: int
    detail_texture_id: int


@dataclass(slots=True)
class TerrainTextures:
    """The textures of the terrain and the masks that blend them."""

    base_texture_size: int
    corner_maps: list[AlphaMap]
    side_maps: list[AlphaMap]
    road_maps: list[AlphaMap]
    descriptions: list[TerrainDescription]


@dataclass(slots=True)
class RegionMisc:
    """Images and models of the game's own."""

    version: int
    game_map_id: int
    autotest_map_id: int
    autotest_map_size: int
    clear_cell_id: int
    clear_monster_id: int


@dataclass(slots=True)
class Region(DatRecord):
    """The one record that says how the terrain is to be understood."""

    id: int
    region_number: int
    version: int
    name: str
    landblocks_x: int
    landblocks_y: int
    cell_size: float
    cells_per_side: int
    vertices_per_cell: int
    max_object_height: float
    sky_height: float
    road_width: float
    height_table: list[float]
    game_time: GameTime
    parts_mask: int
    sky: Sky | None
    sounds: list[SoundDescription] | None
    scene_types: list[SceneType] | None
    terrain_types: list[TerrainType]
    terrain_textures: TerrainTextures
    misc: RegionMisc | None = None


GAME_TIME = Record(
    GameTime,
    [
        ("zero_time_of_year", F64),
        ("zero_year", U32),
        ("day_length", F32),
        ("days_per_year", U32),
        ("year_name", TEXT),
        ("times_of_day", list32(Record(TimeOfDay, [("start", F32), ("is_night", U32), ("name", TEXT)]))),
        ("days_of_week", list32(TEXT)),
        ("seasons", list32(Record(Season, [("start_day", U32), ("name", TEXT)]))),
    ],
)

AMBIENT_SOUND = Record(
    AmbientSound,
    [("sound_type", U32), ("volume", F32), ("base_chance", F32), ("min_rate", F32), ("max_rate", F32)],
)

SOUND_DESCRIPTION = Record(SoundDescription, [("sound_table_id", DID), ("sounds", list32(AMBIENT_SOUND))])

SCENE_TYPE = Record(SceneType, [("sound_index", U32), ("scenes", ids32())])

TERRAIN_TYPE = Record(TerrainType, [("name", TEXT), ("color", COLOR), ("scene_types", list32(U32))])

ALPHA_MAP = Record(AlphaMap, [("code", U32), ("texture_id", DID)])

TERRAIN_DESCRIPTION = Record(
    TerrainDescription,
    [
        ("terrain_type", U32),
        ("texture_id", DID),
        ("tiling", U32),
        ("max_brightness", U32),
        ("min_brightness", U32),
        ("max_saturation", U32),
        ("min_saturation", U32),
        ("max_hue", U32),
        ("min_hue", U32),
        ("detail_tiling", U32),
        ("detail_texture_id", DID),
    ],
)

TERRAIN_TEXTURES = Record(
    TerrainTextures,
    [
        # 1 would announce an older scheme of which nothing is known.
        ("", Constant(U32, 0, "selector")),
        ("base_texture_size", U32),
        ("corner_maps", list32(ALPHA_MAP)),
        ("side_maps", list32(ALPHA_MAP)),
        ("road_maps", list32(ALPHA_MAP)),
        ("descriptions", list32(TERRAIN_DESCRIPTION)),
    ],
)

REGION_MISC = Record(
    RegionMisc,
    [
        ("version", U32),
        ("game_map_id", DID),
        ("autotest_map_id", DID),
        ("autotest_map_size", U32),
        ("clear_cell_id", DID),
        ("clear_monster_id", DID),
    ],
)

REGION = Record(
    Region,
    [
        ("id", DID),
        ("region_number", U32),
        ("version", U32),
        ("name", TEXT),
        ("landblocks_x", I32),
        ("landblocks_y", I32),
        ("cell_size", F32),
        ("cells_per_side", I32),
        ("vertices_per_cell", I32),
        ("max_object_height", F32),
        ("sky_height", F32),
        ("road_width", F32),
        ("height_table", Fixed(256, F32)),
        ("game_time", GAME_TIME),
        ("parts_mask", FLAGS32),
        ("sky", When(Bits("parts_mask", PART_SKY), SKY)),
        ("sounds", When(Bits("parts_mask", PART_SOUND), list32(SOUND_DESCRIPTION))),
        ("scene_types", When(Bits("parts_mask", PART_SCENES), list32(SCENE_TYPE))),
        ("terrain_types", list32(TERRAIN_TYPE)),
        ("terrain_textures", TERRAIN_TEXTURES),
        ("misc", When(Bits("parts_mask", PART_MISC), REGION_MISC)),
    ],
)
