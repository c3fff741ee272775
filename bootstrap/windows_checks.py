"""The part `windows` of `run_tests.py`: the quick and the GUI tests on a Windows Python under Wine.

Both come from the scripts in the folder shared between the projects, where that is; they need root on Linux. The tests
run in slices, each a process with a limit of time, so that one hanging test costs one slice. A slice that reaches its
own limit fails the part; what the time of the whole part does not allow is named, and fails nothing.
"""

import contextlib
import os
import platform
import shutil
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from bootstrap.core import CoreBuild, CoreBuildError
from bootstrap.results import Row, count, count_again
from cellar_door.virtual_display import DISPLAYS, NoDisplayError, virtual_display

ROOT = Path(__file__).resolve().parent.parent
TOOLS = Path(os.environ.get("CELLAR_DOOR_SHARED", ROOT.parent / "shared")) / "tools" / "windows"
PYTHON: Final = (3, 11)
"""The Python under Wine, and the one that can compile the core for it."""
TAG: Final = "cp311-win_amd64"
LOCK: Final = "requirements-dev.lock"

LONGEST: Final = 15 * 60
"""Seconds for the tests. Setting Wine up and compiling the core, where that is to do, come before."""
QUICK_SHARE: Final = 0.55
"""The quick tests end by then; the rest is the GUI tests'."""
MOST_REPEATED: Final = 5
LEAST_TIME: Final = 30.0
"""Seconds without which no slice is begun."""
NOTHING_COLLECTED: Final = 5
"""pytest's exit code when the selection holds no test."""


class NoWindowsError(Exception):
    """This machine cannot run the Windows Python; the text is the reason, for the table."""


@dataclass(frozen=True)
class Slice:
    """Tests that run in one process; `seconds` is far more than they take on a quiet machine."""

    paths: tuple[str, ...]
    seconds: int
    why: str

    @property
    def name(self) -> str:
        return " ".join(path.removeprefix("tests/").removeprefix("gui/") for path in self.paths)


# In the order of what they tell about Windows: what is cut off at the end is what is the same on every system.
QUICK: Final = (
    Slice(("tests/files", "tests/cellar_door", "tests/bootstrap"), 300, "files, processes, locks, outputs, set-up"),
    Slice(
        (
            *("tests/geometry", "tests/build/test_demo_bytes.py", "tests/sim/test_golden_runs.py"),
            *("tests/visibility/test_flood_bits.py", "tests/visibility/test_frame_bits.py"),
        ),
        240,
        "the same bits from another compiler and another C library",
    ),
    Slice(
        ("tests/editor/export", "tests/editor/project", "tests/editor/process"), 300, "files replaced while open, locks"
    ),
    Slice(
        (
            *("tests/sim/test_recording.py", "tests/sim/test_recording_demo.py", "tests/sim/test_recording_file.py"),
            *("tests/sim/test_scene_bits.py", "tests/conformance"),
        ),
        300,
        "recordings are read and replayed; golden walks, and captures of the retail client",
    ),
    Slice(
        ("tests/editor/session", "tests/editor/places", "tests/editor/pictures", "tests/render/gl"),
        300,
        "paths as users name them, drawing without a window",
    ),
    Slice(
        (
            *("tests/dat/test_container.py", "tests/dat/test_container_atomic.py", "tests/dat/test_datafolder.py"),
            *("tests/dat/test_changing_files.py", "tests/dat/test_container_damage.py"),
        ),
        300,
        "open, mapped and replaced files",
    ),
    Slice(("tests/editor/commands",), 300, "the command line: paths, encodings, exit codes"),
    Slice(
        ("tests/sim/live/test_tail.py", "tests/sim/live/test_follower.py", "tests/editor/scripting"),
        300,
        "files that grow, scripts of users",
    ),
)
GUI: Final = (
    Slice(("tests/gui/opening",), 240, "files, dialogs, drops, recent places"),
    Slice(("tests/gui/projects",), 240, "saving, autosaves, dialogs"),
    Slice(("tests/gui/widgets", "tests/gui/survey_report"), 300, "the program's own widgets"),
)
NO_TIME: Final = "the time holds no more"
LEFT_OUT: Final = {
    "tests/benchmarks": "real speed is not to be had under Wine",
    **dict.fromkeys(("tests/gui/view3d", "tests/gui/docks", "tests/gui/process", "tests/gui/stories"), NO_TIME),
    **dict.fromkeys(("tests/editor/survey", "tests/world", "tests/entities"), NO_TIME),
    "tests/gui/window": "three tests of layouts fail there, for a reason that is not found yet",
    "tests/explore": "searches by the arithmetic of the bits, long",
    "tests/findings": "text and numbers alone",
    "tests/physics": "moves by the arithmetic of the bits, long",
    "tests/survey": "checks by the arithmetic of the bits, long",
    "tests/dat/test_container_fuzz.py": "Wine needs minutes for its hundreds of files",
    "tests/packaging": "installs wheels for Linux",
    "tests/release": "archives and notes; the slow tests build and start the Windows program",
}
"""What never runs here, with the reason."""


