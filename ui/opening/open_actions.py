"""Opening from the window: its commands and dialogs, what is dropped on it, what was opened before, and what is said
when something can not be opened."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import TYPE_CHECKING, Final

from PySide6.QtCore import QEvent, QMimeData, QObject, Slot
from PySide6.QtGui import QAction, QDragEnterEvent, QDropEvent, QKeySequence
from PySide6.QtWidgets import QDialog, QFileDialog, QMenu

from editor.models.capture import Capture
from editor.session.loading import BlockQuestion, CaptureArrival, Question, Request, SceneQuestion, WorldQuestion
from editor.session.open_error import short_name
from editor.session.session import Kind, Selection
from editor.session.sources import DEMO, is_capture
from engine.world.cells.ids import WHOLE_BLOCK, cell_text, landblock_id, low_of, parse_id
from engine.world.faults import WorldError
from ui.docks.parts import allow
from ui.opening.landblock_dialog import OpenLandblock
from ui.opening.recent_menu import RecentMenu
from ui.opening.scene_dialog import OpenScene
from ui.widgets.banner import SIGN

if TYPE_CHECKING:
    from ui.window.main_window import MainWindow

RECENT_BLOCKS: Final = "recent_landblocks"
MAX_RECENT_BLOCKS: Final = 60
"""Of all sources together; texts of an id and the source."""
FILES: Final = "What can be opened (*.json *.jsonl *.dat *.cdrec *.cellardoor);;All files (*)"
FOLDER: Final = "Open a Folder with client_portal.dat and client_cell_1.dat, or with Dumps"
MESSAGE_MS: Final = 10_000


class Opening(QObject):
    """`open` is the one way in, whoever asks."""

    def __init__(self, window: MainWindow) -> None:
        super().__init__(window)
        self.window = window
        self.session = window.session
        self.banner = window.banner
        self.dialog: QDialog | None = None
        """The question that waits for an answer."""
        standard = QKeySequence.StandardKey
        self.file_action = self._action("Open…", self.ask_for_file, standard.Open)
        self.file_action.setToolTip("Open a project, scene, recording, capture, dump or database file")
        self.folder_action = self._action("Open Data Folder…", self.ask_for_folder, "Ctrl+Shift+O")
        self.demo_action = self._action("Open Demo World", lambda: self.open(DEMO))
        self.block_action = self._action("Open Landblock…", self.ask_for_landblock, "Ctrl+L")
        self.reload_action = self._action("Reload", self.reload, standard.Refresh)
        self.recent_menu = RecentMenu(window)
        self._world_menu = self._make_world_menu()
        self._said_action = self._action("Where the File Says", self._agree_to_world)
        self._waiting: WorldQuestion | None = None
        session = self.session
        session.opening.connect(self._on_opening)
        session.opened.connect(self._on_opened)
        session.open_failed.connect(self._on_failed)
        session.open_cancelled.connect(self._on_cancelled)
        session.asked.connect(self._on_asked)
        session.capture_opened.connect(self._on_capture)
        session.landblock_changed.connect(self._on_landblock)
        for dock in window.docks:
            dock.setAcceptDrops(True)
            dock.installEventFilter(self)
        self._allow_landblocks()

    def _action(self, text: str, slot: Callable[[], object], keys: str | QKeySequence.StandardKey = "") -> QAction:
        made = QAction(text, self.window)
        made.setShortcut(QKeySequence(keys))
        made.triggered.connect(lambda checked=False: slot())
        return made

    def _make_world_menu(self) -> QAction:
        """Where the world of a recording or capture is: offered by the warning that it has to be known."""
        menu = QMenu(self.window)
        for text, slot in (
            ("Data or Dump Folder…", self._find_world_folder),
            ("Scene File…", self._find_world_file),
            ("The Demo World", lambda: self._answer_world(DEMO)),
        ):
            menu.addAction(self._action(text, slot))
        made = QAction("Choose Its World", self.window)
        made.setToolTip("Say where the world is that this was made in")
        made.setMenu(menu)
        return made

    # --- asking

    def open(self, source: str) -> None:
        """Whatever a path leads to, or the demo world; unsaved edits are asked about first."""
        if is_capture(source):
            self.window.projects.forget_answer()  # of a capture that replaces the world it is asked when it has come
            self.session.open(source)
        elif self.window.projects.may_leave(lambda: self.session.open(source)):
            self.session.open(source)

    @Slot()
    def ask_for_folder(self) -> None:
        folder = QFileDialog.getExistingDirectory(self.window, FOLDER)
        if folder:
            self.open(folder)

    @Slot()
    def ask_for_file(self) -> None:
        name, _ = QFileDialog.getOpenFileName(self.window, "Open", "", FILES)
        if name:
            self.open(name)

    @Slot()
    def reload(self) -> None:
        """What is open, from its files again, where it is looked at."""
        request = self.session.request
        if request is not None:
            again = replace(request, place=self.session.landblock_id or self.session.place)
            if self.window.projects.may_leave(lambda: self.session.open_request(again)):
                self.session.open_request(again)

    def drop(self, mime: QMimeData) -> bool:
        """Open the first file or folder of what is dropped; False when there is none."""
        paths = dropped_paths(mime)
        if paths:
            self.open(paths[0])
        return bool(paths)

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:  # noqa: N802  # Qt's name
        """A dock that floats is a window of its own: what is dropped on it is dropped on ours."""
        if event.type() == QEvent.Type.DragEnter and isinstance(event, QDragEnterEvent):
            self.window.dragEnterEvent(event)
            return True
        if event.type() == QEvent.Type.Drop and isinstance(event, QDropEvent):
            self.window.dropEvent(event)
            return True
        return False

    # --- what comes of it

    @Slot(str)
    def _on_opening(self, source: str) -> None:
        self._dismiss()
        self.banner.hide()
        job = self.session.job
        if job is not None:
            self.window.centre.progress.follow(job, f"Opening {short_name(source)} …")

    @Slot()
    def _on_opened(self) -> None:
        self.banner.hide()
        self._allow_landblocks()
        capture = self.window.live.capture
        if capture.capture is not None and capture.capture.source != self.session.source:
            capture.show_capture(None)
        request, run = self.session.request, self.session.run
        if request is not None:
            self.recent_menu.remember(request.source)
        if request is None or run is None:
            return
        count = len(run.recording)
        if run.divergence is not None:
            tick = run.divergence.tick
            sentence = f"{request.name} does not come out as it was recorded from tick {tick:,} on; it ends before it."
            self.banner.warn(f"{SIGN}{sentence}", "\n".join(run.divergence.lines()))
        else:
            ticks = f"{count:,} tick{'' if count == 1 else 's'}"
            word = f"{request.name}: {ticks}, all as recorded. Scrub in the Timeline; Continue Here goes on from there."
            self.window.status.showMessage(word, MESSAGE_MS)
        timeline = self.window.live.docks[self.window.live.timeline]
        timeline.show()
        timeline.raise_()

    @Slot(object)
    def _on_capture(self, arrival: CaptureArrival) -> None:
        """Its moves in Capture, the chosen one in Sweep, the cell where it begins in view."""
        live = self.window.live
        self.recent_menu.remember(arrival.request.source)
        for panel in (live.sweep, live.capture):
            live.docks[panel].show()
            live.docks[panel].raise_()
        capture = Capture(arrival)
        live.capture.show_capture(capture)
        selection = live.capture.view.selection
        if selection is not None:
            self.session.select(selection)
            self.window.frame_selection()
        self.window.status.showMessage(capture.summary(), MESSAGE_MS)

    @Slot(str, str)
    def _on_failed(self, source: str, reason: str) -> None:
        self.banner.warn(f"{SIGN}{reason}", self.session.failure.details)

    @Slot()
    def _on_cancelled(self) -> None:
        stays = f"; {self.session.world.name} stays open" if self.session.world is not None else ""
        self.window.status.showMessage(f"Opening was cancelled{stays}.", MESSAGE_MS)

    # --- questions

    @Slot(object)
    def _on_asked(self, question: Question) -> None:
        self._dismiss()
        if isinstance(question, SceneQuestion):
            scenes = OpenScene(question.names, question.request.name, self.window)
            scenes.chosen.connect(lambda name: self._go_on(question.answer(name)))
            self._show(scenes, question)
        elif isinstance(question, BlockQuestion):
            blocks = self._picker(question)
            blocks.chosen.connect(lambda place: self._enter(question, place))
            self._show(blocks, question)
        else:
            self._waiting = question
            failure = question.failure
            self._offer_said(question.said)
            self.banner.warn(f"{SIGN}{failure.sentence}", failure.details, self._world_menu)

    def _offer_said(self, said: str) -> None:
        """First of the ways to answer, where the file says a place that nobody has opened yet."""
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
        """Something else is wanted now."""
        if self.dialog is not None:
            self.dialog.reject()
        self._waiting = None

    def _go_on(self, request: Request) -> None:
        self.dialog = None
        self.session.open_request(request)

    def _enter(self, question: BlockQuestion, place: int) -> None:
        self.dialog = None
        self.session.enter(question, place)

    def _find_world_folder(self) -> None:
        folder = QFileDialog.getExistingDirectory(self.window, FOLDER)
        if folder:
            self._answer_world(folder)

    def _find_world_file(self) -> None:
        name, _ = QFileDialog.getOpenFileName(self.window, "Choose Its World", "", FILES)
        if name:
            self._answer_world(name)

    @Slot()
    def _agree_to_world(self) -> None:
        if self._waiting is not None and self._waiting.said:
            self._open_answer(self._waiting.agree())

    def _answer_world(self, source: str) -> None:
        if self._waiting is not None:
            self._open_answer(self._waiting.answer(source))

    def _open_answer(self, answer: Request) -> None:
        if is_capture(answer.source) or self.window.projects.may_go_on(lambda: self.session.open_request(answer)):
            self.session.open_request(answer)

    # --- landblocks

    def _picker(self, question: BlockQuestion) -> OpenLandblock:
        name, colours = question.request.name, self.window.colours
        picker = OpenLandblock(question.index, question.world.source, name, colours, self.window)
        picker.remember(self._recent_blocks(question.source))
        return picker

    @Slot()
    def ask_for_landblock(self) -> None:
        """Another landblock of the world that is open."""
        world, session = self.session.world, self.session
        if world is None or self.dialog is not None:
            return
        picker = OpenLandblock(session.index, world.source, world.name, self.window.colours, self.window)
        picker.remember(self._recent_blocks(session.source), session.landblock_id or 0)
        picker.chosen.connect(self._go_to)
        self.dialog = picker
        picker.finished.connect(self._forget_dialog)
        picker.open()

    @Slot(object)
    def _go_to(self, place: int) -> None:
        if low_of(place) != WHOLE_BLOCK:
            self.window.go_to(cell_text(place))
        else:
            self.session.select(Selection(Kind.LANDBLOCK, landblock_id(place), landblock_id(place)))
            self.window.frame_selection()

    def _allow_landblocks(self) -> None:
        why_not = "Open a world first."
        if self.session.world is not None:
            why_not = "" if len(self.session.index) > 1 else "This world has only one landblock."
        allow(self.block_action, why_not, "Choose a landblock on the map of all")

    @Slot()
    def _on_landblock(self) -> None:
        block_id, source = self.session.landblock_id, self.session.source
        if block_id is None or len(self.session.index) < 2:
            return
        entry = f"{cell_text(block_id)} {source}"
        stored = [entry, *(other for other in self._stored(RECENT_BLOCKS) if other != entry)]
        self.window.settings.setValue(RECENT_BLOCKS, stored[:MAX_RECENT_BLOCKS])

    def _recent_blocks(self, source: str) -> list[int]:
        found = []
        for entry in self._stored(RECENT_BLOCKS):
            text, _, of = entry.partition(" ")
            if of == source:
                try:
                    found.append(landblock_id(parse_id(text)))
                except WorldError:
                    continue  # somebody has edited the settings
        return found

    # --- what was opened before

    def _stored(self, key: str) -> list[str]:
        stored = self.window.settings.value(key, [])
        return [stored] if isinstance(stored, str) else [str(entry) for entry in stored or []]  # type: ignore[attr-defined]


def dropped_paths(mime: QMimeData) -> list[str]:
    return [url.toLocalFile() for url in mime.urls() if url.isLocalFile()]
