"""The scene follows the world and the simulation, and an edit replaces only what it touches."""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from itertools import pairwise

import pytest

from engine.build import OUTDOORS, Light, Mesh, Model, Part, WorldBuilder, rect, walls
from engine.build.built import BuiltWorld
from engine.build.shapes.furniture import chest, crate, rock, table
from engine.build.shapes.solids import box, passable
from engine.dat.records import EnvCell as EnvCellRecord
from engine.dat.records import RecordFrame, Stab, write_record
from engine.render.draws import Owner, PartDraw, ShellDraw
from engine.render.figure import SHADE
from engine.render.scene import Scene
from engine.sim.edits.cells import ReplaceCell
from engine.sim.edits.doors import CloseDoor, OpenDoor
from engine.sim.edits.entities import MoveEntity, RemoveEntity, SetStateBits
from engine.sim.edits.player import PutPlayerBack, Teleport
from engine.sim.tick.controls import Controls
from engine.sim.tick.simulation import Simulation
from engine.world.cells.cell import EnvCell
from engine.world.cells.ids import is_land_cell
from engine.world.graph.graph import CellGraph
from engine.world.landblock import Landblock
from engine.world.world import World

BLOCK = 0xC95BFFFF
SOLID = 0x8
NODRAW = 0x20


def lamp() -> Model:
    glass = Mesh.of("glass", passable(box(-0.1, -0.1, -0.4, 0.2, 0.2, 0.2, "glass")))
    return Model("lamp", (Part(glass),), lights=(Light((0.0, 0.0, -0.3), 0xFFFFD090, 60.0, 7.0),))


@cache
def village() -> BuiltWorld:
    """A house of two rooms with a door between them and one to the outside, each room with a lamp and a table; a rock,
    a chest and flat land around. A third room, far off, belongs to the house as well."""
    world = WorldBuilder()
    land = world.landblock(0xC95B, height=10.0)
    shell = walls(rect(-5.3, -3.3, 10.6, 6.6), 0.0, 3.2, "stone")
    house = land.building("house", (36.0, 36.0, 10.1), shell=shell)
    west = house.room("west", rect(-5.0, -3.0, 4.9, 6.0), height=2.8)
    east = house.room("east", rect(0.1, -3.0, 4.9, 6.0), height=2.8)
    cellar = house.room("cellar", rect(-5.0, -3.0, 10.0, 6.0), floor=-40.0, height=2.8)
    between = house.doorway(west, east, (0.0, 0.0), width=1.2, height=2.0)
    house.hang_door(between, material="wood", name="Door", reset_interval=30.0)
    house.doorway(west, OUTDOORS, (-2.5, -3.0), width=1.4, height=2.2)
    for room, x in ((west, -2.5), (east, 2.5)):
        room.put(lamp(), (x, 0.0, 2.8))
        room.put(table(), (x, 1.5))
    cellar.put(table(), (0.0, 0.0, -40.0))
    land.put(rock(1.0), (80.0, 80.0))
    land.put(crate(), (120.0, 30.0))
    land.entity("Chest", "chest", chest(), (60.0, 60.0), 30.0, state=SOLID)
    return world.build()


@dataclass
class Stage:
    """One world with a simulation and a scene, and the ids of its rooms by name."""

    world: World
    sim: Simulation
    scene: Scene
    rooms: dict[str, int]

    def entity(self, name: str) -> int:
        return next(spec.guid for spec in self.world.entities if spec.name == name)

    def block(self) -> Landblock:
        found = self.world.landblock(BLOCK)
        assert found is not None
        return found

    def thing(self, owner: Owner, home: int | None = None, model_of: int = 0) -> PartDraw:
        """The first part among an owner's objects; for a room's things, the first, or the one with index `model_of`."""
        found = [part for part in self.parts() if part.owner is owner and home in (None, part.home)]
        return sorted(found, key=lambda part: part.key)[model_of]

    def parts(self) -> list[PartDraw]:
        found = {part.key: part for cell in self.block().cells for part in self.scene.parts_in(cell.id)}
        return list(found.values())

    def shells(self) -> dict[int, ShellDraw]:
        made = {cell.id: self.scene.shell(cell.id) for cell in self.block().env_cells}
        return {key: shell for key, shell in made.items() if shell is not None}

    def everything(self) -> dict[object, object]:
        """All objects that the scene returns, by kind: whatever keeps its identity was not touched."""
        drawn: dict[object, object] = {part.key: part for part in self.parts()}
        drawn |= dict(self.shells().items())
        for building in self.block().buildings:
            drawn[building.id, "building"] = self.scene.building_shell(building, BLOCK)
        drawn["terrain"] = self.scene.terrain(BLOCK)
        return drawn

    def room_record(self, name: str) -> EnvCellRecord:
        record = self.world.record(self.rooms[name])
        assert isinstance(record, EnvCellRecord)
        return record

    def put_room(self, record: EnvCellRecord) -> None:
        self.sim.apply_edit(ReplaceCell(write_record(record), b""))
        self.scene.update()


