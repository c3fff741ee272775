"""The land around the houses: a village street between a stream and a tor, gardens and trees.

Landblock 0xC95B, in metres from its south-west corner; the shapes go on into its eight neighbours.

    north   woods              tor (too steep but from the east)
            . cottage .  inn .
    west  ~~~ ford === street === crossroads ====== east
            stream        cross      lookout
    south   meadows in gentle waves, a road to the south
"""

from __future__ import annotations

from typing import Final

from engine.build.demo import things
from engine.build.demo.layout import SOLID, paved
from engine.build.demo.plants import bush, conifer, flowers, oak_tree
from engine.build.ground import (
    BARREN_ROCK,
    FOREST_FLOOR,
    GRASSLAND,
    GREY_SAND,
    LUSH_GRASS,
    PACKED_DIRT,
    PATCHY_GRASS,
    RUNNING_WATER,
    SEMI_BARREN_ROCK,
)
from engine.build.landblocks import Landblock
from engine.build.models import Mesh
from engine.build.region import Strewn
from engine.build.shapes.faces import Face
from engine.build.shapes.furniture import bench, chest, fence, lantern, rock, well
from engine.build.shapes.solids import box, union
from engine.build.world import WorldBuilder
from engine.geometry.elementary import cos, sin

BASE: Final = 20.0
"""Height of the village."""

COTTAGE: Final = (60.0, 110.5, BASE)
COTTAGE_HEADING: Final = 8.0
INN: Final = (108.0, 108.6, BASE)
CROSSING: Final = (109.0, 82.0, BASE)

STREET: Final = 96.0
STREAM: Final = 24.0

TOR: Final = 56.0
TOR_VERTICES: Final = frozenset({(144.0, 144.0), (168.0, 144.0), (144.0, 168.0), (168.0, 168.0)})
"""36 m above the surrounding ground, one land cell away: 56 degrees, where 48.4 is the limit."""

TOR_PATH: Final = {(192.0, 168.0): 48.0, (216.0, 168.0): 40.0, (240.0, 168.0): 32.0, (264.0, 168.0): 25.0}
"""The way up, from the neighbouring landblock in the east: 18 degrees."""

LOOKOUT: Final = (158.0, 62.0)
LOOKOUT_HEIGHT: Final = 2.4

WOODS: Final = 1
MEADOW: Final = 2
"""Scenery indices; 0 is what unmarked ground has."""


def shape_land(land: Landblock) -> None:
    """Heights, kinds of ground, roads, and where things grow."""
    ground = land.ground
    assert ground is not None
    ground.shape(_height)
    ground.paint(_kind)
    ground.road([(-192.0, STREET), (384.0, STREET)])
    ground.road([(96.0, STREET), (96.0, -192.0)])
    ground.plant(_growth)


def _height(x: float, y: float) -> float:
    if (x, y) in TOR_VERTICES:
        return TOR
    if (x, y) in TOR_PATH:
        return TOR_PATH[x, y]
    if x == STREAM:
        return min(_height(x - 24.0, y), _height(x + 24.0, y)) - 1.5
    if abs(y - STREET) <= 24.0 or _in_village(x, y):
        return BASE
    return BASE + _waves(x, y)


def _in_village(x: float, y: float) -> bool:
    return 0.0 <= x <= 192.0 and 48.0 <= y <= 192.0


def _waves(x: float, y: float) -> float:
    """Meadows: gentle hills that rise towards the borders of the land that is there."""
    hills = 3.0 * sin(x / 61.0) * cos(y / 47.0) + 1.5 * sin((x + y) / 29.0)
    away = max(abs(x - 96.0), abs(y - 96.0)) / 288.0
    return hills + 9.0 * away * away


