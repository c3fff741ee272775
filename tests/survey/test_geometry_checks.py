"""Each geometric and physical check finds its planted fault, and nothing in the sound world that it was planted in."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from engine.build import WorldBuilder, rect
from engine.build.built import BuiltWorld
from engine.build.shapes.furniture import crate
from engine.dat.records import CellStruct, EnvCell, LandBlock, LandBlockInfo, Stab
from engine.dat.records.base import RecordFrame
from engine.dat.records.cells import HAS_STATIC_OBJECTS
from engine.findings.finding import Check
from engine.findings.registry import CHECKS
from engine.geometry.vec import Vec3
from engine.sim.tick.simulation import Simulation
from engine.survey.checks.buildings import HEIGHTS, NO_ENTRY, OUTSIDE, OVER_CELL, PARTS, ROOM_OVER, WORDS
from engine.survey.checks.floors import BARE, DRAWN
from engine.survey.checks.loaded import UNREACHED
from engine.survey.checks.portals import BENT, INSIDE, SIDES
from engine.survey.checks.rooms import GAP, NEIGHBOURS, OVERLAP, UNHELD
from engine.survey.checks.statics import ELSEWHERE, TWICE
from engine.survey.checks.trees import MISPLACED, MISSING
from engine.survey.run import check_landblock
from engine.world.cells.objects import StaticObject
from tests.sim.helpers.small_worlds import big_hall, built, furnished, house, open_rooms
from tests.survey.planting import in_room, in_shape, kinds, move_corner, nodes, planted, record, survey

HALL, STUDY, BETWEEN = 0x00070100, 0x00070101, 0x00070102
HOUSE, ENTRANCE = 0xC95B0100, 0xC95B0101
LAND, LAND_INFO = 0xC95BFFFF, 0xC95BFFFE

Plant = Callable[[], BuiltWorld]


def moved(by: Vec3) -> Callable[[EnvCell], None]:
    def change(room: EnvCell) -> None:
        x, y, z = room.frame.origin
        room.frame = RecordFrame((x + by[0], y + by[1], z + by[2]), room.frame.rotation)

    return change


def portal_polygon(world: BuiltWorld, cell_id: int, index: int = 0) -> int:
    return record(world, EnvCell, cell_id).portals[index].polygon_id


def bent_portal(by: Vec3) -> BuiltWorld:
    polygon = portal_polygon(built(open_rooms), HALL)
    return in_shape(built(open_rooms), HALL, lambda structure: move_corner(structure, polygon, 0, by))


def cut(structure: CellStruct, outer: Vec3, by: float) -> None:
    """Move the cell tree's plane that looks against a direction inwards."""
    for node in nodes(structure.cell_bsp):
        if node.plane is not None and sum(a * b for a, b in zip(node.plane[0], outer, strict=True)) < -0.99:
            node.plane = (node.plane[0], node.plane[1] - by)


def portal_in_room() -> BuiltWorld:
    """The study's opening, in both records, a metre inside of the study: then only its place in the room is wrong."""
    world = built(open_rooms)
    for cell_id, index, by in ((STUDY, 0, (1.0, 0.0, 0.0)),):
        polygon = portal_polygon(world, cell_id, index)

        def change(structure: CellStruct, polygon: int = polygon, by: Vec3 = by) -> None:
            for corner in range(4):
                move_corner(structure, polygon, corner, by)

        world = in_shape(world, cell_id, change)
    return world


def without_leaf_polygon() -> BuiltWorld:
    def change(structure: CellStruct) -> None:
        for node in nodes(structure.physics_bsp):
            if node.polygon_ids:
                del node.polygon_ids[0]
                return

    return in_shape(built(big_hall), HALL, change)


def small_sphere() -> BuiltWorld:
    def change(structure: CellStruct) -> None:
        for node in nodes(structure.physics_bsp):
            if node.sphere is not None:
                node.sphere = (node.sphere[0], node.sphere[1] / 4.0)

    return in_shape(built(big_hall), HALL, change)


def twisted_plane() -> BuiltWorld:
    def change(structure: CellStruct) -> None:
        node = next(
            each for each in nodes(structure.physics_bsp) if each.plane is not None and each.pos is not each.neg
        )
        assert node.plane is not None
        node.plane = (node.plane[0], node.plane[1] - 30.0)

    return in_shape(built(furnished), HALL, change)


def floor_of(structure: CellStruct) -> int:
    level = {vertex.key for vertex in structure.vertices if abs(vertex.position[2]) < 1e-4}
    return next(p.key for p in structure.physics_polygons if set(p.vertex_ids) <= level)


def take_from_list(structure: CellStruct, key: int) -> None:
    structure.physics_polygons = [each for each in structure.physics_polygons if each.key != key]
    for number, each in enumerate(structure.physics_polygons):
        for node in nodes(structure.physics_bsp):
            node.polygon_ids = [-1 - number if old == each.key else old for old in node.polygon_ids]
        each.key = number
    for node in nodes(structure.physics_bsp):
        node.polygon_ids = [-1 - old for old in node.polygon_ids if old < 0]


