"""The tick: the order of movement, the reports, and the current cell."""

from __future__ import annotations

import pytest

from engine.build import WorldBuilder, rect
from engine.build.shapes.furniture import person
from engine.geometry.vec import ZERO
from engine.physics.errors import PhysicsError
from engine.physics.flags import (
    ETHEREAL,
    FROZEN,
    HAS_PHYSICS_BSP,
    STATIC,
    TS_ACTIVE,
    TS_CONTACT,
    TS_ON_WALKABLE,
)
from engine.physics.objects.physics_object import BSP, SPHERE
from engine.physics.sweep.trace import SweepObserver
from engine.physics.sweep.transition import Transition
from engine.sim.edits.entities import MoveEntity, SetState, SetVelocity
from engine.sim.edits.player import FacePlayer, Teleport
from engine.sim.tick.controls import Controls
from engine.sim.tick.simulation import Simulation
from engine.world.cells.cell import EnvCell
from engine.world.graph.graph import CURRENT, GraphChange
from tests.sim.helpers.small_worlds import (
    FALLS,
    FORWARD,
    big_hall,
    built,
    feet,
    furnished,
    hold,
    house,
    open_all,
    open_rooms,
    simulate,
    standing,
    two_rooms,
    with_cellar,
    with_people,
)


def walking_east() -> Simulation:
    return standing(built(open_rooms), "hall", (4.0, 2.0), 90.0)


# --- time


def test_ticks_count_from_zero() -> None:
    sim = walking_east()
    assert [sim.tick().tick for _ in range(3)] == [0, 1, 2]
    assert sim.tick_number == 3
    assert sim.seconds == pytest.approx(0.1)


def test_a_simulation_without_a_player_runs_and_reports_it() -> None:
    sim = simulate(built(two_rooms))
    report = sim.tick(FORWARD)
    assert report.faults == ["the player is in no cell"]
    assert not report.swept


def test_the_last_report_is_kept() -> None:
    sim = walking_east()
    reports = hold(sim, 0.1)
    assert sim.last_report is reports[-1]
    sim.restore(sim.snapshot())
    assert sim.last_report is None


# --- reports


def test_a_report_states_where_the_player_was_and_is() -> None:
    sim = walking_east()
    report = sim.tick(FORWARD)
    assert report.origin_before == pytest.approx((4.0, 2.0, 0.005), abs=1e-6)
    assert report.origin == sim.player.steered.place.origin
    assert report.origin[0] == pytest.approx(4.104, abs=1e-6)
    assert report.heading == pytest.approx(90.0)
    assert report.made == pytest.approx((0.104, 0.0, 0.0), abs=1e-6)
    assert report.wanted == pytest.approx(report.made, abs=1e-6)
    assert report.swept
    assert report.ok
    assert not report.blocked
    assert not report.slid
    assert report.on_walkable
    assert report.in_contact
    assert report.contact_plane.normal == (0.0, 0.0, 1.0)
    assert report.contact_plane_cell == report.cell


def test_a_blocked_tick_is_reported_with_the_obstacle() -> None:
    world = built(two_rooms)
    sim = standing(world, "hall", (4.6, 2.0), 90.0)
    blocked = next(report for report in hold(sim, 2.0, FORWARD) if report.blocked)
    assert blocked.collided_objects == [world.entity("door").guid]
    assert blocked.last_collided_object == world.entity("door").guid
    assert not blocked.collided_with_environment
    assert blocked.collision_normal == pytest.approx((-1.0, 0.0, 0.0), abs=1e-6)
    assert blocked.made == ZERO
    assert blocked.sliding
    refused = sim.tick(FORWARD)
    assert not refused.ok
    assert refused.blocked


def test_a_walk_along_a_wall_is_reported_as_a_slide_on_contact() -> None:
    sim = standing(built(big_hall), "hall", (20.0, 39.0), 45.0)
    reports = hold(sim, 1.0, FORWARD)
    assert any(report.slid for report in reports)
    assert feet(sim)[0] > 20.8
    assert feet(sim)[1] < 40.0 - 0.48 + 1e-3


def test_a_tick_of_standing_still_makes_no_sweep() -> None:
    sim = walking_east()
    report = sim.tick()
    assert not report.swept
    assert report.made == ZERO
    assert report.ok


def test_the_cells_that_a_sweep_touched_are_listed() -> None:
    world = built(open_rooms)
    sim = standing(world, "hall", (5.4, 2.0), 90.0)
    reports = hold(sim, 0.5, FORWARD)
    touched = {cell_id for report in reports for cell_id in report.cell_array}
    assert touched == {world.cell_id("hall"), world.cell_id("hall-study"), world.cell_id("study")}


