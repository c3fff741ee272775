"""Ready things to furnish a world with: meshes with physics BSPs, and models that collide by cylinders or spheres.

All stand on their origin and face +y (dat-format.md 0.3); materials are names of the world's.
"""

from __future__ import annotations

from functools import cache

from engine.build.models import Ball, Cylinder, Light, Mesh, Model, Part, Pose
from engine.build.shapes.faces import Face
from engine.build.shapes.floor_plan import rect
from engine.build.shapes.solids import ball, box, cylinder, inside_out, moved, passable, prism, union


def _centred(width: float, depth: float, bottom: float, height: float, material: str) -> list[Face]:
    """A box about the z axis."""
    return box(-width / 2.0, -depth / 2.0, bottom, width, depth, height, material)


def _legs(width: float, depth: float, height: float, thick: float, material: str) -> list[list[Face]]:
    """Four legs at the corners of a rectangle about the origin."""
    x, y = width / 2.0 - thick, depth / 2.0 - thick
    corners = ((-x - thick, -y - thick), (x, -y - thick), (x, y), (-x - thick, y))
    return [box(cx, cy, 0.0, thick, thick, height, material) for cx, cy in corners]


@cache
def crate(size: float = 0.8, material: str = "wood") -> Mesh:
    """A cube."""
    return Mesh.of(f"crate {size:g} {material}", _centred(size, size, 0.0, size, material))


@cache
def table(width: float = 1.6, depth: float = 0.9, height: float = 0.75, material: str = "wood") -> Mesh:
    """A board on four legs."""
    top = _centred(width, depth, height - 0.06, 0.06, material)
    legs = _legs(width - 0.1, depth - 0.1, height - 0.06, 0.08, material)
    return Mesh.of(f"table {width:g} x {depth:g} x {height:g} {material}", union([top, *legs]))


@cache
def chair(material: str = "wood") -> Mesh:
    """A seat on four legs with a back; it faces +y, its back is at -y."""
    seat = _centred(0.45, 0.45, 0.42, 0.05, material)
    back = box(-0.225, -0.225, 0.47, 0.45, 0.05, 0.5, material)
    return Mesh.of(f"chair {material}", union([seat, back, *_legs(0.45, 0.45, 0.42, 0.05, material)]))


@cache
def bench(length: float = 1.6, material: str = "wood") -> Mesh:
    """A long seat."""
    seat = _centred(length, 0.35, 0.4, 0.06, material)
    ends = [box(x, -0.15, 0.0, 0.06, 0.3, 0.4, material) for x in (-length / 2.0 + 0.1, length / 2.0 - 0.16)]
    return Mesh.of(f"bench {length:g} {material}", union([seat, *ends]))


@cache
def bed(width: float = 1.0, length: float = 2.0, material: str = "wood", sheets: str = "cloth") -> Mesh:
    """A frame with a mattress; the head is at -y."""
    frame = _centred(width, length, 0.0, 0.3, material)
    head = box(-width / 2.0, -length / 2.0 - 0.06, 0.0, width, 0.06, 0.9, material)
    mattress = _centred(width - 0.1, length - 0.1, 0.3, 0.18, sheets)
    return Mesh.of(f"bed {width:g} x {length:g} {material} {sheets}", union([frame, head, mattress]))


@cache
def shelf(
    width: float = 1.2, height: float = 1.9, depth: float = 0.35, boards: int = 4, material: str = "wood"
) -> Mesh:
    """An open shelf; its back is at y = 0, so that it can stand against a wall."""
    back = box(-width / 2.0, 0.0, 0.0, width, 0.03, height, material)
    sides = [box(x, 0.03, 0.0, 0.04, depth - 0.03, height, material) for x in (-width / 2.0, width / 2.0 - 0.04)]
    step = (height - 0.04) / (boards - 1)
    inner = width - 0.08
    levels = [box(-inner / 2.0, 0.03, i * step, inner, depth - 0.03, 0.04, material) for i in range(boards)]
    return Mesh.of(f"shelf {width:g} x {height:g} x {depth:g} {boards} {material}", union([back, *sides, *levels]))


@cache
def counter(length: float = 3.0, material: str = "wood") -> Mesh:
    """An inn's counter, 1.1 m high."""
    body = _centred(length, 0.5, 0.0, 1.04, material)
    top = _centred(length + 0.1, 0.6, 1.04, 0.06, material)
    return Mesh.of(f"counter {length:g} {material}", union([body, top]))


