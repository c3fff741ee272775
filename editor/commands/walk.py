"""`walk SOURCE --start PLACE --script FILE`: controls from a script, without a window, and a line for every tick."""

from __future__ import annotations

import argparse
import json
import os
import sys
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from io import StringIO
from pathlib import Path
from typing import Any, Final

from editor.places.place_text import WrittenPlace, read_place, seems_place
from editor.places.standing import at_written
from editor.process.interrupt import interrupts_held
from editor.process.output_files import output_file
from editor.process.plain_text import print_lines, visible, warn_lines
from editor.process.rule_arguments import parse_rules as parse_rules
from editor.process.server_arguments import add_server_arguments
from editor.reports.sweep_headline import outcome_text
from editor.session.server_choice import place_of, server_choice
from editor.session.sources import DEMO, open_source
from engine.dat.atomic import write_whole
from engine.files.errors import FileError, why
from engine.files.kinds import SCRIPT
from engine.files.reading import read_text
from engine.physics.rule_table import rules_help
from engine.sim import script
from engine.sim.captures.writer import CaptureWriter
from engine.sim.conditions.known_names import check_names
from engine.sim.conditions.reading import condition_of
from engine.sim.conditions.watch import ConditionWatch
from engine.sim.conditions.words import condition_text
from engine.sim.edits.player import Teleport
from engine.sim.errors import SimError
from engine.sim.probes import attach_probes, use_environment, watch_cells
from engine.sim.recording import Recorder
from engine.sim.recording_file import save_recording
from engine.sim.reproduction.edges import watch_edge
from engine.sim.script import StartPlace, parse_place, parse_script
from engine.sim.tick.controls import Controls
from engine.sim.tick.report import TickReport
from engine.sim.tick.simulation import Simulation
from engine.sim.trace.recorder import TraceRecorder
from engine.sim.trace.tree import TraceNode, describe
from engine.world.cells.ids import cell_text
from engine.world.faults import WorldError
from engine.world.loader.names_file import read_names
from engine.world.names import Names
from engine.world.server.place import ServerPlace

STANDARD_INPUT: Final = "-"
PROBES: Final = """
The client's probe lines go to the standard error output when their variables are 1 in the environment:
ACDREAM_PROBE_INDOOR_BSP, ACDREAM_PROBE_CELL, ACDREAM_PROBE_CELL_CACHE, ACDREAM_PROBE_RESOLVE.
"""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.formatter_class = argparse.RawDescriptionHelpFormatter
    parser.epilog = f"script: {script.__doc__}{PROBES}\n{rules_help()}"
    parser.add_argument("source", help="demo, a folder with the client's .dat files, a scene .json or a dump folder")
    add_server_arguments(parser)
    parser.add_argument(
        "--start",
        required=True,
        metavar="CELL,X,Y,Z[,HEADING]",
        help="where the feet stand; in the demo also a spot's name",
    )
    parser.add_argument("--script", required=True, metavar="FILE", help="the script, - for standard input")
    parser.add_argument(
        "--rules",
        default="retail",
        metavar="SET[,RULE=FORM...]",
        help="retail (default) or ace, and single rules: ace,edge_slide_order=retail",
    )
    parser.add_argument(
        "--trace",
        metavar="TICK",
        type=int,
        action="append",
        default=[],
        help="trace the player's sweep of a tick, counting from 0; may be given several times",
    )
    parser.add_argument(
        "--capture", metavar="FILE", type=Path, help="write the player's sweeps as a client records them, a line each"
    )
    parser.add_argument("--record", metavar="FILE", type=Path, help="save the walk to a file that `replay` can replay")
    parser.add_argument(
        "--until",
        metavar="CONDITION",
        help="end after the first tick for which this holds, such as 'blocked by Front Door'; exit code 1 if none does",
    )
    parser.add_argument("--json", action="store_true", help="a JSON object for every tick")
    parser.add_argument(
        "--names", metavar="FILE", type=Path, help="a names file: print the names of cells and models before their ids"
    )


