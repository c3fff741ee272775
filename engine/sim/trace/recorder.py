"""Records sweeps as trees (`engine.sim.trace.tree`): an observer that keeps what it hears.

recorder = TraceRecorder()
body.observer = recorder
body.move_to(...)
print("\n".join(describe(recorder.sweeps[-1])))
"""

from __future__ import annotations

from typing import Final

from engine.geometry.bsp import PhysicsTree
from engine.geometry.frame import Frame
from engine.geometry.polygon import Polygon
from engine.geometry.vec import ZERO, Vec3
from engine.physics.flags import (
    COLLIDED,
    ETHEREAL,
    INVALID,
    OK,
    STATE_NAMES,
    STATIC,
)
from engine.physics.objects.physics_object import BSP, COLLISION_TYPE_NAMES, CYLINDER, PhysicsObj, ShadowEntry
from engine.physics.place import Place
from engine.physics.sweep.trace import (
    CLIFF_SLIDE,
    KEPT,
    MEETING_NAMES,
    NOWHERE,
    OUTSIDE,
    PRECIPICE_SLIDE,
    PROBE_NAMES,
    SURROUNDINGS_NAMES,
    UNDER,
    SweepObserver,
)
from engine.physics.sweep.transition import Transition
from engine.sim.trace import tree as nodes
from engine.sim.trace.step_searches import StepSearches
from engine.sim.trace.tree import (
    PolygonPlace,
    TraceNode,
    number_text,
    object_text,
    place_text,
    vec_text,
)
from engine.sim.trace.wording import (
    SKIPPED,
    SPHERE_NAMES,
    SUPPORT_PROBE,
    branch_of,
    capture_state,
    environment_text,
    last_polygon,
    meeting_text,
    solid_leaf,
)
from engine.world.cells.cell import ObjCell
from engine.world.cells.ids import cell_text

REFUSED: Final = "refused"
NO_CELL: Final = "in no cell"
"""How the answers of sweeps begin that came to nothing; of a sub-step, what its answer has in it."""

LET_THROUGH: Final = "touched, not blocked"
"""The detail of an object whose shapes were hit and whose verdict was OK."""