def floorless() -> BuiltWorld:
    """The floor is in neither the physics list nor the tree, but drawn."""

    def change(structure: CellStruct) -> None:
        take_from_list(structure, floor_of(structure))

    return in_shape(built(big_hall), HALL, change)


def test_a_floor_that_does_not_carry_is_found_between_things() -> None:
    """A crate at the middle and in each corner, in whose spheres all points of the floor are that are tried first."""
    world = WorldBuilder()
    room = world.room("room", rect(0, 0, 6, 6))
    world.doorway(room, world.room("next", rect(6.2, 0, 4, 6)), width=1.3)
    for at in ((3.0, 3.0), (1.0, 1.0), (5.0, 1.0), (5.0, 5.0), (1.0, 5.0)):
        room.put(crate(1.5), at)
    found = survey(in_shape(world.build(), HALL, lambda structure: take_from_list(structure, floor_of(structure))))
    assert [each.cell for each in found if each.check == DRAWN.id] == [HALL]


def unseen_floor() -> BuiltWorld:
    """The floor carries, but its drawn polygon is a metre lower."""

    def change(structure: CellStruct) -> None:
        level = {vertex.key for vertex in structure.vertices if abs(vertex.position[2]) < 1e-4}
        floor = next(p for p in structure.polygons if set(p.vertex_ids) <= level)
        for corner in range(len(floor.vertex_ids)):
            move_corner(structure, floor.key, corner, (0.0, 0.0, -1.0))

    return in_shape(built(big_hall), HALL, change)


def outside_floor() -> BuiltWorld:
    return in_shape(built(big_hall), HALL, lambda structure: cut(structure, (1.0, 0.0, 0.0), 10.0))


def moved_house(by: Vec3) -> BuiltWorld:
    world = in_room(built(house), HOUSE, moved(by))
    return in_room(world, ENTRANCE, moved(by))


def without_entry() -> BuiltWorld:
    def change(info: LandBlockInfo) -> None:
        info.buildings[0].portals.clear()

    return planted(built(house), LandBlockInfo, LAND_INFO, change)


def two_blocks() -> BuiltWorld:
    world = WorldBuilder()
    world.landblock(0xC95B)
    world.landblock(0xCA5B)
    world.landblock(0xC95C)
    return world.build()


def torn_ground() -> BuiltWorld:
    def change(block: LandBlock) -> None:
        block.heights[8 * 9 + 4] += 3

    return planted(two_blocks(), LandBlock, LAND, change)


def test_torn_ground_is_told_at_its_height_and_by_one_key_from_both_sides() -> None:
    one, other = survey(torn_ground(), [HEIGHTS.id])
    assert one.block != other.block
    assert one.key == other.key
    assert one.place == other.place == (LAND, (192.0, 96.0, 26.0))


def other_terrain() -> BuiltWorld:
    def change(block: LandBlock) -> None:
        block.terrain[9 * 4 + 8] ^= 0x4

    return planted(two_blocks(), LandBlock, LAND, change)


def moved_shell(by: Vec3) -> BuiltWorld:
    def change(info: LandBlockInfo) -> None:
        building = info.buildings[0]
        x, y, z = building.frame.origin
        building.frame = RecordFrame((x + by[0], y + by[1], z + by[2]), building.frame.rotation)

    return planted(built(house), LandBlockInfo, LAND_INFO, change)


def thing_outside() -> BuiltWorld:
    def change(info: LandBlockInfo) -> None:
        info.objects[0].frame = RecordFrame((200.0, 90.0, 20.0))

    return planted(built(house), LandBlockInfo, LAND_INFO, change)


def lost_thing() -> BuiltWorld:
    def change(room: EnvCell) -> None:
        room.objects[0].frame = RecordFrame((60.0, 5.0, 0.0))

    return in_room(built(furnished), HALL, change)


def twice() -> BuiltWorld:
    def change(room: EnvCell) -> None:
        first = room.objects[0]
        room.objects.append(Stab(first.model_id, first.frame))

    return in_room(built(furnished), HALL, change)


def three_rooms() -> WorldBuilder:
    """Three rooms in a row; the first and the last have no opening in common."""
    world = WorldBuilder()
    west = world.room("west", rect(0, 0, 6, 4))
    middle = world.room("middle", rect(6.2, 0, 4, 4))
    east = world.room("east", rect(10.4, 0, 6, 4))
    world.doorway(west, middle, width=1.3)
    world.doorway(middle, east, width=1.3)
    return world


def cut_off() -> BuiltWorld:
    """A fourth and fifth room that only lead to each other."""
    world = three_rooms()
    far, farther = world.room("far", rect(40, 0, 6, 4)), world.room("farther", rect(46.2, 0, 6, 4))
    world.doorway(far, farther, width=1.3)
    return world.build()


