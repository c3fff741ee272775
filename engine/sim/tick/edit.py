"""Changes from outside between two ticks, as values that can be kept and made again."""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

EDITS: Final = (
    "teleport",
    "face",
    "set_player",
    "set_velocity",
    "set_state",
    "set_state_bits",
    "move_entity",
    "place_entity",
    "add_entity",
    "remove_entity",
    "use",
    "open_door",
    "close_door",
    "lock_door",
    "set_reset_interval",
    "set_door_timer",
    "replace_cell",
    "set_rule",
    "set_rules",
    "put_back",
)
"""The changes that `Simulation.apply_edit` knows; each is a method of it with the arguments of the edit."""

EditArgument = int | float | str | bool | bytes


class Edit:
    """One change: the name of a method of `Simulation` and its arguments, numbers, texts and bytes alone."""

    name: str
    args: tuple[EditArgument, ...]

    def __init__(self, name: str, args: tuple[EditArgument, ...] = ()) -> None:
        self.name = name
        self.args = args

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Edit) and self.name == other.name and self.args == other.args

    def __hash__(self) -> int:
        return hash((self.name, self.args))

    def __repr__(self) -> str:
        return f"Edit({self.name!r}, {self.args!r})"


EditListener = Callable[[int, Edit], None]
"""Told of an edit after it was made, with the number of the tick that will be the first to see it."""
