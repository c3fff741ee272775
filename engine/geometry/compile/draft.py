"""The first pass of the physics compiler: cuts space along the polygons until no region has one inside.

The queries (physics.md 3.1) skip a plane's far side as soon as the sphere's reach, the same that decides hits,
ends at the plane. So a polygon has to be listed wherever it reaches, however little: there is no tolerance. A polygon
that lies in a plane or just pierces it is kept off its back by moving the plane back by that much, at most FLUSH: then
nothing has to be listed there, which matters behind the walls of a room.
"""

from __future__ import annotations

from typing import Final

from engine.geometry.box import Box
from engine.geometry.compile.cell import cell_planes, corners_of
from engine.geometry.compile.fragment import (
    BACKING,
    EXACT,
    FLUSH,
    LISTED,
    SPLITTER,
    Cloud,
    Fragment,
    split_points,
    whole_fragments,
)
from engine.geometry.compile.region import Cut, Region, box_region, with_margin
from engine.geometry.compile.split import choose_relief, choose_split
from engine.geometry.plane import Plane
from engine.geometry.polygon import Polygon
from engine.geometry.vec import Vec3

_CUT_PRICE: Final = 2.0  # a polygon cut in two is stored and tested twice ever after

_LAYER: Final = 2.0 * FLUSH  # what lies within FLUSH of a plane lies within this of the plane moved back

DEEPEST: Final = 128
"""Planes above a leaf at most, but for those that bound a cell. Only tangles of polygons that cross one another come
here; it is a quarter of what a tree may have (`depth`)."""


class DraftNode:
    """A node of the tree to be: an inner node with the parts a plane makes of its region, or a leaf."""


class DraftInner(DraftNode):
    """`flush` are the pieces in the plane, `cap` is the part of the plane inside the region."""

    plane: Plane
    pos: DraftNode
    neg: DraftNode
    cap: list[Vec3]
    flush: list[Fragment]

    def __init__(self, plane: Plane, pos: DraftNode, neg: DraftNode, cap: list[Vec3], flush: list[Fragment]) -> None:
        self.plane = plane
        self.pos = pos
        self.neg = neg
        self.cap = cap
        self.flush = flush


class DraftLeaf(DraftNode):
    """`beyond`: outside the cell. `unclear`: there are polygons inside. `solid` is found out by compile_enclosure."""

    fragments: list[Fragment]
    region: Region | None
    beyond: bool
    unclear: bool
    solid: bool
    number: int

    def __init__(self, fragments: list[Fragment], region: Region | None, beyond: bool, number: int) -> None:
        self.fragments = fragments
        self.region = region
        self.beyond = beyond
        self.unclear = False
        self.solid = False
        self.number = number


class Halves:
    """The pieces in front of and behind a plane, and those in it, which are among the others as well."""

    front: list[Fragment]
    back: list[Fragment]
    flush: list[Fragment]

    def __init__(self) -> None:
        self.front = []
        self.back = []
        self.flush = []


