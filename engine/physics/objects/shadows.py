"""Making things collidable: shapes out of setups, rows in cells (physics.md 8.2-8.5).

All solid things take one path: live entities and the statics of a landblock both come through `shapes_from_setup` and
`ShadowRegistry.register_multi_part`.
"""

from __future__ import annotations

import math
from typing import Final

from engine.geometry.constants import CELL_LENGTH
from engine.geometry.frame import Frame
from engine.geometry.sphere import Sphere
from engine.geometry.vec import Vec3
from engine.physics.errors import PhysicsError
from engine.physics.flags import HAS_PHYSICS_BSP
from engine.physics.membership import add_all_outside_cells, find_cell_list
from engine.physics.objects.parts import BodyPart
from engine.physics.objects.parts_membership import find_bbox_cell_list
from engine.physics.objects.physics_object import CYLINDER, PhysicsObj, ShadowEntry, ShadowShape
from engine.physics.objects.shapes import DUMMY_SPHERE, PlacedShapes
from engine.physics.place import Place
from engine.physics.rules import RuleSet
from engine.physics.sweep.cell_array import CellArray
from engine.world.cells.cell import ObjCell
from engine.world.cells.ids import cell_text
from engine.world.cells.objects import ShadowObject
from engine.world.graph.graph import CellGraph

MAX_CYLINDERS: Final = 10
"""The number of cylinders that the search for an object's cells takes into account (6.4)."""

BY_CYLINDERS: Final = 0
BY_PARTS: Final = 1
BY_SORTING_SPHERE: Final = 2


class Registration:
    """The registry's record of an entity: enough to rebuild its rows when it moves."""

    obj: PhysicsObj
    shapes: list[ShadowShape]
    parts: list[BodyPart]
    sorting_sphere: Sphere
    ca: CellArray
    """Under `ace` it is never emptied: a moving body with parts stays in every cell it ever was in (8.5)."""
    cell_ids: list[int]
    cell_id: int
    frame: Frame
    """The entity's frame when its rows were made."""
    is_static: bool
    suspended: bool
    number: int
    """The number of the registration; each is greater than all before it."""
    listed: list[int]
    """The cells under which the registry's index lists the entity."""

    def __init__(
        self, obj: PhysicsObj, shapes: list[ShadowShape], sorting_sphere: Sphere, is_static: bool, number: int
    ) -> None:
        self.obj = obj
        self.shapes = shapes
        self.parts = []
        self.ca = CellArray()
        self.sorting_sphere = sorting_sphere
        self.cell_ids = []
        self.cell_id = 0
        self.frame = Frame()
        self.is_static = is_static
        self.suspended = False
        self.number = number
        self.listed = []

    def cylinders(self) -> list[ShadowShape]:
        return [shape for shape in self.shapes if shape.collision_type == CYLINDER]

    def found_by(self) -> int:
        """Return the shapes that its cells are searched with (8.5)."""
        by_parts = (self.obj.state & HAS_PHYSICS_BSP) != 0
        if self.cylinders() and not by_parts:
            return BY_CYLINDERS
        return BY_PARTS if by_parts or self.is_static else BY_SORTING_SPHERE


