"""A project's file: its contents come back, and anything else in it is a ProjectError with a reason."""

from __future__ import annotations

import os
import random
from collections.abc import Callable
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from editor.document.undo_stack import Step
from editor.project import project_file
from editor.project.project import Project, ProjectError, relative_source
from editor.project.project_file import load_project, parse_project, project_bytes, save_project
from engine.sim.edits.catalogue import EDITS, FIELDS, edit_of
from engine.sim.edits.cells import ReplaceCell
from engine.sim.edits.doors import CloseDoor, LockDoor, OpenDoor, SetDoorTimer
from engine.sim.edits.player import FacePlayer, SetPlayerNumber
from engine.sim.edits.rules import SetRuleSet
from engine.world.names import NameChange, NameKey, clean_name
from tests.systems import NOT_THERE

KNOWN = [0, 1, -1, 0x00070100, 0x00070101, 0x0007FFFF, 0x70007001, 0x50000001, 0xFFFFFFFF]
"""Numbers that mean something in a world of two rooms with a door."""
words = st.one_of(st.integers(-(2**62), 2**62), st.sampled_from(KNOWN), st.sampled_from(KNOWN))
numbers = st.one_of(st.floats(allow_nan=False, allow_infinity=False), st.integers(-1000, 1000))
texts = st.text(st.characters(exclude_categories=["Cs"], exclude_characters="\0"), max_size=20)
spoken = st.one_of(texts, st.sampled_from(["retail", "ace", "height", "radius", "pk", "max_steps"]))
things = st.sampled_from([NameKey.cell(0x00070100), NameKey.portal(0x00070100, 1), NameKey.model(0x02000001)])
KINDS = {"int": words, "float": numbers, "str": spoken, "bool": st.booleans(), "bytes": st.binary(max_size=40)}
names = st.sampled_from(sorted(set(EDITS) - {"put_back"}))
edits = names.flatmap(
    lambda name: st.tuples(*(KINDS[kind] for _, kind in FIELDS[name])).map(lambda values: edit_of(name, values))
)
some = st.lists(edits, max_size=4).map(tuple)
names_of_things = st.dictionaries(things, texts.map(clean_name), max_size=3)
renames = st.builds(
    Step,
    texts,
    st.just(()),
    st.just(()),
    st.just(""),
    st.dictionaries(things, st.tuples(texts.map(clean_name), texts.map(clean_name)), min_size=1, max_size=3).map(
        lambda made: tuple(NameChange(key, *made[key]) for key in sorted(made, key=lambda key: key.order))
    ),
)
blocks = st.integers(0, 0xFFFF).map(lambda high: high << 16 | 0xFFFF)
projects = st.builds(
    Project,
    source=st.just("demo"),
    world=texts,
    scene=st.none() | texts,
    place=st.integers(0, 0xFFFFFFFF),
    landblock=st.none() | blocks,
    tick=st.integers(0, 10**6),
    identity=st.dictionaries(blocks.map(lambda block: f"0x{block:08X}"), texts, max_size=3),
    joined=st.lists(blocks, max_size=3).map(tuple),
    steps=st.lists(st.builds(Step, texts, some, some) | renames, max_size=4).map(tuple),
    now=some,
    saved=texts,
    unsaved=st.integers(0, 9),
    file=texts,
    within=st.sampled_from(["", "demo"]),
    names=names_of_things,
)


def example() -> Project:
    """One with every kind of argument."""
    door, room = OpenDoor(0x7C95B001), ReplaceCell(b"\x01\x01\x07\x00" * 9, b"")
    lock, timer = LockDoor(0x7C95B001, True), SetDoorTimer(0x7C95B001, -1)
    steps = (
        Step("Open Front Door", (door,), (CloseDoor(0x7C95B001), timer)),
        Step("Stab list of 0x00070101", (room,), (ReplaceCell(b"\x01\x01\x07\x00" * 8, b""),)),
        Step("Ace", (SetRuleSet("ace"), SetPlayerNumber("height", 1.7)), (FacePlayer(12.5),)),
    )
    return Project("../data", "house", landblock=0x0007FFFF, steps=steps, now=(door, lock), identity={"entities": "ab"})


