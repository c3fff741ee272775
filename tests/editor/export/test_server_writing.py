"""What keeps an export of server data from being written: it leaves the old files or whole new ones."""

from __future__ import annotations

import random
import select
import signal
import subprocess
import sys
from pathlib import Path
from typing import Final

import pytest

from engine.sim.edits.placing import PlaceEntity
from engine.sim.tick.simulation import Simulation
from engine.world.faults import WorldError
from tests.editor.export.server_exports import NOW, furnish, moved, opened, plan_of, written
from tests.editor.export.small_exports import cottage
from tests.systems import needs_file_limits, needs_signals
from tests.world.server.furnished import Place

ROOT: Final = Path(__file__).resolve().parents[3]


@pytest.fixture
def place(tmp_path: Path) -> Place:
    place = Place(cottage().build(), tmp_path / "server")
    furnish(place)
    return place


def edits_of(place: Place, sim: Simulation) -> list[PlaceEntity]:
    """The door moves, and the rat goes to the next landblock: two files change."""
    other = (place.block_id + 0x01000000 & 0xFFFF0000) | 1
    return [moved(sim, place.guid(0)), moved(sim, place.guid(7), (10.0, 0.0, 0.0), other)]


EXPORTING: Final = """
import sys
from pathlib import Path
from tests.editor.export.server_exports import *
from tests.editor.export.small_exports import cottage
from tests.editor.export.test_server_writing import edits_of
place = Place(cottage().build(), Path(sys.argv[1]))
sim = opened(place)
plans = [plan_of(sim, edits_of(place, sim)[:count]) for count in (1, 2)]
print("ready", flush=True)
"""
FOREVER: Final = """
while True:
    for plan in plans:
        written(plan, Path(sys.argv[2]))
"""
LIMITED: Final = """
import resource
resource.setrlimit(resource.RLIMIT_FSIZE, (int(sys.argv[3]),) * 2)
try:
    written(plans[1], Path(sys.argv[2]))
except Exception as error:
    print(error)
"""


@needs_file_limits
@pytest.mark.parametrize("most", [0, 1, 700])
def test_a_full_disk_leaves_the_old_export(tmp_path: Path, place: Place, most: int) -> None:
    words = [sys.executable, "-c", EXPORTING + LIMITED, str(place.folder), str(tmp_path / "out"), str(most)]
    told = subprocess.run(words, cwd=ROOT, capture_output=True, text=True, check=True).stdout
    assert "cannot be written: File too large" in told
    assert not (tmp_path / "out").exists()


def test_a_file_that_does_not_read_back_is_not_kept(
    tmp_path: Path, place: Place, monkeypatch: pytest.MonkeyPatch
) -> None:
    sim = opened(place)
    plan = plan_of(sim, edits_of(place, sim))
    spoilt = plan.files[0].after.replace(NOW, NOW.replace("2024", "1024"), 1)
    monkeypatch.setattr("editor.export.write_server_data.read_text", lambda path, kind: spoilt)
    with pytest.raises(
        WorldError, match="does not read back as it was written: its text differs; nothing was exported"
    ):
        written(plan, tmp_path / "out")
    assert not (tmp_path / "out").exists()


def test_a_wrong_text_is_told_by_the_first_thing_in_it(place: Place) -> None:
    sim = opened(place)
    file = next(each for each in plan_of(sim, edits_of(place, sim)).files if each.before is not None)
    assert file.flaw(file.after) == ""
    before = file.before or ""
    assert file.flaw(before) == f"0x{place.guid(0):08X} would stand elsewhere"
    assert file.flaw("") == f"0x{place.guid(0):08X} would be missing"
    without = file.after.replace("INSERT INTO `landblock_instance_link`", "INSERT INTO `other`")
    assert file.flaw(without) == "its links would differ"


@needs_signals
@pytest.mark.slow
def test_a_killed_export_leaves_whole_files_and_no_litter_for_the_next(tmp_path: Path, place: Place) -> None:
    out = tmp_path / "out"
    sim = opened(place)
    plans = [plan_of(sim, edits_of(place, sim)[:count]) for count in (1, 2)]
    whole: dict[str, set[bytes]] = {}
    for plan in plans:
        written(plan, out)
        for file in plan.files:
            whole.setdefault(file.name, set()).add(file.after.encode())
    chance = random.Random(5)
    left = 0
    for _ in range(100):
        with subprocess.Popen(
            [sys.executable, "-c", EXPORTING + FOREVER, str(place.folder), str(out)], cwd=ROOT, stdout=subprocess.PIPE
        ) as process:
            assert process.stdout is not None
            assert process.stdout.readline() == b"ready\n"
            select.select([], [], [], chance.uniform(0.0, 0.05))
            process.send_signal(signal.SIGKILL)
        found = {path.name: path.read_bytes() for path in out.iterdir()}
        for name, contents in whole.items():
            assert found.pop(name) in contents
        assert all(name.startswith(".") and name.endswith(".tmp") for name in found)
        left += len(found)
    assert left > 0, "some were killed while they wrote"
    written(plans[1], out)
    assert {path.name for path in out.iterdir()} == set(whole)
