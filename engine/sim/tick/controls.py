"""The keys and the mouse of a player in one tick."""

from __future__ import annotations

from typing import Final

from engine.physics.errors import PhysicsError

MAX_ID: Final = 1 << 60
"""Above the ids of entities, which have 32 bits, and of static things, which have 49."""

HALF_TURN: Final = 180.0
"""Degrees: a larger turn of the mouse is one the other way round."""


class Controls:
    """The keys and the mouse of one tick; it never changes.

    forward    1 forward, −1 back, 0 none; parts of it are slower
    side_step  1 right, −1 left
    turn       1 right (clockwise), −1 left
    run        run instead of walking
    jump       held: the jump is charged; let go: it takes off
    use        the id of an entity to use now, 0 for none
    look       degrees that the mouse turns him at the beginning of the tick, clockwise
    """

    forward: Final[float]
    side_step: Final[float]
    turn: Final[float]
    run: Final[bool]
    jump: Final[bool]
    use: Final[int]
    look: Final[float]

    def __init__(
        self,
        forward: float = 0.0,
        side_step: float = 0.0,
        turn: float = 0.0,
        run: bool = False,
        jump: bool = False,
        use: int = 0,
        look: float = 0.0,
    ) -> None:
        for value in (forward, side_step, turn):
            if not -1.0 <= value <= 1.0:
                raise PhysicsError(f"a key is pressed from -1 to 1, not by {value}")
        if not 0 <= use < MAX_ID:
            raise PhysicsError(f"{use} is the id of no entity")
        if not -HALF_TURN <= look <= HALF_TURN:
            raise PhysicsError(f"a mouse turns by -180 to 180 degrees in a tick, not by {look}")
        self.forward = forward + 0.0  # no −0.0: it is equal to 0.0, and would still be another state
        self.side_step = side_step + 0.0
        self.turn = turn + 0.0
        self.run = run
        self.jump = jump
        self.use = use
        self.look = look + 0.0

    def as_tuple(self) -> tuple[float, float, float, bool, bool, int, float]:
        """All of them in the order of the arguments."""
        return (self.forward, self.side_step, self.turn, self.run, self.jump, self.use, self.look)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Controls) and self.as_tuple() == other.as_tuple()

    def __hash__(self) -> int:
        return hash(self.as_tuple())

    def __repr__(self) -> str:
        return f"Controls{self.as_tuple()!r}"
