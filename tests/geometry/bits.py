"""Asks every geometry routine the same pseudo-random questions and prints a digest of the answers, bit for bit.

`test_same_bits` runs `python -m tests.geometry.bits` under both cores and compares the digests. With a group's name as
argument it prints that group's answers instead, to show where the cores differ.
"""

from __future__ import annotations

import hashlib
import random
import sys
from collections.abc import Callable, Iterator

from engine.geometry.box import Box
from engine.geometry.bsp import PhysicsTree, RayHit, SolidState
from engine.geometry.cell_bsp import CellInner, CellLeaf, CellNode
from engine.geometry.frame import Frame, combine, heading_of
from engine.geometry.plane import Plane, transform_plane
from engine.geometry.polygon import Polygon, PolyHit, WalkProbe, find_time_of_collision
from engine.geometry.quat import Quat, from_axis_angle, from_rotation_vector, nlerp, normalize, slerp
from engine.geometry.sphere import Sphere
from engine.geometry.vec import Vec3, length, lerp, normalize_check_small, normalized, r24v
from tests.geometry.shapes import split_tree

ROUNDS = 400
ODD = [0.0, -0.0, 1.0, 0.1, 1e-5, 1e-200, 1e200, float("inf"), float("-inf"), float("nan")]

Answers = Iterator[object]


class Dice:
    """Everyday values, with an occasional odd one."""

    def __init__(self, seed: int) -> None:
        self.random = random.Random(seed)

    def number(self, limit: float = 5.0) -> float:
        if self.random.random() < 0.01:
            return self.random.choice(ODD)
        return self.random.uniform(-limit, limit)

    def vector(self, limit: float = 5.0) -> Vec3:
        return (self.number(limit), self.number(limit), self.number(limit))

    def unit(self) -> Vec3:
        return normalized(self.vector())

    def quat(self) -> Quat:
        return normalize((self.number(), self.number(), self.number(), self.number()))

    def frame(self) -> Frame:
        return Frame(self.vector(), self.quat())

    def plane(self) -> Plane:
        return Plane(self.unit(), self.number(3.0))

    def sphere(self) -> Sphere:
        return Sphere(self.vector(), abs(self.number(2.0)))

    def polygon(self, key: int) -> Polygon:
        """A quad in a random plane; it may be concave, but every routine has an answer for it."""
        frame, size = self.frame(), 0.5 + abs(self.number(3.0))
        corners = ((-size, -size), (size, -self.number(size)), (size, size), (-size, size))
        return Polygon(key, [frame.local_to_global((x, y, 0.0)) for x, y in corners], self.random.randint(0, 1))

    def tree(self) -> PhysicsTree:
        return split_tree([self.polygon(i) for i in range(12)], [self.plane() for _ in range(3)])


def key_of(poly: Polygon | None) -> int | None:
    return None if poly is None else poly.id


def ask_frames(dice: Dice) -> Answers:
    for _ in range(ROUNDS):
        a, b, v = dice.frame(), dice.frame(), dice.vector()
        yield a.rotation, a.local_to_global(v), a.global_to_local(v), a.local_to_global_vec(v), a.global_to_local_vec(v)
        yield combine(a, b, dice.number()).rotation, a.heading(), heading_of(v), a.is_valid(), a.equals(b)
        yield a.grotate(v).rotation, a.rotate(v).rotation, a.set_vector_heading(v).rotation
        yield a.with_heading(dice.number(720.0)).rotation, nlerp(a.rotation, b.rotation, dice.random.random())
        yield slerp(a.rotation, b.rotation, dice.random.random()), slerp(b.rotation, b.rotation, 0.3)
        yield from_axis_angle(v, dice.number()), from_rotation_vector(v)


def ask_vectors(dice: Dice) -> Answers:
    for _ in range(ROUNDS):
        a, b = dice.vector(), dice.vector(1e-4)
        yield r24v(a), normalize_check_small(a), normalize_check_small(b), normalized(b), length(a), lerp(a, b, 0.3)


