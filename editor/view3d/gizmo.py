"""The gizmo that things are moved and turned by: where its handles are on the screen, which one lies under the mouse,
and what a drag of it means. Nothing but geometry: `manipulation` makes edits of it, `gizmo_drawing` draws it.

It is as large on the screen wherever the thing stands. Pixels are the picture's, with y down; `ratio` of them make one
of the window's. A drag that means nothing, past the vanishing point of an axis or behind the eye, changes nothing.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from enum import Enum
from typing import Final

import numpy as np
from numpy.typing import NDArray

from engine.geometry.vec import ZERO, Vec3, add, cross, dot, length, normalized, scale, sub
from engine.visibility.camera import Camera

Points = NDArray[np.float64]
Pixel = tuple[float, float]

LENGTH: Final = 92.0
"""Pixels of the window from the middle to the tip of an arrow that lies across the view."""

INNER: Final = 0.16
"""Where an arrow begins, as a part of its length: the middle of the thing stays free."""

PLANE: Final = (0.26, 0.48)
"""From where to where a plane's handle reaches along its two axes."""

RING: Final = 0.86
SEGMENTS: Final = 64

GRAB: Final = 7.0
"""Pixels of the window beside a line at which it is still taken hold of."""

INSIDE_PLANE: Final = 3.0
"""A plane's handle under the mouse is as far away as this: an arrow over it goes first when it is nearer."""

NEAREST: Final = 0.3
"""Metres before the eye from which on there is a gizmo."""

FAR: Final = 1000.0
"""Metres that one drag can move at most."""

POINTS_AT_EYE: Final = (0.94, 0.985)
"""Cosines between an axis and the look at which its arrow begins to fade and is gone."""

EDGE_ON: Final = (0.22, 0.12)
"""Cosines between a plane's normal and the look at which its handle begins to fade and is gone."""

LINE_RING: Final = 0.2
"""Below this cosine a ring is seen as a line and turned by moving along it."""

STEP: Final = 0.25
"""Metres to which Ctrl snaps."""
TURN_STEP: Final = 15.0
FINE: Final = 0.1
"""How much of the mouse's way counts while Shift is held."""

AXES: Final[tuple[Vec3, Vec3, Vec3]] = ((1.0, 0.0, 0.0), (0.0, 1.0, 0.0), (0.0, 0.0, 1.0))
LETTERS: Final = "xyz"


class Mode(Enum):
    """What the gizmo does."""

    MOVE = "move"
    TURN = "turn"


class Handle(Enum):
    """What can be taken hold of: an arrow, the plane across an axis, the ring about one."""

    X = "x"
    Y = "y"
    Z = "z"
    YZ = "yz"
    ZX = "zx"
    XY = "xy"
    TURN_X = "turn x"
    TURN_Y = "turn y"
    TURN_Z = "turn z"

    @property
    def axis(self) -> int:
        """The axis of an arrow or a ring; of a plane the one across it."""
        for kind in (ARROWS, PLANES, RINGS):
            if self in kind:
                return kind.index(self)
        raise AssertionError(self)

    @property
    def is_arrow(self) -> bool:
        return self in ARROWS

    @property
    def is_plane(self) -> bool:
        return self in PLANES

    @property
    def is_ring(self) -> bool:
        return self in RINGS

    @property
    def spans(self) -> tuple[int, int]:
        """The two axes of a plane or a ring, in turning order."""
        return ((self.axis + 1) % 3, (self.axis + 2) % 3)


ARROWS: Final = (Handle.X, Handle.Y, Handle.Z)
PLANES: Final = (Handle.YZ, Handle.ZX, Handle.XY)
RINGS: Final = (Handle.TURN_X, Handle.TURN_Y, Handle.TURN_Z)


