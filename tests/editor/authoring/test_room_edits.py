"""Edits of rooms, sizes and light without a window: the next tick and the picture follow them, and undo restores
all."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import pytest

from editor.authoring.cell_edits import (
    link_portal,
    room_of,
    set_cell_frame,
    set_portal,
    set_portal_flags,
    set_seen_outside,
    set_stab_list,
)
from editor.authoring.dropping import drop_entity
from editor.authoring.static_edits import add_static
from editor.document.document import Document
from engine.geometry.frame import Frame
from engine.geometry.quat import from_heading
from engine.geometry.vec import sub
from engine.physics.errors import PhysicsError
from engine.render.draws import Owner
from engine.render.scene import Scene
from engine.sim.edits.doors import LockDoor
from engine.sim.edits.edit import Edit
from engine.sim.edits.entities import SetScale
from engine.sim.edits.placing import PlaceEntity
from engine.sim.edits.player import FacePlayer, SetPlayerNumber, Teleport
from engine.sim.edits.world import SetTimeOfDay
from engine.sim.tick.simulation import Simulation
from engine.world.cells.portals import OUTSIDE
from tests.editor.authoring.sound_edits import comes_back, is_replayed
from tests.editor.document.small_document import document_of
from tests.sim.helpers.small_worlds import FORWARD, built, feet, furnished, open_rooms, two_rooms, with_people

HALL, STUDY, BETWEEN = 0x00070100, 0x00070101, 0x00070102

Make = Callable[[Simulation], Sequence[Edit]]


def touched_in_the_hall(document: Document) -> set[int]:
    """The cells that the player's sweeps touch while he walks through the hall to the doorway of the study."""
    document.sim.apply_edit(Teleport(HALL, 3.0, 2.0, 0.0, 90.0))
    found: set[int] = set()
    while feet(document.sim)[0] < 5.9:
        found.update(document.tick(FORWARD).cell_array)
    return found


# --- where portals lead


def test_a_sweep_does_not_reach_through_a_portal_that_leads_elsewhere() -> None:
    document = document_of(built(open_rooms))
    assert touched_in_the_hall(document) == {HALL, BETWEEN, STUDY}
    assert document.edit("Astray", *link_portal(document.sim, HALL, 0, HALL, 0, False))
    assert touched_in_the_hall(document) == {HALL}
    document.undo()
    assert touched_in_the_hall(document) == {HALL, BETWEEN, STUDY}


def test_linking_both_sides_pairs_them_and_linking_one_leaves_the_other() -> None:
    document = document_of(built(open_rooms))
    document.edit("Both", *link_portal(document.sim, HALL, 0, STUDY, 0, True))
    ours, theirs = room_of(document.sim, HALL).portals[0], room_of(document.sim, STUDY).portals[0]
    assert (ours.other_cell_id, ours.other_portal_id) == (STUDY, 0)
    assert (theirs.other_cell_id, theirs.other_portal_id) == (HALL, 0)
    document.undo()
    document.edit("One", *link_portal(document.sim, HALL, 0, STUDY, 0, False))
    assert room_of(document.sim, STUDY).portals[0].other_cell_id == BETWEEN


def test_a_link_of_a_room_with_itself_changes_both_portals() -> None:
    document = document_of(built(open_rooms))
    document.edit("Loop", *link_portal(document.sim, BETWEEN, 0, BETWEEN, 1, True))
    first, second = room_of(document.sim, BETWEEN).portals[:2]
    assert (first.other_cell_id, first.other_portal_id) == (BETWEEN, 1)
    assert (second.other_cell_id, second.other_portal_id) == (BETWEEN, 0)


