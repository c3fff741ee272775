"""Changes from outside between two ticks, as values that can be kept and made again."""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

EDITS: Final = {
    "open_landblock": "w",
    "teleport": "wnnnn",
    "put_player_back": "",
    "face": "n",
    "set_player": "tn",
    "set_velocity": "wnnn",
    "set_state": "ww",
    "set_state_bits": "wwy",
    "move_entity": "wwnnnn",
    "place_entity": "wwnnnnnnn",
    "add_entity": "t",
    "remove_entity": "w",
    "restore_static": "w",
    "set_scale": "wn",
    "use": "ww",
    "open_door": "w",
    "close_door": "w",
    "lock_door": "wy",
    "set_reset_interval": "wn",
    "set_door_timer": "ww",
    "replace_cell": "bb",
    "set_rule": "tt",
    "set_rules": "t",
    "set_time_of_day": "n",
    "put_back": "bw",
}
"""The changes that `Simulation.apply_edit` knows, each a method of it, with their arguments: whole numbers (w), numbers
(n), texts (t), yes or no (y), bytes (b)."""

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


def fits(kind: str, value: EditArgument) -> bool:
    """Whether an argument is of the kind that an edit takes."""
    if isinstance(value, bool):
        return kind == "y"
    if isinstance(value, int):
        return kind in ("w", "n")
    if isinstance(value, float):
        return kind == "n"
    return kind == ("t" if isinstance(value, str) else "b")


EditListener = Callable[[int, Edit], None]
"""Told of an edit after it was made, with the number of the tick that will be the first to see it."""
