"""Asks MySQL and MariaDB servers, which are as little trusted as files: every wait ends, answers have a limit, and
nothing is ever written.

The driver works on a thread of its own, so that whoever asks can stop waiting: when it takes too long, or when the
answer is no longer wanted. A connection that was lost is made again by `within`.
"""

from __future__ import annotations

import socket
import time
from collections.abc import Callable, Iterator
from concurrent.futures import Future, wait
from contextlib import contextmanager, suppress
from queue import SimpleQueue
from threading import RLock, Thread
from typing import Any, Final, TypeVar

from engine.files.cancelling import check_cancelled
from engine.files.errors import FileError
from engine.files.server_address import PASSWORDS, ServerAddress

NO_DRIVER: Final = 'cannot be read: its driver is not installed, which this does: pip install "cellar-door[mysql]"'
CONNECT_S: Final = 10.0
AGAIN_S: Final = 2.0
"""To connect again, which the window may be waiting for."""
ASK_S: Final = 60.0
"""For one answer while data is opened, in the background."""
TURN: Final = 0.05
"""Seconds between two checks for cancellation."""
REST: Final = 5.0
"""A lost connection is made again after this many times as long as its loss took to notice: a server that hangs does
not hold up landblock after landblock."""
MOST_BYTES: Final = 64 * 2**20
"""Of one answer."""
MOST_SAID: Final = 200
"""Characters of a server's own message that are shown."""

ACCESS_DENIED: Final = (1045, 1698, 1862)
NOT_ALLOWED: Final = 1044
NO_DATABASE: Final = 1049
TOO_LONG: Final = (1969, 3024)
LOST: Final = (0, 2006, 2013, 2055, 1053, 1927)
FIRST_OF_CLIENT: Final = 2000
"""From here on the driver counts; errors below come from the server."""

READ_ONLY: Final = "SET SESSION TRANSACTION READ ONLY"

T = TypeVar("T")


class _TooMuchError(Exception):
    pass


class DatabaseServer:
    """A connection to one database, made again when it was lost. Any thread may ask; one question runs at a time."""

    def __init__(self, address: ServerAddress) -> None:
        """Connect; raises a FileError that says why it cannot."""
        self.file = str(address)
        self.address = address
        self.lost = ""
        """Why there is no connection, as a clause; empty while there is one."""
        self._lock = RLock()
        self._line: _Line | None = None
        self._until = float("inf")
        self._not_before = 0.0
        self._is_closed = False
        self._connect(CONNECT_S)

    @contextmanager
    def within(self, seconds: float) -> Iterator[None]:
        """Let all that is asked in the block take this long together, and connect again first if need be. What goes
        wrong is said by the first question."""
        with self._lock:
            began = time.monotonic()
            self._until = began + seconds
            try:
                if self.lost and not self._is_closed and began >= self._not_before:
                    with suppress(FileError):
                        self._connect(min(seconds, AGAIN_S))
                yield
            finally:
                self._until = float("inf")

    def ask(self, query: str, seconds: float = ASK_S) -> list[tuple[object, ...]]:
        """The rows of a query: texts, bytes and None. A question that takes too long costs the connection."""
        with self._lock:
            if self._line is None:
                raise FileError(self.lost, self.file)
            line = self._line
            return self._wait(lambda: line.rows(query), min(seconds, self._until - time.monotonic()))

    def close(self) -> None:
        """End the connection, also while another thread waits for an answer."""
        self._is_closed = True
        line = self._line
        if line is not None:
            line.drop()
        if self._lock.acquire(blocking=False):
            self._drop("cannot be read: the connection was closed")
            self._lock.release()

    def __del__(self) -> None:
        if hasattr(self, "_lock"):
            self.close()

    def _connect(self, seconds: float) -> None:
        with self._lock:
            self._drop("")
            self._line = line = _Line(self.address, seconds)
            self._wait(line.open, seconds)
            PASSWORDS.accept(self.address)

    def _wait(self, task: Callable[[], T], seconds: float) -> T:
        line = self._line
        assert line is not None
        began = time.monotonic()
        answer = line.start(task)
        try:
            while not wait((answer,), TURN).done:
                check_cancelled()
                if time.monotonic() - began > seconds:
                    break
        except BaseException:  # cancelled: what the server still says would answer the next question
            self._failed("cannot be read: the connection was given up with a cancelled question", time.monotonic())
            raise
        if not answer.done():
            raise self._failed(f"does not answer within {max(seconds, 0.0):.1f} s", began)
        error = answer.exception()
        if error is None:
            return answer.result()
        reason, is_lost = _explained(error, self.address)
        if _code(error) in ACCESS_DENIED:
            PASSWORDS.refuse(self.address)
        if is_lost or not line.is_open:
            raise self._failed(reason, began) from error
        raise FileError(reason, self.file) from error

    def _failed(self, reason: str, began: float) -> FileError:
        now = time.monotonic()
        self._drop(reason)
        self._not_before = now + REST * (now - began)
        return FileError(reason, self.file)

    def _drop(self, reason: str) -> None:
        line, self._line = self._line, None
        self.lost = reason
        if line is not None:
            line.drop()


