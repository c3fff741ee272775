"""Each rule of physics.md 17.1 in a situation where its two forms answer differently, or did before both sets agreed on
the second one.

All of them are reachable. A test runs a situation with one base rule set and the rule in each of its forms; the base is
`retail` except where a rule shows only beside another one.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NamedTuple

import pytest

from engine.entities.skills import run_rate
from engine.geometry.bsp import PhysicsInner, PhysicsLeaf, PhysicsTree
from engine.geometry.compile.physics import compile_physics
from engine.geometry.frame import Frame
from engine.geometry.plane import Plane
from engine.geometry.polygon import Polygon
from engine.geometry.quat import from_axis_angle, from_heading
from engine.geometry.sphere import CylSphere, Sphere
from engine.geometry.vec import UP, ZERO, Vec3, distance, length
from engine.physics.body import Body
from engine.physics.collision.bsp import placement_insert
from engine.physics.collision.cell import cell_find_collisions
from engine.physics.collision.cylinder import cylinder_intersects
from engine.physics.collision.sphere import sphere_intersects
from engine.physics.flags import (
    ADJUSTED,
    ALIGN_PATH,
    COLLIDED,
    ENTITY_HAS_WEENIE,
    ETHEREAL,
    GRAVITY,
    INELASTIC,
    MISSILE,
    OI_CONTACT,
    OI_IS_PLAYER,
    OI_ON_WALKABLE,
    OI_PATH_CLIPPED,
    OK,
    PATH_CLIPPED,
    PLACEMENT,
    SLEDDING,
    STATIC,
    TS_CONTACT,
)
from engine.physics.membership import find_cell_list
from engine.physics.objects.parts import BodyPart
from engine.physics.objects.parts_membership import add_outside_cells_of_parts, check_building_transit_of_parts
from engine.physics.objects.physics_object import find_obj_collisions
from engine.physics.place import Place
from engine.physics.quanta import slice_time
from engine.physics.rules import AGREED_RULES, RULE_NAMES, RuleSet, rule_set
from engine.physics.sweep.cell_array import CellArray
from engine.physics.sweep.collision_info import CollisionInfo
from engine.physics.sweep.stepping import check_walkable, check_walkables, step_up_slide
from engine.physics.sweep.transition import Transition
from engine.world.cells.cell import Building, EnvCell, LandCell
from engine.world.cells.portals import BldPortal
from engine.world.graph.graph import CellGraph
from tests.physics.bodies import GROUND, body_in, box_tree, graph_of, hall, has, human, one_sphere, push
from tests.physics.cases.test_body import Turns
from tests.physics.cases.test_cells import AROUND, BLOCK, EAST, HERE, part_at, room_behind, square_part
from tests.physics.cases.test_latch import LAND, A, B, doorway_between, house_door
from tests.physics.cases.test_terrain import hillside
from tests.physics.cases.test_transitions import SQUARE
from tests.physics.small_world import CELL_ID, ceiling, floor, leaf_tree, quad, spheres, sweep
from tests.physics.things import box_faces, box_model, flat_land, put, registry_in, setup

WEST: Vec3 = (-1.0, 0.0, 0.0)


class Shown(NamedTuple):
    situation: Callable[[RuleSet], Any]
    retail: Any
    ace: Any
    base: str


SHOWN: dict[str, Shown] = {}


def shows(
    rule: str, *, retail: Any, ace: Any, base: str = "retail"
) -> Callable[[Callable[[RuleSet], Any]], Callable[[RuleSet], Any]]:
    """Registers a situation and its outcome under a rule's two forms."""

    def register(situation: Callable[[RuleSet], Any]) -> Callable[[RuleSet], Any]:
        assert rule not in SHOWN
        SHOWN[rule] = Shown(situation, retail, ace, base)
        return situation

    return register


def sweep_of(body: Body) -> Transition:
    assert body.last_transition is not None
    return body.last_transition


# --- the sweep


