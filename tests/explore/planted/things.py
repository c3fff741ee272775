"""Defects of what stands in the world: doors, statics, entities, buildings and the ground."""

from __future__ import annotations

import copy
from random import Random

from engine.dat.records import BuildingInfo, GfxObj, Setup, Stab
from engine.dat.records.base import RecordFrame
from engine.dat.records.catalogue import read_record
from engine.dat.records.cells import HAS_STATIC_OBJECTS
from engine.geometry.frame import Frame
from engine.geometry.vec import Vec3
from engine.physics.flags import ETHEREAL
from engine.world.cells.ids import land_cell_low
from engine.world.entity_spec import HAS_PHYSICS_BSP, EntitySpec
from tests.explore.planted.draft import DUNGEON, VILLAGE, Draft, demo_folder, frame_of
from tests.explore.planted.kind import Planted, kind
from tests.explore.planted.rooms import wall
from tests.explore.planted.surfaces import around, doorways_of, main_floor, rooms_of

DOORS_IN_DOORWAYS = ("Kitchen Door", "Guest Room 1", "Guest Room 2", "Guest Room 3", "Double Door")
"""Those in cells of their own, between two rooms."""

ALL_DOORS = (*DOORS_IN_DOORWAYS, "Front Door", "Inn Door")


def planted(spec: EntitySpec, *, within: float = 4.0) -> Planted:
    return Planted(
        spec.cell_id | 0xFFFF, frozenset({spec.cell_id}), spec.frame.origin, frozenset({spec.guid}), within=within
    )


def move(spec: EntitySpec, offset: Vec3) -> None:
    """In the entity's own space."""
    spec.frame = Frame(spec.frame.local_to_global(offset), spec.frame.rotation)


# --- doors


@kind(doors=("doors.narrower-than-doorway",))
def door_3_cm_too_narrow(draft: Draft, random: Random) -> Planted:
    spec = draft.entity(random.choice(DOORS_IN_DOORWAYS))
    width = 2.39 if spec.name == "Double Door" else 1.29
    spec.scale = (width - 0.03) / width
    return planted(spec)


@kind(doors=("doors.way-beside",))
def door_moved_aside(draft: Draft, random: Random) -> Planted:
    spec = draft.entity(random.choice(DOORS_IN_DOORWAYS))
    move(spec, (random.choice((-1.0, 1.0)) * random.uniform(1.0, 1.15), 0.0, 0.0))
    return planted(spec)


@kind(doors=("doors.way-beside", "doors.narrow-gap"))
def door_before_its_doorway(draft: Draft, random: Random) -> Planted:
    """It stands 1.2 to 1.6 m before it, and one walks around it."""
    spec = draft.entity(random.choice(("Kitchen Door", "Double Door", "Guest Room 2", "Guest Room 1")))
    move(spec, (0.0, random.uniform(1.2, 1.5), 0.0))
    return planted(spec)


@kind(doors=("doors.lets-through",))
def door_that_does_not_collide(draft: Draft, random: Random) -> Planted:
    spec = draft.entity(random.choice(ALL_DOORS))
    spec.state &= ~HAS_PHYSICS_BSP
    return planted(spec)


@kind(doors=("doors.lets-through",))
def closed_door_with_the_bit_of_an_open_one(draft: Draft, random: Random) -> Planted:
    spec = draft.entity(random.choice(ALL_DOORS))
    spec.state |= ETHEREAL
    return planted(spec)


@kind(
    doors=("doors.narrow-gap", "doors.way-over", "doors.way-beside", "doors.lets-through"), check=("doors.leaves-gap",)
)
def door_of_half_the_size(draft: Draft, random: Random) -> Planted:
    spec = draft.entity(random.choice(ALL_DOORS))
    spec.scale = random.uniform(0.45, 0.6)
    return planted(spec)


@kind(check=("entities.wrong-cell", "entities.in-no-room"))
def door_in_another_cell(draft: Draft, random: Random) -> Planted:
    """Its cell is not the one that holds its place."""
    spec = draft.entity(random.choice(DOORS_IN_DOORWAYS))
    spec.cell_id = random.choice(rooms_of(draft, spec.cell_id | 0xFFFF)).id
    return planted(spec)


