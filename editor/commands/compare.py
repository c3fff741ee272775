"""`compare A [B]`: the same controls in two simulations, where they part, and which rule or edit does it."""

from __future__ import annotations

import argparse
import json
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import Final

from editor.commands.compare_capture import compare_capture
from editor.commands.compare_inputs import Inputs, open_run, projects_of, same_world
from editor.commands.walk import absolute_source, parse_rules
from editor.export.edited_world import EditedWorld, edited_world
from editor.process.plain_text import print_lines
from editor.process.server_arguments import add_server_arguments
from editor.reports.comparison import comparison_data, comparison_lines, report_of
from editor.reports.recorded_comparison import RecordedComparison, recorded_data, recorded_lines
from editor.session.server_choice import server_choice
from editor.session.sources import Content, open_source
from engine.entities.player import player_names
from engine.physics.rule_table import rules_help
from engine.physics.rules import RuleSet
from engine.sim.compare.comparison import Comparison
from engine.sim.compare.corrections import corrections
from engine.sim.compare.sides import EDIT, Change, Side, arrival_of, begun, body_changes, rule_changes
from engine.sim.errors import SimError
from engine.sim.recording import Recording
from engine.world.faults import WorldError
from engine.world.world import World

NOTE: Final = """\
A is a recording, a capture, a walk's script with --start and --world, or a project. One thing differs on the other
side:
  B                the keys of another recording; of a project its run, in its world before and after the edits
  --rules          rules: `ace`, `ace,walkable_corner=retail`
  --body           the player's numbers: `radius=0.3,height=1.2`
  --other-world    another world, or a project: its world with its edits
  nothing          a recording beside what it has recorded itself, a capture beside its recorded answers

exit code: 0 when both are the same, 1 when something differs, 2 when something cannot be read.
"""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.formatter_class = argparse.RawDescriptionHelpFormatter
    parser.epilog = f"{NOTE}\n{rules_help()}"
    parser.add_argument("run", metavar="A", help="a recording, a capture, a walk's script, or a project")
    parser.add_argument("other", metavar="B", nargs="?", help="another recording, or the run of a project")
    parser.add_argument("--rules", metavar="SET[,RULE=FORM...]", help="the rules of the other side")
    parser.add_argument("--body", metavar="NAME=NUMBER[,...]", help="numbers of the player on the other side")
    parser.add_argument("--other-world", metavar="SOURCE", help="the world of the other side, or a project of it")
    parser.add_argument(
        "--world", metavar="SOURCE", help="the world, where a file does not say it or says another place"
    )
    parser.add_argument("--start", metavar="CELL,X,Y,Z[,HEADING]", help="where the walk of a script begins")
    parser.add_argument(
        "--corrections", action="store_true", help="also say which moves of A a server would refuse or correct"
    )
    add_server_arguments(parser)
    parser.add_argument("--json", action="store_true", help="a JSON object with everything found")


def run(arguments: argparse.Namespace) -> int:
    inputs = Inputs.of(arguments)
    if inputs.content is Content.CAPTURE:
        return compare_capture(arguments)
    with ExitStack() as stack:
        if inputs.content is Content.PROJECT:
            one, two = stack.enter_context(_project_sides(arguments))
        else:
            opened = stack.enter_context(open_run(arguments.run, arguments))
            given = [name for name in ("other", "rules", "body", "other_world") if getattr(arguments, name) is not None]
            if not given:
                return _beside_recorded(opened.world, opened.recording, inputs, arguments)
            if len(given) > 1:
                raise SimError(
                    f"one thing differs between the two sides: give {_option(given[0])} or {_option(given[1])}"
                )
            one = Side(Path(arguments.run).name, opened.world, opened.recording)
            two_of = {"other": _other_run, "rules": _other_rules, "body": _other_body, "other_world": _other_world}
            one, two = stack.enter_context(two_of[given[0]](one, opened.source, arguments))
        return _compare(one, two, arguments)


def _option(name: str) -> str:
    return "B" if name == "other" else f"--{name.replace('_', '-')}"


def _compare(one: Side, two: Side, arguments: argparse.Namespace) -> int:
    with Comparison(one, two) as comparison:
        comparison.run()
        found = list(corrections(one)) if arguments.corrections else None
        report = report_of(comparison, found)
        if arguments.json:
            print(json.dumps(comparison_data(report), allow_nan=False))
        else:
            print_lines(comparison_lines(report))
        return 0 if comparison.is_same else 1


