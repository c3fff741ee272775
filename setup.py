"""Adds the compiled core to the wheel where the building machine has a compiler; pyproject.toml has everything else."""

import shutil
import sys
from pathlib import Path

from setuptools import Distribution, setup
from setuptools.command.build_py import build_py

ROOT = Path(__file__).resolve().parent
sys.path.insert(0, str(ROOT))

from bootstrap.compiler import can_compile  # noqa: E402 (a build does not search the folder of this file)
from bootstrap.core import CoreBuild, CoreBuildError  # noqa: E402


class BuildWithCore(build_py):
    """Copies the modules, and one build of the core to `engine/_compiled`, where `engine/_core.py` searches for it."""

    def run(self) -> None:
        super().run()
        if not self.editable_mode and can_compile():
            self._add_core(Path(self.build_lib, "engine", "_compiled"))

    def _add_core(self, place: Path) -> None:
        core = CoreBuild(ROOT)
        try:
            core.build()
        except CoreBuildError as error:
            self.warn(f"{error}. The wheel gets the plain Python core.")
            return
        shutil.rmtree(place, ignore_errors=True)
        shutil.copytree(core.folder(), place / core.place.name / core.folder().name)


class DistributionWithCore(Distribution):
    """Marks a wheel with a compiled core as one for this platform."""

    def has_ext_modules(self) -> bool:
        return can_compile()


setup(cmdclass={"build_py": BuildWithCore}, distclass=DistributionWithCore)
