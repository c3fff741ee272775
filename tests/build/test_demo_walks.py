"""A body walks through the demo world by the engine's sweeps: every route built for walking is passable."""

from __future__ import annotations

import math

import pytest

from engine.build.demo import SPOTS, ensure_demo
from engine.build.demo.dungeon import PLAN_FILE, SHAFT, SQUARE, middle
from engine.build.demo.floor_plan import read_plan
from engine.build.demo.spiral import SECTORS, START
from engine.geometry.frame import Frame
from engine.geometry.plane import Plane
from engine.geometry.vec import ZERO
from engine.physics.flags import HAS_PHYSICS_BSP, REPORT_COLLISIONS, TS_ACTIVE, TS_CONTACT, TS_ON_WALKABLE
from engine.physics.objects.physics_object import BSP
from engine.physics.objects.shapes import shapes_from_setup
from engine.physics.place import Place
from engine.world.cells.ids import land_cell_low
from engine.world.cells.objects import StaticObject
from engine.world.entity_spec import ETHEREAL
from engine.world.loader import open_world
from tests.build.demo_folder import VILLAGE, block, built
from tests.build.walker import Walker

Point = tuple[float, float]
COTTAGE, INN, CROSSING = range(3)


@pytest.fixture(scope="module")
def walker() -> Walker:
    """In its own world, with every door open."""
    spot = SPOTS["street"]
    made = Walker(open_world(str(ensure_demo())), spot.cell_id, spot.origin)
    _set_doors(made, ETHEREAL)
    for block_id in made.world.landblock_ids():
        landblock = made.world.landblock(block_id)
        assert landblock is not None
        for thing in landblock.statics:
            _register(made, block_id, thing)
    return made


