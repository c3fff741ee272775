"""Takes the pictures in the documents again: `.venv/bin/python docs/take_pictures.py`. Needs no display."""

from __future__ import annotations

import os
import sys
import tempfile
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
PICTURES = ROOT / "docs" / "pictures"
sys.path.insert(0, str(ROOT))


def take() -> None:
    from PySide6.QtCore import QEventLoop, QSettings

    from editor.session import Kind, Selection, Session
    from engine.build.demo import DUNGEON, SPOTS, VILLAGE
    from ui.application import create_application
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
            application.processEvents()
            if not window.grab().save(str(PICTURES / name)):
                raise SystemExit(f"{name} can not be written to {PICTURES}")

        parlour = SPOTS["cottage_parlour"].cell_id
        window.session.select(Selection(Kind.CELL, (VILLAGE << 16) | 0xFFFF, parlour))
        application.processEvents()
        window.map.frame_all()
        save("window.png")
        window.session.select(Selection(Kind.LANDBLOCK, (DUNGEON << 16) | 0xFFFF, (DUNGEON << 16) | 0xFFFF))
        window.session.select(Selection(Kind.CELL, (DUNGEON << 16) | 0xFFFF, SPOTS["double_door"].cell_id))
        save("dungeon.png")
        window.close()


def main() -> None:
    from cellar_door.virtual_display import display_environment, virtual_display

    with virtual_display() as display:
        os.environ.update(display_environment(display))
        take()


if __name__ == "__main__":
    main()
