"""Static things are added, moved and removed while the world runs: physics and picture follow at once."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from editor.authoring.static_edits import (
    add_static,
    find_static,
    move_static,
    move_thing,
    name_of_static,
    new_static_id,
    rehome_static,
    remove_static,
    remove_thing,
)
from editor.document.document import Document
from engine.build import WorldBuilder, rect
from engine.build.shapes.furniture import crate
from engine.geometry.frame import Frame
from engine.geometry.quat import from_heading
from engine.physics.errors import PhysicsError
from engine.render.scene import Scene
from engine.sim.edits.edit import Edit
from engine.sim.edits.entities import RestoreStatic, SetStateBits
from engine.sim.edits.player import FacePlayer, Teleport
from engine.sim.tick.simulation import Simulation
from engine.world.cells.cell import EnvCell
from tests.editor.authoring.sound_edits import comes_back, is_replayed
from tests.editor.document.small_document import document_of
from tests.sim.helpers.small_worlds import FORWARD, built, feet, furnished, house

CRATE = 0
HALL, STUDY = 0x00070100, 0x00070101


def before_the_crate() -> Document:
    """The player south of the crate in the middle, looking north at it."""
    document = document_of(built(furnished), "room", (5.0, 3.0))
    document.sim.apply_edit(FacePlayer(0.0))
    return document


def room_of_crate(document: Document) -> EnvCell:
    room = document.sim.graph.current
    assert isinstance(room, EnvCell)
    return room


def walked_to(document: Document, seconds: float = 2.5) -> float:
    document.tick_many(round(seconds * 30), FORWARD)
    return feet(document.sim)[1]


def models_in(scene: Scene, cell_id: int) -> list[tuple[int, float, float]]:
    """What the picture has in a cell: model and place."""
    scene.update()
    return sorted(
        (part.model_id, round(part.frame.origin[0], 3), round(part.frame.origin[1], 3))
        for part in scene.parts_in(cell_id)
    )


def test_a_moved_static_blocks_where_it_is_now_and_nowhere_else() -> None:
    document = before_the_crate()
    room = room_of_crate(document)
    document.edit("Move Crate", *move_static(document.sim, room.id, CRATE, Frame((2.0, 5.0, 0.0))))
    assert walked_to(document) > 6.0
    document.sim.apply_edit(Teleport(room.id, 2.0, 3.0, 0.0, 0.0))
    assert walked_to(document) < 4.6


def test_an_added_static_blocks_and_a_removed_one_does_not() -> None:
    document = before_the_crate()
    room = room_of_crate(document)
    model = room.static_objects[CRATE].model_id
    document.edit("Remove Crate", *remove_static(document.sim, room.id, CRATE))
    assert walked_to(document) > 6.0
    document.sim.apply_edit(Teleport(room.id, 5.0, 3.0, 0.0, 0.0))
    new = new_static_id(document.sim, room.id)
    document.edit("Add Crate", *add_static(document.sim, room.id, model, Frame((5.0, 5.0, 0.0))))
    assert new in document.sim.population.statics.things
    assert walked_to(document) < 4.6


def test_the_picture_follows_statics_that_are_edited() -> None:
    document = before_the_crate()
    scene, room = Scene(document.sim.world, document.sim), room_of_crate(document)
    model = room.static_objects[CRATE].model_id
    assert (model, 5.0, 5.0) in models_in(scene, room.id)
    document.edit("Move", *move_static(document.sim, room.id, CRATE, Frame((2.0, 5.0, 0.0))))
    assert (model, 2.0, 5.0) in models_in(scene, room.id)
    document.edit("Add", *add_static(document.sim, room.id, model, Frame((7.0, 3.0, 0.0))))
    assert (model, 7.0, 3.0) in models_in(scene, room.id)
    document.edit("Remove", *remove_static(document.sim, room.id, CRATE))
    assert [place for place in models_in(scene, room.id) if place[0] == model] == [(model, 7.0, 3.0)]
    for _ in range(3):
        document.undo()
    assert [place for place in models_in(scene, room.id) if place[0] == model] == [(model, 5.0, 5.0)]


def crate_edits(document: Document) -> list[Callable[[Simulation], list[Edit]]]:
    room = room_of_crate(document)
    model = room.static_objects[CRATE].model_id
    turned = Frame((3.0, 3.0, 0.5), from_heading(30.0))
    return [
        lambda sim: move_static(sim, room.id, 1, turned),
        lambda sim: add_static(sim, room.id, model, turned),
        lambda sim: remove_static(sim, room.id, CRATE),
    ]


def test_edits_of_statics_come_back_bit_by_bit_and_are_replayed() -> None:
    document = before_the_crate()
    for make in crate_edits(document):
        comes_back(document, make)
    document.tick_many(20, FORWARD)
    for _ in range(3):
        document.undo()
    document.tick_many(20, FORWARD)
    assert len(room_of_crate(document).static_objects) == 3
    is_replayed(document, built(furnished))


def test_undone_after_ticks_a_static_stands_where_it_stood() -> None:
    document = before_the_crate()
    room = room_of_crate(document)
    stood = [thing.frame.origin for thing in room.static_objects]
    document.edit("Move", *move_static(document.sim, room.id, CRATE, Frame((2.0, 5.0, 0.0))))
    document.edit("Remove", *remove_static(document.sim, room.id, 1))
    document.tick_many(5)
    document.undo()
    document.undo()
    assert [thing.frame.origin for thing in room_of_crate(document).static_objects] == stood
    assert walked_to(document) < 4.6


def crate_in_the_hall() -> WorldBuilder:
    """A hall and a study east of it, a doorway between them, and a crate in the hall."""
    world = WorldBuilder()
    hall = world.room("hall", rect(0, 0, 6, 4))
    study = world.room("study", rect(6.2, 0, 4, 4))
    world.doorway(hall, study, width=1.3)
    hall.put(crate(), (1, 1))
    return world


def test_a_static_can_be_given_to_another_room_and_is_registered_there() -> None:
    document = document_of(built(crate_in_the_hall))
    sim = document.sim
    comes_back(document, lambda sim: rehome_static(sim, HALL, CRATE, STUDY, Frame((9.0, 3.0, 0.0))))
    hall, study = sim.graph.get_visible(HALL), sim.graph.get_visible(STUDY)
    assert hall is not None
    assert study is not None
    assert (len(hall.static_objects), len(study.static_objects)) == (0, 1)
    assert sim.population.registry.cells_of(study.static_objects[0].id) == [STUDY]
    with pytest.raises(PhysicsError, match="another landblock"):
        rehome_static(sim, STUDY, 0, 0x00080100, Frame())
    with pytest.raises(PhysicsError, match="no static thing 3"):
        rehome_static(sim, STUDY, 3, HALL, Frame())


# --- of landblocks


def outside_the_house() -> Document:
    """South of the crate that stands on the land at (90, 90), looking north at it."""
    document = document_of(built(house), "room", (108.0, 108.0))
    document.sim.apply_edit(Teleport(0xC95BFFFF, 90.0, 87.0, 20.0, 0.0))
    return document


def land_crate(sim: Simulation) -> int:
    return next(thing for thing in sim.population.statics.things if thing >> 16 & 0xFFFF == 0xFFFE)


def test_a_static_of_the_land_is_found_moved_and_taken_out_and_comes_back() -> None:
    document = outside_the_house()
    sim = document.sim
    box = land_crate(sim)
    place = find_static(sim, box)
    assert place is not None
    assert not place.in_a_room
    assert name_of_static(place).startswith("Model 0x0")
    comes_back(document, lambda sim: move_thing(sim, box, Frame((80.0, 90.0, 20.0), from_heading(45.0))))
    comes_back(document, lambda sim: remove_thing(sim, box))
    document.tick()
    document.undo()
    document.undo()
    entry = sim.population.registry.entity(box)
    assert entry.frame.origin == place.frame.origin
    assert walked_to(document) < 90.0
    document.edit("Remove", *remove_thing(sim, box))
    assert walked_to(document) > 90.0
    is_replayed(document, built(house))


def test_a_static_of_the_land_that_was_hidden_and_moved_comes_back_so() -> None:
    document = outside_the_house()
    sim = document.sim
    box = land_crate(sim)
    document.edit("Move", *move_thing(sim, box, Frame((80.0, 90.0, 20.0))))
    document.edit("Ghost", SetStateBits(box, 0x4, True))
    state = sim.population.state_of(box)
    document.edit("Remove", *remove_thing(sim, box))
    document.tick()
    document.undo()
    entry = sim.population.registry.entity(box)
    assert (entry.frame.origin, entry.obj.state) == ((80.0, 90.0, 20.0), state)


def test_the_picture_of_a_static_of_the_land_goes_and_comes_back() -> None:
    document = outside_the_house()
    sim = document.sim
    scene, box = Scene(sim.world, sim), land_crate(sim)
    here = sim.population.registry.entity(box).cell_ids[0]
    shown = models_in(scene, here)
    document.edit("Remove", *remove_thing(sim, box))
    assert models_in(scene, here) != shown
    document.tick()
    document.undo()
    assert models_in(scene, here) == shown


def test_statics_that_are_not_there_are_refused() -> None:
    document = before_the_crate()
    sim, room = document.sim, room_of_crate(document)
    with pytest.raises(PhysicsError, match="no static thing 9"):
        move_static(sim, room.id, 9, Frame())
    with pytest.raises(PhysicsError, match="no static thing 9"):
        remove_static(sim, room.id, 9)
    with pytest.raises(PhysicsError, match="no model 0x02FFFFFF"):
        add_static(sim, room.id, 0x02FFFFFF, Frame())
    with pytest.raises(PhysicsError, match="could be edited"):
        move_thing(sim, 1 << 48 | 0x00070177 << 16, Frame())
    with pytest.raises(PhysicsError, match="is not a place"):
        move_static(sim, room.id, 0, Frame((0.0, 0.0, float("nan"))))
    state = sim.state_hash()
    with pytest.raises(PhysicsError, match="no solid static thing"):
        sim.apply_edit(RestoreStatic(1 << 48 | room.id << 16 | 9))
    with pytest.raises(PhysicsError, match="no solid static thing"):
        sim.apply_edit(RestoreStatic(room.static_objects[0].id))
    assert sim.state_hash() == state
