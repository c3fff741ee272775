"""Objects become passable at once, and solid again only when no body is inside (physics.md 8.8, 9.4)."""

from __future__ import annotations

from engine.physics.body import Body
from engine.physics.flags import ETHEREAL, TS_SLIDING
from engine.physics.objects.physics_object import PhysicsObj
from engine.physics.objects.shadows import ShadowRegistry
from engine.physics.sweep.placement import check_collisions


def set_ethereal(registry: ShadowRegistry, obj: PhysicsObj, ethereal: bool, bodies: dict[int, Body]) -> bool:
    """Make an object passable or solid. False: it stays passable because a body is inside; ask again later."""
    if ethereal:
        obj.state |= ETHEREAL
        forget_slides(bodies)
        return True
    obj.state &= ~ETHEREAL
    if obj.parent_id == 0 and ethereal_check_for_collisions(registry, obj, bodies):
        obj.state |= ETHEREAL
        return False
    return True


def forget_slides(bodies: dict[int, Body]) -> None:
    """Clear the sliding normals of the bodies, whose obstacles may be gone.

    A body that pushes exactly head-on at the surface it slid along is refused without a sweep (5.4, 5.14), and would
    be refused for ever. The first step through a freshly opened door is to depend only on the state flip (9.4), so the
    code that removes an obstacle calls this. If the obstacle is still there, the next sweep finds it again.
    """
    for body in bodies.values():
        body.transient &= ~TS_SLIDING


def ethereal_check_for_collisions(registry: ShadowRegistry, obj: PhysicsObj, bodies: dict[int, Body]) -> bool:
    """Whether a body in one of the object's cells overlaps it. Things without a body never move and do not count."""
    asked: list[int] = []
    for cell_id in registry.cells_of(obj.object_id):
        cell = registry.graph.peek(cell_id)
        if cell is None:
            continue
        for shadow in cell.shadow_objects:
            other = shadow.object_id
            if other == obj.object_id or other in asked:
                continue
            asked.append(other)
            body = bodies.get(other)
            if body is not None and check_collision(body, obj):
                return True
    return False


def check_collision(body: Body, obj: PhysicsObj) -> bool:
    """Whether the body, where it is, overlaps the object (`check_collision`)."""
    if body.cell is None:
        return False
    tr = body.new_transition()
    tr.init_path(body.cell, None, body.place)
    return check_collisions(tr, obj)
