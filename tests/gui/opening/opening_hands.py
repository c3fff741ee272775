"""Opens things by mouse and keys, and writes files to open."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from PySide6.QtCore import QMimeData, QPoint, QPointF, Qt, QUrl
from PySide6.QtGui import QDragEnterEvent, QDragLeaveEvent, QDragMoveEvent, QDropEvent
from PySide6.QtWidgets import QApplication, QFileDialog, QWidget
from pytestqt.qtbot import QtBot

from ui.opening.landblock_dialog import OpenLandblock
from ui.window.main_window import MainWindow

OPENING_MS = 20_000


def drop(window: MainWindow, *paths: Path) -> bool:
    """Drag files over the window and drop them; false if the window refuses them."""
    mime = QMimeData()
    mime.setUrls([QUrl.fromLocalFile(str(path)) for path in paths])
    copy, left, none = Qt.DropAction.CopyAction, Qt.MouseButton.LeftButton, Qt.KeyboardModifier.NoModifier
    enter = QDragEnterEvent(QPoint(5, 5), copy, mime, left, none)
    QApplication.sendEvent(window, enter)
    if not enter.isAccepted():
        return False
    let_go = QDropEvent(QPointF(5, 5), copy, mime, left, none)
    QApplication.sendEvent(window, let_go)
    return let_go.isAccepted()


def drop_over(part: QWidget, path: Path) -> bool:
    """Drag a file over the middle of a part, with the window system's own events; false if nothing accepts it."""
    handle = part.window().windowHandle()
    at = part.mapTo(part.window(), part.rect().center())
    mime = QMimeData()
    mime.setUrls([QUrl.fromLocalFile(str(path))])
    copy, left, none = Qt.DropAction.CopyAction, Qt.MouseButton.LeftButton, Qt.KeyboardModifier.NoModifier
    for kind in (QDragEnterEvent, QDragMoveEvent):
        over = kind(at, copy, mime, left, none)
        over.setAccepted(kind is QDragMoveEvent)  # the receiver that accepts the first also accepts the next
        QApplication.sendEvent(handle, over)
        if not over.isAccepted():
            QApplication.sendEvent(handle, QDragLeaveEvent())
            return False
    let_go = QDropEvent(QPointF(at), copy, mime, left, none)
    QApplication.sendEvent(handle, let_go)
    return let_go.isAccepted()


def choose_file(monkeypatch: pytest.MonkeyPatch, path: Path | str) -> None:
    """Make the system's file dialogs answer with `path`; empty for Cancel."""
    monkeypatch.setattr(QFileDialog, "getOpenFileName", lambda *asked: (str(path), ""))
    monkeypatch.setattr(QFileDialog, "getSaveFileName", lambda *asked: (str(path), ""))
    monkeypatch.setattr(QFileDialog, "getExistingDirectory", lambda *asked: str(path))


def refusal(qtbot: QtBot, window: MainWindow, path: Path) -> str:
    """The banner's sentence after the drop of a file that cannot be opened."""
    with qtbot.waitSignal(window.session.open_failed, timeout=OPENING_MS):
        assert drop(window, path)
    assert window.banner.isVisible()
    assert not window.session.is_opening
    return window.banner.text


def saved_recording(qtbot: QtBot, window: MainWindow, path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    choose_file(monkeypatch, path)
    window.exports.recording_action.trigger()
    qtbot.waitUntil(lambda: path.name in window.status.currentMessage(), timeout=OPENING_MS)
    return path


def saved_capture(window: MainWindow, path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    choose_file(monkeypatch, path)
    window.exports.capture_action.trigger()
    return path


def picker(window: MainWindow) -> OpenLandblock:
    dialog = window.opening.dialog
    assert isinstance(dialog, OpenLandblock)
    return dialog


def room(x: float) -> dict[str, object]:
    return {"box": [x, 0, 0, x + 10, 10, 4], "seen_outside": 0, "stab": [], "portals": []}


def write_scenes(path: Path, *names: str) -> Path:
    """Write portal scenes of one room each."""
    scenes = {name: {"A": room(10.0 * number)} for number, name in enumerate(names)}
    path.write_text(json.dumps({"viewport": [640, 480], "focal": 240, "scenes": scenes}))
    return path
