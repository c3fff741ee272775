"""The plan of a landblock from above, as shapes that any view can draw: rooms by storey, openings, buildings, ground
and things.

Coordinates are metres in the landblock's frame, x east and y north. Colours and widgets are the view's business.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from enum import Enum
from typing import Final

from engine.geometry.vec import Vec3
from engine.world.cells.cell import Building, EnvCell
from engine.world.cells.terrain import terrain_type, vertex_index
from engine.world.entity_spec import EntitySpec
from engine.world.faults import Severity, worst
from engine.world.landblock import Landblock
from engine.world.names import Names
from engine.world.world import World

Point = tuple[float, float]

STOREY_GAP: Final = 1.2
"""Floors closer together than this are one storey: a step, a ramp's landing, a raised threshold."""

CELL_METRES: Final = 24.0
BLOCK_METRES: Final = 192.0
GROUND_SAMPLES: Final = 96


class PortalTarget(Enum):
    """Where a portal leads."""

    INTERIOR = "interior"
    EXIT = "exit"
    BUILDING = "building"


@dataclass(frozen=True)
class PlanCell:
    """A room's outline and its range of heights."""

    cell_id: int
    outline: tuple[Point, ...]
    low: float
    high: float
    seen_outside: bool
    severity: Severity | None
    name: str = ""


@dataclass(frozen=True)
class PlanPortal:
    """An opening, given by the corners of its polygon; a doorway seen from above is a line."""

    cell_id: int
    index: int
    kind: PortalTarget
    points: tuple[Point, ...]
    low: float
    high: float


@dataclass(frozen=True)
class PlanBuilding:
    """A building shell's outline."""

    key: int
    name: str
    outline: tuple[Point, ...]


@dataclass(frozen=True)
class PlanThing:
    """An entity or a static object in the plan."""

    key: int
    is_entity: bool
    kind: str
    name: str
    place: Point
    height: float
    heading: float
    cell_id: int


@dataclass(frozen=True)
class PlanGround:
    """Terrain samples, row by row from the north-west corner: terrain type, road, height in metres."""

    side: int
    terrain: tuple[int, ...]
    road: tuple[bool, ...]
    heights: tuple[float, ...]

    @property
    def metres(self) -> float:
        """The length of a sample's square, in metres."""
        return BLOCK_METRES / self.side


@dataclass
class Plan:
    """Everything in one landblock that is visible from above."""

    landblock_id: int
    cells: list[PlanCell] = field(default_factory=list)
    portals: list[PlanPortal] = field(default_factory=list)
    buildings: list[PlanBuilding] = field(default_factory=list)
    things: list[PlanThing] = field(default_factory=list)
    ground: PlanGround | None = None
    storeys: list[float] = field(default_factory=list)
    """The lowest floor of each storey, ascending."""

    def storey_of(self, height: float) -> int:
        """The number of the storey that a height belongs to; things under the lowest floor belong to the lowest
        storey."""
        found = 0
        for number, low in enumerate(self.storeys):
            if height >= low - STOREY_GAP / 2:
                found = number
        return found


def make_plan(
    world: World, block: Landblock, entities: Sequence[EntitySpec] | None = None, before: Plan | None = None
) -> Plan:
    """The plan of a loaded landblock, with the entities where they are now, or else where they start.

    `before` is an older plan of it, whose terrain samples are reused: edits do not change the ground.
    """
    plan = Plan(block.id)
    for cell in block.env_cells:
        made = _plan_cell(cell, world.names.of_cell(cell.id))
        if made is not None:
            plan.cells.append(made)
            plan.portals += _plan_portals(cell)
    plan.storeys = storeys_of([cell.low for cell in plan.cells])
    for number, building in enumerate(block.buildings):
        plan.buildings.append(_plan_building(building, number, world.names))
        plan.portals += _building_portals(building)
    plan.ground = _plan_ground(block) if before is None else before.ground
    plan.things = _plan_things(block, world.entities_of(block.id) if entities is None else entities, world.names)
    return plan


def _plan_cell(cell: EnvCell, name: str) -> PlanCell | None:
    corners = [cell.frame.local_to_global(v) for polygon in cell.structure.polygons.values() for v in polygon.vertices]
    if not corners:
        return None
    heights = [z for _, _, z in corners]
    outline = convex_outline([(x, y) for x, y, _ in corners])
    return PlanCell(cell.id, outline, min(heights), max(heights), cell.seen_outside, worst(cell.faults), name)