class ShadowRegistry:
    """The cells that each object is registered in. An entity has all its rows in all of its cells."""

    graph: CellGraph
    rules: RuleSet
    entities: dict[int, Registration]
    _by_cell: dict[int, list[Registration]]
    """The registrations in each cell, loaded or not, so that a cell that comes into the graph finds its own."""
    _registered: int

    def __init__(self, graph: CellGraph, rules: RuleSet) -> None:
        self.graph = graph
        self.rules = rules
        self.entities = {}
        self._by_cell = {}
        self._registered = 0

    def register_multi_part(
        self,
        entity_id: int,
        cell_id: int,
        frame: Frame,
        shapes: list[ShadowShape],
        state: int,
        flags: int,
        sorting_sphere: Sphere | None = None,
        is_static: bool = False,
    ) -> PhysicsObj:
        """Put an entity into the cells it occupies. `frame` is in the landblock of `cell_id`; no shapes, no rows."""
        if sorting_sphere is None:
            sorting_sphere = DUMMY_SPHERE
        entry = self._enlist(PhysicsObj(entity_id, state, flags, []), shapes, sorting_sphere, is_static)
        self._place(entry, PlacedShapes(entity_id, shapes, cell_id, frame))
        return entry.obj

    def register_static(self, entity_id: int, placed: PlacedShapes, state: int, sorting_sphere: Sphere) -> None:
        """Put a static thing into the cells it occupies."""
        entry = self._enlist(PhysicsObj(entity_id, state, 0, []), placed.shapes, sorting_sphere, True)
        self._place(entry, placed)
        if not placed.cell_ids:
            placed.cell_ids = entry.cell_ids
        elif placed.cell_ids == entry.cell_ids:
            entry.cell_ids = placed.cell_ids
            entry.listed = placed.cell_ids
        entry.ca.ids = entry.ca.ids.copy()  # copies are no longer than they need to be
        entry.ca.cells = entry.ca.cells.copy()

    def _enlist(
        self, obj: PhysicsObj, shapes: list[ShadowShape], sorting_sphere: Sphere, is_static: bool
    ) -> Registration:
        """A registration in no cell yet, in the place of any that is there."""
        self.deregister(obj.object_id)
        obj.is_static = is_static
        self._registered += 1
        entry = Registration(obj, shapes, sorting_sphere, is_static, self._registered)
        self.entities[obj.object_id] = entry
        return entry

    def register(
        self, entity_id: int, cell_id: int, frame: Frame, shape: ShadowShape, state: int, flags: int
    ) -> PhysicsObj:
        """An entity of a single shape."""
        return self.register_multi_part(entity_id, cell_id, frame, [shape], state, flags)

    def update_position(self, entity_id: int, cell_id: int, frame: Frame) -> None:
        """Rebuild the rows of an entity that moved and keep its state and flags; an unknown id is ignored."""
        entry = self.entities.get(entity_id)
        if entry is None:
            return
        self._leave_cells(entry)
        self._place(entry, PlacedShapes(entity_id, entry.shapes, cell_id, frame))

    def update_physics_state(self, entity_id: int, state: int) -> None:
        """All rows of an entity share its state: a door that opens is open in every cell at once."""
        self.entity(entity_id).obj.state = state

    def update_pwd_flags(self, entity_id: int, flags: int) -> None:
        """Change an entity's flags, which other bodies test: a player becomes a player killer."""
        self.entity(entity_id).obj.flags = flags

    def replace_shapes(self, entity_id: int, shapes: list[ShadowShape], cell_id: int, frame: Frame) -> None:
        """New shapes where the entity stands."""
        entry = self.entity(entity_id)
        entry.shapes = shapes
        self.update_position(entity_id, cell_id, frame)

    def deregister(self, entity_id: int) -> None:
        entry = self.entities.pop(entity_id, None)
        if entry is not None:
            self._leave_cells(entry)
            self._list(entry)

    def suspend(self, entity_id: int) -> None:
        """Take a hidden entity out of its cells without forgetting it."""
        entry = self.entity(entity_id)
        for cell_id in entry.cell_ids:
            _remove(self.rules, self.graph.peek(cell_id), entry.obj)
        entry.suspended = True

    def restore(self, entity_id: int) -> None:
        entry = self.entity(entity_id)
        if entry.suspended:
            entry.suspended = False
            for cell_id in entry.cell_ids:
                cell = self.graph.peek(cell_id)
                if cell is not None:
                    cell.shadow_objects.append(entry.obj)

    def entity(self, entity_id: int) -> Registration:
        entry = self.entities.get(entity_id)
        if entry is None:
            raise PhysicsError(f"there is no entity {cell_text(entity_id)} in the shadow registry")
        return entry

    def cells_of(self, entity_id: int) -> list[int]:
        """The ids of the cells that an entity is registered in, in the order in which they were found."""
        entry = self.entities.get(entity_id)
        return [] if entry is None else entry.cell_ids[:]

    def get_objects_in_cell(self, cell_id: int) -> list[ShadowEntry]:
        """The rows of one cell in registration order, as a snapshot."""
        rows: list[ShadowEntry] = []
        cell = self.graph.peek(cell_id)
        if cell is not None:
            for shadow in cell.shadow_objects:
                if isinstance(shadow, PhysicsObj):
                    rows.extend(shadow.rows)
        return rows

    def get_nearby_objects(self, cell_id: int, centre: Vec3, radius: float, reachable: list[int]) -> list[ShadowEntry]:
        """The rows of every land cell that a disc round `centre` touches, and of the reachable cells; each row once.

        `centre` is in the landblock of `cell_id`; rooms and land alike may be reachable (8.4).
        """
        ca = CellArray()
        add_all_outside_cells(self.graph, cell_id, [Sphere(centre, radius)], ca)
        for reached in reachable:
            ca.add(reached, self.graph.peek(reached))
        rows: list[ShadowEntry] = []
        for found in ca.listed():
            for row in self.get_objects_in_cell(found):
                if row not in rows:
                    rows.append(row)
        return rows

    def body_moved(self, entity_id: int, place: Place, ca: CellArray) -> None:
        """After a committed move a body that collides by parts is where their boxes are, any other where its sweep
        was (7.1)."""
        entry = self.entities.get(entity_id)
        if entry is None:
            return
        if entry.obj.state & HAS_PHYSICS_BSP:
            self.update_position(entity_id, place.cell_id, place.frame())
        elif ca.ids:
            self._make_rows(entry, place.cell_id, place.frame())
            self._leave_cells(entry)
            self._enter_cells(entry, ca)

    def cell_added(self, cell: ObjCell) -> None:
        """A cell has come (back) into the graph: the rows of everybody registered there belong into it, in the order
        of their registration."""
        entries = self._by_cell.get(cell.id)
        if entries is None:
            return
        known = [shadow.object_id for shadow in cell.shadow_objects]
        for entry in sorted(entries, key=_number):
            if entry.obj.object_id not in known and not entry.suspended:
                cell.shadow_objects.append(entry.obj)

    # --- putting a saved state back

    def register_unplaced(
        self, entity_id: int, shapes: list[ShadowShape], sorting_sphere: Sphere, is_static: bool
    ) -> Registration:
        """A registration to which a saved state is given; `make_rows` or `put_back` comes next."""
        return self._enlist(PhysicsObj(entity_id, 0, 0, []), shapes, sorting_sphere, is_static)

    def make_rows(self, entity_id: int) -> None:
        """The rows where the registration says that they are, and the cells of its array, which only names them."""
        entry = self.entity(entity_id)
        cells: list[ObjCell | None] = [
            self.graph.get_visible(cell_id) if cell_id != 0 else None for cell_id in entry.ca.ids
        ]
        entry.ca.cells = cells
        self._make_rows(entry, entry.cell_id, entry.frame)
        self._list(entry)

    def put_back(self, entity_id: int) -> None:
        """The rows, into the cells that the registration names."""
        self.make_rows(entity_id)
        entry = self.entity(entity_id)
        for cell_id in entry.cell_ids:
            cell = self.graph.get_visible(cell_id)  # one that is loaded for this has them already
            if cell is not None and not entry.suspended and entry.obj not in cell.shadow_objects:
                cell.shadow_objects.append(entry.obj)

    def take_out(self, entity_id: int) -> None:
        """Out of all cells; the registration stays."""
        entry = self.entity(entity_id)
        self._leave_cells(entry)
        self._list(entry)

    def objects_in(self, cell_id: int) -> list[int]:
        """The ids of the objects registered in a cell, in their order."""
        cell = self.graph.peek(cell_id)
        return [] if cell is None else [shadow.object_id for shadow in cell.shadow_objects]

    def set_objects_in(self, cell_id: int, ids: list[int]) -> None:
        """Put registered objects into a cell in a given order."""
        cell = self.graph.get_visible(cell_id)
        if cell is not None:
            cell.shadow_objects = [self.entity(object_id).obj for object_id in ids]

    def _place(self, entry: Registration, placed: PlacedShapes) -> None:
        self._take_shapes(entry, placed)
        ca = entry.ca
        if self.rules.cell_array_cleared:
            ca.clear()
        else:
            self._renew(ca)
        if entry.shapes:
            self._occupancy(entry, placed.cell_id, placed.frame, ca)
        self._enter_cells(entry, ca)

    def _make_rows(self, entry: Registration, cell_id: int, frame: Frame) -> None:
        self._take_shapes(entry, PlacedShapes(entry.obj.object_id, entry.shapes, cell_id, frame))

    def _take_shapes(self, entry: Registration, placed: PlacedShapes) -> None:
        entry.cell_id = placed.cell_id
        entry.frame = placed.frame
        entry.obj.rows = placed.rows
        entry.obj.bound = placed.bound
        entry.obj.bound_cell_id = placed.cell_id
        entry.parts = placed.parts

    def _enter_cells(self, entry: Registration, ca: CellArray) -> None:
        entry.cell_ids = []
        for i in range(len(ca.ids)):
            cell = ca.cells[i]
            if cell is not None:
                entry.cell_ids.append(cell.id)
                if not entry.suspended:
                    cell.shadow_objects.append(entry.obj)
        self._list(entry)

    def _leave_cells(self, entry: Registration) -> None:
        """The index is updated with the entity's next cells, which are mostly the same."""
        for cell_id in entry.cell_ids:
            _remove(self.rules, self.graph.peek(cell_id), entry.obj)
        entry.cell_ids = []

    def _list(self, entry: Registration) -> None:
        """Update the index with the cells in which an entity is registered now."""
        if entry.listed == entry.cell_ids:
            return
        for cell_id in entry.listed:
            there = self._by_cell.get(cell_id)
            if there is not None and entry in there:
                there.remove(entry)
                if not there:
                    del self._by_cell[cell_id]
        entry.listed = entry.cell_ids  # a list that is replaced and never changed
        for cell_id in entry.listed:
            there = self._by_cell.get(cell_id)
            if there is None:
                self._by_cell[cell_id] = [entry]
            else:
                there.append(entry)

    def _renew(self, ca: CellArray) -> None:
        """A kept array (`ace`) names cells as they are now: some may have come, or stand for others, since."""
        for i in range(len(ca.ids)):
            cell = self.graph.peek(ca.ids[i])
            if cell is not None:
                ca.cells[i] = cell

    def _occupancy(self, entry: Registration, cell_id: int, frame: Frame, ca: CellArray) -> None:
        """Find the cells of an entity: one set for all of it, by unscaled shapes and bounds (8.5,
        physics.md #19, #44)."""
        ca.do_not_load_cells = entry.is_static
        seed = seed_cell(cell_id, frame.origin)
        found_by = entry.found_by()
        if found_by == BY_PARTS:
            find_bbox_cell_list(self.graph, self.rules, seed, entry.parts, ca)
            return
        sphere = entry.sorting_sphere
        spheres = [Sphere(frame.local_to_global(sphere.center), sphere.radius)]
        if found_by == BY_CYLINDERS:
            spheres = [_at_low_point(shape, frame) for shape in entry.cylinders()[:MAX_CYLINDERS]]
        find_cell_list(self.graph, self.rules, seed, spheres, ca, False, None)


