"""Builds the compiled core: one mypyc call over the packages that `engine/_core.py` lists, into `build/core`.

The build works on a copy of the sources, so an edit during the build cannot slip in unnoticed, and appears with one
rename, whole or not at all. `python -m bootstrap.core build|status|clean`.
"""

import argparse
import ast
import json
import os
import re
import shutil
import subprocess
import sys
import tempfile
import time
from pathlib import Path

from bootstrap.alone import load_alone
from bootstrap.compile_core import C_FLAGS, OPTIMIZATION
from bootstrap.compiler import find_compiler
from bootstrap.locks import exclusive
from bootstrap.relock import RUNTIME_LOCK

ROOT = Path(__file__).resolve().parent.parent
COMPILE_STEP = ROOT / "bootstrap" / "compile_core.py"

KEPT_BUILDS = 3


class CoreBuildError(Exception):
    """The core could not be compiled; the text is one paragraph with the first errors."""


def build_recipe() -> str:
    """What besides the sources makes the build what it is."""
    mypy = re.search(r"^mypy==(\S+)", (ROOT / RUNTIME_LOCK).read_text(encoding="utf-8"), re.MULTILINE)
    return f"mypy {mypy.group(1) if mypy else 'of no lock'} -O{OPTIMIZATION} {' '.join(C_FLAGS)}"


def find_surroundings(root: Path, sources: dict[str, Path]) -> dict[str, Path]:
    """The files of `engine` that the core imports without holding them: mypyc copies their constants into its code."""
    found: dict[str, Path] = {}
    waiting = list(sources.values())
    core = set(waiting)
    while waiting:
        for module in _imported_modules(waiting.pop()):
            stem = root.joinpath(*module.split("."))
            for file in (stem.with_suffix(".py"), stem / "__init__.py"):
                name = file.relative_to(root).as_posix()
                if file.is_file() and file not in core and name not in found:
                    found[name] = file
                    waiting.append(file)
    return dict(sorted(found.items()))


def _imported_modules(file: Path) -> list[str]:
    names = []
    for node in ast.walk(ast.parse(file.read_bytes(), str(file))):
        if isinstance(node, ast.Import):
            names += [alias.name for alias in node.names]
        elif isinstance(node, ast.ImportFrom) and node.module:
            names += [node.module, *(f"{node.module}.{alias.name}" for alias in node.names)]
    return [name for name in names if name.startswith("engine.")]


def _say_waiting() -> None:
    print("waiting for another build of the core", file=sys.stderr, flush=True)


