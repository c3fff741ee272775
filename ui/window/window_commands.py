"""The commands that belong to the window itself: views of it, pictures of it, help about it."""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

from PySide6.QtGui import QActionGroup, QKeySequence
from PySide6.QtWidgets import QWhatsThis

from ui.commands.command_palette import Palette
from ui.commands.registry import CommandRegistry
from ui.context import WindowContext
from ui.theme.icons import set_icon
from ui.view3d.viewport import Viewport
from ui.window.dock_layout import Docks
from ui.window.help_windows import open_documentation, show_about, show_keys

THEMES: Final = (("dark", "Dark Theme", False), ("light", "Light Theme", True))


def add_view_commands(
    context: WindowContext, docks: Docks, palette: Palette, reset: Callable[[], None], find: Callable[[], None]
) -> None:
    """Register what the View menu has beside the picture: palette, docks and themes."""
    commands = context.commands
    commands.add("palette", "Command Palette…", palette.ask, "Ctrl+P", tip="Find commands, docks, cells and doors")
    commands.add("go-to-id", "Go to Id…", find, "Ctrl+G", tip="Search the world for an id, a name or a place")
    commands.add("next-dock", "Next Dock", lambda: docks.next(1), "F6", "Ctrl+Tab", tip="Move the keyboard focus to it")
    commands.add(
        "previous-dock",
        "Previous Dock",
        lambda: docks.next(-1),
        "Shift+F6",
        "Ctrl+Shift+Tab",
        tip="Move the keyboard focus to it",
    )
    commands.add("reset-layout", "Reset Layout", reset, tip="Arrange the docks as at the first start")
    group = QActionGroup(context.window)
    for name, title, light in THEMES:
        made = commands.add(f"theme-{name}", title, _theme_choice(context, light), is_checkable=True)
        made.setChecked(context.theme.is_light == light)
        made.setData(name)
        group.addAction(made)


def _theme_choice(context: WindowContext, light: bool) -> Callable[[], None]:
    return lambda: context.theme.choose(light)


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
    commands.add("quit", "Quit", close, QKeySequence.StandardKey.Quit, tip="Close the window")


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
    commands.add(
        "about", "About Cellar Door", lambda: show_about(viewport, window), tip="Show versions, for a bug report"
    )


def _page_opener(context: WindowContext, page: str) -> Callable[[], None]:
    return lambda: open_documentation(context.messages, page)
