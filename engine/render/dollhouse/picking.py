"""Picking in a dollhouse: the nearest thing that its picture shows under a pixel."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import replace
from typing import Protocol

from engine.geometry.vec import Vec3, dot, neg
from engine.render.dollhouse.look import EAVES, ROOF, Dollhouse, Drawing, Kind
from engine.render.draws import Owner, PartDraw, ShellDraw, TerrainDraw
from engine.render.picking.hits import Hit, HitKind, PickMode, building_hit, part_hit, wall_hit
from engine.render.picking.meshes import EyeRay, MeshRays, Ray, opening_distance
from engine.render.picking.rays import sphere_is_met
from engine.visibility.camera import Camera
from engine.visibility.frame import FrameResult
from engine.world.cells.cell import Building, EnvCell
from engine.world.cells.ids import landblock_id
from engine.world.graph.graph import CellGraph


class DollhouseScene(Protocol):
    """The part of `engine.render.scene.Scene` that picking needs."""

    def shell(self, cell_id: int) -> ShellDraw | None: ...
    def building_shell(self, building: Building, block_id: int) -> ShellDraw | None: ...
    def parts_in(self, cell_id: int) -> list[PartDraw]: ...
    def parts_on_land(self, block_id: int) -> dict[int, list[PartDraw]]: ...
    def terrain(self, block_id: int) -> TerrainDraw | None: ...


class DollhousePicker:
    """Picks in the dollhouses of one scene."""

    def __init__(self, scene: DollhouseScene, graph: CellGraph) -> None:
        self._scene = scene
        self._graph = graph
        self._rays = MeshRays()

    def pick(
        self,
        house: Dollhouse,
        frame: FrameResult,
        camera: Camera,
        x: float,
        y: float,
        mode: PickMode = PickMode.NEAREST,
    ) -> Hit | None:
        """The nearest hit; `frame` is what PView sees, which a portal's status is read from."""
        ray = EyeRay(camera, x, y)
        if mode is PickMode.LANDCELL:
            return _nearest(self._ground(house, ray))
        if mode is PickMode.PORTAL:
            return _nearest(self._portals(house, frame, ray))
        if mode is PickMode.APERTURE:
            return _nearest(self._openings(house, ray))
        found = _nearest(self._solid(house, ray))
        return replace(found, kind=HitKind.CELL) if mode is PickMode.CELL and found is not None else found

    def pick_through(self, house: Dollhouse, frame: FrameResult, camera: Camera, x: float, y: float) -> list[Hit]:
        """Everything under a pixel, near ones first, hidden or not, and the portals in between."""
        ray = EyeRay(camera, x, y)
        return sorted([*self._solid(house, ray), *self._portals(house, frame, ray)], key=_distance)

    def _solid(self, house: Dollhouse, ray: EyeRay) -> Iterator[Hit]:
        yield from self._walls(house, ray)
        yield from self._parts(house, ray)
        yield from self._ground(house, ray)

    def _walls(self, house: Dollhouse, ray: EyeRay) -> Iterator[Hit]:
        both = house.drawing is not Drawing.SOLID
        own = ray.in_block(house.block_id)
        for cell_id in house.rooms:
            shell = self._scene.shell(cell_id)
            if shell is not None and sphere_is_met(shell.sphere.center, shell.sphere.radius, own.origin, own.direction):
                for met in self._rays.shell(shell, own, 0.0, both_sides=both):
                    hit = wall_hit(shell, met, own)
                    if _is_drawn(house, hit, Kind.ROOM):
                        yield _faced(hit, own)
        for building in house.buildings:
            shell = self._scene.building_shell(building, house.block_id)
            if shell is not None:
                for met in self._rays.shell(shell, own, 0.0, both_sides=both):
                    hit = building_hit(building, shell, met, own)
                    if _is_drawn(house, hit, Kind.BUILDING, building.frame.origin[2]):
                        yield _faced(hit, own)

    def _parts(self, house: Dollhouse, ray: EyeRay) -> Iterator[Hit]:
        for cell_id, part in drawn_parts(self._scene, house):
            own = ray.in_block(part.block_id)
            kind = Kind.BUILDING if part.owner is Owner.BUILDING else Kind.THING
            for met in self._rays.part(part, own, 0.0):
                hit = part_hit(part, met, own, cell_id)
                if _is_drawn(house, hit, kind, part.origin[2]):
                    yield hit
                    break

    def _ground(self, house: Dollhouse, ray: EyeRay) -> Iterator[Hit]:
        terrain = self._scene.terrain(house.block_id) if house.has_land and house.drawing is Drawing.SOLID else None
        if terrain is None:
            return
        own = ray.in_block(house.block_id)
        triangles = self._rays.ground_of(terrain)
        for triangle, t in triangles.all_hits(own.origin, own.direction):
            nx, ny, nz = triangles.normals[triangle].tolist()
            hit = Hit(
                HitKind.TERRAIN,
                landblock_id(house.block_id),
                (house.block_id & 0xFFFF0000) | (triangle // 2 + 1),
                t,
                own.at(t),
                (nx, ny, nz),
                polygon_id=triangle,
            )
            if _is_drawn(house, hit, Kind.THING):
                yield hit

    # --- portals

    def _portals(self, house: Dollhouse, frame: FrameResult, ray: EyeRay) -> Iterator[Hit]:
        own = ray.in_block(house.block_id)
        for cell_id in house.rooms:
            cell = self._graph.peek(cell_id)
            if not isinstance(cell, EnvCell):
                continue
            for index, portal in enumerate(cell.portals):
                t = None if portal.polygon is None else opening_distance(portal.polygon, cell.frame, own)
                if t is None or t <= 0.0 or portal.polygon is None or not house.low <= own.at(t)[2] <= house.high:
                    continue
                normal = cell.frame.local_to_global_vec(portal.polygon.normal)
                yield Hit(
                    HitKind.PORTAL,
                    landblock_id(cell_id),
                    cell_id,
                    t,
                    own.at(t),
                    _towards(normal, own),
                    polygon_id=portal.polygon_id,
                    portal_index=index,
                    other_cell_id=portal.other_cell_id,
                    status=_status(frame, cell_id, index),
                )

    def _openings(self, house: Dollhouse, ray: EyeRay) -> Iterator[Hit]:
        own = ray.in_block(house.block_id)
        for building in house.buildings:
            for index, portal in enumerate(building.portals):
                t = None if portal.polygon is None else opening_distance(portal.polygon, building.frame, own)
                if t is None or t <= 0.0 or portal.polygon is None or not house.low <= own.at(t)[2] <= house.high:
                    continue
                yield Hit(
                    HitKind.PORTAL,
                    landblock_id(building.cell_id),
                    building.cell_id,
                    t,
                    own.at(t),
                    _towards(building.frame.local_to_global_vec(portal.polygon.normal), own),
                    object_id=building.id,
                    polygon_id=portal.polygon_id,
                    portal_index=index,
                    other_cell_id=portal.other_cell_id,
                )


class PartScene(Protocol):
    """The part of a scene that lists things."""

    def parts_in(self, cell_id: int) -> list[PartDraw]: ...
    def parts_on_land(self, block_id: int) -> dict[int, list[PartDraw]]: ...


def drawn_parts(scene: PartScene, house: Dollhouse) -> list[tuple[int, PartDraw]]:
    """Every part that stands in the rooms, or on the land where that is shown, once, with the first cell that lists
    it."""
    found: dict[tuple[int, int], tuple[int, PartDraw]] = {}
    for cell_id, parts in _lists(scene, house):
        for part in parts:
            if not part.hidden and part.alpha > 0.0:
                found.setdefault(part.key, (cell_id, part))
    return list(found.values())


def _lists(scene: PartScene, house: Dollhouse) -> Iterator[tuple[int, list[PartDraw]]]:
    for cell_id in house.rooms:
        yield cell_id, scene.parts_in(cell_id)
    if house.has_land and house.drawing is Drawing.SOLID:  # trees before everything would hide it
        yield from scene.parts_on_land(house.block_id).items()


def _is_drawn(house: Dollhouse, hit: Hit, kind: Kind, base: float = 0.0) -> bool:
    """Whether a face is there at a point: between the heights, and no roof that is taken off."""
    height, rises = hit.point[2], hit.normal[2]
    if not house.low <= height <= house.high:
        return False
    if house.roofs or kind is Kind.THING:
        return True
    return rises >= -ROOF if kind is Kind.ROOM else abs(rises) <= ROOF or height <= base + EAVES


def _status(frame: FrameResult, cell_id: int, index: int) -> str:
    for flood in frame.floods():
        visible = flood.by_id.get(cell_id)
        for record in [] if visible is None else visible.portals:
            if record.index == index:
                return record.status
    return ""


def _faced(hit: Hit, ray: Ray) -> Hit:
    """With the normal of the side that is turned to the eye."""
    return replace(hit, normal=neg(hit.normal)) if dot(hit.normal, ray.direction) > 0.0 else hit


def _towards(normal: Vec3, ray: Ray) -> Vec3:
    return neg(normal) if dot(normal, ray.direction) > 0.0 else normal


def _nearest(hits: Iterable[Hit]) -> Hit | None:
    return min(hits, key=_distance, default=None)


def _distance(hit: Hit) -> float:
    return hit.t
