"""A golden scene's moves by two rule sets: the ticks that answer differently (physics.md 13.11, 17.1).

A tick differs if one of its values does by more than the goldens are compared with.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from engine.files.cancelling import check_cancelled
from engine.sim.golden.compare import differing_fields
from engine.sim.golden.form import GoldenAnswers
from engine.sim.golden.scene_run import GoldenScene, Json


@dataclass(frozen=True)
class SceneTick:
    """A tick of a move, and the fields in which its answers differ."""

    move: int
    index: int
    fields: tuple[str, ...]


def scene_answers(scene: GoldenScene, golden: GoldenAnswers | None = None) -> list[list[Json]]:
    """The answers of all moves. With a golden every tick starts from its state before it; without, moves are whole."""
    found = []
    for number, move in enumerate(scene.moves):
        check_cancelled()
        found.append(scene.run_whole(move) if golden is None else scene.run_isolated(move, golden.resumes[number]))
    return found


def scene_differences(first: list[list[Json]], second: list[list[Json]], isolated: bool) -> Iterator[SceneTick]:
    """The ticks that differ between the answers of two rule sets."""
    for move, (one, two) in enumerate(zip(first, second, strict=True)):
        for index, (answer, other) in enumerate(zip(one, two, strict=True)):
            fields = differing_fields(answer, other, isolated)
            if fields:
                yield SceneTick(move, index, tuple(fields))