@shows("slide_opposing", retail=[COLLIDED, (0.0, 0.0, -1.0)], ace=[OK, WEST])
def between_floor_and_ceiling(rules: RuleSet) -> list[object]:
    """The answer, and the normal that the caller stored, afterwards."""
    tr = sweep(hall([floor(0.0)]), ZERO, (0.2, 0.0, 0.0), one_sphere(0.48), rules)
    tr.ci.init_last_known_contact_plane(CELL_ID, GROUND, False)
    tr.sp.step_up_normal = (0.0, 0.0, -1.0)
    state = step_up_slide(tr)
    x, y, z = tr.sp.step_up_normal
    return [state, (round(x, 6), round(y, 6), round(z, 6))]


def walk_into_a_ball(rules: RuleSet, radius: float, overhead: float) -> Body:
    """Up to the tick that finds a collision normal."""
    cell = hall([floor(0.0), ceiling(overhead, 1)])
    graph = graph_of(cell)
    put(registry_in(graph, rules), setup(spheres=[Sphere(ZERO, radius)]), cell.id, (2.0, 0.0, 0.0))
    body = body_in(cell, ZERO, graph=graph, ground=GROUND, rules=rules)
    push(body, 0.1)
    while not sweep_of(body).ci.collision_normal_valid:
        push(body, 0.1)
    return body


@shows("collision_normal_normalised", retail=1.0, ace=0.93295)
def the_length_of_the_normal_of_a_ball_that_could_be_climbed_but_for_the_ceiling(rules: RuleSet) -> float:
    return length(sweep_of(walk_into_a_ball(rules, 0.4, 1.3)).ci.collision_normal)


@shows("sliding_normal_normalised", retail=1.0, ace=0.9459)
def the_length_of_the_sliding_normal_of_a_ball_too_high_to_climb(rules: RuleSet) -> float:
    return length(walk_into_a_ball(rules, 1.0, 5.0).sliding_normal)


@shows("edge_slide_order", retail=0.4, ace=0.3)
def how_far_an_oblique_walk_gets_along_an_edge(rules: RuleSet) -> float:
    cell = hall([SQUARE, floor(-20.0, 1)])
    ground = Plane(UP, -1.0)
    body = body_in(cell, (-0.03, 0.0, 1.0), ground=ground, body=spheres(0.2), step_down=0.3, rules=rules)
    push(body, 0.1, 0.02, times=20)
    return body.place.origin[1]


def beyond_the_edge(rules: RuleSet, x: float) -> Transition:
    """A walker whose foot is this far beyond the edge of the square, which it remembers."""
    tr = sweep(hall([SQUARE]), (0.0, 0.0, 1.0), (1.0 + x, 0.0, 1.0), one_sphere(0.48), rules)
    tr.oi.state |= OI_CONTACT | OI_ON_WALKABLE
    tr.sp.set_walkable(tr.sp.space0, SQUARE, UP, 1.0)
    return tr


@shows("check_walkable_backup", retail=0.0, ace=1.4)
def where_a_probe_returns_to_after_a_test_for_support(rules: RuleSet) -> float:
    tr = beyond_the_edge(rules, 0.4)
    assert isinstance(tr.sp.check_cell, EnvCell)
    tr.sp.check_cell.physics_tree = leaf_tree(
        [SQUARE, quad(1, (1.2, -1.0, 1.0), (3.0, -1.0, 1.0), (3.0, 1.0, 1.0), (1.2, 1.0, 1.0))]
    )
    tr.sp.set_check_pos(tr.sp.curr, tr.sp.curr_cell)
    tr.sp.save_check_pos()
    tr.sp.add_offset_to_check_pos((1.4, 0.0, 0.0))
    check_walkable(tr, 0.7)
    tr.sp.restore_check_pos()
    return tr.sp.check.origin[0]


@shows("check_walkables_radius", retail=[True, False], ace=[True, True])
def a_second_test_of_one_walkable_record(rules: RuleSet) -> list[bool]:
    tr = beyond_the_edge(rules, 0.2)
    return [check_walkables(tr), check_walkables(tr)]


