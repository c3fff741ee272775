"""Outer shells of buildings: the skin of walls, roofs and chimneys, with door and window openings left out.

A shell is one GfxObj with its own physics BSP and a drawing BSP with PORT nodes (dat-format.md 2.3, 3.3.5). It is
the union of convex bodies. Keep its roof at least 0.3 m above the rooms' ceilings: where both share a plane, landing on
the roof is refused by the room's solid space.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

from engine.build.cells import back_to_back
from engine.build.errors import BuildError
from engine.build.models import Mesh
from engine.build.shapes.faces import Face, area_of, clip, cut_hole, dist, edge_planes, plane_of, rounded
from engine.build.shapes.floor_plan import Point2, checked_plan, convex_parts, rect
from engine.build.shapes.solids import Slope, cut_body, prism, union
from engine.geometry.vec import Vec3, dot

Body = Sequence[Face]
"""A convex body by its outward faces."""


@dataclass
class ShellOpening:
    """A door or window left out of the skin: its outline, looking outwards."""

    points: tuple[Vec3, ...]
    solid: bool


@dataclass(eq=False)
class Shell:
    """The skin of a building in the building's space, and what has been cut out of it."""

    name: str
    skin: list[Face]
    openings: list[ShellOpening] = field(default_factory=list)

    def wall_behind(self, wall: Sequence[Vec3], outline: Sequence[Vec3], thickest: float) -> float | None:
        """The distance of the skin that covers the whole outline behind a room's wall, if there is one near enough."""
        normal = plane_of(wall)[0]
        best: float | None = None
        for face in self.skin:
            thickness = back_to_back(wall, face.points)
            if thickness is None or thickness > thickest or (best is not None and thickness >= best):
                continue
            shifted = [_shift(p, normal, -thickness) for p in outline]
            if self._covers(shifted):
                best = thickness
        return best

    def _covers(self, outline: Sequence[Vec3]) -> bool:
        """Whether faces of the skin fill an outline that lies in their plane and looks inwards."""
        outward = list(reversed(outline))
        covered = 0.0
        for face in self.skin:
            if _in_plane(face, outward):
                piece = clip(outward, edge_planes(face.points))
                covered += area_of(piece) if piece else 0.0
        return covered >= area_of(outward) - 1e-4

    def open(self, points: Sequence[Vec3], where: str, *, solid: bool) -> None:
        """Cut an opening, given as it looks outwards; its place in the list is its portal index."""
        outline = rounded(points)
        for other in self.openings:
            plane = plane_of(other.points)
            if all(abs(dist(plane, p)) < 1e-3 for p in outline) and clip(list(outline), edge_planes(other.points)):
                raise BuildError(where, f"the opening overlaps another one in the shell of {self.name!r}")
        self.openings.append(ShellOpening(outline, solid))

    def faces(self) -> list[Face]:
        """The skin with all openings cut out, in single precision."""
        faces: list[Face] = []
        for face in self.skin:
            pieces = [list(rounded(face.points))]
            for opening in self.openings:
                if _in_plane(face, opening.points):
                    pieces = [rest for piece in pieces for rest in cut_hole(piece, opening.points)]
            if len(pieces) == 1 and len(pieces[0]) == len(face.points):
                faces.append(Face(tuple(pieces[0]), face.material, face.solid, face.drawn, face.fit, face.normals))
            else:
                faces += [face.with_points(rounded(piece)) for piece in pieces]
        faces += [Face(o.points, solid=True, drawn=False) for o in self.openings if o.solid]
        return faces

    def mesh(self) -> Mesh:
        """The GfxObj to be."""
        return Mesh.of(self.name, self.faces())


def _in_plane(face: Face, points: Sequence[Vec3]) -> bool:
    plane = face.plane
    return all(abs(dist(plane, p)) < 1e-3 for p in points) and dot(plane[0], plane_of(points)[0]) > 0.0


def _shift(p: Vec3, direction: Vec3, by: float) -> Vec3:
    return (p[0] + direction[0] * by, p[1] + direction[1] * by, p[2] + direction[2] * by)


def walls(plan: Sequence[Point2], bottom: float, top: float, material: str) -> list[list[Face]]:
    """The outer walls over a plan of any shape: one body for each convex part."""
    footprint = checked_plan(plan, "shell")
    return [prism(part.points, bottom, top, material) for part in convex_parts(footprint, "shell")]


@dataclass(frozen=True)
class Roof:
    """A roof: its body for the shell, and its slopes for the ceilings under it."""

    body: list[Face]
    slopes: tuple[Slope, ...]

    def under(self, thickness: float = 0.35) -> tuple[Slope, ...]:
        """The slopes of an attic's ceiling, `thickness` metres below the roof."""
        return tuple(slope.raised(-thickness) for slope in self.slopes)


def gable_roof(
    x: float,
    y: float,
    width: float,
    depth: float,
    *,
    eaves: float,
    ridge: float,
    material: str = "thatch",
    gable: str | None = None,
    overhang: float = 0.4,
    verge: float = 0.2,
    fascia: float = 0.15,
    along: str = "x",
    hipped: float = 0.0,
) -> Roof:
    """A roof with two slopes over a rectangle of walls, its ridge along "x" or "y".

    `eaves` is the height where the slopes meet the outer walls; they go on for `overhang` metres, the ends for `verge`.
    `gable` is the material of the ends; `hipped` slopes the ends as well, reaching the ridge that many metres inwards.
    """
    if along not in ("x", "y"):
        raise BuildError("roof", f"the ridge runs along 'x' or 'y', not {along!r}")
    if ridge <= eaves:
        raise BuildError("roof", f"the ridge ({ridge} m) must be higher than the eaves ({eaves} m)")
    rise, mid_x, mid_y = ridge - eaves, x + width / 2.0, y + depth / 2.0
    run = depth / 2.0 if along == "x" else width / 2.0

    def slope(foot_x: float, foot_y: float, inwards: Point2, reach: float) -> Slope:
        return Slope((foot_x, foot_y, eaves), (foot_x + inwards[0] * reach, foot_y + inwards[1] * reach, ridge))

    across = [(mid_x, y, (0.0, 1.0)), (mid_x, y + depth, (0.0, -1.0))]
    ends = [(x, mid_y, (1.0, 0.0)), (x + width, mid_y, (-1.0, 0.0))]
    if along == "y":
        across, ends = ends, across
    slopes = [slope(*foot, run) for foot in across]
    steepest = rise / run
    if hipped > 0.0:
        slopes += [slope(*foot, hipped) for foot in ends]
        steepest = max(steepest, rise / hipped)
        verge = overhang
    out_x, out_y = (verge, overhang) if along == "x" else (overhang, verge)
    footprint = rect(x - out_x, y - out_y, width + 2.0 * out_x, depth + 2.0 * out_y)
    sides = [(gable or material) if (i % 2 == 1) == (along == "x") else material for i in range(4)]
    body = prism(footprint, eaves - overhang * steepest - fascia, ridge + 1.0, material, sides=sides)
    for side in slopes:
        body = cut_body(body, side.plane(), material)
    return Roof(body, tuple(slopes))


def make_shell(name: str, bodies: Sequence[Body]) -> Shell:
    """The shell whose skin is the union of the bodies."""
    if not bodies:
        raise BuildError(f"building {name!r}", "a shell needs at least one body")
    return Shell(name, union(bodies))
