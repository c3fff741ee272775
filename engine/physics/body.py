"""The moving body: its sweeps, and what their results do to it (physics.md 5.3, 7.1, 11.1, 11.5)."""

from __future__ import annotations

from typing import Final

from engine.geometry.constants import (
    DUMMY_SPHERE_RADIUS,
    EPSILON,
    FLOOR_Z,
)
from engine.geometry.sphere import Sphere
from engine.geometry.vec import ZERO, Vec3
from engine.physics.flags import (
    ALIGN_PATH,
    EDGE_SLIDE,
    ETHEREAL,
    FROZEN,
    HIDDEN,
    IGNORE_COLLISIONS,
    INELASTIC,
    MISSILE,
    OI_CONTACT,
    OI_EDGE_SLIDE,
    OI_FREE_ROTATE,
    OI_ON_WALKABLE,
    OI_PATH_CLIPPED,
    PATH_CLIPPED,
    REPORT_AS_ENVIRONMENT,
    REPORT_COLLISIONS,
    SLEDDING,
    STATIC,
    TS_ACTIVE,
    TS_CHECK_ETHEREAL,
    TS_CONTACT,
    TS_ON_WALKABLE,
    TS_SLIDING,
    TS_STATIONARY_FALL,
    TS_STATIONARY_STOP,
    TS_STATIONARY_STUCK,
    TS_WATER_CONTACT,
)
from engine.physics.flags import GRAVITY as STATE_GRAVITY
from engine.physics.kinematics import Kinematics
from engine.physics.objects.restrictions import NOBODY_IS_KNOWN, Restrictions
from engine.physics.objects.shadows import ShadowRegistry
from engine.physics.place import Place, bring_outdoors
from engine.physics.rules import RuleSet
from engine.physics.sweep.collision_info import CollisionInfo
from engine.physics.sweep.trace import SweepObserver
from engine.physics.sweep.transition import Transition
from engine.world.cells.cell import ObjCell
from engine.world.cells.position import into_block
from engine.world.graph.graph import CellGraph

_STATIONARY: Final = TS_STATIONARY_FALL | TS_STATIONARY_STOP | TS_STATIONARY_STUCK


