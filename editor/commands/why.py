"""`why RECORDING --of VALUE`: since which tick a value is what it is, by what, and why that in turn."""

from __future__ import annotations

import argparse
import json
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Final

from editor.commands.compare_inputs import open_run
from editor.process.plain_text import print_lines
from editor.process.server_arguments import add_server_arguments
from editor.reports.why import askable_lines, chain_data, chain_lines
from editor.session.reproductions import packed_world, reproduction_at
from editor.session.server_choice import furnish, server_choice
from editor.session.sources import open_source
from engine.sim.errors import SimError
from engine.sim.playback import check_world
from engine.sim.recording import Recording
from engine.sim.recording_file import parse_recording
from engine.sim.tick.simulation import Simulation
from engine.sim.why.answer import SIMULATION, Asked
from engine.sim.why.asking import OF_SIMULATION, entity_named, value_named
from engine.sim.why.history import History
from engine.sim.why.question import answer
from engine.sim.why.values import askable
from engine.world.cells.ids import cell_text
from engine.world.loader.reproduction.content import CAPTURE
from engine.world.world import World

NOTE: Final = """\
A value is that of an entity after a tick: player.cell, player.contact_plane, player.origin.z, "Front Door".is_open,
0x7C95B001.busy_until, rules.walkable_corner. --list tells all that can be asked.

exit code: 0 when it is answered, 2 when the recording, its world or the question cannot be used.
"""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.formatter_class = argparse.RawDescriptionHelpFormatter
    parser.epilog = NOTE
    parser.add_argument("run", metavar="RECORDING", help="a recording, a reproduction, or a walk's script with --start")
    parser.add_argument("--of", metavar="ENTITY.VALUE", help="the value, such as player.cell")
    parser.add_argument("--tick", type=int, metavar="TICK", help="the value after that tick; the last one unless given")
    parser.add_argument(
        "--list", action="store_true", help="list the values of the entity that --of names, or of the player"
    )
    parser.add_argument(
        "--world", metavar="SOURCE", help="the world, where a file does not say it or says another place"
    )
    parser.add_argument("--start", metavar="CELL,X,Y,Z[,HEADING]", help="where the walk of a script begins")
    add_server_arguments(parser)
    parser.add_argument("--json", action="store_true", help="a JSON object with every link")


def run(arguments: argparse.Namespace) -> int:
    if arguments.of is None and not arguments.list:
        raise SimError("say with --of what is asked about, such as player.cell; --list tells all that can be asked")
    with _opened(arguments) as (recording, world):
        if not len(recording):
            raise SimError("has no ticks", arguments.run)
        sim = Simulation(world, player_id=recording.player_id)
        try:
            tick = recording.end - 1 if arguments.tick is None else arguments.tick
            history = History(sim, recording)
            if not recording.first_tick <= tick <= history.last_tick:
                reason = f"--tick is from {recording.first_tick} to {history.last_tick}, not {tick}"
                raise SimError(reason, arguments.run)
            history.stand_after(tick)
            if arguments.list:
                _list(sim, arguments)
                return 0
            entity_id, path = value_named(sim, arguments.of)
            chain = answer(sim, recording, Asked(entity_id, path, tick))
            if arguments.json:
                print(json.dumps(chain_data(chain), allow_nan=False))
            else:
                print_lines(chain_lines(chain))
            return 0
        finally:
            sim.close()


def _list(sim: Simulation, arguments: argparse.Namespace) -> None:
    """The values of an entity, and without one those of the player and the names of the others."""
    wanted = (arguments.of or "player").strip().strip("\"'")
    entity_id = SIMULATION if wanted in OF_SIMULATION else entity_named(sim, wanted).id
    values = askable(sim, entity_id)
    others = [] if arguments.of else [(each.id, each.name) for each in sim.population.ordered]
    if arguments.json:
        data = {
            "entity": cell_text(entity_id),
            "values": [{"path": each.path, "title": each.title, "value": each.value} for each in values],
            "others": [{"entity": cell_text(other), "name": name} for other, name in others],
        }
        print(json.dumps(data, allow_nan=False))
        return
    lines = askable_lines(wanted, values)
    print_lines([*lines, *(f'"{name}" {cell_text(other)}: --list --of "{name}"' for other, name in others)])


@contextmanager
def _opened(arguments: argparse.Namespace) -> Iterator[tuple[Recording, World]]:
    """The recording and its world: of a reproduction those in it."""
    path = Path(arguments.run)
    packed = None if arguments.start is not None else reproduction_at(path)
    if packed is None:
        with open_run(arguments.run, arguments) as opened:
            yield opened.recording, opened.world
        return
    if packed.head.moves == CAPTURE:
        raise SimError("holds a capture, which has single moves and nothing that leads from one to the next", str(path))
    recording = parse_recording(packed.moves, str(path))
    server = server_choice(arguments)
    world = packed_world(packed, path) if arguments.world is None else None
    opened_world = open_source(arguments.world, None, server) if world is None else furnish(world, server)
    with opened_world as found:
        check_world(found, recording)
        yield recording, found
