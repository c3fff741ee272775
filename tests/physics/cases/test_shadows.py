"""Shadow objects, their registry, and exemptions: cases C-SH-1 to C-SH-21 and C-EX-1 to C-EX-18 of physics.md 13.7, by
id."""

from __future__ import annotations

import pytest

from engine.entities.specs import flags_of_weenie_bits
from engine.geometry.frame import Frame
from engine.geometry.sphere import CylSphere, Sphere
from engine.geometry.vec import ZERO, Vec3
from engine.physics.flags import (
    COLLIDED,
    ENTITY_HAS_WEENIE,
    ENTITY_IS_CREATURE,
    ENTITY_IS_IMPENETRABLE,
    ENTITY_IS_PK,
    ENTITY_IS_PKLITE,
    ENTITY_IS_PLAYER,
    ETHEREAL,
    IGNORE_COLLISIONS,
    MISSILE,
    OI_IS_IMPENETRABLE,
    OI_IS_PK,
    OI_IS_PKLITE,
    OI_IS_PLAYER,
    OI_IS_VIEWER,
    OI_PATH_CLIPPED,
    OK,
    PLACEMENT,
    REPORT_COLLISIONS,
)
from engine.physics.objects.physics_object import (
    BSP,
    CYLINDER,
    SPHERE,
    PhysicsObj,
    bsp_only_dispatch,
    find_obj_collisions,
)
from engine.physics.objects.shadows import ShadowRegistry
from engine.physics.objects.shapes import shapes_from_setup
from engine.physics.rules import RuleSet, rule_set
from engine.world.cells.objects import Setup
from tests.physics.bodies import BOTH_RULES
from tests.physics.small_world import CELL_ID, floor, room, sweep
from tests.physics.things import DOOR_STATE, box_model, door_setup, flat_land, put, registry_in, setup

BLOCK = 0xA9B4
ENTITY = 0x70000001


def low(cell_ids: list[int]) -> set[int]:
    assert all(cell_id >> 16 == BLOCK for cell_id in cell_ids)
    return {cell_id & 0xFFFF for cell_id in cell_ids}


def on_land(thing: Setup, origin: Vec3, **words: float) -> ShadowRegistry:
    registry = registry_in(flat_land(BLOCK))
    put(registry, thing, (BLOCK << 16) | 0xFFFF, origin, entity=ENTITY, scale=words.get("scale", 1.0))
    return registry


def two_boxes(apart: float) -> Setup:
    """Two parts, the second this many metres east of the first."""
    models = [box_model((-0.5, -0.5, 0.0), (0.5, 0.5, 1.0), 0x01000001 + index) for index in range(2)]
    return setup(models=models, placements={0x65: [Frame(), Frame((apart, 0.0, 0.0))]})


@pytest.mark.parametrize(
    ("thing", "origin", "cells"),
    [
        pytest.param(setup(spheres=[Sphere(ZERO, 0.3)]), (12.0, 12.0, 0.0), {1}, id="C-SH-1"),
        pytest.param(setup(spheres=[Sphere(ZERO, 2.0)]), (24.0, 12.0, 0.0), {1, 9}, id="C-SH-2"),
        pytest.param(two_boxes(30.0), (12.0, 12.0, 0.0), {1, 9}, id="C-SH-3"),
    ],
)
def test_an_entity_is_in_the_land_cells_that_its_shapes_reach(thing: Setup, origin: Vec3, cells: set[int]) -> None:
    assert low(on_land(thing, origin).cells_of(ENTITY)) == cells


def test_c_sh_4_a_moved_entitys_rows_are_at_its_new_position() -> None:
    registry = on_land(two_boxes(1.0), (12.0, 12.0, 0.0))
    registry.update_position(ENTITY, (BLOCK << 16) | 0xFFFF, Frame((50.0, 10.0, 50.0)))
    (cell_id,) = registry.cells_of(ENTITY)
    rows = registry.get_objects_in_cell(cell_id)
    assert [row.frame.origin for row in rows] == [(50.0, 10.0, 50.0), (51.0, 10.0, 50.0)]
    assert registry.get_objects_in_cell((BLOCK << 16) | 1) == []


