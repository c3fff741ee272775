"""`bench`: where its figures go is looked at before anything is measured."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from benchmarks import run
from cellar_door.main import main

MEASURED = [{"name": "a walk", "value": 2.0, "unit": "ms", "goal": 1.0, "limit": 3.0}]


@pytest.fixture
def measured(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """The areas that were measured, each at once and with the same figure."""
    areas: list[str] = []

    def measure(area: str, core: str, world_side: int | None) -> list[dict[str, object]]:
        areas.append(area if world_side is None else f"{area} {world_side}")
        return MEASURED

    monkeypatch.setattr(run, "_measure", measure)
    monkeypatch.setattr(run, "calibrate", lambda: {"python": 1.0})
    return areas


@pytest.mark.parametrize("area", sorted(run.AREAS))
def test_a_file_that_can_not_be_written_is_refused_before_anything_is_measured(
    area: str, measured: list[str], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    out = tmp_path / "nowhere" / "figures.json"
    assert main(["bench", area, "--json", str(out)]) == 2
    told = capsys.readouterr()
    assert told.err == f"Cellar Door: {out}: cannot be written: there is no folder {out.parent}\n"
    assert (told.out, measured) == ("", [])


def test_the_figures_of_both_cores_are_written(measured: list[str], tmp_path: Path) -> None:
    out = tmp_path / "figures.json"
    assert main(["bench", "data", "--json", str(out)]) == 0
    found = json.loads(out.read_text(encoding="utf-8"))
    assert [(row["name"], row["core"], row["value"]) for row in found] == [
        ("a walk", "compiled", 2.0),
        ("a walk", "python", 2.0),
    ]
    assert measured == ["data", "data"]


def test_a_size_of_a_world_is_a_number_of_landblocks_or_full(measured: list[str]) -> None:
    assert main(["bench", "data", "--world-size", "full", "--core", "compiled"]) == 0
    assert main(["bench", "data", "--world-size", "20", "--core", "compiled"]) == 0
    assert measured == ["data 255", "data 20"]


@pytest.mark.parametrize("words", [["data", "--world-size", "256"], ["data", "--world-size", "x"]])
def test_a_size_that_no_map_has_is_refused(words: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit):
        main(["bench", *words])
    assert "is neither 'full' nor a number from 16 to 255" in capsys.readouterr().err


def test_other_areas_have_no_world_to_size(measured: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["bench", "physics", "--world-size", "full"]) == 2
    assert "goes with `bench data`" in capsys.readouterr().err
    assert measured == []
