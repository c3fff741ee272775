"""The name of the demo world, used in place of a source's path by commands and recordings."""

from __future__ import annotations

from typing import Final

DEMO: Final = "demo"
