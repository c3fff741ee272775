"""Checks that every compiled physics tree must pass, against the polygons asked one by one."""

from __future__ import annotations

from itertools import permutations
from random import Random

from engine.geometry.bsp import PhysicsInner, PhysicsLeaf, PhysicsNode, PhysicsTree, RayHit
from engine.geometry.compile.fragment import area_of, center_of
from engine.geometry.compile.physics import compile_physics
from engine.geometry.constants import EPSILON, FLOOR_Z
from engine.geometry.polygon import Polygon, PolyHit, WalkProbe
from engine.geometry.sphere import Sphere
from engine.geometry.vec import Vec3, distance, lerp
from tests.geometry.compile.worlds import (
    BEYOND,
    FREE,
    SOLID,
    VoxelWorld,
    World,
    brute_hit,
    brute_ray,
    brute_walkable,
    near_surface,
    random_direction,
    random_point_on,
)

RADII = [0.1, 0.48, 1.0]


def leaves_of(tree: PhysicsTree) -> list[PhysicsLeaf]:
    return [node for node in tree.nodes() if isinstance(node, PhysicsLeaf)]


def leaf_at(tree: PhysicsTree, p: Vec3) -> PhysicsLeaf:
    node: PhysicsNode | None = tree.root
    while isinstance(node, PhysicsInner):
        node = node.pos if node.plane.dist(p) > 0.0 else node.neg
    assert isinstance(node, PhysicsLeaf)
    return node


def check_form(tree: PhysicsTree) -> None:
    """Inner nodes have two children, the root is an inner node, leaves are numbered in order, no polygon is lost, and
    each sphere encloses what is below it."""
    assert isinstance(tree.root, PhysicsInner)
    assert [leaf.index for leaf in leaves_of(tree)] == list(range(len(leaves_of(tree))))
    listed = {polygon.id for leaf in leaves_of(tree) for polygon in leaf.polygons}
    assert listed == {polygon.id for polygon in tree.polygons}
    for node in tree.nodes():
        if isinstance(node, PhysicsInner):
            assert node.pos is not None
            assert node.neg is not None
    check_bounds(tree.root)


def check_bounds(node: PhysicsNode) -> list[Polygon]:
    if isinstance(node, PhysicsLeaf):
        below = node.polygons
    else:
        assert isinstance(node, PhysicsInner)
        assert node.pos is not None
        assert node.neg is not None
        below = check_bounds(node.pos) + check_bounds(node.neg)
    for polygon in below:
        for vertex in polygon.vertices:
            assert distance(vertex, node.sphere.center) <= node.sphere.radius * (1.0 + 1e-9) + 1e-9
    return below


def check_spheres(tree: PhysicsTree, rnd: Random, p: Vec3) -> None:
    """A sphere hits the same things through every query."""
    sphere = Sphere(p, rnd.choice(RADII))
    move = random_direction(rnd)
    hit, touched = brute_hit(tree.polygons, sphere, move)
    out = PolyHit()
    assert tree.root.sphere_intersects_poly(sphere, move, out) == hit
    if not hit:  # a hit ends the search, so what else is touched need not be known
        assert (out.poly is not None) == touched
    assert tree.root.sphere_intersects_solid(sphere, False) == touched


def check_truth(tree: PhysicsTree, world: World, rnd: Random, p: Vec3) -> None:
    """A point is solid where the world is, and a sphere finds that by its centre."""
    if near_surface(world.polygons, p, 1e-3 + EPSILON):
        return
    truth = world.truth(p)
    assert tree.root.point_intersects_solid(p) == (truth != FREE)
    if truth == BEYOND:
        assert leaf_at(tree, p).polygons == []
    sphere = Sphere(p, rnd.choice(RADII))
    _, touched = brute_hit(tree.polygons, sphere, (0.0, 0.0, 1.0))
    assert tree.root.sphere_intersects_solid(sphere, True) == (touched or truth == SOLID)


def check_walking(tree: PhysicsTree, rnd: Random, p: Vec3) -> None:
    """The tree finds the highest floor within reach, where the order of the polygons does not matter."""
    sphere = Sphere(p, rnd.choice(RADII))
    up = (0.0, 0.0, 1.0)
    move = (0.0, 0.0, -rnd.choice([0.04, 0.4, 1.5]))
    expected = settled_walkable(tree.polygons, sphere, move, up)
    if expected is None:
        return
    found = sphere.copy()
    out = PolyHit()
    tree.root.find_walkable(WalkProbe(FLOOR_Z), found, out, move, up)
    assert distance(found.center, expected.center) < 1e-6
    assert (out.poly is None) == (expected.center == sphere.center)