@dataclass(frozen=True)
class Wine:
    """The commands that reach the Windows Python."""

    tools: Path

    def setup(self) -> None:
        """Build what is missing, a matter of minutes, or only look at it."""
        for command in ([str(self.tools / "setup.sh")], [str(self.tools / "win-pip-sync"), LOCK]):
            try:
                done = _run(command)
            except OSError as error:
                raise NoWindowsError(f"{Path(command[0]).name} does not start: {error.strerror}") from error
            if done.returncode != 0:
                said = (done.stderr or done.stdout).strip().splitlines()
                raise NoWindowsError(f"{Path(command[0]).name} failed: {said[-1] if said else 'without a word'}")

    def compile(self) -> None:
        """Make the core for Windows, unless these very sources have one."""
        build = "import sys; from bootstrap.windows_checks import build_core; sys.exit(build_core())"
        command = [str(self.tools / "win-compile"), sys.executable, "-c", build]
        done = _run(command)
        if done.returncode != 0:
            raise CoreBuildError(done.stderr.strip() or f"win-compile ended with code {done.returncode}")

    def python(self, *words: str) -> list[str]:
        return [str(self.tools / "win-python"), "--gui", *words]


def _run(command: list[str]) -> subprocess.CompletedProcess[str]:
    nothing = subprocess.DEVNULL
    return subprocess.run(
        command, cwd=ROOT, stdin=nothing, capture_output=True, text=True, errors="replace", check=False
    )


def find_wine() -> Wine:
    """Raises NoWindowsError where the tests cannot run."""
    if not sys.platform.startswith("linux") or platform.machine() != "x86_64":
        raise NoWindowsError("Wine for it runs on Linux on x86_64")
    if not (TOOLS / "setup.sh").is_file():
        raise NoWindowsError(f"the scripts that set Wine up are not in {TOOLS}")
    if os.geteuid() != 0:
        raise NoWindowsError("the scripts that set Wine up need root")
    if shutil.which("apt-get") is None:
        raise NoWindowsError("the scripts that set Wine up need Debian")
    return Wine(TOOLS)


def build_core() -> int:
    """In the process that `win-compile` has given another compiler."""
    try:
        CoreBuild(place=ROOT / "build" / "core" / TAG).build()
    except (CoreBuildError, OSError) as error:
        print(error, file=sys.stderr)
        return 1
    return 0


