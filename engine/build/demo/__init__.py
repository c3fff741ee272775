"""The demo world: a village by a stream with a cottage, an inn and a market cross, and a dungeon far below it.

    folder = ensure_demo()                 # data files, written on the first start
    spot = SPOTS["cellar"]                 # a cell, a point and a heading

The places are `cottage`, `inn`, `crossing` and `outdoors` (landblock 0xC95B) and `dungeon` (0x0007); `places` puts them
together.
"""

from engine.build.demo.cache import ensure_demo
from engine.build.demo.places import DUNGEON, VILLAGE, demo_world
from engine.build.demo.spot_plan import Spot
from engine.build.demo.spots import SPOTS

__all__ = ["DUNGEON", "SPOTS", "VILLAGE", "Spot", "demo_world", "ensure_demo"]