@shows("frame_equality", retail=True, ace=False, base="ace")
def a_pure_turn_is_a_move(rules: RuleSet) -> bool:
    body = body_in(hall([floor(0.0)]), ZERO, ground=GROUND, rules=rules)
    body.move_to(Place(CELL_ID, ZERO, Frame(ZERO, from_heading(90.0))))
    return body.last_transition is not None


@shows("final_cell_array", retail=[A, B], ace=[A, B])
def the_cells_after_crossing_a_portal(rules: RuleSet) -> list[int]:
    """An array not rebuilt for the accepted position begins with the cell that the body left."""
    body = doorway_between(rules, wall_at=3.0)
    body.place.origin = (-0.05, 0.0, 1.0)
    body.transient &= ~3
    push(body, 0.1)
    return sweep_of(body).ca.listed()


@shows("max_steps", retail=True, ace=False)
def a_move_of_twelve_hundred_steps(rules: RuleSet) -> bool:
    return push(body_in(hall([]), ZERO, body=one_sphere(0.02), rules=rules), 24.0)


@shows("no_cell_interior", retail=A, ace=A)
def the_cell_after_leaving_a_room_that_has_no_door(rules: RuleSet) -> int:
    """Out through a hole without a portal: the array holds no land cell, and the room no longer holds the body."""
    graph = flat_land(0xA9B4)
    cell = hall([floor(0.0, size=30.0)], cell_id=A, tree=box_tree((12.0, 8.0, -1.0), (20.0, 16.0, 3.0)), flags=1)
    graph.add_cell(cell)
    body = body_in(cell, (12.1, 12.0, 0.0), graph=graph, ground=GROUND, step_down=1.5, rules=rules)
    push(body, -0.2, times=2)
    return body.place.cell_id


@shows("no_cell_commit", retail=[True, None], ace=[False, A])
def whether_a_body_may_leave_all_cells(rules: RuleSet) -> list[object]:
    graph = flat_land(0xA9B4)
    cell = hall([floor(0.0, size=30.0)], cell_id=A, tree=box_tree((12.0, 8.0, -1.0), (20.0, 16.0, 3.0)), flags=1)
    graph.add_cell(cell)
    body = body_in(cell, (12.1, 12.0, 0.0), graph=graph, ground=GROUND, step_down=1.5, rules=rules)
    return [push(body, -0.2), None if body.cell is None else body.cell.id]


@shows("skip_origin", retail=0.0, ace=1.0)
def how_many_millimetres_ten_moves_within_the_tolerance_get(rules: RuleSet) -> float:
    body = body_in(hall([floor(0.0)]), ZERO, ground=GROUND, rules=rules)
    push(body, 0.0001, times=10)
    return body.place.origin[0] * 1000.0


@shows("last_known_block_offset", retail=False, ace=False)
def a_blocked_body_still_stands_on_a_slope_of_the_next_landblock(rules: RuleSet) -> bool:
    graph = flat_land(0xA9B4, 0xA8B4)
    cell = graph.get_visible(LAND)
    assert cell is not None
    put(registry_in(graph, rules), setup(cylinders=[CylSphere(ZERO, 0.5, 3.0)]), LAND, (1.5, 12.0, 50.0))
    slope = Plane((-0.6, 0.0, 0.8), 0.0)
    x = 192.4
    centre = (0.48 - slope.normal[0] * x) / slope.normal[2]
    body = body_in(hall([]), (0.4, 12.0, centre - 0.48), graph=graph, rules=rules)
    body.place.origin = (0.4, 12.0, 50.0)
    body.cell = cell
    body.place.cell_id = LAND
    body.transient |= 3
    body.contact_plane = Plane(slope.normal, 0.48 - slope.normal[0] * x - slope.normal[2] * 50.48)
    body.contact_plane_cell_id = 0xA8B40039
    push(body, 0.3)
    return has(body, TS_CONTACT)


@shows("cell_array_cleared", retail=[B], ace=[A, B])
def the_cells_of_a_long_move(rules: RuleSet) -> list[int]:
    body = doorway_between(rules, wall_at=4.5)
    push(body, 2.0)
    return sweep_of(body).ca.listed()