class TraceRecorder(SweepObserver):
    """Keeps every sweep it hears as a tree in `sweeps`, until `clear`."""

    def __init__(self) -> None:
        self.sweeps: list[TraceNode] = []
        self._open: list[TraceNode] = []
        self._at: Vec3 = (0.0, 0.0, 0.0)
        self._candidate_cell = 0
        self._decision = ""
        self._objects: list[PhysicsObj] = []
        self._began = Place(0, ZERO, Frame())
        self._asked = self._left = ZERO
        self._pushed = 0.0
        self._searches = StepSearches()

    def clear(self) -> None:
        self.sweeps = []
        self._open = []

    # --- the tree

    def _add(self, node: TraceNode) -> TraceNode:
        if self._open:
            self._open[-1].children.append(node)
        else:
            self.sweeps.append(node)
        return node

    def _enter(self, tr: Transition, node: TraceNode) -> None:
        node.before = capture_state(tr)
        self._at = tr.sp.check.origin
        self._open.append(self._add(node))

    def _leave(self, tr: Transition, kind: str, answer: str) -> TraceNode:
        """Closes the innermost node of that kind, and what a routine that raised has left open inside."""
        while self._open:
            node = self._open.pop()
            if node.kind == kind:
                node.answer = answer
                node.after = capture_state(tr)
                self._at = tr.sp.check.origin
                return node
        return TraceNode(kind, "the end of something that began unseen")

    def _decide(self, what: str) -> None:
        """Remember what answered last, the innermost first to say so: it is the reason of a roll-back."""
        self._decision = what

    # --- the sweep and its sub-steps

    def sweep_begins(self, tr: Transition) -> None:
        self._open = []
        self._objects = []
        self._searches.begin_sweep(tr)
        sp = tr.sp
        mover = object_text(tr.oi.mover_id)
        if sp.begin is None:
            title = f"placement of {mover} at {place_text(sp.end.cell_id, sp.end.origin)}"
        else:
            title = (
                f"sweep of {mover} from {place_text(sp.begin.cell_id, sp.begin.origin)}"
                f" to {place_text(sp.end.cell_id, sp.end.origin)}"
            )
        self._enter(tr, TraceNode(nodes.SWEEP, title, object_id=tr.oi.mover_id, cell_id=sp.curr.cell_id))

    def sweep_ends(self, tr: Transition, found: bool) -> None:
        node = self._leave(tr, nodes.SWEEP, "")
        sp = tr.sp
        if not found:
            node.answer = REFUSED
        elif sp.curr_cell is None:
            node.answer = f"{NO_CELL} at {vec_text(sp.curr.origin)}"
        else:
            node.answer = f"ends in {place_text(sp.curr.cell_id, sp.curr.origin)}"
        touched = ", ".join(object_text(object_id) for object_id in tr.ci.collide_objects)
        parts = [
            f"touched {touched}" if touched else "",
            environment_text(tr),
            "stopped" if tr.oi.velocity_stopped else "",
        ]
        node.detail = "; ".join(part for part in parts if part)

    def step_begins(self, tr: Transition, number: int, asked: Vec3) -> None:
        self._decision = ""
        self._began = tr.sp.curr.copy()
        self._asked, self._left, self._pushed = asked, ZERO, 0.0
        self._searches.begin_step()
        self._enter(tr, TraceNode(nodes.STEP, f"sub-step {number + 1}, asked {vec_text(asked)}"))

    def step_adjusted(self, tr: Transition, left: Vec3) -> None:
        if not self._open:
            return
        self._open[-1].title += f", the planes leave {vec_text(left)}"
        self._left = left
        x, y, z = tr.sp.check.origin
        if (x, y, z) != self._at:
            self._pushed = z - self._at[2]
            self._open[-1].title += f" and a push of {number_text(z - self._at[2])} out of the ground"

    def step_refused(self, tr: Transition) -> None:
        node = self._leave(tr, nodes.STEP, "nothing is left of the offset, the sweep stops")
        self._latch(tr, node, nodes.NOTHING_LEFT)

    def step_ends(self, tr: Transition, answer: int) -> None:
        node = self._leave(tr, nodes.STEP, "")
        sp = tr.sp
        where = place_text(0 if sp.curr_cell is None else sp.curr.cell_id, sp.curr.origin)
        if answer == OK:
            node.answer = f"accepted in {where}"
        elif answer == INVALID:
            node.answer = "Invalid, nothing was asked"
        else:
            node.answer = f"{STATE_NAMES[answer]}, rolled back to {where}"
            node.detail = self._why(answer)
        if answer not in (OK, INVALID):
            self._latch(tr, node, nodes.ROLLED_BACK)
        else:
            moved = answer == OK and not _equal(self._began, sp.curr, tr)
            self._latch(tr, node, nodes.ACCEPTED if moved else nodes.NOT_MOVED)

    def _latch(self, tr: Transition, node: TraceNode, what: str) -> None:
        before = 0 if node.before is None else node.before.accepted_cell
        cell = 0 if tr.sp.curr_cell is None else tr.sp.curr_cell.id
        tried = next((child.after for child in reversed(node.children) if child.kind == nodes.INSERT), None)
        candidate = cell if tried is None else tried.candidate_cell
        node.latch = nodes.Latch(what, before, candidate, cell, self._asked, self._left, self._pushed)
        node.search = self._searches.deciding(candidate)
        node.children.append(TraceNode(nodes.LATCH, "latch", what, node.latch.text, cell_id=cell))

    def _why(self, answer: int) -> str:
        reason = self._decision
        if answer != COLLIDED:
            return f"no attempt came to an end; last {reason}" if reason else "no attempt came to an end"
        return reason

    # --- insertion

    def insert_begins(self, tr: Transition, attempts: int) -> None:
        self._enter(tr, TraceNode(nodes.INSERT, f"insertion, {attempts} attempts", cell_id=tr.sp.check.cell_id))

    def attempt_begins(self, tr: Transition, number: int) -> None:
        if self._open and self._open[-1].kind == nodes.ATTEMPT:
            self._leave(tr, nodes.ATTEMPT, "")
        title = f"attempt {number + 1} at {place_text(tr.sp.check.cell_id, tr.sp.check.origin)}"
        self._enter(tr, TraceNode(nodes.ATTEMPT, title, cell_id=tr.sp.check.cell_id))

    def insert_ends(self, tr: Transition, state: int) -> None:
        if self._open and self._open[-1].kind == nodes.ATTEMPT:
            self._leave(tr, nodes.ATTEMPT, "")
        self._leave(tr, nodes.INSERT, STATE_NAMES[state])

    def cells_found(self, tr: Transition, containing: ObjCell | None, asked: bool) -> None:
        self._candidate_cell = tr.sp.check.cell_id
        ca = tr.ca
        ids = [
            cell_text(cell_id) + ("" if cell is not None else " (not loaded)")
            for cell_id, cell in zip(ca.ids, ca.cells, strict=True)
            if cell_id != 0
        ]
        holder = "" if containing is None else f"the centre is in {cell_text(containing.id)}"
        cell_id = 0 if containing is None else containing.id
        node = self._add(TraceNode(nodes.CELLS, f"cells {', '.join(ids) or 'none'}", holder, cell_id=cell_id))
        node.after = capture_state(tr)
        search = node.search = self._searches.add(tr, asked)
        node.children = [
            TraceNode(nodes.CANDIDATE, each.title, each.fate, each.answers, cell_id=each.cell_id)
            for each in (*search.candidates, *search.left_out)
        ]

    def retargeted(self, tr: Transition, how: int) -> None:
        beside = self._open[-1].children if self._open else []
        search = next((node.search for node in reversed(beside) if node.kind == nodes.CELLS), None)
        if search is not None:
            self._searches.retargeted(search)
        cell_id = tr.sp.check.cell_id
        if how == OUTSIDE:
            loaded = "" if tr.sp.check_cell is not None else ", which is not loaded"
            title = f"no cell holds the centre: outdoors, {cell_text(cell_id)}{loaded}"
        elif how == KEPT:
            title = f"no cell holds the centre: {cell_text(cell_id)} is kept"
        elif how == NOWHERE:
            title = f"no cell holds the centre: still labelled {cell_text(cell_id)}"
        elif cell_id != self._candidate_cell:
            title = f"the candidate goes from {cell_text(self._candidate_cell)} to {cell_text(cell_id)}"
        else:
            return
        self._add(TraceNode(nodes.MEMBERSHIP, title, cell_id=cell_id))

    # --- cells

    def cell_begins(self, tr: Transition, cell: ObjCell, primary: ObjCell | None) -> None:
        title = f"{'' if cell is primary else 'other '}cell {cell_text(cell.id)}"
        self._enter(tr, TraceNode(nodes.CELL, title, cell_id=cell.id))

    def cell_ends(self, tr: Transition, cell: ObjCell, primary: ObjCell | None, state: int) -> None:
        self._leave(tr, nodes.CELL, STATE_NAMES[state])

    def entry_refused(self, tr: Transition, cell: ObjCell) -> None:
        self._add(TraceNode(nodes.SURROUNDINGS, "barrier", "entry refused", object_id=cell.restriction_object))
        self._decide(f"the barrier of {cell_text(cell.id)}")

    def surroundings_begins(self, tr: Transition, cell: ObjCell, what: int) -> None:
        self._enter(tr, TraceNode(nodes.SURROUNDINGS, SURROUNDINGS_NAMES[what], cell_id=cell.id))

    def surroundings_ends(self, tr: Transition, cell: ObjCell, what: int, state: int) -> None:
        node = self._leave(tr, nodes.SURROUNDINGS, STATE_NAMES[state])
        if not node.children:
            node.detail = "nothing there or out of reach"
        if state != OK:
            self._decide(f"{SURROUNDINGS_NAMES[what]} of {cell_text(cell.id)}{last_polygon(node)}")

    # --- trees

    def tree_begins(self, tr: Transition, tree: PhysicsTree) -> None:
        self._enter(tr, TraceNode(nodes.TREE, f"tree, {branch_of(tr)}"))

    def polygon_met(self, tr: Transition, polygon: Polygon, sphere: int, how: int) -> None:
        if how == UNDER:
            title = f"polygon {polygon.id}, N{vec_text(polygon.normal)}"
            place = PolygonPlace(self._open_cell(tr), tuple(polygon.vertices))
            node = TraceNode(nodes.POLYGON, title, f"{MEETING_NAMES[how]} the foot", polygon_id=polygon.id)
            node.normal, node.place = polygon.normal, place
            self._add(node)
            return
        self._add_polygon(tr, polygon, meeting_text(sphere, how))

    def _open_cell(self, tr: Transition) -> int:
        """The cell that is being tested."""
        cells = [node.cell_id for node in self._open if node.kind == nodes.CELL]
        return cells[-1] if cells else tr.sp.check.cell_id

    def _add_polygon(self, tr: Transition, polygon: Polygon, how: str) -> None:
        """A polygon in the space of the tree being tested: a cell's or a part's."""
        sp = tr.sp
        frame, size = sp.space_frame, sp.space_scale
        normal = frame.local_to_global_vec(polygon.normal)
        node = TraceNode(nodes.POLYGON, f"polygon {polygon.id}, N{vec_text(normal)}", how, polygon_id=polygon.id)
        node.normal = normal
        corners = tuple(frame.local_to_global((x * size, y * size, z * size)) for x, y, z in polygon.vertices)
        node.place = PolygonPlace(sp.space_cell_id, corners)
        self._add(node)

    def tree_ends(self, tr: Transition, tree: PhysicsTree, state: int) -> None:
        if state == COLLIDED and self._open and not any(c.kind == nodes.POLYGON for c in self._open[-1].children):
            self._name_unnamed(tr, tree)
        self._leave(tr, nodes.TREE, STATE_NAMES[state])

    def _name_unnamed(self, tr: Transition, tree: PhysicsTree) -> None:
        """Solid and support tests do not say which polygon decided; ask the polygons again, one by one."""
        sp = tr.sp
        if branch_of(tr) == SUPPORT_PROBE:
            for polygon in tree.polygons:
                if polygon.walkable_hits_sphere(sp.probe, sp.space0, sp.space_z) and polygon.check_small_walkable(
                    sp.space0, sp.space_z, sp.probe.corners
                ):
                    self._add_polygon(tr, polygon, "carries the foot")
                    return
        spheres = [sp.space0, sp.space1][: sp.num_sphere]
        for name, sphere in zip(SPHERE_NAMES, spheres, strict=False):
            for polygon in tree.polygons:
                if polygon.hits_sphere(sphere):
                    self._add_polygon(tr, polygon, f"overlaps the {name}")
                    return
        for name, sphere in zip(SPHERE_NAMES, spheres, strict=False):
            leaf = solid_leaf(tree, sphere)
            if leaf is not None:
                self._add(TraceNode(nodes.POLYGON, f"leaf {leaf.index}", f"is solid and holds the {name}'s centre"))
                return

    # --- objects

    def object_begins(self, tr: Transition, obj: PhysicsObj) -> None:
        self._objects.append(obj)
        marks = [name for bit, name in ((STATIC, "static"), (ETHEREAL, "ethereal")) if obj.state & bit]
        title = f"{object_text(obj.object_id)}{''.join(', ' + name for name in marks)}"
        self._enter(tr, TraceNode(nodes.OBJECT, title, object_id=obj.object_id))

    def object_skipped(self, tr: Transition, obj: PhysicsObj, why: int) -> None:
        node = TraceNode(nodes.OBJECT, object_text(obj.object_id), "not tested", SKIPPED[why], object_id=obj.object_id)
        self._add(node)

    def row_begins(self, tr: Transition, row: ShadowEntry) -> None:
        shape = row.shape
        gfxobj_id = 0 if shape.gfxobj is None else shape.gfxobj.id
        size = f" {cell_text(gfxobj_id)}" if shape.collision_type == BSP else f" r {number_text(shape.radius)}"
        if shape.collision_type == CYLINDER:
            size += f" h {number_text(shape.cyl_height)}"
        kind = COLLISION_TYPE_NAMES[shape.collision_type]
        title = f"{kind}{size} at {vec_text(row.frame.origin)}"
        node = TraceNode(nodes.ROW, title, object_id=row.entity_id, gfxobj_id=gfxobj_id)
        rows = self._objects[-1].rows
        node.part = next((number for number, other in enumerate(rows) if other is row), 0)
        alike = [other for other in rows if other.shape.gfxobj is shape.gfxobj]
        node.occurrence = next((number for number, other in enumerate(alike) if other is row), 0)
        self._enter(tr, node)

    def row_ends(self, tr: Transition, row: ShadowEntry, state: int) -> None:
        node = self._leave(tr, nodes.ROW, STATE_NAMES[state])
        if row.shape.collision_type == BSP and not node.children:
            node.detail = "out of reach of its tree's bounding sphere"
        if state != OK:
            self._decide(f"{object_text(row.entity_id)}, {node.title}{last_polygon(node)}")

    def object_ends(self, tr: Transition, obj: PhysicsObj, verdict: int) -> None:
        node = self._leave(tr, nodes.OBJECT, STATE_NAMES[verdict])
        self._objects.pop()
        met = next((child.answer for child in reversed(node.children) if child.kind == nodes.ROW), "")
        if verdict == OK and met not in ("", STATE_NAMES[OK]):
            node.detail = LET_THROUGH

    # --- probes and slides

    def probe_begins(self, tr: Transition, what: int, height: float, zval: float) -> None:
        size = f" {number_text(height)}" if height else ""
        slope = f" onto ground with normal z >= {number_text(zval)}" if zval else ""
        self._enter(tr, TraceNode(nodes.PROBE, f"{PROBE_NAMES[what]}{size}{slope}", cell_id=tr.sp.check.cell_id))

    def probe_ends(self, tr: Transition, what: int, state: int) -> None:
        self._leave(tr, nodes.PROBE, STATE_NAMES[state])
        if state == COLLIDED and what in (CLIFF_SLIDE, PRECIPICE_SLIDE):
            self._decide(f"{PROBE_NAMES[what]} at the edge of what can be walked on")

    def slid(self, tr: Transition, normal: Vec3, state: int) -> None:
        x, y, z = tr.sp.check.origin
        ax, ay, az = self._at
        moved = vec_text((x - ax, y - ay, z - az))
        node = TraceNode(nodes.SLIDE, f"slide along N{vec_text(normal)}", STATE_NAMES[state], normal=normal)
        node.detail = f"the candidate moves by {moved}" if moved != "(0, 0, 0)" else ""
        self._add(node)
        self._at = tr.sp.check.origin


def _equal(before: Place, after: Place, tr: Transition) -> bool:
    """Whether the acceptance counts the body as not having moved (5.9)."""
    if before.cell_id != after.cell_id or not before.origin_equals(after):
        return False
    return not tr.rules.frame_equality or before.turn_equals(after)
