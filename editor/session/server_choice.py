"""The server data that belongs to a world: chosen by the user, on the command line or in the window."""

from __future__ import annotations

import argparse
import os
from dataclasses import dataclass
from typing import TYPE_CHECKING

from editor.process.server_arguments import ENCOUNTERS, HOOKS
from engine.files.server_address import is_address
from engine.world.faults import ENTITY, Fault, Severity, WorldError
from engine.world.world import World

if TYPE_CHECKING:
    from engine.world.server.entities import Wanted
    from engine.world.server.model import Told


@dataclass(frozen=True)
class ServerChoice:
    """Where server data is, and what of it stands in the world beside what usually does. What is `remembered` may have
    gone meanwhile; then the world opens without it."""

    path: str
    also: tuple[str, ...] = ()
    remembered: bool = False

    def wanted(self) -> Wanted:
        from engine.world.server.entities import Wanted

        left_out = frozenset[int]() if HOOKS in self.also else Wanted().left_out
        return Wanted(left_out, ENCOUNTERS in self.also)


def furnish(world: World, choice: ServerChoice | None, told: Told | None = None) -> World:
    """Let the chosen server data stand in a world that was just opened; closes the world when that fails."""
    if choice is None:
        return world
    from engine.world.server.attach import attach_server_data  # only for worlds with server data

    try:
        attach_server_data(world, choice.path, choice.wanted(), told)
    except WorldError as error:
        if not choice.remembered:
            world.close()
            raise
        reason = f"its server data cannot be read: {error}; nothing of it stands here"
        world.source.faults.append(Fault(0, ENTITY, reason, Severity.WARNING))
    except BaseException:  # cancelled
        world.close()
        raise
    return world


def server_choice(arguments: argparse.Namespace) -> ServerChoice | None:
    """The choice on a command line; raises a WorldError for one that says nothing."""
    also = tuple(dict.fromkeys(arguments.server_also))
    if arguments.server_data is None:
        if also:
            raise WorldError(f"--server-also {also[0]} needs --server-data")
        return None
    path = arguments.server_data
    return ServerChoice(os.path.abspath(path) if path and not is_address(path) else path, also)
