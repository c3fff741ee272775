"""Places the camera's eye and finds its cell by one sweep of the viewer sphere (rendering.md 21.2).

The same sweep does both, so that the two cannot disagree. It passes through the simulation's own cells and objects; the
mover is no player, steps onto nothing and stands on nothing.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum
from typing import Final

from engine.geometry.frame import Frame
from engine.geometry.sphere import Sphere
from engine.geometry.vec import Vec3, add, r24, r24v
from engine.physics.flags import OI_FREE_ROTATE, OI_IS_VIEWER, OI_PATH_CLIPPED, OI_PERFECT_CLIP
from engine.physics.place import Place
from engine.physics.rules import RuleSet
from engine.physics.set_position import adjust_position
from engine.physics.sweep.transition import Transition
from engine.world.cells.cell import ObjCell
from engine.world.cells.ids import is_env_cell
from engine.world.cells.landdefs import block_offset
from engine.world.graph.graph import NO_CELL, CellGraph

VIEWER_RADIUS: Final = 0.3

_VIEWER: Final = OI_IS_VIEWER | OI_PATH_CLIPPED | OI_FREE_ROTATE | OI_PERFECT_CLIP
"""0x5C, with which the client's camera sweeps (physics.md #29)."""
_CENTER: Final[Vec3] = (0.0, 0.0, 0.0)
_UPRIGHT: Final = Frame()


class Landing(Enum):
    """How an eye got its position and its cell."""

    SWEPT = "swept"
    ADJUSTED = "adjusted"
    LOST = "lost"


@dataclass(frozen=True, slots=True)
class SweptEye:
    """The eye in the coordinates of the landblock of `cell_id`; NO_CELL when it is LOST, `eye` is the start then."""

    cell_id: int
    eye: Vec3
    landing: Landing


class ViewerSweep:
    """Sweeps through one graph, and counts point locations, so that a test can check that a walk needs none."""

    def __init__(self, graph: CellGraph, rules: RuleSet) -> None:
        self.graph = graph
        self.rules = rules
        self.sweeps = 0
        self.adjusted = 0
        self.lost = 0

    def sweep(
        self, player_cell_id: int, start: Vec3, goal: Vec3, player_id: int = 0, ethereal: bool = False
    ) -> SweptEye:
        """Sweep from the pivot of a player in a cell to the desired eye, both in the coordinates of the cell's
        landblock.

        The mover is the player's object: the camera collides neither with the player nor, while the player is ethereal,
        with objects that an ethereal mover passes.
        """
        self.sweeps += 1
        begin = Place(player_cell_id, r24v(start), _UPRIGHT)
        cell = self._cell_of_start(player_cell_id, begin)
        end = Place(begin.cell_id, r24v(add(goal, block_offset(begin.cell_id, player_cell_id))), _UPRIGHT)
        tr = self._transition()
        tr.oi.mover_id = player_id
        tr.oi.ethereal = ethereal
        tr.init_path(cell, begin, end)
        if tr.find_valid_position() and tr.sp.curr_cell is not None:
            return SweptEye(tr.sp.curr.cell_id, tr.sp.curr.origin, Landing.SWEPT)
        self.adjusted += 1
        found = adjust_position(self.graph, end, _CENTER, True)
        if found is not None:
            return SweptEye(found.id, end.origin, Landing.ADJUSTED)
        self.lost += 1
        return SweptEye(NO_CELL, start, Landing.LOST)

    def _cell_of_start(self, player_cell_id: int, begin: Place) -> ObjCell | None:
        """The cell of the pivot: above a hatch it is not the player's."""
        if is_env_cell(player_cell_id):
            place = begin.copy()
            cell = adjust_position(self.graph, place, _CENTER, True)
            if cell is not None:
                begin.set_to(place)
                return cell
        return self.graph.peek(player_cell_id)

    def _transition(self) -> Transition:
        tr = Transition(self.graph, self.rules)
        tr.oi.state = _VIEWER
        tr.oi.step_down = False
        tr.oi.gravity = False
        tr.init_spheres([Sphere(_CENTER, r24(VIEWER_RADIUS))], 1.0)
        return tr
