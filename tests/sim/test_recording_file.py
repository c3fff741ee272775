"""Recordings as files: whole, or refused with the reason, whatever happens to the bytes."""

from __future__ import annotations

import hashlib
import json
import math
import os
import random
import stat
import struct
import subprocess
import sys
import tracemalloc
import zlib
from collections.abc import Callable
from contextlib import suppress
from functools import cache
from pathlib import Path
from typing import Any

import pytest

from engine.sim.edits.cells import ReplaceCell
from engine.sim.edits.player import FacePlayer
from engine.sim.edits.world import RestoreSnapshot
from engine.sim.errors import SimError
from engine.sim.playback import verify
from engine.sim.recording import Recorder, Recording
from engine.sim.recording_file import (
    CHECKSUM,
    load_recording,
    parse_recording,
    recording_bytes,
    save_recording,
)
from engine.sim.tick.simulation import Simulation
from tests.sim.helpers.small_worlds import built, hold, simulate, standing, two_rooms, with_people
from tests.sim.simulation.test_edits import some_edits
from tests.sim.test_recording import recorded
from tests.systems import NOT_THERE

ROOT = Path(__file__).resolve().parents[2]
HEADER = 20


@cache
def made() -> Recording:
    return recorded(standing(built(two_rooms), "hall", (3.0, 2.0), 90.0), 100)


@cache
def whole() -> bytes:
    return recording_bytes(made())


def reason(data: bytes) -> str:
    with pytest.raises(SimError) as raised:
        parse_recording(data, "run.cdrec")
    assert raised.value.file == "run.cdrec"
    return raised.value.reason


def signed(sections: dict[bytes, bytes], version: int = 1) -> bytes:
    """A file with a valid header and checksum, whatever its sections."""
    body = b"".join(struct.pack("<4sQ", name, len(content)) + content for name, content in sections.items())
    data = struct.pack("<8sIQ", b"CDRECORD", version, len(body)) + body
    return data + hashlib.blake2b(data, digest_size=CHECKSUM).digest()


def sections() -> dict[bytes, bytes]:
    return sections_of(whole())


def sections_of(data: bytes) -> dict[bytes, bytes]:
    found: dict[bytes, bytes] = {}
    at = HEADER
    while at < len(data) - CHECKSUM:
        name, length = struct.unpack_from("<4sQ", data, at)
        found[name] = data[at + 12 : at + 12 + length]
        at += 12 + length
    return found


def with_section(name: bytes, content: bytes) -> bytes:
    return signed({**sections(), name: content})


def json_of(name: bytes) -> Any:
    return json.loads(zlib.decompress(sections()[name]))


def with_json(name: bytes, value: object) -> bytes:
    return with_section(name, zlib.compress(json.dumps(value).encode()))


def test_a_saved_recording_loads_unchanged(tmp_path: Path) -> None:
    path = tmp_path / "run.cdrec"
    save_recording(made(), path)
    loaded = load_recording(path)
    assert recording_bytes(loaded) == path.read_bytes() == whole()
    assert loaded.controls == made().controls
    assert loaded.edits == made().edits
    assert loaded.hashes == made().hashes
    assert [loaded.samples[n] for n in range(100)] == [made().samples[n] for n in range(100)]
    assert loaded.identity == made().identity
    assert (loaded.world, loaded.source, loaded.core) == (made().world, made().source, made().core)


def test_a_recording_without_ticks_is_valid() -> None:
    recording = recorded(standing(built(two_rooms), "hall", (3.0, 2.0)), 0)
    assert len(parse_recording(recording_bytes(recording), "file")) == 0


def test_a_section_too_large_for_its_ticks_is_not_unpacked() -> None:
    """A file of a megabyte that would expand to a gigabyte, in each packed section, of a recording without ticks."""
    recording = recorded(standing(built(two_rooms), "hall", (3.0, 2.0)), 0)
    bomb = zlib.compress(bytes(1 << 28), 9)
    listed = struct.pack("<II", 1, len(bomb)) + bomb
    bombs = {b"TAIL": listed, b"BLOB": listed, b"KEYF": struct.pack("<IQII", 1, 0, 0, len(bomb)) + bomb}
    for name in (b"HEAD", b"CTRL", b"BLOB", b"EDIT", b"SAMP", b"TAIL", b"KEYF"):
        parts = sections_of(recording_bytes(recording))
        tracemalloc.start()
        said = reason(signed({**parts, name: bombs.get(name, bomb)}))
        _, peak = tracemalloc.get_traced_memory()
        tracemalloc.stop()
        assert said.startswith(f"{name.decode()} is not a whole packed section: it unpacks to more than the ")
        assert peak < 160_000_000


