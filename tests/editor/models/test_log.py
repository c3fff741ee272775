"""The log: who is heard, how much is kept, what reading it again costs, and what Python has to say."""

from __future__ import annotations

import logging
import sys
import warnings
from collections.abc import Iterator

import pytest

from editor.document.document import Document
from editor.models import log as words
from editor.models.log import Log, LogTable
from editor.models.python_log import PythonEars
from engine.sim.edits.doors import OpenDoor
from tests.editor.document.small_document import document_of
from tests.sim.helpers.small_worlds import built, two_rooms


@pytest.fixture
def document() -> Document:
    return document_of(built(two_rooms))


@pytest.fixture
def log(document: Document) -> Log:
    return Log(document)


def said(log: Log) -> list[tuple[str, str]]:
    return [(entry.kind, entry.text) for entry in log.entries]


def test_what_is_done_refused_and_opened_is_written_down_with_its_tick(document: Document, log: Log) -> None:
    door = document.sim.population.doors[0].id
    document.tick_many(5)
    document.edit("Open Door", OpenDoor(door))
    document.edit("Wake Nobody", OpenDoor(0x7FFFFFFF))
    document.tick_many(60)
    document.session.opening.emit("demo")
    kinds = [kind for kind, _ in said(log)]
    assert said(log)[0] == (words.SAID, "Open Door")
    assert kinds[1] == words.REFUSED
    assert said(log)[1][1].startswith("Wake Nobody: ")
    assert said(log)[-1] == (words.OPENING, "Opening demo")
    assert (words.DOOR, "door opens") in said(log)
    assert (words.DOOR, "door is open") in said(log)
    assert [entry.tick for entry in log.entries][:2] == [4, 4]


def test_the_past_that_is_shown_again_is_no_news(document: Document, log: Log) -> None:
    door = document.sim.population.doors[0].id
    document.edit("Open Door", OpenDoor(door))
    document.tick_many(60)
    before = said(log)
    document.go_to(2)
    document.tick_many(30)
    document.go_to(60)
    assert said(log) == before
    document.go_to(10)
    document.continue_here()
    document.tick_many(60)
    assert said(log).count((words.DOOR, "door is open")) == 2


def test_the_same_thing_again_only_counts(log: Log) -> None:
    for _ in range(3):
        log.add(words.FAULT_KIND, "no cell")
    log.add(words.SAID, "Undid")
    assert [(entry.text, entry.count) for entry in log.entries] == [("no cell", 3), ("Undid", 1)]
    assert log.troubles == 3


def test_ten_thousand_entries_are_kept_and_the_table_follows(log: Log) -> None:
    table = LogTable(log)
    for number in range(words.MOST + 25):
        log.add(words.SAID, f"entry {number}")
        if number in (100, words.MOST + 10):
            table.read()
    table.read()
    assert len(log.entries) == words.MOST
    assert [row.key for row in table.rows] == [entry.number for entry in log.entries]
    assert table.rows[0].values[4].text == "entry 25"
    assert table.entry_of(words.MOST + 24) is log.entries[-1]
    assert table.entry_of(3) is None


def test_a_table_reads_what_is_new_and_what_was_said_again(log: Log) -> None:
    table = LogTable(log)
    log.add(words.SAID, "one")
    table.read()
    log.add(words.SAID, "one")
    log.add(words.REFUSED, "two", "because")
    table.read()
    assert [row.values[3].copied for row in table.rows] == ["2", "1"]
    assert table.rows[1].values[4].text == "two  …"
    assert table.as_tsv().splitlines()[2].split("\t")[2:] == ["refused", "1", "two"]
    log.clear()
    table.read()
    assert table.rows == []
    log.add(words.SAID, "three")
    table.read()
    assert [row.values[4].text for row in table.rows] == ["three"]


def test_entries_are_chosen_by_kind_and_words(log: Log) -> None:
    table = LogTable(log)
    log.add(words.SAID, "Open Front Door")
    log.add(words.ERROR, "It fell over", "in ui/door.py")
    table.choose(words.ERROR, "")
    assert [row.values[4].copied for row in table.rows] == ["It fell over"]
    table.choose("", "DOOR")
    assert len(table.rows) == 2
    log.add(words.SAID, "Walk")
    table.read()
    assert len(table.rows) == 2


# --- Python


@pytest.fixture
def ears(log: Log) -> Iterator[PythonEars]:
    made = PythonEars(log)
    made.raised.connect(log.on_error)
    made.warned.connect(log.on_warning)
    made.listen()
    yield made
    made.close()


@pytest.mark.qt_no_exception_capture
def test_an_exception_that_nobody_caught_becomes_a_sentence_with_its_traceback(
    log: Log, ears: PythonEars, capsys: pytest.CaptureFixture[str]
) -> None:
    try:
        document_of(None)  # type: ignore[arg-type]  # that is the mistake
    except AttributeError as error:
        sys.excepthook(type(error), error, error.__traceback__)
    entry = log.entries[-1]
    assert entry.kind == words.ERROR
    assert entry.text.startswith("Something went wrong in the program: AttributeError: 'NoneType' object")
    assert "small_document.py, line" in entry.text
    assert "Traceback (most recent call last)" in entry.details
    assert "AttributeError" in capsys.readouterr().err, "it is printed as ever"


def test_warnings_and_what_is_logged_are_heard(log: Log) -> None:
    with warnings.catch_warnings(record=True) as shown:
        warnings.simplefilter("always")
        ears = PythonEars(log)
        ears.warned.connect(log.on_warning)
        ears.listen()
        logging.getLogger("somebody").warning("%d things are odd", 3)
        logging.getLogger("somebody").info("nothing of note")
        warnings.warn("it is old", DeprecationWarning, stacklevel=1)
        ears.close()
    assert [(entry.kind, entry.text) for entry in log.entries] == [
        (words.WARNING, "3 things are odd"),
        (words.WARNING, "DeprecationWarning: it is old"),
    ]
    assert "test_log.py, line" in log.entries[1].details
    assert len(shown) == 1, "it is shown as ever"


def test_who_stops_listening_leaves_everything_as_it_was(log: Log) -> None:
    before = (sys.excepthook, warnings.showwarning, list(logging.getLogger().handlers))
    made = PythonEars(log)
    made.listen()
    made.listen()
    assert sys.excepthook != before[0]
    made.close()
    made.close()
    assert (sys.excepthook, warnings.showwarning, list(logging.getLogger().handlers)) == before
