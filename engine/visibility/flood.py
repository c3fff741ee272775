"""Floods from where an eye is: from a room, and through a building's portal (rendering.md 7, 11.1, 12.5)."""

from __future__ import annotations

from engine.geometry.frame import Frame
from engine.geometry.plane import CLOSE
from engine.visibility.camera import Camera
from engine.visibility.guards import CELLS
from engine.visibility.openings import OpeningStore, PortalOpening, make_opening
from engine.visibility.options import FloodOptions
from engine.visibility.pview import PView
from engine.visibility.records import (
    CAPPED,
    CLIPPED,
    ENTRY,
    IN_PLANE,
    NO_CELL,
    NO_POLYGON,
    NO_PORTAL,
    NO_SLOT,
    NOT_LOADED,
    OPEN,
    SLIVER,
    WRONG_SIDE,
    FloodResult,
    PortalPiece,
    VisibleCell,
)
from engine.visibility.sight import Aperture
from engine.visibility.slots import PortalFlags, ViewSlots
from engine.visibility.view import ViewPoly, full_screen
from engine.world.cells.cell import Building
from engine.world.cells.portals import BldPortal
from engine.world.graph.graph import REMOVED, REPLACED, CellGraph, GraphChange


class BuildingOpenings:
    """The openings of a building's portals, as long as the building has these portals and this frame."""

    building: Building
    frame: Frame
    portals: list[BldPortal]
    openings: list[PortalOpening]

    def __init__(self, building: Building) -> None:
        self.building = building
        self.frame = building.frame
        self.portals = building.portals
        self.openings = [make_opening(portal.polygon, building.frame) for portal in building.portals]

    def still_fits(self, building: Building) -> bool:
        return (
            self.building is building
            and self.frame is building.frame
            and self.portals is building.portals
            and len(self.openings) == len(building.portals)
        )


class Visibility:
    """The two PViews over one graph with what they share: the slots, and the openings of cells and buildings, which it
    drops when the graph says that they change. `close` ends its watch.

    The options may be changed, or exchanged, between floods. A flood never loads anything and changes nothing but what
    is here.
    """

    graph: CellGraph
    options: FloodOptions
    slots: ViewSlots
    store: OpeningStore
    indoor_pview: PView
    outdoor_pview: PView
    _buildings: dict[int, BuildingOpenings]

    def __init__(self, graph: CellGraph, options: FloodOptions | None = None) -> None:
        self.graph = graph
        self.options = FloodOptions() if options is None else options
        self.slots = ViewSlots()
        self.store = OpeningStore()
        self.indoor_pview = PView(graph, True, self.options, self.slots, self.store)
        self.outdoor_pview = PView(graph, False, self.options, self.slots, self.store)
        self._buildings = {}
        graph.observe(self._keep_up)

    def close(self) -> None:
        self.graph.unobserve(self._keep_up)

    def _keep_up(self, change: GraphChange) -> None:
        if change.kind == REMOVED or change.kind == REPLACED:
            for cell_id in change.cell_ids:
                self.store.forget(cell_id)
            self._buildings.clear()

    # --- from a room (11.1)

    def flood_interior(self, root_id: int, camera: Camera) -> FloodResult:
        """Flood from a loaded room; for any other root, `rejected` is NOT_LOADED."""
        result = FloodResult(root_id)
        pview = self.indoor_pview
        pview.options = self.options
        cell = pview.neighbour(root_id)
        if cell is None:
            result.rejected = NOT_LOADED
            return result
        level = self.slots.add_views(root_id, cell.stab_set, self.options.ignore_stab_list)
        self.slots.beneath = level
        pview.begin(level)
        root = pview.slot_of(cell)
        root.views.append(full_screen(camera))
        pview.construct_view(root, NO_PORTAL, camera)
        self.slots.remove_views()
        _report(pview, result)
        return result

    def flood_whole(self, root_id: int, camera: Camera) -> FloodResult:
        """Repeat the flood with whole views. It does not count as a flood: no later result changes."""
        options = self.options
        timestamp = self.slots.master_timestamp
        self.options = options.whole()
        result = self.flood_interior(root_id, camera)
        self.options = options
        self.slots.master_timestamp = timestamp
        return result

    # --- through a building's portal (12.5)

    def flood_building(
        self,
        building: Building,
        block_id: int,
        portal_index: int,
        camera: Camera,
        active_view: ViewPoly,
        view_index: int = 0,
    ) -> FloodResult:
        """Flood through a portal of a building that stands in the landblock of `block_id`, within one of the active
        views.

        The result holds the opening for the punch and the rooms behind it, or the reason in `rejected`.
        """
        portal = building.portals[portal_index]
        result = FloodResult(portal.other_cell_id)
        result.building = building
        result.portal_index = portal_index
        result.view_index = view_index
        pview = self.outdoor_pview
        pview.options = self.options
        pview.begin(self.slots.add_views(NO_CELL, set(portal.stab_list), self.options.ignore_stab_list))
        opening = self._openings_of(building)[portal_index]
        if self._construct_building_view(portal, opening, block_id, camera, active_view, result):
            _report(pview, result)
        self.slots.remove_views()
        return result

    def _construct_building_view(
        self,
        portal: BldPortal,
        opening: PortalOpening,
        block_id: int,
        camera: Camera,
        active_view: ViewPoly,
        result: FloodResult,
    ) -> bool:
        """ConstructView of a building's portal, with both of its passes."""
        pview = self.outdoor_pview
        if not opening.usable:
            result.rejected = NO_POLYGON
            return False
        aperture = Aperture(opening, pview.sight_of(camera, block_id))
        side = 1 if portal.portal_side else 0
        if aperture.side != side and not aperture.stood_in:
            result.rejected = IN_PLANE if aperture.side == CLOSE else WRONG_SIDE
            return False
        points = aperture.get_clip(side, active_view)
        if len(points) == 0:
            result.rejected = CLIPPED
            return False
        cell = pview.neighbour(portal.other_cell_id)
        if cell is None:
            result.rejected = NOT_LOADED
            return False
        if not pview.level.has(cell.id):
            result.rejected = NO_SLOT
            return False
        view = pview.view_of(points)
        if view is None:
            result.rejected = SLIVER
            return False
        result.punch = PortalPiece(result.view_index, points, view, OPEN)
        root = pview.slot_of(cell)
        root.views.append(view)
        pview.construct_view(root, portal.other_portal_id, camera)
        return True

    def _openings_of(self, building: Building) -> list[PortalOpening]:
        known = self._buildings.get(building.id)
        if known is None or not known.still_fits(building):
            known = BuildingOpenings(building)
            self._buildings[building.id] = known
        return known.openings


