"""Dialog to export data files: every record with what changes in it, what is left out, the form and the folder."""

from __future__ import annotations

from typing import Final

from PySide6.QtCore import Signal, Slot
from PySide6.QtWidgets import QRadioButton, QTreeWidgetItem, QWidget

from editor.export.data_files import DataFilesPlan
from editor.export.record_listing import ChangedRecord
from editor.process.plain_text import counted, plain
from engine.dat.field_changes import value_text
from ui.widgets.paths import typed_path
from ui.window.dialogs.export_dialog import ExportDialog, field_item

NOTHING: Final = "Nothing has changed that data files could hold."


class ExportDataFilesDialog(ExportDialog):
    """`chosen` carries the folder and whether to write loose records. Closing the dialog chooses nothing."""

    chosen = Signal(str, bool)

    def __init__(self, plan: DataFilesPlan, folder: str, parent: QWidget) -> None:
        super().__init__(f"Export Data Files – {plan.world}", folder, parent)
        self.setObjectName("export-data-files-dialog")
        self.tree.setAccessibleName("Changed records")
        self.tree.setHeaderLabels(["Record or field", "Before", "After"])
        self.whole = QRadioButton("&Whole data files, to open or to play with", self)
        self.whole.setObjectName("export-whole")
        self.whole.setToolTip("A data folder: databases with changed records are rewritten, the others are copied")
        self.whole.setChecked(True)
        self.loose = QRadioButton("Only the changed &records, each as a file named by its id", self)
        self.loose.setObjectName("export-loose")
        self.arrange(self.whole, self.loose)
        items = list(map(_record_item, plan.records))
        self.show_changes(_summary(plan), items, plan.left_out, "data files", NOTHING if plan.is_empty else "")

    @Slot()
    def accept(self) -> None:
        if self.export_button.isEnabled():
            self.chosen.emit(typed_path(self.folder.text()), self.loose.isChecked())
            super().accept()


def _summary(plan: DataFilesPlan) -> str:
    if plan.is_empty:
        return f"{NOTHING} The list says why." if plan.left_out else NOTHING
    count = len(plan.records)
    return f"{counted(count, 'record')} of {plan.world} {'changes' if count == 1 else 'change'}."


def _record_item(record: ChangedRecord) -> QTreeWidgetItem:
    item = QTreeWidgetItem([plain(record.title), "", f"{record.change} in {record.kind.file_name}"])
    for each in record.fields:
        item.addChild(field_item(each.field, value_text(each.before), value_text(each.after)))
    return item
