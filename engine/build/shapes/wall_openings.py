"""Openings between rooms, and from rooms outdoors: doorways, windows, hatches, open walls.

Where there is a wall's thickness between two rooms the opening becomes a small cell of its own, lined by the cut
through the wall, as in the client's houses; rooms that touch are joined directly. Portals face into their cell like its
walls, so that bit 1 of their flags is always set (dat-format.md 2.5).
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

from engine.build.cells import CellShape, Gap, WallPair, wall_pairs
from engine.build.errors import BuildError
from engine.build.rooms import Room
from engine.build.shapes.faces import Face, centre_of, contains, dist, overlap, plane_of
from engine.build.shapes.shells import Shell
from engine.geometry.elementary import cos, distance_between, hypot, sin
from engine.geometry.frame import Frame, heading_of
from engine.geometry.quat import from_heading
from engine.geometry.vec import UP, Vec3, add, cross, dot, neg, normalized, scale

THICKEST_WALL = 2.0
"""Openings are not dug through more than this; farther rooms need a room between them."""

TOUCHING = 1e-4
"""Walls nearer than this touch, and the rooms are joined without a cell in between."""

THINNEST_WALL = 0.02
"""Two walls nearer than this without touching are a slip of the author: no body could tell the cells apart."""


@dataclass(frozen=True)
class Outline:
    """The shape of an opening in its wall: a rectangle, with an arch of `arch` metres' rise on top of it."""

    width: float
    height: float
    arch: float = 0.0
    arch_pieces: int = 6

    def points(self) -> list[tuple[float, float]]:
        """(right, up) from the middle of the sill, counter-clockwise seen from the room."""
        half = self.width / 2.0
        corners = [(-half, 0.0), (half, 0.0), (half, self.height)]
        if self.arch > 0.0:
            for i in range(1, self.arch_pieces):
                angle = math.pi * i / self.arch_pieces
                corners.append((half * cos(angle), self.height + self.arch * sin(angle)))
        corners.append((-half, self.height))
        return corners


@dataclass(eq=False)
class WallOpening:
    """A finished opening.

      frame      the middle of its sill, midway through the wall; +y leads from the first room to the second or
    outdoors
      points     its outline in the interior's space, facing into the first room
      cell       the doorway cell, or None where the rooms touch
      home       the cell that a door in it belongs to
      rooms      the names of the rooms that it joins; "outdoors" for an exit
    """

    name: str
    frame: Frame
    points: tuple[Vec3, ...]
    thickness: float
    cell: CellShape | None
    home: CellShape
    gaps: list[Gap]
    rooms: tuple[str, str] = ("", "")

    @property
    def size(self) -> tuple[float, float]:
        """Width and height of the outline, to a tenth of a millimetre, so that equal doors share their model."""
        right = self.frame.local_to_global_vec((1.0, 0.0, 0.0))
        across = [dot(right, p) for p in self.points]
        up = [p[2] for p in self.points]
        return round(max(across) - min(across), 4), round(max(up) - min(up), 4)


def outline_on_wall(wall: Sequence[Vec3], at: Sequence[float], outline: Outline, sill: float) -> list[Vec3]:
    """The outline placed in a wall where `at` is, its foot `sill` above the wall's lowest point or at z of `at`."""
    normal, d = plane_of(wall)
    right = normalized(cross(UP, normal))
    up = normalized(cross(normal, right))
    z = float(at[2]) if len(at) > 2 else min(p[2] for p in wall) + sill
    foot = (float(at[0]), float(at[1]), z)
    off = dist((normal, d), foot)
    level = hypot(normal[0], normal[1])
    if level < 1e-6:
        raise BuildError("opening", "a floor or a ceiling takes a hatch")
    foot = (foot[0] - normal[0] * off / (level * level), foot[1] - normal[1] * off / (level * level), z)
    return [add(foot, add(scale(right, s), scale(up, t))) for s, t in outline.points()]


def is_upright(wall: Sequence[Vec3]) -> bool:
    """Whether a wall can take doors and windows, other than a floor or a ceiling."""
    return abs(plane_of(wall)[0][2]) < 0.9


