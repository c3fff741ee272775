"""The cells of a landblock as a graph: rooms are nodes roughly where they stand, portals are what joins them.

Every storey is a band, the highest on top as in a section through a house; in each of them east is right and north up.
`editor/models/graph/layout.py` finds the places. Units are those of a picture at its natural size, y downwards;
nothing here is about widgets or colours (rendering.md 3.1 for portals, 4.3 for stab lists).
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence, Set
from dataclasses import dataclass, field
from enum import Enum
from typing import Final

from editor.maps.landblock_plan import Plan, PortalTarget, storeys_of
from editor.models.graph.layout import NODE_HEIGHT, NodeSpot, bands_of, lay_out
from editor.models.text_search import folded
from editor.session.session import Kind, Selection
from engine.world.cells.cell import Building, EnvCell
from engine.world.cells.ids import cell_text
from engine.world.cells.portals import CellPortal
from engine.world.faults import Severity, worst
from engine.world.landblock import Landblock
from engine.world.names import Names
from engine.world.portal_mates import mate_of

LANE: Final = 9.0
"""The distance between two lines that join the same two nodes."""


@dataclass(frozen=True)
class PortalRef:
    """One portal of a record: the cell or the building that owns it, and its number there."""

    owner: Selection
    index: int


@dataclass(frozen=True)
class GraphNode:
    """A room, or a building whose portals lead into rooms; `x`, `y` is its middle."""

    key: Selection
    label: str
    storey: int
    x: float
    y: float
    seen_outside: bool
    severity: Severity | None
    name: str = ""
    """What people call the room."""


@dataclass(frozen=True)
class GraphEdge:
    """An opening. An interior portal and its mate are one edge with two sides; `one_sided` without a mate.

    `end` None: it leads outdoors, towards `towards` (a unit vector), or to a cell that is not there (`dangling`).
    """

    kind: PortalTarget
    start: Selection
    end: Selection | None
    sides: tuple[PortalRef, ...]
    one_sided: bool = False
    dangling: bool = False
    towards: tuple[float, float] = (0.0, 0.0)
    shift: float = 0.0


@dataclass(frozen=True)
class Band:
    """A storey's share of the picture."""

    label: str
    left: float
    top: float
    right: float
    bottom: float


@dataclass
class CellGraphPicture:
    """Nodes in the order of their ids, edges, and the storeys from the lowest to the highest."""

    landblock_id: int
    nodes: dict[Selection, GraphNode] = field(default_factory=dict)
    edges: list[GraphEdge] = field(default_factory=list)
    bands: list[Band] = field(default_factory=list)

    def edges_at(self, key: Selection) -> list[GraphEdge]:
        return [edge for edge in self.edges if key in (edge.start, edge.end)]

    def joined(self, key: Selection) -> set[Selection]:
        """A node with all nodes that portals connect it to: its house, or its dungeon."""
        beside: dict[Selection, list[Selection]] = {}
        for edge in self.edges:
            if edge.end is not None:
                beside.setdefault(edge.start, []).append(edge.end)
                beside.setdefault(edge.end, []).append(edge.start)
        found, waiting = {key}, [key]
        while waiting:
            for other in beside.get(waiting.pop(), []):
                if other not in found:
                    found.add(other)
                    waiting.append(other)
        return found

    def neighbour(self, key: Selection, dx: int, dy: int) -> Selection | None:
        """The node that a portal leads to most nearly in a direction (one of them 0, y downwards)."""
        here = self.nodes[key]
        best: tuple[float, Selection] | None = None
        for edge in self.edges_at(key):
            other = edge.end if edge.start == key else edge.start
            if other is None or other == key:
                continue
            node = self.nodes[other]
            along = (node.x - here.x) * dx + (node.y - here.y) * dy
            across = abs((node.x - here.x) * dy) + abs((node.y - here.y) * dx)
            if along > 0.0 and along * 4.0 >= across:
                rank = math.hypot(along, across * 2.0)
                if best is None or rank < best[0]:
                    best = (rank, other)
        return None if best is None else best[1]

    def found(self, text: str) -> list[Selection]:
        """The nodes whose name contains a text, with or without `0x`, in either case."""
        wanted = folded(text.strip())
        return [key for key, node in self.nodes.items() if wanted and wanted in folded(f"{node.label} {node.name}")]


