"""Saves pictures of the window as files."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path

from PySide6.QtCore import QBuffer
from PySide6.QtGui import QImage, QImageWriter, QPixmap
from PySide6.QtWidgets import QFileDialog, QWidget

from editor.document.document import Document
from editor.process.output_files import output_file
from engine.dat.atomic import write_whole
from engine.dat.errors import DatError
from engine.world.faults import WorldError
from ui.widgets.paths import native
from ui.widgets.save_folder import proposed, remember


def ask_for_name(parent: QWidget, what: str, suggestion: str) -> str:
    """Ask where to save a picture; "" if cancelled."""
    name, _ = QFileDialog.getSaveFileName(parent, f"Save {what}", proposed(suggestion), "Pictures (*.png)")
    remember(name)
    name = native(name)
    return name if not name or name.lower().endswith(".png") else f"{name}.png"


def write_png(picture: QImage | QPixmap, name: str, read: Iterable[str | Path]) -> str:
    """Write a picture completely or not at all, never over an open file; return the reason for a failure."""
    image = picture.toImage() if isinstance(picture, QPixmap) else picture
    buffer = QBuffer()
    if not QImageWriter(buffer, b"PNG").write(image):
        return f"{name} cannot be written: the picture is empty"
    try:
        write_whole(output_file(name, read), bytes(buffer.data().data()))
    except (DatError, WorldError) as error:
        return str(error)
    return ""


def save_png(picture: QImage | QPixmap, name: str, document: Document) -> bool:
    """Write the picture of a dock, and report success or the reason for a failure."""
    problem = write_png(picture, name, document.session.sources)
    if problem:
        document.refused.emit(problem)
    else:
        document.said.emit(f"Saved {name}")
    return not problem
