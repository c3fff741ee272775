"""The server data that belongs to a world: chosen by the user, on the command line or in the window."""

from __future__ import annotations

import argparse
import os
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from editor.process.server_arguments import ALSO, ENCOUNTERS, HOOKS
from engine.world.faults import ENTITY, Fault, Severity, WorldError
from engine.world.server.place import ServerPlace, is_url
from engine.world.world import World

if TYPE_CHECKING:
    from engine.world.server.entities import Wanted
    from engine.world.server.model import Told

ANY_WORLD: Final = ""
"""In place of a world's path: server data for whatever world opens."""


class ServerDataError(WorldError):
    """The server data that a world is to open with cannot be read."""


@dataclass(frozen=True)
class ServerChoice:
    """Where server data is, the base first and what replaces parts of it behind it, and what of it stands in the world
    beside what usually does. No paths: none is wanted. What is `remembered` may have gone meanwhile; then the world
    opens without it."""

    paths: tuple[str, ...]
    also: tuple[str, ...] = ()
    remembered: bool = False

    def wanted(self) -> Wanted:
        from engine.world.server.entities import Wanted

        left_out = frozenset[int]() if HOOKS in self.also else Wanted().left_out
        return Wanted(left_out, ENCOUNTERS in self.also)

    @property
    def place(self) -> ServerPlace:
        """What a file made in such a world says of it."""
        return ServerPlace(self.paths, self.also)


def choice_of(place: ServerPlace | None) -> ServerChoice | None:
    """The choice that a file names; None where it says nothing."""
    return None if place is None else ServerChoice(place.paths, tuple(what for what in ALSO if what in place.also))


def place_of(choice: ServerChoice | None) -> ServerPlace:
    return ServerPlace() if choice is None else choice.place


def furnish(world: World, choice: ServerChoice | None, told: Told | None = None) -> World:
    """Let the chosen server data stand in a world that was just opened; closes the world when that fails. Without a
    choice a reproduction keeps what it has of a server's data."""
    if choice is None:
        return world
    try:
        attach(world, choice, told)
    except BaseException:
        world.close()
        raise
    return world


def attach(world: World, choice: ServerChoice | None, told: Told | None = None) -> None:
    """The same for a world that stays open, in place of what it has; raises a ServerDataError."""
    if world.source.by_block is not None:
        world.source.by_block.close()
        world.source.by_block = None
    if choice is None or not choice.paths:
        return
    from engine.world.server.attach import attach_server_data  # only for worlds with server data

    try:
        attach_server_data(world, choice.paths, choice.wanted(), told)
    except WorldError as error:
        if not choice.remembered:
            raise ServerDataError(error.reason, error.file) from error
        reason = f"its server data cannot be read: {error}; nothing of it stands here"
        world.source.faults.append(Fault(0, ENTITY, reason, Severity.WARNING))


def whole_path(path: str) -> str:
    """A path as it is kept: absolute, unless it is a URL or empty, which opening reports."""
    return path if is_url(path) or not path else os.path.abspath(path)


def server_choice(arguments: argparse.Namespace) -> ServerChoice | None:
    """The choice on a command line; raises a WorldError for one that says nothing."""
    also = tuple(dict.fromkeys(arguments.server_also))
    if not arguments.server_data:
        if also:
            raise WorldError(f"--server-also {also[0]} needs --server-data")
        return None
    return ServerChoice(tuple(map(whole_path, arguments.server_data)), also)
