"""One sweep asked for by its numbers alone; how captures are replayed (physics.md 7.2)."""

from __future__ import annotations

from engine.geometry.constants import EPSILON, FLOOR_Z
from engine.geometry.frame import Frame
from engine.geometry.polygon import Polygon
from engine.geometry.sphere import Sphere
from engine.geometry.vec import UP, ZERO, Vec3, length2, r24, r24v
from engine.physics.body import Body
from engine.physics.flags import (
    ETHEREAL,
    GRAVITY,
    OI_CONTACT,
    OI_ON_WALKABLE,
    TS_ACTIVE,
    TS_CONTACT,
    TS_ON_WALKABLE,
    TS_SLIDING,
    TS_STATIONARY_FALL,
    TS_STATIONARY_STOP,
    TS_STATIONARY_STUCK,
    TS_WATER_CONTACT,
)
from engine.physics.place import Place, bring_outdoors
from engine.physics.rules import RuleSet
from engine.physics.sweep.collision_info import NO_PLANE
from engine.physics.sweep.trace import SweepObserver
from engine.physics.sweep.transition import Transition
from engine.world.graph.graph import CellGraph


class ResolveBody(Body):
    """The body of a capture. It also remembers the polygon it stands on, in the landblock frame of its cell.

    Its contact plane counts as valid when it has a normal.
    """

    walkable: Polygon | None
    walkable_up: Vec3

    def __init__(self, body_id: int, graph: CellGraph, rules: RuleSet) -> None:
        super().__init__(body_id, graph, rules)
        self.walkable = None
        self.walkable_up = UP


class ResolveResult:
    """The end of a resolved move and its collisions; `cell_id` is the swept cell, never derived from the position."""

    ok: bool
    position: Vec3
    cell_id: int
    cell_changed: bool
    is_on_ground: bool
    in_contact: bool
    on_walkable: bool
    collision_normal_valid: bool
    collision_normal: Vec3
    last_collided_object_id: int
    collided_with_environment: bool
    transition: Transition

    def __init__(self, tr: Transition, ok: bool, cell_id: int) -> None:
        ci = tr.ci
        self.ok = ok
        self.position = tr.sp.curr.origin
        self.cell_id = tr.sp.curr.cell_id
        self.cell_changed = self.cell_id != cell_id
        self.is_on_ground = ci.contact_plane_valid or (tr.oi.state & OI_ON_WALKABLE) != 0
        self.in_contact = ci.contact_plane_valid
        self.on_walkable = ci.contact_plane_valid and ci.contact_plane.normal[2] >= FLOOR_Z
        self.collision_normal_valid = ci.collision_normal_valid
        self.collision_normal = ci.collision_normal
        self.last_collided_object_id = ci.last_collided_object
        self.collided_with_environment = ci.collided_with_environment
        self.transition = tr


def resolve_spheres(radius: float, height: float) -> list[Sphere]:
    """Return a foot and, when the height leaves room, a head, for callers that know only two numbers (7.2)."""
    spheres = [Sphere((0.0, 0.0, radius), radius)]
    if height - radius > radius:
        spheres.append(Sphere((0.0, 0.0, height - radius), radius))
    return spheres


def resolve(
    graph: CellGraph,
    rules: RuleSet,
    current_pos: Vec3,
    target_pos: Vec3,
    cell_id: int,
    sphere_radius: float,
    sphere_height: float,
    step_up_height: float,
    step_down_height: float,
    is_on_ground: bool,
    mover_flags: int = 0,
    moving_entity_id: int = 0,
    body: ResolveBody | None = None,
    observer: SweepObserver | None = None,
    spheres: list[Sphere] | None = None,
) -> ResolveResult:
    """Sweep from `current_pos` to `target_pos`, both in the landblock frame of `cell_id`.

    What is swept are the first two of `spheres`; without them a body of `sphere_radius` and `sphere_height`. A
    refused move leaves the body untouched; its result's position is where the sweep had got to.
    """
    tr = begin_resolve(
        graph,
        rules,
        current_pos,
        target_pos,
        cell_id,
        resolve_spheres(sphere_radius, sphere_height) if spheres is None else spheres,
        is_on_ground,
        mover_flags,
        moving_entity_id,
        body,
    )
    if observer is not None:
        tr.observer = observer
    tr.oi.step_up_height = r24(step_up_height)
    tr.oi.step_down_height = r24(step_down_height)
    ok = tr.find_valid_position()
    if tr.sp.curr_cell is None:
        ok = ok and rules.no_cell_commit
        if ok:
            bring_outdoors(tr.sp.curr)
    result = ResolveResult(tr, ok, cell_id)
    if ok and body is not None:
        write_back(tr, body)
    if tr.observer is not None:
        tr.observer.move_ends(tr, ok)
    return result