@cache
def barrel(radius: float = 0.35, height: float = 0.9, material: str = "wood", hoop: str = "iron") -> Mesh:
    """A barrel with two hoops."""
    staves = cylinder(0.0, 0.0, 0.0, radius, height, material, sides=10)
    hoops = [
        face
        for z in (height * 0.2, height * 0.72)
        for face in passable(cylinder(0.0, 0.0, z, radius * 1.03, height * 0.08, hoop, sides=10))
    ]
    return Mesh.of(f"barrel {radius:g} x {height:g} {material} {hoop}", [*staves, *hoops])


@cache
def fireplace(width: float = 1.8, height: float = 2.4, depth: float = 0.7, material: str = "brick") -> Mesh:
    """A chimney breast with a hearth; its back is at y = 0, its opening faces +y."""
    mouth, high = width * 0.5, height * 0.4
    cheek = (width - mouth) / 2.0
    bodies = [
        box(-width / 2.0, 0.0, 0.0, cheek, depth, high, material),
        box(width / 2.0 - cheek, 0.0, 0.0, cheek, depth, high, material),
        box(-mouth / 2.0, 0.0, 0.0, mouth, 0.15, high, "soot"),
        box(-width / 2.0, 0.0, high, width, depth, height - high, material),
        box(-width / 2.0 - 0.1, 0.0, high + 0.3, width + 0.2, depth + 0.12, 0.1, "wood"),
    ]
    logs = [
        *moved(_centred(0.7 * mouth, 0.12, 0.02, 0.12, "bark"), 0.0, depth * 0.55),
        *moved(_centred(0.5 * mouth, 0.1, 0.14, 0.1, "bark"), 0.0, depth * 0.5, heading=25.0),
    ]
    flame = passable([_flame(0.35 * mouth, 0.4, depth * 0.5, heading) for heading in (0.0, 90.0)])
    name = f"fireplace {width:g} x {height:g} x {depth:g} {material}"
    return Mesh.of(name, [*union(bodies), *passable(logs), *flame])


def _flame(half: float, height: float, y: float, heading: float) -> Face:
    leaf = Face(((-half, 0.0, 0.0), (half, 0.0, 0.0), (0.0, 0.0, height)), "fire", fit=True)
    return moved([leaf], 0.0, y, 0.2, heading)[0]


@cache
def chest(width: float = 0.9, depth: float = 0.5, height: float = 0.55, material: str = "wood") -> Model:
    """A chest to open: a body with bands and a lid."""
    body = _centred(width, depth, 0.0, height * 0.65, material)
    bands = [
        face
        for x in (-width * 0.32, width * 0.32)
        for face in passable(moved(_centred(0.06, depth + 0.01, 0.01, height * 0.65 - 0.005, "iron"), x, 0.0))
    ]
    low, high = height * 0.65, height
    lid_side = [(-depth / 2.0, 0.0), (depth / 2.0, 0.0), (depth * 0.3, high - low), (-depth * 0.3, high - low)]
    left = [(-width / 2.0, y, z) for y, z in lid_side]
    right = [(width / 2.0, y, z) for y, z in lid_side]
    lid = [Face(tuple(right), material), Face(tuple(reversed(left)), material)]
    lid += [Face((right[i], left[i], left[(i + 1) % 4], right[(i + 1) % 4]), material) for i in range(4)]
    size = f"{width:g} x {depth:g} x {height:g} {material}"
    return Model(
        f"chest {size}",
        (
            Part(Mesh.of(f"chest body {size}", [*body, *bands])),
            Part(Mesh.of(f"chest lid {size}", lid), Pose((0.0, 0.0, low))),
        ),
        height=height,
        radius=width / 2.0,
    )


@cache
def fence(length: float = 3.0, height: float = 1.1, material: str = "wood") -> Mesh:
    """Posts and two rails along x."""
    posts = max(2, round(length / 1.5) + 1)
    gap = (length - 0.12) / (posts - 1)
    bodies = [box(-length / 2.0 + i * gap, -0.06, 0.0, 0.12, 0.12, height, material) for i in range(posts)]
    bodies += [box(-length / 2.0, -0.03, z, length, 0.06, 0.12, material) for z in (height * 0.4, height * 0.78)]
    return Mesh.of(f"fence {length:g} x {height:g} {material}", union(bodies))


@cache
def sign(text_material: str = "plank", material: str = "wood") -> Mesh:
    """A post with a board facing +y; `text_material` is stretched over the board."""
    post = _centred(0.12, 0.12, 0.0, 2.2, material)
    board = box(-0.6, 0.06, 1.4, 1.2, 0.06, 0.6, material)
    plate = Face(((0.58, 0.125, 1.42), (-0.58, 0.125, 1.42), (-0.58, 0.125, 1.98), (0.58, 0.125, 1.98)), text_material)
    return Mesh.of(f"sign {text_material} {material}", [*union([post, board]), *passable([_fit(plate)])])


