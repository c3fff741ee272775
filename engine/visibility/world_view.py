"""The landscape of an open world as the frame driver reads it: a plain picture of every loaded landblock, made when the
landblock is first asked about and forgotten when the graph says that it changed (rendering.md 12.2)."""

from __future__ import annotations

from typing import Final

from engine.geometry.box import Box
from engine.geometry.vec import Vec3
from engine.visibility.port_tree import PortOrder
from engine.world.cells.cell import Building, EnvCell
from engine.world.cells.ids import block_x, block_y, landblock_id
from engine.world.graph.graph import CURRENT, CellGraph, GraphChange
from engine.world.landblock import Landblock
from engine.world.world import World

BELOW_GROUND: Final = 1.0
ABOVE_GROUND: Final = 200.0
"""Metres from the lowest and the highest ground of a landblock to the bottom and the top of the box by which it and its
landcells are culled, with all that stands on them (rendering.md M8)."""

_SLACK: Final = 0.001  # m; a cell tree's own tolerance is a fifth of it


class BuildingView:
    """A building with what its culling needs, in the coordinates of its landblock."""

    building: Building
    block_id: int
    has_openings: bool
    center: Vec3
    radius: float
    """The radius of the shell's drawing sphere; negative without one, so that it is never culled."""
    _ports: PortOrder | None

    def __init__(self, building: Building, block_id: int) -> None:
        self.building = building
        self.block_id = block_id
        self.has_openings = len(building.portals) > 0
        self.center = building.frame.origin
        self.radius = -1.0
        self._ports = None
        shell = building.shell
        if shell is not None and shell.drawing_sphere is not None:
            sphere = shell.drawing_sphere
            self.center = building.frame.local_to_global(sphere.center)
            self.radius = sphere.radius

    def __repr__(self) -> str:
        return f"BuildingView({self.building!r})"

    def ports(self) -> PortOrder:
        """Its openings; made when they are first asked for, as that makes the shell's drawing tree."""
        ports = self._ports
        if ports is None:
            ports = PortOrder(self.building)
            self._ports = ports
        return ports


class BlockView:
    """A loaded landblock: bottom and top of the box that it is culled by, and its buildings by land cell."""

    block_id: int
    x: int
    y: int
    has_terrain: bool
    shows_terrain: bool
    """Whether there is ground that is not a dungeon's: a viewer in no room of this landblock is then outdoors
    (21.5)."""
    has_drawing_trees: bool
    """Rooms come with drawing trees here, so one without draws nothing (11.4). Scenes and dumps have none at all."""
    low: float
    high: float
    buildings: list[BuildingView]
    by_land_cell: dict[int, list[BuildingView]]
    rooms: list[EnvCell]
    _bounds: list[Box]

    def __init__(self, block: Landblock) -> None:
        self.block_id = block.id
        self.x = block_x(block.id)
        self.y = block_y(block.id)
        terrain = block.terrain
        self.has_terrain = terrain is not None
        self.shows_terrain = terrain is not None and not block.is_dungeon
        heights: list[float] = [0.0] if terrain is None else terrain.z
        self.low = min(heights) - BELOW_GROUND
        self.high = max(heights) + ABOVE_GROUND
        self.rooms = block.env_cells
        self.has_drawing_trees = any(room.structure.has_drawing_tree for room in self.rooms)
        self._bounds = []
        self.buildings = []
        self.by_land_cell = {}
        for building in block.buildings:
            self._add(BuildingView(building, block.id))

    def __repr__(self) -> str:
        return f"BlockView(0x{self.block_id:08X})"

    def _add(self, view: BuildingView) -> None:
        building = view.building
        self.buildings.append(view)
        self.by_land_cell.setdefault(building.cell_id & 0xFFFF, []).append(view)

    def draws_shell(self, room: EnvCell) -> bool:
        """Whether a room's walls and seals are drawn (11.4)."""
        return room.structure.has_drawing_tree or not self.has_drawing_trees

    def rooms_around(self, p: Vec3) -> list[EnvCell]:
        """The rooms whose bounds contain a point of the landblock, a hair outside included."""
        if len(self._bounds) != len(self.rooms):
            self._bounds = [_bounds_of(room) for room in self.rooms]
        x, y, z = p
        found: list[EnvCell] = []
        for index, box in enumerate(self._bounds):
            lx, ly, lz = box.minimum
            hx, hy, hz = box.maximum
            if lx <= x <= hx and ly <= y <= hy and lz <= z <= hz:
                found.append(self.rooms[index])
        return found


def _bounds_of(room: EnvCell) -> Box:
    """Around the room's vertices; a room without any is nowhere."""
    vertices = room.structure.vertices
    if not vertices:
        return Box((1.0, 1.0, 1.0), (-1.0, -1.0, -1.0))
    box = Box.of_points([room.frame.local_to_global(vertex) for vertex in vertices])
    x, y, z = box.minimum
    u, v, w = box.maximum
    return Box((x - _SLACK, y - _SLACK, z - _SLACK), (u + _SLACK, v + _SLACK, w + _SLACK))


class WorldView:
    """The loaded landblocks of a world; it watches the graph until `close`."""

    world: World
    graph: CellGraph
    version: int
    """Goes up whenever a landblock comes, goes or changes."""
    _blocks: dict[int, BlockView]
    _ordered: list[BlockView] | None
    _withheld: dict[int, bool]

    def __init__(self, world: World) -> None:
        self.world = world
        self.graph = world.graph
        self.version = 0
        self._blocks = {}
        self._withheld = {}
        self._ordered = None
        self.graph.observe(self._changed)

    def close(self) -> None:
        self.graph.unobserve(self._changed)

    def block(self, cell_id: int) -> BlockView | None:
        """The landblock of any id in it, if it is loaded."""
        block_id = landblock_id(cell_id)
        found = self._blocks.get(block_id)
        if found is not None:
            return found
        if not self.graph.is_loaded(block_id):
            return None
        landblock = self.world.landblock(block_id)
        if landblock is None:
            return None
        found = BlockView(landblock)
        self._blocks[block_id] = found
        return found

    def blocks(self) -> list[BlockView]:
        """All loaded landblocks but those that are withheld, ascending by id."""
        ordered = self._ordered
        if ordered is None:
            ordered = []
            for block_id in self.graph.landblocks():
                block = self.block(block_id)
                if block is not None and block_id not in self._withheld:
                    ordered.append(block)
            self._ordered = ordered
        return ordered

    def withhold(self, cell_id: int, withheld: bool) -> None:
        """Leave a landblock out of the landscape for as long as it is not ready to be drawn."""
        block_id = landblock_id(cell_id)
        if (block_id in self._withheld) == withheld:
            return
        if withheld:
            self._withheld[block_id] = True
        else:
            del self._withheld[block_id]
        self._ordered = None
        self.version += 1

    def forget(self, cell_id: int) -> None:
        """Look at a landblock afresh: its buildings or its ground were changed."""
        self._blocks.pop(landblock_id(cell_id), None)
        self._ordered = None
        self.version += 1

    def _changed(self, change: GraphChange) -> None:
        if change.kind == CURRENT:
            return
        self.version += 1
        self._ordered = None
        for cell_id in change.cell_ids:
            self._blocks.pop(landblock_id(cell_id), None)
