"""`look SOURCE --screenshot FILE`: a picture of a world from an eye, drawn by OpenGL without a window."""

from __future__ import annotations

import argparse
import math
import os
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Final

import numpy as np
from numpy.typing import NDArray

from editor.commands.visible_eye import checked_eye, checked_pitch, named_cell
from editor.process.output_files import output_file
from editor.process.plain_text import print_lines
from editor.process.server_arguments import add_server_arguments
from editor.session.server_choice import server_choice
from editor.session.sources import DEMO, open_source
from editor.session.spawn import simulation_of
from engine.dat.atomic import write_whole
from engine.geometry.constants import CELL_LENGTH
from engine.geometry.vec import Vec3
from engine.render.antialiasing import ONE_SAMPLE, Antialiasing
from engine.render.buffers import Buffer, depth_picture, stencil_picture
from engine.render.overlays.catalogue import Overlay, Subject, draw_overlays
from engine.render.overlays.geometry import OverlayGeometry
from engine.render.overlays.hulls import cell_center
from engine.render.presets import NO_PRESETS, Presets
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

RETAIL, EXACT = "retail", "exact"
SIZE: Final = (1280, 800)
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


FLAGS: Final = {
    "rooms_at_once": "draw cut-out and blended surfaces of walls with the walls, as the client does with detail "
    "texturing of rooms",
    "multi_pass_alpha": "draw cut-out surfaces at once, and again at the end with soft edges, as the client does under "
    "some presets",
    "detail_textures": "draw the walls of rooms again with the region's detail texture, as the client does under some "
    "presets",
}
"""The options that switch the client's presets on, by name."""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "source",
        nargs="?",
        default=DEMO,
        help="demo (the default), a folder with the client's .dat files, a scene .json, a dump folder, or a .json of "
        "portal scenes",
    )
    add_server_arguments(parser)
    parser.add_argument("--scene", metavar="NAME", help="which scene of a file that holds several")
    parser.add_argument("--screenshot", metavar="FILE", required=True, help="the picture file to write, usually .png")
    parser.add_argument(
        "--cell",
        metavar="CELL",
        help="the cell of the eye, in a scene also the name of a room; default: the player's",
    )
    parser.add_argument(
        "--eye",
        metavar="X,Y,Z",
        help="the eye in the cell's landblock, written --eye=-1,2,3 if X is negative; default: the cell's middle",
    )
    parser.add_argument("--heading", metavar="DEG", help="0 north, 90 east; default: the player's, else 0")
    parser.add_argument("--pitch", metavar="DEG", default="0", help="up positive, -90 to 90; default: 0")
    parser.add_argument("--time", metavar="T", default="0.5", help="of the day, 0 to 1; default: noon, 0.5")
    parser.add_argument(
        "--size", metavar="WxH", default="x".join(map(str, SIZE)), help="in pixels; default: %(default)s"
    )
    parser.add_argument(
        "--mode", choices=(RETAIL, EXACT), default=RETAIL, help="clip pixels by depth alone, or to what the flood sees"
    )
    parser.add_argument(
        "--levels-of-detail",
        action="store_true",
        help="draw objects more than 50 m away with the simpler meshes of their models",
    )
    parser.add_argument(
        "--terrain-detail",
        action="store_true",
        help="draw land up to five landblocks away: beyond the next one with fewer squares of ground and nothing on it",
    )
    parser.add_argument(
        "--buffer",
        choices=[each.value for each in Buffer],
        default=Buffer.COLOUR.value,
        help="show the frame's depth or its stencil in place of its colours",
    )
    parser.add_argument(
        "--overlay",
        metavar="NAME",
        nargs="+",
        action="extend",
        default=[],
        help=f"draw over the picture, one or several: {', '.join(each.value for each in Overlay)}; "
        f"{Overlay.CONTACT.value} is that of a tick in which the player steps forward",
    )
    for flag, text in FLAGS.items():
        parser.add_argument("--" + flag.replace("_", "-"), action="store_true", help=text)


def run(arguments: argparse.Namespace) -> int:
    wishes = Wishes(arguments)
    with open_source(arguments.source, arguments.scene, server_choice(arguments)) as world:
        ids = world.landblock_ids()
        if not ids:
            raise WorldError("there is nothing to look at: it has no landblocks", world.name)
        cell_id = None if wishes.cell is None else named_cell(world, wishes.cell)
        sim = simulation_of(world, arguments.source, landblock_id(cell_id) if cell_id else ids[0])
        view = find_view(world, sim, cell_id, wishes)
        first_person = in_first_person(sim, view)
        sweeps = step_forward(sim) if Overlay.CONTACT in wishes.overlays else []
        onlooker = Onlooker(world, sim)
        onlooker.scene.time_of_day = wishes.time % 1.0
        onlooker.levels_of_detail, onlooker.terrain_detail = arguments.levels_of_detail, arguments.terrain_detail
        frame = onlooker.frame(view, view.camera(*wishes.size), arguments.mode == EXACT)
        geometry = onlooker.overlays(frame, wishes.overlays, sweeps)
        onlooker.presets = Presets(**{name: getattr(arguments, name) for name in FLAGS})
        picture = onlooker.picture(frame, geometry, first_person, Buffer(arguments.buffer))
    save(picture, geometry, frame.camera, wishes.target)
    width, height = wishes.size
    print_lines([f"{wishes.target}: {width} x {height} pixels, from {cell_text(view.root_id)}"])
    return 0


