"""The small worlds of these tests, each easy to picture, and the checks that apply to all of them."""

from __future__ import annotations

import math
import random
from collections.abc import Callable, Iterator
from functools import cache

from engine.build import OUTDOORS, Finish, Mesh, WorldBuilder, gable_roof, ngon, rect, walls
from engine.build.built import BuiltWorld
from engine.build.shapes.furniture import chair, table
from engine.build.shapes.solids import Slope, moved
from engine.build.shapes.stairs import spiral_stairs, stairs
from engine.geometry.frame import Frame
from engine.geometry.polygon import Polygon
from engine.geometry.vec import Vec3, add, dot, normalized, scale, sub
from engine.world.cells.cell import EnvCell
from engine.world.world import World


def two_rooms() -> WorldBuilder:
    """Two rooms with a wall of 0.2 m and a door in it."""
    world = WorldBuilder()
    hall = world.room("hall", rect(0, 0, 6, 4))
    study = world.room("study", rect(6.2, 0, 4, 4), height=2.6)
    world.door(hall, study)
    hall.put(table(), (2, 3), 30)
    return world


def touching_rooms() -> WorldBuilder:
    """Two rooms joined without a wall between them, one doorway and one open wall."""
    world = WorldBuilder()
    a = world.room("a", rect(0, 0, 4, 4))
    b = world.room("b", rect(4, 0, 4, 4))
    c = world.room("c", rect(0, 4, 4, 3))
    world.doorway(a, b, arch=0.4, width=1.2)
    world.open_wall(a, c)
    return world


def concave_rooms() -> WorldBuilder:
    """An L, a U and a cross, each of which becomes several cells."""
    world = WorldBuilder()
    ell = world.room("L", [(0, 0), (6, 0), (6, 3), (3, 3), (3, 6), (0, 6)])
    you = world.room("U", [(6.3, 0), (15, 0), (15, 9), (12, 9), (12, 3), (9, 3), (9, 9), (6.3, 9)])
    world.doorway(ell, you)
    world.room(
        "cross",
        [(3, 20), (6, 20), (6, 23), (9, 23), (9, 26), (6, 26), (6, 29), (3, 29), (3, 26), (0, 26), (0, 23), (3, 23)],
    )
    return world


def tower() -> WorldBuilder:
    """Three round floors above each other with hatches, and the way up at the centre of the last one."""
    world = WorldBuilder()
    plan = ngon(0, 0, 4, 8, turn=22.5)
    cellar = world.room("cellar", plan, floor=-3.0, height=2.7)
    ground = world.room("ground", plan, floor=0.0, height=2.8)
    loft = world.room("loft", plan, floor=3.0, height=3.0)
    world.hatch(ground, cellar, rect(1, -1, 1.5, 2))
    world.hatch(loft, ground, [(-2.1, -1.6), (-0.9, -1.6), (-0.7, 0.0), (-0.9, 2.5), (-2.1, 2.5)])
    ground.put(Mesh.of("steps", stairs(1.0, 15)), (-1.5, -2.0, 0.0))
    cellar.build_in(moved(spiral_stairs(0.2, 1.0, 8), 0, 0, -3.0))
    return world


def turned_rooms() -> WorldBuilder:
    """A room in a slanting frame, doorways in slanting walls."""
    world = WorldBuilder()
    plan = [(0, 0), (5, 2), (4, 5), (-1, 3)]
    other = [
        (x + 0.4 * 2 / math.sqrt(29), y - 0.4 * 5 / math.sqrt(29)) for x, y in ((0, 0), (0.8, -2), (5.8, 0), (5, 2))
    ]
    a = world.room("a", plan, floor=1.0)
    b = world.room("b", other, floor=1.0)
    world.doorway(a, b)
    return world


def ring() -> WorldBuilder:
    """A dungeon loop of one corner piece and one corridor piece, each used four times in four directions."""
    world = WorldBuilder()
    straight = world.piece("straight", rect(-1, -3, 2, 6)).joint((0, -3)).joint((0, 3))
    corner = world.piece("corner", rect(-1, -1, 2, 2)).joint((0, -1)).joint((1, 0))
    for i, (at, heading) in enumerate((((0, 0), 0), ((4, 4), 90), ((8, 0), 180), ((4, -4), 270))):
        world.place(straight, f"corridor {i}", at, heading)
    for i, (at, heading) in enumerate((((0, 4), 0), ((8, 4), 90), ((8, -4), 180), ((0, -4), 270))):
        world.place(corner, f"corner {i}", at, heading)
    return world


def slanting_corridor() -> WorldBuilder:
    """A corridor that slopes down between two level rooms."""
    world = WorldBuilder()
    top = world.room("top", rect(0, 0, 4, 4), floor=0.0)
    down = world.room("down", rect(1, 4, 2, 8), floor=Slope((2, 12, -4), (2, 4, 0)), height=2.5)
    low = world.room("low", rect(0, 12, 4, 4), floor=-4.0)
    world.open_wall(down, top)
    world.open_wall(down, low)
    return world


