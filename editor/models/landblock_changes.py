"""Tells when an edit has changed what a landblock holds: its rooms, and where its entities stand."""

from __future__ import annotations

from dataclasses import dataclass, field

from PySide6.QtCore import QObject, Signal, Slot

from editor.document.document import Document
from editor.models.entities import specs_now
from engine.geometry.quat import Quat
from engine.geometry.vec import Vec3
from engine.sim.tick.simulation import Simulation
from engine.world.cells.cell import EnvCell
from engine.world.entity_spec import EntitySpec
from engine.world.landblock import Landblock
from engine.world.world import World


@dataclass(frozen=True)
class LandblockContents:
    """What tree and map show of a landblock. Rooms are compared by identity: an edited one is another object."""

    world: World
    block: Landblock
    rooms: list[EnvCell]
    places: list[tuple[int, int, Vec3, Quat]]
    entities: list[EntitySpec] = field(compare=False)


def contents_of(sim: Simulation, block: Landblock) -> LandblockContents:
    """The contents of a landblock as they are now."""
    here = specs_now(sim, block.id)
    places = [(spec.guid, spec.cell_id, spec.frame.origin, spec.frame.rotation) for spec in here]
    return LandblockContents(sim.world, block, block.env_cells, places, here)


class LandblockChanges(QObject):
    """Watches the landblock in view. Ticks do not count, however far they move things."""

    edited = Signal()
    """An edit was made, undone or travelled over, in this landblock or another one."""
    changed = Signal(object)
    """The `LandblockContents` of the landblock in view are different from before."""
    rooms_changed = Signal()

    def __init__(self, document: Document, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._document = document
        self._is_edited = False
        self._before: LandblockContents | None = None
        document.edited.connect(self._on_edited)
        document.travelled.connect(self._on_travelled)
        document.changed.connect(self._on_changed)
        document.session.landblock_changed.connect(self._on_landblock)

    def contents(self) -> LandblockContents | None:
        """The landblock in view, None without one."""
        sim, block_id = self._document.simulation, self._document.session.landblock_id
        block = None if sim is None or block_id is None else sim.world.landblock(block_id)
        return None if sim is None or block is None else contents_of(sim, block)

    @Slot(object)
    def _on_edited(self, edit: object) -> None:
        self._is_edited = True

    @Slot()
    def _on_travelled(self) -> None:
        self._is_edited = True

    @Slot()
    def _on_landblock(self) -> None:
        self._before = self.contents()

    @Slot()
    def _on_changed(self) -> None:
        if not self._is_edited:
            return
        self._is_edited = False
        self.edited.emit()
        before, now = self._before, self.contents()
        if now is None or now == before:
            return
        self._before = now
        if before is None or now.rooms != before.rooms:
            self.rooms_changed.emit()
        self.changed.emit(now)
