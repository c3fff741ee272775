"""The second pass of the physics compiler: finds the solid leaves (dat-format.md 3.3.4).

Leaves that share a part of their border which no polygon covers are one space. Crossing a polygon from its front to its
back leads one layer deeper into something solid, so every space has a depth, found from its neighbours':

- A thing stands in free space: space open to infinity has depth 0.
- Around a room all is solid: space beyond the planes of its cell has depth 1.
- Space behind an opening, on either side, has depth 0.

Neighbours may disagree. A block in a room mostly lacks its hidden faces: the floor continues below it, the walls behind
it, and both suggest that it is free. So the larger area decides, but the backs of faces weigh more. Spaces with a depth
of 1 or more are solid.

So an open shell, a sheet or a single polygon encloses nothing, overlapping boxes are solid wherever one of them is, and
a room is free even where single polygons turn their backs on it.

One case is left out because it cannot be decided: the solid space behind a room's walls where no plane of the cell
closes it.
"""

from __future__ import annotations

import math
from typing import Final

from engine.geometry.box import Box
from engine.geometry.compile.draft import Drafting, DraftInner, DraftLeaf, DraftNode
from engine.geometry.compile.fragment import (
    FLUSH,
    Fragment,
    area_of,
    extent,
    perimeter_of,
    split_points,
)
from engine.geometry.plane import Plane
from engine.geometry.polygon import Polygon
from engine.geometry.vec import Vec3

_GAP: Final = 1e-3  # metres: a narrower slit between polygons is a crack of the model, not a way through
_SPECK: Final = 1e-6  # square metres: smaller areas are rounding
_BACKS: Final = 0.25  # of the largest area: so much of backs is enough (a stage from wall to wall has about half)
_NO_EDGE: Final = 1e-7  # metres: corners this close come from two cuts through the same one
_UNKNOWN: Final = -1000


class _Face:
    """An area of polygon between two leaves. Its back is `deeper` by 1; by 0 where polygons face both ways."""

    before: int
    behind: int
    deeper: int
    area: float

    def __init__(self, before: int, behind: int, deeper: int, area: float) -> None:
        self.before = before
        self.behind = behind
        self.deeper = deeper
        self.area = area


class _Cover:
    """A piece of polygon in a splitting plane: upright planes through its edges, and which way it faces."""

    sides: list[Plane]
    along: bool

    def __init__(self, sides: list[Plane], along: bool) -> None:
        self.sides = sides
        self.along = along


class _Patch:
    """A part of a splitting plane that borders on one leaf."""

    leaf: DraftLeaf
    points: list[Vec3]

    def __init__(self, leaf: DraftLeaf, points: list[Vec3]) -> None:
        self.leaf = leaf
        self.points = points


class _Space:
    """Leaves that are open to one another, with the known facts on their depth and the areas that decide it.

    `unbounded`: it reaches to infinity. `entered`: an opening leads into it.
    """

    depth: int
    unbounded: bool
    entered: bool
    neighbours: list[_Face]
    votes: dict[int, float]
    weight: float

    def __init__(self) -> None:
        self.depth = _UNKNOWN
        self.unbounded = False
        self.entered = False
        self.neighbours = []
        self.votes = {}
        self.weight = 0.0


def mark_solid_leaves(draft: Drafting, openings: list[Polygon], room: bool) -> None:
    """Set `solid` on the leaves of the draft. Those beyond a room are solid by definition."""
    enclosure = _Enclosure(draft)
    enclosure.spread(draft.root)
    spaces = enclosure.spaces(openings, room)
    for leaf in draft.leaves:
        space = spaces[enclosure.space_of(leaf.number)]
        closed = space.depth >= 1 and not space.unbounded and not leaf.unclear
        leaf.solid = leaf.beyond or closed


