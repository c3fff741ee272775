"""`survey SOURCE`: checks and searches any part of a world's landblocks, and reports what it finds (docs/survey.md)."""

from __future__ import annotations

import argparse
import math
import os
import re
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import closing, nullcontext
from functools import partial
from pathlib import Path
from typing import Final

from editor.process.output_files import output_file
from editor.process.plain_text import counted, print_lines, warn_lines
from editor.process.server_arguments import add_server_arguments
from editor.session.server_choice import server_choice
from editor.session.sources import open_source
from editor.survey.errors import SurveyError
from editor.survey.journal import Journal
from editor.survey.parts import PARTS, parts_of
from editor.survey.report_form import Report, report_bytes, write_report
from editor.survey.survey import Progress, prepared, run_survey
from editor.survey.task import Work, settings_of
from editor.survey.workers import Workers
from engine.dat.atomic import write_whole
from engine.findings.baseline import read_baseline, write_baseline
from engine.findings.finding import Found
from engine.world.cells.ids import block_text, cell_text
from engine.world.faults import Severity, WorldError

NOTE: Final = """\
--do names what is done with each landblock: check (geometry, physics, entities), stabs (stab lists, by what eyes see),
doors, explore (searched by walking), rules (retail and ace), render. With --out what is done is kept in a journal: the
same command goes on where it was ended, and does again only landblocks that have changed.

exit code: 0 when nothing is found, 1 when there are findings as --fail-on says, 2 when something cannot be read,
written or finished.
"""
JOURNAL: Final = "survey.journal"
REPORT: Final = "survey.json"
TERMINAL_EVERY: Final = 0.2
"""Seconds between two reports of progress on a terminal; elsewhere they are lines, for logs."""
LOG_EVERY: Final = 30.0
MOST_LISTED: Final = 1_000
"""Findings that are printed; the report has all."""
MOST_WORKERS: Final = 256
NEVER: Final = "never"
_BLOCK: Final = r"0[xX]([0-9A-Fa-f]{4})(?:[fF]{4})?"
_PART: Final = re.compile(rf"{_BLOCK}(?:\.\.{_BLOCK})?")


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.formatter_class = argparse.RawDescriptionHelpFormatter
    parser.epilog = NOTE
    parser.add_argument("source", help="demo, a folder with the client's .dat files, a scene .json or a dump folder")
    parser.add_argument("--scene", metavar="NAME", help="which scene of a file of several")
    add_server_arguments(parser)
    parser.add_argument(
        "--landblocks",
        metavar="IDS",
        help="only these: 0xC95B,0xA9B4 or the rectangle 0xA0B0..0xA9B9 between two corners; all without it",
    )
    parser.add_argument(
        "--do", metavar="PARTS", default="check", help=f"{', '.join(PARTS)}; several with commas (default: check)"
    )
    for name, what in (("enable", "run only these checks"), ("disable", "leave these checks out")):
        parser.add_argument(
            f"--{name}",
            metavar="ID",
            action="append",
            default=[],
            help=f"{what}: an id, a family or a pattern such as 'portals.*'; may be given several times",
        )
    parser.add_argument("--baseline", metavar="FILE", type=Path, help="leave out the findings that this file names")
    parser.add_argument("--write-baseline", metavar="FILE", type=Path, help="write the findings as a baseline")
    parser.add_argument("--out", metavar="FOLDER", type=Path, help=f"keep {JOURNAL} there, and write {REPORT}")
    parser.add_argument("--afresh", action="store_true", help="do everything again, whatever the journal knows")
    parser.add_argument("--workers", metavar="N", type=_workers, help="processes (default: one for each processor)")
    parser.add_argument(
        "--limit", metavar="SECONDS", type=_seconds, help="give up a landblock that takes a process longer than that"
    )
    parser.add_argument("--scheduler", metavar="ADDRESS", help="do it on this Dask cluster: tcp://host:8786")
    parser.add_argument(
        "--set",
        metavar="NAME=VALUE",
        action="append",
        default=[],
        help="a setting of explore and rules: doors=used, grid=0.5, most_states=100000, jumps=no",
    )
    parser.add_argument(
        "--fail-on",
        choices=[*(severity.name.lower() for severity in sorted(Severity, reverse=True)), NEVER],
        default="error",
        help="exit code 1 from this severity on (default: error)",
    )
    parser.add_argument("--json", action="store_true", help="print the report as JSON")
    parser.add_argument("--html", metavar="FILE", type=Path, help="write the report as a page that needs nothing else")
    parser.add_argument("--no-pictures", action="store_true", help="draw no pictures for the page")
    parser.add_argument("--sarif", metavar="FILE", type=Path, help="write the report as SARIF")
    parser.add_argument("--junit", metavar="FILE", type=Path, help="write the report as JUnit's XML")


