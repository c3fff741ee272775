"""Places in the demo world by name, for tests, screenshots and scripts: a cell, where to stand in it, looking where."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Any, Final

from engine.build.demo.cache import SPOTS_FILE, ensure_demo
from engine.files.json_text import json_value
from engine.files.kinds import OWN
from engine.files.reading import read_file
from engine.geometry.vec import Vec3


@dataclass(frozen=True)
class Spot:
    """A place to stand: the feet are at `origin`, in the landblock of the cell; `heading` is a compass heading."""

    cell_id: int
    origin: Vec3
    heading: float


class _Spots(Mapping[str, Spot]):
    """Read from beside the data files when the first one is asked for: to work them out takes a tenth of a start."""

    @cached_property
    def _all(self) -> dict[str, Spot]:
        kept: Any = json_value(read_file(ensure_demo() / SPOTS_FILE, OWN), SPOTS_FILE)
        return {name: Spot(cell_id, (x, y, z), heading) for name, (cell_id, (x, y, z), heading) in kept.items()}

    def __getitem__(self, name: str) -> Spot:
        return self._all[name]

    def __iter__(self) -> Iterator[str]:
        return iter(self._all)

    def __len__(self) -> int:
        return len(self._all)


SPOTS: Final = _Spots()
"""Named places of the demo world."""
