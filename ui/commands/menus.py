"""The menu bar: every command of the window in its menu. What a part brings along it adds to one of these."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Final

from PySide6.QtCore import Qt
from PySide6.QtGui import QAction, QActionGroup, QKeySequence
from PySide6.QtWidgets import QComboBox, QDockWidget, QMenu, QWhatsThis

from editor.process.plain_text import plain, plain_lines
from ui.theme.icons import set_icon
from ui.theme.theme import DARK, LIGHT
from ui.window.help_windows import open_documentation, show_about, show_keys

if TYPE_CHECKING:
    from ui.window.main_window import MainWindow

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
            menu.aboutToShow.connect(lambda menu=menu: give_letters(menu))
        self._fill_file()
        self._fill_edit()
        self._fill_view()
        self._fill_help()
        set_icon(window.opening.file_action, "open", window.colours)
        window.live.time_bar.lead(window.opening.file_action, window.projects.save_action)
        window.live.time_bar.follow_with(window.centre.view_bar.camera)

    def action(self, text: str, slot: Callable[[], object], *keys: str | QKeySequence.StandardKey) -> QAction:
        """A command of the window; its keys work wherever the focus is."""
        made = QAction(text, self.window)
        made.setShortcuts([QKeySequence(key) for key in keys])
        made.triggered.connect(lambda checked=False: slot())
        return made

    def _fill_file(self) -> None:
        window, standard = self.window, QKeySequence.StandardKey
        opening = window.opening
        projects = window.projects
        self.file.addActions([opening.file_action, opening.folder_action, projects.open_action, opening.demo_action])
        self.file.addMenu(opening.recent_menu)
        self.file.addAction(opening.block_action)
        self.file.addSeparator()
        self.file.addActions([projects.save_action, projects.save_as_action])
        self.file.addSeparator()
        self.file.addAction(opening.reload_action)
        self.file.addSeparator()
        self.file.addActions([window.keeping.recording_action, window.keeping.capture_action])
        self._fill_pictures(self.file.addMenu("Save Picture"))
        self.file.addSeparator()
        self.file.addAction(self.action("Quit", window.close, standard.Quit))

    def _fill_pictures(self, menu: QMenu) -> None:
        """Every picture of the window by its name; a dock's own action calls it by what it is there."""
        window, live = self.window, self.window.live
        menu.setToolTipsVisible(True)
        menu.addAction(self.action("Save 3D View or Map…", window.ask_for_picture, "Ctrl+Alt+P"))
        menu.addActions([live.graph.save_action, live.timeline.save_action, live.pview.save_action])
        menu.addAction(self.action("Save Whole Window…", window.ask_for_window))

    def _fill_edit(self) -> None:
        bar = self.window.live.time_bar
        self.edit.addActions([bar.undo_action, bar.redo_action])
        self.edit.addSeparator()
        self.edit.addActions([bar.run_action, bar.step_action, bar.ten_action, bar.back_action, bar.back_ten_action])
        self.edit.addActions([bar.continue_action, bar.present_action])
        self.edit.addAction(self.window.live.player.put_back_action)
        if self.window.viewport is not None:
            tools = self.window.viewport.tools
            self.edit.addSeparator()
            self.edit.addMenu(tools.add_menu)
            self.edit.addAction(tools.leave_action)
            self.edit.addActions(tools.actions)

    def _fill_view(self) -> None:
        window, bar = self.window, self.window.centre.view_bar
        self.view.addAction(self.action("Command Palette…", window.palette_sheet.ask, "Ctrl+P"))
        self.view.addSeparator()
        self.view.addActions([window.centre.picture_action, window.centre.map_action])
        self.view.addMenu(self._choices("Camera", bar.camera))
        self.view.addMenu(self._choices("Picture", bar.picture))
        self.view.addMenu(self._choices("Root", bar.root))
        titles = ("Overlays", "Time of Day", "Light", "Detail")
        overlays, times, light, detail = (self.view.addMenu(title) for title in titles)
        overlays.addActions([*bar.overlay_actions.values(), bar.none_action])
        overlays.addSeparator()
        overlays.addActions(list(bar.buffer_actions.values()))
        times.addActions(bar.hour_actions)
        light.addActions(bar.light_actions)
        detail.addActions(bar.detail_actions)
        for menu in (overlays, times, light, detail):
            menu.setToolTipsVisible(True)
        self.view.addActions([bar.steps_action, bar.freeze_action])
        self.view.addSeparator()
        self.view.addAction(self.action("Frame Selection", window.frame_selection, "F"))
        self.view.addAction(self.action("Frame Everything", window.centre.frame_all, "Home"))
        self.view.addAction(self.action("Go to Id…", window.ask_for_id, "Ctrl+G"))
        self.view.addSeparator()
        docks = self.view.addMenu("Docks")
        docks.addActions([dock.toggleViewAction() for dock in sorted(window.docks, key=QDockWidget.windowTitle)])
        self.view.addAction(self.action("Next Dock", lambda: window.places.next(1), "F6", "Ctrl+Tab"))
        self.view.addAction(self.action("Previous Dock", lambda: window.places.next(-1), "Shift+F6", "Ctrl+Shift+Tab"))
        self.view.addAction(self.action("Reset Layout", window.reset_layout))
        self.view.addSeparator()
        self._fill_themes(self.view.addMenu("Theme"))

    def _fill_themes(self, menu: QMenu) -> None:
        for name, colours in THEMES:
            chosen = QAction(f"{name} Theme", self.window, checkable=True)
            chosen.setChecked(colours == self.window.colours)
            chosen.setData(name.lower())
            chosen.triggered.connect(lambda checked=False, light=colours is LIGHT: self.window.set_theme(light))
            self.themes.addAction(chosen)
            menu.addAction(chosen)

    def _choices(self, title: str, box: QComboBox) -> QMenu:
        """What a box offers as a menu, so that it is found there and in the palette too."""
        menu = QMenu(title, self.view)
        menu.setToolTipsVisible(True)
        group = QActionGroup(menu)
        for place in range(box.count()):
            made = QAction(box.itemText(place), self.window, checkable=True)
            made.setToolTip(plain_lines(str(box.itemData(place, Qt.ItemDataRole.ToolTipRole) or title)))
            made.triggered.connect(lambda checked=False, place=place: _choose(box, place))
            group.addAction(made)
            menu.addAction(made)

        def follow() -> None:
            for place, made in enumerate(group.actions()):
                made.setText(plain(box.itemText(place)))
                made.setChecked(place == box.currentIndex())

        menu.aboutToShow.connect(follow)
        box.currentIndexChanged.connect(lambda index: follow())
        follow()
        return menu

    def _fill_help(self) -> None:
        window = self.window
        self.help.addAction(self.action("Keyboard Shortcuts", lambda: show_keys(window), "F1"))
        whats_this = QWhatsThis.createAction(window)
        whats_this.setText("What's This?")
        set_icon(whats_this, "help", window.colours)  # Qt's own is black and blue on any ground
        whats_this.setToolTip("Then click on a part of the window to read what it is for")
        self.help.addAction(whats_this)
        self.help.addAction(self.action("Show Hints", window.hints.show_again))
        self.help.addAction(self.action("Documentation", lambda: open_documentation(window)))
        self.help.addSeparator()
        self.help.addAction(self.action("About Cellar Door", lambda: show_about(window)))


def give_letters(menu: QMenu) -> None:
    """A letter for every entry, to be pressed while the menu is open: one of its own while there are any, of the first
    letters of its words if they are free. Short entries choose first; Qt goes round among those that share one."""
    waiting = [action for action in menu.actions() if action.text() and "&" not in action.text()]
    taken = {key_of(action.text()) for action in menu.actions()}
    for action in sorted(waiting, key=lambda action: len(action.text())):
        text = action.text()
        starts = [i for i in range(len(text)) if i == 0 or text[i - 1] == " "]
        places = [i for i in (*starts, *range(len(text))) if text[i].isalnum()]
        place = next((i for i in places if text[i].lower() not in taken), starts[0])
        taken.add(text[place].lower())
        action.setText(f"{text[:place]}&{text[place:]}")


def key_of(text: str) -> str:
    """The letter that is marked in a text."""
    place = text.find("&")
    return text[place + 1 : place + 2].lower() if place >= 0 else ""


def _choose(box: QComboBox, place: int) -> None:
    """As if it were chosen in the box itself."""
    box.setCurrentIndex(place)
    box.activated.emit(place)
