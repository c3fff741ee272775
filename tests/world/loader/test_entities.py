"""`entities.json`: read, written, and broken (engine.world.loader.entities_file)."""

from __future__ import annotations

import copy
import json
import math
import random
import re
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine.geometry.frame import Frame
from engine.geometry.quat import from_heading
from engine.geometry.vec import r24, r24v
from engine.world.entity_limits import PLAYER_ID
from engine.world.entity_spec import EntitySpec
from engine.world.faults import ENTITY
from engine.world.loader.entities_file import read_entities, write_entities

DOOR: dict[str, Any] = {
    "guid": "0x7C95B001",
    "name": "Front door",
    "kind": "door",
    "setup": "0x02000010",
    "cell": "0xC95B0029",
    "frame": {"origin": [132.6, 17.1, 94.1], "rotation": [1, 0, 0, 0]},
    "state": "0x00010008",
    "scale": 1,
    "extra": {"open": False, "locked": True},
}


def written(folder: Path, *entries: object, version: object = 1) -> Path:
    path = folder / "entities.json"
    path.write_text(json.dumps({"version": version, "entities": list(entries)}))
    return path


def door(**changes: Any) -> dict[str, Any]:
    return {**copy.deepcopy(DOOR), **changes}


def test_an_entity_is_read_as_it_is_written(tmp_path: Path) -> None:
    entities, faults = read_entities(written(tmp_path, DOOR))
    assert faults == []
    (found,) = entities
    assert (found.guid, found.name, found.kind) == (0x7C95B001, "Front door", "door")
    assert (found.setup_id, found.cell_id, found.state) == (0x02000010, 0xC95B0029, 0x10008)
    assert found.frame.origin == r24v((132.6, 17.1, 94.1))
    assert found.extra == {"open": False, "locked": True}


def test_optional_fields_have_defaults(tmp_path: Path) -> None:
    bare = {key: DOOR[key] for key in ("guid", "kind", "setup", "cell")}
    entities, faults = read_entities(written(tmp_path, {**bare, "frame": {"origin": [1, 2, 3]}}))
    assert faults == []
    (found,) = entities
    assert (found.name, found.state, found.scale, found.extra) == ("door", 0x10008, 1.0, {})
    assert found.frame.rotation == (1.0, 0.0, 0.0, 0.0)


def test_ids_may_be_plain_numbers(tmp_path: Path) -> None:
    entities, _ = read_entities(written(tmp_path, door(guid=7, state=8)))
    assert (entities[0].guid, entities[0].state) == (7, 8)


def test_after_1000_wrong_entities_the_rest_are_counted_but_not_read(tmp_path: Path) -> None:
    entities, faults = read_entities(written(tmp_path, DOOR, *[{}] * 3000))
    assert len(entities) == 1
    assert len(faults) == 1001
    assert "1,000 entities are wrong; the 2,000 behind them are not read" in faults[-1].reason


def test_a_folder_without_the_file_has_no_entities(tmp_path: Path) -> None:
    assert read_entities(tmp_path / "entities.json") == ([], [])


@pytest.mark.parametrize(
    ("changes", "reason"),
    [
        ({"guid": "7C95B001"}, r"entities\[1\].guid: '7C95B001' is not an id"),
        ({"guid": "0x7C95B001"}, r"entities\[1\]: .*0x7C95B001 of another entity before it"),
        ({"kind": None}, r"entities\[1\].kind: should be a text, is null"),
        ({"setup": -1}, r"entities\[1\].setup: should be 0 to 4294967295, is -1"),
        ({"cell": "0xC95B0050"}, r"entities\[1\]: .*0xC95B0050, which names no cell"),
        ({"frame": {"origin": [0, 0]}}, r"entities\[1\].frame.origin: should have 3 entries, has 2"),
        ({"frame": {"origin": [0, 0, 0], "rotation": [2, 0, 0, 0]}}, r"entities\[1\]: .* length 1"),
        ({"scale": 0}, r"entities\[1\]: .* the scale 0.0; it is 0.001 to 1000"),
        ({"extra": []}, r"entities\[1\].extra: should be an object, is a list"),
    ],
)
def test_a_wrong_entry_is_reported_and_the_others_load(tmp_path: Path, changes: dict[str, Any], reason: str) -> None:
    other = door(guid="0x7C95B009")
    entities, faults = read_entities(written(tmp_path, DOOR, door(guid="0x7C95B002") | changes, other))
    assert [entity.guid for entity in entities] == [0x7C95B001, 0x7C95B009]
    (fault,) = faults
    assert (fault.what, fault.index) == (ENTITY, 1)
    assert re.search(reason, fault.reason)
    assert "entities.json" in fault.reason


