"""The engine's own sweep drops things onto the floor below them."""

from __future__ import annotations

import pytest

from editor.authoring.dropping import drop_entity, drop_static, floor_below
from editor.authoring.static_edits import move_static
from editor.document.document import Document
from engine.geometry.frame import Frame
from engine.geometry.quat import from_heading
from engine.geometry.vec import Vec3
from engine.physics.errors import PhysicsError
from engine.sim.edits.entities import MoveEntity
from engine.sim.edits.placing import PlaceEntity
from tests.editor.document.small_document import document_of
from tests.sim.helpers.small_worlds import (
    built,
    furnished,
    house,
    simulate,
    slope,
    standing,
    two_rooms,
    with_cellar,
    with_people,
)


def floor_under(document: Document, point: Vec3, cell_id: int = 0) -> Vec3 | None:
    found = floor_below(document.sim, cell_id or document.sim.graph.current_id, point)
    return None if found is None else found.point


@pytest.mark.parametrize(
    ("point", "height"),
    [
        ((3.0, 3.0, 0.0), 0.0),
        ((3.0, 3.0, 4.0), 0.0),
        ((3.0, 3.0, -0.3), 0.0),
        ((5.0, 5.0, 2.0), 0.8),
        ((2.0, 8.0, 3.0), 0.5),
        ((8.0, 8.0, 5.0), 2.5),
        ((0.05, 3.0, 2.0), 0.0),
        ((5.0, 3.0, 3.0), 0.0),
    ],
    ids=["on it", "above", "sunk", "crate", "low block", "ledge", "close to a wall", "over the player"],
)
def test_the_floor_is_found_under_a_point_of_a_furnished_room(point: Vec3, height: float) -> None:
    document = document_of(built(furnished), "room", (5.0, 3.0))
    assert floor_under(document, point) == pytest.approx((point[0], point[1], height), abs=1e-5)


def test_the_floor_under_a_hatch_is_that_of_the_cellar() -> None:
    sim = standing(built(with_cellar), "room", (3.0, 7.0))
    room = sim.graph.current_id
    over_the_stairs = floor_below(sim, room, (1.7, 2.2, 0.5))
    assert over_the_stairs is not None
    assert over_the_stairs.cell_id == room + 1
    assert over_the_stairs.point[2] == pytest.approx(-2.6, abs=1e-5)
    beside = floor_below(sim, room, (3.0, 6.9, 0.5))
    assert beside is not None
    assert beside.cell_id == room
    assert beside.point[2] == pytest.approx(0.0, abs=1e-6)


def test_on_a_slope_it_is_the_point_of_the_plane_under_the_thing() -> None:
    sim = standing(built(slope), "top", (2.0, 2.0))
    found = floor_below(sim, sim.graph.current_id + 1, (2.0, 8.0, -1.0))
    assert found is not None
    assert found.point == pytest.approx((2.0, 8.0, -2.0), abs=1e-5)
    assert found.normal[2] == pytest.approx(0.8944, abs=1e-4)


def test_outdoors_it_is_the_ground_the_roof_or_the_room_below() -> None:
    sim = simulate(built(house))
    room = built(house).cell_id("room")
    for point, cell_id, height in (
        ((90.0, 80.0, 24.0), 0xC95B001C, 20.0),
        ((108.0, 108.0, 50.0), 0xC95B0025, 23.2),
        ((108.0, 108.0, 21.0), room, 20.0),
    ):
        found = floor_below(sim, 0xC95B0025, point)
        assert found is not None
        assert found.cell_id == cell_id
        assert found.point[2] == pytest.approx(height, abs=1e-4)


def test_where_there_is_nothing_below_there_is_no_floor() -> None:
    sim = standing(built(furnished), "room", (5.0, 3.0))
    assert floor_below(sim, sim.graph.current_id, (50.0, 50.0, 3.0)) is None


def test_a_dropped_entity_stands_on_its_lowest_sphere_turned_as_it_was() -> None:
    document = document_of(built(with_people), "hall", (20.0, 10.0))
    sim = document.sim
    person = sim.population.ordered[0]
    document.edit("Lift", MoveEntity(person.id, person.place_cell(), 10.0, 30.0, 7.0, 30.0))
    edit = drop_entity(sim, person.id)
    state = sim.state_hash()
    assert document.edit("Drop", edit)
    foot = min(sphere.center[2] - sphere.radius for sphere in person.setup.spheres)
    assert person.origin() == pytest.approx((10.0, 30.0, -foot), abs=1e-4)
    assert person.place_frame().heading() == pytest.approx(30.0)
    document.undo()
    assert sim.state_hash() == state


def test_a_door_is_dropped_by_its_origin_and_into_the_room_it_lands_in() -> None:
    document = document_of(built(two_rooms))
    sim = document.sim
    door = sim.population.doors[0]
    study = built(two_rooms).cell_id("study")
    document.edit("Lift", PlaceEntity(door.id, study, 8.0, 2.0, 1.2, *from_heading(90.0)))
    document.edit("Drop", drop_entity(sim, door.id))
    assert door.place_cell() == study
    assert door.origin() == pytest.approx((8.0, 2.0, 0.0), abs=1e-5)


def test_a_static_thing_is_dropped_onto_another_and_stays_its_rooms() -> None:
    document = document_of(built(furnished), "room", (5.0, 3.0))
    sim, room = document.sim, document.sim.graph.current
    assert room is not None
    low = room.static_objects[1]
    document.edit("Lift", *move_static(sim, room.id, 1, Frame((5.0, 5.0, 3.0))))
    document.edit("Drop", *drop_static(sim, low.id))
    now = sim.graph.current
    assert now is not None
    assert now.static_objects[1].frame.origin == pytest.approx((5.0, 5.0, 0.8), abs=1e-5)


def test_a_thing_over_nothing_cannot_be_dropped() -> None:
    document = document_of(built(two_rooms))
    sim = document.sim
    door = sim.population.doors[0]
    document.edit("Away", PlaceEntity(door.id, door.place_cell(), 300.0, 300.0, 1.0, 1.0, 0.0, 0.0, 0.0))
    with pytest.raises(PhysicsError, match="no walkable surface is below door"):
        drop_entity(sim, door.id)
    with pytest.raises(PhysicsError, match="no static thing"):
        drop_static(sim, 1 << 48 | 9)
    with pytest.raises(PhysicsError, match="nowhere yet"):
        drop_entity(simulate(built(two_rooms)), sim.player.id)
