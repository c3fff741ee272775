"""The lanes and curves that the user chose, as the settings keep them."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from PySide6.QtCore import QSettings

HIDDEN_KEY: Final = "timeline/hidden-lanes"
PLOTS_KEY: Final = "timeline/plots"


def kept_list(settings: QSettings, key: str, default: Sequence[str] = ()) -> list[str]:
    """A list of words from the settings, or the default if nothing was chosen yet."""
    if not settings.contains(key):
        return list(default)
    found = settings.value(key, [], type=list)
    return [str(each) for each in found] if isinstance(found, list) else list(default)
