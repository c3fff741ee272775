"""Scripts: each order takes effect, and an error names file and line of a wrong one."""

from __future__ import annotations

import pytest

from engine.entities import events
from engine.physics.errors import PhysicsError
from engine.physics.flags import ETHEREAL
from engine.sim.edits.entities import MoveEntity
from engine.sim.edits.player import FacePlayer
from engine.sim.script import ScriptError, StartPlace, parse_place, parse_script
from engine.sim.tick.report import TickReport
from engine.sim.tick.simulation import Simulation
from engine.world.faults import WorldError
from tests.sim.helpers.small_worlds import big_hall, built, feet, standing, two_rooms


def hall() -> Simulation:
    """The player in the middle of an empty hall, facing north."""
    return standing(built(big_hall), "hall", (20.0, 20.0))


def follow(sim: Simulation, text: str) -> list[TickReport]:
    return list(parse_script(text, "walk.txt", {"corner": StartPlace(0x00070100, (2.0, 3.0, 0.0), 45.0)}).run(sim))


@pytest.mark.parametrize(
    ("text", "end"),
    [
        ("forward 2s", (20.0, 26.24)),
        ("forward 30t", (20.0, 23.12)),
        ("run forward 1s", (20.0, 29.5)),
        ("back 1s", (20.0, 17.972)),
        ("left 1s", (18.44, 20.0)),
        ("right 1s run", (23.705, 20.0)),
        ("forward 1s\nface 90\nforward 1s", (23.12, 23.12)),
        ("turn right 90\nforward 1s", (23.12, 20.0)),
        ("turn left 90 run\nforward 1s", (16.88, 20.0)),
        ("teleport corner\nface 0\nforward 1s", (2.0, 6.12)),
        ("teleport 0x00070100,5,6,0,180\nforward 1s", (5.0, 2.88)),
        ("set run_skill 800\nforward run 1s", (20.0, 38.0)),
        ("# nothing\n\n   wait 1s  # at all\n", (20.0, 20.0)),
    ],
)
def test_orders_move_the_feet(text: str, end: tuple[float, float]) -> None:
    sim = hall()
    follow(sim, text)
    assert feet(sim)[:2] == pytest.approx(end, abs=5e-3)


def test_every_tick_is_reported_in_turn() -> None:
    reports = follow(hall(), "forward 1s\nwait 10t\nturn left 30")
    assert [report.tick for report in reports] == list(range(30 + 10 + 10))


@pytest.mark.parametrize("angle", [7.0, 30.0, 91.5, 359.0])
def test_a_turn_ends_at_its_angle_however_the_ticks_fall(angle: float) -> None:
    sim = hall()
    follow(sim, f"turn right {angle}")
    assert sim.player.steered.place.turn.heading() == pytest.approx(angle, abs=1e-4)


def test_a_jump_takes_off_and_land_waits_for_the_ground() -> None:
    sim = hall()
    reports = follow(sim, "jump 0.5 forward\nland\nwait 1t")
    assert [report.jumped for report in reports].count(True) == 1
    assert reports[-2].landed
    assert feet(sim)[1] > 20.5


def test_land_does_nothing_on_the_ground() -> None:
    assert follow(hall(), "land") == []


def test_doors_are_used_by_id_or_name() -> None:
    world = built(two_rooms)
    for which in (f"0x{world.entity('door').guid:08X}", '"door"', "door"):
        sim = standing(world, "hall", (3.0, 2.0))
        reports = follow(sim, f"use {which}\nwait 1t")
        assert [event.what for event in reports[0].events] == [events.OPENING]


def test_doors_can_be_opened_closed_locked_and_unlocked() -> None:
    sim = standing(built(two_rooms), "hall", (3.0, 2.0))
    reports = follow(sim, "lock door\nopen door\nwait 1s\nclose door\nwait 1s\nunlock door\nwait 1t")
    assert [event.what for report in reports for event in report.events] == [
        events.LOCKED,
        events.OPENING,
        events.OPENED,
        events.CLOSING,
        events.CLOSED,
        events.UNLOCKED,
    ]


