"""Every check of the project in one run: `run_tests.py [PART ...] [-- PYTEST ARGUMENTS]`.

All parts run even when one fails; at the end stand a table and the sum of the tests. It runs in .venv.
"""

import argparse
import contextlib
import os
import shutil
import subprocess
import sys
import sysconfig
import time
import xml.etree.ElementTree as ET
from collections import deque
from collections.abc import Callable, Mapping
from concurrent.futures import Future, ThreadPoolExecutor
from pathlib import Path

from bootstrap.compiler import can_compile
from bootstrap.core import CoreBuild, CoreBuildError
from bootstrap.results import Row, count, count_again
from bootstrap.windows_checks import WindowsChecks
from cellar_door.output import write_everything
from cellar_door.virtual_display import in_memory, place_for_tests

ROOT = Path(__file__).resolve().parent.parent
REPORTS = ROOT / "build" / "tests"
NOTHING_COLLECTED = 5
"""pytest's exit code when the selection holds no test."""

PACKAGES = ("engine", "editor", "ui", "cellar_door")
WINDOWS = ("--platform=win32", "--cache-dir=.mypy_cache/win32", "--no-warn-unreachable")
"""What stands behind a condition for one system is unreachable on the others, and mypy has it so."""
LINTERS = (
    ("ruff check", ("ruff", "check", ".")),
    ("ruff format", ("ruff", "format", "--check", ".")),
    ("mypy", ("mypy",)),
    ("mypy, Windows", ("mypy", *WINDOWS, "run_editor.py", "run_tests.py", "bootstrap", "release", *PACKAGES)),
    ("import-linter", ("lint-imports",)),
)
QUICK = "not slow and not gui"
UNWATCHED = "(conformance or unwatched)"
ALL_THE_SAME = "--continue-on-collection-errors"
"""One unreadable test file must not hide the results of the others."""
MOST_REPEATED = 5
"""A part with at most this many failures runs those tests once more, alone: a busy machine delays single tests, whereas
a defect fails again. The table names the tests that passed only then."""
IN_MEMORY = "windows in memory, as there is no Xvfb: what needs a display is skipped"
LOCALES = ("de_DE.UTF-8", "tr_TR.UTF-8")
"""One writes numbers with a comma, the other has two letters i."""
CORELESS = ("--ignore=tests/bootstrap", "--ignore=tests/cellar_door")
"""Tests that no core takes part in: one run of them is enough."""
ABOVE_THE_ENGINE = ("--ignore=tests/editor", "--ignore=tests/benchmarks")
"""Tests of what is built on the engine: one run of them is enough, on the core that users have."""


def _build_core() -> Row:
    """The row of the table that tells of the build; it has a remark when there is no compiled core to test."""
    row = Row("core build")
    if not can_compile():
        row.remark = "left out with the tests of the compiled core: there is no C compiler with Python's headers"
        return row
    started = time.monotonic()
    try:
        CoreBuild().build()
    except (CoreBuildError, OSError) as error:
        row.remark, row.good = str(error), False
    row.seconds = time.monotonic() - started
    return row


