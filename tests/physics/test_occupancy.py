"""The cells that things are in, beyond the numeric cases: things of several parts, in several rooms, that come and go
(physics.md 6.7, 8.5, #19, #32, #44)."""

from __future__ import annotations

import pytest

from engine.geometry.frame import Frame
from engine.geometry.sphere import CylSphere, Sphere
from engine.geometry.vec import ZERO, Vec3
from engine.physics.flags import HAS_PHYSICS_BSP
from engine.physics.objects.shapes import occupancy_sphere
from engine.physics.rules import RuleSet
from engine.world.cells.objects import GfxObj
from tests.physics.bodies import BOTH_RULES, GROUND, body_in, graph_of, hall, one_sphere, push
from tests.physics.small_world import CELL_ID, floor, wall_facing_west
from tests.physics.test_edge_cases import FIRST, row_of_rooms
from tests.physics.things import box_model, flat_land, put, registry_in, setup

ENTITY = 0x70000001
LAND = 0xA9B40001


def board(length: float) -> GfxObj:
    """A visible part without a physics tree: this long eastwards, with a sphere around it."""
    model = box_model((0.0, -0.1, 0.0), (length, 0.1, 1.0), 0x01000002, tree=False)
    model.bounding_sphere = model.drawing_sphere = Sphere((length / 2.0, 0.0, 0.5), length)
    return model


@BOTH_RULES
def test_a_part_without_a_tree_puts_its_thing_in_the_next_room_too(rules: RuleSet) -> None:
    """The post stands in the first room, and its board reaches into the second, where a body meets the post too."""
    graph = graph_of(*row_of_rooms([], [], wide=0.8))
    post = box_model((-0.1, -0.1, 0.0), (0.1, 0.1, 1.0))
    for reach, cells in ((0.4, [FIRST]), (1.2, [FIRST, FIRST + 1])):
        registry = registry_in(graph, rules)
        obj = put(registry, setup(models=[post, board(reach)]), FIRST, ZERO)
        assert registry.cells_of(ENTITY) == cells
        assert [row.shape.gfxobj for row in obj.rows] == [post]
        registry.deregister(ENTITY)


def test_a_thing_made_only_of_boards_blocks_nothing_and_is_in_no_cell() -> None:
    registry = registry_in(flat_land(0xA9B4))
    put(registry, setup(models=[board(3.0)]), LAND, (12.0, 12.0, 0.0), static=True)
    assert registry.cells_of(ENTITY) == []


@BOTH_RULES
def test_a_thing_not_made_only_of_parts_is_where_its_sorting_sphere_is(rules: RuleSet) -> None:
    """Whatever its scale, and although its own sphere reaches further."""
    thing = setup(spheres=[Sphere(ZERO, 0.4), Sphere((24.0, 0.0, 0.0), 0.5)], models=[board(0.1)])
    for x, cells in ((23.5, [LAND]), (23.7, [LAND, 0xA9B40009])):
        registry = registry_in(flat_land(0xA9B4), rules)
        put(registry, thing, LAND, (x, 12.0, 0.0), scale=5.0)
        assert registry.cells_of(ENTITY) == cells


def test_a_thing_without_parts_is_where_a_10_cm_dummy_sphere_would_be() -> None:
    assert occupancy_sphere(setup(spheres=[Sphere(ZERO, 3.0)])).radius == pytest.approx(0.1)
    assert occupancy_sphere(setup(spheres=[Sphere(ZERO, 3.0)], models=[board(1.0)])).radius == 3.0


def test_cylinders_count_only_for_things_that_do_not_collide_by_parts() -> None:
    thing = setup(cylinders=[CylSphere((20.0, 0.0, 0.0), 0.5, 1.0)], models=[box_model(ZERO, (1.0, 1.0, 1.0))])
    registry = registry_in(flat_land(0xA9B4))
    put(registry, thing, LAND, (12.0, 12.0, 0.0))
    assert registry.cells_of(ENTITY) == [LAND]
    registry.entity(ENTITY).obj.state &= ~HAS_PHYSICS_BSP
    registry.update_position(ENTITY, LAND, Frame((12.0, 12.0, 0.0)))
    assert registry.cells_of(ENTITY) == [0xA9B40009]


def test_a_moving_body_goes_to_the_end_of_its_cells_list() -> None:
    cell = hall([floor(0.0)])
    graph = graph_of(cell)
    registry = registry_in(graph)
    body = body_in(cell, ZERO, graph=graph, ground=GROUND)
    body.registry = registry
    pillar = setup(cylinders=[CylSphere(ZERO, 0.2, 1.0)])
    for number, x in enumerate((0.0, 3.0, 4.0, 5.0)):
        put(registry, pillar, CELL_ID, (x, 0.0, 0.0), entity=body.id + number)
    push(body, 0.0, 0.1)
    assert [object_id - body.id for object_id in registry.objects_in(CELL_ID)] == [3, 1, 2, 0]


def test_a_thing_reaching_through_a_wall_stops_a_body_on_the_other_side() -> None:
    """This is why a thing's cells matter: a body meets it only in them."""
    start: Vec3 = (1.2, -2.0, 0.0)
    stopped: list[float] = []
    for models in ([box_model((-0.1, -0.1, 0.0), (1.0, 0.1, 1.0))], [box_model((-0.1, -0.1, 0.0), (0.1, 0.1, 1.0))]):
        first, second = row_of_rooms([floor(0.0, size=20.0)], [floor(0.0, size=20.0), wall_facing_west(9.0)], wide=0.8)
        graph = graph_of(first, second)
        put(registry_in(graph), setup(models=models), FIRST, ZERO)
        body = body_in(second, start, graph=graph, ground=GROUND, body=one_sphere(0.3))
        push(body, 0.0, 0.1, times=40)
        stopped.append(body.place.origin[1])
    assert stopped[0] < -0.3
    assert stopped[1] == pytest.approx(2.0, abs=1e-3)