def join(
    first: Room,
    second: Room,
    at: Sequence[float] | None,
    outline: Outline | None,
    sill: float,
    where: str,
) -> tuple[WallPair, list[Vec3]]:
    """The walls and the outline (looking into the first room) of an opening between two rooms."""
    pairs = [
        p
        for p in wall_pairs(first.cells, second.cells, THICKEST_WALL)
        if is_upright(p.first.wall_in_interior(p.first_wall))
    ]
    if not pairs:
        raise BuildError(
            where,
            f"no wall of {first.name!r} stands back to back with one of {second.name!r} within {THICKEST_WALL:g} m",
        )
    if outline is None:
        return _whole_wall(pairs, at, where)
    if at is None:
        if len(pairs) > 1:
            raise BuildError(
                where, f"{first.name!r} and {second.name!r} share {len(pairs)} walls: say where, with at=(x, y)"
            )
        common = common_part(pairs[0])
        at = centre_of(common)[:2]
    fitting: list[tuple[float, WallPair, list[Vec3]]] = []
    for pair in pairs:
        points = outline_on_wall(pair.first.wall_in_interior(pair.first_wall), at, outline, sill)
        if contains(common_part(pair), points, 1e-4):
            away = hypot(points[0][0] + points[1][0] - 2.0 * at[0], points[0][1] + points[1][1] - 2.0 * at[1]) / 2.0
            fitting.append((away, pair, points))
    if not fitting:
        raise BuildError(
            where,
            f"an opening {outline.width:g} m wide and {outline.height + outline.arch:g} m high at {_text(at)} is not "
            f"within the wall that {first.name!r} and {second.name!r} share",
        )
    fitting.sort(key=lambda item: item[0])
    if len(fitting) > 1 and fitting[1][0] - fitting[0][0] < 1e-3:
        raise BuildError(where, f"two walls of {first.name!r} and {second.name!r} are equally near to {_text(at)}")
    return fitting[0][1], fitting[0][2]


def _text(at: Sequence[float]) -> str:
    return "(" + ", ".join(f"{c:g}" for c in at) + ")"


def common_part(pair: WallPair) -> list[Vec3]:
    """The part of the first wall that has the second one behind it."""
    wall = pair.first.wall_in_interior(pair.first_wall)
    normal = plane_of(wall)[0]
    behind = [add(p, scale(normal, pair.thickness)) for p in pair.second.wall_in_interior(pair.second_wall)]
    return overlap(wall, behind)


def _whole_wall(pairs: Sequence[WallPair], at: Sequence[float] | None, where: str) -> tuple[WallPair, list[Vec3]]:
    if at is None and len(pairs) > 1:
        raise BuildError(where, f"the rooms share {len(pairs)} walls: say which, with at=(x, y)")
    best = min(
        pairs,
        key=lambda pair: 0.0 if at is None else distance_between(centre_of(common_part(pair))[:2], (at[0], at[1])),
    )
    return best, common_part(best)


def join_levels(
    upper: Room, lower: Room, plan: Sequence[tuple[float, float]], where: str
) -> tuple[WallPair, list[Vec3]]:
    """The floor and ceiling of a hatch, and its outline in the upper room's floor, looking up."""
    found: list[tuple[WallPair, list[Vec3]]] = []
    for pair in wall_pairs(upper.cells, lower.cells, THICKEST_WALL):
        floor = pair.first.wall_in_interior(pair.first_wall)
        plane = plane_of(floor)
        if plane[0][2] < 0.9:
            continue
        points = [(x, y, -(plane[0][0] * x + plane[0][1] * y + plane[1]) / plane[0][2]) for x, y in plan]
        if contains(common_part(pair), points, 1e-4):
            found.append((pair, points))
    if not found:
        raise BuildError(
            where, f"the hatch is not within a floor of {upper.name!r} that lies over a ceiling of {lower.name!r}"
        )
    return found[0]


def make_opening(
    pair: WallPair, points: Sequence[Vec3], where: str, name: str, lining: str, tread: str, *, solid: bool
) -> WallOpening:
    """Open both walls and put a doorway cell between them where they do not touch."""
    first, second = pair.first, pair.second
    normal = plane_of(points)[0]
    near = first.to_local(points)
    if pair.thickness <= TOUCHING:
        gap_a = first.add_gap(pair.first_wall, near, where, solid=solid)
        far = tuple(reversed(near)) if first.frame is second.frame else second.to_local(list(reversed(points)))
        gap_b = second.add_gap(pair.second_wall, far, where, solid=solid)
        _mate(gap_a, gap_b)
        return WallOpening(name, _sill_frame(points, normal, 0.0), tuple(points), 0.0, None, first, [gap_a, gap_b])
    if pair.thickness < THINNEST_WALL:
        raise BuildError(
            where,
            f"the walls are {pair.thickness * 1000.0:.1f} mm apart: let the rooms touch or keep {THINNEST_WALL:g} m",
        )
    plane_b = plane_of(second.wall_in_interior(pair.second_wall))
    behind = [add(p, scale(plane_b[0], -dist(plane_b, p))) for p in points]
    gap_a = first.add_gap(pair.first_wall, near, where, solid=solid)
    gap_b = second.add_gap(pair.second_wall, second.to_local(list(reversed(behind))), where, solid=solid)
    cell = doorway_cell(name, first.frame, near, first.to_local(behind), lining, tread)
    for gap, wall in ((gap_a, 0), (gap_b, 1)):
        _mate(gap, cell.add_gap(wall, cell.walls[wall].points, where, solid=solid))
    return WallOpening(
        name, _sill_frame(points, normal, pair.thickness), tuple(points), pair.thickness, cell, cell, [gap_a, gap_b]
    )


