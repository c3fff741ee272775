"""Pictures of findings: what they show, which are drawn, and what is said about the others."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from PySide6.QtGui import QImage

from editor.pictures import findings
from editor.pictures.findings import draw_findings
from editor.session.sources import open_source
from editor.survey.report_form import Report
from engine.build import WorldBuilder, rect
from engine.findings.finding import Found
from engine.world.world import World
from tests.editor.survey.reports.samples import CHECKS

HALL, BLOCK = 0x00070100, 0x0007FFFF


@pytest.fixture(scope="module")
def house(tmp_path_factory: pytest.TempPathFactory) -> Iterator[World]:
    """Two rooms with a doorway between them."""
    made = WorldBuilder()
    hall = made.room("hall", rect(0, 0, 6, 4), height=2.8)
    made.door(hall, made.room("study", rect(6.2, 0, 4, 4), height=2.8))
    folder: Path = tmp_path_factory.mktemp("house")
    made.build().write(folder)
    with open_source(str(folder)) as world:
        yield world


def reported(*found: Found) -> Report:
    return replace(Report.of("house", (), (), found), checks=CHECKS)


def pixels(picture: bytes) -> np.ndarray[tuple[int, ...], np.dtype[np.uint8]]:
    image = QImage.fromData(picture).convertToFormat(QImage.Format.Format_RGBX8888)
    return np.array(image.constBits(), np.uint8).reshape(image.height(), image.width(), 4)[:, :, :3]


def redness(picture: bytes) -> int:
    """Pixels in which red stands out, as it does in marks."""
    red, green, blue = (pixels(picture)[:, :, part].astype(int) for part in range(3))
    return int(((red > 150) & (red > green + 60) & (red > blue + 60)).sum())


def test_a_place_is_marked_in_the_middle_of_its_picture(house: World) -> None:
    found = Found("stuck.pit", BLOCK, HALL, place=(HALL, (3.0, 2.0, 1.0)))
    drawn = draw_findings(house, reported(found))
    (picture,) = drawn.by_key.values()
    assert list(drawn.by_key) == [found.key]
    shown = pixels(picture)
    assert shown.shape == (findings.SIZE[1], findings.SIZE[0], 3)
    height, width = shown.shape[:2]
    middle = shown[height // 3 : 2 * height // 3, width // 3 : 2 * width // 3].astype(int)
    assert ((middle[:, :, 0] > 150) & (middle[:, :, 0] > middle[:, :, 1] + 60)).sum() > 30
    assert drawn.unpictured == ""


def test_a_portal_is_filled_and_a_path_is_a_line(house: World) -> None:
    plain = Found("stuck.pit", BLOCK, HALL, place=(HALL, (3.0, 2.0, 1.0)))
    path = tuple((HALL, (1.0 + step, 1.0, 0.5)) for step in range(4))
    portal = Found("portals.apart", BLOCK, HALL, portal=0)
    walked = Found("stuck.pit", BLOCK, HALL, place=path[-1], path=path)
    drawn = draw_findings(house, reported(plain, portal, walked)).by_key
    assert redness(drawn[walked.key]) > redness(drawn[plain.key])
    assert len(drawn) == 3


def test_the_eye_that_proves_it_is_the_eye_of_the_picture(house: World) -> None:
    at = (HALL, (3.0, 2.0, 1.0))
    two = [
        Found("stuck.pit", BLOCK, HALL, polygon=n, place=at, eye=(HALL, eye))
        for n, eye in enumerate(((1.0, 1.0, 2.0), (5.0, 3.0, 2.0)))
    ]
    first, second = draw_findings(house, reported(*two)).by_key.values()
    assert (pixels(first) != pixels(second)).mean() > 0.05


def test_no_eye_stands_beyond_the_edge_of_the_land(tmp_path: Path) -> None:
    made = WorldBuilder()
    made.landblock(0x0007)
    made.build().write(tmp_path / "land")
    at = (BLOCK, (96.0, 191.5, 0.5))
    with open_source(str(tmp_path / "land")) as world:
        artist = findings._Artist(world)
        view = artist._view(Found("stuck.pit", BLOCK, place=at), at)
        artist.close()
    assert view.eye[1] <= 192.0


def test_each_check_has_its_worst_drawn_before_another_has_two(house: World) -> None:
    many = [Found("portals.apart", BLOCK, HALL, polygon=n, place=(HALL, (3.0, 2.0, 1.0))) for n in range(5)]
    one = Found("doors.gap", BLOCK, HALL, place=(HALL, (2.0, 2.0, 1.0)))
    drawn = draw_findings(house, reported(*many, one), most=2)
    assert drawn.by_key.keys() == {many[0].key, one.key}
    assert drawn.unpictured == "Of 6 findings 2 are drawn, the worst of each check first."


def test_what_cannot_be_drawn_is_told_and_the_others_are_drawn(house: World) -> None:
    here = Found("stuck.pit", BLOCK, HALL, place=(HALL, (3.0, 2.0, 1.0)))
    nowhere = Found("portals.apart", 0xF0F0FFFF, 0xF0F00100, place=(0xF0F00100, (1e30, 2.0, 1.0)))
    placeless = Found("doors.gap", BLOCK)
    drawn = draw_findings(house, reported(here, nowhere, placeless))
    assert list(drawn.by_key) == [here.key]
    assert "2 could not be" in drawn.unpictured


@pytest.mark.parametrize("far", [1e5, 1e30, 1e300])
def test_places_far_away_are_no_trouble(house: World, far: float) -> None:
    at = (HALL, (far, -far, far))
    strange = [
        Found("stuck.pit", BLOCK, HALL, place=at),
        Found("stuck.pit", BLOCK, HALL, polygon=1, place=(HALL, (3.0, 2.0, 1.0)), path=(at, at)),
        Found("stuck.pit", BLOCK, HALL, polygon=2, place=(HALL, (3.0, 2.0, 1.0)), eye=at),
        Found("stuck.pit", BLOCK, HALL, polygon=3, place=(0xFFFFFFFF, (3.0, 2.0, 1.0))),
        Found("stuck.pit", BLOCK, HALL, polygon=4, place=(0, (3.0, 2.0, 1.0)), path=((0xFFFF0001, (0.0, 0.0, 0.0)),)),
    ]
    here = Found("doors.gap", BLOCK, HALL, place=(HALL, (3.0, 2.0, 1.0)))
    assert here.key in draw_findings(house, reported(*strange, here)).by_key


def test_pictures_take_no_more_than_their_share(house: World, monkeypatch: pytest.MonkeyPatch) -> None:
    places = [Found("stuck.pit", BLOCK, HALL, polygon=n, place=(HALL, (3.0, 2.0, 1.0))) for n in range(4)]
    first = len(next(iter(draw_findings(house, reported(places[0])).by_key.values())))
    monkeypatch.setattr(findings, "MOST_BYTES", first * 2 + first // 2)
    assert len(draw_findings(house, reported(*places)).by_key) == 2
