"""Builds the shapes of physics and visibility from mesh records: polygons with planes, trees, structures, models,
setups (dat-format.md 3.1-3.5).

Every source of a world makes records first and passes them here, so all build the same objects. Unusable parts are left
out and named in a fault.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Sequence
from functools import partial
from typing import Final, TypeVar

from engine.dat.records import BspNode, DatPolygon, Vertex
from engine.dat.records import CellStruct as CellStructRecord
from engine.dat.records import GfxObj as GfxObjRecord
from engine.dat.records import Setup as SetupRecord
from engine.dat.records.base import RecordFrame
from engine.geometry.box import Box
from engine.geometry.bsp import PhysicsLeaf, PhysicsNode, PhysicsTree
from engine.geometry.cell_bsp import CellInner, CellLeaf, CellNode
from engine.geometry.constants import CELL_LENGTH, LAND_LENGTH
from engine.geometry.deep_bsp import physics_node
from engine.geometry.drawing_bsp import DrawingInner, DrawingLeaf, DrawingNode, DrawingPort
from engine.geometry.elementary import distance_between, plain_sum
from engine.geometry.errors import GeometryError
from engine.geometry.frame import Frame
from engine.geometry.plane import Plane
from engine.geometry.polygon import Polygon
from engine.geometry.quat import IDENTITY, normalize
from engine.geometry.sphere import CylSphere, Sphere
from engine.geometry.vec import ZERO, Vec3, is_finite
from engine.world.cells.cell import CellStruct
from engine.world.cells.objects import NO_PARENT, GfxObj, Setup, SetupPart
from engine.world.faults import (
    CELL_TREE,
    DRAWING_TREE,
    FRAME,
    MODEL,
    PHYSICS_TREE,
    POLYGON,
    SURFACE,
    Fault,
    Severity,
)

FARTHEST: Final = LAND_LENGTH * CELL_LENGTH
"""Metres along an axis: from one end of the land to the other. Nothing real is larger, but a damaged number is."""

NON_PLANAR: Final = 0.01
"""Metres a corner may be off its polygon's plane; real content stays below a tenth of this (fixtures, issue273)."""

HAS_PHYSICS: Final = 0x1  # GfxObj flags (dat-format.md 3.5.1)
NO_POSITIVE_UVS: Final = 0x4  # stippling: such a polygon is not drawn (3.2.3)
ALLOW_FREE_HEADING: Final = 0x4  # Setup flags (3.5.2)

NodeT = TypeVar("NodeT")


class FaultLog:
    """Collects the faults of one thing, `where`."""

    def __init__(self, where: int) -> None:
        self.where = where
        self.faults: list[Fault] = []

    def error(self, what: str, reason: str, index: int = -1) -> None:
        self.faults.append(Fault(self.where, what, reason, Severity.ERROR, index))

    def warning(self, what: str, reason: str, index: int = -1) -> None:
        self.faults.append(Fault(self.where, what, reason, Severity.WARNING, index))

    def info(self, what: str, reason: str, index: int = -1) -> None:
        self.faults.append(Fault(self.where, what, reason, Severity.INFO, index))


def is_place(v: Vec3) -> bool:
    """Whether all coordinates are finite."""
    return all(abs(part) <= FARTHEST for part in v)


def frame_of(record: RecordFrame, found: FaultLog, of_what: str, index: int = -1) -> Frame:
    """The frame exactly as stored; a bad one is repaired as far as possible (physics.md 1.2)."""
    frame = Frame(record.origin, record.rotation)
    if frame.is_valid() and is_place(frame.origin):
        return frame
    origin, rotation = record.origin, record.rotation
    if not is_place(origin):
        found.error(FRAME, f"{of_what} stands at {origin}, which is not a place; put at the origin", index)
        origin = ZERO
    length2 = plain_sum(part * part for part in rotation)
    if not 0.0 < length2 < float("inf"):
        found.error(FRAME, f"{of_what} is turned by {rotation}, which is not a rotation; left unturned", index)
        rotation = IDENTITY
    elif not Frame(ZERO, rotation).is_valid():
        found.error(
            FRAME, f"{of_what} is turned by a quaternion of length {math.sqrt(length2):.4f}, not 1; brought to 1", index
        )
        rotation = normalize(rotation)
    return Frame(origin, rotation)


