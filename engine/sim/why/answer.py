"""The answer to "why is this value what it is?": links, each the change of a value with its cause, the latest first.

question = WhyQuestion(sim, recording, Asked(sim.player.id, "contact_plane", 640))  # engine/sim/why/question.py
for _ in question.steps():
    ...                                                                             # a few milliseconds each
for link in question.chain.links:
    print(link.tick, link.sentence)
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum
from typing import Final

from engine.geometry.vec import Vec3

SIMULATION: Final = 0
"""Instead of the id of an entity: the simulation itself, which has the rules and the time of day."""


class CauseKind(Enum):
    """What changed a value."""

    KEY = "key"
    """A key or the mouse: it went down or up in the tick, or is held in it."""
    EDIT = "edit"
    RULE = "rule"
    """An edit of the rules."""
    TIMER = "timer"
    """Of a door: the end of its motion, its way back to the default, another try to close."""
    POLYGON = "polygon"
    """Of a cell or a building: met, stood on, stepped off."""
    TERRAIN = "terrain"
    """The same of the land."""
    OBJECT = "object"
    """The same of an entity or a static; or an entity that did something, such as using a door."""
    PORTAL = "portal"
    """The cell was picked through a portal."""
    PICK = "pick"
    """The cell was picked otherwise: over the land, because no cell holds the place."""
    PUSH = "push"
    """Something became solid, or was, where the body stood, and moved it."""
    GRAVITY = "gravity"
    MOTION = "motion"
    """The body's own motion: its animation, or the velocity that it has in the air."""
    FOLLOWS = "follows"
    """It goes with another value that changed in the same tick, such as the cells of a body with its position."""
    START = "start"
    """So since the recording begins."""


@dataclass(frozen=True, slots=True)
class Asked:
    """A value of an entity (or of the simulation, `SIMULATION`), as it is after a tick of the run.

    `path` is one of those that `askable` lists (engine/sim/why/values.py). After the last recorded tick come the edits
    that were made since: `Recording.end` asks for the value with them.
    """

    entity: int
    path: str
    tick: int


@dataclass(frozen=True, slots=True)
class AskableValue:
    """A value that can be asked about, as text."""

    path: str
    title: str
    value: str


@dataclass(frozen=True, slots=True)
class Link:
    """The last change of a value, and what made it. What does not apply is 0, "" or None."""

    asked: Asked
    title: str
    """The value's name, such as "z of the player"."""
    before: str
    after: str
    tick: int
    """The tick in which it changed; the recording's first one if it never did (`CauseKind.START`)."""
    kind: CauseKind
    sentence: str
    """What happened, in plain words."""
    sub_step: int | None = None
    """Of that tick, from 1."""
    swept: int = 0
    """The entity whose sweep has the sub-step and the row."""
    trace_path: tuple[int, ...] | None = None
    """The row of the trace: which sweep of the tick, then which of the children at each level."""
    row: str = ""
    """That row as text."""
    cell: int = 0
    entity: int = 0
    """The entity, or the static, that did it."""
    polygon: int | None = None
    portal: int | None = None
    """With `cell`, the cell or the square of land that owns it."""
    key: str = ""
    """The name of the key in `Controls`."""
    edit: str = ""
    """What the edit did."""
    edit_number: int | None = None
    """Which of the edits made for that tick, from 0."""
    rules: tuple[str, ...] = ()
    """The rules each of which, flipped alone in that tick, gives another value; or the one that an edit set."""
    point: tuple[int, Vec3] | None = None
    """Where: a place in the landblock of a cell."""
    leads_to: tuple[Asked, ...] = ()
    """The next whys, the main one first."""

    @property
    def rule(self) -> str:
        """The first of the rules."""
        return self.rules[0] if self.rules else ""


@dataclass(frozen=True, slots=True)
class Chain:
    """Links, each the main why of the one before."""

    links: tuple[Link, ...] = ()
    ended: str = ""
    """Why it goes no further back; "" while it is not finished."""
    kept_by: str = ""
    """What keeps a body where it is in the tick that was asked about, where it has come to rest before."""
