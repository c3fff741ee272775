"""The cottage: a porch, parlour and kitchen, two rooms under the thatch, and a cellar under a hatch.

Plan (metres from its middle, the front to the south; walls of 0.3 m, upstairs 0.6 m where the upper storey juts out):

        -6.3                0.1 0.4               6.3
     3.3 +-------------------+ +--------[back]-----+       upstairs: landing over the parlour, bedroom over the kitchen
         | <= stairs up      | |             :top :|       below: the cellar under the kitchen; its ramp rises
    fire |                   + +             :ramp:|       northwards to the hatch's northern edge
         |      parlour    doorway  kitchen  :    :|
         |                   + +             :    :|
    -3.3 +----[ porch ]------+ +-------------------+
             -2.6   -0.6
"""

from __future__ import annotations

from typing import Final

from engine.build.demo import things
from engine.build.demo.layout import paved, recess
from engine.build.interiors import OUTDOORS, Interior
from engine.build.landblocks import Landblock
from engine.build.materials import Finish
from engine.build.models import Mesh
from engine.build.rooms import Room
from engine.build.shapes.floor_plan import rect
from engine.build.shapes.furniture import bed, chair, crate, fireplace, shelf, table
from engine.build.shapes.shells import Roof, gable_roof, walls
from engine.build.shapes.solids import box
from engine.build.shapes.stairs import ramp, stairs

FLOOR: Final = 0.1
"""The floor above the ground: a low threshold."""

UPPER: Final = 3.0
STEPS: Final = 14
RUN: Final = 0.27
STAIR_FOOT: Final = -1.3
"""Fourteen steps of 0.2 m, the fifteenth rise is the upper floor itself."""

CELLAR: Final = -2.9
RAMP_LENGTH: Final = 4.0
RAMP_TOP: Final = 2.0
"""2.9 m of rise over 4 m: 35.9 degrees."""

HATCH: Final = rect(4.5, -1.75, 1.4, 3.75)
"""Long enough for the head of a body on the ramp: where it passes under the hatch's southern edge, the ramp is 2.7 m
below the floor, and the body reaches 1.95 m above the ramp."""


def build_cottage(land: Landblock, at: tuple[float, float, float], heading: float) -> Interior:
    """The whole cottage, its middle at `at`."""
    roof = gable_roof(-6.9, -3.9, 13.8, 7.8, eaves=5.6, ridge=9.2, material="thatch", gable="half timber", overhang=0.5)
    porch_roof = gable_roof(
        -2.9, -5.1, 2.6, 2.0, eaves=3.1, ridge=4.2, material="shingle", gable="timber", overhang=0.3, along="y"
    )
    shell = [
        *walls(rect(-6.6, -3.6, 13.2, 7.2), -0.6, 3.0, "limewash"),
        *walls(rect(-6.9, -3.9, 13.8, 7.8), 2.8, 5.6, "half timber"),
        *walls(rect(-2.9, -5.1, 2.6, 2.0), -0.6, 3.0, "limewash"),
        box(-7.5, -0.7, -0.6, 1.2, 1.4, 11.0, "stone"),
        roof.body,
        porch_roof.body,
    ]
    x, y, ground = at
    house = land.building(
        "cottage", (x, y, ground + FLOOR), heading, shell=shell, finish=Finish("plaster", "plank", "beam")
    )
    parlour, kitchen = _ground_floor(house)
    _upstairs(house, parlour, kitchen, roof)
    _cellar(house, kitchen)
    land.put(_trim(), (x, y, ground + FLOOR), heading)
    chimney = house.frame.local_to_global((-6.9, 0.0, 10.4))
    land.put(things.chimney_smoke(), chimney)
    return house


