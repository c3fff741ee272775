"""Reports of what went wrong: a crash of the process, an exception that nobody expected, a fatal message of Qt.

    <folder>/2026-11-20 16.05.12 4711.running    what the process 4711 has done so far; locked as long as it lives
    <folder>/2026-11-20 16.05.12 4711.txt        the report of a process that has ended

The system kills a crashed process before Python can say anything, so the file is open from the start: what was done
last is in it already, and `faulthandler` adds the stacks of all threads. A process that ends without trouble removes
its file. Reports hold no text of the user's files; the home folder is written as ~.
"""

from __future__ import annotations

import faulthandler
import os
import platform
import re
import threading
import time
import traceback
from collections import deque
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Final

import engine
from editor.process.plain_text import visible
from engine.files.errors import FileError
from engine.files.kinds import PROBLEM_REPORT
from engine.files.locking import lock
from engine.files.reading import read_text

RUNNING: Final = ".running"
ENDED: Final = ".txt"
FOLDER_SETTING: Final = "CELLAR_DOOR_REPORTS"
"""The environment variable that tells processes which the window starts where their reports go."""

MOST_ACTIONS: Final = 40
MOST_TROUBLES: Final = 10
LONGEST_TROUBLE: Final = 12_000
"""Characters; a longer traceback loses its middle."""
LONGEST_ACTION: Final = 300
REWRITTEN_AFTER: Final = 200
"""Lines after which the file is written anew with the last actions alone."""
MOST_REPORTS: Final = 10
"""The newest reports that are kept."""

TROUBLE: Final = "■ "
BY_QT: Final = "Qt ended the program"
_CRASH: Final = re.compile(r"^(?:Fatal Python error: |Windows fatal exception: )(.+)$", re.MULTILINE)
_TROUBLE: Final = re.compile(rf"^{TROUBLE}(.+)$", re.MULTILINE)


class ReportWriter:
    """The report of this process. All methods may be called from every thread, and never fail: a disk that is full
    must not take the program with it."""

    def __init__(self, folder: Path, about: str) -> None:
        """Begin the report with what is known about program and system. Where no file can be made there is none."""
        self.path: Path | None = None
        self._handle = -1
        self._gate = threading.Lock()
        self._head = f"{shortened(about)}\n\n"
        self._actions: deque[str] = deque(maxlen=MOST_ACTIONS)
        self._troubles: list[str] = []
        self._lines = 0
        path = folder / f"{time.strftime('%Y-%m-%d %H.%M.%S')} {os.getpid()}{RUNNING}"
        with suppress(OSError):
            folder.mkdir(mode=0o700, parents=True, exist_ok=True)
            self._handle = _open(path, os.O_CREAT | os.O_APPEND)
            self.path = path
            with suppress(OSError):  # a file system without locks
                lock(self._handle)
        self._write(self._head)

    @property
    def is_open(self) -> bool:
        return self._handle >= 0

    def catch_crashes(self) -> None:
        """Have the stacks of all threads written when the process crashes."""
        if self.is_open:
            faulthandler.enable(self._handle, all_threads=True)

    def describe(self, about: str) -> None:
        """Replace what is known about program and system: the graphics driver is known after the first picture."""
        with self._gate:
            self._head = f"{shortened(about)}\n\n"
            self._rewrite()

    def note(self, action: str) -> None:
        """Add something that was done."""
        line = f"{time.strftime('%H:%M:%S')}  {visible(shortened(action))[:LONGEST_ACTION]}\n"
        with self._gate:
            self._actions.append(line)
            self._lines += 1
            if self._lines > REWRITTEN_AFTER:
                self._rewrite()
            else:
                self._write(line)

    def report(self, sentence: str, details: str) -> None:
        """Add what went wrong. The same thing again, as in each frame, is not added."""
        text = f"{TROUBLE}{visible(shortened(sentence))}\n{_middle_out(shortened(details).strip())}\n\n"
        with self._gate:
            if text not in self._troubles and len(self._troubles) < MOST_TROUBLES:
                self._troubles.append(text)
                self._write(text)

    def so_far(self) -> Report | None:
        """The report of this process as it is now; None while nothing has gone wrong."""
        with self._gate:
            if self.path is None or not self._troubles:
                return None
            return Report(self.path, "".join((self._head, *self._troubles, *self._actions)))

    def close(self) -> None:
        """The process ends as it should: its report stays only if something went wrong."""
        with self._gate:
            if not self.is_open:
                return
            faulthandler.disable()
            os.close(self._handle)
            self._handle = -1
            path = self.path
        if path is not None:
            with suppress(OSError):
                if self._troubles:
                    os.replace(path, path.with_suffix(ENDED))
                else:
                    path.unlink()

    def _rewrite(self) -> None:
        if self.is_open:
            with suppress(OSError):
                os.ftruncate(self._handle, 0)
        self._lines = 0
        self._write("".join((self._head, *self._troubles, *self._actions)))

    def _write(self, text: str) -> None:
        if self.is_open:
            with suppress(OSError):
                os.write(self._handle, text.encode(errors="backslashreplace"))


