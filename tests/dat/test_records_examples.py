"""The examples of dat-format.md in bytes, and records with bytes in the file that we would not write."""

from __future__ import annotations

import pytest

from engine.dat import DatError
from engine.dat.codec.base import Codec, Scope
from engine.dat.codec.loose import CUINT, KnownDid
from engine.dat.codec.stream import Sink, Source
from engine.dat.ids import DatKind
from engine.dat.records import (
    Animation,
    AnimationFrame,
    BspNode,
    BuildingInfo,
    BuildingPortal,
    DatPolygon,
    EnvCell,
    EnvCellPortal,
    GfxObj,
    LandBlock,
    LandBlockInfo,
    MotionAnim,
    MotionData,
    MotionTable,
    RecordFrame,
    Stab,
    Surface,
    decode,
    read_record,
    write_record,
)
from engine.dat.records.hooks import ReplaceObjectHook
from engine.dat.records.mesh import CELL_BSP, PHYSICS_BSP, POLYGON
from engine.dat.records.motion import MOTION_DATA

ENV_CELL = """
00 01 B4 A9 03 00 00 00 00 01 B4 A9 02 01 01 00 32 00 33 00 01 00 00 00 00 00 10 42 00 00 10 42
00 00 A0 41 00 00 80 3F 00 00 00 00 00 00 00 00 00 00 00 00 06 00 02 00 FF FF 00 00 01 01 01 00
00 00 01 00 00 02 00 00 1C 42 00 00 1C 42 00 00 A0 41 00 00 80 3F 00 00 00 00 00 00 00 00 00 00
00 00"""

LAND_BLOCK_INFO = """
FE FF B4 A9 01 00 00 00 01 00 00 00 01 00 00 02 00 00 20 41 00 00 A0 41 00 00 F0 41 00 00 80 3F
00 00 00 00 00 00 00 00 00 00 00 00 01 00 01 00 01 00 00 01 00 00 10 42 00 00 10 42 00 00 A0 41
00 00 80 3F 00 00 00 00 00 00 00 00 00 00 00 00 02 00 00 00 01 00 00 00 03 00 00 01 00 00 01 00
00 01 00 00 01 00 08 00 01 00 B4 A9 01 40 9B 7A"""

F32_0_8 = 13421773 / 2**24
"""0.8 as a 32-bit float."""

NO_SCOPE = Scope({}, [], None)


def read_part(codec: Codec, text: str) -> object:
    """A part of a record, which must use up all of the bytes."""
    source = Source(bytes.fromhex(text))
    value = codec.read(source, NO_SCOPE)
    assert source.offset == source.end
    assert source.oddities == {}
    return value


def write_part(codec: Codec, value: object) -> str:
    sink = Sink({})
    codec.write(sink, value, NO_SCOPE)
    return bytes(sink.data).hex(" ").upper()


def test_the_env_cell_of_98_bytes() -> None:
    data = bytes.fromhex(ENV_CELL)
    assert len(data) == 98
    cell = decode(0xA9B40100, data, "cell", DatKind.CELL)
    assert cell == EnvCell(
        id=0xA9B40100,
        flags=3,
        surfaces=[0x32, 0x33],
        environment=1,
        structure=0,
        frame=RecordFrame((36.0, 36.0, 20.0)),
        portals=[EnvCellPortal(flags=6, polygon_id=2, other_cell_id=0xFFFF, other_portal_id=0)],
        visible_cells=[0x0101],
        objects=[Stab(0x02000001, RecordFrame((39.0, 39.0, 20.0)))],
        restriction_object=None,
    )
    assert write_record(cell) == data


def test_the_land_block_info_of_112_bytes() -> None:
    data = bytes.fromhex(LAND_BLOCK_INFO)
    assert len(data) == 112
    info = decode(0xA9B4FFFE, data, "cell", DatKind.CELL)
    assert info == LandBlockInfo(
        id=0xA9B4FFFE,
        num_cells=1,
        objects=[Stab(0x02000001, RecordFrame((10.0, 20.0, 30.0)))],
        buildings=[
            BuildingInfo(0x01000001, RecordFrame((36.0, 36.0, 20.0)), 2, [BuildingPortal(3, 0x0100, 0, [0x0100])])
        ],
        pack_mask=1,
        restriction_buckets=8,
        restrictions={0xA9B40001: 0x7A9B4001},
    )
    assert write_record(info) == data


def test_the_polygon() -> None:
    text = "00 00 04 01 00 00 00 00 02 00 FF FF 00 00 01 00 05 00 04 00 00 01 02 03"
    polygon = DatPolygon(0, 1, 0, 2, -1, [0, 1, 5, 4], [0, 1, 2, 3], [])
    assert read_part(POLYGON, text) == polygon
    assert write_part(POLYGON, polygon) == text


def test_the_cell_tree_of_one_plane() -> None:
    text = "6E 6E 50 42 00 00 00 00 00 00 00 00 00 00 80 3F 00 00 00 3F 46 41 45 4C 00 00 00 00"
    tree = BspNode("BPnn", plane=((0.0, 0.0, 1.0), 0.5), pos=BspNode("LEAF", leaf_index=0))
    assert read_part(CELL_BSP, text) == tree
    assert write_part(CELL_BSP, tree) == text


