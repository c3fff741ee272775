"""`run_editor.py docs-screenshots`: takes every picture of the documents again, from the demo world, without a display.

One window goes through the tour of `docs/tour.md`; each picture is the window or one dock of it as it then is.
"""

from __future__ import annotations

import argparse
import sys
import tempfile
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Final

from ui.docks.sweep.sweep_dock import SweepPanel

if TYPE_CHECKING:
    from PySide6.QtCore import SignalInstance
    from PySide6.QtWidgets import QDockWidget, QWidget

    from engine.entities.door import Door
    from engine.sim.tick.controls import Controls
    from engine.world.landblock import Landblock
    from ui.docks.why.why_dock import WhyPanel
    from ui.window.main_window import MainWindow

PICTURES: Final = Path(__file__).resolve().parent / "pictures"

SETTLED_MS: Final = 700
"""After which everything has been laid out and painted: pictures and docks leave each other time."""

UNTIL_HE_IS_STOPPED: Final = 4
"""Ticks from the spot before the front door until it has stopped him."""

LONGEST_WAIT_MS: Final = 60_000
LONGEST_SEARCH_MS: Final = 600_000

CANNOT: Final = 2
"""The exit code for a picture that cannot be taken."""


class NoPictureError(Exception):
    """A picture cannot be taken; the text says why."""


class Stage:
    """The window on the demo world, and what the pictures do with it."""

    def __init__(self, window: MainWindow, folder: Path) -> None:
        self.window = window
        self.folder = folder

    def settle(self) -> None:
        from PySide6.QtCore import QEventLoop, QTimer

        loop = QEventLoop()
        QTimer.singleShot(SETTLED_MS, loop.quit)
        loop.exec()

    def save(self, name: str, shown: QWidget | None = None) -> None:
        """The window, or one widget of it."""
        from ui.widgets.screenshots import write_png

        self.settle()
        path = self.folder / f"{name}.png"
        problem = write_png((self.window if shown is None else shown).grab(), str(path), self.window.session.sources)
        if problem:
            raise NoPictureError(problem)

    def save_dock(
        self,
        name: str,
        title: str,
        size: tuple[int, int] | None = None,
        ready: Callable[[], None] | None = None,
    ) -> None:
        """One dock alone, as it lies in the window or floating with its own size; `ready` waits for what it shows."""
        dock = self.show(title)
        if size is None:
            self.save(name, dock)
            return
        dock.setFloating(True)
        dock.resize(*size)
        self.settle()
        if ready is not None:
            ready()
        self.save(name, dock.widget())
        dock.setFloating(False)
        self.settle()

    def show(self, title: str) -> QDockWidget:
        """Bring a dock to the front."""
        dock = next(dock for dock in self.window.docks if dock.windowTitle().partition(" (")[0] == title)
        dock.show()
        dock.raise_()
        self.settle()
        return dock

    def wait_for_problems(self) -> None:
        """Until the search in the background has found some."""
        watch = self.window.watch
        self._wait(watch.changed, lambda: bool(watch.findings.faults), "the problem that a picture shows")

    def wait_for_trials(self) -> None:
        """Until it is known who may pass the selected door."""
        from ui.docks.doors import DoorsPanel

        watch = self.window.docks.panel(DoorsPanel).passage.watch
        self._wait(watch.changed, lambda: watch.share_done >= 1.0, "who may pass the door that a picture shows")

    def wait_for_comparison(self) -> None:
        """Until two runs are compared, and what makes them part is known."""
        watch = self.window.compare
        self._wait(watch.changed, lambda: not watch.is_working, "the comparison that a picture shows")

    def wait_for_answer(self, panel: WhyPanel) -> None:
        """Until the chain of causes is known."""
        chains = panel.chains
        self._wait(chains.changed, lambda: not chains.is_working, "the answer that a picture shows")

    def wait_for_survey(self) -> None:
        """Until the landblock is searched and what was found is proved."""
        survey = self.window.survey
        self._wait(survey.changed, lambda: not survey.is_running, "what a search finds", LONGEST_SEARCH_MS)

    def _wait(
        self, changed: SignalInstance, is_there: Callable[[], bool], what: str, longest_ms: int = LONGEST_WAIT_MS
    ) -> None:
        from PySide6.QtCore import QEventLoop, QTimer

        loop = QEventLoop()
        changed.connect(loop.quit)
        QTimer.singleShot(longest_ms, loop, lambda: loop.exit(CANNOT))
        while not is_there():
            if loop.exec() == CANNOT:
                raise NoPictureError(f"{what} was not found in time")

    def run(self, command: str) -> None:
        """A command by its id."""
        found = self.window.commands.find(command)
        if found is None:
            raise NoPictureError(f"the window has no command {command!r}")
        found.trigger()
        self.settle()

    def door(self, name: str) -> Door:
        return next(door for door in self.window.document.sim.population.doors if door.name == name)

    def block_of(self, cell_id: int) -> Landblock:
        block = self.window.document.sim.world.landblock(cell_id | 0xFFFF)
        if block is None:
            raise NoPictureError(f"the demo world has no landblock of cell 0x{cell_id:08X}")
        return block

    def select(self, name: str) -> None:
        """An entity by its name."""
        from editor.session.session import Kind, Selection
        from engine.world.cells.ids import landblock_id

        population = self.window.document.sim.population
        found = next(entity for entity in population.ordered if entity.name == name)
        self.window.session.select(Selection(Kind.ENTITY, landblock_id(found.place_cell()), found.id))

    def select_cell(self, cell_id: int) -> None:
        from editor.session.session import Kind, Selection
        from engine.world.cells.ids import landblock_id

        self.window.session.select(Selection(Kind.CELL, landblock_id(cell_id), cell_id))

    def teleport(self, spot: str, heading: float | None = None) -> None:
        from engine.build.demo import SPOTS
        from engine.sim.edits.player import Teleport

        there = SPOTS[spot]
        sim = self.window.document.sim
        sim.apply_edit(Teleport(there.cell_id, *there.origin, there.heading if heading is None else heading))

    def tick(self, count: int, controls: Controls | None = None) -> None:
        document = self.window.document
        document.tick_many(count) if controls is None else document.tick_many(count, controls)
        self.settle()

    def stand(self, spot: str, by: tuple[float, float, float], heading: float, pitch: float) -> None:
        """Put the free camera beside a named place."""
        from engine.build.demo import SPOTS
        from engine.render.viewer.viewer import View

        viewer = self.window.viewing.viewer
        if viewer is None:
            raise NoPictureError("there is no 3D view to take a picture of")
        there = SPOTS[spot]
        x, y, z = there.origin
        viewer.switch(View.FREE)
        viewer.free.place(there.cell_id, (x + by[0], y + by[1], z + by[2]), there.heading + heading, pitch)
        self.window.viewing.changed.emit()


