"""Scenes in the goldens' form: the worlds built from them, and the refusal of broken ones (physics.md 13.11)."""

from __future__ import annotations

import copy
import json
import random
from pathlib import Path
from typing import Any

import pytest

from engine.world.cells.cell import EnvCell
from engine.world.faults import CELL_TREE, PHYSICS_TREE, PORTAL_LINK, Severity, WorldError
from engine.world.loader import open_world
from engine.world.loader.json_form import JsonNode, parse_json
from engine.world.loader.scene_source import SceneSource
from engine.world.world import World
from tests.world.loader.scenes import BLOCK, BLOCK_ID, Json, two_rooms


def opened(scene: Json) -> World:
    return World(SceneSource(JsonNode(scene, "scene.json")))


def room(world: World, low: int) -> EnvCell:
    cell = world.graph.get_visible(BLOCK | low)
    assert isinstance(cell, EnvCell)
    return cell


def written(folder: Path, text: str) -> Path:
    path = folder / "scene.json"
    path.write_text(text)
    return path


def test_a_scene_file_opens_as_a_world(tmp_path: Path) -> None:
    world = open_world(written(tmp_path, json.dumps(two_rooms())))
    block = world.landblock(BLOCK)
    assert block is not None
    assert [cell.id & 0xFFFF for cell in block.env_cells] == [0x100, 0x101]
    assert world.faults() == []
    assert world.surface_image(0x08000001) is None
    assert world.record(0x01000001) is None


def test_a_point_is_in_the_room_that_contains_it() -> None:
    world = opened(two_rooms())
    assert room(world, 0x100).point_in_cell((50.0, 50.0, 21.0))
    assert not room(world, 0x101).point_in_cell((50.0, 50.0, 21.0))
    assert not room(world, 0x100).point_in_cell((50.0, 50.0, 24.0))


def test_numbers_are_rounded_to_single_precision() -> None:
    scene = two_rooms()
    scene["cells"][0]["origin"][0] = 48.1
    assert room(opened(scene), 0x100).frame.origin[0] == 48.099998474121094


def test_openings_keep_their_ids_and_walls_are_visible_too() -> None:
    cell = room(opened(two_rooms()), 0x100)
    assert [portal.polygon_id for portal in cell.portals] == [0, 1]
    assert len(cell.structure.polygons) == len(cell.structure.physics_polygons) + 2
    assert cell.structure.portal_ids == [0, 1]


def test_the_building_is_in_its_land_cell_and_shows_the_rooms_door() -> None:
    world = opened(two_rooms())
    block = world.landblock(BLOCK)
    assert block is not None
    (house,) = block.buildings
    assert house.cell_id == BLOCK | 19
    polygon = house.portals[0].polygon
    assert polygon is not None
    assert polygon.plane.normal == (1.0, 0.0, 0.0)
    assert {corner[0] for corner in polygon.vertices} == {0.0}


def test_an_object_without_parts_occupies_a_one_metre_sphere() -> None:
    world = opened(two_rooms())
    barrel = world.setup(world.entities[0].setup_id)
    assert barrel is not None
    part = barrel.parts[0].gfxobj
    assert part is not None
    assert part.bounding_sphere is not None
    assert (part.bounding_sphere.center, part.bounding_sphere.radius) == ((0.0, 0.0, 0.0), 1.0)
    assert not barrel.has_physics_bsp()


def test_a_cell_without_planes_is_loaded_but_never_found() -> None:
    scene = two_rooms()
    scene["cells"][1]["cell_planes"] = []
    world = opened(scene)
    cell = room(world, 0x101)
    assert not cell.point_in_cell((57.0, 50.0, 21.0))
    assert [fault.what for fault in cell.faults] == [CELL_TREE]
    assert len(world.faults()) == 1


@pytest.mark.parametrize("absent", [True, False])
def test_a_cell_without_a_physics_tree_is_a_fault_and_the_others_load(absent: bool) -> None:
    scene = two_rooms()
    scene["cells"][1]["physics_bsp"] = None
    if absent:
        del scene["cells"][1]["physics_bsp"]
    world = opened(scene)
    cell = room(world, 0x101)
    assert cell.physics_tree is None
    assert cell.point_in_cell((57.0, 50.0, 21.0))
    assert [(fault.where, fault.what) for fault in world.faults()] == [(cell.id, PHYSICS_TREE)]
    assert room(world, 0x100).physics_tree is not None