# --- the current cell


def test_the_current_cell_of_the_graph_follows_the_player() -> None:
    world = built(open_rooms)
    sim = standing(world, "hall", (4.0, 2.0), 90.0)
    changes: list[GraphChange] = []
    sim.graph.observe(changes.append)
    assert sim.graph.current_id == world.cell_id("hall")
    reports = hold(sim, 1.5, FORWARD)
    assert sim.graph.current_id == world.cell_id("study")
    way = [world.cell_id("hall"), world.cell_id("hall-study"), world.cell_id("study")]
    assert [(change.previous, change.cell_ids[0]) for change in changes if change.kind == CURRENT] == [
        (way[0], way[1]),
        (way[1], way[2]),
    ]
    assert [(report.cell_before, report.cell) for report in reports if report.cell_changed] == [
        (way[0], way[1]),
        (way[1], way[2]),
    ]


def test_the_return_walk_crosses_the_same_cells() -> None:
    world = built(open_rooms)
    sim = standing(world, "study", (8.0, 2.0), 270.0)
    cells = [report.cell for report in hold(sim, 1.5, FORWARD) if report.cell_changed]
    assert cells == [world.cell_id("hall-study"), world.cell_id("hall")]


def test_a_still_player_on_a_threshold_stays_in_his_cell() -> None:
    world = built(open_rooms)
    for x in (5.9999, 6.0, 6.0001, 6.1, 6.2, 6.2001):
        sim = standing(world, "hall-study", (x, 2.0))
        before = sim.graph.current_id
        hold(sim, 1.0, Controls(turn=1.0))
        assert sim.graph.current_id == before


def test_stairs_lead_from_the_cellar_into_the_room_above() -> None:
    world = built(with_cellar)
    sim = standing(world, "cellar", (1.75, 1.2, -3.0), 0.0)
    hold(sim, 3.0, FORWARD)
    assert sim.graph.current_id == world.cell_id("room")
    assert feet(sim)[2] == pytest.approx(0.0, abs=1e-3)
    sim.apply_edit(FacePlayer(180.0))
    hold(sim, 2.5, FORWARD)
    assert sim.graph.current_id == world.cell_id("cellar")
    assert feet(sim)[2] == pytest.approx(-3.0, abs=1e-3)


def test_a_walk_from_the_land_into_a_house_and_out_again() -> None:
    world = built(house)
    sim = simulate(world)
    sim.apply_edit(Teleport(0xC95B0025, 108.0, 101.0, 20.0, 0.0))
    outdoors = sim.graph.current_id
    assert outdoors & 0xFFFF < 0x100
    hold(sim, 2.0, FORWARD)
    assert sim.graph.current_id == world.cell_id("room")
    sim.apply_edit(FacePlayer(180.0))
    hold(sim, 2.0, FORWARD)
    assert sim.graph.current_id == outdoors


def test_outer_walls_stop_from_both_sides() -> None:
    world = built(house)
    sim = simulate(world)
    sim.apply_edit(Teleport(0xC95B0025, 105.0, 101.0, 20.0, 0.0))
    hold(sim, 3.0, FORWARD)
    assert feet(sim)[1] <= 104.0 - 0.48 + 1e-3
    sim.apply_edit(Teleport(world.cell_id("room"), 105.0, 106.0, 20.0, 180.0))
    hold(sim, 3.0, FORWARD)
    assert feet(sim)[1] >= 104.3 + 0.48 - 1e-3
    assert sim.graph.current_id == world.cell_id("room")


# --- other bodies


def test_creatures_with_gravity_settle_and_step_every_second_tick() -> None:
    sim = standing(built(lambda: with_people(3)), "hall", (10.0, 10.0))
    hold(sim, 1.0)
    for entity in sim.population.ordered:
        assert entity.body is not None
        assert entity.body.transient & (TS_CONTACT | TS_ON_WALKABLE) == TS_CONTACT | TS_ON_WALKABLE
        awake = []
        for _ in range(6):
            sim.tick()
            awake.append(bool(entity.body.transient & TS_ACTIVE))
        assert awake in ([True, False] * 3, [False, True] * 3)


def test_a_body_within_96_m_wakes_one_tick_before_it_falls() -> None:
    world = WorldBuilder()
    hall = world.room("hall", rect(0, 0, 150, 10), height=12.0)
    world.entity("far", "creature", person(1.8), hall, (140.0, 5.0, 4.0), state=FALLS)
    sim = standing(world.build(), "hall", (5.0, 5.0))
    body = sim.population.ordered[0].body
    assert body is not None
    hold(sim, 0.5)
    assert not body.transient & TS_ACTIVE
    sim.apply_edit(Teleport(sim.player.place_cell(), 60.0, 5.0, 0.0, 0.0))
    sim.tick()
    assert body.transient & TS_ACTIVE
    assert body.velocity == ZERO
    sim.tick()
    assert body.velocity[2] < 0.0


