"""Keys are made shorter until none can be left out."""

from __future__ import annotations

from collections.abc import Sequence

from hypothesis import given
from hypothesis import strategies as st

from engine.explore.findings.shorten import shortened
from engine.sim.tick.controls import Controls

KEYS = [
    Controls(),
    Controls(forward=1.0),
    Controls(forward=1.0, run=True),
    Controls(forward=1.0, look=45.0),
    Controls(jump=True),
    Controls(side_step=-1.0, turn=1.0),
]


def walked(keys: Sequence[Controls]) -> float:
    return sum(controls.forward for controls in keys)


def test_only_what_is_needed_is_left() -> None:
    def holds(keys: Sequence[Controls]) -> int:
        jumps = [tick for tick, controls in enumerate(keys) if controls.jump]
        return jumps[-1] + 1 if jumps and walked(keys[: jumps[-1]]) >= 3.0 else -1

    keys = [KEYS[0]] * 7 + [KEYS[3]] + [KEYS[1]] * 20 + [KEYS[5]] * 4 + [KEYS[4]] * 5 + [KEYS[2]] * 9
    short = shortened(keys, holds)
    assert short is not None
    assert short.is_shortest
    assert list(short.keys) == [Controls(forward=1.0)] * 3 + [Controls(jump=True)]


def test_keys_that_do_not_show_it_are_not_shortened() -> None:
    assert shortened([KEYS[1]] * 5, lambda keys: -1) is None


def test_shortening_ends_with_its_trials() -> None:
    short = shortened([KEYS[1], KEYS[0]] * 40, lambda keys: len(keys) if walked(keys) >= 30.0 else -1, 5)
    assert short is not None
    assert not short.is_shortest
    assert short.trials == 5


@given(st.lists(st.sampled_from(KEYS), max_size=60), st.integers(0, 6), st.integers(0, 3))
def test_without_any_key_or_tick_it_does_not_show(keys: list[Controls], steps: int, jumps: int) -> None:
    def holds(tried: Sequence[Controls]) -> int:
        for tick in range(len(tried) + 1):
            done = tried[:tick]
            if walked(done) >= steps and sum(controls.jump for controls in done) >= jumps:
                return tick
        return -1

    short = shortened(keys, holds, 5_000)
    assert (short is None) == (holds(keys) < 0)
    if short is None:
        return
    assert short.is_shortest
    assert holds(short.keys) == len(short.keys)
    for number in range(len(short.keys)):
        assert holds(short.keys[:number] + short.keys[number + 1 :]) < 0