def changed(before: dict[object, object], after: dict[object, object]) -> set[object]:
    return {key for key in {*before, *after} if before.get(key) is not after.get(key)}


@pytest.fixture
def stage() -> Iterator[Stage]:
    built = village()
    sim = Simulation(built.load())
    world = sim.world
    world.landblock(BLOCK)
    rooms = {name: built.cell_id(name) for name in ("west", "east", "cellar")}
    scene = Scene(world, sim)
    sim.apply_edit(Teleport(0xC95B000A, 30.0, 28.0, 10.0, 0.0))
    scene.update()
    yield Stage(world, sim, scene, rooms)
    scene.close()
    sim.close()


# --- contents


def test_a_scene_shows_rooms_house_ground_furniture_land_and_entities(stage: Stage) -> None:
    owners = {part.owner for part in stage.parts()}
    assert owners == {Owner.CELL, Owner.LAND, Owner.ENTITY, Owner.PLAYER}
    assert set(stage.shells()) >= set(stage.rooms.values())
    assert stage.scene.building_shell(stage.block().buildings[0], BLOCK) is not None
    assert stage.scene.faults() == []


def test_materials_match_the_subsets_of_meshes(stage: Stage) -> None:
    everything: list[ShellDraw | PartDraw] = [*stage.shells().values(), *stage.parts()]
    for drawn in everything:
        assert len(drawn.materials) == len(drawn.mesh.subsets) > 0
        assert sum(subset.index_count for subset in drawn.mesh.subsets) == len(drawn.mesh.indices)


def test_asking_twice_returns_the_same_objects(stage: Stage) -> None:
    before = stage.everything()
    stage.scene.update()
    assert changed(before, stage.everything()) == set()


def test_reading_the_scene_loads_and_changes_nothing(stage: Stage) -> None:
    loaded, state = stage.world.graph.landblocks(), stage.sim.state_hash()
    stage.everything()
    stage.scene.parts_in(0xC95C0001)
    stage.scene.shell(0xC95C0100)
    stage.scene.sky()
    assert (stage.world.graph.landblocks(), stage.sim.state_hash()) == (loaded, state)


def test_entities_are_listed_in_the_cells_of_their_shadow_objects(stage: Stage) -> None:
    for spec in stage.world.entities:
        parts = stage.scene.parts_of(spec.guid)
        assert parts
        for part in parts:
            registered = tuple(stage.sim.population.registry.cells_of(spec.guid))
            assert part.cells[: len(registered)] == registered
            assert spec.kind == "door" or part.cells == registered
            assert all(part in stage.scene.parts_in(cell_id) for cell_id in part.cells)


def test_the_players_figure_is_as_wide_and_high_as_his_spheres(stage: Stage) -> None:
    (figure,) = [part for part in stage.parts() if part.owner is Owner.PLAYER]
    player = stage.sim.player
    assert figure.frame.origin == player.origin()
    assert figure.mesh.tints is not None
    marks = figure.mesh.tints[:, 0] < SHADE[0]  # those of its front: dark, outside of the body
    body = figure.mesh.positions[~marks]
    assert body[:, 2].max() == pytest.approx(player.height)
    assert abs(body[:, 0]).max() == pytest.approx(player.radius, rel=0.02)
    assert figure.mesh.positions[marks][:, 1].max() > player.radius


def test_lamps_are_baked_into_the_rooms_that_they_reach(stage: Stage) -> None:
    shells = stage.shells()
    lights = {name: shells[cell_id].light for name, cell_id in stage.rooms.items()}
    assert lights["west"] is not None
    assert lights["west"].max() > 0.1
    assert lights["cellar"] is not None
    assert lights["cellar"].max() == 0.0
    assert len(stage.scene.static_lights(BLOCK)) == 2


