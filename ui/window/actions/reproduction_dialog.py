"""Dialog to save a reproduction: what goes in, that it carries game data, textures or not, a note, the file."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Final

from PySide6.QtCore import QSize, Qt, Signal, Slot
from PySide6.QtWidgets import (
    QCheckBox,
    QComboBox,
    QDialog,
    QDialogButtonBox,
    QFileDialog,
    QFormLayout,
    QHBoxLayout,
    QLabel,
    QLineEdit,
    QPlainTextEdit,
    QProgressBar,
    QPushButton,
    QTreeWidget,
    QTreeWidgetItem,
    QVBoxLayout,
    QWidget,
)

from editor.export.reproduction import REPRODUCTION_SUFFIX, ReproductionPlan, size_text
from editor.process.plain_text import plain, plain_lines
from engine.world.loader.reproduction.heading import MAX_NOTE, plural
from ui.theme.theme import BETWEEN, EDGE
from ui.widgets.paths import native, typed_path

FILTER: Final = f"Reproductions (*{REPRODUCTION_SUFFIX})"
GAME_DATA: Final = (
    "The file carries game data, taken from your client files. Share it only as you may share those. Whoever opens it "
    "needs no files of their own."
)
LEAVE_OUT: Final = "Leave &textures out"
NO_FILE: Final = "Choose a file first."
WAITING: Final = "What goes in is found out by replaying …"
PERCENT: Final = 100
NOTE_HEIGHT: Final = 72
NUMBER_WIDTH: Final = 120
LABELS: Final = {"tick": "Ticks", "move": "Moves", "file": "Files of JSON"}


class SaveReproductionDialog(QDialog):
    """`wanted` carries the number of the moves to pack, whose plan is then to be shown; `chosen` the plan, the file,
    whether with textures, and the note. Closing the dialog chooses nothing."""

    wanted = Signal(int)
    chosen = Signal(object, str, bool, str)

    def __init__(self, choices: Sequence[str], file: str, parent: QWidget) -> None:
        super().__init__(parent)
        self.setObjectName("save-reproduction-dialog")
        self.setWindowTitle("Save Reproduction")
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        self.resize(QSize(640, 600))
        self._plan: ReproductionPlan | None = None
        self._failed = ""
        self.choice = QComboBox(self)
        self.choice.setObjectName("reproduction-moves")
        self.choice.addItems([plain(choice) for choice in choices])
        self.word = QLabel(self)
        self.word.setObjectName("reproduction-summary")
        self.word.setWordWrap(True)
        self.word.setTextFormat(Qt.TextFormat.PlainText)
        self.bar = QProgressBar(self)
        self.bar.setTextVisible(False)
        self.tree = QTreeWidget(self)
        self.tree.setObjectName("reproduction-content")
        self.tree.setAccessibleName("Content")
        self.tree.setColumnCount(2)
        self.tree.setHeaderLabels(["Content", "Number or size"])
        self.tree.setRootIsDecorated(False)
        self.tree.setUniformRowHeights(True)
        self.game_data = QLabel(GAME_DATA, self)
        self.game_data.setObjectName("reproduction-game-data")
        self.game_data.setWordWrap(True)
        self.without = QCheckBox(LEAVE_OUT, self)
        self.without.setObjectName("reproduction-no-textures")
        self.without.setToolTip("Everything is then drawn in the mean colour of its picture")
        self.note = QPlainTextEdit(self)
        self.note.setObjectName("reproduction-note")
        self.note.setAccessibleName("Note")
        self.note.setPlaceholderText("Optional: what happens, and what should happen. It is readable in any editor.")
        self.note.setTabChangesFocus(True)
        self.note.setFixedHeight(NOTE_HEIGHT)
        self.file = QLineEdit(file, self)
        self.file.setObjectName("reproduction-file")
        self.file.setAccessibleName("File")
        self.browse = QPushButton("&Browse…", self)
        self.browse.setObjectName("reproduction-browse")
        self.replaces = QLabel("", self)
        self.replaces.setObjectName("reproduction-replaces")
        self.buttons = QDialogButtonBox(QDialogButtonBox.StandardButton.Cancel, self)
        self.save_button = QPushButton("&Save", self)
        self.save_button.setObjectName("reproduction-save")
        self.save_button.setDefault(True)
        self.buttons.addButton(self.save_button, QDialogButtonBox.ButtonRole.AcceptRole)
        self._arrange()
        self.choice.setVisible(len(choices) > 1)
        self.choice.currentIndexChanged.connect(self.wanted)
        self.without.toggled.connect(self._fill)
        self.note.textChanged.connect(self._allow)
        self.file.textChanged.connect(self._allow)
        self.browse.clicked.connect(self._browse)
        self.buttons.accepted.connect(self.accept)
        self.buttons.rejected.connect(self.reject)
        self.show_waiting()

    def _arrange(self) -> None:
        row = QHBoxLayout()
        row.setSpacing(BETWEEN)
        row.addWidget(self.file, 1)
        row.addWidget(self.browse)
        form = QFormLayout()
        form.setSpacing(BETWEEN)
        form.addRow("&Note", self.note)
        form.addRow("&File", row)
        form.addRow("", self.replaces)
        label = form.labelForField(row)
        if isinstance(label, QLabel):
            label.setBuddy(self.file)
        box = QVBoxLayout(self)
        box.setContentsMargins(EDGE, EDGE, EDGE, EDGE)
        box.setSpacing(BETWEEN)
        for widget in (self.choice, self.word, self.bar):
            box.addWidget(widget)
        box.addWidget(self.tree, 1)
        box.addWidget(self.without)
        box.addWidget(self.game_data)
        box.addLayout(form)
        box.addWidget(self.buttons)

    # --- what goes in

    def show_waiting(self) -> None:
        """The plan is being made."""
        self._plan, self._failed = None, ""
        self.tree.clear()
        self.show_progress(-1.0, WAITING)
        self.bar.show()
        self._allow()

    def show_progress(self, fraction: float, text: str) -> None:
        self.word.setText(plain(text))
        self.bar.setRange(0, 0 if fraction < 0.0 else PERCENT)
        self.bar.setValue(round(max(fraction, 0.0) * PERCENT))

    def show_failure(self, sentence: str, details: str) -> None:
        self._failed = sentence
        self.bar.hide()
        self.word.setText(plain(sentence))
        self.word.setToolTip(plain_lines(details))
        self._allow()

    def show_plan(self, plan: ReproductionPlan) -> None:
        self._plan = plan
        self.bar.hide()
        self.without.setEnabled(bool(plan.content.textures))
        saved = f" (saves {size_text(plan.textures_size)} of {size_text(plan.size)})" if plan.content.textures else ""
        self.without.setText(f"{LEAVE_OUT}{plain(saved)}")
        self._fill()
        self._allow()

    @Slot()
    def _fill(self) -> None:
        plan = self._plan
        self.tree.clear()
        if plan is None:
            return
        head, bare = plan.content.head, self.without.isChecked()
        size = plan.size - (plan.textures_size if bare else 0)
        made = "with what its server data have there" if plan.content.blocks is not None else "nothing else of it"
        self.word.setText(
            plain(f"The part of {head.world} that replaying and drawing need, {made}: {size_text(size)}.")
        )
        for noun, count in head.counts.items():
            shown = "left out" if noun == "texture" and bare else f"{count:,}"
            self._row(LABELS.get(noun, plural(noun).capitalize()), shown)
        moves = size_text(len(plan.content.moves))
        self._row(f"Size of the {head.moves}", moves)
        if plan.textures_size and not bare:
            self._row("Size of the textures", size_text(plan.textures_size))
        self._row("Size of the file", size_text(size))
        self.tree.resizeColumnToContents(0)
        self.tree.setColumnWidth(0, self.tree.columnWidth(0) + NUMBER_WIDTH)

    def _row(self, label: str, value: str) -> None:
        item = QTreeWidgetItem(self.tree, [plain(label), plain(value)])
        item.setTextAlignment(1, Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter)

    # --- where to

    @Slot()
    def _allow(self) -> None:
        file = typed_path(self.file.text())
        length = len(self.note.toPlainText())
        why = self._failed or ("" if self._plan is not None else WAITING) or ("" if file else NO_FILE)
        if not why and length > MAX_NOTE:
            why = f"The note has {length:,} characters; {MAX_NOTE:,} are the most."
        self.save_button.setEnabled(not why)
        self.save_button.setToolTip(plain_lines(why))
        self.replaces.setText("Replaces the file that is there." if file and _exists(file) else "")

    @Slot()
    def _browse(self) -> None:
        chosen, _ = QFileDialog.getSaveFileName(self, "Save Reproduction", typed_path(self.file.text()), FILTER)
        if chosen:
            self.file.setText(native(chosen))

    @Slot()
    def accept(self) -> None:
        if self.save_button.isEnabled() and self._plan is not None:
            note = self.note.toPlainText()
            self.chosen.emit(self._plan, typed_path(self.file.text()), not self.without.isChecked(), note)
            super().accept()


def _exists(file: str) -> bool:
    try:
        return Path(file).expanduser().exists()
    except (OSError, ValueError, RuntimeError):  # a name too long, one with a zero byte, an unknown user
        return False
