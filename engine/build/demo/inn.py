"""The inn: a porch, the common room, a kitchen over a cellar, three guest rooms on a passage upstairs.

Plan (metres from its middle, the front to the south):

         -9.2                       2.0 2.3               9.2
     5.2  +------------[=== stairs]--+ +----------[back]---+      upstairs the passage runs along the north side,
          |                          | |                   |      past the stairwell; the guest rooms lie south of it
     fire |   post        post       + +  :top :           |
          |       common room       door  :cell:  kitchen  | fire
          |                          + +  :ar  :           |      the cellar lies under the kitchen, its steps come up
          |   #                      | |  :    :           |      at the hatch's northern edge
    -5.2  +---[porch]----------------+ +-------------------+
             -5.0  -3.2                                           # the screen beside the entrance
"""

from __future__ import annotations

from typing import Final

from engine.build.demo import things
from engine.build.demo.layout import recess
from engine.build.interiors import OUTDOORS, Interior
from engine.build.landblocks import Landblock
from engine.build.materials import Finish
from engine.build.models import Mesh
from engine.build.rooms import Room
from engine.build.shapes.floor_plan import rect
from engine.build.shapes.furniture import bed, bench, chair, counter, crate, fireplace, shelf, table
from engine.build.shapes.shells import gable_roof, walls
from engine.build.shapes.solids import box
from engine.build.shapes.stairs import stairs

FLOOR: Final = 0.1
UPPER: Final = 3.4
STEPS: Final = 16
RUN: Final = 0.28
STAIR_FOOT: Final = 0.6
STAIR_TOP: Final = STAIR_FOOT - STEPS * RUN

CELLAR: Final = -3.0
CELLAR_STEPS: Final = 14
CELLAR_RUN: Final = 0.3
CELLAR_TOP: Final = 0.6
HATCH: Final = rect(3.2, CELLAR_TOP - CELLAR_STEPS * CELLAR_RUN, 1.4, CELLAR_STEPS * CELLAR_RUN)

SCREEN: Final = (-3.55, -4.9)
"""The screen's corner nearest to the door: 0.3 m behind the threshold, so that a player entering along the porch's
eastern wall meets it while still in the porch; 1.45 m beside it stay free."""

GUESTS: Final = (("guest room one", -9.2), ("guest room two", -3.0), ("guest room three", 3.2))
GUEST_WIDTH: Final = 6.0


def build_inn(land: Landblock, at: tuple[float, float, float], heading: float = 0.0) -> Interior:
    """The whole inn, its middle at `at`."""
    x, y, ground = at
    roof = gable_roof(
        -9.8, -5.8, 19.6, 11.6, eaves=6.5, ridge=10.6, material="shingle", gable="half timber", overhang=0.5, hipped=2.5
    )
    porch = gable_roof(
        -5.3, -7.0, 2.4, 2.0, eaves=3.1, ridge=4.1, material="shingle", gable="timber", overhang=0.3, along="y"
    )
    shell = [
        *walls(rect(-9.5, -5.5, 19.0, 11.0), -0.6, 3.3, "stone"),
        *walls(rect(-9.8, -5.8, 19.6, 11.6), 3.1, 6.5, "half timber"),
        *walls(rect(-5.3, -7.0, 2.4, 2.0), -0.6, 3.0, "stone"),
        box(-10.3, -1.0, -0.6, 1.2, 2.0, 12.2, "brick"),
        box(9.1, -0.7, -0.6, 1.0, 1.4, 11.6, "brick"),
        roof.body,
        porch.body,
    ]
    inn = land.building("inn", (x, y, ground + FLOOR), heading, shell=shell, finish=Finish("plaster", "plank", "beam"))
    common, kitchen = _ground_floor(inn)
    _upstairs(inn, common)
    _cellar(inn, kitchen)
    _furnish_common(common)
    land.put(_trim(), (x, y, ground + FLOOR), heading)
    land.put(things.chimney_smoke(), inn.frame.local_to_global((-9.7, 0.0, 11.6)))
    return inn


