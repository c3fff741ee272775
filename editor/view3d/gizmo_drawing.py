"""Draws the gizmo: arrows, squares and rings with a dark rim, readable on any background, and a letter at each tip in
addition to the axis' colour."""

from __future__ import annotations

import math
from itertools import pairwise
from typing import Final

import numpy as np

from editor.view3d.gizmo import AXES, INNER, LETTERS, RING, Gizmo, Grip, Handle, Pixel, Points, across_axis, circle
from engine.geometry.vec import add, dot, scale, sub
from engine.render.overlays.geometry import Colour, Label, OverlayGeometry
from engine.render.overlays.ink import Ink
from engine.render.overlays.palette import faint

COLOURS: Final[tuple[Colour, Colour, Colour]] = ((242, 92, 92, 255), (132, 204, 82, 255), (98, 160, 255, 255))
HOT: Final = (255, 222, 102, 255)
RIM: Final = (10, 12, 14, 190)
MIDDLE: Final = (240, 243, 247, 255)

WIDTH: Final = 3.0
"""Line width in window pixels; the hot line is a little wider."""
HOT_WIDTH: Final = 4.0
RIM_WIDTH: Final = 3.0
"""The width that the dark rim adds."""

HEAD: Final = 0.80
"""Where an arrow's head begins, as a fraction of its length."""
HEAD_WIDE: Final = 0.062
BASE_SEGMENTS: Final = 12

BACK: Final = 0.3
"""Opacity of a ring on its far side."""

BESIDE: Final = 13.0
"""Window pixels from a tip to the middle of its letter."""

RING_LETTERS: Final = ((-0.6, -0.8), (0.8, -0.6), (0.3, 1.0))
"""Directions on the screen from the centre to the letters of the three rings."""

BELOW: Final = 30.0
"""Pixels from the mouse to the numbers of a drag."""

FILL: Final = 0.4
GUIDE: Final = 0.75

PIE_STEP: Final = 4.0
"""Degrees between neighbouring corners of the sector that shows a turn."""


def gizmo_overlay(gizmo: Gizmo, hot: Handle | None) -> OverlayGeometry:
    """Draw all handles, the far ones first; `hot` is the one under the mouse."""
    ink = Ink()
    for handle in sorted(gizmo.handles, key=lambda handle: _nearness(gizmo, handle)):
        strength = gizmo.strength(handle)
        if strength > 0.0:
            _handle(ink, gizmo, handle, handle is hot, strength)
    _dot(ink, gizmo)
    return OverlayGeometry(screen_meshes=[ink.mesh()], labels=_letters(gizmo, hot))


def grip_overlay(gizmo: Gizmo, grip: Grip, words: str, mouse: Pixel) -> OverlayGeometry:
    """Draw only the dragged handle, with its guide lines and the distance so far. `gizmo` is at the thing's present
    place."""
    ink = Ink()
    handle = grip.handle
    if handle.is_ring:
        _sector(ink, gizmo, grip)
    else:
        _guides(ink, gizmo, handle)
        _way(ink, gizmo, grip)
    _handle(ink, gizmo, handle, True, 1.0)
    _dot(ink, gizmo)
    said = Label(words, HOT, pixel=(mouse[0], mouse[1] + BELOW * gizmo.ratio))
    return OverlayGeometry(screen_meshes=[ink.mesh()], labels=[said])


def _nearness(gizmo: Gizmo, handle: Handle) -> float:
    """The drawing order: planes under arrows, and arrows that point at the eye last."""
    return -2.0 if handle.is_plane else -dot(AXES[handle.axis], gizmo.look)


def _handle(ink: Ink, gizmo: Gizmo, handle: Handle, hot: bool, strength: float) -> None:
    colour = faint(HOT if hot else COLOURS[handle.axis], strength)
    rim = faint(RIM, strength)
    width = (HOT_WIDTH if hot else WIDTH) * gizmo.ratio
    if handle.is_arrow:
        _arrow(ink, gizmo, handle.axis, colour, rim, width)
    elif handle.is_plane:
        square = gizmo.square(handle)
        thin = 1.5 * gizmo.ratio
        ink.polygon(square, faint(colour, 0.8 if hot else FILL))
        ink.stroke(square, (rim, thin + RIM_WIDTH * gizmo.ratio), (colour, thin), closed=True)
    else:
        points, depth = gizmo.ring(handle.axis)
        fade = np.clip(1.0 - (depth - 0.05) * 6.0, BACK, 1.0)
        ink.stroke(points, (rim, width + RIM_WIDTH * gizmo.ratio), (colour, width), closed=True, fade=fade)


def _arrow(ink: Ink, gizmo: Gizmo, axis: int, colour: Colour, rim: Colour, width: float) -> None:
    seen = gizmo.pixels(_ARROWS[axis])
    base, shaft = seen[:BASE_SEGMENTS], seen[BASE_SEGMENTS : BASE_SEGMENTS + 2]
    head = _hull([*map(tuple, base.tolist()), tuple(seen[-1].tolist())])
    more = RIM_WIDTH * gizmo.ratio
    ink.stroke(head, (rim, more), closed=True)
    ink.stroke(shaft, (rim, width + more), (colour, width))
    ink.polygon(head, colour)
    if dot(AXES[axis], gizmo.look) > 0.0:  # its flat side faces the eye
        ink.polygon(base, _darker(colour))


def _dot(ink: Ink, gizmo: Gizmo) -> None:
    x, y = gizmo.pixel(gizmo.centre)
    for radius, colour in ((5.0, RIM), (3.0, MIDDLE)):
        ink.polygon(_BASE * (radius * gizmo.ratio) + np.array((x, y)), colour)


