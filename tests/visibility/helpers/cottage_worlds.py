"""The cottage of rendering.md 24.4 on flat ground, with a shell and the openings of 24.6.

BASE moves everything, so that the cottage, its copy down the street and all eyes of the cases are well inside one
landblock; the screens stay the same.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from engine.geometry.box import Box
from engine.geometry.drawing_bsp import DrawingLeaf, DrawingPort
from engine.geometry.frame import Frame
from engine.geometry.sphere import Sphere
from engine.geometry.vec import ZERO, Vec3, add
from engine.visibility.camera import Camera
from engine.world.cells.cell import Building, CellStruct, EnvCell, LandCell, ObjCell
from engine.world.cells.ids import WHOLE_BLOCK
from engine.world.cells.landdefs import get_outside_cell_id
from engine.world.cells.objects import GfxObj, Setup, static_object_id
from engine.world.cells.portals import BldPortal, CellPortal
from engine.world.cells.terrain import VERTICES, Terrain
from engine.world.faults import Fault
from engine.world.landblock import Landblock
from engine.world.loader.portal_scene import BLOCK
from engine.world.source import WorldSource
from engine.world.world import World
from tests.visibility.cases.spec_cases import Scene, camera_at

BASE: Vec3 = (96.0, 96.0, 0.0)

FRONT, BACK = 0, 1
"""The building portals of 24.6, in their order."""

_COPY = 0x10
"""The distance from the ids of one cottage's rooms to those of the next."""


class BlockSource(WorldSource):
    """A world of one landblock."""

    def __init__(self, block: Landblock) -> None:
        super().__init__("street", "test")
        self.block = block

    def landblock_ids(self) -> list[int]:
        return [self.block.id]

    def load_landblock(self, block_id: int) -> Landblock | None:
        return self.block if block_id == self.block.id else None

    def cell_struct(self, environment_id: int, index: int) -> CellStruct | None:
        return None

    def gfxobj(self, gfxobj_id: int) -> GfxObj | None:
        return None

    def setup(self, model_id: int) -> Setup | None:
        return None

    def model_ids(self) -> list[int]:
        return []

    def record_counts(self) -> dict[str, int]:
        return {}

    def model_faults(self) -> Iterator[Fault]:
        return iter(())

    def shape_faults(self) -> Iterator[Fault]:
        return iter(())

    def close(self) -> None:
        """Nothing to close."""


class Street:
    """Cottages on the ground: the first has rooms A and B, the next A' and B'."""

    def __init__(self, shifts: Sequence[float] = (0.0,)) -> None:
        scene = Scene("cottage")
        ground = Terrain(BLOCK, [0] * VERTICES, [0] * VERTICES, [0.0])
        self.names: dict[int, str] = {}
        cells: list[ObjCell] = [LandCell(BLOCK | low, ground) for low in range(1, 65)]
        houses: list[Building] = []
        for number, shift in enumerate(shifts):
            moved, up = add(BASE, (0.0, shift, 0.0)), number * _COPY
            cells += [_copied(room, up, moved) for room in scene.source.cells]
            houses.append(_house(scene.building()[0], up, moved, number))
            self.names.update({room.id + up: scene.name(room.id) + "'" * number for room in scene.source.cells})
            self.names[houses[-1].cell_id] = "house" + "'" * number
        self.ids = {name: cell_id for cell_id, name in self.names.items()}
        self.houses = houses
        self.world = World(BlockSource(Landblock(BLOCK, ground, cells, buildings=houses)))
        self.world.graph.load_landblock(BLOCK)

    def camera(self, eye: Sequence[float], heading: float, pitch: float = 0.0) -> Camera:
        x, y, z = eye
        return camera_at(add((float(x), float(y), float(z)), BASE), heading, pitch)

    def outdoors(self, camera: Camera) -> int:
        """The land cell of an eye."""
        return get_outside_cell_id(BLOCK | WHOLE_BLOCK, camera.eye)


def _copied(room: EnvCell, up: int, shift: Vec3) -> EnvCell:
    portals = [
        CellPortal(
            portal.flags,
            portal.polygon_id,
            portal.polygon,
            portal.other_cell_id if portal.leads_outside else portal.other_cell_id + up,
            portal.other_portal_id,
        )
        for portal in room.portals
    ]
    stab = [cell_id + up for cell_id in room.stab_list]
    return EnvCell(room.id + up, Frame(shift), room.structure, portals, stab, room.flags, [])


def _house(plan: Building, up: int, shift: Vec3, number: int) -> Building:
    """The cottage's shell and openings. The drawing tree has both openings, far to near from either side."""
    entries = [
        BldPortal(
            portal.flags,
            portal.other_cell_id + up,
            portal.other_portal_id,
            [cell_id + up for cell_id in portal.stab_list],
            portal.polygon_id,
            portal.polygon,
        )
        for portal in plan.portals
    ]
    polygons = {entry.polygon_id: entry.polygon for entry in entries if entry.polygon is not None}
    sphere = Sphere((5.0, 10.0, 2.0), 12.0)
    back = DrawingPort(polygons[BACK].plane, DrawingLeaf(1), DrawingLeaf(2), sphere, [], [(BACK, BACK)])
    front = DrawingPort(polygons[FRONT].plane, DrawingLeaf(0), back, sphere, [], [(FRONT, FRONT)])
    box = Box((0.0, 0.0, 0.0), (10.0, 20.0, 4.0))
    shell = GfxObj(0x01000001, polygons, {}, None, front, sphere, sphere, box, ZERO, [], 0, None)
    cell_id = get_outside_cell_id(BLOCK | WHOLE_BLOCK, shift)
    return Building(static_object_id(BLOCK, number), cell_id, shell.id, Frame(shift), shell, entries, 3)
