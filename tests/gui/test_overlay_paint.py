"""Words over the picture: which are written, and where."""

from __future__ import annotations

import pytest
from PySide6.QtGui import QFont, QImage, QPainter
from PySide6.QtWidgets import QApplication

from editor.overlay_paint import write_labels
from engine.geometry.vec import Vec3
from engine.render.overlays.geometry import Label, OverlayGeometry
from engine.visibility.camera import looking

pytestmark = pytest.mark.gui

BLOCK = 0xC95BFFFF
WHITE = (255, 255, 255, 255)


def written(labels: list[Label]) -> list[float]:
    """The left borders of what is written of some labels, in the order of writing."""
    image = QImage(400, 300, QImage.Format.Format_RGB32)
    image.fill(0)
    camera = looking(BLOCK, (0.0, 0.0, 0.0), 0.0, 0.0, 400.0, 300.0, 200.0)
    painter = QPainter(image)
    places = write_labels(painter, OverlayGeometry(labels=labels), camera, QFont())
    painter.end()
    return [place.left() for place in places]


def test_the_nearer_of_two_words_in_one_place_is_written(qapp: QApplication) -> None:
    near: Vec3 = (0.0, 5.0, 0.0)
    far: Vec3 = (0.0, 9.0, 0.0)
    both = [Label("a long word far away", WHITE, BLOCK, far), Label("near", WHITE, BLOCK, near)]
    assert written(both) == written([both[1]])


def test_what_is_behind_the_eye_is_not_written(qapp: QApplication) -> None:
    assert written([Label("behind", WHITE, BLOCK, (0.0, -5.0, 0.0))]) == []


def test_a_word_at_the_border_is_moved_in_whole(qapp: QApplication) -> None:
    assert written([Label("a word at the border", WHITE, pixel=(2.0, 150.0))]) == [0.0]


def test_a_word_of_another_landblock_is_written_where_it_stands(qapp: QApplication) -> None:
    here = written([Label("far", WHITE, BLOCK, (0.0, 192.0 + 8.0, 0.0))])
    there = written([Label("far", WHITE, 0xC95CFFFF, (0.0, 8.0, 0.0))])
    assert here == there != []
