"""External changes: the next tick sees each, each can be stored as a value, and a refused one leaves no trace."""

from __future__ import annotations

import dataclasses
import struct
from collections.abc import Callable

import pytest

from engine.dat.records import EnvCell
from engine.dat.records.catalogue import read_record, write_record
from engine.geometry.frame import Frame
from engine.geometry.vec import Vec3
from engine.physics.errors import PhysicsError
from engine.physics.flags import ETHEREAL, HIDDEN, IGNORE_COLLISIONS, REPORT_COLLISIONS
from engine.physics.rules import RULE_NAMES
from engine.sim.edits.catalogue import EDITS, FIELDS, edit_of, name_of, values_of
from engine.sim.edits.cells import ReplaceCell
from engine.sim.edits.doors import CloseDoor, LockDoor, OpenDoor, SetDoorTimer, SetResetInterval, UseDoor
from engine.sim.edits.edit import Edit, EditValue
from engine.sim.edits.entities import (
    AddEntity,
    MoveEntity,
    RemoveEntity,
    SetScale,
    SetState,
    SetStateBits,
    SetVelocity,
    spec_text,
)
from engine.sim.edits.placing import PlaceEntity
from engine.sim.edits.player import FacePlayer, SetPlayerNumber, Teleport
from engine.sim.edits.rules import SetRule, SetRuleSet
from engine.sim.edits.world import SetTimeOfDay
from engine.sim.tick.simulation import Simulation
from engine.world.entity_spec import EntitySpec
from engine.world.faults import WorldError
from tests.sim.helpers.small_worlds import (
    FORWARD,
    RUN,
    big_hall,
    built,
    feet,
    furnished,
    hold,
    house,
    open_rooms,
    simulate,
    standing,
    two_rooms,
    with_people,
)


def crate_id(sim: Simulation) -> int:
    """The crate in the middle of the furnished room."""
    return min(sim.population.statics.things)


def at_the_crate() -> Simulation:
    """The player south of the crate, facing it."""
    return standing(built(furnished), "room", (5.0, 3.0), 0.0)


def blocked_before(sim: Simulation, y: float) -> bool:
    hold(sim, 2.0, FORWARD)
    return feet(sim)[1] < y


# --- teleports


def test_a_teleport_finds_the_room_that_really_contains_the_position() -> None:
    world = built(open_rooms)
    sim = standing(world, "hall", (8.0, 2.0))
    assert sim.graph.current_id == world.cell_id("study")


def test_a_teleport_from_the_land_into_a_house_is_in_its_room_at_once() -> None:
    world = built(house)
    sim = simulate(world)
    sim.apply_edit(Teleport(0xC95B0025, 108.0, 108.0, 20.0, 0.0))
    assert sim.graph.current_id == world.cell_id("room")
    hold(sim, 0.1)
    assert sim.graph.current_id == world.cell_id("room")


def test_a_teleport_out_of_a_rooms_walls_ends_on_the_land() -> None:
    world = built(house)
    sim = simulate(world)
    sim.apply_edit(Teleport(world.cell_id("room"), 90.0, 80.0, 20.0, 45.0))
    assert sim.graph.current_id & 0xFFFF < 0x100
    assert feet(sim) == pytest.approx((90.0, 80.0, 20.0), abs=1e-3)
    assert sim.player.steered.place.turn.heading() == pytest.approx(45.0)


def test_a_teleport_into_furniture_ends_beside_it() -> None:
    world = built(furnished)
    sim = standing(world, "room", (5.0, 5.0))
    assert abs(feet(sim)[0] - 5.0) + abs(feet(sim)[1] - 5.0) > 0.4


def test_a_teleport_puts_the_feet_on_the_ground_below() -> None:
    sim = standing(built(big_hall), "hall", (20.0, 20.0, 0.7))
    assert feet(sim)[2] == pytest.approx(0.0, abs=1e-3)


