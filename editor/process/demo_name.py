"""The name of the demo world, which stands where a command or a recording would have the path of a source."""

from __future__ import annotations

from typing import Final

DEMO: Final = "demo"