def begin_resolve(
    graph: CellGraph,
    rules: RuleSet,
    current_pos: Vec3,
    target_pos: Vec3,
    cell_id: int,
    spheres: list[Sphere],
    is_on_ground: bool,
    mover_flags: int,
    moving_entity_id: int,
    body: ResolveBody | None,
) -> Transition:
    """The sweep, seeded and ready to run."""
    tr = Transition(graph, rules)
    oi = tr.oi
    oi.mover_id = moving_entity_id
    oi.state = mover_flags
    tr.init_spheres(spheres, 1.0)
    turn = Frame() if body is None else body.place.turn
    begin = Place(cell_id, r24v(current_pos), turn)
    end = Place(cell_id, r24v(target_pos), turn)
    tr.init_path(graph.get_visible(cell_id), begin, end)
    if body is None:
        if is_on_ground:
            oi.state |= OI_CONTACT | OI_ON_WALKABLE
    else:
        tr.observer = body.observer
        oi.mover_state = body.state
        oi.ethereal = (body.state & ETHEREAL) != 0
        oi.gravity = (body.state & GRAVITY) != 0
        oi.target_id = body.target_id
        _seed_from_body(tr, body, begin, is_on_ground)
    return tr


def _seed_from_body(tr: Transition, body: ResolveBody, begin: Place, is_on_ground: bool) -> None:
    ci = tr.ci
    transient = body.transient
    plane = body.contact_plane
    n = plane.normal
    if n != ZERO:
        water = (transient & TS_WATER_CONTACT) != 0
        v = body.velocity
        if transient & TS_CONTACT and v[0] * n[0] + v[1] * n[1] + v[2] * n[2] <= EPSILON:
            ci.init_contact_plane(body.contact_plane_cell_id, plane, water)
            tr.oi.state |= OI_CONTACT
            if transient & TS_ON_WALKABLE:
                tr.oi.state |= OI_ON_WALKABLE
        else:
            ci.init_last_known_contact_plane(body.contact_plane_cell_id, plane, water)
    if transient & TS_SLIDING and length2(body.sliding_normal) > EPSILON * EPSILON:
        ci.init_sliding_normal(body.sliding_normal)
    if transient & TS_STATIONARY_STUCK:
        ci.frames_stationary_fall = 3
    elif transient & TS_STATIONARY_STOP:
        ci.frames_stationary_fall = 2
    elif transient & TS_STATIONARY_FALL:
        ci.frames_stationary_fall = 1
    if is_on_ground and body.walkable is not None:
        _seed_walkable(tr, body, begin)


def _seed_walkable(tr: Transition, body: ResolveBody, begin: Place) -> None:
    """The polygon is in the landblock's own frame; the sphere that rests on it is where the move begins."""
    sp = tr.sp
    foot = sp.local0.copy()
    foot.center = r24v(begin.local_to_global(foot.center))
    sp.walkable = body.walkable
    sp.walkable_check = foot
    sp.walkable_up = body.walkable_up
    sp.walkable_cell_id = begin.cell_id
    sp.walkable_frame = Frame()
    sp.walkable_scale = 1.0


def write_back(tr: Transition, body: ResolveBody) -> None:
    """Store the outcome of a successful sweep in the body it was seeded from."""
    ci = tr.ci
    if tr.sp.curr_cell is None:
        body.lose_cell(tr.sp.curr)
        return
    body.place.set_to(tr.sp.curr)
    body.cell = tr.sp.curr_cell
    if ci.contact_plane_valid:
        body.contact_plane = ci.contact_plane
        body.contact_plane_cell_id = ci.contact_plane_cell_id
    elif ci.last_known_contact_plane_valid:
        body.contact_plane = ci.last_known_contact_plane
        body.contact_plane_cell_id = ci.last_known_contact_plane_cell_id
    else:
        body.contact_plane = NO_PLANE
        body.contact_plane_cell_id = 0
    on_walkable = ci.contact_plane_valid and ci.contact_plane.normal[2] >= FLOOR_Z
    body.set_transient(TS_CONTACT, ci.contact_plane_valid)
    body.set_transient(TS_ON_WALKABLE, on_walkable)
    body.set_transient(TS_WATER_CONTACT, ci.contact_plane_is_water)
    frames = ci.frames_stationary_fall
    body.set_transient(TS_STATIONARY_FALL, frames == 1)
    body.set_transient(TS_STATIONARY_STOP, frames == 2)
    body.set_transient(TS_STATIONARY_STUCK, frames == 3)
    body.sliding_normal = ci.sliding_normal
    body.set_transient(TS_SLIDING, ci.sliding_normal_valid)
    if not on_walkable:
        body.walkable = None
    if tr.oi.velocity_stopped:
        body.velocity = ZERO
        body.transient |= TS_ACTIVE
