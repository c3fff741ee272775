"""Random floor plans (rendering.md 24.3): rooms in a grid of uneven spacing, with doors at random positions."""

from __future__ import annotations

import random
from dataclasses import dataclass, field

from engine.geometry.frame import Frame
from engine.geometry.polygon import Polygon
from engine.geometry.vec import Vec3
from engine.visibility.camera import Camera, looking
from engine.world.cells.cell import CellStruct, EnvCell
from engine.world.cells.portals import EXACT_MATCH, LEADS_OUTSIDE, NO_PORTAL, OUTSIDE, SIDE, CellPortal
from engine.world.graph.graph import CellGraph

BLOCK = 0x01010000
SPACINGS = (1.0, 2.0, 4.0, 10.0, 25.0)
HEIGHT = 4.0
HEADROOM = 0.2


@dataclass
class Door:
    """One side of an opening, with its outline as seen from inside the cell."""

    outline: list[Vec3]
    to: int
    back: int = NO_PORTAL


@dataclass
class Room:
    low: tuple[float, float]
    high: tuple[float, float]
    doors: list[Door] = field(default_factory=list)


@dataclass
class FloorPlan:
    """The rooms by id, the graph of their cells, and an eye in one of them."""

    rooms: dict[int, Room]
    graph: CellGraph
    root_id: int
    camera: Camera


def random_plan(seed: int, width: float, height: float, focal: float, exact: bool = True) -> FloorPlan:
    """Makes a floor plan. With `exact` False, the polygons of both sides clip some openings, although they are
    equal."""
    chance = random.Random(seed)
    columns, rows = chance.randint(1, 5), chance.randint(1, 5)
    rooms = _grid(chance, columns, rows)
    for c in range(columns):
        for r in range(rows):
            if c + 1 < columns:
                _doors(chance, rooms, _id(c, r, rows), _id(c + 1, r, rows), 0)
            if r + 1 < rows:
                _doors(chance, rooms, _id(c, r, rows), _id(c, r + 1, rows), 1)
    for room in rooms.values():
        if chance.random() < 0.2:
            _exit(chance, room)
    root_id = chance.choice(list(rooms))
    room = rooms[root_id]
    eye = (
        chance.uniform(room.low[0], room.high[0]),
        chance.uniform(room.low[1], room.high[1]),
        chance.uniform(HEADROOM, HEIGHT - HEADROOM),
    )
    camera = looking(BLOCK, eye, chance.uniform(0.0, 360.0), chance.uniform(-20.0, 20.0), width, height, focal)
    return FloorPlan(rooms, graph_of(rooms, chance, exact), root_id, camera)


def _id(column: int, row: int, rows: int) -> int:
    return BLOCK | (0x100 + column * rows + row)


def _grid(chance: random.Random, columns: int, rows: int) -> dict[int, Room]:
    xs, ys = [0.0], [0.0]
    for _ in range(columns):
        xs.append(xs[-1] + chance.choice(SPACINGS))
    for _ in range(rows):
        ys.append(ys[-1] + chance.choice(SPACINGS))
    return {_id(c, r, rows): Room((xs[c], ys[r]), (xs[c + 1], ys[r + 1])) for c in range(columns) for r in range(rows)}


def _doors(chance: random.Random, rooms: dict[int, Room], one: int, other: int, axis: int) -> None:
    """Makes up to two openings, which do not overlap, in the wall across `axis` between a room and the next one."""
    count = chance.choice((0, 1, 1, 1, 2))
    for number in range(count):
        here, there = rooms[one], rooms[other]
        low, high = here.low[1 - axis], here.high[1 - axis]
        share = (high - low) / count
        a, b = sorted(chance.uniform(low + number * share, low + (number + 1) * share) for _ in range(2))
        bottom = chance.choice((0.0, 0.0, chance.uniform(0.0, 1.5)))
        top = chance.choice((HEIGHT, 3.0, chance.uniform(1.6, HEIGHT)))
        outline = _upright(here.high[axis], axis, a, b, bottom, top)
        here.doors.append(Door(outline, other, len(there.doors)))
        there.doors.append(Door(list(reversed(outline)), one, len(here.doors) - 1))


def _exit(chance: random.Random, room: Room) -> None:
    """An opening in the floor's plane is as good an exit as a door, and it needs no free wall."""
    x0, x1 = sorted(chance.uniform(room.low[0], room.high[0]) for _ in range(2))
    y0, y1 = sorted(chance.uniform(room.low[1], room.high[1]) for _ in range(2))
    room.doors.append(Door([(x0, y0, 0.0), (x1, y0, 0.0), (x1, y1, 0.0), (x0, y1, 0.0)], OUTSIDE))


def _upright(at: float, axis: int, a: float, b: float, bottom: float, top: float) -> list[Vec3]:
    """A rectangle across the axis, counter-clockwise as seen from the side of lesser coordinates."""
    if axis == 0:
        return [(at, a, bottom), (at, a, top), (at, b, top), (at, b, bottom)]
    return [(a, at, bottom), (b, at, bottom), (b, at, top), (a, at, top)]


def graph_of(rooms: dict[int, Room], chance: random.Random, exact: bool) -> CellGraph:
    """The cells, each with all others in its stab list. A polygon faces into the room or out of it, at random."""
    graph = CellGraph()
    for room_id, room in rooms.items():
        portals = []
        for index, door in enumerate(room.doors):
            outwards = chance.random() < 0.5
            polygon = Polygon(index, list(reversed(door.outline)) if outwards else door.outline)
            flags = (0 if outwards else SIDE) | (LEADS_OUTSIDE if door.to == OUTSIDE else 0)
            flags |= EXACT_MATCH if chance.random() < 0.7 or exact else 0
            portals.append(CellPortal(flags, index, polygon, door.to, door.back))
        structure = CellStruct(0x0D000001, room_id & 0xFF, [], {}, [], {}, None, None, None, None)
        stab_list = [other for other in rooms if other != room_id]
        graph.add_cell(EnvCell(room_id, Frame(), structure, portals, stab_list, 0, []))
    return graph
