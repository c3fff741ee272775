"""The player's body: it rests as recorded clients do, and the sizes of old captures can be chosen."""

from __future__ import annotations

import math
import re

import pytest

from editor.models.player import body_edits, body_now
from editor.places.place_text import WrittenPlace
from editor.places.standing import at_written
from editor.session.sources import open_source
from engine.build import WorldBuilder, rect
from engine.entities.human import human_setup
from engine.geometry.sphere import Sphere
from engine.sim.captures.form import read_capture
from engine.sim.captures.frame import CaptureFrame
from engine.sim.captures.replay import replay_record
from engine.sim.edits.player import Teleport
from engine.sim.tick.simulation import Simulation
from tests.shared import SHARED, needs_shared
from tests.sim.helpers.small_worlds import simulate

FIXTURES = SHARED / "fixtures"
RECORDED = re.compile(r"seed=0x(\w+) px=(\S+) py=(\S+) pz=(\S+) picked=0x(\w+)")


def hall() -> Simulation:
    world = WorldBuilder()
    world.room("hall", rect(0, 0, 8, 8), height=3.0)
    sim = simulate(world.build())
    sim.apply_edit(Teleport(0x00070100, 4.0, 4.0, 0.0, 0.0))
    return sim


def rest(sim: Simulation) -> float:
    for _ in range(30):
        sim.tick()
    assert sim.player.steered.contact_bits() == (True, True)
    return sim.player.steered.place.origin[2]


def wear(sim: Simulation, body: str) -> None:
    for edit in body_edits(sim, body):
        sim.apply_edit(edit)


@needs_shared
@pytest.mark.parametrize("folder", ["flap-doorway", "cellar-lip"])
def test_he_rests_where_real_clients_were_recorded_in_real_cells(folder: str) -> None:
    """Every recorded origin that is in a cell of the folder, not too close to a wall that is missing in it."""
    lines = (FIXTURES / "retail-trace" / "find-cell-list-threshold.log").read_text().splitlines()
    rested = 0
    with open_source(str(FIXTURES / folder)) as world:
        sim = Simulation(world)
        for found in filter(None, map(RECORDED.search, lines)):
            cell_id = int(found[5], 16)
            if world.graph.get_visible(cell_id) is None:
                continue
            x, y, z = (float(found[number]) for number in (2, 3, 4))
            place = at_written(sim, WrittenPlace(cell_id, x, y, z))
            sim.apply_edit(Teleport(place.cell_id, *place.origin, place.heading))
            assert rest(sim) == pytest.approx(z, abs=2e-4)
            assert math.dist(sim.player.origin()[:2], (x, y)) < 0.01
            rested += 1
    assert rested


def test_open_data_with_a_human_setup_give_him_its_spheres() -> None:
    with open_source("demo") as world:
        human = human_setup(world)
        spheres = Simulation(world).player.steered.spheres
        if human is not None:
            assert [(s.center, s.radius) for s in spheres] == [(s.center, s.radius) for s in human.spheres[:2]]
        foot: Sphere = spheres[0]
        assert foot.radius - foot.center[2] == pytest.approx(0.005, abs=1e-6)


def test_the_sizes_of_old_captures_can_be_chosen_and_left_again() -> None:
    sim = hall()
    assert body_now(sim) == "The client's human"
    assert rest(sim) == pytest.approx(0.005, abs=1e-4)
    wear(sim, "Old captures")
    assert body_now(sim) == "Old captures"
    assert [sphere.center[2] for sphere in sim.player.steered.spheres] == pytest.approx([0.48, 0.72])
    assert rest(sim) == pytest.approx(0.0, abs=1e-4), "their feet are at their origin, as recorded"
    wear(sim, "The client's human")
    assert [sphere.center[2] for sphere in sim.player.steered.spheres] == pytest.approx([0.475, 1.35])
    assert rest(sim) == pytest.approx(0.005, abs=1e-4)


@needs_shared
def test_captures_are_replayed_with_the_sizes_in_them() -> None:
    """Whatever body the player has: all recorded moves come out the same."""
    records = read_capture(FIXTURES / "cellar-lip" / "wedge-records.jsonl")
    with open_source(str(FIXTURES / "cellar-lip")) as world:
        sim = Simulation(world)
        there = [record for record in records if world.graph.get_visible(record.input.cell_id) is not None]
        assert there
        frame = CaptureFrame(records[0].input.cell_id)
        for record in there:
            assert (record.input.sphere_radius, record.input.sphere_height) == pytest.approx((0.48, 1.2))
            replay = replay_record(sim.graph, sim.rules, record, frame)
            swept = replay.result.transition.sp
            assert [swept.local0.center[2], swept.local1.center[2]] == pytest.approx([0.48, 0.72])