def settled_walkable(polygons: list[Polygon], sphere: Sphere, move: Vec3, up: Vec3) -> Sphere | None:
    """Where the sphere ends, if it ends there in every order and everything it touches on the way it touched before."""
    probe = WalkProbe(FLOOR_Z)
    touched = [polygon for polygon in polygons if polygon.walkable_hits_sphere(probe, sphere, up)]
    if len(touched) > 4:
        return None
    ends: list[Sphere] = []
    for order in permutations(touched):
        ends.append(sphere)
        for count in range(1, len(order) + 1):
            ends.append(brute_walkable(list(order[:count]), sphere, move, up))
            if any(p not in touched and p.walkable_hits_sphere(probe, ends[-1], up) for p in polygons):
                return None
    last = ends[len(touched) :: len(touched) + 1]
    return last[0] if all(end.center == last[0].center for end in last) else None


def check_ray(tree: PhysicsTree, rnd: Random, p: Vec3) -> None:
    direction = random_direction(rnd)
    hit = RayHit()
    tree.root.nearest_ray_hit(p, direction, hit)
    assert hit.time == brute_ray(tree.polygons, p, direction)


def check_listed_in_front(tree: PhysicsTree, rnd: Random) -> None:
    """The leaf in front of a polygon lists it."""
    for polygon in tree.polygons:
        middle = center_of(polygon.vertices)
        x, y, z = lerp(random_point_on(rnd, polygon), middle, rnd.uniform(0.2, 1.0))
        nx, ny, nz = polygon.normal
        p = (x + nx * 0.001, y + ny * 0.001, z + nz * 0.001)
        if area_of(polygon.vertices) > 0.01 and distance((x, y, z), middle) > 0.0:
            assert polygon in leaf_at(tree, p).polygons


def check_polygons_found(tree: PhysicsTree, rnd: Random, points: int) -> None:
    """A small sphere anywhere on a polygon hits it."""
    for polygon in tree.polygons:
        if polygon.degenerate:
            continue
        x, y, z = polygon.normal
        for _ in range(points):
            touching = PolyHit()
            sphere = Sphere(random_point_on(rnd, polygon), 0.002)
            assert tree.root.sphere_intersects_poly(sphere, (-x, -y, -z), touching)


def check_borderline(tree: PhysicsTree, rnd: Random, count: int) -> None:
    """A sphere that only just touches a polygon, from any side, touches it in the tree too."""
    for _ in range(count):
        polygon = rnd.choice(tree.polygons)
        x, y, z = random_point_on(rnd, polygon)
        dx, dy, dz = rnd.choice([polygon.normal, polygon.plane.flipped().normal, random_direction(rnd)])
        radius = rnd.choice(RADII)
        gap = radius - EPSILON - rnd.choice([1e-7, 1e-6, 1e-5, 5e-5, 1e-4])
        sphere = Sphere((x + dx * gap, y + dy * gap, z + dz * gap), radius)
        touched = any(other.hits_sphere(sphere) for other in tree.polygons)
        assert tree.root.sphere_intersects_solid(sphere, False) == touched


def jittered(world: World, rnd: Random, amount: float) -> PhysicsTree:
    """The world's polygons with each corner moved a little, so that faces no longer share a plane, or are no longer
    flat."""
    moved: dict[Vec3, Vec3] = {}

    def jitter(polygon: Polygon) -> Polygon:
        for vertex in polygon.vertices:
            if vertex not in moved:
                x, y, z = vertex
                moved[vertex] = (
                    x + rnd.uniform(-amount, amount),
                    y + rnd.uniform(-amount, amount),
                    z + rnd.uniform(-amount, amount),
                )
        return Polygon(polygon.id, [moved[vertex] for vertex in polygon.vertices])

    polygons = [jitter(polygon) for polygon in world.polygons]
    openings = [jitter(polygon) for polygon in world.openings]
    return compile_physics(polygons, openings=openings, room=world.room)


def compiled(world: World) -> PhysicsTree:
    return compile_physics(world.polygons, openings=world.openings, room=world.room)


def check_world(world: World, rnd: Random, points: int) -> None:
    tree = compiled(world)
    check_form(tree)
    check_polygons_found(tree, rnd, 1)
    if isinstance(world, VoxelWorld):  # elsewhere some slanted plane may pass between a polygon and the point before it
        check_listed_in_front(tree, rnd)
    for _ in range(points):
        p = world.random_point(rnd)
        check_spheres(tree, rnd, p)
        check_truth(tree, world, rnd, p)
        check_walking(tree, rnd, p)
        check_ray(tree, rnd, p)
