"""Furniture and trim that only the demo world has; the common kinds are in `engine.build.shapes.furniture`.

All stand on their origin and face +y; lamps hang from it.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from engine.build.models import Emitter, Light, Mesh, Model, Part
from engine.build.shapes.faces import Face
from engine.build.shapes.floor_plan import Point2
from engine.build.shapes.furniture import barrel, person
from engine.build.shapes.solids import box, cylinder, moved, passable, union


def seen_only(name: str, faces: Sequence[Face]) -> Mesh:
    """A mesh that bodies go through."""
    return Mesh.of(name, passable(faces))


def _middle(width: float, depth: float, bottom: float, height: float, material: str) -> list[Face]:
    return box(-width / 2.0, -depth / 2.0, bottom, width, depth, height, material)


def rug(width: float, depth: float, material: str = "rug") -> Mesh:
    """A sheet on the floor."""
    x, y = width / 2.0, depth / 2.0
    top = Face(((-x, -y, 0.012), (x, -y, 0.012), (x, y, 0.012), (-x, y, 0.012)), material, solid=False, fit=True)
    return Mesh.of(f"rug {width:g} x {depth:g} {material}", [top])


def railing(length: float, height: float, material: str = "timber") -> Mesh:
    """Two posts, balusters and a rail along x. A plain board stops bodies."""
    posts = [box(x, -0.05, 0.0, 0.1, 0.1, height + 0.03, material) for x in (-length / 2.0, length / 2.0 - 0.1)]
    rails = [box(0.05 - length / 2.0, -0.04, z, length - 0.1, 0.08, 0.08, material) for z in (0.1, height - 0.08)]
    count = max(1, round(length / 0.45))
    gap = length / count
    bars = [
        box(-length / 2.0 + (i + 0.5) * gap - 0.02, -0.02, 0.18, 0.04, 0.04, height - 0.26, material)
        for i in range(count)
    ]
    seen = [face for body in (*posts, *rails, *bars) for face in body]
    board = [Face(face.points, drawn=False) for face in _middle(length, 0.08, 0.0, height, "")]
    return Mesh.of(f"railing {length:g} x {height:g} {material}", [*passable(seen), *board])


def lamp(drop: float = 0.5) -> Model:
    """A lamp on a chain, hanging from its origin."""
    chain = box(-0.015, -0.015, 0.04 - drop, 0.03, 0.03, drop - 0.04, "iron")
    glass = cylinder(0.0, 0.0, -drop - 0.2, 0.09, 0.2, "lamp", sides=6, top_radius=0.07)
    cap = cylinder(0.0, 0.0, -drop, 0.12, 0.08, "iron", sides=6, top_radius=0.02)
    mesh = seen_only(f"lamp {drop:g}", [*chain, *glass, *cap])
    return Model(f"lamp {drop:g}", (Part(mesh),), lights=(Light((0.0, 0.0, -drop - 0.1), 0xFFFFD090, 60.0, 7.0),))


def candle() -> Model:
    """A candle in its holder, with a small light."""
    wax = cylinder(0.0, 0.0, 0.02, 0.025, 0.16, "linen", sides=6)
    foot = cylinder(0.0, 0.0, 0.0, 0.08, 0.02, "iron", sides=8)
    flame = [
        moved(
            [Face(((-0.025, 0.0, 0.18), (0.025, 0.0, 0.18), (0.0, 0.0, 0.26)), "fire", fit=True)], 0.0, 0.0, 0.0, turn
        )[0]
        for turn in (0.0, 90.0)
    ]
    mesh = seen_only("candle", [*wax, *foot, *flame])
    return Model("candle", (Part(mesh),), lights=(Light((0.0, 0.0, 0.3), 0xFFFFC070, 30.0, 4.0),))


def torch() -> Model:
    """A torch in a ring on the wall behind it (at y = 0)."""
    stick = moved(box(-0.03, -0.03, -0.35, 0.06, 0.06, 0.5, "timber"), 0.0, 0.16)
    ring = box(-0.05, 0.0, -0.06, 0.1, 0.2, 0.05, "iron")
    flame = [
        moved(
            [Face(((-0.12, 0.0, 0.12), (0.12, 0.0, 0.12), (0.12, 0.0, 0.5), (-0.12, 0.0, 0.5)), "fire", fit=True)],
            0.0,
            0.16,
            0.0,
            turn,
        )[0]
        for turn in (0.0, 90.0)
    ]
    mesh = seen_only("torch", [*stick, *ring, *flame])
    return Model("torch", (Part(mesh),), lights=(Light((0.0, 0.3, 0.3), 0xFFFFB060, 70.0, 8.0),))


def hearth_light() -> Model:
    """The glow of a fire: embers, the light that fills the room, sparks and a little smoke under the mantel."""
    embers = box(-0.25, -0.12, 0.03, 0.5, 0.24, 0.05, "lamp")
    smoke = Emitter(
        puff(),
        (0.0, 0.0, 0.45),
        every=0.25,
        life=1.6,
        velocity=(0.0, 0.0, 0.35),
        spread=0.12,
        size=(0.16, 0.42),
        transparency=(0.6, 1.0),
    )
    sparks = Emitter(
        puff("fire"),
        (0.0, 0.0, 0.2),
        every=0.4,
        life=0.9,
        velocity=(0.0, 0.0, 0.7),
        acceleration=(0.0, 0.0, -0.3),
        spread=0.2,
        unevenness=0.5,
        size=(0.04, 0.01),
        transparency=(0.0, 0.6),
    )
    return Model(
        "hearth light",
        (Part(seen_only("embers", embers)),),
        lights=(Light((0.0, 0.5, 0.6), 0xFFFFA050, 80.0, 8.0),),
        emitters=(smoke, sparks),
    )


def bowl() -> Mesh:
    """A bowl with bread in it."""
    dish = cylinder(0.0, 0.0, 0.0, 0.1, 0.08, "oak", sides=8, top_radius=0.18)
    bread = cylinder(0.0, 0.0, 0.05, 0.12, 0.1, "straw", sides=8, top_radius=0.06)
    return seen_only("bowl", [*dish, *bread])


def cask() -> Mesh:
    """A barrel; the one size that the village's cooper makes."""
    return barrel(0.4, 1.0, "barrel")