def registered_door() -> ShadowRegistry:
    """The reference door at the border of two land cells, so that it is in both."""
    registry = registry_in(flat_land(BLOCK))
    put(registry, door_setup(), (BLOCK << 16) | 0xFFFF, (24.0, 12.0, 0.0), entity=ENTITY, state=DOOR_STATE)
    return registry


def test_c_sh_5_a_door_has_four_rows_in_each_of_its_cells_and_one_id() -> None:
    registry = registered_door()
    cells = registry.cells_of(ENTITY)
    assert low(cells) == {1, 9}
    for cell_id in cells:
        rows = registry.get_objects_in_cell(cell_id)
        assert [row.shape.collision_type for row in rows] == [SPHERE, BSP, BSP, BSP]
        assert {row.entity_id for row in rows} == {ENTITY}


def test_c_sh_6_a_new_state_reaches_every_row_in_every_cell() -> None:
    registry = registered_door()
    registry.update_physics_state(ENTITY, 0x1000C)
    for cell_id in registry.cells_of(ENTITY):
        cell = registry.graph.get_visible(cell_id)
        assert cell is not None
        states = [shadow.state for shadow in cell.shadow_objects if isinstance(shadow, PhysicsObj)]
        assert states == [0x1000C]


def test_c_sh_7_a_deregistered_entity_leaves_nothing() -> None:
    registry = registered_door()
    cells = registry.cells_of(ENTITY)
    registry.deregister(ENTITY)
    assert all(registry.get_objects_in_cell(cell_id) == [] for cell_id in cells)
    assert registry.cells_of(ENTITY) == []
    assert ENTITY not in registry.entities
    registry.deregister(ENTITY)


def test_c_sh_8_only_the_first_ten_cylinders_count_for_occupancy() -> None:
    row = [CylSphere((24.0 * float(index), 0.0, 0.0), 0.5, 1.0) for index in range(8)]
    again = [CylSphere((24.0 * float(index), 24.0, 0.0), 0.5, 1.0) for index in range(4)]
    registry = on_land(setup(cylinders=row + again), (12.0, 12.0, 0.0))
    first_ten = {1 + 8 * index for index in range(8)} | {2, 10}
    assert low(registry.cells_of(ENTITY)) == first_ten
    assert len(registry.get_objects_in_cell((BLOCK << 16) | 1)) == 12


@BOTH_RULES
@pytest.mark.parametrize(
    ("x", "cells"), [pytest.param(23.3, {1}, id="C-SH-19"), pytest.param(23.7, {1, 9}, id="C-SH-19 nearer")]
)
def test_a_cylinder_occupies_cells_at_its_unscaled_size(x: float, cells: set[int], rules: RuleSet) -> None:
    registry = registry_in(flat_land(BLOCK), rules)
    thing = setup(cylinders=[CylSphere(ZERO, 0.4, 1.0)])
    put(registry, thing, (BLOCK << 16) | 1, (x, 12.0, 0.0), entity=ENTITY, scale=3.0)
    assert low(registry.cells_of(ENTITY)) == cells


@pytest.mark.parametrize(("rules", "order"), [("retail", [3, 2, 1]), ("ace", [2, 3, 1])])
def test_c_sh_20_the_last_object_of_a_cell_replaces_the_one_that_leaves(rules: str, order: list[int]) -> None:
    registry = registry_in(flat_land(BLOCK), rule_set(rules))
    thing = setup(cylinders=[CylSphere(ZERO, 0.4, 1.0)])
    for number in (1, 2, 3):
        put(registry, thing, (BLOCK << 16) | 1, (12.0, 12.0, 0.0), entity=number)
    registry.deregister(1)
    assert registry.objects_in((BLOCK << 16) | 1) == ([3, 2] if rules == "retail" else [2, 3])
    put(registry, thing, (BLOCK << 16) | 1, (12.0, 12.0, 0.0), entity=1)
    assert registry.objects_in((BLOCK << 16) | 1) == order


@BOTH_RULES
def test_c_sh_21_a_part_occupies_cells_at_its_models_size(rules: RuleSet) -> None:
    registry = registry_in(flat_land(BLOCK), rules)
    thing = setup(models=[box_model((-1.0, -1.0, 0.0), (1.0, 1.0, 0.1))])
    put(registry, thing, (BLOCK << 16) | 1, (18.0, 12.0, 0.0), entity=ENTITY, scale=10.0, static=True)
    assert low(registry.cells_of(ENTITY)) == {1}


