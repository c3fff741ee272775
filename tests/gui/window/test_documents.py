"""The documents match the window: a page for every dock, and one command that takes every picture."""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path

import pytest
from PySide6.QtGui import QImage

from tests.loaded import HUNG
from ui.window.main_window import MainWindow

ROOT = Path(__file__).resolve().parents[3]
DOCS = ROOT / "docs"
NOT_OF_A_WORLD = ("World", "Details")
"""Docks that list what others explain; the tour and the README cover them."""

pytestmark = pytest.mark.gui


def test_every_dock_has_a_page(window: MainWindow) -> None:
    titles = {dock.windowTitle().partition(" (")[0] for dock in window.docks}
    for title in sorted(titles - {*NOT_OF_A_WORLD}):
        page = DOCS / "docks" / f"{title.lower().replace(' ', '-')}.md"
        assert page.is_file(), f"{title} has no page {page.name}"
        assert page.read_text(encoding="utf-8").startswith(f"# {title}\n")


@pytest.mark.slow
def test_the_command_takes_every_picture_in_the_documents(tmp_path: Path) -> None:
    command = [sys.executable, "-m", "cellar_door", "docs-screenshots", "--out", str(tmp_path)]
    taken = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False, timeout=HUNG)
    assert (taken.returncode, taken.stderr) == (0, "")
    pages = [ROOT / "README.md", *DOCS.rglob("*.md")]
    shown = {name for page in pages for name in re.findall(r"pictures/([^)]+\.png)", page.read_text(encoding="utf-8"))}
    assert shown == {path.name for path in tmp_path.iterdir()} == {path.name for path in (DOCS / "pictures").iterdir()}
    assert all(QImage(str(path)).width() >= 300 for path in tmp_path.iterdir())
