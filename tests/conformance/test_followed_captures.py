"""The recorded captures, followed line by line: the same results as read at once, under both rule sets."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from engine.physics.rules import rule_set
from engine.sim.captures.form import read_capture
from engine.sim.captures.live.follower import SETS, Follower
from engine.sim.captures.replay import replay_capture
from engine.world.loader import open_world
from engine.world.world import World
from tests.conformance.test_captures import FIXTURES, SHELL
from tests.shared import needs_shared
from tests.sim.live.captures import append, follow_all

pytestmark = [pytest.mark.conformance, needs_shared]


def cottage() -> World:
    return open_world([FIXTURES / "issue98", FIXTURES / "cellar-ascent"], placements=[SHELL], ground=-1000.0)


def lip() -> World:
    return open_world(FIXTURES / "cellar-lip", ground=-1000.0)


def small_house() -> World:
    return open_world([FIXTURES / "flap-doorway", FIXTURES / "cellar-lip"], ground=94.0)


@pytest.mark.parametrize(
    ("name", "world"),
    [
        ("issue98/live-capture.jsonl", cottage),
        ("cellar-lip/wedge-records.jsonl", lip),
        ("cellar-ascent/doorway-threshold-capture.jsonl", small_house),
    ],
)
def test_a_followed_capture_comes_out_as_one_that_is_read_at_once(
    name: str, world: Callable[[], World], tmp_path: Path
) -> None:
    path = tmp_path / "live.jsonl"
    follower = Follower(path, world())
    found = []
    for text in (FIXTURES / name).read_bytes().splitlines(keepends=True):
        append(path, text)
        found += follow_all(follower).records
    records = read_capture(FIXTURES / name)
    assert len(found) == len(records)
    for number, rules in enumerate(SETS):
        expected = replay_capture(world().graph, rule_set(rules), records)
        assert [followed.replays[number].differences for followed in found] == [each.differences for each in expected]
    assert {followed.frame.anchor >> 16 for followed in found} == {0xA9B4}
    assert (follower.sessions, follower.of_others, follower.fault_count) == (1, 0, 0)
    follower.close()
