"""`run_editor.py bench AREA`: measures one area on both cores and compares the figures with the promised ones.

Every core runs in a process of its own, because a process chooses its core once. The calibration of the machine is run
in the same minutes and stands beside every figure. `bench data --world-size full` measures a world of the client's size
instead of the parts.
"""

from __future__ import annotations

import argparse
import importlib
import json
import os
import subprocess
import sys
from dataclasses import asdict
from pathlib import Path
from typing import Any

from benchmarks.calibration import calibrate
from benchmarks.figures import Figure
from benchmarks.world_size.world import SIDE
from editor.process.output_files import output_file
from engine.dat.atomic import write_whole

AREAS = {
    "data": ("benchmarks.data", "benchmarks.data_files"),
    "follow": ("benchmarks.following.hour",),
    "physics": ("benchmarks.physics", "benchmarks.recording", "benchmarks.conditions.costs", "benchmarks.why.chains"),
    "survey": (
        "benchmarks.survey.checks",
        "benchmarks.survey.stabs",
        "benchmarks.survey.explore",
        "benchmarks.survey.world",
    ),
    "ui": ("benchmarks.ui", "benchmarks.ui_timeline", "benchmarks.ui_window"),
    "view": ("benchmarks.view",),
}
"""The modules of each, which have `figures(core)`."""
WORLD_AREA = "data"
FULL = "full"
SMALLEST = 16
"""Landblocks along each side: smaller worlds have no room for both kinds of rooms."""
CORES = ("compiled", "python")
ROOT = Path(__file__).resolve().parent.parent


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("area", choices=sorted(AREAS), help="what to measure")
    parser.add_argument(
        "--core", choices=[*CORES, "both"], default="both", help="which core to measure (default: both)"
    )
    parser.add_argument(
        "--world-size",
        metavar="SIZE",
        type=_side,
        help=f"with `data`: make a world of the client's size ({FULL}), or of so many landblocks each way ({SMALLEST} "
        f"to {SIDE}), and go through all that is done with one; it is kept in build/worlds",
    )
    parser.add_argument("--json", metavar="OUT", help="also write the figures to this file, a flat list")


def _side(text: str) -> int:
    if text == FULL:
        return SIDE
    if text.isdecimal() and SMALLEST <= int(text[:4]) <= SIDE:
        return int(text)
    raise argparse.ArgumentTypeError(f"{text!r} is neither {FULL!r} nor a number from {SMALLEST} to {SIDE}")


def run(arguments: argparse.Namespace) -> int:
    """0 when every figure is within its limit, 1 when one is over, 2 when a core could not be measured."""
    if arguments.world_size is not None and arguments.area != WORLD_AREA:
        print(f"--world-size goes with `bench {WORLD_AREA}`", file=sys.stderr)
        return 2
    target = None if arguments.json is None else output_file(arguments.json)
    cores = CORES if arguments.core == "both" else (arguments.core,)
    rows: list[dict[str, Any]] = []
    failed = False
    for core in cores:
        before = calibrate()
        measured = _measure(arguments.area, core, arguments.world_size)
        if measured is None:
            failed = True
            continue
        after = calibrate()
        calibration = {name: round((before[name] + after[name]) / 2, 4) for name in before}
        rows += [{"name": f["name"], "core": core, **f, "calibration": calibration} for f in measured]
        _print_core(core, calibration, measured)
    if target is not None:
        flat = [
            {key: row[key] for key in ("name", "core", "value", "unit", "goal", "limit", "calibration")} for row in rows
        ]
        write_whole(target, (json.dumps(flat, indent=1) + "\n").encode())
    over = [row for row in rows if row["limit"] is not None and row["value"] > row["limit"]]
    return 2 if failed else 1 if over else 0


def _measure(area: str, core: str, world_side: int | None) -> list[dict[str, Any]] | None:
    environment = {**os.environ, "CELLAR_DOOR_CORE": core}
    done = subprocess.run(
        [sys.executable, "-m", "benchmarks.run", area, *([] if world_side is None else [str(world_side)])],
        cwd=ROOT,
        env=environment,
        capture_output=True,
        text=True,
    )
    if done.returncode != 0:
        reason = (done.stderr.strip().splitlines() or ["no reason given"])[-1]
        print(f"{core} core: not measured: {reason}", file=sys.stderr)
        return None
    found: list[dict[str, Any]] = json.loads(done.stdout.splitlines()[-1])
    return found


def _print_core(core: str, calibration: dict[str, float], figures: list[dict[str, Any]]) -> None:
    speeds = "  ".join(f"{name} {value:.3f}" for name, value in calibration.items())
    print(f"\n{core} core   (machine: {speeds})")
    width = max(len(figure["name"]) for figure in figures)
    for fields in figures:
        figure = Figure(**fields)
        promised = "" if figure.goal is None else f"goal {figure.goal:g}, limit {figure.limit or figure.goal:g}"
        shown = f"  {figure.name:<{width}}  {figure.value:>12.3f} {figure.unit:<4}  {promised:<24} {figure.verdict}"
        print(shown.rstrip())


def worker(area: str, world_side: str | None = None) -> None:
    """Measure in this process and print the figures as one line of JSON."""
    core = os.environ.get("CELLAR_DOOR_CORE", "auto")
    figures: list[Figure] = []
    if world_side is not None:
        figures += importlib.import_module("benchmarks.world_size.steps").figures(int(world_side))
    else:
        for name in AREAS[area]:
            figures += importlib.import_module(name).figures(core)
    print(json.dumps([asdict(figure) for figure in figures]))


if __name__ == "__main__":
    worker(*sys.argv[1:3])
