"""Draws frames of a scene, in a widget's context or in one without a window.

    renderer = GlRenderer(scene)
    renderer.draw(frame, framebuffer)     # with a current context

Uploads are kept; an edit sends only what it touched. After the context was lost, or when a new one is current, call
`invalidate`: the next frame sends everything again.
"""

from __future__ import annotations

from collections.abc import Callable, Generator, Iterator
from dataclasses import dataclass
from typing import Protocol

from engine.render.dollhouse.look import Dollhouse
from engine.render.gl import api
from engine.render.gl.brush import Brush
from engine.render.gl.dollhouse import DollhouseDrawer
from engine.render.gl.executor import Executor
from engine.render.gl.model_picture import ModelDrawer, model_camera, model_parts
from engine.render.gl.overlay import OverlayDrawer
from engine.render.gl.programs import SAMPLERS
from engine.render.gl.screen import Screen
from engine.render.gl.uniforms import Uniforms
from engine.render.gl.uploads.stage import Stage
from engine.render.gl.uploads.terrain import TerrainUploads
from engine.render.gl.uploads.things import Things
from engine.render.overlays.geometry import OverlayGeometry
from engine.render.presets import NO_PRESETS, Presets
from engine.render.scene import Scene
from engine.visibility.camera import Camera
from engine.visibility.events import Land, Objects, Shell
from engine.visibility.frame import FrameResult
from engine.world.cells.cell import EnvCell
from engine.world.cells.objects import Setup


@dataclass(frozen=True)
class DrawOptions:
    """The options of a draw beyond the frame's events.

    `clear` is the colour where nothing was drawn. `brightness` is added to all ambient light, `solid_colours` draws
    plain colours in rooms and buildings too (16.3). `levels_of_detail` draws each mesh in the level of its degrade
    table for its distance (rendering.md M4). `steps` ends the frame after that many events. `sees_outside`
    decides about the light of rooms and the fog (20.4); None: as the player's cell has it, or without one the root.
    `without` are objects that are not drawn: the player's, where the eye is in his head. `presets` are the client's
    presets that are switched on.
    """

    clear: tuple[float, float, float] = (0.0, 0.0, 0.0)
    brightness: float = 0.0
    solid_colours: bool = False
    levels_of_detail: bool = False
    steps: int | None = None
    sees_outside: bool | None = None
    without: frozenset[int] = frozenset()
    presets: Presets = NO_PRESETS


STANDARD = DrawOptions()


class Kept(Protocol):
    """Has objects in the context."""

    def invalidate(self) -> None: ...
    def close(self) -> None: ...