def test_a_portal_to_a_missing_cell_is_a_fault_of_its_cell() -> None:
    scene = two_rooms()
    del scene["cells"][1]
    world = opened(scene)
    faults = room(world, 0x100).faults
    assert [(fault.what, fault.index) for fault in faults if fault.severity is Severity.ERROR] == [(PORTAL_LINK, 1)]


def test_a_scene_without_terrain_has_no_land() -> None:
    scene = two_rooms()
    del scene["terrain"]
    world = opened(scene)
    assert world.landblock_ids() == [BLOCK_ID]
    assert world.graph.get_visible(BLOCK | 1) is None
    block = world.landblock(BLOCK)
    assert block is not None
    assert block.terrain is None
    assert len(block.buildings) == 1


def test_a_building_assigned_to_another_cell_is_a_fault() -> None:
    scene = two_rooms()
    scene["building"]["cell"] = 20
    world = opened(scene)
    world.landblock(BLOCK)
    assert [str(fault) for fault in world.faults()] == [
        "warning: 0x0101FFFF building: stands in 0x01010013 and is said to be in 0x01010014"
    ]


@pytest.mark.parametrize(
    ("where", "value", "key", "reason"),
    [
        (["landblock"], -1, "landblock", "0 to 65535"),
        (["landblock"], "257", "landblock", "should be a whole number"),
        (["landblock"], True, "landblock", "should be a whole number"),
        (["name"], None, "name", "should be a text, is null"),
        (["name"], "\ud800", "name", "half a character"),
        (["cells"], {}, "cells", "should be a list, is an object"),
        (["cells", 0, "id"], 0x40, "cells[0].id", "256 to 65533"),
        (["cells", 1, "id"], 0x100, "cells[1].id", "another cell"),
        (["cells", 0, "vertices", 3], [0.0, 1.0], "cells[0].vertices[3]", "should have 3 entries, has 2"),
        (["cells", 0, "vertices", 3, 1], float("nan"), "cells[0].vertices[3][1]", "out of range"),
        (["cells", 0, "vertices", 3, 1], 1e39, "cells[0].vertices[3][1]", "out of range"),
        (["cells", 0, "vertices", 3, 1], 10**400, "cells[0].vertices[3][1]", "out of range"),
        (["cells", 0, "polys", 0, "v", 0], 999, "cells[0].polys[0].v[0]", "0 to 19"),
        (["cells", 0, "polys", 0, "v"], [0, 1], "cells[0].polys[0].v", "2 corners"),
        (["cells", 0, "physics_bsp", "neg", "solid"], 2, "cells[0].physics_bsp.neg.solid", "0 to 1"),
        (["cells", 0, "portals", 0, "poly"], 1.5, "cells[0].portals[0].poly", "should be a whole number"),
        (["cells", 0, "portals", 1, "other"], 70000, "cells[0].portals[1].other", "0 to 65535"),
        (["cells", 0, "seen_outside"], 1, "cells[0].seen_outside", "should be true or false"),
        (["terrain", "heights"], [1] * 80, "terrain.heights", "should have 81 entries, has 80"),
        (["building", "parts"], [], "building.parts", "is empty"),
        (["objects", 1, "quat"], [2.0, 0.0, 0.0, 0.0], "objects[1].quat", "not of length 1"),
        (["objects", 0, "cylspheres", 0, "r"], -1.0, "objects[0].cylspheres[0].r", "out of range"),
    ],
)
def test_a_wrong_value_is_reported_with_file_and_key(
    where: list[str | int], value: object, key: str, reason: str
) -> None:
    scene: Any = two_rooms()
    holder = scene
    for step in where[:-1]:
        holder = holder[step]
    holder[where[-1]] = value
    with pytest.raises(WorldError) as caught:
        opened(scene)
    assert (caught.value.file, caught.value.key) == ("scene.json", key)
    assert reason in caught.value.reason


def test_a_missing_value_is_reported_by_name() -> None:
    scene = two_rooms()
    del scene["cells"][1]["vertices"]
    with pytest.raises(WorldError, match=r"scene.json: cells\[1\]: has no 'vertices'"):
        opened(scene)


