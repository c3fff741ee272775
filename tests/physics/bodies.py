"""Bodies for the numeric cases: placed, pushed by offsets, and queried for their position."""

from __future__ import annotations

import pytest

from engine.geometry.cell_bsp import CellInner, CellLeaf, CellNode
from engine.geometry.constants import DEFAULT_STATE
from engine.geometry.frame import Frame
from engine.geometry.plane import Plane
from engine.geometry.polygon import Polygon
from engine.geometry.sphere import Sphere
from engine.geometry.vec import UP, Vec3, r24v
from engine.physics.body import Body
from engine.physics.flags import EDGE_SLIDE, TS_ACTIVE, TS_CONTACT, TS_ON_WALKABLE
from engine.physics.place import Place
from engine.physics.rules import RuleSet, rule_set
from engine.world.cells.cell import CellStruct, EnvCell
from engine.world.cells.portals import CellPortal
from engine.world.graph.graph import CellGraph
from tests.physics.small_world import CELL_ID, leaf_tree, spheres

BOTH_RULES = pytest.mark.parametrize("rules", [rule_set("retail"), rule_set("ace")], ids=["retail", "ace"])
GROUND = Plane(UP, 0.0)


def inside_of(*planes: Plane) -> CellNode:
    """A cell tree: the inside is in front of every plane."""
    node: CellNode = CellLeaf(0)
    for plane in reversed(planes):
        node = CellInner(plane, node, None)
    return node


def box_tree(low: Vec3, high: Vec3) -> CellNode:
    return inside_of(
        Plane((1.0, 0.0, 0.0), -low[0]),
        Plane((-1.0, 0.0, 0.0), high[0]),
        Plane((0.0, 1.0, 0.0), -low[1]),
        Plane((0.0, -1.0, 0.0), high[1]),
        Plane((0.0, 0.0, 1.0), -low[2]),
        Plane((0.0, 0.0, -1.0), high[2]),
    )


def hall(
    polygons: list[Polygon],
    frame: Frame | None = None,
    cell_id: int = CELL_ID,
    tree: CellNode | None = None,
    portals: list[CellPortal] | None = None,
    stab: list[int] | None = None,
    flags: int = 0,
) -> EnvCell:
    """A room with a cell tree: 100 m in each direction unless a tree is given. Polygons are in its own frame.

    Like the rooms of the numeric cases, it counts as having a portal.
    """
    inside = box_tree((-100.0, -100.0, -100.0), (100.0, 100.0, 100.0)) if tree is None else tree
    by_id = {polygon.id: polygon for polygon in polygons}
    physics = leaf_tree(polygons) if polygons else None
    structure = CellStruct(0x0D000001, 0, [], {}, [], by_id, physics, inside, None, None)
    made = EnvCell(cell_id, frame or Frame(), structure, portals or [], stab or [], flags, [])
    made.portals_left_out = True
    return made


def graph_of(*cells: EnvCell) -> CellGraph:
    graph = CellGraph()
    for cell in cells:
        graph.add_cell(cell)
    return graph


def body_in(
    cell: EnvCell,
    origin: Vec3,
    *,
    graph: CellGraph | None = None,
    ground: Plane | None = None,
    body: list[Sphere] | None = None,
    step_up: float = 0.6,
    step_down: float = 0.04,
    edge_slide: bool = True,
    rules: RuleSet | None = None,
) -> Body:
    """The default body of the cases; with `ground` it stands on that plane."""
    made = Body(0x50000001, graph or graph_of(cell), rules or RuleSet())
    made.spheres = spheres() if body is None else body
    made.step_up_height = step_up
    made.step_down_height = step_down
    made.state = DEFAULT_STATE if edge_slide else DEFAULT_STATE & ~EDGE_SLIDE
    made.place = Place(cell.id, r24v(origin), Frame())
    made.cell = cell
    made.transient = TS_ACTIVE
    if ground is not None:
        made.transient |= TS_CONTACT | TS_ON_WALKABLE
        made.contact_plane = ground
        made.contact_plane_cell_id = cell.id
    made.calc_acceleration()
    return made


def push(body: Body, x: float, y: float = 0.0, z: float = 0.0, times: int = 1) -> bool:
    """Moves by an offset, as a tick does; returns True if the body accepted every sweep."""
    done = True
    for _ in range(times):
        ox, oy, oz = body.place.origin
        done = body.move_to(Place(body.place.cell_id, r24v((ox + x, oy + y, oz + z)), body.place.turn)) and done
    return done


def has(body: Body, bits: int) -> bool:
    return body.transient & bits == bits


def one_sphere(radius: float) -> list[Sphere]:
    return [Sphere((0.0, 0.0, radius), radius)]


def human() -> list[Sphere]:
    """The first two spheres of the human setups (physics.md #2)."""
    return [Sphere((0.0, 0.0, 0.475), 0.48), Sphere((0.0, 0.0, 1.35), 0.48)]
