"""A hall with pillars of any number of polygons, as polygons and as the record of an environment."""

from __future__ import annotations

from engine.build.records.bsp import cell_record, drawing_record, physics_record
from engine.dat.records import CellStruct, DatPolygon, Environment, KeyedStruct, Vertex, write_record
from engine.geometry.compile.cell import compile_cell
from engine.geometry.compile.drawing import compile_drawing
from engine.geometry.compile.physics import compile_physics
from engine.geometry.polygon import Polygon
from engine.geometry.vec import Vec3

ENVIRONMENT_ID = 0x0D000001
HEIGHT = 4.0
SPACING = 3.0
HALF_PILLAR = 0.5


def room_soup(count: int) -> list[Polygon]:
    """`count` polygons: four walls, a ceiling, pillars of four faces, and the floor in as many strips as are left."""
    pillars = max((count - 6) // 4, 0)
    side = 1
    while side * side < pillars:
        side += 1
    size = (side + 1) * SPACING
    faces: list[list[Vec3]] = [
        _quad((0.0, 0.0), (size, 0.0)),
        _quad((size, 0.0), (size, size)),
        _quad((size, size), (0.0, size)),
        _quad((0.0, size), (0.0, 0.0)),
        [(0.0, size, HEIGHT), (size, size, HEIGHT), (size, 0.0, HEIGHT), (0.0, 0.0, HEIGHT)],
    ]
    for number in range(pillars):
        faces += _pillar((number % side + 1) * SPACING, (number // side + 1) * SPACING)
    strips = count - len(faces)
    for number in range(strips):
        west, east = size * number / strips, size * (number + 1) / strips
        faces.append([(west, 0.0, 0.0), (east, 0.0, 0.0), (east, size, 0.0), (west, size, 0.0)])
    return [Polygon(index, face) for index, face in enumerate(faces)]


def _quad(start: tuple[float, float], end: tuple[float, float]) -> list[Vec3]:
    """An upright face from `start` to `end`; its front is on the left, inside a hall walked round counter-clockwise."""
    (ax, ay), (bx, by) = start, end
    return [(bx, by, 0.0), (ax, ay, 0.0), (ax, ay, HEIGHT), (bx, by, HEIGHT)]


def _pillar(x: float, y: float) -> list[list[Vec3]]:
    """A quarter turn askew, so that its planes cut the hall slantwise."""
    corners = [(x + HALF_PILLAR, y), (x, y - HALF_PILLAR), (x - HALF_PILLAR, y), (x, y + HALF_PILLAR)]
    return [_quad(corners[i], corners[(i + 1) % 4]) for i in range(4)]


def room_record(count: int) -> tuple[int, bytes]:
    """The environment record of such a hall: as many drawn and as many colliding polygons, with all three trees."""
    soup = room_soup(count)
    keys: dict[Vec3, int] = {}
    for polygon in soup:
        for corner in polygon.vertices:
            keys.setdefault(corner, len(keys))
    vertices = [
        Vertex(key, corner, (0.0, 0.0, 1.0), [(0.0, 0.0), (1.0, 0.0), (1.0, 1.0), (0.0, 1.0)])
        for corner, key in keys.items()
    ]
    drawn = [_polygon(polygon, keys, 1, 0, [0, 1, 2, 3]) for polygon in soup]
    solid = [_polygon(polygon, keys, 4, -1, []) for polygon in soup]
    cell_tree = compile_cell(soup, [])
    assert cell_tree is not None
    structure = CellStruct(
        vertices,
        drawn,
        [],
        cell_record(cell_tree),
        solid,
        physics_record(compile_physics(soup, openings=[], room=True).root),
        drawing_record(compile_drawing(soup, [])),
    )
    return ENVIRONMENT_ID, write_record(Environment(ENVIRONMENT_ID, [KeyedStruct(0, structure)]))


def _polygon(polygon: Polygon, keys: dict[Vec3, int], stippling: int, surface: int, uvs: list[int]) -> DatPolygon:
    return DatPolygon(polygon.id, stippling, 0, surface, -1, [keys[corner] for corner in polygon.vertices], uvs, [])
