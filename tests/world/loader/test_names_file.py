"""Names files: written, read, and broken (engine.world.loader.names_file)."""

from __future__ import annotations

import json
import random
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine.build.demo.cache import ensure_demo
from engine.files.kinds import NAMES
from engine.world.faults import WorldError
from engine.world.loader import open_world
from engine.world.loader.names_file import names_bytes, parse_names, read_names, write_names
from engine.world.names import LONGEST_NAME, MOST_NAMES, NameKey, Names, clean_name
from tests.sim.helpers.small_worlds import built, two_rooms

HALL = NameKey.cell(0x00070100)
NAMES_OF_THREE = {HALL: "Hall", NameKey.portal(0x00070100, 2): "Trap door", NameKey.model(0x02000012): "Barrel"}

cells = st.integers(0, 0xFFFF).flatmap(
    lambda block: st.one_of(st.integers(1, 0x40), st.integers(0x100, 0xFFFD)).map(lambda low: block << 16 | low)
)
rooms = st.tuples(st.integers(0, 0xFFFF), st.integers(0x100, 0xFFFD)).map(lambda pair: pair[0] << 16 | pair[1])
models = st.tuples(st.sampled_from([0x01000000, 0x02000000]), st.integers(0, 0xFFFFFF)).map(sum)
keys = st.one_of(
    cells.map(NameKey.cell),
    models.map(NameKey.model),
    st.tuples(rooms, st.integers(0, 0xFFFF)).map(lambda pair: NameKey.portal(*pair)),
)
texts = st.text(max_size=80).map(clean_name)


@given(st.dictionaries(keys, texts, max_size=12), texts)
def test_names_come_back_from_their_file(names: dict[NameKey, str], world: str) -> None:
    found = parse_names(names_bytes(world, names), "x.json")
    assert found.names == names
    assert found.world == world


@given(st.text())
def test_a_clean_name_is_one_short_line_that_stays_as_it_is(text: str) -> None:
    name = clean_name(text)
    assert len(name) <= LONGEST_NAME
    assert name.isprintable()
    assert clean_name(name) == name


def one(entry: object) -> bytes:
    return json.dumps({"cellar_door_names": 1, "names": [entry]}).encode()


@pytest.mark.parametrize(
    ("data", "reason"),
    [
        (b"[]", "is not a names file"),
        (b'{"names": []}', "is not a names file"),
        (b'{"cellar_door_names": 2, "names": []}', "version 2; this program reads version 1"),
        (b'{"cellar_door_names": 1', "is not JSON"),
        (one({"name": "Hall"}), r"names\[0\]: should have one of"),
        (one({"cell": "0x00070100", "model": "0x02000000", "name": "x"}), r"names\[0\]: should have one of"),
        (one({"cell": "0x0007", "name": "x"}), r"names\[0\].cell: '0x0007' has 4 digits"),
        (one({"cell": "0x00070050", "name": "x"}), r"names\[0\].cell: 0x00070050 is not a cell"),
        (one({"model": "0x0D000001", "name": "x"}), r"names\[0\].model: 0x0D000001 is not a model"),
        (one({"portal": "0x00070100", "name": "x"}), "has no 'index'"),
        (one({"portal": "0x0007FFFF", "index": 0, "name": "x"}), r"names\[0\].portal: 0x0007FFFF is not a room"),
        (one({"cell": "0x00070100", "name": "\u3164\u034f\u2800"}), "has no character that can be shown"),
        (one({"portal": "0x00070100", "index": -1, "name": "x"}), "should be 0 to 65535, is -1"),
        (one({"cell": "0x00070100", "name": 5}), r"names\[0\].name: should be a text, is 5"),
        (one({"cell": "0x00070100", "name": "\u202e\u0007"}), "no character that can be shown"),
        (one({"cell": "0x00070100", "name": "x" * 61}), "has 61 characters; a name has at most 60"),
    ],
)
def test_a_wrong_file_is_refused_with_its_entry(data: bytes, reason: str) -> None:
    with pytest.raises(WorldError, match=reason) as caught:
        parse_names(data, "mine.json")
    assert str(caught.value).startswith("mine.json")


def test_two_names_for_one_thing_are_refused() -> None:
    entry = {"cell": "0x00070100", "name": "Hall"}
    data = json.dumps({"cellar_door_names": 1, "names": [entry, entry]}).encode()
    with pytest.raises(WorldError, match=r"names\[1\]: names cell 0x00070100, as an entry before it does"):
        parse_names(data, "mine.json")


