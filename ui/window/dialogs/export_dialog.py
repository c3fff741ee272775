"""What the dialogs of exports share: what changes, before and after, what is left out, and the folder."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path
from typing import Final

from PySide6.QtCore import QSize, Qt, Slot
from PySide6.QtWidgets import (
    QDialog,
    QDialogButtonBox,
    QFileDialog,
    QHBoxLayout,
    QLabel,
    QLineEdit,
    QPushButton,
    QTreeWidget,
    QTreeWidgetItem,
    QVBoxLayout,
    QWidget,
)

from editor.process.plain_text import plain, plain_lines, title_text
from engine.sim.data_files.changes import LeftOut
from ui.theme.theme import BETWEEN, EDGE
from ui.widgets.paths import native, typed_path

EXPANDED: Final = 50
"""With more changes than this, they are listed folded."""
WIDTHS: Final = (280, 270)
"""Of the first columns; the last one takes the rest."""
NO_FOLDER: Final = "Choose a folder first."
ID_ROLE: Final = Qt.ItemDataRole.UserRole
"""In an item of what is left out, the id of the thing."""


class ExportDialog(QDialog):
    """Subclasses add their options with `arrange`, fill the list with `show_changes`, and emit what is chosen."""

    def __init__(self, title: str, folder: str, parent: QWidget) -> None:
        super().__init__(parent)
        self._title = title
        self._why_not = ""
        self.setWindowTitle(title_text(title))
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        self.resize(QSize(860, 560))
        self.word = QLabel(self)
        self.word.setObjectName("export-summary")
        self.tree = QTreeWidget(self)
        self.tree.setObjectName("export-records")
        self.tree.setColumnCount(3)
        self.tree.setUniformRowHeights(True)
        for column, width in enumerate(WIDTHS):
            self.tree.setColumnWidth(column, width)
        self.folder = QLineEdit(folder, self)
        self.folder.setObjectName("export-folder")
        self.folder.setAccessibleName("Folder")
        self.browse = QPushButton("&Browse…", self)
        self.browse.setObjectName("export-browse")
        self.buttons = QDialogButtonBox(QDialogButtonBox.StandardButton.Cancel, self)
        self.export_button = QPushButton("&Export", self)
        self.export_button.setObjectName("export-button")
        self.export_button.setDefault(True)
        self.buttons.addButton(self.export_button, QDialogButtonBox.ButtonRole.AcceptRole)
        self.browse.clicked.connect(self._browse)
        self.folder.textChanged.connect(self._allow)
        self.buttons.accepted.connect(self.accept)
        self.buttons.rejected.connect(self.reject)

    def arrange(self, *options: QWidget) -> None:
        """Lay everything out, with the options between the list and the folder."""
        label = QLabel("&Folder", self)
        label.setBuddy(self.folder)
        row = QHBoxLayout()
        row.setSpacing(BETWEEN)
        row.addWidget(label)
        row.addWidget(self.folder, 1)
        row.addWidget(self.browse)
        box = QVBoxLayout(self)
        box.setContentsMargins(EDGE, EDGE, EDGE, EDGE)
        box.setSpacing(BETWEEN)
        box.addWidget(self.word)
        box.addWidget(self.tree, 1)
        for option in options:
            box.addWidget(option, 0, Qt.AlignmentFlag.AlignLeft)
        box.addLayout(row)
        box.addWidget(self.buttons)

    def show_changes(
        self, summary: str, changes: list[QTreeWidgetItem], left_out: Iterable[LeftOut], where: str, why_not: str
    ) -> None:
        """List changes, and what is not in `where`; `why_not` says why there is nothing to export."""
        self._why_not = why_not
        self.word.setText(plain(summary))
        self.tree.clear()
        self.tree.addTopLevelItems(changes)
        if len(changes) <= EXPANDED:
            self.tree.expandAll()
        listed = list(left_out)
        if listed:
            group = QTreeWidgetItem([f"Not in {where}"])
            self.tree.addTopLevelItem(group)
            for left in listed:
                text = f"{left.what}: {left.reason}"
                item = QTreeWidgetItem(group, [plain(text)])
                item.setData(0, ID_ROLE, left.id)
                item.setToolTip(0, plain_lines(text))
                item.setFirstColumnSpanned(True)
            group.setExpanded(True)
        self._allow()

    @Slot()
    def _allow(self) -> None:
        why = self._why_not or ("" if typed_path(self.folder.text()) else NO_FOLDER)
        self.export_button.setEnabled(not why)
        self.export_button.setToolTip(plain_lines(why))

    @Slot()
    def _browse(self) -> None:
        begin = Path(typed_path(self.folder.text()) or ".")
        start = str(begin if begin.is_dir() else begin.parent)
        chosen = QFileDialog.getExistingDirectory(self, self._title.partition(" – ")[0], start)
        if chosen:
            self.folder.setText(native(chosen))


def field_item(field: str, before: str, after: str) -> QTreeWidgetItem:
    """A field or column that changes."""
    item = QTreeWidgetItem([plain(field), plain(before), plain(after)])
    item.setToolTip(1, plain_lines(before))
    item.setToolTip(2, plain_lines(after))
    return item
