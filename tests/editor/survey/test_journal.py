"""The journal of a survey: nothing is done twice, what has changed is done again, and a damaged one is no end."""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Container, Iterable, Iterator, Sequence
from dataclasses import replace
from pathlib import Path

import pytest

from editor.survey.errors import SurveyError
from editor.survey.journal import Journal
from editor.survey.report_form import Report
from editor.survey.survey import prepared, run_survey
from editor.survey.task import BlockDone, Item, Work, do_items, put_away
from engine.dat.ids import DatKind
from engine.findings.finding import Found
from engine.sim.tick.simulation import Simulation
from engine.survey import run
from engine.survey.view import Shapes
from engine.world.landblock import neighbour_ids
from engine.world.loader.entities_file import FILE_NAME
from tests.editor.survey.worlds import (
    BROKEN,
    COLUMNS,
    HUT_EVERY,
    HUTS,
    ROOM,
    ROWS,
    change_records,
    move_rooms,
    work_of,
    write_huts,
)
from tests.many_landblocks import write_many

ROOT = Path(__file__).resolve().parents[3]


class Here:
    """Does the landblocks in this process, and notes which were given out and which of them done."""

    def __init__(self, most: int = 1_000_000) -> None:
        self.done: list[int] = []
        self.given: list[int] = []
        self._most = most

    def run(self, work: Work, batches: Iterable[tuple[Item, ...]]) -> Iterator[BlockDone]:
        for items in batches:
            for done in do_items(work, items):
                if len(self.given) == self._most:
                    raise KeyboardInterrupt
                self.given.append(done.block)
                if done.parts:
                    self.done.append(done.block)
                yield done

    def close(self) -> None:
        put_away()


def surveyed(work: Work, blocks: Sequence[int], file: Path, here: Here | None = None) -> tuple[Report, Here]:
    here = here or Here()
    journal = Journal(file, work)
    try:
        return run_survey(work, blocks, here, 1, journal, lambda progress: None), here
    finally:
        journal.close()


@pytest.fixture
def world(tmp_path: Path) -> Path:
    return write_huts(tmp_path / "world")


def outcome(report: Report) -> tuple[object, ...]:
    return report.found, [(block.id, block.done, block.problems) for block in report.blocks]


def test_a_second_survey_does_nothing_and_reports_the_same(world: Path, tmp_path: Path) -> None:
    work, blocks = work_of(world)
    first, here = surveyed(work, blocks, tmp_path / "journal")
    assert here.done == blocks
    assert {found.block for found in first.found} == set(BROKEN)
    size = (tmp_path / "journal").stat().st_size
    second, here = surveyed(work, blocks, tmp_path / "journal")
    assert (here.done, here.given) == ([], blocks)
    assert second == first
    assert (tmp_path / "journal").stat().st_size == size


def test_a_changed_landblock_alone_is_done_again(world: Path, tmp_path: Path) -> None:
    work, blocks = work_of(world)
    surveyed(work, blocks, tmp_path / "journal")
    changed = HUTS[9]
    move_rooms(world, [changed])
    work, blocks = work_of(world)
    report, here = surveyed(work, blocks, tmp_path / "journal")
    around = {block for block in neighbour_ids(changed) if block in blocks}
    assert set(here.done) == {changed, *around}
    assert {found.block for found in report.found} == {*BROKEN, changed}
    move_rooms(world, [changed], -0.4)
    assert {found.block for found in surveyed(*work_of(world), tmp_path / "journal")[0].found} == set(BROKEN)


def test_a_changed_structure_counts_where_it_is_used(world: Path, tmp_path: Path) -> None:
    work, blocks = work_of(world)
    surveyed(work, blocks, tmp_path / "journal")
    change_records(world, {0x0D000001: lambda record: record + b"\0\0\0\0"}, DatKind.PORTAL)
    _, here = surveyed(*work_of(world), tmp_path / "journal")
    assert set(HUTS) <= set(here.done)


