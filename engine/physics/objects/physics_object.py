"""Objects that bodies collide with, and the rules that exempt a pair from the test (physics.md 4.1, 8.2, 8.6, 8.7)."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Final

from engine.geometry.frame import Frame
from engine.geometry.quat import Quat
from engine.geometry.sphere import Sphere
from engine.geometry.vec import Vec3, distance
from engine.physics.collision.bsp import collide_with_tree, gate_open
from engine.physics.collision.cylinder import cylinder_intersects
from engine.physics.collision.sphere import sphere_intersects
from engine.physics.flags import (
    ENTITY_HAS_WEENIE,
    ENTITY_IS_CREATURE,
    ENTITY_IS_IMPENETRABLE,
    ENTITY_IS_PK,
    ENTITY_IS_PKLITE,
    ENTITY_IS_PLAYER,
    ETHEREAL,
    HAS_PHYSICS_BSP,
    IGNORE_COLLISIONS,
    MISSILE,
    OI_CONTACT,
    OI_IGNORE_CREATURES,
    OI_IS_IMPENETRABLE,
    OI_IS_PK,
    OI_IS_PKLITE,
    OI_IS_PLAYER,
    OI_IS_VIEWER,
    OK,
    STATIC,
)
from engine.physics.sweep.sphere_path import SpherePath
from engine.physics.sweep.trace import FELLOW_PLAYER, IGNORED, MISSILE_RULE, SOFT_FLOOR, UNSEEN_CREATURE
from engine.world.cells.objects import GfxObj, ShadowObject
from engine.world.cells.position import into_block

if TYPE_CHECKING:
    from engine.physics.sweep.transition import Transition

CYLINDER: Final = 0
SPHERE: Final = 1
BSP: Final = 2
EXTENT: Final = 3
"""A part without a physics tree. Nothing collides with it, so it makes no row; but an entity is also where the boxes of
such parts reach (6.7)."""

_GATE_SLACK: Final = 0.0142  # a little more than the root of EPSILON, by which the gate's radius grows at most
_ROUNDINGS: Final = 0.005  # metres; far more than the two ways of computing where a sphere is can differ by

_CORNER: Final = 1.4143  # a little more than the root of 2

COLLISION_TYPE_NAMES: Final = ("cylinder", "sphere", "BSP")

FIRST_PLAYER_ID: Final = 0x50000001
LAST_PLAYER_ID: Final = 0x5FFFFFFF


class ShadowShape:
    """One collision shape of an entity relative to its origin, already scaled by the entity's scale (8.2)."""

    gfxobj: GfxObj | None
    local_position: Vec3
    local_rotation: Quat
    local_frame: Frame
    scale: float
    collision_type: int
    radius: float
    cyl_height: float

    def __init__(
        self,
        gfxobj: GfxObj | None,
        local_position: Vec3,
        local_rotation: Quat,
        scale: float,
        collision_type: int,
        radius: float,
        cyl_height: float,
    ) -> None:
        self.gfxobj = gfxobj
        self.local_position = local_position
        self.local_rotation = local_rotation
        self.local_frame = Frame(local_position, local_rotation)
        self.scale = scale
        self.collision_type = collision_type
        self.radius = radius
        self.cyl_height = cyl_height


class ShadowEntry:
    """One row: a shape where it stands, in the landblock frame of `cell_id`. A row never changes, it is replaced.

    `bound` is what a sphere must come near for the shape to be asked. For a tree it is the tree's own bounding sphere
    where it really is (8.6), and wider than the exact gate (3.9) lets in. Turned inside out there is none.
    """

    entity_id: int
    shape: ShadowShape
    cell_id: int
    frame: Frame
    bound: Sphere | None

    def __init__(self, entity_id: int, shape: ShadowShape, cell_id: int, frame: Frame) -> None:
        self.entity_id = entity_id
        self.shape = shape
        self.cell_id = cell_id
        self.frame = frame
        self.bound = None
        gfxobj = shape.gfxobj
        scale = shape.scale
        if gfxobj is not None and gfxobj.physics_tree is not None and scale > 0.0:
            sphere = gfxobj.physics_tree.root.sphere
            x, y, z = sphere.center
            center = frame.local_to_global((x * scale, y * scale, z * scale))
            self.bound = Sphere(center, sphere.radius * scale + (_GATE_SLACK * scale + _ROUNDINGS))
        elif shape.collision_type == SPHERE:
            self.bound = Sphere(frame.origin, abs(shape.radius) + _ROUNDINGS)
        elif shape.collision_type == CYLINDER:
            x, y, z = frame.origin
            half = shape.cyl_height * 0.5
            reach = math.sqrt(shape.radius * shape.radius + half * half)
            self.bound = Sphere((x, y, z + half), reach + _ROUNDINGS)

    def is_clear_of(self, sp: SpherePath) -> bool:
        """Whether both spheres of the candidate stay clear. A NaN is never clear of anything."""
        bound = self.bound
        if bound is None:
            return False
        center = into_block(sp.check.cell_id, self.cell_id, bound.center)
        if not _apart(sp.global0, center, bound.radius):
            return False
        return sp.num_sphere < 2 or _apart(sp.global1, center, bound.radius)


