"""Where entities stand, where portals lead and what levers open: each fault in a small world, and its fix."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from editor.document.document import Document
from editor.session.sources import DEMO, open_source
from editor.validation.findings import Findings
from engine.build import OUTDOORS, WorldBuilder, rect, walls
from engine.build.models import Model, Part
from engine.build.shapes.furniture import crate, person
from engine.geometry.frame import Frame
from engine.physics.flags import ETHEREAL
from engine.sim.edits.entities import AddEntity, SetState, spec_text
from engine.sim.edits.world import OpenLandblock
from engine.sim.tick.simulation import Simulation
from engine.survey.wall_checks import is_in_wall
from engine.world.entity_spec import EntitySpec
from engine.world.faults import Fault
from tests.editor.document.small_document import document_of
from tests.editor.validation.test_checks import HALL, STUDY, check
from tests.sim.helpers.small_worlds import built, house, two_rooms

THING = 0x70007201


def doc() -> Document:
    return document_of(built(two_rooms))


def add(document: Document, kind: str, cell_id: int, x: float, y: float, z: float = 0.0, **extra: object) -> None:
    model = next(iter(document.sim.world.entities), None)
    assert model is not None
    spec: EntitySpec = replace(
        model, guid=THING, name="Thing", kind=kind, cell_id=cell_id, frame=Frame((x, y, z)), extra=dict(extra)
    )
    document.edit("Add", AddEntity(spec_text(spec)))


def of_thing(found: Findings) -> list[Fault]:
    return [fault for fault in found.faults if fault.where == THING]


def mend(document: Document, found: Findings) -> None:
    (fault,) = of_thing(found)
    for edit in found.fixes[fault].edits():
        document.edit(found.fixes[fault].name, edit)


def test_a_thing_listed_in_another_room_is_listed_in_its_own_by_the_fix() -> None:
    document = doc()
    add(document, "chest", STUDY, 2.0, 2.0)
    found = check(document)
    (fault,) = of_thing(found)
    assert fault.reason == f"Thing is listed in 0x{STUDY:08X}, but its place is in 0x{HALL:08X}"
    mend(document, found)
    thing = document.sim.population.entity(THING)
    assert (thing.place_cell(), thing.origin()) == (HALL, (2.0, 2.0, 0.0))
    assert of_thing(check(document)) == []


def test_a_thing_in_its_room_is_no_fault() -> None:
    document = doc()
    add(document, "chest", HALL, 2.0, 2.0)
    assert of_thing(check(document)) == []


def test_a_thing_in_a_missing_cell_is_listed_in_the_room_that_holds_it() -> None:
    document = doc()
    add(document, "chest", HALL | 0x0FFF, 2.0, 2.0)
    found = check(document)
    (fault,) = of_thing(found)
    assert "which does not exist" in fault.reason
    mend(document, found)
    assert of_thing(check(document)) == []
    assert document.sim.population.entity(THING).place_cell() == HALL


def test_a_thing_in_no_room_has_no_fix() -> None:
    document = doc()
    add(document, "chest", HALL, -50.0, 2.0)
    found = check(document)
    (fault,) = of_thing(found)
    assert "its place is not in any room" in fault.reason
    assert fault not in found.fixes


def test_a_thing_on_another_land_cell_is_listed_there_by_the_fix() -> None:
    document = document_of(built(house), "room", (108.0, 108.0))
    sim = document.sim
    block_id = document.session.landblock_id
    assert block_id is not None
    low, frame = block_id & 0xFFFF0000 | 1, Frame((30.0, 50.0, 20.0))
    spec = EntitySpec(THING, "Thing", "chest", sim.world.source.model_ids()[0], low, frame, 8)
    document.edit("Add", AddEntity(spec_text(spec)))
    found = check(document)
    (fault,) = of_thing(found)
    land = block_id & 0xFFFF0000 | 1 + 8 + 2
    assert f"stands on 0x{land:08X}" in fault.reason
    mend(document, found)
    assert sim.population.entity(THING).place_cell() == land
    assert of_thing(check(document)) == []


@pytest.mark.parametrize(
    ("destination", "said"),
    [
        (None, "leads nowhere: it has no destination"),
        ({"cell": "nowhere"}, "leads nowhere: its destination names no cell"),
        ({"cell": "0x00070199"}, "leads to 0x00070199, a room that is not there"),
        ({"cell": "0x12340000"}, "leads to 0x12340000, a landblock that is not there"),
        ({"cell": f"0x{STUDY:08X}"}, ""),
    ],
)
def test_a_portal_leads_somewhere(destination: dict[str, str] | None, said: str) -> None:
    document = doc()
    extra: dict[str, Any] = {} if destination is None else {"destination": destination}
    add(document, "portal", HALL, 2.0, 2.0, **extra)
    assert [fault.reason for fault in of_thing(check(document))] == ([f"Thing {said}"] if said else [])


def test_a_lever_opens_something() -> None:
    document = doc()
    door = document.sim.population.doors[0].id
    add(document, "switch", HALL, 2.0, 2.0, activates=[door, 0x12345678])
    (fault,) = of_thing(check(document))
    assert fault.reason == "Thing is linked to 0x12345678, which is nothing"


# --- walls


def box_of(side: float) -> Model:
    return Model("crate", (Part(crate(side)),))


def with_a_crate(x: float, y: float, *, side: float = 0.8) -> Document:
    """A room of 6 by 4 m with a crate, whose middle stands there; a person stands in the middle of the room."""
    world = WorldBuilder()
    hall = world.room("hall", rect(0, 0, 6, 4))
    study = world.room("study", rect(6.2, 0, 4, 4))
    world.doorway(hall, study, width=1.3)
    world.entity("crate", "chest", box_of(side), hall, (x, y), state=8)
    world.entity("person", "creature", person(1.8), hall, (3, 2), state=0x408)
    return document_of(world.build(), "hall")


def stuck(document: Document) -> list[str]:
    return [fault.reason for fault in check(document).faults if "sticks into" in fault.reason]


@pytest.mark.parametrize(
    ("x", "y", "is_stuck"),
    [
        (3.0, 2.0, False),
        (0.4, 2.0, False),  # against the wall
        (0.4, 0.4, False),  # in the corner
        (0.2, 2.0, False),  # a little in the wall
        (0.1, 2.0, True),
        (0.0, 2.0, True),
        (3.0, 3.9, True),
        (5.95, 2.0, False),  # in the doorway
        (5.9, 1.2, True),  # in the wall beside the doorway
    ],
)
def test_a_thing_may_touch_a_wall_but_not_stand_in_it(x: float, y: float, is_stuck: bool) -> None:
    said = stuck(with_a_crate(x, y))
    assert bool(said) == is_stuck
    assert all(reason.startswith("crate sticks into the walls of 0x") for reason in said)


def test_the_fix_moves_a_thing_out_of_the_wall() -> None:
    document = with_a_crate(0.05, 2.0)
    found = check(document)
    (fault,) = [fault for fault in found.faults if "sticks into" in fault.reason]
    assert found.fixes[fault].name == "Move crate out of the Wall"
    document.edit("Move", *found.fixes[fault].edits())
    assert stuck(document) == []
    thing = document.sim.population.entity(fault.where)
    assert 0.1 < thing.origin()[0] < 0.5
    document.undo()
    assert len(stuck(document)) == 1


def test_what_nobody_meets_is_in_no_wall() -> None:
    document = with_a_crate(0.05, 2.0)
    chest = next(entity for entity in document.sim.population.ordered if entity.name == "crate")
    document.edit("Make Ethereal", SetState(chest.id, 8 | ETHEREAL))
    assert stuck(document) == []


def test_a_thing_in_the_wall_of_a_building_is_told_outdoors() -> None:
    world = WorldBuilder()
    land = world.landblock(0xC95B)
    inside = land.building("house", (108, 108), shell=walls(rect(-5, -4, 10, 8), 0, 3.2, "brick"))
    room = inside.room("room", rect(-4.7, -3.7, 9.4, 7.4), height=2.8)
    inside.doorway(room, OUTDOORS, (0, -4), width=1.4, height=2.2, name="entrance")
    for name, x in (("beside", 102.4), ("within", 103.1)):
        land.entity(name, "chest", box_of(0.8), (x, 108), state=8)
    document = document_of(world.build(), "room", (108.0, 108.0))
    document.session.show_landblock(0xC95BFFFF)
    assert [reason.partition(" ")[0] for reason in stuck(document)] == ["within"]


def test_the_demo_has_nothing_in_its_walls() -> None:
    with open_source(DEMO) as world:
        sim = Simulation(world)
        for block_id in world.landblock_ids():
            sim.apply_edit(OpenLandblock(block_id))
            block = world.landblock(block_id)
            assert block is not None
            rooms = {cell.id: cell for cell in block.env_cells}
            inside = [entity for entity in sim.population.ordered if is_in_wall(sim, entity, rooms)]
            assert inside == []
        assert len(sim.population.ordered) > 5
        sim.close()
