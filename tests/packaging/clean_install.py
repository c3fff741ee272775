"""The wheel as users get it, in an environment of its own that holds what the wheel declares and nothing else.

What it declares is taken from the environment that runs the tests, which was installed from the locks with their
hashes: nothing comes over the network, and what is not declared is not there.
"""

from __future__ import annotations

import importlib.metadata as metadata
import os
import shutil
import subprocess
import sys
import tarfile
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

from bootstrap.core import CoreBuild
from tests.loaded import HUNG

ROOT: Final = Path(__file__).resolve().parents[2]
SOURCES: Final = ("engine", "editor", "ui", "cellar_door", "resources", "bootstrap", "docs")
FILES: Final = (
    "pyproject.toml",
    "setup.py",
    "MANIFEST.in",
    "README.md",
    "LICENSE",
    "run_editor.py",
    "run_tests.py",
    "requirements.lock",
    "requirements-dev.lock",
)
BUILD: Final = "import sys, setuptools.build_meta as backend; print(getattr(backend, sys.argv[1])(sys.argv[2]))"
UNWANTED: Final = ("PYTHONPATH", "PYTHONHOME", "CELLAR_DOOR_CORE", "CELLAR_DOOR_READY", "VIRTUAL_ENV")


@dataclass(frozen=True)
class Installation:
    """Where the command is, and what it was made of."""

    program: Path
    python: Path
    archive: Path
    """The source distribution, of which the wheel was made."""
    wheel: Path
    core: str
    """`compiled` when the wheel carries a compiled core."""

    def run(self, folder: Path, *words: str, **environment: str) -> subprocess.CompletedProcess[str]:
        """The installed command in a folder that is neither the checkout nor below it."""
        return self.start(self.program, folder, *words, **environment)

    def run_python(self, folder: Path, *words: str, **environment: str) -> subprocess.CompletedProcess[str]:
        """The Python of the environment in such a folder."""
        return self.start(self.python, folder, *words, **environment)

    def start(self, program: Path, folder: Path, *words: str, **environment: str) -> subprocess.CompletedProcess[str]:
        kept = {name: value for name, value in os.environ.items() if name not in UNWANTED}
        return subprocess.run(
            [str(program), *words],
            cwd=folder,
            env={**kept, **environment},
            stdin=subprocess.DEVNULL,
            capture_output=True,
            encoding="utf-8",
            check=False,
            timeout=HUNG,
        )


def install(folder: Path) -> Installation:
    """Make the source distribution, the wheel of it, and install that below `folder`."""
    sources = folder / "sources"
    sources.mkdir(parents=True)
    for name in SOURCES:
        shutil.copytree(ROOT / name, sources / name, ignore=shutil.ignore_patterns("__pycache__", "_compiled"))
    for name in FILES:
        shutil.copy2(ROOT / name, sources / name)
    archive = _build(sources, "build_sdist", folder)
    with tarfile.open(archive) as packed:
        if hasattr(tarfile, "data_filter"):
            packed.extractall(folder, filter="data")
        else:  # Python 3.10 before 3.10.12
            packed.extractall(folder)
    unpacked = folder / archive.name.removesuffix(".tar.gz")
    core = CoreBuild(ROOT)
    is_compiled = core.is_current() and core.folder().is_dir()
    environment: dict[str, str] = {}
    if is_compiled:  # the one that is there: to compile it again would take two minutes
        shutil.copytree(core.folder(), unpacked / "build" / "core" / core.place.name / core.folder().name)
    else:
        environment = {"PATH": "", "CC": ""}  # no compiler is found
    wheel = _build(unpacked, "build_wheel", folder, **environment)
    place = folder / "environment"
    _create(place)
    python = place / "bin" / "python"
    for name in sorted(_declared(wheel)):
        _take_over(metadata.distribution(name), packages_of(python))
    _call([str(python), "-m", "pip", "install", "--quiet", "--no-index", "--no-compile", str(wheel)], folder)
    _call([str(python), "-m", "pip", "check"], folder)
    core_that_runs = "compiled" if is_compiled else "python"
    return Installation(place / "bin" / "cellar-door", python, archive, wheel, core_that_runs)


def _create(folder: Path) -> None:
    import venv  # which Windows' Python under Wine lacks

    venv.create(folder, with_pip=True, symlinks=True)


def install_alone(wheel: Path, folder: Path) -> Path:
    """Install a wheel without what it needs, in an environment that holds nothing but pip; return its Python."""
    _create(folder)
    python = folder / "bin" / "python"
    _call([str(python), "-m", "pip", "install", "--quiet", "--no-index", "--no-deps", str(wheel)], folder)
    return python


def uninstall(python: Path) -> None:
    _call([str(python), "-m", "pip", "uninstall", "--quiet", "--yes", "cellar-door"], python.parent)


def _build(sources: Path, step: str, folder: Path, **environment: str) -> Path:
    """What pip and others do without isolation: the tools of the build are in the environment of the tests."""
    said = _call([sys.executable, "-c", BUILD, step, str(folder)], sources, **environment)
    return folder / said.splitlines()[-1]


def _call(command: list[str], folder: Path, **environment: str) -> str:
    kept = {name: value for name, value in os.environ.items() if name not in UNWANTED}
    done = subprocess.run(
        command,
        cwd=folder,
        env={**kept, **environment},
        stdin=subprocess.DEVNULL,
        capture_output=True,
        encoding="utf-8",
        errors="replace",
        check=False,
    )
    assert done.returncode == 0, f"{' '.join(command)}\n{done.stdout}\n{done.stderr}"
    return done.stdout


def _declared(wheel: Path) -> set[str]:
    """What the wheel needs on this machine, and what that needs in turn."""
    found: set[str] = set()
    waiting = list(metadata.Distribution.discover(path=[str(wheel)]))
    while waiting:
        for line in waiting.pop().requires or ():
            needed = Requirement(line)
            name = canonicalize_name(needed.name)
            if name not in found and (needed.marker is None or needed.marker.evaluate({"extra": ""})):
                found.add(name)
                waiting.append(metadata.distribution(name))
    return found


def packages_of(python: Path) -> Path:
    where = "import sysconfig; print(sysconfig.get_paths()['purelib'])"
    return Path(_call([str(python), "-c", where], python.parent).strip())


def _take_over(package: metadata.Distribution, place: Path) -> None:
    """Its files as hard links; copies where the disk is another one."""
    source = Path(str(package.locate_file("")))
    for file in package.files or ():
        if ".." in file.parts or "__pycache__" in file.parts:  # programs beside the packages: nobody starts them here
            continue
        target = place / file
        target.parent.mkdir(parents=True, exist_ok=True)
        try:
            os.link(source / file, target)
        except OSError:
            shutil.copy2(source / file, target)