class RoomVisibility(Enum):
    """How a room stands to the eye ."""

    CURRENT = "current"
    VISIBLE = "visible now"
    STAB = "in the stab list, not visible now"
    NEITHER = "neither visible nor in the stab list"


@dataclass(frozen=True)
class VisibleRooms:
    """The cells that the window's eye sees: its root, the rooms in the order of discovery, the root's stab list."""

    current: int = 0
    seen: Mapping[int, int] = field(default_factory=dict)
    stab: Set[int] = frozenset()

    def standing(self, cell_id: int) -> RoomVisibility:
        if cell_id == self.current:
            return RoomVisibility.CURRENT
        if cell_id in self.seen:
            return RoomVisibility.VISIBLE
        return RoomVisibility.STAB if cell_id in self.stab else RoomVisibility.NEITHER


def traits_of(cell: EnvCell) -> tuple[object, ...]:
    """Everything of a room that its node and edges depend on; an edit of anything else leaves it equal."""
    portals = tuple((p.flags, p.polygon_id, p.other_cell_id, p.other_portal_id) for p in cell.portals)
    place = (cell.frame.origin, cell.frame.rotation)
    return (cell.id, place, id(cell.structure), cell.seen_outside, worst(cell.faults), portals)


def make_cell_graph(block: Landblock, names: Names | None = None) -> CellGraphPicture:
    """The graph of a loaded landblock; the same landblock always gives the same picture."""
    cells = block.env_cells
    spans = {cell.id: _span(cell) for cell in cells}
    plan = Plan(block.id, storeys=storeys_of([low for _, _, low in spans.values()]))
    keys = {cell.id: Selection(Kind.CELL, block.id, cell.id) for cell in cells}
    spots = [NodeSpot(x, y, plan.storey_of(low)) for x, y, low in spans.values()]
    houses = [(number, building) for number, building in enumerate(block.buildings) if building.portals]
    spots += [_spot_of_building(building, spans, plan) for _, building in houses]
    places = lay_out(spots, len(plan.storeys))
    picture = CellGraphPicture(block.id)
    for cell, spot, (x, y) in zip(cells, spots, places, strict=False):
        key = keys[cell.id]
        severity = worst(cell.faults)
        name = "" if names is None else names.of_cell(cell.id)
        picture.nodes[key] = GraphNode(key, cell_text(cell.id), spot.storey, x, y, cell.seen_outside, severity, name)
    for (number, building), spot, (x, y) in zip(houses, spots[len(cells) :], places[len(cells) :], strict=True):
        key = Selection(Kind.BUILDING, block.id, number)
        picture.nodes[key] = GraphNode(
            key, f"building {number}", spot.storey, x, y, seen_outside=False, severity=worst(building.faults)
        )
    picture.edges = _apart([*_cell_edges(cells, keys), *_building_edges(houses, keys, block.id)])
    tops = bands_of([(node.storey, node.y) for node in picture.nodes.values()], len(plan.storeys))
    lefts = [node.x for node in picture.nodes.values()] or [0.0]
    for low, (top, bottom) in zip(plan.storeys, tops, strict=True):
        picture.bands.append(Band(f"z {low:.2f}", min(lefts), top, max(lefts), bottom))
    return picture


def _span(cell: EnvCell) -> tuple[float, float, float]:
    """The middle of a room seen from above, and its floor."""
    corners = [cell.frame.local_to_global(v) for polygon in cell.structure.polygons.values() for v in polygon.vertices]
    corners = corners or [cell.frame.origin]
    xs, ys, zs = zip(*corners, strict=True)
    return ((min(xs) + max(xs)) / 2.0, (min(ys) + max(ys)) / 2.0, min(zs))


