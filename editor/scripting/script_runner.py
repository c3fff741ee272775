"""Runs what is typed in the console, and user scripts, on the open document: whole, or not at all."""

from __future__ import annotations

import importlib
from collections.abc import Callable
from pathlib import Path
from typing import Final

from editor.document.document import Document
from editor.document.group import roll_back
from editor.scripting.console import Interpreter, Kind, Outcome, Writes, help_of
from editor.scripting.open_document import OpenDocument
from editor.scripting.user_scripts import read_script
from engine.files.errors import FileError

LONGEST_TITLE: Final = 60
AS_BEFORE: Final = "The document is as it was before.\n"
OPENING: Final = "A world is being opened; run it again when it is there.\n"


class ScriptRunner:
    """The namespace of the console, and runs in it and beside it; `write` and `breathe` are the interpreter's."""

    def __init__(
        self, document: Document, write: Writes, breathe: Callable[[float], object] = lambda seconds: None
    ) -> None:
        self._document = document
        self._write = write
        # The library is above this package, so it is found as a script would find it: by its name.
        self._given: dict[str, object] = {"cellar_door": importlib.import_module("cellar_door"), "help": self._help}
        self.namespace: dict[str, object] = {"__name__": "__console__", **self._given}
        self.interpreter = Interpreter(self.namespace, write, breathe)
        self.open_document = OpenDocument(document, self.interpreter.check)
        self._given["document"] = self.namespace["document"] = self.open_document

    @property
    def is_running(self) -> bool:
        return self.interpreter.is_running

    def stop(self) -> None:
        """Stop what runs; the document will be as it was before."""
        self.interpreter.stop()

    def forget_world(self) -> None:
        """Another world is open: let go of the one before."""
        self.open_document._forget_world()
        self.namespace.pop("_", None)

    def run_input(self, source: str) -> Outcome:
        """Run what was typed; several edits in it are one undo step."""
        first = " ".join(source.strip().partition("\n")[0].split())
        title = f"Console: {first if len(first) <= LONGEST_TITLE else f'{first[:LONGEST_TITLE]}…'}"
        return self._run(title, lambda: self.interpreter.run_input(source), is_named_after_first=True)

    def run_script(self, path: Path, title: str) -> Outcome:
        """Run a user script; all its edits are one undo step."""
        try:
            source = read_script(path)
        except FileError as error:
            self._write(Kind.ERROR, f"{path.name} {error.reason}.\n")
            return Outcome.FAILED
        return self._run(f"Script: {title}", lambda: self.interpreter.run_script(source, str(path), self._given))

    def _run(self, title: str, run: Callable[[], Outcome], *, is_named_after_first: bool = False) -> Outcome:
        document = self._document
        if document.session.is_opening:
            self._write(Kind.ERROR, OPENING)
            return Outcome.FAILED
        point = document.begin_group(title, is_named_after_first=is_named_after_first)
        outcome = Outcome.FAILED
        try:
            outcome = run()
        finally:
            is_restored = outcome is not Outcome.DONE and roll_back(document, point)
            document.end_group()
        if is_restored:
            self._write(Kind.ERROR, AS_BEFORE)
        return outcome

    def _help(self, *things: object) -> None:
        """Explain an object: help(document), help(document.tick)."""
        print(help_of(*things), end="")
