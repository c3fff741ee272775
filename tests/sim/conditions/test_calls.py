"""Conditions on the records of a capture, against the same conditions on the ticks that wrote them."""

from __future__ import annotations

import dataclasses
import io
import itertools
from collections.abc import Iterable
from pathlib import Path

import pytest

from engine.build.built import BuiltWorld
from engine.physics.rules import ACE, RETAIL
from engine.sim.captures.live.follower import Followed, Follower, Turn
from engine.sim.captures.writer import CaptureWriter
from engine.sim.conditions.calls import CallConditions
from engine.sim.conditions.not_of_calls import NOT_ASKED, why_not_of_calls
from engine.sim.conditions.primitives import PRIMITIVES
from engine.sim.conditions.reading import Misread, read_condition
from engine.sim.conditions.watch import ConditionWatch
from engine.sim.conditions.words import Condition, Need, Slot, need_of
from engine.sim.errors import SimError
from engine.sim.tick.controls import Controls
from tests.sim.helpers.small_worlds import RUN, built, furnished, open_rooms, standing
from tests.sim.live.captures import follow_all, lines, rooms

LEFT = Controls(side_step=-1.0, run=True)
JUMP = Controls(forward=1.0, run=True, jump=True)
LEGS = ((40, RUN), (3, JUMP), (40, RUN), (25, LEFT), (30, Controls(forward=1.0, turn=1.0)))
"""Ticks and keys: into what stands there, over it, and along the walls."""
OFF_THE_LEDGE = ((30, RUN), (30, Controls(side_step=1.0)))
WORLDS = {"furnished": (furnished, "room", (5.0, 1.5), 0.0), "rooms": (open_rooms, "hall", (1.0, 2.0), 90.0)}

VALUES = {
    Slot.NUMBER: ("0.05", "3"),
    Slot.CELL: ("0x00070100", "0x00070101"),
    Slot.DOOR: ("door",),
    Slot.THING: ("walls", "crate"),
}


def condition(text: str) -> Condition:
    found = read_condition(text)
    assert not isinstance(found, Misread), found.sentence
    return found


def texts() -> list[str]:
    """Every primitive that a capture answers, with values that hold now and then."""
    found = []
    for primitive in PRIMITIVES:
        if primitive.id in NOT_ASKED:
            continue
        slots = [item for item in primitive.items if isinstance(item, Slot)]
        for values in itertools.product(*(VALUES[slot] for slot in slots)):
            given = iter(values)
            words = [next(given) if isinstance(item, Slot) else "".join(item) for item in primitive.items]
            found.append(" ".join(word for word in words if word not in ("m", "m/s", "in a tick")))
    return [*found, "slides and not in water", "not in contact or blocked by walls", "not (indoors and slides)"]


def walked(
    world: BuiltWorld, room: str, at: tuple[float, ...], heading: float, legs: Iterable[tuple[int, Controls]] = LEGS
) -> tuple[bytes, list[list[str]]]:
    """A walk as a client records it, and what held in each of its ticks."""
    sim = standing(world, room, at, heading)
    stream = io.StringIO()
    sim.watch(sim.player.id, CaptureWriter(stream, sim.player.steered))
    heard: list[list[str]] = []
    ConditionWatch(sim, [condition(text) for text in texts()], lambda tick, found: heard.append(found))
    for count, controls in legs:
        for _ in range(count):
            before = stream.tell()
            sim.tick(controls)
            if stream.tell() == before:
                heard.pop()  # he stood still: no client resolves that
    sim.close()
    return stream.getvalue().encode(), heard


def reached_by(path: Path, world: BuiltWorld, texts: list[str], rules: str = RETAIL) -> list[dict[int, str]]:
    """For each condition the records of which it holds, with what made it."""
    follower = Follower(path, world.load())
    asked = [CallConditions([condition(text)], rules) for text in texts]
    follower.name_causes(rules if any(each.needs_causes for each in asked) else "")
    found: list[dict[int, str]] = [{} for _ in texts]

    def until(followed: Followed) -> str:
        for each, held in zip(asked, found, strict=True):
            why = each.held(followed, follower)
            if why:
                held[followed.number] = why
        return "stop" if followed.number % 3 else ""

    turn = Turn()
    while turn or not turn.is_idle:
        turn = follower.turn(50, until=until)
        assert turn.reached == ("stop" if turn.records and turn.records[-1].number % 3 else "")
    follower.close()
    return found


def reached(path: Path, world: BuiltWorld, text: str, rules: str = RETAIL) -> dict[int, str]:
    return reached_by(path, world, [text], rules)[0]


