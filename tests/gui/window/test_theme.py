"""Every text of the window is legible in both themes."""

from __future__ import annotations

from dataclasses import asdict

import pytest
from PySide6.QtGui import QColor
from PySide6.QtWidgets import QApplication

from engine.render.overlays import palette
from tests.gui.qt_messages import QtMessages
from ui.docks.table import CHANGED_ALPHA
from ui.theme.theme import DARK, FONTS, LIGHT, Colours, apply_theme

GROUNDS = ("window", "base", "sheet")
NOT_TEXT = (*GROUNDS, "raised", "line", "on_accent", "faint", "selection")
TONES = ("text", "dim", "current", "fault", "accepted", "adjusted", "visible", "stab", "second")
"""The colours of text in rows, which can be selected."""

ENOUGH = 4.5


def luminance(colour: QColor) -> float:
    def linear(c: float) -> float:
        return c / 12.92 if c <= 0.03928 else ((c + 0.055) / 1.055) ** 2.4

    return 0.2126 * linear(colour.redF()) + 0.7152 * linear(colour.greenF()) + 0.0722 * linear(colour.blueF())


def contrast(a: str, b: str) -> float:
    lighter, darker = sorted((luminance(QColor(a)), luminance(QColor(b))), reverse=True)
    return (lighter + 0.05) / (darker + 0.05)


@pytest.mark.parametrize("colours", [DARK, LIGHT], ids=["dark", "light"])
def test_every_text_colour_has_enough_contrast_on_every_background(colours: Colours) -> None:
    values = asdict(colours)
    weak = {
        (name, ground): round(contrast(value, values[ground]), 2)
        for name, value in values.items()
        if name not in NOT_TEXT
        for ground in GROUNDS
        if contrast(value, values[ground]) < ENOUGH
    }
    assert weak == {}


@pytest.mark.parametrize("colours", [DARK, LIGHT], ids=["dark", "light"])
def test_text_on_accent_and_raised_backgrounds_is_legible(colours: Colours) -> None:
    assert contrast(colours.on_accent, colours.accent) >= ENOUGH
    values = asdict(colours)
    for name in (*TONES, "accent"):  # the background of buttons, tooltips, palette and hints
        assert contrast(values[name], colours.raised) >= ENOUGH, name
    assert contrast(colours.text, colours.line) >= ENOUGH, "a button under the mouse"


@pytest.mark.parametrize("colours", [DARK, LIGHT], ids=["dark", "light"])
def test_a_selected_row_is_legible_in_every_colour(colours: Colours) -> None:
    values = asdict(colours)
    weak = {name: round(contrast(values[name], colours.selection), 2) for name in TONES}
    assert {name: found for name, found in weak.items() if found < ENOUGH} == {}


@pytest.mark.parametrize("colours", [DARK, LIGHT], ids=["dark", "light"])
def test_text_on_the_tint_of_changed_values_is_legible(colours: Colours) -> None:
    values = asdict(colours)
    ground, tint = QColor(colours.base), QColor(colours.accent)
    part = CHANGED_ALPHA / 255.0
    mixed = [a + (b - a) * part for a, b in zip(ground.getRgb()[:3], tint.getRgb()[:3], strict=True)]  # type: ignore[index]
    under = QColor(*(round(channel) for channel in mixed)).name()
    weak = {name: round(contrast(values[name], under), 2) for name in TONES}
    assert {name: found for name, found in weak.items() if found < ENOUGH} == {}


def test_the_bundled_fonts_come_with_their_licence() -> None:
    assert {path.name for path in FONTS.iterdir()} >= {"Inter-Regular.otf", "JetBrainsMono-Regular.ttf", "OFL.txt"}


def test_overlays_use_the_colours_of_the_window() -> None:
    shared = {
        "current": palette.CURRENT,
        "visible": palette.VISIBLE,
        "stab": palette.STAB,
        "neither": palette.NEITHER,
        "selected": palette.SELECTED,
        "interior_portal": palette.INTERIOR_PORTAL,
        "exit_portal": palette.EXIT_PORTAL,
        "building_portal": palette.BUILDING_PORTAL,
        "fault": palette.FAULT,
        "accepted": palette.ACCEPTED,
        "adjusted": palette.ADJUSTED,
        "accent": palette.ACCENT,
        "second": palette.SECOND,
    }
    assert {name: QColor(*colour).name() for name, colour in shared.items()} == {
        name: value for name, value in asdict(DARK).items() if name in shared
    }


@pytest.mark.gui
@pytest.mark.parametrize("colours", [DARK, LIGHT], ids=["dark", "light"])
def test_qt_accepts_the_style_sheet(qapp: QApplication, qtlog: QtMessages, colours: Colours) -> None:
    apply_theme(qapp, colours)
    apply_theme(qapp, DARK)
    assert [record.message for record in qtlog.records if "stylesheet" in record.message] == []
