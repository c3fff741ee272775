"""Windows that only tell: the keys, and what this is."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final

from PySide6.QtCore import Qt
from PySide6.QtGui import QAction
from PySide6.QtWidgets import QMessageBox, QWidget

import engine

HANDS: Final = (
    ("3D view", ""),
    ("Right drag + W A S D, Q, E", "Look around and fly; Shift is faster, the wheel sets the speed"),
    ("Middle drag", "Pan"),
    ("Wheel", "Nearer, farther"),
    ("Alt + left drag", "Go around what is under the mouse"),
    ("Click", "Select: a thing, or the cell of a wall"),
    ("Shift, Ctrl, Ctrl+Shift + click", "Select the cell, the portal, the opening of a building"),
    ("Right click", "Everything that lies there"),
    ("Tab", "The player's view: W A S D walk, Space jumps, E uses the door in front"),
    ("Map", ""),
    ("Wheel", "Zoom"),
    ("Right drag, arrows", "Move the map"),
    ("Both", ""),
    ("Double click", "Frame"),
    ("Esc", "Select nothing"),
)
"""What hands do, by where; a row without a second word is a title."""


def show_keys(parent: QWidget, actions: Iterable[QAction]) -> None:
    rows = [("Everywhere", "")]
    rows += [(action.shortcut().toString(), action.text().replace("&", "")) for action in actions]
    table = "".join(_row(keys, text) for keys, text in [*rows, *HANDS])
    note(parent, "Keys", f"<table>{table}</table>")


def _row(keys: str, text: str) -> str:
    if not text:
        return f"<tr><td colspan=2><br><b>{keys}</b></td></tr>"
    return f"<tr><td>{keys}&nbsp;&nbsp;&nbsp;</td><td>{text}</td></tr>"


def show_about(parent: QWidget) -> None:
    text = f"<b>Cellar Door {engine.__version__}</b><br>A desktop workbench for the cells of Asheron's Call."
    note(parent, "About", f"{text}<br><br>Core: {engine.active_core()}")


def note(parent: QWidget, title: str, text: str) -> None:
    """A box that blocks nothing and goes away when it is read."""
    box = QMessageBox(parent)
    box.setWindowTitle(title)
    box.setTextFormat(Qt.TextFormat.RichText)
    box.setText(text)
    box.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
    box.open()