class _Enclosure:
    """The leaves of each space, and the polygons between the spaces."""

    draft: Drafting
    parents: list[int]
    faces: list[_Face]

    def __init__(self, draft: Drafting) -> None:
        self.draft = draft
        self.parents = list(range(len(draft.leaves)))
        self.faces = []

    def space_of(self, number: int) -> int:
        parents = self.parents
        while parents[number] != number:
            parents[number] = parents[parents[number]]
            number = parents[number]
        return number

    def _join(self, a: int, b: int) -> None:
        a = self.space_of(a)
        b = self.space_of(b)
        self.parents[max(a, b)] = min(a, b)

    # --- borders between leaves

    def spread(self, node: DraftNode) -> None:
        """Look at the border between the two sides of every inner node."""
        if not isinstance(node, DraftInner):
            return
        if len(node.cap) >= 3:
            covers = _covers(node)
            ahead: list[_Patch] = []
            _sink(node.cap, node.pos, ahead)
            for patch in ahead:
                across: list[_Patch] = []
                _sink(patch.points, node.neg, across)
                for shared in across:
                    self._meet(covers, patch.leaf, shared.leaf, shared.points)
        self.spread(node.pos)
        self.spread(node.neg)

    def _meet(self, covers: list[_Cover], ahead: DraftLeaf, behind: DraftLeaf, points: list[Vec3]) -> None:
        """Two leaves share this part of a plane: note the polygons in it, and join the leaves through the gaps."""
        if ahead.beyond and behind.beyond:
            return
        open_parts = [points]
        along = 0.0
        against = 0.0
        for cover in covers:
            area = area_of(_overlap(points, cover.sides))
            if area <= _SPECK:
                continue
            if cover.along:
                along += area
            else:
                against += area
            open_parts = _without(open_parts, cover.sides)
        both = min(along, against)
        self._note(ahead, behind, 1, along - both)
        self._note(behind, ahead, 1, against - both)
        self._note(ahead, behind, 0, both)
        if ahead.beyond or behind.beyond:
            return
        for part in open_parts:
            if _is_passage(part):
                self._join(ahead.number, behind.number)
                return

    def _note(self, before: DraftLeaf, behind: DraftLeaf, deeper: int, area: float) -> None:
        if area > _SPECK:
            self.faces.append(_Face(before.number, behind.number, deeper, area))

    # --- how deep

    def spaces(self, openings: list[Polygon], room: bool) -> list[_Space]:
        """One entry for each leaf; only those of the leaves that stand for their space are of use."""
        spaces = [_Space() for _ in self.draft.leaves]
        for face in self.faces:
            before = self.space_of(face.before)
            behind = self.space_of(face.behind)
            if before != behind:
                joined = _Face(before, behind, face.deeper, face.area)
                spaces[before].neighbours.append(joined)
                spaces[behind].neighbours.append(joined)
        for leaf in self.draft.leaves:
            if not leaf.beyond and _is_unbounded(leaf, self.draft.box):
                spaces[self.space_of(leaf.number)].unbounded = True
        self._enter(spaces, openings)
        for leaf in self.draft.leaves:
            if leaf.beyond:
                _settle(spaces, leaf.number, 1)
        for number, space in enumerate(spaces):
            if space.entered or (space.unbounded and not room):
                _settle(spaces, number, 0)
        self._settle_others(spaces)
        return spaces

    def _enter(self, spaces: list[_Space], openings: list[Polygon]) -> None:
        """Mark the spaces on both sides of the openings."""
        found: list[_Patch] = []
        for opening in openings:
            if len(opening.vertices) >= 3 and not opening.degenerate:
                _touch(opening.vertices, self.draft.root, found)
        for patch in found:
            if not patch.leaf.beyond and _is_passage(patch.points):
                spaces[self.space_of(patch.leaf.number)].entered = True

    def _settle_others(self, spaces: list[_Space]) -> None:
        """The space with the most known facts comes first; an unknown one is free."""
        while True:
            chosen = -1
            for number, space in enumerate(spaces):
                if (
                    space.depth == _UNKNOWN
                    and self.parents[number] == number
                    and (chosen < 0 or space.weight > spaces[chosen].weight)
                ):
                    chosen = number
            if chosen < 0:
                return
            _settle(spaces, chosen, _elected(spaces[chosen]))


def _settle(spaces: list[_Space], number: int, depth: int) -> None:
    """The depth of a space is known: tell its neighbours.

    One that an opening leads into may be a room's own space and the one behind its walls in one: then those walls are
    not told that they stand in front of it.
    """
    space = spaces[number]
    if space.depth != _UNKNOWN:
        return
    space.depth = depth
    for face in space.neighbours:
        if face.before == number:
            _vote(spaces[face.behind], depth + face.deeper, face.area)
        elif not space.entered:
            _vote(spaces[face.before], depth - face.deeper, face.area)


def _vote(space: _Space, depth: int, area: float) -> None:
    space.votes[depth] = space.votes.get(depth, 0.0) + area
    space.weight += area


def _elected(space: _Space) -> int:
    """The deepest answer that is not hopelessly outvoted; 0 without any."""
    most = 0.0
    for area in space.votes.values():
        most = max(most, area)
    best = 0
    for depth in sorted(space.votes):
        if space.votes[depth] >= _BACKS * most:
            best = depth
    return best


