"""Takes the pictures in the documents again: `.venv/bin/python docs/take_pictures.py`. Needs no display."""

from __future__ import annotations

import os
import sys
import tempfile
from pathlib import Path
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from ui.main_window import MainWindow

ROOT = Path(__file__).resolve().parent.parent
PICTURES = ROOT / "docs" / "pictures"
sys.path.insert(0, str(ROOT))

SETTLED: Final = 5
"""Rounds of the event loop after which everything has been laid out and painted."""


def take() -> None:
    from PySide6.QtCore import QEventLoop, QSettings

    from editor.session import Kind, Selection, Session
    from engine.build.demo import DUNGEON, SPOTS
    from ui.application import create_application
    from ui.centre import MAP
    from ui.main_window import MainWindow
    from ui.theme import DARK, apply_theme

    application = create_application(["pictures"])
    apply_theme(application, DARK)
    with tempfile.TemporaryDirectory() as scratch:
        window = MainWindow(Session(), QSettings(f"{scratch}/pictures.ini", QSettings.Format.IniFormat))
        window.show()
        loop = QEventLoop()
        window.session.faults_changed.connect(loop.quit)
        window.open("demo")
        loop.exec()

        def save(name: str) -> None:
            for _ in range(SETTLED):
                application.processEvents()
            if not window.grab().save(str(PICTURES / name)):
                raise SystemExit(f"{name} can not be written to {PICTURES}")

        look_into_the_cottage(window)
        save("window.png")
        window.centre.show_page(MAP)
        window.session.select(Selection(Kind.LANDBLOCK, (DUNGEON << 16) | 0xFFFF, (DUNGEON << 16) | 0xFFFF))
        window.session.select(Selection(Kind.CELL, (DUNGEON << 16) | 0xFFFF, SPOTS["double_door"].cell_id))
        application.processEvents()
        window.map.frame_all()
        save("dungeon.png")
        window.close()


def look_into_the_cottage(window: MainWindow) -> None:
    """From the path before its open door, with what became of every portal."""
    from editor.session import Kind, Selection
    from engine.build.demo import SPOTS, VILLAGE
    from engine.render.overlays.catalogue import Overlay
    from engine.render.viewer.viewer import View

    sim, viewer = window.live.document.sim, window.viewing.viewer
    if viewer is None:
        raise SystemExit("there is no 3D view to take a picture of")
    kitchen = SPOTS["cottage_kitchen"]
    sim.teleport(kitchen.cell_id, *kitchen.origin, kitchen.heading)
    door = next(door for door in sim.population.doors if door.name == "Front Door")
    sim.open_door(door.id)
    window.live.document.tick_many(60)
    path = SPOTS["cottage_outside_front_door"]
    x, y, z = path.origin
    viewer.switch(View.FREE)
    viewer.free.place(path.cell_id, (x + 2.2, y - 4.6, z + 2.3), path.heading - 17.0, -7.0)
    window.viewing.show_overlay(Overlay.PORTALS, True)
    window.session.select(Selection(Kind.ENTITY, (VILLAGE << 16) | 0xFFFF, door.id))


def main() -> None:
    from cellar_door.virtual_display import display_environment, virtual_display

    with virtual_display() as display:
        os.environ.update(display_environment(display))
        take()


if __name__ == "__main__":
    main()
