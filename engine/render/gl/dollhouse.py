"""Draws a dollhouse: all rooms of a landblock, its buildings, ground and things, from the uploads of the frames."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable
from dataclasses import dataclass
from math import inf
from typing import Final

from engine.render.dollhouse.edges import DollhouseEdges
from engine.render.dollhouse.look import COLOURS, EAVES, ROOF, Dollhouse, Drawing, Kind, Seen
from engine.render.dollhouse.picking import drawn_parts
from engine.render.draws import Owner
from engine.render.gl import api
from engine.render.gl.brush import Brush, defines_of
from engine.render.gl.overlay import OverlayDrawer
from engine.render.gl.programs import SAMPLERS, Program
from engine.render.gl.uniforms import Lit, Uniforms
from engine.render.gl.uploads.placed import Placed
from engine.render.gl.uploads.stage import Stage
from engine.render.gl.uploads.tables import world_point
from engine.render.gl.uploads.terrain import TerrainUploads
from engine.render.gl.uploads.things import Range, Things
from engine.render.materials import SubsetKind
from engine.render.overlays.geometry import Colour, OverlayGeometry
from engine.render.overlays.palette import BUILDING_PORTAL, FURNITURE
from engine.render.scene import Scene
from engine.visibility.camera import Camera
from engine.visibility.events import LandCellVisit

FILES: Final = ("view.glsl", "dollhouse.vert", "dollhouse.frag")
XRAY: Final = "xray"
FARTHEST: Final = 1e6
"""Metres, in place of an endless height: shaders get finite numbers."""

WASH: Final = 0.34
"""The opacity of the colours that say what PView sees."""
UNSEEN_WASH: Final[tuple[float, float, float, float]] = (0.14, 0.145, 0.16, 0.45)
"""Of rooms that PView does not reach: darker."""
UNTINTED: Final[tuple[float, float, float, float]] = (0.0, 0.0, 0.0, 0.0)

DENSITY: Final = 0.16
"""What one face adds to an X-ray picture, of its colour."""
THIN: Final = 0.5
"""The share of that for buildings, and for rooms that PView does not reach."""
ROOM_RAY: Final[Colour] = (120, 158, 205, 255)
CELLS_OF_LAND: Final = 64

Tint = tuple[float, float, float, float]


@dataclass(frozen=True)
class _Batch:
    """The uniforms that things are drawn with together."""

    tint: Tint = UNTINTED
    kind: Kind = Kind.THING
    base: float = 0.0
    """A building's origin, above which its roofs begin."""


class DollhouseBrush(Brush):
    """The brush of frames with the shaders of dollhouses."""

    def __init__(self, things: Things, uniforms: Uniforms) -> None:
        super().__init__(things, uniforms)
        self._house: Dollhouse | None = None
        self._eye_height = 0.0
        self._batch = _Batch()

    def begin(self, house: Dollhouse, camera: Camera) -> None:
        self._house = house
        self._eye_height = camera.eye_in(house.block_id)[2]

    def dip(self, batch: _Batch) -> None:
        """Draw what comes like this."""
        self._batch = batch

    def heights(self) -> tuple[float, float]:
        """Between which something is drawn, from the eye."""
        low, high = (-inf, inf) if self._house is None else (self._house.low, self._house.high)
        return (
            max(low - self._eye_height, -FARTHEST),
            min(high - self._eye_height, FARTHEST),
        )

    def program(self, name: str) -> Program:
        found = super().program(name)
        batch, house = self._batch, self._house
        found.use()
        api.uniform_2f(found.place("heights"), *self.heights())
        api.uniform_4f(found.place("tint"), *batch.tint)
        api.uniform_1i(found.place("roofs_off"), 0 if house is None or house.roofs else int(batch.kind))
        api.uniform_2f(found.place("roof"), ROOF, batch.base + EAVES - self._eye_height)
        return found

    def _make_program(self, name: str, lamps_move: bool) -> Program:
        return Program(FILES, defines_of(name), SAMPLERS)

    def through(self, ranges: list[Range]) -> None:
        """Ranges of any order as X-rays."""
        if ranges:
            with api.doing("drawing X-rays"):
                self._things.use()
                self.program(XRAY).use()
                self._call(ranges)


