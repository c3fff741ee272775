"""Doorways, windows, hatches and open walls: the cells that they make, and descriptions that are refused."""

from __future__ import annotations

import re
from collections.abc import Callable

import pytest

from engine.build import OUTDOORS, BuildError, WorldBuilder, gable_roof, rect, walls
from engine.build.shapes.faces import area_of
from engine.build.shapes.furniture import table
from engine.build.shapes.solids import box
from engine.geometry.polygon import Polygon
from engine.geometry.vec import distance
from tests.build.worlds import built, cell_of, placed_points, rooms_of


def _area(polygons: list[Polygon]) -> float:
    return sum(area_of(polygon.vertices) for polygon in polygons)


def test_a_thick_wall_gets_a_doorway_cell_of_four_faces_and_two_portals() -> None:
    doorway = cell_of("two_rooms", "hall-study")
    assert len(doorway.structure.physics_polygons) == 4
    assert len(doorway.structure.polygons) == 6
    assert [hex(portal.other_cell_id & 0xFFFF) for portal in doorway.portals] == ["0x100", "0x101"]


def test_touching_rooms_join_directly_with_identical_corners() -> None:
    a, b = cell_of("touching_rooms", "a"), cell_of("touching_rooms", "b")
    mine, theirs = a.portals[0].polygon, b.portals[0].polygon
    assert mine is not None
    assert theirs is not None
    assert list(reversed(theirs.vertices)) == mine.vertices
    assert len(mine.vertices) == 9  # an arch: two corners of the sill and seven of the round top


def test_floor_faces_fill_the_plan() -> None:
    for cell in rooms_of("concave_rooms"):
        floors = [p for p in cell.structure.physics_polygons.values() if p.normal[2] > 0.9]
        ceilings = [p for p in cell.structure.physics_polygons.values() if p.normal[2] < -0.9]
        assert _area(floors) == pytest.approx(_area(ceilings), abs=1e-5)
    areas = {"L": 27.0, "U": 8.7 * 9.0 - 3.0 * 6.0, "cross": 45.0}
    for name, area in areas.items():
        parts = [cell_of("concave_rooms", key) for key in built("concave_rooms").cells if _is_part(key, name)]
        floors = [p for cell in parts for p in cell.structure.physics_polygons.values() if p.normal[2] > 0.9]
        assert _area(floors) == pytest.approx(area, abs=1e-4)


def _is_part(key: str, room: str) -> bool:
    return re.fullmatch(rf"{room}(\.\d+)?", key) is not None


def test_a_concave_room_becomes_cells_with_open_seams() -> None:
    parts = [cell_of("concave_rooms", name) for name in ("cross", "cross.2", "cross.3")]
    assert sorted(len(part.portals) for part in parts) == [1, 1, 2]


def test_hatches_have_a_shaft_without_floor_between_floors() -> None:
    shaft = cell_of("tower", "loft-ground")
    assert len(shaft.structure.physics_polygons) == 5
    assert all(abs(p.normal[2]) < 0.01 for p in shaft.structure.physics_polygons.values())


def test_a_hatch_leaves_a_hole_in_floor_and_ceiling() -> None:
    loft, ground = cell_of("tower", "loft"), cell_of("tower", "ground")
    floor = [p for p in loft.structure.physics_polygons.values() if p.normal[2] > 0.9]
    ceiling = [p for p in ground.structure.physics_polygons.values() if p.normal[2] < -0.9]
    plan = 2.0 * 2.0**0.5 * 16.0
    hatch = 0.5 * (1.2 + 1.4) * 1.6 + 0.5 * (1.2 + 1.4) * 2.5
    assert _area(floor) == pytest.approx(plan - hatch, abs=1e-4)
    assert _area(ceiling) == pytest.approx(plan - hatch, abs=1e-4)


def test_turned_pieces_share_their_structures() -> None:
    rooms = rooms_of("ring")
    assert len(rooms) == 8
    assert len({cell.structure.index for cell in rooms}) == 2
    assert len({id(cell.structure) for cell in rooms}) == 2


