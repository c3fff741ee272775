"""The states of a search as columns: one number of each for every state, in the order in which they were found."""

from __future__ import annotations

from array import array

from engine.geometry.vec import Vec3


class Columns:
    """`parent` is the state that a move began in, -1 of a seed; `move` is the number of the keys it was led by, `look`
    the degrees that the mouse turned first. `ticks` are those of the move, of which the last `waited` were without
    keys, and `since` all since the seed. `doors` is the state that the doors are in.

    They grow while the search runs: copy what is kept (`numpy.array(columns.x)`).
    """

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
        self.waited = array("H")
        self.since = array("i")
        self.parent = array("i")
        self.doors = array("H")
        self.ends_start = array("i")
        self.ends_count = array("H")
        self.jumps_start = array("i")
        self.jumps_count = array("H")

    def __len__(self) -> int:
        return len(self.cell)

    def add(self, cell_id: int, origin: Vec3, heading: float, standing: int) -> None:
        """Where the body is; nothing goes on from there yet."""
        x, y, z = origin
        self.cell.append(cell_id)
        self.x.append(x)
        self.y.append(y)
        self.z.append(z)
        self.heading.append(heading)
        self.standing.append(standing)
        self.ends_start.append(-1)
        self.ends_count.append(0)
        self.jumps_start.append(-1)
        self.jumps_count.append(0)

    def add_move(self, parent: int, move: int, look: float, ticks: int, waited: int) -> None:
        """How it came there."""
        self.parent.append(parent)
        self.move.append(move)
        self.look.append(look)
        self.ticks.append(ticks)
        self.waited.append(waited)
