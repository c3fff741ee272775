"""A second run in the Timeline: in its lanes, in what they say, and in the table of the ticks."""

from __future__ import annotations

import csv
from pathlib import Path

import pytest

from editor.document.document import Document
from editor.models.compare.watch import CompareWatch
from editor.models.timeline.csv_table import CsvTable, SaveCsv
from editor.models.timeline.events import EventLog
from editor.models.timeline.lanes import Lane, lane_text, second_text, standard_lanes
from editor.models.timeline.plots import Plots
from editor.models.timeline.second_lanes import APART, parting_tick, with_second
from editor.models.timeline.tick_log import TickLog
from tests.editor.document.small_document import document_of
from tests.sim.helpers.small_worlds import FORWARD, built, two_rooms

TICKS = 30


class Desk:
    """A walk with a slower second body beside it, and the columns of both."""

    def __init__(self) -> None:
        self.document: Document = document_of(built(two_rooms))
        self.events = EventLog(self.document)
        self.watch = CompareWatch(self.document)
        self.log = TickLog()

    def walk(self) -> None:
        self.watch.compare_body([("radius", 0.2)])
        for _ in range(TICKS):
            self.document.tick(FORWARD)
        assert self.document.history is not None
        self.log.read(self.document.history)

    def lanes(self) -> dict[str, Lane]:
        return {lane.id: lane for lane in with_second(standard_lanes(self.log), self.watch)}

    def table(self, path: Path) -> list[list[str]]:
        SaveCsv(CsvTable(self.log, self.events, Plots(self.document), self.watch), path, []).work()
        with path.open(newline="") as lines:
            return list(csv.reader(lines))


@pytest.fixture
def desk() -> Desk:
    made = Desk()
    made.walk()
    return made


def test_without_a_second_run_nothing_changes(desk: Desk, tmp_path: Path) -> None:
    desk.watch.stop()
    lanes = standard_lanes(desk.log)
    assert with_second(lanes, desk.watch) == lanes
    assert parting_tick(desk.watch, desk.log.first) is None
    assert desk.table(tmp_path / "alone.csv")[0][:4] == ["tick", "seconds", "cell", "height m"]


def test_the_lanes_have_both_runs_and_how_far_they_are_apart(desk: Desk) -> None:
    lanes = desk.lanes()
    assert list(lanes)[:2] == ["cell", APART]
    assert [lane for lane in lanes if lanes[lane].has_second] == ["cell", "height", "speed", "heading"]
    last = desk.log.end - 1
    apart = desk.watch.difference_at(last)
    assert apart is not None
    assert apart.distance > 0.0, "the thinner body gets farther"
    names = desk.document.names
    assert lane_text(lanes[APART], desk.log, desk.events, last) == f"{apart.distance:.3f} m"
    assert second_text(lanes["height"], desk.log, names, last) == f"{apart.second.origin[2]:.2f} m"
    assert second_text(lanes["cell"], desk.log, names, last) == names.cell_field(apart.second.cell)
    assert second_text(lanes["keys"], desk.log, names, last) == ""


def test_an_axis_is_wide_enough_for_both_runs(desk: Desk) -> None:
    lanes = desk.lanes()
    for name in ("height", "speed"):
        lane = lanes[name]
        assert lane.column is not None
        assert lane.second is not None
        low, high = lane.range_of(0, TICKS)
        for column in (lane.column, lane.second):
            assert low <= column.values[:TICKS].min()
            assert column.values[:TICKS].max() <= high


def test_the_first_tick_that_differs_is_known(desk: Desk) -> None:
    tick = parting_tick(desk.watch, desk.log.first)
    assert tick is not None
    assert desk.watch.first is not None
    assert tick == desk.log.first + desk.watch.first.index


def test_the_table_has_both_runs_at_full_precision(desk: Desk, tmp_path: Path) -> None:
    titles, *lines = desk.table(tmp_path / "both.csv")
    name = desk.watch.names[1]
    assert titles[:4] == ["tick", "seconds", "cell", f"{name} cell"]
    assert len(lines) == TICKS
    for line in lines:
        row = dict(zip(titles, line, strict=True))
        difference = desk.watch.difference_at(int(row["tick"]))
        assert difference is not None
        assert float(row["apart m"]) == difference.distance
        assert float(row[f"{name} height m"]) == pytest.approx(difference.second.origin[2])
        assert int(row[f"{name} cell"], 16) == difference.second.cell