# --- the chapters of the tour


def first_start(stage: Stage) -> None:
    stage.save("first-start")


def blocked(stage: Stage) -> None:
    """Before the closed front door, pushing against it."""
    from engine.sim.tick.controls import Controls

    stage.teleport("cottage_inside_front_door")
    stage.tick(UNTIL_HE_IS_STOPPED, Controls(forward=1.0))
    stage.stand("cottage_inside_front_door", (0.9, 3.0, 1.6), 12.0, -8.0)
    stage.show("Sweep")
    stage.window.docks.panel(SweepPanel).culprit_action.trigger()
    stage.save("blocked")
    stage.save_dock("player", "Player", (420, 560))
    stage.save_dock("sweep", "Sweep", (1100, 460))


def doors(stage: Stage) -> None:
    from engine.sim.edits.doors import UseDoor

    stage.select("Front Door")
    door = stage.door("Front Door")
    stage.window.document.edit("Use Front Door", UseDoor(door.id, 0))
    stage.tick(12)
    stage.save_dock("doors", "Doors", (560, 860), stage.wait_for_trials)
    stage.save_dock("entities", "Entities", (860, 520))
    stage.save_dock("details", "Details", (560, 240))
    stage.save_dock("world", "World", (560, 480))
    stage.show("Doors")


def walk_out(stage: Stage) -> None:
    from engine.sim.tick.controls import Controls

    stage.tick(60, Controls(forward=1.0))
    stage.save_dock("cell-graph", "Cell Graph", (1200, 820))
    stage.tick(30)
    stage.save_dock("timeline", "Timeline", (1100, 420))


def why_he_is_there(stage: Stage) -> None:
    """How the player came into the cell where he is."""
    from editor.models.why import ValueAsked
    from ui.docks.why.why_dock import WhyPanel

    stage.window.links.ask_value(ValueAsked(stage.window.document.sim.player.id, "cell"))
    stage.save_dock("why", "Why", (520, 380), lambda: stage.wait_for_answer(stage.window.docks.panel(WhyPanel)))
    stage.show("Cell")