# --- movement


def test_a_doors_leaf_swings_between_the_ticks(stage: Stage) -> None:
    door = stage.entity("Door")
    stage.sim.apply_edit(OpenDoor(door))
    stage.sim.tick(Controls())
    turns = []
    for step in range(8):
        stage.scene.update(ahead=step / 60.0)
        leaf = stage.scene.parts_of(door)[0]
        turns.append(leaf.frame.heading())
    assert len({round(turn, 3) for turn in turns}) >= 4
    steps = [(b - a + 180.0) % 360.0 - 180.0 for a, b in pairwise(turns)]
    assert all(step >= -1e-6 for step in steps) or all(step <= 1e-6 for step in steps)


def test_a_swinging_door_touches_nothing_else(stage: Stage) -> None:
    before = stage.everything()
    door = stage.entity("Door")
    stage.sim.apply_edit(OpenDoor(door))
    for _ in range(5):
        stage.sim.tick(Controls())
    stage.scene.update()
    touched = changed(before, stage.everything())
    assert touched
    assert {key[0] for key in touched if isinstance(key, tuple)} == {door}
    assert all(isinstance(key, tuple) for key in touched)


def test_the_player_fades_by_new_draws_and_becomes_opaque_again(stage: Stage) -> None:
    (whole,) = stage.scene.parts_of(stage.sim.player.id)
    stage.scene.player_alpha = 0.25
    stage.scene.update()
    (faded,) = stage.scene.parts_of(stage.sim.player.id)
    assert faded is not whole
    assert (whole.alpha, faded.alpha) == (1.0, 0.25)
    stage.scene.player_alpha = 1.0
    stage.scene.update()
    (again,) = stage.scene.parts_of(stage.sim.player.id)
    assert again.alpha == 1.0


def test_the_player_is_drawn_where_he_walked_to(stage: Stage) -> None:
    for _ in range(20):
        stage.sim.tick(Controls(forward=1.0))
    stage.scene.update()
    (figure,) = stage.scene.parts_of(stage.sim.player.id)
    assert figure.frame.origin == stage.sim.player.origin()
    assert math.dist(figure.frame.origin, (30.0, 28.0, 10.0)) > 0.5


# --- edits


def test_a_player_in_no_cell_is_not_drawn_until_he_returns(stage: Stage) -> None:
    assert stage.scene.parts_of(stage.sim.player.id)
    body = stage.sim.player.steered
    body.lose_cell(body.place)
    stage.scene.update()
    assert stage.scene.parts_of(stage.sim.player.id) == []
    stage.sim.apply_edit(PutPlayerBack())
    stage.scene.update()
    assert stage.scene.parts_of(stage.sim.player.id)


def test_replacing_a_room_redraws_only_it_and_its_things(stage: Stage) -> None:
    before = stage.everything()
    record = stage.room_record("cellar")
    record.objects[0].frame = RecordFrame((34.0, 36.0, -29.9))
    stage.put_room(record)
    touched = changed(before, stage.everything())
    table_key = stage.thing(Owner.CELL, stage.rooms["cellar"]).key
    assert touched == {stage.rooms["cellar"], table_key}
    assert stage.thing(Owner.CELL, stage.rooms["cellar"]).frame.origin == pytest.approx((34.0, 36.0, -29.9))


def test_removing_a_lamp_darkens_only_the_rooms_that_it_lit(stage: Stage) -> None:
    before = stage.everything()
    shells = stage.shells()
    record = stage.room_record("west")
    record.objects = [record.objects[1]]
    stage.put_room(record)
    touched = changed(before, stage.everything())
    assert touched & set(shells) >= {stage.rooms["west"], stage.rooms["east"]}
    assert stage.rooms["cellar"] not in touched
    after = stage.shells()[stage.rooms["east"]]
    old, new = shells[stage.rooms["east"]].light, after.light
    assert old is not None
    assert new is not None
    assert (new <= old + 1e-6).all()
    assert after.mesh is shells[stage.rooms["east"]].mesh
    assert len(stage.scene.static_lights(BLOCK)) == 1


