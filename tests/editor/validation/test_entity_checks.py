"""Where entities stand, where portals lead and what levers open: each fault in a small world, and its fix."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from editor.document.document import Document
from editor.validation.findings import Findings
from engine.geometry.frame import Frame
from engine.sim.edits.entities import AddEntity, spec_text
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