def bound_of(rows: list[ShadowEntry]) -> Sphere | None:
    """A sphere round the bounds of all rows of one thing; None when a row has none, or there are no rows."""
    if not rows:
        return None
    x = y = z = 0.0
    for row in rows:
        if row.bound is None:
            return None
        x += row.bound.center[0]
        y += row.bound.center[1]
        z += row.bound.center[2]
    count = float(len(rows))
    middle: Vec3 = (x / count, y / count, z / count)
    radius = 0.0
    for row in rows:
        if row.bound is not None:
            radius = max(radius, distance(middle, row.bound.center) + row.bound.radius)
    return Sphere(middle, radius)


def _apart(sphere: Sphere, center: Vec3, radius: float) -> bool:
    x, y, z = sphere.center
    x -= center[0]
    y -= center[1]
    z -= center[2]
    reach = sphere.radius + radius
    return x * x + y * y + z * z > reach * reach


class PhysicsObj(ShadowObject):
    """An entity as a sweep meets it: its state, flags and rows."""

    state: int
    flags: int
    parent_id: int
    target_id: int
    is_static: bool
    """It stands where a record of the world places it, whatever its state says."""
    rows: list[ShadowEntry]
    bound: Sphere | None
    """Round all its rows, in the landblock frame of `bound_cell_id`; None when it cannot be said."""
    bound_cell_id: int

    def __init__(self, object_id: int, state: int, flags: int, rows: list[ShadowEntry]) -> None:
        super().__init__(object_id)
        self.state = state
        self.flags = flags
        self.parent_id = 0
        self.target_id = 0
        self.is_static = False
        self.rows = rows
        self.bound = None
        self.bound_cell_id = 0

    def is_clear_of(self, sp: SpherePath) -> bool:
        """Whether both spheres of the candidate stay clear of all its shapes. Cylinders are met up to their corners,
        where the distance of a sphere that touches is its radius times the root of 2. A NaN is never clear."""
        bound = self.bound
        if bound is None or (sp.collide and sp.num_sphere < 2):  # `ace` lands one sphere where it met nothing (4.3)
            return False
        cx, cy, cz = into_block(sp.check.cell_id, self.bound_cell_id, bound.center)
        sphere = sp.global0
        reach = sphere.radius
        if sp.num_sphere > 1 and sp.global1.radius > reach:
            reach = sp.global1.radius
        reach = reach * _CORNER + bound.radius
        reach *= reach
        x, y, z = sphere.center
        x -= cx
        y -= cy
        z -= cz
        if not x * x + y * y + z * z > reach:
            return False
        if sp.num_sphere < 2:
            return True
        x, y, z = sp.global1.center
        x -= cx
        y -= cy
        z -= cz
        return x * x + y * y + z * z > reach


def bsp_only_dispatch(state: int) -> bool:
    """An object with that state is tested by its parts alone, its cylinders and spheres are ignored (4.1, 8.3)."""
    return (state & HAS_PHYSICS_BSP) != 0


def find_obj_collisions(tr: Transition, obj: PhysicsObj) -> int:
    """Test one object, and decide what its answer means for the sweep (4.1)."""
    state = obj.state
    oi = tr.oi
    sp = tr.sp
    creature = (obj.flags & ENTITY_IS_CREATURE) != 0 and (obj.flags & ENTITY_HAS_WEENIE) != 0
    if state & ETHEREAL and state & IGNORE_COLLISIONS:
        return _skipped(tr, obj, IGNORED)
    if oi.state & OI_IS_VIEWER and creature:
        return _skipped(tr, obj, UNSEEN_CREATURE)
    soft = False
    if state & ETHEREAL or (oi.ethereal and not state & STATIC):
        if sp.step_down:
            return _skipped(tr, obj, SOFT_FLOOR)
        soft = True
    if player_exempt(tr, obj):
        return _skipped(tr, obj, FELLOW_PLAYER)
    if (state | oi.mover_state) & MISSILE and missile_ignore(tr, obj):
        return _skipped(tr, obj, MISSILE_RULE)
    if tr.observer is not None:
        tr.observer.object_begins(tr, obj)
    sp.obstruction_ethereal = soft
    like_creature = creature or (state & MISSILE) != 0
    result = _test_shapes(tr, obj, like_creature)
    if result != OK:
        result = _resolve_hit(tr, obj, result, soft, like_creature)
    sp.obstruction_ethereal = False
    if tr.observer is not None:
        tr.observer.object_ends(tr, obj, result)
    return result


