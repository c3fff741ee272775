"""The tool that places something new into the world: the object, its place under the mouse, and the edit.

The object stands on the surface that was hit, its lowest point touching it. A door goes into the empty doorway under
the mouse.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from PySide6.QtCore import QObject, Signal, Slot

from editor.authoring.catalogue import Pattern, add_like
from editor.authoring.cell_lookup import cell_of_place, foot_of
from editor.authoring.doorways import Doorway, closed_slab, doorway_at, fits, fitted, is_empty
from editor.session.session import Kind, Selection
from engine.geometry.frame import Frame, heading_of
from engine.geometry.quat import from_heading
from engine.geometry.vec import ZERO, Vec3, add, dot, scale
from engine.render.draws import Owner, PartDraw
from engine.render.overlays.geometry import OverlayGeometry
from engine.render.overlays.palette import ACCEPTED, CURRENT, faint
from engine.render.overlays.selection import parts_outline
from engine.render.overlays.sketch import Sketch
from engine.render.parts import PlacedObject, part_draws, resting_pose
from engine.render.picking.hits import Hit, PickMode
from engine.world.cells.ids import landblock_id
from engine.world.cells.landdefs import block_offset
from engine.world.cells.objects import Setup

if TYPE_CHECKING:
    from editor.view3d.view import View3D

STEP: Final = 15.0
"""Degrees that one step turns the object."""

FLOOR: Final = 0.6
"""The smallest upward component of a surface's normal for things to stand on it."""

BEHIND_HIT: Final = 0.05
"""Metres that a doorway may be behind the surface seen in it."""

FRONT: Final = 0.6
"""Length in metres of the arrow that shows the front."""

NOWHERE: Final = "Point at a surface to put it on"


@dataclass(frozen=True)
class DropSpot:
    """The place where the object would stand."""

    cell_id: int
    frame: Frame
    doorway: Doorway | None = None