@pytest.mark.parametrize("text", ["", "[]", "{}", '{"version": 2, "entities": []}', '{"version": 1}', "[" * 9999])
def test_an_invalid_file_is_one_fault(tmp_path: Path, text: str) -> None:
    path = tmp_path / "entities.json"
    path.write_text(text)
    entities, faults = read_entities(path)
    assert entities == []
    (fault,) = faults
    assert fault.reason.endswith("no entity is loaded")


names = st.text(st.characters(exclude_categories=["Cs"]), max_size=20)
single = st.floats(-1e5, 1e5, width=32)
ids = st.integers(1, 2**32 - 1).filter(lambda number: number != PLAYER_ID)
wholes = st.integers(-(2**63), 2**63 - 1)


@given(
    st.lists(
        st.builds(
            EntitySpec,
            guid=ids,
            name=names,
            kind=names,
            setup_id=st.integers(0, 2**32 - 1),
            cell_id=st.sampled_from([0xC95B0001, 0xC95B0100, 0xC95BFFFF]),
            frame=st.builds(
                lambda x, y, z, heading: Frame((x, y, z), rounded(heading)), single, single, single, st.floats(0, 360)
            ),
            state=st.integers(0, 2**32 - 1),
            scale=st.floats(0.125, 8.0, width=32),
            extra=st.dictionaries(names, st.one_of(st.none(), st.booleans(), wholes, names), max_size=3),
        ),
        max_size=4,
        unique_by=lambda entity: entity.guid,
    )
)
def test_written_entities_are_read_back(tmp_path_factory: pytest.TempPathFactory, entities: list[EntitySpec]) -> None:
    path = tmp_path_factory.getbasetemp() / "written.json"
    write_entities(path, entities)
    again, faults = read_entities(path)
    assert faults == []
    assert [form(entity) for entity in again] == [form(entity) for entity in entities]


def rounded(heading: float) -> tuple[float, float, float, float]:
    w, x, y, z = from_heading(heading)
    return (r24(w), r24(x), r24(y), r24(z))


def form(entity: EntitySpec) -> tuple[object, ...]:
    numbers = (entity.guid, entity.setup_id, entity.cell_id, entity.state, entity.scale)
    return (*numbers, entity.name, entity.kind, entity.frame.origin, entity.frame.rotation, entity.extra)


def test_writing_replaces_the_file_and_leaves_nothing_beside_it(tmp_path: Path) -> None:
    path = written(tmp_path, DOOR, version=99)
    write_entities(path, [])
    assert read_entities(path) == ([], [])
    assert [entry.name for entry in tmp_path.iterdir()] == ["entities.json"]


def test_mutated_files_give_entities_or_faults_and_never_an_error(tmp_path: Path) -> None:
    absurd: list[Any] = [None, True, -1, 2**40, 10**400, 1e39, math.nan, "", "\ud800", [], {}]
    for seed in range(400):
        rng = random.Random(seed)
        root: Any = {"version": 1, "entities": [door(), door(guid=5)]}
        node = root
        while isinstance(node, dict | list) and node:
            key = rng.choice(list(node) if isinstance(node, dict) else range(len(node)))
            if isinstance(node[key], dict | list) and node[key] and rng.random() < 0.8:
                node = node[key]
                continue
            node[key] = rng.choice(absurd)
            break
        path = tmp_path / "entities.json"
        text = json.dumps(root)
        path.write_text(text if rng.random() < 0.9 else text[: rng.randrange(len(text))])
        entities, faults = read_entities(path)
        assert len(entities) <= 2
        assert all("entities.json" in fault.reason for fault in faults)
