"""Edits of size, light and static things: their effects, and that undoing them leaves nothing behind."""

from __future__ import annotations

import dataclasses

import pytest

from engine.dat.records import EnvCell
from engine.dat.records.catalogue import read_record, write_record
from engine.entities.specs import unpack_spec
from engine.physics.errors import PhysicsError
from engine.sim.edits.cells import ReplaceCell
from engine.sim.edits.entities import MoveEntity, RemoveEntity, RestoreStatic, SetScale, SetStateBits
from engine.sim.edits.world import RestoreSnapshot, SetTimeOfDay
from engine.sim.tick.simulation import Simulation
from engine.world.loader.edited import cell_record_bytes, record_of_cell
from tests.sim.helpers.small_worlds import (
    FORWARD,
    built,
    feet,
    furnished,
    hold,
    house,
    open_rooms,
    standing,
    two_rooms,
    with_people,
)

PERSON = 0


def person(sim: Simulation) -> int:
    return sim.population.ordered[PERSON].id


def before_a_person() -> Simulation:
    """The player four metres south of another body, facing it."""
    return standing(built(with_people), "hall", (4.0, 16.0), 0.0)


def stopped_at(sim: Simulation) -> float:
    hold(sim, 2.5, FORWARD)
    return feet(sim)[1]


def test_a_scaled_entity_stops_the_player_earlier_or_later() -> None:
    stops = []
    for scale in (0.5, 1.0, 3.0):
        sim = before_a_person()
        sim.apply_edit(SetScale(person(sim), scale))
        stops.append(stopped_at(sim))
    assert stops[0] > stops[1] > stops[2]


def test_a_scaled_door_blocks_with_scaled_leaves() -> None:
    sim = standing(built(two_rooms), "hall", (3.0, 2.0), 90.0)
    door = sim.population.doors[0]
    width = max(row.shape.radius for row in sim.population.registry.entity(door.id).obj.rows)
    sim.apply_edit(SetScale(door.id, 2.0))
    rows = sim.population.registry.entity(door.id).obj.rows
    assert max(row.shape.radius for row in rows) == pytest.approx(2.0 * width)
    hold(sim, 3.0, FORWARD)
    assert feet(sim)[0] < 6.0


def test_the_size_is_part_of_the_state() -> None:
    sim = before_a_person()
    state, snapshot = sim.state_hash(), sim.snapshot()
    sim.apply_edit(SetScale(person(sim), 2.5))
    scaled, larger = sim.state_hash(), sim.snapshot()
    assert scaled != state
    sim.apply_edit(RestoreSnapshot(snapshot, 0))
    assert sim.state_hash() == state
    assert sim.population.entity(person(sim)).scale == 1.0
    sim.apply_edit(RestoreSnapshot(larger, 0))
    assert sim.state_hash() == scaled
    entity = sim.population.entity(person(sim))
    assert (entity.scale, unpack_spec(entity.spec).scale) == (2.5, 2.5)


def test_a_body_sweeps_with_scaled_spheres_and_steps() -> None:
    sim = before_a_person()
    body = sim.population.ordered[PERSON].body
    assert body is not None
    step = body.step_up_height
    sim.apply_edit(SetScale(person(sim), 2.0))
    assert body.scale == 2.0
    assert body.step_up_height == pytest.approx(2.0 * step)


@pytest.mark.parametrize("scale", [0.0, -1.0, 1e9, float("nan"), float("inf")])
def test_an_invalid_scale_is_refused(scale: float) -> None:
    sim = before_a_person()
    state = sim.state_hash()
    with pytest.raises(PhysicsError, match="not a scale for"):
        sim.apply_edit(SetScale(person(sim), scale))
    assert sim.state_hash() == state


def test_the_player_and_static_things_have_no_scale() -> None:
    sim = standing(built(furnished), "room", (5.0, 3.0))
    with pytest.raises(PhysicsError, match="radius and height"):
        sim.apply_edit(SetScale(sim.player.id, 2.0))
    with pytest.raises(PhysicsError, match="no scale of its own"):
        sim.apply_edit(SetScale(next(iter(sim.population.statics.things)), 2.0))


def test_the_time_of_day_is_state_but_affects_no_motion() -> None:
    sims = [before_a_person() for _ in range(2)]
    sims[0].apply_edit(SetTimeOfDay(0.25))
    assert sims[0].state_hash() != sims[1].state_hash()
    assert stopped_at(sims[0]) == stopped_at(sims[1])
    for time in (1.0, -0.1, float("nan")):
        with pytest.raises(PhysicsError, match="not a time of day"):
            sims[0].apply_edit(SetTimeOfDay(time))
    assert sims[0].time_of_day == 0.25


