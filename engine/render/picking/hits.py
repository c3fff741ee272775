"""The result of a pick, and what a pick needs of a scene and a frame (rendering.md 22.2)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from enum import Enum
from typing import Protocol

from engine.geometry.vec import Vec3
from engine.render.draws import PartDraw, ShellDraw, TerrainDraw
from engine.render.picking.meshes import MeshHit, Ray
from engine.visibility.events import FrameEvent
from engine.visibility.records import NO_PORTAL, FloodResult
from engine.world.cells.cell import Building
from engine.world.cells.ids import landblock_id


class HitKind(Enum):
    """The kind of a hit. POLYGON is a wall of a room, BUILDING one of a shell; CELL answers the mode of that name."""

    CELL = "cell"
    POLYGON = "polygon"
    PORTAL = "portal"
    PART = "part"
    TERRAIN = "terrain"
    BUILDING = "building"


class PickMode(Enum):
    """The kind of thing to pick."""

    NEAREST = "nearest"
    PORTAL = "portal"
    """The nearest portal on the way, whatever became of it; things do not stand before it."""
    CELL = "cell"
    """The cell alone in which something is hit."""
    APERTURE = "aperture"
    """The opening of a building, from either side."""
    LANDCELL = "landcell"
    """The ground, whatever stands on it."""


@dataclass(frozen=True)
class Hit:
    """A hit of the ray: `t` metres from the eye, `point` and `normal` in the landblock `block_id`.

    `cell_id` is the cell it was seen in. A hit on a part has `object_id`, `part` and its draw; one on a building's
    shell or opening has the building's `object_id`. One on a portal has `portal_index`, `other_cell_id` and the
    portal's status.
    """

    kind: HitKind
    block_id: int
    cell_id: int
    t: float
    point: Vec3
    normal: Vec3
    object_id: int = 0
    part: int = -1
    polygon_id: int = -1
    surface_id: int = 0
    portal_index: int = NO_PORTAL
    other_cell_id: int = 0
    status: str = ""
    drawn: PartDraw | None = None


class PickScene(Protocol):
    """The part of `engine.render.scene.Scene` that picking needs."""

    def shell(self, cell_id: int) -> ShellDraw | None: ...

    def building_shell(self, building: Building, block_id: int) -> ShellDraw | None: ...

    def parts_in(self, cell_id: int) -> Sequence[PartDraw]: ...

    def terrain(self, block_id: int) -> TerrainDraw | None: ...


class SeenFrame(Protocol):
    """The part of `engine.visibility.frame.FrameResult` that picking needs."""

    @property
    def events(self) -> Sequence[FrameEvent]: ...

    @property
    def flood(self) -> FloodResult | None: ...

    @property
    def look_ins(self) -> Sequence[FloodResult]: ...

    @property
    def rejected(self) -> Sequence[FloodResult]: ...

    @property
    def root_id(self) -> int: ...

    @property
    def exact(self) -> bool: ...


def wall_hit(shell: ShellDraw, met: MeshHit, ray: Ray) -> Hit:
    """A polygon of a room."""
    return Hit(
        HitKind.POLYGON,
        landblock_id(shell.block_id),
        shell.key,
        met.t,
        ray.at(met.t),
        met.normal,
        polygon_id=met.polygon_id,
        surface_id=met.surface_id,
    )


def part_hit(part: PartDraw, met: MeshHit, ray: Ray, cell_id: int) -> Hit:
    """A part of an object, seen in a cell."""
    return Hit(
        HitKind.PART,
        landblock_id(part.block_id),
        cell_id,
        met.t,
        ray.at(met.t),
        met.normal,
        object_id=part.object_id,
        part=part.part,
        polygon_id=met.polygon_id,
        surface_id=met.surface_id,
        drawn=part,
    )


def building_hit(building: Building, shell: ShellDraw, met: MeshHit, ray: Ray) -> Hit:
    """A polygon of a building's shell."""
    return Hit(
        HitKind.BUILDING,
        landblock_id(shell.block_id),
        building.cell_id,
        met.t,
        ray.at(met.t),
        met.normal,
        object_id=building.id,
        polygon_id=met.polygon_id,
        surface_id=met.surface_id,
    )
