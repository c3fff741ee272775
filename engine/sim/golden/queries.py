"""The geometry questions of a golden scene, asked of the loaded world (physics.md 13.11)."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Final

from engine.geometry.constants import FLOOR_Z
from engine.geometry.polygon import PolyHit, WalkProbe
from engine.geometry.sphere import Sphere
from engine.geometry.vec import UP, Vec3, r24, r24v
from engine.physics.membership import find_cell_list
from engine.physics.sweep.cell_array import CellArray
from engine.sim.golden.form import Query
from engine.sim.golden.scene_run import GoldenScene
from engine.world.cells.cell import ObjCell

Answer = bool | int | dict[str, Any] | None


def answer_query(scene: GoldenScene, query: Query) -> Answer:
    """Return the answer in the golden's form; None for a missing cell."""
    cell = scene.world.graph.get_visible(query.cell_id)
    return None if cell is None else _ANSWERS[query.op](scene, cell, query)


def _local(cell: ObjCell, query: Query) -> Vec3:
    return r24v(cell.frame.global_to_local(query.center))


def _sphere(cell: ObjCell, query: Query) -> Sphere:
    return Sphere(_local(cell, query), query.radius)


def _move(cell: ObjCell, query: Query) -> Vec3:
    return cell.frame.global_to_local_vec(query.move)


def _point_in_cell(scene: GoldenScene, cell: ObjCell, query: Query) -> Answer:
    tree = cell.cell_tree
    # A room rounds what it is asked for locally; land is asked in the landblock's frame.
    return cell.point_in_cell(query.center) if tree is None else tree.point_inside_cell_bsp(_local(cell, query))


def _sphere_in_cell(scene: GoldenScene, cell: ObjCell, query: Query) -> Answer:
    return cell.sphere_intersects_cell(_sphere(cell, query))


def _sphere_poly(scene: GoldenScene, cell: ObjCell, query: Query) -> Answer:
    out = PolyHit()
    tree = cell.physics_tree
    hit = tree is not None and tree.root.sphere_intersects_poly(_sphere(cell, query), _move(cell, query), out)
    answer: dict[str, Any] = {"hit": hit, "poly": None if out.poly is None else out.poly.id}
    if out.poly is not None:
        answer["contact"] = list(out.contact)
    return answer


def _sphere_solid(scene: GoldenScene, cell: ObjCell, query: Query) -> Answer:
    tree = cell.physics_tree
    return tree is not None and tree.root.sphere_intersects_solid(_sphere(cell, query), query.asks_solid_centre)


def _find_walkable(scene: GoldenScene, cell: ObjCell, query: Query) -> Answer:
    """`interp` is written in full, as in the goldens."""
    body, probe, out = _sphere(cell, query), WalkProbe(FLOOR_Z), PolyHit()
    if cell.physics_tree is not None:
        cell.physics_tree.root.find_walkable(probe, body, out, _move(cell, query), UP)
    return {
        "changed": out.poly is not None,
        "poly": None if out.poly is None else out.poly.id,
        "center": list(body.center),
        "interp": r24(probe.interp),
    }


def _find_cells(scene: GoldenScene, cell: ObjCell, query: Query) -> Answer:
    ca = CellArray()
    ca.do_not_load_cells = query.prunes
    spheres = [Sphere(query.center, query.radius)]
    found = find_cell_list(scene.world.graph, scene.rules, cell.id, spheres, ca, True, None)
    return {
        "cells": [cell_id & 0xFFFF for cell_id in ca.listed()],
        "cur": None if found is None else found.id & 0xFFFF,
    }


_ANSWERS: Final[dict[str, Callable[[GoldenScene, ObjCell, Query], Answer]]] = {
    "point_in_cell": _point_in_cell,
    "sphere_in_cell": _sphere_in_cell,
    "sphere_poly": _sphere_poly,
    "sphere_solid": _sphere_solid,
    "find_walkable": _find_walkable,
    "find_cells": _find_cells,
}
