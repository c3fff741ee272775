"""The camera of a view: which one is active, how the mouse and keys move it, and how it frames things (rendering.md
21)."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import replace
from typing import Final

from PySide6.QtCore import QObject, Signal, Slot

from editor.document.document import Document
from editor.project.eye import Eye
from editor.session.session import Session
from editor.view3d.dollhouse import DollhouseModel
from editor.view3d.framing import (
    FROM_ABOVE,
    Focus,
    best_sight,
    eye_in_room,
    focus_of,
    focus_of_block,
    sight_of,
)
from engine.geometry.vec import Vec3, dot, sub
from engine.render.picking.hits import Hit
from engine.render.scene import Scene
from engine.render.viewer.inputs import STILL, ViewerInput
from engine.render.viewer.rig import direction
from engine.render.viewer.viewer import View, Viewer
from engine.visibility.camera import Camera
from engine.visibility.root import RootWatch
from engine.world.cells.cell import EnvCell
from engine.world.cells.ids import block_of
from engine.world.graph.graph import NO_CELL

FIRST_PITCH: Final = -20.0
"""Pitch in degrees when framing another landblock."""

FROM_ROOF: Final = -52.0
"""Pitch in degrees at which a dollhouse is first seen: floors and far walls show."""

REST: Final = 1e-5
"""A camera that moves less than this in a step, in metres and degrees, has come to rest."""

IN_THE_AIR: Final = 6.0
"""Metres from the eye to the pivot when nothing is under the mouse."""

PIVOT_RANGE: Final = (0.3, 300.0)

INTO_HEAD: Final = 1.0
OUT_OF_HEAD: Final = 1.25
"""Metres from the player's head: nearer, the wheel leads into it; it comes out of it a step farther away."""

FIRST_STEP: Final = 1.0 / 30.0
CLOSEST_BEHIND: Final = 1.2
"""Metres from the player's head: nearer, his figure would fill the picture."""

FOLLOWING: Final = (View.CHASE, View.FIRST_PERSON)


Pick = Callable[[float, float], Hit | None]
"""Picks what the last picture shows at a pixel."""