@pytest.mark.parametrize(
    ("cell", "place", "reason"),
    [
        (0x00070177, (1.0, 1.0, 0.0), "no cell"),
        (0x0007FFFE, (1.0, 1.0, 0.0), "no cell"),
        (0x00070100, (float("nan"), 1.0, 0.0), "not a place"),
        (0x00070100, (3000.0, 3000.0, 0.0), "nothing can be placed .*: no cell holds that place"),
    ],
)
def test_a_teleport_to_nowhere_is_refused_and_changes_nothing(cell: int, place: Vec3, reason: str) -> None:
    sim = standing(built(two_rooms), "hall", (3.0, 2.0))
    before = sim.snapshot()
    with pytest.raises(PhysicsError, match=reason):
        sim.apply_edit(Teleport(cell, *place, 0.0))
    assert sim.snapshot() == before


def test_a_refused_teleport_loads_no_landblocks() -> None:
    world = built(house)
    sim = simulate(world)
    sim.apply_edit(SetPlayerNumber("radius", 3.0))
    sim.apply_edit(SetPlayerNumber("height", 6.0))
    with pytest.raises(PhysicsError, match="nothing can be placed"):
        sim.apply_edit(Teleport(world.cell_id("room"), 108.0, 108.0, 20.0, 0.0))
    assert sim.surroundings.joined == []
    assert sim.population.statics.things == {}


def test_a_refused_change_of_an_entity_keeps_the_sliding_of_others() -> None:
    sim = standing(built(two_rooms), "hall", (4.6, 2.0), 90.0)
    hold(sim, 1.0, FORWARD)
    before = sim.snapshot()
    refusals: tuple[Callable[[], None], ...] = (
        lambda: sim.apply_edit(RemoveEntity(0x12345678)),
        lambda: sim.apply_edit(SetState(0x12345678, 0)),
        lambda: sim.apply_edit(MoveEntity(0x12345678, sim.graph.current_id, 1.0, 1.0, 0.0, 0.0)),
        lambda: sim.apply_edit(MoveEntity(sim.player.id, 0x00070177, 1.0, 1.0, 0.0, 0.0)),
        lambda: sim.apply_edit(MoveEntity(sim.population.doors[0].id, 0x0007FFFE, 1.0, 1.0, 0.0, 0.0)),
    )
    for refused in refusals:
        with pytest.raises(PhysicsError):
            refused()
        assert sim.snapshot() == before


def test_a_teleport_stops_a_moving_player() -> None:
    sim = standing(built(big_hall), "hall", (20.0, 20.0))
    sim.apply_edit(SetVelocity(sim.player.id, 5.0, 0.0, 8.0))
    hold(sim, 0.3)
    sim.apply_edit(Teleport(sim.graph.current_id, 10.0, 10.0, 0.0, 0.0))
    assert sim.player.steered.velocity == (0.0, 0.0, 0.0)
    hold(sim, 1.0)
    assert feet(sim) == pytest.approx((10.0, 10.0, 0.0), abs=1e-3)


def test_facing_takes_effect_at_once() -> None:
    sim = standing(built(big_hall), "hall", (20.0, 20.0))
    sim.apply_edit(FacePlayer(90.0))
    sim.tick(FORWARD)
    assert feet(sim)[0] > 20.1


# --- states, positions, adding and removing


def test_an_ethereal_crate_lets_the_next_step_through() -> None:
    sim = at_the_crate()
    assert blocked_before(sim, 4.2)
    sim.apply_edit(SetStateBits(crate_id(sim), 0x1, False))
    sim.apply_edit(SetStateBits(crate_id(sim), ETHEREAL, True))
    assert not blocked_before(sim, 6.0)


def test_a_static_crate_that_is_ethereal_is_still_solid() -> None:
    sim = at_the_crate()
    sim.apply_edit(SetStateBits(crate_id(sim), ETHEREAL, True))
    assert blocked_before(sim, 4.2)


def test_a_removed_crate_is_gone_in_the_next_tick() -> None:
    sim = at_the_crate()
    assert blocked_before(sim, 4.2)
    sim.apply_edit(RemoveEntity(crate_id(sim)))
    assert not blocked_before(sim, 6.0)
    with pytest.raises(PhysicsError, match="to remove"):
        sim.apply_edit(RemoveEntity(0x12345))


