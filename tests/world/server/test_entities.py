"""Instances of server data as entities: what they look like, where they stand, what is a fault and loads all the
same."""

from __future__ import annotations

import math
from pathlib import Path

import pytest

from engine.sim.tick.simulation import Simulation
from engine.sim.world_identity import world_identity
from engine.world.entity_spec import ETHEREAL, HAS_PHYSICS_BSP, REPORT_COLLISIONS, EntitySpec
from engine.world.faults import Severity, WorldError
from engine.world.server import model
from engine.world.server.attach import attach_server_data
from engine.world.server.entities import Wanted
from tests.sim.helpers.small_worlds import built, house, open_all, two_rooms
from tests.world.server.furnished import Place
from tests.world.server.test_sources import FIXTURE, needs_fixture
from tests.world.server.worlds import destination_sql, instance_sql, link_sql, weenie_sql, write

DOOR_CLASS, LEVER_CLASS, PORTAL_CLASS = 412, 286, 1093


@pytest.fixture
def place(tmp_path: Path) -> Place:
    return Place(built(two_rooms), tmp_path / "server")


def test_a_door_stands_as_the_server_has_it(place: Place) -> None:
    place.weenie(
        DOOR_CLASS,
        model.DOOR,
        "Oak Door",
        int={93: 0x10, 38: 50},
        bool={11: False, 12: True, 3: True, 35: True},
        float={11: 300, 39: 0.6, 54: 2.5},
        string={12: "key"},
        d_i_d={2: 0x09000001},
    )
    place.instances(place.here(0, DOOR_CLASS))
    found = place.only()
    assert (found.guid, found.name, found.kind) == (place.guid(0), "Oak Door", "door")
    assert (found.setup_id, found.cell_id, found.scale) == (place.door.setup_id, place.door.cell_id, 0.6)
    assert found.state == REPORT_COLLISIONS | HAS_PHYSICS_BSP
    assert found.extra == {
        "wcid": DOOR_CLASS,
        "motion_table": 0x09000001,
        "use_radius": 2.5,
        "open": False,
        "locked": True,
        "default_open": False,
        "default_locked": True,
        "reset_interval": 300.0,
        "lock_code": "key",
        "resist_lockpick": 50,
    }


def test_a_door_that_is_open_by_default_is_passable(place: Place) -> None:
    place.weenie(DOOR_CLASS, model.DOOR, "Door", int={93: 8}, bool={13: False, 34: True})
    place.instances(place.here(0, DOOR_CLASS))
    found = place.only()
    assert found.extra["open"] is True
    assert found.state & ETHEREAL
    assert "reset_interval" not in found.extra


def test_it_comes_to_life_in_a_simulation(place: Place) -> None:
    place.weenie(DOOR_CLASS, model.DOOR, "Door", int={93: 8}, float={11: 300})
    place.instances(place.here(0, DOOR_CLASS))
    world, _ = place.load()
    sim = open_all(Simulation(world))
    door = sim.population.door(place.guid(0))
    assert (door.reset_interval, door.locked) == (300.0, False)
    assert sim.population.faults == []
    assert world.entity_spec(place.guid(0)) is not None


def test_nothing_is_read_before_it_is_asked_for(place: Place) -> None:
    place.weenie(DOOR_CLASS, model.DOOR, "Door")
    place.instances(place.here(0, DOOR_CLASS))
    world, entities = place.load()
    assert world.entity_index.landblocks() == [place.block_id]
    assert world.entities == []
    assert not entities.is_made(place.block_id)
    assert not world.entity_index.is_known(place.block_id)
    assert world.entity_index.is_known(0x0001FFFF)
    first = world.entities_of(place.block_id)
    assert first is world.entities_of(place.block_id)
    assert entities.is_made(place.block_id)
    assert [spec.guid for spec in world.entity_index.everywhere()] == [place.guid(0)]


