"""What the sweeps of one body had to do with one door, and what else stopped them."""

from __future__ import annotations

from engine.geometry.polygon import Polygon
from engine.physics.flags import OK
from engine.physics.objects.physics_object import PhysicsObj, ShadowEntry
from engine.physics.sweep.trace import HIT, WALLS, SweepObserver
from engine.physics.sweep.transition import Transition
from engine.world.cells.cell import ObjCell

NOTHING = 0


class Witness(SweepObserver):
    """Notes, for as long as it watches. What blocks is of the last sweep that tested anything: a body that pushes
    head-on at what it slid along is refused without a test (5.4)."""

    def __init__(self, door_id: int) -> None:
        self.door_id = door_id
        self.asked = False
        """The door was among the objects of a cell that a sweep went through."""
        self.rows_tested = 0
        self.touched = False
        """The body overlapped the door, and that did not block it."""
        self.skipped: set[int] = set()
        """The reasons for which sweeps left the door out, by `engine.physics.sweep.trace`."""
        self.polygon = -1
        """The polygon of the door that was met last, -1 for none."""
        self.part = 0
        """The row of the door that has it, counted as the object's rows are."""
        self.door_blocks = False
        self.blocker = NOTHING
        """The last other object that blocked."""
        self.cell_id = NOTHING
        """The last cell whose walls, terrain or building blocked."""
        self.surroundings = WALLS
        self.barrier_cell = NOTHING
        self._in_door = False
        self._rows: list[ShadowEntry] = []
        self._row = 0
        self._row_hit = False
        self._is_new = False

    def _tests(self) -> None:
        """The first test of a sweep forgets what blocked the one before."""
        if self._is_new:
            self._is_new = False
            self.door_blocks = False
            self.blocker = self.cell_id = self.barrier_cell = NOTHING

    # --- the engine's calls

    def sweep_begins(self, tr: Transition) -> None:
        self._is_new = True

    def cell_begins(self, tr: Transition, cell: ObjCell, primary: ObjCell | None) -> None:
        self._tests()

    def object_skipped(self, tr: Transition, obj: PhysicsObj, why: int) -> None:
        if obj.object_id == self.door_id:
            self.asked = True
            self.skipped.add(why)

    def object_begins(self, tr: Transition, obj: PhysicsObj) -> None:
        self._in_door = obj.object_id == self.door_id
        self._row_hit = False
        self._rows = obj.rows
        self.asked = self.asked or self._in_door

    def row_begins(self, tr: Transition, row: ShadowEntry) -> None:
        if self._in_door:
            self._row = next((number for number, other in enumerate(self._rows) if other is row), 0)

    def row_ends(self, tr: Transition, row: ShadowEntry, state: int) -> None:
        if self._in_door:
            self.rows_tested += 1
            self._row_hit = self._row_hit or state != OK

    def polygon_met(self, tr: Transition, polygon: Polygon, sphere: int, how: int) -> None:
        if self._in_door and how == HIT:
            self.polygon = polygon.id
            self.part = self._row

    def object_ends(self, tr: Transition, obj: PhysicsObj, verdict: int) -> None:
        if obj.object_id == self.door_id:
            if verdict != OK:
                self.door_blocks = True
            elif self._row_hit:
                self.touched = True
        elif verdict != OK and not tr.sp.step_down:
            self.blocker = obj.object_id
        self._in_door = False

    def surroundings_ends(self, tr: Transition, cell: ObjCell, what: int, state: int) -> None:
        if state != OK and not tr.sp.step_down:
            self.cell_id, self.surroundings = cell.id, what

    def entry_refused(self, tr: Transition, cell: ObjCell) -> None:
        self.barrier_cell = cell.id
