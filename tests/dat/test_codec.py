"""How the description language reports values that it cannot read or write, and their location."""

from __future__ import annotations

import json
import math
import random
import struct
import tracemalloc
from dataclasses import dataclass
from typing import cast

import pytest

from engine.dat import DatError
from engine.dat.codec.base import Bits, Scope, Size
from engine.dat.codec.choices import When
from engine.dat.codec.lists import List, list32
from engine.dat.codec.loose import CUINT, TEXT, KnownDid
from engine.dat.codec.numbers import F32, U8, U16, U32, VEC3
from engine.dat.codec.record import Record
from engine.dat.codec.stream import CodecError, Sink, Source
from engine.dat.ids import RecordType
from engine.dat.records import (
    BspNode,
    CellStruct,
    DatPolygon,
    DatRecord,
    EnvCell,
    Environment,
    GfxObj,
    KeyedStruct,
    LandBlock,
    LandBlockInfo,
    MotionTable,
    Palette,
    PaletteSet,
    PlacementFrame,
    RecordFrame,
    Region,
    Setup,
    Surface,
    Vertex,
    describe,
    read_record,
    write_record,
)
from tests.dat.record_maker import RecordMaker, id_of

NO_SCOPE = Scope({}, [], None)
ORIGIN = ((0.0, 0.0, 0.0), 1.0)


def physics_leaf(sphere: object = ORIGIN) -> BspNode:
    return BspNode("LEAF", sphere=cast(tuple[tuple[float, float, float], float], sphere))


def cell_chain(depth: int) -> BspNode:
    node = BspNode("LEAF")
    for _ in range(depth - 1):
        node = BspNode("BPnn", plane=ORIGIN, pos=node)
    return node


def environment(**changed: object) -> Environment:
    """Two small rooms; the changes apply to the second."""
    rooms = []
    for _ in range(2):
        physics = BspNode("BPnN", plane=ORIGIN, pos=physics_leaf(), neg=physics_leaf(), sphere=ORIGIN)
        vertices = [Vertex(key, (float(key), 0.0, 0.0), (0.0, 0.0, 1.0), [(0.0, 1.0)]) for key in range(3)]
        polygons = [DatPolygon(0, 0, 0, 0, -1, [0, 1, 2], [0, 0, 0])]
        drawing = BspNode("BPOL", plane=ORIGIN, sphere=ORIGIN, polygon_ids=[0])
        rooms.append(CellStruct(vertices, polygons, [0], cell_chain(2), [], physics, drawing))
    for name, value in changed.items():
        setattr(rooms[1], name, value)
    return Environment(0x0D000001, [KeyedStruct(key, room) for key, room in enumerate(rooms)])


def setup(**changed: object) -> Setup:
    frames = [PlacementFrame(0, [RecordFrame(), RecordFrame()], [])]
    record = Setup(
        0x02000001, 0, [0x01000001] * 2, None, None, {}, {}, frames, [], [], 1.0, 0.5, 0.1, 0.1, ORIGIN, ORIGIN, []
    )
    for name, value in changed.items():
        setattr(record, name, value)
    return record


def refusal(record: DatRecord) -> DatError:
    """The error of a record that cannot be written."""
    with pytest.raises(DatError) as caught:
        write_record(record)
    assert caught.value.file == "memory"
    assert caught.value.record_id == getattr(record, "id", None)
    return caught.value


def complaint(cls: type[DatRecord], data: bytes, record_id: int) -> DatError:
    """The error of bytes that cannot be read."""
    with pytest.raises(DatError) as caught:
        read_record(cls, data, file="client_portal.dat", record_id=record_id)
    return caught.value


def test_an_error_in_a_tree_names_the_path_to_the_node() -> None:
    data = write_record(environment())
    truncated = data[: data.rindex(b"FAEL") + 18]
    error = complaint(Environment, truncated, 0x0D000001)
    assert error.field == "structures[1].structure.physics_bsp.neg.sphere"
    assert error.offset == len(truncated) - 6
    assert str(error).startswith("client_portal.dat, record 0x0D000001, offset 0x")


def test_an_error_in_a_list_names_the_entry_and_the_field_in_it() -> None:
    data = bytearray(write_record(environment()))
    data[28:32] = (1000).to_bytes(4, "little")
    assert complaint(Environment, bytes(data), 0x0D000001).field == "structures[0].structure.vertices"
    broken = environment()
    broken.structures[1].structure.vertices[2].normal = (0.0, 1e39, 0.0)
    assert refusal(broken).field == "structures[1].structure.vertices[2].normal"


