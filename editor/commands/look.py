"""`look SOURCE --screenshot FILE`: a picture of a world from an eye, drawn by OpenGL without a window."""

from __future__ import annotations

import argparse
import math
from typing import Final

from editor.pictures.onlooker import (
    EyePoint,
    Onlooker,
    eye_of_player,
    in_first_person,
    middle_of,
    parse_overlay,
    picture_file,
    root_around,
    save,
    step_forward,
)
from editor.pictures.optics import checked_eye, checked_pitch, named_cell
from editor.process.plain_text import print_lines
from editor.process.server_arguments import add_server_arguments
from editor.session.server_choice import server_choice
from editor.session.sources import DEMO, open_source
from editor.session.spawn import simulation_of
from engine.geometry.vec import Vec3
from engine.render.buffers import Buffer
from engine.render.overlays.catalogue import Overlay
from engine.render.presets import Presets
from engine.sim.tick.simulation import Simulation
from engine.world.cells.ids import cell_text, landblock_id
from engine.world.faults import WorldError
from engine.world.world import World

RETAIL, EXACT = "retail", "exact"
SIZE: Final = (1280, 800)
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
