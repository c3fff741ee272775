"""Each check finds its fault in a small world with exactly that fault, and its fix removes it."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from editor.authoring.cell_edits import (
    link_portal,
    set_portal_back,
    set_portal_flags,
    set_seen_outside,
    set_stab_list,
)
from editor.document.document import Document
from editor.session.session import Kind, Selection
from editor.session.sources import DEMO, open_source
from editor.validation.checks import Findings, check_block
from engine.build import OUTDOORS, WorldBuilder, rect
from engine.sim.edits.entities import MoveEntity
from engine.sim.edits.placing import PlaceEntity
from engine.sim.tick.simulation import Simulation
from engine.survey.stabs.question import computed_stab_lists
from engine.world.cells.portals import LEADS_OUTSIDE, CellPortal
from engine.world.faults import PORTAL, PORTAL_LINK, PORTAL_SIDE, SEEN_OUTSIDE, STAB_LIST, Fault
from engine.world.landblock import Landblock
from engine.world.loader.checks import check_cells
from tests.editor.document.small_document import document_of
from tests.sim.helpers.small_worlds import built, house, open_rooms, two_rooms

HALL, STUDY, BETWEEN = 0x00070100, 0x00070101, 0x00070102


def block_of(document: Document) -> Landblock:
    assert document.world is not None
    assert document.session.landblock_id is not None
    block = document.world.landblock(document.session.landblock_id)
    assert block is not None
    return block


def check(document: Document) -> Findings:
    """As the window does it after an edit: the loader's checks again, then ours."""
    block = block_of(document)
    check_cells({cell.id: cell for cell in block.env_cells}, block.buildings)
    assert document.world is not None
    return check_block(document.sim, block, computed_stab_lists(document.world, block.id))


def links(document: Document) -> list[Fault]:
    return [fault for cell in block_of(document).env_cells for fault in cell.faults if fault.what == PORTAL_LINK]


def all_faults(document: Document) -> list[Fault]:
    """What the loader and the comparison of cells have found."""
    return [fault for cell in block_of(document).env_cells for fault in cell.faults]


def portals(document: Document, cell_id: int) -> list[CellPortal]:
    return next(cell for cell in block_of(document).env_cells if cell.id == cell_id).portals


def mend(document: Document, findings: Findings, fault: Fault) -> None:
    fix = findings.fixes[fault]
    assert document.edit(fix.name, *fix.edits())


@pytest.mark.parametrize("make", [two_rooms, open_rooms, house])
def test_sound_worlds_give_no_alarm(make: Callable[[], WorldBuilder]) -> None:
    world = built(make).load()
    sim = Simulation(world)
    for block_id in world.landblock_ids():
        block = world.landblock(block_id)
        assert block is not None
        assert check_block(sim, block, computed_stab_lists(world, block_id)).faults == []


def test_the_demo_gives_no_alarm() -> None:
    with open_source(DEMO) as world:
        sim = Simulation(world)
        for block_id in (0xC95BFFFF, 0x0007FFFF):
            block = world.landblock(block_id)
            assert block is not None
            assert check_block(sim, block, computed_stab_lists(world, block_id)).faults == []


def test_a_stab_list_that_lacks_visible_cells_is_found_fixed_and_undone() -> None:
    document = document_of(built(open_rooms))
    document.edit("Remove", *set_stab_list(document.sim, HALL, [BETWEEN]))
    findings = check(document)
    (fault,) = findings.faults
    assert fault.where == HALL
    assert "0x00070101" in fault.reason
    mend(document, findings, fault)
    assert check(document).faults == []
    document.undo()
    assert check(document).faults == [fault]


def test_nothing_is_said_of_stab_lists_before_it_is_known_what_is_seen() -> None:
    document = document_of(built(open_rooms))
    document.edit("Remove", *set_stab_list(document.sim, HALL, []))
    assert check_block(document.sim, block_of(document), None).faults == []


def test_a_one_sided_portal_is_paired_with_the_only_portal_that_fits() -> None:
    document = document_of(built(open_rooms))
    document.edit("Unpair", *set_portal_back(document.sim, HALL, 0, -1))
    findings = check(document)
    (one_way, other_way) = links(document)
    assert "one direction only" in one_way.reason
    assert findings.fixes[one_way].name == "Pair Portal 0 of 0x00070100 with Portal 0 of 0x00070102"
    assert other_way in findings.fixes
    mend(document, findings, one_way)
    assert check(document).fixes == {}
    assert links(document) == []


def test_a_portal_whose_mate_leads_elsewhere_is_told_without_a_fix() -> None:
    document = document_of(built(open_rooms))
    document.edit("Mix Up", *set_portal_back(document.sim, HALL, 0, 1))
    document.edit("Unpair", *set_portal_flags(document.sim, BETWEEN, 0, LEADS_OUTSIDE))
    findings = check(document)
    assert links(document)
    assert not any(fault.where == HALL for fault in findings.fixes)


def test_an_exit_without_the_bit_that_says_so_is_told_and_mended() -> None:
    builder = WorldBuilder()
    room = builder.room("room", rect(0, 0, 6, 4))
    builder.doorway(room, OUTDOORS, (3, 0))
    document = document_of(builder.build(), "room")
    cell = next(cell for cell in block_of(document).env_cells if cell.has_exit())
    index = next(i for i, portal in enumerate(cell.portals) if portal.leads_outside)
    flags = cell.portals[index].flags
    document.edit("Clear", *set_portal_flags(document.sim, cell.id, index, flags & ~LEADS_OUTSIDE))
    findings = check(document)
    (fault,) = all_faults(document)
    assert (fault.where, fault.index, fault.what) == (cell.id, index, PORTAL)
    mend(document, findings, fault)
    assert all_faults(document) == []


