"""What has become of the landblocks of a report in the open world: edited, of other content, or not there."""

from __future__ import annotations

import time
from collections.abc import Collection, Iterator
from typing import Final

from PySide6.QtCore import QObject, QTimer, Signal, Slot

from editor.document.document import Document
from editor.document.step_application import ids_of
from editor.models.landblock_changes import LandblockChanges
from editor.session.session import ENGINE_ERRORS
from editor.survey.content import Contents
from editor.survey.report_form import Report
from engine.files.errors import FileError
from engine.world.cells.ids import landblock_id

SETTLING: Final = 200
"""Milliseconds after an edit until it is looked at."""
SLICE: Final = 0.004
"""Seconds at a time in which landblocks are compared with what was surveyed."""
TOLD_EVERY: Final = 0.5
"""Seconds between two reports of landblocks that differ."""
PAUSE: Final = 16
"""Milliseconds between two slices, in which the window does everything else."""
GUID_OF_INSTANCE: Final = 0x7
"""The first digit of ids of instances; the next four are their landblock's."""


class ReportState(QObject):
    """Follows the open world. Its records are compared in slices between the window's events, those of landblocks with
    findings alone; edits count apart."""

    changed = Signal()

    def __init__(self, document: Document, changes: LandblockChanges, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._document = document
        self._session = document.session
        self.edited: frozenset[int] = frozenset()
        self.differing: set[int] = set()
        """Landblocks whose records or entities, or a neighbour's, are not those that were surveyed."""
        self._expected: dict[int, str] = {}
        self._left: Iterator[None] = iter(())
        self._told, self._told_at = 0, 0.0
        self._settling = QTimer(self)
        self._settling.setSingleShot(True)
        self._settling.setInterval(SETTLING)
        self._settling.timeout.connect(self._on_edited)
        self._comparing = QTimer(self)
        self._comparing.setInterval(PAUSE)
        self._comparing.timeout.connect(self._compare)
        changes.edited.connect(self._settling.start)
        self._session.opened.connect(self._begin)

    @property
    def here(self) -> Collection[int] | None:
        """The landblocks of the open world; None without one."""
        return None if self._session.world is None else self._session.index.known

    def follow(self, report: Report) -> None:
        """Look at the landblocks of another report."""
        found = {landblock_id(each.block) for each in report.found}
        self._expected = {each.id: each.content for each in report.blocks if each.content and each.id in found}
        self._begin()

    @property
    def is_comparing(self) -> bool:
        return self._comparing.isActive()

    @Slot()
    def _begin(self) -> None:
        self.differing = set()
        self._told = 0
        self._left = self._digests()
        self.edited = edited_landblocks(self._document)
        self._comparing.start()
        self.changed.emit()

    @Slot()
    def _on_edited(self) -> None:
        before, self.edited = self.edited, edited_landblocks(self._document)
        if self.edited != before:
            self.changed.emit()

    @Slot()
    def _compare(self) -> None:
        until = time.perf_counter() + SLICE
        while time.perf_counter() < until:
            if next(self._left, self) is self:
                self._comparing.stop()
                break
        is_due = not self.is_comparing or until > self._told_at + TOLD_EVERY
        if is_due and len(self.differing) != self._told:
            self._told, self._told_at = len(self.differing), until
            self.changed.emit()

    def _digests(self) -> Iterator[None]:
        """Compare one landblock after the other."""
        world = self._session.world
        if world is None:
            return
        contents, here = Contents(world), self._session.index.known
        for block_id, expected in self._expected.items():
            if block_id not in here:
                continue
            try:
                if contents.of(block_id).hex() != expected:
                    self.differing.add(block_id)
            except (*ENGINE_ERRORS, FileError):
                self.differing.add(block_id)
            yield


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
