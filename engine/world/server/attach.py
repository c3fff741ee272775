"""Lets a server's entities stand in an open world."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from engine.world.server.entities import ServerEntities, Wanted
from engine.world.server.layers import open_layers
from engine.world.server.model import Told
from engine.world.world import World


def attach_server_data(
    world: World, paths: str | Path | Sequence[str | Path], wanted: Wanted | None = None, told: Told | None = None
) -> ServerEntities:
    """Open server data, from one place or from several of which later ones count, for a world that was just loaded;
    raises a WorldError when it is none."""
    listed = [paths] if isinstance(paths, str | Path) else paths
    entities = ServerEntities(open_layers(listed, told), world.source, wanted)
    world.source.by_block = entities
    return entities
