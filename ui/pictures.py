"""The one way in which a picture of the window becomes a file."""

from __future__ import annotations

from PySide6.QtGui import QImage, QImageWriter, QPixmap
from PySide6.QtWidgets import QFileDialog, QWidget

from editor.document import Document


def ask_for_name(parent: QWidget, what: str, suggestion: str) -> str:
    """Where to put a picture; "" for nowhere."""
    name, _ = QFileDialog.getSaveFileName(parent, f"Save {what}", suggestion, "Pictures (*.png)")
    return name if not name or name.lower().endswith(".png") else f"{name}.png"


def write_png(picture: QImage | QPixmap, name: str) -> str:
    """Write a picture; a sentence when that fails."""
    image = picture.toImage() if isinstance(picture, QPixmap) else picture
    if QImageWriter(name, b"PNG").write(image):
        return ""
    return f"{name} can not be written: is the folder there, and may you write to it?"


def save_png(picture: QImage | QPixmap, name: str, document: Document) -> bool:
    """Write the picture of a dock and say so, or why not."""
    problem = write_png(picture, name)
    if problem:
        document.refused.emit(problem)
    else:
        document.said.emit(f"Saved {name}")
    return not problem