def ask_planes(dice: Dice) -> Answers:
    for _ in range(ROUNDS):
        plane, p, frame = dice.plane(), dice.vector(), dice.frame()
        box = Box.of_points([p, dice.vector(), dice.vector()])
        yield plane.dist(p), plane.side(p), plane.snap_to_plane(p), plane.set_height(p), plane.intersect_box(box)
        moved = transform_plane(plane, frame, dice.number(), None, dice.vector(200.0))
        there = box.to_global(frame).united(box.to_local(frame))
        yield moved.normal, moved.d, there.minimum, there.maximum, box.overlaps(there), box.center()


def ask_polygons(dice: Dice) -> Answers:
    for i in range(ROUNDS):
        poly, body, move, up = dice.polygon(i), dice.sphere(), dice.vector(1.0), dice.unit()
        out, probe = PolyHit(), WalkProbe(0.1, 1.0)
        yield poly.normal, poly.d, poly.degenerate, [(e.cross, e.edge2, e.cross2) for e in poly.edges]
        yield poly.pos_hits_sphere(body, move, out), out.contact, poly.point_in_polygon(out.contact)
        yield poly.check_walkable(body, up), poly.check_small_walkable(body, up), poly.find_crossed_edge(body, up)
        yield poly.check_walkable(body, up, corners=False), poly.check_small_walkable(body, up, corners=False)
        yield poly.adjust_sphere_to_poly(body, up, move), poly.polygon_hits_ray(body.center, move)
        yield poly.walkable_hits_sphere(probe, body, up), poly.point_in_poly2d(move, i & 1)
        yield poly.adjust_sphere_to_plane(probe, body, move), body.center, probe.interp
        poly.adjust_to_placement_poly(body, None, body.radius, i & 1 == 0, True, i & 2 == 0)
        yield body.center, find_time_of_collision(move, body.center, 0.5)


def ask_physics_trees(dice: Dice) -> Answers:
    for _ in range(ROUNDS // 8):
        tree = dice.tree()
        for i in range(20):
            body, move, up = dice.sphere(), dice.vector(1.0), dice.unit()
            out, state, probe, ray = PolyHit(), SolidState(i & 1 == 0), WalkProbe(0.1, 1.0, i & 2 == 0), RayHit()
            yield tree.root.sphere_intersects_poly(body, move, out), key_of(out.poly), out.contact
            yield tree.root.sphere_intersects_solid(body, True), tree.root.point_intersects_solid(body.center)
            yield tree.root.sphere_intersects_solid_poly(body, body.radius, state, True), state.centre_solid
            yield key_of(state.poly), tree.root.hits_walkable(probe, body, up)
            clipped = body.copy()
            yield tree.adjust_to_plane(clipped, move, out), clipped.center
            out.poly = None
            tree.root.find_walkable(probe, body, out, move, up)
            yield body.center, probe.interp, key_of(out.poly)
            tree.root.nearest_ray_hit(body.center, move, ray)
            yield ray.time, key_of(ray.poly)


def ask_cell_trees(dice: Dice) -> Answers:
    for _ in range(ROUNDS):
        node: CellNode = CellLeaf(0)
        for _ in range(4):
            node = CellInner(dice.plane(), node, None)
        box = Box.of_points([dice.vector(), dice.vector()])
        yield node.point_inside_cell_bsp(dice.vector()), node.sphere_intersects_cell_bsp(dice.sphere())
        yield node.box_intersects_cell_bsp(box.corners())


QUESTIONS: dict[str, Callable[[Dice], Answers]] = {
    "vectors": ask_vectors,
    "frames": ask_frames,
    "planes": ask_planes,
    "polygons": ask_polygons,
    "physics_trees": ask_physics_trees,
    "cell_trees": ask_cell_trees,
}


def answers(name: str) -> list[str]:
    return [repr(answer) for answer in QUESTIONS[name](Dice(seed=len(name)))]


def main(arguments: list[str]) -> None:
    for name in arguments:
        print("\n".join(answers(name)))
    if not arguments:
        for name in QUESTIONS:
            told = answers(name)
            print(name, len(told), hashlib.sha256("\n".join(told).encode()).hexdigest())


if __name__ == "__main__":
    main(sys.argv[1:])