def run(arguments: argparse.Namespace) -> int:
    rules = parse_rules(arguments.rules)
    check_outputs(arguments)
    traced: list[int] = arguments.trace
    if min(traced, default=0) < 0:
        raise SimError(f"--trace {min(traced)}: ticks are counted from 0")
    places = places_of(arguments.source)
    until = [] if arguments.until is None else [condition_of(arguments.until, "--until")]
    orders = parse_script(read_script(arguments.script), arguments.script, places)
    start = start_of(arguments.start, places)
    names = Names() if arguments.names is None else Names(read_names(arguments.names).names)
    use_environment()
    server = server_choice(arguments)
    with open_source(arguments.source, None, server) as world:
        sim = Simulation(world, rules)
        watch_cells(sim.graph)
        place = at_written(sim, start) if isinstance(start, WrittenPlace) else start
        sim.apply_edit(Teleport(place.cell_id, *place.origin, place.heading))
        for condition in until:
            warn_lines(check_names(condition, sim, "--until"))
        attach_probes(sim)
        watch_edge(sim)
        recorder = TraceRecorder()
        if traced:
            sim.watch(sim.player.id, recorder)
            sim.name_causes()
        reached: list[tuple[int, str]] = []
        watch = ConditionWatch(sim, until, lambda tick, found: reached.extend((tick, why) for why in found if why))
        source = absolute_source(arguments.source)
        with captured(sim, arguments.capture), recorded(sim, source, arguments.record, place_of(server)):
            for report in between_interrupts(orders.run(sim)):
                sweeps = recorder.sweeps if report.tick in traced else []
                if arguments.json:
                    print_lines(_json_lines(sim, report, sweeps))
                else:
                    print_lines(names.in_text(line, behind=True) for line in _text_lines(sim, report, sweeps))
                recorder.clear()
                if reached:
                    break
        watch.close()
    if until:
        print_lines([_until_line(condition_text(until[0]), reached, as_json=arguments.json)])
    if reached:
        return 0
    missed = ", ".join(str(tick) for tick in sorted(set(traced)) if tick >= sim.tick_number)
    if missed:
        raise SimError(f"--trace {missed}: {_ticks_taken(sim.tick_number)}")
    return 1 if until else 0


def _until_line(condition: str, reached: list[tuple[int, str]], *, as_json: bool) -> str:
    tick, why = reached[0] if reached else (None, "")
    if as_json:
        return json.dumps({"until": condition, "tick": tick, "because": why})
    return f"never: {condition}" if tick is None else f"until tick {tick}: {why}"


def start_of(text: str, places: Mapping[str, StartPlace]) -> StartPlace | WrittenPlace:
    """A place by its name or its numbers, or in one of the forms that players exchange."""
    try:
        return parse_place(text, places)
    except WorldError:
        if not seems_place(text):
            raise
    return read_place(text)


def between_interrupts(ticks: Iterator[TickReport]) -> Iterator[TickReport]:
    """The same ticks, each of them whole: a signal that comes during one interrupts after it, so that a recording
    never ends in the middle of a tick."""
    while True:
        with interrupts_held():
            report = next(ticks, None)
        if report is None:
            return
        yield report


def _ticks_taken(count: int) -> str:
    return f"the walk has the ticks 0 to {count - 1}" if count else "the walk has no ticks"


def check_outputs(arguments: argparse.Namespace) -> None:
    """Refuse output files before the walk if they could not be written after it."""
    wanted = [path for path in (arguments.capture, arguments.record) if path is not None]
    for path in wanted:
        read = (arguments.source, arguments.script, *arguments.server_data)
        output_file(path, [name for name in read if name])
    if len(wanted) == 2 and os.path.realpath(wanted[0]) == os.path.realpath(wanted[1]):
        raise SimError("cannot hold both the capture and the recording", str(wanted[0]))


@contextmanager
def captured(sim: Simulation, path: Path | None) -> Iterator[None]:
    """Write the player's sweeps to a capture, with the numbers of the ticks, however the walk ends."""
    if path is None:
        yield
        return
    lines = StringIO()
    writer = CaptureWriter(lines, sim.player.steered)

    def count(controls: Controls, report: TickReport) -> None:
        writer.tick = report.tick + 1

    sim.watch(sim.player.id, writer)
    sim.listen_to_ticks(count)
    try:
        yield
    finally:
        write_whole(path, lines.getvalue().encode("ascii"))


@contextmanager
def recorded(sim: Simulation, source: str, path: Path | None, server: ServerPlace) -> Iterator[None]:
    """Keep what happens meanwhile in a file, however it ends: a walk that fails is the one to look at again."""
    if path is None:
        yield
        return
    recorder = Recorder(sim, source)
    try:
        yield
    finally:
        recording = recorder.stop()
        recording.server = server
        save_recording(recording, path)
        print(visible(f"{len(recording)} ticks saved to {path}"), file=sys.stderr)


def absolute_source(source: str) -> str:
    """The source as it can be opened from any folder."""
    return source if source == DEMO else str(Path(source).absolute())


def _json_lines(sim: Simulation, report: TickReport, sweeps: list[TraceNode]) -> list[str]:
    data = report_data(report)
    if sweeps:
        data["outcome"] = outcome_text(sim, sweeps, report.contacts)
        data["sweeps"] = [sweep.as_json() for sweep in sweeps]
    return [json.dumps(data, allow_nan=False)]