def test_equal_edits_store_their_bytes_once() -> None:
    """Restored states and records of rooms are long and recur."""
    sim = standing(built(with_people), "hall", (20.0, 10.0))
    room = next(edit for edit in some_edits(sim) if isinstance(edit, ReplaceCell))
    with Recorder(sim) as recorder:
        for _ in range(20):
            sim.apply_edit(room)
            before = sim.snapshot()
            for _ in range(3):
                sim.apply_edit(FacePlayer(77.0))
                sim.apply_edit(RestoreSnapshot(before, 0))
            hold(sim, 0.1)
    data = recording_bytes(recorder.recording)
    assert struct.unpack_from("<I", sections_of(data)[b"BLOB"])[0] <= 22
    loaded = parse_recording(data, "file")
    assert loaded.edits == recorder.recording.edits
    assert verify(simulate(built(with_people)), loaded) is None


def test_saving_replaces_the_old_file_whole_or_reports_why_not(tmp_path: Path) -> None:
    path = tmp_path / "run.cdrec"
    path.write_bytes(b"old")
    save_recording(made(), path)
    assert path.read_bytes() == whole()
    assert list(tmp_path.iterdir()) == [path]
    with pytest.raises(SimError, match="cannot be written"):
        save_recording(made(), tmp_path / "no folder" / "run.cdrec")
    with pytest.raises(SimError, match=f"cannot be read: {NOT_THERE}"):
        load_recording(tmp_path / "absent.cdrec")
    assert stat.S_ISREG(os.stat(path).st_mode)


# --- damage


def test_a_file_truncated_anywhere_is_refused() -> None:
    for length in range(len(whole())):
        said = f"is cut off: {length} of {len(whole())} bytes are there" if length >= HEADER else "is not a recording"
        assert reason(whole()[:length]) == said


@pytest.mark.parametrize("content", [b"", b"CDREC", b"CDRECORD", b"PK" + bytes(5000), bytes(100)])
def test_another_kind_of_file_is_refused(tmp_path: Path, content: bytes) -> None:
    path = tmp_path / "run.cdrec"
    path.write_bytes(content)
    with pytest.raises(SimError, match=r"run\.cdrec: is not a recording"):
        load_recording(path)


def test_a_folder_and_an_impossible_file_name_are_refused(tmp_path: Path) -> None:
    for path in (tmp_path, Path("a\0b")):
        with pytest.raises(SimError, match="cannot be read: "):
            load_recording(path)
        with pytest.raises(SimError, match="cannot be written: "):
            save_recording(made(), path)