# --- statics


def solid_statics(draft: Draft, block: int) -> list[tuple[int, Stab]]:
    """Things of rooms that collide, with the room's id: crates, casks, trunks."""
    return [(room.id, stab) for room in rooms_of(draft, block) for stab in room.objects if _is_solid(stab.model_id)]


def _meshes(model_id: int) -> list[GfxObj]:
    read = demo_folder().portal.read
    parts = [model_id]
    if model_id >> 24 == 2:
        parts = read_record(Setup, read(model_id), file="demo", record_id=model_id).parts
    return [read_record(GfxObj, read(part), file="demo", record_id=part) for part in parts]


def _extent(mesh: GfxObj) -> Vec3:
    xs, ys, zs = ([vertex.position[axis] for vertex in mesh.vertices] for axis in range(3))
    return (max(xs) - min(xs), max(ys) - min(ys), max(zs) - min(zs))


def _is_solid(model_id: int) -> bool:
    sizes = [_extent(mesh) for mesh in _meshes(model_id) if mesh.physics_bsp is not None]
    return any(x > 0.7 and z > 0.7 for x, _, z in sizes)


@kind(explore=("reach.cell-never", "reach.one-way", "reach.by-jump-only", "reach.floor-never"))
def things_in_the_doorways(draft: Draft, random: Random) -> Planted:
    """Shelves in all doorways of a square of a passage, too high to jump."""
    model = _tallest(draft)
    for room in random.sample(rooms := rooms_of(draft, DUNGEON), len(rooms)):
        ways = doorways_of(draft, room)
        if ways and len(ways) == len(room.portals) <= 2:
            break
    record = draft.room(room.id)
    record.flags |= HAS_STATIC_OBJECTS
    for way in ways:
        x, y, z = way.inside(0.3)
        nx, ny = way.normal[0], way.normal[1]
        for aside in (-1.0, 0.0, 1.0):
            for up in (0.0, 1.7):
                at = (x - ny * aside, y + nx * aside, z + up)
                turned = Frame(at, (1.0, 0.0, 0.0, 0.0) if abs(ny) > 0.5 else (0.7071068, 0.0, 0.0, 0.7071068))
                record.objects.append(Stab(model, RecordFrame(at, turned.rotation)))
    other = record.id & 0xFFFF0000 | ways[0].other
    x, y, z = main_floor(draft, room).middle
    seeds = ((record.id, (x, y, z + 0.05)), (other, ways[0].inside(-1.0)))
    return Planted(DUNGEON, around(record, draft), (x, y, z), within=8.0, seeds=seeds)


def _tallest(draft: Draft) -> int:
    """The model of the inn's large shelf."""
    best = (0.0, 0)
    for _, stab in solid_statics(draft, VILLAGE):
        for x, y, z in map(_extent, _meshes(stab.model_id)[:1]):
            if x >= 1.3 and y < 0.6:
                best = max(best, (z, stab.model_id))
    return best[1]


@kind(check=("statics.not-in-their-room",))
def thing_outside_of_its_room(draft: Draft, random: Random) -> Planted:
    room_id, stab = random.choice(solid_statics(draft, random.choice((VILLAGE, DUNGEON))))
    room = draft.room(room_id)
    own = next(each for each in room.objects if each == stab)
    x, y, z = own.frame.origin
    own.frame = RecordFrame((x, y, z + 30.0), own.frame.rotation)
    return Planted(room_id | 0xFFFF, frozenset({room_id}), (x, y, z + 30.0))


@kind(check=("statics.twice",))
def thing_twice_in_the_same_place(draft: Draft, random: Random) -> Planted:
    room_id, stab = random.choice(solid_statics(draft, random.choice((VILLAGE, DUNGEON))))
    draft.room(room_id).objects.append(copy.deepcopy(stab))
    return Planted(room_id | 0xFFFF, frozenset({room_id}), stab.frame.origin)