class WindowsChecks:
    """One run of the part; `begin` makes the rows."""

    def __init__(self, begin: Callable[[str], Row], reports: Path, pytest_arguments: Iterable[str]) -> None:
        self._begin = begin
        self._reports = reports
        words = list(pytest_arguments)
        asked = tuple(word for word in words if not word.startswith("-") and (ROOT / word.partition("::")[0]).exists())
        self._asked = (Slice(asked, LONGEST // 2, "asked for"),) if asked else ()
        self._options = [word for word in words if word not in asked]
        self._end = 0.0
        self._core = "python"

    def run(self) -> None:
        row = self._begin("windows")
        try:
            wine = find_wine()
            wine.setup()
        except NoWindowsError as error:
            row.remark = f"left out: {error}"
            return
        if sys.version_info[:2] == PYTHON:
            self._compile(wine, row)
        else:
            row.remark = "interpreted core: the compiled one is made by Python 3.11"
        self._end = time.monotonic() + LONGEST
        try:
            with virtual_display() as display:  # for the quick tests too: Qt draws on a display alone there
                quick_end = self._end - LONGEST * (1.0 - QUICK_SHARE)
                self._run_slices(wine, row, self._asked or QUICK, quick_end, display)
                if LEFT_OUT and not self._asked:
                    row.remark = _joined(row.remark, f"never run here: {', '.join(LEFT_OUT)}")
                row = self._begin("windows gui")
                self._run_slices(wine, row, self._asked or GUI, self._end, display, gui=True)
        except NoDisplayError as error:
            row.good, row.remark = False, str(error)

    def _compile(self, wine: Wine, row: Row) -> None:
        started = time.monotonic()
        try:
            wine.compile()
            self._core = "compiled"
        except CoreBuildError as error:
            row.good, row.remark = False, str(error)
        row.seconds = time.monotonic() - started

    def _environment(self, display: str) -> dict[str, str]:
        kept = {name: value for name, value in os.environ.items() if name not in DISPLAYS}
        # Linux' Python reads the same files of compiled code, and would name the files as Windows does.
        more = {"CELLAR_DOOR_CORE": self._core, "PYTHONPYCACHEPREFIX": str(ROOT / "build" / "windows-pycache")}
        return {**kept, **more, "DISPLAY": display}

    def _run_slices(
        self, wine: Wine, row: Row, slices: Iterable[Slice], end: float, display: str, *, gui: bool = False
    ) -> None:
        started = time.monotonic()
        unrun = []
        for each in slices:
            if end - time.monotonic() < LEAST_TIME:
                unrun.append(each.name)
                continue
            limit = min(each.seconds, end - time.monotonic())
            run = _SliceRun(wine, each, self._reports, self._environment(display), gui)
            found = run.run(limit, self._options, is_cut=limit < each.seconds)
            print(f"{each.name}: {found.passed} passed, {found.failed} failed, {found.skipped} skipped", flush=True)
            row.passed += found.passed
            row.failed += found.failed
            row.skipped += found.skipped
            row.good = row.good and found.good
            row.remark = _joined(row.remark, found.remark)
        if unrun:
            row.remark = _joined(row.remark, f"not begun for want of time: {', '.join(unrun)}")
        row.seconds += time.monotonic() - started


class _SliceRun:
    """One slice: pytest under Wine, once, and once more for a few failures."""

    def __init__(self, wine: Wine, part: Slice, reports: Path, environment: dict[str, str], gui: bool) -> None:
        self._wine, self._part, self._environment, self._gui = wine, part, environment, gui
        stem = part.name.split(" ")[0].removesuffix(".py").replace("/", "-")
        self._place = reports / f"windows-{'gui-' if gui else ''}{stem}"

    def run(self, limit: float, more: list[str], *, is_cut: bool) -> Row:
        row = Row(self._part.name)
        until = time.monotonic() + limit
        report, log = self._beside(".xml"), self._beside(".log")
        shutil.rmtree(self._beside("-cache"), ignore_errors=True)
        code = self._pytest(report, log, limit, *self._part.paths, *more)
        if code is None:
            row.good = is_cut  # the time of the whole part, of which nobody promised all
            what = "cut off" if is_cut else "not finished"
            row.remark = f"{row.name}: {what} after {limit:.0f} s in {_last_begun(log)}"
            return row
        count(row, report)
        if code == 1 and 0 < row.failed <= MOST_REPEATED and until - time.monotonic() > LEAST_TIME:
            again = self._beside("-again.xml")
            words = ("--last-failed", "--last-failed-no-failures=none")
            done = self._pytest(
                again, self._beside("-again.log"), until - time.monotonic(), *self._part.paths, *words, *more
            )
            if done is not None:
                code = done
                count_again(row, report, again)
        # Without a report a test ended the whole process, whatever its exit code.
        row.good = code in (0, NOTHING_COLLECTED) and not row.failed and report.is_file()
        if not row.good:
            print(_end_of(log), flush=True)
            row.remark = _joined(row.remark, f"{row.name}: {f'code {code}, ' if not row.failed else ''}see {log}")
        return row

    def _beside(self, ending: str) -> Path:
        return self._place.with_name(self._place.name + ending)

    def _pytest(self, report: Path, log: Path, limit: float, *words: str) -> int | None:
        """pytest's exit code, or None when the time was over and it was ended with all that it had started."""
        report.unlink(missing_ok=True)
        selection = "gui and not slow" if self._gui else "not slow and not gui"
        options = ["-vv", "--tb=short", "-rfE", "--continue-on-collection-errors", f"--junitxml={report}"]
        cache = f"--override-ini=cache_dir={self._beside('-cache')}"
        command = self._wine.python("-m", "pytest", *options, cache, "-m", selection, *words)
        with open(log, "wb") as output:
            process = subprocess.Popen(
                command,
                cwd=ROOT,
                env=self._environment,
                stdin=subprocess.DEVNULL,
                stdout=output,
                stderr=output,
                start_new_session=True,
            )
            try:
                return process.wait(limit)
            except subprocess.TimeoutExpired:
                return None
            finally:
                _end_all(process)


def _end_all(process: subprocess.Popen[bytes]) -> None:
    """End the process with all that it has started; its session is its own."""
    if sys.platform != "win32":
        with contextlib.suppress(ProcessLookupError):
            os.killpg(process.pid, signal.SIGKILL)
    process.wait()


def _joined(*parts: str) -> str:
    return "; ".join(part for part in parts if part)


def _last_begun(log: Path) -> str:
    """The test that was running when the log ended: pytest writes its name before, its outcome after it."""
    lines = log.read_text(encoding="utf-8", errors="replace").splitlines()
    named = [line.split(" ")[0] for line in lines if "::" in line]
    return named[-1] if named else "collecting"


def _end_of(log: Path) -> str:
    """The failures and their summary, as pytest has them at the end."""
    text = log.read_text(encoding="utf-8", errors="replace")
    return text[max(text.rfind("= FAILURES ="), text.rfind("= ERRORS =")) :][-20_000:]