def send_a_tick(stage: Stage) -> None:
    """The tick that hit the door, saved as a capture and opened again."""
    from PySide6.QtCore import QEventLoop

    from editor.export.recordings import last_moves, save_moves

    document = stage.window.document
    document.go_to(UNTIL_HE_IS_STOPPED)
    with tempfile.TemporaryDirectory() as scratch:
        file = Path(scratch) / "front-door.jsonl"
        save_moves(last_moves(document), file, document.session.sources)
        document.go_to(document.history.end if document.history else 0)
        loop = QEventLoop()
        stage.window.session.capture_opened.connect(loop.quit)
        stage.window.open(str(file))
        loop.exec()
    stage.save_dock("capture", "Capture", (620, 460))


def follow_a_client(stage: Stage) -> None:
    """A walk past the cottage as a client would write it, with an end that our engine does not find."""
    from PySide6.QtCore import QEventLoop, QTimer

    with tempfile.TemporaryDirectory() as scratch:
        file = Path(scratch) / "resolve.jsonl"
        file.write_bytes(_walk_of_a_client())
        stage.run("follow-pauses")
        stage.window.following.follow(file)
        live, loop = stage.window.following.live, QEventLoop()
        stage.window.viewing.client.changed.connect(loop.quit)
        QTimer.singleShot(LONGEST_WAIT_MS, loop, lambda: loop.exit(CANNOT))
        while live is None or not live.following.is_paused:
            if loop.exec() == CANNOT:
                raise NoPictureError("the capture that a picture shows was not followed in time")
        stage.run("follow-camera")
        viewer = stage.window.viewing.viewer
        if viewer is None:
            raise NoPictureError("there is no 3D view to take a picture of")
        viewer.chase.offset = (2.2, -3.4, 0.9)
        stage.save("follow")
        stage.run("follow-camera")
        stage.run("follow-pauses")
        stage.run("follow-stop")


def _walk_of_a_client() -> bytes:
    from dataclasses import replace
    from io import StringIO

    from engine.build.demo import SPOTS, ensure_demo
    from engine.sim.captures.form import parse_capture, record_text
    from engine.sim.captures.writer import CaptureWriter
    from engine.sim.edits.player import Teleport
    from engine.sim.tick.controls import Controls
    from engine.sim.tick.simulation import Simulation
    from engine.world.loader import open_world

    stream, spot = StringIO(), SPOTS["cottage_outside_front_door"]
    with open_world(ensure_demo()) as world:
        sim = Simulation(world)
        sim.apply_edit(Teleport(spot.cell_id, *spot.origin, spot.heading - 100.0))
        sim.watch(sim.player.id, CaptureWriter(stream, sim.player.steered))
        for tick in range(45):
            sim.tick(Controls(forward=1.0, turn=1.0 if tick > 25 else 0.0))
        sim.close()
    records = list(parse_capture(stream.getvalue().encode(), "walk"))
    x, y, z = records[-1].result.position
    records[-1] = replace(records[-1], result=replace(records[-1].result, position=(x + 0.6, y - 0.5, z)))
    return "".join(f"{record_text(record)}\n" for record in records).encode()


def look_into_the_cottage(stage: Stage) -> None:
    """From the path before its open door, with what became of every portal."""
    from engine.render.overlays.catalogue import Overlay

    stage.teleport("cottage_kitchen")
    stage.tick(1)
    stage.stand("cottage_outside_front_door", (2.2, -4.6, 2.3), -17.0, -7.0)
    stage.window.viewing.show_overlay(Overlay.PORTALS, True)
    stage.select("Front Door")
    for title in ("Cell Graph", "Doors", "Player", "PView"):
        stage.show(title)
    stage.save("window")
    stage.save_dock("pview", "PView", (1000, 420))
    stage.window.viewing.show_overlay(Overlay.PORTALS, False)


def all_rooms(stage: Stage) -> None:
    """The village from outside, without roofs, and what the player sees of it."""
    stage.teleport("inn_common_room")
    stage.tick(1)
    stage.run("layout-walk")
    stage.run("dollhouse")
    stage.run("dollhouse-seen")
    stage.save("dollhouse", stage.window.centre)
    stage.run("dollhouse-seen")
    stage.run("dollhouse")
    stage.run("layout-inspect")


def break_a_stab_list(stage: Stage) -> None:
    """The kitchen forgets a room that is seen from it."""
    from editor.authoring.cell_edits import set_stab_list
    from engine.build.demo import SPOTS

    kitchen = SPOTS["cottage_kitchen"].cell_id
    document = stage.window.document
    cell = next(cell for cell in stage.block_of(kitchen).env_cells if cell.id == kitchen)
    stage.select_cell(kitchen)
    stage.save_dock("cell", "Cell", (560, 520))
    document.edit("Shorten Stab List", *set_stab_list(document.sim, kitchen, cell.stab_list[:-3]))
    stage.wait_for_problems()
    stage.save_dock("problems", "Problems", (900, 240))
    stage.save_dock("log", "Log", (900, 320))
    document.undo()


