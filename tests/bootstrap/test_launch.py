"""From the start command to the running program, in a checkout in miniature that needs no packages."""

from __future__ import annotations

import ast
import importlib.util
import json
import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

import bootstrap
from bootstrap.errors import NO_NETWORK, OLD_PYTHON
from bootstrap.launch import READY
from tests.bootstrap.fake_core import ROOT, needs_compiler, write_fake_core

PROGRAM = """
import sys, engine

def main(words):
    print(engine.active_core(), sys.prefix, *words)
    return 7
"""


def write_checkout(root: Path) -> None:
    """The real launcher around a program that prints its words; it has nothing to compile."""
    write_fake_core(root)
    shutil.rmtree(root / "engine" / "geometry")
    shutil.rmtree(root / "engine" / "physics")
    (root / "engine" / "files").mkdir()
    shutil.copy(ROOT / "engine" / "files" / "locking.py", root / "engine" / "files")
    shutil.copy(ROOT / "run_editor.py", root)
    shutil.copytree(ROOT / "bootstrap", root / "bootstrap", ignore=shutil.ignore_patterns("__pycache__"))
    (root / "cellar_door").mkdir()
    (root / "cellar_door" / "__init__.py").write_text("")
    (root / "cellar_door" / "main.py").write_text(PROGRAM)
    (root / "cellar_door" / "libraries.py").write_text("")
    (root / "requirements.lock").write_text("# nothing\n")


def begin(root: Path, *words: str) -> subprocess.Popen[str]:
    """Start the checkout from another folder, without an index of packages."""
    unwanted = (READY, "PYTHONPATH", "CELLAR_DOOR_CORE", "PIP_FIND_LINKS")
    environment = {name: value for name, value in os.environ.items() if name not in unwanted}
    environment.update(PIP_CONFIG_FILE=os.devnull, PIP_INDEX_URL="http://127.0.0.1:9/simple")
    return subprocess.Popen(
        [sys.executable, str(root / "run_editor.py"), *words],
        cwd=root.parent,
        env=environment,
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )


def start(root: Path, *words: str) -> tuple[int, str, str]:
    process = begin(root, *words)
    output, errors = process.communicate()
    return process.returncode, output, errors


def test_an_interrupt_before_anything_is_loaded_is_a_word_and_no_traceback(tmp_path: Path) -> None:
    shutil.copy(ROOT / "run_editor.py", tmp_path)
    (tmp_path / "bootstrap").mkdir()
    (tmp_path / "bootstrap" / "__init__.py").write_text("def require_python():\n    raise KeyboardInterrupt\n")
    assert start(tmp_path) == (130, "", "Cellar Door: interrupted\n")


