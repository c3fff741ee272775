"""Physics trees that do not hold what their lists of polygons hold."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from functools import partial
from typing import Final

from engine.findings.finding import Check, Family, Found
from engine.findings.registry import register
from engine.geometry.bsp import PhysicsInner, PhysicsLeaf, PhysicsNode, PhysicsTree
from engine.geometry.constants import EPSILON
from engine.geometry.frame import Frame
from engine.geometry.polygon import Polygon, PolyHit
from engine.geometry.sphere import Sphere
from engine.geometry.vec import Vec3
from engine.survey.finds import in_cell, outline, shared_by
from engine.survey.shapes.outline import inner_points, placed
from engine.survey.view import Flaw, View
from engine.world.cells.cell import EnvCell
from engine.world.cells.ids import cell_text, landblock_id
from engine.world.cells.objects import GfxObj, Setup
from engine.world.faults import Severity

MISSING: Final = register(
    Check(
        "physics-trees.polygon-missing",
        "A physics tree lacks a polygon of its list",
        Family.PHYSICS,
        Severity.ERROR,
        "The list of physics polygons has this one, but no leaf of the tree names it. Bodies meet only what leaves "
        "name, so they walk and fall through it, although lists and viewers show it.",
    )
)
MISPLACED: Final = register(
    Check(
        "physics-trees.polygon-unreachable",
        "A physics tree leads past a polygon",
        Family.PHYSICS,
        Severity.ERROR,
        "A leaf names the polygon, but a body that touches it is not led to that leaf: a plane on the way sends it to "
        "the other side, or the bounding sphere of a node does not reach it. Bodies pass there. Each polygon is tried "
        "at its middle and near its corners with a small sphere, by the planes and spheres that the sweep asks.",
    )
)
TOUCH: Final = 0.02
"""Metres: the radius of the sphere that touches polygons, small beside any body."""
PULL: Final = 0.05


def check_trees(view: View) -> Iterator[Found]:
    for structure, rooms in view.structures():
        tree = structure.physics_tree
        if tree is not None:
            listed = structure.physics_polygons
            for flaw in view.shapes.flaws_of("tree", id(structure), structure, partial(flaws_of, tree, listed)):
                yield _in_room(view, rooms, flaw)
    yield from _check_models(view)


def _in_room(view: View, rooms: Sequence[EnvCell], flaw: Flaw) -> Found:
    cell = rooms[0]
    return in_cell(
        flaw.check,
        view.id,
        cell,
        cell.frame.local_to_global(flaw.point),
        f"{_WORDS[flaw.check.id].format(f'polygon {flaw.polygon.id}')}{shared_by(rooms)}",
        polygon=flaw.polygon.id,
        path=outline(placed(flaw.polygon, cell.frame)),
    )


_WORDS: Final = {
    MISSING.id: "{} of the physics list is in no leaf of the physics tree: bodies pass through it",
    MISPLACED.id: "{} is in the physics tree where bodies that touch it do not look: they pass through it",
}


# --- one tree


def flaws_of(tree: PhysicsTree, listed: Mapping[int, Polygon]) -> Iterator[Flaw]:
    held = {id(polygon) for leaf in leaves(tree.root) for polygon in leaf.polygons}
    for polygon in listed.values():
        if polygon.degenerate or len(polygon.vertices) < 3:
            continue
        points = inner_points(polygon.vertices, PULL)
        if id(polygon) not in held:
            yield Flaw(MISSING, polygon, points[0])
            continue
        lost = [point for point in points if not _is_met(tree.root, polygon, point)]
        if lost:
            yield Flaw(MISPLACED, polygon, lost[0])


def leaves(root: PhysicsNode) -> Iterator[PhysicsLeaf]:
    waiting: list[PhysicsNode] = [root]
    while waiting:
        node = waiting.pop()
        if isinstance(node, PhysicsLeaf):
            yield node
        elif isinstance(node, PhysicsInner):
            waiting += [child for child in (node.pos, node.neg) if child is not None]


def _is_met(root: PhysicsNode, polygon: Polygon, point: Vec3) -> bool:
    """Whether a small sphere on a polygon is led to it. The tree's own query answers for nearly all; it ends at the
    first polygon that it meets, so where that is another one, the leaves are looked through."""
    x, y, z = polygon.normal
    sphere = Sphere(point, TOUCH)
    out = PolyHit()
    if root.sphere_intersects_poly(sphere, (-x, -y, -z), out) and out.poly is polygon:
        return True
    waiting: list[PhysicsNode] = [root]
    reach = TOUCH - EPSILON
    while waiting:
        node = waiting.pop()
        if not node.sphere.intersects(sphere):
            continue
        if isinstance(node, PhysicsLeaf):
            if any(each is polygon for each in node.polygons):
                return True
        elif isinstance(node, PhysicsInner):
            side = node.plane.dist(point)
            if side > -reach and node.pos is not None:
                waiting.append(node.pos)
            if side < reach and node.neg is not None:
                waiting.append(node.neg)
    return False


# --- shells and things


def _check_models(view: View) -> Iterator[Found]:
    """The models of buildings and static things, each told once, where it stands first."""
    told: set[int] = set()
    for building in view.buildings:
        if building.shell is not None and building.shell.id not in told:
            told.add(building.shell.id)
            for flaw in _flaws_of_model(view, building.shell):
                yield _at(view, building.cell_id, building.frame, 1.0, building.shell, flaw)
    asked: set[int] = set()
    for cell_id, static in view.things():
        if static.model_id in asked:
            continue
        asked.add(static.model_id)
        setup: Setup | None = view.setup(static.model_id)
        for index, part in enumerate(() if setup is None else setup.parts):
            if setup is None or part.gfxobj is None or part.gfxobj.id in told:
                continue
            told.add(part.gfxobj.id)
            for flaw in _flaws_of_model(view, part.gfxobj):
                local = setup.part_frame(index)
                x, y, z = local.local_to_global(flaw.point)
                moved = Flaw(flaw.check, flaw.polygon, (x, y, z))
                yield _at(view, cell_id, static.frame, static.scale, part.gfxobj, moved)


def _flaws_of_model(view: View, gfxobj: GfxObj) -> tuple[Flaw, ...]:
    tree = gfxobj.physics_tree
    if tree is None:
        return ()
    listed = gfxobj.physics_polygons
    return view.shapes.flaws_of("model tree", gfxobj.id, gfxobj, partial(flaws_of, tree, listed))


def _at(view: View, cell_id: int, frame: Frame, scale: float, gfxobj: GfxObj, flaw: Flaw) -> Found:
    x, y, z = flaw.point
    words = _WORDS[flaw.check.id].format(f"polygon {flaw.polygon.id} of model {cell_text(gfxobj.id)}")
    return Found(
        flaw.check.id,
        view.id,
        cell_id if landblock_id(cell_id) == view.id else 0,
        polygon=flaw.polygon.id,
        place=(cell_id, frame.local_to_global((x * scale, y * scale, z * scale))),
        sentence=words,
    )
