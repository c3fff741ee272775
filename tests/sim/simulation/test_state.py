"""The state of a simulation as bytes, as a hash and by name: complete, repeatable, and unaffected by reading it."""

from __future__ import annotations

import os
import random
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from engine.build import WorldBuilder
from engine.entities.state_io import StateReader, StateWriter
from engine.physics.errors import PhysicsError
from engine.physics.flags import ETHEREAL
from engine.sim.edits.entities import MoveEntity, RemoveEntity, SetStateBits
from engine.sim.edits.rules import SetRuleSet
from engine.sim.tick.controls import Controls
from engine.sim.tick.simulation import Simulation
from tests.sim.helpers.small_worlds import (
    FORWARD,
    big_hall,
    built,
    furnished,
    hold,
    house,
    simulate,
    standing,
    two_rooms,
    with_people,
)
from tests.sim.simulation.test_edits import some_edits

ROOT = Path(__file__).resolve().parents[3]


def random_controls(seed: int, count: int, use: int = 0) -> list[Controls]:
    rng = random.Random(seed)
    made = []
    for _ in range(count):
        forward, side = rng.choice((1.0, 1.0, 0.0, -1.0)), rng.choice((0.0, 0.0, 1.0, -1.0))
        used = use if rng.random() < 0.05 else 0
        made.append(Controls(forward, side, rng.uniform(-1.0, 1.0), rng.random() < 0.5, rng.random() < 0.3, used))
    return made


def hashes(sim: Simulation, controls: list[Controls]) -> list[bytes]:
    found = []
    for keys in controls:
        sim.tick(keys)
        found.append(sim.state_hash())
    return found


def with_door() -> Simulation:
    return standing(built(two_rooms), "hall", (3.0, 2.0), 90.0)


def door_keys(sim: Simulation, seed: int = 1, count: int = 200) -> list[Controls]:
    return random_controls(seed, count, sim.population.doors[0].id)


def test_the_same_start_and_controls_give_the_same_hashes() -> None:
    first, second = with_door(), with_door()
    keys = door_keys(first)
    assert hashes(first, keys) == hashes(second, keys)


def test_reading_the_state_changes_nothing() -> None:
    first, second = with_door(), with_door()
    keys = door_keys(first)
    plain = hashes(first, keys)
    watched = []
    for key in keys:
        second.tick(key)
        second.snapshot()
        second.named_state()
        second.pose(second.population.doors[0].id, 0.01)
        watched.append(second.state_hash())
    assert watched == plain


def test_a_restored_simulation_continues_as_the_first_time() -> None:
    sim = with_door()
    keys = door_keys(sim)
    hashes(sim, keys[:70])
    snapshot = sim.snapshot()
    rest = hashes(sim, keys[70:])
    for _ in range(2):
        sim.restore(snapshot)
        assert sim.snapshot() == snapshot
        assert hashes(sim, keys[70:]) == rest


def test_a_snapshot_can_be_restored_in_another_simulation_of_the_same_world() -> None:
    sim = with_door()
    keys = door_keys(sim)
    hashes(sim, keys[:70])
    snapshot = sim.snapshot()
    rest = hashes(sim, keys[70:])
    fresh = simulate(built(two_rooms))
    fresh.restore(snapshot)
    assert fresh.snapshot() == snapshot
    assert hashes(fresh, keys[70:]) == rest
    assert fresh.graph.current_id == sim.graph.current_id


def in_furnished_room() -> Simulation:
    return standing(built(furnished), "room", (1.0, 1.0))


def in_house() -> Simulation:
    return standing(built(house), "room", (108.0, 108.0, 20.0))


@pytest.mark.parametrize("begin", [in_furnished_room, in_house])
def test_static_things_are_part_of_the_state(begin: Callable[[], Simulation]) -> None:
    sim = begin()
    snapshot = sim.snapshot()
    before = sim.state_hash()
    thing = min(sim.population.statics.things)
    sim.apply_edit(SetStateBits(thing, ETHEREAL, True))
    assert sim.state_hash() != before
    sim.apply_edit(RemoveEntity(thing))
    hold(sim, 0.5, FORWARD)
    sim.restore(snapshot)
    assert sim.state_hash() == before
    assert not sim.population.state_of(thing) & ETHEREAL


@pytest.mark.parametrize("world", [furnished, house])
def test_a_snapshot_registers_static_things_that_were_unregistered(world: Callable[[], WorldBuilder]) -> None:
    sim = in_furnished_room() if world is furnished else in_house()
    fresh = simulate(built(world))
    assert fresh.population.statics.things == {}
    fresh.restore(sim.snapshot())
    assert fresh.snapshot() == sim.snapshot()
    assert [report.origin for report in hold(fresh, 2.0, FORWARD)] == [r.origin for r in hold(sim, 2.0, FORWARD)]


def test_restoring_undoes_every_edit() -> None:
    sim = standing(built(with_people), "hall", (20.0, 10.0))
    for edit in some_edits(sim):
        snapshot = sim.snapshot()
        if isinstance(edit, RemoveEntity):
            edit = RemoveEntity(sim.population.ordered[0].id)
        sim.apply_edit(edit)
        sim.tick(FORWARD)
        assert sim.snapshot() != snapshot
        sim.restore(snapshot)
        assert sim.snapshot() == snapshot, edit


