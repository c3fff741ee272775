"""Geometry of the gizmo that moves and turns things: where its handles are on the screen, which one is under the mouse,
and what change a drag makes. `manipulation` turns changes into edits, `gizmo_drawing` draws.

The gizmo keeps its size on the screen at any distance. Pixels are the picture's, with y down; `ratio` of them make one
pixel of the window. A drag without a meaning (past the vanishing point of an axis, or behind the eye) changes nothing.
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
"""Window pixels from the centre to the tip of an arrow perpendicular to the view."""

INNER: Final = 0.16
"""Where an arrow begins, as a fraction of its length: the centre of the thing stays free."""

PLANE: Final = (0.26, 0.48)
"""Start and end of a plane's handle along its two axes."""

RING: Final = 0.86
SEGMENTS: Final = 64

GRAB: Final = 7.0
"""Window pixels beside a line within which a click still hits it."""

INSIDE_PLANE: Final = 3.0
"""The distance in pixels at which a plane's handle under the mouse counts: an arrow nearer to the mouse wins."""

NEAREST: Final = 0.3
"""The smallest distance from the eye, in metres, at which the gizmo exists."""

FAR: Final = 1000.0
"""The longest move of a single drag, in metres."""

POINTS_AT_EYE: Final = (0.94, 0.985)
"""Cosines between an axis and the view direction at which its arrow starts to fade and has vanished."""

EDGE_ON: Final = (0.22, 0.12)
"""Cosines between a plane's normal and the view direction at which its handle starts to fade and has vanished."""

LINE_RING: Final = 0.2
"""Below this cosine a ring appears as a line, and moving along that line turns it."""

STEP: Final = 0.25
"""The grid, in metres, that Ctrl snaps to."""
TURN_STEP: Final = 15.0
FINE: Final = 0.1
"""The fraction of the mouse's motion that counts while Shift is held."""

AXES: Final[tuple[Vec3, Vec3, Vec3]] = ((1.0, 0.0, 0.0), (0.0, 1.0, 0.0), (0.0, 0.0, 1.0))
LETTERS: Final = "xyz"


class Mode(Enum):
    """The gizmo's mode."""

    MOVE = "move"
    TURN = "turn"


class Handle(Enum):
    """The gizmo's handles: an arrow, the plane across an axis, the ring about one."""

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
        """The axis of an arrow or a ring; for a plane, its normal."""
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
    """The change made by a drag so far: metres, and degrees about `axis`, counter-clockwise seen from its tip."""

    offset: Vec3 = ZERO
    turn: float = 0.0
    axis: int = 2

    @property
    def is_none(self) -> bool:
        return self.offset == ZERO and self.turn == 0.0

    def snapped(self) -> Change:
        """The change in steps of a quarter of a metre and fifteen degrees."""
        x, y, z = self.offset
        return Change(
            (_stepped(x, STEP), _stepped(y, STEP), _stepped(z, STEP)), _stepped(self.turn, TURN_STEP), self.axis
        )


