"""`python -m benchmarks.ui_session`: works in the window on the demo, and prints the figures as one line of JSON.

Needs a display. The figures include painting: a selection is over when the docks are painted, a jump
to a tick when its picture is.
"""

from __future__ import annotations

import json
import os
import random
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from dataclasses import asdict
from pathlib import Path
from statistics import median

from PySide6.QtCore import QEventLoop, QPoint, QSettings, Qt, QTimer, SignalInstance
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QDockWidget

from benchmarks.figures import Figure
from benchmarks.watchdog import Watchdog
from editor.authoring.cell_edits import set_stab_list
from editor.session.session import Kind, Selection
from editor.session.sources import DEMO
from engine.build.demo import SPOTS
from engine.dat.ids import DatKind
from engine.sim.edits.doors import OpenDoor
from engine.sim.edits.entities import MoveEntity, SetStateBits
from engine.sim.edits.player import Teleport
from engine.sim.errors import SimError
from engine.sim.tick.controls import Controls
from engine.world.cells.cell import EnvCell
from ui.window.application import create_application
from ui.window.main_window import MainWindow
from ui.window.start import make_window

WALK_SECONDS = 6.0
SELECTIONS = 60
PASSES = 2
"""Rounds of posted events: layouts first, then the painting that they cause."""
SESSION_TICKS = 20_000
JUMPS = 60
FRONT_DOOR = 0x7C95B001
SHARE_LIMIT = 60.0
TICK_LIMIT = 1000.0 / 29.5
SELECTION_LIMIT = 30.0
SCRUB_LIMIT = 50.0
STALL_LIMIT = 100.0
CIRCLE = Controls(forward=1.0, turn=0.5)


class Stopwatch:
    """Milliseconds since it was created: wall time, and time that the window's own thread was at work."""

    def __init__(self) -> None:
        self._begun, self._worked = time.perf_counter(), time.thread_time()

    def read(self) -> tuple[float, float]:
        return ((time.perf_counter() - self._begun) * 1000.0, (time.thread_time() - self._worked) * 1000.0)


class Bench:
    """The window, and ways to wait for it."""

    def __init__(self, application: QApplication, window: MainWindow) -> None:
        self.application = application
        self.window = window
        self.found: list[Figure] = []

    def wait(self, seconds: float) -> None:
        loop = QEventLoop()
        QTimer.singleShot(round(seconds * 1000.0), loop.quit)
        loop.exec()

    def wait_for(self, signal: SignalInstance) -> None:
        loop = QEventLoop()
        signal.connect(loop.quit, Qt.ConnectionType.SingleShotConnection)
        loop.exec()

    def open(self, source: str) -> None:
        QTimer.singleShot(0, lambda: self.window.open(source))
        self.wait_for(self.window.session.faults_changed)
        self.wait(1.0)

    def until_drawn(self, before: int) -> None:
        """Run the event loop until a picture after `before` is drawn."""
        viewport = self.window.viewport
        while viewport is not None and viewport.drawn == before:
            self.application.processEvents(QEventLoop.ProcessEventsFlag.WaitForMoreEvents)

    @property
    def drawn(self) -> int:
        return 0 if self.window.viewport is None else self.window.viewport.drawn

    def tell(self, name: str, value: float, unit: str, limit: float | None = None) -> None:
        self.found.append(Figure(name, value, unit, limit, limit))


def spread_docks(bench: Bench) -> None:
    """Show every dock at once: those behind a tab become windows of their own."""
    for dock in bench.window.findChildren(QDockWidget):
        for hidden in bench.window.tabifiedDockWidgets(dock):
            hidden.setFloating(True)
            hidden.resize(420, 400)
            hidden.show()
    bench.wait(1.0)


def walk(bench: Bench, name: str) -> None:
    """Walk the player around the parlour, with the camera over his shoulder."""
    window, clock = bench.window, bench.window.clock
    spot = SPOTS["cottage_parlour"]
    window.document.edit("Go", Teleport(spot.cell_id, *spot.origin, spot.heading))
    if not window.viewing.camera.follows_player:
        window.viewing.camera.toggle_player()
    clock.keys.forward, clock.keys.turn = CIRCLE.forward, CIRCLE.turn
    clock.run()
    bench.wait(1.0)
    tick, drawn = window.document.sim.tick_number, bench.drawn
    used, begun = time.process_time(), time.monotonic()
    bench.wait(WALK_SECONDS)
    passed = time.monotonic() - begun
    used = time.process_time() - used
    ticks = window.document.sim.tick_number - tick
    clock.pause()
    clock.keys.forward = clock.keys.turn = 0.0
    bench.tell(f"{name}, from tick to tick", passed * 1000.0 / ticks, "ms", TICK_LIMIT)
    bench.tell(f"{name}, of one processor", used / passed * 100.0, "%", SHARE_LIMIT)
    bench.tell(f"{name}, pictures a second", (bench.drawn - drawn) / passed, "")


