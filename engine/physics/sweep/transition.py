"""The collision sweep (physics.md 5.3, 5.4, 5.6-5.8): sub-steps, their insertion into cells, landing.

How a sub-step is steered is in `steering`, how the body finds ground and climbs in `stepping`, what it does without
ground in `edges`, and how the sub-step ends in `acceptance`.
"""

from __future__ import annotations

import math
from typing import Final

from engine.geometry.constants import EPSILON, LANDING_Z, UNWALKABLE_STEP
from engine.geometry.frame import Frame
from engine.geometry.quat import nlerp, slerp
from engine.geometry.sphere import Sphere
from engine.geometry.vec import ZERO, Vec3, r24v
from engine.physics.collision.cell import cell_find_collisions
from engine.physics.errors import PhysicsError
from engine.physics.flags import (
    ADJUSTED,
    COLLIDED,
    INVALID,
    OI_CONTACT,
    OI_FREE_ROTATE,
    OI_IS_VIEWER,
    OI_ON_WALKABLE,
    OI_PATH_CLIPPED,
    OK,
    PLACEMENT,
    SLID,
    TRANSITION,
)
from engine.physics.membership import find_cell_list
from engine.physics.objects.restrictions import NOBODY_IS_KNOWN, Restrictions
from engine.physics.place import Place
from engine.physics.rules import RuleSet
from engine.physics.sweep.acceptance import validate_transition
from engine.physics.sweep.cell_array import CellArray
from engine.physics.sweep.collision_info import CollisionInfo, ObjectInfo
from engine.physics.sweep.edges import edge_slide
from engine.physics.sweep.placement import find_placement_position
from engine.physics.sweep.slide import NEG_COLLISION_NORMAL, slide_sphere
from engine.physics.sweep.sphere_path import SpherePath
from engine.physics.sweep.steering import adjust_offset
from engine.physics.sweep.stepping import check_placement, check_walkable, probe_in_reach, step_up, step_up_slide
from engine.physics.sweep.trace import CONTAINING, EDGE_SLIDE, GROUND_PROBE, KEPT, LANDING, NOWHERE, SweepObserver
from engine.world.cells.cell import EnvCell, ObjCell
from engine.world.cells.landdefs import adjust_to_outside
from engine.world.cells.position import into_block
from engine.world.graph.graph import CellGraph

MAX_STEPS_ACE: Final = 1000
MAX_STEPS: Final = 5_000
"""The client has no limit (physics.md #13). This one is there for calls with absurd distances and bodies of
absurd sizes, which have to end soon: a body of a player's radius gets 2.4 km by it, and the 10 m that the top speed
allows in the longest quantum reach it only with a radius below 2 mm."""
_TOO_MANY_STEPS: Final = 1e6  # more than any rule allows, and still a whole number that can be counted to
_EPSILON_SQUARED: Final = EPSILON * EPSILON
_ATTEMPTS: Final = 3


