"""The commands that belong to the window itself: views of it, pictures of it, help about it."""

from __future__ import annotations

import sys
from collections.abc import Callable
from functools import partial
from typing import Final

from PySide6.QtGui import QAction, QActionGroup, QKeySequence
from PySide6.QtWidgets import QWhatsThis

from ui.commands.command_palette import Palette
from ui.commands.registry import CommandRegistry
from ui.context import WindowContext
from ui.theme.icons import set_icon
from ui.theme.theme_state import Theme
from ui.view3d.viewport import Viewport
from ui.window.dock_layout import Docks
from ui.window.help_windows import open_documentation, show_about, show_keys

THEMES: Final = (
    (Theme.DARK, "Dark Theme", "Light text on a dark ground"),
    (Theme.LIGHT, "Light Theme", "Dark text on a light ground"),
    (Theme.SYSTEM, "System's Theme", "Dark or light as the system is, also when it changes"),
)
NEXT_DOCK, PREVIOUS_DOCK = (
    # Cmd+Tab, which Ctrl+Tab would be there, belongs to the system.
    ("Meta+Tab", "Meta+Shift+Tab") if sys.platform == "darwin" else ("Ctrl+Tab", "Ctrl+Shift+Tab")
)


def add_view_commands(
    context: WindowContext, docks: Docks, palette: Palette, reset: Callable[[], None], find: Callable[[], None]
) -> None:
    """Register what the View menu has beside the picture: palette, docks and themes."""
    commands = context.commands
    commands.add("palette", "Command Palette…", palette.ask, "Ctrl+P", tip="Find commands, docks, cells and doors")
    commands.add("go-to-id", "Go to Id…", find, "Ctrl+G", tip="Search the world for an id, a name or a place")
    commands.add("next-dock", "Next Dock", lambda: docks.next(1), "F6", NEXT_DOCK, tip="Move the keyboard focus to it")
    commands.add(
        "previous-dock",
        "Previous Dock",
        lambda: docks.next(-1),
        "Shift+F6",
        PREVIOUS_DOCK,
        tip="Move the keyboard focus to it",
    )
    commands.add("reset-layout", "Reset Layout", reset, tip="Arrange the docks as at the first start")
    group = QActionGroup(context.window)
    for theme, title, tip in THEMES:
        choose = partial(context.theme.choose, theme)
        made = commands.add(f"theme-{theme.value}", title, choose, tip=tip, is_checkable=True)
        made.setChecked(context.theme.chosen is theme)
        made.setData(theme.value)
        group.addAction(made)


def add_file_commands(
    context: WindowContext,
    save_picture: Callable[[], None],
    save_window: Callable[[], None],
    close: Callable[[], object],
) -> None:
    """Register pictures of the window, and its end."""
    commands = context.commands
    commands.add(
        "save-picture",
        "Save 3D View or Map…",
        save_picture,
        "Ctrl+Alt+P",
        tip="Save what the middle of the window shows as a PNG",
    )
    commands.add("save-window", "Save Whole Window…", save_window, tip="Save the window as a PNG")
    leave = commands.add("quit", "Quit", close, QKeySequence.StandardKey.Quit, tip="Close the window")
    leave.setMenuRole(QAction.MenuRole.QuitRole)


def add_help_commands(
    context: WindowContext, registry: CommandRegistry, docks: Docks, viewport: Viewport | None
) -> None:
    """Register keys, What's This?, pages and versions."""
    commands, window, messages = context.commands, context.window, context.messages
    commands.add(
        "keys",
        "Keyboard Shortcuts",
        lambda: show_keys(registry, viewport, window),
        "F1",
        tip="List every key and gesture",
    )
    whats_this = QWhatsThis.createAction(window)
    whats_this.setText("What's This?")
    set_icon(whats_this, "help", context.theme.colours)  # Qt's own is black and blue on any ground
    whats_this.setToolTip("Then click on a part of the window to read what it is for")
    commands.adopt("whats-this", whats_this)
    commands.add("documentation", "Documentation", lambda: open_documentation(messages), tip="Open the tour")
    for spec in docks.specs:
        page = f"docks/{spec.page}"
        commands.add(
            f"help-dock-{spec.id}",
            f"About {spec.title}",
            _page_opener(context, page),
            tip=f"Open docs/{page}",
        )
    about = commands.add(
        "about", "About Cellar Door", lambda: show_about(viewport, window), tip="Show versions, for a bug report"
    )
    about.setMenuRole(QAction.MenuRole.AboutRole)


def _page_opener(context: WindowContext, page: str) -> Callable[[], None]:
    return lambda: open_documentation(context.messages, page)
