"""Checks of damaged records end, raise nothing, and speak in sentences."""

from __future__ import annotations

import random
from collections.abc import Mapping
from dataclasses import replace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from engine.findings.finding import Found
from engine.sim.tick.simulation import Simulation
from engine.survey.stabs.lists import computed_lists
from engine.survey.stabs.render import CHECKS as PICTURES
from engine.survey.stabs.render import check_pictures
from engine.survey.stabs.run import CHECKS as STABS
from engine.survey.stabs.run import check_stabs
from tests.survey.stabs.random_rooms import BLOCK, made

pytestmark = pytest.mark.unwatched

ENVIRONMENT = 0x0D


def damaged(records: Mapping[int, bytes], wanted: list[int], rng: random.Random) -> dict[int, bytes]:
    """Some bytes of some records changed, or their ends cut off."""
    changed = dict(records)
    for record_id in rng.sample(wanted, min(len(wanted), 4)):
        data = bytearray(changed[record_id])
        for _ in range(rng.randint(1, 6)):
            data[rng.randrange(4, len(data))] = rng.choice((0, 1, 0x7F, 0x80, 0xFF, rng.randrange(256)))
        if rng.random() < 0.1:
            del data[rng.randrange(8, len(data)) :]
        changed[record_id] = bytes(data)
    return changed


@settings(max_examples=60, deadline=None)
@given(seed=st.integers(0, 5), chance=st.integers(0, 1 << 30), shapes=st.booleans())
def test_damaged_rooms_and_shapes_are_checked_to_the_end(seed: int, chance: int, shapes: bool) -> None:
    rng, built = random.Random(chance), made(seed)
    if shapes:
        wanted = [each for each in built.portal if each >> 24 == ENVIRONMENT]
        built = replace(built, portal=damaged(built.portal, wanted, rng))
    else:
        wanted = [each for each in built.cell if each & 0xFFFF < 0xFFFE]
        built = replace(built, cell=damaged(built.cell, wanted, rng))
    world = built.load()
    sim = Simulation(world)
    enabled = {check.id for check in (*STABS, *PICTURES)}
    found = [*check_stabs(sim, BLOCK, enabled), *check_pictures(sim, BLOCK, enabled)]
    for each in found:
        assert each.sentence
        assert "nan" not in each.sentence
        assert Found.from_json(each.to_json()) == each
    for computed in computed_lists(sim.world, BLOCK):
        for goal in computed.missing:
            assert goal in computed.proofs
    sim.close()
    world.close()
