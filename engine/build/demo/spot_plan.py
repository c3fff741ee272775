"""The named places of the demo world, computed from its description."""

from __future__ import annotations

from typing import Final

from engine.build.demo import cottage, inn, outdoors
from engine.build.demo.places import DUNGEON, VILLAGE
from engine.build.demo.spots import Spot
from engine.build.errors import BuildError
from engine.build.landblocks import Landblock
from engine.build.world import WorldBuilder
from engine.geometry.frame import Frame, combine
from engine.geometry.quat import from_heading
from engine.geometry.vec import Vec3
from engine.world.cells.ids import land_cell_low

_INDOORS: Final[dict[str, tuple[str, str, Vec3, float]]] = {
    "cottage_inside_front_door": ("cottage", "cottage vestibule", (-1.6, -4.1, 0.0), 180.0),
    "cottage_before_front_door": ("cottage", "parlour", (-1.6, -3.05, 0.0), 180.0),
    "cottage_parlour": ("cottage", "parlour", (-1.4, -1.6, 0.0), 300.0),
    "cottage_kitchen": ("cottage", "kitchen", (2.2, 1.2, 0.0), 90.0),
    "cottage_inside_back_door": ("cottage", "kitchen", (2.2, 2.4, 0.0), 0.0),
    "stairs_foot": ("cottage", "parlour", (-0.7, 2.65, 0.0), 270.0),
    "upstairs": ("cottage", "landing", (-5.7, 2.65, cottage.UPPER), 180.0),
    "landing": ("cottage", "landing", (-1.6, 0.4, cottage.UPPER), 250.0),
    "bedroom": ("cottage", "bedroom", (2.2, 0.9, cottage.UPPER), 120.0),
    "ramp_top": ("cottage", "kitchen", (5.2, 2.7, 0.0), 180.0),
    "ramp_foot": ("cottage", "cellar", (5.2, -2.7, cottage.CELLAR), 0.0),
    "cellar": ("cottage", "cellar", (2.6, 1.2, cottage.CELLAR), 200.0),
    "inn_inside_front_door": ("inn", "inn vestibule", (-4.1, -6.0, 0.0), 180.0),
    "inn_beside_the_screen": ("inn", "inn vestibule", (-3.72, -6.2, 0.0), 0.0),
    "inn_common_room": ("inn", "common room", (-3.6, -1.2, 0.0), 300.0),
    "inn_stairs_foot": ("inn", "common room", (1.3, 4.55, 0.0), 270.0),
    "inn_passage": ("inn", "passage", (-5.4, 4.4, inn.UPPER), 90.0),
    "inn_kitchen": ("inn", "inn kitchen", (5.2, 3.4, 0.0), 120.0),
    "inn_cellar_stairs_top": ("inn", "inn kitchen", (3.9, 1.4, 0.0), 180.0),
    "inn_cellar_stairs_foot": ("inn", "inn cellar", (3.9, -4.4, inn.CELLAR), 0.0),
    "inn_cellar": ("inn", "inn cellar", (6.4, 1.2, inn.CELLAR), 180.0),
    "guest_room_1": ("inn", "guest room one", (-6.2, -0.6, inn.UPPER), 180.0),
    "guest_room_2": ("inn", "guest room two", (0.0, -0.6, inn.UPPER), 180.0),
    "guest_room_3": ("inn", "guest room three", (6.2, -0.6, inn.UPPER), 180.0),
    "crossing": ("crossing", "crossing", (0.0, 0.0, 0.0), 0.0),
    "crossing_wedge": ("crossing", "crossing 5", (0.0, -3.5, 0.0), 0.0),
    "dungeon_start": ("dungeon", "start", (0.0, 0.0, 0.0), 90.0),
    "pit_edge": ("dungeon", "pit chamber", (0.0, 3.0, 0.0), 180.0),
    "pit": ("dungeon", "pit", (0.0, 0.0, 0.0), 180.0),
    "spiral_top": ("dungeon", "passage 0 6.9", (0.0, 0.0, 0.0), 90.0),
    "spiral_foot": ("dungeon", "spiral stair", (-3.0, 0.0, 0.0), 0.0),
    "double_door": ("dungeon", "passage 0 16.3", (0.2, 0.0, 0.0), 90.0),
    "great_hall": ("dungeon", "great hall", (-4.2, 1.5, 0.0), 90.0),
    "dungeon_ramp_top": ("dungeon", "passage 0 7.11", (0.0, 0.0, 0.0), 180.0),
    "dungeon_steps_top": ("dungeon", "passage 0 16.13", (0.0, 0.0, 0.0), 90.0),
    "dungeon_store": ("dungeon", "store", (0.0, 0.0, 0.0), 90.0),
    "dungeon_sunken_hall": ("dungeon", "sunken hall", (0.0, 4.0, 0.0), 180.0),
}
"""(interior, cell, point, heading), in the interior's space; in the dungeon in the cell's own."""

