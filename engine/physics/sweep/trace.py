"""The events that a sweep reports to an observer (ARCHITECTURE.md, promise 5; physics.md 5-7).

At each of these places a sweep without an observer asks one question, whether there is one. An observer only looks: it
gets the live `Transition` and must not change it. Calls that end in `_begins` and `_ends` nest as the routines do
that make them; a sweep that raises leaves some open.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from mypy_extensions import mypyc_attr

from engine.geometry.bsp import PhysicsTree
from engine.geometry.polygon import Polygon
from engine.geometry.vec import Vec3
from engine.world.cells.cell import ObjCell

if TYPE_CHECKING:
    from engine.physics.objects.physics_object import PhysicsObj, ShadowEntry
    from engine.physics.sweep.transition import Transition

# The part of a cell that is tested (6.5)
WALLS: Final = 0
TERRAIN: Final = 1
BUILDING: Final = 2

SURROUNDINGS_NAMES: Final = ("walls", "terrain", "building")

# Steps of the sweep within a sub-step or a placement
STEP_UP: Final = 0
STEP_DOWN: Final = 1
GROUND_PROBE: Final = 2
CHECK_WALKABLE: Final = 3
PLACEMENT_CHECK: Final = 4
LANDING: Final = 5
EDGE_SLIDE: Final = 6
CLIFF_SLIDE: Final = 7
PRECIPICE_SLIDE: Final = 8
SEARCH_BEHIND: Final = 9
PLACEMENT_START: Final = 10
PLACEMENT_SPOT: Final = 11

PROBE_NAMES: Final = (
    "step up",
    "step down",
    "ground probe",
    "check walkable",
    "placement check",
    "landing",
    "edge slide",
    "cliff slide",
    "precipice slide",
    "search behind",
    "initial placement",
    "placement spot",
)

# How a polygon was met (2.3, 2.4)
HIT: Final = 0
LEFT: Final = 1
FLOOR: Final = 2
UNDER: Final = 3
PUSHED: Final = 4

MEETING_NAMES: Final = ("hit", "left", "floor", "ground under", "pushed out of")

# The cell of the candidate after all cells answered OK (5.7)
CONTAINING: Final = 0
KEPT: Final = 1
OUTSIDE: Final = 2
NOWHERE: Final = 3

# Why an object is not tested (4.1, 8.7)
IGNORED: Final = 0
UNSEEN_CREATURE: Final = 1
SOFT_FLOOR: Final = 2
FELLOW_PLAYER: Final = 3
MISSILE_RULE: Final = 4


@mypyc_attr(allow_interpreted_subclasses=True)
class SweepObserver:
    """Hears everything and does nothing: a subclass overrides what it wants to know."""

    def hears_of_clear_shapes(self) -> bool:
        """Whether shapes that the body is well clear of are tested for it by the exact gate, which answers the same."""
        return True

    # --- the sweep and its sub-steps (5.4, 5.9)

    def sweep_begins(self, tr: Transition) -> None:
        """The path, the spheres and the contact state that the body hands over are in place."""

    def sweep_ends(self, tr: Transition, found: bool) -> None:
        """`found` is what the sweep says; nothing has been committed yet."""

    def step_begins(self, tr: Transition, number: int, asked: Vec3) -> None:
        """The planes are still those of the sub-step before."""

    def step_adjusted(self, tr: Transition, left: Vec3) -> None:
        """The planes have restricted the requested offset; the candidate has not moved by it yet."""

    def step_refused(self, tr: Transition) -> None:
        """Instead of `step_ends`: the planes leave nothing of the offset, and the sweep stops here."""

    def step_ends(self, tr: Transition, answer: int) -> None:
        """`answer` is the insertion's; by now the candidate is accepted or rolled back."""

    # --- insertion (5.6, 5.7)

    def insert_begins(self, tr: Transition, attempts: int) -> None: ...

    def attempt_begins(self, tr: Transition, number: int) -> None:
        """An attempt lasts until the next one or the end of the insertion."""

    def insert_ends(self, tr: Transition, state: int) -> None: ...

    def cells_found(self, tr: Transition, containing: ObjCell | None, asked: bool) -> None:
        """The cell array was filled for the candidate; `asked`: the cell that contains it was wanted, None for none."""

    def retargeted(self, tr: Transition, how: int) -> None:
        """All cells answered OK, and the candidate was given to the cell it is in: `sp.check`, `sp.check_cell`."""

    # --- cells (6.5)

    def cell_begins(self, tr: Transition, cell: ObjCell, primary: ObjCell | None) -> None:
        """`primary` is the candidate's own cell, which is asked before all others."""

    def cell_ends(self, tr: Transition, cell: ObjCell, primary: ObjCell | None, state: int) -> None: ...

    def entry_refused(self, tr: Transition, cell: ObjCell) -> None:
        """A house's barrier."""

    def surroundings_begins(self, tr: Transition, cell: ObjCell, what: int) -> None: ...

    def surroundings_ends(self, tr: Transition, cell: ObjCell, what: int, state: int) -> None: ...

    # --- trees (3.5, 3.7)

    def tree_begins(self, tr: Transition, tree: PhysicsTree) -> None:
        """The spheres are in the tree's own space."""

    def polygon_met(self, tr: Transition, polygon: Polygon, sphere: int, how: int) -> None:
        """Told before the sweep acts on it. Solid and support tests answer without naming a polygon."""

    def tree_ends(self, tr: Transition, tree: PhysicsTree, state: int) -> None: ...

    # --- objects (4.1)

    def object_begins(self, tr: Transition, obj: PhysicsObj) -> None: ...

    def object_skipped(self, tr: Transition, obj: PhysicsObj, why: int) -> None:
        """Instead of `object_begins` and `object_ends`."""

    def row_begins(self, tr: Transition, row: ShadowEntry) -> None: ...

    def row_ends(self, tr: Transition, row: ShadowEntry, state: int) -> None: ...

    def object_ends(self, tr: Transition, obj: PhysicsObj, verdict: int) -> None:
        """The verdict of the sweep on the answers of the rows."""

    # --- probes and slides (4.2, 5.8, 5.10-5.13, 5.15)

    def probe_begins(self, tr: Transition, what: int, height: float, zval: float) -> None:
        """`height` and `zval` are 0 where the probe has none."""

    def probe_ends(self, tr: Transition, what: int, state: int) -> None:
        """OK: there is support, room, a surface; for what slides, the slide's own state."""

    def slid(self, tr: Transition, normal: Vec3, state: int) -> None:
        """The candidate was slid along a surface of that normal, if `state` is SLID."""

    # --- the body (7.1, 7.2)

    def move_ends(self, tr: Transition, done: bool) -> None:
        """The body has what the sweep left it; `done` False: the move was refused. No placement ends with this."""

    def cell_changed(self, body_id: int, old_id: int, new_id: int) -> None:
        """A committed move has changed the body's cell; 0 for none."""
