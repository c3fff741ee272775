"""What the records share: placements, stabs, and the oddities beside the fields (dat-format.md 0.3).

The record classes are plain holders of the file's content: nothing is resolved and nothing repaired. A description in
the same module gives the layout of each; reading, writing and the field names of errors all derive from it.
"""

from __future__ import annotations

from dataclasses import dataclass, field

from engine.dat.codec.numbers import DID, QUAT, VEC3
from engine.dat.codec.record import Record

Vec3 = tuple[float, float, float]
Quat = tuple[float, float, float, float]
"""w, x, y, z."""

PlaneTuple = tuple[Vec3, float]
"""Normal n and d; a point p is on the plane when n·p + d = 0."""

SphereTuple = tuple[Vec3, float]
"""Centre and radius."""

IDENTITY_QUAT: Quat = (1.0, 0.0, 0.0, 0.0)


@dataclass(slots=True)
class RecordFrame:
    """A placement as it is stored: the exact numbers of the file, the orientation not normalised."""

    origin: Vec3 = (0.0, 0.0, 0.0)
    rotation: Quat = IDENTITY_QUAT


@dataclass(slots=True)
class DatRecord:
    """Base of the classes that are a whole record.

    `oddities` keeps the few bytes that the fields cannot: padding that is not zero and numbers that are stored in a
    longer form than needed. It is empty for every record we write ourselves; see `engine.dat.codec.stream`.
    """

    oddities: dict[int, bytes] = field(default_factory=dict, kw_only=True, repr=False)


@dataclass(slots=True)
class UnknownRecord:
    """A record whose layout is not described here, kept as the bytes it came in."""

    id: int
    data: bytes


@dataclass(slots=True)
class Stab:
    """A static object: a model (GfxObj or Setup id) placed in landblock coordinates (2.3)."""

    model_id: int
    frame: RecordFrame


FRAME = Record(RecordFrame, [("origin", VEC3), ("rotation", QUAT)])
STAB = Record(Stab, [("model_id", DID), ("frame", FRAME)])
