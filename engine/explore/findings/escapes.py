"""The ways in which a body leaves what holds it, told from where it was before and after a tick.

A suspicion is an `Escape` of two states of a search; whether it holds, a replay of its keys says tick by tick, by the
same rules.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Final

from engine.explore.findings.crossings import ClosedDoor, Openings
from engine.explore.findings.trial import Stand
from engine.findings.finding import Check, Family
from engine.findings.registry import register
from engine.geometry.bsp import PhysicsTree
from engine.geometry.sphere import Sphere
from engine.geometry.vec import Vec3, distance
from engine.physics.flags import ETHEREAL
from engine.physics.objects.physics_object import BSP, PhysicsObj
from engine.sim.tick.simulation import Simulation
from engine.world.cells.cell import LandCell
from engine.world.cells.ids import FIRST_ENV_CELL, cell_text, low_of
from engine.world.cells.position import into_block
from engine.world.cells.terrain import surface_height
from engine.world.faults import Severity

UNDER: Final = 0.3
"""Metres that soles are under the ground, beyond the depth to which feet sink in water there: no contact with the
ground leaves them so deep, for a foot that touches it has its lowest point above it."""

DOT: Final = 0.01
"""Metres: the radius about the middle of a sphere of the body in which there must be nothing solid."""

UNDER_TERRAIN: Final = register(
    Check(
        "escape.under-terrain",
        "A body gets under the terrain",
        Family.EXPLORE,
        Severity.ERROR,
        "Keys lead a body below the surface of the land, deeper than feet sink in the water there, while a land cell "
        "holds it. Players see the world from below and fall, or stand on nothing that is drawn.",
    )
)
OUT_OF_CELLS: Final = register(
    Check(
        "escape.out-of-cells",
        "A body gets out of a dungeon's cells",
        Family.EXPLORE,
        Severity.ERROR,
        "Keys lead a body out of rooms from which no chain of portals leads outdoors: onto land, or to where no cell "
        "holds it. A wall, floor or ceiling lacks a polygon, or a portal opens onto nothing.",
    )
)
WITHOUT_PORTAL: Final = register(
    Check(
        "escape.without-portal",
        "A body enters a cell without crossing a portal",
        Family.EXPLORE,
        Severity.ERROR,
        "Keys lead a body from one cell into another, and within that tick its foot passes no chain of portals between "
        "the two, or passes the plane of a portal more than 0.15 m beside its polygon. It came through a wall that is "
        "not solid, or where cells overlap.",
    )
)
THROUGH_DOOR: Final = register(
    Check(
        "escape.closed-door",
        "A body passes a closed door",
        Family.EXPLORE,
        Severity.ERROR,
        "Keys lead a body from one side of a door that stays closed to the other, through its leaf or through what the "
        "leaf leaves free of the portal that the door stands in. Ways around the house are none.",
    )
)
OVER_WALL: Final = register(
    Check(
        "escape.over-wall",
        "A jump gets around a locked door",
        Family.EXPLORE,
        Severity.WARNING,
        "On foot, the only way between the two sides of a locked door leads through that door; a jump leads over the "
        "wall beside it. Walls that close nothing off, or whose gate anybody may open, are jumped as they are meant to "
        "be.",
    )
)
INTO_SOLID: Final = register(
    Check(
        "escape.into-solid",
        "A body gets into solid space",
        Family.EXPLORE,
        Severity.ERROR,
        "Keys lead a body to where the middle of its foot or of its head lies in space that the tree of its room, of a "
        "building or of a thing marks as solid. Surfaces stop a sphere a whole radius before that, so one is missing "
        "or faces the wrong way.",
    )
)
LOST: Final = register(
    Check(
        "membership.lost",
        "No cell holds a body",
        Family.EXPLORE,
        Severity.ERROR,
        "Keys lead a body from rooms that have a way outdoors to where no cell holds the middle of its foot: a portal "
        "lacks its partner, cells leave a gap, or a wall is missing. Its player sees nothing and collides with nothing "
        "until the client finds a cell for it, which may be never.",
    )
)


@dataclass(frozen=True, slots=True)
class Escape:
    """What a body did between two stands. `subject` is what tells one such finding from another: a cell, the cell
    entered, a door."""

    check: str
    before: Stand
    after: Stand
    subject: tuple[int, ...] = ()
    door: int = 0
    figures: tuple[tuple[str, float], ...] = field(default=())
    sentence: str = ""

    @property
    def kind(self) -> tuple[str, tuple[int, ...]]:
        return self.check, self.subject


class EscapeRules:
    """Judges what happens to the player of a simulation. Only what is asked about is loaded."""

    def __init__(self, sim: Simulation) -> None:
        self.sim = sim
        self.openings = Openings(sim.graph)
        self.doors = [ClosedDoor(sim, door, self.openings) for door in sim.population.doors]
        spheres = sim.player.steered.spheres
        self._centres = tuple(sphere.center for sphere in spheres)
        self._sunk = sim.player.sunk()
        self._tops: dict[int, float] = {}

    # --- of a tick

    def of_step(self, before: Stand, after: Stand) -> Iterator[Escape]:
        """Every way in which the body left what held it."""
        if before.is_lost:
            return
        yield from self.of_cells(before, after)
        yield from self.of_doors(before, after)
        if not after.is_lost:
            if self.depth_under_ground(before) <= UNDER:
                yield from self.of_ground(before, after)
            if not self.solid_around(before):
                yield from self.of_solid(before, after)

    def of_cells(self, before: Stand, after: Stand) -> Iterator[Escape]:
        if after.cell_id == before.cell_id:
            return
        is_room = low_of(before.cell_id) >= FIRST_ENV_CELL
        to_rooms = not after.is_lost and low_of(after.cell_id) >= FIRST_ENV_CELL
        if is_room and not to_rooms and not self.openings.leads_outdoors(before.cell_id):
            where = "to where no cell holds it" if after.is_lost else f"into land cell {cell_text(after.cell_id)}"
            sentence = f"From {cell_text(before.cell_id)}, which has no way outdoors, a body gets {where}"
            yield Escape(OUT_OF_CELLS.id, before, after, (before.cell_id,), sentence=sentence)
        elif after.is_lost:
            if is_room:  # from land only beyond the last landblock that the world has
                sentence = f"From {cell_text(before.cell_id)} a body gets to where no cell holds it"
                yield Escape(LOST.id, before, after, (before.cell_id,), sentence=sentence)
        elif not self._goes_through_portals(before, after) and self.holds(before):
            sentence = (
                f"From {cell_text(before.cell_id)} a body gets into {cell_text(after.cell_id)} beside their portals"
            )
            yield Escape(WITHOUT_PORTAL.id, before, after, (before.cell_id, after.cell_id), sentence=sentence)

    def of_doors(self, before: Stand, after: Stand) -> Iterator[Escape]:
        for closed in self.doors:
            if not closed.is_closed:
                continue
            start = into_block(after.home, before.home, before.origin)
            at = closed.crossing(after.home, start, after.origin)
            if at is None:
                continue
            low, high = closed.leaf
            beside = max(low[0] - at[0], at[0] - high[0])
            over = at[2] - high[2]
            how = "over" if over >= 0.0 else "beside" if beside > 0.0 else "through"
            sentence = f"A body gets {how} the leaf of {closed.door.name}, which stays closed"
            figures = (("beside the leaf, m", max(beside, 0.0)),)
            yield Escape(THROUGH_DOOR.id, before, after, (closed.door.id,), closed.door.id, figures, sentence)

    def of_ground(self, before: Stand, after: Stand) -> Iterator[Escape]:
        depth = self.depth_under_ground(after)
        if depth > UNDER:
            sentence = f"A body gets {depth:.2f} m under the ground of {cell_text(after.cell_id)}"
            yield Escape(
                UNDER_TERRAIN.id, before, after, (after.cell_id,), 0, (("under the ground, m", depth),), sentence
            )

    def of_solid(self, before: Stand, after: Stand) -> Iterator[Escape]:
        what = self.solid_around(after)
        if what:
            sentence = f"In {cell_text(after.cell_id)} a body gets into {what}"
            yield Escape(INTO_SOLID.id, before, after, (after.cell_id,), sentence=sentence)

    def _goes_through_portals(self, before: Stand, after: Stand) -> bool:
        way = self._foot(before, after), self._foot(after)
        return self.openings.are_passed(before.cell_id, after.cell_id, *way)

    # --- of a stand

    def holds(self, stand: Stand) -> bool:
        """Whether its cell holds the middle of the foot; where not, the next cell may be the right one."""
        cell = self.sim.graph.get_visible(stand.cell_id)
        return cell is not None and cell.point_in_cell(into_block(cell.id, stand.home, self._foot(stand)))

    def is_clear(self, cell_id: int, z: float) -> bool:
        """Whether nothing solid is at that height of a cell, told quickly: land with nothing on it, and above it."""
        if cell_id not in self._tops:
            cell = self.sim.graph.get_visible(cell_id)
            top = math.inf
            if isinstance(cell, LandCell) and cell.building is None and not cell.shadow_objects:
                top = max(point[2] for polygon in cell.polygons for point in polygon.vertices)
            self._tops[cell_id] = top
        return z > self._tops[cell_id]

    def depth_under_ground(self, stand: Stand) -> float:
        """Metres from the soles up to where feet sink to; 0.0 above it and in rooms."""
        cell = None if stand.is_lost else self.sim.graph.get_visible(stand.cell_id)
        if not isinstance(cell, LandCell):
            return 0.0
        x, y, z = point = into_block(cell.id, stand.home, stand.origin)
        polygon = cell.find_terrain_poly(point)
        if polygon is None or polygon.normal[2] <= 0.0:
            return 0.0
        return max(surface_height(polygon, x, y) - cell.water_depth(point) - (z - self._sunk), 0.0)

    def solid_around(self, stand: Stand) -> str:
        """What is solid about the middle of a sphere of the body, in words; empty for nothing."""
        cell = None if stand.is_lost else self.sim.graph.get_visible(stand.cell_id)
        if cell is None:
            return ""
        x, y, z = into_block(cell.id, stand.home, stand.origin)
        points: list[Vec3] = [(x + a, y + b, z + c) for a, b, c in self._centres]
        for point in points:  # the head may be in another cell, for which this one's tree says nothing
            tree = cell.physics_tree
            if tree is not None and cell.point_in_tree(point) and _is_solid(tree, cell.frame.global_to_local(point)):
                return "its walls"
        building = cell.building if isinstance(cell, LandCell) else None
        if building is not None and building.shell is not None and building.shell.physics_tree is not None:
            for point in points:
                if _is_solid(building.shell.physics_tree, building.frame.global_to_local(point)):
                    return "the shell of the building"
        for thing in cell.shadow_objects:
            if isinstance(thing, PhysicsObj) and self._is_inside(thing, cell.id, points):
                return "a thing"
        return ""

    def _is_inside(self, thing: PhysicsObj, cell_id: int, points: list[Vec3]) -> bool:
        if thing.object_id == self.sim.player.id or thing.state & ETHEREAL:
            return False
        for row in thing.rows:
            mesh, scale, bound = row.shape.gfxobj, row.shape.scale, row.bound
            if row.shape.collision_type != BSP or mesh is None or mesh.physics_tree is None or bound is None:
                continue
            for point in points:
                x, y, z = into_block(row.cell_id, cell_id, point)
                if distance((x, y, z), bound.center) > bound.radius:
                    continue
                x, y, z = row.frame.global_to_local((x, y, z))
                if _is_solid(mesh.physics_tree, (x / scale, y / scale, z / scale)):
                    return True
        return False

    def _foot(self, stand: Stand, frame: Stand | None = None) -> Vec3:
        """The middle of the foot, in the landblock of the stand or of another."""
        x, y, z = into_block(stand.home if frame is None else frame.home, stand.home, stand.origin)
        a, b, c = self._centres[0]
        return x + a, y + b, z + c


def _is_solid(tree: PhysicsTree, point: Vec3) -> bool:
    """Whether a point is in what the tree marks as solid, or in one of its polygons."""
    return tree.root.sphere_intersects_solid(Sphere(point, DOT), True)