def polygon_table(
    vertices: Sequence[Vertex], records: Iterable[DatPolygon], found: FaultLog, kind: str
) -> dict[int, Polygon]:
    """The polygons by id; `kind` ("visible", "physics") is for the faults' wording."""
    # In reverse, so that of two vertices with one key the first counts.
    positions = {vertex.key: vertex.position for vertex in reversed(vertices)}
    nowhere = [key for key, position in positions.items() if not is_place(position)]
    for key in nowhere:
        del positions[key]
    table: dict[int, Polygon] = {}
    for record in records:
        polygon = _polygon(record, positions, found, kind)
        if polygon is None:
            continue
        if record.key in table:
            found.error(POLYGON, f"there is another {kind} polygon of this id; the first one counts", record.key)
            continue
        table[record.key] = polygon
    return table


def _polygon(record: DatPolygon, positions: dict[int, Vec3], found: FaultLog, kind: str) -> Polygon | None:
    key = record.key
    try:
        corners = [positions[vertex_id] for vertex_id in record.vertex_ids]
    except KeyError as error:
        reason = f"the {kind} polygon needs vertex {error.args[0]}, which is not there or is not a place; left out"
        found.error(POLYGON, reason, key)
        return None
    if len(corners) < 3:
        found.error(POLYGON, f"the {kind} polygon has {len(corners)} corners; left out", key)
        return None
    polygon = Polygon(key, corners, record.sides_type)
    if polygon.degenerate or not is_finite(polygon.normal):
        found.warning(POLYGON, f"the {kind} polygon has no area", key)
    elif len(corners) > 3:
        off = _off_plane(polygon)
        if off > NON_PLANAR:
            found.warning(POLYGON, f"the {kind} polygon is not flat: a corner lies {off:.3f} off its plane", key)
    return polygon


def _off_plane(polygon: Polygon) -> float:
    nx, ny, nz = polygon.normal
    d = polygon.d
    return max([abs(nx * x + ny * y + nz * z + d) for x, y, z in polygon.vertices])


def surface_faults(polygons: Iterable[DatPolygon], count: int, found: FaultLog) -> None:
    """The polygons drawn with a surface index beyond the list of `count` surfaces."""
    for polygon in polygons:
        if not polygon.stippling & NO_POSITIVE_UVS and polygon.pos_surface >= count:
            found.error(SURFACE, f"the polygon has surface {polygon.pos_surface} of a list of {count}", polygon.key)


# --- trees


def _build_tree(
    root: BspNode, leaf: Callable[[BspNode], NodeT], inner: Callable[[BspNode, NodeT | None, NodeT | None], NodeT]
) -> NodeT:
    """A tree of geometry nodes from a tree of record nodes, children first and without recursion."""
    order: list[BspNode] = []
    waiting = [root]
    while waiting:
        node = waiting.pop()
        order.append(node)
        if node.tag != "LEAF":
            waiting.extend(child for child in (node.pos, node.neg) if child is not None)
    built: dict[int, NodeT] = {}
    for node in reversed(order):
        if node.tag == "LEAF":
            built[id(node)] = leaf(node)
            continue
        pos = None if node.pos is None else built.pop(id(node.pos))
        neg = None if node.neg is None else built.pop(id(node.neg))
        built[id(node)] = inner(node, pos, neg)
    return built[id(root)]


def _plane(node: BspNode) -> Plane:
    if node.plane is None:
        raise GeometryError(f"a {node.tag} node has no plane")
    normal, d = node.plane
    if not is_finite(normal) or d - d != 0.0:
        raise GeometryError(f"a {node.tag} node has the plane {normal}, {d}")
    return Plane(normal, d)


def _sphere(node: BspNode) -> Sphere:
    if node.sphere is None:
        return Sphere(ZERO, 0.0)
    center, radius = node.sphere
    if not is_finite(center) or radius - radius != 0.0:
        raise GeometryError(f"a {node.tag} node has the sphere {center}, {radius}")
    return Sphere(center, radius)


