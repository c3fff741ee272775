"""Defects of portals, stab lists and flags."""

from __future__ import annotations

from random import Random

from engine.dat.records import CellStruct, DatPolygon, EnvCell, EnvCellPortal
from engine.dat.records.cells import SEEN_OUTSIDE
from engine.geometry.vec import Vec3, cross, distance, sub
from tests.explore.planted.draft import (
    DUNGEON,
    VILLAGE,
    Draft,
    add_solid,
    compile_again,
    frame_of,
    openings_of,
    own_corners,
    points_of,
)
from tests.explore.planted.kind import Planted, kind
from tests.explore.planted.surfaces import Doorway, around, doorways_of, in_order, rooms_of

INSIDE_IN_FRONT = 0x2
NO_CELL = 0xFFFF


def doorway(draft: Draft, random: Random, block: int = 0, *, inside: bool = True) -> tuple[EnvCell, Doorway]:
    """A random doorway from one room to another."""
    for room in in_order(random, rooms_of(draft, block)):
        ways = [each for each in doorways_of(draft, room) if (each.other != NO_CELL) is inside]
        if ways:
            return draft.room(room.id), random.choice(ways)
    raise AssertionError("no doorway")


def planted(draft: Draft, room: EnvCell, at: Doorway) -> Planted:
    start = at.inside(1.0)
    return Planted(room.id | 0xFFFF, around(room, draft), at.threshold, seeds=((room.id, start),))


def portal_polygon(room: EnvCell, shape: CellStruct, index: int) -> DatPolygon:
    wanted = room.portals[index].polygon_id
    return next(polygon for polygon in shape.polygons if polygon.key == wanted)


def polygon_to_move(draft: Draft, room: EnvCell, at: Doorway) -> tuple[CellStruct, DatPolygon]:
    """A portal's polygon, with corners of its own."""
    shape = draft.structure(room.id)
    return shape, portal_polygon(room, shape, at.index)


@kind(
    check=("loaded.portal-link", "portals.sides-do-not-meet"),
    explore=("escape.without-portal", "membership.lost", "escape.out-of-cells"),
)
def portal_without_its_partner(draft: Draft, random: Random) -> Planted:
    """The other side leads back to nothing: the last portal of the room beyond is gone."""
    while True:
        room, at = doorway(draft, random, DUNGEON)
        other = draft.room(room.id & 0xFFFF0000 | at.other)
        if room.portals[at.index].other_portal_id == len(other.portals) - 1:
            del other.portals[-1]
            return planted(draft, room, at)


@kind(check=("loaded.portal-link",))
def portal_back_to_another_one(draft: Draft, random: Random) -> Planted:
    while True:
        room, at = doorway(draft, random, DUNGEON)
        other = draft.seen_room(room.id & 0xFFFF0000 | at.other)
        if len(other.portals) > 1:
            portal = room.portals[at.index]
            portal.other_portal_id = (portal.other_portal_id + 1) % len(other.portals)
            return planted(draft, room, at)


@kind(check=("loaded.portal-link", "loaded.portal"))
def portal_into_a_room_that_is_not_there(draft: Draft, random: Random) -> Planted:
    room, at = doorway(draft, random)
    room.portals[at.index].other_cell_id = 0x3000 + random.randrange(0x1000)
    return planted(draft, room, at)


@kind(check=("portals.sides-do-not-meet",))
def portal_of_one_side_moved(draft: Draft, random: Random) -> Planted:
    """By 20 cm along its wall."""
    room, at = doorway(draft, random)
    shape, polygon = polygon_to_move(draft, room, at)
    across = frame_of(room).global_to_local_vec((-at.normal[1], at.normal[0], 0.0))
    for vertex in own_corners(shape, polygon):
        x, y, z = vertex.position
        vertex.position = (x + across[0] * 0.2, y + across[1] * 0.2, z)
    return planted(draft, room, at)