class _Line:
    """One connection of the driver's, and the thread that it works on."""

    def __init__(self, address: ServerAddress, seconds: float) -> None:
        self._address = address
        self._seconds = seconds
        self._tasks: SimpleQueue[Callable[[], None] | None] = SimpleQueue()
        self._connection: Any = None
        self._left = MOST_BYTES
        self._is_dropped = False
        Thread(target=self._work, name="database server", daemon=True).start()

    @property
    def is_open(self) -> bool:
        return self._connection is not None and self._connection.open

    def start(self, task: Callable[[], T]) -> Future[T]:
        answer: Future[T] = Future()

        def run() -> None:
            try:
                answer.set_result(task())
            except BaseException as error:  # noqa: BLE001  # raised again where it is waited for
                answer.set_exception(error)

        self._tasks.put(run)
        return answer

    def drop(self) -> None:
        """End the connection and, as soon as it notices, the thread."""
        self._is_dropped = True
        self._tasks.put(None)
        connection = self._connection
        raw = None if connection is None else connection._sock
        if raw is not None:
            try:
                socket.socket.shutdown(raw, socket.SHUT_RDWR)  # wakes the thread where it reads
            except (OSError, ValueError):
                return

    def _work(self) -> None:
        while not self._is_dropped:
            task = self._tasks.get()
            if task is None:
                break
            task()
        if self._connection is not None:
            self._connection._force_close()

    def open(self) -> None:
        """Connect, over TLS if the server has it, and let the session only read."""
        try:
            import pymysql
        except ImportError as error:
            raise _NoDriverError from error
        address = self._address
        refuse = {"mysql_clear_password": _Refuse, "dialog": _Refuse}
        connection = self._connection = pymysql.connections.Connection(
            host=address.host,
            port=address.port,
            user=address.user,
            password=PASSWORDS.of(address).encode(),
            database=address.database,
            charset="utf8mb4",
            conv={},
            autocommit=True,
            local_infile=False,
            read_timeout=ASK_S,
            write_timeout=self._seconds,
            auth_plugin_map=refuse,
            defer_connect=True,
        )
        read = connection._read_bytes

        def counted(count: int) -> bytes:
            self._left -= count
            if self._left < 0:
                connection._force_close()
                raise _TooMuchError
            data: bytes = read(count)
            return data

        connection._read_bytes = counted
        raw = socket.create_connection((address.host, address.port), self._seconds)
        raw.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        connection.connect(raw)
        self.rows(READ_ONLY)
        is_maria = "mariadb" in connection.server_version.lower()
        limit = f"max_statement_time = {ASK_S:.0f}" if is_maria else f"MAX_EXECUTION_TIME = {1000 * ASK_S:.0f}"
        try:
            self.rows(f"SET SESSION {limit}")
        except pymysql.err.Error:
            if not connection.open:  # otherwise an old server, which has no such limit
                raise

    def rows(self, query: str) -> list[tuple[object, ...]]:
        self._left = MOST_BYTES
        with self._connection.cursor() as cursor:
            cursor.execute(query)
            return list(cursor.fetchall())


class _NoDriverError(Exception):
    pass


class _Refuse:
    """Stands in for the ways of logging in that would send the password as it is."""

    def __init__(self, connection: object) -> None:
        del connection

    def authenticate(self, packet: object) -> object:
        raise _PlainPasswordError


class _PlainPasswordError(Exception):
    pass


def _code(error: BaseException) -> int:
    """The number of an error of the server's or the driver's; -1 for any other."""
    found = error.args[0] if error.args else -1
    return found if isinstance(found, int) else -1


def _explained(error: BaseException, address: ServerAddress) -> tuple[str, bool]:
    """The reason as a clause that follows the address, and whether the connection is lost with it."""
    if isinstance(error, _NoDriverError):
        return NO_DRIVER, True
    if isinstance(error, _TooMuchError):
        return f"cannot be read: it answers with more than {MOST_BYTES // 2**20} MB", True
    if isinstance(error, _PlainPasswordError):
        return "is not told the password: it asks for it as plain text", True
    if isinstance(error, RuntimeError) and "cryptography" in str(error):
        return "is not told the password: it asks for it in a way that needs TLS, which it does not offer", True
    if isinstance(error, socket.gaierror):
        return f"cannot be reached: there is no host {address.host}", True
    if isinstance(error, ConnectionRefusedError):
        return f"cannot be reached: {address.host} takes no connections on port {address.port}", True
    if isinstance(error, TimeoutError):
        return "does not answer", True
    if isinstance(error, OSError):
        return f"cannot be reached: {error.strerror or error}", True
    return _said_by_server(error, address)


def _said_by_server(error: BaseException, address: ServerAddress) -> tuple[str, bool]:
    code = _code(error)
    if code in ACCESS_DENIED:
        return f"cannot be read: the server refuses the user {address.user!r} with this password", True
    if code == NOT_ALLOWED:
        return f"cannot be read: the user {address.user!r} may not read a database {address.database!r}", True
    if code == NO_DATABASE:
        return f"cannot be read: the server has no database {address.database!r}", True
    if code in TOO_LONG:
        return "cannot be read: a query takes too long", False
    original = getattr(error, "original_exception", None)
    if isinstance(original, OSError):
        return f"cannot be read: the connection was lost: {original.strerror or original}", True
    if code in LOST:
        return "cannot be read: the connection was lost", True
    if 0 < code < FIRST_OF_CLIENT and len(error.args) > 1:
        message = "".join(letter if letter.isprintable() else " " for letter in str(error.args[1])[:MOST_SAID])
        return f"cannot be read: the server says: {message}", False
    return "does not answer as a MySQL or MariaDB server does", True