def run(arguments: argparse.Namespace) -> int:
    work = _work(arguments)
    wanted = None if arguments.landblocks is None else list(parse_landblocks(arguments.landblocks))
    known = frozenset[str]() if arguments.baseline is None else read_baseline(arguments.baseline)
    _check_outputs(arguments)
    work, there = prepared(work, lambda sentence: warn_lines([sentence]))
    blocks = there if wanted is None else _chosen(wanted, there, work.source)
    journal = _journal(arguments, work)
    if journal is not None and journal.skipped:
        warn_lines([f"{journal.file}: {counted(journal.skipped, 'line')} cannot be read; what they said is done again"])
    told = _Teller(arguments.json)
    with closing(journal) if journal is not None else nullcontext():
        count = min(arguments.workers or processors(), max(1, len(blocks)))
        workers, count = _workers_of(arguments, count, told)
        report = run_survey(work, blocks, workers, count, journal, told.progress)
    told.clear()
    if arguments.write_baseline is not None:
        write_baseline(arguments.write_baseline, report.found)
    report = report.without(known)
    _write(arguments, report, work)
    if arguments.json:
        sys.stdout.write(report_bytes(report).decode())
    else:
        print_report(report)
    return exit_code(report, arguments.fail_on)


def _work(arguments: argparse.Namespace) -> Work:
    parts = tuple(part.name for part in parts_of(arguments.do))
    on = tuple(arguments.enable) or ("*",)
    settings = tuple(sorted(map(_setting, arguments.set)))
    if arguments.scheduler is not None and (arguments.workers, arguments.limit) != (None, None):
        raise SurveyError("--workers and --limit are of this machine's processes, not of --scheduler")
    if settings and not any(PARTS[name].walks for name in parts):
        raise SurveyError("--set belongs to --do explore and --do rules")
    work = Work(
        arguments.source, arguments.scene, server_choice(arguments), parts, on, tuple(arguments.disable), settings
    )
    if settings:
        settings_of(work)
    return work


def _setting(text: str) -> tuple[str, object]:
    """grid=0.5, as the value that the setting's name has."""
    from dataclasses import fields

    from engine.explore.forms.settings import DoorsAs, Settings

    name, _, value = text.partition("=")
    simple = {each.name: each.type for each in fields(Settings) if each.type in ("float", "int", "bool", "DoorsAs")}
    kind = simple.get(name)
    try:
        if kind == "bool":
            return name, {"yes": True, "no": False}[value]
        if kind == "DoorsAs":
            return name, DoorsAs(value).value
        if kind is not None:
            return name, (int if kind == "int" else float)(value)
    except (ValueError, KeyError):
        wanted = {"bool": "yes or no", "DoorsAs": ", ".join(each.value for each in DoorsAs)}.get(str(kind), "a number")
        raise SurveyError(f"--set {text!r:.80}: {name} is {wanted}") from None
    raise SurveyError(f"--set {text!r:.80}: write NAME=VALUE with one of {', '.join(sorted(simple))}")


