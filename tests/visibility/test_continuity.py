"""An eye that walks through a doorway sees both rooms without a gap and without a flash (rendering.md 24.9)."""

from __future__ import annotations

from collections.abc import Iterable

import numpy as np
import pytest

from engine.visibility.camera import Camera
from engine.visibility.options import FloodOptions, retail
from tests.visibility.helpers.brute_force import BruteForce, Mask, blocks
from tests.visibility.helpers.small_scenes import SmallScene, eye_at, two_rooms

STEPS = sorted({round(8.5 + 0.01 * k, 4) for k in range(201)} | {9.999, 9.9997, 9.9999, 10.0, 10.0001, 10.0003, 10.001})
HEADINGS = (0.0, 45.0, 90.0, 135.0, 180.0, 225.0, 300.0)
PITCHES = (0.0, 30.0, -30.0, 70.0)
PIXELS = 640 * 480

TURN = {(45.0, 0.0): (268_800, 38_400), (45.0, 30.0): (253_376, 53_824), (300.0, 0.0): (220_320, 86_880)}
"""The pixels of B with the eye in the plane, and of A with the eye just behind it."""


class Walk:
    """An eye walking north through the door, with its root on the way."""

    def __init__(self, heading: float, pitch: float, options: FloodOptions | None = None) -> None:
        self.scene = SmallScene(two_rooms())
        self.heading = heading
        self.pitch = pitch
        self.options = options

    def camera(self, y: float) -> Camera:
        return eye_at(5.0, y, 1.5, self.heading, self.pitch)

    def other_room(self, y: float) -> Mask:
        """The pixels of the room in which the eye is not."""
        root = "A" if y <= 10.0 else "B"
        result = self.scene.flood(root, self.camera(y), self.options)
        assert result.cells[0].cell_id == self.scene.id(root)
        brute = BruteForce(self.scene.world.graph, self.camera(y))
        return brute.mask_of(result.cells[1].views if len(result.cells) > 1 else [])


def assert_walk(heading: float, pitch: float, steps: Iterable[float] = STEPS) -> None:
    walk = Walk(heading, pitch)
    before: Mask | None = None
    last = 0.0
    for y in steps:
        now = walk.other_room(y)
        if before is not None and y <= 10.0:
            assert blocks(before & ~now) == 0, (heading, pitch, y)
        if before is not None and last > 10.0:
            assert blocks(now & ~before) == 0, (heading, pitch, y)
        before, last = now, y
    ahead, behind = walk.other_room(10.0), walk.other_room(10.0001)
    assert not np.any(ahead & behind)
    assert np.all(ahead | behind)
    assert TURN.get((heading, pitch), (int(ahead.sum()), int(behind.sum()))) == (ahead.sum(), behind.sum())


@pytest.mark.parametrize(("heading", "pitch"), [*TURN, (0.0, 0.0)])
def test_an_eye_crosses_a_doorway_without_a_gap(heading: float, pitch: float) -> None:
    assert_walk(heading, pitch, [y for y in STEPS if y < 8.6 or y > 9.9])


@pytest.mark.slow
@pytest.mark.parametrize("heading", HEADINGS)
@pytest.mark.parametrize("pitch", PITCHES)
def test_a_turned_eye_crosses_a_doorway_without_a_gap(heading: float, pitch: float) -> None:
    assert_walk(heading, pitch)


def test_the_draw_list_changes_once_together_with_the_root() -> None:
    scene = SmallScene(two_rooms())
    for y in STEPS:
        root = "A" if y <= 10.0 else "B"
        assert scene.draw(scene.flood(root, eye_at(5.0, y))) == (["A", "B"] if y <= 10.0 else ["B"])


def test_the_client_has_gaps_at_the_same_doorway() -> None:
    whole, gap = Walk(45.0, 0.0), Walk(45.0, 0.0, retail())
    assert gap.other_room(10.0).sum() == 0
    assert int(whole.other_room(9.9997).sum()) - int(gap.other_room(9.9997).sum()) == 24_480