class Transition:
    """One sweep from a begin position to an end position, and its state, as all its routines pass it around."""

    rules: RuleSet
    graph: CellGraph
    sp: SpherePath
    ci: CollisionInfo
    oi: ObjectInfo
    ca: CellArray
    restrictions: Restrictions
    barrier_opened: bool
    observer: SweepObserver | None

    num_steps: int
    per_step: Vec3
    found: bool
    """The answer of the sweep when it had run. Even a True sweep may have ended in no cell (5.7)."""

    def __init__(self, graph: CellGraph, rules: RuleSet) -> None:
        self.rules = rules
        self.graph = graph
        self.sp = SpherePath()
        self.sp.probe.corners = rules.walkable_corner
        self.ci = CollisionInfo(rules)
        self.oi = ObjectInfo()
        self.ca = CellArray()
        self.restrictions = NOBODY_IS_KNOWN
        self.barrier_opened = False
        self.observer = None
        self.found = False
        self.num_steps = 0
        self.per_step = (0.0, 0.0, 0.0)
        self.ca.do_not_load_cells = not rules.sweep_prune

    # --- starting (5.2, 5.3)

    def begin_again(self) -> None:
        """Forget the sweep that was, as if this were a new one; the rules may have changed."""
        self.sp.begin_again()
        self.sp.probe.corners = self.rules.walkable_corner
        self.ci.reset()
        self.oi.velocity_stopped = False  # the rest of it is the body's
        self.ca.clear()
        self.ca.added_outside = False
        self.ca.do_not_load_cells = not self.rules.sweep_prune
        self.barrier_opened = False
        self.found = False
        self.num_steps = 0
        self.per_step = (0.0, 0.0, 0.0)

    def init_spheres(self, spheres: list[Sphere], scale: float) -> None:
        if not spheres:
            raise PhysicsError("a body needs at least one sphere to be swept")
        self.sp.init_sphere(spheres, scale)

    def init_path(self, begin_cell: ObjCell | None, begin: Place | None, end: Place) -> None:
        """Set the path: a transition with a begin position, a placement at the end position without one."""
        sp = self.sp
        sp.begin_cell = begin_cell
        sp.begin = begin
        sp.end = end
        if begin is None:
            sp.insert_type = PLACEMENT
            sp.curr.set_to(end)
        else:
            sp.insert_type = TRANSITION
            sp.curr.set_to(begin)
        sp.curr_cell = begin_cell
        sp.cache_global_curr_center()

    def find_valid_position(self) -> bool:
        """Sweep along the path or, when it has no beginning, find a place at its end (5.4)."""
        if self.observer is not None:
            self.observer.sweep_begins(self)
        if self.sp.insert_type == TRANSITION:
            self.found = self.find_transitional_position()
        else:
            self.found = find_placement_position(self)
        if self.observer is not None:
            self.observer.sweep_ends(self, self.found)
        return self.found

    # --- the sub-step loop (5.4)

    def calc_num_steps(self) -> None:
        """No sub-step is longer than the radius of sphere 0."""
        sp = self.sp
        if sp.begin is None:
            self.per_step = ZERO
            self.num_steps = 1
            return
        x, y, z = into_block(sp.begin.cell_id, sp.end.cell_id, sp.end.origin)
        bx, by, bz = sp.begin.origin
        x -= bx
        y -= by
        z -= bz
        size = math.sqrt(x * x + y * y + z * z)
        k = size / sp.local0.radius if sp.local0.radius != 0.0 else math.inf
        if k != k:
            raise PhysicsError(f"a move of {size} m by a sphere of {sp.local0.radius} m cannot be divided into steps")
        k = min(k, _TOO_MANY_STEPS)
        if self.oi.state & OI_IS_VIEWER:
            if size <= EPSILON:
                self.num_steps = 0
                self.per_step = ZERO
            else:
                self.num_steps = math.floor(k) + 1
                self.per_step = (x / k, y / k, z / k)
        elif k > 1.0:
            self.num_steps = math.ceil(k)
            count = float(self.num_steps)
            self.per_step = (x / count, y / count, z / count)
        else:
            self.num_steps = 0 if x == 0.0 and y == 0.0 and z == 0.0 else 1
            self.per_step = (x, y, z)

    def find_transitional_position(self) -> bool:
        """Run the sub-steps. True: `sp.curr_*` hold where the body ends; a blocked sweep is True as well."""
        sp = self.sp
        if sp.begin_cell is None:
            return False
        self.calc_num_steps()
        if self.num_steps > (MAX_STEPS if self.rules.max_steps else MAX_STEPS_ACE):
            return False
        free_rotate = (self.oi.state & OI_FREE_ROTATE) != 0
        if free_rotate:
            sp.curr.turn = sp.end.turn
        sp.set_check_pos(sp.curr, sp.curr_cell)
        if self.num_steps <= 0:
            if not free_rotate:
                sp.curr.turn = sp.end.turn
            self.build_cell_array()
            return True
        # The array stays as the last search of the last sub-step left it (physics.md #14).
        return self._run_steps(free_rotate)

    def _run_steps(self, free_rotate: bool) -> bool:
        sp = self.sp
        ci = self.ci
        viewer = (self.oi.state & OI_IS_VIEWER) != 0
        state = OK
        for step in range(self.num_steps):
            if viewer and step == self.num_steps - 1:
                self._shorten_last_step()
            if self.observer is not None:
                self.observer.step_begins(self, step, self.per_step)
            sp.global_offset = adjust_offset(self, self.per_step)
            if self.observer is not None:
                self.observer.step_adjusted(self, sp.global_offset)
            ox, oy, oz = sp.global_offset
            if not viewer and ox * ox + oy * oy + oz * oz < _EPSILON_SQUARED:
                if self.observer is not None:
                    self.observer.step_refused(self)
                return step != 0 and state == OK
            if not free_rotate:
                self._turn_check_pos(float(step + 1) / float(self.num_steps))
            ci.sliding_normal_valid = False
            ci.clear_contact_plane()
            sp.add_offset_to_check_pos(sp.global_offset)
            answer = self.transitional_insert(_ATTEMPTS)
            state = validate_transition(self, answer)
            if self.observer is not None:
                self.observer.step_ends(self, answer)
            if ci.frames_stationary_fall > 0:
                break
            if ci.collision_normal_valid and self.oi.state & OI_PATH_CLIPPED:
                break
        return state == OK

    def _shorten_last_step(self) -> None:
        """A viewer's steps are a radius long, but for the last one."""
        sp = self.sp
        begin = sp.begin
        if begin is None:
            return
        x, y, z = into_block(begin.cell_id, sp.end.cell_id, sp.end.origin)
        bx, by, bz = begin.origin
        x -= bx
        y -= by
        z -= bz
        size = math.sqrt(x * x + y * y + z * z)
        if size > EPSILON:
            part = (size - sp.local0.radius * float(self.num_steps - 1)) / size
            self.per_step = (x * part, y * part, z * part)

    def _turn_check_pos(self, part: float) -> None:
        """The orientation goes with the sub-steps; a body that does not turn keeps the frame it has."""
        sp = self.sp
        begin = sp.begin
        if begin is None or begin.turn.rotation == sp.end.turn.rotation:
            return
        if self.rules.turn_blend:
            rotation = slerp(begin.turn.rotation, sp.end.turn.rotation, part)
        else:
            rotation = nlerp(begin.turn.rotation, sp.end.turn.rotation, part)
        sp.check.turn = Frame(ZERO, rotation)
        sp.cache_global_sphere()

    # --- inserting the candidate (5.6, 5.7)

    def transitional_insert(self, attempts: int) -> int:
        if self.observer is None:
            return self._insert(attempts)
        observer = self.observer
        observer.insert_begins(self, attempts)
        state = self._insert(attempts)
        observer.insert_ends(self, state)
        return state

    def _insert(self, attempts: int) -> int:
        sp = self.sp
        ci = self.ci
        oi = self.oi
        first_cell = sp.check_cell
        # Asked of a name of its own: a test of the attribute would convince the compiler that it is never None below,
        # where the other cells' answers may have left the candidate in none.
        if first_cell is None:
            return OK
        if attempts <= 0:
            return INVALID
        state = INVALID
        for attempt in range(attempts):
            if self.observer is not None:
                self.observer.attempt_begins(self, attempt)
            state = self._insert_everywhere(attempts)
            if state == COLLIDED:
                return COLLIDED
            if state != OK:
                continue
            if sp.collide:
                return self._finish_collide(attempts)
            if sp.neg_poly_hit and not sp.step_down and not sp.step_up:
                state = self._answer_neg_poly_hit(state)
                continue
            if (
                ci.contact_plane_valid
                or not oi.state & OI_CONTACT
                or sp.step_down
                or sp.check_cell is None
                or not oi.step_down
            ):
                return OK
            done, state = self._probe_ground()
            if done:
                return state
        return state

    def _insert_everywhere(self, attempts: int) -> int:
        """The candidate's own cell first, then all the others it touches."""
        sp = self.sp
        state = self.insert_into_cell(sp.check_cell, attempts)
        if state == OK:
            state = self.check_other_cells(sp.check_cell)
            if state != OK:
                sp.neg_poly_hit = False
        elif state == ADJUSTED:
            sp.neg_poly_hit = False
        elif state == SLID:
            self.ci.clear_contact_plane()
            sp.neg_poly_hit = False
        elif state == COLLIDED and self.rules.neg_poly_cleared:
            sp.neg_poly_hit = False  # or the next sub-step would slide along what is behind it (physics.md #23)
        return state

    def _answer_neg_poly_hit(self, state: int) -> int:
        """A polygon was touched while it was being left: step up or slide after all."""
        sp = self.sp
        sp.neg_poly_hit = False
        if sp.neg_step_up:
            if not step_up(self, sp.neg_collision_normal):
                return step_up_slide(self)
            return state
        return slide_sphere(self, sp.global0.center, sp.neg_collision_normal, sp.curr_center0, NEG_COLLISION_NORMAL)

    def _probe_ground(self) -> tuple[bool, int]:
        """Grounded, but no ground found under the candidate: probe downwards, then deal with the edge."""
        sp = self.sp
        oi = self.oi
        zval = LANDING_Z
        height = UNWALKABLE_STEP
        if oi.state & OI_ON_WALKABLE:
            zval = oi.get_walkable_z()
            height = oi.step_down_height
        sp.probe.allowance = zval
        sp.save_check_pos()
        if self.observer is not None:
            self.observer.probe_begins(self, GROUND_PROBE, height, zval)
        height = probe_in_reach(self, height, zval)
        if self.observer is not None:
            self.observer.probe_ends(self, GROUND_PROBE, OK if height < 0.0 else COLLIDED)
        if height < 0.0:
            sp.walkable = None
            return (True, OK)
        self.probe_begins(EDGE_SLIDE, height, zval)
        done, state = edge_slide(self, height, zval)
        self.probe_ends(EDGE_SLIDE, state)
        return (done, state)

    def insert_into_cell(self, cell: ObjCell | None, attempts: int) -> int:
        if cell is None:
            return COLLIDED
        state = INVALID
        for _ in range(attempts):
            if self.observer is not None:
                self.observer.cell_begins(self, cell, cell)
            state = cell_find_collisions(self, cell)
            if self.observer is not None:
                self.observer.cell_ends(self, cell, cell, state)
            if state in (OK, COLLIDED):
                return state
            if state == SLID:
                self.ci.clear_contact_plane()
        return state

    def check_other_cells(self, current: ObjCell | None) -> int:
        """Every other cell of the array, then re-target the candidate to the one that contains it.

        By index over the live array: a cell's answer may run nested inserts that change it.
        """
        sp = self.sp
        ca = self.ca
        sp.cell_array_valid = True
        sp.hits_interior_cell = False
        containing = find_cell_list(self.graph, self.rules, sp.check.cell_id, sp.global_spheres(), ca, True, sp)
        if self.observer is not None:
            self.observer.cells_found(self, containing, True)
        i = 0
        while i < len(ca.ids):
            cell = ca.cells[i]
            i += 1
            if cell is None or cell is current:
                continue
            if self.observer is not None:
                self.observer.cell_begins(self, cell, current)
            result = cell_find_collisions(self, cell)
            if self.observer is not None:
                self.observer.cell_ends(self, cell, current, result)
            if result == SLID:
                self.ci.clear_contact_plane()
                return result
            if result in (COLLIDED, ADJUSTED):
                return result
        sp.check_cell = containing
        if containing is not None:
            sp.adjust_check_pos(containing.id)
            if self.observer is not None:
                self.observer.retargeted(self, CONTAINING)
            return OK
        return self._no_containing_cell(current)

    def _no_containing_cell(self, current: ObjCell | None) -> int:
        """No cell holds the centre: the candidate stays in none, for the rest of the sweep (physics.md #7).

        An interior id is kept, an outdoor one is brought to where the candidate is; no cell is looked up for either.
        """
        sp = self.sp
        interior = (sp.check.cell_id & 0xFFFF) >= 0x100
        if interior and self._is_undecided(current):
            sp.check_cell = current
            sp.adjust_check_pos(sp.check.cell_id)
            if self.observer is not None:
                self.observer.retargeted(self, KEPT)
            return OK
        if sp.step_down:
            return COLLIDED
        if not interior:
            ok, cell_id, origin = adjust_to_outside(sp.check.cell_id, sp.check.origin)
            if not ok or cell_id == 0:
                return COLLIDED
            moved = sp.check.copy()
            moved.origin = r24v(origin)
            moved.cell_id = cell_id
            sp.set_check_pos(moved, None)
            sp.cell_array_valid = True
        if self.observer is not None:
            self.observer.retargeted(self, NOWHERE)
        return OK

    def _is_undecided(self, current: ObjCell | None) -> bool:
        """A room without a cell tree, as in a cell dump, cannot tell what it contains (physics.md 12.2): who
        moves there stays in it, in the sweep's probes too, or nobody could walk. Never who is being placed (#9)."""
        return self.sp.begin is not None and isinstance(current, EnvCell) and current.cell_tree is None

    # --- landing (5.8)

    def _finish_collide(self, attempts: int) -> int:
        """An airborne body touched something and was asked to find a surface within its motion."""
        sp = self.sp
        ci = self.ci
        sp.collide = False
        landed = False
        self.probe_begins(LANDING, 0.0, LANDING_Z)
        if ci.contact_plane_valid and check_walkable(self, LANDING_Z):
            landed = check_placement(self, attempts) == OK
        self.probe_ends(LANDING, OK if landed else COLLIDED)
        sp.walkable = None
        if landed:
            return OK
        sp.restore_check_pos()
        ci.clear_contact_plane()
        if ci.last_known_contact_plane_valid:
            ci.last_known_contact_plane_valid = False
            self.oi.stop_velocity()
        else:
            ci.set_collision_normal(sp.step_up_normal)
        return COLLIDED

    # --- for all routines

    def build_cell_array(self) -> None:
        """The array alone, for where the candidate is; membership is not touched."""
        sp = self.sp
        sp.cell_array_valid = True
        sp.hits_interior_cell = False
        find_cell_list(self.graph, self.rules, sp.check.cell_id, sp.global_spheres(), self.ca, False, sp)
        if self.observer is not None:
            self.observer.cells_found(self, None, False)

    # --- rare notices; frequent ones are sent inline, without a call

    def probe_begins(self, what: int, height: float = 0.0, zval: float = 0.0) -> None:
        if self.observer is not None:
            self.observer.probe_begins(self, what, height, zval)

    def probe_ends(self, what: int, state: int) -> int:
        if self.observer is not None:
            self.observer.probe_ends(self, what, state)
        return state
