"""Animations move a walking body frame by frame (physics.md #4, #5)."""

from __future__ import annotations

import itertools
import math
from dataclasses import replace
from functools import cache

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine.build import WorldBuilder, rect
from engine.build.built import BuiltWorld
from engine.build.shapes.furniture import person
from engine.dat.records import MotionTable as MotionTableRecord
from engine.dat.records import Setup as SetupRecord
from engine.dat.records.catalogue import read_record, write_record
from engine.entities.bodies import PlayerBody
from engine.entities.commands import (
    FALLING,
    NON_COMBAT,
    READY,
    RUN_FORWARD,
    SIDE_STEP_RIGHT,
    TURN_RIGHT,
    WALK_FORWARD,
)
from engine.entities.human import HUMAN_SETUP, human_motions
from engine.entities.motion_interp import MotionInterp, Skills
from engine.entities.motion_table import MotionPerformer
from engine.entities.sequence import FROM_CYCLE, Sequence
from engine.entities.state_io import StateReader, StateWriter
from engine.geometry.frame import Frame
from engine.geometry.quat import from_heading
from engine.geometry.vec import ZERO, Vec3, length
from engine.physics.errors import PhysicsError
from engine.sim.edits.player import SetPlayerNumber
from engine.sim.tick.controls import Controls
from engine.sim.tick.simulation import QUANTUM, Simulation
from engine.sim.world_identity import differing_parts, world_identity
from engine.world.cells.motion import Animation, Motion, MotionTable, Stretch, motion_key
from tests.sim.helpers.small_worlds import TICKS, big_hall, built, hold, standing

SKILL = 110.0
RATE = (110.0 / 310.0 * 11.0 + 4.0) / 4.0


def pitch() -> WorldBuilder:
    """A hall of 60 by 60 m in a world whose data have the human of the client's data."""
    world = WorldBuilder()
    world.human()
    world.room("hall", rect(0, 0, 60, 60), height=12.0)
    return world


@cache
def pitch_data() -> BuiltWorld:
    return built(pitch)


def pitched(heading: float = 0.0) -> Simulation:
    sim = standing(pitch_data(), "hall", (30.0, 30.0), heading)
    sim.apply_edit(SetPlayerNumber("run_skill", SKILL))
    return sim


def interp_with(table: MotionTable | None) -> MotionInterp:
    """The movement of a player who stands on the ground and has this motion table."""
    return MotionInterp(shared_body(), Skills(SKILL), table)


@cache
def shared_body() -> PlayerBody:
    return pitched().player.steered


@cache
def human_table() -> MotionTable:
    return pitched().player.steered.interp.performer.table


def playing(keys: tuple[float, float, float, bool], table: MotionTable | None = None) -> MotionInterp:
    interp = interp_with(human_table() if table is None else table)
    interp.set_keys(*keys)
    interp.apply_interpreted_movement()
    return interp


def lumps(interp: MotionInterp, ticks: int) -> list[Vec3]:
    """Where each tick takes a body that stands there, in its own space."""
    found = []
    for _ in range(ticks):
        interp.performer.sequence.update(QUANTUM)
        found.append(interp.performer.sequence.moved)
    return found


def whole(moves: list[Vec3], lump: Vec3) -> list[int]:
    """How many lumps each tick has; every tick has a whole number of them."""
    size = length(lump)
    counts = [round(length(move) / size) for move in moves]
    for move, count in zip(moves, counts, strict=True):
        assert move == pytest.approx((lump[0] * count, lump[1] * count, lump[2] * count), abs=1e-4)
    return counts


# --- the reference's table: keys, the lump, lumps in a tick, metres a second