def _plan_portals(cell: EnvCell) -> list[PlanPortal]:
    found = []
    for index, portal in enumerate(cell.portals):
        if portal.polygon is not None:
            corners = [cell.frame.local_to_global(v) for v in portal.polygon.vertices]
            kind = PortalTarget.EXIT if portal.leads_outside else PortalTarget.INTERIOR
            found.append(_portal(cell.id, index, kind, corners))
    return found


def _building_portals(building: Building) -> list[PlanPortal]:
    found = []
    for index, portal in enumerate(building.portals):
        if portal.polygon is not None:
            corners = [building.frame.local_to_global(v) for v in portal.polygon.vertices]
            found.append(_portal(portal.other_cell_id, index, PortalTarget.BUILDING, corners))
    return found


def _portal(cell_id: int, index: int, kind: PortalTarget, corners: list[Vec3]) -> PlanPortal:
    heights = [z for _, _, z in corners]
    outline = convex_outline([(x, y) for x, y, _ in corners])
    return PlanPortal(cell_id, index, kind, outline, min(heights), max(heights))


def _plan_building(building: Building, number: int, names: Names) -> PlanBuilding:
    corners: list[Point] = []
    if building.shell is not None:
        for polygon in building.shell.polygons.values():
            for vertex in polygon.vertices:
                x, y, _ = building.frame.local_to_global(vertex)
                corners.append((x, y))
    return PlanBuilding(number, names.model_field(building.model_id), convex_outline(corners))


def _plan_ground(block: Landblock) -> PlanGround | None:
    terrain = block.terrain
    if terrain is None or block.is_dungeon:
        return None  # a dungeon's ground is level, empty and never seen
    step = BLOCK_METRES / GROUND_SAMPLES
    kinds: list[int] = []
    roads: list[bool] = []
    heights: list[float] = []
    for row in range(GROUND_SAMPLES):
        y = BLOCK_METRES - (row + 0.5) * step
        for column in range(GROUND_SAMPLES):
            x = (column + 0.5) * step
            vertex = vertex_index(round(x / CELL_METRES), round(y / CELL_METRES))
            kinds.append(terrain_type(terrain.words[vertex]))
            roads.append(terrain.on_road(x, y))
            heights.append(terrain.height_at(x, y) or 0.0)
    return PlanGround(GROUND_SAMPLES, tuple(kinds), tuple(roads), tuple(heights))


def _plan_things(block: Landblock, entities: Sequence[EntitySpec], names: Names) -> list[PlanThing]:
    things = []
    for entity in entities:
        x, y, z = entity.frame.origin
        heading = entity.frame.heading()
        things.append(PlanThing(entity.guid, True, entity.kind, entity.name, (x, y), z, heading, entity.cell_id))
    statics = [(0, static) for static in block.statics]
    statics += [(cell.id, static) for cell in block.env_cells for static in cell.static_objects]
    for cell_id, static in statics:
        x, y, z = static.frame.origin
        name = names.model_field(static.model_id)
        things.append(PlanThing(static.id, False, "static object", name, (x, y), z, static.frame.heading(), cell_id))
    return things


def storeys_of(floors: list[float]) -> list[float]:
    """The floors that begin a storey: each further than the gap above the floor below it."""
    found: list[float] = []
    previous: float | None = None
    for floor in sorted(floors):
        if previous is None or floor - previous > STOREY_GAP:
            found.append(floor)
        previous = floor
    return found


def convex_outline(points: list[Point]) -> tuple[Point, ...]:
    """The convex hull, counter-clockwise; rooms are convex, so it is their outline. Two points make a line."""
    distinct = sorted({(round(x, 4), round(y, 4)) for x, y in points})
    if len(distinct) < 3:
        return tuple(distinct)
    lower = _half_hull(distinct)
    upper = _half_hull(distinct[::-1])
    return tuple(lower[:-1] + upper[:-1])


def _half_hull(points: list[Point]) -> list[Point]:
    hull: list[Point] = []
    for x, y in points:
        while len(hull) > 1:
            (ax, ay), (bx, by) = hull[-2], hull[-1]
            if (bx - ax) * (y - ay) - (by - ay) * (x - ax) > 1e-9:
                break
            hull.pop()
        hull.append((x, y))
    return hull