@pytest.mark.parametrize(
    ("data", "said"),
    [
        (lambda: b"", "is not a recording"),
        (lambda: b"PK\x03\x04" + bytes(100), "is not a recording"),
        (lambda: signed(sections(), 2), "is a recording of version 2; this program reads version 1"),
        (lambda: whole() + b"\0", "goes on for 1 bytes after its end"),
        (lambda: whole()[:-1] + bytes([whole()[-1] ^ 1]), "is damaged: its checksum does not fit"),
        (lambda: signed({}), "lacks HEAD, CTRL, BLOB, EDIT, HASH, SAMP, TAIL, KEYF"),
        (lambda: signed({**sections(), b"MORE": b""}), "has a section b'MORE' too many"),
        (lambda: with_section(b"HASH", b"short"), "has 5 bytes of hashes for 100 ticks"),
        (lambda: with_section(b"CTRL", b"no zlib"), "CTRL cannot be unpacked"),
        (lambda: with_section(b"CTRL", zlib.compress(bytes(37)) + b"more"), "CTRL is not a whole packed section"),
        (lambda: with_section(b"CTRL", zlib.compress(bytes(37))[:-2]), "CTRL is not a whole packed section"),
        (lambda: with_section(b"CTRL", zlib.compress(bytes(4501))), "CTRL is not a whole packed section"),
        (lambda: with_runs((101, 0.0, 0.0, 0.0, 0, 0)), "CTRL does not hold the keys of 100 ticks"),
        (lambda: with_runs((0, 0.0, 0.0, 0.0, 0, 0)), "CTRL does not hold the keys of 100 ticks"),
        (lambda: with_runs((99, 0.0, 0.0, 0.0, 0, 0)), "CTRL holds the keys of 99 ticks, not of 100"),
        (lambda: with_runs((100, 2.0, 0.0, 0.0, 0, 0)), "CTRL: a key is pressed from -1 to 1"),
        (lambda: with_runs((100, 0.0, 0.0, math.nan, 0, 0)), "CTRL: a key is pressed from -1 to 1"),
        (lambda: with_runs((100, 0.0, 0.0, 0.0, 8, 0)), "CTRL has a key that there is not"),
        (lambda: with_runs((100, 0.0, 0.0, 0.0, 4, 0)), "CTRL ends too early"),
        (lambda: with_looks(181.0), "CTRL: a mouse turns by -180 to 180 degrees in a tick, not by 181.0"),
        (lambda: with_looks(math.nan), "CTRL: a mouse turns by -180 to 180 degrees in a tick"),
        (lambda: with_runs((100, 0.0, 0.0, 0.0, 0, -1)), "CTRL: -1 is the id of no entity"),
        (lambda: with_section(b"CTRL", zlib.compress(b"short")), "CTRL ends too early"),
        (lambda: with_edits(b"[1\n"), "EDIT is not JSON"),
        (lambda: with_edits(b"[" * 60_000 + b"\n"), "EDIT is nested too deeply"),
        (lambda: with_edits(b'[5,"face",1.0]'), "EDIT has a line without an end"),
        (lambda: with_edits(b"[]" * (1 << 22) + b"\n"), "EDIT has a line without an end"),
        (lambda: with_edits(b"{}\n"), "EDIT has a line that is not an edit"),
        (lambda: with_edits(b"[5]\n"), "EDIT has a line that is not an edit"),
        (lambda: with_edits(b'[5,"explode"]\n'), "EDIT has the unknown edit 'explode'"),
        (lambda: with_edits(b'[5,["face"]]\n'), "EDIT has the unknown edit "),
        (lambda: with_edits(b'[101,"face",1.0]\n'), "EDIT has an edit of a tick that was not recorded"),
        (lambda: with_edits(b'[true,"face",1.0]\n'), "EDIT has an edit of a tick that was not recorded"),
        (lambda: with_edits(b'[5,"face",null]\n'), "EDIT has an argument that no edit takes"),
        (lambda: with_edits(b'[5,"use",9223372036854775808,0]\n'), "EDIT has an argument that no edit takes"),
        (lambda: with_edits(b'[5,"face",{"blob":0}]\n'), "EDIT has an argument that no edit takes"),
        (lambda: with_edits(b'[5,"face",{"blob":"0"}]\n'), "EDIT has an argument that no edit takes"),
        (lambda: with_section(b"BLOB", b"\xff\xff\xff\xff"), "BLOB ends too early"),
        (lambda: with_section(b"BLOB", struct.pack("<II", 1, 4) + b"none"), "BLOB cannot be unpacked"),
        (lambda: with_json(b"HEAD", {**json_of(b"HEAD"), "ticks": -1}), "HEAD: ticks should be 0 to 10000000"),
        (lambda: with_json(b"HEAD", {**json_of(b"HEAD"), "start_hash": "xyz"}), "HEAD: start_hash is not a hash"),
        (lambda: with_json(b"HEAD", {**json_of(b"HEAD"), "identity": {"x": "y"}}), "HEAD: identity should be digests"),
        (lambda: with_json(b"HEAD", {**json_of(b"HEAD"), "world": 7}), "HEAD: world should be a text"),
        (lambda: with_json(b"HEAD", []), "HEAD is not a JSON object"),
        (lambda: with_section(b"HEAD", zlib.compress(b"[")), "HEAD is not JSON"),
        (lambda: with_section(b"HEAD", zlib.compress(b"[" * 100_000)), "HEAD is nested too deeply"),
        (lambda: with_section(b"HEAD", zlib.compress(bytes(1 << 23))), "HEAD is not a whole packed section"),
        (
            lambda: with_json(b"HEAD", {**json_of(b"HEAD"), "ticks": 10_000_000}),
            "has 1600 bytes of hashes for 10000000",
        ),
        (lambda: with_section(b"SAMP", zlib.compress(b"few")), "SAMP has 3 bytes for 100 ticks"),
        (lambda: with_section(b"SAMP", zlib.compress(bytes(1 << 20))), "SAMP is not a whole packed section"),
        (lambda: with_section(b"TAIL", b"\xff\xff\xff\xff"), "TAIL ends too early"),
        (lambda: with_section(b"TAIL", struct.pack("<I", 0)), "KEYF names missing blobs"),
        (lambda: with_section(b"TAIL", sections()[b"TAIL"] + b"x"), "TAIL is longer than what it holds"),
        (lambda: with_section(b"KEYF", struct.pack("<I", 0)), "has no snapshot at its start"),
        (lambda: with_section(b"KEYF", sections()[b"KEYF"][:-1]), "KEYF ends too early"),
        (lambda: with_section(b"KEYF", later_snapshot()), "has no snapshot at its start"),
    ],
)
def test_a_refusal_states_the_fault(data: Callable[[], bytes], said: str) -> None:
    assert reason(data()).startswith(said)


