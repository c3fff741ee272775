"""One open world and what is selected in it: the state that every view of the window shares.

Opening runs on a worker thread; the world that is open stays until the new one is ready, and stays for good when
the new one fails.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum
from typing import Final

from PySide6.QtCore import QObject, Signal, Slot

from editor import background
from editor.opening import open_source
from editor.starting import simulation_of
from engine.build.errors import BuildError
from engine.dat.errors import DatError
from engine.geometry.errors import GeometryError
from engine.physics.errors import PhysicsError
from engine.sim.tick.simulation import Simulation
from engine.world.cells.ids import landblock_id
from engine.world.faults import WorldError
from engine.world.world import World

ENGINE_ERRORS = (WorldError, DatError, BuildError, GeometryError, PhysicsError)


LOOKED_THROUGH: Final = 64
"""How many landblocks are loaded in search of one with rooms: the whole of a client's map would take minutes."""


class Kind(Enum):
    """What can be selected."""

    LANDBLOCK = "landblock"
    CELL = "cell"
    BUILDING = "building"
    STATIC = "static object"
    ENTITY = "entity"


@dataclass(frozen=True)
class Selection:
    """One thing of the world: its kind, its landblock, and its id (or its place in the landblock's list)."""

    kind: Kind
    landblock: int
    key: int


class _Opening(background.Job):
    """Opens a source away from the window's thread and hands the result back by a signal."""

    class Signals(QObject):
        done = Signal(int, object)
        failed = Signal(int, str)

    def __init__(self, ticket: int, source: str) -> None:
        super().__init__()
        self.signals = _Opening.Signals()
        self._ticket = ticket
        self._source = source

    def work(self) -> None:
        try:
            world = open_source(self._source)
            sim = simulation_of(world, self._source, first_landblock(world))
        except ENGINE_ERRORS as error:
            self.signals.failed.emit(self._ticket, str(error))
            return
        self.signals.done.emit(self._ticket, sim)


class Session(QObject):
    """The open world, the landblock in view and the selection."""

    opening = Signal(str)
    opened = Signal()
    open_failed = Signal(str, str)
    landblock_changed = Signal()
    selection_changed = Signal()
    hover_changed = Signal()
    faults_changed = Signal()

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self.world: World | None = None
        self.simulation: Simulation | None = None
        """The open world in time, with its player."""
        self.source = ""
        self.landblock_id: int | None = None
        self.selection: Selection | None = None
        self.hover: Selection | None = None
        self._ticket = 0
        self._running: _Opening | None = None
        self._asked = ""

    @property
    def is_opening(self) -> bool:
        return self._running is not None

    @property
    def opening_job(self) -> background.Job | None:
        """What opens the next world, while it does."""
        return self._running

    def cancel(self) -> None:
        """What is open stays."""
        self._ticket += 1
        self._running = None

    def open(self, source: str) -> None:
        """Open a source in the background; a later call overtakes an earlier one."""
        if self._running is not None:
            self._running.cancel()
        self._ticket += 1
        self._asked = source
        job = _Opening(self._ticket, source)
        job.signals.done.connect(self._on_done)
        job.signals.failed.connect(self._on_failed)
        job.reports.cancelled.connect(self.cancel)
        self._running = job
        self.opening.emit(source)
        background.start(job)

    @Slot(int, object)
    def _on_done(self, ticket: int, sim: Simulation) -> None:
        if ticket != self._ticket:
            return
        self._running = None
        old = self.simulation
        self.simulation = sim
        self.world = world = sim.world
        self.source = self._asked
        self.hover = None
        self.landblock_id = first_landblock(world)
        self.selection = None
        if self.landblock_id is not None:
            self.selection = Selection(Kind.LANDBLOCK, self.landblock_id, self.landblock_id)
        self.opened.emit()
        self.landblock_changed.emit()
        self.selection_changed.emit()
        self.faults_changed.emit()
        if old is not None:  # everybody has turned to the new one
            old.close()
            old.world.close()

    @Slot(int, str)
    def _on_failed(self, ticket: int, reason: str) -> None:
        if ticket != self._ticket:
            return
        self._running = None
        self.open_failed.emit(self._asked, reason)

    def show_landblock(self, landblock_id: int) -> None:
        if self.world is None or landblock_id == self.landblock_id:
            return
        self.world.landblock(landblock_id)
        self.landblock_id = landblock_id
        self.landblock_changed.emit()
        self.faults_changed.emit()

    def select(self, selection: Selection | None) -> None:
        if selection == self.selection:
            return
        if selection is not None:
            self.show_landblock(selection.landblock)
        self.selection = selection
        self.selection_changed.emit()

    def set_hover(self, selection: Selection | None) -> None:
        if selection != self.hover:
            self.hover = selection
            self.hover_changed.emit()


def first_landblock(world: World) -> int | None:
    """The landblock to show first, loaded: one with houses before a dungeon, and that before empty land."""
    blocks = world.landblock_ids()
    furnished = dict.fromkeys(landblock_id(entity.cell_id) for entity in world.entities)
    inhabited: list[int] = []
    for block_id in [*(block_id for block_id in furnished if block_id in blocks), *blocks[:LOOKED_THROUGH]]:
        block = world.landblock(block_id)
        if block is not None and block.buildings:
            return block_id
        if block is not None and block.env_cells:
            inhabited.append(block_id)
    return inhabited[0] if inhabited else blocks[0] if blocks else None
