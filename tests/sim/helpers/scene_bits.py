"""Runs random scenes, and the golden ones if present, and prints a digest of every answer, bit for bit.

`python -m tests.sim.helpers.scene_bits N` takes every Nth move; `test_scene_bits` runs it under both cores and compares
the digests.
"""

from __future__ import annotations

import hashlib
import json
import sys
from collections.abc import Iterator
from typing import Any

from engine.physics.rules import ACE, RETAIL, rule_set
from engine.sim.golden.queries import answer_query
from engine.sim.golden.scene_run import GoldenScene
from engine.world.loader.json_form import JsonNode, read_json
from tests.shared import SHARED
from tests.sim.helpers.random_scenes import SceneMaker
from tests.sim.test_golden_scenes import with_known_actions

RANDOM_SCENES = 8


def scenes() -> Iterator[tuple[str, JsonNode]]:
    for seed in range(RANDOM_SCENES):
        yield f"random {seed}", JsonNode(with_known_actions(SceneMaker(seed).scene()), f"scene {seed}")
    for path in sorted((SHARED / "goldens" / "scenes").glob("*.json")):
        yield path.stem, read_json(path)


def exactly(value: Any) -> Any:
    """With every number exact, down to the sign of a zero."""
    if isinstance(value, dict):
        return {name: exactly(entry) for name, entry in value.items()}
    if isinstance(value, list):
        return [exactly(entry) for entry in value]
    return value.hex() if isinstance(value, float) else value


def main(nth: int) -> None:
    for name, root in scenes():
        for rules in (ACE, RETAIL):
            scene = GoldenScene(root, rule_set(rules))
            answers: list[Any] = [exactly(scene.run_whole(move)) for move in scene.moves[::nth]]
            answers += [exactly(answer_query(scene, query)) for query in scene.queries]
            print(name, rules, hashlib.sha256(json.dumps(answers).encode()).hexdigest())


if __name__ == "__main__":
    main(int(sys.argv[1]))
