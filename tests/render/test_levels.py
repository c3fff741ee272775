"""Levels of detail by distance (rendering.md M4)."""

from __future__ import annotations

import math
from dataclasses import replace

import pytest

from engine.build import Mesh, WorldBuilder, rect
from engine.build.built import BuiltWorld
from engine.build.shapes.solids import box
from engine.dat.records import GfxObj, GfxObjDegradeInfo, write_record
from engine.dat.records.mesh import HAS_DEGRADE, Degrade
from engine.geometry.frame import Frame
from engine.render.draws import AS_AUTHORED, FACE_VIEWER, Owner
from engine.render.levels import level_at
from engine.render.parts import PlacedObject, Shapes, part_draws, resting_pose
from engine.world.cells.objects import StaticObject
from engine.world.world import World

TABLE_ID = 0x11000001


def level(gfxobj_id: int, nearest: float, ideal: float, farthest: float, mode: int = AS_AUTHORED) -> Degrade:
    return Degrade(gfxobj_id, mode, nearest, ideal, farthest)


THREE = [level(1, 10.0, 20.0, 30.0), level(2, 40.0, 60.0, 80.0), level(0, 90.0, 100.0, 120.0)]


@pytest.mark.parametrize(
    ("distance", "scale_z", "multiplier", "chosen"),
    [
        (0.0, 1.0, 0.0, 0),
        (69.9, 1.0, 0.0, 0),  # 19.9 m beyond the first 50
        (70.0, 1.0, 0.0, 1),
        (109.9, 1.0, 0.0, 1),
        (110.0, 1.0, 0.0, 2),
        (5000.0, 1.0, 0.0, 2),
        (139.9, 2.0, 0.0, 0),
        (140.0, 2.0, 0.0, 1),
        (35.0, 0.5, 0.0, 1),
        (79.9, 1.0, 1.0, 0),  # at 1 the greatest distances count,
        (80.0, 1.0, 1.0, 1),
        (74.9, 1.0, 0.5, 0),
        (75.0, 1.0, 0.5, 1),
        (59.9, 1.0, -1.0, 0),  # at -1 the least
        (60.0, 1.0, -1.0, 1),
        (0.0, 0.0, 0.0, 2),
        (500.0, -1.0, 0.0, 0),
    ],
)
def test_the_first_level_that_is_far_enough_counts(
    distance: float, scale_z: float, multiplier: float, chosen: int
) -> None:
    assert level_at(THREE, distance, scale_z, multiplier) == chosen


def test_distances_that_are_nan_select_the_last_level() -> None:
    assert level_at([level(1, math.nan, math.nan, math.nan), level(2, 0.0, 0.0, math.inf)], 60.0, 1.0) == 1


def levelled(levels: list[Degrade]) -> World:
    """A room with a red crate of the given levels, in which id 1 is a green pole and id -1 the crate itself."""
    builder = WorldBuilder()
    room = builder.room("room", rect(-5.0, -5.0, 10.0, 10.0))
    room.put(Mesh.of("crate", box(-1.0, -1.0, 0.0, 2.0, 2.0, 2.0, "wood")), (0.0, 0.0))
    room.put(Mesh.of("pole", box(-0.1, -0.1, 0.0, 0.2, 0.2, 4.0, "wood")[:2]), (0.0, 3.0))
    return with_levels(builder, levels).load()


def with_levels(builder: WorldBuilder, levels: list[Degrade]) -> BuiltWorld:
    """A world whose first static thing has levels of detail, given by the numbers of things in place of ids."""
    ids = [thing.model_id for thing in statics(builder.build().load())]
    table = GfxObjDegradeInfo(
        TABLE_ID, [replace(each, gfxobj_id=ids[each.gfxobj_id - 1] if each.gfxobj_id else 0) for each in levels]
    )
    built = builder.build()
    portal = dict(built.portal)
    record = built.load().record(ids[0])
    assert isinstance(record, GfxObj)
    record = replace(record, flags=record.flags | HAS_DEGRADE, degrade_id=TABLE_ID)
    portal[ids[0]], portal[TABLE_ID] = write_record(record), write_record(table)
    return replace(built, portal=portal)


def statics(world: World) -> list[StaticObject]:
    block = world.landblock(world.landblock_ids()[0])
    assert block is not None
    return block.env_cells[0].static_objects


def test_a_part_builds_only_the_requested_levels_of_its_table() -> None:
    world = levelled([level(1, 0.0, 20.0, 20.0), level(2, 0.0, 60.0, 60.0, FACE_VIEWER), level(0, 0.0, 100.0, 100.0)])
    shapes = Shapes(world)
    crate, pole = [world.setup(thing.model_id) for thing in statics(world)]
    assert crate is not None
    assert pole is not None
    (part,) = part_draws(PlacedObject(7, crate, Frame(), 1.0, Owner.CELL, 0x100, resting_pose(crate)), shapes, 1)
    levels = part.levels
    assert levels is not None
    first, second = levels.shown(0), levels.shown(1)
    assert first is not None
    assert second is not None
    assert first.mesh is part.mesh
    assert (first.billboard, second.billboard) == (AS_AUTHORED, FACE_VIEWER)
    assert len(second.mesh.indices) < len(first.mesh.indices)
    assert levels.shown(2) is None
    (other,) = part_draws(PlacedObject(8, pole, Frame(), 1.0, Owner.CELL, 0x100, resting_pose(pole)), shapes, 1)
    assert other.levels is None


def test_a_table_of_one_level_leaves_no_choice() -> None:
    world = levelled([level(1, 0.0, 20.0, 20.0)])
    setup = world.setup(statics(world)[0].model_id)
    assert setup is not None
    (part,) = part_draws(PlacedObject(7, setup, Frame(), 1.0, Owner.CELL, 0x100, resting_pose(setup)), Shapes(world), 1)
    assert part.levels is None