def test_state_bits_and_rules_can_be_switched() -> None:
    sim = standing(built(two_rooms), "hall", (3.0, 2.0))
    follow(sim, "state door on 0x4\nrule max_steps ace")
    assert sim.population.state_of(sim.population.doors[0].id) & ETHEREAL
    assert sim.rules.form("max_steps") == "ace"
    follow(sim, "state door off 4\nrules retail")
    assert not sim.population.state_of(sim.population.doors[0].id) & ETHEREAL
    assert sim.rules.form("max_steps") == "retail"


@pytest.mark.parametrize(
    ("line", "reason"),
    [
        ("dance", "'dance' is not a command"),
        ("forward", "held for a time"),
        ("forward 2", "not a time"),
        ("forward 2s 3s", "held for a time"),
        ("forward fast 2s", "not a key"),
        ("wait", "write wait 30s"),
        ("wait -1s", "not a time"),
        ("wait nans", "not a usable number"),
        ("wait 1e9s", "not a time to wait"),
        ("turn around", "turn left 90"),
        ("turn left far", "not a number"),
        ("turn left -5", "not an angle"),
        ("face", "face 270"),
        ("jump", "the power"),
        ("jump 2", "power from 0 to 1"),
        ("teleport nowhere", "not a place"),
        ("teleport 0x0007,1,2,3", "eight"),
        ("set wings 2", "the names are"),
        ("set radius", "the names are"),
        ("rule gravity ace", "the rules are"),
        ("rules both", "rule sets"),
        ("state door 4", "state ID on"),
        ("state door on four", "not a set of bits"),
        ("use", "use 0x7A9B4015"),
        ('use "door', "No closing quotation"),
    ],
)
def test_an_error_names_file_and_line_of_a_wrong_order(line: str, reason: str) -> None:
    with pytest.raises(ScriptError) as caught:
        parse_script(f"wait 1s\n{line}\n", "walk.txt")
    assert str(caught.value).startswith("walk.txt: line 2: ")
    assert reason in str(caught.value)


@pytest.mark.parametrize(
    ("line", "reason"),
    [
        ("use 0x12345678", "no entity"),
        ("use 0xdoor", "not an id"),
        ("open window", "there are 0 entities 'window'; the world has \"door\""),
        ("teleport 0x00070177,1,1,0", "no cell"),
        ("set radius 0", "not a valid radius"),
        ("set burden 3\njump 0.2", "no way to jump"),
    ],
)
def test_an_error_names_file_and_line_of_an_impossible_order(line: str, reason: str) -> None:
    sim = standing(built(two_rooms), "hall", (3.0, 2.0))
    with pytest.raises(ScriptError) as caught:
        follow(sim, f"wait 1t\n{line}")
    assert "walk.txt: line " in str(caught.value)
    assert reason in str(caught.value)


def test_land_gives_up_after_its_time_limit() -> None:
    sim = hall()
    sim.apply_edit(MoveEntity(sim.player.id, sim.graph.current_id, 20.0, 20.0, 9.0, 0.0))
    with pytest.raises(ScriptError, match=r"no ground within 0\.2 s"):
        follow(sim, "land 0.2s")


def test_positions_are_read_with_and_without_a_heading() -> None:
    assert parse_place("0xC95B0104, 1, 2.5, -3") == StartPlace(0xC95B0104, (1.0, 2.5, -3.0), 0.0)
    assert parse_place("0xc95b0104,1,2,3,270") == StartPlace(0xC95B0104, (1.0, 2.0, 3.0), 270.0)
    with pytest.raises(WorldError, match="inf"):
        parse_place("0xC95B0104,1,2,inf")


def test_an_error_not_caused_by_the_script_is_not_hidden() -> None:
    sim = hall()
    with pytest.raises(PhysicsError):
        sim.apply_edit(FacePlayer(float("nan")))