@shows("sweep_prune", retail=[A, LAND], ace=[A])
def the_cells_of_a_body_that_stays_inside_an_exit(rules: RuleSet) -> list[int]:
    body = house_door(rules, 12.3)
    tr = body.begin_transition(body.place.copy())
    assert tr.find_valid_position()
    return tr.ca.listed()


@shows("neighbour_lookup", retail=-0.22, ace=-0.06)
def into_a_wall_of_a_room_that_the_stab_list_forgets(rules: RuleSet) -> float:
    """The wall is 0.3 m behind the portal; it stops a sphere of 0.48 m only while the room counts as loaded."""
    body = doorway_between(rules, wall_at=0.3)
    assert body.cell is not None
    body.cell.set_stab_list([])
    body.place.origin = (-0.3, 0.0, 0.0)
    push(body, 0.08, times=3)
    return body.place.origin[0]


@shows("transit_block_offset", retail=False, ace=False)
def a_body_before_a_house_of_the_next_landblock(rules: RuleSet) -> bool:
    """It stands west of the border, where the house's room begins."""
    graph = flat_land(0xA9B4, 0xA8B4)
    land = graph.get_visible(LAND)
    assert isinstance(land, LandCell)
    land.building = Building(1, LAND, 0x01000001, Frame(), None, [BldPortal(0, HERE, 0, [])], 0)
    graph.add_cell(hall([], tree=box_tree((0.0, 0.0, -1.0), (9.0, 24.0, 3.0)), cell_id=HERE))
    outside = graph.get_visible(0xA8B40039)
    assert outside is not None
    body = body_in(hall([]), ZERO, graph=graph, ground=GROUND, rules=rules)
    body.cell = outside
    body.place = Place(outside.id, (191.7, 12.0, 0.0), Frame())
    body.contact_plane_cell_id = outside.id
    push(body, 0.0, 0.1)
    return HERE in sweep_of(body).ca.listed()


@shows("portalless_cell", retail=False, ace=True)
def a_room_without_a_portal_holds_a_body(rules: RuleSet) -> bool:
    cell = hall([floor(0.0)])
    cell.portals_left_out = False
    return find_cell_list(graph_of(cell), rules, cell.id, spheres(), CellArray(), True, None) is cell


# --- parts and registrations


@shows("building_parts_side", retail=True, ace=False)
def a_box_behind_the_door_is_in_the_room(rules: RuleSet) -> bool:
    ca = CellArray()
    behind = part_at((-0.6, -0.1, -0.1), (-0.4, 0.1, 0.1))
    check_building_transit_of_parts(CellGraph(), rules, room_behind(EAST, 0), 0, [behind], ca)
    return ca.ids == [HERE]


@shows("parts_rectangle", retail=25, ace=16)
def land_cells_of_a_large_thing_at_a_landblocks_corner(rules: RuleSet) -> int:
    part: BodyPart = square_part(50.0, 36.0, 36.0)
    ca = CellArray()
    add_outside_cells_of_parts(flat_land(*AROUND), rules, (BLOCK << 16) | 1, [part], ca)
    return len(ca.ids)


@shows("shadow_order", retail=[0x70000001, 0x70000002], ace=[0x70000002, 0x70000001])
def the_order_in_which_soft_things_are_touched(rules: RuleSet) -> list[int]:
    cell = hall([floor(0.0)])
    graph = graph_of(cell)
    registry = registry_in(graph, rules)
    cloud = setup(cylinders=[CylSphere(ZERO, 1.0, 2.0)])
    for entity in (0x70000001, 0x70000002):
        put(registry, cloud, cell.id, (1.0, 0.0, 0.0), entity=entity, state=ETHEREAL)
    body = body_in(cell, ZERO, graph=graph, ground=GROUND, rules=rules)
    push(body, 0.1)
    return sweep_of(body).ci.collide_objects