def _kind(x: float, y: float) -> int:
    if x == STREAM:
        return RUNNING_WATER
    if (x, y) in TOR_VERTICES:
        return BARREN_ROCK
    if (x, y) in TOR_PATH:
        return PATCHY_GRASS
    if (x, y) in {(96.0, 96.0), (120.0, 96.0), (96.0, 72.0), (120.0, 72.0)}:
        return PACKED_DIRT
    if abs(x - 156.0) <= 36.0 and abs(y - 156.0) <= 36.0:
        return SEMI_BARREN_ROCK
    if x == 0.0 and y % 72.0 == 0.0:
        return GREY_SAND
    if y >= 144.0 and x <= 120.0:
        return FOREST_FLOOR
    if y < 48.0 or x > 192.0 or x < 0.0:
        return PATCHY_GRASS if (x * 7.0 + y * 3.0) % 11.0 < 3.0 else GRASSLAND
    return LUSH_GRASS


def _growth(x: float, y: float) -> int | None:
    if y == STREET or x == STREAM or (x == 96.0 and y < STREET) or (x, y) in TOR_VERTICES or (x, y) in TOR_PATH:
        return None
    if (y >= 144.0 and x <= 120.0) or y >= 216.0 or y <= -48.0 or x >= 264.0 or x <= -72.0:
        return WOODS
    if _in_village(x, y) and 24.0 < x < 144.0 and 60.0 < y < 144.0:
        return None
    return MEADOW


def describe_growth(world: WorldBuilder) -> None:
    """The objects of the scenery indices on each kind of ground."""
    woods = (
        (
            Strewn(conifer(10.0), 0.85, (9.0, 11.0), (0.8, 1.4)),
            Strewn(conifer(10.0), 0.8, (11.0, 8.0), (0.6, 1.1)),
            Strewn(conifer(10.0), 0.6, (5.0, 12.0), (0.7, 1.2)),
            Strewn(oak_tree(8.0), 0.4, (6.0, 10.0), (0.9, 1.2)),
            Strewn(bush(), 0.5, (10.0, 10.0), (0.7, 1.3)),
        ),
        (
            Strewn(oak_tree(8.0), 0.8, (10.0, 9.0), (0.8, 1.25)),
            Strewn(oak_tree(8.0), 0.7, (8.0, 11.0), (0.6, 1.0)),
            Strewn(conifer(10.0), 0.5, (12.0, 5.0), (0.8, 1.2)),
            Strewn(rock(1.2), 0.3, (11.0, 7.0), (0.5, 1.4)),
        ),
    )
    meadow = (
        (
            Strewn(flowers(), 0.7, (10.0, 10.0), (0.7, 1.3)),
            Strewn(flowers(), 0.6, (8.0, 11.0), (0.6, 1.1)),
            Strewn(bush(), 0.25, (11.0, 9.0), (0.7, 1.2)),
        ),
        (Strewn(oak_tree(8.0), 0.3, (9.0, 9.0), (0.9, 1.3)), Strewn(flowers(), 0.8, (11.0, 8.0), (0.7, 1.3))),
        (Strewn(rock(1.2), 0.35, (10.0, 10.0), (0.4, 1.2)), Strewn(flowers(), 0.5, (9.0, 9.0), (0.7, 1.2))),
    )
    for kind in (GRASSLAND, LUSH_GRASS, PATCHY_GRASS, FOREST_FLOOR, GREY_SAND):
        world.scenery(kind, WOODS, *woods)
        world.scenery(kind, MEADOW, *meadow)


def furnish_land(land: Landblock) -> None:
    """The objects between the houses."""
    _garden(land)
    _street(land)
    _lookout(land)
    land.put(_footbridge(), (STREAM, 106.0, BASE - 1.5))
    for x, y, turn in ((16.5, 84.0, 20.0), (31.0, 79.5, 110.0), (14.0, 117.0, 200.0), (33.0, 126.0, 60.0)):
        land.put(rock(0.9), (x, y), turn)


