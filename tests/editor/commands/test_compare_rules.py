"""`compare --rules` from end to end: the file and the world of each run that shows a rule, and the rule it names."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from cellar_door.main import main
from editor.commands.walk import parse_rules
from engine.sim.recording_file import save_recording
from tests.sim.compare.situations import Place
from tests.sim.compare.test_rules import RUNS, flipped


@pytest.fixture(scope="module")
def written(tmp_path_factory: pytest.TempPathFactory) -> dict[int, Path]:
    """The worlds that were written so far, by their identity."""
    return {}


def folder_of(place: Place, written: dict[int, Path], tmp_path_factory: pytest.TempPathFactory) -> Path:
    key = id(place.built)
    if key not in written:
        written[key] = tmp_path_factory.mktemp("world")
        place.built.write(written[key])
    return written[key]


@pytest.mark.parametrize("rule", RUNS)
def test_the_command_names_the_rule(
    rule: str,
    written: dict[int, Path],
    tmp_path: Path,
    tmp_path_factory: pytest.TempPathFactory,
    capsys: pytest.CaptureFixture[str],
) -> None:
    shown = RUNS[rule]
    place, recording = shown.run(parse_rules(shown.rules))
    save_recording(recording, tmp_path / "run.cdrec")
    world = folder_of(place, written, tmp_path_factory)
    command = ["compare", str(tmp_path / "run.cdrec"), "--world", str(world), "--rules", flipped(rule, shown.rules)]
    assert main([*command, "--json"]) == 1
    cause = json.loads(capsys.readouterr().out)["parts"]["cause"]
    assert (cause["kind"], cause["names"], cause["alone"]) == ("rules", [rule], [rule])