@shows("placement_ethereal", retail=COLLIDED, ace=OK)
def a_placement_in_soft_scenery(rules: RuleSet) -> int:
    cell = hall([])
    tr = sweep(cell, ZERO, ZERO, rules=rules)
    thing = setup(spheres=[Sphere(ZERO, 0.5)])
    put(registry_in(tr.graph, rules), thing, cell.id, ZERO, state=STATIC | ETHEREAL, static=True)
    tr.sp.insert_type = PLACEMENT
    return cell_find_collisions(tr, cell)


@shows("entry_restriction_once", retail=False, ace=True)
def a_player_moves_about_in_a_guarded_room(rules: RuleSet) -> bool:
    cell = hall([floor(0.0)])
    cell.restriction_object = 0x70000009
    body = body_in(cell, ZERO, ground=GROUND, rules=rules)
    body.info_flags = OI_IS_PLAYER
    push(body, 0.1)
    return body.place.origin[0] > 0.05


@shows("occupancy_unit", retail={1}, ace={1})
def the_cells_of_a_thing_of_two_spheres(rules: RuleSet) -> set[int]:
    two = setup(spheres=[Sphere(ZERO, 0.5), Sphere((24.0, 0.0, 0.0), 0.5)])
    registry = registry_in(flat_land(BLOCK), rules)
    put(registry, two, (BLOCK << 16) | 1, (12.0, 12.0, 0.0))
    return {cell_id & 0xFFFF for cell_id in registry.cells_of(0x70000001)}


# --- things


@shows("contact_plane_scale", retail=-2.5, ace=-2.5)
def the_plane_of_a_raised_table_twice_its_size(rules: RuleSet) -> float:
    cell = hall([floor(-20.0)])
    graph = graph_of(cell)
    table = setup(models=[box_model((-1.0, -1.0, 0.0), (1.0, 1.0, 0.25))])
    put(registry_in(graph, rules), table, cell.id, (0.0, 0.0, 1.0), scale=2.0)
    body = body_in(cell, (0.0, 0.0, 1.7), graph=graph, rules=rules)
    push(body, 0.0, 0.0, -0.3)
    assert has(body, TS_CONTACT)
    return body.contact_plane.d


def a_ball_falls_beside_a_boulder(rules: RuleSet) -> float:
    """How high it ends: on the floor, or where it was, for a sphere object of the same cell many metres away."""
    cell = hall([floor(0.0)])
    graph = graph_of(cell)
    put(registry_in(graph, rules), setup(spheres=[Sphere((0.0, 0.0, 0.5), 0.5)]), cell.id, (4.0, 4.0, 0.0))
    body = body_in(cell, (0.0, 0.0, 0.1), graph=graph, body=one_sphere(0.48), rules=rules)
    push(body, 0.0, 0.0, -0.3)
    return body.place.origin[2]


shows("sphere_land_single", retail=0.0, ace=0.1)(a_ball_falls_beside_a_boulder)
shows("sphere_land_miss", retail=0.1, ace=0.0, base="ace")(a_ball_falls_beside_a_boulder)


@shows("sphere_slide_top", retail=(0.0, 0.0, -1.0), ace=(0.0, 0.0, -1.0))
def the_normal_of_a_foot_that_rises_against_a_ball_right_above_it(rules: RuleSet) -> Vec3:
    tr = sweep(hall([floor(0.0)]), ZERO, (0.05, 0.0, 0.1), one_sphere(0.2), rules)
    tr.oi.state |= OI_CONTACT | OI_ON_WALKABLE
    tr.ci.init_contact_plane(CELL_ID, GROUND, False)
    assert sphere_intersects(tr, (0.0, 0.0, 0.7), 0.3, False) == COLLIDED
    return tr.ci.collision_normal


@shows("cyl_step_down_cell", retail=CELL_ID, ace=0)
def the_cell_of_a_plane_on_a_cylinder_that_was_stepped_down_to(rules: RuleSet) -> int:
    tr = sweep(hall([floor(0.0)]), (0.0, 0.0, 0.5), (0.0, 0.0, 0.2), rules=rules)
    tr.sp.step_down = True
    tr.sp.step_down_amt = 0.3
    tr.sp.probe.allowance = 0.7
    cylinder_intersects(tr, ZERO, 1.0, 0.3, Frame())
    assert tr.ci.contact_plane_valid
    return tr.ci.contact_plane_cell_id


