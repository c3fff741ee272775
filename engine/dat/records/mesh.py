"""Meshes: vertices, polygons, BSP trees, and the records made of them (spec/dat-format.md 3.1 - 3.5.1)."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Final

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


@dataclass(slots=True)
class BspNode:
    """A node of any of the three kinds of tree; the tag says which of the attributes it has (3.3).

    The tag is written as it is read aloud ("BPnN", "LEAF", "PORT"), not reversed as in the file.
    """

    tag: str
    plane: PlaneTuple | None = None
    pos: BspNode | None = None
    neg: BspNode | None = None
    sphere: SphereTuple | None = None
    polygon_ids: list[int] = field(default_factory=list)
    leaf_index: int = 0
    solid: int = 0
    portals: list[tuple[int, int]] = field(default_factory=list)
    """Pairs of polygon id and portal index; PORT nodes only."""


@dataclass(slots=True)
class CellStruct:
    """The mesh of a room: what is drawn, what is collided with, what is inside (3.4)."""

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
