"""The golden scenes' geometry queries, asked of trees built directly from the scene files (physics.md 13.11).

This checks `engine.geometry` against the measured engine: only polygons, trees and a frame are between the file and the
answer. `find_cells` needs cell membership and is tested elsewhere.
"""

from __future__ import annotations

import json
from collections.abc import Callable
from functools import cache
from typing import Any

import pytest

from engine.geometry.bsp import PhysicsInner, PhysicsLeaf, PhysicsNode
from engine.geometry.cell_bsp import CellInner, CellLeaf, CellNode
from engine.geometry.constants import FLOOR_Z
from engine.geometry.frame import Frame
from engine.geometry.plane import Plane
from engine.geometry.polygon import Polygon, PolyHit, WalkProbe
from engine.geometry.sphere import Sphere
from engine.geometry.vec import UP, Vec3, distance, r24, r24v
from tests.shared import SHARED, needs_shared

pytestmark = [pytest.mark.conformance, needs_shared]

SCENES = ["building", "door", "ledge", "objects", "pillars", "portal", "stairs_ramp", "wall"]
METRES = 1e-4

Json = dict[str, Any]


def vector(numbers: list[float]) -> Vec3:
    return r24v((float(numbers[0]), float(numbers[1]), float(numbers[2])))


def sphere(numbers: list[float]) -> Sphere:
    return Sphere(vector(numbers[:3]), r24(float(numbers[3])))


def plane(numbers: list[float]) -> Plane:
    return Plane(vector(numbers[:3]), r24(float(numbers[3])))


def physics_node(node: Json, polygons: dict[int, Polygon]) -> PhysicsNode:
    if "plane" not in node:
        polys = [polygons[key] for key in node["polys"]]
        return PhysicsLeaf(node["leaf"], bool(node["solid"]), sphere(node["sphere"]), polys)
    pos, neg = (physics_node(node[side], polygons) if node.get(side) else None for side in ("pos", "neg"))
    return PhysicsInner(plane(node["plane"]), pos, neg, sphere(node["sphere"]))


def cell_tree(planes: list[list[float]]) -> CellNode:
    node: CellNode = CellLeaf(0)
    for numbers in reversed(planes):
        node = CellInner(plane(numbers), node, None)
    return node


class SceneCell:
    """One cell of a scene: its frame, its physics tree and its cell tree."""

    def __init__(self, cell: Json) -> None:
        vertices = [vector(v) for v in cell["vertices"]]
        polygons = {p["id"]: Polygon(p["id"], [vertices[i] for i in p["v"]], p["sides"]) for p in cell["polys"]}
        w, x, y, z = (r24(float(c)) for c in cell["quat"])
        self.frame = Frame(vector(cell["origin"]), (w, x, y, z))
        self.physics = physics_node(cell["physics_bsp"], polygons)
        self.inside = cell_tree(cell["cell_planes"])

    def local_sphere(self, query: Json) -> Sphere:
        return Sphere(self.local_point(query), r24(float(query["r"])))

    def local_point(self, query: Json) -> Vec3:
        return r24v(self.frame.global_to_local(vector(query["c"])))

    def local_move(self, query: Json) -> Vec3:
        return self.frame.global_to_local_vec(vector(query["move"]))


@cache
def load_scene(name: str) -> tuple[dict[int, SceneCell], list[Json], list[Any]]:
    scene = json.loads((SHARED / "goldens" / "scenes" / f"{name}.json").read_text())
    golden = json.loads((SHARED / "goldens" / "golden" / f"{name}.json").read_text())
    cells = {cell["id"]: SceneCell(cell) for cell in scene["cells"]}
    assert len(scene["queries"]) == len(golden["queries"])
    return cells, scene["queries"], golden["queries"]


def poly_id(poly: Polygon | None) -> int | None:
    return None if poly is None else poly.id


def ask_point_in_cell(cell: SceneCell, query: Json, expected: bool) -> None:
    assert cell.inside.point_inside_cell_bsp(cell.local_point(query)) == expected


def ask_sphere_in_cell(cell: SceneCell, query: Json, expected: int) -> None:
    assert cell.inside.sphere_intersects_cell_bsp(cell.local_sphere(query)) == expected


def ask_sphere_poly(cell: SceneCell, query: Json, expected: Json) -> None:
    out = PolyHit()
    hit = cell.physics.sphere_intersects_poly(cell.local_sphere(query), cell.local_move(query), out)
    assert (hit, poly_id(out.poly)) == (expected["hit"], expected["poly"])
    if "contact" in expected:
        assert distance(out.contact, vector(expected["contact"])) < METRES


def ask_sphere_solid(cell: SceneCell, query: Json, expected: bool) -> None:
    assert cell.physics.sphere_intersects_solid(cell.local_sphere(query), query["center"]) == expected


def ask_find_walkable(cell: SceneCell, query: Json, expected: Json) -> None:
    body, probe, out = cell.local_sphere(query), WalkProbe(FLOOR_Z), PolyHit()
    cell.physics.find_walkable(probe, body, out, cell.local_move(query), UP)
    assert (out.poly is not None, poly_id(out.poly)) == (expected["changed"], expected["poly"])
    assert probe.interp == pytest.approx(expected["interp"], abs=1e-5)
    assert distance(body.center, vector(expected["center"])) < METRES


ASK: dict[str, Callable[[SceneCell, Json, Any], None]] = {
    "point_in_cell": ask_point_in_cell,
    "sphere_in_cell": ask_sphere_in_cell,
    "sphere_poly": ask_sphere_poly,
    "sphere_solid": ask_sphere_solid,
    "find_walkable": ask_find_walkable,
}


@pytest.mark.parametrize("op", ASK)
@pytest.mark.parametrize("scene", SCENES)
def test_every_query_of_the_scene_answers_like_the_measured_engine(scene: str, op: str) -> None:
    cells, queries, answers = load_scene(scene)
    asked = [(query, answer) for query, answer in zip(queries, answers, strict=True) if query["op"] == op]
    assert asked
    for query, answer in asked:
        ASK[op](cells[query["cell"]], query, answer)


def test_the_scenes_hold_every_golden_query() -> None:
    """1,516 including the 236 of find_cells."""
    asked = [query for name in SCENES for query in load_scene(name)[1] if query["op"] in ASK]
    assert len(asked) == 1516 - 236