def test_a_moved_crate_blocks_at_its_new_position() -> None:
    sim = at_the_crate()
    sim.apply_edit(MoveEntity(crate_id(sim), sim.graph.current_id, 5.0, 7.0, 0.0, 0.0))
    hold(sim, 2.0, FORWARD)
    assert 5.9 < feet(sim)[1] < 6.3


def test_a_moved_door_blocks_at_its_new_position() -> None:
    world = built(two_rooms)
    sim = standing(world, "hall", (1.0, 2.0), 90.0)
    sim.apply_edit(MoveEntity(world.entity("door").guid, world.cell_id("hall"), 3.0, 2.0, 0.0, 90.0))
    hold(sim, 2.0, FORWARD)
    assert feet(sim)[0] < 2.6


def test_an_added_creature_is_solid_next_tick_and_its_id_is_unique() -> None:
    world = built(with_people)
    sim = standing(world, "hall", (20.0, 10.0), 0.0)
    model = sim.population.ordered[0].setup.id
    spec = EntitySpec(0x80000001, "guard", "creature", model, world.cell_id("hall"), at(20.0, 13.0), 0x408)
    sim.apply_edit(AddEntity(spec_text(spec)))
    hold(sim, 2.0, FORWARD)
    assert feet(sim)[1] < 12.6
    assert 0x80000001 in sim.population.bodies
    with pytest.raises(PhysicsError, match="already"):
        sim.apply_edit(AddEntity(spec_text(spec)))
    sim.apply_edit(RemoveEntity(0x80000001))
    assert 0x80000001 not in sim.population.bodies
    hold(sim, 2.0, FORWARD)
    assert feet(sim)[1] > 15.0


def at(x: float, y: float) -> Frame:
    return Frame((x, y, 0.0))


def test_an_entity_whose_model_is_missing_cannot_be_added() -> None:
    sim = standing(built(big_hall), "hall", (20.0, 20.0))
    before = sim.snapshot()
    spec = EntitySpec(0x80000001, "ghost", "creature", 0x02009999, sim.graph.current_id, at(1.0, 1.0), 0)
    with pytest.raises(PhysicsError, match="ghost"):
        sim.apply_edit(AddEntity(spec_text(spec)))
    with pytest.raises(PhysicsError, match="cannot be read"):
        sim.apply_edit(AddEntity("{}"))
    assert sim.snapshot() == before


def test_only_bodies_can_be_pushed() -> None:
    sim = standing(built(two_rooms), "hall", (3.0, 2.0))
    with pytest.raises(PhysicsError, match="cannot move"):
        sim.apply_edit(SetVelocity(sim.population.doors[0].id, 1.0, 0.0, 0.0))


# --- the player's numbers, the rules


def test_the_players_numbers_apply_from_the_next_tick() -> None:
    sim = standing(built(big_hall), "hall", (20.0, 10.0))
    sim.apply_edit(SetPlayerNumber("run_skill", 800.0))
    sim.tick(RUN)
    assert feet(sim)[1] == pytest.approx(10.0 + 18.0 / 30.0, abs=1e-3)


def test_a_thin_player_fits_where_a_wide_one_does_not() -> None:
    world = built(two_rooms)
    sim = standing(world, "hall", (3.0, 2.0), 90.0)
    sim.apply_edit(SetPlayerNumber("radius", 0.2))
    sim.apply_edit(SetPlayerNumber("height", 1.0))
    sim.apply_edit(SetPlayerNumber("step_down", 0.3))  # a probe deeper than twice the radius would pass the floor by
    assert sim.player.number("radius") == pytest.approx(0.2)
    hold(sim, 3.0, FORWARD)
    assert 5.6 < feet(sim)[0] < 5.9
    rows = sim.population.registry.entity(sim.player.id).obj.rows
    assert [row.shape.radius for row in rows] == pytest.approx([0.2, 0.2])


