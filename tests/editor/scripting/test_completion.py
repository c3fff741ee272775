"""Completion of names, attributes and keys, and signatures; nothing is called for it."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from editor.scripting.completion import completions, expression_before, signature


class Thing:
    """A thing."""

    def __init__(self) -> None:
        self.name = "thing"
        self.doors = {"Front Door": 1, "Back Door": 2, 'He said "no"': 3, 7: 4}
        self._private = 1

    @property
    def broken(self) -> int:
        raise ValueError

    def move(self, distance: float, *, slowly: bool = False) -> None:
        """Move it.

        Somewhere else.
        """
        raise AssertionError("completion calls nothing")


SPACE = {"thing": Thing(), "things": [Thing()], "value": 1}


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("thi", ("thing", "things")),
        ("x = val", ("value",)),
        ("thing.n", ("name",)),
        ("thing.NA", ("name",)),
        ("print(thing.mo", ("move",)),
        ("things[0].na", ("name",)),
        ("things[-1].na", ("name",)),
        ("thing.broken.", ()),
        ("thing.move(1).", ()),
        ("thing.doors['Fr", ("'Front Door']",)),
        ('thing.doors["b', ('"Back Door"]',)),
        ('thing.doors["He', ("'He said \"no\"']",)),
        ("thing.move(slo", ("slowly=",)),
        ("'thi", ()),
        ("# thi", ()),
        ("", ()),
        ("thing._pr", ("_private",)),
        ("impo", ("import",)),
        ("nothing.there.", ()),
    ],
)
def test_what_could_stand_there(text: str, words: tuple[str, ...]) -> None:
    assert completions(text, SPACE).words == words


def test_private_names_are_left_out_until_they_are_begun() -> None:
    assert all(not word.startswith("_") for word in completions("thing.", SPACE).words)
    assert "__doc__" in completions("thing.__d", SPACE).words


def test_completions_replace_from_the_beginning_of_the_word() -> None:
    assert completions("a + thing.na", SPACE).start == len("a + thing.")
    assert completions("thi", SPACE).common == "thing"


def test_a_signature_has_the_first_line_of_the_docstring() -> None:
    assert (
        signature("thing.move(1, ", SPACE)
        == "thing.move(distance: 'float', *, slowly: 'bool' = False) -> 'None'\nMove it."
    )
    assert signature("thing.move(len(", SPACE).startswith("len(obj, /)")
    assert signature("thing.move()", SPACE) == ""
    assert signature("thing.doors[(", SPACE) == ""


def test_the_expression_before_the_cursor_is_the_whole_chain() -> None:
    assert expression_before("print(a.b[c['(']].d") == "a.b[c['(']].d"


@given(st.text(alphabet="thing.doors['\"()[]{}, \\\n#0xé", max_size=60))
def test_nothing_typed_makes_it_fail(text: str) -> None:
    found = completions(text, SPACE)
    assert 0 <= found.start <= len(text)
    signature(text, SPACE)
