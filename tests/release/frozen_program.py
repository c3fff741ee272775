"""The program without a Python, built for the tests: for this Linux, and for Windows under Wine.

What is built stays in build/release, and is built again when anything changes that it is made of.
"""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from collections.abc import Mapping
from dataclasses import dataclass, replace
from functools import cache
from pathlib import Path
from typing import Final

import pytest

from cellar_door.virtual_display import NoDisplayError, virtual_display
from release.contents import ROOT
from release.program import NAME, has_pyinstaller
from tests.loaded import HUNG
from tests.shared import SHARED

OUT: Final = ROOT / "build" / "release" / "tested"
WIN_PYTHON: Final = SHARED / "tools" / "windows" / "win-python"
WINDOWS: Final = Path(os.environ.get("CELLAR_DOOR_WINDOWS", Path.home() / ".cache" / "cellar-door-windows"))
"""Where the Windows for tests is, as its own commands find it."""
OF_WINDOWS: Final = ("ucrtbase.dll", "icuuc.dll")
"""Libraries of every Windows that Wine lacks, or has in part: they stand beside the program for Wine alone."""
PASS_ON: Final = "import subprocess, sys; sys.exit(subprocess.call(sys.argv[1:]))"
CACHE: Final = {"CELLAR_DOOR_CACHE": str(OUT / "cache")}
"""The program itself writes its demo world there."""
UNWANTED: Final = ("PYTHONPATH", "PYTHONHOME", "CELLAR_DOOR_CORE", "CELLAR_DOOR_READY", "VIRTUAL_ENV", "DISPLAY")


@dataclass(frozen=True)
class Program:
    """How to start it."""

    folder: Path
    start: list[str]
    environment: Mapping[str, str]

    def run(self, folder: Path, *words: str, **environment: str) -> subprocess.CompletedProcess[str]:
        """A command in a folder that is neither the checkout nor below it, without a display unless one is given."""
        kept = {name: value for name, value in os.environ.items() if name not in UNWANTED}
        return subprocess.run(
            [*self.start, *words],
            cwd=folder,
            env={**kept, **self.environment, **environment},
            stdin=subprocess.DEVNULL,
            capture_output=True,
            encoding="utf-8",
            errors="replace",
            check=False,
            timeout=HUNG,
        )

    def draw(self, folder: Path, *words: str) -> subprocess.CompletedProcess[str]:
        """The same for a picture, which Windows draws on a display alone."""
        if self.start[0] != str(WIN_PYTHON):
            return self.run(folder, *words, QT_QPA_PLATFORM="")
        shown = replace(self, start=[self.start[0], "--gui", *self.start[1:]])
        try:
            with virtual_display() as display:
                return shown.run(folder, *words, DISPLAY=display, QT_QPA_PLATFORM="")
        except NoDisplayError as error:
            pytest.skip(str(error))


@cache
def program_for_linux() -> Program:
    if sys.platform != "linux":
        pytest.skip("this program is for Linux")
    if not has_pyinstaller():
        pytest.skip("PyInstaller is not installed; it is in requirements-dev.lock")
    _build([sys.executable, "-m", "release"], "linux")
    folder = OUT / "linux" / NAME
    return Program(folder, [str(folder / NAME)], CACHE)


@cache
def program_for_windows() -> Program:
    """Built by Windows' Python under Wine, with a compiled core if one was made for it (README of the tools)."""
    if not WIN_PYTHON.is_file() or not (WINDOWS / "ready").exists():
        pytest.skip("there is no Windows for tests: ../shared/tools/windows is not set up")
    probe = [str(WIN_PYTHON), "-c", "import PyInstaller, pefile"]
    if subprocess.run(probe, cwd=ROOT, capture_output=True, check=False).returncode != 0:
        pytest.skip("Windows' Python has no PyInstaller: win-pip-sync requirements-dev.lock installs it")
    _build([str(WIN_PYTHON), "-m", "release"], "windows")
    folder = OUT / "windows" / f"{NAME}-for-wine"
    shutil.rmtree(folder, ignore_errors=True)
    shutil.copytree(OUT / "windows" / NAME, folder, copy_function=os.link)
    for library in OF_WINDOWS:
        shutil.copy(WINDOWS / "python" / library, folder)
    return Program(folder, [str(WIN_PYTHON), "-c", PASS_ON, str(folder / f"{NAME}.exe")], {**CACHE, "PYTHONUTF8": "1"})


def _build(command: list[str], system: str) -> None:
    words = [*command, "program", "--out", str(OUT / system)]
    kept = {name: value for name, value in os.environ.items() if name not in UNWANTED}
    done = subprocess.run(
        words, cwd=ROOT, env=kept, capture_output=True, encoding="utf-8", errors="replace", check=False
    )
    assert done.returncode == 0, f"{done.stdout}\n{done.stderr}"
