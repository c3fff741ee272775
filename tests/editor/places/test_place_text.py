"""Places as text: every form that players exchange is read, what is written is read again, and nothing else passes."""

from __future__ import annotations

import math
import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from editor.places.place_text import map_text, place_text, read_place, seems_place
from engine.geometry.frame import Frame
from engine.geometry.quat import from_heading
from engine.world.cells.ids import cell_text
from engine.world.faults import WorldError

LOCATION = "0xA9B40170 [84.102898 131.542007 66.000000] -0.707107 0.000000 0.000000 -0.707107"
CELLS = st.builds(
    lambda block, low: block << 16 | low,
    st.integers(0, 0xFEFE),
    st.one_of(st.integers(1, 0x40), st.integers(0x100, 0xFFFD), st.just(0xFFFF)),
)
METRES = st.floats(-9000.0, 9000.0)
TENTHS = st.integers(-1019, 1019)


@pytest.mark.parametrize(
    "text",
    [
        LOCATION,
        f"Your location is: {LOCATION}",
        f"[19:04:11] Your location is: {LOCATION}.",
        f"@teleloc {LOCATION}",
        f"/teleloc {LOCATION.lower()}",
        "@teleloc 0xA9B40170, 84.102898, 131.542007, 66, -0.707107, 0, 0, -0.707107",
        "@teleloc A9B40170 84.102898 131.542007 66.0 -0.707107 0 0 -0.707107",
        f"  ({LOCATION}) 42.1N, 33.6E\n",
        "0xA9B40170,84.102898,131.542007,66,270",
        "0xA9B40170: 84.102898, 131.542007, 66, 270",
        "0xA9B40170 {84.102898 131.542007 66} 270",
        f"{LOCATION} (Holtburg)",
        f"I stood at {LOCATION} and fell",
        f'Your location is: {LOCATION}\nYou say, "here"',
        LOCATION.replace("-", "\N{MINUS SIGN}"),
    ],
)
def test_every_form_of_a_location_is_the_same_place(text: str) -> None:
    place = read_place(text)
    assert (place.cell_id, place.x, place.y, place.z) == (0xA9B40170, 84.102898, 131.542007, 66.0)
    assert place.heading == pytest.approx(270.0, abs=1e-3)
    assert seems_place(text)


@pytest.mark.parametrize("text", ["@teleloc 0xA9B40170 [84 131 66]", "0xA9B40170 84, 131, 66", "a9b40170 [84 131 66]"])
def test_a_location_need_not_say_a_direction(text: str) -> None:
    place = read_place(text)
    assert (place.cell_id, place.x, place.y, place.z, place.heading) == (0xA9B40170, 84.0, 131.0, 66.0, None)


@pytest.mark.parametrize(
    "text",
    [
        "42.1N 33.6E",
        "42.1N, 33.6E",
        "42.1n33.6e",
        "42,1 N 33,6 E",
        "33.6E, 42.1N",
        "go to 42.1N, 33.6E now",
        "42.1\N{DEGREE SIGN}N 33.6\N{DEGREE SIGN} E",
        "42.1N - 33.6E",
        "n42.1, e33.6",
        "N 42.1 E 33.6",
    ],
)
def test_map_coordinates_are_the_middle_of_a_land_cell(text: str) -> None:
    """The town of that place is in landblock 0xA9B4, as the fixtures' cottages are."""
    place = read_place(text)
    assert cell_text(place.cell_id) == "0xA9B40019"
    assert (place.x, place.y, place.z) == (84.0, 12.0, None)


def test_map_coordinates_agree_with_a_server_on_every_land_cell() -> None:
    """Servers find the land cell 10 * (degrees - 0.5) + 1024, and its middle."""
    for tenths in range(-1019, 1020, 7):
        text = map_text(*_point(tenths, -tenths))
        place = read_place(text)
        column = (place.cell_id >> 24) * 8 + ((place.cell_id & 0xFFFF) - 1) // 8
        row = (place.cell_id >> 16 & 0xFF) * 8 + ((place.cell_id & 0xFFFF) - 1) % 8
        assert (column, row) == (tenths + 1019, 1019 - tenths)
        assert (place.x % 24.0, place.y % 24.0) == (12.0, 12.0)


