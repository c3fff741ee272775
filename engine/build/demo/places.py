"""The demo world as a description: everything put where it belongs."""

from __future__ import annotations

from typing import Final

from engine.build.demo.cottage import build_cottage
from engine.build.demo.crossing import build_crossing
from engine.build.demo.dungeon import build_dungeon
from engine.build.demo.inn import build_inn
from engine.build.demo.materials import MATERIALS, dress_region
from engine.build.demo.outdoors import (
    BASE,
    COTTAGE,
    COTTAGE_HEADING,
    CROSSING,
    INN,
    describe_growth,
    furnish_land,
    shape_land,
)
from engine.build.demo.sky import sky
from engine.build.textures import texture
from engine.build.world import WorldBuilder

VILLAGE: Final = 0xC95B
DUNGEON: Final = 0x0007
HEIGHT_STEP: Final = 0.5


def demo_world() -> WorldBuilder:
    """The description, ready to be built."""
    world = WorldBuilder(textures=texture, height_step=HEIGHT_STEP)
    world.define(*MATERIALS)
    world.human()
    dress_region(world.region)
    world.region.sky = sky()
    describe_growth(world)
    land = world.landblock(VILLAGE, height=BASE)
    shape_land(land)
    build_cottage(land, COTTAGE, COTTAGE_HEADING)
    build_inn(land, INN)
    build_crossing(land, CROSSING)
    furnish_land(land)
    build_dungeon(world.dungeon(DUNGEON))
    return world
