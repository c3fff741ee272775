"""What the window hands to its worker: the open world as it is now, with all its edits, and what to search in it.

The worker opens the same source again and restores the state that it gets, with the edited rooms, things and doors in
it. A hash tells whether it stands where the window does.
"""

from __future__ import annotations

from dataclasses import asdict, dataclass
from typing import TYPE_CHECKING, Any

from editor.models.survey.settings import SurveySettings, read_settings
from editor.models.survey.wire import Message
from engine.geometry.vec import Vec3

if TYPE_CHECKING:
    from editor.document.document import Document


@dataclass(frozen=True)
class Entry:
    """A place of an earlier search where a body comes into what is searched again: the origin, how it came there, and
    after how many ticks."""

    cell_id: int
    origin: Vec3
    heading: float
    since: int
    how: int


@dataclass(frozen=True)
class SurveyTask:
    """One search. Where only a part is searched again, `known` are the cells that stay as they are, and `entries` the
    places at which that part is entered."""

    source: str
    scene: str | None
    server: tuple[tuple[str, ...], tuple[str, ...]] | None
    """The paths of the server data in the world, and what else of it stands there."""
    player_id: int
    block_id: int
    snapshot: bytes
    state_hash: bytes
    settings: SurveySettings
    known: tuple[int, ...] = ()
    entries: tuple[Entry, ...] = ()

    def message(self) -> Message:
        form: dict[str, Any] = {
            "is": "begin",
            "source": self.source,
            "scene": self.scene,
            "server": None if self.server is None else [list(part) for part in self.server],
            "player": self.player_id,
            "block": self.block_id,
            "hash": self.state_hash.hex(),
            "settings": self.settings.form(),
            "known": list(self.known),
            "entries": [asdict(entry) for entry in self.entries],
        }
        return Message(form, self.snapshot)


def task_of(message: Message) -> SurveyTask:
    form = message.form
    server = form["server"]
    return SurveyTask(
        form["source"],
        form["scene"],
        None if server is None else (tuple(server[0]), tuple(server[1])),
        form["player"],
        form["block"],
        message.data,
        bytes.fromhex(form["hash"]),
        read_settings(form["settings"]),
        tuple(form["known"]),
        tuple(Entry(**{**entry, "origin": tuple(entry["origin"])}) for entry in form["entries"]),
    )


def task_for(document: Document, block_id: int, settings: SurveySettings) -> SurveyTask:
    """The open world as it is now."""
    from editor.process.demo_name import DEMO
    from editor.session.server_choice import whole_path

    session, sim = document.session, document.sim
    server = None if session.server is None else (session.server.paths, session.server.also)
    source = session.source if session.source == DEMO else whole_path(session.source)
    return SurveyTask(
        source, session.scene, server, sim.player.id, block_id, sim.snapshot(), sim.state_hash(), settings
    )
