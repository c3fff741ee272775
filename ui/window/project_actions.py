"""Projects in the window: saving, the question about unsaved edits, the mark in the title, what was left by a program
that was killed."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Final

from PySide6.QtCore import QEvent, QObject, QSettings, QStandardPaths, Qt, QTimer, Signal, Slot
from PySide6.QtGui import QKeySequence
from PySide6.QtWidgets import QApplication, QFileDialog, QMessageBox

from editor.document.undo_stack import Pile
from editor.process.output_files import bare
from editor.process.plain_text import plain, plain_lines, title_text
from editor.project.autosave import Autosaver
from editor.project.claim import ProjectClaim
from editor.project.open_project import ProjectKeeper
from editor.project.project import SUFFIX, ProjectError
from editor.session.loading import Arrival, CaptureArrival
from ui.context import WindowContext
from ui.opening.recent_menu import RecentMenu
from ui.theme.icons import set_icon
from ui.widgets.banner import SIGN
from ui.window.recovery_strip import RecoveryStrip

FILTER: Final = f"Projects (*{SUFFIX})"
FOLDER: Final = "project-folder"
AUTOSAVES: Final = "autosave"
CLAIMS: Final = "open-projects"
NOTHING_OPEN: Final = "Open a world first."
ALL_SAVED: Final = "All edits are saved."

Then = Callable[[], object]


def autosave_folder(settings: QSettings) -> Path:
    """In the user's state folder; beside settings that are a file of their own, as tests and pictures have them."""
    if settings.format() == QSettings.Format.NativeFormat:
        state = QStandardPaths.writableLocation(QStandardPaths.StandardLocation.StateLocation)
    else:
        state = str(Path(settings.fileName()).parent)
    return Path(state) / AUTOSAVES