def _beside_recorded(world: World, recording: Recording, inputs: Inputs, arguments: argparse.Namespace) -> int:
    if inputs.content is not Content.RECORDING:
        raise SimError("a walk has nothing recorded to compare with: give B, --rules, --body or --other-world")
    compared = RecordedComparison(world, recording, Path(arguments.run).name)
    if arguments.json:
        print(json.dumps(recorded_data(compared), allow_nan=False))
    else:
        print_lines(recorded_lines(compared))
    return 0 if compared.is_same else 1


# --- the other side


@contextmanager
def _other_run(one: Side, source: str, arguments: argparse.Namespace) -> Iterator[tuple[Side, Side]]:
    with open_run(arguments.other, arguments) as opened:
        world = one.world if same_world(source, opened.source) else opened.world
        yield one, Side(Path(arguments.other).name, world, opened.recording)


@contextmanager
def _other_rules(one: Side, source: str, arguments: argparse.Namespace) -> Iterator[tuple[Side, Side]]:
    wanted = parse_rules(arguments.rules)
    sim = begun(one)
    changes = rule_changes(sim.rules, wanted)
    name = _rules_name(sim.rules, one.name)
    sim.close()
    yield Side(name, one.world, one.recording), Side(arguments.rules, one.world, one.recording, changes)


def _rules_name(rules: RuleSet, name: str) -> str:
    for given in ("retail", "ace"):
        if not rule_changes(parse_rules(given), rules):
            return given
    return name


@contextmanager
def _other_body(one: Side, source: str, arguments: argparse.Namespace) -> Iterator[tuple[Side, Side]]:
    changes = body_changes(parse_numbers(arguments.body))
    sim = begun(one)
    try:
        for change in changes:
            for edit in change.edits:
                sim.apply_edit(edit)
    finally:
        sim.close()
    yield one, Side(arguments.body, one.world, one.recording, changes)


def parse_numbers(text: str) -> list[tuple[str, float]]:
    """radius=0.3,height=1.2"""
    found = []
    for part in text.split(","):
        name, _, number = part.strip().partition("=")
        try:
            value = float(number)
        except ValueError:
            raise WorldError(f"--body {part!r}: write NAME=NUMBER, like radius=0.3") from None
        if name not in player_names():
            raise WorldError(f"--body {part!r}: a player has {', '.join(player_names())}")
        found.append((name, value))
    return found


@contextmanager
def _other_world(one: Side, source: str, arguments: argparse.Namespace) -> Iterator[tuple[Side, Side]]:
    name = Path(arguments.other_world).name
    if projects_of(arguments.other_world):
        with edited_world(arguments.other_world, named=[source]) as edited:
            if same_world(source, edited.source):
                yield one, Side(name, one.world, one.recording, _steps(edited))
            else:
                yield _arriving(one, edited.sim.world.loaded, name, _steps(edited))
        return
    with open_source(arguments.other_world, None, server_choice(arguments)) as world:
        yield _arriving(one, world, name, ())


def _arriving(one: Side, world: World, name: str, changes: tuple[Change, ...]) -> tuple[Side, Side]:
    """Both sides in their own worlds, come to the same place: the first snapshot fits only the one it was taken in."""
    sim = begun(one)
    arrival = arrival_of(sim)
    sim.close()
    first = Side(one.name, one.world, one.recording, one.changes, arrival)
    return first, Side(name, world, one.recording, changes, arrival)


def _steps(edited: EditedWorld) -> tuple[Change, ...]:
    return tuple(Change(EDIT, f"step {number}, {name}", edits) for number, (name, edits) in enumerate(edited.steps, 1))


@contextmanager
def _project_sides(arguments: argparse.Namespace) -> Iterator[tuple[Side, Side]]:
    """A run in the world of a project, before and after its edits."""
    if arguments.other is None:
        raise SimError("is a project, which holds no run: give a recording or a walk's script as B", arguments.run)
    for name in ("rules", "body", "other_world"):
        if getattr(arguments, name) is not None:
            raise SimError(f"a project is compared before and after its edits, without {_option(name)}", arguments.run)
    source, project = (arguments.world, arguments.run) if arguments.world else (arguments.run, "")
    with edited_world(source, project) as edited:
        world = edited.sim.world.loaded
        with open_run(arguments.other, arguments, world, absolute_source(edited.source)) as opened:
            name = Path(arguments.run).name
            before = Side(f"before {name}", world, opened.recording)
            yield before, Side(f"after {name}", world, opened.recording, _steps(edited))
