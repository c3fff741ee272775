"""Bodies moved through the portals of both Holtburg houses are in the right cell at every step (fixtures/README,
physics.md 6.10, 12.5, 16.3).

A small sphere passes through the centre of every opening and back; bodies of a player's size walk and fall through the
rooms.
"""

from __future__ import annotations

import math
from functools import cache

import pytest

from engine.geometry.constants import DEFAULT_STATE
from engine.geometry.frame import Frame
from engine.geometry.plane import Plane
from engine.geometry.sphere import Sphere
from engine.geometry.vec import Vec3, add, distance, r24, scale, sub
from engine.physics.body import Body
from engine.physics.flags import GRAVITY, OI_IS_PLAYER, TS_ACTIVE, TS_CONTACT, TS_ON_WALKABLE
from engine.physics.place import Place
from engine.physics.resolve import resolve_spheres
from engine.physics.rules import rule_set
from engine.world.cells.cell import EnvCell, ObjCell
from engine.world.cells.portals import CellPortal
from engine.world.loader import Placement, open_world
from engine.world.world import World
from tests.shared import SHARED, needs_shared

pytestmark = [pytest.mark.conformance, needs_shared]

BLOCK = 0xA9B40000
FOLDERS = ("cellar-ascent", "cellar-lip", "flap-doorway", "issue98")
SHELL = Placement(
    0x01000A2B, BLOCK | 0x29, Frame((130.5, 11.5, 94.0), (r24(4.37114e-08), 0.0, 0.0, 1.0)), building=True
)
"""The cottage's outer walls. The fixtures have none for the small house, so nothing can enter it from outdoors."""
STREET = 94.0
FAR_BELOW = -1000.0

BOTH_RULES = pytest.mark.parametrize("rules", ["retail", "ace"])

# The openings between cells that have a file each; "exit" leads outdoors. Each line is one direction; the test walks
# both.
OPEN = [
    (0x140, 0x141),
    (0x142, 0x143),
    (0x143, 0x144),
    (0x143, 0x145),
    (0x143, 0x146),
    (0x146, 0x147),
    (0x147, 0x148),
    (0x148, 0x149),
    (0x14A, 0x14B),
    (0x14B, 0x14D),
    (0x14D, 0x14E),
    (0x170, 0x171),
    (0x171, 0x173),
    (0x171, 0x175),
    (0x172, 0x173),
    (0x174, 0x175),
]
SOLID = [(0x141, 0x142), (0x141, 0x14F)]
EXITS = [0x145, 0x14C, 0x14E, 0x14F]


@cache
def houses(ground: float = FAR_BELOW) -> World:
    world = open_world([SHARED / "fixtures" / name for name in FOLDERS], placements=[SHELL], ground=ground)
    world.landblock(BLOCK)
    return world


def room(low: int, world: World | None = None) -> EnvCell:
    cell = (world or houses()).graph.get_visible(BLOCK | low)
    assert isinstance(cell, EnvCell)
    return cell


def lows(cells: list[int]) -> list[int]:
    return [cell_id & 0xFFFF for cell_id in cells]


def openings(low: int, other: int) -> list[CellPortal]:
    found = [portal for portal in room(low).portals if portal.other_cell_id == BLOCK | other]
    assert found
    return found


def exit_of(low: int) -> CellPortal:
    return next(portal for portal in room(low).portals if portal.leads_outside)


def middle_and_way_out(cell: EnvCell, portal: CellPortal) -> tuple[Vec3, Vec3]:
    """The opening's centre, and the direction through it out of the cell."""
    polygon = portal.polygon
    assert polygon is not None
    middle = (0.0, 0.0, 0.0)
    for corner in polygon.vertices:
        middle = add(middle, scale(cell.frame.local_to_global(corner), 1.0 / len(polygon.vertices)))
    return middle, scale(cell.frame.local_to_global_vec(polygon.normal), 1.0 if portal.portal_side else -1.0)


def ends(cell: EnvCell, portal: CellPortal, other: ObjCell | None) -> tuple[Vec3, Vec3]:
    """A point on either side, as far from the opening as the thinner of the two cells allows."""
    middle, out = middle_and_way_out(cell, portal)
    for reach in (0.25, 0.15, 0.09):
        inside, beyond = add(middle, scale(out, -reach)), add(middle, scale(out, reach))
        if cell.point_in_cell(inside) and (other is None or other.point_in_cell(beyond)):
            return inside, beyond
    raise AssertionError(f"no way through {cell!r}")


