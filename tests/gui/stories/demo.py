"""The window on the demo, with the player at one of its spots."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from PySide6.QtCore import QSettings
from pytestqt.qtbot import QtBot

from editor.session.sources import DEMO
from engine.build.demo import SPOTS
from engine.sim.edits.player import Teleport
from tests.gui.view3d.view_hands import view_of
from ui.window.main_window import MainWindow


@contextmanager
def demo_at(qtbot: QtBot, settings: QSettings, spot: str, turn: float = 0.0) -> Iterator[MainWindow]:
    """`turn` are the degrees clockwise from the heading of the spot."""
    with view_of(qtbot, settings, DEMO) as window:
        place = SPOTS[spot]
        window.document.edit("Stand There", Teleport(place.cell_id, *place.origin, place.heading + turn))
        yield window
