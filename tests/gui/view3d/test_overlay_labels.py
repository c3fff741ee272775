"""Labels over the picture: which are written, and where."""

from __future__ import annotations

import pytest
from PySide6.QtCore import QRectF
from PySide6.QtGui import QColor, QFont, QImage, QPainter
from PySide6.QtWidgets import QApplication

from editor.view3d import gizmo_drawing
from editor.view3d.overlay_labels import GROUND, write_labels
from engine.render.overlays import palette
from engine.render.overlays.geometry import Label, OverlayGeometry
from engine.visibility.camera import looking

pytestmark = pytest.mark.gui

BLOCK = 0xC95BFFFF
WHITE = (255, 255, 255, 255)


def chips(labels: list[Label], covered: list[QRectF] | None = None, ratio: float = 1.0) -> list[QRectF]:
    """The rectangles of the labels written, in the order of writing."""
    image = QImage(400, 300, QImage.Format.Format_RGB32)
    image.fill(0)
    camera = looking(BLOCK, (0.0, 0.0, 0.0), 0.0, 0.0, 400.0, 300.0, 200.0)
    painter = QPainter(image)
    places = write_labels(painter, OverlayGeometry(labels=labels), camera, QFont(), ratio, covered or [])
    painter.end()
    return places


def written(labels: list[Label]) -> list[float]:
    """The left borders of the labels written, in the order of writing."""
    return [place.left() for place in chips(labels)]


def test_the_nearest_of_overlapping_labels_keeps_its_place(qapp: QApplication) -> None:
    near = Label("near", WHITE, BLOCK, (0.0, 5.0, 0.0))
    far = [Label("a long word far away", WHITE, BLOCK, (0.0, 9.0 + i, 0.0)) for i in range(9)]
    places = chips([*far, near])
    assert places[:1] == chips([near])
    assert len(places) == 3, "one above, one below; the others wait until one looks from nearer"
    assert not any(a.intersects(b) for i, a in enumerate(places) for b in places[:i])


def test_labels_of_the_selection_and_the_player_come_before_nearer_ones(qapp: QApplication) -> None:
    grey = [Label("a label of something else", palette.NEITHER, BLOCK, (0.0, 4.0 + i, 0.0)) for i in range(5)]
    here = Label("here", palette.CURRENT, BLOCK, (0.0, 20.0, 0.0))
    chosen = Label("chosen", palette.SELECTED, BLOCK, (0.0, 30.0, 0.0))
    places = chips([*grey, here, chosen])
    assert places[0] == chips([chosen])[0]
    assert places[1].width() == chips([here])[0].width()


def test_labels_keep_clear_of_what_covers_the_picture(qapp: QApplication) -> None:
    covered = QRectF(150.0, 100.0, 100.0, 60.0)
    half = Label("half under it", WHITE, BLOCK, (0.0, 5.0, 0.0))
    (place,) = chips([half], [covered])
    assert not place.intersects(covered)
    assert chips([half], [QRectF(0.0, 0.0, 400.0, 300.0)]) == []


def test_labels_keep_their_size_on_a_screen_of_finer_pixels(qapp: QApplication) -> None:
    label = Label("word", WHITE, pixel=(200.0, 150.0))
    (usual,), (fine,) = chips([label]), chips([label], ratio=2.0)
    assert fine.size() == usual.size()
    assert abs(fine.center().x() - 100.0) <= 1.0


def test_labels_behind_the_eye_are_not_written(qapp: QApplication) -> None:
    assert written([Label("behind", WHITE, BLOCK, (0.0, -5.0, 0.0))]) == []


def test_a_label_at_the_border_moves_fully_into_view(qapp: QApplication) -> None:
    assert written([Label("a word at the border", WHITE, pixel=(2.0, 150.0))]) == [0.0]


def test_a_label_of_another_landblock_is_written_at_its_place(qapp: QApplication) -> None:
    here = written([Label("far", WHITE, BLOCK, (0.0, 192.0 + 8.0, 0.0))])
    there = written([Label("far", WHITE, 0xC95CFFFF, (0.0, 8.0, 0.0))])
    assert here == there != []


def luminance(red: float, green: float, blue: float) -> float:
    def linear(part: float) -> float:
        return part / 12.92 if part <= 0.03928 else float(((part + 0.055) / 1.055) ** 2.4)

    return 0.2126 * linear(red) + 0.7152 * linear(green) + 0.0722 * linear(blue)


def of_colour(colour: QColor) -> float:
    return luminance(colour.redF(), colour.greenF(), colour.blueF())


def ground_over(under: QColor) -> float:
    """Brightness of a label's background over a picture of one colour."""
    part = GROUND.alphaF()
    mixed = [
        over * part + below * (1.0 - part)
        for over, below in zip(
            (GROUND.redF(), GROUND.greenF(), GROUND.blueF()), (under.redF(), under.greenF(), under.blueF()), strict=True
        )
    ]
    return luminance(*mixed)


PALETTE = {name: value for name, value in vars(palette).items() if name.isupper() and isinstance(value, tuple)}
PALETTE |= {f"gizmo {letter}": colour for letter, colour in zip("XYZ", gizmo_drawing.COLOURS, strict=True)}


@pytest.mark.parametrize("name", PALETTE)
@pytest.mark.parametrize("under", ["white", "black", "#7a9a40"])
def test_labels_of_every_colour_are_legible_over_any_picture(name: str, under: str) -> None:
    text, ground = of_colour(QColor(*PALETTE[name][:3])), ground_over(QColor(under))
    assert (text + 0.05) / (ground + 0.05) >= 4.5