@pytest.mark.parametrize(
    ("keys", "framerate", "lump", "counts", "mean"),
    [
        pytest.param((1.0, 0.0, 0.0, False), 30.0, (0.0, 0.104, 0.0), {1}, (0.0, 3.12), id="walk"),
        pytest.param((1.0, 0.0, 0.0, True), 59.274, (0.0, 0.13333, 0.0), {1, 2}, (0.0, 7.9032), id="C-MOV-13 run"),
        pytest.param((-1.0, 0.0, 0.0, False), -19.5, (0.0, -0.104, 0.0), {0, 1}, (0.0, -2.028), id="back"),
        pytest.param((-1.0, 0.0, 0.0, True), -38.528, (0.0, -0.104, 0.0), {1, 2}, (0.0, -4.0069), id="back at a run"),
        pytest.param((0.0, 1.0, 0.0, False), 37.44, (0.041667, 0.0, 0.0), {1, 2}, (1.56, 0.0), id="aside"),
        pytest.param((0.0, -1.0, 0.0, False), -37.44, (-0.041667, 0.0, 0.0), {1, 2}, (-1.56, 0.0), id="aside left"),
        pytest.param((0.0, 1.0, 0.0, True), 73.974, (0.041667, 0.0, 0.0), {2, 3}, (3.0823, 0.0), id="aside at a run"),
        pytest.param(
            (1.0, 1.0, 0.0, True), 59.274, (0.052, 0.13333, 0.0), {1, 2}, (3.0823, 7.9032), id="run and aside"
        ),
    ],
)
def test_a_tick_moves_by_whole_frames_and_the_mean_is_the_velocity(
    keys: tuple[float, float, float, bool], framerate: float, lump: Vec3, counts: set[int], mean: tuple[float, float]
) -> None:
    interp = playing(keys)
    sequence = interp.performer.sequence
    assert sequence.nodes[sequence.first_cyclic].framerate == pytest.approx(framerate, abs=1e-3)
    moves = lumps(interp, 6000)
    assert set(whole(moves, lump)) == counts
    assert sum(move[0] for move in moves) / 200.0 == pytest.approx(mean[0], abs=2e-3)
    assert sum(move[1] for move in moves) / 200.0 == pytest.approx(mean[1], abs=2e-3)


@pytest.mark.parametrize(
    ("keys", "degrees", "counts", "mean"),
    [
        ((0.0, 0.0, 1.0, False), 3.0, {1}, 90.0),
        ((0.0, 0.0, -1.0, False), -3.0, {1}, -90.0),
        ((0.0, 0.0, 1.0, True), 3.0, {1, 2}, 135.0),
        ((1.0, 0.0, 1.0, True), 2.2776, {1, 2}, 135.0),
        ((1.0, 0.0, 1.0, False), 3.0, {1}, 90.0),
    ],
)
def test_a_tick_turns_by_whole_frames_of_the_playing_animation(
    keys: tuple[float, float, float, bool], degrees: float, counts: set[int], mean: float
) -> None:
    interp = playing(keys)
    turned = []
    for _ in range(600):
        interp.performer.sequence.update(QUANTUM)
        heading = interp.performer.sequence.turned.heading()
        turned.append((heading + 180.0) % 360.0 - 180.0)
    found = {round(angle / degrees) for angle in turned}
    assert found == counts
    assert all(angle == pytest.approx(round(angle / degrees) * degrees, abs=1e-3) for angle in turned)
    assert sum(turned) / 20.0 == pytest.approx(mean, abs=0.3)


def test_c_mov_13_a_skill_of_110_runs_as_recorded_clients_do() -> None:
    interp = interp_with(None)
    assert interp.run_rate() == pytest.approx(1.9758, abs=5e-5)
    assert 4.0 * interp.run_rate() == pytest.approx(7.9032, abs=5e-5)


def test_c_mov_14_ground_velocities_add_up_and_the_take_off_is_limited() -> None:
    interp = playing((1.0, 1.0, 0.0, True))
    assert length(interp.performer.sequence.velocity) == pytest.approx(8.4830, abs=1e-3)
    take_off = interp.get_leave_ground_velocity()
    assert take_off == pytest.approx((2.8716, 7.3631, 0.0), abs=1e-3)
    assert length(take_off) == pytest.approx(7.9032, abs=1e-4)


def test_c_mov_15_a_run_has_two_frames_a_tick_except_one_in_forty_one() -> None:
    counts = whole(lumps(playing((1.0, 0.0, 0.0, True)), 410), (0.0, 0.133333, 0.0))
    assert counts[0] == 1
    assert set(counts[1:41]) == {2}
    ones = [tick for tick, count in enumerate(counts) if count == 1]
    assert {b - a for a, b in itertools.pairwise(ones)} <= {41, 42}
    assert len(ones) == 10