def test_under_ace_restoring_brings_back_a_things_earlier_cells() -> None:
    """Under those rules a registration's cell array is never emptied (8.5)."""
    sim = standing(built(two_rooms), "hall", (1.0, 1.0))
    sim.apply_edit(SetRuleSet("ace"))
    door, study = sim.population.doors[0].id, built(two_rooms).cell_id("study")
    sim.apply_edit(MoveEntity(door, study, 8.0, 2.0, 0.0, 0.0))
    snapshot = sim.snapshot()
    sim.apply_edit(MoveEntity(door, study, 9.0, 2.0, 0.0, 0.0))
    after = sim.snapshot()
    sim.restore(snapshot)
    sim.apply_edit(MoveEntity(door, study, 9.0, 2.0, 0.0, 0.0))
    assert sim.snapshot() == after
    assert built(two_rooms).cell_id("hall-study") in sim.population.registry.cells_of(door)


def test_a_snapshot_restores_removed_and_drops_added_entities() -> None:
    sim = standing(built(lambda: with_people(3)), "hall", (20.0, 10.0))
    all_there = sim.snapshot()
    first = sim.population.ordered[0].id
    sim.apply_edit(RemoveEntity(first))
    one_gone = sim.snapshot()
    sim.restore(all_there)
    assert sim.population.ordered[0].id == first
    assert first in sim.population.bodies
    sim.restore(one_gone)
    assert sim.population.find(first) is None
    assert first not in sim.population.bodies
    assert sim.snapshot() == one_gone


def test_the_order_of_registration_is_part_of_the_state() -> None:
    sims = [standing(built(lambda: with_people(2)), "hall", (20.0, 10.0)) for _ in range(2)]
    ids = [entity.id for entity in sims[0].population.ordered]
    hall = sims[0].graph.current_id
    for sim, order in zip(sims, (ids, ids[::-1]), strict=True):
        for entity_id in order:
            x, y, z = sim.population.entity(entity_id).origin()
            sim.apply_edit(MoveEntity(entity_id, hall, x, y, z, 0.0))
    assert sims[0].population.registry.objects_in(hall) != sims[1].population.registry.objects_in(hall)
    assert sims[0].state_hash() != sims[1].state_hash()


def test_the_named_state_shows_what_differs() -> None:
    sim = standing(built(big_hall), "hall", (20.0, 20.0))
    before = sim.named_state()
    sim.tick(FORWARD)
    after = sim.named_state()
    changed = {name for (name, old), (_, new) in zip(before, after, strict=True) if old != new}
    assert {"simulation.tick", "player.origin", "player.forward_command"} <= changed
    assert "player.velocity" not in changed


@pytest.mark.parametrize("cut", [0, 5, 11, 40, -1])
def test_a_damaged_snapshot_is_refused(cut: int) -> None:
    sim = with_door()
    with pytest.raises(PhysicsError, match="saved state"):
        sim.restore(sim.snapshot()[:cut])


def test_bytes_that_are_no_snapshot_are_refused_and_change_nothing() -> None:
    sim = with_door()
    before = sim.snapshot()
    writer = StateWriter()
    for value in range(100):
        writer.integer("number", value)
    with pytest.raises(PhysicsError, match="not a saved state"):
        sim.restore(writer.packed())
    with pytest.raises(PhysicsError, match="longer"):
        sim.restore(before + b"more")
    sim.restore(before)
    assert sim.snapshot() == before


@pytest.mark.parametrize("count", [-1, 3, 1 << 40, (1 << 63) - 1])
def test_an_excessive_count_allocates_nothing(count: int) -> None:
    writer = StateWriter()
    for value in (count, 1, 2):
        writer.integer("number", value)
    with pytest.raises(PhysicsError, match="the saved state ends before cells"):
        StateReader(writer.packed()).integers("cells", [])


def test_packed_values_survive_bit_for_bit() -> None:
    writer = StateWriter()
    numbers = (0.1, -0.0, float("inf"), 1e-320)
    for number in numbers:
        writer.real("real", number)
    writer.integer("big", (1 << 62) + 1)
    writer.blob("blob", b"\0\1")
    writer.flag("flag", True)
    reader = StateReader(writer.packed())
    assert [reader.real("real", 0.0).hex() for _ in numbers] == [number.hex() for number in numbers]
    assert reader.integer("big", 0) == (1 << 62) + 1
    assert reader.blob("blob", b"") == b"\0\1"
    assert reader.flag("flag", False)
    reader.check_end()


def test_a_hundred_ticks_have_the_same_hashes_in_another_process() -> None:
    program = (
        "from tests.sim.simulation.test_state import door_keys, hashes, with_door\n"
        "sim = with_door()\n"
        "print(b''.join(hashes(sim, door_keys(sim, 3, 100))).hex())\n"
    )
    run = subprocess.run(
        [sys.executable, "-W", "ignore", "-c", program],
        cwd=ROOT,
        env={**os.environ, "PYTHONHASHSEED": "77", "CELLAR_DOOR_CORE": "python"},
        capture_output=True,
        text=True,
        check=False,
    )
    assert run.returncode == 0, run.stderr
    sim = with_door()
    assert run.stdout.strip() == b"".join(hashes(sim, door_keys(sim, 3, 100))).hex()