def test_static_things_are_restored_as_in_their_records() -> None:
    for world, room in ((built(house), "room"), (built(furnished), "room")):
        sim = standing(world, room, (108.0, 108.0, 20.0) if world is built(house) else (5.0, 3.0))
        assert sim.population.statics.things
        for thing in list(sim.population.statics.things):
            before = registered(sim, thing)
            sim.apply_edit(RemoveEntity(thing))
            assert sim.population.registry.cells_of(thing) == []
            sim.apply_edit(RestoreStatic(thing))
            assert registered(sim, thing) == before


def registered(sim: Simulation, thing: int) -> tuple[object, ...]:
    entry = sim.population.registry.entity(thing)
    return (entry.cell_id, list(entry.cell_ids), entry.obj.state, entry.frame.origin, entry.frame.rotation)


def test_a_body_in_a_doorway_leaves_a_room_it_no_longer_leads_to() -> None:
    sim = standing(built(open_rooms), "hall", (6.1, 2.0))
    who = sim.player.id
    before = sim.population.registry.cells_of(who)
    assert len(before) > 1
    state, snapshot = sim.state_hash(), sim.snapshot()
    for cell_id in before:
        record = room_record(sim, cell_id)
        for portal in record.portals:
            portal.other_cell_id = cell_id & 0xFFFF
        sim.apply_edit(ReplaceCell(write_record(record), b""))
    assert len(sim.population.registry.cells_of(who)) == 1
    sim.apply_edit(RestoreSnapshot(snapshot, 0))
    assert (sim.state_hash(), sim.population.registry.cells_of(who)) == (state, before)


def test_an_edited_world_registers_the_same_as_a_fresh_one() -> None:
    world = built(furnished)
    sim = standing(world, "room", (5.0, 3.0))
    cell_id = sim.graph.current_id
    record = room_record(sim, cell_id)
    x, y, z = record.frame.origin
    record.frame = dataclasses.replace(record.frame, origin=(x + 1.0, y, z))
    sim.apply_edit(ReplaceCell(write_record(record), b""))
    for thing, entry in sim.population.registry.entities.items():
        cells = list(entry.cell_ids)
        sim.population.registry.update_position(thing, entry.cell_id, entry.frame)
        assert entry.cell_ids == cells


# --- standing on a removed thing


def on_the_ledge() -> tuple[Simulation, int]:
    """The player on a block 2.5 m high, more than his step down, and its id."""
    sim = standing(built(furnished), "room", (8.0, 8.0, 2.5))
    hold(sim, 0.5)
    assert feet(sim)[2] == pytest.approx(2.5, abs=1e-3)
    return sim, max(sim.population.statics.things)


@pytest.mark.parametrize("how", ["removed", "moved", "ethereal", "room replaced"])
def test_a_body_on_a_removed_thing_falls(how: str) -> None:
    sim, ledge = on_the_ledge()
    if how == "removed":
        sim.apply_edit(RemoveEntity(ledge))
    elif how == "moved":
        sim.apply_edit(MoveEntity(ledge, sim.graph.current_id, 3.0, 3.0, 0.0, 0.0))
    elif how == "ethereal":
        sim.apply_edit(SetStateBits(ledge, 0x14, True))
    else:
        record = room_record(sim, sim.graph.current_id)
        del record.objects[2]
        sim.apply_edit(ReplaceCell(write_record(record), b""))
    hold(sim, 2.0)
    assert feet(sim)[2] == pytest.approx(0.0, abs=1e-3)


def test_a_body_on_another_thing_is_unaffected() -> None:
    sim = standing(built(furnished), "room", (5.0, 3.0))
    hold(sim, 0.5)
    before = sim.named_state()
    sim.apply_edit(SetStateBits(sim.player.id, 0x0, True))
    sim.apply_edit(MoveEntity(max(sim.population.statics.things), sim.graph.current_id, 8.0, 8.0, 0.0, 0.0))
    player = [entry for entry in sim.named_state() if entry[0].startswith("player")]
    assert player == [entry for entry in before if entry[0].startswith("player")]


def room_record(sim: Simulation, cell_id: int) -> EnvCell:
    from engine.world.cells.cell import EnvCell as Room

    room = sim.graph.get_visible(cell_id)
    assert isinstance(room, Room)
    data = cell_record_bytes(record_of_cell(sim.world.source, room))
    return read_record(EnvCell, data, file="test", record_id=cell_id)
