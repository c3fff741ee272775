"""Makes the folder with the program: PyInstaller's work, then what it does not do.

    python -m release program --out dist

It makes one for the system and the Python that it runs on.
"""

from __future__ import annotations

import compileall
import hashlib
import importlib
import importlib.metadata as metadata
import json
import os
import py_compile
import re
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Final

import engine
from bootstrap.alone import load_alone
from bootstrap.compiler import can_compile
from bootstrap.core import CoreBuild
from release.contents import COMPILED, OWN, ROOT, STRIPPED, own_files
from release.errors import ReleaseError
from release.icons import write_icons
from release.licences import DISTRIBUTIONS, FOLDER, write_licences
from release.version_resource import version_resource

NAME: Final = "cellar-door"
SPEC: Final = ROOT / "release" / "cellar_door.spec"
INTERNAL: Final = "_internal"
SYSTEM_LIBRARIES: Final = "system-libraries.json"
"""What PyInstaller took from the system, beside its work: the files whose licences are wanted."""
RECIPE: Final = "recipe"
BESIDE: Final = ("CHANGELOG.md", "LICENSE", "README.md")
"""Files that users look for next to the program."""


def has_pyinstaller() -> bool:
    try:
        metadata.version("pyinstaller")
    except metadata.PackageNotFoundError:
        return False
    return True


def recipe() -> str:
    """A digest of all that determines the folder."""
    digest = hashlib.sha256()
    for file in (*own_files(), *sorted(path.relative_to(ROOT) for path in (ROOT / "release").rglob("*.*"))):
        if file.suffix != ".pyc":
            digest.update(f"{file.as_posix()}\n".encode() + hashlib.sha256((ROOT / file).read_bytes()).digest())
    for name in DISTRIBUTIONS:
        try:
            digest.update(f"{name} {metadata.version(name)}\n".encode())
        except metadata.PackageNotFoundError:
            digest.update(f"{name} none\n".encode())
    core = core_folder()
    digest.update(f"{sys.version} {sys.platform} {None if core is None else core.name}".encode())
    return digest.hexdigest()


def build_program(out: Path, work: Path) -> Path:
    """The folder, in `out`; what is made on the way is in `work`. An unchanged one stays."""
    if not has_pyinstaller():
        raise ReleaseError("the program needs PyInstaller, which is not installed: it is in requirements-dev.lock")
    if core_folder() is None and can_compile():
        CoreBuild().build()
    target, mark, wanted = out / NAME, work / RECIPE, recipe()
    if target.is_dir() and mark.is_file() and mark.read_text(encoding="utf-8") == wanted:
        return target
    mark.unlink(missing_ok=True)
    shutil.rmtree(target, ignore_errors=True)
    work.mkdir(parents=True, exist_ok=True)
    write_icons(work / "icons")
    (work / "version.txt").write_text(version_resource(engine.__version__), encoding="utf-8")
    _freeze(out, work)
    _complete(target, work)
    mark.write_text(wanted, encoding="utf-8")
    return target


def _freeze(out: Path, work: Path) -> None:
    os.environ["CELLAR_DOOR_FREEZING"] = str(work)
    run = importlib.import_module("PyInstaller.__main__").run  # it carries no types

    words = ["--noconfirm", "--log-level", "WARN", "--distpath", str(out), "--workpath", str(work / "pyinstaller")]
    try:
        run([*words, str(SPEC)])
    except SystemExit as end:
        raise ReleaseError(f"PyInstaller has failed: {end.code}") from end


def _complete(target: Path, work: Path) -> None:
    internal = target / INTERNAL
    _add_core(internal)
    _strip(internal)
    for top in OWN:
        # Read-only folders and first starts need no compiling; the sources cannot change beside their bytecode.
        mode = py_compile.PycInvalidationMode.UNCHECKED_HASH
        compileall.compile_dir(
            internal / top, quiet=2, stripdir=str(internal), invalidation_mode=mode, workers=1, force=True
        )
    for name in BESIDE:
        shutil.copy(ROOT / name, target)
    libraries = json.loads((work / SYSTEM_LIBRARIES).read_text(encoding="utf-8"))
    write_licences(target / FOLDER, engine.__version__, libraries)


def core_folder() -> Path | None:
    """The compiled core that fits the sources and this Python, also one that another system made for it; or None."""
    selection = load_alone(ROOT / "engine" / "_core.py")
    core = CoreBuild()
    folder = core.folder()
    stamp = selection.read_stamp(folder)
    if stamp is None or selection.changed_surroundings(ROOT, stamp["surroundings"]):
        return None
    return folder


def _add_core(internal: Path) -> None:
    folder = core_folder()
    if folder is None:
        print(
            "Cellar Door: there is no compiled core for this Python, so the program gets the plain one", file=sys.stderr
        )
        return
    shutil.copytree(folder, internal / COMPILED / folder.parent.name / folder.name)


def _strip(internal: Path) -> None:
    program = shutil.which("strip")
    if program is None or sys.platform != "linux":
        return
    for file in sorted(internal.rglob("*.so*")):
        if not file.is_symlink() and re.search(STRIPPED, file.relative_to(internal).as_posix()):
            subprocess.run([program, "--strip-unneeded", str(file)], check=True)
