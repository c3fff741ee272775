"""The choice of antialiasing, kept in the settings."""

from __future__ import annotations

from functools import partial
from typing import Final

from PySide6.QtCore import QSettings
from PySide6.QtGui import QActionGroup

from engine.render.antialiasing import Antialiasing
from ui.commands.registry import CommandSet
from ui.view3d.gl_canvas import GlCanvas

SETTING: Final = "antialiasing"
CHOICES: Final = (
    (
        Antialiasing.AUTO,
        "Antialiasing: Auto",
        "Smooth edges: 4 samples for each pixel on a graphics card; without one only once the picture is at rest",
    ),
    (Antialiasing.OFF, "Antialiasing: Off", "One sample for each pixel: the fastest picture, with jagged edges"),
    (Antialiasing.TWO, "Antialiasing: 2x", "Two samples for each pixel, in moving pictures too"),
    (Antialiasing.FOUR, "Antialiasing: 4x", "Four samples for each pixel, in moving pictures too"),
    (
        Antialiasing.EIGHT,
        "Antialiasing: 8x",
        "Eight samples for each pixel, in moving pictures too; as many as it can where OpenGL offers fewer",
    ),
)


def add_antialiasing(commands: CommandSet, canvas: GlCanvas, settings: QSettings) -> None:
    """Register the choices, and apply the one in the settings."""
    chosen = _kept(settings)
    group = QActionGroup(canvas)
    for choice, title, tip in CHOICES:
        take = partial(_choose, canvas, settings, choice)
        made = commands.add(f"antialiasing-{choice.name.lower()}", title, take, tip=tip, is_checkable=True)
        made.setChecked(choice is chosen)
        group.addAction(made)
    canvas.set_antialiasing(chosen)


def _kept(settings: QSettings) -> Antialiasing:
    name = str(settings.value(SETTING, Antialiasing.AUTO.name))
    return Antialiasing[name] if name in Antialiasing.__members__ else Antialiasing.AUTO


def _choose(canvas: GlCanvas, settings: QSettings, choice: Antialiasing) -> None:
    settings.setValue(SETTING, choice.name)
    canvas.set_antialiasing(choice)