def parse_landblocks(text: str) -> Iterator[tuple[int, int]]:
    """0xC95B,0xA0B0..0xA9B9: pairs of opposite corners, the same landblock twice for a single one."""
    for word in text.split(","):
        found = _PART.fullmatch(word.strip())
        if found is None:
            raise WorldError(f"--landblocks {word.strip()!r:.60}: write 0xC95B, or 0xA0B0..0xA9B9 for a rectangle")
        first = int(found[1], 16) << 16 | 0xFFFF
        yield first, first if found[2] is None else int(found[2], 16) << 16 | 0xFFFF


def _chosen(wanted: list[tuple[int, int]], there: list[int], source: str) -> list[int]:
    known = frozenset(there)
    chosen: set[int] = set()
    for one, other in wanted:
        inside = known.intersection(_rectangle(one, other))
        if not inside:
            where = block_text(one) if one == other else f"{block_text(one)}..{block_text(other)}"
            raise WorldError(f"has no landblock {where}", source)
        chosen |= inside
    return sorted(chosen)


def _rectangle(one: int, other: int) -> Iterator[int]:
    (west, east), (south, north) = (sorted((one >> by & 0xFF, other >> by & 0xFF)) for by in (24, 16))
    for x in range(west, east + 1):
        for y in range(south, north + 1):
            yield x << 24 | y << 16 | 0xFFFF


def _workers(text: str) -> int:
    if text.isdecimal() and 1 <= int(text[:5]) <= MOST_WORKERS:
        return int(text)
    raise argparse.ArgumentTypeError(f"{text!r} is not a number from 1 to {MOST_WORKERS}")


def _seconds(text: str) -> float:
    try:
        value = float(text)
    except ValueError:
        value = 0.0
    if not 0.0 < value < math.inf:
        raise argparse.ArgumentTypeError(f"{text!r} is not a number of seconds")
    return value


def processors() -> int:
    """Those that this process may use."""
    count = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count()
    return min(count or 1, MOST_WORKERS)


def _workers_of(arguments: argparse.Namespace, count: int, told: _Teller) -> tuple[Workers, int]:
    if arguments.scheduler is None:
        from editor.survey.processes import Processes

        return Processes(count, told.say, most_seconds=arguments.limit), count
    from editor.survey.cluster import Cluster

    cluster = Cluster(arguments.scheduler, told.say)
    return cluster, max(cluster.threads, 1)


def _journal(arguments: argparse.Namespace, work: Work) -> Journal | None:
    if arguments.out is None:
        return None
    return Journal(arguments.out / JOURNAL, work, arguments.afresh)


# --- what is written


def _check_outputs(arguments: argparse.Namespace) -> None:
    """Refuse what cannot be written before anything is done, and one file for two of them."""
    world = [arguments.source, *arguments.server_data]
    read = [*world, *filter(None, [arguments.baseline])]
    written = [arguments.html, arguments.sarif, arguments.junit]
    if arguments.out is not None:
        try:
            arguments.out.mkdir(parents=True, exist_ok=True)
        except (OSError, ValueError) as error:
            raise SurveyError(
                f"cannot be made: {getattr(error, 'strerror', None) or error}", str(arguments.out)
            ) from error
        written += [arguments.out / REPORT, arguments.out / JOURNAL]
    names = [output_file(name, read) for name in written if name is not None]
    if arguments.write_baseline is not None:
        names.append(output_file(arguments.write_baseline, world))
    places = [os.path.normcase(os.path.realpath(name)) for name in names]
    for name, place in zip(names, places, strict=True):
        if places.count(place) > 1 and (name.is_file() or not name.exists()):
            raise SurveyError("is named twice as a file to write", str(name))


def _write(arguments: argparse.Namespace, report: Report, work: Work) -> None:
    if arguments.out is not None:
        write_report(arguments.out / REPORT, report)
    for path, content in _forms(arguments, work):
        write_whole(path, content(report))