def _ground_floor(house: Interior) -> tuple[Room, Room]:
    vestibule = house.room(
        "cottage vestibule", rect(-2.6, -5.1, 2.0, 1.8), height=2.5, finish=Finish("plaster", "flagstone", "beam")
    )
    parlour = house.room("parlour", rect(-6.3, -3.3, 6.4, 6.6), height=2.75)
    kitchen = house.room(
        "kitchen", rect(0.4, -3.3, 5.9, 6.6), height=2.75, finish=Finish("limewash", "flagstone", "beam")
    )
    house.open_wall(parlour, vestibule)
    front = house.doorway(vestibule, OUTDOORS, (-1.6, -5.1), width=2.0, height=2.5)
    door = house.hang_door(front, material="door", name="Front Door", reset_interval=30.0)
    recess(door, 0.1)
    house.doorway(parlour, kitchen, (0.25, 0.6), width=1.3, height=2.2)
    house.doorway(kitchen, OUTDOORS, (2.2, 3.3), width=1.3, height=2.2, name="back door")
    house.window(parlour, OUTDOORS, (-4.7, -3.3), width=1.3, height=1.2)
    house.window(kitchen, OUTDOORS, (2.6, -3.3), width=1.3, height=1.2)
    house.window(kitchen, OUTDOORS, (5.2, -3.3), width=0.9, height=1.2)

    parlour.put(fireplace(1.8, 2.75, 0.6, "stone"), (-6.3, -0.2), 90.0)
    parlour.put(things.hearth_light(), (-5.9, -0.2), 90.0)
    parlour.put(things.rug(2.2, 1.5), (-4.4, -0.2), 90.0)
    parlour.put(table(1.5, 0.9), (-2.6, 0.9), 0.0)
    parlour.put(chair(), (-2.6, 1.6), 180.0)
    parlour.put(chair(), (-2.6, 0.2), 0.0)
    parlour.put(chair("timber"), (-4.9, 1.4), 150.0)
    parlour.put(things.candle(), (-2.3, 0.9, 0.75))
    parlour.put(shelf(0.9, 2.0), (-5.83, -3.3), 0.0)
    parlour.put(things.book_row(0.8, 0.55), (-5.83, -3.25, 0.7), 0.0)
    flight = stairs(1.3, STEPS, rise=0.2, run=RUN, material="timber", tread="plank")
    parlour.put(Mesh.of("cottage stairs", flight), (STAIR_FOOT, 2.65), 270.0)

    kitchen.put(table(1.8, 0.8, 0.8), (2.4, -0.6), 0.0)
    kitchen.put(things.bowl(), (2.1, -0.6, 0.8))
    kitchen.put(shelf(1.4, 1.8, boards=4), (0.4, -2.2), 90.0)
    kitchen.put(things.cask(), (0.9, 2.8))
    kitchen.put(things.sack(), (0.85, -0.7))
    kitchen.put(things.lamp(), (2.6, 1.2, 2.75))
    kitchen.put(things.railing(3.75, 0.95), (4.42, 0.125), 90.0)
    kitchen.put(things.railing(1.5, 0.95), (5.2, -1.83), 0.0)
    kitchen.put(things.trapdoor(1.3, 1.7), (6.28, 0.2), 270.0)
    return parlour, kitchen


