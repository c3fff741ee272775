"""`compare CAPTURE`: the calls of a capture beside their recorded answers, or by two rule sets."""

from __future__ import annotations

import argparse
import json
from pathlib import Path
from typing import Any, Final

from editor.commands.walk import parse_rules
from editor.process.plain_text import counted, print_lines
from editor.reports.comparison import cause_data, rule_lines
from editor.session.server_choice import server_choice
from editor.session.sources import open_source
from engine.physics.rules import RuleSet
from engine.sim.captures.form import read_capture
from engine.sim.compare.captures import CallDifference, CaptureComparison
from engine.sim.compare.causes import RULES, Cause
from engine.sim.errors import SimError

EXPLAINED: Final = 20
"""Calls whose rules are looked for; each takes some dozens of trials."""

Explained = list[tuple[CallDifference, Cause | None]]


def compare_capture(arguments: argparse.Namespace) -> int:
    """0 when every call answers the same, 1 when one does not."""
    for name in ("other", "body", "other_world"):
        if getattr(arguments, name) is not None:
            raise SimError("is a capture: it is compared with its recorded answers, or with --rules", arguments.run)
    if arguments.world is None:
        raise SimError("is a capture, which does not say its world: name it with --world", arguments.run)
    records = read_capture(Path(arguments.run))
    other = None if arguments.rules is None else parse_rules(arguments.rules)
    found: Explained = []
    with open_source(arguments.world, None, server_choice(arguments)) as world:
        comparison = CaptureComparison(world, records, RuleSet(), other)
        try:
            for call in comparison:
                if not call.is_same:
                    found.append((call, comparison.cause_of(call) if len(found) < EXPLAINED else None))
        finally:
            comparison.close()
    second = "recorded" if other is None else arguments.rules
    if arguments.json:
        print(json.dumps(_data(len(records), found, second), allow_nan=False))
    else:
        print_lines(_lines(len(records), found, second))
    return 1 if found else 0


def _lines(count: int, found: Explained, second: str) -> list[str]:
    if not found:
        return [f"All of {counted(count, 'call')} answer the same by retail and as {second}."]
    first = found[0][0]
    lines = [f"{counted(len(found), 'call')} of {count:,} differ by retail and as {second}, first call {first.index}."]
    for call, cause in found:
        lines.append(f"call {call.index}, tick {call.record.tick}")
        lines += [f"  {each.field}: {second} {each.recorded}, retail {each.ours}" for each in call.differences]
        if cause is not None:
            lines += [f"  {line}" for line in _cause(cause)]
    return lines


def _cause(cause: Cause) -> list[str]:
    return rule_lines(cause) if cause.kind == RULES else ["No rules make both agree."]


def _data(count: int, found: Explained, second: str) -> dict[str, Any]:
    return {
        "first": {"name": "retail"},
        "second": {"name": second},
        "same": not found,
        "calls": count,
        "differing_calls": len(found),
        "differences": [
            {
                "call": call.index,
                "tick": call.record.tick,
                "fields": [
                    {"field": each.field, second: each.recorded, "retail": each.ours} for each in call.differences
                ],
                "cause": None if cause is None else cause_data(cause),
            }
            for call, cause in found
        ],
    }
