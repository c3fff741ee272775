"""Small worlds for the frame driver and the cameras, and the demo world, each built once."""

from __future__ import annotations

from functools import cache

from engine.build import OUTDOORS, WorldBuilder, rect, walls
from engine.build.built import BuiltWorld
from engine.build.demo import SPOTS, demo_world, ensure_demo
from engine.geometry.vec import Vec3
from engine.world.cells.cell import EnvCell
from engine.world.loader import open_world
from engine.world.world import World

VILLAGE = 0xC95BFFFF
DUNGEON = 0x0007FFFF

EYE_HEIGHT = 1.5


@cache
def demo() -> World:
    """Loads everything in the demo world that its village or its dungeon can see."""
    world = open_world(str(ensure_demo()))
    load_all(world)
    return world


def load_all(world: World) -> World:
    for block_id in world.landblock_ids():
        assert world.landblock(block_id) is not None
    return world


@cache
def demo_names() -> BuiltWorld:
    """The names of the demo world's cells, from its description."""
    return demo_world().build()


def demo_cell(name: str) -> EnvCell:
    found = demo().graph.get_visible(demo_names().cell_id(name))
    assert isinstance(found, EnvCell)
    return found


def eye_at(spot: str, height: float = EYE_HEIGHT) -> tuple[int, Vec3]:
    """The cell at a spot of the demo world, and an eye above the spot."""
    place = SPOTS[spot]
    x, y, z = place.origin
    return place.cell_id, (x, y, z + height)


def two_room_house(builder: WorldBuilder, heading: float = 30.0) -> None:
    """A house in the middle of landblock 0xC95B: a front and a back room, each with a door to the street."""
    land = builder.landblock(0xC95B, height=20)
    house = land.building("house", (108, 108), heading, shell=walls(rect(-3, -5.5, 6, 11), 0, 3, "brick"))
    front = house.room("front", rect(-2.6, -5.1, 5.2, 5.0), height=2.6)
    back = house.room("back", rect(-2.6, 0.1, 5.2, 5.0), height=2.6)
    house.doorway(front, back)
    house.doorway(front, OUTDOORS, (0, -5.5))
    house.doorway(back, OUTDOORS, (0, 5.5))


@cache
def house_world() -> World:
    """The house, and a dungeon of two rooms in its own landblock."""
    builder = WorldBuilder()
    hall = builder.room("hall", rect(0, 0, 6, 4), height=3.0)
    study = builder.room("study", rect(6.2, 0, 4, 4), height=3.0)
    builder.doorway(hall, study)
    two_room_house(builder)
    return load_all(builder.build().load())