@pytest.mark.parametrize("count", [0xFFFFFFFF, 0x7FFFFFFF, 0x10000, 3])
def test_a_count_beyond_the_records_size_is_refused_before_allocation(count: int) -> None:
    data = struct.pack("<III", 0x04000001, count, 0) + bytes(4)
    tracemalloc.start()
    error = complaint(Palette, data, 0x04000001)
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert error.field == "colors"
    assert f"{count} entries take at least {4 * count} bytes, 8 are left" in error.reason
    assert peak < 100_000


def test_a_count_used_later_is_checked_where_it_is_used() -> None:
    data = bytearray(write_record(setup()))
    data[8:12] = (0xFFFFFFFF).to_bytes(4, "little")
    assert complaint(Setup, bytes(data), 0x02000001).field == "parts"


def test_a_negative_length_is_refused() -> None:
    maker = RecordMaker(random.Random(1))
    image = maker.make(RecordType.RENDER_SURFACE)
    data = bytearray(write_record(image))
    data[20:24] = (-1).to_bytes(4, "little", signed=True)
    error = complaint(type(image), bytes(data), id_of(image))
    assert (error.field, error.offset) == ("data", 24)


DEEP = 100_000


def with_deep_cell_tree(nodes: int) -> bytes:
    """An environment the first room of which has this many more nodes in its cell tree, one below the other."""
    shallow = write_record(environment())
    at = shallow.index(b"nnPB")
    return shallow[:at] + (b"nnPB" + bytes(16)) * nodes + shallow[at:]


@pytest.mark.parametrize("depth", [511, 512, 513, 2_000])
def test_a_deep_tree_is_read_written_and_described(depth: int) -> None:
    data = write_record(environment(cell_bsp=cell_chain(depth)))
    again = read_record(Environment, data, file="x", record_id=0x0D000001)
    assert write_record(again) == data
    assert json.dumps(describe(again)).count("BPnn") == 101 + 1
    assert f'"nodes below": {depth - 101}' in json.dumps(describe(again))


def test_a_tree_as_deep_as_a_record_can_be_is_read_written_and_dropped() -> None:
    data = with_deep_cell_tree(DEEP)
    tracemalloc.start()
    record = read_record(Environment, data, file="x", record_id=0x0D000001)
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert peak < 64 * len(data)
    assert write_record(record) == data
    assert len(json.dumps(describe(record))) < 100_000
    assert record == read_record(Environment, data, file="x", record_id=0x0D000001)
    assert len(repr(record)) < 100_000
    del record


def test_an_error_deep_in_a_tree_names_the_levels_at_both_ends() -> None:
    deep = with_deep_cell_tree(DEEP)
    at = deep.index(b"FAEL")
    error = complaint(Environment, deep[: at + 6], 0x0D000001)
    assert error.offset == at + 4
    first = "structures[0].structure.cell_bsp" + 16 * ".pos"
    assert error.field == f"{first}.({DEEP - 31} nodes){16 * '.pos'}.leaf_index"


def test_writing_a_tree_that_contains_itself_is_an_error() -> None:
    node = BspNode("BPnn", plane=ORIGIN)
    node.pos = node
    error = refusal(environment(cell_bsp=node))
    assert (error.field, error.reason) == ("structures[1].structure.cell_bsp.pos", "the node is below itself")


def test_a_node_may_stand_in_two_places() -> None:
    leaf = physics_leaf()
    record = environment(physics_bsp=BspNode("BPnN", plane=ORIGIN, pos=leaf, neg=leaf, sphere=ORIGIN))
    assert read_record(Environment, write_record(record), file="x", record_id=0x0D000001) == record


def test_a_tag_decides_which_children_a_node_must_and_must_not_have() -> None:
    missing = BspNode("BPnN", plane=ORIGIN, pos=physics_leaf(), sphere=ORIGIN)
    assert refusal(environment(physics_bsp=missing)).field == "structures[1].structure.physics_bsp.neg"
    surplus = BspNode("BPnn", plane=ORIGIN, pos=BspNode("LEAF"), neg=BspNode("LEAF"))
    error = refusal(environment(cell_bsp=surplus))
    assert (error.field, error.reason) == ("structures[1].structure.cell_bsp.neg", "a BPnn node has none")


