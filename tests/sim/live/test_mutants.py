"""Five thousand mutants of a capture's lines: a sentence each, and the following goes on."""

from __future__ import annotations

import random
from pathlib import Path

import pytest

from engine.sim.captures.live.follower import Follower
from tests.files.mutate_bounded import mutated
from tests.sim.live.captures import append, follow_all, line, rooms

MUTANTS = 5_000
ROUNDS = 10


def mutant(text: bytes, chooser: random.Random) -> bytes:
    """A line with values replaced, bytes changed, or an end cut off; still one line."""
    how = chooser.random()
    if how < 0.6:
        text = mutated(text, chooser)
    elif how < 0.8:
        at = chooser.randrange(len(text))
        text = text[:at] + bytes([chooser.randrange(256)]) + text[at + chooser.randrange(3) :]
    else:
        text = text[: chooser.randrange(len(text))]
    return text.replace(b"\n", b" ").replace(b"\r", b" ").strip() or b"?"


@pytest.mark.parametrize("seed", range(ROUNDS))
def test_every_mutant_gets_a_record_or_a_sentence_and_the_following_goes_on(tmp_path: Path, seed: int) -> None:
    world, records = rooms()
    chooser = random.Random(seed)
    path = tmp_path / "live.jsonl"
    follower = Follower(path, world.load())
    made = MUTANTS // ROUNDS
    mutants = [mutant(line(chooser.choice(records)).strip(), chooser) for _ in range(made)]
    path.write_bytes(b"\n".join(mutants) + b"\n" + line(records[0]))
    turn = follow_all(follower)
    assert turn.records[-1].record.where == f"{path}:{made + 1}"
    assert turn.records[-1].replays
    assert all(not difference.differences for difference in turn.records[-1].replays)
    assert len(turn.records) + follower.fault_count >= made + 1
    assert follower.fault_count > made // 4
    for told in turn.told:
        assert told.startswith(f"{path}:"), told
        assert "\n" not in told
        assert len(told) < 1000
    for followed in turn.records:
        followed.stand()
        follower.trace(followed.number, "ace")
    append(path, line(records[1]))
    assert len(follow_all(follower).records) == 1
    follower.close()
