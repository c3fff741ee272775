"""What the parts of the window share. A part is given what it needs; none reaches through the main window."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Protocol

from PySide6.QtCore import QSettings
from PySide6.QtWidgets import QWidget

from editor.document.document import Document
from editor.session.session import Selection, Session
from ui.commands.registry import CommandSet
from ui.theme.theme_state import ThemeState
from ui.widgets.banner import Banner
from ui.widgets.progress_strip import ProgressStrip


class Tells(Protocol):
    """The status line."""

    def say(self, text: str) -> None:
        """Show a message for a while."""

    def warn(self, text: str) -> None:
        """Show a warning until something else is said."""


class Navigates(Protocol):
    """Brings things into view."""

    def frame_selection(self) -> None:
        """Bring the selection into view."""

    def jump(self, selection: Selection) -> None:
        """Select something and bring it into view."""

    def go_to(self, text: str) -> None:
        """Select the thing of an id and bring it into view."""


@dataclass(frozen=True)
class WindowContext:
    """The services of one window. `window` is the parent of dialogs, and nothing more."""

    window: QWidget
    session: Session
    document: Document
    settings: QSettings
    theme: ThemeState
    messages: Tells
    banner: Banner
    progress: ProgressStrip
    navigation: Navigates
    commands: CommandSet