def mug() -> Mesh:
    """A wooden mug."""
    return seen_only("mug", cylinder(0.0, 0.0, 0.0, 0.05, 0.13, "barrel", sides=6))


def sack() -> Mesh:
    """A filled sack."""
    body = cylinder(0.0, 0.0, 0.0, 0.3, 0.45, "brown cloth", sides=8, top_radius=0.22)
    neck = passable(cylinder(0.0, 0.0, 0.45, 0.1, 0.15, "brown cloth", sides=8, top_radius=0.16))
    return Mesh.of("sack", [*body, *neck])


def trunk() -> Mesh:
    """A clothes chest that stays shut."""
    body = _middle(1.1, 0.55, 0.0, 0.5, "oak")
    bands = [f for x in (-0.35, 0.35) for f in passable(moved(_middle(0.07, 0.57, 0.01, 0.5, "iron"), x, 0.0))]
    return Mesh.of("trunk", [*body, *bands])


def book_row(width: float, height: float) -> Mesh:
    """Books filling a shelf's board; their backs show along +y."""
    faces = box(-width / 2.0, 0.05, 0.0, width, 0.22, height, "timber")
    front = Face(
        (
            (width / 2.0, 0.275, 0.0),
            (-width / 2.0, 0.275, 0.0),
            (-width / 2.0, 0.275, height),
            (width / 2.0, 0.275, height),
        ),
        "books",
        fit=True,
    )
    return seen_only(f"books {width:g} x {height:g}", [*faces, front])


def picture(material: str, width: float, height: float) -> Mesh:
    """A framed board on the wall behind it (at y = 0)."""
    frame = box(-width / 2.0 - 0.05, 0.0, -0.05, width + 0.1, 0.04, height + 0.1, "timber")
    x, y = width / 2.0, 0.05
    front = Face(((x, y, 0.0), (-x, y, 0.0), (-x, y, height), (x, y, height)), material, fit=True)
    return seen_only(f"picture {material} {width:g} x {height:g}", [*frame, front])


def trapdoor(width: float, height: float) -> Mesh:
    """A hatch's lid, leaning upright against a wall behind it (at y = 0)."""
    lid = box(-width / 2.0, 0.02, 0.0, width, 0.06, height, "plank")
    bands = [f for z in (0.25, height - 0.33) for f in box(-width / 2.0, 0.08, z, width, 0.015, 0.08, "iron")]
    return seen_only(f"trapdoor {width:g} x {height:g}", [*lid, *bands])


