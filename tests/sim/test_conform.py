"""`conform SCENE --golden GOLDEN`: its output, its files, and its refusals."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from cellar_door.main import main
from tests.shared import SHARED, needs_shared
from tests.sim.test_golden_scenes import opened, scene_with, text_of, whole_answers
from tests.world.loader.scenes import Json


class Folder:
    """A scene of one move and our own engine's answers to it, as files."""

    def __init__(self, path: Path, **changes: Any) -> None:
        self.scene = path / "scene.json"
        self.golden = path / "golden.json"
        self.out = path / "out.json"
        document = scene_with(**changes)
        self.scene.write_text(json.dumps(document))
        loaded = opened(document)
        self.golden.write_text(text_of(loaded, whole_answers(loaded)))

    def change_golden(self, **fields: Any) -> None:
        document = json.loads(self.golden.read_text())
        document["moves"][0]["ticks"][1].update(fields)
        self.golden.write_text(json.dumps(document))

    def conform(self, *words: str) -> int:
        return main(["conform", str(self.scene), "--golden", str(self.golden), *words])

    def answers(self) -> Json:
        found: Json = json.loads(self.out.read_text())
        return found


def rows(text: str) -> dict[str, list[int]]:
    """The table's numbers by the label before them."""
    found: dict[str, list[int]] = {}
    for line in text.splitlines():
        *name, matched, differing, skipped = ["", "", "", *line.split()]
        if matched.isdigit() and differing.isdigit() and skipped.isdigit():
            found[" ".join(name).strip()] = [int(matched), int(differing), int(skipped)]
    return found


@pytest.mark.parametrize("mode", ["isolated", "whole"])
def test_our_own_answers_all_match(mode: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    folder = Folder(tmp_path)
    assert folder.conform("--mode", mode, "--rules", "ace", "--out", str(folder.out)) == 0
    table = rows(capsys.readouterr().out)
    assert table["ticks"] == [2, 0, 0]
    assert table["pos"] == [2, 0, 0]
    assert folder.answers()["moves"] == json.loads(folder.golden.read_text())["moves"]
    assert len(folder.answers()["queries"]) == 40


def test_a_difference_is_counted_by_field_and_printed(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    folder = Folder(tmp_path)
    folder.change_golden(pos=[3.5, 4, 20.005], env_collision=True)
    assert folder.conform("--mode", "whole") == 1
    text = capsys.readouterr().out
    table = rows(text)
    assert table["ticks"] == [1, 1, 0]
    assert table["pos"] == [1, 1, 0]
    assert table["env_collision"] == [0, 1, 0]
    assert table["cells"] == [2, 0, 0]
    assert "one tick 1: env_collision nothing for true, pos [3.25,4,20.005] for [3.5,4,20.005]" in text


def test_the_output_is_the_engines_own_answer_never_the_goldens(tmp_path: Path) -> None:
    folder = Folder(tmp_path)
    folder.change_golden(pos=[3.5, 4, 20.005])
    assert folder.conform("--mode", "whole", "--out", str(folder.out)) == 1
    assert folder.answers()["moves"][0]["ticks"][1]["pos"] == [3.25, 4, 20.005]


def test_isolated_ticks_start_from_the_goldens_state(tmp_path: Path) -> None:
    folder = Folder(tmp_path, ticks=[{"offset": [0.125, 0.0, 0.0], "repeat": 3}])
    folder.change_golden(pos=[3.5, 4, 20.005])
    assert folder.conform("--mode", "isolated", "--out", str(folder.out)) == 1
    assert [tick["pos"][0] for tick in folder.answers()["moves"][0]["ticks"]] == [3.125, 3.25, 3.625]


def test_fragile_moves_are_compared_only_up_to_their_tick(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    folder = Folder(tmp_path)
    folder.change_golden(pos=[3.5, 4, 20.005])
    (tmp_path / "fragile.json").write_text('{"random": {"one": 1}}')
    assert folder.conform("--mode", "whole") == 0
    assert rows(capsys.readouterr().out)["ticks"] == [1, 0, 1]


def test_a_single_rule_can_be_flipped(tmp_path: Path) -> None:
    folder = Folder(tmp_path, ticks=[{"offset": [500.0, 0.0, 0.0]}])
    assert folder.conform("--mode", "whole", "--rules", "ace") == 0
    assert folder.conform("--mode", "whole", "--rules", "ace", "--rule", "max_steps=retail") == 1


def test_flipping_a_rule_on_which_both_sets_agree_changes_nothing(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert Folder(tmp_path).conform("--rule", "final_cell_array=retail", "--rule", "max_steps=ace") == 0
    assert capsys.readouterr().out.splitlines()[-1] == "final_cell_array is the same in both forms by now"


@pytest.mark.parametrize("rule", ["max_steps", "max_steps=server", "nothing=ace", "=retail"])
def test_an_unknown_rule_is_refused(rule: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert Folder(tmp_path).conform("--rule", rule) == 2
    assert capsys.readouterr().err.startswith(f"Cellar Door: --rule {rule}: should be NAME=retail or NAME=ace")


def test_a_golden_of_another_scene_is_refused(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    folder = Folder(tmp_path)
    folder.golden.write_text('{"scene": "other", "moves": [], "queries": []}')
    assert folder.conform() == 2
    assert capsys.readouterr().err == f"Cellar Door: {folder.golden}: moves: has 0 moves, the scene has 1\n"


def test_a_golden_of_another_length_is_refused(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    folder = Folder(tmp_path)
    document = json.loads(folder.golden.read_text())
    document["moves"][0]["ticks"].pop()
    folder.golden.write_text(json.dumps(document))
    assert folder.conform() == 2
    expected = f"Cellar Door: {folder.golden}: moves[0].ticks: has 1 ticks, the scene's move has 2\n"
    assert capsys.readouterr().err == expected


def test_the_input_is_never_overwritten(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    folder = Folder(tmp_path)
    before = folder.golden.read_bytes()
    (tmp_path / "fragile.json").write_text("{}")
    assert folder.conform("--out", str(tmp_path / "fragile.json")) == 2
    assert folder.conform("--out", str(folder.golden)) == 2
    assert folder.golden.read_bytes() == before
    assert "is one of the files that are read" in capsys.readouterr().err


def test_an_output_that_cannot_be_written_is_refused(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    folder = Folder(tmp_path)
    assert folder.conform("--out", str(tmp_path / "no such folder" / "out.json")) == 2
    assert "cannot be written: there is no folder" in capsys.readouterr().err


@needs_shared
@pytest.mark.conformance
def test_a_golden_scene_conforms_from_the_command_line(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    scene, golden = (SHARED / "goldens" / kind / "door.json" for kind in ("scenes", "golden"))
    words = ["conform", str(scene), "--golden", str(golden), "--mode", "whole", "--rules", "ace"]
    assert main([*words, "--out", str(tmp_path / "out.json")]) == 0
    table = rows(capsys.readouterr().out)
    assert table["moves"] == [8, 0, 0]
    assert table["ticks"] == [265, 0, 0]
    assert table["query find_cells"] == [4, 0, 0]
