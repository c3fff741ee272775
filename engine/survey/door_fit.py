"""Checks whether a closed door fills the doorway that it stands in (physics.md 9.1)."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from engine.entities.door import Door
from engine.geometry.frame import Frame
from engine.geometry.vec import Vec3
from engine.world.cells.ids import block_of
from engine.world.cells.objects import Setup
from engine.world.landblock import Landblock

GAP: Final = 0.1
"""Metres that may stay open at a side; a body is wider, and hinges need some."""

NEAR: Final = 0.8
"""Metres from the door's plane to its opening: no wall is thicker."""

UPRIGHT: Final = 0.3
"""Metres of depth in the door's space up to which an opening counts as parallel to it."""


class Extent:
    """The extent of some points across (x) and up (z) in the door's own space, and their depth (y)."""

    def __init__(self, points: list[Vec3]) -> None:
        self.left, self.right = min(p[0] for p in points), max(p[0] for p in points)
        self.low, self.high = min(p[2] for p in points), max(p[2] for p in points)
        self.near, self.far = min(p[1] for p in points), max(p[1] for p in points)


def gap_of(door: Door, block: Landblock) -> str | None:
    """How much of its doorway a closed door leaves open, as a phrase; None when it fills the doorway or stands in
    none."""
    slab = _slab(door)
    opening = _opening(door, block)
    if slab is None or opening is None:
        return None
    gaps = {
        "on one side": slab.left - opening.left,
        "on the other side": opening.right - slab.right,
        "below": slab.low - opening.low,
        "above": opening.high - slab.high,
    }
    open_ = [f"{gap:.2f} m {where}" for where, gap in gaps.items() if gap > GAP]
    if gaps["on one side"] <= GAP:  # then it is on the other side
        open_ = [told.replace("the other side", "one side") for told in open_]
    return f"leaves {', '.join(open_)} of its doorway open" if open_ else None


def _slab(door: Door) -> Extent | None:
    """The extent in the pose in which the door collides."""
    return slab_of(door.setup, door.collision_pose() or [], door.scale)


def slab_of(setup: Setup, pose: Sequence[Frame], scale: float) -> Extent | None:
    """The extent of all colliding shapes of a model; `pose` has frames for its parts, the placement for the rest."""
    corners: list[Vec3] = []
    for index, part in enumerate(setup.parts):
        if part.gfxobj is None or part.gfxobj.physics_tree is None:
            continue
        frame = pose[index] if index < len(pose) else setup.part_frame(index)
        for polygon in part.gfxobj.physics_polygons.values():
            for x, y, z in polygon.vertices:
                sx, sy, sz = part.scale
                px, py, pz = frame.local_to_global((x * sx, y * sy, z * sz))
                corners.append((px * scale, py * scale, pz * scale))
    return Extent(corners) if corners else None


def _opening(door: Door, block: Landblock) -> Extent | None:
    """The nearest opening that is parallel to the door and overlaps it in width."""
    if block_of(door.place_cell()) != block_of(block.id):
        return None
    best: tuple[float, Extent] | None = None
    origin = door.frame.origin
    for cell in block.env_cells:
        here = cell.frame.global_to_local(origin)
        for portal in cell.portals:
            if portal.polygon is None or abs(portal.polygon.plane.dist(here)) > 2.0 * NEAR:
                continue  # the second is nearly always so, and quickly asked
            corners = [
                door.frame.global_to_local(cell.frame.local_to_global(corner)) for corner in portal.polygon.vertices
            ]
            extent = Extent(corners)
            depth = max(abs(extent.near), abs(extent.far))
            across = extent.left <= 0.0 <= extent.right and extent.low - UPRIGHT <= 0.0 <= extent.high
            upright = extent.far - extent.near <= UPRIGHT and extent.high - extent.low > UPRIGHT
            if across and upright and depth <= NEAR and (best is None or depth < best[0]):
                best = (depth, extent)
    return None if best is None else best[1]
