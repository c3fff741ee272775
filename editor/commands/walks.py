"""`walks FOLDER --world SOURCE`: runs kept walks again, and says which of them now go otherwise."""

from __future__ import annotations

import argparse
import json
import sys
import time
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Final

from editor.commands.walk import parse_rules
from editor.export.edited_world import edited_world
from editor.process.output_files import output_file
from editor.process.plain_text import print_lines, visible
from editor.process.server_arguments import add_server_arguments
from editor.reports.kept_walks import WalkResult, data_of, exit_code, junit_bytes, lines_of, summary_line
from editor.session.server_choice import server_choice
from engine.dat.atomic import write_whole
from engine.dat.errors import DatError
from engine.physics.rule_table import rules_help
from engine.physics.rules import RuleSet
from engine.sim.edits.edit import Edit
from engine.sim.errors import SimError
from engine.sim.playback import ENGINE_ERRORS
from engine.sim.tick.simulation import Simulation
from engine.sim.walks.files import KeptMoves, Run, new_truth, read_moves, walks_in
from engine.sim.walks.outcome import Outcome, Verdict
from engine.sim.walks.run import WalkRun
from engine.sim.walks.same_world import SameWorld
from engine.sim.walks.terms import Terms, edits_of_world
from engine.world.entity_limits import PLAYER_ID
from engine.world.faults import WorldError
from engine.world.world import World

NOTE: Final = """\
A walk is a recording (.cdrec), a capture (.jsonl), or the moves in a reproduction (.cdrepro). It is run again in the
world that is named, and goes as before when every tick comes out as recorded, to the bit: the whole state, or where
the rules, the edits or the world are others, the player. With --tolerance it goes as before while the player stays
within so many metres of where he was. In data files that have changed a walk begins at its place in them. SOURCE may be
a project whose world lies with it: its edits are made before each walk.

exit code: 0 when all go as before, 1 when one does not, 2 when something cannot be read or written.
"""
TOLD_EVERY: Final = 0.1
"""Seconds between two lines of progress."""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.formatter_class = argparse.RawDescriptionHelpFormatter
    parser.epilog = f"{NOTE}\n{rules_help()}"
    parser.add_argument(
        "walks", nargs="+", type=Path, metavar="FOLDER", help="a folder of walks, with those below it; or single files"
    )
    parser.add_argument("--world", required=True, metavar="SOURCE", help="the world to run them in, or a project of it")
    parser.add_argument("--project", metavar="FILE", default="", help="make the edits of this project before each walk")
    add_server_arguments(parser)
    parser.add_argument(
        "--rules", metavar="SET[,RULE=FORM...]", help="rules to go by instead of those of each recording"
    )
    parser.add_argument("--tolerance", type=float, metavar="M", help="metres within which a walk goes as before")
    parser.add_argument("--accept", action="store_true", help="write what goes otherwise as the new truth of its file")
    parser.add_argument("--junit", type=Path, metavar="FILE", help="also write the results as JUnit's XML")
    parser.add_argument("--json", action="store_true", help="a JSON object with everything found")


def run(arguments: argparse.Namespace) -> int:
    rules = None if arguments.rules is None else parse_rules(arguments.rules)
    tolerance = arguments.tolerance
    if tolerance is not None and not 0.0 <= tolerance < float("inf"):
        raise SimError(f"--tolerance {tolerance:g} is no distance in metres")
    walks = named_walks(arguments.walks)
    if arguments.junit is not None:
        output_file(arguments.junit, [*_sources(arguments), *(path for path, _ in walks)])
    results: list[WalkResult] = []
    with edited_world(arguments.world, arguments.project, server=server_choice(arguments)) as edited:
        edits = tuple(edits_of_world((edit for _, made in edited.steps for edit in made), PLAYER_ID))
        check = Check(edited.sim.world.loaded, edits, rules, tolerance, _sources(arguments), arguments.accept)
        for number, (path, name) in enumerate(walks):
            _tell_progress(number, len(walks), name)
            results.append(check.result(path, name))
            if not arguments.json:
                _clear_progress()
                print_lines(lines_of(results[-1]))
        check.close()
    _clear_progress()
    if arguments.junit is not None:
        _write_junit(arguments, results)
    if arguments.json:
        print(json.dumps(data_of(arguments.world, results), allow_nan=False))
    else:
        print_lines([summary_line(results)])
    return exit_code(results)


