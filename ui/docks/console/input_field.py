"""The field in which the next input of the console is written: several lines, history, completion and signatures."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Final

from PySide6.QtCore import QEvent, QMimeData, QPoint, QStringListModel, Qt, Signal, Slot
from PySide6.QtGui import QFontMetricsF, QKeyEvent, QKeySequence, QTextCursor
from PySide6.QtWidgets import QCompleter, QListView, QPlainTextEdit, QToolTip, QWidget

from editor.process.plain_text import plain, plain_lines
from ui.theme.theme import GROUP, mono_font

if TYPE_CHECKING:
    from editor.scripting.completion import Completions

SHOWN: Final = 12
"""Rows of the list of completions."""
MOST_LINES: Final = 8
"""Lines of input that are seen at once."""
INDENT: Final = "    "
MOST_KEPT: Final = 200
LONGEST_KEPT: Final = 2_000
PROMPTS: Final = (">>> ", "... ")


class History:
    """Earlier inputs. Up finds the one before that begins like what was typed."""

    def __init__(self, kept: list[str]) -> None:
        self.entries = kept[-MOST_KEPT:]
        self._at = len(self.entries)
        self._typed = ""

    def add(self, source: str) -> None:
        if len(source) <= LONGEST_KEPT:
            self.entries = [*(entry for entry in self.entries if entry != source), source][-MOST_KEPT:]
        self.begin("")

    def begin(self, typed: str) -> None:
        """The next search begins at the end, for what begins like this."""
        self._at, self._typed = len(self.entries), typed

    def step(self, by: int) -> str | None:
        """The next entry that fits, towards the older ones (-1) or the newer ones; None when there is none."""
        at = self._at + by
        while 0 <= at < len(self.entries):
            if self.entries[at].startswith(self._typed):
                self._at = at
                return self.entries[at]
            at += by
        if by > 0 and self._at < len(self.entries):
            self._at = len(self.entries)
            return self._typed
        return None


class ConsoleInput(QPlainTextEdit):
    """Enter runs a complete input; `questions` answer what could be completed there, and how a function is called."""

    run_wanted = Signal(str)
    lines_changed = Signal()

    def __init__(
        self,
        history: History,
        is_complete: Callable[[str], bool],
        completions: Callable[[str], Completions],
        signature: Callable[[str], str],
        parent: QWidget,
    ) -> None:
        super().__init__(parent)
        self.history = history
        self._is_complete = is_complete
        self._completions = completions
        self._signature = signature
        self._recalled = False
        self._words: dict[str, str] = {}
        self._start = 0
        self.setObjectName("console-input")
        self.setAccessibleName("Python to run")
        self.setFont(mono_font())
        self.setLineWrapMode(QPlainTextEdit.LineWrapMode.NoWrap)
        self.setVerticalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setAcceptDrops(False)  # files are dropped on the window
        self.document().setDocumentMargin(GROUP)
        self._model = QStringListModel(self)
        self.offers = QCompleter(self._model, self)
        self.offers.setWidget(self)
        self.offers.setCompletionMode(QCompleter.CompletionMode.UnfilteredPopupCompletion)
        self.offers.setMaxVisibleItems(SHOWN)
        self.popup = QListView(self)
        self.popup.setObjectName("console-offers")
        self.popup.setFont(mono_font())
        self.popup.setEditTriggers(QListView.EditTrigger.NoEditTriggers)
        self.offers.setPopup(self.popup)
        self.offers.activated.connect(self._take)
        self.textChanged.connect(self._on_text)
        self._on_text()

    # --- text

    @property
    def _before(self) -> str:
        """The text up to the cursor."""
        return self.toPlainText()[: self.textCursor().position()]

    def put(self, text: str) -> None:
        """Replace everything; the cursor stands at the end, and there is nothing to undo."""
        self.setPlainText(text)
        self.moveCursor(QTextCursor.MoveOperation.End)

    @Slot()
    def _on_text(self) -> None:
        lines = min(self.document().blockCount(), MOST_LINES)
        height = QFontMetricsF(self.font()).lineSpacing() * lines + 2 * self.document().documentMargin() + 2
        self.setFixedHeight(round(height))
        if not self._recalled:
            self.history.begin(self.toPlainText())
        self.lines_changed.emit()

    def insertFromMimeData(self, source: QMimeData) -> None:  # noqa: N802
        """Pasted lines of another console lose its prompts; tabs become blanks."""
        lines = source.text().expandtabs(4).splitlines()
        if any(line.startswith(PROMPTS[0]) for line in lines):
            lines = [line[4:] if line.startswith(PROMPTS) else line for line in lines if line.strip() != "..."]
        self.insertPlainText("\n".join(lines))

    # --- keys

    def event(self, event: QEvent) -> bool:
        """Undo means the document where nothing was typed; Tab completes, and leaves an empty field."""
        if isinstance(event, QKeyEvent):
            if event.type() == QEvent.Type.ShortcutOverride and self._is_for_document(event):
                event.ignore()
                return False
            if event.type() == QEvent.Type.KeyPress and event.key() == Qt.Key.Key_Tab and self.toPlainText():
                self._on_tab()
                return True
            if event.key() in (Qt.Key.Key_Tab, Qt.Key.Key_Backtab) and event.type() == QEvent.Type.KeyPress:
                return self.focusNextPrevChild(event.key() == Qt.Key.Key_Tab)
        return super().event(event)

    def _is_for_document(self, event: QKeyEvent) -> bool:
        document = self.document()
        if event.matches(QKeySequence.StandardKey.Undo):
            return not document.isUndoAvailable()
        return event.matches(QKeySequence.StandardKey.Redo) and not document.isRedoAvailable()

    def keyPressEvent(self, event: QKeyEvent) -> None:
        key, modifiers = event.key(), event.modifiers()
        is_enter = key in (Qt.Key.Key_Return, Qt.Key.Key_Enter)
        if self.popup.isVisible() and (is_enter or key == Qt.Key.Key_Escape):
            event.ignore()  # the list takes them
        elif is_enter and not modifiers & Qt.KeyboardModifier.ShiftModifier:
            self._on_enter(always=bool(modifiers & Qt.KeyboardModifier.ControlModifier))
        elif is_enter:
            self.insertPlainText("\n")
        elif key == Qt.Key.Key_Space and modifiers & Qt.KeyboardModifier.ControlModifier:
            self.complete()
        elif key == Qt.Key.Key_Up and self.textCursor().blockNumber() == 0:
            self._recall(-1)
        elif key == Qt.Key.Key_Down and self.textCursor().blockNumber() == self.document().blockCount() - 1:
            self._recall(1)
        elif event.matches(QKeySequence.StandardKey.Copy) and not self.textCursor().hasSelection():
            self.put("")
        elif self._is_for_document(event):
            event.ignore()
        else:
            super().keyPressEvent(event)
            self._after_typing(event.text())

    def _on_enter(self, *, always: bool) -> None:
        """Run what is complete; else begin another line, as far in as the last one or one step farther."""
        source = self.toPlainText()
        typed = source if source.rpartition("\n")[2].strip() else source.rstrip(" ")
        at_end = not self.toPlainText()[self.textCursor().position() :].strip()
        if not source.strip():
            self.put("")
        elif always or (at_end and self._is_complete(typed)):
            QToolTip.hideText()
            self.run_wanted.emit(source.rstrip())
        else:
            line = self.textCursor().block().text()
            inner = INDENT if line.rstrip().endswith(":") else ""
            self.insertPlainText("\n" + line[: len(line) - len(line.lstrip(" "))] + inner)

    def _recall(self, by: int) -> None:
        found = self.history.step(by)
        if found is not None:
            self._recalled = True
            self.put(found)
            self._recalled = False

    # --- completion

    def _on_tab(self) -> None:
        line = self._before.rpartition("\n")[2]
        if self.popup.isVisible():
            chosen = self.popup.currentIndex()
            self._take(str(chosen.data()) if chosen.isValid() else next(iter(self._words), ""))
        elif not line.strip():
            self.insertPlainText(INDENT)
        else:
            self.complete()

    def complete(self) -> None:
        """Insert the only word that fits, or what all of them begin with, and list them."""
        found = self._completions(self._before)
        self._start = found.start
        typed = self._before[found.start :]
        if len(found.words) == 1:
            self._insert(found.words[0])
            return
        if len(found.common) > len(typed) and found.common.startswith(typed):
            self._insert(found.common)
        self._offer(found)

    def _offer(self, found: Completions) -> None:
        self._words = {plain(word): word for word in found.words}
        self._model.setStringList(list(self._words))
        if not self._words:
            self.popup.hide()
            return
        place = self.cursorRect()
        place.setWidth(self.popup.sizeHintForColumn(0) + 40)
        self.offers.complete(place)
        self.popup.setCurrentIndex(self._model.index(0, 0))

    @Slot(str)
    def _take(self, shown: str) -> None:
        self.popup.hide()
        if shown in self._words:
            self._insert(self._words[shown])

    def _insert(self, word: str) -> None:
        cursor = self.textCursor()
        end = cursor.position()
        cursor.setPosition(self._start)
        cursor.setPosition(end, QTextCursor.MoveMode.KeepAnchor)
        cursor.insertText(word)

    def _after_typing(self, text: str) -> None:
        """Narrow the list that is shown, and show how the function is called whose brackets are open."""
        if self.popup.isVisible():
            found = self._completions(self._before)
            self._start = found.start
            self._offer(found)
        if text in ("(", ","):
            told = self._signature(self._before)
            if told:
                above = self.mapToGlobal(self.cursorRect().topLeft())
                QToolTip.showText(above + QPoint(0, -60), plain_lines(told), self)
        elif text == ")":
            QToolTip.hideText()
