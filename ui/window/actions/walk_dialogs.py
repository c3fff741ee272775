"""The list of kept walks, and one of them beside how it goes now."""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

from PySide6.QtCore import Qt, Signal, SignalInstance, Slot
from PySide6.QtGui import QAction, QCloseEvent
from PySide6.QtWidgets import QDialog, QDialogButtonBox, QHBoxLayout, QLabel, QPlainTextEdit, QVBoxLayout, QWidget

from editor.models.live_table import ACCEPTED, ADJUSTED, DIM, FAULT, Column, LiveTable, Row, Value
from editor.models.walks.comparing import WalkComparison
from editor.models.walks.kept import WalkEntry
from editor.models.walks.watch import WalkWatch
from editor.process.plain_text import counted, plain, title_text, visible_lines
from engine.sim.walks.outcome import Verdict
from ui.commands.registry import allow
from ui.docks.parts import button
from ui.docks.table import LiveView
from ui.theme.theme import BETWEEN, EDGE, Colours, mono_font

EMPTY: Final = "No walks are kept: walk somewhere, then choose Keep This Walk… in the File menu."
ABOUT: Final = (
    "Walks that the project keeps, and those of a folder that is watched. They run again after every edit; Problems "
    "lists those that then go otherwise."
)
NONE: Final = "Select a walk first."
OF_FOLDER: Final = "It is a file of the folder that is watched."
SIZE: Final = (680, 320)
TEXT_SIZE: Final = (760, 440)
SIGNS: Final = {
    Verdict.AS_BEFORE: ("✓ as before", ACCEPTED),
    Verdict.OTHERWISE: ("▲ otherwise", ADJUSTED),
    Verdict.CANNOT_BEGIN: ("■ cannot begin", FAULT),
    Verdict.UNREADABLE: ("■ unreadable", FAULT),
}
COLUMNS: Final = (
    Column("Walk", sample="up the cellar stair and out"),
    Column("Now", sample="■ cannot begin"),
    Column("What"),
)


class WalksDialog(QDialog):
    """All kept walks. It stays open beside the window."""

    compare_wanted = Signal(object)
    rename_wanted = Signal(object)
    save_wanted = Signal(object)

    def __init__(self, watch: WalkWatch, parent: QWidget) -> None:
        super().__init__(parent)
        self._watch = watch
        self._kept = watch.kept
        self.setObjectName("kept-walks")
        self.setWindowTitle("Kept Walks")
        self.setWhatsThis(ABOUT)
        self.model = LiveTable(COLUMNS, self)
        self.view = LiveView(self.model, "walks", "Kept walks", EMPTY, self)
        self.view.elide_last()
        self.line = QLabel(self)
        self.line.setObjectName("walks-line")
        self.line.setTextFormat(Qt.TextFormat.PlainText)
        self._actions: list[QAction] = []
        self.run_action = self._action("walks-run", "Run Now", watch.run_now)
        self.compare_action = self._action("walks-compare", "Compare", lambda: self._tell(self.compare_wanted))
        self.accept_action = self._action("walks-accept", "Accept as New Truth", self._accept)
        self.rename_action = self._action("walks-rename", "Rename…", lambda: self._tell(self.rename_wanted), "F2")
        self.save_action = self._action("walks-save", "Save As…", lambda: self._tell(self.save_wanted))
        self.remove_action = self._action("walks-remove", "Remove", self._remove, "Del")
        below = QHBoxLayout()
        below.setSpacing(BETWEEN)
        for made in self._actions:
            below.addWidget(button(made, self))
        below.addStretch(1)
        box = QVBoxLayout(self)
        box.setContentsMargins(EDGE, EDGE, EDGE, EDGE)
        box.setSpacing(BETWEEN)
        box.addWidget(self.line)
        box.addWidget(self.view, 1)
        box.addLayout(below)
        self.view.key_changed.connect(self._allow)
        watch.changed.connect(self.refresh)
        self.refresh()
        self.resize(*SIZE)

    def _action(self, name: str, text: str, slot: Callable[[], object], keys: str = "") -> QAction:
        made = QAction(text, self)
        made.setObjectName(name)
        if keys:
            made.setShortcut(keys)
            made.setShortcutContext(Qt.ShortcutContext.WidgetShortcut)
        made.triggered.connect(slot)
        self.view.addAction(made)
        self._actions.append(made)
        return made

    def set_colours(self, colours: Colours) -> None:
        self.view.set_colours(colours)

    @property
    def chosen(self) -> WalkEntry | None:
        return self._kept.find(self.view.key)

    @Slot()
    def refresh(self) -> None:
        key = self.view.key
        self.model.show([_row(entry) for entry in self._kept.entries], mark=False)
        self.view.follow(key)
        folder = f"; watching {self._kept.folder}" if self._kept.folder is not None else ""
        self.line.setText(plain(f"{self._watch.text or counted(0, 'walk')}{folder}"))
        self._allow()

    @Slot()
    def _allow(self) -> None:
        entry = self.chosen
        none = "" if entry is not None else NONE
        outcome = None if entry is None else entry.outcome
        differs = outcome is not None and outcome.verdict is Verdict.OTHERWISE
        alike = none or ("" if differs else "It does not go otherwise.")
        own = none or ("" if entry is not None and entry.path is None else OF_FOLDER)
        allow(self.run_action, "" if self._kept.entries else "No walks are kept.", "Run all of them again")
        allow(self.compare_action, alike, "Where and why it parts from the way it was kept")
        allow(self.accept_action, alike, "Let it go like this from now on")
        allow(self.rename_action, own, "Give it another name")
        allow(self.save_action, own, "Save it as a file, to be opened and replayed")
        allow(self.remove_action, none, "Keep it no longer; the file of one in a folder stays")

    def _tell(self, signal: SignalInstance) -> None:
        if self.chosen is not None:
            signal.emit(self.chosen)

    def _accept(self) -> None:
        if self.chosen is not None:
            self._watch.accept(self.chosen)

    def _remove(self) -> None:
        if self.chosen is not None:
            self._kept.remove(self.chosen)


