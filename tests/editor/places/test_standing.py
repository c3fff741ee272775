"""The player stands validly wherever a place is named: in every cell, at every door, on every floor of the demo."""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import product

import pytest

from editor.models.doors_ahead import door_ahead
from editor.places.place_text import place_text, read_place
from editor.places.standing import at_door, at_written, in_cell, on_floor
from editor.session.sources import open_source
from engine.build.demo import DUNGEON, SPOTS, VILLAGE
from engine.geometry.box import Box
from engine.geometry.frame import Frame
from engine.geometry.vec import ZERO
from engine.physics.errors import PhysicsError
from engine.physics.place import Place
from engine.physics.set_position import placed_at
from engine.sim.edits.player import Teleport
from engine.sim.edits.world import OpenLandblock
from engine.sim.script import StartPlace
from engine.sim.tick.simulation import Simulation
from engine.world.cells.cell import EnvCell
from engine.world.cells.ids import cell_text, is_env_cell, landblock_id, low_of
from tests.shared import SHARED, needs_shared

SETTLED = 20
"""Ticks after which whoever was put somewhere stands."""


@dataclass
class Demo:
    """A landblock of the demo, and the player in it."""

    sim: Simulation
    block_id: int

    def cells(self) -> list[int]:
        block = self.sim.world.landblock(self.block_id)
        assert block is not None
        land = [self.block_id - 0xFFFF + low for low in range(1, 65)] if block.terrain is not None else []
        return [cell.id for cell in block.env_cells] + land


@pytest.fixture(scope="module", params=[VILLAGE, DUNGEON], ids=["village", "dungeon"])
def demo(request: pytest.FixtureRequest) -> Iterator[Demo]:
    number: int = request.param
    with open_source("demo") as world:
        spot = next(spot for spot in SPOTS.values() if spot.cell_id >> 16 == number)
        sim = Simulation(world)
        sim.apply_edit(Teleport(spot.cell_id, *spot.origin, spot.heading))
        yield Demo(sim, landblock_id(number << 16))


def stand(sim: Simulation, place: StartPlace) -> None:
    """Put him there: he is where he was put, in that cell, and stays there."""
    sim.apply_edit(Teleport(place.cell_id, *place.origin, place.heading))
    body = sim.player.steered
    assert body.place.cell_id == place.cell_id
    assert math.dist(body.place.origin[:2], place.origin[:2]) < 0.01, "he was not pushed aside"
    begin = body.place.origin
    for _ in range(SETTLED):
        sim.tick()
    name = cell_text(place.cell_id)
    assert body.place.cell_id == place.cell_id, f"he slid out of {name}"
    assert math.dist(body.place.origin, begin) < 0.35, f"he does not stay where he is put in {name}"
    assert body.contact_bits()[1], f"he does not stand in {name}"


def has_room(sim: Simulation, cell_id: int) -> bool:
    """Whether any point of a close grid in a room holds the player on a floor, by trying them all."""
    cell = sim.graph.get_visible(cell_id)
    assert isinstance(cell, EnvCell)
    body, world = sim.player.steered, cell.frame
    floors = [
        [world.local_to_global(vertex) for vertex in polygon.vertices]
        for polygon in cell.structure.physics_polygons.values()
        if world.local_to_global_vec(polygon.normal)[2] > 0.7
    ]
    for floor in floors:
        box = Box.of_points(floor)
        steps = range(1, 12)
        for i, j, rise in product(steps, steps, (0.0, 0.1, 0.3)):
            x = box.minimum[0] + (box.maximum[0] - box.minimum[0]) * i / 12.0
            y = box.minimum[1] + (box.maximum[1] - box.minimum[1]) * j / 12.0
            place = Place(cell_id, (x, y, box.minimum[2] + 0.006 + rise), Frame(ZERO))
            if not cell.point_in_cell(place.local_to_global(body.spheres[0].center)):
                continue
            placed = placed_at(body, place)
            if placed is not None and placed.cell_id == cell_id:
                return True
    return False


def test_he_stands_in_every_cell_that_has_room_for_him(demo: Demo) -> None:
    stood, refused = 0, []
    for cell_id in demo.cells():
        try:
            place = in_cell(demo.sim, cell_id, 90.0)
        except PhysicsError:
            refused.append(cell_id)
            continue
        assert place.cell_id == cell_id
        stand(demo.sim, place)
        stood += 1
    assert stood > 85
    roomy = [cell_text(cell_id) for cell_id in refused if is_env_cell(low_of(cell_id)) and has_room(demo.sim, cell_id)]
    assert roomy == [], "a grid over their floors finds room there"


def test_he_stands_on_the_stairs_that_rise_into_a_stairwell(demo: Demo) -> None:
    if demo.block_id >> 16 != VILLAGE:
        pytest.skip("the stairwells without floors are in the village")
    for cell_id in (0xC95B0111, 0xC95B011C, 0xC95B0129):
        cell = demo.sim.graph.get_visible(cell_id)
        assert isinstance(cell, EnvCell)
        assert all(polygon.normal[2] < 0.7 for polygon in cell.structure.physics_polygons.values()), "it has no floor"
        place = in_cell(demo.sim, cell_id, 90.0)
        assert place.cell_id == cell_id
        stand(demo.sim, place)


def test_he_stands_before_and_behind_every_door_and_could_use_it(demo: Demo) -> None:
    doors = [door for door in demo.sim.population.doors if landblock_id(door.place_cell()) == demo.block_id]
    assert doors
    for door in doors:
        for is_behind in (False, True):
            stand(demo.sim, at_door(demo.sim, door, is_behind=is_behind))
            here = demo.sim.player.steered.place
            assert door.is_behind(here.cell_id, here.origin) == is_behind
            assert door_ahead(demo.sim) is door