@dataclass(frozen=True)
class Change:
    """What a drag has done so far: metres, and degrees about `axis`, counter-clockwise seen from its tip."""

    offset: Vec3 = ZERO
    turn: float = 0.0
    axis: int = 2

    @property
    def is_none(self) -> bool:
        return self.offset == ZERO and self.turn == 0.0

    def snapped(self) -> Change:
        """To steps of a quarter of a metre and fifteen degrees."""
        x, y, z = self.offset
        return Change(
            (_stepped(x, STEP), _stepped(y, STEP), _stepped(z, STEP)), _stepped(self.turn, TURN_STEP), self.axis
        )


def _stepped(value: float, step: float) -> float:
    return round(value / step) * step + 0.0  # no minus before a zero


class Gizmo:
    """Handles about a point of a landblock, as one camera sees them."""

    def __init__(
        self, camera: Camera, block_id: int, centre: Vec3, handles: tuple[Handle, ...], size: float, ratio: float
    ) -> None:
        self.camera = camera
        self.block_id = block_id
        self.centre = centre
        self.handles = handles
        self.size = size
        """Metres from the middle to a tip."""
        self.ratio = ratio
        self.eye = camera.eye_in(block_id)
        self.look = normalized(sub(centre, self.eye))

    # --- on the screen

    def pixel(self, point: Vec3) -> Pixel:
        """A point of the landblock, which has to lie before the eye."""
        p = self.camera.project_offset(*sub(point, self.eye))
        return (p.x / p.w, p.y / p.w)

    def along(self, axis: int, reach: float) -> Vec3:
        return add(self.centre, scale(AXES[axis], self.size * reach))

    def tip(self, axis: int) -> Pixel:
        return self.pixel(self.along(axis, 1.0))

    def arrow(self, axis: int) -> tuple[Pixel, Pixel]:
        """An arrow's two ends."""
        return self.pixel(self.along(axis, INNER)), self.tip(axis)

    def pixels(self, reaches: Points) -> Points:
        """Many points at once, each so many lengths along x, y and z from the middle, (n, 3)."""
        camera = self.camera
        offset = reaches * self.size + np.array(sub(self.centre, self.eye))
        ahead = offset @ np.array(camera.forward)
        seen = np.empty((len(offset), 2))
        seen[:, 0] = camera.width / 2.0 + camera.focal * (offset @ np.array(camera.right)) / ahead
        seen[:, 1] = camera.height / 2.0 - camera.focal * (offset @ np.array(camera.up)) / ahead
        return seen

    def square(self, handle: Handle) -> Points:
        """The corners of a plane's handle."""
        return self.pixels(_SQUARES[handle.axis])

    def ring(self, axis: int) -> tuple[Points, Points]:
        """The points of a ring, and how much farther than the middle each is, as a part of its radius."""
        way = _CIRCLES[axis]
        return self.pixels(way * RING), way @ np.array(self.look)

    def strength(self, handle: Handle) -> float:
        """How much of a handle is seen, 0 to 1: an arrow that points at the eye can not be dragged, nor a plane that is
        seen from its edge."""
        cosine = abs(dot(AXES[handle.axis], self.look))
        if handle.is_ring:
            return 1.0
        begin, gone = POINTS_AT_EYE if handle.is_arrow else EDGE_ON
        return min(max((cosine - gone) / (begin - gone), 0.0), 1.0)

    # --- under the mouse

    def handle_at(self, x: float, y: float) -> Handle | None:
        """The handle under a pixel, the nearest of several."""
        best: tuple[float, Handle] | None = None
        for handle in self.handles:
            if self.strength(handle) <= 0.0:
                continue
            away = self._distance(handle, x, y)
            if away <= GRAB * self.ratio and (best is None or away < best[0]):
                best = (away, handle)
        return None if best is None else best[1]

    def _distance(self, handle: Handle, x: float, y: float) -> float:
        if handle.is_arrow:
            a, b = self.arrow(handle.axis)
            return _to_segments(np.array([a]), np.array([b]), x, y)
        if handle.is_plane:
            return INSIDE_PLANE * self.ratio if _is_inside(self.square(handle), x, y) else math.inf
        points, _ = self.ring(handle.axis)
        return _to_segments(points, np.roll(points, -1, axis=0), x, y)

    # --- what the mouse means

    def on_axis(self, axis: int, x: float, y: float) -> float | None:
        """How many metres along an axis the mouse is, going by the line that the axis is on the screen; what it moves
        across that line does not count. None past its vanishing point, and where it points at the eye."""
        camera = self.camera
        origin = camera.project_offset(*sub(self.centre, self.eye))
        ax, ay, aw = _projected_way(camera, AXES[axis])
        dx = (ax * origin.w - origin.x * aw) / (origin.w * origin.w)
        dy = (ay * origin.w - origin.y * aw) / (origin.w * origin.w)
        speed2 = dx * dx + dy * dy
        if speed2 * self.size * self.size < self.ratio * self.ratio:
            return None
        mouse = dx * x + dy * y
        divisor = (dx * ax + dy * ay) - mouse * aw
        if divisor == 0.0:
            return None
        metres = (mouse * origin.w - (dx * origin.x + dy * origin.y)) / divisor
        return metres if origin.w + metres * aw > NEAREST / 3.0 and abs(metres) <= FAR else None

    def on_plane(self, axis: int, x: float, y: float) -> Vec3 | None:
        """Where the mouse meets the plane across an axis, from the middle; None where it does not."""
        way = normalized(self.camera.ray(x, y))
        facing = way[axis]
        if abs(facing) < 1e-4:
            return None
        away = sub(self.centre, self.eye)
        t = away[axis] / facing
        if not 0.0 < t <= FAR:
            return None
        met = sub(scale(way, t), away)
        return (0.0 if axis == 0 else met[0], 0.0 if axis == 1 else met[1], 0.0 if axis == 2 else met[2])


