"""The switches and caps of a flood (rendering.md 4.3, 7.3, 9, 10)."""

from __future__ import annotations

from typing import Final

MAX_CELL_VIEWS: Final = 64
MAX_CELLS: Final = 256
MAX_CLIPS: Final = 20_000
MAX_FIX_DEPTH: Final = 64
MAX_MOVES: Final = 4096
"""A limit on moves within the draw list; cells that see each other in a cycle would otherwise move for ever."""


class FloodOptions:
    """The switches of a flood. The defaults are the tool's; `retail()` turns off what the client does not have.

    `robust` closes the last millimetre before a portal's plane (9), `containment` drops views that another view of the
    same cell already contains (10). `ignore_stab_list` gives every loaded cell a view slot; `clip_landscape` False
    opens the whole screen to the landscape when any exit is seen. `whole_views` keeps every pixel in a view: neither
    the rule of 5.1 nor the slack of the containment guard removes one. The caps end a flood through malformed cells.

    `stale_inflags`: the flood looks out of the portal that it entered a room by where the previous flood left that flag
    set and the eye is on its look-through side, or in its plane (7.2, rendering.md C13). The view through
    portals whose two polygons do not coincide then changes from frame to frame.
    """

    robust: bool
    containment: bool
    ignore_stab_list: bool
    clip_landscape: bool
    whole_views: bool
    stale_inflags: bool
    max_cell_views: int
    max_cells: int
    max_clips: int
    max_fix_depth: int

    def __init__(
        self,
        robust: bool = True,
        containment: bool = True,
        ignore_stab_list: bool = False,
        clip_landscape: bool = True,
        whole_views: bool = False,
        max_cell_views: int = MAX_CELL_VIEWS,
        max_cells: int = MAX_CELLS,
        max_clips: int = MAX_CLIPS,
        max_fix_depth: int = MAX_FIX_DEPTH,
        stale_inflags: bool = False,
    ) -> None:
        self.robust = robust
        self.containment = containment
        self.ignore_stab_list = ignore_stab_list
        self.clip_landscape = clip_landscape
        self.whole_views = whole_views
        self.max_cell_views = max_cell_views
        self.max_cells = max_cells
        self.max_clips = max_clips
        self.max_fix_depth = max_fix_depth
        self.stale_inflags = stale_inflags

    def whole(self) -> FloodOptions:
        """The same with nothing left out of views."""
        return FloodOptions(
            self.robust,
            self.containment,
            self.ignore_stab_list,
            self.clip_landscape,
            True,
            self.max_cell_views,
            self.max_cells,
            self.max_clips,
            self.max_fix_depth,
            self.stale_inflags,
        )

    def __repr__(self) -> str:
        return (
            f"FloodOptions(robust={self.robust}, containment={self.containment}, "
            f"ignore_stab_list={self.ignore_stab_list}, clip_landscape={self.clip_landscape}, "
            f"whole_views={self.whole_views}, stale_inflags={self.stale_inflags})"
        )


def retail() -> FloodOptions:
    """The client's own flood: neither robust mode nor the containment guard, and with the flags of the last flood; the
    caps stay."""
    return FloodOptions(robust=False, containment=False, stale_inflags=True)
