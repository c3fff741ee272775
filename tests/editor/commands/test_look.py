"""`look`: pictures from the command line, with no display; and one sentence for what cannot be."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest
from PySide6.QtGui import QImage

from cellar_door.main import main
from engine.build import Mesh, WorldBuilder, rect
from engine.build.shapes.solids import box
from engine.dat.records.mesh import Degrade
from engine.render.draws import AS_AUTHORED
from tests.render.test_levels import with_levels
from tests.shared import SHARED, needs_shared
from tests.visibility.helpers.small_scenes import endless, two_rooms

ROOT = Path(__file__).resolve().parents[3]


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


def test_presets_of_the_client_change_the_picture_where_they_are_asked_for(tmp_path: Path) -> None:
    street = ["demo", "--cell", "0xC95B001C", "--eye", "76,95.4,21.5", "--size", "240x150"]
    pictures = []
    for name, words in (("plain", []), ("soft", ["--multi-pass-alpha"])):
        target = tmp_path / f"{name}.png"
        assert main(["look", *street, *words, "--screenshot", str(target)]) == 0
        pictures.append(pixels(target))
    assert (pictures[0] != pictures[1]).any(), "leaves have soft edges"


def test_eye_heading_mode_time_and_overlays_change_the_picture(tmp_path: Path) -> None:
    street = ["demo", "--cell", "0xC95B001C", "--eye", "76,95.4,21.5", "--size", "240x150"]
    ways = {
        "plain": [],
        "exact": ["--mode", "exact"],
        "turned": ["--heading", "90", "--pitch", "-20"],
        "night": ["--time", "0"],
        "marked": ["--overlay", "cells", "order", "--overlay", "stab"],
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


def test_levels_of_detail_are_drawn_when_they_are_asked_for(tmp_path: Path) -> None:
    builder = WorldBuilder()
    room = builder.room("corridor", rect(0.0, 0.0, 6.0, 90.0))
    builder.doorway(room, builder.room("closet", rect(0.0, 90.2, 6.0, 3.0)))
    room.put(Mesh.of("crate", box(-2.5, -1.0, 0.0, 5.0, 2.0, 2.9, "wood")), (3.0, 5.0))
    built = with_levels(builder, [Degrade(number, AS_AUTHORED, 0.0, 20.0, 20.0) for number in (1, 0)])
    folder = str(built.write(tmp_path / "corridor"))
    words = ["--cell", f"0x{built.cell_id('corridor'):08X}", "--eye=3,82,1.5", "--heading", "180", "--size", "64x40"]
    pictures = []
    for number, option in enumerate(([], ["--levels-of-detail"])):
        target = tmp_path / f"{number}.png"
        assert main(["look", folder, *words, *option, "--screenshot", str(target)]) == 0
        pictures.append(pixels(target))
    assert (pictures[0] != pictures[1]).any()


def test_terrain_detail_shows_land_that_is_far_away_when_it_is_asked_for(tmp_path: Path) -> None:
    """A table mountain begins three landblocks to the south, with a tower on it that is not to be seen."""
    pictures = []
    for tower in (False, True):
        builder = WorldBuilder()
        for row in (0x5B, 0x5D):
            land = builder.landblock(0xC900 | row, height=20.0)
            if row == 0x5B:
                assert land.ground is not None
                land.ground.shape(lambda _x, y: 120.0 if y < 0.0 else 20.0)
                if tower:
                    land.put(Mesh.of("tower", box(-20.0, -20.0, 0.0, 40.0, 40.0, 200.0, "wood")), (96.0, 150.0))
        folder = str(builder.build().write(tmp_path / f"plain {tower}"))
        words = ["--cell", "0xC95D0021", "--eye=96,20,40", "--heading", "180", "--size", "128x80"]
        for option in ([], ["--terrain-detail"]):
            target = tmp_path / "picture.png"
            assert main(["look", folder, *words, *option, "--screenshot", str(target)]) == 0
            pictures.append(pixels(target))
    near, far, _, with_tower = pictures
    assert (near != far).any(axis=2).sum() > 100
    assert (far == with_tower).all()


def test_overlays_are_given_one_by_one_or_together(tmp_path: Path) -> None:
    ways = {"together": ["portals", "order"], "one by one": ["portals", "--overlay", "order"], "one": ["portals"]}
    pictures = {}
    for name, words in ways.items():
        target = tmp_path / f"{name}.png"
        assert main(["look", "demo", "--size", "320x200", "--screenshot", str(target), "--overlay", *words]) == 0
        pictures[name] = pixels(target)
    assert (pictures["together"] == pictures["one by one"]).all()
    assert (pictures["together"] != pictures["one"]).any()


def test_the_contact_overlay_shows_a_step_of_the_player(tmp_path: Path) -> None:
    at_him = ["--cell", "0xC95B0101", "--eye", "57,107,21.8", "--heading", "35", "--pitch", "-30", "--size", "320x200"]
    pictures = {}
    for name, words in {"plain": [], "contact": ["--overlay", "contact"]}.items():
        target = tmp_path / f"{name}.png"
        assert main(["look", "demo", *at_him, *words, "--screenshot", str(target)]) == 0
        pictures[name] = pixels(target).astype(int)
    green = pictures["contact"][:, :, 1] - pictures["contact"][:, :, 0]
    changed = (abs(pictures["contact"] - pictures["plain"]) > 24).any(axis=2)
    assert (changed & (green > 24)).sum() > 100  # the sphere that was accepted, and the plane under it


def test_depth_and_stencil_are_shown_in_place_of_the_colours(tmp_path: Path) -> None:
    pictures = {}
    for name in ("colour", "depth", "stencil"):
        target = tmp_path / f"{name}.png"
        words = ["--cell", "0xC95B0015", "--eye", "57,97,21.5", "--mode", "exact", "--size", "240x150"]
        assert main(["look", "demo", *words, "--buffer", name, "--screenshot", str(target)]) == 0
        pictures[name] = pixels(target)
    assert (pictures["colour"] != pictures["depth"]).any()
    grey = (pictures["depth"].max(axis=2) == pictures["depth"].min(axis=2)).mean()
    assert 0.4 < grey < 1.0  # all but the sky
    assert 3 < len(np.unique(pictures["stencil"].reshape(-1, 3), axis=0)) < 20  # the openings of the cottage


@pytest.fixture
def scenes(tmp_path: Path) -> Path:
    file = tmp_path / "scenes.json"
    rooms = {"two rooms": two_rooms(), "endless": endless()}
    file.write_text(json.dumps({"scenes": rooms}), encoding="utf-8")
    return file


def test_one_of_several_scenes_is_looked_at_from_a_room_by_its_name(
    scenes: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    words = ["--scene", "two rooms", "--size", "64x40", "--screenshot", str(tmp_path / "a.png")]
    for name, cell in (("A", "0x01010100"), ("B", "0x01010101"), ("0x01010101", "0x01010101")):
        assert main(["look", str(scenes), *words, "--cell", name]) == 0
        assert capsys.readouterr().out.rstrip().endswith(f"from {cell}")


def test_a_missing_scene_or_room_and_a_player_without_one_are_reported(
    scenes: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    target = tmp_path / "a.png"
    for words, sentence in (
        ([], "holds several scenes: two rooms, endless"),
        (["--scene", "three"], "has no scene 'three'"),
        (["--scene", "two rooms", "--cell", "Z"], "has no room 'Z': A, B"),
        (["--scene", "two rooms", "--cell", "A", "--overlay", "contact"], "there is no room for a player, whose step"),
    ):
        assert main(["look", str(scenes), *words, "--screenshot", str(target)]) == 2
        assert sentence in capsys.readouterr().err
        assert not target.exists()


def test_a_picture_has_the_form_that_its_name_says(tmp_path: Path) -> None:
    for name, begin in (("a.JPG", b"\xff\xd8"), ("a.bmp", b"BM"), ("a.webp", b"RIFF"), ("a.ppm", b"P6")):
        assert main(["look", "demo", "--size", "64x40", "--screenshot", str(tmp_path / name)]) == 0
        assert (tmp_path / name).read_bytes().startswith(begin)


def test_a_picture_never_takes_the_place_of_what_is_looked_at(
    scenes: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    source = scenes.rename(tmp_path / "scenes.png")
    before = source.read_bytes()
    assert main(["look", str(source), "--scene", "two rooms", "--screenshot", str(source)]) == 2
    assert "one of the files that are read" in capsys.readouterr().err
    assert source.read_bytes() == before


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
    "a landblock without an eye": (
        ["--cell", "0xC95BFFFF"],
        "0xC95BFFFF is a landblock: choose the eye's place with --eye",
    ),
    "no point": (["--eye", "1,2"], "'1,2' is not a point: write X,Y,Z"),
    "beyond everything": (["--eye", "1e300,1,2"], "1e+300,1,2 is nowhere"),
    "beyond a cell": (["--cell", "0xC95B0001", "--eye=1e7,2,3"], "1e+07,2,3 is nowhere"),
    "no number": (["--eye", "1,2,up"], "'up' is not a number"),
    "infinity": (["--heading", "inf"], "'inf' is not a number, as the heading has to be"),
    "no size": (["--size", "800"], "'800' is not a size: write WIDTHxHEIGHT"),
    "too large": (["--size", "99999x10"], "a picture of 99999 x 10 pixels cannot be drawn"),
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
def test_an_unwritable_picture_is_refused_before_anything_is_drawn(
    target: str, sentence: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "folder.png").mkdir()
    assert main(["look", "no source at all", "--screenshot", str(tmp_path / target)]) == 2
    said = capsys.readouterr().err
    assert sentence in said
    assert said.count("\n") == 1


@pytest.mark.gui
@pytest.mark.display
def test_without_egl_the_display_draws_the_same_pixels(tmp_path: Path) -> None:
    """Also where EGL is there and fails."""
    display, broken = {"DISPLAY": os.environ["DISPLAY"]}, {"__EGL_VENDOR_LIBRARY_FILENAMES": "/nowhere"}
    ways = {"egl": {}, "glx": {**display, "CELLAR_DOOR_OPENGL": "glx"}, "broken": {**display, **broken}}
    pictures = []
    for name, environment in ways.items():
        target = tmp_path / f"{name}.png"
        done = look("--screenshot", str(target), "--size", "320x200", "--overlay", "portals", **environment)
        assert done.returncode == 0, done.stderr
        pictures.append(pixels(target))
    assert pictures[0].std() > 30.0
    for other in pictures[1:]:
        assert (other == pictures[0]).all()


@pytest.mark.parametrize(
    ("display", "sentence"),
    [
        ("", "without EGL a picture needs a display, and there is none (DISPLAY is not set)"),
        (":987", "without EGL a picture needs a display, and none could be opened"),
    ],
)
@pytest.mark.skipif(sys.platform != "linux", reason="only Linux has two ways to OpenGL")
def test_without_egl_a_picture_needs_a_display_and_says_so(display: str, sentence: str, tmp_path: Path) -> None:
    done = look("--screenshot", str(tmp_path / "a.png"), CELLAR_DOOR_OPENGL="glx", DISPLAY=display)
    assert (done.returncode, done.stderr.splitlines()[-1]) == (2, f"Cellar Door: {sentence}")
    assert not list(tmp_path.iterdir())


@pytest.mark.skipif(sys.platform != "linux", reason="elsewhere pictures are not drawn by EGL")
def test_a_machine_without_opengl_is_told_so(tmp_path: Path) -> None:
    done = look("--screenshot", str(tmp_path / "a.png"), __EGL_VENDOR_LIBRARY_FILENAMES="/nowhere")
    assert done.returncode == 2
    assert done.stderr.splitlines()[-1].startswith(
        "Cellar Door: this machine offers no OpenGL 3.3 without a window: EGL_"
    )
    assert not list(tmp_path.iterdir())
