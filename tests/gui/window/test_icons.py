"""The line icons: one size, one weight, in the colours of the theme, and part of the package."""

from __future__ import annotations

import re
from xml.etree import ElementTree

import pytest
from PySide6.QtGui import QAction, QIcon
from PySide6.QtWidgets import QApplication

from ui.theme.icons import ICONS, SIZE, icon, recolour, set_icon
from ui.theme.theme import DARK, LIGHT, Colours

NAMES = sorted(path.stem for path in ICONS.glob("*.svg"))


def shades(drawn: QIcon, mode: QIcon.Mode) -> set[str]:
    """Colours of the opaque pixels."""
    image = drawn.pixmap(SIZE, SIZE, mode).toImage()
    pixels = [image.pixelColor(x, y) for x in range(image.width()) for y in range(image.height())]
    return {pixel.name() for pixel in pixels if pixel.alpha() == 255}


def test_the_toolbar_and_the_docks_have_icons() -> None:
    assert set(NAMES) >= {"open", "save", "undo", "redo", "run", "pause", "step", "back", "help", "float", "close"}


@pytest.mark.parametrize("name", NAMES)
def test_every_icon_has_the_common_size_and_weight_and_no_own_colour(name: str) -> None:
    text = (ICONS / f"{name}.svg").read_text(encoding="utf-8")
    drawing = ElementTree.fromstring(text)
    assert drawing.get("viewBox") == "0 0 16 16"
    assert (drawing.get("stroke"), drawing.get("stroke-width"), drawing.get("fill")) == ("currentColor", "1.4", "none")
    assert not re.search(r"#[0-9a-fA-F]{3,6}|rgb", text)


@pytest.mark.gui
@pytest.mark.parametrize("colours", [DARK, LIGHT], ids=["dark", "light"])
def test_an_icon_has_the_text_colour_and_is_faint_when_disabled(qapp: QApplication, colours: Colours) -> None:
    assert shades(icon("pause", colours), QIcon.Mode.Normal) == {colours.text}
    assert shades(icon("pause", colours), QIcon.Mode.Disabled) == {colours.faint}


@pytest.mark.gui
def test_another_theme_redraws_the_icons(qapp: QApplication) -> None:
    made = QAction("Run", qapp)
    set_icon(made, "pause", DARK)
    recolour(qapp, LIGHT)
    assert shades(made.icon(), QIcon.Mode.Normal) == {LIGHT.text}
    made.deleteLater()
