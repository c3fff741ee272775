"""Opens SQLite databases for reading: regular files within the limit of their kind, never changed, with queries that
can be cancelled and that end.

The database is opened as immutable: SQLite takes no locks and makes no files beside it. What a file defines itself
(views, triggers, functions in its schema) is not trusted to do anything.
"""

from __future__ import annotations

import sqlite3
import threading
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Any, Final, TypeVar

from engine.files.cancelling import check_cancelled
from engine.files.errors import FileError
from engine.files.kinds import FileKind
from engine.files.reading import Name, open_regular, too_large

MAGIC: Final = b"SQLite format 3\0"
STEP: Final = 100_000
"""Instructions of SQLite's between two checks for cancellation."""
MOST_STEPS: Final = 40_000
"""Checks until a query counts as endless: four billion instructions, minutes."""
BATCH: Final = 1000
NO_MEMORY: Final = "it is damaged, or too large for the memory"
"""SQLite's word for some damage to the list of tables is that it has no memory."""
SETTINGS: Final = ("query_only = ON", "trusted_schema = OFF", "cell_size_check = ON", "cache_size = -8192")

T = TypeVar("T")


class Database:
    """An open database. Any thread may ask; one query runs at a time."""

    def __init__(self, name: Name, kind: FileKind) -> None:
        opened = open_regular(name)
        self.file = opened.file
        if opened.status.st_size > kind.most:
            raise too_large(self.file, opened.status.st_size, kind)
        if opened.read_at(0, len(MAGIC)) != MAGIC:
            raise FileError("is no SQLite database", self.file)
        self._lock = threading.Lock()
        self._steps = 0
        self._cancelled: BaseException | None = None
        uri = f"{Path(self.file).resolve().as_uri()}?mode=ro&immutable=1"
        try:
            self._connection = sqlite3.connect(uri, uri=True, check_same_thread=False, isolation_level=None)
        except (sqlite3.Error, ValueError) as error:
            raise FileError(f"cannot be read: {error}", self.file) from error
        self._connection.text_factory = _as_text
        self._connection.set_progress_handler(self._go_on, STEP)
        for setting in SETTINGS:
            list(self.ask(f"PRAGMA {setting}"))

    def __del__(self) -> None:
        if hasattr(self, "_connection"):
            self._connection.close()

    def tables(self) -> dict[str, list[str]]:
        """The columns of each table, by its name in small letters. Views are none: they can compute anything."""
        found: dict[str, list[str]] = {}
        for (name,) in list(self.ask("SELECT name FROM sqlite_master WHERE type = 'table' LIMIT 10000")):
            if isinstance(name, str):
                columns = self.ask("SELECT name FROM pragma_table_xinfo(?) LIMIT 1000", (name,))
                found[name.lower()] = [str(column) for (column,) in columns]
        return found

    def has_index(self, table: str, column: str) -> bool:
        """Whether rows are found by this column without looking through the table."""
        query = (
            "SELECT 1 FROM pragma_index_list(?1) AS i, pragma_index_info(i.name) AS c"
            " WHERE c.seqno = 0 AND lower(c.name) = lower(?2) AND NOT i.partial"
            " UNION ALL SELECT 1 FROM pragma_table_info(?1) WHERE pk = 1 AND lower(name) = lower(?2)"
        )
        return bool(list(self.ask(query, (table, column))))

    def ask(self, query: str, values: Sequence[object] = ()) -> Iterator[tuple[Any, ...]]:
        """The rows of a query; raises a FileError when the file is damaged or the query does not end."""
        cursor = self._run(lambda: self._connection.execute(query, values))
        while True:
            rows = self._run(lambda: cursor.fetchmany(BATCH))
            if not rows:
                return
            yield from rows

    def _run(self, step: Callable[[], T]) -> T:
        """One step of a query. The lock is not held between steps, when the caller is at work."""
        with self._lock:
            self._steps = 0
            self._cancelled = None
            try:
                return step()
            except (sqlite3.Error, sqlite3.Warning, OverflowError, ValueError, MemoryError) as error:
                if self._cancelled is not None:
                    raise self._cancelled from None
                reason = "a query takes too long" if self._steps > MOST_STEPS else str(error) or NO_MEMORY
                raise FileError(f"cannot be read: {reason}", self.file) from error

    def _go_on(self) -> int:
        """Called by SQLite now and then; anything but 0 ends the query. Its caller's exception has to wait."""
        self._steps += 1
        try:
            check_cancelled()
        except BaseException as error:  # noqa: BLE001  # raised again where the query was asked
            self._cancelled = error
            return 1
        return int(self._steps > MOST_STEPS)

    def close(self) -> None:
        with self._lock:
            self._connection.close()


def _as_text(raw: bytes) -> str:
    return raw.decode("utf-8", errors="replace")