def walk_beside(bench: Bench) -> None:
    """The same walk with a second body beside it, which is slower: both in the picture, in all docks and live."""
    compare = bench.window.compare
    if not compare.compare_body([("run_skill", 50.0), ("radius", 0.4)]):
        raise SimError(compare.problem)
    while compare.is_working:
        bench.wait(0.1)
    walk(bench, "two bodies live, all docks in view")
    lag = len(bench.window.document.history.recording) - compare.compared if bench.window.document.history else 0
    bench.tell("two bodies live, ticks that the second one lags behind", lag, "")
    compare.stop()


def select(bench: Bench) -> None:
    """Select entities and cells in turn, until every dock and the picture show it."""
    window, chance = bench.window, random.Random(3)
    session, sim = window.session, window.document.sim
    block = sim.world.landblock(session.landblock_id or 0)
    cells = [] if block is None else [Selection(Kind.CELL, block.id, cell.id) for cell in block.env_cells]
    things = [] if block is None else [Selection(Kind.ENTITY, block.id, door.id) for door in sim.population.doors]
    times, pictures = [], []
    for number in range(SELECTIONS):
        wanted = chance.choice(cells if number % 2 else things)
        bench.wait(0.05)
        if wanted == session.selection:
            continue
        before, watch = bench.drawn, Stopwatch()
        session.select(wanted)
        for _ in range(PASSES):
            bench.application.sendPostedEvents()
        times.append(watch.read())
        bench.until_drawn(before)
        pictures.append(watch.read())
    _median_and_most(bench, "selection to all docks", times, SELECTION_LIMIT)
    _median_and_most(bench, "selection to its picture", pictures, None)


def scrub(bench: Bench) -> None:
    """Jump to random ticks of a long session, until each is drawn."""
    document, chance = bench.window.document, random.Random(4)
    window = bench.window
    if not window.viewing.camera.follows_player:
        window.viewing.camera.toggle_player()
    while document.sim.tick_number < SESSION_TICKS:
        document.tick_many(500, CIRCLE)
        bench.application.processEvents()
    bench.wait(1.0)
    times = []
    for _ in range(JUMPS):
        tick = chance.randrange(document.sim.tick_number + 1 if document.history is None else document.history.end)
        bench.wait(0.05)
        before, watch = bench.drawn, Stopwatch()
        if document.go_to(tick):
            bench.until_drawn(before)
            times.append(watch.read())
    _median_and_most(bench, f"to any of {SESSION_TICKS:,} ticks", times, SCRUB_LIMIT)
    if document.history is not None:
        document.go_to(document.history.end)


def _median_and_most(bench: Bench, name: str, taken: list[tuple[float, float]], limit: float | None) -> None:
    times, work = sorted(passed for passed, _ in taken), sorted(worked for _, worked in taken)
    nearly_all = len(times) * 95 // 100
    bench.tell(f"{name}, median", median(times), "ms", limit)
    bench.tell(f"{name}, 95th percentile", times[nearly_all], "ms", limit)
    bench.tell(f"{name}, longest", times[-1], "ms")
    bench.tell(f"{name}, at work, median", median(work), "ms")
    bench.tell(f"{name}, at work, 95th percentile", work[nearly_all], "ms")


# --- stories, as steps of a hand


def front_door(bench: Bench) -> Iterator[None]:
    """Story (a): the front door."""
    window, live = bench.window, bench.window
    window.session.select(Selection(Kind.ENTITY, 0xC95BFFFF, FRONT_DOOR))
    yield
    spot = SPOTS["cottage_inside_front_door"]
    live.document.edit("Teleport Player", Teleport(spot.cell_id, *spot.origin, spot.heading))
    live.clock.keys.forward = 1.0
    for _ in range(20):
        yield
        QTest.keyClick(window, Qt.Key.Key_Period)
    live.document.edit("Open Front Door", OpenDoor(FRONT_DOOR))
    yield
    live.clock.step(60)
    yield
    live.clock.keys.forward = 0.0
    live.clock.step(30 * 32)
    yield


def stab_list(bench: Bench) -> Iterator[None]:
    """Story (b): a cell disappears from view and returns."""
    document, cell_id = bench.window.document, SPOTS["cottage_parlour"].cell_id
    cell = document.sim.graph.get_visible(cell_id)
    if isinstance(cell, EnvCell):
        document.edit("Edit Stab List", *set_stab_list(document.sim, cell_id, cell.stab_list[1:]))
    for _ in range(10):
        yield
    document.undo()
    for _ in range(10):
        yield


