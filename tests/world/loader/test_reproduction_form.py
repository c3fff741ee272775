"""Reproduction files: what goes in comes out, and whatever is wrong with one is one sentence."""

from __future__ import annotations

import json
import random
import struct
import time
import zlib
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from engine.files.kinds import MB
from engine.geometry.frame import Frame
from engine.geometry.quat import normalize
from engine.world.entity_spec import EntitySpec
from engine.world.faults import WorldError
from engine.world.loader.dump_source import Placement
from engine.world.loader.record_file import RecordFile
from engine.world.loader.reproduction.content import (
    CAPTURE,
    DATABASES,
    DUMPS,
    RECORDING,
    RECORDS,
    SCENE,
    Head,
    Reproduction,
)
from engine.world.loader.reproduction.form import parse_reproduction, reproduction_bytes
from engine.world.loader.reproduction.heading import END, MAX_NOTE, clean_note, heading, is_reproduction
from engine.world.loader.reproduction.source import source_of
from engine.world.loader.source_detection import open_world
from engine.world.names import NameKey
from engine.world.world import World
from tests.sim.helpers.small_worlds import built, two_rooms
from tests.world.loader.reproductions import assembled, crowded, sections

BLOCK = 0xC95BFFFF


def head(**changes: object) -> Head:
    made = Head("demo", "data folder", RECORDS, RECORDING, [BLOCK], "1.0")
    for name, value in changes.items():
        setattr(made, name, value)
    return made


words = st.integers(0, 0xFFFFFFFF)
texts = st.text(max_size=30)
numbers = st.floats(-1e4, 1e4)
rotations = st.tuples(*[st.floats(-1.0, 1.0)] * 4).filter(lambda q: sum(abs(part) for part in q) > 0.1).map(normalize)
frames = st.builds(Frame, st.tuples(numbers, numbers, numbers), rotations)
extras = st.dictionaries(texts, st.one_of(st.none(), st.booleans(), st.integers(-(1 << 62), 1 << 62), numbers, texts))


def specs(guids: st.SearchStrategy[int]) -> st.SearchStrategy[EntitySpec]:
    return st.builds(
        EntitySpec,
        guid=guids,
        name=texts,
        kind=texts,
        setup_id=words,
        cell_id=st.just(BLOCK & 0xFFFF0000 | 0x101),
        frame=frames,
        state=words,
        scale=st.floats(0.001, 1000.0),
        extra=extras,
    )


def unlike(found: list[EntitySpec]) -> list[EntitySpec]:
    return list({spec.guid: spec for spec in found}.values())


entity_lists = st.lists(specs(st.integers(1, 0x4FFFFFFF)), max_size=4).map(unlike)
record_keys = st.tuples(st.sampled_from(DATABASES), words)
tables = st.dictionaries(record_keys, st.binary(max_size=200), max_size=6)


@st.composite
def contents(draw: st.DrawFn) -> Reproduction:
    form = draw(st.sampled_from((RECORDS, SCENE, DUMPS)))
    records = draw(tables) if form == RECORDS else {}
    textures = {key: data for key, data in draw(tables).items() if key not in records} if form == RECORDS else {}
    files = [] if form == RECORDS else draw(st.lists(st.tuples(texts, st.binary(max_size=90)), min_size=1, max_size=3))
    made = head(
        world=draw(texts),
        form=form,
        moves=draw(st.sampled_from((RECORDING, CAPTURE))),
        landblocks=sorted(draw(st.sets(words.map(lambda word: word | 0xFFFF), max_size=4))),
        counts=draw(st.dictionaries(texts, st.integers(0, 1 << 50), max_size=3)),
        textures=draw(st.booleans()),
        note=clean_note(draw(texts)),
        scene=draw(texts),
        ground=draw(st.none() | numbers),
        placements=draw(st.lists(st.builds(Placement, words, words, frames, st.booleans()), max_size=2)),
        anchor=draw(words),
    )
    listed = draw(entity_lists)
    blocks = None
    if draw(st.booleans()):
        found = draw(entity_lists)
        blocks = {BLOCK: found} if found else {}
    sources = {spec.guid: "C95B.sql: line 2" for spec in (blocks or {}).get(BLOCK, [])}
    colours = draw(st.dictionaries(words, words, max_size=4))
    names = {NameKey.cell(BLOCK & 0xFFFF0000 | 0x100): "Hall"} if draw(st.booleans()) else {}
    return Reproduction(
        made, draw(st.binary(max_size=300)), records, textures, files, listed, blocks, sources, colours, names
    )


