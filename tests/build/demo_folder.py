"""The demo world for the tests of this folder: its data files as the first start writes them, opened by the reader."""

from __future__ import annotations

from functools import cache

from engine.build.built import BuiltWorld
from engine.build.demo import demo_world, ensure_demo
from engine.world.cells.cell import EnvCell
from engine.world.landblock import Landblock
from engine.world.loader import open_world
from engine.world.world import World

VILLAGE = 0xC95BFFFF
DUNGEON = 0x0007FFFF


@cache
def demo() -> World:
    return open_world(str(ensure_demo()))


@cache
def built() -> BuiltWorld:
    """The demo world built in this process, with the names of its cells."""
    return demo_world().build()


def block(cell_id: int) -> Landblock:
    found = demo().landblock(cell_id)
    assert found is not None
    return found


def cell(name: str) -> EnvCell:
    found = demo().graph.get_visible(built().cell_id(name))
    assert isinstance(found, EnvCell)
    return found
