"""Colours, type and spacing of the window in its dark and light form.

The meaning of each colour is the same in every view; it is always told by a second sign too (shape, icon or word).
"""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from PySide6.QtGui import QColor, QFont, QFontDatabase, QPalette
from PySide6.QtWidgets import QApplication, QStyleFactory, QWidget

FONTS = Path(__file__).resolve().parent.parent / "resources" / "fonts"
FALLBACK_SANS = "Inter"
FALLBACK_MONO = "JetBrains Mono"
TEXT_PIXELS = 13
GROUP = 4
BETWEEN = 8
EDGE = 12


@dataclass(frozen=True)
class Colours:
    """One theme. Text on its ground has a contrast of at least 4.5:1 (tests/gui/test_theme.py)."""

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
    sheet="#fafbfc",
)


def load_fonts() -> tuple[str, str]:
    """Register the bundled fonts; answer the names of the text face and the monospaced face."""
    for path in sorted(FONTS.glob("*.[ot]tf")):
        QFontDatabase.addApplicationFont(str(path))
    return FALLBACK_SANS, FALLBACK_MONO


def text_font(pixels: int = TEXT_PIXELS) -> QFont:
    font = QFont(FALLBACK_SANS)
    font.setPixelSize(pixels)
    font.setFeature(QFont.Tag("tnum"), 1)
    # Inter makes a sign of multiplication of the x in "0x".
    font.setFeature(QFont.Tag("calt"), 0)
    return font


