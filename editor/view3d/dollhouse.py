"""The dollhouse of the 3D view: all cells of the landblock without visibility, what of it is shown, and the plane that
cuts it (docs/docks/dollhouse.md)."""

from __future__ import annotations

from dataclasses import dataclass
from math import inf
from typing import Final

import numpy as np
from numpy.typing import NDArray
from PySide6.QtCore import QObject, Signal, Slot

from editor.document.document import NOTHING_OPEN, Document
from editor.session.session import Kind
from engine.geometry.vec import Vec3
from engine.render.dollhouse.edges import bounds_of, points_of
from engine.render.dollhouse.look import Dollhouse, Drawing, Seen, rooms_of_building
from engine.render.dollhouse.storeys import Storey, storeys_of
from engine.render.draws import ShellDraw
from engine.render.scene import Scene
from engine.visibility.frame import FrameResult
from engine.world.cells.cell import Building, EnvCell
from engine.world.cells.ids import cell_text, is_env_cell
from engine.world.graph.graph import NO_CELL
from engine.world.landblock import Landblock

STEP: Final = 0.25
FINE_STEP: Final = 0.05
"""Metres that a key moves the plane; with Shift."""

MARGIN: Final = 0.05
"""Metres above the highest corner at which the plane cuts nothing any more."""

NOT_ON: Final = "Switch the dollhouse on first."
NO_ROOMS: Final = "This landblock has no rooms and no buildings."
NOTHING_TO_ISOLATE: Final = "Select a cell, a building or something in a room first."

Bounds = tuple[Vec3, Vec3]


@dataclass(frozen=True)
class Part:
    """What alone is shown: one cell, or a building and its cells by its number; neither: the whole landblock."""

    cell_id: int = NO_CELL
    building: int = -1


WHOLE: Final = Part()


