"""One run of all the checks, in a project of a few tests."""

from __future__ import annotations

from pathlib import Path

import pytest

from bootstrap import checks, windows_checks
from bootstrap.core import CoreBuild, CoreBuildError
from tests.systems import not_under_wine

pytestmark = not_under_wine("a pytest that a test starts while its output is captured ends at once, without a word")

TESTS = """
import os, sys, pytest

def test_passes():
    assert os.environ["CELLAR_DOOR_CORE"] == "python"

def test_fails():
    assert not "so"

@pytest.mark.skip(reason="to be counted")
def test_skips(): ...

@pytest.mark.conformance
def test_conforms():
    assert os.environ["CELLAR_DOOR_CORE"] == "python"

@pytest.mark.gui
@pytest.mark.locale
def test_draws():
    with open("languages.txt", "a") as languages:
        languages.write(os.environ.get("LANG", "") + "\\n")
    kind = os.environ.get("QT_QPA_PLATFORM", "").split(":")[0]
    assert not sys.platform.startswith("linux") or kind == ("xcb" if "DISPLAY" in os.environ else "offscreen")
"""


@pytest.fixture
def project(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A project without a compiler."""
    (tmp_path / "tests").mkdir()
    (tmp_path / "tests" / "test_three.py").write_text(TESTS)
    (tmp_path / "pytest.ini").write_text(
        "[pytest]\nmarkers =\n    gui: a display\n    slow: long\n    conformance: goldens\n    locale: words\n"
    )
    monkeypatch.setattr(checks, "ROOT", tmp_path)
    monkeypatch.setattr(checks, "REPORTS", tmp_path / "build" / "tests")
    monkeypatch.setattr(checks, "PACKAGES", ())  # none is there to be watched
    monkeypatch.setattr(checks, "LINTERS", (("failing", ("python", "-c", "raise SystemExit(1)")),))
    monkeypatch.setattr(checks, "can_compile", lambda: False)
    monkeypatch.setattr(windows_checks, "TOOLS", tmp_path / "absent")
    return tmp_path


def table(output: str) -> dict[str, list[str]]:
    lines = output.splitlines()
    start = max(number for number, line in enumerate(lines) if line.startswith("check "))
    return {line[:16].strip(): line[16:].split() for line in lines[start + 1 : -1]}


@pytest.mark.parametrize("cores", [1, 2])
def test_every_part_runs_though_one_fails_and_the_last_line_is_their_sum(
    project: Path, cores: int, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr("os.cpu_count", lambda: cores)
    assert checks.main([]) == 1
    output = capfd.readouterr().out
    rows = table(output)
    assert sorted(rows) == [
        *("core build", "failing", "gui", "gui de_DE.UTF-8", "gui tr_TR.UTF-8"),
        *("python", "slow", "unwatched", "windows"),
    ]
    assert output.count("--- python ---") == 1
    assert output.count("def test_fails") == 2  # in the run of its part, and alone
    assert rows["python"][:3] == ["1", "1", "1"]
    assert rows["unwatched"][:3] == ["1", "0", "0"]
    assert rows["gui"][:3] == rows["gui tr_TR.UTF-8"][:3] == ["1", "0", "0"]
    assert (project / "languages.txt").read_text().split()[-2:] == ["de_DE.UTF-8", "tr_TR.UTF-8"]
    assert "there is no C compiler" in " ".join(rows["core build"])
    assert "FAILED" not in rows["slow"]
    assert "left out:" in " ".join(rows["windows"])
    assert output.splitlines()[-1] == "5 passed, 2 failed, 1 skipped"


@pytest.mark.usefixtures("project")
def test_without_xvfb_gui_tests_run_in_memory_and_the_table_says_so(
    monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("PATH", "")
    assert checks.main(["gui"]) == 0
    output = capfd.readouterr().out
    assert table(output)["gui"][:3] == ["1", "0", "0"]
    assert "windows in memory, as there is no Xvfb" in output


@pytest.mark.usefixtures("project")
def test_a_part_and_words_for_pytest_can_be_chosen(capfd: pytest.CaptureFixture[str]) -> None:
    assert checks.main(["python", "--", "-k", "passes"]) == 0
    assert capfd.readouterr().out.splitlines()[-1] == "1 passed, 0 failed, 0 skipped"


@pytest.mark.usefixtures("project")
def test_a_part_that_is_not_there_is_refused_with_those_that_are(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit):
        checks.main(["compile"])
    assert (
        "there is no part 'compile'; there are lint, python, compiled, gui, locales, slow, windows"
        in capsys.readouterr().err
    )


@pytest.mark.usefixtures("project")
def test_a_core_that_does_not_compile_fails_the_run(
    monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    def fail(_: CoreBuild) -> bool:
        raise CoreBuildError("the core does not compile: vec.py:1: error")

    monkeypatch.setattr(checks, "can_compile", lambda: True)
    monkeypatch.setattr(CoreBuild, "build", fail)
    assert checks.main(["compiled"]) == 1
    assert "vec.py:1: error" in capfd.readouterr().out


def test_a_test_file_that_can_not_be_read_hides_no_other(project: Path, capfd: pytest.CaptureFixture[str]) -> None:
    (project / "tests" / "test_broken.py").write_text("import nothing_of_this_name\n")
    assert checks.main(["python"]) == 1
    assert capfd.readouterr().out.splitlines()[-1] == "2 passed, 3 failed, 1 skipped"


def test_a_test_that_passes_when_it_runs_alone_is_named(project: Path, capfd: pytest.CaptureFixture[str]) -> None:
    (project / "tests" / "test_three.py").write_text(
        "from pathlib import Path\n"
        "def test_is_late():\n"
        "    seen = Path('seen')\n"
        "    was_there = seen.exists()\n"
        "    seen.touch()\n"
        "    assert was_there\n"
    )
    assert checks.main(["python"]) == 0
    output = capfd.readouterr().out
    assert "passed only when run again, alone: tests.test_three::test_is_late" in " ".join(output.split())
    assert output.splitlines()[-1] == "1 passed, 0 failed, 0 skipped"


def test_many_failures_are_not_repeated(project: Path, capfd: pytest.CaptureFixture[str]) -> None:
    several = checks.MOST_REPEATED + 1
    (project / "tests" / "test_three.py").write_text(
        "import pytest\nfrom pathlib import Path\n"
        f"@pytest.mark.parametrize('number', range({several}))\n"
        "def test_fails_once(number):\n"
        "    seen = Path(f'seen-{number}')\n"
        "    was_there = seen.exists()\n"
        "    seen.touch()\n"
        "    assert was_there\n"
    )
    assert checks.main(["python"]) == 1
    assert capfd.readouterr().out.splitlines()[-1] == f"0 passed, {several} failed, 0 skipped"
