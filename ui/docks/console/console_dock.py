"""Console: Python with the open document, and what user scripts write."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Final

from PySide6.QtCore import QSettings, Qt, Slot
from PySide6.QtWidgets import QHBoxLayout, QLabel, QToolButton, QWidget

from editor.document.clock import Clock
from editor.document.document import Document
from editor.process.plain_text import plain, plain_lines
from editor.project.autosave import Autosaver
from ui.docks.console.input_field import MOST_LINES, PROMPTS, ConsoleInput, History
from ui.docks.console.interlude import Interlude
from ui.docks.console.output import ERROR, INPUT, ConsoleOutput
from ui.docks.panel import LivePanel
from ui.docks.parts import action, allow, button, column
from ui.theme.theme import BETWEEN, EDGE, GROUP, Colours, mono_font
from ui.widgets.stored_list import stored_list

if TYPE_CHECKING:
    from editor.scripting.completion import Completions
    from editor.scripting.console import Kind
    from editor.scripting.script_runner import ScriptRunner

HISTORY_KEY: Final = "console-history"
SHOWN_AFTER_S: Final = 1.0
"""Seconds after which a run is shown with its Stop."""


class ConsolePanel(LivePanel):
    """The output above, the input below it. Python is loaded for it when it is first used."""

    about = (
        "Python with the open document: what the window can do, in words. Enter runs a line, Tab completes, Up and "
        "Down bring earlier lines. What a line edits is one step for Ctrl+Z; a line that fails, or is stopped with "
        "Esc, leaves the document as it was. help() tells how to begin."
    )

    def __init__(self, document: Document, settings: QSettings, parent: QWidget | None = None) -> None:
        super().__init__(document, "console-panel", parent)
        self.settings = settings
        self._made: ScriptRunner | None = None
        self._waiting: list[tuple[str, str]] = []
        history = History(stored_list(settings, HISTORY_KEY))
        self.input = ConsoleInput(history, self._is_complete, self._completions, self._signature, self)
        self.output = ConsoleOutput(self)  # the first part of a dock that takes keys gets them
        self.prompt = QLabel(self)
        self.prompt.setObjectName("console-prompt")
        self.prompt.setFont(mono_font())
        self.prompt.setAlignment(Qt.AlignmentFlag.AlignTop)
        self.prompt.setContentsMargins(GROUP + 2, GROUP + 1, 0, 0)
        self.prompt.setBuddy(self.input)
        self.clear_action = action(self, "Clear the Console", self.clear, name="console-clear")
        self.clear_action.setIconText("Clear")
        self.running = self._running_strip()
        row = QHBoxLayout()
        row.setContentsMargins(0, 0, GROUP, 0)
        row.setSpacing(0)
        row.addWidget(self.prompt)
        row.addWidget(self.input, 1)
        row.addWidget(button(self.clear_action, self), 0, Qt.AlignmentFlag.AlignBottom)
        box = column(self)
        box.addWidget(self.output, 1)
        box.addWidget(self.running)
        box.addLayout(row)
        self.setFocusProxy(self.input)
        self._interlude = Interlude(self.stop_button, (Clock, Autosaver), self.stop, self)
        self.input.run_wanted.connect(self.run_input)
        self.input.lines_changed.connect(self._show_prompt)
        self.output.textChanged.connect(self._allow_clear)
        document.started.connect(self._on_started)
        self._allow_clear()
        self._show_prompt()

    def _running_strip(self) -> QWidget:
        """How long the code has been running, and Stop."""
        strip = QWidget(self)
        strip.setObjectName("console-running")
        self.stop_button = QToolButton(strip)
        self.stop_button.setObjectName("console-stop")
        self.stop_button.setText("Stop")
        self.stop_button.setToolTip("Stop the code and leave the document as it was  (Esc)")
        self.stop_button.clicked.connect(self.stop)
        self.seconds = QLabel(strip)
        self.seconds.setObjectName("console-seconds")
        row = QHBoxLayout(strip)
        row.setContentsMargins(EDGE, GROUP, EDGE, GROUP)
        row.setSpacing(BETWEEN)
        row.addWidget(self.seconds)
        row.addWidget(self.stop_button)
        row.addStretch(1)
        strip.hide()
        return strip

    # --- what it runs

    @property
    def runner(self) -> ScriptRunner:
        """Made when it is first needed: starting the window does not load what only scripts use."""
        if self._made is None:
            from editor.scripting.script_runner import ScriptRunner

            self._made = ScriptRunner(self.document, self._write, self._breathe)
        return self._made

    @Slot(str)
    def run_input(self, source: str) -> None:
        """Run what was typed, and keep it in the history."""
        if self.runner.is_running:
            return
        self.input.put("")
        self.input.history.add(source)
        self.settings.setValue(HISTORY_KEY, self.input.history.entries)
        first, *rest = source.split("\n")
        self._echo("\n".join([PROMPTS[0] + first, *(PROMPTS[1] + line for line in rest)]))
        self.runner.run_input(source)
        self._end()

    def run_script(self, path: Path, title: str) -> None:
        """Run a user script."""
        if self.runner.is_running:
            return
        self._echo(f"# {title} ({path})")
        self.runner.run_script(path, title)
        self._end()

    @Slot()
    def stop(self) -> None:
        """Stop the code that runs."""
        if self._made is not None:
            self._made.stop()

    def _echo(self, text: str) -> None:
        self.output.end_line()
        self.output.add(INPUT, f"{text}\n")
        self.output.show_end()

    def _write(self, kind: Kind, text: str) -> None:
        """Keep a piece until the window looks up: code may print thousands in a moment."""
        if self._waiting and self._waiting[-1][0] == kind.value:
            text = self._waiting.pop()[1] + text
        self._waiting.append((kind.value, text))

    def _flush(self) -> None:
        waiting, self._waiting = self._waiting, []
        for kind, text in waiting:
            if kind == ERROR:
                self.output.end_line()
            self.output.add(kind, text)

    def _breathe(self, seconds: float) -> None:
        """Code has been running for a while: show what it has written and how long it takes, and hear of Stop."""
        self._flush()
        if seconds >= SHOWN_AFTER_S:
            self.seconds.setText(plain(f"Running for {seconds:,.0f} s"))
            self.running.show()
        self._interlude.take()

    def _end(self) -> None:
        self.running.hide()
        self._flush()
        self.output.end_line()

    @Slot()
    def _on_started(self) -> None:
        if self._made is not None:
            self._made.forget_world()

    # --- typing

    def _is_complete(self, source: str) -> bool:
        from editor.scripting.console import is_complete

        return is_complete(source)

    def _completions(self, text: str) -> Completions:
        from editor.scripting.completion import completions

        return completions(text, self.runner.namespace)

    def _signature(self, text: str) -> str:
        from editor.scripting.completion import signature

        return signature(text, self.runner.namespace)

    @Slot()
    def _show_prompt(self) -> None:
        lines = self.input.document().blockCount()
        first, more = (prompt.strip() for prompt in PROMPTS)
        self.prompt.setText(plain_lines("\n".join([first, *[more] * (min(lines, MOST_LINES) - 1)])))

    # --- looks

    @Slot()
    def clear(self) -> None:
        """Forget what was written; variables and history stay."""
        self.output.clear()

    @Slot()
    def _allow_clear(self) -> None:
        is_empty = self.output.document().isEmpty()
        allow(self.clear_action, "The console is empty." if is_empty else "", "Remove what was written here")

    def refresh(self) -> None:
        """Nothing here follows the document."""

    def set_colours(self, colours: Colours) -> None:
        self.output.set_colours(colours)
