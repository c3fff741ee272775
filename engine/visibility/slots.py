"""View slots: the state of a cell during a flood, and the stack of them (rendering.md 3.2).

A flood may only see into cells that have a slot. Slots come in levels, one for each nested scope: an interior, and on
top of it a look into a building while the interior is still being drawn. Each flood works on the level it pushed and
starts with fresh flags.
"""

from __future__ import annotations

from typing import Final

from engine.visibility.openings import PortalOpening
from engine.visibility.records import NO_PORTAL, PortalRecord
from engine.visibility.sight import Aperture, BlockCamera
from engine.visibility.view import ViewPoly
from engine.world.cells.cell import EnvCell
from engine.world.cells.portals import CellPortal

NEVER: Final = 0
"""The timestamp of a slot that no flood has initialised."""


class PortalFlags:
    """One portal of a cell during a flood. It is traversable when it is `seen` and not `inflag`; both together mean
    that the cell is seen through this portal, from `seen_from`.

    `cell` is the loaded neighbour, `neighbour` its slot if it has one, `back` the index of the matching portal there.
    """

    portal: CellPortal
    record: PortalRecord
    aperture: Aperture | None
    seen: bool
    inflag: bool
    rank: int
    cell: EnvCell | None
    neighbour: PortalView | None
    seen_from: PortalView | None
    back: int

    def __init__(self, portal: CellPortal, record: PortalRecord, aperture: Aperture | None) -> None:
        self.portal = portal
        self.record = record
        self.aperture = aperture
        self.seen = False
        self.inflag = False
        self.rank = 0
        self.cell = None
        self.neighbour = None
        self.seen_from = None
        self.back = NO_PORTAL


class PortalView:
    """`portal_view_type`: the slot of one cell on one level. `found` and `parent` are for the record of the flood."""

    cell: EnvCell
    openings: list[PortalOpening]
    apertures: list[Aperture | None]
    views: list[ViewPoly]
    flags: list[PortalFlags]
    max_indist: float
    update_count: int
    dropped: int
    """Views since then that the containment guard left out: they are seen before, but count as new."""
    cell_view_done: bool
    view_timestamp: int
    dist: float
    found: int
    parent: PortalView | None
    parent_portal: int
    depth: int
    late_views: int

    def __init__(self, cell: EnvCell, openings: list[PortalOpening]) -> None:
        self.cell = cell
        self.openings = openings
        self.apertures = [None] * len(openings)
        self.views = []
        self.flags = []
        self.max_indist = 0.0
        self.update_count = 0
        self.dropped = 0
        self.cell_view_done = False
        self.view_timestamp = NEVER
        self.dist = 0.0
        self.found = 0
        self.parent = None
        self.parent_portal = NO_PORTAL
        self.depth = 0
        self.late_views = 0

    def aperture(self, index: int, sight: BlockCamera) -> Aperture | None:
        """One of the cell's portals as the eye sees it, made once in a flood; None when it has no usable polygon."""
        aperture = self.apertures[index]
        if aperture is None:
            opening = self.openings[index]
            if opening.usable:
                aperture = Aperture(opening, sight)
                self.apertures[index] = aperture
        return aperture


class ViewLevel:
    """The slots of one scope: `root_id` and the cells of `stab` have one, or all cells when `everything` is set. A slot
    is made when the flood first comes to its cell, so that a long list costs nothing."""

    root_id: int
    stab: set[int]
    everything: bool
    slots: dict[int, PortalView]

    def __init__(self, root_id: int, stab: set[int], everything: bool) -> None:
        self.root_id = root_id
        self.stab = stab
        self.everything = everything
        self.slots = {}

    def untie(self) -> None:
        """Cut the ties between the slots of a flood that is over: they go round, and would be left to the collector."""
        for slot in self.slots.values():
            slot.parent = None
            for flag in slot.flags:
                flag.neighbour = None
                flag.seen_from = None

    def has(self, cell_id: int) -> bool:
        return self.everything or cell_id == self.root_id or cell_id in self.stab


class ViewSlots:
    """The stack of levels, and the one counter of floods. `stale` has the flags that the last flood left in a slot: of
    each cell, for each of its slots on the stack (`FloodOptions.stale_inflags`)."""

    master_timestamp: int
    levels: list[ViewLevel]
    stale: dict[tuple[int, int], list[bool]]
    beneath: ViewLevel | None
    """The level of the room whose frame looks into buildings now: the cells in it have a slot already."""

    def __init__(self) -> None:
        self.master_timestamp = NEVER
        self.levels = []
        self.stale = {}
        self.beneath = None

    def slot_number(self, cell_id: int, inside: bool) -> tuple[int, int]:
        """The id and level of the slot of a cell that a flood works on; `inside` marks the flood from the room
        itself."""
        beneath = self.beneath
        return (cell_id, 1 if not inside and beneath is not None and beneath.has(cell_id) else 0)

    def add_views(self, root_id: int, stab: set[int], everything: bool) -> ViewLevel:
        """Push a level: `curr_view_push` of the root and `add_views` of its stab list."""
        level = ViewLevel(root_id, stab, everything)
        self.levels.append(level)
        return level

    def remove_views(self) -> None:
        """Pop the level pushed last."""
        self.levels.pop()
