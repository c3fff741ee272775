"""Mutated files of landblocks: changed as meant, or refused with a sentence."""

from __future__ import annotations

import random

from hypothesis import given, settings
from hypothesis import strategies as st

from engine.world.faults import WorldError
from engine.world.server.model import Place
from engine.world.server.sql_file import parse_sql
from engine.world.server.writing.block_file import BlockFile
from engine.world.server.writing.layout import InstanceRow, LinkRow, landblock_text

CELL, FIRST = 0xC95B0100, 0x7C95B000
UPRIGHT = (1.0, 0.0, 0.0, 0.0)
TIME = "2024-05-26 19:09:10"
PIECES = (
    "'",
    '"',
    "`",
    "/*",
    "*/",
    "--",
    "\n",
    ";",
    ",",
    "(",
    ")",
    "\\",
    "INSERT INTO",
    "@teleloc",
    "0x",
    "",
    " ",
    "é",
    "\0",
)
WHOLE = landblock_text(
    0xC95B,
    [InstanceRow(FIRST + each, 412, Place(CELL, (1.0, 2.0, each), UPRIGHT), False, TIME, "Door") for each in range(3)],
    [LinkRow(FIRST, FIRST + 1, TIME, "It's", 7), LinkRow(FIRST, FIRST + 2, TIME, "b", 7)],
)


def mutated(chance: random.Random) -> str:
    text = WHOLE
    for _ in range(chance.randint(1, 4)):
        at = chance.randrange(len(text))
        text = text[:at] + chance.choice(PIECES) + text[at + chance.randint(0, 3) :]
    return text


def places(text: str) -> dict[int, tuple[float, ...]]:
    content = parse_sql(text, "a.sql")
    return {each.guid: (*each.place.origin, *each.place.rotation) for each in reversed(content.instances)}


@given(st.integers(0, 1 << 32))
@settings(max_examples=1500, deadline=None)
def test_a_mutated_file_is_changed_as_meant_or_refused(seed: int) -> None:
    text = mutated(random.Random(seed))
    try:
        file = BlockFile(text, "a.sql")
    except WorldError:
        return
    assert file.text() == text
    before = places(text)
    assert {each.guid for each in file.instances()} == set(before)
    if not before:
        return
    guid = min(before)
    file.move(guid, Place(CELL, (9.0, 9.0, 9.0), UPRIGHT), TIME)
    assert places(file.text()) == {**before, guid: (9.0, 9.0, 9.0, *UPRIGHT)}
    again = BlockFile(file.text(), "a.sql")
    again.remove(guid)
    left = {each: place for each, place in before.items() if each != guid}
    assert places(again.text()) == left
    again.add(InstanceRow(FIRST + 9, 412, Place(CELL, (9.0, 9.0, 9.0), UPRIGHT), False, TIME, "New"))
    assert places(again.text()) == {**left, FIRST + 9: (9.0, 9.0, 9.0, *UPRIGHT)}