class GlRenderer:
    """Draws one scene in one context."""

    def __init__(self, scene: Scene) -> None:
        self.scene = scene
        self.things = Things()
        self.ground = TerrainUploads(self.things.places, scene.terrain_look)
        self.stage = Stage(scene, self.things)
        self._uniforms = Uniforms()
        self._screen = Screen()
        self._overlay = OverlayDrawer()
        self._brush = Brush(self.things, self._uniforms)
        self._models = ModelDrawer(self.things, self._brush, self._uniforms)
        self._executor = Executor(self.stage, self.ground, self._brush, self._screen, self._uniforms)
        self._dollhouse = DollhouseDrawer(scene, self.stage, self.ground, self._uniforms, self._overlay)

    @property
    def _kept(self) -> tuple[Kept, ...]:
        return (
            self.things,
            self.ground,
            self._uniforms,
            self._screen,
            self._overlay,
            self._brush,
            self._dollhouse,
        )

    def draw(
        self,
        frame: FrameResult,
        framebuffer: int,
        options: DrawOptions = STANDARD,
        overlays: OverlayGeometry | None = None,
        onlooker: Camera | None = None,
    ) -> None:
        """Draw a frame into a framebuffer, which has the size of its camera's screen, a depth and 8 bits of stencil.
        With an onlooker the framebuffer has the size of the onlooker's screen, and shows the frame's draws from
        outside."""
        camera = onlooker or frame.camera
        sees_outside = self._sees_outside(frame) if options.sees_outside is None else options.sees_outside
        self._begin(sees_outside, camera, framebuffer, options)
        self._executor.run(frame, options.steps, options.without, onlooker, options.presets)
        if overlays is not None:
            self._overlay.draw(overlays, camera)
        self._end()

    def draw_dollhouse(
        self,
        house: Dollhouse,
        camera: Camera,
        framebuffer: int,
        options: DrawOptions = STANDARD,
        overlays: OverlayGeometry | None = None,
        pixel: float = 1.0,
    ) -> None:
        """Draw a dollhouse into a framebuffer as `draw` does a frame; `pixel` of its pixels make one of the window."""
        self._begin(False, camera, framebuffer, options)
        self._dollhouse.draw(house, camera, options.without, pixel)
        if overlays is not None:
            self._overlay.draw(overlays, camera)
        self._end()

    def draw_model(self, setup: Setup, size: int, framebuffer: int, options: DrawOptions = STANDARD) -> bool:
        """Draw a model by itself into a square framebuffer; False when it has nothing to show."""
        parts = model_parts(setup, self.scene.shapes)
        if not parts:
            return False
        camera = model_camera(parts, size)
        self._begin(False, camera, framebuffer, options)
        self._models.draw(parts, camera)
        self._end()
        return True

    def outdoors_of(self, block_id: int) -> Generator[None, None, None]:
        """Upload the outside view of a loaded landblock in steps. It needs no context: the results are sent with the
        next frame."""
        cells = list(self.scene.parts_on_land(block_id))
        yield
        self.ground.set(block_id, self.scene.terrain(block_id))
        yield
        for cell_id in cells:
            self.stage.contents(cell_id)
            yield
        self.stage.lot(block_id)
        yield
        block = self.scene.world.landblock(block_id)
        for building in [] if block is None else block.buildings:
            self.stage.building(building, block_id)
            yield

    def landscape_of(self, frame: FrameResult) -> Generator[None, None, None]:
        """Upload what a frame shows outdoors in the same steps."""
        lands = (event for event in frame.events if isinstance(event, Land))
        for block_id in dict.fromkeys(visit.block_id for land in lands for visit in land.objects):
            yield from self.outdoors_of(block_id)

    def indoors_of(self, frame: FrameResult) -> Generator[None, None, None]:
        """Upload the rooms that a frame shows, and its sky, in such steps."""
        for event in frame.events:
            if isinstance(event, Shell):
                self.stage.room(event.visible.cell_id)
            elif isinstance(event, Objects):
                self.stage.contents(event.cell_id)
            yield
        for draw in self.scene.sky().objects:
            self.stage.sky_object(draw)
            yield

    def unsent_pictures(self) -> Iterator[Callable[[], None]]:
        """The calls that send the pictures of what was uploaded, a size of them each. They need the context."""
        arrays = [*self.things.pictures.arrays, self.ground.pictures, self.ground.masks]
        return (array.upload for array in arrays if array is not None)

    def rooms_of(self, block_id: int) -> Generator[None, None, None]:
        """Upload the rooms seen through its openings as well."""
        block = self.scene.world.landblock(block_id)
        for cell in [] if block is None else block.env_cells:
            self.stage.room(cell.id)
            self.stage.contents(cell.id)
            yield

    def draw_overlays(self, frame: FrameResult, framebuffer: int, overlays: OverlayGeometry) -> None:
        """Over the frame that is in the framebuffer already."""
        with api.doing("beginning overlays"):
            api.bind_framebuffer(api.FRAMEBUFFER, framebuffer)
            api.viewport(0, 0, round(frame.camera.width), round(frame.camera.height))
        self._overlay.draw(overlays, frame.camera)
        self._end()

    def _begin(self, sees_outside: bool, camera: Camera, framebuffer: int, options: DrawOptions) -> None:
        """Set everything that a frame takes for granted: the previous user of the context may have left any state."""
        self.stage.begin()
        self.stage.show_solid_colours(options.solid_colours)
        self.stage.show_levels(options.levels_of_detail)
        self.ground.keep(lambda block_id: self.scene.terrain(block_id) is not None)
        with api.doing("beginning a frame"):
            api.bind_framebuffer(api.FRAMEBUFFER, framebuffer)
            api.viewport(0, 0, round(camera.width), round(camera.height))
            for unwanted in (api.BLEND, api.SCISSOR_TEST, api.STENCIL_TEST, api.DITHER, api.POLYGON_OFFSET_FILL):
                api.disable(unwanted)
            api.disable(api.DEPTH_CLAMP)
            api.disable(api.FRAMEBUFFER_SRGB)
            api.enable(api.DEPTH_TEST)
            api.enable(api.CULL_FACE)
            api.cull_face(api.BACK)
            api.front_face(api.CCW)
            api.polygon_mode(api.FRONT_AND_BACK, api.FILL)
            api.depth_func(api.LESS)
            api.depth_mask(api.TRUE)
            api.depth_range(0.0, 1.0)
            api.color_mask(api.TRUE, api.TRUE, api.TRUE, api.TRUE)
            api.stencil_mask(0xFF)
            api.clear_color(*options.clear, 1.0)
            api.clear_depth(1.0)
            api.clear_stencil(0)
            api.clear(api.COLOR_BUFFER_BIT | api.DEPTH_BUFFER_BIT | api.STENCIL_BUFFER_BIT)
            api.stencil_mask(0)
        self._screen.begin(camera)
        lamps = self.scene.dynamic_lights()
        landscape = self.scene.light_of_landscape(sees_outside)
        self._uniforms.send(camera, self.scene.daylight(), sees_outside, options.brightness, lamps, landscape)
        self._brush.bind()

    @staticmethod
    def _end() -> None:
        """Restore the state that the next user of the context expects."""
        with api.doing("ending a frame"):
            api.use_program(0)
            api.bind_vertex_array(0)
            for unit in range(len(SAMPLERS)):
                api.bind_sampler(unit, 0)
            api.active_texture(api.TEXTURE0)
            api.disable(api.DEPTH_TEST)
            api.disable(api.CULL_FACE)

    def _sees_outside(self, frame: FrameResult) -> bool:
        cell = self.scene.world.graph.current
        if cell is None:
            cell = self.scene.world.graph.peek(frame.root_id)
        return cell is None or cell.seen_outside or not isinstance(cell, EnvCell)

    def invalidate(self) -> None:
        """The context is gone with all its objects; the next frame creates everything again."""
        for kept in self._kept:
            kept.invalidate()

    def close(self) -> None:
        """Give everything back; the context is current."""
        for kept in self._kept:
            kept.close()
