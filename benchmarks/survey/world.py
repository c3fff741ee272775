"""`bench survey`: the checks of all landblocks of a world of the client's size, by processes and on a cluster.

The world is that of `bench data --world-size`. The cluster has as many workers of one thread as there are processes,
and is given a part of the world, which processes do in the same minutes.
"""

from __future__ import annotations

import os
import re
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Final

from benchmarks.figures import Figure
from benchmarks.world_size.steps import ROOT, WORLDS
from benchmarks.world_size.world import SIDE, ensure_world
from editor.survey.cluster import Cluster
from editor.survey.processes import Processes
from editor.survey.report_form import Report
from editor.survey.survey import prepared, run_survey
from editor.survey.task import Work
from editor.survey.workers import Workers

WORKERS: Final = 2
PART: Final = 2_550
"""Landblocks that the cluster is given: ten columns of the map."""


def figures(core: str, side: int = SIDE) -> list[Figure]:
    """Of the compiled core alone: the other takes hours."""
    if core != "compiled":
        return []
    world, _ = ensure_world(WORLDS, side)
    work, blocks = prepared(Work(str(world)))
    workers = Processes(WORKERS, _say)
    whole = Timed(work, blocks, workers)
    part = blocks[len(blocks) // 2 :][:PART]
    by_processes = Timed(work, part, Processes(WORKERS, _say))
    before = processor_seconds()
    with local_cluster() as address:
        by_cluster = Timed(work, part, Cluster(address, _say))
    cluster_at_work = processor_seconds() - before
    assert by_processes.report.found == by_cluster.report.found
    return [
        Figure("checks of a world", whole.seconds, "s", 217.0, 434.0),
        Figure("checks of a world, at work on both cores", whole.at_work, "s", 434.0, 868.0),
        Figure("checks of a world: landblocks", len(blocks) / whole.seconds, "/s"),
        Figure("checks of a world: findings", float(len(whole.report.found)), ""),
        Figure("checks of a world: most memory of a worker", workers.peak, "MB", 300.0, 300.0),
        Figure("a part on a cluster, to processes", by_cluster.seconds / by_processes.seconds, "x", 1.15, 1.3),
        Figure("the same at work, with the cluster's start", cluster_at_work / by_processes.at_work, "x"),
    ]


class Timed:
    """A survey, with the start of its workers: seconds, and those at which processors were at work for it."""

    def __init__(self, work: Work, blocks: list[int], workers: Workers) -> None:
        began, before = time.perf_counter(), processor_seconds()
        self.report: Report = run_survey(work, blocks, workers, WORKERS, None, lambda progress: None)
        self.seconds = time.perf_counter() - began
        self.at_work = processor_seconds() - before


def processor_seconds() -> float:
    """Of this process and of all that it has started and that have ended; of those Windows does not know."""
    return sum(os.times()[:4])


@contextmanager
def local_cluster() -> Iterator[str]:
    """The address of a scheduler of this machine with workers that are there."""
    running: list[subprocess.Popen[str]] = []
    try:
        address = _started(running, r"Scheduler at:\s+(tcp://\S+)", "dask_scheduler", "--port", "0")
        for _ in range(WORKERS):
            _started(running, r"Registered to:\s+(\S+)", "dask_worker", address, "--no-nanny", "--nthreads", "1")
        yield address
    finally:
        for process in reversed(running):
            process.kill()
            process.communicate()


def _started(running: list[subprocess.Popen[str]], pattern: str, module: str, *words: str) -> str:
    command = [sys.executable, "-m", f"distributed.cli.{module}", *words, "--no-dashboard", "--host", "127.0.0.1"]
    process = subprocess.Popen(command, cwd=ROOT, stderr=subprocess.PIPE, text=True)
    running.append(process)
    assert process.stderr is not None
    for line in process.stderr:
        found = re.search(pattern, line)
        if found is not None:
            return found[1]
    raise RuntimeError(f"{module} ended")


def _say(sentence: str) -> None:
    print(sentence, file=sys.stderr)
