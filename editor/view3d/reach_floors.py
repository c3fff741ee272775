"""The reach of a survey in the 3D view: the floors of the cells that are near the eye, made a few at a time."""

from __future__ import annotations

import time
from typing import TYPE_CHECKING, Final

import numpy as np
from PySide6.QtCore import QObject, QTimer, Signal, Slot

from editor.models.survey.columns import grid_of
from editor.models.survey.shown import Where
from editor.models.survey.watch import SurveyWatch
from engine.findings.finding import Found
from engine.render.overlays.geometry import OverlayGeometry, Triangles
from engine.render.overlays.reach import (
    BY_HOW,
    BY_SOON,
    ReachColours,
    classes_of,
    joined,
    reach_floors,
    stale_colours,
    unreached_floors,
)
from engine.visibility.camera import Camera
from engine.world.cells.ids import landblock_id
from engine.world.cells.position import into_block

if TYPE_CHECKING:
    from editor.models.survey.results import SurveyResult

MOST: Final = 24_000
"""Triangles in one picture; the nearest cells come first."""
MOVED: Final = 4.0
"""Metres that the eye moves before cells are put in another order."""
SLICE_S: Final = 0.004
"""Seconds of one picture for cells that were not drawn before."""
PACE_MS: Final = 300
"""While it is searched, the picture is made anew so often."""
AGAIN_MS: Final = 15

Key = tuple[int, bool, ReachColours, int]
"""The states of a cell, whether it is stale, the colours, and which search it was."""


class ReachFloors(QObject):
    """Shows a survey's reach while that is switched on."""

    changed = Signal()

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self.watch: SurveyWatch | None = None
        self.marked: Found | None = None
        self._is_of_survey = False
        self.longest_slice = 0.0
        self._made: dict[int, tuple[Key, Triangles]] = {}
        self._unreached: tuple[object, list[Triangles]] | None = None
        self._order: tuple[object, list[int]] = (None, [])
        self._shown: tuple[list[Triangles], list[Triangles]] = ([], [])
        self._pace = QTimer(self)
        self._pace.setSingleShot(True)
        self._pace.timeout.connect(self.changed)

    def look_at(self, watch: SurveyWatch) -> None:
        """Show what this survey has reached."""
        self.watch = watch
        watch.reached.connect(self._on_reached)
        watch.shown.changed.connect(self.changed)
        watch.found_changed.connect(self._on_found)
        watch.document.started.connect(self._forget)

    @property
    def _result(self) -> SurveyResult | None:
        """What is to be shown."""
        watch = self.watch
        return None if watch is None or Where.PICTURE not in watch.shown.where else watch.result

    @property
    def _colours(self) -> ReachColours:
        return ReachColours.SOON if self.watch is not None and self.watch.shown.by_time else ReachColours.HOW

    @property
    def is_waiting(self) -> bool:
        """Another picture is due: more was reached, or not all of it was drawn in time."""
        return self._pace.isActive()

    @Slot()
    def _on_reached(self) -> None:
        watch = self.watch
        if watch is None or watch.result is None:
            self._made.clear()
        if watch is not None and not self._pace.isActive():
            self._pace.start(PACE_MS if watch.is_running else 0)

    @Slot(object)
    def mark(self, found: Found | None) -> None:
        """Show where a finding is, and the line to it; None shows none."""
        self._is_of_survey = self.watch is not None and found in self.watch.found
        if found != self.marked:
            self.marked = found
            self.changed.emit()

    @Slot()
    def _forget(self) -> None:
        self.mark(None)

    @Slot()
    def _on_found(self) -> None:
        """What the survey does not find any more is marked no more; reports have findings of their own."""
        if self._is_of_survey and self.watch is not None and self.marked not in self.watch.found:
            self.mark(None)

    def overlay(self, camera: Camera) -> OverlayGeometry:
        """The floors around an eye, and the finding that is marked."""
        shown = self._floors(camera)
        if self.marked is not None:
            from engine.render.overlays.finding import finding_overlay  # only findings need it

            shown.add(finding_overlay(self.marked))
        return shown

    def _floors(self, camera: Camera) -> OverlayGeometry:
        """What cannot be made in time comes with the next picture."""
        result = self._result
        if result is None:
            return OverlayGeometry()
        began = time.perf_counter()
        parts: list[Triangles] = []
        count, left = 0, False
        for cell_id in self._nearest(result, camera):
            made = self._floor(result, cell_id, may_make=time.perf_counter() - began < SLICE_S)
            left = left or made is None
            known = made or self._made.get(cell_id, (None, None))[1]
            if known is not None:
                parts.append(known)
                count += len(known)
            if count > MOST:
                break
        if left and not self._pace.isActive():
            self._pace.start(AGAIN_MS)
        self.longest_slice = max(self.longest_slice, time.perf_counter() - began)
        return OverlayGeometry(triangles=[*self._joined(parts), *self._never(result)])

    def _joined(self, parts: list[Triangles]) -> list[Triangles]:
        before, made = self._shown
        if len(parts) != len(before) or any(a is not b for a, b in zip(parts, before, strict=True)):
            made = joined(parts)
            self._shown = (parts, made)
        return made

    def _nearest(self, result: SurveyResult, camera: Camera) -> list[int]:
        """The cells in the order of their distance, worked out again when the eye has moved or more was reached."""
        x, y, z = camera.eye_in(result.block_id)
        key = (id(result), result.version, round(x / MOVED), round(y / MOVED), round(z / MOVED))
        if key != self._order[0]:
            self._order = (key, self._by_distance(result, camera))
        return self._order[1]

    def _by_distance(self, result: SurveyResult, camera: Camera) -> list[int]:
        away: list[tuple[float, int]] = []
        for cell_id, reach in result.cells().items():
            part = result.part_of(cell_id)
            if part is None:
                continue
            state = part.columns.states[reach.state]
            eye = camera.eye_in(landblock_id(cell_id))
            away.append((sum((float(state[axis]) - at) ** 2 for axis, at in zip("xyz", eye, strict=True)), cell_id))
        return [cell_id for _, cell_id in sorted(away)]

    def _floor(self, result: SurveyResult, cell_id: int, *, may_make: bool) -> Triangles | None:
        part = result.part_of(cell_id)
        if part is None:
            return None
        is_stale = cell_id in result.stale
        key = (part.columns.grown.get(cell_id, 0), is_stale, self._colours, id(part))
        known = self._made.get(cell_id)
        if known is not None and known[0] == key:
            return known[1]
        if not may_make:
            return None
        states = part.columns.of_cell(cell_id)
        places = np.stack([states[axis].astype(np.float64) for axis in "xyz"], axis=1)
        table = BY_HOW if self._colours is ReachColours.HOW else BY_SOON
        colours = stale_colours(len(table)) if is_stale else table
        grid = grid_of(cell_id, states)
        made = reach_floors(
            landblock_id(cell_id), places, classes_of(states["how"], states["since"], self._colours), colours, grid
        )
        self._made[cell_id] = (key, made)
        return made

    def _never(self, result: SurveyResult) -> list[Triangles]:
        key = (id(result), result.version)
        if self._unreached is None or self._unreached[0] != key:
            floors = [
                [into_block(result.block_id, each.cell_id, corner) for corner in each.corners]
                for each in result.unreached
            ]
            made = [unreached_floors(result.block_id, floors)] if floors else []
            self._unreached = (key, made)
        return self._unreached[1]
