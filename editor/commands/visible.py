"""`visible SOURCE --cell C --eye X,Y,Z`: what the eye sees of which cells, and what became of every portal."""

from __future__ import annotations

import argparse
import json
from collections.abc import Iterator
from typing import Final

from editor.commands.visible_cases import run_cases
from editor.commands.visible_eye import (
    PictureSize,
    checked_degrees,
    checked_pitch,
    checked_pixels,
    names_of,
    parse_eye,
    parse_size,
    root_of,
    screen_of,
)
from editor.process.plain_text import print_lines
from editor.reports.visible_cells import NOTHING_SEEN, Data, aperture_name, flood_data, look_in_data, name_of
from editor.reports.visible_cells_text import camera_lines, flood_lines, look_in_lines
from editor.session.sources import open_source
from engine.visibility.camera import Camera
from engine.visibility.flood import Visibility
from engine.visibility.frame import frame_events
from engine.visibility.options import FloodOptions
from engine.visibility.point_location import PointLocator
from engine.visibility.records import FloodResult
from engine.visibility.root import PINNED, VIEWER, RootSources, choose_root
from engine.visibility.store import CellManager
from engine.visibility.world_view import WorldView
from engine.world.faults import WorldError
from engine.world.graph.graph import NO_CELL
from engine.world.world import World

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


class Sighting:
    """The view of one eye: the flood from its room, and every look through a building's portal."""

    def __init__(self, world: World, root_id: int, root_mode: str, camera: Camera, options: FloodOptions) -> None:
        self.world = world
        self.camera = camera
        self.names = names_of(world)
        self.note = ""
        world_view = WorldView(world)
        manager = CellManager(world.graph)
        manager.change_position(root_id, camera.eye)
        if root_mode == VIEWER:
            root_id = _cell_of_eye(world_view, camera)
            manager.change_position(root_id, camera.eye)
        else:
            root = world.graph.peek(root_id)
            if root is not None and not root.point_in_cell(camera.eye):
                self.note = f"the eye is outside of {name_of(root_id, self.names)}"
        self.root_id = root_id
        self.frame = frame_events(world_view, Visibility(world.graph, options), camera, root_id)
        if self.frame.message:
            raise WorldError(self.frame.message, world.name)
        self.looks = [*self.frame.look_ins, *self.frame.rejected]
        self.beyond = beyond_stab_list(self.frame.flood)

    def data(self, heading: float, pitch: float) -> Data:
        flood = self.frame.flood
        return {
            "source": self.world.name,
            "root": name_of(self.root_id, self.names),
            "eye": list(self.camera.eye),
            "heading": heading,
            "pitch": pitch,
            "viewport": [self.camera.width, self.camera.height],
            "focal": self.camera.focal,
            "note": self.note,
            "beyond_stab_list": [name_of(cell_id, self.names) for cell_id in self.beyond],
            **(NOTHING_SEEN if flood is None else flood_data(flood, self.names)),
            "apertures": [look_in_data(look, aperture_name(look), self.names) for look in self.looks],
        }

    def lines(self, heading: float, pitch: float) -> Iterator[str]:
        yield f"root    {name_of(self.root_id, self.names)} in {self.world.name}"
        if self.note:
            yield f"note    {self.note}"
        if self.beyond:
            yield f"note    not in the stab list: {', '.join(name_of(cell_id, self.names) for cell_id in self.beyond)}"
        yield from camera_lines(self.camera, heading, pitch)
        flood = self.frame.flood
        if flood is not None:
            yield from flood_lines(flood, self.camera, self.names)
        elif not self.looks:
            yield "no building with openings is in view"
        for look in self.looks:
            view = f" in view {look.view_index}" if len(self.frame.landscape_views) > 1 else ""
            yield from look_in_lines(look, f"building portal {aperture_name(look)}{view}", self.camera, self.names)


def beyond_stab_list(flood: FloodResult | None) -> list[int]:
    """The cells that are seen only because the root's stab list is ignored: those are missing in it (4.3)."""
    if flood is None or not flood.cells:
        return []
    root = flood.by_id[flood.root_id].cell
    return [v.cell_id for v in flood.cells if v.cell_id != root.id and v.cell_id not in root.stab_set]


def _cell_of_eye(world_view: WorldView, camera: Camera) -> int:
    """The room that contains the eye, else the land under it."""
    locator = PointLocator(world_view)
    choice = choose_root(world_view.graph, VIEWER, RootSources(), locator, camera.block_id, camera.eye)
    if choice.root_id == NO_CELL:
        raise WorldError("no loaded cell contains the eye", world_view.world.name)
    return choice.root_id