class Body(Kinematics):
    """A thing that moves by sweeps. Only `change_cell` and `leave_cell` change its cell."""

    id: int
    graph: CellGraph
    registry: ShadowRegistry | None
    cell: ObjCell | None
    held: Place | None
    """The last place at which a cell held the body, while it is lost (physics.md #8)."""
    spheres: list[Sphere]
    scale: float
    step_up_height: float
    step_down_height: float
    info_flags: int
    target_id: int
    free_heading: bool
    cached_velocity: Vec3
    contact_plane_cell_id: int
    sliding_normal: Vec3
    colliding_with_environment: bool
    last_transition: Transition | None
    _sweep: Transition | None
    _sweep_before: Transition | None
    observer: SweepObserver | None
    restrictions: Restrictions

    def __init__(self, body_id: int, graph: CellGraph, rules: RuleSet) -> None:
        super().__init__(rules)
        self.id = body_id
        self.graph = graph
        self.registry = None
        self.cell = None
        self.held = None
        self.spheres = []
        self.scale = 1.0
        self.step_up_height = 0.0
        self.step_down_height = 0.0
        self.info_flags = 0
        self.target_id = 0
        self.free_heading = False
        self.cached_velocity = ZERO
        self.contact_plane_cell_id = 0
        self.sliding_normal = ZERO
        self.colliding_with_environment = False
        self.last_transition = None
        self._sweep = None
        self._sweep_before = None
        self.observer = None
        self.restrictions = NOBODY_IS_KNOWN

    # --- starting a sweep (5.3)

    def new_transition(self) -> Transition:
        """A sweep that knows this body."""
        tr = Transition(self.graph, self.rules)
        self._tell(tr)
        return tr

    def _tell(self, tr: Transition) -> None:
        """What a sweep has to know of this body."""
        tr.observer = self.observer
        tr.restrictions = self.restrictions
        oi = tr.oi
        oi.scale = self.scale
        oi.step_up_height = self.step_up_height
        oi.step_down_height = self.step_down_height
        oi.ethereal = (self.state & ETHEREAL) != 0
        oi.step_down = not self.state & MISSILE
        oi.gravity = (self.state & STATE_GRAVITY) != 0
        oi.mover_id = self.id
        oi.mover_state = self.state
        oi.target_id = self.target_id
        oi.state = self.info_flags
        if self.state & EDGE_SLIDE:
            oi.state |= OI_EDGE_SLIDE
        if self.free_heading:
            oi.state |= OI_FREE_ROTATE
        if self.state & MISSILE:
            oi.state |= OI_PATH_CLIPPED
        spheres = self.spheres
        if not spheres:
            spheres = [Sphere((0.0, 0.0, DUMMY_SPHERE_RADIUS), DUMMY_SPHERE_RADIUS)]
        tr.init_spheres(spheres, self.scale)

    def _hand_over_contact(self, tr: Transition) -> None:
        """The body's contact and sliding state, as a sweep begins with it."""
        ci = tr.ci
        if self.transient & TS_CONTACT:
            water = (self.transient & TS_WATER_CONTACT) != 0
            plane = self.contact_plane
            v = self.velocity
            n = plane.normal
            if v[0] * n[0] + v[1] * n[1] + v[2] * n[2] > EPSILON:
                ci.init_last_known_contact_plane(self.contact_plane_cell_id, plane, water)
            else:
                ci.init_contact_plane(self.contact_plane_cell_id, plane, water)
                tr.oi.state |= OI_CONTACT
                if self.transient & TS_ON_WALKABLE:
                    tr.oi.state |= OI_ON_WALKABLE
        if self.transient & TS_SLIDING:
            ci.init_sliding_normal(self.sliding_normal)

    def begin_transition(self, end: Place) -> Transition:
        """A sweep from where the body is to `end`, ready to run. It holds until the next one but one begins: two are
        used in turn, for making one costs as much as a third of a plain step. An observer may keep his."""
        tr = self._sweep_before
        if self.observer is not None or tr is None:
            tr = self.new_transition()
        else:
            tr.begin_again()
            self._tell(tr)
        self._sweep_before = self._sweep
        self._sweep = tr if self.observer is None else None
        self._hand_over_contact(tr)
        tr.init_path(self.cell, self.place.copy(), end)
        if self.transient & TS_STATIONARY_STUCK:
            tr.ci.frames_stationary_fall = 3
        elif self.transient & TS_STATIONARY_STOP:
            tr.ci.frames_stationary_fall = 2
        elif self.transient & TS_STATIONARY_FALL:
            tr.ci.frames_stationary_fall = 1
        return tr

    def move_to(self, end: Place, quantum: float = 0.0) -> bool:
        """Ask for a position and commit what the sweep makes of it; False: refused, and nothing has changed (7.1).

        The sweep stays in `last_transition`; it is None when the position asked for is the one the body has.
        """
        self.last_transition = None
        if self._is_here(end):
            if not self.rules.skip_origin:
                self.place.origin = end.origin
            self.place.turn = end.turn
            self.cached_velocity = ZERO
            return True
        tr = self.begin_transition(end)
        self.last_transition = tr
        done = tr.find_valid_position()
        if tr.oi.velocity_stopped:
            self.velocity = ZERO
            self.transient |= TS_ACTIVE
        if not done or (tr.sp.curr_cell is None and not self.rules.no_cell_commit):
            self.place.turn = end.turn
            self.cached_velocity = ZERO
            if self.observer is not None:
                self.observer.move_ends(tr, False)
            return False
        if quantum > 0.0:
            x, y, z = into_block(self.place.cell_id, tr.sp.curr.cell_id, tr.sp.curr.origin)
            bx, by, bz = self.place.origin
            self.cached_velocity = ((x - bx) / quantum, (y - by) / quantum, (z - bz) / quantum)
        self.commit(tr)
        if self.observer is not None:
            self.observer.move_ends(tr, True)
        return True

    def _is_here(self, end: Place) -> bool:
        """Nothing is asked for but perhaps a turn, which the client never sweeps for (rule `skip_origin`)."""
        if end.cell_id != self.place.cell_id or not end.origin_equals(self.place):
            return False
        return self.rules.skip_origin or not self.rules.frame_equality or end.turn_equals(self.place)

    # --- committing (7.1)

    def commit(self, tr: Transition) -> None:
        """`SetPositionInternal`: take over where a successful sweep ended and what it touched."""
        sp = tr.sp
        ci = tr.ci
        cell = sp.curr_cell
        if cell is None:
            bring_outdoors(sp.curr)
            self.lose_cell(sp.curr)
            return
        was_in_contact, was_on_walkable = self.contact_bits()
        self.place.set_to(sp.curr)
        if cell is not self.cell:
            self.change_cell(cell)
        self.contact_plane = ci.contact_plane
        self.contact_plane_cell_id = ci.contact_plane_cell_id
        self.set_transient(TS_CONTACT, ci.contact_plane_valid)
        self.calc_acceleration()
        self.set_transient(TS_WATER_CONTACT, ci.contact_plane_is_water)
        if ci.contact_plane_valid:
            self.set_on_walkable(ci.contact_plane.normal[2] >= FLOOR_Z)
        else:
            self.set_transient(TS_ON_WALKABLE, False)
            if was_on_walkable:
                self.leave_ground()
            self.calc_acceleration()
        self.sliding_normal = ci.sliding_normal
        self.set_transient(TS_SLIDING, ci.sliding_normal_valid)
        self.handle_all_collisions(ci, was_in_contact, was_on_walkable)
        if self.registry is not None:
            self.registry.body_moved(self.id, self.place, tr.ca)

    def lose_cell(self, place: Place) -> None:
        """Move the body to where no cell is (physics.md #8): no other body meets this one there, and it sleeps.
        Contact, plane and velocity stay as they are."""
        old = self.cell
        if old is not None:
            self.held = self.place.copy()
        registry = self.registry
        if registry is not None and self.id in registry.entities:
            registry.take_out(self.id)
        self.leave_cell()
        self.place.set_to(place)
        self.transient &= ~TS_ACTIVE
        if self.observer is not None and old is not None:
            self.observer.cell_changed(self.id, old.id, 0)

    @property
    def is_lost(self) -> bool:
        """Whether the body has left all cells; a body that was never in any cell is not lost."""
        return self.cell is None and self.held is not None

    def change_cell(self, cell: ObjCell) -> None:
        """Enter a cell. Only this and `lose_cell` report a change of cell."""
        old_id = 0 if self.cell is None else self.cell.id
        self.leave_cell()
        self.held = None
        cell.object_list.append(self.id)
        self.cell = cell
        self.place.cell_id = cell.id
        if self.observer is not None:
            self.observer.cell_changed(self.id, old_id, cell.id)

    def leave_cell(self) -> None:
        """Leave the current cell; a body that stays in the world enters its next one at once."""
        old = self.cell
        if old is not None and self.id in old.object_list:
            old.object_list.remove(self.id)
        self.cell = None

    def set_on_walkable(self, on: bool) -> None:
        was = (self.transient & TS_ON_WALKABLE) != 0
        self.set_transient(TS_ON_WALKABLE, on)
        if on and not was:
            self.hit_ground()
        elif was and not on:
            self.leave_ground()
        self.calc_acceleration()

    def hit_ground(self) -> None:
        """Only a body with movement of its own resumes it."""

    def leave_ground(self) -> None:
        """A body without movement of its own keeps the velocity it has."""

    # --- stepping (11.1)

    def motion(self, quantum: float) -> Place:
        """Return the place to which the body's own motion takes it in a quantum; without motion, it stays (11.2)."""
        return self.place

    def retry_becoming_solid(self) -> None:
        """A body with CHECK_ETHEREAL asks at each step whether it is alone yet (8.8)."""

    def step(self, quantum: float) -> bool:
        """One quantum (`update_object_internal`, 11.1); False when the sweep was refused."""
        self.last_transition = None
        if self.cell is None or self.state & FROZEN:
            self.transient &= ~TS_ACTIVE
        if not self.transient & TS_ACTIVE:
            return True
        if self.transient & TS_CHECK_ETHEREAL:
            self.retry_becoming_solid()
        end = self.motion(quantum)
        if not self.state & HIDDEN:
            end = self.update_physics_internal(quantum, end.origin, end.turn)
        if not self.spheres:
            if not self.has_movement and self.transient & TS_ON_WALKABLE:
                self.transient &= ~TS_ACTIVE
            self.place.turn = end.turn
            return True
        if self.state & (ALIGN_PATH | SLEDDING):
            end = self._facing_motion(end)
        return self.move_to(end, quantum)

    def _facing_motion(self, end: Place) -> Place:
        """A missile faces along its displacement, a sled along its velocity."""
        along = self.velocity
        if self.state & ALIGN_PATH:
            x, y, z = end.origin
            bx, by, bz = self.place.origin
            along = (x - bx, y - by, z - bz)
        return Place(end.cell_id, end.origin, end.turn.set_vector_heading(along))

    # --- collisions (11.5)

    def handle_all_collisions(self, ci: CollisionInfo, was_in_contact: bool, was_on_walkable: bool) -> bool:
        """Bounce off what stopped the body, and keep count of the frames in which it was stuck.

        Returns True when a collision was reported.
        """
        told = False
        on_walkable = (self.transient & TS_ON_WALKABLE) != 0
        for object_id in ci.collide_objects:
            if self._track_object_collision(object_id):
                told = True
        bounce = not (was_on_walkable and on_walkable and not self.state & SLEDDING)
        if self.colliding_with_environment:
            self.colliding_with_environment = ci.collided_with_environment
        elif ci.collided_with_environment or (not was_on_walkable and on_walkable):
            told = self._report_environment_collision() or told
        frames = ci.frames_stationary_fall
        if frames > 1:
            self.velocity = ZERO
            if frames == 3:
                self.transient &= ~_STATIONARY
                return told
        elif bounce and ci.collision_normal_valid:
            if self.state & INELASTIC:
                self.velocity = ZERO
                if not self.rules.inelastic_reports:
                    self._report_environment_collision()
            else:
                self.bounce(ci.collision_normal)
        if frames == 0:
            self.transient &= ~_STATIONARY
        elif frames == 1:
            self.transient |= TS_STATIONARY_FALL
        else:
            self.transient |= TS_STATIONARY_STOP
        return told

    def _track_object_collision(self, object_id: int) -> bool:
        """A missile that hits something solid stops being one; a static thing counts as environment."""
        registry = self.registry
        target_state = 0
        if registry is not None and object_id in registry.entities:
            target_state = registry.entity(object_id).obj.state
        if target_state & (STATIC | REPORT_AS_ENVIRONMENT):
            return self._report_environment_collision()
        told = False
        if not target_state & IGNORE_COLLISIONS:
            told = (self.state & REPORT_COLLISIONS) != 0
            if self.state & MISSILE:
                self.state &= ~(MISSILE | ALIGN_PATH | PATH_CLIPPED)
        return told or ((target_state & REPORT_COLLISIONS) != 0 and not self.state & IGNORE_COLLISIONS)

    def _report_environment_collision(self) -> bool:
        """Report once per contact. A missile that hit something stops being one (rule `missile_env_clear`)."""
        if self.colliding_with_environment:
            return False
        self.colliding_with_environment = True
        told = (self.state & REPORT_COLLISIONS) != 0
        if self.rules.missile_env_clear:
            self.state &= ~(MISSILE | ALIGN_PATH | PATH_CLIPPED)
        else:
            self.state &= ~MISSILE
        return told
