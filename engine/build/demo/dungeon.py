"""The dungeon: three levels of passages around chambers, ramps and steps between them, a pit, and a spiral stair.

The plan is in `resources/demo/dungeon.txt`; here is what its signs are made of. All passages are squares of 3 m, put
down turned, so that they share five structures (one for each way of being open) on each level.
"""

from __future__ import annotations

from pathlib import Path
from typing import Final

from engine.build.demo import things
from engine.build.demo.floor_plan import Chamber, Level, Square, read_plan
from engine.build.demo.layout import SOLID, free_faces
from engine.build.demo.spiral import spiral_flight
from engine.build.interiors import Interior
from engine.build.landblocks import Landblock
from engine.build.materials import Finish
from engine.build.rooms import Piece, Room
from engine.build.shapes.floor_plan import Point2, ngon, rect
from engine.build.shapes.furniture import bench, chest, crate
from engine.build.shapes.solids import Slope, box, moved
from engine.build.shapes.stairs import stairs
from engine.files.kinds import OWN
from engine.files.reading import read_text

PLAN_FILE: Final = Path(__file__).resolve().parents[3] / "resources" / "demo" / "dungeon.txt"

SQUARE: Final = 3.0
ORIGIN: Final = (-30.0, 12.0)
"""The position of the plan's north-west corner in the landblock; a dungeon may lie anywhere, also west and south of
it."""

HEADINGS: Final = {"N": 0.0, "E": 90.0, "S": 180.0, "W": 270.0}
OUT: Final = {"N": (0.0, 1.0), "E": (1.0, 0.0), "S": (0.0, -1.0), "W": (-1.0, 0.0)}

FINISHES: Final = {
    0.0: Finish("ashlar", "slabs", "vault"),
    -3.0: Finish("stone", "cobble", "vault"),
    -6.0: Finish("damp ashlar", "slabs", "vault"),
}

CHAMBER_HEIGHTS: Final = {"A": 4.2, "P": 4.2, "B": 6.0, "C": 4.5, "D": 5.0}
CHAMFER: Final = 1.5
GATE_WALL: Final = 1.0
"""Thickness of the wall with the double door."""

SHAFT: Final = 3.75
"""The distance from the middle of the spiral stair's eight-sided shaft to its sides, which are 3.1 m wide."""

STRETCH: Final = 9.0
DROP: Final = 3.0


def build_dungeon(block: Landblock) -> Interior:
    """All rooms of the dungeon; "start" is the chamber where visitors arrive."""
    dungeon = block.interior("dungeon", (0.0, 0.0, 0.0), finish=FINISHES[0.0])
    levels = read_plan(read_text(PLAN_FILE, OWN))
    pieces = _passages(dungeon)
    rooms: dict[tuple[float, Square], Room] = {}
    for level in levels:
        for chamber in level.chambers.values():
            _chamber(dungeon, level, chamber)
        for number, (square, sides) in enumerate(level.passages.items()):
            rooms[level.height, square] = _passage(dungeon, pieces, level, square, sides, number)
    marks = {(sign, level.height): square for level in levels for sign, square in level.marks.items()}
    _gate(dungeon, rooms[0.0, (16, 3)])
    _pit(dungeon, marks["2", -6.0])
    _spiral(dungeon, marks["1", 0.0])
    ramp = _ramp_piece(dungeon)
    for sign, top in (("3", 0.0), ("5", -3.0)):
        _ramp(dungeon, ramp, sign, marks[sign, top], top)
    _steps(dungeon, marks["4", 0.0])
    _furnish(dungeon)
    return dungeon


def middle(square: Square) -> Point2:
    """The middle of a square of the plan."""
    column, row = square
    return (ORIGIN[0] + (column + 0.5) * SQUARE, ORIGIN[1] - (row + 0.5) * SQUARE)


def _passages(dungeon: Interior) -> dict[str, Piece]:
    """The pieces of a passage by the sides that are open; others are turned into these."""
    half = SQUARE / 2.0
    whole = rect(-half, -half, SQUARE, SQUARE)
    corner: list[Point2] = [(-half + 0.9, -half), (half, -half), (half, half), (-half, half), (-half, -half + 0.9)]
    plans = {"N": whole, "NS": whole, "NE": corner, "NES": whole, "NESW": whole}
    pieces = {}
    for sides, plan in plans.items():
        piece = dungeon.piece(f"passage {sides}", plan, height=SQUARE)
        for side in sides:
            piece.joint((OUT[side][0] * half, OUT[side][1] * half))
        pieces[sides] = piece
    return pieces


