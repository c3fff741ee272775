"""Records sweeps as trees (`engine.sim.trace.tree`): an observer that keeps what it hears.

recorder = TraceRecorder()
body.observer = recorder
body.move_to(...)
print("\n".join(describe(recorder.sweeps[-1])))
"""

from __future__ import annotations

from typing import Final

from engine.geometry.bsp import PhysicsInner, PhysicsLeaf, PhysicsNode, PhysicsTree
from engine.geometry.polygon import Polygon
from engine.geometry.sphere import Sphere
from engine.geometry.vec import Vec3
from engine.physics.flags import (
    COLLIDED,
    ETHEREAL,
    INITIAL_PLACEMENT,
    INVALID,
    OI_CONTACT,
    OI_ON_WALKABLE,
    OK,
    PLACEMENT,
    STATE_NAMES,
    STATIC,
)
from engine.physics.objects.physics_object import BSP, COLLISION_TYPE_NAMES, CYLINDER, PhysicsObj, ShadowEntry
from engine.physics.sweep.trace import (
    CLIFF_SLIDE,
    KEPT,
    MEETING_NAMES,
    NOWHERE,
    OUTSIDE,
    PRECIPICE_SLIDE,
    PROBE_NAMES,
    PUSHED,
    SURROUNDINGS_NAMES,
    UNDER,
    SweepObserver,
)
from engine.physics.sweep.transition import Transition
from engine.sim.trace import tree as nodes
from engine.sim.trace.tree import (
    PlaneRecord,
    PolygonPlace,
    SweepState,
    TraceNode,
    number_text,
    object_text,
    place_text,
    vec_text,
)
from engine.world.cells.cell import ObjCell
from engine.world.cells.ids import cell_text

REFUSED: Final = "refused"
NO_CELL: Final = "in no cell"
"""How the answers of sweeps begin that came to nothing; of a sub-step, what its answer has in it."""

SKIPPED: Final = (
    "ethereal and ignoring collisions",
    "a creature, not met by a viewer",
    "ethereal things are no floors",
    "a player that players walk through",
    "the rules for missiles leave it out",
)
"""By the reasons of `SweepObserver.object_skipped`."""

SPHERE_NAMES: Final = ("foot", "head")

SOLID_PROBE: Final = "solid test"
SUPPORT_PROBE: Final = "support test"


def capture_state(tr: Transition) -> SweepState:
    """The sweep's state as values."""
    sp, ci = tr.sp, tr.ci
    contact = ci.contact_plane
    known = ci.last_known_contact_plane
    return SweepState(
        sp.curr_cell.id if sp.curr_cell is not None else 0,
        sp.curr.origin,
        sp.check.cell_id if sp.check_cell is not None else 0,
        sp.check.origin,
        sp.check.turn.rotation,
        PlaneRecord(contact.normal, contact.d, ci.contact_plane_cell_id, ci.contact_plane_is_water)
        if ci.contact_plane_valid
        else None,
        PlaneRecord(known.normal, known.d, ci.last_known_contact_plane_cell_id, ci.last_known_contact_plane_is_water)
        if ci.last_known_contact_plane_valid
        else None,
        ci.sliding_normal if ci.sliding_normal_valid else None,
        ci.collision_normal if ci.collision_normal_valid else None,
        (tr.oi.state & OI_CONTACT) != 0,
        (tr.oi.state & OI_ON_WALKABLE) != 0,
        ci.frames_stationary_fall,
        tuple(tr.ca.listed()),
    )