def _ground_floor(inn: Interior) -> tuple[Room, Room]:
    vestibule = inn.room(
        "inn vestibule", rect(-5.0, -7.0, 1.8, 1.8), height=2.5, finish=Finish("panel", "flagstone", "beam")
    )
    common = inn.room("common room", rect(-9.2, -5.2, 11.2, 10.4), height=3.1)
    kitchen = inn.room(
        "inn kitchen", rect(2.3, -5.2, 6.9, 10.4), height=3.1, finish=Finish("limewash", "flagstone", "beam")
    )
    inn.open_wall(common, vestibule)
    front = inn.doorway(vestibule, OUTDOORS, (-4.1, -7.0), width=1.8, height=2.5)
    recess(inn.hang_door(front, material="door", name="Inn Door", reset_interval=30.0), 0.1)
    between = inn.doorway(common, kitchen, (2.15, 2.9), width=1.3, height=2.2)
    inn.hang_door(between, material="door", name="Kitchen Door", reset_interval=30.0)
    back = inn.doorway(kitchen, OUTDOORS, (7.2, 5.2), width=1.3, height=2.2, name="yard door")
    inn.hang_door(back, material="door", name="Yard Door", is_open=True, reset_interval=30.0)
    for x in (-7.4, -1.2):
        inn.window(common, OUTDOORS, (x, -5.2), width=1.6, height=1.3, sill=1.0)
    inn.window(common, OUTDOORS, (-6.4, 5.2), width=1.4, height=1.3, sill=1.0)
    inn.window(kitchen, OUTDOORS, (6.4, -5.2), width=1.4, height=1.3, sill=1.0)

    kitchen.put(fireplace(1.8, 3.1, 0.6, "brick"), (9.2, 0.0), 270.0)
    kitchen.put(things.hearth_light(), (8.8, 0.0), 270.0)
    kitchen.put(table(2.2, 1.0, 0.85), (6.4, 1.2), 90.0)
    kitchen.put(things.bowl(), (6.4, 1.6, 0.85))
    kitchen.put(shelf(1.6, 2.0, boards=5), (9.2, -3.0), 270.0)
    kitchen.put(things.cask(), (2.8, 4.7))
    kitchen.put(things.sack(), (8.7, 4.7))
    kitchen.put(things.lamp(), (6.0, -1.5, 3.1))
    kitchen.put(things.railing(4.2, 0.95), (4.68, CELLAR_TOP - 2.1), 90.0)
    kitchen.put(things.railing(1.4, 0.95), (3.9, CELLAR_TOP - 4.27), 0.0)
    return common, kitchen


def _furnish_common(common: Room) -> None:
    x, y = SCREEN
    common.build_in(box(x, y, 0.0, 0.4, 0.4, 3.1, "panel"))
    for post_x in (-6.0, -1.4):
        common.build_in(box(post_x, -0.15, 0.0, 0.3, 0.3, 3.1, "timber"))
    common.build_in(box(-9.2, 3.6, 0.0, 0.9, 1.6, 3.1, "plaster"))
    common.put(things.beams(11.2, 3, 3.2), (-3.6, -3.2, 3.1))
    common.put(fireplace(2.2, 3.1, 0.7, "stone"), (-9.2, 0.0), 90.0)
    common.put(things.hearth_light(), (-8.7, 0.0), 90.0)
    flight = stairs(1.3, STEPS, rise=0.2, run=RUN, material="timber", tread="plank")
    common.put(Mesh.of("inn stairs", flight), (STAIR_FOOT, 4.55), 270.0)
    common.put(counter(3.2, "oak"), (0.6, -0.6), 90.0)
    common.put(shelf(2.4, 2.1, 0.35, 5), (2.0, -0.6), 90.0 + 180.0)
    common.put(things.mug(), (0.6, -1.2, 1.1))
    common.put(things.mug(), (0.7, 0.1, 1.1))
    for table_x, table_y in ((-7.0, -3.2), (-4.1, 2.2), (-1.2, -3.4)):
        common.put(table(1.8, 0.9), (table_x, table_y))
        common.put(bench(1.7), (table_x, table_y + 0.8))
        common.put(bench(1.7), (table_x, table_y - 0.8))
        common.put(things.candle(), (table_x, table_y, 0.75))
        common.put(things.mug(), (table_x - 0.5, table_y + 0.2, 0.75))
    common.put(chair("timber"), (-7.6, 1.4), 120.0)
    common.put(things.cask(), (1.5, -2.9))
    common.put(things.cask(), (1.5, -3.8))
    common.put(things.picture("ale board", 0.9, 0.9), (2.0, 1.6, 1.3), 270.0)
    common.put(things.lamp(), (-4.5, -2.0, 2.9))
    common.put(things.lamp(), (-1.5, 1.6, 2.9))


