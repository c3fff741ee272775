"""The frame driver: turns an eye and a root cell into the events of a frame, in the client's order (rendering.md
4.1, 11, 12). The methods bear the client's names.

From a room, the frame draws what the flood makes visible: the landscape first if an exit is seen, then the exits sealed
in depth, then the rooms far to near. From outdoors, it draws the landscape, in which every building with a visible
opening shows its rooms through a flood of its own. There is one algorithm and no special case for dungeons: there the
flood meets no exit.
"""

from __future__ import annotations

from typing import Final

from engine.geometry.polygon import Polygon
from engine.visibility.camera import Camera
from engine.visibility.culling import ViewCone, sphere_in_views, view_cones
from engine.visibility.events import (
    FULL_ENOUGH,
    AlphaFlush,
    BuildingShell,
    DefaultView,
    DrawInside,
    FrameEvent,
    Land,
    LandCellVisit,
    Objects,
    Punch,
    Seal,
    Shell,
    Sky,
    Stamp,
    Sun,
    Weather,
    ZClear,
)
from engine.visibility.flood import Visibility
from engine.visibility.landscape import (
    INNER,
    DrawnBlock,
    LandOrder,
    cell_in_view,
    rings_from,
    square_width,
    viewpoint_of,
)
from engine.visibility.records import FloodResult, PortalPiece, VisibleCell
from engine.visibility.view import ViewPoly, ViewVertex, full_screen
from engine.visibility.world_view import BuildingView, WorldView
from engine.world.cells.cell import EnvCell
from engine.world.cells.ids import is_env_cell, landblock_id
from engine.world.cells.landdefs import block_offset, get_outside_cell_id
from engine.world.cells.portals import CellPortal
from engine.world.graph.graph import NO_CELL, CellGraph

LAND_CELL_WALL: Final = 12.0
"""Half a landcell: how far from its middle the walls of a room or building that fills one are, in metres (11.3)."""

INDOORS = -1
"""In place of a look-in's number: the flood that the frame itself began with."""


class FrameOptions:
    """The options of a frame.

    With `exact`, the renderer confines shells to their views and seals the portals between rooms, so each room's
    contents follow its walls directly, and a room that is seen through several openings of a building comes once for
    each (14.5). Otherwise the events are the client's own.

    With a `load_point`, a cell id, the ground has fewer squares the farther a landblock is from that one, and only the
    landblocks around it have buildings and objects (rendering.md M2, `terrain detail`).
    """

    exact: bool
    load_point: int

    def __init__(self, exact: bool = False, load_point: int = NO_CELL) -> None:
        self.exact = exact
        self.load_point = load_point


class FrameResult:
    """A frame: its events and the floods that produced them.

    `flood` is the indoor flood, None when the root is outdoors. `look_ins` are the floods through building portals, in
    draw order, and `rejected` the portals through which nothing is seen. `landscape_views` is the active view list of
    the landscape: empty when it is not drawn.

    Views leave out up to a pixel of an opening (5.1), and up to a pixel for each of several openings behind each other,
    so rooms that are confined to their views leave uncovered pixels. In an exact frame from a room, the events in
    `gaps` fill them: the rooms again, and those behind them, under views that leave nothing out. `land_in_gaps` holds
    the landscape's views of that kind.
    """

    camera: Camera
    root_id: int
    exact: bool
    load_point: int
    events: list[FrameEvent]
    flood: FloodResult | None
    look_ins: list[FloodResult]
    rejected: list[FloodResult]
    landscape_views: list[ViewPoly]
    gaps: list[FrameEvent]
    land_in_gaps: list[ViewPoly]
    message: str

    def __init__(self, camera: Camera, root_id: int, exact: bool) -> None:
        self.camera = camera
        self.root_id = root_id
        self.exact = exact
        self.load_point = NO_CELL
        """Round which alone things stand, as the options had it; NO_CELL: they stand everywhere."""
        self.events = []
        self.flood = None
        self.look_ins = []
        self.rejected = []
        self.landscape_views = []
        self.gaps = []
        self.land_in_gaps = []
        self.message = ""

    def __repr__(self) -> str:
        return f"FrameResult(0x{self.root_id:08X}, {len(self.events)} events)"

    def floods(self) -> list[FloodResult]:
        """The indoor flood, if there is one, and all that look into buildings."""
        flood = self.flood
        return [*self.look_ins] if flood is None else [flood, *self.look_ins]

    def visible_ids(self) -> list[int]:
        """The rooms that are drawn, ascending."""
        return sorted({visible.cell_id for flood in self.floods() for visible in flood.cells})


