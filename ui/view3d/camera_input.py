"""Mouse and keys of the 3D view, collected for the cameras and the player's controls (docs/docks/3d-view.md)."""

from __future__ import annotations

from enum import Enum
from typing import Final

from PySide6.QtCore import QPointF, Qt

from engine.render.viewer.inputs import ViewerInput

DEGREES_PER_PIXEL: Final = 0.22
CLICK: Final = 4.0
"""Pixels that the mouse may move during a click."""

Key = Qt.Key

FLYING: Final = (Key.Key_W, Key.Key_A, Key.Key_S, Key.Key_D, Key.Key_Q, Key.Key_E)

NUDGES: Final = {
    Key.Key_Right: (1, 0, 0),
    Key.Key_Left: (-1, 0, 0),
    Key.Key_Up: (0, 1, 0),
    Key.Key_Down: (0, -1, 0),
    Key.Key_PageUp: (0, 0, 1),
    Key.Key_PageDown: (0, 0, -1),
}
"""Keys that nudge the selection: right, away, up."""


class Drag(Enum):
    """Meaning of the pressed button."""

    NONE = "none"
    LOOK = "look"
    PAN = "pan"
    ORBIT = "orbit"


class Hands:
    """Collects mouse and keys between two camera steps."""

    def __init__(self) -> None:
        self.drag = Drag.NONE
        self.fast = False
        self.travelled = 0.0
        """Pixels moved since the button went down."""
        self._held: dict[int, None] = {}
        self._at = QPointF()
        self._look = [0.0, 0.0]
        self._orbit = [0.0, 0.0]
        self._pan = [0.0, 0.0]
        self._dolly = 0.0

    # --- mouse

    def press(self, drag: Drag, at: QPointF) -> None:
        self.drag = drag
        self.travelled = 0.0
        self._at = at

    def move(self, to: QPointF, height: float) -> None:
        """Move the mouse with a button down; `height` is the picture's."""
        dx, dy = to.x() - self._at.x(), to.y() - self._at.y()
        self._at = to
        self.travelled += abs(dx) + abs(dy)
        if self.drag is Drag.LOOK:
            self._look[0] += dx * DEGREES_PER_PIXEL
            self._look[1] -= dy * DEGREES_PER_PIXEL
        elif self.drag is Drag.ORBIT:
            self._orbit[0] += dx * DEGREES_PER_PIXEL
            self._orbit[1] -= dy * DEGREES_PER_PIXEL
        elif self.drag is Drag.PAN and height > 0.0:
            self._pan[0] += dx / height
            self._pan[1] += dy / height

    def release(self) -> bool:
        """Release the button; true if it was a click, not a drag."""
        clicked = self.drag is not Drag.NONE and self.travelled < CLICK
        self.drag = Drag.NONE
        return clicked

    def wheel(self, steps: float) -> None:
        self._dolly += steps

    # --- keys

    def hold(self, key: int) -> None:
        self._held[key] = None

    def let_go(self, key: int) -> None:
        self._held.pop(key, None)

    def holds(self, key: int) -> bool:
        return key in self._held

    @property
    def held(self) -> list[int]:
        return list(self._held)

    def drop_keys(self) -> None:
        """Release all keys."""
        self._held.clear()

    def drop_all(self) -> None:
        """Release all keys and buttons, for the focus has left."""
        self._held.clear()
        self.drag = Drag.NONE
        self.fast = False

    def _axis(self, more: int, less: int) -> float:
        return float(more in self._held) - float(less in self._held)

    # --- output

    @property
    def is_idle(self) -> bool:
        return not self._held and self.drag is Drag.NONE and not self._waiting

    @property
    def _waiting(self) -> bool:
        return bool(self._dolly or any(self._look) or any(self._orbit) or any(self._pan))

    def take(self, *, flying: bool) -> ViewerInput:
        """All input since the last call; `flying` if the keys move the camera, not the player."""
        move = (
            (self._axis(Key.Key_D, Key.Key_A), self._axis(Key.Key_W, Key.Key_S), self._axis(Key.Key_E, Key.Key_Q))
            if flying
            else (0.0, 0.0, 0.0)
        )
        taken = ViewerInput(
            (self._look[0], self._look[1]),
            (self._orbit[0], self._orbit[1]),
            move,
            self._dolly,
            (self._pan[0], self._pan[1]),
            self.fast,
        )
        self._look, self._orbit, self._pan, self._dolly = [0.0, 0.0], [0.0, 0.0], [0.0, 0.0], 0.0
        return taken