@kind(check=("loaded.static-object", "loaded.model"))
def thing_whose_model_is_missing(draft: Draft, random: Random) -> Planted:
    room_id, stab = random.choice(solid_statics(draft, random.choice((VILLAGE, DUNGEON))))
    own = next(each for each in draft.room(room_id).objects if each == stab)
    own.model_id = 0x0200FF00 + random.randrange(0xFF)
    return Planted(room_id | 0xFFFF, frozenset({room_id}), stab.frame.origin)


@kind(explore=("reach.by-jump-only", "reach.cell-never", "reach.floor-never"))
def gap_under_a_stair(draft: Draft, random: Random) -> Planted:
    """The stairs to an upper storey hang a metre over the floor."""
    lower, upper, foot, head = random.choice(_STAIRS)
    room = draft.room(lower)
    stairs = max(room.objects, key=lambda stab: _steps(stab.model_id))
    x, y, z = stairs.frame.origin
    stairs.frame = RecordFrame((x, y, z + random.uniform(1.0, 1.1)), stairs.frame.rotation)
    frame = frame_of(room)
    seeds = ((lower, frame.local_to_global(foot)), (upper, frame.local_to_global(head)))
    cells = around(room, draft) | {upper}
    return Planted(VILLAGE, cells, (x, y, z), within=10.0, hops=1, seeds=seeds)


_STAIRS = (
    (0xC95B0101, 0xC95B0108, (-0.6, 2.65, 0.05), (-5.7, 2.65, 3.05)),
    (0xC95B0113, 0xC95B011B, (1.4, 4.55, 0.05), (-5.4, 4.4, 3.45)),
)
"""The rooms below and above, and places at the foot and the head, in the space of the houses."""


def _steps(model_id: int) -> int:
    """Corners above the head: of all furniture only stairs have many."""
    return sum(vertex.position[2] > 2.5 for mesh in _meshes(model_id) for vertex in mesh.vertices)


# --- entities


@kind(check=("entities.in-wall",))
def chest_in_a_wall(draft: Draft, random: Random) -> Planted:
    room, at = wall(draft, random, DUNGEON)
    spec = draft.entity("Dungeon Chest")
    x, y, _ = at.middle
    spec.cell_id = room.id
    spec.scale = 2.5
    spec.frame = Frame((x + at.normal[0] * 0.1, y + at.normal[1] * 0.1, at.low), spec.frame.rotation)
    return planted(spec)


@kind(check=("entities.wrong-cell", "entities.in-no-room"))
def chest_in_the_wrong_cell(draft: Draft, random: Random) -> Planted:
    spec = draft.entity("Dungeon Chest")
    rooms = [room for room in rooms_of(draft, DUNGEON) if room.id != spec.cell_id]
    spec.cell_id = random.choice(rooms).id
    return planted(spec)


@kind(check=("entities.in-no-room", "entities.wrong-cell"))
def chest_in_no_room(draft: Draft, random: Random) -> Planted:
    spec = draft.entity("Dungeon Chest")
    x, y, z = spec.frame.origin
    spec.frame = Frame((x, y, z + random.uniform(20.0, 40.0)), spec.frame.rotation)
    return planted(spec)


@kind(check=("entities.cell-missing",))
def chest_in_a_cell_that_is_not_there(draft: Draft, random: Random) -> Planted:
    spec = draft.entity("Dungeon Chest")
    spec.cell_id = 0x00073000 + random.randrange(0x1000)
    return planted(spec)


@kind(check=("links.activates-nothing",))
def switch_that_opens_nothing(draft: Draft, random: Random) -> Planted:
    spec = draft.entity("Dungeon Chest")
    spec.kind = "switch"
    spec.extra["activates"] = [0x70007000 + random.randrange(0x100, 0x900)]
    return planted(spec)


# --- buildings and the ground


def building(draft: Draft, random: Random) -> BuildingInfo:
    return random.choice(draft.info(VILLAGE).buildings)


