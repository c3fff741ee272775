"""Surveys by worker processes: the same report whatever their number, nothing lost with one that is killed."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import threading
import time
from collections import Counter
from dataclasses import replace
from pathlib import Path

import pytest

from editor.survey.errors import SurveyError
from editor.survey.journal import Journal
from editor.survey.processes import Processes
from editor.survey.report_form import Report
from editor.survey.survey import Progress, batches_of, prepared, run_survey
from editor.survey.task import BlockDone, Item, Work
from editor.survey.workers import MOST_DEATHS
from tests.editor.survey.worlds import BROKEN, work_of, write_huts
from tests.systems import KILL, KILLED, needs_signals

STATES = 200
"""Of a search: a second for a landblock."""
ROOT = Path(__file__).resolve().parents[3]
HOW = f"by signal {-KILLED}" if KILLED < 0 else f"with code {KILLED}"


@pytest.fixture(scope="module")
def world(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return write_huts(tmp_path_factory.mktemp("survey") / "world")


def nothing(progress: Progress) -> None:
    assert progress.done <= progress.total


def told(report: Report) -> tuple[object, ...]:
    return report.found, [(block.id, block.done, block.problems) for block in report.blocks]


def surveyed(work: Work, blocks: list[int], count: int) -> Report:
    return run_survey(work, blocks, Processes(count, print), count, None, nothing)


def test_the_report_is_the_same_whatever_the_number_of_workers(world: Path) -> None:
    work, blocks = work_of(world)
    alone = surveyed(work, blocks, 1)
    assert told(alone) == told(surveyed(work, blocks, 3))
    assert told(alone) == told(surveyed(work, blocks[::-1], 2))
    assert [block.id for block in alone.blocks] == blocks
    assert {found.block for found in alone.found} == set(BROKEN)


def test_with_a_killed_worker_nothing_is_lost_and_nothing_comes_twice(world: Path) -> None:
    work, blocks = work_of(world)
    sentences: list[str] = []
    workers = Processes(2, sentences.append)
    answers: list[BlockDone] = []
    for done in workers.run(work, batches_of(work, blocks, 2, None)):
        answers.append(done)
        if len(answers) == 4:
            os.kill(workers.ids[0], KILL)
    workers.close()
    assert Counter(done.block for done in answers) == Counter(blocks)
    assert not any(part.problem for done in answers for part in done.parts)
    assert len(sentences) == 1
    assert f"ended {HOW}" in sentences[0]


def test_a_landblock_at_which_workers_keep_ending_is_given_up(world: Path) -> None:
    """The search of a hut takes long enough to be killed in."""
    work, _ = work_of(world, "explore")
    sentences: list[str] = []
    workers = Processes(1, sentences.append)
    over = threading.Event()
    killed: set[int] = set()

    def kill_each() -> None:
        while not over.wait(0.01):
            for number in set(workers.ids) - killed:
                os.kill(number, KILL)
                killed.add(number)

    killer = threading.Thread(target=kill_each)
    killer.start()
    try:
        [done] = workers.run(work, [(Item(BROKEN[0]),)])
    finally:
        over.set()
        killer.join()
        workers.close()
    assert len(killed) == len(sentences) == MOST_DEATHS
    [part] = done.parts
    assert part.problem == f"explore: its worker ended {MOST_DEATHS} times {HOW}"
    assert part.key == ""


def test_a_landblock_that_takes_too_long_is_given_up_and_the_next_one_done(world: Path) -> None:
    """The search of a hut takes minutes."""
    work, _ = work_of(world, "explore")
    workers = Processes(1, print, most_seconds=2.0)
    answers = list(workers.run(work, [(Item(BROKEN[0]), Item(BROKEN[1]))]))
    workers.close()
    assert [done.block for done in answers] == list(BROKEN)
    assert {done.parts[0].problem for done in answers} == {"explore: took more than 2 s"}


def test_what_was_done_with_a_landblock_before_it_was_given_up_stays_done(world: Path, tmp_path: Path) -> None:
    checked, _ = work_of(world, "check")
    journal = Journal(tmp_path / "journal", checked)
    before = run_survey(checked, BROKEN[:1], Processes(1, print), 1, journal, nothing)
    journal.close()
    for parts in (("check", "stabs", "explore", "rules"), ("check",)):
        work, _ = work_of(world, *parts)
        journal = Journal(tmp_path / "journal", work)
        item = journal.item(BROKEN[0], parts)
        report = run_survey(work, BROKEN[:1], Processes(1, print, most_seconds=3.0), 1, journal, nothing)
        journal.close()
        assert "check" in dict(item.known)
        assert set(before.found) <= set(report.found)
        if len(parts) > 1:
            assert report.blocks[0].done == ("check", "stabs")
            assert report.blocks[0].problems == (
                "explore: took more than 3 s",
                "rules: not begun, as explore was given up",
            )


def test_a_worker_with_much_memory_is_replaced_and_nothing_is_lost(world: Path) -> None:
    work, blocks = work_of(world)
    workers = Processes(2, print, most_memory=1)
    answers = list(workers.run(work, batches_of(work, blocks[:6], 1, None)))
    workers.close()
    assert Counter(done.block for done in answers) == Counter(blocks[:6])


def test_a_world_that_workers_cannot_open_is_a_sentence(world: Path, tmp_path: Path) -> None:
    work, blocks = work_of(world)
    workers = Processes(2, print)
    with pytest.raises(SurveyError, match="there is no such file or folder"):
        run_survey(replace(work, source=str(tmp_path / "gone")), blocks, workers, 2, None, nothing)
    assert workers.ids == []


def test_a_worker_of_another_version_is_refused(world: Path) -> None:
    work, blocks = work_of(world)
    with pytest.raises(SurveyError, match="another version of Cellar Door"):
        surveyed(replace(work, versions=(("check", "0"),)), blocks, 1)


def test_a_worker_loads_no_qt(world: Path) -> None:
    """All parts of the survey, in an interpreter that would fail to import Qt."""
    code = (
        "import sys\n"
        "sys.modules.update({name: None for name in ('PySide6', 'shiboken6', 'OpenGL')})\n"
        "from editor.survey import processes\n"
        "from editor.survey.parts import PARTS\n"
        "from editor.survey.survey import prepared\n"
        "from editor.survey.task import Item, Work, do_items\n"
        "names = tuple(part.name for part in PARTS.values() if part.is_there() and not part.sees)\n"
        "work, blocks = prepared(Work(sys.argv[1], parts=names, settings=(('most_states', 50),)))\n"
        "assert [done.block for done in do_items(work, [Item(blocks[0])])] == blocks[:1]\n"
        "print(*names)\n"
    )
    done = subprocess.run([sys.executable, "-c", code, str(world)], cwd=ROOT, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    assert "check" in done.stdout


@pytest.mark.skipif(not sys.platform.startswith("linux"), reason="asks /proc which signals a process holds back")
def test_ctrl_c_does_not_reach_workers_that_start(world: Path) -> None:
    """In an interpreter that has started no process yet."""
    code = (
        "import sys\n"
        "from pathlib import Path\n"
        "from editor.survey.processes import Processes\n"
        "from editor.survey.survey import prepared\n"
        "from editor.survey.task import Item, Work\n"
        "work, blocks = prepared(Work(sys.argv[1]))\n"
        "workers = Processes(1, print)\n"
        "next(workers.run(work, [(Item(block),) for block in blocks]))\n"
        "[status] = [Path(f'/proc/{number}/status').read_text() for number in workers.ids]\n"
        "workers.close()\n"
        "print(status.partition('SigBlk:')[2].split()[0])\n"
    )
    done = subprocess.run([sys.executable, "-c", code, str(world)], cwd=ROOT, capture_output=True, text=True)
    assert int(done.stdout, 16) >> signal.SIGINT - 1 & 1, done.stderr


@needs_signals
def test_ctrl_c_ends_a_survey_at_once_and_leaves_its_journal(world: Path, tmp_path: Path) -> None:
    words = [sys.executable, "-m", "cellar_door", "survey", str(world), "--do", "explore", "--out", str(tmp_path)]
    words += ["--set", f"most_states={STATES}"]
    running = subprocess.Popen(words, cwd=ROOT, stderr=subprocess.PIPE, text=True, start_new_session=True)
    journal = tmp_path / "survey.journal"
    until = time.monotonic() + 120
    while not (journal.is_file() and len(journal.read_bytes().splitlines()) > 2):
        assert time.monotonic() < until
        assert running.poll() is None
    os.killpg(running.pid, signal.SIGINT)  # as a terminal does: to every process of it
    _, said = running.communicate(timeout=60)
    assert running.returncode == 128 + signal.SIGINT
    assert said.splitlines()[-1] == "Cellar Door: interrupted"
    assert "Traceback" not in said
    lines = len(journal.read_bytes().splitlines())
    while is_alive(running.pid):  # a worker that has not ended yet
        assert time.monotonic() < until
    assert left_to_do(world, tmp_path) == 36 - (lines - 1)


def is_alive(group: int) -> bool:
    """Whether a group of processes has any."""
    try:
        os.killpg(group, 0)
    except ProcessLookupError:
        return False
    return True


def left_to_do(world: Path, folder: Path) -> int:
    """How many landblocks are left to do."""
    work, blocks = prepared(Work(str(world), parts=("explore",), settings=(("most_states", STATES),)))
    journal = Journal(folder / "survey.journal", work)
    left = sum(not journal.item(block, work.parts).known for block in blocks)
    journal.close()
    return left