def test_a_rooms_new_surfaces_keep_its_mesh(stage: Stage) -> None:
    mesh = stage.shells()[stage.rooms["cellar"]].mesh
    record = stage.room_record("cellar")
    record.surfaces = list(reversed(record.surfaces))
    stage.put_room(record)
    after = stage.shells()[stage.rooms["cellar"]]
    assert after.mesh is mesh
    assert [material.surface_id & 0xFFFF for material in after.materials] == [
        record.surfaces[subset.slot] for subset in mesh.subsets
    ]


def test_things_added_to_a_room_appear_and_vanish_on_undo(stage: Stage) -> None:
    before = stage.everything()
    snapshot = stage.sim.snapshot()
    record = stage.room_record("cellar")
    record.objects.append(Stab(record.objects[0].model_id, RecordFrame((33.0, 36.0, -29.9))))
    stage.put_room(record)
    assert len([part for part in stage.parts() if part.home == stage.rooms["cellar"]]) == 2
    stage.sim.restore(snapshot)
    stage.scene.update()
    assert len([part for part in stage.parts() if part.home == stage.rooms["cellar"]]) == 1
    assert set(stage.everything()) == set(before)


def test_moving_a_static_thing_touches_it_alone(stage: Stage) -> None:
    before = stage.everything()
    stone = stage.thing(Owner.LAND)
    stage.sim.apply_edit(MoveEntity(stone.object_id, 0xC95B0001, 10.0, 12.0, 10.0, 45.0))
    stage.scene.update()
    assert {key[0] for key in changed(before, stage.everything()) if isinstance(key, tuple)} == {stone.object_id}
    (moved,) = stage.scene.parts_of(stone.object_id)
    assert moved.frame.origin == pytest.approx((10.0, 12.0, 10.0))
    assert moved.cells == (0xC95B0001,)
    assert moved in stage.scene.parts_in(0xC95B0001)
    assert moved.key not in {part.key for part in stage.scene.parts_in(stone.cells[0])}


def test_land_cells_keep_their_lists_until_their_landblock_changes(stage: Stage) -> None:
    scene = stage.scene
    before = scene.parts_on_land(BLOCK)
    cells = [cell.id for cell in stage.block().cells if is_land_cell(cell.id)]
    assert before == {cell_id: scene.parts_in(cell_id) for cell_id in cells if scene.parts_in(cell_id)}
    stage.put_room(stage.room_record("cellar"))
    assert scene.parts_on_land(BLOCK) is before
    stone = stage.thing(Owner.LAND)
    stage.sim.apply_edit(MoveEntity(stone.object_id, 0xC95B0001, 10.0, 12.0, 10.0, 45.0))
    scene.update()
    after = scene.parts_on_land(BLOCK)
    assert [part.object_id for part in after[0xC95B0001]] == [stone.object_id]
    assert all(after[cell_id] is listed for cell_id, listed in before.items() if cell_id not in stone.cells)


def test_a_removed_thing_vanishes_and_returns_with_the_earlier_state(stage: Stage) -> None:
    stone = stage.thing(Owner.LAND)
    snapshot = stage.sim.snapshot()
    stage.sim.apply_edit(RemoveEntity(stone.object_id))
    stage.scene.update()
    assert stage.scene.parts_of(stone.object_id) == []
    stage.sim.restore(snapshot)
    stage.scene.update()
    assert [part.key for part in stage.scene.parts_of(stone.object_id)] == [stone.key]


def test_a_thing_removed_before_the_scene_began_is_not_drawn(stage: Stage) -> None:
    stone = stage.thing(Owner.LAND)
    stage.sim.apply_edit(RemoveEntity(stone.object_id))
    late = Scene(stage.world, stage.sim)
    late.parts_in(stone.cells[0])
    assert late.parts_of(stone.object_id) == []
    late.close()


def test_an_entity_with_no_draw_is_hidden(stage: Stage) -> None:
    box = stage.entity("Chest")
    stage.sim.apply_edit(SetStateBits(box, NODRAW, True))
    stage.scene.update()
    assert all(part.hidden for part in stage.scene.parts_of(box))
    stage.sim.apply_edit(SetStateBits(box, NODRAW, False))
    stage.scene.update()
    assert not any(part.hidden for part in stage.scene.parts_of(box))


