"""Time passes 30 times a second while it runs, and never in a rush afterwards."""

from __future__ import annotations

import pytest
from pytestqt.qtbot import QtBot

from editor.document.clock import MOST_AT_ONCE, Clock
from editor.document.document import Document
from editor.session.session import Session
from tests.editor.document.small_document import document_of
from tests.sim.helpers.small_worlds import built, two_rooms


class Watch:
    """A clock on the wall that is set by hand."""

    def __init__(self) -> None:
        self.seconds = 100.0

    def __call__(self) -> float:
        return self.seconds


@pytest.fixture
def watch() -> Watch:
    return Watch()


@pytest.fixture
def clock(watch: Watch) -> Clock:
    document = document_of(built(two_rooms))
    return Clock(document, document, watch)


def pass_time(clock: Clock, watch: Watch, seconds: float, calls: int) -> int:
    before = clock.document.sim.tick_number
    for _ in range(calls):
        watch.seconds += seconds / calls
        clock.catch_up()
    return clock.document.sim.tick_number - before


def test_a_second_has_thirty_ticks_however_often_the_timer_calls(clock: Clock, watch: Watch) -> None:
    clock.run()
    for calls in (30, 31, 60, 20):
        assert pass_time(clock, watch, 1.0, calls) == pytest.approx(30, abs=1)
    assert clock.rate == pytest.approx(30.0, abs=2.0)


@pytest.mark.parametrize("began", [0.0, 0.1, 1e5 / 3.0])
def test_who_asks_sixty_times_a_second_gets_every_second_time_a_tick(clock: Clock, watch: Watch, began: float) -> None:
    watch.seconds = began
    clock.run()
    ran = []
    for call in range(1, 121):
        watch.seconds = began + call / 60.0
        before = clock.document.sim.tick_number
        clock.catch_up()
        ran.append(clock.document.sim.tick_number - before)
    assert ran == [0, 1] * 60


def test_a_late_timer_is_not_made_up_for(clock: Clock, watch: Watch) -> None:
    clock.run()
    assert pass_time(clock, watch, 10.0, 1) == MOST_AT_ONCE
    assert pass_time(clock, watch, 0.1, 3) <= 4


def test_paused_time_stands_still(clock: Clock, watch: Watch) -> None:
    told: list[bool] = []
    clock.running_changed.connect(told.append)
    clock.toggle()
    clock.toggle()
    assert pass_time(clock, watch, 1.0, 30) == 0
    assert told == [True, False]
    assert clock.rate == 0.0


def test_steps_pause_and_take_the_held_keys_along(clock: Clock) -> None:
    clock.run()
    clock.keys.forward = 1.0
    x = clock.document.sim.player.origin()[0]
    clock.step(10)
    assert not clock.is_running
    assert clock.document.sim.tick_number == 10
    assert clock.document.sim.player.origin()[0] > x + 0.5


def test_ten_steps_are_told_as_one_change(clock: Clock) -> None:
    changes: list[int] = []
    clock.document.changed.connect(lambda: changes.append(clock.document.sim.tick_number))
    clock.step(10)
    clock.step(1)
    assert changes == [10, 11]


def test_a_door_is_used_once(clock: Clock) -> None:
    door = clock.document.sim.population.doors[0]
    clock.keys.use = door.id
    clock.step(2)
    assert door.is_open
    assert clock.keys.use == 0


def test_without_a_world_nothing_runs_and_it_says_why() -> None:
    clock = Clock(Document(Session()))
    clock.run()
    clock.step(3)
    assert not clock.is_running
    assert clock.why_not == "Open a world first."


def test_a_player_who_is_nowhere_has_to_be_teleported_first(clock: Clock) -> None:
    clock.document.sim.player.steered.leave_cell()
    assert "in no cell" in clock.why_not


def test_many_steps_leave_the_window_its_turn_and_all_are_taken(clock: Clock, watch: Watch, qtbot: QtBot) -> None:
    clock.document.ticked.connect(lambda report: setattr(watch, "seconds", watch.seconds + 0.01))
    before = clock.document.sim.tick_number
    clock.step(100)
    assert clock.is_stepping
    assert clock.document.sim.tick_number - before < 10
    qtbot.waitUntil(lambda: not clock.is_stepping)
    assert clock.document.sim.tick_number - before == 100


@pytest.mark.parametrize("command", ["pause", "step", "back", "run", "scrub"])
def test_whatever_else_is_done_with_time_ends_the_steps(clock: Clock, watch: Watch, command: str) -> None:
    clock.document.ticked.connect(lambda report: setattr(watch, "seconds", watch.seconds + 0.01))
    clock.step(100)
    if command == "scrub":
        clock.document.go_to(1)
    else:
        getattr(clock, command)()
    assert not clock.is_stepping
    clock.pause()