def drag_a_door(bench: Bench) -> Iterator[None]:
    """Story (c): a door follows a drag and is put back."""
    document = bench.window.document
    door = document.sim.population.doors[0]
    x, y, z = door.origin()
    for step in range(40):
        place = (door.id, door.place_cell(), x + 0.01 * step, y, z, 90.0)
        document.edit("Move Door", MoveEntity(*place), drag="bench")
        yield
    document.undo()
    yield


def look_back(bench: Bench) -> Iterator[None]:
    """Story (d): go into the past, edit there, and continue."""
    document, clock = bench.window.document, bench.window.clock
    history = document.history
    if history is None:
        return
    for back in range(10, 210, 10):
        document.go_to(history.end - back)
        yield
    document.continue_here()
    yield
    document.edit("Make Ethereal", SetStateBits(FRONT_DOOR, 0x4, True))
    yield
    clock.keys.forward, clock.keys.turn = 1.0, 0.3
    clock.run()
    for _ in range(40):
        yield
    clock.pause()


def broken(bench: Bench) -> Iterator[None]:
    """Story (f): sources that fail to open; the world stays."""
    with tempfile.TemporaryDirectory() as scratch:
        folder, capture = Path(scratch), Path(scratch) / "cut.jsonl"
        capture.write_text('{"timestampMs": 1, "bodyBefore": {"pos')
        for kind in (DatKind.PORTAL, DatKind.CELL):
            (folder / kind.file_name).write_bytes(bytes(2000))
        for source in (folder, capture, folder / "absent"):
            bench.window.session.open(str(source))
            while bench.window.session.is_opening:
                yield


def around_the_window(bench: Bench) -> Iterator[None]:
    """Raise every dock, switch to the map and back, turn the camera."""
    window = bench.window
    for dock in window.findChildren(QDockWidget):
        dock.raise_()
        yield
    for key in (Qt.Key.Key_F3, Qt.Key.Key_F2, Qt.Key.Key_Home, Qt.Key.Key_F):
        QTest.keyClick(window, key)
        for _ in range(8):
            yield
    if window.viewport is not None:
        middle = window.viewport.rect().center()
        QTest.mousePress(window.viewport, Qt.MouseButton.RightButton, pos=middle)
        for step in range(40):
            QTest.mouseMove(window.viewport, middle + QPoint(5 * step, step))
            yield
        QTest.mouseRelease(window.viewport, Qt.MouseButton.RightButton, pos=middle + QPoint(200, 40))


STORIES: dict[str, Callable[[Bench], Iterator[None]]] = {
    "the front door": front_door,
    "a stab list": stab_list,
    "a door dragged": drag_a_door,
    "the past": look_back,
    "sources that fail to open": broken,
    "around the window": around_the_window,
}
STEP_SECONDS = 0.05


def stalls(bench: Bench) -> None:
    with Watchdog() as dog:
        dog.begin("opening")
        bench.open(DEMO)
        for name, story in STORIES.items():
            dog.begin(name)
            for _ in story(bench):
                bench.wait(STEP_SECONDS)
        dog.begin("")
    for name in ("opening", *STORIES):
        bench.tell(f"longest stall, {name}", dog.longest.get(name, 0.0) * 1000.0, "ms", STALL_LIMIT)
        bench.tell(f"longest stall, {name}, at work", dog.busiest.get(name, 0.0) * 1000.0, "ms")
    for stall in dog.stalls:
        if stall.seconds * 1000.0 > STALL_LIMIT:
            print(f"stalled {stall}", file=sys.stderr)


def reopen(bench: Bench) -> None:
    """Open another world in the same window, without a question about unsaved edits."""
    bench.window.document.stack.set_clean()
    with Watchdog() as dog:
        dog.begin("again")
        bench.open(DEMO)
        dog.begin("")
    bench.tell("longest stall, another world instead", dog.longest["again"] * 1000.0, "ms", STALL_LIMIT)
    bench.tell("longest stall, another world instead, at work", dog.busiest["again"] * 1000.0, "ms")


def main() -> int:
    application = create_application(["bench"])
    with tempfile.TemporaryDirectory() as scratch:
        settings = QSettings(f"{scratch}/settings.ini", QSettings.Format.IniFormat)
        bench = Bench(application, make_window(application, settings))
        bench.window.show()
        stalls(bench)
        reopen(bench)
        walk(bench, "first layout")
        spread_docks(bench)
        walk(bench, "all docks in view")
        walk_beside(bench)
        select(bench)
        scrub(bench)
        settings.sync()
    print(json.dumps([asdict(figure) for figure in bench.found]))
    sys.stdout.flush()
    os._exit(0)  # the measurement is over; skip taking the window down


if __name__ == "__main__":
    sys.exit(main())
