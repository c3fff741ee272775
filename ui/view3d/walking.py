"""Steers the player by keys and mouse while the camera follows him (docs/docks/3d-view.md)."""

from __future__ import annotations

from dataclasses import replace
from typing import Final

from PySide6.QtCore import QObject, Signal, Slot

from editor.models.doors_ahead import too_far, usable_ahead
from editor.view3d.pace import Pace
from editor.view3d.view import View3D
from engine.render.viewer.inputs import ViewerInput
from ui.view3d.camera_input import CLICK, Drag, Hands
from ui.view3d.keymap import EDITOR, Keymap, Walk

NO_DOOR: Final = "No door is in front of the player."


class Walking(QObject):
    """Turns held keys and mouse drags into the controls of the next tick. Time runs when he is to move."""

    keymap_changed = Signal()

    def __init__(self, viewing: View3D, hands: Hands, parent: QObject) -> None:
        super().__init__(parent)
        self._viewing = viewing
        self._hands = hands
        self.keymap: Keymap = EDITOR
        self.pace = Pace()
        self._runs_on = False
        viewing.document.changed.connect(self._keep_pace)

    @property
    def is_on(self) -> bool:
        """Whether the keys walk rather than fly."""
        return self._viewing.camera.follows_player and not self._viewing.client.leads

    def set_keymap(self, keymap: Keymap) -> None:
        self.stop()
        self.keymap = keymap
        self.keymap_changed.emit()

    def takes(self, key: int) -> bool:
        return self.is_on and self.keymap.walk_of(key) is not None

    def press(self, key: int) -> None:
        walk = self.keymap.walk_of(key)
        if walk is Walk.USE:
            self.use_door()
        elif walk is Walk.PACE:
            self.switch_pace()
        elif walk is Walk.RUN_ON:
            self._runs_on = not self._runs_on
            self.steer()
        elif walk is Walk.STOP:
            self.stop()
        else:
            if walk in (Walk.FORWARD, Walk.BACK):
                self._runs_on = False
            self._hands.hold(key)
            self.steer()

    @Slot()
    def switch_pace(self) -> None:
        """Change between walking and running where the player is."""
        self._viewing.hinted.emit(self.pace.switch(self._viewing.sim))
        self._keep_pace()

    def stop(self) -> None:
        """Let go of all keys."""
        self._runs_on = False
        self._hands.drop_keys()
        self.steer()

    def _held(self) -> set[Walk]:
        return {walk for walk in map(self.keymap.walk_of, self._hands.held) if walk is not None}

    def steer(self) -> None:
        """Pass the held keys to the player. While the right button turns him, the keys that turn step aside."""
        if not self.is_on:
            return
        held, keys = self._held(), self._viewing.clock.keys

        def axis(more: Walk, less: Walk) -> float:
            return float(more in held) - float(less in held)

        turn, aside = axis(Walk.TURN_RIGHT, Walk.TURN_LEFT), axis(Walk.STEP_RIGHT, Walk.STEP_LEFT)
        if self._hands.drag is Drag.LOOK:
            turn, aside = 0.0, min(max(aside + turn, -1.0), 1.0)
        keys.forward = 1.0 if self._runs_on else axis(Walk.FORWARD, Walk.BACK)
        keys.turn, keys.side_step = turn, aside
        keys.jump = Walk.JUMP in held
        keys.run = self._runs()
        if held or self._runs_on:
            self._viewing.clock.run()

    def _runs(self) -> bool:
        """Shift does the other of the two, as in the client."""
        return self.pace.runs(self._viewing.sim) != self._hands.fast

    @Slot()
    def _keep_pace(self) -> None:
        """He begins to walk when he comes in, and to run when he goes out, with the keys still down."""
        if self.is_on and (self._runs_on or self._held()):
            self._viewing.clock.keys.run = self._runs()

    def steer_by_mouse(self, taken: ViewerInput) -> ViewerInput:
        """Turn the player by the mouse, and return what is left for the camera. In the past nobody turns him, so the
        camera goes around him."""
        hands, viewing = self._hands, self._viewing
        if hands.drag in (Drag.ORBIT, Drag.PAN):
            return replace(taken, looking_around=True)
        across, up = taken.look
        if hands.drag is not Drag.LOOK and across == 0.0:
            return taken
        if viewing.document.in_past or not viewing.document.player_is_somewhere:
            return replace(taken, looking_around=True)
        if across != 0.0 and hands.travelled >= CLICK:
            viewing.clock.keys.look += across
            viewing.clock.run()
        return replace(taken, look=(0.0, up), steering=True)

    def use_door(self) -> None:
        """Use the door in front of the player, or the switch."""
        viewing = self._viewing
        used = None if viewing.sim is None else usable_ahead(viewing.sim)
        if used is None:
            viewing.document.refused.emit(NO_DOOR)
            return
        far = "" if viewing.sim is None else too_far(viewing.sim, used)
        if far:
            viewing.document.refused.emit(far)
            return
        viewing.clock.keys.use = used.id
        viewing.clock.run()