def check_in_the_right_cell(world: World, body: Body) -> None:
    """The cell holds the first sphere's centre; it is a land cell only where no room holds the centre."""
    cell = body.cell
    assert cell is not None
    assert cell.id == body.place.cell_id
    centre = add(body.place.origin, body.spheres[0].center)
    assert cell.point_in_cell(centre)
    if not cell.is_interior:
        assert not any(room.is_interior and room.point_in_cell(centre) for room in world.graph.cells_of(BLOCK))


def move(world: World, body: Body, to: Vec3, step: float, *, level: bool = False) -> list[int]:
    """Moves to a point in small steps (`level`: the sweep decides z) and returns the cells on the way, at each
    change."""
    assert body.cell is not None
    cells = [body.cell.id]
    steps = math.ceil(distance(body.place.origin, to) / step)
    dx, dy, dz = scale(sub(to, body.place.origin), 1.0 / steps)
    for _ in range(steps):
        end = body.place.copy()
        end.origin = add(end.origin, (dx, dy, 0.0 if level else dz))
        body.move_to(end)
        check_in_the_right_cell(world, body)
        if body.place.cell_id != cells[-1]:
            cells.append(body.place.cell_id)
    return cells


def probe(world: World, rules: str, cell: ObjCell, at: Vec3) -> Body:
    """A weightless sphere of 8 cm."""
    body = Body(0x50000001, world.graph, rule_set(rules))
    body.state = DEFAULT_STATE & ~GRAVITY
    body.spheres = [Sphere((0.0, 0.0, 0.0), 0.08)]
    body.cell, body.place = cell, Place(cell.id, at, Frame())
    body.transient = TS_ACTIVE
    return body


@BOTH_RULES
@pytest.mark.parametrize(("low", "other"), OPEN + [(b, a) for a, b in OPEN])
def test_a_body_moved_through_an_opening_and_back_changes_cells_there(low: int, other: int, rules: str) -> None:
    for portal in openings(low, other):
        here, there = room(low), room(other)
        inside, beyond = ends(here, portal, there)
        body = probe(houses(), rules, here, inside)
        assert lows(move(houses(), body, beyond, 0.02)) == [low, other]
        assert distance(body.place.origin, beyond) < 1e-3
        assert lows(move(houses(), body, inside, 0.02)) == [other, low]
        assert distance(body.place.origin, inside) < 1e-3


@BOTH_RULES
@pytest.mark.parametrize(("low", "other"), SOLID + [(b, a) for a, b in SOLID])
def test_a_solid_polygon_in_an_opening_blocks_the_body(low: int, other: int, rules: str) -> None:
    (portal,) = openings(low, other)
    inside, beyond = ends(room(low), portal, room(other))
    body = probe(houses(), rules, room(low), inside)
    assert lows(move(houses(), body, beyond, 0.02)) == [low]
    assert distance(body.place.origin, beyond) > 0.25


@BOTH_RULES
@pytest.mark.parametrize("low", EXITS)
def test_the_cottages_exits_lead_onto_the_land_and_back_in(low: int, rules: str) -> None:
    inside, beyond = ends(room(low), exit_of(low), None)
    body = probe(houses(), rules, room(low), inside)
    assert lows(move(houses(), body, beyond, 0.02)) == [low, 0x29]
    assert distance(body.place.origin, beyond) < 1e-3
    assert lows(move(houses(), body, inside, 0.02)) == [0x29, low]


@BOTH_RULES
def test_a_body_leaves_the_small_house_by_its_door(rules: str) -> None:
    inside, beyond = ends(room(0x170), exit_of(0x170), None)
    body = probe(houses(), rules, room(0x170), inside)
    assert lows(move(houses(), body, beyond, 0.02)) == [0x170, 0x31]


@BOTH_RULES
def test_a_body_on_a_long_walk_changes_cells_at_the_openings(rules: str) -> None:
    """In strides as long as its radius, from the street through the cottage's ground floor and down its cellar."""
    body = probe(houses(), rules, houses().graph.get_visible(BLOCK | 0x29) or room(0x145), (134.0, 5.15, 95.0))
    passed: list[int] = [0x29]
    for stop in [(141.3, 5.15, 95.0), (141.3, 6.3, 95.0), (141.3, 6.3, 92.5)]:
        passed += lows(move(houses(), body, stop, 0.08))[1:]
    assert passed == [0x29, 0x145, 0x143, 0x146, 0x147]


# --- bodies of a player's size


