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
    Light,
    MotionAnim,
    MotionData,
    MotionTable,
    PhysicsScript,
    RecordFrame,
    Setup,
    Stab,
    Surface,
    decode,
    read_record,
    write_record,
)
from engine.dat.records.hooks import ReplaceObjectHook, SoundTweakedHook
from engine.dat.records.mesh import CELL_BSP, PHYSICS_BSP, POLYGON
from engine.dat.records.motion import MOTION_DATA, ScriptEntry

ENV_CELL = """
00 01 B4 A9 03 00 00 00 00 01 B4 A9 02 01 01 00 32 00 33 00 01 00 00 00 00 00 10 42 00 00 10 42
00 00 A0 41 00 00 80 3F 00 00 00 00 00 00 00 00 00 00 00 00 07 00 02 00 FF FF 00 00 01 01 01 00
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
        portals=[EnvCellPortal(flags=7, polygon_id=2, other_cell_id=0xFFFF, other_portal_id=0)],
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


def setup_with_lights(*lights: Light) -> bytes:
    round_sphere = ((0.0, 0.0, 0.0), 1.0)
    record = Setup(
        0x02000001, 0, [], None, None, {}, {}, [], [], [], 1.0, 1.0, 0.5, 0.5, round_sphere, round_sphere, list(lights)
    )
    return write_record(record)


def test_two_lights_of_one_type_are_both_kept() -> None:
    """The lights of a Setup are an array of the client's LIGHTINFO, whose first field is the type: no key."""
    near, far = (Light(0, RecordFrame((x, 0.0, 2.0)), 0xFFFFD090, 60.0, 7.0, 0.0) for x in (0.0, 3.0))
    data = setup_with_lights(near, far)
    record = read_record(Setup, data, file="client_portal.dat", record_id=0x02000001)
    assert [light.light_type for light in record.lights] == [0, 0]
    assert [light.frame.origin[0] for light in record.lights] == [0.0, 3.0]
    assert write_record(record) == data
    assert data.count(bytes.fromhex("0000 7042 0000 E040 0000 0000")) == 2


def test_a_tweaked_sound_has_its_probability_before_its_priority() -> None:
    hook = bytes.fromhex("15000000 01000000 0100000A 0000803F 00000000 0000003F")
    data = bytes.fromhex("01000033 01000000 0000000000000000") + hook
    (entry,) = read_record(PhysicsScript, data, file="x", record_id=0x33000001).entries
    assert entry.hook == SoundTweakedHook(1, 0x0A000001, probability=1.0, priority=0.0, volume=0.5)


REPLACING = "01000033 02000000"
"""A script of two entries; each begins with a time and the type and direction of a hook."""

ENTRY = "0000000000000000 05000000 01000000"


def script_of(*payloads: str) -> bytes:
    return bytes.fromhex(REPLACING + "".join(ENTRY + payload for payload in payloads))


@pytest.mark.parametrize(
    ("payloads", "parts", "ids"),
    [
        (("0100 B40B", "0100 B50B"), [1, 1], [0x01000BB4, 0x01000BB5]),  # the two of the retail files
        (("0200 0180 4523", "0300 0100"), [2, 3], [0x01012345, 0x01000001]),  # two bytes, a long id, nothing behind
        (("02 0180 4523 000000", "03 0100 00"), [2, 3], [0x01012345, 0x01000001]),  # the client's way
        (("02 0080 0050 000000", "03 3412 00"), [2, 3], [0x01005000, 0x01001234]),
        (("02 3412 00", "FF 3412 00"), [2, 255], [0x01001234, 0x01001234]),
        (("0200 0100", "0300 0000"), [2, 3], [0x01000001, 0x01000000]),  # explained by both: the known files' way
    ],
)
def test_a_replaced_object_is_read_in_either_form_and_keeps_its_bytes(
    payloads: tuple[str, str], parts: list[int], ids: list[int]
) -> None:
    data = script_of(*payloads)
    record = read_record(PhysicsScript, data, file="x", record_id=0x33000001)
    hooks = [entry.hook for entry in record.entries]
    assert [hook.part for hook in hooks if isinstance(hook, ReplaceObjectHook)] == parts
    assert [hook.gfxobj_id for hook in hooks if isinstance(hook, ReplaceObjectHook)] == ids
    assert write_record(record) == data


def test_an_edited_hook_stays_in_the_form_of_its_record() -> None:
    record = read_record(PhysicsScript, script_of("02 0180 4523 000000", "03 0100 00"), file="x", record_id=0x33000001)
    record.entries[0].hook = ReplaceObjectHook(1, 7, 0x01001234)
    assert write_record(record) == script_of("07 3412 00", "03 0100 00")


def test_a_part_that_neither_form_can_have_is_kept_but_not_made() -> None:
    data = script_of("0201 0180 4523", "0300 0100")
    record = read_record(PhysicsScript, data, file="x", record_id=0x33000001)
    assert record.entries[0].hook == ReplaceObjectHook(1, 0x0102, 0x01012345)
    assert write_record(record) == data
    made = PhysicsScript(0x33000001, [ScriptEntry(0.0, ReplaceObjectHook(1, 256, 0x01000001))])
    with pytest.raises(DatError, match="part 256, and none is above 255"):
        write_record(made)


def test_damage_in_a_record_with_such_a_hook_is_told_in_the_usual_form() -> None:
    data = script_of("0100 B40B", "0100 B50B")
    with pytest.raises(DatError, match="2 more bytes are needed, 0 are left") as caught:
        read_record(PhysicsScript, data[:-2], file="x", record_id=0x33000001)
    assert (caught.value.field, caught.value.offset) == ("entries[1].hook.gfxobj_id", len(data) - 2)
