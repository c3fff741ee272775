"""The client's presets that add to a picture or change it; all are off by default (rendering.md C9, M3)."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final


@dataclass(frozen=True)
class Presets:
    """`rooms_at_once` is what the client does with detail texturing of rooms: cut-out and blended surfaces of walls are
    drawn with the walls, and do not wait in the alpha lists. With `multi_pass_alpha` cut-out surfaces are drawn at once
    with the alpha test, and wait to be drawn again as blended ones, which adds their soft edges.
    `detail_textures` draws the walls of rooms again with the region's detail texture."""

    rooms_at_once: bool = False
    multi_pass_alpha: bool = False
    detail_textures: bool = False

    @property
    def at_once(self) -> bool:
        """Something that otherwise waits is drawn in its turn."""
        return self.rooms_at_once or self.multi_pass_alpha


NO_PRESETS: Final = Presets()
