"""The words and values that a recorder takes from a running sweep."""

from __future__ import annotations

from typing import Final

from engine.geometry.bsp import PhysicsInner, PhysicsLeaf, PhysicsNode, PhysicsTree
from engine.geometry.sphere import Sphere
from engine.physics.flags import INITIAL_PLACEMENT, OI_CONTACT, OI_ON_WALKABLE, PLACEMENT
from engine.physics.sweep.trace import MEETING_NAMES, PUSHED
from engine.physics.sweep.transition import Transition
from engine.sim.trace import tree as nodes
from engine.sim.trace.tree import PlaneRecord, SweepState, TraceNode

SKIPPED: Final = (
    "ethereal and ignoring collisions",
    "a creature, not met by a viewer",
    "ethereal things are not floors",
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


def environment_text(tr: Transition) -> str:
    return "collided with the environment" if tr.ci.collided_with_environment else ""


def branch_of(tr: Transition) -> str:
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


def meeting_text(sphere: int, how: int) -> str:
    if how == PUSHED:
        return f"the {SPHERE_NAMES[sphere]} is {MEETING_NAMES[how]} it"
    if MEETING_NAMES[how] == "floor":
        return "a floor for the foot"
    by = "hit by" if MEETING_NAMES[how] == "hit" else "touched, but being left, by"
    return f"{by} the {SPHERE_NAMES[sphere]}"


def last_polygon(node: TraceNode) -> str:
    """The polygon that decided, for a reason: the last one met below the node, but not within a nested probe."""
    for child in reversed(node.children):
        if child.kind == nodes.POLYGON and child.polygon_id != nodes.NO_POLYGON:
            return f", polygon {child.polygon_id}"
        if child.kind == nodes.TREE:
            return last_polygon(child)
    return ""


def solid_leaf(tree: PhysicsTree, sphere: Sphere) -> PhysicsLeaf | None:
    """Return the leaf that contains the sphere's centre, if it is solid (3.3)."""
    node: PhysicsNode | None = tree.root
    while isinstance(node, PhysicsInner):
        node = node.neg if node.plane.dist(sphere.center) < 0.0 else node.pos
    return node if isinstance(node, PhysicsLeaf) and node.solid and node.polygons else None
