"""Picking: finds what lies under a point of the screen by a ray that takes the flood's way (rendering.md 22.2).

    picker = Picker(scene)
    hit = picker.pick(frame, camera, x, y)                     # what is seen there
    portal = picker.pick(frame, camera, x, y, PickMode.PORTAL)
    every = picker.pick_through(frame, camera, x, y)

The ray starts in the root, passes through open portals, and out of an exit over the landscape. Things are drawn whole,
so one of any visible room is hit wherever it is nearer than the ray's end: an open door's leaf before the wall beside
its doorway. Things that the frame did not draw are not found.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Final

from engine.geometry.constants import EPSILON
from engine.geometry.frame import Frame
from engine.geometry.polygon import Polygon
from engine.geometry.vec import Vec3, dot, neg
from engine.render.draws import PartDraw, ShellDraw
from engine.render.picking.hits import Hit, HitKind, PickMode, PickScene, SeenFrame, part_hit, wall_hit
from engine.render.picking.landscape import Landscape, building_opening, first_way_in
from engine.render.picking.meshes import EyeRay, MeshRays, Ray, opening_distance
from engine.visibility import records
from engine.visibility.camera import Camera
from engine.visibility.culling import sphere_in_views, view_cones
from engine.visibility.records import FloodResult, PortalRecord, VisibleCell
from engine.world.cells.ids import is_env_cell, landblock_id
from engine.world.cells.landdefs import block_offset
from engine.world.cells.portals import CellPortal

MAX_CROSSINGS: Final = 32

SAME: Final = 1e-4
"""Metres within which an opening and what it is cut into are one place."""

SEAL_SLACK: Final = 0.01
"""The distance in metres of a seal behind its portal: a thing in the opening is before it."""

SHUT: Final = (records.WRONG_SIDE, records.NOT_LOADED, records.NO_SLOT, records.NO_POLYGON)
"""The statuses of a portal that no ray passes, even where its neighbour is seen by another way."""


@dataclass(frozen=True)
class _Crossing:
    """A portal in the way of the ray."""

    t: float
    portal: CellPortal
    index: int


class Picker:
    """Picks in the frames of one scene."""

    def __init__(self, scene: PickScene) -> None:
        self.scene = scene
        self._rays = MeshRays()
        self._landscape: Landscape | None = None
        self._landscape_of: tuple[SeenFrame, Camera] | None = None

    def forget(self) -> None:
        """Release everything kept for the last frame and its meshes."""
        self._rays.forget()
        self._landscape = None
        self._landscape_of = None

    def pick(
        self, frame: SeenFrame, camera: Camera, x: float, y: float, mode: PickMode = PickMode.NEAREST
    ) -> Hit | None:
        """The hit under a pixel; None where nothing was drawn."""
        ray = EyeRay(camera, x, y)
        land = self._land(frame, camera)
        if mode is PickMode.LANDCELL:
            return min((found.hit for found in land.ground_hits(ray, 0.0)), key=_distance, default=None)
        if mode is PickMode.APERTURE:
            return _aperture(land, ray)
        walk = _Walk(self.scene, self._rays, land, ray, mode)
        found = walk.begin(frame)
        if mode is PickMode.PORTAL:
            return min(walk.portals, key=_distance, default=None)
        found = self._thing(frame, camera, walk, found) or found
        if found is None and walk.portals:
            return min((hit for hit in walk.portals if hit.status in SHUT), key=_distance, default=None)
        if mode is PickMode.CELL and found is not None:
            return replace(found, kind=HitKind.CELL)
        return found

    def pick_through(self, frame: SeenFrame, camera: Camera, x: float, y: float) -> list[Hit]:
        """Everything under a pixel that the frame drew, near ones first, hidden or not, and the portals in between."""
        ray = EyeRay(camera, x, y)
        land = self._land(frame, camera)
        found = [hit.hit for hit in land.hits(ray, 0.0)]
        walk = _Walk(self.scene, self._rays, land, ray, PickMode.NEAREST)
        seen: set[tuple[int, int]] = set()
        for flood in _floods(frame):
            for visible in flood.cells:
                own = ray.in_block(visible.cell_id)
                shell = walk.walls_of(visible)
                if shell is not None and (visible.cell_id, -1) not in seen:
                    found += [wall_hit(shell, met, own) for met in self._rays.shell(shell, own, 0.0)]
                    found += [hit for hit in walk.portal_hits(visible, 0.0) if hit.t > 0.0]
                seen.add((visible.cell_id, -1))
                for part in self.scene.parts_in(visible.cell_id):
                    if part.key not in seen:
                        seen.add(part.key)
                        own = ray.in_block(part.block_id)
                        found += [part_hit(part, met, own, visible.cell_id) for met in self._rays.part(part, own, 0.0)]
        return sorted(found, key=_distance)

    def pick_from_outside(
        self, frame: SeenFrame, camera: Camera, x: float, y: float, mode: PickMode = PickMode.NEAREST
    ) -> Hit | None:
        """The nearest hit under a pixel for an onlooker, who does not look the frame's way: rooms before the landscape,
        as the onlooker's picture shows them."""
        if mode in (PickMode.LANDCELL, PickMode.APERTURE):
            return self.pick(frame, camera, x, y, mode)
        hits = self.pick_through(frame, camera, x, y)
        wanted = [hit for hit in hits if (hit.kind is HitKind.PORTAL) == (mode is PickMode.PORTAL)]
        found = next((hit for hit in wanted if is_env_cell(hit.cell_id)), wanted[0] if wanted else None)
        if mode is PickMode.CELL and found is not None:
            return replace(found, kind=HitKind.CELL)
        return found

    def _thing(self, frame: SeenFrame, camera: Camera, walk: _Walk, behind: Hit | None) -> Hit | None:
        """The nearest thing of the visible rooms, if it is nearer than the hit behind it."""
        reach = behind.t if behind is not None else float("inf")
        found: list[tuple[Hit, FloodResult, VisibleCell]] = []
        for flood in _floods(frame):
            for visible in flood.cells:
                for part in self.scene.parts_in(visible.cell_id):
                    own = walk.ray.in_block(part.block_id)
                    met = next(self._rays.part(part, own, 0.0), None)
                    if met is not None and met.t < reach:
                        found.append((part_hit(part, met, own, visible.cell_id), flood, visible))
        for hit, flood, visible in sorted(found, key=lambda each: each[0].t):
            sealed = frame.exact and walk.is_sealed(flood, visible, hit.t)
            if hit.drawn is not None and not sealed and _is_drawn(hit.drawn, visible, camera):
                return hit
        return None

    def _land(self, frame: SeenFrame, camera: Camera) -> Landscape:
        known = self._landscape
        if known is None or self._landscape_of is None or self._landscape_of != (frame, camera):
            known = self._landscape = Landscape(self.scene, self._rays, frame, camera)
            self._landscape_of = (frame, camera)
        return known