class Checks:
    """The parts and what came of them."""

    def __init__(self, pytest_arguments: list[str]) -> None:
        self.pytest_arguments = pytest_arguments
        self.rows: list[Row] = []
        self._beside = ThreadPoolExecutor()
        self._core_row: Future[Row] = Future()
        self._log = REPORTS / "beside.log"

    def run(self, parts: list[str]) -> None:
        """Run the parts one after the other, or where the machine can from both ends, and the compiler beside."""
        if not NEED_CORE.isdisjoint(parts):
            self._core_row = self._beside.submit(_build_core)
            self._core_row.add_done_callback(lambda done: self.rows.append(done.result()))
        REPORTS.mkdir(parents=True, exist_ok=True)
        self._log.unlink(missing_ok=True)
        waiting = deque(part for part in ORDER if part in parts)
        if len(parts) < 2 or not can_do_two():
            self._from_the_front(waiting)
            return
        second = self._beside.submit(self._from_the_back, waiting)
        self._from_the_front(waiting)
        second.result()
        if self._log.is_file():
            print(self._log.read_text(encoding="utf-8", errors="replace"), flush=True)

    def _from_the_front(self, waiting: deque[str]) -> None:
        while waiting:
            PARTS[waiting.popleft()](self, None)

    def _from_the_back(self, waiting: deque[str]) -> None:
        """Only the parts whose output can go into a file meanwhile."""
        while waiting and waiting[-1] in LOGGED:
            PARTS[waiting.pop()](self, self._log)

    def lint(self, _log: Path | None) -> None:
        for name, (program, *arguments) in LINTERS:
            row = self._begin(name)
            started = time.monotonic()
            command = [f"{Path(sys.executable).with_name(program)}{sysconfig.get_config_var('EXE')}", *arguments]
            row.good = subprocess.call(command, cwd=ROOT, stdin=subprocess.DEVNULL) == 0
            row.seconds = time.monotonic() - started

    def python(self, log: Path | None) -> None:
        """The quick tests on the interpreted core, the one that coverage can see.

        Golden scenes and long walks run unseen by it: watching every line of them takes five times as long.
        """
        once = ABOVE_THE_ENGINE if can_compile() and not self.pytest_arguments else ()
        self._watched("python", [f"{QUICK} and not {UNWATCHED}", *once], ("engine",) if once else PACKAGES, log)
        self._pytest("unwatched", ["-m", f"{QUICK} and {UNWATCHED}", *once], core="python", log=log)

    def compiled(self, log: Path | None) -> None:
        if self._has_compiled_core():
            self._watched("compiled", [QUICK, *CORELESS], ("editor",), log)

    def _watched(self, core: str, selection: list[str], packages: tuple[str, ...], log: Path | None) -> None:
        report = REPORTS / f"coverage-{core}.xml"
        report.unlink(missing_ok=True)
        coverage = [*(f"--cov={package}" for package in packages), f"--cov-report=xml:{report}"]
        row = self._pytest(core, ["-m", *selection, *coverage], core, log=log)
        if report.is_file():
            covered = float(ET.parse(report).getroot().get("line-rate", "0"))
            row.remark = f"{covered:.1%} of the lines of {', '.join(packages)} covered  {row.remark}".rstrip()

    def gui(self, _log: Path | None) -> None:
        self._pytest_on_display("gui", "gui and not slow")

    def locales(self, _log: Path | None) -> None:
        """The tests that type and read numbers, words and keys, as on the desktops of other countries."""
        for locale in LOCALES:
            self._pytest_on_display(f"gui {locale}", "locale and not slow", more=_environment_of(locale))

    def slow(self, log: Path | None) -> None:
        self._pytest_on_display("slow", "slow", log)

    def windows(self, _log: Path | None) -> None:
        WindowsChecks(self._begin, REPORTS, self.pytest_arguments).run()

    def _pytest_on_display(
        self, name: str, selection: str, log: Path | None = None, more: Mapping[str, str] | None = None
    ) -> None:
        core = "compiled" if self._has_compiled_core() else "python"
        if not sys.platform.startswith("linux"):  # where there is always a display, and no other
            self._pytest(name, ["-m", selection], core, {**os.environ, **(more or {})}, log)
            return
        with place_for_tests() as environment:
            row = self._pytest(name, ["-m", selection], core, {**environment, **(more or {})}, log)
            if in_memory(environment):
                row.remark = f"{row.remark}  {IN_MEMORY}".strip()

    def _has_compiled_core(self) -> bool:
        row = self._core_row.result()
        return row.good and not row.remark

    def _pytest(
        self,
        name: str,
        arguments: list[str],
        core: str,
        environment: dict[str, str] | None = None,
        log: Path | None = None,
    ) -> Row:
        row = self._begin(name, log)
        report = REPORTS / f"{name}.xml"
        if environment is None:
            environment = {key: value for key, value in os.environ.items() if key not in ("DISPLAY", "WAYLAND_DISPLAY")}
            if sys.platform.startswith("linux"):  # elsewhere Qt has no OpenGL for what is drawn into memory
                environment["QT_QPA_PLATFORM"] = "offscreen"
        environment["CELLAR_DOOR_CORE"] = core
        if sys.version_info >= (3, 12):
            environment.setdefault("COVERAGE_CORE", "sysmon")  # a way to watch that costs next to nothing
        cache = REPORTS / f"{name}-cache"
        shutil.rmtree(cache, ignore_errors=True)  # pytest keeps failures of tests that it does not select
        command = [sys.executable, "-m", "pytest", ALL_THE_SAME, f"--override-ini=cache_dir={cache}", *arguments]
        command += self.pytest_arguments
        started = time.monotonic()
        with contextlib.nullcontext() if log is None else open(log, "ab") as output:

            def run(report: Path, *more: str) -> int:
                report.unlink(missing_ok=True)
                words = [*command, f"--junitxml={report}", *more]
                return subprocess.call(
                    words, cwd=ROOT, env=environment, stdin=subprocess.DEVNULL, stdout=output, stderr=output
                )

            code = run(report)
            row.remark = f"{core} core" if name not in ("python", "compiled") else ""
            count(row, report)
            if code == 1 and 0 < row.failed <= MOST_REPEATED:
                again = REPORTS / f"{name}-again.xml"
                code = run(again, "--last-failed", "--last-failed-no-failures=none", "--no-cov")
                count_again(row, report, again)
        row.seconds = time.monotonic() - started
        row.good = code in (0, NOTHING_COLLECTED)
        if not row.good and not row.failed:  # pytest itself fell: an error in collecting, or the process was killed
            row.remark = f"pytest ended with code {code}"
        return row

    def _begin(self, name: str, log: Path | None = None) -> Row:
        """A new row; its headline stands where its output will."""
        headline = f"\n--- {name} ---\n"
        if log is None:
            print(headline, end="", flush=True)
        else:
            with open(log, "a", encoding="utf-8") as output:
                output.write(headline)
        row = Row(name)
        self.rows.append(row)
        return row

    def print_table(self) -> None:
        for row in self.rows:
            if not row.good and not row.failed:  # a check that is no test, or a pytest that fell itself
                row.failed = 1
        print(f"\n{'check':16}{'passed':>8}{'failed':>8}{'skipped':>8}{'seconds':>9}")
        for row in self.rows:
            counts = (
                f"{row.passed:8}{row.failed:8}{row.skipped:8}" if row.passed + row.failed + row.skipped else " " * 24
            )
            remark = "  ".join(part for part in ("" if row.good else "FAILED", row.remark) if part)
            print(f"{row.name:16}{counts}{row.seconds:9.1f}  {remark}".rstrip())
        totals = [sum(getattr(row, kind) for row in self.rows) for kind in ("passed", "failed", "skipped")]
        print("{} passed, {} failed, {} skipped".format(*totals), flush=True)


