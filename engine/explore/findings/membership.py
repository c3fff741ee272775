"""Bodies whose cell does not hold them, or from whose eyes no cell is seen."""

from __future__ import annotations

from typing import Final

from engine.explore.findings.trial import Stand
from engine.findings.finding import Check, Family
from engine.findings.registry import register
from engine.geometry.sphere import Sphere
from engine.geometry.vec import Vec3
from engine.physics.membership import find_cell_list
from engine.physics.sweep.cell_array import CellArray
from engine.sim.tick.simulation import Simulation
from engine.world.cells.cell import EnvCell
from engine.world.cells.position import into_block
from engine.world.faults import Severity

EYES: Final = 1.5
"""Metres over the soles; lower bodies look from the middle of their head."""

PLAY: Final = 0.02
"""Metres by which the middle of a foot may be beside its cell: where two cells meet, rounding decides between them."""

OUTSIDE_ITS_CELL: Final = register(
    Check(
        "membership.outside-its-cell",
        "A body is outside of every cell that it can find",
        Family.EXPLORE,
        Severity.ERROR,
        "Keys lead a body to where its cell does not contain the middle of its foot, by more than 0.02 m, and a new "
        "search from that cell through the portals around the body finds none that does. It collides with the walls of "
        "a room that it is not in. A body that has just stepped up into the next room is not meant: it keeps the cell "
        "it had until it moves again, and then finds the right one.",
    )
)
SEES_NOTHING: Final = register(
    Check(
        "membership.sees-nothing",
        "A body sees nothing",
        Family.EXPLORE,
        Severity.WARNING,
        "Keys lead a body to where no cell that its own one sees contains its eyes, 1.5 m over its soles, and the "
        "outdoors is not seen from there; or its eyes are in a room that has neither a polygon to draw nor a portal. "
        "The player's screen stays black but for his own body.",
    )
)


class MembershipRules:
    """Judges single stands of the player of a simulation."""

    def __init__(self, sim: Simulation) -> None:
        self._graph = sim.graph
        self._rules = sim.rules
        self._spheres = spheres = sim.player.steered.spheres
        self._foot = spheres[0].center
        self._eyes = (0.0, 0.0, min(EYES, spheres[-1].center[2]) if len(spheres) == 1 else EYES)
        top = spheres[-1]
        if self._eyes[2] > top.center[2] + 0.5 * top.radius:  # a small body
            self._eyes = top.center

    def is_outside_its_cell(self, stand: Stand) -> bool:
        cell = None if stand.is_lost else self._graph.get_visible(stand.cell_id)
        if cell is None:
            return False
        x, y, z = self._of_body(cell.id, stand, self._foot)
        around = (x, y, z), (x - PLAY, y, z), (x + PLAY, y, z), (x, y - PLAY, z), (x, y + PLAY, z)
        if any(cell.point_in_cell(p) for p in (*around, (x, y, z - PLAY), (x, y, z + PLAY))):
            return False
        spheres = [Sphere(self._of_body(cell.id, stand, each.center), each.radius) for each in self._spheres]
        return find_cell_list(self._graph, self._rules, cell.id, spheres, CellArray(), True, None) is None

    def sees_nothing(self, stand: Stand) -> bool:
        cell = None if stand.is_lost else self._graph.get_visible(stand.cell_id)
        if cell is None or not cell.is_interior:
            return False
        eyes = self._of_body(cell.id, stand, self._eyes)
        around = self._graph.find_visible_child_cell(cell, eyes, True)
        if around is None:
            return not cell.seen_outside
        return isinstance(around, EnvCell) and not around.structure.polygons and not around.portals

    def _of_body(self, cell_id: int, stand: Stand, point: Vec3) -> Vec3:
        x, y, z = into_block(cell_id, stand.home, stand.origin)
        return x + point[0], y + point[1], z + point[2]
