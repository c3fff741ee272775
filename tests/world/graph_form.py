"""A world's cell graph as plain values, for comparison."""

from __future__ import annotations

from typing import Any

from engine.geometry.bsp import PhysicsInner, PhysicsLeaf, PhysicsNode
from engine.geometry.cell_bsp import CellInner, CellNode
from engine.geometry.frame import Frame
from engine.geometry.polygon import Polygon
from engine.world.cells.cell import Building, EnvCell, LandCell, ObjCell
from engine.world.world import World


def frame_form(frame: Frame) -> Any:
    return frame.origin, frame.rotation


def polygon_form(polygon: Polygon | None) -> Any:
    return None if polygon is None else (polygon.id, polygon.vertices, polygon.normal, polygon.d, polygon.sides_type)


def physics_form(node: PhysicsNode | None) -> Any:
    if node is None:
        return None
    sphere = (node.sphere.center, node.sphere.radius)
    if isinstance(node, PhysicsInner):
        return node.plane.normal, node.plane.d, sphere, physics_form(node.pos), physics_form(node.neg)
    assert isinstance(node, PhysicsLeaf)
    return node.index, node.solid, sphere, [polygon.id for polygon in node.polygons]


def cell_tree_form(node: CellNode | None) -> Any:
    if not isinstance(node, CellInner):
        return type(node).__name__
    return node.plane.normal, node.plane.d, cell_tree_form(node.pos), cell_tree_form(node.neg)


def building_form(building: Building | None) -> Any:
    if building is None:
        return None
    shell = building.shell
    return {
        "id": building.id,
        "cell": building.cell_id,
        "model": building.model_id,
        "frame": frame_form(building.frame),
        "shell": None if shell is None or shell.physics_tree is None else physics_form(shell.physics_tree.root),
        "portals": [
            (p.flags, p.other_cell_id, p.other_portal_id, p.stab_list, polygon_form(p.polygon))
            for p in building.portals
        ],
    }


def cell_form(cell: ObjCell) -> dict[str, Any]:
    form: dict[str, Any] = {
        "id": cell.id,
        "frame": frame_form(cell.frame),
        "stab": cell.stab_list,
        "seen_outside": cell.seen_outside,
        "water": cell.water_type,
        "restriction": cell.restriction_object,
        "statics": [(s.id, s.model_id, frame_form(s.frame)) for s in cell.static_objects],
        "faults": cell.faults,
    }
    if isinstance(cell, EnvCell):
        struct = cell.structure
        form["polygons"] = {key: polygon_form(polygon) for key, polygon in struct.polygons.items()}
        form["physics"] = None if cell.physics_tree is None else physics_form(cell.physics_tree.root)
        form["tree"] = cell_tree_form(cell.cell_tree)
        form["portals"] = [
            (p.flags, p.polygon_id, polygon_form(p.polygon), p.other_cell_id, p.other_portal_id) for p in cell.portals
        ]
    elif isinstance(cell, LandCell):
        form["polygons"] = [polygon_form(polygon) for polygon in cell.polygons]
        form["building"] = building_form(cell.building)
    return form


def graph_form(world: World) -> list[dict[str, Any]]:
    """All cells of all landblocks."""
    for block_id in world.landblock_ids():
        world.landblock(block_id)
    return [cell_form(cell) for cell in world.graph.all_cells()]
