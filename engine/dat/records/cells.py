"""The records of the cell database: LandBlock, LandBlockInfo and EnvCell (dat-format.md 2)."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Final

from engine.dat.codec.base import Bits, Size
from engine.dat.codec.choices import Repeat, When
from engine.dat.codec.lists import Fixed, List, Map, list32
from engine.dat.codec.loose import ALIGN4
from engine.dat.codec.numbers import DID, FLAGS16, FLAGS32, U8, U16, U32, WORD_ID
from engine.dat.codec.record import Record
from engine.dat.records.base import FRAME, STAB, DatRecord, RecordFrame, Stab

HAS_RESTRICTIONS: Final = 0x1
"""Pack mask of a LandBlockInfo (2.3)."""

SEEN_OUTSIDE: Final = 0x1
HAS_STATIC_OBJECTS: Final = 0x2
HAS_RESTRICTION_OBJECT: Final = 0x8
"""Flags of an EnvCell (2.4)."""


@dataclass(slots=True)
class LandBlock(DatRecord):
    """The terrain of a landblock: 81 terrain words and height indices, index 9·x + y (2.2)."""

    id: int
    has_info: int
    terrain: list[int]
    heights: list[int]


@dataclass(slots=True)
class BuildingPortal:
    """An opening of a building's shell and the interior behind it (2.3)."""

    flags: int
    other_cell_id: int
    other_portal_id: int
    stab_list: list[int]


@dataclass(slots=True)
class BuildingInfo:
    """A building: the shell's model and its openings (2.3)."""

    model_id: int
    frame: RecordFrame
    num_leaves: int
    portals: list[BuildingPortal]


@dataclass(slots=True)
class LandBlockInfo(DatRecord):
    """The objects and buildings on a landblock, and the number of its EnvCells (2.3)."""

    id: int
    num_cells: int
    objects: list[Stab]
    buildings: list[BuildingInfo]
    pack_mask: int = 0
    restriction_buckets: int | None = None
    restrictions: dict[int, int] = field(default_factory=dict)


@dataclass(slots=True)
class EnvCellPortal:
    """A portal of an EnvCell; its place in the list is its portal id (2.4)."""

    flags: int
    polygon_id: int
    other_cell_id: int
    other_portal_id: int


@dataclass(slots=True)
class EnvCell(DatRecord):
    """An interior cell: the position of its CellStruct, its portals and its stab list (2.4)."""

    id: int
    flags: int
    surfaces: list[int]
    environment: int
    structure: int
    frame: RecordFrame
    portals: list[EnvCellPortal]
    visible_cells: list[int]
    objects: list[Stab] = field(default_factory=list)
    restriction_object: int | None = None


LAND_BLOCK = Record(
    LandBlock,
    [("id", DID), ("has_info", U32), ("terrain", Fixed(81, U16)), ("heights", Fixed(81, U8)), ("", ALIGN4)],
)

BUILDING_PORTAL = Record(
    BuildingPortal,
    [
        ("flags", FLAGS16),
        ("other_cell_id", WORD_ID),
        ("other_portal_id", U16),
        ("stab_list", List(U16, WORD_ID)),
        ("", ALIGN4),
    ],
)

BUILDING_INFO = Record(
    BuildingInfo,
    [("model_id", DID), ("frame", FRAME), ("num_leaves", U32), ("portals", list32(BUILDING_PORTAL))],
)

_RESTRICTED = Bits("pack_mask", HAS_RESTRICTIONS)

LAND_BLOCK_INFO = Record(
    LandBlockInfo,
    [
        ("id", DID),
        ("num_cells", U32),
        ("objects", list32(STAB)),
        ("#buildings", U16),
        ("pack_mask", FLAGS16),
        ("buildings", List(Size("buildings"), BUILDING_INFO)),
        ("#restrictions", When(_RESTRICTED, U16)),
        ("restriction_buckets", When(_RESTRICTED, U16)),
        ("restrictions", When(_RESTRICTED, Map(Size("restrictions"), DID, DID), or_empty=True)),
    ],
)

ENV_CELL_PORTAL = Record(
    EnvCellPortal,
    [("flags", FLAGS16), ("polygon_id", U16), ("other_cell_id", WORD_ID), ("other_portal_id", U16)],
)

ENV_CELL = Record(
    EnvCell,
    [
        ("id", DID),
        ("flags", FLAGS32),
        ("", Repeat(DID, "id")),
        ("#surfaces", U8),
        ("#portals", U8),
        ("#visible_cells", U16),
        ("surfaces", List(Size("surfaces"), WORD_ID)),
        ("environment", WORD_ID),
        ("structure", U16),
        ("frame", FRAME),
        ("portals", List(Size("portals"), ENV_CELL_PORTAL)),
        ("visible_cells", List(Size("visible_cells"), WORD_ID)),
        ("objects", When(Bits("flags", HAS_STATIC_OBJECTS), list32(STAB), or_empty=True)),
        ("restriction_object", When(Bits("flags", HAS_RESTRICTION_OBJECT), DID)),
    ],
)
