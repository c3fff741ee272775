"""Dialog that lists where the server data of the open world is, in their order, and changes that list."""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

from PySide6.QtCore import Qt, Signal, Slot
from PySide6.QtWidgets import (
    QDialog,
    QDialogButtonBox,
    QHBoxLayout,
    QLabel,
    QListWidget,
    QListWidgetItem,
    QPushButton,
    QVBoxLayout,
    QWidget,
)

from editor.process.plain_text import plain
from engine.world.server.place import MAX_PATHS, without_password
from ui.theme.theme import BETWEEN, EDGE, GROUP

NOTE: Final = (
    "The base comes first. What a later place says of a landblock or a weenie replaces what the places before it say."
)
WIDTH: Final = 620


class ServerSources(QDialog):
    """Asks for the list of places; `chosen` carries it. `ask_folder` and `ask_file` ask the user for a path."""

    chosen = Signal(object)

    def __init__(
        self,
        paths: tuple[str, ...],
        ask_folder: Callable[[], str],
        ask_file: Callable[[], str],
        parent: QWidget,
    ) -> None:
        super().__init__(parent)
        self.setObjectName("server-sources")
        self.setWindowTitle("Places of Server Data")
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        self.resize(WIDTH, self.sizeHint().height())
        self._before = paths
        note = QLabel(NOTE, self)
        note.setWordWrap(True)
        self.list = QListWidget(self)
        self.list.setObjectName("server-places")
        self.list.setAccessibleName("Places of server data, the base first")
        self.list.setTextElideMode(Qt.TextElideMode.ElideMiddle)
        self.list.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.add_folder = self._button("Add Folder…", "server-add-folder", lambda: self._add(ask_folder()))
        self.add_file = self._button("Add Database or File…", "server-add-file", lambda: self._add(ask_file()))
        self.up = self._button("Move Up", "server-up", lambda: self._move(-1))
        self.down = self._button("Move Down", "server-down", lambda: self._move(1))
        self.remove = self._button("Remove", "server-remove", self._remove)
        self.buttons = QDialogButtonBox(
            QDialogButtonBox.StandardButton.Ok | QDialogButtonBox.StandardButton.Cancel, self
        )
        self.buttons.accepted.connect(self.accept)
        self.buttons.rejected.connect(self.reject)
        side = QVBoxLayout()
        side.setSpacing(BETWEEN)
        for button in (self.add_folder, self.add_file, self.up, self.down, self.remove):
            side.addWidget(button)
        side.addStretch(1)
        row = QHBoxLayout()
        row.setSpacing(GROUP)
        row.addWidget(self.list, 1)
        row.addLayout(side)
        box = QVBoxLayout(self)
        box.setContentsMargins(EDGE, EDGE, EDGE, EDGE)
        box.setSpacing(GROUP)
        box.addWidget(note)
        box.addLayout(row, 1)
        box.addWidget(self.buttons)
        for path in paths:
            self._append(path)
        self.list.setCurrentRow(self.list.count() - 1)
        self.list.currentRowChanged.connect(self._follow)
        self._follow()

    @property
    def paths(self) -> tuple[str, ...]:
        """The places as listed now."""
        return tuple(self.list.item(row).data(Qt.ItemDataRole.UserRole) for row in range(self.list.count()))

    def _button(self, text: str, name: str, then: Callable[[], object]) -> QPushButton:
        made = QPushButton(text, self)
        made.setObjectName(name)
        made.setAutoDefault(False)
        made.clicked.connect(lambda checked=False: then())
        return made

    def _append(self, path: str) -> None:
        shown = without_password(path)
        item = QListWidgetItem(plain(shown), self.list)
        item.setToolTip(plain(shown))
        item.setData(Qt.ItemDataRole.UserRole, path)

    def _add(self, path: str) -> None:
        if path and path not in self.paths:
            self._append(path)
            self.list.setCurrentRow(self.list.count() - 1)
        self._follow()

    def _move(self, by: int) -> None:
        row = self.list.currentRow()
        self.list.insertItem(row + by, self.list.takeItem(row))
        self.list.setCurrentRow(row + by)
        self._follow()

    def _remove(self) -> None:
        self.list.takeItem(self.list.currentRow())
        self._follow()

    @Slot()
    def _follow(self) -> None:
        row, count = self.list.currentRow(), self.list.count()
        self.up.setEnabled(row > 0)
        self.down.setEnabled(0 <= row < count - 1)
        self.remove.setEnabled(row >= 0)
        self.add_folder.setEnabled(count < MAX_PATHS)
        self.add_file.setEnabled(count < MAX_PATHS)

    @Slot()
    def accept(self) -> None:
        super().accept()
        if self.paths != self._before:
            self.chosen.emit(self.paths)