def test_polygon_ids_in_a_tree_kind_without_them_are_an_error() -> None:
    node = BspNode("BPnn", plane=ORIGIN, pos=BspNode("LEAF", polygon_ids=[1]))
    assert refusal(environment(cell_bsp=node)).field == "structures[1].structure.cell_bsp.pos.polygon_ids"


def test_a_port_node_outside_a_drawing_tree_has_a_plane_and_two_children() -> None:
    cell = BspNode("PORT", plane=ORIGIN, pos=BspNode("LEAF"), neg=BspNode("LEAF", leaf_index=1))
    physics = BspNode("PORT", plane=ORIGIN, pos=physics_leaf(), neg=physics_leaf())
    for changed in ({"cell_bsp": cell}, {"physics_bsp": physics}):
        record = environment(**changed)
        data = write_record(record)
        assert data.count(b"TROP") == 1
        again = read_record(Environment, data, file="x", record_id=0x0D000001)
        assert again == record
        assert write_record(again) == data
    error = refusal(environment(physics_bsp=BspNode("PORT", plane=ORIGIN, sphere=ORIGIN)))
    assert (error.field, error.reason) == ("structures[1].structure.physics_bsp.sphere", "a PORT node has none")


@pytest.mark.parametrize("tag", ["", "LEA", "LEAFS", "LE€F"])
def test_a_tag_has_four_characters(tag: str) -> None:
    assert refusal(environment(cell_bsp=BspNode(tag))).field == "structures[1].structure.cell_bsp.tag"


def test_a_node_of_unknown_tag_has_no_children() -> None:
    node = BspNode("BQxx", plane=ORIGIN)
    data = write_record(environment(cell_bsp=node))
    assert read_record(Environment, data, file="x", record_id=0x0D000001) == environment(cell_bsp=node)


def test_flags_for_missing_fields_are_an_error() -> None:
    model = GfxObj(0x01000001, 1, [], [], [], None, (0.0, 0.0, 0.0), [], None)
    error = refusal(model)
    assert (error.field, error.reason) == ("physics_bsp", "it must be there: flags with 0x1")
    assert refusal(setup(flags=2)).field == "default_scales"
    assert refusal(environment(drawing_bsp=None)).field == "structures[1].structure.drawing_bsp"


def test_a_field_without_its_flag_is_an_error() -> None:
    error = refusal(setup(parent_indices=[0, 1]))
    assert (error.field, error.reason) == ("parent_indices", "it cannot be there: this takes flags with 0x1")
    model = GfxObj(0x01000001, 0, [], [], [], None, (0.0, 0.0, 0.0), [DatPolygon(0, 4, 0, 0, -1, [])], None)
    assert refusal(model).field == "polygons"
    assert refusal(Surface(2, 1, 0, color=0)).field == "color"
    assert refusal(LandBlockInfo(0xA9B4FFFE, 0, [], [], 0, None, {1: 2})).field == "restrictions"
    assert refusal(LandBlockInfo(0xA9B4FFFE, 0, [], [], 0, 0, {})).field == "restriction_buckets"


def test_uv_indices_follow_the_stippling_and_the_sides_type() -> None:
    def room(polygon: DatPolygon) -> Environment:
        return environment(polygons=[polygon])

    assert refusal(room(DatPolygon(0, 4, 0, 0, -1, [0, 1, 2], [0, 0, 0]))).field is not None
    assert refusal(room(DatPolygon(0, 0, 0, 0, -1, [0, 1, 2], []))).reason == "0 entries, but vertex_ids asks for 3"
    error = refusal(room(DatPolygon(0, 4, 2, 0, 0, [0, 1, 2])))
    assert error.field == "structures[1].structure.polygons[0].neg_uvs"
    write_record(room(DatPolygon(0, 4 | 8, 2, 0, 0, [0, 1, 2])))


def test_parallel_lists_have_the_same_length() -> None:
    error = refusal(setup(placement_frames=[PlacementFrame(0, [RecordFrame()], [])]))
    assert (error.field, error.reason) == ("placement_frames[0].frames", "1 entries, but parts asks for 2")
    assert refusal(setup(flags=1, parent_indices=[0])).field == "parent_indices"
    assert refusal(LandBlock(0xA9B4FFFF, 0, [0] * 80, [0] * 81)).field == "terrain"


