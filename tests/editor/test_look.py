"""`look`: pictures from the command line, with no display; and one sentence for what can not be."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest
from PySide6.QtGui import QImage

from cellar_door.main import main
from tests.shared import SHARED, needs_shared

ROOT = Path(__file__).resolve().parents[2]


def look(*words: str, **environment: str) -> subprocess.CompletedProcess[str]:
    """In a process of its own, without a display."""
    kept = {name: value for name, value in os.environ.items() if name not in ("DISPLAY", "WAYLAND_DISPLAY")}
    command = [sys.executable, "-m", "cellar_door", "look", *words]
    return subprocess.run(command, cwd=ROOT, env={**kept, **environment}, capture_output=True, text=True, check=False)


def pixels(path: Path) -> np.ndarray[tuple[int, ...], np.dtype[np.uint8]]:
    image = QImage(str(path)).convertToFormat(QImage.Format.Format_RGBX8888)
    found = np.array(image.constBits(), np.uint8).reshape(image.height(), image.width(), 4)
    return found[:, :, :3]


def test_the_demo_is_looked_at_from_its_player_without_a_display(tmp_path: Path) -> None:
    """And nothing else is needed: no source, no eye."""
    target = tmp_path / "parlour.png"
    done = look("--screenshot", str(target), "--size", "320x200")
    assert done.returncode == 0, done.stderr
    assert done.stdout == f"{target}: 320 x 200 pixels, from 0xC95B0101\n"
    assert pixels(target).shape == (200, 320, 3)
    assert pixels(target).std() > 30.0


def test_eye_heading_mode_time_and_overlays_change_the_picture(tmp_path: Path) -> None:
    street = ["demo", "--cell", "0xC95B001C", "--eye", "76,95.4,21.5", "--size", "240x150"]
    ways = {
        "plain": [],
        "exact": ["--mode", "exact"],
        "turned": ["--heading", "90", "--pitch", "-20"],
        "night": ["--time", "0"],
        "marked": ["--overlay", "cells", "--overlay", "order"],
    }
    pictures = {}
    for name, words in ways.items():
        target = tmp_path / f"{name}.png"
        assert main(["look", *street, *words, "--screenshot", str(target)]) == 0
        pictures[name] = pixels(target)
    plain = pictures.pop("plain")
    assert (abs(pictures.pop("exact").astype(int) - plain) > 24).any(axis=2).mean() < 0.01
    assert all((abs(picture.astype(int) - plain) > 24).any() for picture in pictures.values())


def test_an_eye_in_a_landblock_finds_its_own_cell(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    target = str(tmp_path / "a.png")
    for eye, cell in (("58.4,109.1,21.6", "0xC95B0101"), ("76,95.4,21.5", "0xC95B001C")):
        words = ["--cell", "0xC95BFFFF", f"--eye={eye}", "--size", "64x40"]
        assert main(["look", "demo", *words, "--screenshot", target]) == 0
        assert capsys.readouterr().out.rstrip().endswith(f"from {cell}")


@needs_shared
def test_dumps_and_scenes_without_textures_are_looked_at_as_well(tmp_path: Path) -> None:
    for source in ("fixtures/cellar-ascent", "goldens/scenes/door.json"):
        target = tmp_path / "a.png"
        assert main(["look", str(SHARED / source), "--size", "96x60", "--screenshot", str(target)]) == 0
        assert len(np.unique(pixels(target).reshape(-1, 3), axis=0)) > 1


@needs_shared
def test_a_source_without_landblocks_is_nothing_to_look_at(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    target = str(tmp_path / "a.png")
    assert main(["look", str(SHARED / "fixtures" / "outdoor-stairs-seam"), "--screenshot", target]) == 2
    assert "there is nothing to look at: it has no landblocks" in capsys.readouterr().err


WRONG = {
    "a cell that is not there": (["--cell", "0xC95B0F00"], "there is no cell 0xC95B0F00"),
    "a landblock that is not there": (["--cell", "0x12340101"], "there is no landblock 0x1234FFFF"),
    "no id": (["--cell", "parlour"], "'parlour' is not an id: write it as 0xA9B40143"),
    "a landblock without an eye": (["--cell", "0xC95BFFFF"], "0xC95BFFFF is a landblock: say with --eye where to look"),
    "no point": (["--eye", "1,2"], "'1,2' is no point: write X,Y,Z"),
    "no number": (["--eye", "1,2,up"], "'up' is no number"),
    "infinity": (["--heading", "inf"], "'inf' is no number, as the heading has to be"),
    "no size": (["--size", "800"], "'800' is no size: write WIDTHxHEIGHT"),
    "too large": (["--size", "99999x10"], "a picture of 99999 x 10 pixels can not be drawn"),
    "no day's time": (["--time", "24"], "a time of 24 is not on any day"),
    "over the top": (["--pitch", "91"], "a pitch of 91 is beyond straight up or down"),
    "no overlay": (["--overlay", "ghosts"], "there is no overlay 'ghosts'; there are portals, views"),
}


@pytest.mark.parametrize("name", WRONG)
def test_what_can_not_be_is_said_in_one_sentence(name: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    words, sentence = WRONG[name]
    assert main(["look", "demo", "--screenshot", str(tmp_path / "a.png"), *words]) == 2
    said = capsys.readouterr().err
    assert said.startswith("Cellar Door: ")
    assert sentence in said
    assert said.count("\n") == 1
    assert not list(tmp_path.iterdir())


@pytest.mark.parametrize(
    ("target", "sentence"),
    [
        ("nowhere/a.png", "there is no folder"),
        ("a.txt", "a picture can be written as .png"),
        ("folder.png", "it is a folder"),
    ],
)
def test_a_place_that_no_picture_can_be_written_to_is_refused_before_anything_is_drawn(
    target: str, sentence: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "folder.png").mkdir()
    assert main(["look", "no source at all", "--screenshot", str(tmp_path / target)]) == 2
    said = capsys.readouterr().err
    assert sentence in said
    assert said.count("\n") == 1


def test_a_machine_without_opengl_is_told_so(tmp_path: Path) -> None:
    done = look("--screenshot", str(tmp_path / "a.png"), __EGL_VENDOR_LIBRARY_FILENAMES="/nowhere")
    assert done.returncode == 2
    assert done.stderr.splitlines()[-1].startswith(
        "Cellar Door: this machine offers no OpenGL 3.3 without a window: EGL_"
    )
    assert not list(tmp_path.iterdir())
