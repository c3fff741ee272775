"""The window's current theme."""

from __future__ import annotations

from enum import Enum
from typing import Final

from PySide6.QtCore import QObject, QSettings, Qt, Signal, Slot
from PySide6.QtGui import QGuiApplication

from ui.theme.theme import DARK, LIGHT, Colours

SETTING: Final = "theme"


class Theme(Enum):
    """What the user can choose. The value is what the settings hold."""

    DARK = "dark"
    LIGHT = "light"
    SYSTEM = "system"


class ThemeState(QObject):
    """Stores the choice in the settings and notifies everything that draws. The system's theme is followed while the
    program runs, too."""

    changed = Signal(object)
    """The colours of the theme."""

    def __init__(self, settings: QSettings, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._settings = settings
        ask_system_for(self.chosen)
        self.colours = colours_of(settings)
        QGuiApplication.styleHints().colorSchemeChanged.connect(self._on_system)

    @property
    def chosen(self) -> Theme:
        return chosen_in(self._settings)

    def choose(self, theme: Theme) -> None:
        """Switch to a theme, also for the next start."""
        self._settings.setValue(SETTING, theme.value)
        ask_system_for(theme)
        self._show(colours_of(self._settings))

    @Slot(Qt.ColorScheme)
    def _on_system(self, scheme: Qt.ColorScheme) -> None:
        if self.chosen is Theme.SYSTEM and self.colours != colours_of(self._settings):
            self._show(colours_of(self._settings))

    def _show(self, colours: Colours) -> None:
        self.colours = colours
        self.changed.emit(colours)


def chosen_in(settings: QSettings) -> Theme:
    """The stored choice. Dark is the first one: pictures of rooms are judged best on a dark ground."""
    stored = settings.value(SETTING)
    return next((theme for theme in Theme if theme.value == stored), Theme.DARK)


def colours_of(settings: QSettings) -> Colours:
    """The colours of the stored choice. A system that says nothing of its theme has the dark one."""
    chosen = chosen_in(settings)
    if chosen is Theme.SYSTEM:
        return LIGHT if system_scheme() is Qt.ColorScheme.Light else DARK
    return LIGHT if chosen is Theme.LIGHT else DARK


def system_scheme() -> Qt.ColorScheme:
    """The system's theme, while it is followed; else the one that it was asked for."""
    return QGuiApplication.styleHints().colorScheme()


def ask_system_for(theme: Theme) -> None:
    """Have what the system draws of our windows, frames and its own dialogs, in the chosen theme."""
    hints = QGuiApplication.styleHints()
    if theme is Theme.SYSTEM:
        hints.unsetColorScheme()
    else:
        hints.setColorScheme(Qt.ColorScheme.Light if theme is Theme.LIGHT else Qt.ColorScheme.Dark)
