"""Worlds of a few polygons for the numeric cases: cells with hand-made trees of a single leaf."""

from __future__ import annotations

from engine.geometry.bsp import PhysicsLeaf, PhysicsTree
from engine.geometry.frame import Frame
from engine.geometry.polygon import Polygon
from engine.geometry.sphere import Sphere
from engine.geometry.vec import Vec3
from engine.physics.place import Place
from engine.physics.rules import RuleSet
from engine.physics.sweep.transition import Transition
from engine.world.cells.cell import CellStruct, EnvCell
from engine.world.graph.graph import CellGraph

CELL_ID = 0xC95B0100
FAR = 1000.0


def quad(polygon_id: int, *corners: Vec3) -> Polygon:
    return Polygon(polygon_id, list(corners))


def floor(z: float, polygon_id: int = 0, size: float = 5.0) -> Polygon:
    return quad(polygon_id, (-size, -size, z), (size, -size, z), (size, size, z), (-size, size, z))


def ceiling(z: float, polygon_id: int = 0, size: float = 5.0) -> Polygon:
    return quad(polygon_id, (-size, size, z), (size, size, z), (size, -size, z), (-size, -size, z))


def wall_facing_west(x: float, polygon_id: int = 0, height: float = 5.0) -> Polygon:
    """A wall at `x` that stops eastward motion; its normal is (−1, 0, 0)."""
    return quad(polygon_id, (x, -5.0, 0.0), (x, -5.0, height), (x, 5.0, height), (x, 5.0, 0.0))


def leaf_tree(polygons: list[Polygon]) -> PhysicsTree:
    return PhysicsTree(PhysicsLeaf(0, False, Sphere((0.0, 0.0, 0.0), FAR), polygons), polygons)


def room(polygons: list[Polygon], frame: Frame | None = None, cell_id: int = CELL_ID) -> EnvCell:
    by_id = {polygon.id: polygon for polygon in polygons}
    structure = CellStruct(0x0D000001, 0, [], {}, [], by_id, leaf_tree(polygons), None, None, None)
    made = EnvCell(cell_id, frame or Frame(), structure, [], [], 0, [])
    made.portals_left_out = True
    return made


def graph_of(*cells: EnvCell) -> CellGraph:
    graph = CellGraph()
    for cell in cells:
        graph.add_cell(cell)
    return graph


def spheres(radius: float = 0.48, height: float = 1.2) -> list[Sphere]:
    return [Sphere((0.0, 0.0, radius), radius), Sphere((0.0, 0.0, height - radius), radius)]


def sweep(
    cell: EnvCell, start: Vec3, end: Vec3, body: list[Sphere] | None = None, rules: RuleSet | None = None
) -> Transition:
    """A sweep whose candidate is at `end`, as in the middle of a sub-step; feet coordinates."""
    tr = Transition(graph_of(cell), rules or RuleSet())
    tr.init_spheres(body or spheres(), 1.0)
    still = Frame()
    tr.init_path(cell, Place(cell.id, start, still), Place(cell.id, end, still))
    tr.sp.set_check_pos(Place(cell.id, end, still), cell)
    tr.sp.cache_local_space_sphere(cell.id, cell.frame, 1.0)
    tr.oi.step_up_height = 0.6
    tr.oi.step_down_height = 0.04
    return tr
