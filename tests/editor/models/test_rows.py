"""What the docks list of doors, entities, the player and cells, without a window."""

from __future__ import annotations

import pytest

from editor.authoring.catalogue import AHEAD, FIRST_GUID, add_like, catalogue, duplicate, free_guid, place_ahead
from editor.authoring.cell_edits import set_portal_flags, set_stab_list
from editor.document.document import Document
from editor.models import doors, entities
from editor.models.cell import STAB_COLUMNS, head_rows, portal_rows, stab_rows, stab_summary
from editor.models.doors import (
    door_rows,
    ethereal_name,
    hold_door,
    hold_name,
    use_door,
    use_name,
    why_not_use,
)
from editor.models.entities import IN_CELLS, bit_rows, entity_rows, found_text, shadow_rows, specs_now, state_text
from editor.models.live_table import Row
from editor.models.player import player_rows
from engine.physics.flags import HAS_PHYSICS_BSP
from engine.sim.edits.doors import LockDoor
from engine.sim.edits.entities import MoveEntity, SetStateBits, SetVelocity
from engine.sim.edits.player import Teleport
from engine.world.cells.cell import EnvCell
from engine.world.cells.ids import cell_text
from engine.world.names import NameKey
from tests.editor.document.small_document import document_of
from tests.sim.helpers.small_worlds import FORWARD, built, furnished, two_rooms

HALL, STUDY, DOORWAY = 0x00070100, 0x00070101, 0x00070102


@pytest.fixture
def document() -> Document:
    return document_of(built(two_rooms))


def texts(rows: list[Row], key: object) -> list[str]:
    return [value.text for row in rows if row.key == key for value in row.values]


def cell_of(document: Document, cell_id: int) -> EnvCell:
    cell = document.sim.graph.get_visible(cell_id)
    assert isinstance(cell, EnvCell)
    return cell


# --- doors


def test_a_door_goes_through_its_states_in_words(document: Document) -> None:
    door = document.sim.population.doors[0]
    seen: list[str] = []

    def look() -> None:
        words = texts(door_rows(document.sim), door.id)
        line = " ".join(words[doors.STATE : doors.COLLISION + 1])
        if not seen or seen[-1] != line:
            seen.append(line)

    look()
    document.edit(use_name(door), use_door(document.sim, door))
    look()
    for _ in range(34 * 30):
        document.tick()
        look()
    assert seen == [
        "closed ■ solid",
        "opening ✓ passable",
        "open ✓ passable",
        "closing ✓ passable",
        "closed ■ solid",
    ]


def test_somebody_in_the_doorway_holds_the_door_open(document: Document) -> None:
    door = document.sim.population.doors[0]
    document.edit(use_name(door), use_door(document.sim, door))
    document.edit("Teleport", Teleport(DOORWAY, 6.1, 2.0, 0.0, 90.0))
    document.tick_many(34 * 30)
    assert texts(door_rows(document.sim), door.id)[doors.STATE] == "held open"


def test_a_locked_door_says_why_it_can_not_be_used_and_from_behind_it_can(document: Document) -> None:
    door = document.sim.population.doors[0]
    document.edit("Lock", LockDoor(door.id, True))
    assert why_not_use(document.sim, door) == ""
    document.edit("Teleport", Teleport(STUDY, 8.0, 2.0, 0.0, 270.0))
    assert "is locked" in why_not_use(document.sim, door)


def test_edits_of_doors_have_names_that_say_what_they_will_do(document: Document) -> None:
    sim, door = document.sim, document.sim.population.doors[0]
    assert use_name(door) == "Open door"
    assert hold_name(door) == "Hold door Open"
    assert ethereal_name(sim, door) == "Make door Ethereal"
    document.edit(hold_name(door), hold_door(door))
    assert hold_name(door) == "Force Close door"
    assert ethereal_name(sim, door) == "Make door Solid"


# --- entities and the catalogue


