"""Tables that follow: what changed is marked until the next reading, and what stayed is left alone."""

from __future__ import annotations

import pytest
from PySide6.QtCore import Qt

from editor.models.live_table import CHANGED_ROLE, DIFFERS_ROLE, KEY_ROLE, Column, LiveTable, Row, Value, number


def rows(**values: float) -> list[Row]:
    return [Row(name, (Value(name), number(value))) for name, value in values.items()]


@pytest.fixture
def table() -> LiveTable:
    made = LiveTable((Column("Name"), Column("Value", mono=True, right=True)))
    made.show(rows(x=1.0, y=2.0))
    return made


def test_what_differs_from_the_last_reading_is_marked_until_the_next(table: LiveTable) -> None:
    assert not table.is_changed("x", 1)
    table.show(rows(x=1.5, y=2.0))
    assert table.is_changed("x", 1)
    assert not table.is_changed("y", 1)
    assert table.index(0, 1).data(CHANGED_ROLE)
    table.show(rows(x=1.5, y=2.0))
    assert not table.is_changed("x", 1)


def test_a_difference_too_small_to_be_shown_counts(table: LiveTable) -> None:
    table.show(rows(x=1.0000001, y=2.0))
    assert table.text("x", 1) == "1.000"
    assert table.is_changed("x", 1)


def test_only_rows_that_are_touched_are_told_of(table: LiveTable) -> None:
    told: list[tuple[int, int]] = []
    table.dataChanged.connect(lambda first, last: told.append((first.row(), last.row())))
    table.show(rows(x=1.0, y=2.0))
    assert told == []
    table.show(rows(x=1.0, y=3.0))
    assert told == [(1, 1)]
    table.show(rows(x=1.0, y=3.0))
    assert told == [(1, 1), (1, 1)], "the mark goes"


def test_another_thing_in_the_same_table_is_no_news(table: LiveTable) -> None:
    table.show(rows(x=7.0, y=8.0), mark=False)
    assert not table.is_changed("x", 1)


def test_rows_that_come_and_go_keep_what_is_known_of_the_others(table: LiveTable) -> None:
    table.show(rows(x=1.0, y=5.0, z=9.0))
    assert table.is_changed("y", 1)
    assert not table.is_changed("z", 1), "what is new is not changed"
    table.show(rows(z=9.0))
    assert table.rowCount() == 1
    assert table.index(0, 0).data(KEY_ROLE) == "z"
    table.show([])
    assert table.rowCount() == 0


def test_copies_are_tab_separated_at_full_precision(table: LiveTable) -> None:
    table.show(rows(x=1 / 3, y=2.0))
    assert table.as_tsv() == "Name\tValue\nx\t0.3333333333333333\ny\t2.0"
    assert table.as_tsv([1]) == "Name\tValue\ny\t2.0"


def test_check_boxes_are_copied_in_a_column_of_their_own(table: LiveTable) -> None:
    table.show([Row("x", (Value("x"), number(1.0)), checked=True), Row("y", (Value("y"), number(2.0)), checked=False)])
    assert table.as_tsv() == "Name\tValue\tOn\nx\t1.0\tyes\ny\t2.0\tno"


def test_a_small_negative_number_is_shown_as_zero() -> None:
    assert number(-0.0001).text == "0.000"
    assert number(-0.0001).copied == "-0.0001"


def test_a_check_box_asks_for_an_edit_and_shows_what_is() -> None:
    table = LiveTable((Column("Bit"),))
    asked: list[tuple[object, bool]] = []
    table.on_check = lambda row, on: asked.append((row.key, on))
    table.show([Row("ETHEREAL", (Value("ETHEREAL"),), None, False)])
    box = table.index(0, 0)
    assert box.flags() & Qt.ItemFlag.ItemIsUserCheckable
    assert table.setData(box, Qt.CheckState.Checked.value, Qt.ItemDataRole.CheckStateRole)
    assert asked == [("ETHEREAL", True)]
    assert box.data(Qt.ItemDataRole.CheckStateRole) == Qt.CheckState.Unchecked


# --- beside another run


def tip(table: LiveTable, row: int, column: int) -> object:
    return table.index(row, column).data(Qt.ItemDataRole.ToolTipRole)


def test_what_differs_in_the_other_run_is_marked_with_its_value(table: LiveTable) -> None:
    table.compare(rows(x=1.0, y=2.5), "ace")
    assert [table.index(row, 1).data(DIFFERS_ROLE) for row in range(2)] == [False, True]
    assert "≠ ace: 2.500" in str(tip(table, 1, 1))
    assert tip(table, 0, 1) is None
    table.compare(None)
    assert not table.index(1, 1).data(DIFFERS_ROLE)
    assert tip(table, 1, 1) is None


def test_a_difference_that_is_shown_alike_is_told_at_full_precision(table: LiveTable) -> None:
    table.compare(rows(x=1.0000001, y=2.0), "ace")
    assert table.other_text("x", 1) == "1.0000001"


def test_what_the_other_run_does_not_have_is_marked_at_its_name(table: LiveTable) -> None:
    table.compare(rows(x=1.0), "ace")
    assert table.other_text("y", 0) == "not there"
    assert table.other_text("x", 0) is None


def test_a_row_tells_of_columns_that_may_be_out_of_sight() -> None:
    wide = LiveTable((Column("Name"), Column("x"), Column("y")))
    wide.show([Row(1, (Value("crate"), number(1.0), number(2.0)))])
    wide.compare([Row(1, (Value("crate"), number(1.0), number(3.0)))], "ace")
    assert wide.other_text(1, 0) == "y 3.000"
    assert wide.other_text(1, 1) is None


def test_marks_are_told_of_once(table: LiveTable) -> None:
    told: list[int] = []
    table.dataChanged.connect(lambda first, last: told.append(first.row()))
    for _ in range(3):
        table.compare(rows(x=1.0, y=2.5), "ace")
    assert len(told) == 1