def _skipped(tr: Transition, obj: PhysicsObj, why: int) -> int:
    if tr.observer is not None:
        tr.observer.object_skipped(tr, obj, why)
    return OK


def _test_shapes(tr: Transition, obj: PhysicsObj, like_creature: bool) -> int:
    """Parts or primitives, never both; cylinders win over spheres. The first answer decides."""
    trees_only = bsp_only_dispatch(obj.state)
    has_cylinder = False
    for row in obj.rows:
        shape = row.shape
        kind = shape.collision_type
        if trees_only:
            if kind != BSP:
                continue
        elif kind == CYLINDER:
            has_cylinder = True
        elif kind != SPHERE or has_cylinder:
            continue
        if tr.observer is not None:
            tr.observer.row_begins(tr, row)
        if kind == BSP:
            result = _test_tree(tr, row)
        elif kind == CYLINDER:
            low = into_block(tr.sp.check.cell_id, row.cell_id, row.frame.origin)
            result = cylinder_intersects(tr, low, shape.radius, shape.cyl_height, row.frame)
        else:
            centre = into_block(tr.sp.check.cell_id, row.cell_id, row.frame.origin)
            result = sphere_intersects(tr, centre, shape.radius, like_creature)
        if tr.observer is not None:
            tr.observer.row_ends(tr, row, result)
        if result != OK:
            return result
    return OK


def _test_tree(tr: Transition, row: ShadowEntry) -> int:
    gfxobj = row.shape.gfxobj
    if gfxobj is None or gfxobj.physics_tree is None:
        return OK
    if (tr.observer is None or not tr.observer.hears_of_clear_shapes()) and row.is_clear_of(tr.sp):
        return OK  # the exact gate answers the same
    tr.sp.cache_local_space_sphere(row.cell_id, row.frame, row.shape.scale)
    if not gate_open(tr.sp, gfxobj.physics_tree):
        return OK
    return collide_with_tree(tr, gfxobj.physics_tree, row.shape.scale)


def _resolve_hit(tr: Transition, obj: PhysicsObj, result: int, soft: bool, like_creature: bool) -> int:
    """Every non-OK answer outside a step down is recorded, whatever pass asked for it. STATIC is asked first."""
    if tr.sp.step_down:
        return result
    ci = tr.ci
    if obj.state & STATIC:
        if not tr.oi.state & OI_CONTACT:
            ci.collided_with_environment = True
        return result
    if soft or (like_creature and tr.oi.state & OI_IGNORE_CREATURES):
        ci.collision_normal_valid = False
        ci.add_object(obj.object_id, OK)  # touched, not blocked
        return OK
    ci.add_object(obj.object_id, result)
    return result


def player_exempt(tr: Transition, obj: PhysicsObj) -> bool:
    """Ordinary players walk through each other (8.7)."""
    mover = tr.oi.state
    if not (mover & OI_IS_PLAYER and obj.flags & ENTITY_IS_PLAYER):
        return False
    if mover & OI_IS_IMPENETRABLE or obj.flags & ENTITY_IS_IMPENETRABLE:
        return False
    if mover & OI_IS_PK and obj.flags & ENTITY_IS_PK:
        return False
    return not (mover & OI_IS_PKLITE and obj.flags & ENTITY_IS_PKLITE)


def missile_ignore(tr: Transition, obj: PhysicsObj) -> bool:
    """Whether a missile ignores the object, or the object is a missile (8.7, rule `missile_ignore`)."""
    oi = tr.oi
    ace = not tr.rules.missile_ignore
    if obj.state & MISSILE:
        if not ace:
            return True
        # `ace`: a player is hit by a missile unless it flies at somebody else; players are told by their ids.
        if not FIRST_PLAYER_ID <= oi.mover_id <= LAST_PLAYER_ID:
            return True
        target = obj.target_id
        return target != 0 and target != oi.mover_id
    if not oi.mover_state & MISSILE or obj.object_id == oi.target_id:
        return False
    has_weenie = ace or (obj.flags & ENTITY_HAS_WEENIE) != 0
    if obj.state & ETHEREAL and has_weenie:
        return True
    return oi.target_id != 0 and has_weenie and (obj.flags & ENTITY_IS_CREATURE) != 0