def chimney_breast(width: float, depth: float, height: float) -> Mesh:
    """The flue on its way up, against a wall behind it (at y = 0)."""
    return Mesh.of(
        f"chimney breast {width:g} x {depth:g} x {height:g}", box(-width / 2.0, 0.0, 0.0, width, depth, height, "stone")
    )


def timbers_around(plan: Sequence[Point2], bottom: float, thick: float) -> list[Face]:
    """A sill beam around a storey that juts out. It hangs a little below the storey, as two faces in one plane would
    flicker (rendering.md M1)."""
    (x0, y0), (x1, y1) = plan[0], plan[2]
    out = 0.06
    bottom -= 0.03
    side = (y0 + thick - out, y1 - y0 - 2.0 * (thick - out))
    beams = [
        box(x0 - out, y0 - out, bottom, x1 - x0 + 2.0 * out, thick, thick, "timber"),
        box(x0 - out, y1 - thick + out, bottom, x1 - x0 + 2.0 * out, thick, thick, "timber"),
        box(x0 - out, side[0], bottom, thick, side[1], thick, "timber"),
        box(x1 - thick + out, side[0], bottom, thick, side[1], thick, "timber"),
    ]
    return [face for beam in beams for face in beam]


def corner_posts(plan: Sequence[Point2], bottom: float, top: float, thick: float) -> list[Face]:
    """A post on each corner of a storey."""
    (x0, y0), (x1, y1) = plan[0], plan[2]
    out = 0.05
    return [
        face
        for x in (x0 - out, x1 - thick + out)
        for y in (y0 - out, y1 - thick + out)
        for face in box(x, y, bottom, thick, thick, top - bottom, "timber")
    ]


def window_frame(x: float, y: float, z: float, width: float, height: float, *, shutters: str) -> list[Face]:
    """A sill, a lintel and open shutters around a window in a wall that looks to -y."""
    left, right = x - width / 2.0, x + width / 2.0
    leaf = width * 0.45
    parts = [
        box(left - 0.12, y - 0.16, z - 0.1, width + 0.24, 0.16, 0.1, "timber"),
        box(left - 0.12, y - 0.06, z + height, width + 0.24, 0.06, 0.14, "timber"),
        box(left - leaf, y - 0.05, z, leaf, 0.05, height, shutters),
        box(right, y - 0.05, z, leaf, 0.05, height, shutters),
    ]
    return [face for part in parts for face in part]


def beams(length: float, count: int, gap: float) -> Mesh:
    """Ceiling beams along x, hanging from their origin, one every `gap` metres northwards. What touches the ceiling and
    the walls is left out."""
    bodies = [box(-length / 2.0, i * gap - 0.12, -0.22, length, 0.24, 0.22, "timber") for i in range(count)]
    faces = [face for body in bodies for face in body if abs(face.plane[0][0]) < 0.5 and face.plane[0][2] < 0.5]
    return seen_only(f"beams {length:g} {count} {gap:g}", faces)


def step_stone(width: float = 1.6, depth: float = 0.7, height: float = 0.08) -> Mesh:
    """A slab before a door."""
    return Mesh.of(f"step stone {width:g}", union([_middle(width, depth, -0.2, 0.2 + height, "flagstone")]))


def hanging_sign(x: float, y: float, z: float, material: str) -> list[Face]:
    """A painted board on an iron arm that stands out from a wall looking to -y."""
    arm = box(x - 0.03, y - 1.5, z, 0.06, 1.5, 0.06, "iron")
    board = box(x - 0.03, y - 1.4, z - 1.15, 0.06, 1.1, 1.1, "timber")
    west, east = x - 0.035, x + 0.035
    south, north, low, high = y - 1.35, y - 0.35, z - 1.1, z - 0.1
    left = ((west, north, low), (west, south, low), (west, south, high), (west, north, high))
    right = ((east, south, low), (east, north, low), (east, north, high), (east, south, high))
    return [*arm, *board, Face(left, material, fit=True), Face(right, material, fit=True)]


