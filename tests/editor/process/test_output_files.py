"""The files that commands write: refused before the work, never one that is read, whole or not there at all."""

from __future__ import annotations

import os
import sys
import threading
from pathlib import Path

import pytest

from editor.process.output_files import output_file
from engine.dat.atomic import write_whole
from engine.dat.errors import DatError
from engine.sim.recording_file import recording_bytes, save_recording
from engine.world.faults import WorldError
from tests.sim.helpers.small_worlds import built, open_rooms
from tests.sim.test_recording_file import made
from tests.systems import needs_file_limits, needs_links, needs_permissions, needs_pipes

if sys.platform != "win32":
    import resource


def refusal(name: Path | str, *read: Path | str) -> str:
    with pytest.raises(WorldError) as caught:
        output_file(name, read)
    return str(caught.value)


def test_a_file_that_is_there_or_not_can_be_written(tmp_path: Path) -> None:
    path = tmp_path / "out.json"
    for data in (b"one", b"two"):
        write_whole(output_file(path, [tmp_path / "source", "demo"]), data)
        assert path.read_bytes() == data
    assert [each.name for each in tmp_path.iterdir()] == ["out.json"]


def test_a_folder_a_missing_one_and_too_long_a_name_are_refused_in_a_sentence(tmp_path: Path) -> None:
    assert refusal(tmp_path) == f"{tmp_path}: cannot be written: it is a folder"
    assert "there is no folder" in refusal(tmp_path / "none" / "out.json")
    too_long = "Windows allows no such name" if sys.platform == "win32" else "File name too long"
    assert f"cannot be written: {too_long}" in refusal(tmp_path / ("n" * 300))
    assert "cannot be written: it is a folder" in refusal("")


@pytest.mark.skipif(sys.platform != "win32", reason="elsewhere these are names as any other")
@pytest.mark.parametrize("name", ["a<b>.json", "what?.json", "a|b", "a\tb", "two: of them.json"])
def test_a_name_that_windows_does_not_allow_is_refused_before_the_work(tmp_path: Path, name: str) -> None:
    assert "cannot be written: Windows allows no such name" in refusal(tmp_path / name)


@needs_permissions
def test_what_may_not_be_written_is_refused(tmp_path: Path) -> None:
    file = tmp_path / "old.json"
    file.write_text("old")
    file.chmod(0o444)
    assert "that is not allowed" in refusal(file)
    tmp_path.chmod(0o555)
    assert "does not allow new files" in refusal(tmp_path / "new.json")
    tmp_path.chmod(0o755)


@needs_links
def test_nothing_that_is_read_is_written_over_by_whatever_name(tmp_path: Path) -> None:
    source, link = tmp_path / "scene.json", tmp_path / "link.json"
    source.write_text("{}")
    link.symlink_to(source)
    for name in (source, link, tmp_path / "." / "scene.json"):
        assert "one of the files that are read" in refusal(name, "demo", source)


def test_in_a_source_folder_only_the_files_that_are_read_are_protected(tmp_path: Path) -> None:
    built(open_rooms).write(tmp_path)
    (tmp_path / "entities.json").write_text('{"version": 1, "entities": []}')
    (tmp_path / "answers.json").write_text("old")
    for name in ("client_cell_1.dat", "client_portal.dat", "entities.json"):
        assert "one of the files that are read" in refusal(tmp_path / name, tmp_path)
        assert "one of the files that are read" in refusal(tmp_path / name, tmp_path / "client_portal.dat")
    assert output_file(tmp_path / "answers.json", [tmp_path]) == tmp_path / "answers.json"


def test_a_new_file_is_refused_only_if_its_folder_would_be_read_with_it(tmp_path: Path) -> None:
    built(open_rooms).write(tmp_path)
    for name in ("entities.json", "client_highres.dat", "CLIENT_PORTAL.DAT"):
        assert "one of the files that are read" in refusal(tmp_path / name, tmp_path)
    assert output_file(tmp_path / "mine.cdrec", [tmp_path])


@needs_links
def test_a_folder_of_dumps_that_is_read_gets_no_file_replaced_or_added(tmp_path: Path) -> None:
    dumps = tmp_path / "dumps"
    inner = dumps / "cells"
    inner.mkdir(parents=True)
    there, link = inner / "0xA9B40143.json", tmp_path / "link.json"
    there.write_text("{}")
    link.symlink_to(there)
    for path in (there, link, inner / "0xA9B40144.json", dumps / "0xA9B40101.json", dumps / "client_cell_1.dat"):
        assert "one of the files that are read" in refusal(path, dumps)
    for path in (inner / "walk.cdrec", dumps / "notes.json", tmp_path / "0xA9B40101.json"):
        assert output_file(path, [dumps]) == path


@needs_file_limits
def test_a_file_that_can_not_be_finished_leaves_the_old_one(tmp_path: Path) -> None:
    path = tmp_path / "out.json"
    path.write_bytes(b"old")
    limits = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (100_000, limits[1]))
    try:
        with pytest.raises(DatError, match="cannot be written: File too large"):
            write_whole(path, bytes(3_000_000))
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, limits)
    assert path.read_bytes() == b"old"
    assert [each.name for each in tmp_path.iterdir()] == ["out.json"]


@needs_pipes
def test_an_open_pipe_is_written_to() -> None:
    reading, writing = os.pipe()
    write_whole(output_file(f"/dev/fd/{writing}"), b"told")
    assert os.read(reading, 9) == b"told"
    os.close(reading)
    os.close(writing)


@needs_pipes
def test_a_pipe_is_written_to_and_stays_one(tmp_path: Path) -> None:
    pipe, got = tmp_path / "pipe", list[bytes]()
    os.mkfifo(pipe)
    reader = threading.Thread(target=lambda: got.append(pipe.read_bytes()), daemon=True)
    reader.start()
    save_recording(made(), pipe)
    reader.join(10)
    assert pipe.is_fifo()
    assert got == [recording_bytes(made())]


@needs_links
def test_through_a_link_the_file_it_names_is_written(tmp_path: Path) -> None:
    link = tmp_path / "link.json"
    link.symlink_to(tmp_path / "out.json")
    write_whole(link, b"answers")
    assert link.is_symlink()
    assert (tmp_path / "out.json").read_bytes() == b"answers"