@shows("cyl_step_up_normal", retail=(0.0, -1.0, 0.0), ace=(0.0, -1.0, 0.0))
def the_normal_of_a_turned_stump_under_a_low_ceiling(rules: RuleSet) -> Vec3:
    """Low enough to step onto, but without room for the head up there: the body slides along the step's normal."""
    cell = hall([floor(0.0), ceiling(1.3, 1)])
    graph = graph_of(cell)
    turned = Frame((2.0, 0.0, 0.0), from_axis_angle(UP, 1.5707963267948966))
    put(registry_in(graph, rules), setup(cylinders=[CylSphere(ZERO, 0.5, 0.3)]), cell.id, ZERO, frame=turned)
    body = body_in(cell, ZERO, graph=graph, ground=GROUND, rules=rules)
    push(body, 0.1)
    while not sweep_of(body).ci.collision_normal_valid:
        push(body, 0.1)
    return sweep_of(body).ci.collision_normal


@shows("placement_insert_state", retail=ADJUSTED, ace=COLLIDED, base="ace")
def a_ball_that_appears_at_the_foot_of_two_blocks(rules: RuleSet) -> int:
    """Sunk into the foot of one: it gets out only if each round starts afresh, with its own radius."""
    start = (-1.3855, -1.4017, -0.2677)
    tr = sweep(hall([]), start, start, one_sphere(0.48), rules)
    tr.sp.cache_local_space_sphere(CELL_ID, Frame(), 1.0)
    return placement_insert(tr, two_blocks().root)


def two_blocks() -> PhysicsTree:
    """Solid, 4 m high, with a gap of 0.6 m between them."""
    faces: list[Polygon] = box_faces((-2.0, -2.0, 0.0), (0.0, 2.0, 4.0)) + box_faces(
        (0.6, -2.0, 0.0), (2.6, 2.0, 4.0), 6
    )
    return compile_physics(faces, openings=[], room=False)


@shows("placement_side", retail=0.48, ace=-0.1)
def where_a_ball_ends_that_appears_in_a_block_close_to_its_face(rules: RuleSet) -> float:
    """Its centre is solid, 0.1 m behind the face: it gets out in front, or is pushed deeper until it gives up."""
    centre = (0.9, 0.0, 1.0)
    tr = sweep(hall([]), centre, centre, [Sphere(ZERO, 0.48)], rules)
    block = compile_physics(box_faces((-4.0, -4.0, -4.0), (1.0, 4.0, 4.0)), openings=[], room=False)
    tr.sp.cache_local_space_sphere(CELL_ID, Frame(), 1.0)
    placement_insert(tr, block.root)
    return tr.sp.check.origin[0] - 1.0


@shows("solid_poly_tie", retail=-0.48, ace=0.48)
def where_a_ball_ends_that_appears_exactly_in_the_face_of_a_block(rules: RuleSet) -> float:
    """The tree splits along the face: the solid side, searched first, holds the centre, which is moved out of it."""
    face = quad(1, (0.0, -2.0, -2.0), (0.0, -2.0, 2.0), (0.0, 2.0, 2.0), (0.0, 2.0, -2.0))
    everywhere = Sphere(ZERO, 100.0)
    solid = PhysicsLeaf(0, True, everywhere, [face])
    tr = sweep(hall([]), ZERO, ZERO, [Sphere(ZERO, 0.48)], rules)
    placement_insert(tr, PhysicsInner(Plane((1.0, 0.0, 0.0), 0.0), solid, None, everywhere))
    return tr.sp.check.origin[0]


@shows("missile_ignore", retail=OK, ace=COLLIDED)
def a_player_meets_an_arrow(rules: RuleSet) -> int:
    tr = sweep(hall([]), ZERO, ZERO, rules=rules)
    tr.sp.insert_type = PLACEMENT
    tr.oi.mover_id = 0x50000001
    arrow = put(registry_in(tr.graph, rules), setup(spheres=[Sphere(ZERO, 0.5)]), CELL_ID, ZERO, state=MISSILE)
    return find_obj_collisions(tr, arrow)