def test_a_step_that_is_too_high_for_short_legs_blocks() -> None:
    sim = standing(built(furnished), "room", (2.0, 6.0), 0.0)
    sim.apply_edit(SetPlayerNumber("step_up", 0.2))
    hold(sim, 0.6, FORWARD)
    assert feet(sim)[2] == pytest.approx(0.0, abs=1e-3)


@pytest.mark.parametrize(("name", "value"), [("wings", 1.0), ("radius", 0.0), ("run_skill", -1.0), ("height", 1e9)])
def test_impossible_numbers_are_refused(name: str, value: float) -> None:
    sim = standing(built(big_hall), "hall", (20.0, 20.0))
    before = sim.snapshot()
    with pytest.raises(PhysicsError):
        sim.apply_edit(SetPlayerNumber(name, value))
    assert sim.snapshot() == before


def test_rules_can_be_flipped_one_by_one_and_as_a_set() -> None:
    sim = standing(built(big_hall), "hall", (20.0, 20.0))
    sim.apply_edit(SetRule("run_rate_800", "ace"))
    sim.apply_edit(SetPlayerNumber("run_skill", 900.0))
    sim.tick(RUN)
    assert feet(sim)[1] == pytest.approx(20.6, abs=1e-3)
    sim.apply_edit(SetRuleSet("ace"))
    assert {sim.rules.form(rule) for rule in RULE_NAMES} == {"ace"}
    sim.apply_edit(SetRuleSet("retail"))
    assert {sim.rules.form(rule) for rule in RULE_NAMES} == {"retail"}
    with pytest.raises(PhysicsError, match="no rule"):
        sim.apply_edit(SetRule("gravity", "ace"))
    with pytest.raises(PhysicsError, match="rule sets"):
        sim.apply_edit(SetRuleSet("both"))


def test_each_simulation_has_its_own_rules() -> None:
    sim = simulate(built(big_hall))
    other = simulate(built(big_hall), sim.rules)
    other.apply_edit(SetRuleSet("ace"))
    assert sim.rules.form("max_steps") == "retail"


# --- cells


def test_the_next_tick_collides_with_a_replaced_room() -> None:
    world = built(big_hall)
    sim = standing(world, "hall", (20.0, 20.0), 0.0)
    moved = moved_cell(world.cell[world.cell_id("hall")], (0.0, -15.0, 0.0))
    sim.apply_edit(ReplaceCell(moved, b""))
    assert sim.player.steered.cell is sim.graph.get_visible(world.cell_id("hall"))
    hold(sim, 3.0, FORWARD)
    assert feet(sim)[1] < 25.0 - 0.48 + 1e-3


def room_record(record: bytes) -> EnvCell:
    return read_record(EnvCell, record, file="test", record_id=int.from_bytes(record[:4], "little"))


def moved_cell(record: bytes, by: Vec3) -> bytes:
    cell = room_record(record)
    x, y, z = cell.frame.origin
    frame = dataclasses.replace(cell.frame, origin=(x + by[0], y + by[1], z + by[2]))
    return write_record(dataclasses.replace(cell, frame=frame))


def test_a_room_of_another_shape_can_replace_one() -> None:
    world, other = built(big_hall), built(furnished)
    sim = standing(world, "hall", (5.0, 5.0), 0.0)
    record = world.cell[world.cell_id("hall")]
    cell = room_record(record)
    shape = next(data for record_id, data in other.portal.items() if record_id >> 24 == 0x0D)
    its_id = 0x0D000000 | cell.environment
    sim.apply_edit(ReplaceCell(record, struct.pack("<I", its_id) + shape[4:]))
    hold(sim, 3.0, FORWARD)
    assert feet(sim)[1] < 10.0 - 0.48 + 1e-3


def test_replacing_a_room_removes_its_furniture() -> None:
    world = built(furnished)
    sim = at_the_crate()
    cell = room_record(world.cell[world.cell_id("room")])
    sim.apply_edit(ReplaceCell(write_record(dataclasses.replace(cell, objects=[], flags=cell.flags & ~2)), b""))
    assert sim.population.statics.things == {}
    assert not blocked_before(sim, 6.0)


