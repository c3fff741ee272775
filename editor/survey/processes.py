"""Worker processes of this machine: new interpreters, each with its own world, connected by pipes.

A worker answers landblock by landblock. When one ends, what it was given and has not answered is given out again, so
that nothing is lost and nothing is done twice; the landblock at which it ended is tried `MOST_DEATHS` times.
"""

from __future__ import annotations

import contextlib
import multiprocessing
import os
import signal
import sys
import threading
import time
from collections import Counter, deque
from collections.abc import Iterable, Iterator
from importlib.machinery import ModuleSpec
from multiprocessing.connection import Connection, wait
from multiprocessing.process import BaseProcess
from types import ModuleType
from typing import Final

from editor.process.memory import collect_seldom, peak_megabytes
from editor.survey.errors import SurveyError
from editor.survey.task import BlockDone, Item, Work, do_items, do_steps
from editor.survey.workers import MOST_DEATHS, Told, not_done
from engine.files.server_address import PASSWORDS, ServerAddress, is_address, read_address

AHEAD: Final = 2
"""Batches that a worker has: the one it is doing, and the next, so that it never waits."""
MOST_MEMORY: Final = 260
"""Megabytes from which on a worker is replaced by a new one after its batch."""
PATIENCE: Final = 2.0
"""Seconds for a worker that is done to end."""

FIRST_IMPORT: Final = "cellar_door.worker"
_READY: Final = "ready"


Password = tuple[ServerAddress, str]


def worker_main(connection: Connection, work: Work, passwords: tuple[Password, ...]) -> None:
    """The body of a worker process: batches come in, answers go out, until the other side is gone."""
    for number in (signal.SIGINT, getattr(signal, "SIGHUP", signal.SIGINT)):
        signal.signal(number, signal.SIG_IGN)  # the terminal tells every process; the first one ends the others
    _end_with_parent()
    for address, password in passwords:
        PASSWORDS.keep(address, password)
    with contextlib.suppress(EOFError, OSError):
        try:
            for _ in do_items(work, ()):
                pass
        except Exception as error:  # noqa: BLE001  # told by the other side
            connection.send(SurveyError(str(error)))
            return
        collect_seldom()
        connection.send(_READY)
        while True:
            items: tuple[Item, ...] = connection.recv()
            for done in do_steps(work, items):
                connection.send(done)
            connection.send(peak_megabytes())


@contextlib.contextmanager
def _signals_held_back() -> Iterator[None]:
    """Start processes that a Ctrl-C in the terminal does not end with a traceback while they import."""
    if sys.platform == "win32":
        yield
        return
    from multiprocessing import resource_tracker  # begun by the first process that starts, which lets signals in

    resource_tracker.ensure_running()
    before = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT, signal.SIGHUP})
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)


@contextlib.contextmanager
def _without_main() -> Iterator[None]:
    """Start processes that do not import the main module again, a user's script or the window, but what leads to this
    package where only `cellar_door` is on the path."""
    main = sys.modules["__main__"]
    sys.modules["__main__"] = instead = ModuleType("__main__")
    if not getattr(sys, "frozen", False):
        instead.__spec__ = ModuleSpec(FIRST_IMPORT, None)
    try:
        yield
    finally:
        sys.modules["__main__"] = main


def _end_with_parent() -> None:
    """Let this process end with the one that started it, however that ends."""
    parent = multiprocessing.parent_process()

    def watch() -> None:
        wait([] if parent is None else [parent.sentinel])
        os._exit(1)

    threading.Thread(target=watch, name="parent", daemon=True).start()


def _passwords_of(work: Work) -> tuple[Password, ...]:
    """Those that were given to this process for the database servers of some work: nothing but memory holds them."""
    paths = () if work.server is None else filter(is_address, work.server.paths)
    addresses = [read_address(path)[0] for path in paths]
    return tuple((address, PASSWORDS.of(address)) for address in addresses)


class _Worker:
    """One process, and the landblocks that it was given and has not answered, in the order in which it does them."""

    def __init__(self, work: Work, number: int) -> None:
        context = multiprocessing.get_context("spawn")
        self.connection, other = context.Pipe()
        self.process: BaseProcess = context.Process(
            target=worker_main, args=(other, work, _passwords_of(work)), name=f"survey {number}", daemon=True
        )
        with _signals_held_back(), _without_main():
            self.process.start()
        other.close()
        self.is_ready = False
        self.given: deque[deque[Item]] = deque()
        self.since = time.monotonic()
        """When it began what it is at."""
        self.so_far: BlockDone | None = None
        """What it has done of that."""

    @property
    def has_room(self) -> bool:
        return self.is_ready and len(self.given) < AHEAD

    def give(self, batch: tuple[Item, ...]) -> None:
        if not self.given:
            self.since = time.monotonic()
        self.given.append(deque(batch))
        with contextlib.suppress(OSError):  # it has ended; that is seen where its answers are read
            self.connection.send(batch)

    def answered(self, done: BlockDone) -> None:
        first = self.given[0].popleft()
        assert first.block == done.block
        self.so_far = None
        self.since = time.monotonic()
        if not self.given[0]:
            self.given.popleft()

    def end(self) -> None:
        self.connection.close()
        self.process.kill()
        self.process.join()
        self.process.close()


