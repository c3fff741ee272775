"""Follow Live Capture: a client's moves while it writes them, in Capture, in the 3D view and in the status line."""

from __future__ import annotations

import time
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Final

from PySide6.QtCore import QObject, QTimer, Slot
from PySide6.QtWidgets import QFileDialog

from editor.export.recordings import CAPTURE_SUFFIX
from editor.models.conditions.kept import KeptConditions
from editor.process.plain_text import plain, plain_lines
from editor.session import background
from editor.view3d.view import View3D
from ui.context import WindowContext
from ui.docks.capture import CapturePanel
from ui.docks.sweep.sweep_dock import SweepPanel
from ui.widgets.banner import SIGN
from ui.widgets.paths import native
from ui.widgets.save_folder import first_folder, proposed, remember
from ui.window.dock_layout import Docks
from ui.window.status_line import StatusLine

if TYPE_CHECKING:
    from editor.models.following.live_capture import LiveCapture
    from editor.session.following import Following

PAUSES_KEY: Final = "follow-pauses"
LIST_MS: Final = 300
"""Between two refreshes of the list and of the status line."""
NOTHING_OPEN: Final = "Open a world first."
NOTHING_FOLLOWED: Final = "No live capture is followed."
NO_RECORDS: Final = "Nothing has been followed yet."
NOT_PAUSED: Final = "The following is not paused."


