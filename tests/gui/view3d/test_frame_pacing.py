"""Drawing leaves time for everything else."""

from __future__ import annotations

import pytest

from ui.view3d.frame_pacing import BUDGET, FLOWING_SHARE, SHARE, SLOWEST, Pace


def pictures(pace: Pace, picture: float, others: float, seconds: float = 20.0) -> tuple[float, float]:
    """Simulate one processor for `seconds`: a frame takes `picture` seconds and is drawn as often as the pacing allows,
    and everything else takes `others` of each second. Returns frames and used share of the processor, per second."""
    now = used = 0.0
    drawn = 0
    while now < seconds:
        pace.begin(now, used)
        now, used = now + picture, used + picture * (1.0 + others)
        pace.end(now)
        drawn += 1
        rest = pace.rest(now, used)
        now, used = now + rest, used + rest * others
    return drawn / now, used / now


def test_slow_drawing_leaves_a_share_of_the_time() -> None:
    a_second, _ = pictures(Pace(), picture=0.02, others=0.0)
    assert a_second * 0.02 == pytest.approx(SHARE, abs=0.02)


@pytest.mark.parametrize("others", [0.1, 0.2, 0.3, 0.4])
def test_while_time_runs_frames_get_what_ticks_and_docks_leave_of_the_budget(others: float) -> None:
    pace = Pace()
    pace.flowing = True
    a_second, used = pictures(pace, picture=0.02, others=others)
    assert used <= BUDGET + 0.01
    assert a_second * 0.02 == pytest.approx(min(BUDGET - others, FLOWING_SHARE), abs=0.02)


def test_the_user_can_still_steer_when_other_work_exceeds_the_budget() -> None:
    pace = Pace()
    pace.flowing = True
    a_second, _ = pictures(pace, picture=0.02, others=0.7)
    assert a_second == pytest.approx(1.0 / SLOWEST, rel=0.05)


def test_a_free_frame_is_never_delayed() -> None:
    pace = Pace()
    pace.begin(5.0, 1.0)
    pace.end(5.0)
    assert pace.rest(5.0, 1.0) == 0.0
