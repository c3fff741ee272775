"""The tests under Wine, with this Python in the place of the Windows one: what is chosen, counted, ended and told."""

from __future__ import annotations

import os
import sys
import time
from pathlib import Path

import pytest

from bootstrap import windows_checks
from bootstrap.results import Row
from bootstrap.windows_checks import GUI, LEFT_OUT, QUICK, NoWindowsError, Slice, WindowsChecks, find_wine

ROOT = Path(__file__).resolve().parents[2]

pytestmark = pytest.mark.skipif(not sys.platform.startswith("linux"), reason="Wine is for Linux")

TESTS = """
import os, pytest

def test_passes():
    assert "QT_QPA_PLATFORM" not in os.environ and os.environ["DISPLAY"]

@pytest.mark.skip(reason="to be counted")
def test_skips(): ...

@pytest.mark.gui
def test_draws():
    assert os.environ["DISPLAY"]
"""
HANGS = """
echo "tests/two/test_two.py::test_hangs "
sleep 600 &
echo $! > child
wait
"""
"""What pytest writes when a test begins, and a process that the test has started."""


@pytest.fixture
def project(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A project of a few tests, and scripts that start this very Python."""
    (tmp_path / "hangs").write_text("")
    for folder in ("tests/one", "tests/two", "tools", "build"):
        (tmp_path / folder).mkdir(parents=True)
    (tmp_path / "tests" / "one" / "test_one.py").write_text(TESTS)
    (tmp_path / "pytest.ini").write_text("[pytest]\naddopts = -q\nmarkers =\n    gui: a display\n    slow: long\n")
    for name, script in (
        ("setup.sh", "exit 0"),
        ("win-pip-sync", '[ "$1" = requirements-dev.lock ]'),
        ("win-compile", "echo the core does not compile >&2; exit 1"),
        (
            "win-python",
            f'[[ "$*" != *tests/two* ]] || . ./hangs\n[ "$1" != --gui ] || shift\n"{sys.executable}" "$@" | cat',
        ),
    ):
        file = tmp_path / "tools" / name
        file.write_text(f"#!/bin/bash\nset -o pipefail\n{script}\n")
        file.chmod(0o755)
    monkeypatch.setattr(windows_checks, "ROOT", tmp_path)
    monkeypatch.setattr(windows_checks, "TOOLS", tmp_path / "tools")
    monkeypatch.setattr(windows_checks, "PYTHON", (0, 0))  # no core: there are no sources of one
    monkeypatch.setattr(windows_checks, "LEFT_OUT", {})
    monkeypatch.setattr(windows_checks, "QUICK", (Slice(("tests/one",), 1000, "all there is"),))
    monkeypatch.setattr(windows_checks, "GUI", (Slice(("tests/one",), 1000, "all there is"),))
    monkeypatch.setattr(os, "geteuid", lambda: 0)
    return tmp_path


def rows_of(project: Path, *words: str) -> dict[str, Row]:
    rows: dict[str, Row] = {}
    WindowsChecks(lambda name: rows.setdefault(name, Row(name)), project / "build", words).run()
    return rows


def test_quick_and_gui_tests_are_counted_in_rows_of_their_own(project: Path) -> None:
    rows = rows_of(project)
    assert list(rows) == ["windows", "windows gui"]
    quick, gui = rows.values()
    assert (quick.passed, quick.failed, quick.skipped, quick.good) == (1, 0, 1, True), quick.remark
    assert (gui.passed, gui.failed, gui.skipped, gui.good) == (1, 0, 0, True), gui.remark
    assert "interpreted core" in quick.remark


def test_a_path_stands_in_place_of_the_slices(project: Path) -> None:
    (project / "tests" / "two" / "test_two.py").write_text("def test_a(): ...\ndef test_b(): ...\n")
    quick, gui = rows_of(project, "tests/two/test_two.py::test_b", "-p", "no:randomly").values()
    assert (quick.passed, quick.failed, quick.skipped, quick.good) == (1, 0, 0, True), quick.remark
    assert (gui.passed, gui.good) == (0, True), "none of its tests has a window"


def test_a_hanging_test_costs_its_slice_alone_and_leaves_no_process(
    project: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (project / "hangs").write_text(HANGS)
    hanging = Slice(("tests/two",), 15, "hangs")
    monkeypatch.setattr(windows_checks, "QUICK", (hanging, *windows_checks.QUICK))
    row = rows_of(project)["windows"]
    assert (row.passed, row.good) == (1, False)
    assert "two: not finished after 15 s in tests/two/test_two.py::test_hangs" in row.remark
    child = Path("/proc", (project / "child").read_text(), "stat")
    until = time.monotonic() + 60
    while child.exists() and child.read_text().rpartition(")")[2].split()[0] != "Z":
        assert time.monotonic() < until, "it still runs"


def test_a_slice_that_the_whole_time_cuts_off_is_told_and_fails_nothing(
    project: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (project / "hangs").write_text(HANGS)
    hanging, last = Slice(("tests/two",), 300, "hangs"), Slice(("tests/one",), 300, "comes too late")
    monkeypatch.setattr(windows_checks, "QUICK", (hanging, last))
    monkeypatch.setattr(windows_checks, "GUI", ())
    monkeypatch.setattr(windows_checks, "LONGEST", 40.0)
    monkeypatch.setattr(windows_checks, "QUICK_SHARE", 1.0)
    monkeypatch.setattr(windows_checks, "LEAST_TIME", 2.0)
    row = rows_of(project)["windows"]
    assert (row.passed, row.failed, row.good) == (0, 0, True)
    assert "two: cut off after" in row.remark
    assert "not begun for want of time: one" in row.remark


def test_a_test_that_passes_when_it_runs_again_is_named(project: Path) -> None:
    (project / "tests" / "one" / "test_late.py").write_text(
        "from pathlib import Path\n"
        "def test_is_late():\n"
        "    seen = Path('seen').exists()\n"
        "    Path('seen').touch()\n"
        "    assert seen\n"
    )
    row = rows_of(project)["windows"]
    assert (row.passed, row.failed, row.good) == (2, 0, True), row.remark
    assert "passed only when run again, alone" in row.remark
    assert "test_is_late" in row.remark


def test_a_core_that_does_not_compile_fails_the_part_and_the_other_core_runs(
    project: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(windows_checks, "PYTHON", sys.version_info[:2])
    row = rows_of(project)["windows"]
    assert (row.passed, row.good) == (1, False)
    assert "the core does not compile" in row.remark


def test_a_test_that_ends_the_whole_process_fails_the_part(project: Path) -> None:
    (project / "tests" / "one" / "test_ends.py").write_text("import os\ndef test_ends(): os._exit(0)\n")
    row = rows_of(project)["windows"]
    assert (row.passed, row.good) == (0, False)
    assert "one: code 0, see" in row.remark


def test_a_setup_that_fails_leaves_the_part_out_with_what_it_said(project: Path) -> None:
    (project / "tools" / "setup.sh").write_text("#!/bin/sh\necho no network >&2\nexit 125\n")
    rows = rows_of(project)
    assert list(rows) == ["windows"]
    assert (rows["windows"].good, rows["windows"].remark) == (True, "left out: setup.sh failed: no network")


def test_scripts_that_cannot_be_started_leave_the_part_out(project: Path) -> None:
    (project / "tools" / "win-pip-sync").unlink()
    remark = rows_of(project)["windows"].remark
    assert remark == "left out: win-pip-sync does not start: No such file or directory"


@pytest.mark.parametrize(
    ("missing", "said"), [("tools", "are not in"), ("root", "need root"), ("system", "on Linux"), ("apt", "Debian")]
)
@pytest.mark.usefixtures("project")
def test_what_this_machine_lacks_is_said(missing: str, said: str, monkeypatch: pytest.MonkeyPatch) -> None:
    if missing == "tools":
        monkeypatch.setattr(windows_checks, "TOOLS", Path("/nowhere"))
    elif missing == "root":
        monkeypatch.setattr(os, "geteuid", lambda: 1000)
    elif missing == "system":
        monkeypatch.setattr(sys, "platform", "darwin")
    else:
        monkeypatch.setenv("PATH", "")
    with pytest.raises(NoWindowsError, match=said):
        find_wine()


@pytest.mark.parametrize("path", [path for each in (*QUICK, *GUI) for path in each.paths] + list(LEFT_OUT))
def test_every_path_that_is_chosen_or_left_out_exists(path: str) -> None:
    assert (ROOT / path).exists()


def test_no_folder_of_gui_tests_is_forgotten() -> None:
    there = {f"tests/gui/{path.parent.relative_to(ROOT / 'tests' / 'gui').parts[0]}" for path in gui_files()}
    assert there <= {path for each in GUI for path in each.paths} | set(LEFT_OUT)


def test_no_folder_of_tests_is_forgotten() -> None:
    there = {path.relative_to(ROOT / "tests").parts[0] for path in (ROOT / "tests").rglob("test_*.py")}
    folders = {name for name in there if (ROOT / "tests" / name).is_dir()}
    named = {Path(path).parts[1] for path in (*(path for each in (*QUICK, *GUI) for path in each.paths), *LEFT_OUT)}
    assert folders <= named


def gui_files() -> list[Path]:
    return [path for path in (ROOT / "tests" / "gui").rglob("test_*.py") if path.parent.name != "gui"]


def test_no_two_slices_share_their_reports() -> None:
    for kind in (QUICK, GUI):
        names = [each.paths[0] for each in kind]
        assert len(set(names)) == len(names)