class DollhouseDrawer:
    """Draws one scene's dollhouses."""

    def __init__(
        self, scene: Scene, stage: Stage, ground: TerrainUploads, uniforms: Uniforms, overlay: OverlayDrawer
    ) -> None:
        self._scene = scene
        self._stage = stage
        self._ground = ground
        self._uniforms = uniforms
        self._overlay = overlay
        self._brush = DollhouseBrush(stage.things, uniforms)
        self._edges = DollhouseEdges(scene)

    @property
    def calls(self) -> int:
        return self._brush.calls

    def draw(self, house: Dollhouse, camera: Camera, without: frozenset[int], pixel: float) -> None:
        """Into the framebuffer that a frame was begun in; `pixel` of its pixels make one of the window."""
        self._brush.begin(house, camera)
        self._brush.bind()
        self._uniforms.light(Lit.BRIGHT)
        with api.doing("cutting a dollhouse"):
            api.enable(api.CLIP_DISTANCE0)
            api.enable(api.CLIP_DISTANCE1)
        if house.drawing is not Drawing.WIREFRAME:
            batches = self._batches(house, camera, without)
            if house.drawing is Drawing.SOLID:
                self._draw_solid(house, camera, batches)
            else:
                self._draw_through(batches)
        with api.doing("ending a dollhouse"):
            api.disable(api.CLIP_DISTANCE0)
            api.disable(api.CLIP_DISTANCE1)
        lines = OverlayGeometry(lines=self._edges.lines(house))
        lines.scale(pixel)
        self._overlay.draw(lines, camera)

    # --- what

    def _batches(self, house: Dollhouse, camera: Camera, without: frozenset[int]) -> defaultdict[_Batch, list[Placed]]:
        found: defaultdict[_Batch, list[Placed]] = defaultdict(list)
        for cell_id in house.rooms:
            room = self._stage.room(cell_id)
            if room is not None:
                found[_Batch(_room_tint(house, house.seen_of(cell_id)), Kind.ROOM)].append(room)
        shell_tint = UNTINTED if house.drawing is Drawing.SOLID else _ray(BUILDING_PORTAL, DENSITY * THIN)
        for building in house.buildings:
            shell = self._stage.building(building, house.block_id)
            if shell is not None:
                found[_Batch(shell_tint, Kind.BUILDING, building.frame.origin[2])].append(shell)
        thing_tint = UNTINTED if house.drawing is Drawing.SOLID else _ray(FURNITURE, DENSITY)
        for _, part in drawn_parts(self._scene, house):
            if part.object_id in without:
                continue
            placed = self._stage.part(part)
            if placed.turns:
                self._stage.face(placed, camera)
            is_roof = part.owner is Owner.BUILDING
            kind, base = (Kind.BUILDING, part.origin[2]) if is_roof else (Kind.THING, 0.0)
            found[_Batch(thing_tint, kind, base)].append(placed)
        return found

    # --- how

    def _draw_solid(self, house: Dollhouse, camera: Camera, batches: defaultdict[_Batch, list[Placed]]) -> None:
        for kind in (SubsetKind.OPAQUE, SubsetKind.CLIP):
            for batch, things in batches.items():
                self._brush.dip(batch)
                self._brush.any_order(kind, [each for placed in things for each in _solid(placed, kind)])
        if house.has_land:
            self._draw_ground(house)
        eye = world_point(camera.block_id, camera.eye)
        clear = [
            (placed.distance2(eye), batch, each)
            for batch, things in batches.items()
            for placed in things
            for each in _blended(placed)
        ]
        for _, batch, each in sorted(clear, key=lambda entry: -entry[0]):
            self._brush.dip(batch)
            self._brush.in_order([each])

    def _draw_ground(self, house: Dollhouse) -> None:
        self._ground.set(house.block_id, self._scene.terrain(house.block_id))
        self._brush.for_ground()
        visits = [LandCellVisit(house.block_id, low) for low in range(1, CELLS_OF_LAND + 1)]
        self._ground.draw(visits, self._brush.heights())

    def _draw_through(self, batches: defaultdict[_Batch, list[Placed]]) -> None:
        """All faces, from both sides, in any order: 1 − (1 − a)(1 − b) is the same as with b and a exchanged."""
        with api.doing("beginning X-rays"):
            api.disable(api.DEPTH_TEST)
            api.disable(api.CULL_FACE)
            api.enable(api.BLEND)
            api.blend_func_separate(api.ONE_MINUS_DST_COLOR, api.ONE, api.ZERO, api.ONE)
        for batch, things in batches.items():
            self._brush.dip(batch)
            self._brush.through([each for placed in things for each in _all(placed)])
        with api.doing("ending X-rays"):
            api.disable(api.BLEND)
            api.enable(api.CULL_FACE)
            api.enable(api.DEPTH_TEST)

    def invalidate(self) -> None:
        """The context is gone."""
        self._brush.invalidate()

    def close(self) -> None:
        self._brush.close()


def _room_tint(house: Dollhouse, seen: Seen) -> Tint:
    if house.drawing is Drawing.XRAY:
        if house.seen is None:
            return _ray(ROOM_RAY, DENSITY)
        return _ray(COLOURS[seen], DENSITY * THIN if seen is Seen.NEITHER else DENSITY)
    if house.seen is None:
        return UNTINTED
    return UNSEEN_WASH if seen is Seen.NEITHER else _ray(COLOURS[seen], WASH)


def _ray(colour: Colour, opacity: float) -> Tint:
    return (colour[0] / 255.0, colour[1] / 255.0, colour[2] / 255.0, opacity)


def _solid(placed: Placed, kind: SubsetKind) -> Iterable[Range]:
    thing = placed.thing
    if thing.faded is not None:
        return ()
    return thing.opaque if kind is SubsetKind.OPAQUE else [each for each in thing.clip if not each.is_blended]


def _blended(placed: Placed) -> Iterable[Range]:
    thing = placed.thing
    if thing.faded is not None:
        return thing.faded
    return [*[each for each in thing.clip if each.is_blended], *thing.blended]


def _all(placed: Placed) -> Iterable[Range]:
    thing = placed.thing
    return [*thing.opaque, *thing.clip, *thing.blended]
