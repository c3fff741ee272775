"""PView: the flood through portals (rendering.md 7, 8, 10). The methods bear the client's names.

A flood starts in a cell that has a view, takes the nearest waiting cell, clips its portals against its views, and
passes the clipped views to the neighbours. A cell that gains a view after it was processed passes the new view on at
once and may have to move in the draw list. Cells that lead into themselves, which the client would not survive, end at
a guard, and each guard hit is counted.
"""

from __future__ import annotations

from typing import Final

from engine.geometry.plane import CLOSE
from engine.visibility.camera import Camera
from engine.visibility.guards import CELLS, CLIPS, FIXES, MOVES, POLYGON, RETURN_PORTAL, VIEWS, Guards
from engine.visibility.openings import OpeningStore
from engine.visibility.options import MAX_MOVES, FloodOptions
from engine.visibility.records import (
    CAPPED,
    CLIPPED,
    CONTAINED,
    ENTRY,
    EXIT,
    EXIT_OPEN,
    IN_PLANE,
    NO_POLYGON,
    NO_PORTAL,
    NO_SLOT,
    NOT_LOADED,
    OPEN,
    OTHER_CLIP,
    SLIVER,
    WRONG_SIDE,
    FixEvent,
    PortalPiece,
    PortalRecord,
)
from engine.visibility.sight import BlockCamera
from engine.visibility.slots import PortalFlags, PortalView, ViewLevel, ViewSlots
from engine.visibility.view import SAME, ScreenPoint, ViewPoly, full_screen, view_of, whole_view_of
from engine.world.cells.cell import EnvCell
from engine.world.cells.ids import block_of
from engine.world.graph.graph import CellGraph

CONTAINMENT_SLACK: Final = 0.5
"""Pixels that a view may reach out of another and still count as contained in it (10)."""


# How far a piece of a portal got; the portal's status is that of the piece that got farthest.
_GOT_CLIPPED: Final = 1
_GOT_OTHER_CLIP: Final = 2
_GOT_SLIVER: Final = 3
_GOT_NOT_LOADED: Final = 4
_GOT_NO_SLOT: Final = 5
_GOT_CONTAINED: Final = 6
_GOT_CAPPED: Final = 7
_GOT_OPEN: Final = 8


