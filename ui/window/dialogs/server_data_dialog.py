"""Dialog to export server data: every row with what changes in it, what is left out, and the folder."""

from __future__ import annotations

from typing import Final

from PySide6.QtCore import Signal, Slot
from PySide6.QtWidgets import QInputDialog, QPushButton, QTreeWidgetItem, QWidget

from editor.export.row_listing import field_text, row_place, row_title
from editor.export.server_data import ServerPlan
from editor.process.plain_text import counted, plain, plain_lines
from engine.world.server.differences import RowDifference
from ui.widgets.paths import typed_path
from ui.window.dialogs.export_dialog import ID_ROLE, ExportDialog, field_item

NOTHING: Final = "Nothing has changed that server data could hold."
NO_THING: Final = "Select a new thing in the list that has no weenie."
MOST: Final = 0x7FFFFFFF


class ExportServerDataDialog(ExportDialog):
    """`chosen` carries the folder; `weenie_chosen` a new thing's id and its weenie, after which the plan is made again.
    Closing the dialog chooses nothing."""

    chosen = Signal(str)
    weenie_chosen = Signal(object, int)

    def __init__(self, plan: ServerPlan, folder: str, parent: QWidget) -> None:
        super().__init__(f"Export Server Data – {plan.world}", folder, parent)
        self.setObjectName("export-server-data-dialog")
        self.tree.setAccessibleName("Changed rows")
        self.tree.setHeaderLabels(["Row or column", "Before", "After"])
        self.weenie = QPushButton("Choose &Weenie…", self)
        self.weenie.setObjectName("export-weenie")
        self.weenie.setAutoDefault(False)
        self.asked: QInputDialog | None = None
        self.weenie.clicked.connect(self._ask)
        self.tree.itemSelectionChanged.connect(self._allow_weenie)
        self.arrange(self.weenie)
        self.plan = plan
        self.show_plan(plan)

    def show_plan(self, plan: ServerPlan) -> None:
        self.plan = plan
        items = list(map(_row_item, plan.rows))
        self.show_changes(_summary(plan), items, plan.left_out, "server data", NOTHING if plan.is_empty else "")
        self.weenie.setVisible(bool(plan.without_class))
        self._allow_weenie()

    def _selected(self) -> int:
        """The selected thing without a weenie; 0 for none."""
        ids = [item.data(0, ID_ROLE) for item in self.tree.selectedItems()]
        return next((int(each) for each in ids if each in self.plan.without_class), 0)

    @Slot()
    def _allow_weenie(self) -> None:
        why = "" if self._selected() else NO_THING
        self.weenie.setEnabled(not why)
        self.weenie.setToolTip(plain_lines(why))

    @Slot()
    def _ask(self) -> None:
        thing = self._selected()
        if not thing:
            return
        dialog = self.asked = QInputDialog(self)
        dialog.setObjectName("export-weenie-dialog")
        dialog.setWindowTitle("Choose Weenie")
        dialog.setInputMode(QInputDialog.InputMode.IntInput)
        dialog.setIntRange(1, MOST)
        dialog.setLabelText("Number of the weenie, the class that the server gives the thing:")
        dialog.intValueSelected.connect(lambda wcid: self.weenie_chosen.emit(thing, wcid))
        dialog.finished.connect(self._on_asked)
        dialog.open()

    @Slot()
    def _on_asked(self) -> None:
        if self.asked is not None:
            self.asked.deleteLater()
            self.asked = None

    @Slot()
    def accept(self) -> None:
        if self.export_button.isEnabled():
            self.chosen.emit(typed_path(self.folder.text()))
            super().accept()


def _summary(plan: ServerPlan) -> str:
    if plan.is_empty:
        return f"{NOTHING} The list says why." if plan.left_out else NOTHING
    count = len(plan.rows)
    change = "changes" if count == 1 else "change"
    return f"{counted(count, 'row')} of {plan.world} {change}, in {counted(len(plan.files), 'file')}."


def _row_item(row: RowDifference) -> QTreeWidgetItem:
    item = QTreeWidgetItem([plain(row_title(row)), "", row_place(row)])
    item.setToolTip(0, plain_lines(row_title(row)))
    for each in row.fields:
        item.addChild(field_item(each.field, field_text(each.before), field_text(each.after)))
    return item
