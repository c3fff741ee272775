"""At landblock borders the same world behaves as in the middle of a landblock, except for the offsets that the client
itself omits (physics.md 13.12 "block", #11, #12)."""

from __future__ import annotations

import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine.geometry.frame import Frame
from engine.geometry.plane import Plane
from engine.geometry.quat import from_axis_angle
from engine.geometry.sphere import CylSphere, Sphere
from engine.geometry.vec import UP, ZERO, Vec3, r24, r24v
from engine.physics.body import Body
from engine.physics.flags import TS_CONTACT, TS_ON_WALKABLE
from engine.physics.membership import check_building_transit, find_cell_list
from engine.physics.place import Place
from engine.physics.rules import RuleSet
from engine.physics.sweep.cell_array import CellArray
from engine.physics.sweep.sphere_path import SpherePath
from engine.world.cells.landdefs import adjust_to_outside
from tests.physics.bodies import BOTH_RULES, body_in, box_tree, hall, has, push
from tests.physics.things import box_model, flat_land, put, registry_in, setup

HERE = 0xA9B4
NORTH_EAST = 0xAAB5
CORNER = (HERE, 0xAAB4, 0xA9B5, NORTH_EAST)
"""The four landblocks around a corner."""

GROUND_AT = 94.0
QUARTER_TURN = from_axis_angle(UP, -math.pi / 2.0)


class Yard:
    """Land at 94 m around the point (at, at) of a landblock; all positions are relative to it."""

    def __init__(self, at: float) -> None:
        self.at = at
        self.graph = flat_land(*CORNER, z=int(GROUND_AT))
        self.registry = registry_in(self.graph)

    def place(self, p: Vec3) -> tuple[int, Vec3]:
        ok, cell_id, origin = adjust_to_outside((HERE << 16) | 1, (self.at + p[0], self.at + p[1], GROUND_AT + p[2]))
        assert ok
        return cell_id, r24v(origin)

    def box(self, number: int, middle: Vec3, half: Vec3, turned: bool = False, static: bool = False) -> None:
        hx, hy, height = half
        thing = setup(models=[box_model((-hx, -hy, 0.0), (hx, hy, height), 0x01000001 + number)])
        cell_id, origin = self.place(middle)
        frame = Frame(origin, QUARTER_TURN) if turned else Frame(origin)
        put(self.registry, thing, cell_id, ZERO, entity=0x70000001 + number, frame=frame, static=static)

    def walker(self, start: Vec3) -> Body:
        cell_id, origin = self.place(start)
        cell = self.graph.get_visible(cell_id)
        body = body_in(hall([]), origin, graph=self.graph, ground=Plane(UP, -GROUND_AT), step_down=1.5)
        body.cell = cell
        body.place = Place(cell_id, origin, Frame())
        body.contact_plane_cell_id = cell_id
        return body

    def seen_from_here(self, body: Body) -> Vec3:
        columns, rows = (body.place.cell_id >> 24) - (HERE >> 8), ((body.place.cell_id >> 16) & 0xFF) - (HERE & 0xFF)
        x, y, z = body.place.origin
        return (x + 192.0 * columns - self.at, y + 192.0 * rows - self.at, z - GROUND_AT)


def under_a_shelf(at: float) -> list[Vec3]:
    """The head is inside a thin shelf that begins east of the corner; returns the position of a walk after each
    tick."""
    yard = Yard(at)
    yard.box(0, (0.3927309513092041, -1.340576171875, 0.55), (1.29621739958758, 1.4293399943337608, 0.2), turned=True)
    body = yard.walker((-0.00953674316, -0.92921447754, 0.0))
    places = []
    for _ in range(2):
        push(body, 0.1384631857583981, -0.057688354020853615)
        places.append(yard.seen_from_here(body))
    return places


def test_a_walk_at_a_corner_of_four_landblocks_equals_one_in_the_middle() -> None:
    for at_the_corner, inside in zip(under_a_shelf(192.0), under_a_shelf(96.0), strict=True):
        assert at_the_corner == pytest.approx(inside, abs=1e-3)


