"""The map of all landblocks without its widget: colours, descriptions and search."""

from __future__ import annotations

import numpy as np
import pytest

from editor.maps.block_map import MapColours, coordinates, describe, matching, parse_place, picture
from engine.world.block_index import BlockIndex
from engine.world.faults import WorldError

COLOURS = MapColours((0, 0, 0), (50, 50, 50), (0, 100, 100), (0, 200, 200))


def town() -> BlockIndex:
    """Three landblocks: land with two rooms, plain land north of it, and rooms without land."""
    index = BlockIndex()
    index.add([0xA9B4FFFF, 0xA9B4FFFE, 0xA9B40100, 0xA9B40101, 0xA9B5FFFF])
    index.add([0x00070100, 0xFFFF0001])
    return index


def test_the_contents_of_a_landblock_are_counted_from_its_record_ids() -> None:
    index = town()
    assert index.ids == [0x0007FFFF, 0xA9B4FFFF, 0xA9B5FFFF]
    assert index.with_rooms == [0x0007FFFF, 0xA9B4FFFF]
    assert 0xA9B40029 in index
    assert 0xA9B60001 not in index
    assert describe(index, 0xA9B4FFFF) == "0xA9B4  ·  land, 2 rooms  ·  42.5N 33.7E"
    assert describe(index, 0xA9B40101) == "cell 0xA9B40101 of 0xA9B4  ·  land, 2 rooms  ·  42.5N 33.7E"
    assert describe(index, 0x0007FFFF).startswith("0x0007  ·  1 room  ·")
    assert describe(index, 0x5050FFFF).startswith("0x5050  ·  nothing here")


def test_the_picture_has_north_on_top_and_colours_blocks_by_room_count() -> None:
    made = picture(town(), COLOURS)
    assert made.shape == (256, 256, 4)
    assert tuple(made[255 - 0xB5, 0xA9, :3]) == COLOURS.land
    assert tuple(made[255 - 0xB4, 0xA9, :3]) == COLOURS.many
    few = made[255 - 0x07, 0x00, :3]
    assert COLOURS.few[1] < few[1] < COLOURS.many[1]
    assert int(np.count_nonzero(made[:, :, :3].any(axis=2))) == 3


def test_known_ground_replaces_the_plain_land_colour() -> None:
    land = np.full((256, 256, 3), 7, dtype=np.uint8)
    made = picture(town(), COLOURS, land)
    assert tuple(made[255 - 0xB5, 0xA9, :3]) == (7, 7, 7)
    assert tuple(made[0, 0, :3]) == COLOURS.nothing


@pytest.mark.parametrize(
    ("text", "place"),
    [
        ("A9B4", 0xA9B4FFFF),
        (" 0xa9b4 ", 0xA9B4FFFF),
        ("0xA9B4FFFF", 0xA9B4FFFF),
        ("A9B4FFFE", 0xA9B4FFFF),
        ("A9B40143", 0xA9B40143),
        ("0xA9B40029", 0xA9B40029),
        ("42.5N 33.7E", 0xA9B4FFFF),
        ("42.5n, 33.6e", 0xA9B4FFFF),
        ("42.5N 33.6E", 0xA9B4FFFF),
        ("101.5S 101.5W", 0x0000FFFF),
    ],
)
def test_long_ids_short_ids_and_coordinates_name_a_place(text: str, place: int) -> None:
    assert parse_place(text) == place


@pytest.mark.parametrize("text", ["", "A9", "0x", "A9B4014", "study", "A9B40041", "300N 20E", "0xA9B4014300"])
def test_a_text_that_names_no_place_is_refused(text: str) -> None:
    with pytest.raises(WorldError):
        parse_place(text)


def test_coordinates_and_ids_name_the_same_landblock() -> None:
    for block_id in (0x0000FFFF, 0x7F80FFFF, 0xA9B4FFFF, 0xFEFEFFFF):
        assert parse_place(coordinates(block_id)) == block_id


def test_typing_keeps_the_landblocks_with_that_prefix() -> None:
    ids = town().ids
    assert matching(ids, "A9") == [0xA9B4FFFF, 0xA9B5FFFF]
    assert matching(ids, "0xA9B4") == [0xA9B4FFFF]
    assert matching(ids, "A9B40101") == [0xA9B4FFFF]
    assert matching(ids, "42.5N") == ids
    assert matching(ids, "") == ids
