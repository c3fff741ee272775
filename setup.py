"""Puts the folders of the checkout into one package, with the compiled core where the building machine has a compiler.

pyproject.toml has everything else.
"""

import shutil
import sys
from pathlib import Path

from setuptools import Distribution, find_packages, setup
from setuptools.command.build_py import build_py

ROOT = Path(__file__).resolve().parent
sys.path.insert(0, str(ROOT))

from bootstrap.compiler import can_compile  # noqa: E402 (a build does not search the folder of this file)
from bootstrap.core import CoreBuild, CoreBuildError  # noqa: E402
from bootstrap.stubs import write_stubs  # noqa: E402

PACKAGE = "cellar_door"
BESIDE = ("engine", "editor", "ui")
"""The packages that lie beside `cellar_door` in a checkout, and inside of it in a wheel."""
FILES = {"resources": ("*",), "docs": ("*.md", "*.png")}


class BuildWithCore(build_py):
    """Copies the modules, what they read, what type checkers read, and one build of the core to `engine/_compiled`,
    where `engine/_core.py` searches for it."""

    def run(self) -> None:
        if not self.editable_mode:
            shutil.rmtree(self.build_lib, ignore_errors=True)  # what an earlier build left would get into the wheel
        super().run()
        if self.editable_mode:
            return
        package = Path(self.build_lib, PACKAGE)
        for folder, patterns in FILES.items():
            for pattern in patterns:
                self._copy(ROOT / folder, pattern, package / folder)
        write_stubs(Path(self.build_lib))
        if can_compile():
            self._add_core(package / "engine" / "_compiled")

    def _copy(self, folder: Path, pattern: str, place: Path) -> None:
        for file in sorted(folder.rglob(pattern)):
            if file.is_file() and "__pycache__" not in file.parts:
                target = place / file.relative_to(folder)
                target.parent.mkdir(parents=True, exist_ok=True)
                shutil.copy2(file, target)

    def _add_core(self, place: Path) -> None:
        core = CoreBuild(ROOT)
        try:
            core.build()
        except CoreBuildError as error:
            self.warn(f"{error}. The wheel gets the plain Python core.")
            return
        shutil.copytree(core.folder(), place / core.place.name / core.folder().name)


class DistributionWithCore(Distribution):
    """Marks a wheel with a compiled core as one for this platform."""

    def has_ext_modules(self) -> bool:
        return can_compile()


setup(
    packages=[PACKAGE, *(f"{PACKAGE}.{name}" for name in find_packages(str(ROOT)) if name.split(".")[0] in BESIDE)],
    package_dir={PACKAGE: PACKAGE, **{f"{PACKAGE}.{name}": name for name in BESIDE}},
    cmdclass={"build_py": BuildWithCore},
    distclass=DistributionWithCore,
)
