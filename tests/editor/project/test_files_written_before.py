"""A recording and a project with nearly every edit, written before edits were classes, still mean the same."""

from __future__ import annotations

import base64
import zlib
from pathlib import Path

from editor.project.project_file import parse_project, project_bytes
from editor.project.project_replay import replay_project
from engine.sim.edits.catalogue import EDITS, name_of
from engine.sim.playback import check_world, verify
from engine.sim.recording_file import parse_recording, recording_bytes
from tests.editor.document.small_document import document_of
from tests.sim.helpers.small_worlds import built, simulate, two_rooms

FILES = Path(__file__).parent / "written_before"
RECORDING = base64.b64decode((FILES / "every_edit.recording.base64").read_bytes())
PROJECT = (FILES / "every_edit.cellardoor").read_bytes()
END = "7befca7ccb6106e8554a813472086d03"
"""The hash of the state after the run, in the form of version 7."""
NOT_RECORDED = {"put_player_back", "open_landblock", "restore_static"}
"""A world of two rooms has no use for these."""


def test_an_older_recording_replays_to_the_same_hashes() -> None:
    recording = parse_recording(RECORDING, "every_edit")
    assert {name_of(edit) for edits in recording.edits.values() for edit in edits} == set(EDITS) - NOT_RECORDED
    world = built(two_rooms)
    sim = simulate(world)
    check_world(sim.world, recording)
    assert verify(sim, recording) is None
    assert sim.state_hash(7).hex() == END


def unpacked(recording: bytes) -> list[bytes]:
    """The sections with numbers and text, without their compression, which is not the same with every zlib."""
    return [
        zlib.decompressobj().decompress(recording[recording.index(name) + 12 :])
        for name in (b"HEAD", b"CTRL", b"EDIT", b"SAMP")
    ]


def test_an_older_recording_is_written_again_with_the_same_bytes() -> None:
    written = recording_bytes(parse_recording(RECORDING, "every_edit"))
    assert unpacked(written) == unpacked(RECORDING)
    assert recording_bytes(parse_recording(written, "every_edit")) == written


def test_an_older_project_is_written_again_with_the_same_bytes() -> None:
    project = parse_project(PROJECT, "every_edit")
    written = project_bytes(project)
    assert written.split(b'"blobs"')[0] == PROJECT.split(b'"blobs"')[0]
    assert parse_project(written, "every_edit") == project


def test_an_older_project_opens_with_all_its_steps() -> None:
    project = parse_project(PROJECT, "every_edit")
    opened = replay_project(Path("every_edit.cellardoor"), project, document_of(built(two_rooms)).sim)
    assert (opened.differing, opened.refused, opened.missing) == ([], [], [])
    assert len(opened.steps) == len(project.steps) > 20
