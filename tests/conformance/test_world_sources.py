"""The golden scenes and the fixtures' dumps load as their READMEs describe them (physics.md 12, 13.11)."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from engine.geometry.bsp import PhysicsInner, PhysicsLeaf
from engine.geometry.frame import Frame
from engine.geometry.vec import Vec3, r24, r24v
from engine.world.cells.cell import EnvCell
from engine.world.cells.portals import CellPortal
from engine.world.faults import PORTAL_LINK, STAB_LIST, Severity
from engine.world.loader import Placement, open_world
from engine.world.world import World
from tests.shared import SHARED, needs_shared

pytestmark = [pytest.mark.conformance, needs_shared]

SCENES = ["building", "crowd", "door", "ledge", "objects", "pillars", "portal", "stairs_ramp", "terrain", "wall"]
BLOCK = 0x01010000
COTTAGE_BLOCK = 0xA9B40000
COTTAGE_FRAME = Frame((130.5, 11.5, 94.0), (r24(4.37114e-08), 0.0, 0.0, 1.0))


def scene_file(name: str) -> Path:
    return SHARED / "goldens" / "scenes" / f"{name}.json"


def raw(name: str, folder: str = "scenes") -> dict[str, Any]:
    loaded: dict[str, Any] = json.loads((SHARED / "goldens" / folder / f"{name}.json").read_text())
    return loaded


def room(world: World, low: int) -> EnvCell:
    cell = world.graph.get_visible(world.landblock_ids()[len(world.landblock_ids()) // 2] & 0xFFFF0000 | low)
    assert isinstance(cell, EnvCell)
    return cell


def point(values: list[float]) -> Vec3:
    x, y, z = values
    return r24v((float(x), float(y), float(z)))


# --- scenes


@pytest.mark.parametrize("name", SCENES)
def test_a_scene_has_the_cells_polygons_and_entities_of_its_file(name: str) -> None:
    scene = raw(name)
    world = open_world(scene_file(name))
    block = world.landblock(BLOCK)
    assert block is not None
    assert world.name == name
    assert [cell.id & 0xFFFF for cell in block.env_cells] == [cell["id"] for cell in scene["cells"]]
    for cell, given in zip(block.env_cells, scene["cells"], strict=True):
        assert len(cell.structure.physics_polygons) == len(given["polys"])
        assert len(cell.structure.vertices) == len(given["vertices"])
        assert [portal.polygon_id for portal in cell.portals] == [portal["poly"] for portal in given["portals"]]
        assert [portal.leads_outside for portal in cell.portals] == [p["other"] == 0xFFFF for p in given["portals"]]
        assert cell.stab_list == [BLOCK | low for low in given["stab"]]
        assert cell.seen_outside == given["seen_outside"]
        assert cell.frame.origin == point(given["origin"])
    assert [entity.guid for entity in world.entities] == [thing["id"] for thing in scene["objects"]]
    assert len(block.land_cells) == (64 if "terrain" in scene else 0)
    assert len(block.buildings) == (1 if "building" in scene else 0)


@pytest.mark.parametrize("name", SCENES)
def test_a_golden_scene_has_no_faults(name: str) -> None:
    world = open_world(scene_file(name))
    for block_id in world.landblock_ids():
        assert world.landblock(block_id) is not None
    assert world.faults() == []


def count_nodes(node: dict[str, Any]) -> tuple[int, int]:
    if "leaf" in node:
        return 0, 1
    inner, leaves = 1, 0
    for side in ("pos", "neg"):
        below = count_nodes(node[side])
        inner, leaves = inner + below[0], leaves + below[1]
    return inner, leaves


@pytest.mark.parametrize("name", [name for name in SCENES if name != "terrain"])
def test_a_scene_keeps_the_physics_trees_it_was_given(name: str) -> None:
    world = open_world(scene_file(name))
    for given in raw(name)["cells"]:
        tree = room(world, given["id"]).physics_tree
        assert tree is not None
        nodes = tree.nodes()
        inner = sum(isinstance(node, PhysicsInner) for node in nodes)
        leaves = sum(isinstance(node, PhysicsLeaf) for node in nodes)
        assert (inner, leaves) == count_nodes(given["physics_bsp"])
        root = tree.root
        assert isinstance(root, PhysicsInner)
        assert (*root.plane.normal, root.plane.d) == tuple(r24(float(value)) for value in given["physics_bsp"]["plane"])


@pytest.mark.parametrize("name", [name for name in SCENES if name not in ("terrain", "crowd")])
def test_points_are_in_the_cells_of_the_goldens(name: str) -> None:
    world = open_world(scene_file(name))
    asked = 0
    for query, answer in zip(raw(name)["queries"], raw(name, "golden")["queries"], strict=True):
        if query["op"] == "point_in_cell":
            asked += 1
            assert room(world, query["cell"]).point_in_cell(point(query["c"])) == answer
    assert asked > 0


def test_terrain_scenes_have_the_eight_landblocks_around_flat_at_their_height() -> None:
    world = open_world(scene_file("terrain"))
    assert world.landblock_ids() == [x << 24 | y << 16 | 0xFFFF for x in (0, 1, 2) for y in (0, 1, 2)]
    heights = raw("terrain")["terrain"]["heights"]
    for block_id in world.landblock_ids():
        block = world.landblock(block_id)
        assert block is not None
        assert block.terrain is not None
        middle = block_id == BLOCK | 0xFFFF
        assert block.terrain.z == ([2.0 * height for height in heights] if middle else [20.0] * 81)


def test_the_golden_building_is_in_its_land_cell_with_shell_and_opening() -> None:
    world = open_world(scene_file("building"))
    block = world.landblock(BLOCK)
    assert block is not None
    house = block.buildings[0]
    land = world.graph.get_visible(BLOCK | 19)
    assert house.cell_id == BLOCK | 19
    assert land in block.land_cells
    assert [cell.building for cell in block.land_cells if cell.building] == [house]
    assert house.shell is not None
    assert house.shell.physics_tree is not None
    assert len(house.shell.physics_polygons) == 7
    entry = house.portals[0]
    assert (entry.other_cell_id, entry.other_portal_id, entry.stab_list) == (BLOCK | 0x100, 0, [BLOCK | 0x100])
    assert entry.polygon is not None
    assert {corner[0] for corner in entry.polygon.vertices} == {0.0}


def test_golden_objects_become_entities_with_shapes_and_the_specified_state() -> None:
    world = open_world(scene_file("objects"))
    states = [entity.state for entity in world.entities]
    # (0x400C08 | state | STATIC if static) & ~GRAVITY; no part has a tree
    assert states == [0x400809] * 5 + [0x400808, 0x40080C, 0x400808, 0x400808]
    assert [entity.kind for entity in world.entities] == ["static"] * 5 + ["creature"] + ["object"] * 3
    creature = world.setup(world.entities[5].setup_id)
    assert creature is not None
    assert [sphere.radius for sphere in creature.spheres] == [r24(0.48)] * 2
    assert creature.sorting_sphere.radius == r24(0.48)
    cylinder = world.setup(world.entities[0].setup_id)
    assert cylinder is not None
    assert [(shape.radius, shape.height) for shape in cylinder.cyl_spheres] == [(0.5, 2.0)]
    assert cylinder.sorting_sphere.radius == 1.0
    part = cylinder.parts[0].gfxobj
    assert part is not None
    assert part.physics_tree is None
    assert part.bounding_sphere is not None
    assert (part.bounding_sphere.radius, part.box.minimum, part.box.maximum) == (1.0, (0.0,) * 3, (0.0,) * 3)


def test_a_golden_door_is_a_part_with_a_tree() -> None:
    world = open_world(scene_file("door"))
    (door,) = world.entities
    assert door.state == 0x410808  # with HAS_PHYSICS_BSP
    setup = world.setup(door.setup_id)
    assert setup is not None
    assert setup.has_physics_bsp()
    assert setup.sorting_sphere.radius == r24(1.7)


# --- dumps

# folder, resolved polygons, portal polygons, flags of the portals, as in the tables of fixtures/README.md
CELLS = {
    0x140: ("cellar-ascent", 4, 6, (3, 3)),
    0x141: ("cellar-ascent", 20, 21, (1, 1, 1)),
    0x142: ("issue98", 5, 6, None),
    0x143: ("issue98", 14, 18, None),
    0x144: ("cellar-ascent", 4, 6, (3, 3)),
    0x145: ("cellar-ascent", 4, 6, (7, 3)),
    0x146: ("cellar-ascent", 4, 6, (3, 3)),
    0x147: ("issue98", 37, 39, None),
    0x148: ("issue98", 39, 42, None),
    0x149: ("issue98", 17, 19, None),
    0x14A: ("cellar-ascent", 4, 6, (3, 3)),
    0x14B: ("cellar-ascent", 9, 11, (1, 1)),
    0x14C: ("issue98", 4, 6, None),
    0x14D: ("cellar-ascent", 10, 12, (1, 3)),
    0x14E: ("cellar-ascent", 4, 6, (3, 7)),
    0x14F: ("cellar-ascent", 8, 9, (3, 7)),
    0x170: ("flap-doorway", 4, 6, (5, 3)),
    0x171: ("cellar-lip", 54, 57, (1, 1, 1)),
    0x172: ("flap-doorway", 27, 29, (1, 3)),
    0x173: ("flap-doorway", 4, 6, (3, 3)),
    0x174: ("cellar-lip", 7, 8, (1,)),
    0x175: ("cellar-lip", 4, 6, (3, 3)),
}
COTTAGE = range(0x13F, 0x151)
SMALL_HOUSE = range(0x16F, 0x176)

# The portal graph of fixtures/README.md: * = no file for that cell; (solid) = a collision polygon closes the opening.
GRAPH = """
140 -> 141, 13F*
141 -> 140, 142 (solid), 14F (solid)
142 -> 143, 141 (solid)
143 -> 146, 145, 144, 142
144 -> 143, 13F*
145 -> exit, 143
146 -> 143, 147
147 -> 146, 148
148 -> 147, 149, 149
149 -> 148, 148
14A -> 13F*, 14B
14B -> 14A, 14D
14C -> 13F*, exit
14D -> 14E, 14B
14E -> 14D, exit
14F -> 141 (solid), exit
170 -> exit, 171
171 -> 170, 173, 175
172 -> 173, 16F*
173 -> 171, 172
174 -> 175
175 -> 171, 174
"""

FLOORS = {0x140: 95.0, 0x141: 94.0, 0x14B: 97.0, 0x14E: 98.0, 0x170: 94.0, 0x172: 94.0, 0x174: 90.001}


@pytest.fixture(scope="module")
def houses() -> World:
    """Both houses of Holtburg and all models, opened as one world."""
    return open_world(SHARED / "fixtures")


def dumped(world: World, low: int) -> EnvCell:
    cell = world.graph.get_visible(COTTAGE_BLOCK | low)
    assert isinstance(cell, EnvCell)
    return cell


def is_solid(cell: EnvCell, portal: CellPortal) -> bool:
    assert portal.polygon is not None
    opening = set(portal.polygon.vertices)
    return any(set(polygon.vertices) == opening for polygon in cell.structure.physics_polygons.values())


def test_the_dumps_are_the_22_cells_of_two_houses(houses: World) -> None:
    block = houses.landblock(COTTAGE_BLOCK)
    assert block is not None
    assert [cell.id & 0xFFFF for cell in block.cells] == sorted(CELLS)
    assert houses.landblock_ids() == [COTTAGE_BLOCK | 0xFFFF]


@pytest.mark.parametrize("low", sorted(CELLS))
def test_a_dumped_cell_matches_the_tables(houses: World, low: int) -> None:
    _, resolved, portal_polygons, flags = CELLS[low]
    cell = dumped(houses, low)
    assert len(cell.structure.physics_polygons) == resolved
    assert len(cell.structure.polygons) == portal_polygons
    if flags is not None:
        assert tuple(portal.flags for portal in cell.portals) == flags
    building = COTTAGE if low in COTTAGE else SMALL_HOUSE
    assert cell.stab_list == [COTTAGE_BLOCK | other for other in building if other != low]
    assert cell.stab_set == set(cell.stab_list)
    assert cell.seen_outside
    assert cell.physics_tree is not None
    assert cell.cell_tree is not None


@pytest.mark.parametrize("folder", ["cellar-ascent", "issue98", "flap-doorway", "cellar-lip"])
def test_each_dump_folder_opens_on_its_own(folder: str) -> None:
    world = open_world(SHARED / "fixtures" / folder)
    block = world.landblock(COTTAGE_BLOCK)
    assert block is not None
    assert [cell.id & 0xFFFF for cell in block.cells] == [low for low in sorted(CELLS) if CELLS[low][0] == folder]


def test_the_portal_graph_is_that_of_the_readme(houses: World) -> None:
    lines = []
    for low in sorted(CELLS):
        cell = dumped(houses, low)
        targets = []
        for portal in cell.portals:
            if portal.leads_outside:
                targets.append("exit")
                continue
            there = houses.graph.get_visible(portal.other_cell_id) is not None
            solid = " (solid)" if is_solid(cell, portal) else ""
            targets.append(f"{portal.other_cell_id & 0xFFFF:X}{'' if there else '*'}{solid}")
        lines.append(f"{low:X} -> {', '.join(targets)}")
    assert lines == GRAPH.split("\n")[1:-1]


def test_the_exits_are_those_of_the_readme(houses: World) -> None:
    assert [low for low in sorted(CELLS) if dumped(houses, low).has_exit()] == [0x145, 0x14C, 0x14E, 0x14F, 0x170]


@pytest.mark.parametrize("low", sorted(CELLS))
def test_a_portals_side_bit_tells_the_cells_side_of_its_polygon(houses: World, low: int) -> None:
    cell = dumped(houses, low)
    for portal in cell.portals:
        assert portal.polygon is not None
        assert portal.exact_match
        distances = [portal.polygon.plane.dist(p) for p in cell.structure.vertices]
        inside_is_behind = min(distances) < -0.1
        assert inside_is_behind != (max(distances) > 0.1)
        assert portal.portal_side == inside_is_behind
        assert portal.leads_outside == bool(portal.flags & 4)


def test_portals_between_dumped_cells_name_each_other(houses: World) -> None:
    for low in sorted(CELLS):
        cell = dumped(houses, low)
        for index, portal in enumerate(cell.portals):
            other = houses.graph.get_visible(portal.other_cell_id)
            if isinstance(other, EnvCell):
                back = other.portals[portal.other_portal_id]
                assert (back.other_cell_id, back.other_portal_id) == (cell.id, index)
    pairs = [(portal.other_cell_id & 0xFFFF, portal.other_portal_id) for portal in dumped(houses, 0x148).portals]
    assert pairs == [(0x147, 1), (0x149, 0), (0x149, 1)]  # two openings, one above the other


def test_the_faults_of_the_dumps_are_the_three_cells_without_a_file(houses: World) -> None:
    houses.landblock(COTTAGE_BLOCK)
    faults = houses.faults()
    assert {fault.what for fault in faults} == {PORTAL_LINK, STAB_LIST}
    errors = [(fault.where & 0xFFFF, fault.index) for fault in faults if fault.severity is Severity.ERROR]
    assert errors == [(0x140, 1), (0x144, 1), (0x14A, 0), (0x14C, 0), (0x172, 1)]


@pytest.mark.parametrize("low", sorted(FLOORS))
def test_a_dumped_rooms_floor_is_where_the_table_has_it(houses: World, low: int) -> None:
    cell = dumped(houses, low)
    polygons = cell.structure.physics_polygons.values()
    floors = [
        cell.frame.local_to_global(polygon.vertices[0])[2]
        for polygon in polygons
        if cell.frame.local_to_global_vec(polygon.normal)[2] > 0.99
    ]
    assert min(floors) == pytest.approx(FLOORS[low], abs=1e-3)


def test_a_point_in_the_middle_of_a_room_is_only_in_that_room(houses: World) -> None:
    spots = {
        0x171: (155.0, 13.0, 96.0),
        0x172: (161.0, 8.0, 96.0),
        0x174: (158.0, 7.0, 92.0),
        0x141: (139.5, 16.0, 95.5),
    }
    for low, spot in spots.items():
        containing = [cell.id & 0xFFFF for cell in houses.graph.all_cells() if cell.point_in_cell(spot)]
        assert containing == [low]


def test_the_cottage_stands_half_turned_where_its_matrix_puts_it(houses: World) -> None:
    assert dumped(houses, 0x147).frame.equals(COTTAGE_FRAME)
    assert dumped(houses, 0x147).frame.origin == (130.5, 11.5, 94.0)


def test_a_model_without_a_placement_is_only_a_model(houses: World) -> None:
    block = houses.landblock(COTTAGE_BLOCK)
    assert block is not None
    assert not block.buildings
    assert not block.statics
    counts = {
        model_id: len(model.physics_polygons)
        for model_id in houses.source.model_ids()
        if (model := houses.gfxobj(model_id))
    }
    assert counts == {0x01000A2B: 74, 0x01000AC5: 6, 0x01000ACA: 7, 0x01000F69: 49}
    shell = houses.gfxobj(0x01000A2B)
    assert shell is not None
    assert (shell.box.minimum, shell.box.maximum) == ((-12.0, -8.0, 0.0), (8.0, 8.0, 10.0))
    assert shell.drawing_sphere is not None
    assert shell.drawing_sphere.radius == pytest.approx(13.9887, abs=1e-4)
    assert shell.physics_tree is not None


def test_the_cottages_shell_fits_around_its_rooms() -> None:
    shell = Placement(0x01000A2B, COTTAGE_BLOCK, COTTAGE_FRAME, building=True)
    world = open_world(SHARED / "fixtures", placements=[shell], ground=-1000.0)
    block = world.landblock(COTTAGE_BLOCK)
    assert block is not None
    (house,) = block.buildings
    assert house.cell_id == COTTAGE_BLOCK | 0x29
    assert [portal.other_cell_id & 0xFFFF for portal in house.portals] == [0x145, 0x14C, 0x14E, 0x14F]
    assert house.shell is world.gfxobj(0x01000A2B)
    # From the README: the corners of the exits are corners of the shell.
    assert house.shell is not None
    corners = {tuple(round(v, 3) for v in corner) for p in house.shell.polygons.values() for corner in p.vertices}
    for portal in house.portals:
        assert portal.polygon is not None
        assert {tuple(round(v, 3) + 0.0 for v in corner) for corner in portal.polygon.vertices} <= corners
    land = world.graph.get_visible(COTTAGE_BLOCK | 0x29)
    assert land in block.land_cells
    assert land.point_in_cell((132.0, 17.0, 0.0))
    assert block.terrain is not None
    assert block.terrain.height_at(132.0, 17.0) == -1000.0
    assert len(world.landblock_ids()) == 9


def test_models_stand_as_statics_where_they_are_placed() -> None:
    """The steps of the outdoor stair, placed as in the source's test."""
    quarter = (0.7071067690849304, 0.0, 0.0, 0.7071067690849304)
    steps = [
        Placement(0x01000AC5, 0xF682002C, Frame((132.0, 75.245 + 0.5 * k, 58.815 + 0.4 * k), quarter)) for k in range(8)
    ]
    world = open_world([SHARED / "fixtures" / "outdoor-stairs-seam"], placements=steps)
    block = world.landblock(0xF682002C)
    assert block is not None
    assert [static.model_id for static in block.statics] == [0x01000AC5] * 8
    assert len({static.id for static in block.statics}) == 8
    assert block.statics[3].frame.origin == steps[3].frame.origin
    assert world.faults() == []
