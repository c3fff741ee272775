"""Chooses, when `engine` is first imported, whether the core runs compiled or as plain Python.

The core is the packages of `PACKAGES`, without their `__init__`. `python -m bootstrap.core build` compiles it into
`build/core/<tag>/<digest of the sources>/`, never beside the sources. Because the digest is the folder's name, a build
cannot hide a later edit: edited sources have another digest, no folder of that name, and run themselves.

`CELLAR_DOOR_CORE` is `auto` (compiled when it fits), `python` (for debugging and coverage) or `compiled` (an error when
it does not fit).
"""

from __future__ import annotations

import hashlib
import importlib
import importlib.machinery
import importlib.util
import json
import os
import sys
import warnings
from collections.abc import Sequence
from pathlib import Path
from types import ModuleType

PACKAGES = (
    "engine.geometry",
    "engine.geometry.compile",
    "engine.world.cells",
    "engine.world.graph",
    "engine.physics",
    "engine.physics.collision",
    "engine.physics.objects",
    "engine.physics.sweep",
    "engine.visibility",
    "engine.entities",
    "engine.sim.edits",
    "engine.sim.tick",
    "engine.explore",
    "engine.dat.codec",
)
"""The packages whose every module compiles; a package that is not there is left out."""

LIBRARY = "cellar_door_core__mypyc"
"""The one shared library with the code of all modules; mypyc makes the name from the group's name."""

SUFFIX = importlib.machinery.EXTENSION_SUFFIXES[0]
TAG = SUFFIX.strip(".").rsplit(".", 1)[0]
"""Names the Python a build is for, like cpython-311-x86_64-linux-gnu."""

STAMP = "stamp.json"
CHOICE = "CELLAR_DOOR_CORE"


class CoreUnavailableError(ImportError):
    """The compiled core is demanded and cannot be used."""


class CompiledFinder:
    """Serves the modules of one build of the core before the path finders see their sources."""

    def __init__(self, files: dict[str, Path]) -> None:
        self._files = files

    def find_spec(
        self, name: str, path: Sequence[str] | None = None, target: ModuleType | None = None
    ) -> importlib.machinery.ModuleSpec | None:
        file = self._files.get(name)
        return None if file is None else importlib.util.spec_from_file_location(name, file)


def core_sources(root: Path) -> dict[str, Path]:
    """The modules of the core below `root` with their files, in a fixed order."""
    sources = {}
    for package in PACKAGES:
        folder = root.joinpath(*package.split("."))
        for file in sorted(folder.glob("*.py")):
            if file.stem != "__init__":
                sources[f"{package}.{file.stem}"] = file
    return sources


def file_digest(file: Path) -> str:
    return hashlib.sha256(file.read_bytes()).hexdigest()


def source_digests(sources: dict[str, Path]) -> dict[str, str]:
    return {module: file_digest(file) for module, file in sources.items()}


def combined_digest(digests: dict[str, str]) -> str:
    """Names a build: short enough for a folder, long enough never to meet another one."""
    lines = "".join(f"{module} {digest}\n" for module, digest in digests.items())
    return hashlib.sha256(lines.encode()).hexdigest()[:24]


def changed_surroundings(root: Path, surroundings: dict[str, str]) -> list[str]:
    """Files outside the core whose constants mypyc copied into the build, and that differ now."""
    return [name for name, digest in surroundings.items() if not _same_content(root / name, digest)]


def _same_content(file: Path, digest: str) -> bool:
    try:
        return file_digest(file) == digest
    except OSError:
        return False


def read_stamp(folder: Path) -> dict[str, dict[str, str]] | None:
    """What `bootstrap.core` wrote beside a build, or None for a build that never ended."""
    try:
        stamp = json.loads((folder / STAMP).read_text(encoding="utf-8"))
    except (OSError, ValueError):
        return None
    return stamp if isinstance(stamp, dict) else None


class _Search:
    """The build that fits the sources, or why there is none."""

    def __init__(self, root: Path) -> None:
        self.files: dict[str, Path] = {}
        self.reason = "it has not been built for this Python"
        self.stale = False
        digests = source_digests(core_sources(root))
        # A checkout builds into build/core; a wheel carries its build inside the package.
        for place in (root / "build" / "core" / TAG, root / "engine" / "_compiled" / TAG):
            folder = place / combined_digest(digests)
            stamp = read_stamp(folder)
            if stamp is None:
                self._explain_missing(place, digests)
                continue
            changed = changed_surroundings(root, stamp["surroundings"])
            if changed:
                self._explain_stale(changed)
                continue
            self.files = {module: folder / (module.replace(".", "/") + SUFFIX) for module in digests}
            self.files[LIBRARY] = folder / (LIBRARY + SUFFIX)
            return

    def _explain_missing(self, place: Path, digests: dict[str, str]) -> None:
        builds = sorted(place.glob(f"*/{STAMP}"), key=lambda file: file.stat().st_mtime)
        stamp = read_stamp(builds[-1].parent) if builds else None
        if stamp is not None:
            built = stamp["sources"]
            self._explain_stale(sorted(name for name in {*built, *digests} if built.get(name) != digests.get(name)))

    def _explain_stale(self, changed: list[str]) -> None:
        more = f" and {len(changed) - 1} more" if len(changed) > 1 else ""
        self.stale = True
        self.reason = f"it was built from other sources ({changed[0]}{more} changed)"


def select(root: Path) -> str:
    """Make the core that `CELLAR_DOOR_CORE` asks for the one that later imports find; return `compiled` or `python`."""
    choice = os.environ.get(CHOICE) or "auto"
    if choice not in ("auto", "python", "compiled"):
        raise CoreUnavailableError(f"{CHOICE} is {choice!r}; it can be auto, python or compiled")
    if choice == "python":
        return "python"
    search = _Search(root)
    if search.files:
        finder = CompiledFinder(search.files)
        sys.meta_path.insert(0, finder)
        try:
            importlib.import_module(LIBRARY)
        except ImportError as error:
            sys.meta_path.remove(finder)
            search.stale, search.reason = True, f"its library does not load: {error}"
        else:
            return "compiled"
    if choice == "compiled":
        raise CoreUnavailableError(
            f"{CHOICE}=compiled, but the compiled core cannot be used: {search.reason}. "
            "Build it: python -m bootstrap.core build"
        )
    if search.stale:
        warnings.warn(
            f"the compiled core is left out, {search.reason}; the slower Python sources run. "
            "Renew it: python -m bootstrap.core build",
            RuntimeWarning,
            stacklevel=2,
        )
    return "python"
