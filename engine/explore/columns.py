"""The states of a search as columns: one number of each for every state, in the order in which they were found."""

from __future__ import annotations

from array import array


class Columns:
    """`parent` is the state that a move began in, -1 of a seed; `move` is the number of the keys it was led by, and
    `look` the degrees that the mouse turned it first. `ticks` are those of the move, `since` all since the seed."""

    def __init__(self) -> None:
        self.cell = array("I")
        self.x = array("d")
        self.y = array("d")
        self.z = array("d")
        self.heading = array("d")
        self.look = array("d")
        self.standing = array("B")
        self.how = array("B")
        self.needs = array("B")
        self.move = array("H")
        self.ticks = array("i")
        self.since = array("i")
        self.parent = array("i")
        self.doors = array("H")

    def __len__(self) -> int:
        return len(self.cell)