def test_an_unreadable_or_missing_room_is_refused() -> None:
    world = built(big_hall)
    sim = standing(world, "hall", (20.0, 20.0))
    record = world.cell[world.cell_id("hall")]
    with pytest.raises(WorldError):
        sim.apply_edit(ReplaceCell(record[:20], b""))
    with pytest.raises(PhysicsError, match="no cell"):
        sim.apply_edit(ReplaceCell(write_record(dataclasses.replace(room_record(record), id=0x00070177)), b""))


def test_a_body_follows_its_cell_when_the_editor_removes_and_restores_it() -> None:
    sim = standing(built(big_hall), "hall", (20.0, 20.0))
    cell = sim.graph.remove_cell(sim.graph.current_id)
    assert sim.tick(FORWARD).faults == ["the player is in no cell"]
    assert feet(sim) == (20.0, 20.0, 0.0)
    sim.graph.add_cell(cell)
    sim.player.steered.transient |= 0x80
    hold(sim, 1.0, FORWARD)
    assert feet(sim)[1] > 22.0
    assert [shadow.object_id for shadow in cell.shadow_objects] == [sim.player.id]


# --- edits as values


def some_edits(sim: Simulation) -> list[Edit]:
    hall = sim.graph.current_id
    world = built(with_people)
    spec = EntitySpec(0x80000001, "guard", "creature", sim.population.ordered[0].setup.id, hall, at(30.0, 3.0), 0x408)
    person_id = sim.population.ordered[0].id
    return [
        Teleport(hall, 10.0, 10.0, 0.0, 30.0),
        FacePlayer(77.0),
        SetPlayerNumber("run_skill", 300.0),
        SetVelocity(person_id, 1.0, 2.0, 3.0),
        SetStateBits(person_id, ETHEREAL, True),
        SetState(person_id, 0x408),
        MoveEntity(person_id, hall, 25.0, 25.0, 2.0, 90.0),
        PlaceEntity(person_id, hall, 25.0, 20.0, 1.0, 0.6, 0.8, 0.0, 0.0),
        AddEntity(spec_text(spec)),
        RemoveEntity(0x80000001),
        ReplaceCell(moved_cell(world.cell[hall], (1.0, 0.0, 0.0)), b""),
        SetRule("edge_slide_order", "ace"),
        SetRuleSet("ace"),
        SetScale(person_id, 1.5),
        SetTimeOfDay(0.75),
    ]


def test_every_edit_can_be_replayed_from_its_value() -> None:
    first, second = (standing(built(with_people), "hall", (20.0, 10.0)) for _ in range(2))
    kept: list[tuple[int, Edit]] = []
    first.listen(lambda tick, edit: kept.append((tick, edit)))
    for edit in some_edits(first):
        first.apply_edit(edit)
        first.tick(FORWARD)
    assert [edit for _, edit in kept] == some_edits(second)
    assert [tick for tick, _ in kept] == list(range(len(kept)))
    for tick, edit in kept:
        assert tick == second.tick_number
        second.apply_edit(edit)
        second.tick(FORWARD)
    assert first.snapshot() == second.snapshot()


def test_edits_of_doors_can_be_replayed_too() -> None:
    sims = [standing(built(two_rooms), "hall", (3.0, 2.0)) for _ in range(2)]
    door = sims[0].population.doors[0].id
    edits = [
        LockDoor(door, True),
        LockDoor(door, False),
        UseDoor(door, sims[0].player.id),
        CloseDoor(door),
        OpenDoor(door),
        SetResetInterval(door, 2.0),
        SetDoorTimer(door, 200),
    ]
    for sim in sims:
        for edit in edits:
            sim.apply_edit(edit)
            hold(sim, 1.0)
    assert sims[0].state_hash() == sims[1].state_hash()