@kind(check=("buildings.opening-parts",))
def shell_of_a_building_moved(draft: Draft, random: Random) -> Planted:
    house = building(draft, random)
    x, y, z = house.frame.origin
    house.frame = RecordFrame((x + random.choice((-0.5, 0.5)), y, z), house.frame.rotation)
    return _of_building(house)


def _of_building(house: BuildingInfo) -> Planted:
    cells = frozenset({VILLAGE, *(VILLAGE & 0xFFFF0000 | low for portal in house.portals for low in portal.stab_list)})
    x, y, _ = house.frame.origin
    land = VILLAGE & 0xFFFF0000 | land_cell_low(int(x // 24.0), int(y // 24.0))
    return Planted(VILLAGE, cells | {land}, house.frame.origin, within=14.0)


@kind(check=("buildings.exit-without-entry",))
def exit_without_an_entry(draft: Draft, random: Random) -> Planted:
    house = building(draft, random)
    del house.portals[random.randrange(len(house.portals))]
    return _of_building(house)


@kind(check=("loaded.building-link",))
def entry_into_a_portal_that_is_none(draft: Draft, random: Random) -> Planted:
    house = building(draft, random)
    random.choice(house.portals).other_portal_id = 90
    return _of_building(house)


@kind(check=("buildings.over-its-land-cell",))
def building_over_its_land_cell(draft: Draft, random: Random) -> Planted:
    """Shell and rooms, moved by 9 m: bodies meet only the part of the shell that is in the land cell of its origin."""
    house = draft.info(VILLAGE).buildings[1]
    by = random.choice((-9.0, 9.0))
    x, y, z = house.frame.origin
    house.frame = RecordFrame((x + by, y, z), house.frame.rotation)
    for low in {low for portal in house.portals for low in portal.stab_list}:
        room = draft.room(VILLAGE & 0xFFFF0000 | low)
        x, y, z = room.frame.origin
        room.frame = RecordFrame((x + by, y, z), room.frame.rotation)
    return _of_building(house)


@kind(check=("borders.ground-parts", "loaded.terrain-edge"))
def ground_of_two_landblocks_apart(draft: Draft, random: Random) -> Planted:
    """One vertex of the northern border is higher than its neighbour has it."""
    land = draft.land(VILLAGE)
    column = random.randrange(1, 8)
    land.heights[9 * column + 8] = min(land.heights[9 * column + 8] + 12, 255)
    return Planted(VILLAGE, frozenset({VILLAGE}), (24.0 * column, 192.0, 20.0), within=30.0)


@kind(check=("borders.terrain-parts",))
def terrain_of_two_landblocks_apart(draft: Draft, random: Random) -> Planted:
    """The kind of ground at a vertex of the eastern border is not that of the neighbour."""
    land = draft.land(VILLAGE)
    row = random.randrange(1, 8)
    land.terrain[9 * 8 + row] ^= 0x1C
    return Planted(VILLAGE, frozenset({VILLAGE}), (192.0, 24.0 * row, 20.0), within=30.0)


@kind(check=("borders.thing-outside", "loaded.static-object"))
def thing_beyond_the_border(draft: Draft, random: Random) -> Planted:
    stab = random.choice(draft.info(VILLAGE).objects)
    _, y, z = stab.frame.origin
    stab.frame = RecordFrame((random.uniform(200.0, 230.0), y, z), stab.frame.rotation)
    return Planted(VILLAGE, frozenset({VILLAGE}), stab.frame.origin)


@kind(check=("borders.room-outside",))
def room_over_the_border(draft: Draft, random: Random) -> Planted:
    """The market cross with all its cells, moved over the eastern border."""
    house = draft.info(VILLAGE).buildings[2]
    by = random.uniform(83.0, 86.0)
    x, y, z = house.frame.origin
    house.frame = RecordFrame((x + by, y, z), house.frame.rotation)
    for room in draft.rooms(VILLAGE):
        if abs(room.frame.origin[0] - x) < 0.1:
            record = draft.room(room.id)
            rx, ry, rz = record.frame.origin
            record.frame = RecordFrame((rx + by, ry, rz), record.frame.rotation)
    return _of_building(house)