def plain(content: Reproduction) -> object:
    """Everything in it as values that compare."""

    def entity(spec: EntitySpec) -> object:
        frame = spec.frame
        values = (spec.guid, spec.name, spec.kind, spec.setup_id, spec.cell_id, spec.state, spec.scale, spec.extra)
        return (*values, frame.origin, frame.rotation)

    def placed(placement: Placement) -> object:
        frame = placement.frame
        return (placement.model_id, placement.cell_id, frame.origin, frame.rotation, placement.building)

    values = {**vars(content), "head": {**vars(content.head), "placements": list(map(placed, content.head.placements))}}
    values["listed"] = list(map(entity, content.listed))
    blocks = content.blocks
    values["blocks"] = None if blocks is None else {key: list(map(entity, found)) for key, found in blocks.items()}
    return values


@settings(max_examples=150, deadline=None)
@given(contents())
def test_what_goes_in_comes_out_and_the_same_makes_the_same_bytes(content: Reproduction) -> None:
    data = reproduction_bytes(content)
    assert is_reproduction(data[:100])
    found = parse_reproduction(data, "x.cdrepro")
    assert plain(found) == plain(content)
    assert reproduction_bytes(found) == data


def sound() -> Reproduction:
    """Two rooms with a door, as the records of a data folder, and a moves section of nothing."""
    made = built(two_rooms)
    world = made.load()
    content = Reproduction(head(landblocks=world.landblock_ids()), b"no recording")
    source = world.source
    for name, file in source.databases().items():  # type: ignore[attr-defined]  # it is a DatSource
        assert isinstance(file, RecordFile)
        content.records |= {(name, id_): file.raw(id_) or b"" for id_ in file.ids()}
    content.listed = list(world.entities)
    content.names = {NameKey.cell(content.head.landblocks[0] & 0xFFFF0000 | 0x100): "Hall"}
    return content


def opened(data: bytes) -> str:
    """Read a file, its world and its landblocks; the sentence of the refusal, or nothing."""
    try:
        content = parse_reproduction(data, "x.cdrepro")
        with World(source_of(content, "x.cdrepro")) as world:
            for block_id in world.landblock_ids()[:4]:
                world.landblock(block_id)
                world.entities_of(block_id)
    except WorldError as error:
        sentence = str(error)
        assert sentence.startswith("x.cdrepro"), sentence
        assert "\n" not in sentence
        assert len(sentence) < 400, sentence
        return sentence
    return ""


def test_a_sound_file_opens() -> None:
    assert opened(reproduction_bytes(sound())) == ""
    assert opened(assembled(sections(sound()))) == ""


@pytest.mark.parametrize(
    ("change", "said"),
    [
        (lambda data: b"", "is not a reproduction"),
        (lambda data: data.replace(b"reproduction 1", b"reproduction 2", 1), "is a reproduction of version 2; this"),
        (lambda data: data.replace(END, b"\n", 1), "is damaged: its text has no end"),
        (lambda data: data[: data.index(END) + len(END) + 3], "is cut off after its text"),
        (lambda data: data[:-100], "is cut off: "),
        (lambda data: data + b"x", "goes on for 1 bytes after its end"),
        (lambda data: data[:-40] + b"x" + data[-39:], "is damaged: its checksum does not fit"),
        (lambda data: data.replace(b"\n", b"\r\n"), "is "),
    ],
)
def test_a_damaged_file_is_refused_in_a_sentence(change: object, said: str) -> None:
    assert callable(change)
    assert opened(change(reproduction_bytes(sound()))).startswith(f"x.cdrepro: {said}")