def _text_lines(sim: Simulation, report: TickReport, sweeps: list[TraceNode]) -> list[str]:
    outcome = [outcome_text(sim, sweeps, report.contacts)] if sweeps else []
    lines = [*outcome, *(line for sweep in sweeps for line in describe(sweep))]
    return [report_line(sim, report), *(f"{'':9}{line}" for line in lines)]


def places_of(source: str) -> Mapping[str, StartPlace]:
    if source != DEMO:
        return {}
    from engine.build.demo import SPOTS  # what builds worlds is only loaded for the one that is built

    return {name: StartPlace(spot.cell_id, spot.origin, spot.heading) for name, spot in SPOTS.items()}


def read_script(file: str) -> str:
    if not file:
        raise WorldError("the name of the script is empty")
    if file == STANDARD_INPUT and sys.stdin is None:
        raise WorldError("cannot be read: the standard input is closed", file)
    try:
        return sys.stdin.read() if file == STANDARD_INPUT else read_text(file, SCRIPT)
    except FileError as error:
        raise WorldError(error.reason, file) from error
    except UnicodeDecodeError as error:
        raise WorldError("is not text (UTF-8)", file) from error
    except (OSError, ValueError) as error:
        raise WorldError(f"cannot be read: {why(error)}", file) from error


def report_line(sim: Simulation, report: TickReport) -> str:
    """A tick as text: place, footing and events."""
    x, y, z = report.origin
    where = f"{report.tick:6} {cell_text(report.cell)} {x:9.3f} {y:9.3f} {z:9.3f} {report.heading:6.1f}°"
    words = ["ground" if report.on_walkable else "steep" if report.in_contact else "air"]
    for happened, word in (
        (report.lost, "lost"),
        (not report.ok, "refused"),
        (report.blocked and report.ok, "blocked"),
        (report.slid, "slid"),
        (report.jumped, "jumped"),
        (report.landed, "landed"),
        (report.left_ground and not report.jumped, "fell"),
        (report.in_water, "water"),
        (report.cell_changed, f"from {cell_text(report.cell_before)}"),
        (report.collided_with_environment, "hit walls"),
    ):
        if happened:
            words.append(word)
    words.extend(f"touched {_name(sim, object_id)}" for object_id in report.collided_objects)
    words.extend(f"{_name(sim, event.entity_id)} {event.what}" for event in report.events)
    words.extend(f"fault: {fault}" for fault in report.faults)
    return f"{where}  {', '.join(words)}"


def _name(sim: Simulation, object_id: int) -> str:
    entity = sim.population.find(object_id)
    return cell_text(object_id) if entity is None else f"{entity.name} {cell_text(object_id)}"


def report_data(report: TickReport) -> dict[str, Any]:
    """A tick as JSON: all of the report, ids as texts."""
    return {
        "tick": report.tick,
        "cell": cell_text(report.cell),
        "origin": list(report.origin),
        "heading": report.heading,
        "velocity": list(report.velocity),
        "before": {
            "cell": cell_text(report.cell_before),
            "origin": list(report.origin_before),
            "heading": report.heading_before,
        },
        "wanted": list(report.wanted),
        "made": list(report.made),
        "swept": report.swept,
        "ok": report.ok,
        "blocked": report.blocked,
        "slid": report.slid,
        "in_contact": report.in_contact,
        "on_walkable": report.on_walkable,
        "sliding": report.sliding,
        "in_water": report.in_water,
        "transient": report.transient,
        "contact_plane": [*report.contact_plane.normal, report.contact_plane.d] if report.in_contact else None,
        "contact_plane_cell": cell_text(report.contact_plane_cell) if report.in_contact else None,
        "collision_normal": list(report.collision_normal) if report.collision_normal_valid else None,
        "sliding_normal": list(report.sliding_normal) if report.sliding else None,
        "collided_objects": [cell_text(object_id) for object_id in report.collided_objects],
        "last_collided_object": cell_text(report.last_collided_object) if report.last_collided_object else None,
        "collided_with_environment": report.collided_with_environment,
        "frames_stationary_fall": report.frames_stationary_fall,
        "cell_array": [cell_text(cell_id) for cell_id in report.cell_array],
        "cell_changed": report.cell_changed,
        "lost": report.lost,
        "jumped": report.jumped,
        "landed": report.landed,
        "left_ground": report.left_ground,
        "events": [
            {"entity": cell_text(event.entity_id), "what": event.what, "by": cell_text(event.by) if event.by else None}
            for event in report.events
        ],
        "moved": [cell_text(entity_id) for entity_id in report.moved],
        "faults": list(report.faults),
    }
