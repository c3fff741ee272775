"""`replay RECORDING`: replays a recorded run and compares the state after every tick with the recorded one."""

from __future__ import annotations

import argparse
import json
from pathlib import Path
from typing import Any, Final

from editor.commands.replay_capture import capture_data, report
from editor.process.plain_text import print_lines, warn_lines
from editor.process.server_arguments import add_server_arguments
from editor.session.named_sources import is_named
from editor.session.reproductions import packed_world, reproduction_at
from editor.session.server_choice import ServerChoice, ServerDataError, choice_of, furnish, server_choice
from editor.session.sources import open_source
from engine import active_core
from engine.dat.errors import DatError
from engine.entities.specs import unpack_spec
from engine.sim.captures.form import capture_of
from engine.sim.captures.replay import replay_capture
from engine.sim.conditions.known_names import check_names
from engine.sim.conditions.reading import condition_of
from engine.sim.conditions.watch import ConditionWatch
from engine.sim.conditions.words import Condition, condition_text
from engine.sim.edits.entities import AddEntity
from engine.sim.errors import SimError
from engine.sim.playback import Divergence, FieldDifference, Playback, check_world, verify
from engine.sim.recording import Recording
from engine.sim.recording_file import load_recording, parse_recording
from engine.sim.tick.simulation import Simulation
from engine.sim.trace.tree import place_text, vec_text
from engine.world.cells.ids import cell_text
from engine.world.faults import WorldError
from engine.world.loader.reproduction.content import CAPTURE, Reproduction
from engine.world.world import World

NOTE: Final = """\
The simulation starts from the recording's first snapshot, gets its keys and edits, and must reach the recorded
state after every tick, on either core. `walk ... --record FILE` makes a recording.

exit code: 0 when every tick agrees, 1 when one does not, 2 when the recording or its world cannot be used.
"""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.formatter_class = argparse.RawDescriptionHelpFormatter
    parser.epilog = NOTE
    parser.add_argument(
        "recording", type=Path, metavar="RECORDING", help="a file that `walk --record` wrote, or a reproduction"
    )
    parser.add_argument("--to", type=int, metavar="TICK", help="stop before that tick and say where the player is then")
    parser.add_argument(
        "--find", metavar="CONDITION", help="list the ticks for which this holds, such as 'contact lost and indoors'"
    )
    parser.add_argument("--source", help="the world, if it is not where it was: demo, a folder, a scene .json")
    add_server_arguments(parser)
    parser.add_argument(
        "--any-world",
        action="store_true",
        help="continue in a world other than the recorded one, and show where they differ",
    )
    parser.add_argument("--json", action="store_true", help="a JSON object with all differences")


def run(arguments: argparse.Namespace) -> int:
    find = None if arguments.find is None else condition_of(arguments.find, "--find")
    packed = reproduction_at(arguments.recording)
    if packed is not None and packed.head.moves == CAPTURE:
        return _replay_capture(packed, arguments)
    recording = load_recording(arguments.recording) if packed is None else _packed_recording(packed, arguments)
    end = recording.end if arguments.to is None else arguments.to
    if not recording.first_tick <= end <= recording.end:
        raise SimError(f"--to is from {recording.first_tick} to {recording.end}, not {end}", str(arguments.recording))
    with _world(recording, arguments, packed) as world:
        untold = "" if arguments.any_world else check_world(world, recording)
        if untold:
            warn_lines([untold])
        sim = Simulation(world, player_id=recording.player_id)
        finds = Finds(sim, recording, find)
        divergence = verify(sim, recording, end)
        if arguments.json:
            data = {**replay_data(recording, sim, end, divergence), **finds.data(divergence)}
            print(json.dumps(data, allow_nan=False))
        else:
            print_lines([*replay_lines(recording, sim, end, divergence), *finds.lines(divergence)])
    return 0 if divergence is None else 1


def _added(recording: Recording) -> list[str]:
    """The names of what comes in by edits."""
    edits = (edit for made in recording.edits.values() for edit in made)
    return [unpack_spec(edit.spec.encode()).name for edit in edits if isinstance(edit, AddEntity)]


class Finds:
    """The ticks of a replay for which a condition holds, and what makes it hold."""

    def __init__(self, sim: Simulation, recording: Recording, condition: Condition | None) -> None:
        self._condition = condition
        self._recording = recording
        self._found: list[tuple[int, str]] = []
        self._ran = 0
        if condition is not None:
            Playback(sim, recording).start()  # where the first tick begins
            warn_lines(check_names(condition, sim, "--find", _added(recording)))
            ConditionWatch(sim, [condition], self._hear)

    def _hear(self, tick: int, found: list[str]) -> None:
        self._ran += 1
        self._found.extend((tick, why) for why in found if why)

    def _before(self, divergence: Divergence | None) -> list[tuple[int, str]]:
        """Those before the runs part; what comes after that is not what was recorded."""
        return [each for each in self._found if divergence is None or each[0] < divergence.tick]

    def lines(self, divergence: Divergence | None) -> list[str]:
        if self._condition is None:
            return []
        found, ran = self._before(divergence), self._count(divergence)
        lines = [f"{tick:6} {cell_text(self._cell(tick))}  {why}" for tick, why in found]
        return [*lines, f"{len(found):,} of {ran:,} ticks: {condition_text(self._condition)}"]

    def data(self, divergence: Divergence | None) -> dict[str, Any]:
        if self._condition is None:
            return {}
        found = [
            {"tick": tick, "cell": cell_text(self._cell(tick)), "because": why}
            for tick, why in self._before(divergence)
        ]
        text = condition_text(self._condition)
        return {"find": {"condition": text, "of": self._count(divergence), "ticks": found}}

    def _count(self, divergence: Divergence | None) -> int:
        return self._ran if divergence is None else divergence.tick - self._recording.first_tick

    def _cell(self, tick: int) -> int:
        return self._recording.samples[tick - self._recording.first_tick].cell