def test_what_entities_lead_to_counts_wherever_it_is(world: Path, tmp_path: Path) -> None:
    write_many(world, COLUMNS, ROWS, HUT_EVERY, doors=3)
    room = HUTS[-1] & 0xFFFF0000 | ROOM
    listed = json.loads((world / FILE_NAME).read_text(encoding="utf-8"))
    portal, lever, target = listed["entities"]
    portal |= {"kind": "portal", "extra": {"destination": {"cell": f"0x{room:08X}"}}}
    lever |= {"kind": "switch", "extra": {"activates": [int(target["guid"], 16)]}}

    def links() -> tuple[set[int], set[str]]:
        (world / FILE_NAME).write_text(json.dumps(listed), encoding="utf-8")
        report, here = surveyed(*work_of(world), tmp_path / "journal")
        return set(here.done), {found.check for found in report.found if found.check.startswith("links.")}

    assert links()[1] == set()
    listed["entities"].remove(target)
    done, found = links()
    assert (HUTS[1] in done, HUTS[0] in done, found) == (True, False, {"links.activates-nothing"})
    change_records(world, {room: None})
    done, found = links()
    assert (HUTS[0] in done, found) == (True, {"links.activates-nothing", "links.portal-leads-nowhere"})
    assert HUTS[3] not in done


def test_other_checks_are_another_survey_and_other_parts_are_not(world: Path, tmp_path: Path) -> None:
    work, blocks = work_of(world)
    surveyed(work, blocks, tmp_path / "journal")
    without = replace(work, off=("portals.*",))
    report, here = surveyed(without, blocks, tmp_path / "journal")
    assert here.done == blocks
    assert not any(found.check.startswith("portals.") for found in report.found)
    more, _ = prepared(replace(without, parts=("check", "stabs")))
    journal = Journal(tmp_path / "journal", more)
    item = journal.item(blocks[0], more.parts)
    assert [name for name, _ in item.known] == ["check"]
    journal.close()
    [done] = do_items(more, [item])
    put_away()
    assert (done.unchanged, [part.part for part in done.parts]) == (("check",), ["stabs"])


def test_an_interrupted_survey_goes_on_with_the_rest(world: Path, tmp_path: Path) -> None:
    work, blocks = work_of(world)
    interrupted = Here(most=11)
    with pytest.raises(KeyboardInterrupt):
        surveyed(work, blocks, tmp_path / "journal", interrupted)
    assert interrupted.done == blocks[:11]
    report, here = surveyed(work, blocks, tmp_path / "journal")
    assert here.done == blocks[11:]
    assert outcome(report) == outcome(surveyed(work, blocks, tmp_path / "other")[0])


@pytest.mark.parametrize("cut", [1, 17, 40])
def test_a_torn_last_line_is_cut_off_and_done_again(world: Path, tmp_path: Path, cut: int) -> None:
    work, blocks = work_of(world)
    file = tmp_path / "journal"
    whole, _ = surveyed(work, blocks, file)
    content = file.read_bytes()
    file.write_bytes(content[:-cut])
    report, here = surveyed(work, blocks, file)
    assert here.done == blocks[-1:]
    assert outcome(report) == outcome(whole)
    assert len(file.read_bytes().splitlines()) == len(content.splitlines())


def test_lines_that_are_nonsense_are_skipped_counted_and_done_again(world: Path, tmp_path: Path) -> None:
    work, blocks = work_of(world)
    file = tmp_path / "journal"
    surveyed(work, blocks, file)
    lines = file.read_bytes().splitlines()
    lines[3] = b'{"block": [], "parts": 7}'
    lines[5] = b"\xff\xfe nonsense"
    lines[7] = json.dumps({"block": blocks[6], "parts": [{"part": "check", "key": "x", "seconds": -1}]}).encode()
    file.write_bytes(b"\n".join(lines) + b"\n")
    journal = Journal(file, work)
    assert journal.skipped == 3
    journal.close()
    assert surveyed(work, blocks, file)[1].done == [blocks[2], blocks[4], blocks[6]]


