"""Turns the goldens' scene form into the records that data files would hold (physics.md 13.11, goldens/README).

A scene is synthetic and contains less than records do, so some things are made up: the ids of its structures and
models, texture data (none), and the portal flag "leads outdoors", which the form expresses by the cell id 65535.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Final

from engine.dat.records import (
    BspNode,
    BuildingInfo,
    BuildingPortal,
    CellStruct,
    DatPolygon,
    EnvCell,
    EnvCellPortal,
    GfxObj,
    LandBlock,
    LandBlockInfo,
    RecordFrame,
    Setup,
    Vertex,
)
from engine.dat.records.setup import HAS_PHYSICS_BSP as SETUP_HAS_PHYSICS_BSP
from engine.dat.records.setup import DatCylSphere, PlacementFrame
from engine.geometry.constants import DEFAULT_STATE, LAND_LENGTH, VERTEX_DIM
from engine.geometry.frame import Frame
from engine.geometry.vec import ZERO, Vec3
from engine.world.cells.ids import FIRST_ENV_CELL, LAST_ENV_CELL, LAST_LAND_CELL, block_x, block_y, landblock_info_id
from engine.world.cells.portals import LEADS_OUTSIDE, is_exit
from engine.world.entity_spec import GRAVITY, HAS_PHYSICS_BSP, STATIC, EntitySpec
from engine.world.loader.json_form import JsonNode

ENVIRONMENT: Final = 0x0001
FIRST_GFXOBJ: Final = 0x01000001
FIRST_SETUP: Final = 0x02000001
MAX_ENTRIES: Final = 0xF000
"""The most cells or models that the assigned ids have space for."""
MAX_DEPTH: Final = 512
"""The deepest tree of a scene: what reads and writes JSON goes down by recursion."""

SEEN_OUTSIDE: Final = 0x1
NO_UVS: Final = 0x4  # stippling of a polygon that has no texture
HAS_PHYSICS: Final = 0x1  # GfxObj flags
EXTENT_RADIUS: Final = 1.0
"""Bounding and sorting sphere of an object that gives none (13.11)."""


@dataclass(slots=True)
class SceneRecords:
    """A scene as records, and the data that no record holds."""

    name: str
    block_id: int
    land: dict[int, LandBlock] = field(default_factory=dict)
    info: LandBlockInfo | None = None
    cells: list[EnvCell] = field(default_factory=list)
    structures: list[CellStruct] = field(default_factory=list)
    no_cell_tree: set[int] = field(default_factory=set)
    """Numbers of the structures without one: `cell_planes` is absent or empty."""
    no_physics_tree: set[int] = field(default_factory=set)
    """Numbers of the structures without one: `physics_bsp` is absent or null."""
    gfxobjs: dict[int, GfxObj] = field(default_factory=dict)
    bounds: dict[int, float] = field(default_factory=dict)
    """Radius of the bounding sphere, round the origin, of models without a tree to take it from."""
    setups: dict[int, Setup] = field(default_factory=dict)
    entities: list[EntitySpec] = field(default_factory=list)
    building_cell: int = 0

    def add_gfxobj(self, record: GfxObj) -> int:
        self.gfxobjs[record.id] = record
        return record.id

    def next_gfxobj(self) -> int:
        return FIRST_GFXOBJ + len(self.gfxobjs)


def read_scene(root: JsonNode) -> SceneRecords:
    """Everything in the scene but its moves and queries; a WorldError names the first invalid value."""
    block = root.field("landblock").integer(0, 0xFFFF)
    scene = SceneRecords(root.field("name").text(), (block << 16) | 0xFFFF)
    terrain = root.optional("terrain")
    if terrain is not None:
        _read_terrain(terrain, scene)
    seen: set[int] = set()
    for node in _limited(root, "cells"):
        cell_id = node.field("id").integer(FIRST_ENV_CELL, LAST_ENV_CELL)
        if cell_id in seen:
            raise node.field("id").error(f"there is another cell {cell_id} before it")
        seen.add(cell_id)
        _read_cell(node, cell_id, scene)
    building = root.optional("building")
    buildings = [] if building is None or building.value is None else [_read_building(building, scene)]
    if scene.cells or buildings:
        scene.info = LandBlockInfo(landblock_info_id(scene.block_id), len(scene.cells), [], buildings)
    for index, node in enumerate(_limited(root, "objects")):
        _read_object(node, index, scene)
    return scene


def _limited(node: JsonNode, name: str) -> list[JsonNode]:
    entries = node.list_of(name)
    if len(entries) > MAX_ENTRIES:
        raise node.field(name).error(f"has {len(entries)} entries, more than {MAX_ENTRIES}")
    return entries


# --- terrain


def _read_terrain(node: JsonNode, scene: SceneRecords) -> None:
    vertices = VERTEX_DIM * VERTEX_DIM
    heights = [entry.integer(0, 255) for entry in node.field("heights").exactly(vertices)]
    types = [entry.integer(0, 31) for entry in node.field("types").exactly(vertices)]
    around = node.optional("height")
    flat = 0 if around is None else around.integer(0, 255)
    for dx in (-1, 0, 1):
        for dy in (-1, 0, 1):
            x, y = block_x(scene.block_id) + dx, block_y(scene.block_id) + dy
            if not (0 <= x * 8 < LAND_LENGTH and 0 <= y * 8 < LAND_LENGTH):
                continue
            block_id = (x << 24) | (y << 16) | 0xFFFF
            middle = dx == 0 and dy == 0
            words = [kind << 2 for kind in types] if middle else [0] * vertices
            scene.land[block_id] = LandBlock(block_id, int(middle), words, heights if middle else [flat] * vertices)


# --- meshes


@dataclass(slots=True)
class _Mesh:
    vertices: list[Vertex]
    physics: list[DatPolygon]
    visible: list[DatPolygon]
    openings: list[int]


def _read_mesh(node: JsonNode) -> _Mesh:
    """The openings keep their ids in the table of visible polygons, because portals refer to them; the solid polygons
    are visible too and follow under new ids."""
    vertices = [Vertex(key, entry.vec3(), ZERO, []) for key, entry in enumerate(node.field("vertices").items())]
    physics = [_polygon(entry, len(vertices)) for entry in node.field("polys").items()]
    openings = [_polygon(entry, len(vertices)) for entry in node.list_of("portal_polys")]
    first = max((polygon.key for polygon in openings), default=-1) + 1
    walls = [
        DatPolygon(first + index, NO_UVS, polygon.sides_type, -1, -1, polygon.vertex_ids)
        for index, polygon in enumerate(physics)
    ]
    return _Mesh(vertices, physics, openings + walls, [polygon.key for polygon in openings])


def _polygon(node: JsonNode, vertices: int) -> DatPolygon:
    sides = node.optional("sides")
    corners = [entry.integer(0, vertices - 1) for entry in node.field("v").items()]
    if not 3 <= len(corners) <= 255:
        raise node.field("v").error(f"has {len(corners)} corners, a polygon has 3 to 255")
    key = node.field("id").integer(0, 0x7FFF)
    return DatPolygon(key, NO_UVS, 0 if sides is None else sides.integer(0, 3), -1, -1, corners)


def _physics_tree(node: JsonNode) -> BspNode | None:
    """The physics tree given for a cell or part, if any."""
    tree = node.optional("physics_bsp")
    return None if tree is None or tree.value is None else _read_tree(tree)


def _read_tree(root: JsonNode) -> BspNode:
    """Built from the top, so that a deep tree does not exhaust the stack."""
    top = _tree_node(root)
    waiting = [(root, top, 1)]
    while waiting:
        source, node, depth = waiting.pop()
        if node.tag == "LEAF":
            continue
        if depth >= MAX_DEPTH:
            raise source.error(f"the tree is deeper than {MAX_DEPTH} nodes")
        for side in ("pos", "neg"):
            child = source.optional(side)
            if child is None or child.value is None:
                continue
            made = _tree_node(child)
            setattr(node, side, made)
            waiting.append((child, made, depth + 1))
        node.tag = _TAGS[node.pos is not None, node.neg is not None]
    return top


_TAGS: Final = {(True, True): "BPnN", (True, False): "BPnn", (False, True): "BpnN", (False, False): "BpIn"}


def _tree_node(node: JsonNode) -> BspNode:
    sphere = node.field("sphere").exactly(4)
    x, y, z, radius = (entry.number() for entry in sphere)
    if node.has("leaf"):
        ids = [entry.integer(0, 0x7FFF) for entry in node.list_of("polys")]
        solid = node.field("solid").integer(0, 1)
        leaf = node.field("leaf").integer(0, 2**31 - 1)
        return BspNode("LEAF", sphere=((x, y, z), radius), polygon_ids=ids, leaf_index=leaf, solid=solid)
    return BspNode("BPnN", plane=_plane(node.field("plane")), sphere=((x, y, z), radius))


def _plane(node: JsonNode) -> tuple[Vec3, float]:
    x, y, z, d = (entry.number() for entry in node.exactly(4))
    return (x, y, z), d


# --- cells and buildings


def _read_cell(node: JsonNode, cell_id: int, scene: SceneRecords) -> None:
    mesh = _read_mesh(node)
    number = len(scene.structures)
    tree = BspNode("LEAF")
    planes = node.list_of("cell_planes")
    if len(planes) >= MAX_DEPTH:
        raise node.field("cell_planes").error(f"has {len(planes)} planes, more than {MAX_DEPTH}")
    for plane in reversed(planes):
        tree = BspNode("BPnn", plane=_plane(plane), pos=tree)
    if not planes:
        scene.no_cell_tree.add(number)
    physics = _physics_tree(node)
    if physics is None:
        scene.no_physics_tree.add(number)
    scene.structures.append(
        CellStruct(mesh.vertices, mesh.visible, mesh.openings, tree, mesh.physics, physics or BspNode("LEAF"), None, 0)
    )
    outside = node.optional("seen_outside")
    flags = SEEN_OUTSIDE if outside is not None and outside.boolean() else 0
    scene.cells.append(
        EnvCell(
            (scene.block_id & 0xFFFF0000) | cell_id,
            flags,
            [],
            ENVIRONMENT,
            number,
            _frame(node),
            [_cell_portal(entry) for entry in node.list_of("portals")],
            [entry.integer(0, 0xFFFF) for entry in node.list_of("stab")],
        )
    )


def _frame(node: JsonNode) -> RecordFrame:
    return RecordFrame(node.field("origin").vec3(), node.field("quat").quat())


def _cell_portal(node: JsonNode) -> EnvCellPortal:
    other = node.field("other").integer(0, 0xFFFF)
    flags = node.field("flags").integer(0, 0xFFFF) | (LEADS_OUTSIDE if is_exit(0, other) else 0)
    return EnvCellPortal(flags, node.field("poly").integer(0, 0x7FFF), other, _other_portal(node))


def _other_portal(node: JsonNode) -> int:
    found = node.optional("other_portal")
    return 0xFFFF if found is None else found.integer(-1, 0xFFFF) & 0xFFFF


def _read_building(node: JsonNode, scene: SceneRecords) -> BuildingInfo:
    scene.building_cell = node.field("cell").integer(1, LAST_LAND_CELL)
    parts = [_read_part(entry, scene) for entry in node.field("parts").items()]
    if not parts:
        raise node.field("parts").error("is empty; a building has a shell")
    model_id = parts[0] if len(parts) == 1 else _add_setup(scene, parts, [], [], None)
    portals = [
        BuildingPortal(
            entry.field("flags").integer(0, 0xFFFF),
            entry.field("other").integer(0, 0xFFFF),
            _other_portal(entry),
            [low.integer(0, 0xFFFF) for low in entry.list_of("stab")],
        )
        for entry in node.list_of("portals")
    ]
    return BuildingInfo(model_id, _frame(node), 0, portals)


def _read_part(node: JsonNode, scene: SceneRecords) -> int:
    mesh = _read_mesh(node)
    physics = _physics_tree(node)
    record = GfxObj(
        scene.next_gfxobj(),
        0 if physics is None else HAS_PHYSICS,
        [],
        mesh.vertices,
        mesh.physics,
        physics,
        ZERO,
        mesh.visible,
        None,
    )
    return scene.add_gfxobj(record)


# --- objects


def _read_object(node: JsonNode, index: int, scene: SceneRecords) -> None:
    spheres = [_sphere(entry) for entry in node.list_of("spheres")]
    cylinders = [
        DatCylSphere(entry.field("low").vec3(), entry.field("r").number(0.0), entry.field("h").number(0.0))
        for entry in node.list_of("cylspheres")
    ]
    parts = [_read_part(entry, scene) for entry in node.list_of("parts")]
    has_tree = any(scene.gfxobjs[part].physics_bsp is not None for part in parts)
    if not parts:
        parts = [scene.add_gfxobj(GfxObj(scene.next_gfxobj(), 0, [], [], [], None, ZERO, [], None))]
        scene.bounds[parts[0]] = EXTENT_RADIUS
    sorting = node.optional("sorting_sphere")
    sorting_sphere = None if sorting is None or sorting.value is None else _sphere(sorting)
    setup_id = _add_setup(scene, parts, cylinders, spheres, sorting_sphere)
    static, creature = (_flag(node, name) for name in ("static", "creature"))
    frame = _frame(node)
    placed = Frame(frame.origin, frame.rotation)
    if not placed.is_valid():
        raise node.field("quat").error("is not of length 1")
    scale = node.optional("scale")
    state = node.optional("state")
    bits = DEFAULT_STATE | (0 if state is None else state.integer(0, 0xFFFFFFFF)) | (STATIC if static else 0)
    kind = "creature" if creature else "static" if static else "object"
    scene.entities.append(
        EntitySpec(
            guid=node.field("id").integer(0, 0xFFFFFFFF),
            name=f"{kind} {index}",
            kind=kind,
            setup_id=setup_id,
            cell_id=_cell_id(node, scene),
            frame=placed,
            state=(bits & ~GRAVITY) | (HAS_PHYSICS_BSP if has_tree else 0),
            scale=1.0 if scale is None else scale.number(0.001, 1000.0),
            extra={"static": static, "creature": creature},
        )
    )


def _cell_id(node: JsonNode, scene: SceneRecords) -> int:
    """`cell` in the scene's landblock, unless `block` names another one, to which positions are then relative."""
    block = node.optional("block")
    high = scene.block_id >> 16 if block is None else block.integer(0, 0xFFFF)
    return (high << 16) | node.field("cell").integer(0, 0xFFFF)