class Projects(QObject):
    """`may_leave` is asked before the open document goes, and again when what takes its place has come: edits may have
    been made meanwhile. `keeper` knows the project, `autosaver` keeps it safe."""

    open_wanted = Signal(str)
    """A project or an autosave is to be opened."""

    def __init__(self, context: WindowContext, recent: RecentMenu) -> None:
        super().__init__(context.window)
        self.context = context
        self._recent = recent
        session = context.session
        self.keeper = ProjectKeeper(context.document, self)
        self.autosaver = Autosaver(self.keeper, autosave_folder(context.settings), self)
        session.autosaves = self.autosaver.folder
        self.claim = ProjectClaim(self.autosaver.folder.with_name(CLAIMS))
        self._add_commands()
        self.strip = RecoveryStrip(self, context.window)
        self.box: QMessageBox | None = None
        """The question that waits for an answer."""
        self._is_free = False  # it was asked already
        self._given_up: tuple[Pile | None] | None = None
        """The steps discarded for what is being opened; later edits are asked about again."""
        self._asked_for: Arrival | CaptureArrival | None = None
        """The arrival that the user was asked about."""
        self._has_looked = False
        self.keeper.changed.connect(self.refresh)
        self.autosaver.told.connect(self._warn)
        session.may_replace = self.may_replace
        session.held_back.connect(self._let_in)
        context.window.installEventFilter(self)
        self.refresh()

    def follow_openings(self) -> None:
        """Listen to the session, after whoever hides the banner when a world opens: a project may warn in it."""
        session = self.context.session
        session.opened.connect(self._on_opened)
        session.open_failed.connect(self._look_once)
        for over in (session.opened, session.open_failed, session.open_cancelled):
            over.connect(self._on_over)

    def _add_commands(self) -> None:
        commands = self.context.commands
        self.open_action = commands.add(
            "open-project", "Open Project…", self.ask_for_project, "Ctrl+Alt+O", tip="Open a world with its edits"
        )
        self.save_action = commands.add(
            "save",
            "Save",
            self.save,
            QKeySequence.StandardKey.Save,
            tip="Save the name of the world and your edits in a project file",
            condition=self._why_not_save,
        )
        self.save_as_action = commands.add(
            "save-as",
            "Save As…",
            self.save_as,
            "Ctrl+Shift+S",
            tip="Save them in another file",
            condition=self._why_not_open,
        )
        set_icon(self.save_action, "save", self.context.theme.colours)

    def _why_not_open(self) -> str:
        return "" if self.context.session.world is not None else NOTHING_OPEN

    def _why_not_save(self) -> str:
        is_saved = self.keeper.path is not None and not self.keeper.is_dirty
        return self._why_not_open() or (ALL_SAVED if is_saved else "")

    # --- showing

    @Slot()
    def refresh(self) -> None:
        """The title and what can be saved."""
        keeper, window = self.keeper, self.context.window
        name = f"{title_text(keeper.name)}[*] – " if keeper.name else "[*]"
        window.setWindowFilePath("" if keeper.path is None else str(keeper.path))  # macOS shows its icon and folders
        window.setWindowTitle(f"{name}Cellar Door")
        window.setWindowModified(keeper.is_dirty)
        self.context.commands.refresh()

    @Slot()
    def _on_opened(self) -> None:
        opened = self.context.session.project
        left = None if opened is None else self.strip.take(opened.path)
        if left is not None:
            self.autosaver.adopt(left)
            self._say(f"Recovered: {left.sentence} Save them to keep them.")
        if opened is not None and opened.sentence:
            self.context.banner.warn(f"{SIGN}{opened.sentence}", opened.details)
        self._claim()
        self._look_once()

    @Slot()
    def _look_once(self) -> None:
        """Look for autosaves after the first world has opened, so that this delays nothing."""
        if not self._has_looked:
            self._has_looked = True
            self.strip.look()

    def _claim(self) -> None:
        """Tell that another window has the same project open. It is no reason not to look at it in both, and a save
        asks before it replaces what was saved in the other."""
        path = self.keeper.path
        if not self.claim.take(path) and path is not None:
            said = f"‘{path.stem}’ is open in another window of Cellar Door, too."
            more = "What is saved in one is not seen in the other; save it under another name to edit it here."
            self._warn(f"{said} {more}")

    def _say(self, text: str) -> None:
        self.context.messages.say(text)

    @Slot(str)
    def _warn(self, sentence: str) -> None:
        self.context.banner.warn(f"{SIGN}{sentence}", "", self.save_as_action)

    # --- opening and saving

    @Slot()
    def ask_for_project(self) -> None:
        dialog = self._dialog("Open a Project", QFileDialog.AcceptMode.AcceptOpen)
        dialog.setFileMode(QFileDialog.FileMode.ExistingFile)
        dialog.fileSelected.connect(self.open_wanted)
        dialog.open()

    @Slot()
    def save(self) -> None:
        self._save_then(None)

    @Slot()
    def save_as(self) -> None:
        self._ask_where(None)

    def _save_then(self, then: Then | None) -> None:
        path = self.keeper.path
        if path is None:
            self._ask_where(then)
        elif self.keeper.is_saved_elsewhere:
            self._ask_to_replace(path, then)
        else:
            self._save_to(path, then)

    def _ask_to_replace(self, path: Path, then: Then | None) -> None:
        """Ask before overwriting edits that were saved elsewhere."""
        said = f"‘{path.stem}’ was saved somewhere else since you opened or saved it here."
        box = self._question("Saved Somewhere Else", said, "Replacing it loses the edits that were saved there.")
        if box is None:
            return
        elsewhere = box.addButton("Save As…", QMessageBox.ButtonRole.AcceptRole)
        replace = box.addButton("Replace", QMessageBox.ButtonRole.DestructiveRole)
        box.addButton(QMessageBox.StandardButton.Cancel)
        box.setDefaultButton(elsewhere)

        def answered() -> None:
            if box.clickedButton() is elsewhere:
                self._ask_where(then)
            elif box.clickedButton() is replace:
                self._save_to(path, then)

        box.finished.connect(answered)
        box.open()

    def _ask_where(self, then: Then | None) -> None:
        if self.context.session.world is None:
            return
        dialog = self._dialog("Save the Project", QFileDialog.AcceptMode.AcceptSave)
        dialog.setDefaultSuffix(SUFFIX[1:])
        dialog.selectFile(f"{self.keeper.name or 'project'}{SUFFIX}")
        dialog.fileSelected.connect(lambda name: self._save_to(Path(name), then))
        dialog.open()

    def _dialog(self, title: str, mode: QFileDialog.AcceptMode) -> QFileDialog:
        """A non-blocking file dialog in the folder of the last project."""
        own = self.keeper.path
        documents = QStandardPaths.writableLocation(QStandardPaths.StandardLocation.DocumentsLocation)
        folder = str(own.parent) if own is not None else str(self.context.settings.value(FOLDER, documents))
        dialog = QFileDialog(self.context.window, title, folder, FILTER)
        dialog.setAcceptMode(mode)
        dialog.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        return dialog

    def _save_to(self, path: Path, then: Then | None) -> None:
        """Save, and continue if that succeeded."""
        try:
            self.keeper.save(path)
        except ProjectError as error:
            said = f"{path.name} was not saved in ‘{path.parent.name or path.parent}’: {bare(error.reason)}."
            sentence = f"{SIGN}{said} Your edits are still here; save them elsewhere."
            self.context.banner.warn(sentence, f"file     {error.file or path}", self.save_as_action)
            return
        self.context.settings.setValue(FOLDER, str(path.parent))
        self._recent.remember(str(path))
        self._say(f"Saved {path}")
        self._claim()
        if then is not None:
            then()

    # --- leaving

    def may_leave(self, then: Then) -> bool:
        """Whether the document can go at once. Otherwise `then` is called when the user has saved or discarded."""
        self.forget_answer()
        if self._is_free or not self.keeper.is_dirty:
            self._is_free = False
            return True
        self._ask(then)
        return False

    def may_go_on(self, then: Then) -> bool:
        """The same for a later step of the same opening, without asking again about discarded edits."""
        if self.can_go:
            return True
        self._ask(then)
        return False

    @property
    def can_go(self) -> bool:
        """Whether everything is saved, or was discarded for what is being opened."""
        done = self.context.document.stack.done
        return not self.keeper.is_dirty or (self._given_up is not None and self._given_up[0] is done)

    def may_replace(self) -> bool:
        """Whether the new world may replace the open one; not while a dialog waits for an answer."""
        return QApplication.activeModalWidget() is None and self.can_go

    @Slot()
    def _let_in(self) -> None:
        """Take the waiting world in, ask about unsaved edits, or cancel it if the user declined."""
        session = self.context.session
        if session.held is None or QApplication.activeModalWidget() is not None:
            return
        if self._asked_for is session.held:
            session.cancel()
        elif self.can_go:
            session.take_held()
        else:
            self._asked_for = session.held
            self._ask(session.take_held, f"{session.held.request.name} is ready to be opened. ")

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        if event.type() == QEvent.Type.WindowUnblocked:
            QTimer.singleShot(0, self, self._let_in)  # after the handler of the answer
        return False

    @Slot()
    def _on_over(self) -> None:
        """The opening has ended."""
        self._asked_for = None
        self.forget_answer()

    def forget_answer(self) -> None:
        """Forget that edits were discarded for an earlier opening."""
        self._given_up = None

    def _ask(self, then: Then, why: str = "") -> None:
        count, name = self.keeper.unsaved, self.keeper.name
        edits = "Your last edit" if count == 1 else f"Your last {count:,} edits"
        was = "is" if count == 1 else "are"
        said = f"{edits} of ‘{name}’ {was} not saved."
        box = self._question("Unsaved Edits", said, f"{why}Discarded edits cannot be recovered.")
        if box is None:
            return
        buttons = QMessageBox.StandardButton
        box.setStandardButtons(buttons.Save | buttons.Discard | buttons.Cancel)
        box.setDefaultButton(buttons.Save)
        box.finished.connect(lambda answer: self._on_answer(buttons(answer), then))
        box.open()

    def _question(self, title: str, said: str, more: str) -> QMessageBox | None:
        """A box to be given its buttons; None when another one waits for its answer."""
        if self.box is not None:
            self.box.raise_()
            return None
        box = self.box = QMessageBox(self.context.window)
        box.setIcon(QMessageBox.Icon.NoIcon)
        box.setTextFormat(Qt.TextFormat.PlainText)
        box.setWindowTitle(title_text(title))
        box.setText(plain(said))
        box.setInformativeText(plain_lines(more))
        box.finished.connect(self._on_finished)
        return box

    @Slot()
    def _on_finished(self) -> None:
        if self.box is not None:
            self.box.deleteLater()
            self.box = None

    def _on_answer(self, answer: QMessageBox.StandardButton, then: Then) -> None:
        if answer == QMessageBox.StandardButton.Save:
            self._save_then(then)
        elif answer == QMessageBox.StandardButton.Discard:
            self._is_free = True
            self._given_up = (self.context.document.stack.done,)
            then()
            self._is_free = False

    def close(self) -> None:
        """Remove the autosave when the window closes normally."""
        self.context.session.cancel()
        self.autosaver.clear()
        self.claim.release()
        self.strip.leave()