class CoreBuild:
    """The compiled core of one checkout, for the Python that runs this."""

    def __init__(self, root: Path = ROOT, place: Path | None = None) -> None:
        self.root = root
        self.selection = load_alone(root / "engine" / "_core.py")
        self.place = place or root / "build" / "core" / self.selection.TAG
        self.log = self.place.parent / "build.log"
        self.failure = self.place.parent / "failed"

    def folder(self, root: Path | None = None) -> Path:
        digests = self.selection.source_digests(self.selection.core_sources(root or self.root))
        return self.place / str(self.selection.combined_digest(digests))

    def is_current(self) -> bool:
        """Whether there is nothing to do."""
        if not self.selection.core_sources(self.root):
            return True
        stamp = self.selection.read_stamp(self.folder())
        if stamp is None or stamp["recipe"] != build_recipe():
            return False
        return not self.selection.changed_surroundings(self.root, stamp["surroundings"])

    def has_failed(self) -> bool:
        """Whether these very sources did not compile: there is no use in trying again at every start."""
        try:
            return self.failure.read_text(encoding="utf-8") == self._attempt()
        except OSError:
            return False

    def build(self) -> bool:
        """Compile if the sources or the recipe changed. True when there was something to do; raises CoreBuildError."""
        with exclusive(self.place.parent / "build.lock", _say_waiting):
            if self.is_current():
                return False
            for left_over in self.place.parent.glob("building-*"):
                shutil.rmtree(left_over, ignore_errors=True)  # of a build that was killed
            attempt = self._attempt()
            try:
                # Windows removes no library that a running program uses; the next build does.
                with tempfile.TemporaryDirectory(
                    prefix="building-", dir=self.place.parent, ignore_cleanup_errors=True
                ) as scratch:
                    self._build_in(Path(scratch))
            except CoreBuildError:
                self.failure.write_text(attempt, encoding="utf-8")
                raise
            self.failure.unlink(missing_ok=True)
            self._prune()
            return True

    def _attempt(self) -> str:
        return f"{self.folder()}\n{build_recipe()}\n{find_compiler()}\n"

    def _build_in(self, scratch: Path) -> None:
        copy, result = scratch / "copy", scratch / "result"
        shutil.copytree(
            self.root / "engine", copy / "engine", ignore=shutil.ignore_patterns("__pycache__", "_compiled")
        )
        shutil.copy(self.root / "pyproject.toml", copy)
        sources = self.selection.core_sources(copy)
        self._compile(copy, result, [str(file.relative_to(copy)) for file in sources.values()])
        surroundings = {
            name: self.selection.file_digest(file) for name, file in find_surroundings(copy, sources).items()
        }
        stamp = {
            "recipe": build_recipe(),
            "sources": self.selection.source_digests(sources),
            "surroundings": surroundings,
        }
        (result / self.selection.STAMP).write_text(json.dumps(stamp, indent=1), encoding="utf-8")
        target = self.folder(copy)
        if target.exists():
            target.rename(scratch / "replaced")
        target.parent.mkdir(exist_ok=True)
        result.rename(target)

    def _compile(self, copy: Path, result: Path, files: list[str]) -> None:
        """In a process of its own: mypyc ends the process on errors, and its memory is given back."""
        paths = [path for path in os.environ.get("PYTHONPATH", "").split(os.pathsep) if path]
        elsewhere = [path for path in paths if not Path(path, "engine").is_dir()]  # mypy is to see one engine only
        environment = dict(os.environ, PYTHONPATH=os.pathsep.join(elsewhere))
        compiler = find_compiler()
        if compiler is not None and sys.platform != "win32":  # there setuptools finds it by itself
            environment["CC"] = compiler
        generated = result.parent / "generated"
        command = [sys.executable, str(COMPILE_STEP), str(result), str(generated), *files]
        with open(self.log, "wb") as log:
            code = subprocess.run(
                command,
                cwd=copy,
                env=environment,
                stdin=subprocess.DEVNULL,
                stdout=log,
                stderr=subprocess.STDOUT,
                check=False,
            ).returncode
        if code != 0:
            raise CoreBuildError(self._explain(code))

    def _explain(self, code: int) -> str:
        lines = [
            line.strip() for line in self.log.read_text(encoding="utf-8", errors="replace").splitlines() if line.strip()
        ]
        errors = [line for line in lines if re.search(r"\berror\b", line, re.IGNORECASE)] or lines[-1:]
        shown = "; ".join(errors[:3]) or f"the compiler ended with code {code}"
        more = f" (and {len(errors) - 3} more)" if len(errors) > 3 else ""
        return f"the core does not compile: {shown}{more}. Everything is in {self.log}"

    def _prune(self) -> None:
        """Keep a few builds, so that going back to an earlier commit costs nothing."""
        builds = sorted(self.place.glob(f"*/{self.selection.STAMP}"), key=lambda file: file.stat().st_mtime)
        for stamp in builds[:-KEPT_BUILDS]:
            stamp.unlink()
            shutil.rmtree(stamp.parent, ignore_errors=True)  # Windows keeps the library of a running program

    def clean(self) -> None:
        shutil.rmtree(self.place, ignore_errors=True)


def main(arguments: list[str] | None = None) -> int:
    parser = argparse.ArgumentParser(prog="python -m bootstrap.core", description="The compiled core of the engine.")
    commands = parser.add_subparsers(dest="command", required=True)
    commands.add_parser("build", help="compile what changed")
    commands.add_parser("status", help="say whether the compiled core fits the sources")
    commands.add_parser("clean", help="remove every build for this Python")
    options = parser.parse_args(arguments)
    core = CoreBuild()
    if options.command == "clean":
        core.clean()
        return 0
    if options.command == "status":
        print("current" if core.is_current() else "stale or not built", core.folder())
        return 0
    started = time.monotonic()
    try:
        built = core.build()
    except (CoreBuildError, OSError) as error:
        print(error, file=sys.stderr)
        return 1
    print(f"built in {time.monotonic() - started:.1f} s" if built else "nothing changed", core.folder())
    return 0


if __name__ == "__main__":
    sys.exit(main())