class DollhouseModel(QObject):
    """Which dollhouse is shown; `is_on` says whether it is."""

    changed = Signal()
    """Something about what is shown."""
    toggled = Signal(bool)

    def __init__(self, document: Document, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self.document = document
        self.session = document.session
        self.is_on = False
        self.drawing = Drawing.SOLID
        self.roofs = False
        self.shows_seen = False
        """What PView sees now is laid over it."""
        self.part = WHOLE
        self.storey: int | None = None
        """The number of the one storey that is shown."""
        self.cut: float | None = None
        """The height of the plane above which nothing is shown."""
        self._block_id = NO_CELL
        self._storeys: tuple[tuple[EnvCell, ...], list[Storey]] = ((), [])
        self._points: tuple[tuple[ShellDraw, ...], NDArray[np.float64]] = ((), np.zeros((0, 3)))
        self._bounds: Bounds | None = None
        """As they were found last, and for what."""
        document.started.connect(self._on_started)
        self.session.landblock_changed.connect(self._on_landblock)

    @Slot()
    def _on_started(self) -> None:
        self._show_all()
        self.turn(False)

    @Slot()
    def _on_landblock(self) -> None:
        if self.session.landblock_id != self._block_id:
            self._block_id = self.session.landblock_id or NO_CELL
            self._show_all()
            self.changed.emit()

    def _show_all(self) -> None:
        self.part, self.storey, self.cut = WHOLE, None, None
        self._storeys, self._points, self._bounds = ((), []), ((), np.zeros((0, 3))), None  # they keep a world

    # --- choices

    @property
    def why_not(self) -> str:
        """Why there is no dollhouse to be shown; "" if there is one."""
        block = self.block
        if block is None:
            return NOTHING_OPEN
        return "" if block.env_cells or block.buildings else NO_ROOMS

    def turn(self, on: bool) -> None:
        if on != self.is_on and not (on and self.why_not):
            self.is_on = on
            self.toggled.emit(on)
            self.changed.emit()

    @Slot()
    def toggle(self) -> None:
        self.turn(not self.is_on)

    def draw_as(self, drawing: Drawing) -> None:
        self.drawing = drawing
        self.changed.emit()

    def show_roofs(self, shown: bool) -> None:
        self.roofs = shown
        self.changed.emit()

    def show_seen(self, shown: bool) -> None:
        self.shows_seen = shown
        self.changed.emit()

    def show_part(self, part: Part) -> None:
        """Show one cell or one building alone, or everything; the storeys are then its own."""
        self.part, self.storey = part, None
        self.changed.emit()

    def isolate_cell(self, cell_id: int) -> None:
        """Show one cell alone, in the dollhouse if that was off."""
        self.show_part(Part(cell_id=cell_id))
        self.turn(True)

    def isolate_selection(self) -> None:
        part = self.part_of_selection()
        if part is not None:
            self.show_part(part)
            self.turn(True)

    def part_of_selection(self) -> Part | None:
        """The selected cell or building, or the cell that the selected thing is in."""
        selection, sim = self.session.selection, self.document.simulation
        if selection is None or sim is None:
            return None
        if selection.kind is Kind.CELL and is_env_cell(selection.key):
            return Part(cell_id=selection.key)
        if selection.kind is Kind.BUILDING:
            return Part(building=selection.key)
        entity = sim.population.find(selection.key) if selection.kind is Kind.ENTITY else None
        if entity is not None and is_env_cell(entity.place_cell()):
            return Part(cell_id=entity.place_cell())
        return None

    def show_storey(self, number: int | None) -> None:
        """Show one storey alone, or all of them."""
        self.storey = number
        self.cut = None
        self.changed.emit()

    def cut_at(self, height: float | None) -> None:
        """Cut at a height of the landblock; None cuts nothing."""
        if height != self.cut:
            self.cut = height
            self.changed.emit()

    def move_cut(self, scene: Scene, by: float) -> None:
        """Raise or lower the plane, which begins at the top of what is shown and cuts nothing there."""
        bounds = self.bounds(scene)
        if bounds is not None:
            self.cut_at(self.clamped((bounds[1][2] if self.cut is None else self.cut) + by, bounds))

    @staticmethod
    def clamped(height: float, bounds: Bounds) -> float | None:
        """A height for the plane within what is shown; None at its top."""
        return None if height >= bounds[1][2] + MARGIN else max(height, bounds[0][2])

    # --- what is shown

    @property
    def block(self) -> Landblock | None:
        world, block_id = self.session.world, self.session.landblock_id
        if world is None or block_id is None or not world.graph.is_loaded(block_id):
            return None
        return world.landblock(block_id)

    def rooms(self) -> dict[int, EnvCell]:
        """The rooms of the part that is shown, on all storeys, by id."""
        block = self.block
        if block is None:
            return {}
        rooms = {room.id: room for room in block.env_cells}
        if self.part.cell_id != NO_CELL:
            return {key: room for key, room in rooms.items() if key == self.part.cell_id}
        building = self._building(block)
        return rooms if building is None else {key: rooms[key] for key in rooms_of_building(building, rooms)}

    def _building(self, block: Landblock) -> Building | None:
        number = self.part.building
        return block.buildings[number] if 0 <= number < len(block.buildings) else None

    def _buildings(self, block: Landblock) -> tuple[Building, ...]:
        if self.part.cell_id != NO_CELL:
            return ()
        building = self._building(block)
        return tuple(block.buildings) if building is None else (building,)

    def storeys(self) -> list[Storey]:
        """The storeys of the part that is shown, the lowest first."""
        return self._storeys_of(self.rooms())

    def _storeys_of(self, rooms: dict[int, EnvCell]) -> list[Storey]:
        key = tuple(rooms.values())
        if self._storeys[0] != key:
            self._storeys = (key, storeys_of(key))
        return self._storeys[1]

    def bounds(self, scene: Scene) -> Bounds | None:
        """The corners of the box around the rooms and buildings that are shown, as if the plane cut nothing."""
        self.points(scene)
        return self._bounds

    def points(self, scene: Scene) -> NDArray[np.float64]:
        """All corners of them, (n, 3)."""
        block = self.block
        if block is None:
            return np.zeros((0, 3))
        house = self._house(block, None)
        shells = [scene.shell(cell_id) for cell_id in house.rooms]
        if self.storey is None:
            shells += [scene.building_shell(building, house.block_id) for building in house.buildings]
        found = tuple(shell for shell in shells if shell is not None)
        if self._points[0] != found:
            self._points = (found, points_of(found))
            self._bounds = bounds_of(self._points[1])
        return self._points[1]

    def house(self, frame: FrameResult | None, player_cell: int = NO_CELL) -> Dollhouse | None:
        """What is drawn now, with what a frame sees; None while the dollhouse is off."""
        block = self.block
        if not self.is_on or block is None:
            return None
        return self._house(block, seen_of(block, frame, player_cell) if frame is not None and self.shows_seen else None)

    def _house(self, block: Landblock, seen: dict[int, Seen] | None) -> Dollhouse:
        rooms, low, high = self.rooms(), -inf, inf
        storeys = self._storeys_of(rooms) if self.storey is not None else []
        keys = tuple(rooms)
        if self.storey is not None and self.storey < len(storeys):
            chosen = storeys[self.storey]
            keys, low, high = chosen.rooms, chosen.low, chosen.high
        return Dollhouse(
            block.id,
            keys,
            self._buildings(block),
            self.part == WHOLE and block.terrain is not None and not block.is_dungeon,
            self.drawing,
            low,
            high if self.cut is None else min(high, self.cut),
            self.roofs,
            seen,
        )

    def parts(self) -> list[tuple[Part, str]]:
        """What can be shown alone, and its name: the landblock, each building, the cell that is shown now and the one
        that is selected."""
        block = self.block
        buildings = range(0 if block is None else len(block.buildings))
        if self.session.world is None:
            return []
        names = self.session.world.names
        found = {WHOLE: f"Landblock {names.of_cell(self.session.landblock_id or NO_CELL)}".rstrip()}
        for number in buildings:
            model_id = NO_CELL if block is None else block.buildings[number].model_id
            found[Part(building=number)] = f"Building {number + 1} {names.of_model(model_id)}".rstrip()
        for part in (self.part, self.part_of_selection()):
            if part is not None:
                found.setdefault(
                    part, names.cell(part.cell_id) if names.of_cell(part.cell_id) else f"Cell {cell_text(part.cell_id)}"
                )
        return list(found.items())


def seen_of(block: Landblock, frame: FrameResult, player_cell: int) -> dict[int, Seen]:
    """What PView makes of each room of a landblock in a frame."""
    visible = set(frame.visible_ids())
    root = next((room for room in block.env_cells if room.id == frame.root_id), None)
    listed = set() if root is None else root.stab_set
    found: dict[int, Seen] = {}
    for room in block.env_cells:
        if room.id == player_cell:
            found[room.id] = Seen.CURRENT
        elif room.id in visible:
            found[room.id] = Seen.VISIBLE
        elif room.id in listed:
            found[room.id] = Seen.STAB
    return found