class Grip:
    """A handle in the hand, from where it was taken hold of."""

    def __init__(self, gizmo: Gizmo, handle: Handle, x: float, y: float) -> None:
        self.gizmo = gizmo
        self.handle = handle
        self.change = Change(axis=handle.axis)
        self.shown = self.change
        """The change as it was answered last, snapped if that was asked for."""
        self.start_angle = 0.0
        """Degrees about the ring's axis at which it was taken hold of."""
        self._mouse = (x, y)
        self._at = (x, y)
        """Where the mouse would be if Shift had never slowed it."""
        self._tangent: Pixel | None = None
        self._first = ZERO
        self._last_angle = 0.0
        self._turned = 0.0
        self._begin()

    def _begin(self) -> None:
        gizmo, handle = self.gizmo, self.handle
        if handle.is_arrow:
            self._first = scale(AXES[handle.axis], gizmo.on_axis(handle.axis, *self._at) or 0.0)
        elif handle.is_plane:
            self._first = gizmo.on_plane(handle.axis, *self._at) or ZERO
        else:
            self.start_angle = self._last_angle = self._angle() or 0.0
            if abs(dot(AXES[handle.axis], gizmo.look)) < LINE_RING:
                self._tangent = self._tangent_here()

    def move(self, x: float, y: float, *, fine: bool = False, snap: bool = False) -> Change:
        """The mouse is at a pixel now; what the whole drag has done."""
        part = FINE if fine else 1.0
        before = self._at
        self._at = (before[0] + (x - self._mouse[0]) * part, before[1] + (y - self._mouse[1]) * part)
        self._mouse = (x, y)
        if self.handle.is_ring:
            self._turn(before)
            self.change = Change(ZERO, self._turned, self.handle.axis)
        else:
            self.change = Change(self._offset(), 0.0, self.handle.axis)
        self.shown = self.change.snapped() if snap else self.change
        return self.shown

    def _offset(self) -> Vec3:
        gizmo, axis = self.gizmo, self.handle.axis
        if self.handle.is_plane:
            met = gizmo.on_plane(axis, *self._at)
            return self.change.offset if met is None else sub(met, self._first)
        metres = gizmo.on_axis(axis, *self._at)
        return self.change.offset if metres is None else sub(scale(AXES[axis], metres), self._first)

    def _turn(self, before: Pixel) -> None:
        if self._tangent is not None:
            dx, dy = self._at[0] - before[0], self._at[1] - before[1]
            radius = LENGTH * RING * self.gizmo.ratio
            self._turned += math.degrees((dx * self._tangent[0] + dy * self._tangent[1]) / radius)
            return
        angle = self._angle()
        if angle is not None:
            self._turned += (angle - self._last_angle + 180.0) % 360.0 - 180.0
            self._last_angle = angle

    def _angle(self) -> float | None:
        """Degrees about the ring's axis at which the mouse is."""
        met = self.gizmo.on_plane(self.handle.axis, *self._at)
        if met is None or met == ZERO:
            return None
        a, b = self.handle.spans
        return math.degrees(math.atan2(met[b], met[a]))

    def _tangent_here(self) -> Pixel:
        """Which way on the screen the near side of a ring seen from its edge moves when it turns on."""
        gizmo, axis = self.gizmo, AXES[self.handle.axis]
        way = cross(axis, scale(gizmo.look, -1.0))
        x, y, _ = _projected_way(gizmo.camera, way)
        size = math.hypot(x, y)
        return (x / size, y / size) if size > 0.0 else (1.0, 0.0)