_OUTDOORS: Final[dict[str, tuple[float, float, float]]] = {
    "street": (76.0, 95.4, 90.0),
    "crossroads": (95.4, 95.4, 45.0),
    "market": (101.0, 93.0, 140.0),
    "steep_slope": (116.0, 156.0, 90.0),
    "gentle_slope": (110.0, 20.0, 200.0),
    "stream": (24.4, 66.0, 0.0),
    "lookout_foot": (150.0, 62.0, 90.0),
    "garden": (57.0, 99.4, 10.0),
    "eastern_border": (189.0, 95.4, 90.0),
    "southern_border": (95.4, 3.0, 180.0),
}
"""(x, y, heading) in the village's landblock, on the ground and off the borders of land cells, where the cell would be
the sweep's choice."""

_ON_THINGS: Final[dict[str, tuple[float, float, float, float]]] = {
    "ledge": (outdoors.LOOKOUT[0] + 1.5, outdoors.LOOKOUT[1], outdoors.BASE + outdoors.LOOKOUT_HEIGHT, 90.0),
}
"""(x, y, z, heading) outdoors, on top of something."""

_BESIDE: Final[dict[str, tuple[str, Vec3, float]]] = {
    "cottage_outside_front_door": ("cottage", (-1.6, -6.3, 0.0), 0.0),
    "cottage_outside_back_door": ("cottage", (2.2, 5.2, 0.0), 180.0),
    "inn_outside_front_door": ("inn", (-4.1, -8.3, 0.0), 0.0),
    "inn_yard": ("inn", (7.2, 7.6, 0.0), 180.0),
    "crossing_outside": ("crossing", (0.0, -8.0, 0.0), 0.0),
}
"""(building, point, heading) in the building's space, on the ground outside."""


def spots_of(world: WorldBuilder) -> dict[str, Spot]:
    village, dungeon = world.landblocks[VILLAGE], world.landblocks[DUNGEON]
    spots: dict[str, Spot] = {}
    for name, (interior, cell, point, heading) in _INDOORS.items():
        spots[name] = _indoors(dungeon if interior == "dungeon" else village, interior, cell, point, heading)
    for name, (x, y, heading) in _OUTDOORS.items():
        spots[name] = _outdoors(village, x, y, None, heading)
    for name, (x, y, z, heading) in _ON_THINGS.items():
        spots[name] = _outdoors(village, x, y, z, heading)
    for name, (building, point, heading) in _BESIDE.items():
        home = next(i for i in village.interiors if i.name == building)
        frame = combine(home.frame, Frame(point, from_heading(heading)))
        spots[name] = _outdoors(village, frame.origin[0], frame.origin[1], None, frame.heading())
    return spots


def _indoors(block: Landblock, interior: str, cell: str, point: Vec3, heading: float) -> Spot:
    low = 0x100
    for home in block.interiors:
        for shape in home.cells:
            if home.name == interior and shape.name == cell:
                own = Frame(point, from_heading(heading))
                inner = Frame(shape.frame.local_to_global(point), own.rotation) if block.ground is None else own
                frame = combine(home.frame, inner)
                x, y, z = frame.origin
                return Spot(block.number << 16 | low, (x + 0.0, y + 0.0, z + 0.0), round(frame.heading(), 6) % 360.0)
            low += 1
    raise BuildError(f"spot in {cell!r}", f"{interior!r} has no cell of that name")


def _outdoors(block: Landblock, x: float, y: float, z: float | None, heading: float) -> Spot:
    assert block.ground is not None
    low = land_cell_low(int(x // 24.0), int(y // 24.0))
    height = block.ground.height_at(x, y) if z is None else z
    return Spot(block.number << 16 | low, (x, y, height), round(heading, 6) % 360.0)
