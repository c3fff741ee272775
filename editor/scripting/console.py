"""A Python interpreter for the window: it runs what is typed, and scripts, in the window's own thread.

Nothing of the program may be used by two threads, so code runs where everything else does. At each turn of a loop and
each call of a function of its own it asks whether it is time to let the window look up (`breathe`), and whether it was
stopped. Those questions are put into its syntax tree before it is compiled, so code that catches every
exception gets around none. One call of somebody else's code (`time.sleep`, the sum of an endless iterator) asks nothing
and cannot be stopped before it returns.
"""

from __future__ import annotations

import ast
import builtins
import codeop
import io
import linecache
import math
import sys
import time
import traceback
import warnings
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from enum import Enum
from typing import Final, TextIO

from editor.process.plain_text import counted

CHECK: Final = "__check__"
"""The name of the question in what is run; a name with two underlines at each end belongs to Python and its hosts."""
FIRST_BREATH_S: Final = 0.2
BREATH_S: Final = 0.1
"""Between two looks at the window while code runs."""
MOST_OUTPUT: Final = 200_000
"""Characters that one run may write; the rest is counted."""
LONGEST_RESULT: Final = 20_000
LONGEST_SOURCE: Final = 1_000_000
KEPT_SOURCES: Final = 200
"""Inputs whose lines tracebacks can still show."""


class Stopped(BaseException):
    """The user has stopped the code. It derives from nothing that scripts catch by accident."""


class Kind(Enum):
    """What a piece of output is."""

    OUTPUT = "output"
    RESULT = "result"
    ERROR = "error"


class Outcome(Enum):
    """How a run ended."""

    DONE = "done"
    FAILED = "failed"
    STOPPED = "stopped"


Writes = Callable[[Kind, str], object]
"""Takes a piece of output."""


class Interpreter:
    """Runs code in one namespace. `write` takes what it prints; `breathe` is called now and then with the seconds that
    the code has run, and may call `stop`."""

    def __init__(
        self, namespace: dict[str, object], write: Writes, breathe: Callable[[float], object] = lambda seconds: None
    ) -> None:
        self.namespace = namespace
        self.is_running = False
        self._write = write
        self._breathe = breathe
        self._is_stopped = False
        self._began = 0.0
        self._next = math.inf  # functions of an earlier run that others call ask nothing
        self._left = 0
        self._number = 0
        self._files: list[str] = []

    # --- running

    def stop(self) -> None:
        """Let the code that runs end at its next turn."""
        self._is_stopped = True
        self._next = 0.0

    def check(self) -> bool:
        """The question that code asks again and again; True, so that it fits into conditions."""
        if time.monotonic() >= self._next:
            self._look_up()
        return True

    def _look_up(self) -> None:
        if not self._is_stopped:
            self._breathe(time.monotonic() - self._began)
        if self._is_stopped:
            raise Stopped
        self._next = time.monotonic() + BREATH_S

    def run_input(self, source: str) -> Outcome:
        """Run what was typed; the value of its last expression is written, and kept as `_`."""
        self._number += 1
        outcome, value = self._run(source, f"<input {self._number}>", self.namespace)
        if outcome is Outcome.DONE and value is not None:
            self.namespace["_"] = value
        return outcome

    def run_script(self, source: str, file: str, namespace: dict[str, object]) -> Outcome:
        """Run a script in a namespace of its own."""
        return self._run(source, file, {**namespace, "__name__": "__main__", "__file__": file})[0]

    def _run(self, source: str, file: str, namespace: dict[str, object]) -> tuple[Outcome, object]:
        if self.is_running:
            raise RuntimeError("code is running already")
        self._remember(file, source)
        self._is_stopped = False
        self._left = MOST_OUTPUT
        self._began = time.monotonic()
        self._next = self._began + FIRST_BREATH_S
        namespace[CHECK] = self.check
        namespace.setdefault("__builtins__", builtins)
        self.is_running = True
        outcome, value = Outcome.FAILED, None
        with self._streams():
            try:
                value = self._evaluate(source, file, namespace)
                self._show(value)
                outcome, said = Outcome.DONE, "Stopped.\n" if self._is_stopped else ""
            except Stopped as stopped:
                said = f"Stopped{self._place_of(stopped)}.\n"
            except SystemExit as error:
                said = f"SystemExit: {error}\nA script cannot close the program; it ends by itself.\n"
            except BaseException as error:  # noqa: BLE001 - whatever code raises is told to the one who wrote it
                said = self._report(error)
            finally:
                self.is_running = False
                self._next = math.inf
        if self._left < 0:
            said = f"… {counted(-self._left, 'more character')} not shown: a run may write {MOST_OUTPUT:,}.\n{said}"
        if said:
            self._write(Kind.ERROR, said[:MOST_OUTPUT])
        return (Outcome.STOPPED if self._is_stopped else outcome), value

    def _evaluate(self, source: str, file: str, namespace: dict[str, object]) -> object:
        """Run all statements; the value is that of the last one, if that is an expression."""
        if len(source) > LONGEST_SOURCE:
            raise SyntaxError(f"more than {LONGEST_SOURCE:,} characters")
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", SyntaxWarning)
            tree = ast.parse(source, file)
            last = tree.body.pop() if tree.body and isinstance(tree.body[-1], ast.Expr) else None
            code = compile(_asking(tree), file, "exec", dont_inherit=True)
            end = None
            if isinstance(last, ast.Expr):
                end = compile(_asking(ast.Expression(last.value)), file, "eval", dont_inherit=True)
        exec(code, namespace)
        return None if end is None else eval(end, namespace)

    def _show(self, value: object) -> None:
        if value is None:
            return
        text = repr(value)
        if len(text) > LONGEST_RESULT:
            text = f"{text[:LONGEST_RESULT]}… {counted(len(text) - LONGEST_RESULT, 'more character')}"
        self._put(Kind.RESULT, f"{text}\n")

    # --- output

    @contextmanager
    def _streams(self) -> Iterator[None]:
        """What is printed comes here while code runs, and nobody is asked for input."""
        before: tuple[TextIO | None, ...] = (sys.stdout, sys.stderr, sys.stdin)
        sys.stdout, sys.stderr = _Stream(self._put, Kind.OUTPUT), _Stream(self._put, Kind.ERROR)
        sys.stdin = io.StringIO()
        hook, sys.breakpointhook = sys.breakpointhook, _no_debugger
        try:
            yield
        finally:
            sys.stdout, sys.stderr, sys.stdin = before
            sys.breakpointhook = hook

    def _put(self, kind: Kind, text: str) -> None:
        room = max(self._left, 0)
        self._left -= len(text)
        if text[:room]:
            self._write(kind, text[:room])

    # --- errors

    def _remember(self, file: str, source: str) -> None:
        """Let tracebacks show the lines of what is run."""
        linecache.cache[file] = (len(source), None, source.splitlines(keepends=True), file)
        if file in self._files:
            self._files.remove(file)
        self._files.append(file)
        while len(self._files) > KEPT_SOURCES:
            linecache.cache.pop(self._files.pop(0), None)

    def _report(self, error: BaseException) -> str:
        """The traceback, of the user's own code only."""
        try:
            told = traceback.TracebackException.from_exception(error, limit=200)
            self._keep_own(told)
            return "".join(told.format())
        except Exception as second:  # noqa: BLE001 - an exception whose text cannot be made
            return f"{type(error).__name__} (its text cannot be shown: {type(second).__name__})\n"

    def _place_of(self, error: BaseException) -> str:
        lines = [
            line for frame, line in traceback.walk_tb(error.__traceback__) if self._is_own(frame.f_code.co_filename)
        ]
        return f" in line {lines[-1]}" if lines else ""

    def _is_own(self, file: str) -> bool:
        return file in self._files

    def _keep_own(self, told: traceback.TracebackException, depth: int = 0) -> None:
        own = [frame for frame in told.stack if self._is_own(frame.filename)]
        told.stack = traceback.StackSummary.from_list(own)
        for before in (told.__cause__, told.__context__):
            if before is not None and depth < 20:
                self._keep_own(before, depth + 1)
        if told.__cause__ is not None and not told.__cause__.stack:
            told.__cause__ = None  # the engine's own words for the same
            told.__suppress_context__ = True
        if told.__context__ is not None and not told.__context__.stack:
            told.__context__ = None