def cottage() -> WorldBuilder:
    """A house turned on its land: two rooms, an attic under the roof, a cellar, two exits, a window."""
    world = WorldBuilder(finish=Finish(walls=["plaster", "brick"]))
    land = world.landblock(0xC95B)
    assert land.ground is not None
    roof = gable_roof(-5, -4, 10, 8, eaves=3.0, ridge=6.0)
    house = land.building("cottage", (108, 108), 30, shell=[*walls(rect(-5, -4, 10, 8), 0, 3, "brick"), roof.body])
    room = house.room("room", rect(-4.6, -3.6, 5.6, 7.2), height=2.6)
    kitchen = house.room("kitchen", rect(1.2, -3.6, 3.4, 7.2), height=2.6)
    attic = house.room("attic", rect(-4.6, -3.6, 9.2, 7.2), floor=2.8, height=4.0, slopes=roof.under())
    cellar = house.room("cellar", rect(-4.6, -3.6, 4, 4), floor=-2.8, height=2.4)
    house.door(room, kitchen)
    house.door(room, OUTDOORS, (-2, -4), name="front door", locked=True)
    house.door(kitchen, OUTDOORS, (5, 0))
    house.window(room, OUTDOORS, (-2, 4), arch=0.3)
    house.hatch(attic, room, rect(-4, 1, 1.2, 2))
    house.hatch(room, cellar, rect(-4, -3, 1.2, 2))
    room.put(chair(), (-1, 0), 45)
    land.put(table(), (60, 60))
    return world


WORLDS: dict[str, Callable[[], WorldBuilder]] = {
    made.__name__: made
    for made in (two_rooms, touching_rooms, concave_rooms, tower, turned_rooms, ring, slanting_corridor, cottage)
}


@cache
def built(name: str) -> BuiltWorld:
    """One of the worlds above, built once."""
    return WORLDS[name]().build()


@cache
def loaded(name: str) -> World:
    """One of the worlds above, as the reader returns it."""
    world = built(name).load()
    for block in world.landblock_ids():
        world.landblock(block)
    return world


def rooms_of(name: str) -> list[EnvCell]:
    """All rooms and doorways of one of the worlds."""
    return [cell for block in loaded(name).loaded_landblocks() for cell in block.cells if isinstance(cell, EnvCell)]


def cell_of(name: str, room: str) -> EnvCell:
    """A room or doorway of one of the worlds, by its name."""
    found = loaded(name).graph.get_visible(built(name).cell_id(room))
    assert isinstance(found, EnvCell)
    return found


def placed_points(cell: EnvCell, polygon: Polygon) -> list[Vec3]:
    """The corners of a cell's polygon in landblock coordinates."""
    return [cell.frame.local_to_global(p) for p in polygon.vertices]


def inner_points(cell: EnvCell, rng: random.Random, count: int) -> Iterator[Vec3]:
    """Points inside a cell in landblock coordinates: mixtures of the corners of the walls and portals that bound it."""
    corners = [p for polygon in cell.structure.polygons.values() for p in polygon.vertices]
    for _ in range(count):
        weights = [rng.expovariate(1.0) for _ in corners]
        total = sum(weights)
        point = (0.0, 0.0, 0.0)
        for weight, corner in zip(weights, corners, strict=True):
            point = add(point, scale(corner, weight / total))
        yield cell.frame.local_to_global(point)


def directions(rng: random.Random, count: int) -> Iterator[Vec3]:
    """Unit vectors, evenly spread."""
    for _ in range(count):
        yield normalized((rng.gauss(0.0, 1.0), rng.gauss(0.0, 1.0), rng.gauss(0.0, 1.0)))


def ray_hit(polygon: Polygon, frame: Frame, origin: Vec3, direction: Vec3) -> float | None:
    """How far along a ray in landblock coordinates it hits the front of a polygon."""
    start = frame.global_to_local(origin)
    along = sub(frame.global_to_local(add(origin, direction)), start)
    down = dot(polygon.normal, along)
    if down >= -1e-12:
        return None
    t = -(dot(polygon.normal, start) + polygon.d) / down
    if t < 0.0 or not polygon.point_in_polygon(add(start, scale(along, t))):
        return None
    return t


def nearest_hit(cell: EnvCell, polygons: list[Polygon], origin: Vec3, direction: Vec3) -> float:
    """How far along a ray the first of the polygons is, or infinity if it hits none."""
    hits = [ray_hit(polygon, cell.frame, origin, direction) for polygon in polygons]
    return min((t for t in hits if t is not None), default=math.inf)
