"""Records of the portal database under numbers given out in order, so that equal descriptions make equal files."""

from __future__ import annotations

from engine.build.errors import BuildError
from engine.dat.ids import did_text
from engine.dat.records import DatRecord

_LAST_NUMBER = 0xFFFF


class PortalRecords:
    """The portal records made so far, by id."""

    by_id: dict[int, DatRecord]

    def __init__(self) -> None:
        self.by_id = {}
        self._last: dict[int, int] = {}

    def next_id(self, base: int) -> int:
        """The next free id of a type by its base, 0x08000000 for surfaces; numbers start at 1."""
        number = self._last.get(base, 0) + 1
        if number > _LAST_NUMBER:
            raise BuildError(f"records {did_text(base)}", f"more than {_LAST_NUMBER} of them")
        self._last[base] = number
        return base + number

    def put(self, record_id: int, record: DatRecord) -> int:
        """Keep a record; returns its id."""
        self.by_id[record_id] = record
        return record_id