class ViewCamera(QObject):
    """The camera part of a `View3D`, which sets the viewer and the scene of the open world."""

    changed = Signal()
    """The camera moved or was switched: the picture is out of date."""
    switched = Signal()
    """Another camera is in use."""
    sent = Signal()
    """The camera was sent somewhere: step it until it rests."""

    def __init__(
        self, document: Document, dollhouse: DollhouseModel, pick: Pick, parent: QObject | None = None
    ) -> None:
        super().__init__(parent)
        self.document = document
        self.session: Session = document.session
        self.dollhouse = dollhouse
        self.covered_above = self.covered_below = 0.0
        """Pixels of the picture that something covers, which dollhouses keep clear of."""
        self._left: tuple[View, Eye] | None = None
        """Where the camera was when the dollhouse was switched on."""
        dollhouse.toggled.connect(self._on_dollhouse)
        self.scene: Scene | None = None
        self.viewer: Viewer | None = None
        self.size = (1.0, 1.0)
        """Size of the last picture, in its pixels."""
        self._pick = pick

    def begin(self, viewer: Viewer, scene: Scene) -> None:
        """Show another world."""
        self.viewer, self.scene = viewer, scene

    def end(self) -> None:
        """Close the viewer: no world is open."""
        if self.viewer is not None:
            self.viewer.close()
        self.viewer, self.scene = None, None

    # --- which camera

    @property
    def view(self) -> View:
        return View.FREE if self.viewer is None else self.viewer.view

    @property
    def follows_player(self) -> bool:
        return self.view in FOLLOWING

    def look_through(self, view: View) -> None:
        """Switch to another camera; one that follows the player needs the player to have a position."""
        viewer = self.viewer
        if viewer is None or viewer.view is view or (view in FOLLOWING and not self.document.player_is_somewhere):
            return
        viewer.switch(view)
        viewer.update(0.0, STILL)
        self.switched.emit()
        self.changed.emit()

    @Slot()
    def toggle_player(self) -> None:
        """Switch to the player's view, or back to the free camera at its place."""
        self.look_through(View.FREE if self.follows_player else View.CHASE)

    @Slot()
    def toggle_first_person(self) -> None:
        """Switch to the player's eyes, or from there to behind him."""
        self.look_through(View.CHASE if self.view is View.FIRST_PERSON else View.FIRST_PERSON)

    def return_behind_player(self) -> None:
        """Put the camera where the client's is, behind and above the player."""
        if self.viewer is not None:
            self.viewer.chase.return_behind()
            self.look_through(View.CHASE)
            self.sent.emit()

    def stand_behind_player(self) -> None:
        """Put the free camera behind the player, or in his head where a wall is right behind him."""
        viewer = self.viewer
        if viewer is None:
            return
        viewer.switch(View.CHASE)
        viewer.update(FIRST_STEP, STILL)
        if viewer.chase.distance_to_player < CLOSEST_BEHIND:
            viewer.switch(View.FIRST_PERSON)
            viewer.update(FIRST_STEP, STILL)
        viewer.switch(View.FREE)

    # --- camera input

    def step(self, dt: float, hands: ViewerInput) -> bool:
        """Move the camera; return whether it is still moving, or whether root changes of the last second still count.
        Mouse look and keys fly; all other input orbits a point."""
        viewer = self.viewer
        if viewer is None:
            return False
        if viewer.view is View.ORBIT and (hands.look != (0.0, 0.0) or hands.move != (0.0, 0.0, 0.0)):
            viewer.switch(View.FREE)
        before = self._pose(viewer)
        viewer.update(dt, hands)
        after = self._pose(viewer)
        if viewer.view in FOLLOWING and hands.dolly != 0.0:
            self._zoom_through_head(viewer, hands.dolly)
        moved = any(abs(a - b) > REST for a, b in zip(before, after, strict=True))
        if self._forgets(viewer.watch, viewer.seconds) or moved:
            self.changed.emit()
        return moved or viewer.watch.changes > 0

    def _zoom_through_head(self, viewer: Viewer, dolly: float) -> None:
        """The wheel leads into the player's head at the nearest, and out of it again."""
        if viewer.view is View.FIRST_PERSON and dolly < 0.0:
            viewer.chase.come_to(OUT_OF_HEAD)
            self.look_through(View.CHASE)
        elif viewer.view is View.CHASE and dolly > 0.0 and viewer.chase.size < INTO_HEAD:
            self.look_through(View.FIRST_PERSON)

    @staticmethod
    def _forgets(watch: RootWatch, seconds: float) -> bool:
        """Expire the root changes older than a second, which otherwise only frames do; return whether the count
        changed."""
        before = watch.changes
        return before > 0 and watch.saw(watch.root_id, seconds) != before

    @staticmethod
    def _pose(viewer: Viewer) -> tuple[float, ...]:
        rig = viewer.rig
        return (*rig.eye, rig.heading, rig.pitch, float(block_of(rig.block_id)), rig.player_alpha)

    def grab(self, x: float, y: float) -> None:
        """Make the point under the mouse the pivot for orbiting, zooming and panning."""
        viewer = self.viewer
        if viewer is None or self.follows_player:
            return
        hit = self._pick(x, y)
        rig = viewer.rig
        ahead = IN_THE_AIR
        if hit is not None:
            seen_from = self._eye_in(hit.block_id)
            ahead = dot(sub(hit.point, seen_from), direction(rig.heading, rig.pitch))
        self._go_around(min(max(ahead, PIVOT_RANGE[0]), PIVOT_RANGE[1]))

    def begin_dolly(self, x: float, y: float, *, looking: bool) -> None:
        """Start a wheel zoom towards the point under the mouse. While `looking`, the wheel changes the flying speed
        instead."""
        viewer = self.viewer
        if viewer is not None and viewer.view is View.FREE and not looking:
            self.grab(x, y)

    def _eye_in(self, block_id: int) -> Vec3:
        return self._camera().eye_in(block_id)

    def _camera(self) -> Camera:
        if self.viewer is None:
            raise AssertionError("there is no camera without a world")
        return self.viewer.rig.camera(*self.size)

    def _go_around(self, ahead: float) -> None:
        """Orbit a point that many metres ahead, without moving the eye."""
        viewer = self.viewer
        if viewer is None:
            return
        rig, orbit = viewer.rig, viewer.orbit
        cell_id, block_id, eye = rig.cell_id, rig.block_id, rig.eye
        heading, pitch = rig.heading, rig.pitch
        fx, fy, fz = direction(heading, pitch)
        target = (eye[0] + fx * ahead, eye[1] + fy * ahead, eye[2] + fz * ahead)
        viewer.switch(View.ORBIT)
        orbit.place(cell_id or block_id, target, ahead, heading, pitch)
        orbit.latch.place(cell_id or block_id, eye)  # the eye has not moved, so its cell is known
        orbit.update(0.0, STILL)
        self.switched.emit()

    # --- framing

    @Slot()
    def frame_selection(self) -> None:
        selection = self.session.selection
        world, scene = self.session.world, self.scene
        if selection is None or world is None or scene is None:
            self.frame_all()
            return
        focus = focus_of(selection, world, scene)
        if focus is not None:
            self.focus_on(replace(focus, room=None, stay=False) if self.dollhouse.is_on else focus)

    @Slot()
    def frame_all(self) -> None:
        """Frame the whole landblock from outside. Rooms that no building encloses show nothing to an eye outside of
        them, so they are then drawn as a dollhouse."""
        world, block_id = self.session.world, self.session.landblock_id
        block = None if world is None or block_id is None else world.landblock(block_id)
        if block is None:
            return
        if block.env_cells and not block.buildings and not self.dollhouse.is_on:
            self.dollhouse.turn(True)
        elif self.dollhouse.is_on:
            self.look_at_dollhouse()
        else:
            focus = focus_of_block(block)
            if focus is not None:
                self.focus_on(focus)

    @Slot(bool)
    def _on_dollhouse(self, on: bool) -> None:
        """Fly out to see all of it, and back again to where the camera was."""
        viewer = self.viewer
        if viewer is None:
            return
        if on:
            rig = viewer.rig
            self._left = (viewer.view, Eye(rig.cell_id, rig.eye, rig.heading, rig.pitch))
            self.look_at_dollhouse(FROM_ROOF)
        elif self._left is not None:
            view, eye = self._left
            self._left = None
            if view in FOLLOWING and self.document.player_is_somewhere:
                self.look_through(view)
            elif eye.cell_id != NO_CELL:
                self.stand_at(eye.cell_id, eye.at, eye.heading, eye.pitch)

    def eye_inside(self) -> Eye | None:
        """Where the free camera is; while a dollhouse is shown, where it was before, for outside of rooms PView shows
        nothing. None while it follows the player, or has no cell."""
        viewer = self.viewer
        if viewer is None:
            return None
        rig = viewer.rig
        now = (viewer.view, Eye(rig.cell_id, rig.eye, rig.heading, rig.pitch))
        view, eye = self._left or now
        return None if view in FOLLOWING or eye.cell_id == NO_CELL else eye

    def look_at_dollhouse(self, pitch: float | None = None) -> None:
        """Frame what the dollhouse shows, from above as it is seen now, or from a pitch."""
        viewer, scene, block = self.viewer, self.scene, self.dollhouse.block
        points = None if scene is None else self.dollhouse.points(scene)
        if viewer is None or block is None or points is None or not len(points):
            return
        if viewer.view is not View.ORBIT:
            self._go_around(IN_THE_AIR)
        orbit, home = viewer.orbit, block.id & 0xFFFF0000 | 0x1
        tilted = pitch if pitch is not None else min(orbit.pitch, FROM_ABOVE)
        camera = self._camera()
        sight = sight_of(points, orbit.heading, tilted, camera, self.covered_above, self.covered_below)
        if viewer.rig.cell_id == NO_CELL or block_of(viewer.rig.cell_id) != block_of(home):
            orbit.place(home, sight.target, sight.away, orbit.heading, tilted)
        orbit.focus(home, sight.target, sight.away * math.sin(orbit.fov_y / 2.0))
        orbit.update(0.0, ViewerInput(orbit=(0.0, tilted - orbit.pitch)))
        self.sent.emit()

    def focus_on(self, focus: Focus) -> None:
        viewer = self.viewer
        if viewer is None:
            return
        orbit = viewer.orbit
        if viewer.view is not View.ORBIT:
            self._go_around(IN_THE_AIR)
        if viewer.rig.cell_id == NO_CELL or block_of(viewer.rig.cell_id) != block_of(focus.cell_id):
            orbit.place(focus.cell_id, focus.target, IN_THE_AIR, orbit.heading, orbit.pitch)
        half = math.sin(orbit.fov_y / 2.0)
        sight = best_sight(focus, viewer.world_view, orbit.heading, orbit.pitch, half)
        orbit.focus(focus.cell_id, focus.target, sight.away * half)
        orbit.update(0.0, ViewerInput(orbit=(sight.turn, sight.tilt)))
        self.sent.emit()

    def stand_at(self, cell_id: int, eye: Vec3, heading: float, pitch: float) -> None:
        """Look from a position with the free camera."""
        viewer = self.viewer
        if viewer is not None:
            viewer.switch(View.FREE)
            viewer.free.place(cell_id, eye, heading, pitch)
            self.switched.emit()
            self.changed.emit()
            self.sent.emit()

    def go_into(self, cell_id: int) -> None:
        """Move to the middle of a room, at eye height, keeping the direction."""
        viewer = self.viewer
        cell = None if viewer is None else viewer.graph.get_visible(cell_id)
        if viewer is not None and isinstance(cell, EnvCell):
            rig = viewer.rig
            self.stand_at(cell_id, eye_in_room(cell), rig.heading, 0.0)

    def look_at_block(self) -> None:
        if self.dollhouse.is_on:
            self.look_at_dollhouse(FROM_ROOF)
            return
        world, block_id, viewer = self.session.world, self.session.landblock_id, self.viewer
        block = None if world is None or block_id is None else world.landblock(block_id)
        focus = None if block is None else focus_of_block(block)
        if viewer is not None and focus is not None:
            viewer.switch(View.ORBIT)
            orbit = viewer.orbit
            sight = best_sight(focus, viewer.world_view, 0.0, FIRST_PITCH, math.sin(orbit.fov_y / 2.0))
            orbit.place(focus.cell_id, focus.target, sight.away, sight.turn, FIRST_PITCH + sight.tilt)
            self.changed.emit()
