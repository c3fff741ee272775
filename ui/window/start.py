"""Starts the window, as the command line asks for it: to work in, or for a picture."""

from __future__ import annotations

import argparse
import os
import sys
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Final

from PySide6.QtCore import QCoreApplication, QEvent, QEventLoop, QSettings, QTimer
from PySide6.QtWidgets import QApplication

from editor.maps.block_map import parse_place
from editor.models.python_log import PythonEars
from editor.places.place_text import read_place
from editor.process.ending import EndedError, Watch, active, leave, watched
from editor.process.interrupt import interrupts_held
from editor.process.output_files import output_file
from editor.session import background
from editor.session.loading import Request
from editor.session.memory import Memory
from editor.session.server_choice import ANY_WORLD, server_choice
from editor.session.session import Session
from editor.session.sources import DEMO
from engine.sim.probes import use_environment
from engine.world.cells.ids import WHOLE_BLOCK, landblock_id, low_of
from engine.world.faults import WorldError
from ui.theme.theme import apply_theme
from ui.theme.theme_state import colours_of
from ui.window.application import create_application
from ui.window.main_window import MainWindow
from ui.window.settings import user_settings
from ui.window.signal_exit import Asked, Leaving

OPENING_MS: Final = 120_000
"""Timeout for opening the world of a screenshot."""
PATIENCE_S: Final = 1.0
"""Time for which the exit waits for background work."""
TIMED_OUT: Final = 2
INTERRUPTED: Final = 3


def run(options: argparse.Namespace) -> int:
    """Open the window on a source; with `screenshot`, save a picture of it and end."""
    use_environment()
    request = request_of(options)
    if options.screenshot:
        output_file(
            options.screenshot, [name for name in (request.source, request.world, *options.server_data) if name]
        )
    with interrupts_held():
        application = create_application(["cellar-door"])
    if not options.screenshot:
        with interrupts_held():
            window = make_window(application, user_settings())
        ears = PythonEars(application)
        ears.listen()
        window.messages.listen(ears, window.problem_reports.action)
        with (
            window.problem_reports.written(ears, window.viewport, window.commands),
            watched() as watch,
            _left_by_signals(window, watch),
        ):
            if options.follow is not None:
                window.following.follow(Path(options.follow))
            _show(window, request)
            code = application.exec()
        ears.close()
        if watch is not None and watch.number:
            raise EndedError(watch.number)
        if not background.finish(PATIENCE_S):  # a read that never returns
            leave(code)
        destroy(window)
        return code
    with tempfile.TemporaryDirectory() as scratch:  # a picture shows the window as it is at its first start
        settings = QSettings(f"{scratch}/settings.ini", QSettings.Format.IniFormat)
        with interrupts_held():
            window = make_window(application, settings)
        _show(window, request)
        code = _take_picture(application, window, options.screenshot)
        settings.sync()  # written later they would make the folder again
        destroy(window)
    ended = active()
    if ended is not None and ended.number:
        raise EndedError(ended.number)
    return code


@contextmanager
def _left_by_signals(window: MainWindow, watch: Watch | None) -> Iterator[None]:
    if watch is None:
        yield
        return
    leaving = Leaving(window.projects.autosaver, window.settings, watch)
    with watch.taken(leaving.asked.told.emit, leaving.last_words):
        yield


def make_window(application: QApplication, settings: QSettings) -> MainWindow:
    """The window on nothing yet. The theme comes first: widgets that are already there keep the system's face."""
    apply_theme(application, colours_of(settings))
    window = MainWindow(Session(), settings)
    Memory(window.session, window)
    return window


def destroy(window: MainWindow) -> None:
    """Delete the window, its dialogs and floating docks, at the program's end. Left to Qt, they go after Python's exit
    has begun, in any order: one that is still open is closed then, and calls methods of widgets that are gone."""
    for top in QApplication.topLevelWidgets():
        top.hide()
    window.deleteLater()
    QCoreApplication.sendPostedEvents(None, QEvent.Type.DeferredDelete.value)


def request_of(options: argparse.Namespace) -> Request:
    """Make a request of the command line; raise a WorldError if it is invalid."""
    source = DEMO if options.source is None else options.source
    if source != DEMO and not options.screenshot and not os.path.exists(source):
        raise WorldError("there is no such file or folder", source)
    place = 0
    if options.landblock is not None:
        place = landblock_id(parse_place(options.landblock))
    elif options.cell is not None:
        place = parse_place(options.cell)
        if low_of(place) == WHOLE_BLOCK:
            raise WorldError(f"{options.cell} is a landblock; --cell takes a cell, as 0xA9B40143")
    at = None if options.place is None else read_place(options.place)
    if at is not None:
        place = at.cell_id
    server = server_choice(options)
    servers = {} if server is None else {ANY_WORLD: server}
    ask = not options.screenshot
    return Request(source, options.scene, place, options.world or "", ask=ask, at=at, servers=servers)


def _show(window: MainWindow, request: Request) -> None:
    window.show()
    window.session.open_request(request)


def _take_picture(application: QApplication, window: MainWindow, name: str) -> int:
    """A picture is saved even of what could not be opened: it says so."""
    loop = QEventLoop()
    window.session.faults_changed.connect(loop.quit)
    window.session.open_failed.connect(lambda source, reason: loop.exit(1))
    window.session.asked.connect(lambda question: loop.exit(1))  # the banner names what is missing
    QTimer.singleShot(OPENING_MS, lambda: loop.exit(TIMED_OUT))
    asked = Asked(lambda number: loop.exit(INTERRUPTED))
    with watched() as watch:
        if watch is None:
            failed = loop.exec()
        else:
            with watch.taken(asked.told.emit):
                failed = loop.exec()
    if failed == INTERRUPTED:
        return INTERRUPTED
    application.processEvents()
    window.map.frame_all()
    if window.viewport is not None:
        window.viewport.draw_at_once()
    application.processEvents()
    saved = window.save_picture(window.grab(), name)
    if saved and not failed:
        return 0
    late = f"the world was not open after {OPENING_MS // 1000} s"
    reason = late if saved and failed == TIMED_OUT else window.banner.label.text().removeprefix("■ ")
    print(f"Cellar Door: {reason}", file=sys.stderr)
    return 2
