"""`conform SCENE --golden GOLDEN`: a golden scene run in our engine, and how its answers compare (physics.md 13.11)."""

from __future__ import annotations

import argparse
from collections.abc import Mapping
from pathlib import Path
from typing import Any, Final

from editor.process.output_files import output_file
from editor.process.plain_text import print_lines
from engine.dat.atomic import write_whole
from engine.physics.errors import PhysicsError
from engine.physics.rule_table import rules_help
from engine.physics.rules import ACE, AGREED_RULES, RETAIL, RULE_NAMES, RuleSet, rule_set
from engine.sim.golden.compare import Comparison, Tally
from engine.sim.golden.form import GoldenAnswers, read_golden
from engine.sim.golden.queries import answer_query
from engine.sim.golden.scene_run import GoldenScene
from engine.sim.golden.write import golden_text
from engine.world.faults import WorldError
from engine.world.loader.json_form import read_json

ISOLATED: Final = "isolated"
WHOLE: Final = "whole"
FRAGILE_FILE: Final = "fragile.json"


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.formatter_class = argparse.RawDescriptionHelpFormatter
    parser.epilog = rules_help()
    parser.add_argument("scene", type=Path, help="the scene's .json file")
    parser.add_argument("--golden", type=Path, required=True, help="the measured answers to compare with")
    parser.add_argument(
        "--mode",
        choices=(ISOLATED, WHOLE),
        default=ISOLATED,
        help="start every tick from the golden's state before it (default), or run whole moves",
    )
    parser.add_argument("--rules", choices=(ACE, RETAIL), default=ACE, help="the rule set (default: ace, the goldens')")
    parser.add_argument(
        "--rule", action="append", default=[], metavar="NAME=FORM", help="switch a single rule to the other form"
    )
    parser.add_argument("--out", type=Path, help="write what the engine answered to this file, in the golden's form")
    parser.add_argument(
        "--fragile",
        type=Path,
        help="moves that are compared only up to a tick, by scene (default: the fragile.json beside the golden or its "
        "folder, if there is one); counts in whole moves",
    )


def run(arguments: argparse.Namespace) -> int:
    """0 when everything compared matches, 1 when something differs."""
    rules = chosen_rules(arguments.rules, arguments.rule)
    if arguments.out is not None:
        read = (arguments.scene, arguments.golden, *fragile_files(arguments.fragile, arguments.golden))
        output_file(arguments.out, read)
    scene = GoldenScene.open(arguments.scene, rules)
    golden = read_golden(arguments.golden, scene.landblock >> 16)
    check_fit(scene, golden, str(arguments.golden))
    upto = fragile_moves(arguments.fragile, arguments.golden, scene.name)
    isolated = arguments.mode == ISOLATED
    result = Comparison()
    moves: list[tuple[str, str, list[dict[str, Any]]]] = []
    for number, move in enumerate(scene.moves):
        answers = scene.run_isolated(move, golden.resumes[number]) if isolated else scene.run_whole(move)
        moves.append((move.name, move.mode, answers))
        result.add_move(move.name, answers, golden.ticks(number), isolated, upto.get(move.name))
    queries = [answer_query(scene, query) for query in scene.queries]
    for number, (query, ours, theirs) in enumerate(zip(scene.queries, queries, golden.queries, strict=True)):
        result.add_query(number, query.op, ours, theirs)
    if arguments.out is not None:
        write_whole(arguments.out, golden_text(scene.name, moves, queries).encode())
    print_lines([*report(scene, arguments.mode, result), *no_difference(arguments.rule)])
    return 0 if result.is_clean else 1


def chosen_rules(name: str, changes: list[str]) -> RuleSet:
    rules = rule_set(name)
    for change in changes:
        rule, _, form = change.partition("=")
        if rule not in RULE_NAMES or form not in (ACE, RETAIL):
            raise PhysicsError(
                f"--rule {change}: should be NAME=retail or NAME=ace with one of {', '.join(RULE_NAMES)}"
            )
        rules.set_form(rule, form)
    return rules


def no_difference(changes: list[str]) -> list[str]:
    """A note for each flipped rule on which both sets agree: it changes nothing."""
    rules = [change.partition("=")[0] for change in changes]
    return [f"{rule} is the same in both forms by now" for rule in rules if rule in AGREED_RULES]


def check_fit(scene: GoldenScene, golden: GoldenAnswers, file: str) -> None:
    """Refuse the golden of another scene, or of another version of it."""
    if len(golden.moves) != len(scene.moves):
        raise WorldError(f"has {len(golden.moves)} moves, the scene has {len(scene.moves)}", file, "moves")
    for number, move in enumerate(scene.moves):
        name = golden.moves[number].field("name").text()
        if name != move.name:
            raise WorldError(f"is {name!r}, the scene's is {move.name!r}", file, f"moves[{number}].name")
        ticks = len(golden.resumes[number])
        if ticks != len(move.offsets):
            key = f"moves[{number}].ticks"
            raise WorldError(f"has {ticks} ticks, the scene's move has {len(move.offsets)}", file, key)
    if len(golden.queries) != len(scene.queries):
        raise WorldError(f"has {len(golden.queries)} answers, the scene asks {len(scene.queries)}", file, "queries")


def fragile_files(given: Path | None, golden: Path) -> list[Path]:
    """The files that may hold the list of fragile moves."""
    return [given] if given is not None else [golden.parent / FRAGILE_FILE, golden.parent.parent / FRAGILE_FILE]


def fragile_moves(given: Path | None, golden: Path, scene: str) -> Mapping[str, int]:
    """The moves of the scene that are compared only up to a tick."""
    for path in fragile_files(given, golden):
        if given is not None or path.is_file():
            listed = read_json(path).optional(scene)
            if listed is not None:
                return {name: listed.field(name).integer(0, 2**31) for name in listed.mapping()}
            return {}
    return {}


def report(scene: GoldenScene, mode: str, result: Comparison) -> list[str]:
    ticks = sum(len(move.offsets) for move in scene.moves)
    lines = [f"{scene.name}: {len(scene.moves)} moves, {ticks} ticks ({mode}), {len(scene.queries)} queries", ""]
    rows: list[tuple[str, Tally]] = [("moves", result.moves), ("ticks", result.ticks)]
    rows += [(f"  {field}", result.fields[field]) for field in sorted(result.fields)]
    rows += [(f"query {op}", result.queries[op]) for op in sorted(result.queries)]
    width = max(len(name) for name, _ in rows)
    lines.append(f"{'':{width}}  {'matched':>8}  {'differing':>9}  {'skipped':>8}")
    lines += [f"{name:{width}}  {t.matched:>8}  {t.differing:>9}  {t.skipped:>8}" for name, t in rows]
    if result.first:
        lines += ["", "the first differences, ours for the golden's:", *(f"  {line}" for line in result.first)]
    return lines
