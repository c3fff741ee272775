"""Findings keep their values through JSON, and their keys from run to run; bad forms are refused with a sentence."""

from __future__ import annotations

import json
from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine.findings.errors import FindingError
from engine.findings.finding import FixForm, Found
from engine.geometry.frame import Frame
from engine.sim.edits.placing import place_at
from engine.sim.edits.player import FacePlayer

ids = st.integers(0, 0xFFFFFFFF)
numbers = st.floats(-1e6, 1e6, width=32)
places = st.tuples(ids, st.tuples(numbers, numbers, numbers))
fixes = st.builds(
    FixForm,
    st.text(max_size=20),
    st.lists(
        st.tuples(st.text(max_size=8), st.tuples(numbers, st.binary(max_size=8), st.booleans(), st.text(max_size=8))),
        max_size=2,
    ).map(tuple),
)
findings = st.builds(
    Found,
    check=st.sampled_from(["portals.off-plane", "stuck.pit"]),
    block=ids,
    cell=ids,
    entity=ids,
    portal=st.integers(-1, 100),
    polygon=st.integers(-1, 100),
    place=st.none() | places,
    sentence=st.text(max_size=40),
    figures=st.lists(st.tuples(st.text(max_size=8), numbers), max_size=3).map(tuple),
    eye=st.none() | places,
    path=st.lists(places, max_size=3).map(tuple),
    recording=st.binary(max_size=20),
    fix=st.none() | fixes,
)


@given(findings)
def test_a_finding_comes_back_from_json_as_it_was(found: Found) -> None:
    assert Found.from_json(json.loads(json.dumps(found.to_json()))) == found


@given(findings)
def test_the_key_has_nothing_of_the_sentence_or_the_recording(found: Found) -> None:
    other = replace(found, sentence="otherwise", recording=b"x", figures=(), path=(), eye=None, fix=None)
    assert other.key == found.key
    assert " " not in found.key


def test_findings_of_other_cells_polygons_and_places_have_other_keys() -> None:
    one = Found("portals.off-plane", 0xA9B4FFFF, 0xA9B40143, polygon=3, place=(0xA9B40143, (1.0, 2.0, 3.0)))
    others = [
        replace(one, check="portals.no-area"),
        replace(one, cell=0xA9B40144),
        replace(one, polygon=4),
        replace(one, portal=3),
        replace(one, entity=3),
        replace(one, place=(0xA9B40143, (1.0, 2.0, 4.0))),
    ]
    assert len({each.key for each in [one, *others]}) == len(others) + 1
    assert replace(one, place=(0xA9B40143, (1.0001, 1.9999, 3.0))).key == one.key
    assert replace(one, place=(0xA9B40143, (1e308, 1.0, 2.0))).key.endswith("/?,1,2")


def test_a_fix_gives_the_edits_that_it_was_made_of() -> None:
    edits = [FacePlayer(90.0), place_at(0x7A9B4001, 0xA9B40143, Frame((1.0, 2.0, 3.0)))]
    found = Found("x.y", 1, fix=FixForm.of("Move it", edits))
    again = Found.from_json(json.loads(json.dumps(found.to_json()))).fix
    assert again is not None
    assert again.edits() == edits


def test_a_fix_of_an_unknown_edit_is_refused() -> None:
    with pytest.raises(FindingError, match="there is no edit 'explode'"):
        FixForm("Explode", (("explode", ()),)).edits()
    with pytest.raises(FindingError, match="values"):
        FixForm("Move", (("move_entity", (1,)),)).edits()


@pytest.mark.parametrize(
    "form",
    [
        None,
        [],
        {},
        {"check": "a.b"},
        {"check": 3, "block": 1},
        {"check": "a.b", "block": "1"},
        {"check": "a.b", "block": True},
        {"check": "a.b", "block": 1 << 32},
        {"check": "a.b", "block": 1, "cell": 1.5},
        {"check": "a.b", "block": 1, "place": [1]},
        {"check": "a.b", "block": 1, "place": [1, [1, 2]]},
        {"check": "a.b", "block": 1, "place": [1, [1, 2, float("nan")]]},
        {"check": "a.b", "block": 1, "place": [1, [1, 2, 10**400]]},
        {"check": "a.b", "block": 1, "figures": [["gap"]]},
        {"check": "a.b", "block": 1, "figures": {}},
        {"check": "a.b", "block": 1, "recording": "not base64!"},
        {"check": "a.b", "block": 1, "recording": "ä"},
        {"check": "a.b", "block": 1, "fix": {}},
        {"check": "a.b", "block": 1, "fix": {"name": "x", "steps": [["y", [None]]]}},
        {"check": "a.b", "block": 1, "sentence": "x" * 5000},
        {"check": "a.b", "block": 1, "colour": "red"},
    ],
)
def test_a_bad_form_is_refused_with_a_reason(form: object) -> None:
    with pytest.raises(FindingError):
        Found.from_json(form)