def _point(east: int, north: int) -> tuple[int, float, float]:
    column, row = (tenths + 1019 for tenths in (east, north))
    return (column // 8) << 24 | (row // 8) << 16 | 0xFFFF, column % 8 * 24.0 + 12.0, row % 8 * 24.0 + 12.0


@given(CELLS, METRES, METRES, METRES, st.floats(0.0, 360.0))
def test_what_is_written_is_read_again(cell_id: int, x: float, y: float, z: float, heading: float) -> None:
    text = place_text(cell_id, Frame((x, y, z), from_heading(heading)))
    assert re.fullmatch(r"0x[0-9A-F]{8} \[-?\d+\.\d{6}( -?\d+\.\d{6}){2}\]( -?\d\.\d{6}){4}", text)
    place = read_place(text)
    assert place.cell_id == cell_id
    assert place.z is not None
    assert math.dist((place.x, place.y, place.z), (x, y, z)) < 2e-6
    turned = place.heading
    assert turned is not None
    assert abs((turned - heading + 180.0) % 360.0 - 180.0) < 1e-3
    assert place.text == text


@given(TENTHS, TENTHS)
def test_map_coordinates_are_read_again(north: int, east: int) -> None:
    signs = ("N" if north >= 0 else "S", "E" if east >= 0 else "W")
    text = f"{abs(north) / 10.0:.1f}{signs[0]} {abs(east) / 10.0:.1f}{signs[1]}"
    assert read_place(text).text == text


@given(st.floats(-101.95, 102.049), st.floats(-101.95, 102.049), st.integers(1, 12))
def test_precise_coordinates_are_written_as_of_their_land_cell(north: float, east: float, digits: int) -> None:
    """As the client shows them; what it shows can be read again, at the edge of the map too."""
    signs = ("N" if north >= 0 else "S", "E" if east >= 0 else "W")
    try:
        place = read_place(f"{abs(north):.{digits}f}{signs[0]} {abs(east):.{digits}f}{signs[1]}")
    except WorldError:  # rounded over the edge
        assert max(abs(north), abs(east)) > 101.9
        return
    again = read_place(place.text)
    assert again.cell_id == place.cell_id
    assert max(abs(again.x - place.x), abs(again.y - place.y)) <= 12.0


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ("", "is not a place"),
        ("hello", "is not a place"),
        ("0xA9B40170", "is not a place"),
        ("0xA9B4 [1 2 3]", "has 4 digits"),
        ("0xA9B4zz70 [1 2 3]", "is not an id"),
        ("0xA9B40050 [1 2 3]", "is not a cell"),
        ("0xA9B40170 [1 2]", "has 2 numbers"),
        ("0xA9B40170 [1 2 3] 1 0", "has 5 numbers"),
        ("0xA9B40170 [1 nan 3]", "“nan” is not a number"),
        ("0xA9B40170 [1 inf 3]", "“inf” is not a number"),
        ("0xA9B40170 [1 1e400 3]", "farther away than the map is wide"),
        ("0xA9B40170 [1 2 3] 0 0 0 0", "is not a direction"),
        ("0xA9B40170 [1 2 3] 9 0 0 0", "is not a direction"),
        ("0xA9B40170 [84 131,5 66]", "4 numbers between its brackets"),
        ("0xA9B40170 [1 2] 3", "2 numbers between its brackets"),
        ("0xA9B40170 [1 2 3] nan 0 0 0", "“nan” is not a number"),
        ("0xA9B40170 [1 2 3] 1 0 0 o0", "“o0” is not a number"),
        ("0xA9B40170 [1 2 3] 1 0 and died", "has 5 numbers"),
        ("0xA9B40170 or so", "is not a number"),
        ("-42.1N 33.6E", "is not a place"),
        ("42.1N -33.6E", "is not a place"),
        ("102.0S 33.6E", "not on the map"),
        ("102.1N 33.6E", "not on the map"),
        ("42.1N 999W", "not on the map"),
        ("0xA9B40170 [1 2 3] " + "9" * 5000, "“9999"),
    ],
)
def test_what_is_no_place_is_refused_with_one_sentence(text: str, why: str) -> None:
    with pytest.raises(WorldError, match=re.escape(why)) as refused:
        read_place(text)
    assert len(str(refused.value)) < 400
    assert "\n" not in str(refused.value)


@given(st.text())
def test_any_text_is_a_place_or_refused(text: str) -> None:
    try:
        place = read_place(text)
    except WorldError:
        return
    assert read_place(place.text).text == place.text
