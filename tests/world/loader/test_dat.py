"""Data folders as worlds: the same graph as from any other source, and faults instead of errors (dat-format.md 2,
3)."""

from __future__ import annotations

import random
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from engine.dat.ids import DatKind
from engine.dat.images import encode_rgba
from engine.dat.records import (
    BspNode,
    EnvCell,
    Environment,
    GfxObj,
    GfxObjDegradeInfo,
    LandBlock,
    LandBlockInfo,
    Palette,
    RecordFrame,
    RenderSurface,
    Stab,
    Surface,
    SurfaceTexture,
)
from engine.dat.records.base import DatRecord
from engine.dat.records.mesh import Degrade
from engine.dat.records.textures import BASE_CLIPMAP, BASE_IMAGE, BASE_SOLID, PixelFormat
from engine.world import faults as kinds
from engine.world.cells.cell import EnvCell as Room
from engine.world.cells.cell import LandCell
from engine.world.cells.objects import static_object_id
from engine.world.faults import Fault, Severity, WorldError
from engine.world.loader import open_world
from engine.world.loader.dat_source import DatSource
from engine.world.loader.json_form import JsonNode
from engine.world.loader.record_file import MemoryRecords
from engine.world.loader.scene_source import SceneSource
from engine.world.world import World
from tests.world.graph_form import graph_form
from tests.world.loader.scenes import (
    BLOCK,
    BLOCK_ID,
    ENVIRONMENT_ID,
    record_bytes,
    scene_records,
    two_rooms,
    write_folder,
)

Records = dict[int, DatRecord]
HALL = BLOCK | 0x100
SIDE_ROOM = BLOCK | 0x101
INFO = BLOCK | 0xFFFE


class Files:
    """The records of the two rooms, to damage before opening them."""

    def __init__(self) -> None:
        self.portal, self.cell = scene_records(two_rooms())

    def room(self, cell_id: int = HALL) -> EnvCell:
        record = self.cell[cell_id]
        assert isinstance(record, EnvCell)
        return record

    def info(self) -> LandBlockInfo:
        record = self.cell[INFO]
        assert isinstance(record, LandBlockInfo)
        return record

    def environment(self) -> Environment:
        record = self.portal[ENVIRONMENT_ID]
        assert isinstance(record, Environment)
        return record

    def opened(self, spoil: dict[int, bytes] | None = None) -> World:
        portal, cell = record_bytes(self.portal), record_bytes(self.cell)
        for record_id, data in (spoil or {}).items():
            (portal if record_id in portal else cell)[record_id] = data
        return World(DatSource("memory", MemoryRecords(portal), MemoryRecords(cell)))


@pytest.fixture
def files() -> Files:
    return Files()


def faults_of(world: World) -> list[Fault]:
    """The block's own faults; the missing region is expected."""
    world.landblock(BLOCK)
    return [fault for fault in world.faults() if fault.what != kinds.REGION]


def whats(world: World) -> list[str]:
    return [fault.what for fault in faults_of(world)]


def hall(world: World) -> Room:
    cell = world.graph.get_visible(HALL)
    assert isinstance(cell, Room)
    return cell


# --- the same as a scene


def test_a_data_folder_gives_the_same_graph_as_its_scene(files: Files, tmp_path: Path) -> None:
    from_scene = World(SceneSource(JsonNode(two_rooms(), "scene")))
    with open_world(write_folder(tmp_path, files.portal, files.cell)) as from_files:
        assert graph_form(from_files) == graph_form(from_scene)
        assert from_files.landblock_ids() == from_scene.landblock_ids()
        assert faults_of(from_files) == []


def test_records_in_memory_give_the_same_as_a_folder(files: Files, tmp_path: Path) -> None:
    with open_world(write_folder(tmp_path, files.portal, files.cell)) as from_files:
        assert graph_form(from_files) == graph_form(files.opened())


def test_two_openings_give_the_same_graph(files: Files) -> None:
    assert graph_form(files.opened()) == graph_form(files.opened())