def place_gizmo(
    camera: Camera, block_id: int, centre: Vec3, handles: tuple[Handle, ...], ratio: float = 1.0
) -> Gizmo | None:
    """A gizmo about a point; None where that is not before the eye."""
    offset = sub(centre, camera.eye_in(block_id))
    ahead = dot(camera.forward, offset)
    if ahead < NEAREST or length(offset) > FAR:
        return None
    return Gizmo(camera, block_id, centre, handles, LENGTH * ratio * ahead / camera.focal, ratio)


def _projected_way(camera: Camera, way: Vec3) -> tuple[float, float, float]:
    """What a metre that way adds to a projected point."""
    ahead = dot(camera.forward, way)
    across = camera.width / 2.0 * ahead + camera.focal * dot(camera.right, way)
    down = camera.height / 2.0 * ahead - camera.focal * dot(camera.up, way)
    return (across, down, ahead)


def across_axis(axis: int, flat: Points) -> Points:
    """Points of a plane, (n, 2), as points of the plane through the middle across an axis, (n, 3)."""
    placed = np.zeros((len(flat), 3))
    placed[:, (axis + 1) % 3] = flat[:, 0]
    placed[:, (axis + 2) % 3] = flat[:, 1]
    return placed


def circle(segments: int) -> Points:
    """Points of the unit circle."""
    angles = np.arange(segments) * (2.0 * math.pi / segments)
    return np.stack([np.cos(angles), np.sin(angles)], axis=1)


_LOW, _HIGH = PLANE
_SQUARES: Final = [
    across_axis(axis, np.array([(_LOW, _LOW), (_HIGH, _LOW), (_HIGH, _HIGH), (_LOW, _HIGH)])) for axis in range(3)
]
_CIRCLES: Final = [across_axis(axis, circle(SEGMENTS)) for axis in range(3)]


def _to_segments(a: Points, b: Points, x: float, y: float) -> float:
    """How far a pixel is from the nearest of some segments."""
    way = b - a
    reach = np.array((x, y)) - a
    size2 = np.maximum((way * way).sum(axis=1), 1e-12)
    part = np.clip((way * reach).sum(axis=1) / size2, 0.0, 1.0)
    off = reach - way * part[:, None]
    return float(np.sqrt((off * off).sum(axis=1).min()))


def _is_inside(corners: Points, x: float, y: float) -> bool:
    """Whether a pixel lies in a convex polygon."""
    way = np.roll(corners, -1, axis=0) - corners
    reach = np.array((x, y)) - corners
    side = way[:, 0] * reach[:, 1] - way[:, 1] * reach[:, 0]
    return bool((side >= 0.0).all() or (side <= 0.0).all())
