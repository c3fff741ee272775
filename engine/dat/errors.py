"""The one error of the data files: which file, which record, where and why.

Everything that reads or writes a database or a record raises `DatError` and nothing else for bad data, so that a dock
can show the sentence and keep the rest open (design, promise 7).
"""

from __future__ import annotations

import os

from engine.dat.ids import did_text


class DatError(Exception):
    """Something in a data file is not as dat-format.md says; the message is one sentence.

    `offset` counts bytes from the start of the file, or from the start of the record when `in_record` is true. It,
    `record_id` and `field` are None where they make no sense.
    """

    def __init__(
        self,
        file: str | os.PathLike[str],
        record_id: int | None,
        offset: int | None,
        field: str | None,
        reason: str,
        in_record: bool = False,
    ) -> None:
        self.file = os.fspath(file)
        self.record_id = record_id
        self.offset = offset
        self.field = field
        self.reason = reason
        self.in_record = in_record
        # The arguments as they came: this is what pickling (a worker process) builds the copy from.
        super().__init__(self.file, record_id, offset, field, reason, in_record)

    def __str__(self) -> str:
        where = [self.file]
        if self.record_id is not None:
            where.append(f"record {did_text(self.record_id)}")
        if self.offset is not None:
            start = "the record" if self.in_record else "the file"
            where.append(f"offset 0x{self.offset:X} of {start}")
        if self.field is not None:
            where.append(f"field {self.field}")
        return f"{', '.join(where)}: {self.reason}"