def _spot_of_building(building: Building, spans: Mapping[int, tuple[float, float, float]], plan: Plan) -> NodeSpot:
    """A building is placed at its origin, on the storey of the lowest room that it leads into."""
    x, y, z = building.frame.origin
    lows = [spans[portal.other_cell_id][2] for portal in building.portals if portal.other_cell_id in spans]
    return NodeSpot(x, y, plan.storey_of(min(lows, default=z)))


def _cell_edges(cells: Sequence[EnvCell], keys: Mapping[int, Selection]) -> list[GraphEdge]:
    by_id = {cell.id: cell for cell in cells}
    edges = []
    for cell in cells:
        start = keys[cell.id]
        for index, portal in enumerate(cell.portals):
            mine = PortalRef(start, index)
            end = keys.get(portal.other_cell_id)
            if portal.leads_outside:
                edges.append(GraphEdge(PortalTarget.EXIT, start, None, (mine,), towards=_towards(cell, portal)))
            elif end is None:
                towards = _towards(cell, portal)
                edges.append(GraphEdge(PortalTarget.INTERIOR, start, None, (mine,), True, True, towards))
            else:
                back = mate_of(cell, index, by_id)
                if back is None:
                    edges.append(GraphEdge(PortalTarget.INTERIOR, start, end, (mine,), one_sided=True))
                elif (cell.id, index) <= (portal.other_cell_id, back):
                    edges.append(GraphEdge(PortalTarget.INTERIOR, start, end, (mine, PortalRef(end, back))))
    return edges


def _towards(cell: EnvCell, portal: CellPortal) -> tuple[float, float]:
    """The direction from the middle of a room to its portal, from above; straight up for one overhead or without a
    polygon."""
    if portal.polygon is None:
        return (0.0, -1.0)
    corners = [cell.frame.local_to_global(v) for v in portal.polygon.vertices]
    x, y, _ = _span(cell)
    dx = sum(corner[0] for corner in corners) / len(corners) - x
    dy = y - sum(corner[1] for corner in corners) / len(corners)
    away = math.hypot(dx, dy)
    return (dx / away, dy / away) if away > 0.05 else (0.0, -1.0)


def _building_edges(
    houses: Sequence[tuple[int, Building]], keys: Mapping[int, Selection], block_id: int
) -> list[GraphEdge]:
    edges = []
    for number, building in houses:
        start = Selection(Kind.BUILDING, block_id, number)
        for index, portal in enumerate(building.portals):
            end = keys.get(portal.other_cell_id)
            sides = [PortalRef(start, index)]
            if end is not None and portal.other_portal_id >= 0:
                sides.append(PortalRef(end, portal.other_portal_id))
            edges.append(GraphEdge(PortalTarget.BUILDING, start, end, tuple(sides), dangling=end is None))
    return edges


def _apart(edges: list[GraphEdge]) -> list[GraphEdge]:
    """Spread lines between the same two nodes, and exits of one room in one direction."""
    lanes: dict[tuple[object, ...], list[GraphEdge]] = {}
    for edge in edges:
        ends = sorted((repr(edge.start), repr(edge.end)))
        aim = (round(edge.towards[0]), round(edge.towards[1])) if edge.end is None else ()
        lanes.setdefault((*ends, *aim), []).append(edge)
    shifts = {}
    for lane in lanes.values():
        for place, edge in enumerate(lane):
            shifts[id(edge)] = (place - (len(lane) - 1) / 2.0) * LANE
    # a line's left is its right when seen from the other end
    return [_shifted(edge, shifts[id(edge)]) for edge in edges]


def _shifted(edge: GraphEdge, shift: float) -> GraphEdge:
    turned = edge.end is not None and repr(edge.end) < repr(edge.start)
    shift = -shift if turned else shift
    limit = NODE_HEIGHT / 2.0 - 3.0
    shift = max(-limit, min(limit, shift))
    return GraphEdge(edge.kind, edge.start, edge.end, edge.sides, edge.one_sided, edge.dangling, edge.towards, shift)