class FrameDriver:
    """Makes the frames of one world. Keep it from frame to frame: it keeps the orders of the landscape."""

    world_view: WorldView
    visibility: Visibility
    graph: CellGraph
    order: LandOrder
    frame: FrameResult
    events: list[FrameEvent]
    _drawn: dict[int, bool]
    _cones: list[ViewCone]
    _terrain: list[LandCellVisit]
    _objects: list[LandCellVisit]
    _shells: list[FrameEvent]

    def __init__(self, world_view: WorldView, visibility: Visibility) -> None:
        self.world_view = world_view
        self.visibility = visibility
        self.graph = world_view.graph
        self.order = LandOrder(world_view)
        self._begin(FrameResult(_NO_CAMERA, NO_CELL, False))

    def _begin(self, frame: FrameResult) -> None:
        self.frame = frame
        self.events = frame.events
        self._drawn = {}
        self._cones = []
        self._terrain = []
        self._objects = []
        self._shells = []

    def frame_events(self, camera: Camera, root_id: int, options: FrameOptions | None = None) -> FrameResult:
        """Build a frame from the eye of `camera`, rooted at a cell that the caller tracks
        (`engine.visibility.root`)."""
        frame = FrameResult(camera, root_id, options is not None and options.exact)
        frame.load_point = NO_CELL if options is None else options.load_point
        self._begin(frame)
        self.render_normal_mode()
        return frame

    # --- inside or outside (4.1)

    def render_normal_mode(self) -> None:
        """Decide by the id of the root alone. A root in no cell sees nothing."""
        frame = self.frame
        if frame.root_id == NO_CELL:
            frame.message = "nothing is drawn: there is no root cell"
            return
        if not is_env_cell(frame.root_id):
            view = full_screen(frame.camera)
            self.visibility.slots.beneath = None
            self.events.append(DefaultView(view))
            self.events.append(Sun(True))
            self.draw_landscape([view])
        else:
            flood = self.visibility.flood_interior(frame.root_id, frame.camera)
            if flood.rejected:
                frame.message = f"nothing is drawn: the root cell 0x{frame.root_id:08X} is not loaded"
                return
            frame.flood = flood
            self.events.append(DrawInside(frame.root_id))
            self.draw_cells(flood, INDOORS)
            if frame.exact:
                self._fill_gaps(flood)
        self.events.append(AlphaFlush())

    # --- rooms (11.2)

    def draw_cells(self, flood: FloodResult, look_in: int) -> None:
        """The rooms of a flood; those of a look into a building never have an outside."""
        events = self.events
        if len(flood.outside) > 0:
            events.append(Sun(True))
            self.draw_landscape(flood.outside)
            events.append(AlphaFlush())
            events.append(Stamp())
            self._drawn.clear()
            events.append(ZClear())
            for visible in flood.cells[::-1]:
                if self._draws_shell(visible.cell):
                    self._seal_exits(visible, events)
        events.append(Sun(False))
        if self.frame.exact:
            for visible in flood.cells[::-1]:
                self._draw_shell(visible, look_in)
                events.append(Objects(visible, look_in))
                events.append(AlphaFlush())
        else:
            for visible in flood.cells[::-1]:
                if visible.cell_id not in self._drawn:
                    self._draw_shell(visible, look_in)
            for visible in flood.cells[::-1]:
                events.append(Objects(visible, look_in))
        events.append(Sun(True))

    def _draws_shell(self, cell: EnvCell) -> bool:
        block = self.world_view.block(cell.id)
        return block is None or block.draws_shell(cell)

    def _draw_shell(self, visible: VisibleCell, look_in: int) -> None:
        """DrawEnvCell (11.4)."""
        if self._draws_shell(visible.cell):
            self._drawn[visible.cell_id] = True
            self.events.append(Shell(visible, look_in))

    def _seal_exits(self, visible: VisibleCell, events: list[FrameEvent]) -> None:
        """The visible exits of a room, view by view. The client also seals an exit that the eye is behind; in a convex
        room the eye cannot see both that opening and the contents of the room."""
        portals: list[CellPortal] = visible.cell.portals
        for view_index in range(len(visible.views)):
            for record in visible.portals:
                portal = portals[record.index]
                if portal.leads_outside and record.pieces and self._marks_depth(portal.polygon):
                    for piece in record.pieces:
                        if piece.view_index == view_index:
                            seal = Seal(visible.cell_id, record.index, view_index, piece)
                            events.append(seal)

    def _marks_depth(self, polygon: Polygon | None) -> bool:
        """Whether an opening is punched or sealed. The client leaves out openings in walls of objects that fill a
        landcell."""
        return self.frame.exact or polygon is None or not _on_land_cell_wall(polygon)

    def _fill_gaps(self, flood: FloodResult) -> None:
        """The events for the pixels that the rooms of an exact frame, confined to their views, leave uncovered. Objects
        come with the rooms that were not drawn at all: those of the other rooms are not confined."""
        frame = self.frame
        whole = flood
        if flood.leaves_out():
            whole = self.visibility.flood_whole(frame.root_id, frame.camera)
        frame.land_in_gaps = whole.outside
        events = frame.gaps
        events.append(ZClear())
        if len(whole.outside) > 0 and len(flood.outside) == 0:
            self._land_in_gaps(whole.outside)
        for visible in whole.cells[::-1]:
            if self._draws_shell(visible.cell):
                self._seal_exits(visible, events)
        events.append(Sun(False))
        for visible in whole.cells[::-1]:
            if self._draws_shell(visible.cell):
                events.append(Shell(visible, INDOORS))
            if visible.cell_id not in flood.by_id:
                events.append(Objects(visible, INDOORS))
            events.append(AlphaFlush())

    def _land_in_gaps(self, views: list[ViewPoly]) -> None:
        """Sky and ground of a landscape that is seen in gaps alone."""
        frame = self.frame
        cones = view_cones(frame.camera, views)
        viewpoint = self._viewpoint()
        terrain: list[LandCellVisit] = []
        no_objects: list[LandCellVisit] = []
        for drawn in self.order.draw_check_blocks(frame.camera, cones, viewpoint):
            across = square_width(self._rings(drawn))
            visits = self.order.cells_far_to_near(drawn.block, viewpoint, across)
            terrain.extend([visit for visit in visits if cell_in_view(drawn, visit.low, cones, across)])
        frame.gaps.extend([Sun(True), Sky(views), Land(views, terrain, no_objects), AlphaFlush(), ZClear()])

    # --- the landscape (12)

    def draw_landscape(self, views: list[ViewPoly]) -> None:
        """`LScape::draw` under an active view list."""
        frame = self.frame
        frame.landscape_views = views
        self._cones = view_cones(frame.camera, views)
        self.events.append(Sky(views))
        viewpoint = self._viewpoint()
        for drawn in self.order.draw_check_blocks(frame.camera, self._cones, viewpoint):
            self._draw_block(drawn, viewpoint)
        self._flush_land(True)
        if not self._player_is_indoors():
            self.events.append(Weather(views))

    def _player_is_indoors(self) -> bool:
        """Whether weather is drawn: a player in a room sees none, not even beyond an exit (rendering.md C6).
        Without a player, the root decides."""
        current = self.graph.current
        return is_env_cell(self.frame.root_id if current is None else current.id)

    def _viewpoint(self) -> int:
        """The landcell under the eye; of an eye off the map that of the root."""
        camera = self.frame.camera
        land_id = get_outside_cell_id(landblock_id(camera.block_id), camera.eye)
        return viewpoint_of(self.frame.root_id if land_id == NO_CELL else land_id)

    def _draw_block(self, drawn: DrawnBlock, viewpoint: int) -> None:
        """DrawBlock: per landcell its ground, its building, its things."""
        rings = self._rings(drawn)
        if rings > INNER:
            across = square_width(rings)
            for visit in self.order.cells_far_to_near(drawn.block, viewpoint, across):
                if cell_in_view(drawn, visit.low, self._cones, across):
                    self._terrain.append(visit)
            return
        buildings = drawn.block.by_land_cell
        for visit in self.order.cells_far_to_near(drawn.block, viewpoint):
            if cell_in_view(drawn, visit.low, self._cones):
                self._terrain.append(visit)
            there = buildings.get(visit.low)
            if there is not None:
                for building in there:
                    self.draw_building(building)
            self._objects.append(visit)

    def _rings(self, drawn: DrawnBlock) -> int:
        """Landblocks from the load point; without one all is near."""
        load_point = self.frame.load_point
        return 0 if load_point == NO_CELL else rings_from(drawn.block.block_id, load_point)

    def _flush_land(self, partly: bool) -> None:
        """All the landscape since the last building with a visible opening (14.5 "Batching")."""
        if self._terrain or self._objects:
            self.events.append(Land(self.frame.landscape_views, self._terrain, self._objects))
            self._terrain = []
            self._objects = []
        self.events.extend(self._shells)
        self._shells = []
        if partly:
            self.events.append(AlphaFlush(FULL_ENOUGH))

    # --- buildings (12.4, 12.5)

    def draw_building(self, view: BuildingView) -> None:
        """DrawBuilding: for each active view, punch the openings and draw the rooms, then draw the shell.

        A later view's punch erases the depth of rooms that are then not drawn again, as in the client. In an exact
        frame all punches come before all rooms.
        """
        opened = self._look_in(view)
        if not opened:
            self._draw_building_shell(view, self._shells)
            return
        self._flush_land(False)
        events = self.events
        events.append(AlphaFlush())
        if self.frame.exact:
            self._draw_look_ins(view, opened)
        else:
            for view_index in range(opened[-1].view_index + 1):
                self._draw_look_ins(view, [flood for flood in opened if flood.view_index == view_index])
        self._draw_building_shell(view, events)

    def _draw_look_ins(self, view: BuildingView, opened: list[FloodResult]) -> None:
        """Make both passes over the openings: the punches, then the rooms behind them."""
        for flood in opened:
            punch = flood.punch
            if punch is not None and self._marks_depth(view.building.portals[flood.portal_index].polygon):
                self.events.append(Punch(view.building, view.block_id, flood.portal_index, flood.view_index, punch))
        for flood in opened:
            self.frame.look_ins.append(flood)
            self.draw_cells(flood, len(self.frame.look_ins) - 1)

    def _draw_building_shell(self, view: BuildingView, events: list[FrameEvent]) -> None:
        if view.radius >= 0.0:
            x, y, z = view.center
            dx, dy, dz = block_offset(self.frame.camera.block_id, view.block_id)
            if not sphere_in_views(self._cones, (x + dx, y + dy, z + dz), view.radius):
                return
        events.append(BuildingShell(view.building, view.block_id, self.frame.landscape_views))

    def _look_in(self, view: BuildingView) -> list[FloodResult]:
        """Flood through the building's portals, once for every active view."""
        opened: list[FloodResult] = []
        if not view.has_openings:
            return opened
        frame = self.frame
        visibility = self.visibility
        building = view.building
        eye = building.frame.global_to_local(frame.camera.eye_in(view.block_id))
        indices = view.ports().in_turn(eye, visibility.options.robust)
        for view_index, active in enumerate(frame.landscape_views):
            for index in indices:
                flood = visibility.flood_building(building, view.block_id, index, frame.camera, active, view_index)
                if flood.rejected:
                    frame.rejected.append(flood)
                else:
                    opened.append(flood)
        return opened


def _on_land_cell_wall(polygon: Polygon) -> bool:
    """All corners lie on the same one of the four walls, in the polygon's own space and exactly."""
    x, y, _ = polygon.vertices[0]
    on_x = abs(x) == LAND_CELL_WALL
    on_y = abs(y) == LAND_CELL_WALL
    if not on_x and not on_y:
        return False
    for vertex in polygon.vertices:
        on_x = on_x and vertex[0] == x
        on_y = on_y and vertex[1] == y
    return on_x or on_y


def outline(piece: PortalPiece) -> ViewPoly:
    """A clipped opening on the screen, with all its corners."""
    return ViewPoly([ViewVertex(p.x / p.w, p.y / p.w) for p in piece.points])


def frame_events(
    world_view: WorldView, visibility: Visibility, camera: Camera, root_id: int, options: FrameOptions | None = None
) -> FrameResult:
    """Build a single frame. Callers that draw many keep a FrameDriver."""
    return FrameDriver(world_view, visibility).frame_events(camera, root_id, options)


_NO_CAMERA = Camera(NO_CELL, (0.0, 0.0, 0.0), (0.0, 1.0, 0.0), (1.0, 0.0, 0.0), (0.0, 0.0, 1.0), 1.0, 1.0, 1.0)
