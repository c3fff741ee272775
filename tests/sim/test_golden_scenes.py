"""Scenes in the goldens' form beyond the goldens: random ones, odd ones, and broken ones."""

from __future__ import annotations

import copy
import json
import math
import random
from collections.abc import Iterator
from typing import Any

import pytest

from engine.physics.errors import PhysicsError
from engine.physics.rules import rule_set
from engine.sim.golden.compare import Comparison
from engine.sim.golden.form import golden_answers
from engine.sim.golden.queries import answer_query
from engine.sim.golden.scene_run import GoldenScene
from engine.sim.golden.write import FIELDS, golden_text
from engine.world.faults import WorldError
from engine.world.loader.json_form import JsonNode
from tests.sim.helpers.random_scenes import SceneMaker
from tests.world.loader.scenes import Json


def opened(scene: Json, rules: str = "ace") -> GoldenScene:
    return GoldenScene(JsonNode(scene, "scene.json"), rule_set(rules))


def with_known_actions(scene: Json) -> Json:
    """A random move may name an object that no random object became."""
    there = {thing["id"] for thing in scene["objects"]}
    for move in scene["moves"]:
        if "actions" in move:
            move["actions"] = [action for action in move["actions"] if action["object"] in there]
    return scene


def numbers(value: Any) -> Iterator[float]:
    if isinstance(value, dict):
        for entry in value.values():
            yield from numbers(entry)
    elif isinstance(value, list):
        for entry in value:
            yield from numbers(entry)
    elif isinstance(value, int | float):
        yield float(value)


def whole_answers(scene: GoldenScene) -> list[list[Json]]:
    return [scene.run_whole(move) for move in scene.moves]


def text_of(scene: GoldenScene, answers: list[list[Json]]) -> str:
    moves = [(move.name, move.mode, ticks) for move, ticks in zip(scene.moves, answers, strict=True)]
    return golden_text(scene.name, moves, [answer_query(scene, query) for query in scene.queries])


def check_random_scene(seed: int, rules: str) -> None:
    scene = opened(with_known_actions(SceneMaker(seed).scene()), rules)
    answers = whole_answers(scene)
    golden = golden_answers(JsonNode(json.loads(text_of(scene, answers)), "golden.json"), scene.landblock >> 16)
    for number, move in enumerate(scene.moves):
        isolated = scene.run_isolated(move, golden.resumes[number])
        for tick in [*answers[number], *isolated]:
            assert set(tick) <= set(FIELDS)
            assert all(math.isfinite(number) for number in numbers(tick))
    assert whole_answers(scene) == answers, "a second run in the same world gives other answers"


@pytest.mark.unwatched
@pytest.mark.parametrize("rules", ["ace", "retail"])
@pytest.mark.parametrize("seed", range(8))
def test_a_dense_random_scene_gives_finite_numbers_and_repeats(seed: int, rules: str) -> None:
    check_random_scene(seed, rules)


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(100, 220))
def test_many_dense_random_scenes_give_finite_numbers_and_repeat(seed: int) -> None:
    check_random_scene(seed, "ace")
    check_random_scene(seed, "retail")


# --- broken ones

JUNK: tuple[Any, ...] = (
    None, "x", -1, 0, 1, 70000, 1e300, -1e30, math.nan, math.inf, [], {}, True, [0.0, 0.0, 0.0], [None],
)  # fmt: skip


def broken(rng: random.Random, document: Json) -> Json:
    """The document with one value somewhere replaced or removed."""
    damaged = copy.deepcopy(document)
    node: Any = damaged
    while True:
        keys = list(node) if isinstance(node, dict) else list(range(len(node)))
        key = rng.choice(keys)
        child = node[key]
        if isinstance(child, dict | list) and child and rng.random() < 0.9:
            node = child
            continue
        if isinstance(node, dict) and rng.random() < 0.3:
            del node[key]
        else:
            node[key] = rng.choice(JUNK)
        return damaged


