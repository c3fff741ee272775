"""Defects of the shapes of rooms: walls, floors, their trees, and where rooms are."""

from __future__ import annotations

from random import Random

from engine.dat.records import EnvCell
from engine.dat.records.base import RecordFrame
from engine.geometry.vec import Vec3, cross, sub
from tests.explore.planted.draft import (
    DUNGEON,
    Draft,
    add_solid,
    compile_again,
    frame_of,
    nodes_of,
    openings_of,
    own_corners,
    take_away,
    take_from_tree,
)
from tests.explore.planted.kind import Planted, kind
from tests.explore.planted.surfaces import (
    Surface,
    around,
    doorways_of,
    in_order,
    main_floor,
    rooms_of,
    walls_to_reach,
)

BREACH = (
    "escape.out-of-cells",
    "escape.under-terrain",
    "escape.into-solid",
    "escape.without-portal",
    "membership.lost",
    "membership.outside-its-cell",
)
"""What a body does that gets where no room is."""


def wall(draft: Draft, random: Random, block: int = 0) -> tuple[EnvCell, Surface]:
    """A random wall that a body can walk up to."""
    for room in in_order(random, rooms_of(draft, block)):
        walls = walls_to_reach(draft, room)
        if walls:
            return draft.room(room.id), random.choice(walls)
    raise AssertionError("no wall")


def floor(draft: Draft, random: Random, block: int = 0) -> tuple[EnvCell, Surface]:
    room = random.choice(rooms_of(draft, block))
    return draft.room(room.id), main_floor(draft, room)


def planted(draft: Draft, room: EnvCell, at: Surface, *, before: float = 1.0) -> Planted:
    """A defect of a surface, to be come to from `before` metres in front of it."""
    x, y, z = at.middle
    nx, ny, nz = at.normal
    start = (x, y, z + 0.05) if nz > 0.7 else (x + nx * before, y + ny * before, at.low + 0.05)
    return Planted(room.id | 0xFFFF, around(room, draft), at.middle, within=6.0, seeds=((room.id, start),))


@kind(check=("physics-trees.polygon-missing",), explore=BREACH)
def wall_missing_from_the_physics_tree(draft: Draft, random: Random) -> Planted:
    room, at = wall(draft, random)
    take_from_tree(draft.structure(room.id).physics_bsp, at.key)
    return planted(draft, room, at)


@kind(explore=BREACH)
def wall_missing(draft: Draft, random: Random) -> Planted:
    room, at = wall(draft, random)
    take_away(draft.structure(room.id), at.key)
    return planted(draft, room, at)


@kind(check=("physics-trees.polygon-missing", "floors.drawn-not-carrying"), explore=BREACH)
def floor_missing_from_the_physics_tree(draft: Draft, random: Random) -> Planted:
    room, at = floor(draft, random)
    take_from_tree(draft.structure(room.id).physics_bsp, at.key)
    return planted(draft, room, at)


@kind(check=("floors.drawn-not-carrying",), explore=BREACH)
def floor_missing(draft: Draft, random: Random) -> Planted:
    room, at = floor(draft, random, DUNGEON)
    take_away(draft.structure(room.id), at.key)
    return planted(draft, room, at)


@kind(check=("floors.drawn-not-carrying",), explore=(*BREACH, "stuck.jump-only"))
def floor_turned_upside_down(draft: Draft, random: Random) -> Planted:
    room, at = floor(draft, random, DUNGEON)
    shape = draft.structure(room.id)
    polygon = next(each for each in shape.physics_polygons if each.key == at.key)
    polygon.vertex_ids.reverse()
    return planted(draft, room, at)


@kind(check=("floors.carrying-not-drawn",))
def floor_not_drawn(draft: Draft, random: Random) -> Planted:
    room, at = floor(draft, random)
    shape = draft.structure(room.id)
    frame = frame_of(room)
    level = frame.global_to_local(at.middle)[2]
    places = {vertex.key: vertex.position for vertex in shape.vertices}
    under = {
        polygon.key
        for polygon in shape.polygons
        if polygon.key not in shape.portal_polygons
        and all(abs(places[key][2] - level) < 0.02 for key in polygon.vertex_ids)
    }
    shape.polygons = [polygon for polygon in shape.polygons if polygon.key not in under]
    for node in nodes_of(shape.drawing_bsp):
        node.polygon_ids = [key for key in node.polygon_ids if key not in under]
    return planted(draft, room, at)


@kind(check=("physics-trees.polygon-unreachable", "physics-trees.polygon-missing"))
def wrong_plane_in_the_physics_tree(draft: Draft, random: Random) -> Planted:
    """A plane that parts the tree of a room, moved by a metre: what lies between is looked for on the wrong side."""
    room, at = floor(draft, random)
    tree = draft.structure(room.id).physics_bsp
    node = random.choice([each for each in nodes_of(tree) if each.plane is not None][:3])
    assert node.plane is not None
    normal, d = node.plane
    node.plane = (normal, d + random.choice((-1.0, 1.0)))
    return planted(draft, room, at)