@kind(check=("portals.sides-do-not-meet",))
def portal_of_one_side_smaller(draft: Draft, random: Random) -> Planted:
    """Its upper edge is 30 cm lower."""
    room, at = doorway(draft, random)
    shape, polygon = polygon_to_move(draft, room, at)
    top = max(p[2] for p in points_of(shape, polygon))
    for vertex in own_corners(shape, polygon):
        x, y, z = vertex.position
        if top - z < 0.01:
            vertex.position = (x, y, z - 0.3)
    return planted(draft, room, at)


@kind(check=("portals.polygon-off-its-plane",))
def corner_of_a_portal_off_its_plane(draft: Draft, random: Random) -> Planted:
    room, at = doorway(draft, random)
    shape, polygon = polygon_to_move(draft, room, at)
    into = frame_of(room).global_to_local_vec(at.normal)
    corner = random.choice(own_corners(shape, polygon))
    x, y, z = corner.position
    corner.position = (x + into[0] * 0.15, y + into[1] * 0.15, z)
    return planted(draft, room, at)


@kind(check=("portals.off-the-wall",))
def portal_inside_its_room(draft: Draft, random: Random) -> Planted:
    """The polygon is half a metre before the wall that it should be in."""
    room, at = doorway(draft, random)
    shape, polygon = polygon_to_move(draft, room, at)
    into = frame_of(room).global_to_local_vec(at.normal)
    for vertex in own_corners(shape, polygon):
        x, y, z = vertex.position
        vertex.position = (x + into[0] * 0.5, y + into[1] * 0.5, z)
    return planted(draft, room, at)


@kind(check=("loaded.portal-side",))
def wrong_side_of_a_portal(draft: Draft, random: Random) -> Planted:
    room, at = doorway(draft, random)
    room.portals[at.index].flags ^= INSIDE_IN_FRONT
    return planted(draft, room, at)


@kind(explore=("reach.cell-never", "reach.one-way", "reach.floor-never"))
def doorway_walled_up(draft: Draft, random: Random) -> Planted:
    """Something solid fills all doorways of a room on its inside; nothing of it is drawn."""
    ways = []
    for room in in_order(random, rooms_of(draft, DUNGEON)):
        ways = doorways_of(draft, room)
        if ways and len(ways) == len(room.portals):
            break
    record, shape = draft.room(room.id), draft.structure(room.id)
    for at in ways:
        _wall_up(record, shape, at, 0.0)
    compile_again(shape, openings_of(record, shape))
    return Planted(
        DUNGEON,
        around(record, draft),
        ways[0].threshold,
        within=8.0,
        seeds=tuple((record.id, at.inside(0.9)) for at in ways[:1]) + _beyond(record, ways[0]),
    )


def _beyond(room: EnvCell, at: Doorway) -> tuple[tuple[int, Vec3], ...]:
    return ((room.id & 0xFFFF0000 | at.other, at.inside(-1.0)),)


def _wall_up(room: EnvCell, shape: CellStruct, at: Doorway, free: float) -> None:
    """Both faces of a slab across a doorway, but for `free` metres at one side."""
    frame = frame_of(room)
    low = sorted(at.points, key=lambda p: p[2])[:2]
    top = max(p[2] for p in at.points)
    a, b = low
    share = 1.0 - free / at.width
    b = (a[0] + (b[0] - a[0]) * share, a[1] + (b[1] - a[1]) * share, b[2])
    nx, ny, _ = at.normal
    for depth, flip in ((0.1, False), (0.02, True)):
        corners = [(x + nx * depth, y + ny * depth, z) for x, y, z in (a, b, (b[0], b[1], top), (a[0], a[1], top))]
        ux, uy = corners[1][0] - corners[0][0], corners[1][1] - corners[0][1]
        is_inwards = uy * nx - ux * ny > 0.0
        if is_inwards is flip:
            corners.reverse()
        add_solid(shape, [frame.global_to_local(p) for p in corners])
    if free > 0.0:
        edge = [(b[0] + nx * d, b[1] + ny * d, z) for d, z in ((0.02, b[2]), (0.1, b[2]), (0.1, top), (0.02, top))]
        ux, uy = b[0] - a[0], b[1] - a[1]
        facing = cross(sub(edge[1], edge[0]), sub(edge[2], edge[1]))
        if facing[0] * ux + facing[1] * uy < 0.0:
            edge.reverse()
        add_solid(shape, [frame.global_to_local(p) for p in edge])