def resealed(data: bytes) -> bytes:
    """With the checksum of what it is now, as somebody would write it who means harm."""
    at = data.rfind(b'\n"checksum": "')
    return data if at < 0 else data[:at] + b'\n"checksum": "' + project_file._checksum(data[:at]) + b'"\n}\n'


@given(projects)
def test_a_project_comes_back_from_its_bytes(project: Project) -> None:
    assert parse_project(project_bytes(project), "x.cellardoor") == project


def test_a_file_can_be_read_by_people() -> None:
    lines = project_bytes(example()).decode().splitlines()
    assert lines[1] == '"cellar_door_project": 1,'
    assert (
        '{"name": "Open Front Door", "edits": [["open_door", "0x7C95B001"]], '
        '"back": [["close_door", "0x7C95B001"], ["set_door_timer", "0x7C95B001", -1]]},'
    ) in lines


def test_line_ends_of_another_system_are_no_damage() -> None:
    data = project_bytes(example())
    assert parse_project(data.replace(b"\n", b"\r\n"), "x") == example()


def test_bytes_that_come_twice_are_written_once() -> None:
    room = ReplaceCell(os.urandom(3000), b"")
    one = project_bytes(Project("demo", "demo", now=(room,)))
    many = project_bytes(Project("demo", "demo", now=(room,) * 50))
    assert len(many) - len(one) < 50 * 40


def test_every_cut_is_a_sentence() -> None:
    data = project_bytes(example())
    for length in range(len(data)):
        with pytest.raises(ProjectError) as told:
            parse_project(data[:length], "x.cellardoor")
        assert told.value.file == "x.cellardoor"
        assert told.value.reason


def _flip(data: bytes, dice: random.Random) -> bytes:
    at = dice.randrange(len(data))
    return data[:at] + bytes([dice.randrange(256)]) + data[at + 1 :]


def _drop(data: bytes, dice: random.Random) -> bytes:
    at = dice.randrange(len(data))
    return data[:at] + data[at + dice.randrange(1, 40) :]


def _double(data: bytes, dice: random.Random) -> bytes:
    at = dice.randrange(len(data))
    return data[:at] + data[max(0, at - 40) :]


def _swap(data: bytes, dice: random.Random) -> bytes:
    """A value for another one."""
    lines = data.split(b"\n")
    at = dice.randrange(len(lines))
    parts = lines[at].split(b" ")
    values = [
        b"null",
        b"[]",
        b"{}",
        b"-1",
        b"1e400",
        b"NaN",
        b"true",
        b'"0x7C95B001"',
        b'"x"',
        b"9" * 5000,
        b"[" * 3000,
    ]
    parts[dice.randrange(len(parts))] = dice.choice(values) + dice.choice([b"", b","])
    lines[at] = b" ".join(parts)
    return b"\n".join(lines)


@pytest.mark.parametrize("change", [_flip, _drop, _double, _swap])
def test_mutated_files_are_refused_with_file_and_reason_or_hold_a_project(
    change: Callable[[bytes, random.Random], bytes],
) -> None:
    """As they are, the checksum refuses them; with a checksum that fits, what they hold is checked."""
    data, dice = project_bytes(example()), random.Random(5)
    refused = []
    for _ in range(700):
        changed = data
        for _ in range(dice.choice([1, 1, 1, 3])):
            changed = change(changed, dice)
        for form in (changed, resealed(changed)):
            try:
                project_bytes(parse_project(form, "x.cellardoor"))
            except ProjectError as error:
                refused.append((error.file, bool(error.reason)))
            else:
                assert form is not changed or changed == data
    assert len(refused) > 700
    assert set(refused) == {("x.cellardoor", True)}