def test_cells_share_their_structures_and_models_are_made_once(files: Files) -> None:
    files.room(SIDE_ROOM).structure = 0
    world = files.opened()
    world.landblock(BLOCK)
    other = world.graph.get_visible(SIDE_ROOM)
    assert isinstance(other, Room)
    assert hall(world).structure is other.structure
    assert world.gfxobj(0x01000001) is world.gfxobj(0x01000001)
    assert world.setup(0x01000001) is world.setup(0x01000001)


def test_a_bare_mesh_stands_for_a_model_of_one_part(files: Files) -> None:
    world = files.opened()
    model = world.setup(0x01000001)
    assert model is not None
    assert [part.gfxobj for part in model.parts] == [world.gfxobj(0x01000001)]
    assert model.part_frame(0).origin == (0.0, 0.0, 0.0)


@pytest.mark.parametrize("far", [1e30, -5e4, float("inf"), float("nan")])
def test_a_vertex_beyond_the_map_is_dropped_with_its_polygons(files: Files, far: float) -> None:
    model = files.portal[0x01000001]
    assert isinstance(model, GfxObj)
    sound = files.opened().gfxobj(0x01000001)
    spoilt = model.vertices[0]
    model.vertices[0] = replace(spoilt, position=(far, *spoilt.position[1:]))
    found = files.opened().gfxobj(0x01000001)
    assert sound is not None
    assert found is not None
    assert {fault.what for fault in found.faults} >= {kinds.POLYGON}
    assert len(found.physics_polygons) < len(sound.physics_polygons)
    assert max(map(abs, (*found.box.minimum, *found.box.maximum))) < 100.0


def test_static_objects_have_landblock_coordinates_and_their_own_ids(files: Files) -> None:
    stab = Stab(0x02000001, RecordFrame((50.0, 51.0, 20.0)))
    files.room().objects = [stab, stab]
    files.room().flags |= 2
    files.info().objects = [stab]
    world = files.opened()
    block = world.landblock(BLOCK)
    assert block is not None
    cell = hall(world)
    assert [static.id for static in cell.static_objects] == [static_object_id(HALL, 0), static_object_id(HALL, 1)]
    assert [static.frame.origin for static in cell.static_objects] == [(50.0, 51.0, 20.0)] * 2
    assert [static.id for static in block.statics] == [static_object_id(INFO, 0)]
    assert faults_of(world) == []


def test_the_restriction_table_adds_cells_whose_record_has_none(files: Files) -> None:
    files.room().flags |= 8
    files.room().restriction_object = 0x7A9B4001
    files.info().pack_mask = 1
    files.info().restriction_buckets = 8
    files.info().restrictions = {HALL: 0x7A9B4002, SIDE_ROOM: 0x7A9B4003, BLOCK | 1: 0x7A9B4004}
    world = files.opened()
    restrictions = {}
    for cell_id in (HALL, SIDE_ROOM, BLOCK | 1, BLOCK | 2):
        cell = world.graph.get_visible(cell_id)
        assert cell is not None
        restrictions[cell_id & 0xFFFF] = cell.restriction_object
    assert restrictions == {0x100: 0x7A9B4001, 0x101: 0x7A9B4003, 1: 0x7A9B4004, 2: 0}


def test_only_the_requested_landblock_is_read(files: Files) -> None:
    world = files.opened()
    assert world.loaded_landblocks() == []
    world.graph.get_visible(HALL)
    assert [block.id for block in world.loaded_landblocks()] == [BLOCK_ID]
    world.graph.get_visible(0x02010001)
    assert [block.id for block in world.loaded_landblocks()] == [BLOCK_ID, 0x0201FFFF]


