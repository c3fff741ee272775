"""Pictures of a world from an eye, drawn by OpenGL without a window."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Final

import numpy as np
from numpy.typing import NDArray

from editor.process.output_files import output_file
from engine.dat.atomic import write_whole
from engine.geometry.constants import CELL_LENGTH
from engine.geometry.vec import Vec3
from engine.render.antialiasing import ONE_SAMPLE, Antialiasing
from engine.render.buffers import Buffer, depth_picture, stencil_picture
from engine.render.overlays.catalogue import Overlay, Subject, draw_overlays
from engine.render.overlays.geometry import OverlayGeometry
from engine.render.overlays.hulls import cell_center
from engine.render.presets import NO_PRESETS
from engine.render.scene import Scene
from engine.render.viewer.comparison import compare_roots
from engine.sim.tick.controls import Controls
from engine.sim.tick.simulation import Simulation
from engine.sim.trace.recorder import TraceRecorder
from engine.sim.trace.tree import TraceNode
from engine.visibility.camera import Camera, focal_of_screen, looking
from engine.visibility.flood import Visibility
from engine.visibility.frame import FrameDriver, FrameOptions, FrameResult
from engine.visibility.point_location import PointLocator
from engine.visibility.root import VIEWER, RootSources, choose_root
from engine.visibility.store import CellManager
from engine.visibility.world_view import WorldView
from engine.world.cells.cell import EnvCell, LandCell
from engine.world.cells.ids import block_x, block_y, cell_text, land_cell_column, land_cell_row, landblock_id
from engine.world.cells.landdefs import get_outside_cell_id
from engine.world.faults import WorldError
from engine.world.graph.graph import NO_CELL
from engine.world.world import World

if TYPE_CHECKING:
    from PySide6.QtGui import QImage

Picture = NDArray[np.uint8]

FARTHEST: Final = 5
"""Landblocks from the load point up to which terrain detail shows land."""
EYE_HEIGHT: Final = 1.5
"""Metres above the feet: the camera's pivot (rendering.md 21.4)."""
BEFORE_THE_FACE: Final = 0.18
"""Metres from the pivot to the eye in first person."""
WORD_PIXELS: Final = 12
SUFFIXES: Final = (".png", ".jpg", ".jpeg", ".bmp", ".ppm", ".webp")


@dataclass(frozen=True)
class EyePoint:
    """The viewpoint of a picture: an eye in the landblock of its cell."""

    root_id: int
    eye: Vec3
    heading: float
    pitch: float

    def camera(self, width: int, height: int) -> Camera:
        focal = focal_of_screen(float(width), float(height))
        return looking(self.root_id, self.eye, self.heading, self.pitch, float(width), float(height), focal)


def parse_overlay(name: str) -> Overlay:
    for each in Overlay:
        if each.value == name:
            return each
    raise WorldError(f"there is no overlay {name!r}; there are {', '.join(each.value for each in Overlay)}")


def picture_file(name: str, *read: str) -> Path:
    """The path, if a picture can be written there; asked before anything is drawn."""
    if Path(name).suffix.lower() not in SUFFIXES:
        raise WorldError(f"a picture can be written as {', '.join(SUFFIXES)}", name)
    return output_file(name, read)


# --- eyes


def eye_of_player(sim: Simulation) -> Vec3:
    return sim.population.player.place_frame().local_to_global((0.0, BEFORE_THE_FACE, EYE_HEIGHT))


def in_first_person(sim: Simulation, view: EyePoint) -> bool:
    """The eye is the player's own, who then does not see himself."""
    player = sim.population.player
    return player.place_cell() == view.root_id and math.dist(eye_of_player(sim), view.eye) < BEFORE_THE_FACE


def root_around(world: World, near_id: int, eye: Vec3) -> int:
    """The cell of a free eye: the room around it, else the land below it."""
    world.graph.get_visible(near_id)
    locator = PointLocator(WorldView(world))
    land_id = get_outside_cell_id(near_id, eye)
    found = choose_root(world.graph, VIEWER, RootSources(), locator, near_id, eye).root_id
    if not found:
        found = land_id
    if not found or world.graph.get_visible(found) is None:
        raise WorldError(f"there is neither a room nor land at {eye} of {cell_text(landblock_id(near_id))}", world.name)
    return found


def middle_of(world: World, cell_id: int) -> Vec3:
    """An eye in a cell: the middle of a room, or above the middle of a land cell."""
    cell = world.graph.get_visible(cell_id)
    if isinstance(cell, EnvCell):
        return cell_center(cell)
    block = world.landblock(landblock_id(cell_id))
    if isinstance(cell, LandCell) and block is not None and block.terrain is not None:
        x = (land_cell_column(cell_id) + 0.5) * CELL_LENGTH
        y = (land_cell_row(cell_id) + 0.5) * CELL_LENGTH
        return (x, y, (block.terrain.height_at(x, y) or 0.0) + EYE_HEIGHT)
    raise WorldError(f"there is no cell {cell_text(cell_id)}", world.name)


# --- the picture


def step_forward(sim: Simulation) -> list[TraceNode]:
    """The player's sweeps of one tick of walking: one in which he stands makes none."""
    recorder = TraceRecorder()
    sim.watch(sim.player.id, recorder)
    sim.tick(Controls(forward=1.0))
    sim.unwatch(sim.player.id, recorder)
    if not recorder.sweeps:
        raise WorldError(f"there is no room for a player, whose step {Overlay.CONTACT.value} shows", sim.world.name)
    return recorder.sweeps


