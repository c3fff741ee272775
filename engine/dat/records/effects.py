"""Tables of what an object sounds and looks like when something happens to it: SoundTable, PhysicsScriptTable
(dat-format.md 3.16, 3.17)."""

from __future__ import annotations

from dataclasses import dataclass

from engine.dat.codec.base import Size
from engine.dat.codec.lists import Map, list32, map32
from engine.dat.codec.numbers import DID, F32, FLAGS32, U16, U32
from engine.dat.codec.record import Record
from engine.dat.records.base import DatRecord


@dataclass(slots=True)
class SoundEntry:
    """A sound of several for one event. In a table's own list `wave_id` is no record's id but a number of its own."""

    wave_id: int
    priority: float
    probability: float
    volume: float


@dataclass(slots=True)
class SoundEvent:
    """The sounds from which one is taken."""

    sounds: list[SoundEntry]
    unknown: int


@dataclass(slots=True)
class SoundTable(DatRecord):
    """The sounds of an object by the number of the event (hook 2 names it)."""

    id: int
    unknown: int
    hashes: list[SoundEntry]
    buckets: int
    events: dict[int, SoundEvent]


@dataclass(slots=True)
class ScriptChoice:
    """A script, and up to which strength of the event it is taken."""

    strength: float
    script_id: int


@dataclass(slots=True)
class ScriptEvent:
    """The scripts for one event, the weakest first."""

    scripts: list[ScriptChoice]


@dataclass(slots=True)
class PhysicsScriptTable(DatRecord):
    """The scripts of an object by the number of the event."""

    id: int
    events: dict[int, ScriptEvent]


_PLAYED = [("priority", F32), ("probability", F32), ("volume", F32)]

SOUND_EVENT = Record(
    SoundEvent, [("sounds", list32(Record(SoundEntry, [("wave_id", DID), *_PLAYED]))), ("unknown", U32)]
)

SOUND_TABLE = Record(
    SoundTable,
    [
        ("id", DID),
        ("unknown", U32),
        ("hashes", list32(Record(SoundEntry, [("wave_id", FLAGS32), *_PLAYED]))),
        ("#events", U16),
        ("buckets", U16),
        ("events", Map(Size("events"), U32, SOUND_EVENT)),
    ],
)

SCRIPT_CHOICE = Record(ScriptChoice, [("strength", F32), ("script_id", DID)])

PHYSICS_SCRIPT_TABLE = Record(
    PhysicsScriptTable,
    [("id", DID), ("events", map32(U32, Record(ScriptEvent, [("scripts", list32(SCRIPT_CHOICE))])))],
)