def test_a_landblocks_cells_follow_edits_of_the_graph(files: Files) -> None:
    world = files.opened()
    block = world.landblock(BLOCK)
    assert block is not None
    old = hall(world)
    new = Room(HALL, old.frame, old.structure, old.portals, [], old.flags, [])
    world.graph.replace_cell(new)
    assert new in block.cells
    assert old not in block.cells
    world.graph.remove_cell(SIDE_ROOM)
    assert [cell.id for cell in block.env_cells] == [HALL]
    world.graph.unload_landblock(BLOCK)
    assert world.loaded_landblocks() == []


# --- faults: everything else loads


def change(name: str, value: object) -> Callable[[Files], None]:
    """Sets one field of the hall's record."""

    def spoil(files: Files) -> None:
        setattr(files.room(), name, value)

    return spoil


def portals(**values: Any) -> Callable[[Files], None]:
    """Changes the hall's portal to the side room."""

    def spoil(files: Files) -> None:
        files.room().portals[1] = replace(files.room().portals[1], **values)

    return spoil


def side_portal(**values: Any) -> Callable[[Files], None]:
    def spoil(files: Files) -> None:
        record = files.room(SIDE_ROOM)
        record.portals[0] = replace(record.portals[0], **values)

    return spoil


def entry(**values: Any) -> Callable[[Files], None]:
    """Changes the building's only portal."""

    def spoil(files: Files) -> None:
        house = files.info().buildings[0]
        house.portals[0] = replace(house.portals[0], **values)

    return spoil


def house(**values: Any) -> Callable[[Files], None]:
    def spoil(files: Files) -> None:
        files.info().buildings[0] = replace(files.info().buildings[0], **values)

    return spoil


def without(*record_ids: int) -> Callable[[Files], None]:
    def spoil(files: Files) -> None:
        for record_id in record_ids:
            (files.portal if record_id in files.portal else files.cell).pop(record_id)

    return spoil


def second_house(files: Files) -> None:
    files.info().buildings.append(replace(files.info().buildings[0], portals=[]))


def lone_leaf(files: Files) -> None:
    files.environment().structures[0].structure.cell_bsp = BspNode("LEAF")


def flat_polygon(files: Files) -> None:
    structure = files.environment().structures[0].structure
    first = structure.physics_polygons[0]
    structure.physics_polygons[0] = replace(first, vertex_ids=[first.vertex_ids[0]] * 3)


def bent_polygon(files: Files) -> None:
    vertex = files.environment().structures[0].structure.vertices[0]
    files.environment().structures[0].structure.vertices[0] = replace(vertex, position=(0.0, 0.0, 0.5))


def polygon_without_vertex(files: Files) -> None:
    structure = files.environment().structures[0].structure
    structure.physics_polygons[0] = replace(structure.physics_polygons[0], vertex_ids=[0, 1, 999])


def torn_edge(files: Files) -> None:
    land = files.cell[0x0201FFFF]
    assert isinstance(land, LandBlock)
    land.heights[3] = 11


def missing_model(files: Files) -> None:
    files.info().objects.append(Stab(0x02000077, RecordFrame()))


