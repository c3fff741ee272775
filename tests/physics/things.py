"""Things for the numeric cases: boxes with trees, setups made of shapes, land without rooms, and a door."""

from __future__ import annotations

import math

from engine.geometry.box import Box
from engine.geometry.compile.physics import compile_physics
from engine.geometry.frame import Frame
from engine.geometry.polygon import Polygon
from engine.geometry.quat import from_axis_angle
from engine.geometry.sphere import CylSphere, Sphere
from engine.geometry.vec import UP, ZERO, Vec3
from engine.physics.flags import HAS_PHYSICS_BSP, REPORT_COLLISIONS
from engine.physics.objects.physics_object import PhysicsObj
from engine.physics.objects.shadows import ShadowRegistry
from engine.physics.objects.shapes import shapes_from_setup
from engine.physics.rules import RuleSet
from engine.world.cells.cell import LandCell, ObjCell
from engine.world.cells.objects import GfxObj, Setup, SetupPart
from engine.world.cells.terrain import VERTICES, Terrain
from engine.world.graph.graph import CellGraph

HEIGHT_TABLE = [2.0 * float(index) for index in range(256)]
SOLID = REPORT_COLLISIONS
DOOR_STATE = HAS_PHYSICS_BSP | REPORT_COLLISIONS
HALF_TURN = from_axis_angle(UP, math.pi)


def box_faces(low: Vec3, high: Vec3, first_id: int = 0) -> list[Polygon]:
    """The six faces of a box, seen from outside."""
    (x0, y0, z0), (x1, y1, z1) = low, high
    faces: list[list[Vec3]] = [
        [(x0, y0, z0), (x0, y0, z1), (x0, y1, z1), (x0, y1, z0)],
        [(x1, y0, z0), (x1, y1, z0), (x1, y1, z1), (x1, y0, z1)],
        [(x0, y0, z0), (x1, y0, z0), (x1, y0, z1), (x0, y0, z1)],
        [(x0, y1, z0), (x0, y1, z1), (x1, y1, z1), (x1, y1, z0)],
        [(x0, y0, z0), (x0, y1, z0), (x1, y1, z0), (x1, y0, z0)],
        [(x0, y0, z1), (x1, y0, z1), (x1, y1, z1), (x0, y1, z1)],
    ]
    return [Polygon(first_id + index, corners) for index, corners in enumerate(faces)]


def box_model(low: Vec3, high: Vec3, gfxobj_id: int = 0x01000001, tree: bool = True) -> GfxObj:
    """A solid box; without its tree it never collides."""
    faces = {face.id: face for face in box_faces(low, high)}
    physics = compile_physics(list(faces.values()), openings=[], room=False) if tree else None
    bound = None if physics is None else physics.root.sphere
    return GfxObj(gfxobj_id, faces, faces, physics, None, bound, None, Box(low, high), ZERO, [], 0, None)


def setup(
    *,
    cylinders: list[CylSphere] | None = None,
    spheres: list[Sphere] | None = None,
    models: list[GfxObj] | None = None,
    placements: dict[int, list[Frame]] | None = None,
    setup_id: int = 0x02000001,
) -> Setup:
    parts = [SetupPart(model.id, model, (1.0, 1.0, 1.0)) for model in models or []]
    bound = spheres[0] if spheres else Sphere((0.0, 0.0, 0.1), 0.1)
    return Setup(setup_id, parts, placements or {}, cylinders or [], spheres or [], bound, bound)


def put(
    registry: ShadowRegistry,
    thing: Setup,
    cell_id: int,
    origin: Vec3,
    *,
    entity: int = 0x70000001,
    state: int = SOLID,
    flags: int = 0,
    scale: float = 1.0,
    frame: Frame | None = None,
    static: bool = False,
) -> PhysicsObj:
    """Registers a thing; one with a part that has a tree collides by its parts."""
    if thing.has_physics_bsp():
        state |= HAS_PHYSICS_BSP
    shapes = shapes_from_setup(thing, scale)
    placed = Frame(origin) if frame is None else frame
    return registry.register_multi_part(
        entity, cell_id, placed, shapes, state, flags, thing.sorting_sphere, is_static=static
    )


def flat_land(*blocks: int, z: int = 0, types: dict[int, int] | None = None) -> CellGraph:
    """Flat landblocks (16-bit ids) at z metres (an even number); `types` are terrain types by vertex index."""
    graph = CellGraph()
    words = [(types or {}).get(index, 0) << 2 for index in range(VERTICES)]
    for block in blocks:
        for cell in land_cells(block, [z // 2] * VERTICES, words):
            graph.add_cell(cell)
    return graph


def land_cells(block: int, heights: list[int], words: list[int] | None = None) -> list[ObjCell]:
    terrain = Terrain((block << 16) | 0xFFFF, heights, words or [0] * VERTICES, HEIGHT_TABLE)
    return [LandCell((block << 16) | low, terrain) for low in range(1, 65)]


def door_setup() -> Setup:
    """In the anatomy of 9.1: no cylinders, one tiny sphere, three parts, the first of which fills the opening.

    Its slab is 1.9 m wide, 2.5 m high and reaches from 0.01 m before to 0.25 m behind the door's origin.
    """
    slab = box_model((-0.95, -0.01, 0.0), (0.95, 0.25, 2.5), 0x010044B5)
    handle = box_model((0.7, 0.0, 1.0), (0.8, 0.25, 1.1), 0x010044B6)
    return setup(
        spheres=[Sphere((0.0, 0.0, 0.018), 0.1)],
        models=[slab, handle, handle],
        placements={0x65: [Frame(), Frame(), Frame()]},
        setup_id=0x020019FF,
    )


def registry_in(graph: CellGraph, rules: RuleSet | None = None) -> ShadowRegistry:
    return ShadowRegistry(graph, rules or RuleSet())