class Placing(QObject):
    """The tool that places objects in the view."""

    changed = Signal()
    """The preview changed."""
    switched = Signal()
    """The tool was started or ended."""

    def __init__(self, viewing: View3D) -> None:
        super().__init__(viewing)
        self._viewing = viewing
        self.pattern: Pattern | None = None
        self.spot: DropSpot | None = None
        self.turned = 0.0
        self._mouse: tuple[float, float] | None = None
        viewing.document.started.connect(self.leave)

    # --- the tool

    @property
    def is_on(self) -> bool:
        return self.pattern is not None

    def begin(self, pattern: Pattern) -> None:
        self.pattern = pattern
        self.turned = 0.0
        self.spot = None
        self.switched.emit()
        self.changed.emit()

    @Slot()
    def leave(self) -> None:
        if self.pattern is not None:
            self.pattern, self.spot, self._mouse = None, None, None
            self.switched.emit()
            self.changed.emit()

    def turn(self, steps: int) -> None:
        """Turn the object by a step, clockwise seen from above; a door in a doorway turns to the other side."""
        self.turned = (self.turned + (180.0 if self._in_doorway else STEP * steps)) % 360.0
        if self._mouse is not None:
            self.point_at(*self._mouse)

    @property
    def _in_doorway(self) -> bool:
        return self.spot is not None and self.spot.doorway is not None

    @property
    def words(self) -> str:
        """The text of the hint strip."""
        if self.pattern is None:
            return ""
        name, spot = self.pattern.spec.name, self.spot
        turning = "R flips it" if self._in_doorway else f"R or Alt+wheel turns it by {STEP:.0f}°"
        where = NOWHERE
        if spot is not None:
            where = f"Click to put {name} into {self._viewing.document.names.cell(spot.cell_id)}"
        if spot is not None and spot.doorway is not None:
            size = f"{spot.doorway.width:.2f} × {spot.doorway.height:.2f} m"
            where = f"Click to fit {name} into this doorway, {size}"
        return f"{where}  ·  {turning}  ·  Shift+click places several  ·  Esc leaves"

    # --- under the mouse

    def point_at(self, x: float, y: float) -> None:
        """Move the mouse to a pixel; find the place where the object would stand."""
        self._mouse = (x, y)
        self.spot = self._spot(x, y)
        self.changed.emit()

    def point_away(self) -> None:
        self._mouse = self.spot = None
        self.changed.emit()

    def put(self, *, again: bool = False) -> bool:
        """Place the object at the preview; False when there is none. With `again` the tool stays active."""
        spot, pattern = self.spot, self.pattern
        if spot is None or pattern is None or not self._add(pattern, spot):
            return False
        self.spot = None
        if not again:
            self.leave()
        return True

    def put_on(self, hit: Hit, pattern: Pattern) -> bool:
        """Place an object on the surface that was hit, without the tool."""
        spot = self.spot_on(hit, pattern)
        return spot is not None and self._add(pattern, spot)

    def _add(self, pattern: Pattern, spot: DropSpot) -> bool:
        sim, viewing = self._viewing.sim, self._viewing
        if sim is None:
            return False
        edit = add_like(sim, pattern, spot.cell_id, spot.frame.origin, spot.frame.heading())
        if not viewing.document.edit(f"Add {pattern.spec.name}", edit):
            return False
        viewing.session.select(Selection(Kind.ENTITY, landblock_id(spot.cell_id), edit.entity_id))
        return True

    def _spot(self, x: float, y: float) -> DropSpot | None:
        sim, pattern = self._viewing.sim, self.pattern
        setup = None if sim is None or pattern is None else sim.world.setup(pattern.spec.setup_id)
        if sim is None or pattern is None or setup is None:
            return None
        hit = self._viewing.pick(x, y)
        if pattern.is_door:
            spot = self._doorway_spot(setup, hit, x, y)
            if spot is not None:
                return spot
        return None if hit is None else self.spot_on(hit, pattern)

    def _doorway_spot(self, setup: Setup, hit: Hit | None, x: float, y: float) -> DropSpot | None:
        """The empty doorway under the mouse, if the door fits into it."""
        sim, pattern = self._viewing.sim, self.pattern
        seen = self._viewing.pick(x, y, PickMode.PORTAL)
        if sim is None or pattern is None or seen is None or (hit is not None and seen.t > hit.t + BEHIND_HIT):
            return None
        doorway = doorway_at(sim.graph, *self._portal_of(seen))
        slab = closed_slab(sim, pattern.spec, setup)
        if doorway is None or slab is None or not fits(slab, doorway) or not is_empty(sim, doorway):
            return None
        way = self._forward()
        front = scale(way, -1.0) if self.turned >= 180.0 else way
        return DropSpot(doorway.cell_id, fitted(slab, doorway, front), doorway)

    def _portal_of(self, hit: Hit) -> tuple[int, int]:
        """A room and the number of its portal; a building's opening has a room with a portal behind it."""
        if not hit.object_id or self._viewing.sim is None:
            return hit.cell_id, hit.portal_index
        block = self._viewing.sim.world.landblock(hit.block_id)
        for building in [] if block is None else block.buildings:
            if building.id == hit.object_id and 0 <= hit.portal_index < len(building.portals):
                portal = building.portals[hit.portal_index]
                return portal.other_cell_id, portal.other_portal_id
        return hit.cell_id, -1

    def spot_on(self, hit: Hit, pattern: Pattern) -> DropSpot | None:
        """The place on a surface: the lowest corner touches it, and the front faces the eye, rounded to a step."""
        sim = self._viewing.sim
        setup = None if sim is None else sim.world.setup(pattern.spec.setup_id)
        if sim is None or setup is None:
            return None
        back = scale(self._forward(), -1.0)
        heading = round(heading_of(back) / STEP) * STEP + self.turned
        frame = Frame(ZERO, from_heading(heading % 360.0))
        way = (0.0, 0.0, 1.0) if hit.normal[2] >= FLOOR else hit.normal
        corners = _corners(self._parts(pattern, setup, hit.cell_id, frame)) or [ZERO]
        sunk = min(dot(corner, way) for corner in corners)
        dx, dy, dz = block_offset(hit.cell_id, hit.block_id)
        x, y, z = add(hit.point, scale(way, -sunk))
        placed = Frame((x + dx, y + dy, z + dz), frame.rotation)
        return DropSpot(*cell_of_place(sim, hit.cell_id, placed, foot_of(setup, pattern.spec.scale)))

    def _forward(self) -> Vec3:
        """The level direction of the view."""
        last = self._viewing.last
        if last is None:
            return (0.0, 1.0, 0.0)
        x, y, _ = last.camera.forward
        return (x, y, 0.0) if x or y else (0.0, 1.0, 0.0)

    def _parts(self, pattern: Pattern, setup: Setup, cell_id: int, frame: Frame) -> list[PartDraw]:
        scene = self._viewing.scene
        if scene is None:
            return []
        ghost = PlacedObject(0, setup, frame, pattern.spec.scale, Owner.ENTITY, cell_id, resting_pose(setup))
        return part_draws(ghost, scene.shapes, 0)

    # --- the preview

    def overlay(self) -> OverlayGeometry:
        """The outline of the object that a click would place."""
        sim, spot, pattern = self._viewing.sim, self.spot, self.pattern
        setup = None if sim is None or pattern is None else sim.world.setup(pattern.spec.setup_id)
        if spot is None or pattern is None or setup is None:
            return OverlayGeometry()
        found = OverlayGeometry()
        colour = CURRENT if spot.doorway is None else ACCEPTED
        sketch = Sketch(spot.cell_id | 0xFFFF)
        if spot.doorway is not None:
            sketch.fill(spot.doorway.corners(), faint(ACCEPTED, 0.3), 0.6)
        sketch.arrow(spot.frame.origin, spot.frame.local_to_global_vec((0.0, FRONT, 0.0)), colour, 2.0, 1.0)
        found.add(sketch.geometry())
        found.add(parts_outline(self._parts(pattern, setup, spot.cell_id, spot.frame), colour=colour))
        return found


def _corners(parts: list[PartDraw]) -> list[Vec3]:
    """The bounding box of all parts' boxes."""
    found: list[Vec3] = []
    for part in parts:
        sx, sy, sz = part.scale
        found += [part.frame.local_to_global((x * sx, y * sy, z * sz)) for x, y, z in part.mesh.box.corners()]
    return found
