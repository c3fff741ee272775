"""Asks for server data: in the dialog of landblocks, and for a recording or project that needs it."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Final

from PySide6.QtCore import Qt, Slot
from PySide6.QtGui import QAction
from PySide6.QtWidgets import QFileDialog, QHBoxLayout, QLabel, QMenu, QPushButton, QWidget

from editor.process.plain_text import plain
from editor.session.loading import Request
from editor.session.open_error import short_name
from editor.session.server_choice import ServerChoice
from editor.session.server_question import ServerDataQuestion
from engine.world.server.look import server_look
from engine.world.server.place import without_password
from engine.world.server.sources import PATTERNS
from ui.theme.theme import BETWEEN
from ui.widgets.banner import SIGN, Banner
from ui.widgets.paths import native
from ui.widgets.save_folder import first_folder, remember

FOLDER: Final = "Choose a Folder with a Server's SQL Files"
FILE: Final = "Choose a Server's SQLite Database or SQL File"
FILTER: Final = f"Databases and SQL Files ({' '.join(PATTERNS)} *.sql);;All Files (*)"


def ask_for_folder(parent: QWidget, begin: str = "") -> str:
    folder = QFileDialog.getExistingDirectory(parent, FOLDER, begin or first_folder())
    remember(folder)
    return native(folder)


def ask_for_file(parent: QWidget, begin: str = "") -> str:
    name, _ = QFileDialog.getOpenFileName(parent, FILE, begin or first_folder(), FILTER)
    remember(name)
    return native(name)


def names_of(choice: ServerChoice | None) -> str:
    """The server data in a few words."""
    if choice is None or not choice.paths:
        return "none"
    return " + ".join(short_name(without_password(path)) for path in choice.paths)


class ServerRow(QWidget):
    """Says which server data a world is about to open with, and lets the user choose other."""

    def __init__(self, before: ServerChoice | None, parent: QWidget) -> None:
        super().__init__(parent)
        self.choice: ServerChoice | None = None
        """What the user chose; None while he has not."""
        self._also = () if before is None else before.also
        self.label = QLabel(self)
        self.label.setObjectName("server-row")
        self.label.setTextFormat(Qt.TextFormat.PlainText)
        self.label.setWordWrap(True)
        self.button = QPushButton("Choose…", self)
        self.button.setObjectName("server-choose")
        self.button.setAccessibleName("Choose server data")
        self.button.setToolTip("Doors, chests, creatures and portals come from a server's data")
        self.button.setAutoDefault(False)
        menu = QMenu(self)
        menu.addAction("Folder of SQL Files…").triggered.connect(lambda: self._take(ask_for_folder(self)))
        menu.addAction("Database or SQL File…").triggered.connect(lambda: self._take(ask_for_file(self)))
        self.none_action = menu.addAction("None")
        self.none_action.triggered.connect(lambda: self._choose(ServerChoice(())))
        self.button.setMenu(menu)
        row = QHBoxLayout(self)
        row.setContentsMargins(0, 0, 0, 0)
        row.setSpacing(BETWEEN)
        row.addWidget(self.label, 1)
        row.addWidget(self.button)
        self._show(before)

    def _take(self, path: str) -> None:
        if path and not server_look(Path(path)):
            self.label.setText(plain(f"{SIGN}{short_name(path)} holds no server data."))
        elif path:
            self._choose(ServerChoice((path,), self._also))

    def _choose(self, choice: ServerChoice) -> None:
        self.choice = choice
        self._show(choice)

    def _show(self, choice: ServerChoice | None) -> None:
        self.label.setText(plain(f"Server data: {names_of(choice)}"))
        self.label.setToolTip(plain("" if choice is None else "\n".join(map(without_password, choice.paths))))


class ServerAsking:
    """The warning that a recording or project needs server data, with its remedies as a menu."""

    def __init__(self, window: QWidget, banner: Banner, go_on: Callable[[Request], None]) -> None:
        self._window = window
        self._banner = banner
        self._go_on = go_on
        self._question: ServerDataQuestion | None = None
        self._menu = QMenu(window)
        self._said = self._menu.addAction("Use What the File Says")
        self._said.triggered.connect(self._agree)
        self._menu.addAction("Folder of SQL Files…").triggered.connect(
            lambda: self._answer(ask_for_folder(window, self._beside()))
        )
        self._menu.addAction("Database or SQL File…").triggered.connect(
            lambda: self._answer(ask_for_file(window, self._beside()))
        )
        self.without_action = self._menu.addAction("Open Without It")
        self.without_action.triggered.connect(self._leave_out)
        self.action = QAction("Choose Its Server Data", window)
        self.action.setToolTip("Choose the server data that it was made with")
        self.action.setMenu(self._menu)

    def ask(self, question: ServerDataQuestion) -> None:
        self._question = question
        self._said.setVisible(bool(question.said))
        failure = question.failure
        self._banner.warn(f"{SIGN}{failure.sentence}", failure.details, self.action)

    def _beside(self) -> str:
        return "" if self._question is None else str(Path(self._question.request.source).absolute().parent)

    @Slot()
    def _agree(self) -> None:
        if self._question is not None:
            self._go_on(self._question.agree())

    @Slot()
    def _leave_out(self) -> None:
        if self._question is not None:
            self._go_on(self._question.answer())

    def _answer(self, path: str) -> None:
        if self._question is not None and path:
            self._go_on(self._question.answer(path))