def add_body_parts(node: JsonNode, scene: SceneRecords) -> int:
    """The setup of a moving body's `parts`, added to the scene's; its spheres belong to the move."""
    return _add_setup(scene, [_read_part(entry, scene) for entry in node.list_of("parts")], [], [], None)


def _flag(node: JsonNode, name: str) -> bool:
    found = node.optional(name)
    return found is not None and found.boolean()


def _sphere(node: JsonNode) -> tuple[Vec3, float]:
    return node.field("c").vec3(), node.field("r").number(0.0)


def _add_setup(
    scene: SceneRecords,
    parts: list[int],
    cylinders: list[DatCylSphere],
    spheres: list[tuple[Vec3, float]],
    sorting_sphere: tuple[Vec3, float] | None,
) -> int:
    """A setup with all parts at its origin, bounded by the first sphere, or by one of a metre if nothing else bounds
    it."""
    setup_id = FIRST_SETUP + len(scene.setups)
    bound = sorting_sphere or (spheres[0] if spheres else (ZERO, EXTENT_RADIUS))
    has_tree = any(scene.gfxobjs[part].physics_bsp is not None for part in parts)
    scene.setups[setup_id] = Setup(
        setup_id,
        SETUP_HAS_PHYSICS_BSP if has_tree else 0,
        parts,
        None,
        None,
        {},
        {},
        [PlacementFrame(0, [RecordFrame() for _ in parts], [])],
        cylinders,
        spheres,
        0.0,
        0.0,
        0.0,
        0.0,
        bound,
        bound,
        [],
    )
    return setup_id