def later_snapshot() -> bytes:
    _, tail, size = struct.unpack_from("<QII", sections()[b"KEYF"], 4)
    head = sections()[b"KEYF"][20 : 20 + size]
    return struct.pack("<I", 1) + struct.pack("<QII", 1, tail, size) + head


def with_runs(*runs: tuple[float, ...]) -> bytes:
    return with_section(b"CTRL", zlib.compress(b"".join(struct.pack("<I3dBq", *run) for run in runs)))


def with_looks(degrees: float) -> bytes:
    """One row for all ticks, in which the mouse turns him."""
    return with_section(b"CTRL", zlib.compress(struct.pack("<I3dBqd", 100, 0.0, 0.0, 0.0, 4, 0, degrees)))


def with_edits(lines: bytes) -> bytes:
    return with_section(b"EDIT", zlib.compress(lines))


def test_no_truncated_or_changed_file_is_accepted() -> None:
    rng = random.Random(1)
    for _ in range(2000):
        data = bytearray(whole())
        kind = rng.randrange(4)
        at = rng.randrange(len(data))
        if kind == 0:
            del data[at:]
        elif kind == 1:
            data[at] ^= 1 << rng.randrange(8)
        elif kind == 2:
            data[at:at] = rng.randbytes(rng.randrange(1, 9))
        else:
            del data[at : at + rng.randrange(1, 9)]
        with pytest.raises(SimError):
            parse_recording(bytes(data), "file")


def forged(rng: random.Random) -> bytes:
    """A file with bytes changed somewhere, under a valid checksum."""
    changed = sections()
    name = rng.choice(list(changed))
    content = changed[name]
    packed = name in (b"HEAD", b"CTRL", b"EDIT", b"SAMP")
    data = bytearray(zlib.decompress(content) if packed and rng.random() < 0.8 else content)
    packed = packed and bytes(data) != content
    for _ in range(rng.randrange(1, 4)):
        if not data:
            break
        at = rng.randrange(len(data))
        if rng.random() < 0.7:
            data[at] = rng.randrange(256)
        elif rng.random() < 0.5:
            del data[at : at + rng.randrange(1, 5)]
        else:
            data[at:at] = rng.randbytes(rng.randrange(1, 5))
    changed[name] = zlib.compress(bytes(data)) if packed else bytes(data)
    return signed(changed)


def check_forged(seed: int, count: int, ticks: int) -> int:
    """Loads and runs forged files; returns how many loaded."""
    rng = random.Random(seed)
    sim = simulate(built(two_rooms))
    loaded = 0
    for _ in range(count):
        try:
            recording = parse_recording(forged(rng), "file")
            loaded += 1
            verify(sim, recording, min(recording.end, recording.first_tick + ticks))
        except SimError:
            continue
    return loaded


