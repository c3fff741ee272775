"""Where the client's files have names: StringTable, EnumMapper, DidMapper (dat-format.md 3.18, 3.19).

`*_buckets` are numbers of sizes of the client's hash tables; they say nothing about the content.
"""

from __future__ import annotations

from dataclasses import dataclass, field

from engine.dat.codec.lists import List, Map, list32
from engine.dat.codec.loose import CUINT, SHORT_TEXT, WIDE_TEXT
from engine.dat.codec.numbers import DID, FLAGS32, U8, U16, U32
from engine.dat.codec.record import Record
from engine.dat.records.base import DatRecord


@dataclass(slots=True)
class StringEntry:
    """A text in its forms (singular, plural, ...), with the variables that stand in it."""

    variable_names: list[str]
    variables: list[str]
    strings: list[str]
    comments: list[str]
    unknown: int = 0


@dataclass(slots=True)
class StringTable(DatRecord):
    """The texts of one part of the interface by the hash of their name; `language` 1 is English."""

    id: int
    language: int
    buckets: int
    strings: dict[int, StringEntry]


@dataclass(slots=True)
class EnumMapper(DatRecord):
    """The names of the values of an enumeration; those of `base` belong to it as well."""

    id: int
    base: int
    buckets: int
    names: dict[int, str]


@dataclass(slots=True)
class DidMapper(DatRecord):
    """The records that go by a number of an enumeration, and the names of these numbers, for client and server."""

    id: int
    client_id_buckets: int = 0
    client_ids: dict[int, int] = field(default_factory=dict)
    client_name_buckets: int = 0
    client_names: dict[int, str] = field(default_factory=dict)
    server_id_buckets: int = 0
    server_ids: dict[int, int] = field(default_factory=dict)
    server_name_buckets: int = 0
    server_names: dict[int, str] = field(default_factory=dict)


STRING_ENTRY = Record(
    StringEntry,
    [
        ("variable_names", List(U16, WIDE_TEXT)),
        ("variables", List(U16, WIDE_TEXT)),
        ("strings", list32(WIDE_TEXT)),
        ("comments", list32(WIDE_TEXT)),
        ("unknown", U8),
    ],
)

STRING_TABLE = Record(
    StringTable,
    [("id", DID), ("language", U32), ("buckets", U8), ("strings", Map(CUINT, FLAGS32, STRING_ENTRY))],
)

ENUM_MAPPER = Record(
    EnumMapper, [("id", DID), ("base", DID), ("buckets", U8), ("names", Map(CUINT, FLAGS32, SHORT_TEXT))]
)

DID_MAPPER = Record(
    DidMapper,
    [
        ("id", DID),
        ("client_id_buckets", U8),
        ("client_ids", Map(CUINT, FLAGS32, DID)),
        ("client_name_buckets", U8),
        ("client_names", Map(CUINT, FLAGS32, SHORT_TEXT)),
        ("server_id_buckets", U8),
        ("server_ids", Map(CUINT, FLAGS32, DID)),
        ("server_name_buckets", U8),
        ("server_names", Map(CUINT, FLAGS32, SHORT_TEXT)),
    ],
)