def puff(material: str = "smoke") -> Mesh:
    """A sheet a metre wide that turns to the viewer: the mesh of smoke and sparks."""
    sheet = Face(((-0.5, 0.0, -0.5), (0.5, 0.0, -0.5), (0.5, 0.0, 0.5), (-0.5, 0.0, 0.5)), material, fit=True)
    return replace(seen_only(f"puff of {material}", [sheet]), billboard=True)


def chimney_smoke() -> Model:
    """A pot on a chimney, and smoke that drifts off eastwards."""
    pot = cylinder(0.0, 0.0, 0.0, 0.22, 0.5, "iron", sides=8, top_radius=0.17)
    smoke = Emitter(
        puff(),
        (0.0, 0.0, 0.5),
        every=0.35,
        life=6.0,
        velocity=(0.12, 0.05, 0.55),
        acceleration=(0.1, 0.03, -0.02),
        spread=0.1,
        size=(0.5, 2.4),
        transparency=(0.35, 1.0),
    )
    return Model("chimney smoke", (Part(seen_only("chimney pot", pot)),), emitters=(smoke,))


def townsperson() -> Model:
    """A person in a blue coat and a broad hat."""
    wearer = person(1.78, coat="blue cloth", legs="brown cloth")
    brim = cylinder(0.0, 0.0, 1.7, 0.27, 0.03, "brown cloth", sides=10)
    crown = cylinder(0.0, 0.0, 1.73, 0.16, 0.17, "brown cloth", sides=10, top_radius=0.11)
    hat = Part(seen_only("hat", [*brim, *crown]))
    return replace(wearer, name="townsperson", parts=(*wearer.parts, hat))


def signpost() -> Model:
    """A post with two arms that point along the roads, a small ball-shaped finial on top."""
    post = _middle(0.14, 0.14, 0.0, 2.6, "timber")
    arms = [
        moved(box(0.0, -0.03, 2.0, 1.1, 0.06, 0.28, "plank"), 0.0, 0.0, 0.0, 20.0),
        moved(box(0.0, -0.03, 1.65, 1.1, 0.06, 0.28, "plank"), 0.0, 0.0, 0.0, 110.0),
    ]
    board = _middle(0.9, 0.06, 1.05, 0.5, "oak")
    mesh = Mesh.of("signpost", [*union([post, board]), *passable([face for arm in arms for face in arm])])
    return Model("signpost", (Part(mesh),), height=2.6, radius=0.6)


def haystack() -> Mesh:
    """A round stack of hay."""
    body = cylinder(0.0, 0.0, 0.0, 1.3, 1.1, "straw", sides=9, top_radius=1.2)
    cap = passable(cylinder(0.0, 0.0, 1.1, 1.2, 0.9, "straw", sides=9, top_radius=0.0))
    return Mesh.of("haystack", [*body, *cap])


def woodpile() -> Mesh:
    """Split logs under the eaves; one block to the touch."""
    logs = []
    for row in range(4):
        for column in range(7 - row % 2):
            x, z = -0.9 + 0.26 * column + 0.13 * (row % 2), 0.02 + 0.22 * row
            logs += box(x, -0.35, z, 0.22, 0.7, 0.2, "bark")
    block = [Face(face.points, drawn=False) for face in _middle(1.9, 0.7, 0.0, 0.9, "")]
    return Mesh.of("woodpile", [*passable(logs), *block])


def cart() -> Mesh:
    """A hand cart with two wheels and a shaft, laden with sacks."""
    bed = _middle(1.3, 2.0, 0.55, 0.12, "plank")
    sides = [box(x, -1.0, 0.67, 0.06, 2.0, 0.35, "plank") for x in (-0.65, 0.59)]
    wheels = []
    for x in (-0.75, 0.67):
        wheel = cylinder(0.0, 0.0, 0.0, 0.5, 0.08, "timber", sides=10)
        wheels += [Face(tuple((x + p[2], p[0], p[1] + 0.5) for p in face.points), "timber") for face in wheel]
    shaft = [f for x in (-0.5, 0.44) for f in box(x, 1.0, 0.58, 0.06, 1.2, 0.06, "timber")]
    load = [f for y in (-0.5, 0.35) for f in cylinder(0.0, y, 0.67, 0.34, 0.45, "brown cloth", sides=8, top_radius=0.2)]
    return Mesh.of("cart", [*union([bed, *sides]), *passable([*wheels, *shaft, *load])])