def test_the_outdoor_flag_follows_where_a_portal_is_led() -> None:
    document = document_of(built(open_rooms))
    document.edit("Out", *link_portal(document.sim, HALL, 0, OUTSIDE, -1, True))
    portal = room_of(document.sim, HALL).portals[0]
    assert (portal.leads_outside, portal.flags & 0x4, portal.other_portal_id) == (True, 0x4, -1)
    document.edit("In", *link_portal(document.sim, HALL, 0, BETWEEN, 0, False))
    assert room_of(document.sim, HALL).portals[0].flags & 0x4 == 0
    document.edit("Nonsense", *set_portal(document.sim, HALL, 0, BETWEEN, 0, 0x4))
    assert room_of(document.sim, HALL).portals[0].leads_outside, "one may want to see what that does"


def test_impossible_links_are_refused() -> None:
    sim = document_of(built(open_rooms)).sim
    with pytest.raises(PhysicsError, match="has no portal 9"):
        link_portal(sim, HALL, 9, STUDY, 0, False)
    with pytest.raises(PhysicsError, match="no portal 7, so it cannot lead back"):
        link_portal(sim, HALL, 0, STUDY, 7, True)
    with pytest.raises(PhysicsError, match="another landblock"):
        link_portal(sim, HALL, 0, 0x00080100, 0, False)
    with pytest.raises(PhysicsError, match="not a portal number"):
        set_portal(sim, HALL, 0, STUDY, 0x10000, 0)


# --- a whole room


def test_a_room_is_moved_with_its_things_and_its_picture_and_what_it_blocks() -> None:
    document = document_of(built(furnished), "room", (5.0, 3.0))
    sim = document.sim
    scene, room = Scene(sim.world, sim), sim.graph.current_id
    before, player = room_of(sim, room), feet(sim)
    shell = scene.shell(room)
    assert shell is not None
    target = Frame((before.frame.origin[0] + 3.0, before.frame.origin[1], 1.0), before.frame.rotation)
    assert document.edit("Move", *set_cell_frame(sim, room, target, True))
    scene.update()
    shell = scene.shell(room)
    assert shell is not None
    assert shell.frame.origin == target.origin
    drawn = {part.object_id: part.frame.origin for part in scene.parts_in(room) if part.owner is Owner.CELL}
    for thing, was in zip(room_of(sim, room).static_objects, before.static_objects, strict=True):
        assert sub(thing.frame.origin, was.frame.origin) == pytest.approx((3.0, 0.0, 1.0), abs=1e-5)
        assert drawn[thing.id] == pytest.approx(thing.frame.origin, abs=1e-5)
    assert sub(feet(sim), player) == pytest.approx((3.0, 0.0, 1.0), abs=1e-5)
    document.tick_many(10)
    assert feet(sim)[2] == pytest.approx(1.0, abs=1e-3), "he stands on the floor that came along"


def test_a_room_that_is_moved_alone_leaves_who_is_in_it_behind() -> None:
    document = document_of(built(furnished), "room", (5.0, 3.0))
    sim, player = document.sim, feet(document.sim)
    room = sim.graph.current_id
    document.edit("Sink", *set_cell_frame(sim, room, Frame((0.0, 0.0, -2.0))))
    assert feet(sim) == player
    document.tick_many(60)
    assert feet(sim) == pytest.approx((player[0], player[1], -2.0), abs=1e-3), "and falls onto its floor"


def test_a_turned_room_turns_its_things_about_its_origin() -> None:
    document = document_of(built(furnished), "room", (5.0, 3.0))
    sim = document.sim
    room = sim.graph.current_id
    before = [room_of(sim, room).frame.global_to_local(t.frame.origin) for t in room_of(sim, room).static_objects]
    document.edit("Turn", *set_cell_frame(sim, room, Frame((1.0, 2.0, 0.0), from_heading(90.0)), True))
    after = room_of(sim, room)
    for was, thing in zip(before, after.static_objects, strict=True):
        assert after.frame.global_to_local(thing.frame.origin) == pytest.approx(was, abs=1e-4)
    assert after.static_objects[0].frame.heading() == pytest.approx(90.0, abs=1e-3)


# --- the picture of sizes and light