def test_the_tests_above_cover_all_edits() -> None:
    sim = standing(built(with_people), "hall", (20.0, 10.0))
    doors = {"use", "open_door", "close_door", "lock_door", "set_reset_interval", "set_door_timer"}
    elsewhere = {"put_back", "restore_static", "open_landblock"}  # test_simulation_put_back.py, _sizes, _landblocks
    elsewhere.add("put_player_back")  # test_simulation_lost.py
    assert {name_of(edit) for edit in some_edits(sim)} | doors | elsewhere == set(EDITS)


def test_an_unknown_edit_and_wrong_arguments_are_refused() -> None:
    values: tuple[EditValue, ...]
    for name, values, reason in (
        ("close", (), "no edit 'close'"),
        ("tick", (), "no edit 'tick'"),
        ("face", (), "face has 0 values; it takes 1"),
        ("face", ("north",), "face does not take 'north' for its float"),
    ):
        with pytest.raises(PhysicsError, match=reason):
            edit_of(name, values)


def test_values_of_another_type_are_refused_for_every_edit() -> None:
    kinds: dict[str, list[EditValue]] = {
        "int": [1.0, "1", b"1", True],
        "float": ["1", b"1", True],
        "str": [1, 1.0, b"1", True],
        "bool": [1, 1.0, "yes", b"yes"],
        "bytes": [1, 1.0, "bytes", True],
    }
    good: dict[str, EditValue] = {"int": 1, "float": 1.0, "str": "1", "bool": True, "bytes": b"1"}
    for name, taken in FIELDS.items():
        for index, (_, kind) in enumerate(taken):
            for wrong in kinds[kind]:
                values = [good[kind] for _, kind in taken]
                assert values_of(edit_of(name, values)) == tuple(values)
                values[index] = wrong
                with pytest.raises(PhysicsError, match=f"{name} does not take .* for its {kind}"):
                    edit_of(name, values)


def test_states_have_32_bits() -> None:
    sim = standing(built(with_people), "hall", (20.0, 10.0))
    who = sim.population.ordered[0].id
    sim.apply_edit(SetState(who, (1 << 70) | 0x408))
    sim.apply_edit(SetStateBits(who, (1 << 70) | ETHEREAL, True))
    assert sim.population.state_of(who) == 0x408 | ETHEREAL
    simulate(built(with_people)).restore(sim.snapshot())


def test_listeners_hear_no_refused_edit_and_can_unsubscribe() -> None:
    sim = standing(built(big_hall), "hall", (20.0, 20.0))
    kept: list[Edit] = []

    def keep(tick: int, edit: Edit) -> None:
        kept.append(edit)

    sim.listen(keep)
    with pytest.raises(PhysicsError):
        sim.apply_edit(SetPlayerNumber("wings", 2.0))
    sim.apply_edit(FacePlayer(10.0))
    sim.unlisten(keep)
    sim.apply_edit(FacePlayer(20.0))
    assert kept == [FacePlayer(10.0)]


# --- SetState (physics.md #31, #38)


def test_hiding_a_body_ends_its_collision_reports_until_it_is_shown() -> None:
    sim = standing(built(with_people), "hall", (4.0, 4.0))
    somebody = sim.population.ordered[0]
    sim.apply_edit(SetState(somebody.id, 0x40C | HIDDEN))
    assert sim.population.state_of(somebody.id) == 0x404 | HIDDEN | IGNORE_COLLISIONS
    sim.apply_edit(SetState(somebody.id, 0x40C | HIDDEN))
    assert sim.population.state_of(somebody.id) == 0x40C | HIDDEN, "only where the bit changes"
    sim.apply_edit(SetState(somebody.id, 0x400 | IGNORE_COLLISIONS))
    assert sim.population.state_of(somebody.id) == 0x400 | REPORT_COLLISIONS


def test_a_hidden_body_neither_walks_nor_falls() -> None:
    sim = standing(built(with_people), "hall", (4.0, 4.0))
    sim.apply_edit(SetStateBits(sim.player.id, HIDDEN, True))
    sim.apply_edit(SetVelocity(sim.player.id, 0.0, 0.0, 3.0))
    before = sim.player.origin()
    hold(sim, 0.5, FORWARD)
    assert sim.player.origin() == before