def test_a_line_with_any_damaged_byte_is_done_again(world: Path, tmp_path: Path) -> None:
    work, _ = work_of(world)
    file = tmp_path / "journal"
    surveyed(work, BROKEN[:1], file)
    head, line = file.read_bytes().splitlines()
    for at in range(len(line)):
        file.write_bytes(b"%s\n%s%c%s\n" % (head, line[:at], line[at] ^ 1, line[at + 1 :]))
        journal = Journal(file, work)
        journal.close()
        assert (journal.item(BROKEN[0], work.parts).known, journal.skipped > 0) == ((), True), at


def test_the_journal_of_another_world_is_refused(world: Path, tmp_path: Path) -> None:
    surveyed(*work_of(world), tmp_path / "journal")
    other, _ = work_of(write_huts(tmp_path / "other", []))
    with pytest.raises(SurveyError, match=r"is the journal of a survey of .*world, not of .*other"):
        Journal(tmp_path / "journal", other)


@pytest.mark.parametrize("content", [b"not a journal\n", b'{"cellar_door_journal": 99}\n', b"[[[[[[\n"])
def test_what_is_no_journal_is_refused_and_stays_as_it_is(world: Path, tmp_path: Path, content: bytes) -> None:
    file = tmp_path / "journal"
    file.write_bytes(content)
    with pytest.raises(SurveyError, match="is not the journal of a survey"):
        Journal(file, work_of(world)[0])
    assert file.read_bytes() == content


def test_two_surveys_do_not_write_one_journal(world: Path, tmp_path: Path) -> None:
    work, _ = work_of(world)
    journal = Journal(tmp_path / "journal", work)
    with pytest.raises(SurveyError, match="is being written by another survey"):
        Journal(tmp_path / "journal", work)
    journal.close()
    Journal(tmp_path / "journal", work).close()


@pytest.mark.skipif(sys.platform == "win32", reason="Windows has no limit for the size of files")
def test_a_full_disk_is_a_sentence_and_what_was_done_stays_done(world: Path, tmp_path: Path) -> None:
    """The system refuses to let a file of this process grow, as a full disk would."""
    code = (
        "import resource, sys\n"
        "resource.setrlimit(resource.RLIMIT_FSIZE, (2500, 2500))\n"
        "from cellar_door.main import main\n"
        "sys.exit(main(sys.argv[1:]))\n"
    )
    words = ["survey", str(world), "--workers", "1", "--out", str(tmp_path)]
    done = subprocess.run([sys.executable, "-c", code, *words], cwd=ROOT, capture_output=True, text=True)
    assert done.returncode == 2
    assert done.stderr.endswith("survey.journal: cannot be written: File too large\n")
    work, blocks = work_of(world)
    _, here = surveyed(work, blocks, tmp_path / "survey.journal")
    assert 0 < len(here.done) < len(blocks)
    assert set(here.given) == set(blocks)


def test_landblocks_whose_data_are_damaged_do_not_stop_the_others(world: Path, tmp_path: Path) -> None:
    change_records(world, {HUTS[4] & 0xFFFF0000 | ROOM: lambda record: record[:30]})
    report, here = surveyed(*work_of(world), tmp_path / "journal")
    assert len(here.done) == len(report.blocks) == 36
    assert {found.block for found in report.found} >= set(BROKEN)


def test_a_check_that_fails_is_a_sentence_of_its_landblock_and_is_tried_again(
    world: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    real = run.check_landblock

    def failing(sim: Simulation, block_id: int, enabled: Container[str], shapes: Shapes) -> Iterator[Found]:
        yield from real(sim, block_id, enabled, shapes)
        if block_id == BROKEN[0]:
            raise ZeroDivisionError("float division by\x1b[2J zero")

    work, blocks = work_of(world)
    monkeypatch.setattr(run, "check_landblock", failing)
    report, here = surveyed(work, blocks, tmp_path / "journal")
    assert here.done == blocks
    assert report.problems() == [(BROKEN[0], "check did not finish: float division by\\u001b[2J zero")]
    assert {found.block for found in report.found} == set(BROKEN)
    monkeypatch.setattr(run, "check_landblock", real)
    report, here = surveyed(work, blocks, tmp_path / "journal")
    assert (here.done, report.problems()) == ([BROKEN[0]], [])