@pytest.mark.unwatched
@pytest.mark.parametrize("seed", range(60))
def test_a_broken_scene_runs_or_is_refused_in_one_sentence(seed: int) -> None:
    rng = random.Random(seed)
    whole = with_known_actions(SceneMaker(seed % 5).scene(objects=4, moves=2))
    refusals = []
    for _ in range(5):
        damaged = broken(rng, whole)
        try:
            scene = opened(damaged)
            whole_answers(scene)
            for query in scene.queries:
                answer_query(scene, query)
        except (WorldError, PhysicsError) as error:
            refusals.append(str(error))
    assert not any("\n" in refusal for refusal in refusals)


@pytest.mark.parametrize("seed", range(60))
def test_a_broken_golden_compares_or_is_refused_in_one_sentence(seed: int) -> None:
    rng = random.Random(seed)
    scene = opened(with_known_actions(SceneMaker(seed % 5).scene(objects=4, moves=2)))
    answers = whole_answers(scene)
    document = json.loads(text_of(scene, answers))
    refusals = []
    for _ in range(5):
        damaged = broken(rng, document)
        try:
            golden = golden_answers(JsonNode(damaged, "golden.json"), scene.landblock >> 16)
        except WorldError as error:
            refusals.append(str(error))
            continue
        result = Comparison()
        for number, ticks in enumerate(golden.resumes[: len(scene.moves)]):
            if len(ticks) == len(answers[number]):
                scene.run_isolated(scene.moves[number], ticks)
                result.add_move("move", answers[number], golden.ticks(number), isolated=False)
        for number, theirs in enumerate(golden.queries[: len(scene.queries)]):
            result.add_query(number, "op", answer_query(scene, scene.queries[number]), theirs)
    assert all(refusal.startswith("golden.json: ") and "\n" not in refusal for refusal in refusals)


def scene_with(**changes: Any) -> Json:
    """A scene of one move without objects; `changes` apply to the move, and `mover__x` and `start__x` to its parts."""
    scene = SceneMaker(1).scene(objects=0, moves=0)
    move: Json = {
        "name": "one",
        "mover": {"spheres": [{"c": [0.0, 0.0, 0.48], "r": 0.48}], "step_up": 0.6, "step_down": 0.4},
        "start": {"cell": 0x100, "origin": [3.0, 4.0, 20.005]},
        "ticks": [{"offset": [0.125, 0.0, 0.0], "repeat": 2}],
    }
    for name, value in changes.items():
        outer, _, inner = name.rpartition("__")
        target = move[outer] if outer else move
        target[inner] = value
    scene["moves"] = [move]
    return scene


@pytest.mark.parametrize(
    ("changes", "sentence"),
    [
        ({"mover__spheres": [{"c": [0, 0, 1], "r": 0}]}, "moves[0].mover.spheres[0].r: is 0, which is out of range"),
        ({"mover__scale": "big"}, 'moves[0].mover.scale: should be a number, is "big"'),
        ({"mover__parts": [{"vertices": []}]}, "moves[0].mover.parts[0]: has no 'polys'"),
        ({"start__quat": [1.0, 1.0, 0.0, 0.0]}, "moves[0].start.quat: is not of length 1"),
        ({"start__cell": 70000}, "moves[0].start.cell: should be 0 to 65535, is 70000"),
        ({"mode": "dance"}, "moves[0].mode: should be transition or update, is 'dance'"),
        ({"mode": "update", "n": 3}, "moves[0]: has no 'dt'"),
        ({"ticks": [{"offset": [1, 2]}]}, "moves[0].ticks[0].offset: should have 3 entries, has 2"),
        (
            {"actions": [{"at": 0, "object": 7, "ethereal": True}]},
            "moves[0].actions[0].object: there is no object 7",
        ),
    ],
)
def test_an_error_in_a_move_is_reported_with_its_location(changes: Json, sentence: str) -> None:
    with pytest.raises(WorldError) as caught:
        opened(scene_with(**changes))
    assert str(caught.value) == f"scene.json: {sentence}"


# --- the range of the form


def first_answers(scene: Json, rules: str = "ace") -> list[Json]:
    loaded = opened(scene, rules)
    return loaded.run_whole(loaded.moves[0])


def test_a_move_within_epsilon_takes_the_offset_without_a_transition() -> None:
    (tick,) = first_answers(scene_with(ticks=[{"offset": [0.0001, -0.0001, 0.0]}]))
    assert tick["ok"]
    assert tick["pos"] == pytest.approx([3.0001, 3.9999, 20.005], abs=1e-6)
    assert "cells" not in tick


