"""Worlds that the user has opened here; files that name one of them open without asking."""

from __future__ import annotations

from typing import Final

from PySide6.QtCore import QObject, QSettings, Slot

from editor.session.named_sources import whole_name
from editor.session.session import Session
from editor.session.sources import DEMO
from ui.widgets.stored_list import stored_list

SETTING: Final = "named_sources"
MOST: Final = 200


class NamedSources(QObject):
    """Names of sources in the settings, the latest first."""

    def __init__(self, session: Session, settings: QSettings, parent: QObject) -> None:
        super().__init__(parent)
        self._session = session
        self._settings = settings
        session.named = self.names
        session.opened.connect(self._on_opened)

    def names(self) -> frozenset[str]:
        return frozenset(stored_list(self._settings, SETTING))

    @Slot()
    def _on_opened(self) -> None:
        """Remember the open sources: the user named them, agreed to them, or opened a file that includes them."""
        session = self._session
        before = stored_list(self._settings, SETTING)
        world = session.world
        given = [session.source, "" if world is None or world.path is None else str(world.path)]
        given += [] if session.request is None else [session.request.world]
        given += [] if session.server is None else session.server.paths
        given += [] if session.project is None else [session.project.source, session.project.within]
        names = [whole_name(source) for source in given if source not in ("", DEMO)]
        kept = list(dict.fromkeys([*names, *before]))[:MOST]
        if kept != before:
            self._settings.setValue(SETTING, kept)
