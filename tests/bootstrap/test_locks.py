"""The locks that .venv is installed from, and the lock that keeps two starts apart."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

from bootstrap.locks import exclusive
from bootstrap.relock import DEVELOPMENT_LOCK, RUNTIME_LOCK

ROOT = Path(__file__).resolve().parents[2]
PACKAGE = re.compile(r"^([a-z0-9-]+)==(\S+)(?: ; (.+?))? \\$", re.MULTILINE)


def packages(lock: str) -> dict[str, set[str]]:
    found: dict[str, set[str]] = {}
    for name, version, _marker in PACKAGE.findall((ROOT / lock).read_text()):
        found.setdefault(name, set()).add(version)
    return found


@pytest.mark.parametrize("lock", [RUNTIME_LOCK, DEVELOPMENT_LOCK])
def test_a_lock_holds_nothing_but_packages_with_hashes(lock: str) -> None:
    text = (ROOT / lock).read_text()
    lines = [line for line in text.splitlines() if not line.lstrip().startswith("#")]
    assert all(PACKAGE.fullmatch(line) or re.fullmatch(r" {4}--hash=sha256:[0-9a-f]{64}( \\)?", line) for line in lines)
    assert "://" not in text
    assert len(packages(lock)) > 5


def test_the_tests_run_on_the_versions_that_users_get() -> None:
    development = packages(DEVELOPMENT_LOCK)
    assert all(development[name] == versions for name, versions in packages(RUNTIME_LOCK).items())


def test_the_pins_of_the_project_are_the_versions_of_the_lock() -> None:
    pins = re.findall(r'"([A-Za-z0-9-]+)==([0-9.]+)"', (ROOT / "pyproject.toml").read_text())
    development = packages(DEVELOPMENT_LOCK)
    assert {name: development[name.lower()] for name, _ in pins} == {name: {version} for name, version in pins}


def test_the_second_of_two_starts_says_that_it_waits(tmp_path: Path) -> None:
    file, waited = tmp_path / "lock", []
    code = (
        "import sys; from pathlib import Path; from bootstrap.locks import exclusive\n"
        "with exclusive(Path(sys.argv[1]), lambda: None): print('held', flush=True); sys.stdin.read()"
    )
    with subprocess.Popen(
        [sys.executable, "-c", code, str(file)], cwd=ROOT, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
    ) as first:
        assert first.stdout is not None
        assert first.stdout.readline() == "held\n"

        def let_the_first_go() -> None:
            waited.append(True)
            assert first.stdin is not None
            first.stdin.close()

        with exclusive(file, let_the_first_go):
            assert waited == [True]


@pytest.mark.skipif(sys.platform == "win32", reason="on Windows a lock is of one process")
def test_a_program_keeps_the_lock_of_the_start_that_was_killed(tmp_path: Path) -> None:
    lock, seen = tmp_path / "lock", tmp_path / "seen"
    os.mkfifo(tmp_path / "go")
    code = (
        "import sys; from pathlib import Path; from bootstrap.locks import exclusive; from bootstrap.steps import Log\n"
        "here = Path(sys.argv[1])\n"
        "with exclusive(here / 'lock', lambda: None):\n"
        "    print('held', flush=True)\n"
        "    Log(here / 'log').run(['sh', '-c', 'cd \"$0\"; read word < go; echo $word > seen', str(here)])\n"
    )
    with subprocess.Popen([sys.executable, "-c", code, str(tmp_path)], cwd=ROOT, stdout=subprocess.PIPE) as killed:
        assert killed.stdout is not None
        killed.stdout.readline()
        with open(tmp_path / "go", "w") as go:  # opens when the program has come to its reading
            killed.kill()
            killed.wait()
            go.write("on\n")
        with exclusive(lock, lambda: None):
            assert seen.read_text() == "on\n"
