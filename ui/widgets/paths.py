"""Paths in the form of the system: as Qt gives them, and as people type, paste and drop them."""

from __future__ import annotations

import os
from typing import Final

from PySide6.QtCore import QDir, QMimeData, QUrl

QUOTES: Final = ("'", '"')
"""Windows' Copy as Path and the terminals of other systems put them around a path."""


def native(path: str) -> str:
    """A path that Qt gave, which has slashes everywhere, with the system's separators."""
    return QDir.toNativeSeparators(path)


def typed_path(text: str) -> str:
    """The path that somebody typed or pasted: in either form, in quotes, as a file:// URL, with ~ for the home folder.
    "" stays that."""
    path = text.strip()
    if len(path) > 1 and path[0] == path[-1] and path[0] in QUOTES:
        path = path[1:-1]
    if path.lower().startswith("file:"):
        path = QUrl(path).toLocalFile() or path
    return native(os.path.expanduser(path))


def dropped_paths(mime: QMimeData) -> list[str]:
    """The files and folders that are dropped."""
    return [native(url.toLocalFile()) for url in mime.urls() if url.isLocalFile()]