FAULTS = [
    # kind, location (low half of the cell id, or the whole id), number, severity, and the damage
    (kinds.ENVIRONMENT, HALL, -1, Severity.ERROR, change("environment", 0x77)),
    (kinds.ENVIRONMENT, HALL, -1, Severity.ERROR, change("structure", 9)),
    (kinds.ENVIRONMENT, HALL, -1, Severity.ERROR, without(ENVIRONMENT_ID)),
    (kinds.CELL_TREE, ENVIRONMENT_ID, 0, Severity.WARNING, lone_leaf),
    (kinds.POLYGON, ENVIRONMENT_ID, 0, Severity.WARNING, flat_polygon),
    (kinds.POLYGON, ENVIRONMENT_ID, 0, Severity.WARNING, bent_polygon),
    (kinds.POLYGON, ENVIRONMENT_ID, 0, Severity.ERROR, polygon_without_vertex),
    (kinds.PHYSICS_TREE, ENVIRONMENT_ID, 0, Severity.ERROR, polygon_without_vertex),
    (kinds.FRAME, HALL, -1, Severity.ERROR, change("frame", RecordFrame((48.0, 48.0, 20.0), (2.0, 0.0, 0.0, 0.0)))),
    (kinds.FRAME, HALL, -1, Severity.ERROR, change("frame", RecordFrame((48.0, 48.0, 20.0), (0.0, 0.0, 0.0, 0.0)))),
    (kinds.FRAME, HALL, -1, Severity.ERROR, change("frame", RecordFrame((float("nan"), 0.0, 0.0)))),
    (kinds.FRAME, HALL, -1, Severity.ERROR, change("frame", RecordFrame((1e30, 0.0, 0.0)))),
    (kinds.PORTAL, HALL, 1, Severity.WARNING, portals(flags=7)),
    (kinds.PORTAL, HALL, 1, Severity.WARNING, portals(other_cell_id=0xFFFF)),
    (kinds.NO_PORTALS, HALL, -1, Severity.ERROR, change("portals", [])),
    (kinds.PORTAL_POLYGON, HALL, 1, Severity.ERROR, portals(polygon_id=77)),
    (kinds.PORTAL_ORDER, HALL, -1, Severity.WARNING, portals(polygon_id=0)),
    (kinds.PORTAL_SIDE, HALL, 1, Severity.WARNING, portals(flags=1)),
    (kinds.PORTAL_LINK, HALL, 1, Severity.ERROR, portals(other_cell_id=0x177)),
    (kinds.PORTAL_LINK, HALL, 1, Severity.ERROR, without(SIDE_ROOM)),
    (kinds.PORTAL_LINK, HALL, 1, Severity.ERROR, portals(other_portal_id=5)),
    (kinds.PORTAL_LINK, HALL, 1, Severity.WARNING, portals(other_portal_id=0xFFFF)),
    (kinds.PORTAL_LINK, HALL, 1, Severity.WARNING, side_portal(flags=7, other_cell_id=0xFFFF)),
    (kinds.PORTAL_LINK, HALL, 1, Severity.WARNING, side_portal(other_portal_id=0)),
    (kinds.PORTAL_LINK, HALL, 1, Severity.WARNING, change("visible_cells", [])),
    (kinds.STAB_LIST, HALL, -1, Severity.WARNING, change("visible_cells", [0x101, 0x150])),
    (kinds.STAB_LIST, HALL, -1, Severity.INFO, change("visible_cells", [0x101, 0x101])),
    (kinds.SEEN_OUTSIDE, HALL, -1, Severity.INFO, change("flags", 0)),
    (kinds.SURFACE, HALL, 0, Severity.ERROR, change("surfaces", [0x0DCB])),
    (kinds.STATIC_OBJECT, BLOCK_ID, 0, Severity.ERROR, missing_model),
    (kinds.BUILDING, BLOCK_ID, 0, Severity.ERROR, house(model_id=0x01000077)),
    (kinds.BUILDING, BLOCK_ID, 0, Severity.ERROR, house(frame=RecordFrame((200.0, 48.0, 20.0)))),
    (kinds.BUILDING, BLOCK_ID, 1, Severity.ERROR, second_house),
    (kinds.BUILDING_LINK, BLOCK | 19, 0, Severity.ERROR, entry(other_cell_id=0x177)),
    (kinds.BUILDING_LINK, BLOCK | 19, 0, Severity.ERROR, entry(other_portal_id=9)),
    (kinds.BUILDING_LINK, BLOCK | 19, 0, Severity.ERROR, entry(other_portal_id=0xFFFF)),
    (kinds.BUILDING_LINK, BLOCK | 19, 0, Severity.WARNING, entry(other_portal_id=1)),
    (kinds.BUILDING_LINK, BLOCK | 19, 0, Severity.WARNING, entry(stab_list=[0x101])),
    (kinds.BUILDING_LINK, BLOCK | 19, 0, Severity.WARNING, entry(stab_list=[0x100, 0x150])),
    (kinds.BUILDING_PORTAL, BLOCK_ID, 0, Severity.ERROR, entry(other_cell_id=0xFFFF)),
    (kinds.CELL, SIDE_ROOM, -1, Severity.ERROR, without(SIDE_ROOM)),
    (kinds.CELL, SIDE_ROOM, -1, Severity.ERROR, lambda files: setattr(files.info(), "num_cells", 1)),
    (kinds.RECORD, BLOCK_ID, -1, Severity.ERROR, lambda files: setattr(files.info(), "num_cells", 2**31)),
    (kinds.RECORD, BLOCK_ID, -1, Severity.WARNING, without(INFO)),
    (kinds.TERRAIN_EDGE, BLOCK_ID, -1, Severity.WARNING, torn_edge),
]  # fmt: skip