def test_the_physics_leaf() -> None:
    text = (
        "46 41 45 4C 00 00 00 00 01 00 00 00 00 00 00 00 00 00 00 00 00 00 80 3F 00 00 00 40 03 00 00 00 00 00 01 00"
        " 02 00"
    )
    leaf = BspNode("LEAF", leaf_index=0, solid=1, sphere=((0.0, 0.0, 1.0), 2.0), polygon_ids=[0, 1, 2])
    assert read_part(PHYSICS_BSP, text) == leaf
    assert write_part(PHYSICS_BSP, leaf) == text


def test_the_motion_data() -> None:
    text = "01 00 00 00 01 00 00 03 00 00 00 00 FF FF FF FF 00 00 F0 41"
    motion = MotionData(0, 0, [MotionAnim(0x03000001, 0, -1, 30.0)])
    assert read_part(MOTION_DATA, text) == motion
    assert write_part(MOTION_DATA, motion) == text


@pytest.mark.parametrize(
    ("text", "surface"),
    [
        # The worked example of 1.11, and the two retail examples of 3.6.
        ("02000000 01000005 00000000 00000000 00000000 CDCC4C3F", Surface(2, 0x05000001, 0, None, 0.0, 0.0, F32_0_8)),
        ("02000000 9A1A0005 00000000 00000000 00000000 00004D3F", Surface(2, 0x05001A9A, 0, diffuse=0.80078125)),
        ("01000000 16396FFF 00000000 00000000 0000803F", Surface(1, color=0xFF6F3916, diffuse=1.0)),
    ],
)
def test_the_surfaces(text: str, surface: Surface) -> None:
    data = bytes.fromhex(text)
    assert read_record(Surface, data, file="portal", record_id=0x08000001) == surface
    assert write_record(surface) == data


@pytest.mark.parametrize(
    ("number", "text"),
    [
        (0, "00"),
        (0x7F, "7F"),
        (0x80, "80 80"),
        (0x3FFF, "BF FF"),
        (0x4000, "C0 00 00 40"),
        (0x12345, "C0 01 45 23"),
        (0x3FFFFFFF, "FF FF FF FF"),
    ],
)
def test_compressed_counts(number: int, text: str) -> None:
    assert write_part(CUINT, number) == text
    assert read_part(CUINT, text) == number


@pytest.mark.parametrize(
    ("did", "text"), [(0x01003FFF, "FF 3F"), (0x01004000, "00 80 00 40"), (0x01012345, "01 80 45 23")]
)
def test_ids_of_a_known_type(did: int, text: str) -> None:
    codec = KnownDid(0x01000000)
    assert write_part(codec, did) == text
    assert read_part(codec, text) == did


def test_a_land_block_is_252_bytes_and_keeps_its_padding() -> None:
    block = LandBlock(0xA9B4FFFF, 1, [0x4834] * 81, list(range(81)))
    data = write_record(block)
    assert len(data) == 252
    assert data[251:] == b"\x00"
    odd = data[:251] + b"\xcd"
    read = read_record(LandBlock, odd, file="cell", record_id=0xA9B4FFFF)
    assert (read.terrain[0], read.heights[80], read.oddities) == (0x4834, 80, {0: b"\xcd"})
    assert write_record(read) == odd


def test_a_bool_that_is_neither_0_nor_1_keeps_its_value() -> None:
    data = write_record(LandBlock(0xA9B4FFFF, 0xCDCDCD01, [0] * 81, [0] * 81))
    assert read_record(LandBlock, data, file="cell", record_id=0xA9B4FFFF).has_info == 0xCDCDCD01


def test_padding_between_motions_stays_where_it_was() -> None:
    motions = {1: MotionData(0, 0, []), 2: MotionData(0, 0, [])}
    data = bytearray(write_record(MotionTable(0x09000001, 0x8000003D, {}, motions, {}, {})))
    data[31] = 0xCD
    read = read_record(MotionTable, bytes(data), file="portal", record_id=0x09000001)
    assert read.oddities == {1: b"\xcd"}
    assert write_record(read) == bytes(data)


def test_a_count_in_a_longer_form_is_kept_until_the_list_changes() -> None:
    model = GfxObj(0x01000001, 0, [0x08000001], [], [], None, (0.0, 0.0, 0.0), [], None)
    data = write_record(model)
    odd = data[:8] + bytes.fromhex("C0 00 01 00") + data[9:]
    read = read_record(GfxObj, odd, file="portal", record_id=0x01000001)
    assert read.surfaces == [0x08000001]
    assert write_record(read) == odd
    read.surfaces.append(0x08000002)
    assert write_record(read)[8:9] == b"\x02"


def test_an_id_in_an_unused_short_form_is_read_and_kept() -> None:
    hook = ReplaceObjectHook(0, 7, 0x01005000)
    data = write_record(Animation(0x03000001, 0, 0, [], [AnimationFrame([], [hook])]))
    odd = data[:-4] + bytes.fromhex("00 50")
    read = read_record(Animation, odd, file="portal", record_id=0x03000001)
    assert read.frames[0].hooks == [hook]
    assert write_record(read) == odd


def test_an_env_cell_whose_second_id_differs_is_an_error() -> None:
    data = bytearray(bytes.fromhex(ENV_CELL))
    data[8] = 1
    with pytest.raises(DatError, match="0xA9B40101, but id is 0xA9B40100") as caught:
        read_record(EnvCell, bytes(data), file="cell", record_id=0xA9B40100)
    assert (caught.value.offset, caught.value.field) == (8, "id again")