@pytest.mark.parametrize(
    ("field", "value"),
    [
        ("flags", -1),
        ("flags", 1 << 32),
        ("flags", 1.0),
        ("flags", None),
        ("parts", None),
        ("parts", (1, 2)),
        ("parts", ["door"]),
        ("height", "tall"),
        ("height", 1e39),
        ("sorting_sphere", None),
        ("sorting_sphere", ((0.0, 0.0), 1.0)),
        ("lights", {}),
        ("holding_locations", {1: None}),
        ("placement_frames", [RecordFrame()]),
        ("default_script_table", -1),
    ],
)
def test_a_value_of_the_wrong_type_is_an_error_that_names_the_field(field: str, value: object) -> None:
    error = refusal(setup(**{field: value}))
    assert error.field is not None
    assert error.field.startswith(field)
    assert error.offset is not None


SIGNALLING = [0x7F800001, 0xFFBFFFFF, 0x7FA00000]


@pytest.mark.parametrize("bits", SIGNALLING)
def test_a_signalling_nan_keeps_its_bits(bits: int) -> None:
    data = bytearray(write_record(Surface(1, color=0, diffuse=0.0)))
    data[8:12] = struct.pack("<I", bits)
    read = read_record(Surface, bytes(data), file="x", record_id=0x08000001)
    assert math.isnan(read.translucency)
    assert write_record(read) == bytes(data)
    room = bytearray(write_record(environment()))
    room[28 + 12 : 28 + 16] = struct.pack("<I", bits)
    shape = read_record(Environment, bytes(room), file="x", record_id=0x0D000001)
    assert write_record(shape) == bytes(room)


def test_a_signalling_nan_that_was_edited_away_does_not_come_back() -> None:
    data = bytearray(write_record(Surface(1, color=0, diffuse=0.0)))
    data[8:12] = struct.pack("<I", SIGNALLING[0])
    read = read_record(Surface, bytes(data), file="x", record_id=0x08000001)
    read.translucency = 0.5
    assert write_record(read) == write_record(Surface(1, color=0, translucency=0.5, diffuse=0.0))


@pytest.mark.parametrize("bits", [0x7FC00000, 0xFFC12345, 0x7F800000, 0xFF800000, 0x80000000, 1])
def test_every_other_float_keeps_its_bits(bits: int) -> None:
    data = bytearray(write_record(Surface(1, color=0, diffuse=float("-inf"))))
    data[8:12] = struct.pack("<I", bits)
    read = read_record(Surface, bytes(data), file="x", record_id=0x08000001)
    assert write_record(read) == bytes(data)


def test_a_repeated_key_in_a_map_is_an_error() -> None:
    data = struct.pack("<IIIIIII", 0x09000001, 0, 2, 5, 1, 5, 2) + bytes(12)
    error = complaint(MotionTable, data, 0x09000001)
    assert (error.field, error.reason) == ("style_defaults", "the key 0x00000005 twice")


def test_a_vertex_type_other_than_1_is_an_error() -> None:
    data = bytearray(write_record(environment()))
    data[24:28] = (2).to_bytes(4, "little")
    error = complaint(Environment, bytes(data), 0x0D000001)
    assert (error.field, error.offset) == ("structures[0].structure.vertex type", 24)


def test_a_text_is_windows_1252() -> None:
    sink = Sink({})
    TEXT.write(sink, "Café €", NO_SCOPE)
    assert bytes(sink.data) == b"\x06\x00Caf\xe9 \x80"
    assert TEXT.read(Source(bytes(sink.data)), NO_SCOPE) == "Café €"
    with pytest.raises(CodecError, match="0x81 is not a Windows-1252 character") as caught:
        TEXT.read(Source(b"\x02\x00a\x81"), NO_SCOPE)
    assert caught.value.offset == 3
    with pytest.raises(CodecError, match="not a Windows-1252 character"):
        TEXT.write(Sink({}), "日", NO_SCOPE)
    region = RecordMaker(random.Random(3)).make(RecordType.REGION)
    assert isinstance(region, Region)
    region.name = "日"
    assert refusal(region).field == "name"


