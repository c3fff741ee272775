"""The records of the cell database: LandBlock, LandBlockInfo and EnvCell (spec/dat-format.md 2)."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Final

from engine.dat.records.base import DatRecord, RecordFrame, Stab

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
    """What stands on a landblock and how many EnvCells it has (2.3)."""

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
    """An interior cell: which CellStruct stands where, its portals and what is seen from it (2.4)."""

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