def _page(report: Report, work: Work, pictured: bool) -> bytes:
    """The page, with pictures of its findings where any can be drawn."""
    from editor.survey.reports.page import page_bytes

    if not pictured or not report.found:
        return page_bytes(report)
    from editor.pictures.findings import draw_findings

    with open_source(work.source, work.scene, work.server) as world:
        return page_bytes(report, draw_findings(world, report))


def _forms(arguments: argparse.Namespace, work: Work) -> Iterator[tuple[Path, Callable[[Report], bytes]]]:
    if arguments.html is not None:
        yield arguments.html, partial(_page, work=work, pictured=not arguments.no_pictures)
    if arguments.sarif is not None:
        from editor.survey.reports.sarif import sarif_bytes

        yield arguments.sarif, sarif_bytes
    if arguments.junit is not None:
        from editor.survey.reports.junit import junit_bytes

        yield arguments.junit, junit_bytes


def print_report(report: Report) -> None:
    """The findings, what was not done, and the sum of both."""
    print_lines(finding_line(report, found) for found in report.found[:MOST_LISTED])
    if len(report.found) > MOST_LISTED:
        print(f"and {counted(len(report.found) - MOST_LISTED, 'finding')} more: the report of --out or --html has all")
    print_lines(f"not done: {block_text(block)}: {problem}" for block, problem in report.problems()[:MOST_LISTED])
    print_lines([summary_line(report)])


def finding_line(report: Report, found: Found) -> str:
    where = cell_text(found.cell) if found.cell else block_text(found.block)
    severity = report.severity_of(found).name.lower()
    return f"{severity}: {where} {found.check}: {found.sentence}"


def summary_line(report: Report) -> str:
    names = {Severity.ERROR: "error", Severity.WARNING: "warning", Severity.INFO: "note"}
    counts = [counted(count, names[severity]) for severity, count in report.counts().items() if count]
    parts = [f"{counted(len(report.blocks), 'landblock')}: {', '.join(counts) if counts else 'nothing is wrong'}"]
    if report.known:
        parts.append(f"{counted(report.known, 'known finding')} left out")
    problems = len({block for block, _ in report.problems()})
    if problems:
        parts.append(f"{counted(problems, 'landblock')} not done")
    return "; ".join(parts)


def exit_code(report: Report, fail_on: str) -> int:
    if report.problems():
        return 2
    if fail_on == NEVER:
        return 0
    least = Severity[fail_on.upper()]
    return int(any(report.severity_of(found) >= least for found in report.found))


class _Teller:
    """Tells of the progress on the standard error: a line that changes on a terminal, a line now and then elsewhere."""

    def __init__(self, quiet: bool) -> None:
        self._is_terminal = sys.stderr.isatty()
        self._every = TERMINAL_EVERY if self._is_terminal else LOG_EVERY
        self._last = time.monotonic()

    def progress(self, progress: Progress) -> None:
        now = time.monotonic()
        if now - self._last < self._every:
            return
        self._last = now
        line = progress_line(progress)
        if self._is_terminal:
            print(f"\r\x1b[K{line}", end="", file=sys.stderr, flush=True)
        else:
            warn_lines([line])

    def say(self, sentence: str) -> None:
        self.clear()
        warn_lines([sentence])

    def clear(self) -> None:
        if self._is_terminal:
            print("\r\x1b[K", end="", file=sys.stderr, flush=True)


def progress_line(progress: Progress) -> str:
    parts = [f"{progress.done:,} of {counted(progress.total, 'landblock')}", f"{progress.rate:,.0f} a second"]
    if progress.unchanged:
        parts.append(f"{progress.unchanged:,} as before")
    parts.append(counted(progress.findings, "finding"))
    if progress.problems:
        parts.append(f"{progress.problems:,} not done")
    return ", ".join(parts)
