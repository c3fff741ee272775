"""Draws the events of a frame (`engine.visibility.events`) with OpenGL, in either fidelity mode (rendering.md 11 -
14).

RETAIL clips no pixels: order, depth, punches and seals do the rest. EXACT confines every room to the marks of its views
and seals the portals between rooms in depth.

A picture's cost is its shaded pixels, so the executor avoids shading pixels that something covers later. Opaque things
between two steps that need an order wait and are then drawn in few calls, the last ones first: where the client draws
with the depth test LESS, so that of faces at one depth the first stays (rendering.md M1), this draws backwards
with LEQUAL. And a retail frame that looks out of a room draws the walls of its rooms before the landscape, which would
otherwise be overdrawn, and then the landscape where the walls are not. Each pixel ends as in the client's order.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Sequence
from typing import Any, Final, TypeGuard

from engine.geometry.vec import Vec3
from engine.render.draws import ParticleDraw, SkyDraw, SkyObjectDraw
from engine.render.gl import api
from engine.render.gl.alpha import AlphaLists, Where
from engine.render.gl.brush import SKY, Brush
from engine.render.gl.screen import NO_MARK, UNCOVERED, Screen
from engine.render.gl.uniforms import Lit, Uniforms
from engine.render.gl.uploads.placed import Far, Placed, cone_arrays
from engine.render.gl.uploads.stage import Stage
from engine.render.gl.uploads.tables import world_point
from engine.render.gl.uploads.terrain import TerrainUploads
from engine.render.gl.uploads.textures import Detail
from engine.render.gl.uploads.things import Range, Thing
from engine.render.materials import SubsetKind
from engine.render.presets import NO_PRESETS, Presets
from engine.visibility import records
from engine.visibility.camera import Camera
from engine.visibility.culling import ViewCone, sphere_in_views, view_cones
from engine.visibility.events import (
    AlphaFlush,
    BuildingShell,
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
from engine.visibility.frame import INDOORS, FrameResult, outline
from engine.visibility.landscape import INNER, rings_from
from engine.visibility.records import PortalPiece, VisibleCell
from engine.visibility.view import ViewPoly
from engine.world.graph.graph import NO_CELL

SEALED: Final = (records.OPEN, records.CONTAINED)
"""Pieces of a portal through which the next room is drawn, be it by way of another piece."""


class _Pass:
    """The state of one frame."""

    def __init__(self, frame: FrameResult, without: frozenset[int], onlooker: Camera | None, presets: Presets) -> None:
        self.without = without
        self.presets = presets
        self.detail: Detail | None = None
        self.frame_camera = frame.camera
        """The camera of the frame's views."""
        self.camera: Camera = onlooker or frame.camera
        self.eye = world_point(self.camera.block_id, self.camera.eye)
        self.origin = world_point(frame.camera.block_id, (0.0, 0.0, 0.0))
        self.exact = frame.exact and onlooker is None
        self.load_point = frame.load_point
        self.indoors = frame.flood is not None
        self.lit = Lit.OUTDOORS
        self.land_views: list[ViewPoly] = []
        self.land_in_gaps = frame.land_in_gaps
        self.has_gaps = self.exact and len(frame.gaps) > 0
        self.covers = False
        """Rooms mark the pixels they cover, because there are events for the gaps."""
        self.land_mark = NO_MARK
        self.sky_waits = False
        self.sky: SkyDraw | None = None
        self.is_covered = False
        """The walls of the indoor flood are drawn already."""
        self.cones: dict[int, list[ViewCone]] = {}
        self.blocks: dict[int, None] = {}
        """Landblocks whose things have been visited."""
        self.land_in_view: dict[int, list[Far]] = {}
        self.ground: list[LandCellVisit] = []
        self.outdoor_things: list[Placed] = []
        self.outdoor_shells: list[Placed] = []
        self.shells: list[Placed] = []
        self.room_things: list[Placed] = []
        self.exits: list[PortalPiece] = []
        self.punches: list[PortalPiece] = []
        self.swarms: set[tuple[int, tuple[int, int]]] = set()
        """Particles that were drawn, with the stamp of that."""

    def sky_shift(self, draw: SkyObjectDraw) -> Vec3:
        """The origin of an object in the sky, relative to the eye: the corner of the eye's landblock, so that the eye
        nears the object as it crosses the landblock (rendering.md C8); weather moves with the eye."""
        x, y, z = self.camera.eye
        if draw.weather:
            return (0.0, 0.0, 0.0 if draw.world_z is None else draw.world_z - z)
        return (-x, -y, -z)