@kind(check=("physics-trees.polygon-unreachable", "physics-trees.polygon-missing"), explore=BREACH)
def bounds_in_the_physics_tree_too_small(draft: Draft, random: Random) -> Planted:
    """The spheres of all nodes of a wall: the tree is not asked below them."""
    room, at = wall(draft, random)
    for node in nodes_of(draft.structure(room.id).physics_bsp):
        if at.key in node.polygon_ids and node.sphere is not None:
            node.sphere = (node.sphere[0], 0.01)
    return planted(draft, room, at)


@kind(check=("loaded.physics-tree",))
def physics_tree_lists_a_polygon_that_is_not_there(draft: Draft, random: Random) -> Planted:
    room, at = wall(draft, random)
    leaf = next(each for each in nodes_of(draft.structure(room.id).physics_bsp) if at.key in each.polygon_ids)
    leaf.polygon_ids.append(900 + random.randrange(100))
    return planted(draft, room, at)


@kind(check=("cell-trees.gap", "cell-trees.floor-outside"))
def plane_of_a_cell_tree_moved_inwards(draft: Draft, random: Random) -> Planted:
    """The room ends 0.4 m before a doorway."""
    for room in in_order(random, rooms_of(draft)):
        doorways = doorways_of(draft, room)
        if doorways:
            break
    at = random.choice(doorways)
    _move_cell_plane(draft, room, at.normal, -0.4)
    return Planted(room.id | 0xFFFF, around(room, draft), at.threshold, seeds=((room.id, at.inside(1.0)),))


@kind(check=("cell-trees.overlap", "rooms.overlap"))
def plane_of_a_cell_tree_moved_outwards(draft: Draft, random: Random) -> Planted:
    """The room reaches 0.4 m into the one beyond a doorway."""
    for room in in_order(random, rooms_of(draft, DUNGEON)):
        doorways = [each for each in doorways_of(draft, room) if each.other != 0xFFFF]
        if doorways:
            break
    at = random.choice(doorways)
    _move_cell_plane(draft, room, at.normal, 0.4)
    return Planted(room.id | 0xFFFF, around(room, draft), at.threshold)


def _move_cell_plane(draft: Draft, room: EnvCell, normal: Vec3, by: float) -> None:
    """Move the plane of a room's tree that looks along `normal`."""
    frame = frame_of(room)
    x, y, z = frame.global_to_local_vec(normal)
    nodes = [node for node in nodes_of(draft.structure(room.id).cell_bsp) if node.plane is not None]
    best = max(nodes, key=lambda node: sum(a * b for a, b in zip(node.plane[0], (x, y, z), strict=True)))  # type: ignore[index]
    assert best.plane is not None
    best.plane = (best.plane[0], best.plane[1] + by)


@kind(check=("portals.sides-do-not-meet",))
def room_moved_by_20_cm(draft: Draft, random: Random) -> Planted:
    for room in in_order(random, rooms_of(draft, DUNGEON)):
        doorways = doorways_of(draft, room)
        if doorways:
            break
    at = random.choice(doorways)
    record = draft.room(room.id)
    x, y, z = record.frame.origin
    record.frame = RecordFrame((x + at.normal[0] * 0.2, y + at.normal[1] * 0.2, z), record.frame.rotation)
    return Planted(room.id | 0xFFFF, around(room, draft), at.threshold)


@kind(check=("rooms.overlap", "cell-trees.overlap"))
def room_upon_another(draft: Draft, random: Random) -> Planted:
    """A square of a passage put half into another one of its kind, elsewhere in the dungeon."""
    rooms = [room for room in rooms_of(draft, DUNGEON) if len(room.portals) == 2]
    one, other = random.sample(rooms, 2)
    record, (x, y, z) = draft.room(one.id), other.frame.origin
    record.frame = RecordFrame((x + 1.0, y, z), record.frame.rotation)
    return Planted(one.id | 0xFFFF, frozenset({one.id, other.id}), other.frame.origin)


@kind(explore=("stuck.jump-only", "reach.by-jump-only", "reach.one-way"))
def step_too_high_to_climb(draft: Draft, random: Random) -> Planted:
    """The floor of a square of a passage, raised by more than a metre."""
    room, at = raised(draft, random, random.uniform(1.0, 1.15))
    return planted(draft, room, at)


