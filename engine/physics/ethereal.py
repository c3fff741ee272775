"""Becoming solid again only where nobody is inside (spec/physics.md 8.8)."""

from __future__ import annotations

from engine.physics.body import Body
from engine.physics.objects import PhysicsObj
from engine.physics.placement import check_collisions
from engine.physics.shadows import ShadowRegistry


def ethereal_check_for_collisions(registry: ShadowRegistry, obj: PhysicsObj, bodies: dict[int, Body]) -> bool:
    """Whether a body in one of the object's cells overlaps it. What has no body never moved in and does not count."""
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