def test_c_mov_16_sixty_ticks_backwards_have_39_frames_at_most_one_each() -> None:
    counts = whole(lumps(playing((-1.0, 0.0, 0.0, False)), 400), (0.0, -0.104, 0.0))
    assert set(counts) == {0, 1}
    for start in range(340):
        assert 38 <= sum(counts[start : start + 60]) <= 40


# --- in a world


def test_in_a_world_with_the_clients_human_a_walk_follows_its_frames() -> None:
    sim = pitched()
    assert sim.world.setup(HUMAN_SETUP) is not None
    before = sim.player.origin()
    reports = hold(sim, 2.0, Controls(forward=1.0, run=True))
    steps = [report.made[1] for report in reports]
    assert {round(step / 0.133333) for step in steps} == {1, 2}
    assert (sim.player.origin()[1] - before[1]) / 2.0 == pytest.approx(7.9032, abs=0.1)


def test_a_tick_without_a_whole_frame_makes_no_move_and_no_sweep() -> None:
    sim = pitched()
    reports = hold(sim, 1.0, Controls(forward=-1.0))
    still = [report for report in reports if report.made == ZERO]
    assert 9 <= len(still) <= 11
    assert not any(report.swept for report in still)
    assert all(report.swept for report in reports if report.made != ZERO)


def test_a_tick_moves_along_the_heading_at_its_start() -> None:
    sim = pitched(heading=90.0)
    before = 90.0
    for report in hold(sim, 1.0, Controls(forward=1.0, turn=1.0, run=True)):
        x, y, _ = report.made
        assert math.degrees(math.atan2(x, y)) % 360.0 == pytest.approx(before, abs=1e-3)
        assert report.heading != before
        before = report.heading


def test_turning_on_the_spot_turns_three_degrees_a_tick_in_place() -> None:
    sim = pitched()
    origin = sim.player.origin()
    headings = [report.heading for report in hold(sim, 1.0, Controls(turn=1.0))]
    assert headings == pytest.approx([3.0 * (tick + 1) for tick in range(30)], abs=1e-3)
    assert sim.player.origin() == origin


def test_in_the_air_keys_turn_the_body_but_do_not_move_it() -> None:
    sim = pitched()
    sim.tick(Controls(jump=True))
    sim.tick(Controls())
    velocity = sim.player.steered.velocity
    reports = hold(sim, 0.3, Controls(forward=1.0, turn=1.0))
    assert sim.player.steered.interp.performer.substate == FALLING
    assert reports[-1].heading == pytest.approx(27.0, abs=1e-3)
    assert reports[-1].made[:2] == (0.0, 0.0)
    assert velocity[:2] == (0.0, 0.0)


def test_after_landing_the_body_walks_as_the_keys_command() -> None:
    sim = pitched()
    hold(sim, 0.2, Controls(forward=1.0, jump=True))
    reports = hold(sim, 2.0, Controls(forward=1.0))
    assert any(report.landed for report in reports)
    assert sim.player.steered.interp.performer.substate == WALK_FORWARD
    assert reports[-1].made[1] == pytest.approx(0.104, abs=1e-4)


def test_a_world_without_a_human_moves_its_player_equally_every_tick() -> None:
    sim = standing(built(big_hall), "hall", (20.0, 10.0), 0.0)
    sim.apply_edit(SetPlayerNumber("run_skill", SKILL))
    for report in hold(sim, 1.0, Controls(forward=1.0, side_step=1.0, run=True)):
        assert report.made == pytest.approx((3.0823 * QUANTUM, 7.9032 * QUANTUM, 0.0), abs=2e-4)


# --- the state of the sequence


def test_a_sidestep_joined_by_forward_becomes_a_modifier_then_a_cycle() -> None:
    interp = playing((0.0, 1.0, 0.0, True))
    performer = interp.performer
    assert (performer.substate, performer.modifiers) == (SIDE_STEP_RIGHT, [])
    aside = performer.sequence.velocity
    interp.set_keys(1.0, 1.0, 0.0, True)
    interp.apply_interpreted_movement()
    assert performer.substate == RUN_FORWARD
    assert [modifier.motion for modifier in performer.modifiers] == [SIDE_STEP_RIGHT]
    assert performer.sequence.velocity == pytest.approx((aside[0], 4.0 * RATE, 0.0), abs=1e-5)
    interp.set_keys(0.0, 1.0, 0.0, True)
    interp.apply_interpreted_movement()
    assert (performer.substate, performer.modifiers) == (SIDE_STEP_RIGHT, [])
    assert performer.sequence.velocity == pytest.approx(aside, abs=1e-6)
    interp.set_keys(0.0, 0.0, 0.0, True)
    interp.apply_interpreted_movement()
    assert (performer.substate, performer.modifiers) == (READY, [])
    assert performer.sequence.velocity == ZERO


