"""World > Survey Report…: reads the report of a survey, shows it, and goes to the places of its findings."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Final

from PySide6.QtCore import QObject, Slot
from PySide6.QtWidgets import QFileDialog

from editor.document.moving_player import move_player_to_text
from editor.models.landblock_changes import LandblockChanges
from editor.models.survey_report.jobs import ReadSurveyReport
from editor.models.survey_report.state import ReportState
from editor.process.output_files import bare, output_file
from editor.process.plain_text import counted, plain
from editor.session import background
from editor.session.session import Kind, Selection
from editor.survey.reports.wording import place_text
from editor.view3d.framing import Focus
from editor.view3d.view import View3D
from engine.dat.atomic import write_whole
from engine.dat.errors import DatError
from engine.findings.finding import Found
from engine.world.cells.cell import EnvCell
from engine.world.cells.ids import block_text, cell_text, landblock_id
from engine.world.faults import WorldError
from ui.context import WindowContext
from ui.docks.context import DockLinks
from ui.widgets.banner import SIGN
from ui.widgets.paths import native
from ui.widgets.save_folder import first_folder, proposed, remember

if TYPE_CHECKING:
    from ui.window.actions.survey_report_dialog import SurveyReportDialog

NOTHING_OPEN: Final = "No world is open: open the one that was surveyed to go to its places."
AROUND: Final = 1.5
"""Metres around a place that are framed with it."""
RAISED: Final = 0.5
"""Metres above a place, which may lie in the floor, that the camera looks at."""
FARTHEST: Final = 1e6
"""Metres from its landblock; a place beyond is off every map."""
SUFFIX: Final = ".cdrec"


class SurveyReportActions(QObject):
    """The command and its dialog. `open_file` opens a recording, `open_files` are never written over."""

    def __init__(
        self,
        context: WindowContext,
        links: DockLinks,
        viewing: View3D,
        changes: LandblockChanges,
        open_file: Callable[[str], object],
        open_files: Callable[[], list[Path]],
    ) -> None:
        super().__init__(context.window)
        self._context = context
        self._links = links
        self._viewing = viewing
        self._open_file = open_file
        self._open_files = open_files
        self.document = context.document
        self.dialog: SurveyReportDialog | None = None
        self.path = Path()
        self.state = ReportState(context.document, changes, self)
        self.state.changed.connect(self._show_state)
        self.action = context.commands.add(
            "survey-report",
            "Survey Report…",
            self.ask,
            tip="Show the findings of a survey on the map of the world, and go to them",
        )

    # --- reading

    @Slot()
    def ask(self) -> None:
        dialog = QFileDialog(self._context.window, "Open Survey Report", first_folder())
        dialog.setObjectName("survey-report-file")
        dialog.setNameFilters(["Survey reports (*.json)", "All Files (*)"])
        dialog.setFileMode(QFileDialog.FileMode.ExistingFile)
        dialog.fileSelected.connect(self._on_file)
        dialog.finished.connect(dialog.deleteLater)
        dialog.open()

    @Slot(str)
    def _on_file(self, name: str) -> None:
        remember(name)
        name = native(name)
        self.open(Path(name))

    def open(self, path: Path) -> None:
        """Read a report and show it."""
        job = ReadSurveyReport(path)
        job.signals.done.connect(self._on_read)
        job.signals.failed.connect(self._warn)
        self._context.progress.follow(job, f"Reading {path.name} …")
        background.start(job)

    @Slot(object)
    def _on_read(self, job: ReadSurveyReport) -> None:
        from ui.window.actions.survey_report_dialog import SurveyReportDialog  # only those who ask need it

        if job.report is None:
            return
        if self.dialog is None:
            dialog = self.dialog = SurveyReportDialog(self._context.theme.colours, self._context.window)
            self._context.theme.changed.connect(dialog.set_colours)
            dialog.go_wanted.connect(self.go_to)
            dialog.show_wanted.connect(self._links.finding_shown)
            dialog.fix_wanted.connect(self._links.finding_fixed)
            dialog.stand_wanted.connect(self.stand_at)
            dialog.play_wanted.connect(self.play)
            dialog.block_wanted.connect(self._open_block)
        self.path = job.path
        self.dialog.show_report(job.report, job.path.name)
        self.state.follow(job.report)
        self.dialog.show()
        self.dialog.raise_()
        self.dialog.activateWindow()

    # --- the open world

    @Slot()
    def _show_state(self) -> None:
        """Tell which landblocks were edited or differ, and which are not in the open world."""
        if self.dialog is None:
            return
        edited, differing, here = self.state.edited, self.state.differing, self.state.here
        self.dialog.model.set_state(edited, differing, here)
        if here is None:
            self.dialog.set_world(NOTHING_OPEN)
            return
        report, source = self.dialog.model.report, self._context.session.source
        of = {landblock_id(each.id) for each in report.blocks} | {landblock_id(each.block) for each in report.found}
        told = []
        if report.source and report.source != source:
            told.append(f"The open world is {source}.")
        for count, what in (
            (len(of.difference(here)), "not in the open world"),
            (len(of & edited), "edited now"),
            (len(of & differing), "of other content than was surveyed"),
        ):
            if count:
                told.append(f"{counted(count, 'landblock')} {'is' if count == 1 else 'are'} {what}.")
        self.dialog.set_world(" ".join(told))

    # --- going there

    @Slot(object)
    def _open_block(self, block_id: int) -> None:
        if block_id in self._context.session.index:
            self._context.navigation.jump(Selection(Kind.LANDBLOCK, block_id, block_id))
        else:
            self._refuse(block_id)

    @Slot(object)
    def go_to(self, found: Found) -> None:
        """Open the landblock of a finding, select what it is about, and look at its place."""
        world = self._context.session.world
        block_id = landblock_id(found.block)
        if world is None or block_id not in self._context.session.index:
            self._refuse(block_id)
            return
        cell = world.graph.get_visible(found.cell) if found.cell else None
        sim = self.document.simulation
        if found.entity and sim is not None and sim.population.find(found.entity) is not None:
            chosen = Selection(Kind.ENTITY, block_id, found.entity)
        elif isinstance(cell, EnvCell):
            chosen = Selection(Kind.CELL, block_id, found.cell)
        else:
            chosen = Selection(Kind.LANDBLOCK, block_id, block_id)
        self._context.navigation.jump(chosen)
        self._viewing.reach.mark(found)
        if found.place is not None and max(map(abs, found.place[1])) < FARTHEST:
            cell_id, (x, y, z) = found.place
            room = world.graph.get_visible(cell_id)
            inside = room if isinstance(room, EnvCell) else None
            self._viewing.camera.focus_on(Focus(cell_id, (x, y, z + RAISED), AROUND, inside, inside is not None))
        if found.cell and cell is None:
            self._context.messages.warn(plain(f"There is no cell {cell_text(found.cell)} in this world any more."))

    @Slot(object)
    def stand_at(self, found: Found) -> None:
        """Put the player at the place of a finding, as an edit that can be undone."""
        move_player_to_text(self.document, place_text(found.place))

    def _refuse(self, block_id: int) -> None:
        no_world = self._context.session.world is None
        self._warn(NOTHING_OPEN if no_world else f"There is no landblock {block_text(block_id)} in the open world.")

    # --- its recording

    @Slot(object)
    def play(self, found: Found) -> None:
        """Save the recording of a finding where the user says, and open it."""
        name, _ = QFileDialog.getSaveFileName(
            self._context.window,
            "Save Recording",
            proposed(f"finding {cell_text(found.cell or found.block)}{SUFFIX}"),
            f"Recordings (*{SUFFIX})",
        )
        remember(name)
        if not name:
            return
        path = Path(name)
        try:
            read = [*self._context.session.sources, *self._open_files(), self.path]
            write_whole(output_file(path, read), found.recording)
        except (DatError, WorldError) as error:
            self._warn(f"{path.name} cannot be saved: {bare(error.reason)}")
            return
        self._open_file(str(path))

    @Slot(str)
    def _warn(self, sentence: str) -> None:
        self._context.banner.warn(f"{SIGN}{sentence}")