@pytest.mark.parametrize(("what", "where", "index", "severity", "spoil"), FAULTS)
def test_a_fault_is_recorded_and_everything_else_loads(
    files: Files, what: str, where: int, index: int, severity: Severity, spoil: Callable[[Files], None]
) -> None:
    spoil(files)
    world = files.opened()
    found = [(fault.what, fault.where, fault.index, fault.severity) for fault in faults_of(world)]
    assert (what, where, index, severity) in found
    assert world.graph.get_visible(HALL) is not None
    assert world.graph.get_visible(BLOCK | 19) is not None


def test_a_room_without_a_portal_is_reported_and_holds_no_body(files: Files) -> None:
    inside = (51.0, 51.0, 21.0)
    assert hall(files.opened()).point_in_cell(inside)
    files.room().portals = []
    world = files.opened()
    assert not hall(world).point_in_cell(inside)
    reasons = [fault.reason for fault in faults_of(world) if fault.what == kinds.NO_PORTALS]
    assert reasons == ["has no portal: for the client it contains no point, so no body can stand or be placed in it"]


def test_a_second_building_of_a_land_cell_is_neither_solid_nor_enterable(files: Files) -> None:
    """The land cell keeps the first one in the record's order; searches ignore the second."""
    second_house(files)
    world = files.opened()
    block = world.landblock(BLOCK)
    land = world.graph.get_visible(BLOCK | 19)
    assert block is not None
    assert isinstance(land, LandCell)
    first, second = block.buildings
    assert land.building is first
    assert [cell.building for cell in block.land_cells if cell.building is not None] == [first]
    (fault,) = [fault for fault in faults_of(world) if fault.what == kinds.BUILDING]
    assert fault.reason == "0x01010013 already has a building: no body collides with this one or enters it"
    assert second.portals == []


@pytest.mark.parametrize(("mode", "flat"), [(1, False), (2, True), (3, True), (4, True), (5, True), (None, False)])
def test_the_first_entry_of_its_degrade_table_makes_a_mesh_flat(files: Files, mode: int | None, flat: bool) -> None:
    model = files.portal[0x01000001]
    assert isinstance(model, GfxObj)
    table = GfxObjDegradeInfo(0x11000001, [] if mode is None else [Degrade(0x01000001, mode, 0.0, 0.0, 9.0)])
    files.portal[0x01000001] = replace(model, flags=model.flags | 0x8, degrade_id=table.id)
    assert_flat(files, False)  # a missing table changes nothing
    files.portal[table.id] = table
    assert_flat(files, flat)


def assert_flat(files: Files, flat: bool) -> None:
    model = files.opened().gfxobj(0x01000001)
    assert model is not None
    assert model.drawn_flat == flat


def test_a_cell_whose_structure_is_missing_still_has_portals_and_statics(files: Files) -> None:
    files.room().environment = 0x77
    files.room().objects = [Stab(0x02000001, RecordFrame())]
    files.room().flags |= 2
    cell = hall(files.opened())
    assert [portal.other_cell_id for portal in cell.portals] == [0xFFFFFFFF, SIDE_ROOM]
    assert [portal.polygon for portal in cell.portals] == [None, None]
    assert len(cell.static_objects) == 1
    assert not cell.point_in_cell((50.0, 50.0, 21.0))
    assert [fault.what for fault in cell.faults] == [kinds.ENVIRONMENT]


