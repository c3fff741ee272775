"""A checkout in miniature whose core is two modules: compiled in seconds, for tests of building and choosing a core."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from bootstrap.compiler import can_compile

ROOT = Path(__file__).resolve().parents[2]

needs_compiler = pytest.mark.skipif(not can_compile(), reason="there is no C compiler with Python's headers here")

VEC = """
from typing import Final

from engine.limits import LIMIT

SCALE: Final = 2.0

def double(x: float) -> float:
    return min(x * SCALE, LIMIT)
"""

BODY = """
from engine.geometry.vec import double

class Body:
    def __init__(self, mass: float) -> None:
        self.mass: float = mass

    def doubled(self) -> float:
        return double(self.mass)
"""

PRINT_CORE = """
import engine, engine.geometry.vec as vec, engine.physics.body as body
print(engine.active_core(), vec.__file__.rsplit(".", 1)[1], body.Body(1.5).doubled())
"""


def write_fake_core(root: Path) -> None:
    (root / "engine").mkdir(parents=True)
    shutil.copy(ROOT / "engine" / "_core.py", root / "engine")
    shutil.copy(ROOT / "engine" / "__init__.py", root / "engine")
    (root / "engine" / "limits.py").write_text("from typing import Final\n\nLIMIT: Final = 100.0\n")
    for package, module, text in (("geometry", "vec", VEC), ("physics", "body", BODY)):
        folder = root / "engine" / package
        folder.mkdir()
        (folder / "__init__.py").write_text('"""A package."""\n')
        (folder / f"{module}.py").write_text(text)
    (root / "pyproject.toml").write_text("[tool.mypy]\nstrict = true\nwarn_unreachable = true\n")


def run_python(root: Path, code: str, core: str | None = None) -> subprocess.CompletedProcess[str]:
    """Run a line of Python in the checkout, as a user would from its folder."""
    environment = {name: value for name, value in os.environ.items() if name not in ("CELLAR_DOOR_CORE", "PYTHONPATH")}
    if core is not None:
        environment["CELLAR_DOOR_CORE"] = core
    return subprocess.run(
        [sys.executable, "-c", code], cwd=root, env=environment, capture_output=True, text=True, check=False
    )
