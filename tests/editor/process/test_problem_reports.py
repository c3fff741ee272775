"""What a process leaves behind when it crashes, and what becomes of that at the next start."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from editor.process import problem_reports
from editor.process.problem_reports import MOST_REPORTS, ReportWriter, reports_in, shortened, take_over
from tests.loaded import HUNG

ROOT = Path(__file__).resolve().parents[3]

PROGRAM = """
import faulthandler, os, signal, sys
from pathlib import Path
from editor.process.problem_reports import ReportWriter, reported

folder, how = Path(sys.argv[1]), sys.argv[2]
if how == "worker":
    os.environ["CELLAR_DOOR_REPORTS"] = str(folder)
    with reported("survey worker"):
        raise RuntimeError("no way")
writer = ReportWriter(folder, "Cellar Door of a test")
writer.catch_crashes()
writer.note("opening  Opening " + os.path.expanduser("~/worlds"))
if how == "crash":
    faulthandler._sigsegv()
if how == "abort":
    os.abort()
if how == "exception":
    writer.report("Something went wrong: ZeroDivisionError", "Traceback: a lever")
if how == "exit":
    os._exit(0)
writer.close()
"""


def left_by(folder: Path, how: str) -> list[str]:
    subprocess.run([sys.executable, "-c", PROGRAM, str(folder), how], cwd=ROOT, capture_output=True, timeout=HUNG)
    return sorted(path.suffix for path in folder.iterdir())


@pytest.mark.parametrize(("how", "word"), [("crash", "Segmentation fault"), ("abort", "Aborted")])
def test_a_crash_leaves_a_report_with_the_stacks_and_what_was_done_before(tmp_path: Path, how: str, word: str) -> None:
    assert left_by(tmp_path, how) == [".running"]
    (report,) = take_over(tmp_path)
    assert report.is_crash
    assert report.sentence == f"The program crashed: {word}"
    assert "Cellar Door of a test" in report.text
    assert f"Opening ~{os.sep if sys.platform == 'win32' else '/'}worlds" in report.text.replace("~/", f"~{os.sep}")
    assert 'File "<string>"' in report.text
    assert reports_in(tmp_path) == [report], "it stays, and is told once"
    assert take_over(tmp_path) == []


def test_a_process_that_ends_well_or_is_killed_leaves_no_report(tmp_path: Path) -> None:
    assert left_by(tmp_path, "well") == []
    assert left_by(tmp_path, "exit") == [".running"]
    assert take_over(tmp_path) == []
    assert list(tmp_path.iterdir()) == []


def test_an_exception_stays_as_a_report_without_being_told_again(tmp_path: Path) -> None:
    assert left_by(tmp_path, "exception") == [".txt"]
    assert take_over(tmp_path) == []
    (report,) = reports_in(tmp_path)
    assert (report.sentence, report.is_crash) == ("Something went wrong: ZeroDivisionError", False)


def test_a_worker_that_fails_leaves_its_own(tmp_path: Path) -> None:
    assert left_by(tmp_path, "worker") == [".txt"]
    (report,) = reports_in(tmp_path)
    assert report.sentence == "survey worker: RuntimeError: no way"
    assert "in <module>" in report.text


def test_the_file_of_a_living_process_is_left_alone(tmp_path: Path) -> None:
    writer = ReportWriter(tmp_path, "alive")
    writer.report("something", "somewhere")
    assert take_over(tmp_path) == []
    assert reports_in(tmp_path) == []
    assert writer.so_far() is not None
    writer.close()
    assert [report.sentence for report in reports_in(tmp_path)] == ["something"]


def test_a_report_stays_small_whatever_goes_wrong_how_often(tmp_path: Path) -> None:
    writer = ReportWriter(tmp_path, "busy")
    for number in range(5_000):
        writer.report(f"in frame {number // 500}", "x" * 100_000)
        writer.note(f"command  {number}" + "y" * 1_000)
    so_far = writer.so_far()
    assert so_far is not None
    assert so_far.text.count("in frame") == problem_reports.MOST_TROUBLES
    assert "command  4999" in so_far.text
    writer.close()
    (report,) = reports_in(tmp_path)
    assert len(report.text) < 300_000
    assert "command  4999" in report.text


def test_only_the_newest_reports_are_kept(tmp_path: Path) -> None:
    for number in range(MOST_REPORTS + 5):
        (tmp_path / f"2026-11-{number + 1:02} 12.00.00 1.txt").write_text(f"■ number {number}\n", "utf-8", newline="\n")
    take_over(tmp_path)
    assert [report.sentence for report in reports_in(tmp_path)] == [
        f"number {number}" for number in range(MOST_REPORTS + 4, 4, -1)
    ]
    assert reports_in(tmp_path)[0].when == "2026-11-15 12:00:00"


def test_a_folder_that_cannot_be_used_costs_no_more_than_the_report(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    writer = ReportWriter(tmp_path / "file", "nowhere")
    writer.catch_crashes()
    writer.report("something", "somewhere")
    writer.note("more")
    writer.close()
    assert not writer.is_open
    assert reports_in(tmp_path / "file") == []


def test_the_home_folder_is_written_as_a_tilde(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("HOME", "/home/somebody")
    monkeypatch.setenv("USERPROFILE", "C:\\\\Users\\\\somebody")
    home = os.path.expanduser("~")
    assert shortened(f"Opening {home}/worlds and {home}") == "Opening ~/worlds and ~"
    monkeypatch.setenv("HOME", "/")
    monkeypatch.setenv("USERPROFILE", "/")
    assert shortened("Opening /worlds") == "Opening /worlds"
