"""Meshes: vertices, polygons, BSP trees, and the records made of them (dat-format.md 3.1 - 3.5.1)."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Final

from engine.dat.codec.base import Bits, Both, Entries, NotZero, OneOf, Size
from engine.dat.codec.choices import Constant, When
from engine.dat.codec.lists import List, list32
from engine.dat.codec.loose import ALIGN4, CUINT
from engine.dat.codec.numbers import DID, F32, FLAGS8, FLAGS32, I16, I32, PLANE, SPHERE, U8, U16, U32, UV, VEC3, Vector
from engine.dat.codec.record import Record
from engine.dat.codec.tree import CHILD, Tree
from engine.dat.records.base import DatRecord, PlaneTuple, SphereTuple, Vec3

NO_POSITIVE_UVS: Final = 0x04
NO_NEGATIVE_UVS: Final = 0x08
"""Stippling flags that say which UV indices a polygon has (3.2.1)."""

SIDES_TWO: Final = 2
"""The sides type ("Clockwise") with a negative surface and negative UVs of its own (3.2.2)."""

HAS_PHYSICS: Final = 0x1
HAS_DRAWING: Final = 0x2
HAS_DEGRADE: Final = 0x8
"""Flags of a GfxObj (3.5.1)."""


@dataclass(slots=True)
class Vertex:
    """A vertex with all UV pairs that polygons select from (3.1)."""

    key: int
    position: Vec3
    normal: Vec3
    uvs: list[tuple[float, float]]


@dataclass(slots=True)
class DatPolygon:
    """A polygon as stored: vertex keys counter-clockwise seen from the front (3.2)."""

    key: int
    stippling: int
    sides_type: int
    pos_surface: int
    neg_surface: int
    vertex_ids: list[int]
    pos_uvs: list[int] = field(default_factory=list)
    neg_uvs: list[int] = field(default_factory=list)


@dataclass(slots=True, eq=False)
class BspNode:
    """A node of any of the three kinds of tree; the tag says which of the attributes it has (3.3).

    The tag is written as it is read aloud ("BPnN", "LEAF", "PORT"), not reversed as in the file.
    """

    tag: str
    plane: PlaneTuple | None = None
    pos: BspNode | None = field(default=None, repr=False)
    neg: BspNode | None = field(default=None, repr=False)
    sphere: SphereTuple | None = None
    polygon_ids: list[int] = field(default_factory=list)
    leaf_index: int = 0
    solid: int = 0
    portals: list[tuple[int, int]] = field(default_factory=list)
    """Pairs of polygon id and portal index; PORT nodes only."""

    def __eq__(self, other: object) -> bool:
        """Whether the trees are the same, without recursion: a damaged one may have a hundred thousand levels."""
        if not isinstance(other, BspNode):
            return NotImplemented
        waiting: list[tuple[BspNode | None, BspNode | None]] = [(self, other)]
        while waiting:
            one, two = waiting.pop()
            if one is two:
                continue
            if one is None or two is None or one._own() != two._own():
                return False
            waiting += [(one.pos, two.pos), (one.neg, two.neg)]
        return True

    def _own(self) -> tuple[object, ...]:
        """Everything but the children."""
        return self.tag, self.plane, self.sphere, self.polygon_ids, self.leaf_index, self.solid, self.portals


@dataclass(slots=True)
class CellStruct:
    """The mesh of a room: drawing polygons, physics polygons and the three trees (3.4)."""

    vertices: list[Vertex]
    polygons: list[DatPolygon]
    portal_polygons: list[int]
    cell_bsp: BspNode
    physics_polygons: list[DatPolygon]
    physics_bsp: BspNode
    drawing_bsp: BspNode | None
    has_drawing_bsp: int = 1
    """Not 0 exactly when there is a `drawing_bsp`."""


@dataclass(slots=True)
class KeyedStruct:
    """A CellStruct under the key by which EnvCells name it."""

    key: int
    structure: CellStruct


@dataclass(slots=True)
class Environment(DatRecord):
    """A group of room meshes (3.4)."""

    id: int
    structures: list[KeyedStruct]


@dataclass(slots=True)
class GfxObj(DatRecord):
    """A mesh with its own surfaces, for models and building shells (3.5.1)."""

    id: int
    flags: int
    surfaces: list[int]
    vertices: list[Vertex]
    physics_polygons: list[DatPolygon]
    physics_bsp: BspNode | None
    sort_center: Vec3
    polygons: list[DatPolygon]
    drawing_bsp: BspNode | None
    degrade_id: int | None = None


@dataclass(slots=True)
class Degrade:
    """One level of detail: what to draw between which distances (3.5.1)."""

    gfxobj_id: int
    degrade_mode: int
    min_distance: float
    ideal_distance: float
    max_distance: float


@dataclass(slots=True)
class GfxObjDegradeInfo(DatRecord):
    """The levels of detail of a GfxObj (3.5.1)."""

    id: int
    degrades: list[Degrade]


VERTEX = Record(
    Vertex,
    [("key", U16), ("#uvs", U16), ("position", VEC3), ("normal", VEC3), ("uvs", List(Size("uvs"), UV))],
)

_VERTEX_ARRAY: Entries = [("", Constant(I32, 1, "vertex type")), ("vertices", list32(VERTEX))]

POLYGON = Record(
    DatPolygon,
    [
        ("key", U16),
        ("#vertex_ids", U8),
        ("stippling", FLAGS8),
        ("sides_type", I32),
        ("pos_surface", I16),
        ("neg_surface", I16),
        ("vertex_ids", List(Size("vertex_ids"), I16)),
        ("pos_uvs", When(Bits("stippling", NO_POSITIVE_UVS, clear=True), List(Size("vertex_ids"), U8), or_empty=True)),
        (
            "neg_uvs",
            When(
                Both(OneOf("sides_type", [SIDES_TWO]), Bits("stippling", NO_NEGATIVE_UVS, clear=True)),
                List(Size("vertex_ids"), U8),
                or_empty=True,
            ),
        ),
    ],
)

_CHILDREN: dict[str, Entries] = {
    "BPnn": [("pos", CHILD)],
    "BPIn": [("pos", CHILD)],
    "BpIN": [("neg", CHILD)],
    "BpnN": [("neg", CHILD)],
    "BPIN": [("pos", CHILD), ("neg", CHILD)],
    "BPnN": [("pos", CHILD), ("neg", CHILD)],
}
"""The children of nodes by tag; nodes with any other tag have none (3.3.1)."""

_LEAF: Entries = [("leaf_index", I32)]


def _tree(tail: Entries, leaf: Entries, port: Entries) -> Tree:
    """One of the three kinds: what stands after the children of a node, what a leaf holds, and what stands after the
    children of a PORT node (3.3.2)."""
    plane: Entries = [("plane", PLANE)]
    shapes = {tag: plane + children + tail for tag, children in _CHILDREN.items()}
    shapes["LEAF"] = leaf
    shapes["PORT"] = plane + _CHILDREN["BPnN"] + port
    return Tree(BspNode, shapes, plane + tail)


_SPHERE: Entries = [("sphere", SPHERE)]

DRAWING_BSP = _tree(
    tail=[*_SPHERE, ("polygon_ids", list32(U16))],
    leaf=_LEAF,
    port=[
        *_SPHERE,
        ("#polygon_ids", U32),
        ("#portals", U32),
        ("polygon_ids", List(Size("polygon_ids"), U16)),
        ("portals", List(Size("portals"), Vector("H", 2))),
    ],
)

PHYSICS_BSP = _tree(tail=_SPHERE, leaf=[*_LEAF, ("solid", I32), *_SPHERE, ("polygon_ids", list32(U16))], port=[])

CELL_BSP = _tree(tail=[], leaf=_LEAF, port=[])

CELL_STRUCT = Record(
    CellStruct,
    [
        ("#polygons", U32),
        ("#physics_polygons", U32),
        ("#portal_polygons", U32),
        *_VERTEX_ARRAY,
        ("polygons", List(Size("polygons"), POLYGON)),
        ("portal_polygons", List(Size("portal_polygons"), U16)),
        ("", ALIGN4),
        ("cell_bsp", CELL_BSP),
        ("physics_polygons", List(Size("physics_polygons"), POLYGON)),
        ("physics_bsp", PHYSICS_BSP),
        ("has_drawing_bsp", U32),
        ("drawing_bsp", When(NotZero("has_drawing_bsp"), DRAWING_BSP)),
        ("", ALIGN4),
    ],
)

KEYED_STRUCT = Record(KeyedStruct, [("key", U32), ("structure", CELL_STRUCT)])

ENVIRONMENT = Record(Environment, [("id", DID), ("structures", list32(KEYED_STRUCT))])

_PHYSICS = Bits("flags", HAS_PHYSICS)
_DRAWING = Bits("flags", HAS_DRAWING)

GFX_OBJ = Record(
    GfxObj,
    [
        ("id", DID),
        ("flags", FLAGS32),
        ("surfaces", List(CUINT, DID)),
        *_VERTEX_ARRAY,
        ("physics_polygons", When(_PHYSICS, List(CUINT, POLYGON), or_empty=True)),
        ("physics_bsp", When(_PHYSICS, PHYSICS_BSP)),
        ("sort_center", VEC3),
        ("polygons", When(_DRAWING, List(CUINT, POLYGON), or_empty=True)),
        ("drawing_bsp", When(_DRAWING, DRAWING_BSP)),
        ("degrade_id", When(Bits("flags", HAS_DEGRADE), DID)),
    ],
)

DEGRADE = Record(
    Degrade,
    [
        ("gfxobj_id", DID),
        ("degrade_mode", U32),
        ("min_distance", F32),
        ("ideal_distance", F32),
        ("max_distance", F32),
    ],
)

DEGRADE_INFO = Record(GfxObjDegradeInfo, [("id", DID), ("degrades", list32(DEGRADE))])