def _guides(ink: Ink, gizmo: Gizmo, handle: Handle) -> None:
    """Draw the lines that a drag follows, across the whole picture."""
    axes = (handle.axis,) if handle.is_arrow else handle.spans
    for axis in axes:
        line = _across_picture(gizmo, axis)
        if line is not None:
            ratio = gizmo.ratio
            ink.stroke(line, (faint(RIM, 0.6), 3.0 * ratio), (faint(COLOURS[axis], GUIDE), ratio))


def _across_picture(gizmo: Gizmo, axis: int) -> Points | None:
    """The part of a line through the centre that is in front of the eye."""
    ends = []
    toward = dot(gizmo.camera.forward, AXES[axis])
    ahead = dot(gizmo.camera.forward, sub(gizmo.centre, gizmo.eye))
    for sign in (-1.0, 1.0):
        reach = 60.0 * gizmo.size
        if toward * sign < 0.0:  # stop well before the eye
            reach = min(reach, ahead * 0.8 / -(toward * sign))
        ends.append(gizmo.pixel(add(gizmo.centre, scale(AXES[axis], sign * reach))))
    return None if ends[0] == ends[1] else np.array(ends)


def _way(ink: Ink, gizmo: Gizmo, grip: Grip) -> None:
    """Draw the line from the thing's old place to its new one."""
    start = grip.gizmo.centre
    if dot(gizmo.camera.forward, sub(start, gizmo.eye)) < 0.1 or start == gizmo.centre:
        return
    line = np.array([gizmo.pixel(start), gizmo.pixel(gizmo.centre)])
    ink.stroke(line, (RIM, 5.0 * gizmo.ratio), (HOT, 2.0 * gizmo.ratio))


def _sector(ink: Ink, gizmo: Gizmo, grip: Grip) -> None:
    """Draw the turn so far as a sector of the disc."""
    turned = max(-360.0, min(360.0, grip.shown.turn))
    count = max(2, int(abs(turned) / PIE_STEP) + 2)
    a, b = (AXES[axis] for axis in grip.handle.spans)
    corners: list[Pixel] = []
    for i in range(count):
        angle = math.radians(grip.start_angle + turned * i / (count - 1))
        way = add(scale(a, math.cos(angle)), scale(b, math.sin(angle)))
        corners.append(gizmo.pixel(add(gizmo.centre, scale(way, gizmo.size * RING))))
    middle = gizmo.pixel(gizmo.centre)
    if turned:
        for first, second in pairwise(corners):
            ink.triangle(middle, first, second, faint(HOT, 0.3))
    for end in (corners[0], corners[-1]):
        ink.stroke(np.array([middle, end]), (RIM, 4.5 * gizmo.ratio), (HOT, 1.5 * gizmo.ratio))


def _letters(gizmo: Gizmo, hot: Handle | None) -> list[Label]:
    """Positions of the letters: beside the arrows' tips, and at the rightmost points of the rings."""
    found = []
    middle = gizmo.pixel(gizmo.centre)
    for handle in gizmo.handles:
        if handle.is_plane or gizmo.strength(handle) < 0.5:
            continue
        colour = HOT if handle is hot else COLOURS[handle.axis]
        place = _beyond(middle, _letter_place(gizmo, handle), BESIDE * gizmo.ratio)
        found.append(Label(LETTERS[handle.axis].upper(), colour, pixel=place))
    return found


def _letter_place(gizmo: Gizmo, handle: Handle) -> Pixel:
    if handle.is_arrow:
        return gizmo.tip(handle.axis)
    points, _ = gizmo.ring(handle.axis)
    x, y = points[int(np.argmax(points @ np.array(RING_LETTERS[handle.axis])))]
    return (float(x), float(y))


def _beyond(middle: Pixel, tip: Pixel, by: float) -> Pixel:
    dx, dy = tip[0] - middle[0], tip[1] - middle[1]
    size = math.hypot(dx, dy) or 1.0
    return (tip[0] + dx / size * by, tip[1] + dy / size * by)


def _darker(colour: Colour) -> Colour:
    return (colour[0] * 3 // 5, colour[1] * 3 // 5, colour[2] * 3 // 5, colour[3])


def _hull(points: list[Pixel]) -> Points:
    """The convex outline of some pixels."""
    ordered = sorted(set(points))
    if len(ordered) < 3:
        return np.array(ordered)
    return np.array([*_half(ordered), *_half(ordered[::-1])])


def _half(ordered: list[Pixel]) -> list[Pixel]:
    found: list[Pixel] = []
    for point in ordered:
        while len(found) > 1 and _bends(found[-2], found[-1], point) <= 0.0:
            found.pop()
        found.append(point)
    return found[:-1]


def _bends(a: Pixel, b: Pixel, c: Pixel) -> float:
    return (b[0] - a[0]) * (c[1] - a[1]) - (b[1] - a[1]) * (c[0] - a[0])


def _arrow_points(axis: int) -> Points:
    """The rim of the head's base, both ends of the shaft, and the tip."""
    along = np.array(AXES[axis])
    base = across_axis(axis, circle(BASE_SEGMENTS) * HEAD_WIDE) + along * HEAD
    return np.concatenate([base, [along * INNER, along * HEAD, along]])


_BASE: Final = circle(BASE_SEGMENTS)
_ARROWS: Final = [_arrow_points(axis) for axis in range(3)]
