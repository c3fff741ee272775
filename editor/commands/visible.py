"""`visible SOURCE --cell C --eye X,Y,Z`: what the eye sees of which cells, and what became of every portal."""

from __future__ import annotations

import argparse
import json
from typing import Final

from editor.commands.visible_cases import run_cases
from editor.pictures.optics import (
    PictureSize,
    checked_degrees,
    checked_pitch,
    checked_pixels,
    parse_eye,
    parse_size,
    root_of,
    screen_of,
)
from editor.pictures.sighting import Sighting
from editor.process.plain_text import print_lines
from editor.session.sources import open_source
from engine.visibility.options import FloodOptions
from engine.visibility.root import PINNED, VIEWER
from engine.world.faults import WorldError

MODES: Final = (PINNED, VIEWER)


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "source",
        help="demo, a folder with the client's .dat files, a scene .json, a dump folder, or a .json of portal scenes",
    )
    parser.add_argument("--scene", metavar="NAME", help="which scene of a file that holds several")
    parser.add_argument(
        "--cell", metavar="C", help="the root: a room as 0xC95B0104, a land cell to look from outdoors, a scene's room"
    )
    parser.add_argument("--eye", metavar="X,Y,Z", help="the eye, in the coordinates of the cell's landblock")
    parser.add_argument("--heading", metavar="DEG", type=float, default=0.0, help="0 north (default), 90 east")
    parser.add_argument("--pitch", metavar="DEG", type=float, default=0.0, help="up positive, -90 to 90 (default 0)")
    parser.add_argument("--size", metavar="WxH", help="the screen in pixels (default 1280x800, or the scene file's)")
    parser.add_argument("--focal", metavar="PX", type=float, help="focal length (default: the client's for that size)")
    parser.add_argument(
        "--root-mode",
        choices=MODES,
        default=PINNED,
        help="pinned: the root is --cell (default); viewer: the cell that the eye is in",
    )
    parser.add_argument("--no-robust", action="store_true", help="the client's own rule for an eye in a portal's plane")
    parser.add_argument("--no-containment", action="store_true", help="keep views that another view contains")
    parser.add_argument("--ignore-stab-list", action="store_true", help="look into every loaded cell")
    parser.add_argument("--whole-landscape", action="store_true", help="do not clip the landscape to the exits")
    parser.add_argument("--json", action="store_true", help="print JSON")
    parser.add_argument("--cases", metavar="FILE", help="run a list of cases: id, scene, root, eye, heading, pitch")
    parser.add_argument("--out", metavar="OUT.json", help="the file for the answers")


def run(arguments: argparse.Namespace) -> int:
    options = FloodOptions(
        robust=not arguments.no_robust,
        containment=not arguments.no_containment,
        ignore_stab_list=arguments.ignore_stab_list,
        clip_landscape=not arguments.whole_landscape,
    )
    screen = PictureSize(
        None if arguments.size is None else parse_size(arguments.size),
        None if arguments.focal is None else checked_pixels(arguments.focal),
    )
    if arguments.cases is not None or arguments.out is not None:
        if arguments.cases is None or arguments.out is None:
            raise WorldError("--cases FILE and --out OUT.json go together")
        run_cases(arguments.source, arguments.scene, arguments.cases, arguments.out, options, screen)
        return 0
    if arguments.cell is None or arguments.eye is None:
        raise WorldError("say where the eye is: --cell C --eye X,Y,Z; or run a list with --cases FILE --out OUT.json")
    heading, pitch, eye = checked_degrees(arguments.heading), checked_pitch(arguments.pitch), parse_eye(arguments.eye)
    with open_source(arguments.source, arguments.scene) as world:
        root_id = root_of(world, arguments.cell, eye)
        camera = screen.or_else(screen_of(world)).camera(root_id, eye, heading, pitch)
        sighting = Sighting(world, root_id, arguments.root_mode, camera, options)
        if arguments.json:
            print(json.dumps(sighting.data(heading, pitch), indent=1, allow_nan=False))
        else:
            print_lines(sighting.lines(heading, pitch))
    return 0