def test_he_stands_on_every_floor_pointed_at_or_close_beside(demo: Demo) -> None:
    """Near a wall he is beside the point, on the same floor."""
    sim, stood = demo.sim, 0
    for cell_id in demo.cells()[:60]:
        cell = sim.graph.get_visible(cell_id)
        if not isinstance(cell, EnvCell):
            continue
        for polygon in cell.structure.physics_polygons.values():
            normal = cell.frame.local_to_global_vec(polygon.normal)
            corner = cell.frame.local_to_global(polygon.vertices[0])
            point = tuple(
                (2.0 * a + b + c) / 4.0
                for a, b, c in zip(
                    corner,
                    cell.frame.local_to_global(polygon.vertices[1]),
                    cell.frame.local_to_global(polygon.vertices[2]),
                    strict=True,
                )
            )
            try:
                place = on_floor(sim, cell_id, (point[0], point[1], point[2]), normal, 0.0)
            except PhysicsError:
                continue
            assert normal[2] > 0.664, "walls and ceilings are refused"
            sim.apply_edit(Teleport(place.cell_id, *place.origin, place.heading))
            here = sim.player.steered.place
            assert here.cell_id == place.cell_id
            assert math.dist(here.origin[:2], point[:2]) < 0.62
            assert abs(here.origin[2] - point[2]) < 1.0
            stood += 1
    assert stood > 30


def test_a_copied_place_is_the_same_place_when_pasted(demo: Demo) -> None:
    sim = demo.sim
    body = sim.player.steered
    for spot in SPOTS.values():
        if landblock_id(spot.cell_id) != demo.block_id:
            continue
        sim.apply_edit(Teleport(spot.cell_id, *spot.origin, spot.heading))
        for _ in range(SETTLED):
            sim.tick()
        origin, cell_id = body.place.origin, body.place.cell_id
        place = at_written(sim, read_place(place_text(cell_id, body.place.frame())))
        sim.apply_edit(Teleport(place.cell_id, *place.origin, place.heading))
        assert body.place.cell_id == cell_id
        assert math.dist(body.place.origin, origin) < 1e-5, cell_text(cell_id)


def test_a_place_on_the_floor_itself_is_the_same_as_the_clients_above_it(demo: Demo) -> None:
    sim = demo.sim
    spot = next(spot for spot in SPOTS.values() if landblock_id(spot.cell_id) == demo.block_id)
    x, y, z = spot.origin
    places = [at_written(sim, read_place(f"{cell_text(spot.cell_id)} [{x} {y} {z + rise}]")) for rise in (0.0, 0.005)]
    assert places[0].origin == pytest.approx(places[1].origin, abs=1e-5)
    assert places[0].origin == pytest.approx(spot.origin, abs=1e-5)


def test_map_coordinates_are_on_the_ground_of_the_land() -> None:
    with open_source("demo") as world:
        sim = Simulation(world)
        spot = SPOTS["street"]
        sim.apply_edit(Teleport(spot.cell_id, *spot.origin, spot.heading))
        block = world.landblock(spot.cell_id)
        assert block is not None
        assert block.terrain is not None
        place = at_written(sim, read_place("28.6S 59.4E"), heading=90.0)
        assert place.cell_id >> 16 == VILLAGE
        assert place.heading == 90.0
        stand(sim, place)
        assert place.origin[2] == pytest.approx(block.terrain.height_at(*place.origin[:2]), abs=0.2)


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ("0x12340101 [1 2 3]", "there is no cell 0x12340101 in this world"),
        ("0xC95B01FF [1 2 3]", "there is no cell 0xC95B01FF in this world"),
        ("80.0S 80.0W", "there is no cell"),
    ],
)
def test_a_place_that_the_world_lacks_is_refused(text: str, why: str) -> None:
    with open_source("demo") as world, pytest.raises(PhysicsError, match=why):
        at_written(Simulation(world), read_place(text))


@needs_shared
@pytest.mark.parametrize("folder", ["issue98", "cellar-ascent", "cellar-lip", "flap-doorway"])
def test_he_stands_in_real_cells(folder: str) -> None:
    stood = 0
    with open_source(str(SHARED / "fixtures" / folder)) as world:
        block = world.landblock(0xA9B4FFFF)
        assert block is not None
        sim = Simulation(world)
        for cell in block.env_cells:
            try:
                place = in_cell(sim, cell.id)
            except PhysicsError:
                continue
            sim.apply_edit(Teleport(place.cell_id, *place.origin, place.heading))
            assert sim.player.steered.place.cell_id == cell.id
            assert math.dist(sim.player.soles(), place.origin) < 0.01
            stood += 1
    assert stood


@pytest.mark.parametrize("above", [0.0, 0.005])
@pytest.mark.parametrize("low", [0x0100, 0x0101, 0x0102, 0x0104, 0x0015, 0xFFFF])
def test_a_place_with_the_id_of_another_cell_is_not_left(low: int, above: float) -> None:
    """On the floor or 5 mm above it, in a room behind a wall of the cell that is named; or with the landblock's id."""
    with open_source("demo") as world:
        sim = Simulation(world)
        sim.apply_edit(OpenLandblock(0xC95B0100))
        place = at_written(sim, read_place(f"0xC95B{low:04X} [62.6 113.6 {20.1 + above}]"))
        sim.apply_edit(Teleport(place.cell_id, *place.origin, place.heading))
        stands = sim.player.steered.place
        assert stands.cell_id == 0xC95B0104
        assert stands.origin == pytest.approx((62.6, 113.6, 20.105), abs=1e-4)
