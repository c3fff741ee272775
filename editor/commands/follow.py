"""`follow CAPTURE --world SOURCE`: replays a capture while a client writes it, and prints what comes out otherwise."""

from __future__ import annotations

import argparse
import json
import math
import sys
import time
from pathlib import Path
from typing import Any, Final

from editor.process.plain_text import counted, print_lines, visible
from editor.process.server_arguments import add_server_arguments
from editor.session.server_choice import server_choice
from editor.session.sources import open_source
from engine.physics.rules import RETAIL
from engine.sim.captures.live.follower import SETS, Followed, Follower, Turn
from engine.sim.conditions.calls import CallConditions, why_not_of_calls
from engine.sim.conditions.reading import condition_of
from engine.sim.conditions.words import condition_text
from engine.sim.errors import SimError
from engine.world.cells.ids import cell_text
from engine.world.faults import WorldError

POLL: Final = 0.01
"""Seconds between two looks at a file that has nothing new."""

NOTE: Final = """\
The file may not exist yet. A line that is no record is told with its number, and the following goes on. Ctrl-C ends it
and prints the sums. A capture holds what some engine did, right or wrong: a difference is a question, not yet an error.
Everything stands as the world has it at its start.
With --until, where he is and how he stands is what the client recorded, and what is in his way is what the replay by
--rules meets. What no record says, such as doors, cannot be asked.
exit code: 0 when every record agrees, 1 when one differs; with --until 0 when the condition held, 1 when it did not.
130 after Ctrl-C.
"""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.formatter_class = argparse.RawDescriptionHelpFormatter
    parser.epilog = NOTE
    parser.add_argument("capture", type=Path, metavar="CAPTURE.jsonl", help="the file that a client writes")
    parser.add_argument("--world", required=True, metavar="SOURCE", help="the world that the client walks in")
    add_server_arguments(parser)
    parser.add_argument("--stop", action="store_true", help="end at the first record that comes out otherwise")
    parser.add_argument(
        "--rules",
        choices=SETS,
        default=RETAIL,
        help="the rule set of --stop, --until and the exit code (retail)",
    )
    parser.add_argument(
        "--until",
        metavar="CONDITION",
        help="end at the first move of the player for which this holds, such as 'contact lost and indoors'",
    )
    parser.add_argument("--idle", type=float, metavar="S", help="end when nothing was written for so many seconds")
    parser.add_argument("--json", action="store_true", help="print a JSON object for each line")


def run(arguments: argparse.Namespace) -> int:
    idle = math.inf if arguments.idle is None else arguments.idle
    if not idle >= 0.0:
        raise WorldError(f"--idle {arguments.idle:g} is no time")
    condition = None if arguments.until is None else condition_of(arguments.until, "--until")
    if condition is not None and why_not_of_calls(condition):
        raise SimError(f"--until: {why_not_of_calls(condition)}")
    until = CallConditions([] if condition is None else [condition], arguments.rules)
    with open_source(arguments.world, None, server_choice(arguments)) as world:
        follower = Follower(arguments.capture, world)
        try:
            stop_at = arguments.rules if arguments.stop else ""
            reached = _follow(follower, stop_at, until, idle, arguments.json)
            if condition is not None:
                _print([_until_line(condition_text(condition), reached, as_json=arguments.json)])
        finally:
            _print([json.dumps(_sums(follower))] if arguments.json else [summary(follower)])
            follower.close()
        if until:
            return 1 if reached is None else 0
        return 1 if follower.differing[arguments.rules] else 0


def _follow(follower: Follower, stop_at: str, until: CallConditions, idle: float, as_json: bool) -> Turn | None:
    """Until the condition holds, which the turn that is returned tells of, the file is idle for so long, or a record
    differs under the rules of `stop_at`."""
    last, problem = time.monotonic(), ""
    follower.name_causes(until.rules if until.needs_causes else "")
    while True:
        turn = follower.turn(stop_at=stop_at, until=lambda followed: until.held(followed, follower))
        if follower.problem != problem:
            problem = follower.problem
            _warn([f"{follower.path}: {problem}; waiting for it" if problem else f"{follower.path}: follows"])
        _warn(turn.told)
        different = [followed for followed in turn.records if any(map(followed.differs, SETS))]
        for followed in different:
            _print([json.dumps(_difference(followed))] if as_json else difference_lines(followed))
        if turn.reached:
            return turn
        if stop_at and any(followed.differs(stop_at) for followed in different):
            return None
        now = time.monotonic()
        if not turn.is_idle:
            last = now
        elif now - last >= idle:
            return None
        else:
            time.sleep(POLL)


def _until_line(condition: str, reached: Turn | None, *, as_json: bool) -> str:
    record = None if reached is None else reached.records[-1].record
    if as_json:
        tick = None if record is None else record.tick
        why = "" if reached is None else reached.reached
        return json.dumps({"until": condition, "tick": tick, "because": why, "where": record.where if record else None})
    if record is None or reached is None:
        return f"never: {condition}"
    return f"until tick {record.tick}, {record.where}: {reached.reached}"


def difference_lines(followed: Followed) -> list[str]:
    record = followed.record
    named = "" if followed.is_players else f"  body {cell_text(record.input.moving_entity_id)}"
    lines = [f"{record.where}  tick {record.tick}  {cell_text(record.input.cell_id)}{named}"]
    for name, replay in zip(SETS, followed.replays, strict=True):
        lines += [f"  {name:6}  {difference}" for difference in replay.differences] or [f"  {name:6}  agrees"]
    return lines


def summary(follower: Follower) -> str:
    parts = [counted(follower.kept.end, "record"), *(f"{follower.differing[name]:,} differ ({name})" for name in SETS)]
    parts += [f"{follower.not_replayed:,} not replayed"] if follower.not_replayed else []
    parts += [counted(follower.fault_count, "fault")] if follower.fault_count else []
    return ", ".join([*parts, counted(follower.sessions, "session")])


def _difference(followed: Followed) -> dict[str, Any]:
    record = followed.record
    found = {
        name: [{"field": d.field, "recorded": d.recorded, "ours": d.ours} for d in replay.differences]
        for name, replay in zip(SETS, followed.replays, strict=True)
    }
    return {"where": record.where, "tick": record.tick, "cell": cell_text(record.input.cell_id), "differences": found}


def _sums(follower: Follower) -> dict[str, Any]:
    return {
        "records": follower.kept.end,
        "sessions": follower.sessions,
        "differing": follower.differing,
        "notReplayed": follower.not_replayed,
        "ofOthers": follower.of_others,
        "faults": follower.fault_count,
    }


def _print(lines: list[str]) -> None:
    """At once: somebody is watching."""
    print_lines(lines)
    sys.stdout.flush()


def _warn(sentences: list[str]) -> None:
    for sentence in sentences:
        print(visible(sentence), file=sys.stderr, flush=True)