def _at_low_point(cylinder: ShadowShape, frame: Frame) -> Sphere:
    """The sphere that an entity is looked for with by one of its cylinders, as large as in the setup."""
    scale = cylinder.scale if cylinder.scale != 0.0 else 1.0
    x, y, z = cylinder.local_position
    return Sphere(frame.local_to_global((x / scale, y / scale, z / scale)), cylinder.radius / scale)


def seed_cell(cell_id: int, origin: Vec3) -> int:
    """The cell that an entity's cells are searched from: its room, or the land cell under its origin (8.5)."""
    low = cell_id & 0xFFFF
    if 0x100 <= low <= 0xFFFD or 1 <= low <= 0x40:
        return cell_id
    x = min(max(math.floor(origin[0] / CELL_LENGTH), 0), 7)
    y = min(max(math.floor(origin[1] / CELL_LENGTH), 0), 7)
    return (cell_id & 0xFFFF0000) | (x * 8 + y + 1)


def _number(entry: Registration) -> int:
    return entry.number


def _remove(rules: RuleSet, cell: ObjCell | None, obj: PhysicsObj) -> None:
    """Replace the cell's list by one of the objects that stay: a sweep may be walking along the old one (8.4).

    The client moves the last object into the gap, so the order in a cell changes as bodies come and go
    (physics.md #32, rule `shadow_order`). Static things keep their order among themselves: no state has it,
    and one that is restored registers them in the order of the world's records (8.4.1).
    """
    if cell is None or obj not in cell.shadow_objects:
        return
    staying = cell.shadow_objects.copy()
    place = staying.index(obj)
    last = len(staying) - 1
    if rules.shadow_order and not (place < last and _overtakes(staying, place, last)):
        staying[place] = staying[last]
        staying.pop()
    else:
        staying.pop(place)
    cell.shadow_objects = staying


def _overtakes(objects: list[ShadowObject], place: int, last: int) -> bool:
    """Whether the last object is static and would pass another static thing on its way to a place."""
    if not _is_static(objects[last]):
        return False
    return any(_is_static(objects[index]) for index in range(place + 1, last))


def _is_static(shadow: ShadowObject) -> bool:
    return isinstance(shadow, PhysicsObj) and shadow.is_static