def _row(entry: WalkEntry) -> Row:
    outcome = entry.outcome
    if outcome is None:
        return Row(entry.number, (Value(entry.name), Value("… to run", tone=DIM), Value("")))
    sign, tone = SIGNS[outcome.verdict]
    said = outcome.sentence.removeprefix(f"{outcome.verdict.value}: ")
    tip = "\n".join([entry.sentence, *entry.details])
    return Row(entry.number, (Value(entry.name), Value(sign, tone=tone), Value(said, tip=tip)))


class WalkComparisonDialog(QDialog):
    """One walk beside how it goes now, as text."""

    def __init__(self, comparison: WalkComparison, parent: QWidget) -> None:
        super().__init__(parent)
        self.comparison = comparison
        comparison.setParent(self)
        self.setObjectName("walk-comparison")
        self.setWindowTitle(title_text(f"Compare Walk ‘{comparison.entry.name}’"))
        self.text = QPlainTextEdit(self)
        self.text.setObjectName("walk-comparison-text")
        self.text.setReadOnly(True)
        self.text.setFont(mono_font())
        self.text.setLineWrapMode(QPlainTextEdit.LineWrapMode.NoWrap)
        self.progress = QLabel(self)
        self.progress.setProperty("dim", True)
        buttons = QDialogButtonBox(QDialogButtonBox.StandardButton.Close, self)
        buttons.rejected.connect(self.close)
        below = QHBoxLayout()
        below.addWidget(self.progress, 1)
        below.addWidget(buttons)
        box = QVBoxLayout(self)
        box.setContentsMargins(EDGE, EDGE, EDGE, EDGE)
        box.setSpacing(BETWEEN)
        box.addWidget(self.text, 1)
        box.addLayout(below)
        comparison.changed.connect(self.refresh)
        self.refresh()
        self.resize(*TEXT_SIZE)

    @Slot()
    def refresh(self) -> None:
        self.text.setPlainText(visible_lines("\n".join(self.comparison.lines)))
        self.progress.setText(plain(self.comparison.progress))

    def closeEvent(self, event: QCloseEvent) -> None:
        self.comparison.close()
        super().closeEvent(event)