def test_a_bad_rotation_is_repaired_and_the_position_kept(files: Files) -> None:
    files.room().frame = RecordFrame((48.0, 48.0, 20.0), (2.0, 0.0, 0.0, 0.0))
    frame = hall(files.opened()).frame
    assert (frame.origin, frame.rotation) == ((48.0, 48.0, 20.0), (1.0, 0.0, 0.0, 0.0))


@pytest.mark.parametrize("record_id", [HALL, INFO, BLOCK_ID, ENVIRONMENT_ID, 0x01000001, 0x02000001])
def test_an_unreadable_record_is_a_fault_with_its_file_and_field(files: Files, record_id: int) -> None:
    world = files.opened({record_id: b"\x01\x02\x03"})
    block = world.landblock(BLOCK)
    assert block is not None
    world.setup(0x02000001)
    found = [fault for fault in faults_of(world) if fault.what == kinds.RECORD and fault.where == record_id]
    assert len(found) == 1
    assert "memory" in found[0].reason
    assert world.graph.get_visible(SIDE_ROOM) is not None


def test_many_missing_cells_make_one_summary_fault(files: Files) -> None:
    files.info().num_cells = 60000
    missing = [fault for fault in faults_of(files.opened()) if fault.what == kinds.CELL]
    assert len(missing) == 21
    assert missing[-1].reason == "59978 more cells are counted and not there"


def test_a_model_that_lacks_its_stated_physics_or_surfaces_is_a_fault(files: Files) -> None:
    record = files.portal[0x01000001]
    assert isinstance(record, GfxObj)
    record.surfaces = [0x08000001]
    world = files.opened()
    model = world.gfxobj(0x01000001)
    assert model is not None
    assert [fault.what for fault in model.faults] == [kinds.SURFACE]


def test_checking_again_after_an_edit_drops_earlier_findings(files: Files) -> None:
    from engine.world.loader.checks import check_cells

    files.room().portals[1] = replace(files.room().portals[1], other_portal_id=5)
    files.room().frame = RecordFrame((48.0, 48.0, 20.0), (2.0, 0.0, 0.0, 0.0))
    world = files.opened()
    block = world.landblock(BLOCK)
    assert block is not None
    cell = hall(world)
    assert [fault.what for fault in cell.faults] == [kinds.FRAME, kinds.PORTAL_LINK]
    cell.portals[1].other_portal_id = 0
    check_cells({room.id: room for room in block.env_cells}, block.buildings)
    assert [fault.what for fault in cell.faults] == [kinds.FRAME]


def test_a_fault_reads_as_a_sentence(files: Files) -> None:
    files.room().portals[1] = replace(files.room().portals[1], other_cell_id=0x177)
    errors = [fault for fault in faults_of(files.opened()) if fault.severity is Severity.ERROR]
    assert [str(fault) for fault in errors] == [
        "error: 0x01010100 portal link 1: leads to 0x01010177, which is not there"
    ]


# --- broken records


def check_broken(seed: int) -> None:
    """Opens and uses the world with one record's bytes changed."""
    rng = random.Random(seed)
    files = Files()
    record_id = rng.choice([HALL, SIDE_ROOM, INFO, BLOCK_ID, ENVIRONMENT_ID, 0x01000001, 0x02000002])
    data = bytearray(record_bytes({**files.portal, **files.cell})[record_id])
    for _ in range(rng.randint(1, 3)):
        place = rng.randrange(len(data))
        data[place] = rng.choice([0, 1, 0x7F, 0x80, 0xFF, data[place] ^ 1 << rng.randrange(8)])
    if rng.random() < 0.1:
        del data[rng.randrange(len(data)) :]
    world = files.opened({record_id: bytes(data)})
    world.landblock(BLOCK)
    world.setup(0x02000002)
    for cell in world.graph.all_cells():
        cell.point_in_cell((50.0, 50.0, 21.0))
    assert all(str(fault) for fault in world.faults())