def test_a_bit_that_leads_outdoors_is_taken_from_a_portal_whose_room_leads_back() -> None:
    document = document_of(built(open_rooms))
    flags = portals(document, HALL)[0].flags
    document.edit("Set", *set_portal_flags(document.sim, HALL, 0, flags | LEADS_OUTSIDE))
    findings = check(document)
    fault = next(fault for fault in all_faults(document) if fault.what == PORTAL)
    mend(document, findings, fault)
    assert portals(document, HALL)[0].flags == flags
    assert (check(document).faults, all_faults(document)) == ([], [])


def test_a_bit_that_has_the_room_on_the_wrong_side_of_its_opening_is_turned() -> None:
    document = document_of(built(open_rooms))
    flags = portals(document, HALL)[0].flags
    document.edit("Turn", *set_portal_flags(document.sim, HALL, 0, flags ^ 0x2))
    findings = check(document)
    (fault,) = [fault for fault in all_faults(document) if fault.what == PORTAL_SIDE]
    mend(document, findings, fault)
    assert portals(document, HALL)[0].flags == flags


def test_a_portal_that_leads_elsewhere_is_linked_back_through_its_opening() -> None:
    document = document_of(built(open_rooms))
    document.edit("Astray", *link_portal(document.sim, BETWEEN, 0, STUDY, 0, False))
    findings = check(document)
    fault = next(fault for fault in links(document) if fault.where == HALL)
    assert findings.fixes[fault].name == f"Link Portal 0 of 0x{BETWEEN:08X} to 0x{HALL:08X}"
    mend(document, findings, fault)
    assert (check(document).faults, links(document)) == ([], [])


def test_a_stab_list_is_tidied_and_gets_the_room_that_a_portal_leads_to() -> None:
    document = document_of(built(open_rooms))
    document.edit("Untidy", *set_stab_list(document.sim, HALL, [0x00070177, STUDY]))
    findings = check(document)
    reasons = [fault.reason for fault in all_faults(document)]
    assert any("0x00070177 is not there" in reason for reason in reasons)
    (untidy,) = [fault for fault in all_faults(document) if fault.what == STAB_LIST]
    mend(document, findings, untidy)
    findings = check(document)
    (unlisted,) = links(document)
    assert findings.fixes[unlisted].name == f"Add 0x{BETWEEN:08X} to Stab List of 0x{HALL:08X}"
    mend(document, findings, unlisted)
    assert (check(document).faults, all_faults(document)) == ([], [])


def test_an_exit_from_which_the_outdoors_is_not_seen_is_mended() -> None:
    document = document_of(built(house), "room", (108.0, 108.0))
    document.session.landblock_id = 0xC95BFFFF
    cell = next(cell for cell in block_of(document).env_cells if cell.has_exit())
    document.edit("Blind", *set_seen_outside(document.sim, cell.id, False))
    findings = check(document)
    fault = next(fault for fault in all_faults(document) if fault.what == SEEN_OUTSIDE and fault.where == cell.id)
    mend(document, findings, fault)
    check(document)
    assert all_faults(document) == []


def test_rooms_that_no_portal_leads_to_are_told_once_for_all_that_hang_together() -> None:
    builder = open_rooms()
    lost = builder.room("lost", rect(40, 0, 4, 4))
    attic = builder.room("attic", rect(44.2, 0, 4, 4))
    builder.doorway(lost, attic)
    document = document_of(builder.build())
    (fault,) = check(document).faults
    assert fault.where == 0x00070103
    assert "nor to 2 more behind it" in fault.reason


def test_rooms_whose_way_may_lead_through_a_missing_one_are_not_called_lost() -> None:
    builder = open_rooms()
    lost = builder.room("lost", rect(40, 0, 4, 4))
    attic = builder.room("attic", rect(44.2, 0, 4, 4))
    builder.doorway(lost, attic)
    built_world = builder.build()
    document = document_of(built_world)
    document.sim.graph.remove_cell(built_world.cell_id("attic"))
    assert not any("no chain of portals" in fault.reason for fault in check(document).faults)


def test_a_thing_whose_place_is_in_no_room_is_told_and_leads_to_itself() -> None:
    document = document_of(built(two_rooms))
    door = document.sim.population.doors[0]
    assert document.edit("Move", MoveEntity(door.id, BETWEEN, 90.0, 90.0, 0.0, 0.0))
    findings = check(document)
    (fault,) = findings.faults
    assert "its place is not in any room" in fault.reason
    assert findings.places[fault] == Selection(Kind.ENTITY, 0x0007FFFF, door.id)


def test_a_thing_in_a_cell_that_is_gone_is_told() -> None:
    document = document_of(built(two_rooms))
    document.sim.graph.remove_cell(BETWEEN)
    (fault,) = [fault for fault in check(document).faults if "which does not exist" in fault.reason]
    assert "0x00070102" in fault.reason


def test_a_door_too_small_for_its_doorway_is_told_with_the_gaps() -> None:
    document = document_of(built(two_rooms))
    document.sim.population.doors[0].scale = 0.6
    (fault,) = check(document).faults
    assert "0.26 m on one side, 0.26 m on the other side, 0.84 m above" in fault.reason


def test_a_door_beside_the_middle_of_its_doorway_leaves_a_gap_on_one_side() -> None:
    document = document_of(built(two_rooms))
    door = document.sim.population.doors[0]
    x, y, z = door.frame.origin
    for aside in (-0.3, 0.3):
        place = (x, y + aside, z, *door.frame.rotation)
        document.edit("Move", PlaceEntity(door.id, door.cell_id, *place))
        (fault,) = check(document).faults
        assert fault.reason.startswith("door leaves 0.3")
        assert fault.reason.endswith(" m on one side of its doorway open")
        document.undo()