def _sources(arguments: argparse.Namespace) -> list[str]:
    """What is read besides the walks, and never written."""
    return [arguments.world, *filter(None, [arguments.project]), *arguments.server_data]


def named_walks(given: Sequence[Path]) -> list[tuple[Path, str]]:
    """The files, each once, with the names by which they are told: within their folder."""
    found: dict[Path, str] = {}
    for path in given:
        if path.is_dir():
            inside = [(each, each.relative_to(path).as_posix()) for each in walks_in(path)]
            if not inside:
                raise SimError("has no walks in it: no recordings, captures or reproductions", str(path))
            for each, name in inside:
                found.setdefault(each, name)
        else:
            found.setdefault(path, path.name)
    return list(found.items())


class Check:
    """Runs one file after the other in one world. What is wrong with one of them stops none of the others."""

    def __init__(
        self,
        world: World,
        edits: tuple[Edit, ...],
        rules: RuleSet | None,
        tolerance: float | None,
        sources: list[str],
        accept: bool,
    ) -> None:
        self._world = world
        self._sim = Simulation(world.loaded)
        self._same = SameWorld(world)
        self._edits = edits
        self._rules = rules
        self._tolerance = tolerance
        self._sources = sources
        self._accept = accept

    def close(self) -> None:
        self._sim.close()

    def _begin_again(self) -> None:
        """A state that could not be restored has left the simulation half of one."""
        self._sim.close()
        self._sim = Simulation(self._world)

    def result(self, path: Path, name: str) -> WalkResult:
        began = time.perf_counter()
        try:
            moves = read_moves(path)
            parts = () if moves.recording is None else tuple(self._same.differing(moves.recording))
            terms = Terms(self._edits, rules=self._rules, arrives=bool(parts), tolerance=self._tolerance)
            made = moves.run(self._world, terms, keep=self._accept, sim=self._sim)
            outcome = made.run()
            if outcome.verdict is Verdict.CANNOT_BEGIN:
                self._begin_again()
        except (SimError, DatError, *ENGINE_ERRORS) as error:
            self._begin_again()
            reason = error.reason if isinstance(error, SimError) else str(error)
            return WalkResult(name, Outcome(Verdict.UNREADABLE, reason=reason), time.perf_counter() - began)
        seconds = time.perf_counter() - began
        if not self._accept or outcome.verdict is not Verdict.OTHERWISE:
            return WalkResult(name, outcome, seconds, parts)
        problem = self._accepted(path, moves, made)
        return WalkResult(name, outcome, seconds, parts, not problem, problem)

    def _accepted(self, path: Path, moves: KeptMoves, made: Run) -> str:
        """Write what the walk does now into its file; returns why that failed, "" when it did not."""
        if moves.is_packed:
            return "cannot be accepted: a reproduction is not written again; make it anew with `reproduce`"
        try:
            if isinstance(made, WalkRun) and made.recorded is not None:
                made.recorded.know_world(self._world, made.landblocks)
            write_whole(output_file(path, self._sources), new_truth(made))
        except (DatError, WorldError, SimError) as error:
            return f"cannot be accepted: {error.reason}"
        return ""


def _write_junit(arguments: argparse.Namespace, results: Sequence[WalkResult]) -> None:
    try:
        write_whole(arguments.junit, junit_bytes(arguments.world, results, _properties(arguments)))
    except DatError as error:
        raise SimError(error.reason, str(arguments.junit)) from error


def _properties(arguments: argparse.Namespace) -> Iterator[tuple[str, str]]:
    if arguments.project:
        yield "project", arguments.project
    if arguments.rules is not None:
        yield "rules", arguments.rules
    if arguments.tolerance is not None:
        yield "tolerance", f"{arguments.tolerance:g} m"


_told = 0.0


def _tell_progress(number: int, count: int, name: str) -> None:
    """One line on a terminal, which the next one takes the place of."""
    global _told
    now = time.monotonic()
    if sys.stderr.isatty() and now - _told >= TOLD_EVERY:
        _told = now
        print(f"\r\x1b[K{number + 1:,} of {count:,}: {visible(name)[:60]}", end="", file=sys.stderr, flush=True)


def _clear_progress() -> None:
    if sys.stderr.isatty():
        print("\r\x1b[K", end="", file=sys.stderr, flush=True)
