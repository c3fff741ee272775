"""Computed lists: no eye sees more, and every entry that is said to be missing has an eye that sees it."""

from __future__ import annotations

import random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from engine.sim.tick.simulation import Simulation
from engine.survey.stabs.lists import ComputedList, computed_lists
from engine.survey.stabs.question import OUTDOORS
from engine.visibility.flood import Visibility
from engine.visibility.options import FloodOptions
from tests.survey.stabs.random_rooms import BLOCK, apply_list, damage, opened, random_eyes, rooms, seen_by

pytestmark = pytest.mark.unwatched

EYES = 12
LOOKS = 6


def brute_force(sim: Simulation, rng: random.Random) -> dict[int, set[int]]:
    visibility = Visibility(sim.graph, FloodOptions(ignore_stab_list=True))
    seen = {
        room.id: set().union(
            *(seen_by(visibility, room, eye, rng) for eye in random_eyes(room, rng, EYES) for _ in range(LOOKS))
        )
        for room in rooms(sim)
    }
    visibility.close()
    return seen


def computed(sim: Simulation) -> dict[int, ComputedList]:
    return {each.room.id: each for each in computed_lists(sim.world, BLOCK)}


@settings(max_examples=25, deadline=None)
@given(seed=st.integers(0, 11), chance=st.integers(0, 1 << 30))
def test_whatever_eyes_at_random_see_is_listed_or_said_to_be_missing(seed: int, chance: int) -> None:
    sim, rng = opened(seed), random.Random(chance)
    damage(sim, rng)
    lists = computed(sim)
    for cell_id, seen in brute_force(sim, rng).items():
        answer = lists[cell_id]
        cells = seen - {OUTDOORS}
        assert cells <= answer.seen
        assert cells - answer.room.stab_set <= set(answer.missing)
        assert OUTDOORS not in seen or answer.sees_outside
        assert not cells & {*answer.surplus, *answer.absent}
    sim.close()


@settings(max_examples=25, deadline=None)
@given(seed=st.integers(0, 11), chance=st.integers(0, 1 << 30))
def test_the_eye_of_each_missing_entry_sees_it_as_soon_as_lists_are_ignored(seed: int, chance: int) -> None:
    sim, rng = opened(seed), random.Random(chance)
    damage(sim, rng)
    visibility = Visibility(sim.graph, FloodOptions(ignore_stab_list=True))
    strict = Visibility(sim.graph)
    for cell_id, answer in computed(sim).items():
        for goal in answer.missing:
            sight = answer.proofs[goal]
            assert answer.room.point_in_cell(sight.eye)
            assert goal in visibility.flood_interior(cell_id, sight.camera()).by_id
            assert goal not in strict.flood_interior(cell_id, sight.camera()).by_id
            assert sight.chain[0][0] == cell_id
    visibility.close()
    strict.close()
    sim.close()


@pytest.mark.parametrize("seed", range(4))
def test_what_was_taken_out_of_lists_comes_back_and_what_was_put_in_goes(seed: int) -> None:
    sim = opened(seed)
    before = {room.id: set(room.stab_list) for room in rooms(sim)}
    done = damage(sim, random.Random(seed))
    assert done
    for cell_id, answer in computed(sim).items():
        out, into = done.get(cell_id, (set(), set()))
        assert set(answer.surplus) == into
        assert {*answer.missing, *answer.unproven} == out
        apply_list(sim, cell_id, answer.wanted())
    slits = {cell_id: set(answer.unproven) for cell_id, answer in computed(sim).items()}
    assert {room.id: set(room.stab_list) | slits[room.id] for room in rooms(sim)} == before
    assert sum(map(len, slits.values())) <= sum(map(len, before.values())) // 50
    assert not any(answer.differs() for answer in computed(sim).values())
    sim.close()


def test_an_eye_in_sight_of_an_exit_proves_that_the_outdoors_is_seen() -> None:
    sim = opened(0)
    for cell_id, answer in computed(sim).items():
        room = sim.graph.peek(cell_id)
        assert room is not None
        assert answer.sees_outside == room.seen_outside
    sim.close()


def test_a_flood_tells_through_which_portals_it_came_to_a_cell() -> None:
    sim = opened(0)
    room = next(room for room in rooms(sim) if len(room.stab_list) > 2)
    apply_list(sim, room.id, [])
    answer = computed(sim)[room.id]
    for goal, sight in answer.proofs.items():
        at = room.id
        for cell_id, number in sight.chain:
            assert cell_id == at
            stepped = sim.graph.peek(cell_id)
            assert stepped is not None
            at = stepped.portals[number].other_cell_id  # type: ignore[attr-defined]  # every one is a room
        assert at == goal or goal == OUTDOORS
    sim.close()
