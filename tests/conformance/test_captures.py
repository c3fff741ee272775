"""The recorded captures: read, rewritten, and replayed where their README states the result (fixtures/README,
physics.md 12, 13.9). tests/physics/cases/test_live.py has C-LIVE-1 to 9 by id."""

from __future__ import annotations

from functools import cache

import pytest

from engine.geometry.frame import Frame
from engine.geometry.vec import Vec3, add, distance, r24, sub
from engine.physics.resolve import ResolveBody, resolve
from engine.physics.rules import RuleSet, rule_set
from engine.sim.captures.form import CaptureRecord, read_capture, record_text
from engine.sim.captures.frame import CaptureFrame
from engine.sim.captures.replay import Replay, body_of, replay_capture
from engine.world.loader import Placement, open_world
from engine.world.world import World
from tests.shared import SHARED, needs_shared

pytestmark = [pytest.mark.conformance, needs_shared]

FIXTURES = SHARED / "fixtures"
SHELL = Placement(0x01000A2B, 0xA9B40029, Frame((130.5, 11.5, 94.0), (r24(4.37114e-08), 0.0, 0.0, 1.0)), building=True)
"""The cottage's outer walls, placed as in 12.5."""

CAPTURES = {
    "issue98/live-capture.jsonl": 3,
    "door-bug/live-capture.jsonl": 2,
    "door-bug/over-penetration-capture.jsonl": 3,
    "cellar-ascent/doorway-threshold-capture.jsonl": 57,
    "cellar-lip/wedge-records.jsonl": 29,
}

BOTH_RULES = pytest.mark.parametrize("rules", ["retail", "ace"])


@cache
def records_of(name: str) -> list[CaptureRecord]:
    return read_capture(FIXTURES / name)


def replays(world: World, name: str, rules: str) -> list[Replay]:
    return replay_capture(world.graph, rule_set(rules), records_of(name))


@pytest.mark.parametrize("name", CAPTURES)
def test_every_capture_is_rewritten_byte_for_byte(name: str) -> None:
    lines = (FIXTURES / name).read_text(encoding="ascii").splitlines()
    assert len(lines) == CAPTURES[name]
    assert [record_text(record) for record in records_of(name)] == lines


# --- issue98: in the cottage's cellar, its shell around it, the ground far below


@cache
def cottage() -> World:
    return open_world([FIXTURES / "issue98", FIXTURES / "cellar-ascent"], placements=[SHELL], ground=-1000.0)


@BOTH_RULES
@pytest.mark.parametrize("index", [0, 1])
def test_a_record_without_a_move_agrees_except_for_the_stale_ground(rules: str, index: int) -> None:
    """`isOnGround` true echoes the input: the dumps hold no polygon to stand on."""
    replay = replays(cottage(), "issue98/live-capture.jsonl", rules)[index]
    assert [difference.field for difference in replay.differences] == ["isOnGround"]
    assert replay.position == replay.record.input.current
    assert not replay.result.is_on_ground
    assert not replay.result.collision_normal_valid


@BOTH_RULES
def test_the_floor_overhead_does_not_cap_an_upward_move(rules: str) -> None:
    replay = replays(cottage(), "issue98/live-capture.jsonl", rules)[2]
    assert not (replay.result.collision_normal_valid and replay.result.collision_normal[2] < -0.99)


# --- cellar-lip: the three cells, no ramp, the ground far below


@BOTH_RULES
def test_at_least_18_of_29_pushes_at_the_cellars_lip_advance(rules: str) -> None:
    world = open_world(FIXTURES / "cellar-lip", ground=-1000.0)
    found = replays(world, "cellar-lip/wedge-records.jsonl", rules)
    advanced = [
        distance(replay.record.input.current, replay.position)
        > 0.25 * distance(replay.record.input.current, replay.record.input.target)
        for replay in found
    ]
    assert len(advanced) == 29
    assert sum(advanced) >= 18
    assert found[9].position[2] >= 93.95
    assert found[9].result.cell_id == 0xA9B40171


# --- cellar-ascent: out of the small house's front door onto the street


@cache
def small_house() -> World:
    return open_world([FIXTURES / "flap-doorway", FIXTURES / "cellar-lip"], ground=94.0)


def test_the_threshold_records_agree_except_where_the_cell_changes() -> None:
    """Each engine chooses that; ours gives the land cell as soon as the room's tree no longer holds the centre.

    The last two begin further outdoors than the client ever keeps the room as its cell: from there the search reaches
    no land cell, and a body in no cell stands on nothing (physics.md #7, #8).
    """
    found = replays(small_house(), "cellar-ascent/doorway-threshold-capture.jsonl", "retail")
    differing = {replay.record.tick: [d.field for d in replay.differences] for replay in found if not replay.agrees}
    assert differing == {17402: ["cellId"], 17413: ["isOnGround"], 17425: ["cellId", "isOnGround"]}
    assert [replay.record.tick for replay in found if replay.result.transition.sp.curr_cell is None] == [17413, 17425]


def walked(records: list[CaptureRecord], rules: RuleSet) -> list[int]:
    """The cells of our body as it makes the displacements of the records one after the other."""
    world = small_house()
    frame = CaptureFrame(records[0].input.cell_id)
    first = records[0]
    assert first.before is not None
    body: ResolveBody = body_of(world.graph, rules, first, first.before, frame)
    at: Vec3 = first.input.current
    cells = [first.input.cell_id]
    for record in records:
        given = record.input
        end = add(at, sub(given.target, given.current))
        result = resolve(world.graph, rules, at, end, cells[-1], 0.48, 1.2, 0.6, 1.5, True, given.mover_flags, 1, body)
        assert result.ok
        at = result.position
        if result.cell_id != cells[-1]:
            cells.append(result.cell_id)
    assert distance(at, records[-1].result.position) < 1e-3
    return cells


def test_crossing_the_threshold_changes_the_cell_once_and_never_back() -> None:
    records = records_of("cellar-ascent/doorway-threshold-capture.jsonl")
    assert walked(records, RuleSet()) == [0xA9B40170, 0xA9B40031]