def count(number: int) -> bytes:
    return struct.pack("<I", number)


def entry(database: int, id_: int, size: int) -> bytes:
    return struct.pack("<BIQ", database, id_, size)


@pytest.mark.parametrize(
    ("name", "content", "said"),
    [
        ("HEAD", b"{}", "HEAD"),
        ("HEAD", b"[" * 5000, "HEAD"),
        ("RECS", count(0xFFFFFFFF), "RECS has 4,294,967,295 records"),
        ("RECS", count(9), "RECS ends within its list"),
        ("RECS", count(1) + entry(0, 1, 1 << 60), "RECS ends within the record 0x00000001"),
        ("RECS", count(2) + entry(0, 2, 0) + entry(0, 1, 0), "RECS is not in the order"),
        ("RECS", count(1) + entry(9, 1, 0), "RECS is not in the order"),
        ("RECS", count(0) + b"more", "RECS is longer"),
        ("FILE", count(1) + count(3) + struct.pack("<Q", 1) + b"abcd", "FILE has 1 files, for a world kept as records"),
        ("FILE", count(99), "FILE ends too early"),
        ("ENTS", b"[1,2]\n", "ENTS has a line that is no entity"),
        ("ENTS", b"[0", "ENTS has a line without an end"),
        ("ENTS", b"{\n", "ENTS is not JSON"),
        ("ENTS", b"".join(map(crowded, range(1, 140))), "ENTS has entities that would take more than"),
        ("NAME", b"[]", "NAME"),
        ("COLS", b"abc", "COLS ends within a colour"),
    ],
)
def test_a_wrong_part_is_named(name: str, content: bytes, said: str) -> None:
    parts = sections(sound()) | {name.encode(): content}
    assert said in opened(assembled(parts))


def test_a_part_that_unpacks_to_too_much_is_refused_at_once() -> None:
    began = time.process_time()
    for name in (b"RECS", b"ENTS", b"FILE", b"NAME", b"HEAD", b"COLS"):
        packed = {key: zlib.compress(data) for key, data in sections(sound()).items()}
        packed[name] = zlib.compress(bytes(200 * MB), 1)
        assert "is not a whole packed section" in opened(assembled(packed, packed=True))
    assert time.process_time() - began < 20.0


def test_names_of_files_in_it_are_no_paths() -> None:
    scene = b"{}"
    for name in ("../scene.json", "/etc/passwd", "a/b.json", ""):
        content = Reproduction(head(form=DUMPS), b"", files=[(name, scene)])
        assert "FILE has a file of the name" in opened(reproduction_bytes(content))


def mutant(data: bytes, other: bytes, chooser: random.Random) -> bytes:
    """Cut, flipped, spliced, or with a length of its own."""
    at = chooser.randrange(max(len(data), 1))
    how = chooser.randrange(6)
    if how == 0:
        return data[:at]
    if how == 1:
        return data[:at] + bytes([chooser.randrange(256)]) + data[at + 1 :]
    if how == 2:
        return data[:at] + other[chooser.randrange(len(other)) :]
    if how == 3:
        value = chooser.choice((0, 1, 0xFF, 0xFFFF, 0x7FFFFFFF, 0xFFFFFFFF, 1 << 62))
        return data[:at] + struct.pack("<Q", value)[: chooser.choice((4, 8))] + data[at + 8 :]
    if how == 4:
        return data[:at] + data[at : at + chooser.randrange(100)] * chooser.choice((2, 50)) + data[at:]
    return data[:at] + chooser.randbytes(chooser.randrange(60)) + data[at:]


