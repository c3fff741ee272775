"""Story (e): the program is killed during editing; the next start offers the edits, and they are complete."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Mapping
from pathlib import Path

import pytest

from tests.loaded import HUNG
from tests.systems import KILLED

pytestmark = pytest.mark.gui

HANDS = """
import os, sys, time
from PySide6.QtCore import QSettings, Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QToolButton
from tests.gui.docks.live_hands import raise_dock
from tests.systems import KILL
from ui.window.application import create_application
from ui.window.project_actions import autosave_folder
from ui.docks.doors import DoorsPanel
from ui.window.start import make_window

SECONDS = 60

class Hands:
    def waitUntil(self, is_so):
        late = time.monotonic() + SECONDS
        while not is_so():
            assert time.monotonic() < late
            QTest.qWait(10)

def start(source):
    settings = QSettings()
    settings.setValue("hints-done", ["walk", "door", "find"])
    window = make_window(application, settings)
    window.show()
    window.activateWindow()
    opened = []
    window.session.faults_changed.connect(lambda: opened.append(True))
    window.open(source)
    Hands().waitUntil(lambda: opened)
    return window

def press(window, key):
    raise_dock(Hands(), window.docks.dock(DoorsPanel))
    view, table = window.docks.panel(DoorsPanel).view, window.docks.panel(DoorsPanel).model
    door = window.document.sim.population.doors[0].id
    where = view.visualRect(table.index(table.row_of(door), 0)).center()
    QTest.mouseClick(view.viewport(), Qt.MouseButton.LeftButton, Qt.KeyboardModifier.NoModifier, where)
    view.setFocus()
    Hands().waitUntil(view.hasFocus)
    QTest.keyClick(view, key)

def told(window):
    stack = window.document.stack
    door = window.document.sim.population.doors[0]
    print(stack.texts()[: stack.index()], door.locked, door.is_open, window.isWindowModified())

application = create_application(["cellar-door"])
"""

EDIT_AND_DIE = (
    HANDS
    + """
window = start(sys.argv[1])
saver = window.projects.autosaver
assert saver.folder == autosave_folder(QSettings()), saver.folder
saver.timer.setInterval(100)
saved = []
saver.saved.connect(lambda: saved.append(True))
press(window, Qt.Key.Key_L)
window.clock.step(30)
press(window, Qt.Key.Key_H)
Hands().waitUntil(lambda: saved and not saver.timer.isActive() and window.document.stack.index() == 2)
Hands().waitUntil(lambda: not saver.is_busy)
told(window)
sys.stdout.flush()
os.kill(os.getpid(), KILL)
"""
)

RECOVER = (
    HANDS
    + """
window = start(sys.argv[1])
strip = window.projects.strip
print(strip.isVisible(), strip.label.text())
taken = []
window.session.faults_changed.connect(lambda: taken.append(True))
QTest.mouseClick(window.findChild(QToolButton, "recovery-recover"), Qt.MouseButton.LeftButton)
Hands().waitUntil(lambda: taken)
print(strip.isVisible(), str(window.session.world.path) == sys.argv[1])
told(window)
window.document.undo()
told(window)
sys.stdout.flush()
os.kill(os.getpid(), KILL)
"""
)


@pytest.fixture
def environment(tmp_path: Path) -> dict[str, str]:
    """A home folder with settings and state as the program writes them."""
    home = {name: str(tmp_path / name) for name in ("HOME", "XDG_CONFIG_HOME", "XDG_STATE_HOME", "XDG_DATA_HOME")}
    return {**os.environ, **home, "PYTHONPATH": str(Path(__file__).resolve().parents[3])}


def run(script: str, house: Path, environment: Mapping[str, str]) -> list[str]:
    done = subprocess.run(
        [sys.executable, "-c", script, str(house)],
        env=environment,
        capture_output=True,
        text=True,
        timeout=HUNG,
        check=False,
    )
    assert done.returncode == KILLED, done.stderr
    return done.stdout.splitlines()


def test_edits_survive_two_kills_without_a_save(house: Path, environment: dict[str, str], tmp_path: Path) -> None:
    (edited,) = run(EDIT_AND_DIE, house, environment)
    assert edited == "['Lock hall-study door', 'Hold hall-study door Open'] True True True"
    (autosave,) = (tmp_path / "XDG_STATE_HOME").rglob("*.cellardoor")
    assert autosave.parent.name == "autosave"
    for _ in range(2):  # a second kill before any save loses nothing either
        offered, taken, recovered, undone = run(RECOVER, house, environment)
        assert offered.startswith("True 2 edits of ‘house0’ from ")
        assert taken == "False True"
        assert recovered == edited
        assert undone == "['Lock hall-study door'] True False True"
        assert autosave.exists()
