"""Opening from the window: its commands and dialogs, what is dropped on it, what was opened before, and what is said
when something can not be opened."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Final

from PySide6.QtCore import QMimeData, QObject, Slot
from PySide6.QtGui import QAction, QKeySequence
from PySide6.QtWidgets import QFileDialog, QMenu

from editor.opening import DEMO
from ui.banner import SIGN

if TYPE_CHECKING:
    from ui.main_window import MainWindow

MAX_RECENT: Final = 8
RECENT: Final = "recent"
FILES: Final = "What can be opened (*.json *.jsonl *.dat);;All files (*)"


class Opening(QObject):
    """`open` is the one way in, whoever asks."""

    def __init__(self, window: MainWindow) -> None:
        super().__init__(window)
        self.window = window
        self.session = window.session
        self.banner = window.banner
        standard = QKeySequence.StandardKey
        self.file_action = self._action("Open…", self.ask_for_file, standard.Open)
        self.folder_action = self._action("Open Data Folder…", self.ask_for_folder, "Ctrl+Shift+O")
        self.demo_action = self._action("Open Demo World", lambda: self.open(DEMO))
        self.reload_action = self._action("Reload", self.reload, standard.Refresh)
        self.recent_menu = QMenu("Open Recent", window)
        self.recent_menu.setToolTipsVisible(True)
        self.session.opening.connect(self._on_opening)
        self.session.opened.connect(self._on_opened)
        self.session.open_failed.connect(self._on_failed)
        self._show_recent()

    def _action(self, text: str, slot: Callable[[], object], keys: str | QKeySequence.StandardKey = "") -> QAction:
        made = QAction(text, self.window)
        made.setShortcut(QKeySequence(keys))
        made.triggered.connect(lambda checked=False: slot())
        return made

    # --- asking

    def open(self, source: str) -> None:
        self.session.open(source)

    @Slot()
    def ask_for_folder(self) -> None:
        title = "Open the Folder with client_portal.dat and client_cell_1.dat"
        folder = QFileDialog.getExistingDirectory(self.window, title)
        if folder:
            self.open(folder)

    @Slot()
    def ask_for_file(self) -> None:
        name, _ = QFileDialog.getOpenFileName(self.window, "Open", "", FILES)
        if name:
            self.open(name)

    @Slot()
    def reload(self) -> None:
        if self.session.source:
            self.open(self.session.source)

    def drop(self, mime: QMimeData) -> bool:
        """Open the first file or folder of what is dropped; False when there is none."""
        paths = dropped_paths(mime)
        if paths:
            self.open(paths[0])
        return bool(paths)

    # --- what comes of it

    @Slot(str)
    def _on_opening(self, source: str) -> None:
        job = self.session.opening_job
        if job is not None:
            self.window.centre.progress.follow(job, f"Opening {short_name(source)} …")

    @Slot()
    def _on_opened(self) -> None:
        self.banner.hide()
        self._remember(self.session.source)

    @Slot(str, str)
    def _on_failed(self, source: str, reason: str) -> None:
        self.banner.warn(f"{SIGN}{short_name(source)} can not be opened: {reason}")

    # --- what was opened before

    def _remember(self, source: str) -> None:
        recent = [source, *(other for other in self._recent() if other != source)][:MAX_RECENT]
        self.window.settings.setValue(RECENT, recent)
        self._show_recent()

    def _recent(self) -> list[str]:
        stored = self.window.settings.value(RECENT, [])
        return [stored] if isinstance(stored, str) else [str(entry) for entry in stored or []]  # type: ignore[attr-defined]

    def _show_recent(self) -> None:
        self.recent_menu.clear()
        for source in self._recent():
            entry = self.recent_menu.addAction(short_name(source))
            entry.setToolTip(source)
            entry.triggered.connect(lambda checked=False, source=source: self.open(source))
        self.recent_menu.setEnabled(not self.recent_menu.isEmpty())


def dropped_paths(mime: QMimeData) -> list[str]:
    return [url.toLocalFile() for url in mime.urls() if url.isLocalFile()]


def short_name(source: str) -> str:
    return "the demo world" if source == DEMO else Path(source).name or source