@contextmanager
def reported(part: str) -> Iterator[None]:
    """Write a report of what goes wrong within the block, in a process that the window has started."""
    folder = os.environ.get(FOLDER_SETTING)
    if not folder:
        yield
        return
    about = f"Cellar Door {engine.__version__}, {part}\nPython {platform.python_version()} on {platform.platform()}"
    writer = ReportWriter(Path(folder), about)
    writer.catch_crashes()
    try:
        yield
    except Exception as error:
        writer.report(f"{part}: {type(error).__name__}: {error}", traceback.format_exc())
        raise
    finally:
        writer.close()


@dataclass(frozen=True)
class Report:
    """A report of a process that has ended."""

    path: Path
    text: str

    @property
    def is_crash(self) -> bool:
        return _CRASH.search(self.text) is not None

    @property
    def is_trouble(self) -> bool:
        return self.is_crash or _TROUBLE.search(self.text) is not None

    @property
    def sentence(self) -> str:
        """What happened, for a list."""
        crash, trouble = _CRASH.search(self.text), _TROUBLE.search(self.text)
        if crash is not None and not (trouble is not None and trouble[1].startswith(BY_QT)):
            return f"The program crashed: {crash[1]}"
        return trouble[1] if trouble is not None else self.path.stem

    @property
    def when(self) -> str:
        """When the process began."""
        return " ".join(self.path.stem.split(" ")[:2]).replace(".", ":")


def take_over(folder: Path) -> list[Report]:
    """Turn what crashed processes left into reports, and remove what holds no trouble: the file of a process that was
    killed from outside. Returns the new reports, the latest first."""
    found = []
    for path in _files(folder, RUNNING):
        with suppress(OSError, FileError):  # of a living process, or another window has just taken it over
            report = _taken_over(path)
            if report is not None:
                found.append(report)
    for path in _files(folder, ENDED)[MOST_REPORTS:]:
        with suppress(OSError):
            path.unlink()
    return found


def _taken_over(path: Path) -> Report | None:
    handle = _open(path)
    try:
        try:
            lock(handle)
        except BlockingIOError:
            return None
        text = shortened(read_text(path, PROBLEM_REPORT))
        report = Report(path.with_suffix(ENDED), text)
        if report.is_trouble:
            _write_whole(report.path, text)
    finally:
        os.close(handle)
    path.unlink()
    return report if report.is_trouble else None


def reports_in(folder: Path) -> list[Report]:
    """The reports that are kept, the latest first."""
    found = []
    for path in _files(folder, ENDED):
        with suppress(FileError):  # another window has just removed it
            found.append(Report(path, read_text(path, PROBLEM_REPORT)))
    return found


def shortened(text: str) -> str:
    """A text with ~ for the home folder, in both forms of paths."""
    home = os.path.expanduser("~")
    if home.rstrip("\\/") in ("", "~"):
        return text
    for form in {home, home.replace("\\", "/")}:
        text = text.replace(form, "~")
    return text


def _middle_out(text: str) -> str:
    if len(text) <= LONGEST_TROUBLE:
        return text
    half = LONGEST_TROUBLE // 2
    return f"{text[:half]}\n…\n{text[-half:]}"


def _open(path: Path, flags: int = 0) -> int:
    always = os.O_RDWR | getattr(os, "O_BINARY", 0) | getattr(os, "O_CLOEXEC", 0) | getattr(os, "O_NOFOLLOW", 0)
    return os.open(path, always | flags, 0o600)


def _write_whole(path: Path, text: str) -> None:
    handle = _open(path, os.O_CREAT | os.O_TRUNC)
    try:
        content = memoryview(text.encode(errors="backslashreplace"))
        while content:
            content = content[os.write(handle, content) :]
    finally:
        os.close(handle)


def _files(folder: Path, suffix: str) -> list[Path]:
    """Our files of a kind, the latest first: their names begin with the time."""
    try:
        return sorted((path for path in folder.iterdir() if path.suffix == suffix), reverse=True)
    except OSError:  # nothing has ever been written there
        return []
