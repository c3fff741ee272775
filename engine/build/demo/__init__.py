"""The demo world: a village by a stream with a cottage, an inn and a market cross, and a dungeon far below it.

    folder = ensure_demo()                 # data files, written on the first start
    spot = SPOTS["cellar"]                 # a cell, a point and a heading

The places are `cottage`, `inn`, `crossing` and `outdoors` (landblock 0xC95B) and `dungeon` (0x0007); `places` puts them
together.
"""

from typing import TYPE_CHECKING

from engine.build.demo.cache import ensure_demo
from engine.build.demo.spots import SPOTS, Spot

if TYPE_CHECKING:
    from engine.build.demo.places import DUNGEON, VILLAGE, demo_world

__all__ = ["DUNGEON", "SPOTS", "VILLAGE", "Spot", "demo_world", "ensure_demo"]


def __getattr__(name: str) -> object:
    """What describes the world loads all that builds one, which a start that finds the files does without."""
    if name not in __all__:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    from engine.build.demo import places

    return getattr(places, name)
