"""The cell of the free camera: latched by crossing portals, searched for only when that fails (rendering.md 21.5).

The free camera has no body and no collision, so no sweep carries its cell. Its own latch looks at the way from the last
eye to this one. Leaving a room takes the crossing of an exit, or being found nowhere indoors; a few millimetres outside
a room's tree are no reason.
"""

from __future__ import annotations

from typing import Final

from engine.geometry.constants import EPSILON
from engine.geometry.frame import Frame
from engine.geometry.polygon import Polygon
from engine.geometry.vec import Vec3, distance, is_finite, lerp
from engine.visibility.point_location import PointLocator
from engine.visibility.world_view import BlockView, WorldView
from engine.world.cells.cell import Building, EnvCell
from engine.world.cells.ids import is_env_cell, landblock_id
from engine.world.cells.landdefs import block_offset, get_outside_cell_id
from engine.world.cells.portals import BldPortal, CellPortal
from engine.world.graph.graph import NO_CELL, CellGraph
from engine.world.landblock import neighbour_ids

MAX_CROSSINGS: Final = 16

# How the last update found the cell.
KEPT: Final = "kept"
CROSSED: Final = "crossed"
NEARBY: Final = "nearby"
SEARCHED: Final = "searched"
OUTDOORS: Final = "outdoors"
NOWHERE: Final = "nowhere"

_NO_CROSSING: Final = 2.0
_WELL_INSIDE: Final = 0.05
"""The distance in metres that an eye that flew into a house through a wall must be inside a room before it counts as
indoors. It exceeds the thickness of any threshold, so an eye that just crossed an exit is not taken back in."""


def crossing(polygon: Polygon, portal_side: bool, a: Vec3, b: Vec3) -> float:
    """The fraction of the segment from a to b at which it leaves through an opening; over 1 when it does not.

    A segment leaves from the side that the portal is looked through from. It may begin a hair beyond the plane: then it
    began after the previous crossing.
    """
    plane = polygon.plane
    before = plane.dist(a)
    after = plane.dist(b)
    if portal_side:
        before = -before
        after = -after
    if before < -EPSILON or after >= 0.0 or after >= before:
        return _NO_CROSSING
    t = before / (before - after) if before > 0.0 else 0.0
    return t if polygon.point_in_polygon(lerp(a, b, t)) else _NO_CROSSING


