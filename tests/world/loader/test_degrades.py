"""The collision shape of a mesh with a degrade table: that of the first mesh in the table, as in the client."""

from __future__ import annotations

from dataclasses import replace

import pytest

from engine.dat.records import Degrade, GfxObj, GfxObjDegradeInfo
from engine.dat.records.mesh import HAS_DEGRADE, HAS_PHYSICS
from engine.world.loader.dat_source import DatSource
from engine.world.loader.record_file import MemoryRecords
from engine.world.world import World
from tests.world.loader.scenes import record_bytes, scene_records, two_rooms

MESH, NEAREST, TABLE = 0x01000001, 0x01000777, 0x11000001


def opened(first: int | None, nearest: GfxObj | None = None) -> World:
    """The two rooms; a mesh of theirs has a degrade table that begins with another one."""
    portal, cell = scene_records(two_rooms())
    portal[MESH] = replace(mesh(), flags=mesh().flags | HAS_DEGRADE, degrade_id=TABLE)
    levels = [] if first is None else [Degrade(first, 1, 0.0, 30.0, 50.0), Degrade(MESH, 1, 0.0, 99.0, 99.0)]
    portal[TABLE] = GfxObjDegradeInfo(TABLE, levels)
    if nearest is not None:
        portal[NEAREST] = nearest
    return World(DatSource("memory", MemoryRecords(record_bytes(portal)), MemoryRecords(record_bytes(cell))))


def mesh() -> GfxObj:
    record = scene_records(two_rooms())[0][MESH]
    assert isinstance(record, GfxObj)
    assert record.flags & HAS_PHYSICS
    return record


def moved(record: GfxObj) -> GfxObj:
    """The same mesh, 100 m to the east, under another id."""
    vertices = [replace(v, position=(v.position[0] + 100.0, *v.position[1:])) for v in record.vertices]
    assert record.physics_bsp is not None
    assert record.physics_bsp.sphere is not None
    (x, y, z), radius = record.physics_bsp.sphere
    tree = replace(record.physics_bsp, sphere=((x + 100.0, y, z), radius))
    return replace(record, id=NEAREST, vertices=vertices, physics_bsp=tree)


def east_of(world: World) -> float:
    model = world.gfxobj(MESH)
    assert model is not None
    assert model.physics_tree is not None
    corners = [corner for polygon in model.physics_tree.polygons for corner in polygon.vertices]
    assert model.physics_polygons == {polygon.id: polygon for polygon in model.physics_tree.polygons}
    assert model.bounding_sphere is model.physics_tree.root.sphere
    return min(x for x, _, _ in corners)


def test_the_first_mesh_of_the_table_collides_and_not_the_one_that_names_it() -> None:
    own = east_of(opened(MESH))
    assert east_of(opened(NEAREST, moved(mesh()))) == pytest.approx(own + 100.0)


def test_a_first_mesh_without_physics_lets_everything_through() -> None:
    ghost = replace(mesh(), id=NEAREST, flags=mesh().flags & ~HAS_PHYSICS, physics_polygons=[], physics_bsp=None)
    model = opened(NEAREST, ghost).gfxobj(MESH)
    assert model is not None
    assert model.physics_tree is None
    assert model.physics_polygons == {}


@pytest.mark.parametrize("first", [None, 0, MESH])
def test_without_another_first_mesh_its_own_shape_collides(first: int | None) -> None:
    world = opened(first)
    assert east_of(world) < 50.0
    model = world.gfxobj(MESH)
    assert model is not None
    assert model.faults == []


def test_a_missing_first_mesh_is_a_fault_and_its_own_shape_collides() -> None:
    world = opened(NEAREST)
    assert east_of(world) < 50.0
    model = world.gfxobj(MESH)
    assert model is not None
    (fault,) = model.faults
    assert fault.reason == "0x01000777, the first mesh of its degrade table, is missing; its own shape collides"


def test_the_table_of_the_first_mesh_does_not_count() -> None:
    """The client takes the meshes of the table as they are."""
    again = replace(moved(mesh()), flags=mesh().flags | HAS_DEGRADE, degrade_id=TABLE)
    assert east_of(opened(NEAREST, again)) > 50.0
