"""The folder of scenes and fixtures shared between the projects, where it exists."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

SHARED = Path(os.environ.get("CELLAR_DOOR_SHARED", Path(__file__).resolve().parents[2] / "shared"))
"""The folder beside the checkout; tests that need it skip when it is missing."""

needs_shared = pytest.mark.skipif(
    not (SHARED / "goldens").is_dir(), reason="the shared goldens and fixtures are not beside the checkout"
)
