"""The words for edits, keys and the events of doors."""

from __future__ import annotations

from typing import Final

from engine.entities.events import (
    BUSY,
    CLOSED,
    CLOSING,
    HELD,
    LOCKED,
    OPENED,
    OPENING,
    REFUSED,
    UNLOCKED,
)
from engine.sim.contact_wording import thing_name
from engine.sim.edits.catalogue import FIELDS, name_of
from engine.sim.edits.cells import ReplaceCell
from engine.sim.edits.edit import Edit
from engine.sim.edits.entities import AddEntity
from engine.sim.edits.player import Teleport
from engine.sim.tick.simulation import Simulation
from engine.sim.trace.tree import number_text

_EDITS: Final = {
    "open_landblock": "landblock {block_id} was opened",
    "teleport": "the player was teleported into {cell_id}",
    "put_player_back": "the player was put back",
    "face": "the player was turned to {heading}°",
    "set_player": "the player's {number} was set to {value}",
    "set_velocity": "{entity_id} was given the velocity ({x}, {y}, {z})",
    "set_state": "{entity_id} was given the state {state}",
    "set_state_bits": "state bits of {entity_id} were switched",
    "move_entity": "{entity_id} was moved into {cell_id}",
    "place_entity": "{entity_id} was placed in {cell_id}",
    "add_entity": "{entity_id} was added",
    "remove_entity": "{entity_id} was removed",
    "restore_static": "{static_id} was restored",
    "set_scale": "{entity_id} was scaled to {scale}",
    "use": "{door_id} was used",
    "open_door": "{door_id} was opened",
    "close_door": "{door_id} was closed",
    "lock_door": "the lock of {door_id} was set",
    "set_reset_interval": "{door_id} was told to go back after {seconds} s",
    "set_door_timer": "the timer of {door_id} was set",
    "replace_cell": "{cell_id} was edited",
    "set_rule": "the rule {rule} was set to {form}",
    "set_rules": "the rules were set to {rule_set}",
    "set_time_of_day": "the time of day was set to {time}",
    "put_back": "edits were undone",
}
"""By the names of edits in files, with the names of their fields."""

_CELLS: Final = ("cell_id", "block_id")
_THINGS: Final = ("entity_id", "static_id", "door_id")

_EVENTS: Final = {
    OPENING: "began to open",
    OPENED: "stood open",
    CLOSING: "began to close",
    CLOSED: "was closed",
    HELD: "could not close on a body inside it",
    BUSY: "was in motion",
    REFUSED: "was locked",
    LOCKED: "was locked",
    UNLOCKED: "was unlocked",
}

_KEYS: Final = {
    "forward": ("forward key", "back key"),
    "side_step": ("step right key", "step left key"),
    "turn": ("turn right key", "turn left key"),
    "run": ("run key", ""),
    "jump": ("jump key", ""),
}
"""The keys of a positive and of a negative value."""


def edit_text(sim: Simulation, edit: Edit) -> str:
    """What an edit did, such as "Front Door was used"."""
    name = name_of(edit)
    fields: dict[str, object] = {field: getattr(edit, field) for field, _ in FIELDS[name]}
    if isinstance(edit, ReplaceCell | Teleport):
        fields["cell_id"] = edit.cell_id
    if isinstance(edit, AddEntity):
        fields["entity_id"] = edit.entity_id
    return _EDITS[name].format(**{field: _field(sim, field, value) for field, value in fields.items()})


def _field(sim: Simulation, name: str, value: object) -> str:
    if isinstance(value, int) and name in _CELLS:
        return sim.world.names.cell(value)
    if isinstance(value, int) and name in _THINGS:
        return subject(sim, value)
    if name == "state":
        return f"0x{value:X}"
    return number_text(value) if isinstance(value, float) else str(value).replace("_", " ")


def subject(sim: Simulation, object_id: int) -> str:
    """An entity or a static, in a sentence."""
    return "the player" if object_id == sim.player.id else thing_name(sim, object_id)


def event_text(what: str) -> str:
    """What a door did."""
    return _EVENTS.get(what, what)


def held_text(sim: Simulation, keys: dict[str, float]) -> str:
    """Which keys are held, or what the mouse did, such as "the forward key and the run key are held"."""
    if "use" in keys:
        return f"the player used {subject(sim, int(keys['use']))}"
    if set(keys) == {"look"}:
        return f"the mouse turned the player by {number_text(keys['look'])}°"
    words = [f"the {_key(name, value)}" for name, value in keys.items() if name != "look"]
    verb = "is" if len(words) == 1 else "are"
    return f"{' and '.join(words)} {verb} held"


def switched_text(sim: Simulation, name: str, before: float, after: float) -> str:
    """That a key went down or up, such as "the forward key went down"."""
    if name == "use":
        return f"the player used {subject(sim, int(after))}" if after else "nothing was used any more"
    if name == "look":
        return f"the mouse turned the player by {number_text(after)}°" if after else "the mouse rested"
    if not before or not after:
        return f"the {_key(name, after or before)} went {'down' if after else 'up'}"
    if (before > 0) != (after > 0):
        return f"the {_key(name, after)} went down instead of the {_key(name, before)}"
    return f"the {_key(name, after)} was pressed by {number_text(float(after))} instead of {number_text(float(before))}"


def _key(name: str, value: float) -> str:
    there, back = _KEYS[name]
    return there if value >= 0 or not back else back


def sentence(text: str) -> str:
    """With a capital at its start."""
    return text[:1].upper() + text[1:]
