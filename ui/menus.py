"""The menu bar: every command of the window in its menu. What a part brings along it adds to one of these."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Final

from PySide6.QtGui import QAction, QActionGroup, QKeySequence

from ui.icons import set_icon
from ui.notes import show_about, show_keys
from ui.theme import DARK, LIGHT

if TYPE_CHECKING:
    from ui.main_window import MainWindow

THEMES: Final = (("Dark", DARK), ("Light", LIGHT))


class Menus:
    """Makes the actions that belong to the window itself."""

    def __init__(self, window: MainWindow) -> None:
        self.window = window
        bar = window.menuBar()
        self.file = bar.addMenu("&File")
        self.edit = bar.addMenu("&Edit")
        self.view = bar.addMenu("&View")
        self.help = bar.addMenu("&Help")
        self.themes = QActionGroup(window)
        for menu in (self.file, self.edit, self.view, self.help):
            menu.setToolTipsVisible(True)
        self._fill_file()
        self._fill_edit()
        self._fill_view()
        self._fill_help()
        set_icon(window.opening.file_action, "open", window.colours)
        window.live.time_bar.lead(window.opening.file_action)

    def action(self, text: str, slot: Callable[[], object], keys: str | QKeySequence.StandardKey = "") -> QAction:
        """A command of the window; its key works wherever the focus is."""
        made = QAction(text, self.window)
        made.setShortcut(QKeySequence(keys))
        made.triggered.connect(lambda checked=False: slot())
        return made

    def _fill_file(self) -> None:
        window, standard = self.window, QKeySequence.StandardKey
        opening = window.opening
        self.file.addActions([opening.file_action, opening.folder_action, opening.demo_action])
        self.file.addMenu(opening.recent_menu)
        self.file.addSeparator()
        self.file.addAction(opening.reload_action)
        self.file.addAction(self.action("Save Picture…", window.ask_for_picture, "Ctrl+Alt+P"))
        self.file.addSeparator()
        self.file.addAction(self.action("Quit", window.close, standard.Quit))

    def _fill_edit(self) -> None:
        bar = self.window.live.time_bar
        self.edit.addActions([bar.undo_action, bar.redo_action])
        self.edit.addSeparator()
        self.edit.addActions([bar.run_action, bar.step_action, bar.ten_action, bar.back_action, bar.back_ten_action])
        self.edit.addActions([bar.continue_action, bar.present_action])

    def _fill_view(self) -> None:
        window = self.window
        self.view.addActions([window.centre.picture_action, window.centre.map_action])
        self.view.addMenu("Overlays").addActions(list(window.centre.view_bar.overlay_actions.values()))
        self.view.addSeparator()
        self.view.addAction(self.action("Frame Selection", window.frame_selection, "F"))
        self.view.addAction(self.action("Frame Everything", window.centre.frame_all, "Home"))
        self.view.addAction(self.action("Go to Id…", window.ask_for_id, "Ctrl+G"))
        self.view.addSeparator()
        self.view.addActions([dock.toggleViewAction() for dock in window.docks])
        self.view.addAction(self.action("Reset Layout", window.reset_layout))
        self.view.addSeparator()
        for name, colours in THEMES:
            chosen = QAction(f"{name} Theme", window, checkable=True)
            chosen.setChecked(colours == window.colours)
            chosen.setData(name.lower())
            chosen.triggered.connect(lambda checked=False, light=colours is LIGHT: window.set_theme(light))
            self.themes.addAction(chosen)
            self.view.addAction(chosen)

    def _fill_help(self) -> None:
        window = self.window
        self.help.addAction(self.action("Keys", lambda: show_keys(window, self.actions_with_keys()), "F1"))
        self.help.addAction(self.action("About Cellar Door", lambda: show_about(window)))

    def actions_with_keys(self) -> list[QAction]:
        menus = (self.file, self.edit, self.view, self.help)
        return [action for menu in menus for action in menu.actions() if not action.shortcut().isEmpty()]
