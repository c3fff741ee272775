"""Questions about server data: that of a recording or project, and a source that is server data itself."""

from __future__ import annotations

from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING

from editor.process.plain_text import counted
from editor.session.named_sources import is_named, whole_name
from editor.session.open_error import Failure
from editor.session.server_choice import ANY_WORLD, ServerChoice, choice_of
from engine.sim.errors import SimError

if TYPE_CHECKING:
    from editor.session.loading import Request
    from engine.world.server.place import ServerPlace


@dataclass(frozen=True)
class ServerDataQuestion:
    """Asks for the server data that stood in the world of a recording or project. `said` is where the file says it is,
    when the user has never opened one of these places: nothing was read there."""

    request: Request
    failure: Failure
    also: tuple[str, ...] = ()
    said: tuple[str, ...] = ()

    def agree(self) -> Request:
        """The request with the places confirmed that the file names."""
        return replace(self.request, named=self.request.named | set(map(whole_name, self.said)))

    def answer(self, *paths: str) -> Request:
        """The request with the server data in these places; without any if there are none."""
        servers = {**self.request.servers, ANY_WORLD: ServerChoice(paths, self.also)}
        return replace(self.request, servers=servers)

    def close(self) -> None:
        """Do nothing: no world is open."""


@dataclass(frozen=True)
class BesideQuestion:
    """Offers to open server data beside the open world, because it is no world itself."""

    request: Request
    failure: Failure

    def close(self) -> None:
        """Do nothing: no world is open."""


def server_of_file(
    request: Request, place: ServerPlace | None, source: str, *, is_own: bool = False
) -> ServerChoice | ServerDataQuestion | None:
    """The server data to open a file's world with: what the request demands, what the file says, else what is
    remembered with the world. A file that `is_own` is believed."""
    demanded = request.servers.get(ANY_WORLD)
    if demanded is not None or place is None:
        return demanded or request.server_of(source)
    known = request.named | {whole_name(path) for choice in request.servers.values() for path in choice.paths}
    folder = Path(request.source).parent
    if is_own or all(is_named(path, known, folder) for path in place.paths):
        return choice_of(place)
    where = place.paths[0] if len(place.paths) == 1 else f"in {counted(len(place.paths), 'place')}"
    lines = [f"file         {request.source}", *(f"server data  {path}" for path in place.paths)]
    lines.append("Nothing was read there; in a terminal, --server-data names it")
    sentence = f"{request.name} says that its server data is {where}, which has never been opened here."
    return ServerDataQuestion(request, Failure(sentence, "\n".join(lines)), place.also, place.paths)


def lost_server(request: Request, choice: ServerChoice | None, error: Exception) -> ServerDataQuestion:
    """Asks for server data that cannot be opened where the file says, or is not what the file was made with."""
    is_other = isinstance(error, SimError)
    sentence = (
        f"The server data of {request.name} {'is not what it was recorded with' if is_other else 'cannot be opened'}."
    )
    paths = () if choice is None else choice.paths
    lines = [f"file         {request.source}", *(f"server data  {path}" for path in paths), f"reason       {error}"]
    return ServerDataQuestion(request, Failure(sentence, "\n".join(lines)), () if choice is None else choice.also)
