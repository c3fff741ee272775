"""Lists of texts in the settings."""

from __future__ import annotations

from PySide6.QtCore import QSettings


def stored_list(settings: QSettings, key: str) -> list[str]:
    """A list of texts in the settings; Qt returns a list of one entry as the entry itself."""
    stored: object = settings.value(key, [])
    if isinstance(stored, str):
        return [stored]
    return [str(entry) for entry in stored] if isinstance(stored, list) else []