@pytest.mark.parametrize(
    ("old", "new", "reason"),
    [
        (b'"cellar_door_project": 1', b'"cellar_door_project": 2', "version 2"),
        (b'"cellar_door_project": 1', b'"cellar_door_project": "', "version"),
        (b'"open_door"', b'"explode"', "explode"),
        (b'"open_door", "0x7C95B001"', b'"open_door"', "takes 1"),
        (b'"open_door"', b'"put_back"', "put_back"),
        (b'"lock_door", "0x7C95B001", true', b'"lock_door", "0x7C95B001", 1', "lock_door"),
        (b'"replace_cell", 0', b'"replace_cell", 7', "replace_cell"),
        (b'"source": "../data"', b'"source": 5', "source"),
        (b'"source": "../data"', b'"source": "\\udc80"', "source"),
        (b'"landblock": "0x0007FFFF"', b'"landblock": "0x00070100"', "0x00070100"),
        (b'"tick": 0', b'"tick": -1', "tick"),
    ],
)
def test_what_is_wrong_is_named(old: bytes, new: bytes, reason: str) -> None:
    data = project_bytes(example())
    assert old in data
    with pytest.raises(ProjectError) as told:
        parse_project(resealed(data.replace(old, new, 1)), "x.cellardoor")
    assert reason in str(told.value)


def test_bytes_that_would_fill_the_memory_are_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    data = project_bytes(Project("demo", "demo", now=(ReplaceCell(bytes(100_000), b""),)))
    monkeypatch.setattr(project_file, "MAX_BLOB", 50_000)
    with pytest.raises(ProjectError, match="more than the 50,000 bytes"):
        parse_project(data, "x")


def test_a_file_that_is_not_there_or_no_project_says_so(tmp_path: Path) -> None:
    (tmp_path / "other.cellardoor").write_bytes(b'{"cells": []}')
    (tmp_path / "empty.cellardoor").write_bytes(b"")
    for name, reason in (
        ("no", NOT_THERE),
        ("other", "is not a project file"),
        ("empty", "is not a project file"),
    ):
        with pytest.raises(ProjectError, match=reason):
            load_project(tmp_path / f"{name}.cellardoor")
    with pytest.raises(ProjectError, match="cannot be read"):
        load_project(tmp_path)


def test_a_nearby_source_is_relative_to_the_project_and_moves_with_it(tmp_path: Path) -> None:
    here = tmp_path / "a" / "projects"
    here.mkdir(parents=True)
    data = tmp_path / "a" / "data"
    save_project(Project(str(data), "house"), here / "house.cellardoor")
    assert load_project(here / "house.cellardoor").source == "../data"
    (tmp_path / "a").rename(tmp_path / "b")
    moved = tmp_path / "b" / "projects"
    assert load_project(moved / "house.cellardoor").source_from(moved) == str(tmp_path / "b" / "data")


def test_a_source_far_away_keeps_its_whole_path(tmp_path: Path) -> None:
    deep = tmp_path / "a" / "b" / "c" / "d" / "e"
    assert relative_source(str(tmp_path / "data"), deep) == str(tmp_path / "data")
    assert relative_source("demo", deep) == "demo"


def test_a_failed_save_leaves_the_old_file_and_no_trace(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "house.cellardoor"
    save_project(example(), path)
    before = path.read_bytes()

    def full(handle: int) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(os, "fsync", full)
    with pytest.raises(ProjectError, match="No space left on device") as told:
        save_project(Project("demo", "demo"), path)
    assert told.value.file == str(path)
    assert path.read_bytes() == before
    assert [entry.name for entry in tmp_path.iterdir()] == ["house.cellardoor"]


def test_a_folder_that_is_gone_is_a_sentence(tmp_path: Path) -> None:
    with pytest.raises(ProjectError, match=NOT_THERE):
        save_project(example(), tmp_path / "gone" / "house.cellardoor")