def test_a_window_is_transparent_but_closed_by_a_pane() -> None:
    window = cell_of("cottage", "room window")
    portals = [portal.polygon for portal in window.portals]
    solid = [sorted(p.vertices) for p in window.structure.physics_polygons.values()]
    assert all(portal is not None and sorted(portal.vertices) in solid for portal in portals)
    pane = [p for p in window.structure.polygons.values() if p.sides_type == 1]
    assert len(pane) == 1
    assert abs(
        pane[0].plane.dist(window.structure.polygons[window.portals[0].polygon_id].vertices[0])
    ) == pytest.approx(0.2, abs=1e-5)


def test_a_sloping_passage_meets_the_rooms_at_both_ends() -> None:
    down = cell_of("slanting_corridor", "down")
    assert len(down.portals) == 2
    ends = [placed_points(down, portal.polygon) for portal in down.portals if portal.polygon is not None]
    assert sorted(min(p[2] for p in end) for end in ends) == pytest.approx([-4.0, 0.0], abs=1e-6)


def test_a_doors_frame_is_midway_in_the_wall_and_faces_onwards() -> None:
    door = built("two_rooms").entity("hall-study door")
    assert distance(door.frame.origin, (6.1, 2.0, 0.0)) < 1e-6
    assert distance(door.frame.local_to_global_vec((0.0, 1.0, 0.0)), (1.0, 0.0, 0.0)) < 1e-6
    assert door.cell_id == built("two_rooms").cell_id("hall-study")


def _beyond_the_wall(world: WorldBuilder) -> None:
    world.doorway(world.room("a", rect(0, 0, 4, 4)), world.room("b", rect(4.2, 0, 4, 4)), (4, 3.8))


def _too_high(world: WorldBuilder) -> None:
    world.doorway(world.room("a", rect(0, 0, 4, 4)), world.room("b", rect(4.2, 0, 4, 4), height=2), height=2.5)


def _apart(world: WorldBuilder) -> None:
    world.doorway(world.room("a", rect(0, 0, 4, 4)), world.room("b", rect(9, 0, 4, 4)))


def _hardly_apart(world: WorldBuilder) -> None:
    world.doorway(world.room("a", rect(0, 0, 4, 4)), world.room("b", rect(4.005, 0, 4, 4)))


def _twice(world: WorldBuilder) -> None:
    a, b = world.room("a", rect(0, 0, 4, 4)), world.room("b", rect(4.2, 0, 4, 4))
    world.doorway(a, b, (4, 1.5))
    world.doorway(a, b, (4, 2.0))


def _unsaid_where(world: WorldBuilder) -> None:
    world.doorway(
        world.room("a", rect(0, 0, 4, 4)), world.room("b", [(4.2, -1), (8, -1), (8, 8), (0, 8), (0, 4.2), (4.2, 4.2)])
    )


def _no_floor_there(world: WorldBuilder) -> None:
    world.hatch(
        world.room("a", rect(0, 0, 4, 4), floor=3), world.room("b", rect(0, 0, 4, 4), height=2.8), rect(3, 3, 2, 2)
    )


def _out_of_nowhere(world: WorldBuilder) -> None:
    world.doorway(world.room("a", rect(0, 0, 4, 4)), OUTDOORS)


def _overlapping_rooms(world: WorldBuilder) -> None:
    world.room("a", rect(0, 0, 4, 4))
    world.room("b", rect(3.9, 0, 4, 4))


def _same_name(world: WorldBuilder) -> None:
    world.room("a", rect(0, 0, 4, 4))
    world.room("a", rect(5, 0, 4, 4))


def _no_height(world: WorldBuilder) -> None:
    world.room("a", rect(0, 0, 4, 4), height=0)


def _unknown_material(world: WorldBuilder) -> None:
    world.room("a", rect(0, 0, 4, 4)).build_in(box(1, 1, 0, 1, 1, 1, "marzipan"))
    world.build()


def _built_in_outside(world: WorldBuilder) -> None:
    world.room("a", rect(0, 0, 4, 4)).build_in(box(3.5, 1, 0, 1, 1, 1, "wood"))


def _put_outside(world: WorldBuilder) -> None:
    world.room("a", rect(0, 0, 4, 4)).put(table(), (7, 7))


def _loose_joint(world: WorldBuilder) -> None:
    world.place(world.piece("p", rect(0, 0, 4, 4)).joint((2, 0)), "a", (0, 0))
    world.build()


def _half_a_joint(world: WorldBuilder) -> None:
    world.piece("p", rect(0, 0, 4, 4)).joint((2, 0), width=1.0)