def test_the_cells_of_an_entity_are_named_in_the_tip(document: Document) -> None:
    sim, door = document.sim, document.sim.population.doors[0]
    (cell_id,) = sim.population.registry.entity(door.id).cell_ids
    sim.world.names.apply(sim.world.names.changes({NameKey.cell(cell_id): "Hall"}))
    row = next(row for row in entity_rows(sim) if row.key == door.id)
    assert row.values[IN_CELLS].tip.splitlines()[0] == f"{cell_text(cell_id)} Hall"


def test_a_tip_says_by_what_an_entitys_cells_were_found(document: Document) -> None:
    sim, door = document.sim, document.sim.population.doors[0]
    entry = sim.population.registry.entity(door.id)
    assert found_text(door, entry).startswith("Found by the boxes of its 3 parts, as large as in the model whatever")
    entry.obj.state &= ~HAS_PHYSICS_BSP
    assert found_text(door, entry).startswith(
        f"Found by its sorting sphere of {door.setup.sorting_sphere.radius:.3g} m"
    )
    sim.apply_edit(Teleport(HALL, 2.0, 2.0, 0.0, 0.0))
    sim.tick(FORWARD)
    sim.tick(FORWARD)
    player = sim.population.registry.entity(sim.player.id)
    assert (
        found_text(sim.player, player)
        == "The cells that its last sweep went through. Nothing collides with it in other cells."
    )


def test_an_entitys_rows_are_in_step_with_the_registry(document: Document) -> None:
    sim, door = document.sim, document.sim.population.doors[0]
    row = texts(entity_rows(sim), door.id)
    entry = sim.population.registry.entity(door.id)
    assert row[entities.ROWS] == str(len(entry.obj.rows))
    assert row[entities.IN_CELLS].split() == [cell_text(cell_id) for cell_id in entry.cell_ids]
    rows = shadow_rows(sim, door.id)
    assert {row.values[1].text for row in rows} <= {"BSP", "cylinder", "sphere"}
    assert len(rows) == len(entry.obj.rows)
    document.edit("Move", MoveEntity(door.id, HALL, 2.0, 1.0, 0.0, 0.0))
    assert texts(entity_rows(sim), door.id)[entities.X] == "2.000"
    assert shadow_rows(sim, door.id)[1].values[4].text != rows[1].values[4].text


def test_state_bits_have_names(document: Document) -> None:
    sim, door = document.sim, document.sim.population.doors[0]
    assert state_text(0x10008) == "REPORT_COLLISIONS, HAS_PHYSICS_BSP"
    assert state_text(0x2) == "0x2"
    checked = [row.key for row in bit_rows(sim, door.id) if row.checked]
    assert ", ".join(str(key) for key in checked) == state_text(sim.population.state_of(door.id))


def test_the_catalogue_begins_with_doors_and_what_is_added_works(document: Document) -> None:
    sim = document.sim
    pattern = catalogue(sim)[0]
    assert pattern.is_door
    cell_id, origin, heading = place_ahead(sim)
    assert origin == pytest.approx((3.0 + AHEAD, 2.0, 0.0))
    edit = add_like(sim, pattern, cell_id, origin, heading)
    assert edit.entity_id == FIRST_GUID
    document.edit("Add door", edit)
    document.tick_many(60, FORWARD)
    assert sim.player.origin()[0] < origin[0], "the new door is closed and in the way"
    document.undo()
    document.tick_many(60, FORWARD)
    assert sim.player.origin()[0] > origin[0]


def test_a_duplicate_stands_beside_with_the_same_bits(document: Document) -> None:
    sim, door = document.sim, document.sim.population.doors[0]
    document.edit("Bits", SetStateBits(door.id, 0x10, True))
    guid = free_guid(sim)
    document.edit("Duplicate", *duplicate(sim, door.id, guid))
    assert sim.population.state_of(guid) == sim.population.state_of(door.id)
    assert sim.population.entity(guid).origin()[0] == pytest.approx(door.origin()[0] + 1.0)
    assert free_guid(sim) == guid + 1


