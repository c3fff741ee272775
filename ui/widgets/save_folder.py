"""The folder in which file dialogs begin: the last one that was used, else the user's documents."""

from __future__ import annotations

from pathlib import Path
from typing import Final

from PySide6.QtCore import QStandardPaths
from PySide6.QtWidgets import QApplication

LAST: Final = "last-folder"
"""A property of the application: dialogs of all docks share it, as long as the program runs."""


def first_folder() -> str:
    """The folder to begin in."""
    application = QApplication.instance()
    last = "" if application is None else str(application.property(LAST) or "")
    if last and Path(last).is_dir():
        return last
    documents = QStandardPaths.writableLocation(QStandardPaths.StandardLocation.DocumentsLocation)
    return documents if Path(documents).is_dir() else str(Path.home())


def proposed(name: str) -> str:
    """The path that a dialog proposes for a new file."""
    return str(Path(first_folder()) / name)


def remember(chosen: str) -> None:
    """Note the folder of a file that the user chose; nothing when the dialog was cancelled."""
    application = QApplication.instance()
    if chosen and application is not None:
        application.setProperty(LAST, str(Path(chosen).parent))
