"""The worlds that the user has opened here at some time: files that name one of them need not ask for it."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from PySide6.QtCore import QObject, Slot

from editor.session.named_sources import whole_name
from editor.session.sources import DEMO

if TYPE_CHECKING:
    from ui.window.main_window import MainWindow

SETTING: Final = "named_sources"
MOST: Final = 200


class NamedSources(QObject):
    """Kept in the settings, the last one first."""

    def __init__(self, window: MainWindow) -> None:
        super().__init__(window)
        self._window = window
        window.session.named = self.names
        window.session.opened.connect(self._on_opened)

    def names(self) -> frozenset[str]:
        return frozenset(self._stored())

    def _stored(self) -> list[str]:
        stored = self._window.settings.value(SETTING, [])
        return [stored] if isinstance(stored, str) else [str(entry) for entry in stored or []]  # type: ignore[attr-defined]

    @Slot()
    def _on_opened(self) -> None:
        """What is open now was named by the user, or he was asked, or it lay with what he named."""
        session = self._window.session
        world = session.world
        given = [session.source, "" if world is None or world.path is None else str(world.path)]
        given += [] if session.request is None else [session.request.world]
        given += [] if session.project is None else [session.project.source, session.project.within]
        names = [whole_name(source) for source in given if source not in ("", DEMO)]
        kept = list(dict.fromkeys([*names, *self._stored()]))[:MOST]
        if kept != self._stored():
            self._window.settings.setValue(SETTING, kept)
