"""Reading the report of a survey away from the window's thread, and what edits have changed since."""

from __future__ import annotations

from pathlib import Path

from PySide6.QtCore import QObject, Signal

from editor.document.document import Document
from editor.document.step_application import ids_of
from editor.process.output_files import bare
from editor.session.background import Job
from editor.survey.report_form import Report, read_report
from engine.files.cancelling import cancellable
from engine.findings.errors import FindingError
from engine.world.cells.ids import landblock_id

GUID_OF_INSTANCE = 0x7
"""The first digit of ids of instances; the next four are their landblock's."""


class ReadSurveyReport(Job):
    """`done` carries the job with its report, `failed` a sentence."""

    class Signals(QObject):
        done = Signal(object)
        failed = Signal(str)

    def __init__(self, path: Path) -> None:
        super().__init__()
        self.signals = ReadSurveyReport.Signals()
        self.path = path
        self.report: Report | None = None

    def work(self) -> None:
        try:
            with cancellable(self.check):
                self.report = read_report(self.path)
        except FindingError as error:
            self.signals.failed.emit(f"{self.path.name} cannot be opened: {bare(error.reason)}")
        else:
            self.signals.done.emit(self)


def edited_landblocks(document: Document) -> frozenset[int]:
    """The landblocks of the rooms and entities that the edits made so far name."""
    sim = document.simulation
    if sim is None:
        return frozenset()
    player_id = sim.player.id
    found: set[int] = set()
    for number in {n for step in document.done_steps() for n in ids_of(step.edits) if n > 0xFFFF and n != player_id}:
        entity = sim.population.find(number)
        if entity is not None:
            found.add(landblock_id(entity.place_cell()))
        if number >> 28 == GUID_OF_INSTANCE:
            found.add(landblock_id(number << 4 & 0xFFFF0000))
        elif entity is None:
            found.add(landblock_id(number))
    return frozenset(found)
