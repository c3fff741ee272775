"""The real window when something goes wrong in it: a crash, an exception in a slot, in a thread, a fatal message."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QApplication, QPushButton
from pytestqt.qtbot import QtBot

from editor.process.problem_reports import ReportWriter
from tests.loaded import HUNG
from ui.window.actions.problem_reports import REPORTS
from ui.window.dialogs.problem_reports_dialog import ProblemReportsDialog
from ui.window.main_window import MainWindow

ROOT = Path(__file__).resolve().parents[3]
pytestmark = pytest.mark.gui

PROGRAM = """
import faulthandler, sys, threading
from PySide6.QtCore import QSettings, QTimer, qFatal
from cellar_door.main import main
from ui.window import start

make_window, how = start.make_window, sys.argv[1]
start.user_settings = lambda: QSettings(sys.argv[2], QSettings.Format.IniFormat)

def stumble():
    raise ZeroDivisionError("of a lever by its arm")

def go(window):
    window.document.said.emit("Opened Front Door")
    if how == "crash":
        faulthandler._sigsegv()
    elif how == "fatal":
        qFatal("no more")
    elif how == "thread":
        thread = threading.Thread(target=stumble)
        thread.start()
        thread.join()
    QTimer.singleShot(0, window.close)
    if how == "slot":
        stumble()

def made(application, settings):
    settings.setValue("centre", "map")
    window = make_window(application, settings)
    window.session.faults_changed.connect(lambda: QTimer.singleShot(0, lambda: go(window)))
    return window

start.make_window = made
sys.exit(main(sys.argv[3:]))
"""


def report_after(how: str, house: Path, tmp_path: Path) -> tuple[Path, str]:
    command = [sys.executable, "-c", PROGRAM, how, str(tmp_path / "settings.ini"), str(house)]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, check=False, timeout=HUNG)
    assert (done.returncode == 0) == (how in ("slot", "thread")), done.stderr.decode()
    (file,) = (tmp_path / REPORTS).iterdir()
    return file, file.read_text(encoding="utf-8")


@pytest.mark.parametrize(
    ("how", "sign"),
    [
        ("crash", "Fatal Python error: Segmentation fault"),
        ("fatal", "■ Qt ended the program: [A qFatal() call"),  # PySide says the message itself before, as a warning
        ("slot", "ZeroDivisionError: of a lever by its arm"),
        ("thread", "ZeroDivisionError: of a lever by its arm"),
    ],
)
def test_what_goes_wrong_in_the_window_is_in_its_report(house: Path, tmp_path: Path, how: str, sign: str) -> None:
    if sys.platform == "win32" and how == "crash":
        sign = "Windows fatal exception: access violation"
    file, text = report_after(how, house, tmp_path)
    assert file.suffix == (".txt" if how in ("slot", "thread") else ".running")
    assert sign in text
    assert text.startswith("Cellar Door ")
    assert "said  Opened Front Door" in text, "what was done before"
    assert "most recent call first" in text or "Traceback (most recent call last)" in text


def test_the_next_start_offers_the_report_of_a_crash(
    qtbot: QtBot, window: MainWindow, house: Path, tmp_path: Path
) -> None:
    report_after("crash", house, tmp_path)
    with qtbot.waitSignal(window.session.faults_changed):
        window.open(str(house))
    qtbot.waitUntil(window.banner.isVisible)
    assert window.banner.text.startswith("The last session ended unexpectedly. The program crashed: ")
    qtbot.mouseClick(window.banner.offered, Qt.MouseButton.LeftButton)
    dialog = window.findChild(ProblemReportsDialog)
    assert dialog is not None
    shown = dialog.text.toPlainText()
    assert "said  Opened Front Door" in shown
    qtbot.mouseClick(dialog.findChild(QPushButton, "copy-report"), Qt.MouseButton.LeftButton)
    assert QApplication.clipboard().text().rstrip() == shown.rstrip()
    dialog.close()


def test_without_a_crash_nothing_is_offered(opened: MainWindow) -> None:
    assert not opened.banner.isVisible()
    opened.problem_reports.action.trigger()
    assert opened.findChild(ProblemReportsDialog) is None
    assert opened.status.currentMessage() == "Nothing has gone wrong: there are no reports."


def test_the_report_of_the_running_window_can_be_read_in_it(opened: MainWindow, tmp_path: Path) -> None:
    writer = opened.problem_reports.writer = ReportWriter(tmp_path / REPORTS, "Cellar Door, here and now")
    writer.report("Something went wrong", "in a slot")
    opened.problem_reports.action.trigger()
    dialog = opened.findChild(ProblemReportsDialog)
    assert dialog is not None
    assert "here and now" in dialog.report.text
    dialog.close()
    writer.close()
    assert os.listdir(tmp_path / REPORTS) == [dialog.report.path.with_suffix(".txt").name]