class FreeCell:
    """The free camera's eye and the cell of that eye.

    `cell_id` is the root to draw from; NO_CELL before the first `place`. `eye` is in the coordinates of that cell's
    landblock. With `outside_all` the eye is in no cell at all, and `cell_id` is the last one it was in: draw with
    back-face culling, as when looking into a doll's house. `others` are further rooms that contain the eye.
    """

    graph: CellGraph
    world_view: WorldView
    locator: PointLocator
    cell_id: int
    eye: Vec3
    outside_all: bool
    others: list[int]
    how: str
    crossings: int
    _from: Vec3
    _at: float

    def __init__(self, world_view: WorldView) -> None:
        self.graph = world_view.graph
        self.world_view = world_view
        self.locator = PointLocator(world_view)
        self.cell_id = NO_CELL
        self.eye = (0.0, 0.0, 0.0)
        self.outside_all = False
        self.others = []
        self.how = NOWHERE
        self.crossings = 0
        self._from = (0.0, 0.0, 0.0)
        self._at = _NO_CROSSING

    def __repr__(self) -> str:
        return f"FreeCell(0x{self.cell_id:08X}, {self.eye!r}, {self.how})"

    def place(self, cell_id: int, eye: Vec3) -> None:
        """Begin at a place: in that cell if it contains the eye, else where the search finds it."""
        self.cell_id = cell_id
        self.eye = eye
        self._from = eye
        self.others = []
        self.crossings = 0
        self._settle(cell_id)

    def update_free_cell(self, eye: Vec3) -> None:
        """The eye has moved, in a straight line, to a place in the coordinates of the landblock it was in.

        A place that is none, for not-a-number or infinity, leaves everything as it is.
        """
        if not is_finite(eye):
            return
        old_id = self.cell_id
        self._from = self.eye
        self.eye = eye
        self.others = []
        self.crossings = 0
        if old_id != NO_CELL and not (eye == self._from and not self.outside_all):
            self._cross_portals()
        self._settle(old_id)

    # --- 1. portals on the way

    def _cross_portals(self) -> None:
        while self.crossings < MAX_CROSSINGS:
            cell = self.graph.peek(self.cell_id)
            if isinstance(cell, EnvCell):
                entered = self._leave_room(cell)
            elif is_env_cell(self.cell_id):
                return
            else:
                entered = self._enter_building()
            if entered == NO_CELL:
                return
            self.crossings += 1
            self._from = lerp(self._from, self.eye, self._at)
            self._go_to(entered)

    def _leave_room(self, cell: EnvCell) -> int:
        """The cell behind the first opening on the rest of the way."""
        a = cell.frame.global_to_local(self._from)
        b = cell.frame.global_to_local(self.eye)
        first: CellPortal | None = None
        self._at = _NO_CROSSING
        for portal in cell.portals:
            polygon = portal.polygon
            if polygon is not None:
                t = crossing(polygon, portal.portal_side, a, b)
                if t < self._at:
                    self._at = t
                    first = portal
        if first is None:
            return NO_CELL
        if first.leads_outside:
            return get_outside_cell_id(self.cell_id, lerp(self._from, self.eye, self._at))
        return first.other_cell_id if self.graph.peek(first.other_cell_id) is not None else NO_CELL

    def _enter_building(self) -> int:
        """The room behind the first building portal on the rest of the way, of the landblocks around."""
        first: BldPortal | None = None
        self._at = _NO_CROSSING
        for block_id in [landblock_id(self.cell_id), *neighbour_ids(self.cell_id)]:
            block = self.world_view.block(block_id)
            if block is not None and block.buildings:
                entry = self._first_entry(block)
                if entry is not None:
                    first = entry
        return NO_CELL if first is None else first.other_cell_id

    def _first_entry(self, block: BlockView) -> BldPortal | None:
        dx, dy, dz = block_offset(block.block_id, self.cell_id)
        x, y, z = self._from
        a: Vec3 = (x + dx, y + dy, z + dz)
        x, y, z = self.eye
        b: Vec3 = (x + dx, y + dy, z + dz)
        first: BldPortal | None = None
        for view in block.buildings:
            building: Building = view.building
            frame: Frame = building.frame
            local_a = frame.global_to_local(a)
            local_b = frame.global_to_local(b)
            for portal in building.portals:
                polygon = portal.polygon
                if polygon is not None:
                    t = crossing(polygon, portal.portal_side, local_a, local_b)
                    if t < self._at and self.graph.peek(portal.other_cell_id) is not None:
                        self._at = t
                        first = portal
        return first

    # --- 2 to 5. what contains the eye

    def _settle(self, old_id: int) -> None:
        cell = self.graph.peek(self.cell_id)
        if isinstance(cell, EnvCell):
            if cell.point_in_cell(self.eye):
                self._found(cell.id, KEPT if cell.id == old_id else CROSSED)
                return
        elif cell is not None:
            self._settle_outdoors(old_id)
            return
        if not self._search(old_id):
            self._give_up()

    def _settle_outdoors(self, old_id: int) -> None:
        """Outdoors the land cell goes with the eye, unless the eye is well inside a room: those win.

        An eye that has just crossed an exit stays outdoors until it is well beyond that exit.
        """
        room = self.locator.room_around(self.cell_id, self.eye, _WELL_INSIDE)
        if room is not None and (self.crossings == 0 or distance(self._from, self.eye) > _WELL_INSIDE):
            self._found(room.id, SEARCHED)
            return
        land_id = get_outside_cell_id(self.cell_id, self.eye)
        block = None if land_id == NO_CELL else self.world_view.block(land_id)
        if block is None or not block.shows_terrain:
            self._nowhere(old_id)
        else:
            self._found(land_id, CROSSED if is_env_cell(old_id) else KEPT)

    def _search(self, old_id: int) -> bool:
        """Something was flown through that is no portal."""
        old = self.graph.peek(old_id)
        if isinstance(old, EnvCell):
            nearby = [old_id, *[portal.other_cell_id for portal in old.portals], *old.stab_list]
            x, y, z = self.eye
            dx, dy, dz = block_offset(old_id, self.cell_id)
            room = self.locator.first_of(nearby, (x + dx, y + dy, z + dz))
            if room is not None:
                self._found(room.id, NEARBY)
                return True
        rooms = self.locator.rooms_at(landblock_id(self.cell_id), self.eye)
        if not rooms:
            return False
        room = self.locator.nearest(rooms, self._starts(old_id))
        self.others = [other.id for other in rooms if other is not room]
        self._found(room.id, SEARCHED)
        return True

    def _starts(self, old_id: int) -> list[int]:
        """The cells from which the search enters the portal graph: the old cell, or from outdoors every door of its
        landblock."""
        if is_env_cell(old_id):
            return [old_id]
        block = self.world_view.block(old_id)
        if block is None:
            return []
        return [portal.other_cell_id for view in block.buildings for portal in view.building.portals]

    def _give_up(self) -> None:
        """No room contains the eye: outdoors where there is ground to show, else nowhere."""
        land_id = get_outside_cell_id(self.cell_id, self.eye)
        block = None if land_id == NO_CELL else self.world_view.block(land_id)
        if block is None or not block.shows_terrain:
            self._nowhere(self.cell_id)
        else:
            self._found(land_id, OUTDOORS)

    def _nowhere(self, cell_id: int) -> None:
        """The last root stays."""
        self._go_to(cell_id)
        self.how = NOWHERE
        self.outside_all = True

    def _found(self, cell_id: int, how: str) -> None:
        self._go_to(cell_id)
        self.how = how
        self.outside_all = False

    def _go_to(self, cell_id: int) -> None:
        """Both ends of the way go along into the coordinates of another landblock."""
        dx, dy, _ = block_offset(cell_id, self.cell_id)
        if dx != 0.0 or dy != 0.0:
            x, y, z = self.eye
            self.eye = (x + dx, y + dy, z)
            x, y, z = self._from
            self._from = (x + dx, y + dy, z)
        self.cell_id = cell_id