def _upstairs(inn: Interior, common: Room) -> None:
    passage = inn.room("passage", rect(-9.2, 2.4, 18.4, 2.8), floor=UPPER, height=2.7)
    inn.hatch(passage, common, rect(STAIR_TOP, 3.9, STAIR_FOOT - STAIR_TOP, 1.3), name="inn stairwell")
    for number, (name, x) in enumerate(GUESTS, start=1):
        guest = inn.room(name, rect(x, -5.2, GUEST_WIDTH, 7.4), floor=UPPER, height=2.7)
        way = inn.doorway(passage, guest, (x + 3.9, 2.3, UPPER), width=1.3, height=2.2)
        inn.hang_door(
            way, material="door", name=f"Guest Room {number}", locked=number == 3, hinge="right", reset_interval=30.0
        )
        inn.window(guest, OUTDOORS, (x + 3.0, -5.2, UPPER + 0.9), width=1.4, height=1.2)
        _furnish_guest(guest, x)
    inn.window(passage, OUTDOORS, (-9.2, 3.4, UPPER + 0.9), width=1.0, height=1.2)
    inn.window(passage, OUTDOORS, (6.0, 5.2, UPPER + 0.9), width=1.2, height=1.2)
    middle = (STAIR_TOP + STAIR_FOOT) / 2.0
    passage.put(things.railing(STAIR_FOOT - STAIR_TOP, 0.95), (middle, 3.84, UPPER), 0.0)
    passage.put(things.railing(1.2, 0.95), (STAIR_FOOT + 0.06, 4.55, UPPER), 90.0)
    passage.put(things.lamp(), (-6.0, 3.2, UPPER + 2.7))
    passage.put(things.lamp(), (5.0, 3.2, UPPER + 2.7))
    passage.put(things.trunk(), (8.6, 4.6, UPPER), 180.0)


def _furnish_guest(guest: Room, x: float) -> None:
    guest.put(bed(1.1, 2.1, "oak", "quilt"), (x + 0.8, -3.9, UPPER), 0.0)
    guest.put(things.trunk(), (x + 5.2, -4.7, UPPER), 0.0)
    guest.put(table(0.8, 0.6, 0.75), (x + 5.4, -1.6, UPPER), 90.0)
    guest.put(chair(), (x + 4.8, -1.6, UPPER), 90.0)
    guest.put(things.candle(), (x + 5.4, -1.6, UPPER + 0.75))
    guest.put(things.rug(2.0, 1.4), (x + 2.8, -1.8, UPPER))


def _cellar(inn: Interior, kitchen: Room) -> None:
    cellar = inn.room(
        "inn cellar", rect(2.3, -5.2, 6.9, 10.4), floor=CELLAR, height=2.75, finish=Finish("stone", "cobble", "beam")
    )
    inn.hatch(kitchen, cellar, HATCH, name="inn hatch")
    flight = stairs(1.4, CELLAR_STEPS, rise=0.2, run=CELLAR_RUN, material="stone", tread="flagstone")
    cellar.put(Mesh.of("cellar stairs", flight), (3.9, CELLAR_TOP - CELLAR_STEPS * CELLAR_RUN, CELLAR), 0.0)
    for column in range(4):
        cellar.put(things.cask(), (8.6, -4.4 + 1.1 * column, CELLAR))
    cellar.put(crate(0.8, "crate"), (8.4, 4.4, CELLAR), 12.0)
    cellar.put(crate(0.8, "crate"), (7.3, 4.6, CELLAR), -4.0)
    cellar.put(crate(0.6, "crate"), (8.2, 4.4, CELLAR + 0.8), 40.0)
    cellar.put(shelf(2.4, 1.9, 0.4, 4), (5.4, 5.2, CELLAR), 180.0)
    cellar.put(things.lamp(), (6.4, 0.0, CELLAR + 2.75))


def _trim() -> Mesh:
    """Timbers, sills, shutters and the hanging sign on the outside: seen, not felt."""
    faces = [
        *things.timbers_around(rect(-9.8, -5.8, 19.6, 11.6), 3.1, 0.26),
        *box(-5.35, -7.06, 2.5, 2.5, 0.06, 0.22, "timber"),
    ]
    for x, width in ((-7.4, 1.6), (-1.2, 1.6), (6.4, 1.4)):
        faces += things.window_frame(x, -5.5, 1.0, width, 1.3, shutters="cloth")
    for _, x in GUESTS:
        faces += things.window_frame(x + 3.0, -5.8, UPPER + 0.9, 1.4, 1.2, shutters="timber")
    faces += things.hanging_sign(-2.3, -5.5, 3.0, "inn sign")
    return things.seen_only("inn trim", faces)
