"""The time of day: keyframes, sun, fog, and the positions of things in the sky (rendering.md 20.1 - 20.3)."""

from __future__ import annotations

import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine.dat.records import DayGroup, SkyObject, SkyObjectReplace, SkyTime
from engine.geometry.quat import rotate
from engine.render.sky import (
    HAZE,
    bracket,
    day_group_index,
    daylight,
    orientation,
    replacement,
    share,
    shown_at,
    sun_vector,
    turn_at,
)


def keyframe(
    begin: float, sun: float = 1.0, heading: float = 0.0, pitch: float = 90.0, ambient: float = 0.5
) -> SkyTime:
    return SkyTime(begin, sun, heading, pitch, 0xFFFF8000, ambient, 0xFF204060, 100.0, 900.0, 0xFF808080, 1, [])


def group(*times: SkyTime) -> DayGroup:
    return DayGroup(1.0, "a day", [], list(times))


@pytest.mark.parametrize(
    ("modes", "time", "near"),
    [
        ((1, 1, 1), 0.375, 150.0),
        ((1, 1, 0), 0.625, 200.0),  # what it was at the end of the last time that it changed
        ((1, 1, 0), 0.9, 200.0),
        ((0, 1, 1), 0.375, 300.0),
        ((1, 0, 1), 0.6, 300.0),  # from the third round to the first both have it, and the first is the last of these
    ],
)
def test_fog_changes_only_between_keyframes_that_both_have_it(
    modes: tuple[int, int, int], time: float, near: float
) -> None:
    times = [keyframe(begin) for begin in (0.25, 0.5, 0.75)]
    for at, mode, fog_min in zip(times, modes, (100.0, 200.0, 300.0), strict=True):
        at.fog_mode, at.fog_min = mode, fog_min
    fog = daylight(group(*times), time).fog
    assert fog is not None
    assert fog[0] == pytest.approx(100.0 if modes == (1, 0, 1) else near)


def test_without_two_neighbouring_keyframes_that_have_it_there_is_no_fog() -> None:
    bare = keyframe(0.25)
    bare.fog_mode = 0
    assert daylight(group(bare, keyframe(0.75)), 0.5).fog is None


def thing(begin: float, end: float, angles: tuple[float, float] = (0.0, 180.0)) -> SkyObject:
    return SkyObject(begin, end, *angles, 0.0, 0.0, 0x01000001, 0, 0)


def test_the_sun_vector_follows_heading_and_pitch_with_its_brightness() -> None:
    assert sun_vector(1.5, 0.0, 0.0) == pytest.approx((0.0, 1.5, 0.0))
    assert sun_vector(1.0, 90.0, 0.0) == pytest.approx((1.0, 0.0, 0.0))
    assert sun_vector(2.0, 90.0, 90.0) == pytest.approx((0.0, 0.0, 2.0))
    assert sun_vector(1.0, 90.0, 30.0) == pytest.approx((math.sqrt(0.75), 0.0, 0.5))


def test_light_is_interpolated_between_the_keyframes_around_a_time() -> None:
    light = daylight(group(keyframe(0.25, 0.5, 90.0, 0.0, 0.4), keyframe(0.75, 1.5, 90.0, 60.0, 0.8)), 0.5)
    assert light.sun == pytest.approx(sun_vector(1.0, 90.0, 30.0))
    assert light.ambient_level == pytest.approx(0.6)
    assert light.ambient_colour == pytest.approx((0x20 / 255, 0x40 / 255, 0x60 / 255))
    assert light.sun_colour == pytest.approx((1.0, 0x80 / 255, 0.0))
    assert light.fog == (100.0, 900.0)


def test_after_the_last_keyframe_the_day_interpolates_to_the_first() -> None:
    day = group(keyframe(0.2, ambient=0.4), keyframe(0.6, ambient=0.8))
    assert daylight(day, 0.9).ambient_level == pytest.approx(0.6)
    assert daylight(day, 0.0).ambient_level == pytest.approx(0.8 - 0.4 * 4.0 / 6.0)