def _is_unbounded(leaf: DraftLeaf, box: Box) -> bool:
    """The leaf reaches to the border of the space that the draft began with."""
    if leaf.region is None:
        return False
    lx, ly, lz = box.minimum
    hx, hy, hz = box.maximum
    for x, y, z in leaf.region.corners():
        if x < lx + _GAP or y < ly + _GAP or z < lz + _GAP or x > hx - _GAP or y > hy - _GAP or z > hz - _GAP:
            return True
    return False


def _is_passage(points: list[Vec3]) -> bool:
    """The outline is wider than a crack: the width of a slit is twice its area by its perimeter."""
    if len(points) < 3:
        return False
    return 2.0 * area_of(points) > _GAP * perimeter_of(points)


def _sink(points: list[Vec3], node: DraftNode, found: list[_Patch]) -> None:
    """Pass an outline down a side of the plane it lies in, to the leaves that it borders on."""
    while isinstance(node, DraftInner):
        normal = node.plane.normal
        low, high = extent(points, normal, node.plane.d)
        if low >= -FLUSH:
            node = node.pos
        elif high <= FLUSH:
            node = node.neg
        else:
            front, back = split_points(points, normal, node.plane.d)
            _sink(front, node.pos, found)
            points = back
            node = node.neg
    if isinstance(node, DraftLeaf) and _is_passage(points):
        found.append(_Patch(node, points))


def _touch(points: list[Vec3], node: DraftNode, found: list[_Patch]) -> None:
    """Pass an opening down the tree to the leaves on both its sides, as far as no polygon closes it."""
    while isinstance(node, DraftInner):
        normal = node.plane.normal
        low, high = extent(points, normal, node.plane.d)
        if low >= -FLUSH and high <= 2.0 * FLUSH:
            parts = [points]
            for cover in _covers(node):
                parts = _without(parts, cover.sides)
            for part in parts:
                _touch(part, node.pos, found)
                _touch(part, node.neg, found)
            return
        if low >= -FLUSH:
            node = node.pos
        elif high <= FLUSH:
            node = node.neg
        else:
            front, back = split_points(points, normal, node.plane.d)
            _touch(front, node.pos, found)
            points = back
            node = node.neg
    if isinstance(node, DraftLeaf):
        found.append(_Patch(node, points))


def _covers(node: DraftInner) -> list[_Cover]:
    """The pieces lying in the plane of the node. One with fewer than three sides covers nothing."""
    covers: list[_Cover] = []
    x, y, z = node.plane.normal
    for fragment in node.flush:
        sides = _sides(fragment)
        if len(sides) >= 3:
            nx, ny, nz = fragment.polygon.normal
            covers.append(_Cover(sides, nx * x + ny * y + nz * z > 0.0))
    return covers


def _sides(fragment: Fragment) -> list[Plane]:
    """The upright planes through the edges of the piece, their fronts on the inside."""
    sides: list[Plane] = []
    if not fragment.points:
        return sides
    nx, ny, nz = fragment.polygon.normal
    lx, ly, lz = fragment.points[-1]
    for x, y, z in fragment.points:
        ex = x - lx
        ey = y - ly
        ez = z - lz
        ix = ny * ez - nz * ey
        iy = nz * ex - nx * ez
        iz = nx * ey - ny * ex
        size = math.sqrt(ix * ix + iy * iy + iz * iz)
        if size > _NO_EDGE:
            ix /= size
            iy /= size
            iz /= size
            sides.append(Plane((ix, iy, iz), -(ix * x + iy * y + iz * z)))
        lx = x
        ly = y
        lz = z
    return sides


def _overlap(points: list[Vec3], sides: list[Plane]) -> list[Vec3]:
    """The part of the outline that lies within the sides."""
    for side in sides:
        low, high = extent(points, side.normal, side.d)
        if high <= 0.0:
            return []
        if low < 0.0:
            points, _ = split_points(points, side.normal, side.d)
    return points


def _without(parts: list[list[Vec3]], sides: list[Plane]) -> list[list[Vec3]]:
    """The parts of the outline outside of the sides, cut off along one side after the other."""
    left: list[list[Vec3]] = []
    for part in parts:
        inside = part
        for side in sides:
            low, high = extent(inside, side.normal, side.d)
            if high <= 0.0:
                left.append(inside)
                break
            if low < 0.0:
                inside, outside = split_points(inside, side.normal, side.d)
                if _is_passage(outside):
                    left.append(outside)
    return left