def test_the_picture_shows_an_entity_in_its_size() -> None:
    document = document_of(built(two_rooms))
    sim = document.sim
    scene, door = Scene(sim.world, sim), sim.population.doors[0].id
    document.edit("Scale", SetScale(door, 2.0))
    scene.update()
    assert {part.scale for part in scene.parts_of(door)} == {(2.0, 2.0, 2.0)}
    document.undo()
    scene.update()
    assert {part.scale for part in scene.parts_of(door)} == {(1.0, 1.0, 1.0)}


def test_the_picture_follows_the_time_of_day_which_undo_leaves_alone() -> None:
    document = document_of(built(two_rooms))
    scene = Scene(document.sim.world, document.sim)
    document.edit("Lock", LockDoor(document.sim.population.doors[0].id, True))
    document.set_light("Light", SetTimeOfDay(0.3))
    scene.update()
    assert (scene.time_of_day, scene.daylight().time, document.stack.count()) == (0.3, 0.3, 1)
    document.undo()
    scene.update()
    assert (scene.time_of_day, document.sim.population.doors[0].locked) == (0.3, False)
    document.tick_many(3)
    document.go_to(1)
    assert document.sim.time_of_day == 0.3
    is_replayed(document, built(two_rooms))


# --- all of them


def room_steps() -> list[Make]:
    turned = Frame((0.5, -0.25, 0.0), from_heading(5.0))
    return [
        lambda sim: set_seen_outside(sim, HALL, not room_of(sim, HALL).seen_outside),
        lambda sim: set_portal_flags(sim, HALL, 0, room_of(sim, HALL).portals[0].flags ^ 0x1),
        lambda sim: link_portal(sim, HALL, 0, STUDY, 0, True),
        lambda sim: set_stab_list(sim, STUDY, [HALL]),
        lambda sim: set_cell_frame(sim, STUDY, turned, True),
        lambda sim: add_static(sim, STUDY, sim.population.doors[0].setup.id, turned),
        lambda sim: [SetScale(sim.population.doors[0].id, 1.5)],
        lambda sim: [SetTimeOfDay(0.9)],
        lambda sim: [PlaceEntity(sim.population.doors[0].id, HALL, 3.0, 3.0, 0.4, 1.0, 0.0, 0.0, 0.0)],
        lambda sim: [drop_entity(sim, sim.population.doors[0].id)],
        lambda sim: [SetPlayerNumber("pk", 1.0)],
        lambda sim: [FacePlayer(33.0)],
    ]


def test_every_edit_comes_back_bit_by_bit_and_a_recording_makes_all_again() -> None:
    document = document_of(built(two_rooms))
    for make in room_steps():
        comes_back(document, make)
        document.tick_many(3, FORWARD)
    for _ in range(len(room_steps())):
        document.undo()
        document.tick(FORWARD)
    is_replayed(document, built(two_rooms))


def test_undone_after_ticks_the_records_are_those_that_were_there() -> None:
    document = document_of(built(two_rooms))
    sim = document.sim
    before = {cell_id: _described(sim, cell_id) for cell_id in (HALL, STUDY)}
    for make in room_steps():
        document.edit("step", *make(sim))
        document.tick()
    while document.stack.can_undo():
        document.undo()
        document.tick()
    assert {cell_id: _described(sim, cell_id) for cell_id in (HALL, STUDY)} == before
    assert (sim.time_of_day, sim.population.doors[0].scale, sim.player.number("pk")) == (0.5, 1.0, 0.0)


def _described(sim: Simulation, cell_id: int) -> tuple[object, ...]:
    room = room_of(sim, cell_id)
    place = (room.frame.origin, room.frame.rotation)
    return (room.flags, place, repr(room.portals), room.stab_list, repr(room.static_objects))


def test_a_scaled_person_is_followed_by_seeking() -> None:
    document = document_of(built(with_people), "hall", (20.0, 10.0))
    who = document.sim.population.ordered[0].id
    document.tick_many(5)
    document.edit("Scale", SetScale(who, 2.0))
    document.tick_many(5)
    document.go_to(3)
    assert document.sim.population.entity(who).scale == 1.0
    document.go_to(9)
    assert document.sim.population.entity(who).scale == 2.0
