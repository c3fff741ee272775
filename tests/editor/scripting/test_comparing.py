"""`compare`: the answers of the command, as values."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

import cellar_door
from cellar_door.main import main
from engine.physics.rule_table import RULE_OF
from tests.editor.scripting.conftest import START
from tests.sim.helpers.small_worlds import built, open_rooms


@pytest.fixture(scope="module")
def demo_walk(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A walk on which the rule sets part: the floor's corner before the inn's kitchen."""
    file = tmp_path_factory.mktemp("walks") / "kitchen.cdrec"
    with cellar_door.open_world("demo") as world:
        run = world.simulation("inn_kitchen")
        run.walk("forward 2s run")
        run.save(file)
    return file


def test_rules_are_named_with_their_sentences_as_the_command_does(
    demo_walk: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    with cellar_door.open_recording(demo_walk) as recording:
        found = cellar_door.compare(recording, rules="ace", corrections=True)
    assert not found.same
    assert found.parts is not None
    assert found.parts.cause is not None
    assert (found.parts.cause.kind, found.parts.cause.names) == ("rules", ("walkable_corner",))
    assert any(RULE_OF["walkable_corner"].ace in sentence for sentence in found.parts.cause.sentences)
    assert len(found.distances) == found.ticks == 60
    assert max(found.distances) == pytest.approx(found.gaps[0].widest)
    assert found.distances[found.parts.tick] == found.parts.distance
    assert found.corrections
    assert main(["compare", str(demo_walk), "--rules", "ace", "--corrections", "--json"]) == 1
    assert json.loads(capsys.readouterr().out) == json.loads(
        json.dumps({**found.data, "first": {**found.data["first"], "name": "retail"}})
    )


def test_single_rules_can_be_given_by_name(demo_walk: Path) -> None:
    with cellar_door.open_recording(demo_walk) as recording:
        alone = cellar_door.compare(recording, rules={"walkable_corner": "ace"})
        assert alone.parts is not None
        assert not cellar_door.compare(recording, rules={"shadow_order": "ace"}).parts
        assert cellar_door.compare(recording, rules="retail").same
        with pytest.raises(cellar_door.RefusedError, match="no rule"):
            cellar_door.compare(recording, rules={"gravity": "ace"})


def test_a_run_is_the_same_as_itself_and_as_it_was_recorded(world: cellar_door.World) -> None:
    with world.simulation(START) as run:
        run.walk("forward 1s\nuse door\nforward 1s")
        assert cellar_door.compare(run, run).same
        recorded = cellar_door.compare(run)
        assert recorded.same
        assert "runs as it was recorded" in recorded.text


def test_other_keys_bodies_and_edits_are_told_apart(world: cellar_door.World) -> None:
    with world.simulation(START) as one, world.simulation(START) as two:
        one.walk("forward 1s")
        two.walk("forward 20t\nback 10t")
        keys = cellar_door.compare(one, two)
        assert keys.parts is not None
        assert keys.parts.cause is not None
        assert (keys.parts.tick, keys.parts.cause.kind) == (20, "keys")
        body = cellar_door.compare(one, body={"radius": 0.3})
        assert body.parts is not None
        assert body.parts.cause is not None
        assert body.parts.cause.names == ("radius 0.3",)
        world.doors["door"].open()
        edits = cellar_door.compare(one, world=world)
        assert edits.parts is not None
        assert edits.parts.cause is not None
        assert "Open door" in edits.parts.cause.names[0]


def test_another_world_is_a_side_too(world: cellar_door.World, tmp_path: Path) -> None:
    with cellar_door.open_world(built(open_rooms).write(tmp_path / "other")) as other, world.simulation(START) as run:
        run.walk("forward 1s")
        found = cellar_door.compare(run, world=other)
    assert found.parts is not None
    assert found.parts.cause is not None
    assert found.parts.cause.kind in ("world", "earlier", "unknown")


def test_only_one_thing_differs(world: cellar_door.World) -> None:
    with world.simulation(START) as run:
        run.tick()
        with pytest.raises(cellar_door.RefusedError, match="give rules or body"):
            cellar_door.compare(run, rules="ace", body={"radius": 0.3})
        with pytest.raises(cellar_door.RefusedError, match="wings"):
            cellar_door.compare(run, body={"wings": 2.0})
