"""Damaged worlds are checked to the end: whatever the records say, there are findings and no exception."""

from __future__ import annotations

import random

import pytest

from engine.dat.records import BspNode, CellStruct, EnvCell, EnvCellPortal, LandBlockInfo
from engine.dat.records.base import RecordFrame
from engine.findings.finding import Found
from engine.geometry.vec import Vec3
from tests.sim.helpers.small_worlds import built, furnished, house, open_rooms
from tests.survey.planting import in_room, in_shape, nodes, planted, survey

NUMBERS = (0.0, -0.0, 1e-30, 1.0, -7.5, 192.0, 4e4, -4e4, 1e30, float("inf"), float("nan"))


def number(rng: random.Random) -> float:
    return rng.choice(NUMBERS)


def vector(rng: random.Random) -> Vec3:
    return (number(rng), number(rng), number(rng))


def damage_room(rng: random.Random, room: EnvCell) -> None:
    if rng.random() < 0.5:
        room.frame = RecordFrame(vector(rng), (number(rng), 0.0, 0.0, number(rng)))
    room.portals = [
        EnvCellPortal(rng.randrange(8), rng.randrange(10), rng.choice((0x100, 0x101, 0x102, 0xFFFF)), rng.randrange(4))
        for _ in range(rng.randrange(4))
    ]
    for stab in room.objects:
        stab.frame = RecordFrame(vector(rng), stab.frame.rotation)


def damage_node(rng: random.Random, node: BspNode) -> None:
    if node.plane is not None and rng.random() < 0.3:
        node.plane = (vector(rng), number(rng))
    if node.sphere is not None and rng.random() < 0.3:
        node.sphere = (vector(rng), number(rng))
    if node.polygon_ids and rng.random() < 0.5:
        node.polygon_ids = [rng.randrange(12) for _ in range(rng.randrange(4))]


def damage_shape(rng: random.Random, structure: CellStruct) -> None:
    for vertex in structure.vertices:
        if rng.random() < 0.1:
            vertex.position = vector(rng)
    for polygon in (*structure.polygons, *structure.physics_polygons):
        if rng.random() < 0.1:
            polygon.vertex_ids = [rng.randrange(len(structure.vertices) + 1) for _ in polygon.vertex_ids]
    for node in (*nodes(structure.cell_bsp), *nodes(structure.physics_bsp)):
        damage_node(rng, node)


@pytest.mark.parametrize("seed", range(40))
def test_a_damaged_world_is_checked_to_the_end(seed: int) -> None:
    rng = random.Random(seed)
    world, cells = rng.choice(
        [
            (built(open_rooms), (0x00070100, 0x00070101, 0x00070102)),
            (built(furnished), (0x00070100,)),
            (built(house), (0xC95B0100, 0xC95B0101)),
        ]
    )
    for cell in cells:
        if rng.random() < 0.6:
            world = in_shape(world, cell, lambda structure: damage_shape(rng, structure))
        if rng.random() < 0.6:
            world = in_room(world, cell, lambda room: damage_room(rng, room))
    if 0xC95BFFFE in world.cell:

        def damage(info: LandBlockInfo) -> None:
            info.buildings[0].frame = RecordFrame(vector(rng), info.buildings[0].frame.rotation)
            info.objects[0].frame = RecordFrame(vector(rng), info.objects[0].frame.rotation)

        world = planted(world, LandBlockInfo, 0xC95BFFFE, damage)
    found = survey(world)
    assert all(isinstance(each, Found) and each.key for each in found)
