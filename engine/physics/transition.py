"""The collision sweep (spec/physics.md 5.3-5.14): sub-steps, insertion into cells, acceptance or roll-back.

Membership is a latch: only `validate_transition`, accepting a sub-step, moves `sp.curr_cell`.
"""

from __future__ import annotations

import math
from typing import Final

from engine.geometry.constants import EPSILON, LANDING_Z, UNWALKABLE_STEP
from engine.geometry.frame import Frame
from engine.geometry.plane import Plane
from engine.geometry.quat import nlerp
from engine.geometry.sphere import Sphere
from engine.geometry.vec import ZERO, Vec3, normalize_check_small, r24v
from engine.physics.collide_cell import cell_find_collisions
from engine.physics.errors import PhysicsError
from engine.physics.flags import (
    ADJUSTED,
    COLLIDED,
    INVALID,
    OI_CONTACT,
    OI_EDGE_SLIDE,
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
from engine.physics.place import Place
from engine.physics.rules import RuleSet
from engine.physics.slide import NEG_COLLISION_NORMAL, STEP_UP_NORMAL, slide_sphere
from engine.physics.sweep import Sweep
from engine.physics.trace import (
    CHECK_WALKABLE,
    CLIFF_SLIDE,
    CONTAINING,
    EDGE_SLIDE,
    GROUND_PROBE,
    KEPT,
    LANDING,
    NOWHERE,
    OUTSIDE,
    PLACEMENT_CHECK,
    PRECIPICE_SLIDE,
    SEARCH_BEHIND,
    STEP_DOWN,
    STEP_UP,
)
from engine.world.cells.cell import EnvCell, ObjCell
from engine.world.cells.landdefs import adjust_to_outside, block_offset
from engine.world.cells.position import into_block
from engine.world.graph.graph import CellGraph

MAX_STEPS_RETAIL: Final = 30
MAX_STEPS_ACE: Final = 1000
_TOO_MANY_STEPS: Final = 1e6  # more than any rule allows, and still a whole number that can be counted to
_EPSILON_SQUARED: Final = EPSILON * EPSILON
_ATTEMPTS: Final = 3
_PROBE_ATTEMPTS: Final = 5


class Transition(Sweep):
    """One sweep from a begin position to an end position."""

    num_steps: int
    per_step: Vec3
    found: bool
    """What the sweep said when it had run. A True sweep may still have ended in no cell (5.7)."""

    def __init__(self, graph: CellGraph, rules: RuleSet) -> None:
        super().__init__(graph, rules)
        self.found = False
        self.num_steps = 0
        self.per_step = (0.0, 0.0, 0.0)
        self.ca.do_not_load_cells = not rules.sweep_prune

    # --- starting (5.2, 5.3)

    def init_spheres(self, spheres: list[Sphere], scale: float) -> None:
        if not spheres:
            raise PhysicsError("a body needs at least one sphere to be swept")
        self.sp.init_sphere(spheres, scale)

    def init_path(self, begin_cell: ObjCell | None, begin: Place | None, end: Place) -> None:
        """With a begin position a transition, without one a placement at the end position."""
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
        if self.num_steps > (MAX_STEPS_RETAIL if self.rules.max_steps else MAX_STEPS_ACE):
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
        done = self._run_steps(free_rotate)
        if done and self.rules.final_cell_array:
            sp.set_check_pos(sp.curr, sp.curr_cell)
            self.build_cell_array()
        return done

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
            sp.global_offset = self.adjust_offset(self.per_step)
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
            state = self.validate_transition(answer)
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
        sp.check.turn = Frame(ZERO, nlerp(begin.turn.rotation, sp.end.turn.rotation, part))
        sp.cache_global_sphere()

    def build_cell_array(self) -> None:
        """The array alone, for where the candidate is; membership is not touched."""
        sp = self.sp
        sp.cell_array_valid = True
        sp.hits_interior_cell = False
        find_cell_list(self.graph, self.rules, sp.check.cell_id, sp.global_spheres(), self.ca, False, sp)
        if self.observer is not None:
            self.observer.cells_found(self, None)

    # --- the motion of a sub-step (5.5)

    def adjust_offset(self, offset: Vec3) -> Vec3:
        """The offset as the planes of the sub-step before leave it."""
        ci = self.ci
        ox, oy, oz = offset
        slide = False
        sx, sy, sz = ci.sliding_normal
        into = ox * sx + oy * sy + oz * sz
        if ci.sliding_normal_valid:
            if into < 0.0:
                slide = True
            else:
                ci.sliding_normal_valid = False
        if not ci.contact_plane_valid:
            if slide:
                return (ox - sx * into, oy - sy * into, oz - sz * into)
            return offset
        plane = ci.contact_plane
        nx, ny, nz = plane.normal
        c = ox * nx + oy * ny + oz * nz
        if slide:
            vx = ny * sz - nz * sy
            vy = nz * sx - nx * sz
            vz = nx * sy - ny * sx
            small, v = normalize_check_small((vx, vy, vz))
            if small:
                offset = (0.0, 0.0, 0.0)
            else:
                along = v[0] * ox + v[1] * oy + v[2] * oz
                offset = (v[0] * along, v[1] * along, v[2] * along)
        elif c <= 0.0:
            offset = (ox - nx * c, oy - ny * c, oz - nz * c)
        else:
            offset = plane.snap_to_plane(offset)
        if ci.contact_plane_cell_id != 0 and not ci.contact_plane_is_water:
            self._push_out_of_contact_plane(plane)
        return offset

    def _push_out_of_contact_plane(self, plane: Plane) -> None:
        """Keep sphere 0 from sinking into what it stands on."""
        sp = self.sp
        radius = sp.global0.radius
        t = plane.dist(into_block(self.ci.contact_plane_cell_id, sp.check.cell_id, sp.global0.center))
        nz = plane.normal[2]
        if t >= radius - EPSILON or nz == 0.0:
            return
        z = (radius - t) / nz
        if radius > abs(z):
            sp.add_offset_to_check_pos((0.0, 0.0, z))

    # --- telling an observer of what happens seldom; the rest is told where it happens, which costs no call

    def _begins(self, what: int, height: float = 0.0, zval: float = 0.0) -> None:
        if self.observer is not None:
            self.observer.probe_begins(self, what, height, zval)

    def _ends(self, what: int, state: int) -> int:
        if self.observer is not None:
            self.observer.probe_ends(self, what, state)
        return state

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
        return state

    def _answer_neg_poly_hit(self, state: int) -> int:
        """A polygon was touched while it was being left: step up or slide after all."""
        sp = self.sp
        sp.neg_poly_hit = False
        if sp.neg_step_up:
            if not self.step_up(sp.neg_collision_normal):
                return self.step_up_slide()
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
        height = self.probe_in_reach(height, zval)
        if self.observer is not None:
            self.observer.probe_ends(self, GROUND_PROBE, OK if height < 0.0 else COLLIDED)
        if height < 0.0:
            sp.walkable = None
            return (True, OK)
        self._begins(EDGE_SLIDE, height, zval)
        done, state = self._edge_slide(height, zval)
        self._ends(EDGE_SLIDE, state)
        return (done, state)

    def probe_in_reach(self, height: float, zval: float) -> float:
        """Step down by `height`, in two halves when it exceeds the sphere: −1 on ground, else the depth last tried."""
        sp = self.sp
        two_r = 2.0 * sp.global0.radius
        if sp.num_sphere < 2 and two_r < height:
            height = 0.5 * sp.global0.radius
        if two_r >= height:
            return -1.0 if self.step_down(height, zval) else height
        height *= 0.5
        if self.step_down(height, zval) or self.step_down(height, zval):
            return -1.0
        return height

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
            self.observer.cells_found(self, containing)
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
        """No cell holds the centre: the land under it, but for the guards of 5.7 (rule `no_cell_interior`)."""
        sp = self.sp
        interior = (sp.check.cell_id & 0xFFFF) >= 0x100
        # A cell without a tree is kept in a probe as well, or nobody could walk in one.
        undecided = interior and isinstance(current, EnvCell) and current.cell_tree is None
        if sp.step_down and not (undecided and self.rules.no_cell_interior):
            return COLLIDED
        if interior and not self.rules.no_cell_interior:
            if self.observer is not None:
                self.observer.retargeted(self, NOWHERE)
            return OK
        if interior and self.rules.no_cell_interior and isinstance(current, EnvCell):
            kept = self._keep_interior(current)
            if kept is not None:
                sp.check_cell = kept
                sp.adjust_check_pos(kept.id)
                if self.observer is not None:
                    self.observer.retargeted(self, KEPT)
                return OK
        ok, cell_id, origin = adjust_to_outside(sp.check.cell_id, sp.check.origin)
        if not ok or cell_id == 0:
            return COLLIDED
        moved = sp.check.copy()
        moved.origin = r24v(origin)
        moved.cell_id = cell_id
        sp.set_check_pos(moved, self.graph.get_visible(cell_id) if self.rules.no_cell_interior else None)
        sp.cell_array_valid = True
        if self.observer is not None:
            self.observer.retargeted(self, OUTSIDE)
        return OK

    def _keep_interior(self, current: EnvCell) -> ObjCell | None:
        """A dungeon has no outdoors, and without a tree containment cannot be decided."""
        if current.cell_tree is None:
            return current
        if current.seen_outside or current.has_exit():
            return None
        centre = into_block(current.id, self.sp.check.cell_id, self.sp.global0.center)
        child = self.graph.find_visible_child_cell(current, centre, True)
        return current if child is None else child

    # --- landing (5.8)

    def _finish_collide(self, attempts: int) -> int:
        """An airborne body touched something and was asked to find a surface within its motion."""
        sp = self.sp
        ci = self.ci
        sp.collide = False
        landed = False
        self._begins(LANDING, 0.0, LANDING_Z)
        if ci.contact_plane_valid and self.check_walkable(LANDING_Z):
            landed = self._check_placement(attempts) == OK
        self._ends(LANDING, OK if landed else COLLIDED)
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

    def _check_placement(self, attempts: int) -> int:
        """A landing and a step both end with the question whether there is room."""
        sp = self.sp
        sp.backup_insert_type = sp.insert_type
        sp.insert_type = PLACEMENT
        if self.observer is not None:
            self.observer.probe_begins(self, PLACEMENT_CHECK, 0.0, 0.0)
        state = self.transitional_insert(attempts)
        sp.insert_type = sp.backup_insert_type
        if self.observer is not None:
            self.observer.probe_ends(self, PLACEMENT_CHECK, state)
        return state

    # --- accept or roll back (5.9)

    def validate_transition(self, state: int) -> int:
        """The only place where the accepted cell changes. A blocked sub-step is rolled back and answers OK."""
        sp = self.sp
        ci = self.ci
        oi = self.oi
        moved = True
        if state != OK:
            moved = False
            if state != INVALID:
                moved = self._roll_back()
                state = OK
        else:
            if self._check_equals_curr():
                moved = False
            sp.curr.set_to(sp.check)
            sp.curr_cell = sp.check_cell
            sp.cache_global_curr_center()
            sp.set_check_pos(sp.curr, sp.curr_cell)
        if ci.collision_normal_valid:
            ci.set_sliding_normal(ci.collision_normal)
        if not oi.state & OI_IS_VIEWER and oi.gravity:
            self._count_stationary_frames(moved)
        ci.last_known_contact_plane_valid = ci.contact_plane_valid
        if ci.contact_plane_valid:
            ci.last_known_contact_plane = ci.contact_plane
            ci.last_known_contact_plane_cell_id = ci.contact_plane_cell_id
            ci.last_known_contact_plane_is_water = ci.contact_plane_is_water
            oi.state |= OI_CONTACT
            if oi.is_valid_walkable(ci.contact_plane.normal):
                oi.state |= OI_ON_WALKABLE
            else:
                oi.state &= ~OI_ON_WALKABLE
        else:
            oi.state &= ~(OI_CONTACT | OI_ON_WALKABLE)
        return state

    def _check_equals_curr(self) -> bool:
        sp = self.sp
        if sp.check.cell_id != sp.curr.cell_id or not sp.check.origin_equals(sp.curr):
            return False
        return not self.rules.frame_equality or sp.check.turn_equals(sp.curr)

    def _roll_back(self) -> bool:
        """Back to the accepted position; True when the body stands there, which counts as having moved."""
        sp = self.sp
        ci = self.ci
        standing = False
        if ci.last_known_contact_plane_valid:
            self.oi.stop_velocity()
            plane = ci.last_known_contact_plane
            centre = sp.curr_center0
            if self.rules.last_known_block_offset:
                centre = into_block(ci.last_known_contact_plane_cell_id, sp.curr.cell_id, centre)
            if sp.global0.radius + EPSILON > abs(plane.dist(centre)):
                ci.set_contact_plane(plane, ci.last_known_contact_plane_is_water, ci.last_known_contact_plane_cell_id)
                standing = (self.oi.state & OI_ON_WALKABLE) != 0
        if not ci.collision_normal_valid:
            ci.set_collision_normal((0.0, 0.0, 1.0))
        sp.set_check_pos(sp.curr, sp.curr_cell)
        self.build_cell_array()
        return standing

    def _count_stationary_frames(self, moved: bool) -> None:
        """The third frame in which a body with gravity could not move makes up a level plane under its feet."""
        ci = self.ci
        if moved:
            ci.frames_stationary_fall = 0
            return
        frames = ci.frames_stationary_fall
        if frames > 1:
            ci.frames_stationary_fall = 3
            sphere = self.sp.global0
            ci.set_contact_plane(Plane((0.0, 0.0, 1.0), sphere.radius - sphere.center[2]), False, self.sp.check.cell_id)
            if not self.oi.state & OI_CONTACT:
                ci.set_collision_normal((0.0, 0.0, 1.0))
                ci.collided_with_environment = True
        else:
            ci.frames_stationary_fall = 2 if frames == 1 else 1

    # --- stepping (5.10, 5.11)

    def step_down(self, height: float, zval: float) -> bool:
        """Lower the body and let surfaces push it up again; during a step up it is raised from where it is."""
        sp = self.sp
        ci = self.ci
        sp.neg_poly_hit = False
        sp.step_down = True
        sp.step_down_amt = height
        sp.probe.interp = 1.0
        if not sp.step_up:
            sp.cell_array_valid = False
            sp.move_check_pos((0.0, 0.0, -height))
        if self.observer is not None:
            self.observer.probe_begins(self, STEP_DOWN, height, zval)
        state = self.transitional_insert(_PROBE_ATTEMPTS)
        sp.step_down = False
        stands = (
            state == OK
            and ci.contact_plane_valid
            and ci.contact_plane.normal[2] >= zval
            and (not self.oi.state & OI_EDGE_SLIDE or sp.step_up or self.check_walkable(zval))
            and self._check_placement(1) == OK
        )
        if self.observer is not None:
            self.observer.probe_ends(self, STEP_DOWN, OK if stands else COLLIDED)
        return stands

    def step_up(self, normal: Vec3) -> bool:
        sp = self.sp
        self.ci.clear_contact_plane()
        sp.step_up = True
        sp.step_up_normal = normal
        height = UNWALKABLE_STEP
        zval = LANDING_Z
        if self.oi.state & OI_ON_WALKABLE:
            zval = self.oi.get_walkable_z()
            height = self.oi.step_up_height
        sp.probe.allowance = zval
        sp.save_check_pos()
        if self.observer is not None:
            self.observer.probe_begins(self, STEP_UP, height, zval)
        climbed = self.step_down(height, zval)
        if self.observer is not None:
            self.observer.probe_ends(self, STEP_UP, OK if climbed else COLLIDED)
        sp.step_up = False
        sp.walkable = None
        if not climbed:
            sp.restore_check_pos()
        return climbed

    def step_up_slide(self) -> int:
        sp = self.sp
        self.ci.clear_contact_plane()
        return slide_sphere(self, sp.global0.center, sp.step_up_normal, sp.curr_center0, STEP_UP_NORMAL)

    # --- support (5.12)

    def check_walkables(self) -> bool:
        """The remembered polygon still carries the body, tested with half the radius.

        Retail halves the stored sphere, so a second test in the same probe is stricter (`check_walkables_radius`).
        """
        sp = self.sp
        walkable = sp.walkable
        if walkable is None:
            return True
        sphere = sp.walkable_check
        if not self.rules.check_walkables_radius:
            sphere = sphere.copy()
        sphere.radius *= 0.5
        return walkable.check_walkable(sphere, sp.walkable_up)

    def check_walkable(self, zval: float) -> bool:
        """Something carries the body here: with `sp.check_walkable` set every supporting surface answers COLLIDED."""
        sp = self.sp
        if not self.oi.state & OI_ON_WALKABLE or self.check_walkables():
            return True
        if not self.rules.check_walkable_backup:
            sp.save_check_pos()
        place = sp.check.copy()
        cell = sp.check_cell
        height = self.oi.step_down_height
        sp.probe.allowance = zval
        sp.check_walkable = True
        radius = sp.global0.radius
        if sp.num_sphere < 2 and height > 2.0 * radius:
            height = 0.5 * radius
        if height > 2.0 * radius:
            height *= 0.5
        if self.observer is not None:
            self.observer.probe_begins(self, CHECK_WALKABLE, height, zval)
        sp.add_offset_to_check_pos((0.0, 0.0, -height))
        state = self.transitional_insert(1)
        sp.check_walkable = False
        if self.observer is not None:
            self.observer.probe_ends(self, CHECK_WALKABLE, COLLIDED if state == OK else OK)
        if self.rules.check_walkable_backup:
            sp.set_check_pos(place, cell)
        else:
            sp.restore_check_pos()
        return state != OK

    # --- edges (5.13)

    def _edge_slide(self, height: float, zval: float) -> tuple[bool, int]:
        """The ground probe failed: fall, slide along the edge, or stop. (done, state); not done means try again."""
        sp = self.sp
        ci = self.ci
        edge = OI_ON_WALKABLE | OI_EDGE_SLIDE
        if self.oi.state & edge != edge:
            return self._let_fall()
        if ci.contact_plane_valid and ci.contact_plane.normal[2] < zval:
            return (False, self._slide_off_steep_ground())
        if sp.walkable is not None:
            state = self._slide_along_known_edge()
            return (state == COLLIDED, state)
        if ci.contact_plane_valid:
            return self._let_fall()
        return self._search_behind(height, zval)

    def _let_fall(self) -> tuple[bool, int]:
        self.sp.walkable = None
        self.sp.restore_check_pos()
        self.ci.clear_contact_plane()
        self.sp.cell_array_valid = True
        return (True, OK)

    def _slide_off_steep_ground(self) -> int:
        sp = self.sp
        plane = self.ci.contact_plane
        if self.rules.edge_slide_order:
            sp.walkable = None
            sp.restore_check_pos()
            state = self._cliff_slide(plane)
        else:
            state = self._cliff_slide(plane)
            sp.walkable = None
            sp.restore_check_pos()
        self.ci.clear_contact_plane()
        return state

    def _slide_along_known_edge(self) -> int:
        sp = self.sp
        if self.rules.edge_slide_order:
            sp.restore_check_pos()
            self.ci.clear_contact_plane()
            return self.precipice_slide()
        state = self.precipice_slide()
        sp.restore_check_pos()
        self.ci.clear_contact_plane()
        return state

    def _search_behind(self, height: float, zval: float) -> tuple[bool, int]:
        """Look for the surface at the place the body came from."""
        sp = self.sp
        x, y, z = sp.curr_center0
        cx, cy, cz = sp.global0.center
        sp.add_offset_to_check_pos((x - cx, y - cy, z - cz))
        self._begins(SEARCH_BEHIND, height, zval)
        self.step_down(height, zval)
        self._ends(SEARCH_BEHIND, COLLIDED if sp.walkable is None else OK)
        self.ci.clear_contact_plane()
        sp.restore_check_pos()
        if sp.walkable is not None:
            sp.cache_local_space_sphere(sp.walkable_cell_id, sp.walkable_frame, sp.walkable_scale)
            sp.walkable_check = sp.space0.copy()
            state = self.precipice_slide()
            return (state == COLLIDED, state)
        sp.cell_array_valid = True
        return (True, COLLIDED)

    def _cliff_slide(self, plane: Plane) -> int:
        """Push back along the contour between two slopes. The sign looks wrong and is what all sources have."""
        self._begins(CLIFF_SLIDE)
        sp = self.sp
        px, py, pz = plane.normal
        kx, ky, kz = self.ci.last_known_contact_plane.normal
        cx = py * kz - pz * ky
        cy = pz * kx - px * kz
        small, n = normalize_check_small((-cy, cx, 0.0))
        if small:
            return self._ends(CLIFF_SLIDE, OK)
        x, y, z = sp.global0.center
        ox, oy, oz = block_offset(sp.curr.cell_id, sp.check.cell_id)
        qx, qy, qz = sp.curr_center0
        a = n[0] * (x - qx + ox) + n[1] * (y - qy + oy) + n[2] * (z - qz + oz)
        if a <= 0.0:
            sp.add_offset_to_check_pos((n[0] * a, n[1] * a, n[2] * a))
            self.ci.set_collision_normal(n)
        else:
            sp.add_offset_to_check_pos((n[0] * -a, n[1] * -a, n[2] * -a))
            self.ci.set_collision_normal((-n[0], -n[1], -n[2]))
        return self._ends(CLIFF_SLIDE, ADJUSTED)

    def precipice_slide(self) -> int:
        """Slide along the edge of the polygon that is being left."""
        self._begins(PRECIPICE_SLIDE)
        return self._ends(PRECIPICE_SLIDE, self._slide_along_edge())

    def _slide_along_edge(self) -> int:
        sp = self.sp
        walkable = sp.walkable
        if walkable is None:
            return COLLIDED
        crossed = walkable.find_crossed_edge(sp.walkable_check, sp.walkable_up)
        sp.walkable = None
        if crossed is None:
            return COLLIDED
        sp.step_up = False
        nx, ny, nz = sp.walkable_frame.local_to_global_vec(crossed)
        x, y, z = sp.global0.center
        cx, cy, cz = sp.curr_center0
        ox, oy, oz = block_offset(sp.curr.cell_id, sp.check.cell_id)
        if nx * (x - cx + ox) + ny * (y - cy + oy) + nz * (z - cz + oz) > 0.0:
            nx = -nx
            ny = -ny
            nz = -nz
        return slide_sphere(self, sp.global0.center, (nx, ny, nz), sp.curr_center0)