def test_a_walker_who_turns_and_stops_walking_keeps_turning() -> None:
    interp = playing((1.0, 0.0, 1.0, False))
    performer = interp.performer
    assert [modifier.motion for modifier in performer.modifiers] == [TURN_RIGHT]
    interp.set_keys(0.0, 0.0, 1.0, False)
    interp.apply_interpreted_movement()
    assert performer.substate == TURN_RIGHT
    assert performer.sequence.velocity == ZERO
    assert performer.sequence.omega == pytest.approx((0.0, 0.0, -math.pi / 2.0), abs=1e-6)


def test_a_changed_speed_of_the_same_motion_keeps_its_frame() -> None:
    interp = playing((1.0, 0.0, 0.0, True))
    lumps(interp, 7)
    sequence = interp.performer.sequence
    frame = sequence.frame
    weenie = interp.weenie
    assert weenie is not None
    weenie.run_skill = 300.0
    interp.set_keys(1.0, 0.0, 0.0, True)
    interp.apply_interpreted_movement()
    assert sequence.frame == frame
    assert sequence.nodes[0].framerate == pytest.approx(30.0 * 2.65)
    assert sequence.velocity == pytest.approx((0.0, 10.6, 0.0), abs=1e-5)


def test_a_key_barely_pressed_before_turns_at_full_speed_when_held() -> None:
    interp = playing((1.0, 0.0, -1e-5, False))
    lumps(interp, 3)
    interp.set_keys(0.0, 0.0, -1.0, False)
    interp.apply_interpreted_movement()
    interp.performer.sequence.update(QUANTUM)
    assert interp.performer.sequence.turned.heading() == pytest.approx(357.0, abs=1e-3)


def test_repeating_the_same_keys_does_not_change_the_sequence() -> None:
    interp = playing((1.0, 1.0, -1.0, True))
    sequence = interp.performer.sequence
    lumps(interp, 5)
    before = (sequence.frame, sequence.velocity, sequence.omega, len(sequence.nodes))
    for _ in range(10):
        interp.set_keys(1.0, 1.0, -1.0, True)
        interp.apply_interpreted_movement()
    assert (sequence.frame, sequence.velocity, sequence.omega, len(sequence.nodes)) == before


# --- from data


def animation(frames: int, moves: list[Frame] | None = None) -> Animation:
    return Animation(0x03000001, 1, [[Frame()] for _ in range(frames)], moves or [])


def table_of(walk: Motion, links: dict[int, dict[int, Motion]] | None = None) -> MotionTable:
    cycles = {READY: Motion([], ZERO, ZERO, 0), WALK_FORWARD: walk}
    keyed = {motion_key(NON_COMBAT, command): cycles[command] for command in cycles}
    return MotionTable(1, NON_COMBAT, {NON_COMBAT: READY}, keyed, {}, links or {})


def walking(frames: int, framerate: float, moves: list[Frame] | None = None) -> Motion:
    return Motion([Stretch(animation(frames, moves), 0, -1, framerate)], (0.0, 3.12, 0.0), ZERO, 0)


@pytest.mark.parametrize("frames", [1, 2, 7, 30])
@pytest.mark.parametrize("framerate", [15.0, 30.0, 40.0, 100.0, -24.0])
def test_the_tables_framerate_does_not_change_the_mean_speed(frames: int, framerate: float) -> None:
    interp = playing((1.0, 0.0, 0.0, False), table_of(walking(frames, framerate)))
    moves = lumps(interp, 3000)
    counts = whole(moves, (0.0, 3.12 / abs(framerate), 0.0))
    assert max(counts) == math.ceil(abs(framerate) / TICKS - 1e-6)
    assert sum(move[1] for move in moves) / 100.0 == pytest.approx(3.12, abs=5e-3)