def player(world: World, rules: str, low: int, at: Vec3, *, grounded: bool = True) -> Body:
    body = Body(0x50000001, world.graph, rule_set(rules))
    body.spheres = resolve_spheres(r24(0.48), r24(1.2))
    body.step_up_height, body.step_down_height = r24(0.6), r24(1.5)
    body.info_flags = OI_IS_PLAYER
    body.cell, body.place = world.graph.get_visible(BLOCK | low), Place(BLOCK | low, at, Frame())
    body.transient = TS_ACTIVE
    if grounded:
        body.transient |= TS_CONTACT | TS_ON_WALKABLE
        body.contact_plane, body.contact_plane_cell_id = Plane((0.0, 0.0, 1.0), -at[2]), BLOCK | low
    return body


@BOTH_RULES
def test_a_player_walks_from_the_side_room_out_onto_the_street(rules: str) -> None:
    world = houses(STREET)
    body = player(world, rules, 0x172, (161.0, 8.4, 94.0))
    passed = lows(move(world, body, (155.43, 8.4, 94.0), 0.1, level=True))
    passed += lows(move(world, body, (155.43, 18.0, 94.0), 0.1, level=True))[1:]
    assert passed == [0x172, 0x173, 0x171, 0x170, 0x31]
    assert body.place.origin == pytest.approx((155.43, 18.0, 94.0), abs=1e-2)


@BOTH_RULES
def test_a_player_walks_back_to_where_he_was_still_inside(rules: str) -> None:
    world = houses(STREET)
    body = player(world, rules, 0x170, (155.43, 15.7, 94.0))
    passed = lows(move(world, body, (155.43, 8.4, 94.0), 0.1, level=True))
    passed += lows(move(world, body, (161.0, 8.4, 94.0), 0.1, level=True))[1:]
    assert passed == [0x170, 0x171, 0x173, 0x172]


@BOTH_RULES
def test_a_player_leaves_by_the_cottages_side_door_and_comes_back(rules: str) -> None:
    world = houses(STREET)
    body = player(world, rules, 0x143, (139.0, 5.15, 94.0))
    assert lows(move(world, body, (134.5, 5.15, 94.0), 0.1, level=True)) == [0x143, 0x145, 0x29]
    assert lows(move(world, body, (139.0, 5.15, 94.0), 0.1, level=True)) == [0x29, 0x145, 0x143]
    assert body.place.origin == pytest.approx((139.0, 5.15, 94.0), abs=1e-2)


@BOTH_RULES
@pytest.mark.parametrize("aside", [-0.3, 0.0, 0.3])
def test_a_player_changes_cells_anywhere_in_the_side_doors_opening(rules: str, aside: float) -> None:
    world = houses(STREET)
    y = 5.15 + aside
    body = player(world, rules, 0x143, (139.0, y, 94.0))
    assert lows(move(world, body, (134.5, y, 94.0), 0.1, level=True)) == [0x143, 0x145, 0x29]


@BOTH_RULES
@pytest.mark.parametrize(
    ("low", "above", "floor", "passed"),
    [
        (0x171, (153.93, 8.35, 94.6), 90.001, [0x171, 0x175, 0x174]),
        (0x143, (141.3, 6.3, 94.6), None, [0x143, 0x146, 0x147]),
    ],
)
def test_a_player_falls_through_a_hatch_and_is_lifted_back(
    low: int, above: Vec3, floor: float | None, passed: list[int], rules: str
) -> None:
    """0.05 m at a time, so that the centre of the foot enters the thin shaft too."""
    body = player(houses(), rules, low, above, grounded=False)
    fallen = move(houses(), body, (above[0], above[1], 89.0), 0.05)
    assert lows(fallen) == passed
    if floor is not None:
        assert body.place.origin[2] == pytest.approx(floor, abs=1e-2)
    body.transient = TS_ACTIVE
    body.velocity = (0.0, 0.0, 1.0)
    assert lows(move(houses(), body, above, 0.05)) == passed[::-1]


@BOTH_RULES
def test_a_player_who_stands_in_a_doorway_does_not_change_cells(rules: str) -> None:
    """Pushed around by less than 5 cm over the opening between the doorway and the main room."""
    world = houses(STREET)
    body = player(world, rules, 0x171, (157.7, 8.4, 94.0))
    for turn in range(60):
        move(world, body, (157.7 + 0.05 * math.sin(turn), 8.4 + 0.05 * math.cos(turn), 94.0), 0.1, level=True)
        assert body.place.cell_id == BLOCK | 0x171