class _Walk:
    """One ray on its way. `portals` collects every portal it comes by."""

    def __init__(self, scene: PickScene, rays: MeshRays, land: Landscape, ray: EyeRay, mode: PickMode) -> None:
        self._scene = scene
        self._rays = rays
        self._land = land
        self.ray = ray
        self._things = mode is not PickMode.PORTAL
        self._crossings = 0
        self.portals: list[Hit] = []

    def begin(self, frame: SeenFrame) -> Hit | None:
        if frame.flood is None:
            return self._outdoors(0.0)
        return self._inside(frame.flood, frame.flood.root_id, 0.0, records.NO_PORTAL)

    def _inside(self, flood: FloodResult, cell_id: int, t0: float, entry: int) -> Hit | None:
        """Walk from room to room, until something is hit or no room is left."""
        while self._crossings < MAX_CROSSINGS:
            visible = flood.by_id.get(cell_id)
            if visible is None:
                return None
            solid = self._wall(visible, t0)
            way = self._way_on(flood, visible, t0, entry)
            reach = solid.t if solid is not None else float("inf")
            self.portals += [hit for hit in self.portal_hits(visible, t0, entry) if hit.t <= reach + SAME]
            if way is None or (solid is not None and solid.t < way.t):
                return solid
            self._crossings += 1
            t0 = way.t
            if way.portal.leads_outside:
                return self._outdoors(t0)
            entry, cell_id = way.portal.other_portal_id, way.portal.other_cell_id
        return None

    def _wall(self, visible: VisibleCell, t0: float) -> Hit | None:
        """The nearest wall of a room."""
        shell = self.walls_of(visible)
        if shell is None:
            return None
        own = self.ray.in_block(visible.cell_id)
        met = next(self._rays.shell(shell, own, _after(t0, SAME)), None)
        return None if met is None else wall_hit(shell, met, own)

    def walls_of(self, visible: VisibleCell) -> ShellDraw | None:
        """A room's walls, if they were drawn."""
        return self._scene.shell(visible.cell_id) if visible.cell_id in self._land.walls else None

    def _way_on(self, flood: FloodResult, visible: VisibleCell, t0: float, entry: int) -> _Crossing | None:
        """The nearest portal that the ray goes through into something that was drawn."""
        found: list[_Crossing] = []
        own = self.ray.in_block(visible.cell_id)
        shut = {record.index for record in visible.portals if record.status in SHUT}
        for index, portal in enumerate(visible.cell.portals):
            if index == entry or index in shut or portal.polygon is None or not self._is_open(flood, portal):
                continue
            t = opening_distance(portal.polygon, visible.cell.frame, own)
            if t is None or t <= t0 - SAME or not _looks_through(portal, portal.polygon, visible.cell.frame, own):
                continue
            if self._passes_other_side(flood, portal):
                found.append(_Crossing(t, portal, index))
        return min(found, key=lambda crossing: crossing.t, default=None)

    def is_sealed(self, flood: FloodResult, visible: VisibleCell, t: float) -> bool:
        """A room's portals have their depth before its things are drawn in an exact frame (14.5): what of those reaches
        through one is not seen."""
        way = self._way_on(flood, visible, 0.0, records.NO_PORTAL)
        return way is not None and way.t < t - SEAL_SLACK

    def _is_open(self, flood: FloodResult, portal: CellPortal) -> bool:
        return self._land.is_drawn if portal.leads_outside else portal.other_cell_id in flood.by_id

    def _passes_other_side(self, flood: FloodResult, portal: CellPortal) -> bool:
        """An opening that is no exact match ends where the neighbour's own polygon does (6.4)."""
        other = flood.by_id.get(portal.other_cell_id)
        if portal.exact_match or other is None or not 0 <= portal.other_portal_id < len(other.cell.portals):
            return True
        polygon = other.cell.portals[portal.other_portal_id].polygon
        if polygon is None:
            return True
        return opening_distance(polygon, other.cell.frame, self.ray.in_block(other.cell_id)) is not None

    def portal_hits(self, visible: VisibleCell, t0: float, entry: int = records.NO_PORTAL) -> list[Hit]:
        """Every portal of a room that the ray goes through, whatever became of it."""
        found = []
        status = {record.index: record for record in visible.portals}
        own = self.ray.in_block(visible.cell_id)
        for index, portal in enumerate(visible.cell.portals):
            if index != entry and portal.polygon is not None:
                t = opening_distance(portal.polygon, visible.cell.frame, own)
                if t is not None and t > max(t0 - SAME, 0.0):
                    normal = visible.cell.frame.local_to_global_vec(portal.polygon.normal)
                    found.append(
                        _portal_hit(visible, portal, index, status.get(index), t, own.at(t), self._faced(normal))
                    )
        return found

    def _faced(self, normal: Vec3) -> Vec3:
        """The side of it that is turned to the eye."""
        return neg(normal) if dot(normal, self.ray.direction) > 0.0 else normal

    def _outdoors(self, t0: float) -> Hit | None:
        """Over the landscape, and into the rooms that were seen through the openings of buildings."""
        hits = self._land.hits(self.ray, _after(t0, SAME))
        if not self._things:
            hits = [land for land in hits if land.hit.kind is not HitKind.PART]
        solid = hits[0].hit if hits else None
        reach = solid.t if solid is not None else float("inf")
        self.portals += [hit for hit in building_portals(self._land, self.ray) if t0 - SAME < hit.t <= reach + SAME]
        way = first_way_in(hits, self._land.openings(self.ray, t0 - SAME), SAME)
        if way is not None and self._crossings < MAX_CROSSINGS:
            self._crossings += 1
            t, look_in = way
            entry = look_in.building.portals[look_in.flood.portal_index].other_portal_id
            found = self._inside(look_in.flood, look_in.flood.root_id, t, entry)
            if found is not None:
                return found
        return solid


