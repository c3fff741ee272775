"""The checks of stab lists and of the flag of the outdoors: what they find, prove and mend."""

from __future__ import annotations

import random

import pytest

from editor.session.sources import DEMO, open_source
from engine.findings.finding import Found
from engine.sim.data_files.cell_edits import changed, set_seen_outside
from engine.sim.tick.simulation import Simulation
from engine.survey.stabs.run import CHECKS, ENTRY, MARKED, MISSING, SURPLUS, UNMARKED, check_stabs
from engine.visibility.camera import focal_of_screen, looking
from engine.visibility.flood import Visibility
from engine.visibility.options import FloodOptions
from engine.visibility.view import full_screen
from tests.editor.export.small_exports import cottage
from tests.survey.stabs.random_rooms import BLOCK, apply_list, damage, opened, rooms

ALL = frozenset(check.id for check in CHECKS)


def found_in(sim: Simulation, block_id: int = BLOCK) -> list[Found]:
    return list(check_stabs(sim, block_id, ALL))


def test_the_demo_world_has_no_finding() -> None:
    with open_source(DEMO) as world:
        sim = Simulation(world)
        assert [each.sentence for block_id in world.landblock_ids() for each in found_in(sim, block_id)] == []
        sim.close()


@pytest.mark.parametrize("seed", range(4))
def test_the_fixes_of_all_findings_leave_none(seed: int) -> None:
    sim = opened(seed)
    damage(sim, random.Random(seed))
    found = found_in(sim)
    assert {each.check for each in found} == {MISSING.id, SURPLUS.id}
    assert len({each.key for each in found}) == len(found)
    for each in found:
        assert each.fix is not None
        for edit in each.fix.edits():
            sim.apply_edit(edit)
    assert found_in(sim) == []
    sim.close()


def test_a_finding_travels_as_json_and_its_eye_still_proves_it() -> None:
    sim = opened(1)
    damage(sim, random.Random(1))
    visibility = Visibility(sim.graph, FloodOptions(ignore_stab_list=True))
    for each in found_in(sim):
        again = Found.from_json(each.to_json())
        assert again == each
        if again.check != MISSING.id:
            continue
        assert again.eye is not None
        assert again.place is not None
        figures = dict(again.figures)
        heading, pitch = figures["heading, degrees"], figures["pitch, degrees"]
        camera = looking(*again.eye, heading, pitch, 1280.0, 800.0, focal_of_screen(1280.0, 800.0))
        assert again.place[0] in visibility.flood_interior(again.cell, camera).by_id
    visibility.close()
    sim.close()


def test_checks_that_are_switched_off_find_nothing() -> None:
    sim = opened(0)
    damage(sim, random.Random(0))
    assert {each.check for each in check_stabs(sim, BLOCK, {SURPLUS.id})} == {SURPLUS.id}
    assert list(check_stabs(sim, BLOCK, set())) == []
    sim.close()


def test_a_wrong_flag_of_the_outdoors_is_found_with_its_eye_and_mended() -> None:
    sim = opened(2)
    for room in rooms(sim):
        apply_list(sim, room.id, [])
        for edit in set_seen_outside(sim, room.id, not room.seen_outside):
            sim.apply_edit(edit)
    found = found_in(sim)
    assert {each.check for each in found} == {MISSING.id, UNMARKED.id, MARKED.id}
    assert all(each.eye is not None for each in found if each.check == UNMARKED.id)
    for each in found:
        assert each.fix is not None
        for edit in each.fix.edits():
            sim.apply_edit(edit)
    assert found_in(sim) == []
    sim.close()


def test_behind_a_portal_that_leads_to_no_room_nothing_counts_as_too_much() -> None:
    sim = opened(0)
    room = next(room for room in rooms(sim) if len(room.stab_list) > 1)
    far = next(each.id for each in rooms(sim) if each.id not in room.stab_set and each is not room)
    apply_list(sim, room.id, [*room.stab_list, far])

    def lead_nowhere(record: object) -> None:
        portals = record.portals  # type: ignore[attr-defined]  # an EnvCell record
        portals[0].other_cell_id = 0x01F0

    assert [each.check for each in found_in(sim)] == [SURPLUS.id]
    for edit in changed(sim, room.id, lead_nowhere):
        sim.apply_edit(edit)
    assert SURPLUS.id not in {each.check for each in found_in(sim)}
    sim.close()


def test_a_landblock_that_is_not_there_has_no_finding() -> None:
    sim = opened(0)
    assert found_in(sim, 0x7777FFFF) == []
    sim.close()


def test_an_entry_that_lacks_rooms_in_sight_is_found_with_an_eye_outdoors() -> None:
    world = cottage().build().load()
    sim = Simulation(world)
    block_id = 0xC95BFFFF
    assert found_in(sim, block_id) == []
    block = sim.world.landblock(block_id)
    assert block is not None
    portal = block.buildings[0].portals[0]
    listed, portal.stab_list = portal.stab_list, []
    found = found_in(sim, block_id)
    assert {each.check for each in found} == {ENTRY.id}
    assert portal.other_cell_id in {each.place[0] for each in found if each.place is not None}
    visibility = Visibility(sim.graph, FloodOptions(ignore_stab_list=True))
    for each in found:
        assert each.eye is not None
        assert each.place is not None
        assert each.place[0] in listed
        assert not any(room.point_in_cell(each.eye[1]) for room in block.env_cells)
        figures = dict(each.figures)
        heading, pitch = figures["heading, degrees"], figures["pitch, degrees"]
        camera = looking(*each.eye, heading, pitch, 1280.0, 800.0, focal_of_screen(1280.0, 800.0))
        flood = visibility.flood_building(block.buildings[0], block_id, 0, camera, full_screen(camera))
        assert each.place[0] in flood.by_id
    visibility.close()
    portal.stab_list = listed
    sim.close()
    world.close()
