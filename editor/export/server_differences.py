"""Sources of server data that are compared by themselves, without a world."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import ExitStack, closing, contextmanager

from editor.session.sources import Content, look_at
from engine.files.server_address import is_address
from engine.world.faults import WorldError
from engine.world.server.model import ServerData
from engine.world.server.sources import open_server_data


@contextmanager
def server_sides(one: str, other: str) -> Iterator[tuple[ServerData, ServerData] | None]:
    """Two sources of server data, opened; None when both are worlds. Raises a WorldError when only one is server data,
    or one is nothing."""
    with ExitStack() as stack:
        first, second = (_server_data(each, stack) for each in (one, other))
        if first is not None and second is not None:
            yield first, second
            return
        if first is not None or second is not None:
            found, world = (one, other) if second is None else (other, one)
            raise WorldError(f"is server data, and {world} is a world; compare each with one of its own kind", found)
        yield None


def _server_data(side: str, stack: ExitStack) -> ServerData | None:
    if is_address(side) or look_at(side).content is Content.SERVER_DATA:
        return stack.enter_context(closing(open_server_data(side)))
    return None