class Drafting:
    """One compilation: what holds for the whole tree, and the leaves made so far."""

    box: Box
    leaves: list[DraftLeaf]
    root: DraftNode
    _bounds: list[Plane]

    def __init__(self, polygons: list[Polygon], openings: list[Polygon], room: bool) -> None:
        corners = corners_of(polygons)
        fragments = whole_fragments(polygons)
        self.box = with_margin(Box.of_points(corners) if corners else Box((0.0, 0.0, 0.0), (0.0, 0.0, 0.0)))
        self.leaves = []
        self._bounds = cell_planes(polygons, openings) if room else []
        self.root = self._split(fragments, box_region(self.box), 0)

    def _split(self, fragments: list[Fragment], region: Region | None, depth: int) -> DraftNode:
        splitters = [fragment for fragment in fragments if fragment.role == SPLITTER]
        if not splitters:
            return self._finish(fragments, region, depth, 0)
        if depth >= DEEPEST:
            return self._given_up(fragments, region)
        plane = _moved_behind(choose_split(splitters, _CUT_PRICE).plane, fragments)
        halves = _partition(fragments, plane)
        cut = _cut(region, plane)
        pos = self._split(halves.front, cut.front, depth + 1)
        neg = self._split(halves.back, cut.back, depth + 1)
        return DraftInner(plane, pos, neg, cut.cap, halves.flush)

    def _finish(self, fragments: list[Fragment], region: Region | None, depth: int, first: int) -> DraftNode:
        """A leaf. In a room it is cut along the planes of the cell that cross it, so that it lies inside or beyond.

        The planes before `first` are known to have the region in front of them.
        """
        if region is not None and first < len(self._bounds):
            corners = Cloud(region.corners())
            for i in range(first, len(self._bounds)):
                plane = self._bounds[i]
                low, high = corners.extent(plane.normal, plane.d)
                # The planes round the region may have been moved back: that much is no part of another room.
                if high <= _LAYER:
                    return self._leaf(fragments, region, True)
                if low < -_LAYER:
                    return self._bounded(fragments, region, depth, i)
        return self._relieved(fragments, region, depth)

    def _bounded(self, fragments: list[Fragment], region: Region, depth: int, index: int) -> DraftNode:
        plane = _moved_behind(self._bounds[index], fragments)
        halves = _partition(fragments, plane)
        cut = _cut(region, plane)
        pos = self._finish(halves.front, cut.front, depth + 1, index + 1)
        if isinstance(pos, DraftLeaf) and pos.beyond:
            # Beyond another plane as well: the region passes the cell at a corner.
            self.leaves.pop()
            return self._leaf(fragments, region, True)
        neg = self._leaf(halves.back, cut.back, True)
        return DraftInner(plane, pos, neg, cut.cap, halves.flush)

    def _relieved(self, fragments: list[Fragment], region: Region | None, depth: int) -> DraftNode:
        """A leaf, or several where one would have to list a crowd."""
        crowd = _listed(fragments)
        plane = choose_relief(crowd)
        if plane is None or region is None or depth >= DEEPEST:
            return self._leaf(fragments, region, False)
        plane = _moved_behind(plane, fragments)
        halves = _partition(fragments, plane)
        if max(len(_listed(halves.front)), len(_listed(halves.back))) >= len(crowd):
            return self._leaf(fragments, region, False)
        cut = _cut(region, plane)
        pos = self._relieved(halves.front, cut.front, depth + 1)
        neg = self._relieved(halves.back, cut.back, depth + 1)
        return DraftInner(plane, pos, neg, cut.cap, halves.flush)

    def _given_up(self, fragments: list[Fragment], region: Region | None) -> DraftLeaf:
        """A leaf with all remaining polygons inside it; which part of it is solid is unknown."""
        leaf = self._leaf(fragments, region, False)
        leaf.unclear = True
        return leaf

    def _leaf(self, fragments: list[Fragment], region: Region | None, beyond: bool) -> DraftLeaf:
        leaf = DraftLeaf(fragments, region, beyond, len(self.leaves))
        self.leaves.append(leaf)
        return leaf


def _cut(region: Region | None, plane: Plane) -> Cut:
    return Cut(None, None, []) if region is None else region.cut(plane.normal, plane.d)


def _listed(fragments: list[Fragment]) -> list[Fragment]:
    return [fragment for fragment in fragments if fragment.role == LISTED]


def _moved_behind(plane: Plane, fragments: list[Fragment]) -> Plane:
    """Move the plane back until everything that lies in it or pierces it by less than FLUSH is in front."""
    shift = 0.0
    for fragment in fragments:
        if fragment.role != BACKING:
            low, _ = fragment.extent(plane.normal, plane.d)
            if -FLUSH <= low < -shift:
                shift = -low
    if shift <= EXACT:
        return plane
    return Plane(plane.normal, plane.d + shift)


def _partition(fragments: list[Fragment], plane: Plane) -> Halves:
    halves = Halves()
    normal = plane.normal
    for fragment in fragments:
        low, high = fragment.extent(normal, plane.d)
        if high <= _LAYER and low >= -EXACT:
            halves.flush.append(fragment)
            _add_flush(halves, fragment, normal)
        elif low >= -EXACT:
            halves.front.append(fragment)
        elif high <= EXACT:
            halves.back.append(fragment)
        else:
            front, back = split_points(fragment.points, normal, plane.d)
            halves.front.append(_piece(halves, fragment, front, high))
            halves.back.append(_piece(halves, fragment, back, -low))
    return halves


def _add_flush(halves: Halves, fragment: Fragment, normal: Vec3) -> None:
    """A piece in the plane is done. Its own front must list it; the other side only if it turns out to be solid."""
    if fragment.role == BACKING:
        halves.front.append(fragment)
        halves.back.append(fragment)
        return
    nx, ny, nz = fragment.polygon.normal
    same_way = nx * normal[0] + ny * normal[1] + nz * normal[2] > 0.0
    halves.front.append(fragment.piece(fragment.points, LISTED))
    halves.back.append(fragment.piece(fragment.points, BACKING if same_way else LISTED))


def _piece(halves: Halves, fragment: Fragment, points: list[Vec3], depth: float) -> Fragment:
    """Add a part left by the cut. One that is hardly deeper than the plane is listed and no longer split, even where it
    is broad, because it is then as good as in the plane."""
    if fragment.role == SPLITTER and depth <= _LAYER:
        piece = fragment.piece(points, LISTED)
        halves.flush.append(piece)
        return piece
    return fragment.piece(points, fragment.role)
