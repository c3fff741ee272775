"""Moving, turning, nudging and dropping the selection, without a window."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from PySide6.QtTest import QSignalSpy

from editor.authoring.cell_lookup import cell_of_place, foot_of
from editor.document.document import READ_ONLY, Document
from editor.session.session import Kind, Selection
from editor.view3d.gizmo import AXES, Gizmo, Handle, Mode
from editor.view3d.manipulable import movable_of
from editor.view3d.manipulation import CHOOSE, STAYS, Manipulation
from engine.build import WorldBuilder, rect
from engine.build.built import BuiltWorld
from engine.build.shapes.furniture import crate
from engine.geometry.frame import Frame
from engine.geometry.vec import Vec3, add, scale, sub
from engine.visibility.camera import Camera, looking
from tests.editor.document.small_document import document_of
from tests.sim.helpers.small_worlds import built as small_world
from tests.sim.helpers.small_worlds import furnished

HALL, STUDY, DOORWAY = "hall", "study", "hall-study"


@pytest.fixture(scope="module")
def built() -> BuiltWorld:
    """A hall and a study with an open doorway between them, and a chest in the hall."""
    world = WorldBuilder()
    hall = world.room(HALL, rect(0, 0, 6, 4), height=2.8)
    study = world.room(STUDY, rect(6.3, 0, 5, 4), height=2.8)
    world.doorway(hall, study, name=DOORWAY)
    world.door(hall, world.room("closet", rect(0, 4.3, 6, 3), height=2.8))
    return world.build()


@pytest.fixture
def document(built: BuiltWorld) -> Iterator[Document]:
    made = document_of(built, HALL, (1.0, 1.0))
    yield made
    made.sim.close()


def door_of(document: Document) -> int:
    return document.sim.population.doors[0].id


def select(document: Document, entity_id: int) -> None:
    block = document.world
    assert block is not None
    document.session.select(Selection(Kind.ENTITY, block.landblock_ids()[0], entity_id))


def origin(document: Document, entity_id: int) -> Vec3:
    return document.sim.population.entity(entity_id).place_frame().origin


@pytest.fixture
def hand(document: Document) -> Manipulation:
    """The manipulation of the door, seen from above and from the south."""
    select(document, door_of(document))
    x, y, z = origin(document, door_of(document))
    block = document.sim.population.entity(door_of(document)).place_cell()
    camera = looking(block, (x + 1.0, y - 5.0, z + 4.0), 350.0, -35.0, 900.0, 600.0, 450.0)
    return Manipulation(document, lambda: camera)


def gizmo_of(hand: Manipulation) -> Gizmo:
    found = hand.gizmo()
    assert found is not None
    return found


def grab(hand: Manipulation, handle: Handle) -> Gizmo:
    """Grab a handle at a pixel where it is the only one nearby."""
    gizmo = gizmo_of(hand)
    if handle.is_ring:
        points, depth = gizmo.ring(handle.axis)
        at = points[int(depth.argmin())]
    else:
        at = gizmo.pixel(gizmo.along(handle.axis, 0.75))
    assert hand.grab(*at)
    assert hand.hot is handle
    return gizmo


def pull(hand: Manipulation, gizmo: Gizmo, axis: int, metres: float, *, snap: bool = False) -> None:
    """Drag so that the grabbed point moves along its axis."""
    start = gizmo.along(axis, 0.75)
    hand.drag(*gizmo.pixel(add(start, scale(AXES[axis], metres))), snap=snap)


# --- dragging


def test_a_drag_is_one_named_step_and_undo_restores_the_same_bits(document: Document, hand: Manipulation) -> None:
    before, where = document.sim.state_hash(), origin(document, door_of(document))
    gizmo = grab(hand, Handle.X)
    for metres in (0.2, 0.5, 0.9):
        pull(hand, gizmo, 0, metres)
    hand.let_go()
    assert sub(origin(document, door_of(document)), where) == pytest.approx((0.9, 0.0, 0.0), abs=1e-4)
    assert (document.stack.count(), document.stack.undo_text()) == (1, "Move hall-closet door")
    document.undo()
    assert document.sim.state_hash() == before


def test_the_world_reacts_during_the_drag(document: Document, hand: Manipulation) -> None:
    edits = QSignalSpy(document.edited)
    gizmo = grab(hand, Handle.Z)
    pull(hand, gizmo, 2, 0.3)
    first = edits.count()
    pull(hand, gizmo, 2, 0.6)
    assert 0 < first < edits.count()
    assert origin(document, door_of(document))[2] == pytest.approx(0.6, abs=1e-4)


def test_cancelling_a_drag_restores_the_bits_and_leaves_no_undo_step(document: Document, hand: Manipulation) -> None:
    before = document.sim.state_hash()
    pull(hand, grab(hand, Handle.Y), 1, 1.5)
    assert document.sim.state_hash() != before
    assert hand.cancel()
    assert document.sim.state_hash() == before
    assert (document.stack.count(), document.stack.can_redo()) == (0, False)
    assert document.stack.done is document.stack.undone is None
    assert not hand.cancel()


def test_a_drag_that_ends_where_it_began_leaves_no_undo_step(document: Document, hand: Manipulation) -> None:
    before = document.sim.state_hash()
    gizmo = grab(hand, Handle.X)
    pull(hand, gizmo, 0, 1.0)
    pull(hand, gizmo, 0, 0.02, snap=True)
    hand.let_go()
    assert document.sim.state_hash() == before
    assert document.stack.count() == 0


def test_a_drag_can_be_cancelled_after_the_world_has_run_on(document: Document, hand: Manipulation) -> None:
    where = origin(document, door_of(document))
    gizmo = grab(hand, Handle.X)
    pull(hand, gizmo, 0, 0.5)
    document.tick_many(3)
    pull(hand, gizmo, 0, 1.0)
    hand.cancel()
    assert origin(document, door_of(document)) == where
    assert document.stack.count() == 0


def test_two_drags_are_two_undo_steps(document: Document, hand: Manipulation) -> None:
    for metres in (0.5, 0.25):
        pull(hand, grab(hand, Handle.X), 0, metres)
        hand.let_go()
    assert document.stack.count() == 2


def test_ctrl_snaps_and_the_hint_gives_the_distance(document: Document, hand: Manipulation) -> None:
    said = QSignalSpy(hand.hinted)
    where = origin(document, door_of(document))
    pull(hand, grab(hand, Handle.X), 0, 0.61, snap=True)
    assert origin(document, door_of(document))[0] - where[0] == pytest.approx(0.5, abs=1e-5)
    assert said.at(said.count() - 1)[0].startswith("Moving hall-closet door  x +0.500 m")


def test_a_ring_turns_clockwise_in_steps_of_fifteen_degrees(document: Document, hand: Manipulation) -> None:
    hand.set_mode(Mode.TURN)
    before = document.sim.population.entity(door_of(document)).place_frame().heading()
    gizmo = grab(hand, Handle.TURN_Z)
    points, depth = gizmo.ring(2)
    hand.drag(*points[(int(depth.argmin()) - 8) % len(points)], snap=True)  # clockwise, 45 degrees
    hand.let_go()
    after = document.sim.population.entity(door_of(document)).place_frame().heading()
    assert (after - before) % 360.0 == pytest.approx(45.0, abs=1e-3)
    assert document.stack.undo_text() == "Turn hall-closet door"


def test_the_gizmo_is_hidden_in_the_past(document: Document, hand: Manipulation) -> None:
    document.tick_many(5)
    document.go_to(2)
    assert hand.gizmo() is None
    assert hand.why_not() == READ_ONLY
    assert not hand.nudge(1, 0, 0)


def test_changing_the_selection_ends_the_drag(document: Document, hand: Manipulation) -> None:
    grab(hand, Handle.X)
    document.session.select(None)
    assert not hand.is_dragging
    assert hand.gizmo() is None


# --- changing cells


def test_a_thing_dragged_over_a_threshold_enters_the_next_cell(built: BuiltWorld, document: Document) -> None:
    sim = document.sim
    select(document, sim.player.id)
    thing = movable_of(sim, document.session.selection)
    assert thing is not None
    camera = looking(thing.cell_id, (3.0, -3.0, 9.0), 0.0, -60.0, 900.0, 600.0, 450.0)
    hand = Manipulation(document, lambda: camera)
    hand.nudge(0, 1, 0, coarse=True)
    seen = [thing.cell_id]
    for _ in range(4):
        hand.nudge(0, 1, 0, coarse=True)  # to the middle of the hall, before the doorway
    for _ in range(30):
        hand.nudge(1, 0, 0, coarse=True)
        cell_id = sim.player.place_cell()
        if cell_id != seen[-1]:
            seen.append(cell_id)
    assert seen == [built.cell_id(HALL), built.cell_id(DOORWAY), built.cell_id(STUDY)]
    assert sim.graph.current_id == built.cell_id(STUDY)
    assert document.stack.count() == 1


def test_a_thing_inside_a_wall_stays_in_the_cell_it_came_from(built: BuiltWorld, document: Document) -> None:
    foot = foot_of(document.sim.population.doors[0].setup, 1.0)
    hall = built.cell_id(HALL)
    assert cell_of_place(document.sim, hall, Frame((-0.2, 1.0, 0.0)), foot)[0] == hall


def test_a_thing_placed_deep_in_a_visible_room_belongs_to_that_room(built: BuiltWorld, document: Document) -> None:
    foot = foot_of(document.sim.population.doors[0].setup, 1.0)
    hall, study = built.cell_id(HALL), built.cell_id(STUDY)
    assert cell_of_place(document.sim, hall, Frame((10.0, 2.0, 0.0)), foot)[0] == study
    assert cell_of_place(document.sim, study, Frame((1.0, 2.0, 0.0)), foot)[0] == hall


# --- keys


def test_nudges_follow_the_view_and_make_one_undo_step(document: Document, hand: Manipulation) -> None:
    x, y, z = origin(document, door_of(document))
    assert hand.nudge(1, 0, 0)
    assert hand.nudge(0, -1, 0, fine=True)
    assert hand.nudge(0, 0, 1, coarse=True)
    assert origin(document, door_of(document)) == pytest.approx((x + 0.1, y - 0.01, z + 0.25), abs=1e-5)
    assert document.stack.count() == 1
    document.undo()
    assert origin(document, door_of(document)) == (x, y, z)


def test_a_nudge_to_the_right_reverses_when_seen_from_behind(document: Document, hand: Manipulation) -> None:
    x, y, z = origin(document, door_of(document))
    block = document.sim.population.entity(door_of(document)).place_cell()
    behind: Camera = looking(block, (x, y + 5.0, z + 2.0), 180.0, -10.0, 900.0, 600.0, 450.0)
    Manipulation(document, lambda: behind).nudge(1, 0, 0)
    assert origin(document, door_of(document))[0] == pytest.approx(x - 0.1, abs=1e-5)


def test_a_floating_thing_drops_to_the_floor_in_one_step(document: Document, hand: Manipulation) -> None:
    for _ in range(5):
        hand.nudge(0, 0, 1, coarse=True)
    hand.drop()
    assert origin(document, door_of(document))[2] == pytest.approx(0.0, abs=1e-3)
    assert document.stack.undo_text() == "Drop hall-closet door to the Floor"


def test_undo_reverts_delete_and_duplicate_and_the_copy_is_selected(document: Document, hand: Manipulation) -> None:
    before = document.sim.state_hash()
    hand.duplicate()
    assert len(document.sim.population.doors) == 2
    selection = document.session.selection
    assert selection is not None
    assert selection.key not in (0, door_of(document)) or selection.key == document.sim.population.doors[-1].id
    hand.delete()
    assert len(document.sim.population.doors) == 1
    assert document.session.selection is None
    document.undo()
    document.undo()
    assert document.sim.state_hash() == before


def test_the_player_can_be_moved_but_not_deleted(document: Document, hand: Manipulation) -> None:
    select(document, document.sim.player.id)
    assert (hand.why_not(), hand.why_not(player=True)) == (STAYS, "")
    hand.delete()
    hand.duplicate()
    assert document.stack.count() == 0
    document.session.select(None)
    assert hand.why_not() == CHOOSE


# --- static objects


def test_a_static_object_moves_turns_and_drops_and_stays_its_rooms() -> None:
    document = document_of(small_world(furnished), "room", (5.0, 3.0))
    before, world = document.sim.state_hash(), document.world
    assert world is not None
    block = world.landblock(world.landblock_ids()[0])
    assert block is not None
    room = next(cell for cell in block.env_cells if cell.static_objects)
    document.session.select(Selection(Kind.STATIC, block.id, room.static_objects[0].id))
    x, y, z = room.static_objects[0].frame.origin
    camera = looking(room.id, (x + 1.0, y - 5.0, z + 4.0), 350.0, -35.0, 900.0, 600.0, 450.0)
    hand = Manipulation(document, lambda: camera)
    pull(hand, grab(hand, Handle.Z), 2, 0.5)
    hand.let_go()

    def now() -> Frame:
        cell = document.sim.graph.get_visible(room.id)
        assert cell is not None
        return cell.static_objects[0].frame

    assert now().origin == pytest.approx((x, y, z + 0.5), abs=1e-4)
    hand.set_mode(Mode.TURN)
    assert len(gizmo_of(hand).handles) == 3
    hand.drop()
    assert now().origin == pytest.approx((x, y, z), abs=1e-3)
    assert document.stack.count() == 2
    document.undo()
    document.undo()
    assert document.sim.state_hash() == before


def test_a_table_dragged_through_a_doorway_changes_rooms_in_the_same_step() -> None:
    world = WorldBuilder()
    hall = world.room(HALL, rect(0, 0, 6, 4), height=2.8)
    study = world.room(STUDY, rect(6.3, 0, 5, 4), height=2.8)
    world.doorway(hall, study)
    hall.put(crate(), (4.0, 2.0))
    made = world.build()
    document = document_of(made, HALL, (1.0, 1.0))
    sim = document.sim
    room = sim.graph.get_visible(made.cell_id(HALL))
    assert room is not None
    document.session.select(Selection(Kind.STATIC, room.id | 0xFFFF, room.static_objects[0].id))
    camera = looking(room.id, (5.0, -5.0, 6.0), 0.0, -35.0, 900.0, 600.0, 450.0)
    hand = Manipulation(document, lambda: camera)
    gizmo = grab(hand, Handle.X)
    for metres in (1.0, 2.5, 4.5):
        pull(hand, gizmo, 0, metres)
    hand.let_go()
    old, new = (sim.graph.get_visible(made.cell_id(name)) for name in (HALL, STUDY))
    assert old is not None
    assert new is not None
    assert not old.static_objects
    assert new.static_objects[0].frame.origin == pytest.approx((8.5, 2.0, 0.0), abs=1e-3)
    assert document.session.selection == Selection(Kind.STATIC, room.id | 0xFFFF, new.static_objects[0].id)
    assert document.stack.count() == 1
    document.tick_many(3)
    document.undo()
    back = sim.graph.get_visible(made.cell_id(HALL))
    assert back is not None
    assert back.static_objects[0].frame.origin == pytest.approx((4.0, 2.0, 0.0), abs=1e-4)
    sim.close()
