"""Physics trees deeper than calls may go: the queries of `bsp` as loops, with a list of the children that wait.

Real trees stay far below a hundred levels, and there a call for the child behind a straddled plane is the fastest. A
damaged file may have a tree of any depth, and compiled code has no guard against running out of stack. So the upper
nodes of such a tree, those with more than `MAX_CALLS` levels, are of this class. The answers are the same to the bit.
"""

from __future__ import annotations

from engine.geometry.bsp import MAX_CALLS, PhysicsInner, PhysicsNode, RayHit, SolidState, ray_reaches
from engine.geometry.constants import EPSILON
from engine.geometry.plane import Plane
from engine.geometry.polygon import PolyHit, WalkProbe
from engine.geometry.sphere import Sphere
from engine.geometry.vec import Vec3


def physics_node(plane: Plane, pos: PhysicsNode | None, neg: PhysicsNode | None, sphere: Sphere) -> PhysicsInner:
    """An inner node over children of any depth."""
    below = max(0 if pos is None else pos.depth, 0 if neg is None else neg.depth)
    return PhysicsInner(plane, pos, neg, sphere) if below < MAX_CALLS else PhysicsDeep(plane, pos, neg, sphere)


class PhysicsDeep(PhysicsInner):
    """An inner node with more levels below than calls may go down."""

    def goes_deep(self) -> bool:
        return True

    def sphere_intersects_poly(self, sphere: Sphere, move: Vec3, out: PolyHit) -> bool:
        x, y, z = sphere.center
        reach = sphere.radius - EPSILON
        waiting: list[PhysicsNode] | None = None
        node: PhysicsNode = self
        while True:
            child: PhysicsNode | None = None
            if not isinstance(node, PhysicsDeep):
                if node.sphere_intersects_poly(sphere, move, out):
                    return True
            elif node.sphere.intersects(sphere):
                nx, ny, nz = node.normal
                t = nx * x + ny * y + nz * z + node.d
                child = node.neg
                if t >= reach:
                    child = node.pos
                elif not t <= -reach:
                    first = node.pos
                    if first is not None:
                        if child is not None:
                            if waiting is None:
                                waiting = []
                            waiting.append(child)
                        child = first
            if child is None:
                if not waiting:
                    return False
                child = waiting.pop()
            node = child

    def sphere_intersects_solid(self, sphere: Sphere, centre_check: bool) -> bool:
        x, y, z = sphere.center
        reach = sphere.radius - EPSILON
        waiting: list[tuple[PhysicsNode, bool]] | None = None
        node: PhysicsNode = self
        while True:
            child: PhysicsNode | None = None
            if not isinstance(node, PhysicsDeep):
                if node.sphere_intersects_solid(sphere, centre_check):
                    return True
            elif node.sphere.intersects(sphere):
                nx, ny, nz = node.normal
                t = nx * x + ny * y + nz * z + node.d
                child = node.neg
                if t >= reach:
                    child = node.pos
                elif not t <= -reach:
                    behind = t < 0.0
                    first = node.pos
                    if first is None:
                        centre_check = centre_check and behind
                    else:
                        if child is not None:
                            if waiting is None:
                                waiting = []
                            waiting.append((child, centre_check and behind))
                        child = first
                        centre_check = centre_check and not behind
            if child is None:
                if not waiting:
                    return False
                child, centre_check = waiting.pop()
            node = child

    def sphere_intersects_solid_poly(
        self, sphere: Sphere, radius: float, state: SolidState, centre_check: bool
    ) -> bool:
        x, y, z = sphere.center
        reach = radius - EPSILON
        waiting: list[PhysicsNode | None] | None = None
        node: PhysicsNode | None = self
        while True:
            child: PhysicsNode | None = None
            result = False
            if node is None:
                pass
            elif not isinstance(node, PhysicsDeep):
                result = node.sphere_intersects_solid_poly(sphere, radius, state, centre_check)
            elif node.sphere.intersects(sphere):
                nx, ny, nz = node.normal
                t = nx * x + ny * y + nz * z + node.d
                child = node.neg
                if t >= reach:
                    child = node.pos
                elif not t <= -reach:
                    first = node.pos
                    if t < 0.0 or (t == 0.0 and not state.positive_first):
                        child, first = first, child
                    if first is None:
                        centre_check = False
                    else:
                        if waiting is None:
                            waiting = []
                        waiting.append(child)  # a missing one too: its turn decides the answer
                        child = first
            if child is None:
                if not waiting:
                    return result
                if state.poly is not None:
                    return state.centre_solid
                node = waiting.pop()
                centre_check = False
            else:
                node = child

    def find_walkable(self, probe: WalkProbe, sphere: Sphere, out: PolyHit, move: Vec3, up: Vec3) -> None:
        waiting: list[PhysicsNode] | None = None
        node: PhysicsNode = self
        while True:
            child: PhysicsNode | None = None
            if not isinstance(node, PhysicsDeep):
                node.find_walkable(probe, sphere, out, move, up)
            elif node.sphere.intersects(sphere):
                x, y, z = sphere.center  # read at each node: a floor found before has moved it
                reach = sphere.radius - EPSILON
                nx, ny, nz = node.normal
                t = nx * x + ny * y + nz * z + node.d
                child = node.neg
                if t >= reach:
                    child = node.pos
                elif not t <= -reach:
                    first = node.pos
                    if first is not None:
                        if child is not None:
                            if waiting is None:
                                waiting = []
                            waiting.append(child)
                        child = first
            if child is None:
                if not waiting:
                    return
                child = waiting.pop()
            node = child

    def hits_walkable(self, probe: WalkProbe, sphere: Sphere, up: Vec3) -> bool:
        x, y, z = sphere.center
        reach = sphere.radius - EPSILON
        waiting: list[PhysicsNode] | None = None
        node: PhysicsNode = self
        while True:
            child: PhysicsNode | None = None
            if not isinstance(node, PhysicsDeep):
                if node.hits_walkable(probe, sphere, up):
                    return True
            elif node.sphere.intersects(sphere):
                nx, ny, nz = node.normal
                t = nx * x + ny * y + nz * z + node.d
                child = node.neg
                if t >= reach:
                    child = node.pos
                elif not t <= -reach:
                    first = node.pos
                    if first is not None:
                        if child is not None:
                            if waiting is None:
                                waiting = []
                            waiting.append(child)
                        child = first
            if child is None:
                if not waiting:
                    return False
                child = waiting.pop()
            node = child

    def nearest_ray_hit(self, origin: Vec3, direction: Vec3, out: RayHit) -> None:
        """Both sides are searched, the origin's first: a polygon may stick out of its leaf."""
        x, y, z = origin
        waiting: list[PhysicsNode] = []
        node: PhysicsNode = self
        while True:
            child: PhysicsNode | None = None
            if not isinstance(node, PhysicsDeep):
                node.nearest_ray_hit(origin, direction, out)
            elif ray_reaches(node.sphere, origin, direction, out.time):
                nx, ny, nz = node.normal
                first = node.pos
                child = node.neg
                if nx * x + ny * y + nz * z + node.d < 0.0:
                    child, first = first, child
                if first is not None:
                    if child is not None:
                        waiting.append(child)
                    child = first
            if child is None:
                if not waiting:
                    return
                child = waiting.pop()
            node = child
