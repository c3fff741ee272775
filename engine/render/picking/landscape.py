"""A frame's draws for rays: the rooms with their walls, and the outdoors with ground, things, buildings, and the
openings that rooms were seen through (rendering.md 12, 22.2)."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final

import numpy as np
from numpy.typing import NDArray

from engine.geometry.vec import normalized
from engine.render.draws import PartDraw
from engine.render.picking.hits import Hit, HitKind, PickScene, SeenFrame, building_hit, part_hit
from engine.render.picking.meshes import EyeRay, MeshRays, opening_distance
from engine.visibility.camera import Camera
from engine.visibility.events import BuildingShell, Land, Punch, Shell
from engine.visibility.records import OPEN, FloodResult
from engine.world.cells.cell import Building
from engine.world.cells.ids import landblock_id
from engine.world.cells.landdefs import block_offset

NOT_DRAWN: Final = -1
LAND_CELLS: Final = 64
LAST: Final = 1 << 30
"""The turn of draws tested by depth alone: no opening is punched through them."""


@dataclass(frozen=True)
class LandHit:
    """Something of the outdoors, and its turn in the frame's events."""

    hit: Hit
    turn: int


@dataclass(frozen=True)
class LookIn:
    """An opening that rooms were seen through, its turn in the frame's events, and the rooms."""

    flood: FloodResult
    building: Building
    turn: int


class Landscape:
    """The outdoor draws of one frame, and the rooms whose walls it drew."""

    def __init__(self, scene: PickScene, rays: MeshRays, frame: SeenFrame, camera: Camera) -> None:
        self._scene = scene
        self._rays = rays
        self._camera = camera
        self.walls: set[int] = set()
        self.ground: dict[int, NDArray[np.int32]] = {}
        self.buildings: list[tuple[Building, int]] = []
        self.look_ins: list[LookIn] = []
        self.statuses: dict[tuple[int, int], str] = {}
        """The status of the buildings' openings, by building and index."""
        self._cells: list[int] = []
        self._parts: list[tuple[PartDraw, int]] | None = None
        self._centers = np.zeros((0, 3))
        self._radii = np.zeros(0)
        self._read(frame)

    @property
    def is_drawn(self) -> bool:
        return bool(self.ground or self.buildings or self._cells)

    def _read(self, frame: SeenFrame) -> None:
        """Find the event of each draw."""
        punches: dict[tuple[int, int], int] = {}
        for turn, event in enumerate(frame.events):
            if isinstance(event, Land):
                for visit in event.cells:
                    cells = self.ground.setdefault(visit.block_id, np.full(LAND_CELLS, NOT_DRAWN, np.int32))
                    cells[visit.low - 1] = turn
                self._cells += [visit.cell_id for visit in event.objects]
            elif isinstance(event, Shell):
                self.walls.add(event.visible.cell_id)
            elif isinstance(event, BuildingShell):
                self.buildings.append((event.building, event.block_id))
            elif isinstance(event, Punch):
                punches[(event.building.id, event.portal_index)] = turn
        for flood in frame.rejected:
            if flood.building is not None:
                self.statuses[(flood.building.id, flood.portal_index)] = flood.rejected
        for flood in frame.look_ins:
            if flood.building is not None and flood.cells:
                self.statuses[(flood.building.id, flood.portal_index)] = OPEN
                turn = punches.get((flood.building.id, flood.portal_index), NOT_DRAWN)
                self.look_ins.append(LookIn(flood, flood.building, turn))

    def hits(self, ray: EyeRay, after: float) -> list[LandHit]:
        """Everything that the ray meets beyond `after` metres, near ones first."""
        found = [*self.ground_hits(ray, after), *self._building_hits(ray, after), *self._part_hits(ray, after)]
        return sorted(found, key=lambda land: land.hit.t)

    def ground_hits(self, ray: EyeRay, after: float) -> Iterator[LandHit]:
        """The ground of the land cells that were drawn."""
        for block_id, turns in self.ground.items():
            terrain = self._scene.terrain(block_id)
            if terrain is None:
                continue
            own = ray.in_block(block_id)
            triangles = self._rays.ground_of(terrain)
            for triangle, t in triangles.all_hits(own.origin, own.direction, after):
                turn = int(turns[triangle // 2])
                if turn != NOT_DRAWN:
                    nx, ny, nz = triangles.normals[triangle].tolist()
                    cell_id = (block_id & 0xFFFF0000) | (triangle // 2 + 1)
                    normal = normalized((nx, ny, nz))
                    hit = Hit(
                        HitKind.TERRAIN, landblock_id(block_id), cell_id, t, own.at(t), normal, polygon_id=triangle
                    )
                    yield LandHit(hit, turn)

    def _building_hits(self, ray: EyeRay, after: float) -> Iterator[LandHit]:
        for building, block_id in self.buildings:
            shell = self._scene.building_shell(building, block_id)
            if shell is not None:
                own = ray.in_block(block_id)
                for met in self._rays.shell(shell, own, after):
                    yield LandHit(building_hit(building, shell, met, own), LAST)

    def _part_hits(self, ray: EyeRay, after: float) -> Iterator[LandHit]:
        parts = self._parts_drawn()
        if not parts:
            return
        reach = self._centers - np.array(ray.in_block(self._camera.block_id).origin)
        ahead = reach @ np.array(ray.direction)
        beside = np.einsum("ij,ij->i", reach, reach) - ahead * ahead
        near = (beside <= self._radii * self._radii) & (ahead + self._radii > after)
        for number in np.nonzero(near)[0].tolist():
            part, cell_id = parts[number]
            own = ray.in_block(part.block_id)
            for met in self._rays.part(part, own, after):
                yield LandHit(part_hit(part, met, own, cell_id), LAST)

    def _parts_drawn(self) -> list[tuple[PartDraw, int]]:
        """Every part once, with the first cell that lists it; the spheres beside them, in the camera's landblock."""
        if self._parts is None:
            found: dict[tuple[int, int], tuple[PartDraw, int]] = {}
            for cell_id in self._cells:
                for part in self._scene.parts_in(cell_id):
                    found.setdefault(part.key, (part, cell_id))
            self._parts = list(found.values())
            shifts = {part.block_id: block_offset(self._camera.block_id, part.block_id) for part, _ in self._parts}
            centers = [np.add(part.sphere.center, shifts[part.block_id]) for part, _ in self._parts]
            self._centers = np.array(centers).reshape(-1, 3)
            self._radii = np.array([part.sphere.radius for part, _ in self._parts])
        return self._parts

    def openings(self, ray: EyeRay, after: float) -> list[tuple[float, LookIn]]:
        """The openings that rooms were seen through and the ray goes through, near ones first."""
        found = []
        for look_in in self.look_ins:
            t = building_opening(look_in.building, look_in.flood.portal_index, ray)
            if t is not None and t > after:
                found.append((t, look_in))
        return sorted(found, key=lambda opening: opening[0])


def building_opening(building: Building, index: int, ray: EyeRay) -> float | None:
    """The distance at which a ray passes through an opening of a building, or None."""
    polygon = building.portals[index].polygon if 0 <= index < len(building.portals) else None
    if polygon is None:
        return None
    return opening_distance(polygon, building.frame, ray.in_block(building.cell_id))


def first_way_in(
    hits: list[LandHit], openings: list[tuple[float, LookIn]], slack: float
) -> tuple[float, LookIn] | None:
    """The nearest opening that nothing stands before. Ground that was there when the opening was punched does not."""
    for t, look_in in openings:
        blocked = any(land.hit.t < t - slack and land.turn > look_in.turn for land in hits)
        if not blocked:
            return (t, look_in)
    return None
