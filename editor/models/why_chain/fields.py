"""What a field of a dock shows, as the value that one can ask about: whose it is, and its path."""

from __future__ import annotations

from collections.abc import Hashable
from dataclasses import dataclass
from typing import Final

from editor.models import doors, entities
from editor.models.timeline.lanes import Lane
from editor.models.timeline.plots import PLAYER
from editor.models.why import WhyAbout
from engine.sim.tick.simulation import Simulation


@dataclass(frozen=True)
class Field:
    """A value of an entity; `parts` are values that are shown in the same field."""

    entity_id: int
    path: str
    parts: tuple[str, ...] = ()


def _axes(path: str) -> tuple[str, ...]:
    return tuple(f"{path}.{axis}" for axis in "xyz")


PLAYER_PATHS: Final[dict[str, tuple[str, ...]]] = {
    "Cell": ("cell",),
    "Position": ("origin", "origin", *_axes("origin"), "soles.z"),
    "Heading": ("heading",),
    "Velocity": ("velocity", "velocity", *_axes("velocity")),
    "Footing": ("on_walkable", "on_walkable", "contact"),
    "Transient": ("transient", "contact", "on_walkable", "sliding", "in_water", "active"),
    "Contact plane": ("contact_plane", "contact_plane", "contact_plane_cell", "contact"),
    "  distance": ("contact_plane",),
    "  of cell": ("contact_plane_cell",),
    "Sliding normal": ("sliding_normal",),
}
"""By the rows of the Player dock."""

DOOR_PATHS: Final = {
    doors.NAME: "is_open",
    doors.STATE: "is_open",
    doors.COLLISION: "passable",
    doors.LOCK: "locked",
    doors.RESETS_IN: "reset_at",
    doors.INTERVAL: "reset_interval",
    doors.CELL: "cell",
}
ENTITY_PATHS: Final = {
    entities.NAME: "origin",
    entities.CELL: "cell",
    entities.X: "origin.x",
    entities.Y: "origin.y",
    entities.Z: "origin.z",
    entities.HEADING: "heading",
    entities.STATE: "state",
    entities.IN_CELLS: "cells",
}
"""By the columns of the docks."""

DETAILS_PATHS: Final = {
    ("cell",): "cell",
    ("origin",): "origin",
    ("heading",): "heading",
    ("state",): "state",
    ("velocity",): "velocity",
    ("in contact",): "contact",
    ("on walkable ground",): "on_walkable",
    ("in cells",): "cells",
    ("scale",): "scale",
    ("door", "open"): "is_open",
    ("door", "locked"): "locked",
    ("door", "moving"): "busy_until",
    ("door", "held"): "held",
    ("door", "returns in seconds"): "reset_at",
    ("door", "returns after seconds"): "reset_interval",
}
"""By the names that lead to a row of Details."""

LANE_PATHS: Final = {
    "cell": "cell",
    "height": "origin.z",
    "speed": "velocity",
    "contact": "contact",
    "heading": "heading",
    "keys": "keys",
}
PLOT_PATHS: Final = {
    **{f"position.{axis}": f"origin.{axis}" for axis in "xyz"},
    **{f"velocity.{axis}": f"velocity.{axis}" for axis in "xyz"},
    **{f"contact.{axis}": "contact_plane" for axis in "xyz"},
    **{f"sliding.{axis}": "sliding_normal" for axis in "xyz"},
    "velocity": "velocity",
    "speed": "velocity",
    "heading": "heading",
    "contact-distance": "contact_plane",
    "distance": "origin",
    "open": "is_open",
    "passable": "passable",
    "countdown": "reset_at",
}
"""By the lanes of the Timeline, and by the quantities of added curves."""

EVENT_PATHS: Final = {
    WhyAbout.CELL_CHANGED: "cell",
    WhyAbout.LOST: "cell",
    WhyAbout.FELL: "contact",
    WhyAbout.LANDED: "contact",
    WhyAbout.PUSHED: "origin.z",
    WhyAbout.BLOCKED: "sliding_normal",
    WhyAbout.SLID: "sliding_normal",
}
"""What an event of the player changed."""


def player_field(sim: Simulation, key: Hashable, column: int = 0) -> Field | None:
    """The value of a row of the Player dock."""
    paths = PLAYER_PATHS.get(str(key))
    return None if paths is None else Field(sim.player.id, paths[0], paths[1:])


def entity_field(sim: Simulation, key: Hashable, column: int = 0) -> Field | None:
    """The value in a column of Entities."""
    return _of_entity(sim, key, ENTITY_PATHS.get(column, ""))


def door_field(sim: Simulation, key: Hashable, column: int = 0) -> Field | None:
    """The value in a column of Doors."""
    return _of_entity(sim, key, DOOR_PATHS.get(column, ""))


def _of_entity(sim: Simulation, key: Hashable, path: str) -> Field | None:
    if not isinstance(key, int) or not path:
        return None
    known = key == sim.player.id or sim.population.find(key) is not None
    return Field(key, path) if known else None


def details_field(sim: Simulation, entity_id: int, row: tuple[str, ...]) -> Field | None:
    """The value of a row of Details, or of the row that it is below."""
    while row:
        path = DETAILS_PATHS.get(row)
        if path is not None:
            return _of_entity(sim, entity_id, path)
        row = row[:-1]
    return None


def lane_field(sim: Simulation, lane: Lane) -> Field | None:
    """The value that a lane of the Timeline shows."""
    subject, _, quantity = lane.id.partition(":")
    if not quantity:
        path = LANE_PATHS.get(lane.id)
        return None if path is None else Field(sim.player.id, path)
    path = PLOT_PATHS.get(quantity, "")
    if subject == PLAYER:
        return Field(sim.player.id, path) if path else None
    return _of_entity(sim, int(subject, 16), path)


def event_field(sim: Simulation, about: WhyAbout) -> Field:
    """What an event of the player changed."""
    return Field(sim.player.id, EVENT_PATHS[about])