class TraceRecorder(SweepObserver):
    """Keeps every sweep it hears as a tree in `sweeps`, until `clear`."""

    def __init__(self) -> None:
        self.sweeps: list[TraceNode] = []
        self._open: list[TraceNode] = []
        self._at: Vec3 = (0.0, 0.0, 0.0)
        self._candidate_cell = 0
        self._decision = ""

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
        parts = [f"touched {touched}" if touched else "", _environment(tr), "stopped" if tr.oi.velocity_stopped else ""]
        node.detail = "; ".join(part for part in parts if part)

    def step_begins(self, tr: Transition, number: int, asked: Vec3) -> None:
        self._decision = ""
        self._enter(tr, TraceNode(nodes.STEP, f"sub-step {number + 1}, asked {vec_text(asked)}"))

    def step_adjusted(self, tr: Transition, left: Vec3) -> None:
        if not self._open:
            return
        self._open[-1].title += f", the planes leave {vec_text(left)}"
        x, y, z = tr.sp.check.origin
        if (x, y, z) != self._at:
            self._open[-1].title += f" and a push of {number_text(z - self._at[2])} out of the ground"

    def step_refused(self, tr: Transition) -> None:
        self._leave(tr, nodes.STEP, "nothing is left of the offset, the sweep stops")

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

    def cells_found(self, tr: Transition, containing: ObjCell | None) -> None:
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

    def retargeted(self, tr: Transition, how: int) -> None:
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
            self._decide(f"{SURROUNDINGS_NAMES[what]} of {cell_text(cell.id)}{_last_polygon(node)}")

    # --- trees

    def tree_begins(self, tr: Transition, tree: PhysicsTree) -> None:
        self._enter(tr, TraceNode(nodes.TREE, f"tree, {_branch(tr)}"))

    def polygon_met(self, tr: Transition, polygon: Polygon, sphere: int, how: int) -> None:
        if how == UNDER:
            title = f"polygon {polygon.id}, N{vec_text(polygon.normal)}"
            place = PolygonPlace(self._open_cell(tr), tuple(polygon.vertices))
            node = TraceNode(nodes.POLYGON, title, f"{MEETING_NAMES[how]} the foot", polygon_id=polygon.id)
            node.normal, node.place = polygon.normal, place
            self._add(node)
            return
        self._add_polygon(tr, polygon, _meeting(sphere, how))

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
        if _branch(tr) == SUPPORT_PROBE:
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
            leaf = _solid_leaf(tree, sphere)
            if leaf is not None:
                self._add(TraceNode(nodes.POLYGON, f"leaf {leaf.index}", f"is solid and holds the {name}'s centre"))
                return

    # --- objects

    def object_begins(self, tr: Transition, obj: PhysicsObj) -> None:
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
        self._enter(tr, TraceNode(nodes.ROW, title, object_id=row.entity_id, gfxobj_id=gfxobj_id))

    def row_ends(self, tr: Transition, row: ShadowEntry, state: int) -> None:
        node = self._leave(tr, nodes.ROW, STATE_NAMES[state])
        if row.shape.collision_type == BSP and not node.children:
            node.detail = "out of reach of its tree's bounding sphere"
        if state != OK:
            self._decide(f"{object_text(row.entity_id)}, {node.title}{_last_polygon(node)}")

    def object_ends(self, tr: Transition, obj: PhysicsObj, verdict: int) -> None:
        node = self._leave(tr, nodes.OBJECT, STATE_NAMES[verdict])
        met = next((child.answer for child in reversed(node.children) if child.kind == nodes.ROW), "")
        if verdict == OK and met not in ("", STATE_NAMES[OK]):
            node.detail = "touched, not blocked"

    # --- passages

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


def _environment(tr: Transition) -> str:
    return "collided with the environment" if tr.ci.collided_with_environment else ""


def _branch(tr: Transition) -> str:
    """Return the branch of 3.5 that a test of a tree takes."""
    sp = tr.sp
    if sp.insert_type == INITIAL_PLACEMENT:
        return "initial placement"
    if sp.insert_type == PLACEMENT or sp.obstruction_ethereal:
        return SOLID_PROBE
    if sp.check_walkable:
        return SUPPORT_PROBE
    if sp.step_down:
        return "search for a floor"
    if sp.collide:
        return "search for a floor to land on"
    return "on the ground" if tr.oi.state & OI_CONTACT else "in the air"


def _meeting(sphere: int, how: int) -> str:
    if how == PUSHED:
        return f"the {SPHERE_NAMES[sphere]} is {MEETING_NAMES[how]} it"
    if MEETING_NAMES[how] == "floor":
        return "a floor for the foot"
    by = "hit by" if MEETING_NAMES[how] == "hit" else "touched, but being left, by"
    return f"{by} the {SPHERE_NAMES[sphere]}"


def _last_polygon(node: TraceNode) -> str:
    """The polygon that decided, for a reason: the last one met below the node, but not within a nested probe."""
    for child in reversed(node.children):
        if child.kind == nodes.POLYGON and child.polygon_id != nodes.NO_POLYGON:
            return f", polygon {child.polygon_id}"
        if child.kind == nodes.TREE:
            return _last_polygon(child)
    return ""


def _solid_leaf(tree: PhysicsTree, sphere: Sphere) -> PhysicsLeaf | None:
    """Return the leaf that contains the sphere's centre, if it is solid (3.3)."""
    node: PhysicsNode | None = tree.root
    while isinstance(node, PhysicsInner):
        node = node.neg if node.plane.dist(sphere.center) < 0.0 else node.pos
    return node if isinstance(node, PhysicsLeaf) and node.solid and node.polygons else None