class Onlooker:
    """Makes pictures of a world from any eye, without a window."""

    def __init__(self, world: World, sim: Simulation | None) -> None:
        if sim is not None:
            world = sim.world
        self.world = world
        self.scene = Scene(world, sim)
        self.levels_of_detail = self.terrain_detail = False
        self.presets = NO_PRESETS
        self._driver = FrameDriver(WorldView(world), Visibility(world.graph))
        self._cells = CellManager(world.graph)

    def frame(self, view: EyePoint, camera: Camera, exact: bool) -> FrameResult:
        """The picture to draw, with its surroundings loaded."""
        self._cells.change_position(view.root_id, view.eye)
        if self._cells.current is None:
            raise WorldError(f"there is no cell {cell_text(view.root_id)}", self.world.name)
        detail_from = self._cells.landscape.loadpoint if self.terrain_detail else NO_CELL
        if detail_from != NO_CELL:
            self._load_far(detail_from)
        return self._driver.frame_events(camera, view.root_id, FrameOptions(exact, detail_from))

    def _load_far(self, load_point: int) -> None:
        """The landblocks around it up to those that are a single square of ground."""
        x, y = block_x(load_point), block_y(load_point)
        for column in range(max(x - FARTHEST, 0), min(x + FARTHEST, 0xFF) + 1):
            for row in range(max(y - FARTHEST, 0), min(y + FARTHEST, 0xFF) + 1):
                self.world.graph.load_landblock(landblock_id(column << 24 | row << 16))

    def overlays(self, frame: FrameResult, wanted: list[Overlay], sweeps: Sequence[TraceNode] = ()) -> OverlayGeometry:
        """The overlays of a frame; `sweeps` are the player's in the tick before it."""
        sim = self.scene.sim
        spheres = [] if sim is None else sim.player.steered.spheres
        compared = None
        if Overlay.ROOTS in wanted:
            player_id = NO_CELL if sim is None else sim.player.place_cell()
            compared = compare_roots(self._driver, frame.camera, player_id, frame.root_id)
        graph, floods = self.world.graph, frame.floods()
        subject = Subject(graph, frame.camera, frame.root_id, floods, sweeps=sweeps, spheres=spheres, compared=compared)
        found = draw_overlays(wanted, subject)
        found.fit_to_pixels(1.0)
        return found

    def picture(
        self,
        frame: FrameResult,
        overlays: OverlayGeometry,
        first_person: bool,
        buffer: Buffer = Buffer.COLOUR,
    ) -> Picture:
        """The pixels, (height, width, 4)."""
        from editor.pictures.contexts import offscreen_context
        from engine.render.gl.offscreen import OffscreenTarget, samples_for
        from engine.render.gl.renderer import DrawOptions, GlRenderer
        from engine.render.gl.screen import COVER

        current = self._cells.current
        sim = self.scene.sim
        hidden = frozenset({sim.population.player.id}) if sim is not None and first_person else frozenset[int]()
        sees_outside = current is None or current.seen_outside
        levels, presets = self.levels_of_detail, self.presets
        options = DrawOptions(sees_outside=sees_outside, without=hidden, levels_of_detail=levels, presets=presets)
        self.scene.update()
        with offscreen_context():
            samples = samples_for(Antialiasing.AUTO).at_rest if buffer is Buffer.COLOUR else ONE_SAMPLE
            target = OffscreenTarget(round(frame.camera.width), round(frame.camera.height), samples)
            GlRenderer(self.scene).draw(frame, target.framebuffer, options, overlays)
            if buffer is Buffer.DEPTH:
                return depth_picture(target.depth())
            return stencil_picture(target.stencil(), COVER) if buffer is Buffer.STENCIL else target.pixels()


def save(picture: Picture, overlays: OverlayGeometry, camera: Camera, target: Path) -> None:
    from PySide6.QtCore import QBuffer
    from PySide6.QtGui import QImage, QImageWriter

    height, width = picture.shape[:2]
    pixels = np.ascontiguousarray(picture)
    image = QImage(pixels.data, width, height, 4 * width, QImage.Format.Format_RGBA8888)
    if overlays.labels:
        image = image.copy()
        write_words(image, overlays, camera)
    buffer = QBuffer()
    if not QImageWriter(buffer, target.suffix[1:].lower().encode()).write(image):
        raise WorldError(f"this picture cannot be written as {target.suffix}", str(target))
    write_whole(target, bytes(buffer.data().data()))


def jpeg_bytes(picture: Picture, quality: int) -> bytes:
    """A picture without words as a JPEG file has it."""
    from PySide6.QtCore import QBuffer
    from PySide6.QtGui import QImage, QImageWriter

    height, width = picture.shape[:2]
    pixels = np.ascontiguousarray(picture)
    buffer = QBuffer()
    writer = QImageWriter(buffer, b"jpeg")
    writer.setQuality(quality)
    writer.write(QImage(pixels.data, width, height, 4 * width, QImage.Format.Format_RGBX8888))
    return bytes(buffer.data().data())


def write_words(image: QImage, overlays: OverlayGeometry, camera: Camera) -> None:
    """The words of overlays, which OpenGL does not write."""
    from PySide6.QtGui import QFont, QPainter

    from editor.pictures.contexts import MEMORY, application_for
    from editor.view3d.overlay_labels import write_labels

    application_for(MEMORY)  # text needs an application, but no display
    font = QFont("monospace")
    font.setPixelSize(WORD_PIXELS)
    painter = QPainter(image)
    write_labels(painter, overlays, camera, font)
    painter.end()