class FollowActions(QObject):
    """The commands of File, Live Capture, and what they bring into the window."""

    def __init__(
        self,
        context: WindowContext,
        docks: Docks,
        viewing: View3D,
        status: StatusLine,
        open_files: Callable[[], list[Path]],
        conditions: KeptConditions,
    ) -> None:
        super().__init__(context.window)
        self._context = context
        self._docks = docks
        self._viewing = viewing
        self._status = status
        self._open_files = open_files
        self._conditions = conditions
        self._panel = docks.panel(CapturePanel)
        self.live: LiveCapture | None = None
        """What is followed, or was followed last and is still in the dock."""
        self.waiting_for_world: Path | None = None
        """A file to follow as soon as a world is open."""
        self._shown_pause = -1
        self._listed = 0.0
        self._timer = QTimer(self)
        self._timer.setInterval(LIST_MS)
        self._timer.timeout.connect(self._refresh)
        self._add_commands()
        self._panel.offer([self.go_on_action, self.stop_action])
        context.session.opened.connect(self._on_opened)
        context.session.capture_opened.connect(self._on_another)
        conditions.changed.connect(self._on_conditions)

    def _add_commands(self) -> None:
        add = self._context.commands.add
        self.follow_action = add(
            "follow-capture",
            "Follow Live Capture…",
            self.ask_for_file,
            tip="Follow a capture while a client writes it: each move is replayed here at once",
            condition=lambda: NOTHING_OPEN if self._context.session.world is None else "",
        )
        self.go_on_action = add(
            "follow-go-on",
            "Go On",
            self.go_on,
            tip="Follow on from where it paused, with what was written meanwhile",
            condition=lambda: "" if self._following is not None and self._following.is_paused else NOT_PAUSED,
        )
        self.stop_action = add(
            "follow-stop",
            "Stop Following",
            self.stop,
            tip="Stop following; what was followed stays in Capture",
            condition=lambda: "" if self._following is not None and self._following.is_on else NOTHING_FOLLOWED,
        )
        self.pauses_action = add(
            "follow-pauses",
            "Pause at Differences",
            self._on_pauses,
            tip="Pause where a move comes out otherwise by the client's rules, with its sweep in Sweep",
            is_checkable=True,
        )
        self.pauses_action.setChecked(self._context.settings.value(PAUSES_KEY, False, type=bool) is True)
        self.camera_action = add(
            "follow-camera",
            "Camera Follows the Client",
            lambda: self._viewing.follow_client(self.camera_action.isChecked()),
            tip="Put the camera behind the client that is followed",
            condition=lambda: NOTHING_FOLLOWED if self._viewing.client.stand is None else "",
            is_checkable=True,
        )
        self.save_action = add(
            "save-followed",
            "Save Capture…",
            self.ask_where_to_save,
            tip="Save the records followed so far as a capture",
            condition=lambda: NO_RECORDS if self.live is None or not self.live.count else "",
        )
        self._viewing.client.changed.connect(self._on_body)

    @property
    def _following(self) -> Following | None:
        return None if self.live is None else self.live.following

    # --- commands

    @Slot()
    def ask_for_file(self) -> None:
        """Any name: the client may not have begun the file yet."""
        dialog = QFileDialog(self._context.window, "Follow Live Capture", first_folder())
        dialog.setObjectName("follow-dialog")
        dialog.setNameFilters([f"Captures (*{CAPTURE_SUFFIX})", "All Files (*)"])
        dialog.setFileMode(QFileDialog.FileMode.AnyFile)
        dialog.setAcceptMode(QFileDialog.AcceptMode.AcceptOpen)
        dialog.fileSelected.connect(self._on_file)
        dialog.finished.connect(dialog.deleteLater)
        dialog.open()

    @Slot(str)
    def _on_file(self, name: str) -> None:
        remember(name)
        name = native(name)
        self.follow(Path(name))

    def follow(self, path: Path) -> None:
        """Follow a file in the open world, or in the next one that is opened."""
        from editor.models.following.live_capture import LiveCapture  # only those who follow need it
        from editor.session.following import Following

        session = self._context.session
        if session.world is None:
            self.waiting_for_world = path
            return
        self.waiting_for_world = None
        pauses = self.pauses_action.isChecked()
        following = Following(path, session.source, session.scene, session.server, pauses, self)
        following.stop_when(self._conditions.pausing)
        following.changed.connect(self._on_changed)
        following.ended.connect(self._on_ended)
        self._forget()
        self.live = LiveCapture(following)
        self._shown_pause = -1
        self._docks.bring(self._docks.dock(CapturePanel), focus=False)
        self._panel.show_capture(self.live)
        self._status.followed.show()
        self._timer.start()
        following.start()
        self._conditions.set_following(True)
        self._refresh()

    def go_on(self) -> None:
        if self._following is not None:
            self._following.go_on()
            self._refresh()

    def stop(self) -> None:
        """Stop following; what was followed stays in the dock."""
        self.waiting_for_world = None
        if self._following is not None:
            self._following.stop()
            self._refresh()

    def _on_pauses(self) -> None:
        pauses = self.pauses_action.isChecked()
        self._context.settings.setValue(PAUSES_KEY, pauses)
        if self._following is not None:
            self._following.pauses = pauses

    @Slot()
    def _on_conditions(self) -> None:
        if self._following is not None:
            self._following.stop_when(self._conditions.pausing)

    @Slot()
    def ask_where_to_save(self) -> None:
        following, window = self._following, self._context.window
        kinds = f"Captures (*{CAPTURE_SUFFIX})"
        name, _ = QFileDialog.getSaveFileName(window, "Save Capture", proposed(f"followed{CAPTURE_SUFFIX}"), kinds)
        if not name or following is None:
            return
        remember(name)
        from editor.export.followed import KeepFollowed

        job = KeepFollowed(following, Path(name), [*self._context.session.sources, *self._open_files()])
        job.signals.done.connect(self._say)
        job.signals.failed.connect(self._warn)
        self._context.progress.follow(job, f"Saving {Path(name).name} …")
        background.start(job)

    # --- what comes

    @Slot()
    def _on_changed(self) -> None:
        following = self._following
        if following is None or self.sender() is not following:
            return
        self._viewing.client.show(following)
        paused = following.paused_at
        if paused is not None and paused != self._shown_pause:
            self._show_pause(paused)
        elif time.monotonic() - self._listed > LIST_MS / 1000.0:
            self._refresh()

    def _show_pause(self, number: int) -> None:
        """The move at which it pauses, with its sweep on the table."""
        self._shown_pause = number
        self._docks.bring(self._docks.dock(SweepPanel), focus=False)
        self._refresh()
        self._panel.choose(number)
        live = self.live
        if live is not None and live.following.why_paused:
            self._say(f"Paused {live.name}: {live.following.why_paused}")

    @Slot()
    def _refresh(self) -> None:
        live = self.live
        self._context.commands.refresh()
        if live is None:
            return
        self._listed = time.monotonic()
        if self._panel.capture is live and self._panel.isVisible():
            self._panel.show_more()
        self._status.followed.setText(plain(live.status()))
        self._status.followed.setToolTip(plain_lines(live.summary()))

    @Slot(str)
    def _on_ended(self, reason: str) -> None:
        live = self.live
        if live is None or self.sender() is not live.following:
            return
        self._timer.stop()
        self._conditions.set_following(False)
        self._refresh()
        self._status.followed.hide()
        if reason:
            self._context.banner.warn(f"{SIGN}{live.name} cannot be followed: {reason}", f"world    {live.source}")
        else:
            self._context.messages.say(live.summary().partition("\n")[0])

    @Slot()
    def _on_body(self) -> None:
        is_there = self._viewing.client.stand is not None
        if is_there == self.camera_action.isEnabled():
            return
        self._context.commands.refresh()
        if not is_there and self.camera_action.isChecked():
            self.camera_action.setChecked(False)
            self._viewing.follow_client(False)

    @Slot()
    def _on_opened(self) -> None:
        """The world was replaced: the following ends with the one that it was in."""
        self._forget()
        waiting = self.waiting_for_world
        if waiting is not None:
            self.follow(waiting)
        self._context.commands.refresh()

    @Slot(object)
    def _on_another(self, arrival: object) -> None:
        """A capture was opened, which takes the place of this one in the dock."""
        self._forget()

    def _forget(self) -> None:
        live, self.live = self.live, None
        if live is None:
            return
        self._timer.stop()
        self._conditions.set_following(False)
        self._status.followed.hide()
        self._viewing.client.hide()
        live.close()
        if self._panel.capture is live:
            self._panel.show_capture(None)

    @Slot(str)
    def _say(self, text: str) -> None:
        self._context.messages.say(text)

    @Slot(str, str)
    def _warn(self, sentence: str, details: str) -> None:
        self._context.banner.warn(f"{SIGN}{sentence}", details)
