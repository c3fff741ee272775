"""Curves that the user adds: what they read, what they know of the past, and what the settings may hold."""

from __future__ import annotations

import csv
import math
from pathlib import Path

import numpy as np
import pytest

from editor.document.document import Document
from editor.models.timeline.csv_table import CsvTable, SaveCsv
from editor.models.timeline.events import EventLog
from editor.models.timeline.plots import (
    DOOR_QUANTITIES,
    ENTITY_QUANTITIES,
    MOST,
    PLAYER_QUANTITIES,
    Plots,
    plot_id,
)
from editor.models.timeline.tick_log import TickLog
from engine.sim.edits.doors import UseDoor
from engine.world.cells.ids import cell_text
from tests.editor.document.small_document import document_of
from tests.sim.helpers.small_worlds import FORWARD, built, two_rooms


@pytest.fixture
def document() -> Document:
    return document_of(built(two_rooms))


def test_a_late_curve_of_the_player_covers_the_whole_session(document: Document) -> None:
    early, late = Plots(document, ["player:position.x"]), Plots(document)
    document.tick_many(40, FORWARD)
    assert late.add("player:position.x")
    assert late.plots["player:position.x"].column.values.tolist() == (
        early.plots["player:position.x"].column.values.tolist()
    )
    document.tick_many(10, FORWARD)
    assert document.history is not None
    samples = document.history.recording.samples
    assert late.plots["player:position.x"].column.values.tolist() == [samples[n].origin[0] for n in range(50)]


@pytest.mark.parametrize("quantity", [q for group in PLAYER_QUANTITIES.values() for q in group], ids=lambda q: q.id)
def test_each_number_of_the_player_reads_the_same_live_and_past(document: Document, quantity: object) -> None:
    name = quantity.id  # type: ignore[attr-defined]
    live, past = Plots(document, [f"player:{name}"]), Plots(document)
    document.tick_many(30, FORWARD)
    past.add(f"player:{name}")
    live_values = live.plots[f"player:{name}"].column.values
    past_values = past.plots[f"player:{name}"].column.values
    assert len(live_values) == len(past_values) == 30
    known = ~np.isnan(past_values)
    assert known.any() or np.isnan(live_values).all()
    np.testing.assert_array_equal(past_values[known], live_values[known])


def test_a_curve_of_a_door_begins_at_the_tick_it_was_added(document: Document) -> None:
    plots, door = Plots(document), document.sim.population.doors[0]
    document.tick_many(10)
    names = {quantity.id: plot_id(door.id, quantity) for quantity in DOOR_QUANTITIES}
    assert all(plots.add(name) for name in names.values())
    document.edit("Use Door", UseDoor(door.id, 0))
    document.tick_many(60)
    columns = {name: plots.plots[plot].column.values for name, plot in names.items()}
    assert plots.plots[names["open"]].name == "door"
    assert np.isnan(columns["open"][:9]).all()
    assert columns["open"][9] == 0.0
    assert columns["open"][-1] == columns["passable"][-1] == 1.0
    assert 27.0 < columns["countdown"][-1] < 30.0
    assert columns["distance"][-1] == pytest.approx(3.1, abs=0.3)


def test_replayed_ticks_fill_the_gap_of_a_late_curve(document: Document) -> None:
    plots, door = Plots(document), document.sim.population.doors[0]
    document.tick_many(40, FORWARD)
    plot = plot_id(door.id, ENTITY_QUANTITIES[-1])
    plots.add(plot)
    assert math.isnan(plots.plots[plot].column.values[20])
    document.go_to(21)
    assert not math.isnan(plots.plots[plot].column.values[20])
    document.continue_here()
    assert len(plots.plots[plot].column) == 21


def test_curves_are_added_once_and_removed(document: Document) -> None:
    plots, told = Plots(document), []
    plots.changed.connect(lambda: told.append(plots.chosen))
    plots.toggle("player:heading")
    assert not plots.add("player:heading")
    plots.toggle("player:heading")
    plots.remove("player:heading")
    assert told == [["player:heading"], []]


def test_settings_that_name_no_curve_are_left_out(document: Document) -> None:
    broken = ["", "player", "player:", "player:mood", "door:open", "0x12:flight", "0x12:open", "0x12:open"]
    assert Plots(document, broken).chosen == ["0x12:open"]
    many = [f"0x{number:08X}:open" for number in range(MOST + 10)]
    assert len(Plots(document, many).chosen) == MOST


def test_an_entity_that_is_not_there_is_unknown(document: Document) -> None:
    plots = Plots(document, ["0x000000AA:position.z"])
    document.tick_many(3)
    plot = plots.plots["0x000000AA:position.z"]
    assert np.isnan(plot.column.values).all()
    assert plot.name == cell_text(0xAA)


def test_the_csv_table_has_a_line_for_every_tick(document: Document, tmp_path: Path) -> None:
    plots, events, log = Plots(document, ["player:velocity.x"]), EventLog(document), TickLog()
    assert document.history is not None
    log.begin(document.history.recording)
    document.started.emit()
    document.ticked.connect(lambda report: log.note(report, document.tick_cost, math.nan))
    document.tick_many(60, FORWARD)
    log.read(document.history)
    path = tmp_path / "ticks.csv"
    said: list[str] = []
    job = SaveCsv(CsvTable(log, events, plots), path, ())
    job.signals.done.connect(said.append)
    job.work()
    assert said == ["Saved 60 ticks as ticks.csv"]
    rows = list(csv.DictReader(path.read_text().splitlines()))
    assert len(rows) == 60
    assert [row["tick"] for row in rows] == [str(tick) for tick in range(60)]
    assert float(rows[30]["height m"]) == log.height.values[30]
    assert float(rows[30]["Player velocity x m/s"]) == plots.plots["player:velocity.x"].column.values[30]
    assert rows[30]["frame cost ms"] == ""
    assert rows[-1]["blocked"] == "blocked"
    assert rows[-1]["keys"] == "forward"
    hit = events.events[0]
    assert rows[hit.tick]["events"] == "Stops: Blocked by door, part 1, polygon 0"


def test_a_csv_table_never_replaces_a_source(document: Document, tmp_path: Path) -> None:
    path = tmp_path / "world.dat"
    path.write_bytes(b"data")
    failed: list[str] = []
    job = SaveCsv(CsvTable(TickLog(), EventLog(document), Plots(document)), path, [path])
    job.signals.failed.connect(lambda sentence, details: failed.append(sentence))
    job.work()
    assert len(failed) == 1
    assert path.read_bytes() == b"data"
