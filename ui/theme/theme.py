"""Colours, fonts and spacing of the window, in a dark and a light theme.

Each colour means the same in every view, and a second sign (shape, icon or word) always says it too.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from pathlib import Path

from PySide6.QtGui import QColor, QFont, QFontDatabase, QPalette
from PySide6.QtWidgets import QApplication, QStyleFactory, QWidget

from engine.files.kinds import OWN
from engine.files.reading import read_text

RESOURCES = Path(__file__).resolve().parents[2] / "resources"
FONTS = RESOURCES / "fonts"
STYLE = RESOURCES / "window.qss"
FALLBACK_SANS = "Inter"
FALLBACK_MONO = "JetBrains Mono"
TEXT_PIXELS = 13
GROUP = 4
BETWEEN = 8
EDGE = 12


@dataclass(frozen=True)
class Colours:
    """One theme. Text on its background has a contrast of at least 4.5:1 (tests/gui/window/test_theme.py)."""

    window: str
    base: str
    raised: str
    line: str
    text: str
    dim: str
    faint: str
    accent: str
    on_accent: str
    selection: str
    current: str
    visible: str
    stab: str
    neither: str
    selected: str
    interior_portal: str
    exit_portal: str
    building_portal: str
    fault: str
    accepted: str
    adjusted: str
    second: str
    """The second of two runs that are compared."""
    sheet: str


DARK = Colours(
    window="#1d1f23",
    base="#16181b",
    raised="#22252a",
    line="#34383f",
    text="#dfe2e7",
    dim="#979ea9",
    faint="#5f6671",
    accent="#4d8fd6",
    on_accent="#0c1116",
    selection="#1c3048",
    current="#f0b44c",
    visible="#3fc4b1",
    stab="#8aa0cf",
    neither="#8b919b",
    selected="#ffffff",
    interior_portal="#a3a9b3",
    exit_portal="#6cc4f5",
    building_portal="#bf94f2",
    fault="#f27272",
    accepted="#70c682",
    adjusted="#f0944d",
    second="#c8d84e",
    sheet="#121417",
)

LIGHT = Colours(
    window="#f2f3f5",
    base="#ffffff",
    raised="#e4e7eb",
    line="#ccd1d8",
    text="#1b1e23",
    dim="#596270",
    faint="#a3aab5",
    accent="#2465ad",
    on_accent="#ffffff",
    selection="#d9e7f8",
    current="#8a5a00",
    visible="#0b6f62",
    stab="#425c9b",
    neither="#666d78",
    selected="#000000",
    interior_portal="#5d6672",
    exit_portal="#0a689f",
    building_portal="#6d3fb0",
    fault="#b32626",
    accepted="#21713a",
    adjusted="#9c4a05",
    second="#5a6400",
    sheet="#fafbfc",
)


def load_fonts() -> tuple[str, str]:
    """Register the bundled fonts; return the names of the text font and the monospaced font."""
    for path in sorted(FONTS.glob("*.[ot]tf")):
        QFontDatabase.addApplicationFont(str(path))
    return FALLBACK_SANS, FALLBACK_MONO


def text_font(pixels: int = TEXT_PIXELS) -> QFont:
    font = QFont(FALLBACK_SANS)
    font.setPixelSize(pixels)
    font.setFeature(QFont.Tag("tnum"), 1)
    # Inter turns the x in "0x" into a multiplication sign.
    font.setFeature(QFont.Tag("calt"), 0)
    return font


def mono_font(pixels: int = TEXT_PIXELS - 1) -> QFont:
    font = QFont(FALLBACK_MONO)
    font.setPixelSize(pixels)
    # Without ligatures "->" and "0x" read as written.
    font.setFeature(QFont.Tag("calt"), 0)
    return font


def palette(colours: Colours) -> QPalette:
    result = QPalette()
    roles = {
        QPalette.ColorRole.Window: colours.window,
        QPalette.ColorRole.Base: colours.base,
        QPalette.ColorRole.AlternateBase: colours.window,
        QPalette.ColorRole.Button: colours.raised,
        QPalette.ColorRole.Mid: colours.line,
        QPalette.ColorRole.WindowText: colours.text,
        QPalette.ColorRole.Text: colours.text,
        QPalette.ColorRole.ButtonText: colours.text,
        QPalette.ColorRole.ToolTipBase: colours.raised,
        QPalette.ColorRole.ToolTipText: colours.text,
        QPalette.ColorRole.PlaceholderText: colours.dim,
        QPalette.ColorRole.Highlight: colours.selection,
        QPalette.ColorRole.HighlightedText: colours.text,
        QPalette.ColorRole.Accent: colours.accent,
        QPalette.ColorRole.Link: colours.accent,
    }
    for role, value in roles.items():
        result.setColor(role, QColor(value))
    for role in (QPalette.ColorRole.Text, QPalette.ColorRole.ButtonText, QPalette.ColorRole.WindowText):
        result.setColor(QPalette.ColorGroup.Disabled, role, QColor(colours.dim))
    return result


def style_sheet(colours: Colours) -> str:
    """The window's style sheet, with a theme's colours in place of their names."""
    return re.sub(r"@(\w+)", lambda name: str(getattr(colours, name.group(1))), read_text(STYLE, OWN))


def tell_style(part: QWidget, name: str, on: bool) -> None:
    """Change a property that the style sheet selects by."""
    if bool(part.property(name)) != on:
        part.setProperty(name, on)
        part.style().unpolish(part)
        part.style().polish(part)
        part.update()


def apply_theme(application: QApplication, colours: Colours) -> None:
    load_fonts()
    application.setStyle(QStyleFactory.create("Fusion"))
    application.setFont(text_font())
    application.setPalette(palette(colours))
    application.setStyleSheet(style_sheet(colours))
