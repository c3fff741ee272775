"""The fixtures' dump form: one JSON file per cell or model (physics.md 12.2, 12.3; fixtures/README).

Dumps contain no trees, matrices instead of frames, and no number of the portal on the other side. This module turns the
matrices into frames; `dump_source` makes trees and links.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from engine.dat.records import DatPolygon, EnvCellPortal, RecordFrame, Vertex
from engine.geometry.elementary import plain_sum
from engine.geometry.quat import IDENTITY, Quat
from engine.geometry.vec import ZERO, Vec3, cross, dot, r24
from engine.world.cells.ids import is_env_cell
from engine.world.faults import FRAME, Fault
from engine.world.loader.json_form import JsonNode

MODEL_SUFFIX: Final = ".gfxobj.json"
ROTATION_TOLERANCE: Final = 1e-3
"""The tolerance of the matrix's axes for unit length and right angles; dumps are rounded to single precision."""

NO_UVS: Final = 0x4  # stippling of a polygon without texture coordinates; dumps have none
UNKNOWN_PORTAL: Final = 0xFFFF


@dataclass(slots=True)
class DumpMesh:
    """Polygons over one table of vertices."""

    vertices: list[Vertex]
    physics: list[DatPolygon]
    visible: list[DatPolygon]


@dataclass(slots=True)
class CellDump:
    """A cell as dumped. `portals` have the raw flags and 16-bit ids, and 0xFFFF for the portal on the other side.

    `faults` lists the parts of the dump that could not be used as they are.
    """

    file: str
    cell_id: int
    frame: RecordFrame
    mesh: DumpMesh
    portals: list[EnvCellPortal]
    visible_cells: list[int]
    faults: list[Fault]


@dataclass(slots=True)
class ModelDump:
    """A dumped model, without a position."""

    file: str
    gfxobj_id: int
    bounding_sphere: tuple[Vec3, float]
    mesh: DumpMesh


def is_model_file(path: Path) -> bool:
    return path.name.lower().endswith(MODEL_SUFFIX)


def cell_dump(root: JsonNode) -> CellDump:
    cell_id = root.field("CellId").integer(0, 0xFFFFFFFF)
    if not is_env_cell(cell_id):
        raise root.field("CellId").error(f"0x{cell_id:08X} is not the id of a room")
    vertices: dict[Vec3, int] = {}
    physics = [_polygon(node, vertices) for node in root.field("ResolvedPolygons").items()]
    visible = [_polygon(node, vertices) for node in root.field("PortalPolygons").items()]
    frame, fault = _frame(root.field("WorldTransform"), cell_id)
    return CellDump(
        root.file,
        cell_id,
        frame,
        DumpMesh(_table(vertices), physics, visible),
        [_portal(node) for node in root.field("Portals").items()],
        [node.integer(0, 0xFFFFFFFF) for node in root.field("VisibleCellIds").items()],
        [] if fault is None else [fault],
    )


def model_dump(root: JsonNode) -> ModelDump:
    gfxobj_id = root.field("GfxObjId").integer(0x01000000, 0x01FFFFFF)
    vertices: dict[Vec3, int] = {}
    physics = [_polygon(node, vertices) for node in root.field("ResolvedPolygons").items()]
    sphere = _vector(root.field("BoundingSphereOrigin")), root.field("BoundingSphereRadius").number()
    return ModelDump(root.file, gfxobj_id, sphere, DumpMesh(_table(vertices), physics, list(physics)))


def _vector(node: JsonNode) -> Vec3:
    return node.field("X").number(), node.field("Y").number(), node.field("Z").number()


def _table(vertices: dict[Vec3, int]) -> list[Vertex]:
    return [Vertex(key, position, ZERO, []) for position, key in vertices.items()]


def _polygon(node: JsonNode, vertices: dict[Vec3, int]) -> DatPolygon:
    """The stored plane is ignored: it follows from the corners, and may contain NaN."""
    corners = [_vector(entry) for entry in node.field("Vertices").items()]
    count = node.field("NumPoints").integer(3, 255)
    if count != len(corners):
        raise node.field("NumPoints").error(f"is {count}, there are {len(corners)} vertices")
    keys = [vertices.setdefault(corner, len(vertices)) for corner in corners]
    sides = node.field("SidesType").integer(0, 3)
    return DatPolygon(node.field("Id").integer(0, 0xFFFF), NO_UVS, sides, -1, -1, keys)


def _portal(node: JsonNode) -> EnvCellPortal:
    return EnvCellPortal(
        node.field("Flags").integer(0, 0xFFFF),
        node.field("PolygonId").integer(0, 0xFFFF),
        node.field("OtherCellId").integer(0, 0xFFFF),
        UNKNOWN_PORTAL,
    )


def _frame(node: JsonNode, cell_id: int) -> tuple[RecordFrame, Fault | None]:
    """The frame of a matrix in the row-vector convention, p' = p · M: its rows are the images of the axes, then the
    origin.

    Only the origin is used if the matrix is not a rotation (physics.md 16.2, E7).
    """
    x_axis, y_axis, z_axis, origin = (_row(node, i) for i in (1, 2, 3, 4))
    axes = (x_axis, y_axis, z_axis)
    off = max(abs(dot(a, b) - float(a is b)) for a in axes for b in axes)
    if off > ROTATION_TOLERANCE or dot(cross(x_axis, y_axis), z_axis) < 0.0:
        reason = "is not a rotation: its axes are not of length 1, at right angles and right-handed; left unturned"
        return RecordFrame(origin, IDENTITY), Fault(cell_id, FRAME, str(node.error(reason)))
    return RecordFrame(origin, quaternion_of(x_axis, y_axis, z_axis)), None


def _row(node: JsonNode, row: int) -> Vec3:
    return node.field(f"M{row}1").number(), node.field(f"M{row}2").number(), node.field(f"M{row}3").number()


def quaternion_of(x_axis: Vec3, y_axis: Vec3, z_axis: Vec3) -> Quat:
    """The unit quaternion that turns the axes of the parent space into these three, computed from its largest
    component."""
    xx, xy, xz = x_axis
    yx, yy, yz = y_axis
    zx, zy, zz = z_axis
    squares = (1.0 + xx + yy + zz, 1.0 + xx - yy - zz, 1.0 - xx + yy - zz, 1.0 - xx - yy + zz)
    largest = squares.index(max(squares))
    size = math.sqrt(squares[largest]) * 2.0
    if largest == 0:
        parts = (size * 0.25, (yz - zy) / size, (zx - xz) / size, (xy - yx) / size)
    elif largest == 1:
        parts = ((yz - zy) / size, size * 0.25, (xy + yx) / size, (zx + xz) / size)
    elif largest == 2:
        parts = ((zx - xz) / size, (xy + yx) / size, size * 0.25, (yz + zy) / size)
    else:
        parts = ((xy - yx) / size, (zx + xz) / size, (yz + zy) / size, size * 0.25)
    length = math.sqrt(plain_sum(part * part for part in parts))
    w, x, y, z = (r24(part / length) for part in parts)  # as a data file would hold it
    return (w, x, y, z)