# --- the builder


def test_c_sh_9_the_doors_setup_gives_a_sphere_and_three_trees() -> None:
    shapes = shapes_from_setup(door_setup(), 1.0)
    assert [shape.collision_type for shape in shapes] == [SPHERE, BSP, BSP, BSP]
    assert shapes[0].local_position == pytest.approx((0.0, 0.0, 0.018))
    assert shapes[0].radius == pytest.approx(0.1)


def test_c_sh_10_twice_the_scale_doubles_the_sphere() -> None:
    sphere = shapes_from_setup(door_setup(), 2.0)[0]
    assert sphere.radius == pytest.approx(0.2)
    assert sphere.local_position == pytest.approx((0.0, 0.0, 0.036))


@pytest.mark.parametrize(
    ("cylinder", "scale", "radius", "height"),
    [
        pytest.param(CylSphere(ZERO, 0.4, 1.2), 2.0, 0.8, 2.4, id="C-SH-11"),
        pytest.param(CylSphere(ZERO, 0.5, 0.0), 1.0, 0.5, 2.0, id="C-SH-12"),
    ],
)
def test_a_cylinder_is_scaled_and_never_flat(cylinder: CylSphere, scale: float, radius: float, height: float) -> None:
    (shape,) = shapes_from_setup(setup(cylinders=[cylinder]), scale)
    assert shape.collision_type == CYLINDER
    assert (shape.radius, shape.cyl_height) == pytest.approx((radius, height))


def test_c_sh_13_a_setup_with_cylinders_gives_no_spheres() -> None:
    both = setup(cylinders=[CylSphere(ZERO, 0.4, 1.2)], spheres=[Sphere(ZERO, 0.5)])
    assert [shape.collision_type for shape in shapes_from_setup(both, 1.0)] == [CYLINDER]


def test_c_sh_14_a_pose_precedes_the_placement_as_far_as_it_reaches() -> None:
    models = [box_model((-0.1, -0.1, -0.1), (0.1, 0.1, 0.1), 0x01000001 + index) for index in range(2)]
    placed = {0x65: [Frame((0.88, -0.44, 1.37)), Frame((2.0, 0.0, 0.0))]}
    pose = [Frame((0.85, 0.0, 1.37))]
    shapes = shapes_from_setup(setup(models=models, placements=placed), 1.0, pose)
    assert [shape.local_position for shape in shapes] == [(0.85, 0.0, 1.37), (2.0, 0.0, 0.0)]


def test_c_sh_15_a_part_without_a_tree_gives_no_row() -> None:
    models = [box_model(ZERO, (1.0, 1.0, 1.0), 1, tree=False), box_model(ZERO, (1.0, 1.0, 1.0), 2)]
    obj = on_land(setup(models=models), (12.0, 12.0, 0.0)).entity(ENTITY).obj
    assert [None if row.shape.gfxobj is None else row.shape.gfxobj.id for row in obj.rows] == [2]


def test_c_sh_16_the_bits_of_a_pk_lite_player() -> None:
    assert flags_of_weenie_bits(0x2000008) == ENTITY_IS_PLAYER | ENTITY_IS_PKLITE


@pytest.mark.parametrize(
    ("state", "parts_only"),
    [
        pytest.param(0x10008, True, id="C-SH-17 0x10008"),
        pytest.param(0x10000, True, id="C-SH-17 0x10000"),
        pytest.param(0x110000, True, id="C-SH-17 0x110000"),
        pytest.param(0x8, False, id="C-SH-18 8"),
        pytest.param(0x0, False, id="C-SH-18 0"),
        pytest.param(0xFFFF, False, id="C-SH-18 0xFFFF"),
    ],
)
def test_only_the_bsp_bit_makes_an_object_collide_by_its_parts(state: int, parts_only: bool) -> None:
    assert bsp_only_dispatch(state) == parts_only


# --- exemption

PLAYER = ENTITY_HAS_WEENIE | ENTITY_IS_PLAYER | ENTITY_IS_CREATURE
CREATURE = ENTITY_HAS_WEENIE | ENTITY_IS_CREATURE
HIS_TARGET = ENTITY
ANOTHER = 0x70000002

SKIPPED: tuple[int, list[int]] = (OK, [])
TOUCHED = (OK, [ENTITY])
STOPPED = (COLLIDED, [ENTITY])