def test_creatures_block_the_player() -> None:
    sim = standing(built(with_people), "hall", (4.0, 17.0), 0.0)
    hold(sim, 2.0, FORWARD)
    report = sim.last_report
    assert report is not None
    assert feet(sim)[1] < 20.0 - 0.48
    assert sim.population.ordered[0].id in {
        object_id for report in hold(sim, 1.0, Controls(forward=1.0, turn=0.2)) for object_id in report.collided_objects
    } | set(report.collided_objects)


def test_a_dropped_creature_falls_to_the_floor_and_is_reported_moved() -> None:
    sim = standing(built(with_people), "hall", (10.0, 10.0))
    creature = sim.population.ordered[0]
    sim.apply_edit(MoveEntity(creature.id, creature.place_cell(), 20.0, 20.0, 4.0, 0.0))
    reports = hold(sim, 2.0)
    assert creature.origin() == pytest.approx((20.0, 20.0, 0.0), abs=1e-3)
    assert any(creature.id in report.moved for report in reports)
    assert reports[-1].moved == []


def test_a_frozen_creature_hangs_in_the_air() -> None:
    sim = standing(built(with_people), "hall", (10.0, 10.0))
    creature = sim.population.ordered[0]
    sim.apply_edit(MoveEntity(creature.id, creature.place_cell(), 20.0, 20.0, 4.0, 0.0))
    sim.apply_edit(SetState(creature.id, FALLS | FROZEN))
    hold(sim, 1.0)
    assert creature.origin()[2] == 4.0
    sim.apply_edit(SetState(creature.id, FALLS))
    hold(sim, 2.0)
    assert creature.origin()[2] == pytest.approx(0.0, abs=1e-3)


def test_a_body_farther_than_96_m_away_does_not_move() -> None:
    world = WorldBuilder()
    hall = world.room("hall", rect(0, 0, 150, 10), height=12.0)
    near = world.entity("near", "creature", person(1.8), hall, (80.0, 5.0, 4.0), state=FALLS)
    far = world.entity("far", "creature", person(1.8), hall, (140.0, 5.0, 4.0), state=FALLS)
    assert near is not far
    sim = standing(world.build(), "hall", (5.0, 5.0))
    hold(sim, 2.0)
    heights = {entity.name: entity.origin()[2] for entity in sim.population.ordered}
    assert heights["near"] == pytest.approx(0.0, abs=1e-3)
    assert heights["far"] == 4.0


def test_a_wall_stops_a_pushed_creature_and_its_rows_follow_it() -> None:
    sim = standing(built(with_people), "hall", (10.0, 10.0))
    creature = sim.population.ordered[0]
    hold(sim, 1.0)
    for _ in range(40):
        sim.apply_edit(SetVelocity(creature.id, -6.0, 0.0, 0.0))
        sim.tick()
    x = creature.origin()[0]
    assert 0.2 < x < 1.0
    rows = sim.population.registry.entity(creature.id).obj.rows
    assert rows[0].frame.origin[0] == pytest.approx(x, abs=1e-6)


# --- registration


def test_static_things_take_shapes_and_bits_from_their_setup() -> None:
    world = built(furnished)
    sim = simulate(world)
    sim.apply_edit(Teleport(world.cell_id("room"), 1.0, 1.0, 0.0, 0.0))
    assert len(sim.population.statics.things) == 3
    for thing_id in sim.population.statics.things:
        entry = sim.population.registry.entity(thing_id)
        assert entry.is_static
        assert entry.obj.state == STATIC | HAS_PHYSICS_BSP
        assert [row.shape.collision_type for row in entry.obj.rows] == [BSP]


def test_the_player_is_registered_with_the_spheres_of_his_sweeps() -> None:
    sim = walking_east()
    entry = sim.population.registry.entity(sim.player.id)
    assert [row.shape.collision_type for row in entry.obj.rows] == [SPHERE, SPHERE]
    hold(sim, 0.5, FORWARD)
    assert entry.obj.rows[0].frame.origin[0] == pytest.approx(feet(sim)[0], abs=1e-6)


