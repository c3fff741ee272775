"""Changes from outside between two ticks, as values that can be kept and made again."""

from __future__ import annotations

from collections.abc import Callable

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