def _stepped(value: float, step: float) -> float:
    return round(value / step) * step + 0.0  # avoids a minus before a zero


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
        """Metres from the centre to a tip."""
        self.ratio = ratio
        self.eye = camera.eye_in(block_id)
        self.look = normalized(sub(centre, self.eye))

    # --- on the screen

    def pixel(self, point: Vec3) -> Pixel:
        """Project a point of the landblock, which must be in front of the eye."""
        p = self.camera.project_offset(*sub(point, self.eye))
        return (p.x / p.w, p.y / p.w)

    def along(self, axis: int, reach: float) -> Vec3:
        return add(self.centre, scale(AXES[axis], self.size * reach))

    def tip(self, axis: int) -> Pixel:
        return self.pixel(self.along(axis, 1.0))

    def arrow(self, axis: int) -> tuple[Pixel, Pixel]:
        """The two ends of an arrow."""
        return self.pixel(self.along(axis, INNER)), self.tip(axis)

    def pixels(self, reaches: Points) -> Points:
        """Project many points at once, each given in arrow lengths along x, y and z from the centre, (n, 3)."""
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
        """The points of a ring, and how much farther than the centre each is, as a fraction of its radius."""
        way = _CIRCLES[axis]
        return self.pixels(way * RING), way @ np.array(self.look)

    def strength(self, handle: Handle) -> float:
        """How visible a handle is, 0 to 1: an arrow that points at the eye cannot be dragged, nor a plane seen from its
        edge."""
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

    # --- mouse to motion

    def on_axis(self, axis: int, x: float, y: float) -> float | None:
        """Metres of the mouse along an axis, measured along the line of that axis on the screen; motion across the line
        does not count. None past the axis' vanishing point, and where the axis points at the eye."""
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
        """The point, from the centre, where the mouse meets the plane across an axis; None where it does not."""
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
    """A handle being dragged, from where it was grabbed."""

    def __init__(self, gizmo: Gizmo, handle: Handle, x: float, y: float) -> None:
        self.gizmo = gizmo
        self.handle = handle
        self.change = Change(axis=handle.axis)
        self.shown = self.change
        """The last change returned, snapped if the caller asked for that."""
        self.start_angle = 0.0
        """Degrees about the ring's axis at which it was grabbed."""
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
        """Move the mouse to a pixel; return the change of the whole drag."""
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
        """The angle of the mouse about the ring's axis, in degrees."""
        met = self.gizmo.on_plane(self.handle.axis, *self._at)
        if met is None or met == ZERO:
            return None
        a, b = self.handle.spans
        return math.degrees(math.atan2(met[b], met[a]))

    def _tangent_here(self) -> Pixel:
        """The direction on the screen in which the near side of a ring, seen from its edge, moves in a positive
        turn."""
        gizmo, axis = self.gizmo, AXES[self.handle.axis]
        way = cross(axis, scale(gizmo.look, -1.0))
        x, y, _ = _projected_way(gizmo.camera, way)
        size = math.hypot(x, y)
        return (x / size, y / size) if size > 0.0 else (1.0, 0.0)


def place_gizmo(
    camera: Camera, block_id: int, centre: Vec3, handles: tuple[Handle, ...], ratio: float = 1.0
) -> Gizmo | None:
    """A gizmo about a point; None if the point is not in front of the eye."""
    offset = sub(centre, camera.eye_in(block_id))
    ahead = dot(camera.forward, offset)
    if ahead < NEAREST or length(offset) > FAR:
        return None
    return Gizmo(camera, block_id, centre, handles, LENGTH * ratio * ahead / camera.focal, ratio)


def _projected_way(camera: Camera, way: Vec3) -> tuple[float, float, float]:
    """The shift of a projected point for one metre in a direction."""
    ahead = dot(camera.forward, way)
    across = camera.width / 2.0 * ahead + camera.focal * dot(camera.right, way)
    down = camera.height / 2.0 * ahead - camera.focal * dot(camera.up, way)
    return (across, down, ahead)


def across_axis(axis: int, flat: Points) -> Points:
    """Turn points of a plane, (n, 2), into points of the plane through the centre across an axis, (n, 3)."""
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
    """The distance of a pixel from the nearest of some segments."""
    way = b - a
    reach = np.array((x, y)) - a
    size2 = np.maximum((way * way).sum(axis=1), 1e-12)
    part = np.clip((way * reach).sum(axis=1) / size2, 0.0, 1.0)
    off = reach - way * part[:, None]
    return float(np.sqrt((off * off).sum(axis=1).min()))


def _is_inside(corners: Points, x: float, y: float) -> bool:
    """Whether a pixel is inside a convex polygon."""
    way = np.roll(corners, -1, axis=0) - corners
    reach = np.array((x, y)) - corners
    side = way[:, 0] * reach[:, 1] - way[:, 1] * reach[:, 0]
    return bool((side >= 0.0).all() or (side <= 0.0).all())
