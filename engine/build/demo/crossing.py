"""The market cross: a six-sided hall whose seven cells meet in its middle.

A small six-sided cell lies in the centre, six wedges around it. Its sides are 0.43 m from the middle, so that a body of
0.48 m radius standing there overlaps all seven. Nothing but portals lies between them: it looks like one hall.
"""

from __future__ import annotations

import math
from typing import Final

from engine.build.demo import things
from engine.build.interiors import OUTDOORS, Interior
from engine.build.landblocks import Landblock
from engine.build.materials import Finish
from engine.build.shapes.faces import Face
from engine.build.shapes.floor_plan import Point2, ngon
from engine.build.shapes.furniture import bench, crate
from engine.build.shapes.shells import walls
from engine.geometry.elementary import atan2, cos, sin

FLOOR: Final = 0.1
HUB: Final = 0.5
"""Corner radius of the cell in the middle; its sides are at 0.433 m."""

HALL: Final = 6.0
OUTER: Final = 6.5
HEIGHT: Final = 3.6
EAVES: Final = 4.4
PEAK: Final = 8.0
OVERHANG: Final = 0.7

ARCHES: Final = (1, 3, 4, 5)
"""The wedges with a way out: north, west-south-west, south and east-south-east; 0 and 2 have windows."""


def build_crossing(land: Landblock, at: tuple[float, float, float], heading: float = 0.0) -> Interior:
    """The whole hall, its middle at `at`."""
    x, y, ground = at
    shell = [*walls(ngon(0.0, 0.0, OUTER, 6), -0.6, EAVES, "stone"), _roof()]
    finish = Finish("stone", "flagstone", "beam")
    hall = land.building("crossing", (x, y, ground + FLOOR), heading, shell=shell, finish=finish)
    inner, outer = ngon(0.0, 0.0, HUB, 6), ngon(0.0, 0.0, HALL, 6)
    hub = hall.room("crossing", inner, height=HEIGHT)
    wedges = []
    for i in range(6):
        j = (i + 1) % 6
        wedge = hall.room(f"crossing {i + 1}", [inner[i], outer[i], outer[j], inner[j]], height=HEIGHT)
        hall.open_wall(hub, wedge)
        wedges.append(wedge)
    for i in range(6):
        hall.open_wall(wedges[i], wedges[(i + 1) % 6])
    for i, wedge in enumerate(wedges):
        middle = _side_middle(i)
        if i in ARCHES:
            hall.doorway(wedge, OUTDOORS, middle, width=2.4, height=2.2, arch=0.8, name=f"arch {i + 1}")
        else:
            hall.window(wedge, OUTDOORS, middle, width=1.8, height=1.2, sill=1.0, arch=0.5, name=f"window {i + 1}")
            turn = math.degrees(atan2(-middle[0], -middle[1]))
            wedge.put(bench(2.2), (middle[0] * 0.86, middle[1] * 0.86), turn)
    wedges[2].put(crate(0.8, "crate"), _at(4.0, 170.0), 20.0)
    for i in (0, 3):
        spot = _at(3.0, 30.0 + 60.0 * i)
        wedges[i].put(things.lamp(), (*spot, HEIGHT))
    return hall


def _at(radius: float, degrees: float) -> Point2:
    return (radius * cos(math.radians(degrees)), radius * sin(math.radians(degrees)))


def _side_middle(i: int) -> Point2:
    return _at(HALL * cos(math.pi / 6.0), 30.0 + 60.0 * i)


def _roof() -> list[Face]:
    """A pyramid over the walls, its base below the eaves by as much as its slope falls along the overhang."""
    reach = OUTER + OVERHANG
    low = EAVES - OVERHANG * (PEAK - EAVES) / OUTER
    rim = [(x, y, low) for x, y in ngon(0.0, 0.0, reach, 6)]
    peak = (0.0, 0.0, PEAK)
    faces = [Face((rim[i], rim[(i + 1) % 6], peak), "shingle") for i in range(6)]
    return [*faces, Face(tuple(reversed(rim)), "timber")]