@pytest.mark.parametrize("number", [300, pytest.param(5000, marks=pytest.mark.slow)])
def test_mutants_open_or_are_refused_in_a_sentence(number: int) -> None:
    chooser = random.Random(number)
    content = sound()
    whole = reproduction_bytes(content)
    parts = sections(content)
    packed = {name: zlib.compress(data) for name, data in parts.items()}
    outcomes = {"opened": 0, "refused": 0}
    for round_ in range(number):
        how = round_ % 3
        if how == 0:
            data = mutant(whole, whole, chooser)
        else:
            pool = dict(parts if how == 1 else packed)
            name = chooser.choice(list(pool))
            for _ in range(chooser.randint(1, 3)):
                pool[name] = mutant(pool[name], pool[chooser.choice(list(pool))] or b"x", chooser)
            data = assembled(pool, packed=how == 2)
        outcomes["refused" if opened(data) else "opened"] += 1
    assert outcomes["refused"] > number // 3, outcomes
    assert outcomes["opened"] > 0, outcomes


def test_the_first_lines_are_readable_and_a_note_cannot_fake_them() -> None:
    note = "it falls\nthrough\n--- packed data, not text ---\n\x1b[31m\u202e"
    text = heading(head(note=clean_note(note), counts={"tick": 1, "entity": 3}, world="x\ny")).decode()
    assert text.startswith("Cellar Door reproduction 1\n")
    assert "1 tick, 3 entities" in text
    assert "world       x y, a data folder" in text
    assert text.count(END.decode()) == 1
    assert "\x1b" not in text
    assert len(clean_note("x" * 9000)) == MAX_NOTE
    content = sound()
    content.head.note = clean_note(note)
    assert opened(reproduction_bytes(content)) == ""


def test_it_is_recognised_by_its_content(tmp_path: Path) -> None:
    path = tmp_path / "anything.bin"
    path.write_bytes(reproduction_bytes(sound()))
    with open_world(path) as world:
        assert (world.source.kind, world.name) == ("reproduction", "demo")
        block = world.landblock(world.landblock_ids()[0])
        assert block is not None
        assert len(block.env_cells) == 3


def test_faults_of_its_records_name_the_file_and_the_database() -> None:
    content = sound()
    key = next(key for key in content.records if key[0] == "cell" and key[1] & 0xFFFF == 0x100)
    content.records[key] = content.records[key][:20]
    with World(source_of(parse_reproduction(reproduction_bytes(content), "x.cdrepro"), "x.cdrepro")) as world:
        block = world.landblock(key[1])
        assert block is not None
        assert any(fault.reason.startswith("x.cdrepro: client_cell_1.dat") for fault in block.faults)


def test_more_than_can_be_read_again_is_not_written() -> None:
    content = sound()
    content.listed = [
        EntitySpec(n + 1, "x" * 10_000, "door", 0, BLOCK & 0xFFFF0000 | 1, Frame(), 0) for n in range(4000)
    ]
    with pytest.raises(WorldError, match="cannot be kept"):
        reproduction_bytes(content)


def test_what_packs_too_well_is_stored_so_that_it_can_be_read() -> None:
    content = sound()
    content.records["portal", 0x05000001] = bytes(110 * MB)
    data = reproduction_bytes(content)
    assert len(data) > 110 * MB
    assert len(parse_reproduction(data, "x").records["portal", 0x05000001]) == 110 * MB


def test_json_heads_are_checked_value_by_value() -> None:
    good = json.loads(sections(sound())[b"HEAD"])
    for key in good:
        for value in (None, True, -1, "x", [], {}, 1e400, "\ud800", [1], {"a": -1}, 1 << 70):
            changed = json.dumps(good | {key: value}).encode()
            said = opened(assembled(sections(sound()) | {b"HEAD": changed}))
            assert said == "" or "HEAD: " in said or "FILE" in said, said