def test_a_removed_entity_vanishes(stage: Stage) -> None:
    box = stage.entity("Chest")
    cells = stage.scene.parts_of(box)[0].cells
    version = stage.scene.version
    stage.sim.apply_edit(RemoveEntity(box))
    stage.scene.update()
    assert stage.scene.version > version
    assert stage.scene.parts_of(box) == []
    assert all(part.object_id != box for cell_id in cells for part in stage.scene.parts_in(cell_id))


def test_removing_a_room_from_the_graph_leaves_its_neighbour_drawn(stage: Stage) -> None:
    before = stage.everything()
    graph: CellGraph = stage.world.graph
    cellar = graph.remove_cell(stage.rooms["cellar"])
    assert stage.scene.shell(stage.rooms["cellar"]) is None
    assert stage.scene.parts_in(stage.rooms["cellar"]) == []
    assert isinstance(cellar, EnvCell)
    graph.add_cell(cellar)
    table_key = stage.thing(Owner.CELL, stage.rooms["cellar"]).key
    assert changed(before, stage.everything()) == {stage.rooms["cellar"], table_key}


def test_the_scene_forgets_an_unloaded_landblock_and_remakes_it(stage: Stage) -> None:
    shells = stage.shells()
    stage.world.graph.unload_landblock(BLOCK)
    assert stage.scene.terrain(BLOCK) is None
    assert all(stage.scene.shell(cell_id) is None for cell_id in shells)
    assert set(stage.shells()) == set(shells)


def test_a_landblock_reloaded_between_two_updates_is_drawn_as_it_is_now(stage: Stage) -> None:
    before = stage.everything()
    stage.world.graph.unload_landblock(BLOCK)
    stage.world.graph.load_landblock(BLOCK)
    after = stage.everything()
    assert set(before) == set(after)
    assert {"terrain", stage.rooms["west"], stage.thing(Owner.LAND).key} <= changed(before, after)


def test_the_version_grows_only_with_changes(stage: Stage) -> None:
    stage.everything()
    version = stage.scene.version
    stage.scene.update()
    assert stage.scene.version == version
    stage.sim.apply_edit(SetStateBits(stage.entity("Chest"), NODRAW, True))
    stage.scene.update()
    assert stage.scene.version > version


def test_the_viewers_light_is_on_until_switched_off(stage: Stage) -> None:
    (light,) = stage.scene.dynamic_lights()
    x, y, z = stage.sim.player.origin()
    assert light.position == (x, y, z + 2.0)
    stage.scene.viewer_lit = False
    assert stage.scene.dynamic_lights() == []


def test_the_players_position_decides_how_rooms_are_lit(stage: Stage) -> None:
    assert stage.scene.ambient_inside() == stage.scene.ambient_inside(True) != (0.2, 0.2, 0.2)
    assert stage.scene.ambient_inside(False) == (0.2, 0.2, 0.2)


def test_without_a_simulation_entities_stand_as_specified(stage: Stage) -> None:
    alone = Scene(stage.world)
    door = stage.entity("Door")
    spec = next(spec for spec in stage.world.entities if spec.guid == door)
    alone.parts_in(spec.cell_id)
    assert [part.frame.origin for part in alone.parts_of(door)] == [
        part.frame.origin for part in stage.scene.parts_of(door)
    ]
    alone.close()


def test_a_doors_leaf_is_listed_in_the_rooms_that_it_reaches(stage: Stage) -> None:
    door = stage.entity("Door")
    cells = stage.scene.parts_of(door)[0].cells
    stage.sim.apply_edit(OpenDoor(door))
    for _ in range(90):
        stage.sim.tick(Controls())
    stage.scene.update()
    leaf = max(stage.scene.parts_of(door), key=lambda part: part.sphere.radius)
    rooms = {stage.rooms["west"], stage.rooms["east"]}
    assert set(leaf.cells) & rooms
    assert all(leaf in stage.scene.parts_in(cell_id) for cell_id in leaf.cells)
    record = stage.room_record("west")
    stage.put_room(record)
    assert stage.scene.parts_of(door)[leaf.part].cells == leaf.cells
    stage.sim.apply_edit(CloseDoor(door))
    for _ in range(90):
        stage.sim.tick(Controls())
    stage.scene.update()
    assert stage.scene.parts_of(door)[0].cells == cells
