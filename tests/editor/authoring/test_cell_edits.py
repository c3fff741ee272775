"""Edited rooms as records, and their expected stab lists."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from editor.authoring.cell_edits import room_of, set_portal_flags, set_stab_list
from editor.session.sources import DEMO, open_source
from engine.build import WorldBuilder
from engine.physics.errors import PhysicsError
from engine.survey.stabs.question import computed_stab_lists
from engine.world.loader.edited import cell_of_records, cell_record_bytes, record_of_cell
from tests.editor.document.small_document import document_of
from tests.sim.helpers.small_worlds import built, house, open_rooms, two_rooms

HALL, STUDY = 0x00070100, 0x00070101


@pytest.mark.parametrize("make", [two_rooms, open_rooms, house])
def test_a_room_made_of_its_own_record_is_the_same_room(make: Callable[[], WorldBuilder]) -> None:
    world = built(make).load()
    for block_id in world.landblock_ids():
        block = world.landblock(block_id)
        assert block is not None
        for cell in block.env_cells:
            again = cell_of_records(world.source, cell_record_bytes(record_of_cell(world.source, cell)))
            assert (again.id, again.flags, again.stab_list, again.surfaces) == (
                cell.id,
                cell.flags,
                cell.stab_list,
                cell.surfaces,
            )
            assert (again.frame.origin, again.frame.rotation) == (cell.frame.origin, cell.frame.rotation)
            assert again.structure is cell.structure
            assert [repr(portal) for portal in again.portals] == [repr(portal) for portal in cell.portals]
            assert [repr(thing) for thing in again.static_objects] == [repr(thing) for thing in cell.static_objects]


def test_the_computed_stab_lists_of_the_demo_are_those_it_was_built_with() -> None:
    with open_source(DEMO) as world:
        for block_id in (0xC95BFFFF, 0x0007FFFF):
            block = world.landblock(block_id)
            assert block is not None
            computed = computed_stab_lists(world, block_id)
            assert {cell.id: sorted(cell.stab_list) for cell in block.env_cells} == computed


def test_a_portal_that_is_not_there_and_a_cell_of_elsewhere_are_refused() -> None:
    document = document_of(built(two_rooms))
    with pytest.raises(PhysicsError, match="no portal 7"):
        set_portal_flags(document.sim, HALL, 7, 0)
    with pytest.raises(PhysicsError, match="another landblock"):
        set_stab_list(document.sim, HALL, [0x00080100])
    with pytest.raises(PhysicsError, match="is not a room"):
        set_stab_list(document.sim, 0x00070199, [STUDY])


def test_a_portal_led_outdoors_by_its_flag_returns_to_its_room_without_it() -> None:
    document = document_of(built(two_rooms))
    before = room_of(document.sim, HALL).portals[0]
    document.edit("On", *set_portal_flags(document.sim, HALL, 0, before.flags | 0x4))
    assert room_of(document.sim, HALL).portals[0].leads_outside
    document.tick()
    document.edit("Stab List", *set_stab_list(document.sim, HALL, []))
    document.edit("Off", *set_portal_flags(document.sim, HALL, 0, before.flags))
    assert repr(room_of(document.sim, HALL).portals[0]) == repr(before)
    for _ in range(3):
        document.undo()
    assert repr(room_of(document.sim, HALL).portals[0]) == repr(before)


def test_edits_of_one_room_add_up_and_come_back_one_by_one() -> None:
    document = document_of(built(two_rooms))
    document.edit("Empty Stab List", *set_stab_list(document.sim, HALL, []))
    document.edit("Set Portal Flags", *set_portal_flags(document.sim, HALL, 0, 0x3))
    document.tick()
    cell = document.sim.graph.get_visible(HALL)
    assert cell is not None
    assert cell.stab_list == []
    document.undo()
    document.undo()
    cell = document.sim.graph.get_visible(HALL)
    assert cell is not None
    assert cell.stab_list == [STUDY, STUDY + 1]
