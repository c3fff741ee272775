"""Details as rows: decoded flags, names beside ids, links, and doors as they are now."""

from __future__ import annotations

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from editor.document.document import Document
from editor.models.details import details, model_details, title_of
from editor.models.inspector import STATE_BITS, Fact, decoded, each, facts_of, owner_of_portals
from editor.session.session import Kind, Selection
from engine.physics import flags
from engine.sim.edits.doors import LockDoor, OpenDoor
from engine.sim.edits.entities import SetState
from engine.world.cells.cell import EnvCell
from engine.world.names import NameKey
from tests.editor.document.small_document import document_of
from tests.sim.helpers.small_worlds import built, two_rooms

BLOCK, HALL, STUDY = 0x0007FFFF, 0x00070100, 0x00070101
IN_HALL = Selection(Kind.CELL, BLOCK, HALL)


@pytest.fixture
def document() -> Document:
    return document_of(built(two_rooms))


def rows(document: Document, selection: Selection) -> dict[tuple[str, ...], Fact]:
    sim = document.sim
    data = details(sim.world, selection, sim)
    return dict(each(facts_of(data, sim.world.names, owner_of_portals(selection))))


def door_of(document: Document) -> Selection:
    return Selection(Kind.ENTITY, BLOCK, document.sim.population.doors[0].id)


@given(st.integers(0, 0xFFFFFFFF))
def test_decoded_bits_are_all_bits_and_nothing_else(value: int) -> None:
    found = decoded(value, STATE_BITS)
    assert sum(bit for _, bit in found) == value
    for name, bit in found:
        assert getattr(flags, name, None) == bit or name == f"0x{bit:X}"


def test_a_state_is_shown_with_its_bits_and_unnamed_ones_in_hex(document: Document) -> None:
    door = door_of(document)
    document.edit("State", SetState(door.key, 0x80010008))
    found = rows(document, door)
    assert found[("state",)].text == "0x80010008  REPORT_COLLISIONS, HAS_PHYSICS_BSP, 0x80000000"
    assert found[("state", "HAS_PHYSICS_BSP")].text == "0x10000"


def test_a_locked_door_is_locked_in_the_details(document: Document) -> None:
    door = door_of(document)
    assert rows(document, door)[("door", "locked")].text == "no"
    document.edit("Lock", LockDoor(door.key, True))
    assert rows(document, door)[("door", "locked")].text == "yes"
    assert not any(path[-1] == "locked" and fact.text == "no" for path, fact in rows(document, door).items())
    document.edit("Open", OpenDoor(door.key))
    assert rows(document, door)[("door", "open")].text == "yes"


def test_cells_models_and_portals_are_links_with_their_names(document: Document) -> None:
    room = document.sim.graph.get_visible(HALL)
    assert isinstance(room, EnvCell)
    beyond = room.portals[0].other_cell_id
    document.rename("Name", {NameKey.cell(beyond): "Doorway", NameKey.portal(HALL, 0): "Oak door"})
    found = rows(document, IN_HALL)
    leads = found[("portals", "0", "leads to")]
    assert leads.text == f"0x{beyond:08X} Doorway"
    assert leads.full == f"0x{beyond:08X}"
    assert leads.link is not None
    assert leads.link.text == f"0x{beyond:08X}"
    portal = found[("portals", "0")].link
    assert portal is not None
    assert portal.portal is not None
    assert (portal.portal.owner, portal.portal.index) == (IN_HALL, 0)
    assert portal.text == "portal 0 (Oak door) of 0x00070100"
    setup = rows(document, door_of(document))[("setup",)].link
    assert setup is not None
    assert setup.model_id == document.sim.population.doors[0].setup.id
    assert model_details(document.sim.world, setup.model_id)["id"] == f"0x{setup.model_id:08X}"


def test_portal_and_cell_flags_are_decoded(document: Document) -> None:
    found = rows(document, IN_HALL)
    portal = found[("portals", "0", "flags")]
    assert "EXACT_MATCH" in portal.text
    assert found[("flags",)].text.startswith("0x")


def test_ids_are_upper_case_in_all_details(document: Document) -> None:
    world = document.sim.world
    for selection in (IN_HALL, door_of(document), Selection(Kind.LANDBLOCK, BLOCK, BLOCK)):
        for _, fact in each(facts_of(details(world, selection, document.sim), world.names)):
            assert not re.search("0x[0-9A-F]*[a-f]", fact.text)


def test_the_player_has_a_name_and_details(document: Document) -> None:
    sim = document.sim
    player = Selection(Kind.ENTITY, BLOCK, sim.player.id)
    assert title_of(sim.world, player, sim) == f"Entity {sim.player.name}"
    found = rows(document, player)
    assert found[("kind",)].text == "player"
    assert ("velocity",) in found
    assert found[("cell",)].link is not None