class PView:
    """One of the two PViews: the indoor one sees the landscape through exits, the one that looks into buildings does
    not.

    The lists belong to the most recent flood.
    """

    graph: CellGraph
    draw_landscape: bool
    options: FloodOptions
    slots: ViewSlots
    store: OpeningStore
    level: ViewLevel
    camera: Camera | None
    sight: BlockCamera | None
    outside_view: list[ViewPoly]
    cell_draw_list: list[PortalView]
    cell_todo_list: list[PortalView]
    guards: Guards
    fix_events: list[FixEvent]
    clips: int
    views: int
    drops: int
    moves: int
    fix_depth: int

    def __init__(
        self, graph: CellGraph, draw_landscape: bool, options: FloodOptions, slots: ViewSlots, store: OpeningStore
    ) -> None:
        self.graph = graph
        self.draw_landscape = draw_landscape
        self.options = options
        self.slots = slots
        self.store = store
        self.level = ViewLevel(0, set(), False)
        self.camera = None
        self.sight = None
        self.begin(self.level)

    def begin(self, level: ViewLevel) -> None:
        """Forget the last flood; the next one has the slots of `level`."""
        self.level = level
        self.outside_view = []
        self.cell_draw_list = []
        self.cell_todo_list = []
        self.guards = Guards()
        self.fix_events = []
        self.clips = 0
        self.views = 0
        self.drops = 0
        self.moves = 0
        self.fix_depth = 0

    def sight_of(self, camera: Camera, block_id: int) -> BlockCamera:
        """The camera in the coordinates of a landblock; the same one until camera, landblock or mode change."""
        sight = self.sight
        robust = self.options.robust
        if (
            sight is None
            or self.camera is not camera
            or block_of(sight.block_id) != block_of(block_id)
            or sight.robust != robust
        ):
            sight = BlockCamera(camera, block_id, robust)
            self.camera = camera
            self.sight = sight
        return sight

    def slot_of(self, cell: EnvCell) -> PortalView:
        """The slot of a cell that has one on this level."""
        slots = self.level.slots
        slot = slots.get(cell.id)
        if slot is None:
            slot = PortalView(cell, self.store.of(cell))
            slots[cell.id] = slot
        return slot

    def neighbour(self, cell_id: int) -> EnvCell | None:
        """GetVisible: a room that is loaded."""
        cell = self.graph.peek(cell_id)
        return cell if isinstance(cell, EnvCell) else None

    def view_of(self, points: list[ScreenPoint]) -> ViewPoly | None:
        """copy_view (5.1), or the opening as it is."""
        return whole_view_of(points) if self.options.whole_views else view_of(points)

    # --- the flood (7)

    def construct_view(self, root: PortalView, portal_in: int, camera: Camera) -> None:
        """Flood from a cell whose slot holds a view already; `portal_in` is the portal it was entered by."""
        self.slots.master_timestamp += 1
        self.init_cell(root, portal_in, camera)
        self.ins_todo(root, 0.0)
        todo = self.cell_todo_list
        while len(todo) > 0:
            c = todo.pop()
            c.found = len(self.cell_draw_list)
            self.cell_draw_list.append(c)
            c.cell_view_done = True
            if self.clip_portals(c, 0, camera):
                self.add_view_to_portals(c, camera)

    def init_cell(self, pv: PortalView, portal_in: int, camera: Camera) -> bool:
        """Look at the portals of a cell when the flood first comes to it; False when nothing of it is seen."""
        if len(pv.views) == 0:
            return False
        pv.cell_view_done = False
        pv.view_timestamp = self.slots.master_timestamp
        sight = self.sight_of(camera, pv.cell.id)
        portals = pv.cell.portals
        cell_id = pv.cell.id
        far2 = 0.0
        forced = portal_in
        if portal_in >= 0 and self.options.stale_inflags:
            stale = self.slots.stale.get(self.slots.slot_number(cell_id, self.draw_landscape))
            if stale is not None and portal_in < len(stale) and stale[portal_in]:
                forced = NO_PORTAL
        flags: list[PortalFlags] = []
        for i in range(len(pv.openings)):
            portal = portals[i]
            aperture = pv.aperture(i, sight)
            if aperture is None:
                record = PortalRecord(cell_id, i, portal.other_cell_id, NO_POLYGON, CLOSE)
                flag = PortalFlags(portal, record, None)
                flag.inflag = True
                self.guards.hit(POLYGON)
            else:
                record = PortalRecord(cell_id, i, portal.other_cell_id, WRONG_SIDE, aperture.side)
                flag = PortalFlags(portal, record, aperture)
                if i == forced:
                    flag.inflag = True
                    flag.seen = True
                    record.status = ENTRY
                elif aperture.side != CLOSE and (aperture.side != 0) != portal.portal_side:
                    flag.inflag = True
                else:
                    flag.seen = True
                    self.look_through(flag)
                if flag.inflag:
                    d2 = aperture.opening.farthest2(sight.eye)
                    if d2 > far2:
                        far2 = d2
            flags.append(flag)
        pv.flags = flags
        pv.max_indist = far2
        pv.update_count = len(pv.views)
        pv.dropped = 0
        return True

    def look_through(self, flag: PortalFlags) -> None:
        """Find out where a traversable portal leads, and what its status is until something is seen through it."""
        portal = flag.portal
        record = flag.record
        if record.side == CLOSE:
            record.status = IN_PLANE
            flag.rank = _GOT_SLIVER
        elif portal.leads_outside:
            record.status = EXIT
            flag.rank = _GOT_SLIVER
        else:
            record.status = CLIPPED
            flag.rank = _GOT_CLIPPED
        if portal.leads_outside:
            return
        cell = self.neighbour(portal.other_cell_id)
        if cell is None:
            record.status = NOT_LOADED
            flag.rank = _GOT_NOT_LOADED
            return
        flag.cell = cell
        if self.level.has(cell.id):
            flag.neighbour = self.slot_of(cell)
        back = portal.other_portal_id
        if back >= len(cell.portals):
            self.guards.hit(RETURN_PORTAL)
        elif back >= 0:
            flag.back = back

    def ins_todo(self, pv: PortalView, dist: float) -> None:
        """`InsCellTodoList`: the nearest at the end; of equals the first come is the first served."""
        if len(self.cell_todo_list) + len(self.cell_draw_list) >= self.options.max_cells:
            self.guards.hit(CELLS)
            return
        pv.dist = dist
        todo = self.cell_todo_list
        i = len(todo)
        while i > 0 and not dist < todo[i - 1].dist:
            i -= 1
        todo.insert(i, pv)

    def clip_portals(self, pv: PortalView, first_view: int, camera: Camera) -> bool:
        """Clip the traversable portals against the views from `first_view` on and hand on the pieces. True says that
        something could be traversed, not that something was seen."""
        live = False
        for flag in pv.flags:
            if flag.seen and not flag.inflag and (flag.portal.leads_outside or flag.cell is not None):
                live = True
                break
        if not live:
            return False
        for k in range(first_view, len(pv.views)):
            view = pv.views[k]
            for flag in pv.flags:
                if flag.seen and not flag.inflag:
                    if self.clips >= self.options.max_clips:
                        self.guards.hit(CLIPS)
                        self.outcome(flag, CAPPED, _GOT_CAPPED)
                        continue
                    self.clip_portal(flag, view, k, camera)
        return True

    def clip_portal(self, flag: PortalFlags, view: ViewPoly, view_index: int, camera: Camera) -> None:
        """Clip one portal against one view, and pass the clipped view on."""
        aperture = flag.aperture
        if aperture is None:
            return
        portal = flag.portal
        self.clips += 1
        points = aperture.get_clip(1 if portal.portal_side else 0, view)
        if len(points) == 0:
            return
        piece = PortalPiece(view_index, points, None, CLIPPED)
        flag.record.pieces.append(piece)
        if portal.leads_outside:
            self.see_outside(flag, piece, camera)
            return
        cell = flag.cell
        neighbour = flag.neighbour
        if cell is None:
            piece.status = NOT_LOADED
        elif neighbour is None:
            piece.status = NO_SLOT
            self.outcome(flag, NO_SLOT, _GOT_NO_SLOT)
        else:
            if not portal.exact_match and flag.back >= 0:
                points = self.other_portal_clip(flag, neighbour, piece, camera)
                if len(points) == 0:
                    return
                piece.points = points
            self.copy_view(flag, neighbour, piece)

    def see_outside(self, flag: PortalFlags, piece: PortalPiece, camera: Camera) -> None:
        """Add the clipped exit to the landscape's views, if this flood looks for exits."""
        piece.status = EXIT
        if not self.draw_landscape:
            return
        view = self.view_of(piece.points)
        if view is None:
            piece.status = SLIVER
            return
        piece.view = view
        piece.status = EXIT_OPEN
        self.outcome(flag, EXIT_OPEN, _GOT_OPEN)
        if self.options.clip_landscape:
            self.outside_view.append(view)
        elif len(self.outside_view) == 0:
            self.outside_view.append(full_screen(camera))

    def other_portal_clip(
        self, flag: PortalFlags, neighbour: PortalView, piece: PortalPiece, camera: Camera
    ) -> list[ScreenPoint]:
        """Where two polygons differ, the opening is the part that both leave free, as seen from the eye (6.4)."""
        opening = self.view_of(piece.points)
        if opening is None:
            piece.status = SLIVER
            self.outcome(flag, SLIVER, _GOT_SLIVER)
            return []
        other = neighbour.aperture(flag.back, self.sight_of(camera, neighbour.cell.id))
        points: list[ScreenPoint] = []
        if other is None:
            self.guards.hit(POLYGON)
        else:
            self.clips += 1
            # The neighbour's polygon seen from our side, which is its back.
            points = other.get_clip(0 if neighbour.cell.portals[flag.back].portal_side else 1, opening)
        if len(points) == 0:
            piece.status = OTHER_CLIP
            self.outcome(flag, OTHER_CLIP, _GOT_OTHER_CLIP)
        return points

    def copy_view(self, flag: PortalFlags, neighbour: PortalView, piece: PortalPiece) -> None:
        """Make a view of the neighbour out of a piece, unless that is next to nothing or nothing new."""
        view = self.view_of(piece.points)
        if view is None:
            piece.status = SLIVER
            self.outcome(flag, SLIVER, _GOT_SLIVER)
            return
        piece.view = view
        if self.options.containment:
            slack = SAME if self.options.whole_views else CONTAINMENT_SLACK
            for known in neighbour.views:
                if known.contains_view(view, slack):
                    self.drops += 1
                    neighbour.dropped += 1
                    piece.status = CONTAINED
                    self.outcome(flag, CONTAINED, _GOT_CONTAINED)
                    return
        if len(neighbour.views) >= self.options.max_cell_views:
            self.guards.hit(VIEWS)
            piece.status = CAPPED
            self.outcome(flag, CAPPED, _GOT_CAPPED)
            return
        self.views += 1
        neighbour.views.append(view)
        piece.status = OPEN
        self.outcome(flag, OPEN, _GOT_OPEN)

    def outcome(self, flag: PortalFlags, status: str, rank: int) -> None:
        if rank > flag.rank:
            flag.rank = rank
            flag.record.status = status

    def add_view_to_portals(self, pv: PortalView, camera: Camera) -> None:
        """Queue the neighbours that were given their first view, and hand on what others gained late."""
        for i in range(len(pv.flags)):
            flag = pv.flags[i]
            n = flag.neighbour
            if n is None or flag.inflag or not flag.seen or len(n.views) == 0:
                continue
            if n.update_count == 0:
                n.parent = pv
                n.parent_portal = i
                n.depth = pv.depth + 1
                if self.init_cell(n, flag.back, camera):
                    self.ins_todo(n, n.max_indist)
            elif n.update_count != len(n.views) or n.dropped > 0:
                self.add_to_cell(n, flag.back)
                if n.cell_view_done:
                    self.fix_cell_list(n, pv, camera)
                n.update_count = len(n.views)
                n.dropped = 0
            else:
                continue
            if flag.back >= 0:
                self.set_other_seen(pv, n, flag.back)

    def add_to_cell(self, n: PortalView, portal_in: int) -> None:
        """A cell that is known gained views through `portal_in`: it is not looked out of by that one."""
        if 0 <= portal_in < len(n.flags):
            n.flags[portal_in].inflag = True
        for flag in n.flags:
            if not flag.inflag and not flag.seen:
                flag.seen = True

    def set_other_seen(self, pv: PortalView, n: PortalView, back: int) -> None:
        """Remember that n is seen from `pv` through its portal `back`."""
        if back >= len(n.flags):
            return
        flag = n.flags[back]
        flag.seen_from = pv
        if flag.inflag:
            flag.seen = True
            if flag.record.status == WRONG_SIDE:
                flag.record.status = ENTRY

    def leave_flags(self) -> None:
        """A flood is over, and its slots keep their flags."""
        for pv in self.cell_draw_list:
            number = self.slots.slot_number(pv.cell.id, self.draw_landscape)
            self.slots.stale[number] = [flag.inflag for flag in pv.flags]

    # --- late views (8)

    def fix_cell_list(self, n: PortalView, c: PortalView, camera: Camera) -> None:
        """n, which was dealt with already, is now also seen through c: put c before it, hand on the new views.

        Views that the containment guard left out move c as well, as they would in the client: a room that is seen back
        into comes before the one that it is seen from (rendering.md M11).
        """
        if self.fix_depth >= self.options.max_fix_depth:
            self.guards.hit(FIXES)
            return
        late = len(n.views) - n.update_count
        n.late_views += late
        self.fix_depth += 1
        moves = self.moves
        self.adjust_cell_place(n, c, 0)
        moved = self.moves - moves
        if late > 0 or moved > 0:
            event = FixEvent(n.cell.id, c.cell.id)
            event.moved = moved
            self.fix_events.append(event)
        if late > 0:
            self.adjust_cell_view(n, camera)
        self.fix_depth -= 1

    def adjust_cell_view(self, n: PortalView, camera: Camera) -> None:
        """Hand on the new views only; `update_count` still counts the old ones."""
        if self.clip_portals(n, n.update_count, camera):
            self.add_view_to_portals(n, camera)

    def adjust_cell_place(self, n: PortalView, c: PortalView, depth: int) -> None:
        """c is nearer than n and must be before it in the draw list, and what c is seen through before c."""
        if depth >= self.options.max_fix_depth or self.moves >= MAX_MOVES:
            self.guards.hit(MOVES)
            return
        if not self.move_before(n, c):
            return
        self.moves += 1
        for flag in c.flags:
            m = flag.seen_from
            if m is not None and flag.seen and flag.inflag:
                self.adjust_cell_place(c, m, depth + 1)

    def move_before(self, n: PortalView, c: PortalView) -> bool:
        """`AdjustDrawList`: False when c is in front of n already."""
        cells = self.cell_draw_list
        for i in range(len(cells)):
            cell = cells[i]
            if cell is c:
                return False
            if cell is n:
                break
        else:
            return False
        for j in range(i + 1, len(cells)):
            if cells[j] is c:
                cells.pop(j)
                cells.insert(i, c)
                return True
        return False
