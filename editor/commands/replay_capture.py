"""`replay-capture SOURCE CAPTURE`: replays recorded resolve calls in one of our worlds (physics.md 12.1)."""

from __future__ import annotations

import argparse
import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any, Final

from editor.commands.walk import parse_rules
from editor.process.plain_text import print_lines
from editor.session.sources import DEMO, open_source
from engine.geometry.frame import Frame
from engine.geometry.quat import from_heading
from engine.geometry.vec import Vec3, r24
from engine.physics.rule_table import rules_help
from engine.sim.captures.form import read_capture
from engine.sim.captures.replay import Replay, bring_in, replay_capture
from engine.sim.tick.simulation import Simulation
from engine.sim.trace.recorder import TraceRecorder
from engine.sim.trace.tree import TraceNode, describe, vec_text
from engine.world.cells.ids import cell_text, parse_id
from engine.world.faults import WorldError
from engine.world.loader import Placement, open_world
from engine.world.world import World

SHELL: Final = "shell"
FARTHEST: Final = 1e6
PLACE_FORM: Final = "MODEL,CELL,X,Y,Z[,HEADING[,shell]]"

NOTE: Final = """\
A capture holds what some engine did, right or wrong: a difference is a question, not yet an error. Doors stand as the
world has them at its start. exit code: 0 when every record agrees, 1 when one differs.
"""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.formatter_class = argparse.RawDescriptionHelpFormatter
    parser.epilog = f"{NOTE}\n{rules_help()}"
    parser.add_argument(
        "source",
        nargs="+",
        help="demo, a folder with the client's .dat files, a scene .json, or dump folders (several make one world)",
    )
    parser.add_argument("capture", type=Path, metavar="CAPTURE.jsonl")
    parser.add_argument(
        "--rules", default="retail", metavar="SET[,RULE=FORM...]", help="retail (default) or ace, and single rules"
    )
    parser.add_argument("--ground", type=float, metavar="Z", help="flat land of that height around the dumps")
    parser.add_argument(
        "--place",
        action="append",
        default=[],
        metavar=PLACE_FORM,
        help="place a dumped model there, facing 0 (north) or HEADING; `shell`: use it as the walls around the rooms",
    )
    parser.add_argument(
        "--frame", metavar="LANDBLOCK", help="an id in the landblock whose corner is the capture's origin; the first's"
    )
    parser.add_argument("--trace", type=int, metavar="N", help="trace record N, counting from 0")
    parser.add_argument("--json", action="store_true", help="print JSON")


def run(arguments: argparse.Namespace) -> int:
    rules = parse_rules(arguments.rules)
    records = read_capture(arguments.capture)
    anchor = 0 if arguments.frame is None else parse_id(arguments.frame)
    if arguments.trace is not None and not 0 <= arguments.trace < len(records):
        last = len(records) - 1
        raise WorldError(f"has the records 0 to {last}, none of number {arguments.trace}", str(arguments.capture))
    with open_for_capture(arguments.source, arguments.place, arguments.ground) as world:
        sim = Simulation(world, rules)
        for record in records:
            bring_in(sim, record.input.cell_id)
        recorder = None if arguments.trace is None else TraceRecorder()
        replays = replay_capture(sim.graph, rules, records, recorder, anchor)
    trace = None if recorder is None else recorder.sweeps[arguments.trace]
    if arguments.json:
        print(json.dumps(capture_data(replays, trace), allow_nan=False))
    else:
        print_lines(report(replays, trace))
    return 0 if all(replay.agrees for replay in replays) else 1


def open_for_capture(
    sources: Sequence[str], places: Sequence[str], ground: float | None, scene: str | None = None
) -> World:
    """Dumps know no places of models and no ground; only for them do the options mean something."""
    if not places and ground is None and len(sources) == 1:
        return open_source(sources[0], scene)
    if DEMO in sources:
        raise WorldError("--place, --ground and further sources go with dumps; the demo world is complete")
    if ground is not None and not abs(ground) < FARTHEST:
        raise WorldError(f"--ground {ground:g} is not a height")
    placements = [parse_placement(text) for text in places]
    world = open_world(sources[0] if len(sources) == 1 else list(sources), placements=placements, ground=ground)
    for model in (placement.model_id for placement in placements):
        if world.setup(model) is None:
            world.close()
            raise WorldError(f"has no model {cell_text(model)} to be placed", world.name)
    return world


def parse_placement(text: str) -> Placement:
    """0x01000A2B,0xA9B40029,130.5,11.5,94,180,shell"""
    words = [word.strip() for word in text.split(",")]
    building = words[-1].lower() == SHELL
    if building:
        words.pop()
    try:
        numbers = [r24(float(word)) for word in words[2:]]
    except ValueError:
        numbers = []
    if len(numbers) not in (3, 4) or not all(abs(number) < FARTHEST for number in numbers):
        raise WorldError(f"{text!r} is not a place: write {PLACE_FORM}")
    x, y, z, *heading = numbers
    origin: Vec3 = (x, y, z)
    turned = Frame(origin, from_heading(heading[0] if heading else 0.0))
    return Placement(parse_id(words[0]), parse_id(words[1]), turned, building)


def report(replays: Sequence[Replay], trace: TraceNode | None) -> list[str]:
    lines: list[str] = []
    for number, replay in enumerate(replays):
        given = replay.record.input
        way = f"{vec_text(given.current)} -> {vec_text(given.target)}"
        verdict = "agrees" if replay.agrees else "differs"
        lines.append(f"{number:4}  tick {replay.record.tick}  {cell_text(given.cell_id)} {way}  {verdict}")
        lines.extend(f"      {difference}" for difference in replay.differences)
    agreeing = sum(replay.agrees for replay in replays)
    lines.append(f"{agreeing} of {len(replays)} records agree")
    return lines if trace is None else [*lines, "", *describe(trace)]


def capture_data(replays: Sequence[Replay], trace: TraceNode | None) -> dict[str, Any]:
    data: dict[str, Any] = {
        "records": len(replays),
        "agreeing": sum(replay.agrees for replay in replays),
        "replays": [_replay_data(replay) for replay in replays],
    }
    if trace is not None:
        data["trace"] = trace.as_json()
    return data


def _replay_data(replay: Replay) -> dict[str, Any]:
    result = replay.result
    return {
        "tick": replay.record.tick,
        "agrees": replay.agrees,
        "differences": [
            {"field": entry.field, "recorded": entry.recorded, "ours": entry.ours} for entry in replay.differences
        ],
        "ours": {
            "ok": result.ok,
            "position": list(replay.position),
            "cellId": cell_text(result.cell_id),
            "isOnGround": result.is_on_ground,
            "collisionNormalValid": result.collision_normal_valid,
            "collisionNormal": list(result.collision_normal),
            "lastCollidedObjectId": result.last_collided_object_id,
            "collidedWithEnvironment": result.collided_with_environment,
        },
    }
