"""Rooms to pick in without flood or scene: a frame with every room in view, and hand-made draws."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from engine.geometry.box import Box
from engine.geometry.frame import Frame
from engine.geometry.sphere import Sphere
from engine.geometry.vec import Vec3
from engine.render.draws import Owner, PartDraw, ShellDraw, TerrainDraw
from engine.render.materials import OFF, Material, SubsetKind
from engine.render.mesh import Mesh, MeshCache, Subset
from engine.visibility import records
from engine.visibility.camera import Camera, looking
from engine.visibility.events import FrameEvent, Shell
from engine.visibility.records import FloodResult, PortalRecord, VisibleCell
from engine.visibility.view import full_screen
from engine.world.cells.cell import Building, EnvCell
from engine.world.world import World

SIZE = 400.0
FOCAL = 300.0


def eye_at(cell_id: int, eye: Vec3, heading: float, pitch: float = 0.0) -> Camera:
    return looking(cell_id, eye, heading, pitch, SIZE, SIZE, FOCAL)


def in_block(frame: Frame, points: NDArray[np.float32]) -> NDArray[np.float64]:
    """Points of a frame's own space, in an array of any shape, in landblock coordinates."""
    rotation = np.array([frame.row_x, frame.row_y, frame.row_z])
    moved: NDArray[np.float64] = points.astype(np.float64) @ rotation.T + np.array(frame.origin)
    return moved


class SceneOfRooms:
    """The shells of a world's rooms, without materials, and parts added by hand."""

    def __init__(self, world: World) -> None:
        self.world = world
        self.meshes = MeshCache()
        self.parts: dict[int, list[PartDraw]] = {}
        self._shells: dict[int, ShellDraw] = {}

    def shell(self, cell_id: int) -> ShellDraw | None:
        cell = self.world.graph.get_visible(cell_id)
        if cell_id not in self._shells and isinstance(cell, EnvCell):
            mesh = self.meshes.of(cell.structure)
            self._shells[cell_id] = ShellDraw(cell_id, cell_id, mesh, (), cell.frame, mesh.sphere, None, 0)
        return self._shells.get(cell_id)

    def building_shell(self, building: Building, block_id: int) -> ShellDraw | None:
        return None

    def parts_in(self, cell_id: int) -> Sequence[PartDraw]:
        return self.parts.get(cell_id, ())

    def terrain(self, block_id: int) -> TerrainDraw | None:
        return None


class FrameOfRooms:
    """A frame whose flood passed through every portal that faces the eye."""

    def __init__(self, world: World, root_id: int, camera: Camera) -> None:
        self.look_ins: list[FloodResult] = []
        self.rejected: list[FloodResult] = []
        self.root_id = root_id
        self.exact = False
        self.flood = flood_of_everything(world, root_id, camera)
        self.events: list[FrameEvent] = [Shell(visible, -1) for visible in self.flood.cells]


def flood_of_everything(world: World, root_id: int, camera: Camera) -> FloodResult:
    """All rooms reachable through portals that face the eye, in full view."""
    result = FloodResult(root_id)
    waiting = [root_id]
    while waiting:
        cell = world.graph.get_visible(waiting.pop(0))
        if not isinstance(cell, EnvCell) or cell.id in result.by_id:
            continue
        visible = VisibleCell(cell, [full_screen(camera)], len(result.cells))
        result.cells.append(visible)
        result.by_id[cell.id] = visible
        for index, portal in enumerate(cell.portals):
            assert portal.polygon is not None
            height = portal.polygon.plane.dist(cell.frame.global_to_local(camera.eye_in(cell.id)))
            status = records.WRONG_SIDE if (height > 0.0) == portal.portal_side else records.OPEN
            visible.portals.append(PortalRecord(cell.id, index, portal.other_cell_id, status, 0))
            if status == records.OPEN:
                waiting.append(portal.other_cell_id)
    return result


def pane(corners: Sequence[Vec3], pixels: np.ndarray | None = None) -> tuple[Mesh, tuple[Material, ...]]:
    """A rectangle seen from the side from which its corners run counter-clockwise, cut out by `pixels` if given."""
    positions = np.array(corners, np.float32)
    mesh = Mesh(
        positions,
        np.zeros_like(positions),
        np.array([(0.0, 1.0), (1.0, 1.0), (1.0, 0.0), (0.0, 0.0)], np.float32),
        np.array([0, 1, 2, 0, 2, 3], np.uint32),
        (Subset(0, 0, 6, False, False),),
        np.array([7, 7], np.int32),
        np.zeros(2, np.int8),
        Sphere((0.0, 0.0, 0.0), 3.0),
        Box.of_points(list(corners)),
    )
    kind, reference = (SubsetKind.OPAQUE, None) if pixels is None else (SubsetKind.CLIP, 0.5)
    material = Material(0x08000001, 1, kind, OFF, reference, True, 0.0, 1.0, True, True, pixels, (1.0, 1.0, 1.0, 1.0))
    return mesh, (material,)


def part(object_id: int, mesh: Mesh, materials: tuple[Material, ...], frame: Frame, cell_id: int) -> PartDraw:
    sphere = Sphere(frame.local_to_global(mesh.sphere.center), mesh.sphere.radius)
    return PartDraw(
        (object_id, 0),
        object_id,
        0,
        0x01000001,
        0x01000001,
        Owner.ENTITY,
        cell_id,
        (cell_id,),
        cell_id,
        mesh,
        materials,
        frame,
        (1.0, 1.0, 1.0),
        sphere,
        frame.origin,
        frame.origin,
    )