PLANTED: dict[str, tuple[Plant, Plant]] = {
    f"{SIDES.id}: the room is moved": (
        lambda: in_room(built(open_rooms), STUDY, moved((0.0, 0.05, 0.0))),
        lambda: built(open_rooms),
    ),
    f"{SIDES.id}: a corner is moved": (lambda: bent_portal((0.0, 0.1, 0.0)), lambda: built(open_rooms)),
    BENT.id: (lambda: bent_portal((0.02, 0.0, 0.0)), lambda: built(open_rooms)),
    INSIDE.id: (portal_in_room, lambda: built(open_rooms)),
    OVERLAP.id: (
        lambda: in_room(built(three_rooms), 0x00070102, moved((-9.0, 0.0, 0.0))),
        lambda: built(three_rooms),
    ),
    NEIGHBOURS.id: (
        lambda: in_room(built(open_rooms), BETWEEN, moved((-0.15, 0.0, 0.0))),
        lambda: built(open_rooms),
    ),
    GAP.id: (
        lambda: in_shape(built(open_rooms), HALL, lambda structure: cut(structure, (1.0, 0.0, 0.0), 0.03)),
        lambda: built(open_rooms),
    ),
    UNHELD.id: (outside_floor, lambda: built(big_hall)),
    MISSING.id: (without_leaf_polygon, lambda: built(big_hall)),
    f"{MISPLACED.id}: a sphere is too small": (small_sphere, lambda: built(big_hall)),
    f"{MISPLACED.id}: a plane is elsewhere": (twisted_plane, lambda: built(furnished)),
    DRAWN.id: (floorless, lambda: built(big_hall)),
    BARE.id: (unseen_floor, lambda: built(big_hall)),
    PARTS.id: (lambda: moved_house((0.05, 0.0, 0.0)), lambda: built(house)),
    NO_ENTRY.id: (without_entry, lambda: built(house)),
    OVER_CELL.id: (lambda: moved_shell((9.0, 0.0, 0.0)), lambda: built(house)),
    HEIGHTS.id: (torn_ground, two_blocks),
    WORDS.id: (other_terrain, two_blocks),
    OUTSIDE.id: (thing_outside, lambda: built(house)),
    ROOM_OVER.id: (lambda: moved_house((81.0, 0.0, 0.0)), lambda: moved_house((79.0, 0.0, 0.0))),
    ELSEWHERE.id: (lost_thing, lambda: built(furnished)),
    TWICE.id: (twice, lambda: built(furnished)),
    UNREACHED.id: (cut_off, lambda: built(three_rooms)),
}


@pytest.mark.parametrize("case", PLANTED)
def test_a_planted_fault_is_found(case: str) -> None:
    check = case.partition(":")[0]
    found = [each for each in survey(PLANTED[case][0]()) if each.check == check]
    assert found
    for each in found:
        assert each.place is not None
        assert each.sentence
        assert len({(each.block, each.key) for each in found}) == len(found)


@pytest.mark.parametrize("case", PLANTED)
def test_the_sound_twin_has_none(case: str) -> None:
    assert case.partition(":")[0] not in kinds(survey(PLANTED[case][1]()))


def listed_elsewhere() -> BuiltWorld:
    """A crate of the study that the hall's record lists."""
    world = WorldBuilder()
    hall, study = world.room("hall", rect(0, 0, 6, 4)), world.room("study", rect(6.2, 0, 4, 4))
    world.doorway(hall, study, width=1.3)
    study.put(crate(), (8.5, 2))
    made = world.build()
    taken = record(made, EnvCell, STUDY).objects

    def give(room: EnvCell) -> None:
        room.flags |= HAS_STATIC_OBJECTS
        room.objects += taken

    def take(room: EnvCell) -> None:
        room.flags &= ~HAS_STATIC_OBJECTS
        room.objects.clear()

    return in_room(in_room(made, HALL, give), STUDY, take)


@pytest.mark.parametrize(("plant", "check"), [(twice, TWICE), (listed_elsewhere, ELSEWHERE)])
def test_the_fix_of_a_thing_removes_its_finding_and_makes_no_other(plant: Plant, check: Check) -> None:
    sim = Simulation(plant().load())
    (found,) = check_landblock(sim, 0x0007FFFF, CHECKS)
    assert found.check == check.id
    assert found.fix is not None
    things = len([static for cell in (HALL, STUDY) for static in statics_of(sim, cell)])
    for edit in found.fix.edits():
        sim.apply_edit(edit)
    assert list(check_landblock(sim, 0x0007FFFF, CHECKS)) == []
    assert len([static for cell in (HALL, STUDY) for static in statics_of(sim, cell)]) == things - (check is TWICE)


def statics_of(sim: Simulation, cell_id: int) -> list[StaticObject]:
    cell = sim.graph.get_visible(cell_id)
    return [] if cell is None else cell.static_objects
