"""The virtual environment in `.venv`: made once, checked at every start, renewed when its lock or a file of it changed.

What it should hold is written into it at the end of each installation, so that the check needs neither the network nor
the environment's own Python, and an installation that was broken off shows.
"""

import hashlib
import json
import os
import re
import shutil
import sys
from importlib.machinery import EXTENSION_SUFFIXES
from pathlib import Path
from typing import Any

from bootstrap.errors import BROKEN_ENVIRONMENT, DISK_FULL, SetupError
from bootstrap.steps import Log, StepFailedError

STAMP = "cellar-door.json"
SETTINGS = "pyvenv.cfg"
PYTHON = Path("Scripts", "python.exe") if sys.platform == "win32" else Path("bin", "python")


class Environment:
    """The `.venv` of a checkout."""

    def __init__(self, root: Path) -> None:
        self.root = root
        self.folder = root / ".venv"
        self.python = self.folder / PYTHON
        self._stamp: dict[str, Any] | None = None

    def exists(self) -> bool:
        return self.folder.exists()

    def damage(self) -> str | None:
        """Why the environment cannot be used as it is, if so."""
        stamp = self.stamp()
        if stamp is None or not stamp.get("locks"):
            return "its set-up was not finished"
        for name, size in stamp["files"].items():
            try:
                found = os.stat(f"{self.folder}/{name}").st_size
            except OSError:
                return f"{name} is gone"
            if found != size:
                return f"{name} has changed"
        if stamp["python"] != _file_identity(self._original()):
            return "the Python it was made with has changed"
        return None

    def has_lock(self, lock: str) -> bool:
        stamp = self.stamp()
        return stamp is not None and stamp["locks"].get(lock) == self._lock_digest(lock)

    def stamp(self) -> dict[str, Any] | None:
        if self._stamp is None:
            try:
                stamp = json.loads((self.folder / STAMP).read_text(encoding="utf-8"))
            except (OSError, ValueError):
                return None
            self._stamp = stamp if isinstance(stamp, dict) else None
        return self._stamp

    def _remember(self, **facts: Any) -> None:
        """Write the facts into the stamp: whole or not at all."""
        self._stamp = {**(self.stamp() or {}), **facts}
        fresh = self.folder / (STAMP + ".new")
        fresh.write_text(json.dumps(self._stamp), encoding="utf-8")
        fresh.replace(self.folder / STAMP)

    def create(self, log: Log) -> None:
        try:
            log.run([sys.executable, "-m", "venv", str(self.folder)])
        except StepFailedError as error:
            raise log.explain("making the environment in .venv", error.output, self.root) from error

    def remove(self) -> None:
        self._stamp = None
        try:
            shutil.rmtree(self.folder)
        except NotADirectoryError:
            self.folder.unlink()
        except OSError as error:
            raise SetupError(
                f"{self.folder} is broken and cannot be removed ({error.strerror}: {error.filename}); do it by hand.",
                BROKEN_ENVIRONMENT,
            ) from error

    def install(self, lock: str, included: list[str], log: Log) -> None:
        """Install the packages of the lock, which brings those of the `included` locks with it."""
        self._remember(locks={})  # what is broken off here is seen at the next start
        pip = [str(self.python), "-m", "pip", "--disable-pip-version-check", "--no-input", "--retries", "2"]
        options = ["--require-hashes", "--no-deps", "--only-binary", ":all:", "-r", str(self.root / lock)]
        try:
            log.run([*pip, "install", *options])
        except StepFailedError as error:
            failure = log.explain("installing the Python packages with pip", error.output, self.root)
            if failure.code == DISK_FULL:
                self.remove()  # give the room back
            raise failure from error
        self.remember_installed([lock, *included])

    def remember_installed(self, locks: list[str]) -> None:
        """Record the present state as the intended one."""
        self._remember(
            python=_file_identity(self._original()),
            files=self._installed_files(),
            locks={name: self._lock_digest(name) for name in locks},
            tag=EXTENSION_SUFFIXES[0].strip(".").rsplit(".", 1)[0],
        )

    def _original(self) -> Path:
        """The Python it was made with: its own is a link to that one or, on Windows, a program that starts it."""
        if sys.platform == "win32":
            settings = (self.folder / SETTINGS).read_text(encoding="utf-8", errors="replace")
            home = re.search(r"^home *= *(.+)$", settings, re.MULTILINE)
            return Path(home.group(1).strip() if home else "", "python.exe")
        return self.python

    def _lock_digest(self, lock: str) -> str:
        return hashlib.sha256((self.root / lock).read_bytes()).hexdigest()

    def _installed_files(self) -> dict[str, int]:
        """What makes it an environment, and all files of the packages but the byte code, which comes and goes."""
        files = {SETTINGS: os.stat(self.folder / SETTINGS).st_size}
        for folder, subfolders, names in os.walk(self.folder / "lib"):
            subfolders[:] = [name for name in subfolders if name != "__pycache__"]
            for name in names:
                path = os.path.join(folder, name)
                files[os.path.relpath(path, self.folder)] = os.stat(path).st_size
        return files


def _file_identity(file: Path) -> list[str | int]:
    """Where the file really lies, and what changes when the system's Python is upgraded."""
    try:
        real = file.resolve(strict=True)
        state = real.stat()
    except OSError:
        return []
    return [str(real), state.st_size, state.st_mtime_ns]
