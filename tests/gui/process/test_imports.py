"""No module of the window needs an application when imported: one that asks Qt for keys or fonts too early ends the
process."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

pytestmark = pytest.mark.gui

ROOT = Path(__file__).resolve().parents[3]


def test_every_window_module_can_be_imported_without_an_application() -> None:
    modules = [str(file.relative_to(ROOT).with_suffix("")).replace("/", ".") for file in ROOT.glob("ui/**/*.py")]
    done = subprocess.run(
        [sys.executable, "-c", "import " + ", ".join(sorted(modules))],
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr
