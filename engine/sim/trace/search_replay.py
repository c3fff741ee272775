"""Runs a search of the cell array again and notes what the engine does not: which portal brought a cell in, and which
plane decided (physics.md 6.4, 6.6, 6.8).

Searches are too frequent to be reported step by step. This one takes the same inputs and calls the engine's own
routines in the order of `find_cell_list`; tests compare its array and its pick with the engine's.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Final

from engine.geometry.cell_bsp import ENTIRELY, CellInner, CellNode
from engine.geometry.cell_bsp import OUTSIDE as TREE_OUTSIDE
from engine.geometry.constants import CELL_LENGTH, EPSILON
from engine.geometry.plane import Plane
from engine.geometry.sphere import Sphere
from engine.geometry.vec import Vec3
from engine.physics.membership import (
    add_all_outside_cells,
    add_unloaded_neighbour,
    check_building_transit,
    exit_portal_near,
    local_center,
    looks_up,
    pick_cell,
    prune,
    spheres_reach,
)
from engine.physics.rules import RuleSet
from engine.physics.sweep.cell_array import CellArray
from engine.sim.trace.cell_search import (
    BUILDING,
    EXIT,
    INSIDE,
    KEPT,
    LAND,
    LATER,
    NO_PORTAL,
    NO_TREE,
    NO_WAY_BACK,
    NOT_ASKED,
    NOT_HOLDING,
    NOT_LOADED,
    NOT_LOOKED_UP,
    OUT_OF_REACH,
    OUTSIDE,
    OVERRULED,
    PARTLY,
    PICKED,
    PICKED_PRUNED,
    PORTAL,
    PRUNED,
    SPHERE_NAMES,
    START,
    Candidate,
    CellSearch,
    Entry,
    TreeAnswer,
    metres,
)
from engine.world.cells.cell import EnvCell, ObjCell, SortCell
from engine.world.cells.ids import cell_text
from engine.world.cells.landdefs import adjust_to_outside, gid_to_lcoord
from engine.world.cells.position import into_block
from engine.world.graph.graph import CellGraph

MARGIN: Final = 0.01
"""Metres that a cell tree adds to the radius of a sphere (physics.md 3.8)."""

COMPASS: Final = {
    (1, 0): "east",
    (-1, 0): "west",
    (0, 1): "north",
    (0, -1): "south",
    (1, 1): "north-east",
    (1, -1): "south-east",
    (-1, 1): "north-west",
    (-1, -1): "south-west",
}
EDGES: Final[tuple[tuple[Vec3, int, float], ...]] = (
    ((1.0, 0.0, 0.0), 0, 1.0),
    ((-1.0, 0.0, 0.0), 0, -1.0),
    ((0.0, 1.0, 0.0), 1, 1.0),
    ((0.0, -1.0, 0.0), 1, -1.0),
)
"""The normals of a square's four edges, with the axis and the side."""


class SearchReplay:
    """One search, with the inputs that the engine had."""

    def __init__(
        self, graph: CellGraph, rules: RuleSet, start: int, spheres: Sequence[Sphere], array: CellArray
    ) -> None:
        """`array`: as it was before the search; it is filled as the engine's was."""
        self.graph = graph
        self.rules = rules
        self.start = start
        self.spheres = list(spheres)
        self.array = array
        self._entries: dict[int, Entry] = {}
        self._left_out: dict[int, tuple[Entry, str]] = {}

    def run(self, asked: bool) -> CellSearch:
        """Fill the array, pick and prune as `find_cell_list` does, and say why."""
        ca, rules, interior = self.array, self.rules, (self.start & 0xFFFF) >= 0x100
        if rules.cell_array_cleared:
            ca.clear()
        self._enter(Entry(KEPT))
        ca.added_outside = False
        seed = self.graph.peek(self.start)
        if interior:
            ca.add(self.start, seed)
            self._enter(Entry(START))
        else:
            self._add_land(Entry(LAND, self.start))
        if seed is None or not self.spheres:
            return self._told(asked, None, list(ca.ids), list(ca.cells))
        i = 0
        while i < len(ca.ids):
            cell = ca.cells[i]
            if cell is not None:
                self._expand(cell)
            i += 1
        ids, cells = list(ca.ids), list(ca.cells)
        picked = pick_cell(rules, self.start, self.spheres[0].center, ca) if asked else None
        keeps_all = picked is not None and picked.is_interior and not rules.sweep_prune
        if interior and ca.do_not_load_cells and not keeps_all:
            prune(rules, seed, ca)
        return self._told(asked, picked, ids, cells)

    def _enter(self, entry: Entry) -> None:
        """Note how the cells came in that are new."""
        for cell_id in self.array.ids:
            if cell_id and cell_id not in self._entries:
                self._entries[cell_id] = entry

    # --- the neighbours (6.6, 6.8)

    def _expand(self, cell: ObjCell) -> None:
        if isinstance(cell, EnvCell):
            self._expand_room(cell)
            return
        self._add_land(Entry(LAND, self.start))
        if isinstance(cell, SortCell) and cell.building is not None:
            for number, portal in enumerate(cell.building.portals):
                room = self.graph.peek(portal.other_cell_id)
                entry = Entry(BUILDING, cell.id, number)
                if isinstance(room, EnvCell):
                    check_building_transit(room, portal.other_portal_id, self.spheres, self.array, None)
                    self._enter(entry)
                    fate = NO_WAY_BACK if portal.other_portal_id < 0 else OUT_OF_REACH
                    self._left_out.setdefault(room.id, (entry, fate))

    def _expand_room(self, cell: EnvCell) -> None:
        near: Entry | None = None
        for number, portal in enumerate(cell.portals):
            if portal.leads_outside:
                if near is None and exit_portal_near(cell, portal, self.spheres):
                    near = Entry(EXIT, cell.id, number)
                continue
            looked_up = looks_up(self.rules, cell, portal)
            entry = Entry(PORTAL, cell.id, number)
            other: ObjCell | None = None
            if looked_up:
                if self.array.place_of(portal.other_cell_id) >= 0:
                    continue
                other = self.graph.peek(portal.other_cell_id)
            if other is None:
                add_unloaded_neighbour(self.rules, cell, portal, self.spheres, self.array)
                if not looked_up:
                    entry = replace(entry, note=f"not in the stab list of {cell_text(cell.id)}")
            elif spheres_reach(other, self.spheres):
                self.array.add(other.id, other)
            self._enter(entry)
            fate = NOT_LOOKED_UP if not looked_up else OUT_OF_REACH if other is not None else NOT_LOADED
            self._left_out.setdefault(portal.other_cell_id, (entry, fate))
        if near is not None:
            self._add_land(near)

    def _add_land(self, entry: Entry) -> None:
        before = set(self._entries)
        add_all_outside_cells(self.graph, self.start, self.spheres, self.array)
        self._enter(entry)
        for cell_id in self._entries:
            if cell_id not in before:
                self._entries[cell_id] = replace(entry, note=self._reach_of(cell_id))

    def _reach_of(self, cell_id: int) -> str:
        """Which sphere brought a square of land in: it is over it, or reaches over an edge of its own square."""
        wanted = gid_to_lcoord(cell_id)
        for number, sphere in enumerate(self.spheres):
            _, own_id, (x, y, _) = adjust_to_outside(self.start, sphere.center)
            own = gid_to_lcoord(own_id)
            if wanted is None or own is None:
                continue
            name = SPHERE_NAMES[min(number, 1)]
            way = (wanted[0] - own[0], wanted[1] - own[1])
            if way == (0, 0):
                return f"the {name} is over it"
            if way in COMPASS:
                over = min(
                    sphere.radius - _to_edge(value % CELL_LENGTH, side)
                    for value, side in zip((x, y), way, strict=True)
                    if side
                )
                if over > 0.0:
                    return f"{COMPASS[way]} of the {name}'s, which reaches {metres(over)} over the edge"
        return ""

    # --- what the cells say

    def _told(self, asked: bool, picked: ObjCell | None, ids: list[int], cells: list[ObjCell | None]) -> CellSearch:
        kept = set(self.array.ids)
        found: list[Candidate] = []
        place = 0
        for cell_id, cell in zip(ids, cells, strict=True):
            if not cell_id:
                continue
            made = self._candidate(cell_id, cell, self._entries[cell_id], place)
            fate = self._fate(made, cell, picked, asked, found)
            if cell_id not in kept:
                fate = PICKED_PRUNED if fate == PICKED else PRUNED
            found.append(replace(made, fate=fate))
            place += 1
        here = set(ids)
        out = [
            self._candidate(cell_id, self.graph.peek(cell_id), entry, -1, fate)
            for cell_id, (entry, fate) in self._left_out.items()
            if cell_id not in here and (cell_id & 0xFFFF) not in here
        ]
        centre = self.spheres[0].center if self.spheres else (0.0, 0.0, 0.0)
        picked_id = 0 if picked is None else picked.id
        return CellSearch(self.start, centre, asked, picked_id, tuple(found), tuple(out), tuple(self.array.ids))

    def _candidate(self, cell_id: int, cell: ObjCell | None, entry: Entry, place: int, fate: str = "") -> Candidate:
        sphere = None if cell is None else self._sphere_answer(cell)
        centre = None if cell is None or not self.spheres else self._centre_answer(cell)
        return Candidate(cell_id, entry, place, sphere, centre, fate)

    def _fate(
        self, made: Candidate, cell: ObjCell | None, picked: ObjCell | None, asked: bool, before: list[Candidate]
    ) -> str:
        if cell is None:
            return NOT_LOADED
        if cell.is_interior and cell.cell_tree is None:
            return NO_TREE
        if not asked:
            return NOT_ASKED
        if cell is picked:
            return PICKED
        if made.centre is None or made.centre.answer == OUTSIDE:
            return NOT_HOLDING
        if isinstance(cell, EnvCell) and self.rules.portalless_cell and _has_no_portal(cell):
            return NO_PORTAL
        return LATER if any(each.fate == PICKED for each in before) else OVERRULED

    def _centre_answer(self, cell: ObjCell) -> TreeAnswer:
        """What the cell's tree says to the centre (6.3), in the landblock of the cell; without portals its answer does
        not count."""
        p = into_block(cell.id, self.start, self.spheres[0].center)
        answer = INSIDE if cell.point_in_tree(p) else OUTSIDE
        tree = cell.cell_tree
        if not cell.is_interior:
            return _square_answer(cell.id, p, answer)
        if tree is None:
            return TreeAnswer(answer)
        return _plane_answer(cell, answer, _deciding_plane(tree, cell.frame.global_to_local(p), EPSILON, False), 0)

    def _sphere_answer(self, cell: ObjCell) -> TreeAnswer | None:
        """What lets a room in: the first sphere that reaches it, else the foot's answer. Land has no tree."""
        tree = cell.cell_tree
        if tree is None:
            return None
        answers = []
        for number, sphere in enumerate(self.spheres):
            local = Sphere(local_center(cell, sphere), sphere.radius)
            told = tree.sphere_intersects_cell_bsp(local)
            answer = OUTSIDE if told == TREE_OUTSIDE else INSIDE if told == ENTIRELY else PARTLY
            plane = _deciding_plane(tree, local.center, sphere.radius + MARGIN, True)
            answers.append(_plane_answer(cell, answer, plane, number))
        return next((each for each in answers if each.answer != OUTSIDE), next(iter(answers), None))


def _has_no_portal(cell: EnvCell) -> bool:
    return not cell.portals and not cell.portals_left_out


def _to_edge(value: float, side: int) -> float:
    """Metres from a coordinate within its square to the edge on that side."""
    return CELL_LENGTH - value if side > 0 else value


def _deciding_plane(tree: CellNode, p: Vec3, limit: float, ties_are_out: bool) -> tuple[Plane, float] | None:
    """The first plane that the point is behind by more than the limit, else the nearest; None for a tree without
    planes."""
    x, y, z = p
    nearest: tuple[Plane, float] | None = None
    node: CellNode | None = tree
    while isinstance(node, CellInner):
        nx, ny, nz = node.normal
        t = nx * x + ny * y + nz * z + node.d
        if t < -limit or (ties_are_out and t == -limit):
            return (node.plane, t)
        if nearest is None or t < nearest[1]:
            nearest = (node.plane, t)
        node = node.pos
    return nearest


def _plane_answer(cell: ObjCell, answer: str, plane: tuple[Plane, float] | None, sphere: int) -> TreeAnswer:
    if plane is None:
        return TreeAnswer(answer, sphere=sphere)
    own, distance = plane
    normal = cell.frame.local_to_global_vec(own.normal)
    nx, ny, nz = own.normal
    x, y, z = cell.frame.local_to_global((-own.d * nx, -own.d * ny, -own.d * nz))
    return TreeAnswer(answer, distance, normal, -(normal[0] * x + normal[1] * y + normal[2] * z), sphere)


def _square_answer(cell_id: int, p: Vec3, answer: str) -> TreeAnswer:
    """A square of land asks its two triangles; the edge that the point is nearest to, or most outside of, decided."""
    lcoord = gid_to_lcoord(cell_id)
    if lcoord is None:
        return TreeAnswer(answer)
    low = (float(lcoord[0] & 7) * CELL_LENGTH, float(lcoord[1] & 7) * CELL_LENGTH)
    planes = []
    for normal, axis, side in EDGES:
        d = -low[axis] if side > 0.0 else low[axis] + CELL_LENGTH
        planes.append((side * p[axis] + d, normal, d))
    distance, normal, d = min(planes)
    return TreeAnswer(answer, distance, normal, d)