@pytest.fixture(scope="session")
def set_up_once(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A checkout that was started once, by two users at the same time."""
    if importlib.util.find_spec("ensurepip") is None:
        pytest.skip("this Python lacks ensurepip, without which it makes no environment")
    root = tmp_path_factory.mktemp("launch") / "checkout"
    write_checkout(root)
    both = [begin(root, "inspect", "demo"), begin(root, "inspect", "demo")]
    results = [(*process.communicate(), process.returncode) for process in both]
    for output, errors, code in results:
        assert (output, code) == (f"python {root / '.venv'} inspect demo\n", 7), errors
    said = "".join(errors for _, errors, _ in results)
    assert said.count("making an environment") == 1
    assert said.count("waiting for another start") == 1
    return root


@pytest.fixture
def checkout(set_up_once: Path) -> Path:
    """The same one; a test leaves it fit for use, as every start does."""
    return set_up_once


def test_the_second_start_finds_nothing_to_do(checkout: Path) -> None:
    before = (checkout / ".venv" / "cellar-door.json").stat().st_mtime_ns
    assert start(checkout, "a b", "--json") == (7, f"python {checkout / '.venv'} a b --json\n", "")
    assert (checkout / ".venv" / "cellar-door.json").stat().st_mtime_ns == before


def test_a_changed_lock_is_installed_into_the_same_environment(checkout: Path) -> None:
    (checkout / ".venv" / "mine.txt").write_text("kept")
    (checkout / "requirements.lock").write_text("# nothing, again\n")
    code, _, errors = start(checkout)
    assert code == 7
    assert "installing the Python packages of requirements.lock" in errors
    assert "making" not in errors
    assert (checkout / ".venv" / "mine.txt").exists()


def test_a_broken_environment_is_told_and_made_anew(checkout: Path) -> None:
    stamp = json.loads((checkout / ".venv" / "cellar-door.json").read_text())
    (checkout / ".venv" / next(iter(stamp["files"]))).unlink()
    code, _, errors = start(checkout)
    assert code == 7
    assert errors.count("the environment in .venv is broken") == 1
    assert start(checkout)[2] == ""


@needs_compiler
def test_a_failed_compilation_is_reported_once_and_the_program_still_runs(checkout: Path) -> None:
    source = checkout / "engine" / "geometry" / "vec.py"
    source.parent.mkdir()
    source.write_text("X = 1.0\n")
    code, output, errors = start(checkout)
    assert (code, output.split()[0]) == (7, "python")
    # The environment of this checkout holds no packages at all, so no mypyc either.
    assert "the core does not compile: ModuleNotFoundError: No module named 'mypyc'" in errors
    code, output, errors = start(checkout)
    assert (code, output.split()[0]) == (7, "python")
    assert len(errors.splitlines()) == 1
    assert "these sources of the core did not compile" in errors
    shutil.rmtree(source.parent)


def test_without_a_network_one_sentence_says_so_and_the_next_start_goes_on(checkout: Path) -> None:
    lock = checkout / "requirements.lock"
    lock.write_text(f"cellar-door-nowhere==1.0 --hash=sha256:{'0' * 64}\n")
    code, output, errors = start(checkout)
    assert (code, output) == (NO_NETWORK, "")
    assert errors.splitlines()[-1].startswith(
        "Cellar Door: No network: installing the Python packages with pip failed ("
    )
    assert str(checkout / "build" / "setup.log") in errors
    assert "Traceback" not in errors
    lock.write_text("# nothing\n")
    assert start(checkout)[0] == 7


def test_the_next_program_gets_its_words_whole_and_its_exit_code_comes_back() -> None:
    code = "import sys; from bootstrap.launch import become; become([sys.executable, *sys.argv[1:]])"
    answer = "import sys; print(sys.argv[1:]); sys.exit(7)"
    words = ["a folder", 'a "word"', "Jürgen", "C:\\end\\", ""]
    done = subprocess.run(
        [sys.executable, "-c", code, "-c", answer, *words],
        cwd=ROOT,
        env={**os.environ, "PYTHONIOENCODING": "utf-8"},
        capture_output=True,
        encoding="utf-8",
        check=False,
    )
    assert (done.returncode, done.stdout, done.stderr) == (7, f"{words}\n", "")


def test_an_old_python_is_refused_in_one_sentence(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(bootstrap, "MINIMUM_PYTHON", (99, 1))
    with pytest.raises(SystemExit) as refusal:
        bootstrap.require_python()
    assert refusal.value.code == OLD_PYTHON
    assert capsys.readouterr().err.startswith("Cellar Door needs Python 99.1 or newer; ")


@pytest.mark.parametrize("file", ["run_editor.py", "run_tests.py", *sorted(os.listdir(ROOT / "bootstrap"))])
def test_python_3_6_can_read_what_refuses_it(file: str) -> None:
    path = ROOT / file if (ROOT / file).is_file() else ROOT / "bootstrap" / file
    if path.suffix == ".py":
        tree = ast.parse(path.read_text(), feature_version=(3, 6))
        assert not any(isinstance(node, ast.ImportFrom) and node.module == "__future__" for node in ast.walk(tree))