def test_an_entity_whose_model_is_missing_is_skipped_and_reported() -> None:
    loaded = built(two_rooms).load()
    loaded.entities[0].setup_id = 0x02009999
    sim = open_all(Simulation(loaded))
    assert sim.population.ordered == []
    assert any("0x02009999" in fault for fault in sim.tick().faults)
    assert not any("0x02009999" in fault for fault in sim.tick().faults)


def test_closing_a_simulation_leaves_the_world_as_it_was() -> None:
    world = built(furnished).load()
    sim = Simulation(world)
    sim.apply_edit(Teleport(built(furnished).cell_id("room"), 1.0, 1.0, 0.0, 0.0))
    sim.tick(FORWARD)
    sim.close()
    for cell in world.graph.all_cells():
        assert cell.shadow_objects == []
        assert cell.object_list == []
    again = Simulation(world)
    again.apply_edit(Teleport(built(furnished).cell_id("room"), 1.0, 1.0, 0.0, 0.0))
    assert len(again.population.statics.things) == 3


def test_landblocks_around_the_player_are_active_except_around_a_dungeon() -> None:
    world = built(house)
    sim = simulate(world)
    sim.apply_edit(Teleport(0xC95B0025, 90.0, 80.0, 20.0, 0.0))
    assert len(sim.surroundings.joined) == 9
    dungeon = standing(built(two_rooms), "hall", (3.0, 2.0))
    assert dungeon.surroundings.joined == [0x0007FFFF]


def test_opening_a_door_lets_a_straight_push_through_at_once() -> None:
    world = built(two_rooms)
    sim = standing(world, "hall", (4.6, 2.0), 90.0)
    hold(sim, 2.0, FORWARD)
    assert sim.tick(FORWARD).blocked
    door = sim.population.doors[0]
    first = sim.tick(Controls(forward=1.0, use=door.id))
    assert first.made[0] == pytest.approx(0.104, abs=1e-6)
    assert first.collided_objects == [door.id]
    assert sim.population.state_of(door.id) & ETHEREAL


def test_a_room_that_lost_its_cell_tree_still_keeps_the_player() -> None:
    world = built(big_hall)
    sim = standing(world, "hall", (20.0, 20.0))
    cell = sim.graph.get_visible(world.cell_id("hall"))
    assert isinstance(cell, EnvCell)
    cell.cell_tree = None
    hold(sim, 1.0, FORWARD)
    assert sim.graph.current_id == cell.id
    assert feet(sim)[1] > 22.0


def test_controls_are_values() -> None:
    assert Controls(1.0, 0.0, -0.5, True, False, 7) == Controls(1.0, turn=-0.5, run=True, use=7)
    assert Controls() != Controls(jump=True)
    assert len({Controls(), Controls(), Controls(run=True)}) == 2
    with pytest.raises(PhysicsError):
        Controls(turn=float("nan"))


class Counter(SweepObserver):
    """Counts the sweeps reported to it."""

    def __init__(self) -> None:
        self.sweeps = 0

    def sweep_begins(self, tr: Transition) -> None:
        self.sweeps += 1


def test_an_observer_follows_a_body_and_changes_nothing() -> None:
    sims = [standing(built(with_people), "hall", (4.0, 17.0), 0.0) for _ in range(2)]
    counter = Counter()
    sims[0].watch(sims[0].player.id, counter)
    for sim in sims:
        hold(sim, 1.0, FORWARD)
    assert counter.sweeps == 30
    assert sims[0].state_hash() == sims[1].state_hash()
    sims[0].restore(sims[0].snapshot())
    hold(sims[0], 0.1, FORWARD)
    assert counter.sweeps == 33
    sims[0].unwatch(sims[0].player.id, counter)
    hold(sims[0], 0.1, FORWARD)
    assert counter.sweeps == 33
    assert sims[0].player.steered.observer is None


def test_several_observers_watch_one_body_and_leave_one_by_one() -> None:
    sim = standing(built(with_people), "hall", (4.0, 17.0), 0.0)
    first, second = Counter(), Counter()
    for observer in (first, second, first):
        sim.watch(sim.player.id, observer)
    hold(sim, 0.1, FORWARD)
    assert (first.sweeps, second.sweeps) == (3, 3)
    sim.unwatch(sim.player.id, first)
    sim.unwatch(sim.player.id, first)
    sim.restore(sim.snapshot())
    hold(sim, 0.1, FORWARD)
    assert (first.sweeps, second.sweeps) == (3, 6)


def test_an_immobile_entity_cannot_be_observed() -> None:
    sim = standing(built(two_rooms), "hall", (3.0, 2.0))
    with pytest.raises(PhysicsError, match="cannot move"):
        sim.watch(sim.population.doors[0].id, Counter())
