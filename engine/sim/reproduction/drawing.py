"""The records that drawing some landblocks needs: models at all distances, particles, the sky, the ground, pictures."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Final

import numpy as np

from engine.dat.ids import RecordType, id_type
from engine.dat.records import DatRecord, Region, RenderSurface, SurfaceTexture
from engine.dat.records.references import references
from engine.entities.human import HUMAN_SETUP
from engine.entities.specs import table_of, unpack_spec
from engine.files.cancelling import check_cancelled
from engine.sim.tick.simulation import Simulation
from engine.world.cells.motion import Motion, MotionTable
from engine.world.cells.terrain import terrain_type
from engine.world.entity_spec import EntitySpec
from engine.world.landblock import Landblock
from engine.world.loader.dat_source import DatSource
from engine.world.terrain_blend import ROAD_TERRAIN
from engine.world.world import World

PICTURES: Final = frozenset({RecordType.PALETTE, RecordType.SURFACE_TEXTURE, RecordType.RENDER_SURFACE})
"""The records of textures."""

_FOLLOWED: Final = {
    RecordType.GFX_OBJ: (RecordType.SURFACE, RecordType.DEGRADE_INFO),
    RecordType.DEGRADE_INFO: (RecordType.GFX_OBJ,),
    RecordType.SETUP: (RecordType.GFX_OBJ, RecordType.ANIMATION, RecordType.PHYSICS_SCRIPT),
    RecordType.PHYSICS_SCRIPT: (RecordType.PHYSICS_SCRIPT, RecordType.PARTICLE_EMITTER),
    RecordType.PARTICLE_EMITTER: (RecordType.GFX_OBJ,),
    RecordType.SURFACE: (RecordType.SURFACE_TEXTURE, RecordType.PALETTE),
    RecordType.RENDER_SURFACE: (RecordType.PALETTE,),
}
"""The references that a picture of a record may lead to; motions and sounds are not among them."""


def roots_of(sim: Simulation, blocks: Iterable[Landblock]) -> set[int]:
    """The models and surfaces that stand in landblocks, the player's among them."""
    found = {HUMAN_SETUP} | {spec.setup_id for spec in _living(sim)}
    for block in blocks:
        found.update(building.model_id for building in block.buildings)
        found.update(thing.model_id for thing in block.statics)
        found.update(plant.model_id for plant in block.scenery)
        found.update(spec.setup_id for spec in sim.world.entities_of(block.id))
        for cell in block.env_cells:
            found.update(cell.surfaces)
            found.update(thing.model_id for thing in cell.static_objects)
    return found - {0}


def _living(sim: Simulation) -> list[EntitySpec]:
    """Whatever lives now, entities that edits have added among them."""
    return [unpack_spec(entity.spec) for entity in sim.population.entities.values() if entity.spec]


def read_motions(world: World, sim: Simulation, blocks: Iterable[Landblock]) -> None:
    """Read all that the entities of landblocks may ever play, whether or not it was played."""
    specs = [spec for block in blocks for spec in world.entities_of(block.id)]
    specs += _living(sim)
    tables: set[int] = set()
    for spec in specs:
        setup = world.setup(spec.setup_id)
        if setup is not None:
            tables.add(table_of(spec, setup))
    for table_id in sorted(tables - {0}):
        check_cancelled()
        table = world.motion_table(table_id)
        for motion in [] if table is None else _motions(table):
            _ = motion.stretches


def _motions(table: MotionTable) -> Iterator[Motion]:
    yield from table.cycles.values()
    yield from table.modifiers.values()
    for links in table.links.values():
        yield from links.values()


def drawn_records(source: DatSource, roots: Iterable[int], blocks: Iterable[Landblock]) -> set[int]:
    """The ids of the records that drawing these models and surfaces needs, with the ground and the sky above it."""
    waiting = [*roots, *_region_roots(source.region, blocks)]
    found: set[int] = set()
    while waiting:
        check_cancelled()
        record_id = waiting.pop()
        if record_id in found or not source.has_record(record_id):
            continue
        found.add(record_id)
        record = source.record(record_id)
        if isinstance(record, SurfaceTexture):
            waiting.extend(_images_of(source, record))
        elif isinstance(record, DatRecord):
            kinds = _FOLLOWED.get(id_type(record_id), ())
            waiting.extend(to for _, to in references(record) if id_type(to) in kinds)
    return found


def _images_of(source: DatSource, texture: SurfaceTexture) -> Iterator[int]:
    """Up to the first image that can be read; no other is ever shown."""
    for image_id in texture.images:
        yield image_id
        if isinstance(source.record(image_id), RenderSurface):
            return


def _region_roots(region: Region | None, blocks: Iterable[Landblock]) -> Iterator[int]:
    grounds = [block.terrain for block in blocks if block.terrain is not None]
    if region is None or not grounds:
        return
    kinds = {terrain_type(word) for ground in grounds for word in ground.words} | {ROAD_TERRAIN}
    textures = region.terrain_textures
    details = [look.detail_texture_id for look in textures.descriptions if look.detail_texture_id]
    yield from details[:1]
    yield from (look.texture_id for look in textures.descriptions if look.terrain_type in kinds)
    for maps in (textures.corner_maps, textures.side_maps, textures.road_maps):
        yield from (entry.texture_id for entry in maps)
    wanted = (RecordType.GFX_OBJ, RecordType.SETUP, RecordType.PHYSICS_SCRIPT)
    yield from (to for field, to in references(region) if field.startswith("sky") and id_type(to) in wanted)


def surfaces_named(source: DatSource, record_ids: Iterable[int]) -> set[int]:
    """The surfaces that meshes name, so that none is missed where a mesh is only collided with."""
    found: set[int] = set()
    for record_id in record_ids:
        record = source.record(record_id) if id_type(record_id) is RecordType.GFX_OBJ else None
        if isinstance(record, DatRecord):
            found.update(to for _, to in references(record) if id_type(to) is RecordType.SURFACE)
    return found


def mean_colours(source: DatSource, texture_ids: Iterable[int]) -> dict[int, int]:
    """The mean colour 0xAARRGGBB of each picture that can be decoded."""
    found: dict[int, int] = {}
    for texture_id in texture_ids:
        check_cancelled()
        image = source.texture_image(texture_id)
        if image is not None and image.pixels is not None and image.pixels.size:
            red, green, blue, alpha = (round(float(part)) for part in np.mean(image.pixels, axis=(0, 1)))
            found[texture_id] = alpha << 24 | red << 16 | green << 8 | blue
    return found
