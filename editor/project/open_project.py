"""The open project: its file, whether it has unsaved edits, and what a save writes."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from datetime import datetime
from pathlib import Path
from typing import Final

from PySide6.QtCore import QObject, Signal, SignalInstance, Slot

from editor.authoring.cell_edits import loaded_records
from editor.document.document import Document
from editor.process.output_files import output_file
from editor.project.eye import Eye
from editor.project.project import (
    KeptCondition,
    KeptSurvey,
    KeptWalk,
    Project,
    ProjectError,
    edits_to_now,
    saved_steps,
    saved_walks,
)
from editor.project.project_file import Stamp, save_project, stamp_of
from editor.session.server_choice import place_of
from engine.sim.world_identity import ENTITIES, PLAYER, world_identity
from engine.world.cells.ids import cell_text
from engine.world.faults import WorldError
from engine.world.world import World

NOTHING: Final = "no world is open"


class ProjectKeeper(QObject):
    """Tracks the open project. Edits count as unsaved, time does not."""

    changed = Signal()
    """The file changed, or which edits are saved."""

    def __init__(self, document: Document, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self.document = document
        self.session = document.session
        self.path: Path | None = None
        """The project's own file; None until it is saved."""
        self._stamp: Stamp | None = None
        """The file's stamp when it was opened or saved here."""
        self._identity: dict[str, str] = {}
        self.eye: Callable[[], Eye | None] = lambda: None
        """Where the free camera is, from whoever shows the world."""
        self.conditions: Callable[[], tuple[KeptCondition, ...]] = tuple
        """What time stops at, from whoever keeps the list."""
        self.walks: Callable[[], tuple[KeptWalk, ...]] = tuple
        """The walks that keep watch, from whoever keeps them."""
        self.survey: Callable[[], KeptSurvey | None] = lambda: None
        """The results of the last survey, from whoever has them."""
        self._other_walks = False
        document.started.connect(self._on_started)
        document.stack.clean_changed.connect(self.changed)

    # --- asking

    @property
    def is_dirty(self) -> bool:
        """There are edits, or walks, that its file lacks."""
        return self.document.simulation is not None and (self._other_walks or not self.document.stack.is_clean())

    @property
    def is_saved_elsewhere(self) -> bool:
        """Another process has written the file meanwhile."""
        found = stamp_of(self.path)
        return found is not None and found != self._stamp

    @property
    def name(self) -> str:
        """The name to show."""
        world, request = self.session.world, self.session.request
        if self.path is not None:
            return self.path.stem
        if self.session.run is not None and request is not None:  # a recording, whatever its world is called
            return Path(request.source).stem
        return "" if world is None else world.name

    @property
    def unsaved(self) -> int:
        """The number of steps that the file lacks or has too many; all done steps when that is unknown."""
        stack = self.document.stack
        clean = stack.clean_index()
        count = abs(stack.index() - clean) if clean >= 0 else max(stack.index(), 1)
        return max(count, 1) if self._other_walks else count

    def keep_walks(self, walks: Callable[[], tuple[KeptWalk, ...]], edited: SignalInstance) -> None:
        """Keep what `walks` gives; `edited` tells that the user has changed it."""
        self.walks = walks
        edited.connect(self.note_walks)

    def keep_survey(self, survey: Callable[[], KeptSurvey | None], edited: SignalInstance) -> None:
        """Keep what `survey` gives; `edited` tells that there are other results."""
        self.survey = survey
        edited.connect(self.note_walks)

    @Slot()
    def note_walks(self) -> None:
        """Other walks or survey results are kept than those in the file: one edit more that is not saved."""
        if self.document.simulation is not None:
            self._other_walks = True
            self.changed.emit()

    def project(self) -> Project:
        """The project to save, without the identity of its world."""
        document, session, world = self.document, self.session, self.session.world
        if world is None or document.start is None:
            raise ProjectError(NOTHING)
        now = document.present_state()
        back = [cell_id for cell_id in document.start.rooms if cell_id not in now.rooms]
        if back:  # the recording that was opened edits them later than the tick that time resumed from
            now = replace(now, rooms=now.rooms | {cell_id: loaded_records(world, cell_id) for cell_id in back})
        steps = saved_steps(document.done_steps(), now)
        source, scene, place, within = self._source()
        return Project(
            source,
            world.name,
            scene,
            place,
            session.landblock_id,
            now.tick,
            {},
            tuple(now.joined),
            steps,
            edits_to_now(document.start, now, steps),
            saved=datetime.now().astimezone().isoformat(timespec="seconds"),
            names=world.names.departures(),
            within=within,
            eye=self.eye(),
            conditions=self.conditions(),
            server=place_of(session.server),
            walks=saved_walks(self.walks(), document.done_steps(), now),
            survey=self.survey(),
        )

    def steps_only(self) -> Project:
        """The done steps alone, which no thread changes."""
        document, session, world = self.document, self.session, self.session.world
        if world is None or document.start is None:
            raise ProjectError(NOTHING)
        now = replace(document.start, tick=document.sim.tick_number)
        steps = saved_steps(document.done_steps(), now)
        source, scene, place, within = self._source()
        saved = datetime.now().astimezone().isoformat(timespec="seconds")
        block_id, names = session.landblock_id, world.names.departures()
        return Project(
            source,
            world.name,
            scene,
            place,
            block_id,
            now.tick,
            {},
            (),
            steps,
            saved=saved,
            names=names,
            within=within,
            conditions=self.conditions(),
            server=place_of(session.server),
            walks=saved_walks(self.walks(), document.done_steps(), now),
            survey=self.survey(),
        )

    def _source(self) -> tuple[str, str | None, int, str]:
        """The source, scene, place and recording to open for the document's beginning."""
        session, opened = self.session, self.session.project
        if opened is not None:
            return opened.source, opened.project.scene, opened.project.place, opened.within
        if session.run is not None and session.request is not None:  # it began at the end of that recording
            return session.request.source, None, 0, session.request.world
        return session.source, session.scene, session.place, ""

    # --- the identity of the world

    def lacks_identity(self, project: Project) -> list[int]:
        """The landblocks of the project that have not been identified yet."""
        there = self.session.index
        return [
            block_id
            for block_id in project.landblocks()
            if cell_text(block_id) not in self._identity and block_id in there
        ]

    def look_at(self, world: World, block_id: int) -> None:
        """Identify a landblock; takes some milliseconds, once."""
        self._identity |= world_identity(world, [block_id])

    def identified(self, project: Project, *, look: bool = True) -> Project:
        """The project with the identity of its world as far as its edits touch it; without `look`, as far as it is
        known."""
        world = self.session.world
        if world is None:
            raise ProjectError(NOTHING)
        for block_id in self.lacks_identity(project) if look else ():
            self.look_at(world, block_id)
        if not self._identity and look:
            self._identity = world_identity(world, [])
        wanted = {ENTITIES, PLAYER, *map(cell_text, project.landblocks())}
        return replace(project, identity={name: text for name, text in self._identity.items() if name in wanted})

    # --- saving

    def save(self, path: Path) -> None:
        """Save into a file, which becomes the project's own. Raises a ProjectError, with nothing changed."""
        try:
            output_file(path, self.session.sources)
        except WorldError as error:
            raise ProjectError(error.reason, error.file) from error
        save_project(self.identified(self.project()), path)
        self.path, self._stamp = path, stamp_of(path)
        self._other_walks = False
        self.document.stack.set_clean()
        self.changed.emit()

    @Slot()
    def _on_started(self) -> None:
        """Follow a world or a project that was opened; the file of a recovered one lacks its edits, or does not
        exist."""
        self._identity = {}
        self._other_walks = False
        opened = self.session.project
        self.path = None if opened is None else opened.own_file
        self._stamp = stamp_of(self.path)
        if opened is not None and (opened.is_recovered or opened.is_elsewhere):
            self.document.stack.reset_clean()
        self.changed.emit()