def _reach(pos: PhysicsNode | None, neg: PhysicsNode | None) -> Sphere:
    """A sphere around what is below a node that has none of its own, as PORT nodes of physics trees (3.3.2)."""
    spheres = [child.sphere for child in (pos, neg) if child is not None]
    if len(spheres) < 2:
        return spheres[0].copy() if spheres else Sphere(ZERO, 0.0)
    one, two = spheres
    apart = distance_between(one.center, two.center)
    if apart + two.radius <= one.radius:
        return one.copy()
    if apart + one.radius <= two.radius:
        return two.copy()
    radius = (apart + one.radius + two.radius) / 2.0
    share = (radius - one.radius) / apart
    (x, y, z), (u, v, w) = one.center, two.center
    return Sphere((x + (u - x) * share, y + (v - y) * share, z + (w - z) * share), radius)


def physics_tree(root: BspNode, polygons: dict[int, Polygon], found: FaultLog) -> PhysicsTree | None:
    """The tree with its polygons in the leaves; None, with a fault, when nothing can be built from it."""

    def leaf(node: BspNode) -> PhysicsNode:
        missing = [key for key in node.polygon_ids if key not in polygons]
        if missing:
            found.error(PHYSICS_TREE, f"names the polygons {missing}, which are not there", node.leaf_index)
        held = [polygons[key] for key in node.polygon_ids if key in polygons]
        return PhysicsLeaf(node.leaf_index, node.solid != 0, _sphere(node), held)

    def inner(node: BspNode, pos: PhysicsNode | None, neg: PhysicsNode | None) -> PhysicsNode:
        return physics_node(_plane(node), pos, neg, _reach(pos, neg) if node.sphere is None else _sphere(node))

    try:
        return PhysicsTree(_build_tree(root, leaf, inner), list(polygons.values()))
    except GeometryError as error:
        found.error(PHYSICS_TREE, f"{error}; nothing in it collides")
        return None


def cell_tree(root: BspNode, found: FaultLog) -> CellNode | None:
    def leaf(node: BspNode) -> CellNode:
        return CellLeaf(node.leaf_index)

    def inner(node: BspNode, pos: CellNode | None, neg: CellNode | None) -> CellNode:
        return CellInner(_plane(node), pos, neg)

    try:
        return _build_tree(root, leaf, inner)
    except GeometryError as error:
        found.error(CELL_TREE, f"{error}; the cells of this shape contain nothing and cannot be found")
        return None


def drawing_tree(root: BspNode, found: FaultLog) -> DrawingNode | None:
    def leaf(node: BspNode) -> DrawingNode:
        return DrawingLeaf(node.leaf_index)

    def inner(node: BspNode, pos: DrawingNode | None, neg: DrawingNode | None) -> DrawingNode:
        plane, sphere = _plane(node), _sphere(node)
        if node.tag == "PORT":
            return DrawingPort(plane, pos, neg, sphere, list(node.polygon_ids), list(node.portals))
        return DrawingInner(plane, pos, neg, sphere, list(node.polygon_ids))

    try:
        return _build_tree(root, leaf, inner)
    except GeometryError as error:
        found.error(DRAWING_TREE, str(error))
        return None


# --- structures, models, setups


def cell_struct(record: CellStructRecord, environment_id: int, index: int) -> CellStruct:
    found = FaultLog(environment_id)
    polygons = polygon_table(record.vertices, record.polygons, found, "visible")
    physics = polygon_table(record.vertices, record.physics_polygons, found, "physics")
    containing = cell_tree(record.cell_bsp, found)
    if isinstance(containing, CellLeaf):
        found.warning(CELL_TREE, "is a lone leaf, so cells of this shape contain every point", index)
    structure = CellStruct(
        environment_id,
        index,
        [vertex.position for vertex in record.vertices],
        polygons,
        list(record.portal_polygons),
        physics,
        physics_tree(record.physics_bsp, physics, found),
        containing,
        None,
        record,
    )
    structure.faults = found.faults
    if record.drawing_bsp is not None:
        structure.see_later(partial(drawing_tree, record.drawing_bsp, found))
    return structure