def _upstairs(house: Interior, parlour: Room, kitchen: Room, roof: Roof) -> None:
    under = roof.under(0.35)
    landing = house.room("landing", rect(-6.3, -3.3, 6.4, 6.6), floor=UPPER, height=3.3, slopes=under)
    bedroom = house.room("bedroom", rect(0.4, -3.3, 5.9, 6.6), floor=UPPER, height=3.3, slopes=under)
    top = STAIR_FOOT - STEPS * RUN
    house.hatch(landing, parlour, rect(top, 2.0, -top + STAIR_FOOT, 1.3), name="stairwell")
    house.doorway(landing, bedroom, (0.25, -1.2, UPPER), width=1.3, height=2.2)
    for room, x in ((landing, -4.7), (bedroom, 2.2), (bedroom, 4.7)):
        house.window(room, OUTDOORS, (x, -3.3, UPPER + 0.8), width=1.0, height=1.0)
    house.window(bedroom, OUTDOORS, (6.3, 0.0, UPPER + 0.8), width=1.2, height=1.0)

    landing.put(things.railing(-top + STAIR_FOOT, 0.95), ((top + STAIR_FOOT) / 2.0, 1.94, UPPER), 0.0)
    landing.put(things.railing(1.2, 0.95), (STAIR_FOOT + 0.06, 2.65, UPPER), 90.0)
    landing.put(things.chimney_breast(1.4, 0.5, 2.8), (-6.3, -0.2, UPPER), 90.0)
    landing.put(things.trunk(), (-5.7, -2.6, UPPER), 90.0)
    landing.put(chair(), (-3.2, -2.6, UPPER), 20.0)
    landing.put(things.rug(1.8, 1.2), (-3.0, -0.6, UPPER))
    bedroom.put(bed(1.5, 2.1, "oak", "quilt"), (4.9, 1.9, UPPER), 180.0)
    bedroom.put(things.trunk(), (2.6, 2.9, UPPER), 180.0)
    bedroom.put(table(0.7, 0.5, 0.7), (3.6, 2.7, UPPER))
    bedroom.put(things.candle(), (3.6, 2.7, UPPER + 0.7))
    bedroom.put(things.rug(1.6, 1.1), (3.0, -0.4, UPPER))
    bedroom.put(shelf(1.2, 1.8), (0.4, 1.6, UPPER), 90.0)


def _cellar(house: Interior, kitchen: Room) -> None:
    cellar = house.room(
        "cellar", rect(0.4, -3.3, 5.9, 6.6), floor=CELLAR, height=2.7, finish=Finish("stone", "cobble", "beam")
    )
    house.hatch(kitchen, cellar, HATCH, name="cellar hatch")
    slope = paved(ramp(1.4, RAMP_LENGTH, -CELLAR, material="stone"), "plank")
    cellar.put(Mesh.of("cellar ramp", slope), (5.2, RAMP_TOP - RAMP_LENGTH, CELLAR), 0.0)
    for x, y in ((0.85, 2.85), (1.7, 2.9), (0.85, 2.0)):
        cellar.put(things.cask(), (x, y, CELLAR))
    cellar.put(crate(0.7, "crate"), (0.85, -2.8, CELLAR), 8.0)
    cellar.put(crate(0.5, "crate"), (0.9, -2.8, CELLAR + 0.7), 31.0)
    cellar.put(crate(0.7, "crate"), (1.75, -2.85, CELLAR), -5.0)
    cellar.put(shelf(1.6, 1.8, 0.4, 4), (0.4, 0.2, CELLAR), 90.0)
    cellar.put(things.sack(), (3.4, -2.8, CELLAR))
    cellar.put(things.lamp(), (2.4, 0.0, CELLAR + 2.7))


def _trim() -> Mesh:
    """Timbers, sills and shutters on the outside: seen, not felt."""
    faces = [
        *things.timbers_around(rect(-6.9, -3.9, 13.8, 7.8), 2.8, 0.22),
        *things.corner_posts(rect(-6.6, -3.6, 13.2, 7.2), -0.2, 2.8, 0.24),
    ]
    for x, y, z, width, height in (
        (-4.7, -3.6, 0.9, 1.3, 1.2),
        (2.6, -3.6, 0.9, 1.3, 1.2),
        (5.2, -3.6, 0.9, 0.9, 1.2),
        (-4.7, -3.9, UPPER + 0.8, 1.0, 1.0),
        (2.2, -3.9, UPPER + 0.8, 1.0, 1.0),
        (4.7, -3.9, UPPER + 0.8, 1.0, 1.0),
    ):
        faces += things.window_frame(x, y, z, width, height, shutters="blue cloth" if z < 2.0 else "timber")
    faces += box(-2.95, -5.16, 2.5, 2.7, 0.06, 0.22, "timber")
    return things.seen_only("cottage trim", faces)