def _packed_recording(packed: Reproduction, arguments: argparse.Namespace) -> Recording:
    return parse_recording(packed.moves, str(arguments.recording))


def _replay_capture(packed: Reproduction, arguments: argparse.Namespace) -> int:
    """The moves of a capture in a reproduction, as `replay-capture` shows them."""
    records = capture_of(packed.moves, str(arguments.recording))
    for option, value in (("--to", arguments.to), ("--find", arguments.find)):
        if value is not None:
            raise SimError(f"holds a capture; {option} is for recordings", str(arguments.recording))
    with _packed_or_named(packed, arguments) as world:
        sim = Simulation(world)
        for record in records:
            sim.surroundings.join(record.input.cell_id)
        replays = replay_capture(sim.graph, sim.rules, records, None, packed.head.anchor)
    if arguments.json:
        print(json.dumps(capture_data(replays, None), allow_nan=False))
    else:
        print_lines(report(replays, None))
    return 0 if all(replay.agrees for replay in replays) else 1


def _packed_or_named(packed: Reproduction, arguments: argparse.Namespace) -> World:
    server = server_choice(arguments)
    if arguments.source:
        return open_source(arguments.source, None, server)
    return furnish(packed_world(packed, arguments.recording), server)


def _world(recording: Recording, arguments: argparse.Namespace, packed: Reproduction | None) -> World:
    if packed is not None:
        return _packed_or_named(packed, arguments)
    server = _server(recording, arguments)
    if arguments.source:
        return open_source(arguments.source, None, server)
    if not recording.source:
        raise SimError("does not say where its world is; name it with --source", str(arguments.recording))
    if not is_named(recording.source, frozenset(), arguments.recording.parent):
        reason = f"says that its world is {recording.source}, which is not beside it; name it with --source"
        raise SimError(reason, str(arguments.recording))
    try:
        return open_source(recording.source, None, server)
    except ServerDataError:
        raise
    except (DatError, WorldError) as error:
        raise SimError(
            f"its world is not where it was; name it with --source: {error}", str(arguments.recording)
        ) from error


def _server(recording: Recording, arguments: argparse.Namespace) -> ServerChoice | None:
    """The server data that is named, or what the recording says, if that lies beside it."""
    named = server_choice(arguments)
    place = recording.server
    if named is not None or place is None or not place.paths:
        return named
    stray = [path for path in place.paths if not is_named(path, frozenset(), arguments.recording.parent)]
    if stray:
        reason = f"says that its server data is {stray[0]}, which is not beside it; name it with --server-data"
        raise SimError(reason, str(arguments.recording))
    return choice_of(place)


def replay_lines(recording: Recording, sim: Simulation, end: int, divergence: Divergence | None) -> list[str]:
    made = f"{len(recording)} ticks in {recording.world} from tick {recording.first_tick} on"
    cores = f"recorded by {recording.program} on the {recording.core} core, replayed on the {active_core()} one"
    lines = [f"{made}, {cores}"]
    if divergence is not None:
        return [*lines, "the runs diverge:", *divergence.lines()]
    body = sim.player.steered
    where = place_text(body.place.cell_id if body.cell is not None else 0, body.place.origin)
    lines.append(f"{end - recording.first_tick} ticks agree")
    lines.append(f"before tick {end} the player is in {where}, heading {body.place.turn.heading():.1f}")
    lines.append(f"velocity {vec_text(body.velocity)}, state {sim.state_hash().hex()}")
    return lines


def replay_data(recording: Recording, sim: Simulation, end: int, divergence: Divergence | None) -> dict[str, Any]:
    data: dict[str, Any] = {
        "world": recording.world,
        "first_tick": recording.first_tick,
        "ticks": len(recording),
        "recorded_by": recording.program,
        "recorded_on": recording.core,
        "replayed_on": active_core(),
        "agrees": divergence is None,
    }
    if divergence is None:
        data["to"] = end
        data["state"] = sim.state_hash().hex()
    else:
        data["diverges"] = {
            "tick": divergence.tick,
            "reason": divergence.reason,
            "player": [_difference_data(difference) for difference in divergence.player],
            "fields_before_tick": divergence.fields_at,
            "fields": [_difference_data(difference) for difference in divergence.fields],
        }
    return data


def _difference_data(difference: FieldDifference) -> dict[str, str]:
    return {"path": difference.path, "recorded": difference.recorded, "ours": difference.ours}
