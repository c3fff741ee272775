"""The interpreter of the console: what it prints, what it reports, and that anything in it can be stopped."""

from __future__ import annotations

import sys
import time

import pytest

from editor.scripting import console
from editor.scripting.console import LONGEST_RESULT, MOST_OUTPUT, Interpreter, Kind, Outcome, is_complete


class Told:
    """An interpreter whose user stops what runs for longer than `patience`."""

    def __init__(self, patience: float = 0.3) -> None:
        self.pieces: list[tuple[Kind, str]] = []
        self.patience = patience
        self.breaths = 0
        self.interpreter = Interpreter({}, lambda kind, text: self.pieces.append((kind, text)), self.breathe)

    def breathe(self, seconds: float) -> None:
        self.breaths += 1
        if seconds >= self.patience:
            self.interpreter.stop()

    def run(self, source: str) -> Outcome:
        self.pieces.clear()
        return self.interpreter.run_input(source)

    @property
    def text(self) -> str:
        return "".join(text for _, text in self.pieces)


def test_the_value_of_the_last_expression_is_written_and_kept() -> None:
    told = Told()
    assert told.run("a = 20\nb = 1\na * 2 + b * 2") is Outcome.DONE
    assert told.pieces == [(Kind.RESULT, "42\n")]
    told.run("_ + 1")
    assert told.text == "43\n"
    told.run("None")
    assert told.text == ""
    told.run("_")
    assert told.text == "43\n"


def test_print_and_stderr_come_here_only_while_code_runs() -> None:
    told = Told()
    before = (sys.stdout, sys.stderr, sys.stdin)
    told.run("import sys\nprint('out')\nsys.stderr.write('err')\nNone")
    assert told.pieces == [(Kind.OUTPUT, "out"), (Kind.OUTPUT, "\n"), (Kind.ERROR, "err")]
    assert (sys.stdout, sys.stderr, sys.stdin) == before


def test_an_exception_shows_only_the_users_own_lines() -> None:
    told = Told()
    told.run("def f(x):\n    return 1 / x\n")
    assert told.run("import json\nf(0)") is Outcome.FAILED
    assert told.text.startswith("Traceback (most recent call last):\n")
    assert 'File "<input 2>", line 2, in <module>\n    f(0)' in told.text
    assert 'File "<input 1>", line 2, in f\n    return 1 / x' in told.text
    assert told.text.endswith("ZeroDivisionError: division by zero\n")
    assert "console.py" not in told.text
    assert console.CHECK not in told.text


@pytest.mark.parametrize(
    ("source", "said"),
    [
        ("1 +", "SyntaxError"),
        ("exit()", "cannot close the program"),
        ("import sys; sys.exit(3)", "cannot close the program"),
        ("input('name? ')", "EOFError"),
        ("raise KeyboardInterrupt", "KeyboardInterrupt"),
        ("def f(): f()\nf()", "RecursionError"),
        ("(" * 5000, "Error"),
        ("breakpoint()", "no debugger"),
        ("class E(Exception):\n    def __str__(self): 1/0\nraise E", "E: <exception str() failed>"),
        ("class R:\n    def __repr__(self): return 1\nR()", "TypeError"),
    ],
)
def test_whatever_is_wrong_is_told_and_ends_nothing(source: str, said: str) -> None:
    told = Told()
    assert told.run(source) is Outcome.FAILED
    assert said in told.text
    assert len(told.text) < MOST_OUTPUT
    assert told.run("1") is Outcome.DONE


@pytest.mark.parametrize(
    "source",
    [
        "while True: pass",
        "while True: print(1)",
        "import sys\nwhile True: print(1, file=sys.stderr)",
        "import itertools\nfor i in itertools.count(): pass",
        "import itertools\n[i for i in itertools.count()]",
        "import itertools\nsum(1 for i in itertools.count())",
        "import itertools\nall(map(lambda x: True, itertools.count()))",
        "while True:\n    try:\n        1 / 0\n    except BaseException:\n        pass",
        "while True:\n    try:\n        while True: pass\n    except:\n        continue",
        "while True:\n    try:\n        while True: pass\n    finally:\n        continue",
        "def f():\n    try: f()\n    except BaseException: f()\n    f()\nf()",
        "def g():\n    while True: yield 1\nlist(x for x in g())",
    ],
)
def test_an_endless_run_is_stopped(source: str) -> None:
    told = Told()
    began = time.monotonic()
    assert told.run(source) is Outcome.STOPPED
    assert time.monotonic() - began < 20.0
    assert told.interpreter.run_input("1") is Outcome.DONE


def test_endless_output_is_cut_and_counted() -> None:
    told = Told()
    told.run("while True: print('x' * 1000)")
    assert MOST_OUTPUT <= len(told.text) < MOST_OUTPUT + 200
    assert f"a run may write {MOST_OUTPUT:,}" in told.text
    told.run("import sys\nwhile True: sys.stderr.write('x' * 1000)")
    assert MOST_OUTPUT <= len(told.text) < MOST_OUTPUT + 200
    assert told.text.endswith("Stopped in line 2.\n")
    told.run("'x' * 1_000_000")
    assert len(told.text) < LONGEST_RESULT + 100


def test_the_text_says_in_which_line_it_was_stopped() -> None:
    told = Told()
    told.run("a = 1\nwhile True:\n    a += 1")
    assert told.text in ("Stopped in line 2.\n", "Stopped in line 3.\n")


def test_code_that_catches_everything_is_stopped_all_the_same() -> None:
    told = Told()
    assert told.run("try:\n    while True: pass\nexcept BaseException:\n    print('caught')") is Outcome.STOPPED
    assert told.text == "caught\nStopped.\n"


def test_a_quick_run_never_looks_up() -> None:
    told = Told()
    told.run("for i in range(1000): i * i")
    assert told.breaths == 0


def test_questions_do_not_change_what_code_does() -> None:
    told = Told()
    told.run(
        "def f(x):\n    'About f.'\n    return [y for y in range(x) if y % 2]\n"
        "g = lambda x, *, k=2: x * k\n"
        "d = {k: v for k, v in zip('ab', (1, 2))}\n"
        "for i in range(3):\n    pass\nelse:\n    i = 'else'\n"
        "(f(6), f.__doc__, g(4), d, i, f.__name__)"
    )
    assert told.text == "([1, 3, 5], 'About f.', 8, {'a': 1, 'b': 2}, 'else', 'f')\n"


def test_a_function_of_an_earlier_run_can_be_called_from_outside() -> None:
    told = Told()
    told.run("def f():\n    for i in range(3): pass\n    return i")
    assert told.interpreter.namespace["f"]() == 2  # type: ignore[operator]


@pytest.mark.parametrize(
    ("source", "complete"),
    [
        ("1 + 1", True),
        ("for i in range(3):", False),
        ("for i in range(3):\n    print(i)", False),
        ("for i in range(3):\n    print(i)\n", True),
        ("f(1,", False),
        ("'''text", False),
        ("1 +* 2", True),
        ("a = 1\nb = 2", True),
        ("a = 1\nfor b in c:", False),
        ("", True),
        ("\0", True),
    ],
)
def test_enter_asks_for_more_lines_where_python_would(source: str, complete: bool) -> None:
    assert is_complete(source) is complete