def test_forged_files_are_refused_or_run_without_harm() -> None:
    assert check_forged(1, 400, 3) > 20


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(10, 15))
def test_thousands_of_forged_files_are_refused_or_run_without_harm(seed: int) -> None:
    check_forged(seed, 1000, 2)


def forged_state(rng: random.Random, sim: Simulation) -> Recording:
    """A recording whose snapshot holds wrong numbers."""
    snapshot = bytearray(sim.snapshot())
    for _ in range(rng.randrange(1, 4)):
        at = rng.randrange(len(snapshot) // 8 - 1) * 8 + 4 if rng.random() < 0.8 else rng.randrange(len(snapshot))
        kind = rng.randrange(4)
        if kind == 0:
            snapshot[at : at + 8] = rng.randbytes(8)
        elif kind == 1:
            snapshot[at : at + 8] = struct.pack("<q", rng.choice((-1, 0, 1, 2, 255, 1 << 31, (1 << 62) + 1)))
        elif kind == 2:
            snapshot[at] ^= 1 << rng.randrange(8)
        else:
            del snapshot[at:]
            break
        if len(snapshot) < 40:
            break
    recording = Recording(sim.tick_number, sim.state_hash(), sim.player.id, "", "forged")
    if len(snapshot) >= 12:
        recording.keyframes.add(sim.tick_number, bytes(snapshot))
    return recording


def check_forged_states(seed: int, count: int) -> None:
    rng = random.Random(seed)
    good = standing(built(two_rooms), "hall", (3.0, 2.0), 90.0)
    victim = simulate(built(two_rooms))
    snapshot = good.snapshot()
    for _ in range(count):
        with suppress(SimError):
            verify(victim, forged_state(rng, good))
        victim.restore(snapshot)
        assert victim.state_hash() == good.state_hash(), "the restore in between left a trace"


def test_a_forged_snapshot_is_refused_and_leaves_nothing_behind() -> None:
    check_forged_states(1, 300)


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(20, 25))
def test_thousands_of_forged_snapshots_are_refused_and_leave_nothing_behind(seed: int) -> None:
    check_forged_states(seed, 500)


# --- other processes, the other core


def run_under(core: str, *arguments: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-m", "cellar_door", "replay", *arguments],
        cwd=ROOT,
        env={**os.environ, "CELLAR_DOOR_CORE": core},
        capture_output=True,
        text=True,
        check=False,
    )


@pytest.fixture(scope="module")
def saved(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, str]:
    """A recording beside its world, and the hash of the state at its end."""
    folder = tmp_path_factory.mktemp("recorded")
    world = built(two_rooms)
    world.write(folder / "world")
    sim = standing(world, "hall", (3.0, 2.0), 90.0)
    recording = recorded(sim, 150)
    recording.source = str(folder / "world")
    save_recording(recording, folder / "run.cdrec")
    return folder / "run.cdrec", sim.state_hash().hex()


@pytest.mark.parametrize("core", ["python", "compiled"])
def test_another_process_reaches_the_same_state_on_either_core(core: str, saved: tuple[Path, str]) -> None:
    path, state = saved
    done = run_under(core, str(path))
    if core == "compiled" and "compiled core cannot be used" in done.stderr:
        pytest.skip("no compiled core matches the sources")
    assert done.returncode == 0, done.stdout + done.stderr
    assert "150 ticks agree" in done.stdout
    assert f"state {state}" in done.stdout
    assert f"replayed on the {core} one" in done.stdout


def test_a_recorder_on_the_other_core_writes_the_same_file(saved: tuple[Path, str]) -> None:
    """The file holds only the run: two recordings of it are equal except for the core's name."""
    recording = load_recording(saved[0])
    sim = standing(built(two_rooms), "hall", (3.0, 2.0), 90.0)
    with Recorder(sim, spacing=16) as recorder:
        for tick, keys in enumerate(recording.controls):
            for edit in recording.edits.get(tick, ()):
                sim.apply_edit(edit)
            sim.tick(keys)
    again = recorder.recording
    again.source, again.world, again.core = recording.source, recording.world, recording.core
    assert recording_bytes(again) == saved[0].read_bytes()