# --- what the words mean


class Wishes:
    """Check the command line as far as that is possible without a world."""

    def __init__(self, arguments: argparse.Namespace) -> None:
        self.size = parse_size(arguments.size)
        self.time = number(arguments.time, "time")
        if not 0.0 <= self.time <= 1.0:
            raise WorldError(f"a time of {arguments.time} is not on any day: it goes from 0 to 1, 0.5 is noon")
        self.pitch = checked_pitch(number(arguments.pitch, "pitch"))
        self.heading = None if arguments.heading is None else number(arguments.heading, "heading")
        self.eye = None if arguments.eye is None else parse_point(arguments.eye)
        self.cell: str | None = arguments.cell
        self.overlays = [parse_overlay(name) for name in arguments.overlay]
        self.target = picture_file(arguments.screenshot, *filter(None, (arguments.source, *arguments.server_data)))


def number(text: str, what: str) -> float:
    try:
        value = float(text)
    except ValueError:
        value = math.nan
    if not math.isfinite(value):
        raise WorldError(f"{text!r} is not a number, as the {what} has to be")
    return value


def parse_size(text: str) -> tuple[int, int]:
    width, cross, height = text.lower().partition("x")
    if not cross or not width.isdecimal() or not height.isdecimal() or not int(width) or not int(height):
        raise WorldError(f"{text!r} is not a size: write WIDTHxHEIGHT, as 1280x800")
    return int(width), int(height)


def parse_point(text: str) -> Vec3:
    parts = text.split(",")
    if len(parts) != 3:
        raise WorldError(f"{text!r} is not a point: write X,Y,Z")
    x, y, z = (number(part, "point") for part in parts)
    return checked_eye((x, y, z))


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


# --- where it is looked from


def find_view(world: World, sim: Simulation, cell_id: int | None, wishes: Wishes) -> EyePoint:
    """The eye and its cell; options that are not given are taken from the player."""
    player = sim.population.player
    at, heading = wishes.eye, wishes.heading
    if cell_id is None:
        start = player.place_cell()
        if start == 0:
            raise WorldError("there is no room for a player: choose the eye's cell with --cell", world.name)
        if heading is None:
            heading = player.place_frame().heading()
        if at is None:
            return EyePoint(start, eye_of_player(sim), heading, wishes.pitch)
        return EyePoint(root_around(world, start, at), at, heading, wishes.pitch)
    root_id = cell_id
    if world.landblock(landblock_id(cell_id)) is None:
        raise WorldError(f"there is no landblock {cell_text(landblock_id(cell_id))}", world.name)
    if cell_id == landblock_id(cell_id):
        if at is None:
            raise WorldError(f"{cell_text(cell_id)} is a landblock: choose the eye's place with --eye", world.name)
        root_id = root_around(world, cell_id, at)
    return EyePoint(root_id, at or middle_of(world, root_id), heading or 0.0, wishes.pitch)


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
        from engine.render.gl.offscreen import OffscreenContext, OffscreenTarget, samples_for
        from engine.render.gl.renderer import DrawOptions, GlRenderer
        from engine.render.gl.screen import COVER

        current = self._cells.current
        sim = self.scene.sim
        hidden = frozenset({sim.population.player.id}) if sim is not None and first_person else frozenset[int]()
        sees_outside = current is None or current.seen_outside
        levels, presets = self.levels_of_detail, self.presets
        options = DrawOptions(sees_outside=sees_outside, without=hidden, levels_of_detail=levels, presets=presets)
        self.scene.update()
        with OffscreenContext():
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


def write_words(image: QImage, overlays: OverlayGeometry, camera: Camera) -> None:
    """The words of overlays, which OpenGL does not write."""
    from PySide6.QtGui import QFont, QGuiApplication, QPainter

    from editor.view3d.overlay_labels import write_labels

    application = QGuiApplication.instance()
    if application is None:
        os.environ.setdefault("QT_QPA_PLATFORM", "offscreen")  # text needs an application, but no display
        application = QGuiApplication(["look"])
    font = QFont("monospace")
    font.setPixelSize(WORD_PIXELS)
    painter = QPainter(image)
    write_labels(painter, overlays, camera, font)
    painter.end()