@given(st.floats(0.0, 1.0, exclude_max=True), st.lists(st.floats(0.0, 1.0, exclude_max=True), min_size=1, max_size=5))
def test_every_time_is_between_two_adjacent_keyframes(time: float, begins: list[float]) -> None:
    before, after, ratio = bracket([keyframe(begin) for begin in begins], time)
    assert 0.0 <= ratio <= 1.0
    assert before.begin in begins
    assert after.begin in begins
    between = [begin for begin in begins if before.begin < begin <= time]
    assert before.begin > time or between == []


def test_outdoor_light_is_never_below_a_fifth() -> None:
    assert daylight(group(keyframe(0.0, ambient=0.05)), 0.3).ambient_level == 0.2


def test_keyframes_and_things_with_nans_do_not_count() -> None:
    sound, broken = keyframe(0.5, ambient=0.7), keyframe(0.4, sun=math.nan)
    assert daylight(group(broken, sound), 0.45) == daylight(group(sound), 0.45)
    assert daylight(group(broken), 0.45).sun == (0.5, 0.0, 0.8)
    assert not shown_at(thing(math.nan, 0.5), 0.3)
    assert not shown_at(thing(0.2, 0.5, (0.0, math.inf)), 0.3)


def test_without_keyframes_there_is_a_plain_day_without_fog() -> None:
    light = daylight(None, 0.5)
    assert (light.ambient_level, light.sun, light.ambient_colour) == (0.3, (0.5, 0.0, 0.8), (1.0, 1.0, 1.0))
    assert light.fog is None
    assert light.fog_colour == HAZE


def test_a_days_number_decides_its_kind() -> None:
    # Computed by hand: (0x6A42FDB2 n - 0x7541E9AE) mod 2^32 is 0x8ABE1652 and 0xF5011404 for n = 0 and 1.
    assert [day_group_index(day, 10) for day in (0, 1)] == [0x8ABE1652 * 10 >> 32, 0xF5011404 * 10 >> 32] == [5, 9]
    assert day_group_index(12345, 1) == 0


def test_things_are_up_in_their_hours_or_always_without_any() -> None:
    day, night, always = thing(0.25, 0.75), thing(0.8, 0.2), thing(0.5, 0.5)
    assert [shown_at(day, time) for time in (0.1, 0.25, 0.5, 0.9)] == [False, False, True, False]
    assert [shown_at(night, time) for time in (0.1, 0.5, 0.9)] == [True, False, True]
    assert shown_at(always, 0.5)
    assert shown_at(always, 0.1)


def test_a_thing_is_halfway_across_the_sky_at_the_middle_of_its_hours() -> None:
    assert turn_at(thing(0.25, 0.75), 0.5) == pytest.approx(90.0)
    assert turn_at(thing(0.75, 0.25), 0.0) == pytest.approx(90.0)
    assert turn_at(thing(0.5, 0.5, (30.0, 60.0)), 0.9) == 30.0


def test_a_thing_from_the_east_passes_overhead_and_sets_in_the_west() -> None:
    east = (1.0, 0.0, 0.0)
    assert rotate(orientation(0.0, 90.0), east) == pytest.approx((0.0, 0.0, 1.0))
    assert rotate(orientation(0.0, 180.0), east) == pytest.approx((-1.0, 0.0, 0.0))
    # A heading is a compass turn that comes first: it takes north to east, and with it the path over the sky.
    assert rotate(orientation(90.0, 90.0), (0.0, 1.0, 0.0)) == pytest.approx((0.0, 0.0, 1.0))


def test_a_keyframe_replaces_the_object_named_by_its_index() -> None:
    day = group(keyframe(0.0), keyframe(0.5))
    day.times[1].replaces = [SkyObjectReplace(3, 0x01000009, 45.0, 0.5, 1.0, 0.0)]
    found = replacement(day, 3, 0.6)
    assert found is not None
    assert found.gfxobj_id == 0x01000009
    assert replacement(day, 0, 0.6) is None
    assert replacement(day, 3, 0.4) is None


def test_fractions_may_be_parts_of_one_or_per_cent() -> None:
    assert [share(value) for value in (-1.0, 0.5, 1.0, 40.0, 100.0)] == [0.0, 0.5, 1.0, 0.4, 1.0]