@given(
    st.tuples(st.floats(-3.0, 3.0), st.floats(-3.0, 3.0), st.floats(-50.0, 200.0)),
    st.tuples(st.floats(0.0, 23.0), st.floats(0.0, 23.0), st.floats(-50.0, 200.0)),
    st.floats(0.1, 1.5),
)
def test_both_sides_of_a_border_put_a_sphere_at_the_same_local_point(near: Vec3, thing: Vec3, height: float) -> None:
    """The thing is in the landblock to the north-east; either landblock labels the position."""
    frame = Frame(r24v(thing))
    origin = r24v((192.0 + near[0], 192.0 + near[1], near[2]))
    path = SpherePath()
    path.init_sphere([Sphere((0.0, 0.0, r24(height)), 0.48)], 1.0)
    seen = []
    for block, (x, y, z) in ((HERE, origin), (NORTH_EAST, (origin[0] - 192.0, origin[1] - 192.0, origin[2]))):
        path.check.set_to(Place((block << 16) | 1, (x, y, z), Frame()))
        path.cache_local_space_sphere((NORTH_EAST << 16) | 1, frame, 1.0)
        seen.append(path.space0.center)
    assert seen[0] == seen[1]


# --- the client's omissions

WEST_BLOCK = 0xC95B
EAST_BLOCK = 0xCA5B
ROOM = (EAST_BLOCK << 16) | 0x100


@BOTH_RULES
def test_a_room_of_the_next_landblock_is_found_only_from_that_landblock(rules: RuleSet) -> None:
    room = hall([], cell_id=ROOM, tree=box_tree((-1.0, 0.0, -5.0), (5.0, 24.0, 5.0)))
    for x, block, found in ((191.9, WEST_BLOCK, False), (-0.1, EAST_BLOCK, True)):
        ca = CellArray()
        check_building_transit(room, 0, [Sphere((x, 12.0, 1.0), 0.48)], ca, None)
        assert (ca.ids == [ROOM]) == found, hex(block)


@BOTH_RULES
def test_the_pick_does_add_the_offset(rules: RuleSet) -> None:
    """Both squares of land are in the array; the one beyond the border holds the centre, as seen from this side."""
    graph = flat_land(WEST_BLOCK, EAST_BLOCK)
    for x, block in ((191.9, WEST_BLOCK), (192.1, EAST_BLOCK)):
        ca = CellArray()
        found = find_cell_list(graph, rules, (WEST_BLOCK << 16) | 0x39, [Sphere((x, 12.0, 1.0), 0.48)], ca, True, None)
        assert found is not None
        assert found.id >> 16 == block
        assert {cell_id >> 16 for cell_id in ca.ids} == {WEST_BLOCK, EAST_BLOCK}


@BOTH_RULES
@pytest.mark.parametrize(("north", "standing"), [(0.0, False), (0.6, True)])
def test_a_body_stopped_beyond_a_border_loses_the_slope_before_it(north: float, standing: bool, rules: RuleSet) -> None:
    """The client takes the plane's distance without the offset: off by 192 times the normal's x, and by nothing for a
    slope that rises northwards."""
    graph = flat_land(WEST_BLOCK, EAST_BLOCK)
    put(
        registry_in(graph, rules),
        setup(cylinders=[CylSphere(ZERO, 0.5, 3.0)]),
        (EAST_BLOCK << 16) | 1,
        (1.5, 12.0, 50.0),
    )
    cell = graph.get_visible((EAST_BLOCK << 16) | 1)
    assert cell is not None
    normal = (0.6 - north, north, 0.8)
    body = body_in(hall([]), ZERO, graph=graph, rules=rules)
    body.place = Place(cell.id, (0.4, 12.0, 50.0), Frame())
    body.cell = cell
    body.transient |= TS_CONTACT | TS_ON_WALKABLE
    # In the coordinates of the plane's landblock, the body's foot rests on it 192.4 m east of the corner.
    body.contact_plane = Plane(normal, 0.48 - normal[0] * 192.4 - normal[1] * 12.0 - normal[2] * 50.48)
    body.contact_plane_cell_id = (WEST_BLOCK << 16) | 0x39
    push(body, 0.3)
    assert has(body, TS_CONTACT) == standing
