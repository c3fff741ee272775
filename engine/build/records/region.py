"""The Region record, the scenes and the blending masks of the ground (dat-format.md 3.11, 3.12, 5.5)."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Final

import numpy as np

from engine.build.errors import BuildError
from engine.build.materials import Colour, TextureImage
from engine.build.records.materials import MaterialRecords
from engine.build.records.models import ModelRecords
from engine.build.records.numbering import PortalRecords
from engine.build.region import ROAD, BlendMask, GroundType, InTheSky, LightOfDay, RegionPlan, SkyPlan, Strewn
from engine.dat.records import (
    AlphaMap,
    DayGroup,
    GameTime,
    RecordFrame,
    Region,
    RegionMisc,
    Scene,
    SceneObject,
    SceneType,
    Season,
    Sky,
    SkyObject,
    SkyObjectReplace,
    SkyTime,
    TerrainDescription,
    TerrainTextures,
    TerrainType,
    TimeOfDay,
)
from engine.dat.records.region import PART_MISC, PART_SCENES, PART_SKY, PART_TERRAIN
from engine.dat.records.textures import PixelFormat
from engine.geometry.vec import r24

REGION_ID: Final = 0x13000000
REGION_VERSION: Final = 3
"""The only one the client accepts (3.12)."""

TERRAIN_TYPES: Final = 32
SCENERY_INDICES: Final = 32
NO_SCENE: Final = 0
"""Scene type 0 is the empty one."""

MASK_SIZE: Final = 64
BASE_TEXTURE_SIZE: Final = 512

SKY_TICK: Final = 3.0
LIGHT_TICK: Final = 20.0

HOURS: Final = (
    (0.0, 1, "Darktide"),
    (0.1875, 0, "Dawnsong"),
    (0.3125, 0, "Morningthaw"),
    (0.5, 0, "Midsong"),
    (0.6875, 0, "Warmtide"),
    (0.8125, 1, "Evensong"),
)
DAYS: Final = ("Moonday", "Sunday", "Earthday", "Skyday", "Seaday", "Windday")
SEASONS: Final = ((0, "Snowreap"), (90, "Wintersebb"), (180, "Solclaim"), (270, "Leafcull"))


def make_region(
    plan: RegionPlan,
    height_table: Sequence[float],
    records: PortalRecords,
    materials: MaterialRecords,
    models: ModelRecords,
) -> int:
    """Put the Region and what it refers to among the records; returns its id."""
    scene_types = [SceneType(0, [])]
    indices = [[NO_SCENE] * SCENERY_INDICES for _ in range(TERRAIN_TYPES)]
    for (kind, index), scenes in sorted(plan.scenes.items()):
        indices[kind][index] = len(scene_types)
        scene_types.append(SceneType(0, [_scene(scene, records, models) for scene in scenes]))
    region = Region(
        id=REGION_ID,
        region_number=1,
        version=REGION_VERSION,
        name=plan.name,
        landblocks_x=255,
        landblocks_y=255,
        cell_size=24.0,
        cells_per_side=8,
        vertices_per_cell=1,
        max_object_height=200.0,
        sky_height=1000.0,
        road_width=5.0,
        height_table=[r24(height) for height in height_table],
        game_time=_calendar(plan),
        parts_mask=PART_SCENES | PART_TERRAIN | PART_SKY | PART_MISC,
        sky=_sky(plan.sky, models),
        sounds=None,
        scene_types=scene_types,
        terrain_types=[
            TerrainType(_ground(plan, kind).name, _argb(_ground(plan, kind).colour), indices[kind])
            for kind in range(TERRAIN_TYPES)
        ],
        terrain_textures=_textures(plan, materials),
        misc=RegionMisc(1, 0, 0, 0, 0, 0),
    )
    return records.put(REGION_ID, region)


def _ground(plan: RegionPlan, kind: int) -> GroundType:
    found = plan.ground.get(kind)
    if found is None:
        raise BuildError("region", f"no ground is described for terrain type {kind}")
    return found


def _argb(colour: Colour) -> int:
    red, green, blue = colour
    return 0xFF000000 | red << 16 | green << 8 | blue


def _calendar(plan: RegionPlan) -> GameTime:
    return GameTime(
        zero_time_of_year=0.0,
        zero_year=10,
        day_length=plan.day_length,
        days_per_year=360,
        year_name="P.Y.",
        times_of_day=[TimeOfDay(r24(start), night, name) for start, night, name in HOURS],
        days_of_week=list(DAYS),
        seasons=[Season(start, name) for start, name in SEASONS],
    )


def _scene(scene: Sequence[Strewn], records: PortalRecords, models: ModelRecords) -> int:
    objects = [
        SceneObject(
            model_id=models.model_id(strewn.model),
            frame=RecordFrame(),
            frequency=r24(strewn.frequency),
            displace_x=r24(strewn.displacement[0]),
            displace_y=r24(strewn.displacement[1]),
            min_scale=r24(strewn.scale[0]),
            max_scale=r24(strewn.scale[1]),
            max_rotation=r24(strewn.rotation),
            min_slope=r24(strewn.slope[0]),
            max_slope=r24(strewn.slope[1]),
            align=int(strewn.aligned),
            orient=0,
            weenie=0,
        )
        for strewn in scene
    ]
    scene_id = records.next_id(0x12000000)
    return records.put(scene_id, Scene(scene_id, objects))


def _sky(plan: SkyPlan, models: ModelRecords) -> Sky:
    times = [_light(light) for light in plan.light]
    group = DayGroup(1.0, plan.name, [_in_the_sky(thing, models) for thing in plan.objects], times)
    return Sky(SKY_TICK, LIGHT_TICK, [group])


def _light(light: LightOfDay) -> SkyTime:
    return SkyTime(
        begin=r24(light.begin),
        direct_brightness=r24(light.sun),
        direct_heading=r24(light.sun_heading),
        direct_pitch=r24(light.sun_pitch),
        direct_color=light.sun_colour,
        ambient_brightness=r24(light.ambient),
        ambient_color=light.ambient_colour,
        fog_min=r24(light.fog[0]),
        fog_max=r24(light.fog[1]),
        fog_color=light.fog_colour,
        fog_mode=1,
        replaces=_looks(light),
    )


def _looks(light: LightOfDay) -> list[SkyObjectReplace]:
    glow, fade = dict(light.glow), dict(light.fade)
    return [
        SkyObjectReplace(index, 0, 0.0, r24(fade.get(index, 0.0)), r24(glow.get(index, 0.0)), 0.0)
        for index in sorted(glow.keys() | fade.keys())
    ]


def _in_the_sky(thing: InTheSky, models: ModelRecords) -> SkyObject:
    return SkyObject(
        begin_time=r24(thing.begin),
        end_time=r24(thing.end),
        begin_angle=r24(thing.angles[0]),
        end_angle=r24(thing.angles[1]),
        velocity_u=r24(thing.drift[0]),
        velocity_v=r24(thing.drift[1]),
        gfxobj_id=models.mesh(thing.mesh),
        script_id=0,
        properties=thing.properties,
    )


def _textures(plan: RegionPlan, materials: MaterialRecords) -> TerrainTextures:
    descriptions = []
    for kind in range(ROAD + 1):
        ground = _ground(plan, kind)
        texture = materials.texture(ground.texture, ground.colour)
        detail = texture if ground.detail is None else materials.texture(ground.detail, ground.colour)
        looks = (ground.tiling, 0, 0, 0, 0, 0, 0, ground.detail_tiling, detail)
        descriptions.append(TerrainDescription(kind, texture, *looks))
    return TerrainTextures(
        base_texture_size=BASE_TEXTURE_SIZE,
        corner_maps=_masks(plan.corner_masks, materials),
        side_maps=_masks(plan.side_masks, materials),
        road_maps=_masks(plan.road_masks, materials),
        descriptions=descriptions,
    )


def _masks(masks: Sequence[BlendMask], materials: MaterialRecords) -> list[AlphaMap]:
    return [
        AlphaMap(mask.code, materials.mask(mask.texture, blend_mask(mask.code), f"mask {mask.code}")) for mask in masks
    ]


def blend_mask(code: int) -> TextureImage:
    """A soft mask: 0, where the overlay shows, at the corners of the code, 255 at the others (5.5).

    Corner bits: 1 south-west, 2 south-east, 4 north-east, 8 north-west. Rows run from north to south.
    """
    east = np.linspace(0.0, 1.0, MASK_SIZE)[None, :]
    north = np.linspace(1.0, 0.0, MASK_SIZE)[:, None]
    weights: tuple[Callable[[], np.ndarray[tuple[int, ...], np.dtype[np.float64]]], ...] = (
        lambda: (1.0 - east) * (1.0 - north),
        lambda: east * (1.0 - north),
        lambda: east * north,
        lambda: (1.0 - east) * north,
    )
    shown = np.zeros((MASK_SIZE, MASK_SIZE))
    for corner, weight in enumerate(weights):
        if code & 1 << corner:
            shown = shown + weight()
    kept = 255.0 * (1.0 - np.clip(shown * 2.0 - 0.5, 0.0, 1.0))
    return TextureImage(MASK_SIZE, MASK_SIZE, PixelFormat.LSCAPE_ALPHA, kept.round().astype(np.uint8).tobytes())