def _register(walker: Walker, block_id: int, thing: StaticObject) -> None:
    setup = walker.world.setup(thing.model_id)
    assert setup is not None
    shapes = shapes_from_setup(setup, 1.0)
    x, y, _ = thing.frame.origin
    low = land_cell_low(int(x // 24.0), int(y // 24.0))
    state = REPORT_COLLISIONS | (HAS_PHYSICS_BSP if any(shape.collision_type == BSP for shape in shapes) else 0)
    cell_id = block_id & 0xFFFF0000 | low
    walker.registry.register_multi_part(
        thing.id, cell_id, thing.frame, shapes, state, 0, setup.sorting_sphere, is_static=True
    )


def _set_doors(walker: Walker, state: int) -> None:
    for entity in walker.world.entities:
        if entity.kind == "door":
            walker.registry.update_physics_state(entity.guid, entity.state & ~ETHEREAL | state)


def _stand(walker: Walker, name: str) -> None:
    spot, body = SPOTS[name], walker.body
    cell = walker.world.graph.get_visible(spot.cell_id)
    assert cell is not None
    body.change_cell(cell)
    body.place = Place(spot.cell_id, spot.origin, Frame())
    body.transient = TS_ACTIVE | TS_CONTACT | TS_ON_WALKABLE
    body.contact_plane, body.contact_plane_cell_id = Plane((0.0, 0.0, 1.0), -spot.origin[2]), spot.cell_id
    body.sliding_normal = ZERO


def _name_of(walker: Walker) -> str:
    names = [name.split("/")[1] for name, found in built().cells.items() if found == walker.cell_id and "/" in name]
    return names[0] if names else "outdoors"


def _walk(walker: Walker, building: int, start: str, *points: Point) -> str:
    """Walks from a spot through points of a building's plan and returns the name of the final cell."""
    _stand(walker, start)
    frame = block(VILLAGE).buildings[building].frame
    for x, y in points:
        px, py, _ = frame.local_to_global((x, y, 0.0))
        walker.go(px, py)
        assert math.dist(walker.at[:2], (px, py)) < 0.02, (start, (x, y), _name_of(walker), walker.at)
    return _name_of(walker)


def _walk_squares(walker: Walker, start: str, *squares: tuple[int, int]) -> str:
    _stand(walker, start)
    for square in squares:
        px, py = middle(square)
        walker.go(px, py)
        assert math.dist(walker.at[:2], (px, py)) < 0.02, (start, square, _name_of(walker), walker.at)
    return _name_of(walker)


def test_a_body_walks_through_the_cottage_from_front_to_back_door(walker: Walker) -> None:
    way = ((-1.6, -4.0), (-1.6, -2.0), (-0.7, 0.6), (1.0, 0.6), (2.2, 2.0), (2.2, 5.2))
    assert _walk(walker, COTTAGE, "cottage_outside_front_door", *way) == "outdoors"
    assert _walk(walker, COTTAGE, "cottage_outside_back_door", *way[-2::-1]) == "cottage vestibule"


def test_a_body_walks_down_the_ramp_into_the_cellar_and_back(walker: Walker) -> None:
    assert _walk(walker, COTTAGE, "ramp_top", (5.2, -2.7), (2.6, 1.2)) == "cellar"
    assert walker.at[2] == pytest.approx(SPOTS["cellar"].origin[2], abs=0.01)
    assert _walk(walker, COTTAGE, "ramp_foot", (5.2, 2.7), (2.2, 2.4)) == "kitchen"
    assert walker.at[2] == pytest.approx(SPOTS["ramp_top"].origin[2], abs=0.01)


@pytest.mark.parametrize("x", [-0.16, 0.16])
def test_a_body_may_walk_the_ramp_off_centre(walker: Walker, x: float) -> None:
    assert _walk(walker, COTTAGE, "ramp_foot", (5.2 + x, -2.7), (5.2 + x, 2.6)) == "kitchen"


def test_the_cottages_stairs_lead_up_and_down(walker: Walker) -> None:
    way = ((-5.7, 2.65), (-5.6, 1.3), (-1.6, 0.4), (-0.8, -1.2), (1.4, -1.2), (2.2, 0.9))
    assert _walk(walker, COTTAGE, "stairs_foot", *way) == "bedroom"
    assert _walk(walker, COTTAGE, "upstairs", (-0.7, 2.65), (-0.7, 0.6)) == "parlour"


@pytest.mark.parametrize("step_up", [0.4, 0.6])
def test_short_legs_climb_steps_of_20_cm(walker: Walker, step_up: float) -> None:
    usual, walker.body.step_up_height = walker.body.step_up_height, step_up
    try:
        assert _walk(walker, INN, "inn_stairs_foot", (-4.7, 4.55)) == "passage"
        assert _walk(walker, INN, "inn_cellar_stairs_foot", (3.9, 1.4)) == "inn kitchen"
    finally:
        walker.body.step_up_height = usual


def test_a_body_walks_through_the_inn_to_its_cellar_and_yard(walker: Walker) -> None:
    way = ((-4.1, -5.9), (-4.1, -4.0), (-3.6, -1.2), (1.0, 2.9), (3.2, 2.9), (3.9, 1.4), (3.9, -4.4), (5.6, -2.0))
    assert _walk(walker, INN, "inn_outside_front_door", *way) == "inn cellar"
    back = ((3.9, 1.4), (5.2, 3.4), (7.2, 4.2), (7.2, 7.6))
    assert _walk(walker, INN, "inn_cellar_stairs_foot", *back) == "outdoors"


def test_a_body_reaches_all_guest_rooms_from_the_common_room(walker: Walker) -> None:
    up = ((-4.7, 4.55), (-4.7, 3.1))
    for name, x in (("guest room one", -5.3), ("guest room two", 0.9), ("guest room three", 7.1)):
        assert _walk(walker, INN, "inn_stairs_foot", *up, (x, 3.1), (x, 1.0)) == name


def test_the_screen_by_the_inns_entrance_blocks_a_body_in_the_porch(walker: Walker) -> None:
    _stand(walker, "inn_beside_the_screen")
    x, y, _ = walker.at
    walker.go(x, y + 3.0)
    assert _name_of(walker) == "inn vestibule"
    assert 0.4 < walker.at[1] - y < 1.2


@pytest.mark.parametrize("off", [-0.45, 0.0, 0.45])
def test_the_closed_front_door_blocks_from_both_sides(walker: Walker, off: float) -> None:
    frame = block(VILLAGE).buildings[COTTAGE].frame
    _set_doors(walker, 0)
    try:
        for start, to in (("cottage_outside_front_door", -3.0), ("cottage_inside_front_door", -7.0)):
            _stand(walker, start)
            here = frame.global_to_local(walker.at)
            for y in (here[1], to):
                px, py, _ = frame.local_to_global((-1.6 + off, y, 0.0))
                walker.go(px, py)
            reached = frame.global_to_local(walker.at)[1]
            assert (reached < -5.3) if to > -5.0 else (reached > -4.9)
    finally:
        _set_doors(walker, ETHEREAL)
    assert (
        _walk(walker, COTTAGE, "cottage_outside_front_door", (-1.6 + off, -6.3), (-1.6 + off, -3.9))
        == "cottage vestibule"
    )


def test_a_body_crosses_the_crossing(walker: Walker) -> None:
    way = ((0.0, -4.0), (0.0, 0.0), (2.0, 1.4), (0.0, 4.6), (0.0, 8.0))
    assert _walk(walker, CROSSING, "crossing_outside", *way) == "outdoors"


def test_the_steep_slope_blocks_and_gentle_ground_does_not(walker: Walker) -> None:
    _stand(walker, "steep_slope")
    walker.go(135.0, 156.0)
    assert walker.at[0] < 121.0
    _stand(walker, "gentle_slope")
    walker.go(118.0, 40.0)
    assert walker.at[:2] == pytest.approx((118.0, 40.0), abs=0.02)


def test_a_body_climbs_the_lookout_and_wades_and_bridges_the_stream(walker: Walker) -> None:
    _stand(walker, "lookout_foot")
    walker.go(159.5, 62.0)
    assert walker.at == pytest.approx((159.5, 62.0, 22.4), abs=0.02)
    _stand(walker, "stream")
    walker.go(24.0, 88.0)
    assert walker.at[:2] == pytest.approx((24.0, 88.0), abs=0.02)
    _stand(walker, "street")
    for x, y in ((42.0, 97.0), (38.0, 106.0), (24.0, 106.0)):
        walker.go(x, y)
    assert walker.at == pytest.approx((24.0, 106.0, 19.7), abs=0.02)
    walker.go(4.0, 106.0)
    assert walker.at[:2] == pytest.approx((4.0, 106.0), abs=0.02)


def test_a_body_walks_from_every_dungeon_passage_to_its_neighbours(walker: Walker) -> None:
    steps = {"N": (0, -1), "E": (1, 0), "S": (0, 1), "W": (-1, 0)}
    walked = 0
    for level in read_plan(PLAN_FILE.read_text(encoding="utf-8")):
        for (column, row), sides in level.passages.items():
            beside = [(column + steps[s][0], row + steps[s][1]) for s in sides if s in "ES"]
            here = f"dungeon/passage {abs(level.height):g} {column}.{row}"
            for square in beside:
                if square in level.passages:
                    _stand_in(walker, here, (column, row), level.height)
                    walker.go(*middle(square))
                    assert _name_of(walker) == f"passage {abs(level.height):g} {square[0]}.{square[1]}"
                    walked += 1
    assert walked > 90


def _stand_in(walker: Walker, name: str, square: tuple[int, int], z: float) -> None:
    cell = walker.world.graph.get_visible(built().cell_id(name))
    assert cell is not None
    walker.body.change_cell(cell)
    walker.body.place = Place(cell.id, (*middle(square), z), Frame())
    walker.body.contact_plane, walker.body.contact_plane_cell_id = Plane((0.0, 0.0, 1.0), -z), cell.id
    walker.body.sliding_normal = ZERO


def test_ramps_and_steps_join_the_dungeons_levels(walker: Walker) -> None:
    down = ((7, 13), (7, 15), (7, 16), (12, 16), (18, 16), (18, 18), (18, 20), (16, 20), (16, 13))
    assert _walk_squares(walker, "dungeon_ramp_top", *down) == "passage 6 16.13"
    assert _walk_squares(walker, "dungeon_steps_top", (19, 13), (23, 13)) == "passage 3 23.13"
    walker.go(*middle((16, 13)))
    assert walker.at[2] == pytest.approx(0.0, abs=0.01)


def test_a_body_climbs_and_descends_the_spiral_stair(walker: Walker) -> None:
    _stand(walker, "spiral_foot")
    x, y = middle((7, 9))
    for k in (*range(33), *range(32, -1, -1)):
        angle = math.radians(START + 360.0 / SECTORS * k)
        walker.go(x - SQUARE / 2.0 + SHAFT + 2.3 * math.cos(angle), y + 2.3 * math.sin(angle))
        if k == 32:
            assert walker.at[2] == pytest.approx(0.0, abs=0.01)
    walker.go(*middle((6, 9)))
    assert _name_of(walker) == "passage 6 6.9"


def test_the_pit_has_a_way_out_and_the_double_door_opens_on_the_hall(walker: Walker) -> None:
    assert _walk_squares(walker, "pit", (10, 4), (10, 6)) == "passage 6 10.6"
    assert _walk_squares(walker, "double_door", (19, 3), (19, 6), (19, 9)) == "passage 0 19.9"
