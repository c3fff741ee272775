"""What keeps an export from being written, and what it then leaves: the old state, and nothing else."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Final

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from editor.authoring.cell_edits import set_stab_list
from editor.export.data_files import DataFilesPlan
from editor.export.write_data_files import write_data_files
from engine.dat.database import DatDatabase
from engine.dat.errors import DatError
from engine.dat.ids import DatKind
from engine.files.cancelling import cancellable
from engine.geometry.errors import GeometryError
from engine.physics.errors import PhysicsError
from engine.sim.edits.world import OpenLandblock
from engine.sim.errors import SimError
from engine.sim.tick.simulation import Simulation
from engine.world.cells.objects import static_object_id
from engine.world.faults import WorldError
from tests.editor.export.small_exports import BLOCK, close, cottage, opened, plan_of, written
from tests.systems import NOT_THERE, needs_file_limits, needs_links, needs_permissions, not_on_windows

ROOT: Final = Path(__file__).resolve().parents[3]
HALL: Final = 0xC95B0100
FILES: Final = ("client_cell_1.dat", "client_portal.dat", "entities.json")
Content = dict[str, bytes]


@pytest.fixture
def source(tmp_path: Path) -> Path:
    return cottage().build().write(tmp_path / "source")


@pytest.fixture
def sim(source: Path) -> Iterator[Simulation]:
    made = opened(source)
    yield made
    close(made)


@pytest.fixture
def plan(sim: Simulation) -> DataFilesPlan:
    return plan_of(sim, set_stab_list(sim, HALL, []))


def content(folder: Path) -> Content:
    return {str(path.relative_to(folder)): path.read_bytes() for path in folder.rglob("*") if path.is_file()}


def test_an_export_over_an_older_one_replaces_it(tmp_path: Path, plan: DataFilesPlan, sim: Simulation) -> None:
    written(plan, tmp_path / "out")
    first = content(tmp_path / "out")
    for edit in set_stab_list(sim, HALL, [0xC95B0101]):
        sim.apply_edit(edit)
    written(plan_of(sim), tmp_path / "out")
    second = content(tmp_path / "out")
    assert sorted(second) == list(FILES)
    assert first["client_cell_1.dat"] != second["client_cell_1.dat"]


@needs_links
@pytest.mark.parametrize("loose", [False, True])
def test_the_folder_of_the_source_is_refused_by_any_of_its_names(
    tmp_path: Path, source: Path, plan: DataFilesPlan, loose: bool
) -> None:
    before = content(source)
    (tmp_path / "link").symlink_to(source, target_is_directory=True)
    for folder in (source, tmp_path / "link", tmp_path / "source" / ".." / "source"):
        with pytest.raises(WorldError, match="choose another one"):
            written(plan, folder, loose=loose)
    assert content(source) == before


@pytest.mark.parametrize("name", FILES)
@pytest.mark.parametrize("kind", [pytest.param("symlink", marks=needs_links), "hard link"])
def test_links_to_the_source_are_refused(
    tmp_path: Path, source: Path, plan: DataFilesPlan, name: str, kind: str
) -> None:
    before = content(source)
    out = tmp_path / "out"
    out.mkdir()
    (out / name).symlink_to(source / name) if kind == "symlink" else os.link(source / name, out / name)
    with pytest.raises(WorldError, match="one of the files that are read"):
        written(plan, out)
    assert content(source) == before
    assert [path.name for path in out.iterdir()] == [name]


def test_an_open_file_is_refused(tmp_path: Path, plan: DataFilesPlan) -> None:
    out = tmp_path / "out"
    written(plan, out)
    before = content(out)
    with pytest.raises(WorldError, match="choose another one"):
        write_data_files(plan, out, [out], lambda fraction, sentence: None)
    assert content(out) == before


def test_a_folder_with_a_file_of_another_world_is_refused(tmp_path: Path, plan: DataFilesPlan) -> None:
    out = tmp_path / "out"
    out.mkdir()
    (out / DatKind.HIGHRES.file_name).write_bytes(b"another world's")
    with pytest.raises(WorldError, match=r"client_highres\.dat, which is not of this world"):
        written(plan, out)
    assert content(out) == {DatKind.HIGHRES.file_name: b"another world's"}


@needs_permissions
def test_a_folder_without_permission_is_a_sentence(tmp_path: Path, plan: DataFilesPlan) -> None:
    out = tmp_path / "out"
    out.mkdir(mode=0o500)
    with pytest.raises(WorldError, match="does not allow new files"):
        written(plan, out)


def test_a_missing_parent_and_a_file_in_the_way_are_sentences(tmp_path: Path, plan: DataFilesPlan) -> None:
    with pytest.raises(DatError, match=f"cannot be written: {NOT_THERE}"):
        written(plan, tmp_path / "no" / "out")
    (tmp_path / "file").write_bytes(b"here")
    with pytest.raises(WorldError, match="cannot be written"):
        written(plan, tmp_path / "file")
    assert (tmp_path / "file").read_bytes() == b"here"


class StopError(Exception):
    """The export was cancelled."""


@pytest.mark.parametrize("loose", [False, True])
def test_a_cancelled_export_leaves_nothing_wherever_it_was(tmp_path: Path, plan: DataFilesPlan, loose: bool) -> None:
    calls = 0
    while True:
        left = calls

        def check() -> None:
            nonlocal left
            left -= 1
            if left < 0:
                raise StopError

        try:
            with cancellable(check):
                written(plan, tmp_path / "out", loose=loose)
            break
        except StopError:
            assert not (tmp_path / "out").exists(), calls
        calls += 1
    assert calls > 3
    assert content(tmp_path / "out")


LIMITED: Final = """
import resource, signal, sys
from pathlib import Path
from tests.editor.export.test_writing import export
most = int(sys.argv[3])
resource.setrlimit(resource.RLIMIT_FSIZE, (most, most))
try:
    export(Path(sys.argv[1]), Path(sys.argv[2]), sys.argv[4] == "loose")
