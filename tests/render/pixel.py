"""Draws one pixel the slow way: runs the frame's events with its own depth, testing every triangle of everything.

This is what an exact frame shows (rendering.md 14.5), without the chain of portals that picking follows.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np

from engine.geometry.vec import Vec3, add, normalized
from engine.render.draws import PartDraw, ShellDraw
from engine.render.mesh import Mesh
from engine.render.picking.rays import RayTriangles
from engine.render.scene import Scene
from engine.visibility import records
from engine.visibility.culling import ViewCone, sphere_in_views, view_cones
from engine.visibility.events import BuildingShell, Land, Objects, Punch, Seal, Shell, ZClear
from engine.visibility.frame import FrameResult
from engine.visibility.records import PortalPiece, VisibleCell
from engine.visibility.view import ViewPoly
from engine.world.cells.landdefs import block_offset
from tests.render.picking.pick_world import in_block


@dataclass(frozen=True)
class Seen:
    """The object that a pixel shows; `name` distinguishes walls, things, ground and shells."""

    name: tuple[str, int]
    t: float


class PixelReplay:
    """Draws single pixels of frames of one scene."""

    def __init__(self, scene: Scene) -> None:
        self.scene = scene
        self._made: dict[tuple[str, int, int], RayTriangles] = {}

    def seen(self, frame: FrameResult, x: float, y: float) -> Seen | None:
        """The last object drawn at the pixel."""
        return _Pixel(self, frame, x, y).draw()

    def wall(self, shell: ShellDraw) -> RayTriangles:
        return self._of(("wall", shell.key, shell.version), shell.mesh, shell.materials, shell, (1.0, 1.0, 1.0))

    def thing(self, part: PartDraw) -> RayTriangles:
        return self._of(("thing", id(part), part.version), part.mesh, part.materials, part, part.scale)

    def _of(
        self,
        key: tuple[str, int, int],
        mesh: Mesh,
        materials: tuple[object, ...],
        drawn: ShellDraw | PartDraw,
        scale: Vec3,
    ) -> RayTriangles:
        if key not in self._made:
            corners = in_block(drawn.frame, mesh.triangles() * np.array(scale, np.float32))
            shown = np.ones(len(corners), np.bool_)
            if isinstance(drawn, ShellDraw):
                for subset, material in zip(mesh.subsets, drawn.materials, strict=True):
                    first = subset.first_index // 3
                    shown[first : first + subset.index_count // 3] = material.drawn_in_cells
            self._made[key] = RayTriangles(corners[shown])
        return self._made[key]


class _Pixel:
    def __init__(self, replay: PixelReplay, frame: FrameResult, x: float, y: float) -> None:
        self.replay = replay
        self.frame = frame
        self.x, self.y = x, y
        self.direction = normalized(frame.camera.ray(x, y))
        self.depth = math.inf
        self.found: Seen | None = None

    def draw(self) -> Seen | None:
        scene = self.replay.scene
        for event in self.frame.events:
            if isinstance(event, Land) and self._in(event.views):
                for visit in event.cells:
                    self._ground(visit.block_id, visit.low)
                for visit in event.objects:
                    self._things(visit.cell_id)
            elif isinstance(event, Punch) and self._in_piece(event.piece):
                self.depth = math.inf
            elif isinstance(event, Seal) and self._in_piece(event.piece):
                self.depth = self._portal_depth_of(event.cell_id, event.portal_index)
            elif isinstance(event, ZClear):
                self.depth = math.inf
            elif isinstance(event, Shell) and self._in(event.visible.views):
                self._seal_between(event.visible)
                shell = scene.shell(event.visible.cell_id)
                if shell is not None:
                    self._test(self.replay.wall(shell), shell.block_id, ("wall", shell.key))
            elif isinstance(event, Objects):
                self._things(event.cell_id, view_cones(self.frame.camera, event.views))
            elif isinstance(event, BuildingShell) and self._in(event.views):
                shell = scene.building_shell(event.building, event.block_id)
                if shell is not None:
                    self._test(self.replay.wall(shell), event.block_id, ("building", shell.key))
        return self.found

    def _in(self, views: list[ViewPoly]) -> bool:
        return any(view.contains(self.x, self.y) for view in views)

    def _in_piece(self, piece: PortalPiece) -> bool:
        return piece.view is not None and piece.view.contains(self.x, self.y)

    def _test(self, triangles: RayTriangles, block_id: int, name: tuple[str, int]) -> None:
        met = triangles.nearest(self.frame.camera.eye_in(block_id), self.direction)
        if met is not None and met[1] < self.depth:
            self.depth = met[1]
            self.found = Seen(name, met[1])

    def _things(self, cell_id: int, cones: list[ViewCone] | None = None) -> None:
        for part in self.replay.scene.parts_in(cell_id):
            center = add(part.sphere.center, block_offset(self.frame.camera.block_id, part.block_id))
            if not part.hidden and (cones is None or sphere_in_views(cones, center, part.sphere.radius)):
                self._test(self.replay.thing(part), part.block_id, ("thing", part.object_id))

    def _ground(self, block_id: int, low: int) -> None:
        terrain = self.replay.scene.terrain(block_id)
        if terrain is not None:
            corners = terrain.positions.astype(np.float64).reshape(-1, 3, 3)[2 * (low - 1) : 2 * low]
            self._test(RayTriangles(corners), block_id, ("ground", (block_id & 0xFFFF0000) | low))

    def _portal_depth_of(self, cell_id: int, index: int) -> float:
        for flood in self.frame.floods():
            if cell_id in flood.by_id:
                return self._portal_depth(flood.by_id[cell_id], index)
        raise AssertionError("a seal of a cell that is not seen")

    def _portal_depth(self, visible: VisibleCell, index: int) -> float:
        polygon = visible.cell.portals[index].polygon
        assert polygon is not None
        frame = visible.cell.frame
        origin = frame.global_to_local(self.frame.camera.eye_in(visible.cell_id))
        nx, ny, nz = polygon.normal
        dx, dy, dz = frame.global_to_local_vec(self.direction)
        return -polygon.plane.dist(origin) / (nx * dx + ny * dy + nz * dz)

    def _seal_between(self, visible: VisibleCell) -> None:
        """The portals that led on to another room get their depth, a hair behind."""
        for record in visible.portals:
            if record.status == records.OPEN and any(self._in_piece(piece) for piece in record.pieces):
                self.depth = min(self.depth, self._portal_depth(visible, record.index) + 1e-3)