def test_a_long_text_has_an_escaped_length_and_a_needless_escape_is_kept() -> None:
    sink = Sink({})
    TEXT.write(sink, "a" * 0xFFFF, NO_SCOPE)
    assert bytes(sink.data[:6]) == b"\xff\xff\xff\xff\x00\x00"
    assert TEXT.read(Source(bytes(sink.data)), NO_SCOPE) == "a" * 0xFFFF
    odd = b"\xff\xff\x02\x00\x00\x00ab"
    source = Source(odd)
    assert TEXT.read(source, NO_SCOPE) == "ab"
    again = Sink(source.oddities)
    TEXT.write(again, "ab", NO_SCOPE)
    assert bytes(again.data) == odd


def test_oddities_that_no_longer_fit_give_way_to_the_usual_form() -> None:
    sink = Sink({0: b"\xc0\x00\x05\x00", 1: b"\x01\x02\x03"})
    CUINT.write(sink, 6, NO_SCOPE)
    CUINT.write(sink, 7, NO_SCOPE)
    assert bytes(sink.data) == b"\x06\x07"


@pytest.mark.parametrize("number", [-1, 0x40000000])
def test_a_compressed_count_out_of_range_is_refused(number: int) -> None:
    with pytest.raises(CodecError, match="more than a compressed count can say"):
        CUINT.write(Sink({}), number, NO_SCOPE)


def test_an_id_of_another_type_than_the_known_one_is_refused() -> None:
    with pytest.raises(CodecError, match="0x00FFFFFF is not within"):
        KnownDid(0x01000000).write(Sink({}), 0x00FFFFFF, NO_SCOPE)


@dataclass
class Sample:
    """A record for descriptions made in these tests."""

    flags: int
    numbers: list[int]
    place: tuple[float, float, float] | None = None


def test_a_description_without_one_of_the_fields_is_an_error() -> None:
    with pytest.raises(AssertionError, match=r"\['place'\] not described"):
        Record(Sample, [("flags", U8), ("numbers", list32(U16))])


def test_a_description_of_a_field_unknown_to_the_class_is_an_error() -> None:
    with pytest.raises(KeyError):
        Record(Sample, [("flags", U8), ("colour", U32), ("numbers", list32(U16)), ("place", VEC3)])


def test_a_reference_used_in_two_records_is_an_error() -> None:
    shared = List(Size("numbers"), U16)
    Record(Sample, [("#numbers", U8), ("flags", U8), ("numbers", shared), ("place", VEC3)])
    with pytest.raises(AssertionError, match="the reference to numbers is used in two records"):
        Record(Sample, [("", CUINT), ("#numbers", U8), ("flags", U8), ("numbers", shared), ("place", VEC3)])


def test_the_file_follows_the_order_of_the_description_not_the_class() -> None:
    sample = Record(
        Sample,
        [
            ("#numbers", U8),
            ("flags", U8),
            ("place", When(Bits("flags", 1), VEC3)),
            ("numbers", List(Size("numbers"), U16)),
        ],
    )
    sink = Sink({})
    sample.write(sink, Sample(1, [7, 8], (1.0, 0.0, 0.0)), None)
    assert bytes(sink.data).hex() == "02010000803f00000000000000000700" + "0800"
    assert sample.read(Source(bytes(sink.data)), None) == Sample(1, [7, 8], (1.0, 0.0, 0.0))


def test_reading_numbers_in_runs_equals_reading_them_one_by_one() -> None:
    pair = Record(RecordFrame, [("origin", VEC3), ("rotation", List(U8, F32))])
    assert pair.format == ""
    assert [len(run.fields) for run in pair.layout.runs] == [1, 1]
    data = struct.pack("<3fB2f", 1.0, float("inf"), float("-inf"), 2, float("nan"), 4.0)
    read = pair.read(Source(data), None)
    assert isinstance(read, RecordFrame)
    assert read.origin == (1.0, float("inf"), float("-inf"))
    assert str(read.rotation) == "[nan, 4.0]"


def test_records_of_a_class_other_than_described_are_refused() -> None:
    error = refusal(PaletteSet(0x0F000001, cast(list[int], [RecordFrame()])))
    assert (error.field, "unsigned 32-bit" in error.reason) == ("palettes[0]", True)
    cell = EnvCell(0xA9B40100, 0, [], 1, 0, cast(RecordFrame, ORIGIN), [], [])
    assert refusal(cell).reason.startswith("a RecordFrame is needed")
