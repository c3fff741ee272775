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
from engine.sim.captures.live.follower import SETS, Followed, Follower
from engine.world.cells.ids import cell_text
from engine.world.faults import WorldError

POLL: Final = 0.01
"""Seconds between two looks at a file that has nothing new."""

NOTE: Final = """\
The file may not exist yet. A line that is no record is told with its number, and the following goes on. Ctrl-C ends it
and prints the sums. A capture holds what some engine did, right or wrong: a difference is a question, not yet an error.
Everything stands as the world has it at its start.
exit code: 0 when every record agrees, 1 when one differs, 130 after Ctrl-C.
"""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.formatter_class = argparse.RawDescriptionHelpFormatter
    parser.epilog = NOTE
    parser.add_argument("capture", type=Path, metavar="CAPTURE.jsonl", help="the file that a client writes")
    parser.add_argument("--world", required=True, metavar="SOURCE", help="the world that the client walks in")
    add_server_arguments(parser)
    parser.add_argument("--stop", action="store_true", help="end at the first record that comes out otherwise")
    parser.add_argument(
        "--rules", choices=SETS, default=RETAIL, help="the rule set that --stop and the exit code go by (retail)"
    )
    parser.add_argument("--idle", type=float, metavar="S", help="end when nothing was written for so many seconds")
    parser.add_argument("--json", action="store_true", help="print a JSON object for each line")


def run(arguments: argparse.Namespace) -> int:
    idle = math.inf if arguments.idle is None else arguments.idle
    if not idle >= 0.0:
        raise WorldError(f"--idle {arguments.idle:g} is no time")
    with open_source(arguments.world, None, server_choice(arguments)) as world:
        follower = Follower(arguments.capture, world)
        try:
            _follow(follower, arguments.rules if arguments.stop else "", idle, arguments.json)
        finally:
            _print([json.dumps(_sums(follower))] if arguments.json else [summary(follower)])
            follower.close()
        return 1 if follower.differing[arguments.rules] else 0


def _follow(follower: Follower, stop_at: str, idle: float, as_json: bool) -> None:
    """Until the file is idle for so long, or a record differs under the rules of `stop_at`."""
    last, problem = time.monotonic(), ""
    while True:
        turn = follower.turn(stop_at=stop_at)
        if follower.problem != problem:
            problem = follower.problem
            _warn([f"{follower.path}: {problem}; waiting for it" if problem else f"{follower.path}: follows"])
        _warn(turn.told)
        different = [followed for followed in turn.records if any(map(followed.differs, SETS))]
        for followed in different:
            _print([json.dumps(_difference(followed))] if as_json else difference_lines(followed))
        if stop_at and any(followed.differs(stop_at) for followed in different):
            return
        now = time.monotonic()
        if not turn.is_idle:
            last = now
        elif now - last >= idle:
            return
        else:
            time.sleep(POLL)


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