@pytest.mark.parametrize("name", WORLDS)
def test_a_capture_answers_as_the_ticks_did_that_wrote_it(name: str, tmp_path: Path) -> None:
    make, *start = WORLDS[name]
    world = built(make)
    path = tmp_path / "live.jsonl"
    data, heard = walked(world, *start)  # type: ignore[arg-type]  # a room, a place in it and a heading
    path.write_bytes(data)
    assert len(heard) > 80
    for number, (text, found) in enumerate(zip(texts(), reached_by(path, world, texts()), strict=True)):
        if need_of(condition(text)) is Need.RULES:
            continue  # the ticks of both sets end otherwise than their sweeps: they bounce and fall too
        assert found == {at: each[number] for at, each in enumerate(heard) if each[number]}, text


def test_what_the_walks_answer_is_no_silence(tmp_path: Path) -> None:
    held = set()
    for make, *start in WORLDS.values():
        heard = walked(built(make), *start)[1]  # type: ignore[arg-type]  # as above
        held |= {text for found in heard for text in found if text}
    assert {"blocked by walls", "slides along walls", "contact lost", "lands", "cell changes", "blocked"} <= held


@pytest.mark.parametrize("primitive", NOT_ASKED)
def test_what_no_record_says_is_refused_with_a_sentence(primitive: str) -> None:
    form = next(each for each in PRIMITIVES if each.id == primitive)
    text = f"indoors or not {form.form.replace('X', 'door')}"
    assert why_not_of_calls(condition(text)).startswith(f"“{form.form}”: a capture says nothing of ")
    with pytest.raises(SimError):
        CallConditions([condition(text)], RETAIL)
    assert why_not_of_calls(condition("indoors and blocked by door")) == ""


def test_the_client_is_believed_and_not_the_replay(tmp_path: Path) -> None:
    world, records = rooms()
    path = tmp_path / "live.jsonl"
    x, y, z = records[4].result.position
    far = dataclasses.replace(records[4].result, position=(x, y, z + 3.0), is_on_ground=False)
    after = records[4].after
    assert after is not None
    altered = dataclasses.replace(records[4], result=far, after=dataclasses.replace(after, transient_state=0))
    path.write_bytes(lines([*records[:4], altered, *records[5:]]))
    assert reached(path, world, "z rises by more than 2 m") == {4: "z rises by more than 2 m"}
    assert reached(path, world, "contact lost") == {4: "contact lost"}


def test_a_record_without_bodies_has_its_footing(tmp_path: Path) -> None:
    world, records = rooms()
    path = tmp_path / "live.jsonl"
    bare = [dataclasses.replace(record, before=None, after=None) for record in records]
    path.write_bytes(lines(bare))
    assert len(reached(path, world, "on the ground")) == len(records)


def test_no_cell_is_a_cell_that_is_none(tmp_path: Path) -> None:
    world, records = rooms()
    path = tmp_path / "live.jsonl"
    lost = dataclasses.replace(records[3], result=dataclasses.replace(records[3].result, cell_id=0))
    path.write_bytes(lines([*records[:3], lost]))
    assert reached(path, world, "not in any cell") == {3: "not in any cell"}


def test_records_of_others_and_of_nowhere_stop_nothing(tmp_path: Path) -> None:
    world, records = rooms()
    path = tmp_path / "live.jsonl"
    other = dataclasses.replace(records[2], input=dataclasses.replace(records[2].input, moving_entity_id=0x77))
    nowhere = dataclasses.replace(records[3], input=dataclasses.replace(records[3].input, cell_id=0x12340101))
    path.write_bytes(lines([*records[:2], other, nowhere, *records[4:6]]))
    assert set(reached(path, world, "not blocked")) == {0, 1, 4, 5}
    assert set(reached(path, world, "not rules disagree")) == {0, 1, 4, 5}


@pytest.mark.parametrize("rules", [RETAIL, ACE])
def test_rules_disagree_where_both_replays_do(rules: str, tmp_path: Path) -> None:
    world, path = built(furnished), tmp_path / "live.jsonl"
    path.write_bytes(walked(world, "room", (8.0, 8.0, 2.5), 220.0, OFF_THE_LEDGE)[0])
    follower = Follower(path, world.load())
    wanted = []
    for followed in follow_all(follower).records:
        retail, ace = ((each.result.ok, each.result.cell_id, each.result.position) for each in followed.replays)
        wanted += [followed.number] if retail != ace else []
    follower.close()
    assert 0 < len(wanted) < 60
    assert list(reached(path, world, "rules disagree", rules)) == wanted