class Executor:
    """Draws one frame after the other."""

    def __init__(self, stage: Stage, ground: TerrainUploads, brush: Brush, screen: Screen, uniforms: Uniforms) -> None:
        self._stage = stage
        self._ground = ground
        self._brush = brush
        self._screen = screen
        self._uniforms = uniforms
        self._alpha = AlphaLists(brush, screen, uniforms)
        self._stamp = 0

    def run(
        self,
        frame: FrameResult,
        steps: int | None = None,
        without: frozenset[int] = frozenset(),
        onlooker: Camera | None = None,
        presets: Presets = NO_PRESETS,
    ) -> None:
        """Draw all events, or only the first few, with which the frame then ends; objects in `without` are left out. An
        `onlooker` sees the draws of the frame's own eye from somewhere else."""
        self._pass = _Pass(frame, without, onlooker, presets)
        if presets.detail_textures:
            self._pass.detail = self._stage.detail()
        self._stamp += 1
        self._alpha.clear()
        events = frame.events if steps is None else frame.events[:steps]
        if onlooker is not None:
            events = for_onlooker(events)
        elif self._pass.indoors and not frame.exact and steps is None and not presets.at_once:
            self._cover(frame)
        for event in events:
            handler = HANDLERS.get(type(event))
            if handler is not None:
                handler(self, event)
        self._settle()
        self._alpha.flush()
        if self._pass.has_gaps and len(events) == len(frame.events) and self._screen.has_gaps():
            self._fill_gaps(frame.gaps)
        self._screen.confine(NO_MARK)

    def _fill_gaps(self, events: Sequence[FrameEvent]) -> None:
        """Draw where the rooms, each confined to its views, have left pixels without anything."""
        self._screen.into_gaps(True)
        for event in events:
            HANDLERS[type(event)](self, event)
        self._settle()
        self._alpha.flush()
        self._screen.into_gaps(False)

    def _enter(self, lit: Lit, mark: int, covering: bool = False) -> None:
        """Set the light of the following draws, and the mark that confines them, if any."""
        self._uniforms.light(lit)
        self._screen.confine(mark, covering)

    def _settle(self) -> None:
        """Draw all that waits, as what comes now needs it to be there."""
        self._finish_exits()
        self._finish_rooms()
        self._finish_land()
        self._finish_punches()

    # --- passes and flushes

    def _sun(self, event: Sun) -> None:
        self._settle()
        self._pass.lit = Lit.OUTDOORS if event.on else Lit.INDOORS
        if event.on and self._pass.exact and self._pass.land_mark != NO_MARK:
            self._mark_land()  # the look into a building has overwritten it

    def _new_stamp(self, event: Stamp) -> None:
        self._settle()
        self._stamp += 1

    def _z_clear(self, event: ZClear) -> None:
        self._settle()
        if self._pass.is_covered or self._screen.is_in_gaps:
            self._screen.clear_depth(UNCOVERED)
        else:
            with api.doing("clearing depth"):
                api.clear(api.DEPTH_BUFFER_BIT)
        self._pass.land_mark = NO_MARK

    def _alpha_flush(self, event: AlphaFlush) -> None:
        if not self._alpha.is_empty and self._alpha.is_full(event.level):
            self._settle()
            self._alpha.flush(by_distance=self._pass.exact and self._pass.lit is Lit.INDOORS)

    # --- the landscape (12)

    def _sky(self, event: Sky) -> None:
        """It waits until there is ground, to skip the pixels that the ground covers."""
        self._pass.land_views = event.views
        self._pass.sky_waits = True
        if self._pass.exact and self._pass.indoors:
            self._mark_land()

    def _mark_land(self) -> None:
        """Where rooms meet, a piece of an exit may be too narrow for a view; the landscape shows in it all the same."""
        now = self._pass
        now.land_mark = self._screen.mark([*now.land_views, *now.land_in_gaps])
        if now.has_gaps and not self._screen.is_in_gaps:
            self._screen.cover([*now.land_views, *now.land_in_gaps])

    def _land(self, event: Land) -> None:
        now = self._pass
        now.ground += event.cells
        cones = self._cones(event.views)
        in_view = self._land_in_view(event, cones)
        emitting = self._stage.emitting_cells()
        cells = [visit.cell_id for visit in event.objects]
        for cell_id in [cell_id for cell_id in cells if cell_id in emitting]:
            in_view[cell_id] = self._with_particles(cell_id, cones, in_view.get(cell_id, ()))
        found = [far for cell_id in cells if cell_id in in_view for far in in_view[cell_id]]
        if now.load_point != NO_CELL:  # what is at home farther away may reach into these cells
            found = [far for far in found if rings_from(far[1].draw.block_id, now.load_point) <= INNER]
        self._take(found, now.outdoor_things, (Lit.OUTDOORS, now.land_mark))

    def _land_in_view(self, event: Land, cones: list[ViewCone]) -> dict[int, list[Far]]:
        """The visible things on the landblocks of an event, and of those before it, by cells. All the landscape of a
        frame is under the same views."""
        now = self._pass
        new = {visit.block_id: None for visit in event.objects if visit.block_id not in now.blocks}
        if new:
            arrays = cone_arrays(cones)
            for block_id in new:
                now.land_in_view.update(self._stage.lot(block_id).in_view(arrays, now.origin, now.eye))
            now.blocks.update(new)
        return now.land_in_view

    def _building_shell(self, event: BuildingShell) -> None:
        now = self._pass
        placed = self._stage.building(event.building, event.block_id)
        if placed is not None and placed.seen != self._stamp:
            placed.seen = self._stamp
            now.outdoor_shells.append(placed)
            self._to_alpha(placed, (Lit.OUTDOORS, now.land_mark))

    def _finish_land(self) -> None:
        """The client's order backwards: things, buildings, ground. The sky is the dearest and the last."""
        now = self._pass
        api.depth_func(api.LEQUAL)
        for backwards in (now.outdoor_things, now.outdoor_shells):
            if backwards:
                self._enter(Lit.OUTDOORS, now.land_mark)
                if now.presets.multi_pass_alpha:
                    self._brush.any_order(SubsetKind.CLIP, _tested(backwards)[::-1])
                self._brush.any_order(SubsetKind.OPAQUE, _backwards(backwards))
                backwards.clear()
        if now.ground:
            for block_id, across in {visit.block_id: visit.across for visit in now.ground}.items():
                self._ground.set(block_id, self._stage.scene.terrain(block_id, across))
            self._enter(Lit.GROUND, now.land_mark)
            self._brush.for_ground()
            self._ground.draw(reversed(now.ground))
            now.ground.clear()
        if now.sky_waits:
            now.sky_waits = False
            self._draw_sky()
        api.depth_func(api.LESS)

    def _draw_sky(self) -> None:
        sky = self._sky_now()
        self._enter(Lit.OUTDOORS, self._pass.land_mark)
        with api.doing("drawing the sky"):
            api.depth_mask(api.FALSE)
            self._screen.fill_everything(sky.clear_colour)
            self._sky_objects([draw for draw in sky.objects if not draw.after_landscape])
            api.depth_mask(api.TRUE)

    def _sky_now(self) -> SkyDraw:
        """The sky of this frame, worked out once."""
        if self._pass.sky is None:
            self._pass.sky = self._stage.scene.sky()
        return self._pass.sky

    def _weather(self, event: Weather) -> None:
        late = [draw for draw in self._sky_now().objects if draw.after_landscape]
        if late:
            self._settle()
            self._enter(Lit.OUTDOORS, self._pass.land_mark)
            with api.doing("drawing the weather"):
                api.depth_func(api.ALWAYS)
                api.depth_mask(api.FALSE)
                self._sky_objects(late)
                api.depth_mask(api.TRUE)
                api.depth_func(api.LESS)

    def _sky_objects(self, draws: Iterable[SkyObjectDraw]) -> None:
        program = self._brush.program(SKY)
        for draw in draws:
            thing = self._stage.sky_object(draw)
            x, y, z = self._pass.sky_shift(draw)
            luminosity = -1.0 if draw.luminosity is None else draw.luminosity
            program.use()
            api.uniform_2f(program.place("uv_offset"), *draw.uv_offset)
            api.uniform_2f(program.place("sky"), luminosity, draw.alpha)
            api.uniform_3f(program.place("sky_shift"), x, y, z)
            for each in (*thing.opaque, *thing.clip, *thing.blended):
                self._brush.sky(each, draw.alpha)

    # --- openings

    def _punch(self, event: Punch) -> None:
        if not self._pass.punches:
            self._settle()
        self._pass.punches.append(event.piece)

    def _finish_punches(self) -> None:
        if self._pass.punches:
            self._screen.confine(self._pass.land_mark)
            self._screen.punch(self._pass.punches)
            self._pass.punches.clear()

    def _seal(self, event: Seal) -> None:
        self._pass.exits.append(event.piece)

    def _finish_exits(self) -> None:
        if self._pass.exits:
            self._screen.confine(UNCOVERED if self._pass.is_covered else NO_MARK)
            self._screen.seal(self._pass.exits)
            self._pass.exits.clear()

    # --- rooms (11.2, 14.5)

    def _cover(self, frame: FrameResult) -> None:
        """Draw the walls of the rooms as they will be after the exits' seals, and note where they are."""
        exits = [event.piece for event in frame.events if isinstance(event, Seal)]
        if exits:
            found = [self._stage.room(event.visible.cell_id) for event in frame.events if _is_own_shell(event)]
            self._screen.seal(exits)
            self._uniforms.light(Lit.INDOORS)
            self._screen.confine(NO_MARK, covering=True)
            # In the client's order: a wall in an exit's plane gives way to the seal, and to the wall drawn before it.
            walls = _opaque(placed for placed in found if placed is not None)
            self._brush.any_order(SubsetKind.OPAQUE, walls)
            if self._pass.detail is not None:
                self._screen.confine(NO_MARK)
                self._brush.detail(walls, self._pass.detail)
            self._screen.clear_depth(UNCOVERED)
            self._pass.is_covered = True
            self._pass.land_mark = UNCOVERED

    def _shell(self, event: Shell) -> None:
        now = self._pass
        placed = self._stage.room(event.visible.cell_id)
        if now.exact:
            self._exact_shell(event, placed)
        elif placed is not None and placed.seen != self._stamp:
            placed.seen = self._stamp
            if event.look_in != INDOORS or not now.is_covered:
                now.shells.append(placed)
            self._walls_to_alpha(placed, now.land_mark)

    def _exact_shell(self, event: Shell, placed: Placed | None) -> None:
        """Draw the room's own region of the stencil, seal its portals before the rooms behind them, then draw its
        walls."""
        self._settle()
        self._note_cover(event)
        visible = event.visible
        if event.look_in != INDOORS:
            self._slivers(visible)
        mark = self._screen.mark(visible.views)
        self._screen.seal_between(
            [piece for portal in visible.portals for piece in portal.pieces if piece.status in SEALED]
        )
        if placed is not None:
            self._enter(Lit.INDOORS, mark, self._pass.covers)
            self._brush.any_order(SubsetKind.OPAQUE, placed.thing.opaque)
            if self._screen.is_in_gaps:
                self._edges(placed)
            if self._pass.detail is not None:
                self._enter(Lit.INDOORS, mark)
                self._brush.detail(placed.thing.opaque, self._pass.detail)
                self._enter(Lit.INDOORS, mark, self._pass.covers)
            self._walls_at_once(placed.thing)
            self._walls_to_alpha(placed, mark)

    def _edges(self, placed: Placed) -> None:
        """The edges of a room's walls: where the corner of one is on the edge of another, a pixel between them may be
        in neither."""
        with api.doing("drawing edges"):
            api.polygon_mode(api.FRONT_AND_BACK, api.LINE)
            self._brush.any_order(SubsetKind.OPAQUE, placed.thing.opaque)
            api.polygon_mode(api.FRONT_AND_BACK, api.FILL)

    def _slivers(self, visible: VisibleCell) -> None:
        """The walls of the next rooms, and of those behind them, in openings of less than a pixel: the flood does not
        go into those, and what they cover of pixels would not be drawn at all."""
        for portal in visible.portals:
            views = [outline(piece) for piece in portal.pieces if piece.status == records.SLIVER]
            if views:
                next_ids = [portal.other_cell_id, *self._stage.scene.rooms_beyond(portal.other_cell_id)]
                rooms = [self._stage.room(cell_id) for cell_id in next_ids if cell_id != visible.cell_id]
                self._enter(Lit.INDOORS, self._screen.mark(views))
                self._brush.any_order(SubsetKind.OPAQUE, _opaque(room for room in rooms if room is not None))

    def _note_cover(self, event: Shell | Objects) -> None:
        """Only the rooms that the eye is in have gaps to be filled."""
        now = self._pass
        now.covers = now.has_gaps and event.look_in == INDOORS and not self._screen.is_in_gaps

    def _objects(self, event: Objects) -> None:
        now = self._pass
        self._note_cover(event)
        mark = NO_MARK if now.exact else now.land_mark
        self._collect(event.cell_id, self._cones(event.views), now.room_things, (Lit.LATE, mark))

    def _finish_rooms(self) -> None:
        """Walls come before things: a thing that lies in a wall's plane does not show."""
        now = self._pass
        if now.shells or now.room_things:
            self._enter(Lit.INDOORS, NO_MARK if now.exact else now.land_mark, now.covers)
            if now.presets.at_once:
                self._rooms_in_order()
            elif now.shells:
                api.depth_func(api.LEQUAL)
                self._brush.any_order(SubsetKind.OPAQUE, _backwards(now.room_things))
                self._brush.any_order(SubsetKind.OPAQUE, _backwards(now.shells))
                api.depth_func(api.LESS)
                if now.detail is not None:
                    self._brush.detail(_opaque(now.shells), now.detail)
            else:
                self._brush.any_order(SubsetKind.OPAQUE, _opaque(now.room_things))
            now.shells.clear()
            now.room_things.clear()

    def _rooms_in_order(self) -> None:
        """As in the client: a surface that blends at once mixes with the colours drawn by then."""
        now = self._pass
        for placed in now.shells:
            self._brush.any_order(SubsetKind.OPAQUE, placed.thing.opaque)
            if now.detail is not None:
                self._brush.detail(placed.thing.opaque, now.detail)
            self._walls_at_once(placed.thing)
        self._brush.any_order(SubsetKind.OPAQUE, _opaque(now.room_things))
        if now.presets.multi_pass_alpha:
            self._brush.any_order(SubsetKind.CLIP, _tested(now.room_things))

    def _walls_at_once(self, thing: Thing) -> None:
        """The cut-out and blended subsets of a room's walls that presets draw with the walls."""
        presets = self._pass.presets
        if presets.at_once:
            self._brush.any_order(SubsetKind.CLIP, [each for each in thing.clip if not each.is_blended])
        if presets.rooms_at_once:
            self._brush.in_order([*[each for each in thing.clip if each.is_blended], *thing.blended])

    def _walls_to_alpha(self, placed: Placed, mark: int) -> None:
        if not self._pass.presets.rooms_at_once:
            self._to_alpha(placed, (Lit.LATE_WALLS, mark))

    # --- things (13.2)

    def _cones(self, views: list[ViewPoly]) -> list[ViewCone]:
        cones = self._pass.cones.get(id(views))
        if cones is None:
            cones = self._pass.cones[id(views)] = view_cones(self._pass.frame_camera, views)
        return cones

    def _collect(self, cell_id: int, cones: list[ViewCone], into: list[Placed], where: Where) -> None:
        """Append the things of a cell's list that are in view and not drawn yet: far ones first."""
        found: Sequence[Far] = ()
        contents = self._stage.contents(cell_id)
        if contents.radius >= 0.0 and self._sees(cones, contents.center, contents.radius):
            eye = self._pass.eye
            seen = [placed for placed in contents.parts if self._sees(cones, placed.center, placed.radius)]
            found = sorted([(placed.distance2(eye), placed) for placed in seen], key=_far_first)
        if cell_id in self._stage.emitting_cells():
            found = self._with_particles(cell_id, cones, found)
        self._take(found, into, where)

    def _take(self, found: Sequence[Far], into: list[Placed], where: Where) -> None:
        """Append the things in view that were not drawn yet."""
        stamp, without = self._stamp, self._pass.without
        levels = self._stage.levels_of_detail
        taken: list[Far] = []
        for entry in found:
            placed = entry[1]
            if placed.seen != stamp and placed.object_id not in without:
                placed.seen = stamp
                if levels and not self._stage.choose_level(placed, math.sqrt(entry[0])):
                    continue
                self._stage.keep(placed)
                if placed.turns:
                    self._stage.face(placed, self._pass.camera)
                into.append(placed)
                taken.append(entry)
        self._alpha.add(where, taken, self._again)

    def _with_particles(self, cell_id: int, cones: list[ViewCone], things: Sequence[Far]) -> list[Far]:
        """The things in view in a cell, including its particles."""
        found = list(things)
        for draw in self._stage.scene.particles_in(cell_id):
            self._collect_particles(draw, cones, found)
        found.sort(key=_far_first)
        return found

    def _collect_particles(self, draw: ParticleDraw, cones: list[ViewCone], found: list[Far]) -> None:
        stamped = (self._stamp, draw.key)
        if stamped not in self._pass.swarms:
            center = world_point(draw.block_id, draw.sphere.center)
            if self._sees(cones, center, draw.sphere.radius):
                self._pass.swarms.add(stamped)
                placed = self._stage.particles(draw, self._pass.camera)
                found.append((_distance2(placed.sort_center, self._pass.eye), placed))

    def _sees(self, cones: list[ViewCone], center: Vec3, radius: float) -> bool:
        """Whether one of the views sees something of a ball, given relative to the corner of the world."""
        ox, oy, oz = self._pass.origin
        return sphere_in_views(cones, (center[0] - ox, center[1] - oy, center[2] - oz), radius)

    def _to_alpha(self, placed: Placed, where: Where) -> None:
        """Queue the clip-mapped and blended subsets of a shell for a flush."""
        self._alpha.add(where, [(_distance2(placed.center, self._pass.eye), placed)], self._again)

    @property
    def _again(self) -> Callable[[Range], Range] | None:
        """Gives the subset that multi-pass alpha draws a second time, under that preset."""
        return self._stage.things.blended_again if self._pass.presets.multi_pass_alpha else None


