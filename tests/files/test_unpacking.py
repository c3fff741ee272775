"""Unpacked sections: bounded by the file, and never refused if this program wrote them."""

from __future__ import annotations

import zlib

import pytest

from editor.project.project import Project
from editor.project.project_file import parse_project, project_bytes
from engine.files import unpacking
from engine.files.errors import FileError
from engine.files.unpacking import Unpacking, allowance
from engine.sim.edits.cells import ReplaceCell
from engine.sim.recording_file import parse_recording, recording_bytes
from tests.sim.helpers.small_worlds import built, standing, two_rooms
from tests.sim.test_recording import recorded

ROOMS = tuple(ReplaceCell(bytes([number]) * 100_000, b"") for number in range(20))


def test_the_limit_covers_all_kept_sections_of_a_file_together(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(unpacking, "SMALL_TOTAL", 250_000)
    packed = zlib.compress(bytes(100_000))
    unpack = Unpacking("x", len(packed))
    for _ in range(2):
        assert unpack.keep("a room", packed, 1 << 20) == bytes(100_000)
    with pytest.raises(FileError, match="it unpacks to more than the 50,000 bytes left for a file of this size"):
        unpack.keep("a room", packed, 1 << 20)
    with pytest.raises(FileError, match="it unpacks to more than the 99,999 bytes that it may have"):
        Unpacking("x", len(packed)).keep("a room", packed, 99_999)


@pytest.mark.parametrize("size", [0, 1, (1 << 20) - 1, 1 << 20, (1 << 20) + 1, 3 << 20])
def test_unpacking_restores_sections_of_every_size(size: int) -> None:
    content = bytes(number % 251 for number in range(251)) * (size // 251 + 1)
    packed = zlib.compress(content[:size])
    assert Unpacking("x", size).keep("it", packed, size) == content[:size]
    assert Unpacking("x", size).keep("it", memoryview(packed), size) == content[:size]
    for damaged in (packed[:-1], packed + b"x"):
        with pytest.raises(FileError, match="is not a whole packed section"):
            Unpacking("x", size).keep("it", damaged, size)


def test_files_that_would_pack_too_well_to_be_read_are_packed_less(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(unpacking, "SMALL", 1000)
    recording = recorded(standing(built(two_rooms), "hall", (3.0, 2.0)), 1)
    recording.edits[0] = list(ROOMS)
    data = recording_bytes(recording)
    assert allowance(len(data)) > 2_000_000
    assert parse_recording(data, "x").edits == recording.edits
    text = project_bytes(Project("demo", "demo", now=ROOMS))
    assert parse_project(text, "x").now == ROOMS
