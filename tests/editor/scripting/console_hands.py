"""A console over a small world, without a window."""

from __future__ import annotations

from editor.document.document import Document
from editor.scripting.console import Kind, Outcome
from editor.scripting.script_runner import ScriptRunner


class Console:
    """Runs lines and scripts, and keeps what they write."""

    def __init__(self, document: Document) -> None:
        self.document = document
        self.pieces: list[tuple[Kind, str]] = []
        self.runner = ScriptRunner(document, lambda kind, text: self.pieces.append((kind, text)), self.breathe)
        self.patience = 5.0
        """Seconds after which the user stops what runs."""

    def breathe(self, seconds: float) -> None:
        if seconds >= self.patience:
            self.runner.stop()

    def run(self, source: str) -> str:
        """Run a line and return what it wrote."""
        self.pieces.clear()
        self.outcome = self.runner.run_input(source)
        return self.text()

    outcome: Outcome = Outcome.DONE

    def text(self, kind: Kind | None = None) -> str:
        return "".join(text for of, text in self.pieces if kind in (None, of))