except Exception as error:
    print(error)
"""


def export(source: Path, out: Path, loose: bool = False) -> None:
    """The same export of the same world, in a process of its own."""
    sim = opened(source)
    written(plan_of(sim, set_stab_list(sim, HALL, [])), out, loose=loose)
    close(sim)


def run(script: str, *words: str) -> str:
    done = subprocess.run([sys.executable, "-c", script, *words], cwd=ROOT, capture_output=True, text=True, check=True)
    return done.stdout


@needs_file_limits
@pytest.mark.parametrize("most", [0, 1, 3000, 20_000])
def test_a_full_disk_leaves_the_old_export(tmp_path: Path, source: Path, plan: DataFilesPlan, most: int) -> None:
    out = tmp_path / "out"
    told = run(LIMITED, str(source), str(out), str(most), "whole")
    assert "cannot be written: File too large" in told
    assert not out.exists()
    written(plan, out)
    before = content(out)
    assert "cannot be written" in run(LIMITED, str(source), str(out), str(most), "whole")
    assert content(out) == before
    if most < 3:
        assert "cannot be written" in run(LIMITED, str(source), str(tmp_path / "loose"), str(most), "loose")
        assert not (tmp_path / "loose").exists()


@not_on_windows("Windows lets nobody replace an open file")
def test_a_source_that_was_replaced_since_it_was_opened_is_refused(
    tmp_path: Path, source: Path, plan: DataFilesPlan
) -> None:
    cell = source / DatKind.CELL.file_name
    shutil.copy(cell, tmp_path / "copy")
    os.replace(tmp_path / "copy", cell)
    with pytest.raises(DatError, match="was replaced since the world was opened"):
        written(plan, tmp_path / "out")
    assert not (tmp_path / "out").exists()


@pytest.mark.parametrize("how", ["cut", "written"])
def test_a_source_that_changes_during_the_export_is_a_sentence(
    tmp_path: Path, source: Path, plan: DataFilesPlan, how: str
) -> None:
    cell = source / DatKind.CELL.file_name
    spoilt = False

    def spoil(fraction: float, sentence: str) -> None:
        nonlocal spoilt
        if not spoilt and cell.name in sentence:
            spoilt = True
            if how == "cut":
                os.truncate(cell, cell.stat().st_size // 2)
            else:
                with open(cell, "r+b") as stream:
                    stream.seek(2000)
                    stream.write(b"mutated")
                os.utime(cell, ns=(1, 1))

    with pytest.raises(DatError, match="while it was open"):
        write_data_files(plan, tmp_path / "out", [], spoil)
    assert spoilt
    assert not (tmp_path / "out").exists()


def test_damaged_records_of_the_source_are_named(tmp_path: Path, source: Path) -> None:
    """A chain that leads nowhere: the export does not leave the record out in silence."""
    cell = source / DatKind.CELL.file_name
    with DatDatabase.open(cell) as database:
        entry = database.entry(0xCA5BFFFE)
        assert entry is not None
    with open(cell, "r+b") as stream:
        stream.seek(entry.offset)
        stream.write(b"\x07\0\0\0")
    sim = opened(source)
    with pytest.raises(DatError, match="0xCA5BFFFE"):
        written(plan_of(sim, set_stab_list(sim, HALL, [])), tmp_path / "out")
    close(sim)
    assert not (tmp_path / "out").exists()


@given(data=st.data())
@settings(max_examples=80, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
def test_a_mutated_source_is_exported_or_refused_with_a_sentence(
    tmp_path_factory: pytest.TempPathFactory, source: Path, data: st.DataObject
) -> None:
    """What is wrong in files that can be opened is either not touched by the export or named by it."""
    folder = tmp_path_factory.mktemp("mutated")
    for path in source.iterdir():
        shutil.copy(path, folder)
    cell = folder / DatKind.CELL.file_name
    content = bytearray(cell.read_bytes())
    for _ in range(data.draw(st.integers(1, 4))):
        at = data.draw(st.integers(0x140, len(content) - 1))
        content[at] = data.draw(st.integers(0, 255))
    cell.write_bytes(content)
    refusal = exported(folder, folder / "out")
    if refusal is None:
        again = opened(folder / "out")
        room = again.graph.get_visible(HALL)
        assert room is not None
        assert room.stab_list == []
        close(again)
    else:
        assert refusal
        assert not (folder / "out").exists()


def exported(folder: Path, out: Path) -> str | None:
    """Open a world, edit and export it; the sentence of a refusal."""
    try:
        sim = opened(folder, ())
    except (DatError, WorldError) as error:
        return str(error)
    try:
        sim.apply_edit(OpenLandblock(BLOCK))
        written(plan_of(sim, set_stab_list(sim, HALL, [])), out)
    except (DatError, WorldError, SimError, PhysicsError, GeometryError) as error:
        return str(error)
    finally:
        close(sim)
    return None


def test_an_export_that_does_not_read_back_as_shown_is_not_kept(tmp_path: Path, sim: Simulation) -> None:
    edits = set_stab_list(sim, HALL, [])
    plan = plan_of(sim, edits)
    plan.expected[f"the static things of 0x{BLOCK:08X}"] = [(BLOCK, static_object_id(BLOCK, 0))]
    with pytest.raises(SimError, match="the static things of 0xC95BFFFF would differ; nothing was written"):
        written(plan, tmp_path / "out")
    assert not (tmp_path / "out").exists()


# Each child process exports again and again until it is killed; then an export without a kill cleans up after it.
KILLED: Final = """
import gc, os, random, signal, sys, time
from pathlib import Path
from tests.editor.export.small_exports import *
from tests.editor.export.test_writing import HALL, content
from editor.authoring.cell_edits import set_stab_list