def test_the_list_of_the_world_counts_before_the_server(place: Place) -> None:
    place.weenie(DOOR_CLASS, model.DOOR, "Server's Door")
    place.instances(place.here(0, DOOR_CLASS), place.here(1, DOOR_CLASS))
    world, _ = place.load()
    own = place.door
    world.source.entities = [EntitySpec(place.guid(0), "own", "door", own.setup_id, own.cell_id, own.frame, own.state)]
    assert [spec.name for spec in world.entities_of(place.block_id)] == ["own", "Server's Door"]
    names = {spec.guid: spec.name for spec in world.entity_index.everywhere()}
    assert names == {place.guid(0): "own", place.guid(1): "Server's Door"}


def test_a_run_knows_the_world_by_the_servers_entities_too(place: Place) -> None:
    place.weenie(DOOR_CLASS, model.DOOR, "Door")
    place.instances(place.here(0, DOOR_CLASS))
    first = world_identity(place.load()[0], [place.block_id])
    assert first == world_identity(place.load()[0], [place.block_id])
    place.instances(place.here(0, DOOR_CLASS, origin=(1.0, 1.0, 0.0)))
    assert first["entities"] != world_identity(place.load()[0], [place.block_id])["entities"]


def faults_of(place: Place) -> tuple[list[EntitySpec], list[str]]:
    world, entities = place.load()
    specs = world.entities_of(place.block_id)
    assert [fault.reason for fault in world.faults()][-len(entities.faults()) :] == [
        fault.reason for fault in entities.faults()
    ]
    return specs, [fault.reason for fault in entities.faults()]


def test_a_thing_without_a_rotation_is_not_turned(place: Place) -> None:
    place.weenie(DOOR_CLASS, model.DOOR, "Door")
    place.instances(place.here(0, DOOR_CLASS, rotation=(0, 0, 0, 0)))
    (found,), (reason,) = faults_of(place)
    assert found.frame.rotation == (1.0, 0.0, 0.0, 0.0)
    assert f".sql: line 2: Door 0x{place.guid(0):08X}: its rotation is 0, 0, 0, 0; it is not turned" in reason


def test_a_rotation_of_another_length_is_a_fault(place: Place) -> None:
    place.weenie(DOOR_CLASS, model.DOOR, "Door")
    place.instances(place.here(0, DOOR_CLASS, rotation=(2, 0, 0, 0)))
    (found,), (reason,) = faults_of(place)
    assert found.frame.rotation == (1.0, 0.0, 0.0, 0.0)
    assert "has the length 2" in reason


def test_an_instance_without_a_weenie_is_a_fault(place: Place) -> None:
    place.weenie(DOOR_CLASS, model.DOOR, "Door")
    place.instances(place.here(0, DOOR_CLASS), place.here(1, 99))
    (_, lost), (reason,) = faults_of(place)
    assert (lost.name, lost.setup_id, lost.kind) == ("weenie 99", 0, "object")
    assert "line 5: weenie 99" in reason
    assert "there is no weenie 99" in reason