def meet(
    *, target_state: int = 0, target_flags: int = 0, mover: int = 0, mover_state: int = 0, aims_at: int = 0
) -> tuple[int, list[int]]:
    """A mover whose spheres overlap the target's, tested as a placement: returns the answer and whether it touched."""
    tr = sweep(room([floor(-20.0)]), ZERO, ZERO)
    tr.sp.insert_type = PLACEMENT
    tr.oi.state = mover
    tr.oi.mover_id = 0x50000001
    tr.oi.mover_state = mover_state
    tr.oi.target_id = aims_at
    thing = setup(spheres=[Sphere((0.0, 0.0, 0.5), 0.5)])
    registry = registry_in(tr.graph)
    obj = put(registry, thing, CELL_ID, ZERO, entity=ENTITY, state=REPORT_COLLISIONS | target_state, flags=target_flags)
    return find_obj_collisions(tr, obj), tr.ci.collide_objects


MISSILE_MOVER = {"mover": OI_PATH_CLIPPED, "mover_state": MISSILE}


@pytest.mark.parametrize(
    ("case", "expected"),
    [
        pytest.param({"target_state": ETHEREAL | IGNORE_COLLISIONS}, SKIPPED, id="C-EX-1"),
        pytest.param({"target_state": ETHEREAL}, TOUCHED, id="C-EX-2"),
        pytest.param({"mover": OI_IS_VIEWER, "target_flags": CREATURE}, SKIPPED, id="C-EX-3"),
        pytest.param({"mover": OI_IS_PLAYER, "target_flags": PLAYER}, SKIPPED, id="C-EX-4"),
        pytest.param({"mover": OI_IS_PLAYER | OI_IS_PK, "target_flags": PLAYER | ENTITY_IS_PK}, STOPPED, id="C-EX-5"),
        pytest.param(
            {"mover": OI_IS_PLAYER | OI_IS_PKLITE, "target_flags": PLAYER | ENTITY_IS_PKLITE}, STOPPED, id="C-EX-6"
        ),
        pytest.param({"mover": OI_IS_PLAYER | OI_IS_PK, "target_flags": PLAYER}, SKIPPED, id="C-EX-7 mover"),
        pytest.param({"mover": OI_IS_PLAYER, "target_flags": PLAYER | ENTITY_IS_PK}, SKIPPED, id="C-EX-7 target"),
        pytest.param(
            {"mover": OI_IS_PLAYER | OI_IS_PK, "target_flags": PLAYER | ENTITY_IS_PKLITE}, SKIPPED, id="C-EX-8"
        ),
        pytest.param({"mover": OI_IS_PLAYER | OI_IS_IMPENETRABLE, "target_flags": PLAYER}, STOPPED, id="C-EX-9 mover"),
        pytest.param(
            {"mover": OI_IS_PLAYER, "target_flags": PLAYER | ENTITY_IS_IMPENETRABLE}, STOPPED, id="C-EX-9 target"
        ),
        pytest.param({"mover": OI_IS_PLAYER, "target_flags": CREATURE}, STOPPED, id="C-EX-10"),
        pytest.param({"target_flags": PLAYER}, STOPPED, id="C-EX-11"),
        pytest.param({"mover": OI_IS_PLAYER, "target_state": MISSILE}, SKIPPED, id="C-EX-12"),
        pytest.param({**MISSILE_MOVER, "aims_at": HIS_TARGET, "target_flags": CREATURE}, STOPPED, id="C-EX-13"),
        pytest.param({**MISSILE_MOVER, "aims_at": ANOTHER, "target_flags": CREATURE}, SKIPPED, id="C-EX-14"),
        pytest.param({**MISSILE_MOVER, "target_flags": CREATURE}, STOPPED, id="C-EX-15"),
        pytest.param(
            {**MISSILE_MOVER, "target_flags": ENTITY_HAS_WEENIE, "target_state": ETHEREAL}, SKIPPED, id="C-EX-16"
        ),
        pytest.param({**MISSILE_MOVER, "aims_at": ANOTHER}, STOPPED, id="C-EX-17"),
        pytest.param({}, STOPPED, id="C-EX-18"),
    ],
)
def test_a_mover_meets_a_target_as_in_the_case(case: dict[str, int], expected: tuple[int, list[int]]) -> None:
    assert meet(**case) == expected
