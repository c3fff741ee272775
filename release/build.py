"""Everything of a release that one system can make, into one folder.

What is made comes from the commit of a tag that names the version, without changes: whoever has the tag can make it
again.
"""

from __future__ import annotations

import platform
import shutil
import subprocess
import sys
import tarfile
import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import Final

import engine
from release.appdir import TOOL, build_appdir, write_appimage
from release.archives import write_sums, write_tar, write_zip
from release.contents import ROOT
from release.errors import ReleaseError
from release.notes import notes_of
from release.program import build_program, core_folder

NOTES: Final = "RELEASE-NOTES.md"
SYSTEMS: Final = {"linux": "linux", "win32": "windows", "darwin": "macos"}
MACHINES: Final = {"amd64": "x86_64", "x64": "x86_64"}


def build_release(out: Path, work: Path, tag: str | None = None, *, untagged: bool = False) -> Iterator[str]:
    """Make everything; yields a line for each thing that was made, and for each that this system cannot make."""
    version = engine.__version__
    if not untagged:
        check_tag(version, tag)
    notes = notes_of(version)
    moment = int(_git("log", "-1", "--format=%ct"))
    out.mkdir(parents=True, exist_ok=True)
    made = []
    for package in _packages(out):
        made.append(package)
        yield f"made {package.name}"
    program = build_program(work / "program", work)
    for file, line in _archives(out, work, program, version, moment):
        made += [] if file is None else [file]
        yield line
    (out / NOTES).write_text(notes, encoding="utf-8", newline="\n")
    yield f"made {NOTES}"
    yield f"made {write_sums(out, made).name}"
    others = [name for system, name in SYSTEMS.items() if system != sys.platform]
    yield f"left out the programs for {' and '.join(others)}: each is made on its own system"


def check_tag(version: str, tag: str | None) -> None:
    """Raise a ReleaseError unless the commit of the version's tag is checked out, without changes."""
    changed = _git("status", "--porcelain", "--untracked-files=no")
    if changed:
        raise ReleaseError(f"there are changes that are in no commit: {changed.splitlines()[0].split()[-1]}")
    here = _git("tag", "--points-at", "HEAD").split()
    if tag is not None and tag not in here:
        raise ReleaseError(f"the tag {tag} is not on the commit that is checked out")
    names = here if tag is None else [tag]
    if not names:
        raise ReleaseError("the commit that is checked out has no tag; --untagged tries a release out")
    if not {version, f"v{version}"} & set(names):
        raise ReleaseError(f"the tag {names[0]} is not that of the version, {version}")


def _git(*words: str) -> str:
    done = subprocess.run(["git", *words], cwd=ROOT, capture_output=True, encoding="utf-8", check=False)
    if done.returncode != 0:
        raise ReleaseError(f"git {words[0]}: {done.stderr.strip()}")
    return done.stdout.strip()


def _packages(out: Path) -> list[Path]:
    """The sources as an archive, and the wheel for this Python, which is built from that archive."""
    with tempfile.TemporaryDirectory(prefix="cellar-door-") as scratch:
        fresh = Path(scratch, "packages")
        fresh.mkdir()
        _backend("build_sdist", ROOT, fresh)
        (sources,) = fresh.glob("*.tar.gz")
        with tarfile.open(sources) as archive:
            if hasattr(tarfile, "data_filter"):
                archive.extractall(scratch, filter="data")
            else:  # Python 3.10 before 3.10.12
                archive.extractall(scratch)
        unpacked = Path(scratch, sources.name.removesuffix(".tar.gz"))
        core = core_folder()
        if core is not None:  # named by its sources: other sources do not take it
            shutil.copytree(core, unpacked / core.relative_to(ROOT))
        _backend("build_wheel", unpacked, fresh)
        made = [out / file.name for file in sorted(fresh.iterdir())]
        for file in made:
            shutil.copy(fresh / file.name, file)
    return made


def _backend(step: str, folder: Path, out: Path) -> None:
    """One step of the build that pyproject.toml names (PEP 517), with what is installed."""
    code = f"from setuptools import build_meta; build_meta.{step}({str(out)!r})"
    done = subprocess.run(
        [sys.executable, "-c", code], cwd=folder, capture_output=True, encoding="utf-8", errors="replace", check=False
    )
    if done.returncode != 0:
        raise ReleaseError(f"the packages cannot be built: {done.stderr.strip()[-500:]}")


def _archives(out: Path, work: Path, program: Path, version: str, moment: int) -> Iterator[tuple[Path | None, str]]:
    """The archive of the program, and on Linux the AppImage; each with the line that tells of it."""
    machine = MACHINES.get(platform.machine().lower(), platform.machine().lower())
    stem = f"cellar-door-{version}-{SYSTEMS[sys.platform]}-{machine}"
    if sys.platform == "win32":
        target = out / f"{stem}.zip"
        write_zip(program, target, moment)
        yield target, f"made {target.name}"
        return
    target = out / f"{stem}.tar.xz"
    write_tar(program, target, moment)
    yield target, f"made {target.name}"
    if sys.platform != "linux":
        return
    appdir, image = work / "AppDir", out / f"cellar-door-{version}-{machine}.AppImage"
    build_appdir(program, work / "icons", appdir, version, moment)
    if write_appimage(appdir, image, machine, moment):
        yield image, f"made {image.name}"
    else:
        yield None, f"left out the AppImage: {TOOL} is not on the path; its folder is {appdir}"