def _floods(frame: SeenFrame) -> list[FloodResult]:
    return [*frame.look_ins] if frame.flood is None else [frame.flood, *frame.look_ins]


def _is_drawn(part: PartDraw, visible: VisibleCell, camera: Camera) -> bool:
    """At least one of a room's views sees something of it (13.2)."""
    dx, dy, dz = block_offset(camera.block_id, part.block_id)
    x, y, z = part.sphere.center
    return sphere_in_views(view_cones(camera, visible.views), (x + dx, y + dy, z + dz), part.sphere.radius)


def building_portals(land: Landscape, ray: EyeRay) -> list[Hit]:
    """The openings of the drawn buildings that a ray goes through, from either side."""
    found = []
    for building, _ in land.buildings:
        own = ray.in_block(building.cell_id)
        for index, portal in enumerate(building.portals):
            t = building_opening(building, index, ray)
            if t is None or t <= 0.0 or portal.polygon is None:
                continue
            normal = building.frame.local_to_global_vec(portal.polygon.normal)
            found.append(
                Hit(
                    HitKind.PORTAL,
                    landblock_id(building.cell_id),
                    building.cell_id,
                    t,
                    own.at(t),
                    neg(normal) if dot(normal, ray.direction) > 0.0 else normal,
                    object_id=building.id,
                    polygon_id=portal.polygon_id,
                    portal_index=index,
                    other_cell_id=portal.other_cell_id,
                    status=land.statuses.get((building.id, index), ""),
                )
            )
    return found


