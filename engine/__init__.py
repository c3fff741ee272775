"""The game world, complete and headless. Nothing in here knows Qt."""

from __future__ import annotations

from pathlib import Path

from engine import _core

__version__ = "0.1.0"

_ACTIVE = _core.select(Path(__file__).resolve().parent.parent)


def active_core() -> str:
    """`compiled` or `python`: which form of the core this process runs."""
    return _ACTIVE