def raised(draft: Draft, random: Random, by: float) -> tuple[EnvCell, Surface]:
    """A slab over the floor of a square of a passage, with its faces towards the doorways."""
    rooms = [room for room in rooms_of(draft, DUNGEON) if len(doorways_of(draft, room)) == 2 == len(room.portals)]
    rooms = [room for room in rooms if main_floor(draft, room).normal[2] > 0.999 and not room.objects]
    room = draft.room(random.choice(rooms).id)
    shape, frame, at = draft.structure(room.id), frame_of(room), main_floor(draft, room)
    add_solid(shape, [frame.global_to_local((x, y, z + by)) for x, y, z in at.points])
    for doorway in doorways_of(draft, room):
        low = sorted(doorway.points, key=lambda p: p[2])[:2]
        a, b = low
        corners = [a, b, (b[0], b[1], b[2] + by), (a[0], a[1], a[2] + by)]
        facing = _normal(corners)
        if facing[0] * doorway.normal[0] + facing[1] * doorway.normal[1] > 0.0:
            corners.reverse()
        inset = [(x + doorway.normal[0] * 0.02, y + doorway.normal[1] * 0.02, z) for x, y, z in corners]
        add_solid(shape, [frame.global_to_local(p) for p in inset])
    compile_again(shape, openings_of(room, shape))
    return room, at


def _normal(points: list[Vec3]) -> Vec3:
    return cross(sub(points[1], points[0]), sub(points[2], points[0]))


@kind(explore=("stuck.pit", "stuck.no-way", "reach.one-way"))
def pit_without_a_way_out(draft: Draft, random: Random) -> Planted:
    """The floor of a square of a passage sunk by 3 m, its walls down to it."""
    lowest = min(room.frame.origin[2] for room in rooms_of(draft, DUNGEON))
    rooms = [
        room
        for room in rooms_of(draft, DUNGEON)
        if abs(room.frame.origin[2] - lowest) < 0.1
        and len(doorways_of(draft, room)) == 2 == len(room.portals)
        and not room.objects
        and len(main_floor(draft, room).points) == 4
    ]
    room = draft.room(random.choice(rooms).id)
    shape, frame, at = draft.structure(room.id), frame_of(room), main_floor(draft, room)
    polygon = next(each for each in shape.physics_polygons if each.key == at.key)
    depth = 3.0
    points = [frame.global_to_local(p) for p in at.points]
    for vertex in own_corners(shape, polygon):
        x, y, z = vertex.position
        vertex.position = (x, y, z - depth)
    for a, b in zip(points, points[1:] + points[:1], strict=True):
        add_solid(shape, [b, a, (a[0], a[1], a[2] - depth), (b[0], b[1], b[2] - depth)])
    for node in nodes_of(shape.cell_bsp):
        if node.plane is not None and node.plane[0][2] > 0.9:
            node.plane = (node.plane[0], node.plane[1] + depth)
    compile_again(shape, openings_of(room, shape))
    x, y, z = at.middle
    return Planted(DUNGEON, around(room, draft), (x, y, z - depth), seeds=((room.id, (x, y, z - depth + 0.05)),))


@kind(explore=("stuck.slides", "reach.one-way", "stuck.pit", "stuck.no-way", "reach.cell-never"))
def ramp_too_steep_to_climb(draft: Draft, random: Random) -> Planted:
    """A slope of 55 degrees across a square of a passage, up to the ceiling of where it was level."""
    rooms = [room for room in rooms_of(draft, DUNGEON) if len(room.portals) == 2 and not room.objects]
    rooms = [room for room in rooms if _opposite(draft, room)]
    room = draft.room(random.choice(rooms).id)
    shape, frame = draft.structure(room.id), frame_of(room)
    one, other = doorways_of(draft, room)
    low = sorted(one.points, key=lambda p: p[2])[:2]
    run, rise = 1.5, 2.2
    a, b = low
    top = [(x + one.normal[0] * run, y + one.normal[1] * run, z + rise) for x, y, z in (a, b)]
    corners = [a, b, top[1], top[0]]
    if _normal(corners)[2] < 0.0:
        corners.reverse()
    add_solid(shape, [frame.global_to_local(p) for p in corners])
    back = [top[0], top[1], (top[1][0], top[1][1], b[2]), (top[0][0], top[0][1], a[2])]
    facing = _normal(back)
    if facing[0] * one.normal[0] + facing[1] * one.normal[1] < 0.0:
        back.reverse()
    add_solid(shape, [frame.global_to_local(p) for p in back])
    compile_again(shape, openings_of(room, shape))
    return Planted(
        room.id | 0xFFFF, around(room, draft), one.inside(1.0), within=6.0, seeds=((room.id, other.inside(0.6)),)
    )


def _opposite(draft: Draft, room: EnvCell) -> bool:
    ways = doorways_of(draft, room)
    return len(ways) == 2 and sum(a * b for a, b in zip(ways[0].normal, ways[1].normal, strict=True)) < -0.99


@kind(check=("loaded.environment",))
def room_without_a_shape(draft: Draft, random: Random) -> Planted:
    room, at = floor(draft, random)
    room.structure = 999
    return planted(draft, room, at)
