"""Guards against a Qt that must not get into the lock."""

from __future__ import annotations

import subprocess
import sys

# PySide6 6.12.0 on Python 3.10 and 3.11 takes a reference from None with most calls, and aborts the process after some
# five thousand of them. In a process of its own: the tests before and after must not share its application.
COUNT_NONE = """
import sys
from PySide6.QtCore import QCoreApplication

application = QCoreApplication([])
before = sys.getrefcount(None)
for _ in range(1000):
    application.processEvents()
print(sys.getrefcount(None) - before)
"""


def test_qt_keeps_the_references_to_none() -> None:
    change = subprocess.run([sys.executable, "-c", COUNT_NONE], capture_output=True, text=True, check=True).stdout
    assert int(change) > -100
