"""Opening from the window: its commands and dialogs, dropped files, recent sources, and reports of failures."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import replace
from pathlib import Path
from typing import Final, Protocol

from PySide6.QtCore import QEvent, QMimeData, QObject, Signal, Slot
from PySide6.QtGui import QAction, QDragEnterEvent, QDropEvent, QKeySequence
from PySide6.QtWidgets import QDialog, QFileDialog, QMenu, QWidget

from editor.places.place_text import WrittenPlace
from editor.session.loading import BlockQuestion, CaptureArrival, Question, Request, SceneQuestion, WorldQuestion
from editor.session.open_error import short_name
from editor.session.server_choice import ServerChoice
from editor.session.server_question import BesideQuestion, ServerDataQuestion
from editor.session.session import Kind, Selection
from editor.session.sources import DEMO, file_patterns, is_capture
from engine.world.cells.ids import WHOLE_BLOCK, cell_text, landblock_id, low_of, parse_id
from engine.world.faults import WorldError
from ui.context import WindowContext
from ui.opening.landblock_dialog import OpenLandblock
from ui.opening.recent_menu import RecentMenu
from ui.opening.scene_dialog import OpenScene
from ui.opening.server_asking import ServerAsking, ServerRow
from ui.widgets.banner import SIGN
from ui.widgets.paths import dropped_paths, native
from ui.widgets.save_folder import first_folder, remember
from ui.widgets.stored_list import stored_list

NOTHING_OPEN: Final = "Open a world first."
RECENT_BLOCKS: Final = "recent_landblocks"
MAX_RECENT_BLOCKS: Final = 60
"""Entries for all sources together, each an id and a source."""
FOLDER: Final = "Open a Folder with client_portal.dat and client_cell_1.dat, or with Dumps"


class LeaveGuard(Protocol):
    """Asks about unsaved edits before the open document closes."""

    def may_leave(self, then: Callable[[], object]) -> bool:
        """True if the document may close at once; otherwise `then` is called once the user agrees."""

    def may_go_on(self, then: Callable[[], object]) -> bool:
        """The same for a further step of an opening."""

    def forget_answer(self) -> None:
        """Forget that the user discarded edits: it was for another opening."""


class OpenActions(QObject):
    """Opens sources and asks the user what is missing; `open` is the only entry point."""

    recording_opened = Signal()
    """A recording has opened; its last tick is shown."""
    beside_wanted = Signal(str)
    """Server data that is to stand in the open world."""

    def __init__(self, context: WindowContext, recent: RecentMenu, guard: LeaveGuard) -> None:
        super().__init__(context.window)
        self._context = context
        self._guard = guard
        self.recent_menu = recent
        self.session = context.session
        self.banner = context.banner
        self.dialog: QDialog | None = None
        """The dialog awaiting an answer."""
        self._add_commands()
        self._world_menu = self._make_world_menu()
        self._said_action = QAction("Use the Path in the File", self)
        self._said_action.triggered.connect(lambda checked=False: self._agree_to_world())
        self._server_asking = ServerAsking(context.window, context.banner, self._go_on_with)
        self._beside_action = QAction("Open Beside This World", self)
        self._beside_action.triggered.connect(lambda checked=False: self._open_beside())
        self._offered: BesideQuestion | None = None
        self._dropped = ""
        """The dropped path that is being opened: server data then needs no further question."""
        self._waiting: WorldQuestion | None = None
        self._answered: WorldQuestion | None = None
        """The question that the opening under way is an answer to; a wrong answer asks again."""
        session = self.session
        session.opening.connect(self._on_opening)
        session.opened.connect(self._on_opened)
        session.open_failed.connect(self._on_failed)
        session.open_cancelled.connect(self._on_cancelled)
        session.asked.connect(self._on_asked)
        session.capture_opened.connect(self._on_capture)
        session.landblock_changed.connect(self._on_landblock)
        recent.chosen.connect(self.open)

    def _add_commands(self) -> None:
        commands, standard = self._context.commands, QKeySequence.StandardKey
        self.file_action = commands.add(
            "open-file",
            "Open…",
            self.ask_for_file,
            standard.Open,
            tip="Open a project, scene, recording, capture, dump or database file",
        )
        self.folder_action = commands.add(
            "open-folder", "Open Data Folder…", self.ask_for_folder, "Ctrl+Shift+O", tip=FOLDER
        )
        self.demo_action = commands.add(
            "open-demo", "Open Demo World", lambda: self.open(DEMO), tip="Open the demo village"
        )
        self.block_action = commands.add(
            "open-landblock",
            "Open Landblock…",
            self.ask_for_landblock,
            "Ctrl+L",
            tip="Choose a landblock on the map of all landblocks",
            condition=self._why_no_landblocks,
        )
        self.reload_action = commands.add(
            "reload",
            "Reload",
            self.reload,
            standard.Refresh,
            tip="Read the open files again",
            condition=lambda: "" if self.session.request is not None else NOTHING_OPEN,
        )
        commands.add_menu("open-recent", self.recent_menu, "Open Recent")

    def accept_drops(self, widgets: Iterable[QWidget]) -> None:
        """Open files dropped on these widgets too: a floating dock is a window of its own."""
        for widget in widgets:
            widget.setAcceptDrops(True)
            widget.installEventFilter(self)

    def _make_world_menu(self) -> QAction:
        """The menu for the world of a recording or capture; the warning that it is unknown offers it."""
        menu = QMenu(self._context.window)
        menu.addAction("Data or Dump Folder…").triggered.connect(self._find_world_folder)
        menu.addAction("Scene File…").triggered.connect(self._find_world_file)
        menu.addAction("The Demo World").triggered.connect(lambda: self._answer_world(DEMO))
        made = QAction("Choose Its World", self)
        made.setToolTip("Choose the world in which it was made")
        made.setMenu(menu)
        return made

    # --- commands

    def open(self, source: str) -> None:
        """Open a path or the demo world, after asking about unsaved edits."""
        self._dropped = ""
        if source != DEMO:
            source = native(source)
            remember(source)  # dialogs begin beside it
        if is_capture(source):
            self._guard.forget_answer()  # a capture that replaces the world asks once it is read
            self.session.open(source)
        elif self._guard.may_leave(lambda: self.session.open(source)):
            self.session.open(source)

    @Slot()
    def ask_for_folder(self) -> None:
        folder = QFileDialog.getExistingDirectory(self._context.window, FOLDER, first_folder())
        if folder:
            self.open(folder)

    @Slot()
    def ask_for_file(self) -> None:
        name, _ = QFileDialog.getOpenFileName(self._context.window, "Open", first_folder(), file_filter())
        if name:
            self.open(name)

    @Slot()
    def reload(self) -> None:
        """Read the open files again, and return to the landblock in view."""
        request = self.session.request
        if request is not None:
            self.open_again(request)

    def open_again(self, request: Request) -> None:
        """Open a request like that of the open world, in the landblock in view."""
        again = replace(request, place=self.session.landblock_id or self.session.place, at=None)
        may = self._guard.may_leave if self._offered is None else self._guard.may_go_on
        if may(lambda: self.session.open_request(again)):
            self.session.open_request(again)

    def drop(self, mime: QMimeData) -> bool:
        """Open the first dropped file or folder; False if there is none."""
        paths = dropped_paths(mime)
        if paths:
            self.open(paths[0])
            self._dropped = paths[0]
        return bool(paths)

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """Accept files and folders dropped on one of the widgets."""
        if event.type() == QEvent.Type.DragEnter and isinstance(event, QDragEnterEvent):
            if dropped_paths(event.mimeData()):
                event.acceptProposedAction()
            return True
        if event.type() == QEvent.Type.Drop and isinstance(event, QDropEvent):
            if self.drop(event.mimeData()):
                event.acceptProposedAction()
            return True
        return False

    # --- session

    @Slot(str)
    def _on_opening(self, source: str) -> None:
        self._dismiss()
        self._answered = None
        self.banner.hide()
        job = self.session.job
        if job is not None:
            self._context.progress.follow(job, f"Opening {short_name(source)} …")

    @Slot()
    def _on_opened(self) -> None:
        self._answered = None
        project = self.session.project
        if project is None or not project.sentence:  # else the banner already reports how its world differs
            self.banner.hide()
        self._context.commands.refresh()
        request, run = self.session.request, self.session.run
        if request is not None:
            self.recent_menu.remember(request.source)
        if request is None or run is None:
            return
        count = len(run.recording)
        if run.divergence is not None:
            tick = run.divergence.tick
            sentence = f"{request.name} diverges from the recording at tick {tick:,}; the replay ends there."
            self.banner.warn(f"{SIGN}{sentence}", "\n".join(run.divergence.lines()))
        else:
            ticks = f"{count:,} tick{'' if count == 1 else 's'}"
            hint = "Run plays it; Continue Here resumes from the shown tick."
            word = f"{request.name}: {ticks}, replayed as recorded. {hint}"
            self._context.messages.say(word)
            if run.untold:
                self.banner.warn(f"{SIGN}{request.name}: {run.untold[0].lower()}{run.untold[1:]}.")
        self.recording_opened.emit()

    @Slot(object)
    def _on_capture(self, arrival: CaptureArrival) -> None:
        self._answered = None
        self.recent_menu.remember(arrival.request.source)

    @Slot(str, str)
    def _on_failed(self, source: str, reason: str) -> None:
        self._waiting, self._answered = self._answered, None
        again = None if self._waiting is None else self._world_menu
        self.banner.warn(f"{SIGN}{reason}", self.session.failure.details, again)

    @Slot()
    def _on_cancelled(self) -> None:
        self._answered = None
        stays = f"; {self.session.world.name} stays open" if self.session.world is not None else ""
        self._context.messages.say(f"Opening was cancelled{stays}.")

    # --- questions

    @Slot(object)
    def _on_asked(self, question: Question) -> None:
        self._dismiss()
        if isinstance(question, WorldQuestion):
            self._answered = None
        if isinstance(question, SceneQuestion):
            scenes = OpenScene(question.names, question.request.name, self._context.window)
            scenes.chosen.connect(lambda name: self._go_on(question.answer(name)))
            self._show(scenes, question)
        elif isinstance(question, BlockQuestion):
            blocks = self._picker(question)
            row = ServerRow(question.request.server_of(question.source), blocks)
            blocks.add_row(row)
            blocks.chosen.connect(lambda place: self._enter(question, place, None, row.choice))
            blocks.written.connect(lambda at: self._enter(question, at.cell_id, at, row.choice))
            self._show(blocks, question)
        elif isinstance(question, ServerDataQuestion):
            self._server_asking.ask(question)
        elif isinstance(question, BesideQuestion):
            self._offered = question
            if question.request.source == self._dropped:
                self._open_beside()
            else:
                self.banner.warn(f"{SIGN}{question.failure.sentence}", question.failure.details, self._beside_action)
        else:
            self._waiting = question
            failure = question.failure
            self._offer_said(question.said)
            self.banner.warn(f"{SIGN}{failure.sentence}", failure.details, self._world_menu)

    def _open_beside(self) -> None:
        if self._offered is not None:
            self.banner.hide()
            self.beside_wanted.emit(self._offered.request.source)
        self._offered = None

    def _offer_said(self, said: str) -> None:
        """Offer the path in the file first, if it names a source that was never opened here."""
        menu = self._world_menu.menu()
        assert isinstance(menu, QMenu)
        menu.removeAction(self._said_action)
        if said:
            menu.insertAction(menu.actions()[0], self._said_action)

    def _show(self, dialog: QDialog, question: Question) -> None:
        self.dialog = dialog
        dialog.rejected.connect(question.close)
        dialog.finished.connect(self._forget_dialog)
        dialog.open()

    @Slot()
    def _forget_dialog(self) -> None:
        self.dialog = None

    def _dismiss(self) -> None:
        """Close the open question, for another opening has replaced it."""
        if self.dialog is not None:
            self.dialog.reject()
        self._waiting = None

    def _go_on(self, request: Request) -> None:
        self.dialog = None
        self.session.open_request(request)

    def _enter(self, question: BlockQuestion, place: int, at: WrittenPlace | None, server: ServerChoice | None) -> None:
        self.dialog = None
        self.session.enter(question, place, at, server)

    @Slot()
    def _find_world_folder(self) -> None:
        folder = QFileDialog.getExistingDirectory(self._context.window, FOLDER, self._beside())
        if folder:
            self._answer_world(native(folder))

    @Slot()
    def _find_world_file(self) -> None:
        name, _ = QFileDialog.getOpenFileName(self._context.window, "Choose Its World", self._beside(), file_filter())
        if name:
            self._answer_world(native(name))

    def _beside(self) -> str:
        """The folder of the file whose world is asked for: most lie beside it."""
        return "" if self._waiting is None else str(Path(self._waiting.request.source).absolute().parent)

    @Slot()
    def _agree_to_world(self) -> None:
        if self._waiting is not None and self._waiting.said:
            self._open_answer(self._waiting.agree())

    def _answer_world(self, source: str) -> None:
        if self._waiting is not None:
            self._open_answer(self._waiting.answer(source))

    def _go_on_with(self, answer: Request) -> None:
        if self._guard.may_go_on(lambda: self.session.open_request(answer)):
            self.session.open_request(answer)

    def _open_answer(self, answer: Request) -> None:
        question = self._waiting

        def go_on() -> None:
            self.session.open_request(answer)
            self._answered = question

        if is_capture(answer.source) or self._guard.may_go_on(go_on):
            go_on()

    # --- landblocks

    def _picker(self, question: BlockQuestion) -> OpenLandblock:
        name, colours = question.request.name, self._context.theme.colours
        picker = OpenLandblock(question.index, question.world.source, name, colours, self._context.window)
        picker.remember(self._recent_blocks(question.source))
        return picker

    @Slot()
    def ask_for_landblock(self) -> None:
        """Ask for another landblock of the open world."""
        world, session = self.session.world, self.session
        if world is None or self.dialog is not None:
            return
        picker = OpenLandblock(
            session.index, world.source, world.name, self._context.theme.colours, self._context.window
        )
        picker.remember(self._recent_blocks(session.source), session.landblock_id or 0)
        picker.chosen.connect(self._go_to)
        picker.written.connect(lambda at: self._context.navigation.go_to(at.text))
        self.dialog = picker
        picker.finished.connect(self._forget_dialog)
        picker.open()

    @Slot(object)
    def _go_to(self, place: int) -> None:
        if low_of(place) != WHOLE_BLOCK:
            self._context.navigation.go_to(cell_text(place))
        else:
            self._context.navigation.jump(Selection(Kind.LANDBLOCK, landblock_id(place), landblock_id(place)))

    def _why_no_landblocks(self) -> str:
        if self.session.world is None:
            return NOTHING_OPEN
        return "" if len(self.session.index) > 1 else "This world has only one landblock."

    @Slot()
    def _on_landblock(self) -> None:
        block_id, source = self.session.landblock_id, self.session.source
        if block_id is None or len(self.session.index) < 2:
            return
        entry = f"{cell_text(block_id)} {source}"
        stored = [entry, *(other for other in stored_list(self._context.settings, RECENT_BLOCKS) if other != entry)]
        self._context.settings.setValue(RECENT_BLOCKS, stored[:MAX_RECENT_BLOCKS])

    def _recent_blocks(self, source: str) -> list[int]:
        found = []
        for entry in stored_list(self._context.settings, RECENT_BLOCKS):
            text, _, of = entry.partition(" ")
            if of == source:
                try:
                    found.append(landblock_id(parse_id(text)))
                except WorldError:
                    continue  # somebody edited the settings by hand
        return found


def file_filter() -> str:
    """Name filters for file dialogs."""
    return f"All Supported Files ({' '.join(file_patterns())});;All Files (*)"
