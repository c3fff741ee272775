"""Text out of data: nothing hidden, no HTML, not endless."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st
from PySide6.QtGui import Qt

from editor.process.plain_text import (
    LONGEST,
    LONGEST_TITLE,
    action_text,
    plain,
    plain_lines,
    title_text,
    visible,
    visible_output,
)

HOSTILE = st.text(
    st.sampled_from(list("<>&;/='\" !?ab\n\t\x1b\x00\x9b\u202e\u2066\u061c\u2060\ud800")) | st.characters()
)
TAGS = st.lists(
    st.sampled_from(
        ["<", ">", "img", " src='/x'", "<b>", "</b>", "&lt;", "<?xml", "<!DOCTYPE html>", "\n", " ", "\u2060"]
    )
).map("".join)


@given(HOSTILE | TAGS)
def test_what_is_plain_is_never_taken_for_html(text: str) -> None:
    for shown in (plain(text), plain_lines(text), action_text(text), title_text(text)):
        assert not Qt.mightBeRichText(shown.encode("utf-16", "surrogatepass").decode("utf-16", "replace"))


@given(TAGS, TAGS)
def test_two_plain_texts_do_not_become_html_together(one: str, other: str) -> None:
    assert not Qt.mightBeRichText(plain(plain(one) + plain(other)))


@given(HOSTILE)
def test_a_line_stays_one_and_hides_nothing(text: str) -> None:
    for shown in (visible(text), plain(text)):
        assert len(shown.splitlines()) <= 1
        assert not set(shown) & set("\x00\t\n\x1b\x7f\x85\x9b\u061c\u200e\u200f\u2028\u202e\u2066\u2069\ud800")


@given(HOSTILE | TAGS)
def test_what_is_plain_already_stays_as_it_is(text: str) -> None:
    assert plain(plain(text)) == plain(text)
    assert visible(visible(text)) == visible(text)


@pytest.mark.parametrize("text", ["Front Door", "Tür 日本 ✓", "a < b", "x & y", "200 °C · 3", "no\u00a0break"])
def test_usual_text_is_left_alone(text: str) -> None:
    assert visible(text) == plain(text) == plain_lines(text) == visible_output(text) == text


def test_the_form_is_that_of_json() -> None:
    assert visible("a\x1b[31m\nb\u202e") == "a\\u001b[31m\\u000ab\\u202e"


def test_of_what_is_long_the_middle_is_left_out() -> None:
    shown = plain(f"begin{'x' * 6000}end")
    assert len(shown) == LONGEST
    assert shown.startswith("begin")
    assert shown.endswith("end")
    assert "…" in shown
    assert len(title_text("y" * 500)) == LONGEST_TITLE
    assert plain_lines("\n".join("line" for _ in range(1000))).endswith("\n… and 941 more lines")


def test_lines_of_ours_stay_lines() -> None:
    assert plain_lines("a\x1b\nb") == "a\\u001b\nb"
    assert visible_output("a\tb\r\n\x9b") == "a\tb\\u000d\n\\u009b"


def test_marks_of_qt_in_menus_and_titles_are_letters() -> None:
    assert action_text("Fish & Chips") == "Fish && Chips"
    assert title_text("a[*]b") == "a[*][*]b"