@pytest.mark.unwatched
def test_broken_records_never_prevent_the_others_from_loading() -> None:
    for seed in range(150):
        check_broken(seed)


@pytest.mark.slow
def test_very_many_broken_records_never_prevent_the_others_from_loading() -> None:
    for seed in range(1000, 5000):
        check_broken(seed)


def check_broken_files(folder: Path, whole: dict[str, bytes], seed: int) -> bool:
    """Opens and uses a folder with some bytes of its databases changed; returns True if it was refused."""
    rng = random.Random(seed)
    for name, original in whole.items():
        data = bytearray(original)
        for _ in range(rng.randint(0, 3)):
            start = rng.choice([0x140, 0x400, len(data) - 0xA00])  # header, records, directory
            place = min(start + rng.randrange(0x400), len(data) - 1)
            data[place] = rng.choice([0, 1, 0xFF, data[place] ^ 1 << rng.randrange(8)])
        if rng.random() < 0.05:
            del data[rng.randrange(len(data)) :]
        (folder / name).write_bytes(data)
    try:
        world = open_world(folder)
    except WorldError:
        return True
    with world:
        for block_id in [*world.landblock_ids(), BLOCK_ID]:
            world.landblock(block_id)
        for model_id in world.source.model_ids():
            world.setup(model_id)
        assert world.source.record_counts() is not None
        assert all(str(fault) for fault in [*world.faults(), *world.source.container_faults()])
    return False


def test_broken_databases_are_refused_or_load_their_sound_part(tmp_path: Path, files: Files) -> None:
    write_folder(tmp_path, files.portal, files.cell)
    whole = {kind.file_name: (tmp_path / kind.file_name).read_bytes() for kind in (DatKind.PORTAL, DatKind.CELL)}
    refused = sum(check_broken_files(tmp_path, whole, seed) for seed in range(80))
    assert 0 < refused < 60


# --- textures

SURFACE_ID, TEXTURE_ID, IMAGE_ID, PALETTE_ID = 0x08000001, 0x05000001, 0x06000001, 0x04000001


def add_texture(files: Files, pixel_format: PixelFormat, surface_flags: int = BASE_IMAGE) -> None:
    pixels = np.zeros((2, 2, 4), np.uint8)
    pixels[0, 0] = (255, 0, 0, 255)
    pixels[1, 1] = (0, 255, 0, 255)
    pixels[..., 3] = 255
    colors = [0xFF000000] * 8 + [0xFF000000, 0xFFFF0000, 0xFF00FF00]
    palette = Palette(PALETTE_ID, colors)
    indexed = pixel_format is PixelFormat.INDEX16
    data = encode_rgba(pixels, pixel_format, palette if indexed else None)
    files.portal[SURFACE_ID] = Surface(surface_flags, TEXTURE_ID, 0, None, 0.0, 0.0, 1.0)
    files.portal[TEXTURE_ID] = SurfaceTexture(TEXTURE_ID, 0, 2, [IMAGE_ID + 1, IMAGE_ID])  # the first is missing
    files.portal[IMAGE_ID] = RenderSurface(IMAGE_ID, 6, 2, 2, pixel_format, data, PALETTE_ID if indexed else None)
    if indexed:
        files.portal[PALETTE_ID] = palette


@pytest.mark.parametrize("pixel_format", [PixelFormat.A8R8G8B8, PixelFormat.R8G8B8, PixelFormat.INDEX16])
def test_the_reader_follows_a_surface_to_its_pixels(files: Files, pixel_format: PixelFormat) -> None:
    add_texture(files, pixel_format)
    found = files.opened().surface_image(SURFACE_ID)
    assert found is not None
    assert (found.width, found.height, found.format_name) == (2, 2, pixel_format.name)
    assert (found.texture_id, found.image_id) == (TEXTURE_ID, IMAGE_ID)
    assert found.palette_id == (PALETTE_ID if pixel_format is PixelFormat.INDEX16 else 0)
    assert found.pixels is not None
    assert found.pixels[0, 0].tolist() == [255, 0, 0, 255]
    assert found.pixels[1, 1].tolist() == [0, 255, 0, 255]