def ask_in_python(stage: Stage) -> None:
    """A line that opens a door, one that asks, and one that fails."""
    from ui.docks.console.console_dock import ConsolePanel

    panel = stage.window.docks.panel(ConsolePanel)
    for line in (
        'document.doors["Front Door"].open()',
        "document.tick('W', 30).cell",
        "document.face(90); document.tick('W', 'many')",
    ):
        panel.run_input(line)
    panel.input.put('document.doors["Front Door"].')
    stage.save_dock("console", "Console", (900, 280))
    panel.input.put("")
    panel.clear()
    stage.window.document.undo()


def map_of_the_dungeon(stage: Stage) -> None:
    from engine.build.demo import SPOTS
    from ui.window.central_area import MAP

    stage.window.centre.show_page(MAP)
    stage.select_cell(SPOTS["double_door"].cell_id)
    stage.settle()
    stage.window.map.frame_all()
    stage.save("dungeon")


def both_rule_sets(stage: Stage) -> None:
    """A run at the edge of the pit, by the client's rules and by the server's."""
    from engine.build.demo import SPOTS
    from engine.sim.tick.controls import Controls

    stage.run("to-present")
    stage.teleport("pit_edge", SPOTS["pit_edge"].heading + 30.0)
    stage.tick(60, Controls(forward=1.0, run=True))
    stage.run("compare-rules-ace")
    stage.wait_for_comparison()
    stage.save_dock("compare", "Compare", (460, 520))
    stage.run("compare-off")


def searched(stage: Stage) -> None:
    """The village searched by walking: where a body comes, and the worst of what was found."""
    from ui.docks.survey.survey_dock import SurveyPanel
    from ui.window.central_area import PICTURE

    stage.run("to-present")
    stage.teleport("cottage_outside_front_door")
    stage.window.centre.show_page(PICTURE)
    stage.stand("cottage_outside_front_door", (-16.0, -22.0, 17.0), 45.0, -32.0)
    panel = stage.window.docks.panel(SurveyPanel)
    stage.show("Survey")
    panel.start_action.trigger()
    stage.wait_for_survey()
    panel.found.setCurrentIndex(panel.found.table.index(0, 0))
    stage.settle()
    stage.save("survey")


CHAPTERS: Final[tuple[Callable[[Stage], None], ...]] = (
    first_start,
    blocked,
    doors,
    walk_out,
    why_he_is_there,
    look_into_the_cottage,
    all_rooms,
    break_a_stab_list,
    ask_in_python,
    send_a_tick,
    follow_a_client,
    map_of_the_dungeon,
    both_rule_sets,
    searched,
)


# --- the command


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--out", type=Path, default=PICTURES, help="the folder to write to (default: docs/pictures)")


def _nobody(sentence: str, details: str) -> None:
    """Qt's messages are printed, and that is all."""


def run(arguments: argparse.Namespace) -> int:
    """In memory, so that the pictures are the same wherever they are taken."""
    from cellar_door.virtual_display import place_for_pictures
    from editor.process.qt_messages import qt_messages_to
    from engine.dat.atomic import write_errors

    try:
        with write_errors(arguments.out):
            arguments.out.mkdir(parents=True, exist_ok=True)
        with place_for_pictures(), qt_messages_to(_nobody, _nobody):
            take(arguments.out)
    except (NoPictureError, OSError) as error:
        print(f"Cellar Door: {error}", file=sys.stderr)
        return CANNOT
    return 0


def take(folder: Path) -> None:
    from PySide6.QtCore import QEventLoop, QSettings
    from PySide6.QtWidgets import QMessageBox

    from editor.session.sources import DEMO
    from ui.window.application import create_application
    from ui.window.start import make_window

    application = create_application(["pictures"])
    with tempfile.TemporaryDirectory() as scratch:
        settings = QSettings(f"{scratch}/pictures.ini", QSettings.Format.IniFormat)
        window = make_window(application, settings)
        window.show()
        loop = QEventLoop()
        window.session.faults_changed.connect(loop.quit)
        window.open(DEMO)
        loop.exec()
        stage = Stage(window, folder)
        for chapter in CHAPTERS:
            chapter(stage)
        window.close()
        question = window.projects.box
        if question is not None:
            question.button(QMessageBox.StandardButton.Discard).click()
        settings.sync()  # written later they would make the folder again