def test_one_cycle_of_a_node_has_as_many_lumps_as_frames() -> None:
    sequence = Sequence()
    sequence.append(walking(5, 30.0), 1.0, FROM_CYCLE, 0, 0)
    sequence.update(5.0 / 30.0 + 1e-7)
    assert sequence.moved[1] == pytest.approx(5.0 * 0.104)
    assert sequence.frame == pytest.approx(0.0, abs=1e-4)


def test_a_zero_framerate_moves_by_elapsed_time() -> None:
    for move in lumps(playing((1.0, 0.0, 0.0, False), table_of(walking(5, 0.0))), 30):
        assert move == pytest.approx((0.0, 3.12 * QUANTUM, 0.0))


def test_the_link_to_a_cycle_plays_first_but_the_motion_starts_at_once() -> None:
    link = Motion([Stretch(animation(4), 0, -1, 60.0)], (0.0, 99.0, 0.0), ZERO, 0)
    table = table_of(walking(30, 30.0), {motion_key(NON_COMBAT, READY): {WALK_FORWARD: link}})
    interp = playing((1.0, 0.0, 0.0, False), table)
    sequence = interp.performer.sequence
    assert [node.framerate for node in sequence.nodes] == [60.0, 30.0]
    first, second = lumps(interp, 2)
    assert first == pytest.approx((0.0, 2.0 * 0.052, 0.0)), "at the cycle's velocity, in the link's frames"
    assert second == pytest.approx((0.0, 0.052 + 0.104, 0.0)), "the frame entered is one of the cycle"
    assert [node.framerate for node in sequence.nodes] == [30.0]
    assert whole(lumps(interp, 3), (0.0, 0.104, 0.0)) == [1, 1, 1]


def test_landing_drops_the_link_to_the_cycle() -> None:
    link = Motion([Stretch(animation(40), 0, -1, 60.0)], ZERO, ZERO, 0)
    table = table_of(walking(30, 30.0), {motion_key(NON_COMBAT, READY): {WALK_FORWARD: link}})
    interp = playing((1.0, 0.0, 0.0, False), table)
    interp.hit_ground()
    assert [node.framerate for node in interp.performer.sequence.nodes] == [30.0]


def test_a_link_from_any_state_plays_and_survives_the_saved_state() -> None:
    link = Motion([Stretch(animation(40), 0, -1, 60.0)], ZERO, ZERO, 0)
    table = table_of(walking(30, 30.0), {motion_key(NON_COMBAT, 0): {WALK_FORWARD: link}})
    interp = playing((1.0, 0.0, 0.0, False), table)
    lumps(interp, 3)
    writer = StateWriter()
    interp.performer.visit(writer)
    other = MotionPerformer(table)
    other.visit(StateReader(writer.packed()))
    assert [node.framerate for node in other.sequence.nodes] == [60.0, 30.0]
    assert other.sequence.frame == interp.performer.sequence.frame
    assert other.sequence.nodes[0].stretch is link.stretches[0]


def test_keys_that_change_in_every_tick_do_not_fill_the_memory() -> None:
    link = Motion([Stretch(animation(40), 0, -1, 30.0)], ZERO, ZERO, 0)
    back = {READY: link}
    links = {motion_key(NON_COMBAT, READY): {WALK_FORWARD: link}, motion_key(NON_COMBAT, WALK_FORWARD): back}
    interp = playing((1.0, 0.0, 0.0, False), table_of(walking(30, 30.0), links))
    for tick in range(1000):
        interp.set_keys(float(tick % 2), 0.0, 0.0, False)
        interp.apply_interpreted_movement()
        interp.performer.sequence.update(QUANTUM)
    assert len(interp.performer.sequence.nodes) <= 64


@pytest.mark.parametrize("radius", [0.0, -1.0, 11.0, 1e30, math.nan])
def test_a_human_in_the_data_without_a_valid_size_is_not_used(radius: float) -> None:
    made = pitch_data()
    record = read_record(SetupRecord, made.portal[HUMAN_SETUP], file="built", record_id=HUMAN_SETUP)
    record.spheres[1] = (record.spheres[1][0], radius)
    sim = standing(replace(made, portal={**made.portal, HUMAN_SETUP: write_record(record)}), "hall", (30.0, 30.0), 0.0)
    assert sim.player.radius == pytest.approx(0.48)
    assert sim.player.steered.interp.performer.table.id == 0