HANDLERS: Final[dict[type[FrameEvent], Callable[[Executor, Any], None]]] = {
    Sun: Executor._sun,
    Sky: Executor._sky,
    Land: Executor._land,
    Punch: Executor._punch,
    Seal: Executor._seal,
    Stamp: Executor._new_stamp,
    ZClear: Executor._z_clear,
    Shell: Executor._shell,
    Objects: Executor._objects,
    BuildingShell: Executor._building_shell,
    AlphaFlush: Executor._alpha_flush,
    Weather: Executor._weather,
}
"""These belong to the class: an executor that held its own bound methods would keep itself and its scene alive until a
garbage collection."""


def for_onlooker(events: Sequence[FrameEvent]) -> list[FrameEvent]:
    """The events of a frame that another eye can be shown: the landscape, and the rooms over it, which their own
    building would hide from outside. Punches and seals are places on the frame's own screen."""
    land = [event for event in events if isinstance(event, Sky | Land | BuildingShell | Weather)]
    rooms = [event for event in events if isinstance(event, Shell | Objects)]
    return [Sun(True), *land, AlphaFlush(), Stamp(), ZClear(), Sun(False), *rooms, Sun(True), AlphaFlush()]


def _is_own_shell(event: FrameEvent) -> TypeGuard[Shell]:
    """Whether the event is the walls of a room of the indoor flood."""
    return isinstance(event, Shell) and event.look_in == INDOORS


def _far_first(entry: Far) -> float:
    return -entry[0]


def _distance2(a: Vec3, b: Vec3) -> float:
    x, y, z = a[0] - b[0], a[1] - b[1], a[2] - b[2]
    return x * x + y * y + z * z


def _backwards(things: Iterable[Placed]) -> list[Range]:
    """Their opaque subsets, the last subset of the last thing first."""
    return _opaque(things)[::-1]


def _tested(things: Iterable[Placed]) -> list[Range]:
    """Their subsets that the alpha test cuts out."""
    return [each for it in things if it.thing.faded is None for each in it.thing.clip if not each.is_blended]


def _opaque(things: Iterable[Placed]) -> list[Range]:
    return [each for placed in things if placed.thing.faded is None for each in placed.thing.opaque]
