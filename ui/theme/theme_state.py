"""The window's current theme."""

from __future__ import annotations

from PySide6.QtCore import QObject, QSettings, Signal

from ui.theme.theme import DARK, LIGHT, Colours

SETTING = "theme"


class ThemeState(QObject):
    """Stores the choice in the settings and notifies everything that draws."""

    changed = Signal(object)
    """The colours of the theme."""

    def __init__(self, settings: QSettings, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._settings = settings
        self.colours = colours_of(settings)

    @property
    def is_light(self) -> bool:
        return self.colours == LIGHT

    def choose(self, light: bool) -> None:
        """Switch to the light or the dark theme, also for the next start."""
        self.colours = LIGHT if light else DARK
        self._settings.setValue(SETTING, "light" if light else "dark")
        self.changed.emit(self.colours)


def colours_of(settings: QSettings) -> Colours:
    """The colours of the stored theme."""
    return LIGHT if settings.value(SETTING) == "light" else DARK