def _report(pview: PView, result: FloodResult) -> None:
    """Record what the flood delivered (7.5), and release its slots."""
    result.timestamp = pview.slots.master_timestamp
    result.outside = pview.outside_view
    result.guards = pview.guards.report()
    result.fix_events = pview.fix_events
    result.clips = pview.clips
    result.views = pview.views
    result.fixes = len(pview.fix_events)
    result.drops = pview.drops
    for slot in pview.cell_draw_list:
        visible = VisibleCell(slot.cell, slot.views, slot.found)
        visible.max_indist = slot.max_indist
        visible.depth = slot.depth
        visible.late_views = slot.late_views
        parent = slot.parent
        if parent is not None:
            visible.parent_id = parent.cell.id
            visible.parent_portal = slot.parent_portal
        for flag in slot.flags:
            visible.portals.append(flag.record)
            result.portals.append(flag.record)
            if flag.record.status == OPEN:
                _mark_entry(flag)
        result.cells.append(visible)
        result.by_id[visible.cell_id] = visible
    if pview.guards.hits[CELLS] > 0:
        _mark_left_out(pview, result)
    if pview.options.stale_inflags:
        pview.leave_flags()
    pview.level.untie()


def _mark_left_out(pview: PView, result: FloodResult) -> None:
    """The flood found a portal into a cell but had no slot left for it."""
    for slot in pview.cell_draw_list:
        for flag in slot.flags:
            neighbour = flag.neighbour
            if flag.record.status == OPEN and neighbour is not None and neighbour.cell.id not in result.by_id:
                flag.record.status = CAPPED
                for piece in flag.record.pieces:
                    if piece.status == OPEN:
                        piece.status = CAPPED


def _mark_entry(flag: PortalFlags) -> None:
    """The other end of a portal that was followed is an entry, also where the flood itself needs no note of it."""
    neighbour = flag.neighbour
    if neighbour is not None and 0 <= flag.back < len(neighbour.flags):
        entry = neighbour.flags[flag.back].record
        if entry.status == WRONG_SIDE:
            entry.status = ENTRY


def flood_interior(graph: CellGraph, root_id: int, camera: Camera, options: FloodOptions | None = None) -> FloodResult:
    """One flood from a room, without keeping anything for the next."""
    visibility = Visibility(graph, options)
    result = visibility.flood_interior(root_id, camera)
    visibility.close()
    return result