def test_the_entities_of_now_are_where_they_were_moved(document: Document) -> None:
    door = document.sim.population.doors[0]
    document.edit("Move", MoveEntity(door.id, HALL, 2.0, 1.0, 0.0, 0.0))
    assert [(spec.guid, spec.frame.origin) for spec in specs_now(document.sim, HALL)] == [(door.id, (2.0, 1.0, 0.0))]
    assert specs_now(document.sim, 0x00080100) == []


# --- player


def test_the_players_rows_tell_of_the_last_tick_and_what_he_ran_into(document: Document) -> None:
    sim = document.sim
    assert texts(player_rows(sim), "Last tick") == ["Last tick", "no tick yet"]
    document.tick(FORWARD)
    assert texts(player_rows(sim), "Last tick")[1] == "✓ moved"
    document.tick_many(60, FORWARD)
    assert texts(player_rows(sim), "Last tick")[1] == "■ blocked"
    assert texts(player_rows(sim), "Last collision")[1] == "none yet"
    assert texts(player_rows(sim, "Blocked by door, in tick 9"), "Last collision")[1] == "Blocked by door, in tick 9"


def test_the_players_rows_always_have_the_same_keys(document: Document) -> None:
    keys = [row.key for row in player_rows(document.sim)]
    for edit in (
        Teleport(HALL, 1.0, 1.0, 1.5, 0.0),
        SetVelocity(document.sim.player.id, 0, 0, 5.0),
    ):
        document.edit("change", edit)
        document.tick(FORWARD)
        assert [row.key for row in player_rows(document.sim)] == keys


# --- cells


def test_a_one_sided_portal_is_told_of(document: Document) -> None:
    hall = cell_of(document, HALL)
    assert texts(portal_rows(document.sim, hall), (HALL, 0))[5] == "✓ leads back"
    document.edit("Flags", *set_portal_flags(document.sim, DOORWAY, 0, 0x4))
    document.edit("Flags", *set_portal_flags(document.sim, DOORWAY, 1, 0x4))
    assert texts(portal_rows(document.sim, hall), (HALL, 0))[5].startswith("■ leads to")


def test_a_stab_list_is_compared_with_what_is_seen(document: Document) -> None:
    document.edit("Stab list", *set_stab_list(document.sim, HALL, [STUDY, 0x00070177]))
    hall = cell_of(document, HALL)
    rows = stab_rows(document.sim, hall, [DOORWAY, STUDY])
    assert texts(rows, STUDY)[1:3] == ["✓ listed", "✓ seen"]
    assert texts(rows, DOORWAY)[1:3] == ["–", "■ seen, not listed"]
    assert texts(rows, 0x00070177)[1:3] == ["✓ listed", "■ missing"]
    assert stab_summary(hall, [DOORWAY, STUDY]) == "2 listed: ■ 1 seen but not listed, 1 listed but never seen"
    assert stab_summary(hall, None) == "2 listed"
    assert texts(head_rows(document.sim, hall), "Edited")[1] == "yes"


def test_the_stab_list_says_what_the_frame_draws_now(document: Document) -> None:
    document.edit("Stab list", *set_stab_list(document.sim, HALL, [HALL, DOORWAY, STUDY]))
    hall = cell_of(document, HALL)
    assert STAB_COLUMNS[3].title == "Drawn now"
    rows = stab_rows(document.sim, hall, None, {HALL, DOORWAY})
    assert [texts(rows, cell_id)[3] for cell_id in (HALL, DOORWAY, STUDY)] == ["▶ drawn", "✓ drawn", "no"]
    rows = stab_rows(document.sim, hall, None)
    assert [texts(rows, cell_id)[3] for cell_id in (HALL, DOORWAY, STUDY)] == ["▶ –", "–", "–"]


def test_a_cell_counts_what_is_in_it() -> None:
    document = document_of(built(furnished), "room", (5.0, 2.0))
    cell = document.sim.graph.current
    assert cell is not None
    rows = head_rows(document.sim, cell)
    assert texts(rows, "Objects")[1] == "1"
    assert int(texts(rows, "Shadow objects")[1]) == 4