def make_joint(first: Gap, second: Gap, name: str) -> WallOpening:
    """Join two gaps that meet: two pieces put side by side."""
    _mate(first, second)
    points = [first.cell.frame.local_to_global(p) for p in first.points]
    frame = _sill_frame(points, plane_of(points)[0], 0.0)
    return WallOpening(name, frame, tuple(points), 0.0, None, first.cell, [first, second])


def make_exit(
    first: CellShape,
    wall: int,
    points: Sequence[Vec3],
    thickness: float,
    where: str,
    name: str,
    lining: str,
    tread: str,
    *,
    solid: bool,
    shell: Shell | None,
) -> tuple[WallOpening, Gap]:
    """Open a wall to the outdoors, through a doorway cell if the wall has thickness; also returns the exit portal."""
    normal = plane_of(points)[0]
    near = first.to_local(points)
    behind = [add(p, scale(normal, -thickness)) for p in points]
    if thickness <= TOUCHING:
        gap = first.add_gap(wall, near, where, solid=solid, is_exit=True)
        cell, home = None, first
    else:
        if thickness < THINNEST_WALL:
            raise BuildError(where, f"the outer wall is {thickness * 1000.0:.1f} mm thick: keep {THINNEST_WALL:g} m")
        inner = first.add_gap(wall, near, where, solid=solid)
        cell = doorway_cell(name, first.frame, near, first.to_local(behind), lining, tread)
        _mate(inner, cell.add_gap(0, cell.walls[0].points, where, solid=solid))
        gap = cell.add_gap(1, cell.walls[1].points, where, solid=solid, is_exit=True)
        home = cell
    if shell is not None:
        outward = [gap.cell.frame.local_to_global(p) for p in reversed(gap.points)]
        shell.open(outward, where, solid=solid)
    return WallOpening(name, _sill_frame(points, normal, thickness), tuple(points), thickness, cell, home, [gap]), gap


def doorway_cell(
    name: str, frame: Frame, near: Sequence[Vec3], far: Sequence[Vec3], lining: str, tread: str
) -> CellShape:
    """The little cell through a wall: wall 0 is its near opening, wall 1 the far one, the rest line the cut.

    `near` looks into the room, so that seen from the doorway it must be turned round; `far` has the winding of `near`.
    """
    faces = [Face(tuple(reversed(near)), lining), Face(tuple(far), lining)]
    for i in range(len(near)):
        j = (i + 1) % len(near)
        side = (near[i], near[j], far[j], far[i])
        faces.append(Face(side, tread if plane_of(side)[0][2] > 0.7 else lining))
    return CellShape(name, frame, faces)


def _mate(a: Gap, b: Gap) -> None:
    a.mate, b.mate = b, a


def _sill_frame(points: Sequence[Vec3], normal: Vec3, thickness: float) -> Frame:
    """The position of a door: the middle of the sill, midway through the wall, facing out of the first room."""
    onwards = neg(normal)
    lowest = min(p[2] for p in points)
    middle = centre_of([min(points, key=lambda p: _across(p, normal)), max(points, key=lambda p: _across(p, normal))])
    through = scale(onwards, thickness / 2.0)
    origin = add((middle[0], middle[1], lowest), through)
    if abs(normal[2]) > 0.9:
        return Frame(add(centre_of(points), through))
    return Frame(origin, from_heading(heading_of(onwards)))


def _across(p: Vec3, normal: Vec3) -> float:
    return dot(p, cross(UP, normal))


def wall_toward(
    walls: Sequence[tuple[CellShape, int, list[Vec3]]], at: Sequence[float], outline: Outline, sill: float, where: str
) -> tuple[CellShape, int, list[Vec3]]:
    """The upright wall nearest to `at` that has room for the outline there, and the outline in it."""
    best: tuple[float, CellShape, int, list[Vec3]] | None = None
    for cell, index, wall in walls:
        if not is_upright(wall):
            continue
        points = outline_on_wall(wall, at, outline, sill)
        if not contains(wall, points, 1e-4):
            continue
        foot = centre_of(points[:2])
        away = hypot(foot[0] - float(at[0]), foot[1] - float(at[1]))
        if best is None or away < best[0] - 1e-6:
            best = (away, cell, index, points)
    if best is None:
        size = f"{outline.width:g} m wide and {outline.height + outline.arch:g} m high"
        raise BuildError(where, f"no wall has room for an opening {size} at {_text(at)}")
    return best[1:]