class Processes:
    """So many workers of this machine."""

    def __init__(
        self, count: int, told: Told, most_memory: int = MOST_MEMORY, most_seconds: float | None = None
    ) -> None:
        """A landblock that takes more seconds than that is given up; None: none is."""
        self._count = count
        self._most_seconds = most_seconds
        self._failed_starts = 0
        self._told = told
        self._most_memory = most_memory
        self._workers: list[_Worker] = []
        self._started = 0
        self.peak = 0.0
        """The most memory that a worker has had so far, in megabytes."""
        self._deaths: Counter[int] = Counter()

    @property
    def ids(self) -> list[int]:
        """The process ids of the workers that have a landblock to do."""
        return [worker.process.pid or 0 for worker in self._workers if worker.given]

    def close(self) -> None:
        """End the workers at once, whatever they do."""
        for worker in self._workers:
            worker.end()
        self._workers.clear()

    def run(self, work: Work, batches: Iterable[tuple[Item, ...]]) -> Iterator[BlockDone]:
        waiting = iter(batches)
        again: deque[tuple[Item, ...]] = deque()
        is_over = False
        while True:
            if not is_over or again:
                while len(self._workers) < self._count:
                    self._start(work)
            for worker in self._workers:
                while worker.has_room and (again or not is_over):
                    batch = again.popleft() if again else next(waiting, None)
                    if batch is None:
                        is_over = True
                    else:
                        worker.give(batch)
            if is_over and not again and not any(worker.given for worker in self._workers):
                return
            ready = wait([worker.connection for worker in self._workers], self._patience())
            for worker in [worker for worker in self._workers if worker.connection in ready]:
                try:
                    message = worker.connection.recv()
                except (EOFError, OSError):
                    yield from self._ended(work, worker, again)
                    continue
                if isinstance(message, BlockDone) and not message.is_whole(work):
                    worker.so_far = message
                elif isinstance(message, BlockDone):
                    worker.answered(message)
                    yield message
                elif isinstance(message, SurveyError):
                    raise message
                elif isinstance(message, float):
                    self.peak = max(self.peak, message)
                    if message > self._most_memory:
                        self._replace(worker, again)
                else:
                    worker.is_ready, self._failed_starts = True, 0
            yield from self._too_late(work, again)

    def _patience(self) -> float | None:
        """Seconds until a landblock has taken too long."""
        busy = [worker.since for worker in self._workers if worker.given]
        if self._most_seconds is None or not busy:
            return None
        return max(min(busy) + self._most_seconds - time.monotonic(), 0.0)

    def _too_late(self, work: Work, again: deque[tuple[Item, ...]]) -> Iterator[BlockDone]:
        if self._most_seconds is None:
            return
        latest = time.monotonic() - self._most_seconds
        for worker in [worker for worker in self._workers if worker.given and worker.since <= latest]:
            if worker.connection.poll():  # it has answered just now
                continue
            item = worker.given[0].popleft()
            yield not_done(work, item, f"took more than {self._most_seconds:g} s", worker.so_far)
            self._replace(worker, again)

    def _start(self, work: Work) -> None:
        self._started += 1
        self._workers.append(_Worker(work, self._started))

    def _replace(self, worker: _Worker, again: deque[tuple[Item, ...]]) -> None:
        """End a worker that has done a batch; another takes over what else it was given."""
        again.extend(tuple(batch) for batch in worker.given if batch)
        self._workers.remove(worker)
        worker.end()

    def _ended(self, work: Work, worker: _Worker, again: deque[tuple[Item, ...]]) -> Iterator[BlockDone]:
        """Give out again what a worker that has ended was given, first what it was at, alone."""
        worker.process.join(PATIENCE)
        code = worker.process.exitcode
        how = "" if code is None else f" by signal {-code}" if code < 0 else f" with code {code}"
        if not worker.is_ready:
            self._failed_starts += 1
            if self._failed_starts >= MOST_DEATHS:
                raise SurveyError(f"worker processes end{how} before they have opened the world")
        batches = [tuple(batch) for batch in worker.given]
        if batches:
            item = batches[0][0]
            batches[0] = batches[0][1:]
            self._deaths[item.block] += 1
            self._told(f"a worker process ended{how} at landblock 0x{item.block >> 16:04X}; another one goes on")
            if self._deaths[item.block] >= MOST_DEATHS:
                yield not_done(work, item, f"its worker ended {MOST_DEATHS} times{how}", worker.so_far)
            else:
                again.append((item,))
        again.extend(batch for batch in batches if batch)
        self._workers.remove(worker)
        worker.end()