def _garden(land: Landblock) -> None:
    """The cottage's front garden: a fence with a gap before the porch, a path, flowers."""
    for x in (48.6, 51.6, 54.6):
        land.put(fence(3.0, 1.0), (x + 0.2, 102.2))
    for x in (61.9, 64.9, 67.9):
        land.put(fence(3.0, 1.0), (x, 102.2))
    for y in (103.8, 106.8):
        land.put(fence(3.0, 1.0), (47.2, y), 90.0)
        land.put(fence(3.0, 1.0), (69.5, y), 90.0)
    for i, (x, y) in enumerate(((57.75, 101.3), (57.6, 102.5), (57.7, 103.7))):
        land.put(things.step_stone(1.3, 0.8, 0.04), (x, y), 4.0 * i)
    for x, y in ((50.0, 104.4), (52.3, 105.6), (54.9, 104.0), (63.2, 104.1), (65.4, 105.3), (67.6, 104.5)):
        land.put(flowers(), (x, y), 40.0 * x)
    land.put(bush(), (68.2, 107.6), 10.0)
    land.put(bench(1.6, "oak"), (61.2, 105.3), 188.0)
    land.put(things.cask(), (70.3, 111.2))
    land.put(things.haystack(), (68.0, 118.2), 30.0)
    land.put(things.woodpile(), (61.0, 116.7), 8.0)


def _street(land: Landblock) -> None:
    land.put(well(1.0, 0.9, "stone"), (88.5, 103.0))
    for x, y in ((76.0, 102.0), (91.0, 90.0), (121.5, 102.2), (46.0, 90.2)):
        land.put(lantern(2.8), (x, y))
    land.put(bench(1.8, "oak"), (99.6, 101.4), 180.0)
    land.put(bench(1.8, "oak"), (112.4, 101.4), 180.0)
    land.put(things.cask(), (118.4, 102.3))
    land.put(things.cask(), (119.3, 102.6))
    land.put(things.cart(), (124.5, 88.5), 65.0)
    land.put(things.step_stone(1.8, 0.9, 0.05), (103.9, 101.1))
    land.entity("Signpost", "sign", things.signpost(), (90.4, 101.2), 200.0, state=SOLID, text="The crossroads")
    land.entity("Village Chest", "chest", chest(), (115.4, 101.9), 180.0, state=SOLID, locked=False)
    land.entity("Townsperson", "creature", things.townsperson(), (100.5, 99.2), 225.0)


def _lookout(land: Landblock) -> None:
    """A stone platform with steps on its western side and nothing to hold on to: a ledge of 2.4 m."""
    platform = box(-3.0, -2.5, -0.5, 6.0, 5.0, LOOKOUT_HEIGHT + 0.5, "stone")
    steps = [
        body
        for i in range(11)
        for body in (box(-3.0 - (11 - i) * 0.3, -0.9, -0.5, 0.3, 1.8, 0.5 + 0.2 * (i + 1), "stone"),)
    ]
    faces = paved(union([platform, *steps]), "flagstone")
    land.put(Mesh.of("lookout", faces), LOOKOUT)


def _footbridge() -> Mesh:
    """Planks over the stream, its ramps reaching down to the banks; the origin is at the water."""
    deck: list[list[Face]] = [
        box(-5.0, -0.9, 1.0, 10.0, 1.8, 0.2, "plank"),
        _bridge_ramp(-9.0, -5.0),
        _bridge_ramp(9.0, 5.0),
    ]
    rails = [box(-5.0, y, 1.2, 10.0, 0.08, 0.9, "timber") for y in (-0.9, 0.82)]
    posts = [box(x, y, -0.8, 0.3, 0.3, 1.8, "timber") for x in (-4.4, 4.1) for y in (-0.9, 0.6)]
    return Mesh.of("footbridge", union([*deck, *rails, *posts]))


def _bridge_ramp(foot: float, top: float) -> list[Face]:
    """A board from the ground at x = foot to the deck at x = top."""
    x0, x1 = min(foot, top), max(foot, top)
    z0, z1 = (0.56, 1.2) if foot < top else (1.2, 0.56)
    low = [(x0, -0.9, z0 - 0.3), (x1, -0.9, z1 - 0.3), (x1, 0.9, z1 - 0.3), (x0, 0.9, z0 - 0.3)]
    high = [(x, y, z + 0.3) for x, y, z in low]
    sides = [Face((low[i], low[(i + 1) % 4], high[(i + 1) % 4], high[i]), "plank") for i in range(4)]
    return [*sides, Face(tuple(high), "plank"), Face(tuple(reversed(low)), "plank")]