def test_a_human_in_the_data_keeps_his_size() -> None:
    made = pitch_data()
    record = read_record(SetupRecord, made.portal[HUMAN_SETUP], file="built", record_id=HUMAN_SETUP)
    record.spheres = [((0.0, 0.0, 0.25), 0.25), ((0.0, 0.0, 0.75), 0.25), ((0.0, 0.0, 5.0), 1.0)]
    record.step_up_height = 0.125
    sim = standing(replace(made, portal={**made.portal, HUMAN_SETUP: write_record(record)}), "hall", (30.0, 30.0), 0.0)
    body = sim.player.steered
    assert [(sphere.center[2], sphere.radius) for sphere in body.spheres] == [(0.25, 0.25), (0.75, 0.25)]
    assert (sim.player.radius, sim.player.height, body.step_up_height) == (0.25, 1.0, 0.125)
    assert sim.player.origin()[2] == pytest.approx(0.0, abs=1e-4)


def test_frames_may_move_and_turn_the_body_themselves() -> None:
    frame = Frame((0.0, 0.5, 0.0), from_heading(90.0))
    motion = Motion([Stretch(animation(4, [frame] * 4), 0, -1, 30.0)], ZERO, ZERO, 0)
    sequence = Sequence()
    sequence.append(motion, 1.0, FROM_CYCLE, 0, 0)
    sequence.update(2.0 * QUANTUM)
    assert sequence.moved == pytest.approx((0.5, 0.5, 0.0), abs=1e-6)
    assert sequence.turned.heading() == pytest.approx(180.0)
    back = Sequence()
    back.append(motion, -1.0, FROM_CYCLE, 0, 0)
    back.update(2.0 * QUANTUM)
    there = Frame(sequence.moved, sequence.turned.rotation)
    assert there.local_to_global(back.moved) == pytest.approx(ZERO, abs=1e-6)


WALKERS = 0x09000077
"""A motion table whose default state walks."""


@cache
def pasture() -> BuiltWorld:
    """The pitch with two creatures, one of which walks."""
    world = WorldBuilder()
    world.human()
    hall = world.room("hall", rect(0, 0, 60, 60), height=12.0)
    for name, table, x in (("walks", WALKERS, 20.0), ("stands", 0x09000001, 40.0)):
        world.entity(name, "creature", person(), hall, (x, 20.0, 0.0), state=0x408, motion_table=table)
    made = world.build()
    record = read_record(MotionTableRecord, made.portal[0x09000001], file="built", record_id=0x09000001)
    record.id = WALKERS
    record.style_defaults = {NON_COMBAT: WALK_FORWARD}
    return replace(made, portal={**made.portal, WALKERS: write_record(record)})


def test_a_walking_default_state_moves_by_frames_others_cost_nothing() -> None:
    sim = standing(pasture(), "hall", (30.0, 30.0), 0.0)
    bodies = {entity.name: entity.body for entity in sim.population.ordered}
    walker, stander = bodies["walks"], bodies["stands"]
    assert walker is not None
    assert stander is not None
    assert stander.performer is None
    hold(sim, 1.0, Controls())
    before = walker.place.origin
    hold(sim, 2.0, Controls())
    assert walker.place.origin[1] - before[1] == pytest.approx(6.24, abs=0.01)
    saved = sim.snapshot()
    hold(sim, 1.0, Controls())
    after = sim.state_hash()
    sim.restore(saved)
    hold(sim, 1.0, Controls())
    assert sim.state_hash() == after


# --- saved state


def test_the_sequence_is_saved_and_restored_bit_for_bit() -> None:
    sim = pitched()
    hold(sim, 0.5, Controls(forward=-1.0, turn=1.0))
    saved = sim.snapshot()
    way = [(report.origin, report.heading) for report in hold(sim, 1.0, Controls(forward=-1.0, side_step=1.0))]
    after = sim.state_hash()
    hold(sim, 0.3, Controls(forward=1.0, run=True))
    sim.restore(saved)
    again = [(report.origin, report.heading) for report in hold(sim, 1.0, Controls(forward=-1.0, side_step=1.0))]
    assert again == way
    assert sim.state_hash() == after
    other = pitched()
    other.restore(saved)
    hold(other, 1.0, Controls(forward=-1.0, side_step=1.0))
    assert other.state_hash() == after