def _aperture(land: Landscape, ray: EyeRay) -> Hit | None:
    """The nearest opening of a building that no wall and no ground stands before."""
    solid = [found.hit for found in land.hits(ray, 0.0) if found.hit.kind is not HitKind.PART]
    reach = solid[0].t if solid else float("inf")
    return min((hit for hit in building_portals(land, ray) if hit.t <= reach + SAME), key=_distance, default=None)


def _portal_hit(
    visible: VisibleCell,
    portal: CellPortal,
    index: int,
    record: PortalRecord | None,
    t: float,
    point: Vec3,
    normal: Vec3,
) -> Hit:
    return Hit(
        HitKind.PORTAL,
        landblock_id(visible.cell_id),
        visible.cell_id,
        t,
        point,
        normal,
        polygon_id=portal.polygon_id,
        portal_index=index,
        other_cell_id=portal.other_cell_id,
        status="" if record is None else record.status,
    )


def _looks_through(portal: CellPortal, polygon: Polygon, frame: Frame, ray: Ray) -> bool:
    """The eye is on the side to look from, or in the plane (6.3)."""
    height = polygon.plane.dist(frame.global_to_local(ray.origin))
    return height <= EPSILON if portal.portal_side else height >= -EPSILON


def _after(t0: float, slack: float) -> float:
    return max(t0 - slack, 0.0)


def _distance(hit: Hit) -> float:
    return hit.t