def _no_debugger(*args: object, **words: object) -> None:
    raise RuntimeError("there is no debugger here: it would wait for input")


class _Stream(io.TextIOBase):
    """Standard output or error while code runs."""

    def __init__(self, put: Writes, kind: Kind) -> None:
        super().__init__()
        self._put = put
        self._kind = kind

    @property
    def encoding(self) -> str:  # type: ignore[override]
        return "utf-8"

    def writable(self) -> bool:
        return True

    def write(self, text: str) -> int:
        if not isinstance(text, str):
            raise TypeError(f"write() argument must be str, not {type(text).__name__}")
        self._put(self._kind, text)
        return len(text)


# --- what is typed


def is_complete(source: str) -> bool:
    """Whether Enter runs this, as in Python's own console: an open bracket or a block asks for more lines. What is
    wrong is complete: running it tells what."""
    if len(source) > LONGEST_SOURCE:
        return True
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", SyntaxWarning)
        for symbol in ("single", "exec"):  # several statements are none for "single"
            try:
                return codeop.compile_command(source, "<input>", symbol) is not None
            except (SyntaxError, ValueError, OverflowError):
                continue
            except (RecursionError, MemoryError):
                return True
    return True


def help_of(*things: object) -> str:
    """What `help` in the console writes: the page of Python's own help, or how to begin."""
    if not things:
        return HELP
    import pydoc

    return pydoc.plain(pydoc.render_doc(things[0], "%s"))


HELP: Final = """\
document is the open document: document.player, document.doors["Front Door"].open(), document.tick(30).
dir(document) lists what it has, help(document) explains it, help(document.tick) one of its methods.
import cellar_door has the same for other worlds, recordings and captures. Edits are undo steps: Ctrl+Z.
"""


# --- questions in the syntax tree


def _asking(tree: ast.AST) -> ast.Module:
    """The tree with a question at the start of each loop's body, each function and each turn of a comprehension."""
    made = _Asking().visit(tree)
    return ast.fix_missing_locations(made)  # type: ignore[no-any-return]


class _Asking(ast.NodeTransformer):
    def _in_body(self, node: ast.AST) -> ast.AST:
        self.generic_visit(node)
        body: list[ast.stmt] = node.body  # type: ignore[attr-defined]
        first = 1 if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef) and ast.get_docstring(node) else 0
        asked = ast.Expr(_question())
        body.insert(first, ast.copy_location(asked, body[0]))
        return node

    visit_While = visit_For = visit_AsyncFor = visit_FunctionDef = visit_AsyncFunctionDef = _in_body  # noqa: N815

    def visit_Lambda(self, node: ast.Lambda) -> ast.AST:
        self.generic_visit(node)
        node.body = ast.copy_location(ast.IfExp(_question(), node.body, ast.Constant(None)), node.body)
        return node

    def visit_comprehension(self, node: ast.comprehension) -> ast.AST:
        self.generic_visit(node)
        node.ifs.insert(0, ast.copy_location(_question(), node.iter))
        return node


def _question() -> ast.Call:
    return ast.Call(ast.Name(CHECK, ast.Load()), [], [])
