"""The kinds of bodies: players against each other, guests of a house, and a body wedged into a corner (physics.md 5.3,
6.5, 8.7)."""

from __future__ import annotations

import pytest

from engine.build import WorldBuilder, rect
from engine.build.shapes.furniture import person
from engine.entities.player import player_names
from engine.physics.errors import PhysicsError
from engine.sim.edits.entities import AddEntity, SetVelocity, spec_text
from engine.sim.edits.player import SetPlayerNumber
from engine.sim.tick.controls import Controls
from engine.sim.tick.simulation import Simulation
from engine.world.entity_limits import PLAYER_ID
from engine.world.entity_spec import EntitySpec
from tests.sim.helpers.small_worlds import FALLS, FORWARD, built, feet, hold, standing, with_people

OTHER = 0x50000077
BARRIER = 0x7C0000AA


def add(sim: Simulation, guid: int, kind: str, at: tuple[float, float], **extra: object) -> None:
    """Another of the people present."""
    there = next(spec for spec in sim.world.entities if spec.kind == "creature")
    frame = there.frame.with_origin((at[0], at[1], 0.0))
    spec = EntitySpec(guid, "other", kind, there.setup_id, there.cell_id, frame, FALLS, extra=extra)
    sim.apply_edit(AddEntity(spec_text(spec)))


def meeting(**extra: object) -> Simulation:
    """Another player 2 m north of the player, who faces him."""
    sim = standing(built(with_people), "hall", (20.0, 5.0), 0.0)
    add(sim, OTHER, "player", (20.0, 7.0), **extra)
    return sim


def walks_through(sim: Simulation) -> bool:
    hold(sim, 1.5, FORWARD)
    return feet(sim)[1] > 8.0


@pytest.mark.parametrize(
    ("status", "extra", "through"),
    [
        pytest.param("", {}, True, id="two ordinary players"),
        pytest.param("pk", {"pk": True}, False, id="two player killers"),
        pytest.param("pk", {}, True, id="a player killer and an ordinary player"),
        pytest.param("pk", {"pklite": True}, True, id="a player killer and a lite one"),
        pytest.param("pklite", {"weenie_bits": 0x2000008}, False, id="two lite ones, one by the server's bits"),
        pytest.param("impenetrable", {}, False, id="one of them is impenetrable"),
        pytest.param("", {"impenetrable": True}, False, id="the other one is impenetrable"),
    ],
)
def test_players_collide_with_each_other_by_their_kind(status: str, extra: dict[str, object], through: bool) -> None:
    sim = meeting(**extra)
    if status:
        sim.apply_edit(SetPlayerNumber(status, 1.0))
        assert sim.player.number(status) == 1.0
    assert walks_through(sim) == through


@pytest.mark.parametrize(("extra", "through"), [({}, True), ({"pk": True}, False)])
def test_a_pushed_player_collides_by_his_kind_too(extra: dict[str, object], through: bool) -> None:
    sim = meeting(**extra)
    sim.apply_edit(SetPlayerNumber("pk", 1.0))
    for _ in range(40):
        sim.apply_edit(SetVelocity(OTHER, 0.0, -3.0, 0.0))
        sim.tick()
    y = sim.population.entity(OTHER).origin()[1]
    assert (y < 5.0) == through


def test_the_players_kind_is_part_of_the_state() -> None:
    sim = meeting()
    before = sim.snapshot()
    ordinary = sim.state_hash()
    sim.apply_edit(SetPlayerNumber("pk", 1.0))
    assert sim.state_hash() != ordinary
    assert sim.player.skills().player_killer
    sim.restore(before)
    assert sim.state_hash() == ordinary
    assert sim.player.number("pk") == 0.0
    assert walks_through(sim)


def test_the_players_kind_accepts_only_booleans() -> None:
    assert "bypass" in player_names()
    with pytest.raises(PhysicsError, match=r"a player is pk \(1\) or is not \(0\), not 0.5"):
        meeting().apply_edit(SetPlayerNumber("pk", 0.5))


# --- barriers


def lodge() -> WorldBuilder:
    """A hall with a creature in it and a study east of it, with a doorway between them."""
    world = WorldBuilder()
    hall = world.room("hall", rect(0, 0, 6, 4))
    study = world.room("study", rect(6.2, 0, 4, 4))
    world.doorway(hall, study, width=1.3)
    world.entity("porter", "creature", person(1.8), hall, (1.0, 1.0), state=FALLS)
    return world


def guarded(**extra: object) -> Simulation:
    """The player in the hall, with a barrier on the study if its settings are given."""
    sim = standing(built(lodge), "hall", (4.5, 2.0), 90.0)
    study = sim.graph.get_visible(built(lodge).cell_id("study"))
    assert study is not None
    study.restriction_object = BARRIER
    if extra:
        add(sim, BARRIER, "barrier", (1.0, 3.0), **extra)
    return sim


def goes_in(sim: Simulation) -> bool:
    hold(sim, 2.0, FORWARD)
    return feet(sim)[0] > 7.0


@pytest.mark.parametrize(
    ("extra", "lets_in"),
    [
        pytest.param({}, False, id="it is not there"),
        pytest.param({"guests": [OTHER]}, False, id="it knows somebody else"),
        pytest.param({"guests": [OTHER, PLAYER_ID]}, True, id="it knows the player"),
        pytest.param({"guests": "all"}, True, id="it is open to all"),
        pytest.param({"guests": [True, 1.5, None]}, False, id="its guests are nobody"),
    ],
)
def test_a_house_admits_the_guests_of_its_barrier(extra: dict[str, object], lets_in: bool) -> None:
    assert goes_in(guarded(**extra)) == lets_in


def test_a_player_who_may_bypass_restrictions_enters_anyway() -> None:
    sim = guarded()
    sim.apply_edit(SetPlayerNumber("bypass", 1.0))
    assert goes_in(sim)


# --- corners


def test_a_body_wedged_into_a_corner_can_turn_around_and_walk_out() -> None:
    sim = standing(built(with_people), "hall", (38.0, 38.0), 45.0)
    wedged = hold(sim, 2.0, FORWARD)[-1]
    assert wedged.blocked
    hold(sim, 2.0, Controls(forward=1.0, turn=1.0))
    assert feet(sim)[1] < 39.0
    assert sim.player.steered.place.turn.heading() == pytest.approx(225.0, abs=1.0)
