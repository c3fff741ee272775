"""The limits of an entity are stated once: the engine accepts whatever the reader admits, and the others are
reported."""

from __future__ import annotations

import json
import math
from pathlib import Path
from typing import Any

import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from engine.entities.specs import pack_spec, unpack_spec
from engine.physics.errors import PhysicsError
from engine.sim.edits.entities import AddEntity, SetScale, spec_text
from engine.sim.edits.player import Teleport
from engine.sim.tick.simulation import Simulation
from engine.sim.world_identity import world_identity
from engine.world.entity_limits import LEAST_SCALE, MAX_DISTANCE, MAX_SCALE, MAX_TEXT, PLAYER_ID, flaw_of
from engine.world.entity_spec import EntitySpec
from engine.world.faults import Severity
from engine.world.loader import open_world
from engine.world.loader.entities_file import FILE_NAME, read_entities
from tests.sim.helpers.small_worlds import built, hold, open_all, standing, two_rooms

Json = Any


def entry(**changes: Json) -> Json:
    """A door of the small world as in its file."""
    spec = built(two_rooms).entities[0]
    made = {
        "guid": spec.guid,
        "name": spec.name,
        "kind": spec.kind,
        "setup": spec.setup_id,
        "cell": spec.cell_id,
        "frame": {"origin": list(spec.frame.origin), "rotation": list(spec.frame.rotation)},
        "state": spec.state,
        "scale": 1,
        "extra": {},
    }
    return {**made, **changes}


def write(folder: Path, *entries: Json) -> Path:
    """The small world with these in its file."""
    built(two_rooms).write(folder)
    (folder / FILE_NAME).write_text(json.dumps({"version": 1, "entities": entries}))
    return folder


def at(x: Json, y: Json = 0.0, z: Json = 0.0) -> Json:
    return {"origin": [x, y, z]}


def deep(levels: int) -> Json:
    value: Json = 1
    for _ in range(levels):
        value = [value]
    return {"deep": value}


BAD = {
    "no id": entry(guid=0),
    "the player's id": entry(guid=PLAYER_ID),
    "an id of 33 bits": entry(guid=1 << 32),
    "too large": entry(scale=MAX_SCALE * 1.001),
    "too small": entry(scale=LEAST_SCALE / 2.0),
    "no size": entry(scale=0),
    "a size that is not a number": entry(scale=math.nan),
    "nowhere": entry(frame=at(math.nan)),
    "infinitely far": entry(frame=at(math.inf)),
    "huge coordinates": entry(frame=at(1e30)),
    "too far": entry(frame=at(0.0, 0.0, -MAX_DISTANCE * 1.1)),
    "a rotation of no length": entry(frame={"origin": [0, 0, 0], "rotation": [0, 0, 0, 0]}),
    "no cell": entry(cell="0x00070000"),
    "a name without end": entry(name="x" * (MAX_TEXT + 1)),
    "half a character": entry(name="\ud800"),
    "half a character within": entry(extra={"note": "\udfff"}),
    "half a character as a key": entry(extra={"\ud800": 1}),
    "extra values without bottom": entry(extra=deep(200)),
    "extra values without end": entry(extra={"list": list(range(20_000))}),
    "an extra number without end": entry(extra={"motion_table": 10**40}),
    "a state of 33 bits": entry(state=1 << 32),
    "no object at all": 7,
}

GOOD = {
    "the largest": entry(scale=MAX_SCALE),
    "the smallest": entry(scale=LEAST_SCALE),
    "the highest id": entry(guid=0xFFFFFFFF),
    "the lowest id": entry(guid=1),
    "a name of 6,000 characters": entry(name="x" * 6_000),
    "far away": entry(frame=at(MAX_DISTANCE, -MAX_DISTANCE, 0.0)),
    "its whole landblock": entry(cell="0x0007FFFF"),
    "a cell that is not there": entry(cell="0x00070FFF"),
    "odd extra values": entry(
        extra={"open": "yes", "motion_table": -1, "guests": [None, "a"], "reset_interval": -1e300}
    ),
    "a door of no model": entry(setup=0),
}


@pytest.mark.parametrize("bad", BAD.values(), ids=BAD.keys())
def test_one_bad_entity_is_skipped_and_reported_and_the_others_load(tmp_path: Path, bad: Json) -> None:
    good = entry(guid=0x7000_0001, name="good")
    with open_world(write(tmp_path, bad, good)) as world:
        told = [fault for fault in world.faults() if fault.what == "entity"]
        assert [(fault.index, fault.severity) for fault in told] == [(0, Severity.ERROR)]
        assert [spec.name for spec in world.entities] == ["good"]
        sim = open_all(Simulation(world))
        assert [entity.name for entity in sim.population.ordered] == ["good"]


@pytest.mark.parametrize("good", GOOD.values(), ids=GOOD.keys())
def test_an_admitted_entity_lives_moves_and_survives_its_state(tmp_path: Path, good: Json) -> None:
    with open_world(write(tmp_path, good)) as world:
        assert not [fault for fault in world.faults() if fault.what == "entity"]
        sim = open_all(Simulation(world))
        sim.apply_edit(Teleport(built(two_rooms).cell_id("hall"), 3.0, 2.0, 0.0, 0.0))
        hold(sim, 0.2)
        before = sim.snapshot()
        sim.restore(before)
        assert sim.snapshot() == before
        world_identity(world, [])