def test_the_hash_differs_for_equal_positions_in_different_frames() -> None:
    sim = pitched()
    sim.tick(Controls(forward=-1.0))
    moved = sim.player.steered.interp.performer.sequence
    before = sim.state_hash()
    moved.frame += 0.25
    assert sim.state_hash() != before


@pytest.mark.parametrize("frame", [-1.0, 31.0, math.inf, math.nan])
def test_an_invalid_saved_frame_is_refused(frame: float) -> None:
    sim = pitched()
    hold(sim, 0.2, Controls(forward=1.0))
    sim.player.steered.interp.performer.sequence.frame = frame
    with pytest.raises(PhysicsError, match="plays an animation that is none"):
        sim.restore(sim.snapshot())


def test_a_saved_motion_that_the_world_lacks_is_refused() -> None:
    sim = pitched()
    hold(sim, 0.2, Controls(forward=1.0))
    saved = sim.snapshot()
    plain = standing(built(big_hall), "hall", (20.0, 10.0), 0.0)
    with pytest.raises(PhysicsError, match="motion table does not have"):
        plain.restore(saved)


def test_the_identity_of_a_world_includes_what_moves_its_player() -> None:
    identity = world_identity(pitched().world, [])
    assert set(identity) == {"entities", "player"}
    assert differing_parts(pitched().world, identity) == []
    plain = standing(built(big_hall), "hall", (20.0, 10.0), 0.0)
    assert differing_parts(plain.world, identity) == ["player"]


def test_the_built_in_human_has_the_speeds_of_the_data() -> None:
    data, ours = human_table(), human_motions()
    for command in (READY, WALK_FORWARD, RUN_FORWARD, FALLING, SIDE_STEP_RIGHT, TURN_RIGHT):
        theirs, stated = data.cycle(NON_COMBAT, command), ours.cycle(NON_COMBAT, command)
        assert theirs is not None
        assert stated is not None
        assert theirs.velocity == pytest.approx(stated.velocity, abs=1e-6)
        assert theirs.omega == pytest.approx(stated.omega, abs=1e-6)
        assert theirs.bitfield == stated.bitfield


KEYS = st.tuples(
    st.sampled_from([-1.0, -0.3, 0.0, 0.0, 0.5, 1.0]),
    st.sampled_from([-1.0, 0.0, 0.0, 0.7, 1.0]),
    st.sampled_from([-1.0, 0.0, 0.0, 1e-6, 1.0]),
    st.booleans(),
)


@given(st.lists(st.tuples(KEYS, st.integers(0, 20)), min_size=1, max_size=12), st.booleans())
def test_velocities_depend_on_the_held_keys_not_on_earlier_ones(
    pressed: list[tuple[tuple[float, float, float, bool], int]], with_data: bool
) -> None:
    interp = MotionInterp(shared_body(), Skills(SKILL), human_table() if with_data else None)
    sequence = interp.performer.sequence
    for keys, ticks in pressed:
        interp.set_keys(*keys)
        interp.apply_interpreted_movement()
        state = interp.interpreted
        aside = 1.25 * state.side_step_speed if state.side_step_command == SIDE_STEP_RIGHT else 0.0
        ahead = {WALK_FORWARD: 3.12, RUN_FORWARD: 4.0}.get(state.forward_command, 0.0) * state.forward_speed
        turn = -0.5 * math.pi * state.turn_speed if state.turn_command == TURN_RIGHT else 0.0
        assert sequence.velocity == pytest.approx((aside, ahead, 0.0), abs=1e-5)
        assert sequence.omega == pytest.approx((0.0, 0.0, turn), abs=1e-5)
        for _ in range(ticks):
            sequence.update(QUANTUM)
            assert length(sequence.moved) <= 0.6
        if sequence.nodes:
            stretch = sequence.nodes[sequence.current].stretch
            assert stretch.low <= sequence.frame <= stretch.high + 1
            assert sequence.current <= sequence.first_cyclic
