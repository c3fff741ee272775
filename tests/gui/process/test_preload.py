"""The window may use any class of Qt while the plot is loaded beside it.

PySide6 makes classes when they are first asked for. Were pyqtgraph loaded in a thread without more ado, one in four of
these processes would end with a segmentation fault.
"""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from tests.loaded import HUNG

ROOT = Path(__file__).resolve().parents[3]
RUNS = 16

WINDOW = """
import os, random, sys
from PySide6 import QtCore, QtGui, QtWidgets
sys.setswitchinterval(0.0001)
random.seed(int(sys.argv[1]))
application = QtWidgets.QApplication([])
window = QtWidgets.QMainWindow()
window.show()
names = [(module, name) for module in (QtCore, QtGui, QtWidgets) for name in dir(module)]
random.shuffle(names)

def use():
    if "pyqtgraph" in sys.modules:
        for module, name in names[:5]:
            found = getattr(module, name)
            [getattr(found, each, None) for each in dir(found)[:200:7]]
        del names[:5]
    label = QtWidgets.QLabel("label", window)
    label.setAlignment(QtCore.Qt.AlignmentFlag.AlignCenter)
    label.show()
    label.deleteLater()
    if hasattr(sys.modules.get("ui.docks.timeline.plot"), "TimelinePlot"):
        os._exit(0)

from ui.docks.timeline.preload import Preload

Preload(0, window).start()
timer = QtCore.QTimer(window)
timer.timeout.connect(use)
timer.start(0)
application.exec()
"""


@pytest.mark.slow
@pytest.mark.gui
def test_the_window_goes_on_while_the_plot_is_loaded() -> None:
    for seed in range(RUNS):
        command = [sys.executable, "-c", WINDOW, str(seed)]
        run = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False, timeout=HUNG)
        assert run.returncode == 0, run.stderr