source, out, is_loose = Path(sys.argv[1]), Path(sys.argv[2]), sys.argv[3] == "loose"
sim = opened(source)
plans = [plan_of(sim, set_stab_list(sim, HALL, seen)) for seen in ([], [0xC95B0101])]
states = []
for plan in plans:
    start = time.perf_counter()
    written(plan, out, loose=is_loose)
    usual = time.perf_counter() - start
    states.append(content(out))
names = set(states[0])
assert states[0] != states[1] and set(states[1]) == names
chance, kills, left, found_new, found_old = random.Random(5), int(sys.argv[4]), 0, 0, 0
gc.freeze()
for _ in range(kills):
    child = os.fork()
    if child == 0:
        while True:  # the folder holds the second state now
            for plan in plans:
                written(plan, out, loose=is_loose)
    time.sleep(chance.uniform(0.0, 2.5 * usual))
    os.kill(child, signal.SIGKILL)
    os.waitpid(child, 0)
    found = content(out)
    assert names <= set(found), set(found)
    for name in names:
        assert found[name] in (states[0][name], states[1][name]), name
    hidden = set(found) - names
    assert all(Path(name).name.startswith(".") and name.endswith(".tmp") for name in hidden), hidden
    left += bool(hidden)
    is_new = any(found[name] != states[1][name] for name in names)
    found_new, found_old = found_new + is_new, found_old + (not is_new)
    written(plans[1], out, loose=is_loose)
    assert content(out) == states[1], set(content(out))
print(kills, left, found_new, found_old)
"""


@pytest.mark.slow
@pytest.mark.skipif(not hasattr(os, "fork"), reason="the system cannot fork")
@pytest.mark.parametrize(("form", "least"), [("whole", 10), ("loose", 1)])
def test_an_export_killed_at_random_leaves_whole_files_and_no_litter(
    tmp_path: Path, source: Path, form: str, least: int
) -> None:
    kills, left, new, old = map(int, run(KILLED, str(source), str(tmp_path / "out"), form, "100").split())
    assert kills == 100
    assert left >= least, "some were killed while they wrote"
    assert new > 0
    assert old > 0


@pytest.mark.skipif(not Path("/proc/self/fd").exists(), reason="the system does not list open files")
def test_an_export_leaves_no_file_open(tmp_path: Path, plan: DataFilesPlan) -> None:
    before = len(os.listdir("/proc/self/fd"))
    written(plan, tmp_path / "out")
    written(plan, tmp_path / "loose", loose=True)
    assert len(os.listdir("/proc/self/fd")) == before
