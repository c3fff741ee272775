"""The user's scripts as commands: a folder of them in the menu and in the palette, and what is done with it."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Final

from PySide6.QtCore import QObject, QStandardPaths, QUrl, Slot
from PySide6.QtGui import QDesktopServices
from PySide6.QtWidgets import QFileDialog, QInputDialog, QMenu

from editor.process.plain_text import action_text, plain, plain_lines
from ui.commands.menus import give_mnemonics
from ui.context import WindowContext
from ui.docks.console.console_dock import ConsolePanel
from ui.widgets.banner import SIGN
from ui.widgets.paths import native
from ui.widgets.save_folder import first_folder, remember
from ui.window.dock_layout import Docks

if TYPE_CHECKING:
    from editor.scripting.user_scripts import ScriptFolder, UserScript

FOLDER_KEY: Final = "scripts-folder"
PREFIX: Final = "script/"
KINDS: Final = "Python (*.py)"
NO_SCRIPTS: Final = "No Scripts Yet"
OF_A_WORLD: Final = "The scripts folder belongs to what is open; choose one of your own."


class ScriptActions(QObject):
    """Scripts run only when they are chosen here; listing them reads their docstrings as text."""

    def __init__(self, context: WindowContext, docks: Docks, open_files: Callable[[], list[Path]]) -> None:
        super().__init__(context.window)
        self._context = context
        self._docks = docks
        self._open_files = open_files
        self._folder: ScriptFolder | None = None
        self._menu: QMenu | None = None
        self._fixed = 0
        self.dialog: QInputDialog | None = None
        add = context.commands.add
        add("script-run", "Run Script…", self.ask_for_script, tip="Run a Python script on the open document")
        add("script-new", "New Script…", self.ask_for_name, tip="Begin a script in the scripts folder")
        add("scripts-open-folder", "Open Scripts Folder", self.open_folder, tip="Scripts in it are commands here")
        add("scripts-choose-folder", "Choose Scripts Folder…", self.ask_for_folder, tip="Take scripts from elsewhere")

    # --- the folder

    @property
    def path(self) -> Path:
        """The folder of the user's scripts: the chosen one, else one beside the settings."""
        chosen = self._context.settings.value(FOLDER_KEY, "")
        if isinstance(chosen, str) and chosen:
            return Path(chosen)
        return Path(QStandardPaths.writableLocation(QStandardPaths.StandardLocation.AppConfigLocation)) / "scripts"

    @property
    def folder(self) -> ScriptFolder:
        from editor.scripting.user_scripts import ScriptFolder

        if self._folder is None or self._folder.folder != self.path:
            self._folder = ScriptFolder(self.path)
        return self._folder

    def why_not(self) -> str:
        """Why no scripts are offered: those that came with a world are not the user's own."""
        from editor.scripting.user_scripts import is_of_a_world

        sources = [Path(source) for source in self._context.session.sources]
        return OF_A_WORLD if is_of_a_world(self.path, [*sources, *self._open_files()]) else ""

    def fill(self, menu: QMenu) -> None:
        """Let a menu end with the scripts, as they are whenever it opens or the palette asks."""
        self._menu, self._fixed = menu, len(menu.actions())
        menu.aboutToShow.connect(self.refresh)
        self._context.commands.add_menu("scripts", menu, "Scripts")

    @Slot()
    def refresh(self) -> None:
        """List the scripts that the folder has now."""
        menu = self._menu
        if menu is None:
            return
        for old in menu.actions()[self._fixed :]:
            menu.removeAction(old)
            old.deleteLater()
        menu.addSeparator()
        why_not = self.why_not()
        scripts = [] if why_not else self.folder.scripts()
        for script in scripts:
            self._add(menu, script)
        said = why_not or self.folder.problem or ("" if scripts else NO_SCRIPTS)
        if not said and self.folder.left_out:
            said = f"And {self.folder.left_out:,} More"
        if said:
            menu.addAction(action_text(said)).setEnabled(False)
        give_mnemonics(menu)

    def _add(self, menu: QMenu, script: UserScript) -> None:
        entry = menu.addAction(action_text(script.title))
        entry.setObjectName(f"{PREFIX}{script.path.name}")
        entry.setEnabled(not script.problem)
        entry.setToolTip(plain_lines(script.problem or f"{script.about}\n{script.path}".strip()))
        entry.triggered.connect(partial(self._run, script.path, script.title))

    # --- running

    def _run(self, path: Path, title: str, checked: bool = False) -> None:
        """Run a script, with Console in front: it shows what the script writes, and Stop."""
        dock = self._docks.dock(ConsolePanel)
        self._docks.bring(dock, focus=False)
        self._docks.panel(ConsolePanel).run_script(path, title)

    @Slot()
    def ask_for_script(self) -> None:
        start = str(self.path) if self.path.is_dir() else first_folder()
        name, _ = QFileDialog.getOpenFileName(self._context.window, "Run Script", start, KINDS)
        if name:
            self.run_file(Path(name))

    def run_file(self, path: Path) -> None:
        """Run a script of any folder."""
        from editor.scripting.user_scripts import script_at

        self._run(path, script_at(path).title)

    # --- making one

    @Slot()
    def ask_for_name(self) -> None:
        """Ask what a new script is called."""
        dialog = self.dialog = QInputDialog(self._context.window)
        dialog.setWindowTitle("New Script")
        dialog.setLabelText("Name of the command:")
        dialog.textValueSelected.connect(self.make)
        dialog.finished.connect(self._on_finished)
        dialog.open()

    @Slot()
    def _on_finished(self) -> None:
        if self.dialog is not None:
            self.dialog.deleteLater()
            self.dialog = None

    @Slot(str)
    def make(self, title: str) -> None:
        """Write a script to begin with and show its folder; the banner says why that failed. The script itself is not
        opened: some systems run what is opened."""
        from editor.scripting.user_scripts import new_script
        from engine.dat.errors import DatError
        from engine.files.errors import FileError, why

        if not title.strip():
            return
        try:
            made = new_script(self.path, title)
        except (OSError, DatError, FileError) as error:
            reason = why(error) if isinstance(error, OSError) else error.reason
            self._context.banner.warn(f"{SIGN}The script was not written: {plain(reason)}.", str(error))
            return
        self._context.messages.say(f"Wrote {made.name}: write it in an editor of your choice, run it from Scripts")
        self.open_folder()

    @Slot()
    def open_folder(self) -> None:
        """Show the scripts folder in the system's file manager."""
        try:
            self.path.mkdir(parents=True, exist_ok=True)
        except OSError as error:
            self._context.banner.warn(f"{SIGN}The scripts folder cannot be made.", str(error))
            return
        if not QDesktopServices.openUrl(QUrl.fromLocalFile(str(self.path))):
            self._context.messages.say(f"The scripts folder is {self.path}")

    @Slot()
    def ask_for_folder(self) -> None:
        chosen = QFileDialog.getExistingDirectory(self._context.window, "Choose Scripts Folder", str(self.path))
        if chosen:
            remember(str(Path(chosen) / "script.py"))
            self._context.settings.setValue(FOLDER_KEY, native(chosen))