def mono_font(pixels: int = TEXT_PIXELS - 1) -> QFont:
    font = QFont(FALLBACK_MONO)
    font.setPixelSize(pixels)
    # No ligatures: "->" and "0x" are read as they are written.
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
    """The few places where Fusion's own drawing is too heavy for a dense tool."""
    return f"""
    QToolTip {{ color: {colours.text}; background: {colours.raised}; border: 1px solid {colours.line}; padding: 4px; }}
    QMainWindow::separator {{ background: {colours.sheet}; width: 4px; height: 4px; }}
    QMainWindow::separator:hover {{ background: {colours.accent}; }}
    QSplitter::handle {{ background: {colours.window}; }}
    QSplitter::handle:hover {{ background: {colours.accent}; }}
    QMenuBar {{ padding: 2px {BETWEEN}px; }}
    QMenuBar::item {{ padding: 4px 8px; border-radius: 3px; background: transparent; }}
    QMenuBar::item:selected {{ background: {colours.raised}; }}
    QStatusBar {{ background: {colours.window}; color: {colours.dim}; border-top: 1px solid {colours.line}; }}
    QStatusBar::item {{ border: none; }}
    QToolButton, QPushButton {{ color: {colours.text}; background: {colours.raised}; padding: 2px 6px;
        border: 1px solid {colours.line}; border-radius: 3px; }}
    QToolButton:hover, QPushButton:hover {{ background: {colours.line}; }}
    QToolButton:pressed, QPushButton:pressed {{ background: {colours.selection}; }}
    QToolButton:checked, QPushButton:checked {{ background: {colours.accent}; color: {colours.on_accent};
        border-color: {colours.accent}; }}
    QToolButton:disabled, QPushButton:disabled {{ color: {colours.dim}; background: {colours.window}; }}
    QToolButton:focus, QPushButton:focus, QPushButton:default {{ border-color: {colours.accent}; }}
    QToolButton::menu-indicator {{ subcontrol-origin: border; subcontrol-position: center right; right: 5px; }}
    QToolButton[autoRaise="true"], QLineEdit QToolButton, QTabBar QToolButton {{
        background: transparent; border-color: transparent; padding: 2px; }}
    QToolButton[autoRaise="true"]:hover {{ background: {colours.raised}; }}
    QToolButton[popupMode="2"] {{ padding-right: 20px; }}
    HoldPad QToolButton {{ padding: 2px; }}
    QScrollBar {{ background: {colours.base}; border: none; margin: 0; }}
    QScrollBar:vertical {{ width: 10px; }}
    QScrollBar:horizontal {{ height: 10px; }}
    QScrollBar::handle {{ background: {colours.line}; border-radius: 3px; margin: 2px; }}
    QScrollBar::handle:vertical {{ min-height: 24px; }}
    QScrollBar::handle:horizontal {{ min-width: 24px; }}
    QScrollBar::handle:hover {{ background: {colours.faint}; }}
    QScrollBar::add-line, QScrollBar::sub-line {{ width: 0; height: 0; }}
    QScrollBar::add-page, QScrollBar::sub-page {{ background: none; }}
    QTreeView, QTableView, QListView, QPlainTextEdit, QGraphicsView {{
        border: 1px solid transparent; background: {colours.base}; }}
    QTreeView:focus, QTableView:focus, QListView:focus, QPlainTextEdit:focus, QGraphicsView:focus {{
        border: 1px solid {colours.selection}; }}
    QTreeView::item, QTableView::item {{ padding: 3px 4px; }}
    QHeaderView::section {{ background: {colours.window}; color: {colours.dim}; border: none; padding: 4px 8px; }}
    QCheckBox::indicator:unchecked, QTableView::indicator:unchecked {{
        width: 11px; height: 11px; border: 1px solid {colours.dim}; border-radius: 2px; background: {colours.base}; }}
    QToolBar {{ border: none; padding: 4px 8px; spacing: 4px; }}
    QToolBar#view-bar {{ padding: 0px; spacing: 8px; }}
    QToolBar::separator {{ background: {colours.line}; width: 1px; margin: 4px; }}
    QToolBar#time-bar {{ border-bottom: 1px solid {colours.line}; }}
    QToolBar#time-bar QToolButton, QWidget#dock-title QToolButton, QWidget#tab-corner QToolButton {{
        border: 1px solid transparent; border-radius: 3px; padding: 3px; background: transparent; }}
    QToolBar#time-bar QToolButton#rules {{ padding: 3px 20px 3px 8px; background: {colours.raised}; }}
    QToolBar#time-bar QToolButton:hover, QWidget#dock-title QToolButton:hover, QWidget#tab-corner QToolButton:hover {{
        background: {colours.raised}; }}
    QToolBar#time-bar QToolButton:pressed, QToolBar#time-bar QToolButton:checked {{ background: {colours.selection}; }}
    QToolBar#time-bar QToolButton:focus, QWidget#dock-title QToolButton:focus, QWidget#tab-corner QToolButton:focus,
    QToolButton#show-3d:focus, QToolButton#show-map:focus {{ border: 1px solid {colours.accent}; }}
    QTabBar {{ background: {colours.window}; }}
    QTabBar::tab {{ color: {colours.dim}; background: transparent; padding: 5px 10px; border: none;
        border-top: 2px solid transparent; }}
    QTabBar::tab:hover {{ color: {colours.text}; }}
    QTabBar::tab:selected {{ color: {colours.text}; background: {colours.base};
        border-top: 2px solid {colours.faint}; }}
    QTabBar[active="true"]::tab:selected {{ border-top: 2px solid {colours.accent}; }}
    QWidget#dock-title[active="true"] QLabel {{ color: {colours.accent}; }}
    QFrame#edge {{ background: {colours.window}; }}
    QFrame#edge[active="true"] {{ background: {colours.accent}; }}
    QTabBar::tab:disabled {{ color: {colours.faint}; }}
    QTabBar::tab:selected:focus {{ background: {colours.selection}; }}
    QToolButton#show-3d, QToolButton#show-map {{ padding: 4px 10px; border: 1px solid transparent;
        background: {colours.raised}; }}
    QToolButton#show-3d {{ border-top-left-radius: 3px; border-bottom-left-radius: 3px; }}
    QToolButton#show-map {{ border-top-right-radius: 3px; border-bottom-right-radius: 3px; }}
    QToolButton#show-3d:checked, QToolButton#show-map:checked {{
        background: {colours.accent}; color: {colours.on_accent};
    }}
    QLineEdit {{ background: {colours.base}; border: 1px solid {colours.line}; padding: 2px 6px; border-radius: 3px; }}
    QDialogButtonBox {{ dialogbuttonbox-buttons-have-icons: 0; }}
    QLabel[dim="true"] {{ color: {colours.dim}; }}
    QLabel#tick[past="true"] {{ color: {colours.current}; }}
    QLabel#nothing {{ background: {colours.base}; color: {colours.dim}; }}
    QFrame#recovery {{ background: {colours.raised}; border-bottom: 1px solid {colours.adjusted}; }}
    QFrame#hints {{ background: {colours.raised}; border-top: 1px solid {colours.accent}; }}
    QToolButton#qt_toolbar_ext_button {{ background: {colours.raised}; padding: 4px 2px; min-width: 12px; }}
    QFrame#palette {{ background: {colours.raised}; border: 1px solid {colours.accent}; border-radius: 4px; }}
    QListView#palette-lines {{ background: {colours.raised}; }}
    QLineEdit:focus {{ border-color: {colours.accent}; }}
    """


def tell_style(part: QWidget, name: str, on: bool) -> None:
    """Switch a property that the style sheet asks for."""
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
