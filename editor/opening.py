"""Opening what a user names: the demo world, or whatever a path leads to."""

from __future__ import annotations

from typing import Final

from engine.world.faults import WorldError
from engine.world.loader import open_world
from engine.world.world import World

DEMO: Final = "demo"


def open_source(source: str, scene: str | None = None) -> World:
    """The world of a source; the demo world's data files are written first when they are not there yet. `scene` chooses
    from a file of several portal scenes."""
    if source != DEMO:
        return open_world(source, scene=scene)
    if scene is not None:
        raise WorldError(f"the demo world holds no scenes to choose {scene!r} from")
    from engine.build.demo import ensure_demo  # what builds worlds is only loaded for the one that is built

    world = open_world(ensure_demo())
    world.source.name = DEMO  # the folder's own name is a digest
    return world