def _late_shell(world: WorldBuilder) -> None:
    house = world.landblock(0xC95B).interior("house", (100, 100))
    house.doorway(house.room("a", rect(0, 0, 4, 4)), OUTDOORS, (2, 0))
    house.shell(walls(rect(-0.4, -0.4, 4.8, 4.8), 0, 3.5, "brick"))


def _no_shell_there(world: WorldBuilder) -> None:
    house = world.landblock(0xC95B).building("house", (100, 100), shell=walls(rect(-5, -5, 14, 14), 0, 3.5, "brick"))
    house.doorway(house.room("a", rect(0, 0, 4, 4)), OUTDOORS, (2, 0))


def _shell_beyond_its_land_cell(world: WorldBuilder) -> None:
    world.landblock(0xC95B).building("house", (97, 100), shell=walls(rect(-5, -5, 10, 10), 0, 3.5, "brick"))
    world.build()


def _two_in_a_land_cell(world: WorldBuilder) -> None:
    land = world.landblock(0xC95B)
    land.building("a", (100, 100), shell=walls(rect(-2, -2, 4, 4), 0, 3.5, "brick"))
    land.building("b", (110, 110), shell=walls(rect(-2, -2, 4, 4), 0, 3.5, "brick"))
    world.build()


def _ridge_below_eaves(world: WorldBuilder) -> None:
    gable_roof(0, 0, 4, 4, eaves=3, ridge=2)


def _no_such_landblock(world: WorldBuilder) -> None:
    world.landblock(0xC9FF)


def _outdoors_in_a_dungeon(world: WorldBuilder) -> None:
    world.dungeon(0x0102).put(table(), (1, 1))


@pytest.mark.parametrize(
    ("describe", "message"),
    [
        (_beyond_the_wall, r"opening 'a-b': an opening 1 m wide and 2.1 m high at \(4, 3.8\) is not within the wall"),
        (_too_high, r"opening 'a-b': an opening 1 m wide and 2.5 m high .* is not within the wall"),
        (_apart, r"opening 'a-b': no wall of 'a' stands back to back with one of 'b' within 2 m"),
        (_hardly_apart, r"opening 'a-b': the walls are 5.0 mm apart"),
        (_twice, r"opening 'a-b': the opening overlaps another one in the same wall of 'a'"),
        (_unsaid_where, r"opening 'a-b': 'a' and 'b' share 2 walls: say where"),
        (_no_floor_there, r"hatch 'a-b': the hatch is not within a floor of 'a' that lies over a ceiling of 'b'"),
        (_out_of_nowhere, r"opening 'a-outdoors': an opening outdoors needs at=\(x, y\)"),
        (_overlapping_rooms, r"room 'b': it overlaps 'a'"),
        (_same_name, r"room 'a': 'rooms' already has a room of that name"),
        (_no_height, r"room 'a': a height of 0 m leaves no room"),
        (_unknown_material, r"material 'marzipan': is not defined; there are bark, beam"),
        (_built_in_outside, r"room 'a': a built-in face at .* is not inside one cell of it"),
        (_put_outside, r"room 'a': \(7, 7, 0\) is not inside it"),
        (_loose_joint, r"room 'a': its joint at \(2, 0, 1.5\) meets no joint of another piece"),
        (_half_a_joint, r"piece 'p': a joint needs both width and height"),
        (_late_shell, r"building 'house': describe the shell before the openings outdoors"),
        (_no_shell_there, r"opening 'a-outdoors': the shell of 'house' has no wall behind that place within 2 m"),
        (_shell_beyond_its_land_cell, r"building 'house': its shell reaches 4.00 m beyond the land cell of its origin"),
        (_two_in_a_land_cell, r"building 'b': its land cell already has 'a'"),
        (_ridge_below_eaves, r"roof: the ridge \(2 m\) must be higher than the eaves"),
        (_no_such_landblock, r"landblock: 0xC9FF is not one"),
        (_outdoors_in_a_dungeon, r"landblock 0x0102: a dungeon has no outdoors"),
    ],
)
def test_a_bad_description_is_refused_with_location_and_reason(
    describe: Callable[[WorldBuilder], None], message: str
) -> None:
    with pytest.raises(BuildError, match=message):
        describe(WorldBuilder())
