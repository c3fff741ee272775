"""Puts the compiled core into the wheel when the building machine can compile; all else is in pyproject.toml."""

import shutil
import sys
from pathlib import Path

from setuptools import Distribution, setup
from setuptools.command.build_py import build_py

ROOT = Path(__file__).resolve().parent
sys.path.insert(0, str(ROOT))

from bootstrap.compiler import can_compile  # noqa: E402 (the build does not look for modules beside this file)
from bootstrap.core import CoreBuild, CoreBuildError  # noqa: E402


class BuildWithCore(build_py):
    """Copies the modules, and one build of the core into `engine/_compiled`, where `engine/_core.py` looks for it."""

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
    """Tells the wheel's name whether it is for one platform."""

    def has_ext_modules(self) -> bool:
        return can_compile()


setup(cmdclass={"build_py": BuildWithCore}, distclass=DistributionWithCore)
