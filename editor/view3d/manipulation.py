"""Moves and turns the selection in the 3D view: gizmo drags, nudges, and other commands.

A drag streams edits merged into one undo step, so the running world reacts during the drag. Cancelling removes the
step.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Final

from PySide6.QtCore import QObject, Signal, Slot

from editor.authoring.catalogue import duplicate, free_guid
from editor.authoring.cell_lookup import cell_of_place
from editor.authoring.static_edits import add_static, find_static, new_static_id
from editor.document.document import Document
from editor.document.step_application import REFUSALS
from editor.session.session import Kind, Selection
from editor.view3d.gizmo import AXES, LETTERS, Change, Gizmo, Grip, Handle, Mode, Pixel, place_gizmo
from editor.view3d.gizmo_drawing import gizmo_overlay, grip_overlay
from editor.view3d.manipulable import Movable, movable_of
from engine.geometry.frame import Frame
from engine.geometry.quat import from_axis_angle, multiply, normalize
from engine.geometry.vec import Vec3, add, dot, scale
from engine.render.overlays.geometry import OverlayGeometry
from engine.sim.tick.simulation import Simulation
from engine.visibility.camera import Camera
from engine.world.cells.ids import landblock_id
from engine.world.cells.landdefs import block_offset

NUDGE: Final = 0.1
"""Metres that an arrow key moves: plain, with Shift and with Ctrl."""
FINE_NUDGE: Final = 0.01
COARSE_NUDGE: Final = 0.25
TURN_NUDGE: Final = 5.0
FINE_TURN_NUDGE: Final = 1.0
COARSE_TURN_NUDGE: Final = 15.0

WAYS: Final = ("east", "north", "up")
HELD: Final = "Ctrl snaps · Shift moves slowly · Esc cancels"
CHOOSE: Final = "Select an entity or an object first."
OF_LANDBLOCK: Final = "Objects of the landblock cannot be duplicated, only those of rooms, and entities."
STAYS: Final = "The player can be moved, but not deleted or duplicated."


class _Drag:
    """The state of a drag."""

    def __init__(self, key: str, thing: Movable, grip: Grip) -> None:
        self.key = key
        self.start = thing
        self.grip = grip
        self.mouse: Pixel = (0.0, 0.0)


class Manipulation(QObject):
    """Manipulates the selected thing. `camera` returns the camera of the picture shown."""

    changed = Signal()
    """The gizmo must be redrawn."""
    mode_changed = Signal()
    hinted = Signal(str)
    """A sentence about what the mouse would do, or does."""

    def __init__(self, document: Document, camera: Callable[[], Camera | None], parent: QObject | None = None) -> None:
        super().__init__(parent)
        self.document = document
        self.mode = Mode.MOVE
        self.hot: Handle | None = None
        self.ratio = 1.0
        """Picture pixels per window pixel."""
        self._camera = camera
        self._drag: _Drag | None = None
        self._steps = 0
        document.session.selection_changed.connect(self._on_selection)
        document.started.connect(self._on_selection)

    # --- the selected thing

    @property
    def is_dragging(self) -> bool:
        return self._drag is not None

    def thing(self) -> Movable | None:
        """The selected thing, if it may be moved now."""
        sim = self.document.simulation
        if sim is None or self.document.in_past:
            return None
        return movable_of(sim, self.document.session.selection)

    def gizmo(self, camera: Camera | None = None) -> Gizmo | None:
        """The gizmo at the present place of the selected thing."""
        thing = self.thing()
        seen_by = camera or self._camera()
        if thing is None or seen_by is None:
            return None
        return place_gizmo(seen_by, thing.cell_id, thing.frame.origin, thing.handles(self.mode), self.ratio)

    def overlay(self, camera: Camera) -> OverlayGeometry:
        """The overlay to draw over a picture."""
        gizmo = self.gizmo(camera)
        if gizmo is None:
            return OverlayGeometry()
        drag = self._drag
        if drag is None:
            return gizmo_overlay(gizmo, self.hot)
        return grip_overlay(gizmo, drag.grip, self._measure(drag), drag.mouse)

    def set_mode(self, mode: Mode) -> None:
        if mode is not self.mode:
            self.let_go()
            self.mode = mode
            self.hot = None
            self.mode_changed.emit()
            self.changed.emit()

    @Slot()
    def _on_selection(self) -> None:
        """The selection changed: further changes are a new undo step."""
        self._steps += 1
        self._drag = None
        self.hot = None

    # --- the mouse

    def hover(self, x: float, y: float) -> bool:
        """Move the mouse to a pixel; return whether a handle is under it."""
        gizmo = self.gizmo()
        hot = None if gizmo is None else gizmo.handle_at(x, y)
        if hot is not self.hot:
            self.hot = hot
            self.hinted.emit("" if hot is None else self._offer(hot))
            self.changed.emit()
        return hot is not None

    def point_away(self) -> None:
        if self.hot is not None and self._drag is None:
            self.hot = None
            self.changed.emit()

    def grab(self, x: float, y: float) -> bool:
        """Grab the handle under a pixel; False when there is none."""
        gizmo, thing = self.gizmo(), self.thing()
        handle = None if gizmo is None else gizmo.handle_at(x, y)
        if gizmo is None or thing is None or handle is None:
            return False
        self._steps += 1
        self._drag = _Drag(f"gizmo {self._steps}", thing, Grip(gizmo, handle, x, y))
        self._drag.mouse = (x, y)
        self.hot = handle
        self._tell()
        self.changed.emit()
        return True

    def drag(self, x: float, y: float, *, fine: bool = False, snap: bool = False) -> None:
        """Continue a drag with the mouse at a pixel."""
        drag, sim = self._drag, self.document.simulation
        if drag is None or sim is None:
            return
        drag.mouse = (x, y)
        change = drag.grip.move(x, y, fine=fine, snap=snap)
        thing = self.thing()
        if thing is None or thing.id != drag.start.id:
            self._drag = None  # an edit has removed it meanwhile
            self.changed.emit()
            return
        verb = "Turn" if drag.grip.handle.is_ring else "Move"
        self._put(sim, thing, _changed(drag.start, change), drag.start.cell_id, f"{verb} {thing.name}", drag.key)
        self._tell()
        self.changed.emit()

    def let_go(self) -> None:
        """End the drag; a drag that returned to its start leaves no step."""
        drag, self._drag = self._drag, None
        if drag is None:
            return
        thing, sim = self.thing(), self.document.simulation
        if drag.grip.shown.is_none:
            self.document.cancel_drag(drag.key)
        elif thing is not None and sim is not None and thing.kind is Kind.STATIC:
            self._bring_home(sim, drag, thing)
        self.hinted.emit("" if thing is None else self._done(drag))
        self.changed.emit()

    def _bring_home(self, sim: Simulation, drag: _Drag, thing: Movable) -> None:
        """Give a static object that was dragged into another room to that room, in the same undo step."""
        home, frame = cell_of_place(sim, thing.cell_id, thing.frame, thing.foot)
        name = self.document.stack.undo_text()
        if not thing.can_be_of(home) or not self.document.cancel_drag(drag.key):
            return
        new_id = new_static_id(sim, home)
        if self.document.edit(name, *drag.start.give_to(sim, home, frame)):
            self.document.session.select(Selection(Kind.STATIC, landblock_id(home), new_id))

    def cancel(self) -> bool:
        """Cancel the drag, restore the old place, and remove the undo step; False when nothing is being dragged."""
        drag, self._drag = self._drag, None
        if drag is None:
            return False
        self.document.cancel_drag(drag.key)
        self.hinted.emit(f"{drag.start.name} is back where it was")
        self.changed.emit()
        return True

    def _put(self, sim: Simulation, thing: Movable, wanted: Frame, block_id: int, name: str, key: str) -> None:
        """Place it at a frame given in the landblock of `block_id`."""
        dx, dy, dz = block_offset(thing.cell_id, block_id)
        x, y, z = wanted.origin
        here = Frame((x + dx, y + dy, z + dz), wanted.rotation)
        cell_id, frame = cell_of_place(sim, thing.cell_id, here, thing.foot)
        if cell_id != thing.cell_id or not _same(frame, thing.frame):
            self.document.edit(name, *thing.place(sim, cell_id, frame), drag=key)

    # --- descriptions

    def _offer(self, handle: Handle) -> str:
        thing = self.thing()
        name = "" if thing is None else thing.name
        if handle.is_ring:
            return f"Drag: turn {name} about {LETTERS[handle.axis]}  ·  {HELD}"
        if handle.is_plane:
            a, b = handle.spans
            return f"Drag: move {name} along {LETTERS[a]} and {LETTERS[b]}  ·  {HELD}"
        return f"Drag: move {name} along {LETTERS[handle.axis]}, {WAYS[handle.axis]}  ·  {HELD}"

    def _measure(self, drag: _Drag) -> str:
        """The distance or angle, for the label beside the mouse."""
        return measure(drag.grip.handle, drag.grip.shown, drag.start.frame)

    def _tell(self) -> None:
        drag = self._drag
        if drag is not None:
            verb = "Turning" if drag.grip.handle.is_ring else "Moving"
            self.hinted.emit(f"{verb} {drag.start.name}  {self._measure(drag)}  ·  {HELD}")

    def _done(self, drag: _Drag) -> str:
        if drag.grip.shown.is_none:
            return ""
        verb = "Turned" if drag.grip.handle.is_ring else "Moved"
        return f"{verb} {drag.start.name}  {self._measure(drag)}"

    # --- keys

    def nudge(self, across: int, along: int, up: int, *, fine: bool = False, coarse: bool = False) -> bool:
        """Nudge it as seen (to the right, away, up) or turn it. Repeated nudges are one undo step."""
        thing, sim, camera = self.thing(), self.document.simulation, self._camera()
        if thing is None or sim is None or camera is None or self._drag is not None:
            return False
        if self.mode is Mode.TURN:
            degrees = FINE_TURN_NUDGE if fine else COARSE_TURN_NUDGE if coarse else TURN_NUDGE
            change = Change(turn=-degrees * (across + along + up))
        else:
            metres = FINE_NUDGE if fine else COARSE_NUDGE if coarse else NUDGE
            ways = (_level_axis(camera.right), _level_axis(_level_forward(camera)), AXES[2])
            steps = (across, along, up)
            offset: Vec3 = (0.0, 0.0, 0.0)
            for way, count in zip(ways, steps, strict=True):
                offset = add(offset, scale(way, metres * count))
            change = Change(offset)
        verb = "Turn" if self.mode is Mode.TURN else "Move"
        key = f"nudge {self._steps} {verb}"
        self._put(sim, thing, _changed(thing, change), thing.cell_id, f"{verb} {thing.name}", key)
        return True

    # --- other commands

    def why_not(self, *, player: bool = False) -> str:
        """Why the selection cannot be manipulated; empty when it can."""
        thing = self.thing()
        if thing is None:
            return self.document.why_not_edit or CHOOSE
        return STAYS if thing.is_player and not player else ""

    @property
    def why_not_duplicate(self) -> str:
        """Why the selection cannot be duplicated; empty when it can."""
        thing = self.thing()
        return self.why_not() if thing is None else why_not_duplicate(self.document.sim, thing)

    @Slot()
    def drop(self) -> None:
        """Drop it onto the surface below it."""
        thing, sim = self.thing(), self.document.simulation
        if thing is None or sim is None:
            return
        name = f"Drop {thing.name} to the Floor"
        try:
            edits = thing.drop(sim)
        except REFUSALS as error:
            self.document.refused.emit(f"{name}: {error}")
            return
        self.document.edit(name, *edits)

    @Slot()
    def delete(self) -> None:
        thing, sim = self.thing(), self.document.simulation
        if thing is None or sim is None or thing.is_player:
            return
        if self.document.edit(f"Delete {thing.name}", *thing.remove(sim)):
            self.document.session.select(None)

    @Slot()
    def duplicate(self) -> None:
        """Add a copy one metre to the right and select it."""
        thing, sim, camera = self.thing(), self.document.simulation, self._camera()
        if thing is None or sim is None or self.why_not_duplicate:
            return
        way = AXES[0] if camera is None else _level_axis(camera.right)
        if thing.kind is Kind.STATIC:
            self._duplicate_static(sim, thing, way)
            return
        guid = free_guid(sim)
        if self.document.edit(f"Duplicate {thing.name}", *duplicate(sim, thing.id, guid, way)):
            cell_id = sim.population.entity(guid).place_cell()
            self.document.session.select(Selection(Kind.ENTITY, landblock_id(cell_id), guid))

    def _duplicate_static(self, sim: Simulation, thing: Movable, way: Vec3) -> None:
        place = find_static(sim, thing.id)
        if place is None:
            return
        new = new_static_id(sim, place.cell_id)
        frame = Frame(add(place.frame.origin, way), place.frame.rotation)
        if self.document.edit(f"Duplicate {thing.name}", *add_static(sim, place.cell_id, place.model_id, frame)):
            self.document.session.select(Selection(Kind.STATIC, landblock_id(place.cell_id), new))


def why_not_duplicate(sim: Simulation, thing: Movable) -> str:
    """Why there can be no second one of it; empty when there can."""
    if thing.is_player:
        return STAYS
    place = find_static(sim, thing.id) if thing.kind is Kind.STATIC else None
    return OF_LANDBLOCK if place is not None and not place.in_a_room else ""


def measure(handle: Handle, change: Change, start: Frame) -> str:
    """A change as text: metres along the axes, or degrees; about z clockwise like a compass, with the heading."""
    if handle.is_ring:
        if handle.axis == 2:
            return f"{-change.turn:+.1f}°  heading {(start.heading() - change.turn) % 360.0:.1f}°"
        return f"{LETTERS[handle.axis]} {change.turn:+.1f}°"
    axes = (handle.axis,) if handle.is_arrow else sorted(handle.spans)
    return "  ".join(f"{LETTERS[axis]} {change.offset[axis]:+.3f}" for axis in axes) + " m"


def _changed(thing: Movable, change: Change) -> Frame:
    """The frame after a change to this one."""
    frame = thing.frame
    rotation = frame.rotation
    if change.turn:
        rotation = normalize(multiply(from_axis_angle(AXES[change.axis], math.radians(change.turn)), rotation))
    return Frame(add(frame.origin, change.offset), rotation)


def _same(a: Frame, b: Frame) -> bool:
    return a.origin == b.origin and a.rotation == b.rotation


def _level_forward(camera: Camera) -> Vec3:
    """The level direction of the view; when it is straight down, the direction of the picture's top."""
    x, y, _ = camera.forward
    return camera.forward if math.hypot(x, y) > 0.1 else camera.up


def _level_axis(way: Vec3) -> Vec3:
    """The level axis of the landblock nearest to a direction."""
    axis = max((AXES[0], AXES[1]), key=lambda axis: abs(dot(axis, way)))
    return scale(axis, 1.0 if dot(axis, way) > 0.0 else -1.0)
