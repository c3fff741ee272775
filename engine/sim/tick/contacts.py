"""What a sweep of the player met: what answered other than OK, and the ground (physics.md 5-7)."""

from __future__ import annotations

from typing import Final

from engine.geometry.vec import Vec3

# Contact.how
MET: Final = 0
"""The body ran into it."""
EDGE: Final = 1
"""The body stood on it, and there is no ground behind its edge (5.13)."""
STEEP: Final = 2
"""Ground that is too steep to walk on (5.13; physics.md #1)."""
BARRIER: Final = 3
"""A house that does not let the player in (8.7)."""
NO_CELL: Final = 4
"""No cell holds the place that was tried (5.7)."""

# Contact.what
WALLS: Final = 0
TERRAIN: Final = 1
BUILDING: Final = 2
THING: Final = 3

NO_POLYGON: Final = -1


class Contact:
    """One of the things that a sweep met, as the sweep's answers named it.

    `cell_id` is the cell that was asked. `object_id`, `gfxobj_id` and `part`, the place of the shape among those of the
    object, are 0 for surroundings. `answer` is the sweep's state (`engine.physics.flags`). `at` is the place of the
    contact in the landblock of `at_cell`.
    """

    how: int
    what: int
    cell_id: int
    object_id: int
    gfxobj_id: int
    part: int
    polygon_id: int
    answer: int
    normal: Vec3
    at: Vec3
    at_cell: int

    def __init__(self, how: int, what: int, cell_id: int, answer: int) -> None:
        self.how = how
        self.what = what
        self.cell_id = cell_id
        self.object_id = 0
        self.gfxobj_id = 0
        self.part = 0
        self.polygon_id = NO_POLYGON
        self.answer = answer
        self.normal = (0.0, 0.0, 0.0)
        self.at = (0.0, 0.0, 0.0)
        self.at_cell = 0

    @property
    def key(self) -> tuple[int, int, int, int, int, int, int]:
        """The same for the same cause, whenever it was met."""
        return (self.how, self.what, self.cell_id, self.object_id, self.gfxobj_id, self.part, self.polygon_id)


class SweepContacts:
    """The causes of what became of one tick of the player; a report has it when somebody asked for it."""

    stopped_by: list[Contact]
    """The contacts of the sub-step that was rolled back, the one that decided first; empty when none was."""
    slid_along: list[Contact]
    """The contacts along which accepted sub-steps slid, in their order."""
    ground: Contact | None
    """What carries the body after the tick, when its footing changed."""
    stood_on: Contact | None
    """What carried it before the tick, when its footing changed."""
    held: bool
    """The sliding normal of an earlier contact took away a part of the wish or all of it (5.5)."""
    held_by: list[Contact]
    """The contacts that left that sliding normal, when they are known."""
    steep: Contact | None
    """Ground that carries the body after the tick and is too steep to walk on."""
    took_off: bool
    """The tick began with a velocity that leads away from the ground: a jump, or the bounce of a landing (7.1)."""
    climbed: bool
    """The body stepped up (5.12)."""
    pushed: float
    """Metres up by which the body was pushed out of the ground (5.5)."""
    pushed_by: Contact | None
    """That ground, when it is known."""
    came_by: str
    """How the cell that the body went into got into the cell array, such as "portal 2 of 0xC95B0100"."""
    portal: int
    """The number of the portal in that, −1 for none."""
    portal_of: int
    """The cell, or the square of land with the building, that owns the portal."""
    run_into_by: list[int]
    """Entities whose own sweeps met the player in this tick."""

    def __init__(self) -> None:
        self.stopped_by = []
        self.slid_along = []
        self.ground = None
        self.stood_on = None
        self.held = False
        self.held_by = []
        self.steep = None
        self.took_off = False
        self.climbed = False
        self.pushed = 0.0
        self.pushed_by = None
        self.came_by = ""
        self.portal = -1
        self.portal_of = 0
        self.run_into_by = []
