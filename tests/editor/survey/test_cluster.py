"""Surveys on a Dask cluster: a real scheduler and two workers, each a process, one of which is killed meanwhile."""

from __future__ import annotations

import os
import re
import signal
import socket
import subprocess
import sys
from collections import Counter
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest

from editor.survey.cluster import Cluster
from editor.survey.errors import SurveyError
from editor.survey.processes import Processes
from editor.survey.report_form import Report
from editor.survey.survey import batches_of, run_survey
from editor.survey.task import BlockDone, Work
from tests.editor.survey.test_processes import nothing, told
from tests.editor.survey.worlds import BROKEN, work_of, write_huts
from tests.systems import needs_signals

pytest.importorskip("distributed")
pytestmark = pytest.mark.filterwarnings("ignore")  # of the library's own, which come and go with its versions

ROOT = Path(__file__).resolve().parents[3]
ALONE = ("--no-dashboard", "--host", "127.0.0.1")


class LocalCluster:
    """A scheduler and workers of this machine. They are not started again when they are killed."""

    def __init__(self) -> None:
        self._processes: list[subprocess.Popen[str]] = []
        scheduler = self._start("dask_scheduler", "--port", "0")
        self.address = self._read(scheduler, r"Scheduler at:\s+(tcp://\S+)")
        self.workers = [self._worker() for _ in range(2)]

    def _worker(self) -> subprocess.Popen[str]:
        worker = self._start("dask_worker", self.address, "--no-nanny", "--nthreads", "1", "--memory-limit", "0")
        self._read(worker, r"Registered to:\s+(\S+)")
        return worker

    def _start(self, module: str, *words: str) -> subprocess.Popen[str]:
        command = [sys.executable, "-m", f"distributed.cli.{module}", *words, *ALONE]
        started = subprocess.Popen(command, cwd=ROOT, stderr=subprocess.PIPE, text=True)
        self._processes.append(started)
        return started

    def _read(self, process: subprocess.Popen[str], pattern: str) -> str:
        """Wait for a line of its log. The pipe holds all that it says afterwards in a test."""
        assert process.stderr is not None
        said = []
        for line in process.stderr:
            said.append(line)
            found = re.search(pattern, line)
            if found is not None:
                return found[1]
        raise AssertionError("".join(said))

    def end(self) -> None:
        for process in reversed(self._processes):
            process.kill()
            process.communicate()


@pytest.fixture
def cluster() -> Iterator[LocalCluster]:
    local = LocalCluster()
    yield local
    local.end()


@pytest.fixture(scope="module")
def world(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return write_huts(tmp_path_factory.mktemp("survey") / "world")


@pytest.fixture(scope="module")
def by_processes(world: Path) -> Report:
    return run_survey(*work_of(world), Processes(2, print), 2, None, nothing)


@needs_signals
@pytest.mark.parametrize("idle", [False, True], ids=["at work", "with answers that nobody has fetched"])
def test_with_a_killed_worker_the_report_is_that_of_processes(
    world: Path, by_processes: Report, cluster: LocalCluster, idle: bool
) -> None:
    work, blocks = work_of(world)
    answers: list[BlockDone] = []

    class Killing:
        """The cluster, one worker of which is killed when it has done some of its share."""

        def __init__(self) -> None:
            self._cluster = Cluster(cluster.address, print)

        def run(self, work: Work, batches: object) -> Iterator[BlockDone]:
            for done in self._cluster.run(work, batches_of(work, blocks, 2, None)):
                answers.append(done)
                if len(answers) == 4:
                    self._kill()
                yield done

        def _kill(self) -> None:
            first, second = cluster.workers
            if not idle:
                os.kill(first.pid, signal.SIGKILL)
                return
            ended = self._cluster._ended
            while ended.qsize() < len(self._cluster._under_way):
                self._cluster._client.nthreads()
            os.kill(second.pid, signal.SIGSTOP)  # it does not do them again before they are looked at
            os.kill(first.pid, signal.SIGKILL)
            futures = [ended.get() for _ in range(ended.qsize())]
            while not any(future.status == "lost" for future in futures):
                self._cluster._client.nthreads()
            for future in sorted(futures, key=lambda future: str(future.status) != "lost"):
                ended.put(future)
            os.kill(second.pid, signal.SIGCONT)

        def close(self) -> None:
            self._cluster.close()

    report = run_survey(work, blocks, Killing(), 2, None, nothing)
    assert cluster.workers[0].wait() == -signal.SIGKILL
    assert Counter(done.block for done in answers) == Counter(blocks)
    assert told(report) == told(by_processes)
    assert {found.block for found in report.found} == set(BROKEN)


def test_workers_of_another_version_are_refused_by_name(world: Path, cluster: LocalCluster) -> None:
    work, blocks = work_of(world)
    other = replace(work, versions=(("check", "0"),))
    with pytest.raises(SurveyError, match=r"its worker tcp://127.0.0.1:.* has another version of Cellar Door"):
        run_survey(other, blocks, Cluster(cluster.address, print), 2, None, nothing)


def test_a_world_that_a_worker_cannot_open_is_a_sentence(world: Path, cluster: LocalCluster, tmp_path: Path) -> None:
    work, blocks = work_of(world)
    with pytest.raises(SurveyError, match="there is no such file or folder"):
        run_survey(
            replace(work, source=str(tmp_path / "gone")), blocks, Cluster(cluster.address, print), 2, None, nothing
        )


@pytest.mark.parametrize("address", ["tcp://127.0.0.1:{}", "nonsense://here", "127.0.0.1:{}", "no.such.host.invalid:1"])
def test_a_scheduler_that_is_not_there_is_a_sentence(address: str) -> None:
    with socket.socket() as closed:
        closed.bind(("127.0.0.1", 0))
        port = closed.getsockname()[1]
    with pytest.raises(SurveyError, match="no scheduler answers there"):
        Cluster(address.format(port), print, connect_s=1.0)