def _fit(face: Face) -> Face:
    return Face(face.points, face.material, face.solid, face.drawn, fit=True)


@cache
def well(radius: float = 1.0, height: float = 0.9, material: str = "stone", water: str = "water") -> Mesh:
    """A round wall with water in it."""
    outer = cylinder(0.0, 0.0, 0.0, radius, height, material, sides=12)
    surface = [
        face for face in cylinder(0.0, 0.0, 0.0, radius * 0.8, height * 0.99, water, sides=12) if _looks_up(face)
    ]
    rim = inside_out(cylinder(0.0, 0.0, height, radius * 0.8, 0.001, material, sides=12)[:12])
    return Mesh.of(f"well {radius:g} x {height:g} {material}", [*outer, *passable([*surface, *rim])])


def _looks_up(face: Face) -> bool:
    return face.plane[0][2] > 0.9


@cache
def lantern(height: float = 2.6, material: str = "iron") -> Model:
    """A lamp on a post."""
    post = cylinder(0.0, 0.0, 0.0, 0.06, height - 0.3, material, sides=6)
    glass = passable(_centred(0.22, 0.22, height - 0.31, 0.28, "fire"))
    roof = passable(cylinder(0.0, 0.0, height - 0.04, 0.2, 0.14, material, sides=6, top_radius=0.0))
    return Model(
        f"lantern {height:g}",
        (Part(Mesh.of(f"lantern {height:g} {material}", [*post, *glass, *roof])),),
        lights=(Light((0.0, 0.0, height - 0.15)),),
    )


@cache
def tree(height: float = 7.0, crown: float = 2.2, trunk: float = 0.3, *, conifer: bool = False) -> Model:
    """A tree that collides by one cylinder around its trunk; the crown lets bodies through."""
    name = f"{'conifer' if conifer else 'tree'} {height:g} x {crown:g}"
    stem = cylinder(0.0, 0.0, 0.0, trunk, height * 0.55, "bark", sides=7, top_radius=trunk * 0.6)
    if conifer:
        leaves = [
            face
            for i in range(3)
            for face in cylinder(
                0.0, 0.0, height * (0.2 + 0.24 * i), crown * (1.0 - 0.25 * i), height * 0.36, "leaves", top_radius=0.0
            )
        ]
    else:
        leaves = [
            *ball(0.0, 0.0, height * 0.7, crown, "leaves"),
            *ball(crown * 0.5, crown * 0.2, height * 0.58, crown * 0.7, "leaves"),
            *ball(-crown * 0.45, -crown * 0.3, height * 0.6, crown * 0.65, "leaves"),
        ]
    mesh = Mesh.of(name, passable([*stem, *leaves]))
    return Model(name, (Part(mesh),), cylinders=(Cylinder((0.0, 0.0, 0.0), trunk, height * 0.6),), height=height)


@cache
def rock(size: float = 1.0, material: str = "stone") -> Model:
    """A boulder that collides as a sphere."""
    mesh = Mesh.of(
        f"rock {size:g} {material}", passable(ball(0.0, 0.0, size * 0.35, size * 0.6, material, sides=7, rings=4))
    )
    return Model(f"rock {size:g}", (Part(mesh),), balls=(Ball((0.0, 0.0, size * 0.35), size * 0.55),))


@cache
def person(height: float = 1.8, *, coat: str = "cloth", skin: str = "skin", legs: str = "bark") -> Model:
    """A townsperson: collides by two spheres, as players do; facing +y."""
    h = height
    body = [
        *cylinder(-0.1, 0.0, 0.0, 0.08, 0.46 * h, legs, sides=6),
        *cylinder(0.1, 0.0, 0.0, 0.08, 0.46 * h, legs, sides=6),
        *cylinder(0.0, 0.0, 0.42 * h, 0.22, 0.42 * h, coat, top_radius=0.17),
        *cylinder(-0.25, 0.0, 0.45 * h, 0.06, 0.36 * h, coat, sides=6),
        *cylinder(0.25, 0.0, 0.45 * h, 0.06, 0.36 * h, coat, sides=6),
        *ball(0.0, 0.0, 0.92 * h, 0.08 * h, skin),
        *prism(rect(-0.02, 0.07 * h, 0.04, 0.03), 0.91 * h, 0.93 * h, skin),
    ]
    mesh = Mesh.of(f"person {height:g} {coat} {skin} {legs}", passable(body))
    radius = 0.48
    return Model(
        f"person {height:g} {coat}",
        (Part(mesh),),
        balls=(Ball((0.0, 0.0, radius), radius), Ball((0.0, 0.0, height - radius), radius)),
        height=height,
        radius=radius,
        step_up=0.6,
        step_down=1.5,
    )