@kind(explore=("reach.cell-never", "reach.one-way", "reach.floor-never"))
def doorways_3_cm_too_narrow(draft: Draft, random: Random) -> Planted:
    """All doorways of a room leave 0.93 m, and the body is 0.96 m wide."""
    for room in in_order(random, rooms_of(draft, DUNGEON)):
        ways = doorways_of(draft, room)
        if ways and len(ways) == len(room.portals):
            break
    record, shape = draft.room(room.id), draft.structure(room.id)
    for at in ways:
        _wall_up(record, shape, at, 0.93)
    compile_again(shape, openings_of(record, shape))
    seeds = ((record.id, ways[0].inside(0.9)), *_beyond(record, ways[0]))
    return Planted(DUNGEON, around(record, draft), ways[0].threshold, within=8.0, seeds=seeds)


@kind(check=("rooms.no-way-in",))
def room_without_portals(draft: Draft, random: Random) -> Planted:
    """Those that led into it are gone as well."""
    room, at = doorway(draft, random, DUNGEON)
    for other_id in sorted(around(room, draft) - {room.id}):
        other = draft.room(other_id)
        keep = [portal for portal in other.portals if portal.other_cell_id != room.id & 0xFFFF]
        _renumber(draft, other, keep)
        other.portals = keep
    cells = around(room, draft)
    room.portals = []
    return Planted(DUNGEON, cells, at.threshold)


def _renumber(draft: Draft, room: EnvCell, keep: list[EnvCellPortal]) -> None:
    """Let the portals that lead to a room follow its shorter list."""
    for old, portal in enumerate(room.portals):
        if portal in keep and portal.other_cell_id != NO_CELL:
            back = draft.room(room.id & 0xFFFF0000 | portal.other_cell_id)
            for each in back.portals:
                if each.other_cell_id == room.id & 0xFFFF and each.other_portal_id == old:
                    each.other_portal_id = keep.index(portal)


# --- what is seen


@kind(stabs=("stabs.lacks-a-cell-in-sight",))
def cell_in_sight_not_in_the_stab_list(draft: Draft, random: Random) -> Planted:
    room, at = doorway(draft, random, VILLAGE)
    room.visible_cells = [low for low in room.visible_cells if low != at.other]
    return planted(draft, room, at)


@kind(stabs=("stabs.holds-a-cell-out-of-sight",))
def cell_out_of_sight_in_the_stab_list(draft: Draft, random: Random) -> Planted:
    """A cell of the other end of the dungeon."""
    room, at = doorway(draft, random, DUNGEON)
    here = room.frame.origin
    lows = [other.id & 0xFFFF for other in rooms_of(draft, DUNGEON) if distance(other.frame.origin, here) > 40.0]
    room.visible_cells.append(random.choice([low for low in lows if low not in room.visible_cells]))
    return planted(draft, room, at)


@kind(stabs=("stabs.outdoors-in-sight-unmarked",), check=("loaded.seen-outside",))
def outdoors_in_sight_and_not_marked(draft: Draft, random: Random) -> Planted:
    room, at = doorway(draft, random, VILLAGE, inside=False)
    room.flags &= ~SEEN_OUTSIDE
    return planted(draft, room, at)


@kind(stabs=("stabs.outdoors-out-of-sight-marked",))
def outdoors_marked_and_not_in_sight(draft: Draft, random: Random) -> Planted:
    room, at = doorway(draft, random, DUNGEON)
    room.flags |= SEEN_OUTSIDE
    return planted(draft, room, at)