def _environment_of(locale: str) -> dict[str, str]:
    """Qt goes by the names alone; the C library only if it has the locale, which is compiled here where it can be."""
    places = REPORTS / "locales"
    places.mkdir(parents=True, exist_ok=True)
    if shutil.which("localedef"):
        command = ["localedef", "-i", locale.partition(".")[0], "-f", "UTF-8", str(places / locale)]
        subprocess.call(command, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    return {"LANG": locale, "LC_ALL": locale, "LOCPATH": str(places)}


PARTS: dict[str, Callable[[Checks, Path | None], None]] = {
    "lint": Checks.lint,
    "python": Checks.python,
    "compiled": Checks.compiled,
    "gui": Checks.gui,
    "locales": Checks.locales,
    "slow": Checks.slow,
    "windows": Checks.windows,
}
NEED_CORE = frozenset(("compiled", "gui", "locales", "slow"))
ORDER = ("lint", "gui", "locales", "windows", "slow", "compiled", "python")
"""In which a machine with one processor runs them. One with two runs them from both ends until they meet."""
LOGGED = ("slow", "compiled", "python")


def can_do_two() -> bool:
    return (os.cpu_count() or 1) > 1


def main(arguments: list[str]) -> int:
    write_everything()
    own, pytest_arguments = arguments, []
    if "--" in arguments:
        split = arguments.index("--")
        own, pytest_arguments = arguments[:split], arguments[split + 1 :]
    parser = argparse.ArgumentParser(
        prog="run_tests.py", description="Run the checks of the project.", epilog="Words after -- go to pytest."
    )
    parser.add_argument("part", nargs="*", help=f"{', '.join(PARTS)}; all of them without one")
    options = parser.parse_args(own)
    for part in options.part:
        if part not in PARTS:
            parser.error(f"there is no part {part!r}; there are {', '.join(PARTS)}")
    checks = Checks(pytest_arguments)
    checks.run(options.part or list(PARTS))
    checks.print_table()
    return 0 if all(row.good for row in checks.rows) else 1
