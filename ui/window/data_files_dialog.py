"""Dialog to export data files: every record with what changes in it, what is left out, the form and the folder."""

from __future__ import annotations

from pathlib import Path
from typing import Final

from PySide6.QtCore import QSize, Qt, Signal, Slot
from PySide6.QtWidgets import (
    QDialog,
    QDialogButtonBox,
    QFileDialog,
    QHBoxLayout,
    QLabel,
    QLineEdit,
    QPushButton,
    QRadioButton,
    QTreeWidget,
    QTreeWidgetItem,
    QVBoxLayout,
    QWidget,
)

from editor.export.data_files import DataFilesPlan
from editor.export.record_listing import ChangedRecord
from editor.process.plain_text import counted, plain, plain_lines, title_text
from engine.dat.field_changes import value_text
from ui.theme.theme import BETWEEN, EDGE

EXPANDED: Final = 50
"""With more records than this, they are listed folded."""
WIDTHS: Final = (280, 270)
"""Of the first columns; the last one takes the rest."""
NOTHING: Final = "Nothing has changed that data files could hold."
NO_FOLDER: Final = "Choose a folder first."


class ExportDataFilesDialog(QDialog):
    """`chosen` carries the folder and whether to write loose records. Closing the dialog chooses nothing."""

    chosen = Signal(str, bool)

    def __init__(self, plan: DataFilesPlan, folder: str, parent: QWidget) -> None:
        super().__init__(parent)
        self.setObjectName("export-data-files-dialog")
        self.setWindowTitle(title_text(f"Export Data Files – {plan.world}"))
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        self.resize(QSize(860, 560))
        self._plan = plan
        self.word = QLabel(plain(_summary(plan)), self)
        self.word.setObjectName("export-summary")
        self.tree = QTreeWidget(self)
        self.tree.setObjectName("export-records")
        self.tree.setAccessibleName("Changed records")
        self.tree.setColumnCount(3)
        self.tree.setHeaderLabels(["Record or field", "Before", "After"])
        self.tree.setUniformRowHeights(True)
        self._fill()
        self.whole = QRadioButton("&Whole data files, to open or to play with", self)
        self.whole.setObjectName("export-whole")
        self.whole.setToolTip("A data folder: databases with changed records are rewritten, the others are copied")
        self.whole.setChecked(True)
        self.loose = QRadioButton("Only the changed &records, each as a file named by its id", self)
        self.loose.setObjectName("export-loose")
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
        self._arrange()
        self.browse.clicked.connect(self._browse)
        self.folder.textChanged.connect(self._allow)
        self.buttons.accepted.connect(self.accept)
        self.buttons.rejected.connect(self.reject)
        self._allow()

    def _arrange(self) -> None:
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
        box.addWidget(self.whole)
        box.addWidget(self.loose)
        box.addLayout(row)
        box.addWidget(self.buttons)

    def _fill(self) -> None:
        self.tree.addTopLevelItems(list(map(_record_item, self._plan.records)))
        if len(self._plan.records) <= EXPANDED:
            self.tree.expandAll()
        if self._plan.left_out:
            group = QTreeWidgetItem(["Not in data files"])
            self.tree.addTopLevelItem(group)
            for left in self._plan.left_out:
                text = f"{left.what}: {left.reason}"
                item = QTreeWidgetItem(group, [plain(text)])
                item.setToolTip(0, plain_lines(text))
                item.setFirstColumnSpanned(True)
            group.setExpanded(True)
        for column, width in enumerate(WIDTHS):
            self.tree.setColumnWidth(column, width)

    @Slot()
    def _allow(self) -> None:
        why = NOTHING if self._plan.is_empty else "" if self.folder.text().strip() else NO_FOLDER
        self.export_button.setEnabled(not why)
        self.export_button.setToolTip(plain_lines(why))

    @Slot()
    def _browse(self) -> None:
        begin = Path(self.folder.text().strip() or ".")
        chosen = QFileDialog.getExistingDirectory(
            self, "Export Data Files", str(begin if begin.is_dir() else begin.parent)
        )
        if chosen:
            self.folder.setText(chosen)

    @Slot()
    def accept(self) -> None:
        if self.export_button.isEnabled():
            self.chosen.emit(self.folder.text().strip(), self.loose.isChecked())
            super().accept()


def _summary(plan: DataFilesPlan) -> str:
    if plan.is_empty:
        return f"{NOTHING} The list says why." if plan.left_out else NOTHING
    count = len(plan.records)
    return f"{counted(count, 'record')} of {plan.world} {'changes' if count == 1 else 'change'}."


def _record_item(record: ChangedRecord) -> QTreeWidgetItem:
    item = QTreeWidgetItem([plain(record.title), "", f"{record.change} in {record.kind.file_name}"])
    for each in record.fields:
        before, after = value_text(each.before), value_text(each.after)
        field = QTreeWidgetItem([plain(each.field), plain(before), plain(after)])
        field.setToolTip(1, plain_lines(before))
        field.setToolTip(2, plain_lines(after))
        item.addChild(field)
    return item
