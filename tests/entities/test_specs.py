"""The specifications of entities: their shape and state towards others, and their text (physics.md 8.7)."""

from __future__ import annotations

import pytest

from engine.entities.specs import flags_of, flags_of_weenie_bits, pack_spec, unpack_spec
from engine.geometry.frame import Frame
from engine.geometry.quat import from_heading
from engine.physics.errors import PhysicsError
from engine.physics.flags import (
    ENTITY_CAN_BYPASS_RESTRICTIONS,
    ENTITY_HAS_WEENIE,
    ENTITY_IS_CREATURE,
    ENTITY_IS_IMPENETRABLE,
    ENTITY_IS_PK,
    ENTITY_IS_PKLITE,
    ENTITY_IS_PLAYER,
)
from engine.world.entity_spec import EntitySpec


def spec(kind: str = "creature", **extra: object) -> EntitySpec:
    frame = Frame((1.1, -2.2, 0.3), from_heading(33.0))
    return EntitySpec(0x80000001, "Tür", kind, 0x02000001, 0xC95B0104, frame, 0x408, 1.5, dict(extra))


@pytest.mark.parametrize(
    ("bits", "flags"),
    [
        (0x8, ENTITY_IS_PLAYER),
        (0x28, ENTITY_IS_PLAYER | ENTITY_IS_PK),
        (0x200008, ENTITY_IS_PLAYER | ENTITY_IS_IMPENETRABLE),
        (0x2000008, ENTITY_IS_PLAYER | ENTITY_IS_PKLITE),
        (0x100000, 0),
        (0x400000, 0),
        (0x500000, ENTITY_CAN_BYPASS_RESTRICTIONS),
    ],
)
def test_the_servers_bits_determine_an_entitys_kind(bits: int, flags: int) -> None:
    assert flags_of_weenie_bits(bits) == flags


@pytest.mark.parametrize(
    ("made", "flags"),
    [
        (spec("door"), ENTITY_HAS_WEENIE),
        (spec("creature"), ENTITY_HAS_WEENIE | ENTITY_IS_CREATURE),
        (spec("object", creature=True), ENTITY_HAS_WEENIE | ENTITY_IS_CREATURE),
        (spec("object", creature="yes"), ENTITY_HAS_WEENIE),
        (spec("player", pk=True), ENTITY_HAS_WEENIE | ENTITY_IS_CREATURE | ENTITY_IS_PLAYER | ENTITY_IS_PK),
    ],
)
def test_an_entitys_kind_determines_what_collides_with_it(made: EntitySpec, flags: int) -> None:
    assert flags_of(made) == flags


def test_a_specification_comes_back_from_its_text() -> None:
    made = spec(locked=True, reset_interval=4.5)
    packed = pack_spec(made)
    back = unpack_spec(packed)
    assert pack_spec(back) == packed
    assert (back.guid, back.name, back.kind, back.state, back.scale) == (0x80000001, "Tür", "creature", 0x408, 1.5)
    assert (back.frame.origin, back.frame.rotation) == (made.frame.origin, made.frame.rotation)
    assert back.extra == {"locked": True, "reset_interval": 4.5}


@pytest.mark.parametrize(
    "packed", [b"", b"{}", b"[1]", b'{"guid":"x"}', b"[" * 60_000, pack_spec(spec()).replace(b"1.1", b"[]")]
)
def test_an_invalid_specification_text_is_refused(packed: bytes) -> None:
    with pytest.raises(PhysicsError, match="cannot be read"):
        unpack_spec(packed)


@pytest.mark.parametrize(
    ("there", "instead", "reason"),
    [
        (b"1.1", b"NaN", "stands at"),
        (b'"rotation":[', b'"rotation":[7.0,0,0,0],"was":[', "is turned by"),
        (b'"guid":2147483649', b'"guid":99999999999', "32 bits"),
        (b'"scale":1.5', b'"scale":0', "scale 0"),
        (b'"scale":1.5', b'"scale":NaN', "scale nan"),
        (b'"cell":3378184452', b'"cell":3378249726', "names no cell"),
    ],
)
def test_an_invalid_position_or_size_is_refused(there: bytes, instead: bytes, reason: str) -> None:
    packed = pack_spec(spec())
    assert there in packed
    with pytest.raises(PhysicsError, match=reason):
        unpack_spec(packed.replace(there, instead))