def _turned(sides: str, quarters: int) -> str:
    order = "NESW"
    return "".join(side for side in order if order[(order.index(side) - quarters) % 4] in sides)


def _passage(
    dungeon: Interior, pieces: dict[str, Piece], level: Level, square: Square, sides: str, number: int
) -> Room:
    x, y = middle(square)
    quarters, piece = next(
        (quarters, pieces[base]) for base in pieces for quarters in range(4) if _turned(base, quarters) == sides
    )
    name = f"passage {abs(level.height):g} {square[0]}.{square[1]}"
    room = dungeon.place(piece, name, (x, y, level.height), 90.0 * quarters, finish=FINISHES[level.height])
    wall = next((side for side in "NESW" if side not in sides), None)
    if number % 4 == 1 and wall is not None and len(sides) == 2 and sides in ("NS", "EW"):
        dx, dy = OUT[wall]
        at = (x + dx * SQUARE / 2.0, y + dy * SQUARE / 2.0, level.height + 1.8)
        room.put(things.torch(), at, HEADINGS[wall] + 180.0)
    return room


def _chamber(dungeon: Interior, level: Level, chamber: Chamber) -> Room:
    """A room with cut corners over the chamber's squares; the hall beyond the gate reaches towards it."""
    x0, y1 = ORIGIN[0] + chamber.west * SQUARE, ORIGIN[1] - chamber.north * SQUARE
    x1, y0 = ORIGIN[0] + (chamber.east + 1) * SQUARE, ORIGIN[1] - (chamber.south + 1) * SQUARE
    if chamber.sign == "B":
        x0 -= SQUARE - GATE_WALL
    cx, cy = (x0 + x1) / 2.0, (y0 + y1) / 2.0
    w, d, c = x1 - cx, y1 - cy, CHAMFER
    plan: list[Point2] = [
        (-w + c, -d),
        (w - c, -d),
        (w, -d + c),
        (w, d - c),
        (w - c, d),
        (-w + c, d),
        (-w, d - c),
        (-w, -d + c),
    ]
    height = CHAMBER_HEIGHTS[chamber.sign]
    piece = dungeon.piece(f"chamber {chamber.sign}", plan, height=height, finish=FINISHES[level.height])
    for square, side in chamber.ways:
        px, py = middle(square)
        at = (px + OUT[side][0] * SQUARE / 2.0 - cx, py + OUT[side][1] * SQUARE / 2.0 - cy)
        piece.joint(at, width=SQUARE, height=SQUARE)
    if chamber.sign == "B":
        for px in (-2.5, 2.5):
            for py in (-2.5, 2.5):
                piece.build_in(box(px - 0.35, py - 0.35, 0.0, 0.7, 0.7, height, "stone"))
    if chamber.sign == "D":
        piece.build_in(box(-2.5, -2.5, 0.0, 5.0, 5.0, 0.2, "flagstone"))
        piece.build_in(box(-1.5, -1.5, 0.2, 3.0, 3.0, 0.2, "flagstone"))
    names = {"A": "start", "P": "pit chamber", "B": "great hall", "C": "store", "D": "sunken hall"}
    return dungeon.place(piece, names[chamber.sign], (cx, cy, level.height))


def _gate(dungeon: Interior, before: Room) -> None:
    x, y = middle((16, 3))
    opening = dungeon.doorway(
        before, dungeon.rooms["great hall"], (x + SQUARE / 2.0, y), width=2.4, height=2.6, name="gate"
    )
    dungeon.hang_door(opening, leaves=2, material="door", name="Double Door", reset_interval=30.0)


def _pit(dungeon: Interior, square: Square) -> None:
    x, y = middle(square)
    half = SQUARE / 2.0
    piece = dungeon.piece("pit", rect(-half, -half, SQUARE, SQUARE), height=6.0, finish=FINISHES[-6.0])
    piece.joint((0.0, -half), width=SQUARE, height=SQUARE)
    pit = dungeon.place(piece, "pit", (x, y, -6.0))
    dungeon.hatch(dungeon.rooms["pit chamber"], pit, rect(x - half, y - half, SQUARE, SQUARE), name="pit mouth")