@shows("steep_ground", retail=5.0, ace=4.067)
def how_far_a_walker_gets_along_the_foot_of_a_hill_too_steep_for_him(rules: RuleSet) -> float:
    body = hillside(rules)
    body.place.origin = (23.8, 4.0, 0.005)
    push(body, 0.11544, 0.06665, times=30)
    return body.place.origin[1]


@shows("walkable_corner", retail=(1.15, 1.15, 1.005), ace=(0.95, 1.2, 1.005))
def where_a_walk_over_the_corner_of_a_floor_ends(rules: RuleSet) -> Vec3:
    ground = Plane(UP, -1.0)
    body = body_in(hall([SQUARE]), (0.5, 0.5, 1.0), ground=ground, body=human(), step_down=1.5, rules=rules)
    push(body, 0.05, 0.05, times=14)
    return body.place.origin


@shows("cyl_slide_head", retail=(0.0, 0.0, -1.0), ace=(0.0, 0.0, 1.0))
def the_normal_of_a_head_that_rises_into_a_column(rules: RuleSet) -> Vec3:
    head = [Sphere((0.0, 0.0, 0.48), 0.48), Sphere((0.0, 0.0, 1.3), 0.48)]
    tr = sweep(hall([floor(0.0)]), ZERO, (0.0, 0.0, 0.1), head, rules)
    tr.oi.state |= OI_CONTACT | OI_ON_WALKABLE
    tr.ci.init_contact_plane(CELL_ID, GROUND, False)
    cylinder_intersects(tr, (0.0, 0.0, 1.85), 0.5, 1.0, Frame())
    return tr.ci.collision_normal


@shows("neg_poly_cleared", retail=(1.0, 0.0, 0.0), ace=(0.8, 0.6, 0.0))
def the_sliding_normal_after_a_sub_step_that_a_column_stopped_and_one_beside_it(rules: RuleSet) -> Vec3:
    """The first sphere also touched, from behind, a wall that the second does not come near."""
    wall = quad(1, (-2.5, 2.4, 0.0), (1.1, -2.4, 0.0), (1.1, -2.4, 3.0), (-2.5, 2.4, 3.0))
    cell = hall([floor(0.0), wall])
    graph = graph_of(cell)
    put(registry_in(graph, rules), setup(cylinders=[CylSphere(ZERO, 0.5, 3.0)]), cell.id, (-1.2, 0.0, 0.0))
    body = body_in(cell, ZERO, graph=graph, ground=GROUND, rules=rules)
    push(body, -0.8, 0.02)
    return body.sliding_normal


@shows("clipped_head", retail=OK, ace=COLLIDED)
def a_missile_whose_head_alone_meets_a_wall(rules: RuleSet) -> int:
    wall = quad(0, (0.95, -5.0, 1.0), (0.95, -5.0, 5.0), (0.95, 5.0, 5.0), (0.95, 5.0, 1.0))
    tr = sweep(hall([wall]), ZERO, (0.9, 0.0, 0.0), spheres(0.1, 1.5), rules)
    tr.oi.state |= OI_PATH_CLIPPED
    assert isinstance(tr.sp.check_cell, EnvCell)
    return cell_find_collisions(tr, tr.sp.check_cell)


@shows("turn_blend", retail=30.0, ace=29.278)
def the_yaw_after_a_third_of_a_right_angle(rules: RuleSet) -> float:
    body = body_in(hall([floor(0.0)]), ZERO, ground=GROUND, rules=rules)
    body.observer = turns = Turns()
    body.move_to(Place(CELL_ID, (1.2, 0.0, 0.0), Frame(ZERO, from_heading(-90.0))))
    return turns.yaws[0]


# --- placements