def test_the_land_cell_follows_from_where_a_thing_stands(place: Place) -> None:
    place.weenie(DOOR_CLASS, model.DOOR, "Door")
    place.instances(place.here(0, DOOR_CLASS, 0, origin=(73.0, 131.5, 66.0)))
    specs, reasons = faults_of(place)
    assert specs[0].cell_id == place.block_id & 0xFFFF0000 | 1 + 8 * (73 // 24) + 131 // 24
    assert reasons == []


def test_what_names_no_cell_and_what_is_beyond_its_landblock_are_faults(place: Place) -> None:
    place.weenie(DOOR_CLASS, model.DOOR, "Door")
    place.instances(
        place.here(0, DOOR_CLASS, 0x0050, origin=(1.0, 1.0, 0.0)),
        place.here(1, DOOR_CLASS, 0, origin=(1.0, 193.0, 0.0)),
    )
    specs, reasons = faults_of(place)
    assert specs[0].cell_id & 0xFFFF == 1
    assert specs[1].cell_id == (place.block_id & 0xFFFF0000) + 0x10001
    assert specs[1].frame.origin == (1.0, 1.0, 0.0)
    assert "names no cell; it is 0x" in reasons[0]
    assert "outside of its landblock" in reasons[1]


def test_two_instances_of_one_id_are_a_fault(place: Place) -> None:
    place.weenie(DOOR_CLASS, model.DOOR, "Door")
    place.instances(place.here(0, DOOR_CLASS), place.here(0, DOOR_CLASS))
    specs, (reason,) = faults_of(place)
    assert len(specs) == 1
    assert "of another instance before it; left out" in reason


def test_a_lever_activates_the_door_that_it_is_linked_to(place: Place) -> None:
    place.weenie(DOOR_CLASS, model.DOOR, "Door")
    place.weenie(LEVER_CLASS, model.SWITCH, "Lever", i_i_d={16: 0})
    place.instances(
        place.here(0, DOOR_CLASS), place.here(1, LEVER_CLASS), link_sql(place.guid(0), place.guid(1)), link_sql(1, 2)
    )
    specs, reasons = faults_of(place)
    assert [spec.extra.get("activates") for spec in specs] == [None, [place.guid(0)]]
    assert specs[1].kind == "switch"
    assert ["a link leads from 0x00000001" in reasons[0], "a link leads to 0x00000002" in reasons[1]] == [True, True]


def test_a_portal_says_where_it_leads(place: Place) -> None:
    place.weenie(PORTAL_CLASS, model.PORTAL, "Way", destination_sql(PORTAL_CLASS, 0xA9B40100, (1.5, 2, 3)))
    place.instances(place.here(0, PORTAL_CLASS))
    found = place.only()
    assert found.kind == "portal"
    assert found.extra["destination"] == {
        "cell": "0xA9B40100",
        "origin": [1.5, 2.0, 3.0],
        "rotation": [1.0, 0.0, 0.0, 0.0],
    }


def test_a_portal_to_a_place_on_land_leads_to_the_land_cell_under_it(place: Place) -> None:
    place.weenie(PORTAL_CLASS, model.PORTAL, "Way", destination_sql(PORTAL_CLASS, 0xA9B40000, (30.0, 50.0, 3)))
    place.instances(place.here(0, PORTAL_CLASS))
    destination = place.only().extra["destination"]
    assert isinstance(destination, dict)
    assert destination["cell"] == "0xA9B4000B"


@pytest.mark.parametrize("guid", [0x7FFFF001, 0x70000001, 0x12345678])
def test_an_instance_whose_id_names_another_landblock_stands_where_its_cell_is(place: Place, guid: int) -> None:
    place.weenie(DOOR_CLASS, model.DOOR, "Door")
    door = place.door
    place.instances(instance_sql(guid, DOOR_CLASS, door.cell_id, door.frame.origin, door.frame.rotation))
    specs, reasons = faults_of(place)
    assert [(spec.guid, spec.cell_id) for spec in specs] == [(guid, door.cell_id)]
    assert reasons == []
    world, _ = place.load()
    world.landblock(place.block_id)
    found = [spec.guid for spec in world.entities_of(place.block_id)]
    assert found == [guid]
    assert world.entity_spec(guid) is not None


def generator_row(wcid: int, made: int) -> str:
    columns = "`object_Id`, `probability`, `weenie_Class_Id`, `delay`"
    return f"INSERT INTO `weenie_properties_generator` ({columns}) VALUES ({wcid}, -1, {made}, 60);"


def test_a_generator_that_nobody_sees_stands_as_what_it_makes(place: Place) -> None:
    place.weenie(7, model.CREATURE, "Rat", int={93: 1032}, float={39: 0.5})
    place.weenie(1154, model.GENERIC, "Generator", generator_row(1154, 7), bool={18: True})
    place.weenie(921, model.GENERIC, "Sign", generator_row(921, 7))
    place.instances(place.here(0, 1154), place.here(1, 921))
    world, _ = place.load()
    rat, sign = world.entities_of(place.block_id)
    assert (rat.name, rat.kind, rat.scale, rat.extra["generator"]) == ("Rat", "creature", 0.5, "Generator")
    assert (sign.name, sign.kind, sign.extra["generates"]) == ("Sign", "object", ["Rat"])


def test_hooks_stand_only_when_asked_for(place: Place) -> None:
    place.weenie(1, model.HOOK, "Hook")
    place.weenie(2, model.HOUSE, "Cottage")
    place.instances(place.here(0, 1), place.here(1, 2))
    assert [spec.kind for spec in place.load()[0].entities_of(place.block_id)] == ["house"]
    everything = place.load(Wanted(frozenset()))[0]
    assert [spec.kind for spec in everything.entities_of(place.block_id)] == ["hook", "house"]


def test_encounters_live_on_the_land_but_not_under_a_house(tmp_path: Path) -> None:
    made = built(house)
    world = made.load()
    block_id = 0xC95BFFFF
    folder = tmp_path / "server"
    write(folder / "weenies" / "7.sql", weenie_sql(7, model.CREATURE, "Rat", int={93: 1032}))
    corners = [(0, 0), (8, 8), (4, 4), (1, 2)]
    rows = ", ".join(f"(0xC95B, 7, {x}, {y})" for x, y in corners)
    columns = "`landblock`, `weenie_Class_Id`, `cell_X`, `cell_Y`"
    write(folder / "encounters" / "C95B.sql", f"INSERT INTO `encounter` ({columns}) VALUES {rows};")
    attach_server_data(world, folder)
    assert world.entities_of(block_id) == []
    attach_server_data(world, folder, Wanted(encounters=True))
    places = [spec.frame.origin for spec in world.entities_of(block_id)]
    assert [(x, y) for x, y, _ in places] == [(0.5, 0.5), (191.5, 191.5), (24.0, 48.0)]
    assert all(math.isclose(z, 20.0) for *_, z in places)
    guids = [spec.guid for spec in world.entities_of(block_id)]
    assert [guid & 0xFFFFF000 for guid in guids] == [0x8C95B000] * 3
    assert world.entity_spec(guids[0]) is not None


def test_opening_something_else_is_refused(place: Place) -> None:
    with pytest.raises(WorldError):
        attach_server_data(place.made.load(), place.folder / "nothing")


@needs_fixture
def test_a_real_town_has_its_doors_and_people(place: Place) -> None:
    entities = attach_server_data(place.made.load(), FIXTURE)
    specs = entities.of_block(0xA9B4FFFF)
    kinds = [spec.kind for spec in specs]
    assert (kinds.count("door"), kinds.count("chest"), kinds.count("portal"), kinds.count("vendor")) == (24, 11, 4, 15)
    door = next(spec for spec in specs if spec.guid == 0x7A9B4003)
    assert (door.cell_id, door.setup_id) == (0xA9B4001E, 0x020019FF)
    assert (door.extra["reset_interval"], door.extra["motion_table"]) == (300.0, 0x09000202)
    assert entities.block_faults(0xA9B4FFFF) == []
    dungeon = entities.of_block(0x00D7FFFF)
    assert sum(spec.kind == "door" for spec in dungeon) == 35
    levers = [spec for spec in dungeon if spec.kind == "switch"]
    assert sum("activates" in spec.extra for spec in levers) >= 30
    assert len(entities.of_block(0x482EFFFF)) == 82
    unturned = entities.block_faults(0x482EFFFF)
    assert [fault.severity for fault in unturned] == [Severity.WARNING] * 6
    assert all("482E.sql: line" in fault.reason for fault in unturned)
