"""`reproduce MOVES --world SOURCE --out X.cdrepro`: packs a recording or a capture with all of the world it needs."""

from __future__ import annotations

import argparse
import json
from pathlib import Path
from typing import Final

from editor.commands.replay_capture import PLACE_FORM, open_for_capture, parse_placement
from editor.export.reproduction import WorldPlace, plan_lines, plan_reproduction, size_text, write_reproduction
from editor.process.plain_text import print_lines
from editor.process.server_arguments import add_server_arguments
from editor.session.named_sources import is_named
from editor.session.server_choice import furnish, server_choice
from editor.session.sources import look_at
from engine.files.errors import FileError
from engine.files.kinds import CAPTURE, RECORDING
from engine.files.reading import open_regular, read_opened
from engine.sim.errors import SimError
from engine.sim.recording_file import MAGIC
from engine.sim.reproduction.moves import CapturedMoves, Moves, RecordedMoves
from engine.world.cells.ids import parse_id
from engine.world.loader.reproduction.heading import MAX_NOTE
from engine.world.world import World

NOTE: Final = """\
What goes in is found out by replaying: the landblocks that came near, whole, with everything that they are drawn with,
and nothing else of the world. Before it is written, the file is opened and replayed; it must give the same.
It carries data of the game, taken from your files: share it only as you may share those.

exit code: 0 when the file is written, 2 when it is not.
"""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.formatter_class = argparse.RawDescriptionHelpFormatter
    parser.epilog = NOTE
    parser.add_argument("moves", type=Path, metavar="RECORDING_OR_CAPTURE", help="a .cdrec or a .jsonl")
    parser.add_argument(
        "--world",
        metavar="SOURCE",
        action="append",
        default=[],
        help="the world, for a recording if it is not where it says; several folders of dumps make one world",
    )
    add_server_arguments(parser)
    parser.add_argument("--scene", metavar="NAME", help="which scene of a file of several")
    parser.add_argument("--ground", type=float, metavar="Z", help="flat land of that height around dumps")
    parser.add_argument("--place", action="append", default=[], metavar=PLACE_FORM, help="as for replay-capture")
    parser.add_argument("--frame", metavar="LANDBLOCK", help="as for replay-capture")
    parser.add_argument("--out", metavar="FILE", type=Path, required=True, help="the reproduction to write, a .cdrepro")
    parser.add_argument("--no-textures", action="store_true", help="draw in plain colours, in a smaller file")
    parser.add_argument("--note", default="", metavar="TEXT", help=f"goes into its first lines; {MAX_NOTE} characters")
    parser.add_argument("--json", action="store_true", help="a JSON object")


def run(arguments: argparse.Namespace) -> int:
    moves, place = _moves(arguments)

    def opened() -> World:
        world = open_for_capture(place.sources, arguments.place, arguments.ground, arguments.scene)
        return furnish(world, place.server)

    plan = plan_reproduction(lambda world: moves, place, _quiet, open_place=opened)
    read: list[str | Path] = [arguments.moves, *place.sources, *(place.server.paths if place.server else ())]
    sentence = write_reproduction(
        plan, arguments.out, read, _quiet, textures=not arguments.no_textures, note=arguments.note
    )
    if arguments.json:
        head = plan.content.head
        print(json.dumps({"file": str(arguments.out), "bytes": arguments.out.stat().st_size, **head.counts}))
        return 0
    print_lines([*plan_lines(plan), sentence])
    if plan.textures_size and not arguments.no_textures:
        print_lines([f"{size_text(plan.textures_size)} of it are textures, which --no-textures leaves out"])
    return 0


def _quiet(fraction: float, sentence: str) -> None:
    """A terminal gets the outcome alone."""


def _moves(arguments: argparse.Namespace) -> tuple[Moves, WorldPlace]:
    file = arguments.moves
    try:
        opened = open_regular(file)
        is_recording = opened.read_at(0, len(MAGIC)) == MAGIC
        data = read_opened(opened, RECORDING if is_recording else CAPTURE)
    except FileError as error:
        raise SimError(error.reason, str(file)) from error
    anchor = 0 if arguments.frame is None else parse_id(arguments.frame)
    moves: Moves
    scene: str | None = arguments.scene
    sources = tuple(arguments.world)
    if is_recording:
        moves = RecordedMoves(data, str(file))
        recording = moves.recording
        if not sources and not is_named(recording.source, frozenset(), file.parent):
            reason = f"says that its world is {recording.source}, which is not beside it; name it with --world"
            raise SimError(reason, str(file))
        sources = sources or ((recording.source,) if recording.source else ())
        if scene is None and len(sources) == 1 and recording.world in look_at(sources[0]).scenes:
            scene = recording.world  # the worlds in a file of several scenes are named like the scenes
    else:
        moves = CapturedMoves(data, str(file), anchor)
    if not sources:
        raise SimError("does not say where its world is; name it with --world", str(file))
    placements = tuple(parse_placement(text) for text in arguments.place)
    return moves, WorldPlace(sources, scene, server_choice(arguments), arguments.ground, placements)
