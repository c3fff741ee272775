"""The keys that walk in the player's view: the editor's own, or those of the client."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from enum import Enum
from typing import Final

from PySide6.QtCore import QSettings, Qt
from PySide6.QtGui import QKeySequence

Key = Qt.Key


class Walk(Enum):
    """What a key does to the player."""

    FORWARD = "forward"
    BACK = "back"
    TURN_LEFT = "turn left"
    TURN_RIGHT = "turn right"
    STEP_LEFT = "step left"
    STEP_RIGHT = "step right"
    JUMP = "jump"
    USE = "use"
    PACE = "pace"
    RUN_ON = "run on"
    STOP = "stop"


@dataclass(frozen=True)
class Keymap:
    """The keys of each action, the one to be named first."""

    name: str
    title: str
    tip: str
    keys: Mapping[Walk, tuple[Key, ...]]

    def walk_of(self, key: int) -> Walk | None:
        """The action of a key."""
        return next((walk for walk, keys in self.keys.items() if key in keys), None)

    def text(self, *walks: Walk) -> str:
        """The first keys of actions, as they are read: W A S D."""
        return " ".join(QKeySequence(self.keys[walk][0]).toString() for walk in walks if walk in self.keys)

    @property
    def way(self) -> str:
        """The four keys that walk and turn."""
        return self.text(Walk.FORWARD, Walk.TURN_LEFT, Walk.BACK, Walk.TURN_RIGHT)


EDITOR: Final = Keymap(
    "editor",
    "Editor's Keys",
    "W A S D walk and turn, Z C step aside, Space jumps, E uses the door in front",
    {
        Walk.FORWARD: (Key.Key_W,),
        Walk.BACK: (Key.Key_S,),
        Walk.TURN_LEFT: (Key.Key_A,),
        Walk.TURN_RIGHT: (Key.Key_D,),
        Walk.STEP_LEFT: (Key.Key_Z,),
        Walk.STEP_RIGHT: (Key.Key_C,),
        Walk.JUMP: (Key.Key_Space,),
        Walk.USE: (Key.Key_E,),
        Walk.PACE: (Key.Key_X,),
    },
)
CLIENT: Final = Keymap(
    "client",
    "Client's Keys",
    "As the retail client: W X and A D or the arrows, Z C step aside, Q runs on, S stops, R uses the door in front",
    {
        Walk.FORWARD: (Key.Key_W, Key.Key_Up),
        Walk.BACK: (Key.Key_X, Key.Key_Down),
        Walk.TURN_LEFT: (Key.Key_A, Key.Key_Left),
        Walk.TURN_RIGHT: (Key.Key_D, Key.Key_Right),
        Walk.STEP_LEFT: (Key.Key_Z,),
        Walk.STEP_RIGHT: (Key.Key_C,),
        Walk.JUMP: (Key.Key_Space,),
        Walk.USE: (Key.Key_R,),
        Walk.PACE: (Key.Key_T,),
        Walk.RUN_ON: (Key.Key_Q,),
        Walk.STOP: (Key.Key_S,),
    },
)
"""The client's defaults as its users know them; the specification has none. T is ours: the client only has Shift."""

KEYMAPS: Final = (EDITOR, CLIENT)
SETTING: Final = "walking-keys"


def kept_keymap(settings: QSettings) -> Keymap:
    """The keymap in the settings."""
    name = str(settings.value(SETTING, EDITOR.name))
    return next((known for known in KEYMAPS if known.name == name), EDITOR)
