"""Rooms that overlap, and cell trees that leave gaps between neighbours."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from engine.findings.finding import Check, Family, Found
from engine.findings.registry import register
from engine.geometry.constants import FLOOR_Z
from engine.geometry.elementary import plain_sum
from engine.geometry.vec import Vec3
from engine.survey.finds import in_cell, metres, outline, shared_by
from engine.survey.shapes.convex import Convex, common_point, overlap
from engine.survey.shapes.lookup import near_pairs
from engine.survey.shapes.outline import inner_points, placed
from engine.survey.view import View
from engine.world.cells.cell import EnvCell
from engine.world.cells.ids import cell_text
from engine.world.faults import Severity

OVERLAP: Final = register(
    Check(
        "rooms.overlap",
        "Two rooms take the same space",
        Family.GEOMETRY,
        Severity.INFO,
        "The spaces of two rooms that no portal joins overlap. A body stays in the room that it came into, so both "
        "can be walked; but whoever is put there, by a spawn, a teleport or the free camera, gets the first of the "
        "two, and things of one are hit in the other only if both are in reach. Dungeons do it on purpose where "
        "corridors cross without meeting. Told from 10 cm of depth.",
    )
)
NEIGHBOURS: Final = register(
    Check(
        "cell-trees.overlap",
        "The cell trees of two neighbours overlap",
        Family.GEOMETRY,
        Severity.WARNING,
        "The cell trees of two rooms with an opening between them claim the same space beside it. A body in it belongs "
        "to the room that is asked first, so it may change rooms before or after it passes the opening, and sees the "
        "wrong one. Usually a concave room was not cut into convex ones: a cell tree can only say where a convex space "
        "ends. Told from 10 cm of depth.",
    )
)
GAP: Final = register(
    Check(
        "cell-trees.gap",
        "The cell trees of two neighbours leave a gap",
        Family.GEOMETRY,
        Severity.ERROR,
        "On a line straight through the opening between two rooms there is a stretch that neither cell tree holds. "
        "Somebody whose centre is there is in no room: who walks through keeps the old room until the next one takes "
        "him, who is put there falls out of the world. Told from 1 cm, by which bodies are grown where cells are "
        "looked for.",
    )
)
UNHELD: Final = register(
    Check(
        "cell-trees.floor-outside",
        "A floor lies outside of every room",
        Family.PHYSICS,
        Severity.WARNING,
        "Somebody who stands on this floor of a room is outside of the room's cell tree, and no other room holds him "
        "either: he still belongs to the room that he was in, does not meet what is listed elsewhere, and sees "
        "the wrong cells. Told where a floor is more than 5 cm outside of its room's space, and in no "
        "other room's.",
    )
)

DEEP: Final = 0.1
"""Metres of overlap that are not told: walls of rooms that touch are thinner, and nobody fits in."""
GAP_FROM: Final = 0.01
"""Metres: cells are looked for with spheres that are grown by this (physics.md 3.8)."""
PULL: Final = 0.1
"""Corners of openings are tested this part of the way towards the middle."""
STEP: Final = 0.05
FARTHEST: Final = 2.0
"""Metres behind an opening at which both trees are asked, and at which that ends."""
ABOVE: Final = 0.01
"""Metres above a floor at which it is looked for in rooms."""
FAR_OUTSIDE: Final = 0.05


def check_rooms(view: View) -> Iterator[Found]:
    yield from _check_overlaps(view)
    yield from _check_gaps(view)
    yield from _check_floors(view)


# --- overlaps


def _check_overlaps(view: View) -> Iterator[Found]:
    spaces = [(space, cell) for cell in view.rooms.values() if (space := view.space(cell)) is not None]
    for first, second in near_pairs([(space.low, space.high) for space, _ in spaces]):
        (one_space, one), (other_space, other) = spaces[first], spaces[second]
        if one_space.meets_box(other_space, DEEP):
            depth = overlap(one_space, other_space, DEEP)
            if depth > DEEP:
                yield _overlap(view, one_space, one, other_space, other, depth)


def _overlap(view: View, first: Convex, one: EnvCell, second: Convex, other: EnvCell, depth: float) -> Found:
    joined = any(portal.other_cell_id == other.id for portal in one.portals)
    joined = joined or any(portal.other_cell_id == one.id for portal in other.portals)
    check = NEIGHBOURS if joined else OVERLAP
    sentence = f"overlaps {cell_text(other.id)} by {metres(depth)}"
    point = common_point(first, second)
    return in_cell(check, view.id, one, point, sentence, [("depth, m", depth)], path=[point, _centre(second)])


def _centre(space: Convex) -> Vec3:
    return (
        (space.low[0] + space.high[0]) / 2.0,
        (space.low[1] + space.high[1]) / 2.0,
        (space.low[2] + space.high[2]) / 2.0,
    )


# --- gaps


def _check_gaps(view: View) -> Iterator[Found]:
    for cell in view.rooms.values():
        space = view.space(cell)
        for index, portal in enumerate(cell.portals):
            other = view.rooms.get(portal.other_cell_id)
            beyond = None if other is None else view.space(other)
            polygon = portal.polygon
            if other is None or space is None or beyond is None or polygon is None or polygon.degenerate:
                continue
            if other.id < cell.id and any(back.other_cell_id == cell.id for back in other.portals):
                continue  # told from there
            corners = placed(polygon, cell.frame)
            way = cell.frame.local_to_global_vec(polygon.normal)
            if not portal.portal_side:
                way = (-way[0], -way[1], -way[2])
            gap, point, end = max(_gap(point, way, space, beyond) for point in inner_points(corners, PULL))
            if gap > GAP_FROM:
                yield in_cell(
                    GAP,
                    view.id,
                    cell,
                    point,
                    f"between this room and {cell_text(other.id)} there are {metres(gap)} behind portal {index} that "
                    "no cell tree holds",
                    [("gap, m", gap)],
                    portal=index,
                    polygon=polygon.id,
                    path=[point, end],
                )
            yield from _too_far(view, cell, other, index, corners, way)


def _too_far(view: View, cell: EnvCell, other: EnvCell, index: int, corners: list[Vec3], way: Vec3) -> Iterator[Found]:
    """Behind the middle of an opening both trees hold: one of them has its plane too far out. The spaces of
    `_check_overlaps` end with the polygons of their rooms, so they do not show it."""
    count = len(corners)
    middle = (
        plain_sum(p[0] for p in corners) / count,
        plain_sum(p[1] for p in corners) / count,
        plain_sum(p[2] for p in corners) / count,
    )
    for towards in (1.0, -1.0):
        depth = 0.0
        while depth < FARTHEST:
            point = _along(middle, way, towards * (depth + STEP))
            if not (cell.point_in_cell(point) and other.point_in_cell(point)):
                break
            depth += STEP
        if depth > DEEP:
            end = _along(middle, way, towards * depth)
            sentence = f"overlaps {cell_text(other.id)} by {metres(depth)} behind portal {index}"
            figures = [("depth, m", depth)]
            yield in_cell(NEIGHBOURS, view.id, cell, middle, sentence, figures, portal=index, path=[middle, end])


def _gap(point: Vec3, way: Vec3, here: Convex, there: Convex) -> tuple[float, Vec3, Vec3]:
    """The stretch of a line out of a room that is in neither space: how long, and its ends."""
    _, leaves = _stretch(point, way, here)
    enters, ends = _stretch(point, way, there)
    if enters > ends:
        return 0.0, point, point  # the line misses the other room: its opening is elsewhere, which is told
    return enters - leaves, _along(point, way, leaves), _along(point, way, enters)


def _along(point: Vec3, way: Vec3, part: float) -> Vec3:
    return (point[0] + way[0] * part, point[1] + way[1] * part, point[2] + way[2] * part)


_NO_END: Final = 1e9


def _stretch(point: Vec3, way: Vec3, space: Convex) -> tuple[float, float]:
    """From where to where a line is in a space."""
    begins, ends = -_NO_END, _NO_END
    px, py, pz = point
    wx, wy, wz = way
    for (nx, ny, nz), offset in zip(space.normals.tolist(), space.offsets.tolist(), strict=True):
        inside, speed = nx * px + ny * py + nz * pz + offset, nx * wx + ny * wy + nz * wz
        if abs(speed) < 1e-6:
            continue
        if speed > 0.0:
            begins = max(begins, -inside / speed)
        else:
            ends = min(ends, -inside / speed)
    return begins, ends


# --- floors


def _check_floors(view: View) -> Iterator[Found]:
    for structure, rooms in view.structures():
        space = view.shapes.space(structure)
        if space is None:
            continue
        for polygon in structure.physics_polygons.values():
            if polygon.degenerate:
                continue
            points = [(x, y, z + ABOVE) for x, y, z in inner_points(polygon.vertices, PULL)]
            out = [point for point in points if space.distance(point) < -FAR_OUTSIDE]
            if not out:
                continue
            for cell in rooms:
                if cell.frame.local_to_global_vec(polygon.normal)[2] < FLOOR_Z:
                    continue
                lost = [point for point in map(cell.frame.local_to_global, out) if not _is_held(view, point)]
                if lost:
                    x, y, z = lost[0]
                    yield in_cell(
                        UNHELD,
                        view.id,
                        cell,
                        (x, y, z - ABOVE),
                        f"who stands on its floor, polygon {polygon.id}, is in no room here{shared_by(rooms)}",
                        [("outside, m", -min(space.distance(point) for point in out))],
                        polygon=polygon.id,
                        path=outline(placed(polygon, cell.frame)),
                    )
                    break


def _is_held(view: View, point: Vec3) -> bool:
    """Whether a room holds the point; outdoors everything above the ground is held too."""
    if view.terrain is not None and view.buildings:
        height = view.terrain.height_at(point[0], point[1])
        if height is not None and point[2] >= height:
            return True
    return any(cell.point_in_cell(point) for cell in view.rooms.values())