def _spiral(dungeon: Interior, square: Square) -> None:
    """The shaft's western side opens above, at its landing, and below, where the steps begin."""
    x, y = middle(square)
    plan = ngon(0.0, 0.0, SHAFT / _COS_EIGHTH, 8, 22.5)
    piece = dungeon.piece("spiral stair", plan, height=9.0, finish=FINISHES[-6.0])
    piece.joint((-SHAFT, 0.0), width=SQUARE, height=SQUARE)
    piece.joint((-SHAFT, 0.0), width=SQUARE, height=SQUARE, sill=6.0)
    piece.build_in(spiral_flight(30, SHAFT, 9.0, "stone", "flagstone"))
    dungeon.place(piece, "spiral stair", (x - SQUARE / 2.0 + SHAFT, y, -6.0))


_COS_EIGHTH: Final = 0.9238795325112867
"""cos 22.5°: from an octagon's corners to its sides."""


def _ramp_piece(dungeon: Interior) -> Piece:
    """A sloping passage that falls southwards, from 0 at its northern end."""
    half = SQUARE / 2.0
    slope = Slope((0.0, -STRETCH, -DROP), (0.0, 0.0, 0.0))
    piece = dungeon.piece("ramp", rect(-half, -STRETCH, SQUARE, STRETCH), floor=slope, height=SQUARE)
    return piece.joint((0.0, 0.0)).joint((0.0, -STRETCH))


def _ramp(dungeon: Interior, piece: Piece, sign: str, square: Square, top: float) -> None:
    x, y = middle(square)
    name = {"3": "ramp", "5": "lower ramp"}[sign]
    dungeon.place(piece, name, (x, y + SQUARE / 2.0, top), finish=FINISHES[-3.0])


def _steps(dungeon: Interior, square: Square) -> None:
    """Fifteen steps down towards the east, the first of them the upper floor's edge."""
    x, y = middle(square)
    piece = dungeon.piece("steps", rect(-SQUARE / 2.0, 0.0, SQUARE, 6.0), height=6.0, finish=FINISHES[-3.0])
    piece.joint((0.0, 0.0), width=SQUARE, height=SQUARE, sill=DROP)
    piece.joint((0.0, 6.0), width=SQUARE, height=SQUARE)
    flight = stairs(SQUARE, 15, rise=0.2, run=0.36, material="stone", tread="flagstone")
    piece.build_in(free_faces(moved(flight, 0.0, 5.4, 0.0, 180.0), rect(-SQUARE / 2.0, 0.0, SQUARE, 6.0)))
    dungeon.place(piece, "steps", (x - SQUARE / 2.0, y, -DROP), 90.0)


def _furnish(dungeon: Interior) -> None:
    for name, spots in (
        ("start", (("N", 0.0, 2.2), ("S", 0.0, 2.2))),
        ("pit chamber", (("E", 0.0, 2.2), ("W", 0.0, 2.2))),
        ("great hall", (("N", 0.0, 2.4), ("S", -3.0, 2.4))),
        ("store", (("N", 0.0, 2.2), ("S", 0.0, 2.2))),
        ("sunken hall", (("E", 0.0, 2.2), ("W", 0.0, 2.2))),
    ):
        room = dungeon.rooms[name]
        cx, cy, cz = room.frame.origin
        for side, along, up in spots:
            dx, dy = OUT[side]
            reach = max((p[0] * dx + p[1] * dy) for p in room.plan.plan)
            at = (cx + dx * reach + abs(dy) * along, cy + dy * reach + abs(dx) * along, cz + up)
            room.put(things.torch(), at, HEADINGS[side] + 180.0)
    start, store, hall = (dungeon.rooms[name] for name in ("start", "store", "great hall"))
    cx, cy, _ = start.frame.origin
    start.put(bench(2.0, "timber"), (cx - 3.6, cy), 90.0)
    cx, cy, _ = store.frame.origin
    for dx, dy in ((-2.4, 3.4), (-1.4, 3.5), (2.2, 3.5), (2.5, -3.4)):
        store.put(things.cask(), (cx + dx, cy + dy))
    store.put(crate(0.9, "crate"), (cx - 2.6, cy - 3.5), 10.0)
    cx, cy, _ = hall.frame.origin
    hall.put(bench(3.0, "timber"), (cx, cy + 4.6), 180.0)
    dungeon.entity("Dungeon Chest", "chest", chest(), hall, (cx + 3.4, cy + 0.5), 270.0, state=SOLID)