def test_control_characters_and_directions_are_left_out() -> None:
    entry = {"cell": "0x00070100", "name": "Ha\u202ell\u0000 <b>\n x"}
    assert parse_names(one(entry), "x").names == {HALL: "Hall <b> x"}


def test_piled_marks_do_not_cover_the_rows_around() -> None:
    assert clean_name("Ha\u0301" + "\u0302" * 40 + "ll") == "Ha\u0301\u0302\u0302ll"
    assert clean_name("\u3164") == clean_name("\u0301") == ""


def test_more_names_than_a_world_has_are_refused() -> None:
    entries = [{"portal": "0x00070100", "index": index % 0x10000, "name": "x"} for index in range(MOST_NAMES + 1)]
    data = json.dumps({"cellar_door_names": 1, "names": entries}).encode()
    with pytest.raises(WorldError, match="more than 50,000 names"):
        parse_names(data, "x.json")


def test_a_file_beyond_the_limit_is_not_read(tmp_path: Path) -> None:
    path = tmp_path / "names.json"
    with path.open("wb") as stream:
        stream.truncate(NAMES.most + 1)
    with pytest.raises(WorldError, match="larger than the 16 MB that a names file may have"):
        read_names(path)


@pytest.mark.parametrize("seed", range(6))
def test_mutated_and_truncated_files_are_read_or_refused(seed: int) -> None:
    chooser = random.Random(seed)
    sound = names_bytes("two rooms", NAMES_OF_THREE)
    refused = 0
    for _ in range(200):
        data = bytearray(sound[: chooser.randrange(len(sound) // 2, len(sound) + 1)])
        for _ in range(chooser.randrange(4)):
            data[chooser.randrange(len(data))] = chooser.randrange(256)
        try:
            found = parse_names(bytes(data), "x.json")
        except WorldError:
            refused += 1
        else:
            assert all(name == clean_name(name) for name in found.names.values())
    assert refused > 100


def test_a_folder_with_a_names_file_gives_its_names_to_the_world(tmp_path: Path) -> None:
    built(two_rooms).write(tmp_path)
    write_names(tmp_path / "names.json", "x", NAMES_OF_THREE)
    with open_world(str(tmp_path)) as world:
        assert world.names.cell(0x00070100) == "Hall 0x00070100"
        assert world.names.cell_field(0x00070100) == "0x00070100 Hall"
        assert world.names.cell(0x00070101) == "0x00070101"
        assert world.names.portal(0x00070100, 2) == "portal 2 (Trap door)"
        assert world.names.portal(0x00070100, 1) == "portal 1"
        assert world.names.model(0x02000012) == "Barrel 0x02000012"
        assert world.fork().names is world.names


def test_a_damaged_names_file_is_a_fault_and_the_world_opens(tmp_path: Path) -> None:
    built(two_rooms).write(tmp_path)
    (tmp_path / "names.json").write_bytes(one({"cell": "0x00070100"}))
    with open_world(str(tmp_path)) as world:
        assert len(world.names) == 0
        assert any("names[0]: has no 'name'; no name is used" in fault.reason for fault in world.faults())


def test_the_demos_rooms_have_the_names_of_their_builder() -> None:
    with open_world(str(ensure_demo())) as world:
        names = {world.names.of_cell(cell.id) for block in (0xC95BFFFF,) for cell in world.landblock(block).env_cells}  # type: ignore[union-attr]
        assert {"Parlour", "Cellar", "Common room", "Guest room one", "Kitchen window 2"} <= names
        assert "" not in names


def test_names_stand_beside_the_ids_of_a_text_once() -> None:
    names = Names(NAMES_OF_THREE)
    said = "0x00070100: not drawn: through portal 2 of 0x00070101, model 0x02000012, 0x000701000"
    assert names.in_text(said) == (
        "Hall 0x00070100: not drawn: through portal 2 of 0x00070101, model Barrel 0x02000012, 0x000701000"
    )
    assert names.in_text("0x00070100 · 2", behind=True) == "0x00070100 Hall · 2"
    for shown in ("Hall 0x00070100", "0x00070100 Hall"):
        assert names.in_text(shown) == names.in_text(shown, behind=True) == shown
    assert Names().in_text(said) == said
