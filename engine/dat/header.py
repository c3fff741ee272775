"""The first 400 bytes of a database (dat-format.md 1.1)."""

from __future__ import annotations

import struct
from dataclasses import dataclass
from typing import Final

from engine.dat.errors import DatError
from engine.dat.ids import DatKind

MAGIC: Final = b"BT\0\0"
HEADER_SIZE: Final = 0x190
DATA_START: Final = 1024
"""The offset at which the original client starts the data, for both block sizes (1.1)."""
BLOCK_SIZES: Final = (256, 1024)
MAX_FILE_SIZE: Final = 0x7FFFFFFF
"""Offsets are signed 32-bit numbers in other programs (1.2)."""
NO_TRANSACTION: Final = b"\x00\x50\x4c\x00" + bytes(60)
"""Nothing pending: the client replays at open whatever else it finds here."""
TRANSACTION_OFFSET: Final = 0x100
GUID: Final = bytes.fromhex("D2D7A7342F72464C8AB4EF514F856FFD")
MINOR_VERSION: Final = 6657
"""Minor version at the end of retail."""
HIGHRES_SUBSET: Final = 0x69466948

_FIELDS_OFFSET: Final = 0x140
_FIELDS: Final = struct.Struct("<4s14I16sI")


@dataclass(frozen=True)
class Format:
    """The fields that identify a kind of database (the table of chapter 1)."""

    block_size: int
    data_set: int
    data_subset: int
    engine_version: int


FORMATS: Final[dict[DatKind, Format]] = {
    DatKind.PORTAL: Format(1024, 1, 0, 110),
    DatKind.CELL: Format(256, 2, 1, 22),
    DatKind.LOCAL: Format(1024, 3, 1, 110),
    DatKind.HIGHRES: Format(1024, 1, HIGHRES_SUBSET, 110),
}


@dataclass(frozen=True)
class Header:
    """The header's fields that mean something; the LRU words are always written as zero."""

    block_size: int
    file_size: int
    data_set: int
    data_subset: int
    first_free: int
    last_free: int
    free_count: int
    root: int
    master_map_id: int = 0
    engine_version: int = 0
    game_version: int = 0
    guid: bytes = GUID
    minor_version: int = MINOR_VERSION

    @property
    def kind(self) -> DatKind | None:
        """The kind of database, None for an unknown data set."""
        if self.data_set == FORMATS[DatKind.CELL].data_set:
            return DatKind.CELL
        if self.data_set == FORMATS[DatKind.LOCAL].data_set:
            return DatKind.LOCAL
        if self.data_set == FORMATS[DatKind.PORTAL].data_set:
            return DatKind.HIGHRES if self.data_subset == HIGHRES_SUBSET else DatKind.PORTAL
        return None

    def pack(self) -> bytes:
        """The header with its zeros up to the first data block."""
        fields = _FIELDS.pack(
            MAGIC,
            self.block_size,
            self.file_size,
            self.data_set,
            self.data_subset,
            self.first_free,
            self.last_free,
            self.free_count,
            self.root,
            *(0, 0, 0),  # newest, oldest and use LRU
            self.master_map_id,
            self.engine_version,
            self.game_version,
            self.guid,
            self.minor_version,
        )
        return (bytes(TRANSACTION_OFFSET) + NO_TRANSACTION + fields).ljust(DATA_START, b"\0")


def parse_header(file: str, raw: bytes, length: int) -> Header:
    """Read and judge the header of a file of `length` bytes, of which `raw` are the first."""
    if length < HEADER_SIZE:
        raise DatError(file, None, 0, "header", f"the file has {length} bytes, a database header has {HEADER_SIZE}")
    fields = _FIELDS.unpack_from(raw, _FIELDS_OFFSET)
    if fields[0] != MAGIC:
        found = fields[0].hex(" ").upper()
        raise DatError(
            file, None, 0x140, "magic", f"this is not a database of the client: 42 54 00 00 expected, {found} found"
        )
    header = Header(*fields[1:9], *fields[12:])
    if header.block_size not in BLOCK_SIZES:
        raise DatError(file, None, 0x144, "block size", f"{header.block_size} is neither 256 nor 1024")
    if header.file_size > length:
        reason = f"the file is cut off: its header says {header.file_size} bytes, it has {length}"
        raise DatError(file, None, 0x148, "file size", reason)
    if header.kind is None:
        reason = f"{header.data_set} is neither 1 (portal), 2 (cell) nor 3 (local)"
        raise DatError(file, None, 0x14C, "data set", reason)
    return header
