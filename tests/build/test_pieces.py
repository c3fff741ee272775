"""Dungeon pieces: placing, joining, furnishing, and doors where they meet."""

from __future__ import annotations

import pytest

from engine.build import BuildError, WorldBuilder, rect
from engine.build.shapes.furniture import barrel
from engine.geometry.vec import distance


def _pair() -> WorldBuilder:
    world = WorldBuilder()
    piece = world.piece("hall", rect(-2, -3, 4, 6)).joint((0, 3), width=2.0, height=2.5).joint((0, -3))
    piece.put(barrel(), (1.0, 2.0, 0.0), heading=10)
    stopper = world.piece("end", rect(-2, -2, 4, 4)).joint((0, 2))
    door = world.piece("niche", rect(-2, -2, 4, 4)).joint((0, 2), width=2.0, height=2.5)
    world.place(piece, "hall", (0, 0, -3), 90)
    world.place(stopper, "end", (-5, 0, -3), 90)
    world.place(door, "niche", (5, 0, -3), 270)
    return world


def test_joints_that_meet_join_their_rooms() -> None:
    made = _pair().build()
    opened = made.load()
    opened.landblock(0x0007FFFF)
    assert opened.faults() == []
    hall = opened.graph.get_visible(made.cell_id("hall"))
    assert hall is not None
    assert sorted(hall.stab_list) == sorted((made.cell_id("end"), made.cell_id("niche")))


def test_things_of_a_piece_are_placed_with_it() -> None:
    made = _pair().build()
    hall = made.load().graph.get_visible(made.cell_id("hall"))
    assert hall is not None
    (thing,) = hall.static_objects
    assert distance(thing.frame.origin, (2.0, -1.0, -3.0)) < 1e-5
    assert thing.frame.heading() == pytest.approx(100.0, abs=1e-3)


def test_a_double_door_hangs_where_two_pieces_meet() -> None:
    world = _pair()
    rooms = world.rooms.rooms
    opening = world.rooms.between(rooms["hall"], rooms["niche"])
    assert opening.size == (2.0, 2.5)
    world.hang_door(opening, leaves=2, name="gate")
    gate = world.build().entity("gate")
    assert distance(gate.frame.origin, (3.0, 0.0, -3.0)) < 1e-5
    assert distance(gate.frame.local_to_global_vec((0.0, 1.0, 0.0)), (1.0, 0.0, 0.0)) < 1e-5


def test_asking_for_an_opening_between_unconnected_rooms_is_an_error() -> None:
    world = _pair()
    rooms = world.rooms.rooms
    with pytest.raises(BuildError, match="opening 'end-niche': there are 0 between them"):
        world.rooms.between(rooms["end"], rooms["niche"])