@shows("placement_reset", retail=False, ace=True)
def what_a_placement_beside_a_pillar_remembers_of_it(rules: RuleSet) -> bool:
    cell = hall([floor(-20.0)])
    graph = graph_of(cell)
    pillar = setup(cylinders=[CylSphere(ZERO, 0.5, 3.0)])
    put(registry_in(graph, rules), pillar, cell.id, ZERO, state=STATIC, static=True)
    body = body_in(cell, ZERO, graph=graph, rules=rules)
    tr = body.new_transition()
    tr.init_path(cell, None, Place(cell.id, ZERO, Frame()))
    assert tr.find_valid_position()
    assert distance(tr.sp.curr.origin, ZERO) > 0.5
    return tr.ci.collided_with_environment


# --- the body


def collide(rules: RuleSet, state: int, environment: bool) -> Body:
    """A body in the air reacts to a sweep that found a collision normal."""
    body = body_in(hall([floor(0.0)]), (0.0, 0.0, 2.0), rules=rules)
    body.state |= state
    body.velocity = (3.0, 0.0, 0.0)
    ci = CollisionInfo(rules)
    ci.set_collision_normal(WEST)
    ci.collided_with_environment = environment
    body.handle_all_collisions(ci, False, False)
    return body


@shows("missile_env_clear", retail=0, ace=ALIGN_PATH | PATH_CLIPPED)
def what_is_left_of_a_missile_that_met_a_wall(rules: RuleSet) -> int:
    body = collide(rules, MISSILE | ALIGN_PATH | PATH_CLIPPED, environment=True)
    return body.state & (MISSILE | ALIGN_PATH | PATH_CLIPPED)


@shows("inelastic_reports", retail=False, ace=True)
def a_body_that_stopped_dead_says_so(rules: RuleSet) -> bool:
    body = collide(rules, INELASTIC, environment=False)
    assert body.velocity == ZERO
    return body.colliding_with_environment


@shows("max_quantum", retail=3, ace=5)
def the_steps_of_half_a_second(rules: RuleSet) -> int:
    return len(slice_time(0.5, rules)[0])


@shows("small_quantum", retail=1, ace=0)
def the_steps_of_a_fiftieth_of_a_second(rules: RuleSet) -> int:
    return len(slice_time(0.02, rules)[0])


@shows("sledding", retail=-9.8, ace=0.0)
def the_acceleration_of_a_sled_on_the_ground(rules: RuleSet) -> float:
    body = body_in(hall([floor(0.0)]), ZERO, ground=GROUND, rules=rules)
    body.state |= SLEDDING | GRAVITY
    body.calc_acceleration()
    return body.acceleration[2]


@shows("run_rate_800", retail=3.2005, ace=4.5)
def the_run_rate_of_a_skill_of_801(rules: RuleSet) -> float:
    return run_rate(0.0, 801.0, rules)


@shows("placement_frame_fallback", retail=ZERO, ace=ZERO)
def where_a_part_is_that_is_only_placed_lying_down(rules: RuleSet) -> Vec3:
    thing = setup(models=[box_model(ZERO, (1.0, 1.0, 1.0))], placements={5: [Frame((1.0, 2.0, 3.0))]})
    registry = registry_in(graph_of(hall([])), rules)
    obj = put(registry, thing, CELL_ID, ZERO, flags=ENTITY_HAS_WEENIE)
    return obj.rows[0].frame.origin


# --- all rules


def approximately(value: Any) -> Any:
    return pytest.approx(value, abs=1e-3) if isinstance(value, float | tuple) else value


@pytest.mark.parametrize("rule", RULE_NAMES)
def test_the_two_forms_of_a_rule_answer_differently_unless_both_sets_agree(rule: str) -> None:
    shown = SHOWN[rule]
    rules = rule_set(shown.base)
    for form, expected in (("retail", shown.retail), ("ace", shown.ace)):
        rules.set_form(rule, form)
        assert shown.situation(rules) == approximately(expected), form
    assert (shown.retail == shown.ace) == (rule in AGREED_RULES)


def test_every_rule_has_a_situation_and_every_situation_a_rule() -> None:
    assert sorted(SHOWN) == sorted(RULE_NAMES)
