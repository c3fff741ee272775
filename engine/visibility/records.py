"""The result of a flood: the visible cells with their views, and the status of every portal that it considered
(rendering.md 7.5, 10, 23)."""

from __future__ import annotations

from typing import Final

from engine.visibility.view import ScreenPoint, ViewPoly
from engine.world.cells.cell import Building, EnvCell
from engine.world.cells.ids import cell_text

# The status of a portal (23). Of several pieces, the one that got farthest counts.
OPEN: Final = "OPEN"  # followed
ENTRY: Final = "ENTRY"  # the flood came in here
WRONG_SIDE: Final = "WRONG_SIDE"  # the eye is behind it
CLIPPED: Final = "CLIPPED"  # outside of every view of its cell
SLIVER: Final = "SLIVER"  # less than about a pixel
OTHER_CLIP: Final = "OTHER_CLIP"  # nothing left within the neighbour's polygon
NOT_LOADED: Final = "NOT_LOADED"  # the neighbour is not there
NO_SLOT: Final = "NO_SLOT"  # the neighbour is not in the stab list
CONTAINED: Final = "CONTAINED"  # all of it was seen before
EXIT: Final = "EXIT"  # leads outdoors, not visible
EXIT_OPEN: Final = "EXIT_OPEN"  # leads outdoors, visible
IN_PLANE: Final = "IN_PLANE"  # the eye is in its plane and nothing is seen through it
NO_POLYGON: Final = "NO_POLYGON"  # it has no polygon that could be looked through
CAPPED: Final = "CAPPED"  # a cap of the flood ended it here

NO_PORTAL: Final = -1
"""In place of a portal's index: the flood began here."""

NO_CELL: Final = 0


class PortalPiece:
    """A portal seen through one view of its cell: the clipped opening, and the view polygon that was made of it.

    `view_index` counts the views of the portal's cell; of a punch, the active views. `view` is None when the opening
    led nowhere; `status` says why.
    """

    view_index: int
    points: list[ScreenPoint]
    view: ViewPoly | None
    status: str

    def __init__(self, view_index: int, points: list[ScreenPoint], view: ViewPoly | None, status: str) -> None:
        self.view_index = view_index
        self.points = points
        self.view = view
        self.status = status


class PortalRecord:
    """One portal that was considered: `side` is where the eye is of its plane (POSITIVE, NEGATIVE, CLOSE)."""

    cell_id: int
    index: int
    other_cell_id: int
    status: str
    side: int
    pieces: list[PortalPiece]

    def __init__(self, cell_id: int, index: int, other_cell_id: int, status: str, side: int) -> None:
        self.cell_id = cell_id
        self.index = index
        self.other_cell_id = other_cell_id
        self.status = status
        self.side = side
        self.pieces = []

    def __repr__(self) -> str:
        return f"PortalRecord({cell_text(self.cell_id)}.{self.index} -> {cell_text(self.other_cell_id)} {self.status})"


class VisibleCell:
    """A cell that is seen: `views` is its region, `found` its place in the order of discovery, `parent_portal` the
    portal of the cell `parent_id` through which it was found (NO_CELL, NO_PORTAL: the flood began here), `depth` how
    many portals lie between. `late_views` counts the views that came when the cell had been dealt with already (8)."""

    cell: EnvCell
    cell_id: int
    views: list[ViewPoly]
    max_indist: float
    found: int
    parent_id: int
    parent_portal: int
    depth: int
    late_views: int
    portals: list[PortalRecord]

    def __init__(self, cell: EnvCell, views: list[ViewPoly], found: int) -> None:
        self.cell = cell
        self.cell_id = cell.id
        self.views = views
        self.max_indist = 0.0
        self.found = found
        self.parent_id = NO_CELL
        self.parent_portal = NO_PORTAL
        self.depth = 0
        self.late_views = 0
        self.portals = []

    def __repr__(self) -> str:
        return f"VisibleCell({cell_text(self.cell_id)}, {len(self.views)} views)"


class FixEvent:
    """A late view: `cell_id` gained it from `by_id` after it had been dealt with; `moved` cells changed their place."""

    cell_id: int
    by_id: int
    moved: int

    def __init__(self, cell_id: int, by_id: int) -> None:
        self.cell_id = cell_id
        self.by_id = by_id
        self.moved = 0

    def __repr__(self) -> str:
        return f"FixEvent({cell_text(self.cell_id)} by {cell_text(self.by_id)}, moved {self.moved})"


class FloodResult:
    """One flood. `cells` is the draw list, front to back: draw it from its end. `outside` holds the clip regions of the
    outdoors. `guards` names every guard that was hit; it is empty for well-formed cells.

    For a flood through a building's portal, `building`, `portal_index` and `view_index` (among the active views)
    identify the portal; `punch` is its opening, and `rejected` the reason that nothing is seen through it, or "".
    """

    root_id: int
    timestamp: int
    cells: list[VisibleCell]
    by_id: dict[int, VisibleCell]
    outside: list[ViewPoly]
    portals: list[PortalRecord]
    guards: list[str]
    fix_events: list[FixEvent]
    clips: int
    views: int
    fixes: int
    drops: int
    building: Building | None
    portal_index: int
    view_index: int
    punch: PortalPiece | None
    rejected: str

    def __init__(self, root_id: int) -> None:
        self.root_id = root_id
        self.timestamp = 0
        self.cells = []
        self.by_id = {}
        self.outside = []
        self.portals = []
        self.guards = []
        self.fix_events = []
        self.clips = 0
        self.views = 0
        self.fixes = 0
        self.drops = 0
        self.building = None
        self.portal_index = NO_PORTAL
        self.view_index = 0
        self.punch = None
        self.rejected = ""

    def __repr__(self) -> str:
        return f"FloodResult({cell_text(self.root_id)}, {len(self.cells)} cells, {len(self.outside)} outside)"

    def leaves_out(self) -> bool:
        """Views may be smaller than the openings they were clipped from: by the rule of 5.1, by the containment guard's
        slack or by a cap."""
        if self.drops > 0 or len(self.guards) > 0:
            return True
        for record in self.portals:
            for piece in record.pieces:
                if piece.status == SLIVER:
                    return True
                view = piece.view
                if view is not None and len(view.vertices) != len(piece.points):
                    return True
        return False

    def visible(self, cell_id: int) -> VisibleCell | None:
        return self.by_id.get(cell_id)