def test_the_sweep_refuses_a_start_in_a_missing_cell() -> None:
    tick = first_answers(scene_with(start__cell=0x1FF))[0]
    assert not tick["ok"]
    assert tick["rejected"]
    assert tick["cells"] == []


@pytest.mark.parametrize(("far", "rules"), [(500.0, "ace"), (1e6, "retail"), (1e30, "retail")])
def test_a_move_of_too_many_steps_is_refused(far: float, rules: str) -> None:
    (tick,) = first_answers(scene_with(ticks=[{"offset": [far, 0.0, 0.0]}]), rules)
    assert not tick["ok"]
    assert tick["rejected"]
    assert tick["pos"] == pytest.approx([3.0, 4.0, 20.005])


def test_a_mover_from_another_landblock_names_it_in_its_answers() -> None:
    start = {"block": 0x0001, "cell": 57, "origin": [191.0, 4.0, 20.005]}
    ticks = first_answers(scene_with(start=start, ticks=[{"offset": [-0.2, 0.0, 0.0], "repeat": 2}]))
    assert [tick["block"] for tick in ticks] == [0x0001, 0x0001]


def test_a_mover_does_not_collide_with_an_object_of_its_own_id() -> None:
    barrel = {
        "id": 0x70000001,
        "static": False,
        "cell": 0x100,
        "origin": [3.3, 4.0, 20.0],
        "quat": [1.0, 0.0, 0.0, 0.0],
        "state": 8,
        "cylspheres": [{"low": [0.0, 0.0, 0.0], "r": 0.3, "h": 1.0}],
    }
    scene = scene_with(mover__id=0x70000001)
    scene["objects"] = [barrel]
    assert all("objects" not in tick for tick in first_answers(scene))
    scene["moves"][0]["mover"]["id"] = 0x70000002
    assert any(tick.get("objects") == [0x70000001] for tick in first_answers(scene))


def test_two_objects_of_one_id_both_exist_and_count_as_one() -> None:
    scene = scene_with(ticks=[{"offset": [0.0, 0.1, 0.0], "repeat": 9}])
    scene["moves"][0]["start"]["origin"] = [4.0, 2.5, 20.005]
    scene["objects"] = [
        {
            "id": 0x70000001,
            "static": False,
            "cell": 0x100,
            "origin": [x, 4.0, 20.0],
            "quat": [1.0, 0.0, 0.0, 0.0],
            "state": 8,
            "cylspheres": [{"low": [0.0, 0.0, 0.0], "r": 0.5, "h": 2.0}],
        }
        for x in (3.9, 4.1)
    ]
    ticks = first_answers(scene)
    assert any(tick.get("objects") == [0x70000001] for tick in ticks)
    assert ticks[-1]["pos"][1] < 3.1


def test_an_action_makes_an_object_passable_before_its_tick() -> None:
    scene = scene_with(ticks=[{"offset": [0.1, 0.0, 0.0], "repeat": 10}])
    scene["objects"] = [
        {
            "id": 0x70000001,
            "static": False,
            "cell": 0x100,
            "origin": [4.0, 4.0, 20.0],
            "quat": [1.0, 0.0, 0.0, 0.0],
            "state": 8,
            "cylspheres": [{"low": [0.0, 0.0, 0.0], "r": 0.2, "h": 2.0}],
        }
    ]
    assert first_answers(scene)[-1]["pos"][0] < 3.4
    scene["moves"][0]["actions"] = [{"at": 0, "object": 0x70000001, "ethereal": True}]
    assert first_answers(scene)[-1]["pos"][0] == pytest.approx(4.0)


def test_answers_are_written_as_the_shortest_single_precision_numbers() -> None:
    scene = opened(scene_with())
    text = text_of(scene, whole_answers(scene))
    first = next(line for line in text.splitlines() if line.startswith('{"i":0,'))
    assert '"pos":[3.125,4,' in first
    assert list(json.loads(first.rstrip(","))) == [name for name in FIELDS if name in json.loads(first.rstrip(","))]