def empty_struct(environment_id: int, index: int) -> CellStruct:
    """Build a stand-in for a missing structure, so that its cell, portals and statics can still be inspected."""
    return CellStruct(environment_id, index, [], {}, [], {}, None, None, None, None)


def gfxobj(record: GfxObjRecord) -> GfxObj:
    found = FaultLog(record.id)
    physics = polygon_table(record.vertices, record.physics_polygons, found, "physics")
    collision = None if record.physics_bsp is None else physics_tree(record.physics_bsp, physics, found)
    if record.flags & HAS_PHYSICS and record.physics_bsp is None:
        found.error(PHYSICS_TREE, "the model says that it has one, and there is none")
    surface_faults(record.polygons, len(record.surfaces), found)
    points = [vertex.position for vertex in record.vertices if is_place(vertex.position)]
    seen = _root_sphere(record.drawing_bsp)
    model = GfxObj(
        record.id,
        {},
        physics,
        collision,
        None,
        seen if collision is None else collision.root.sphere,
        seen,
        Box.of_points(points or [ZERO]),
        record.sort_center,
        list(record.surfaces),
        record.degrade_id or 0,
        record,
    )
    model.faults = found.faults
    model.see_later(
        partial(polygon_table, record.vertices, record.polygons, found, "visible"),
        partial(_optional_drawing_tree, record.drawing_bsp, found),
    )
    return model


def _optional_drawing_tree(root: BspNode | None, found: FaultLog) -> DrawingNode | None:
    return None if root is None else drawing_tree(root, found)


def _root_sphere(root: BspNode | None) -> Sphere | None:
    """Return the sphere around everything drawn; a single leaf has none."""
    if root is None or root.tag == "LEAF" or root.sphere is None:
        return None
    center, radius = root.sphere
    return Sphere(center, radius) if is_finite(center) and radius - radius == 0.0 else None


def single_part_setup(model: GfxObj) -> Setup:
    """Return the setup that a bare GfxObj stands for where a model is needed (dat-format.md 3.5.2)."""
    bound = model.drawing_sphere or model.bounding_sphere or Sphere(ZERO, 0.0)
    part = SetupPart(model.id, model, (1.0, 1.0, 1.0))
    return Setup(model.id, [part], {}, [], [], bound.copy(), bound.copy())


def setup(record: SetupRecord, find_gfxobj: Callable[[int], GfxObj | None]) -> Setup:
    found = FaultLog(record.id)
    parts: list[SetupPart] = []
    for index, gfxobj_id in enumerate(record.parts):
        model = find_gfxobj(gfxobj_id)
        if model is None:
            found.error(MODEL, f"part 0x{gfxobj_id:08X} is missing or unreadable", index)
        scale = record.default_scales[index] if record.default_scales else (1.0, 1.0, 1.0)
        parent = record.parent_indices[index] if record.parent_indices else NO_PARENT
        parts.append(SetupPart(gfxobj_id, model, scale, parent))
    placements = {
        placement.key: [frame_of(frame, found, f"a part in placement {placement.key}") for frame in placement.frames]
        for placement in record.placement_frames
    }
    made = Setup(
        record.id,
        parts,
        placements,
        [CylSphere(shape.low_point, shape.radius, shape.height) for shape in record.cyl_spheres],
        [Sphere(center, radius) for center, radius in record.spheres],
        Sphere(*record.sorting_sphere),
        Sphere(*record.selection_sphere),
        record,
    )
    made.height = record.height
    made.radius = record.radius
    made.step_up_height = record.step_up_height
    made.step_down_height = record.step_down_height
    made.allow_free_heading = bool(record.flags & ALLOW_FREE_HEADING)
    made.default_animation = record.default_animation
    made.default_script = record.default_script
    made.default_motion_table = record.default_motion_table
    made.default_sound_table = record.default_sound_table
    made.default_script_table = record.default_script_table
    made.faults.extend(found.faults)
    return made
