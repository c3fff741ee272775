"""The entry point for a new edit: a class with its fields, a line in the catalogue, and nothing else."""

from __future__ import annotations

import dataclasses
from pathlib import Path

import pytest

from engine import active_core
from engine.physics.errors import PhysicsError
from engine.sim.edits.catalogue import EDITS, FIELDS, NAMES, edit_of, name_of, values_of
from engine.sim.edits.edit import Edit
from engine.sim.edits.player import FacePlayer
from engine.sim.playback import verify
from engine.sim.recording import Recorder
from engine.sim.recording_file import parse_recording, recording_bytes
from engine.sim.tick.simulation import Simulation
from tests.sim.helpers.small_worlds import big_hall, built, simulate, standing

ROOT = Path(__file__).parents[3]


@pytest.mark.skipif(active_core() == "compiled", reason="a compiled class has no subclass outside the core")
def test_a_new_edit_is_a_class_and_a_line_in_the_catalogue(monkeypatch: pytest.MonkeyPatch) -> None:
    @dataclasses.dataclass(frozen=True)
    class Levitate(Edit):
        """An edit that this program does not have: it raises the player's velocity."""

        speed: float
        reason: str

        def apply(self, sim: Simulation) -> None:
            x, y, _ = sim.player.steered.velocity
            sim.player.steered.set_velocity((x, y, self.speed))

        def inverse(self, sim: Simulation) -> list[Edit]:
            return [Levitate(sim.player.steered.velocity[2], self.reason)]

    monkeypatch.setitem(EDITS, "levitate", Levitate)
    monkeypatch.setitem(NAMES, Levitate, "levitate")
    monkeypatch.setitem(FIELDS, "levitate", [("speed", "float"), ("reason", "str")])
    sim = standing(built(big_hall), "hall", (20.0, 20.0))
    undone = Levitate(3.0, "test").inverse(sim)
    with Recorder(sim) as recorder:
        sim.apply_edit(Levitate(3.0, "test"))
        sim.tick()
        for edit in undone:
            sim.apply_edit(edit)
        sim.tick()
    recording = parse_recording(recording_bytes(recorder.recording), "levitate")
    assert recording.edits[sim.tick_number - 2] == [Levitate(3.0, "test")]
    assert verify(simulate(built(big_hall)), recording) is None


def test_only_the_catalogue_holds_an_edits_name_in_files() -> None:
    package = ROOT / "engine" / "sim" / "edits"
    for name, edit in EDITS.items():
        there = [file.name for file in sorted(package.glob("*.py")) if f'"{name}"' in file.read_text(encoding="utf-8")]
        assert there == ["catalogue.py"], name
        assert dataclasses.is_dataclass(edit)


def test_every_class_of_an_edit_is_in_the_catalogue() -> None:
    assert {edit for edit in Edit.__subclasses__() if edit.__module__.startswith("engine.")} == set(EDITS.values())


def test_edits_cannot_be_changed() -> None:
    with pytest.raises((dataclasses.FrozenInstanceError, AttributeError)):
        FacePlayer(3.0).heading = 4.0  # type: ignore[misc]


def test_an_integer_in_place_of_a_float_becomes_one() -> None:
    edit = edit_of("face", (90,))
    assert (name_of(edit), values_of(edit)) == ("face", (90.0,))
    assert type(values_of(edit)[0]) is type(values_of(FacePlayer(90))[0]) is float


def test_an_edit_without_an_inverse_reports_it() -> None:
    sim = standing(built(big_hall), "hall", (20.0, 20.0))
    with pytest.raises(PhysicsError, match="RestoreSnapshot cannot be undone"):
        edit_of("put_back", (b"", 0)).inverse(sim)