def test_the_second_of_two_entities_with_one_id_is_skipped(tmp_path: Path) -> None:
    with open_world(write(tmp_path, entry(name="first"), entry(name="second"))) as world:
        assert [spec.name for spec in world.entities] == ["first"]
        assert any("second" in fault.reason and "before it" in fault.reason for fault in world.faults())


def test_an_entity_of_a_missing_landblock_is_reported(tmp_path: Path) -> None:
    with open_world(write(tmp_path, entry(cell="0xF0F00001"), entry(guid=7))) as world:
        told = [fault for fault in world.faults() if fault.what == "entity"]
        assert [(fault.index, "0xF0F0FFFF" in fault.reason) for fault in told] == [(0, True)]


def test_an_unknown_key_is_noted_and_is_no_error(tmp_path: Path) -> None:
    write(tmp_path, entry(colour="red"))
    found, faults = read_entities(tmp_path / FILE_NAME)
    assert len(found) == 1
    assert [(fault.severity, "'colour'" in fault.reason) for fault in faults] == [(Severity.INFO, True)]


def test_an_entity_with_the_players_id_is_skipped_and_reported(tmp_path: Path) -> None:
    with open_world(write(tmp_path, entry(guid=0x5000_0077, name="double"))) as world:
        sim = open_all(Simulation(world, player_id=0x5000_0077))
        assert sim.population.ordered == []
        assert any("double" in fault for fault in sim.tick().faults)


def test_an_edit_and_a_saved_state_obey_the_same_limits() -> None:
    sim = standing(built(two_rooms), "hall", (3.0, 2.0))
    spec = built(two_rooms).entities[0]
    for guid, scale in ((0, 1.0), (PLAYER_ID, 1.0), (0x8000_0001, MAX_SCALE * 1.01), (0x8000_0001, math.nan)):
        wrong = EntitySpec(guid, "x", spec.kind, spec.setup_id, spec.cell_id, spec.frame, spec.state, scale)
        before = sim.snapshot()
        with pytest.raises(PhysicsError):
            sim.apply_edit(AddEntity(spec_text(wrong)))
        assert sim.snapshot() == before
    largest = EntitySpec(0x8000_0001, "x", spec.kind, spec.setup_id, spec.cell_id, spec.frame, spec.state, MAX_SCALE)
    sim.apply_edit(AddEntity(spec_text(largest)))
    sim.apply_edit(SetScale(0x8000_0001, LEAST_SCALE))
    with pytest.raises(PhysicsError, match="scale"):
        sim.apply_edit(SetScale(0x8000_0001, MAX_SCALE * 1.01))


# --- arbitrary values

numbers = st.one_of(
    st.integers(-5, 1 << 33), st.floats(), st.sampled_from([0, 0.001, 1000, 1000.1, 1e38, 1e300, 10**400])
)
texts = st.one_of(st.text(max_size=8), st.sampled_from(["door", "creature", "player", "chest", "\ud800", "x" * 6000]))
anything = st.recursive(
    st.one_of(st.none(), st.booleans(), numbers, texts),
    lambda inner: st.one_of(st.lists(inner, max_size=4), st.dictionaries(texts, inner, max_size=4)),
    max_leaves=8,
)
extras = st.dictionaries(
    st.sampled_from(["open", "locked", "motion_table", "guests", "reset_interval", "creature", "weenie_bits", "note"]),
    anything,
    max_size=4,
)


@st.composite
def entries(draw: st.DrawFn) -> Json:
    """The door with some of its values replaced by anything that a stranger may write there."""
    made = entry(extra=draw(extras))
    for key in draw(st.lists(st.sampled_from(sorted(made)), max_size=3)):
        made[key] = draw(anything)
    if draw(st.booleans()):
        made["frame"] = at(*(draw(numbers) for _ in range(3)))
    if draw(st.booleans()):
        made["kind"] = draw(texts)
    return made


def test_an_entity_without_a_landblock_is_reported_and_kept(tmp_path: Path) -> None:
    with open_world(write(tmp_path, entry(extra={}) | {"cell": 1})) as world:
        assert [(fault.index, fault.reason) for fault in world.faults() if fault.what == "entity"] == [
            (0, "door: there is no landblock 0x0000FFFF for it to live in")
        ]
        assert len(world.entities) == 1
        assert Simulation(world).population.doors == []


@settings(max_examples=150, deadline=None)
@given(st.lists(entries(), min_size=1, max_size=3))
@pytest.mark.unwatched
def test_the_engine_accepts_whatever_the_reader_admits(tmp_path_factory: pytest.TempPathFactory, listed: Json) -> None:
    folder = write(tmp_path_factory.mktemp("any"), *listed)
    with open_world(folder) as world:
        faults = [fault for fault in world.faults() if fault.what == "entity" and fault.severity]
        assume(not any("there is no landblock" in fault.reason for fault in faults))  # it is kept, but never comes in
        left_out = {fault.index for fault in faults}
        assert len(world.entities) + len(left_out) == len(listed)
        sim = open_all(Simulation(world))
        missing = {spec.guid for spec in world.entities if world.setup(spec.setup_id) is None}
        assert {spec.guid for spec in world.entities} - missing == set(sim.population.entities)
        sim.apply_edit(Teleport(built(two_rooms).cell_id("hall"), 3.0, 2.0, 0.0, 0.0))
        for spec in world.entities:
            assert flaw_of(spec) == ""
            assert pack_spec(unpack_spec(pack_spec(spec))) == pack_spec(spec)
            if spec.guid not in missing:
                sim.apply_edit(SetScale(spec.guid, spec.scale))
        hold(sim, 0.1)
        sim.restore(sim.snapshot())
        world_identity(world, [])
        sim.close()
