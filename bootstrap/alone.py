"""Loads a file of the engine by itself: importing the package `engine` would already choose a core."""

import importlib.util
from pathlib import Path
from types import ModuleType


def load_alone(file: Path) -> ModuleType:
    """The module in `file`, which imports nothing of the project."""
    spec = importlib.util.spec_from_file_location(f"cellar_door_{file.stem.strip('_')}", file)
    if spec is None or spec.loader is None:
        raise ImportError(f"{file} is no module")
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module
