"""The commands for walking: the choice of keys, which the settings keep, the pace, and the player's eyes."""

from __future__ import annotations

from functools import partial
from typing import Final

from PySide6.QtCore import QSettings
from PySide6.QtGui import QActionGroup, QKeySequence

from ui.commands.registry import CommandSet, allow
from ui.view3d.keymap import KEYMAPS, SETTING, Keymap, Walk, kept_keymap
from ui.view3d.viewport import Viewport

PACE_TIP: Final = "Change between walking and running in rooms, or outdoors, where the player is; Shift does the other"


def add_walk_commands(commands: CommandSet, viewport: Viewport, settings: QSettings) -> None:
    """Register the commands, and apply the keys in the settings."""
    walking, camera = viewport.walking, viewport.viewing.camera
    commands.add(
        "camera-first-person-toggle",
        "First Person or Behind",
        camera.toggle_first_person,
        "V",
        tip="Look through the player's eyes, or from behind him",
    )
    pace = commands.add("walk-or-run", "Walk or Run", walking.switch_pace, tip=PACE_TIP, owner=viewport)
    group = QActionGroup(viewport)
    for keymap in KEYMAPS:
        take = partial(_choose, viewport, settings, keymap)
        made = commands.add(f"walking-keys-{keymap.name}", keymap.title, take, tip=keymap.tip, is_checkable=True)
        made.setChecked(keymap is kept_keymap(settings))
        group.addAction(made)

    def name_keys() -> None:
        pace.setShortcut(QKeySequence(walking.keymap.keys[Walk.PACE][0]))
        allow(pace, "", PACE_TIP)

    walking.keymap_changed.connect(name_keys)
    walking.set_keymap(kept_keymap(settings))


def _choose(viewport: Viewport, settings: QSettings, keymap: Keymap) -> None:
    settings.setValue(SETTING, keymap.name)
    viewport.walking.set_keymap(keymap)
