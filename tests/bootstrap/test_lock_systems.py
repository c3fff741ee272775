"""The locks can be installed on every system and Python: uv asks the index as if there, and installs nothing."""

from __future__ import annotations

import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from bootstrap.relock import DEVELOPMENT_LOCK, PACKAGES_INDEX, RUNTIME_LOCK, uv

ROOT = Path(__file__).resolve().parents[2]

SYSTEMS = {
    "Linux x86_64": "x86_64-manylinux_2_34",
    "Linux aarch64": "aarch64-manylinux_2_39",
    "Windows x64": "x86_64-pc-windows-msvc",
    "Windows ARM64": "aarch64-pc-windows-msvc",
    "macOS Intel": "x86_64-apple-darwin",
    "macOS ARM": "aarch64-apple-darwin",
}
PYTHONS = ("3.10", "3.11", "3.12", "3.13", "3.14")
NO_NUMPY = "numpy 2.2.6, the last one for Python 3.10, has no wheel for it"
UNSERVED = {
    ("Windows ARM64", "3.10", RUNTIME_LOCK): NO_NUMPY,
    ("Windows ARM64", "3.10", DEVELOPMENT_LOCK): NO_NUMPY,
    ("Windows ARM64", "3.11", DEVELOPMENT_LOCK): "PyYAML, which distributed needs, has no wheel for it",
}

pytestmark = [
    pytest.mark.slow,
    pytest.mark.skipif(shutil.which(uv()) is None, reason="uv is not installed"),
]


@pytest.fixture(scope="session")
def network(tmp_path_factory: pytest.TempPathFactory) -> None:
    """Skip without an index of packages: one small package tells."""
    done = dry_run("colorama==0.4.6\n", "x86_64-manylinux_2_34", "3.12", tmp_path_factory.mktemp("index"))
    if done.returncode != 0:
        pytest.skip(f"no index of packages answers: {done.stderr.strip().splitlines()[-1]}")


def dry_run(
    requirements: str, system: str, python: str, folder: Path, *options: str
) -> subprocess.CompletedProcess[str]:
    (folder / "wanted.txt").write_text(requirements, encoding="utf-8")
    command = [uv(), "pip", "install", "--dry-run", "--no-deps", "--only-binary", ":all:", *PACKAGES_INDEX, *options]
    place = ["--python", sys.executable, "--python-platform", system, "--python-version", python]
    words = [*command, *place, "--target", str(folder / "none"), "--requirement", str(folder / "wanted.txt")]
    return subprocess.run(words, capture_output=True, encoding="utf-8", errors="replace", check=False)


@pytest.mark.usefixtures("network")
@pytest.mark.parametrize("lock", [RUNTIME_LOCK, DEVELOPMENT_LOCK])
@pytest.mark.parametrize("python", PYTHONS)
@pytest.mark.parametrize("system", SYSTEMS)
def test_the_lock_has_a_wheel_of_everything(system: str, python: str, lock: str, tmp_path: Path) -> None:
    text = (ROOT / lock).read_text(encoding="utf-8")
    done = dry_run(text, SYSTEMS[system], python, tmp_path, "--require-hashes")
    if (system, python, lock) in UNSERVED:
        assert done.returncode != 0, "it is served now"
        pytest.skip(UNSERVED[system, python, lock])
    assert done.returncode == 0, done.stderr