def test_a_clipmap_cuts_out_the_first_colours_of_its_palette(files: Files) -> None:
    add_texture(files, PixelFormat.INDEX16, BASE_CLIPMAP)
    found = files.opened().surface_image(SURFACE_ID)
    assert found is not None
    assert found.pixels is not None
    assert found.pixels[..., 3].tolist() == [[255, 0], [0, 255]]


def test_a_plain_surface_is_a_colour(files: Files) -> None:
    files.portal[SURFACE_ID] = Surface(BASE_SOLID, None, None, 0xFF6F3916, 0.0, 0.0, 1.0)
    found = files.opened().surface_image(SURFACE_ID)
    assert found is not None
    assert (found.color, found.pixels) == (0xFF6F3916, None)


def test_terrain_asks_for_a_picture_without_a_surface(files: Files) -> None:
    add_texture(files, PixelFormat.R8G8B8)
    world = files.opened()
    found = world.texture_image(TEXTURE_ID)
    assert found is not None
    assert found.pixels is not None
    assert world.texture_image(0x05000077) is None


@pytest.mark.parametrize("missing", [TEXTURE_ID, IMAGE_ID, PALETTE_ID])
def test_a_missing_picture_is_a_fault_reported_once(files: Files, missing: int) -> None:
    add_texture(files, PixelFormat.INDEX16)
    del files.portal[missing]
    world = files.opened()
    for _ in range(2):
        found = world.surface_image(SURFACE_ID)
        assert found is not None
        assert found.pixels is None
    faults = [fault for fault in world.faults() if fault.what == kinds.SURFACE]
    assert [fault.where for fault in faults] == [SURFACE_ID]


def test_a_missing_surface_is_none(files: Files) -> None:
    assert files.opened().surface_image(SURFACE_ID) is None


def test_any_record_can_be_read_by_its_id(files: Files) -> None:
    world = files.opened()
    assert isinstance(world.record(HALL), EnvCell)
    assert isinstance(world.record(ENVIRONMENT_ID), Environment)
    assert world.record(0x09000001) is None


# --- opening


def test_a_folder_without_data_reports_missing_and_existing_files(tmp_path: Path, files: Files) -> None:
    write_folder(tmp_path, files.portal, files.cell)
    (tmp_path / DatKind.CELL.file_name).unlink()
    with pytest.raises(WorldError, match=r"client_cell_1.dat is missing; the folder holds client_portal.dat"):
        open_world(tmp_path)


def test_opening_a_data_file_opens_its_folder(tmp_path: Path, files: Files) -> None:
    write_folder(tmp_path, files.portal, files.cell)
    with open_world(tmp_path / DatKind.PORTAL.file_name) as world:
        assert world.landblock(BLOCK) is not None


def test_a_sound_container_has_no_faults_and_a_broken_one_has(tmp_path: Path, files: Files) -> None:
    write_folder(tmp_path, files.portal, files.cell)
    with open_world(tmp_path) as world:
        assert list(world.source.container_faults()) == []
    path = tmp_path / DatKind.CELL.file_name
    data = bytearray(path.read_bytes())
    data[0x100:0x104] = b"\x01\x02\x03\x04"
    path.write_bytes(data)
    with open_world(tmp_path) as world:
        found = list(world.source.container_faults())
    assert found
    assert "transaction record" in found[0].reason


def test_an_absent_landblock_is_none(files: Files) -> None:
    world = files.opened()
    assert world.landblock(0x50500000) is None
    assert world.landblock_ids() == [x << 24 | y << 16 | 0xFFFF for x in range(3) for y in range(3)]
