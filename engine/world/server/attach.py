"""Lets a server's entities stand in an open world."""

from __future__ import annotations

from pathlib import Path

from engine.world.server.entities import ServerEntities, Wanted
from engine.world.server.model import Told
from engine.world.server.sources import open_server_data
from engine.world.world import World


def attach_server_data(
    world: World, path: str | Path, wanted: Wanted | None = None, told: Told | None = None
) -> ServerEntities:
    """Open server data for a world that was just loaded; raises a WorldError when it is none."""
    entities = ServerEntities(open_server_data(path, told), world.source, wanted)
    world.source.by_block = entities
    return entities
