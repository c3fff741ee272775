"""The menu of recent sources and projects, the latest first."""

from __future__ import annotations

from pathlib import Path
from typing import Final

from PySide6.QtCore import QSettings, Signal, Slot
from PySide6.QtWidgets import QMenu, QWidget

from editor.process.plain_text import action_text, plain
from editor.session.open_error import short_name
from editor.session.sources import DEMO
from ui.widgets.banner import SIGN, Banner
from ui.widgets.stored_list import stored_list

MOST: Final = 12
SETTING: Final = "recent"


class RecentMenu(QMenu):
    """Stored in the settings. A missing entry is marked, and is removed when chosen."""

    chosen = Signal(str)
    """The user chose a source that exists."""

    def __init__(self, settings: QSettings, banner: Banner, parent: QWidget) -> None:
        super().__init__("Open Recent", parent)
        self._settings = settings
        self._banner = banner
        self.setToolTipsVisible(True)
        self.aboutToShow.connect(self.refresh)
        self.refresh()

    @property
    def sources(self) -> list[str]:
        return stored_list(self._settings, SETTING)

    def remember(self, source: str) -> None:
        self._keep([source, *(other for other in self.sources if other != source)][:MOST])

    def _keep(self, sources: list[str]) -> None:
        self._settings.setValue(SETTING, sources)
        self.refresh()

    @Slot()
    def refresh(self) -> None:
        """Check each time which entries exist: disks come and go."""
        self.clear()
        names = [short_name(source) for source in self.sources]
        for name, source in zip(names, self.sources, strict=True):
            folder = Path(source).parent.name if names.count(name) > 1 else ""
            gone = "" if is_there(source) else "  (gone)"
            name = "Demo World" if source == DEMO else name
            entry = self.addAction(action_text(f"{name}{f' – {folder}' if folder else ''}{gone}"))
            entry.setToolTip(plain(source))
            entry.triggered.connect(lambda checked=False, source=source: self.choose(source))
        self.menuAction().setEnabled(bool(names))
        if names:
            self.addSeparator()
            self.addAction("Clear").triggered.connect(lambda: self._keep([]))

    def choose(self, source: str) -> None:
        if is_there(source):
            self.chosen.emit(source)
            return
        self._keep([other for other in self.sources if other != source])
        self._banner.warn(
            f"{SIGN}{short_name(source)} no longer exists; it was removed from the recent files.",
            f"path     {source}",
        )


def is_there(source: str) -> bool:
    try:
        return source == DEMO or Path(source).exists()
    except (OSError, ValueError):  # ValueError: a name that no file can have
        return False