def test_a_tree_deeper_than_512_is_refused() -> None:
    scene = two_rooms()
    node = scene["cells"][0]["physics_bsp"]
    for _ in range(600):
        node = {"plane": [1.0, 0.0, 0.0, 0.0], "sphere": [0.0, 0.0, 0.0, 1.0], "pos": node}
    scene["cells"][0]["physics_bsp"] = node
    with pytest.raises(WorldError, match="deeper than 512"):
        opened(scene)


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("", "is not JSON"),
        ("{", "is not JSON: Expecting property name.* line 1, column 2"),
        (
            '{"landblock": 257}',
            "holds no world: .*dump .CellId or GfxObjId., .* or scene .landblock and cells.",
        ),
        ("[]", "should be an object, is a list"),
        ("[" * 100000, "nested too deeply"),
        ('{"landblock": ' + "9" * 5000 + ', "cells": []}', "is not JSON: Exceeds the limit"),
    ],
)
def test_a_file_that_is_not_a_scene_is_refused_with_the_reason(tmp_path: Path, text: str, reason: str) -> None:
    with pytest.raises(WorldError, match=reason) as caught:
        open_world(written(tmp_path, text))
    assert caught.value.file is not None
    assert caught.value.file.endswith("scene.json")


def test_bytes_that_are_not_text_are_refused_as_such(tmp_path: Path) -> None:
    path = tmp_path / "scene.json"
    path.write_bytes(b'{"name": "\xff\xfe"}')
    with pytest.raises(WorldError, match="is not JSON"):
        open_world(path)


# --- mutations

ABSURD: list[Any] = [
    None, True, -1, 0, 0.5, 65535, 65536, 2**31, 2**64, 10**400, 1e300, -1e300, 1e38, float("nan"), float("inf"),
    "", "x", "\ud800", [], {}, [[]], [0] * 300, {"leaf": 0}, [1e38, -1e38, 1e38],
]  # fmt: skip


def mutate(scene: Json, rng: random.Random) -> None:
    """Replaces, removes, duplicates or swaps one value somewhere in the scene."""
    node: Any = scene
    while True:
        keys = list(node) if isinstance(node, dict) else list(range(len(node)))
        if not keys:
            return
        key = rng.choice(keys)
        child = node[key]
        if isinstance(child, dict | list) and child and rng.random() < 0.85:
            node = child
            continue
        action = rng.randrange(4)
        if action == 0:
            del node[key]
        elif action == 1:
            node[key] = node[rng.choice(keys)]
        elif action == 2 and isinstance(node, list):
            node.insert(rng.randrange(len(node) + 1), copy.deepcopy(child))
        else:
            node[key] = copy.deepcopy(rng.choice(ABSURD))
        return


def check_mutated(seed: int) -> bool:
    """Opens and uses a scene with some values broken; returns True if it was refused."""
    rng = random.Random(seed)
    scene = two_rooms()
    for _ in range(rng.choice((1, 1, 1, 2, 4))):
        mutate(scene, rng)
    text = json.dumps(scene)
    if rng.random() < 0.1:
        text = text[: rng.randrange(len(text))]
    refused: WorldError | None = None
    try:
        world = World(SceneSource(parse_json(text.encode(), "scene.json")))
    except WorldError as error:
        refused = error
    if refused is not None:
        assert refused.file == "scene.json"
        return True
    for block_id in world.landblock_ids():
        world.landblock(block_id)
    for cell in world.graph.all_cells():
        cell.point_in_cell((50.0, 50.0, 21.0))
        for portal in cell.portals if isinstance(cell, EnvCell) else []:
            world.graph.get_visible(portal.other_cell_id)
    for fault in world.faults():
        assert str(fault)
    return False


def test_a_mutated_scene_loads_or_is_refused_with_a_world_error() -> None:
    refused = sum(check_mutated(seed) for seed in range(200))
    assert 50 < refused < 190  # both happen


@pytest.mark.slow
def test_very_many_mutated_scenes_load_or_are_refused_with_a_world_error() -> None:
    for seed in range(10_000, 16_000):
        check_mutated(seed)
